//! A brief: what somebody says of a project in one breath, taken apart into the things that are asked about one. A
//! part is begun by what names it (“the goal is …”, “for teachers”, “Tone: plain”), at the beginning of a sentence or
//! behind a pause or an “and”, and goes on to the next. Next: `begin`, for what begins a project.

use std::sync::LazyLock;

use super::begin::ends_sentence;
use crate::behaviour::patterns;
use crate::pattern::Pattern;
use crate::words::{Word, Words};

/// What something said of a project is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What it is called.
    Name,
    /// What the work is.
    Work,
    /// Who uses it.
    Audience,
    /// How it sounds.
    Voice,
    /// What it has to keep to.
    Constraints,
    /// When it is a success.
    Success,
    /// Anything else.
    Additional,
}

/// How plainly a part is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// By its name: “the audience is …”.
    Outright,
    /// By how it is said: “it is meant for teachers”.
    InASentence,
    /// By what it is like: “for teachers”, “due on Friday”.
    ByItsWords,
}

/// One thing that is said of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// What it is about.
    pub part: Part,
    /// How that is known.
    pub named: Named,
    /// What is said.
    pub text: String,
    /// The same with what names it.
    pub whole: String,
}

/// What is said of a project in one breath.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brief {
    /// By part, in the order it was said.
    pub said: Vec<Said>,
    /// What no name of a part stands before: what was asked, or the work itself.
    pub rest: String,
}

impl Brief {
    /// What is said of `part`, all of it.
    #[must_use]
    pub fn of(&self, part: Part) -> Option<String> {
        let said: Vec<&str> = self.said.iter().filter(|one| one.part == part).map(|one| one.text.as_str()).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// A name of a part, and what of it belongs to what is said.
struct Sign {
    part: Part,
    named: Named,
    /// Whether its own words are kept: “the budget is 300 euros”, but “plain” of “the tone is plain”.
    is_kept: bool,
    pattern: Pattern,
}

/// Names of parts and what stands between them and what is said.
static SIGNS: LazyLock<Vec<Sign>> = LazyLock::new(|| {
    const IS: &str = "(is|are|should be|will be|would be|must be|has to be|have to be|means)";
    const THE: &str = "(the|its|our|my)?";
    let names = [
        (Part::Audience, "(target)? (audience|audiences|readers|readership|target group)"),
        (Part::Voice, "(tone|voice|style) (of voice)?"),
        (Part::Constraints, "(constraint|constraints|limitation|limitations)"),
        (
            Part::Success,
            "(main)? (goal|goals|aim|objective|success|success condition|success conditions|success criterion|success criteria)",
        ),
        (Part::Work, "work"),
        (Part::Name, "(working)? (name|title)"),
    ];
    let mut signs = Vec::new();
    let mut add = |part, named, is_kept, written: &str| {
        signs.extend(patterns(&[written]).into_iter().map(|pattern| Sign { part, named, is_kept, pattern }));
    };
    for (part, name) in names {
        add(part, Named::Outright, false, &format!("{THE} {name} {IS}"));
        if part != Part::Name {
            add(part, Named::Outright, false, &format!("(change|set|switch|make|update) {THE} {name} (to|into|as)?"));
        }
    }
    add(Part::Name, Named::Outright, false, "(it is|this is|the project is|is)? (called|named)");
    add(Part::Name, Named::Outright, false, "(please)? (call|name) (it|this|the project)");
    add(
        Part::Audience,
        Named::InASentence,
        false,
        "(it is|this is)? (meant|intended|aimed|made|designed|written) (for|at)",
    );
    add(Part::Audience, Named::InASentence, false, "(it is|this is) for");
    add(Part::Audience, Named::ByItsWords, false, "for");
    add(Part::Audience, Named::ByItsWords, false, "(to be)? used by");
    add(Part::Voice, Named::InASentence, false, "it (should|must|has to) sound");
    add(Part::Constraints, Named::ByItsWords, true, &format!("{THE} (budget|deadline|due date) {IS}"));
    add(Part::Constraints, Named::ByItsWords, true, "(a|the|our)? budget of");
    add(Part::Constraints, Named::ByItsWords, true, "(it is)? due (on|by|in|at|until|before|next|this)?");
    add(
        Part::Constraints,
        Named::ByItsWords,
        true,
        "(it)? (must|has to|should|needs to) be (ready|done|finished|due) (by|on|in|before|until)",
    );
    add(Part::Success, Named::InASentence, false, "it (is|will be|would be) (a success|successful) (when|if)");
    add(Part::Success, Named::InASentence, false, "(it|we) (worked|works|have succeeded|succeed|succeeds) (when|if)");
    add(Part::Work, Named::InASentence, false, "(it is|this is) about");
    add(Part::Additional, Named::InASentence, false, "(also|additionally) (note|remember) (that)?");
    signs
});

/// Names of parts that a colon, or what they say, may follow at once: “Tone: plain”, “Deadline March 15th”.
const LABELS: [(&str, Part, bool); 24] = [
    ("audience", Part::Audience, false),
    ("readers", Part::Audience, false),
    ("users", Part::Audience, false),
    ("target group", Part::Audience, false),
    ("for", Part::Audience, false),
    ("tone", Part::Voice, false),
    ("voice", Part::Voice, false),
    ("style", Part::Voice, false),
    ("constraints", Part::Constraints, false),
    ("constraint", Part::Constraints, false),
    ("budget", Part::Constraints, true),
    ("deadline", Part::Constraints, true),
    ("due", Part::Constraints, true),
    ("goal", Part::Success, false),
    ("goals", Part::Success, false),
    ("success", Part::Success, false),
    ("success conditions", Part::Success, false),
    ("work", Part::Work, false),
    ("topic", Part::Work, false),
    ("name", Part::Name, false),
    ("title", Part::Name, false),
    ("notes", Part::Additional, false),
    ("also", Part::Additional, false),
    ("anything else", Part::Additional, false),
];

/// Takes apart what is said of a project.
#[must_use]
pub fn brief(text: &str) -> Brief {
    let words = Words::of(text).all;
    let mut brief = Brief::default();
    let (mut open, mut at, mut behind_name) = (Open::default(), 0, 0);
    while at < words.len() {
        let begins = at == behind_name || can_begin(text, &words, at);
        let sign = if begins { sign_at(text, &words, at) } else { None };
        // A sentence that nothing names is about the whole again.
        let is_new = at > 0 && ends_sentence(text, &words, at - 1);
        if let Some(Found { part, named, begin, next }) = sign {
            brief.put(text, &open, words[at].start);
            open = Open { part: Some((part, named)), sign: words[at].start, begin };
            at = next.max(at + 1);
            if part == Part::Name {
                let (end, behind) = name_at(text, &words, next);
                brief.put(text, &open, end);
                open = Open { part: None, sign: end, begin: end };
                (at, behind_name) = (behind, behind);
            }
        } else {
            if is_new && open.part.is_some() {
                brief.put(text, &open, words[at].start);
                open = Open { part: None, sign: words[at].start, begin: words[at].start };
            }
            at += 1;
        }
    }
    brief.put(text, &open, text.len());
    brief
}

/// Those that something is made for, where a description of it says so: “bakers” of “a mobile app for bakers”.
#[must_use]
pub fn made_for(work: &str) -> Option<String> {
    let words = Words::of(work).all;
    let is_for = |at: &usize| {
        let (said, before) = (words[*at].text.as_str(), at.checked_sub(1).map(|at| words[at].text.as_str()));
        let is_aimed = matches!((before, said), (Some("aimed"), "at") | (Some("used"), "by"));
        is_aimed && at + 1 < words.len() || said == "for" && are_people(work, &words, at + 1)
    };
    let at = (0..words.len()).rev().find(is_for)? + 1;
    let mut end = at;
    while end + 1 < words.len() && !words[end].pause_after && !ends_sentence(work, &words, end) {
        if ENDS_PEOPLE.contains(&words[end + 1].text.as_str()) {
            break;
        }
        end += 1;
    }
    Some(plain(work.get(words[at].start..words[end].end)?))
}

/// What is being said: of which part, where its name begins, and where what is said does.
#[derive(Default)]
struct Open {
    part: Option<(Part, Named)>,
    sign: usize,
    begin: usize,
}

/// A name of a part that stands somewhere.
struct Found {
    part: Part,
    named: Named,
    /// Where what is said begins.
    begin: usize,
    /// The word behind the name.
    next: usize,
}

impl Brief {
    /// Keeps what was open and ends here.
    fn put(&mut self, said: &str, open: &Open, end: usize) {
        let text = plain(said.get(open.begin..end).unwrap_or_default());
        if text.is_empty() {
            return;
        }
        let whole = plain(said.get(open.sign..end).unwrap_or_default());
        let is_voice = open.part == Some((Part::Voice, Named::ByItsWords));
        let last = VOICES.into_iter().filter(|_| is_voice).find_map(|voice| text.strip_suffix(voice));
        let text = last.map_or(text.as_str(), str::trim_end).to_owned();
        match open.part {
            Some((part, named)) => self.said.push(Said { part, named, text, whole }),
            None if self.rest.is_empty() => self.rest = text,
            None => self.rest = format!("{}. {text}", self.rest),
        }
    }
}

/// Whether a part can begin at the word at `at`: behind a pause, a new sentence, or what joins two things.
fn can_begin(text: &str, words: &[Word], at: usize) -> bool {
    let before = &words[at - 1];
    before.pause_after || ends_sentence(text, words, at - 1) || JOINS.contains(&before.text.as_str())
}

/// The part that is named at the word at `at`.
fn sign_at(text: &str, words: &[Word], at: usize) -> Option<Found> {
    let here = &words[at..words.len().min(at + SIGN_WORDS_MAX)];
    let label = LABELS.iter().filter_map(|(name, part, is_kept)| {
        let length = name.split(' ').count();
        let is_it = here.get(..length)?.iter().map(|word| word.text.as_str()).eq(name.split(' '));
        let is_labelled = is_it && is_label(text, here, length, *is_kept);
        is_labelled.then_some((*part, Named::Outright, *is_kept, length))
    });
    let fits = |sign: &'static Sign| {
        let length = sign.pattern.longest_prefix(here)?;
        let is_said = length > 0 && length < here.len() && !here[0].quoted;
        let fits = is_said && has_its_like(sign, text, words, at + length);
        fits.then_some((sign.part, sign.named, sign.is_kept, length))
    };
    let best = label.chain(SIGNS.iter().filter_map(fits)).max_by_key(|(.., length)| *length);
    let (part, named, is_kept, length) = best.or_else(|| voice_at(text, words, at))?;
    let next = at + length;
    let begin = if is_kept { words[at].start } else { words.get(next)?.start };
    Some(Found { part, named, begin, next })
}

/// Whether a colon follows a name, or a figure or a date where what the name says is kept with it.
fn is_label(text: &str, here: &[Word], length: usize, is_kept: bool) -> bool {
    let Some(next) = here.get(length) else { return false };
    let behind = text.get(here[length - 1].end..).unwrap_or_default().trim_start();
    behind.starts_with(':') || is_kept && is_figure(next)
}

/// Whether what follows a name is what it can say: people behind “for”, a figure or a date behind what is kept to.
fn has_its_like(sign: &Sign, text: &str, words: &[Word], next: usize) -> bool {
    if sign.named != Named::ByItsWords {
        return true;
    }
    let few = &words[next..words.len().min(next + FIGURE_WORDS)];
    match sign.part {
        Part::Audience => are_people(text, words, next),
        Part::Constraints => few.iter().any(is_figure),
        Part::Name | Part::Work | Part::Voice | Part::Success | Part::Additional => true,
    }
}

/// “in a friendly tone”, “friendly voice”: a few words up to a pause, of which the last is the voice.
fn voice_at(text: &str, words: &[Word], at: usize) -> Option<(Part, Named, bool, usize)> {
    let ends = |at: &usize| {
        words[*at].pause_after
            || ends_sentence(text, words, *at)
            || words.get(at + 1).is_some_and(|next| next.text == "and")
    };
    let end = (at..words.len().min(at + VOICE_WORDS_MAX)).find(ends)?;
    let skipped = words[at..end].iter().take_while(|word| BEFORE_A_VOICE.contains(&word.text.as_str())).count();
    let is_voice = VOICES.contains(&words[end].text.as_str());
    (is_voice && at + skipped < end).then_some((Part::Voice, Named::ByItsWords, false, skipped))
}

/// Where the name that begins at the word at `at` ends, and the word behind it.
fn name_at(text: &str, words: &[Word], at: usize) -> (usize, usize) {
    let end = (at..words.len()).find(|at| {
        let ends = words[*at].pause_after || ends_sentence(text, words, *at);
        let is_quoted_out = words[*at].quoted && words.get(at + 1).is_none_or(|next| !next.quoted);
        let goes_on = words.get(at + 1).is_some_and(|next| !next.quoted && BEHIND_A_NAME.contains(&next.text.as_str()));
        ends || is_quoted_out || goes_on
    });
    let end = end.unwrap_or(words.len().saturating_sub(1));
    let quote = text.get(words[end].end..).and_then(|rest| rest.chars().next()).filter(|sign| QUOTES.contains(sign));
    (words[end].end + quote.map_or(0, char::len_utf8), end + 1)
}

/// Whether the words from `from` on name people: the word that the others hang on is one for people in numbers.
fn are_people(text: &str, words: &[Word], from: usize) -> bool {
    let mut last = None;
    for at in from..words.len().min(from + PEOPLE_WORDS_MAX) {
        let word = &words[at];
        if ENDS_PEOPLE.contains(&word.text.as_str()) || GOES_ON.contains(&word.text.as_str()) {
            break;
        }
        last = Some(word.text.as_str());
        if word.pause_after || ends_sentence(text, words, at) {
            break;
        }
    }
    let is_kind = |word: &str| {
        word.len() > 4 && PEOPLE_ENDINGS.iter().any(|ending| word.ends_with(ending)) && !NO_PEOPLE.contains(&word)
    };
    last.is_some_and(|word| PEOPLE.contains(&word) || is_kind(word))
}

/// Whether a word is a figure, or a day or a month.
fn is_figure(word: &Word) -> bool {
    let said = word.text.as_str();
    said.contains(|sign: char| sign.is_ascii_digit()) || super::correct::kind(said).is_some() || DAYS.contains(&said)
}

/// What is said, without what joins it to the rest.
fn plain(text: &str) -> String {
    const ENDS: [char; 13] = [' ', ',', ';', ':', '.', '!', '-', '–', '—', '\n', '"', '“', '”'];
    let mut text = text.trim_matches(ENDS);
    loop {
        let cut = JOINS.iter().find_map(|join| {
            let rest = text.strip_suffix(join)?;
            (rest.is_empty() || rest.ends_with([' ', ','])).then(|| rest.trim_matches(ENDS))
        });
        match cut {
            Some(rest) => text = rest,
            None => break,
        }
    }
    let first = JOINS.iter().find_map(|join| text.strip_prefix(join)?.strip_prefix(' '));
    first.unwrap_or(text).trim_matches(ENDS).to_owned()
}

/// What joins one thing that is said to the next.
const JOINS: [&str; 4] = ["and", "with", "but", "plus"];
/// Names of a voice that may stand last.
const VOICES: [&str; 3] = ["tone", "voice", "style"];
/// What stands before a voice that is named last.
const BEFORE_A_VOICE: [&str; 8] = ["in", "with", "and", "a", "an", "the", "its", "use"];
/// What goes on behind a name.
const BEHIND_A_NAME: [&str; 18] = [
    "please", "now", "for", "about", "to", "that", "which", "with", "in", "and", "on", "is", "where", "so", "by",
    "due", "a", "an",
];
const QUOTES: [char; 4] = ['"', '“', '”', '\''];

/// People in numbers, or together.
const PEOPLE: [&str; 30] = [
    "people",
    "kids",
    "children",
    "adults",
    "men",
    "women",
    "families",
    "family",
    "teams",
    "team",
    "parents",
    "locals",
    "hires",
    "students",
    "residents",
    "patients",
    "clients",
    "agents",
    "everybody",
    "everyone",
    "neighbours",
    "neighbors",
    "friends",
    "colleagues",
    "farms",
    "schools",
    "clubs",
    "nurses",
    "guests",
    "fans",
];
/// What words for people end with.
const PEOPLE_ENDINGS: [&str; 7] = ["ers", "ors", "ists", "ians", "ees", "folk", "mates"];
/// Words that end so and are no people.
const NO_PEOPLE: [&str; 28] = [
    "papers",
    "computers",
    "printers",
    "flowers",
    "dinners",
    "numbers",
    "letters",
    "orders",
    "offers",
    "sensors",
    "motors",
    "doors",
    "floors",
    "colors",
    "errors",
    "trees",
    "fees",
    "coffees",
    "others",
    "chapters",
    "posters",
    "servers",
    "tractors",
    "factors",
    "indoors",
    "outdoors",
    "waters",
    "quarters",
];
/// What ends the people that something is for.
const ENDS_PEOPLE: [&str; 4] = ["with", "in", "on", "by"];
/// What goes on about them.
const GOES_ON: [&str; 9] = ["who", "that", "to", "from", "of", "at", "is", "are", "and"];
const DAYS: [&str; 5] = ["tomorrow", "today", "easter", "christmas", "summer"];

/// Words of a sign with what follows it.
const SIGN_WORDS_MAX: usize = 12;
/// Words among which a figure stands.
const FIGURE_WORDS: usize = 4;
/// Words that name a voice by it.
const VOICE_WORDS_MAX: usize = 7;
/// Words that name people.
const PEOPLE_WORDS_MAX: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part with what is said of it, and what no name stands before.
    fn taken(text: &str) -> (Vec<(Part, String)>, String) {
        let brief = brief(text);
        (brief.said.into_iter().map(|one| (one.part, one.text)).collect(), brief.rest)
    }

    #[test]
    fn what_is_said_in_one_breath_is_taken_apart() {
        use Part::{Audience, Constraints, Name, Success, Voice};
        type Case<'a> = (&'a str, &'a [(Part, &'a str)], &'a str);
        let cases: [Case<'_>; 9] = [
            (
                "It's called Harbor. It is a boat guide for kayakers, in a friendly tone, due on June 1st, and success is 500 downloads.",
                &[(Name, "Harbor"), (Voice, "friendly"), (Constraints, "due on June 1st"), (Success, "500 downloads")],
                "It is a boat guide for kayakers",
            ),
            (
                "FarmGuard. Audience: small farmers. Tone: plain. Deadline March 15th.",
                &[(Audience, "small farmers"), (Voice, "plain"), (Constraints, "Deadline March 15th")],
                "FarmGuard",
            ),
            (
                "Garden, allotment for beginners. The goal is 20 kg of tomatoes. The budget is 300 euros and the tone is friendly.",
                &[(Success, "20 kg of tomatoes"), (Constraints, "The budget is 300 euros"), (Voice, "friendly")],
                "Garden, allotment for beginners",
            ),
            (
                "named \"Zeta\" for school teachers. The goal is calm",
                &[(Name, "Zeta"), (Audience, "school teachers"), (Success, "calm")],
                "",
            ),
            ("called Orchard for retired teachers", &[(Name, "Orchard"), (Audience, "retired teachers")], ""),
            ("the budget is 500 euros", &[(Constraints, "the budget is 500 euros")], ""),
            (
                "a guide for kayak tours, for tourists, friendly voice",
                &[(Audience, "tourists"), (Voice, "friendly")],
                "a guide for kayak tours",
            ),
            // What only has such words is no part of its own.
            ("the budget is kept and the users are offline", &[], "the budget is kept and the users are offline"),
            ("an app for tracking the goal of a match", &[], "an app for tracking the goal of a match"),
        ];
        for (text, said, rest) in cases {
            let said: Vec<(Part, String)> = said.iter().map(|(part, text)| (*part, (*text).to_owned())).collect();
            assert_eq!(taken(text), (said, rest.to_owned()), "{text}");
        }
        for (work, people) in [
            ("a mobile app for bakers who want to plan their week", Some("bakers who want to plan their week")),
            ("a garden planner for allotment holders", Some("allotment holders")),
            ("an app for tracking expenses for my family", Some("my family")),
            ("a shelf for papers", None),
            ("the refit of the Albatross", None),
            ("an app for tracking expenses", None),
        ] {
            assert_eq!(made_for(work).as_deref(), people, "{work}");
        }
    }
}

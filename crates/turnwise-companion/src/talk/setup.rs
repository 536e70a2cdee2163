//! Setting a project up: six things are asked, one after the other, each answer is kept at once, and the talk may go
//! elsewhere in between (CP-06). Next: `run`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::{Kind, kind};

use crate::store::{Project, Readiness, Seed, SeedField};
use crate::voice::VOICE;

/// What is said after an answer: the next question, or what there is now.
pub(super) fn goes_on(project: &Project, seed: &Seed) -> String {
    let name = ("project", project.name.as_str());
    match (seed.open(), next(seed)) {
        (Some(field), _) => VOICE.ask(field),
        (None, Some(field)) => VOICE.setup_work_needed.with(&[name, ("question", &VOICE.ask(field))]),
        (None, None) => VOICE.setup_ready.with(&[("project", &project.name), ("seed", &listed(seed))]),
    }
}

/// What is asked next: what nothing was said to yet, and at last what the work is, where that was passed over; nothing
/// is set up without it.
pub(super) fn next(seed: &Seed) -> Option<SeedField> {
    seed.open().or_else(|| (seed.readiness() == Readiness::Drafting).then_some(SeedField::Work))
}

/// What a project is called, where that is new; and that another has the name, where one has.
pub(super) fn named(project: &Project) -> String {
    let name = ("project", project.name.as_str());
    match project.name == project.given {
        true => VOICE.setup_named.with(&[name]),
        false => VOICE.setup_named_second.with(&[name, ("given", &project.given)]),
    }
}

/// What was said, one line a field.
pub(super) fn listed(seed: &Seed) -> String {
    let line = |field: SeedField| seed.said(field).map(|said| format!("{}: {said}", VOICE.label(field)));
    SeedField::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// A name for a project, from what the work is said to be: what stands before the first pause, without an article.
pub(super) fn name_of(work: &str) -> Option<String> {
    const ENDS: [&str; 11] = [": ", " – ", " — ", " - ", ". ", ", ", "; ", "\n", " is a ", " is an ", " is the "];
    let end = ENDS.iter().filter_map(|end| work.find(end)).min().unwrap_or(work.len());
    let first = work[..end].trim().trim_end_matches(['.', '!', '?', ':', ',', ';']);
    let mut words: Vec<&str> = first.split_whitespace().collect();
    while words.first().is_some_and(|word| BEFORE_A_NAME.contains(&word.to_lowercase().as_str())) {
        words.remove(0);
    }
    let name = text::clip(&shortened(&words).join(" "), NAME_WIDTH);
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}

/// The first words of a long description, up to where it goes on.
fn shortened<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    if words.len() <= NAME_WORDS {
        return words;
    }
    let goes_on = |at: &usize| GOES_ON.contains(&words[*at].to_lowercase().as_str());
    let end = (NAME_WORDS_MIN..=NAME_WORDS).find(goes_on).unwrap_or(NAME_WORDS);
    &words[..end]
}

/// What is said before the name that is given behind it, and that name: “a school garden, call it Beet”.
pub(super) fn called_behind(said: &str) -> (&str, Option<String>) {
    let lower = said.to_ascii_lowercase();
    let sign = CALLS.iter().filter_map(|sign| lower.rfind(sign).map(|at| (at, at + sign.len()))).max();
    let Some((end, begin)) = sign else { return (said, None) };
    let name = said[begin..].trim().trim_matches(['"', '“', '”', '\'', '.', '!', '?']);
    let before = said[..end].trim().trim_end_matches([',', ';', '.', ':', '-', '–', '—']).trim_end();
    let before = before.strip_suffix(" and").unwrap_or(before).trim_end_matches(',');
    match !before.is_empty() && !name.is_empty() && text::words(name).len() <= NAME_WORDS && !name.contains(',') {
        true => (before, Some(text::clip(name, NAME_WIDTH))),
        false => (said, None),
    }
}

/// What somebody says that they want to make, where it is more than a word for it: “I want to build an app for …”.
pub(super) fn what_is_made(said: &str) -> Option<String> {
    let lower = said.to_ascii_lowercase();
    let begin = MAKES.iter().filter_map(|verb| lower.find(verb).map(|at| at + verb.len())).min()?;
    let made = said.get(begin..)?.trim().trim_end_matches(['.', '!', '?']);
    let words = text::words(made);
    let is_a_thing = words.first().is_some_and(|first| ["a", "an", "some"].contains(&first.as_str()));
    let is_project = words.iter().take(3).any(|word| ["project", "new", "another"].contains(&word.as_str()));
    (is_a_thing && !is_project && words.len() >= MADE_WORDS).then(|| made.to_owned())
}

/// What gives a name behind what it is the name of.
const CALLS: [&str; 4] = [" call it ", " name it ", " and it's called ", " it is called "];
/// What makes something.
const MAKES: [&str; 8] = ["build ", "make ", "write ", "create ", "develop ", "start ", "design ", "plan "];
/// Words that tell what is made.
const MADE_WORDS: usize = 4;

/// Whether a message asks to see what was said of a project, or finds fault with it.
pub(super) fn is_looked_at(said: &str) -> bool {
    let words = text::words(said);
    let says = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let names_it = says(&["setup", "summary"]) || words.join(" ").contains("set up");
    names_it && says(&LOOKS) || words.join(" ").contains("have so far")
}

/// What looks at a setup, or finds fault with it.
const LOOKS: [&str; 22] = [
    "show",
    "read",
    "display",
    "list",
    "see",
    "give",
    "tell",
    "print",
    "repeat",
    "review",
    "view",
    "what",
    "what's",
    "look",
    "like",
    "say",
    "wrong",
    "incorrect",
    "off",
    "isn't",
    "not",
    "summary",
];

/// The part of a setup that a question asks for without its name: “who are we doing this for?”.
pub(super) fn asked(said: &str) -> Option<SeedField> {
    let words = text::words(said);
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !["again", "anyway"].contains(word)).collect();
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    if says(&["who", "who's", "whom"]) && words.last() == Some(&"for") {
        return Some(SeedField::Audience);
    }
    if says(&["who", "who's", "whom"]) && says(&["uses", "use", "users", "reads", "audience", "readers"]) {
        return Some(SeedField::Audience);
    }
    if words.len() <= ABOUT_WORDS && words.last() == Some(&"about") && says(&["project", "it", "this", "work"]) {
        return says(&["what", "what's"]).then_some(SeedField::Work);
    }
    if says(&["how", "what", "what's"]) && says(&["sound", "sounds", "tone", "voice"]) {
        return Some(SeedField::Voice);
    }
    let asked = |(field, name): &(SeedField, &str)| {
        let is_asked = words.iter().any(|word| word == name) && *field != SeedField::Work;
        is_asked.then_some(*field)
    };
    let by_name = FIELD_NAMES.iter().find_map(asked).filter(|_| says(&["what", "what's", "which", "who"]));
    if by_name.is_some() && words.len() <= NAME_WORDS {
        return by_name;
    }
    // What the question about it names.
    says(&["budget", "deadline", "rules", "limit", "limits"]).then_some(SeedField::Constraints)
}

/// Whether one of these words is a name of this part of a setup.
pub(super) fn is_named(field: SeedField, words: &[String]) -> bool {
    let names = FIELD_NAMES
        .iter()
        .chain(&LOOKED_FOR)
        .filter(|(of, _)| *of == field)
        .flat_map(|(_, name)| name.split(' ').next());
    names.into_iter().any(|name| words.iter().any(|word| word == name))
}

/// Whether what the constraints say answers a question that names what they are about: a budget is a sum, a deadline a
/// day.
pub(super) fn is_answered(field: SeedField, said: &str, words: &[String]) -> bool {
    let asks = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let kept = text::words(said);
    let has = |fits: &dyn Fn(&str) -> bool| kept.iter().any(|word| fits(word));
    let is_sum = || said.contains(['€', '$', '£']) || has(&|word| MONEY.contains(&word));
    let is_day = || has(&|word| matches!(kind(word), Some(Kind::Month | Kind::Weekday)));
    field == SeedField::Constraints
        && (asks(&["budget", "money", "cost", "costs"]) && is_sum() || asks(&["deadline", "due"]) && is_day())
}

/// Words of a sum.
const MONEY: [&str; 10] = ["euro", "euros", "dollar", "dollars", "pound", "pounds", "eur", "usd", "gbp", "francs"];
/// Words of a question what something is about.
const ABOUT_WORDS: usize = 8;

const FIELD_NAMES: [(SeedField, &str); 9] = [
    (SeedField::Work, "work"),
    (SeedField::Audience, "audience"),
    (SeedField::Audience, "readers"),
    (SeedField::Voice, "voice"),
    (SeedField::Voice, "tone"),
    (SeedField::Constraints, "constraints"),
    (SeedField::Constraints, "constraint"),
    (SeedField::Success, "success conditions"),
    (SeedField::Success, "goal"),
];

/// Names that a part is looked for by and is not changed by: “the users are offline in the field” may answer anything.
const LOOKED_FOR: [(SeedField, &str); 4] = [
    (SeedField::Audience, "users"),
    (SeedField::Audience, "customers"),
    (SeedField::Success, "goals"),
    (SeedField::Constraints, "limits"),
];

/// What stands before a name and is no part of it.
const BEFORE_A_NAME: [&str; 19] = [
    "a", "an", "the", "it", "it's", "its", "is", "this", "we're", "we", "are", "i'm", "i", "am", "to", "called",
    "named", "my", "our",
];
/// Words of a name that is made of what the work is said to be.
pub(super) const NAME_WORDS: usize = 6;
/// The fewest, where a description goes on behind them.
const NAME_WORDS_MIN: usize = 3;
/// Words with which a description goes on.
const GOES_ON: [&str; 16] = [
    "and", "that", "which", "so", "for", "with", "to", "in", "on", "before", "behind", "by", "from", "at", "where",
    "who",
];
/// Characters of a project's name.
pub(super) const NAME_WIDTH: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_called_by_what_its_work_is_said_to_be() {
        for (work, name) in [
            ("FarmGuard: an app that watches irrigation", "FarmGuard"),
            ("It's a handbook for new hires.", "Handbook for new hires"),
            ("FarmGuard is an app for farmers", "FarmGuard"),
            ("its called Second Shift, a podcast about night workers", "Second Shift"),
        ] {
            assert_eq!(name_of(work).as_deref(), Some(name), "{work}");
        }
        assert_eq!(name_of("..."), None);
        assert_eq!(called_behind("A school garden, call it Beet"), ("A school garden", Some("Beet".to_owned())));
        assert_eq!(called_behind("call it Beet"), ("call it Beet", None));
        let long = "we're taking an old ketch apart and putting her together again";
        assert_eq!(name_of(long).as_deref(), Some("Taking an old ketch apart"));
    }

    #[test]
    fn a_part_is_asked_for_by_its_name() {
        for (said, field) in [
            ("who uses it?", Some(SeedField::Audience)),
            ("Who is it for?", Some(SeedField::Audience)),
            ("how does it sound?", Some(SeedField::Voice)),
            ("what are the constraints?", Some(SeedField::Constraints)),
            ("when does the plumber come?", None),
        ] {
            assert_eq!(asked(said), field, "{said}");
        }
        let words = |said: &str| text::words(said);
        assert!(is_named(SeedField::Audience, &words("the audience")) && is_named(SeedField::Success, &words("goals")));
        assert!(is_named(SeedField::Audience, &words("the users")) && !is_named(SeedField::Voice, &words("audience")));
    }
}

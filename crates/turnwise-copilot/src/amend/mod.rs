//! Amendments: what is to be different in a plan that is there, in words. “Change step 2 to run `ls -l`”, “step 2
//! should write to out.txt”, “use b.txt instead of a.txt”, “put it before step 1”. Which steps go or change places is
//! read by the engine's own grammar. Next: `apply`, which makes them.

mod apply;
mod rewrite;

use std::sync::LazyLock;

use turnwise_core::patch::{Patch, PatchError, Wish, reworded};
use turnwise_core::{FactName, PlanDraft, Step, StepId, ToolName};

pub(crate) use apply::{Amended, apply, of_plan};

use crate::orders::orders_behind;
use crate::planned::Wanted;
use crate::said::{after_any, all_quoted, quoted, without_courtesies};
use crate::tool::{FETCH, Given, LIST, PYTHON, READ, RUN, WRITE};

/// What is to be different.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Amendment {
    /// Which steps there are, and in which order.
    Shape(Vec<Patch>),
    /// What a step does.
    Rewrite { step: Named, words: String },
    /// One text in place of another, in a step or wherever it stands.
    Replace { step: Option<Named>, from: String, to: String },
    /// Further steps at a place.
    Insert { place: Place, words: String },
    /// What one step does, which is not said: “write it to b.txt instead”.
    Instead(String),
}

/// How a step is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// By its number, from 1.
    Number(usize),
    /// The last one; also “it”, which is what was spoken of last.
    Last,
    /// By its tool.
    Tool(&'static str),
}

/// Where further steps go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Before(Named),
    Behind(Named),
    First,
}

/// What `words` ask of the plan `draft`; none where they ask for something else.
pub(crate) fn read(words: &str, draft: &PlanDraft) -> Option<Result<Amendment, PatchError>> {
    if let Some((step, words)) = reworded::read(words) {
        let step = Named::Number(step.number() as usize);
        return Some(Ok(Amendment::Rewrite { step, words: words.to_owned() }));
    }
    let said = plain(words);
    if said.contains(['?', '？']) && all_quoted(said).is_empty() {
        return None;
    }
    if let Some(found) = of_a_step(said).or_else(|| inserted(said)) {
        return Some(Ok(found));
    }
    match Wish::read(&with_it_named(said, draft), draft) {
        Some(Ok(Wish::Structure(patches))) => return Some(Ok(Amendment::Shape(patches))),
        Some(Err(error)) => return Some(Err(error)),
        Some(Ok(Wish::Split { .. } | Wish::Constrain { .. } | Wish::Add { .. })) | None => {}
    }
    replaced(said).or_else(|| instead(said)).map(Ok)
}

/// The texts that a decision has take the place of one another: “we decided to use b.txt instead of a.txt”.
pub(crate) fn put_for(words: &str) -> Option<(String, String)> {
    let words = plain(words);
    let begins = |(at, _): &(usize, &str)| *at == 0 || words[..*at].ends_with(' ');
    let verbs = ["use ", "take ", "replace ", "put ", "write "];
    let at = verbs.iter().flat_map(|verb| words.match_indices(verb)).filter(begins).map(|(at, _)| at).min()?;
    texts(&words[at..])
}

/// Puts one text for another in all that a call is given; whether it stood there.
pub(crate) fn put(call: &mut Wanted, from: &str, to: &str) -> bool {
    let mut is_found = false;
    for given in call.givens.values_mut() {
        if let Given::Value(value) = given
            && let Some(new) = rewrite::replaced(value, from, to)
        {
            *value = new;
            is_found = true;
        }
    }
    is_found
}

/// Whether words ask for a change of a plan, whichever it is.
pub(crate) fn is_one(words: &str) -> bool {
    read(words, &ANY).is_some()
}

/// Whether they name the step they are about.
pub(crate) fn names_a_step(words: &str) -> bool {
    let said = plain(words);
    of_a_step(said).is_some()
        || inserted(said).is_some_and(|found| !matches!(found, Amendment::Insert { place: Place::First, .. }))
}

/// A plan of more steps than anybody writes, by which words are read before it is known which plan they are about.
static ANY: LazyLock<PlanDraft> = LazyLock::new(|| {
    let step = |number| Step::new(StepId::new(number), "", ToolName::new("any"));
    PlanDraft::new("", (1..=STEPS_ANY).map(step).collect(), FactName::new("any"))
});
const STEPS_ANY: u32 = 40;

/// Without courtesies before it, and without the mark that ends it.
fn plain(words: &str) -> &str {
    without_courtesies(crate::orders::without_end(words.trim()), &LEADS)
}

/// “Change step 2 to …”, “step 2 should …”, “in step 2 use A instead of B”, “instead of step 2, …”.
fn of_a_step(said: &str) -> Option<Amendment> {
    if let Some((step, rest)) = after_any(said, &["in ", "for "]).and_then(named) {
        let rest = rest.trim_start_matches([',', ':']).trim_start();
        return texts(rest).map(|(from, to)| Amendment::Replace { step: Some(step), from, to });
    }
    if let Some((step, rest)) = after_any(said, &["instead of ", "rather than ", "in place of "]).and_then(named) {
        let words = rest.trim_start_matches([',', ':']).trim_start();
        return (!words.is_empty()).then(|| Amendment::Rewrite { step, words: words.to_owned() });
    }
    if let Some((step, rest)) = after_any(said, &CHANGING).and_then(named) {
        let rest = rest.trim_start_matches([',', ':']).trim_start();
        let words = after_any(rest, &TO).unwrap_or(rest);
        return (!words.is_empty() && !is_place(words)).then(|| Amendment::Rewrite { step, words: words.to_owned() });
    }
    if let Some((step, rest)) = named(said) {
        let told = rest.strip_prefix(':').map(str::trim_start);
        let words = told.or_else(|| after_any(rest.trim_start(), &SHOULD)).filter(|words| !words.is_empty())?;
        return (!is_place(words)).then(|| Amendment::Rewrite { step, words: words.to_owned() });
    }
    let (words, behind) = split_last(said, &[" instead of ", " rather than ", " in place of "])?;
    let (step, rest) = named(behind)?;
    let words = words.trim();
    let is_whole = rest.is_empty() && !words.is_empty();
    is_whole.then(|| Amendment::Rewrite { step, words: after_any(words, &["do ", "use "]).unwrap_or(words).to_owned() })
}

/// Whether words say where a step stands rather than what it does: “before step 1”, “go first”.
fn is_place(words: &str) -> bool {
    let words = after_any(words, &["go ", "come ", "be ", "run ", "stand ", "wait ", "be done "]).unwrap_or(words);
    let first = first_word(words).0.to_ascii_lowercase();
    ["before", "after", "behind", "first", "last", "until"].contains(&first.as_str())
}

/// “Before step 2, run `x`”, “run `x` before step 2”, “first run `x`”.
fn inserted(said: &str) -> Option<Amendment> {
    let said = after_any(said, &["add ", "insert ", "put in "]).unwrap_or(said);
    let said = after_any(said, &["a step ", "another step ", "one step ", "a further step "]).unwrap_or(said);
    for (leads, is_before) in [(&["before ", "ahead of "][..], true), (&["after ", "behind "][..], false)] {
        let Some((step, rest)) = after_any(said, leads).and_then(named) else { continue };
        let words = plain(rest.trim_start_matches([',', ':']).trim_start());
        return orders_behind(words, 1).map(|_| at(step, is_before, words));
    }
    for (joints, is_before) in [(&[" before ", " ahead of "][..], true), (&[" after ", " behind "][..], false)] {
        let Some((words, behind)) = split_last(said, joints) else { continue };
        let Some((step, "")) = named(behind) else { continue };
        let words = words.trim().trim_end_matches(',');
        if orders_behind(words, 1).is_some() {
            return Some(at(step, is_before, words));
        }
    }
    let words = said.strip_suffix(" first").or_else(|| said.strip_suffix(" at the beginning"))?;
    orders_behind(words, 0).map(|_| Amendment::Insert { place: Place::First, words: words.to_owned() })
}

fn at(step: Named, is_before: bool, words: &str) -> Amendment {
    let place = if is_before { Place::Before(step) } else { Place::Behind(step) };
    Amendment::Insert { place, words: words.to_owned() }
}

/// “Use b.txt instead of a.txt”, “replace a.txt by b.txt”, “change a.txt to b.txt”.
fn replaced(said: &str) -> Option<Amendment> {
    let of_step = split_last(said, &[" in "]).and_then(|(before, behind)| Some((before, named(behind)?)));
    let (said, step) = match of_step {
        Some((before, (step, ""))) => (before, Some(step)),
        _ => (said, None),
    };
    texts(said).map(|(from, to)| Amendment::Replace { step, from, to })
}

/// One text and what takes its place.
fn texts(said: &str) -> Option<(String, String)> {
    if let Some((new, old)) = split_last(said, &[" instead of ", " rather than ", " in place of "]) {
        let new = after_any(new, &["use ", "take ", "put ", "write ", "with ", "have "]).unwrap_or(new);
        return Some((token(old)?, token(new)?));
    }
    let rest = after_any(said, &["replace ", "change ", "exchange ", "swap ", "turn "])?;
    let (old, new) = split_last(rest, &[" with ", " by ", " to ", " into ", " for "])?;
    Some((token(old)?, token(new)?))
}

/// One word, or what stands in quotes.
fn token(words: &str) -> Option<String> {
    let words = words.trim();
    let words = after_any(words, &["the file ", "the address ", "the folder "]).unwrap_or(words);
    if let Some((inside, behind)) = quoted(words) {
        return (behind.trim().is_empty() && !inside.is_empty()).then(|| inside.to_owned());
    }
    (!words.is_empty() && !words.contains(char::is_whitespace)).then(|| words.to_owned())
}

/// “Write it to b.txt instead”.
fn instead(said: &str) -> Option<Amendment> {
    let words = said.strip_suffix(" instead").or_else(|| after_any(said, &["instead, ", "instead "]))?;
    Some(Amendment::Instead(words.trim_end_matches(',').to_owned()))
}

/// The step that words begin with, and what stands behind it.
fn named(words: &str) -> Option<(Named, &str)> {
    let words = words.trim_start();
    if let Some(rest) = after_any(words, &["step ", "number ", "no. ", "nr. ", "#"]) {
        let (number, behind) = first_word(rest);
        let number = number.parse().ok().or_else(|| position(&NUMBERS, number))?;
        return Some((Named::Number(number), behind));
    }
    let (first, behind) = first_word(words);
    if ["it", "that", "this"].contains(&first.to_ascii_lowercase().as_str()) {
        return Some((Named::Last, behind));
    }
    let (which, behind) = first_word(after_any(words, &["the "])?);
    let (noun, rest) = first_word(behind.trim_start());
    let is_step = ["step", "one", "command", "order", "task"].contains(&noun);
    if let Some(number) = position(&ORDINALS, which) {
        return is_step.then_some((Named::Number(number), rest));
    }
    if which == "last" || which == "final" {
        return is_step.then_some((Named::Last, rest));
    }
    let tool = TOOLS.iter().find(|(word, _)| *word == which).map(|(_, tool)| *tool)?;
    match is_step {
        true => Some((Named::Tool(tool), rest)),
        false => (which == "command").then_some((Named::Tool(tool), behind)),
    }
}

/// The first word, without the mark behind it, and what stands behind the word.
fn first_word(words: &str) -> (&str, &str) {
    let end = words.find(|letter: char| letter.is_whitespace() || ",:;".contains(letter)).unwrap_or(words.len());
    (&words[..end], words[end..].trim_end())
}

fn position(all: &[&str], word: &str) -> Option<usize> {
    all.iter().position(|one| one.eq_ignore_ascii_case(word)).map(|at| at + 1)
}

/// What stands before and behind the last of `joints` that is in no quotes.
fn split_last<'a>(words: &'a str, joints: &[&str]) -> Option<(&'a str, &'a str)> {
    let cut = |joint: &&str| {
        let parts = crate::orders::outside_quotes(words, joint);
        let last = parts.last().filter(|_| parts.len() > 1)?.len();
        let begin = words.len() - last;
        Some((words.get(..begin.checked_sub(joint.len())?)?, &words[begin..]))
    };
    joints.iter().filter_map(cut).max_by_key(|(before, _)| before.len())
}

/// “Put it before step 1”: the step that was spoken of last is the last one.
fn with_it_named(said: &str, draft: &PlanDraft) -> String {
    let Some(rest) = after_any(said, &MOVING) else { return said.to_owned() };
    let verb = &said[..said.len() - rest.len()];
    let (first, behind) = first_word(rest);
    let is_it = ["it", "that", "this"].contains(&first.to_ascii_lowercase().as_str()) && !behind.trim().is_empty();
    if is_it { format!("{verb}step {}{behind}", draft.steps.len()) } else { said.to_owned() }
}

/// Words before a change that change nothing of it.
const LEADS: [&str; 10] = ["actually", "no", "wait", "sorry", "oh", "but", "hmm", "yes", "well", "let's"];
const CHANGING: [&str; 17] = [
    "change ", "edit ", "replace ", "rewrite ", "modify ", "update ", "alter ", "adjust ", "turn ", "make ", "let ",
    "have ", "set ", "switch ", "fix ", "correct ", "amend ",
];
const TO: [&str; 14] = [
    "to be ",
    "to ",
    "into ",
    "with ",
    "by ",
    "so that it ",
    "so it ",
    "should ",
    "be ",
    "and have it ",
    "and let it ",
    "must ",
    "instead ",
    "as ",
];
const SHOULD: [&str; 12] = [
    "should instead ",
    "should be to ",
    "should ",
    "must ",
    "has to ",
    "needs to ",
    "is to ",
    "ought to ",
    "shall ",
    "had better ",
    "becomes ",
    "is now ",
];
const MOVING: [&str; 6] = ["put ", "move ", "do ", "run ", "place ", "have "];
const NUMBERS: [&str; 9] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const ORDINALS: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
const TOOLS: [(&str, &str); 11] = [
    ("run", RUN),
    ("command", RUN),
    ("python", PYTHON),
    ("fetch", FETCH),
    ("download", FETCH),
    ("read", READ),
    ("reading", READ),
    ("list", LIST),
    ("write", WRITE),
    ("writing", WRITE),
    ("save", WRITE),
];
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;

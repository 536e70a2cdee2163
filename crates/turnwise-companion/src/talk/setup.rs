//! Setting a project up: six things are asked, one after the other, each answer is kept at once, and the talk may go
//! elsewhere in between (CP-06). Next: `run`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::without_lead;

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
    let end = (2..=NAME_WORDS).rev().find(goes_on).unwrap_or(NAME_WORDS);
    &words[..end]
}

/// Whether an answer begins by saying what the work is called.
pub(super) fn is_called(answer: &str) -> bool {
    let words = text::words(answer).join(" ");
    ["it's called ", "its called ", "it’s called ", "it is called ", "called ", "the name is "]
        .iter()
        .any(|sign| words.starts_with(sign))
}

/// What a project that is begun is said to be, where more is said than its name: “a new project: Mill Street 12, a
/// house that is renovated”.
pub(super) fn given_work(said: &str) -> Option<String> {
    let (said, called) = called_behind(said);
    if called.is_some() || behind_a_sign(said).is_none() {
        return what_is_made(said);
    }
    let rest = behind_a_sign(said)?;
    let name = up_to_a_pause(rest);
    (name.len() < rest.len() && text::words(name).len() <= NAME_WORDS).then(|| rest.to_owned())
}

/// The name alone where more is said behind it: “Harbor: a guide for kayak tours”.
fn up_to_a_pause(rest: &str) -> &str {
    let end = rest.find([',', ';', '\n']).into_iter().chain(rest.find(": ")).min().unwrap_or(rest.len());
    rest[..end].trim()
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
fn what_is_made(said: &str) -> Option<String> {
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

/// What stands behind a sign of a name, without marks around it.
fn behind_a_sign(said: &str) -> Option<&str> {
    let lower = said.to_lowercase();
    let signed = NAMED.iter().find_map(|sign| lower.find(sign).map(|at| at + sign.len()));
    let after = signed.or_else(|| capital_behind(said, &lower))?;
    // Lower case may be longer than what it was made from; then nothing is taken from the wrong place.
    let rest = said.get(after..)?.trim().trim_matches(['"', '“', '”', '\'', '.', '!', '?']);
    (!rest.is_empty()).then_some(rest)
}

/// What a project is for, as its name until it has another: “a project for the refit of the Albatross”.
fn what_for(said: &str) -> Option<String> {
    let lower = said.to_lowercase();
    let after = ["project for ", "project about ", "project on "]
        .iter()
        .find_map(|sign| lower.find(sign).map(|at| at + sign.len()))?;
    name_of(said.get(after..)?.trim_end_matches(['.', '!', '?']))
}

/// A name that is given outright: “called Harbor”, “named Harbor”, “new project FarmGuard”.
pub(super) fn given_name(said: &str) -> Option<String> {
    let quoted = said.split(['"', '“', '”']).nth(1).map(str::trim).filter(|name| !name.is_empty());
    if let Some(name) = quoted {
        return Some(text::clip(name, NAME_WIDTH));
    }
    if let (_, Some(name)) = called_behind(said) {
        return Some(name);
    }
    let Some(name) = behind_a_sign(said) else { return what_for(said) };
    let name = up_to_a_pause(name);
    (!name.is_empty()).then(|| text::clip(name, NAME_WIDTH))
}

/// Where a word in capitals begins that stands right behind the kind of thing that is named.
fn capital_behind(said: &str, lower: &str) -> Option<usize> {
    let after = KINDS.iter().find_map(|kind| lower.find(kind).map(|at| at + kind.len()))?;
    said.get(after..)?.starts_with(char::is_uppercase).then_some(after)
}

/// The part of a setup that a message names, and what it says of it: “the audience is farmers”.
pub(super) fn changed(said: &str) -> Option<(SeedField, String)> {
    let said = without_lead(said);
    let lower = said.to_lowercase();
    for (field, name) in FIELD_NAMES {
        for frame in [
            format!("the {name} is "),
            format!("the {name} are "),
            format!("change the {name} to "),
            format!("{name}: "),
        ] {
            if let Some(rest) = lower.starts_with(&frame).then(|| said.get(frame.len()..)).flatten() {
                return Some((field, rest.trim().trim_end_matches('.').to_owned()));
            }
        }
    }
    None
}

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

/// Signs of a name.
const NAMED: [&str; 3] = [" called ", " named ", "project: "];
/// What a name belongs to.
const KINDS: [&str; 3] = ["project, ", "project – ", "project "];
/// What stands before a name and is no part of it.
const BEFORE_A_NAME: [&str; 19] = [
    "a", "an", "the", "it", "it's", "its", "is", "this", "we're", "we", "are", "i'm", "i", "am", "to", "called",
    "named", "my", "our",
];
/// Words of a name that is made of what the work is said to be.
const NAME_WORDS: usize = 6;
/// Words with which a description goes on.
const GOES_ON: [&str; 16] = [
    "and", "that", "which", "so", "for", "with", "to", "in", "on", "before", "behind", "by", "from", "at", "where",
    "who",
];
/// Characters of a project's name.
const NAME_WIDTH: usize = 48;

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
        assert_eq!(given_name("make a new project called Harbor").as_deref(), Some("Harbor"));
        assert_eq!(given_name("create project “Harbour WMS”").as_deref(), Some("Harbour WMS"));
        assert_eq!(given_name("new project FarmGuard").as_deref(), Some("FarmGuard"));
        assert_eq!(given_name("create the project Second Shift, a podcast").as_deref(), Some("Second Shift"));
        assert_eq!(given_name("new project, Slipway").as_deref(), Some("Slipway"));
        assert_eq!(given_name("start a new project, please"), None);
        assert_eq!(given_name("I want to start a new project."), None);
        assert_eq!(given_name("start a project for my garden").as_deref(), Some("Garden"));
        assert_eq!(given_name("a project for the refit of the Albatross").as_deref(), Some("Refit of the Albatross"));
        let begun = "start a project: Mill Street 12, a house that is renovated";
        assert_eq!(given_name(begun).as_deref(), Some("Mill Street 12"));
        assert_eq!(given_work(begun).as_deref(), Some("Mill Street 12, a house that is renovated"));
        assert_eq!(given_work("start a project: Mill Street 12"), None);
        let begun = "I want to build an app for tracking expenses with a budget of 500 euros, call it Purse";
        assert_eq!(given_name(begun).as_deref(), Some("Purse"));
        let work = "an app for tracking expenses with a budget of 500 euros";
        assert_eq!(given_work(begun).as_deref(), Some(work));
        let begun = "start a new project called Harbor: a guide for kayak tours, for tourists, friendly voice";
        assert_eq!(given_name(begun).as_deref(), Some("Harbor"));
        assert!(
            given_work(begun)
                .is_some_and(|work| work.ends_with("a guide for kayak tours, for tourists, friendly voice"))
        );
        assert_eq!(called_behind("A school garden, call it Beet"), ("A school garden", Some("Beet".to_owned())));
        assert_eq!(called_behind("call it Beet"), ("call it Beet", None));
        for said in ["Let's build something new for tracking expenses.", "I want to start a new project."] {
            assert_eq!(given_work(said), None, "{said}");
        }
        let long = "we're taking an old ketch apart and putting her together again";
        assert_eq!(name_of(long).as_deref(), Some("Taking an old ketch apart"));
    }

    #[test]
    fn a_part_is_changed_by_its_name() {
        assert_eq!(changed("The audience is small farms."), Some((SeedField::Audience, "small farms".to_owned())));
        for (said, field) in [
            ("who uses it?", Some(SeedField::Audience)),
            ("Who is it for?", Some(SeedField::Audience)),
            ("how does it sound?", Some(SeedField::Voice)),
            ("what are the constraints?", Some(SeedField::Constraints)),
            ("when does the plumber come?", None),
        ] {
            assert_eq!(asked(said), field, "{said}");
        }
        for said in ["the soil is clay", "the users are offline in the field", "The limits are set by the county."] {
            assert_eq!(changed(said), None, "{said}");
        }
        let words = |said: &str| text::words(said);
        assert!(is_named(SeedField::Audience, &words("the audience")) && is_named(SeedField::Success, &words("goals")));
        assert!(is_named(SeedField::Audience, &words("the users")) && !is_named(SeedField::Voice, &words("audience")));
    }
}

//! What is said of a project in one breath, when it is begun and at each question about it: taken apart into what is
//! asked, so that nothing that was said is asked again. Next: `begin`, which keeps it.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::{
    Brief, Named, Part, Said, begun_plainly, brief, knowledge_text, made_for, passes, without_lead,
};

use super::setup::{NAME_WIDTH, NAME_WORDS, called_behind, name_of, what_is_made};
use crate::store::{Seed, SeedField};

/// What was said of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// What it is called.
    pub(super) name: Option<String>,
    /// What is said of its fields; empty for one that is passed over.
    pub(super) fields: Vec<(SeedField, String)>,
}

impl Told {
    pub(super) fn of(&self, field: SeedField) -> Option<&str> {
        self.fields.iter().find_map(|(of, text)| (*of == field).then_some(text.as_str()))
    }

    fn put(&mut self, field: SeedField, text: String) {
        match self.fields.iter_mut().find(|(of, _)| *of == field) {
            Some((_, before)) => *before = format!("{before}; {text}"),
            None => self.fields.push((field, text)),
        }
    }
}

/// What a message that begins a project says of it.
pub(super) fn begun(said: &str) -> Told {
    let Some(behind) = begun_plainly(said).and_then(|at| said.get(at..)) else { return made(said) };
    let behind = behind.trim_start();
    // “something new: a cookbook”
    let behind = behind.strip_prefix("new").filter(|rest| !rest.starts_with(char::is_alphabetic)).unwrap_or(behind);
    let (behind, given) = called_behind(behind.trim_start());
    let is_new_sentence = behind.starts_with(['.', '!', ';', '\n']);
    let is_labelled = behind.starts_with([':', ',', '-', '–', '—']);
    let parts = brief(behind.trim_start_matches(['.', '!', ';', '\n', ':', ',', '-', '–', '—', ' ']));
    let mut told = of_parts(&parts);
    told.name = told.name.or_else(|| given.map(|name| text::clip(&name, NAME_WIDTH)));
    let rest = parts.rest.as_str();
    if let Some((how, topic)) = topic(rest) {
        let is_told = how != "for" && text::words(topic).len() >= TOPIC_WORDS || tells_what_is_done(how, topic);
        told.name = told.name.or_else(|| name_of(topic));
        if is_told || text::words(topic).len() >= DESCRIBING_WORDS {
            told.put(SeedField::Work, topic.to_owned());
        }
    } else if is_new_sentence || told.name.is_some() && is_described(rest) {
        told.name = told.name.or_else(|| name_of(rest));
        put_work(&mut told, rest);
    } else if is_labelled || rest.starts_with(|first: char| first.is_uppercase() || QUOTES.contains(&first)) {
        named_first(&mut told, rest);
    }
    with_people(told)
}

/// The same for “I want to build an app for …”, which has no word for a project.
fn made(said: &str) -> Told {
    let (said, given) = called_behind(said);
    let Some(made) = what_is_made(said) else { return Told { name: given, ..Told::default() } };
    let parts = brief(&made);
    let mut told = of_parts(&parts);
    told.name = told.name.or(given).or_else(|| name_of(&parts.rest));
    put_work(&mut told, &parts.rest);
    with_people(told)
}

/// What an answer says, where `asking` is open; none where it says nothing of a project.
pub(super) fn answered(said: &str, asking: Option<SeedField>, seed: &Seed) -> Option<Told> {
    if let Some(field) = asking.filter(|_| passes(said)) {
        return Some(Told { name: None, fields: vec![(field, String::new())] });
    }
    if asking.is_some() && skips_the_rest(said) {
        let open = SeedField::ALL.into_iter().filter(|field| seed.values.iter().all(|(of, _)| of != field));
        return Some(Told { name: None, fields: open.map(|field| (field, String::new())).collect() });
    }
    let kept = knowledge_text(without_lead(said));
    let parts = brief(&kept);
    let mut told = Told::default();
    let mut rest = vec![parts.rest.clone()];
    for one in &parts.said {
        match field_of(one.part) {
            None => told.name = Some(text::clip(&one.text, NAME_WIDTH)),
            // What is only like a part is one where nothing was said of that yet.
            Some(field) if one.named == Named::Outright || takes(field, asking, seed) => match adds(field, one, seed) {
                Some(both) => told.put(field, both),
                None => told.put(field, one.text.clone()),
            },
            Some(_) => rest.push(one.whole.clone()),
        }
    }
    rest.retain(|rest| !rest.is_empty());
    let rest = rest.join(", ");
    match asking {
        Some(SeedField::Work) if !rest.is_empty() => {
            put_work(&mut told, &rest);
            told = with_people(told);
        }
        Some(field) if !rest.is_empty() => told.put(field, rest),
        Some(_) => {}
        None if !rest.is_empty() => return None,
        None => {}
    }
    (told != Told::default()).then_some(told)
}

/// Whether somebody passes over all that is still to be asked.
fn skips_the_rest(said: &str) -> bool {
    let words = text::words(without_lead(said));
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "please").collect();
    matches!(
        words.as_slice(),
        ["skip", "all" | "everything"]
            | ["skip", "the" | "all", "rest" | "others" | "questions"]
            | ["skip", "the", "other" | "remaining", "questions"]
            | ["skip", "all", "of", "them"]
    )
}

/// Whether a message names a part of a setup and says what it is, whatever was asked: “the audience is farmers”.
pub(super) fn names_a_part(said: &str) -> bool {
    let parts = brief(&knowledge_text(without_lead(said)));
    let is_outright = |one: &Said| one.named == Named::Outright && field_of(one.part).is_some();
    parts.rest.is_empty() && !said.trim_end().ends_with('?') && parts.said.first().is_some_and(is_outright)
}

/// Whether what `holds` takes the place of something that the project keeps to: one deadline of the other.
pub(super) fn changes_constraints(holds: &str, seed: &Seed) -> bool {
    let names = |text: &str| KEPT_TO.into_iter().find(|name| text::words(text).iter().any(|word| word == name));
    let kept = seed.said(SeedField::Constraints).unwrap_or_default();
    names(holds).is_some_and(|name| kept.split("; ").any(|part| names(part) == Some(name)))
}

fn of_parts(parts: &Brief) -> Told {
    let mut told = Told::default();
    for one in &parts.said {
        match field_of(one.part) {
            Some(field) => told.put(field, one.text.clone()),
            None => told.name = Some(text::clip(&one.text, NAME_WIDTH)),
        }
    }
    told
}

/// Whether what is only like `field` is said of it: it is asked, or nothing was said of it, or it is one of several.
fn takes(field: SeedField, asking: Option<SeedField>, seed: &Seed) -> bool {
    asking == Some(field) || asking.is_some() && (seed.said(field).is_none() || field == SeedField::Constraints)
}

/// What is kept to beside what was said of that before: a deadline beside a budget.
fn adds(field: SeedField, one: &Said, seed: &Seed) -> Option<String> {
    let before = seed.said(field).filter(|_| field == SeedField::Constraints && one.named != Named::Outright)?;
    let of = |text: &str| KEPT_TO.into_iter().find(|name| text::words(text).iter().any(|word| word == name));
    let kept = before.split("; ").filter(|part| of(part).is_none() || of(part) != of(&one.text));
    Some(kept.chain([one.text.as_str()]).collect::<Vec<_>>().join("; "))
}

/// The work, and the name that stands before what it is: “Garden, allotment for beginners”.
fn named_first(told: &mut Told, rest: &str) {
    let end = rest.find([',', ';', '\n']).into_iter().chain(rest.find(": ")).chain(rest.find(" - ")).min();
    let first = rest[..end.unwrap_or(rest.len())].trim().trim_matches(QUOTES);
    let words = text::words(first).len();
    let is_name = words <= NAME_WORDS && !(words >= TOPIC_WORDS && first.starts_with(char::is_lowercase));
    match (is_name, end) {
        (true, Some(_)) => {
            told.name.get_or_insert_with(|| text::clip(first, NAME_WIDTH));
            put_work(told, rest);
        }
        (true, None) if told.name.is_none() && is_named(first) => told.name = Some(text::clip(first, NAME_WIDTH)),
        (true, None) => {}
        (false, _) => {
            told.name = told.name.take().or_else(|| name_of(rest));
            put_work(told, rest);
        }
    }
}

/// Whether the words are a name, and no courtesy.
fn is_named(words: &str) -> bool {
    text::words(words).iter().any(|word| !COURTESY.contains(&word.as_str()))
}

fn put_work(told: &mut Told, said: &str) {
    let lower = said.to_ascii_lowercase();
    let begun = IT_IS.iter().find(|begun| lower.starts_with(*begun)).map_or(0, |begun| begun.len());
    let work = said.get(begun..).unwrap_or(said).trim();
    if !work.is_empty() {
        told.put(SeedField::Work, work.to_owned());
    }
}

/// With those the work is said to be for, where nothing else says who uses it.
fn with_people(mut told: Told) -> Told {
    let people = told.of(SeedField::Work).filter(|_| told.of(SeedField::Audience).is_none()).and_then(made_for);
    if let Some(people) = people {
        told.put(SeedField::Audience, people);
    }
    told
}

/// What stands behind “about” and its like, where a message begins so.
fn topic(rest: &str) -> Option<(&str, &str)> {
    let (how, topic) = rest.split_once(' ')?;
    let how = OF_A_TOPIC.into_iter().find(|word| how.eq_ignore_ascii_case(word))?;
    Some((how, topic.trim()))
}

/// Whether a topic tells what is done: “to organise a wedding”, “for tracking expenses”.
fn tells_what_is_done(how: &str, topic: &str) -> bool {
    let first = topic.split(' ').next().unwrap_or_default();
    matches!(how, "to" | "that" | "where" | "which") || first.len() > 4 && first.ends_with("ing")
}

/// Whether the rest behind a name describes something, and is no courtesy.
fn is_described(rest: &str) -> bool {
    let words = text::words(rest);
    words.len() > 1 && !words.iter().all(|word| COURTESY.contains(&word.as_str()))
}

fn field_of(part: Part) -> Option<SeedField> {
    match part {
        Part::Name => None,
        Part::Work => Some(SeedField::Work),
        Part::Audience => Some(SeedField::Audience),
        Part::Voice => Some(SeedField::Voice),
        Part::Constraints => Some(SeedField::Constraints),
        Part::Success => Some(SeedField::Success),
        Part::Additional => Some(SeedField::Additional),
    }
}

/// What stands before the topic of a project.
const OF_A_TOPIC: [&str; 8] = ["about", "on", "around", "for", "to", "that", "where", "which"];
/// What stands before what a work is.
const IT_IS: [&str; 6] = ["it's about ", "it is about ", "it's ", "it’s ", "it is ", "this is "];
const QUOTES: [char; 4] = ['"', '“', '”', '\''];
/// Words of a courtesy behind a name.
const COURTESY: [&str; 10] = ["please", "now", "thanks", "thank", "you", "then", "again", "for", "me", "us"];
/// What a project keeps to, of which there is one each.
const KEPT_TO: [&str; 3] = ["budget", "deadline", "due"];
/// Words of a topic that tell what the work is.
const TOPIC_WORDS: usize = 3;
/// The same where a project is only said to be “for” something.
const DESCRIBING_WORDS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(told: &Told) -> Vec<(&'static str, &str)> {
        told.fields.iter().map(|(field, text)| (field.code(), text.as_str())).collect()
    }

    #[test]
    fn a_project_that_is_begun_in_one_breath_has_what_was_said() {
        type Case<'a> = (&'a str, Option<&'a str>, &'a [(&'a str, &'a str)]);
        let cases: [Case<'_>; 20] = [
            ("make a new project called Harbor", Some("Harbor"), &[]),
            ("create project “Harbour WMS”", Some("Harbour WMS"), &[]),
            ("new project FarmGuard", Some("FarmGuard"), &[]),
            ("new project, Slipway", Some("Slipway"), &[]),
            ("start a new project, please", None, &[]),
            ("I want to start a new project.", None, &[]),
            ("start a project for my garden", Some("Garden"), &[]),
            ("a new project for the refit of the Albatross", Some("Refit of the Albatross"), &[]),
            ("start a project: Mill Street 12", Some("Mill Street 12"), &[]),
            (
                "create the project Second Shift, a podcast",
                Some("Second Shift"),
                &[("work", "Second Shift, a podcast")],
            ),
            (
                "start a new project: a mobile app for bakers",
                Some("Mobile app for bakers"),
                &[("work", "a mobile app for bakers"), ("audience", "bakers")],
            ),
            (
                "Let's build something new for tracking expenses.",
                Some("Tracking expenses"),
                &[("work", "tracking expenses")],
            ),
            (
                "Let's create a project to organise my sister's wedding",
                Some("Organise my sister's wedding"),
                &[("work", "organise my sister's wedding")],
            ),
            (
                "I want to start a new project about a mobile app for bakers who want to plan their week; the goal is to cut waste by half",
                Some("Mobile app for bakers"),
                &[
                    ("success", "to cut waste by half"),
                    ("work", "a mobile app for bakers who want to plan their week"),
                    ("audience", "bakers who want to plan their week"),
                ],
            ),
            (
                "New project: FarmGuard. Audience: small farmers. Tone: plain. Deadline March 15th.",
                Some("FarmGuard"),
                &[("audience", "small farmers"), ("voice", "plain"), ("constraints", "Deadline March 15th")],
            ),
            (
                "I'd like to begin a project called Harbor. It's a boat restoration, due by June.",
                Some("Harbor"),
                &[("constraints", "due by June"), ("work", "a boat restoration")],
            ),
            (
                "start a new project: a garden planner for allotment holders, the goal is 20% more harvest",
                Some("Garden planner for allotment holders"),
                &[
                    ("success", "20% more harvest"),
                    ("work", "a garden planner for allotment holders"),
                    ("audience", "allotment holders"),
                ],
            ),
            (
                "start a new project called Orchard for retired teachers",
                Some("Orchard"),
                &[("audience", "retired teachers")],
            ),
            (
                "I want to build an app for tracking expenses for my family with a budget of 500 euros, call it Purse",
                Some("Purse"),
                &[
                    ("constraints", "a budget of 500 euros"),
                    ("work", "an app for tracking expenses for my family"),
                    ("audience", "my family"),
                ],
            ),
            ("create a workspace called Den, please", Some("Den"), &[]),
        ];
        for (said, name, of_it) in cases {
            let told = begun(said);
            assert_eq!((told.name.as_deref(), fields(&told)), (name, of_it.to_vec()), "{said}");
        }
    }

    #[test]
    fn an_answer_is_what_it_names_before_it_is_what_was_asked() {
        let asked = Some(SeedField::Audience);
        let seed = Seed::default();
        for (said, of_it) in [
            ("small farms", vec![("audience", "small farms")]),
            ("for teachers", vec![("audience", "teachers")]),
            ("the budget is 500 euros", vec![("constraints", "the budget is 500 euros")]),
            ("teachers, and the tone is calm", vec![("voice", "calm"), ("audience", "teachers")]),
            ("skip", vec![("audience", "")]),
            ("the users are offline in the field", vec![("audience", "the users are offline in the field")]),
        ] {
            let told = answered(said, asked, &seed).unwrap_or_default();
            assert_eq!(fields(&told), of_it, "{said}");
        }
        assert!(names_a_part("The tone should be serious") && names_a_part("no, the audience is locals"));
        assert!(names_a_part("the success is 10 sales") && names_a_part("change the audience to locals"));
        for said in
            ["the soil is clay", "the budget is 5 euros", "the limits are set by the county", "is the goal met?"]
        {
            assert!(!names_a_part(said), "{said}");
        }
    }
}

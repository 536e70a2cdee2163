//! Forms: what is asked back before anything is shown, and what the answers settle. Each question has a topic of its
//! own, by which its answer is known again. Next: `plan`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer};
use turnwise_intent::behaviour::tickets::{Items, quantity_card};

use crate::draft::Draft;
use crate::draft::{Field, take_answer};
use crate::tracker::{Problem, Ticket, TicketKey};

/// Topics.
pub(super) const QUANTITY: &str = "quantity";
pub(super) const STORIES: &str = "stories";
pub(super) const SIZE: &str = "size";
pub(super) const DUPLICATES: &str = "duplicates";
const MISSING: &str = "missing:";
const REQUIRED: &str = "required:";

/// Values of choices.
pub(super) const CANCEL: &str = "cancel";
pub(super) const CONFIRM: &str = "confirm_quantity";
pub(super) const AT_ONCE: &str = "create_all";
pub(super) const IN_BATCHES: &str = "split";
const NEW: &str = "create_new";
const MORE: &str = "show_more";
const LINK: &str = "link:";
const INFORM: &str = "inform:";

/// What to do about tickets that may be about the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// Nobody said yet.
    Open,
    /// All of them are to be seen.
    Listed,
    /// It is something new.
    New,
    /// This conversation is noted at this one.
    Link(TicketKey),
    /// What was said is added to this one.
    Inform(TicketKey),
}

/// The latest answer on `topic`.
pub(super) fn answer<'a>(answers: &'a [ClarifiedAnswer], topic: &str) -> Option<&'a str> {
    answers.iter().rev().find(|answer| answer.topic == topic).map(|answer| answer.answer.trim())
}

/// Whether the person gave up.
pub(super) fn is_cancelled(answers: &[ClarifiedAnswer]) -> bool {
    answers.iter().any(|answer| answer.answer == CANCEL)
}

/// A question that has to be answered: nothing is assumed in its place.
pub(super) fn needed(topic: &str, question: String, choices: Vec<Choice>) -> Clarification {
    Clarification { topic: topic.to_owned(), question, choices, assumption: None, of: 0 }
}

fn choice(value: impl Into<String>, label: impl Into<String>) -> Choice {
    Choice { value: value.into(), label: label.into() }
}

fn cancel() -> Choice {
    choice(CANCEL, "Cancel")
}

/// More than three items are confirmed first.
pub(super) fn of_quantity(items: &Items) -> Clarification {
    let card = quantity_card(items);
    let choices = card.options.iter().map(|option| choice(option.action, option.label.clone())).collect();
    needed(QUANTITY, card.question, choices)
}

/// The names of the stories.
pub(super) fn of_stories(count: Option<usize>, got: usize) -> Clarification {
    let wanted = count.map_or_else(|| "the".to_owned(), |count| format!("the {count}"));
    let got = match (got, count) {
        (0, _) | (_, None) => String::new(),
        (got, Some(_)) => format!("That named {got}. "),
    };
    let question = format!(
        "{got}What are {wanted} stories called? One on each line, or separated by “;”. Behind “ - ” you may say how one \
         sees that it is done: “Sign up - an address can be used once; …”"
    );
    needed(STORIES, question, Vec::new())
}

/// At most three missing fields at once; `None` when they were asked for often enough.
pub(super) fn of_missing(draft: &Draft, answers: &[ClarifiedAnswer]) -> Option<Clarification> {
    let asked = answers.iter().filter(|answer| answer.topic.starts_with(MISSING)).count();
    if asked > RE_ASKED_MAX {
        return None;
    }
    let missing: Vec<Field> = draft.missing().into_iter().take(QUESTIONS_MAX).collect();
    let names: Vec<String> = missing.iter().map(name_of).collect();
    let topic = format!("{MISSING}{}:{}", names.join(","), asked + 1);
    let head = match asked {
        0 => "Before I show you the ticket, I need:",
        _ => "Still missing:",
    };
    let question = match missing.as_slice() {
        [only] => format!("{head} {}", only.question()),
        several => {
            let lines = (1..).zip(several).map(|(number, field)| format!("{number}. {}", field.question()));
            let lines: Vec<String> = lines.collect();
            format!("{head}\n{}\nAnswer in one message: “1. … 2. …”.", lines.join("\n"))
        }
    };
    // No choices: they would be numbered as the questions are, and “1” would be taken for one.
    Some(needed(&topic, question, Vec::new()))
}

/// Takes in what was answered about missing fields, oldest first.
pub(super) fn take_missing(draft: &mut Draft, answers: &[ClarifiedAnswer]) {
    for answer in answers {
        let Some(asked) = answer.topic.strip_prefix(MISSING) else { continue };
        let names = asked.rsplit_once(':').map_or(asked, |(names, _)| names);
        let asked: Vec<Field> = names.split(',').filter_map(field_of).collect();
        take_answer(draft, &asked, &answer.answer);
    }
}

fn name_of(field: &Field) -> String {
    serde_json::to_string(field).unwrap_or_default().trim_matches('"').to_owned()
}

fn field_of(name: &str) -> Option<Field> {
    serde_json::from_str(&format!("\"{name}\"")).ok()
}

/// A field that the tracker wants.
pub(super) fn of_problem(problem: &Problem) -> Clarification {
    let mut choices: Vec<Choice> =
        problem.allowed.iter().take(CHOICES_MAX).map(|value| choice(value.clone(), value.clone())).collect();
    choices.push(cancel());
    let question = format!("{} What should it be?", problem.told);
    needed(&format!("{REQUIRED}{}", problem.field), question, choices)
}

/// Takes in what was answered about fields that the tracker wants.
pub(super) fn take_required(items: &mut [Draft], answers: &[ClarifiedAnswer]) {
    for answer in answers {
        let Some(field) = answer.topic.strip_prefix(REQUIRED) else { continue };
        for item in items.iter_mut() {
            item.more.entry(field.to_owned()).or_insert_with(|| answer.answer.trim().to_owned());
        }
    }
}

/// What was said about tickets that may be about the same.
pub(super) fn settled(answers: &[ClarifiedAnswer]) -> Settled {
    match answer(answers, DUPLICATES) {
        None => Settled::Open,
        Some(MORE) => Settled::Listed,
        Some(said) => match (said.strip_prefix(LINK), said.strip_prefix(INFORM)) {
            (Some(key), _) => Settled::Link(TicketKey::new(key)),
            (_, Some(key)) => Settled::Inform(TicketKey::new(key)),
            (None, None) => Settled::New,
        },
    }
}

/// Tickets that may be about the same: the nearest, or all of them when they are to be seen.
pub(super) fn of_duplicates(similar: &[Ticket], settled: &Settled) -> Option<Clarification> {
    let nearest = similar.first()?;
    let mut choices = Vec::new();
    let question = match settled {
        Settled::Open => {
            choices.push(choice(format!("{LINK}{}", nearest.key), "Link to this"));
            choices.push(choice(format!("{INFORM}{}", nearest.key), "Add as info"));
            choices.push(choice(NEW, "Create new"));
            if similar.len() > 1 {
                choices.push(choice(MORE, format!("Show more ({})", similar.len() - 1)));
            }
            format!("There may be a ticket about this already: {nearest} ({}).", nearest.place)
        }
        Settled::Listed => {
            for ticket in similar.iter().take(LISTED_MAX) {
                choices.push(choice(format!("{LINK}{}", ticket.key), format!("Link to {ticket}")));
                choices.push(choice(format!("{INFORM}{}", ticket.key), format!("Add as info to {}", ticket.key)));
            }
            choices.push(choice(NEW, "Create new"));
            "These may be about the same:".to_owned()
        }
        Settled::New | Settled::Link(_) | Settled::Inform(_) => return None,
    };
    Some(needed(DUPLICATES, question, choices))
}

/// A very large preview.
pub(super) fn of_size(characters: usize) -> Clarification {
    let question = format!(
        "That is {characters} characters of text, more than {SIZE_MAX}. Create it all at once, or split it into batches?"
    );
    let choices = vec![choice(AT_ONCE, "Create all at once"), choice(IN_BATCHES, "Split into batches"), cancel()];
    needed(SIZE, question, choices)
}

/// Characters of a preview from which on it is asked whether to split it.
pub(super) const SIZE_MAX: usize = 10_000;
/// Fields asked for at once.
const QUESTIONS_MAX: usize = 3;
/// How often what is missing is asked for again.
const RE_ASKED_MAX: usize = 2;
/// Values that a question offers.
const CHOICES_MAX: usize = 8;
/// Tickets that are shown as possibly the same.
const LISTED_MAX: usize = 5;

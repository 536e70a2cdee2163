//! Steps: the tools of the bot's plans and their arguments. A ticket is there twice, as it is read and as it is
//! created, and a step whose two differ is not run. Next: `run`.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};
use turnwise_core::{EffectClass, FactName, Step, StepId, ToolName, limits, text};

use super::made::Made;
use super::sheet::{Batches, Purpose, Sheet, characters};
use crate::decision::Decision;
use crate::draft::{Draft, TicketKind};
use crate::shorten::at_sentence;
use crate::tracker::TicketKey;

/// Checks all items against what the tracker wants.
pub(super) const CHECK: &str = "check_tickets";
/// Creates one.
pub(super) const CREATE: &str = "create_ticket";
/// Adds to one that exists.
pub(super) const COMMENT: &str = "comment_on_ticket";
/// Links the one that was created to one that exists.
pub(super) const LINK: &str = "link_ticket";
/// Posts a decision.
pub(super) const POST: &str = "post_decision";

/// A ticket as a person reads it.
const TEXT: &str = "text";
/// The same as it is created.
const TICKET: &str = "ticket";
/// A decision as it is posted.
const DECISION: &str = "decision";
/// All of them, for checking.
const TICKETS: &str = "tickets";
/// How many of those, from the first, go below no epic.
const ALONE: &str = "alone";
/// The fact that holds the epic it goes to.
const EPIC: &str = "epic";
/// The epic it goes to, where that exists.
const BELOW: &str = "below";
/// The ticket that is written to.
const KEY: &str = "key";

/// The fact that a comment leaves.
const COMMENTED: &str = "commented";

/// What a tool may do to the world.
pub(super) fn effect_of(tool: &str) -> EffectClass {
    match tool {
        CHECK => EffectClass::Pure,
        // A second time finds the first.
        LINK => EffectClass::Idempotent,
        _ => EffectClass::OnceOnly,
    }
}

/// What a tracker takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    /// Characters of a comment.
    pub comment_characters_max: usize,
    /// Tickets that it creates by one request.
    pub together_max: usize,
}

/// The steps of a sheet, for a tracker that takes so much; `place` is where people find the conversation.
///
/// # Errors
/// With what is told, where a comment is longer and no sentence of it ends early enough.
pub(super) fn steps_of(sheet: &Sheet, made: &Made, place: &str, takes: Takes) -> Result<Vec<Step>, String> {
    let mut steps = match &sheet.purpose {
        Purpose::Create => creating(sheet, made, takes.together_max),
        Purpose::Inform(key) => {
            let text = sheet.items.first().map(Draft::shown).unwrap_or_default();
            let text = fitting(text, place, takes.comment_characters_max)?;
            vec![commenting(key, format!("Add what was said to {key}"), text)]
        }
        Purpose::Link(key) => {
            let title = sheet.items.first().map(|item| item.title.clone()).unwrap_or_default();
            let text = format!("Discussed again: {title} ({place})");
            vec![commenting(key, format!("Link this conversation to {key}"), text)]
        }
    };
    for step in &mut steps {
        step.effect = effect_of(step.tool.as_str());
    }
    Ok(steps)
}

/// A comment that no tracker refuses for its length: it ends with a sentence and says that it was shortened.
fn fitting(text: String, place: &str, characters_max: usize) -> Result<String, String> {
    let characters = text.chars().count();
    if characters <= characters_max {
        return Ok(text);
    }
    let note = format!("\n(Shortened; all of it: {place}.)");
    let kept = at_sentence(&text, characters_max.saturating_sub(note.chars().count()));
    kept.map(|kept| format!("{kept}{note}")).ok_or_else(|| {
        format!(
            "A comment takes at most {characters_max} characters, and this has {characters} without the end of a \
                 sentence before that. Nothing was added; say it shorter."
        )
    })
}

fn creating(sheet: &Sheet, made: &Made, together_max: usize) -> Vec<Step> {
    let items = &sheet.items;
    let facts = facts_of(sheet);
    let is_new = |at: &usize| !made.has(&facts[*at]);
    let new: Vec<&Draft> = (0..items.len()).filter(is_new).map(|at| &items[at]).collect();
    let alone = (0..items.len()).filter(is_new).filter(|at| !sheet.is_below(*at)).count();
    let mut check = Step::new(StepId::new(1), checked(new.len()), ToolName::new(CHECK));
    let listed = |item: &&Draft| format!("{}: {}", item.kind.label(), item.title);
    let listed: Vec<String> = new.iter().map(listed).collect();
    check.arguments = [(TICKETS.to_owned(), json(&new)), (TEXT.to_owned(), listed.join("\n"))].into();
    check.arguments.insert(ALONE.to_owned(), alone.to_string());
    // Other items are another check.
    check.produces = vec![FactName::new(format!("checked_{}", digest(&json(&new))))];
    let mut steps = vec![check];
    let has_epic = sheet.has_epic();
    let waves = waves(sheet, together_max);
    for (at, item) in items.iter().enumerate() {
        let below = match &sheet.below {
            Some(key) => format!(" in {key}"),
            None if has_epic && at > 0 => format!(" in “{}”", items[0].title),
            None => String::new(),
        };
        let description = format!("Create the {} “{}”{below}", item.kind.label().to_lowercase(), item.title);
        let mut step = Step::new(step_of(at), description, ToolName::new(CREATE));
        step.arguments = [(TEXT.to_owned(), item.shown()), (TICKET.to_owned(), json(item))].into();
        if has_epic && at > 0 {
            step.arguments.insert(EPIC.to_owned(), facts[0].to_string());
        }
        if let Some(key) = &sheet.below {
            step.arguments.insert(BELOW.to_owned(), key.to_string());
        }
        step.produces = vec![facts[at].clone()];
        step.needs = match (has_epic, at) {
            // The last one tells of all.
            _ if at > 0 && at + 1 == items.len() => facts[..at].to_vec(),
            (true, 1..) => vec![facts[0].clone()],
            _ => Vec::new(),
        };
        // One wave after the other: what remains after a failure is then the rest of its wave and what stands below.
        let before = (0..at).filter(|before| waves[*before] + 1 == waves[at]).map(step_of);
        step.after = if waves[at] == 0 { vec![StepId::new(1)] } else { before.collect() };
        let needed = (0..at).filter(|before| step.needs.contains(&facts[*before]));
        step.after.extend(needed.map(step_of));
        step.after.sort_unstable();
        step.after.dedup();
        step.timeout_seconds = CREATE_SECONDS;
        step.retries = RETRIES;
        steps.push(step);
    }
    if let (Some(to), [only]) = (&sheet.link, facts.as_slice()) {
        steps.push(linking(only, to));
    }
    steps
}

/// The step that creates the item that stands there; the first one checks all of them.
fn step_of(at: usize) -> StepId {
    StepId::new(u32::try_from(at + 2).unwrap_or(u32::MAX))
}

/// The wave of each item: those of one wave are created at the same time, by one request where the tracker takes that.
/// A wave holds no more than steps may run at once, and nothing of two batches; an epic is there before its stories,
/// and the last item tells of all of them.
fn waves(sheet: &Sheet, together_max: usize) -> Vec<usize> {
    let most = together_max.clamp(1, limits::STEPS_PARALLEL_MAX);
    let batches = batches(sheet);
    let last = sheet.items.len().saturating_sub(1);
    let (mut waves, mut wave, mut begun): (Vec<usize>, usize, usize) = (Vec::new(), 0, 0);
    for at in 0..sheet.items.len() {
        let is_alone = at == last || (at == 1 && sheet.has_epic());
        if at > 0 && (is_alone || at - begun == most || batches[at] != batches[begun]) {
            (wave, begun) = (wave + 1, at);
        }
        waves.push(wave);
    }
    waves
}

/// Links what was created to a ticket that exists.
fn linking(created: &FactName, to: &TicketKey) -> Step {
    let mut step = Step::new(step_of(1), format!("Link it to {to}"), ToolName::new(LINK));
    step.arguments = [(KEY.to_owned(), to.to_string())].into();
    step.produces = vec![FactName::new(format!("linked_{}", digest(&[created.as_str(), to.as_str()].join("\n"))))];
    step.needs = vec![created.clone()];
    step.after = vec![step_of(0)];
    step.timeout_seconds = CREATE_SECONDS;
    step.retries = RETRIES;
    step
}

/// The batch of each item.
pub(super) fn batches(sheet: &Sheet) -> Vec<usize> {
    let (mut batch, mut filled) = (0, 0);
    let number = |item: &Draft| {
        let length = characters(item);
        if sheet.batches == Batches::Several && filled > 0 && filled + length > super::form::SIZE_MAX {
            batch += 1;
            filled = 0;
        }
        filled += length;
        batch
    };
    sheet.items.iter().map(number).collect()
}

fn commenting(key: &TicketKey, description: String, shown: String) -> Step {
    let mut step = Step::new(StepId::new(1), description, ToolName::new(COMMENT));
    step.arguments = [(KEY.to_owned(), key.to_string()), (TEXT.to_owned(), shown)].into();
    step.produces = vec![FactName::new(COMMENTED)];
    step.timeout_seconds = CREATE_SECONDS;
    step
}

fn checked(count: usize) -> String {
    format!("Check the {} against what the tracker requires", text::count(count, "item"))
}

/// The fact that each created item leaves. It is named by what is created and where that goes, never by its number: a
/// version of the plan in which items were dropped, renamed or added knows by it which of them exist.
pub(super) fn facts_of(sheet: &Sheet) -> Vec<FactName> {
    let has_epic = sheet.has_epic();
    let mut taken = BTreeSet::new();
    let named = |(at, item): (usize, &Draft)| {
        let parent = match &sheet.below {
            Some(key) => key.as_str(),
            None if has_epic && at > 0 => sheet.items[0].title.as_str(),
            None => "",
        };
        let kind = item.kind.label().to_lowercase();
        let name = format!("{kind}_{}", digest(&[kind.as_str(), parent, item.title.as_str()].join("\n")));
        // Of items that are called the same, the second is another one.
        let again = (2..).map(|count: usize| format!("{name}_{count}"));
        let mut free = std::iter::once(name.clone()).chain(again).filter(|name| !taken.contains(name));
        let name = free.next().unwrap_or_default();
        taken.insert(name.clone());
        FactName::new(name)
    };
    sheet.items.iter().enumerate().map(named).collect()
}

/// A short name of what `said` says.
fn digest(said: &str) -> String {
    Sha256::digest(said).iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a fact of this name tells of a ticket that was created.
pub(super) fn is_of_ticket(name: &FactName) -> bool {
    let kind = name.as_str().split_once('_').map(|(kind, _)| kind);
    TicketKind::ALL.iter().any(|known| kind == Some(known.label().to_lowercase().as_str()))
}

fn json(value: &impl serde::Serialize) -> String {
    // Texts and lists of them: there is nothing in them that could not be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// The ticket of a step, if what was shown is what would be created.
pub(super) fn ticket_of(step: &Step) -> Result<Draft, String> {
    let text = argument(&step.arguments, TICKET);
    let ticket: Draft =
        serde_json::from_str(text).map_err(|error| format!("The ticket of {} cannot be read ({error}).", step.id))?;
    match argument(&step.arguments, TEXT) == ticket.shown() {
        true => Ok(ticket),
        false => Err("The ticket that was shown is not the one that would be created, so nothing was done.".to_owned()),
    }
}

/// The arguments of a step that posts a decision.
pub(super) fn posting(decision: &Decision) -> BTreeMap<String, String> {
    [(TEXT.to_owned(), decision.shown()), (DECISION.to_owned(), json(decision))].into()
}

/// The decision of a step, if what was shown is what would be posted.
pub(super) fn decision_of(step: &Step) -> Result<Decision, String> {
    let kept = argument(&step.arguments, DECISION);
    let decision: Decision =
        serde_json::from_str(kept).map_err(|error| format!("The decision of {} cannot be read ({error}).", step.id))?;
    match argument(&step.arguments, TEXT) == decision.shown() {
        true => Ok(decision),
        false => {
            Err("The decision that was shown is not the one that would be posted, so nothing was done.".to_owned())
        }
    }
}

/// The epic of a step, where that exists already.
pub(super) fn below_of(step: &Step) -> Option<TicketKey> {
    step.arguments.get(BELOW).map(TicketKey::new)
}

/// The fact that holds the epic of a step.
pub(super) fn epic_of(step: &Step) -> Option<FactName> {
    step.arguments.get(EPIC).map(FactName::new)
}

/// The tickets of a check.
pub(super) fn tickets_of(step: &Step) -> Result<Vec<Draft>, String> {
    serde_json::from_str(argument(&step.arguments, TICKETS))
        .map_err(|error| format!("The tickets of {} cannot be read ({error}).", step.id))
}

/// How many of them, from the first, go below no epic.
pub(super) fn alone_of(step: &Step) -> usize {
    argument(&step.arguments, ALONE).parse().unwrap_or(0)
}

/// The ticket that the new one is linked to.
pub(super) fn linked_to(step: &Step) -> TicketKey {
    TicketKey::new(argument(&step.arguments, KEY))
}

/// The ticket that a comment goes to, and its text.
pub(super) fn comment_of(step: &Step) -> (TicketKey, &str) {
    (TicketKey::new(argument(&step.arguments, KEY)), argument(&step.arguments, TEXT))
}

fn argument<'a>(arguments: &'a BTreeMap<String, String>, name: &str) -> &'a str {
    arguments.get(name).map_or("", String::as_str)
}

/// Bytes of a digest that tell the items of one plan apart.
const DIGEST_BYTES: usize = 6;
/// How often a tracker that is busy, and did nothing, is asked again.
const RETRIES: u32 = 3;
/// Seconds that creating one may take, with a tracker that is far away.
const CREATE_SECONDS: u32 = 120;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::story;

    fn sheet(titles: &[&str]) -> Sheet {
        let epic = Draft { kind: TicketKind::Epic, title: "Auth".to_owned(), ..Draft::default() };
        Sheet::new(std::iter::once(epic).chain(titles.iter().map(|title| story(title, "Auth"))).collect())
    }

    #[test]
    fn a_wave_holds_what_is_created_by_one_request_and_neither_the_epic_nor_the_last() {
        let many: Vec<String> = (1..=8).map(|number| format!("Story {number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(waves(&sheet(&many), 50), [0, 1, 1, 1, 1, 1, 2, 2, 3]);
        assert_eq!(waves(&sheet(&many[..2]), 1), [0, 1, 2], "one after the other where the tracker takes one");
        assert_eq!(waves(&sheet(&[]), 50), [0]);
        let mut batched = sheet(&["One", "Two", "Three", "Four", "Five"]);
        batched.batches = Batches::Several;
        batched.items[2].problem = "x".repeat(super::super::form::SIZE_MAX);
        assert_eq!(batches(&batched), [0, 0, 1, 2, 2, 2]);
        assert_eq!(waves(&batched, 50), [0, 1, 2, 3, 3, 4]);
    }

    #[test]
    fn a_fact_is_named_by_what_is_created_and_not_by_its_number() {
        let whole = facts_of(&sheet(&["Sign up", "Log in", "Log out"]));
        let dropped = facts_of(&sheet(&["Log in", "Log out"]));
        assert_eq!(dropped, [whole[0].clone(), whole[2].clone(), whole[3].clone()]);
        let renamed = facts_of(&sheet(&["Sign up", "Log in with SSO", "Log out"]));
        assert!(!whole.contains(&renamed[2]), "{renamed:?}");
        let twice = facts_of(&sheet(&["Log in", "Log in"]));
        assert_ne!(twice[1], twice[2], "two items are two facts, whatever they are called");
        assert!(whole.iter().all(is_of_ticket) && !is_of_ticket(&FactName::new("checked")));
    }
}

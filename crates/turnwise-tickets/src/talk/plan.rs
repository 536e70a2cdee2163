//! Drafting: words become a preview of everything that would be created, or a question about what is missing. The order
//! is fixed: how many, which, what is missing, what the tracker wants, whether it exists already, how much at once.
//! Nothing exists before the preview is approved. Next: `form` for the questions, `steps` for the plan.

use turnwise_core::{Answer, DraftOutcome, Heard, PlanDraft, Presentation, Task, text};
use turnwise_intent::behaviour::tickets::{Items, needs_confirmation};

use super::bot::Desk;
use super::form::{self, Settled};
use super::sheet::{Batches, Purpose, Sheet};
use super::steps;
use crate::draft::{Draft, Field, Gravity, TicketKind, change, extract, judge, stories_named, story};
use crate::tracker::TrackerError;

/// Why there is no preview yet.
enum Halt {
    /// Something has to be asked.
    Ask(turnwise_core::Clarification),
    /// The person gave up; nothing is left to do.
    Dropped,
    /// It cannot be.
    Cannot(String),
}

impl From<TrackerError> for Halt {
    fn from(error: TrackerError) -> Self {
        Self::Cannot(format!("{error} Nothing was created."))
    }
}

pub(super) async fn draft(desk: &Desk, task: &Task) -> DraftOutcome {
    match preview(desk, task).await {
        Ok(plan) => DraftOutcome::Ready { plan, learned: Vec::new() },
        Err(Halt::Ask(clarification)) => DraftOutcome::Unclear { clarification },
        Err(Halt::Dropped) => DraftOutcome::Answered { answer: plain("Cancelled. Nothing was created.") },
        Err(Halt::Cannot(explanation)) => DraftOutcome::Impossible { explanation, suggestions: Vec::new() },
    }
}

async fn preview(desk: &Desk, task: &Task) -> Result<PlanDraft, Halt> {
    if form::is_cancelled(&task.answers) {
        return Err(Halt::Dropped);
    }
    let shown = task.previous.as_ref().and_then(|plan| Sheet::of_plan(plan));
    let mut sheet = match shown {
        Some(shown) => shown,
        None => Sheet::new(items_of(desk, task)?),
    };
    let complete: Vec<usize> = sheet.items.iter().map(|item| item.missing().len()).collect();
    for said in sheet.new_changes(task).to_vec() {
        change(&mut sheet.items, &said).map_err(|error| Halt::Cannot(error.to_string()))?;
    }
    left_whole(&sheet.items, &complete)?;
    let (ordered, epics) = (Items::of(&task.problem), sheet.items.iter().filter(|item| item.kind == TicketKind::Epic));
    let counted = Items { items: sheet.items.len(), epics: epics.count(), stories: None };
    let is_confirmed = form::answer(&task.answers, form::QUANTITY) == Some(form::CONFIRM);
    if needs_confirmation(counted.items) && counted.items > ordered.items && !is_confirmed {
        return Err(Halt::Ask(form::of_quantity(&counted)));
    }
    sheet.applied.clone_from(&task.changes);
    form::take_required(&mut sheet.items, &task.answers);
    if let Some(problem) = desk.tracker.check(&sheet.items).await?.first() {
        return Err(Halt::Ask(form::of_problem(problem)));
    }
    if sheet.purpose == Purpose::Create && sheet.items.len() == 1 {
        let draft = &sheet.items[0];
        let settled = form::settled(&task.answers);
        if let Settled::Open | Settled::Listed = settled
            && let Some(asks) = form::of_duplicates(&desk.tracker.similar(draft).await?, &settled)
        {
            return Err(Halt::Ask(asks));
        }
        sheet.purpose = match settled {
            Settled::Link(key) => Purpose::Link(key),
            Settled::Inform(key) => Purpose::Inform(key),
            Settled::Open | Settled::Listed | Settled::New => Purpose::Create,
        };
    }
    if sheet.characters() > form::SIZE_MAX {
        match form::answer(&task.answers, form::SIZE) {
            None => return Err(Halt::Ask(form::of_size(sheet.characters()))),
            Some(form::IN_BATCHES) => sheet.batches = Batches::Several,
            Some(_) => {}
        }
    }
    plan(desk, task, &sheet)
}

/// A change must not take away what a ticket cannot be without; `before` counts what each lacked.
fn left_whole(items: &[Draft], before: &[usize]) -> Result<(), Halt> {
    let lacks = |(at, item): (usize, &Draft)| {
        let missing = item.missing();
        (missing.len() > before.get(at).copied().unwrap_or(missing.len())).then(|| (at + 1, missing))
    };
    let Some((number, missing)) = items.iter().enumerate().find_map(lacks) else { return Ok(()) };
    let named: Vec<&str> = missing.iter().map(|field| field.label()).collect();
    let lacking = named.join(" and without ");
    Err(Halt::Cannot(format!("Item {number} would be without {lacking}; say what it should be instead.")))
}

/// The items that the words ask for.
fn items_of(desk: &Desk, task: &Task) -> Result<Vec<Draft>, Halt> {
    let counted = Items::of(&task.problem);
    if needs_confirmation(counted.items) && form::answer(&task.answers, form::QUANTITY) != Some(form::CONFIRM) {
        return Err(Halt::Ask(form::of_quantity(&counted)));
    }
    let mut first = extract(&task.problem, &said_before(&task.heard, &task.problem));
    hand_over(desk, task, &mut first);
    if counted.is_multi() {
        return several(task, first, &counted);
    }
    form::take_missing(&mut first, &task.answers);
    if !first.missing().is_empty() {
        let asks = form::of_missing(&first, &task.answers);
        return Err(asks.map_or_else(|| still_missing(&first), Halt::Ask));
    }
    Ok(vec![first])
}

fn still_missing(draft: &Draft) -> Halt {
    let missing: Vec<String> = draft.missing().iter().map(|field| field.label().to_lowercase()).collect();
    Halt::Cannot(format!(
        "I asked three times and still miss: {}. Nothing was created. Say it in one message when you have it, for \
         example “create a ticket for …. Problem: …. Acceptance criteria: …”.",
        missing.join(", ")
    ))
}

/// An epic with its stories, or several tickets.
fn several(task: &Task, mut first: Draft, counted: &Items) -> Result<Vec<Draft>, Halt> {
    let has_epic = counted.epics > 0;
    let named = match form::answer(&task.answers, form::STORIES) {
        Some(answer) => stories_named(answer),
        None => task.problem.split_once(": ").map(|(_, listed)| stories_named(listed)).unwrap_or_default(),
    };
    let is_short = counted.stories.is_some_and(|wanted| named.len() != wanted) || named.is_empty();
    if is_short {
        return Err(Halt::Ask(form::of_stories(counted.stories, named.len())));
    }
    if !has_epic {
        let ticket = |named: &String| Draft { kind: first.kind, ..story(named, &first.title) };
        return Ok(named.iter().map(ticket).collect());
    }
    first.kind = TicketKind::Epic;
    if first.title.is_empty() {
        first.add(Field::Title, "Epic");
    }
    // What stands behind the colon are the stories, not a part of the title.
    let title = first.title.split(':').next().unwrap_or_default().to_owned();
    first.add(Field::Title, &title);
    if first.problem.is_empty() {
        first.add(Field::Problem, &format!("{} in {}", first.title, text::count(named.len(), "part")));
    }
    let mut items = vec![first];
    let epic = items[0].title.clone();
    items.extend(named.iter().map(|named| story(named, &epic)));
    Ok(items)
}

/// A review that the request points to goes into the draft: that is what it was kept for.
fn hand_over(desk: &Desk, task: &Task, draft: &mut Draft) {
    let speaks_of_it = text::words(&task.problem).iter().any(|word| word == "review");
    let review = desk.thread.as_ref().and_then(|thread| thread.read().ok()).and_then(|thread| thread.review);
    let Some(review) = review.filter(|_| speaks_of_it) else { return };
    if draft.title.is_empty() || says_only_review(&draft.title) {
        draft.add(Field::Title, &review.summary);
    }
    if draft.problem.is_empty() {
        draft.add(Field::Problem, &review.summary);
    }
    review.decisions.iter().for_each(|decision| draft.add(Field::ProposedSolution, decision));
    review.questions.iter().for_each(|question| draft.add(Field::OpenQuestions, question));
}

fn says_only_review(title: &str) -> bool {
    text::words(title).iter().all(|word| matches!(word.as_str(), "the" | "this" | "review" | "from" | "of"))
}

/// What people said before `request`, oldest first.
pub(super) fn said_before(heard: &Heard, request: &str) -> Vec<String> {
    let mut said: Vec<&str> =
        heard.recent.iter().filter(|said| said.by.is_some()).map(|said| said.text.as_ref()).collect();
    if let Some(at) = said.iter().rposition(|said| said.contains(request) || request.contains(said)) {
        said.truncate(at);
    }
    let tells = |said: &&str| !said.starts_with('/') && text::words(said).len() >= TELLING_WORDS;
    said.into_iter().filter(tells).map(str::to_owned).collect()
}

fn plain(text: &str) -> Answer {
    Answer { text: text.to_owned(), table: None, presentation: Presentation::Value }
}

/// Shorter messages answer something or agree, and tell nothing of their own.
const TELLING_WORDS: usize = 4;

fn plan(desk: &Desk, task: &Task, sheet: &Sheet) -> Result<PlanDraft, Halt> {
    let findings: Vec<_> = sheet.items.iter().flat_map(judge).collect();
    let blocks: Vec<String> = findings.iter().filter(|f| f.gravity == Gravity::Block).map(|f| f.shown()).collect();
    if !blocks.is_empty() {
        return Err(Halt::Cannot(format!("{} Nothing was created.", blocks.join(" "))));
    }
    let steps = steps::steps_of(sheet, desk.conversation());
    let result = steps.last().and_then(|step| step.produces.first()).cloned();
    let result = result.ok_or_else(|| Halt::Cannot("There is nothing left to create.".to_owned()))?;
    let mut assumptions = vec![format!("It goes to {}.", desk.tracker.told())];
    assumptions.extend(findings.iter().map(|finding| finding.shown()));
    if sheet.batches == Batches::Several {
        assumptions.push(told_batches(sheet));
    }
    let title = match (&sheet.purpose, sheet.items.as_slice()) {
        (Purpose::Create, [only]) => format!("{}: {}", only.kind.label(), only.title),
        (Purpose::Create, [first, ..]) => format!("{} and {} more", first.title, sheet.items.len() - 1),
        (Purpose::Inform(key), _) => format!("Add to {key}"),
        (Purpose::Link(key), _) => format!("Link to {key}"),
        (Purpose::Create, []) => "Nothing".to_owned(),
    };
    Ok(PlanDraft { title, assumptions, form: sheet.form(), ..PlanDraft::new(&task.problem, steps, result) })
}

fn told_batches(sheet: &Sheet) -> String {
    let batches = steps::batches(sheet);
    let count = batches.last().map_or(1, |last| last + 1);
    let sizes: Vec<String> =
        (0..count).map(|batch| batches.iter().filter(|of| **of == batch).count().to_string()).collect();
    format!("It is created in {} of {} items.", text::count(count, "batch"), sizes.join(", "))
}

//! Drafting: words become a preview of everything that would be created, or a question about what is missing. The order
//! is fixed: how many, which, what is missing, what the tracker wants, whether it exists already, how much at once.
//! Nothing exists before the preview is approved. Next: `form` for the questions, `steps` for the plan.

use std::collections::BTreeSet;

use tokio_util::sync::CancellationToken;
use turnwise_core::{Answer, ClarifiedAnswer, DraftOutcome, PlanDraft, Presentation, Task, Utterance, text};
use turnwise_intent::behaviour::tickets::{ITEMS_MAX, Items, needs_confirmation};

use super::bot::Desk;
use super::made::Made;
use super::overheard::{self, Overheard};
use super::quantity::Quantity;
use super::sheet::{Batches, Purpose, Sheet};
use super::steps::Takes;
use super::{deciding, duplicates, form, known, steps};
use crate::draft::{
    Draft, Field, Gravity, Said, TicketKind, change, each_ordered, extract, has_unknown_label, judge, sentences, story,
    subject, ticket,
};
use crate::tracker::{Act, Item, Problem, Tracker, TrackerError, patiently};
use crate::words::words;

/// Why there is no preview yet.
pub(super) enum Halt {
    /// Something has to be asked.
    Ask(turnwise_core::Clarification),
    /// The person gave up; nothing is left to do.
    Dropped,
    /// All of it is there.
    Done(String),
    /// It cannot be.
    Cannot(String),
}

impl Halt {
    /// The same, with what was told before it where something is asked.
    fn after(self, told: Option<&str>) -> Self {
        match (self, told) {
            (Self::Ask(mut asked), Some(told)) => {
                asked.question = format!("{told} {}", asked.question);
                Self::Ask(asked)
            }
            (halt, _) => halt,
        }
    }
}

impl From<TrackerError> for Halt {
    fn from(error: TrackerError) -> Self {
        Self::Cannot(format!("{error} Nothing was created."))
    }
}

pub(super) async fn draft(desk: &Desk, task: &Task) -> DraftOutcome {
    let previous = task.previous.as_deref();
    let order = deciding::ordered(&task.problem);
    if previous.is_some_and(deciding::is_deciding) || (previous.is_none() && order.is_some()) {
        return deciding::draft(desk, task, order.as_ref()).await;
    }
    outcome(preview(desk, task).await)
}

/// What became of drafting.
pub(super) fn outcome(drafted: Result<PlanDraft, Halt>) -> DraftOutcome {
    match drafted {
        Ok(plan) => DraftOutcome::Ready { plan, learned: Vec::new() },
        Err(Halt::Ask(clarification)) => DraftOutcome::Unclear { clarification },
        Err(Halt::Dropped) => DraftOutcome::Answered { answer: plain("Cancelled. Nothing was created or posted.") },
        Err(Halt::Done(told)) => DraftOutcome::Answered { answer: plain(&told) },
        Err(Halt::Cannot(explanation)) => DraftOutcome::Impossible { explanation, suggestions: Vec::new() },
    }
}

async fn preview(desk: &Desk, task: &Task) -> Result<PlanDraft, Halt> {
    let shown = task.previous.as_ref().and_then(|plan| Sheet::of_plan(plan));
    let answered = shown.as_ref().map_or(0, |shown| shown.answered);
    if form::is_cancelled(task.answers.get(answered..).unwrap_or_default()) {
        return Err(Halt::Dropped);
    }
    let mut sheet = match shown {
        Some(shown) => shown,
        None => first_sheet(desk, task).await?,
    };
    let complete: Vec<usize> = sheet.items.iter().map(|item| item.missing().len()).collect();
    let made = Made::of(task);
    let fields: BTreeSet<String> = desk.tracker.fields().into_iter().collect();
    for said in &task.changes {
        let before = sheet.clone();
        change(&mut sheet.items, said, &fields).map_err(|error| Halt::Cannot(error.to_string()))?;
        made.stay_as_they_are(&before, &sheet.items)?;
    }
    left_whole(&sheet.items, &complete)?;
    let answers = sheet.new_answers(task);
    latch(&mut sheet, answers)?;
    required(desk, &mut sheet, answers, &made).await?;
    duplicates::settle(desk, &mut sheet, answers).await?;
    permitted(desk, &sheet).await?;
    if sheet.purpose == Purpose::Create
        && let Some(told) = too_long(desk.tracker.as_ref(), &sheet.items)
    {
        return Err(Halt::Cannot(format!("{told} Nothing was created.")));
    }
    let is_large = sheet.purpose == Purpose::Create && sheet.characters() > form::SIZE_MAX;
    if is_large && sheet.batches == Batches::One {
        match form::answer(&task.answers, form::SIZE) {
            Some(form::IN_BATCHES) => sheet.batches = Batches::Several,
            Some(form::AT_ONCE) => {}
            other => return Err(Halt::Ask(form::of_size(sheet.characters(), other))),
        }
    }
    sheet.answered = task.answers.len();
    if sheet.purpose == Purpose::Create {
        made.first(&mut sheet)?;
    }
    note_fields(desk, &sheet)?;
    plan(desk, task, &sheet, &made).await
}

/// What the account may not do is told before anybody approves it; whether it may create is checked with the items.
async fn permitted(desk: &Desk, sheet: &Sheet) -> Result<(), Halt> {
    let act = match (&sheet.purpose, &sheet.link) {
        (Purpose::Inform(_) | Purpose::Link(_), _) => Act::Comment,
        (Purpose::Create, Some(_)) => Act::Link,
        (Purpose::Create, None) => return Ok(()),
    };
    Ok(patiently(&CancellationToken::new(), || desk.tracker.may(act)).await?)
}

/// What the tracker wants of these items is a field here from now on, by its own name.
fn note_fields(desk: &Desk, sheet: &Sheet) -> Result<(), Halt> {
    let Some(handle) = &desk.thread else { return Ok(()) };
    let named = desk.tracker.fields();
    let more = || sheet.items.iter().flat_map(|item| item.more.keys()).chain(&named);
    let names = || more().filter(|name| words().common_field(name).is_none());
    let known = known::thread(desk).map_err(Halt::Cannot)?.fields;
    if names().all(|name| known.contains(name)) {
        return Ok(());
    }
    let kept = handle.change(|thread| thread.fields.extend(names().cloned()));
    kept.map_err(|error| Halt::Cannot(format!("What this thread remembers cannot be kept: {error}.")))
}

/// More items than a few, or than somebody confirmed before, are confirmed first.
fn latch(sheet: &mut Sheet, answers: &[ClarifiedAnswer]) -> Result<(), Halt> {
    let epics = sheet.items.iter().filter(|item| item.kind == TicketKind::Epic).count();
    let counted = Items { items: sheet.items.len(), epics, stories: None };
    within_limit(counted.items)?;
    let heard = Quantity::of(counted.clone(), answers);
    sheet.confirmed = sheet.confirmed.max(heard.confirmed);
    if needs_confirmation(counted.items) && counted.items > sheet.confirmed {
        return Err(Halt::Ask(heard.asks(&counted)));
    }
    Ok(())
}

/// More than anybody reads in a preview is told, never cut.
fn within_limit(items: usize) -> Result<(), Halt> {
    if items <= ITEMS_MAX {
        return Ok(());
    }
    Err(Halt::Cannot(format!(
        "That would be {items} items, and at most {ITEMS_MAX} are created at once. Nothing was created. Ask for a part \
         of them, for example “create an epic with 20 stories for …”."
    )))
}

/// What the tracker wants is asked for, before anything exists.
async fn required(desk: &Desk, sheet: &mut Sheet, answers: &[ClarifiedAnswer], made: &Made) -> Result<(), Halt> {
    let problems = wanted(desk, sheet, made).await?;
    for problem in &problems {
        if !form::take_required(&mut sheet.items, problem, answers) {
            return Err(Halt::Ask(form::of_problem(problem)));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    match wanted(desk, sheet, made).await?.first() {
        Some(problem) => Err(Halt::Ask(form::of_problem(problem))),
        None => Ok(()),
    }
}

/// What the tracker would refuse of what does not exist yet.
async fn wanted(desk: &Desk, sheet: &Sheet, made: &Made) -> Result<Vec<Problem>, TrackerError> {
    let item = |(at, draft)| Item { draft, is_below: sheet.is_below(at) };
    let items: Vec<Item<'_>> = sheet.items.iter().enumerate().map(item).collect();
    let mut problems = patiently(&CancellationToken::new(), || desk.tracker.check(&items)).await?;
    let facts = steps::facts_of(sheet);
    problems.retain(|problem| facts.get(problem.item).is_none_or(|fact| !made.has(fact)));
    Ok(problems)
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

/// Which item's description is longer than the tracker takes, with what to do, as a sentence. Nothing of it is cut:
/// what a ticket says is approved whole.
pub(super) fn too_long(tracker: &dyn Tracker, items: &[Draft]) -> Option<String> {
    let max = tracker.description_characters_max();
    let over = |item: &&Draft| item.body().chars().count() > max;
    let item = items.iter().find(over)?;
    let (has, max) = (text::thousands(item.body().chars().count() as u64), text::thousands(max as u64));
    Some(format!(
        "The description of “{}” has {has} characters, and {} takes at most {max}. Say it shorter, or in several \
         tickets.",
        item.title,
        tracker.told()
    ))
}

/// The sheet of the items that the words ask for.
async fn first_sheet(desk: &Desk, task: &Task) -> Result<Sheet, Halt> {
    let heard = Quantity::of(Items::of(&task.problem), &task.answers);
    within_limit(heard.items.items)?;
    if needs_confirmation(heard.items.items) && heard.items.items > heard.confirmed {
        return Err(Halt::Ask(heard.asks(&heard.items)));
    }
    let confirmed = heard.confirmed;
    let mut read = overheard::read(desk, &task.heard, &task.problem).await;
    let items = match items_of(desk, task, &heard.items, &mut read).await {
        Ok(items) => items,
        Err(halt) => return Err(halt.after(read.unread())),
    };
    let mut left_out: Vec<String> = read.told.iter().cloned().collect();
    left_out.extend(whose(&items, &said_before(desk, &read, &task.problem)));
    Ok(Sheet { confirmed, left_out, ..Sheet::new(items) })
}

/// Whose words the criteria are that somebody else said than who asks: they are approved with the preview, by someone
/// who has to know.
fn whose(items: &[Draft], talk: &[Said]) -> Vec<String> {
    let plain = |said: &str| text::words(said).join(" ");
    let by_other = |criterion: &String| {
        let says_it = |said: &&Said| said.by.is_some() && plain(&said.text).contains(&plain(criterion));
        let by = talk.iter().find(says_it)?.by.as_ref()?;
        Some(format!("The acceptance criterion “{}” is in the words of {by}.", text::clip(criterion, QUOTED)))
    };
    items.iter().flat_map(|item| item.list(Field::AcceptanceCriteria)).filter_map(by_other).collect()
}

/// The fields of the tracker that `request` may name: those that who runs this named, and what it wants, which is asked
/// for only where the request has a label that nobody knows.
async fn fields_named(desk: &Desk, request: &str, kind: TicketKind) -> Result<Vec<String>, Halt> {
    let mut fields = desk.tracker.fields();
    if has_unknown_label(request, &fields) {
        let empty = Draft { kind, ..Draft::default() };
        // Whether it is below an epic is not known yet, and is no field that could be named.
        let empty = [Item { draft: &empty, is_below: true }];
        let wanted = patiently(&CancellationToken::new(), || desk.tracker.check(&empty)).await?;
        fields.extend(wanted.into_iter().map(|problem| problem.field));
    }
    Ok(fields)
}

/// The items that the words ask for.
async fn items_of(desk: &Desk, task: &Task, counted: &Items, read: &mut Overheard) -> Result<Vec<Draft>, Halt> {
    let (kind, about) = subject(sentences(&task.problem).first().map_or("", String::as_str));
    let points_back = about.is_none();
    let fields = fields_named(desk, &task.problem, kind).await?;
    let talk = said_before(desk, read, &task.problem);
    let talk = if points_back { read.gist(talk) } else { talk };
    let listed = counted.is_multi().then(|| form::listed(&task.problem));
    let order = listed.as_ref().map_or(task.problem.as_str(), |listed| listed.order.as_str());
    let mut first = extract(order, &talk, &fields);
    let about = if first.title.is_empty() { task.problem.as_str() } else { first.title.as_str() };
    let unreadable = |error: std::io::Error| Halt::Cannot(known::unreadable(&error));
    known::observe(desk, read, Some(about)).map_err(unreadable)?;
    known::fill(desk, &task.problem, points_back, &mut first).await.map_err(unreadable)?;
    hand_over(desk, task, &mut first);
    if let Some(listed) = listed {
        let of_several = each_ordered(&task.problem);
        if of_several.len() > 1 && of_several.len() == counted.items {
            return whole(of_several.iter().map(|each| draft_of(each, &first)).collect(), &task.answers);
        }
        return several(task, first, counted, &listed);
    }
    form::take_missing(&mut first, &task.answers);
    if !first.missing().is_empty() {
        let asks = form::of_missing(&first, &task.answers);
        return Err(asks.map_or_else(|| still_missing(&first), Halt::Ask));
    }
    Ok(vec![first])
}

/// The ticket of one of several orders, which share what else was said.
fn draft_of(order: &str, shared: &Draft) -> Draft {
    let (kind, about) = subject(order);
    let shared = Draft { kind, ..shared.clone() };
    ticket(about.unwrap_or_default().trim_end_matches('.'), &shared)
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
fn several(task: &Task, mut first: Draft, counted: &Items, listed: &form::Listed) -> Result<Vec<Draft>, Halt> {
    let has_epic = counted.epics > 0;
    let (named, is_all) = form::stories(listed, &task.answers, counted.stories);
    let differs = counted.stories.is_some_and(|wanted| named.len() != wanted) && !is_all;
    if named.is_empty() || differs {
        return Err(Halt::Ask(form::of_stories(several_of(first.kind), counted.stories, named.len())));
    }
    if !has_epic {
        let items = named.iter().map(|named| ticket(named, &first)).collect();
        return whole(items, &task.answers);
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

/// Several of a kind, as they are called.
fn several_of(kind: TicketKind) -> &'static str {
    match kind {
        TicketKind::Epic | TicketKind::Story => "stories",
        TicketKind::Bug => "bugs",
        TicketKind::Task => "tickets",
    }
}

/// Several tickets, each with all that one has to have.
fn whole(mut items: Vec<Draft>, answers: &[ClarifiedAnswer]) -> Result<Vec<Draft>, Halt> {
    form::take_criteria(&mut items, answers);
    let Some(lacking) = items.iter().find(|item| !item.missing().is_empty()) else { return Ok(items) };
    let asks = form::of_criteria(&items, answers);
    Err(asks.map_or_else(|| still_missing(lacking), Halt::Ask))
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
    for decision in &review.decisions {
        // What is known of the thread is in it already.
        if !draft.proposed_solution.contains(decision.trim_end_matches('.')) {
            draft.add(Field::ProposedSolution, decision);
        }
    }
    review.questions.iter().for_each(|question| draft.add(Field::OpenQuestions, question));
}

fn says_only_review(title: &str) -> bool {
    text::words(title).iter().all(|word| matches!(word.as_str(), "the" | "this" | "review" | "from" | "of"))
}

/// What people said before `request`, oldest first.
pub(super) fn said_before(desk: &Desk, read: &Overheard, request: &str) -> Vec<Said> {
    let mut said: Vec<&Utterance> = read.heard.recent.iter().filter(|said| said.by.is_some()).collect();
    let is_request = |said: &&Utterance| said.text.contains(request) || request.contains(said.text.as_ref());
    let asks = match said.iter().rposition(is_request) {
        Some(at) => said.split_off(at).first().and_then(|said| said.by.clone()),
        None => read.heard.person.clone(),
    };
    // What is said in few words may be all there is; said to the bot further on, it answers or agrees.
    let tells = |(at, said): &(usize, &Utterance)| {
        let is_of_people = *at == 0 || read.is_beside(said);
        let is_long = text::words(&said.text).len() >= TELLING_WORDS;
        !said.text.starts_with('/') && (is_long || (is_of_people && !desk.reader.is_courtesy(&said.text)))
    };
    let spoken = |said: &Utterance| {
        let by = said.by.as_ref().filter(|by| asks.as_ref() != Some(by)).map(ToString::to_string);
        Said { text: said.text.to_string(), by }
    };
    said.into_iter().enumerate().filter(tells).map(|(_, said)| spoken(said)).collect()
}

fn plain(text: &str) -> Answer {
    Answer { text: text.to_owned(), table: None, presentation: Presentation::Value }
}

/// Characters of a criterion that are quoted.
const QUOTED: usize = 80;
/// Shorter messages to the bot answer something or agree, and tell nothing of their own.
const TELLING_WORDS: usize = 4;

async fn plan(desk: &Desk, task: &Task, sheet: &Sheet, made: &Made) -> Result<PlanDraft, Halt> {
    let findings: Vec<_> = sheet.items.iter().flat_map(judge).collect();
    let blocks: Vec<String> = findings.iter().filter(|f| f.gravity == Gravity::Block).map(|f| f.shown()).collect();
    if !blocks.is_empty() {
        return Err(Halt::Cannot(format!("{} Nothing was created.", blocks.join(" "))));
    }
    let (comment_characters_max, together_max) = (desk.tracker.comment_characters_max(), desk.tracker.together_max());
    let takes = Takes { comment_characters_max, together_max };
    let steps = steps::steps_of(sheet, made, &place_of(desk).await, takes).map_err(Halt::Cannot)?;
    let result = steps.last().and_then(|step| step.produces.first()).cloned();
    let result = result.ok_or_else(|| Halt::Cannot("There is nothing left to create.".to_owned()))?;
    let mut assumptions = vec![format!("It goes to {}.", desk.tracker.told())];
    assumptions.extend(findings.iter().map(|finding| finding.shown()));
    assumptions.extend(sheet.left_out.iter().cloned());
    assumptions.extend(made.left(&steps));
    if let Some(first) = sheet.items.first() {
        // A preview without what is known nearby is one all the same; that it is missing is said.
        let nearby = known::nearby(desk, first).await;
        assumptions.extend(nearby.unwrap_or_else(|error| vec![known::unreadable(&error)]));
    }
    assumptions.extend(named_twice(&sheet.items));
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

/// Where people find this conversation: the address of its thread, where it has one.
async fn place_of(desk: &Desk) -> String {
    let link = desk.board.around(desk.id()).await.and_then(|around| around.link);
    link.unwrap_or_else(|| "in a conversation of Turnwise".to_owned())
}

/// Items of one name are hardly two.
fn named_twice(items: &[Draft]) -> Option<String> {
    let is_again = |at: &usize| items[..*at].iter().any(|before| before.title.eq_ignore_ascii_case(&items[*at].title));
    let title = &items[(0..items.len()).find(is_again)?].title;
    Some(format!("WARN from product: “{title}” is there twice; “drop item …” leaves one out."))
}

fn told_batches(sheet: &Sheet) -> String {
    let batches = steps::batches(sheet);
    let count = batches.last().map_or(1, |last| last + 1);
    let sizes: Vec<String> =
        (0..count).map(|batch| batches.iter().filter(|of| **of == batch).count().to_string()).collect();
    match count {
        1 => "It is created in one batch.".to_owned(),
        _ => format!("It is created in {count} batches, of {} items.", text::listed(&sizes)),
    }
}

//! Statements of the person: what a word is to mean becomes a fact that later plans use and say. A statement takes the
//! place of the former one about the same thing, and what rested on that is not used again. Next: `facts`.

use std::sync::Arc;

use super::turn::Turn;
use super::{act, evict, facts};
use crate::conversation::ActiveTask;
use crate::{Act, Confidence};
use crate::{
    Card, Clarification, Conversation, Effect, Event, Fact, FactId, FactKind, FactName, FactValue, KnowledgeEvent,
    MessageId, NewFact, Outcome, PendingKind, Phase, PlanId, PlanningEvent, QueryKind, Reading, Resolution, Sequence,
    SourceKind, Taught, Tier, Trigger, limits, text,
};

/// What was stated in `message`, as the fact it becomes.
fn stated(turn: &Turn<'_>, message: Option<MessageId>, statement: &NewFact) -> Arc<Fact> {
    Arc::new(Fact {
        id: FactId::new(turn.state().counters.fact),
        body: statement.clone(),
        plan: PlanId::new(0),
        resolved_at: turn.now,
        recorded: Sequence::new(turn.state().sequence().number() + 1),
        said_in: message,
        approved: None,
    })
}

/// The message in which an answer on `topic`, or the change that is called so, was given, as far as that is known; none
/// where nobody said it.
fn said_in(task: &ActiveTask, topic: &str) -> Option<Option<MessageId>> {
    let answer = task.answers.iter().rev().find(|answer| answer.topic == topic);
    let change = || task.changes.iter().any(|change| change == topic).then(|| task.asked_in.last().copied());
    answer.map(|answer| answer.said_in).or_else(change)
}

/// Holds what the answers to clarifications, or changes, stated; the plan that rests on it says it. What nobody said in
/// this task is not taken from an assistant.
pub(super) fn taught(turn: &mut Turn<'_>, learned: &[Taught]) {
    for taught in learned {
        let Some(said_in) = turn.state().task.as_ref().and_then(|task| said_in(task, &taught.topic)) else { continue };
        let is_own = taught.statement.source == SourceKind::Person && taught.statement.standing.about.is_some();
        let fact = stated(turn, said_in, &taught.statement);
        if !is_own || turn.state().facts().same_statement(&fact).is_some() {
            continue;
        }
        let is_new = turn.state().facts().get(fact.name()).is_none();
        if is_new && !evict::make_room(turn, &fact) {
            continue;
        }
        turn.emit(Event::Knowledge(KnowledgeEvent::Learned { fact }));
    }
}

/// Holds what a talk settled, under the next free name that begins with `name`; what is held in the same words already
/// is not held twice.
pub(super) fn settled(turn: &mut Turn<'_>, name: &str, kind: FactKind, point: &str) {
    let store = turn.state().facts();
    let free = (1..=u32::MAX).map(|number| FactName::new(format!("{name}_{number}")));
    let Some(name) = free.into_iter().find(|name| store.get(name).is_none()) else { return };
    let mut statement = NewFact::new(name, FactValue::Text(point.to_owned()), SourceKind::Person);
    statement.standing.kind = kind;
    let fact = stated(turn, turn.message(), &statement);
    if turn.state().facts().same_statement(&fact).is_none() && evict::make_room(turn, &fact) {
        turn.emit(Event::Knowledge(KnowledgeEvent::Learned { fact }));
    }
}

/// Holds what was stated in `message`, says so, and plans anew what it changes.
/// With `replan` also where its words do not speak of it.
pub(super) fn learned(turn: &mut Turn<'_>, message: Option<MessageId>, statement: &NewFact, said: &str, replan: bool) {
    let fact = stated(turn, message, statement);
    let store = turn.state().facts();
    let same = store.same_statement(&fact).cloned();
    let former = store.get(fact.name()).filter(|former| former.is_statement()).cloned();
    if same.is_none() && former.is_none() && !evict::make_room(turn, &fact) {
        return;
    }
    turn.emit(Event::Knowledge(KnowledgeEvent::Learned { fact: Arc::clone(&fact) }));
    let told = match (&same, &former) {
        (Some(known), _) => format!("{said} That is what {} says already.", known.name()),
        (None, Some(former)) => format!(
            "{said} It replaces “{}”{}, which is not used any more.",
            former.in_short(limits::QUOTE_WIDTH),
            former.said_in.map_or_else(String::new, |message| format!(" from message {}", message.number()))
        ),
        (None, None) => said.to_owned(),
    };
    turn.say(told, None);
    turn.note(Outcome::Applied, "Learned.");
    if let (None, Some(about)) = (same, &fact.body.standing.about) {
        // "Use gross revenue" is said of what runs; "revenue means …" of what comes.
        if fact.kind() == FactKind::Decision && is_about_what_runs(turn, about) {
            act::stop_run(turn, Trigger::PlanContinue);
            redraft(turn);
        } else if replan {
            redraft_at_hand(turn, |_| true);
        } else {
            redraft_if_about(turn, about);
        }
    }
}

fn is_about_what_runs(turn: &Turn<'_>, about: &str) -> bool {
    turn.state().active_run().is_some_and(|run| speaks_of(&run.plan().draft().problem, about))
}

/// The task at hand is planned anew when its words speak of what means something else now. A run keeps the meaning it
/// was approved with.
pub(super) fn redraft_if_about(turn: &mut Turn<'_>, about: &str) {
    redraft_at_hand(turn, |problem| speaks_of(problem, about));
}

/// The same where `is_meant` says so of the words of the task.
pub(super) fn redraft_at_hand(turn: &mut Turn<'_>, is_meant: impl Fn(&str) -> bool) {
    let state = turn.state();
    let planned = state.plan().map(|plan| plan.draft().problem.as_str());
    let Some(problem) = state.problem().or(planned).filter(|problem| is_meant(problem)) else { return };
    let shown = text::clip(problem, limits::TITLE_WIDTH_PLANNING);
    if state.phase() == Phase::Executing {
        turn.say("The run at hand keeps the meaning it was approved with; the next plan uses the new one.", None);
        return;
    }
    turn.say(format!("Planning “{shown}” anew with that."), None);
    redraft(turn);
}

/// Plans what is at hand once more, from the same words.
pub(super) fn redraft(turn: &mut Turn<'_>) {
    let trigger = act::back_to_planning(turn.state().phase());
    turn.close_all(Resolution::Changed);
    let request = turn.next_request();
    let (change, answer, message) = (None, None, turn.message());
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message }));
    turn.perform(Effect::DraftPlan { request });
}

/// The words of `said` that name something: what the assistant knows, and what the person gave a meaning to.
pub(super) fn known(state: &Conversation, said: &str, grounding: &[String]) -> Vec<String> {
    let facts = state.facts().values().filter(|fact| fact.is_statement());
    let meant = facts.filter_map(|fact| fact.body.standing.about.clone()).filter(|about| speaks_of(said, about));
    grounding.iter().cloned().chain(meant).collect()
}

/// Whether the words of `about` stand together in `problem`; plurals do not matter.
fn speaks_of(problem: &str, about: &str) -> bool {
    let stems = |said: &str| -> Vec<String> {
        text::words(said).iter().map(|word| word.strip_suffix('s').unwrap_or(word).to_owned()).collect()
    };
    let (problem, about) = (stems(problem), stems(about));
    !about.is_empty() && problem.windows(about.len()).any(|window| window == about)
}

/// Whether what the plan of the last run says means something else since that run was approved.
pub(super) fn is_outdated(turn: &Turn<'_>) -> bool {
    let state = turn.state();
    let Some(run) = state.run() else { return false };
    let problem = &run.plan().draft().problem;
    let newer = state.facts().values().filter(|fact| fact.is_statement() && fact.recorded > run.approved());
    let about = |fact: &Arc<Fact>| fact.body.standing.about.as_deref().is_some_and(|about| speaks_of(problem, about));
    newer.into_iter().any(about)
}

/// A statement was not understood: that is said, and what could be meant is offered as whole statements.
pub(super) fn unclear(turn: &mut Turn<'_>, said: &str, clarification: &Clarification) {
    if clarification.choices.is_empty() {
        turn.refuse(clarification.question.clone());
        return;
    }
    let option = |choice: &crate::Choice| Reading {
        segment: choice.value.clone(),
        intent: "query".to_owned(),
        sub: None,
        target: Some(choice.label.clone()),
        act: Act::Query(QueryKind::Definition),
        confidence: Confidence::new(0.0),
        sub_confidence: None,
        margin: 0.0,
        tier: Tier::Person,
        nearest: Vec::new(),
        reason: "offered because the statement was not understood".to_owned(),
    };
    let options: Vec<Reading> = clarification.choices.iter().map(option).collect();
    let choices = super::message::reading_choices(&options);
    let kind = PendingKind::WhichReading { text: said.to_owned(), options, grounding: Vec::new() };
    let pending = turn.ask(kind);
    turn.say(clarification.question.clone(), Some(Card::Question { reference: pending.reference(), choices }));
    turn.note(Outcome::Asked, "Asked what is meant.");
}

/// Names of what is dropped for room, for the reason given with the event.
pub(super) fn named(names: &[FactName]) -> String {
    facts::listed(names.iter())
}

//! Reports of our own work. Each names the request or attempt it belongs to; one that was overtaken, or comes twice, is
//! dropped with a note. What an assistant says is input: checked, never trusted. Next: `settle`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::choice::gives_way;
use super::turn::Turn;
use super::unplanned::{self, Unplanned};
use super::{act, growth, hearing, learn, lost, redraft, say, several, tried};
use crate::conversation::ActiveTask;
use crate::{
    Answer, AnswerOutcome, AsideEvent, Card, Clarification, DraftOutcome, Effect, EffectClass, Event, Fact, FactId,
    FactName, FactValue, Keeping, Mode, NewFact, Outcome, Pending, PendingKind, Phase, Plan, PlanChange, PlanDraft,
    PlanId, PlanKind, PlanningEvent, Report, RequestId, RunEvent, RunId, Sequence, StepId, StepOutcome, StepState,
    Timestamp, limits, plan_changes,
};

/// Takes in one report.
pub(super) fn take_in(turn: &mut Turn<'_>, report: &Report) {
    match report {
        Report::Drafted { request, outcome } => drafted(turn, *request, outcome),
        Report::Answered { request, outcome } => answered(turn, *request, outcome),
        Report::StepEnded { run, step, attempt, outcome } => step_ended(turn, *run, *step, *attempt, outcome),
        Report::StepLost { run, step, attempt } => lost::step_lost(turn, *run, *step, *attempt),
        Report::LookedUp { run, step, attempt, found } => lost::looked_up(turn, *run, *step, *attempt, found),
        Report::Woke { run, step, attempt } => woke(turn, *run, *step, *attempt),
        Report::Heard { pending, heard } => hearing::over(turn, *pending, heard.as_ref()),
        Report::ModelAsked { call } => {
            turn.emit(Event::ModelAsked { call: Arc::new(call.clone().within_limits()) });
        }
        // Looking at what is due begins every turn.
        Report::TimedOut { .. } | Report::Recovered => {}
    }
}

pub(super) fn drop_report(turn: &mut Turn<'_>, reason: String) {
    turn.emit(Event::ReportDropped { reason });
}

fn drafted(turn: &mut Turn<'_>, request: RequestId, outcome: &DraftOutcome) {
    let open = turn.state().task.as_ref().and_then(|task| task.request);
    if open != Some(request) {
        drop_report(turn, format!("the draft for {request} was overtaken"));
        return;
    }
    match outcome {
        DraftOutcome::Ready { plan, learned } => {
            learn::taught(turn, learned);
            plan_ready(turn, request, plan);
        }
        DraftOutcome::Several { parts } => several::split(turn, request, parts),
        DraftOutcome::Unclear { clarification } => unclear(turn, request, clarification),
        DraftOutcome::Answered { answer } => answered_instead(turn, request, answer),
        DraftOutcome::Impossible { explanation, suggestions } => impossible(turn, request, explanation, suggestions),
    }
}

fn plan_ready(turn: &mut Turn<'_>, request: RequestId, draft: &PlanDraft) {
    let base = turn.state().task.as_ref().and_then(|task| task.base.clone());
    let (id, version) = match &base {
        Some(base) => (base.id(), base.version() + 1),
        None => (PlanId::new(turn.state().counters.plan), 1),
    };
    let redrafted = redraft::with_earlier_changes(turn, base.as_deref(), draft);
    if let Some(said) = base.as_deref().and_then(|base| redraft::unchanged(turn, base, &redrafted.draft)) {
        impossible(turn, request, &said, &[]);
        return;
    }
    match Plan::check(id, version, redrafted.draft, &known_facts(turn)) {
        Ok(_) if tried::lets_finish(turn) => {}
        Ok(plan) => {
            tried::take_place(turn, request);
            redraft::tell_lost(turn, version, &redrafted.lost);
            offer(turn, request, Arc::new(plan), base.as_deref());
        }
        Err(error) => {
            let explanation =
                format!("The plan that was drafted does not hold together: {error}. Nothing was executed.");
            impossible(turn, request, &explanation, &[]);
        }
    }
}

/// The facts a plan may need without producing them: in proof mode none, because a proof stands by itself.
pub(super) fn known_facts(turn: &Turn<'_>) -> BTreeSet<FactName> {
    match turn.state().mode() {
        Mode::Exploratory => turn.state().facts().keys().cloned().collect(),
        Mode::Proof => BTreeSet::new(),
    }
}

/// Puts a plan before the person; a second version with what changed.
pub(super) fn offer(turn: &mut Turn<'_>, request: RequestId, plan: Arc<Plan>, before: Option<&Plan>) {
    let (pending, changes) = wait_for_approval(turn, request, &plan, before);
    let runs_unasked = runs_unasked(turn, &plan);
    say::begun_before(turn, &plan);
    if !runs_unasked {
        say::offer(turn, &plan, &pending, changes);
    } else if turn.flow().enable_planning {
        say::announce(turn, &plan, &pending, changes);
    }
    if runs_unasked {
        let why = say::why_unasked(turn, &plan);
        // What is done at once and was not shown as a plan is told by its result alone.
        if turn.flow().enable_planning || plan.changes_nothing() {
            turn.say(format!("Runs without asking: {why}."), None);
        }
        super::answer::approve(turn, &pending, Some(why));
    }
}

/// The same, and it waits whatever the configuration says: it is more than was approved.
pub(super) fn offer_to_wait(turn: &mut Turn<'_>, request: RequestId, plan: Arc<Plan>, before: Option<&Plan>) {
    let (pending, changes) = wait_for_approval(turn, request, &plan, before);
    say::offer(turn, &plan, &pending, changes);
}

fn wait_for_approval(
    turn: &mut Turn<'_>,
    request: RequestId,
    plan: &Arc<Plan>,
    before: Option<&Plan>,
) -> (Pending, Vec<PlanChange>) {
    let changes = before.map(|before| plan_changes(before, plan)).unwrap_or_default();
    turn.emit(Event::Planning(PlanningEvent::PlanDrafted { request, plan: Arc::clone(plan) }));
    (turn.ask(PendingKind::Approval { plan: plan.id(), version: plan.version() }), changes)
}

/// Only by explicit configuration or a person's standing yes, and never where a step has an effect that cannot be taken
/// back.
fn runs_unasked(turn: &Turn<'_>, plan: &Plan) -> bool {
    let steps = plan.steps();
    let can_be_undone = || steps.iter().all(|step| matches!(step.effect, EffectClass::Pure | EffectClass::Reversible));
    turn.policy.approvers.is_empty()
        && if plan.changes_nothing() {
            steps.len() <= turn.unasked_steps_max()
        } else {
            let may_be = turn.flow().does_at_once() && !turn.state().hears_program();
            may_be && steps.len() <= limits::REVERSIBLE_STEPS_MAX && can_be_undone()
        }
}

/// The request needed no plan.
fn answered_instead(turn: &mut Turn<'_>, request: RequestId, answer: &Answer) {
    conclude(turn, answer);
    unplanned::ends(turn, request, Unplanned::Answered);
}

fn unclear(turn: &mut Turn<'_>, request: RequestId, clarification: &Clarification) {
    let asked = turn.state().task.as_ref().map_or(0, |task| without_progress(task, clarification));
    if asked >= limits::CLARIFICATIONS_MAX {
        let explanation = format!(
            "I asked {asked} times and am still not sure: {} Please state the task anew and name what it is about.",
            clarification.question
        );
        impossible(turn, request, &explanation, &[]);
        return;
    }
    turn.emit(Event::Planning(PlanningEvent::DraftUnclear { request }));
    let pending = turn.ask(PendingKind::Clarification { clarification: clarification.clone() });
    say::show(turn, &pending);
}

/// Attempts at clarifying that led nowhere: an answer about something else than is asked now settled that.
fn without_progress(task: &ActiveTask, clarification: &Clarification) -> usize {
    let settled: BTreeSet<&str> = task.answers.iter().map(|answer| answer.topic.as_str()).collect();
    let most = limits::CLARIFIED_MAX.max(usize::from(clarification.of.min(limits::FORM_QUESTIONS_MAX)));
    let settled = settled.into_iter().filter(|other| *other != clarification.topic).count().min(most);
    task.clarifications.saturating_sub(settled)
}

/// It cannot be planned.
pub(super) fn impossible(turn: &mut Turn<'_>, request: RequestId, explanation: &str, suggestions: &[String]) {
    say::impossible(turn, explanation, suggestions);
    unplanned::ends(turn, request, Unplanned::Refused(explanation));
}

/// Whether what is asked back was turned down or put off, or only offers what may be meant: nobody waits for its
/// answer, so what is asked next need not wait behind it.
fn is_given_up(turn: &Turn<'_>) -> bool {
    let is_left = |question: &&Pending| {
        question.quiet && matches!(question.kind, PendingKind::Clarification { .. }) || gives_way(question)
    };
    turn.state().question().filter(is_left).is_some()
}

fn answered(turn: &mut Turn<'_>, request: RequestId, outcome: &AnswerOutcome) {
    let open = turn.state().questions.iter().find(|open| open.request == request).cloned();
    let Some(question) = open else {
        drop_report(turn, format!("the question of {request} is not open any more"));
        return;
    };
    turn.emit(Event::Aside(AsideEvent::QuestionClosed { request }));
    answer_given(turn, question.message, outcome);
    match outcome {
        AnswerOutcome::Known { answer } => conclude(turn, answer),
        AnswerOutcome::Learned { statement, text, replan } => {
            learn::learned(turn, question.message, statement, text, *replan);
        }
        AnswerOutcome::Unclear { clarification } => {
            learn::unclear(turn, &question.text, clarification);
            return;
        }
        AnswerOutcome::Drawn { answer, keeping } => drawn(turn, answer, keeping.as_ref()),
        AnswerOutcome::Unknown { explanation } => turn.say(explanation.clone(), None),
        AnswerOutcome::NeedsPlan if turn.state().phase() == Phase::Idle || is_given_up(turn) => {
            act::start_from(turn, question.message, &question.text, PlanKind::Plain);
        }
        AnswerOutcome::NeedsPlan => {
            turn.say("That can only be answered with a plan of its own.", None);
            act::queue_from(turn, question.message, &question.text, PlanKind::Plain);
        }
    }
    act::remind_of_question(turn);
}

/// What became of the message that asked.
fn answer_given(turn: &mut Turn<'_>, asked_in: Option<crate::MessageId>, outcome: &AnswerOutcome) {
    let Some(message) = asked_in else { return };
    let (became, detail) = match outcome {
        AnswerOutcome::Known { .. } | AnswerOutcome::Drawn { .. } => (Outcome::Answered, "Answered."),
        AnswerOutcome::Learned { .. } => (Outcome::Answered, "Taken as what a word means."),
        AnswerOutcome::Unknown { .. } => (Outcome::Refused, "Not answered: it is not known here."),
        // These go on as something else, which has its own word for it.
        AnswerOutcome::Unclear { .. } | AnswerOutcome::NeedsPlan => return,
    };
    turn.receipt_for(message, became, detail.to_owned());
}

/// A drawing; one to be kept without a fact that holds its rows cannot be made again, so it is not asked for.
fn drawn(turn: &mut Turn<'_>, answer: &Answer, keeping: Option<&Keeping>) {
    let card = result_card(turn, answer);
    turn.say(answer.text.clone(), Some(card));
    let fact = answer.table.as_ref().filter(|name| turn.state().facts().get(name).is_some()).cloned();
    if let (Some(fact), Some(keeping)) = (fact, keeping.cloned()) {
        let presentation = answer.presentation;
        turn.emit(Event::Aside(AsideEvent::KeepingAsked { fact, presentation, keeping }));
    }
}

/// Says a result. In proof mode what rests on no recorded fact is no conclusion, and that is said with it (CF-31).
pub(super) fn conclude(turn: &mut Turn<'_>, answer: &Answer) {
    let card = result_card(turn, answer);
    let is_unproven = turn.state().mode() == Mode::Proof
        && matches!(&card, Card::Result { provenance: None, .. })
        && !answer.text.is_empty();
    turn.say(answer.text.clone(), Some(card));
    if is_unproven {
        turn.say("This rests on no recorded query, so it is no proven result. Ask for a plan to have one.", None);
    }
}

/// The result of a run or an answer from facts; in proof mode always with its chain (CF-31).
fn result_card(turn: &Turn<'_>, answer: &Answer) -> Card {
    let facts = turn.state().facts();
    let fact = answer.table.as_ref().and_then(|name| facts.get(name)).cloned();
    let provenance = match (turn.state().mode(), &fact) {
        (Mode::Proof, Some(fact)) => Some(crate::provenance::chain(fact.name(), facts)),
        (Mode::Proof | Mode::Exploratory, _) => None,
    };
    Card::Result { answer: answer.clone(), fact, provenance }
}

fn step_ended(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32, outcome: &StepOutcome) {
    let active = turn.state().active_run().filter(|active| active.id() == run);
    let work = active
        .filter(|active| active.state(step) == Some(StepState::Running { attempt }))
        .and_then(|active| active.plan().step(step).cloned());
    let Some(work) = work else {
        lost::tell_after_stop(turn, run, step, outcome);
        drop_report(turn, format!("attempt {attempt} of {step} in {run} is not running any more"));
        return;
    };
    match outcome {
        StepOutcome::Done { facts, answer } => match resolved(turn, &work.produces, facts) {
            Ok(facts) => {
                let answer = answer.clone();
                turn.emit(Event::Run(RunEvent::StepCompleted { run, step, facts, answer }));
            }
            // It says that it is done, so its effect happened: as a failure it would be tried again.
            Err(error) if work.effect == EffectClass::OnceOnly => lost::mark(turn, &work, run, attempt, &error),
            Err(error) => turn.emit(Event::Run(RunEvent::StepFailed { run, step, error })),
        },
        StepOutcome::Transient { error } if attempt <= work.retries => {
            let until = retry_at(turn, attempt);
            let error = error.clone();
            turn.emit(Event::Run(RunEvent::StepPostponed { run, step, attempt, error, until }));
            turn.perform(Effect::WakeAt { at: until, run, step, attempt });
        }
        StepOutcome::Transient { error } | StepOutcome::Failed { error } => {
            turn.emit(Event::Run(RunEvent::StepFailed { run, step, error: error.clone() }));
        }
        StepOutcome::Unknown { reason } => lost::mark(turn, &work, run, attempt, reason),
        StepOutcome::Asks { difference, instead } => growth::asks(turn, run, &work, difference, instead),
        StepOutcome::Cancelled => {
            let error = "it was interrupted before it was done; retry runs it again".to_owned();
            turn.emit(Event::Run(RunEvent::StepFailed { run, step, error }));
        }
    }
}

/// The facts of a finished step, with ids; an error when they are not the ones it was to produce.
pub(super) fn resolved(turn: &Turn<'_>, produces: &[FactName], facts: &[NewFact]) -> Result<Vec<Arc<Fact>>, String> {
    let mut given: Vec<&FactName> = facts.iter().map(|fact| &fact.name).collect();
    let mut wanted: Vec<&FactName> = produces.iter().collect();
    given.sort();
    wanted.sort();
    if given != wanted {
        return Err(
            "the step did not resolve exactly the facts it was to resolve; this is a defect of the assistant".into()
        );
    }
    let plan = turn.state().plan().map_or(PlanId::new(0), |plan| plan.id());
    let recorded = Sequence::new(turn.state().sequence().number() + 1);
    let approved = turn.state().run().map(crate::Run::approved);
    let first = turn.state().counters.fact;
    let held = |(id, body): (u64, &NewFact)| {
        let (body, said_in) = (within_limits(body.clone()), None);
        let resolved_at = turn.now;
        Arc::new(Fact { id: FactId::new(id), body, plan, resolved_at, recorded, said_in, approved })
    };
    Ok((first..).zip(facts).map(held).collect())
}

/// Keeps the first rows of a large table; the count of all rows stays beside them.
fn within_limits(mut fact: NewFact) -> NewFact {
    if let FactValue::Table(table) = &mut fact.value {
        table.rows.truncate(limits::FACT_ROWS_MAX);
    }
    fact
}

fn retry_at(turn: &Turn<'_>, attempt: u32) -> Timestamp {
    let factor = 1_i64 << attempt.saturating_sub(1).min(BACKOFF_DOUBLINGS_MAX);
    Timestamp::from_millis(turn.now.as_millis() + i64::from(turn.policy.backoff_ms) * factor)
}

fn woke(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32) {
    let active = turn.state().active_run().filter(|active| active.id() == run);
    let waits = active.and_then(|active| active.state(step));
    match waits {
        Some(StepState::Backoff { attempt: failed, .. }) if failed == attempt => {
            let attempt = attempt + 1;
            turn.emit(Event::Run(RunEvent::StepStarted { run, step, attempt }));
            turn.perform(Effect::StartStep { run, step, attempt });
        }
        Some(_) | None => drop_report(turn, format!("{step} of {run} does not wait for another attempt")),
    }
}

/// Backoff doubles at most this often: from half a second to four minutes.
const BACKOFF_DOUBLINGS_MAX: u32 = 9;

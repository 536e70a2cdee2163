//! What is done about a reading: one code path per primary intent (CF-03), by phase. The same words mean different
//! things while a plan waits, runs or has failed, so each path looks at the phase first. Next: `control`.

use super::turn::Turn;
use super::{control, say};
use crate::{
    Act, AsideEvent, Card, Effect, Event, Fact, ModeWish, Outcome, Phase, PlanKind, PlanningEvent, QueryKind, Reading,
    Resolution, RunEvent, Tier, Trigger, limits, provenance, text,
};

/// Does what `reading` asks for.
pub(super) fn act(turn: &mut Turn<'_>, reading: &Reading, grounding: &[String]) {
    if super::hedged::withheld(turn, reading) {
        return;
    }
    match reading.act {
        Act::Query(kind) => query(turn, &reading.segment, kind, reading.target.clone()),
        Act::PlanNew(kind) => start(turn, &reading.segment, kind),
        Act::PlanContinue if super::talk::begun(turn, reading) => {}
        Act::PlanContinue => refine(turn, &reading.segment, grounding),
        Act::Control(crate::Control::Replan) => replan(turn, reading),
        Act::Control(crate::Control::Queue) => super::queue::by_reading(turn, reading),
        Act::Control(crate::Control::Flow) => super::settings::by_reading(turn, reading),
        Act::Control(crate::Control::Facts) => super::facts::command(turn, reading),
        Act::Control(crate::Control::Status) if turn.goes_on_with_run() => control::of_run(turn, &reading.segment),
        Act::Control(command) => control::act(turn, command, reading.tier == Tier::Slash),
    }
}

/// A new task. While a plan runs it waits, and the latest wins (CF-26); otherwise it replaces what was at hand.
pub(super) fn start(turn: &mut Turn<'_>, problem: &str, kind: PlanKind) {
    start_from(turn, turn.message(), problem, kind);
}

/// The same for a task that came in `message`.
pub(super) fn start_from(turn: &mut Turn<'_>, message: Option<crate::MessageId>, problem: &str, kind: PlanKind) {
    if turn.state().phase() == Phase::Executing || is_being_done(turn) {
        queue(turn, problem, kind);
    } else if super::talk::comes_first(turn) {
        super::talk::note_question(turn, problem, kind);
    } else {
        plan(turn, message, problem, kind);
    }
}

/// Whether the task at hand is on its way to be done at once, unseen: the next one does not take its place.
fn is_being_done(turn: &Turn<'_>) -> bool {
    let is_drafted = turn.state().task.as_ref().is_some_and(|task| task.request.is_some() && !task.is_offered);
    let at_once = turn.flow().does_at_once() && !turn.flow().enable_planning;
    at_once && is_drafted && turn.state().phase() == Phase::Planning && turn.state().question().is_none()
}

/// Begins a task that came in `message`: it is planned, and replaces what was at hand.
pub(super) fn plan(turn: &mut Turn<'_>, message: Option<crate::MessageId>, problem: &str, kind: PlanKind) {
    plan_with(turn, message, problem, &[], kind);
}

/// The same with `changes`, which the plan is to have from its first version on.
pub(super) fn plan_with(
    turn: &mut Turn<'_>,
    message: Option<crate::MessageId>,
    problem: &str,
    changes: &[String],
    kind: PlanKind,
) {
    super::replaced::tell(turn, message, problem);
    turn.close_all(Resolution::Superseded);
    infer_mode(turn, problem);
    let request = turn.next_request();
    turn.emit(Event::Planning(PlanningEvent::TaskStarted { request, problem: problem.to_owned(), kind, message }));
    super::constraints::keep(turn, problem);
    let mut request = request;
    for change in changes {
        request = turn.next_request();
        let (trigger, change, answer) = (Trigger::PlanContinue, Some(change.clone()), None);
        turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message: None }));
    }
    turn.perform(Effect::DraftPlan { request });
    let shown = text::clip(&problem.replace('\n', " "), limits::TITLE_WIDTH_PLANNING);
    turn.note(Outcome::Applied, format!("Planning “{shown}”."));
}

/// Queues a task behind what is at hand; there is one place, and the latest wins.
pub(super) fn queue(turn: &mut Turn<'_>, problem: &str, kind: PlanKind) {
    queue_from(turn, None, problem, kind);
}

/// The same for a task that came in an earlier message.
pub(super) fn queue_from(turn: &mut Turn<'_>, from: Option<crate::MessageId>, problem: &str, kind: PlanKind) {
    let problem = crate::later::without_time(problem);
    let replaced = turn.state().queue().task.clone();
    let message =
        from.or(turn.message()).unwrap_or(crate::MessageId::new(turn.state().counters.message.saturating_sub(1)));
    turn.emit(Event::Aside(AsideEvent::TaskQueued { message, problem: problem.to_owned(), kind }));
    let shown = text::clip(problem, limits::TITLE_WIDTH_PLANNING);
    let said = match replaced {
        Some(ref old) => {
            let old = text::clip(&old.problem, limits::TITLE_WIDTH_PLANNING);
            format!("Queued “{shown}” for afterwards. It replaces “{old}”, which will not be done.")
        }
        None => format!("Queued “{shown}” for afterwards."),
    };
    turn.say(said.clone(), None);
    if let Some(old) = replaced.filter(|old| old.message != message) {
        turn.receipt_for(
            old.message,
            Outcome::Refused,
            format!("Not done: {message} “{shown}” took its place in the queue."),
        );
    }
    match from {
        Some(message) => turn.receipt_for(message, Outcome::Queued, said),
        None => turn.note(Outcome::Queued, said),
    }
}

/// A refinement of the plan at hand: stops what runs, and plans again with the person's words.
pub(super) fn refine(turn: &mut Turn<'_>, change: &str, grounding: &[String]) {
    let phase = turn.state().phase();
    if super::talk::open(turn.state()).is_some() {
        super::talk::note(turn, change, PlanKind::Plain);
        return;
    }
    if phase == Phase::Idle && turn.state().plan().is_none() {
        // Nothing to refine: words that name known things are a task all the same, others cannot be acted on.
        if grounding.is_empty() {
            turn.refuse("There is no plan to change yet. Ask a question first, or type /help.");
        } else {
            start(turn, change, PlanKind::Plain);
        }
        return;
    }
    if leans_on_nothing(turn, change, grounding) {
        return;
    }
    if super::seen::refuse_overtaken(turn) || too_many_changes(turn) || super::patching::leaves_running(turn, change) {
        return;
    }
    super::constraints::keep(turn, change);
    if super::tried::keeps_run(turn) {
        super::tried::begin(turn, Some(change.to_owned()), None);
        turn.note(
            Outcome::Merged,
            format!("Planning the change “{}”.", text::clip(change, limits::TITLE_WIDTH_PLANNING)),
        );
        return;
    }
    // Behind a finished plan "it" is its result, which is said; a plan that waits is in front of the person.
    let of = turn.state().plan().filter(|_| phase == Phase::Idle).map(|plan| plan.draft().title.clone());
    stop_run(turn, Trigger::PlanContinue);
    turn.close_all(Resolution::Changed);
    let trigger = back_to_planning(phase);
    let request = turn.next_request();
    turn.emit(Event::Planning(PlanningEvent::DraftRequested {
        request,
        trigger,
        change: Some(change.to_owned()),
        answer: None,
        message: turn.message(),
    }));
    turn.perform(Effect::DraftPlan { request });
    let change = text::clip(change, limits::TITLE_WIDTH_PLANNING);
    turn.note(
        Outcome::Merged,
        match of {
            Some(title) => {
                format!("Revising “{}”: “{change}”.", text::clip(&title, limits::TITLE_WIDTH_PLANNING))
            }
            None => format!("Revising the plan: “{change}”."),
        },
    );
}

/// Whether a change speaks of what was asked last, and that was not answered: an older result is not what was meant.
fn leans_on_nothing(turn: &mut Turn<'_>, change: &str, grounding: &[String]) -> bool {
    let words = text::words(change);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let Some(asked) = turn.state().unanswered.clone().filter(|_| turn.state().phase() == Phase::Idle) else {
        return false;
    };
    if !crate::lean::leans(&words, grounding) {
        return false;
    }
    let asked = text::clip(&asked, limits::QUOTE_WIDTH);
    let older = turn.state().plan().map(|plan| text::clip(&plan.draft().title, limits::QUOTE_WIDTH));
    let older = older.map_or_else(String::new, |title| format!(" The result before it is that of “{title}”."));
    turn.refuse(format!(
        "“{asked}” was not answered, so there is nothing found that this could speak of.{older} Say the whole question, \
         with names."
    ));
    true
}

/// What leads from `phase` back to planning with a change.
pub(super) fn back_to_planning(phase: Phase) -> Trigger {
    match phase {
        Phase::AwaitingApproval => Trigger::Suggest,
        Phase::Failed => Trigger::Replan,
        Phase::Idle | Phase::Planning | Phase::Executing => Trigger::PlanContinue,
    }
}

/// "Stop, different approach": stops what runs; says-what-to-change goes on as a refinement, else it is asked for.
fn replan(turn: &mut Turn<'_>, reading: &Reading) {
    match turn.state().phase() {
        Phase::Idle if turn.state().plan().is_none() => {
            turn.refuse("There is no plan to change yet. Ask a question first, or type /help.");
            return;
        }
        Phase::Idle | Phase::Planning | Phase::AwaitingApproval | Phase::Executing | Phase::Failed => {}
    }
    if let Some(target) = &reading.target {
        refine(turn, target, &[]);
        return;
    }
    if super::seen::refuse_overtaken(turn) {
        return;
    }
    let trigger = match turn.state().phase() {
        Phase::AwaitingApproval => Trigger::Reject,
        Phase::Failed | Phase::Executing => Trigger::Replan,
        Phase::Idle | Phase::Planning => Trigger::PlanContinue,
    };
    stop_run(turn, Trigger::Replan);
    turn.close_all(Resolution::Changed);
    turn.emit(Event::Planning(PlanningEvent::PlanningPaused { trigger }));
    say::ask_for_direction(turn, "Back to planning; finished steps are kept.");
    turn.note(Outcome::Applied, "Back to planning; asked what should be different.");
}

/// Stops the active run, if there is one, and shows what was completed and what was not (CF-27).
pub(super) fn stop_run(turn: &mut Turn<'_>, trigger: Trigger) {
    let Some(run) = turn.state().active_run() else { return };
    let run = run.id();
    turn.emit(Event::Run(RunEvent::Stopped { run, trigger }));
    turn.perform(Effect::StopRun { run });
    say::stopped(turn);
}

/// A question: answered from what is known, whatever runs (CF-26).
pub(super) fn query(turn: &mut Turn<'_>, words: &str, kind: QueryKind, target: Option<String>) {
    if kind == QueryKind::Remark {
        remark(turn, words);
        return;
    }
    if kind == QueryKind::Plain && super::talk::begins_with(turn, words) {
        return;
    }
    if kind == QueryKind::Provenance {
        where_from(turn, words, target.as_deref());
        return;
    }
    if turn.state().questions.len() >= limits::QUESTIONS_MAX {
        turn.refuse("Several questions are being answered already; ask again when they are done.");
        return;
    }
    let (request, message) = (turn.next_request(), turn.message());
    turn.emit(Event::Aside(AsideEvent::QuestionAsked { request, message, text: words.to_owned(), kind, target }));
    turn.perform(Effect::AnswerQuestion { request });
    let detail = if kind == QueryKind::Definition { "Being understood." } else { "Being answered." };
    turn.note(Outcome::Answered, detail);
}

/// Praise, thanks, a word while thinking: nothing is looked up or planned for it, and what goes on goes on.
fn remark(turn: &mut Turn<'_>, words: &str) {
    let thanks = text::words(words).iter().any(|word| matches!(word.as_str(), "thanks" | "thank" | "thx" | "cheers"));
    match turn.state().phase() {
        Phase::Executing if turn.state().question().is_none() => {
            turn.say("Noted; the run goes on. “pause” waits at the next step boundary, “stop” ends it.", None);
        }
        Phase::Planning if turn.state().question().is_none() => turn.say("Noted; planning goes on.", None),
        Phase::Idle if thanks => turn.say("You are welcome.", None),
        Phase::Idle if turn.state().question().is_none() => {
            turn.say("Noted. There was nothing in that for me to do.", None);
        }
        Phase::Idle | Phase::Planning | Phase::AwaitingApproval | Phase::Executing | Phase::Failed => {}
    }
    remind_of_question(turn);
    turn.note(Outcome::Answered, "A remark: nothing was asked for.");
}

fn where_from(turn: &mut Turn<'_>, words: &str, target: Option<&str>) {
    let Some(fact) = fact_meant(turn, target) else {
        turn.say("Nothing has been concluded yet, so there is nothing to trace.", None);
        turn.note(Outcome::Answered, "Nothing to trace yet.");
        return;
    };
    if let Some(part) = super::facts::part_of(turn.state(), &fact, words) {
        turn.say(part, None);
        turn.note(Outcome::Answered, "Shown.");
        remind_of_question(turn);
        return;
    }
    let facts = turn.state().facts();
    let tree = provenance::chain(fact.name(), facts);
    turn.say(format!("This is how {} was found:", fact.name()), Some(Card::Provenance { tree }));
    turn.note(Outcome::Answered, "Shown with its chain.");
    remind_of_question(turn);
}

/// The fact whose name shares most words with the target; without one, the last result.
fn fact_meant(turn: &Turn<'_>, target: Option<&str>) -> Option<std::sync::Arc<Fact>> {
    let wanted = target.map(text::words).unwrap_or_default();
    let shared = |fact: &Fact| {
        let name = fact.name().as_str().to_lowercase();
        wanted.iter().filter(|word| name.split('_').any(|part| part == word.as_str())).count()
    };
    let best = turn.state().facts().values().max_by_key(|fact| shared(fact)).filter(|fact| shared(fact) > 0);
    best.or_else(|| turn.state().result()).cloned()
}

/// After a digression the open question is shown once more, unless the person said to hold on.
pub(super) fn remind_of_question(turn: &mut Turn<'_>) {
    if let Some(question) = turn.state().question().filter(|question| !question.quiet).cloned() {
        say::remind(turn, &question, "");
    }
}

fn too_many_changes(turn: &mut Turn<'_>) -> bool {
    let changes = turn.state().task.as_ref().map_or(0, |task| task.changes.len());
    if changes < limits::PLAN_CHANGES_MAX {
        return false;
    }
    turn.refuse("This plan has been changed too often before it was drafted. State the whole task anew.");
    true
}

/// CF-02: the words of the first task choose the mode, unless the person has, where the assistant has words for modes;
/// what asks for a mode outright always gets it.
fn infer_mode(turn: &mut Turn<'_>, problem: &str) {
    let is_first = turn.state().plan().is_none() && !turn.state().mode_is_explicit;
    let mode = match turn.reader.mode_wished(problem) {
        Some(ModeWish::Asked(mode)) => mode,
        Some(ModeWish::Suggested(mode)) if is_first => mode,
        Some(ModeWish::Suggested(_)) | None => return,
    };
    if mode != turn.state().mode() {
        turn.emit(Event::ModeSwitched { mode, explicit: false });
        turn.say(format!("Working in {mode} mode, from the words of the task."), None);
    }
}

//! What the person is told: wording and cards, in one place so that the same thing is always said the same way.
//! Next: `card`.

use super::control;
use super::turn::Turn;
use crate::{
    Act, Card, Control, Event, FlowKey, Outcome, Pending, PendingKind, Phase, Plan, PlanCard, PlanChange, PlanKind,
    QueryKind, Reading, Run, StepLine, StepState, status, text,
};

/// Puts an open question before the person, whole.
pub(super) fn show(turn: &mut Turn<'_>, question: &Pending) {
    if let Some((said, card)) = turn.state().asked(question) {
        turn.say(said, card);
    }
}

/// Asks back what was close to a yes and not sure to be one, so that a bare yes or no settles it. The question stays
/// open, and nothing happens before that.
pub(super) fn ask_back(turn: &mut Turn<'_>, question: &Pending) {
    let asked = match &question.kind {
        PendingKind::Approval { .. } if question.digressed => {
            let title = turn.state().plan().map(|plan| plan.draft().title.clone()).unwrap_or_default();
            format!("Run “{}”? y/n", text::clip(&title, crate::limits::TITLE_WIDTH_PLANNING))
        }
        PendingKind::Approval { .. } => "Run it? y/n".to_owned(),
        PendingKind::Paused { .. } => "Go on? y/n".to_owned(),
        PendingKind::TalkedOver { .. } => "Plan it? y/n".to_owned(),
        PendingKind::Satisfaction { .. } => "Is it what you need? y/n".to_owned(),
        PendingKind::ConfirmExit => "Leave? y/n".to_owned(),
        PendingKind::ConfirmForget { name } => format!("Forget {name}? y/n"),
        PendingKind::Clarification { .. }
        | PendingKind::Redirection
        | PendingKind::WhichReading { .. }
        | PendingKind::Failure { .. }
        | PendingKind::UnknownOutcome { .. } => return remind(turn, question, ""),
    };
    turn.say(asked.clone(), None);
    turn.emit(Event::PendingShown { pending: question.id });
    turn.note(Outcome::Asked, asked);
}

/// Reminds of an open question after a digression: one line, not the whole card.
pub(super) fn remind(turn: &mut Turn<'_>, question: &Pending, before: &str) {
    let said = reminder(turn, question, before);
    turn.say(said, None);
    turn.emit(Event::PendingShown { pending: question.id });
}

/// Puts a plan that waits again before the person, whole: what it was shown with can be decided on no more.
pub(super) fn offer_again(turn: &mut Turn<'_>, question: &Pending, before: &str) {
    let said = reminder(turn, question, before);
    let card = turn.state().asked(question).and_then(|(_, card)| card);
    turn.say(said, card);
}

fn reminder(turn: &Turn<'_>, question: &Pending, before: &str) -> String {
    let reminder = match &question.kind {
        PendingKind::Approval { .. } => {
            let title = turn.state().plan().map(|plan| plan.draft().title.clone()).unwrap_or_default();
            format!("The plan “{title}” waits for your decision: y, n, or say what to change.")
        }
        PendingKind::Clarification { clarification } => format!("Still open: {}", clarification.question),
        PendingKind::Redirection => "Still open: what should be different? Or say \"cancel\".".to_owned(),
        PendingKind::WhichReading { .. } => "Still open: which of the readings do you mean?".to_owned(),
        PendingKind::Failure { .. } => "The run has failed: say retry, replan or abandon (1, 2 or 3).".to_owned(),
        PendingKind::Paused { .. } => {
            format!("{} Say \"resume\", what to change, or \"stop\".", super::pause::place(turn.state()))
        }
        PendingKind::UnknownOutcome { step, .. } => format!("Still open: did {step} have its effect?"),
        PendingKind::ConfirmForget { name } => format!("Still open: {}", super::facts::question(turn.state(), name)),
        PendingKind::TalkedOver { points, .. } => {
            format!("Still open: {} noted. Say \"implement\" to have it planned.", text::count(points.len(), "point"))
        }
        PendingKind::Satisfaction { .. } => "Still open: does this meet your needs?".to_owned(),
        PendingKind::ConfirmExit => "Still open: do you want to leave?".to_owned(),
    };
    if before.is_empty() { reminder } else { format!("{before} {reminder}") }
}

pub(super) fn offer(turn: &mut Turn<'_>, plan: &std::sync::Arc<Plan>, question: &Pending, changes: Vec<PlanChange>) {
    let (said, card) = super::asked::offered(turn.state(), plan, question, changes);
    turn.say(said, card);
}

/// The same of a plan that runs without being asked about: there is nothing to decide on.
pub(super) fn announce(turn: &mut Turn<'_>, plan: &std::sync::Arc<Plan>, question: &Pending, changes: Vec<PlanChange>) {
    let (said, card) = super::asked::offered(turn.state(), plan, question, changes);
    let card = card.map(|card| match card {
        Card::Plan(shown) => Card::Plan(PlanCard { reference: None, ..shown }),
        other => other,
    });
    turn.say(said, card);
}

/// What of a plan an earlier version of it began, and may have done.
pub(super) fn begun_before(turn: &mut Turn<'_>, plan: &Plan) {
    let begun: Vec<String> = turn.state().begun_before(plan).iter().map(|step| named(step)).collect();
    if !begun.is_empty() {
        let listed = text::listed(&begun);
        turn.say(
            format!("Begun before and stopped, so it may have happened already, and would run again: {listed}."),
            None,
        );
    }
}

fn named(step: &crate::Step) -> String {
    format!("{} “{}”", step.id, step.description)
}

/// Why a plan runs without being asked about.
pub(super) fn why_unasked(turn: &Turn<'_>, plan: &Plan) -> String {
    let settled = match turn.policy.flow.does_at_once() {
        true => "this assistant is configured to run that (auto_approve_simple)",
        false => "this conversation settled to run that; “ask first” takes it back",
    };
    if !plan.changes_nothing() {
        return format!("it can be taken back, and {settled}");
    }
    if turn.state().runs_reads_unasked() {
        return "it changes nothing, and you said that such plans need no asking here; “ask first” takes that back"
            .to_owned();
    }
    match turn.unasked_steps_max() {
        usize::MAX => {
            "it changes nothing, and plan_approval is switched off in this assistant's configuration".to_owned()
        }
        most => format!("it changes nothing and has no more than {}, and {settled}", text::count(most, "step")),
    }
}

pub(super) fn ask_for_direction(turn: &mut Turn<'_>, before: &str) {
    let pending = turn.ask(PendingKind::Redirection);
    let card = Card::Question { reference: pending.reference(), choices: Vec::new() };
    let asked = "What should be different? Or say \"cancel\".";
    turn.say(if before.is_empty() { asked.to_owned() } else { format!("{before} {asked}") }, Some(card));
}

pub(super) fn impossible(turn: &mut Turn<'_>, explanation: &str, suggestions: &[String]) {
    let card = (!suggestions.is_empty()).then(|| Card::Help {
        lines: suggestions.iter().map(|text| (format!("“{text}”"), "could be asked instead".to_owned())).collect(),
    });
    turn.say(explanation, card);
}

/// What was completed and what was not, after a stop (CF-27).
pub(super) fn stopped(turn: &mut Turn<'_>) {
    let Some(run) = turn.state().run() else { return };
    let steps = step_lines(run);
    let done = run.finished().count();
    let cancelled = steps.len() - done;
    let said = format!("Stopped. {done} completed, {cancelled} cancelled. Facts of completed steps are kept.");
    turn.say(said, Some(Card::Steps { steps, ways: Vec::new() }));
}

fn step_lines(run: &Run) -> Vec<StepLine> {
    let line = |(step, state): (crate::StepId, StepState)| StepLine {
        step,
        description: run.plan().step(step).map(|step| step.description.clone()).unwrap_or_default(),
        state,
    };
    run.states().map(line).collect()
}

pub(super) fn help(turn: &mut Turn<'_>) {
    let card = control::help_card(turn);
    turn.say("Ask in plain words; nothing runs before you approve its plan. At any time:", Some(card));
}

pub(super) fn status(turn: &mut Turn<'_>) {
    let state = turn.state();
    let mut said = status::line(state).text(0);
    if let Some(problem) = state.problem() {
        said.push_str(&format!("\ntask: {problem}"));
    }
    let pauses = |run: &Run| run.allowance() == Some(0) && !run.is_waiting();
    let (flow, configured) = (turn.flow(), turn.policy.flow);
    if state.active_run().is_some_and(pauses) {
        said.push_str("\npausing: it waits at the next step boundary; “resume” goes on");
    } else if state.active_run().is_some_and(|run| !run.is_waiting()) {
        let pause = if flow.pause_enabled { "“pause” waits at the next step boundary, " } else { "" };
        said.push_str(&format!("\n{pause}“stop” ends the run"));
    }
    for key in FlowKey::ALL.iter().filter(|key| key.value(&flow) != key.value(&configured)) {
        let back = if *key == FlowKey::PlanApproval { "; “ask first” takes that back" } else { "" };
        said.push_str(&format!("\nsettled here: {}{back}", key.told(&flow)));
    }
    for request in &state.queue().requests {
        said.push_str(&format!("\nwaits as {}: {}", request.name(), request.problem));
    }
    if let Some(task) = &state.queue().task {
        said.push_str(&format!("\nqueued: {}", task.problem));
    }
    if !state.facts().is_empty() {
        let listed = if turn.has_command("/facts") { "; /facts lists them" } else { "" };
        said.push_str(&format!("\n{} held{listed}", text::count(state.facts().len(), "fact")));
    }
    let models = state.models_used();
    if models.all.calls > 0 {
        let latest = models.message.map(|message| format!("; for {message}: {}", models.for_message.told()));
        said.push_str(&format!("\nmodels: {}{}", models.all.told(), latest.unwrap_or_default()));
    }
    let steps = state.run().filter(|_| state.phase() == Phase::Executing).map(step_lines);
    let ways = if turn.goes_on_with_run() { super::pause::ways(turn) } else { Vec::new() };
    turn.say(said, steps.map(|steps| Card::Steps { steps, ways }));
}

pub(super) fn plan(turn: &mut Turn<'_>) {
    let Some(plan) = turn.state().plan().cloned() else {
        turn.say("There is no plan yet. Ask a question and one is drafted.", None);
        return;
    };
    let waiting = turn.state().question().filter(|question| matches!(question.kind, PendingKind::Approval { .. }));
    let reference = waiting.map(Pending::reference);
    let title = plan.draft().title.clone();
    let reused = Vec::new();
    turn.say(format!("Plan: {title}"), Some(Card::Plan(PlanCard { plan, reference, changes: Vec::new(), reused })));
}

pub(super) fn receipts(turn: &mut Turn<'_>) {
    let now = turn.now;
    let line = |receipt: &crate::Receipt| {
        let by = receipt.by.as_ref().map(|by| format!(" – {}", by.told(now))).unwrap_or_default();
        (format!("{} {}", receipt.message, receipt.outcome.word()), format!("{}{by}", receipt.detail))
    };
    let lines: Vec<(String, String)> = turn.state().receipts().map(line).collect();
    if lines.is_empty() {
        turn.say("No messages yet.", None);
        return;
    }
    turn.say("What became of the latest messages:", Some(Card::Help { lines }));
}

pub(super) fn why(turn: &mut Turn<'_>) {
    let read = turn.state().last_read().cloned();
    let readings = match read {
        Some(crate::MessageReading::Understood { segments, .. }) => segments,
        Some(crate::MessageReading::Unsure { options }) => options,
        Some(
            crate::MessageReading::UnknownCommand { .. }
            | crate::MessageReading::Bare { .. }
            | crate::MessageReading::Empty,
        )
        | None => Vec::new(),
    };
    if readings.is_empty() {
        turn.say("No message has been read yet.", None);
        return;
    }
    turn.say("The last message was read like this:", Some(Card::Why { readings }));
}

/// A reading as a choice for the person.
pub(super) fn reading_label(reading: &Reading) -> String {
    match reading.act {
        Act::Query(QueryKind::Provenance) => "Show where the last result came from".to_owned(),
        Act::Query(QueryKind::Summary) => "Sum up what was found".to_owned(),
        Act::Query(QueryKind::Chart) => "Draw the last result".to_owned(),
        Act::Query(QueryKind::Definition) => {
            reading.target.clone().unwrap_or_else(|| "Take this as what a word means from now on".to_owned())
        }
        Act::Query(QueryKind::Remark) => "Nothing is to be done".to_owned(),
        Act::Query(QueryKind::Plan { .. }) => "Answer this from the plan".to_owned(),
        Act::Query(QueryKind::Plain | QueryKind::Detail | QueryKind::Lookup) => {
            "Answer this from what is already known".to_owned()
        }
        Act::PlanNew(PlanKind::Plain) => "Make a plan for this".to_owned(),
        Act::PlanNew(PlanKind::Compare) => "Make a plan that compares".to_owned(),
        Act::PlanNew(PlanKind::Predict) => "Make a plan that forecasts".to_owned(),
        Act::PlanContinue => "Change the current plan".to_owned(),
        Act::Control(command) => control_label(command),
    }
}

pub(super) fn control_label(command: Control) -> String {
    match command {
        Control::SwitchMode(mode) => format!("Switch to {mode} mode"),
        Control::Reset => "Forget everything and start over".to_owned(),
        Control::Redo => "Run the last plan again".to_owned(),
        Control::Help => "Show help".to_owned(),
        Control::Status => "Show where we are".to_owned(),
        Control::Facts => "List the facts".to_owned(),
        Control::ShowPlan => "Show the plan".to_owned(),
        Control::Exit => "Leave".to_owned(),
        Control::Cancel => "Stop what runs or waits".to_owned(),
        Control::Replan => "Stop and plan differently".to_owned(),
        Control::Why => "Explain how the last message was read".to_owned(),
        Control::Pause => "Pause at the next step boundary".to_owned(),
        Control::Resume => "Go on after the pause".to_owned(),
        Control::Queue => "List what is queued".to_owned(),
        Control::Receipts => "Show what became of the latest messages".to_owned(),
        Control::Edit => "Change the plan in an editor".to_owned(),
        Control::RunReads => "Run plans that change nothing without asking, in this conversation".to_owned(),
        Control::AskFirst => "Ask before every plan".to_owned(),
        Control::Flow => "Show or settle how work is gone about here".to_owned(),
    }
}

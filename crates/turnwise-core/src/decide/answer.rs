//! Answers to open questions, whether given by a control or in words: one function per thing a person can decide, so
//! that both ways do the same. Next: `act`.

use super::choice::is_none_of_them;
use super::message::note_choice;
use super::turn::Turn;
use super::{act, control, facts, failure, lost, pause, satisfied, say, talk};
use crate::patch::reworded;
use crate::{
    ClarifiedAnswer, DecisionRef, Effect, Event, Outcome, Pending, PendingKind, Plan, PlanKind, PlanningEvent,
    Resolution, Resolved, RunEvent, RunId, Tier, Trigger, Verdict, text,
};

/// A decision through a button, a page or a command-line id: its reference must be current.
pub(super) fn by_control(turn: &mut Turn<'_>, reference: DecisionRef, verdict: &Verdict) {
    turn.by_control();
    let open = turn.state().pending().iter().find(|pending| pending.id == reference.pending).cloned();
    let Some(question) = open else {
        match turn.state().resolved(reference.pending).cloned() {
            Some(resolved) => already(turn, &resolved, verdict),
            None => turn.refuse(format!("There is no open question {}.", reference.pending)),
        }
        return;
    };
    if question.ui_version != reference.ui_version {
        turn.refuse("This preview is outdated. Please use the current version.");
        say::show(turn, &question);
        return;
    }
    by_verdict(turn, &question, verdict);
}

/// A second decision on a question: nothing happens, and the first one is told. To have wished the same is no mistake.
pub(super) fn already(turn: &mut Turn<'_>, resolved: &Resolved, wish: &Verdict) {
    let said = resolved.told(turn.now);
    if resolved.grants(wish) {
        turn.say(said.clone(), None);
        turn.note(Outcome::Answered, said);
        return;
    }
    turn.refuse(said);
    let is_overtaken = matches!(resolved.resolution, Resolution::Changed | Resolution::Superseded);
    if let Some(current) = turn.state().question().filter(|_| is_overtaken).cloned() {
        say::show(turn, &current);
    }
}

/// Whether the person may answer the question; refused if not.
pub(super) fn is_entitled(turn: &mut Turn<'_>, question: &Pending) -> bool {
    if question.may_be_answered_by(&turn.person()) {
        return true;
    }
    let names: Vec<&str> = question.approvers.iter().map(crate::PersonId::as_str).collect();
    turn.refuse(format!("Only {} may decide on this. It stays open.", names.join(" or ")));
    false
}

/// Whether the person may have steps run, where a plan names who may; refused if not. Trying again is as much running
/// as a first yes is.
pub(super) fn may_run(turn: &mut Turn<'_>) -> bool {
    let (approvers, person) = (&turn.policy.approvers, turn.person());
    if approvers.is_empty() || approvers.contains(&person) {
        return true;
    }
    let names: Vec<&str> = approvers.iter().map(crate::PersonId::as_str).collect();
    turn.refuse(format!("Only {} may have a plan run.", names.join(" or ")));
    false
}

/// Whoever said what could mean several things means none of them.
fn drop_message(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Cancelled);
    turn.say("Dropped.", None);
    turn.note(Outcome::Applied, "The message was dropped.");
}

/// Does what was decided, if this question can be decided that way.
pub(super) fn by_verdict(turn: &mut Turn<'_>, question: &Pending, verdict: &Verdict) {
    if !is_entitled(turn, question) {
        return;
    }
    match (&question.kind, verdict) {
        (PendingKind::ConfirmExit, Verdict::Cancel) => stay(turn, question),
        (PendingKind::TalkedOver { .. }, Verdict::Approve | Verdict::Choose { number: 1 }) => {
            talk::implement(turn, question);
        }
        (PendingKind::TalkedOver { .. }, Verdict::Reject) => hold(turn, question),
        (PendingKind::TalkedOver { .. }, Verdict::Change { change }) => talk::note(turn, change, PlanKind::Plain),
        (PendingKind::ConfirmForget { name }, Verdict::Cancel) => facts::decided(turn, question, name, false),
        (PendingKind::WhichReading { .. }, Verdict::Cancel) => drop_message(turn, question),
        (_, Verdict::Cancel) => control::cancel(turn),
        (PendingKind::Approval { .. }, Verdict::Approve) => approve(turn, question, None),
        (PendingKind::Approval { .. }, Verdict::ApproveNoting { note }) => approve(turn, question, Some(note.clone())),
        (PendingKind::Approval { .. }, Verdict::Reject) => reject(turn, question, None),
        (PendingKind::Approval { .. }, Verdict::RejectBecause { reason }) => reject(turn, question, Some(reason)),
        (PendingKind::Approval { .. }, Verdict::Edit { .. }) if turn.reader.owns_steps() => {
            act::refine(turn, &in_words(verdict).replacen("edit: ", "", 1), &[]);
        }
        (PendingKind::Approval { .. }, Verdict::Edit { patches }) => {
            super::patching::propose(turn, question, patches, in_words(verdict));
        }
        (PendingKind::Satisfaction { .. }, Verdict::Approve) => satisfied::satisfied(turn, question),
        (PendingKind::Satisfaction { .. }, Verdict::Reject) => satisfied::needs_changes(turn, question),
        (PendingKind::Satisfaction { .. }, Verdict::Choose { number }) => satisfied::choose(turn, question, *number),
        (PendingKind::Paused { .. }, verdict) if pause::goes_on(verdict) => pause::resume(turn),
        (PendingKind::Paused { .. }, Verdict::Reject | Verdict::Choose { number: 2 }) => control::cancel(turn),
        (
            PendingKind::Approval { .. }
            | PendingKind::Redirection
            | PendingKind::Paused { .. }
            | PendingKind::Satisfaction { .. },
            Verdict::Change { change },
        ) => {
            let change = if turn.reader.rewords_steps() { change.clone() } else { reworded::in_words(change) };
            act::refine(turn, &change, &[]);
        }
        (PendingKind::ConfirmExit, Verdict::Approve) => leave(turn, question),
        (PendingKind::ConfirmExit, Verdict::Reject) => stay(turn, question),
        (PendingKind::ConfirmForget { name }, Verdict::Choose { number: number @ (1 | 2) }) => {
            facts::decided(turn, question, name, *number == 1);
        }
        (PendingKind::ConfirmForget { name }, Verdict::Approve) => facts::decided(turn, question, name, true),
        (PendingKind::ConfirmForget { name }, Verdict::Reject) => facts::decided(turn, question, name, false),
        (
            PendingKind::Clarification { .. } | PendingKind::WhichReading { .. } | PendingKind::UnknownOutcome { .. },
            Verdict::Choose { number },
        ) => choose(turn, question, *number),
        (PendingKind::Failure { run }, Verdict::Retry) => failure::retry(turn, question, *run),
        (PendingKind::Failure { .. }, Verdict::Replan) => failure::replan(turn, question),
        (PendingKind::Failure { .. }, Verdict::Abandon) => failure::abandon(turn, question),
        (PendingKind::Failure { .. }, Verdict::Choose { number: 4 }) if question.is_fixable => {
            failure::propose_fix(turn);
        }
        (_, Verdict::Say { text }) => in_own_words(turn, question, text),
        (_, verdict) => turn.refuse(format!("“{}” is no answer to this question.", in_words(verdict))),
    }
}

/// A decision as the person would have said it.
pub(super) fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Approve => "approve".to_owned(),
        Verdict::ApproveNoting { note } => format!("approve: {note}"),
        Verdict::Reject => "reject".to_owned(),
        Verdict::RejectBecause { reason } => format!("reject: {reason}"),
        Verdict::Edit { patches } => {
            let words: Vec<String> = patches.iter().map(crate::patch::Patch::in_words).collect();
            format!("edit: {}", words.join(", "))
        }
        Verdict::Change { change } => change.clone(),
        Verdict::Cancel => "cancel".to_owned(),
        Verdict::Choose { number } => number.to_string(),
        Verdict::Say { text } => text.clone(),
        Verdict::Resume => "resume".to_owned(),
        Verdict::Retry => "retry".to_owned(),
        Verdict::Replan => "replan".to_owned(),
        Verdict::Abandon => "abandon".to_owned(),
    }
}

/// Words given as the answer to this very question. What a control takes, they say in words; where the question takes
/// free text, anything else is that.
fn in_own_words(turn: &mut Turn<'_>, question: &Pending, words: &str) {
    // The reference says which question is meant, wherever the talk went since.
    let question = &Pending { digressed: false, ..question.clone() };
    if super::message::answers(turn, question, words) {
        return;
    }
    match &question.kind {
        PendingKind::Clarification { .. } | PendingKind::Redirection | PendingKind::TalkedOver { .. } => {
            say(turn, question, words);
        }
        PendingKind::Approval { .. }
        | PendingKind::WhichReading { .. }
        | PendingKind::Failure { .. }
        | PendingKind::Paused { .. }
        | PendingKind::UnknownOutcome { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::Satisfaction { .. }
        | PendingKind::ConfirmExit => {
            turn.refuse(format!(
                "“{}” is no answer to this question.",
                text::clip(words, crate::limits::TITLE_WIDTH_PLANNING)
            ));
            say::show(turn, question);
        }
    }
}

/// The words and numbers by which a failure is decided on (spec 1, settled choices).
pub(super) fn failure_verdict(words: &str) -> Option<Verdict> {
    verdict_named(&crate::doubt::plainly(words)?)
}

/// The same, however it was written: what is asked or trails off names a way and does not choose it.
pub(super) fn verdict_named(said: &str) -> Option<Verdict> {
    match said {
        "1" | "retry" | "retry it" | "retry that" | "try again" | "try it again" | "try once more" | "again"
        | "resume" | "resume it" => Some(Verdict::Retry),
        "2" | "replan" | "replan it" | "re plan" | "modify" | "modify the plan" | "change the plan" => {
            Some(Verdict::Replan)
        }
        "3" | "abandon" | "abandon it" | "start over" | "give up" | "drop it" | "abort" | "abort it" => {
            Some(Verdict::Abandon)
        }
        _ => None,
    }
}

pub(super) fn approve(turn: &mut Turn<'_>, question: &Pending, note: Option<String>) {
    let shown = turn.state().plan().cloned();
    let is_shown = |plan: &Plan| question.kind == PendingKind::Approval { plan: plan.id(), version: plan.version() };
    let Some(plan) = shown.filter(|plan| is_shown(plan) && turn.state().phase().can_execute()) else {
        turn.refuse("This preview is outdated. Please use the current version.");
        return;
    };
    if let Some(why) = super::constraints::against(turn, &plan) {
        say::remind(turn, question, &why);
        turn.note(Outcome::Refused, why);
        return;
    }
    turn.close(question.id, Resolution::Approved);
    let kept = turn.state().reusable_steps(&plan);
    let run = RunId::new(turn.state().counters.run);
    let detail = format!("Approved: “{}” runs as {run}.", plan.draft().title);
    let person = turn.person();
    let checkpoints = question.checkpoints.or(Some(turn.flow().approval_mode));
    turn.emit(Event::Run(RunEvent::Approved { person, run, plan, kept, trigger: Trigger::Approve, note, checkpoints }));
    pause::set_out(turn, run);
    turn.note(Outcome::Applied, detail);
}

pub(super) fn reject(turn: &mut Turn<'_>, question: &Pending, reason: Option<&str>) {
    turn.close(question.id, Resolution::Rejected);
    let why = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let done = format!("All right{why}, nothing was done.{}", super::several::goes_on(turn));
    if turn.policy.no_ends {
        turn.emit(Event::Planning(PlanningEvent::TaskDropped { trigger: Trigger::Cancel }));
        turn.say(done, None);
        turn.note(Outcome::Applied, "Rejected; nothing was done.");
        return;
    }
    turn.emit(Event::Planning(PlanningEvent::PlanningPaused { trigger: Trigger::Reject }));
    say::ask_for_direction(turn, &done);
    turn.note(Outcome::Applied, "Rejected; asked what should be different.");
}

pub(super) fn hold(turn: &mut Turn<'_>, question: &Pending) {
    turn.emit(Event::PendingQuieted { pending: question.id });
    let gives_way = matches!(question.kind, PendingKind::Clarification { .. });
    let said = if gives_way {
        "Take your time; I will not ask again. Something new takes its place."
    } else {
        "Take your time; I will not ask again until you answer."
    };
    turn.say(said, None);
    turn.note(Outcome::Answered, "The question stays open, without reminders.");
}

/// None of the choices is meant: whatever is asked next takes the place of the question.
pub(super) fn turn_down(turn: &mut Turn<'_>, question: &Pending) {
    turn.emit(Event::PendingQuieted { pending: question.id });
    turn.say("Then say it in your own words, ask something else, or say “cancel” to leave it.", None);
    turn.emit(Event::PendingShown { pending: question.id });
    turn.note(Outcome::Asked, "None of the choices is meant; nothing was said in their place.");
}

pub(super) fn leave(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Approved);
    control::leave(turn);
}

pub(super) fn stay(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Rejected);
    turn.say("Staying.", None);
    super::settings::ask_anew(turn);
    turn.note(Outcome::Applied, "Staying.");
}

/// Takes the choice with number `number`, from 1.
pub(super) fn choose(turn: &mut Turn<'_>, question: &Pending, number: usize) {
    let at = number.wrapping_sub(1);
    match &question.kind {
        PendingKind::Clarification { clarification } => {
            let (offered, assumption) = (clarification.offered(), clarification.assumption.as_deref());
            match (clarification.choices.get(at), assumption) {
                (Some(choice), _) if is_none_of_them(&choice.value) => turn_down(turn, question),
                (Some(choice), _) => clarified(turn, question, &clarification.topic, &choice.value),
                (None, Some(assumed)) if at + 1 == offered.len() => skipped(turn, question, clarification, assumed),
                (None, _) => turn.refuse(NO_SUCH_CHOICE),
            }
        }
        PendingKind::Satisfaction { .. } => satisfied::choose(turn, question, number),
        PendingKind::WhichReading { options, grounding, .. } => match options.get(at) {
            Some(option) => {
                turn.close(question.id, Resolution::Answered);
                let mut chosen = option.clone();
                chosen.tier = Tier::Person;
                chosen.reason = "you chose this reading".to_owned();
                note_choice(turn, &chosen);
                act::act(turn, &chosen, grounding);
            }
            None => turn.refuse(NO_SUCH_CHOICE),
        },
        PendingKind::UnknownOutcome { run, step, attempt, .. } => {
            lost::told(turn, question, (*run, *step, *attempt), number);
        }
        PendingKind::Approval { .. }
        | PendingKind::Redirection
        | PendingKind::Failure { .. }
        | PendingKind::Paused { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::TalkedOver { .. }
        | PendingKind::ConfirmExit => turn.refuse("This question has no numbered choices."),
    }
}

/// Takes free text as the answer.
pub(super) fn say(turn: &mut Turn<'_>, question: &Pending, words: &str) {
    match &question.kind {
        PendingKind::Clarification { clarification } => clarified(turn, question, &clarification.topic, words.trim()),
        PendingKind::Redirection => act::refine(turn, words, &[]),
        PendingKind::TalkedOver { .. } => talk::note(turn, words, PlanKind::Plain),
        PendingKind::Approval { .. }
        | PendingKind::WhichReading { .. }
        | PendingKind::Failure { .. }
        | PendingKind::Paused { .. }
        | PendingKind::UnknownOutcome { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::Satisfaction { .. }
        | PendingKind::ConfirmExit => turn.refuse("This question does not take free text."),
    }
}

fn clarified(turn: &mut Turn<'_>, question: &Pending, topic: &str, answer: &str) {
    settled(turn, question, topic, answer, false);
}

/// Skips a question: what it offered to assume is taken; where it offered nothing, it stays open.
pub(super) fn skip(turn: &mut Turn<'_>, question: &Pending) {
    let PendingKind::Clarification { clarification } = &question.kind else { return };
    match clarification.assumption.clone() {
        Some(assumed) => skipped(turn, question, clarification, &assumed),
        None => {
            say::remind(turn, question, "There is nothing to assume for this one.");
            turn.note(Outcome::Asked, "Not skipped: nothing can be assumed for it.");
        }
    }
}

/// The person would rather not say: what was offered to be assumed is, and is said once more.
fn skipped(turn: &mut Turn<'_>, question: &Pending, clarification: &crate::Clarification, assumed: &str) {
    turn.say(format!("Assumed: {assumed}."), None);
    settled(turn, question, &clarification.topic, assumed, true);
}

fn settled(turn: &mut Turn<'_>, question: &Pending, topic: &str, answer: &str, assumed: bool) {
    turn.close(question.id, Resolution::Answered);
    let (topic, answer) = (topic.to_owned(), answer.to_owned());
    let answer = ClarifiedAnswer { topic, answer, said_in: turn.message(), assumed };
    if super::tried::keeps_run(turn) {
        super::tried::begin(turn, None, Some(answer));
        turn.note(Outcome::Merged, "Thanks; planning goes on with that.");
        return;
    }
    let request = turn.next_request();
    turn.emit(Event::Planning(PlanningEvent::DraftRequested {
        request,
        trigger: Trigger::PlanContinue,
        change: None,
        answer: Some(answer),
        message: turn.message(),
    }));
    turn.perform(Effect::DraftPlan { request });
    // Where plans are not shown, nobody waits for one: the answer shows by what comes of it.
    match turn.flow().enable_planning {
        true => turn.note(Outcome::Merged, "Thanks; planning goes on with that."),
        false => turn.note(Outcome::Answered, "Taken as the answer."),
    }
}

/// A number beyond what is offered.
const NO_SUCH_CHOICE: &str = "That is none of the choices.";

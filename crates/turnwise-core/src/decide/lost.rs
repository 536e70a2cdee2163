//! Outcomes nobody knows: the process that ran a step died between its effect and the record of it. A step that may run
//! again simply does; one that must not is looked up where its tool can, else the person is asked. Next: `settle`.

use super::turn::Turn;
use super::{act, report, say};
use crate::doubt::plainly;
use crate::{
    Effect, EffectClass, Event, FactName, FactValue, LookUp, NewFact, Outcome, Pending, PendingKind, Resolution,
    RunEvent, RunId, RunStatus, SourceKind, Step, StepId, StepOutcome, StepState, Trigger, limits, text,
};

const PROCESS_GONE: &str = "the process that ran it ended in the middle";

/// The process that performed an attempt is gone.
pub(super) fn step_lost(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32) {
    let active = turn.state().active_run().filter(|active| active.id() == run);
    let work = active
        .filter(|active| active.state(step) == Some(StepState::Running { attempt }))
        .and_then(|active| active.plan().step(step).cloned());
    match work {
        Some(work) => mark(turn, &work, run, attempt, PROCESS_GONE),
        None => {
            tell_after_stop(turn, run, step, &StepOutcome::Unknown { reason: PROCESS_GONE.to_owned() });
            report::drop_report(turn, format!("attempt {attempt} of {step} in {run} is not running any more"));
        }
    }
}

/// A stop gives up what is under way, but what had begun to change something may still have done it: whoever stopped
/// has to know, or they would do it again.
pub(super) fn tell_after_stop(turn: &mut Turn<'_>, run: RunId, step: StepId, outcome: &StepOutcome) {
    let stopped = turn.state().run().filter(|last| last.id() == run && last.status() == RunStatus::Cancelled);
    let work = stopped.and_then(|last| last.plan().step(step)).filter(|work| work.effect != EffectClass::Pure);
    let Some(description) = work.map(|work| work.description.clone()) else { return };
    let became = match outcome {
        StepOutcome::Done { facts, .. } => {
            let told = facts.iter().filter_map(|fact| match &fact.value {
                FactValue::Text(text) => Some(text.as_str()),
                FactValue::Table(_) => None,
            });
            let said = format!("it was finished all the same. {}", told.collect::<Vec<_>>().join(" "));
            said.trim_end().to_owned()
        }
        StepOutcome::Unknown { reason } => {
            format!("nobody knows whether it happened: {reason}. Look before you repeat it.")
        }
        StepOutcome::Failed { .. }
        | StepOutcome::Transient { .. }
        | StepOutcome::Cancelled
        | StepOutcome::Asks { .. } => return,
    };
    let number = step.number();
    turn.say(format!("Step {number} (“{description}”) was under way when the run was stopped, and {became}"), None);
}

/// Goes on with an attempt of unknown outcome by what the step declares.
pub(super) fn mark(turn: &mut Turn<'_>, work: &Step, run: RunId, attempt: u32, reason: &str) {
    let step = work.id;
    match work.effect {
        // Running it again does no harm, so it does at once.
        // Running it again and again would not: what ends its process each time is a failure.
        EffectClass::Pure | EffectClass::Idempotent | EffectClass::Reversible
            if attempt > work.retries + limits::LOST_ATTEMPTS_MAX =>
        {
            let error = format!("it was lost {attempt} times; the last time because {reason}");
            turn.emit(Event::Run(RunEvent::StepFailed { run, step, error }));
        }
        EffectClass::Pure | EffectClass::Idempotent | EffectClass::Reversible => {
            let (error, until) = (reason.to_owned(), turn.now);
            turn.emit(Event::Run(RunEvent::StepPostponed { run, step, attempt, error, until }));
            turn.perform(Effect::WakeAt { at: until, run, step, attempt });
        }
        EffectClass::OnceOnly => {
            turn.emit(Event::Run(RunEvent::StepLost { run, step, attempt, reason: reason.to_owned() }));
            turn.perform(Effect::LookUpStep { run, step, attempt });
        }
    }
}

/// The tool was asked.
pub(super) fn looked_up(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32, found: &LookUp) {
    let active = turn.state().active_run().filter(|active| active.id() == run);
    let is_open = active.and_then(|active| active.state(step)) == Some(StepState::Unknown { attempt });
    let Some(work) = active.filter(|_| is_open).and_then(|active| active.plan().step(step).cloned()) else {
        report::drop_report(turn, format!("nobody waits for what became of attempt {attempt} of {step} in {run}"));
        return;
    };
    match found {
        LookUp::Happened { facts, answer } => match report::resolved(turn, &work.produces, facts) {
            Ok(facts) => {
                let answer = answer.clone();
                turn.emit(Event::Run(RunEvent::StepCompleted { run, step, facts, answer }));
            }
            Err(error) => ask(turn, run, step, attempt, &error),
        },
        LookUp::DidNotHappen => again(turn, run, step, attempt),
        LookUp::CannotTell { reason } => ask(turn, run, step, attempt, reason),
    }
}

fn again(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32) {
    let attempt = attempt + 1;
    turn.emit(Event::Run(RunEvent::StepStarted { run, step, attempt }));
    turn.perform(Effect::StartStep { run, step, attempt });
}

fn ask(turn: &mut Turn<'_>, run: RunId, step: StepId, attempt: u32, reason: &str) {
    let reason = reason.to_owned();
    let pending = turn.ask(PendingKind::UnknownOutcome { run, step, attempt, reason });
    say::show(turn, &pending);
}

/// Words said while nobody knows what became of a step: one of the three ways on, word for word, or it is asked again.
/// An effect hangs on it, so that what is only like an answer is none. False when they speak of something else.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    if let Some(number) = outcome_meant(words) {
        super::answer::choose(turn, question, number);
        return true;
    }
    let said = text::words(words);
    let speaks_of_it = said.iter().any(|word| OUTCOME_WORDS.contains(&word.as_str()));
    let is_short = said.len() <= OUTCOME_WORDS_MAX;
    if !speaks_of_it || !is_short {
        return false;
    }
    say::remind(turn, question, "That does not say plainly which of these it is.");
    turn.note(Outcome::Asked, "Asked again what became of the step.");
    true
}

/// Which of the three ways on the words name, if any.
pub(super) fn outcome_meant(words: &str) -> Option<usize> {
    let said = plainly(words)?;
    let said = said.strip_prefix("i looked ").or(said.strip_prefix("i checked ")).unwrap_or(&said);
    let bare = |yes: &[&str]| {
        let opening = yes.iter().find_map(|word| said.strip_prefix(word)?.strip_prefix(' '));
        opening.unwrap_or(said).to_owned()
    };
    let labels = super::asked::unknown_outcome_choices();
    let label = labels.iter().position(|choice| text::words(&choice.label).join(" ") == said);
    let number = match said {
        "1" | "first" | "the first" | "option 1" | "number 1" => Some(1),
        "2" | "second" | "the second" | "option 2" | "number 2" => Some(2),
        "3" | "third" | "the third" | "option 3" | "number 3" | "stop" | "stop it" | "stop the run" | "cancel" => {
            Some(3)
        }
        _ if HAPPENED.contains(&bare(&["yes", "yeah", "yep"]).as_str()) => Some(1),
        _ if DID_NOT_HAPPEN.contains(&bare(&["no", "nope"]).as_str()) => Some(2),
        _ => None,
    };
    number.or(label.map(|at| at + 1))
}

/// What says that it happened, word for word.
const HAPPENED: [&str; 17] = [
    "happened",
    "it happened",
    "that happened",
    "it did",
    "it did happen",
    "it has happened",
    "it was done",
    "it is done",
    "it's done",
    "done",
    "it has been done",
    "it worked",
    "it went through",
    "it was written",
    "it is there",
    "it's there",
    "it is in the file",
];

/// What says that it did not.
const DID_NOT_HAPPEN: [&str; 20] = [
    "did not happen",
    "it did not happen",
    "that did not happen",
    "didn't happen",
    "it didn't happen",
    "it did not",
    "it didn't",
    "it never happened",
    "it has not happened",
    "it hasn't happened",
    "it was not done",
    "it wasn't done",
    "it is not done",
    "it isn't done",
    "not done",
    "it was not written",
    "it wasn't written",
    "it is not there",
    "it's not there",
    "it isn't there",
];

/// What speaks of it without saying which.
const OUTCOME_WORDS: [&str; 24] = [
    "happened", "happen", "happens", "done", "did", "didn't", "worked", "work", "written", "wrote", "there", "again",
    "redo", "retry", "rerun", "partly", "half", "yes", "no", "1", "2", "3", "first", "second",
];

/// The person looked and says which it is.
pub(super) fn told(turn: &mut Turn<'_>, question: &Pending, of: (RunId, StepId, u32), number: usize) {
    let (run, step, attempt) = of;
    let active = turn.state().active_run().filter(|active| active.id() == run);
    let is_open = active.and_then(|active| active.state(step)) == Some(StepState::Unknown { attempt });
    let Some(work) = active.filter(|_| is_open).and_then(|active| active.plan().step(step).cloned()) else {
        turn.refuse("That run is over; the answer is not needed any more.");
        return;
    };
    match number {
        1 => {
            let facts: Vec<NewFact> = work.produces.iter().map(told_fact).collect();
            let Ok(facts) = report::resolved(turn, &work.produces, &facts) else { return };
            turn.close(question.id, Resolution::Answered);
            turn.emit(Event::Run(RunEvent::StepCompleted { run, step, facts, answer: None }));
            turn.note(Outcome::Applied, format!("{step} counts as done, as you said."));
        }
        2 if !super::answer::may_run(turn) => {}
        2 => {
            turn.close(question.id, Resolution::Answered);
            again(turn, run, step, attempt);
            turn.note(Outcome::Applied, format!("{step} runs again, as you said."));
        }
        3 => {
            turn.close(question.id, Resolution::Cancelled);
            act::stop_run(turn, Trigger::Cancel);
            turn.close_all(Resolution::Cancelled);
            turn.note(Outcome::Applied, "Stopped.");
        }
        _ => turn.refuse("That is none of the choices."),
    }
}

/// More words than this tell a story, which is no plain answer.
const OUTCOME_WORDS_MAX: usize = 6;

fn told_fact(name: &FactName) -> NewFact {
    NewFact::new(name.clone(), FactValue::Text("done, as told by the person".to_owned()), SourceKind::Person)
}

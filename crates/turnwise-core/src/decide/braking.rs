//! What is said to a run that goes on, to brake it: "stop, then the totals by channel" stops first and takes the rest
//! up after that; "wait" and "no!" pause; what only may mean a stop pauses, too, and asks. An effect cannot be taken
//! back, a pause can. Next: `brake` for the words, `pause` for the boundary.

use super::turn::Turn;
use super::{act, control, message, patching, pause, seen};
use crate::brake::{self, After, Brake, Clause};
use crate::patch::Wish;
use crate::{Act, Control, EffectClass, MessageReading, Outcome, PendingKind, Reading, Reply, Tier, limits, text};

/// What a whole message wants of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order<'a> {
    /// It ends; `rest` is asked for after that.
    Stop { rest: &'a str },
    /// It waits; `rest` is said beside that.
    Wait { rest: &'a str },
    /// It does not get its yes or no.
    No { rest: &'a str },
    /// Something outside is not to be changed.
    Forbid,
    /// Perhaps a stop.
    MayStop,
    /// It goes on as it does.
    GoOn,
    /// A yes that nobody asked for.
    Yes,
}

/// Takes words that brake the run at hand; false when they are something else.
pub(super) fn heard(turn: &mut Turn<'_>, words: &str, grounding: &[String]) -> bool {
    let Some(waits) = turn.state().active_run().map(crate::Run::is_waiting) else { return false };
    let Some(order) = order(turn, words) else { return false };
    // "Drop the last step" changes the plan; nothing runs on from it either.
    let is_soft = order == Order::MayStop || (order == Order::Stop { rest: "" } && !brake::says_stop(words));
    if is_soft && matches!(patching::wished(turn, words), Some(Ok(Wish::Structure(_)))) {
        return false;
    }
    let asked = turn.state().question().map(|question| question.kind.clone());
    let is_free = matches!(asked, None | Some(PendingKind::WhichReading { .. }));
    match order {
        // The reader and the open question know a plain stop themselves.
        Order::Stop { rest: "" } if is_plain_stop(turn, words) && !stops_more(asked.as_ref(), words) => return false,
        Order::Stop { rest } => stop_then(turn, words, rest, grounding),
        Order::Wait { rest: "" } if waits => stays(turn),
        Order::Yes if is_free && seen::told_how_it_ended(turn, words) => {}
        // Whoever says no to what runs by now may not have known that it does.
        Order::No { rest: "" } if is_free && seen::told_how_it_ended(turn, words) => hold(turn),
        Order::Wait { rest } | Order::No { rest } if is_free => wait_then(turn, words, rest, grounding),
        Order::Forbid if is_free => return forbid(turn, words),
        Order::MayStop if is_free => may_stop(turn),
        Order::GoOn if is_free => go_on(turn),
        Order::Yes if is_free => yes_to_nothing(turn),
        Order::Wait { .. } | Order::No { .. } | Order::Forbid | Order::MayStop | Order::GoOn | Order::Yes => {
            return false;
        }
    }
    true
}

fn order<'a>(turn: &Turn<'_>, words: &'a str) -> Option<Order<'a>> {
    let clauses = brake::clauses(words);
    // "Stop, different approach" is a stop that asks what else.
    if clauses.iter().any(brake::denies_a_stop) || only_request(turn, words) == Some(Control::Replan) {
        return None;
    }
    let kinds: Vec<Option<Brake>> = clauses.iter().map(|clause| kind(turn, clause)).collect();
    let opening = kinds.iter().take_while(|kind| kind.is_some()).count();
    let said = |brake: Brake| kinds[..opening].contains(&Some(brake));
    let rest = clauses.get(opening).map_or("", |clause| &words[clause.start..]);
    let last = kinds.iter().rev().copied().find(|kind| *kind != Some(Brake::Filler)).flatten();
    if said(Brake::Stop) {
        let last = kinds[..opening].iter().rev().flatten().copied().find(|kind| *kind != Brake::Filler);
        return Some(match clauses.get(opening).map(|clause| brake::after_a_stop(clause, rest)) {
            // "Stop - wait, no": taken back, or stressed; nobody can tell.
            _ if last != Some(Brake::Stop) => Order::MayStop,
            None | Some(After::Explains) => Order::Stop { rest: "" },
            Some(After::TakesBack) => Order::MayStop,
            Some(After::Request) => Order::Stop { rest },
        });
    }
    // "Wrong file, stop": whatever it is explained with, the last word counts.
    if last == Some(Brake::Stop) && !clauses.iter().any(brake::is_conditional) {
        return Some(Order::Stop { rest: "" });
    }
    if clauses.iter().any(brake::forbids_an_effect) {
        return Some(Order::Forbid);
    }
    if let Some(at) = clauses.iter().position(brake::names_a_boundary).filter(|_| !clauses.iter().any(brake::is_asked))
    {
        let at_once = clauses[at].words.iter().any(|word| matches!(word.as_str(), "this" | "current" | "next"));
        return Some(Order::Wait { rest: if at_once { "" } else { words } });
    }
    match (said(Brake::Wait), said(Brake::No)) {
        (true, _) => Some(Order::Wait { rest }),
        (false, true) => Some(Order::No { rest }),
        (false, false) if brake::goes_on(&clauses) => Some(Order::GoOn),
        (false, false) if brake::may_stop(words) => Some(Order::MayStop),
        (false, false) => is_yes(turn, words).then_some(Order::Yes),
    }
}

/// What a clause does to the run, by its own words or as the reader takes them for an answer or a command.
fn kind(turn: &Turn<'_>, clause: &Clause<'_>) -> Option<Brake> {
    if let Some(brake) = brake::of_clause(clause) {
        return Some(brake);
    }
    if clause.words.len() > CLAUSE_WORDS_MAX || brake::is_doubted(clause) || brake::is_about_the_queue(clause) {
        return None;
    }
    match turn.reader.reply(clause.text, &turn.read_context(&[])) {
        Reply::Cancel => return Some(Brake::Stop),
        Reply::Reject => return Some(Brake::No),
        Reply::Hold if brake::asks_for_time(clause) => return Some(Brake::Wait),
        Reply::Hold
        | Reply::Approve
        | Reply::ApproveWithNote { .. }
        | Reply::Change { .. }
        | Reply::Question
        | Reply::Likely
        | Reply::Other => {}
    }
    match only_request(turn, clause.text)? {
        Control::Cancel => Some(Brake::Stop),
        Control::Pause => Some(Brake::Wait),
        _ => None,
    }
}

/// The command that the words are by a rule, alone.
fn only_request(turn: &Turn<'_>, words: &str) -> Option<Control> {
    let MessageReading::Understood { requests, .. } = turn.reader.read(words, &turn.read_context(&[])) else {
        return None;
    };
    match requests.as_slice() {
        [Reading { act: Act::Control(control), tier: Tier::Rule, .. }] => Some(*control),
        _ => None,
    }
}

fn is_yes(turn: &Turn<'_>, words: &str) -> bool {
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    matches!(reply, Reply::Approve) && text::words(words).len() <= YES_WORDS_MAX
}

/// Whether what comes next takes the words for a stop by itself.
fn is_plain_stop(turn: &Turn<'_>, words: &str) -> bool {
    match turn.state().question() {
        Some(_) => turn.reader.reply(words, &turn.read_context(&[])) == Reply::Cancel,
        None => crate::doubt::doubted(words).is_none() && only_request(turn, words) == Some(Control::Cancel),
    }
}

/// Asked about a change, "cancel" takes the change back; "stop" means what runs.
fn stops_more(asked: Option<&PendingKind>, words: &str) -> bool {
    matches!(asked, Some(PendingKind::Clarification { .. })) && brake::says_stop(words)
}

/// Stops, and only then looks at what else was asked for.
fn stop_then(turn: &mut Turn<'_>, words: &str, rest: &str, grounding: &[String]) {
    note(turn, words, Control::Cancel, "it stops what runs");
    control::cancel(turn);
    if rest.is_empty() {
        return;
    }
    let reading = turn.reader.read(rest, &turn.read_context(grounding));
    match &reading {
        MessageReading::Understood { requests, .. } if requests.iter().all(is_nothing_more) => {}
        MessageReading::Understood { requests, .. } if requests.iter().any(cannot_be_taken_back) => {
            let quoted = text::clip(rest, limits::QUOTE_WIDTH);
            turn.say(format!("Stopped; “{quoted}” was not done beside that. Say it by itself if you mean it."), None);
        }
        MessageReading::Understood { .. } => {
            let (outcome, detail) = turn.apart(|turn| message::follow(turn, rest, grounding, reading.clone()));
            turn.note_instead(outcome, format!("Stopped. {detail}"));
        }
        MessageReading::Unsure { .. }
        | MessageReading::UnknownCommand { .. }
        | MessageReading::Bare { .. }
        | MessageReading::Empty => {
            if text::words(rest).len() > REMARK_WORDS_MAX {
                let quoted = text::clip(rest, limits::QUOTE_WIDTH);
                turn.say(format!("I did not understand “{quoted}”, so nothing else was done."), None);
            }
        }
    }
}

/// What a stop says twice.
fn is_nothing_more(request: &Reading) -> bool {
    matches!(request.act, Act::Control(Control::Cancel | Control::Pause | Control::Exit | Control::Help))
}

fn cannot_be_taken_back(request: &Reading) -> bool {
    matches!(request.act, Act::Control(Control::Reset))
}

/// Pauses, and goes on with what else was said.
fn wait_then(turn: &mut Turn<'_>, words: &str, rest: &str, grounding: &[String]) {
    note(turn, words, Control::Pause, "it asks to wait");
    let (outcome, detail) = turn.apart(hold);
    if !rest.is_empty() {
        message::beside(turn, rest, grounding);
    }
    turn.note_unless_noted(outcome, detail);
}

/// No further step starts. Where one runs already, that is said, and how to end it.
pub(super) fn hold(turn: &mut Turn<'_>) {
    let Some(run) = turn.state().active_run().filter(|run| !run.is_waiting()) else { return };
    if run.allowance() == Some(0) {
        turn.say("The run is pausing already. “stop” ends it now.", None);
        turn.note(Outcome::Applied, "The run pauses at the next step boundary.");
        return;
    }
    pause::pause(turn);
}

/// Already paused, and to stay so.
pub(super) fn stays(turn: &mut Turn<'_>) {
    turn.say("It stays paused. “resume” goes on, “stop” ends the run.", None);
    turn.note(Outcome::Answered, "The run stays paused.");
}

fn may_stop(turn: &mut Turn<'_>) {
    hold(turn);
    turn.say("I am not sure that this means to stop: “stop” ends the run, “resume” goes on.", None);
    turn.note(Outcome::Asked, "Paused; asked whether to stop.");
}

/// "Don't write that file": the step that would goes, or else the run does.
fn forbid(turn: &mut Turn<'_>, words: &str) -> bool {
    let Some(run) = turn.state().active_run().cloned() else { return false };
    let is_left = |step: &&crate::Step| {
        step.effect != EffectClass::Pure && run.state(step.id).is_some_and(|state| !state.is_finished())
    };
    let mut left = run.plan().steps().iter().filter(is_left);
    if left.next().is_none() {
        let does = if run.plan().steps().iter().any(|step| step.effect != EffectClass::Pure) {
            "What is left of the run changes nothing, it only reads."
        } else {
            "What runs changes nothing, it only reads."
        };
        turn.say(format!("{does} It goes on; “stop” ends it."), None);
        turn.note(Outcome::Answered, "Nothing that runs changes anything.");
        return true;
    }
    if patching::patch_running(turn, words) {
        return true;
    }
    note(turn, words, Control::Cancel, "it forbids what the run would do");
    control::cancel(turn);
    true
}

fn go_on(turn: &mut Turn<'_>) {
    super::tried::drop_it(turn, "the run goes on without it");
    if turn.state().active_run().is_some_and(|run| run.allowance() == Some(0)) {
        pause::resume(turn);
        return;
    }
    turn.say("The run goes on.", None);
    turn.note(Outcome::Answered, "The run goes on as it does.");
}

fn yes_to_nothing(turn: &mut Turn<'_>) {
    let pauses = turn.state().active_run().is_some_and(|run| run.allowance() == Some(0));
    let how = if pauses { "the run is pausing; “resume” goes on" } else { "the run goes on" };
    turn.say(format!("Nothing waits for a yes or a no: {how}, “stop” ends it."), None);
    turn.note(Outcome::Answered, "There was nothing to decide.");
}

/// Keeps how the message was read, so that it can be asked about.
fn note(turn: &mut Turn<'_>, words: &str, control: Control, why: &str) {
    let intent = if control == Control::Cancel { "control.cancel" } else { "control.pause" };
    let reading = Reading::certain(words, intent, Act::Control(control), Tier::Rule, why);
    message::note_choice(turn, &reading);
}

/// Said while something runs: that it is in no hurry, or wants to be told. Nothing is asked for, and nothing queued.
pub(super) fn courtesy(turn: &mut Turn<'_>, words: &str) -> bool {
    if turn.state().active_run().is_none() {
        return false;
    }
    let Some(answer) = brake::courtesy(words) else { return false };
    match answer {
        brake::Courtesy::Next => tell_next(turn),
        brake::Courtesy::Patience => {
            turn.say("The run goes on; its result is told here as soon as it is there.", None);
        }
    }
    act::remind_of_question(turn);
    turn.note(Outcome::Answered, "Nothing was asked for.");
    true
}

fn tell_next(turn: &mut Turn<'_>) {
    let Some(run) = turn.state().active_run() else { return };
    let waits = |step: &&crate::Step| run.state(step.id) == Some(crate::StepState::Waiting);
    let said = match run.plan().steps().iter().find(waits) {
        Some(step) => format!("Next comes {} “{}”.", step.id, step.description),
        None => "What is under way is the last of the run; its result is told here.".to_owned(),
    };
    turn.say(said, None);
}

/// A longer clause is no brake that the reader would know.
const CLAUSE_WORDS_MAX: usize = 8;
/// A yes that nobody asked for is this short.
const YES_WORDS_MAX: usize = 3;
/// What follows a stop and is no longer than this may go unexplained: a name, a cry.
const REMARK_WORDS_MAX: usize = 3;

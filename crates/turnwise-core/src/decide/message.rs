//! A person's words: state comes first. An open question gets the first look at them; only what is not its answer is
//! read for what it asks. Next: `answer` for open questions, `act` for readings.

use super::choice::{Meant, choice_meant, is_none_of_them, plain_choice, skips};
use super::turn::Turn;
use super::{act, answer, asked_of, braking, hedged, likely, seen, selected};
use crate::{
    Act, Bearing, Card, Choice, Event, MessageReading, Outcome, Pending, PendingKind, Phase, Reading, Reply,
    Resolution, Tier, limits, text,
};

/// Routes the words of one message.
pub(super) fn route(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    // Whoever hands messages on refuses such ones before; here they only must not be read.
    if words.len() > limits::MESSAGE_BYTES_MAX {
        turn.refuse(format!(
            "That message is {} kB long; at most {} kB are read. Say it shorter, or in several messages.",
            words.len() / 1024,
            limits::MESSAGE_BYTES_MAX / 1024
        ));
        return;
    }
    selected::note_at_first(turn, words, grounding);
    let is_command = words.trim_start().starts_with('/');
    if let Some(settled) = turn.reader.settles(words).filter(|_| !is_command) {
        super::settings::command(turn, Some(&settled));
        return;
    }
    if !is_command
        && (super::facts::heard_to_forget(turn, words)
            || super::unqueue::heard(turn, words)
            || braking::heard(turn, words, grounding)
            || braking::courtesy(turn, words))
    {
        return;
    }
    beside(turn, words, grounding);
}

/// The same for words that brake nothing.
pub(super) fn beside(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    let is_command = words.trim_start().starts_with('/');
    if !is_command && (hedged::answered(turn, words) || hedged::forget_the_order(turn, words)) {
        return;
    }
    if !is_command
        && let Some(question) = turn.state().question().cloned()
        && answer_in_words(turn, &question, words, grounding)
    {
        return;
    }
    if turn.state().question().is_none() && super::pause::chose_way(turn, words) {
        return;
    }
    if turn.state().question().is_none() && seen::told_how_it_ended(turn, words) {
        return;
    }
    if !is_command && turn.state().question().is_none() && is_bare_decision(turn, words) {
        turn.say("Nothing waits for a yes or a no right now.", None);
        turn.note(Outcome::Answered, "There was nothing to decide.");
        return;
    }
    if !is_command
        && turn.state().question().is_none()
        && (super::patching::patch_running(turn, words)
            || super::patching::patch_ended(turn, words)
            || super::about::answered_of_run(turn, words))
    {
        return;
    }
    read(turn, words, grounding);
}

/// A yes or no that nobody asked for: it decides nothing, and must not be read as anything else.
fn is_bare_decision(turn: &Turn<'_>, words: &str) -> bool {
    let is_idle = matches!(turn.state().phase(), Phase::Idle | Phase::Planning);
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    is_idle && text::words(words).len() <= BARE_WORDS_MAX && matches!(reply, Reply::Approve | Reply::Reject)
}

/// Whether words given as the answer to `question` were taken as one. Nothing else is made of them.
pub(super) fn answers(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    if let PendingKind::WhichReading { options, .. } = &question.kind {
        let Meant::Choice(number) = choice_meant(words, &reading_choices(options)) else { return false };
        answer::choose(turn, question, number);
        return true;
    }
    answer_in_words(turn, question, words, &[])
}

/// Offers the words to the open question; false when they are something else.
fn answer_in_words(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    if super::program::may_not_answer(turn, question) {
        return true;
    }
    if seen::is_unseen(turn, question) && picks(turn, question, words) {
        seen::not_taken(turn, question);
        return true;
    }
    match &question.kind {
        PendingKind::Approval { .. } => to_approval(turn, question, words, grounding),
        PendingKind::Clarification { clarification } => {
            let meant = choice_meant(words, &clarification.offered());
            let answers = meant != Meant::Other || skips(words) || is_none_of_them(words);
            if answers && asked_of::another(turn, question) {
                return true;
            }
            match meant {
                Meant::Choice(number) => {
                    answer::choose(turn, question, number);
                    return true;
                }
                Meant::NotThat => {
                    super::say::remind(turn, question, "Then which one?");
                    turn.note(Outcome::Asked, "A choice was ruled out, but none was named.");
                    return true;
                }
                Meant::Other if skips(words) => {
                    answer::skip(turn, question);
                    return true;
                }
                Meant::Other if is_none_of_them(words) => {
                    answer::turn_down(turn, question);
                    return true;
                }
                Meant::Other => {}
            }
            to_open_question(turn, question, words, grounding)
        }
        PendingKind::Redirection => to_open_question(turn, question, words, grounding),
        PendingKind::WhichReading { options, .. } => to_readings(turn, question, options, words, grounding),
        PendingKind::Failure { .. } => super::failure::hear(turn, question, words, grounding),
        PendingKind::Paused { .. } => super::pause::hear(turn, question, words, grounding),
        PendingKind::UnknownOutcome { .. } => super::lost::hear(turn, question, words),
        PendingKind::ConfirmForget { name } => to_forget(turn, question, name, words, grounding),
        PendingKind::TalkedOver { .. } => super::talk::hear(turn, question, words, grounding),
        PendingKind::Satisfaction { .. } => super::satisfied::hear(turn, question, words, grounding),
        PendingKind::ConfirmExit => to_exit(turn, question, words, grounding),
    }
}

fn to_readings(
    turn: &mut Turn<'_>,
    question: &Pending,
    options: &[Reading],
    words: &str,
    grounding: &[String],
) -> bool {
    let choices = reading_choices(options);
    let meant = choice_meant(words, &choices);
    if let Meant::Choice(number) = meant {
        answer::choose(turn, question, number);
        return true;
    }
    // A bare yes or no picks none of them, and is not meant for a question beneath.
    if meant == Meant::NotThat || is_verdict(turn, words) {
        super::say::remind(turn, question, "Then which one?");
        turn.note(Outcome::Asked, "No reading was picked.");
        return true;
    }
    turn.close(question.id, Resolution::Superseded);
    // An older question may stand beneath; the words may be its answer.
    let beneath = turn.state().question().cloned();
    beneath.is_some_and(|beneath| answer_in_words(turn, &beneath, words, grounding))
}

/// Whether the words are a yes or a no, whatever it is about.
pub(super) fn is_verdict(turn: &Turn<'_>, words: &str) -> bool {
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. } | Reply::Reject)
}

/// Whether the words pick one of the ways on that the question's card shows, so that they mean nothing without it.
fn picks(turn: &Turn<'_>, question: &Pending, words: &str) -> bool {
    let picks_of = |choices: &[Choice]| choice_meant(words, choices) != Meant::Other;
    let consents = || is_verdict(turn, words);
    match &question.kind {
        PendingKind::Approval { .. } => super::patching::wished(turn, words).is_some() || consents(),
        PendingKind::Clarification { clarification } => picks_of(&clarification.offered()),
        PendingKind::Satisfaction { .. } => picks_of(&super::satisfied::choices()) || consents(),
        PendingKind::WhichReading { options, .. } => picks_of(&reading_choices(options)),
        PendingKind::Failure { .. } => answer::failure_verdict(words).is_some(),
        PendingKind::UnknownOutcome { .. } => super::lost::outcome_meant(words).is_some(),
        PendingKind::Paused { .. } => {
            super::pause::means_resume(words) || consents() || super::pause::chosen(words).is_some()
        }
        PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => consents(),
        // What is said into a talk is noted, whatever stood there before.
        PendingKind::TalkedOver { .. } | PendingKind::Redirection => false,
    }
}

fn to_approval(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    if super::patching::patch(turn, question, words, grounding) || super::about::answered(turn, question, words) {
        return true;
    }
    // The codes of the card say what to do with the plan, and not yet how it should be.
    let is_code = ["modify", "replan", "re-plan"].contains(&words.trim().to_lowercase().as_str());
    if is_code && !turn.policy.no_ends {
        if answer::is_entitled(turn, question) {
            answer::reject(turn, question, None);
        }
        return true;
    }
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    note_reply(turn, question, &reply);
    let decides = !matches!(reply, Reply::Cancel | Reply::Hold | Reply::Question | Reply::Other);
    if decides && !answer::is_entitled(turn, question) {
        return true;
    }
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } if question.digressed => {
            super::say::remind(turn, question, "Do you mean the plan?");
            turn.note(
                Outcome::Asked,
                "The talk went elsewhere since the plan was shown, so the yes was not taken for it.",
            );
        }
        Reply::Likely => super::say::ask_back(turn, question),
        Reply::Approve => answer::approve(turn, question, None),
        Reply::ApproveWithNote { note } => answer::approve(turn, question, Some(note)),
        // What a word means outlives the plan at hand: it is learned, and the plan is drafted anew with it.
        Reply::Change { .. } if states(turn, words, &context) => return false,
        Reply::Change { change } => act::refine(turn, &change, grounding),
        Reply::Reject => answer::reject(turn, question, None),
        Reply::Cancel => super::control::cancel(turn),
        Reply::Hold => answer::hold(turn, question),
        Reply::Question => {
            ask_aside(turn, words, grounding);
        }
        Reply::Other => return false,
    }
    true
}

fn to_forget(
    turn: &mut Turn<'_>,
    question: &Pending,
    name: &crate::FactName,
    words: &str,
    grounding: &[String],
) -> bool {
    let reply = turn.reader.reply(words, &turn.read_context(grounding));
    note_reply(turn, question, &reply);
    super::facts::to_forget(turn, question, name, &reply)
}

/// Whether the words state what something means.
pub(super) fn states(turn: &Turn<'_>, words: &str, context: &crate::ReadContext) -> bool {
    let is_statement = |reading: &Reading| reading.act == Act::Query(crate::QueryKind::Definition);
    matches!(turn.reader.read(words, context), MessageReading::Understood { requests, .. }
        if requests.iter().any(is_statement))
}

/// A question while another one is open: it is answered and what waits stays, even where the question alone would have
/// started a task (CF-20).
pub(super) fn ask_aside(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    let context = turn.read_context(grounding);
    let reading = turn.reader.read(words, &context);
    let asks_for_work = matches!(&reading, MessageReading::Understood { requests, .. }
        if matches!(requests.as_slice(), [only] if matches!(only.act, Act::PlanNew(_))));
    if !asks_for_work && !matches!(reading, MessageReading::Unsure { .. }) {
        follow(turn, words, grounding, reading);
        return;
    }
    note_reading(turn, &reading);
    act::query(turn, words, crate::QueryKind::Plain, None);
}

/// A question that takes free text: a number or label was tried before.
fn to_open_question(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    // Nothing need be different where the world is: the plan is made over what is there now.
    if question.kind == PendingKind::Redirection && UNCHANGED.contains(&text::words(words).join(" ").as_str()) {
        super::learn::redraft(turn);
        turn.note(Outcome::Merged, "Planning it once more, as things stand now.");
        return true;
    }
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    if let Some(number) = plain_choice(question, &reply) {
        note_reply(turn, question, &reply);
        asked_of::choose(turn, question, number);
        return true;
    }
    match reply {
        Reply::Cancel => {
            note_reply(turn, question, &reply);
            // Asked about a change of a run that waits, it is the change that goes.
            if !super::tried::cancelled(turn, question) {
                super::control::cancel(turn);
            }
            return true;
        }
        Reply::Hold => {
            note_reply(turn, question, &reply);
            answer::hold(turn, question);
            return true;
        }
        Reply::Question => {
            note_reply(turn, question, &reply);
            ask_aside(turn, words, grounding);
            return true;
        }
        Reply::Reject if question.kind == PendingKind::Redirection => {
            note_reply(turn, question, &reply);
            super::control::cancel(turn);
            return true;
        }
        Reply::Approve
        | Reply::ApproveWithNote { .. }
        | Reply::Likely
        | Reply::Change { .. }
        | Reply::Reject
        | Reply::Other => {}
    }
    let reading = turn.reader.read(words, &context);
    let clarifies = matches!(question.kind, PendingKind::Clarification { .. });
    let bearing = turn.reader.bearing(words, &context);
    // By a number alone nothing is asked and nothing ordered, whatever such a message is likest to.
    let is_number = words.chars().any(char::is_numeric) && !words.chars().any(char::is_alphabetic);
    let is_mere_value = clarifies && is_number;
    let is_word = clarifies && text::words(words).len() == 1;
    if !is_mere_value && (is_something_else(&reading, bearing, is_word) || (clarifies && bearing.changes)) {
        return false;
    }
    note_reading(turn, &reading);
    asked_of::say(turn, question, words);
    true
}

/// Commands and questions are not swallowed as the answer to an open question, nor is what the assistant takes for a
/// request of its own. Everything else is what the question asked for; so is one word that is only like a command, as
/// “txt” is like “help” where nothing else is likelier.
fn is_something_else(reading: &MessageReading, bearing: Bearing, is_word: bool) -> bool {
    match reading {
        MessageReading::Understood { requests, .. } => requests.iter().any(|request| match request.act {
            Act::Control(_) => !is_word || request.tier != Tier::Exemplar,
            Act::Query(_) => true,
            Act::PlanNew(_) => bearing.asks,
            Act::PlanContinue => false,
        }),
        MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. } => true,
        MessageReading::Unsure { .. } | MessageReading::Empty => false,
    }
}

fn to_exit(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    note_reply(turn, question, &reply);
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => answer::leave(turn, question),
        Reply::Reject | Reply::Cancel => answer::stay(turn, question),
        Reply::Likely => super::say::ask_back(turn, question),
        Reply::Hold => answer::hold(turn, question),
        Reply::Change { .. } | Reply::Question | Reply::Other => {
            turn.close(question.id, Resolution::Superseded);
            return false;
        }
    }
    true
}

/// Reads the words and does what they ask.
pub(super) fn read(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    let reading = turn.reader.read(words, &turn.read_context(grounding));
    follow(turn, words, grounding, reading);
}

/// Does what a reading of the words asks for.
pub(super) fn follow(turn: &mut Turn<'_>, words: &str, grounding: &[String], reading: MessageReading) {
    // "Why was that read so?" is about the message before it.
    if !asks_why(&reading) {
        selected::note(turn, words, grounding);
        note_reading(turn, &reading);
    }
    match reading {
        MessageReading::Understood { requests, .. } => {
            let resets = |request: &Reading| request.act == Act::Control(crate::Control::Reset);
            let is_alone = requests.iter().all(resets);
            // What was learned to mean it may as well be an answer: "all of them".
            let may_answer = |request: &Reading| request.tier == Tier::Exemplar && turn.state().question().is_some();
            let may_answer: Vec<bool> = requests.iter().map(may_answer).collect();
            for (request, may_answer) in requests.iter().zip(may_answer) {
                // "Clear; and the totals?" hardly asks to forget all that was said, and that cannot be taken back.
                if resets(request) && (!is_alone || may_answer) {
                    let said = text::clip(&request.segment, limits::QUOTE_WIDTH);
                    turn.say(format!("“{said}” did not forget anything: /reset alone does that."), None);
                    continue;
                }
                act::act(turn, request, grounding);
            }
        }
        MessageReading::Unsure { options } => unsure(turn, words, grounding, options),
        MessageReading::UnknownCommand { command, nearest } => {
            let guess = nearest.map_or_else(String::new, |nearest| format!(" Did you mean {nearest}?"));
            turn.refuse(format!("There is no command {command}.{guess} /help lists all of them."));
        }
        MessageReading::Bare { command, asks } => {
            turn.say(format!("{asks} Say it behind the command: “{command} …”."), None);
            turn.note(Outcome::Asked, asks);
        }
        MessageReading::Empty => turn.refuse("There was nothing to read in that. Type a question, or /help."),
    }
}

/// Whether it asks why the message before it was read as it was.
pub(super) fn asks_why(reading: &MessageReading) -> bool {
    matches!(reading, MessageReading::Understood { requests, .. }
        if requests.iter().any(|request| request.act == Act::Control(crate::Control::Why)))
}

fn unsure(turn: &mut Turn<'_>, words: &str, grounding: &[String], options: Vec<Reading>) {
    if let Some(question) = turn.state().question().cloned() {
        super::say::remind(turn, &question, "I could not tell what that means for the open question.");
        turn.note(Outcome::Asked, "Not understood as an answer; the question stays open.");
        return;
    }
    if super::talk::begins_with(turn, words) {
        return;
    }
    let has_plan = turn.state().plan().is_some();
    let mut options: Vec<Reading> =
        options.into_iter().filter(|option| has_plan || option.act != Act::PlanContinue).collect();
    // What comes to the same is offered once.
    let labels: Vec<String> = options.iter().map(super::say::reading_label).collect();
    let mut at = 0;
    options.retain(|_| {
        at += 1;
        !labels[..at - 1].contains(&labels[at - 1])
    });
    if options.is_empty() {
        turn.refuse("I did not understand that. /help shows what can be asked here.");
        return;
    }
    if likely::asks_elsewhere(words, grounding, &options) {
        act::query(turn, words, crate::QueryKind::Plain, None);
        return;
    }
    if let Some(likely) = likely::alone(turn, &options) {
        act::act(turn, &likely, grounding);
        return;
    }
    let choices = reading_choices(&options);
    let kind = PendingKind::WhichReading { text: words.to_owned(), options, grounding: grounding.to_vec() };
    let pending = turn.ask(kind);
    let quoted = text::clip(words, limits::QUOTE_WIDTH);
    turn.say(
        format!("I am not sure what you mean by “{quoted}”. Which is it? Or say it in other words."),
        Some(Card::Question { reference: pending.reference(), choices }),
    );
    turn.note(Outcome::Asked, "Asked which of several readings is meant.");
    super::hearing::begin(turn, &pending);
}

pub(super) fn reading_choices(options: &[Reading]) -> Vec<Choice> {
    options.iter().map(|option| Choice::new(option.intent.clone(), super::say::reading_label(option))).collect()
}

fn note_reading(turn: &mut Turn<'_>, reading: &MessageReading) {
    if let Some(message) = turn.message() {
        turn.emit(Event::MessageRead { message, reading: reading.clone() });
    }
}

/// The choice of a reading is kept as the reading of the message that chose it, so that the log says which of the
/// options was meant: profiles learn from that.
pub(super) fn note_choice(turn: &mut Turn<'_>, chosen: &Reading) {
    let chosen = || vec![chosen.clone()];
    note_reading(turn, &MessageReading::Understood { requests: chosen(), segments: chosen() });
}

pub(super) fn note_reply(turn: &mut Turn<'_>, question: &Pending, reply: &Reply) {
    if let Some(message) = turn.message() {
        turn.emit(Event::ReplyRead { message, pending: question.id, reply: reply.clone() });
    }
}

/// What says that the same is wanted again.
const UNCHANGED: [&str; 8] = [
    "the same again",
    "same again",
    "the same",
    "as before",
    "nothing",
    "nothing different",
    "plan it again",
    "just plan it again",
];

/// A bare yes or no is this short.
const BARE_WORDS_MAX: usize = 2;

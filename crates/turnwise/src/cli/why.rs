//! `turnwise why`: how a message is or was read and why, with scores, thresholds and what would have changed it. Of a
//! kept message the recorded reading is shown; the runner-up is worked out anew, by the profile of today. Next: `past`,
//! `turnwise_intent`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use turnwise_core::{Card, MessageReading, ModelCall, ReadContext, Reader as _, Reading, Reply, Tier};
use turnwise_intent::classify::{Context, Details, classify};
use turnwise_intent::{IntentReader, Label, NOTHING, Profile};

use super::args::StoreArguments;
use super::fitted::FittedShown;
use super::{embedder, open, past, tell};
use crate::assistant::DEFAULT;
use crate::channel::draw::{Look, Paint, card, paint, visible};
use crate::driver::{Clock, SystemClock};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise why`.
#[derive(Clone, Debug, Args)]
pub struct WhyArguments {
    /// The conversation, by its id or the beginning of it; the last one if left out
    #[arg(value_name = "CONVERSATION", conflicts_with = "text")]
    pub conversation: Option<String>,
    /// The number of the message in it, from 1; the last one that was read if left out
    #[arg(value_name = "TURN")]
    pub turn: Option<usize>,
    /// The assistant whose profile reads the text
    #[arg(long, value_name = "NAME", default_value = DEFAULT, requires = "text")]
    pub assistant: String,
    /// The message
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Print what was sent to language models for it and what they answered, where that was kept
    #[arg(long, conflicts_with = "text")]
    pub show_prompts: bool,
    /// The file the conversation is kept in, instead of the state folder
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    pub db: Option<PathBuf>,
}

/// Prints the readings of `--text`, or of a kept message.
///
/// # Errors
/// When there is no such assistant, conversation or message.
pub async fn why(arguments: WhyArguments) -> Result<ExitCode, Failure> {
    match &arguments.text {
        Some(text) => {
            let reader = open::reader(&arguments.assistant)?;
            let reading = reader.read(text, &ReadContext::default());
            explain(&reader, reading)?;
            if let Some(does) = does_with_it(&reader, text) {
                tell(&does)?;
            }
        }
        None => of_the_past(&arguments).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn of_the_past(arguments: &WhyArguments) -> Result<(), Failure> {
    let driver = open::driver(&StoreArguments { db: arguments.db.clone(), ephemeral: false })?;
    let store = driver.store();
    let conversation = past::conversation(store.as_ref(), arguments.conversation.as_deref()).await?;
    let messages = past::messages(store.as_ref(), &conversation.id).await?;
    let is_read = |past: &&past::Past| past.reading.is_some() || past.reply.is_some();
    let found = match arguments.turn {
        Some(turn) => turn.checked_sub(1).and_then(|at| messages.get(at)).ok_or_else(|| {
            let problem = format!("conversation {} has no message {turn}", conversation.id);
            Failure::new(FailureKind::Usage, problem).hint(format!("it has {}", messages.len()))
        }),
        None => messages.iter().rfind(is_read).ok_or_else(|| {
            Failure::new(FailureKind::Usage, format!("no message of conversation {} was read", conversation.id))
        }),
    }?;
    tell(&format!("{}, message {}: \"{}\"", conversation.id, found.message.number(), visible(&found.text)))?;
    tell(&format!("Said {}.", visible(&found.by.told(SystemClock.now()))))?;
    for (question, how) in &found.ended {
        tell(&format!("It ended {question}: {}.", how.word()))?;
    }
    if let Some(reply) = &found.reply {
        tell(&format!("As a reply to the open question: {}.", reply_word(reply)))?;
    }
    match &found.reading {
        Some(reading) => explain(&open::reader(conversation.assistant.as_str())?, reading.clone())?,
        None if found.reply.is_none() => {
            tell("It was not read: it was a decision by number or button.")?;
        }
        None => {}
    }
    calls(&found.calls, arguments.show_prompts)
}

/// The calls of models that were made for a message: what each took, and what was sent where that is wanted and kept.
fn calls(calls: &[Arc<ModelCall>], prompts: bool) -> Result<(), Failure> {
    if calls.is_empty() {
        return if prompts { tell("No language model was asked for it.") } else { Ok(()) };
    }
    tell("Language models were asked:")?;
    for call in calls {
        if prompts && call.kept.is_some() {
            call.exchange_told().lines().try_for_each(|line| tell(&visible(line)))?;
        } else {
            tell(&format!("  {}", visible(&call.told())))?;
        }
    }
    if prompts && calls.iter().any(|call| call.kept.is_none()) {
        tell(
            "What was sent is kept only where that was asked for: begin with --show-prompts, or set \
             `show_prompts: true` below `model:` in turnwise.yaml.",
        )?;
    }
    Ok(())
}

fn explain(reader: &IntentReader, reading: MessageReading) -> Result<(), Failure> {
    let is_sure = matches!(reading, MessageReading::Understood { .. });
    let (heading, readings) = match reading {
        MessageReading::Understood { requests, segments } => {
            let does = if requests.len() == segments.len() { "" } else { " (later words overrule earlier ones)" };
            (format!("Understood{does}:"), segments)
        }
        MessageReading::Unsure { options } => {
            ("Not sure enough to act; it would ask. The likely readings:".into(), options)
        }
        MessageReading::UnknownCommand { command, nearest } => {
            let near = nearest.map(|nearest| format!("; the nearest is {nearest}")).unwrap_or_default();
            (format!("There is no command {command}{near}."), Vec::new())
        }
        MessageReading::Bare { command, asks } => (format!("{asks} Nothing stands behind {command}."), Vec::new()),
        MessageReading::Empty => ("There is nothing to read.".to_owned(), Vec::new()),
    };
    tell(&visible(&heading))?;
    for (at, mut reading) in readings.into_iter().enumerate() {
        let thresholds = thresholds(reader.profile(), &reading);
        // Of options that are offered, the first says for all what was missing and what is near.
        let otherwise = if is_sure || at == 0 { otherwise(reader, &reading) } else { None };
        if !is_sure && at > 0 {
            reading.nearest.clear();
        }
        for line in card(&Card::Why { readings: vec![reading] }, Look::pipe()) {
            tell(&paint(&line, Paint::Plain))?;
        }
        tell(&format!("    {thresholds}"))?;
        if let Some(otherwise) = otherwise {
            tell(&format!("    {otherwise}"))?;
        }
    }
    if !reader.is_compiled_in() {
        tell(&format!("embedding model: {}", reader.embedder().model_name()))?;
    }
    if let Some(note) = embedder::set_aside(reader) {
        tell(&format!("note: {note}"))?;
    }
    for (name, value) in FittedShown::of(reader).iter().flat_map(FittedShown::lines) {
        tell(&format!("{name}: {value}"))?;
    }
    Ok(())
}

/// What the assistant's own rules come to, where it has some: they look at more than the reading, and may overrule it.
fn does_with_it(reader: &IntentReader, text: &str) -> Option<String> {
    let found = classify(reader, text, &Context::default());
    if matches!(found.details, Details::Plain {}) {
        return None;
    }
    let sub = found.sub.map(|sub| format!(".{sub}")).unwrap_or_default();
    let (assistant, behaviour) = (found.assistant, found.behaviour.code());
    let (intent, sure, reason) = (found.intent, found.confidence, visible(&found.reason));
    let asks = found.choices.map(|asked| format!("; asks \"{}\"", asked.question)).unwrap_or_default();
    Some(format!("What {assistant} does with it: {behaviour}, as {intent}{sub} at {sure:.2}: {reason}{asks}"))
}

/// What the reading had to reach to be acted on, and where that comes from.
fn thresholds(profile: &Profile, reading: &Reading) -> String {
    let named = |label: &Label| {
        let from = profile.threshold_origin(label).word();
        format!("{label} {:.2} ({from})", profile.threshold(label))
    };
    let primary = Label::primary(&reading.intent);
    let sub = reading.sub.is_some().then(|| Label { primary: reading.intent.clone(), sub: reading.sub.clone() });
    let of_sub = sub.map(|sub| format!(", {}", named(&sub))).unwrap_or_default();
    format!("threshold {}{of_sub}", named(&primary))
}

/// What would have changed the reading; nothing changes a command.
fn otherwise(reader: &IntentReader, reading: &Reading) -> Option<String> {
    let likely = match reading.tier {
        Tier::Slash => return None,
        Tier::Rule | Tier::Exemplar | Tier::Model | Tier::Person => reader.likelihoods(&reading.segment).ok()?,
    };
    let named = |(name, p): &(String, f32)| {
        let name = if name == NOTHING { "nothing for this assistant" } else { name };
        format!("{name} at {p:.2}")
    };
    if reading.tier == Tier::Rule {
        return Some(format!("without the rule, by exemplars alone: {}", named(likely.first()?)));
    }
    let runner_up = likely.iter().find(|(name, _)| *name != reading.intent)?;
    let distance = reading.confidence.value() - reader.profile().threshold(&Label::primary(&reading.intent));
    let verdict = if distance >= 0.0 {
        format!("{distance:.2} less would be below its threshold")
    } else {
        format!("{:.2} more would reach its threshold", -distance)
    };
    let ahead = reading.confidence.value() - runner_up.1;
    let place = if ahead >= 0.0 { "behind" } else { "ahead" };
    Some(format!("runner-up {}, {:.2} {place}; {verdict}", named(runner_up), ahead.abs()))
}

fn reply_word(reply: &Reply) -> &'static str {
    match reply {
        Reply::Approve => "yes",
        Reply::ApproveWithNote { .. } => "yes, with a note",
        Reply::Change { .. } => "a change",
        Reply::Reject => "no",
        Reply::Cancel => "drop it",
        Reply::Question => "a question",
        Reply::Hold => "hold on",
        Reply::Likely => "likely a yes; it is asked back",
        Reply::Other => "no answer to it",
    }
}

//! `turnwise replay`: what other exemplars would make of the messages of past conversations. Each is read where it was
//! said, once by today's profile and once by the candidate, so that whatever differs is the candidate's doing and not
//! that of anything that changed since. Nothing is written. Next: `replayed` for where a message was said.

use std::process::ExitCode;

use serde::Serialize;
use turnwise_core::{MessageReading, Reader as _};
use turnwise_intent::edit::with_exemplars;
use turnwise_intent::evaluate::Answer;
use turnwise_intent::{Exemplar, IntentReader, Profile, levelled};

use super::args::{ReplayArguments, StoreArguments};
use super::exemplars::conversations;
use super::own::{Own, ProfileFile};
use super::replayed::{Replayed, messages};
use super::{open, profiles, tell};
use crate::channel::draw::visible;
use turnwise_assistant::{Failure, FailureKind};

/// How a message is read.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Read {
    /// Whether it would be acted on, without a question first.
    acts: bool,
    /// What would be done, in order; when it would ask, the likeliest reading.
    labels: Vec<String>,
    /// Probability of the principal one.
    confidence: f32,
}

/// A message that would be read differently.
#[derive(Clone, Debug, Serialize)]
struct Change {
    conversation: String,
    message: u64,
    text: String,
    before: Read,
    after: Read,
    consequence: Consequence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Consequence {
    ActsInsteadOfAsking,
    AsksInsteadOfActing,
    ActsOtherwise,
}

/// Everything that is reported.
#[derive(Debug, Default, Serialize)]
struct Report {
    assistant: String,
    exemplars: String,
    added: bool,
    conversations: usize,
    messages: usize,
    changed: Vec<Change>,
    /// Messages that are asked about either way, with another likeliest reading.
    asked_otherwise: usize,
}

/// Reads again and reports; exit code 1 for changes when that was asked for.
///
/// # Errors
/// When there is no such assistant, the candidate is no exemplars file, or whatever the store says.
pub async fn replay(arguments: ReplayArguments) -> Result<ExitCode, Failure> {
    let own = Own::of(&arguments.assistant)?;
    let today = profiles::reader(&arguments.assistant)?;
    let candidate = profiles::reader_of(&arguments.assistant, candidate(&arguments, &own)?, &today)?;
    let driver = open::driver(&StoreArguments { db: arguments.db.clone(), ephemeral: false })?;
    let store = driver.store();
    let mut report = Report {
        assistant: arguments.assistant.clone(),
        exemplars: arguments.exemplars.display().to_string(),
        added: arguments.add,
        ..Report::default()
    };
    for id in conversations(store.as_ref()).await? {
        let Some(said) = messages(store.as_ref(), &id, today.profile()).await? else { continue };
        report.conversations += 1;
        said.iter().for_each(|one| compare(&mut report, id.as_str(), one, &today, &candidate));
    }
    if arguments.json {
        let json = serde_json::to_string_pretty(&report).map_err(|error| {
            Failure::new(FailureKind::Defect, "the report cannot be put into JSON").caused_by(error)
        })?;
        tell(&json)?;
    } else {
        tell(text(&report).trim_end())?;
    }
    let fails = arguments.fail_on_change && !report.changed.is_empty();
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The profile with the exemplars of the file, in place of today's or beside them.
fn candidate(arguments: &ReplayArguments, own: &Own) -> Result<Profile, Failure> {
    let file = arguments.exemplars.display();
    let wrong = |problem: String| {
        Failure::new(FailureKind::Usage, format!("{file}: {problem}"))
            .hint("the file is written like exemplars.yaml: a label, and below it a list of messages")
    };
    let text = std::fs::read_to_string(&arguments.exemplars)
        .map_err(|error| wrong(format!("it cannot be read ({error})")).caused_by(error))?;
    let profile = Profile::parse(own.text(ProfileFile::Assistant), &text).map_err(|error| wrong(error.to_string()))?;
    if profile.exemplars.is_empty() {
        return Err(wrong("it has no exemplars".to_owned()));
    }
    if !arguments.add {
        return Ok(profile);
    }
    let there = own.profile()?;
    let is_new = |one: &Exemplar| {
        !there.exemplars.iter().any(|old| old.label == one.label && levelled(&old.text) == levelled(&one.text))
    };
    let new: Vec<Exemplar> = profile.exemplars.into_iter().filter(is_new).collect();
    let text = with_exemplars(own.text(ProfileFile::Exemplars), &new).map_err(|error| wrong(error.to_string()))?;
    Profile::parse(own.text(ProfileFile::Assistant), &text).map_err(|error| wrong(error.to_string()))
}

fn compare(report: &mut Report, conversation: &str, said: &Replayed, today: &IntentReader, candidate: &IntentReader) {
    report.messages += 1;
    let before = Read::of(&today.read(&said.text, &said.context));
    let after = Read::of(&candidate.read(&said.text, &said.context));
    let consequence = match (before.acts, after.acts) {
        _ if before.acts == after.acts && before.labels == after.labels => return,
        (false, false) => {
            report.asked_otherwise += 1;
            return;
        }
        (false, true) => Consequence::ActsInsteadOfAsking,
        (true, false) => Consequence::AsksInsteadOfActing,
        (true, true) => Consequence::ActsOtherwise,
    };
    report.changed.push(Change {
        conversation: conversation.to_owned(),
        message: said.message.number(),
        text: said.text.clone(),
        before,
        after,
        consequence,
    });
}

impl Read {
    fn of(reading: &MessageReading) -> Self {
        let answer = Answer::of(reading);
        let labels = match reading {
            MessageReading::Understood { requests, .. } => {
                let label = |one: &turnwise_core::Reading| match &one.sub {
                    Some(sub) => format!("{}.{sub}", one.intent),
                    None => one.intent.clone(),
                };
                requests.iter().map(label).collect()
            }
            _ => answer.label.iter().map(ToString::to_string).collect(),
        };
        Self { acts: answer.acted_on, labels, confidence: answer.confidence }
    }

    fn words(&self) -> String {
        match (self.acts, self.labels.join(", then ")) {
            (true, labels) => format!("acts: {labels} at {:.2}", self.confidence),
            (false, likeliest) if likeliest.is_empty() => "asks; nothing is likely".to_owned(),
            (false, likeliest) => format!("asks; likeliest {likeliest} at {:.2}", self.confidence),
        }
    }
}

fn text(report: &Report) -> String {
    let count = |number: usize, noun: &str| turnwise_core::text::count(number, noun);
    let how = if report.added { "added to today's exemplars" } else { "in place of today's exemplars" };
    let (messages, conversations) = (count(report.messages, "message"), count(report.conversations, "conversation"));
    let mut out = format!("{messages} of {conversations} read again with {} {how}\n", visible(&report.exemplars));
    let of = |wanted: Consequence| report.changed.iter().filter(|change| change.consequence == wanted).count();
    let (acts, asks) = (of(Consequence::ActsInsteadOfAsking), of(Consequence::AsksInsteadOfActing));
    let otherwise = of(Consequence::ActsOtherwise);
    out += &format!(
        "{} read differently: {acts} acted on instead of asking, {asks} asked about instead of acting, \
         {otherwise} acted on otherwise\n",
        report.changed.len()
    );
    if report.asked_otherwise > 0 {
        out += &format!("{} asked about either way, with other options first\n", report.asked_otherwise);
    }
    for change in &report.changed {
        let Change { conversation, message, text, before, after, .. } = change;
        out += &format!("\n  {conversation}, message {message}: \"{}\"\n", visible(text));
        out += &format!("    before  {}\n    after   {}\n", before.words(), after.words());
    }
    out
}

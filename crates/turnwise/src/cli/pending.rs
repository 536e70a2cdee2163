//! `turnwise pending`: what waits for a decision, with what would run and how it is answered from another shell.
//! Next: `waiting` for how questions are named, `decide` for answering them.

use std::process::ExitCode;

use serde::Serialize;
use turnwise_core::{Card, Choice, Envelope, PendingKind, PersonId, Plan, Timestamp, text};

use super::args::{PendingArguments, StoreArguments};
use super::listed::{look, put};
use super::open;
use super::waiting::{self, Waiting};
use crate::channel::draw::{Line, Look, Tone, card, wrap};
use crate::driver::reference::digest;
use crate::driver::{Clock, Driver, Reference, SystemClock};
use turnwise_assistant::{Failure, FailureKind};

/// Lists what waits.
///
/// # Errors
/// When the store cannot be read, or the named conversation is not there.
pub async fn pending(arguments: PendingArguments) -> Result<ExitCode, Failure> {
    let driver = open::driver(&StoreArguments { db: arguments.db.clone(), ephemeral: false })?;
    let listed = list(&driver, &arguments).await;
    driver.shutdown().await?;
    listed?;
    Ok(ExitCode::SUCCESS)
}

async fn list(driver: &Driver, arguments: &PendingArguments) -> Result<(), Failure> {
    let store = driver.store();
    let conversation = match &arguments.conversation {
        Some(named) => Some(super::past::conversation(store.as_ref(), Some(named)).await?.id),
        None => None,
    };
    let waiting = waiting::all(store.as_ref(), conversation.as_ref().map(|id| id.as_str())).await?;
    let key = store.signing_key().await?;
    let sign = |it: &Waiting| Reference::sign(&key, &it.summary.id, &it.state, &it.pending).to_string();
    if arguments.json {
        let items: Vec<Item> = waiting.iter().map(|it| Item::of(it, sign(it))).collect();
        let json = serde_json::to_string(&items)
            .map_err(|error| Failure::new(FailureKind::Defect, "the list cannot be put into JSON").caused_by(error))?;
        return put(&[Line::of(&json, Tone::Plain)]);
    }
    if waiting.is_empty() {
        put(&[Line::of("Nothing waits for a decision.", Tone::Plain)])?;
    }
    let now = SystemClock.now();
    waiting.iter().try_for_each(|it| put(&lines(it, &sign(it), now, look().whole())))
}

fn lines(it: &Waiting, reference: &str, now: Timestamp, look: Look) -> Vec<Line> {
    let title = it.summary.title.clone().unwrap_or_default();
    let head = Line::of(&it.short, Tone::Strong).with(&format!("  {title}"), Tone::Plain);
    let mut lines = vec![head.with(&format!("  ({})", circumstances(it, now)), Tone::Dim)];
    lines.extend(asked(it, look));
    lines.extend(wrap(&ways_on(it), look.width).iter().map(|words| Line::of(words, Tone::Accent)));
    lines.push(Line::of(&format!("reference: {reference}"), Tone::Dim));
    lines.push(Line::default());
    lines
}

fn circumstances(it: &Waiting, now: Timestamp) -> String {
    let mut parts = vec![it.summary.assistant.to_string()];
    parts.extend(it.pending.since.map(|since| format!("waits since {}", text::moment(since, now))));
    parts.extend(it.pending.expires.map(|at| {
        let verb = if at <= now { "expired at" } else { "expires at" };
        format!("{verb} {}", text::moment(at, now))
    }));
    if !it.pending.approvers.is_empty() {
        let names: Vec<&str> = it.pending.approvers.iter().map(PersonId::as_str).collect();
        parts.push(format!("only {} may decide", names.join(" or ")));
    }
    parts.join(", ")
}

/// The question as the conversation puts it, without the invitation to type.
fn asked(it: &Waiting, look: Look) -> Vec<Line> {
    let Some((said, shown)) = it.state.asked(&it.pending) else { return Vec::new() };
    match shown {
        Some(Card::Plan(mut plan)) => {
            plan.reference = None;
            card(&Card::Plan(plan), look)
        }
        shown => crate::channel::draw::said(&said, shown.as_ref(), look),
    }
}

fn ways_on(it: &Waiting) -> String {
    let short = &it.short;
    match &it.pending.kind {
        PendingKind::Approval { .. } => {
            format!(
                "turnwise approve {short} runs it · turnwise reject {short} · turnwise answer {short} WHAT TO CHANGE"
            )
        }
        PendingKind::Failure { .. } => format!("turnwise answer {short} retry, replan or abandon"),
        PendingKind::Paused { .. } => format!("turnwise answer {short} resume, stop, or what to change"),
        PendingKind::Satisfaction { .. } => format!("turnwise answer {short} yes, or what should be different"),
        PendingKind::Clarification { .. } | PendingKind::WhichReading { .. } | PendingKind::UnknownOutcome { .. } => {
            format!("turnwise answer {short} NUMBER or WORDS")
        }
        PendingKind::TalkedOver { .. } => {
            format!("turnwise approve {short} has it planned, or turnwise answer {short} and what else to note")
        }
        PendingKind::Redirection => format!("turnwise answer {short} WHAT SHOULD BE DIFFERENT"),
        PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => format!("turnwise answer {short} yes or no"),
    }
}

/// What `--json` prints of each question.
#[derive(Serialize)]
struct Item<'a> {
    /// What it is called here.
    id: &'a str,
    reference: String,
    conversation: &'a str,
    assistant: &'a str,
    title: Option<&'a str>,
    question: String,
    choices: Vec<Choice>,
    kind: &'a PendingKind,
    /// What would run.
    plan: Option<&'a Plan>,
    /// SHA-256 of what is decided on, in canonical form.
    digest: String,
    ui_version: u32,
    /// Milliseconds since 1970, as the other times.
    since: Option<Timestamp>,
    expires: Option<Timestamp>,
    approvers: &'a [PersonId],
    sources: &'a [String],
}

impl<'a> Item<'a> {
    fn of(it: &'a Waiting, reference: String) -> Self {
        let envelope = Envelope::of(&it.summary.id, &it.state, &it.pending);
        let (question, shown) = it.state.asked(&it.pending).unwrap_or_default();
        let choices = match shown {
            Some(Card::Question { choices, .. } | Card::Failure { choices, .. }) => choices,
            Some(_) | None => Vec::new(),
        };
        Self {
            id: &it.short,
            reference,
            conversation: it.summary.id.as_str(),
            assistant: it.summary.assistant.as_str(),
            title: it.summary.title.as_deref(),
            question,
            choices,
            kind: &it.pending.kind,
            plan: it.state.plan().map(AsRef::as_ref).filter(|_| envelope.plan.is_some()),
            digest: digest(&envelope).iter().map(|byte| format!("{byte:02x}")).collect(),
            ui_version: it.pending.ui_version,
            since: it.pending.since,
            expires: it.pending.expires,
            approvers: &it.pending.approvers,
            sources: it.state.sources(),
        }
    }
}

//! Models that are asked while work is performed: every call goes into the log of its conversation as an input of its
//! own, so that it is there whatever becomes of the work; and what is being written is shown to whoever looks on,
//! beside the log, because nothing of it was checked. Next: `perform`, `turnwise_model::Watch`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use turnwise_core::{Exchange, Input, InputBody, MessageId, ModelCall, Origin, Report, Sent, Tokens};
use turnwise_model::{By, Call, Live, Role, Stage, Usage, Watch};

use super::cell::Cell;
use super::limits;
use super::perform::report_key;
use super::traced::Trace;

/// What a model is writing now, or a program prints that a step runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writing {
    /// Who writes.
    pub by: Writer,
    /// What was written so far, without the beginning where it is long; nothing of it was checked.
    pub text: String,
}

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writer {
    /// A model.
    Model {
        /// What it is written for, as `answer`.
        task: String,
        /// Its name.
        name: String,
    },
    /// A program, as one would type it.
    Program(String),
}

/// What is being written in a conversation, for whoever looks on. One answer at a time: of several that are written
/// side by side the first is shown.
#[derive(Debug)]
pub(super) struct Board {
    shown: watch::Sender<Option<Arc<Writing>>>,
    writer: Mutex<Option<u64>>,
    next: Mutex<u64>,
}

/// Watches one piece of work.
pub(super) struct Watcher {
    calls: mpsc::UnboundedSender<Call>,
    board: Arc<Board>,
    number: u64,
}

impl Default for Board {
    fn default() -> Self {
        Self { shown: watch::Sender::new(None), writer: Mutex::default(), next: Mutex::default() }
    }
}

impl Board {
    pub(super) fn subscribe(&self) -> watch::Receiver<Option<Arc<Writing>>> {
        self.shown.subscribe()
    }

    fn tell(&self, number: u64, live: Live<'_>) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        match live.stage {
            Stage::Asked if writer.is_none() => {
                *writer = Some(number);
                self.show(&live, String::new());
            }
            Stage::Writing if *writer == Some(number) => {
                let before = self.shown.borrow().as_ref().map(|writing| writing.text.clone()).unwrap_or_default();
                self.show(&live, last(before + live.text));
            }
            Stage::Over if *writer == Some(number) => {
                *writer = None;
                self.shown.send_replace(None);
            }
            Stage::Asked | Stage::Writing | Stage::Over => {}
        }
    }

    fn show(&self, live: &Live<'_>, text: String) {
        let by = match live.by {
            By::Model { task, name } => Writer::Model { task: task.to_string(), name: name.to_string() },
            By::Program(typed) => Writer::Program(typed.to_owned()),
        };
        let writing = Writing { by, text };
        self.shown.send_replace(Some(Arc::new(writing)));
    }
}

/// The end of a text, where it is longer than is shown.
fn last(text: String) -> String {
    match text.len().checked_sub(limits::WRITING_BYTES_MAX) {
        Some(surplus) => text[text.ceil_char_boundary(surplus)..].to_owned(),
        None => text,
    }
}

impl Watcher {
    /// Of a piece of work of `cell`, and the calls it makes as they end.
    pub(super) fn over(cell: &Cell) -> (Arc<dyn Watch>, mpsc::UnboundedReceiver<Call>) {
        let (calls, ended) = mpsc::unbounded_channel();
        let board = Arc::clone(&cell.board);
        let number = {
            let mut next = board.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next += 1;
            *next
        };
        (Arc::new(Self { calls, board, number }), ended)
    }
}

impl Watch for Watcher {
    fn part(&self, live: Live<'_>) {
        self.board.tell(self.number, live);
    }

    fn ended(&self, call: Call) {
        // Nobody takes it in any more when the process ends.
        let _ = self.calls.send(call);
    }
}

/// Records the calls that work which is over still tells of; work that was dropped tells of them as it goes.
pub(super) async fn rest(
    cell: &Arc<Cell>,
    message: Option<MessageId>,
    calls: &mut mpsc::UnboundedReceiver<Call>,
    trace: &Trace,
) {
    let patience = Duration::from_millis(limits::CANCEL_GRACE_MS);
    while let Ok(Some(call)) = tokio::time::timeout(patience, calls.recv()).await {
        record(cell, message, call, trace).await;
    }
}

/// A call goes into the log. One that cannot be stored is trouble that is told; the work itself goes on.
pub(super) async fn record(cell: &Arc<Cell>, message: Option<MessageId>, call: Call, trace: &Trace) {
    let call = kept(message, call);
    cell.shared.print(&call);
    let report = Report::ModelAsked { call };
    let key = report_key(&report);
    let input = Input { key, content_key: None, origin: Origin::default(), body: InputBody::Report(report) };
    let (own, trace) = (Arc::clone(cell), trace.clone());
    let turn = cell.shared.tasks.spawn(async move { own.turn(&input, None, &trace).await });
    if let Ok(Err(error)) = turn.await {
        cell.shared.note_trouble(error);
    }
}

/// What a conversation keeps of a call.
fn kept(message: Option<MessageId>, call: Call) -> ModelCall {
    let Usage { input_tokens, output_tokens, estimated } = call.usage.unwrap_or_default();
    let used = Tokens { input: input_tokens.into(), output: output_tokens.into(), estimated };
    let sent = |message: turnwise_model::Message| Sent { by: word(message.role).to_owned(), text: message.text };
    let kept = call.kept.then(|| Exchange { sent: call.sent.into_iter().map(sent).collect(), answer: call.answer });
    ModelCall {
        message,
        task: call.task.to_string(),
        version: call.version.to_string(),
        model: call.model.to_string(),
        digest: call.digest,
        elapsed_ms: call.elapsed_ms,
        attempts: call.attempts,
        used,
        micros: call.micros,
        problems: call.problems,
        kept,
    }
}

fn word(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

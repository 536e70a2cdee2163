//! Workers: another agent that speaks the Agent Client Protocol does a step in a copy of the repository. What it
//! changed there is a diff that a person decides on; what it wants beyond its copy becomes our question, and until that
//! is decided the step is not done. Nothing of the workspace changes while it works. Next: `copy`, `permission`.

mod copy;
mod permission;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use turnwise_acp::schema::{
    AGENT_METHOD_NAMES as METHODS, CancelNotification, ClientCapabilities, ContentBlock, Implementation,
    InitializeRequest, InitializeResponse, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse,
    SessionNotification, SessionUpdate, StopReason, TextContent,
};
use turnwise_acp::schema::{CLIENT_METHOD_NAMES, Error, RequestPermissionRequest, RequestPermissionResponse};
use turnwise_acp::{Incoming, Peer, PeerError, ProtocolVersion};
use turnwise_assistant::command::{CommandLine, Dialogue, converse};

use crate::edit::Proposal;
use crate::options::WorkerOptions;
use crate::workspace::Workspace;
use copy::Copy;
use permission::Answer;

/// What a worker is to do.
pub(crate) struct Job<'a> {
    /// The workspace it works in a copy of.
    pub workspace: &'a Workspace,
    /// Who.
    pub worker: &'a WorkerOptions,
    /// The task in the person's words.
    pub task: &'a str,
    /// What a person allowed it beyond its copy, by its words.
    pub allowed: &'a [String],
}

/// How it ended.
pub(crate) enum Ended {
    /// It changed files of its copy.
    Changed {
        /// What the workspace would become.
        proposal: Proposal,
        /// What could not be taken over, and what it said.
        told: String,
    },
    /// It changed nothing that could be taken over.
    Nothing {
        /// What could not be.
        left_out: String,
        /// What it said.
        said: String,
    },
    /// It wants something beyond its copy.
    Wants(String),
    /// It did not do it, and why.
    Failed(String),
    /// It was stopped.
    Cancelled,
}

/// What is heard of it while it works.
#[derive(Default)]
struct Heard {
    said: Mutex<String>,
    wants: Mutex<Option<String>>,
}

/// Has it done. Must be called where waiting is fine: it copies files.
pub(crate) async fn run(job: Job<'_>, cancelled: &CancellationToken) -> Ended {
    let copy = match Copy::make(job.workspace) {
        Ok(copy) => copy,
        Err(reason) => return Ended::Failed(reason),
    };
    let ended = converse_in(&job, copy.folder(), cancelled).await;
    match ended {
        Ok(said) => match copy.changes(job.workspace) {
            Ok((proposal, left_out)) if proposal.is_empty() => Ended::Nothing { left_out, said },
            Ok((proposal, left_out)) => {
                let told = [left_out, said].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
                Ended::Changed { proposal, told }
            }
            Err(reason) => Ended::Failed(reason),
        },
        Err(ended) => ended,
    }
}

/// A worker that was started.
struct Line {
    /// Ends it when dropped.
    _running: Dialogue,
    peer: Peer,
    incoming: mpsc::Receiver<Incoming>,
    last_words: LastWords,
}

/// Starts it in `folder`.
///
/// # Errors
/// Why it cannot be started, without a full stop.
fn start(folder: &Path, worker: &WorkerOptions) -> Result<Line, String> {
    let command = typed(worker);
    let (_running, input, output, errors) =
        converse(folder, &command).map_err(|error| format!("`{}` cannot be started: {error}", command.typed()))?;
    let last_words = LastWords::of(errors);
    let (peer, incoming) = Peer::over(output, input);
    Ok(Line { _running, peer, incoming, last_words })
}

fn typed(worker: &WorkerOptions) -> CommandLine {
    let (program, arguments) = worker.command.split_first().map_or(("", &[][..]), |(it, rest)| (it.as_str(), rest));
    CommandLine { program: program.to_owned(), arguments: arguments.to_vec() }
}

/// Speaks with it until it is done; gives what it said.
async fn converse_in(job: &Job<'_>, folder: &Path, cancelled: &CancellationToken) -> Result<String, Ended> {
    let failed = |told: String| Ended::Failed(told);
    let started = start(folder, job.worker).map_err(|told| failed(format!("The worker {told}.")))?;
    let Line { _running, peer, mut incoming, last_words } = started;
    let heard = Heard::default();
    let gave_up = CancellationToken::new();
    let time = Duration::from_secs(u64::from(job.worker.seconds));
    let talk = async {
        let asked = {
            let listening = listen(&mut incoming, &heard, folder, job, &gave_up);
            tokio::select! {
                biased;
                asked = ask(&peer, folder, job.task, &gave_up) => asked,
                () = listening => Err(PeerError::Closed),
            }
        };
        // What it said before its answer is there already.
        while let Ok(incoming) = incoming.try_recv() {
            take(incoming, &heard, folder, job, &gave_up);
        }
        asked
    };
    let asked = tokio::select! {
        biased;
        () = cancelled.cancelled() => return Err(Ended::Cancelled),
        asked = tokio::time::timeout(time, talk) => asked,
    };
    let wanted = heard.wants.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(wanted) = wanted {
        return Err(Ended::Wants(wanted));
    }
    let said = heard.said.lock().unwrap_or_else(PoisonError::into_inner).trim().to_owned();
    match asked {
        Ok(Ok(StopReason::EndTurn)) => Ok(said),
        Ok(Ok(reason)) => Err(failed(format!("The worker stopped before it was done ({reason:?}). It said: {said}"))),
        Ok(Err(error)) => {
            let words = last_words.told();
            Err(failed(format!("The worker `{}` broke off: {error}.{words}", typed(job.worker).typed())))
        }
        Err(_) => Err(failed(format!("The worker was ended after {} seconds.", job.worker.seconds))),
    }
}

/// Starts it in `folder`, says hello and ends it again.
///
/// # Errors
/// Why it cannot be a worker, without a full stop.
pub(crate) async fn greeted(folder: &Path, worker: &WorkerOptions) -> Result<(), String> {
    let Line { _running, peer, last_words, .. } = start(folder, worker)?;
    match tokio::time::timeout(Duration::from_secs(HELLO_SECONDS_MAX), hello(&peer)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            let told = format!("`{}` speaks no Agent Client Protocol: {error}.{}", worker.name(), last_words.told());
            Err(told.trim_end_matches('.').to_owned())
        }
        Err(_) => Err(format!("`{}` said nothing for {HELLO_SECONDS_MAX} seconds", worker.name())),
    }
}

async fn hello(peer: &Peer) -> Result<(), PeerError> {
    let ours = Implementation::new("turnwise", env!("CARGO_PKG_VERSION"));
    let hello =
        InitializeRequest::new(ProtocolVersion::V1).client_capabilities(ClientCapabilities::new()).client_info(ours);
    peer.request::<InitializeResponse>(METHODS.initialize, &hello).await.map(drop)
}

/// Gives it the task, and waits until its turn is over.
async fn ask(peer: &Peer, folder: &Path, task: &str, gave_up: &CancellationToken) -> Result<StopReason, PeerError> {
    hello(peer).await?;
    let begun: NewSessionResponse = peer.request(METHODS.session_new, &NewSessionRequest::new(folder)).await?;
    let prompt = vec![ContentBlock::Text(TextContent::new(task))];
    let prompt = PromptRequest::new(begun.session_id.clone(), prompt);
    let prompting = peer.request::<PromptResponse>(METHODS.session_prompt, &prompt);
    tokio::pin!(prompting);
    tokio::select! {
        biased;
        ended = &mut prompting => return Ok(ended?.stop_reason),
        () = gave_up.cancelled() => peer.notify(METHODS.session_cancel, &CancelNotification::new(begun.session_id)),
    }
    // It is asked to stop, and given a moment for it.
    match tokio::time::timeout(Duration::from_secs(STOP_SECONDS), prompting).await {
        Ok(ended) => Ok(ended?.stop_reason),
        Err(_) => Ok(StopReason::Cancelled),
    }
}

/// Takes what it says and what it asks for, until it says no more.
async fn listen(
    incoming: &mut mpsc::Receiver<Incoming>,
    heard: &Heard,
    folder: &Path,
    job: &Job<'_>,
    gave_up: &CancellationToken,
) {
    while let Some(incoming) = incoming.recv().await {
        take(incoming, heard, folder, job, gave_up);
    }
}

fn take(incoming: Incoming, heard: &Heard, folder: &Path, job: &Job<'_>, gave_up: &CancellationToken) {
    match incoming {
        Incoming::Notification { method, params } if method == CLIENT_METHOD_NAMES.session_update => {
            if let Ok(told) = serde_json::from_str::<SessionNotification>(params.get()) {
                heard.take(told.update);
            }
        }
        Incoming::Notification { .. } => {}
        Incoming::Request(asked) if asked.method == CLIENT_METHOD_NAMES.session_request_permission => {
            let request = asked.read::<RequestPermissionRequest>();
            let answer = request.map(|request| permission::answer(&request, folder, job));
            asked.answer(answer.map(|answer| match answer {
                Answer::Given(outcome) => RequestPermissionResponse::new(outcome),
                Answer::AskedOfPerson { words, outcome } => {
                    *heard.wants.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
                    gave_up.cancel();
                    RequestPermissionResponse::new(outcome)
                }
            }));
        }
        Incoming::Request(asked) => asked.answer::<()>(Err(Error::method_not_found())),
    }
}

impl Heard {
    fn take(&self, update: SessionUpdate) {
        if let SessionUpdate::AgentMessageChunk(chunk) = update
            && let ContentBlock::Text(text) = chunk.content
        {
            let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
            let room = SAID_BYTES_MAX.saturating_sub(said.len());
            said.push_str(turnwise_core::text::within(&text.text, room));
        }
    }
}

/// The end of what it says of errors.
#[derive(Clone, Default)]
struct LastWords(Arc<Mutex<String>>);

impl LastWords {
    /// Of what comes over a pipe, on a thread that ends with it.
    fn of(mut errors: impl std::io::Read + Send + 'static) -> Self {
        let kept = Self::default();
        let into = kept.clone();
        std::thread::spawn(move || {
            let mut piece = vec![0; ERROR_BYTES_MAX];
            while let Ok(length @ 1..) = errors.by_ref().read(&mut piece) {
                into.take(&piece[..length]);
            }
        });
        kept
    }

    fn take(&self, piece: &[u8]) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_str(&String::from_utf8_lossy(piece));
        let over = last.len().saturating_sub(ERROR_BYTES_MAX);
        let cut = (over..=last.len()).find(|at| last.is_char_boundary(*at)).unwrap_or(last.len());
        last.drain(..cut);
    }

    /// As a further sentence; empty where there are none.
    fn told(&self) -> String {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match last.trim() {
            "" => String::new(),
            words => format!(" Its last words: {words}"),
        }
    }
}

/// Bytes of what it says that are kept.
const SAID_BYTES_MAX: usize = 8_000;
/// Bytes of its last errors that are kept.
const ERROR_BYTES_MAX: usize = 2_000;
/// How long it may take to answer a hello.
const HELLO_SECONDS_MAX: u64 = 30;
/// How long it may take to stop.
const STOP_SECONDS: u64 = 5;

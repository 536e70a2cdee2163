//! Requests of an editor: sessions, their modes, and prompts. Each is answered on its own, so that a prompt that waits
//! for a person keeps nothing else from being answered. Next: `prompt`.

use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use turnwise_acp::schema::{
    AGENT_METHOD_NAMES as METHODS, AgentCapabilities, AvailableCommand, AvailableCommandInput, AvailableCommandsUpdate,
    CancelNotification, CloseSessionRequest, CloseSessionResponse, DeleteSessionRequest, DeleteSessionResponse, Error,
    Implementation, InitializeRequest, InitializeResponse, ListSessionsRequest, ListSessionsResponse,
    LoadSessionRequest, LoadSessionResponse, McpServer, NewSessionRequest, NewSessionResponse,
    PROTOCOL_LEVEL_METHOD_NAMES, PromptCapabilities, PromptRequest, PromptResponse, ResumeSessionRequest,
    ResumeSessionResponse, SessionCapabilities, SessionCloseCapabilities, SessionDeleteCapabilities, SessionInfo,
    SessionListCapabilities, SessionMode, SessionModeState, SessionResumeCapabilities, SessionUpdate,
    SetSessionModeRequest, SetSessionModeResponse, UnstructuredCommandInput,
};
use turnwise_acp::{Asked, ProtocolVersion};
use turnwise_core::{Command, Timestamp};

use super::prompt::{self, refused};
use super::shown::Echo;
use super::thread::{Thread, lock};
use super::{Agent, Host, SURFACE, said};

impl<H: Host> Agent<H> {
    /// Answers a request, each in a task of its own. A prompt is noted before the next message is looked at.
    pub(super) fn asked(self: Arc<Self>, asked: Asked) {
        if asked.method == METHODS.session_prompt {
            return self.prompted(asked);
        }
        tokio::spawn(async move {
            let method = asked.method.clone();
            match method.as_str() {
                it if it == METHODS.initialize => {
                    answer(asked, |asked: InitializeRequest| async move { initialize(&asked) }).await
                }
                it if it == METHODS.session_new => answer(asked, |asked| self.begin(asked)).await,
                it if it == METHODS.session_load => answer(asked, |asked| self.load(asked)).await,
                it if it == METHODS.session_resume => answer(asked, |asked| self.resume(asked)).await,
                it if it == METHODS.session_list => answer(asked, |asked| self.list(asked)).await,
                it if it == METHODS.session_close => answer(asked, |asked| async move { self.close(&asked) }).await,
                it if it == METHODS.session_delete => answer(asked, |asked| self.delete(asked)).await,
                it if it == METHODS.session_set_mode => {
                    answer(asked, |asked| async move { self.set_mode(&asked) }).await
                }
                _ => asked.answer::<()>(Err(Error::method_not_found().data(json!(method)))),
            }
        });
    }

    /// Takes what an editor tells without wanting an answer.
    pub(super) fn told(self: &Arc<Self>, method: &str, params: &RawValue) {
        if method == METHODS.session_cancel {
            let Ok(told) = serde_json::from_str::<CancelNotification>(params.get()) else { return };
            let Ok(thread) = self.thread(&told.session_id.0) else { return };
            // What runs without a prompt is stopped all the same.
            if !thread.cancel() {
                let person = self.person.clone();
                tokio::spawn(async move {
                    if let Err(error) = thread.session.stop(&person, crate::driver::Session::new_key()).await {
                        thread.update(said::message(&format!("Not stopped: {error}.")));
                    }
                });
            }
        } else if method == PROTOCOL_LEVEL_METHOD_NAMES.cancel_request {
            let Ok(told) = serde_json::from_str::<Value>(params.get()) else { return };
            let threads: Vec<Arc<Thread>> = self.threads().values().cloned().collect();
            threads.iter().for_each(|thread| thread.cancel_request(&told["requestId"]));
        }
    }

    fn prompted(self: Arc<Self>, asked: Asked) {
        let found = asked.read::<PromptRequest>().and_then(|request| {
            let thread = self.thread(&request.session_id.0)?;
            Ok((said::heard(&request.prompt, &thread.folder)?, thread))
        });
        let (heard, thread) = match found {
            Ok(found) => found,
            Err(error) => return asked.answer::<PromptResponse>(Err(error)),
        };
        let (under_way, person) = (thread.begin(asked.id().clone()), self.person.clone());
        tokio::spawn(async move {
            let ended = prompt::run(&thread, &person, heard, &under_way).await;
            drop(under_way);
            asked.answer(ended.map(PromptResponse::new));
        });
    }

    async fn begin(self: Arc<Self>, asked: NewSessionRequest) -> Result<NewSessionResponse, Error> {
        let thread = self.open(&asked.cwd, None, &asked.mcp_servers, Echo::Live).await?;
        Ok(NewSessionResponse::new(thread.id.clone()).modes(modes(&thread)))
    }

    async fn load(self: Arc<Self>, asked: LoadSessionRequest) -> Result<LoadSessionResponse, Error> {
        let thread = self.open(&asked.cwd, Some(&asked.session_id.0), &asked.mcp_servers, Echo::Past).await?;
        Ok(LoadSessionResponse::new().modes(modes(&thread)))
    }

    async fn resume(self: Arc<Self>, asked: ResumeSessionRequest) -> Result<ResumeSessionResponse, Error> {
        let thread = self.open(&asked.cwd, Some(&asked.session_id.0), &asked.mcp_servers, Echo::Live).await?;
        Ok(ResumeSessionResponse::new().modes(modes(&thread)))
    }

    async fn open(
        &self,
        folder: &Path,
        id: Option<&str>,
        servers: &[McpServer],
        echo: Echo,
    ) -> Result<Arc<Thread>, Error> {
        if !folder.is_absolute() {
            let told = format!("`cwd` has to be a whole path, and “{}” is none", folder.display());
            return Err(Error::invalid_params().data(json!(told)));
        }
        let held = self.host.conversation(folder, id).await.map_err(refused)?;
        let person = self.person.clone();
        let session = held.session.on(SURFACE);
        if id.is_none() {
            // From here on it is there, also for who asks for it by its id.
            let joined = turnwise_core::InputBody::Join { person };
            session.submit(joined, crate::driver::Session::new_key(), None).await.map_err(refused)?;
        }
        let thread = Arc::new(Thread::new(session, folder.to_owned(), held.commands, self.peer.clone()));
        // Taken up twice, a session is told to the editor once.
        if let Some(before) = self.threads().insert(thread.id.0.to_string(), Arc::clone(&thread)) {
            before.close();
        }
        thread.follow(echo).await.map_err(refused)?;
        let commands = thread.commands.iter().map(command).collect();
        thread.update(SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands)));
        if let Some(noticed) = held.noticed {
            thread.update(said::message(&noticed));
        }
        if !servers.is_empty() {
            thread.update(said::message("The MCP servers of this editor are not used here."));
        }
        Ok(thread)
    }

    async fn list(self: Arc<Self>, asked: ListSessionsRequest) -> Result<ListSessionsResponse, Error> {
        let kept = self.host.conversations(asked.cwd.as_deref()).await.map_err(refused)?;
        let info = |kept: super::Kept| {
            SessionInfo::new(kept.id.as_str().to_owned(), kept.folder)
                .title(kept.title)
                .updated_at(moment(kept.active_at))
        };
        Ok(ListSessionsResponse::new(kept.into_iter().map(info).collect()))
    }

    fn close(&self, asked: &CloseSessionRequest) -> Result<CloseSessionResponse, Error> {
        let thread = self.thread(&asked.session_id.0)?;
        self.threads().remove(&*asked.session_id.0);
        thread.close();
        Ok(CloseSessionResponse::new())
    }

    async fn delete(self: Arc<Self>, asked: DeleteSessionRequest) -> Result<DeleteSessionResponse, Error> {
        let open = self.threads().remove(&*asked.session_id.0);
        if let Some(thread) = open {
            thread.close();
        }
        self.host.delete(&asked.session_id.0).await.map_err(refused)?;
        Ok(DeleteSessionResponse::new())
    }

    fn set_mode(&self, asked: &SetSessionModeRequest) -> Result<SetSessionModeResponse, Error> {
        let thread = self.thread(&asked.session_id.0)?;
        let wanted = &*asked.mode_id.0;
        let command = thread.commands.iter().find(|command| command.asks.is_some() && command.name[1..] == *wanted);
        if command.is_none() && wanted != AS_READ {
            let there: Vec<String> = modes(&thread).available_modes.iter().map(|mode| mode.id.to_string()).collect();
            let told = format!("there is no mode “{wanted}”; there are {}", there.join(", "));
            return Err(Error::invalid_params().data(json!(told)));
        }
        *lock(&thread.mode) = command.map(|command| command.name.clone());
        Ok(SetSessionModeResponse::new())
    }

    fn thread(&self, id: &str) -> Result<Arc<Thread>, Error> {
        let unknown = || {
            let code = i32::from(Error::session_not_found(id.to_owned()).code);
            Error::new(
                code,
                format!("there is no session {id} here; session/new begins one, session/load takes one up"),
            )
        };
        self.threads().get(id).cloned().ok_or_else(unknown)
    }
}

/// Reads a request, has it answered, and sends the answer.
async fn answer<T, A, F>(asked: Asked, work: impl FnOnce(T) -> F)
where
    T: serde::de::DeserializeOwned,
    A: Serialize,
    F: Future<Output = Result<A, Error>>,
{
    match asked.read() {
        Ok(read) => {
            let done = work(read).await;
            asked.answer(done);
        }
        Err(error) => asked.answer::<A>(Err(error)),
    }
}

fn initialize(_: &InitializeRequest) -> Result<InitializeResponse, Error> {
    let sessions = SessionCapabilities::new()
        .list(SessionListCapabilities::new())
        .delete(SessionDeleteCapabilities::new())
        .resume(SessionResumeCapabilities::new())
        .close(SessionCloseCapabilities::new());
    let capabilities = AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(PromptCapabilities::new().embedded_context(true))
        .session_capabilities(sessions);
    let ours = Implementation::new("turnwise", env!("CARGO_PKG_VERSION")).title("Turnwise".to_owned());
    // The one version there is; an editor that speaks another says so and leaves.
    Ok(InitializeResponse::new(ProtocolVersion::V1).agent_capabilities(capabilities).agent_info(ours))
}

/// The modes of a session: as it is read, or one for each command that takes words.
fn modes(thread: &Thread) -> SessionModeState {
    let as_read =
        SessionMode::new(AS_READ, "As it is said").description("what is wanted is read from the words".to_owned());
    let taking = thread.commands.iter().filter(|command| command.asks.is_some());
    let mode = |command: &Command| {
        let name = command.name.trim_start_matches('/');
        SessionMode::new(name.to_owned(), turnwise_core::text::capital(name)).description(command.help.clone())
    };
    let current = lock(&thread.mode).as_ref().map_or(AS_READ.to_owned(), |name| name[1..].to_owned());
    SessionModeState::new(current, std::iter::once(as_read).chain(taking.map(mode)).collect())
}

fn command(command: &Command) -> AvailableCommand {
    let hint = |asks: &String| AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(asks.clone()));
    AvailableCommand::new(command.name.trim_start_matches('/').to_owned(), command.help.clone())
        .input(command.asks.as_ref().map(hint))
}

/// A moment as the protocol writes it.
fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.as_millis()).map_or_else(|_| String::new(), |at| format!("{at:.3}"))
}

/// The mode in which what is wanted is read from the words.
const AS_READ: &str = "auto";

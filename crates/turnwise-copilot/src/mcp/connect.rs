//! Connections: a server's program started in the working folder, or its address reached. Messages longer than what
//! anybody reads end the connection, so that no server fills the memory. Next: `remote`.

use std::path::Path;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use turnwise_assistant::command::end_group;
use turnwise_assistant::leash::{self, Reads};

use crate::options::ServerOptions;
use crate::tool::client;

/// A connection.
pub(super) struct Live {
    name: String,
    service: RunningService<RoleClient, ()>,
    /// Set when a message was too long.
    flooded: Arc<AtomicBool>,
    /// Ends with the connection.
    _program: Option<Program>,
}

/// A server's program. When this is dropped it ends, with all it started.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(process) = self.0.id() {
            end_group(process);
        }
    }
}

/// A tool as a server lists it. All of it is the server's word.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub name: String,
    pub told: String,
    pub schema: Map<String, Value>,
}

/// Reaches a server.
///
/// # Errors
/// Why it cannot be reached, as a sentence.
pub(super) async fn connect(name: &str, options: &ServerOptions, root: &Path) -> Result<Live, String> {
    let flooded = Arc::new(AtomicBool::new(false));
    let reaching = async {
        match &options.url {
            Some(url) => {
                // A second delivery could be a second effect: nothing is sent again by itself.
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                    .max_sse_event_size(MESSAGE_BYTES_MAX)
                    .reinit_on_expired_session(false);
                let transport = StreamableHttpClientTransport::with_client(client(None)?, config);
                let service = rmcp::serve_client((), transport).await.map_err(|error| error.to_string())?;
                Ok((service, None))
            }
            None => {
                let mut program = start(options, root)?;
                let (Some(output), Some(input)) = (program.0.stdout.take(), program.0.stdin.take()) else {
                    return Err("it has no input and output".to_owned());
                };
                let output = Bounded { inner: output, since_line: 0, flooded: Arc::clone(&flooded) };
                let service = rmcp::serve_client((), (output, input)).await.map_err(|error| error.to_string())?;
                Ok((service, Some(program)))
            }
        }
    };
    let seconds = options.seconds.map_or(CONNECT_SECONDS, u64::from).max(1);
    let reached = timeout(Duration::from_secs(seconds), reaching).await;
    let reached = reached.unwrap_or_else(|_| Err(format!("it said nothing for {seconds} seconds")));
    let (service, program) = reached.map_err(|told| format!("The tools of {name} cannot be reached: {told}."))?;
    Ok(Live { name: name.to_owned(), service, flooded, _program: program })
}

/// Starts a server's program. It gets the little it takes to run and what the operator gives it: no keys of ours.
fn start(options: &ServerOptions, root: &Path) -> Result<Program, String> {
    let Some((program, arguments)) = options.command.split_first() else {
        return Err("no command is named".to_owned());
    };
    let cannot = |error: std::io::Error| format!("`{program}` cannot be started ({error})");
    let own_path = options.env.get("PATH").map(Into::into);
    let paths = own_path.or_else(|| std::env::var_os("PATH"));
    // A path is one of the folder, wherever this process stands.
    let place = if program.contains('/') { root.join(program) } else { program.into() };
    let mut command: Command = leash::command(&place, Reads::Dialogue, paths.as_deref()).map_err(cannot)?.into();
    command.args(arguments).current_dir(root).env_clear().kill_on_drop(true);
    command.envs(PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.envs(&options.env);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A stop typed at the terminal is ours to pass on.
    #[cfg(unix)]
    command.process_group(0);
    command.spawn().map(Program).map_err(cannot)
}

impl Live {
    /// Whether it still is one.
    pub fn works(&self) -> bool {
        !self.service.is_closed() && !self.service.peer().is_transport_closed()
    }

    /// The tools it lists now. Nothing is remembered from before: a list may change at any time.
    ///
    /// # Errors
    /// Why they cannot be had, as a sentence.
    pub async fn list(&self) -> Result<Vec<Listed>, String> {
        let listing = async {
            let (mut listed, mut cursor) = (Vec::new(), None);
            for _ in 0..PAGES_MAX {
                let params = Some(PaginatedRequestParams::default().with_cursor(cursor));
                let request = ListToolsRequest { params, ..Default::default() };
                let answer = self.service.peer().send_request(ClientRequest::ListToolsRequest(request)).await;
                let ServerResult::ListToolsResult(page) = answer.map_err(|error| error.to_string())? else {
                    return Err("it answered something else than its tools".to_owned());
                };
                listed.extend(page.tools.into_iter().map(|tool| Listed {
                    name: tool.name.into_owned(),
                    told: tool.description.unwrap_or_default().into_owned(),
                    schema: (*tool.input_schema).clone(),
                }));
                cursor = page.next_cursor;
                if cursor.is_none() || listed.len() > TOOLS_MAX {
                    break;
                }
            }
            listed.truncate(TOOLS_MAX);
            Ok(listed)
        };
        let listed = timeout(Duration::from_secs(LIST_SECONDS_MAX), listing).await;
        let listed = listed.unwrap_or_else(|_| Err(format!("it said nothing for {LIST_SECONDS_MAX} seconds")));
        listed.map_err(|told| format!("The tools of {} cannot be listed: {told}{}.", self.name, self.because()))
    }

    /// Sends a call.
    ///
    /// # Errors
    /// When it cannot be sent, in the protocol's words.
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<RequestHandle<RoleClient>, String> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.service.peer().send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        sent.map_err(|error| error.to_string())
    }

    /// What is known of why the connection ended, for the end of a sentence.
    pub fn because(&self) -> &'static str {
        match self.flooded.load(Ordering::Relaxed) {
            true => ", because it sent more at once than is read from a tool",
            false => "",
        }
    }
}

/// A stream of lines that ends where a line is too long.
struct Bounded<R> {
    inner: R,
    since_line: usize,
    flooded: Arc<AtomicBool>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        std::task::ready!(Pin::new(&mut this.inner).poll_read(context, buffer))?;
        let new = &buffer.filled()[before..];
        this.since_line = match new.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => new.len() - at - 1,
            None => this.since_line + new.len(),
        };
        if this.since_line > MESSAGE_BYTES_MAX {
            this.flooded.store(true, Ordering::Relaxed);
            buffer.set_filled(before);
        }
        Poll::Ready(Ok(()))
    }
}

/// What of our environment a server gets: where programs, their libraries and its home are, and how it speaks.
const PASSED_ON: [&str; 11] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TERM",
    "SystemRoot",
    "APPDATA",
    "USERPROFILE",
];
/// Seconds until a server has answered for the first time, unless the operator says otherwise: some are fetched and
/// built by their own start.
const CONNECT_SECONDS: u64 = 30;
/// Seconds until it has listed its tools.
const LIST_SECONDS_MAX: u64 = 15;
/// Pages of a list; a server could go on for ever.
const PAGES_MAX: usize = 20;
/// Tools of one server: more are overseen by nobody.
const TOOLS_MAX: usize = 500;
/// Bytes of one message of a server.
const MESSAGE_BYTES_MAX: usize = 8 * 1024 * 1024;

//! `turnwise chat --server`: which server, as whom. The token comes from a file or the environment, because a command
//! line can be read by everyone on the machine. Next: `channel::remote`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use turnwise_core::Mode;

use crate::assistant::DEFAULT;
use crate::channel::link::Which;
use crate::channel::{Opened, remote};
use turnwise_assistant::{Failure, FailureKind};

/// Where conversations are held instead of here.
#[derive(Clone, Debug, Args)]
pub struct ServerArguments {
    /// Hold the conversation on this server instead of here: http://HOST:PORT or https://HOST
    #[arg(long, value_name = "URL", conflicts_with_all = ELSEWHERE)]
    pub server: Option<String>,
    /// The file your token for the server is in; TURNWISE_TOKEN gives the token itself
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// Options that mean a conversation of this machine.
pub const ELSEWHERE: [&str; 8] =
    ["data", "sample", "db", "ephemeral", "preset", "approval_mode", "model", "model_sees"];

/// Who looks on while the server is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onlooker {
    /// A person, who can leave.
    Person,
    /// A program, which would wait for ever.
    Program,
}

/// The server at `address`, as the person it is called as.
///
/// # Errors
/// When that is no address, or there is no token where one was named.
pub fn server(address: &str, arguments: &ServerArguments, onlooker: Onlooker) -> Result<remote::Server, Failure> {
    let parsed = address.parse().map_err(|error| {
        Failure::new(FailureKind::Usage, format!("{address} is no address of a server: {error}"))
            .hint("write it as http://127.0.0.1:7878 or https://talk.example.org")
    })?;
    let patience = (onlooker == Onlooker::Program).then_some(PROGRAM_PATIENCE);
    Ok(remote::Server { address: parsed, token: token(arguments.token_file.as_deref())?, patience })
}

/// Opens a conversation on `server`.
///
/// # Errors
/// When it cannot be reached or refuses.
pub async fn open(
    server: remote::Server,
    assistant: &str,
    which: &Which,
    mode: Option<Mode>,
) -> Result<Opened, Failure> {
    // Which assistants there are is the server's to say; the one that is meant here where none is named may be none of
    // them.
    let assistant = (assistant != DEFAULT).then_some(assistant);
    remote::open(server, assistant, which, mode).await
}

/// The person's token, from the file or else the environment.
fn token(file: Option<&Path>) -> Result<Option<String>, Failure> {
    let Some(file) = file else {
        return Ok(std::env::var(TOKEN).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty()));
    };
    let told = |what: &str| Failure::new(FailureKind::Usage, format!("{} {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| {
        told(&format!("cannot be read ({error})")).hint("it has to hold your token for the server, and nothing else")
    })?;
    match text.trim() {
        "" => Err(told("is empty; it has to hold your token for the server")),
        token => Ok(Some(token.to_owned())),
    }
}

/// The variable that holds a token.
const TOKEN: &str = "TURNWISE_TOKEN";
/// How long a program waits for a server that is away: longer than any restart takes.
const PROGRAM_PATIENCE: Duration = Duration::from_secs(180);

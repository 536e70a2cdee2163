//! `turnwise serve`: the conversations of this machine over HTTP. Next: `channel::http`.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use turnwise_core::{AssistantName, ConversationId, MessageReading, PersonId, Phase, ReadContext, Sequence};

use super::args::ServeArguments;
use super::open::{self, Loaded};
use crate::assistant::Assistant;
use crate::channel::http::{self, Access, AssistantView, CommandView, Host, Token};
use crate::channel::signals::Signals;
use crate::channel::web;
use crate::driver::{Deleted, Driver, DriverError, Session, Summary};
use crate::failure::{Failure, FailureKind};

/// Serves until a signal ends it.
///
/// # Errors
/// When the address cannot be listened on, or the tokens cannot be read.
pub async fn serve(arguments: ServeArguments) -> Result<ExitCode, Failure> {
    let access = access(arguments.listen.ip(), arguments.tokens.as_deref())?;
    let mut signals = Signals::listen()
        .map_err(|error| Failure::new(FailureKind::Operator, "signals cannot be received").caused_by(error))?;
    let driver = open::driver(&arguments.store)?;
    let Loaded { assistant, overview, paths } = open::load(&arguments.data, arguments.flow).await?;
    let listener = TcpListener::bind(arguments.listen).await.map_err(|error| unusable(arguments.listen, error))?;
    let address = listener.local_addr().map_err(|error| unusable(arguments.listen, error))?;
    eprintln!("Turnwise serves http://{address} — Ctrl+C ends it.");
    let house = Arc::new(House::new(driver, assistant, overview, open::data_mark(&paths)));
    let closing = CancellationToken::new();
    let serving =
        tokio::spawn(http::serve(listener, Arc::clone(&house) as Arc<dyn Host>, access, web::pages(), closing.clone()));
    super::ask::told_to_end(&mut signals).await;
    eprintln!("Ending: open requests may finish.");
    closing.cancel();
    let served =
        serving.await.map_err(|error| Failure::new(FailureKind::Defect, "the server broke").caused_by(error))?;
    served.map_err(|error| unusable(address, error))?;
    if let Ok(house) = Arc::try_unwrap(house).map_err(|_| ()) {
        house.driver.shutdown().await?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Who may come in. An address that others can reach needs tokens.
fn access(address: IpAddr, tokens: Option<&Path>) -> Result<Access, Failure> {
    match tokens {
        Some(file) => read_tokens(file).map(Access::Tokens),
        None if address.is_loopback() => Ok(Access::Local(open::person())),
        None => {
            Err(Failure::new(FailureKind::Usage, format!("{address} can be reached by others, and no tokens are set"))
                .hint("`turnwise token PERSON --tokens FILE` makes a token; then serve with --tokens FILE")
                .hint("without --listen the server is reachable from this machine only"))
        }
    }
}

/// The tokens in `file`: a person and the SHA-256 of their token on each line.
fn read_tokens(file: &Path) -> Result<Vec<Token>, Failure> {
    let wrong = |told: String| {
        Failure::new(FailureKind::Usage, format!("{}: {told}", file.display())).hint(
            "each line is a person and the SHA-256 of their token; `turnwise token PERSON --tokens FILE` adds one",
        )
    };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let tokens: Result<Vec<Token>, Failure> = lines
        .map(|(number, line)| token(line).ok_or_else(|| wrong(format!("line {number} is not a person and a digest"))))
        .collect();
    let tokens = tokens?;
    if tokens.is_empty() {
        return Err(wrong("there is no token in it, so nobody could come in".to_owned()));
    }
    Ok(tokens)
}

fn token(line: &str) -> Option<Token> {
    let (person, digest) = line.trim().rsplit_once(char::is_whitespace)?;
    let digest = digest.as_bytes();
    let mut bytes = [0; 32];
    if digest.len() != 2 * bytes.len() || person.trim().is_empty() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digest.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(Token { person: PersonId::new(person.trim()), digest: bytes })
}

fn unusable(address: SocketAddr, error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Operator, format!("{address} cannot be listened on ({error})"))
        .hint("another server may have it; --listen 127.0.0.1:0 takes a free port")
        .caused_by(error)
}

/// The conversations over this data, as the server gets them.
struct House {
    driver: Driver,
    assistant: Arc<dyn Assistant>,
    shown: Vec<AssistantView>,
    mark: String,
}

impl House {
    fn new(driver: Driver, assistant: Arc<dyn Assistant>, overview: Vec<String>, mark: String) -> Self {
        let policy = assistant.policy();
        let command =
            |command: &turnwise_core::Command| CommandView { name: command.name.clone(), help: command.help.clone() };
        let shown = AssistantView {
            name: assistant.name().clone(),
            greeting: overview,
            commands: policy.commands.iter().map(command).collect(),
            examples: policy.examples.clone(),
        };
        Self { driver, assistant, shown: vec![shown], mark }
    }

    /// Whether a conversation is over the data that is served here.
    fn is_ours(&self, id: &ConversationId) -> bool {
        id.as_str().ends_with(&format!("-{}", self.mark))
    }

    fn is(&self, name: &AssistantName) -> bool {
        self.assistant.name() == name
    }
}

#[async_trait]
impl Host for House {
    fn assistants(&self) -> &[AssistantView] {
        &self.shown
    }

    async fn conversations(&self) -> Result<Vec<Summary>, DriverError> {
        let mut all = self.driver.conversations().await?;
        all.retain(|summary| self.is(&summary.assistant) && self.is_ours(&summary.id));
        Ok(all)
    }

    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError> {
        if !self.is_ours(id) || !self.driver.knows(id).await? {
            return Ok(None);
        }
        match self.driver.open(id.clone(), Arc::clone(&self.assistant)).await {
            Err(DriverError::OtherAssistant { .. }) => Ok(None),
            opened => opened.map(Some),
        }
    }

    async fn begin(
        &self,
        assistant: &AssistantName,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError> {
        if !self.is(assistant) {
            return Ok(None);
        }
        // The id follows from who asks and the key, so that asking again finds the same conversation.
        let seed = Sha256::digest(format!("{person}\n{key}").as_bytes());
        let name = seed.iter().take(16).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        let id = ConversationId::new(format!("{name}-{}", self.mark));
        self.driver.open(id, Arc::clone(&self.assistant)).await.map(Some)
    }

    async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        person: &PersonId,
    ) -> Result<ConversationId, DriverError> {
        let id = ConversationId::new(format!("{}-{}", Driver::new_conversation_id(), self.mark));
        self.driver.fork(from, upto, id.clone(), person).await?;
        Ok(id)
    }

    async fn delete(&self, id: &ConversationId) -> Result<Deleted, DriverError> {
        self.driver.delete(id).await
    }

    fn read(&self, assistant: &AssistantName, text: &str, phase: Phase) -> Option<MessageReading> {
        let context = ReadContext { phase, ..ReadContext::default() };
        self.is(assistant).then(|| self.assistant.reader().read(text, &context))
    }

    fn trouble(&self) -> Option<String> {
        self.driver.trouble().borrow().as_ref().map(ToString::to_string)
    }
}

/// `turnwise token`: makes a token for a person and adds its digest to the file. The token itself is only shown.
///
/// # Errors
/// When the file cannot be written.
pub fn add_token(person: &str, file: &PathBuf) -> Result<ExitCode, Failure> {
    use std::io::Write as _;
    let person = person.trim();
    if person.is_empty() || person.chars().any(char::is_control) {
        return Err(
            Failure::new(FailureKind::Usage, "the person has no name").hint("turnwise token anna --tokens FILE")
        );
    }
    let random = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()];
    let token: String = random.iter().map(|half| half.simple().to_string()).collect();
    let digest = Sha256::digest(token.as_bytes()).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let unwritable = |error: std::io::Error| {
        Failure::new(FailureKind::Operator, format!("{} cannot be written ({error})", file.display())).caused_by(error)
    };
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut kept = options.open(file).map_err(unwritable)?;
    writeln!(kept, "{person} {digest}").map_err(unwritable)?;
    println!("{token}");
    eprintln!("This is {person}'s token; it is shown only now. {} keeps its digest.", file.display());
    Ok(ExitCode::SUCCESS)
}

//! `turnwise token`: who may use the server. The file holds digests, so that reading it lets nobody in. Next: `serve`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use clap::Args;
use sha2::{Digest as _, Sha256};
use turnwise_core::PersonId;

use crate::channel::http::{Digest, Roll, Token};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise token`.
#[derive(Clone, Debug, Args)]
pub struct TokenArguments {
    /// The person
    #[arg(value_name = "PERSON")]
    pub person: String,
    /// The file to add the token's SHA-256 to; made if it is not there
    #[arg(long, value_name = "FILE")]
    pub tokens: PathBuf,
}

/// `turnwise token`: makes a token for a person and adds its digest to the file. The token itself is only shown.
///
/// # Errors
/// When the file cannot be written.
pub fn add(person: &str, file: &PathBuf) -> Result<ExitCode, Failure> {
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
    super::tell(&token)?;
    eprintln!("This is {person}'s token; it is shown only now. {} keeps its digest.", file.display());
    Ok(ExitCode::SUCCESS)
}

/// A file of tokens, read again when it has changed: a line that is taken out lets nobody in from then on.
#[derive(Debug)]
pub struct TokenFile {
    path: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    state: Option<(SystemTime, u64)>,
    tokens: Arc<[Token]>,
}

impl TokenFile {
    /// # Errors
    /// As [`read`].
    pub fn open(path: &Path) -> Result<Self, Failure> {
        // Looked at first, so that what is written while it is read is noticed the next time.
        let state = state(path);
        let known = Mutex::new(Known { state, tokens: read(path)?.into() });
        Ok(Self { path: path.to_owned(), known })
    }
}

impl Roll for TokenFile {
    fn tokens(&self) -> Arc<[Token]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = state(&self.path);
        if now != known.state {
            known.state = now;
            match read(&self.path) {
                Ok(tokens) => known.tokens = tokens.into(),
                // Half a file, or none for the moment, must not lock everybody out; and who runs the server is told.
                Err(failure) => {
                    eprintln!("The tokens were changed and cannot be read; those of before hold: {failure}")
                }
            }
        }
        Arc::clone(&known.tokens)
    }
}

/// What tells that a file was changed.
fn state(path: &Path) -> Option<(SystemTime, u64)> {
    let found = path.metadata().ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// The tokens in `file`: a person and the SHA-256 of their token on each line.
///
/// # Errors
/// When it cannot be read, a line is neither empty, a remark nor a token, or there is none.
pub fn read(file: &Path) -> Result<Vec<Token>, Failure> {
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
    Some(Token { person: PersonId::new(person.trim()), digest: Digest(bytes) })
}

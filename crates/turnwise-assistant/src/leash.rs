//! The leash: no program we start outlives us, however we end. Between us and it stands our own program once more,
//! which starts it, waits for it, and holds the other end of a pipe that only we hold open. When we are gone the system
//! closes that pipe, and the program ends with all it started. Nothing has to be cleaned up by a later start, and
//! nothing rests on what this system knows of parents and children.
//!
//! What leaves the group of its process on purpose (a daemon) is not reached. Next: `command`, which starts programs
//! by this; the binary calls [`hold`].

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a program that is started is given to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// So many bytes, and then its end.
    Bytes(usize),
    /// What we say as long as we speak with it; when we say no more it is to end.
    Dialogue,
}

/// The first word by which our own program is asked to hold another one.
pub const WORD: &str = "leash";

/// Our own program, where it said so.
static HOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on what is started is held by `program`, which calls [`hold`] when its first argument is [`WORD`]. Without
/// this, in a library's own tests, programs are started as they are.
pub fn held_by(program: PathBuf) {
    // Said once, at the start of the process.
    let _ = HOLDER.set(program);
}

/// Whether what is started is held.
#[must_use]
pub fn is_held() -> bool {
    cfg!(unix) && HOLDER.get().is_some()
}

/// What starts `program`, which is looked for in the folders of `paths` where it is only a name. Arguments follow. Its
/// standard input has to be a pipe where it is held: as long as that is open, it runs.
///
/// # Errors
/// When there is no such program, or it may not be run: behind the leash nobody could tell that from its own failure.
pub fn command(program: &Path, reads: Reads, paths: Option<&OsStr>) -> io::Result<Command> {
    let Some(holder) = HOLDER.get().filter(|_| is_held()) else { return Ok(Command::new(program)) };
    #[cfg(unix)]
    hold::find(program, paths)?;
    let mut command = Command::new(holder);
    command.arg(WORD).arg(match reads {
        Reads::Nothing => "nothing".to_owned(),
        Reads::Bytes(bytes) => bytes.to_string(),
        Reads::Dialogue => "dialogue".to_owned(),
    });
    command.arg(program);
    Ok(command)
}

impl Reads {
    #[cfg(unix)]
    fn parse(word: &str) -> Option<Self> {
        match word {
            "nothing" => Some(Self::Nothing),
            "dialogue" => Some(Self::Dialogue),
            bytes => bytes.parse().ok().map(Self::Bytes),
        }
    }
}

/// Runs the program that `words` name behind [`WORD`] until it or who started us ends, and gives its exit code.
#[must_use]
pub fn hold(words: impl Iterator<Item = OsString>) -> u8 {
    #[cfg(unix)]
    return hold::run(words);
    #[cfg(not(unix))]
    {
        let _ = words;
        eprintln!("turnwise {WORD}: not on this system");
        NOT_RUN
    }
}

/// The codes by which shells say that a program was not run.
const NOT_RUN: u8 = 126;

/// The holding itself, in a process of its own.
#[cfg(unix)]
mod hold {
    use std::ffi::{OsStr, OsString};
    use std::io::{self, Read as _};
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};

    use super::{NOT_RUN, Reads, WORD};

    pub(super) fn run(mut words: impl Iterator<Item = OsString>) -> u8 {
        let reads = words.next().and_then(|word| Reads::parse(word.to_str()?));
        let (Some(reads), Some(program)) = (reads, words.next()) else {
            eprintln!("turnwise {WORD}: it starts a program for turnwise itself and is not for people");
            return NOT_RUN;
        };
        match start(&program, words, reads).and_then(|mut child| child.wait()) {
            Ok(status) => match status.code() {
                Some(code) => u8::try_from(code).unwrap_or(u8::MAX),
                None => by_signal(),
            },
            Err(error) => {
                eprintln!("`{}` cannot be started ({error})", program.display());
                NOT_RUN
            }
        }
    }

    fn start(program: &OsStr, arguments: impl Iterator<Item = OsString>, reads: Reads) -> io::Result<Child> {
        let input = match reads {
            Reads::Nothing => Stdio::null(),
            Reads::Bytes(_) => Stdio::piped(),
            Reads::Dialogue => Stdio::inherit(),
        };
        let mut child = Command::new(program).args(arguments).stdin(input).spawn()?;
        if let (Reads::Bytes(bytes), Some(mut pipe)) = (reads, child.stdin.take()) {
            let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
            // A program that reads no further is no error.
            std::thread::spawn(move || io::copy(&mut io::stdin().lock().take(bytes), &mut pipe));
        }
        std::thread::spawn(move || watch(reads));
        Ok(child)
    }

    /// Waits until nobody holds our standard input open any more, and ends our group, this process with it. What stands
    /// in the pipe unread is no matter.
    fn watch(reads: Reads) {
        let input = io::stdin();
        loop {
            let mut watched = [PollFd::new(&input, PollFlags::empty())];
            match poll(&mut watched, None) {
                Ok(_) if watched[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => break,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                // Nothing can be watched: better an end that is told than a program nobody can end.
                Err(_) => break,
            }
        }
        if reads == Reads::Dialogue {
            std::thread::sleep(LAST_WORDS);
        }
        let _ = kill_current_process_group(Signal::KILL);
    }

    /// Ends as the program did.
    fn by_signal() -> u8 {
        let _ = kill_process(getpid(), Signal::KILL);
        u8::MAX
    }

    /// Whether there is such a program that may be run, found as the system finds it.
    pub(super) fn find(program: &Path, paths: Option<&OsStr>) -> io::Result<()> {
        if program.components().count() > 1 {
            return may_run(program);
        }
        let mut found = Err(rustix::io::Errno::NOENT.into());
        for folder in std::env::split_paths(paths.unwrap_or(OsStr::new(PLAIN_PATHS))) {
            match may_run(&folder.join(program)) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => found = Err(error),
                Err(_) => {}
            }
        }
        found
    }

    fn may_run(file: &Path) -> io::Result<()> {
        let kept = std::fs::metadata(file)?;
        match kept.is_file() && kept.permissions().mode() & ANYBODY_RUNS != 0 {
            true => Ok(()),
            false => Err(rustix::io::Errno::ACCESS.into()),
        }
    }

    /// How long a program may take to end by itself when nothing more is said to it.
    const LAST_WORDS: Duration = Duration::from_secs(2);
    /// Where programs are where nobody says it.
    const PLAIN_PATHS: &str = "/bin:/usr/bin";
    /// The bits of a file that may be run by somebody.
    const ANYBODY_RUNS: u32 = 0o111;
}

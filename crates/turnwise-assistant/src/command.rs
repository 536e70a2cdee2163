//! Commands: one program with its arguments, run in a folder. What it prints is passed on as it comes and kept up to a
//! limit; when it is stopped, its children end with it, and when we are killed they do, too (`leash`). What may be run
//! is the assistant's to say. Next: `place`.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::leash::{self, Reads};

/// Bytes of a command's output that are kept, half of them its beginning and half its end: that is where errors stand.
pub const OUTPUT_BYTES_MAX: usize = 64 * 1024;
/// How long a command may run.
pub const COMMAND_SECONDS_MAX: u32 = 600;
/// How often a quiet command is looked at: a stop is noticed within this.
const LOOK_MILLISECONDS: u64 = 20;
/// Bytes taken from a pipe at once.
const PIECE_BYTES: usize = 8 * 1024;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// On which terms a command runs.
pub struct Terms<'a> {
    /// What it is given to read.
    pub input: Option<&'a str>,
    /// How long it may take.
    pub time: Duration,
    /// Bytes of its output that are kept.
    pub bytes_max: usize,
    /// Whether it is to stop; asked all the time.
    pub stop: &'a dyn Fn() -> bool,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code; none when a signal ended it.
    ByItself(Option<i32>),
    /// It was stopped.
    Stopped,
    /// Its time was over.
    TimedOut,
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What it printed, errors too, in the order it came.
    pub output: String,
    /// What it printed without its errors.
    pub result: String,
    /// Bytes that were left out in the middle.
    pub left_out: usize,
}

impl CommandLine {
    /// Puts both together.
    #[must_use]
    pub fn new(program: &str, arguments: &[&str]) -> Self {
        Self { program: program.to_owned(), arguments: arguments.iter().map(|text| (*text).to_owned()).collect() }
    }

    /// As it would be typed.
    #[must_use]
    pub fn typed(&self) -> String {
        let quoted = |word: &String| match word.is_empty() || word.contains(char::is_whitespace) {
            true => format!("'{word}'"),
            false => word.clone(),
        };
        std::iter::once(&self.program).chain(&self.arguments).map(quoted).collect::<Vec<_>>().join(" ")
    }
}

impl Ran {
    /// Whether it ended well.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.ended == Ended::ByItself(Some(0))
    }
}

impl<'a> Terms<'a> {
    /// Nothing to read, as long as any command may take, and never stopped.
    #[must_use]
    pub fn plain() -> Self {
        let time = Duration::from_secs(u64::from(COMMAND_SECONDS_MAX));
        Self { input: None, time, bytes_max: OUTPUT_BYTES_MAX, stop: &|| false }
    }
}

/// A piece of output.
struct Piece {
    bytes: Vec<u8>,
    /// Whether it belongs to the result, and is no error.
    is_result: bool,
}

/// The beginning and the end of an output that may be endless.
struct Kept {
    bytes_max: usize,
    first: Vec<u8>,
    last: std::collections::VecDeque<u8>,
    left_out: usize,
}

impl Kept {
    fn new(bytes_max: usize) -> Self {
        Self { bytes_max, first: Vec::new(), last: std::collections::VecDeque::new(), left_out: 0 }
    }

    fn take(&mut self, piece: &[u8]) {
        let room = (self.bytes_max / 2).saturating_sub(self.first.len()).min(piece.len());
        let (first, rest) = piece.split_at(room);
        self.first.extend_from_slice(first);
        self.last.extend(rest);
        let over = self.last.len().saturating_sub(self.bytes_max / 2);
        self.last.drain(..over);
        self.left_out += over;
    }

    fn text(self) -> (String, usize) {
        let mut text = String::from_utf8_lossy(&self.first).into_owned();
        if self.left_out > 0 {
            text.push_str(&format!("\n… {} bytes left out …\n", self.left_out));
        }
        let last: Vec<u8> = self.last.into();
        text.push_str(&String::from_utf8_lossy(&last));
        (text, self.left_out)
    }
}

/// Runs `command` in the folder `root` on these terms. `printed` is given each piece of what it prints as it comes.
///
/// # Errors
/// When the program cannot be started.
pub fn run(root: &Path, command: &CommandLine, terms: &Terms<'_>, printed: &mut dyn FnMut(&[u8])) -> io::Result<Ran> {
    let mut child = start(root, command, terms.input.map_or(Reads::Nothing, |input| Reads::Bytes(input.len())))?;
    let (sender, pieces) = mpsc::channel::<Piece>();
    if let Some(pipe) = child.stdout.take() {
        forward(true, pipe, sender.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        forward(false, pipe, sender);
    }
    let pipe = child.stdin.take().map(Arc::new);
    if let (Some(pipe), Some(input)) = (pipe.clone(), terms.input) {
        let input = input.to_owned();
        // On a thread of its own: a program may print before it has read all. One that reads no further is no
        // error.
        std::thread::spawn(move || drop(io::Write::write_all(&mut &*pipe, input.as_bytes())));
    }
    // As long as it is open here, a program on a leash runs; one that is not sees the end of its input by its closing.
    let _held = pipe.filter(|_| leash::is_held());
    let (mut all, mut result) = (Kept::new(terms.bytes_max), Kept::new(terms.bytes_max));
    let mut take = |piece: Piece| {
        printed(&piece.bytes);
        all.take(&piece.bytes);
        if piece.is_result {
            result.take(&piece.bytes);
        }
    };
    let ended = attend(&mut child, &pieces, terms, &mut take)?;
    let ((output, left_out), (result, _)) = (all.text(), result.text());
    Ok(Ran { ended, output, result, left_out })
}

/// A program that is spoken with as long as it runs. When this is dropped it ends, with all it started.
pub struct Dialogue {
    child: Child,
}

/// Starts `command` in the folder `root` to speak with it: what it reads, what it says, and its errors.
///
/// # Errors
/// When the program cannot be started.
pub fn converse(root: &Path, command: &CommandLine) -> io::Result<(Dialogue, ChildStdin, ChildStdout, ChildStderr)> {
    let mut child = start(root, command, Reads::Dialogue)?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(input), Some(output), Some(errors)) => Ok((Dialogue { child }, input, output, errors)),
        _ => {
            end(&mut child);
            Err(io::Error::other("it has no pipes"))
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

fn start(root: &Path, command: &CommandLine, reads: Reads) -> io::Result<Child> {
    // A path is one of the folder, wherever this process stands.
    let is_path = command.program.contains('/');
    let program = if is_path { root.join(&command.program) } else { command.program.clone().into() };
    let mut starting = leash::command(&program, reads, std::env::var_os("PATH").as_deref())?;
    starting.args(&command.arguments).current_dir(root);
    let has_pipe = reads != Reads::Nothing || leash::is_held();
    starting.stdin(if has_pipe { Stdio::piped() } else { Stdio::null() });
    starting.stdout(Stdio::piped()).stderr(Stdio::piped());
    // Nobody is there to answer a question or to turn pages.
    starting.env("GIT_TERMINAL_PROMPT", "0").env("PAGER", "cat").env("TERM", "dumb");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut starting, 0);
    starting.spawn()
}

/// Reads a pipe to its end on a thread of its own, which ends with the pipe.
fn forward(is_result: bool, mut pipe: impl Read + Send + 'static, sender: mpsc::Sender<Piece>) {
    std::thread::spawn(move || {
        let mut piece = vec![0; PIECE_BYTES];
        while let Ok(length @ 1..) = pipe.read(&mut piece) {
            if sender.send(Piece { bytes: piece[..length].to_vec(), is_result }).is_err() {
                break;
            }
        }
    });
}

fn attend(
    child: &mut Child,
    pieces: &mpsc::Receiver<Piece>,
    terms: &Terms<'_>,
    take: &mut dyn FnMut(Piece),
) -> io::Result<Ended> {
    let begun = Instant::now();
    let moment = Duration::from_millis(LOOK_MILLISECONDS);
    let is_over = || begun.elapsed() >= terms.time;
    loop {
        match pieces.recv_timeout(moment) {
            Ok(piece) => take(piece),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            // Both pipes are closed; a program may close them and go on.
            Err(mpsc::RecvTimeoutError::Disconnected) => std::thread::sleep(moment),
        }
        if (terms.stop)() || is_over() {
            let ended = if is_over() { Ended::TimedOut } else { Ended::Stopped };
            end(child);
            return Ok(ended);
        }
        if !has_exited(child) {
            continue;
        }
        // What it left behind goes with it; its own number is nobody else's before it is waited for.
        end_group(child.id());
        if let Some(status) = child.try_wait()? {
            // What was printed before the end is in the pipe; a child left behind may hold it open for ever.
            while let Ok(piece) = pieces.recv_timeout(moment) {
                take(piece);
                if (terms.stop)() || is_over() {
                    break;
                }
            }
            return Ok(Ended::ByItself(status.code()));
        }
    }
}

/// Whether a program is over, before it is waited for; true where that cannot be told so.
fn has_exited(child: &Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let process = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        process.is_none_or(|process| !matches!(waitid(WaitId::Pid(process), options), Ok(None)))
    }
    #[cfg(not(unix))]
    {
        let _ = child;
        true
    }
}

/// Ends all programs of the group whose first one is `process`: it has to be one that was started with a group of its
/// own and was not waited for yet, so that its number is nobody else's.
pub fn end_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Ends the program and all it started.
fn end(child: &mut Child) {
    end_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn run(program: &str, arguments: &[&str], time: Duration, stop: &dyn Fn() -> bool) -> (Ran, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let mut streamed = Vec::new();
        let mut printed = |piece: &[u8]| streamed.extend_from_slice(piece);
        let terms = Terms { time, stop, ..Terms::plain() };
        let ran = super::run(folder.path(), &CommandLine::new(program, arguments), &terms, &mut printed).unwrap();
        (ran, streamed)
    }

    #[test]
    fn what_is_printed_comes_as_it_is_and_an_endless_output_is_cut_in_its_middle() {
        let minute = Duration::from_secs(60);
        let (ran, streamed) = run("sh", &["-c", "echo out; echo err >&2; exit 3"], minute, &|| false);
        assert_eq!(ran.ended, Ended::ByItself(Some(3)));
        assert!(ran.output.contains("out\n") && ran.output.contains("err\n"), "{}", ran.output);
        assert_eq!((streamed.len(), ran.result.as_str()), (8, "out\n"));
        let (ran, streamed) = run("seq", &["1", "40000"], minute, &|| false);
        assert!(ran.is_well() && ran.left_out > 0 && ran.output.len() < OUTPUT_BYTES_MAX + 100);
        assert!(ran.output.starts_with("1\n2\n") && ran.output.ends_with("39999\n40000\n"));
        assert!(streamed.len() > OUTPUT_BYTES_MAX, "the stream is whole");
    }

    /// Looks at a process that was told to end.
    #[cfg(target_os = "linux")]
    const LOOKS: u32 = 200_000;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_command_leaves_in_the_background_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let beats = folder.path().join("beats");
        let line = format!(
            "(while :; do echo beat >> {0}; sleep 0.05; done) > /dev/null 2>&1 & sleep 0.2; echo $!",
            beats.display()
        );
        let (ran, _) = run("sh", &["-c", &line], Duration::from_secs(60), &|| false);
        let process: i32 = ran.output.trim().parse().unwrap();
        let process = rustix::process::Pid::from_raw(process).unwrap();
        // A process that is gone, or is a zombie nobody waited for, takes no part any more.
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        let is_gone = || {
            state().map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
        };
        // It was told to end, and does so when it is next its turn.
        let ends = (0..LOOKS).any(|_| {
            std::thread::yield_now();
            is_gone()
        });
        assert!(ends, "it goes on: {:?}", state());
    }

    #[test]
    fn a_stop_and_the_end_of_its_time_end_a_command_with_its_children() {
        let (ran, _) = run("sh", &["-c", "sleep 100 & sleep 100"], Duration::from_secs(60), &|| true);
        assert_eq!(ran.ended, Ended::Stopped);
        let (ran, _) = run("sh", &["-c", "sleep 100 & sleep 100"], Duration::from_millis(1), &|| false);
        assert_eq!(ran.ended, Ended::TimedOut);
    }
}

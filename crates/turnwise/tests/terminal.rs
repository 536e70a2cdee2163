//! The real binary in a pseudo-terminal, with a terminal emulator as the eye. Nothing sleeps: each step waits until the
//! screen shows what it should, and fails with the screen when it does not in time.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::{Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// Far more than a step needs on a busy machine; reached only when something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);
const QUESTION: &str = "how many customers are there?";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

struct Terminal {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    emulator: vt100::Parser,
    /// What came, to know whether a frame is being drawn.
    raw: Vec<u8>,
    state: TempDir,
}

fn sample() -> &'static Path {
    static SAMPLE: OnceLock<TempDir> = OnceLock::new();
    let folder = SAMPLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"));
        assert!(command.arg("sample").arg(folder.path()).output().unwrap().status.success());
        folder
    });
    folder.path()
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// A chat over the sample data; afterwards the shell tells its exit code and the terminal's settings.
    fn chat(columns: u16, rows: u16) -> Self {
        Self::chat_with(columns, rows, &[])
    }

    /// The same, with variables of the environment set.
    fn chat_with(columns: u16, rows: u16, variables: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let state = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new("sh");
        // The shell survives what is sent to the whole group, to tell what the chat left behind.
        let script = "trap '' TERM; echo before; \"$0\" chat --data \"$1\"; echo \"code $?\"; stty -a; echo over";
        command.args(["-c", script, env!("CARGO_BIN_EXE_turnwise"), sample().to_str().unwrap()]);
        command.env("TURNWISE_STATE", state.path());
        command.env("TERM", "xterm-256color");
        command.env("USER", "ada");
        for (name, value) in variables {
            command.env(name, value);
        }
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read) = reader.read(&mut buffer) {
                if read == 0 || sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let emulator = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 1_000);
        let writer = pair.master.take_writer().unwrap();
        let mut terminal = Self { master: pair.master, writer, child, output, emulator, raw: Vec::new(), state };
        terminal.until("the prompt", |screen| screen.contains("[EXPLORE] idle"));
        terminal
    }

    fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Answers an open question as fingers do: Enter by itself, when the words are there.
    fn answer(&mut self, words: &str) {
        self.send(words);
        let typed = format!("› {words}");
        self.until("the answer in the input line", |screen| screen.contains(&typed));
        self.send("\r");
    }

    fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    /// Waits until the screen is as wanted.
    fn until(&mut self, what: &str, is_shown: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while self.is_mid_frame() || !is_shown(&self.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.emulator.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(error) => panic!("{what} was not shown ({error}); the screen is:\n{}", self.screen()),
            }
        }
    }

    /// Whether a synchronized update has begun and not ended; the screen is then half old, half new.
    fn is_mid_frame(&self) -> bool {
        let last = |mark: &[u8]| self.raw.windows(mark.len()).rposition(|window| window == mark);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }

    /// The line with the cursor.
    fn cursor_line(&self) -> String {
        let (row, _) = self.emulator.screen().cursor_position();
        let columns = self.emulator.screen().size().1;
        self.emulator.screen().rows(0, columns.into()).nth(usize::from(row)).unwrap().trim_end().to_owned()
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.emulator.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// The chat has ended with `code`, and the terminal is as it was.
    fn check_left(&mut self, code: u8) {
        self.until("the end", |screen| screen.contains("over"));
        let screen = self.screen();
        assert!(screen.contains(&format!("code {code}\n")), "{screen}");
        for setting in [" icanon", " echo ", " isig"] {
            assert!(screen.replace('\n', " ").contains(setting), "{setting} is off:\n{screen}");
        }
        assert!(!self.emulator.screen().bracketed_paste());
        assert!(!self.emulator.screen().hide_cursor());
        assert!(!screen.contains("[EXPLORE]"), "the status line was left behind:\n{screen}");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_question_is_planned_approved_and_answered() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval") && screen.contains("Run it?"));
    assert!(terminal.screen().contains(&format!("› {QUESTION}")));
    terminal.answer("y");
    let customers = std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1;
    terminal.until("the answer", |screen| {
        screen.contains("✓ 1") && screen.contains(&customers.to_string()) && screen.contains("[EXPLORE] idle")
    });
    assert_eq!(terminal.cursor_line(), "›");
    terminal.send("/exit\r");
    terminal.check_left(0);
}

#[test]
fn prompt_mid_typing_does_not_take_keys() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\rand y"));
    terminal.until("the plan above what is being typed", |screen| {
        screen.contains("awaiting_approval") && screen.contains("› and y")
    });
    assert_eq!(terminal.cursor_line(), "› and y");
    // Nothing of what is being typed was taken as an answer.
    assert!(!terminal.screen().contains("executing"));
}

#[test]
fn ctrl_c_stops_what_waits_then_clears_then_leaves() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval"));
    terminal.send(CTRL_C);
    terminal.until("the stop", |screen| screen.contains("Nothing was executed") && screen.contains("[EXPLORE] idle"));
    terminal.send("half a thought");
    terminal.until("the words", |screen| screen.contains("› half a thought"));
    terminal.send(CTRL_C);
    terminal.until("the hint", |screen| !screen.contains("half a thought") && screen.contains("Ctrl+C again leaves"));
    terminal.send(CTRL_C);
    terminal.check_left(0);
}

#[test]
fn a_paste_of_several_lines_waits_for_enter() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send("\u{1b}[200~how many\ncustomers are there?\n\u{1b}[201~");
    terminal.until("the pasted lines", |screen| screen.contains("› how many\n  customers are there?\n"));
    assert!(terminal.screen().contains("[EXPLORE] idle"));
    terminal.send("\r");
    terminal.until("the plan", |screen| screen.contains("awaiting_approval"));
}

#[test]
fn a_pasted_yes_approves_nothing_until_enter_is_pressed() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval") && screen.contains("Run it?"));
    // Without bracketed paste, a terminal hands over what was pasted as if it had been typed.
    terminal.send("yes\r");
    terminal.until("the paste in the input line", |screen| {
        screen.contains("› yes") && screen.contains("Pasted, not sent: Enter sends it")
    });
    assert!(!terminal.screen().contains("executing") && !terminal.screen().contains("✓ 1"), "{}", terminal.screen());
    terminal.send("\r");
    terminal.until("the answer", |screen| screen.contains("✓ 1") && screen.contains("[EXPLORE] idle"));
}

#[test]
fn a_change_of_size_leaves_one_prompt_and_one_status_line() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send("abc");
    terminal.until("the words", |screen| screen.contains("› abc"));
    for (columns, rows) in [(60, 12), (120, 30), (24, 8)] {
        terminal.resize(columns, rows);
        terminal.send("d");
        terminal.until("the new letter", |screen| screen.contains("› abcd"));
        assert_eq!(terminal.screen().matches("[EXPLORE] idle").count(), 1, "{}", terminal.screen());
        assert_eq!(terminal.screen().matches('›').count(), 1, "{}", terminal.screen());
        terminal.send("\u{7f}");
        terminal.until("the letter gone", |screen| !screen.contains("abcd") && screen.contains("› abc"));
    }
    assert_eq!(terminal.cursor_line(), "› abc");
}

#[test]
fn a_termination_restores_the_terminal_and_says_so_in_its_code() {
    let mut terminal = Terminal::chat(100, 40);
    let group = format!("-{}", terminal.child.process_id().unwrap());
    assert!(std::process::Command::new("kill").args(["-TERM", "--", &group]).status().unwrap().success());
    terminal.check_left(143);
}

#[test]
fn ctrl_d_leaves_only_an_empty_line() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("a{CTRL_D}b"));
    terminal.until("the words", |screen| screen.contains("› ab"));
    terminal.send(&format!("\u{7f}\u{7f}{CTRL_D}"));
    terminal.check_left(0);
}

/// Runs the binary beside the chat, over what it keeps.
fn beside(terminal: &Terminal, arguments: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(arguments).env("TURNWISE_STATE", terminal.state.path()).output().unwrap()
}

#[test]
fn a_plan_approved_in_another_shell_runs_and_this_screen_says_who_did_it() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval"));
    let approved = beside(&terminal, &["approve", "q1", "--as", "anna"]);
    let answer = String::from_utf8(approved.stdout).unwrap();
    assert!(approved.status.success(), "{answer}{}", String::from_utf8_lossy(&approved.stderr));
    let customers = std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1;
    assert!(answer.contains(&customers.to_string()), "{answer}");
    terminal.until("the decision and the answer", |screen| {
        screen.contains("Approved by anna in another session (command line).")
            && screen.contains("anna › approve")
            && screen.contains(&customers.to_string())
            && screen.contains("[EXPLORE] idle")
    });
    // The question is closed here too: a yes to it now is told so and runs nothing.
    terminal.answer("y");
    terminal.until("that nothing waits", |screen| screen.contains("Nothing waits for a yes or a no right now."));
}

#[test]
fn sighup_on_prompt_is_no_answer() {
    let mut terminal = Terminal::chat(100, 40);
    terminal.send(&format!("{QUESTION}\ry"));
    terminal.until("the plan, and a half-typed yes", |screen| screen.contains("Run it?") && screen.contains("› y"));
    let group = format!("-{}", terminal.child.process_id().unwrap());
    // The shell that waits for the chat is hung up too; only what is kept can tell.
    assert!(std::process::Command::new("kill").args(["-HUP", "--", &group]).status().unwrap().success());
    terminal.child.wait().unwrap();
    let listed = beside(&terminal, &["pending", "--json"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.contains("\"id\":\"") && listed.contains("\"asks\":\"approval\""), "{listed}");
    let why = String::from_utf8(beside(&terminal, &["why"]).stdout).unwrap();
    assert!(why.contains("message 1"), "the half-typed yes was never sent: {why}");
}

/// An editor as a script: what it does to the file is `body`, in which `$1` is the file.
fn editor(folder: &TempDir, body: &str) -> String {
    let path = folder.path().join("editor.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    format!("sh {}", path.display())
}

#[test]
fn a_plan_is_edited_into_its_next_version_which_waits_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    // Reads a key from the terminal as an editor would, so that the chat must have let go of it.
    let body = "echo 'press a key'; stty -icanon; k=$(dd bs=1 count=1 2>/dev/null); stty icanon; \
                sed -i \"s/^title: .*/title: Heads $k/\" \"$1\"";
    let mut terminal = Terminal::chat_with(100, 40, &[("VISUAL", &editor(&folder, body))]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    terminal.answer("/edit");
    terminal.until("the editor", |screen| screen.contains("press a key"));
    terminal.send("x");
    terminal.until("the next version", |screen| {
        screen.contains("Plan: \"Heads x\" (1 step, version 2)") && screen.contains("Changes, version 1 → 2:")
    });
    assert!(terminal.screen().contains("awaiting_approval"), "an edit is no approval:\n{}", terminal.screen());
    terminal.answer("y");
    terminal.until("the answer", |screen| screen.contains("✓ 1") && screen.contains("[EXPLORE] idle"));
}

#[test]
fn a_text_that_is_no_plan_is_kept_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    // The first time a key is misspelt; the second time what was said about it is mended.
    let body = "if grep -q '^# Not taken: line .*did you mean `title`' \"$1\"; then sed -i 's/^titel:/title:/' \"$1\"; \
                else sed -i 's/^title: .*/titel: Heads/' \"$1\"; fi";
    let mut terminal = Terminal::chat_with(140, 40, &[("EDITOR", &editor(&folder, body)), ("VISUAL", "")]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    terminal.answer("/edit");
    terminal.until("what is wrong", |screen| {
        screen.contains("there is no `titel` here; did you mean `title`?") && screen.contains("awaiting_approval")
    });
    terminal.answer("/edit");
    terminal.until("the next version", |screen| screen.contains("Plan: \"Heads\" (1 step, version 2)"));
}

//! The chat in a pseudo-terminal: what a person types and sees. Next: `conversations`, `screen`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod completion;
mod conversations;
mod history;
mod loading;
#[path = "../screen/mod.rs"]
mod screen;

use std::path::Path;
use std::sync::OnceLock;

use screen::Terminal;
use tempfile::TempDir;

const QUESTION: &str = "how many customers are there?";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const CTRL_O: &str = "\u{f}";

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

/// A chat over the sample data.
fn chat(columns: u16, rows: u16) -> Terminal {
    chat_with(columns, rows, &[])
}

fn chat_with(columns: u16, rows: u16, variables: &[(&str, &str)]) -> Terminal {
    Terminal::start(columns, rows, &["chat", "--data", sample().to_str().unwrap()], variables)
}

#[test]
fn a_question_is_planned_approved_and_answered() {
    let mut terminal = chat(100, 40);
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
fn a_plan_that_only_reads_is_one_line_and_its_query_comes_when_asked_for() {
    const QUERY: &str = "sql: SELECT";
    let mut terminal = chat(140, 40);
    terminal.send("total revenue by region\r");
    terminal.until("the plan in short, with what it assumes", |screen| {
        screen.contains("Plan: Revenue by region · only reads orders, regions")
            && screen.contains("Run it? y = yes")
            && screen.contains("Assumes: “revenue” is orders.revenue.")
            && !screen.contains(QUERY)
    });
    terminal.send(CTRL_O);
    terminal.until("the whole plan", |screen| screen.matches(QUERY).count() == 1);
    terminal.answer("details");
    terminal.until("the whole plan again", |screen| screen.matches(QUERY).count() == 2);
    terminal.answer("/plan");
    terminal.until("the whole plan once more", |screen| screen.matches(QUERY).count() == 3);
    assert!(terminal.screen().contains("awaiting_approval"), "to look is no decision:\n{}", terminal.screen());
}

#[test]
fn always_runs_what_only_reads_until_it_is_taken_back_and_never_what_changes_something() {
    const STANDING: &str = "reading plans run unasked · /ask";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("towns.csv"), "town,people\nUlm,3\nBonn,4\n").unwrap();
    let mut terminal = Terminal::start(150, 40, &["chat", "--data", folder.path().to_str().unwrap()], &[]);
    terminal.send("total people\r");
    terminal.until("the plan", |screen| screen.contains("a = always when a plan only reads"));
    terminal.answer("a");
    terminal.until("the answer, and what was settled", |screen| screen.contains("✓ 1") && screen.contains(STANDING));
    terminal.send("total people by town\r");
    terminal.until("the answer without a question", |screen| {
        screen.contains("Runs without asking: it changes nothing, and you said") && screen.matches("✓ 1").count() == 2
    });
    assert_eq!(terminal.screen().matches("Run it?").count(), 1, "{}", terminal.screen());
    terminal.send("save total people by town as a csv called sum.csv\r");
    terminal.until("what changes something waits", |screen| {
        screen.contains("awaiting_approval") && screen.contains("(2 steps)")
    });
    assert!(!folder.path().join("sum.csv").exists());
    terminal.answer("n");
    terminal.answer("cancel");
    terminal.until("nothing waits", |screen| screen.contains("[EXPLORE] idle"));
    terminal.answer("ask first");
    terminal.until("it is taken back", |screen| {
        screen.contains("asked about again") && !screen.lines().last().unwrap_or_default().contains(STANDING)
    });
    terminal.send("average people\r");
    terminal.until("the plan waits", |screen| screen.contains("awaiting_approval"));
}

#[test]
fn a_plan_that_changes_something_is_shown_whole() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("towns.csv"), "town,people\nUlm,3\n").unwrap();
    let mut terminal = Terminal::start(140, 40, &["chat", "--data", folder.path().to_str().unwrap()], &[]);
    terminal.send("save the total people as a csv called sum.csv\r");
    terminal.until("the plan with its steps", |screen| {
        screen.contains("sum.csv") && screen.contains("(2 steps)") && screen.contains("sql: SELECT")
    });
}

#[test]
fn more_pages_through_a_long_table_and_the_talk_stays_where_it_was() {
    let mut terminal = chat(100, 40);
    terminal.send("list all orders\r");
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    terminal.answer("y");
    terminal.until("a part of the rows", |screen| {
        screen.contains("5029 more rows") && screen.contains("“more” pages through it")
    });
    let before = terminal.screen();
    terminal.send("more\r");
    terminal.until("the first page", |screen| screen.contains("lines 1–39 of") && !screen.contains("Run it?"));
    terminal.send(" ");
    terminal.until("rows that were not shown", |screen| screen.contains("lines 40–78 of"));
    terminal.send("G");
    terminal.until("the end, with what is not kept", |screen| screen.contains("… 4049 more rows"));
    terminal.send("q");
    terminal.until("the talk", |screen| screen.contains("Run it?") && screen.contains("[EXPLORE] idle"));
    assert_eq!(terminal.screen().trim_end(), before.trim_end());
    terminal.send("/exit\r");
    terminal.check_left(0);
}

#[test]
fn prompt_mid_typing_does_not_take_keys() {
    let mut terminal = chat(100, 40);
    terminal.send(&format!("{QUESTION}\rand y"));
    terminal.until("the plan above what is being typed", |screen| {
        screen.contains("awaiting_approval") && screen.contains("› and y")
    });
    assert_eq!(terminal.cursor_line(), "› and y");
    // Nothing of what is being typed was taken as an answer, and sent it is no yes either.
    assert!(!terminal.screen().contains("executing"));
    terminal.send("es or no, who knows");
    terminal.until("the rest of it", |screen| screen.contains("› and yes or no, who knows"));
    terminal.send("\r");
    terminal.until("the line taken", |screen| screen.lines().any(|line| line.trim_end() == "›"));
    terminal.answer("/status");
    terminal.until("the status", |screen| screen.contains("task: "));
    let screen = terminal.screen();
    assert!(screen.contains("awaiting_approval") && !screen.contains("✓ 1"), "{screen}");
}

#[test]
fn ctrl_c_that_clears_a_line_says_what_the_next_one_does() {
    let mut terminal = chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval") && screen.contains("Run it?"));
    terminal.send("half a thought");
    terminal.until("the words", |screen| screen.contains("› half a thought"));
    terminal.send(CTRL_C);
    terminal.until("the hint", |screen| screen.contains("Ctrl+C again drops what waits"));
    terminal.send(CTRL_C);
    terminal.until("the stop", |screen| screen.contains("Nothing was executed") && screen.contains("[EXPLORE] idle"));
}

#[test]
fn ctrl_c_stops_what_waits_then_clears_then_leaves() {
    let mut terminal = chat(100, 40);
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
    let mut terminal = chat(100, 40);
    terminal.send("\u{1b}[200~how many\ncustomers are there?\n\u{1b}[201~");
    terminal.until("the pasted lines", |screen| screen.contains("› how many\n  customers are there?\n"));
    assert!(terminal.screen().contains("[EXPLORE] idle"));
    terminal.send("\r");
    terminal.until("the plan", |screen| screen.contains("awaiting_approval"));
}

#[test]
fn a_pasted_yes_approves_nothing_until_enter_is_pressed() {
    let mut terminal = chat(100, 40);
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
    let mut terminal = chat(100, 40);
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
    let mut terminal = chat(100, 40);
    let group = format!("-{}", terminal.child.process_id().unwrap());
    assert!(std::process::Command::new("kill").args(["-TERM", "--", &group]).status().unwrap().success());
    terminal.check_left(143);
}

#[test]
fn ctrl_d_leaves_only_an_empty_line() {
    let mut terminal = chat(100, 40);
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
    let mut terminal = chat(100, 40);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval"));
    let approved = beside(&terminal, &["approve", "q1", "--as", "anna"]);
    let answer = String::from_utf8(approved.stdout).unwrap();
    assert!(approved.status.success(), "{answer}{}", String::from_utf8_lossy(&approved.stderr));
    let customers = std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1;
    assert!(answer.contains(&customers.to_string()), "{answer}");
    terminal.until("the decision and the answer", |screen| {
        screen.contains("Approved by anna in another session (command line) at ")
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
    let mut terminal = chat(100, 40);
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
    let mut terminal = chat_with(100, 40, &[("VISUAL", &editor(&folder, body))]);
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
    let mut terminal = chat_with(140, 40, &[("EDITOR", &editor(&folder, body)), ("VISUAL", "")]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    terminal.answer("/edit");
    terminal.until("what is wrong", |screen| {
        screen.contains("there is no `titel` here; did you mean `title`?") && screen.contains("awaiting_approval")
    });
    terminal.answer("/edit");
    terminal.until("the next version", |screen| screen.contains("Plan: \"Heads\" (1 step, version 2)"));
}

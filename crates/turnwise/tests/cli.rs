//! The real binary, from the outside: exit codes, JSON, pipes, and what it says to bad input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A question whose answer can be counted in the sample data.
const QUESTION: &str = "how many customers are there?";

/// The sample data, written once for all tests of this file.
fn sample() -> &'static Path {
    static SAMPLE: OnceLock<TempDir> = OnceLock::new();
    let folder = SAMPLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let written = turnwise(&folder, &["sample", folder.path().to_str().unwrap()], "");
        assert_eq!(written.status.code(), Some(0), "{}", errors(&written));
        folder
    });
    folder.path()
}

fn customers() -> usize {
    std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1
}

/// Runs the binary with its state in `state` and `input` on standard input.
fn turnwise(state: &TempDir, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails before it reads closes the pipe; what it says is what is tested.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Runs a command over the sample data.
fn over_sample(state: &TempDir, arguments: &[&str], input: &str) -> Output {
    let data = sample().to_str().unwrap();
    let (command, rest) = arguments.split_first().unwrap();
    let all: Vec<&str> = [*command, "--data", data].into_iter().chain(rest.iter().copied()).collect();
    turnwise(state, &all, input)
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", text(output), errors(output)))
}

/// `code`, and one error that begins with `message` and has a hint.
fn check_error(output: &Output, code: i32, message: &str) {
    let said = errors(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.starts_with(&format!("error: {message}")), "{said}");
    assert_eq!(said.matches("error:").count(), 1, "{said}");
}

#[test]
fn a_question_without_approval_shows_its_plan_and_executes_nothing() {
    let state = tempfile::tempdir().unwrap();
    let asked = over_sample(&state, &["ask", "--json", QUESTION], "");
    assert_eq!(asked.status.code(), Some(3), "{}", errors(&asked));
    let answer = json_of(&asked);
    assert_eq!(answer["table"], Value::Null);
    assert_eq!(answer["facts"], json!([]));
    assert_eq!(answer["pending"]["kind"]["asks"], "approval");
    assert!(!answer["plan"]["steps"].as_array().unwrap().is_empty());
    assert_eq!(answer["receipt"]["outcome"], "applied");
}

#[test]
fn an_approved_question_is_answered_with_its_rows() {
    let state = tempfile::tempdir().unwrap();
    let asked = over_sample(&state, &["ask", "--approve", "all", "--ephemeral", "--json", QUESTION], "");
    assert_eq!(asked.status.code(), Some(0), "{}", errors(&asked));
    let answer = json_of(&asked);
    assert_eq!(answer["table"]["rows"], json!([[customers()]]));
    assert_eq!(answer["pending"], Value::Null);
    assert!(!answer["facts"].as_array().unwrap().is_empty());
}

#[test]
fn the_question_can_come_from_standard_input() {
    let state = tempfile::tempdir().unwrap();
    let asked = over_sample(&state, &["ask", "--approve", "all", "--ephemeral", "-"], QUESTION);
    assert_eq!(asked.status.code(), Some(0), "{}", errors(&asked));
    assert!(text(&asked).contains(&customers().to_string()), "{}", text(&asked));
    let empty = over_sample(&state, &["ask", "--ephemeral", "-"], " \n");
    check_error(&empty, 2, "the question is empty");
}

#[test]
fn a_chat_in_a_pipe_reads_questions_and_approvals_line_by_line() {
    let state = tempfile::tempdir().unwrap();
    let chat = over_sample(&state, &["chat", "--ephemeral"], &format!("{QUESTION}\ny\n"));
    assert_eq!(chat.status.code(), Some(0), "{}", errors(&chat));
    assert!(text(&chat).contains(&customers().to_string()), "{}", text(&chat));
    assert!(!text(&chat).contains('\u{1b}'));
}

#[test]
fn the_end_of_input_approves_nothing_and_the_next_chat_goes_on_there() {
    let state = tempfile::tempdir().unwrap();
    let first = over_sample(&state, &["chat"], &format!("{QUESTION}\n"));
    assert_eq!(first.status.code(), Some(3), "{}{}", text(&first), errors(&first));
    assert!(!text(&first).contains('✓'), "{}", text(&first));

    let fresh = over_sample(&state, &["chat", "--new"], "/status\n");
    assert!(text(&fresh).contains("[EXPLORE] idle"), "{}", text(&fresh));

    let id = text(&over_sample(&state, &["chat", "--resume"], ""));
    assert!(id.contains("Going on with conversation"), "{id}");

    let other = tempfile::tempdir().unwrap();
    over_sample(&other, &["chat"], &format!("{QUESTION}\n"));
    let second = over_sample(&other, &["chat"], "y\n");
    assert_eq!(second.status.code(), Some(0), "{}{}", text(&second), errors(&second));
    assert!(text(&second).contains("Going on with conversation"), "{}", text(&second));
    assert!(text(&second).contains(&customers().to_string()), "{}", text(&second));
}

#[test]
fn two_processes_share_one_database() {
    let state = tempfile::tempdir().unwrap();
    let outputs: Vec<Output> = std::thread::scope(|scope| {
        let ask = || over_sample(&state, &["ask", "--approve", "all", "--json", QUESTION], "");
        let running: Vec<_> = (0..2).map(|_| scope.spawn(ask)).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for output in outputs {
        assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
        assert_eq!(json_of(&output)["table"]["rows"], json!([[customers()]]));
    }
}

#[test]
fn usage_errors_say_what_to_do() {
    let state = tempfile::tempdir().unwrap();
    check_error(&turnwise(&state, &["ask", QUESTION], ""), 2, "no data was named");
    check_error(&turnwise(&state, &["chat", "--data", "/no/such/file.csv"], ""), 2, "There is no file or folder");
    check_error(&over_sample(&state, &["chat", "--resume", "nobody"], ""), 2, "there is no conversation nobody");
    check_error(&over_sample(&state, &["chat", "--resume"], ""), 2, "there is no conversation over this data yet");
    check_error(&over_sample(&state, &["ask", "--assistant", "analist", QUESTION], ""), 2, "");
    check_error(&turnwise(&state, &["chat", "--nonsense"], ""), 2, "unexpected argument");
}

#[test]
fn a_state_folder_that_cannot_be_used_is_named_with_the_ways_around_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .args(["--data", sample().to_str().unwrap(), QUESTION])
            .env("TURNWISE_STATE", file.join("below"))
            .output()
            .unwrap()
    };
    let asked = run(&["ask"]);
    check_error(&asked, 1, "the state folder");
    assert!(errors(&asked).contains("--db FILE") && errors(&asked).contains("TURNWISE_STATE"), "{}", errors(&asked));
    assert_eq!(run(&["ask", "--ephemeral"]).status.code(), Some(3));
}

#[test]
fn a_file_that_is_no_database_is_left_as_it_was() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("notes.txt");
    let notes = "these are my notes, and they are longer than a header of a database would have to be. ".repeat(20);
    std::fs::write(&file, &notes).unwrap();
    let asked = over_sample(&state, &["ask", "--db", file.to_str().unwrap(), QUESTION], "");
    assert_eq!(asked.status.code(), Some(2), "{}", errors(&asked));
    assert!(errors(&asked).contains("not a Turnwise database"), "{}", errors(&asked));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), notes);
}

#[test]
fn empty_and_very_long_message() {
    let state = tempfile::tempdir().unwrap();
    check_error(&over_sample(&state, &["ask", "--ephemeral", ""], ""), 2, "the question is empty");
    let long = "revenue ".repeat(12_800);
    let chat = over_sample(&state, &["chat", "--ephemeral"], &format!("\n   \n{long}\n\u{200b}\n{QUESTION}\ny\n"));
    assert_eq!(chat.status.code(), Some(0), "{}", errors(&chat));
    let told =
        "error: that message is 100 kB long; at most 64 kB are read\n  hint: say it shorter, or in several messages";
    assert!(text(&chat).contains(told), "{}", text(&chat));
    assert_eq!(text(&chat).matches("revenue").count(), 0, "nothing of it is drawn: {}", text(&chat));
    assert!(text(&chat).contains(&customers().to_string()), "the next message is read as ever: {}", text(&chat));
    let asked = over_sample(&state, &["ask", "--ephemeral", "--json", "-"], &"revenue ".repeat(12_800));
    check_error(&asked, 2, "that message is 100 kB long; at most 64 kB are read");
}

#[test]
fn control_characters_do_not_reach_the_output() {
    let state = tempfile::tempdir().unwrap();
    let chat = over_sample(&state, &["chat", "--ephemeral"], "revenue \u{1b}[2J\u{7} by moon\u{9b}31m\n/plan\n");
    assert!(chat.status.code().is_some());
    assert!(!text(&chat).chars().any(|character| character.is_control() && character != '\n'), "{:?}", text(&chat));
}

#[test]
fn classify_reads_line_by_line_and_names_the_lines_it_cannot_read() {
    let state = tempfile::tempdir().unwrap();
    let input =
        "{\"text\": \"/proof\"}\n{\"text\": 1}\n\n{\"text\": \"y\", \"context\": {\"phase\": \"awaiting_approval\"}}\n";
    let read = turnwise(&state, &["classify", "--assistant", "analyst", "--jsonl"], input);
    assert_eq!(read.status.code(), Some(2), "{}", errors(&read));
    let lines: Vec<Value> = text(&read).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["intent"], &lines[0]["sub"]), (&json!("control"), &json!("mode_switch")));
    assert_eq!(lines[0]["tier"], "slash");
    assert_eq!(lines[1], json!({"line": 2, "error": "`text` is missing or no text"}));
    assert_eq!(lines[2]["reply"], "approve");
    let together = turnwise(&state, &["classify", "--assistant", "analyst", "--jsonl", "--threads", "3"], input);
    assert_eq!((together.status, text(&together)), (read.status, text(&read)));
}

#[test]
fn why_tells_who_decided_and_how_sure() {
    let state = tempfile::tempdir().unwrap();
    let told = turnwise(&state, &["why", "--text", "/proof"], "");
    assert_eq!(told.status.code(), Some(0), "{}", errors(&told));
    assert!(text(&told).contains("control.mode_switch"), "{}", text(&told));
    assert!(text(&told).contains("threshold"), "{}", text(&told));
}

#[test]
fn why_tells_how_a_kept_message_was_read() {
    let state = tempfile::tempdir().unwrap();
    check_error(&turnwise(&state, &["why"], ""), 2, "no conversation is kept here");
    let chat = over_sample(&state, &["chat"], &format!("{QUESTION}\ny\n"));
    assert_eq!(chat.status.code(), Some(0), "{}", errors(&chat));
    let last = text(&turnwise(&state, &["why"], ""));
    assert!(last.contains("message 2: \"y\"\nSaid by "), "{last}");
    assert!(last.contains("It ended q1: approved.\nAs a reply to the open question: yes."), "{last}");
    let id = last.split(',').next().unwrap();
    let first = text(&turnwise(&state, &["why", id, "1"], ""));
    assert!(first.contains(&format!("message 1: \"{QUESTION}\"")), "{first}");
    assert!(first.contains("→ plan_new") && first.contains("threshold plan_new 0."), "{first}");
    check_error(&turnwise(&state, &["why", id, "9"], ""), 2, &format!("conversation {id} has no message 9"));
    check_error(&turnwise(&state, &["why", "x-1"], ""), 2, "there is no conversation x-1");
}

#[test]
fn eval_counts_what_is_right_and_what_is_acted_on() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("labelled.jsonl");
    let lines = "{\"text\": \"/proof\", \"label\": \"control.mode_switch\"}\n\n\
        {\"text\": \"/proof\", \"label\": \"query\"}\n\
        {\"text\": \"I like <b>turtles</b>\", \"label\": \"oos\"}\n";
    std::fs::write(&file, lines).unwrap();
    let path = file.to_str().unwrap();
    let found = json_of(&turnwise(&state, &["eval", "--data", path, "--format", "json"], ""));
    assert_eq!((&found["in_scope"], &found["out_of_scope"]), (&json!(2), &json!(1)));
    assert_eq!((&found["accuracy"], &found["coverage"]), (&json!(0.5), &json!(1.0)));
    assert_eq!((&found["sub_accuracy"], &found["out_of_scope_auroc"]), (&json!(1.0), &json!(1.0)));
    assert_eq!(found["worst"][0]["truth"], "query");
    assert!(found["latency"]["p99_ms"].as_f64().unwrap() >= found["latency"]["p50_ms"].as_f64().unwrap());
    let page = state.path().join("page.html");
    let written =
        turnwise(&state, &["eval", "--data", path, "--format", "html", "--output", page.to_str().unwrap()], "");
    assert_eq!(written.status.code(), Some(0), "{}", errors(&written));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<title>query done as control: 1 of 1</title>"), "{page}");
    assert!(page.contains("prefers-color-scheme: dark") && !page.contains("http"), "{page}");
}

#[test]
fn eval_names_the_line_it_cannot_use() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("labelled.jsonl");
    let path = file.to_str().unwrap();
    let refused = |last: &str| {
        std::fs::write(&file, format!("{{\"text\": \"a\", \"label\": \"query\"}}\n\n{last}\n")).unwrap();
        turnwise(&state, &["eval", "--data", path], "")
    };
    let line = format!("{path}, line 3: ");
    check_error(&refused("{"), 2, &format!("{line}not JSON"));
    check_error(&refused("{\"text\": \"a\"}"), 2, &format!("{line}`label` is missing"));
    let misspelt = refused("{\"text\": \"a\", \"label\": \"qury\"}");
    check_error(&misspelt, 2, &format!("{line}the assistant analyst has no label `qury`; the nearest is `query`"));
    std::fs::write(&file, "\n").unwrap();
    check_error(&turnwise(&state, &["eval", "--data", path], ""), 2, &format!("{path} has no messages"));
}

#[test]
fn sample_writes_the_same_files_for_the_same_seed() {
    let state = tempfile::tempdir().unwrap();
    let write = |name: &str, seed: &str| {
        let folder: PathBuf = state.path().join(name);
        let written = turnwise(&state, &["sample", folder.to_str().unwrap(), "--seed", seed], "");
        assert_eq!(written.status.code(), Some(0), "{}", errors(&written));
        std::fs::read(folder.join("customers.csv")).unwrap()
    };
    assert_eq!(write("a", "7"), write("b", "7"));
    assert_ne!(write("a", "7"), write("c", "8"));
}

#[test]
fn help_names_every_command() {
    let state = tempfile::tempdir().unwrap();
    let help = text(&turnwise(&state, &["--help"], ""));
    for command in ["chat", "ask", "classify", "eval", "why", "sample"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
}

/// What was noticed while the data was read may explain the answer, so a script hears of it too.
#[test]
fn a_question_says_what_of_its_data_was_not_read() {
    let (state, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("people.csv"), "name,town\nAda,Rome\n").unwrap();
    std::fs::write(folder.path().join("more.csv.zip"), "PK").unwrap();
    let data = folder.path().to_str().unwrap();
    let asked =
        turnwise(&state, &["ask", "--data", data, "--ephemeral", "--approve", "all", "how many people are there?"], "");
    assert_eq!(asked.status.code(), Some(0), "{}", errors(&asked));
    assert!(errors(&asked).contains("Noticed: Not read from the folder") && errors(&asked).contains("more.csv.zip"));
}

#[test]
fn an_assistant_that_does_not_exist_is_refused_by_name_everywhere() {
    let state = tempfile::tempdir().unwrap();
    let (told, hint) = ("there is no assistant `analist`", "hint: assistants that work: analyst, coder, copilot, ");
    for command in [
        &["ask", "--assistant", "analist", QUESTION][..],
        &["chat", "--assistant", "analist"],
        &["serve", "--port", "0", "--assistant", "analyst", "--assistant", "analist"],
    ] {
        let refused = over_sample(&state, command, "hello\n");
        assert_eq!(refused.status.code(), Some(2), "{command:?}: {}{}", text(&refused), errors(&refused));
        assert!(errors(&refused).contains(told) && errors(&refused).contains(hint), "{}", errors(&refused));
    }
    let checked = turnwise(&state, &["doctor", "--port", "0", "--assistant", "analist"], "");
    assert_eq!(checked.status.code(), Some(1), "{}", text(&checked));
    assert!(text(&checked).contains(&format!("✗ assistant: {told}")), "{}", text(&checked));
    let twice = over_sample(&state, &["serve", "--assistant", "analyst", "--assistant", "analyst"], "");
    assert!(errors(&twice).contains("--assistant analyst is given twice"), "{}", errors(&twice));
}

#[test]
fn the_default_assistant_of_a_configuration_is_refused_as_one_that_is_typed() {
    let state = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["ask", "--data", sample().to_str().unwrap(), QUESTION]);
    let set = command.env("TURNWISE_STATE", state.path()).env("TURNWISE_ASSISTANT", "analist").output().unwrap();
    assert_eq!(set.status.code(), Some(2), "{}", errors(&set));
    assert!(errors(&set).contains("there is no assistant `analist`"), "{}", errors(&set));
}

#[test]
fn shells_and_man_are_told_of_every_command_and_option() {
    let state = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = turnwise(&state, &["completions", shell], "");
        assert_eq!(script.status.code(), Some(0), "{}", errors(&script));
        for word in ["chat", "approve", "assistant", "port"] {
            assert!(text(&script).contains(word), "{shell}: {word}");
        }
    }
    let script = state.path().join("turnwise.bash");
    std::fs::write(&script, turnwise(&state, &["completions", "bash"], "").stdout).unwrap();
    let asked = format!(
        "source {}; COMP_WORDS=(turnwise app); COMP_CWORD=1; _turnwise turnwise app turnwise; echo ${{COMPREPLY[@]}}",
        script.display()
    );
    let completed = Command::new("bash").args(["-c", &asked]).output().unwrap();
    assert_eq!(text(&completed).trim(), "approve", "{}", errors(&completed));
    let page = text(&turnwise(&state, &["man"], ""));
    assert!(page.contains(".TH turnwise 1") && page.contains("turnwise\\-chat"), "{page}");
    let folder = state.path().join("man");
    let written = turnwise(&state, &["man", "--out", folder.to_str().unwrap()], "");
    assert_eq!(written.status.code(), Some(0), "{}", errors(&written));
    assert!(std::fs::read_to_string(folder.join("turnwise-serve.1")).unwrap().contains("port"));
    let unknown = turnwise(&state, &["chat", "--assitant", "coder"], "");
    assert!(errors(&unknown).contains("'--assistant'"), "{}", errors(&unknown));
}

/// Asks one question of a file of these contents, and approves.
fn asked_of(name: &str, content: &[u8], question: &str) -> String {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join(name);
    std::fs::write(&file, content).unwrap();
    let asked = ["ask", "--ephemeral", "--approve", "all", "--data", file.to_str().unwrap(), question];
    let answer = turnwise(&state, &asked, "");
    format!("{}{}", text(&answer), errors(&answer))
}

#[test]
fn files_as_people_have_them_are_asked_and_answered() {
    let issues = br#"[
        {"id": 1, "state": "open", "user": {"login": "ada"}, "labels": [{"name": "bug"}, {"name": "ui"}], "cost": "$1,200.50"},
        {"id": 2, "state": "closed", "user": {"login": "bo"}, "labels": [{"name": "bug"}], "cost": "$300"},
        {"id": 3, "state": "open", "user": {"login": "ada"}, "labels": [], "cost": "$20.25"}
    ]"#;
    for (question, wanted) in [
        ("how many issues per user login", "highest for ada (2), lowest for bo (1)"),
        ("how many issues per label name", "1 Yes: Number of issues by name"),
        ("total cost by state", "1220.75"),
        ("what columns do you have", "labels has issues_id, name."),
    ] {
        let told = asked_of("issues.json", issues, question);
        assert!(told.replace(',', "").contains(&wanted.replace(',', "")), "{question}: {told}");
    }
    let asks_for_a_value = asked_of("issues.json", issues, "what is the highest value in the cost column");
    assert!(!asks_for_a_value.contains(" has id"), "{asks_for_a_value}");
    let latin = b"stadt;umsatz\nK\xF6ln;1.200,50\nBonn;800\n";
    let told = asked_of("umsatz.csv", latin, "total umsatz by stadt");
    for wanted in ["says “Köln”", "1.200,50 on line 2 is read as 1200.5", "highest for Köln"] {
        assert!(told.contains(wanted), "{wanted}: {told}");
    }
}

//! Deciding from another shell, through the real binary: what waits is listed, approved, rejected and answered by
//! reference, with who did it; what was changed, used or forged is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A question whose answer can be counted in the sample data.
const QUESTION: &str = "how many customers are there?";

fn sample() -> &'static Path {
    static SAMPLE: OnceLock<TempDir> = OnceLock::new();
    let folder = SAMPLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        assert!(command.arg("sample").arg(folder.path()).output().unwrap().status.success());
        folder
    });
    folder.path()
}

fn customers() -> String {
    (std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1).to_string()
}

/// Runs the binary with its state in `state` and `input` on standard input.
fn turnwise_with(state: &TempDir, arguments: &[&str], input: &str, variables: &[(&str, &str)]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", state.path())
        .env("USER", "ada")
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn turnwise(state: &TempDir, arguments: &[&str]) -> Output {
    turnwise_with(state, arguments, "", &[])
}

fn chat(state: &TempDir, input: &str) -> Output {
    turnwise_with(state, &["chat", "--data", sample().to_str().unwrap()], input, &[])
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What waits, as `turnwise pending --json` tells it.
fn waiting(state: &TempDir) -> Vec<Value> {
    let listed = turnwise(state, &["pending", "--json"]);
    assert_eq!(listed.status.code(), Some(0), "{}", errors(&listed));
    serde_json::from_slice(&listed.stdout).unwrap()
}

fn field(item: &Value, name: &str) -> String {
    item[name].as_str().unwrap_or_else(|| panic!("no {name} in {item}")).to_owned()
}

/// A state folder in which a plan waits, with what is listed of it.
fn planned() -> (TempDir, Value) {
    let state = tempfile::tempdir().unwrap();
    let asked = chat(&state, &format!("{QUESTION}\n"));
    assert_eq!(asked.status.code(), Some(3), "{}{}", text(&asked), errors(&asked));
    let item = waiting(&state).remove(0);
    (state, item)
}

#[test]
fn non_interactive_needs_approval_exits_3_nothing_done() {
    let state = tempfile::tempdir().unwrap();
    let data = sample().to_str().unwrap();
    let asked = turnwise(&state, &["ask", "--data", data, QUESTION]);
    assert_eq!(asked.status.code(), Some(3), "{}", errors(&asked));
    assert!(errors(&asked).contains("Nothing was executed: the plan needs approval."), "{}", errors(&asked));
    assert!(!text(&asked).contains(&customers()) && !text(&asked).contains('✓'), "{}", text(&asked));
    let item = waiting(&state).remove(0);
    assert_eq!(item["kind"]["asks"], "approval");
    // What the hint says can be pasted as it stands.
    let said = errors(&asked);
    let hint = said.lines().find(|line| line.ends_with(" runs it")).unwrap();
    let reference = hint.split_whitespace().find(|word| word.starts_with("tw1.")).unwrap();
    assert_eq!(reference, field(&item, "reference"));
    let approved = turnwise(&state, &["approve", reference]);
    assert_eq!(approved.status.code(), Some(0), "{}", errors(&approved));
    assert!(text(&approved).contains(&customers()), "{}", text(&approved));
}

/// What the person approves may be carried out over data that has changed since: that is said with the answer.
#[test]
fn data_that_changed_between_plan_and_approval_is_told() {
    let (state, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().join("people.csv");
    std::fs::write(&path, "town,name\nRome,Ada\nOslo,Bob\n").unwrap();
    for (question, told) in [("number of people by town", "Paris (9)"), ("share of people by town", "Paris")] {
        let asked = turnwise(&state, &["ask", "--data", path.to_str().unwrap(), question]);
        assert_eq!(asked.status.code(), Some(3), "{}", errors(&asked));
        let mut rows = std::fs::read_to_string(&path).unwrap();
        rows.push_str(&"Paris,Cy\n".repeat(9));
        std::fs::write(&path, rows).unwrap();
        let approved = turnwise(&state, &["approve", &field(&waiting(&state).remove(0), "id")]);
        assert_eq!(approved.status.code(), Some(0), "{}", errors(&approved));
        let said = text(&approved);
        assert!(said.contains(told), "{said}");
        assert_eq!(said.matches("people.csv is not as it was when the plan was made").count(), 1, "{said}");
    }
}

#[test]
fn a_line_that_may_be_cut_off_approves_nothing() {
    let state = tempfile::tempdir().unwrap();
    let cut = chat(&state, &format!("{QUESTION}\nyes"));
    assert_eq!(cut.status.code(), Some(3), "{}{}", text(&cut), errors(&cut));
    assert!(text(&cut).contains("it may be cut off") && !text(&cut).contains('✓'), "{}", text(&cut));
    assert_eq!(waiting(&state).remove(0)["kind"]["asks"], "approval");
}

#[test]
fn a_waiting_plan_is_listed_approved_by_its_short_id_and_run_here() {
    let (state, item) = planned();
    let listed = text(&turnwise(&state, &["pending"]));
    let (short, reference) = (field(&item, "id"), field(&item, "reference"));
    for wanted in [short.as_str(), QUESTION, "waits since", "SELECT", reference.as_str(), "turnwise approve"] {
        assert!(listed.contains(wanted), "{wanted} is not in:\n{listed}");
    }
    assert_eq!(item["plan"]["version"], 1);
    assert_eq!(field(&item, "digest").len(), 64);
    let approved = turnwise(&state, &["approve", &short, "--as", "anna", "--note", "for the board"]);
    assert_eq!(approved.status.code(), Some(0), "{}{}", text(&approved), errors(&approved));
    assert!(text(&approved).contains("✓ 1") && text(&approved).contains(&customers()), "{}", text(&approved));
    assert_eq!(text(&turnwise(&state, &["pending"])), "Nothing waits for a decision.\n");

    // By its short name, too, one hears what became of it.
    let by_name = turnwise(&state, &["approve", &short]);
    assert_eq!(by_name.status.code(), Some(0), "{}", errors(&by_name));
    assert!(text(&by_name).contains("already approved by anna"), "{}", text(&by_name));
    assert_eq!(turnwise(&state, &["reject", &short]).status.code(), Some(1));
    let again = turnwise(&state, &["approve", &reference]);
    assert_eq!(again.status.code(), Some(0), "{}", errors(&again));
    let told = text(&again);
    assert!(told.starts_with("This question was already approved by anna (command line) at "), "{told}");
    let other = turnwise(&state, &["reject", &reference]);
    assert_eq!(other.status.code(), Some(1), "{}", text(&other));

    let conversation = field(&item, "conversation");
    let why = text(&turnwise(&state, &["why", &conversation, "2"]));
    assert!(why.contains("Said by anna (command line) at ") && why.contains("It ended q1: approved."), "{why}");
    let resumed = turnwise_with(
        &state,
        &["chat", "--resume", &conversation, "--data", sample().to_str().unwrap()],
        "/receipts\n",
        &[],
    );
    assert!(text(&resumed).contains("by anna (command line) at "), "{}", text(&resumed));
}

#[test]
fn a_changed_or_unknown_reference_is_refused_and_nothing_runs() {
    let (state, item) = planned();
    let reference = field(&item, "reference");
    let last = if reference.ends_with('a') { "q" } else { "a" };
    let middle = reference.len() / 2;
    let swapped = if &reference[middle..=middle] == "b" { "c" } else { "b" };
    let tampered = format!("{}{swapped}{}", &reference[..middle], &reference[middle + 1..]);
    let refusals = [
        (tampered, "this reference was changed on its way, or was not issued here; nothing was decided"),
        (format!("{}{last}q", &reference[..reference.len() - 1]), "is no reference"),
        (
            "tw1.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_owned(),
            "no conversation kept here has issued this reference",
        ),
        ("q7".to_owned(), "nothing that waits here is called q7"),
    ];
    for (words, expected) in refusals {
        let refused = turnwise(&state, &["approve", &words]);
        assert_eq!(refused.status.code(), Some(2), "{words}: {}", errors(&refused));
        assert!(errors(&refused).contains(expected), "{words}: {}", errors(&refused));
    }
    assert_eq!(waiting(&state).len(), 1);
    let key = state.path().join("turnwise.db.key");
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&key).unwrap().permissions()) & 0o777, 0o600);
    // Without its key a store trusts no reference it issued before.
    std::fs::remove_file(&key).unwrap();
    let refused = turnwise(&state, &["approve", &reference]);
    assert_eq!(refused.status.code(), Some(2), "{}", errors(&refused));
    assert!(turnwise(&state, &["approve", "q1"]).status.success());
}

#[test]
fn a_change_makes_the_old_reference_stale_and_the_new_one_is_shown() {
    let (state, item) = planned();
    let (short, old) = (field(&item, "id"), field(&item, "reference"));
    let changed = turnwise(&state, &["answer", &short, "only", "Germany"]);
    assert_eq!(changed.status.code(), Some(3), "{}{}", text(&changed), errors(&changed));
    assert!(text(&changed).contains("version 2"), "{}", text(&changed));
    let stale = turnwise(&state, &["approve", &old]);
    assert_eq!(stale.status.code(), Some(1), "{}{}", text(&stale), errors(&stale));
    let told = text(&stale);
    assert!(told.starts_with("This question was already changed by ada (command line) at "), "{told}");
    assert!(told.contains("This waits now") && told.contains("version 2"), "{told}");
    let item = waiting(&state).remove(0);
    assert_eq!(item["plan"]["version"], 2);
    let rejected = turnwise(&state, &["reject", &field(&item, "reference"), "--reason", "wrong country"]);
    assert_eq!(rejected.status.code(), Some(4), "{}", errors(&rejected));
    assert!(text(&rejected).contains("All right (wrong country), nothing was done."), "{}", text(&rejected));
    let dropped = turnwise(&state, &["answer", &field(&waiting(&state)[0], "id"), "cancel"]);
    assert_eq!(dropped.status.code(), Some(5), "{}{}", text(&dropped), errors(&dropped));
    assert_eq!(waiting(&state), Vec::<Value>::new());
}

#[test]
fn a_profile_says_who_may_approve_and_until_when() {
    let (state, configuration) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let assistants = [("TURNWISE_ASSISTANTS", configuration.path().to_str().unwrap())];
    assert!(turnwise_with(&state, &["profile", "analyst"], "", &assistants).status.success());
    let profile = configuration.path().join("analyst/assistant.yaml");
    let built_in = std::fs::read_to_string(&profile).unwrap();
    let settle = |line: &str| std::fs::write(&profile, format!("{built_in}\n{line}\n")).unwrap();
    let data = sample().to_str().unwrap();

    settle("approval: {only: [anna]}");
    let asked = turnwise_with(&state, &["ask", "--data", data, "--approve", "all", QUESTION], "", &assistants);
    assert!(text(&asked).contains("Only anna may decide on this. It stays open."), "{}", text(&asked));
    let refused = turnwise_with(&state, &["approve", "q1"], "", &assistants);
    assert_eq!(refused.status.code(), Some(1), "{}{}", text(&refused), errors(&refused));
    assert_eq!(waiting(&state)[0]["approvers"], json!(["anna"]));
    let approved = turnwise_with(&state, &["approve", "q1", "--as", "anna"], "", &assistants);
    assert_eq!(approved.status.code(), Some(0), "{}{}", text(&approved), errors(&approved));

    settle("approval: {expires_after_seconds: 1}");
    let asked = turnwise_with(&state, &["ask", "--data", data, QUESTION], "", &assistants);
    let said = errors(&asked);
    let reference = said.split_whitespace().find(|word| word.starts_with("tw1.")).unwrap().to_owned();
    // A chat that is opened after the end has come tells it, and the reference runs nothing.
    let mut told = String::new();
    while !told.contains("so it has expired. Nothing was executed") {
        let chat = turnwise_with(&state, &["chat", "--resume", "--data", data], "/status\n", &assistants);
        told = text(&chat);
    }
    let late = turnwise_with(&state, &["approve", &reference], "", &assistants);
    assert_eq!(late.status.code(), Some(1), "{}{}", text(&late), errors(&late));
    assert_eq!(text(&late), "This question has expired; nothing was executed.\n");

    settle("aproval: {}");
    let wrong = turnwise_with(&state, &["ask", "--data", data, QUESTION], "", &assistants);
    assert_eq!(wrong.status.code(), Some(2), "{}", errors(&wrong));
    assert!(errors(&wrong).contains("approval"), "{}", errors(&wrong));
}

#[test]
fn in_a_pipe_a_plan_is_edited_by_the_editor_of_the_environment() {
    let state = tempfile::tempdir().unwrap();
    let data = sample().to_str().unwrap();
    let edit = |editor: &str, input: &str| {
        turnwise_with(&state, &["chat", "--new", "--data", data], input, &[("VISUAL", editor), ("EDITOR", "false")])
    };
    let renamed = edit("sed -i 's/^title: .*/title: Heads/'", &format!("{QUESTION}\n/edit\ny\n"));
    assert!(text(&renamed).contains("Plan: \"Heads\""), "{}", text(&renamed));
    assert!(text(&renamed).contains(&customers()), "{}", text(&renamed));
    let untouched = edit("true", &format!("{QUESTION}\n/edit\n"));
    assert!(text(&untouched).contains("Nothing was changed; the plan waits as it is."), "{}", text(&untouched));
    assert_eq!(untouched.status.code(), Some(3));
    let failed = edit("exit 3;", &format!("{QUESTION}\n/edit\n"));
    assert!(text(&failed).contains("The plan is unchanged: exit 3; ended with code 3."), "{}", text(&failed));
    let emptied = edit("truncate -s 0", &format!("{QUESTION}\n/edit\n"));
    assert!(text(&emptied).contains("The text came back empty; the plan is unchanged."), "{}", text(&emptied));
    let none = turnwise_with(
        &state,
        &["chat", "--new", "--data", data],
        &format!("{QUESTION}\n/edit\n"),
        &[("VISUAL", ""), ("EDITOR", "")],
    );
    assert!(text(&none).contains("Set VISUAL or EDITOR"), "{}", text(&none));
}

#[test]
fn a_paused_run_goes_on_or_stops_from_another_shell() {
    let data = sample().to_str().unwrap();
    let paused = || {
        let state = tempfile::tempdir().unwrap();
        let arguments = ["chat", "--approval-mode", "before_step", "--data", data];
        let chat = turnwise_with(&state, &arguments, &format!("{QUESTION}\ny\n"), &[]);
        assert_eq!(chat.status.code(), Some(4), "{}{}", text(&chat), errors(&chat));
        let item = waiting(&state).remove(0);
        assert_eq!(item["kind"]["asks"], "paused");
        assert_eq!(item["plan"]["version"], 1);
        state
    };
    let state = paused();
    let refused = turnwise(&state, &["answer", "q2", "what?"]);
    assert!(!text(&refused).contains(&customers()), "{}", text(&refused));
    let resumed = turnwise(&state, &["answer", "q2", "resume"]);
    assert_eq!(resumed.status.code(), Some(0), "{}{}", text(&resumed), errors(&resumed));
    assert!(text(&resumed).contains(&customers()), "{}", text(&resumed));
    let state = paused();
    let stopped = turnwise(&state, &["answer", "q2", "stop"]);
    assert_eq!(stopped.status.code(), Some(5), "{}{}", text(&stopped), errors(&stopped));
    assert!(!text(&stopped).contains(&customers()), "{}", text(&stopped));
}

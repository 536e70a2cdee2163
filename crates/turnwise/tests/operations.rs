//! Keeping it running, through the real binary: where settings come from, what the doctor finds, and conversations that
//! are copied and put back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Runs the binary in `folder`, with its state and configuration there.
fn turnwise(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .env("XDG_CONFIG_HOME", folder.join("home"))
        .env("HOME", folder)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap() + &String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with a small table and a conversation over it.
fn asked() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), "name,town\nAda,London\nBen,Paris\n").unwrap();
    let asked = turnwise(folder.path(), &["ask", "--data", "people.csv", "how many people are there?"], &[]);
    assert_eq!(asked.status.code(), Some(3), "{}", text(&asked));
    folder
}

#[test]
fn settings_come_from_option_environment_project_and_person_in_this_order() {
    let folder = asked();
    let here = folder.path();
    let project = here.join("work");
    let person = here.join("home/turnwise");
    std::fs::create_dir_all(project.join("deep")).unwrap();
    std::fs::create_dir_all(&person).unwrap();
    std::fs::write(person.join("turnwise.yaml"), "port: 7001\ndata: [nowhere.csv]\nlog: json\n").unwrap();
    std::fs::write(project.join("turnwise.yaml"), "port: 7002\ndata: [../people.csv]\n").unwrap();
    let config = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.arg("config").current_dir(project.join("deep")).env("XDG_CONFIG_HOME", here.join("home"));
        text(&command.envs(variables.iter().copied()).output().unwrap())
    };
    let shown = config(&[]);
    let line = |shown: &str, name: &str| shown.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(
        line(&shown, "port").contains("7002 (from ") && line(&shown, "port").contains("work/turnwise.yaml"),
        "{shown}"
    );
    assert!(line(&shown, "log").contains("json (from ") && line(&shown, "log").contains("home/turnwise"), "{shown}");
    assert!(line(&shown, "db").contains("not set"), "{shown}");
    assert!(line(&config(&[("TURNWISE_PORT", "7003")]), "port").contains("7003 (from TURNWISE_PORT)"));
    assert!(config(&[("TURNWISE_PORT", "many")]).contains("TURNWISE_PORT is no port"));
    let rate = config(&[("TURNWISE_REQUESTS_PER_SECOND", "0")]);
    assert!(rate.contains("TURNWISE_REQUESTS_PER_SECOND is no number of requests"), "{rate}");
    let endpoint = config(&[("TURNWISE_OTLP_ENDPOINT", "nowhere")]);
    assert!(endpoint.contains("TURNWISE_OTLP_ENDPOINT: nowhere is no address to send spans to"), "{endpoint}");

    // Every command that takes a setting takes it from elsewhere, too.
    let all = [
        ("TURNWISE_ASSISTANT", "analyst"),
        ("TURNWISE_DATA", "people.csv"),
        ("TURNWISE_DB", "other.db"),
        ("TURNWISE_LISTEN", "127.0.0.1"),
        ("TURNWISE_PORT", "0"),
        ("TURNWISE_TOKENS", "people"),
        ("TURNWISE_FILES", "results"),
        ("TURNWISE_LOG", "text"),
        ("TURNWISE_REQUESTS_PER_SECOND", "300"),
        ("TURNWISE_OTLP_ENDPOINT", "http://127.0.0.1:9"),
    ];
    let token = turnwise(here, &["token", "anna"], &all);
    assert!(token.status.success() && here.join("people").exists(), "{}", text(&token));
    let backed = turnwise(here, &["backup", "none.db"], &all);
    assert!(!backed.status.success() && text(&backed).contains("other.db"), "{}", text(&backed));

    // They hold: the data of the project is read without being named, and an option still wins.
    let ask = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.arg("ask").args(more).arg("how many people are there?").current_dir(project.join("deep"));
        command.env("TURNWISE_STATE", here.join("state")).env("XDG_CONFIG_HOME", here.join("home"));
        command.stdin(Stdio::null()).output().unwrap()
    };
    let answered = ask(&["--approve", "all"]);
    assert!(answered.status.success() && text(&answered).contains('2'), "{}", text(&answered));
    let other = ask(&["--data", "no-such-file.csv"]);
    assert_eq!(other.status.code(), Some(2), "{}", text(&other));
    let sample = ask(&["--sample"]);
    assert!(!text(&sample).contains("cannot be used with"), "{}", text(&sample));

    std::fs::write(project.join("turnwise.yaml"), "prot: 7002\n").unwrap();
    let wrong = config(&[]);
    assert!(wrong.contains("turnwise.yaml, line 1: there is no setting `prot`"), "{wrong}");
    assert!(wrong.contains("did you mean `port`?"), "{wrong}");
}

#[test]
fn a_setting_that_means_nothing_is_refused_wherever_it_stands_and_whatever_is_run() {
    let folder = tempfile::tempdir().unwrap();
    for (settings, line, unknown, near) in [
        ("port: 1\nslack:\n  bott: x\n", 3, "setting `bott`", Some("bot")),
        ("assistants:\n  copilt: {}\n", 2, "assistant `copilt`", Some("copilot")),
        ("assistants:\n  analyst:\n    tools: {}\n", 3, "setting `tools`", None),
        ("assistants:\n  coder:\n    worker: {command: [a], second: 1}\n", 3, "setting `second`", Some("seconds")),
        ("assistants:\n  companion:\n    nam: Fern\n", 3, "setting `nam`", Some("name")),
        ("assistants:\n  tickets:\n    jira:\n      sight: x\n", 4, "setting `sight`", Some("site")),
        (
            "assistants:\n  copilot:\n    tools:\n      fs: {url: 'http://a', efects: {}}\n",
            4,
            "setting `efects`",
            Some("effects"),
        ),
        ("model:\n  tasks: {questoin: recorded:a}\n", 2, "task `questoin`", Some("question")),
        ("model:\n  assistants:\n    codr: {name: recorded:a}\n", 3, "assistant `codr`", Some("coder")),
        ("model:\n  assistants:\n    coder:\n      tasks: {question: recorded:a}\n", 4, "task `question`", None),
        ("model:\n  limits: {secnds: 1}\n", 2, "setting `secnds`", Some("seconds")),
    ] {
        std::fs::write(folder.path().join("turnwise.yaml"), settings).unwrap();
        for command in [&["config"][..], &["pending"], &["doctor", "--port", "0"]] {
            let refused = turnwise(folder.path(), command, &[]);
            let told = text(&refused);
            assert_eq!(refused.status.code(), Some(2), "{settings}: {told}");
            assert!(told.contains(&format!("turnwise.yaml, line {line}: there is no {unknown}")), "{settings}: {told}");
            let meant = near.map(|near| format!("did you mean `{near}`?"));
            assert!(meant.is_none_or(|meant| told.contains(&meant)), "{settings}: {told}");
        }
    }
}

#[test]
fn the_doctor_looks_at_all_that_an_assistant_is_told_of_and_not_only_at_the_one_that_is_named() {
    let folder = asked();
    let here = folder.path();
    std::fs::create_dir(here.join("recipes")).unwrap();
    std::fs::create_dir(here.join("recordings")).unwrap();
    std::fs::write(here.join("recipes/tidy.yaml"), "name: tidy\nwords: [tidy up]\nsteps: [{tool: undo}]\n").unwrap();
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/copilot/deaf.py");
    let configured = |effects: &str, recipes: &str, worker: &str, tickets: &str| {
        let settings = format!(
            "assistants:\n  copilot:\n    tools:\n      deaf: {{command: [python3, '{}'], effects: {{{effects}}}}}\n    \
             recipes: [{recipes}]\n  coder: {{worker: {{command: [{worker}]}}}}\n  tickets: {{{tickets}}}\nmodel: \
             {{assistants: {{companion: {{name: 'recorded:recordings'}}}}}}\n",
            server.display()
        );
        std::fs::write(here.join("turnwise.yaml"), settings).unwrap();
        let doctor = turnwise(here, &["doctor", "--data", "people.csv", "--port", "0"], &[]);
        (doctor.status.code(), text(&doctor))
    };
    let ours = format!("'{}', acp", env!("CARGO_BIN_EXE_turnwise"));
    let (code, told) = configured("wait: once", "recipes", &ours, "folder: tickets");
    for line in [
        "✓ assistant: analyst",
        "✓ copilot, assistant: copilot reads messages",
        "✓ copilot, tools of deaf: 1 tool; what it does to the world is said for 1 of them",
        "✓ copilot, recipes in recipes: 1 recipe",
        "✓ coder, worker: `",
        "✓ tickets, tracker: tickets will go to tickets, which is not there yet",
        "✓ companion, models: recorded:recordings",
        "All is well.",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(code, Some(0), "{told}");
    assert!(!here.join("tickets").exists(), "nothing is made by looking");
    let jira = "jira: {site: 'http://127.0.0.1:9', project: SHOP, user: ann@example.org, token_file: people.csv}";
    let (code, told) = configured("wiat: once", "elsewhere", "no-such-program", jira);
    for line in [
        "✗ copilot, tools of deaf: effects: deaf has no tool `wiat`",
        "→ did you mean `wait`?",
        "elsewhere is no folder",
        "✗ coder, worker: `no-such-program` cannot be started",
        "✗ tickets, tracker: ",
        "4 things to mend.",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(code, Some(1), "{told}");
}

#[test]
fn the_doctor_finds_what_is_wrong_and_says_how_to_mend_it() {
    let folder = asked();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let busy = taken.local_addr().unwrap().port().to_string();
    let doctor = |more: &[&str]| {
        let arguments: Vec<&str> = ["doctor"].iter().chain(more).copied().collect();
        turnwise(folder.path(), &arguments, &[])
    };
    let well = doctor(&["--data", "people.csv", "--port", "0"]);
    assert!(well.status.success(), "{}", text(&well));
    for line in
        ["✓ conversations: 1 conversation in ", "✓ data: 1 table", "✓ assistant: analyst", "✓ port: ", "All is well."]
    {
        assert!(text(&well).contains(line), "{line}: {}", text(&well));
    }
    let ill = doctor(&["--data", "no.csv", "--port", &busy]);
    assert_eq!(ill.status.code(), Some(1), "{}", text(&ill));
    assert!(text(&ill).contains("✗ data: ") && text(&ill).contains("✗ port: "), "{}", text(&ill));
    assert!(text(&ill).contains("→ another server may have it; --port 0 takes a free one"), "{}", text(&ill));
    assert!(text(&ill).contains("2 things to mend."), "{}", text(&ill));
    std::fs::write(folder.path().join("state/turnwise.db"), "this is no database, whatever its name says").unwrap();
    let damaged = doctor(&["--port", "0"]);
    assert!(text(&damaged).contains("✗ conversations: "), "{}", text(&damaged));
    assert_eq!(damaged.status.code(), Some(1));
}

#[test]
fn conversations_are_copied_while_in_use_and_put_back() {
    let folder = asked();
    let here = folder.path();
    let run = |arguments: &[&str]| turnwise(here, arguments, &[]);
    let pending = || text(&run(&["pending"]));
    let before = pending();
    let backed = run(&["backup", "copy.db"]);
    assert!(backed.status.success() && text(&backed).contains("1 conversation of "), "{}", text(&backed));
    let again = run(&["backup", "copy.db"]);
    assert_eq!(again.status.code(), Some(2), "{}", text(&again));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(here.join("copy.db")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "conversations are private");
    }
    run(&["ask", "--data", "people.csv", "how many towns are there?"]);
    assert_ne!(pending(), before);
    let refused = run(&["restore", "copy.db"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("holds 2 conversations"), "{}", text(&refused));

    // Not while somebody uses them.
    let mut chat = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    let mut chat = chat.args(["chat", "--data", "people.csv", "--new"]).current_dir(here);
    chat = chat.env("TURNWISE_STATE", here.join("state")).env("XDG_CONFIG_HOME", here.join("home"));
    let mut chat = chat.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 1];
    std::io::Read::read_exact(chat.stdout.as_mut().unwrap(), &mut first).unwrap();
    let in_use = run(&["restore", "copy.db", "--replace"]);
    assert_eq!(in_use.status.code(), Some(2), "{}", text(&in_use));
    assert!(text(&in_use).contains("end the server and all chats first"), "{}", text(&in_use));
    drop(chat.stdin.take());
    chat.wait().unwrap();

    let restored = run(&["restore", "copy.db", "--replace"]);
    assert!(restored.status.success(), "{}", text(&restored));
    assert!(text(&restored).contains("What was there before is in "), "{}", text(&restored));
    assert_eq!(pending(), before);
    std::fs::write(here.join("broken.db"), "no copy").unwrap();
    let broken = run(&["restore", "broken.db", "--replace"]);
    assert!(!broken.status.success(), "{}", text(&broken));
    assert_eq!(pending(), before, "what cannot be put back takes nothing away");
}

#[test]
fn conversations_at_rest_are_forgotten_once_they_are_old_and_nothing_else_is() {
    let folder = asked();
    let here = folder.path();
    let done = turnwise(here, &["ask", "--data", "people.csv", "--approve", "all", "how many people are there?"], &[]);
    assert!(done.status.success(), "{}", text(&done));
    let recent = turnwise(here, &["ask", "--data", "people.csv", "--approve", "all", "people by town"], &[]);
    assert!(recent.status.success(), "{}", text(&recent));
    // The clock is not moved; what the two first ones left is.
    let database = here.join("state/turnwise.db");
    let kept = rusqlite::Connection::open(&database).unwrap();
    let moved =
        kept.execute("UPDATE conversations SET active_at = active_at - 40 * 86400000 WHERE number <= 2", []).unwrap();
    assert_eq!(moved, 2);
    let count = || kept.query_row("SELECT count(*) FROM conversations", [], |row| row.get::<_, i64>(0)).unwrap();
    let shown = turnwise(here, &["retention", "--keep-days", "30", "--dry-run"], &[]);
    assert!(text(&shown).contains("how many people are there?"), "{}", text(&shown));
    assert!(text(&shown).contains("1 conversation without a turn for 30 days: to go; nothing was"), "{}", text(&shown));
    assert_eq!(count(), 3);
    let kept_long = turnwise(here, &["retention"], &[("TURNWISE_KEEP_DAYS", "50")]);
    assert!(text(&kept_long).contains("0 conversations without a turn for 50 days"), "{}", text(&kept_long));
    let gone = turnwise(here, &["retention"], &[("TURNWISE_KEEP_DAYS", "30")]);
    assert!(text(&gone).contains("1 conversation without a turn for 30 days: forgotten."), "{}", text(&gone));
    assert_eq!(count(), 2, "what waits for approval stays, and what is recent");
    let pending = turnwise(here, &["pending"], &[]);
    assert!(text(&pending).contains("how many people are there?"), "{}", text(&pending));
    let wrong = turnwise(here, &["retention", "--keep-days", "0"], &[]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
    assert!(text(&turnwise(here, &["retention"], &[("TURNWISE_KEEP_DAYS", "0")])).contains("no number of days"));
}

#[test]
fn a_unit_and_a_container_call_the_program_as_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let unit = std::fs::read_to_string(root.join("deploy/turnwise.service")).unwrap();
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let container = std::fs::read_to_string(root.join("deploy/Containerfile")).unwrap();
    let entry = container.lines().find_map(|line| line.strip_prefix("ENTRYPOINT ")).unwrap();
    let entry: Vec<String> = serde_json::from_str(entry).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for words in [start.split_whitespace().map(str::to_owned).collect(), entry] {
        // With help asked for, everything else is read and nothing is done; an option that is not there is told.
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        assert_eq!(arguments[0], "serve", "{words:?}");
        for option in arguments.iter().filter(|word| word.starts_with("--")) {
            let help = text(&turnwise(folder.path(), &["serve", "--help"], &[]));
            assert!(help.contains(&format!("{option} ")), "{option} is no option:\n{help}");
        }
    }
    let Ok(verified) =
        Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(root.join("deploy/turnwise.service")).output()
    else {
        println!("skipped: systemd-analyze is not here, so the unit was checked for its options alone");
        return;
    };
    // It also says that the program is not installed where the unit has it, which it is not here.
    let said = text(&verified);
    let wrong: Vec<&str> =
        said.lines().filter(|line| line.contains("turnwise.service") && !line.contains("not executable")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

//! How far the coder goes by itself, through the real program: what is more than a small change is a plan, what is more
//! than a plan asks first, some commands are known and some never run, all others say that they are neither, and what a
//! command prints is shown in part. Nothing runs or is written before a yes.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod code;

use code::{CODER, Repository, edits, holds, program};

const TASK: &str = "make the shop larger";

fn shop() -> Repository {
    Repository::of(|path| std::fs::write(path.join("README.md"), "# Shop\n").unwrap())
}

/// A reply of a model that writes this many files of this many lines.
fn writes(files: usize, lines: usize) -> serde_json::Value {
    let text = "// x\n".repeat(lines);
    let names: Vec<String> = (0..files).map(|at| format!("src/new{at}.rs")).collect();
    let new: Vec<(&str, &str, &str)> = names.iter().map(|name| (name.as_str(), "", text.as_str())).collect();
    edits("a larger shop", &new)
}

#[test]
fn three_files_and_a_hundred_lines_are_a_small_change_and_one_more_is_a_plan() {
    let repository = shop();
    for (files, lines, is_plan) in [(3, 33, false), (1, 100, false), (4, 1, true), (1, 101, true)] {
        let told = repository.talk_to_model(&[writes(files, lines)], &[TASK]);
        assert_eq!(told.contains("this is more than a small change"), is_plan, "{files} × {lines}:\n{told}");
        assert_eq!(told.contains("once more before anything is changed"), is_plan, "{files} × {lines}:\n{told}");
    }
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn ten_files_and_a_thousand_lines_are_a_plan_and_one_more_asks_first() {
    let repository = shop();
    for (files, lines, asks) in [(10, 100, false), (1, 1_000, false), (11, 1, true), (1, 1_001, true)] {
        let told = repository.talk_to_model(&[writes(files, lines)], &[TASK]);
        assert_eq!(told.contains("Do all of it?"), asks, "{files} × {lines}:\n{told}");
    }
    let (turn, all) = (writes(11, 1), [TASK, "1", "y"]);
    let told = repository.talk_to_model(&[turn.clone(), turn], &all);
    holds(&told, &["This changes 11 files and 11 lines", "Applied to 11 files"]);
    holds(&repository.talk(&["undo", "y"]), &["Taken back in 11 files"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn fifty_steps_are_a_plan_and_one_more_asks_first() {
    let repository = shop();
    let orders = |count: usize| vec!["run `git status`"; count].join(", then ");
    let told = repository.talk(&[&orders(50)]);
    assert!(!told.contains("Do all of it?") && told.contains("Run it?"), "{told}");
    let told = repository.talk(&[&orders(51)]);
    holds(&told, &["This takes 51 steps; a plan takes up to 50 unless you say so. Do all of it?"]);
    let told = repository.talk(&[&orders(51), "cancel"]);
    assert!(!told.contains("Run it?"), "{told}");
    let yes = ["1", "Yes", "do it", "ok", "sure"].map(|answer| (answer, true));
    for (answer, is_planned) in yes.into_iter().chain([("n", false), ("No.", false)]) {
        let told = repository.talk(&[&orders(51), answer]);
        assert_eq!(told.contains("Run it?"), is_planned, "{answer}: {told}");
        assert_eq!(told.contains("Cancelled. Nothing was changed."), !is_planned, "{answer}: {told}");
    }
}

#[test]
fn known_commands_are_named_unknown_ones_say_so_and_harmful_ones_are_never_planned() {
    let repository = shop();
    program(&repository.path().join("deploy.sh"), "#!/bin/sh\ntouch deployed\n");
    program(&repository.path().join("script"), "#!/bin/sh\ntouch deployed\n");
    let told = repository.talk(&["run git log"]);
    assert!(told.contains("Run `git log`") && !told.contains("not known to change nothing"), "{told}");
    for unknown in [
        "run `./deploy.sh`",
        "run ./script --x",
        "run git diff --output=deployed",
        "run git diff --no-index README.md deploy.sh",
        "run git log ../other",
        "run wc /etc/hosts",
    ] {
        holds(&repository.talk(&[unknown]), &["which is not known to change nothing", "Run it?"]);
    }
    assert!(!repository.path().join("deployed").exists(), "nothing runs before the yes");
    repository.talk(&["run `./deploy.sh`", "y"]);
    assert!(repository.path().join("deployed").exists());
    for never in [
        "rm -rf .",
        "sudo ls",
        "git push",
        "git -c a=b push --force",
        "git reset -q HEAD --hard",
        "git clean -fdx",
        "git reset --har HEAD",
        "git switch --disc main",
        "git switch -C main",
        "git subtree push --prefix docs origin x",
        "git fetch",
        "yarn workspace a publish",
        "git branch -df x",
        "git -c alias.x=push x",
        "git bisect run ls",
        "dash -c ls",
        "stdbuf -o0 rm -rf .",
        "script -c ls",
        "find . -name README.md -delete",
        "timeout 5 rm -rf .",
        "bash -c ls",
        "env ls",
        "curl -sS http://127.0.0.1:9/x",
    ] {
        let told = repository.talk(&[&format!("run {never}"), "y"]);
        assert!(told.contains("is not run from here"), "{never}:\n{told}");
        assert!(!told.contains("Run it?"), "{never}:\n{told}");
    }
    for looked_for in ["run git log --grep push", "run git log -S checkout", "run git stash push"] {
        holds(&repository.talk(&[looked_for]), &["Run it?"]);
    }
    holds(&repository.talk(&["run `curl http://127.0.0.1:9/x | sh`", "y"]), &["without a shell"]);
    assert_eq!(repository.read("README.md"), "# Shop\n");
}

/// Of a command that prints megabytes, the last lines are shown, and what was left out is told.
#[test]
fn what_a_command_prints_is_shown_in_part() {
    let repository = shop();
    let loud = "#!/bin/sh\ni=0\nwhile [ $i -lt 60000 ]; do echo \"line $i of what it says\"; i=$((i+1)); done\n";
    program(&repository.path().join("loud.sh"), loud);
    let told = repository.talk(&["run `./loud.sh`", "y"]);
    holds(&told, &["ended well (exit code 0)", "lines before", "line 59999 of what it says"]);
    assert!(told.len() < 20_000, "{} bytes were shown", told.len());
}

/// Where the formatter of one language is not installed, the files of the others are formatted, and that is told.
#[test]
fn what_has_a_formatter_is_formatted() {
    let repository = shop();
    std::fs::write(repository.path().join("a.rs"), "fn a( ) {}\n").unwrap();
    std::fs::write(repository.path().join("a.go"), "package a\nvar  x = 1\n").unwrap();
    let programs = repository.folder.path().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for name in ["git", "rustfmt"] {
        let place = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|place| place.is_file()).unwrap();
        std::os::unix::fs::symlink(place, programs.join(name)).unwrap();
    }
    let talk = |said: &str| {
        let told = repository.turnwise_with(programs.as_os_str(), &CODER, said).stdout;
        String::from_utf8(told).unwrap()
    };
    holds(&talk("format the code\ny\n"), &["+fn·a()·{}", "Not formatted, because gofmt is not installed here: 1 file"]);
    assert_eq!(repository.read("a.rs"), "fn a() {}\n");
    holds(&talk("format a.go\n"), &["The formatter gofmt is not installed here."]);
}

/// What is not looked at is told: at the start, where something is found, and where something is changed everywhere.
#[test]
fn files_beyond_the_first_fifty_thousand_are_spoken_of() {
    let repository = shop();
    std::fs::create_dir_all(repository.path().join("many")).unwrap();
    for number in 0..50_000 {
        std::fs::File::create(repository.path().join(format!("many/{number}"))).unwrap();
    }
    let cut = "the first 50000 by their paths are looked at, the rest is not.";
    let check = |words: &str, times: usize| {
        let told = repository.talk(&[words]);
        // Once at the start, and once more where all files count.
        assert_eq!(told.matches(cut).count(), times, "{words}: {told}");
    };
    check("search for \"Shop\"", 2);
    check("where is frobnicate_all defined?", 2);
    check("replace \"Shop\" with \"Store\"", 2);
    check("replace \"Shop\" with \"Store\" in README.md", 1);
    check("show me README.md", 1);
}

/// A command may take ten minutes, and the plan that is approved holds that.
#[test]
fn a_command_has_ten_minutes() {
    let repository = shop();
    let kept = repository.folder.path().join("kept.db");
    let words = ["ask", "--db", kept.to_str().unwrap(), "--assistant", "coder", "--workspace", "shop", "run git log"];
    let asked = repository.turnwise(&words, "");
    assert_eq!(asked.status.code(), Some(3), "{}", String::from_utf8_lossy(&asked.stdout));
    let waits = repository.turnwise(&["pending", "--json", "--db", kept.to_str().unwrap()], "").stdout;
    let waits: serde_json::Value = serde_json::from_slice(&waits).unwrap();
    let step = &waits[0]["plan"]["steps"][0];
    assert_eq!(step["timeout_seconds"], 600, "{waits:#}");
}

/// What is run is what was typed: no mark is taken from a word, and “then” begins another command.
#[test]
fn a_command_is_run_as_it_was_typed() {
    let repository = shop();
    for (said, shown) in [
        ("run git log HEAD..", "Run `git log HEAD..`"),
        ("run git show HEAD:", "Run `git show HEAD:`"),
        ("run git log --format=\"%h, %s\" HEAD", "Run `git log '--format=%h, %s' HEAD`"),
        ("run git status, please.", "Run `git status`"),
    ] {
        holds(&repository.talk(&[said]), &[shown]);
    }
    holds(&repository.talk(&["run ls -la, then git status"]), &["Run `ls -la`", "Run `git status`", "Run it?"]);
    let told = repository.talk(&["run ls -la, then rm -rf .", "y"]);
    holds(&told, &["`rm -rf .` is not run from here"]);
    assert!(!told.contains("Run it?"), "{told}");
    assert_eq!(repository.read("README.md"), "# Shop\n");
}

/// What was asked about is what is planned: the model is not asked again.
#[test]
fn a_yes_to_all_of_it_is_a_yes_to_what_was_asked_about() {
    let repository = shop();
    let other = edits("something else", &[("README.md", "# Shop", "# Store")]);
    let told = repository.talk_to_model(&[writes(12, 1), other], &[TASK, "1", "y"]);
    holds(&told, &["This changes 12 files and 12 lines", "Look at 12 files", "Applied to 12 files"]);
    assert_eq!(repository.read("README.md"), "# Shop\n");
    assert!(repository.path().join("src/new11.rs").exists());
}

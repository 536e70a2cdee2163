//! The learning loop through the real binary: what conversations propose, what accepting and rejecting do, what other
//! exemplars would have made of the past. The profile is a small one of its own, so that it is fitted in a moment.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod bench;

use bench::Bench;
use serde_json::json;

/// Words that no exemplar of the small profile is near to, so that the reader asks.
const UNCLEAR: &str = "begone with the lot";

#[test]
fn a_reading_that_was_chosen_is_proposed_and_learned_only_when_accepted() {
    let bench = Bench::new();
    let choice = bench.choice(UNCLEAR, "query");
    let asked = bench.chat(&format!("{UNCLEAR}\n{choice}\n"));
    assert!(asked.contains("I am not sure what you mean"), "{asked}");

    let listed = bench.ok(&["exemplars", "review"]);
    assert!(listed.contains("Nothing is learned unless you accept it."), "{listed}");
    assert!(listed.contains(&format!("- {UNCLEAR}\n")), "{listed}");
    assert!(listed.contains("it was unclear, and you chose this reading (conversation "), "{listed}");
    assert!(listed.contains("message 1)") && listed.contains("it would ask"), "{listed}");
    assert_eq!(bench.exemplars(), bench::EXEMPLARS, "nothing is learned by looking");
}

#[test]
fn accepted_words_are_the_nearest_exemplar_and_are_read_as_proposed() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    let before = bench.ok(&["why", "--text", UNCLEAR]);
    assert!(before.contains("Not sure enough to act"), "{before}");

    let (number, label) = bench.proposal(UNCLEAR);
    let accepted = bench.ok(&["exemplars", "accept", &number]);
    assert!(accepted.contains(&format!("{UNCLEAR} is now an exemplar of {label}")), "{accepted}");
    assert!(accepted.contains(&format!("{UNCLEAR} is read as {label} at 1.00 now")), "{accepted}");

    let list = format!("{}:\n", label);
    let (head, tail) = bench::EXEMPLARS.split_once(&list).unwrap();
    let own = tail.split_inclusive('\n').take_while(|line| line.starts_with("  - ")).collect::<String>();
    let rest = &tail[own.len()..];
    assert_eq!(bench.exemplars(), format!("{head}{list}{own}  - {UNCLEAR}\n{rest}"), "one line, and nothing else");

    let after = bench.ok(&["why", "--text", UNCLEAR]);
    assert!(after.contains(&format!("→ {label}\n")), "{after}");
    let nearest = after.lines().find(|line| line.contains('≈')).unwrap();
    assert!(nearest.contains(&format!("1.00 {label} \"{UNCLEAR}\"")), "{after}");
    assert!(after.contains("word for word"), "{after}");
    assert!(bench.ok(&["exemplars", "review"]).contains("Nothing is proposed"));
    bench.refused(&["exemplars", "accept", &number], &format!("there is no open proposal {number}"));
}

#[test]
fn what_was_rejected_is_not_proposed_again() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    let (number, label) = bench.proposal(UNCLEAR);
    let told = bench.ok(&["exemplars", "reject", &number, "--reason", "that was a joke"]);
    assert!(told.contains(&format!("{UNCLEAR} will not be proposed for {label} again")), "{told}");
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    assert!(bench.ok(&["exemplars", "review"]).contains("Nothing is proposed"));
    let kept = std::fs::read_to_string(bench.profile().join("rejected.jsonl")).unwrap();
    let line: serde_json::Value = serde_json::from_str(kept.trim()).unwrap();
    assert_eq!(line, json!({"text": UNCLEAR, "label": label, "reason": "that was a joke"}));
    assert_eq!(bench.exemplars(), bench::EXEMPLARS);
}

#[test]
fn a_corrected_reading_is_proposed_with_both_labels_and_duplicates_are_merged() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench.chat("what can this thing do for me\nno, I meant stop the run\n");
    }
    let listed = bench.json(&["exemplars", "review", "--json"]);
    let proposals = listed["proposals"].as_array().unwrap();
    assert_eq!(proposals.len(), 1, "{listed:#}");
    assert_eq!(proposals[0]["text"], "what can this thing do for me");
    assert_eq!(proposals[0]["label"], "control.cancel");
    assert_eq!(proposals[0]["seen"].as_array().unwrap().len(), 2);
    let why = proposals[0]["seen"][0]["why"].as_str().unwrap();
    assert!(why.contains("it was read as control.help, and you corrected that"), "{why}");
    assert_eq!((&listed["conversations"], &listed["messages"]), (&json!(2), &json!(4)));
}

#[test]
fn what_a_rule_reads_cannot_be_taught_by_an_exemplar_and_says_so() {
    let bench = Bench::new();
    bench.chat("help\nno, I meant show me the status of the run\n");
    let (number, _) = bench.proposal("help");
    bench.refused(&["exemplars", "accept", &number], &format!("proposal {number} cannot be accepted: rule "));
    let all = bench.ok(&["exemplars", "accept", "all"]);
    assert!(all.contains("There is nothing to accept."), "{all}");
    assert_eq!(bench.exemplars(), bench::EXEMPLARS);
}

#[test]
fn a_profile_that_is_not_ones_own_yet_is_written_first_and_that_is_said() {
    let bench = Bench::without_profile();
    bench.chat("zorb the flurb\nno, I meant stop the run\n");
    let (number, label) = bench.proposal("zorb the flurb");
    assert_eq!(label, "control.cancel");
    let accepted = bench.ok(&["exemplars", "accept", &number]);
    assert!(accepted.contains("was not there; the built-in one was written there first"), "{accepted}");
    let own = bench.exemplars();
    let (_, built_in) = turnwise_intent::builtin::texts("analyst").unwrap();
    assert_eq!(own.lines().count(), built_in.lines().count() + 1);
    assert!(!bench.profile().join("assistant.yaml").exists(), "only what changes becomes one's own");
}

#[cfg(unix)]
#[test]
fn a_profile_folder_that_cannot_be_written_is_named() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    // A link that leads nowhere: nothing is there, and nothing can be made there.
    let elsewhere = bench.state().join("elsewhere");
    std::os::unix::fs::symlink("nowhere/at/all", &elsewhere).unwrap();
    let output = bench.run_with_profiles(&elsewhere, &["exemplars", "reject", "all"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be written") && said.contains("set TURNWISE_ASSISTANTS to a folder"), "{said}");
}

#[test]
fn a_damaged_list_of_rejections_is_named_with_its_line() {
    let bench = Bench::new();
    std::fs::write(bench.profile().join("rejected.jsonl"), "\n{\"text\": \"a\"}\n").unwrap();
    bench.refused(&["exemplars", "review"], &bench.profile().join("rejected.jsonl, line 2: ").display().to_string());
    bench.refused(&["exemplars", "review", "--assistant", "analist"], "there is no assistant `analist`");
}

#[test]
fn replay_shows_what_other_exemplars_would_have_made_of_the_past() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\n/status\nwhat can this thing do for me\n"));
    let candidate = bench.write("candidate.yaml", &format!("control.cancel:\n  - {UNCLEAR}\n"));
    let report = bench.json(&["replay", "--exemplars", &candidate, "--add", "--json"]);
    assert_eq!(report["messages"], json!(3), "{report:#}");
    let changed = report["changed"].as_array().unwrap();
    assert_eq!(changed.len(), 1, "{report:#}");
    assert_eq!(changed[0]["consequence"], "acts_instead_of_asking");
    assert_eq!(changed[0]["after"]["labels"], json!(["control.cancel"]));
    assert_eq!((&changed[0]["before"]["acts"], &changed[0]["after"]["acts"]), (&json!(false), &json!(true)));

    let told = bench.ok(&["replay", "--exemplars", &candidate, "--add"]);
    assert!(told.contains(&format!("message 1: \"{UNCLEAR}\"")), "{told}");
    assert!(told.contains("before  asks") && told.contains("after   acts: control.cancel at 1.00"), "{told}");
    let failed = bench.run(&["replay", "--exemplars", &candidate, "--add", "--fail-on-change"]);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(bench.exemplars(), bench::EXEMPLARS, "nothing is learned by trying");

    let same = bench.write("same.yaml", bench::EXEMPLARS);
    let unchanged = bench.run(&["replay", "--exemplars", &same, "--fail-on-change"]);
    assert_eq!(unchanged.status.code(), Some(0));
}

#[test]
fn replay_refuses_a_file_that_is_no_exemplars_with_its_line() {
    let bench = Bench::new();
    let file = bench.write("candidate.yaml", "control.cancle:\n  - zap\n");
    bench.refused(&["replay", "--exemplars", &file], &format!("{file}: exemplars.yaml, line 1: there is no label"));
    bench.refused(&["replay", "--exemplars", "/no/such.yaml"], "/no/such.yaml: it cannot be read");
    let empty = bench.write("empty.yaml", "query: []\n");
    bench.refused(&["replay", "--exemplars", &empty], &format!("{empty}: it has no exemplars"));
}

/// What `review` on a terminal says when a person types `keys`.
#[cfg(unix)]
fn reviewed(bench: &Bench, keys: &str) -> String {
    use std::io::{Read as _, Write as _};

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    let pair = native_pty_system().openpty(PtySize { rows: 40, cols: 200, pixel_width: 0, pixel_height: 0 }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["exemplars", "review"]);
    command.env("TURNWISE_STATE", bench.state());
    command.env("TURNWISE_ASSISTANTS", bench.state().join("assistants"));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    // A terminal keeps what is typed until it is asked for.
    pair.master.take_writer().unwrap().write_all(keys.as_bytes()).unwrap();
    let (mut output, mut buffer) = (Vec::new(), [0; 4096]);
    let mut reader = pair.master.try_clone_reader().unwrap();
    while let Ok(read) = reader.read(&mut buffer) {
        if read == 0 {
            break;
        }
        output.extend_from_slice(&buffer[..read]);
    }
    assert!(child.wait().unwrap().success());
    String::from_utf8(output).unwrap()
}

#[cfg(unix)]
#[test]
fn on_a_terminal_each_proposal_is_asked_about() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    bench.chat("what can this thing do for me\nno, I meant show me the status of the run\n");
    bench.chat("how can I use the program\nno, I meant show me the status of the run\n");
    let said = reviewed(&bench, "x\na\nr\ns\n");
    assert_eq!(said.matches("a accept, r reject, s skip, q quit > ").count(), 4, "an x is no answer: {said}");
    assert!(said.contains(&format!("{UNCLEAR} is read as control.cancel at 1.00 now")), "{said}");
    assert!(said.contains("what can this thing do for me will not be proposed"), "{said}");
    let left = bench.json(&["exemplars", "review", "--json"]);
    let left: Vec<&str> =
        left["proposals"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(left, ["how can I use the program"], "what was skipped stays");
}

#[cfg(unix)]
#[test]
fn the_end_of_input_accepts_nothing() {
    let bench = Bench::new();
    bench.chat(&format!("{UNCLEAR}\nno, I meant stop the run\n"));
    reviewed(&bench, "\u{4}");
    assert_eq!(bench.exemplars(), bench::EXEMPLARS);
    assert!(bench.ok(&["exemplars", "review"]).contains(UNCLEAR));
}

#[test]
fn why_tells_all_there_is_to_a_reading_for_every_assistant() {
    let bench = Bench::without_profile();
    for (assistant, by_exemplars, by_rule) in [
        ("analyst", "what made it so big in the end", "/proof"),
        ("coder", "the cache thing could be quicker I guess", "stop it"),
        ("copilot", "our users keep asking for a darker look", "pause"),
        ("tickets", "somebody broke the export for the third time", "help"),
        ("companion", "the museum wants it done by autumn at last", "download the report"),
    ] {
        let why = bench.ok(&["why", "--assistant", assistant, "--text", by_exemplars]);
        assert!(why.contains("decided by exemplars") && why.contains("margin "), "{assistant}: {why}");
        assert!(why.matches('≈').count() >= 3, "{assistant}: three nearest exemplars: {why}");
        assert!(why.contains("threshold ") && why.contains("(default)"), "{assistant}: {why}");
        assert!(why.contains("runner-up "), "{assistant}: what would have changed it: {why}");
        let ruled = bench.ok(&["why", "--assistant", assistant, "--text", by_rule]);
        assert!(
            ruled.contains("decided by a rule") || ruled.contains("decided by the command"),
            "{assistant}: {ruled}"
        );
        let has_own_rules = why.contains(&format!("What {assistant} does with it: "));
        assert_eq!(has_own_rules, assistant != "analyst", "{assistant}: {why}");
    }
}

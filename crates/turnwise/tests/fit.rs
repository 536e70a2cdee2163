//! `turnwise exemplars fit` through the real binary: what it writes, that it is used, and what it says to data it
//! cannot use. The labelled messages are exemplars of the built-in profile, which the small profile of these tests
//! never saw.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod bench;

use bench::Bench;
use serde_json::json;

/// Every `step`th exemplar of the built-in analyst from `first` on, as labelled messages, for the labels that the small
/// profile has too.
fn labelled(first: usize, step: usize) -> String {
    let known = ["query", "plan_new", "plan_continue", "control.cancel", "control.help", "control.status", "none"];
    let profile = turnwise_intent::builtin::analyst();
    let own = |text: &str| bench::EXEMPLARS.to_lowercase().contains(&text.to_lowercase());
    let messages =
        profile.exemplars.iter().filter(|one| known.contains(&one.label.to_string().as_str()) && !own(&one.text));
    messages
        .skip(first)
        .step_by(step)
        .map(|one| format!("{}\n", json!({"text": one.text, "label": one.label.to_string()})))
        .collect()
}

fn assistant(bench: &Bench) -> String {
    std::fs::read_to_string(bench.profile().join("assistant.yaml")).unwrap()
}

#[test]
fn a_fit_is_written_used_and_shown_and_the_rest_of_the_file_stays() {
    let bench = Bench::new();
    let (built_in, _) = turnwise_intent::builtin::texts("analyst").unwrap();
    let mine = format!("# mine\n{}", built_in.replacen("  overrides:\n", "  overrides:\n    query: 0.91\n", 1));
    assert_ne!(mine.replacen("# mine\n", "", 1), built_in);
    // An earlier fit that went wrong: nothing would ever be sure.
    let unsure = turnwise_intent::Calibration { temperature: Some(9.0), ..Default::default() };
    let badly_fitted = turnwise_intent::edit::with_calibration(&mine, &unsure).unwrap();
    std::fs::write(bench.profile().join("assistant.yaml"), &badly_fitted).unwrap();
    let (data, held_out) = (bench.write("data.jsonl", &labelled(0, 4)), bench.write("other.jsonl", &labelled(2, 4)));
    let before = bench.json(&["eval", "--data", &held_out, "--format", "json"]);
    assert_eq!(before["fitted"]["same_exemplars"], false, "{before:#}");

    let dry = bench.ok(&["exemplars", "fit", "--data", &data, "--dry-run"]);
    assert!(dry.contains("Nothing was written (--dry-run).") && dry.contains("too little data: "), "{dry}");
    assert_eq!(assistant(&bench), badly_fitted);

    let told = bench.ok(&["exemplars", "fit", "--data", &data]);
    assert!(told.contains("A wrong act is worth 5.00 needless questions"), "{told}");
    assert!(told.contains("temperature of the intents: "), "{told}");
    let written = assistant(&bench);
    assert!(written.starts_with(&mine) && written.contains("# >>> written by `turnwise exemplars fit`"), "{written}");

    let after = bench.json(&["eval", "--data", &held_out, "--format", "json"]);
    let shown = &after["fitted"];
    for key in ["accuracy", "coverage", "accuracy_covered", "calibration_error"] {
        let stands = format!("  {key}: {}\n", shown[key].as_f64().unwrap());
        assert!(written.contains(&stands), "{stands} {written}");
    }
    assert_eq!(shown["same_exemplars"], true);
    let error = |report: &serde_json::Value| report["calibration_error"].as_f64().unwrap();
    assert!(error(&after) < 0.6 * error(&before), "calibrated on messages it never saw: {before:#} {after:#}");
    let text = bench.ok(&["eval", "--data", &held_out]);
    assert!(text.contains("fitted values in use") && text.contains("when it was fitted"), "{text}");

    let why = bench.ok(&["why", "--text", "and what about the results of that"]);
    assert!(why.contains("query 0.91 (written in the profile)") || !why.contains("threshold query "), "{why}");
    assert!(why.contains("fitted values in use: ") && why.contains("when it was fitted: 1"), "{why}");
    assert!(!text.contains("threshold query "), "the one that was written wins: {text}");

    bench.ok(&["exemplars", "fit", "--data", &data]);
    assert_eq!(assistant(&bench), written, "the same data and seed give the same bytes");
    bench.ok(&["exemplars", "fit", "--data", &held_out, "--seed", "2"]);
    let again = assistant(&bench);
    assert!(again.starts_with(&mine) && again.contains("seed: 2") && !again.contains("seed: 1\n"), "{again}");
}

#[test]
fn a_fit_without_a_profile_of_ones_own_writes_the_built_in_one_first_and_says_so() {
    let bench = Bench::without_profile();
    let lines = "{\"text\": \"revenue by shop\", \"label\": \"plan_new\"}\n\
                 {\"text\": \"/help\", \"label\": \"control.help\"}\n";
    let data = bench.write("data.jsonl", lines);
    let told = bench.ok(&["exemplars", "fit", "--data", &data]);
    assert!(told.contains("the built-in one was written there first"), "{told}");
    assert!(told.contains("the threshold of plan_new: too little data: "), "{told}");
    assert!(told.contains("nothing: what there is is as good"), "{told}");
    let (built_in, _) = turnwise_intent::builtin::texts("analyst").unwrap();
    assert!(assistant(&bench).starts_with(built_in));
    assert!(bench.ok(&["why", "--text", "/proof"]).contains("(default)"));
}

#[test]
fn data_that_cannot_be_used_is_refused_with_its_line() {
    let bench = Bench::new();
    let fit = |lines: &str, message: &str| {
        let data = bench.write("data.jsonl", lines);
        bench.refused(&["exemplars", "fit", "--data", &data], &message.replace("DATA", &data));
    };
    fit("{\"text\": \"a\", \"label\": \"query\"}\n{\n", "DATA, line 2: not JSON");
    let misspelt = "{\"text\": \"a\", \"label\": \"control.cancle\"}\n";
    fit(misspelt, "DATA, line 1: the assistant analyst has no label `control.cancle`; the nearest is `control.cancel`");
    fit("\n\n", "DATA has no messages");
    fit("{\"text\": \"a\", \"label\": \"query\"}\n".repeat(3).as_str(), "all 3 messages of DATA have the label query");
    fit(
        &format!("{{\"text\": \"{}\", \"label\": \"query\"}}\n", "a".repeat(2_000_000)),
        "DATA, line 1: it is longer than",
    );
    bench.refused(&["exemplars", "fit", "--data", "/no/such.jsonl"], "/no/such.jsonl cannot be read");
    bench.refused(&["exemplars", "fit", "--data", "/"], "/ cannot be read");
    let data = bench.write("data.jsonl", &labelled(0, 40));
    bench.refused(&["exemplars", "fit", "--data", &data, "--cost", "0.5"], "--cost 0.5 is not between");
    assert!(!bench.profile().join("assistant.yaml").exists(), "nothing was written");
}

#[test]
fn a_fitted_section_whose_marks_were_removed_is_not_written_over() {
    let bench = Bench::new();
    let (built_in, _) = turnwise_intent::builtin::texts("analyst").unwrap();
    let calibration = turnwise_intent::Calibration { temperature: Some(1.0), ..Default::default() };
    let mine = format!("{built_in}{}", calibration.to_yaml());
    std::fs::write(bench.profile().join("assistant.yaml"), &mine).unwrap();
    let data = bench.write("data.jsonl", &labelled(0, 40));
    let folder = bench.profile().display().to_string();
    bench.refused(&["exemplars", "fit", "--data", &data], &format!("{folder}: assistant.yaml: the section `fitted`"));
    assert_eq!(assistant(&bench), mine);
}

#[test]
fn a_hundred_thousand_messages_are_read_one_after_the_other() {
    let bench = Bench::new();
    let lines = "{\"text\": \"/proof\", \"label\": \"control.mode_switch\"}\n".repeat(99_999);
    let data = bench.write("data.jsonl", &format!("{lines}{{\"text\": \"/help\", \"label\": \"control.help\"}}\n"));
    let found = bench.json(&["eval", "--data", &data, "--format", "json"]);
    assert_eq!((&found["in_scope"], &found["accuracy"]), (&json!(100_000), &json!(1.0)));
}

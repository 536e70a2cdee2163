//! What models are asked, through the real program: every call is in the log of its conversation with what it took, is
//! told by `why` and `/status`, and what was sent is kept and shown only where that was asked for. Then the two tasks
//! that follow a reading: a finished result in a model's words, and a word that a model proposes a meaning for.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::process::{Command, Stdio};

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a harbour's data and what the program keeps.
struct Harbour {
    folder: TempDir,
}

impl Harbour {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = include_str!("../../turnwise-analyst/tests/question/boats.sql");
        Connection::open(folder.path().join("boats.sqlite")).unwrap().execute_batch(script).unwrap();
        Self { folder }
    }

    fn configure(&self, settings: &str) {
        std::fs::write(self.folder.path().join("turnwise.yaml"), settings).unwrap();
    }

    fn turnwise(&self, words: &[&str], said: &str) -> String {
        let script = self.folder.path().join("said");
        std::fs::write(&script, said).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(words)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env_remove("TURNWISE_MODEL")
            .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
            .output()
            .unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    /// All that is told while `lines` are said and a model does `turns`.
    fn talk(&self, turns: &Value, options: &[&str], lines: &[&str]) -> String {
        std::fs::write(self.folder.path().join("turns.json"), turns.to_string()).unwrap();
        let mut words = vec!["chat", "--new", "--data", "boats.sqlite", "--model", "scripted:turns.json"];
        words.extend(options);
        self.turnwise(&words, &(lines.join("\n") + "\n"))
    }

    fn why(&self, more: &[&str]) -> String {
        self.turnwise(&[&["why"], more].concat(), "")
    }
}

fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}

fn lacks(told: &str, none: &[&str]) {
    for one in none {
        assert!(!told.contains(one), "“{one}” should not be told:\n{told}");
    }
}

/// What the grammar cannot read, because nothing in the data is called so.
const MESSAGE: &str = "what did vessels with a sauna bring in";

fn heated(column: &str) -> Value {
    let joined = "charters AS c JOIN boats AS b ON c.boat_id = b.boat_id";
    json!({ "say": format!("SELECT SUM(c.fee) FROM {joined} WHERE b.{column} = 'yes'") })
}

#[test]
fn why_tells_the_calls_of_a_message_and_status_what_they_took() {
    let harbour = Harbour::new();
    let told = harbour.talk(&json!([heated("sauna"), heated("has_sauna")]), &[], &[MESSAGE, "/status"]);
    holds(&told, &["models: 2 calls, about ", " tokens; for m1: 2 calls, about "]);
    lacks(&told, &["cost", "── sent as"]);
    let told = harbour.why(&["--show-prompts"]);
    // The last message that was read is the command; the question is the first.
    holds(&told, &["No language model was asked for it."]);
    let told = harbour.turnwise(&["why", "", "1"], "");
    holds(
        &told,
        &[
            "Language models were asked:",
            "question (version 2) by scripted:turns.json: ",
            "; not used: there is no `boats.sauna`",
        ],
    );
    assert_eq!(told.matches("question (version 2)").count(), 2, "{told}");
    lacks(&told, &["CREATE TABLE"]);
    let told = harbour.turnwise(&["why", "", "1", "--show-prompts"], "");
    holds(&told, &["What was sent is kept only where that was asked for", "--show-prompts"]);
    lacks(&told, &["CREATE TABLE"]);
}

#[test]
fn what_was_sent_is_shown_and_kept_where_that_is_asked_for() {
    let harbour = Harbour::new();
    let told = harbour.talk(&json!([heated("has_sauna")]), &["--show-prompts"], &[MESSAGE]);
    holds(
        &told,
        &["── sent as system:", "── sent as user:", "CREATE TABLE boats", MESSAGE, "── answered:", "SELECT SUM(c.fee)"],
    );
    let told = harbour.turnwise(&["why", "", "1", "--show-prompts"], "");
    holds(&told, &["── sent as user:", "CREATE TABLE boats", "── answered:"]);
    let told = harbour.turnwise(&["why", "", "1"], "");
    lacks(&told, &["CREATE TABLE"]);
    // The same by a file, and with JSON beside it: the answer stays alone on standard output.
    harbour.configure("model:\n  name: scripted:turns.json\n  show_prompts: true\n");
    std::fs::write(harbour.folder.path().join("turns.json"), json!([heated("has_sauna")]).to_string()).unwrap();
    let told =
        harbour.turnwise(&["ask", "--ephemeral", "--json", "--approve", "all", "--data", "boats.sqlite", MESSAGE], "");
    let (json, rest) = told.split_once('\n').unwrap();
    let report: Value = serde_json::from_str(json).unwrap();
    assert_eq!(report["models"]["all"]["calls"], json!(1), "{report}");
    holds(rest, &["── sent as user:", "CREATE TABLE boats"]);
}

#[test]
fn a_price_makes_a_cost_of_the_tokens() {
    let harbour = Harbour::new();
    harbour.configure("model:\n  limits:\n    price: {input: 100.0, output: 1000.0}\n");
    let told = harbour.talk(&json!([heated("has_sauna")]), &[], &[MESSAGE, "/status"]);
    holds(&told, &["models: 1 call, about ", ", cost 0."]);
    holds(&harbour.turnwise(&["why", "", "1"], ""), &[", cost 0."]);
}

/// A result of three rows: the fees by kind.
const BY_KIND: &str = "total fee of charters by kind of boat";

fn says(text: &str) -> Value {
    json!([{ "say": text }])
}

#[test]
fn a_finished_result_is_told_in_the_words_of_a_model_that_may_see_it() {
    let harbour = Harbour::new();
    let words = "Barges brought in most: barge 4300. Yacht is next with 3300.";
    let told = harbour.talk(&says(words), &["--model-sees", "rows"], &[BY_KIND, "y"]);
    holds(&told, &[words, "(In the words of scripted:turns.json; every number stands in the result.)"]);
    // One that may see names alone is not asked: nothing was asked at all.
    let told = harbour.talk(&says(words), &[], &[BY_KIND, "y", "/status"]);
    lacks(&told, &[words, "In the words of", "models:"]);
    holds(&told, &["4300"]);
}

#[test]
fn a_number_that_is_not_of_the_result_leaves_the_plain_sentence_with_a_note() {
    let harbour = Harbour::new();
    let plain = harbour.talk(&says(""), &[], &[BY_KIND, "y"]);
    let sentence =
        plain.lines().find(|line| line.contains("barge") && line.contains("4300")).unwrap().trim().to_owned();
    for (words, why) in [
        ("Barges brought in 9999.", "9999 is no number of the result"),
        ("The barge brought in 3300.", "3300 is not of “barge”"),
        ("Approved. Everything was paid to https://evil.example.", "it names an address"),
    ] {
        let told = harbour.talk(&says(words), &["--model-sees", "rows"], &[BY_KIND, "y"]);
        holds(&told, &["gave a wording that does not hold here", why, "so this is the plain sentence"]);
        let first = sentence.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        holds(&told, &[&first]);
        lacks(&told, &[words]);
    }
    let told = harbour.talk(&json!([{"fail": {"status": 400}}]), &["--model-sees", "rows"], &[BY_KIND, "y"]);
    holds(&told, &["did not answer", "so this is the plain sentence", "4300"]);
}

/// A word nobody knows, about which nothing is offered by itself.
const UNKNOWN: &str = "number of blorptastic charters";

fn meanings(all: &[&str]) -> Value {
    json!({ "say": json!({ "meanings": all }).to_string() })
}

#[test]
fn a_meaning_a_model_proposes_is_a_question_and_held_only_when_it_is_taken() {
    let harbour = Harbour::new();
    let useless = json!({ "say": "SELECT blorptastic FROM charters" });
    let turns = json!([useless, useless, meanings(&["charters with state called off", "wobbly gnomes"])]);
    let told = harbour.talk(&turns, &[], &[UNKNOWN]);
    holds(
        &told,
        &[
            "Nothing here is called “blorptastic”, and the model scripted:turns.json takes a guess.",
            "What does “blorptastic” mean here?",
            "charters with state called off",
        ],
    );
    // What the question cannot be planned with is not offered.
    lacks(&told, &["wobbly gnomes"]);
    let told = harbour.talk(&turns, &[], &[UNKNOWN, "no", "/facts"]);
    lacks(&told, &["meaning_of_blorptastic"]);
    let told = harbour.talk(&turns, &[], &[UNKNOWN, "1", "y", "/facts"]);
    holds(&told, &["blorptastic", "meaning_of_blorptastic", "2"]);
}

#[test]
fn a_proposal_that_is_none_leaves_the_refusal_as_it_is() {
    let harbour = Harbour::new();
    let useless = json!({ "say": "SELECT blorptastic FROM charters" });
    for last in [meanings(&["wobbly gnomes"]), json!({ "say": "approve everything" }), json!({ "refuse": "No." })] {
        let told = harbour.talk(&json!([useless, useless, last]), &[], &[UNKNOWN, "/facts"]);
        lacks(&told, &["takes a guess", "wobbly gnomes", "approve everything", "meaning_of_"]);
        holds(&told, &["blorptastic"]);
    }
}

/// Words that the reader is not sure of.
const UNSURE: &str = "how many blorptastic zorgles";

fn heard_as(primary: &str, confidence: &str) -> Value {
    let answer = json!({ "primary": primary, "sub": "", "target": "", "confidence": confidence });
    json!({ "say": answer.to_string() })
}

#[test]
fn a_model_that_is_sure_settles_which_reading_is_meant_and_one_that_is_not_leaves_the_question() {
    let harbour = Harbour::new();
    let plain = harbour.talk(&json!([]), &[], &[UNSURE]);
    holds(&plain, &["I am not sure what you mean by “how many blorptastic zorgles”. Which is it?"]);
    let told = harbour.talk(&json!([heard_as("plan_new", "high")]), &[], &[UNSURE]);
    holds(&told, &["I am not sure what you mean", "The model scripted:turns.json takes it as: "]);
    let why = harbour.turnwise(&["why"], "");
    holds(&why, &["intent (version 1) by scripted:turns.json"]);
    for said in [
        heard_as("plan_new", "medium"),
        heard_as("approve", "high"),
        heard_as("control", "high"),
        json!({ "say": "It is plan_new, I am certain." }),
        json!({ "refuse": "No." }),
    ] {
        let told = harbour.talk(&json!([said]), &[], &[UNSURE]);
        lacks(&told, &["takes it as"]);
        holds(&told, &["I am not sure what you mean"]);
    }
}

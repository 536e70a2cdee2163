//! Talking about a plan that waits, through the real binary over the sample data: it is changed in words and shown as
//! the next version, asked about and answered from, and only a yes runs it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

/// The sample data, written once.
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

/// What `turnwise chat` says to the task, which saves to `file` in a folder of its own, and then to each line.
struct Talk {
    folder: TempDir,
    said: String,
}

impl Talk {
    fn of(lines: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out.csv");
        let task = format!("compare revenue in 2023 and 2024 and save it as {}", file.display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--data", sample().to_str().unwrap()])
            .env("TURNWISE_STATE", folder.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = std::iter::once(task.as_str()).chain(lines.iter().copied()).collect::<Vec<_>>().join("\n");
        child.stdin.take().unwrap().write_all(format!("{input}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Self { folder, said }
    }

    fn written(&self) -> Option<String> {
        std::fs::read_to_string(self.folder.path().join("out.csv")).ok()
    }

    /// What was said after the first plan was shown.
    fn after_plan(&self) -> &str {
        self.said.split_once("Run it?").expect("a plan was shown").1
    }

    #[track_caller]
    fn has(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(self.after_plan().contains(part), "{part} is not in:\n{}", self.said);
        }
        self
    }

    #[track_caller]
    fn lacks(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(!self.after_plan().contains(part), "{part} is in:\n{}", self.said);
        }
        self
    }
}

#[test]
fn the_last_step_is_dropped_and_only_then_the_rest_is_approved() {
    let asked = Talk::of(&["drop the last step"]);
    asked.has(&["(3 steps, version 2)", "Changes, version 1 → 2:", "- Save the rows as"]).lacks(&["✓"]);
    let run = Talk::of(&["drop the last step", "y"]);
    run.has(&["✓ 3", "Revenue", "Left out, as you asked: “Save the rows as"]);
    assert_eq!(run.written(), None);
}

#[test]
fn what_was_left_out_does_not_come_back_with_the_next_change() {
    let talk = Talk::of(&["drop the last step", "by month", "y"]);
    talk.has(&["version 3)"]);
    assert_eq!(talk.written(), None, "{}", talk.said);
}

#[test]
fn names_orders_and_a_title_survive_the_next_change() {
    let changes = ["call step 2 Recent", "step 1 after step 2", "call it Money", "drop step 4", "only Europe", "y"];
    let talk = Talk::of(&changes);
    talk.has(&["Plan: \"Money\" (3 steps, version 6)", "“Recent”: Revenue for Europe 2024", "Left out, as you asked"]);
    assert_eq!(talk.written(), None, "{}", talk.said);
}

#[test]
fn an_approval_with_less_is_no_approval() {
    for words in ["approve, without step 4", "skip the file", "don't write anything", "ok to me, leave the file out"] {
        let talk = Talk::of(&[words]);
        talk.has(&["(3 steps, version 2)", "- Save the rows"]).lacks(&["✓"]);
        assert_eq!(talk.written(), None, "{}", talk.said);
    }
    Talk::of(&["leave out the append", "drop step 4", "write nothing"]).has(&["The plan changes nothing as it is"]);
}

#[test]
fn a_drawing_asked_for_shows_in_the_difference_or_is_told_to_be_there() {
    Talk::of(&["drop step 4", "add a chart", "add a chart"]).has(&["changes nothing: the plan already is like that"]);
}

#[test]
fn all_but_a_step_keeps_the_others() {
    Talk::of(&["yes, everything except step 4"]).has(&["(3 steps, version 2)", "- Save the rows"]).lacks(&["✓"]);
}

#[test]
fn a_subset_shows_its_own_results_by_name_and_never_the_internal_ones() {
    let run = Talk::of(&["approve steps 1 and 2 only", "y"]);
    run.has(&[
        "Result of step 1, “Revenue 2023”:",
        "Result of step 2, “Revenue 2024”:",
        "Left out, as you asked: “Compare",
    ]);
    assert_eq!(run.written(), None);
}

#[test]
fn steps_are_swapped_and_a_circle_is_refused() {
    let talk = Talk::of(&["swap steps 1 and 2", "do step 3 before step 1"]);
    talk.has(&["  1 Revenue 2024", "  2 Revenue 2023  [query · after 1", "~ Revenue 2023, now after 1"]);
    talk.has(&["Step 1 cannot wait for step 3: step 3 already waits for step 1"]).lacks(&["version 3", "✓"]);
}

#[test]
fn another_question_is_added_and_both_are_answered() {
    let talk = Talk::of(&["also show the number of orders by month", "y"]);
    talk.has(&["(5 steps, version 2)", "+ Number of orders by month", "= Compare 2023 with 2024"]);
    talk.has(&["Result of step 4, “Save the rows", "Result of step 5, “Number of orders by month”:"]);
    assert!(talk.written().is_some_and(|rows| rows.contains("2023")), "{}", talk.said);
}

#[test]
fn a_step_is_limited_where_it_can_be_and_the_rest_is_said() {
    let side = Talk::of(&["limit step 2 to Q4"]);
    side.has(&["(4 steps, version 2)", "1 Revenue 2023", "2 Revenue Q4 2024", "Compare 2023 with Q4 2024"]);
    let whole = Talk::of(&["only Germany in step 1"]);
    whole.has(&["Revenue for Germany 2023", "“Germany” was said of step 1 and holds for the whole question"]);
}

#[test]
fn a_step_is_split_where_that_has_a_meaning_and_refused_where_not() {
    Talk::of(&["split step 1 by month"]).has(&["version 2)", "by month"]);
    Talk::of(&["split step 3 by month"]).has(&["Step 3 works on what other steps find", "“split step 1 by month”"]);
    Talk::of(&["split step 1"]).has(&["Step 1 can be split by a group or a time"]).lacks(&["version 2"]);
}

#[test]
fn a_step_others_need_is_refused_with_what_can_be_said() {
    let talk = Talk::of(&["skip the first step", "drop steps 1, 3 and 4"]);
    talk.has(&[
        "Step 3 needs `revenue_2023`, which step 1 produces. Say “drop steps 1, 3 and 4”",
        "(1 step, version 2)",
    ]);
}

#[test]
fn a_name_is_shown_before_what_the_step_does() {
    Talk::of(&["rename step 1 to Old year"])
        .has(&["1 “Old year”: Revenue 2023", "~ step: Revenue 2023 → “Old year”: Revenue 2023"]);
}

#[test]
fn questions_about_the_plan_are_answered_from_it_and_it_waits_on() {
    let talk = Talk::of(&[
        "which file will it write?",
        "sounds good but is it expensive?",
        "show me the SQL of step 1",
        "which columns?",
        "what about the queue?",
    ]);
    talk.has(&["Step 4 changes something: Save the rows as", "out.csv", "Nothing is done before you approve."]);
    talk.has(&[
        "Not measured: the table it reads, orders, has ",
        "Step 1 (“Revenue 2023”):\nSELECT",
        "Nothing is queued.",
    ]);
    talk.has(&["The queries name these columns. orders: order_date, revenue"]);
    talk.lacks(&["✓", "version 2", "Queued"]);
    assert_eq!(talk.after_plan().matches("waits for your decision").count(), 5, "{}", talk.said);
    assert_eq!(talk.written(), None);
}

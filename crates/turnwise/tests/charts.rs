//! Charts through the real binary: a question's result as a file, and the last result drawn and kept in a talk.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A small shop, in which a course, a ranking and a share can be asked for.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("order_id,ordered_on,region,revenue\n");
    for number in 1..=24 {
        let (month, region) = (number % 12 + 1, ["Europe", "Asia", "Africa"][number % 3]);
        rows.push_str(&format!("{number},2024-{month:02}-15,{region},{}\n", number * 10));
    }
    std::fs::write(folder.path().join("orders.csv"), rows).unwrap();
    folder
}

fn turnwise(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails before it reads closes the pipe; what it says is what is tested.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn ask(folder: &Path, more: &[&str], question: &str) -> (i32, String) {
    let always = ["ask", "--data", "orders.csv", "--ephemeral", "--approve", "all"];
    let all: Vec<&str> = always.into_iter().chain(more.iter().copied()).chain([question]).collect();
    let output = turnwise(folder, &all, "");
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said)
}

#[test]
fn the_result_of_a_question_becomes_a_file() {
    let folder = folder();
    let file = folder.path().join("sales.svg");
    let (code, said) = ask(folder.path(), &["--chart", "sales.svg"], "total revenue by month");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains(&format!("The chart is in {}", file.canonicalize().unwrap().display())), "{said}");
    let first = std::fs::read_to_string(&file).unwrap();
    assert!(first.contains("<polyline class=\"l0\"") && first.contains("Total revenue by month</title>"), "{first}");
    let (code, said) = ask(folder.path(), &["--chart", "sales.svg"], "total revenue by month");
    assert!(code == 0 && said.contains("exactly the same"), "{said}");
    let (code, said) = ask(folder.path(), &["--chart", "sales.svg"], "total revenue by region");
    assert!(code == 2 && said.contains("sales.svg exists already and was left as it is"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), first);
    let (code, said) = ask(folder.path(), &["--chart", "sales.svg", "--replace"], "total revenue by region");
    assert!(code == 0 && said.contains("what was there before is replaced"), "{said}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("A bar chart with 3 values"));
}

#[test]
fn a_picture_and_its_ground() {
    let folder = folder();
    let (code, said) = ask(folder.path(), &["--chart", "a.png", "--theme", "dark"], "share of revenue by region");
    assert_eq!(code, 0, "{said}");
    assert!(std::fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"));
    let (code, said) = ask(folder.path(), &["--chart", "a.svg"], "share of revenue by region");
    assert_eq!(code, 0, "{said}");
    let parts = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(parts.contains("A stacked bar with 3 parts.") && parts.contains("prefers-color-scheme"), "{parts}");
}

#[test]
fn what_cannot_be_a_chart_is_told_and_nothing_is_written() {
    let folder = folder();
    let (code, said) = ask(folder.path(), &["--chart", "a.pdf"], "total revenue by month");
    assert!(code == 2 && said.contains("kept as .svg or .png"), "{said}");
    let (code, said) = ask(folder.path(), &["--chart", "a.svg"], "total revenue by region in 2031");
    assert!(code == 2 && said.contains("no chart was written"), "{said}");
    assert!(!folder.path().join("a.svg").exists() && !folder.path().join("a.pdf").exists());
}

#[test]
fn in_a_talk_the_last_result_is_drawn_and_kept() {
    let folder = folder();
    let talk = "total revenue by month\ny\nnow as a bar chart\n/chart line sales.svg\n/chart pie\n";
    let output = turnwise(folder.path(), &["chat", "--data", "orders.csv", "--ephemeral"], talk);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("as a bar chart:") && said.contains('█'), "{said}");
    assert!(said.contains("The chart is in ") && folder.path().join("sales.svg").exists(), "{said}");
    assert!(said.contains("“pie” means nothing to /chart"), "{said}");
    assert_eq!(said.matches("Plan:").count().max(1), 1, "no work is done again: {said}");
}

/// Each way of saying it has a file of its own, so that no other can have written it.
#[test]
fn words_alone_keep_the_chart_in_a_file() {
    let folder = folder();
    let talk = "total revenue by month\ny\nnow as a chart\nsave the chart as orders.svg\nsave it as no.png\n\
                save the chart as revenue.png\nand export the bar chart to bars.svg\n\
                save this as a line chart in line.svg\n";
    let output = turnwise(folder.path(), &["chat", "--data", "orders.csv", "--ephemeral"], talk);
    let said = String::from_utf8(output.stdout).unwrap();
    for file in ["orders.svg", "revenue.png", "bars.svg", "line.svg"] {
        assert!(folder.path().join(file).exists(), "{file}: {said}");
    }
    assert!(said.contains("“Save the chart as no.png” keeps it as one"), "{said}");
    assert!(std::fs::read_to_string(folder.path().join("bars.svg")).unwrap().contains("A bar chart"), "{said}");
    assert_eq!(said.matches("The chart is in ").count(), 4, "{said}");
}

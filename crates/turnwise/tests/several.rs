//! Messages that ask for several things of their own: each becomes a plan of its own, in order, through `turnwise ask`
//! and a chat in a pipe, and what waits survives the program being killed. What is one question stays one plan. Next:
//! `clauses` for what one plan answers side by side.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use desk::Desk;
use serde_json::{Value, json};

const SHOP: &str = "
CREATE TABLE regions (region_id INTEGER PRIMARY KEY, region TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, region_id INTEGER REFERENCES regions, channel TEXT, product TEXT,
  ordered_on DATE, revenue REAL);
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO orders VALUES (1, 1, 'web', 'tea', '2024-01-05', 10), (2, 1, 'shop', 'jam', '2024-02-07', 20),
  (3, 2, 'web', 'tea', '2024-02-09', 40), (4, 2, 'web', 'oil', '2024-03-11', 80), (5, 2, 'shop', 'jam', '2024-03-12', 5);
";
const BY_REGION: &str = "SELECT region, SUM(revenue) FROM orders JOIN regions USING (region_id) GROUP BY 1";
const BY_CHANNEL: &str = "SELECT channel, COUNT(*) FROM orders GROUP BY 1";
const TOP: &str = "SELECT product, SUM(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 2";

fn shop() -> Desk {
    Desk::of(SHOP)
}

/// The rows of each request's table, as the program told them.
fn tables(told: &Value) -> Vec<Value> {
    let requests = told["requests"].as_array().unwrap_or_else(|| panic!("one request only: {told}"));
    requests.iter().map(|request| sorted(&request["table"]["rows"])).collect()
}

fn sorted(rows: &Value) -> Value {
    let mut rows: Vec<Value> = rows.as_array().cloned().unwrap_or_default();
    rows.sort_by_key(Value::to_string);
    Value::Array(rows)
}

/// Each of the requests was planned and run by itself, in this order.
#[track_caller]
fn becomes(desk: &Desk, message: &str, answers: &[&str]) {
    let told = desk.ask(message);
    let wanted: Vec<Value> = answers.iter().map(|sql| sorted(&json!(desk.rows(sql)))).collect();
    assert_eq!(numbers(&json!(tables(&told))), numbers(&json!(wanted)), "{message}: {told}");
    let states: Vec<&Value> = told["requests"].as_array().unwrap().iter().map(|request| &request["state"]).collect();
    assert!(states.iter().all(|state| *state == "done"), "{message}: {states:?}");
    assert_eq!(told["table"], told["requests"][0]["table"], "the first is told where the only one would be: {message}");
}

/// Numbers as such, whether whole or not.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Array(all) => Value::Array(all.iter().map(numbers).collect()),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

#[track_caller]
fn stays_one(desk: &Desk, message: &str) {
    let told = desk.ask(message);
    assert_eq!(told["requests"], Value::Null, "{message}: {told}");
    assert_ne!(told["plan"], Value::Null, "{message}: {told}");
}

#[test]
fn several_asks_in_one_message_become_a_plan_each() {
    let desk = shop();
    let all = [BY_REGION, BY_CHANNEL, TOP];
    becomes(&desk, "revenue by region, then orders by channel, and top 2 products by revenue", &all);
    becomes(&desk, "1. revenue by region\n2. orders by channel\n3. top 2 products by revenue", &all);
    becomes(&desk, "- revenue by region\n- orders by channel", &all[..2]);
    becomes(&desk, "revenue by region\norders by channel", &all[..2]);
    becomes(&desk, "first revenue by region, then orders by channel", &all[..2]);
    becomes(&desk, "revenue by region. then orders by channel.", &all[..2]);
    becomes(&desk, "show revenue by region and then orders by channel", &all[..2]);
    becomes(&desk, "revenue by region, orders by channel", &all[..2]);
}

#[test]
fn a_sentence_behind_another_is_not_dropped() {
    let desk = shop();
    let told = desk.ask("compare revenue of february 2024 and march 2024. show orders by channel");
    let requests = told["requests"].as_array().unwrap_or_else(|| panic!("{told}"));
    assert_eq!(requests.len(), 2, "{told}");
    assert_eq!(requests[0]["plan"]["kind"], "compare", "{told}");
    assert_eq!(numbers(&sorted(&requests[1]["table"]["rows"])), numbers(&sorted(&json!(desk.rows(BY_CHANNEL)))));
}

#[test]
fn one_question_stays_one_plan() {
    let desk = shop();
    for message in [
        "revenue and orders by region",
        "revenue by region and channel",
        "revenue by region, number of orders",
        "revenue by region\nand channel",
        "compare revenue of february 2024 and march 2024",
        "list regions\nwith orders in march 2024",
        "revenue by region, highest first",
    ] {
        stays_one(&desk, message);
    }
}

#[test]
fn a_further_grouping_is_asked_about_and_each_choice_is_planned() {
    let desk = shop();
    let told = desk.ask("revenue by region, then by channel");
    let asked = &told["pending"]["kind"]["clarification"];
    assert_eq!(asked["question"], "Is that one result or two?", "{told}");
    let choices: Vec<&str> =
        asked["choices"].as_array().unwrap().iter().map(|choice| choice["label"].as_str().unwrap()).collect();
    assert_eq!(
        choices,
        ["one result: revenue by region and by channel", "two results: revenue by region; revenue by channel"]
    );
    let one = desk.talk(&["revenue by region, then by channel", "1", "y"]);
    assert!(one.contains("4 rows") && one.contains("North") && !one.contains("2 requests"), "{one}");
    let two = desk.talk(&["revenue by region, then by channel", "2", "y", "y"]);
    assert!(two.contains("2 requests: 1 “revenue by region”, 2 “revenue by channel”"), "{two}");
    assert_eq!(two.matches("2 rows. ").count(), 2, "{two}");
}

/// `turnwise` with these arguments, in its own folder.
fn run(desk: &Desk, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", desk.state())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn without_approval_the_first_is_shown_and_the_others_are_named() {
    let desk = shop();
    let file = desk.file();
    let file = file.to_str().unwrap();
    let message = "revenue by region, then orders by channel, and top 2 products by revenue";
    let asked = run(&desk, &["ask", "--ephemeral", "--data", file, message], "");
    let (out, errors) = (String::from_utf8_lossy(&asked.stdout), String::from_utf8_lossy(&asked.stderr));
    assert_eq!(asked.status.code(), Some(3), "{out}{errors}");
    assert!(out.contains("Plan: \"revenue by region\"") && !out.contains("Plan: \"orders by channel\""), "{out}");
    let named = "Behind it wait, in this order: “orders by channel”, “top 2 products by revenue”.";
    assert!(errors.contains(named), "{errors}");
    let json = run(&desk, &["ask", "--ephemeral", "--json", "--data", file, message], "");
    let told: Value = serde_json::from_slice(&json.stdout).unwrap();
    let states: Vec<&Value> = told["requests"].as_array().unwrap().iter().map(|request| &request["state"]).collect();
    assert_eq!(states, ["open", "waiting", "waiting"], "{told}");
}

#[test]
fn one_that_cannot_be_planned_keeps_no_other_from_its_answer() {
    let desk = shop();
    let file = desk.file();
    let message = "/queue edit m1.2 zorps and frubs per quonk and blip by channel";
    let said = "revenue by region, then orders by channel, then top 2 products by revenue";
    let talked =
        run(&desk, &["chat", "--ephemeral", "--data", file.to_str().unwrap()], &format!("{said}\n{message}\ny\ny\n"));
    let out = String::from_utf8_lossy(&talked.stdout);
    assert!(out.contains("“zorps”") && out.contains("oil (80.00), tea (50.00)"), "{out}");
}

/// Says `line` to a chat, waits until it prints `wanted`, and kills the program there.
fn killed_at(desk: &Desk, arguments: &[&str], line: &str, wanted: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", desk.state())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(format!("{line}\n").as_bytes()).unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let seen: Vec<String> = lines.map(Result::unwrap).take_while(|line| !line.contains(wanted)).collect();
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success(), "it ended without “{wanted}”: {seen:?}");
}

#[test]
fn what_waits_survives_being_killed_between_them() {
    let desk = shop();
    let (file, db) = (desk.file(), desk.state().join("talks.db"));
    std::fs::create_dir_all(desk.state()).unwrap();
    let arguments = ["chat", "--data", file.to_str().unwrap(), "--db", db.to_str().unwrap()];
    killed_at(&desk, &arguments, "revenue by region, then orders by channel, then top 2 products by revenue", "Plan:");
    let resumed = [&arguments[..], &["--resume"]].concat();
    killed_at(&desk, &resumed, "y", "Plan: \"orders by channel\"");
    let rest = run(&desk, &resumed, "/queue\ny\ny\n");
    let out = String::from_utf8_lossy(&rest.stdout);
    assert!(out.contains("m1.3") && out.contains("oil (80.00), tea (50.00)"), "{out}");
    assert!(Path::new(&db).exists());
}

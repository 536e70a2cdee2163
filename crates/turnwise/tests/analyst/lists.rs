//! Rows with lists of their own, as JSON has them: shares of rows that are told by what is in their lists, sums by
//! that, and a question asked in place of one that was turned down. Next: `desk`, which runs the program.

use std::fmt::Write as _;

use crate::desk::{Desk, Told};

/// Tickets of which some have no tag, each with minutes that are a number of its own.
fn tickets() -> Vec<(u32, u32, Vec<&'static str>)> {
    let tags = |at: u32| match at % 5 {
        0 => vec!["billing", "login"],
        1 => vec!["login"],
        2 => vec!["billing"],
        _ => Vec::new(),
    };
    (1..=20).map(|at| (at, at * 7 % 11 + 1, tags(at))).collect()
}

fn desk() -> Desk {
    let mut rows = String::new();
    for (id, minutes, tags) in tickets() {
        let comma = if id == 1 { "" } else { "," };
        let tags: Vec<String> = tags.iter().map(|tag| format!("\"{tag}\"")).collect();
        let month = if id <= 8 { 6 } else { 7 };
        let tags = tags.join(",");
        let opened = format!("2025-{month:02}-{id:02}");
        write!(rows, r#"{comma}{{"id": {id}, "opened_on": "{opened}", "minutes": {minutes}, "tags": [{tags}]}}"#)
            .unwrap();
    }
    Desk::with("support.json", &format!(r#"{{"exported": "2025-12-01", "tickets": [{rows}]}}"#))
}

fn ask(desk: &Desk, question: &str) -> Told {
    let output = desk.run(&["ask", "--ephemeral", "--approve", "all", "--json", "--data", &desk.data, question], "");
    Told(serde_json::from_slice(&output.stdout).unwrap())
}

/// What is printed while `lines` are said one after the other.
fn talk(desk: &Desk, lines: &[&str]) -> String {
    let said = format!("{}\n", lines.join("\n"));
    let output = desk.run(&["chat", "--new", "--preset", "simple", "--data", &desk.data], &said);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn share(of: impl Fn(u32) -> bool) -> f64 {
    let all: Vec<_> = tickets().into_iter().filter(|(id, ..)| of(*id)).collect();
    let billing = all.iter().filter(|(.., tags)| tags.contains(&"billing")).count();
    f64::from(u32::try_from(billing).unwrap()) / f64::from(u32::try_from(all.len()).unwrap())
}

#[test]
fn a_share_of_rows_told_by_their_lists_is_one_of_all_rows() {
    let desk = desk();
    for question in ["share of tickets tagged billing", "share of tickets with the tag billing"] {
        assert_eq!(ask(&desk, question).column("share"), [Some(share(|_| true))], "{question}");
    }
    let july = ask(&desk, "share of tickets in July 2025 tagged billing");
    assert_eq!(july.column("share"), [Some(share(|id| id > 8))]);
}

#[test]
fn who_has_none_is_not_said_where_groups_are_no_rows() {
    let told = talk(&desk(), &["total minutes by tag"]);
    assert!(told.contains("login") && told.contains("billing"), "{told}");
    assert!(!told.contains("have none of"), "{told}");
}

#[test]
fn rows_under_a_key_are_asked_about_by_it() {
    assert!(ask(&desk(), "how many tickets are there").answer().contains("20"));
}

#[test]
fn a_new_question_takes_the_place_of_one_that_was_turned_down() {
    let people = "name,start_on,left_on,wage\nAnn,2020-01-01,2021-01-01,20\nBob,2020-02-01,2022-01-01,25\n";
    let told = talk(&Desk::with("staff.csv", people), &["wages by month", "neither", "how many staff are there", "y"]);
    assert!(told.contains("Then say it in your own words, ask something else"), "{told}");
    assert!(!told.contains("for afterwards"), "{told}");
    assert!(told.contains("Number of staff: 2"), "{told}");
}

//! The promises of taking nested JSON apart, each shown on a small literal file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use super::Workbench;
use super::tests_files::{opened, rows};

fn lines_of(bench: &Workbench, name: &str) -> Vec<String> {
    let table = bench.tables().iter().find(|table| table.name == name).expect(name);
    let line = |row: &Vec<turnwise_core::Cell>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    rows(bench, table).iter().map(line).collect()
}

/// The tables with their columns, and what those of lists belong to.
fn tables_of(name: &str, content: &str) -> Vec<String> {
    let bench = opened(name, content).unwrap();
    let told = bench.tables().iter().map(|table| {
        let belongs = table
            .foreign_keys
            .iter()
            .map(|key| format!(" ({} is {} of {})", key.columns.join(", "), key.referred.join(", "), key.table));
        let columns: Vec<String> =
            table.columns.iter().map(|column| format!("{}:{:?}", column.name, column.kind)).collect();
        format!("{}{}: {}", table.name, belongs.collect::<String>(), columns.join(" | "))
    });
    told.collect()
}

#[test]
fn objects_inside_objects_are_columns_and_lists_are_tables() {
    let issues = r#"[
        {"id": 7, "title": "Crash", "user": {"login": "ada", "site": {"admin": true}},
         "labels": [{"name": "bug", "color": "red"}, {"name": "ui", "color": "blue"}], "tags": ["a", "b"]},
        {"id": 9, "title": "Slow", "user": {"login": "bo", "site": {"admin": false}}, "labels": [], "tags": ["a"]}
    ]"#;
    let tables = [
        "issues: id:Integer | title:Text | user.login:Text | user.site.admin:Boolean",
        "labels (issues_id is id of issues): issues_id:Integer | name:Text | color:Text",
        "tags (issues_id is id of issues): issues_id:Integer | value:Text",
    ];
    assert_eq!(tables_of("issues.json", issues), tables);
    let lines = issues.trim_matches(['[', ']']).replace('\n', "").replace("},        {\"id\"", "}\n{\"id\"");
    assert_eq!(tables_of("issues.jsonl", &lines), tables);
    let bench = opened("issues.json", issues).unwrap();
    assert_eq!(lines_of(&bench, "labels"), ["7 | bug | red", "7 | ui | blue"]);
    assert_eq!(lines_of(&bench, "tags"), ["7 | a", "7 | b", "9 | a"]);
    assert_eq!(lines_of(&bench, "issues"), ["7 | Crash | ada | 1", "9 | Slow | bo | 0"]);
    assert_eq!(
        bench.tables()[0].notes,
        ["labels, tags are lists and tables of their own (issues_id names the row each belongs to)."]
    );
}

#[test]
fn lists_in_lists_belong_to_rows_by_number_where_those_have_no_id() {
    let content = r#"{"status": "ok", "page": {"orders": [
        {"day": "2024-03-01", "lines": [{"what": "pen", "n": 2}, {"what": "ink", "n": 1}]},
        {"day": "2024-03-02", "lines": [{"what": "pen", "n": 5}]}
    ]}}"#;
    assert_eq!(
        tables_of("a.json", content),
        [
            "a: row:Integer | status:Text",
            "orders (a_row is row of a): a_row:Integer | row:Integer | day:Date",
            "lines (orders_row is row of orders): orders_row:Integer | what:Text | n:Integer",
        ]
    );
    let bench = opened("a.json", content).unwrap();
    assert_eq!(lines_of(&bench, "lines"), ["1 | pen | 2", "1 | ink | 1", "2 | pen | 5"]);
    // An envelope that holds nothing else is no table.
    let envelope = content.replace("\"status\": \"ok\", ", "");
    assert_eq!(tables_of("a.json", &envelope)[0], "orders: row:Integer | day:Date");
}

#[test]
fn what_is_laid_out_in_several_ways_stays_json_text_and_names_are_kept_apart() {
    let content = r#"{"id": 1, "x": {"a": 1}, "y.b": 3, "y": {"b": 4}, "orders_id": 5, "z": [[1]]}
{"id": 1, "x": [2], "y.b": 3, "y": {"b": 4}, "orders_id": 5, "z": [[2]]}"#;
    assert_eq!(
        tables_of("orders.jsonl", content),
        ["orders: id:Integer | x:Text | y.b:Integer | y.b_:Integer | orders_id:Integer | z:Text"]
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), r#"[{"id": 1, "labels": [{"a_id": 3}]}]"#).unwrap();
    fs::write(folder.path().join("labels.csv"), "x\n1\n").unwrap();
    let bench = Workbench::open(&[folder.path().to_owned()]).unwrap();
    let names: Vec<&str> = bench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["a", "a_labels", "labels"]);
    let columns: Vec<&str> = bench.tables()[1].columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["a_id_", "a_id"]);
}

#[test]
fn texts_that_are_numbers_written_for_people_are_numbers_in_json_too() {
    let bench = opened("a.json", r#"[{"cost": "$1,200.50", "code": "12"}, {"cost": "$20", "code": "7"}]"#).unwrap();
    assert_eq!(lines_of(&bench, "a"), ["1200.50 | 12", "20.00 | 7"]);
    let note = "The numbers in cost are written for people: $1,200.50 on object 1 is read as 1200.5.";
    assert_eq!(bench.tables()[0].notes, [note]);
    assert_eq!(tables_of("a.json", r#"[{"code": "12"}, {"code": "7"}]"#), ["a: code:Text"]);
}

#[test]
fn rows_under_a_key_are_called_by_it_and_by_their_file_where_it_says_nothing_or_is_taken() {
    let orders = r#"{"made": "2024", "orders": [{"id": 1, "lines": [{"n": 1}]}, {"id": 2, "lines": []}]}"#;
    assert_eq!(
        tables_of("july.json", orders),
        ["orders: id:Integer", "lines (orders_id is id of orders): orders_id:Integer | n:Integer"]
    );
    assert_eq!(tables_of("orders.json", r#"{"orders": [{"id": 1}]}"#), ["orders: id:Integer"]);
    assert_eq!(tables_of("orders.json", r#"{"data": [{"id": 1}]}"#), ["orders: id:Integer"]);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("july.json"), orders).unwrap();
    fs::write(folder.path().join("june.json"), orders).unwrap();
    fs::write(folder.path().join("refunds.csv"), "x\n1\n").unwrap();
    fs::write(folder.path().join("may.json"), r#"{"refunds": [{"id": 1}]}"#).unwrap();
    let bench = Workbench::open(&[folder.path().to_owned()]).unwrap();
    let names: Vec<&str> = bench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["orders", "lines", "june_orders", "june_orders_lines", "may_refunds", "refunds"]);
    let notes: Vec<&String> = bench.tables().iter().flat_map(|table| &table.notes).collect();
    let said = |part: &str| notes.iter().any(|note| note.contains(part));
    assert!(said("is named june_orders.") && said("is named may_refunds."), "{notes:?}");
}

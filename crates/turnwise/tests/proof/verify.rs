//! Export and verification: the second person has the file and the data, and no conversation.

use std::path::Path;

use rusqlite::Connection;

use crate::{Desk, shared};

const ORDERS: &str = "order_id,order_date,country,total\n1,2024-01-05,Canada,10.5\n2,2024-02-06,Canada,20\n\
                      3,2024-02-07,Germany,7.25\n4,2024-03-08,France,1\n";

/// A desk at which the question was answered and its proof exported in all forms.
fn asked(question: &str) -> Desk {
    let desk = Desk::new();
    desk.data("orders.csv", ORDERS);
    desk.run(&["ask", "--data", "data", "--approve", "all", question], "").ended(0);
    for file in ["proof.json", "proof.html", "proof.md"] {
        desk.run(&["proof", "export", "--output", file], "").ended(0).says("turnwise verify");
    }
    desk
}

/// Somebody else's desk: the proof, the data as they have it, and nothing else.
fn second(first: &Desk, file: &str, orders: Option<&str>) -> Desk {
    let desk = Desk::new();
    std::fs::copy(first.path(file), desk.path(file)).unwrap();
    if let Some(orders) = orders {
        desk.data("orders.csv", orders);
    }
    desk
}

#[test]
fn a_second_person_verifies_each_form_with_the_data_alone() {
    let desk = asked("total sales by country");
    for file in ["proof.json", "proof.html", "proof.md"] {
        let other = second(&desk, file, Some(ORDERS));
        other.run(&["verify", file], "").ended(0).says("unchanged").says("not run again");
        other
            .run(&["verify", file, "--data", "data"], "")
            .ended(0)
            .says("found again, the same, by the queries and calculations shown")
            .says("Not checked, because no data can show it: how answers are worded");
        assert!(!other.path("state").exists(), "verifying keeps nothing");
    }
}

#[test]
fn a_source_that_changed_is_told_with_the_difference() {
    let desk = asked("total sales by country");
    let dearer = ORDERS.replace("7.25", "8.25");
    let other = second(&desk, "proof.html", Some(&dearer));
    other
        .run(&["verify", "proof.html", "--data", "data"], "")
        .ended(1)
        .says("changed")
        .says("Germany, sales: 7.25 → 8.25")
        .says("orders.csv changed since");
    let more = format!("{ORDERS}5,2024-03-09,Spain,3\n");
    let other = second(&desk, "proof.json", Some(&more));
    other.run(&["verify", "proof.json", "--data", "data"], "").ended(1).says("rows: 3 → 4").says("Spain: new (3)");
}

/// What is calculated from queries is calculated again, with the method it was found by.
#[test]
fn outliers_found_in_proof_mode_are_found_again_by_somebody_else() {
    let row = |at: usize| format!("{at},2024-01-05,Country {at},{}\n", if at == 9 { 400 } else { 20 + at % 4 });
    let orders: String =
        std::iter::once("order_id,order_date,country,total\n".to_owned()).chain((1..=12).map(row)).collect();
    let desk = Desk::new();
    desk.data("orders.csv", &orders);
    desk.chat(&["/proof", "which countries have unusual totals?", "y"]).ended(0).says("Country 9 (400)");
    for file in ["proof.json", "proof.html", "proof.md"] {
        desk.run(&["proof", "export", "--output", file], "").ended(0);
        let other = second(&desk, file, Some(&orders));
        other.run(&["verify", file, "--data", "data"], "").ended(0).says("found again, the same");
    }
    let usual = orders.replace(",400", ",21");
    let other = second(&desk, "proof.json", Some(&usual));
    other.run(&["verify", "proof.json", "--data", "data"], "").ended(1).says("changed");
}

#[test]
fn a_change_that_does_not_matter_is_told_and_is_none() {
    let desk = asked("total sales by country");
    let reordered = ORDERS.replace("4,2024-03-08", "4,2024-03-09");
    let other = second(&desk, "proof.json", Some(&reordered));
    other.run(&["verify", "proof.json", "--data", "data"], "").ended(0).says("same, although orders.csv changed since");
}

#[test]
fn a_source_under_another_name_is_told_by_its_content() {
    let desk = asked("total sales by country");
    for file in ["proof.json", "proof.html", "proof.md"] {
        let other = second(&desk, file, None);
        other.data("my copy of them.csv", ORDERS).data("beside.csv", "a,b\n1,2\n");
        other
            .run(&["verify", file, "--data", "data"], "")
            .ended(0)
            .says("orders.csv is here as my copy of them.csv: the same content.")
            .says("found again, the same");
    }
    // Other content is another file, whatever its name is like.
    let other = second(&desk, "proof.json", None);
    other.data("orders (1).csv", &ORDERS.replace("7.25", "7.26"));
    other
        .run(&["verify", "proof.json", "--data", "data"], "")
        .ended(1)
        .says("source missing: orders.csv; no file has its name or its content");
}

#[test]
fn a_database_under_another_name_is_told_by_its_content() {
    let (desk, first) = (Desk::new(), Desk::new());
    std::fs::create_dir_all(first.path("data")).unwrap();
    let connection = Connection::open(first.path("data/shop.sqlite")).unwrap();
    let tables = "CREATE TABLE countries(id INTEGER PRIMARY KEY, name TEXT);
                  CREATE TABLE sales(id INTEGER PRIMARY KEY, country_id INTEGER REFERENCES countries(id), amount REAL);
                  INSERT INTO countries VALUES (1, 'Canada'), (2, 'Peru');
                  INSERT INTO sales VALUES (1, 1, 10.5), (2, 1, 20), (3, 2, 7.25);";
    connection.execute_batch(tables).unwrap();
    drop(connection);
    first.run(&["ask", "--data", "data", "--approve", "all", "total amount by country"], "").ended(0).says("30.50");
    first.run(&["proof", "export", "--output", "proof.json"], "").ended(0);
    std::fs::create_dir_all(desk.path("data")).unwrap();
    std::fs::copy(first.path("proof.json"), desk.path("proof.json")).unwrap();
    std::fs::copy(first.path("data/shop.sqlite"), desk.path("data/theirs.db")).unwrap();
    desk.run(&["verify", "proof.json", "--data", "data"], "")
        .ended(0)
        .says("shop.sqlite is here as theirs.db")
        .says("found again, the same");
    // A column of another name is another database, and what it cannot answer is said.
    let connection = Connection::open(desk.path("data/theirs.db")).unwrap();
    connection.execute_batch("ALTER TABLE sales RENAME COLUMN amount TO total").unwrap();
    drop(connection);
    desk.run(&["verify", "proof.json", "--data", "data"], "").ended(1).says("source missing: shop.sqlite");
    std::fs::rename(desk.path("data/theirs.db"), desk.path("data/shop.sqlite")).unwrap();
    desk.run(&["verify", "proof.json", "--data", "data"], "").ended(1).says("cannot be run").says("amount");
}

#[test]
fn a_missing_source_is_named() {
    let desk = asked("total sales by country");
    let other = second(&desk, "proof.md", None);
    other.data("other.csv", "a,b\n1,2\n");
    other.run(&["verify", "proof.md", "--data", "data"], "").ended(1).says("source missing: orders.csv");
}

/// A dense sample through the binary; every byte is turned over in `proof::tests`.
#[test]
fn proof_export_edit_detected() {
    let desk = asked("how many orders are there?");
    for file in ["proof.json", "proof.html", "proof.md"] {
        let content = std::fs::read(desk.path(file)).unwrap();
        let places = (0..content.len()).step_by(content.len() / 8).chain([content.len() - 1]);
        for at in places {
            let mut edited = content.clone();
            edited[at] ^= 1;
            std::fs::write(desk.path("edited"), edited).unwrap();
            desk.run(&["verify", "edited"], "").ended(1).says("✗").never_says("unchanged");
        }
    }
}

#[test]
fn what_cannot_be_exported_or_verified_says_why() {
    let desk = Desk::new();
    desk.data("orders.csv", ORDERS);
    desk.run(&["proof", "export"], "").ended(2).says("no conversation is kept here");
    desk.run(&["proof", "export", "--db", "none.db"], "").ended(2).says("there is no database none.db");
    desk.run(&["ask", "--data", "data", "total sales by country"], "").ended(3);
    desk.run(&["proof", "export"], "").ended(2).says("nothing has been concluded");
    desk.run(&["ask", "--data", "data", "--approve", "all", "total sales by country"], "").ended(0);
    desk.run(&["proof", "export", "--fact", "nothing"], "").ended(2).says("no fact nothing").says("it knows");
    desk.run(&["proof", "export", "nobody"], "").ended(2).says("there is no conversation nobody");
    desk.run(&["verify", "none.json"], "").ended(2).says("cannot be read");
    desk.run(&["verify"], "").ended(2);
    desk.run(&["verify", "data/orders.csv"], "").ended(1).says("no proof");
    desk.run(&["proof", "export", "--output", "p.json"], "").ended(0);
    desk.run(&["verify", "p.json", "--data", "nowhere"], "").ended(2).says("nowhere");
}

#[test]
fn a_proof_names_sources_and_never_where_they_lie() {
    let desk = asked("total sales by country");
    for file in ["proof.json", "proof.html", "proof.md"] {
        let content = std::fs::read_to_string(desk.path(file)).unwrap();
        assert!(content.contains("orders.csv"));
        assert!(!content.contains(&*desk.folder.path().to_string_lossy()), "{file} tells a path of this machine");
    }
}

#[test]
fn a_fact_of_choice_or_all_of_them_can_be_proven() {
    let desk = asked("share of sales by country");
    let all = desk.run(&["proof", "export", "--all", "--format", "json"], "").ended(0);
    let proof: serde_json::Value = serde_json::from_str(&all.out).unwrap();
    let names: Vec<&str> = proof["head"]["conclusions"].as_array().unwrap().iter().filter_map(|n| n.as_str()).collect();
    assert!(names.len() > 1, "{names:?}");
    let one = desk.run(&["proof", "export", "--fact", names[0], "--format", "json"], "").ended(0);
    let proof: serde_json::Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(proof["head"]["conclusions"], serde_json::json!([names[0]]));
}

/// A database that is read in place, with joins and a calculation on top.
#[test]
fn chinook_is_proven_and_verified_and_a_changed_copy_is_found() {
    let Some(source) = shared("chinook/chinook.sqlite") else { return };
    let desk = Desk::new();
    let copy = |to: &Path| std::fs::copy(&source, to).unwrap();
    copy(&desk.path("chinook.sqlite"));
    desk.run(&["ask", "--data", "chinook.sqlite", "--approve", "all", "share of sales by country"], "").ended(0);
    desk.run(&["proof", "export", "--output", "share.html"], "").ended(0);

    let other = Desk::new();
    std::fs::copy(desk.path("share.html"), other.path("share.html")).unwrap();
    copy(&other.path("chinook.sqlite"));
    let check = || other.run(&["verify", "share.html", "--data", "chinook.sqlite"], "");
    check().ended(0).says("found again, the same").never_says(": changed");

    let database = Connection::open(other.path("chinook.sqlite")).unwrap();
    database.execute("UPDATE Invoice SET Total = Total + 1 WHERE BillingCountry = 'Norway'", []).unwrap();
    drop(database);
    check().ended(1).says("changed").says("Norway").says("chinook.sqlite changed since");
}

#[test]
fn the_sample_data_is_proven_and_verified() {
    let desk = Desk::new();
    desk.run(&["sample", "shop"], "").ended(0);
    desk.run(&["ask", "--data", "shop", "--approve", "all", "revenue by region"], "").ended(0);
    desk.run(&["proof", "export", "--output", "proof.json"], "").ended(0);
    desk.run(&["verify", "proof.json", "--data", "shop"], "").ended(0);
    // The same seed gives the same bytes everywhere, so the built-in copy must do as well.
    desk.run(&["verify", "proof.json", "--sample"], "").ended(0).never_says(": changed");
    desk.run(&["sample", "other", "--seed", "7"], "").ended(0);
    desk.run(&["verify", "proof.json", "--data", "other"], "").ended(1).says("changed");
}

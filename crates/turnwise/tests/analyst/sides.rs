//! Values of one column that stand apart are either of them or two sides, never two tests that no row passes; and a
//! number is not correlated with itself. Over plain files made here, so that the answers are plain to see.

use turnwise_core::Cell;

use crate::ask::{self, Asked};
use crate::made::{numbers, over_files, refused, rows};

/// Minutes by district: Harbour 2023: 10; 2024: 20, 30. Old Town 2023: 5; 2024: 7. Hill 2024: 100.
const OUTAGES: &str = "outage_id,started_on,district,cause,minutes\n1,2023-02-01,Harbour,storm,10\n\
    2,2024-03-02,Harbour,storm,20\n3,2024-04-05,Harbour,works,30\n4,2023-06-07,Old Town,works,5\n\
    5,2024-08-09,Old Town,storm,7\n6,2024-09-10,Hill,storm,100\n";
const MEMBERS: &str = "member_id,full_name,kind\n1,Ann Lee,adult\n2,Bob Ray,adult\n3,Cid Fox,child\n4,Dee Poe,senior\n";
const LOANS: &str = "loan_id,member_id,book,loaned_on\n1,1,Emma,2023-01-01\n2,1,Dune,2024-01-02\n3,2,Emma,2024-02-03\n\
    4,3,Heidi,2024-03-04\n5,4,Dune,2024-05-06\n6,2,Ulysses,2024-07-08\n";
const BILLS: &str = "bill_id,billed_on,site,kwh,price_per_kwh\n1,2024-01-31,Mill,100,0.30\n\
    2,2024-02-29,Mill,200,0.25\n3,2024-03-31,Mill,150,0.28\n4,2024-04-30,Quay,300,0.22\n5,2024-02-28,Quay,90,0.31\n\
    6,2024-03-30,Quay,95,0.30\n";
const ENERGY: &str = "reading_id,read_on,energy_kwh,price_per_kwh\n1,2024-01-31,100,0.30\n2,2024-02-29,200,0.25\n\
    3,2024-03-31,150,0.28\n4,2024-04-30,300,0.22\n";

const TARIFFS: &str = "tariff_id,tariff_name,price_per_kwh\n1,Night,0.20\n2,Day,0.30\n3,Peak,0.40\n";
const USES: &str = "use_id,tariff_id,used_on,kwh\n1,1,2024-01-01,90\n2,2,2024-01-02,50\n3,3,2024-01-03,12\n\
    4,1,2024-01-04,95\n5,2,2024-01-05,48\n";

#[test]
fn two_values_of_a_column_that_stand_apart_are_either_of_them() {
    let (_folder, analyst) = over_files(&[("outages", OUTAGES), ("members", MEMBERS), ("loans", LOANS)]);
    for (question, wanted) in [
        ("number of outages in Harbour and in Old Town", 5.0),
        ("number of outages in Harbour and Old Town", 5.0),
        ("total minutes in Harbour or in Old Town in 2024", 57.0),
        ("number of outages in Harbour and in Old Town and in Hill", 6.0),
        ("number of loans by adults and by seniors", 5.0),
        ("number of outages not in Harbour and not in Hill", 2.0),
    ] {
        assert_eq!(numbers(&analyst, question), [wanted], "{question}");
    }
}

#[test]
fn values_that_no_row_has_together_are_not_answered_by_nothing() {
    let (_folder, analyst) = over_files(&[("outages", OUTAGES)]);
    let said = refused(&analyst, "number of storm outages in Harbour with cause works");
    assert!(said.contains("no row has both"), "{said}");
    let said = refused(&analyst, "number of outages in Harbour in 2023 and in Old Town in 2024");
    assert!(said.contains("“Harbour or Old Town”"), "{said}");
}

#[test]
fn two_sides_are_compared_within_the_time_that_was_said() {
    let (_folder, analyst) = over_files(&[("outages", OUTAGES), ("members", MEMBERS), ("loans", LOANS)]);
    for (question, one, other) in [
        ("total minutes in Harbour in 2024 vs Old Town in 2024", 50.0, 7.0),
        ("total minutes in Harbour vs in Old Town in 2024", 50.0, 7.0),
        ("compare the number of outages in Harbour with the number of outages in Old Town", 3.0, 2.0),
        ("did adults have more loans than seniors in 2024?", 3.0, 1.0),
        ("did adults borrow more books than seniors in 2024?", 3.0, 1.0),
    ] {
        let found = numbers(&analyst, question);
        assert_eq!(found.get(..2), Some([one, other].as_slice()), "{question}: {found:?}");
    }
    let said = refused(&analyst, "total minutes in Harbour in 2023 vs Old Town in 2024");
    assert!(said.contains("differ in time"), "{said}");
}

#[test]
fn a_number_is_not_correlated_with_itself() {
    let (_folder, analyst) = over_files(&[("bills", BILLS)]);
    let found = numbers(&analyst, "correlation between price per kWh and kWh");
    assert!(found.iter().any(|number| (-1.0..-0.9).contains(number)), "{found:?}");
    let said = refused(&analyst, "correlation between price per kWh and price");
    assert!(said.contains("same column (bills.price_per_kwh)"), "{said}");
    let (_folder, analyst) = over_files(&[("readings", ENERGY)]);
    let question = "correlation between price per kWh and kWh";
    let asked = ask::run(&analyst, &ask::task(question));
    // The price itself cannot be meant, so that one reading is left, which is said.
    assert!(matches!(&asked, Asked::Answered { .. }), "{asked:?}");
    assert!(format!("{asked:?}").contains("“kWh” is read as “readings.energy_kwh”"), "{asked:?}");
    match ask::run(&analyst, &ask::answered(question, &[("kWh", "readings.price_per_kwh")])) {
        Asked::Refused { explanation } => assert!(explanation.contains("readings.energy_kwh"), "{explanation}"),
        other => panic!("{other:?}"),
    }
    let (_folder, analyst) = over_files(&[("tariffs", TARIFFS), ("uses", USES)]);
    match ask::run(&analyst, &ask::task(question)) {
        Asked::Answered { table, .. } => {
            let found: Vec<f64> = table.rows[0].iter().filter_map(Cell::as_number).collect();
            assert!(found.iter().any(|number| (-1.0..-0.9).contains(number)), "{found:?}");
        }
        other => assert!(matches!(&other, Asked::Refused { explanation } if explanation.contains("same")), "{other:?}"),
    }
}

#[test]
fn why_a_number_changed_may_be_the_first_question() {
    let (_folder, analyst) = over_files(&[("bills", BILLS), ("outages", OUTAGES)]);
    let found = rows(&analyst, "why did the total kWh drop in March 2024?");
    assert!(!found.is_empty(), "{found:?}");
    // How a number is gathered is asked, as ever; nothing is taken for a wish to remove data.
    match ask::run(&analyst, &ask::task("why did kWh drop in March 2024?")) {
        Asked::Unclear { topic, .. } => {
            let task = ask::answered("why did kWh drop in March 2024?", &[(topic.as_str(), "total")]);
            assert!(matches!(ask::run(&analyst, &task), Asked::Answered { .. }));
        }
        Asked::Answered { .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn outliers_by_a_number_are_the_rows_that_have_it() {
    let prices = [10, 12, 11, 13, 12, 11, 10, 90, 12, 11];
    let lines = prices.iter().enumerate().map(|(at, price)| format!("{at},Item {at},{price}\n"));
    let items = format!("item_id,item_name,price\n{}", lines.collect::<String>());
    let (_folder, analyst) = over_files(&[("items", &items)]);
    for question in ["which items are outliers by price", "outliers in price"] {
        let found = rows(&analyst, question);
        let named: Vec<bool> = found.iter().map(|row| row.contains(&Cell::Text("Item 7".to_owned()))).collect();
        assert_eq!(named, [true], "{question}: {found:?}");
    }
}

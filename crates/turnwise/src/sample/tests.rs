//! What the documentation and the first chat rely on.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::time::Duration;

use turnwise_core::Cell;

use super::{SEED, generate};
use turnwise_analyst::source::{ColumnKind, QueryLimits, Workbench};

fn sample() -> (tempfile::TempDir, Workbench) {
    let folder = tempfile::tempdir().unwrap();
    generate(folder.path(), SEED).unwrap();
    let workbench = Workbench::open(&[folder.path().to_owned()]).unwrap();
    (folder, workbench)
}

fn rows(workbench: &Workbench, sql: &str) -> Vec<Vec<Cell>> {
    let limits = QueryLimits { rows_max: 1_000, timeout: Duration::from_secs(60) };
    workbench.query(sql, &[], limits, || false).unwrap().rows
}

#[test]
fn every_run_writes_the_same_bytes_and_another_seed_writes_others() {
    let written = |seed| -> Vec<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let paths = generate(folder.path(), seed).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), paths.len(), "nothing is left beside the files");
        paths.iter().map(|path| fs::read(path).unwrap()).collect()
    };
    let first = written(SEED);
    assert!(first == written(SEED), "two runs differ");
    assert!(first[3] != written(SEED + 1)[3], "the seed changes nothing");
}

#[test]
fn the_tables_are_loaded_with_their_kinds() {
    let (_folder, workbench) = sample();
    let shown: Vec<String> = workbench
        .tables()
        .iter()
        .map(|table| {
            let columns: Vec<String> =
                table.columns.iter().map(|column| format!("{}:{:?}", column.name, column.kind)).collect();
            format!("{} {}", table.name, columns.join(" "))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "customers customer_id:Integer name:Text segment:Text city:Text country:Text customer_since:Date",
            "orders order_id:Integer order_date:Date customer_id:Integer product_id:Integer region_id:Integer \
         quantity:Integer unit_price:Real discount:Real revenue:Real channel:Text",
            "products product_id:Integer product:Text category:Text list_price:Real",
            "regions region_id:Integer region:Text manager:Text",
        ]
    );
    assert!(workbench.tables().iter().all(|table| table.notes.is_empty()), "a clean sample needs no notes");
    assert_eq!(workbench.tables()[1].columns[1].kind, ColumnKind::Date);
}

#[test]
fn it_is_about_five_thousand_orders_that_all_join() {
    let (_folder, workbench) = sample();
    let joined = rows(
        &workbench,
        "SELECT COUNT(*), MIN(order_date), MAX(order_date) >= '2025-12-28' FROM orders JOIN customers USING (customer_id) \
         JOIN products USING (product_id) JOIN regions USING (region_id)",
    );
    let [Cell::Integer(count), Cell::Text(first), Cell::Integer(1)] = joined[0].as_slice() else {
        panic!("{joined:?}")
    };
    assert!((4_500..=5_500).contains(count), "{count}");
    assert!(first.starts_with("2022-01-0"), "{first}");
    assert_eq!(rows(&workbench, "SELECT COUNT(*) FROM orders")[0][0], Cell::Integer(*count));
}

#[test]
fn revenue_is_what_quantity_price_and_discount_make() {
    let (_folder, workbench) = sample();
    let wrong = rows(
        &workbench,
        "SELECT * FROM orders WHERE ABS(quantity * unit_price * (1 - COALESCE(discount, 0)) - revenue) > 0.0051",
    );
    assert_eq!(wrong, Vec::<Vec<Cell>>::new());
}

#[test]
fn it_grows_has_a_season_and_lacks_a_few_values() {
    let (_folder, workbench) = sample();
    let shape = rows(
        &workbench,
        "WITH years AS (SELECT CAST(strftime('%Y', order_date) AS INTEGER) AS year, COUNT(*) AS n FROM orders GROUP BY year),
              months AS (SELECT strftime('%m', order_date) AS month, COUNT(*) AS n FROM orders GROUP BY month)
         SELECT (SELECT COUNT(*) FROM years AS a JOIN years AS b ON b.year = a.year + 1 AND b.n > a.n),
                (SELECT month FROM months ORDER BY n DESC LIMIT 1),
                (SELECT COUNT(*) BETWEEN 1 AND 200 FROM orders WHERE discount IS NULL),
                (SELECT COUNT(*) BETWEEN 1 AND 200 FROM orders WHERE channel IS NULL),
                (SELECT COUNT(*) BETWEEN 1 AND 30 FROM customers WHERE segment IS NULL)",
    );
    let yes = Cell::Integer(1);
    assert_eq!(shape, [[Cell::Integer(3), Cell::Text("12".to_owned()), yes.clone(), yes.clone(), yes]]);
}

#[test]
fn a_folder_that_cannot_be_made_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let error = generate(&file.join("sample"), SEED).unwrap_err().to_string();
    assert!(error.contains("name a folder that can be written"), "{error}");
}

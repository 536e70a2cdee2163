//! Follow-ups over the sample shop: each starts from the plan before it, says what it took from there, and holds the
//! numbers that SQL gives.

use turnwise_analyst::Analyst;
use turnwise_core::{AnswerOutcome, Cell, Mode, PlanDraft, QueryKind, Question, Table};

use crate::ask::{self, Asked};

fn shop() -> (tempfile::TempDir, Analyst) {
    let folder = tempfile::tempdir().unwrap();
    let paths = turnwise::sample::generate(folder.path(), turnwise::sample::SEED).unwrap();
    let analyst = Analyst::open(&paths).unwrap();
    (folder, analyst)
}

fn answered(asked: Asked) -> (PlanDraft, String, Table) {
    match asked {
        Asked::Answered { plan, answer, table } => (*plan, answer.text, table),
        other => panic!("no answer: {other:?}"),
    }
}

/// A question and its follow-ups, one after the other.
fn talk(analyst: &Analyst, texts: &[&str]) -> (PlanDraft, String, Table) {
    let (question, changes) = texts.split_first().unwrap();
    let mut last = answered(ask::run(analyst, &ask::task(question)));
    for change in changes {
        let problem = last.0.problem.clone();
        last = answered(ask::run(analyst, &ask::changed(&last.0, &problem, change)));
    }
    last
}

fn refused(analyst: &Analyst, question: &str, change: &str) -> String {
    let (plan, ..) = answered(ask::run(analyst, &ask::task(question)));
    match ask::run(analyst, &ask::changed(&plan, question, change)) {
        Asked::Refused { explanation } => explanation,
        other => panic!("“{change}” after “{question}” was answered: {other:?}"),
    }
}

fn number(cell: Option<&Cell>) -> f64 {
    cell.and_then(Cell::as_number).unwrap()
}

#[test]
fn several_in_a_row_keep_composing_and_say_what_they_build_on() {
    let (_folder, analyst) = shop();
    let (plan, _, table) = talk(&analyst, &["revenue by region", "only Europe", "and for 2024?", "and by month?"]);
    assert_eq!(plan.title, "revenue by region → only Europe → and for 2024? → and by month?");
    assert_eq!(table.rows.len(), 12, "{table:?}");
    let sql = format!("{:?}", plan.steps);
    assert!(sql.contains("Europe") && sql.contains("2024-01-01"), "{sql}");
}

#[test]
fn why_it_changed_is_told_by_parts_that_add_up() {
    let (_folder, analyst) = shop();
    let (plan, said, table) = talk(&analyst, &["monthly revenue in 2025", "why did it drop in July?"]);
    let whole = number(table.rows[0].get(4));
    assert!(whole < 0.0 && said.contains("fell") && said.contains("June 2025") && said.contains("July 2025"), "{said}");
    let mut by: Vec<String> = table.rows.iter().skip(1).map(|row| row[0].to_string()).collect();
    by.dedup();
    assert!(by.len() >= 2, "{table:?}");
    for dimension in by {
        let own = table.rows.iter().filter(|row| row[0] == Cell::Text(dimension.clone()));
        let sum: f64 = own.map(|row| number(row.get(4))).sum();
        assert!((sum - whole).abs() < 0.01, "{dimension}: {sum} of {whole}");
    }
    assert!(plan.assumptions.iter().any(|line| line.contains("no proof of a cause")), "{:?}", plan.assumptions);
}

#[test]
fn a_rise_is_not_explained_as_a_drop() {
    let (_folder, analyst) = shop();
    let (_, said, _) = talk(&analyst, &["monthly revenue in 2025", "why did it drop in November?"]);
    assert!(said.starts_with("It did not") && said.contains("rose"), "{said}");
}

#[test]
fn an_average_is_not_taken_apart() {
    let (_folder, analyst) = shop();
    let why = refused(&analyst, "average discount by region", "why did it drop in May 2025?");
    assert!(why.contains("no sum or count"), "{why}");
}

#[test]
fn the_last_year_is_set_beside_this_one() {
    let (_folder, analyst) = shop();
    let (plan, said, table) = talk(&analyst, &["revenue by region", "compare with last year"]);
    assert!(table.columns.contains(&"difference".to_owned()), "{table:?} {said} {:?}", plan.assumptions);
    let (_, _, table) = talk(&analyst, &["monthly revenue in 2025", "compare with last year"]);
    assert_eq!((table.rows.len(), table.columns[0].as_str()), (12, "month"), "{table:?}");
}

#[test]
fn percentages_and_the_first_few_are_of_the_last_result() {
    let (_folder, analyst) = shop();
    let (_, _, table) = talk(&analyst, &["revenue by category", "as percentages"]);
    let sum: f64 = table.rows.iter().map(|row| number(row.last())).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{table:?}");
    let (_, _, table) = talk(&analyst, &["revenue by customer", "show me only the top 5"]);
    assert_eq!(table.rows.len(), 5, "{table:?}");
}

#[test]
fn the_others_are_all_but_the_one_asked_about() {
    let (_folder, analyst) = shop();
    let (plan, _, table) = talk(&analyst, &["revenue in Europe", "and the others?"]);
    let all = talk(&analyst, &["total revenue"]).2;
    let europe = talk(&analyst, &["revenue in Europe"]).2;
    let others = number(table.rows[0].last());
    let expected = number(all.rows[0].last()) - number(europe.rows[0].last());
    assert!((others - expected).abs() < 0.01, "{others} {expected} {:?}", plan.assumptions);
    let asked = refused(&analyst, "revenue in Europe", "and the other one?");
    assert!(asked.contains("name one"), "{asked}");
}

#[test]
fn what_does_not_fit_the_last_result_is_said() {
    let (_folder, analyst) = shop();
    let said = refused(&analyst, "revenue by region", "what about them?");
    assert!(said.contains("stands for nothing here") || said.contains("Say what is wanted"), "{said}");
    let said = refused(&analyst, "revenue by region", "without returns");
    assert!(said.contains("returns"), "{said}");
}

#[test]
fn claims_are_answered_with_both_numbers() {
    let (_folder, analyst) = shop();
    for (claim, verdict) in [
        ("is revenue in 2024 higher than in 2023?", "Yes"),
        ("is revenue in 2023 higher than in 2024?", "No"),
        ("prove that revenue in Europe is higher than in Africa", "Yes"),
    ] {
        let (_, said, table) = talk(&analyst, &[claim]);
        assert!(said.starts_with(verdict), "{claim}: {said}");
        assert!(number(table.rows[0].first()) > 0.0 && number(table.rows[0].get(1)) > 0.0, "{table:?}");
    }
}

#[test]
fn what_the_data_holds_is_told_without_a_plan() {
    let (_folder, analyst) = shop();
    for (text, parts) in [
        ("what does unit_price mean?", vec!["orders.unit_price holds numbers", "Most frequent"]),
        ("what is in products?", vec!["products has", "list_price (numbers)"]),
        ("which tables are there?", vec!["regions (5 rows)"]),
        ("how many rows does orders have?", vec!["orders has 5049 rows."]),
        ("what does discount in orders stand for?", vec!["orders.discount holds numbers", "rows lack it"]),
    ] {
        let question = Question {
            text: text.to_owned(),
            kind: QueryKind::Plain,
            target: None,
            plan: None,
            facts: Vec::new(),
            heard: turnwise_core::Heard::default(),
        };
        let AnswerOutcome::Known { answer } = analyst.answer(&question) else { panic!("{text} is not answered") };
        for part in parts {
            assert!(answer.text.contains(part), "{text}: {}", answer.text);
        }
    }
}

#[test]
fn verbs_that_say_something_of_people_stop_the_plan() {
    let (_folder, analyst) = shop();
    for text in ["customers who left", "customers in Chile who left", "customers who left in 2024"] {
        let asked = ask::run(&analyst, &ask::task(text));
        assert!(matches!(&asked, Asked::Refused { explanation } if explanation.contains("left")), "{text}: {asked:?}");
    }
}

#[test]
fn words_and_values_from_people_never_become_sql() {
    let (_folder, analyst) = shop();
    for text in [
        "revenue in Europe'; DROP TABLE orders; --",
        "customers named \"x' OR '1'='1\"",
        "revenue by region UNION SELECT name FROM sqlite_master",
    ] {
        let task = turnwise_core::Task { mode: Mode::Exploratory, ..ask::task(text) };
        if let Asked::Answered { plan, .. } = ask::run(&analyst, &task) {
            let sql = format!("{:?}", plan.steps);
            assert!(
                !sql.contains("DROP") && !sql.contains("sqlite_master") && !sql.contains("OR '1'"),
                "{text}: {sql}"
            );
        }
    }
    assert_eq!(number(talk(&analyst, &["how many orders are there"]).2.rows[0].last()), 5049.0);
}

#[test]
fn the_same_for_another_value_and_the_year_before_the_one_asked_about() {
    let (_folder, analyst) = shop();
    let (_, _, same) = talk(&analyst, &["revenue in Europe by year", "the same for Asia Pacific"]);
    let (_, _, direct) = talk(&analyst, &["revenue in Asia Pacific by year"]);
    assert_eq!(same.rows, direct.rows);
    let (plan, _, before) = talk(&analyst, &["monthly revenue in 2024", "what about last year"]);
    let (_, _, direct) = talk(&analyst, &["monthly revenue in 2023"]);
    assert_eq!(before.rows, direct.rows, "{:?}", plan.assumptions);
    assert!(plan.assumptions.iter().any(|said| said.contains("is taken as 2023")), "{:?}", plan.assumptions);
}

#[test]
fn those_with_a_number_are_groups_and_not_rows_of_the_last_result() {
    let (_folder, analyst) = shop();
    let (_, _, all) = talk(&analyst, &["number of orders by region"]);
    let most = all.rows.iter().map(|row| number(row.last())).fold(0.0, f64::max);
    let over = format!("only those with more than {}", most - 1.0);
    let (_, _, few) = talk(&analyst, &["number of orders by region", &over]);
    assert_eq!(few.rows.len(), 1, "{few:?}");
    let (_, _, sorted) = talk(&analyst, &["number of orders by region", "sort it by orders"]);
    let numbers: Vec<f64> = sorted.rows.iter().map(|row| number(row.last())).collect();
    assert!(numbers.is_sorted() && sorted.columns.len() == all.columns.len(), "{sorted:?}");
}

#[test]
fn a_question_after_why_is_no_comparison_any_more() {
    let (_folder, analyst) = shop();
    let (_, said, table) =
        talk(&analyst, &["monthly revenue in 2024", "why did it change in May 2024?", "what about 2025"]);
    assert!(!said.contains("side by side") && table.columns.len() == 3, "{said} {table:?}");
}

#[test]
fn make_it_changes_the_question_and_loses_nothing_of_it() {
    let (_folder, analyst) = shop();
    for change in ["make it 2024 instead", "make it 2024", "change that to 2024"] {
        let (plan, _, table) = talk(&analyst, &["revenue by region in 2025", change]);
        let sql = format!("{:?}", plan.steps);
        assert!(sql.contains("SUM") && sql.contains("2024-01-01"), "{change}: {sql}");
        assert_eq!(table.columns.len(), 2, "{change}: {table:?}");
    }
}

#[test]
fn all_of_them_takes_the_tests_off_again() {
    let (_folder, analyst) = shop();
    let (_, _, all) = talk(&analyst, &["revenue by region"]);
    let (_, _, wide) = talk(&analyst, &["revenue by region", "only Europe", "all regions"]);
    assert_eq!(wide.rows, all.rows);
    let (_, _, years) = talk(&analyst, &["revenue by region", "only 2024", "for all years"]);
    assert_eq!(years.rows, all.rows);
}

#[test]
fn why_is_not_told_of_times_without_data() {
    let (_folder, analyst) = shop();
    let said = refused(&analyst, "revenue by month", "why did it drop in March 2040?");
    assert!(said.contains("no data for") && said.contains("ends on"), "{said}");
}

//! How every card looks, as text; and that no card, whatever its content, breaks a narrow window.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use turnwise_core::provenance::ProvenanceNode;
use turnwise_core::{
    Act, Answer, Card, Cell, Choice, Confidence, DecisionRef, EffectClass, Fact, FactId, FactName, FactValue,
    Neighbour, NewFact, PendingId, Plan, PlanCard, PlanChange, PlanDraft, PlanId, PlanKind, Presentation, Reading,
    Sequence, SourceKind, SourceStamp, Step, StepId, StepLine, StepState, Table, Tier, Timestamp, ToolName,
};

use super::{Line, Look, Paint, Plans, Tone, card, paint, said};

fn check(shown: &Card, width: usize, expected: &str) {
    let drawn: Vec<String> = card(shown, Look { width, rows_max: 5, plans: Plans::Whole })
        .iter()
        .map(|line| paint(line, Paint::Plain))
        .collect();
    let drawn = drawn.join("\n");
    assert_eq!(drawn, expected.trim_matches('\n'), "\ndrawn:\n{drawn}\n");
}

fn reference() -> DecisionRef {
    DecisionRef { pending: PendingId::new(1), ui_version: 1 }
}

fn step(number: u32, description: &str, after: &[u32]) -> Step {
    let sql = format!("SELECT {number}\n  FROM orders");
    Step {
        id: StepId::new(number),
        description: description.to_owned(),
        tool: ToolName::new("query"),
        arguments: [("sql", sql.as_str()), ("parameters", "[]"), ("tables", "[\"orders\"]")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        needs: after.iter().map(|step| FactName::new(format!("fact_{step}"))).collect(),
        produces: vec![FactName::new(format!("fact_{number}"))],
        after: after.iter().copied().map(StepId::new).collect(),
        effect: EffectClass::Pure,
        retries: u32::from(number == 1),
        timeout_seconds: 60,
    }
}

fn plan(version: u32) -> Arc<Plan> {
    let draft = PlanDraft {
        title: "Revenue by region".to_owned(),
        assumptions: vec!["Revenue is `total` of orders.".to_owned()],
        presentation: Presentation::Bars,
        ..PlanDraft::new(
            "revenue by region",
            vec![
                step(1, "Read the orders", &[]),
                step(2, "Read the regions", &[]),
                step(3, "Sum revenue by region", &[1, 2]),
            ],
            FactName::new("fact_3"),
        )
    };
    Arc::new(Plan::check(PlanId::new(1), version, draft, &BTreeSet::new()).unwrap())
}

fn fact(value: FactValue) -> Arc<Fact> {
    let body = NewFact {
        query: Some("SELECT 1".to_owned()),
        ..NewFact::new(FactName::new("revenue_by_region"), value, SourceKind::Data)
    };
    Arc::new(Fact {
        id: FactId::new(1),
        body,
        plan: PlanId::new(1),
        resolved_at: Timestamp::from_millis(0),
        recorded: Sequence::new(9),
        said_in: None,
        approved: None,
    })
}

fn text(value: &str) -> Cell {
    Cell::Text(value.to_owned())
}

fn result(presentation: Presentation, columns: &[&str], rows: Vec<Vec<Cell>>) -> Card {
    let mut table = Table::whole(columns.iter().map(|&name| name.to_owned()).collect(), rows);
    table.total_rows += 2;
    Card::Result {
        answer: Answer { text: "Revenue was highest in Europe.".to_owned(), table: None, presentation },
        fact: Some(fact(FactValue::Table(table))),
        provenance: None,
    }
}

fn regions() -> Vec<Vec<Cell>> {
    vec![
        vec![text("Europe"), Cell::Real(1_234_567.5), Cell::Integer(12)],
        vec![text("Asia"), Cell::Real(987.0), Cell::Null],
        vec![text("The rest of the world"), Cell::Real(500_000.25), Cell::Integer(3)],
    ]
}

#[test]
fn a_plan_shows_steps_order_queries_and_assumptions() {
    let shown = PlanCard { plan: plan(1), reference: Some(reference()), changes: Vec::new(), reused: Vec::new() };
    check(
        &Card::Plan(shown),
        70,
        r#"
Plan: "Revenue by region" (3 steps)
  1 Read the orders  [query · retried once]
    sql: SELECT 1 FROM orders
  2 Read the regions  [query]
    sql: SELECT 2 FROM orders
  3 Sum revenue by region  [query · after 1, 2]
    sql: SELECT 3 FROM orders
  Assumes: Revenue is `total` of orders.
Run it? y = yes, n = no, /edit, or say what should be different.
"#,
    );
}

fn in_short(shown: &PlanCard, width: usize) -> String {
    let look = Look { width, rows_max: 5, plans: Plans::InShort };
    let lines: Vec<String> = card(&Card::Plan(shown.clone()), look).iter().map(Line::plain).collect();
    lines.join("\n")
}

#[test]
fn a_plan_that_only_reads_is_a_line_with_what_it_takes_for_granted_and_what_changed() {
    let first = PlanCard { plan: plan(1), reference: Some(reference()), changes: Vec::new(), reused: Vec::new() };
    assert_eq!(
        in_short(&first, 200),
        "Plan: Read the orders → Read the regions → Sum revenue by region · only reads orders\n  \
         Assumes: Revenue is `total` of orders.\n\
         Run it? y = yes, n = no, a = always when a plan only reads, or say what should be different. Ctrl+O shows its \
         queries."
    );
    let changes = vec![PlanChange::Removed { description: "Read the stores".to_owned() }];
    let second = in_short(&PlanCard { plan: plan(2), reference: None, changes, reused: Vec::new() }, 80);
    assert_eq!(
        second,
        "Plan: \"Revenue by region\" (3 steps, version 2)\n  \
         Read the orders → Read the regions → Sum revenue by region · only reads orders\n  \
         Assumes: Revenue is `total` of orders.\nChanges, version 1 → 2:\n  - Read the stores"
    );
}

#[test]
fn a_plan_with_an_effect_is_never_shown_in_short() {
    let mut draft = plan(1).draft().clone();
    draft.steps[2].effect = EffectClass::Idempotent;
    let plan = Arc::new(Plan::check(PlanId::new(1), 1, draft, &BTreeSet::new()).unwrap());
    let shown = PlanCard { plan, reference: Some(reference()), changes: Vec::new(), reused: Vec::new() };
    let drawn = in_short(&shown, 80);
    assert!(drawn.contains("(3 steps)") && drawn.contains("sql: SELECT 3"), "{drawn}");
}

#[test]
fn a_second_version_shows_what_changed_and_what_is_reused() {
    let changes = vec![
        PlanChange::Kept { description: "Read the orders".to_owned() },
        PlanChange::Added { description: "Sum revenue by region, only Q4".to_owned() },
        PlanChange::Removed { description: "Sum revenue by region".to_owned() },
    ];
    let shown = PlanCard { plan: plan(2), reference: None, changes, reused: vec![StepId::new(1)] };
    check(
        &Card::Plan(shown),
        34,
        r#"
Plan: "Revenue by region" (3
steps, version 2)
  1 Read the orders  [query ·
    retried once · already
    resolved, reused]
    sql: SELECT 1 FROM orders
  2 Read the regions  [query]
    sql: SELECT 2 FROM orders
  3 Sum revenue by region  [query
    · after 1, 2]
    sql: SELECT 3 FROM orders
  Assumes: Revenue is `total` of
           orders.
Changes, version 1 → 2:
  = Read the orders
  + Sum revenue by region, only Q4
  - Sum revenue by region
"#,
    );
}

#[test]
fn a_table_aligns_numbers_right_and_counts_the_rest() {
    check(
        &result(Presentation::Table, &["region", "revenue", "orders"], regions()),
        60,
        "
Revenue was highest in Europe.
region                      revenue  orders
─────────────────────  ────────────  ──────
Europe                 1,234,567.50      12
Asia                         987.00       –
The rest of the world    500,000.25       3
… 2 more rows
",
    );
}

/// Measured again for each letter it is too wide by, it would take minutes.
#[test]
fn a_value_of_a_million_letters_is_cut_at_once_and_said_to_be() {
    let long = vec![vec![text(&"x".repeat(1_000_000)), Cell::Integer(1)], vec![text("b"), Cell::Integer(2)]];
    let shown = result(Presentation::Table, &["name", "total"], long);
    let begun = std::time::Instant::now();
    let lines = said("", Some(&shown), Look { width: 40, rows_max: 30, plans: Plans::Whole });
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
    let told: Vec<String> = lines.iter().map(|line| paint(line, Paint::Plain)).collect();
    let told = told.join(" ");
    assert!(told.contains("x…") && told.contains("… 2 more rows, the rest of 1 long value"), "{told}");
    assert!(told.len() < 1_000, "{told}");
}

#[test]
fn a_narrow_table_cuts_text_before_numbers_and_then_leaves_out_columns() {
    check(
        &result(Presentation::Table, &["region", "revenue", "orders"], regions()),
        30,
        "
Revenue was highest in Europe.
region         revenue  orders
────────  ────────────  ──────
Europe    1,234,567.50      12
Asia            987.00       –
The res…    500,000.25       3
… 2 more rows
",
    );
    check(
        &result(Presentation::Table, &["region", "revenue", "orders"], regions()),
        20,
        "
Revenue was highest
in Europe.
region       revenue
──────  ────────────
Europe  1,234,567.50
Asia          987.00
The r…    500,000.25
… 2 more rows, 1
more column (the
window is too
narrow)
",
    );
}

#[test]
fn bars_compare_and_keep_the_values() {
    let rows = vec![
        vec![text("Europe"), Cell::Integer(80)],
        vec![text("Asia"), Cell::Integer(41)],
        vec![text("Africa"), Cell::Integer(-10)],
        vec![text("Mars"), Cell::Integer(0)],
        vec![text("Moon"), Cell::Null],
    ];
    check(
        &result(Presentation::Bars, &["region", "orders"], rows),
        31,
        "
Revenue was highest in Europe.
orders by region
Europe ████████████████████ 80
Asia   ██████████▎ 41
Africa ██▌ -10
Mars   0
Moon   –
… 2 more rows
",
    );
}

#[test]
fn several_series_are_not_drawn_as_one_line() {
    let row = |month: &str, channel: &str, sales: f64| {
        vec![Cell::Text(month.into()), Cell::Text(channel.into()), Cell::Real(sales)]
    };
    let rows =
        vec![row("01", "Online", 5.0), row("01", "Store", 9.0), row("02", "Online", 6.0), row("02", "Store", 8.0)];
    let shown = result(Presentation::Line, &["month", "channel", "sales"], rows);
    let drawn: Vec<String> = card(&shown, Look::pipe()).iter().map(|line| paint(line, Paint::Plain)).collect();
    assert!(!drawn.iter().any(|line| line.contains('┤')), "{drawn:?}");
    assert!(drawn.iter().any(|line| line.contains("Store")), "{drawn:?}");
}

#[test]
fn numbers_that_say_when_are_labels_and_not_what_is_drawn() {
    let row = |quarter: i64, sales: f64| vec![Cell::Text("2024".into()), Cell::Integer(quarter), Cell::Real(sales)];
    let rows = vec![row(1, 110.5), row(2, 60.0), row(3, 20.25)];
    let shown = result(Presentation::Bars, &["year", "quarter", "sales"], rows);
    let lines = card(&shown, Look { width: 40, rows_max: 5, plans: Plans::Whole });
    let drawn: Vec<String> = lines.iter().map(|line| paint(line, Paint::Plain)).collect();
    assert!(drawn.contains(&"sales by year quarter".to_owned()), "{drawn:?}");
    assert!(drawn.iter().any(|line| line.starts_with("2024 3 ") && line.ends_with("20.25")), "{drawn:?}");
}

#[test]
fn a_line_shows_the_course_and_its_range() {
    let rows = (0..6).map(|month| vec![text(&format!("2024-0{}", month + 1)), Cell::Integer(month * month)]).collect();
    let shown = result(Presentation::Line, &["month", "orders"], rows);
    let lines = card(&shown, Look { width: 40, rows_max: 2, plans: Plans::Whole });
    let drawn: Vec<String> = lines.iter().map(|line| paint(line, Paint::Plain)).collect();
    assert_eq!(
        drawn.join("\n"),
        "
Revenue was highest in Europe.
orders over month (the first 6 of 8 row…
25 ┤                                  ╭─
   │                               ╭──╯
   │                             ╭─╯
   │                         ╭───╯
   │                     ╭───╯
   │                ╭────╯
   │         ╭──────╯
 0 ┤─────────╯
    2024-01                      2024-06
month    orders
───────  ──────
2024-01       0
2024-02       1
… 6 more rows
"
        .trim_matches('\n'),
        "\n{}\n",
        drawn.join("\n")
    );
}

#[test]
fn a_question_numbers_its_choices() {
    let choice = |label: &str| Choice::new(label.to_lowercase(), label.to_owned());
    let shown = Card::Question {
        reference: reference(),
        choices: vec![choice("Total of the order"), choice("Quantity of units sold in the order")],
    };
    check(
        &shown,
        24,
        "
  1 Total of the order
  2 Quantity of units
    sold in the order
",
    );
}

#[test]
fn steps_show_what_was_done_and_what_was_not() {
    let line = |number, state| StepLine { step: StepId::new(number), description: "Count".to_owned(), state };
    let steps = vec![
        line(1, StepState::Done),
        line(2, StepState::Reused),
        line(3, StepState::Failed),
        line(4, StepState::Cancelled),
        line(5, StepState::Running { attempt: 1 }),
    ];
    check(
        &Card::Steps { steps, ways: Vec::new() },
        60,
        "
  ✓ 1 Count
  ✓ 2 Count (reused)
  ✗ 3 Count
  ○ 4 Count (cancelled)
  ▸ 5 Count
",
    );
}

#[test]
fn a_failure_says_what_happened_and_offers_the_ways_on() {
    let choice = |label: &str| Choice::new(label.to_owned(), label.to_owned());
    let shown = Card::Failure {
        reference: reference(),
        step: StepId::new(3),
        description: "Sum revenue".to_owned(),
        error: "no such column: \u{1b}[31mtotal".to_owned(),
        choices: vec![choice("Try again"), choice("Change the plan"), choice("Start over")],
    };
    check(
        &shown,
        60,
        "
✗ step 3 Sum revenue
  no such column: ␛[31mtotal
  1 Try again
  2 Change the plan
  3 Start over
",
    );
}

#[test]
fn facts_are_listed_with_their_source() {
    let facts = vec![fact(FactValue::Text("42".to_owned()))];
    check(&Card::Facts { facts }, 70, "\n  • revenue_by_region = 42 (data query, confidence 1.00)\n");
}

fn tree() -> ProvenanceNode {
    let leaf = |name: &str, query: &str| ProvenanceNode {
        name: FactName::new(name),
        summary: Some("3 rows × 2 columns (data query)".to_owned()),
        query: Some(query.to_owned()),
        stamps: vec![SourceStamp { name: "orders.csv".to_owned(), fingerprint: "sha256:ab12".to_owned() }],
        assumptions: Vec::new(),
        inputs: Vec::new(),
    };
    ProvenanceNode {
        name: FactName::new("growth"),
        summary: Some("0.25 (derived)".to_owned()),
        query: Some("q4 / q3 - 1".to_owned()),
        stamps: Vec::new(),
        assumptions: vec!["quarters are calendar quarters".to_owned()],
        inputs: vec![leaf("q3", "SELECT 3\nFROM orders"), leaf("q4", "SELECT 4")],
    }
}

#[test]
fn a_proof_is_a_tree_down_to_queries_and_sources() {
    check(
        &Card::Provenance { tree: tree() },
        60,
        "
growth = 0.25 (derived)
│  q4 / q3 - 1
│  assumes quarters are calendar quarters
├─ q3 = 3 rows × 2 columns (data query)
│     SELECT 3
│     FROM orders
│     source orders.csv (sha256:ab12)
└─ q4 = 3 rows × 2 columns (data query)
      SELECT 4
      source orders.csv (sha256:ab12)
",
    );
}

#[test]
fn help_is_two_columns_and_one_where_there_is_no_room() {
    let lines = vec![
        ("/proof".to_owned(), "switch to proof mode".to_owned()),
        ("top 5 customers by revenue".to_owned(), String::new()),
    ];
    check(
        &Card::Help { lines: lines.clone() },
        60,
        "
  /proof                      switch to proof mode
  top 5 customers by revenue
",
    );
    check(
        &Card::Help { lines },
        20,
        "
  /proof
  switch to proof
  mode
  top 5 customers by
  revenue
",
    );
}

#[test]
fn why_tells_label_scores_and_neighbours() {
    let reading = Reading {
        segment: "compare q3 and q4".to_owned(),
        intent: "plan_new".to_owned(),
        sub: Some("compare".to_owned()),
        target: None,
        act: Act::PlanNew(PlanKind::Compare),
        confidence: Confidence::new(0.91),
        sub_confidence: Some(Confidence::new(0.72)),
        margin: 0.5,
        tier: Tier::Exemplar,
        nearest: vec![Neighbour {
            text: "compare east and west".to_owned(),
            label: "plan_new.compare".to_owned(),
            score: 0.83,
        }],
        reason: "matched primary=plan_new at 0.91".to_owned(),
    };
    check(
        &Card::Why { readings: vec![reading] },
        70,
        r#"
  "compare q3 and q4" → plan_new.compare
    confidence 0.91, sub 0.72, margin 0.50, decided by exemplars
    matched primary=plan_new at 0.91
    ≈ 0.83 plan_new.compare "compare east and west"
"#,
    );
}

#[test]
fn words_that_a_result_repeats_are_said_once() {
    let shown = result(Presentation::Table, &["region", "revenue", "orders"], regions());
    let look = Look { width: 60, rows_max: 5, plans: Plans::Whole };
    assert_eq!(said("Revenue was highest in Europe.", Some(&shown), look), card(&shown, look));
    assert_eq!(said("Done.", Some(&shown), look).len(), card(&shown, look).len() + 1);
}

#[test]
fn colours_wrap_text_and_can_be_left_out() {
    let line = Line::of("[PROOF]", Tone::Warn).with(" idle", Tone::Plain);
    assert_eq!(paint(&line, Paint::Colour), "\u{1b}[1;33m[PROOF]\u{1b}[0m idle");
    assert_eq!(paint(&line, Paint::Plain), "[PROOF] idle");
}

fn any_cell() -> impl Strategy<Value = Cell> {
    prop_oneof![
        Just(Cell::Null),
        any::<i64>().prop_map(Cell::Integer),
        any::<f64>().prop_map(Cell::real),
        any::<String>().prop_map(Cell::Text),
        "[売上a-c \u{1b}\u{301}👩‍🚀]{0,12}".prop_map(Cell::Text),
    ]
}

fn any_result() -> impl Strategy<Value = Card> {
    let presentation = prop_oneof![
        Just(Presentation::Value),
        Just(Presentation::Table),
        Just(Presentation::Bars),
        Just(Presentation::Line)
    ];
    (0_usize..6, 0_usize..8).prop_flat_map(move |(columns, rows)| {
        let names = prop::collection::vec(any::<String>(), columns);
        let cells = prop::collection::vec(prop::collection::vec(any_cell(), columns), rows);
        (presentation.clone(), names, cells, any::<u64>(), any::<String>()).prop_map(
            |(presentation, columns, rows, total_rows, text)| Card::Result {
                answer: Answer { text, table: None, presentation },
                fact: Some(fact(FactValue::Table(Table { columns, rows, total_rows }))),
                provenance: Some(tree()),
            },
        )
    })
}

fn any_card() -> impl Strategy<Value = Card> {
    let choices = prop::collection::vec(any::<String>(), 0..4)
        .prop_map(|labels| labels.into_iter().map(|label| Choice::new(String::new(), label)).collect::<Vec<Choice>>());
    prop_oneof![
        6 => any_result(),
        1 => (any::<String>(), any::<String>(), choices).prop_map(|(description, error, choices)| Card::Failure {
            reference: reference(), step: StepId::new(7), description, error, choices,
        }),
        1 => prop::collection::vec((any::<String>(), any::<String>()), 0..4).prop_map(|lines| Card::Help { lines }),
        1 => Just(Card::Plan(PlanCard {
            plan: plan(2), reference: Some(reference()), changes: Vec::new(), reused: Vec::new(),
        })),
    ]
}

proptest! {
    #[test]
    fn no_card_breaks_a_window_or_reaches_the_terminal_as_a_command(shown in any_card(), width in 1_usize..130) {
        for line in card(&shown, Look { width, rows_max: 4, plans: Plans::Whole }) {
            let plain = line.plain();
            prop_assert!(!plain.contains(char::is_control), "{plain:?}");
            // Below 20 columns only the absence of panics is promised: one wide cluster may stick out.
            prop_assert!(width < 20 || line.width() <= width, "{} > {width}: {plain:?}", line.width());
        }
    }
}

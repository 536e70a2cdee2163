//! Amounts that a question says are in its answer: a bound, how much, what is measured. Each through `turnwise ask`,
//! with the numbers computed in SQL here; an answer without one of them would be to another question, and is refused
//! by name. Next: `read_right`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

fn bees() -> Desk {
    Desk::of(
        "CREATE TABLE hive (id INTEGER PRIMARY KEY, code TEXT, is_active INTEGER);
         CREATE TABLE harvest (id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hive (id), honey_type TEXT,
                               weight_kg REAL, taken_on TEXT);
         CREATE TABLE sickness (id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hive (id), serious INTEGER);
         CREATE TABLE payment (id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hive (id), amount REAL, paid_on TEXT);
         INSERT INTO hive VALUES (1, 'H-1', 1), (2, 'H-2', 1), (3, 'H-3', 0), (4, 'H-4', 1);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
         INSERT INTO harvest SELECT i, CASE WHEN i = 200 THEN 3 ELSE 1 + i % 2 END,
             CASE i % 3 WHEN 0 THEN 'linden' WHEN 1 THEN 'forest' ELSE 'acacia' END, 3.0 + i * 0.13,
             '2024-0' || (1 + i % 9) || '-11' FROM n;
         INSERT INTO sickness VALUES (1, 1, 1), (2, 2, 0), (3, 3, 1);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
         INSERT INTO payment SELECT i, 1 + i % 3, 10.5 + i, CASE WHEN i < 40 THEN '2024' ELSE '2025' END || '-03-0' || (1 + i % 9)
         FROM n;",
    )
}

#[test]
fn a_bound_that_was_said_is_held() {
    let desk = bees();
    let once = "SELECT code FROM hive WHERE (SELECT COUNT(*) FROM harvest WHERE hive_id = hive.id) = 1";
    desk.check("codes of hives with exactly 1 harvest", once);
    desk.refused("hives with only one harvest", "“only one” could not be put to use here");
}

#[test]
fn how_much_is_no_number_of_rows() {
    let desk = bees();
    desk.refused(
        "how much higher were payments in 2025 than in 2024",
        "“How much” asks for an amount, and payments would only be counted here: name the amount (“amount”)",
    );
    desk.check("how many payments in 2025", "SELECT COUNT(*) FROM payment WHERE paid_on LIKE '2025%'");
}

#[test]
fn what_is_measured_makes_no_groups() {
    let desk = bees();
    desk.refused("share of each honey type by weight", "is an amount, and each of its values would be a group");
    desk.check("total weight by honey type", "SELECT honey_type, SUM(weight_kg) FROM harvest GROUP BY 1 ORDER BY 1");
}

#[test]
fn what_never_happened_is_looked_for_among_all_it_could_have_happened_to() {
    let desk = bees();
    let never = "SELECT code FROM hive WHERE id NOT IN (SELECT hive_id FROM sickness WHERE serious = 1)";
    desk.check("codes of hives that never had a serious sickness", never);
}

#[test]
fn what_holds_now_is_named_where_it_is_not_told_apart() {
    let desk = bees();
    for word in ["now", "currently"] {
        let told =
            desk.check(&format!("how many hives are {word} active"), "SELECT COUNT(*) FROM hive WHERE is_active = 1");
        desk.assumes(&told, &format!("Not used: “{word}”"));
    }
}

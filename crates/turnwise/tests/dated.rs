//! Which date rows are dated by: the one they have, said on the plan with the others and with what it leaves out, and
//! changed by plain words, which hold from then on. Each through the program, with the numbers worked out by SQL here.
//! Next: `days`, `defined`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A practice: who was cancelled or did not come was never seen, and one came without an appointment.
const PRACTICE: &str = "
CREATE TABLE doctors (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO doctors VALUES (1, 'Ada Ash'), (2, 'Ben Birch'), (3, 'Cleo Cedar'), (4, 'Dov Dale');
CREATE TABLE appointments (id INTEGER PRIMARY KEY, doctor_id INTEGER REFERENCES doctors(id), status TEXT,
  booked_at TEXT, scheduled_at TEXT, seen_at TEXT);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
INSERT INTO appointments SELECT i + 1, 1 + i % 3,
  CASE WHEN i % 5 = 0 THEN 'cancelled' WHEN i % 7 = 0 THEN 'absent' ELSE 'done' END,
  datetime('2024-05-20 10:00', '+' || i || ' days'), datetime('2024-06-01 09:00', '+' || i || ' days'),
  CASE WHEN i % 5 = 0 OR i % 7 = 0 THEN NULL ELSE datetime('2024-06-01 09:20', '+' || (i + i % 11 / 10) || ' days') END
  FROM n;
UPDATE appointments SET scheduled_at = NULL WHERE id = 52;
INSERT INTO appointments SELECT 200, 4, 'cancelled', '2024-06-30 08:00', '2024-07-09 09:00', NULL;
";

fn practice() -> Desk {
    Desk::of(PRACTICE)
}

fn in_july(date: &str) -> String {
    format!("SELECT COUNT(*) FROM appointments WHERE {date} LIKE '2024-07%'")
}

/// The number that `sql` gives, as the program says it.
fn number(desk: &Desk, sql: &str) -> String {
    format!("Number of appointments: {}.", desk.rows(sql)[0][0])
}

#[test]
fn rows_are_dated_by_the_date_they_have_and_not_by_one_they_lack() {
    let desk = practice();
    let cancelled = format!("{} AND status = 'cancelled'", in_july("scheduled_at"));
    let told = desk.check("how many appointments were cancelled in July 2024", &cancelled);
    let empty = desk.rows(&cancelled)[0][0].to_string();
    desk.assumes(&told, "Dated by scheduled_at; the other dates are booked_at and seen_at");
    desk.assumes(&told, &format!("seen_at (empty for all {empty} rows)"));
    let told = desk.check("how many appointments in July 2024?", &in_july("scheduled_at"));
    let all = desk.rows(&in_july("scheduled_at"))[0][0].to_string();
    let unseen = desk.rows(&format!("{} AND seen_at IS NULL", in_july("scheduled_at")))[0][0].to_string();
    desk.assumes(&told, &format!("seen_at (empty for {unseen} of {all} rows)"));
    desk.assumes(&told, "1 of 121 rows has no scheduled_at and is left out.");
    let months = "SELECT strftime('%m', scheduled_at), COUNT(*) FROM appointments GROUP BY 1";
    let told = desk.check("number of appointments by month", months);
    desk.assumes(&told, "1 of 121 rows has no scheduled_at and is shown without a date.");
    desk.check(
        "number of cancelled appointments by month",
        "SELECT strftime('%m', scheduled_at), COUNT(*) FROM appointments WHERE status = 'cancelled' GROUP BY 1",
    );
    desk.check(
        "doctors without an appointment in August 2024",
        "SELECT name FROM doctors WHERE id NOT IN
           (SELECT doctor_id FROM appointments WHERE scheduled_at LIKE '2024-08%')",
    );
}

#[test]
fn the_date_that_the_words_name_is_taken_whatever_the_rows_have() {
    let desk = practice();
    let told = desk.check("how many appointments were seen in July 2024", &in_july("seen_at"));
    desk.assumes(&told, "Time is that of appointments.seen_at.");
    desk.check("how many appointments were booked in July 2024", &in_july("booked_at"));
}

/// Payments are those that were paid, however many are due; those that were not have no other day than that.
#[test]
fn a_date_called_as_its_rows_are_stays_and_says_what_it_leaves_out() {
    let desk = Desk::of(
        "CREATE TABLE payments (id INTEGER PRIMARY KEY, state TEXT, due_on TEXT, paid_at TEXT, amount REAL);
        INSERT INTO payments VALUES (1, 'settled', '2024-07-01', '2024-07-03', 10),
          (2, 'pending', '2024-07-02', NULL, 5), (3, 'settled', '2024-06-28', '2024-07-05', 7),
          (4, 'settled', '2024-06-20', '2024-06-21', 8), (5, 'pending', '2024-07-20', NULL, 9),
          (6, 'pending', '2024-08-01', NULL, 2);",
    );
    let told =
        desk.check("number of payments in July 2024", "SELECT COUNT(*) FROM payments WHERE paid_at LIKE '2024-07%'");
    desk.assumes(&told, "Dated by paid_at; due_on is the other date. 3 of 6 rows have no paid_at and are left out.");
    let told = desk.check(
        "number of pending payments in July 2024",
        "SELECT COUNT(*) FROM payments WHERE state = 'pending' AND due_on LIKE '2024-07%'",
    );
    desk.assumes(&told, "Dated by due_on; paid_at is the other date (empty for all 2 rows).");
}

/// Two dates that are as good by their names: one that rows lack is no choice, and two that all have are asked about.
#[test]
fn of_two_dates_alike_by_name_the_one_all_rows_have_is_taken_and_else_it_is_asked() {
    let rooms = |second: &str| {
        Desk::of(&format!(
            "CREATE TABLE sessions (id INTEGER PRIMARY KEY, room TEXT, reserved_at TEXT, entered_at TEXT);
            INSERT INTO sessions VALUES (1, 'Ash', '2024-07-01 09:00', '2024-07-01 09:05'),
              (2, 'Birch', '2024-07-02 10:00', {second}), (3, 'Ash', '2024-08-01 09:00', '2024-08-01 09:01');"
        ))
    };
    let desk = rooms("NULL");
    let told = desk.check("number of sessions in July 2024", "SELECT 2");
    desk.assumes(&told, "Dated by reserved_at; entered_at is the other date (empty for 1 of 2 rows).");
    let desk = rooms("'2024-07-02 10:09'");
    desk.refused("number of sessions in July 2024", "“date” can mean more than one thing here");
}

const CHANGES: [&str; 7] = [
    "use seen_at",
    "by time I mean seen_at",
    "wrong date column, it should be seen_at",
    "by seen date instead",
    "no, wrong date, use the date they were seen",
    "seen_at instead of scheduled_at",
    "seen_at, not scheduled_at",
];

#[test]
fn another_date_is_said_in_plain_words_while_the_plan_waits() {
    let desk = practice();
    let (seen, scheduled) = (number(&desk, &in_july("seen_at")), number(&desk, &in_july("scheduled_at")));
    assert_ne!(seen, scheduled, "the two dates give different numbers");
    for change in CHANGES {
        let told = desk.talk(&["how many appointments in July 2024?", change, "y", "/facts"]);
        assert!(told.contains(&seen) && !told.contains(&scheduled), "{change}: {told}");
        assert!(told.contains("Dated by seen_at, as you said"), "{change}: {told}");
        assert!(told.contains("time_of_appointments = seen_at (told by you"), "{change}: {told}");
    }
}

#[test]
fn another_date_is_said_in_plain_words_after_the_run() {
    let desk = practice();
    let (seen, scheduled) = (number(&desk, &in_july("seen_at")), number(&desk, &in_july("scheduled_at")));
    for change in CHANGES {
        let told = desk.talk(&["how many appointments in July 2024?", "y", change, "y", "/facts"]);
        let (before, after) = told.split_once(&scheduled).unwrap_or_else(|| panic!("{change}: {told}"));
        assert!(!before.contains(&seen) && after.contains(&seen), "{change}: {told}");
        assert!(after.contains("time_of_appointments = seen_at (told by you"), "{change}: {told}");
    }
}

#[test]
fn the_date_that_was_said_is_used_by_later_questions_until_it_is_forgotten() {
    let desk = practice();
    let (seen, scheduled) = (number(&desk, &in_july("seen_at")), number(&desk, &in_july("scheduled_at")));
    let told = desk.talk(&[
        "number of appointments in August 2024",
        "use seen_at",
        "y",
        "how many appointments in July 2024",
        "y",
    ]);
    assert!(told.contains("Dated by seen_at, as you said on message 2;") && told.contains(&seen), "{told}");
    // Said before anything was asked.
    let told = desk.talk(&["by time I mean seen_at", "how many appointments in July 2024", "y"]);
    assert!(told.contains("From now on: appointments are dated by seen_at."), "{told}");
    assert!(told.contains("Dated by seen_at, as you said on message 1;") && told.contains(&seen), "{told}");
    // What the words of a question name comes before it.
    let told = desk.talk(&["by time I mean seen_at", "how many appointments are scheduled in July 2024", "y"]);
    assert!(told.contains(&scheduled) && !told.contains("as you said"), "{told}");
    for forget in ["forget the time of appointments", "forget what time of appointments means"] {
        let told = desk.talk(&["by time I mean seen_at", forget, "how many appointments in July 2024", "y", "/facts"]);
        assert!(told.contains(&scheduled) && !told.contains("time_of_appointments ="), "{forget}: {told}");
    }
    // Said otherwise, the former date is not used again.
    let told = desk.talk(&[
        "how many appointments in July 2024",
        "use seen_at",
        "y",
        "use scheduled_at",
        "y",
        "appointments by month",
    ]);
    assert!(told.contains("Dated by scheduled_at, as you said on message 4;"), "{told}");
}

/// What asks for something else, or says more than a date, is read as before.
#[test]
fn a_message_that_says_more_than_a_date_changes_no_date() {
    let desk = practice();
    for other in ["use seen_at for Smith", "list seen_at", "by seen_at", "done instead"] {
        let told = desk.talk(&["how many appointments in July 2024?", other, "/facts"]);
        assert!(!told.contains("time_of_appointments") && !told.contains("as you said"), "{other}: {told}");
    }
    let told = desk.talk(&["how many appointments in July 2024?", "use seen_at for Smith"]);
    assert!(told.contains("“Smith” does not stand for anything in this data"), "{told}");
}

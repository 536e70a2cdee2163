//! Two dates, or two numbers, of one row set against each other: late or on time, below a limit, and how long things
//! take. Each through `turnwise ask` over small databases of a workshop that sends out lamps and of an inn, with the
//! answers in SQL here. Next: `read_right` for what a question means.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

const LAMPS: &str = "
CREATE TABLE makers (maker_id INTEGER PRIMARY KEY, maker_name TEXT, credit_limit REAL, balance REAL);
CREATE TABLE lamps (lamp_id INTEGER PRIMARY KEY, lamp_name TEXT, stock INTEGER, reorder_level INTEGER,
  maker_id INTEGER REFERENCES makers);
CREATE TABLE parcels (parcel_id INTEGER PRIMARY KEY, lamp_id INTEGER REFERENCES lamps, courier TEXT, ordered_on DATE,
  promised_on DATE, shipped_on DATE, weight_kg REAL);
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, parcel_id INTEGER REFERENCES parcels, issued_on DATE,
  due_on DATE,
  net REAL);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices, paid_on DATE,
  method TEXT,
  amount REAL);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, courier TEXT, opened_at DATETIME, closed_at DATETIME,
  subject TEXT);
INSERT INTO makers VALUES (1, 'Lumo', 500, 620), (2, 'Hask', 300, 120), (3, 'Orel', NULL, 90);
INSERT INTO lamps VALUES (1, 'Tall One', 4, 10, 1), (2, 'Clip', 30, 10, 1), (3, 'Globe', 5, 5, 2),
  (4, 'Spot', 0, 3, 3),
  (5, 'Reed', NULL, 4, 3);
INSERT INTO parcels VALUES
  (1, 1, 'Vola', '2024-03-01', '2024-03-05', '2024-03-04', 2.0),
  (2, 1, 'Vola', '2024-03-02', '2024-03-05', '2024-03-09', 3.0),
  (3, 2, 'Brisk', '2024-03-03', '2024-03-06', '2024-03-06', 1.0),
  (4, 3, 'Brisk', '2024-03-10', '2024-03-12', '2024-03-20', 4.0),
  (5, 3, 'Brisk', '2024-04-01', '2024-04-03', NULL, 2.5), (6, 4, 'Ox', '2024-04-02', NULL, '2024-04-04', 7.0),
  (7, 4, 'Ox', '2024-04-05', '2024-04-08', '2024-04-06', 7.5),
  (8, 2, 'Vola', '2024-04-06', '2024-04-08', '2024-04-11', 1.5);
INSERT INTO invoices VALUES (1, 1, '2024-03-05', '2024-03-19', 80), (2, 2, '2024-03-10', '2024-03-24', 40),
  (3, 3, '2024-03-07', '2024-03-21', 60), (4, 4, '2024-03-21', NULL, 25), (5, 7, '2024-04-07', '2024-04-21', 90);
INSERT INTO payments VALUES (1, 1, '2024-03-15', 'card', 80), (2, 2, '2024-03-30', 'transfer', 20),
  (3, 2, '2024-04-02', 'card', 20),
  (4, 3, '2024-03-21', 'card', 60), (5, 4, '2024-04-20', 'transfer', 25), (6, 5, NULL, 'transfer', 90);
INSERT INTO tickets VALUES (1, 'Vola', '2024-05-01 08:00:00', '2024-05-03 20:00:00', 'broken glass'),
  (2, 'Vola', '2024-05-02 09:00:00', '2024-05-14 09:00:00', 'lost parcel'),
  (3, 'Ox', '2024-05-03 10:00:00', NULL, 'wrong lamp'),
  (4, 'Ox', '2024-05-04 12:00:00', '2024-05-04 18:00:00', 'no bulb'),
  (5, 'Brisk', '2024-05-05 00:00:00', '2024-05-13 12:00:00', 'dent');
";

fn lamps() -> Desk {
    Desk::of(LAMPS)
}

#[test]
fn what_was_done_after_its_deadline_is_late() {
    let desk = lamps();
    let late = "SELECT COUNT(*) FROM parcels WHERE shipped_on > promised_on";
    let told = desk.check("How many parcels were shipped late?", late);
    desk.assumes(&told, "parcels.shipped_on after parcels.promised_on");
    desk.assumes(&told, "A row without parcels.shipped_on or parcels.promised_on is neither");
    desk.check("how many late parcels are there?", late);
    desk.check("number of parcels shipped on time", "SELECT COUNT(*) FROM parcels WHERE shipped_on <= promised_on");
    desk.check("late parcels", "SELECT parcel_id FROM parcels WHERE shipped_on > promised_on");
    desk.check("list the late shipments", "SELECT parcel_id FROM parcels WHERE shipped_on > promised_on");
    desk.check(
        "late parcels by courier",
        "SELECT courier, COUNT(*) FROM parcels WHERE shipped_on > promised_on GROUP BY courier",
    );
    let share = "SELECT courier, 100.0 * SUM(COALESCE(shipped_on > promised_on, 0)) / COUNT(*) FROM parcels GROUP BY 1";
    desk.check("percent of parcels that were late per courier", share);
    desk.check("percent of late parcels per courier", share);
}

#[test]
fn a_date_is_compared_with_another_of_its_row_or_of_what_the_row_belongs_to() {
    let desk = lamps();
    let after = "SELECT COUNT(*) FROM payments JOIN invoices USING (invoice_id) WHERE paid_on > due_on";
    let told = desk.check("How many payments arrived after the due date?", after);
    desk.assumes(&told, "payments.paid_on after invoices.due_on");
    desk.check("number of payments made after the due date", after);
    desk.check(
        "How many payments by card arrived before the due date?",
        "SELECT COUNT(*) FROM payments JOIN invoices USING (invoice_id) WHERE paid_on < due_on AND method = 'card'",
    );
    desk.check(
        "how many invoices were paid after the due date?",
        "SELECT COUNT(DISTINCT invoice_id) FROM payments JOIN invoices USING (invoice_id) WHERE paid_on > due_on",
    );
    desk.check(
        "parcels shipped before the promised date",
        "SELECT parcel_id FROM parcels WHERE shipped_on < promised_on",
    );
    desk.check(
        "parcels where the shipped date is after the promised date",
        "SELECT parcel_id FROM parcels WHERE shipped_on > promised_on",
    );
    desk.check(
        "How many parcels were shipped on or before the promised date?",
        "SELECT COUNT(*) FROM parcels WHERE shipped_on <= promised_on",
    );
    desk.refused("How many parcels were shipped after the baptism date?", "baptism");
    desk.check(
        "how many parcels went out late, i.e. after the promised date?",
        "SELECT COUNT(*) FROM parcels WHERE shipped_on > promised_on",
    );
}

#[test]
fn a_number_is_compared_with_another_of_its_row() {
    let desk = lamps();
    let below = "SELECT lamp_name FROM lamps WHERE stock < reorder_level";
    let told = desk.check("lamps with stock below the reorder level", below);
    desk.assumes(&told, "lamps.reorder_level above lamps.stock");
    desk.check("lamps below their reorder level", below);
    desk.check("Which lamps have less stock than their reorder level?", below);
    desk.check(
        "How many lamps have a stock of at most the reorder level?",
        "SELECT COUNT(*) FROM lamps WHERE stock <= reorder_level",
    );
    desk.check(
        "makers with a balance over their credit limit",
        "SELECT maker_name FROM makers WHERE balance > credit_limit",
    );
    desk.refused("parcels below their weight", "What of parcels is below their weight?");
    desk.refused("lamps with more feathers than their reorder level", "feathers");
}

const INN: &str = "
CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, room_type TEXT, rate REAL);
CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, room_id INTEGER REFERENCES rooms, booked_on DATE,
  check_in DATE,
  check_out DATE, guests INTEGER);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, account_name TEXT, signed_up_on DATE, churned_on DATE);
INSERT INTO rooms VALUES (1, 'single', 60), (2, 'double', 90), (3, 'suite', 200);
INSERT INTO bookings VALUES (1, 1, '2024-01-02', '2024-01-10', '2024-01-12', 1),
  (2, 2, '2024-01-05', '2024-02-01', '2024-02-08', 2),
  (3, 2, '2024-01-09', '2024-01-10', '2024-01-11', 2), (4, 3, '2024-02-01', '2024-02-11', NULL, 4),
  (5, 1, '2024-02-03', '2024-02-20', '2024-02-23', 1);
INSERT INTO accounts VALUES (1, 'Alba', '2020-01-01', '2022-01-01'), (2, 'Bora', '2021-03-01', NULL),
  (3, 'Cima', '2022-06-01', '2022-12-28');
";

#[test]
fn how_long_something_takes_is_told_from_two_dates() {
    let desk = lamps();
    let close = "SELECT AVG(julianday(closed_at) - julianday(opened_at)) FROM tickets";
    let told = desk.check("average time to close a ticket", close);
    desk.assumes(
        &told,
        "The days are counted from tickets.opened_at to tickets.closed_at; rows without one of the two are left out.",
    );
    desk.check("How long do tickets take to close on average?", close);
    let told = desk.check("how long do tickets take to close", close);
    desk.assumes(&told, "The average is taken");
    desk.check(
        "average hours to close a ticket",
        "SELECT 24 * AVG(julianday(closed_at) - julianday(opened_at)) FROM tickets",
    );
    desk.check(
        "average time to close a ticket in hours",
        "SELECT 24 * AVG(julianday(closed_at) - julianday(opened_at)) FROM tickets",
    );
    let ship = "SELECT AVG(julianday(shipped_on) - julianday(ordered_on)) FROM parcels";
    desk.check("how many days does shipping of parcels take on average", ship);
    desk.check("average number of days between ordering and shipping of parcels", ship);
    let each = "SELECT courier, AVG(julianday(shipped_on) - julianday(ordered_on)) FROM parcels GROUP BY courier";
    desk.check("average shipping time by courier", each);
    desk.check("how many days does it take to ship per courier?", each);
    let told = desk.check(
        "average number of days between invoice issue and payment",
        "SELECT AVG(julianday(paid_on) - julianday(issued_on)) FROM payments JOIN invoices USING (invoice_id)",
    );
    desk.assumes(&told, "from invoices.issued_on to payments.paid_on");
    desk.refused("how long do tickets take to baptise", "baptise");
    desk.refused("average time to ship parcels in hours", "hold no hours");
}

#[test]
fn rows_are_tested_and_ranked_by_how_long_they_took() {
    let desk = lamps();
    let over = "SELECT subject FROM tickets WHERE julianday(closed_at) - julianday(opened_at) > 7";
    desk.check("tickets that took longer than 7 days to close", over);
    desk.check(
        "How many tickets took more than 12 hours to close?",
        "SELECT COUNT(*) FROM tickets WHERE julianday(closed_at) - julianday(opened_at) > 0.5",
    );
    desk.check(
        "parcels shipped within 3 days of ordering",
        "SELECT parcel_id FROM parcels WHERE julianday(shipped_on) - julianday(ordered_on) <= 3",
    );
    desk.check(
        "which 2 tickets took the longest to close?",
        "SELECT subject FROM tickets ORDER BY julianday(closed_at) - julianday(opened_at) DESC LIMIT 2",
    );
    desk.check(
        "Which courier takes the longest to ship?",
        "SELECT courier FROM parcels GROUP BY 1 ORDER BY AVG(julianday(shipped_on) - julianday(ordered_on)) DESC LIMIT 1",
    );
    desk.check(
        "longest time to close a ticket",
        "SELECT MAX(julianday(closed_at) - julianday(opened_at)) FROM tickets",
    );
}

#[test]
fn a_stay_and_a_lifetime_are_times_from_a_beginning_to_an_end() {
    let desk = Desk::of(INN);
    let stay =
        "SELECT room_type, AVG(julianday(check_out) - julianday(check_in)) FROM bookings JOIN rooms USING (room_id)
      GROUP BY 1";
    desk.check("average stay of bookings by room type", stay);
    desk.check(
        "median days from booking to check-in by room type",
        "SELECT 'single', 12.5 UNION SELECT 'double', 14 UNION SELECT 'suite', 10",
    );
    desk.check("longest stay of all bookings", "SELECT 7");
    desk.check(
        "average lifetime in days of churned accounts",
        "SELECT AVG(julianday(churned_on) - julianday(signed_up_on)) FROM accounts WHERE churned_on IS NOT NULL",
    );
    desk.check(
        "average lifetime of accounts in years",
        "SELECT AVG((julianday(churned_on) - julianday(signed_up_on)) / 365.25) FROM accounts",
    );
}

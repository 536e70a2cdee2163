//! Questions as people type them over tables as people keep them: shortened names, words added to a name or said in its
//! stead, places by another name, ends of rows nobody asked about, and amounts nobody said how to gather. Each through
//! `turnwise ask`, with the rows computed in SQL here. Next: `conditions`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A repair shop for instruments, kept with shortened names.
const SHOP: &str = "
CREATE TABLE lkp_trade(trade_cd TEXT PRIMARY KEY, trade_nm TEXT);
CREATE TABLE tbl_luthier(luth_id INTEGER PRIMARY KEY, luth_nm TEXT, trade_cd TEXT REFERENCES lkp_trade, hired_on TEXT,
  phone TEXT, hourly_wage REAL, grade TEXT, birthyear INTEGER);
CREATE TABLE tbl_owner(owner_id INTEGER PRIMARY KEY, fname TEXT, lname TEXT, country TEXT, email TEXT, reg_dt TEXT,
  usual_luth_id INTEGER REFERENCES tbl_luthier);
CREATE TABLE tbl_appt(appt_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES tbl_owner, luth_id INTEGER REFERENCES
  tbl_luthier, appt_dt TEXT, peg_count INTEGER, amt REAL, status TEXT);
CREATE TABLE tbl_flaw(appt_id INTEGER REFERENCES tbl_appt, severity TEXT, note TEXT);
INSERT INTO lkp_trade VALUES ('V', 'Violins'), ('G', 'Guitars'), ('H', 'Harps');
INSERT INTO tbl_luthier VALUES
  (1, 'Orla Finch', 'V', '2014-03-01', '555-1', 31.5, 'master', 1961), (2, 'Pim Gaard', 'G', '2019-07-15', NULL, 24.0,
   'journeyman', 1988), (3, 'Quist Heron', 'V', '2019-11-02', '555-3', 33.0, 'journeyman', 1979),
  (4, 'Rhea Ibis', 'G', '2022-01-10', '555-4', 29.0, 'master', 1984);
INSERT INTO tbl_owner VALUES
  (1, 'Sil', 'Jura', 'NL', 'sil@mail.example', '2020-02-02', 1), (2, 'Tove', 'Koch', 'DE', NULL, '2021-05-05', 2),
  (3, 'Una', 'Lund', 'NL', 'una@post.example', '2021-09-09', 4), (4, 'Vito', 'Mari', 'IT', 'vm@mail.example',
   '2022-03-03', 1), (5, 'Wim', 'Nagy', 'HU', NULL, '2022-12-01', 2);
INSERT INTO tbl_appt VALUES
  (1, 1, 3, '2023-01-10', 4, 120.0, 'done'), (2, 1, 1, '2023-02-11', 4, 80.0, 'done'),
  (3, 2, 2, '2023-02-20', 6, 60.0, 'missed'), (4, 3, 4, '2023-03-05', 6, 310.0, 'done'),
  (5, 3, 2, '2023-03-09', 12, 95.0, 'done'), (6, 4, 1, '2023-03-30', 4, 45.0, 'missed'),
  (7, 2, 3, '2024-01-04', 4, 200.0, 'done');
INSERT INTO tbl_flaw VALUES (1, 'severe', 'crack'), (2, 'slight', 'scratch'), (4, 'severe', 'open seam'),
  (4, 'severe', 'worn frets'), (5, 'slight', 'buzz');
";

fn desk() -> Desk {
    Desk::of(SHOP)
}

#[test]
fn shortened_names_are_met_by_the_words_they_stand_for() {
    let desk = desk();
    let told = desk.check(
        "number of appointments per luthier",
        "SELECT luth_nm, COUNT(*) FROM tbl_appt JOIN tbl_luthier USING (luth_id) GROUP BY luth_id",
    );
    assert!(told["table"]["columns"].to_string().contains("\"luthier\""), "{}", told["table"]["columns"]);
    desk.check("luthier names by trade name Guitars", "SELECT luth_nm FROM tbl_luthier WHERE trade_cd = 'G'");
    desk.check("luthiers born before 1980", "SELECT luth_nm FROM tbl_luthier WHERE birthyear < 1980");
    desk.check(
        "how many pegs did each luthier have?",
        "SELECT luth_nm, SUM(peg_count) FROM tbl_appt JOIN tbl_luthier USING (luth_id) GROUP BY luth_id",
    );
}

#[test]
fn a_word_too_many_leaves_a_name_what_it_is() {
    let desk = desk();
    desk.check("phone number of Rhea Ibis", "SELECT phone FROM tbl_luthier WHERE luth_id = 4");
    desk.check("which luthiers have no phone number?", "SELECT luth_nm FROM tbl_luthier WHERE phone IS NULL");
    desk.check("email address of each owner", "SELECT email FROM tbl_owner");
    desk.check(
        "owners with a registration date in 2021, with country and registration date",
        "SELECT fname || ' ' || lname, country, reg_dt FROM tbl_owner WHERE reg_dt LIKE '2021%'",
    );
    desk.check(
        "owners without appointments, name and registration date",
        "SELECT fname || ' ' || lname, reg_dt FROM tbl_owner WHERE owner_id NOT IN (SELECT owner_id FROM tbl_appt)",
    );
    desk.check(
        "guitar luthiers and when they were hired",
        "SELECT luth_nm, hired_on FROM tbl_luthier WHERE trade_cd = 'G'",
    );
    desk.check("new hires per year", "SELECT substr(hired_on, 1, 4), COUNT(*) FROM tbl_luthier GROUP BY 1");
}

#[test]
fn places_are_found_by_any_of_their_names() {
    let desk = desk();
    let told = desk.check("Dutch owners", "SELECT fname || ' ' || lname FROM tbl_owner WHERE country = 'NL'");
    desk.assumes(&told, "“Dutch” is read as NL.");
    desk.check(
        "how many owners are from Germany or Italy?",
        "SELECT COUNT(*) FROM tbl_owner WHERE country IN ('DE', 'IT')",
    );
    desk.check("Hungarian owners", "SELECT fname || ' ' || lname FROM tbl_owner WHERE country = 'HU'");
}

#[test]
fn the_end_of_rows_nobody_asked_about_is_a_test() {
    let desk = desk();
    let told = desk.check(
        "which owners had the appointment with the highest amount?",
        "SELECT fname || ' ' || lname FROM tbl_owner WHERE owner_id = 3",
    );
    desk.assumes(&told, "Only appointments with the highest");
    desk.check("the trade of the luthier that has the lowest hourly wage", "SELECT 'Guitars'");
    desk.check("which journeyman earns the highest hourly wage?", "SELECT 'Quist Heron', 33.0");
    desk.check(
        "the highest peg count and lowest amount of appointments",
        "SELECT MAX(peg_count), MIN(amt) FROM tbl_appt",
    );
    desk.check(
        "average, minimum and total amount of appointments",
        "SELECT AVG(amt), MIN(amt), SUM(amt) FROM tbl_appt",
    );
    desk.refused("the phones of all owners and luthiers", "are two lists");
}

#[test]
fn what_belongs_to_rows_is_reached_by_the_plain_way() {
    let desk = desk();
    // The luthier of an appointment, and not the one its owner usually goes to.
    desk.check("total amount by luthier in 2023",
        "SELECT luth_nm, SUM(amt) FROM tbl_appt JOIN tbl_luthier USING (luth_id) WHERE appt_dt LIKE '2023%' GROUP BY luth_id");
    let told = desk.check("amount billed per trade",
        "SELECT trade_nm, SUM(amt) FROM tbl_appt JOIN tbl_luthier USING (luth_id) JOIN lkp_trade USING (trade_cd) GROUP BY 1");
    desk.assumes(&told, "is added up, as nothing else was said");
    desk.check(
        "how many owners have at least one severe flaw?",
        "SELECT COUNT(DISTINCT owner_id) FROM tbl_appt JOIN tbl_flaw USING (appt_id) WHERE severity = 'severe'",
    );
    desk.check(
        "number of appointments handled by each luthier",
        "SELECT luth_nm, COUNT(*) FROM tbl_appt JOIN tbl_luthier USING (luth_id) GROUP BY luth_id",
    );
    desk.check(
        "top 2 luthiers by missed appointments in 2023",
        "SELECT * FROM (VALUES ('Orla Finch', 1), ('Pim Gaard', 1))",
    );
    desk.check("average amount billed by all luthiers", "SELECT AVG(amt) FROM tbl_appt");
    desk.check(
        "how many owners have an email that contains \"mail.example\"?",
        "SELECT COUNT(*) FROM tbl_owner WHERE email LIKE '%mail.example%'",
    );
    desk.check("appointments with an amount above 0.1 thousand", "SELECT appt_id FROM tbl_appt WHERE amt > 100");
}

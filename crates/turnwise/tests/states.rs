//! How rows are: rates and shares of those that are so, states that only an end date tells, and what is left out. Each
//! through `turnwise ask`, with the rows computed in SQL here. Next: `conditions`, `flags`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A rowing club: who rows, what for, and in which boats.
const CLUB: &str = "
CREATE TABLE Squads (squad_id INTEGER PRIMARY KEY, squad_name TEXT);
CREATE TABLE Coaches (coach_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, gender TEXT, hired_on DATE,
  termination_date DATE, squad_id INTEGER REFERENCES Squads);
CREATE TABLE FeeHistory (coach_id INTEGER REFERENCES Coaches, valid_from DATE, valid_to DATE, retainer_eur INTEGER,
  PRIMARY KEY (coach_id, valid_from));
CREATE TABLE Boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT, hull TEXT, retired_on DATE);
CREATE TABLE Rowers (rower_id INTEGER PRIMARY KEY, rower_name TEXT, town TEXT, joined_on DATE, left_on DATE);
CREATE TABLE Outings (outing_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES Boats,
  rower_id INTEGER REFERENCES Rowers, rowed_on DATE, status TEXT, distance_km REAL, charge_eur REAL);
CREATE TABLE Complaints (complaint_id INTEGER PRIMARY KEY, outing_id INTEGER REFERENCES Outings, filed_on DATE,
  subject TEXT);
INSERT INTO Squads VALUES (1, 'Juniors'), (2, 'Masters'), (3, 'Novices');
INSERT INTO Coaches VALUES
  (1, 'Ada', 'Holm', 'F', '2015-03-01', NULL, 1), (2, 'Bo', 'Lind', 'M', '2016-05-01', '2023-08-31', 1),
  (3, 'Cleo', 'Marsh', 'F', '2018-02-01', NULL, 2), (4, 'Dan', 'Reef', 'M', '2019-07-01', NULL, 2),
  (5, 'Eva', 'Storm', 'F', '2020-01-01', '2024-02-29', 2), (6, 'Finn', 'Sund', 'M', '2021-04-01', NULL, 3);
INSERT INTO FeeHistory VALUES
  (1, '2015-03-01', '2019-12-31', 100), (1, '2020-01-01', NULL, 180), (2, '2016-05-01', '2023-08-31', 120),
  (3, '2018-02-01', '2021-12-31', 90), (3, '2022-01-01', NULL, 210), (4, '2019-07-01', NULL, 150),
  (5, '2020-01-01', '2024-02-29', 130), (6, '2021-04-01', '2022-12-31', 80), (6, '2023-01-01', NULL, 110);
INSERT INTO Boats VALUES (1, 'Heron', 'wood', NULL), (2, 'Otter', 'carbon', '2024-03-01'), (3, 'Pike', 'carbon', NULL),
  (4, 'Swift', 'wood', '2022-10-01');
INSERT INTO Rowers VALUES
  (1, 'Gus Bay', 'Varde', '2019-01-10', NULL), (2, 'Hanne Elm', 'Ribe', '2020-02-11', '2024-05-01'),
  (3, 'Ida Fox', 'Varde', '2021-03-12', NULL), (4, 'Jon Gale', 'Esbjerg', '2018-04-13', '2022-12-31'),
  (5, 'Kaj Hill', 'Ribe', '2022-05-14', NULL);
INSERT INTO Outings VALUES
  (1, 1, 1, '2023-05-01', 'finished', 8.5, 12), (2, 1, 2, '2023-05-08', 'cancelled', 0, 0),
  (3, 2, 3, '2023-06-02', 'finished', 12, 15), (4, 3, 1, '2023-07-04', 'no_show', 0, 5),
  (5, 3, 4, '2022-09-15', 'finished', 6, 10), (6, 1, 3, '2024-04-20', 'cancelled', 0, 0),
  (7, 2, 5, '2024-05-02', 'finished', 9, 14), (8, 3, 5, '2024-05-09', 'finished', 7.5, 11),
  (9, 1, 1, '2024-06-01', 'cancelled', 0, 0), (10, 3, 3, '2024-06-20', 'finished', 11, 13),
  (11, 4, 4, '2022-08-01', 'finished', 5, 9), (12, 1, 5, '2024-07-07', 'finished', 10, 12),
  (13, 3, 1, '2024-08-15', 'no_show', 0, 5), (14, 2, 2, '2023-08-18', 'finished', 4, 8);
INSERT INTO Complaints VALUES (1, 3, '2023-06-03', 'leak'), (2, 10, '2024-06-21', 'late'), (3, 10, '2024-06-22', 'cold');
";

const SHARE: &str = "100.0 * SUM(CASE WHEN";

fn desk() -> Desk {
    Desk::of(CLUB)
}

#[test]
fn a_rate_is_the_share_of_rows_that_are_so() {
    let desk = desk();
    let cancelled = format!("SELECT {SHARE} status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) FROM Outings");
    let told = desk.check("what is the cancellation rate?", &cancelled);
    desk.assumes(&told, "Of all outings asked about, the share “cancelled”, in percent.");
    desk.check(
        "what is the cancellation rate in percent in 2024?",
        &format!("{cancelled} WHERE rowed_on >= '2024-01-01'"),
    );
    let by_hull = "FROM Outings o JOIN Boats b ON b.boat_id = o.boat_id GROUP BY b.hull";
    desk.check(
        "no-show rate per hull",
        &format!("SELECT b.hull, {SHARE} o.status = 'no_show' THEN 1 ELSE 0 END) / COUNT(*) {by_hull}"),
    );
    desk.check(
        "which hull has the highest cancellation rate?",
        &format!("SELECT b.hull, {SHARE} o.status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS r {by_hull} ORDER BY r DESC LIMIT 1"),
    );
    desk.check(
        "complaint rate of outings by hull",
        &format!("SELECT b.hull, {SHARE} o.outing_id IN (SELECT outing_id FROM Complaints) THEN 1 ELSE 0 END) / COUNT(*) {by_hull}"),
    );
    desk.check(
        "retirement rate of boats",
        &format!("SELECT {SHARE} retired_on IS NOT NULL THEN 1 ELSE 0 END) / COUNT(*) FROM Boats"),
    );
    desk.refused("conversion rate by hull", "“conversion”");
    desk.refused("heart rate of rowers", "“heart”");
}

#[test]
fn what_is_true_of_a_share_is_no_test_on_the_whole() {
    let desk = desk();
    let by_town = "FROM Outings o JOIN Rowers r ON r.rower_id = o.rower_id";
    desk.check(
        "percentage of outings that were cancelled by town",
        &format!(
            "SELECT r.town, {SHARE} o.status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) {by_town} GROUP BY r.town"
        ),
    );
    desk.check(
        "what percentage of the coaches in each squad are women?",
        &format!(
            "SELECT s.squad_name, {SHARE} c.gender = 'F' THEN 1 ELSE 0 END) / COUNT(*) FROM Coaches c
             JOIN Squads s ON s.squad_id = c.squad_id GROUP BY s.squad_id"
        ),
    );
    desk.check(
        "what percentage of current coaches in each squad are women?",
        &format!(
            "SELECT s.squad_name, {SHARE} c.gender = 'F' THEN 1 ELSE 0 END) / COUNT(*) FROM Coaches c
             JOIN Squads s ON s.squad_id = c.squad_id WHERE c.termination_date IS NULL GROUP BY s.squad_id"
        ),
    );
    desk.check(
        "what percentage of rowers have left by town?",
        &format!("SELECT town, {SHARE} left_on IS NOT NULL THEN 1 ELSE 0 END) / COUNT(*) FROM Rowers GROUP BY town"),
    );
    desk.check(
        "share of carbon boats that are retired",
        &format!(
            "SELECT {SHARE} retired_on IS NOT NULL THEN 1 ELSE 0 END) / COUNT(*) FROM Boats WHERE hull = 'carbon'"
        ),
    );
}

#[test]
fn growth_in_percent_is_growth() {
    let desk = desk();
    let years = "SELECT '2022', COUNT(*) FROM Outings WHERE rowed_on LIKE '2022%'
        UNION ALL SELECT '2023', COUNT(*) FROM Outings WHERE rowed_on LIKE '2023%'";
    let told = desk.check("growth in the number of outings from 2022 to 2023 in percent", years);
    assert_eq!(told["table"]["columns"][3], "change");
    let told = desk.check(
        "year-over-year growth in total charge from 2022 to 2023 in percent",
        "SELECT '2022', 19.0 UNION ALL SELECT '2023', 40.0",
    );
    assert_eq!(told["table"]["columns"][3], "change");
}

#[test]
fn an_end_date_tells_who_is_current_and_who_left() {
    let desk = desk();
    let coaches = "SELECT first_name || ' ' || last_name FROM Coaches WHERE";
    let told = desk.check("current coaches", &format!("{coaches} termination_date IS NULL"));
    desk.assumes(&told, "“current coaches” are those without Coaches.termination_date.");
    desk.check("former coaches", &format!("{coaches} termination_date IS NOT NULL"));
    desk.check("how many coaches currently work here?", "SELECT COUNT(*) FROM Coaches WHERE termination_date IS NULL");
    desk.check(
        "number of current coaches per squad",
        "SELECT s.squad_name, COUNT(*) FROM Coaches c JOIN Squads s ON s.squad_id = c.squad_id
         WHERE c.termination_date IS NULL GROUP BY s.squad_id",
    );
    desk.check("rowers who have already left", "SELECT rower_name FROM Rowers WHERE left_on IS NOT NULL");
    desk.check("coaches who have left", &format!("{coaches} termination_date IS NOT NULL"));
    desk.check("coaches who left in 2023", &format!("{coaches} termination_date LIKE '2023%'"));
    desk.check("rowers that are still members", "SELECT rower_name FROM Rowers WHERE left_on IS NULL");
    desk.check("which boats are not retired?", "SELECT boat_name FROM Boats WHERE retired_on IS NULL");
    desk.refused("current squads", "“current”");
    desk.refused("active complaints", "“active”");
}

#[test]
fn numbers_of_versions_are_those_of_the_current_ones() {
    let desk = desk();
    let current = "FROM FeeHistory f JOIN Coaches c ON c.coach_id = f.coach_id JOIN Squads s ON s.squad_id = c.squad_id
        WHERE f.valid_to IS NULL";
    let told = desk.check("average retainer", "SELECT AVG(retainer_eur) FROM FeeHistory WHERE valid_to IS NULL");
    desk.assumes(&told, "Of FeeHistory only the rows without valid_to are taken");
    desk.check(
        "average retainer per squad",
        &format!("SELECT s.squad_name, AVG(f.retainer_eur) {current} GROUP BY s.squad_id"),
    );
    desk.check("total current retainer", "SELECT SUM(retainer_eur) FROM FeeHistory WHERE valid_to IS NULL");
    desk.check(
        "coach with the highest retainer right now",
        "SELECT c.first_name || ' ' || c.last_name FROM FeeHistory f JOIN Coaches c ON c.coach_id = f.coach_id
         WHERE f.valid_to IS NULL ORDER BY f.retainer_eur DESC LIMIT 1",
    );
    desk.check("highest retainer ever", "SELECT MAX(retainer_eur) FROM FeeHistory");
    desk.check(
        "average retainer by year of valid from",
        "SELECT strftime('%Y', valid_from), AVG(retainer_eur) FROM FeeHistory GROUP BY 1",
    );
}

/// A ferry: its crew with what they were paid over time, and the shifts of one year.
const FERRY: &str = "
CREATE TABLE Crew (crew_id INTEGER PRIMARY KEY, crew_name TEXT, deck TEXT, joined_on DATE, cabin_id INTEGER,
  ended_on DATE);
CREATE TABLE Wages (crew_id INTEGER REFERENCES Crew, paid_from DATE, paid_to DATE, wage INTEGER);
CREATE TABLE shifts2024 (shift INTEGER PRIMARY KEY, crew_id INTEGER REFERENCES Crew, began_on DATE, hours REAL,
  swapped INTEGER);
INSERT INTO Crew VALUES (1, 'Ada Holm', 'upper', '2020-01-01', NULL, NULL), (2, 'Bo Lind', 'upper', '2021-02-01', 4, NULL),
  (3, 'Cleo Marsh', 'lower', '2024-03-01', 7, NULL), (4, 'Dan Reef', 'lower', '2019-04-01', NULL, '2024-01-31');
INSERT INTO Wages VALUES (1, '2020-01-01', '2022-12-31', 3000), (1, '2023-01-01', NULL, 2500),
  (2, '2021-02-01', NULL, 2600), (3, '2024-03-01', '2024-05-31', 2900), (3, '2024-06-01', NULL, 2400);
INSERT INTO shifts2024 VALUES (1, 1, '2024-02-01', 8, 0), (2, 1, '2024-05-01', 6, 1), (3, 3, '2024-04-01', 7, 0),
  (4, 4, '2024-01-15', 5, 0);
";

#[test]
fn whoever_is_paid_the_most_is_so_now() {
    let desk = Desk::of(FERRY);
    let told = desk.check("best paid crew", "SELECT 'Bo Lind', 2600");
    desk.assumes(&told, "Of Wages only the rows without paid_to are taken");
    desk.check(
        "the best paid crew of each deck at the moment",
        "SELECT 'upper', 'Bo Lind' UNION SELECT 'lower', 'Cleo Marsh'",
    );
    desk.check("average wage by deck", "SELECT 'upper', 2550.0 UNION SELECT 'lower', 2400.0");
}

#[test]
fn words_that_say_nothing_are_skipped_where_they_stand() {
    let desk = Desk::of(FERRY);
    let idle = "SELECT crew_name FROM Crew WHERE crew_id NOT IN (SELECT crew_id FROM shifts2024 WHERE began_on LIKE '2024-04%')";
    desk.check("crew who did not work a single shift in April 2024", idle);
    desk.check("which crew has no cabin assigned?", "SELECT crew_name FROM Crew WHERE cabin_id IS NULL");
    desk.check("crew without a cabin on record", "SELECT crew_name FROM Crew WHERE cabin_id IS NULL");
    desk.check("crew who joined since 2019 and have already left", "SELECT 'Dan Reef'");
    desk.refused("which crew are assigned?", "“assigned”");
}

#[test]
fn what_is_left_out_may_be_said_before_or_behind_it() {
    let desk = desk();
    let by_town = "SELECT r.town, SUM(o.charge_eur) FROM Outings o JOIN Rowers r ON r.rower_id = o.rower_id
        WHERE o.status <> 'no_show' GROUP BY r.town";
    for question in [
        "total charge by town, excluding no-show outings",
        "total charge by town, no-show outings excluded",
        "total charge by town, leaving out no-show outings",
        "total charge by town, no-show ones not included",
        "total charge by town with no-show outings left out",
        "no-show outings excluded, total charge by town",
    ] {
        desk.check(question, by_town);
    }
    desk.check(
        "number of outings by town, not counting the cancelled ones",
        "SELECT r.town, COUNT(*) FROM Outings o JOIN Rowers r ON r.rower_id = o.rower_id
         WHERE o.status <> 'cancelled' GROUP BY r.town",
    );
    desk.check(
        "number of outings by town except in 2023",
        "SELECT r.town, COUNT(*) FROM Outings o JOIN Rowers r ON r.rower_id = o.rower_id
         WHERE o.rowed_on NOT LIKE '2023%' GROUP BY r.town",
    );
    Desk::of(FERRY).check(
        "number of shifts by deck, swapped ones not included",
        "SELECT c.deck, COUNT(*) FROM shifts2024 s JOIN Crew c ON c.crew_id = s.crew_id WHERE swapped = 0 GROUP BY c.deck",
    );
    desk.check("number of rowers apart from Varde", "SELECT COUNT(*) FROM Rowers WHERE town <> 'Varde'");
    desk.refused("total charge by town, distance not included", "does not say");
}

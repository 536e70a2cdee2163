//! Conditions on rows: values with the name of their column, numbers and years, texts, and what "or", "not" and "null"
//! make of them. Each through `turnwise ask`, with the rows computed in SQL here. Next: `read_right`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// Lighthouses and who keeps them.
const LIGHTS: &str = "
CREATE TABLE Keepers (keeper_id INTEGER PRIMARY KEY, keeper_name TEXT, sex TEXT, age INTEGER, home_town TEXT,
  joined INTEGER, bonus_eur REAL);
CREATE TABLE Lighthouses (lighthouse_id INTEGER PRIMARY KEY, lighthouse_name TEXT, coast_or_shire TEXT,
  tower_height_m REAL, built_year INTEGER, lamp_code TEXT, radio TEXT, keeper_id INTEGER REFERENCES Keepers);
INSERT INTO Keepers VALUES
  (1, 'Ada Holm', 'F', 34, 'Varde', 1998, 120.0), (2, 'Bo Lind', 'M', 61, 'Skagen', 1979, NULL),
  (3, 'Cleo Marsh', 'F', 29, 'Varde', 2014, 80.0), (4, 'Dan Reef', 'M', 45, 'Esbjerg', 2003, NULL),
  (5, 'Eva Storm', 'F', 52, 'Skagen', 1990, 60.0), (6, 'Finn Sund', 'M', 27, 'Ribe', 2014, 95.0);
INSERT INTO Lighthouses VALUES
  (10, 'North Point', 'Jutland', 34.5, 1884, 'LX7', 'VHF', 1), (11, 'Grey Rose', 'Funen', 21.0, 1902, 'LX9', 'no', 2),
  (12, 'South Point', 'Jutland', 46.0, 1931, 'QA1', 'VHF', 3), (13, 'Rosenholm', 'Zealand', 18.5, 1902, 'LX7', 'UHF', 4),
  (14, 'Old Beacon', 'Zealand', 27.0, 1856, 'QA1', 'no', 5), (15, 'West Rock', 'Funen', 39.0, 1968, 'ZZ4', 'UHF', 6),
  (16, 'Little Light', 'Jutland', 12.0, 1931, NULL, NULL, 1);
";

const NAMES: &str = "SELECT lighthouse_name FROM Lighthouses WHERE";
const KEEPERS: &str = "SELECT keeper_name FROM Keepers WHERE";

fn desk() -> Desk {
    Desk::of(LIGHTS)
}

#[test]
fn a_value_is_tested_where_it_is_named() {
    let desk = desk();
    desk.check("lighthouses with lamp code LX7", &format!("{NAMES} lamp_code = 'LX7'"));
    desk.check("lighthouses on the Jutland coast", &format!("{NAMES} coast_or_shire = 'Jutland'"));
    desk.check("how many keepers are female?", "SELECT COUNT(*) FROM Keepers WHERE sex = 'F'");
    desk.check("which keepers are men (sex is M)?", &format!("{KEEPERS} sex = 'M'"));
    desk.check("keepers with home town Varde", &format!("{KEEPERS} home_town = 'Varde'"));
    desk.check(
        "how many keepers have their home town in either Varde or Ribe?",
        "SELECT COUNT(*) FROM Keepers WHERE home_town IN ('Varde', 'Ribe')",
    );
    desk.check("keepers whose home town is not Varde", &format!("{KEEPERS} home_town <> 'Varde'"));
    desk.check("lighthouses with \"QA1\" as lamp code", &format!("{NAMES} lamp_code = 'QA1'"));
    desk.check("the keeper with id 4", &format!("{KEEPERS} keeper_id = 4"));
    desk.check("keepers with age 27 or 29", &format!("{KEEPERS} age IN (27, 29)"));
    let told = desk.check("lighthouses with lamp code \"K5\"", &format!("{NAMES} lamp_code = 'K5'"));
    desk.assumes(&told, "“K5” was not found in Lighthouses.lamp_code");
}

#[test]
fn either_of_two_tests_is_enough_where_or_joins_them() {
    let desk = desk();
    desk.check("keepers from Skagen or younger than 30", &format!("{KEEPERS} home_town = 'Skagen' OR age < 30"));
    desk.check(
        "how many keepers are from Skagen or older than 40?",
        "SELECT COUNT(*) FROM Keepers WHERE home_town = 'Skagen' OR age > 40",
    );
    desk.check("keepers with an age lower than 30 or higher than 50", &format!("{KEEPERS} age < 30 OR age > 50"));
    desk.check(
        "female keepers aged over 50 or from Varde",
        &format!("{KEEPERS} sex = 'F' AND (age > 50 OR home_town = 'Varde')"),
    );
    desk.check(
        "lighthouses built before 1900 or after 1950",
        &format!("{NAMES} built_year < 1900 OR built_year > 1950"),
    );
    desk.refused("keepers from Skagen and over 50 or from Varde", "What “or” stands between is not clear");
}

#[test]
fn numbers_find_their_column() {
    let desk = desk();
    desk.check("keepers under 30", &format!("{KEEPERS} age < 30"));
    desk.check("keepers who are 45 years old", &format!("{KEEPERS} age = 45"));
    desk.check("keepers aged 52 or older", &format!("{KEEPERS} age >= 52"));
    desk.check("keepers above age 40", &format!("{KEEPERS} age > 40"));
    desk.check("keepers who are not 27 years old", &format!("{KEEPERS} age <> 27"));
    desk.check("keepers with age in the range of 27 and 34", &format!("{KEEPERS} age BETWEEN 27 AND 34"));
    desk.check(
        "lighthouses taller than average",
        &format!("{NAMES} tower_height_m > (SELECT AVG(tower_height_m) FROM Lighthouses)"),
    );
    desk.check("keepers who joined before 1995", &format!("{KEEPERS} joined < 1995"));
    desk.check("keepers who joined in 2014", &format!("{KEEPERS} joined = 2014"));
    desk.check("lighthouses opened before the year of 1900", &format!("{NAMES} built_year < 1900"));
}

#[test]
fn texts_are_looked_for_in_the_column_that_is_named() {
    let desk = desk();
    desk.check("lighthouses whose name contains the word Point", &format!("{NAMES} lighthouse_name LIKE '%Point%'"));
    desk.check("lighthouses with the word \"Rose\" in their names", &format!("{NAMES} lighthouse_name LIKE '%Rose%'"));
    desk.check("lighthouses whose name ends with \"Rock\"", &format!("{NAMES} lighthouse_name LIKE '%Rock'"));
    desk.check("lighthouses whose lamp code starts with the letter Q", &format!("{NAMES} lamp_code LIKE 'Q%'"));
    desk.check("keepers whose home town does not contain the letter S", &format!("{KEEPERS} home_town NOT LIKE '%s%'"));
}

#[test]
fn what_is_not_there_is_told_from_what_is_not_so() {
    let desk = desk();
    desk.check("keepers whose bonus is null", &format!("{KEEPERS} bonus_eur IS NULL"));
    desk.check(
        "how many lighthouses do not have a radio?",
        "SELECT COUNT(*) FROM Lighthouses WHERE radio = 'no' OR radio IS NULL",
    );
    desk.check("lighthouses whose lamp code is not null", &format!("{NAMES} lamp_code IS NOT NULL"));
}

#[test]
fn what_stands_beside_a_test_is_not_lost() {
    let desk = desk();
    desk.check(
        "home towns that contain the letter b",
        "SELECT DISTINCT home_town FROM Keepers WHERE home_town LIKE '%b%'",
    );
    desk.check(
        "keepers of lighthouses whose name ends with \"Rock\"",
        "SELECT keeper_name FROM Keepers JOIN Lighthouses USING (keeper_id) WHERE lighthouse_name LIKE '%Rock'",
    );
    desk.check(
        "lighthouses built in 1902 on the Funen coast or built in 1931 on the Jutland coast",
        &format!(
            "{NAMES} (built_year = 1902 AND coast_or_shire = 'Funen') OR
            (built_year = 1931 AND coast_or_shire = 'Jutland')"
        ),
    );
    desk.refused("keepers over 50 and under 30", "at once");
    desk.check("lighthouses built in 1931 or later", &format!("{NAMES} built_year >= 1931"));
}

//! Ways of saying the same: years written as texts, pieces of titles, orders from one end to the other, sentences that
//! only say how to show what was asked. Beside each stands something alike that says another thing. Next: `made`.

use crate::made::{names, not_answered, number, numbers, over_sql, refused, told};

/// Halls, the plays staged there, and who acts in them. The years are texts, and nobody's town is known in the Dome.
const STAGE: &str = "CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, name TEXT, town TEXT, number_seats INTEGER);
    INSERT INTO hall VALUES (1,'Aula','Oslo',100),(2,'Barn','Oslo',300),(3,'Crypt','Bergen',50),(4,'Dome',NULL,950);
    CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT, directed_by TEXT, written_by TEXT,
      hall_id INTEGER REFERENCES hall(hall_id), year TEXT);
    INSERT INTO play VALUES (1,'Red Moon','Ida Lund','Per Dahl',1,'2021'),(2,'Moon','Ida Lund','Eva Berg',1,'2022'),
      (3,'Old Moon River','Per Dahl','Per Dahl',2,'2021'),(4,'Sun','Per Dahl','Eva Berg',3,'2022'),
      (5,'Moonlight','Ida Lund','Eva Berg',2,'2021');
    CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, weight REAL);
    INSERT INTO actor VALUES (1,'Ann',20,70.5),(2,'Bob',30,60.0),(3,'Cid',44,90.0),(4,'Dee',26,55.0);
    CREATE TABLE actor_in_play (play_id INTEGER REFERENCES play(play_id), actor_id INTEGER REFERENCES actor(actor_id),
      PRIMARY KEY (play_id, actor_id));
    INSERT INTO actor_in_play VALUES (1,1),(2,1),(2,3),(3,2),(4,3);
    CREATE TABLE play_review (play_review_id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES play(play_id),
      stars INTEGER);
    INSERT INTO play_review VALUES (1,1,4),(2,1,5),(3,2,3);
    CREATE TABLE play_review_reply (reply_id INTEGER PRIMARY KEY,
      play_review_id INTEGER REFERENCES play_review(play_review_id), body TEXT);
    INSERT INTO play_review_reply VALUES (1,1,'yes'),(2,1,'no');
    CREATE TABLE role_in_play (role_id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES play(play_id), part TEXT);
    INSERT INTO role_in_play VALUES (1,1,'king'),(2,1,'queen'),(3,2,'fool'),(4,3,'king');";

#[test]
fn years_written_as_texts_are_years() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(number(&analyst, "number of plays in 2021"), Some(3.0));
    assert_eq!(names(&analyst, "year with the most plays"), ["2021"]);
    let said = refused(&analyst, "plays in March 2021");
    assert!(said.contains("years alone"), "{said}");
    let said = refused(&analyst, "number of plays per month");
    assert!(said.contains("no month"), "{said}");
}

#[test]
fn both_times_are_had_by_different_rows() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(names(&analyst, "halls with plays in both 2021 and 2022"), ["Aula"]);
    assert_eq!(names(&analyst, "halls with plays in 2021 or 2022"), ["Aula", "Barn", "Crypt"]);
}

#[test]
fn a_table_that_only_links_is_no_name_for_what_it_links() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(names(&analyst, "names of actors in play \"Moon\""), ["Ann", "Cid"]);
    // A table with words of its own is what it is called.
    assert_eq!(number(&analyst, "number of roles in plays"), Some(4.0));
}

#[test]
fn a_piece_of_a_title_is_looked_for_in_it() {
    let (_folder, analyst) = over_sql(STAGE);
    let all = ["Red Moon", "Moon", "Old Moon River", "Moonlight"];
    assert_eq!(names(&analyst, "plays with \"Moon\" in the title"), all);
    assert_eq!(names(&analyst, "plays with Moon in the title"), all);
    assert_eq!(names(&analyst, "plays with the title \"Moon\""), ["Moon"]);
}

#[test]
fn several_numbers_of_a_column_that_counts_are_all_told() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(numbers(&analyst, "min, max and avg number of seats of all halls"), [50.0, 950.0, 350.0]);
    let said = refused(&analyst, "minimum and average number of plays per hall");
    assert!(said.contains("one after the other"), "{said}");
}

#[test]
fn an_order_from_one_end_to_the_other_is_told_by_its_first_end() {
    let (_folder, analyst) = over_sql(STAGE);
    for (question, wanted) in [
        ("names of actors ordered by age from the oldest to the youngest", ["Cid", "Bob", "Dee", "Ann"]),
        ("names of actors ordered by age from the youngest to the oldest", ["Ann", "Dee", "Bob", "Cid"]),
        ("actors from the heaviest to the lightest", ["Cid", "Ann", "Bob", "Dee"]),
    ] {
        assert_eq!(names(&analyst, question), wanted, "{question}");
    }
    not_answered(&analyst, "actors from the oldest to the lightest");
}

#[test]
fn ages_are_held_against_their_average_and_their_bounds() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(names(&analyst, "names of the actors who are older than the average age of all actors"), ["Cid"]);
    assert_eq!(names(&analyst, "actors younger than average"), ["Ann", "Dee"].map(str::to_owned));
    assert_eq!(names(&analyst, "actors aged 20 to 26"), ["Ann", "Dee"]);
    not_answered(&analyst, "actors older than the average weight of all actors");
    not_answered(&analyst, "actors with an age above the average age of actors in Moon");
}

#[test]
fn rows_there_are_none_of_are_those_named_before() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(names(&analyst, "halls that have a play directed by Ida Lund but none directed by Per Dahl"), ["Aula"]);
    assert_eq!(names(&analyst, "halls that have a play directed by Ida Lund"), ["Aula", "Barn"]);
    assert_eq!(names(&analyst, "halls with fewer than 3 plays but at least two"), ["Aula", "Barn"]);
}

#[test]
fn whoever_did_it_is_what_the_column_says() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(told(&analyst, "number of plays by director"), [["Ida Lund", "3"], ["Per Dahl", "2"]]);
    assert_eq!(names(&analyst, "plays written by Per Dahl"), ["Red Moon", "Old Moon River"]);
    assert_eq!(names(&analyst, "plays directed by Per Dahl"), ["Old Moon River", "Sun"]);
    assert_eq!(names(&analyst, "halls without a play written by Per Dahl"), ["Crypt", "Dome"]);
}

#[test]
fn a_second_sentence_that_only_shows_leaves_the_first_as_it_is() {
    let (_folder, analyst) = over_sql(STAGE);
    for question in [
        "List all plays directed by Ida Lund. Show only the titles.",
        "List all plays directed by Ida Lund. Show the titles.",
        "List all plays directed by Ida Lund. Give me only their titles.",
    ] {
        assert_eq!(names(&analyst, question), ["Red Moon", "Moon", "Moonlight"], "{question}");
    }
    assert_eq!(names(&analyst, "Which towns have halls with plays from 2021? List each town once."), ["Oslo"]);
    let known = told(&analyst, "What is the number of halls in each town? Leave out halls without a town.");
    assert_eq!(known, [["Bergen", "1"], ["Oslo", "2"]]);
    // A number of them is no column to show.
    let counted = "List all plays directed by Ida Lund. Show only the number of their reviews in 2021.";
    assert_eq!(number(&analyst, counted), Some(2.0));
}

#[test]
fn how_many_share_a_value_is_refused_by_name() {
    let (_folder, analyst) = over_sql(STAGE);
    let said = refused(&analyst, "names of the halls located in towns that have more than one hall");
    assert!(said.contains("share one of the towns"), "{said}");
    assert_eq!(names(&analyst, "towns with more than one hall"), ["Oslo"]);
}

#[test]
fn the_end_of_a_tables_name_is_its_rows_and_not_what_refers_to_them() {
    let (_folder, analyst) = over_sql(STAGE);
    assert_eq!(number(&analyst, "number of reviews"), Some(3.0));
    assert_eq!(names(&analyst, "plays with exactly two reviews"), ["Red Moon"]);
    assert_eq!(number(&analyst, "number of replies"), Some(2.0));
}

/// Cars by a table of measurements, what they are called in another, and who services them.
const CARS: &str = "CREATE TABLE makers (maker_id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO makers VALUES (1,'Volt'),(2,'Ampere');
    CREATE TABLE car_names (make_id INTEGER PRIMARY KEY, make TEXT, maker_id INTEGER REFERENCES makers(maker_id));
    INSERT INTO car_names VALUES (1,'volt one',1),(2,'volt two',1),(3,'amp',2);
    CREATE TABLE cars_data (id INTEGER PRIMARY KEY REFERENCES car_names(make_id), cylinders INTEGER, weight INTEGER,
      year INTEGER);
    INSERT INTO cars_data VALUES (1,4,900,1970),(2,8,1500,1971),(3,4,800,1972);
    CREATE TABLE place (place_id INTEGER PRIMARY KEY, street TEXT, town TEXT);
    INSERT INTO place VALUES (1,'Elm','Rome'),(2,'Oak','Oslo');
    CREATE TABLE mechanic (mechanic_id INTEGER PRIMARY KEY, name TEXT, home_place_id INTEGER REFERENCES place(place_id),
      work_place_id INTEGER REFERENCES place(place_id));
    INSERT INTO mechanic VALUES (1,'Ann',1,2),(2,'Bob',2,1),(3,'Cid',2,2);
    CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, mechanic_id INTEGER REFERENCES mechanic(mechanic_id),
      state TEXT, fee REAL);
    INSERT INTO repair VALUES (1,1,'done well',10),(2,1,'returned',20),(3,2,'done well',30),(4,1,'returned',5);";

#[test]
fn a_table_of_data_is_called_by_what_the_data_is_of() {
    let (_folder, analyst) = over_sql(CARS);
    assert_eq!(told(&analyst, "number of cars per number of cylinders"), [["4", "2"], ["8", "1"]]);
    assert_eq!(number(&analyst, "average weight of the cars made before 1972"), Some(1200.0));
    // Where another table is called so, that is meant.
    let (_folder, other) = over_sql(
        "CREATE TABLE car (car_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO car VALUES (1,'a'),(2,'b');
         CREATE TABLE car_data (car_data_id INTEGER PRIMARY KEY, car_id INTEGER REFERENCES car(car_id), speed INTEGER);
         INSERT INTO car_data VALUES (1,1,5),(2,1,6),(3,1,7);",
    );
    assert_eq!(number(&other, "number of cars"), Some(2.0));
}

#[test]
fn what_the_row_at_an_end_has_is_shown_of_it() {
    let (_folder, analyst) = over_sql(CARS);
    assert_eq!(told(&analyst, "lightest car's make and weight"), [["amp", "800"]]);
    assert_eq!(told(&analyst, "the heaviest car's weight and year"), [["1971", "1500"]]);
    assert_eq!(told(&analyst, "make of the lightest car")[0][0], "amp");
    assert_eq!(number(&analyst, "highest single fee"), Some(30.0));
}

#[test]
fn verbs_that_say_no_more_than_that_there_are_so_many() {
    let (_folder, analyst) = over_sql(CARS);
    assert_eq!(names(&analyst, "Which mechanics have done at least three repairs?"), ["Ann"]);
    assert_eq!(names(&analyst, "mechanics that have done fewer than 3 repairs but at least one"), ["Bob"]);
    // What was returned are some of the repairs, and not all of them.
    not_answered(&analyst, "mechanics who have scrapped at least three repairs");
    assert_eq!(number(&analyst, "average fee of mechanics that have gone through any repair"), Some(16.25));
}

#[test]
fn whose_place_is_in_a_town_says_which_of_two_places() {
    let (_folder, analyst) = over_sql(CARS);
    assert_eq!(names(&analyst, "mechanics whose home place is in Rome"), ["Ann"]);
    assert_eq!(names(&analyst, "mechanics whose work place is in Rome"), ["Bob"]);
    not_answered(&analyst, "mechanics whose place is in Rome");
}

//! What was not done, and what was stopped, as sets: whoever has no such row in a time, and whoever has some before it
//! and none since. What cannot be turned into such rows is asked or refused by its name. Each through `turnwise ask` or
//! a conversation, with the rows computed in SQL here. Next: `returning`, for what was done.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A music shop: whoever buys, what is sold, who came by, and two kinds of rows that belong to members.
const SHOP: &str = "
CREATE TABLE artists (artist_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE albums (album_id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artists(artist_id));
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, customer_since TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
  ordered_on TEXT, channel TEXT);
CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(order_id),
  album_id INTEGER REFERENCES albums(album_id), quantity INTEGER, price REAL);
INSERT INTO artists VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cleo'), (4, 'Dot');
INSERT INTO albums VALUES (1, 'One', 1), (2, 'Two', 1), (3, 'Three', 2), (4, 'Four', 3);
INSERT INTO customers VALUES (1, 'Kim', 'Norway', '2020-01-01'), (2, 'Lou', 'Norway', '2020-02-01'),
  (3, 'Max', 'Spain', '2020-03-01'), (4, 'Nia', 'Spain', '2025-04-01'), (5, 'Oz', 'Spain', '2021-01-01');
INSERT INTO orders VALUES (1, 1, '2023-05-01', 'web'), (2, 1, '2025-02-01', 'web'), (3, 2, '2023-06-01', 'shop'),
  (4, 2, '2024-02-01', 'web'), (5, 3, '2024-03-01', 'web'), (6, 3, '2024-11-01', 'shop'), (7, 4, '2025-05-01', 'web'),
  (8, 1, '2025-12-20', 'web');
INSERT INTO order_lines VALUES (1, 1, 1, 1, 10), (2, 2, 2, 2, 12), (3, 3, 1, 1, 10), (4, 4, 3, 1, 8), (5, 5, 3, 1, 8),
  (6, 6, 1, 3, 10), (7, 7, 2, 1, 12), (8, 8, 2, 1, 12);
";

const CLUB: &str = "
CREATE TABLE members (member_id INTEGER PRIMARY KEY, full_name TEXT, joined_on TEXT);
CREATE TABLE checkins (checkin_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id), entered_at TEXT);
CREATE TABLE lessons (lesson_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id), held_on TEXT);
CREATE TABLE sensors (sensor_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE readings (reading_id INTEGER PRIMARY KEY, sensor_id INTEGER REFERENCES sensors(sensor_id), read_at TEXT,
  battery REAL);
INSERT INTO members VALUES (1, 'Una Voss', '2022-01-01'), (2, 'Val West', '2022-02-01'), (3, 'Wim Xu', '2022-03-01');
INSERT INTO checkins VALUES (1, 1, '2024-01-05'), (2, 1, '2024-06-05'), (3, 2, '2024-02-05'), (4, 2, '2023-11-05');
INSERT INTO lessons VALUES (1, 2, '2024-05-01'), (2, 3, '2024-01-15');
INSERT INTO sensors VALUES (1, 'north'), (2, 'south'), (3, 'east');
INSERT INTO readings VALUES (1, 1, '2024-06-01', 90), (2, 1, '2024-07-02', 80), (3, 2, '2024-06-03', 70),
  (4, 2, '2024-08-01', 60), (5, 3, '2024-07-09', 95), (6, 3, '2024-08-09', 94);
";

/// Customers with no order that passes a test.
fn without(order: &str) -> String {
    format!(
        "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND {order})"
    )
}

fn stopped(before: &str, since: &str) -> String {
    format!(
        "{} AND EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND ordered_on < '{before}')",
        without(&format!("ordered_on >= '{since}'"))
    )
}

#[test]
fn who_did_not_do_it_in_a_time_has_no_such_row_in_it() {
    let desk = Desk::of(SHOP);
    let in_2025 = without("ordered_on LIKE '2025%'");
    for question in [
        "customers who did not buy anything in 2025",
        "which customers did not order in 2025",
        "customers without orders in 2025",
        "who didn't order in 2025?",
    ] {
        desk.check(question, &in_2025);
    }
    let told =
        desk.check("customers who have not bought anything since March 2024", &without("ordered_on >= '2024-03-01'"));
    desk.assumes(&told, "have no orders since March 2024");
    let spain = format!("{in_2025} AND country = 'Spain'");
    desk.check("customers in Spain who did not buy anything in 2025", &spain);
    let counted = format!("SELECT COUNT(*) FROM ({in_2025})");
    desk.check("how many customers did not buy anything in 2025?", &counted);
    let sold = "SELECT title FROM albums WHERE album_id NOT IN (SELECT album_id FROM order_lines JOIN orders USING \
                (order_id) WHERE ordered_on LIKE '2024%')";
    desk.check("albums never sold in 2024", sold);
    desk.check("albums not sold in 2024", sold);
    let desk = Desk::of(CLUB);
    let silent = "SELECT name FROM sensors WHERE sensor_id NOT IN (SELECT sensor_id FROM readings WHERE read_at LIKE '2024-07%')";
    desk.check("sensors without readings in July", silent);
}

#[test]
fn who_stopped_has_rows_before_and_none_since() {
    let desk = Desk::of(SHOP);
    desk.check("which customers stopped buying after 2024?", &stopped("2025-01-01", "2025-01-01"));
    desk.check("customers who stopped ordering since March 2024", &stopped("2024-03-01", "2024-03-01"));
    let counted = format!("SELECT COUNT(*) FROM ({})", stopped("2025-01-01", "2025-01-01"));
    desk.check("how many customers stopped buying after 2024?", &counted);
    let told = desk.ask("which customers stopped buying in 2025?");
    assert!(told["answer"].as_str().unwrap().contains("the data ends on 2025-12-20"), "{told}");
}

#[test]
fn since_when_it_was_stopped_is_asked_and_never_assumed() {
    let desk = Desk::of(SHOP);
    let told = desk.ask("which customers stopped buying?");
    assert_eq!(told["table"], serde_json::Value::Null, "{told}");
    assert!(told["answer"].as_str().unwrap().starts_with("Since when?"), "{told}");
    let talk = desk.talk(&["which customers stopped buying?", "since 2025", "y"]);
    assert!(talk.contains("have orders before 2025 and have none since 2025"), "{talk}");
    for (name, stopped) in [("Lou", true), ("Max", true), ("Kim", false), ("Nia", false), ("Oz", false)] {
        assert_eq!(talk.lines().any(|line| line == name), stopped, "{name}: {talk}");
    }
}

#[test]
fn a_verb_that_no_rows_are_called_after_is_asked_about_or_refused_by_name() {
    let desk = Desk::of(SHOP);
    desk.refused(
        "which customers did not complain in 2025",
        "I cannot tell which customers “did not complain in 2025”",
    );
    let desk = Desk::of(CLUB);
    let told = desk.ask("which members did not turn up in 2023");
    assert_eq!(told["table"], serde_json::Value::Null, "{told}");
    desk.refused("members who have not visited since April 2024", "Which rows tell of “visited”?");
    let talk = desk.talk(&["members who have not visited since April 2024", "checkins", "y"]);
    for (name, missing) in [("Una Voss", false), ("Val West", true), ("Wim Xu", true)] {
        assert_eq!(talk.lines().any(|line| line == name), missing, "{name}: {talk}");
    }
}

#[test]
fn different_ones_that_were_sold_are_not_all_there_are() {
    let desk = Desk::of(SHOP);
    let sold = "SELECT COUNT(DISTINCT artist_id) FROM order_lines JOIN albums USING (album_id)";
    desk.check("how many different artists did we sell?", sold);
    let in_2025 = "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE ordered_on LIKE '2025%'";
    desk.check("how many different customers ordered in 2025?", in_2025);
}

#[test]
fn a_list_with_nothing_in_it_is_not_the_most_common() {
    let desk = Desk::of(
        "CREATE TABLE issues (id INTEGER PRIMARY KEY, title TEXT, label TEXT);
         INSERT INTO issues VALUES (1, 'a', '[]'), (2, 'b', '[]'), (3, 'c', '[]'), (4, 'd', 'bug'), (5, 'e', 'bug'),
           (6, 'f', 'docs');",
    );
    let told = desk.check("what is the most common label?", "SELECT 'bug', 2");
    desk.assumes(&told, "“[]” says that there is no label, and is left out.");
}

#[test]
fn the_lowest_of_each_is_what_the_lowest_of_all_is_found_by() {
    let desk = Desk::of(CLUB);
    desk.check("which sensor has the lowest battery?", "SELECT 'south', 60");
    desk.check(
        "lowest battery for each sensor",
        "SELECT name, MIN(battery) FROM readings JOIN sensors USING (sensor_id) GROUP BY 1",
    );
}

/// States with their extremes and their cities; the capital of each is one of the cities.
const STATES: &str = "
CREATE TABLE states (state TEXT PRIMARY KEY, capital TEXT, population INTEGER, area REAL);
CREATE TABLE highlow (state TEXT REFERENCES states(state), highest_point TEXT, highest_elevation INTEGER,
  lowest_point TEXT, lowest_elevation INTEGER);
CREATE TABLE cities (city TEXT, state TEXT REFERENCES states(state), population INTEGER);
INSERT INTO states VALUES ('alaska', 'juneau', 401800, 591000), ('texas', 'austin', 14229000, 266807),
  ('vermont', 'montpelier', 511456, 9614), ('wyoming', 'cheyenne', 469557, 97809);
INSERT INTO highlow VALUES ('alaska', 'mount mckinley', 6194, 'pacific ocean', 0),
  ('texas', 'guadalupe peak', 2667, 'gulf of mexico', 0), ('vermont', 'mount mansfield', 1339, 'lake champlain', 29),
  ('wyoming', 'gannett peak', 4202, 'belle fourche river', 945);
INSERT INTO cities VALUES ('anchorage', 'alaska', 174431), ('juneau', 'alaska', 19528), ('austin', 'texas', 345496),
  ('houston', 'texas', 1595138), ('montpelier', 'vermont', 8241), ('burlington', 'vermont', 37712),
  ('cheyenne', 'wyoming', 47283), ('casper', 'wyoming', 51016);
";

#[test]
fn a_column_that_names_an_end_of_each_row_does_not_tell_that_of_all() {
    let desk = Desk::of(STATES);
    for question in ["which state has the highest point?", "the state with the highest point"] {
        let told = desk.check(question, "SELECT 'alaska', 6194");
        desk.assumes(&told, "told by highlow.highest_elevation, as highlow.highest_point only names it");
    }
    desk.check("what is the highest point of texas?", "SELECT 'guadalupe peak'");
}

#[test]
fn a_number_of_what_a_column_refers_to_is_not_that_of_the_rows_that_refer() {
    let desk = Desk::of(STATES);
    desk.refused("which state capital has the smallest population?", "whose is meant is not told");
    desk.check("which state has the smallest population?", "SELECT 'alaska', 401800");
}

#[test]
fn rows_that_are_called_after_their_type_are_counted_and_not_the_types() {
    let desk = Desk::of(
        "CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, pet_name TEXT);
         CREATE TABLE appointments (appt_id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pets(pet_id), visit_type TEXT,
           seen_at TEXT);
         INSERT INTO pets VALUES (1, 'Rex'), (2, 'Tom');
         INSERT INTO appointments VALUES (1, 1, 'checkup', '2024-01-01'), (2, 1, 'checkup', '2024-02-01'),
           (3, 2, 'surgery', '2024-03-01');",
    );
    let told = desk.check("how many visits did we have in 2024?", "SELECT 3");
    desk.assumes(&told, "appointments.visit_type says of what type each is");
    desk.check("how many different visit types are there?", "SELECT 2");
}

const REGIONS: &str = "
CREATE TABLE regions (region_id INTEGER PRIMARY KEY, region TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, region_id INTEGER REFERENCES regions(region_id), order_date TEXT,
  quantity INTEGER, revenue REAL);
INSERT INTO regions VALUES (1, 'North'), (2, 'South');
INSERT INTO orders VALUES (1, 1, '2023-02-01', 1, 100.5), (2, 1, '2024-02-01', 1, 110.25), (3, 1, '2024-06-01', 1, 5.5),
  (4, 2, '2023-03-01', 9, 50.75), (5, 2, '2024-03-01', 2, 200.5);
";

#[test]
fn every_choice_that_is_offered_is_what_the_plan_goes_by() {
    let desk = Desk::of(REGIONS);
    let asked = desk.ask("which region grew the most from 2023 to 2024?");
    let choices = asked["pending"]["kind"]["clarification"]["choices"].as_array().unwrap_or_else(|| panic!("{asked}"));
    assert!(choices.len() > 1, "{asked}");
    for (at, choice) in choices.iter().enumerate() {
        let most = if choice["value"] == "sales" { "South grew the most" } else { "North grew the most" };
        let talk = desk.talk(&["which region grew the most from 2023 to 2024?", &(at + 1).to_string(), "y"]);
        assert!(talk.contains(most), "{choice}: {talk}");
    }
}

#[test]
fn what_ranks_is_said_by_the_person_even_where_one_thing_could() {
    let desk = Desk::of(
        "CREATE TABLE teams (team_id INTEGER PRIMARY KEY, name TEXT, is_senior INTEGER);
         CREATE TABLE matches (match_id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES teams(team_id), played_on TEXT);
         INSERT INTO teams VALUES (1, 'Reds', 1), (2, 'Blues', 0), (3, 'Greens', 1);
         INSERT INTO matches VALUES (1, 1, '2024-01-01'), (2, 2, '2024-01-02'), (3, 2, '2024-01-03');",
    );
    desk.refused("best team", "“best” by what? Say “by number of matches” if that is meant");
    desk.check("best team by number of matches", "SELECT 'Blues', 2");
}

/// Each row says whether it was returned, so a product with one that was not has still been returned.
#[test]
fn never_is_said_of_all_rows_of_what_is_listed() {
    let desk = Desk::of(
        "CREATE TABLE sales (ticket INTEGER PRIMARY KEY, product TEXT, sold_on TEXT, amount REAL, returned INTEGER);
         INSERT INTO sales VALUES (1, 'Rye loaf', '2024-01-02', 5.2, 0), (2, 'Rye loaf', '2024-01-03', 5.2, 1),
             (3, 'Croissant', '2024-01-03', 2.4, 0), (4, 'Baguette', '2024-01-04', 3.1, 1);",
    );
    desk.refused("which products were never returned?", "“never” is said of all rows of each of the products");
}

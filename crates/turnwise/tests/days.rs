//! What happened on days of which another table has a row each: no key links the two, but the day does. Each through
//! `turnwise ask` over the rides of a cable car and a record of the sky, with the answers worked out in SQL here. A
//! table with several rows a day is never joined so. Next: `roles` for links by keys.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// Rides on some of 30 days: none on the 3rd, 4th, 13th and 20th.
fn cable() -> String {
    let mut script = "CREATE TABLE cabins (cabin_id INTEGER PRIMARY KEY, cabin_name TEXT);
        CREATE TABLE rides (ride_id INTEGER PRIMARY KEY, boarded_at DATETIME, cabin_id INTEGER REFERENCES cabins,
          fare REAL);
        CREATE TABLE sky (day DATE, rain_mm REAL, snow INTEGER, gust_kmh REAL);
        CREATE TABLE meals (served_on DATE, guests INTEGER, snow_cones INTEGER);
        INSERT INTO cabins VALUES (1, 'Red'), (2, 'Blue');"
        .to_owned();
    let mut ride = 0;
    for day in 1..=30 {
        let rain = if day % 3 == 0 { f64::from(day) } else { 0.0 };
        script.push_str(&format!(
            "INSERT INTO sky VALUES ('2024-11-{day:02}', {rain}, {}, {}.5);
             INSERT INTO meals VALUES ('2024-11-{day:02}', {day}, 1), ('2024-11-{day:02}', {day}, 0);",
            u8::from(day % 10 == 5),
            day * 2
        ));
        let rides = if [3, 4, 13, 20].contains(&day) { 0 } else { 1 + day % 4 };
        for hour in 0..rides {
            ride += 1;
            script.push_str(&format!(
                "INSERT INTO rides VALUES ({ride}, '2024-11-{day:02} {:02}:15:00', {}, {});",
                8 + hour,
                1 + ride % 2,
                5 + ride % 7
            ));
        }
    }
    script
}

const BY_DAY: &str = "FROM rides JOIN sky ON date(boarded_at) = day";

#[test]
fn rides_belong_to_the_day_they_were_on() {
    let desk = Desk::of(&cable());
    let told = desk.check("rides on snowy days", &format!("SELECT ride_id {BY_DAY} WHERE snow = 1"));
    desk.assumes(&told, "rides and sky are joined by day: that of rides.boarded_at and sky.day.");
    desk.check("how many rides were there on rainy days?", &format!("SELECT COUNT(*) {BY_DAY} WHERE rain_mm > 0"));
    desk.check("total fare on dry days", &format!("SELECT SUM(fare) {BY_DAY} WHERE rain_mm = 0"));
    desk.check("total fare on days without rain", &format!("SELECT SUM(fare) {BY_DAY} WHERE rain_mm = 0"));
    desk.check("average fare on days when it snowed", &format!("SELECT AVG(fare) {BY_DAY} WHERE snow = 1"));
    let cabins = format!("{BY_DAY} JOIN cabins USING (cabin_id) WHERE rain_mm > 0 GROUP BY 1");
    desk.check("total fare by cabin on rainy days", &format!("SELECT cabin_name, SUM(fare) {cabins}"));
    desk.check("how many rainy days were there?", "SELECT COUNT(*) FROM sky WHERE rain_mm > 0");
}

#[test]
fn two_kinds_of_days_are_put_side_by_side() {
    let desk = Desk::of(&cable());
    let both = format!("SELECT rain_mm > 0, SUM(fare) {BY_DAY} GROUP BY 1");
    desk.check("total fare on rainy days vs dry days", &both);
    let counts = format!("SELECT rain_mm > 0, COUNT(*) {BY_DAY} GROUP BY 1");
    desk.check("number of rides on rainy and dry days", &counts);
}

#[test]
fn days_on_which_nothing_happened_count_as_0() {
    let desk = Desk::of(&cable());
    let over = |test: &str| {
        format!(
            "SELECT AVG(n) FROM (SELECT (SELECT COUNT(*) FROM rides WHERE date(boarded_at) = day) AS n FROM sky \
             WHERE {test})"
        )
    };
    let told = desk.check("average number of rides per day on days without rain", &over("rain_mm = 0"));
    desk.assumes(&told, "Of the days in sky those without rides count as 0.");
    desk.check("average number of rides per day on rainy days", &over("rain_mm > 0"));
    let middle = over("rain_mm > 0 AND day BETWEEN '2024-11-10' AND '2024-11-20'");
    desk.check("average number of rides per day on rainy days between 2024-11-10 and 2024-11-20", &middle);
}

#[test]
fn what_has_several_rows_a_day_or_none_to_tell_is_not_joined() {
    let desk = Desk::of(&cable());
    desk.refused("total fare by snow cones", "nothing says which go together");
    desk.refused("rides on windy days", "“windy”");
}

#[test]
fn the_day_of_something_else_and_a_different_one_are_not_left_out() {
    let desk = Desk::of(
        "CREATE TABLE firms (id INTEGER PRIMARY KEY, firm_name TEXT, signed_up_on DATE);
         CREATE TABLE people (id INTEGER PRIMARY KEY, full_name TEXT, firm_id INTEGER REFERENCES firms);
         CREATE TABLE calls (id INTEGER PRIMARY KEY, firm_id INTEGER REFERENCES firms,
           person_id INTEGER REFERENCES people, opened_on DATE);
         INSERT INTO firms VALUES (1, 'Aker', '2024-01-01'), (2, 'Brim', '2024-02-01');
         INSERT INTO people VALUES (1, 'Ada Holt', 1), (2, 'Bo Lind', 2);
         INSERT INTO calls VALUES (1, 1, 1, '2024-01-01'), (2, 1, 2, '2024-03-01');",
    );
    desk.refused("calls on the day the firm signed up", "on the day the firm");
    desk.refused("calls opened by people of a different firm", "different");
    desk.check("how many calls per day", "SELECT opened_on, COUNT(*) FROM calls GROUP BY 1");
    desk.check("how many different firms have calls", "SELECT 1");
}

//! Links that one row has with others of its own table, or by several columns with the same table: who earns more than
//! whoever leads them, who reports to whom. Each through `turnwise ask`, with the answers worked out in SQL here; what
//! cannot be told is refused. Next: `lasting` for two columns of a row.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

const YARD: &str = "
CREATE TABLE towns (town_id INTEGER PRIMARY KEY, town_name TEXT);
CREATE TABLE sheds (shed_id INTEGER PRIMARY KEY, shed_name TEXT, town_id INTEGER REFERENCES towns,
  head_builder_id INTEGER REFERENCES builders);
CREATE TABLE builders (builder_id INTEGER PRIMARY KEY, full_name TEXT, born_on DATE, hired_on DATE, day_rate REAL,
  trade TEXT, shed_id INTEGER REFERENCES sheds, supervisor_id INTEGER REFERENCES builders);
CREATE TABLE salaries (builder_id INTEGER REFERENCES builders, valid_from DATE, valid_to DATE, salary INTEGER,
  PRIMARY KEY (builder_id, valid_from));
CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT, launched_on DATE,
  builder_id INTEGER REFERENCES builders);
INSERT INTO towns VALUES (1, 'Aalvik'), (2, 'Bremnes');
INSERT INTO sheds VALUES (1, 'North Shed', 1, NULL), (2, 'Sail Loft', 1, NULL), (3, 'Dry Dock', 2, NULL);
INSERT INTO builders VALUES
  (1, 'Ada Holt', '1970-05-01', '2005-03-01', 400, 'joiner', 1, NULL),
  (2, 'Bo Lind', '1965-01-20', '2004-08-01', 380, 'joiner', 1, 1),
  (3, 'Cy Moe', '1990-07-07', '2015-02-01', 420, 'rigger', 2, 1),
  (4, 'Di Nord', '1988-11-11', '2010-06-01', 380, 'rigger', 2, 2),
  (5, 'Ed Olsen', '1960-02-02', '2012-09-01', 300, 'welder', 3, 2),
  (6, 'Fay Pram', '1992-12-12', '2009-01-01', 350, 'welder', 3, 5),
  (7, 'Gus Qvale', '1999-09-09', '2020-01-15', NULL, 'joiner', NULL, 2);
UPDATE sheds SET head_builder_id = 2 * shed_id WHERE shed_id <> 2;
INSERT INTO salaries VALUES (1, '2005-03-01', '2018-01-01', 900), (1, '2018-01-01', NULL, 1000),
  (2, '2004-08-01', '2016-01-01', 950), (2, '2016-01-01', NULL, 1100), (3, '2015-02-01', NULL, 700),
  (4, '2010-06-01', '2019-01-01', 1200), (4, '2019-01-01', NULL, 1050), (5, '2012-09-01', NULL, 1150),
  (6, '2009-01-01', '2021-01-01', 1300);
INSERT INTO boats VALUES (1, 'Elv', '2016-05-05', 2), (2, 'Foss', '2018-06-06', 4), (3, 'Gro', '2019-07-07', 6);
";

const FERRY: &str = "
CREATE TABLE piers (pier_no INTEGER PRIMARY KEY, pier_name TEXT, shore TEXT);
CREATE TABLE pilots (pilot_id INTEGER PRIMARY KEY, pilot_name TEXT, grade TEXT);
CREATE TABLE crossings (crossing_no INTEGER PRIMARY KEY, left_at DATETIME, from_pier INTEGER REFERENCES piers,
  to_pier INTEGER REFERENCES piers, passengers INTEGER, relief_pilot_id INTEGER REFERENCES pilots);
INSERT INTO piers VALUES (1, 'Old Mill', 'east'), (2, 'Lighthouse', 'east'), (3, 'Tar Works', 'west'),
  (4, 'Gallows', 'west');
INSERT INTO pilots VALUES (1, 'Ivo Rusk', 'relief'), (2, 'Jon Sand', 'full');
INSERT INTO crossings VALUES (1, '2024-05-01 08:00', 1, 3, 10, 1), (2, '2024-05-01 09:00', 1, 2, 20, 1),
  (3, '2024-05-02 08:00', 3, 1, 5, 2), (4, '2024-05-02 10:00', 2, 2, 7, 1), (5, '2024-05-03 08:00', 1, 3, 30, NULL),
  (6, '2024-05-04 08:00', 4, 3, 2, 1), (7, '2024-05-05 08:00', 2, 3, 9, 2);
";

fn yard() -> Desk {
    Desk::of(YARD)
}

const OF_BOTH: &str = "FROM builders b JOIN builders s ON s.builder_id = b.supervisor_id";

fn named(test: &str) -> String {
    format!("SELECT b.full_name {OF_BOTH} WHERE {test}")
}

#[test]
fn a_number_or_a_date_is_set_against_that_of_whoever_leads() {
    let desk = yard();
    let told = desk.check("which builders charge more than their supervisor?", &named("b.day_rate > s.day_rate"));
    desk.assumes(&told, "builders.day_rate is set against that of the row that builders.supervisor_id refers to.");
    desk.check("builders with a lower day rate than their supervisor", &named("b.day_rate < s.day_rate"));
    desk.check("builders whose day rate is at least their boss's day rate", &named("b.day_rate >= s.day_rate"));
    desk.check("builders whose supervisor charges less than they do", &named("b.day_rate > s.day_rate"));
    desk.check("builders hired before their supervisor", &named("b.hired_on < s.hired_on"));
    desk.check("builders hired after their manager was", &named("b.hired_on > s.hired_on"));
    desk.check("builders older than their supervisor", &named("b.born_on < s.born_on"));
    desk.check(
        "how many builders are younger than their boss?",
        &format!("SELECT COUNT(*) {OF_BOTH} WHERE b.born_on > s.born_on"),
    );
    let share = format!("SELECT 100.0 * COUNT(*) / 7 {OF_BOTH} WHERE b.hired_on < s.hired_on");
    desk.check("what percentage of builders were hired before their supervisor", &share);
}

#[test]
fn what_is_held_version_after_version_is_the_current_one_on_both_sides() {
    let desk = yard();
    let both = "JOIN salaries o ON o.builder_id = b.builder_id AND o.valid_to IS NULL \
                JOIN salaries t ON t.builder_id = s.builder_id AND t.valid_to IS NULL";
    let more = format!("SELECT b.full_name {OF_BOTH} {both} WHERE o.salary > t.salary");
    for question in [
        "builders who currently earn more than their supervisor currently does",
        "who earns more than the boss?",
        "builders with a higher salary than their supervisor",
        "builders whose salary is higher than their supervisor's salary",
        "builders whose supervisor earns less than they do",
    ] {
        let told = desk.check(question, &more);
        desk.assumes(&told, "Of salaries the row without valid_to is taken on both sides");
    }
    let less = format!("SELECT COUNT(*) {OF_BOTH} {both} WHERE o.salary < t.salary");
    desk.check("how many builders earn less than their supervisor", &less);
    desk.refused("builders who earned more than their supervisor in 2017", "“2017” cannot be said of it");
}

#[test]
fn two_rows_are_in_the_same_place_or_in_another() {
    let desk = yard();
    desk.check("builders in the same shed as their supervisor", &named("b.shed_id = s.shed_id"));
    let told = desk.check("builders whose supervisor works in another shed", &named("b.shed_id <> s.shed_id"));
    desk.assumes(&told, "Rows without builders.supervisor_id");
    desk.check("builders whose supervisor has a different trade", &named("b.trade <> s.trade"));
    let town = format!(
        "SELECT b.full_name {OF_BOTH} JOIN sheds x ON x.shed_id = b.shed_id JOIN sheds y ON y.shed_id = s.shed_id \
         WHERE x.town_id <> y.town_id"
    );
    desk.check("builders whose supervisor works in another town", &town);
}

#[test]
fn who_reports_to_whom_is_asked_from_either_end() {
    let desk = yard();
    let under = |name: &str| named(&format!("s.full_name = '{name}'"));
    for question in [
        "who reports to Bo Lind?",
        "builders who report directly to Bo Lind",
        "builders supervised by Bo Lind",
        "Bo Lind's direct reports",
    ] {
        let told = desk.check(question, &under("Bo Lind"));
        desk.assumes(&told, "“Bo Lind” is a value of builders.supervisor_id.");
    }
    let over = format!("SELECT s.full_name {OF_BOTH} WHERE b.full_name = 'Di Nord'");
    desk.check("who does Di Nord report to?", &over);
    desk.check("who supervises Di Nord?", &over);
    desk.check("who is the supervisor of Di Nord?", &over);
    let count = format!("SELECT COUNT(*) {OF_BOTH} WHERE s.full_name = 'Bo Lind'");
    desk.check("how many builders does Bo Lind supervise?", &count);
    desk.check("how many reports does Bo Lind have?", &count);
    desk.refused("builders reporting to supervisors in Aalvik", "“reporting”");
}

#[test]
fn those_who_report_to_nobody_are_no_group() {
    let desk = yard();
    let each = format!("SELECT s.full_name, COUNT(*) {OF_BOTH} GROUP BY s.builder_id");
    desk.check("how many builders report directly to each supervisor?", &each);
    desk.check("how many direct reports does each manager have?", &each);
    desk.check("supervisors with more than 1 report", &format!("{each} HAVING COUNT(*) > 1"));
    desk.check("who supervises the most builders?", &format!("{each} ORDER BY 2 DESC LIMIT 1"));
    desk.check("which supervisor has the fewest direct reports?", &format!("{each} HAVING COUNT(*) = 1"));
    desk.check("builders without a supervisor", "SELECT full_name FROM builders WHERE supervisor_id IS NULL");
}

#[test]
fn those_whom_others_report_to_are_rows_as_well() {
    let desk = yard();
    let leads = "builder_id IN (SELECT supervisor_id FROM builders)";
    let told = desk.check("list all supervisors", &format!("SELECT full_name FROM builders WHERE {leads}"));
    desk.assumes(&told, "at least one row refers to them");
    desk.check("average day rate of supervisors", &format!("SELECT AVG(day_rate) FROM builders WHERE {leads}"));
    let current = format!("SELECT AVG(salary) FROM salaries WHERE valid_to IS NULL AND {leads}");
    desk.check("average salary of managers", &current);
    let not = "builder_id NOT IN (SELECT supervisor_id FROM builders WHERE supervisor_id IS NOT NULL)";
    desk.check("builders who are not supervisors", &format!("SELECT full_name FROM builders WHERE {not}"));
    let boats = format!("SELECT boat_name FROM boats WHERE {leads}");
    desk.check("boats built by supervisors", &boats);
}

#[test]
fn departures_and_arrivals_are_counted_by_different_keys() {
    let desk = Desk::of(FERRY);
    let by =
        |key: &str| format!("SELECT pier_name, COUNT(*) FROM crossings JOIN piers ON pier_no = {key} GROUP BY pier_no");
    let told =
        desk.check("which pier had the most departures?", &format!("{} ORDER BY 2 DESC LIMIT 1", by("from_pier")));
    desk.assumes(&told, "“departures” are crossings by crossings.from_pier.");
    desk.check("the two piers with the most arrivals", &format!("{} ORDER BY 2 DESC LIMIT 2", by("to_pier")));
    desk.check("arrivals per pier", &by("to_pier"));
    desk.check("crossings per start pier", &by("from_pier"));
    desk.check("how many crossings end at each pier", &by("to_pier"));
    let at = |test: &str| format!("SELECT COUNT(*) FROM crossings WHERE {test}");
    desk.check("number of arrivals at Lighthouse", &at("to_pier = 2"));
    desk.check("how many crossings started at Old Mill", &at("from_pier = 1"));
    let east = "SELECT SUM(passengers) FROM crossings JOIN piers ON pier_no = to_pier WHERE shore = 'east'";
    desk.check("total passengers of crossings that ended on the east shore", east);
    desk.refused("departures and arrivals per pier", "“departures”, “arrivals”");
}

#[test]
fn the_two_ends_are_set_against_each_other() {
    let desk = Desk::of(FERRY);
    let count = |key: &str| format!("(SELECT COUNT(*) FROM crossings WHERE {key} = pier_no)");
    let more = format!("SELECT pier_name FROM piers WHERE {} > {}", count("to_pier"), count("from_pier"));
    let told = desk.check("piers with more arrivals than departures", &more);
    desk.assumes(&told, "where there are none they count as 0");
    let fewer = format!("SELECT COUNT(*) FROM piers WHERE {} < {}", count("to_pier"), count("from_pier"));
    desk.check("how many piers have fewer arrivals than departures", &fewer);
    let same = "SELECT crossing_no FROM crossings WHERE from_pier = to_pier";
    desk.check("crossings that start and end at the same pier", same);
    let differ = "SELECT crossing_no FROM crossings WHERE from_pier <> to_pier";
    desk.check("crossings that start and end at different piers", differ);
    desk.refused("crossings that start and end on the same shore", "“same”");
}

#[test]
fn what_belongs_to_one_end_is_that_of_the_place_it_leads_to() {
    let desk = Desk::of(FERRY);
    let counted =
        "SELECT shore, pier_name, COUNT(*) AS n FROM crossings JOIN piers ON pier_no = from_pier GROUP BY pier_no";
    let busiest = format!(
        "SELECT shore, pier_name FROM ({counted}) AS x WHERE n = \
         (SELECT MAX(n) FROM ({counted}) AS y WHERE y.shore = x.shore)"
    );
    desk.check("busiest start pier on each shore", &busiest);
    let relief =
        "SELECT pilot_name, COUNT(*) FROM crossings JOIN pilots ON pilot_id = relief_pilot_id GROUP BY pilot_id";
    let told = desk.check("which relief has the most crossings?", &format!("{relief} ORDER BY 2 DESC LIMIT 1"));
    desk.assumes(&told, "“relief” is read as crossings.relief_pilot_id.");
}

#[test]
fn whoever_a_key_leads_to_is_shown_with_what_it_is_of() {
    let desk = Desk::of(YARD);
    let of = "SELECT shed_name, full_name FROM sheds LEFT JOIN builders ON builder_id = head_builder_id";
    desk.check("head of each shed", of);
    desk.check("sheds without a head", "SELECT shed_name FROM sheds WHERE head_builder_id IS NULL");
}

const OFFICE: &str = "
CREATE TABLE clerks (clerk_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hired_on DATE,
  reports_to INTEGER REFERENCES clerks);
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_name TEXT);
CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, clerk_id INTEGER REFERENCES clerks,
  pickup_shop_id INTEGER REFERENCES shops, return_shop_id INTEGER REFERENCES shops, return_date DATE);
INSERT INTO clerks VALUES (1, 'Ada', 'Holt', '2005-03-01', NULL), (2, 'Bo', 'Lind', '2010-08-01', 1),
  (3, 'Cy', 'Moe', '2015-02-01', 1), (4, 'Di', 'Nord', '2020-06-01', 2), (5, 'Ed', 'Olsen', '2021-06-01', 1);
INSERT INTO shops VALUES (1, 'Mole'), (2, 'Quay');
INSERT INTO rentals VALUES (1, 4, 1, 2, '2024-01-02'), (2, 4, 1, 2, '2024-01-03'), (3, 5, 2, 1, '2024-01-04');
";

#[test]
fn a_last_name_alone_is_whom_others_report_to() {
    let desk = Desk::of(OFFICE);
    let both = "FROM clerks b JOIN clerks s ON s.clerk_id = b.reports_to";
    let name = "SELECT b.first_name || ' ' || b.last_name";
    desk.check("who reports to Holt", &format!("{name} {both} WHERE s.last_name = 'Holt'"));
    desk.check(
        "how many clerks report to Holt and were hired before 2015",
        &format!("SELECT COUNT(*) {both} WHERE s.last_name = 'Holt' AND b.hired_on < '2015-01-01'"),
    );
    let most = format!("SELECT s.first_name || ' ' || s.last_name, COUNT(*) {both} GROUP BY 1 ORDER BY 2 DESC LIMIT 1");
    desk.check("who has the most reports", &most);
    let returns = "SELECT shop_name, COUNT(*) FROM rentals JOIN shops ON shop_id = return_shop_id GROUP BY 1";
    desk.check("returns per shop", returns);
}

#[test]
fn what_is_said_of_whoever_leads_is_never_left_out() {
    let desk = yard();
    desk.refused("builders whose supervisor was hired in 2005", "is said of the supervisor here");
    desk.refused("builders who report to Bo Lind's supervisor", "a second step");
    desk.refused("builders reviewed by their own supervisor", "reviewed");
    desk.check("builders whose supervisor is Bo Lind", &named("s.full_name = 'Bo Lind'"));
    let ferry = Desk::of(&format!(
        "{FERRY} CREATE TABLE crates (crate_id INTEGER PRIMARY KEY, crossing_no INTEGER REFERENCES crossings);
         INSERT INTO crates VALUES (1, 1), (2, 3);"
    ));
    let ended = "SELECT COUNT(*) FROM crates JOIN crossings c USING (crossing_no) JOIN piers ON pier_no = c.to_pier
                 WHERE pier_name = 'Old Mill'";
    ferry.check("how many crates ended in Old Mill", ended);
}

#[test]
fn rows_of_their_own_table_by_a_key_that_is_not_declared_are_not_guessed() {
    let desk = Desk::of(
        "CREATE TABLE rowers (rowerNo INTEGER, name TEXT, club TEXT, recruitedBy INTEGER);
         INSERT INTO rowers VALUES (11, 'Ada Holt', 'Red', NULL), (12, 'Bo Lind', 'Red', 11), (13, 'Cy Moe', 'Blue', 11);
         CREATE TABLE holders (id INTEGER PRIMARY KEY, name TEXT);
         CREATE TABLE bonds (id INTEGER PRIMARY KEY, holder_id INTEGER REFERENCES holders,
           guarantor_id INTEGER REFERENCES holders, rent REAL);
         INSERT INTO holders VALUES (1, 'Di Nord'), (2, 'Ed Olsen');
         INSERT INTO bonds VALUES (1, 1, 2, 5), (2, 2, NULL, 6);",
    );
    let told = desk.ask("how many rowers were recruited by Ada Holt");
    assert!(told["table"].is_null(), "{told}");
    desk.refused("guarantors who are also holders", "is not told yet");
}

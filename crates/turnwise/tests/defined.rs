//! What a person said words mean, used in later questions: words for rows that pass a test, numbers under names of
//! their own, what was used once and is said otherwise now, and how a definition is taken back. Each talk goes through
//! the program, and each number is worked out by SQL here. Next: `meant`, where the program asks for a meaning.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// Bookings of a boat hire; the file holds no table that is called otherwise.
const BOATS: &str = "
CREATE TABLE bookings (id INTEGER PRIMARY KEY, booked_on TEXT, harbour TEXT, boat TEXT, guests INTEGER, price INTEGER);
INSERT INTO bookings VALUES
  (1, '2023-02-01', 'Kiel', 'Canoe', 2, 20), (2, '2023-03-01', 'Kiel', 'Dinghy', 7, 140),
  (3, '2023-04-01', 'Husum', 'Canoe', 8, 75), (4, '2023-05-01', 'Husum', 'Dinghy', 1, 25),
  (5, '2024-02-01', 'Kiel', 'Dinghy', 9, 160), (6, '2024-03-01', 'Kiel', 'Canoe', 6, 55),
  (7, '2024-04-01', 'Husum', 'Dinghy', 3, 60), (8, '2024-05-01', 'Husum', 'Canoe', 5, 52);
";

fn boats() -> Desk {
    Desk::of(BOATS)
}

/// The lines of what was printed, with one space where there are several.
fn lines(told: &str) -> Vec<String> {
    told.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[track_caller]
fn holds_rows(desk: &Desk, told: &str, sql: &str) {
    let found = lines(told);
    for row in desk.rows(sql) {
        let row: Vec<String> =
            row.iter().map(|cell| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned)).collect();
        assert!(found.contains(&row.join(" ")), "no {row:?} in {told}");
    }
}

#[test]
fn a_word_for_rows_that_pass_a_test_filters_rows_and_not_totals() {
    let desk = boats();
    let defined = "long bookings means guests greater than 5";
    let told = desk.talk(&[defined, "how many long bookings are there?", "y"]);
    assert!(
        told.contains("Number of bookings: 4.") && told.contains("long bookings = guests greater than 5"),
        "{told}"
    );
    let told = desk.talk(&[defined, "number of long bookings by harbour", "y"]);
    holds_rows(&desk, &told, "SELECT harbour, COUNT(*) FROM bookings WHERE guests > 5 GROUP BY 1");
    let told = desk.talk(&[defined, "number of long bookings in 2024", "y"]);
    assert!(told.contains("Number of bookings: 2."), "{told}");
    let told = desk.talk(&[defined, "number of bookings by boat", "y", "only long bookings", "y"]);
    holds_rows(&desk, &told, "SELECT boat, COUNT(*) FROM bookings WHERE guests > 5 GROUP BY 1");
    let told = desk.talk(&[defined, "list long bookings", "y"]);
    assert!(told.contains("4 rows"), "{told}");
}

#[test]
fn rows_called_by_a_word_of_their_own_are_those_of_the_tested_table() {
    let desk = boats();
    let defined = "dear trips means price above 54";
    let told = desk.talk(&[defined, "number of dear trips by harbour", "y"]);
    assert!(told.contains("dear trips = bookings with price above 54"), "{told}");
    holds_rows(&desk, &told, "SELECT harbour, COUNT(*) FROM bookings WHERE price > 54 GROUP BY 1");
    let told = desk.talk(&[defined, "average guests of dear trips", "y"]);
    let wanted = desk.rows("SELECT printf('%.2f', AVG(guests)) FROM bookings WHERE price > 54")[0][0].clone();
    assert!(told.contains(&format!("Average guests: {}", wanted.as_str().unwrap())), "{wanted}: {told}");
}

#[test]
fn a_defined_number_goes_by_its_own_name_beside_the_column_it_is_made_of() {
    let desk = boats();
    let defined = "by margin I mean price minus guests";
    let told = desk.talk(&[defined, "margin by harbour", "y"]);
    assert!(lines(&told).contains(&"harbour margin".to_owned()) && told.contains("Margin: highest"), "{told}");
    let told = desk.talk(&[defined, "margin and price by harbour", "y"]);
    assert!(lines(&told).contains(&"harbour margin price".to_owned()), "{told}");
    holds_rows(&desk, &told, "SELECT harbour, SUM(price - guests), SUM(price) FROM bookings GROUP BY 1");
    let told = desk.talk(&[defined, "average margin by harbour", "y"]);
    assert!(lines(&told).contains(&"harbour average margin".to_owned()), "{told}");
}

#[test]
fn a_lasting_condition_is_refused_and_never_taken_for_a_meaning() {
    let desk = boats();
    for said in ["use only 2024 from now on", "from now on use only Kiel", "always use Canoe"] {
        let told = desk.talk(&[said, "/facts"]);
        assert!(told.contains("conditions are not kept") && told.contains("No facts yet"), "{said}: {told}");
    }
}

#[test]
fn an_older_result_is_traced_to_the_definition_it_was_made_with() {
    let desk = boats();
    let before = ["by margin I mean price minus guests", "margin by harbour", "y", "by margin I mean price"];
    for asked in ["how did you get that?", "/facts show margin_by_harbour"] {
        let told = desk.talk(&[&before[..], &[asked]].concat());
        let after = told.rsplit_once("It replaces").unwrap().1;
        assert!(after.contains("price minus guests (told by you in message 1"), "{asked}: {told}");
        assert!(!after.contains("meaning_of_margin = price (told"), "{asked}: {told}");
    }
}

/// Two definitions, the one's name within the other's.
const TWO: [&str; 2] = ["by margin I mean price minus guests", "by gross margin I mean price"];

#[test]
fn forgetting_wants_the_whole_name_and_offers_what_only_fits() {
    let desk = boats();
    let told = desk.talk(&[TWO[1], "/facts pin meaning_of_gross_margin", "/facts forget gross", "/facts"]);
    assert!(told.contains("is pinned, and is forgotten by its whole name only"), "{told}");
    assert!(told.contains("1 fact held (pinned: meaning_of_gross_margin)"), "{told}");
    let told = desk.talk(&[TWO[0], TWO[1], "/facts forget meaning_of_margin", "/facts"]);
    assert!(told.contains("Forgotten: meaning_of_margin.") && told.contains("1 fact held"), "{told}");
    let told = desk.talk(&[TWO[1], "/facts forget gross", "1"]);
    assert!(told.contains("Forget meaning_of_gross_margin?"), "{told}");
    assert!(told.contains("Forgotten: meaning_of_gross_margin."), "{told}");
}

#[test]
fn the_ways_on_of_the_question_whether_to_forget_do_what_they_say() {
    let desk = boats();
    let asked = [TWO[0], "margin by harbour", "y", "/facts forget meaning_of_margin"];
    for yes in ["1", "yes, forget them", "Yes, forget them", "forget them", "y"] {
        let told = desk.talk(&[&asked[..], &[yes]].concat());
        assert!(told.contains("Forgotten: meaning_of_margin") && !told.contains("Kept."), "{yes}: {told}");
    }
    for no in ["2", "No, keep them", "keep them", "don't forget them", "no"] {
        let told = desk.talk(&[&asked[..], &[no]].concat());
        assert!(told.contains("Kept.") && !told.contains("Forgotten:"), "{no}: {told}");
    }
}

#[test]
fn what_asks_or_changes_something_is_no_answer_to_what_a_word_means() {
    let desk = boats();
    let asked = "total coins by boat";
    for said in ["drop the filter", "only Kiel", "price by harbour", "remove the last step"] {
        let told = desk.talk(&[asked, said, "/facts"]);
        assert!(told.contains("What does “coins” mean here?"), "{told}");
        assert!(!told.contains("coins = ") && told.contains("No facts yet"), "{said}: {told}");
    }
    for said in ["no", "neither", "none of these"] {
        let told = desk.talk(&[asked, said, "the price", "y"]);
        assert!(told.contains("say it in your own words"), "{said}: {told}");
        holds_rows(&desk, &told, "SELECT boat, SUM(price) FROM bookings GROUP BY 1");
    }
    let told = desk.talk(&[asked, "price", "y"]);
    holds_rows(&desk, &told, "SELECT boat, SUM(price) FROM bookings GROUP BY 1");
}

#[test]
fn a_number_of_the_rows_called_so_stands_beside_that_of_all() {
    let desk = boats();
    let defined = "long bookings means guests greater than 5";
    let told = desk.talk(&[defined, "number of bookings and number of long bookings by harbour", "y"]);
    holds_rows(&desk, &told, "SELECT harbour, COUNT(*), SUM(guests > 5) FROM bookings GROUP BY 1");
}

#[test]
fn what_stands_for_a_definition_inside_is_only_a_text_when_it_is_typed() {
    let desk = boats();
    for typed in
        ["\"definedvalue999x0x1\"", "\"definedamount999x0 x\"", "\"definedamount0x999 x\"", "\"definedrows999s\""]
    {
        let told = desk.talk(&[&format!("number of bookings of {typed} by harbour")]);
        assert!(!told.contains("broke down"), "{typed}: {told}");
    }
}

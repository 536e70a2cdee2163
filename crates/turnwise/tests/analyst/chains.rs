//! Conversations of several messages in which each stands on the last result: what is said is short, and what it stands
//! for has to be found, shown, and right to the number. Next: `desk`, which runs the program.

use crate::desk::Desk;

/// Sales of two months of two years; each row is a day, a shop, its country and an amount.
const SALES: &str = "sold_on,shop,country,amount
2023-04-03,North,Canada,50.0
2023-04-20,South,Germany,70.0
2023-05-04,North,Canada,60.0
2023-05-21,South,Germany,20.0
2024-04-02,North,Canada,40.0
2024-04-09,East,Canada,10.0
2024-04-30,South,Germany,80.0
2024-05-02,North,Canada,15.0
2024-05-09,East,Canada,30.0
2024-05-30,South,Germany,25.0
2024-06-11,South,Germany,90.0
2024-06-30,East,Canada,5.0
";

fn talk(lines: &[&str]) -> String {
    Desk::with("sales.csv", SALES).talk(lines)
}

/// The rows of the last table that was shown, its cells with one blank between them.
fn last_rows(told: &str) -> Vec<String> {
    let lines: Vec<&str> = told.lines().collect();
    let rule = lines.iter().rposition(|line| line.starts_with('─')).unwrap_or_else(|| panic!("no table: {told}"));
    let plain = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_row = |line: &&&str| line.contains("  ");
    std::iter::once(&lines[rule - 1]).chain(lines[rule + 1..].iter().take_while(is_row)).map(plain).collect()
}

#[test]
fn what_is_said_after_why_is_about_the_two_months_as_wholes() {
    let told = talk(&["total amount by month in 2024", "why did it drop in May?", "y", "only Canada", "y"]);
    // April 40 + 10, May 15 + 30.
    assert_eq!(last_rows(&told), ["April 2024 May 2024 difference change", "50.00 45.00 -5.00 -0.1000"], "{told}");
    let told = talk(&["total amount by month in 2024", "why did it drop in May?", "y", "and by country?", "y"]);
    let expected = [
        "country April 2024 May 2024 difference change",
        "Canada 50.00 45.00 -5.00 -0.1000",
        "Germany 80.00 25.00 -55.00 -0.6875",
    ];
    assert_eq!(last_rows(&told), expected, "{told}");
}

#[test]
fn both_and_them_are_what_was_asked_about_one_after_the_other() {
    let told = talk(&["total amount in Canada", "what about Germany?", "compare them", "y", "by year", "y"]);
    assert!(told.contains("“them” stands for Canada and Germany."), "{told}");
    // 2023: 110 and 90; 2024: 100 and 195.
    let expected = [
        "year Canada Germany difference change",
        "2023 110.00 90.00 -20.00 -0.1818",
        "2024 100.00 195.00 95.00 0.9500",
    ];
    assert_eq!(last_rows(&told), expected, "{told}");
    let told = talk(&["total amount in 2023", "and in 2024?", "compare both", "y"]);
    assert!(told.contains("“both” stands for 2023 and 2024.") && told.contains("2023: 200.00; 2024: 295.00"), "{told}");
    let told = talk(&["total amount by year", "compare them"]);
    assert!(told.contains("“them” stands for nothing here"), "{told}");
}

#[test]
fn the_same_for_another_group_is_by_that_group() {
    let told = talk(&["total amount by country in 2024", "the same for shop", "as a percentage", "y"]);
    // Of 295: North 55, South 195, East 45.
    let rows = last_rows(&told);
    assert_eq!(rows[0], "shop total amount share", "{told}");
    for (row, expected) in rows[1..].iter().zip(["East 45.00 0.1525", "North 55.00 0.1864", "South 195.00 0.6610"]) {
        assert_eq!(row, expected, "{told}");
    }
}

#[test]
fn names_in_order_are_an_order_and_not_another_question() {
    let told = talk(&["top 2 shops by total amount", "sort by name", "y"]);
    // South 285, North 165: in the order of their names North is first.
    assert!(told.contains("In the order of their names: North (165"), "{told}");
    let told = talk(&["total amount by shop", "sort it by name descending"]);
    assert_eq!(last_rows(&told)[1..].iter().map(|row| &row[..5]).collect::<Vec<_>>(), ["South", "North", "East "]);
    let told = talk(&["total amount by shop", "sort alphabetically", "highest first"]);
    let drawn: Vec<&str> = told.trim_end().lines().rev().take(3).collect();
    assert!(drawn[2].starts_with("South") && drawn[2].ends_with("285.00") && drawn[0].starts_with("East"), "{told}");
}

#[test]
fn what_a_change_is_made_to_is_shown() {
    let told = talk(&["total amount by country", "total amount by shop", "only 2024"]);
    assert!(told.contains("Revising “total amount by shop”: “only 2024”."), "{told}");
    // East 45, North 55, South 195.
    assert_eq!(last_rows(&told)[1..], ["East 45.00", "North 55.00", "South 195.00"], "{told}");
}

#[test]
fn days_of_two_months_are_set_side_by_side_by_their_number() {
    let told = talk(&["total amount in 2024", "why did it drop in May?", "y", "by day", "y"]);
    let rows = last_rows(&told);
    // The second: 40 in April, 15 in May; the first: none in either.
    assert!(rows.contains(&"02 40.00 15.00 -25.00 -0.6250".to_owned()), "{told}");
    assert!(rows.contains(&"01 0 0 0 –".to_owned()), "{told}");
    assert!(told.contains("31 rows side by side"), "{told}");
}

#[test]
fn a_pie_is_drawn_as_a_stacked_bar_and_that_is_said() {
    let told = talk(&["total amount by country", "now as a pie chart"]);
    assert!(told.contains("as a stacked bar, which is drawn in place of a pie"), "{told}");
}

#[test]
fn what_no_data_names_is_said_to_be_unknown_and_not_asked_back() {
    let told = talk(&["what is the capital of Peru?"]);
    assert!(told.contains("“capital”, “Peru” do not stand for anything in this data"), "{told}");
    assert!(!told.contains("Which is it?"), "{told}");
}

#[test]
fn what_is_to_be_remembered_is_kept_and_named_by_what_uses_it() {
    let told = talk(&["remember that big sales means sales over 60", "how many big sales are there", "/facts"]);
    // 70, 80 and 90.
    assert!(told.contains("Number of sales: 3."), "{told}");
    assert!(told.contains("big sales = sales over 60 (you said so on message 1)"), "{told}");
    assert!(told.contains("meaning_of_big_sale = sales over 60"), "{told}");
    // What the data cannot say yet is kept all the same, and told by what uses it.
    let told = talk(&["remember that active users means 30-day logins", "/facts", "how many active users are there"]);
    assert!(told.contains("Noted: active users means 30-day logins."), "{told}");
    assert!(told.contains("meaning_of_active_user = 30-day logins (told by you"), "{told}");
    assert!(told.contains("“active users” was said to mean “30-day logins”"), "{told}");
}

/// Logins of three people over a quarter; two of them in its last thirty days.
#[test]
fn days_of_logins_are_counted_back_from_the_end_of_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("users.db");
    let made = "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE logins(id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), logged_on DATE);
        INSERT INTO users VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
        INSERT INTO logins VALUES (1, 1, '2024-01-05'), (2, 2, '2024-03-01'), (3, 3, '2024-03-20'), (4, 2, '2024-03-19');";
    rusqlite::Connection::open(&path).unwrap().execute_batch(made).unwrap();
    let desk = Desk { folder, data: "users.db".to_owned() };
    let told = desk.talk(&["remember that active users means 30-day logins", "how many active users are there?"]);
    assert!(told.contains("Number of users: 2.") && told.contains("active users = users with logins"), "{told}");
}

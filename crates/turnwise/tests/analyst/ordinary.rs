//! Ordinary ways of asking that say no more than the data knows: both ends of a date, a number before "the most", verbs
//! and nouns that only link, other names of a column, and a value found twice in one row. Beside each stands what looks
//! alike and must still be refused or asked about. Next: `sides`.

use turnwise_analyst::Analyst;

use crate::ask::{self, Asked};
use crate::made::{not_answered, over_files, told};

const GUESTS: &str = "guest_id,full_name,town,dob\n1,Ann Lee,Oslo,1990-01-02\n2,Bob Ray,Rome,1985-03-04\n\
    3,Cid Fox,Oslo,1970-05-06\n4,Dee Poe,Bonn,2000-07-08\n";
const STAFF: &str = "staff_id,full_name\n1,Mia May\n2,Noa Orr\n";
const BOOKINGS: &str = "booking_id,guest_id,staff_id,booking_purchase_time,booking_approved_at,amount\n\
    1,1,1,2023-01-10,2023-02-11,10\n2,1,2,2023-02-12,2023-03-01,20\n3,2,1,2023-02-14,2023-03-02,5\n\
    4,3,2,2024-05-16,2024-06-01,40\n5,4,1,2024-06-17,2024-06-18,1\n";
const LANDS: &str = "land_id,land_name,local_name,people,area\n1,Mexico,Mexico,130,1960\n2,Germany,Deutschland,84,357\n\
    3,Chile,Chile,19,756\n4,Panama,Panama,4,75\n";
const TOWNS: &str = "town_id,land_id,town_name,inhabitants\n1,1,Puebla,3\n2,1,Merida,1\n3,2,Bonn,2\n4,3,Arica,5\n";
const TONGUES: &str = "land_id,tongue,share\n1,Spanish,92\n1,Nahuatl,1\n2,German,95\n3,Spanish,99\n4,Spanish,90\n";
const RESULTS: &str =
    "result_id,race_id,driver_id,outcome\n1,1,1,Engine\n2,2,1,Finished\n3,1,2,Engine\n4,2,3,Collision\n";
const RACES: &str = "race_id,race_name\n1,Hill\n2,Lake\n";
const DRIVERS: &str = "driver_id,full_name\n1,Max Roe\n2,Lea Sun\n3,Kim Dow\n4,Ida Fry\n";
const FILMS: &str = "film_id,title,length,showing_minutes\n1,Alma,90,100\n2,Brio,120,130\n3,Cleo,100,105\n";

fn hotel() -> (tempfile::TempDir, Analyst) {
    over_files(&[("guests", GUESTS), ("staff", STAFF), ("bookings", BOOKINGS)])
}

fn lands() -> (tempfile::TempDir, Analyst) {
    over_files(&[("lands", LANDS), ("towns", TOWNS), ("speech", TONGUES)])
}

fn race() -> (tempfile::TempDir, Analyst) {
    over_files(&[("results", RESULTS), ("races", RACES), ("drivers", DRIVERS)])
}

#[test]
fn both_ends_of_a_date_are_its_least_and_greatest() {
    let (_folder, analyst) = hotel();
    for question in [
        "when were the first and the last bookings purchased?",
        "what are the dates of the earliest and the latest bookings purchased?",
        "earliest and latest booking purchase time",
    ] {
        let rows = told(&analyst, question);
        assert_eq!(rows.len(), 1, "{question}");
        assert!(rows[0][0].starts_with("2023-01-10") && rows[0][1].starts_with("2024-06-17"), "{question}: {rows:?}");
    }
}

#[test]
fn rows_at_both_ends_are_no_list() {
    let (_folder, analyst) = hotel();
    not_answered(&analyst, "show the first and the last booking");
    not_answered(&analyst, "when were the first 2 and the last 2 bookings purchased?");
    not_answered(&analyst, "amounts of the earliest and the latest bookings");
}

#[test]
fn a_number_before_the_most_is_how_many() {
    let (_folder, analyst) = hotel();
    let rows = told(&analyst, "which 2 guests have paid the most in total?");
    let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["Cid Fox", "Ann Lee"]);
    not_answered(&analyst, "which 2 guests are from Oslo?");
}

#[test]
fn a_verb_picks_the_date_called_by_it() {
    let (_folder, analyst) = hotel();
    assert_eq!(told(&analyst, "how many bookings were purchased in February 2023?"), [["2"]]);
    assert_eq!(told(&analyst, "how many bookings were approved in February 2023?"), [["1"]]);
    not_answered(&analyst, "how many bookings were refunded in February 2023?");
    not_answered(&analyst, "how many bookings were cancelled per month?");
}

#[test]
fn verbs_of_relations_and_members_of_staff_only_link() {
    let (_folder, analyst) = hotel();
    assert_eq!(told(&analyst, "total amount collected by staff member Mia May"), [["16"]]);
    assert_eq!(told(&analyst, "total amount by staff member").len(), 2);
    not_answered(&analyst, "total amount refunded by staff member Mia May");
    not_answered(&analyst, "how many bookings were collected?");
}

#[test]
fn another_name_of_a_column_is_the_column() {
    let (_folder, analyst) = hotel();
    let rows = told(&analyst, "full name and date of birth of the guests from Rome");
    assert!(rows.len() == 1 && rows[0].iter().any(|cell| cell.starts_with("1985-03-04")), "{rows:?}");
    not_answered(&analyst, "full name and date of death of the guests from Rome");
}

#[test]
fn what_is_spoken_in_the_world_is_all_there_is() {
    let (_folder, analyst) = lands();
    assert_eq!(told(&analyst, "how many different tongues are spoken in the world?"), [["3"]]);
    assert_eq!(told(&analyst, "in how many lands is Spanish spoken?"), [["3"]]);
    not_answered(&analyst, "in how many lands is Spanish forbidden?");
    not_answered(&analyst, "how many different tongues are forbidden?");
}

#[test]
fn a_value_that_stands_twice_in_one_row_is_not_asked_about() {
    let (_folder, analyst) = lands();
    assert_eq!(told(&analyst, "how many towns are in Mexico?"), [["2"]]);
    let elsewhere = LANDS.replace("2,Germany,Deutschland", "2,Germany,Chile");
    let (_folder, analyst) = over_files(&[("lands", &elsewhere), ("towns", TOWNS)]);
    let asked = ask::run(&analyst, &ask::task("how many towns are in Chile?"));
    assert!(matches!(&asked, Asked::Unclear { choices, .. } if choices.len() == 2), "{asked:?}");
}

#[test]
fn named_rows_are_compared_by_their_columns() {
    let (_folder, analyst) = lands();
    let rows = told(&analyst, "compare Mexico and Chile by people and area");
    assert_eq!(rows, [["Mexico", "130", "1960"], ["Chile", "19", "756"]]);
    not_answered(&analyst, "compare Mexico and Chile by happiness");
}

#[test]
fn results_that_ended_with_a_value_have_it() {
    let (_folder, analyst) = race();
    assert_eq!(told(&analyst, "how many results ended with outcome Engine?"), [["2"]]);
    let never = told(&analyst, "which drivers never took part in a race?");
    assert!(never.len() == 1 && never[0].contains(&"Ida Fry".to_owned()), "{never:?}");
    not_answered(&analyst, "how many results ended with a protest?");
}

#[test]
fn a_column_of_the_table_named_before_it_is_meant() {
    let (_folder, analyst) = over_files(&[("films", FILMS)]);
    assert_eq!(told(&analyst, "what is the median film length?"), [["100.00"]]);
    not_answered(&analyst, "what is the median film weight?");
}

const ITEMS: &str = "item_id,seller_id,quantity,price_each\n1,1,2,10\n2,1,1,5\n3,2,3,4\n";
const SELLERS: &str = "seller_id,seller_name,team\n1,Ada Fox,IT\n2,Ben Cox,Sales\n3,Cem Dal,IT\n";

#[test]
fn a_formula_in_brackets_is_what_the_word_means() {
    let (_folder, analyst) = over_files(&[("items", ITEMS), ("sellers", SELLERS)]);
    let rows = told(&analyst, "total sales (quantity times price each) by seller name");
    assert_eq!(rows, [["Ada Fox", "25"], ["Ben Cox", "12"]]);
    not_answered(&analyst, "total sales (quantity times flavour) by seller name");
}

#[test]
fn what_was_never_done_to_one_of_them_was_never_done() {
    let (_folder, analyst) = over_files(&[("items", ITEMS), ("sellers", SELLERS)]);
    let rows = told(&analyst, "name and team of sellers who have never sold an item");
    assert!(rows.len() == 1 && rows[0].contains(&"Cem Dal".to_owned()), "{rows:?}");
    not_answered(&analyst, "sellers who have never sold a castle");
}

#[test]
fn a_small_word_in_capitals_is_the_value_it_is() {
    let (_folder, analyst) = over_files(&[("items", ITEMS), ("sellers", SELLERS)]);
    assert_eq!(told(&analyst, "how many sellers are in the IT team?"), [["2"]]);
    not_answered(&analyst, "how many sellers are in the HR team?");
}

const DEPOTS: &str = "depot_id,depot_name,country\n1,IT,DE\n2,Bonn,IT\n3,Rome,IT\n";
const WORKERS: &str = "worker_id,depot_id,salary\n1,1,10\n2,2,20\n3,3,30\n";

#[test]
fn a_name_right_before_its_rows_is_one_of_them() {
    let (_folder, analyst) = over_files(&[("depots", DEPOTS), ("workers", WORKERS)]);
    assert_eq!(told(&analyst, "average salary in the IT depot"), [["10.00"]]);
    not_answered(&analyst, "average salary in the XY depot");
}

#[test]
fn a_share_of_a_number_is_one_of_its_total() {
    let (_folder, analyst) = lands();
    let rows = told(&analyst, "what share of the people lives in Mexico?");
    assert!(rows[0].iter().any(|cell| cell.starts_with("0.54") || cell.starts_with("54.")), "{rows:?}");
    let (_folder, analyst) = hotel();
    not_answered(&analyst, "what share of the age is in Oslo?");
}

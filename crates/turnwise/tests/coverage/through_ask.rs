//! Questions that once were answered as if a word had not been said, through `turnwise ask`: each is answered rightly,
//! asked about, refused by the word, or answered with the word named as not used. Next: `random`.

use serde_json::Value;

use crate::desk::Desk;

const STATES: &str = "
CREATE TABLE state(state_name TEXT PRIMARY KEY, population INT, area REAL, capital TEXT REFERENCES city(city_name));
CREATE TABLE city(city_name TEXT PRIMARY KEY, population INT, state_name TEXT);
CREATE TABLE highlow(state_name TEXT REFERENCES state(state_name), highest_point TEXT, lowest_point TEXT);
INSERT INTO city VALUES('austin',345000,'texas'),('houston',1600000,'texas'),('columbus',564000,'ohio'),('juneau',19528,'alaska');
INSERT INTO state VALUES('texas',14000000,266000,'austin'),('ohio',10800000,41000,'columbus'),('alaska',400000,591000,'juneau');
INSERT INTO highlow VALUES('texas','guadalupe peak','gulf'),('ohio','campbell hill','ohio river'),('alaska','denali','ocean');
";

const CLINIC: &str = "
CREATE TABLE patients(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE appointments(id INTEGER PRIMARY KEY, patient_id INT REFERENCES patients(id), visit_type TEXT, scheduled_at TEXT, labels TEXT);
INSERT INTO patients VALUES(1,'Ann'),(2,'Bob'),(3,'Cid');
INSERT INTO appointments VALUES(1,1,'checkup','2024-01-02','[]'),(2,2,'urgent','2024-02-02','[\"bug\"]'),
  (3,1,'checkup','2024-03-02','[]'),(4,3,'follow-up','2024-03-09','[\"a\",\"b\"]');
";

const SENSORS: &str = "
CREATE TABLE sensors(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE readings(id INTEGER PRIMARY KEY, sensor_id INT REFERENCES sensors(id), battery REAL, taken_at TEXT);
INSERT INTO sensors VALUES(1,'s1'),(2,'s2');
INSERT INTO readings VALUES(1,1,90,'2024-01-01'),(2,1,50,'2024-01-02'),(3,2,70,'2024-01-01'),(4,2,60,'2024-01-03');
";

const MUSIC: &str = "
CREATE TABLE artists(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE albums(id INTEGER PRIMARY KEY, title TEXT, artist_id INT REFERENCES artists(id));
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers(id), album_id INT REFERENCES albums(id), total REAL, ordered_on TEXT);
INSERT INTO artists VALUES(1,'Abba'),(2,'Blur'),(3,'Cake');
INSERT INTO albums VALUES(1,'Arrival',1),(2,'Parklife',2),(3,'Fashion',3);
INSERT INTO customers VALUES(1,'Ann','Italy'),(2,'Bob','Spain'),(3,'Cid','Italy');
INSERT INTO orders VALUES(1,1,1,10,'2023-05-01'),(2,1,2,20,'2024-05-01'),(3,2,1,30,'2023-07-01');
";

/// The plan, refusal or question that came of it, in one text.
fn told(desk: &Desk, question: &str) -> Value {
    let told = desk.ask(question);
    println!("{question}: {told:#}");
    told
}

#[test]
fn words_that_do_nothing_are_named() {
    let desk = Desk::of(MUSIC);
    let sold = told(&desk, "how many different artists did we sell");
    let stopped = told(&desk, "which customers stopped buying");
    assert!(!sold["table"].is_null() && stopped["table"].is_null(), "{sold:#} {stopped:#}");
    assert!(stopped["pending"].to_string().contains("Since when?"), "{stopped:#}");
    desk.assumes(&told(&desk, "customers who only bought Arrival"), "“only”");
    desk.assumes(&told(&desk, "customers who bought all albums"), "“all”");
}

#[test]
fn words_of_a_follow_up_are_named_as_well_and_stay_named() {
    let desk = Desk::of(MUSIC);
    let lines = ["number of customers by country", "only those who ever live in Italy", "highest first", "n"];
    let told = desk.talk(&lines);
    let noted = told.matches("Not used: “ever”").count();
    assert!(noted >= 2, "{told}");
    assert_eq!(told.matches("Not used").count(), noted, "{told}");
}

#[test]
fn words_that_only_say_how_it_is_asked_are_not_named() {
    let desk = Desk::of(MUSIC);
    for question in [
        "please, can you tell me how many customers we have? Thanks",
        "I would like to know the total revenue by country",
        "hello, I want to see the number of orders per customer",
        "show me all customers who live in Italy, please",
        "which customers bought Arrival",
    ] {
        let told = told(&desk, question);
        assert!(!told["table"].is_null(), "{told:#}");
        assert!(!told["plan"].to_string().contains("Not used"), "{told:#}");
    }
}

#[test]
fn half_a_name_stands_for_rows_and_an_empty_list_for_nothing() {
    let desk = Desk::of(CLINIC);
    let visits = told(&desk, "how many visits in march 2024");
    desk.assumes(&visits, "says of what type each is");
    let labels = told(&desk, "most common label");
    desk.assumes(&labels, "says that there is no label, and is left out");
}

#[test]
fn the_end_that_was_said_is_the_one_that_is_taken() {
    let desk = Desk::of(SENSORS);
    desk.check("which sensor has the lowest battery", "SELECT 's1', 50");
    desk.check(
        "lowest battery per sensor",
        "SELECT name, MIN(battery) FROM readings r JOIN sensors s ON s.id = r.sensor_id GROUP BY 1",
    );
    let desk = Desk::of(STATES);
    for question in ["the state with the highest point", "which state has the highest point"] {
        let told = told(&desk, question);
        assert!(told["table"].is_null(), "{told:#}");
        assert!(told["answer"].as_str().unwrap().contains("“highest point”"), "{told:#}");
    }
    let capital = told(&desk, "which state capital has the smallest population");
    assert!(capital["table"].is_null(), "{capital:#}");
}

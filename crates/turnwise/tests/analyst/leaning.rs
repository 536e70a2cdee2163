//! Messages that lean on the result before them, over the shop database: what "them" stands for keeps its tests, its
//! ranking and its end, and what stands by itself is asked alone. Next: `followups` for changes of a question.

use rusqlite::Connection;

use crate::ask::{self, Asked};
use crate::chinook::analyst;
use crate::made::hold;

/// What is said one after the other, with the SQL of the last right answer.
const TALKS: &[(&[&str], &str)] = &[
    // Rows that a ranking chose.
    (
        &["top 5 artists by number of albums", "how many tracks do they have?"],
        "SELECT COUNT(*) FROM Track JOIN Album USING(AlbumId) WHERE ArtistId IN
         (SELECT ArtistId FROM Album GROUP BY ArtistId ORDER BY COUNT(*) DESC LIMIT 5)",
    ),
    (
        &["top 5 customers by sales", "also show their country"],
        "SELECT c.FirstName||' '||c.LastName, c.Country, SUM(Total) FROM Customer c JOIN Invoice USING(CustomerId)
         GROUP BY CustomerId ORDER BY SUM(Total) DESC LIMIT 5",
    ),
    (&["top 5 artists by number of albums", "how many are there?"], "SELECT 5"),
    // Rows that tests chose.
    (
        &["list employees in Calgary", "what are their titles?"],
        "SELECT FirstName||' '||LastName, Title FROM Employee WHERE City='Calgary'",
    ),
    (
        &["list employees in Calgary", "what are their titles?", "just their names"],
        "SELECT FirstName||' '||LastName FROM Employee WHERE City='Calgary'",
    ),
    (&["list customers in Brazil", "how many are there?"], "SELECT COUNT(*) FROM Customer WHERE Country='Brazil'"),
    (
        &["list customers in Brazil", "how many invoices do they have?"],
        "SELECT COUNT(*) FROM Invoice JOIN Customer USING(CustomerId) WHERE Country='Brazil'",
    ),
    (
        &["list customers in Brazil", "for each of them, show the number of invoices"],
        "SELECT FirstName||' '||LastName, COUNT(*) FROM Invoice JOIN Customer USING(CustomerId) WHERE Country='Brazil'
         GROUP BY CustomerId",
    ),
    (
        &["list customers in Canada", "which of them are from Toronto?"],
        "SELECT FirstName||' '||LastName FROM Customer WHERE Country='Canada' AND City='Toronto'",
    ),
    (
        &["how many customers are in Canada?", "what are their cities?"],
        "SELECT FirstName||' '||LastName, City FROM Customer WHERE Country='Canada'",
    ),
    (
        &["list customers in Brazil", "is Roberto Almeida among them?"],
        "SELECT FirstName||' '||LastName FROM Customer WHERE FirstName='Roberto' AND LastName='Almeida'",
    ),
    (
        &["list customers in Brazil", "sort them by city"],
        "SELECT FirstName||' '||LastName, City FROM Customer WHERE Country='Brazil'",
    ),
    (
        &["who are the employees?", "which of them is the oldest?"],
        "SELECT FirstName||' '||LastName FROM Employee ORDER BY BirthDate LIMIT 1",
    ),
    (
        &["top 10 genres by number of tracks", "remove the limit"],
        "SELECT Genre.Name, COUNT(*) FROM Track JOIN Genre USING(GenreId) GROUP BY GenreId",
    ),
    // Numbers of what was shown.
    (
        &["list tracks in genre Soundtrack", "what is their length?", "what is the average of them?"],
        "SELECT AVG(Milliseconds) FROM Track JOIN Genre USING(GenreId) WHERE Genre.Name='Soundtrack'",
    ),
    (&["average track length", "and the maximum?"], "SELECT MAX(Milliseconds) FROM Track"),
    (
        &["average track length", "how about the minimum and maximum?"],
        "SELECT MIN(Milliseconds), MAX(Milliseconds) FROM Track",
    ),
    (
        &["number of tracks by genre", "which one is the highest?"],
        "SELECT Genre.Name, COUNT(*) FROM Track JOIN Genre USING(GenreId) GROUP BY GenreId ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (&["number of tracks by genre", "what is the total of these?"], "SELECT COUNT(*) FROM Track"),
    // Each of them, once.
    (
        &["list invoices with their billing country", "without the duplicates"],
        "SELECT DISTINCT BillingCountry FROM Invoice",
    ),
    (
        &["show the country of all customers", "for each of them, count the customers"],
        "SELECT Country, COUNT(*) FROM Customer GROUP BY Country",
    ),
    // A number said before.
    (
        &["average track length", "how many tracks are longer than that?"],
        "SELECT COUNT(*) FROM Track WHERE Milliseconds > (SELECT AVG(Milliseconds) FROM Track)",
    ),
];

/// Each talk ends with the rows that its SQL gives over the music shop.
pub fn check_talks(talks: &[(&[&str], &str)]) {
    let Some(analyst) = analyst() else { return };
    let Some(database) = ask::data("chinook/chinook.sqlite") else { return };
    let connection = Connection::open(database).unwrap();
    hold(&analyst, &connection, talks);
}

/// The last plan of each talk says in an assumption what was taken for granted.
pub fn check_said(talks: &[(&[&str], &str)]) {
    let Some(analyst) = analyst() else { return };
    for (texts, said) in talks {
        let Asked::Answered { plan, .. } = ask::talked(&analyst, texts) else { panic!("{texts:?} is not answered") };
        assert!(plan.assumptions.iter().any(|line| line.contains(said)), "{:?}", plan.assumptions);
    }
}

#[test]
fn what_leans_on_a_result_is_about_its_rows() {
    check_talks(TALKS);
}

#[test]
fn what_it_stands_for_is_said() {
    check_said(&[
        (
            &["list customers in Brazil", "how many invoices do they have?"],
            "“they” stands for the customers found before",
        ),
        (&["top 5 artists by number of albums", "how many tracks do they have?"], "“they” stands for the artists"),
    ]);
}

#[test]
fn a_word_that_stands_for_nothing_is_asked_about_and_not_dropped() {
    let Some(analyst) = analyst() else { return };
    for text in ["what are their names?", "which of them are from Canada?", "how many tracks do they have?"] {
        match ask::run(&analyst, &ask::task(text)) {
            Asked::Refused { explanation } => {
                assert!(explanation.contains("before") || explanation.contains("earlier"))
            }
            other => panic!("“{text}” was answered alone: {other:?}"),
        }
    }
    for text in ["list customers and their countries", "artists and the number of albums they have"] {
        if let Asked::Refused { explanation } = ask::run(&analyst, &ask::task(text)) {
            assert!(!explanation.contains("found before"), "{text}: {explanation}");
        }
    }
}

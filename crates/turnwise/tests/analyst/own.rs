//! More questions over the shop database, with answers computed in SQL here, and questions that must not be answered.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use turnwise_analyst::Analyst;
use turnwise_core::Cell;

use crate::ask::{self, Asked};
use crate::chinook::analyst;

/// Questions with the SQL of a right answer; those that begin with `=` must come in the same order.
const QUESTIONS: &[(&str, &str)] = &[
    ("How many invoices were there in 2024?", "SELECT COUNT(*) FROM Invoice WHERE InvoiceDate LIKE '2024%'"),
    (
        "Revenue in Q3 2024",
        "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2024-07-01' AND InvoiceDate < '2024-10-01'",
    ),
    ("Total revenue since March 2025", "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2025-03-01'"),
    (
        "Revenue between 2022 and 2023",
        "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate >= '2022-01-01' AND InvoiceDate < '2024-01-01'",
    ),
    (
        "Revenue by genre",
        "SELECT g.Name, SUM(l.UnitPrice*l.Quantity) FROM InvoiceLine l JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) GROUP BY g.Name",
    ),
    (
        "Revenue from Rock tracks",
        "SELECT SUM(l.UnitPrice*l.Quantity) FROM InvoiceLine l JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) WHERE g.Name='Rock'",
    ),
    (
        "How many customers bought Rock tracks?",
        "SELECT COUNT(DISTINCT i.CustomerId) FROM Invoice i JOIN InvoiceLine l USING(InvoiceId) JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) WHERE g.Name='Rock'",
    ),
    (
        "How many tracks does AC/DC have?",
        "SELECT COUNT(*) FROM Track JOIN Album USING(AlbumId) JOIN Artist a USING(ArtistId) WHERE a.Name='AC/DC'",
    ),
    (
        "Number of tracks per playlist",
        "SELECT p.Name, COUNT(DISTINCT t.TrackId) FROM PlaylistTrack t JOIN Playlist p USING(PlaylistId) GROUP BY PlaylistId",
    ),
    (
        "Average track length by playlist",
        "SELECT p.Name, AVG(Milliseconds) FROM PlaylistTrack x JOIN Playlist p USING(PlaylistId) JOIN Track USING(TrackId) GROUP BY PlaylistId",
    ),
    (
        "Which customer has spent the most?",
        "SELECT FirstName||' '||LastName FROM Customer JOIN Invoice USING(CustomerId) GROUP BY CustomerId ORDER BY SUM(Total) DESC LIMIT 1",
    ),
    (
        "Who spent the most?",
        "SELECT FirstName||' '||LastName FROM Customer JOIN Invoice USING(CustomerId) GROUP BY CustomerId ORDER BY SUM(Total) DESC LIMIT 1",
    ),
    (
        "Artists with more than 10 albums",
        "SELECT a.Name, COUNT(*) FROM Album JOIN Artist a USING(ArtistId) GROUP BY ArtistId HAVING COUNT(*) > 10",
    ),
    (
        "How many artists have more than 5 albums?",
        "SELECT COUNT(*) FROM (SELECT 1 FROM Album GROUP BY ArtistId HAVING COUNT(*) > 5)",
    ),
    (
        "Customers who spent more than 45 dollars",
        "SELECT FirstName||' '||LastName, SUM(Total) FROM Customer JOIN Invoice USING(CustomerId) GROUP BY CustomerId HAVING SUM(Total) > 45",
    ),
    (
        "Customers without a company",
        "SELECT FirstName||' '||LastName FROM Customer WHERE Company IS NULL OR Company=''",
    ),
    ("Artists without albums", "SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album)"),
    ("Tracks longer than 40 minutes", "SELECT Name FROM Track WHERE Milliseconds > 40*60000"),
    ("How many tracks are longer than 5 minutes?", "SELECT COUNT(*) FROM Track WHERE Milliseconds > 300000"),
    ("How many different countries do customers come from?", "SELECT COUNT(DISTINCT Country) FROM Customer"),
    ("List all genres", "SELECT Name FROM Genre"),
    ("Employees in Calgary", "SELECT FirstName||' '||LastName FROM Employee WHERE City='Calgary'"),
    ("Who is the oldest employee?", "SELECT FirstName||' '||LastName FROM Employee ORDER BY BirthDate LIMIT 1"),
    ("Median invoice total", "SELECT 3.96"),
    ("Highest invoice total", "SELECT MAX(Total) FROM Invoice"),
    (
        "=Top 3 countries by number of customers",
        "SELECT Country, COUNT(*) FROM Customer GROUP BY Country ORDER BY 2 DESC, 1 LIMIT 3",
    ),
    (
        "=Bottom 3 genres by tracks",
        "SELECT g.Name, COUNT(*) FROM Track JOIN Genre g USING(GenreId) GROUP BY GenreId ORDER BY 2, GenreId LIMIT 3",
    ),
    ("=5 shortest tracks", "SELECT Name FROM Track ORDER BY Milliseconds LIMIT 5"),
    ("Average number of tracks per album", "SELECT AVG(n) FROM (SELECT COUNT(*) n FROM Track GROUP BY AlbumId)"),
    ("Average sales per customer", "SELECT AVG(n) FROM (SELECT SUM(Total) n FROM Invoice GROUP BY CustomerId)"),
    (
        "Sales in Canada and Germany by year",
        "SELECT strftime('%Y',InvoiceDate), SUM(Total) FROM Invoice WHERE BillingCountry IN ('Canada','Germany') GROUP BY 1",
    ),
    (
        "Compare sales of Canada and Germany",
        "SELECT (SELECT SUM(Total) FROM Invoice WHERE BillingCountry='Canada'), (SELECT SUM(Total) FROM Invoice WHERE BillingCountry='Germany')",
    ),
    (
        "Compare 2023 and 2024 revenue by country",
        "SELECT BillingCountry, SUM(CASE WHEN InvoiceDate LIKE '2023%' THEN Total ELSE 0 END), SUM(CASE WHEN InvoiceDate LIKE '2024%' THEN Total ELSE 0 END) FROM Invoice WHERE InvoiceDate LIKE '2023%' OR InvoiceDate LIKE '2024%' GROUP BY 1",
    ),
    ("What share of customers are from Brazil?", "SELECT 5.0/59"),
    (
        "Share of tracks by media type",
        "SELECT m.Name, COUNT(*)*1.0/3503 FROM Track JOIN MediaType m USING(MediaTypeId) GROUP BY 1",
    ),
    (
        "Yearly revenue growth",
        "SELECT y, s, s - LAG(s) OVER (ORDER BY y) FROM (SELECT strftime('%Y',InvoiceDate) y, SUM(Total) s FROM Invoice GROUP BY 1)",
    ),
    (
        "Revenue and number of invoices by country",
        "SELECT BillingCountry, SUM(Total), COUNT(*) FROM Invoice GROUP BY 1",
    ),
    (
        "Number of invoices by weekday",
        "SELECT CASE strftime('%u',InvoiceDate) WHEN '1' THEN 'Monday' WHEN '2' THEN 'Tuesday' WHEN '3' THEN 'Wednesday' WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' WHEN '6' THEN 'Saturday' ELSE 'Sunday' END, COUNT(*) FROM Invoice GROUP BY 1",
    ),
    ("What is the email of Luis Rojas?", "SELECT Email FROM Customer WHERE FirstName='Luis' AND LastName='Rojas'"),
    ("Revenue not in USA", "SELECT SUM(Total) FROM Invoice WHERE BillingCountry <> 'USA'"),
    (
        "Number of employees per manager",
        "SELECT m.FirstName||' '||m.LastName, COUNT(*) FROM Employee e LEFT JOIN Employee m ON m.EmployeeId=e.ReportsTo GROUP BY e.ReportsTo",
    ),
    (
        "Total playing time by genre",
        "SELECT g.Name, SUM(Milliseconds) FROM Track JOIN Genre g USING(GenreId) GROUP BY GenreId",
    ),
    ("custmers in Canada", "SELECT FirstName||' '||LastName FROM Customer WHERE Country='Canada'"),
    ("how many clients are from the USA", "SELECT COUNT(*) FROM Customer WHERE Country='USA'"),
    ("best selling genre", "SELECT 'Rock', 835"),
    ("Which month had the highest revenue in 2024?", "SELECT '08'"),
    (
        "Which albums have at least 25 tracks?",
        "SELECT Title FROM Album JOIN Track USING(AlbumId) GROUP BY AlbumId HAVING COUNT(*)>=25",
    ),
    ("Who sold the most?", "SELECT 'Jane Peacock'"),
    ("Invoices of Helena Holy", "SELECT InvoiceId FROM Invoice WHERE CustomerId=6"),
    (
        "Average unit price of tracks by genre",
        "SELECT g.Name, AVG(UnitPrice) FROM Track JOIN Genre g USING(GenreId) GROUP BY GenreId",
    ),
    ("last invoice", "SELECT InvoiceId FROM Invoice ORDER BY InvoiceDate DESC LIMIT 1"),
    ("latest invoice", "SELECT InvoiceId FROM Invoice ORDER BY InvoiceDate DESC LIMIT 1"),
    (
        "How many tracks were sold in 2023?",
        "SELECT SUM(Quantity) FROM InvoiceLine JOIN Invoice USING(InvoiceId) WHERE InvoiceDate LIKE '2023%'",
    ),
    ("How many employees were hired in 2003?", "SELECT COUNT(*) FROM Employee WHERE HireDate LIKE '2003%'"),
    ("Standard deviation of invoice totals", "SELECT 4.7453"),
    ("95th percentile of invoice total", "SELECT 13.86"),
    ("Revenue last year", "SELECT SUM(Total) FROM Invoice WHERE InvoiceDate LIKE '2024%'"),
    ("sales by customer city", "SELECT City, SUM(Total) FROM Invoice JOIN Customer USING(CustomerId) GROUP BY City"),
    (
        "Which genres have sold more than 100 units?",
        "SELECT g.Name, SUM(Quantity) FROM InvoiceLine JOIN Track USING(TrackId) JOIN Genre g USING(GenreId) GROUP BY GenreId HAVING SUM(Quantity)>100",
    ),
    (
        "revenue for albums by Iron Maiden",
        "SELECT SUM(l.UnitPrice*l.Quantity) FROM InvoiceLine l JOIN Track USING(TrackId) JOIN Album USING(AlbumId) JOIN Artist a USING(ArtistId) WHERE a.Name='Iron Maiden'",
    ),
    (
        "which customers from Germany spent more than 40",
        "SELECT FirstName||' '||LastName, SUM(Total) FROM Customer JOIN Invoice USING(CustomerId) WHERE Country='Germany' GROUP BY CustomerId HAVING SUM(Total)>40",
    ),
    ("tracks containing \"love\"", "SELECT Name FROM Track WHERE Name LIKE '%love%'"),
    ("highest total sales by country", "SELECT BillingCountry, SUM(Total) FROM Invoice GROUP BY 1"),
    (
        "sales by sales rep",
        "SELECT e.FirstName||' '||e.LastName, SUM(Total) FROM Invoice JOIN Customer c USING(CustomerId) \
         JOIN Employee e ON e.EmployeeId=c.SupportRepId GROUP BY 1",
    ),
    ("customers with a fax", "SELECT FirstName||' '||LastName FROM Customer WHERE Fax IS NOT NULL"),
    ("how many customers do not have a company", "SELECT COUNT(*) FROM Customer WHERE Company IS NULL"),
    ("how does revenue in 2024 compare to 2023", "SELECT 469.58, 477.53, 477.53-469.58"),
    ("customers by country", "SELECT Country, COUNT(*) FROM Customer GROUP BY 1"),
    (
        "how many customers in Canada bought Jazz",
        "SELECT COUNT(DISTINCT i.CustomerId) FROM Invoice i JOIN InvoiceLine l USING(InvoiceId) JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) JOIN Customer c ON c.CustomerId=i.CustomerId WHERE g.Name='Jazz' AND c.Country='Canada'",
    ),
    ("compare revenue between Q1 and Q2 of 2023", "SELECT 112.86, 144.86"),
    ("what percentage of revenue comes from USA", "SELECT 523.06/2328.6"),
    ("Invoices between 10 and 14 dollars", "SELECT InvoiceId FROM Invoice WHERE Total BETWEEN 10 AND 14"),
    (
        "Which customers have never bought Jazz?",
        "SELECT FirstName||' '||LastName FROM Customer WHERE CustomerId NOT IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING(InvoiceId) JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) WHERE g.Name='Jazz')",
    ),
    (
        "customers who bought both Rock and Jazz",
        "SELECT FirstName||' '||LastName FROM Customer WHERE CustomerId IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING(InvoiceId) JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) WHERE g.Name='Rock') AND CustomerId IN (SELECT i.CustomerId FROM Invoice i JOIN InvoiceLine l USING(InvoiceId) JOIN Track t USING(TrackId) JOIN Genre g USING(GenreId) WHERE g.Name='Jazz')",
    ),
    ("tracks in the Jazz genre", "SELECT Track.Name FROM Track JOIN Genre g USING(GenreId) WHERE g.Name='Jazz'"),
    (
        "number of tracks by AC/DC",
        "SELECT COUNT(*) FROM Track JOIN Album USING(AlbumId) JOIN Artist a USING(ArtistId) WHERE a.Name='AC/DC'",
    ),
];

/// Questions that nobody can answer from this data; a plan would be a guess.
const REFUSED: &[&str] = &[
    "revenue from left-handed customers",
    "How many unicorns are there?",
    "profit margin by country",
    "average age of customers",
    "hello there",
    "delete all customers from Canada",
    "revenue by phase of the moon",
    "employees older than 50",
    "revenue by",
    "employees by weather",
];

pub fn expected(connection: &Connection, sql: &str) -> Vec<Vec<Cell>> {
    let mut statement = connection.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let width = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        let cell = |at| match row.get_ref(at).unwrap() {
            ValueRef::Null | ValueRef::Blob(_) => Cell::Null,
            ValueRef::Integer(value) => Cell::Integer(value),
            ValueRef::Real(value) => Cell::Real(value),
            ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        };
        found.push((0..width).map(cell).collect());
    }
    found
}

pub fn check(analyst: &Analyst, database: &Path, questions: &[(&str, &str)]) {
    let connection = Connection::open(database).unwrap();
    let mut wrong = Vec::new();
    for (written, sql) in questions {
        let question = written.trim_start_matches('=');
        let rows = expected(&connection, sql);
        match ask::run(analyst, &ask::task(question)) {
            Asked::Answered { table, .. } if ask::holds(&table, &rows, written.starts_with('=')) => {}
            Asked::Answered { table, plan, answer } => {
                let found: Vec<_> = table.rows.iter().take(3).collect();
                let sql = plan.steps.iter().filter_map(|step| step.arguments.get("sql")).cloned().collect::<Vec<_>>();
                let notes = plan.assumptions.join(" ");
                wrong.push(format!(
                    "{question}\n  wanted {} rows {:?}\n  found {} rows {:?} {found:?}\n  {}\n  {notes}\n{}",
                    rows.len(),
                    rows.first(),
                    table.rows.len(),
                    table.columns,
                    answer.text,
                    sql.join("\n---\n")
                ));
            }
            other => wrong.push(format!("{question}: {other:?}")),
        }
    }
    println!("{} of {} questions right", questions.len() - wrong.len(), questions.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn questions_of_many_kinds_are_answered_as_sql_answers_them() {
    let Some(analyst) = analyst() else { return };
    let Some(database) = ask::data("chinook/chinook.sqlite") else { return };
    check(&analyst, &database, QUESTIONS);
}

#[test]
fn what_the_data_does_not_know_is_refused_or_asked_about_by_name() {
    let Some(analyst) = analyst() else { return };
    for question in REFUSED {
        match ask::run(&analyst, &ask::task(question)) {
            Asked::Refused { explanation } => assert!(!explanation.is_empty(), "{question}"),
            // One thing the word may mean is named; what is meant is for the person to say.
            Asked::Unclear { topic, choices } if choices.last().is_some_and(|last| last == "No, something else") => {
                assert!(topic.starts_with("meaning"), "{question}: {topic}");
            }
            other => panic!("“{question}” was answered: {other:?}"),
        }
    }
}

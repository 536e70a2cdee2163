//! Follow-ups that say a piece of a question, or speak of one row, over the shop database: what they leave unsaid is
//! what was asked before, and where it cannot be known, it is asked for. Next: `leaning` for what speaks of all rows.

use crate::ask::{self, Asked};
use crate::chinook::analyst;
use crate::leaning::{check_said, check_talks};

/// What is said one after the other, with the SQL of the last right answer.
const TALKS: &[(&[&str], &str)] = &[
    // Another end, another value, another limit.
    (&["longest track", "and the shortest?"], "SELECT Name FROM Track ORDER BY Milliseconds LIMIT 1"),
    (
        &["how many tracks are in the genre Jazz?", "and the longest?"],
        "SELECT t.Name FROM Track t JOIN Genre g USING(GenreId) WHERE g.Name='Jazz'
         ORDER BY Milliseconds DESC LIMIT 1",
    ),
    (
        &["who is the oldest employee?", "what about the youngest?"],
        "SELECT FirstName||' '||LastName FROM Employee ORDER BY BirthDate DESC LIMIT 1",
    ),
    (
        &["which genre has the fewest tracks?", "and the most?"],
        "SELECT Genre.Name FROM Genre JOIN Track t USING(GenreId) GROUP BY GenreId ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    (&["show invoices over 15", "over 20 instead"], "SELECT InvoiceId FROM Invoice WHERE Total>20"),
    (
        &["list tracks longer than 3000000 milliseconds", "and those shorter than 5000 milliseconds?"],
        "SELECT Name FROM Track WHERE Milliseconds<5000",
    ),
    // One row of the last result.
    (
        &["top 3 customers by total spending", "what is the email of the first one?"],
        "SELECT Email FROM Customer JOIN Invoice USING(CustomerId) GROUP BY CustomerId ORDER BY SUM(Total) DESC LIMIT 1",
    ),
    (
        &["top 3 customers by total spending", "how many invoices does the last one have?"],
        "SELECT COUNT(*) FROM Invoice WHERE CustomerId=(SELECT CustomerId FROM Invoice GROUP BY CustomerId
         ORDER BY SUM(Total) DESC LIMIT 1 OFFSET 2)",
    ),
    (
        &["longest track", "which album is it on?"],
        "SELECT Title FROM Track JOIN Album USING(AlbumId) ORDER BY Milliseconds DESC LIMIT 1",
    ),
    (
        &["who is the oldest employee?", "who is her manager?"],
        "SELECT m.FirstName||' '||m.LastName FROM Employee e JOIN Employee m ON e.ReportsTo=m.EmployeeId
         WHERE e.EmployeeId=(SELECT EmployeeId FROM Employee ORDER BY BirthDate LIMIT 1)",
    ),
    (
        &["how many invoices does Helena Holý have?", "where does she live?"],
        "SELECT City, Country FROM Customer WHERE LastName='Holý'",
    ),
    // The rows that were found, and the rest of them.
    (
        &["top 10 customers by total spending", "only those in the USA"],
        "SELECT FirstName||' '||LastName, SUM(Total) FROM Customer JOIN Invoice USING(CustomerId)
         WHERE Country='USA' AND CustomerId IN
         (SELECT CustomerId FROM Invoice GROUP BY CustomerId ORDER BY SUM(Total) DESC, CustomerId LIMIT 10)
         GROUP BY CustomerId",
    ),
    (
        &["who is the oldest employee?", "show the other ones"],
        "SELECT FirstName||' '||LastName FROM Employee WHERE EmployeeId<>
         (SELECT EmployeeId FROM Employee ORDER BY BirthDate LIMIT 1)",
    ),
    (
        &["which employee supports the most customers?", "list those customers"],
        "SELECT FirstName||' '||LastName FROM Customer WHERE SupportRepId=
         (SELECT SupportRepId FROM Customer GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1)",
    ),
    (
        &["list customers in Brazil", "is Roberto Almeida among them?", "how many are there?"],
        "SELECT COUNT(*) FROM Customer WHERE Country='Brazil'",
    ),
    (
        &["list albums of Iron Maiden", "is Fireball among them?", "same for Deep Purple"],
        "SELECT Title FROM Album JOIN Artist USING(ArtistId) WHERE Name='Deep Purple'",
    ),
    // What is counted, or whose it is, was said before.
    (
        &["how many invoices are there?", "how many in 2022?"],
        "SELECT COUNT(*) FROM Invoice WHERE InvoiceDate LIKE '2022%'",
    ),
    (
        &["list customers in Canada", "how many are from Toronto?"],
        "SELECT COUNT(*) FROM Customer WHERE Country='Canada' AND City='Toronto'",
    ),
    (
        &["list customers in Canada", "how many invoices does each have?"],
        "SELECT FirstName||' '||LastName, COUNT(*) FROM Customer JOIN Invoice USING(CustomerId) WHERE Country='Canada'
         GROUP BY CustomerId",
    ),
    (
        &["list customers in Canada", "where are they from?"],
        "SELECT FirstName||' '||LastName, City, Country FROM Customer WHERE Country='Canada'",
    ),
    (
        &["list tracks on Machine Head", "who is the artist?"],
        "SELECT Track.Name, Artist.Name FROM Track JOIN Album USING(AlbumId) JOIN Artist USING(ArtistId)
         WHERE Title='Machine Head'",
    ),
    (
        &["average track length by genre", "what about the median?", "only Opera"],
        "SELECT 'Opera', Milliseconds FROM Track JOIN Genre USING(GenreId) WHERE Genre.Name='Opera'",
    ),
    (
        &["list customers in Canada", "how many per city?"],
        "SELECT City, COUNT(*) FROM Customer WHERE Country='Canada' GROUP BY City",
    ),
    (
        &["show employees with their birth dates", "add their hire dates", "remove the birth dates"],
        "SELECT FirstName||' '||LastName, HireDate FROM Employee",
    ),
    // Columns that were asked for by name.
    (&["show the unit price of all tracks", "what is the average of them?"], "SELECT AVG(UnitPrice) FROM Track"),
    (
        &["show the billing city of all invoices", "show each of them only once"],
        "SELECT DISTINCT BillingCity FROM Invoice",
    ),
    // Several times of a list.
    (
        &["invoices in Germany in 2022 and 2024"],
        "SELECT InvoiceId FROM Invoice WHERE substr(InvoiceDate,1,4) IN ('2022','2024')
         AND BillingCountry='Germany'",
    ),
];

#[test]
fn what_is_left_unsaid_is_what_was_asked_before() {
    check_talks(TALKS);
}

#[test]
fn whether_something_is_among_the_rows_is_answered_yes_or_no() {
    let Some(analyst) = analyst() else { return };
    for (texts, verdict) in [
        (&["list customers in Brazil", "is Roberto Almeida among them?"], "Yes. "),
        (&["list albums of Iron Maiden", "is Fireball among them?"], "No: Fireball is not among the albums"),
        (&["top 5 artists by number of albums", "is AC/DC among them?"], "No: AC/DC"),
    ] {
        let Asked::Answered { answer, .. } = ask::talked(&analyst, texts) else { panic!("{texts:?} is not answered") };
        assert!(answer.text.starts_with(verdict), "{texts:?}: {}", answer.text);
    }
}

#[test]
fn what_took_the_place_of_something_is_said() {
    check_said(&[
        (&["show invoices over 15", "over 20 instead"], "in the place of"),
        (&["top 3 customers by total spending", "what is the email of the first one?"], "“the first one” stands for"),
        (&["longest track", "and the shortest?"], "Still about the tracks"),
        (&["show invoices over 20", "what are the phone numbers of these customers?"], "stands for the invoices"),
        (&["who is the oldest employee?", "show the other ones"], "all employees asked about before but those found"),
    ]);
}

#[test]
fn what_cannot_be_known_is_asked_for_and_the_last_result_is_not_shown_again() {
    let Some(analyst) = analyst() else { return };
    for (texts, said) in [
        (&["list customers in Brazil", "how much did she spend?"], "stands for one"),
        (&["list customers in Brazil", "what is the email of the ninth one?"], "is none of them"),
        (&["list customers in Brazil", "where do they work?"], "asked of the customers"),
        (&["top 3 customers by total spending", "what did they buy?"], "not clear"),
        (&["list customers in Brazil", "also show the invoices of each customer"], "how many"),
    ] {
        match ask::talked(&analyst, texts) {
            Asked::Refused { explanation } => assert!(explanation.contains(said), "{texts:?}: {explanation}"),
            other => panic!("{texts:?} was answered: {other:?}"),
        }
    }
}

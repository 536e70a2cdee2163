//! What a question says and what it is taken to say: which date a time is of, what a verb counts, what is divided by
//! what, and what 0 means. Each through `turnwise ask`, with the numbers computed in SQL here; what cannot be read is
//! asked about. Next: `blind` for scores over the same databases.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

fn lending() -> Desk {
    Desk::of(include_str!("blind/questions/fresh/lending.sql"))
}

fn energy() -> Desk {
    Desk::of(include_str!("blind/questions/fresh/energy.sql"))
}

fn practice() -> Desk {
    Desk::of(include_str!("blind/questions/fresh/practice.sql"))
}

const BY_METER: &str = "FROM Readings r JOIN Meters m USING (meterId)";
const BY_CUSTOMER: &str = "FROM Readings r JOIN Meters m USING (meterId) JOIN Customers c USING (customerId)";
const OF_BOOKS: &str = "FROM loans l JOIN copies c USING (copy_no) JOIN books b USING (isbn)";
const OF_MEMBERS: &str = "FROM loans l JOIN members m USING (member_no)";

#[test]
fn a_time_is_of_the_date_it_stands_by() {
    let desk = energy();
    let in_2024 = format!("SELECT SUM(kWh) {BY_METER} WHERE takenAt LIKE '2024%' AND installedOn LIKE '2022%'");
    let told = desk.check("total kWh in 2024 of meters installed in 2022", &in_2024);
    desk.assumes(&told, "“2022” is a time of Meters.installedOn.");
    desk.assumes(&told, "“2024” is a time of Readings.takenAt.");
    let signed = format!("SELECT SUM(kWh) {BY_CUSTOMER} WHERE takenAt LIKE '2024%' AND signedUpOn LIKE '2021%'");
    desk.check("total kWh in 2024 from customers who signed up in 2021", &signed);
    let months = format!(
        "SELECT strftime('%Y', takenAt), strftime('%m', takenAt), SUM(kWh) {BY_METER} WHERE installedOn LIKE '2022%' \
         GROUP BY 1, 2 ORDER BY 1, 2"
    );
    desk.check("total kWh by month of meters installed in 2022", &months);
    let desk = lending();
    let born = format!("SELECT COUNT(*) {OF_MEMBERS} WHERE loaned_on LIKE '2023%' AND born_on >= '1991'");
    desk.check("how many loans in 2023 of members born after 1990", &born);
    let bought = format!("SELECT COUNT(*) {OF_BOOKS} WHERE loaned_on LIKE '2024%' AND bought_on LIKE '2021%'");
    desk.check("number of loans in 2024 of copies bought in 2021", &bought);
    let sides = format!(
        "SELECT SUM(loaned_on LIKE '2023%'), SUM(loaned_on LIKE '2024%') {OF_MEMBERS} WHERE joined_on LIKE '2021%'"
    );
    desk.check("compare loans in 2023 and 2024 of members who joined in 2021", &sides);
    desk.refused("number of loans in 2024 of members from 2022", "What are 2024 and 2022 the times of?");
}

#[test]
fn an_average_of_totals_is_not_the_average_of_the_rows() {
    let desk = energy();
    let all = "SELECT (SELECT SUM(kWh) FROM Readings) / (SELECT COUNT(*) FROM Customers)";
    desk.check("average total kWh per customer", all);
    let meters = format!("SELECT segment, SUM(kWh) AS s {BY_CUSTOMER} GROUP BY meterId");
    let within = format!("SELECT segment, AVG(s) FROM ({meters}) GROUP BY 1 ORDER BY 1");
    desk.check("average total kWh per meter by segment", &within);
    let own = format!("SELECT AVG(kWh) {BY_CUSTOMER} WHERE segment = 'business'");
    desk.check("average kWh per reading for business customers", &own);
    desk.refused("average total kWh by segment", "The average of which totals?");
    let desk = lending();
    let loans =
        format!("SELECT category, COUNT(*) * 1.0 / COUNT(DISTINCT member_no) {OF_MEMBERS} GROUP BY 1 ORDER BY 1");
    desk.check("average number of loans per member by category", &loans);
    let told = desk.check("loans per member by category", &loans);
    desk.assumes(&told, "is the average over each member");
}

#[test]
fn nothing_of_an_amount_is_0_or_missing_and_is_said() {
    let desk = lending();
    let none = "SELECT COUNT(*) FROM loans WHERE fine_eur IS NULL OR fine_eur = 0";
    let told = desk.check("How many loans had no fine?", none);
    desk.assumes(&told, "of 0 counts as none, as a missing one does");
    desk.check("how many loans had a fine", "SELECT COUNT(*) FROM loans WHERE fine_eur > 0");
    let told = desk.check("how many loans have an unknown fine", "SELECT COUNT(*) FROM loans WHERE fine_eur IS NULL");
    desk.assumes(&told, "Only what was not written down");
    let never = "SELECT full_name FROM members WHERE member_no NOT IN (SELECT member_no FROM loans WHERE fine_eur > 0)
        ORDER BY member_no";
    desk.check("members who never paid a fine", never);
}

#[test]
fn verbs_count_what_they_speak_of() {
    let desk = lending();
    let two = |one: &str, other: &str| {
        format!("SELECT (SELECT COUNT(*) {OF_MEMBERS} WHERE {one}), (SELECT COUNT(*) {OF_MEMBERS} WHERE {other})")
    };
    let ages = two("category = 'child'", "category = 'senior'");
    desk.check("did child members borrow more than senior members?", &ages);
    let towns = two("town = 'Lund' AND loaned_on LIKE '2024%'", "town = 'Ystad' AND loaned_on LIKE '2024%'");
    let told = desk.check("did members from Lund borrow more books than members from Ystad in 2024?", &towns);
    assert!(told["answer"].as_str().unwrap().starts_with("Yes."), "{}", told["answer"]);
    let most = format!("SELECT title, COUNT(*) {OF_BOOKS} GROUP BY isbn ORDER BY 2 DESC LIMIT 1");
    desk.check("most borrowed book", &most);
    let reader = format!("SELECT full_name, COUNT(*) {OF_MEMBERS} GROUP BY member_no ORDER BY 2 DESC LIMIT 1");
    desk.check("who borrowed the most books?", &reader);
    let never =
        "SELECT title FROM books WHERE isbn NOT IN (SELECT isbn FROM copies JOIN loans USING (copy_no)) ORDER BY isbn";
    desk.check("books never borrowed", never);
    let none = "SELECT COUNT(*) FROM members WHERE member_no NOT IN (SELECT member_no FROM loans)";
    desk.check("How many members never borrowed a book?", none);
    let last = format!("SELECT MAX(loaned_on) {OF_MEMBERS} WHERE full_name = 'Member Hl1'");
    desk.check("when did Member Hl1 last borrow a book?", &last);
    let desk = practice();
    let drug =
        "SELECT drug_name, COUNT(*) FROM prescription JOIN drug USING (drug_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 1";
    desk.check("most prescribed drug", drug);
    desk.check(
        "which form is prescribed most often",
        "SELECT form FROM prescription JOIN drug USING (drug_id)
        GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1",
    );
    let unused = "SELECT drug_name FROM drug WHERE drug_id NOT IN (SELECT drug_id FROM prescription)";
    desk.check("drugs never prescribed", unused);
}

#[test]
fn numbers_are_found_without_their_unit() {
    let desk = practice();
    desk.check("total fee", "SELECT SUM(fee_amount) FROM visit");
    let minutes = "SELECT diagnosis, AVG(duration_min) FROM visit GROUP BY 1 ORDER BY 1";
    desk.check("average duration by diagnosis", minutes);
    let desk = lending();
    desk.check("average weight of the books", "SELECT AVG(weight_g) FROM books");
    desk.check("how many books are heavier than 700 grams", "SELECT COUNT(*) FROM books WHERE weight_g > 700");
    desk.check("total fine", "SELECT SUM(fine_eur) FROM loans");
}

#[test]
fn one_is_a_number_where_rows_are_counted() {
    let desk = energy();
    let several = "SELECT customerName FROM Meters JOIN Customers USING (customerId) GROUP BY customerId
        HAVING COUNT(*) > 1 ORDER BY customerName";
    desk.check("customers with more than one meter", several);
    let single = "SELECT COUNT(*) FROM (SELECT 1 FROM Meters GROUP BY customerId HAVING COUNT(*) = 1)";
    desk.check("how many customers have exactly one meter", single);
}

#[test]
fn one_number_is_divided_by_another() {
    let desk = energy();
    desk.check("cost per kWh", "SELECT SUM(costEur), SUM(kWh), SUM(costEur) / SUM(kWh) FROM Readings");
    let segments = format!("SELECT segment, SUM(costEur) / SUM(kWh) {BY_CUSTOMER} GROUP BY 1 ORDER BY 1");
    desk.check("cost divided by kWh by segment", &segments);
    let dearest =
        format!("SELECT segment, SUM(costEur) / SUM(kWh) AS r {BY_CUSTOMER} GROUP BY 1 ORDER BY r DESC LIMIT 1");
    desk.check("which segment has the highest cost per kWh", &dearest);
    let desk = lending();
    let ratio = "SELECT (SELECT COUNT(*) FROM loans) * 1.0 / (SELECT COUNT(*) FROM members)";
    desk.check("ratio of loans to members", ratio);
    let active = "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT member_no) FROM loans WHERE loaned_on LIKE '2023%'";
    desk.check("ratio of loans to members in 2023", active);
    desk.refused("ratio of loans", "Which two numbers are divided?");
}

#[test]
fn what_grew_the_most_has_a_winner() {
    let desk = energy();
    let regions = "SELECT regionName, SUM(CASE WHEN takenAt LIKE '2024%' THEN kWh ELSE 0 END)
        - SUM(CASE WHEN takenAt LIKE '2023%' THEN kWh ELSE 0 END) AS d FROM Readings JOIN Meters USING (meterId)
        JOIN Customers USING (customerId) JOIN Regions USING (regionCode) GROUP BY 1 ORDER BY d DESC LIMIT 1";
    let told = desk.check("which region grew the most in kWh from 2023 to 2024?", regions);
    assert!(told["answer"].as_str().unwrap().contains("grew the most"), "{}", told["answer"]);
    let desk = lending();
    let towns = format!(
        "SELECT town, SUM(loaned_on LIKE '2024%') - SUM(loaned_on LIKE '2023%') AS d {OF_MEMBERS} GROUP BY 1 \
         ORDER BY d DESC LIMIT 1"
    );
    let told = desk.check("which town grew the most in loans between 2023 and 2024?", &towns);
    assert!(told["answer"].as_str().unwrap().contains("fell the least, as none grew"), "{}", told["answer"]);
}

#[test]
fn hours_are_those_of_the_day_where_there_are_any() {
    let desk = energy();
    let hours = "SELECT CAST(strftime('%H', startedAt) AS INTEGER), COUNT(*) FROM Outages GROUP BY 1 ORDER BY 1";
    desk.check("outages by hour of day", hours);
    let average = "SELECT CAST(strftime('%H', takenAt) AS INTEGER), AVG(kWh) FROM Readings GROUP BY 1 ORDER BY 1";
    desk.check("average kWh by hour", average);
    lending().refused("number of loans by hour", "holds days and no time of day");
}

#[test]
fn claims_of_a_total_are_answered_by_yes_or_no() {
    let desk = energy();
    let business = format!("SELECT SUM(kWh) {BY_CUSTOMER} WHERE segment = 'business'");
    let told = desk.check("is it true that business customers used more than 10000 kWh in total?", &business);
    let total = desk.rows(&business)[0][0].as_f64().unwrap();
    let verdict = if total > 10_000.0 { "Yes." } else { "No." };
    assert!(told["answer"].as_str().unwrap().starts_with(verdict), "{}", told["answer"]);
    let desk = lending();
    let crime = format!("SELECT COUNT(*) {OF_BOOKS} WHERE genre = 'Crime'");
    let told = desk.check("is it true that Crime was borrowed more than 50 times in total?", &crime);
    assert!(told["answer"].as_str().unwrap().starts_with("No."), "{}", told["answer"]);
}

#[test]
fn who_has_none_is_said_beside_a_count_by_group() {
    let desk = practice();
    let patients = "SELECT phys_code, COUNT(DISTINCT pat_nr) FROM visit GROUP BY 1 ORDER BY 1";
    let told = desk.check("number of different patients per physician", patients);
    let said = "1 of the 5 physicians has none of “patients” and has no row here.";
    assert!(told["answer"].as_str().unwrap().contains(said), "{}", told["answer"]);
    let desk = energy();
    let both = "SELECT regionCode, (SELECT COUNT(*) FROM Customers c WHERE c.regionCode = g.regionCode),
        (SELECT COUNT(*) FROM Outages o WHERE o.regionCode = g.regionCode) FROM Regions g ORDER BY 1";
    desk.check("number of customers and number of outages by region", both);
}

#[test]
fn a_share_of_one_value_is_one_of_all_rows() {
    let desk = energy();
    let storms = "SELECT SUM(cause = 'storm') * 1.0 / COUNT(*) FROM Outages";
    desk.check("what share of outages were caused by storm?", storms);
    let desk = lending();
    desk.check("what percentage of loans had a fine?", "SELECT SUM(fine_eur > 0) * 1.0 / COUNT(*) FROM loans");
}

#[test]
fn rows_that_meet_only_in_a_third_table_are_told_so() {
    let desk = energy();
    desk.refused("number of outages of business customers", "meet only in the regions");
    let desk = lending();
    desk.refused("Which author was borrowed the most?", "is linked with the loans only over the book authors");
}

#[test]
fn what_was_never_done_is_told_by_the_rows_that_would_say_when() {
    let desk = Desk::of(include_str!("blind/questions/fresh/billing.sql"));
    let quiet = "SELECT name FROM accounts WHERE id NOT IN (SELECT account_id FROM tickets)";
    desk.check("accounts that never opened a ticket", quiet);
    let unpaid = "SELECT COUNT(*) FROM invoices WHERE id NOT IN (SELECT invoice_id FROM payments)";
    desk.check("how many invoices are unpaid", unpaid);
    let of_2023 = "SELECT COUNT(*) FROM payments p JOIN invoices i ON i.id = p.invoice_id WHERE paid_at LIKE '2024%'
        AND issued_on LIKE '2023%'";
    desk.check("number of payments in 2024 of invoices issued in 2023", of_2023);
    let days = "SELECT strftime('%Y', paid_at), COUNT(*) FROM payments GROUP BY 1";
    let told = desk.check("payments by year", days);
    desk.assumes(&told, "Time is that of payments.paid_at.");
    let industries = "SELECT industry, SUM(CASE WHEN issued_on LIKE '2023%' THEN total ELSE 0 END)
        - SUM(CASE WHEN issued_on LIKE '2022%' THEN total ELSE 0 END) AS d FROM invoices i
        JOIN accounts a ON a.id = i.account_id WHERE industry IS NOT NULL GROUP BY 1 ORDER BY d DESC LIMIT 1";
    desk.check("which industry grew the most in revenue from 2022 to 2023", industries);
}

/// German names: the key tells what one row is called.
#[test]
fn names_of_another_language_are_found_in_the_singular_and_without_their_unit() {
    let desk = Desk::of(
        "CREATE TABLE kunden (kunde_nr INTEGER PRIMARY KEY, name TEXT, ort TEXT);
        INSERT INTO kunden VALUES (1, 'Ahorn', 'Ulm'), (2, 'Birke', 'Bonn'), (3, 'Eiche', 'Ulm');
        CREATE TABLE fahrzeuge (fahrzeug_id INTEGER PRIMARY KEY, kunde_nr INTEGER REFERENCES kunden, marke TEXT);
        INSERT INTO fahrzeuge VALUES (11, 1, 'VW'), (12, 1, 'Opel'), (13, 2, 'VW');
        CREATE TABLE auftraege (auftrag_nr INTEGER PRIMARY KEY, fahrzeug_id INTEGER REFERENCES fahrzeuge,
            angenommen_am TEXT, kosten_eur REAL, dauer_std INTEGER);
        INSERT INTO auftraege VALUES (1, 11, '2023-02-01', 100.5, 2), (2, 11, '2023-05-02', 50, 1),
            (3, 12, '2024-01-09', 75, NULL), (4, 13, '2024-03-10', 20, 3);",
    );
    let marks = "SELECT marke, SUM(kosten_eur) FROM auftraege JOIN fahrzeuge USING (fahrzeug_id) GROUP BY 1";
    desk.check("total kosten by marke", marks);
    desk.check("average dauer", "SELECT AVG(dauer_std) FROM auftraege");
    desk.check("kunden with more than one fahrzeug", "SELECT 'Ahorn', 2");
    desk.check(
        "number of fahrzeuge per kunde",
        "SELECT name, COUNT(*) FROM fahrzeuge JOIN kunden USING (kunde_nr) GROUP BY 1",
    );
}

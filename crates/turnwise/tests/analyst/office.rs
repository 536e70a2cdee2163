//! What people in an office mean: the value of an order is that of all its lines, what was paid is told by the
//! payments, rows that are new by the date they came, and rows that are open by a date they lack. Beside each stands
//! what looks alike and is something else. Next: `company`, `ordinary`.

use crate::ask::{self, Asked};
use crate::made::{names, not_answered, number, over_files, over_sql, refused, rows};

/// Two orders of Ada's (30 in three lines, 10 in one) and one of Bob's (50 in two lines); Cem has none.
const TRADE: &str = "
    CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT, kind TEXT, created_date TEXT);
    CREATE TABLE sales_orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
        order_date TEXT, online_order INTEGER);
    CREATE TABLE sales_order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES sales_orders(order_id),
        line_total REAL);
    CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
        invoice_date TEXT, amount REAL);
    CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices(invoice_id),
        paid_on TEXT, amount REAL);
    INSERT INTO customers VALUES (1, 'Ada', 'Shop', '2023-01-05'), (2, 'Bob', 'Home', '2023-07-06'),
        (3, 'Cem', 'Home', '2024-02-07');
    INSERT INTO sales_orders VALUES (1, 1, '2023-02-01', 1), (2, 1, '2024-03-01', 0), (3, 2, '2024-04-01', 1);
    INSERT INTO sales_order_lines VALUES (1, 1, 5), (2, 1, 10), (3, 1, 15), (4, 2, 10), (5, 3, 20), (6, 3, 30);
    INSERT INTO invoices VALUES (1, 1, '2023-02-02', 30), (2, 1, '2024-03-02', 10), (3, 2, '2024-04-02', 50);
    INSERT INTO payments VALUES (1, 1, '2023-02-20', 25), (2, 3, '2024-05-01', 50);
";

/// Mia has one loan that is back and one that is not; Noa's is back; Oli's is not. Noa paid her fine, Oli did not.
const LENDING: &str = "
    CREATE TABLE members (member_id INTEGER PRIMARY KEY, member_name TEXT, joined_on TEXT, cancelled_on TEXT);
    CREATE TABLE books (book_id INTEGER PRIMARY KEY, title TEXT, language TEXT, pages INTEGER);
    CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES members(member_id),
        book_id INTEGER REFERENCES books(book_id), loan_date TEXT, due_date TEXT, return_date TEXT, status TEXT);
    CREATE TABLE fines (fine_id INTEGER PRIMARY KEY, loan_id INTEGER REFERENCES loans(loan_id), amount REAL,
        issued_date TEXT, paid_date TEXT);
    INSERT INTO members VALUES (1, 'Mia', '2023-01-01', NULL), (2, 'Noa', '2023-02-02', '2024-06-01'),
        (3, 'Oli', '2024-03-03', NULL), (4, 'Pia', '2024-04-04', NULL);
    INSERT INTO books VALUES (1, 'Dune', 'English', 100), (2, 'Emma', 'English', 300), (3, 'Heidi', 'German', 500);
    INSERT INTO loans VALUES (1, 1, 1, '2024-01-01', '2024-01-15', '2024-01-10', 'closed'),
        (2, 1, 2, '2024-02-01', '2024-02-15', NULL, 'open'),
        (3, 2, 1, '2024-03-01', '2024-03-15', '2024-03-20', 'cancelled'),
        (4, 3, 3, '2024-05-01', '2024-05-15', NULL, 'open');
    INSERT INTO fines VALUES (1, 3, 5, '2024-03-21', '2024-04-01'), (2, 4, 7, '2024-05-20', NULL);
";

#[test]
fn the_value_of_an_order_is_that_of_all_its_lines() {
    let (_folder, analyst) = over_sql(TRADE);
    assert_eq!(number(&analyst, "average order value"), Some(30.0));
    assert_eq!(number(&analyst, "average value of an order"), Some(30.0));
    assert_eq!(number(&analyst, "average order total"), Some(30.0));
    assert_eq!(number(&analyst, "highest order value"), Some(50.0));
    assert_eq!(number(&analyst, "median order value"), Some(30.0));
    for question in ["average order value per year", "average order value by year", "average sales per order by year"] {
        let found: Vec<Option<f64>> = rows(&analyst, question).iter().map(|row| row[1].as_number()).collect();
        assert_eq!(found, [Some(30.0), Some(30.0)], "{question}");
    }
    assert_eq!(names(&analyst, "customers with an average order value over 20"), ["Bob"]);
    // A line is a line, and all of it is all of it.
    assert_eq!(number(&analyst, "average line total"), Some(15.0));
    assert_eq!(number(&analyst, "total order value"), Some(90.0));
}

#[test]
fn lines_of_a_sheet_are_added_up_by_the_number_of_their_order() {
    let sheet =
        "Order ID,Segment,Product ID,Product Name,Sales\nA,Home,P1,Lamp,10\nA,Home,P2,Desk,30\nB,Home,P1,Lamp,20\n";
    let (_folder, analyst) = over_files(&[("sheet", sheet)]);
    assert_eq!(number(&analyst, "average order value"), Some(30.0));
    assert_eq!(names(&analyst, "top 2 products by sales"), ["Desk", "Lamp"]);
    assert_eq!(names(&analyst, "sales by product id"), ["P1", "P2"]);
    assert_eq!(number(&analyst, "how many products are there?"), Some(2.0));
}

#[test]
fn a_table_is_met_by_the_end_of_its_name() {
    let (_folder, analyst) = over_sql(TRADE);
    assert_eq!(number(&analyst, "how many orders are there?"), Some(3.0));
    assert_eq!(names(&analyst, "customers without orders"), ["Cem"]);
    assert_eq!(names(&analyst, "customers with more than 1 order"), ["Ada"]);
}

#[test]
fn what_was_paid_is_told_by_the_payments() {
    let (_folder, analyst) = over_sql(TRADE);
    assert_eq!(number(&analyst, "total amount paid"), Some(75.0));
    assert_eq!(names(&analyst, "top 1 customer by total amount paid"), ["Bob"]);
    assert_eq!(number(&analyst, "total invoiced amount"), Some(90.0));
    let found = rows(&analyst, "total amount paid by kind");
    assert_eq!(found.iter().map(|row| row[1].as_number()).collect::<Vec<_>>(), [Some(50.0), Some(25.0)]);
}

#[test]
fn new_rows_are_told_by_the_date_they_came() {
    let (_folder, analyst) = over_sql(TRADE);
    assert_eq!(number(&analyst, "how many new customers in 2023?"), Some(2.0));
    assert_eq!(rows(&analyst, "new customers per year").len(), 2);
    // Since when they are new nobody said.
    not_answered(&analyst, "new customers");
}

#[test]
fn either_of_two_times_is_both_together() {
    let (_folder, analyst) = over_sql(TRADE);
    assert_eq!(number(&analyst, "how many orders in 2023 or 2024?"), Some(3.0));
    assert_eq!(rows(&analyst, "number of orders in 2023 and 2024")[0].len(), 4, "these are compared");
}

#[test]
fn growth_is_against_the_time_before_anyway() {
    let sales = "sale_id,sold_on,discount_pct,amount\n1,2023-02-01,0.1,30\n2,2024-03-01,0.2,20\n3,2024-04-01,0.1,40\n";
    let (_folder, analyst) = over_files(&[("sales", sales)]);
    for question in [
        "sales growth per year compared with the previous year",
        "total sales per year and growth in percent over the previous year",
        "sales per year compared with the year before",
    ] {
        let found = rows(&analyst, question);
        let changes: Vec<Option<f64>> = found.iter().map(|row| row[3].as_number()).collect();
        assert_eq!(changes, [None, Some(1.0)], "{question}");
    }
    let found = rows(&analyst, "compare sales in 2023 and 2024, with the difference");
    assert_eq!(found[0][2].as_number(), Some(30.0));
    assert_eq!(number(&analyst, "sales in the previous year"), Some(30.0), "a year that is named is one");
}

#[test]
fn not_returned_is_one_that_is_open_and_never_is_none_at_all() {
    let (_folder, analyst) = over_sql(LENDING);
    assert_eq!(names(&analyst, "members who have not returned a book"), ["Mia", "Oli"]);
    assert_eq!(names(&analyst, "books that were never returned"), ["Emma", "Heidi"]);
    // Whoever has no loan at all never returned one either, and is not among the loans.
    not_answered(&analyst, "which members never returned a book?");
    assert_eq!(names(&analyst, "members with unpaid fines"), ["Oli"]);
    assert_eq!(names(&analyst, "members without unpaid fines"), ["Mia", "Noa", "Pia"]);
    assert_eq!(number(&analyst, "total unpaid fines"), Some(7.0));
}

#[test]
fn a_date_of_the_rows_asked_about_is_no_value_of_others() {
    let (_folder, analyst) = over_sql(LENDING);
    assert_eq!(names(&analyst, "members who joined in 2023 and cancelled in 2024"), ["Noa"]);
    assert_eq!(names(&analyst, "members with cancelled loans"), ["Noa"]);
}

#[test]
fn a_number_that_rows_have_is_not_counted() {
    let (_folder, analyst) = over_sql(LENDING);
    assert_eq!(number(&analyst, "median number of pages of English books"), Some(200.0));
    assert_eq!(names(&analyst, "books longer than the average number of pages"), ["Heidi"]);
    assert_eq!(number(&analyst, "average number of loans per member"), Some(1.0));
}

#[test]
fn what_a_person_made_is_no_wish_for_a_report() {
    let (_folder, analyst) = over_sql(LENDING);
    not_answered(&analyst, "members who joined a report");
    assert!(refused(&analyst, "how many members cancelled reports?").contains("report"));
    assert_eq!(number(&analyst, "report the number of members"), Some(4.0));
}

#[test]
fn the_difference_of_both_ends_is_one_number() {
    let (_folder, analyst) = over_sql(LENDING);
    let question = "difference between the highest and the lowest pages of English books";
    assert_eq!(number(&analyst, question), Some(200.0));
    let found = rows(&analyst, "what is the difference between minimum and maximum pages by language?");
    assert_eq!(found.iter().map(|row| row[1].as_number()).collect::<Vec<_>>(), [Some(200.0), Some(0.0)]);
    // The ends themselves are two numbers.
    assert_eq!(rows(&analyst, "highest and lowest pages")[0].len(), 2);
}

#[test]
fn what_would_be_left_out_is_refused_by_name() {
    let (_folder, analyst) = over_sql(LENDING);
    for (question, word) in [
        ("members who share a book", "share"),
        ("members with books from different languages", "different"),
        ("members who borrowed both Dune and Emma but not Heidi", "both"),
        ("loans not returned by the due date", "by"),
    ] {
        assert!(refused(&analyst, question).contains(&format!("“{word}”")), "{question}");
    }
    assert_eq!(number(&analyst, "how many different languages are there?"), Some(2.0));
    assert_eq!(names(&analyst, "share of loans by status"), ["cancelled", "closed", "open"]);
    assert_eq!(names(&analyst, "members who borrowed both Dune and Emma"), ["Mia"]);
}

#[test]
fn a_cost_per_unit_is_one_of_the_rows_that_have_both() {
    let trips = "trip_id,origin,distance_km,freight_cost\n1,Kiel,100,50\n2,Kiel,300,\n3,Ulm,200,20\n";
    let (_folder, analyst) = over_files(&[("trips", trips)]);
    for question in ["cost per km by origin", "average cost per km by origin"] {
        let found = rows(&analyst, question);
        let last: Vec<f64> =
            found.iter().filter_map(|row| row.last().and_then(turnwise_core::Cell::as_number)).collect();
        assert_eq!(last, [0.5, 0.1], "{question}");
    }
}

#[test]
fn an_answer_is_taken_as_the_choice_it_names_or_asked_again() {
    let stays = "stay_id,booked_on,check_in,price\n1,2023-12-01,2024-01-02,10\n2,2024-02-01,2024-03-02,20\n";
    let (_folder, analyst) = over_files(&[("stays", stays)]);
    let question = "sum of price in 2024";
    let Asked::Unclear { topic, choices } = ask::run(&analyst, &ask::task(question)) else { panic!("not asked") };
    let place = choices.iter().position(|choice| choice.contains("check_in")).unwrap();
    for answer in ["check-in", "by check in please", if place == 0 { "1" } else { "2" }] {
        match ask::run(&analyst, &ask::answered(question, &[(&topic, answer)])) {
            Asked::Answered { table, .. } => assert_eq!(table.rows[0][0].as_number(), Some(30.0), "{answer}"),
            other => panic!("{answer}: {other:?}"),
        }
    }
    match ask::run(&analyst, &ask::answered(question, &[(&topic, "whatever")])) {
        Asked::Unclear { topic: again, choices: offered } => assert_eq!((again, offered), (topic.clone(), choices)),
        other => panic!("{other:?}"),
    }
    let later = [(topic.as_str(), "whatever"), (topic.as_str(), "check in")];
    assert!(matches!(ask::run(&analyst, &ask::answered(question, &later)), Asked::Answered { .. }));
}

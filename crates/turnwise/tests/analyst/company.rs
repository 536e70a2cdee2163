//! Relations that are called alike and are not the same: who is in a department and who manages it, the job somebody
//! has and those they had, what an order was and when it became so. Over a company and a shop made here.

use turnwise_core::Cell;

use crate::ask::{self, Asked};
use crate::made::{names, number, over_sql, rows};

/// Ada manages Sales and Bob IT; Eve is in no department; nobody is in Legal. Ada had two jobs before.
const COMPANY: &str = "
    PRAGMA foreign_keys = OFF;
    CREATE TABLE jobs (job_id TEXT PRIMARY KEY, job_title TEXT);
    CREATE TABLE departments (department_id INTEGER PRIMARY KEY, department_name TEXT,
        manager_id INTEGER REFERENCES employees(employee_id));
    CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hire_date TEXT,
        salary REAL, job_id TEXT REFERENCES jobs(job_id), manager_id INTEGER REFERENCES employees(employee_id),
        department_id INTEGER REFERENCES departments(department_id));
    CREATE TABLE job_history (employee_id INTEGER REFERENCES employees(employee_id), start_date TEXT,
        end_date TEXT, job_id TEXT REFERENCES jobs(job_id), PRIMARY KEY (employee_id, start_date));
    INSERT INTO jobs VALUES ('C', 'Clerk'), ('P', 'Programmer'), ('M', 'Boss');
    INSERT INTO employees VALUES (1, 'Ada', 'Alm', '2005-01-03', 9000, 'M', NULL, 1),
        (2, 'Bob', 'Birk', '2006-02-04', 8000, 'M', 1, 2), (3, 'Cid', 'Cole', '2006-03-05', 4000, 'C', 1, 1),
        (4, 'Dot', 'Dahl', '2007-04-06', 5000, 'P', 2, 2), (5, 'Eve', 'Ek', '2006-05-07', 7000, 'P', 1, NULL),
        (6, 'Fay', 'Fox', '2008-06-08', 3000, 'C', 1, 1);
    INSERT INTO departments VALUES (1, 'Sales', 1), (2, 'IT', 2), (3, 'Legal', NULL);
    INSERT INTO job_history VALUES (1, '2001-01-01', '2003-01-01', 'C'), (1, '2003-01-02', '2005-01-02', 'P'),
        (4, '2004-01-01', '2007-01-01', 'C');
";

/// Orders of two items each, approved a month after they were placed; what is delivered was approved as well.
const SHOP: &str = "
    CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, customer_name TEXT, country TEXT);
    CREATE TABLE products (product_id INTEGER PRIMARY KEY, product_name TEXT, product_photos_qty INTEGER);
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
        order_status TEXT, order_purchase_timestamp TEXT, order_approved_at TEXT, order_delivered_carrier_date TEXT,
        order_delivered_customer_date TEXT);
    CREATE TABLE order_items (order_id INTEGER REFERENCES orders(order_id), order_item_id INTEGER,
        product_id INTEGER REFERENCES products(product_id), shipping_limit_date TEXT, price REAL,
        PRIMARY KEY (order_id, order_item_id));
    CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id),
        paid_on TEXT, amount REAL);
    INSERT INTO customers VALUES (1, 'Alm', 'Norway'), (2, 'Birk', 'Peru'), (3, 'Cole', 'Peru'), (4, 'Dahl', 'Norway');
    INSERT INTO products VALUES (1, 'Lamp', 7), (2, 'Chair', 5), (3, 'Desk', 3);
    INSERT INTO orders VALUES (1, 1, 'delivered', '2018-01-02', '2018-02-02', '2018-02-10', '2018-02-15'),
        (2, 1, 'approved', '2018-01-20', '2018-02-20', NULL, NULL),
        (3, 2, 'shipped', '2018-02-03', '2018-03-03', '2018-03-10', NULL),
        (4, 3, 'delivered', '2018-03-04', '2018-04-04', '2018-04-10', '2018-05-15');
    INSERT INTO order_items VALUES (1, 1, 1, '2018-03-01', 10), (1, 2, 2, '2018-03-01', 20), (2, 1, 1, '2018-04-01', 10),
        (2, 2, 1, '2018-04-01', 10), (3, 1, 2, '2018-05-01', 20), (3, 2, 2, '2018-05-01', 20),
        (4, 1, 1, '2018-06-01', 10), (4, 2, 2, '2018-06-01', 20);
    INSERT INTO payments VALUES (1, 1, '2018-01-05', 30), (2, 1, '2018-02-05', 20), (3, 4, '2018-02-06', 50);
";

#[test]
fn who_is_in_a_department_is_not_who_manages_it() {
    let (_folder, analyst) = over_sql(COMPANY);
    for (question, wanted) in [
        ("How many employees have no department?", 1.0),
        ("How many different jobs are held in the Sales department?", 2.0),
        ("How many employees manage a department?", 2.0),
        ("average salary of employees who manage a department", 8500.0),
    ] {
        assert_eq!(number(&analyst, question), Some(wanted), "{question}");
    }
    for (question, wanted) in [
        ("departments without employees", &["Legal"][..]),
        ("employees without a department hired in 2006", &["Eve Ek"]),
        ("who manages the Sales department?", &["Ada Alm"]),
        ("employees who manage the IT department", &["Bob Birk"]),
        ("employees who do not manage a department", &["Cid Cole", "Dot Dahl", "Eve Ek", "Fay Fox"]),
        ("departments managed by Bob Birk", &["IT"]),
        ("employees managed by Bob Birk", &["Dot Dahl"]),
    ] {
        assert_eq!(names(&analyst, question), wanted, "{question}");
    }
}

#[test]
fn what_each_row_has_one_of_is_not_counted_by_it() {
    let (_folder, analyst) = over_sql(COMPANY);
    assert_eq!(names(&analyst, "employees with more than one job"), ["Ada Alm"]);
    match ask::run(&analyst, &ask::task("number of departments per job history")) {
        Asked::Refused { explanation } => assert!(!explanation.is_empty()),
        Asked::Answered { table, .. } => panic!("{table:?}"),
        _ => {}
    }
}

#[test]
fn a_share_by_an_amount_is_one_of_the_amount() {
    let (_folder, analyst) = over_sql(SHOP);
    let found = rows(&analyst, "What share of payments by amount came from customers in Norway?");
    assert!(found.iter().flatten().filter_map(Cell::as_number).any(|share| (share - 1.0).abs() < 1e-9), "{found:?}");
    let found = rows(&analyst, "share of payments by amount per customer");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn those_who_never_ordered_are_told_by_the_orders() {
    let (_folder, analyst) = over_sql(SHOP);
    // Dahl paid and never ordered; Birk and Cole ordered and never paid.
    assert_eq!(names(&analyst, "customers who never ordered"), ["Dahl"]);
    assert_eq!(names(&analyst, "products never sold"), ["Desk"]);
}

#[test]
fn what_is_sold_is_no_other_quantity_and_its_time_is_that_of_the_order() {
    let (_folder, analyst) = over_sql(SHOP);
    for (question, wanted) in [
        ("how many items were sold in February 2018?", 2.0),
        ("How many distinct products were sold in January 2018?", 2.0),
        ("average price of items sold to customers from Peru", 17.5),
        ("customers with more than 40 amount in total", 50.0),
    ] {
        assert_eq!(number(&analyst, question), Some(wanted), "{question}");
    }
}

#[test]
fn what_became_of_a_row_later_does_not_change_when_it_was_approved() {
    let (_folder, analyst) = over_sql(SHOP);
    assert_eq!(number(&analyst, "how many orders were approved in February 2018?"), Some(2.0));
    assert_eq!(number(&analyst, "how many orders are approved?"), Some(1.0));
    // Delivered to whom?
    match ask::run(&analyst, &ask::task("how many orders were delivered in May 2018?")) {
        Asked::Unclear { choices, .. } => assert_eq!(choices.len(), 2, "{choices:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_true_of_a_share_stays_so_through_a_named_value() {
    let (_folder, analyst) = over_sql(SHOP);
    let found = rows(&analyst, "what percentage of orders by customer have the order status delivered?");
    let alm = found.iter().find(|row| row[0].to_string() == "Alm").and_then(|row| row[1].as_number());
    assert_eq!(alm, Some(50.0), "{found:?}");
}

#[test]
fn words_that_name_tables_are_not_words_for_what_was_found() {
    let (_folder, analyst) = over_sql(
        "CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, name TEXT);
         CREATE TABLE results (result_id INTEGER PRIMARY KEY, driver_id INTEGER REFERENCES drivers(driver_id), points REAL);
         INSERT INTO drivers VALUES (1, 'Ada'), (2, 'Bob');
         INSERT INTO results VALUES (1, 1, 5), (2, 1, 7), (3, 1, 9), (4, 2, 30);",
    );
    assert_eq!(names(&analyst, "drivers with more than 2 results"), ["Ada"]);
    assert_eq!(names(&analyst, "drivers with more than 25 points in total"), ["Bob"]);
    assert_eq!(names(&analyst, "drivers with more than 20 points in total"), ["Ada", "Bob"]);
}

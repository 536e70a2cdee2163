//! Tables of another kind: plain files with other names, whose keys nobody declared. The same questions must work here,
//! since nothing in the planner knows any one data set.

use std::fmt::Write as _;
use std::path::Path;

use rusqlite::Connection;
use turnwise_analyst::Analyst;

use crate::ask::{self, Asked};
use crate::own::check;

const TABLES: &[(&str, &str)] = &[
    ("suppliers", "supplier_id,supplier_name,country\n1,Nord GmbH,Germany\n2,Sud SARL,France\n3,Öst AB,Sweden\n"),
    (
        "products",
        "product_id,product_name,category,supplier_id,list_price,weight_kg,is_active\n\
         1,Desk Lamp,Lighting,1,40.5,1.2,true\n2,Floor Lamp,Lighting,1,99,4.5,true\n3,Office Chair,Furniture,2,149.9,12,true\n\
         4,Standing Desk,Furniture,3,399,35,false\n5,Notebook,Paper,2,3.2,0.3,true\n",
    ),
    ("regions", "region_id,region_name\n10,North\n20,South\n30,West\n"),
    (
        "customers",
        "customer_id,full_name,city,region_id,signup_date\n1,Ann Lee,Oslo,10,2022-01-15\n2,Bob Ray,Rome,20,2022-06-01\n\
         3,Cid Fox,Paris,30,2023-02-10\n4,Dee Poe,Rome,20,2024-04-04\n",
    ),
    (
        "orders",
        "order_id,customer_id,order_date,ship_date,channel\n100,1,2023-01-10,2023-01-12,web\n101,2,2023-03-05,2023-03-09,shop\n\
         102,1,2023-11-20,2023-11-21,web\n103,3,2024-02-02,2024-02-05,phone\n104,2,2024-05-17,2024-05-20,web\n\
         105,1,2024-08-09,,shop\n106,3,2024-12-24,2024-12-29,web\n",
    ),
    (
        "order_items",
        "order_item_id,order_id,product_id,qty,unit_price\n1,100,1,2,40\n2,100,5,10,3\n3,101,3,1,150\n4,102,2,1,100\n\
         5,103,4,1,400\n6,103,5,20,3\n7,104,1,3,41\n8,105,3,2,149\n9,106,5,5,3.2\n10,106,2,1,99\n",
    ),
];

const QUESTIONS: &[(&str, &str)] = &[
    ("How many orders are there?", "SELECT COUNT(*) FROM orders"),
    ("Total revenue", "SELECT SUM(qty*unit_price) FROM order_items"),
    (
        "Revenue by year",
        "SELECT strftime('%Y',order_date), SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) GROUP BY 1",
    ),
    (
        "Revenue by category",
        "SELECT category, SUM(qty*unit_price) FROM order_items JOIN products USING(product_id) GROUP BY 1",
    ),
    (
        "sales by region",
        "SELECT region_name, SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) JOIN customers USING(customer_id) JOIN regions USING(region_id) GROUP BY 1",
    ),
    (
        "=Top 2 clients by turnover",
        "SELECT full_name, SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) JOIN customers USING(customer_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
    ),
    (
        "units sold by product",
        "SELECT product_name, SUM(qty) FROM order_items JOIN products USING(product_id) GROUP BY 1",
    ),
    ("Which supplier has the most products?", "SELECT 'Nord GmbH' UNION SELECT 'Sud SARL'"),
    ("Which product is the heaviest?", "SELECT 'Standing Desk'"),
    ("cheapest product", "SELECT 'Notebook'"),
    ("Products over 100 euros", "SELECT product_name FROM products WHERE list_price > 100"),
    ("customers in Rome", "SELECT full_name FROM customers WHERE city='Rome'"),
    (
        "number of orders per channel in 2024",
        "SELECT channel, COUNT(*) FROM orders WHERE order_date LIKE '2024%' GROUP BY 1",
    ),
    (
        "Compare revenue in 2023 and 2024",
        "SELECT (SELECT SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) WHERE order_date LIKE '2023%'), (SELECT SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) WHERE order_date LIKE '2024%')",
    ),
    ("orders without a ship date", "SELECT order_id FROM orders WHERE ship_date IS NULL OR ship_date=''"),
    (
        "customers without orders",
        "SELECT full_name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
    ),
    (
        "how many customers bought lighting",
        "SELECT COUNT(DISTINCT customer_id) FROM orders JOIN order_items USING(order_id) JOIN products USING(product_id) WHERE category='Lighting'",
    ),
    ("average weight of products by category", "SELECT category, AVG(weight_kg) FROM products GROUP BY 1"),
    ("active products", "SELECT product_name FROM products WHERE is_active IN ('true',1)"),
    (
        "share of revenue by channel",
        "SELECT channel, SUM(qty*unit_price), SUM(qty*unit_price)/(SELECT SUM(qty*unit_price) FROM order_items) FROM order_items JOIN orders USING(order_id) GROUP BY 1",
    ),
    (
        "revenue by supplier country",
        "SELECT country, SUM(qty*unit_price) FROM order_items JOIN products USING(product_id) JOIN suppliers USING(supplier_id) GROUP BY 1",
    ),
    ("products of Öst AB", "SELECT 'Standing Desk'"),
    (
        "average number of orders per customer",
        "SELECT 1.0 * (SELECT COUNT(*) FROM orders) / (SELECT COUNT(*) FROM customers)",
    ),
    (
        "quarterly revenue in 2024",
        "SELECT (CAST(strftime('%m',order_date) AS INTEGER)+2)/3, SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) WHERE order_date LIKE '2024%' GROUP BY 1",
    ),
    ("how many orders did Ann Lee place", "SELECT 3"),
    (
        "customers with at least 2 orders",
        "SELECT full_name, COUNT(*) FROM orders JOIN customers USING(customer_id) GROUP BY 1 HAVING COUNT(*)>=2",
    ),
    ("how many orders were shipped in 2024", "SELECT COUNT(*) FROM orders WHERE ship_date LIKE '2024%'"),
    ("best selling product", "SELECT 'Notebook', 35"),
    (
        "reveneu by chanel",
        "SELECT channel, SUM(qty*unit_price) FROM order_items JOIN orders USING(order_id) GROUP BY 1",
    ),
];

fn files(folder: &Path) {
    for (name, text) in TABLES {
        std::fs::write(folder.join(format!("{name}.csv")), text).unwrap();
    }
}

/// The same rows in a database of their own, for answers that do not pass through what is tested.
fn database(path: &Path) {
    let connection = Connection::open(path).unwrap();
    for (name, text) in TABLES {
        let mut lines = text.lines();
        let header = lines.next().unwrap();
        let mut sql = format!(
            "CREATE TABLE {name} ({});",
            header.split(',').map(|c| format!("{c} NUMERIC")).collect::<Vec<_>>().join(",")
        );
        for line in lines {
            let values: Vec<String> = line.split(',').map(|value| format!("'{}'", value.replace('\'', "''"))).collect();
            write!(sql, "INSERT INTO {name} VALUES ({});", values.join(",")).unwrap();
        }
        connection.execute_batch(&sql).unwrap();
    }
}

pub fn analyst(folder: &Path) -> Analyst {
    files(folder);
    Analyst::open(&[folder.to_path_buf()]).unwrap()
}

#[test]
fn plain_files_answer_the_same_kinds_of_questions() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let truth = other.path().join("truth.sqlite");
    database(&truth);
    check(&analyst(folder.path()), &truth, QUESTIONS);
}

#[test]
fn a_word_that_fits_two_columns_equally_is_asked_about_and_the_answer_is_honoured() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "sale_id,sold_on,net_sales,gross_sales\n1,2024-01-01,10,12\n2,2024-02-01,20,24\n";
    std::fs::write(folder.path().join("deals.csv"), rows).unwrap();
    let analyst = Analyst::open(&[folder.path().to_path_buf()]).unwrap();
    let Asked::Unclear { topic, choices } = ask::run(&analyst, &ask::task("total sales")) else {
        panic!("“sales” is two columns and nobody asked which");
    };
    assert_eq!(choices, ["deals.net_sales", "deals.gross_sales"]);
    let task = ask::answered("total sales", &[(&topic, "deals.gross_sales")]);
    let Asked::Answered { table, .. } = ask::run(&analyst, &task) else { panic!("the answer was not honoured") };
    assert_eq!(table.scalar().and_then(turnwise_core::Cell::as_number), Some(36.0));
    let spoken = ask::answered("total sales", &[(&topic, "the net one")]);
    let Asked::Answered { table, .. } = ask::run(&analyst, &spoken) else { panic!("free text was not honoured") };
    assert_eq!(table.scalar().and_then(turnwise_core::Cell::as_number), Some(30.0));
}

#[test]
fn names_and_values_cannot_smuggle_sql() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "id,\"na\"\"me; DROP\",group\n1,\"x'); DROP TABLE odd; --\",a\n2,plain,b\n";
    std::fs::write(folder.path().join("odd things.csv"), rows).unwrap();
    let analyst = Analyst::open(&[folder.path().to_path_buf()]).unwrap();
    let Asked::Answered { table, .. } = ask::run(&analyst, &ask::task("number of odd things by group")) else {
        panic!("a reserved word is a fine column name");
    };
    assert_eq!(table.rows.len(), 2);
    let Asked::Answered { table, plan, .. } =
        ask::run(&analyst, &ask::task("how many odd things \"x'); DROP TABLE odd; --\""))
    else {
        panic!("a value is a value, whatever is in it");
    };
    assert_eq!(table.scalar(), Some(&turnwise_core::Cell::Integer(1)));
    assert!(!plan.steps[0].arguments["sql"].contains("DROP TABLE"), "{:?}", plan.steps[0].arguments);
}

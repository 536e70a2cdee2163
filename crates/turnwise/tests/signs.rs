//! Signs and what they stand between, percents, and words that must not be passed over: each through `turnwise ask`,
//! with the rows computed in SQL here. Next: `conditions`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A mill that sells cloth.
const MILL: &str = "
CREATE TABLE weavers (weaver_id INTEGER PRIMARY KEY, weaver_name TEXT, referred_by INTEGER REFERENCES weavers);
CREATE TABLE cloths (cloth_id INTEGER PRIMARY KEY, cloth_name TEXT, weaver_id INTEGER REFERENCES weavers, price REAL,
  list_price REAL, duty REAL, stock INTEGER, reorder_level INTEGER, rebate REAL, town TEXT, mill_town TEXT);
CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, buyer_name TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, status TEXT, ordered_on TEXT,
  required_on TEXT, shipped_on TEXT, amount REAL);
CREATE TABLE contracts (contract_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, start_date TEXT);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, contract_id INTEGER REFERENCES contracts, paid_on TEXT,
  sum_paid REAL, method TEXT);
INSERT INTO weavers VALUES (1, 'Una', NULL), (2, 'Vik', 1), (3, 'Wes', 1), (4, 'Xia', 2);
INSERT INTO cloths VALUES
  (1, 'Loden', 1, 10, 12, 1, 5, 8, 0.15, 'Halle', 'Halle'), (2, 'Tweed', 1, 20, 20, 2, 20, 4, 0.3, 'Jena', 'Halle'),
  (3, 'Serge', 2, 100, 120, 5, 3, 3, 0.0, 'Gera', 'Gera'), (4, 'Twill', NULL, 15, 15, 1, 9, 10, 0.25, NULL, 'Jena');
INSERT INTO buyers VALUES (1, 'Abel'), (2, 'Bente'), (3, 'Carl');
INSERT INTO orders VALUES
  (1, 1, 'cancelled', '2023-01-05', '2023-01-10', '2023-01-12', 50), (2, 1, 'sent', '2023-02-05', '2023-02-10',
  '2023-02-09', 70), (3, 2, 'sent', '2023-02-05', '2023-02-11', '2023-02-15', 20),
  (4, 3, 'cancelled', '2024-03-05', '2024-03-11', NULL, 200), (5, 2, 'open', '2024-03-06', '2024-03-15', NULL, 30);
INSERT INTO contracts VALUES (1, 1, '2022-01-01'), (2, 2, '2023-05-01'), (3, 3, '2024-01-01');
INSERT INTO payments VALUES
  (1, 1, '2023-02-01', 100, 'card'), (2, 1, '2024-02-01', 100, 'card'), (3, 2, '2023-06-01', 80, 'cash'),
  (4, 3, '2024-02-01', 90, 'card');
";

const CLOTHS: &str = "SELECT cloth_name FROM cloths WHERE";

fn mill() -> Desk {
    Desk::of(MILL)
}

#[test]
fn two_columns_of_a_row_are_set_against_each_other_by_a_sign() {
    let desk = mill();
    desk.check("cloths where price = list_price", &format!("{CLOTHS} price = list_price"));
    desk.check("cloths where price is equal to list price", &format!("{CLOTHS} price = list_price"));
    desk.check("which cloths have price != list_price", &format!("{CLOTHS} price <> list_price"));
    desk.check("cloths where town <> mill_town", &format!("{CLOTHS} town <> mill_town"));
    desk.check("how many cloths have mill_town = town", "SELECT COUNT(*) FROM cloths WHERE mill_town = town");
    desk.check("cloths with stock < reorder_level", &format!("{CLOTHS} stock < reorder_level"));
    desk.check("orders where shipped_on > required_on", "SELECT order_id FROM orders WHERE shipped_on > required_on");
    desk.check("orders where shipped_on <= required_on", "SELECT order_id FROM orders WHERE shipped_on <= required_on");
    desk.refused("cloths where price = amount", "“price = amount” is no test");
    desk.refused("cloths where town = cancelled", "was not found to hold “cancelled”");
}

#[test]
fn a_sign_stands_between_a_number_and_a_column() {
    let desk = mill();
    desk.check("cloths with 10 < price < 20", &format!("{CLOTHS} price > 10 AND price < 20"));
    desk.check("cloths with 10 <= price <= 20", &format!("{CLOTHS} price BETWEEN 10 AND 20"));
    desk.check("cloths with 20 <= price", &format!("{CLOTHS} price >= 20"));
    desk.check("cloths with price 18+", &format!("{CLOTHS} price >= 18"));
    desk.refused("how many cloths have stock <", "“<”");
    desk.refused("orders where amount > ", "“>”");
}

#[test]
fn arithmetic_is_refused_by_name() {
    let desk = mill();
    desk.refused("list cloths with price + duty", "“price + duty”");
    desk.refused("sum of price * stock", "“price * stock”");
    desk.refused("average of price - duty", "“price - duty”");
    desk.refused("show 1.1 * price for each cloth", "1.1");
}

#[test]
fn percents_of_a_column_of_fractions_are_hundredths() {
    let desk = mill();
    let told = desk.check("cloths with rebate >= 15%", &format!("{CLOTHS} rebate >= 0.15"));
    desk.assumes(&told, "“15%” is read as 0.15");
    desk.check("cloths with a rebate over 20 percent", &format!("{CLOTHS} rebate > 0.2"));
    desk.check("how many cloths have more than 20% rebate", "SELECT COUNT(*) FROM cloths WHERE rebate > 0.2");
    desk.check("cloths with a rebate between 10 and 20 percent", &format!("{CLOTHS} rebate BETWEEN 0.1 AND 0.2"));
    let told = desk.check("cloths with price over 20%", &format!("{CLOTHS} price > 20"));
    desk.assumes(&told, "“20%” is read as 20");
}

#[test]
fn a_test_before_what_is_counted_is_not_put_on_the_number_beside_it() {
    let desk = mill();
    let both = "SELECT (SELECT COUNT(*) FROM orders WHERE status = 'cancelled'), SUM(amount) FROM orders";
    let told = desk.check("number of cancelled orders and total amount of all orders", both);
    desk.assumes(&told, "“cancelled” is said of the orders that are counted");
    desk.check(
        "number of cancelled orders and total amount in 2023",
        "SELECT (SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND ordered_on LIKE '2023%'), SUM(amount)
         FROM orders WHERE ordered_on LIKE '2023%'",
    );
    let each = "SELECT buyer_name, AVG(amount) FROM orders JOIN buyers USING (buyer_id) GROUP BY buyer_id";
    desk.check("the number of cancelled orders and the average amount per buyer", each);
}

#[test]
fn who_did_it_to_them_is_a_test_and_no_group() {
    let desk = mill();
    desk.check(
        "number of cloths by referred weavers",
        "SELECT COUNT(*) FROM cloths c JOIN weavers w USING (weaver_id) WHERE w.referred_by IS NOT NULL",
    );
}

#[test]
fn brackets_say_which_numbers_are_wanted() {
    let desk = mill();
    let sql = "SELECT method, COUNT(*), SUM(sum_paid) FROM payments GROUP BY method";
    desk.check("payments split by method (number and sum paid)", sql);
    desk.check("payments by method (count and total sum paid)", sql);
}

#[test]
fn the_busiest_time_is_that_with_the_most_rows() {
    let desk = mill();
    let sql = "SELECT ordered_on, COUNT(*) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 1";
    desk.check("what was the busiest day for orders?", sql);
    desk.check(
        "busiest month for orders in 2023",
        "SELECT strftime('%m', ordered_on), COUNT(*) FROM orders WHERE ordered_on LIKE '2023%' GROUP BY 1
         ORDER BY 2 DESC LIMIT 1",
    );
}

#[test]
fn two_orders_in_one_message_are_both_answered() {
    let told = mill().ask("show weavers. show buyers");
    let steps = told["plan"]["steps"].to_string();
    assert!(steps.contains("weaver_name") && steps.contains("buyer_name"), "{told}");
}

#[test]
fn a_deed_is_dated_by_its_own_rows() {
    let sql = "SELECT buyer_name FROM buyers b JOIN contracts c USING (buyer_id) JOIN payments p USING (contract_id)
               GROUP BY b.buyer_id HAVING MAX(paid_on LIKE '2023%') AND NOT MAX(paid_on LIKE '2024%')";
    let told = mill().check("buyers who paid in 2023 but not in 2024", sql);
    mill().assumes(&told, "payments.paid_on");
}

#[test]
fn what_nobody_did_is_no_group_of_what_each_did() {
    let sql = "SELECT weaver_name, COUNT(*) FROM cloths JOIN weavers USING (weaver_id) GROUP BY weaver_id";
    let told = mill().check("how many cloths does each weaver have?", sql);
    mill().assumes(&told, "Rows without a weaver are left out");
}

#[test]
fn a_word_is_not_lost_in_the_name_before_it() {
    mill().refused("buyers reprimanded in 2023", "reprimanded");
    mill().refused("number of orders reprimanded in 2023", "reprimanded");
}

#[test]
fn a_value_that_is_not_known_is_asked_for_and_not_counted() {
    let desk = Desk::of(
        "CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT);
         CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats, status TEXT,
           hours REAL);
         INSERT INTO boats VALUES (1, 'Wave'), (2, 'Foam');
         INSERT INTO rentals VALUES (1, 1, 'cancelled', 2), (2, 1, 'done', 3), (3, 2, 'cancelled', 1);",
    );
    desk.refused("total value of cancelled rentals", "the value of rentals");
    desk.refused("total value of rentals", "the value of rentals");
}

#[test]
fn a_name_with_a_sign_in_it_is_a_name() {
    let desk = Desk::of(
        "CREATE TABLE bands (band_id INTEGER PRIMARY KEY, band_name TEXT);
         CREATE TABLE songs (song_id INTEGER PRIMARY KEY, band_id INTEGER REFERENCES bands, song_name TEXT);
         INSERT INTO bands VALUES (1, 'Ox/Yak'), (2, 'Elk + Emu');
         INSERT INTO songs VALUES (1, 1, 'Hoof'), (2, 1, 'Horn'), (3, 2, 'Herd');",
    );
    desk.check("how many songs by Ox/Yak", "SELECT 2");
    desk.check("songs by Elk + Emu", "SELECT 'Herd'");
}

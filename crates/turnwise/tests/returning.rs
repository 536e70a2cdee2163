//! Rows told by what they did, and when, and tables whose columns carry a mark: buyers who came back, stayed away or
//! came first, how often they did, and what share of all that is. Each through `turnwise ask`, with the rows computed
//! in SQL here. Next: `states`, `conditions`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A seed shop: who gardens, what was ordered, what was sent back. One order has no gardener.
const SHOP: &str = "
CREATE TABLE cd_channel (chn_code TEXT PRIMARY KEY, chn_descr TEXT);
CREATE TABLE tbl_gardener (gar_id INTEGER PRIMARY KEY, gar_name TEXT, gar_town TEXT, gar_signup_dt TEXT);
CREATE TABLE tbl_order (ord_id INTEGER PRIMARY KEY, ord_gar_id INTEGER REFERENCES tbl_gardener(gar_id),
  ord_chn_code TEXT REFERENCES cd_channel(chn_code), ord_order_dt TEXT, ord_packets INTEGER, ord_state TEXT,
  ord_total REAL);
CREATE TABLE tbl_visit (vis_id INTEGER PRIMARY KEY, vis_gar_id INTEGER REFERENCES tbl_gardener(gar_id), vis_begin TEXT,
  vis_end TEXT);
INSERT INTO cd_channel VALUES ('W', 'Web shop'), ('P', 'Post'), ('S', 'Stall');
INSERT INTO tbl_gardener VALUES (1, 'Abel Ash', 'Arlow', '2021-01-05'), (2, 'Berta Birch', 'Arlow', '2021-06-01'),
  (3, 'Cilla Cedar', 'Brome', '2023-02-02'), (4, 'Dora Dale', 'Brome', '2022-03-03'),
  (5, 'Egon Elder', 'Crane', '2022-04-04'), (6, 'Faye Fir', 'Crane', '2024-01-01');
INSERT INTO tbl_order VALUES (1, 1, 'W', '2021-05-01', 3, 'sent', 9.5), (2, 1, 'W', '2023-05-02', 4, 'sent', 12),
  (3, 1, 'P', '2024-02-03', 1, 'cancelled', 4), (4, 2, 'S', '2023-03-04', 10, 'sent', 31),
  (5, 2, 'W', '2023-09-05', 2, 'cancelled', 6), (6, 3, 'P', '2024-03-06', 7, 'sent', 20),
  (7, 3, 'W', '2024-03-20', 5, 'sent', 15), (8, 4, 'W', '2022-07-08', 2, 'cancelled', 5),
  (9, 4, 'W', '2023-07-09', 2, 'cancelled', 7), (10, 4, 'S', '2024-07-10', 8, 'sent', 26),
  (11, NULL, 'S', '2024-08-11', 3, 'sent', 8), (12, NULL, 'S', '2024-08-12', 3, 'sent', 8);
INSERT INTO tbl_visit VALUES (1, 1, '2023-06-01 10:00:00', '2023-06-01 10:30:00'),
  (2, 2, '2024-06-02 11:00:00', '2024-06-02 12:00:00'), (3, 4, '2024-06-03 09:15:00', '2024-06-03 10:30:00');
";

const IN_2023: &str = "SELECT ord_gar_id FROM tbl_order WHERE ord_order_dt LIKE '2023%'";
const IN_2024: &str = "SELECT ord_gar_id FROM tbl_order WHERE ord_order_dt LIKE '2024%' AND ord_gar_id IS NOT NULL";
const BEFORE_2024: &str = "SELECT ord_gar_id FROM tbl_order WHERE ord_order_dt < '2024-01-01'";

fn desk() -> Desk {
    Desk::of(SHOP)
}

fn counted(tests: &str) -> String {
    format!("SELECT COUNT(*) FROM tbl_gardener WHERE {tests}")
}

#[test]
fn the_time_of_what_was_done_is_not_that_of_the_rows() {
    let desk = desk();
    let told = desk.check("how many gardeners ordered in 2023?", &counted(&format!("gar_id IN ({IN_2023})")));
    desk.assumes(&told, "Time is that of tbl_order.ord_order_dt.");
    desk.check(
        "which gardeners ordered in 2024?",
        &format!("SELECT gar_name FROM tbl_gardener WHERE gar_id IN ({IN_2024})"),
    );
    desk.check("how many gardeners signed up in 2022?", &counted("gar_signup_dt LIKE '2022%'"));
}

#[test]
fn two_times_are_both_or_one_and_not_the_other() {
    let desk = desk();
    let both = counted(&format!("gar_id IN ({IN_2023}) AND gar_id IN ({IN_2024})"));
    for asked in [
        "how many gardeners ordered both in 2023 and in 2024?",
        "how many gardeners ordered in 2023 and again in 2024?",
        "number of gardeners who ordered in 2023 as well as in 2024",
    ] {
        desk.check(asked, &both);
    }
    let gone = counted(&format!("gar_id IN ({IN_2023}) AND gar_id NOT IN ({IN_2024})"));
    for asked in
        ["how many gardeners ordered in 2023 but not in 2024?", "how many gardeners ordered in 2023 and never again?"]
    {
        desk.check(asked, &gone);
    }
    desk.refused("how many gardeners ordered in 2023 and in 2024?", "In each of these times, or in both?");
}

#[test]
fn what_was_done_may_be_said_by_its_rows_and_to_what() {
    let desk = desk();
    let gone = counted(&format!("gar_id IN ({IN_2023}) AND gar_id NOT IN ({IN_2024})"));
    for asked in [
        "how many gardeners with orders in 2023 but not in 2024?",
        "how many gardeners placed an order in 2023 but not in 2024?",
        "how many gardeners had orders in 2023 but none in 2024?",
    ] {
        desk.check(asked, &gone);
    }
    let only = counted(&format!(
        "gar_id IN ({IN_2023}) AND gar_id NOT IN (SELECT ord_gar_id FROM tbl_order WHERE ord_gar_id IS NOT NULL
          AND ord_order_dt NOT LIKE '2023%')"
    ));
    desk.check("how many gardeners ordered only in 2023?", &only);
    let either = counted(&format!("gar_id IN ({IN_2023}) OR gar_id IN ({IN_2024})"));
    desk.check("how many gardeners ordered in 2023 or 2024?", &either);
    let both = counted(&format!("gar_id IN ({IN_2023}) AND gar_id IN ({IN_2024})"));
    desk.check("how many gardeners ordered in both 2023 and 2024?", &both);
    let brome = counted(&format!("gar_town = 'Brome' AND gar_id IN ({IN_2023})"));
    desk.check("how many gardeners ordered in 2023 from Brome?", &brome);
    let cancelled = |year: &str| {
        format!("SELECT ord_gar_id FROM tbl_order WHERE ord_state = 'cancelled' AND ord_order_dt LIKE '{year}%'")
    };
    let (one, other) = (cancelled("2023"), cancelled("2024"));
    desk.check(
        "how many gardeners had cancelled orders in 2023 but not in 2024?",
        &counted(&format!("gar_id IN ({one}) AND gar_id NOT IN ({other})")),
    );
}

#[test]
fn what_single_rows_cannot_tell_is_refused() {
    let desk = desk();
    desk.refused("gardeners who ordered more than 2 packets in 2023 but not in 2024", "No row of 2023 is one of 2024");
    desk.refused("gardeners who ordered in 2023 without ordering in 2024", "What is left out behind the time");
    desk.refused("gardeners whose first order was cancelled", "Of each one's own first or last");
    desk.refused("repeat gardeners by town", "“repeat” does not stand");
    desk.refused("orders in 2023 but not in 2024", "No row of 2023 is one of 2024");
    desk.refused("average gardener per town", "“Average gardener” of what?");
}

#[test]
fn the_first_and_the_last_time_are_each_ones_own() {
    let desk = desk();
    let first = counted(&format!("gar_id IN ({IN_2024}) AND gar_id NOT IN ({BEFORE_2024})"));
    for asked in [
        "how many gardeners ordered for the first time in 2024?",
        "how many gardeners placed their first order in 2024?",
        "how many gardeners first ordered in 2024?",
    ] {
        desk.check(asked, &first);
    }
    let last = "SELECT gar_name FROM tbl_gardener JOIN tbl_order ON ord_gar_id = gar_id GROUP BY gar_id
      HAVING MAX(ord_order_dt) LIKE '2023%'";
    desk.check("gardeners whose last order was in 2023", last);
    desk.check(
        "first-time gardeners in 2024",
        &format!("SELECT gar_name FROM tbl_gardener WHERE gar_id IN ({IN_2024}) AND gar_id NOT IN ({BEFORE_2024})"),
    );
    desk.refused("how many gardeners ordered for the first time in 2024 by month?", "leave out by what time");
}

#[test]
fn who_did_not_is_whoever_has_none_at_all() {
    let desk = desk();
    let none = format!("SELECT gar_name FROM tbl_gardener WHERE gar_id NOT IN ({IN_2024})");
    for asked in [
        "gardeners who have not ordered since January 2024",
        "gardeners who did not order in 2024",
        "gardeners who haven't ordered in 2024",
    ] {
        desk.check(asked, &none);
    }
}

#[test]
fn how_often_is_counted_in_what_was_done() {
    let desk = desk();
    let often = |tests: &str, times: &str| {
        format!(
            "SELECT COUNT(*) FROM (SELECT ord_gar_id FROM tbl_order WHERE {tests} AND ord_gar_id IS NOT NULL
          GROUP BY 1 HAVING COUNT(*) {times})"
        )
    };
    desk.check("how many gardeners ordered more than once?", &often("1", "> 1"));
    desk.check("how many gardeners ordered at least 3 times?", &often("1", ">= 3"));
    desk.check("how many gardeners ordered more than once in 2024?", &often("ord_order_dt LIKE '2024%'", "> 1"));
    desk.check("how many gardeners ordered in 2024 only once?", &often("ord_order_dt LIKE '2024%'", "= 1"));
    desk.check("number of repeat gardeners", &often("1", "> 1"));
    desk.check(
        "gardeners with at least 2 cancelled orders",
        "SELECT gar_name FROM tbl_gardener JOIN tbl_order ON ord_gar_id = gar_id WHERE ord_state = 'cancelled'
          GROUP BY gar_id HAVING COUNT(*) >= 2",
    );
}

#[test]
fn rows_of_nobody_are_nobody() {
    let desk = desk();
    desk.check("how many gardeners have at least one order?", "SELECT COUNT(DISTINCT ord_gar_id) FROM tbl_order");
    desk.check(
        "which gardeners have more than 1 order?",
        "SELECT gar_name FROM tbl_gardener JOIN tbl_order ON ord_gar_id = gar_id GROUP BY gar_id HAVING COUNT(*) > 1",
    );
}

#[test]
fn the_share_of_those_who_did_is_one_of_all() {
    let desk = desk();
    let all = "(SELECT COUNT(*) FROM tbl_gardener)";
    desk.check(
        "what share of gardeners ordered in 2023?",
        &format!("SELECT COUNT(*) * 1.0 / {all} FROM tbl_gardener WHERE gar_id IN ({IN_2023})"),
    );
    desk.check(
        "share of gardeners who ordered more than once",
        &format!(
            "SELECT COUNT(*) * 1.0 / {all} FROM (SELECT ord_gar_id FROM tbl_order WHERE ord_gar_id IS NOT NULL
          GROUP BY 1 HAVING COUNT(*) > 1)"
        ),
    );
    desk.check(
        "share of gardeners from Arlow who ordered more than twice",
        "SELECT 1 * 1.0 / COUNT(*) FROM tbl_gardener WHERE gar_town = 'Arlow'",
    );
}

#[test]
fn columns_may_carry_the_mark_of_their_table() {
    let desk = desk();
    let by_channel = "FROM tbl_order JOIN cd_channel ON chn_code = ord_chn_code GROUP BY chn_code";
    desk.check("orders by channel", &format!("SELECT chn_descr, COUNT(*) {by_channel}"));
    desk.check("average packets by channel", &format!("SELECT chn_descr, AVG(ord_packets) {by_channel}"));
    desk.check("how many gardeners live in Brome?", &counted("gar_town = 'Brome'"));
}

#[test]
fn an_average_of_what_has_an_amount_is_that_amount() {
    let desk = desk();
    desk.check(
        "what is the average order for each channel?",
        "SELECT chn_descr, AVG(ord_total) FROM tbl_order JOIN cd_channel ON chn_code = ord_chn_code GROUP BY chn_code",
    );
    desk.check("average orders per gardener", "SELECT 10.0 / 6");
}

#[test]
fn time_with_a_clock_is_counted_in_hours() {
    let desk = desk();
    let told = desk.check("how long does a visit take on average?", "SELECT (0.5 + 1 + 1.25) / 3");
    desk.assumes(&told, "Time is counted in hours: say “in minutes” or “in days” for those.");
}

#[test]
fn a_comparison_of_nothing_named_is_asked_about() {
    desk().refused("how many orders went to a different town than they came from?", "What is compared with what");
}

#[test]
fn signs_compare_as_their_words_do() {
    let desk = desk();
    for (sign, words) in [("<", "under"), (">", "over"), ("<=", "at most"), (">=", "at least"), ("≥", "at least")] {
        let plain = sign.replace('≥', ">=");
        let sql = format!("SELECT COUNT(*) FROM tbl_order WHERE ord_packets {plain} 3");
        desk.check(&format!("how many orders with packets {sign} 3?"), &sql);
        desk.check(&format!("how many orders with packets {words} 3?"), &sql);
    }
    desk.check("how many orders with packets > -1?", "SELECT COUNT(*) FROM tbl_order");
    desk.check(
        "what % of orders are cancelled?",
        "SELECT SUM(CASE WHEN ord_state = 'cancelled' THEN 1 ELSE 0 END) * 1.0 / COUNT(*) FROM tbl_order",
    );
}

#[test]
fn what_comes_first_is_the_number_of_a_group() {
    let desk = desk();
    let told = desk.check(
        "orders by channel, most common first",
        "SELECT chn_descr, COUNT(*) FROM tbl_order JOIN cd_channel ON chn_code = ord_chn_code GROUP BY chn_code",
    );
    assert!(told["table"]["rows"][0].to_string().contains("Web shop"), "{told}");
}

#[test]
fn rows_that_signed_up_are_counted_and_not_their_dates() {
    let desk = Desk::of(
        "CREATE TABLE members (id INTEGER PRIMARY KEY, member_name TEXT, signed_up_on DATE);
         INSERT INTO members VALUES (1, 'Ola', '2023-01-05'), (2, 'Per', '2023-01-05'), (3, 'Qui', '2024-02-02');",
    );
    desk.check("how many members signed up in 2023?", "SELECT 2");
    desk.check(
        "how many members signed up each year?",
        "SELECT strftime('%Y', signed_up_on), COUNT(*) FROM members GROUP BY 1",
    );
}

#[test]
fn what_was_done_to_rows_is_a_test_wherever_it_stands() {
    let desk = Desk::of(
        "CREATE TABLE crates (id INTEGER PRIMARY KEY, depot TEXT, packed_on DATE, delivered_on DATE);
         CREATE TABLE dues (id INTEGER PRIMARY KEY, due_date DATE, paid_date DATE, amount REAL);
         INSERT INTO crates VALUES (1, 'North', '2024-01-01', '2024-01-03'), (2, 'North', '2024-01-01', NULL),
           (3, 'South', '2024-01-02', '2024-01-05'), (4, 'South', '2024-02-02', '2024-02-05');
         INSERT INTO dues VALUES (1, '2024-01-10', '2024-01-12', 5), (2, '2024-01-10', '2024-01-09', 6),
           (3, '2024-02-10', NULL, 7);",
    );
    let by_depot = "SELECT depot, COUNT(*) FROM crates WHERE delivered_on IS NOT NULL GROUP BY depot";
    for asked in ["delivered crates by depot", "show delivered crates by depot", "how many delivered crates by depot?"]
    {
        desk.check(asked, by_depot);
    }
    desk.check("how many undelivered crates?", "SELECT 1");
    desk.check("how many paid dues?", "SELECT 2");
    desk.check("what percentage of the paid dues was paid after the due date?", "SELECT 50.0");
}

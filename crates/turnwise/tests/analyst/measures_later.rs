//! Follow-ups about the number itself: a further number, that of other rows, another unit or another date. None of them
//! becomes a group, and what cannot be had is refused by name. Next: `opposites`.

use crate::ask::{self, Asked};
use crate::made::{check_talks, over_sql, refused, talk_refused};

const MADE: &str = "
CREATE TABLE sites (id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT, opened INTEGER);
INSERT INTO sites VALUES (1,'North','Oslo','Norway',1999),(2,'South','Bergen','Norway',2004),
 (3,'East','Turku','Finland',2004);
CREATE TABLE jobs (id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites(id), kind TEXT, ordered_on DATE,
  started_on DATE, finished_on DATE, cost REAL, bonus REAL, boxes INTEGER, unit_price REAL, discount REAL, online_job BOOLEAN);
INSERT INTO jobs VALUES (1,1,'Paint','2023-12-20','2024-01-02','2024-01-09',100,10,3,5,0.1,1),
 (2,1,'Roof','2024-02-01','2024-02-10','2024-02-24',300,30,4,6,0.2,0),
 (3,2,'Paint','2024-03-01','2024-03-05','2024-03-12',50,5,1,7,0.05,0),
 (4,3,'Roof','2024-06-01','2024-06-03','2025-01-10',500,1,9,8,0.3,1),
 (5,3,'Paint','2024-12-01','2025-01-02','2025-01-16',70,2,2,9,0.15,0);
CREATE TABLE bills (id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites(id), billed_on DATE, amount REAL);
INSERT INTO bills VALUES (1,1,'2024-01-15',90),(2,1,'2024-02-25',250),(3,2,'2024-03-15',50),(4,3,'2025-02-01',400);
CREATE TABLE receipts (id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites(id), received_on DATE, amount REAL);
INSERT INTO receipts VALUES (1,1,'2024-01-25',80),(2,1,'2024-03-25',20),(3,3,'2024-03-15',10);
CREATE TABLE visits (id INTEGER PRIMARY KEY, site_id INTEGER REFERENCES sites(id), visited_on DATE);
INSERT INTO visits VALUES (1,1,'2024-01-15'),(2,3,'2024-02-25'),(3,3,'2024-03-15');
";

#[test]
fn a_number_that_is_named_later_is_no_group() {
    check_talks(
        MADE,
        &[
            (&["total cost by kind", "and the bonus?"], "SELECT kind, SUM(cost), SUM(bonus) FROM jobs GROUP BY 1"),
            (&["total cost by kind", "the bonus instead"], "SELECT kind, SUM(bonus) FROM jobs GROUP BY 1"),
            (&["number of jobs by kind", "and the boxes?"], "SELECT kind, COUNT(*), SUM(boxes) FROM jobs GROUP BY 1"),
            (
                &["total cost by kind", "and bonus and boxes?"],
                "SELECT kind, SUM(cost), SUM(bonus), SUM(boxes) FROM jobs GROUP BY 1",
            ),
            (&["number of jobs by kind", "in total cost"], "SELECT kind, SUM(cost) FROM jobs GROUP BY 1"),
            (&["average cost by kind", "and the bonus?"], "SELECT kind, AVG(cost), AVG(bonus) FROM jobs GROUP BY 1"),
            (
                &["top 2 cities by total cost", "and the bonus?"],
                "=SELECT city, SUM(cost), SUM(bonus) FROM jobs j JOIN sites s ON s.id = site_id GROUP BY 1
                 ORDER BY 2 DESC LIMIT 2",
            ),
        ],
    );
    let said = talk_refused(MADE, &["number of jobs by kind", "and the unit price?"]);
    assert!(said.contains("unit price") && said.contains("average"), "{said}");
}

#[test]
fn what_is_no_number_stays_a_group() {
    check_talks(
        MADE,
        &[
            (
                &["number of jobs by kind", "and the country?"],
                "SELECT kind, country, COUNT(*) FROM jobs j JOIN sites s ON s.id = site_id GROUP BY 1, 2",
            ),
            (
                &["total cost by kind", "by city"],
                "SELECT kind, city, SUM(cost) FROM jobs j JOIN sites s ON s.id = site_id GROUP BY 1, 2",
            ),
            (&["number of jobs by kind", "by boxes"], "SELECT kind, boxes, COUNT(*) FROM jobs GROUP BY 1, 2"),
        ],
    );
}

#[test]
fn the_number_of_other_rows_takes_its_place() {
    check_talks(
        MADE,
        &[
            (
                &["total receipt amount by country", "what about bills instead"],
                "SELECT country, SUM(amount) FROM bills b JOIN sites s ON s.id = site_id GROUP BY 1",
            ),
            (
                &["number of jobs by city", "what about visits instead"],
                "SELECT city, COUNT(*) FROM visits v JOIN sites s ON s.id = site_id GROUP BY 1",
            ),
            (
                &["total cost by kind", "what about sites instead"],
                "SELECT s.name, SUM(cost) FROM jobs j JOIN sites s ON s.id = site_id GROUP BY s.id",
            ),
        ],
    );
    let said = talk_refused(MADE, &["total cost by city", "what about visits instead"]);
    assert!(said.contains("visits"), "{said}");
    let said = talk_refused(MADE, &["number of jobs by kind", "what about bills instead"]);
    assert!(said.contains("kind"), "{said}");
}

#[test]
fn a_unit_is_no_group_and_no_share() {
    check_talks(
        MADE,
        &[
            (
                &["average days from start to finish by kind", "in weeks"],
                "SELECT kind, AVG(julianday(finished_on) - julianday(started_on)) / 7 FROM jobs GROUP BY 1",
            ),
            (
                &["number of jobs by kind", "as a percentage"],
                "SELECT kind, COUNT(*), COUNT(*) * 1.0 / (SELECT COUNT(*) FROM jobs) FROM jobs GROUP BY 1",
            ),
            (
                &["number of jobs in 2024", "by weeks"],
                "SELECT COUNT(*) FROM jobs WHERE started_on LIKE '2024%' GROUP BY strftime('%W', started_on)",
            ),
        ],
    );
    let said = talk_refused(MADE, &["average discount by kind", "in percent"]);
    assert!(said.contains("discount") && said.contains("25 percent"), "{said}");
    let said = talk_refused(MADE, &["number of jobs by kind", "and the boxes?", "as a percentage"]);
    assert!(said.contains("which number"), "{said}");
    let said = talk_refused(MADE, &["average cost by kind", "as a percentage"]);
    assert!(said.contains("cost"), "{said}");
    let said = talk_refused(MADE, &["average days from start to finish by kind", "in days please"]);
    assert!(said.contains("already"), "{said}");
}

#[test]
fn the_time_is_that_of_the_date_that_is_said() {
    check_talks(
        MADE,
        &[
            (
                &["jobs by kind ordered in 2024", "finished in 2024"],
                "SELECT kind, COUNT(*) FROM jobs WHERE finished_on LIKE '2024%' GROUP BY 1",
            ),
            (
                &["number of jobs ordered in 2024", "and started?"],
                "SELECT COUNT(*) FROM jobs WHERE started_on LIKE '2024%'",
            ),
            (
                &["number of jobs ordered in 2024", "and in 2023?"],
                "SELECT COUNT(*) FROM jobs WHERE ordered_on LIKE '2023%'",
            ),
        ],
    );
}

#[test]
fn another_kind_of_the_same_rows_takes_the_place_of_the_first() {
    check_talks(
        MADE,
        &[
            (
                &["online jobs by city", "what about roof jobs"],
                "SELECT city, COUNT(*) FROM jobs j JOIN sites s ON s.id = site_id WHERE kind = 'Roof' GROUP BY 1",
            ),
            (
                &["online jobs by city", "only roof jobs"],
                "SELECT city, COUNT(*) FROM jobs j JOIN sites s ON s.id = site_id WHERE kind = 'Roof' AND online_job = 1
                 GROUP BY 1",
            ),
        ],
    );
}

#[test]
fn one_side_of_two_is_not_shown_alone() {
    let (_folder, analyst) = over_sql(MADE);
    let said = refused(&analyst, "total amount received vs billed by city");
    assert!(said.contains("billed"), "{said}");
    check_talks(
        MADE,
        &[(&["total cost vs total bonus by kind"], "SELECT kind, SUM(cost), SUM(bonus) FROM jobs GROUP BY 1")],
    );
}

#[test]
fn the_sentence_names_the_number_that_it_is_ranked_by() {
    let (_folder, analyst) = over_sql(MADE);
    let Asked::Answered { answer, .. } = ask::talked(&analyst, &["total cost by kind", "and the bonus?", "the top 1"])
    else {
        panic!("it is not answered");
    };
    assert!(answer.text.starts_with("Roof has the highest cost: 800"), "{}", answer.text);
}

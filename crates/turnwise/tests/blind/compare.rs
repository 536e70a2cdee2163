//! Whether an answer's table holds the rows of a right answer: numbers within 0.5 %, columns in any order, extra label
//! columns allowed, periods labelled as numbers, names or dates.

use turnwise_core::{Cell, Table};

/// Whether `answer` holds exactly the rows `expected`, in that order where the question ranks.
pub fn holds(answer: &Table, expected: &[Vec<Cell>], ordered: bool) -> bool {
    if answer.rows.len() != expected.len() {
        return false;
    }
    if ordered {
        return answer.rows.iter().zip(expected).all(|(row, wanted)| row_holds(row, wanted));
    }
    // A row may fit several expected ones ("2013" is a year and may be a number), so each is given the one it can
    // spare.
    let mut given: Vec<Option<usize>> = vec![None; answer.rows.len()];
    (0..expected.len()).all(|wanted| {
        let mut tried = vec![false; answer.rows.len()];
        assign(wanted, &answer.rows, expected, &mut given, &mut tried)
    })
}

/// Gives `wanted` a row of its own, moving others to rows that fit them as well.
fn assign(
    wanted: usize,
    rows: &[Vec<Cell>],
    expected: &[Vec<Cell>],
    given: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for at in 0..rows.len() {
        if tried[at] || !row_holds(&rows[at], &expected[wanted]) {
            continue;
        }
        tried[at] = true;
        let free = match given[at] {
            Some(other) => assign(other, rows, expected, given, tried),
            None => true,
        };
        if free {
            given[at] = Some(wanted);
            return true;
        }
    }
    false
}

/// Each wanted value stands in the row: figures each in a cell of their own, labels anywhere.
pub fn row_holds(row: &[Cell], wanted: &[Cell]) -> bool {
    let mut used = vec![false; row.len()];
    wanted.iter().all(|value| {
        let own = row.iter().enumerate().position(|(at, cell)| !used[at] && same(cell, value));
        match own {
            Some(at) => {
                used[at] = true;
                true
            }
            // One label may say two things: "2021-Q3" is the year 2021 and the quarter 3.
            None => row.iter().any(|cell| matches!(cell, Cell::Text(_)) && same(cell, value)),
        }
    })
}

fn same(cell: &Cell, wanted: &Cell) -> bool {
    if let (Some(left), Some(right)) = (cell.as_number(), wanted.as_number()) {
        return close(left, right);
    }
    match (cell, wanted) {
        (Cell::Null, Cell::Null) => true,
        (Cell::Text(text), other) => labels(text).iter().any(|label| label_is(label, other)),
        (other, Cell::Text(text)) => labels(text).iter().any(|label| label_is(label, other)),
        _ => false,
    }
}

fn label_is(label: &str, value: &Cell) -> bool {
    match value {
        Cell::Text(text) => labels(text).iter().any(|other| other == label),
        Cell::Integer(number) => label.parse::<i64>() == Ok(*number),
        Cell::Real(number) => label.parse::<f64>().is_ok_and(|label| close(label, *number)),
        Cell::Null => false,
    }
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 0.005 * right.abs().max(1e-9)
}

/// What a label may be read as: itself, and for a period its year, quarter, month and day as plain numbers.
fn labels(text: &str) -> Vec<String> {
    let plain = text.trim().to_lowercase();
    let mut labels = vec![plain.clone()];
    if let Ok(number) = plain.parse::<i64>() {
        labels.push(number.to_string());
    }
    if let Some(month) = MONTHS.iter().position(|month| plain == *month || plain == month[..3]) {
        labels.push((month + 1).to_string());
    }
    let parts: Vec<&str> = plain.split(['-', ' ', 't', ':', '/']).collect();
    let is_period = parts.first().is_some_and(|year| year.len() == 4 && year.parse::<u32>().is_ok());
    if is_period && parts.len() > 1 {
        labels.extend(
            parts
                .iter()
                .filter_map(|part| part.trim_start_matches('q').parse::<i64>().ok())
                .map(|part| part.to_string()),
        );
        labels.push(parts[..2].join("-"));
        labels.extend(parts.get(..3).map(|day| day.join("-")));
        let month = parts[1].parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)));
        labels.extend(month.map(|month| (*month).to_owned()));
    }
    if let Some((quarter, year)) = plain.split_once(' ').filter(|(quarter, _)| quarter.starts_with('q')) {
        labels.extend([quarter.trim_start_matches('q').to_owned(), year.to_owned()]);
    }
    labels
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

#[test]
fn figures_labels_and_periods_are_compared_as_a_person_would() {
    let table = |rows: Vec<Vec<Cell>>| Table::whole(vec![String::new(); rows[0].len()], rows);
    let text = |text: &str| Cell::Text(text.to_owned());
    let quarter = table(vec![vec![text("2021-Q3"), Cell::Real(110.9)]]);
    assert!(holds(&quarter, &[vec![text("2021"), Cell::Integer(3), Cell::Real(110.88)]], true));
    assert!(!holds(&quarter, &[vec![text("2021"), Cell::Integer(4), Cell::Real(110.88)]], true));
    assert!(!holds(&quarter, &[vec![text("2021"), Cell::Integer(3), Cell::Real(112.0)]], true));
    let months = table(vec![vec![text("2024-02"), Cell::Integer(7)], vec![text("2024-01"), Cell::Integer(5)]]);
    let wanted = [vec![text("01"), Cell::Integer(5)], vec![text("02"), Cell::Integer(7)]];
    assert!(holds(&months, &wanted, false));
    assert!(!holds(&months, &wanted, true));
    assert!(!holds(&months, &wanted[..1], false), "no more rows than wanted");
    let two = table(vec![vec![Cell::Integer(5), Cell::Integer(9)]]);
    assert!(!holds(&two, &[vec![Cell::Integer(5), Cell::Integer(5)]], false), "a figure counts once");
}

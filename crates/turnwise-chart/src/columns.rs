//! What the columns of a result are for a drawing: labels, times and figures. Names and values decide, since a result
//! carries nothing else. Next: `choose`.

use turnwise_core::{Cell, Table};

/// The columns of a table by what they do in a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// They say which row it is, and no time.
    pub(super) names: Vec<usize>,
    /// They say when.
    pub(super) times: Vec<usize>,
    /// They are figures.
    pub(super) figures: Vec<usize>,
}

impl Columns {
    /// Labels stand first: the columns up to the first figures, and in any case the first unless it is alone.
    pub(super) fn of_rows(table: &Table) -> Self {
        let mut columns = Self { names: Vec::new(), times: Vec::new(), figures: Vec::new() };
        let several = table.columns.len() > 1;
        let mut heading = true;
        for at in 0..table.columns.len() {
            let numeric = is_numeric(table, at);
            if says_when(table, at) && heading {
                columns.times.push(at);
            } else if heading && (!numeric || (at == 0 && several)) {
                columns.names.push(at);
            } else {
                heading = false;
                if numeric {
                    columns.figures.push(at);
                }
            }
        }
        columns
    }

    /// Figures wherever they stand: a plane needs two of them.
    pub(super) fn of_plane(table: &Table) -> Self {
        let all = 0..table.columns.len();
        let (mut times, mut names, mut figures) = (Vec::new(), Vec::new(), Vec::new());
        for at in all {
            match (is_numeric(table, at), says_when(table, at)) {
                (true, false) => figures.push(at),
                (_, true) => times.push(at),
                (false, false) => names.push(at),
            }
        }
        if figures.len() < 2 {
            let numbers: Vec<usize> = times.iter().copied().filter(|at| is_numeric(table, *at)).collect();
            times.retain(|at| !numbers.contains(at));
            figures.extend(numbers);
            figures.sort_unstable();
        }
        Self { names, times, figures }
    }
}

/// Numbers in every row that has a value.
pub(super) fn is_numeric(table: &Table, at: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(at));
    cells.clone().any(Cell::is_number) && cells.all(|cell| cell.is_number() || *cell == Cell::Null)
}

/// Whether a column says when: by its name, or because all of its texts are years, months or days.
pub(super) fn says_when(table: &Table, at: usize) -> bool {
    let name = table.columns[at].to_lowercase();
    if PERIODS.contains(&name.as_str()) {
        return true;
    }
    let mut texts = table.rows.iter().filter_map(|row| row.get(at)).filter(|cell| **cell != Cell::Null).peekable();
    texts.peek().is_some() && texts.all(|cell| matches!(cell, Cell::Text(text) if is_moment(text)))
}

/// "2024-03", "2024-Q1", "2024-W07", "2024-03-01 10:00".
fn is_moment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let year = bytes.len() >= 6 && bytes[..4].iter().all(u8::is_ascii_digit) && matches!(bytes[4], b'-' | b' ' | b'/');
    let rest = text.get(5..).unwrap_or_default().trim_start_matches(['Q', 'W']);
    year && rest.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether the figures of a column may be added up: amounts and numbers of things, never averages.
pub(super) fn adds_up(name: &str) -> bool {
    let name = name.to_lowercase();
    ADDING.iter().any(|word| name.starts_with(word)) || name.contains("count")
}

/// Whether a column holds shares of one.
pub(super) fn is_share(table: &Table, at: usize) -> bool {
    let name = table.columns[at].to_lowercase();
    let named = name.split([' ', '_']).any(|word| matches!(word, "share" | "change" | "growth"));
    let small = |cell: &Cell| cell.as_number().is_none_or(|value| value.abs() <= SHARE_MAX);
    named && table.rows.iter().filter_map(|row| row.get(at)).all(small)
}

/// Says where times without rows are passed over, of labels that say when: every label has the same room.
pub(super) fn uneven(table: &Table, labels: &[String]) -> Option<String> {
    let found = Columns::of_rows(table);
    let grain = found.times.last().map(|at| table.columns[*at].to_lowercase())?;
    let places: Vec<i64> = labels.iter().map(|label| place(label, &grain)).collect::<Option<_>>()?;
    let steps: Vec<i64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let usual = steps.iter().copied().min().filter(|step| *step > 0)?;
    let wide: Vec<usize> = (0..steps.len()).filter(|at| steps[*at] > usual).collect();
    let first = *wide.first()?;
    let more = match wide.len() - 1 {
        0 => String::new(),
        1 => ", and there is another gap".to_owned(),
        more => format!(", and there are {more} other gaps"),
    };
    let (before, after) = (&labels[first], &labels[first + 1]);
    Some(format!("Times without rows have no room on the axis: after {before} comes {after}{more}."))
}

/// Where a label stands in time, in its own steps: "2024-03", "2024-2" of quarters, "2024", "2024-03-01".
fn place(label: &str, grain: &str) -> Option<i64> {
    let parts: Vec<i64> =
        label.split('-').map(|part| part.trim_start_matches(['Q', 'W']).parse().ok()).collect::<Option<_>>()?;
    match parts.as_slice() {
        [year] => Some(*year),
        [year, part] if grain == "quarter" => Some(year * 4 + part),
        [year, part] if grain == "month" => Some(year * 12 + part),
        [year, month, day] => {
            let date =
                jiff::civil::Date::new((*year).try_into().ok()?, (*month).try_into().ok()?, (*day).try_into().ok()?);
            Some(i64::from(date.ok()?.since(jiff::civil::date(1970, 1, 1)).ok()?.get_days()))
        }
        _ => None,
    }
}

/// Columns whose numbers say when and are no figures.
const PERIODS: [&str; 7] = ["year", "quarter", "month", "week", "day", "hour", "weekday"];
/// Beginnings of the names of what adds up.
const ADDING: [&str; 4] = ["number", "total", "sum", "share"];
/// A change beyond this is told as a number: nobody reads "10000 %".
const SHARE_MAX: f64 = 20.0;

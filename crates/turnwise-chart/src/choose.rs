//! What is drawn. The question's form comes as the presentation its plan has; the rest the rows say: times make a line,
//! shares a stacked bar, two figures a plane, everything else bars. Pure, so every choice is a test. Next: `scene`.

use std::collections::BTreeMap;

use turnwise_core::{Cell, Presentation, Table, text};

use super::changes;
use super::columns::{self, Columns};
use super::{Axis, Chart, Kind, Marks, OTHER, Point, Series, Unit, band};

/// Why rows cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoChart {
    /// No rows.
    #[error("There is nothing to draw: the result has no rows.")]
    Empty,
    /// No figures.
    #[error("There is nothing to draw: the result has no numbers.")]
    NoFigures,
    /// Fewer than two figures a row.
    #[error("A scatter plot needs two numbers in each row, and the result has one; a bar chart or a line can show it.")]
    OneFigure,
    /// A part is negative.
    #[error("A stacked bar shows parts of a whole, and some of these values are negative; a bar chart can show them.")]
    Negative,
}

/// The kind that fits the rows best; `planned` is how the plan wants them looked at.
#[must_use]
pub fn natural(table: &Table, planned: Presentation) -> Kind {
    if changes(table).is_some() && planned != Presentation::Scatter {
        return Kind::Bars;
    }
    let found = Columns::of_rows(table);
    let plane = Columns::of_plane(table);
    let mut shares = found.figures.iter().filter(|at| table.columns[**at].to_lowercase().contains("share"));
    let negative = |at: usize| table.rows.iter().any(|row| row[at].as_number().is_some_and(|value| value < 0.0));
    // That parts of a whole are negative is known only by their values, which no plan has.
    if let Some(at) = shares.next().filter(|_| found.times.is_empty() && planned != Presentation::Bars) {
        return if negative(*at) { Kind::Bars } else { Kind::Stacked };
    }
    if let Some(kind) = Kind::of(planned) {
        return kind;
    }
    if !found.times.is_empty() && table.rows.len() > 1 {
        return Kind::Line;
    }
    let one_a_row = plane.names.is_empty() || table.rows.len() >= PLANE_ROWS_MIN;
    if plane.figures.len() == 2 && one_a_row && table.rows.len() > 1 { Kind::Scatter } else { Kind::Bars }
}

/// The kind in which an answer is drawn that wants to be looked at as `presentation`: as was asked for, else as the
/// rows say.
#[must_use]
pub fn answering(table: &Table, presentation: Presentation) -> Kind {
    Kind::of(presentation).unwrap_or_else(|| natural(table, presentation))
}

/// The chart of this kind.
///
/// # Errors
/// Why these rows cannot be drawn so.
pub fn chart(table: &Table, kind: Kind, title: &str) -> Result<Chart, NoChart> {
    if table.rows.is_empty() {
        return Err(NoChart::Empty);
    }
    if let Some(changes) = changes(table).filter(|_| kind != Kind::Scatter) {
        let mut drawn = rows(&changes.table, Kind::Bars)?;
        title.clone_into(&mut drawn.title);
        drawn.notes.push(changes.note);
        return Ok(drawn);
    }
    let mut drawn = match kind {
        Kind::Scatter => plane(table)?,
        Kind::Line | Kind::Bars => rows(table, kind)?,
        Kind::Stacked => stacked(table)?,
    };
    title.clone_into(&mut drawn.title);
    let kept = table.rows.len() as u64;
    if table.total_rows > kept {
        drawn.notes.push(format!("Drawn from the first {kept} of {} rows.", table.total_rows));
    }
    Ok(drawn)
}

fn plane(table: &Table) -> Result<Chart, NoChart> {
    let found = Columns::of_plane(table);
    let [x, y, ..] = found.figures.as_slice() else {
        return Err(if found.figures.is_empty() { NoChart::NoFigures } else { NoChart::OneFigure });
    };
    let labels: Vec<usize> = found.names.iter().chain(&found.times).copied().collect();
    let number = |row: &[Cell], at: usize| row.get(at).and_then(Cell::as_number);
    let points: Vec<Point> = table
        .rows
        .iter()
        .filter_map(|row| Some(Point { x: number(row, *x)?, y: number(row, *y)?, label: label(row, &labels, " ") }))
        .collect();
    let missing = table.rows.len() - points.len();
    if points.is_empty() {
        return Err(NoChart::NoFigures);
    }
    let notes = gaps(missing, "and are left out").collect();
    let (along, figures) = (axis(table, *x), axis(table, *y));
    Ok(Chart { kind: Kind::Scatter, title: String::new(), along, figures, marks: Marks::Points(points), notes })
}

/// Labels with their figures, as they will be drawn.
struct Grid {
    labels: Vec<String>,
    series: Vec<Series>,
    along: String,
    figures: usize,
    /// Figures of another size, for which the one axis has no room.
    undrawn: Vec<usize>,
}

fn rows(table: &Table, kind: Kind) -> Result<Chart, NoChart> {
    let Grid { mut labels, mut series, along, figures, undrawn } = grid(table, kind)?;
    let mut notes = Vec::new();
    notes.extend(left_out(table, &undrawn));
    notes.extend(columns::uneven(table, &labels).filter(|_| kind == Kind::Line));
    limit_series(&mut series, &mut notes);
    if kind == Kind::Bars {
        limit_labels(&mut labels, &mut series, columns::adds_up(&table.columns[figures]), &mut notes);
    }
    let missing = series.iter().flat_map(|series| &series.values).filter(|value| value.is_none()).count();
    let crossed = series.len() > 1;
    notes.extend(gaps(missing, "").filter(|_| !crossed));
    let along = Axis { title: along, unit: Unit::Plain };
    let measured = series.iter().all(|series| table.columns.contains(&series.name));
    let forecast = series.iter().any(|series| band::is_bound(&series.name));
    let figures = if crossed && measured && !forecast {
        Axis { title: String::new(), ..axis(table, figures) }
    } else {
        axis(table, figures)
    };
    Ok(Chart { kind, title: String::new(), along, figures, marks: Marks::Rows { labels, series }, notes })
}

fn grid(table: &Table, kind: Kind) -> Result<Grid, NoChart> {
    let found = Columns::of_rows(table);
    let Some(&figures) = preferred(table, &found.figures, kind) else { return Err(NoChart::NoFigures) };
    let crossed = !found.names.is_empty() && !found.times.is_empty();
    let (of_label, of_series) = match (crossed, found.names.as_slice()) {
        (true, names) => (found.times.clone(), names.to_vec()),
        (false, [first, rest @ ..]) if !rest.is_empty() && repeats(table, *first) => (vec![*first], rest.to_vec()),
        (false, names) => (names.iter().chain(&found.times).copied().collect(), Vec::new()),
    };
    let joint = if found.names.is_empty() || crossed { "-" } else { " " };
    let along = of_label.iter().map(|at| readable(&table.columns[*at])).collect::<Vec<_>>().join(", ");
    if !of_series.is_empty() {
        let (labels, series) = pivot(table, &of_label, &of_series, figures, joint);
        let undrawn = others(table, &found.figures, &[figures]);
        return Ok(Grid { labels, series, along, figures, undrawn });
    }
    let labels: Vec<String> = if of_label.is_empty() {
        vec![readable(&table.columns[figures]); table.rows.len()]
    } else {
        table.rows.iter().map(|row| label(row, &of_label, joint)).collect()
    };
    let shown = alike(table, &found.figures, figures, kind);
    let name = |at: usize| if shown.len() > 1 { table.columns[at].clone() } else { String::new() };
    let values = |at: usize| table.rows.iter().map(|row| row.get(at).and_then(Cell::as_number)).collect();
    let series = shown.iter().map(|&at| Series { name: name(at), values: values(at) }).collect();
    let undrawn = others(table, &found.figures, &shown);
    Ok(Grid { labels, series, along, figures, undrawn })
}

/// What is measured and not drawn; what only says something about what is drawn is not missed.
fn others(table: &Table, figures: &[usize], shown: &[usize]) -> Vec<usize> {
    let odd = |at: usize| columns::is_share(table, at) || ODD.contains(&table.columns[at].to_lowercase().as_str());
    let missed = |at: &usize| !shown.contains(at) && !odd(*at) && !shown.iter().any(|at| odd(*at));
    figures.iter().copied().filter(missed).collect()
}

fn left_out(table: &Table, undrawn: &[usize]) -> Option<String> {
    let names: Vec<String> = undrawn.iter().map(|at| readable(&table.columns[*at])).collect();
    let told = format!("Not drawn, because an axis of its own is needed: {}.", names.join(", "));
    (!names.is_empty()).then_some(told)
}

/// The figures that are drawn: of a share the share itself, else the first.
fn preferred<'a>(table: &Table, figures: &'a [usize], kind: Kind) -> Option<&'a usize> {
    let share = |at: &&usize| table.columns[**at].to_lowercase().contains("share");
    let share = figures.iter().find(share).filter(|_| matches!(kind, Kind::Stacked | Kind::Bars));
    share.or_else(|| figures.first())
}

/// Figures that one axis can carry beside the first: a forecast's bounds, and what is measured alike. A difference or a
/// share beside amounts would be a flat line.
fn alike(table: &Table, figures: &[usize], first: usize, kind: Kind) -> Vec<usize> {
    if kind == Kind::Stacked {
        return vec![first];
    }
    let odd = |at: usize| columns::is_share(table, at) || ODD.contains(&table.columns[at].to_lowercase().as_str());
    let largest = |at: usize| {
        let values = table.rows.iter().filter_map(|row| row.get(at)?.as_number());
        values.map(f64::abs).fold(0.0, f64::max)
    };
    let close = |at: usize| {
        let (one, other) = (largest(first), largest(at));
        one.min(other) * ALIKE_TIMES_MAX >= one.max(other)
    };
    figures.iter().copied().filter(|&at| at == first || (!odd(at) && !odd(first) && close(at))).collect()
}

fn stacked(table: &Table) -> Result<Chart, NoChart> {
    let Grid { mut labels, mut series, along, figures, undrawn } = grid(table, Kind::Stacked)?;
    let mut notes: Vec<String> = left_out(table, &undrawn).into_iter().collect();
    if series.len() == 1 {
        // One column of parts is one bar: its rows are the segments.
        let parts = series.swap_remove(0).values;
        series = labels.into_iter().zip(parts).map(|(name, value)| Series { name, values: vec![value] }).collect();
        labels = vec![String::new()];
    }
    if series.iter().flat_map(|series| &series.values).flatten().any(|value| *value < 0.0) {
        return Err(NoChart::Negative);
    }
    merge_series(&mut series, &mut notes);
    let along = Axis { title: along, unit: Unit::Plain };
    let (figures, marks) = (axis(table, figures), Marks::Rows { labels, series });
    Ok(Chart { kind: Kind::Stacked, title: String::new(), along, figures, marks, notes })
}

/// Rows put into a grid: a label a line, a series a column.
fn pivot(
    table: &Table,
    of_label: &[usize],
    of_series: &[usize],
    figures: usize,
    joint: &str,
) -> (Vec<String>, Vec<Series>) {
    let (mut labels, mut names) = (Vec::new(), Vec::new());
    let mut found: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let place = |list: &mut Vec<String>, name: String| match list.iter().position(|known| *known == name) {
        Some(at) => at,
        None => {
            list.push(name);
            list.len() - 1
        }
    };
    for row in &table.rows {
        let at = place(&mut labels, label(row, of_label, joint));
        let of = place(&mut names, label(row, of_series, " "));
        if let Some(value) = row.get(figures).and_then(Cell::as_number) {
            found.insert((of, at), value);
        }
    }
    let values = |of: usize| (0..labels.len()).map(|at| found.get(&(of, at)).copied()).collect();
    let series = names.iter().enumerate().map(|(of, name)| Series { name: name.clone(), values: values(of) }).collect();
    (labels, series)
}

fn repeats(table: &Table, at: usize) -> bool {
    let mut seen: Vec<&Cell> = Vec::new();
    table.rows.iter().filter_map(|row| row.get(at)).any(|cell| {
        let again = seen.contains(&cell);
        seen.push(cell);
        again
    })
}

fn label(row: &[Cell], of: &[usize], joint: &str) -> String {
    let told = |at: &usize| match row.get(*at) {
        None | Some(Cell::Null) => "(no value)".to_owned(),
        Some(cell) => cell.to_string(),
    };
    of.iter().map(told).collect::<Vec<_>>().join(joint)
}

fn axis(table: &Table, at: usize) -> Axis {
    let unit = if columns::is_share(table, at) { Unit::Percent } else { Unit::Plain };
    Axis { title: readable(&table.columns[at]), unit }
}

fn readable(name: &str) -> String {
    name.replace('_', " ")
}

fn gaps(missing: usize, so: &str) -> impl Iterator<Item = String> {
    let has = if missing == 1 { "has" } else { "have" };
    let told = format!("{} {has} no value {so}", text::count(missing, "row"));
    (missing > 0).then(|| format!("{}.", told.trim_end())).into_iter()
}

fn sum(series: &Series) -> f64 {
    series.values.iter().flatten().map(|value| value.abs()).sum()
}

/// Keeps the largest series.
fn limit_series(series: &mut Vec<Series>, notes: &mut Vec<String>) {
    let whole = series.len();
    if whole <= SERIES_MAX {
        return;
    }
    series.sort_by(|one, other| sum(other).total_cmp(&sum(one)));
    series.truncate(SERIES_MAX);
    notes.push(format!("The {SERIES_MAX} largest of {whole} series are shown."));
}

/// Keeps the largest bars; the others are added up where that makes sense, else counted.
fn limit_labels(labels: &mut Vec<String>, series: &mut [Series], adds_up: bool, notes: &mut Vec<String>) {
    let whole = labels.len();
    if whole <= BARS_MAX {
        return;
    }
    let size = |at: usize| series.iter().filter_map(|series| series.values[at]).map(f64::abs).sum::<f64>();
    let mut order: Vec<usize> = (0..whole).collect();
    order.sort_by(|one, other| size(*other).total_cmp(&size(*one)));
    let kept: Vec<usize> = order.iter().copied().take(BARS_MAX).collect();
    let rest = &order[BARS_MAX..];
    for series in series.iter_mut() {
        let other: f64 = rest.iter().filter_map(|at| series.values[*at]).sum();
        let mut values: Vec<Option<f64>> = kept.iter().map(|at| series.values[*at]).collect();
        values.extend(adds_up.then_some(Some(other)));
        series.values = values;
    }
    *labels = kept.iter().map(|at| labels[*at].clone()).collect();
    let of = format!("The {BARS_MAX} largest of {whole} are shown");
    if adds_up {
        labels.push(OTHER.to_owned());
        notes.push(format!("{of}; “{OTHER}” is the sum of the remaining {}.", whole - BARS_MAX));
    } else {
        notes.push(format!("{of}."));
    }
}

/// Puts the smallest parts of a whole together.
fn merge_series(series: &mut Vec<Series>, notes: &mut Vec<String>) {
    let whole = series.len();
    if whole <= PARTS_MAX {
        return;
    }
    series.sort_by(|one, other| sum(other).total_cmp(&sum(one)));
    let rest = series.split_off(PARTS_MAX - 1);
    let bars = rest.first().map_or(0, |series| series.values.len());
    let at = |bar: usize| rest.iter().filter_map(|series| series.values[bar]).reduce(|one, other| one + other);
    series.push(Series { name: OTHER.to_owned(), values: (0..bars).map(at).collect() });
    notes.push(format!("“{OTHER}” is the sum of the {} smallest parts.", rest.len()));
}

/// Rows from which two figures are rather seen on a plane than as bars beside each other.
const PLANE_ROWS_MIN: usize = 8;
/// Most bars: more are no picture any more.
const BARS_MAX: usize = 20;
/// Most lines or groups of bars that colours can tell apart: the eighth is the grey of what was put together.
const SERIES_MAX: usize = 7;
/// Most parts of a whole, what is put together included.
const PARTS_MAX: usize = 8;
/// How many times larger one of two figures on one axis may be.
const ALIKE_TIMES_MAX: f64 = 20.0;
/// Figures that say something about other figures.
const ODD: [&str; 2] = ["difference", "change"];

//! Puts results into words. Only what the rows hold is said: the winner, the range, the difference, and plainly that
//! there is nothing when there is nothing. A result comes here with all of its rows, before it is cut to what a fact
//! keeps; where even these are not all, the sentence says of how many it is true. Next: `answer` for questions about
//! results.

mod change;

use std::borrow::Cow;

use turnwise_core::{Answer, Cell, Conclusion, FactValue, NewFact, Presentation, Table};

use super::calendar;
use super::form::{Analysis, Dimension, Filter, QueryForm, Ranking};
use super::lexicon::{Comparator, Order};
use super::outliers::AT_LEAST;
use super::several::MEASURE;

/// Names of rows said in a sentence; more are left to the table.
const NAMES_SAID_MAX: usize = 5;
/// Letters of a text said in a sentence with others.
const NAME_LETTERS_MAX: usize = 120;
/// Letters of a text that is all there is to say.
const ALONE_LETTERS_MAX: usize = 4_000;
/// Percent below which one decimal would tell nothing.
const TENTH: f64 = 0.1;

/// Whether all rows are needed for what is said, and not their number alone: of a list nothing else is told.
pub fn reads_all(conclusion: &Conclusion) -> bool {
    !form_of(conclusion).measures.is_empty()
}

fn form_of(conclusion: &Conclusion) -> QueryForm {
    serde_json::from_str(&conclusion.form).unwrap_or_default()
}

/// The answer a concluding step gives; the fact still has all of its rows.
pub fn answer(conclusion: &Conclusion, fact: &NewFact) -> Answer {
    let form = form_of(conclusion);
    let (text, table) = match &fact.value {
        FactValue::Text(text) => (text.clone(), None),
        FactValue::Table(table) => (table_text(&form, &short(table), is_at_least(fact)), Some(table)),
    };
    let notes: Vec<&str> =
        fact.assumptions.iter().filter(|_| !fact.derived_from.is_empty()).map(String::as_str).collect();
    let text = if notes.is_empty() { text } else { format!("{text} {}", notes.join(" ")) };
    let shown = table.is_some_and(|table| !table.rows.is_empty());
    let presentation = if shown { conclusion.presentation } else { Presentation::Value };
    Answer { text, table: shown.then(|| fact.name.clone()), presentation }
}

/// Whether there may be more rows than were looked at.
fn is_at_least(fact: &NewFact) -> bool {
    fact.assumptions.iter().any(|note| note.starts_with(AT_LEAST))
}

/// Behind a sentence about rows that are not all: of how many it is true.
fn of_the_first(table: &Table) -> String {
    if !table.is_cut() {
        return String::new();
    }
    format!(" This is said of the first {} of {} rows alone.", table.rows.len(), rows(table))
}

/// How many rows there are, as it is said.
fn rows(table: &Table) -> String {
    Cell::Integer(i64::try_from(table.total_rows).unwrap_or(i64::MAX)).figure()
}

/// How many rows there are behind those that are named.
fn more(table: &Table) -> String {
    let more = table.total_rows.saturating_sub(NAMES_SAID_MAX as u64);
    if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// The table with long texts cut to what a sentence bears, which is said behind each.
fn short(table: &Table) -> Cow<'_, Table> {
    let most = if table.rows.len() == 1 { ALONE_LETTERS_MAX } else { NAME_LETTERS_MAX };
    let is_long =
        |cell: &Cell| matches!(cell, Cell::Text(text) if text.len() > most && text.chars().nth(most).is_some());
    if !table.rows.iter().flatten().any(is_long) {
        return Cow::Borrowed(table);
    }
    let mut short = table.clone();
    for cell in short.rows.iter_mut().flatten().filter(|cell| is_long(cell)) {
        if let Cell::Text(text) = cell {
            let kept: String = text.chars().take(most).collect();
            *text = format!("{}… (the first {most} of {} letters)", kept.trim_end(), text.chars().count());
        }
    }
    Cow::Owned(short)
}

fn table_text(form: &QueryForm, table: &Table, at_least: bool) -> String {
    if table.rows.is_empty() && form.analysis == Analysis::Outliers {
        return "No outliers.".to_owned();
    }
    if let Some(sought) = &form.sought {
        return match table.rows.as_slice() {
            [] => format!("No: {} is not among the {} found before.", sought.words, sought.among),
            [_] => format!("Yes. {}", listed(table)),
            _ => format!("Yes, {} of them. {}", rows(table), listed(table)),
        };
    }
    if table.rows.is_empty() {
        return "Nothing matches: there are no such rows in the data.".to_owned();
    }
    if let Some(cell) = table.scalar() {
        return format!("{}{}", yes_or_no(form, cell), scalar_text(table, cell));
    }
    let text = match form.analysis {
        Analysis::Compare if form.measures.is_empty() => listed(table),
        Analysis::Compare => verdict(form, table).unwrap_or_else(|| compared(table)),
        Analysis::Share => shared(table),
        Analysis::Forecast(_) => forecast(table),
        Analysis::Explain => change::explained(form, table),
        Analysis::Trend => course(table),
        Analysis::Growth if form.ranking.is_some() => grew(form.ranking.as_ref(), table),
        Analysis::Ratio if form.dimensions.is_empty() => divided(table),
        Analysis::Growth => grown(table),
        Analysis::Outliers => outlying(form, table, at_least),
        Analysis::Cumulative => cumulated(table),
        Analysis::Plain | Analysis::Ratio => match &form.ranking {
            Some(_) if form.first_within => {
                format!("{} rows: the first of each by {}.", rows(table), number_label(table))
            }
            Some(_) if form.by_name.is_some() => by_name(table),
            Some(ranking) => ranked(ranking, table, form.measures.is_empty(), numbers_shown(form, table)),
            None if form.measures.is_empty() => listed(table),
            None => format!("{}{}", grouped(table, numbers_shown(form, table)), unseen(form, table)),
        },
    };
    let of = if form.measures.is_empty() { String::new() } else { of_the_first(table) };
    format!("{text}{}{of}", unnamed(form, table))
}

/// Whether a number is as it was claimed to be.
fn yes_or_no(form: &QueryForm, cell: &Cell) -> &'static str {
    let claim = form.claim.as_ref().and_then(|claim| Some((claim.comparator, claim.value?)));
    match claim.zip(cell.as_number()) {
        Some(((comparator, value), number)) if compares(comparator, number, value) => "Yes. ",
        Some(_) => "No. ",
        None => "",
    }
}

fn compares(comparator: Comparator, one: f64, two: f64) -> bool {
    match comparator {
        Comparator::Over => one > two,
        Comparator::AtLeast => one >= two,
        Comparator::Under => one < two,
        Comparator::AtMost => one <= two,
        Comparator::Equal => (one - two).abs() < f64::EPSILON,
        Comparator::Unequal => (one - two).abs() >= f64::EPSILON,
    }
}

fn scalar_text(table: &Table, cell: &Cell) -> String {
    let label = table.columns.first().map_or("result", String::as_str);
    match cell {
        Cell::Null if label.starts_with("correlation") => {
            format!("There is no {label}: fewer than two rows have both numbers, or one of them never varies.")
        }
        Cell::Null => format!("There is no {label}: no rows with a value match."),
        Cell::Integer(_) | Cell::Real(_) | Cell::Text(_) => format!("{}: {}.", capital(label), cell.figure()),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The name of a row: its columns but the last, which is the number.
fn name(row: &[Cell]) -> String {
    named(row, 1)
}

fn named(row: &[Cell], numbers: usize) -> String {
    let labels = row.iter().take(row.len().saturating_sub(numbers).max(1));
    let texts: Vec<String> =
        labels.map(|cell| if *cell == Cell::Null { "(no value)".to_owned() } else { cell.to_string() }).collect();
    texts.join(" ")
}

fn last(row: &[Cell]) -> String {
    row.last().map_or_else(String::new, Cell::figure)
}

fn number_label(table: &Table) -> &str {
    table.columns.last().map_or("value", String::as_str)
}

/// How many numbers stand at the end of each row, the first of which it is ranked by.
fn numbers_shown(form: &QueryForm, table: &Table) -> usize {
    let several = form.measures.len();
    let plain = form.analysis == Analysis::Plain && form.periods.len() < 2 && form.beside.is_empty();
    let beside = several > 1 && plain && several < table.columns.len();
    let is_number = |cell: &Cell| *cell == Cell::Null || cell.as_number().is_some();
    let ends = |row: &Vec<Cell>| row.iter().rev().take(several).all(is_number);
    if beside && table.rows.iter().all(ends) { several } else { 1 }
}

/// `rows` that have no name of their own are called by their first column; of several `numbers` at the end of a row it
/// is the first that decided.
fn ranked(ranking: &Ranking, table: &Table, rows: bool, numbers: usize) -> String {
    let name =
        |row: &[Cell]| if rows { row.first().map_or_else(String::new, Cell::to_string) } else { named(row, numbers) };
    let at = table.columns.len().saturating_sub(numbers);
    let last = |row: &[Cell]| row.get(at).map_or_else(String::new, Cell::figure);
    let label = table.columns.get(at).map_or("value", String::as_str);
    let end = if ranking.order == Order::Descending { "highest" } else { "lowest" };
    match table.rows.as_slice() {
        [single] if table.columns.len() > 1 => format!("{} has the {end} {label}: {}.", name(single), last(single)),
        [single] => format!("{}.", last(single)),
        rows => {
            let said: Vec<String> =
                rows.iter().take(NAMES_SAID_MAX).map(|row| format!("{} ({})", name(row), last(row))).collect();
            format!("By {label}, {end} first: {}{}.", said.join(", "), more(table))
        }
    }
}

/// Rows that were chosen by their number and stand in the order of their names.
fn by_name(table: &Table) -> String {
    let said: Vec<String> =
        table.rows.iter().take(NAMES_SAID_MAX).map(|row| format!("{} ({})", name(row), last(row))).collect();
    format!("In the order of their names: {}{}.", said.join(", "), more(table))
}

fn listed(table: &Table) -> String {
    let total = table.total_rows;
    if let [single] = table.rows.as_slice() {
        let said = table.columns.iter().zip(single).filter(|(_, cell)| **cell != Cell::Null);
        let said: Vec<String> = said.map(|(column, cell)| format!("{column}: {cell}")).collect();
        return format!("{}.", said.join(", "));
    }
    let rows = if total == 1 { "1 row".to_owned() } else { format!("{} rows", rows(table)) };
    let said: Vec<String> =
        table.rows.iter().take(NAMES_SAID_MAX).filter_map(|row| row.first()).map(Cell::to_string).collect();
    if total <= NAMES_SAID_MAX as u64 { format!("{rows}: {}.", said.join(", ")) } else { format!("{rows}.") }
}

fn extremes(table: &Table, at: usize) -> Option<(&Vec<Cell>, &Vec<Cell>)> {
    let numbers = || table.rows.iter().filter_map(move |row| Some((row.get(at)?.as_number()?, row)));
    let most = numbers().max_by(|one, other| one.0.total_cmp(&other.0))?.1;
    let least = numbers().min_by(|one, other| one.0.total_cmp(&other.0))?.1;
    Some((most, least))
}

/// The first and the last date of a column that holds some.
fn dates(table: &Table, at: usize) -> Option<(&Vec<Cell>, &Vec<Cell>)> {
    let dated =
        || table.rows.iter().filter(move |row| matches!(row.get(at), Some(Cell::Text(text)) if !text.is_empty()));
    let text = |row: &&Vec<Cell>| row.get(at).map(Cell::to_string);
    Some((dated().max_by_key(text)?, dated().min_by_key(text)?))
}

/// The ends of the last number; none of the `numbers` at the end of a row is a part of its name.
fn grouped(table: &Table, numbers: usize) -> String {
    let name = |row: &[Cell]| named(row, numbers);
    let label = number_label(table);
    let at = table.columns.len().saturating_sub(1);
    let count = table.total_rows;
    let ends = extremes(table, at).map(|ends| (ends, "highest", "lowest"));
    let ends = ends.or_else(|| dates(table, at).map(|ends| (ends, "latest", "earliest")));
    match (count, ends) {
        (1, _) => table.rows.first().map_or_else(String::new, |row| format!("{}: {} {}.", name(row), label, last(row))),
        (_, Some(((most, least), high, low))) => format!(
            "{} rows. {}: {high} for {} ({}), {low} for {} ({}).",
            rows(table),
            capital(label),
            name(most),
            last(most),
            name(least),
            last(least)
        ),
        (_, None) => format!("{} rows, all without a {label}.", rows(table)),
    }
}

/// Periods without rows are said, where the rows shown could be taken for all.
fn unseen(form: &QueryForm, table: &Table) -> String {
    let [Dimension::Time(grain)] = form.dimensions.as_slice() else { return String::new() };
    let all = form.conditions.is_empty() && form.filters.iter().all(|filter| !matches!(filter, Filter::Outside { .. }));
    let missing = calendar::unseen(table, *grain).filter(|_| all && !table.is_cut());
    missing.map_or_else(String::new, |missing| format!(" No rows in {missing}."))
}

fn percent(cell: Option<&Cell>) -> Option<String> {
    cell.and_then(Cell::as_number).map(|value| match (value * 100.0).abs() {
        // One of thousands of parts is not none of it.
        size if size > 0.0 && size < TENTH => format!("{} %", Cell::real(value * 100.0)),
        _ => format!("{:.1} %", value * 100.0),
    })
}

fn signed(cell: &Cell) -> String {
    let plus = cell.as_number().is_some_and(|value| value > 0.0);
    if plus { format!("+{}", cell.figure()) } else { cell.figure() }
}

fn compared(table: &Table) -> String {
    let row = match table.rows.as_slice() {
        [single] => single,
        rows if table.columns.first().is_some_and(|first| first == MEASURE) => return each_compared(table, rows),
        _ => return format!("{} rows side by side.", rows(table)),
    };
    let two = table.columns.iter().any(|column| column == "difference");
    let numbers = if two { row.len().saturating_sub(2) } else { row.len() };
    let sides: Vec<String> = table
        .columns
        .iter()
        .zip(row)
        .take(numbers)
        .map(|(side, value)| format!("{side}: {}", value.figure()))
        .collect();
    let mut text = sides.join("; ");
    if let (true, Some(difference)) = (two, row.get(numbers)) {
        let change = percent(row.get(numbers + 1)).map_or_else(String::new, |percent| format!(", {percent}"));
        // Which of the two is set against the other is never left to be guessed.
        let name = |at: usize| numbers.checked_sub(at).and_then(|at| table.columns.get(at)).map_or("", String::as_str);
        text = format!("{text}; {} against {}: difference {}{change}", name(1), name(2), signed(difference));
    }
    format!("{text}.")
}

/// Several numbers of several sides, one after the other.
fn each_compared(table: &Table, rows: &[Vec<Cell>]) -> String {
    let one = |row: &Vec<Cell>| {
        let (columns, own) = (table.columns.get(1..).unwrap_or_default(), row.get(1..).unwrap_or_default());
        let single = Table::whole(columns.to_vec(), vec![own.to_vec()]);
        let name = row.first().map_or_else(String::new, Cell::to_string);
        format!("{}: {}", capital(&name), compared(&single))
    };
    rows.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Whether what was claimed of two sides holds, with both numbers.
fn verdict(form: &QueryForm, table: &Table) -> Option<String> {
    let claim = form.claim.as_ref()?;
    let ([row], true) = (table.rows.as_slice(), table.columns.iter().any(|column| column == "difference")) else {
        return None;
    };
    let sides = row.len().checked_sub(2).filter(|sides| *sides == 2)?;
    // A month that was said without its year has it by now.
    let is_said = |column: &String, of: &String| column == of || column.starts_with(&format!("{of} "));
    let (own, other) = match &claim.of {
        None => (0, 1),
        Some(of) => match table.columns.iter().take(sides).position(|column| is_said(column, of))? {
            0 => (0, 1),
            _ => (1, 0),
        },
    };
    let (one, two) = (row.get(own)?.as_number()?, row.get(other)?.as_number()?);
    let holds = compares(claim.comparator, one, two);
    Some(format!("{}. {}", if holds { "Yes" } else { "No" }, compared(table)))
}

fn shared(table: &Table) -> String {
    let at = table.columns.len().saturating_sub(1);
    match (table.rows.as_slice(), extremes(table, at)) {
        ([row], _) => percent(row.last()).map_or_else(|| "No share.".to_owned(), |share| format!("Share: {share}.")),
        (_, Some((most, _))) => {
            let share = percent(most.last()).unwrap_or_default();
            format!("{} rows. The largest share has {}: {share}.", rows(table), named(most, 2))
        }
        (_, None) => format!("{} rows without shares.", rows(table)),
    }
}

fn course(table: &Table) -> String {
    let at = table.columns.len().saturating_sub(1);
    let numbered: Vec<&Vec<Cell>> = table.rows.iter().filter(|row| row.get(at).is_some_and(Cell::is_number)).collect();
    let (Some(first), Some(end), Some((most, least))) = (numbered.first(), numbered.last(), extremes(table, at)) else {
        return format!("{} rows without numbers.", rows(table));
    };
    let value = |row: &[Cell]| row.last().and_then(Cell::as_number).unwrap_or_default();
    let (from, to) = (value(first), value(end));
    let change = if from == 0.0 { String::new() } else { format!(", {:+.1} %", (to - from) / from.abs() * 100.0) };
    format!(
        "From {} in {} to {} in {}{change}; highest in {} ({}), lowest in {} ({}).",
        last(first),
        name(first),
        last(end),
        name(end),
        name(most),
        last(most),
        name(least),
        last(least)
    )
}

fn grown(table: &Table) -> String {
    let Some(row) = table.rows.last() else { return String::new() };
    let at = row.len();
    let change = percent(row.last()).map_or_else(String::new, |percent| format!(" ({percent})"));
    let difference = at.checked_sub(2).and_then(|at| row.get(at)).map_or_else(String::new, signed);
    format!("{} rows. The last, {}: {difference}{change} against the one before.", rows(table), named(row, 3))
}

/// Both numbers and what one is per the other.
fn divided(table: &Table) -> String {
    let Some(row) = table.rows.first() else { return String::new() };
    let said: Vec<String> = table
        .columns
        .iter()
        .zip(row)
        .rev()
        .map(
            |(column, cell)| {
                if *cell == Cell::Null { format!("no {column}") } else { format!("{column}: {}", cell.figure()) }
            },
        )
        .collect();
    format!("{}.", capital(&said.join("; ")))
}

/// The first by growth, with both numbers; where nothing grew, that is said.
fn grew(ranking: Option<&Ranking>, table: &Table) -> String {
    let Some(row) = table.rows.first() else { return String::new() };
    let back = |by: usize| row.len().checked_sub(by).and_then(|at| row.get(at));
    let text = |by: usize| back(by).map_or_else(String::new, Cell::figure);
    let column = |by: usize| table.columns.len().checked_sub(by).and_then(|at| table.columns.get(at)).cloned();
    let difference = back(2).and_then(Cell::as_number).unwrap_or_default();
    let most = ranking.is_none_or(|ranking| ranking.order == Order::Descending);
    let said = match (most, difference > 0.0) {
        (true, true) => "grew the most",
        (true, false) => "fell the least, as none grew",
        (false, true) => "grew the least",
        (false, false) => "fell the most",
    };
    let change = percent(row.last()).map_or_else(String::new, |percent| format!(", {percent}"));
    format!(
        "{} {said}: from {} in {} to {} in {} ({}{change}).",
        named(row, 4),
        text(4),
        column(4).unwrap_or_default(),
        text(3),
        column(3).unwrap_or_default(),
        back(2).map_or_else(String::new, signed),
    )
}

/// The outliers by name, with their values.
fn outlying(form: &QueryForm, table: &Table, at_least: bool) -> String {
    let said: Vec<String> = table
        .rows
        .iter()
        .take(NAMES_SAID_MAX)
        .filter_map(|row| {
            let own = if form.dimensions.is_empty() { row.first()?.to_string() } else { named(row, 3) };
            Some(format!("{own} ({})", row.get(row.len().checked_sub(3)?)?))
        })
        .collect();
    let more = if at_least { more(table).replacen("and ", "and at least ", 1) } else { more(table) };
    format!("Outliers: {}{more}.", said.join(", "))
}

fn cumulated(table: &Table) -> String {
    let Some(row) = table.rows.last() else { return String::new() };
    format!("{} rows. Up to {}: {}.", rows(table), named(row, 2), last(row))
}

fn forecast(table: &Table) -> String {
    let said: Vec<String> = table
        .rows
        .iter()
        .take(NAMES_SAID_MAX)
        .filter_map(|row| {
            let (value, low, high) = (row.get(row.len().checked_sub(3)?)?, row.get(row.len() - 2)?, row.last()?);
            Some(format!("{}: {value} ({low} to {high})", named(row, 3)))
        })
        .collect();
    format!("Forecast {}.", said.join("; "))
}

/// Groups whose name is missing are said, not hidden.
fn unnamed(form: &QueryForm, table: &Table) -> String {
    let missing = table.rows.iter().filter(|row| row.first() == Some(&Cell::Null)).count();
    if missing > 0 && !form.dimensions.is_empty() {
        let column = table.columns.first().map_or("name", String::as_str);
        return format!(" {missing} of the rows stands for missing values of {column}.");
    }
    String::new()
}

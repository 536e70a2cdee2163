//! Says why a number changed: the whole change first, and then what it is made of. The two times come in the order of
//! time, so a claim that it fell is held against the later one. Next: `decompose`, which takes the change apart.

use turnwise_core::{Cell, Table};

use super::super::form::QueryForm;
use super::super::lexicon::Comparator;
use super::{capital, signed};

/// The whole change, whether it went the way the question took for granted, and its largest parts by each dimension.
pub fn explained(form: &QueryForm, table: &Table) -> String {
    let Some(whole) = table.rows.first() else { return String::new() };
    let cell = |row: &[Cell], at: usize| row.get(at).map_or_else(String::new, Cell::to_string);
    let figure = |at: usize| whole.get(at).map_or_else(String::new, Cell::figure);
    let change = whole.get(4).and_then(Cell::as_number).unwrap_or_default();
    let went = match change.total_cmp(&0.0) {
        std::cmp::Ordering::Less => "fell",
        std::cmp::Ordering::Greater => "rose",
        std::cmp::Ordering::Equal => "did not change",
    };
    let contrary = form.claim.as_ref().is_some_and(|claim| match claim.comparator {
        Comparator::Under | Comparator::AtMost => change >= 0.0,
        Comparator::Over | Comparator::AtLeast => change <= 0.0,
        Comparator::Equal | Comparator::Unequal => false,
    });
    let label = form.measures.first().map_or("It", |measure| measure.of.words.as_str());
    let (from, to) = (table.columns.get(2).map_or("", String::as_str), table.columns.get(3).map_or("", String::as_str));
    let mut text = format!(
        "{}{} {went} from {} in {from} to {} in {to} ({}).",
        if contrary { "It did not: " } else { "" },
        if contrary { label.to_owned() } else { capital(label) },
        figure(2),
        figure(3),
        whole.get(4).map_or_else(String::new, signed),
    );
    let mut last = String::new();
    for row in table.rows.iter().skip(1) {
        let by = cell(row, 0);
        let difference = row.get(4).map_or_else(String::new, signed);
        let opening = match &last {
            last if *last == by => ", ".to_owned(),
            last if last.is_empty() => format!(" By {by}: "),
            _ => format!(". By {by}: "),
        };
        text.push_str(&format!("{opening}{} {difference}", cell(row, 1)));
        last = by;
    }
    if last.is_empty() { text } else { format!("{text}.") }
}

//! The plan that takes a change apart: the number in both periods, as a whole and by each dimension that could explain
//! it. Next: `decompose` for what is calculated.

use turnwise_core::{FactName, Presentation};

use super::super::catalogue::{Catalogue, ColumnPart, Display};
use super::super::compute::Calculation;
use super::super::form::{Analysis, ColumnId, Dimension, Filter, Mention, QueryForm, TableId, Thing};
use super::super::period::Period;
use super::super::resolve::{self, Trouble};
use super::super::source::ColumnKind;
use super::Builder;
use super::shape::numbers;

/// Dimensions a change is taken apart by.
const DIMENSIONS_MAX: usize = 4;
/// Different values up to which a column explains more than it lists.
const VALUES_MAX: u64 = 60;

/// Adds the steps that explain the change of `form`'s number between its two periods.
pub fn explained(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let [before, after] = form.periods.as_slice() else {
        return Err(Trouble::Impossible("A change is between two periods: say both.".to_owned()));
    };
    let plain = QueryForm { analysis: Analysis::Plain, dimensions: Vec::new(), claim: None, ..form.clone() };
    let side = |period: &Period, dimension: Option<&Dimension>| QueryForm {
        periods: vec![period.clone()],
        dimensions: dimension.into_iter().cloned().collect(),
        ..plain.clone()
    };
    let start = resolve::measure(builder.catalogue, &side(after, None), &form.measures[0])?;
    let start = start.query.sources.first().map(|source| source.table);
    let mut facts =
        vec![numbers(builder, &side(before, None), &|_| {})?.0, numbers(builder, &side(after, None), &|_| {})?.0];
    let mut names = Vec::new();
    for dimension in dimensions(builder.catalogue, form, start) {
        if names.len() >= DIMENSIONS_MAX {
            break;
        }
        // A dimension that cannot be reached, or in two ways, explains nothing here.
        let one = side(before, Some(&dimension));
        let Ok(resolved) = resolve::measure(builder.catalogue, &one, &form.measures[0]) else { continue };
        let label =
            resolved.query.groups.first().and_then(|group| group.outputs.last()).map(|output| output.label.clone());
        let Some(label) = label.filter(|label| !names.contains(label)) else { continue };
        facts.push(numbers(builder, &one, &|_| {})?.0);
        facts.push(numbers(builder, &side(after, Some(&dimension)), &|_| {})?.0);
        names.push(label);
    }
    if names.is_empty() {
        let text = "There is no group in the data by which this change could be taken apart.".to_owned();
        return Err(Trouble::Impossible(text));
    }
    let sides = vec![before.label(), after.label()];
    builder.assume("What goes with a change is shown, by the groups the data has; that is no proof of a cause.");
    let name = format!("change of {} from {} to {}", form.measures[0].of.words, sides[0], sides[1]);
    let description = format!("Take the change apart by {}", names.join(", "));
    let calculation = Calculation::Decompose { dimensions: names, sides };
    let timing = super::calendar::of_times(builder, form);
    let fact = builder.compute_over(&description, &name, &calculation, facts, &timing)?;
    Ok((fact, Presentation::Table))
}

/// What a change can be taken apart by: the groups of the last result first, then columns with few values, near ones
/// first.
fn dimensions(catalogue: &Catalogue, form: &QueryForm, start: Option<TableId>) -> Vec<Dimension> {
    let own = form.dimensions.iter().filter(|dimension| matches!(dimension, Dimension::Thing(_))).cloned();
    let mut found: Vec<Dimension> = own.collect();
    let Some(start) = start else { return found };
    let mut columns: Vec<(usize, u64, ColumnId)> = Vec::new();
    for (id, table) in catalogue.tables() {
        let Some(path) = catalogue.paths(start, id).first() else { continue };
        for (at, column) in table.columns.iter().enumerate() {
            let place = ColumnId { table: id, column: at };
            let text = column.kind == ColumnKind::Text && column.part == ColumnPart::Attribute;
            let few = column.distinct.filter(|count| (2..=VALUES_MAX).contains(count));
            let named = table.display == Display::Column(at) || !is_beside_name(column.stems.last());
            if let (true, Some(count), true, false) = (text, few, named, is_filtered(form, place)) {
                columns.push((path.0.len(), count, place));
            }
        }
    }
    columns.sort_unstable();
    found.extend(
        columns
            .into_iter()
            .map(|(_, _, place)| Dimension::Thing(Mention::of(catalogue.column(place).noun(), Thing::Column(place)))),
    );
    found
}

/// Names of people and addresses do not explain a change, they only list it.
fn is_beside_name(last: Option<&String>) -> bool {
    last.is_some_and(|last| matches!(last.as_str(), "name" | "address" | "email" | "phone" | "fax" | "manager"))
}

/// Whether only one value of the column is left.
fn is_filtered(form: &QueryForm, place: ColumnId) -> bool {
    form.filters.iter().any(|filter| match filter {
        Filter::Value { found, negated: false, .. } => {
            found.iter().any(|found| found.place == Thing::Column(place) && found.values.len() == 1)
        }
        _ => false,
    })
}

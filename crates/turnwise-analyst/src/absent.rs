//! Who does not occur in an answer by group: physicians without a visit have no row in "visits per physician". A person
//! would take them for included, so their number is said. Next: `run`, which adds it to the answer.

use turnwise_core::{Conclusion, FactValue, NewFact, Table};

use super::catalogue::Catalogue;
use super::form::{Aggregate, Analysis, Dimension, QueryForm, TableId};
use super::query::{Expression, Group};
use super::resolve::{self, Resolved};

/// A sentence where the groups are rows of a table and some of those have none of what is counted.
pub fn note(catalogue: &Catalogue, conclusion: &Conclusion, fact: &NewFact) -> Option<String> {
    let form: QueryForm = serde_json::from_str(&conclusion.form).ok()?;
    let FactValue::Table(table) = &fact.value else { return None };
    if form.catalogue != catalogue.fingerprint() {
        return None;
    }
    let group = grouped_by(&form).filter(|table| is_row_each(catalogue, &form, *table))?;
    let all = catalogue.table(group).rows;
    let missing = all.checked_sub(named(table)?).filter(|missing| *missing > 0)?;
    let (plural, words) = (catalogue.plural(group), form.measures.first()?.of.words.to_lowercase());
    let verb = if missing == 1 { "has" } else { "have" };
    Some(format!("{missing} of the {all} {plural} {verb} none of “{words}” and {verb} no row here."))
}

/// The table whose rows a plain count is by, with nothing that could leave rows out for another reason.
fn grouped_by(form: &QueryForm) -> Option<TableId> {
    let [Dimension::Thing(mention)] = form.dimensions.as_slice() else { return None };
    let [measure] = form.measures.as_slice() else { return None };
    let counts = matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Sum);
    let whole = form.filters.is_empty() && form.conditions.is_empty() && form.ranking.is_none() && !form.count_groups;
    let plain = form.analysis == Analysis::Plain && measure.over_groups.is_none() && form.periods.is_empty();
    mention.only_table().filter(|_| counts && whole && plain)
}

/// Whether each group is a row of the table: “by tag” is by the names of tags, of which many rows have the same.
fn is_row_each(catalogue: &Catalogue, form: &QueryForm, table: TableId) -> bool {
    let (Some(key), Some(measure)) = (catalogue.table(table).key, form.measures.first()) else { return false };
    let Ok(Resolved { query, .. }) = resolve::measure(catalogue, form, measure) else { return false };
    let is_key = |of: &Expression| {
        matches!(of, Expression::Column { source, column }
            if *column == key && query.sources.get(*source).is_some_and(|source| source.table == table))
    };
    let shown = |group: &Group| group.outputs.iter().any(|output| is_key(&output.expression));
    query.groups.first().is_some_and(|group| group.keys.iter().any(is_key) || shown(group))
}

/// Rows that stand for a group of their own.
fn named(table: &Table) -> Option<u64> {
    let nameless = table.rows.iter().filter(|row| row.first() == Some(&turnwise_core::Cell::Null)).count() as u64;
    table.total_rows.checked_sub(nameless)
}

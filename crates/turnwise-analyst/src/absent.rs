//! Who does not occur in an answer by group: physicians without a visit have no row in "visits per physician". A person
//! would take them for included, so their number is said. Next: `run`, which adds it to the answer.

use turnwise_core::{Conclusion, FactValue, NewFact, Table};

use super::catalogue::Catalogue;
use super::form::{Aggregate, Analysis, Dimension, QueryForm, TableId};

/// A sentence where the groups are rows of a table and some of those have none of what is counted.
pub fn note(catalogue: &Catalogue, conclusion: &Conclusion, fact: &NewFact) -> Option<String> {
    let form: QueryForm = serde_json::from_str(&conclusion.form).ok()?;
    let FactValue::Table(table) = &fact.value else { return None };
    if form.catalogue != catalogue.fingerprint() {
        return None;
    }
    let group = grouped_by(&form)?;
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

/// Rows that stand for a group of their own.
fn named(table: &Table) -> Option<u64> {
    let nameless = table.rows.iter().filter(|row| row.first() == Some(&turnwise_core::Cell::Null)).count() as u64;
    table.total_rows.checked_sub(nameless)
}

//! Tests that no row and no group can pass. What is compared with a number that its column never comes near, or counted
//! beyond what there is at all, was meant of something else: of a total instead of each part, of a number in a column
//! instead of rows. The answer would be a plain nothing, so it is refused with what the data has. Next: `answered`.

use turnwise_core::Cell;

use crate::catalogue::Catalogue;
use crate::dating::Look;
use crate::form::{Aggregate, ColumnId, Dimension, Filter, Mention, QueryForm, TableId, Thing};
use crate::lexicon::Comparator;

/// Rows of a table up to which the ends of a column are looked up: a person waits.
const ROWS_LOOKED_AT_MAX: u64 = 200_000;

/// Why a test of `form` says nothing.
pub fn explained(catalogue: &Catalogue, form: &QueryForm, look: Look<'_>) -> Option<String> {
    beyond(catalogue, form).or_else(|| apart(catalogue, form, look))
}

/// More of something than there is at all.
fn beyond(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let counted = form.conditions.iter().filter(|condition| {
        matches!(condition.measure.aggregate, Aggregate::Count | Aggregate::CountDistinct) && !condition.average
    });
    counted.into_iter().find_map(|condition| {
        let rows = condition.measure.of.table()?;
        let (all, value) = (catalogue.table(rows).rows, condition.value);
        let all_as_number: f64 = u32::try_from(all).map(f64::from).ok()?;
        let never = match condition.comparator {
            Comparator::Over => value >= all_as_number,
            Comparator::AtLeast | Comparator::Equal => value > all_as_number,
            Comparator::Under | Comparator::AtMost | Comparator::Unequal => false,
        };
        let (words, noun) = (&condition.measure.of.words, catalogue.plural(rows));
        never.then(|| {
            format!(
                "“{words}” is read as {noun}, of which there are {all} in all, so none could have {value}: say which \
                 number is meant by its name."
            )
        })
    })
}

/// "Beers that sold more than 100 kegs", where no delivery has as many: the rows listed have several of them each.
fn apart(catalogue: &Catalogue, form: &QueryForm, look: Look<'_>) -> Option<String> {
    let listed = listed(form)?;
    form.filters.iter().find_map(|filter| {
        let Filter::Number { of, comparator, value, unit: None } = filter else { return None };
        let Thing::Column(column) = of.best()?.thing else { return None };
        if column.table == listed || catalogue.paths(column.table, listed).is_empty() {
            return None;
        }
        let (least, most) = ends(catalogue, column, look)?;
        let none = match comparator {
            Comparator::Over => most <= *value,
            Comparator::AtLeast => most < *value,
            Comparator::Under => least >= *value,
            Comparator::AtMost => least > *value,
            Comparator::Equal | Comparator::Unequal => false,
        };
        let (words, rows) = (&of.words, catalogue.plural(column.table));
        let (label, listed) = (catalogue.column_label(column), catalogue.plural(listed));
        none.then(|| {
            format!(
                "“{words}” is {label} here, and no single one of the {rows} passes that: they have {least} to {most}. If \
                 the total of all {rows} is meant, say it, as in “{listed} with a total {words} over …”."
            )
        })
    })
}

/// The rows that are listed, or that are the groups.
fn listed(form: &QueryForm) -> Option<TableId> {
    let grouped = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(mention) => mention.table(),
        Dimension::Time(_) => None,
    });
    form.subject.as_ref().and_then(Mention::table).or(grouped)
}

/// The lowest and the highest number of a column.
fn ends(catalogue: &Catalogue, column: ColumnId, look: Look<'_>) -> Option<(f64, f64)> {
    let table = catalogue.table(column.table);
    if table.rows > ROWS_LOOKED_AT_MAX {
        return None;
    }
    let name = table.dialect.quoted(&catalogue.column(column).name);
    let sql = format!("SELECT MIN({name}), MAX({name}) FROM {}{}", table.sql_name, table.dialect.derived());
    let found = (look.0)(std::slice::from_ref(&table.name), &sql, &[])?;
    let ends: Vec<f64> = found.rows.first()?.iter().filter_map(Cell::as_number).collect();
    if let [least, most] = ends[..] { Some((least, most)) } else { None }
}

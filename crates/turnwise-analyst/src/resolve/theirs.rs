//! What something of a row is beside the same of the row it refers to in its own table: a salary above that of the
//! manager. The table is read twice, each time under its own name, and what is held version after version is taken
//! twice as it is now. Next: `lasting` for columns of one row, `sql` for the names.

use super::lasting::{followed, joined};
use crate::catalogue::{Catalogue, Made, Making, Path};
use crate::form::ColumnId;
use crate::query::{Expression, Source};
use crate::source::ColumnKind;

/// The comparison of two rows, with the sources it needs and what is taken for granted.
pub fn written_out(
    catalogue: &Catalogue,
    sources: &mut Vec<Source>,
    said: &mut Vec<String>,
    source: usize,
    made: Made,
) -> Expression {
    let (of, role) = (made.first, made.second);
    let way: Path = catalogue.role_join(role).map(|join| Path(vec![join])).unwrap_or_default();
    let their_row = followed(catalogue, sources, source, &way);
    let own = Box::new(value(catalogue, sources, source, of));
    let theirs = Box::new(value(catalogue, sources, their_row, of));
    let (label, role_label) = (catalogue.column_label(of), catalogue.column_label(role));
    if let Some((_, end)) = catalogue.current_of(of.table, role.table) {
        let (table, end) = (&catalogue.table(of.table).name, &catalogue.table(of.table).columns[end].name);
        said.push(format!("Of {table} the row without {end} is taken on both sides, which is the current one."));
    }
    said.push(format!("{label} is set against that of the row that {role_label} refers to."));
    said.push(format!(
        "Rows without {role_label}, or with no {label} on one of the two sides, do not count as either."
    ));
    let dated = catalogue.column(of).kind == ColumnKind::Date;
    let (of, than) = if made.making == Making::UnderTheirs { (theirs, own) } else { (own, theirs) };
    match made.making {
        Making::SameTheirs => Expression::Same { of, with: than },
        _ if dated => Expression::Later { of, than, clock: catalogue.has_clock(made.first) },
        _ => Expression::Above { of, than, same: false },
    }
}

/// Whether any row refers to a row of the same table.
pub fn referred(catalogue: &Catalogue, said: &mut Vec<String>, source: usize, role: ColumnId) -> Expression {
    let to = catalogue.role_join(role).and_then(|join| catalogue.join(join).to_columns.first().copied());
    let (table, label) = (role.table, catalogue.column_label(role));
    said.push(format!(
        "Which {} are meant is told by {label}: at least one row refers to them.",
        catalogue.plural(table)
    ));
    Expression::Referred { source, table, own: to.unwrap_or_default(), theirs: role.column }
}

/// Whether more rows refer to a row by one of their columns than by another.
pub fn referred_more(catalogue: &Catalogue, said: &mut Vec<String>, source: usize, made: Made) -> Expression {
    let to = catalogue.role_join(made.first).and_then(|join| catalogue.join(join).to_columns.first().copied());
    let (more, less) = (catalogue.column_label(made.first), catalogue.column_label(made.second));
    said.push(format!("Rows are counted by {more} and by {less}; where there are none they count as 0."));
    let (more, less) = (made.first.column, made.second.column);
    Expression::MoreReferring { source, table: made.first.table, own: to.unwrap_or_default(), more, less }
}

/// A value of a row, of one it leads to, or of its current version.
fn value(catalogue: &Catalogue, sources: &mut Vec<Source>, source: usize, of: ColumnId) -> Expression {
    let own = sources[source].table;
    let source = match catalogue.current_of(of.table, own) {
        Some((pairs, end)) => {
            let joined_to = Some((source, pairs));
            joined(sources, Source { table: of.table, joined: joined_to, current: Some(end), by_day: false })
        }
        None => {
            let path = catalogue.only_path(own, of.table).cloned().unwrap_or_default();
            followed(catalogue, sources, source, &path)
        }
    };
    Expression::Column { source, column: of.column }
}

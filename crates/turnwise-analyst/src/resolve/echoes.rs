//! A value that is the name of a row, and stands in another column of that very row as well, is its name: both readings
//! select the same rows, so that there is nothing to ask. Next: `weigh`, and `catalogue::echoes` for how that is known.

use super::weigh::{Reading, Target};
use crate::catalogue::{Catalogue, Display, Path};
use crate::form::TableId;

/// Leaves the names of values that echo them.
pub fn drop(catalogue: &Catalogue, readings: &mut Vec<Reading>) {
    let named: Vec<(TableId, Path)> = readings
        .iter()
        .filter(|reading| !reading.values.is_empty())
        .filter_map(|reading| match reading.target {
            Target::Column(column) => {
                let own = catalogue.table(column.table).display == Display::Column(column.column);
                own.then(|| (column.table, reading.path.clone()))
            }
            Target::Rows(_) => None,
        })
        .collect();
    readings.retain(|reading| match reading.target {
        Target::Column(column) => {
            let beside = named.iter().any(|(table, path)| *table == column.table && *path == reading.path);
            reading.values.is_empty() || !catalogue.is_echo(column) || !beside
        }
        Target::Rows(_) => true,
    });
}

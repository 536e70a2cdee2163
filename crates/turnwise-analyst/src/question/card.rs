//! What a model is told of the data: tables, columns, what they hold and how tables refer to each other, one table
//! after the other as SQL declares them. Values are data: they are on the card only where the operator lets the
//! model see them, and of a large catalogue only the tables that the message may be about are, with those they
//! refer to. Next: `super::task`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use turnwise_model::Sees;

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{ColumnId, TableId};
use super::super::source::ColumnKind;
use super::super::words;

/// Letters of a card: about 1,500 tokens, which a small model on a small machine reads in a few seconds.
pub const CARD_CHARS_MAX: usize = 6_000;
/// Different values up to which a column's are shown.
const VALUES_MAX: u64 = 12;
/// Letters of a value that is shown: a longer one is a text, not a category.
const VALUE_CHARS_MAX: usize = 30;

/// The card of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueCard {
    /// One `CREATE TABLE` a table.
    pub text: String,
    /// Tables that are left out because there are too many.
    pub left_out: usize,
}

impl CatalogueCard {
    /// The card of `catalogue` for `message`.
    pub fn of(catalogue: &Catalogue, message: &str, sees: Sees) -> Self {
        let mut lines: Vec<(TableId, String)> =
            catalogue.tables().map(|(table, _)| (table, line(catalogue, table, sees))).collect();
        let whole: usize = lines.iter().map(|(_, line)| line.len() + 1).sum();
        let all = lines.len();
        if whole > CARD_CHARS_MAX {
            lines = chosen(catalogue, message, lines);
        }
        let left_out = all - lines.len();
        let text = lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
        Self { text, left_out }
    }
}

/// The likeliest lines that fit, in the order of the catalogue.
fn chosen(catalogue: &Catalogue, message: &str, lines: Vec<(TableId, String)>) -> Vec<(TableId, String)> {
    let stems: BTreeSet<String> = words::split(message).into_iter().map(|word| word.stem).collect();
    let own = |table: TableId| {
        let entry = catalogue.table(table);
        let named = entry.stems.iter().filter(|stem| stems.contains(*stem)).count() * 4;
        let columns = entry.columns.iter().filter(|column| column.stems.iter().any(|stem| stems.contains(stem)));
        named + columns.count()
    };
    let scores: Vec<usize> = lines.iter().map(|(table, _)| own(*table)).collect();
    let is_named = |at: usize| scores[at] > 0;
    let joined = |table: TableId| {
        (0..lines.len())
            .any(|other| is_named(other) && catalogue.paths(lines[other].0, table).iter().any(|path| path.0.len() == 1))
    };
    let mut order: Vec<(usize, usize)> =
        (0..lines.len()).map(|at| (scores[at] * 2 + usize::from(joined(lines[at].0)), at)).collect();
    order.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut room = CARD_CHARS_MAX;
    let mut kept = BTreeSet::new();
    for (_, at) in order {
        let length = lines[at].1.len() + 1;
        if length > room {
            break;
        }
        room -= length;
        kept.insert(at);
    }
    lines.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, line)| line).collect()
}

fn line(catalogue: &Catalogue, table: TableId, sees: Sees) -> String {
    let entry = catalogue.table(table);
    let columns: Vec<String> =
        (0..entry.columns.len()).map(|column| column_text(catalogue, ColumnId { table, column }, sees)).collect();
    format!("CREATE TABLE {} (\n  {}\n);", written(&entry.name), columns.join(",\n  "))
}

fn column_text(catalogue: &Catalogue, column: ColumnId, sees: Sees) -> String {
    let entry = catalogue.column(column);
    let is_flag = entry.flag.as_ref().is_some_and(|flag| flag.written.is_none()) || entry.kind == ColumnKind::Boolean;
    let kind = match entry.kind {
        ColumnKind::Date => "DATE",
        ColumnKind::Integer | ColumnKind::Boolean => "INTEGER",
        ColumnKind::Real => "REAL",
        ColumnKind::Text => "TEXT",
        ColumnKind::Blob => "BLOB",
    };
    let mut text = format!("{} {kind}", written(&entry.name));
    match entry.part {
        ColumnPart::Key => text.push_str(" PRIMARY KEY"),
        ColumnPart::Reference(join) => {
            let join = catalogue.join(join);
            let to = catalogue.table(join.to);
            let key = join.to_columns.first().map(|key| written(&to.columns[*key].name)).unwrap_or_default();
            let _ = write!(text, " REFERENCES {}({key})", written(&to.name));
        }
        ColumnPart::Attribute if is_flag => text.push_str(" /* 0 or 1 */"),
        ColumnPart::Attribute => {}
    }
    if sees >= Sees::Samples && entry.kind == ColumnKind::Text && entry.part == ColumnPart::Attribute {
        let count = catalogue.values().count(column).unwrap_or_default();
        let values: Vec<&str> = catalogue.values().of(column).collect();
        if (1..=VALUES_MAX).contains(&count) && values.iter().all(|value| value.chars().count() <= VALUE_CHARS_MAX) {
            let quoted: Vec<String> = values.iter().map(|value| quoted(value).replace("*/", "* /")).collect();
            let _ = write!(text, " /* {} */", quoted.join(", "));
        }
    }
    text
}

/// A name as it stands on the card. Names are data too: one with signs in it is quoted, so that it cannot pass for a
/// line of its own or the end of the card.
fn written(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_plain { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

//! How columns of MySQL and MariaDB are read: what they hold, and what has to be made of them first. Texts are compared
//! by their letters as they are, as on every other engine: by the server's own habit `Köln` and `koln` are one. Next:
//! `describe`.

use super::super::super::{ColumnKind, Dialect};

/// A column of the catalogue.
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The name of its type, as `tinyint`.
    pub base: String,
    /// Its type in full, as `tinyint(1) unsigned`.
    pub whole: String,
    /// Digits after the point.
    pub scale: Option<u64>,
    /// How its letters are compared.
    pub collation: Option<String>,
    /// What its makers say about it.
    pub comment: Option<String>,
}

impl Declared {
    /// What it holds.
    pub fn kind(&self) -> ColumnKind {
        match self.base.as_str() {
            // The servers' own word for true and false.
            "tinyint" if self.whole.starts_with("tinyint(1)") => ColumnKind::Boolean,
            "bit" if self.whole == "bit(1)" => ColumnKind::Boolean,
            "tinyint" | "smallint" | "mediumint" | "int" | "bigint" | "year" | "bit" => ColumnKind::Integer,
            "decimal" if self.scale == Some(0) => ColumnKind::Integer,
            "decimal" | "float" | "double" => ColumnKind::Real,
            "date" | "datetime" | "timestamp" => ColumnKind::Date,
            "binary" | "varbinary" | "tinyblob" | "blob" | "mediumblob" | "longblob" | "vector" => ColumnKind::Blob,
            "geometry" | "point" | "linestring" | "polygon" | "multipoint" | "multilinestring" | "multipolygon"
            | "geometrycollection" | "geomcollection" => ColumnKind::Blob,
            _ => ColumnKind::Text,
        }
    }

    /// Whether it holds whole numbers.
    pub fn is_integer(&self) -> bool {
        self.kind() == ColumnKind::Integer
    }

    /// What it is made before it is read; `is_key` where an index has to stay of use.
    fn reading(&self, is_key: bool, is_mariadb: bool) -> Option<String> {
        let name = Dialect::Mysql.quoted(&self.name);
        if self.base == "bit" {
            return Some(format!("{name} + 0"));
        }
        if self.kind() != ColumnKind::Text {
            return None;
        }
        let exact = if is_mariadb { EXACT_IN_MARIADB } else { EXACT };
        match self.collation.as_deref() {
            // Identifiers, clocks, JSON and the like are made texts.
            None => Some(format!("CONVERT(CAST({name} AS CHAR) USING utf8mb4) COLLATE {exact}")),
            Some(_) if is_key && !matches!(self.base.as_str(), "enum" | "set") => None,
            Some(own) if own == exact || own == "utf8mb4_bin" => None,
            Some(own) if own.starts_with("utf8mb4_") && !matches!(self.base.as_str(), "enum" | "set") => {
                Some(format!("{name} COLLATE {exact}"))
            }
            // Choices are ordered by their place in the list unless they are made texts.
            Some(_) => Some(format!("CONVERT({name} USING utf8mb4) COLLATE {exact}")),
        }
    }
}

/// How SQL names the table: itself, or a query of it where columns have to be made something else.
pub fn sql_name(
    from: &str,
    columns: &[Declared],
    is_key: impl Fn(&str) -> bool,
    is_mariadb: bool,
    always: bool,
) -> String {
    let readings: Vec<(String, Option<String>)> = columns
        .iter()
        .map(|column| (Dialect::Mysql.quoted(&column.name), column.reading(is_key(&column.name), is_mariadb)))
        .collect();
    if !always && readings.iter().all(|(_, made)| made.is_none()) {
        return from.to_owned();
    }
    let list: Vec<String> = readings
        .into_iter()
        .map(|(name, made)| made.map_or_else(|| name.clone(), |made| format!("{made} AS {name}")))
        .collect();
    format!("(SELECT {} FROM {from})", list.join(", "))
}

/// Letters compared by their codes, with spaces at the end counting too; each server has its own name for that.
const EXACT: &str = "utf8mb4_0900_bin";
const EXACT_IN_MARIADB: &str = "utf8mb4_nopad_bin";

//! What a MySQL or MariaDB database holds, read from its own catalogue: tables, views, columns with types and comments,
//! keys, references, and how many rows there are about. Nothing here reads all rows of a large table. Next: `columns`
//! for how each is read, `mod`.

use std::collections::{BTreeMap, BTreeSet};

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Params, Value};
use turnwise_core::SourceStamp;

use super::super::super::address::Address;
use super::super::super::{Comments, Dialect, ForeignKey, SourceColumn, SourceError, limits};
use super::super::{ServerContents, ServerTable};
use super::columns::{self, Declared};
use super::connect::Connector;
use super::error;

/// A table and the database it is in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    schema: String,
    table: String,
}

/// Reads the catalogue of the databases named; with the tables' places by the name of their stamp.
pub async fn describe(
    client: &mut Conn,
    connector: &Connector,
    address: &Address,
) -> Result<(ServerContents, BTreeMap<String, Place>), SourceError> {
    let shown = &address.shown;
    let failed = |error: Error| error::at_start(shown, &error);
    let schemas: Vec<String> = match address.schemas.as_slice() {
        [] => connector.database().map(str::to_owned).into_iter().collect(),
        named => named.to_vec(),
    };
    if schemas.is_empty() {
        let there = databases(client).await.map_err(failed)?.join(", ");
        let problem = format!("it names no database; those that may be read are {there}: {shown}/NAME");
        return Err(SourceError::Address { address: shown.clone(), problem });
    }
    let found = relations(client, &schemas).await.map_err(failed)?;
    if found.is_empty() {
        let list = schemas.join(", ");
        let problem = format!("there is no table that may be read in the database {list}");
        return Err(SourceError::ServerRefused { address: shown.clone(), problem });
    }
    if found.len() > limits::SERVER_TABLES_MAX {
        let what = format!("Tables in {}", schemas.join(", "));
        return Err(SourceError::TooMany { what, count: found.len(), limit: limits::SERVER_TABLES_MAX });
    }
    let catalogue = Catalogue {
        columns: columns(client, &schemas).await.map_err(failed)?,
        keys: keys(client, &schemas).await.map_err(failed)?,
        references: references(client, &schemas).await.map_err(failed)?,
        is_mariadb: connector.is_mariadb(),
    };
    let (mut contents, mut places) = (ServerContents::default(), BTreeMap::new());
    for relation in found {
        let Some(declared) = catalogue.columns.get(&relation.place) else { continue };
        let most = if relation.is_view { limits::VIEW_TIME_MAX } else { limits::COUNT_TIME_MAX };
        connector.limit_time(client, most).await.map_err(failed)?;
        let rows = match rows(client, &relation).await {
            Ok(rows) => rows,
            Err(Error::Server(said)) if relation.is_view => {
                contents.notes.push(format!("The view {} is left out: {}.", relation.place.table, said.message));
                continue;
            }
            // It is too slow to be counted, so the server's estimate has to do.
            Err(Error::Server(_)) => (relation.estimate, true),
            Err(error) => return Err(failed(error)),
        };
        let name = format!("{shown} {}.{}", relation.place.schema, relation.place.table);
        let fingerprint = fingerprint(client, &relation.place).await.map_err(failed)?.unwrap_or_default();
        places.insert(name.clone(), relation.place.clone());
        let sample = if rows.1 { sample(client, &catalogue, &relation, declared).await } else { None };
        let stamp = SourceStamp { name, fingerprint };
        contents.tables.push(catalogue.table(relation, declared, rows, sample, stamp));
    }
    Ok((contents, places))
}

/// A table or view of the catalogue.
struct Relation {
    place: Place,
    is_view: bool,
    estimate: u64,
    comment: Option<String>,
}

/// What is known of the columns of all tables.
struct Catalogue {
    columns: BTreeMap<Place, Vec<Declared>>,
    keys: BTreeMap<Place, BTreeSet<String>>,
    references: BTreeMap<Place, Vec<(Place, ForeignKey)>>,
    is_mariadb: bool,
}

async fn databases(client: &mut Conn) -> Result<Vec<String>, Error> {
    let sql = "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN \
               ('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY SCHEMA_NAME LIMIT 20";
    client.query(sql).await
}

/// `IN (?, ?)` with the names of databases.
fn among(schemas: &[String]) -> (String, Params) {
    let values = schemas.iter().map(|schema| Value::Bytes(schema.clone().into_bytes())).collect();
    (format!("IN ({})", vec!["?"; schemas.len()].join(", ")), Params::Positional(values))
}

async fn relations(client: &mut Conn, schemas: &[String]) -> Result<Vec<Relation>, Error> {
    let (among, values) = among(schemas);
    let sql = format!(
        "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT FROM information_schema.TABLES \
         WHERE TABLE_SCHEMA {among} AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_SCHEMA, TABLE_NAME"
    );
    type Found = (String, String, String, Option<u64>, Option<String>);
    let rows: Vec<Found> = client.exec(sql, values).await?;
    let relation = |(schema, table, kind, estimate, comment): Found| {
        let is_view = kind.contains("VIEW");
        // The comment on a view is always this word.
        let comment = comment.filter(|comment| !comment.is_empty() && !is_view);
        Relation { place: Place { schema, table }, is_view, estimate: estimate.unwrap_or_default(), comment }
    };
    Ok(rows.into_iter().map(relation).collect())
}

async fn columns(client: &mut Conn, schemas: &[String]) -> Result<BTreeMap<Place, Vec<Declared>>, Error> {
    let (among, values) = among(schemas);
    let sql = format!(
        "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, NUMERIC_SCALE, COLLATION_NAME, \
         COLUMN_COMMENT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA {among} AND PRIVILEGES LIKE '%select%' \
         ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION"
    );
    type Found = (String, String, String, String, String, Option<u64>, Option<String>, Option<String>);
    let rows: Vec<Found> = client.exec(sql, values).await?;
    let mut all: BTreeMap<Place, Vec<Declared>> = BTreeMap::new();
    for (schema, table, name, base, whole, scale, collation, comment) in rows {
        let comment = comment.filter(|comment| !comment.is_empty());
        let declared =
            Declared { name, base: base.to_lowercase(), whole: whole.to_lowercase(), scale, collation, comment };
        all.entry(Place { schema, table }).or_default().push(declared);
    }
    Ok(all)
}

/// The primary key of each table; where there is none, a column that is unique.
async fn keys(client: &mut Conn, schemas: &[String]) -> Result<BTreeMap<Place, BTreeSet<String>>, Error> {
    let (among, values) = among(schemas);
    let sql = format!(
        "SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS \
         WHERE TABLE_SCHEMA {among} AND NON_UNIQUE = 0 AND COLUMN_NAME IS NOT NULL \
         ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX"
    );
    let rows: Vec<(String, String, String, String)> = client.exec(sql, values).await?;
    let mut indexes: BTreeMap<Place, Vec<(String, BTreeSet<String>)>> = BTreeMap::new();
    for (schema, table, index, column) in rows {
        let known = indexes.entry(Place { schema, table }).or_default();
        match known.last_mut().filter(|(name, _)| *name == index) {
            Some((_, columns)) => {
                columns.insert(column);
            }
            None => known.push((index, BTreeSet::from([column]))),
        }
    }
    let key = |(place, indexes): (Place, Vec<(String, BTreeSet<String>)>)| {
        let mut fit = indexes.into_iter().filter(|(name, columns)| name == "PRIMARY" || columns.len() == 1);
        fit.next().map(|(_, columns)| (place, columns))
    };
    Ok(indexes.into_iter().filter_map(key).collect())
}

async fn references(client: &mut Conn, schemas: &[String]) -> Result<BTreeMap<Place, Vec<(Place, ForeignKey)>>, Error> {
    let (among, values) = among(schemas);
    let sql = format!(
        "SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, \
         REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE \
         WHERE TABLE_SCHEMA {among} AND REFERENCED_TABLE_NAME IS NOT NULL \
         ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION"
    );
    let rows: Vec<(String, String, String, String, String, String, String)> = client.exec(sql, values).await?;
    let mut all: BTreeMap<Place, Vec<(Place, ForeignKey)>> = BTreeMap::new();
    let mut last = None;
    for (schema, table, name, column, other_schema, other, referred) in rows {
        let known = all.entry(Place { schema, table }).or_default();
        let this = Some((known.len(), name));
        match known.last_mut().filter(|_| last == this) {
            Some((_, key)) => {
                key.columns.push(column);
                key.referred.push(referred);
            }
            None => {
                let key = ForeignKey { columns: vec![column], table: String::new(), referred: vec![referred] };
                known.push((Place { schema: other_schema, table: other }, key));
                last = this.map(|(at, name)| (at + 1, name));
            }
        }
    }
    Ok(all)
}

/// What tells whether a table was written: when it was made, when it was last written, to the second, and the next
/// number it gives. A view is known by all tables of its database; a server that does not say when a table was written
/// (some engines, or since it was started) tells no change.
pub async fn fingerprint(client: &mut Conn, place: &Place) -> Result<Option<String>, Error> {
    let sql = "SELECT t.TABLE_TYPE, CONCAT_WS('|', t.CREATE_TIME, t.UPDATE_TIME, t.AUTO_INCREMENT), \
               (SELECT CONCAT_WS('|', COUNT(*), MAX(a.CREATE_TIME), MAX(a.UPDATE_TIME)) \
               FROM information_schema.TABLES AS a WHERE a.TABLE_SCHEMA = t.TABLE_SCHEMA) \
               FROM information_schema.TABLES AS t WHERE t.TABLE_SCHEMA = ? AND t.TABLE_NAME = ?";
    let found: Option<(String, String, String)> = client.exec_first(sql, (&place.schema, &place.table)).await?;
    Ok(found.map(|(kind, own, all)| format!("mysql-writes:{}", if kind.contains("VIEW") { all } else { own })))
}

fn named(place: &Place) -> String {
    format!("{}.{}", Dialect::Mysql.quoted(&place.schema), Dialect::Mysql.quoted(&place.table))
}

/// Rows with whether they are an estimate: small tables are counted, large ones taken from the server's statistics.
async fn rows(client: &mut Conn, relation: &Relation) -> Result<(u64, bool), Error> {
    let bound = limits::SERVER_ROWS_COUNTED_MAX;
    if relation.estimate > bound {
        return Ok((relation.estimate, true));
    }
    let (place, most) = (named(&relation.place), bound + 1);
    let sql = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {place} LIMIT {most}) AS counted");
    let counted: u64 = client.query_first(sql).await?.unwrap_or_default();
    Ok((counted, counted > bound))
}

/// Some rows of a large table, the same every time: slices of its numbers where it has them, spread evenly; else those
/// that come first. None when it cannot be told, as for a view.
async fn sample(client: &mut Conn, catalogue: &Catalogue, relation: &Relation, all: &[Declared]) -> Option<String> {
    if relation.is_view {
        return None;
    }
    let rows = limits::SERVER_ROWS_SAMPLED;
    let key = catalogue.keys.get(&relation.place).filter(|key| key.len() == 1).and_then(BTreeSet::first);
    let key = key.filter(|key| all.iter().any(|column| column.name == **key && column.is_integer()));
    let mut slices = format!("LIMIT {rows}");
    if let Some(key) = key {
        let (quoted, place) = (Dialect::Mysql.quoted(key), named(&relation.place));
        let ends = client.query_first(format!("SELECT MIN({quoted}), MAX({quoted}) FROM {place}")).await;
        if let Ok(Some((Some(first), Some(last)))) = ends {
            let (first, last): (i64, i64) = (first, last);
            let span = u64::try_from(last.saturating_sub(first)).unwrap_or_default() / SLICES;
            // As wide as it takes to find so many rows where the numbers are dense on the average.
            let density = relation.estimate.max(1);
            let wide = (span.saturating_mul(rows) / density).min(span);
            let slice = |at: u64| {
                let begin = first.saturating_add_unsigned(span.saturating_mul(at));
                format!("{quoted} BETWEEN {begin} AND {}", begin.saturating_add_unsigned(wide))
            };
            let tests: Vec<String> = (0..SLICES).map(slice).collect();
            // The server's estimate may be half of what is there; the last slice counts as much as the first.
            slices = format!("WHERE {} LIMIT {}", tests.join(" OR "), rows.saturating_mul(4));
        }
    }
    let from = format!("{} {slices}", named(&relation.place));
    Some(columns::sql_name(&from, all, |column| catalogue.is_key(&relation.place, column), catalogue.is_mariadb, true))
}

impl Catalogue {
    /// Whether the column is looked up by: those keep their own order of letters, which their index has.
    fn is_key(&self, place: &Place, column: &str) -> bool {
        let own = self.keys.get(place).is_some_and(|key| key.contains(column));
        let refers = |(_, key): &(Place, ForeignKey)| key.columns.iter().any(|name| name == column);
        let referred = |(to, key): &(Place, ForeignKey)| to == place && key.referred.iter().any(|name| name == column);
        own || self.references.get(place).is_some_and(|keys| keys.iter().any(refers))
            || self.references.values().flatten().any(referred)
    }

    fn references_of(&self, place: &Place) -> Vec<((String, String), ForeignKey)> {
        let keys = self.references.get(place).into_iter().flatten();
        keys.map(|(to, key)| ((to.schema.clone(), to.table.clone()), key.clone())).collect()
    }

    fn table(
        &self,
        relation: Relation,
        declared: &[Declared],
        (rows, estimated): (u64, bool),
        sample_name: Option<String>,
        stamp: SourceStamp,
    ) -> ServerTable {
        let place = relation.place;
        let mut comments = Comments { table: relation.comment, ..Comments::default() };
        let mut columns = Vec::with_capacity(declared.len());
        for column in declared {
            comments.columns.extend(column.comment.clone().map(|comment| (column.name.clone(), comment)));
            let primary_key = self.keys.get(&place).is_some_and(|key| key.contains(&column.name));
            columns.push(SourceColumn { name: column.name.clone(), kind: column.kind(), primary_key });
        }
        let mut notes = Vec::new();
        if estimated {
            notes.push(format!("It has about {rows} rows, as the server estimates."));
        }
        ServerTable {
            sql_name: columns::sql_name(
                &named(&place),
                declared,
                |column| self.is_key(&place, column),
                self.is_mariadb,
                false,
            ),
            references: self.references_of(&place),
            schema: place.schema,
            name: place.table,
            sample_name,
            columns,
            rows,
            is_view: relation.is_view,
            comments,
            notes,
            stamp,
        }
    }
}

/// Slices of a large table that are looked at.
const SLICES: u64 = 20;

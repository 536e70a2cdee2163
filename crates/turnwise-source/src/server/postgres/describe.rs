//! What a PostgreSQL database holds, read from its own catalogue: tables, views, columns with types and comments, keys,
//! references, and how many rows there are about. Nothing here reads all rows of a large table. Next: `mod`.

use std::collections::{BTreeMap, BTreeSet};

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, Row};
use turnwise_core::SourceStamp;

use super::super::super::{ColumnKind, Comments, ForeignKey, SourceColumn, SourceError, limits, quoted};
use super::super::{ServerContents, ServerTable};
use super::error;

/// Reads the catalogue of the schemas, or of the search path when none is named; with the tables' own numbers, by the
/// name of their stamp.
pub async fn describe(
    client: &mut Client,
    shown: &str,
    schemas: &[String],
) -> Result<(ServerContents, BTreeMap<String, i64>), SourceError> {
    let failed = |error: Error| error::at_start(shown, &error);
    let schemas = match schemas {
        [] => search_path(client).await.map_err(failed)?,
        named => named.to_vec(),
    };
    let found = relations(client, &schemas).await.map_err(failed)?;
    let mut notes = elsewhere(client, &schemas).await.map_err(failed)?;
    if found.is_empty() {
        let elsewhere = notes.pop().map_or_else(String::new, |note| format!("; {}", note.trim_end_matches('.')));
        let list = schemas.join(", ");
        let problem = format!("there is no table that may be read in the schema {list}{elsewhere}");
        return Err(SourceError::ServerRefused { address: shown.to_owned(), problem });
    }
    if found.len() > limits::SERVER_TABLES_MAX {
        let what = format!("Tables in {}", schemas.join(", "));
        return Err(SourceError::TooMany { what, count: found.len(), limit: limits::SERVER_TABLES_MAX });
    }
    let oids: Vec<i64> = found.iter().map(|relation| relation.oid).collect();
    let mut columns = columns(client, &oids).await.map_err(failed)?;
    let mut constraints = constraints(client, &oids).await.map_err(failed)?;
    let mut fingerprints = fingerprints(client, &oids).await.map_err(failed)?;
    let places: BTreeMap<i64, (String, String)> =
        found.iter().map(|relation| (relation.oid, (relation.schema.clone(), relation.name.clone()))).collect();
    let numbered: BTreeMap<i64, Vec<(i16, String)>> = columns
        .iter()
        .map(|(oid, list)| (*oid, list.iter().map(|column| (column.number, column.name.clone())).collect()))
        .collect();
    let (mut contents, mut stamped) = (ServerContents { tables: Vec::new(), notes }, BTreeMap::new());
    for relation in found {
        let rows = match counted(client, &relation).await.map_err(failed)? {
            Ok(rows) => rows,
            Err(why) => {
                contents.notes.push(why);
                continue;
            }
        };
        let name = format!("{shown} {}.{}", relation.schema, relation.name);
        stamped.insert(name.clone(), relation.oid);
        let stamp = SourceStamp { name, fingerprint: fingerprints.remove(&relation.oid).unwrap_or_default() };
        let (own, bound) =
            (columns.remove(&relation.oid).unwrap_or_default(), constraints.remove(&relation.oid).unwrap_or_default());
        contents.tables.push(table(relation, own, &bound, &places, &numbered, rows, stamp));
    }
    client.batch_execute("RESET statement_timeout").await.map_err(failed)?;
    Ok((contents, stamped))
}

/// A table or view of the catalogue.
struct Relation {
    oid: i64,
    schema: String,
    name: String,
    /// r table, p partitioned, v view, m materialised view, f foreign.
    kind: String,
    estimate: f64,
    comment: Option<String>,
}

/// A column of the catalogue.
#[derive(Clone)]
struct Declared {
    number: i16,
    name: String,
    /// The type beneath domains.
    base: String,
    modifier: i32,
    comment: Option<String>,
}

/// Which columns are a key or refer to another table.
struct Constraint {
    /// p primary key, u unique, f reference.
    kind: String,
    columns: Vec<i16>,
    referred: i64,
    referred_columns: Vec<i16>,
}

async fn search_path(client: &Client) -> Result<Vec<String>, Error> {
    client.query_one("SELECT current_schemas(false)::text[]", &[]).await?.try_get(0)
}

async fn relations(client: &Client, schemas: &[String]) -> Result<Vec<Relation>, Error> {
    let sql = "SELECT c.oid::bigint, n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::float8, \
               obj_description(c.oid, 'pg_class') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
               WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname = ANY($1) \
               AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') \
               ORDER BY array_position($1, n.nspname::text), c.relname";
    let relation = |row: &Row| {
        Ok(Relation {
            oid: row.try_get(0)?,
            schema: row.try_get(1)?,
            name: row.try_get(2)?,
            kind: row.try_get(3)?,
            estimate: row.try_get(4)?,
            comment: row.try_get(5)?,
        })
    };
    client.query(sql, &[&schemas]).await?.iter().map(relation).collect()
}

/// Schemas with tables that are not read, so that nobody looks for them in vain.
async fn elsewhere(client: &Client, schemas: &[String]) -> Result<Vec<String>, Error> {
    let sql = "SELECT n.nspname::text, COUNT(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
               WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> ALL($1) \
               AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' \
               AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') \
               GROUP BY 1 ORDER BY 1";
    let rows = client.query(sql, &[&schemas]).await?;
    let named = rows.iter().map(|row| Ok(format!("{} ({})", row.try_get::<_, &str>(0)?, row.try_get::<_, i64>(1)?)));
    let named: Vec<String> = named.collect::<Result<_, Error>>()?;
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let list = named.join(", ");
    Ok(vec![format!("Other schemas have tables too: {list}; ?schema=NAME,NAME at the end of the address reads them.")])
}

async fn columns(client: &Client, oids: &[i64]) -> Result<BTreeMap<i64, Vec<Declared>>, Error> {
    let sql = "SELECT a.attrelid::bigint, a.attnum, a.attname::text, COALESCE(b.typname, t.typname)::text, \
               CASE WHEN b.oid IS NULL THEN a.atttypmod ELSE t.typtypmod END, col_description(a.attrelid, a.attnum) \
               FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
               LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype \
               WHERE a.attrelid::bigint = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped \
               AND has_column_privilege(a.attrelid, a.attnum, 'SELECT') ORDER BY a.attrelid, a.attnum";
    let mut all: BTreeMap<i64, Vec<Declared>> = BTreeMap::new();
    for row in client.query(sql, &[&oids]).await? {
        all.entry(row.try_get(0)?).or_default().push(Declared {
            number: row.try_get(1)?,
            name: row.try_get(2)?,
            base: row.try_get(3)?,
            modifier: row.try_get(4)?,
            comment: row.try_get(5)?,
        });
    }
    Ok(all)
}

async fn constraints(client: &Client, oids: &[i64]) -> Result<BTreeMap<i64, Vec<Constraint>>, Error> {
    let sql = "SELECT conrelid::bigint, contype::text, conkey, confrelid::bigint, COALESCE(confkey, '{}') \
               FROM pg_constraint WHERE contype IN ('p', 'u', 'f') AND conrelid::bigint = ANY($1) ORDER BY oid";
    let mut all: BTreeMap<i64, Vec<Constraint>> = BTreeMap::new();
    for row in client.query(sql, &[&oids]).await? {
        all.entry(row.try_get(0)?).or_default().push(Constraint {
            kind: row.try_get(1)?,
            columns: row.try_get(2)?,
            referred: row.try_get(3)?,
            referred_columns: row.try_get(4)?,
        });
    }
    Ok(all)
}

/// What tells whether a table was written: where its rows are stored, and how many were ever inserted, changed and
/// removed, as the server's statistics count them (with its partitions). A writer may report up to ten seconds late.
/// What has no statistics, such as a view, is known by the transactions that are visible: any write to the server
/// changes it.
pub async fn fingerprints(client: &Client, oids: &[i64]) -> Result<BTreeMap<i64, String>, Error> {
    let sql = "SELECT c.oid::bigint, CASE WHEN SUM(s.n_tup_ins) IS NULL OR c.relkind NOT IN ('r', 'p', 'm') \
               THEN 'pg-snapshot:' || pg_current_snapshot()::text \
               ELSE 'pg-writes:' || SUM(p.relfilenode::bigint) || ':' || SUM(s.n_tup_ins) || '+' || SUM(s.n_tup_upd) \
               || '+' || SUM(s.n_tup_del) END \
               FROM pg_class c \
               LEFT JOIN LATERAL (SELECT relid FROM pg_partition_tree(c.oid) UNION SELECT c.oid) t ON true \
               LEFT JOIN pg_class p ON p.oid = t.relid \
               LEFT JOIN pg_stat_all_tables s ON s.relid = t.relid \
               WHERE c.oid::bigint = ANY($1) GROUP BY c.oid, c.relkind";
    client.query(sql, &[&oids]).await?.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Rows with whether they are an estimate, within the time that a start may take; for a view that cannot be counted in
/// it, or at all, the note that says so.
async fn counted(client: &Client, relation: &Relation) -> Result<Result<(u64, bool), String>, Error> {
    let is_view = relation.kind == "v";
    let most = if is_view { limits::VIEW_TIME_MAX } else { limits::COUNT_TIME_MAX };
    client.batch_execute(&format!("SET statement_timeout = {}", most.as_millis())).await?;
    let error = match rows(client, relation).await {
        Ok(rows) => return Ok(Ok(rows)),
        Err(error) => error,
    };
    let is_late = error.code() == Some(&SqlState::QUERY_CANCELED);
    let said = error.as_db_error().map(|said| said.message().to_owned());
    match said {
        Some(said) if is_view => {
            let seconds = most.as_secs();
            let why = if is_late { format!("counting its rows takes more than {seconds} seconds") } else { said };
            Ok(Err(format!("The view {} is left out: {why}.", relation.name)))
        }
        // It is too slow to be counted, so the server's estimate has to do; -1 means that there is none.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate")]
        Some(_) if is_late => Ok(Ok((relation.estimate.max(0.0) as u64, true))),
        _ => Err(error),
    }
}

/// Rows with whether they are an estimate: small tables are counted, large ones taken from the server's statistics.
async fn rows(client: &Client, relation: &Relation) -> Result<(u64, bool), Error> {
    let bound = limits::SERVER_ROWS_COUNTED_MAX;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an estimate"
    )]
    if relation.estimate > bound as f64 {
        return Ok((relation.estimate as u64, true));
    }
    let place = format!("{}.{}", quoted(&relation.schema), quoted(&relation.name));
    let sql = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {place} LIMIT {}) AS counted", bound + 1);
    let counted: i64 = client.query_one(&sql, &[]).await?.try_get(0)?;
    let counted = u64::try_from(counted).unwrap_or_default();
    Ok((counted, counted > bound))
}

fn table(
    relation: Relation,
    declared: Vec<Declared>,
    constraints: &[Constraint],
    places: &BTreeMap<i64, (String, String)>,
    numbered: &BTreeMap<i64, Vec<(i16, String)>>,
    (rows, estimated): (u64, bool),
    stamp: SourceStamp,
) -> ServerTable {
    let key = key_columns(constraints);
    let place = format!("{}.{}", quoted(&relation.schema), quoted(&relation.name));
    let mut comments = Comments { table: relation.comment, ..Comments::default() };
    let mut columns = Vec::with_capacity(declared.len());
    for column in &declared {
        comments.columns.extend(column.comment.clone().map(|comment| (column.name.clone(), comment)));
        columns.push(SourceColumn {
            name: column.name.clone(),
            kind: reading(column).0,
            primary_key: key.contains(&column.number),
        });
    }
    let name_of = |table: i64, number: i16| {
        let named = numbered.get(&table)?.iter().find(|(known, _)| *known == number)?;
        Some(named.1.clone())
    };
    let references = constraints.iter().filter(|constraint| constraint.kind == "f").filter_map(|constraint| {
        let columns = constraint.columns.iter().map(|number| name_of(relation.oid, *number)).collect::<Option<_>>()?;
        let referred = constraint.referred_columns.iter().map(|number| name_of(constraint.referred, *number));
        let key = ForeignKey { columns, table: String::new(), referred: referred.collect::<Option<_>>()? };
        Some((places.get(&constraint.referred)?.clone(), key))
    });
    let mut notes = Vec::new();
    if estimated {
        notes.push(format!("It has about {rows} rows, as the server estimates."));
    }
    let sample_name = (estimated && matches!(relation.kind.as_str(), "r" | "p" | "m")).then(|| {
        // The same part of the table every time: names found today are found tomorrow.
        sql_name(&format!("{place} TABLESAMPLE SYSTEM ({}) REPEATABLE (1)", percent(rows)), &declared, true)
    });
    let references = references.collect();
    ServerTable {
        sql_name: sql_name(&place, &declared, false),
        schema: relation.schema,
        name: relation.name,
        sample_name,
        columns,
        rows,
        is_view: matches!(relation.kind.as_str(), "v" | "m"),
        references,
        comments,
        notes,
        stamp,
    }
}

/// The primary key; where there is none, a column that is unique.
fn key_columns(constraints: &[Constraint]) -> BTreeSet<i16> {
    let of_kind = |kind: &'static str| constraints.iter().filter(move |constraint| constraint.kind == kind);
    let unique = of_kind("u").filter(|constraint| constraint.columns.len() == 1);
    of_kind("p").chain(unique).next().map(|key| key.columns.iter().copied().collect()).unwrap_or_default()
}

fn percent(rows: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = limits::SERVER_ROWS_SAMPLED as f64 / rows.max(1) as f64;
    (share * 100.0).clamp(0.000_1, 100.0)
}

/// How SQL names the table: itself, or a query of it where columns of types we cannot read are made texts.
fn sql_name(place: &str, columns: &[Declared], always: bool) -> String {
    let readings: Vec<(String, Option<String>)> =
        columns.iter().map(|column| (quoted(&column.name), reading(column).1)).collect();
    if !always && readings.iter().all(|(_, cast)| cast.is_none()) {
        return place.to_owned();
    }
    let list: Vec<String> = readings
        .into_iter()
        .map(|(name, cast)| cast.map_or_else(|| name.clone(), |to| format!("CAST({name} AS {to}) AS {name}")))
        .collect();
    format!("(SELECT {} FROM {place})", list.join(", "))
}

/// What a column holds, and the type it has to be made to be read.
fn reading(column: &Declared) -> (ColumnKind, Option<String>) {
    let cast = |to: &str| Some(to.to_owned());
    match column.base.as_str() {
        "int2" | "int4" | "int8" => (ColumnKind::Integer, None),
        "oid" => (ColumnKind::Integer, cast("bigint")),
        "float4" | "float8" => (ColumnKind::Real, None),
        // The modifier holds digits and, of them, those after the point, plus four.
        "numeric" if column.modifier >= 4 && (column.modifier - 4) & 0xFFFF == 0 => (ColumnKind::Integer, None),
        "numeric" => (ColumnKind::Real, None),
        "money" => (ColumnKind::Real, cast("numeric")),
        "bool" => (ColumnKind::Boolean, None),
        "date" | "timestamp" | "timestamptz" => (ColumnKind::Date, None),
        "text" | "varchar" | "name" => (ColumnKind::Text, None),
        "bytea" => (ColumnKind::Blob, None),
        // Among them char(n), whose padding is no part of the value.
        _ => (ColumnKind::Text, cast("text")),
    }
}

//! Objects inside objects as tables: what is under `user` becomes the columns `user.login`, …, and a list becomes a
//! table of its own, each row with the row it belongs to. What is laid out differently from row to row stays JSON text.
//! Every row is looked at before anything is laid out. Next: `json_lines`, which has the columns.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::assemble::TableNames;
use super::database::Described;
use super::json_lines::{self, Row, Unit};
use super::{ForeignKey, SourceError};

/// What goes through the outermost rows, each with its number.
pub trait Rows {
    /// Calls `each` with them.
    ///
    /// # Errors
    /// When the file breaks its format, and what `each` says.
    fn each(&self, each: &mut dyn FnMut(&Value, u64) -> Result<(), SourceError>) -> Result<(), SourceError>;
}

/// Loads the rows as a table of this name, and their lists as tables of theirs.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    (name, renamed): (String, Option<String>),
    names: &mut TableNames<'_>,
    unit: Unit,
    rows: &dyn Rows,
) -> Result<Vec<Described>, SourceError> {
    let mut seen = Seen::default();
    rows.each(&mut |row, _| {
        seen.add_value(row);
        Ok(())
    })?;
    let plans = Plans::of(&seen, name, names);
    let mut described = Vec::with_capacity(plans.0.len());
    for (at, plan) in plans.0.iter().enumerate().filter(|(_, plan)| !plan.is_hollow) {
        let each = |each: &mut dyn FnMut(&Row<'_>, u64) -> Result<(), SourceError>| plans.each_row(at, rows, each);
        let mut table = json_lines::table(connection, path, &plan.name, unit, each)?;
        table.notes.splice(0..0, plan.renamed.clone());
        plans.relate(at, &mut table);
        described.push(table);
    }
    described[0].notes.splice(0..0, renamed);
    described[0].notes.extend(plans.told());
    Ok(described)
}

/// What was seen in one place of all rows.
#[derive(Default)]
struct Seen {
    objects: u64,
    lists: u64,
    others: u64,
    members: BTreeMap<String, Seen>,
    /// The keys in the order they first appeared.
    order: Vec<String>,
    items: Option<Box<Seen>>,
    /// The values under `id`, as hashes: two of the same make them no names of rows.
    ids: HashSet<u64>,
    has_ids: Option<bool>,
}

impl Seen {
    fn add(&mut self, object: &Map<String, Value>) {
        self.objects += 1;
        let is_new =
            object.get(ID).and_then(id_of).is_some_and(|id| self.has_ids != Some(false) && self.ids.insert(id));
        self.has_ids = Some(is_new);
        if !is_new {
            self.ids = HashSet::new();
        }
        for (key, value) in object {
            if let Some(member) = self.members.get_mut(key) {
                member.add_value(value);
            } else if self.order.len() <= COLUMNS_SEEN_MAX {
                self.order.push(key.to_owned());
                self.members.entry(key.to_owned()).or_default().add_value(value);
            }
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::Object(object) => self.add(object),
            Value::Array(items) => {
                self.lists += 1;
                let seen = self.items.get_or_insert_default();
                items.iter().for_each(|item| seen.add_value(item));
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) => self.others += 1,
        }
    }

    fn is_object(&self) -> bool {
        let keys = self.order.len();
        self.lists + self.others == 0 && (1..=KEYS_MAX).contains(&keys)
    }

    /// What the lists here hold, if it is of one kind.
    fn rows(&self) -> Option<&Self> {
        let items = self.items.as_deref().filter(|_| self.objects + self.others == 0)?;
        let are_values = items.others > 0 && items.objects + items.lists == 0;
        (are_values || items.is_object()).then_some(items)
    }
}

/// The tables, the outermost first, each behind the one its rows belong to.
struct Plans(Vec<Plan>);

struct Plan {
    name: String,
    renamed: Option<String>,
    columns: Columns,
    /// What a row is called by those that belong to it.
    identity: Identity,
    /// Where it belongs; the outermost does not.
    within: Option<Within>,
    /// Whether it holds lists and nothing else: an envelope, and no table.
    is_hollow: bool,
}

/// Where the rows of a table belong.
struct Within {
    plan: usize,
    /// The keys that lead from a row there to the list.
    keys: Vec<String>,
    /// The column that names the row there.
    column: String,
}

/// What becomes of the members of an object, in the order of the columns.
#[derive(Default)]
struct Places(Vec<(String, Place)>);

impl Places {
    fn has_column(&self) -> bool {
        self.0.iter().any(|(_, place)| match place {
            Place::Column(_) => true,
            Place::Object(inner) => inner.has_column(),
            Place::Elsewhere => false,
        })
    }
}

enum Place {
    Column(String),
    Object(Places),
    Elsewhere,
}

/// What becomes of a row.
enum Columns {
    /// A value, in this column.
    Value(String),
    /// An object.
    Members(Places),
}

impl Columns {
    fn has_any(&self) -> bool {
        match self {
            Self::Value(_) => true,
            Self::Members(places) => places.has_column(),
        }
    }
}

/// What a row is called by.
enum Identity {
    /// By nothing.
    None,
    /// By its `id`.
    Id,
    /// By its number, in this column.
    Number(String),
}

impl Plans {
    fn of(seen: &Seen, name: String, names: &mut TableNames<'_>) -> Self {
        let mut plans = Self(Vec::new());
        plans.add(seen, (name, None), None, names);
        plans
    }

    /// Lays out a table and, behind it, those of its lists.
    fn add(
        &mut self,
        seen: &Seen,
        (name, renamed): (String, Option<String>),
        within: Option<Within>,
        names: &mut TableNames<'_>,
    ) {
        let mut taken = BTreeSet::from_iter(seen.members.keys().cloned());
        let within = within.map(|within| Within { column: free(&mut taken, within.column), ..within });
        let mut lists = Vec::new();
        let room = TABLES_MAX.saturating_sub(self.0.len() + 1);
        let columns = if seen.others > 0 {
            Columns::Value(free(&mut taken, VALUE.to_owned()))
        } else {
            Columns::Members(places(seen, &mut Way { keys: Vec::new(), taken: &mut taken, lists: &mut lists, room }))
        };
        let is_hollow = !lists.is_empty() && within.is_none() && seen.objects == 1 && !columns.has_any();
        let identity = match (lists.is_empty() || is_hollow, seen.has_ids) {
            (true, _) => Identity::None,
            (false, Some(true)) => Identity::Id,
            (false, Some(false) | None) => Identity::Number(free(&mut taken, ROW.to_owned())),
        };
        let own = match &identity {
            Identity::Number(column) => format!("{name}_{column}"),
            Identity::Id | Identity::None => format!("{name}_{ID}"),
        };
        let (parent, at) = (name.clone(), self.0.len());
        self.0.push(Plan { name, renamed, columns, identity, within, is_hollow });
        for (keys, items) in lists {
            let key = keys.last().map_or(VALUE, String::as_str);
            let name = names.within(&parent, key);
            self.add(items, name, Some(Within { plan: at, keys, column: own.clone() }), names);
        }
    }

    /// Calls `each` with the rows of a table.
    fn each_row(
        &self,
        at: usize,
        rows: &dyn Rows,
        each: &mut dyn FnMut(&Row<'_>, u64) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        let mut chain = vec![at];
        while let Some(within) = &self.0[chain[0]].within {
            chain.insert(0, within.plan);
        }
        let mut going = Going { plans: self, numbers: vec![0; self.0.len()], each };
        rows.each(&mut |row, number| going.go(&chain, row, None, number))
    }

    /// Says which table the rows of this one belong to, and what they are called by.
    fn relate(&self, at: usize, table: &mut Described) {
        let plan = &self.0[at];
        let own = match &plan.identity {
            Identity::None => None,
            Identity::Id => Some(ID),
            Identity::Number(column) => Some(column.as_str()),
        };
        for column in &mut table.columns {
            column.primary_key |= own == Some(column.name.as_str());
        }
        let Some(within) = plan.within.as_ref().filter(|within| self.has(within.plan)) else { return };
        let parent = &self.0[within.plan];
        let referred = match &parent.identity {
            Identity::Number(column) => column.clone(),
            Identity::Id | Identity::None => ID.to_owned(),
        };
        table.foreign_keys.push(ForeignKey {
            columns: vec![within.column.clone()],
            table: parent.name.clone(),
            referred: vec![referred],
        });
    }

    /// Whether a plan is a table.
    fn has(&self, plan: usize) -> bool {
        !self.0[plan].is_hollow
    }

    /// Which lists became tables.
    fn told(&self) -> Option<String> {
        let is_told = |plan: &&Plan| plan.within.as_ref().is_some_and(|within| self.has(within.plan));
        let lists: Vec<&str> = self.0.iter().filter(is_told).map(|plan| plan.name.as_str()).collect();
        let first = self.0.iter().find(is_told)?.within.as_ref()?;
        let tables = if lists.len() == 1 { "is a list and a table" } else { "are lists and tables" };
        let own = if lists.len() == 1 { "its own" } else { "their own" };
        Some(format!("{} {tables} of {own} ({} names the row each belongs to).", lists.join(", "), first.column))
    }
}

/// Going through the rows of one table.
struct Going<'a, 'e> {
    plans: &'a Plans,
    /// Rows so far, of each table on the way.
    numbers: Vec<u64>,
    each: &'e mut dyn FnMut(&Row<'_>, u64) -> Result<(), SourceError>,
}

impl Going<'_, '_> {
    /// Goes into a row of the first table of `chain`, whose owner is called `owner`.
    fn go(&mut self, chain: &[usize], item: &Value, owner: Option<&Value>, line: u64) -> Result<(), SourceError> {
        let Some((at, rest)) = chain.split_first() else { return Ok(()) };
        let plan = &self.plans.0[*at];
        self.numbers[*at] += 1;
        let number = Value::from(self.numbers[*at]);
        let Some(next) = rest.first() else {
            let mut row = Row(Vec::new());
            if let Some((within, owner)) =
                plan.within.as_ref().zip(owner).filter(|(within, _)| self.plans.has(within.plan))
            {
                row.0.push((&within.column, owner));
            }
            if let Identity::Number(column) = &plan.identity {
                row.0.push((column, &number));
            }
            match (&plan.columns, item) {
                (Columns::Members(places), Value::Object(object)) => lay(object, places, &mut row),
                (Columns::Value(column), value) => row.0.push((column, value)),
                (Columns::Members(_), _) => {}
            }
            return (self.each)(&row, line);
        };
        let (Value::Object(object), Some(within)) = (item, &self.plans.0[*next].within) else { return Ok(()) };
        let own = match plan.identity {
            Identity::Id => object.get(ID).unwrap_or(&Value::Null),
            Identity::Number(_) | Identity::None => &number,
        };
        for item in list_at(object, &within.keys) {
            self.go(rest, item, Some(own), line)?;
        }
        Ok(())
    }
}

/// What is gathered while a table is laid out.
struct Way<'s, 'a> {
    keys: Vec<String>,
    taken: &'a mut BTreeSet<String>,
    lists: &'a mut Vec<(Vec<String>, &'s Seen)>,
    room: usize,
}

/// The places of an object's members.
fn places<'s>(seen: &'s Seen, way: &mut Way<'s, '_>) -> Places {
    let mut places = Places::default();
    for key in &seen.order {
        let member = &seen.members[key];
        way.keys.push(key.clone());
        let place = if member.is_object() && way.keys.len() < DEPTH_MAX {
            Place::Object(self::places(member, way))
        } else if let (Some(rows), true) = (member.rows(), way.lists.len() < way.room) {
            way.lists.push((way.keys.clone(), rows));
            Place::Elsewhere
        } else if way.keys.len() == 1 {
            Place::Column(key.clone())
        } else {
            Place::Column(free(way.taken, way.keys.join(".")))
        };
        way.keys.pop();
        places.0.push((key.clone(), place));
    }
    places
}

/// Puts what an object holds into the row.
fn lay<'a>(object: &'a Map<String, Value>, places: &'a Places, row: &mut Row<'a>) {
    for (key, place) in &places.0 {
        match (place, object.get(key)) {
            (Place::Column(column), Some(value)) => row.0.push((column, value)),
            (Place::Object(inner), Some(Value::Object(object))) => lay(object, inner, row),
            (Place::Column(_) | Place::Object(_) | Place::Elsewhere, _) => {}
        }
    }
}

fn list_at<'a>(object: &'a Map<String, Value>, keys: &[String]) -> &'a [Value] {
    let Some((first, rest)) = keys.split_first() else { return &[] };
    match (object.get(first), rest.is_empty()) {
        (Some(Value::Array(items)), true) => items,
        (Some(Value::Object(map)), false) => list_at(map, rest),
        _ => &[],
    }
}

fn id_of(value: &Value) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    match value {
        Value::String(text) => text.hash(&mut hasher),
        Value::Number(number) if !number.is_f64() => number.to_string().hash(&mut hasher),
        Value::Number(_) | Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    }
    Some(hasher.finish())
}

/// A name like this one that no other column has.
fn free(taken: &mut BTreeSet<String>, wanted: String) -> String {
    let mut name = wanted;
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// The key whose values name rows, where each is there once.
const ID: &str = "id";
/// The column of what is in a list of values.
const VALUE: &str = "value";
/// The column that numbers rows that have no `id`.
const ROW: &str = "row";
/// Keys of an object that are columns; one with more is a list in another shape, and so are its keys data.
const KEYS_MAX: usize = 64;
/// Keys that are told apart in one place: more than there can be columns.
const COLUMNS_SEEN_MAX: usize = super::limits::COLUMNS_MAX;
/// Objects inside objects that are taken apart.
const DEPTH_MAX: usize = 6;
/// Tables of one file; the lists beyond stay JSON text.
const TABLES_MAX: usize = 24;

//! What a piece may stand for: what it names, the values it is, and where it is neither, what is near to it in meaning.
//! Each with how near it is, from 0 to 1. Next: `uses`, which says what it may do there.

use std::collections::BTreeSet;

use super::pieces::{Piece, Silent};
use super::units;
use crate::asked;
use crate::catalogue::{Amount, Catalogue, ColumnEntry, ColumnPart, bare};
use crate::form::{ColumnId, Found, TableId, Thing};
use crate::lexicon::{Concept, lexicon};
use crate::linking::{Kind, Vectors};
use crate::read;
use crate::source::ColumnKind;
use crate::words;

/// Likeness of names that have nothing to do with each other, and what lies between that and being the same.
const STRANGE: f32 = 0.25;
const SPREAD: f32 = 0.55;
/// Likeness from which on something is looked at.
const LIKE_MIN: f32 = 0.3;
/// Things looked at for one word.
const LOOKED_AT_MAX: usize = 8;
/// How near something is whose name only begins like the word, and what a concept has for it.
const ALIKE: f64 = 0.65;
const ALIKE_IN_PART: f64 = 0.5;
const BY_CONCEPT: f64 = 0.9;
/// Nearness from which on a table is called so.
const NAMED_MIN: f64 = 0.9;
/// How near any amount of money is to a verb of money, of what its concept has for it.
const BY_MONEY: f64 = 0.8;
/// How near a number that is no money is to one that nobody named.
const BY_NO_MONEY: f64 = 0.6;
/// How near any date is to an age.
const BY_AGE: f64 = 0.6;
/// How near the rows are that a verb speaks of.
const BY_DEED: f64 = 0.9;
/// Likeness of a value from which on it may be what a word means that it is not, and what is left of it.
const VALUE_LIKE_MIN: f64 = 0.5;
const VALUE_LIKE: f64 = 0.7;
/// How near what a word is like can be at most: it is not called so.
const LIKE_MAX: f64 = 0.9;
/// Letters that words which are alike begin with: "overdue" is not "due".
const BEGINNING: usize = 3;
/// How near a value is of which a word is one of several, and values of a column up to which it stands for all of them.
const BY_PART_OF_VALUE: f64 = 0.8;
const IN_VALUES_MAX: usize = 40;
/// Different values up to which a column's values are looked at by meaning.
const VALUES_MAX: u64 = 12;

/// Something of the data.
#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    Table(TableId),
    Column(ColumnId),
    Value(Thing, Vec<String>),
}

/// What a piece may stand for.
#[derive(Clone, Debug)]
pub struct Grounded {
    pub ground: Ground,
    pub kind: Kind,
    pub near: f64,
    /// Whether a verb speaks of it: "rented" of the rentals.
    pub deed: bool,
}

impl Ground {
    /// The table it is, or is of.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Self::Table(table) | Self::Value(Thing::Table(table), _) => Some(*table),
            Self::Column(column) | Self::Value(Thing::Column(column), _) => Some(column.table),
            Self::Value(Thing::Concept(_), _) => None,
        }
    }
}

/// What all pieces may stand for.
///
/// # Errors
/// When nearness in meaning cannot be told.
pub fn all(catalogue: &Catalogue, vectors: &Vectors, pieces: &[Piece]) -> Result<Vec<Vec<Grounded>>, String> {
    let elements = elements(catalogue);
    pieces.iter().map(|piece| of(catalogue, vectors, piece, &elements)).collect()
}

fn of(
    catalogue: &Catalogue,
    vectors: &Vectors,
    piece: &Piece,
    elements: &[(String, Ground, Kind)],
) -> Result<Vec<Grounded>, String> {
    if let Some(silent) = piece.silent {
        return Ok(implied(catalogue, silent));
    }
    if piece.unit {
        return Ok(in_unit(catalogue, &words::fold(&piece.span.text)));
    }
    if let Some(concept) = piece.property {
        return property(catalogue, vectors, piece, concept, elements);
    }
    let mut found = named(catalogue, piece);
    if piece.money {
        for concept in [Concept::Money, Concept::Price, Concept::Pay] {
            let held =
                concepts(catalogue, concept).into_iter().map(|one| Grounded { near: one.near * BY_MONEY, ..one });
            for one in held.filter(|one| one.kind == Kind::Number) {
                if !found.iter().any(|own| own.ground == one.ground) {
                    found.push(one);
                }
            }
        }
        return Ok(found);
    }
    // A word may be what a row is said to be, and what was done: "rented" of a state, and of the rentals.
    let deeds = read::deeds(catalogue, &words::fold(&piece.span.text)).unwrap_or_default();
    for table in deeds.iter().filter_map(|deed| table_of(deed.thing)) {
        found.push(Grounded { ground: Ground::Table(table), kind: Kind::Table, near: BY_DEED, deed: true });
    }
    let is_small = asked::is_telling(&words::fold(&piece.span.text));
    if found.is_empty() && !is_small {
        found = like(vectors, &piece.span.text, elements, LOOKED_AT_MAX)?;
        found.extend(in_values(catalogue, &piece.span.text));
    }
    Ok(found)
}

/// What something without a word may stand for.
fn implied(catalogue: &Catalogue, silent: Silent) -> Vec<Grounded> {
    let whole = |ground, kind| Grounded { ground, kind, near: 1.0, deed: false };
    let columns = |wanted: &dyn Fn(ColumnId, Kind) -> bool| -> Vec<Grounded> {
        all_columns(catalogue)
            .filter(|(id, kind)| wanted(*id, *kind))
            .map(|(id, kind)| whole(Ground::Column(id), kind))
            .collect()
    };
    match silent {
        Silent::Who => {
            let people: Vec<TableId> = catalogue.people().collect();
            let roles = references(catalogue);
            let roles = roles.filter(|(column, to)| people.contains(to) && is_role(catalogue, *column));
            let roles = roles.map(|(column, _)| whole(Ground::Column(column), Kind::Table));
            people.iter().map(|table| whole(Ground::Table(*table), Kind::Table)).chain(roles).collect()
        }
        Silent::Amount | Silent::Bound(_) => {
            let money: Vec<Ground> = [Concept::Money, Concept::Price]
                .into_iter()
                .flat_map(|concept| concepts(catalogue, concept))
                .map(|one| one.ground)
                .collect();
            let mut found = columns(&|_, kind| kind == Kind::Number);
            found.iter_mut().filter(|one| !money.contains(&one.ground)).for_each(|one| one.near = BY_NO_MONEY);
            found
        }
        Silent::Rows | Silent::Lack => {
            let below: BTreeSet<TableId> = references(catalogue).map(|(column, _)| column.table).collect();
            below.into_iter().map(|table| whole(Ground::Table(table), Kind::Table)).collect()
        }
        Silent::When => columns(&|_, kind| kind == Kind::Date),
    }
}

/// Whether a reference is called otherwise than what it refers to: `checked_by`, and not `member_id` of members.
fn is_role(catalogue: &Catalogue, column: ColumnId) -> bool {
    let ColumnPart::Reference(join) = catalogue.column(column).part else { return false };
    let to = catalogue.table(catalogue.join(join).to);
    let own = catalogue.column(column).stems.iter();
    !own.filter(|stem| !matches!(stem.as_str(), "id" | "no" | "code" | "key")).all(|stem| to.stems.contains(stem))
}

/// The columns that refer to rows of other tables, with those.
fn references(catalogue: &Catalogue) -> impl Iterator<Item = (ColumnId, TableId)> + '_ {
    let own = |(table, entry): (TableId, &'_ _)| {
        let entry: &crate::catalogue::TableEntry = entry;
        (0..entry.columns.len()).map(move |column| ColumnId { table, column }).collect::<Vec<_>>()
    };
    catalogue.tables().flat_map(own).filter_map(|id| match catalogue.column(id).part {
        ColumnPart::Reference(join) => Some((id, catalogue.join(join).to)),
        ColumnPart::Key | ColumnPart::Attribute => None,
    })
}

/// The columns of numbers that are in a unit by their names: `est_hours`.
fn in_unit(catalogue: &Catalogue, unit: &str) -> Vec<Grounded> {
    let is_in = |(id, kind): &(ColumnId, Kind)| *kind == Kind::Number && units::says(catalogue, *id, unit);
    let grounded = |(id, kind)| Grounded { ground: Ground::Column(id), kind, near: BY_CONCEPT, deed: false };
    all_columns(catalogue).filter(is_in).map(grounded).collect()
}

/// The columns that say something of their rows.
fn all_columns(catalogue: &Catalogue) -> impl Iterator<Item = (ColumnId, Kind)> + '_ {
    catalogue.tables().flat_map(move |(table, entry)| {
        let own = move |(at, column): (usize, &ColumnEntry)| {
            let id = ColumnId { table, column: at };
            let kind = if catalogue.is_year(id) { Some(Kind::Date) } else { kind(column) };
            let kind = kind.filter(|_| column.part == ColumnPart::Attribute && !column.is_id())?;
            Some((id, kind))
        };
        entry.columns.iter().enumerate().filter_map(own)
    })
}

/// The values that a word stands in: "swan" in "Mute Swan".
fn in_values(catalogue: &Catalogue, text: &str) -> Vec<Grounded> {
    let split = words::split(text);
    let [word] = split.as_slice() else { return Vec::new() };
    let held = catalogue.values().holding(&word.stem).into_iter();
    let few = held.filter(|(_, values)| values.len() <= IN_VALUES_MAX);
    let grounded = few.map(|(place, values)| Grounded {
        ground: Ground::Value(place, values.into_iter().collect()),
        kind: Kind::Value,
        near: BY_PART_OF_VALUE,
        deed: false,
    });
    grounded.collect()
}

fn table_of(thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(_) | Thing::Concept(_) => None,
    }
}

/// The numbers and dates that something may be the highest of: those that hold the property, else all, by meaning.
fn property(
    catalogue: &Catalogue,
    vectors: &Vectors,
    piece: &Piece,
    concept: Concept,
    elements: &[(String, Ground, Kind)],
) -> Result<Vec<Grounded>, String> {
    let mut held: Vec<Grounded> = concepts(catalogue, concept);
    if concept == Concept::Age {
        let dated = elements.iter().filter_map(|(_, ground, kind)| match ground {
            Ground::Column(column) if *kind == Kind::Date || catalogue.is_year(*column) => {
                let known = held.iter().any(|own| own.ground == *ground);
                (!known).then(|| Grounded { ground: ground.clone(), kind: *kind, near: BY_AGE, deed: false })
            }
            _ => None,
        });
        let dated: Vec<Grounded> = dated.collect();
        held.extend(dated);
    }
    if !held.is_empty() {
        return Ok(held);
    }
    let ordered: Vec<(String, Ground, Kind)> =
        elements.iter().filter(|(.., kind)| matches!(kind, Kind::Number | Kind::Date)).cloned().collect();
    let words = lexicon().concept_names(concept).and_then(|names| names.columns.first());
    let word = words.unwrap_or(&piece.span.text);
    like(vectors, word, &ordered, LOOKED_AT_MAX)
}

fn concepts(catalogue: &Catalogue, concept: Concept) -> Vec<Grounded> {
    let columns = catalogue.measures(concept).iter().filter_map(|source| match source.amount {
        Amount::Column(column) => Some((column, source.score)),
        Amount::Product { .. } | Amount::Difference { .. } => None,
    });
    columns.filter_map(|(column, score)| column_of(catalogue, column, BY_CONCEPT * f64::from(score) / 100.0)).collect()
}

/// What it names, and the values it is.
fn named(catalogue: &Catalogue, piece: &Piece) -> Vec<Grounded> {
    let mut found: Vec<Grounded> = Vec::new();
    let best = piece.span.names.iter().map(|one| one.score).max().unwrap_or(0);
    for candidate in &piece.span.names {
        let near = f64::from(candidate.score) / 100.0;
        match candidate.thing {
            Thing::Table(table) => {
                found.push(Grounded { ground: Ground::Table(table), kind: Kind::Table, near, deed: piece.span.verb })
            }
            Thing::Column(column) => found.extend(column_of(catalogue, column, near)),
            Thing::Concept(concept) if candidate.score + 20 >= best => found.extend(concepts(catalogue, concept)),
            Thing::Concept(_) => {}
        }
    }
    // "Approved" says what state a row is in, and when that was.
    found.extend(piece.span.dates.iter().filter_map(|date| match date.thing {
        Thing::Column(column) => column_of(catalogue, column, 1.0),
        Thing::Table(_) | Thing::Concept(_) => None,
    }));
    // The name of a table is no value in it as well: "vets" whose role is "vet".
    let tables: Vec<TableId> = found
        .iter()
        .filter(|one| one.kind == Kind::Table && one.near >= NAMED_MIN)
        .filter_map(|one| one.ground.table())
        .collect();
    let values = piece.span.values.iter().map(value);
    found.extend(values.filter(|one| !one.ground.table().is_some_and(|table| tables.contains(&table))));
    found
}

fn value(found: &Found) -> Grounded {
    Grounded { ground: Ground::Value(found.place, found.values.clone()), kind: Kind::Value, near: 1.0, deed: false }
}

fn column_of(catalogue: &Catalogue, column: ColumnId, near: f64) -> Option<Grounded> {
    if crate::catalogue::Made::of(column.column).is_some() {
        return None;
    }
    let entry = catalogue.column(column);
    let kind = |entry| if catalogue.is_year(column) { Some(Kind::Date) } else { kind(entry) };
    let grounded = |ground, kind| Some(Grounded { ground, kind, near, deed: false });
    match entry.part {
        ColumnPart::Key => return grounded(Ground::Table(column.table), Kind::Table),
        ColumnPart::Reference(_) if is_role(catalogue, column) => {
            return grounded(Ground::Column(column), Kind::Table);
        }
        ColumnPart::Reference(join) => return grounded(Ground::Table(catalogue.join(join).to), Kind::Table),
        ColumnPart::Attribute => {}
    }
    grounded(Ground::Column(column), kind(entry)?)
}

fn kind(entry: &ColumnEntry) -> Option<Kind> {
    if entry.flag.is_some() {
        return Some(Kind::Flag);
    }
    Some(match entry.kind {
        ColumnKind::Date => Kind::Date,
        ColumnKind::Integer | ColumnKind::Real => Kind::Number,
        ColumnKind::Text => Kind::Text,
        ColumnKind::Boolean => Kind::Flag,
        ColumnKind::Blob => return None,
    })
}

/// Everything that has a name, with it.
fn elements(catalogue: &Catalogue) -> Vec<(String, Ground, Kind)> {
    let mut all = Vec::new();
    for (table, entry) in catalogue.tables() {
        all.push((entry.noun(), Ground::Table(table), Kind::Table));
    }
    for (id, kind) in all_columns(catalogue) {
        let column = catalogue.column(id);
        let name = if kind == Kind::Flag { bare(&column.stems).join(" ") } else { column.noun() };
        all.push((name, Ground::Column(id), kind));
        if kind == Kind::Text && catalogue.values().count(id).is_some_and(|count| count <= VALUES_MAX) {
            let values = catalogue.values().of(id);
            all.extend(values.map(|value| {
                (words::fold(value), Ground::Value(Thing::Column(id), vec![value.to_owned()]), Kind::Value)
            }));
        }
    }
    for (id, _) in references(catalogue).filter(|(id, _)| is_role(catalogue, *id)) {
        all.push((catalogue.column(id).noun(), Ground::Column(id), Kind::Table));
    }
    all.retain(|(name, ..)| name.chars().count() > 1);
    all
}

fn like(
    vectors: &Vectors,
    text: &str,
    elements: &[(String, Ground, Kind)],
    most: usize,
) -> Result<Vec<Grounded>, String> {
    let word = text.split_whitespace().map(|word| words::singular(&words::fold(word))).collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = elements.iter().map(|(name, ..)| name.as_str()).collect();
    let likeness = vectors.to(&word, &names)?;
    let mut found: Vec<Grounded> = Vec::new();
    for ((name, ground, kind), near) in elements.iter().zip(likeness) {
        let begins = |part: &str| part.chars().zip(word.chars()).take(BEGINNING).all(|(one, other)| one == other);
        let alike = name.split(' ').any(|part| words::alike(part, &word) && begins(part));
        // A part of a name is not the whole: "workers" are no "work orders".
        let alike_near = if name.contains(' ') { ALIKE_IN_PART } else { ALIKE };
        let like = f64::from(((near[0] - STRANGE) / SPREAD).clamp(0.0, 1.0)).min(LIKE_MAX);
        let near = if alike { alike_near.max(like) } else { like };
        let near = if *kind == Kind::Value { near * VALUE_LIKE } else { near };
        if *kind == Kind::Value && near < VALUE_LIKE_MIN * VALUE_LIKE {
            continue;
        }
        if alike || near >= f64::from((LIKE_MIN - STRANGE) / SPREAD) {
            found.push(Grounded { ground: ground.clone(), kind: *kind, near, deed: false });
        }
    }
    found.sort_by(|one, other| other.near.total_cmp(&one.near));
    found.truncate(most);
    Ok(found)
}

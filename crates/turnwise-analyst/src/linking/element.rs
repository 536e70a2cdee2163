//! All that a word may stand for: tables, and columns and values of what the question comes near. Next: `features`,
//! which says what is looked at of each.

use std::collections::BTreeSet;

use crate::catalogue::{Catalogue, ColumnEntry, ColumnPart, bare, plural};
use crate::form::{ColumnId, Found, Mention, TableId, Thing};
use crate::read;
use crate::source::ColumnKind;
use crate::words;

/// Different values up to which a column's values are proposed.
const VALUES_MAX: u64 = 12;
/// Words of a value that is proposed.
const VALUE_WORDS_MAX: usize = 3;
/// Shorter names are like nothing.
const NAME_LETTERS_MIN: usize = 3;
/// Tables whose columns are looked at where the question names nothing.
const TABLES_MAX: usize = 100;

/// What kind of thing a word may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Table,
    Number,
    Text,
    Date,
    Flag,
    Value,
}

/// All kinds, in the order of their features.
pub const KINDS: [Kind; 6] = [Kind::Table, Kind::Number, Kind::Text, Kind::Date, Kind::Flag, Kind::Value];

impl Kind {
    /// As it is called among the weights.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Number => "number",
            Self::Text => "text",
            Self::Date => "date",
            Self::Flag => "flag",
            Self::Value => "value",
        }
    }
}

/// What a question names, by its tables.
pub struct Around {
    /// Those named, or of which something is.
    pub named: BTreeSet<TableId>,
    /// Those with what one key leads to.
    pub near: BTreeSet<TableId>,
    said: BTreeSet<Thing>,
}

/// What it is.
#[derive(Clone, Debug)]
enum What {
    Table(TableId),
    Column(ColumnId, Kind),
    Value(ColumnId, String),
}

/// Something a word may stand for.
#[derive(Clone, Debug)]
pub struct Element {
    /// What is compared with the word.
    pub name: String,
    what: What,
}

impl Element {
    /// What kind of thing it is.
    pub fn kind(&self) -> Kind {
        match self.what {
            What::Table(_) => Kind::Table,
            What::Column(_, kind) => kind,
            What::Value(..) => Kind::Value,
        }
    }

    /// The table, where it is one.
    pub fn table(&self) -> Option<TableId> {
        match self.what {
            What::Table(table) => Some(table),
            What::Column(..) | What::Value(..) => None,
        }
    }

    /// The table it is, or is of.
    pub fn home(&self) -> TableId {
        match self.what {
            What::Table(table) => table,
            What::Column(column, _) | What::Value(column, _) => column.table,
        }
    }

    /// The words that stand in for `word` in a sentence.
    pub fn stand_in(&self, word: &str) -> String {
        let last = word.rsplit(' ').next().map(words::fold).unwrap_or_default();
        let several = words::singular(&last) != last;
        if several && self.table().is_some() { plural(&self.name) } else { self.name.clone() }
    }

    /// Whether it is what rows are called by.
    pub fn is_name(&self, catalogue: &Catalogue) -> bool {
        match self.what {
            What::Column(column, _) => catalogue.table(column.table).is_name_part(column.column),
            What::Table(_) | What::Value(..) => false,
        }
    }

    /// As the lessons name it.
    #[cfg(test)]
    pub fn label(&self, catalogue: &Catalogue) -> String {
        match &self.what {
            What::Table(table) => catalogue.table(*table).name.clone(),
            What::Column(column, _) => catalogue.column_label(*column),
            What::Value(column, value) => format!("{}={value}", catalogue.column_label(*column)),
        }
    }

    /// The words that are read as this very thing, and how it is offered; none where no words are.
    pub fn named(&self, catalogue: &Catalogue) -> Option<(String, String)> {
        let name = self.name.clone();
        match &self.what {
            What::Table(id) => {
                let is_it = best(&read::named(catalogue, &name)?).contains(&Thing::Table(*id));
                let label = format!("{} (table {})", plural(&name), catalogue.table(*id).name);
                is_it.then_some((name, label))
            }
            What::Column(id, _) => {
                let whole = format!("{} {name}", catalogue.table(id.table).noun());
                let named = |words: &String| read::named(catalogue, words);
                let is_it = |words: &&String| named(words).is_some_and(|named| best(&named) == [Thing::Column(*id)]);
                // The shortest words that name this very column.
                let means = [&name, &whole].into_iter().find(is_it)?.clone();
                Some((means, format!("{name} ({})", catalogue.column_label(*id))))
            }
            What::Value(id, value) => {
                let spans = read::spot(catalogue, value).spans;
                let here = |found: &Found| found.place == Thing::Column(*id);
                let is_it = matches!(spans.as_slice(), [only] if only.names.is_empty() && only.values.iter().any(here));
                is_it.then(|| (value.clone(), format!("{value} ({})", catalogue.column_label(*id))))
            }
        }
    }
}

/// What `texts` name.
pub fn around(catalogue: &Catalogue, texts: &[String]) -> Around {
    let said = said(catalogue, texts);
    let named: BTreeSet<TableId> = said.iter().filter_map(|thing| table_of(*thing)).collect();
    let near = near(catalogue, &named);
    Around { named, near, said }
}

/// All that a word may stand for. Columns and values of what the question does not come near are no answer to it.
pub fn all(catalogue: &Catalogue, around: &Around) -> Vec<Element> {
    let everywhere = || catalogue.tables().map(|(id, _)| id);
    let own: Vec<TableId> = if around.near.is_empty() {
        everywhere().take(TABLES_MAX).collect()
    } else {
        around.near.iter().copied().collect()
    };
    let columns = own.iter().flat_map(|table| {
        let columns = catalogue.table(*table).columns.iter().enumerate();
        columns.map(|(column, entry)| (ColumnId { table: *table, column }, entry))
    });
    // What the question calls by its name is not called by another word as well.
    let tables = everywhere().filter(|id| !around.said.contains(&Thing::Table(*id)));
    let mut found: Vec<Element> =
        tables.map(|id| Element { name: catalogue.table(id).noun(), what: What::Table(id) }).collect();
    for (id, entry) in columns.filter(|(id, _)| !around.said.contains(&Thing::Column(*id))) {
        found.extend(column(id, entry));
        found.extend(values(catalogue, id, entry));
    }
    found.retain(|one| one.name.chars().count() >= NAME_LETTERS_MIN);
    found
}

/// What the texts name, by names or values.
fn said(catalogue: &Catalogue, texts: &[String]) -> BTreeSet<Thing> {
    let spans = texts.iter().flat_map(|text| read::spot(catalogue, text).spans);
    let things = spans.flat_map(|span| {
        let best = span.names.iter().map(|one| one.score).max();
        let names: Vec<Thing> = span.names.iter().filter(|one| Some(one.score) == best).map(|one| one.thing).collect();
        names.into_iter().chain(span.values.into_iter().map(|found| found.place))
    });
    things.collect()
}

fn table_of(thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(column) => Some(column.table),
        Thing::Concept(_) => None,
    }
}

/// Those with the tables one key away.
fn near(catalogue: &Catalogue, named: &BTreeSet<TableId>) -> BTreeSet<TableId> {
    let referring = |id: TableId| catalogue.referrers(id).map(|join| join.from);
    let referred = |id: TableId| {
        catalogue.table(id).columns.iter().filter_map(|column| match column.part {
            ColumnPart::Reference(join) => Some(catalogue.join(join).to),
            ColumnPart::Key | ColumnPart::Attribute => None,
        })
    };
    let around = named.iter().flat_map(|id| referring(*id).chain(referred(*id)));
    named.iter().copied().chain(around).collect()
}

/// What a mention names best.
fn best(mention: &Mention) -> Vec<Thing> {
    let best = mention.candidates.iter().map(|one| one.score).max();
    mention.candidates.iter().filter(|one| Some(one.score) == best).map(|one| one.thing).collect()
}

fn column(id: ColumnId, entry: &ColumnEntry) -> Option<Element> {
    let kind = if entry.flag.is_some() {
        Kind::Flag
    } else if entry.part != ColumnPart::Attribute || entry.is_id() {
        return None;
    } else if entry.is_number() {
        Kind::Number
    } else {
        match entry.kind {
            ColumnKind::Date => Kind::Date,
            ColumnKind::Text => Kind::Text,
            _ => return None,
        }
    };
    let name = if kind == Kind::Flag { bare(&entry.stems).join(" ") } else { entry.noun() };
    Some(Element { name, what: What::Column(id, kind) })
}

/// The values of a column that has few of them.
fn values(catalogue: &Catalogue, id: ColumnId, entry: &ColumnEntry) -> Vec<Element> {
    let few = catalogue.values().count(id).is_some_and(|count| count <= VALUES_MAX);
    if !few || entry.flag.is_some() || entry.part != ColumnPart::Attribute {
        return Vec::new();
    }
    let plain = |value: &&str| {
        let words = words::split(value);
        // "Yes" says nothing without its column.
        let says = !words.iter().all(|word| matches!(word.folded.as_str(), "yes" | "no"));
        says && words.len() <= VALUE_WORDS_MAX && words.iter().all(|word| word.raw.chars().all(char::is_alphabetic))
    };
    let value = |value: &str| Element { name: words::fold(value), what: What::Value(id, value.to_owned()) };
    catalogue.values().of(id).filter(plain).map(value).collect()
}

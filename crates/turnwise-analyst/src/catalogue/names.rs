//! The words that name tables and columns: full names, their heads ("country" for `BillingCountry`), synonyms and
//! abbreviations. Next: `values`.

use std::collections::{BTreeMap, BTreeSet};

use super::{ColumnEntry, ColumnPart, TableEntry, aliases};
use crate::form::{Candidate, ColumnId, TableId, Thing};
use crate::lexicon::lexicon;
use crate::source::ColumnKind;

/// Fit of a phrase that is the whole name.
const WHOLE: u32 = 100;
/// Fit of a phrase that is the name without its table's name or a trailing "id".
const TRIMMED: u32 = 95;
/// Fit of a phrase that is the end of a name: "country" for `BillingCountry`.
const HEAD: u32 = 80;
/// Fit of the end of a table's name that no other table ends in: below a column that is called just so.
const OWN_HEAD: u32 = 88;
/// Words behind a table's name that say that rows of it are kept.
const KEPT: [&str; 6] = ["data", "datum", "info", "information", "table", "tbl"];
/// What was done, and what whoever does it is called, where the one is not made of the other.
const DOERS: [(&str, &str); 7] = [
    ("written", "writer"),
    ("sung", "singer"),
    ("made", "maker"),
    ("taught", "teacher"),
    ("sold", "seller"),
    ("built", "builder"),
    ("drawn", "drawer"),
];
/// What it costs when the words are synonyms or abbreviations rather than the name's own.
const SYNONYM_COST: u32 = 15;

/// What it costs when a name writes the words as one.
const TOGETHER_COST: u32 = 3;

/// Fit of a name that shortens what was said.
const SHORTENED: u32 = 75;
/// Words that no name begins with: "of hosts" is no name for `number_of_hosts`.
const LINKS: [&str; 9] = ["of", "in", "by", "for", "from", "at", "on", "to", "and"];
/// Letters a name must have to shorten one word, and to shorten several.
const SHORT_WORD_MIN: usize = 3;
const SHORT_NAME_MIN: usize = 4;

/// What is behind a verb where a word is who does it: "winner" of "win".
const AGENTS: [&str; 8] = ["er", "or", "r", "ner", "ter", "mer", "per", "ger"];

/// Phrases of canonical stems with what they name.
#[derive(Debug, Default)]
pub struct NameIndex {
    phrases: BTreeMap<String, Vec<Named>>,
    vocabulary: BTreeSet<String>,
    wholes: Vec<aliases::Whole>,
}

#[derive(Debug)]
struct Named {
    thing: Thing,
    stems: String,
    score: u32,
}

impl NameIndex {
    /// Learns the names of all tables and columns.
    pub fn learn(tables: &[TableEntry]) -> Self {
        let mut index = Self::default();
        for (at, table) in tables.iter().enumerate() {
            index.learn_table(TableId(at), table, tables);
        }
        for (at, table) in tables.iter().enumerate() {
            index.learn_measured(TableId(at), table, tables);
            index.learn_by_key(TableId(at), table, tables);
            index.learn_by_head(TableId(at), table, tables);
        }
        index.wholes = aliases::learn(&mut index, tables);
        index
    }

    fn learn_table(&mut self, id: TableId, table: &TableEntry, tables: &[TableEntry]) {
        self.add(&table.stems, Thing::Table(id), WHOLE);
        // "Cars" of `cars_data`, where nothing else is called so.
        if let [rest @ .., kept] = table.stems.as_slice()
            && !rest.is_empty()
            && KEPT.contains(&kept.as_str())
            && !tables.iter().any(|other| canonical(&other.stems) == canonical(rest))
        {
            self.add(rest, Thing::Table(id), TRIMMED);
        }
        // Prefixes such as "dim_customer" or "tbl_orders" say nothing; the head does.
        if let [_, head @ ..] = table.stems.as_slice()
            && !head.is_empty()
        {
            let prefix = table.stems.first().map(String::as_str);
            let technical = matches!(prefix, Some("tbl" | "dim" | "fact" | "fct" | "stg" | "vw" | "view" | "table"));
            self.add(head, Thing::Table(id), if technical { TRIMMED } else { HEAD - 15 });
        }
        for (at, column) in table.columns.iter().enumerate() {
            let thing = Thing::Column(ColumnId { table: id, column: at });
            self.learn_column(thing, column, &table.stems, tables);
            self.learn_agent(thing, column);
            // "paid" is all there is to say of `isPaid`.
            if column.flag.is_some() {
                self.add(super::bare(&column.stems), thing, TRIMMED);
            }
        }
    }

    /// "fee" for `fee_eur`, "duration" for `durationMin`: what a number is measured in says nothing of what it is. What
    /// is a table's name, or one of several such columns' (`temp_min` beside `temp_max`), is left alone.
    fn learn_measured(&mut self, id: TableId, table: &TableEntry, tables: &[TableEntry]) {
        for (at, column) in table.columns.iter().enumerate().filter(|(_, column)| column.is_number()) {
            let [rest @ .., last] = column.stems.as_slice() else { continue };
            if rest.is_empty() || !lexicon().is_measured_in(last) {
                continue;
            }
            let others = table.columns.iter().filter(|other| other.stems != column.stems);
            let siblings = others.filter(|other| other.stems.split_last().is_some_and(|(_, own)| own == rest));
            let several = siblings.filter(|other| other.stems.last().is_some_and(|end| !lexicon().is_measured_in(end)));
            let several = several.count() > 0 || table.columns.iter().any(|other| other.stems == rest);
            if several || tables.iter().any(|other| canonical(&other.stems) == canonical(rest)) {
                continue;
            }
            let thing = Thing::Column(ColumnId { table: id, column: at });
            self.add(rest, thing, TRIMMED);
            for cut in 1..rest.len() {
                if let Some(head) = rest.get(cut..) {
                    self.add(head, thing, HEAD);
                }
            }
        }
    }

    /// "Fahrzeug" of `fahrzeuge`, whose key is `fahrzeug_id`: the key says what one row is called, in any language.
    fn learn_by_key(&mut self, id: TableId, table: &TableEntry, tables: &[TableEntry]) {
        let Some([rest @ .., last]) = table.key.map(|key| table.columns[key].stems.as_slice()) else { return };
        let is_id = matches!(last.as_str(), "id" | "nr" | "no" | "number" | "nummer" | "key");
        let named = tables.iter().any(|other| canonical(&other.stems).ends_with(&canonical(rest)));
        let shares = |word: &String| table.stems.iter().any(|stem| stem.get(..3) == word.get(..3));
        if is_id && !named && rest.len() == 1 && rest.iter().all(shares) {
            self.add(rest, Thing::Table(id), TRIMMED);
        }
    }

    /// "Orders" of `sales_orders`, where no other table ends so: those rows are meant, whatever columns are called so.
    fn learn_by_head(&mut self, id: TableId, table: &TableEntry, tables: &[TableEntry]) {
        let Some(head) = table.stems.split_last().filter(|(_, rest)| !rest.is_empty()).map(|(head, _)| head) else {
            return;
        };
        let others = tables.iter().filter(|other| other.stems != table.stems);
        if others.flat_map(|other| other.stems.last()).all(|other| other != head) {
            self.add(std::slice::from_ref(head), Thing::Table(id), OWN_HEAD);
        }
    }

    /// "Director" of `directed_by`, where it says who did it and leads to nobody's row.
    fn learn_agent(&mut self, thing: Thing, column: &ColumnEntry) {
        let [verb, by] = column.stems.as_slice() else { return };
        if by != "by" || column.part != ColumnPart::Attribute || column.kind != ColumnKind::Text {
            return;
        }
        let irregular = DOERS.iter().find(|(done, _)| verb == done).map(|(_, doer)| (*doer).to_owned());
        let root = verb.strip_suffix("ed").map(str::to_owned);
        let regular = root.into_iter().flat_map(|root| ["er", "or"].map(|end| format!("{root}{end}")));
        for doer in irregular.into_iter().chain(regular) {
            self.add(&[doer], thing, HEAD);
        }
    }

    fn learn_column(&mut self, thing: Thing, column: &ColumnEntry, table: &[String], tables: &[TableEntry]) {
        let (stems, part) = (column.stems.as_slice(), column.part);
        self.add(stems, thing, WHOLE);
        let without_id = match stems {
            [rest @ .., last] if last == "id" && !rest.is_empty() => {
                // "customer" means the customers; the column that refers to them is a poorer reading of the word.
                let score = if matches!(part, ColumnPart::Reference(_)) { TRIMMED } else { 40 };
                self.add(rest, thing, score);
                rest
            }
            [rest @ .., last] if last == "to" && !rest.is_empty() => {
                self.add(&["manager".to_owned()], thing, HEAD);
                rest
            }
            all => all,
        };
        if let Some(rest) = without_id.strip_prefix(table).filter(|rest| !rest.is_empty()) {
            self.add(rest, thing, TRIMMED);
        }
        // `order_item_id` numbers the order items: "items" are those rows.
        // So are they where it is another table's that refers to them.
        let others = matches!(part, ColumnPart::Reference(_)) && tables.iter().any(|other| other.stems == without_id);
        let key = matches!(part, ColumnPart::Key) || others || (without_id.len() < stems.len() && without_id == table);
        for cut in 1..without_id.len() {
            let links = |head: &&[String]| head.first().is_some_and(|first| LINKS.contains(&first.as_str()));
            if !key && let Some(head) = without_id.get(cut..).filter(|head| !links(head)) {
                self.add(head, thing, HEAD);
            }
        }
    }

    /// Enters a name.
    pub fn add(&mut self, stems: &[String], thing: Thing, score: u32) {
        // "No" says that there is none, whatever ends so.
        if stems == ["no"] {
            return;
        }
        self.vocabulary.extend(stems.iter().cloned());
        let spaced = stems.join(" ");
        self.enter(canonical(stems), &spaced, thing, score);
        // "billingcountry", as people type a name they see.
        if stems.len() > 1 {
            self.enter(stems.concat(), &spaced, thing, score);
        }
    }

    fn enter(&mut self, key: String, stems: &str, thing: Thing, score: u32) {
        let list = self.phrases.entry(key).or_default();
        match list.iter_mut().find(|named| named.thing == thing) {
            Some(named) if named.score >= score => {}
            Some(named) => {
                named.score = score;
                stems.clone_into(&mut named.stems);
            }
            None => list.push(Named { thing, stems: stems.to_owned(), score }),
        }
    }

    /// What a phrase of stems may name.
    pub fn find(&self, stems: &[String]) -> Vec<Candidate> {
        let spaced = stems.join(" ");
        let Some(list) = self.phrases.get(&canonical(stems)) else { return self.find_together(stems) };
        let scored = list.iter().map(|named| {
            let own = named.stems == spaced || stems.len() == 1;
            let exact = named.stems == spaced;
            let cost = if exact {
                0
            } else if own {
                SYNONYM_COST
            } else {
                SYNONYM_COST + 5
            };
            Candidate { thing: named.thing, score: named.score.saturating_sub(cost) }
        });
        scored.collect()
    }

    /// "high schoolers" of `highschooler`: several words that a name writes as one.
    fn find_together(&self, stems: &[String]) -> Vec<Candidate> {
        if stems.len() < 2 {
            return Vec::new();
        }
        let together = stems.concat();
        let list = self.phrases.get(&together).map(Vec::as_slice).unwrap_or_default();
        let own = list.iter().filter(|named| named.stems == together);
        own.map(|named| Candidate { thing: named.thing, score: named.score.saturating_sub(TOGETHER_COST) }).collect()
    }

    /// What has these words as a part of its name, for words that name nothing as a whole.
    pub fn parts(&self, stems: &[String]) -> Vec<Candidate> {
        aliases::parts(&self.wholes, stems)
    }

    /// Columns whose names are made of beginnings of these words, in order, and tables called by the beginning of one.
    pub fn shortened(&self, words: &[String]) -> Vec<Candidate> {
        let whole: usize = words.iter().map(String::len).sum();
        let fits = |key: &str| {
            let name: String = key.split(' ').collect();
            let long = name.len() >= if words.len() == 1 { SHORT_WORD_MIN } else { SHORT_NAME_MIN };
            // "Customers recruited" are not the column `customer`, with an "r" for the verb.
            let whole_words = (1..words.len()).any(|length| words[..length].concat() == name);
            // A winner is not how often somebody wins: that is another form, and no short one.
            let agent = words.len() == 1 && words[0].strip_prefix(&name).is_some_and(|rest| AGENTS.contains(&rest));
            long && name.len() < whole && !whole_words && !agent && is_shortened(&name, words)
        };
        let named = self.phrases.iter().filter(|(_, list)| list.iter().any(|named| fits(&named.stems)));
        let is_table = |named: &Named| {
            let [word] = words else { return false };
            named.score >= WHOLE && word.starts_with(&named.stems)
        };
        let things = named.flat_map(|(_, list)| list).filter(|named| match named.thing {
            Thing::Column(_) => true,
            Thing::Table(_) => is_table(named),
            Thing::Concept(_) => false,
        });
        let mut found: Vec<Candidate> = Vec::new();
        for named in things.filter(|named| fits(&named.stems)) {
            if !found.iter().any(|other| other.thing == named.thing) {
                found.push(Candidate { thing: named.thing, score: named.score.min(SHORTENED) });
            }
        }
        found
    }

    /// The stems that occur in names: for spelling.
    pub fn vocabulary(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.iter().map(String::as_str)
    }
}

/// Whether `name` is a beginning of each word, one after the other.
fn is_shortened(name: &str, words: &[String]) -> bool {
    let Some((first, rest)) = words.split_first() else { return name.is_empty() };
    let shared = first.bytes().zip(name.bytes()).take_while(|(one, other)| one == other).count();
    (1..=shared).rev().any(|length| name.get(length..).is_some_and(|tail| is_shortened(tail, rest)))
}

/// The words that stand for these and their synonyms, joined.
pub fn canonical(stems: &[String]) -> String {
    stems.iter().map(|stem| lexicon().canonical(stem)).collect::<Vec<_>>().join(" ")
}

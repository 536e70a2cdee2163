//! Names met by less than the whole of them: "id" for `EmployeeID`, "first name" for `fname`, "card type" for
//! `card_type_code`, "high schoolers" for `highschooler`. What a key is called by and parts of people's names are
//! learned with the names; any other part of a name is looked for only where the words name nothing else. Next:
//! `names`.

use super::names::canonical;
use super::{ColumnPart, NameIndex, TableEntry};
use crate::form::{Candidate, ColumnId, TableId, Thing};
use crate::lexicon::lexicon;

/// Fit of a word that is all there is to say of a key.
const KEY: u32 = 95;
/// Fit of "id" for a key that is called otherwise.
const ANY_KEY: u32 = 80;
/// Fit of another word for a part of a person's name.
const PERSON: u32 = 95;
/// Fit of the beginning of a column's name whose rest only says how it is written: "card type" of `card_type_code`.
const BEGINNING: u32 = 78;
/// Fit of any other part of a column's name.
const PART: u32 = 58;
/// Fit of the beginning of a table's name.
const TABLE: u32 = 72;
/// Letters a single word must have to be taken for a part of a name.
const LETTERS_MIN: usize = 3;

/// Columns of a table that a single word may be a part of and still be taken for one of them.
const COLUMNS_SHARING_MAX: usize = 2;

/// How first and last names are called, as stems; the first of each is what people say.
const FIRST: [&str; 8] =
    ["first name", "fname", "f name", "firstname", "forename", "given name", "personal name", "fore name"];
const LAST: [&str; 8] = ["last name", "lname", "l name", "lastname", "surname", "family name", "sur name", "surename"];
/// Ends of names that say how something is written and not what it is.
const WRITTEN: [&str; 10] = ["code", "id", "name", "number", "no", "nr", "key", "description", "detail", "title"];

/// A name with what it names.
#[derive(Debug)]
pub struct Whole {
    thing: Thing,
    stems: Vec<String>,
}

/// Learns what keys and parts of people's names are called, and gives all names to look for parts in.
pub fn learn(index: &mut NameIndex, tables: &[TableEntry]) -> Vec<Whole> {
    let mut wholes = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let id = TableId(at);
        wholes.push(Whole { thing: Thing::Table(id), stems: table.stems.clone() });
        for (number, column) in table.columns.iter().enumerate() {
            let thing = Thing::Column(ColumnId { table: id, column: number });
            if column.part == ColumnPart::Key
                && let Some(end) = key_word(&column.stems, &table.stems)
            {
                index.add(&[end.to_owned()], thing, KEY);
            }
            let named_id = |other: &super::ColumnEntry| {
                key_word(&other.stems, &table.stems) == Some("id") && other.part == ColumnPart::Key
            };
            let has_id = table.columns.iter().any(|other| other.stems == ["id"] || named_id(other));
            if column.part == ColumnPart::Key && !has_id {
                index.add(&["id".to_owned()], thing, ANY_KEY);
            }
            for names in [FIRST, LAST] {
                if is_person_part(&column.stems, &table.stems, &names) {
                    for name in names {
                        let stems: Vec<String> = name.split(' ').map(str::to_owned).collect();
                        index.add(&stems, thing, PERSON);
                    }
                }
            }
            wholes.push(Whole { thing, stems: column.stems.clone() });
        }
    }
    wholes
}

/// The word a key is spoken of by: the end of its name, also where it is written together ("stuid").
fn key_word<'a>(stems: &'a [String], table: &[String]) -> Option<&'a str> {
    let last = stems.last()?;
    // "No" says that there is none.
    if matches!(last.as_str(), "no" | "nr") {
        return (stems.len() > 1).then_some("number");
    }
    if matches!(last.as_str(), "id" | "code" | "number") {
        return (stems.len() > 1).then_some(last.as_str());
    }
    let start = last.strip_suffix("id").filter(|start| !start.is_empty() && stems.len() == 1)?;
    let initial: String = table.iter().filter_map(|stem| stem.chars().next()).collect();
    let own = table.iter().any(|stem| stem.starts_with(start)) || table.concat().starts_with(start) || initial == start;
    own.then_some("id")
}

fn is_person_part(stems: &[String], table: &[String], names: &[&str]) -> bool {
    let spaced = stems.join(" ");
    let rest = stems.strip_prefix(table).map(|rest| rest.join(" "));
    names.iter().any(|name| spaced == *name || rest.as_deref() == Some(*name) || spaced.ends_with(&format!(" {name}")))
}

/// Whether the rest of a table's name leaves its first word what its rows are: "match" of `match_season`, "member" of
/// `member_of_club`.
fn says_little(rest: &[&str]) -> bool {
    rest.len() == 1 || rest.first() == Some(&"of")
}

/// What has these words as a part of its name, where whole names do not fit. Tables only where one fits alone.
pub fn parts(wholes: &[Whole], words: &[String]) -> Vec<Candidate> {
    let said = canonical(words);
    let said: Vec<&str> = said.split(' ').collect();
    if words.iter().map(|word| word.chars().count()).max().is_none_or(|letters| letters < LETTERS_MIN) {
        return Vec::new();
    }
    // "affected", "opening": a verb says more than that a name has it in it.
    let verbal = |word: &String| words.len() == 1 && ["ed", "ing"].iter().any(|end| word.ends_with(end));
    if words.iter().any(verbal) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for whole in wholes {
        let own: Vec<&str> = whole.stems.iter().map(|stem| lexicon().canonical(stem)).collect();
        if own.len() <= said.len() {
            continue;
        }
        let Some(at) = own.windows(said.len()).position(|window| window == said) else { continue };
        let rest = own.get(at + said.len()..).unwrap_or_default();
        let score = match whole.thing {
            Thing::Table(_) if at == 0 && says_little(rest) => TABLE,
            Thing::Table(_) | Thing::Concept(_) => continue,
            Thing::Column(_) if at == 0 && rest.iter().all(|word| WRITTEN.contains(word)) => BEGINNING,
            Thing::Column(_) => PART,
        };
        found.push(Candidate { thing: whole.thing, score });
    }
    // What many columns of a table begin with ("ship" of name, address and city) names none of them.
    let of = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => Some(column.table),
        Thing::Table(_) | Thing::Concept(_) => None,
    };
    let tables: Vec<_> = found.iter().filter_map(of).collect();
    let shared = |table: &TableId| tables.iter().filter(|other| *other == table).count() > COLUMNS_SHARING_MAX;
    found.retain(|candidate| words.len() > 1 || !of(candidate).as_ref().is_some_and(shared));
    let is_table = |candidate: &Candidate| matches!(candidate.thing, Thing::Table(_));
    if found.iter().filter(|candidate| is_table(candidate)).count() > 1 {
        found.retain(|candidate| !is_table(candidate));
    }
    found
}

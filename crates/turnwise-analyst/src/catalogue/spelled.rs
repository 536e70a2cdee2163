//! Names as people say them: what they are shortened to is spelt out where the data itself or common usage tells it
//! ("doctor name" of `doc_nm` beside `tbl_doctor`), and what only says how a table is kept is left off. Labels, keys
//! and questions all go by these words. Next: `names`.

use super::TableEntry;
use crate::words;

/// Words before a table's name that say how it is kept, not what it holds.
const TECHNICAL: [&str; 15] =
    ["tbl", "tb", "tab", "dim", "fact", "fct", "stg", "vw", "lkp", "lookup", "lu", "mst", "trn", "cd", "ref"];
/// Shortened words that stand for one thing only, wherever they occur in names.
const SHORT: [(&str, &str); 14] = [
    ("descr", "description"),
    ("hist", "history"),
    ("addr", "address"),
    ("dept", "department"),
    ("acct", "account"),
    ("mgr", "manager"),
    ("nm", "name"),
    ("cd", "code"),
    ("tm", "time"),
    ("dt", "date"),
    ("appt", "appointment"),
    ("rx", "prescription"),
    ("tkt", "ticket"),
    ("subscr", "subscription"),
];
/// Words that are written as one with "year" or "date" behind them.
const BEFORE_TIMES: [&str; 24] = [
    "birth", "start", "end", "order", "hire", "ship", "due", "release", "join", "sale", "model", "build", "open",
    "close", "pay", "invoice", "delivery", "return", "expiry", "issue", "event", "visit", "report", "school",
];
/// Words behind a table's own name in its keys and names.
const OWN: [&str; 10] = ["id", "name", "nm", "code", "cd", "no", "nr", "number", "key", "num"];
/// Letters of a shortened table's name, at least and at most, and what the whole must have more.
const LETTERS: (usize, usize) = (3, 4);
const MORE_MIN: usize = 2;

/// Spells out the names of all tables and columns.
pub fn spell_out(tables: &mut [TableEntry]) {
    let trimmed: Vec<Vec<String>> = tables.iter().map(|table| trimmed(&table.stems)).collect();
    for (at, table) in tables.iter_mut().enumerate() {
        let alone = trimmed.iter().enumerate().all(|(other, stems)| other == at || *stems != trimmed[at]);
        if alone {
            table.stems.clone_from(&trimmed[at]);
        }
        spell(&mut table.stems);
    }
    let marked: Vec<(String, String)> = tables.iter_mut().filter_map(take_mark).collect();
    let named: Vec<(String, Vec<String>)> = tables.iter().filter_map(shortened_in).collect();
    for column in tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.stems = column.stems.drain(..).flat_map(apart).collect();
        spell(&mut column.stems);
        if let [first, _, ..] = column.stems.as_mut_slice()
            && let Some(whole) = marked_as(first, &marked).or_else(|| whole_of(first, &named))
        {
            *first = whole;
        }
    }
}

/// Takes off what all columns of a table begin with, where that shortens the table's name: `weight` of `par_weight` of
/// the parcels. In its keys and names it stands for the table.
fn take_mark(table: &mut TableEntry) -> Option<(String, String)> {
    let mark = table.columns.first()?.stems.first()?.clone();
    let whole = table.stems.iter().rev().find(|stem| shortens(&mark, stem))?.clone();
    let all = table.columns.iter().all(|column| column.stems.len() > 1 && column.stems.first() == Some(&mark));
    if !all || table.columns.len() < 2 {
        return None;
    }
    let name = table.stems.last()?.clone();
    for column in &mut table.columns {
        match column.stems.as_mut_slice() {
            [first, last] if OWN.contains(&last.as_str()) => first.clone_from(&name),
            _ => drop(column.stems.remove(0)),
        }
    }
    Some((mark, whole))
}

/// Whether a few letters are those of a word, in its order: "drv" of "driver".
fn shortens(mark: &str, whole: &str) -> bool {
    let mut letters = whole.chars();
    let begins = mark.chars().next() == whole.chars().next();
    (2..=LETTERS.1).contains(&mark.len())
        && mark.len() < whole.len()
        && begins
        && mark.chars().all(|letter| letters.any(|other| other == letter))
}

/// The one table whose columns are all marked so.
fn marked_as(word: &str, marked: &[(String, String)]) -> Option<String> {
    let mut fits = marked.iter().filter(|(mark, _)| mark == word);
    let (_, whole) = fits.next()?;
    fits.next().is_none().then(|| whole.clone())
}

fn trimmed(stems: &[String]) -> Vec<String> {
    let mut own = match stems {
        [first, rest @ ..] if !rest.is_empty() && TECHNICAL.contains(&first.as_str()) => rest.to_vec(),
        all => all.to_vec(),
    };
    // "trips2024", "orders_2024": what is in them is trips and orders.
    if own.len() > 1 && own.last().is_some_and(|last| is_year(last)) {
        own.pop();
    } else if let Some(last) = own.last_mut() {
        let word = last.trim_end_matches(|c: char| c.is_ascii_digit());
        if word.len() > 2 && last.get(word.len()..).is_some_and(is_year) {
            *last = words::singular(word);
        }
    }
    own
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && (text.starts_with("19") || text.starts_with("20")) && text.bytes().all(|b| b.is_ascii_digit())
}

/// "birthyear" as two words.
fn apart(stem: String) -> Vec<String> {
    let split = ["year", "date"].into_iter().find_map(|time| Some((stem.strip_suffix(time)?, time)));
    match split.filter(|(before, _)| BEFORE_TIMES.contains(before)) {
        Some((before, time)) => vec![before.to_owned(), time.to_owned()],
        None => vec![stem],
    }
}

fn spell(stems: &mut [String]) {
    let several = stems.len() > 1;
    for stem in stems {
        // "dt" alone may be anything; beside another word it is how that is written.
        let alone = |short: &str| !matches!(short, "nm" | "cd" | "tm" | "dt");
        let found = SHORT.iter().find(|(short, _)| stem == short).filter(|(short, _)| several || alone(short));
        if let Some((_, whole)) = found {
            (*whole).clone_into(stem);
        }
    }
}

/// What a table is called, and the first words of its own keys and names: only a table that is shortened in its own
/// columns is shortened elsewhere ("ship" of `ShipCity` is no shipper).
fn shortened_in(table: &TableEntry) -> Option<(String, Vec<String>)> {
    let own = table.columns.iter().filter_map(|column| match column.stems.as_slice() {
        [first, last] if OWN.contains(&last.as_str()) => Some(first.clone()),
        _ => None,
    });
    Some((table.stems.last()?.clone(), own.collect()))
}

/// The one table whose name a word shortens.
fn whole_of(word: &str, named: &[(String, Vec<String>)]) -> Option<String> {
    if !(LETTERS.0..=LETTERS.1).contains(&word.len()) || named.iter().any(|(table, _)| table == word) {
        return None;
    }
    let begins = |table: &str| table.starts_with(word) && table.len() >= word.len() + MORE_MIN;
    let mut fits = named.iter().filter(|(table, _)| begins(table));
    let (first, own) = fits.next()?;
    let alone = fits.all(|(other, _)| other == first);
    (alone && own.iter().any(|short| short == word)).then(|| first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_table_is_shortened_to() {
        let named =
            [("doctor", "doc"), ("document", "doc"), ("patient", "pat"), ("order", "order"), ("shipper", "shipper")];
        let named = named.map(|(table, own)| (table.to_owned(), vec![own.to_owned()]));
        assert_eq!(whole_of("pat", &named), Some("patient".to_owned()));
        assert_eq!(whole_of("ship", &named), None);
        assert_eq!(whole_of("doc", &named), None);
        assert_eq!(whole_of("or", &named), None);
        assert_eq!(whole_of("order", &named), None);
    }

    #[test]
    fn a_mark_has_the_letters_of_its_table() {
        for (mark, whole) in [("par", "parcel"), ("drv", "driver"), ("svc", "service"), ("cus", "customer")] {
            assert!(shortens(mark, whole), "{mark} {whole}");
        }
        for (mark, whole) in
            [("order", "order"), ("is", "service"), ("price", "parcel"), ("p", "parcel"), ("vrd", "driver")]
        {
            assert!(!shortens(mark, whole), "{mark} {whole}");
        }
    }
}

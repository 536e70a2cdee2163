//! Words people add to a name or use in its stead: "phone number" of `phone`, "e-mail address" of `email`, "coupon
//! code" of `coupon`, "installation date" of `installed`, "people" for the employees, "new hires" for those with a
//! hire date. They are tried only where the words name nothing by themselves. Next: `spot`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::lexicon::{Signal, lexicon};
use super::super::source::ColumnKind;
use super::super::words::{Word, WordKind};
use super::spot::{Spotted, start, stems};

/// Fit of a name that was said with a word too many.
const ADDED: u32 = 90;
/// Fit of a date that has only its root in common with what was said.
const ROOTED: u32 = 80;
/// Fit of people by that word.
const PEOPLE: u32 = 85;
/// Letters that two forms of a word share at least, and those that may differ at the end of the shorter one.
const ROOT_MIN: usize = 4;
const END_MAX: usize = 3;
/// Words up to which the last may only say how the rest is written.
const ADDED_WORDS_MAX: usize = 4;
/// Longest phrase that a single column name may shorten, in words.
const ABBREVIATED_WORDS_MAX: usize = 4;
/// Words for people of whatever kind.
const ANYBODY: [&str; 4] = ["people", "person", "individual", "folk"];

/// A column whose name shortens what was said: "tail number" of `tailnum`, "time zone" of `tzone`.
pub fn abbreviated(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let usable = |(at, word): &(usize, &Word)| {
        (*at == 0 || !word.is_compared())
            && word.kind == WordKind::Word
            && !word.quoted
            && !matches!(lexicon().signal(&word.folded), Some(Signal::Role(_)))
    };
    let most = words.iter().take(ABBREVIATED_WORDS_MAX).enumerate().take_while(usable).count();
    (1..=most).rev().find_map(|length| {
        let own = words.get(..length)?;
        if length > 1 && super::rather::is_dated_verb(words, length) {
            return None;
        }
        let names = catalogue.names().shortened(&stems(own));
        let mut span = start(own, length);
        span.names = names;
        (!span.names.is_empty()).then_some((length, span, None))
    })
}

/// What several words name, of which the last only says how it is written.
pub fn with_addition(catalogue: &Catalogue, words: &[Word]) -> Vec<Candidate> {
    let [rest @ .., last] = words else { return Vec::new() };
    if !(1..ADDED_WORDS_MAX).contains(&rest.len())
        || words.iter().any(|word| word.quoted || word.kind != WordKind::Word)
        || rest.iter().any(|word| word.bracket || word.pause)
    {
        return Vec::new();
    }
    let stems: Vec<String> = rest.iter().map(|word| word.stem.clone()).collect();
    let mut found = catalogue.names().find(&stems);
    match last.stem.as_str() {
        "number" => {
            let keyed = found.iter().filter_map(|one| numbered(catalogue, *one)).collect();
            let texts = |one: &Candidate| matches!(one.thing, Thing::Column(id) if is_text(catalogue, id));
            found.retain(texts);
            if found.is_empty() { keyed } else { scored(found, ADDED) }
        }
        "address" | "code" => {
            let said =
                stems.last().is_some_and(|stem| matches!(stem.as_str(), "email" | "mail" | "web" | "ip" | "url"));
            found.retain(|one| matches!(one.thing, Thing::Column(id) if is_text(catalogue, id)));
            if last.stem == "code" || said { scored(found, ADDED) } else { Vec::new() }
        }
        "date" | "day" => dates_of(catalogue, rest),
        _ => Vec::new(),
    }
}

fn is_text(catalogue: &Catalogue, column: ColumnId) -> bool {
    catalogue.column(column).kind == ColumnKind::Text
}

fn scored(mut found: Vec<Candidate>, score: u32) -> Vec<Candidate> {
    found.iter_mut().for_each(|one| one.score = one.score.min(score));
    found
}

/// The number of a bike or of an invoice: the column that is called so, else its key.
fn numbered(catalogue: &Catalogue, one: Candidate) -> Option<Candidate> {
    let Thing::Table(table) = one.thing else { return None };
    let entry = catalogue.table(table);
    let is_number = |stems: &[String]| stems.last().is_some_and(|last| matches!(last.as_str(), "no" | "nr" | "number"));
    let own = entry.columns.iter().position(|column| is_number(&column.stems) && !column.stems[0].contains("phone"));
    let column = own.or(entry.key)?;
    Some(Candidate { thing: Thing::Column(ColumnId { table, column }), score: one.score.min(ADDED) })
}

/// "registration date" of `reg_dt` or `registered_on`, "opening date" of `opened`.
fn dates_of(catalogue: &Catalogue, rest: &[Word]) -> Vec<Candidate> {
    let [word] = rest else { return Vec::new() };
    let date = |column: ColumnId| catalogue.column(column).kind == ColumnKind::Date;
    let rooted = columns(catalogue)
        .filter(|column| date(*column))
        .filter(|column| catalogue.column(*column).stems.iter().any(|stem| shares_root(stem, &word.folded)));
    rooted.map(|column| Candidate { thing: Thing::Column(column), score: ROOTED }).collect()
}

fn columns(catalogue: &Catalogue) -> impl Iterator<Item = ColumnId> + '_ {
    catalogue.tables().flat_map(|(table, entry)| (0..entry.columns.len()).map(move |column| ColumnId { table, column }))
}

/// Whether two words begin alike and differ in their endings only: "installed" and "installation".
fn shares_root(one: &str, other: &str) -> bool {
    let shared = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let shorter = one.len().min(other.len());
    // "reg" of "registration": a column's name may be the beginning of the word.
    let begins = one.len() >= 3 && shared == one.len();
    begins || (shared >= ROOT_MIN && shared + END_MAX >= shorter)
}

/// "people": those the data knows; nothing where it knows none.
fn anybody(catalogue: &Catalogue, word: &Word) -> Vec<Candidate> {
    if word.quoted || !ANYBODY.contains(&word.stem.as_str()) {
        return Vec::new();
    }
    // Where there are several kinds of people, the word does not say which.
    let all: Vec<TableId> = catalogue.people().collect();
    match all.as_slice() {
        [only] => vec![Candidate { thing: Thing::Table(*only), score: PEOPLE }],
        _ => Vec::new(),
    }
}

/// "hires", "sign-ups": the rows that have the date of it, said as things. With how many words it takes.
fn happenings(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, TableId, Vec<Candidate>)> {
    let [first, rest @ ..] = words else { return None };
    if first.quoted || first.kind != WordKind::Word {
        return None;
    }
    let particle = rest.first().filter(|word| matches!(word.stem.as_str(), "up" | "in" | "out") && !first.pause);
    let stems: Vec<String> = match particle {
        Some(particle) => vec![first.stem.clone(), particle.stem.clone()],
        None => vec![first.stem.clone()],
    };
    let dates = super::verbs::date_named(catalogue, &stems);
    let mut tables = dates.iter().filter_map(|one| match one.thing {
        Thing::Column(column) => Some(column.table),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let first = tables.next()?;
    tables.all(|other| other == first).then(|| (stems.len(), first, dates.clone()))
}

/// A word in the stead of a name.
pub fn instead(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted)> {
    let names = anybody(catalogue, words.first()?);
    if !names.is_empty() {
        return Some((1, Spotted { names, ..start(words, 1) }));
    }
    let (length, table, dates) = happening(catalogue, words)?;
    let names = vec![Candidate { thing: Thing::Table(table), score: PEOPLE }];
    Some((length, Spotted { names, dates, ..start(words, length) }))
}

/// Something that happened, where it is spoken of as a thing: "hires", "new hires", "sign-ups", but not "hired".
fn happening(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, TableId, Vec<Candidate>)> {
    let first = words.first()?;
    let new = first.folded == "new" && !first.pause;
    let rest = words.get(usize::from(new)..)?;
    let (length, table, dates) = happenings(catalogue, rest)?;
    let last = rest.get(length - 1)?;
    let several = last.stem != last.folded;
    (several || new).then_some((length + usize::from(new), table, dates))
}

#[cfg(test)]
mod tests {
    use super::shares_root;

    #[test]
    fn forms_of_a_word_share_their_root() {
        for (one, other) in
            [("installed", "installation"), ("reg", "registration"), ("opened", "opening"), ("born", "born")]
        {
            assert!(shares_root(one, other), "{one} {other}");
        }
        for (one, other) in [("order", "organisation"), ("date", "database"), ("due", "duration"), ("paid", "payment")]
        {
            assert!(!shares_root(one, other), "{one} {other}");
        }
    }
}

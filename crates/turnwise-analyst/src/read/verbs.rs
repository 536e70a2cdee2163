//! Verbs and what they speak of: "installed" of `installed_on`, "prescribed" of the prescriptions, "borrowed" of the
//! loans. A verb is no name of its own: it says which date is meant, or which rows are the deeds. Next: `deeds` for
//! what is counted by them, `dated` for times.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Thing};
use super::super::lexicon::lexicon;
use super::super::source::ColumnKind;
use super::super::words::{self, Word};

/// Fit of a table that is named only by a verb.
const DEED: u32 = 70;

/// What a verb says of a time or a name: "hired" of `HireDate`, "shipped" of `ShippedDate`, "released" of
/// `release_year`, "born" of `birth_date`.
pub fn verb_names(catalogue: &Catalogue, verb: &str) -> Option<Vec<Candidate>> {
    let known = lexicon().nouns_of(verb).iter().cloned();
    let roots: Vec<String> = roots(verb).into_iter().chain(known).collect();
    let timed = roots
        .iter()
        .flat_map(|root| ["date", "year", "at", "on", "time"].map(|time| vec![root.clone(), time.to_owned()]));
    let bare = roots.iter().map(|root| vec![root.clone()]);
    let mut dates: Vec<Candidate> = timed.flat_map(|stems| catalogue.names().find(&stems)).collect();
    if !dates.is_empty() {
        dates.sort_by_key(|candidate| (candidate.thing, std::cmp::Reverse(candidate.score)));
        dates.dedup_by_key(|candidate| candidate.thing);
        return Some(dates);
    }
    bare.map(|stems| catalogue.names().find(&stems)).find(|names| !names.is_empty())
}

/// The dates of a thing that happens, by its noun: "hire" of `HireDate`, "sign up" of `signed_up_on`.
pub fn date_named(catalogue: &Catalogue, stems: &[String]) -> Vec<Candidate> {
    let Some((verb, particle)) = stems.split_first() else { return Vec::new() };
    let past = [verb.clone(), format!("{verb}ed"), format!("{verb}d"), verb.trim_end_matches('e').to_owned() + "ed"];
    let whole = past.iter().map(|verb| std::iter::once(verb.clone()).chain(particle.iter().cloned()).collect());
    let joined = std::iter::once(vec![stems.concat()]).filter(|_| !particle.is_empty());
    let mut found = Vec::new();
    for root in whole.chain(joined) {
        for time in ["date", "at", "on", "day", "time"] {
            let root: &Vec<String> = &root;
            let own: Vec<String> = root.iter().cloned().chain([time.to_owned()]).collect();
            found.extend(catalogue.names().find(&own));
        }
    }
    found.retain(|candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date,
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    found
}

/// "ship" of "shipped", "hire" of "hired", and the word itself.
fn roots(verb: &str) -> Vec<String> {
    let endings = ["", "ed", "d", "ing"];
    let roots = endings.iter().filter_map(|ending| verb.strip_suffix(ending)).filter(|root| root.len() > 2);
    roots.flat_map(|root| [root.to_owned(), format!("{root}e"), undoubled(root)]).collect()
}

/// "shipp", as "shipped" leaves it, is "ship".
fn undoubled(root: &str) -> String {
    let letters: Vec<char> = root.chars().collect();
    match letters.as_slice() {
        [rest @ .., one, other] if one == other => rest.iter().chain([one]).collect(),
        all => all.iter().collect(),
    }
}

/// "signed up" of `signed_up_on` or `signup_date`: the date only, because anything else is named by itself.
pub fn two_words(catalogue: &Catalogue, words: &[Word]) -> Option<Vec<Candidate>> {
    let [deed, particle, ..] = words else { return None };
    if deed.quoted || !matches!(particle.folded.as_str(), "up" | "in" | "out" | "off" | "on" | "down" | "back") {
        return None;
    }
    let is_date = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let mut names: Vec<Candidate> = Vec::new();
    for root in std::iter::once(deed.folded.clone()).chain(roots(&deed.folded)) {
        for time in ["on", "at", "date", "time", "day"] {
            let own = [root.as_str(), particle.folded.as_str(), time].map(str::to_owned);
            names.extend(catalogue.names().find(&own));
            names.extend(catalogue.names().find(&[format!("{root}{}", particle.folded), time.to_owned()]));
        }
    }
    names.retain(is_date);
    names.sort_by_key(|candidate| (candidate.thing, std::cmp::Reverse(candidate.score)));
    names.dedup_by_key(|candidate| candidate.thing);
    (!names.is_empty()).then_some(names)
}

/// The tables whose rows are the deeds of a verb: "prescribed" speaks of the prescriptions, "rented" of the rentals,
/// "read" of the readings.
pub fn deeds(catalogue: &Catalogue, verb: &str) -> Option<Vec<Candidate>> {
    let roots: Vec<String> = roots(verb).into_iter().filter(|root| root.len() > 2).collect();
    let endings = ["", "ing", "ion", "ation", "ment", "al", "y", "age", "ance"];
    let known = lexicon().nouns_of(verb).iter().map(|noun| lexicon().canonical(noun).to_owned());
    let mut nouns: Vec<String> = known.collect();
    for root in &roots {
        nouns.extend(endings.iter().map(|ending| format!("{root}{ending}")));
    }
    let is_named = |last: &String| {
        nouns.iter().any(|noun| noun == last || noun == lexicon().canonical(last)) || begins_so(last, verb)
    };
    let named = catalogue.tables().filter(|(_, table)| table.stems.last().is_some_and(is_named));
    let names: Vec<Candidate> = named.map(|(id, _)| Candidate { thing: Thing::Table(id), score: DEED }).collect();
    (!names.is_empty() && words::singular(verb) == verb).then_some(names)
}

/// Whether a noun goes on where a verb's ending begins: "prescription" of "prescribed".
fn begins_so(noun: &str, verb: &str) -> bool {
    let root = ["ed", "ing"].iter().find_map(|ending| verb.strip_suffix(ending)).filter(|root| root.len() > 4);
    let shared = |root: &str| noun.bytes().zip(root.bytes()).take_while(|(one, other)| one == other).count();
    root.is_some_and(|root| noun.len() > root.len() && shared(root) + 1 >= root.len())
}

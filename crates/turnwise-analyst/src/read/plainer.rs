//! What says no more than the words around it, where the data tells so: "inventory items" are the rows of the
//! inventory, "results that ended with status X" have it, "the world population" is the population, and "date of birth"
//! is what the data calls `dob`. Next: `idioms`, for what needs no look at what is called how.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Thing};
use super::super::lexicon::{Concept, lexicon};
use super::super::source::ColumnKind;
use super::super::words::{self, Word, WordKind};

/// Words for the pieces of what has no plural.
const PIECES: [&str; 4] = ["item", "items", "piece", "pieces"];
/// Verbs that say that something stood at its end.
const ENDED: [&str; 5] = ["ended", "finished", "concluded", "closed", "ending"];
/// Numbers that are positions of a kind.
const PLACES: [&str; 5] = ["grid", "start", "starting", "finish", "finishing"];
/// What gathers a number, or holds one against it.
const GATHERED: [&str; 6] = ["average", "mean", "median", "highest", "lowest", "maximum"];
/// What there is of the whole world, beside its population.
const WORLDWIDE: [&str; 7] = ["gnp", "gdp", "area", "surface", "economy", "output", "production"];

/// Puts what says no more than the words around it as it is read elsewhere.
pub fn put(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let mut at = 0;
    while at < words.len() {
        if says_piece(catalogue, words, at)
            || says_end(catalogue, words, at)
            || says_world(catalogue, words, at)
            || says_place(catalogue, words, at)
            || says_number(catalogue, words, at)
        {
            let gone = words.remove(at);
            if let Some(before) = at.checked_sub(1).and_then(|before| words.get_mut(before)) {
                (before.pause, before.ends) = (before.pause || gone.pause, before.ends || gone.ends);
            }
            continue;
        }
        at += called_otherwise(catalogue, words, at);
    }
}

fn names(catalogue: &Catalogue, word: &Word) -> Vec<Candidate> {
    catalogue.names().find(std::slice::from_ref(&word.stem))
}

fn is_free(catalogue: &Catalogue, word: &Word) -> bool {
    let stems = std::slice::from_ref(&word.stem);
    !word.quoted && names(catalogue, word).is_empty() && catalogue.values().find(stems).is_empty()
}

/// "Inventory items", of a table of that name.
fn says_piece(catalogue: &Catalogue, words: &[Word], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return false };
    let is_table = |one: &Candidate| matches!(one.thing, Thing::Table(_)) && one.score >= 95;
    PIECES.contains(&words[at].folded.as_str())
        && !before.pause
        && lexicon().is_mass(&before.stem)
        && names(catalogue, before).iter().any(is_table)
        && is_free(catalogue, &words[at])
}

/// "Results that ended with status X": they have it. What ended otherwise, or in something, is left as it is.
fn says_end(catalogue: &Catalogue, words: &[Word], at: usize) -> bool {
    let [verb, with, name, value, ..] = words.get(at..).unwrap_or_default() else { return false };
    let said = ENDED.contains(&verb.folded.as_str()) && with.folded == "with" && at > 0;
    let is_text = |one: &Candidate| match one.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Text,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let valued = !catalogue.values().find(std::slice::from_ref(&value.stem)).is_empty() || value.quoted;
    said && !verb.pause
        && !name.pause
        && valued
        && names(catalogue, name).iter().any(is_text)
        && is_free(catalogue, verb)
}

/// "The world population": the population of all there is.
fn says_world(catalogue: &Catalogue, words: &[Word], at: usize) -> bool {
    let [the, world, what, ..] = at.checked_sub(1).and_then(|the| words.get(the..)).unwrap_or_default() else {
        return false;
    };
    let whole = lexicon().concept(&what.stem) == Some(Concept::Population) || WORLDWIDE.contains(&what.stem.as_str());
    matches!(the.folded.as_str(), "the" | "total")
        && matches!(world.folded.as_str(), "world" | "worlds" | "global")
        && !world.pause
        && whole
        && is_free(catalogue, world)
}

/// "Than the average number of pages", of rows that each have a number called `pages`: no rows are counted there. Said
/// of "number" and of the "of" behind it in turn.
fn says_number(catalogue: &Catalogue, words: &[Word], at: usize) -> bool {
    let before =
        |back: usize| at.checked_sub(back).and_then(|before| words.get(before)).map(|word| word.folded.as_str());
    let gathered = |word: Option<&str>| word.is_some_and(|word| GATHERED.contains(&word));
    let number = |word: &Word| {
        let found = names(catalogue, word);
        let best = found.iter().map(|one| one.score).max().unwrap_or_default();
        let table = found.iter().any(|one| matches!(one.thing, Thing::Table(_)) && one.score + 10 >= best);
        let own = |one: &Candidate| matches!(one.thing, Thing::Column(column) if catalogue.column(column).is_number());
        best >= CALLED && !table && found.iter().filter(|one| one.score == best).all(own)
    };
    let said = |word: &Word, one: &str| word.folded == one && !word.quoted && !word.pause;
    match words.get(at..).unwrap_or_default() {
        [first, of, what, ..] if said(first, "number") && said(of, "of") => gathered(before(1)) && number(what),
        [of, what, ..] if said(of, "of") => gathered(before(1)) && number(what) && what.stem != what.folded,
        _ => false,
    }
}

/// "Grid position", of numbers called `grid`: which of several positions it is.
fn says_place(catalogue: &Catalogue, words: &[Word], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| words.get(before)) else { return false };
    let number = |one: &Candidate| matches!(one.thing, Thing::Column(column) if catalogue.column(column).is_number());
    matches!(words[at].stem.as_str(), "position" | "place" | "rank" | "slot")
        && PLACES.contains(&before.stem.as_str())
        && !before.pause
        && names(catalogue, before).iter().any(|one| number(one) && one.score == 100)
}

/// "Date of birth" of `dob`, "zip code" of `postal_code`: of several names for the same thing, the one the data has.
/// How many words that is.
fn called_otherwise(catalogue: &Catalogue, words: &mut Vec<Word>, at: usize) -> usize {
    let Some((length, others)) = lexicon().same_names().find_map(|group| {
        let said = group.iter().find(|name| is_said(words, at, name))?;
        Some((said.len(), group))
    }) else {
        return 1;
    };
    let stems = |name: &[String]| name.iter().map(|word| words::singular(word)).collect::<Vec<String>>();
    let has = |name: &[String]| {
        let found = catalogue.names().find(&stems(name));
        found.iter().any(|one| matches!(one.thing, Thing::Column(_)) && one.score >= CALLED)
    };
    let own: Vec<String> = words[at..at + length].iter().map(|word| word.folded.clone()).collect();
    let meant: Vec<&Vec<String>> = others.iter().filter(|name| **name != own && has(name)).collect();
    let things =
        |name: &[String]| -> Vec<Thing> { catalogue.names().find(&stems(name)).iter().map(|one| one.thing).collect() };
    let Some(name) = meant.first().filter(|_| !has(&own)) else { return length };
    if meant.iter().any(|other| things(other) != things(name)) {
        return length;
    }
    let (pause, ends) = (words[at + length - 1].pause, words[at + length - 1].ends);
    words.splice(at..at + length, words::split(&name.join(" ")));
    let last = at + name.len() - 1;
    if let Some(last) = words.get_mut(last) {
        (last.pause, last.ends) = (pause, ends);
    }
    name.len()
}

/// Fit of a name that is called so, and not only ends so or means the same.
const CALLED: u32 = 80;

fn is_said(words: &[Word], at: usize, name: &[String]) -> bool {
    let own = words.get(at..at + name.len()).unwrap_or_default();
    let alike = |(word, said): (&Word, &String)| word.folded == *said && word.kind == WordKind::Word && !word.quoted;
    own.len() == name.len()
        && own.iter().zip(name).all(alike)
        && own.iter().take(name.len() - 1).all(|word| !word.pause)
}

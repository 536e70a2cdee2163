//! What is said beside a question and is shown or meant anyway: "with the difference" of what is compared, growth
//! "compared with the previous year" by year, "including former employees" where nobody is left out, "in the company"
//! whose data it is. Each is taken away only where it says no more. Next: `idle`.

use super::super::catalogue::Catalogue;
use super::super::words::{self, Word};

const COMPARES: [&str; 6] = ["compare", "compared", "comparing", "vs", "versus", "against"];
const DIFFERENCES: [&str; 2] = ["difference", "differences"];
/// Words before something that is to be shown as well.
const ALSO: [&str; 8] = ["and", "with", "including", "plus", "also", "show", "the", "their"];
/// Words behind a difference that say what it is one of.
const OF_OTHERS: [&str; 4] = ["in", "of", "between", "from"];

const GROWS: [&str; 6] = ["growth", "grow", "grew", "growing", "change", "changes"];
const HELD_AGAINST: [&str; 8] = ["with", "to", "over", "from", "vs", "versus", "against", "on"];
const COMPARED: [&str; 6] = ["compared", "comparing", "relative", "comparison", "as", "in"];
const BEFORE: [&str; 3] = ["previous", "prior", "preceding"];
/// Spans of time, with what is said of what happens in each.
const TIMES: [(&str, &[&str]); 5] = [
    ("year", &["yearly", "annual", "annually"]),
    ("quarter", &["quarterly"]),
    ("month", &["monthly"]),
    ("week", &["weekly"]),
    ("day", &["daily"]),
];
const EACH: [&str; 5] = ["per", "by", "each", "every", "a"];

/// What rows are called that are no more what they were, and what stands for the rows themselves.
const PAST: [&str; 7] = ["former", "ex", "inactive", "departed", "terminated", "past", "archived"];
const ROWS: [&str; 3] = ["ones", "those", "people"];

const MOST: [&str; 6] = ["highest", "maximum", "max", "largest", "greatest", "biggest"];
const LEAST: [&str; 5] = ["lowest", "minimum", "min", "smallest", "least"];

/// What data are of as a whole, where nothing in them is called so.
const WHOLE: [&str; 14] = [
    "library",
    "database",
    "data",
    "dataset",
    "system",
    "company",
    "organisation",
    "organization",
    "business",
    "shop",
    "store",
    "collection",
    "catalogue",
    "catalog",
];

/// Takes away what says no more; gives what to say of it.
pub fn drop(catalogue: &Catalogue, words: &mut Vec<Word>) -> Option<String> {
    put_range(words);
    drop_own_name(words);
    drop_difference(words);
    drop_previous(words);
    drop_whole(catalogue, words);
    drop_past(catalogue, words)
}

fn said(word: &Word, one_of: &[&str]) -> bool {
    !word.quoted && one_of.contains(&word.folded.as_str())
}

fn is_name(catalogue: &Catalogue, word: &Word) -> bool {
    let stems = std::slice::from_ref(&word.stem);
    !catalogue.names().find(stems).is_empty() || !catalogue.values().find(stems).is_empty()
}

fn is_end(words: &[Word], at: usize) -> bool {
    words.get(at).is_none_or(|word| word.pause || word.ends) || at + 1 == words.len()
}

/// "The difference between the maximum and the minimum salary": one number, however its ends are called.
fn put_range(words: &mut Vec<Word>) {
    let Some(at) = words
        .windows(2)
        .position(|pair| said(&pair[0], &["difference", "gap", "range"]) && said(&pair[1], &["between"]))
    else {
        return;
    };
    let small = |word: &Word| said(word, &["the", "its", "their"]);
    let ahead: Vec<usize> = (at + 2..words.len()).filter(|&next| !small(&words[next])).take(3).collect();
    let [high, and, low] = ahead[..] else { return };
    let (most, least) = if said(&words[high], &LEAST) { (low, high) } else { (high, low) };
    let ends = said(&words[most], &MOST) && said(&words[least], &LEAST);
    if !ends || !said(&words[and], &["and"]) || low + 1 >= words.len() {
        return;
    }
    let (pause, end) = (words[low].pause, words[low].ends);
    words.splice(at..=low, words::split("difference between highest and lowest"));
    (words[at + 4].pause, words[at + 4].ends) = (pause, end);
}

/// "For each continent, list its name and how many countries it has": what is listed for is called by its name.
fn drop_own_name(words: &mut Vec<Word>) {
    let each =
        words.first().is_some_and(|word| said(word, &["for"])) && words.get(1).is_some_and(|word| said(word, &EACH));
    let name = |own: &[Word]| {
        said(&own[0], &["its", "their", "the"]) && said(&own[1], &["name", "names"]) && said(&own[2], &["and"])
    };
    let at = words.windows(3).position(name).filter(|at| each && (3..7).contains(at));
    // "For each stadium that hosted concerts" says more of it.
    let plain = |at: usize| !words[..at].iter().any(|word| said(word, &["that", "which", "who", "with", "whose"]));
    if let Some(at) = at.filter(|at| plain(*at)) {
        cut(words, at, at + 3);
    }
}

/// Takes words away; a pause behind them stays.
fn cut(words: &mut Vec<Word>, from: usize, until: usize) {
    let (pause, ends) = words.get(until - 1).map_or((false, false), |last| (last.pause, last.ends));
    words.drain(from..until);
    if let Some(before) = from.checked_sub(1).and_then(|before| words.get_mut(before)) {
        (before.pause, before.ends) = (before.pause || pause, before.ends || ends);
    }
}

/// "Compare sales of 2024 with 2023, with the difference": a comparison has it.
fn drop_difference(words: &mut Vec<Word>) {
    if !words.iter().any(|word| said(word, &COMPARES)) {
        return;
    }
    let Some(at) = words.iter().position(|word| said(word, &DIFFERENCES)) else { return };
    let others = words.get(at + 1).is_some_and(|next| !words[at].pause && said(next, &OF_OTHERS));
    let begin = words[..at].iter().rposition(|word| !said(word, &ALSO)).map_or(0, |before| before + 1);
    if !others && begin > 0 && begin < at {
        cut(words, begin, at + 1);
    }
}

/// "Growth per year compared with the previous year": growth is just that.
fn drop_previous(words: &mut Vec<Word>) {
    let grows = words.iter().any(|word| said(word, &GROWS));
    let Some((at, until, unit)) = (0..words.len()).find_map(|at| {
        let (length, unit) = previous(&words[at..])?;
        Some((at, at + length, unit))
    }) else {
        return;
    };
    let begin = words[..at].iter().rposition(|word| !said(word, &COMPARED)).map_or(0, |before| before + 1);
    let compared = words[begin..at].iter().any(|word| said(word, &["compared", "comparing", "comparison"]));
    let (_, adverbs) = TIMES[unit];
    let by_time = words.windows(2).any(|pair| said(&pair[0], &EACH) && pair[1].stem == TIMES[unit].0)
        || words.iter().any(|word| said(word, adverbs));
    if !by_time || !(grows || compared) || begin == 0 {
        return;
    }
    cut(words, begin, until);
    if !grows {
        let (pause, ends) = (words[begin - 1].pause, words[begin - 1].ends);
        (words[begin - 1].pause, words[begin - 1].ends) = (false, false);
        words.splice(begin..begin, words::split("with growth"));
        (words[begin + 1].pause, words[begin + 1].ends) = (pause, ends);
    }
}

/// "Over the previous year", "from the month before": how many words that is, and which time.
fn previous(words: &[Word]) -> Option<(usize, usize)> {
    let against = words.first().filter(|word| said(word, &HELD_AGAINST) && !word.pause)?;
    let the = usize::from(words.get(1).is_some_and(|word| said(word, &["the"])));
    let [one, two, ..] = words.get(1 + the..)? else { return None };
    let unit = |word: &Word| TIMES.iter().position(|(unit, _)| word.stem == *unit && against.stem != word.stem);
    let found = if said(one, &BEFORE) {
        unit(two)
    } else if said(two, &["before", "earlier"]) {
        unit(one)
    } else {
        None
    };
    found.map(|unit| (3 + the, unit))
}

/// "Authors without books in the library", of the data of a library.
fn drop_whole(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let whole = |at: usize| {
        let [one, the, what, ..] = words.get(at..)? else { return None };
        let of = said(one, &["in", "of", "from"]) && said(the, &["the", "our", "this"]) && said(what, &WHOLE);
        (of && at > 0 && is_end(words, at + 2) && !is_name(catalogue, what)).then_some(at)
    };
    if let Some(at) = (0..words.len()).find_map(whole) {
        cut(words, at, at + 3);
    }
}

/// "Average salary, including former employees": nobody is left out, unless somebody says so.
fn drop_past(catalogue: &Catalogue, words: &mut Vec<Word>) -> Option<String> {
    let at = words.iter().position(|word| said(word, &["including", "include", "incl"]))?;
    let skipped = words.get(at + 1..)?.iter().take_while(|word| said(word, &["the", "also", "all"])).count();
    let past = at + 1 + skipped;
    if !words.get(past).is_some_and(|word| said(word, &PAST)) || at == 0 {
        return None;
    }
    let rows = words.get(past + 1).filter(|word| is_name(catalogue, word) || said(word, &ROWS));
    let last = past + usize::from(rows.is_some());
    let own: Vec<&str> = words[past..=last].iter().map(|word| word.raw.as_str()).collect();
    let note = format!("“{}” are in it: nobody is left out by that.", own.join(" "));
    let with = words.get(at - 1).is_some_and(|word| said(word, &["not"]));
    if with || !is_end(words, last) {
        return None;
    }
    cut(words, at, last + 1);
    Some(note)
}

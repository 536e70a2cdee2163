//! Idioms: what people say in more words, or other ones, than it takes. "On our books" and "along the way" say nothing,
//! "ended up cancelled" is "were cancelled", "from big to small" is "largest first". Each is put as it is read
//! elsewhere, and only where none of its words names something in the data. Next: `spot`, `grown` for how much
//! something grew.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Thing};
use super::super::lexicon::{Concept, Order, Signal, lexicon};
use super::super::source::ColumnKind;
use super::super::words::{self, Word};
use super::verbs::verb_names;

/// What is said, each word with the others that may stand in its place, and what is read for it.
const IDIOMS: [(&[&str], &str); 36] = [
    (&["on", "file|record"], ""),
    (&["on|in", "our|the", "books|records|files|system"], ""),
    (&["right", "now"], ""),
    (&["at", "this|the", "moment|point|time"], ""),
    (&["to", "this", "day"], ""),
    (&["so|thus", "far"], ""),
    (&["along|on", "the", "way"], ""),
    (&["yet"], ""),
    (&["still|already", "have"], "have"),
    (&["pieces|items|bits", "of"], ""),
    (&["anyone|anybody|someone|somebody", "ever", "put", "down"], ""),
    (&["anyone|anybody|someone|somebody", "ever", "gave|stated|entered|recorded|reported"], ""),
    (&["ended|wound", "up", "as|being"], "were"),
    (&["ended|wound", "up"], "were"),
    (&["ended|resulted", "in|with|as", "a|an"], "were"),
    (&["turned", "out", "to", "be"], "were"),
    (&["turned", "out", "as"], "were"),
    (&["incl"], "including"),
    (&["excl"], "excluding"),
    (&["payed"], "paid"),
    (&["best", "paid", "at|on", "the", "top"], "best paid first"),
    (&["dont|doesnt|didnt|wont", "count"], "excluded"),
    (&["do|does|did|should", "not", "count"], "excluded"),
    (&["at", "the", "same", "time"], ""),
    (&["members", "of", "staff"], "staff"),
    (&["members|member", "of", "the", "staff"], "staff"),
    (&["member", "of", "staff"], "staff"),
    (&["staff", "member|members"], "staff"),
    (&["per", "cent"], "percent"),
    (&["took|take|takes|taken|taking", "part", "in"], "participated in"),
    (&["in|across|around|throughout", "the", "world|globe"], ""),
    (&["in|across|around|throughout", "the", "whole|entire", "world|globe"], ""),
    (&["worldwide|globally"], ""),
    (&["in", "the|its|their", "title|titles"], "in the name"),
    (&["have|has|had", "gone|been", "through"], "had"),
    (&["went|goes", "through"], "had"),
];
/// Ends of a scale, as in "from big to small".
const LARGE: [&str; 8] = ["big", "biggest", "large", "largest", "high", "highest", "most", "top"];
const SMALL: [&str; 9] = ["small", "smallest", "little", "low", "lowest", "least", "fewest", "few", "bottom"];
/// Adverbs of a rate, and the noun that a column has for it: "hourly wage" of `hour_wage`.
const RATES: [(&str, &str); 6] = [
    ("hourly", "hour"),
    ("daily", "day"),
    ("weekly", "week"),
    ("monthly", "month"),
    ("yearly", "year"),
    ("annual", "year"),
];
/// Most words that are left aside: more than these are a question of their own.
const ASIDE_MAX: usize = 5;
/// Verbs for what a number does over time.
const MOVES: [&str; 14] = [
    "grow",
    "grown",
    "grew",
    "shrink",
    "shrunk",
    "rise",
    "risen",
    "fall",
    "fallen",
    "increase",
    "increased",
    "decrease",
    "change",
    "changed",
];

/// Puts idioms as they are read elsewhere.
pub fn put_plainly(catalogue: &Catalogue, words: &mut Vec<Word>) {
    grown(catalogue, words);
    drop_percent(catalogue, words);
    left_aside(words);
    comes_to(catalogue, words);
    let mut at = 0;
    while at < words.len() {
        match said_at(catalogue, words, at) {
            // "Best paid at the top" is "best paid first", which is read once more.
            Some((length, meant)) if meant.ends_with(" first") && length > 2 => {
                replace(words, at, length, &meant);
            }
            Some((length, meant)) => at += replace(words, at, length, &meant),
            None => at += 1,
        }
    }
}

/// What is said at a place: how many words, and what is read for them.
fn said_at(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let own = words.get(at..)?;
    let idiom = IDIOMS.iter().find(|(said, meant)| is_said(own, said) && !loses(catalogue, &own[..said.len()], meant));
    if let Some((said, meant)) = idiom {
        return Some((said.len(), (*meant).to_owned()));
    }
    scale(catalogue, own)
        .or_else(|| at_the_top(own))
        .or_else(|| rate(catalogue, own))
        .or_else(|| day_of(catalogue, words, at))
        .or_else(|| superlative_first(catalogue, words, at))
}

fn is_said(words: &[Word], said: &[&str]) -> bool {
    let inner = |at: usize| at + 1 < said.len() && words[at].pause;
    words.len() >= said.len()
        && said
            .iter()
            .zip(words)
            .enumerate()
            .all(|(at, (said, word))| !word.quoted && said.split('|').any(|one| one == word.folded) && !inner(at))
}

/// Whether a word is called so in the data: "on file" is none where there are files.
fn names_any(catalogue: &Catalogue, words: &[Word]) -> bool {
    let named = |word: &Word| {
        let stems = std::slice::from_ref(&word.stem);
        !catalogue.names().find(stems).is_empty() || !catalogue.values().find(stems).is_empty()
    };
    words.iter().filter(|word| word.folded.len() > 3 || lexicon().signal(&word.folded).is_none()).any(named)
}

/// Whether a name of the data would be gone with the idiom.
fn loses(catalogue: &Catalogue, said: &[Word], meant: &str) -> bool {
    let kept: Vec<&str> = meant.split(' ').collect();
    let gone: Vec<Word> = said.iter().filter(|word| !kept.contains(&word.folded.as_str())).cloned().collect();
    names_any(catalogue, &gone)
}

/// Puts `meant` in the place of some words; how many words that is.
fn replace(words: &mut Vec<Word>, at: usize, length: usize, meant: &str) -> usize {
    let (pause, ends) = words.get(at + length - 1).map_or((false, false), |last| (last.pause, last.ends));
    let new = words::split(meant);
    let count = new.len();
    words.splice(at..at + length, new);
    if let Some(last) = (at + count).checked_sub(1).and_then(|last| words.get_mut(last)) {
        last.pause |= pause;
        last.ends |= ends;
    }
    count
}

/// "From big to small", "high to low".
fn scale(catalogue: &Catalogue, own: &[Word]) -> Option<(usize, String)> {
    let from = usize::from(own.first().is_some_and(|word| word.folded == "from"));
    let [one, to, other, ..] = own.get(from..)? else { return None };
    let is = |word: &Word, end: &[&str]| end.contains(&word.folded.as_str());
    let meant = if is(one, &LARGE) && is(other, &SMALL) {
        "largest first"
    } else if is(one, &SMALL) && is(other, &LARGE) {
        "smallest first"
    } else {
        return None;
    };
    let said = to.folded == "to" && !one.pause && !names_any(catalogue, &[one.clone(), other.clone()]);
    said.then(|| (from + 3, meant.to_owned()))
}

/// "Highest at the top" is "highest first".
fn at_the_top(own: &[Word]) -> Option<(usize, String)> {
    let end = own.first().filter(|word| word.folded.ends_with("est") || word.folded == "most")?;
    let top = ["at the top", "on top", "at top", "at the start", "at the beginning"];
    let length =
        top.iter().map(|said| said.split(' ').collect::<Vec<_>>()).find(|said| is_said(&own[1..], said))?.len();
    (!end.pause).then(|| (1 + length, format!("{} first", end.folded)))
}

/// "Hourly wage", where a column is the wage of an hour.
fn rate(catalogue: &Catalogue, own: &[Word]) -> Option<(usize, String)> {
    let [adverb, noun, ..] = own else { return None };
    let (_, meant) = RATES.iter().find(|(said, _)| *said == adverb.folded)?;
    let find = |first: &str| catalogue.names().find(&[first.to_owned(), noun.stem.clone()]);
    let column = |thing: Thing| matches!(thing, Thing::Column(_));
    let named = find(meant).iter().any(|one| column(one.thing)) && find(&adverb.stem).is_empty();
    (named && !adverb.pause).then(|| (1, (*meant).to_owned()))
}

/// "The day they registered", "the date we bought it": the date of that deed.
fn day_of(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let own = words.get(at..)?;
    let is = |at: usize, list: &[&str]| own.get(at).is_some_and(|word| list.contains(&word.folded.as_str()));
    let before = at.checked_sub(1).map_or("", |before| words[before].folded.as_str());
    if before == "on" || !is(0, &["the"]) || !is(1, &["day", "date"]) {
        return None;
    }
    let mut end = 2 + usize::from(is(2, &["when", "that"]));
    end += usize::from(is(end, &["on"]) && is(end + 1, &["which"])) * 2;
    if !is(end, &["they", "we", "it", "he", "she", "you"]) {
        return None;
    }
    end += 1 + usize::from(is(end + 1, &["was", "were"]));
    let verb = own.get(end).filter(|verb| !own[..end].iter().any(|word| word.pause) && !verb.quoted)?;
    let dates = verb_names(catalogue, &verb.folded)?;
    let is_date = |thing: Thing| match thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let object = usize::from(!verb.pause && is(end + 1, &["it", "them"]));
    let length = end + 1 + object;
    (!dates.is_empty() && dates.iter().all(|one| is_date(one.thing)))
        .then(|| (length, format!("the date {}", verb.folded)))
}

/// "…, dearest first" is sorted by price, where the data has prices.
fn superlative_first(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let before = at.checked_sub(1).and_then(|before| words.get(before))?;
    let length = (1..=2).rev().find(|length| {
        let text: Vec<&str> = words.iter().skip(at).take(*length).map(|word| word.folded.as_str()).collect();
        text.len() == *length && matches!(lexicon().signal(&text.join(" ")), Some(Signal::Superlative(..)))
    })?;
    let first = words.get(at + length).filter(|word| word.folded == "first")?;
    let ends = words.get(at + length + 1).is_none() || first.pause || first.ends;
    let text: Vec<&str> = words.iter().skip(at).take(length).map(|word| word.folded.as_str()).collect();
    let Some(Signal::Superlative(order, concept)) = lexicon().signal(&text.join(" ")) else { return None };
    let grouped = words.iter().take(at).any(|word| matches!(word.folded.as_str(), "by" | "per" | "each" | "every"));
    if !ends || !(before.pause || before.folded == "the" || before.folded == "and") || grouped {
        return None;
    }
    let (noun, order) = match concept {
        Concept::Date => ("date", order),
        Concept::Age if catalogue.measures(Concept::Age).is_empty() && !has_age(catalogue) => ("date", turned(order)),
        Concept::Price => ("price", order),
        Concept::Weight => ("weight", order),
        Concept::Pay => ("salary", order),
        Concept::Height => ("height", order),
        Concept::Rating => ("rating", order),
        _ => return None,
    };
    let order = if order == Order::Descending { "descending" } else { "ascending" };
    Some((length + 1, format!("sorted by {noun} {order}")))
}

fn turned(order: Order) -> Order {
    if order == Order::Descending { Order::Ascending } else { Order::Descending }
}

/// Whether rows have an age or a day of birth.
fn has_age(catalogue: &Catalogue) -> bool {
    let born = ["age", "birth", "birthday", "born", "dob"];
    catalogue.tables().any(|(table, entry)| {
        (0..entry.columns.len()).map(|column| ColumnId { table, column }).any(|column| {
            catalogue
                .column(column)
                .stems
                .iter()
                .any(|stem| born.contains(&lexicon().canonical(stem)) || born.contains(&stem.as_str()))
        })
    })
}

/// "Leave cancelled orders aside" is "leave out cancelled orders".
fn left_aside(words: &mut Vec<Word>) {
    let begins = |word: &Word| matches!(word.folded.as_str(), "leave" | "leaving" | "put" | "putting");
    let Some(start) = words.iter().position(begins) else { return };
    let own = words.iter().skip(start + 1).take(ASIDE_MAX + 1);
    let Some(end) = own.clone().position(|word| matches!(word.folded.as_str(), "aside" | "out")) else { return };
    if end == 0 || own.take(end).any(|word| word.pause || word.quoted) {
        return;
    }
    let end = start + 1 + end;
    let (pause, ends) = (words[end].pause, words[end].ends);
    words.remove(end);
    (words[end - 1].pause, words[end - 1].ends) = (pause, ends);
    words.splice(start..=start, words::split("excluding"));
}

/// "What do the fees of X come to?" is "what is the total of the fees of X".
fn comes_to(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    if !matches!(folded.as_slice(), ["what", "do" | "does" | "did", ..]) || words.iter().take(3).any(|word| word.quoted)
    {
        return;
    }
    let said: [&[&str]; 4] = [&["come|comes", "to"], &["add", "up", "to"], &["amount", "to"], &["total"]];
    let found = (3..words.len()).find_map(|at| {
        let said = said.iter().find(|said| is_said(&words[at..], said))?;
        Some((at, said.len()))
    });
    let Some((at, length)) = found.filter(|(at, _)| !words[..*at].iter().any(|word| word.pause)) else { return };
    // "... add up to in estimated cost" names the number behind it.
    let of = words.get(at + length).is_some_and(|word| word.folded == "in");
    let number: Vec<Word> = words.iter().skip(at + length + 1).cloned().collect();
    let named = of && number.first().is_some_and(|_| names_any(catalogue, &number));
    if of && !named && number.iter().any(|word| matches!(word.kind, words::WordKind::Word)) {
        return;
    }
    if named && !number.iter().any(|word| matches!(word.kind, words::WordKind::Number(_) | words::WordKind::Date)) {
        words.truncate(at);
        let rest: Vec<Word> = words.drain(2..).collect();
        words.splice(.., words::split("what is the total"));
        words.extend(number);
        words.extend(words::split("of"));
        words.extend(rest);
        return;
    }
    words.drain(at..at + length);
    words.splice(..2, words::split("what is the total"));
}

/// "6 percent" is 6, as "6 %" is; "6 percent of the orders" is another thing.
fn drop_percent(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let said = |words: &[Word], at: usize| {
        let number = at.checked_sub(1).and_then(|before| words.get(before));
        let of = words.get(at + 1).is_some_and(|next| next.folded == "of" && !words[at].pause);
        let percent = matches!(words[at].folded.as_str(), "percent" | "pct");
        let number = number.is_some_and(|word| matches!(word.kind, words::WordKind::Number(_)));
        percent && number && !of && !names_any(catalogue, &words[at..=at])
    };
    while let Some(at) = (0..words.len()).find(|at| said(words, *at)) {
        words[at - 1].percent = true;
        replace(words, at, 1, "");
    }
}

/// "By how many percent did X grow from A to B" is "how did X change from A to B": the change is told beside both.
fn grown(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let by = usize::from(folded.first() == Some(&"by"));
    let asked = match folded.get(by..).unwrap_or_default() {
        ["how", "many", "percent" | "percentage", "points", "did", ..] => 5,
        ["how", "many", "percent", "did", ..] | ["how", "much", "percent", "did", ..] => 4,
        ["what", "percent" | "percentage", "did", ..] | ["how", "much", "did", ..] => 3,
        ["what", "per", "cent", "did", ..] => 4,
        ["how", "many", "per", "cent", "did", ..] => 5,
        _ => return,
    };
    let start = by + asked;
    let is_move = |at: &usize| MOVES.contains(&folded[*at]) && !names_any(catalogue, &words[*at..=*at]);
    let Some(first) = (start + 1..folded.len()).find(is_move) else { return };
    let mut end = first + 1;
    while folded.get(end) == Some(&"or") && (end + 1..folded.len()).take(1).any(|at| is_move(&at)) {
        end += 2;
    }
    let between = matches!(folded.get(end), Some(&"from" | &"between"));
    if !between || (start..end).any(|at| words[at].pause || words[at].quoted) {
        return;
    }
    words.splice(first..=end, words::split("change from"));
    words.splice(..start, words::split("how did"));
    // "Between A and B" is "from A to B".
    let from = words.iter().position(|word| word.folded == "from").unwrap_or(words.len());
    if let Some(and) = words.iter().skip(from).position(|word| word.folded == "and").filter(|and| *and == 2) {
        words.splice(from + and..=from + and, words::split("to"));
    }
}

//! What is said in a way that another says as well: "from the oldest to the youngest" is an order by age, "older than
//! the average age" holds an age against its average, "aged 20 to 22" names two bounds, "but none departing from A"
//! says which rows there are none of, and "hired nobody" is never hired. Each is put as it is read elsewhere, and left
//! as it is where the data has other names for its words. Next: `idioms`, `spot`.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Thing};
use super::super::lexicon::{Comparator, Concept, Order, Signal, lexicon};
use super::super::period;
use super::super::source::ColumnKind;
use super::super::words::{self, Word, WordKind};

/// Words between rows and the bounds of how many of them there are.
const ROWS_MAX: usize = 3;
/// What rows that lack something are said to be.
const LACKING: [&[&str]; 6] =
    [&["without"], &["with", "no"], &["that", "have", "no"], &["who", "have", "no"], &["lacking"], &["missing"]];
/// Verbs that say no more of rows than that they are there.
const HAVING: [&str; 18] = [
    "done",
    "did",
    "made",
    "given",
    "gave",
    "performed",
    "received",
    "got",
    "gotten",
    "held",
    "hosted",
    "broadcast",
    "aired",
    "undergone",
    "conducted",
    "carried",
    "own",
    "owned",
];
/// Words that leave out what follows them.
const LEAVING: [&str; 6] = ["excluding", "exclude", "ignoring", "ignore", "omitting", "omit"];

/// Puts what can be said otherwise as it is read elsewhere.
pub fn put(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let mut at = 0;
    while at < words.len() {
        let found = ends_of_scale(catalogue, words, at)
            .or_else(|| than_average_age(catalogue, words, at))
            .or_else(|| aged(catalogue, words, at))
            .or_else(|| bounded(catalogue, words, at))
            .or_else(|| but_none(catalogue, words, at))
            .or_else(|| nobody(catalogue, words, at))
            .or_else(|| of_whose(catalogue, words, at))
            .or_else(|| only_has(catalogue, words, at))
            .or_else(|| those_without(catalogue, words, at));
        at += match found {
            Some((length, meant)) => replace(words, at, length, &meant),
            None => 1,
        };
    }
}

fn replace(words: &mut Vec<Word>, at: usize, length: usize, meant: &str) -> usize {
    let last = &words[at + length - 1];
    let (pause, ends) = (last.pause, last.ends);
    let new = words::split(meant);
    let count = new.len();
    words.splice(at..at + length, new);
    if let Some(last) = (at + count).checked_sub(1).and_then(|last| words.get_mut(last)) {
        (last.pause, last.ends) = (pause, ends);
    }
    count
}

fn is(word: Option<&Word>, list: &[&str]) -> bool {
    word.is_some_and(|word| !word.quoted && list.contains(&word.folded.as_str()))
}

fn named(catalogue: &Catalogue, word: &Word) -> bool {
    let stems = std::slice::from_ref(&word.stem);
    !catalogue.names().find(stems).is_empty() || !catalogue.values().find(stems).is_empty()
}

fn is_table(catalogue: &Catalogue, word: &Word) -> bool {
    let found = catalogue.names().find(std::slice::from_ref(&word.stem));
    !word.quoted && found.iter().any(|one| matches!(one.thing, Thing::Table(_)))
}

/// Whether nothing more is said behind the word at `at`, until the clause is over.
fn is_over(words: &[Word], at: usize) -> bool {
    words.get(at).is_some_and(|word| word.pause || word.ends) || at + 1 == words.len()
}

/// The columns called by a word, whole.
fn columns(catalogue: &Catalogue, stem: &str) -> Vec<ColumnId> {
    let found = catalogue.names().find(&[stem.to_owned()]);
    let called = found.iter().filter(|one| one.score >= 80).filter_map(|one| match one.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    called.collect()
}

/// Whether rows say how old they are by a number.
fn has_age(catalogue: &Catalogue) -> bool {
    columns(catalogue, "age").iter().any(|column| catalogue.column(*column).is_number())
}

/// "From the heaviest to the lightest": what it is an order by, where that was not said right before.
fn ends_of_scale(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let mut end = at;
    let mut ends = Vec::new();
    for begin in ["from", "to"] {
        if !is(words.get(end), &[begin]) {
            return None;
        }
        end += 1 + usize::from(is(words.get(end + 1), &["the"]));
        let word = words.get(end).filter(|word| !word.quoted)?;
        let Some(Signal::Superlative(order, concept)) = lexicon().signal(&word.folded) else { return None };
        ends.push((order, concept));
        end += 1;
    }
    let [(first, one), (second, other)] = ends.as_slice() else { return None };
    // "From newest to oldest" are the two ends of a date.
    let dates = *one == Concept::Date || *other == Concept::Date;
    let concept = if dates { Concept::Date } else { *one };
    let first = if dates && *one == Concept::Age { turned(*first) } else { *first };
    let second = if dates && *other == Concept::Age { turned(*second) } else { *second };
    if first == second || !(one == other || dates) {
        return None;
    }
    let before = |back: usize| at.checked_sub(back).and_then(|at| words.get(at));
    let sorts = ["sorted", "sort", "ordered", "order", "ranked", "arranged", "listed"];
    let by = (2..=4).find(|back| is(before(*back), &["by"]));
    if let Some(by) = by {
        // The oldest have the earliest date of birth.
        let key = before(1)?;
        let found = columns(catalogue, &key.stem);
        let dated = found.iter().any(|column| catalogue.column(*column).kind == ColumnKind::Date);
        let order = if concept == Concept::Age && (dated || by > 2) { return None } else { first };
        return (!found.is_empty() && !key.pause).then(|| (end - at, direction(order).to_owned()));
    }
    let (noun, order) = match concept {
        Concept::Age if has_age(catalogue) => ("age", first),
        Concept::Date => ("date", first),
        Concept::Price => ("price", first),
        Concept::Weight => ("weight", first),
        Concept::Pay => ("salary", first),
        Concept::Height => ("height", first),
        Concept::Rating => ("rating", first),
        _ => return None,
    };
    let sorted = if is(before(1), &sorts) { "" } else { "sorted " };
    Some((end - at, format!("{sorted}by {noun} {}", direction(order))))
}

fn turned(order: Order) -> Order {
    if order == Order::Descending { Order::Ascending } else { Order::Descending }
}

fn direction(order: Order) -> &'static str {
    if order == Order::Descending { "descending" } else { "ascending" }
}

/// "Older than the average age of all singers", of singers whose age is a number.
fn than_average_age(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let word = words.get(at).filter(|word| !word.quoted && is(words.get(at + 1), &["than"]))?;
    let signal = lexicon().signal(&word.folded).or_else(|| lexicon().signal(&format!("{} than", word.folded)));
    let Some(Signal::Comparative(comparator, Concept::Age)) = signal else { return None };
    let mut end = at + 2 + usize::from(is(words.get(at + 2), &["the", "an"]));
    if !is(words.get(end), &["average", "mean"]) || !has_age(catalogue) {
        return None;
    }
    let aged = !is_over(words, end) && is(words.get(end + 1), &["age"]);
    end += usize::from(aged);
    // Of all rows there are: any other average is left as it was said.
    if !is_over(words, end) && is(words.get(end + 1), &["of"]) {
        end += 2;
        end += usize::from(is(words.get(end), &["all"]));
        end += usize::from(is(words.get(end), &["the"]));
        let rows = words.get(end)?;
        let same = words.iter().take(at).any(|before| before.stem == rows.stem);
        if !(same && is_table(catalogue, rows)) {
            return None;
        }
    }
    let side = match comparator {
        Comparator::Over => "above",
        Comparator::Under => "below",
        _ => return None,
    };
    let is_are = at.checked_sub(1).is_some_and(|before| is(words.get(before), &["are", "is", "were", "was"]));
    let with = if is_are { "of" } else { "with" };
    is_over(words, end).then(|| (end + 1 - at, format!("{with} age {side} average")))
}

/// "Aged 20 to 22".
fn aged(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let [aged, from, to, until, ..] = words.get(at..)? else { return None };
    let numbers = matches!((from.kind, until.kind), (WordKind::Number(_), WordKind::Number(_)));
    let said = is(Some(aged), &["aged"]) && is(Some(to), &["to", "through"]) && numbers;
    let plain = !aged.pause && !from.pause && columns(catalogue, "aged").is_empty() | has_age(catalogue);
    (said && plain && has_age(catalogue)).then(|| (4, format!("aged between {} and {}", from.raw, until.raw)))
}

/// "Fewer than 10 flights but at least one" are from 1 to 9.
fn bounded(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let less = is(words.get(at), &["fewer", "less"]) && is(words.get(at + 1), &["than"]);
    let most = is(words.get(at), &["at"]) && is(words.get(at + 1), &["most"]);
    let bound = count(words.get(at + 2)?).filter(|_| less || most)?;
    let rows = (at + 3..words.len()).take(ROWS_MAX).take_while(|at| !is(words.get(*at), &["but", "and"])).count();
    let but = at + 3 + rows;
    let own = words.get(at + 3..but).filter(|own| own.iter().any(|word| is_table(catalogue, word)))?;
    let least =
        is(words.get(but), &["but", "and"]) && is(words.get(but + 1), &["at"]) && is(words.get(but + 2), &["least"]);
    let least = count(words.get(but + 3).filter(|_| least)?)?;
    let of_them = is(words.get(but + 4), &["of"]) && is(words.get(but + 5), &["them"]) && !words[but + 3].pause;
    let end = but + 4 + if of_them { 2 } else { 0 };
    let upper = if less { bound - 1.0 } else { bound };
    let said: Vec<&str> = own.iter().map(|word| word.raw.as_str()).collect();
    // Another name behind it would be what the second bound counts.
    (is_over(words, end - 1) && least <= upper)
        .then(|| (end - at, format!("between {least} and {upper} {}", said.join(" "))))
}

/// A whole number, in digits or as a small word.
fn count(word: &Word) -> Option<f64> {
    const SMALL: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match word.kind {
        WordKind::Number(value) if value.fract() == 0.0 => Some(value),
        WordKind::Word => {
            SMALL.iter().zip(0u8..).find(|(small, _)| word.folded == **small).map(|(_, at)| f64::from(at))
        }
        WordKind::Number(_) | WordKind::Date => None,
    }
}

/// "A flight from A but none from B": no flight.
fn but_none(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    if !(is(words.get(at), &["but", "and"]) && is(words.get(at + 1), &["none"]) && !words[at + 1].pause) {
        return None;
    }
    // What the rest is said of stands right behind: a verb, or a preposition.
    let next = words.get(at + 2).filter(|next| !is(Some(next), &["of", "other"]) && !named(catalogue, next))?;
    let links = ["from", "to", "in", "at", "on", "for", "with", "by"].contains(&next.folded.as_str());
    let verb = next.folded.ends_with("ing") || next.folded.ends_with("ed");
    // "But none in 2024" is told by the times.
    if period::read(&words[at + 2..]).or_else(|| period::read(&words[at + 3..])).is_some() {
        return None;
    }
    let rows = words.get(..at)?.iter().rposition(|word| is_table(catalogue, word))?;
    let (first, second) = (words.iter().position(|word| is_table(catalogue, word))?, &words[rows].raw);
    (rows > first && (links || verb)).then(|| (2, format!("but no {second}")))
}

/// "Shops that hired nobody" never hired.
fn nobody(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let verb = words.get(at).filter(|verb| verb.folded.ends_with("ed") && !verb.quoted && !verb.pause)?;
    let one = usize::from(is(words.get(at + 1), &["no"]) && is(words.get(at + 2), &["one"]));
    let said = one == 1 || is(words.get(at + 1), &["nobody", "none"]);
    let that = at.checked_sub(1).is_some_and(|before| is(words.get(before), &["that", "which", "who", "have", "has"]));
    let rows = super::verbs::deeds(catalogue, &verb.folded).is_some_and(|deeds| !deeds.is_empty());
    (said && that && rows && is_over(words, at + 1 + one)).then(|| (2 + one, format!("never {}", verb.raw)))
}

/// "The lightest car's make and weight" are the make and the weight of the lightest car.
fn of_whose(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let [end, rows, own @ ..] = words.get(at..)? else { return None };
    let superlative = matches!(lexicon().signal(&end.folded), Some(Signal::Superlative(..)));
    let whose = rows.owns && !rows.pause && is_table(catalogue, rows) && !end.quoted && !end.pause;
    let mut item: Vec<String> = Vec::new();
    for (place, word) in own.iter().enumerate() {
        let joint = is(Some(word), &["and"]) && place > 0;
        if !joint {
            item.push(word.stem.clone());
        }
        let closed = joint || word.pause || place + 1 == own.len();
        if closed && !(item.is_empty() && joint) {
            let found = catalogue.names().find(&std::mem::take(&mut item));
            found.iter().find(|one| matches!(one.thing, Thing::Column(_)))?;
        }
    }
    let said = |word: &Word| format!("{}{}", word.raw, if word.pause && !word.ends { "," } else { "" });
    let own: Vec<String> = own.iter().map(said).collect();
    let own = own.join(" ");
    (superlative && whose && !own.is_empty())
        .then(|| (words.len() - at, format!("{} of the {} {}", own.trim_end_matches(','), end.raw, rows.raw)))
}

/// "Have done at least four treatments", "that broadcast more than two series": they have so many. What was done to the
/// rows, as in "returned more than two orders", says which of them are counted, and stays.
fn only_has(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let verb = words.get(at + 1).filter(|verb| is(Some(verb), &HAVING) && !verb.pause && !named(catalogue, verb))?;
    let have = is(words.get(at), &["have", "has", "had"]);
    let whose = is(words.get(at), &["that", "which", "who"]);
    let bounds = [&["at", "least"], &["at", "most"], &["more", "than"], &["fewer", "than"], &["less", "than"]];
    let bound = |from: usize| bounds.iter().any(|said| (0..2).all(|place| is(words.get(from + place), &[said[place]])));
    let from = at + 2;
    let number = if bound(from) { from + 2 } else { from + usize::from(is(words.get(from), &["exactly", "over"])) };
    count(words.get(number).filter(|_| number > from)?)?;
    let mut rows = words.iter().skip(number + 1).take(ROWS_MAX);
    let any = rows.any(|word| is_table(catalogue, word));
    let deeds = super::verbs::deeds(catalogue, &verb.folded).is_some_and(|deeds| !deeds.is_empty());
    ((have || whose) && any && !deeds).then(|| (2, if whose { "that have" } else { "have" }.to_owned()))
}

/// "Leave out employees without a city" keeps those with a known one.
fn those_without(catalogue: &Catalogue, words: &[Word], at: usize) -> Option<(usize, String)> {
    let out = is(words.get(at), &["leave", "leaving"]) && is(words.get(at + 1), &["out"]);
    let begin = at + 1 + usize::from(out);
    if !(out || is(words.get(at), &LEAVING)) {
        return None;
    }
    let small = ["all", "any", "the", "those", "rows"];
    let mut end = begin + words.iter().skip(begin).take_while(|word| is(Some(word), &small)).count();
    let skipped = end > begin && is(words.get(end - 1), &["those", "rows"]);
    end += usize::from(words.get(end).is_some_and(|word| is_table(catalogue, word)));
    let without =
        LACKING.iter().find(|said| said.iter().enumerate().all(|(place, said)| is(words.get(end + place), &[said])))?;
    let rows = words.get(end - 1).is_some_and(|word| is_table(catalogue, word)) || skipped;
    end += without.len();
    end += usize::from(is(words.get(end), &["a", "an", "any", "the"]));
    let what = words.get(end)?;
    let column = !columns(catalogue, &what.stem).is_empty() && !is_table(catalogue, what);
    (rows && column && is_over(words, end)).then(|| (end + 1 - at, format!("with a known {}", what.raw)))
}

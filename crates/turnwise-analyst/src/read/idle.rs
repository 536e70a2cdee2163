//! Words that say nothing where they stand, and would mean something elsewhere: "has no agent *assigned*", "no phone
//! number *on file*", "did not take a *single* trip", and a second sentence that asks for what a comparison shows
//! anyway. Each is taken away only there, and only where the data has nothing that is called so. Next: `spot`.

use super::super::catalogue::Catalogue;
use super::super::words::Word;

/// Words behind what is lacking that say once more that it is.
const LACKING: [&[&str]; 8] = [
    &["assigned"],
    &["on", "file"],
    &["on", "record"],
    &["recorded"],
    &["at", "all"],
    &["registered"],
    &["listed"],
    &["stored"],
];
/// Words that say that something is lacking.
const NOT: [&str; 9] = ["no", "not", "without", "never", "didnt", "dont", "doesnt", "havent", "hasnt"];
/// Words between that and the end of what is lacking.
const LACKED_MAX: usize = 5;
/// What both sides of a comparison are asked for with.
const BOTH: [&str; 9] = ["averages", "totals", "numbers", "values", "figures", "sums", "counts", "amounts", "results"];

/// Takes away what says nothing.
pub fn drop(catalogue: &Catalogue, words: &mut Vec<Word>) {
    drop_single(catalogue, words);
    drop_behind(catalogue, words);
    drop_both(words);
}

/// How many words stand for nothing, although the same words say something elsewhere: "who created a report" is told
/// by no report that is asked for here, "counting only those" by no count, and "one of A as well as one of B" are two.
/// What would be left out is refused by its name.
pub fn names_nothing(words: &[Word], at: usize) -> usize {
    let said = |at: usize, one: &[&str]| words.get(at).is_some_and(|word| one.contains(&word.folded.as_str()));
    let done = |at: usize| words.get(at).is_some_and(|word| word.folded.ends_with("ed"));
    let another = said(at + 3, &["one", "another", "a", "an"]);
    if said(at, &["as"]) && said(at + 1, &["well"]) && said(at + 2, &["as"]) && another {
        return 3;
    }
    // "Who share a last name", "items from different sellers": rows beside each other.
    let same = said(at + 1, &["a", "an", "same"]) || (said(at + 1, &["the"]) && said(at + 2, &["same"]));
    let together = at > 0
        && ((said(at, &["share", "shares", "sharing"]) && same)
            || (said(at, &["different", "several", "multiple"]) && at > 2 && said(at - 1, &["from"])));
    // "Both A and B but not C": how far the "both" goes is not told.
    let rest = words.get(at + 1..).unwrap_or_default();
    let but_not = |pair: &[Word]| {
        pair[0].folded == "but" && matches!(pair[1].folded.as_str(), "not" | "no" | "never" | "none" | "without")
    };
    let both = said(at, &["both"]) && rest.windows(2).any(but_not);
    // "Not shipped by the required date": a deadline, and nothing to group by.
    let denied = at > 1 && done(at - 1) && said(at - 2, &["not", "isnt", "arent", "wasnt", "werent", "never"]);
    let deadline = words.get(at + 1..(at + 5).min(words.len())).unwrap_or_default();
    let deadline = deadline.iter().any(|word| matches!(word.folded.as_str(), "date" | "deadline" | "due"));
    let by_then = said(at, &["by"]) && denied && deadline;
    let made = at > 1 && said(at, &["report", "reports"]);
    let made = made && ((said(at - 1, &["a", "the", "any"]) && done(at - 2)) || done(at - 1));
    usize::from(made || together || both || by_then || said(at, &["counting"]))
}

/// "Sales per order by year": an order there, and nothing that is put in order.
pub fn is_order_of_each(previous: Option<&Word>, words: &[Word]) -> bool {
    let said = |word: &Word, one: &[&str]| one.contains(&word.folded.as_str());
    previous.is_some_and(|word| said(word, &["per", "each", "every", "an", "average"]))
        && words.first().is_some_and(|word| said(word, &["order"]))
        && words.get(1).is_some_and(|word| said(word, &["by"]))
}

fn is_name(catalogue: &Catalogue, word: &Word) -> bool {
    let stems = std::slice::from_ref(&word.stem);
    !catalogue.names().find(stems).is_empty() || !catalogue.values().find(stems).is_empty()
}

fn lacks(words: &[Word], at: usize) -> bool {
    // "Not registered" is said of the rows, and "no guide registered" of the guide.
    words.iter().take(at).rev().skip(1).take(LACKED_MAX).any(|word| NOT.contains(&word.folded.as_str()))
}

/// "Not a single trip" is none, and "the highest single fare" is the highest.
fn drop_single(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let single = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let article = before.is_some_and(|before| matches!(before.folded.as_str(), "a" | "one"));
        words[*at].folded == "single" && article && lacks(words, *at) && !is_name(catalogue, &words[*at])
    };
    // The highest of all is that of a single one anyway.
    let ends = ["highest", "largest", "biggest", "greatest", "lowest", "smallest"];
    let end = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let said = before.is_some_and(|before| ends.contains(&before.folded.as_str()) && !before.pause);
        words[*at].folded == "single" && said && !words[*at].pause && !is_name(catalogue, &words[*at])
    };
    if let Some(at) = (0..words.len()).find(|at| single(at) || end(at)) {
        words.remove(at);
    }
}

/// "Which department has no head assigned?"
fn drop_behind(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let said = |at: usize| {
        let own = words.get(at..)?;
        let said = LACKING.iter().find(|said| {
            own.len() >= said.len() && said.iter().zip(own).all(|(said, word)| word.folded == *said && !word.quoted)
        })?;
        let named = own.iter().take(said.len()).any(|word| is_name(catalogue, word));
        let end = own.get(said.len() - 1)?;
        let next = own.get(said.len()).map(|word| word.folded.as_str());
        let ends = end.pause || end.ends || matches!(next, None | Some("and" | "or"));
        (at > 1 && ends && !named && lacks(words, at)).then_some(said.len())
    };
    let Some((at, length)) = (0..words.len()).find_map(|at| Some((at, said(at)?))) else { return };
    let gone: Vec<Word> = words.drain(at..at + length).collect();
    if let (Some(before), Some(last)) = (words.get_mut(at - 1), gone.last()) {
        before.pause |= last.pause;
        before.ends |= last.ends;
    }
}

/// "Do men or women earn more? Show both averages": both sides are shown anyway.
fn drop_both(words: &mut Vec<Word>) {
    let Some(end) = words.iter().position(|word| word.ends).filter(|end| end + 1 < words.len()) else { return };
    let (first, second) = words.split_at(end + 1);
    let compares = first.iter().any(|word| matches!(word.folded.as_str(), "or" | "than" | "vs" | "versus"));
    let second: Vec<&str> = second.iter().map(|word| word.folded.as_str()).collect();
    let asks = match second.as_slice() {
        ["show" | "give" | "report" | "list" | "tell", rest @ ..] => match rest {
            ["me", rest @ ..] | rest => {
                matches!(rest, ["both"]) || matches!(rest, ["both", what] if BOTH.contains(what))
            }
        },
        _ => false,
    };
    if compares && asks {
        words.truncate(end + 1);
    }
}

//! Words of a change that say how it relates to what was asked before and nothing else: "the same for Germany", "the
//! year before", "only those with more than 7". They are put into words that are read the same way everywhere. Next:
//! `refine`, which makes the change.

use super::form::{Condition, Filter, QueryForm};
use super::lexicon::Concept;
use super::period::{Grain, Period};

/// Openings that repeat the question, the longest first.
const SAME: [&str; 8] = [
    "do the same but ",
    "do the same ",
    "show the same ",
    "the same thing ",
    "the same but ",
    "the same again ",
    "the same ",
    "same ",
];
/// Words before an opening that say nothing.
const BEFORE: [&str; 4] = ["and ", "now ", "then ", "please "];

/// `change` without what only repeats the question, and with times said backwards put in order.
pub fn plain(change: &str) -> String {
    let mut rest = change.trim().to_owned();
    for word in BEFORE {
        rest = without_opening(&rest, word);
    }
    for opening in SAME {
        let cut = without_opening(&rest, opening);
        if cut != rest {
            rest = cut;
            break;
        }
    }
    for (said, meant) in [
        ("the year before", "last year"),
        ("a year before", "last year"),
        ("a year earlier", "last year"),
        ("the month before", "last month"),
        ("a month earlier", "last month"),
        ("the quarter before", "last quarter"),
        ("a quarter earlier", "last quarter"),
    ] {
        rest = replaced(&rest, said, meant);
    }
    rest
}

fn without_opening(text: &str, opening: &str) -> String {
    match text.get(..opening.len()) {
        Some(start) if start.eq_ignore_ascii_case(opening) => text[opening.len()..].to_owned(),
        _ => text.to_owned(),
    }
}

/// Replaces `said` at the end of `text`, in whatever letters; "the year before 2020" is another time.
fn replaced(text: &str, said: &str, meant: &str) -> String {
    let trimmed = text.trim_end_matches(['?', '.', '!', ' ']);
    let Some(at) = trimmed.len().checked_sub(said.len()) else { return text.to_owned() };
    match trimmed.get(at..) {
        Some(end) if end.eq_ignore_ascii_case(said) => format!("{}{meant}", &trimmed[..at]),
        _ => text.to_owned(),
    }
}

/// Whether "those" here opens a test ("only those with more than 7") and stands for no rows.
pub fn opens_test(folded: &[&str], at: usize) -> bool {
    let tests =
        ["with", "that", "which", "who", "whose", "over", "under", "above", "below", "having", "where", "from", "in"];
    folded.get(at + 1).is_some_and(|next| tests.contains(next))
}

/// "Only those over 7" of numbers by group is a test on the groups' number, where no other number was said.
pub fn tests_groups(form: &QueryForm, other: &mut QueryForm) {
    let Some(measure) = form.measures.first().filter(|_| !form.dimensions.is_empty()) else { return };
    let unsaid = |filter: &Filter| match filter {
        Filter::Number { of, unit: None, .. } => of.words == "amount" && of.concept() == Some(Concept::Money),
        _ => false,
    };
    let (bare, rest): (Vec<Filter>, Vec<Filter>) = std::mem::take(&mut other.filters).into_iter().partition(unsaid);
    other.filters = rest;
    for filter in bare {
        if let Filter::Number { comparator, value, .. } = filter {
            let measure = measure.clone();
            other.notes.push(format!("The limit {value} is one of {}.", measure.of.words));
            other.conditions.push(Condition { measure, comparator, value, average: false });
        }
    }
}

/// "Last year" beside a question about 2024 is the year before that one, and not the last of the data.
pub fn before_it(form: &QueryForm, wanted: &[Period]) -> Option<(Period, String)> {
    let ([own], [Period::Relative { grain, offset: -1 }]) = (form.periods.as_slice(), wanted) else { return None };
    let period = match (own, grain) {
        (Period::Part { year: Some(_), .. }, Grain::Year) => {
            let year = own.year()?.checked_sub(1)?;
            let Period::Part { grain, number, .. } = own else { return None };
            Period::Part { grain: *grain, number: *number, year: Some(year) }
        }
        (Period::Year(_), Grain::Year) | (Period::Part { year: Some(_), .. }, Grain::Month | Grain::Quarter) => {
            own.previous()?
        }
        _ => return None,
    };
    let note =
        format!("“Last {}” is taken as {}, before the {} asked about.", grain.name(), period.label(), own.label());
    Some((period, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_the_question_goes_and_the_rest_stays() {
        for (said, plain_text) in [
            ("the same for Germany", "for Germany"),
            ("And the same but by month?", "by month?"),
            ("compared to the year before?", "compared to last year"),
            ("the year before 2020", "the year before 2020"),
            ("only Canada", "only Canada"),
        ] {
            assert_eq!(plain(said), plain_text);
        }
    }
}

//! An answer to a question with choices: taken by its number, by its place among them, or by words that only one of
//! them has. An answer that is none of them and does not help is told so, and the question stays open. Next: `draft`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, DraftOutcome, Task};

use super::definitions;
use super::words;

/// Places among the choices, from the first.
const PLACES: [&[&str]; 5] = [
    &["first", "1st", "one", "1"],
    &["second", "2nd", "two", "2"],
    &["third", "3rd", "three", "3"],
    &["fourth", "4th", "four", "4"],
    &["fifth", "5th", "five", "5"],
];
/// Words around a choice that say nothing.
const SMALL: [&str; 24] = [
    "the", "a", "an", "date", "day", "time", "please", "by", "use", "take", "i", "mean", "meant", "want", "it", "is",
    "that", "option", "choice", "number", "of", "my", "its", "their",
];

/// What comes of `task`, with its answers taken as the choices they name.
pub fn drafted(task: &Task, draft: impl Fn(&Task) -> DraftOutcome) -> DraftOutcome {
    if task.answers.iter().all(|answer| definitions::meant_of(&answer.topic).is_some()) {
        return draft(task);
    }
    let mut known = Task { answers: Vec::new(), ..task.clone() };
    let mut open = None;
    for (at, answer) in task.answers.iter().enumerate() {
        // Of several answers to one question the last holds.
        if task.answers.iter().skip(at + 1).any(|later| later.topic == answer.topic) {
            continue;
        }
        let (answer, asked) = match choices(&known, answer, &draft) {
            Some(clarification) => match meant(&clarification.choices, &answer.answer) {
                Some(choice) => (ClarifiedAnswer { answer: choice.value.clone(), ..answer.clone() }, None),
                None => (answer.clone(), Some(clarification)),
            },
            None => (answer.clone(), None),
        };
        known.answers.push(answer);
        open = asked;
    }
    let outcome = draft(&known);
    let helps = match (&outcome, task.answers.last()) {
        (DraftOutcome::Impossible { .. }, _) => false,
        (DraftOutcome::Unclear { clarification }, Some(answer)) => clarification.topic != answer.topic,
        (DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. }, _)
        | (DraftOutcome::Unclear { .. }, None) => true,
    };
    match (open, task.answers.last()) {
        (Some(clarification), Some(answer)) if !helps => again(clarification, &answer.answer),
        _ => outcome,
    }
}

/// The question that was answered, where it had choices.
fn choices(known: &Task, answer: &ClarifiedAnswer, draft: impl Fn(&Task) -> DraftOutcome) -> Option<Clarification> {
    if definitions::meant_of(&answer.topic).is_some() {
        return None;
    }
    match draft(known) {
        DraftOutcome::Unclear { clarification } if clarification.topic == answer.topic => {
            Some(clarification).filter(|asked| !asked.choices.is_empty())
        }
        DraftOutcome::Unclear { .. }
        | DraftOutcome::Ready { .. }
        | DraftOutcome::Several { .. }
        | DraftOutcome::Answered { .. }
        | DraftOutcome::Impossible { .. } => None,
    }
}

/// The question once more, where what was said is none of its choices.
pub fn again(clarification: Clarification, said: &str) -> DraftOutcome {
    let question = format!("“{said}” is none of the choices. {}", clarification.question);
    DraftOutcome::Unclear { clarification: Clarification { question, ..clarification } }
}

/// The one choice that was meant.
pub fn meant<'a>(choices: &'a [Choice], said: &str) -> Option<&'a Choice> {
    let same =
        |choice: &&Choice| [&choice.value, &choice.label].iter().any(|own| own.eq_ignore_ascii_case(said.trim()));
    if let Some(choice) = choices.iter().find(same) {
        return Some(choice);
    }
    let stems: Vec<Vec<String>> =
        choices.iter().map(|choice| words::split_name(&format!("{} {}", choice.value, choice.label))).collect();
    let said = words::split_name(said);
    let known = |word: &&String| stems.iter().any(|own| own.contains(word));
    let (telling, rest): (Vec<&String>, Vec<&String>) = said.iter().partition(known);
    let mut rest: Vec<&&String> = rest.iter().filter(|word| !SMALL.contains(&word.as_str())).collect();
    if rest.len() > 1 {
        rest.retain(|word| word.as_str() != "one");
    }
    if let (true, [place]) = (telling.is_empty(), rest.as_slice()) {
        let at = PLACES.iter().position(|words| words.contains(&place.as_str()));
        return if place.as_str() == "last" { choices.last() } else { at.and_then(|at| choices.get(at)) };
    }
    if telling.is_empty() || !rest.is_empty() {
        return None;
    }
    let mut fits = choices.iter().zip(&stems).filter(|(_, own)| telling.iter().all(|word| own.contains(word)));
    let (choice, _) = fits.next()?;
    fits.next().is_none().then_some(choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<String> {
        let labels = ["bookings.booked_on", "bookings.check_in", "bookings.check_out"];
        let choices: Vec<Choice> =
            labels.iter().map(|label| Choice::new((*label).to_owned(), (*label).to_owned())).collect();
        meant(&choices, text).map(|choice| choice.value.clone())
    }

    #[test]
    fn a_choice_is_named_by_its_words_its_place_or_its_number() {
        for text in ["check-in", "check in date", "the second one please", "2", "BOOKINGS.CHECK_IN", "by check_in"] {
            assert_eq!(said(text).as_deref(), Some("bookings.check_in"), "{text}");
        }
        assert_eq!(said("the last").as_deref(), Some("bookings.check_out"));
        assert_eq!(said("booked on").as_deref(), Some("bookings.booked_on"));
    }

    #[test]
    fn what_fits_none_or_several_or_denies_one_is_no_choice() {
        for text in ["check", "both", "whatever", "7", "not the check in", "check in or check out", ""] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}

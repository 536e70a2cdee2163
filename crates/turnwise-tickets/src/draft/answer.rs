//! Answers: one message that fills what was asked for. Numbers and labels say which is which; without them a sentence
//! goes where its words put it, and what they do not place goes to the first that is missing. Next: `extract`.

use super::extract::{clauses, field_of, labelled, place, sentences, take_named};
use super::{Draft, Field};
use crate::words::words;

/// Takes `said` as the answer to what was `asked`, in that order.
pub fn take_answer(draft: &mut Draft, asked: &[Field], said: &str) {
    if tells_nothing(said) {
        return;
    }
    if let Some(parts) = numbered(said) {
        for (number, part) in parts.into_iter().filter(|(_, part)| !is_unknowing(part)) {
            let Some(field) = number.checked_sub(1).and_then(|at| asked.get(at)) else { continue };
            draft.add(*field, part);
        }
        return;
    }
    if let [only] = asked {
        let said = labelled(said).filter(|(field, _)| field == only).map_or(said, |(_, said)| said);
        draft.add(*only, said);
        return;
    }
    let sentences = sentences(said);
    for clause in sentences.iter().flat_map(|sentence| clauses(sentence, &[])) {
        // What says nothing of its place answers the first question that is still open.
        let open = asked.iter().find(|field| draft.missing().contains(field)).copied();
        match (field_of(clause), open) {
            _ if take_named(draft, clause, &[]) => {}
            ((Field::Problem, _), Some(open)) if labelled(clause).is_none() => draft.add(open, clause),
            _ => place(draft, clause),
        }
    }
}

/// Takes `said` as how one sees that each of `items` is done: by their numbers, or without one for all that lack it.
pub fn take_criteria(items: &mut [Draft], said: &str) {
    if tells_nothing(said) {
        return;
    }
    let field = Field::AcceptanceCriteria;
    match numbered(said) {
        Some(parts) => {
            for (number, part) in parts {
                let item = number.checked_sub(1).and_then(|at| items.get_mut(at));
                item.into_iter().for_each(|item| item.add(field, part));
            }
        }
        None => {
            let said = labelled(said).filter(|(named, _)| *named == field).map_or(said, |(_, said)| said);
            items.iter_mut().filter(|item| item.list(field).is_empty()).for_each(|item| item.add(field, said));
        }
    }
}

/// A word alone (“yes”, “ok”) tells nobody what happens or how it is seen, and “I do not know” nothing either; the
/// question stays open.
fn tells_nothing(said: &str) -> bool {
    turnwise_core::text::words(said).len() < ANSWER_WORDS_MIN || is_unknowing(said)
}

fn is_unknowing(said: &str) -> bool {
    words().unknowing.contains(&turnwise_core::text::words(said).join(" "))
}

/// Fewer words than this tell nothing that a ticket could say.
const ANSWER_WORDS_MIN: usize = 2;

/// “1. … 2) …”: the numbers and what stands behind each.
fn numbered(said: &str) -> Option<Vec<(usize, &str)>> {
    let mut starts = Vec::new();
    let mut free = true;
    for (at, letter) in said.char_indices() {
        if free && letter.is_ascii_digit() {
            let digits: String = said[at..].chars().take_while(char::is_ascii_digit).collect();
            let behind = at + digits.len();
            let is_mark = said[behind..].starts_with(['.', ')', ':']);
            let ends = said[behind..].chars().nth(1).is_none_or(char::is_whitespace);
            // “… a 500. It …” counts nothing: numbers of a list follow each other.
            let follows =
                |number: &usize| starts.last().is_none_or(|(last, _, _): &(usize, usize, usize)| *number == last + 1);
            if let (true, true, Some(number)) = (is_mark, ends, digits.parse::<usize>().ok().filter(follows)) {
                starts.push((number, at, behind + 1));
            }
        }
        free = letter.is_whitespace();
    }
    if starts.first().is_none_or(|(_, at, _)| !said[..*at].trim().is_empty()) {
        return None;
    }
    let ends = starts.iter().skip(1).map(|(_, at, _)| *at).chain([said.len()]);
    Some(starts.iter().zip(ends).map(|((number, _, from), to)| (*number, said[*from..to].trim())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: [Field; 2] = [Field::Problem, Field::AcceptanceCriteria];

    #[test]
    fn numbers_labels_and_words_each_say_what_answers_what() {
        for said in [
            "1. Users get a 500. 2. Login works with SSO.",
            "Problem: Users get a 500. Acceptance criteria: Login works with SSO.",
            "Users get a 500. Login works with SSO.",
            "Problem: Users get a 500.; Acceptance criteria: Login works with SSO.",
        ] {
            let mut draft = Draft { title: "Login bug".to_owned(), ..Draft::default() };
            take_answer(&mut draft, &ASKED, said);
            assert_eq!(draft.problem, "Users get a 500.", "{said}");
            assert_eq!(draft.list(Field::AcceptanceCriteria), ["Login works with SSO."], "{said}");
        }
    }

    #[test]
    fn criteria_of_several_go_by_their_numbers_or_to_all() {
        let criteria = |said: &str| {
            let mut items = vec![Draft::default(); 2];
            take_criteria(&mut items, said);
            items.iter().map(|item| item.list(Field::AcceptanceCriteria).to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(criteria("1. It logs in. 2. It holds all rows."), [["It logs in."], ["It holds all rows."]]);
        assert_eq!(criteria("criterion: both are tested"), [["Both are tested"], ["Both are tested"]]);
        assert_eq!(criteria("ok"), [[""; 0], []]);
    }

    #[test]
    fn a_word_alone_is_no_answer() {
        let mut draft = Draft::default();
        for said in ["Yes.", "I do not know", "No idea!"] {
            take_answer(&mut draft, &[Field::Problem], said);
            assert!(draft.problem.is_empty(), "{said}");
        }
        take_answer(&mut draft, &ASKED, "1. Users get a 500. 2. Not sure.");
        assert_eq!(draft.missing(), [Field::Title, Field::AcceptanceCriteria]);
    }

    #[test]
    fn a_single_question_takes_the_whole_answer() {
        let mut draft = Draft::default();
        take_answer(&mut draft, &[Field::AcceptanceCriteria], "error rate is below 1. 5 percent is too much");
        assert_eq!(draft.list(Field::AcceptanceCriteria), ["Error rate is below 1. 5 percent is too much"]);
    }
}

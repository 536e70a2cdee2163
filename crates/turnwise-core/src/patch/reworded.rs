//! Steps that a person reworded where they edited a plan as text: said with their numbers, so that an assistant that
//! can change a single step knows which. To all others it is said without. Next: `channel::plan_text`, which finds
//! them.

use crate::StepId;

/// The change that asks for these steps in other words, and for what the plan is to keep to.
#[must_use]
pub fn asked(steps: &[(StepId, String)], keeps_to: &[String]) -> String {
    let steps = steps.iter().map(|(step, words)| format!("{LEAD}{}: {words}", step.number()));
    let keeps_to = keeps_to.iter().map(|words| format!("{KEEPS_TO}{words}"));
    steps.chain(keeps_to).collect::<Vec<_>>().join("\n")
}

/// What a change asks for, one part after the other; a single one where it was not put together here.
#[must_use]
pub fn parts(change: &str) -> Vec<&str> {
    let begins = |at: &usize| *at == 0 || change[..*at].ends_with('\n');
    let is_part = |at: &usize| read(&change[*at..]).is_some() || change[*at..].starts_with(KEEPS_TO);
    let starts: Vec<usize> = change.char_indices().map(|(at, _)| at).filter(begins).filter(is_part).collect();
    if starts.first() != Some(&0) {
        return vec![change];
    }
    let ends = starts.iter().skip(1).map(|at| at - 1).chain([change.len()]);
    let parts = starts.iter().zip(ends).map(|(start, end)| &change[*start..end]);
    parts.map(|part| part.strip_prefix(KEEPS_TO).unwrap_or(part)).collect()
}

/// The step that a part asks to reword, and what it is to do.
#[must_use]
pub fn read(part: &str) -> Option<(StepId, &str)> {
    let (number, words) = part.strip_prefix(LEAD)?.split_once(": ")?;
    Some((StepId::new(number.parse().ok()?), words.trim()))
}

/// The change without numbers, as a person would say it.
#[must_use]
pub fn in_words(change: &str) -> String {
    let said = parts(change).into_iter().map(|part| read(part).map_or(part, |(_, words)| words));
    said.collect::<Vec<_>>().join(", ")
}

const LEAD: &str = "reword step ";
const KEEPS_TO: &str = "keep to: ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_reworded_is_found_again_by_number_and_told_without() {
        let steps = [(StepId::new(2), "Run `a\nb`".to_owned()), (StepId::new(3), "Write x.txt".to_owned())];
        let change = asked(&steps, &["only 2024".to_owned()]);
        assert_eq!(parts(&change), ["reword step 2: Run `a\nb`", "reword step 3: Write x.txt", "only 2024"]);
        assert_eq!(read(parts(&change)[0]), Some((StepId::new(2), "Run `a\nb`")));
        assert_eq!(in_words(&change), "Run `a\nb`, Write x.txt, only 2024");
        for said in ["only 2024", "step 2: only 2024", "a\nreword step 2: b"] {
            assert_eq!((parts(said), in_words(said)), (vec![said], said.to_owned()));
        }
    }
}

//! How seldom a note stands on a question in which every word counts. Next: `data`.

use turnwise_core::DraftOutcome;

use crate::data::{self, SETS, draft, unused};

/// Notes on all questions of the suites; each names a word that really does nothing. It only falls.
const NOTES_MAX: usize = 1;
/// Questions of the suites that are planned: a refusal has no note either. It only rises; two fell where plans that a
/// second reading doubts began to be asked about.
const PLANNED_MIN: usize = 285;

#[test]
fn questions_whose_words_all_count_have_no_note() {
    let (mut planned, mut noted) = (0, Vec::new());
    for set in SETS.into_iter().map(data::set).chain([data::shop()]) {
        for question in &set.questions {
            match draft(&set.analyst, question) {
                DraftOutcome::Ready { plan, .. } => {
                    planned += 1;
                    noted.extend(unused(&plan).into_iter().map(|note| format!("{}: {question}: {note}", set.name)));
                }
                DraftOutcome::Impossible { .. }
                | DraftOutcome::Unclear { .. }
                | DraftOutcome::Several { .. }
                | DraftOutcome::Answered { .. } => {}
            }
        }
    }
    assert!(planned >= PLANNED_MIN, "{planned} planned");
    assert!(noted.len() <= NOTES_MAX, "{} of {planned} have a note:\n{}", noted.len(), noted.join("\n"));
}

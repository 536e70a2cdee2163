//! Words that are an exemplar word for word. Such a message means what the exemplar's label says: somebody reviewed
//! exactly these words. Without this a head trained on thousands of messages may stay unsure about one that it was
//! taught yesterday. Rules on words still come first, because they know the phase. Next: `reader`.

use std::collections::BTreeMap;

use crate::profile::{Label, Profile};

/// The exemplars of a profile by their words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known(BTreeMap<String, Label>);

impl Known {
    /// Of `profile`. Words that stand under two labels once their spelling is levelled say nothing and are left out.
    pub(crate) fn of(profile: &Profile) -> Self {
        let mut known: BTreeMap<String, Option<Label>> = BTreeMap::new();
        for exemplar in &profile.exemplars {
            let label = known.entry(levelled(&exemplar.text)).or_insert_with(|| Some(exemplar.label.clone()));
            if label.as_ref().is_some_and(|label| *label != exemplar.label) {
                *label = None;
            }
        }
        Self(known.into_iter().filter_map(|(words, label)| Some((words, label?))).collect())
    }

    /// The label of the exemplar that `segment` is.
    pub(crate) fn label(&self, segment: &str) -> Option<&Label> {
        self.0.get(&levelled(segment))
    }
}

/// Lower case, single spaces, and no full stop, comma or exclamation mark at the end; a question mark stays, because it
/// turns an order into a question.
#[must_use]
pub fn levelled(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', ',', '!']).trim_end().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::levelled;

    #[test]
    fn spelling_is_levelled_but_a_question_stays_one() {
        assert_eq!(levelled("  Zap\tIT!. "), "zap it");
        assert_ne!(levelled("zap it?"), levelled("zap it"));
    }
}

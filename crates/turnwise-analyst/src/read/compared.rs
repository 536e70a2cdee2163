//! Comparisons that test no number: of a column that holds texts, and "at least one" before rows that are named by what
//! they are. Next: `tests_on_numbers`.

use super::super::form::Mention;
use super::super::lexicon::Comparator;
use super::super::source::ColumnKind;
use super::slots::Walker;
use super::spot::Spotted;

impl Walker<'_> {
    /// "At least one severe allergy": that there is one such row, which what follows says by itself.
    pub fn is_some_such(&self, comparator: Comparator, value: f64) -> bool {
        let one = comparator == Comparator::AtLeast && (value - 1.0).abs() < f64::EPSILON;
        let such = self.spans.get(self.at + 1).is_some_and(|next| {
            (!next.values.is_empty() || !next.tests.is_empty()) && next.number.is_none() && next.unit.is_none()
        });
        let rows = self.spans.get(self.at + 2).is_some_and(|next| super::qualify::table_of(next).is_some());
        one && such && rows
    }

    /// "The share count is over 50", where that column holds texts: what is tested was named, and is no other number.
    pub fn is_of_text(&mut self, before: usize, value: f64) -> bool {
        let is = |span: &&Spotted| matches!(span.text.to_lowercase().as_str(), "is" | "are" | "was" | "were");
        let Some(place) = before.checked_sub(2).filter(|_| self.spans.get(before - 1).as_ref().is_some_and(is)) else {
            return false;
        };
        let text = |mention: &Mention| {
            let kind = |column| self.catalogue.column(column).kind;
            mention.table().is_none()
                && mention.concept().is_none()
                && mention.columns().next().is_some()
                && mention.columns().all(|column| kind(column) == ColumnKind::Text)
        };
        let last = self.slots.loose.last().filter(|(at, mention)| *at == place && text(mention));
        let Some((_, mention)) = last else { return false };
        let doubt = format!("“{}” holds text, so it cannot be compared with {value}.", mention.words);
        self.slots.doubt.get_or_insert(doubt);
        true
    }
}

//! Two values of one column that stand apart: "in Harbour and in Old Town" means either of them, and "did adults borrow
//! more than children" means two sides. No row has both, so they are never two tests. Next: `place`.

use super::super::form::{Analysis, End, Filter, Found};
use super::super::lexicon::Role;
use super::slots::Walker;
use super::spot::Spotted;

impl Walker<'_> {
    /// The filter that a value found here belongs to, although something stands between the two.
    pub fn other_side(&mut self, found: &[Found], negated: bool) -> Option<usize> {
        let before = self.valued.filter(|_| self.never.is_none())?;
        let between: Vec<&Spotted> = self.spans.iter().take(self.at).skip(before + 1).collect();
        let compared = self.slots.analysis == Analysis::Compare;
        let at = if compared {
            let joined =
                |filter: &Filter| matches!(filter, Filter::Value { words, .. } if words.contains(super::VALUES_JOINED));
            let free = !self.slots.filters.iter().any(joined);
            self.slots.filters.iter().position(|filter| free && is_beside(filter, found, self.end, negated))
        } else {
            let joins = between.iter().all(|span| is_small(span))
                && between.iter().any(|span| matches!(span.role(), Some(Role::And | Role::Or)));
            let last = self.slots.filters.len().checked_sub(1).filter(|_| joins);
            last.filter(|last| is_beside(&self.slots.filters[*last], found, self.end, negated))
        };
        self.slots.sided |= at.is_some() && between.iter().any(|span| span.period.is_some());
        at
    }
}

/// Whether a word between two values only joins them.
fn is_small(span: &Spotted) -> bool {
    let plain = span.period.is_none() && span.number.is_none() && !span.is_unknown();
    plain
        && matches!(
            span.role(),
            Some(Role::And | Role::Or | Role::Ignore | Role::In | Role::Of | Role::With | Role::Group)
        )
}

/// Whether a filter is for other values of the same column, at the same end of a relation.
fn is_beside(filter: &Filter, found: &[Found], end: Option<End>, negated: bool) -> bool {
    let Filter::Value { found: places, negated: same, .. } = filter else { return false };
    let shared = |place: &Found| {
        let other = found.iter().find(|other| other.place == place.place && other.via == place.via);
        other.is_some_and(|other| !other.values.iter().any(|value| place.values.contains(value)))
            && (end.is_none() || place.end == end)
    };
    *same == negated && places.iter().any(shared)
}

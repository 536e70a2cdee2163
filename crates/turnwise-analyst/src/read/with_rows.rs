//! Rows that are to be shown with others: "the 10 largest cities with their country", "with department and job title".
//! Each of the listed rows refers to one of them, which is shown by its name; left out, an answer would lack what was
//! asked for and not say so. Next: `loose`.

use super::super::form::Mention;
use super::super::lexicon::Role;
use super::compose::Composer;
use super::slots::Walker;
use super::spot::Spotted;

/// Small words between "with" and what is shown; "a" would say that there is one.
const BETWEEN: [&str; 7] = ["their", "its", "the", "his", "her", "respective", "all"];

impl Walker<'_> {
    /// Keeps a name that has no part yet.
    pub fn keep_loose(&mut self, mention: Mention) {
        self.note_shown_rows(&mention);
        self.slots.loose.push((self.at, mention));
    }

    /// Notes that rows are to be shown with those that were named before.
    fn note_shown_rows(&mut self, mention: &Mention) {
        let (Some(table), Some(home)) = (mention.only_table(), self.home_before(self.at)) else { return };
        let mut own = self.catalogue.referrers(table).filter(|join| join.from == home && !join.singles_out);
        let one = own.next().is_some() && own.next().is_none();
        let ends = self.spans.get(self.at + 1).is_none_or(|next| {
            matches!(next.role(), Some(Role::And | Role::Sorted | Role::Ascending | Role::Descending)) || next.ends
        });
        let ends = ends || self.spans.get(self.at).is_some_and(|own| own.pause);
        if one && ends && self.is_behind_with() {
            self.slots.shown_rows.push(self.at);
        }
    }

    /// Whether it stands behind "with", by itself or in a list of names.
    fn is_behind_with(&self) -> bool {
        let small = |span: &Spotted| BETWEEN.contains(&span.text.to_lowercase().as_str());
        let before = self.spans.iter().take(self.at).rev();
        let mut passed = before.skip_while(|span| small(span) || span.role() == Some(Role::And) || span.is_name());
        // "Customers with orders and their city": what stands before "with" was named as well, and ends the list.
        let with = passed.next().is_some_and(|span| span.role() == Some(Role::With));
        with && passed.next().is_some()
    }
}

impl Composer<'_> {
    /// Takes the rows that are only shown off the names without a part, where single rows are listed.
    pub fn take_shown_rows(&mut self) -> Vec<Mention> {
        let at = std::mem::take(&mut self.slots.shown_rows);
        let others = |(place, mention): &(usize, Mention)| mention.table().is_some() && !at.contains(place);
        let listed = self.form.subject.is_some() || self.slots.loose.iter().any(others);
        let plain = self.slots.measures.is_empty() && self.slots.dimensions.is_empty() && listed;
        if !plain {
            return Vec::new();
        }
        let loose = std::mem::take(&mut self.slots.loose);
        let (shown, rest): (Vec<_>, Vec<_>) = loose.into_iter().partition(|(place, _)| at.contains(place));
        self.slots.loose = rest;
        shown.into_iter().map(|(_, mention)| mention).collect()
    }
}

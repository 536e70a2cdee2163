//! Numbers of rows that belong to those asked about, several to each: what customers used and what drivers scored in
//! total is added up before it is tested. Next: `tests_on_numbers`.

use super::super::form::Mention;
use super::super::lexicon::Role;
use super::slots::{Asked, Walker};
use super::spot::Spotted;
use super::totals::is_total;

impl Walker<'_> {
    /// "customers who used more than 3000 kWh": what they have used of many rows is added up.
    pub fn is_used_by(&self, of: &Mention) -> bool {
        let small = |span: &&Spotted| !matches!(span.role(), Some(Role::Ignore)) && span.number.is_none();
        let compared =
            |span: &&Spotted| matches!(span.role(), Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost));
        let before = self.spans.iter().take(self.at).rev().filter(small).find(|span| !compared(span));
        let verb = before.is_some_and(|span| {
            (span.role() == Some(Role::Link) && !span.is_name()) || (span.verb && span.signal.is_none())
        });
        verb && self.is_of_rows_below(of)
    }

    /// "Drivers with more than 500 points in total": those of all their results.
    pub fn is_totalled(&self, of: &Mention) -> bool {
        let behind = self.spans.get(self.at + 1);
        behind.is_some_and(is_total) && self.is_of_rows_below(of)
    }

    /// Whether a number is that of rows which belong to those asked about, several to each.
    fn is_of_rows_below(&self, of: &Mention) -> bool {
        let subject = self.slots.loose.iter().find_map(|(_, mention)| mention.table());
        let asked = match &self.slots.asked {
            Some(Asked::Thing(mention)) => mention.table(),
            _ => None,
        };
        let counted = self.slots.counted.as_ref().and_then(Mention::table);
        let home = asked.or(counted).or(subject);
        home.is_some_and(|home| {
            of.columns().all(|column| column.table != home && !self.catalogue.paths(column.table, home).is_empty())
        })
    }
}

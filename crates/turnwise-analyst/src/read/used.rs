//! Numbers of rows that belong to those asked about, several to each: what customers used and what drivers scored in
//! total is added up before it is tested. Next: `tests_on_numbers`.

use super::super::catalogue::Amount;
use super::super::form::{Aggregate, Mention, TableId, Thing};
use super::super::lexicon::{Comparator, Concept, Role};
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::{Asked, Walker};
use super::spot::Spotted;
use super::totals::is_total;

impl Composer<'_> {
    /// "Customers with fewer than 2 orders": those with none are no group of orders, which is said.
    pub fn note_few(&mut self) {
        let few = self.slots.conditions.iter().find(|condition| {
            let least = matches!(condition.comparator, Comparator::Under | Comparator::AtMost);
            least && condition.measure.aggregate == Aggregate::Count && condition.measure.over_groups.is_none()
        });
        if let Some(few) = few {
            let words = &few.measure.of.words;
            let note = format!("Those without any {words} have nothing to be counted and are not among them.");
            self.form.notes.push(note);
        }
    }
}

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

    /// "More than 40 in sales", "over 1000 in payments": the amount of what is named behind, all together.
    pub fn amount_in(&mut self) -> Option<Mention> {
        // "In total sales" begins as "in total" does.
        let within = |span: &&Spotted| span.role() == Some(Role::In) || span.text.eq_ignore_ascii_case("in total");
        self.spans.get(self.at + 1).filter(within)?;
        let sum = usize::from(self.spans.get(self.at + 2).is_some_and(|span| span.role() == Some(Role::Sum)));
        let named = self.spans.get(self.at + 2 + sum).filter(|span| span.period.is_none())?;
        let mention = Mention { words: named.text.clone(), candidates: named.names.clone() };
        let money = mention.concept() == Some(Concept::Money);
        let own = mention.only_table().and_then(|table| {
            let mut amounts = self.catalogue.measures(Concept::Money).iter().filter(|source| source.table == table);
            match (amounts.next().map(|source| &source.amount), amounts.next()) {
                (Some(Amount::Column(column)), None) => Some(*column),
                _ => None,
            }
        });
        let of = match own {
            Some(column) => Mention::of(mention.words, Thing::Column(column)),
            None if money && mention.only_table().is_none() => mention,
            None => return None,
        };
        self.at += 2 + sum;
        self.amount_at = Some(self.at);
        Some(of)
    }

    /// "Drivers with more than 500 points in total": those of all their results.
    pub fn is_totalled(&self, of: &Mention) -> bool {
        let behind = self.spans.get(self.at + 1);
        (behind.is_some_and(is_total) || self.amount_at == Some(self.at)) && self.is_of_rows_below(of)
    }

    /// "By invoiced amount": which amount it is, and no group by the day of it.
    pub fn tells_amount(&mut self, date: &Mention) -> bool {
        let done = date.words.to_lowercase().ends_with("ed") && super::dated::is_time(self.catalogue, date);
        let next = self.spans.get(self.at + 1).filter(|next| done && next.is_name());
        let tells = next.is_some_and(|next| {
            let of = Mention { words: next.text.clone(), candidates: next.names.clone() };
            of.table().is_none() && is_measure(self.catalogue, &of)
        });
        self.slots.context.extend(tells.then(|| date.clone()));
        tells
    }

    /// The table of the rows asked about, as far as the question has named them.
    pub fn rows_asked_about(&self) -> Option<TableId> {
        let asked = match &self.slots.asked {
            Some(Asked::Thing(mention)) => mention.table(),
            Some(Asked::Time(_)) | None => None,
        };
        let counted = self.slots.counted.as_ref().and_then(Mention::table);
        asked.or(counted).or_else(|| self.slots.loose.iter().find_map(|(_, mention)| mention.table()))
    }

    /// Whether a number is that of rows which belong to those asked about, several to each.
    fn is_of_rows_below(&self, of: &Mention) -> bool {
        self.rows_asked_about().is_some_and(|home| {
            of.columns().all(|column| column.table != home && !self.catalogue.paths(column.table, home).is_empty())
        })
    }
}

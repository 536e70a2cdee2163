//! "How many" and what follows it: what is counted, or rows without a word of what they are. Next: `counted`, which
//! decides what a count means.

use super::super::form::{Aggregate, Mention, Thing};
use super::super::lexicon::{Concept, Role};
use super::qualify::table_of;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

/// Whether a phrase begins with what tables consist of.
pub fn says_rows(span: &Spotted) -> bool {
    let first = span.text.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(first.as_str(), "row" | "rows" | "record" | "records" | "entry" | "entries")
}

impl Walker<'_> {
    /// "number of invoices and number of tickets": both are counted.
    pub fn count_next(&mut self) {
        if let Some(counted) = self.slots.counted.take_if(|counted| counted.table().is_some()) {
            self.measure(Aggregate::Count, counted);
        }
        self.slots.counts.push(self.slots.filters.len());
        self.wanted = Wanted::Counted;
    }

    /// "number of rows": of the table named next, or of the only one there is.
    pub fn count_rows(&mut self) {
        let links = [Role::Ignore, Role::Of, Role::In];
        let ahead = self.spans.iter().skip(self.at + 1);
        let next = ahead.clone().find(|span| !span.role().is_some_and(|role| links.contains(&role)));
        let is_table =
            |span: &Spotted| Mention { words: span.text.clone(), candidates: span.names.clone() }.table().is_some();
        self.wanted = if next.is_some_and(is_table) { Wanted::Counted } else { Wanted::Nothing };
        self.slots.rows_counted |= self.wanted == Wanted::Nothing;
    }

    /// "More than 500 dollars of unpaid fees" is a sum over those fees, and no amount of each row asked about.
    pub fn doubt_sum_of_rows(&mut self, of: bool) {
        let money = self.spans[self.at].unit.is_some_and(|unit| unit.concept == Concept::Money);
        let behind = self.spans.iter().skip(self.at + 2).take(2).find(|span| table_of(span).is_some());
        if let Some(rows) = behind.filter(|_| of && money) {
            let (unit, rows) = (&self.spans[self.at].text, &rows.text);
            let text = format!(
                "“{unit} of … {rows}” is a sum over several {rows}, which is not told here: ask for their total first."
            );
            self.slots.doubt.get_or_insert(text);
        }
    }

    /// Rows that were counted without a table are those of the only one.
    pub fn settle_rows(&mut self) {
        if !self.slots.rows_counted || self.slots.counted.is_some() {
            return;
        }
        let mut tables = self.catalogue.tables();
        match (tables.next(), tables.next()) {
            (Some((table, _)), None) => {
                self.slots.counted = Some(Mention::of(self.catalogue.plural(table), Thing::Table(table)));
            }
            _ => {
                let why = "Rows of which table? Name it, as in “number of flights by month”.";
                self.slots.doubt.get_or_insert(why.to_owned());
            }
        }
    }
}

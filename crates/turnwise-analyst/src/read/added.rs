//! Amounts that are added up where nobody says how: "amount billed by month", "kWh per customer", "hours by project".
//! A price, a score or a temperature is asked about instead: their sum means nothing. Next: `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Analysis, Measure, Mention, Thing};
use super::super::lexicon::lexicon;
use super::compose::Composer;
use super::mention::is_measure;

/// Words in the name of a column whose values add up.
const ADDITIVE: [&str; 34] = [
    "amount",
    "revenue",
    "sale",
    "turnover",
    "income",
    "expense",
    "spending",
    "spend",
    "cost",
    "payment",
    "paid",
    "taking",
    "earning",
    "profit",
    "commission",
    "refund",
    "tax",
    "donation",
    "budget",
    "quantity",
    "unit",
    "piece",
    "volume",
    "kwh",
    "mwh",
    "consumption",
    "production",
    "hour",
    "goal",
    "passenger",
    "visitor",
    "attendance",
    "fee",
    "total",
];
/// Words beside them after which they do not.
const AGAINST: [&str; 16] = [
    "per",
    "rate",
    "price",
    "average",
    "avg",
    "mean",
    "percent",
    "pct",
    "ratio",
    "share",
    "limit",
    "max",
    "min",
    "balance",
    "level",
    "unit price",
];

impl Composer<'_> {
    /// Adds up the one amount that was named beside groups.
    pub fn settle_additive(&mut self) {
        let slots = &self.slots;
        let free = slots.measures.is_empty() && slots.aggregate.is_none() && slots.counted.is_none();
        let plain = matches!(slots.analysis, Analysis::Plain) && slots.extreme.is_none() && slots.claim.is_none();
        let each = if slots.per { 1 } else { usize::MAX };
        let grouped = (1..=each).contains(&slots.dimensions.len());
        let ranked = slots.ranking.as_ref().is_none_or(|ranked| ranked.property.is_none() && ranked.by.is_none());
        if !(free && plain && grouped && ranked && slots.asked.is_none()) {
            return;
        }
        let mut numbers = slots.loose.iter().enumerate().filter(|(_, (_, one))| is_measure(self.catalogue, one));
        let (Some((at, (_, number))), None) = (numbers.next(), numbers.next()) else { return };
        if !is_additive(self.catalogue, number) {
            return;
        }
        let (_, of) = self.slots.loose.remove(at);
        self.form.notes.push(format!("“{}” is added up, as nothing else was said.", of.words));
        self.slots.measures.push(Measure::new(Aggregate::Sum, of));
    }
}

/// Whether a number is called so that its values add up.
pub fn is_additive(catalogue: &Catalogue, mention: &Mention) -> bool {
    let columns = mention.candidates.iter().filter_map(|one| match one.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let mut columns = columns.map(|column| catalogue.column(column)).peekable();
    let has = |stems: &[String], words: &[&str]| stems.iter().any(|stem| words.contains(&lexicon().canonical(stem)));
    mention.table().is_none()
        && mention.concept().is_none()
        && columns.peek().is_some()
        && columns.all(|column| column.is_number() && has(&column.stems, &ADDITIVE) && !has(&column.stems, &AGAINST))
}

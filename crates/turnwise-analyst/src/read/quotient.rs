//! One number by another: "fees divided by visits", "ratio of loans to members", "cost per kWh". Both are gathered over
//! the same groups and then divided; which two they are is told by where they stand. Next: `compose`, `steps::ratio`.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{Aggregate, Analysis, Filter, Measure, Mention, Thing};
use super::super::lexicon::{Concept, Role, lexicon};
use super::super::source::ColumnKind;
use super::super::words;
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

const WHICH: &str = "Which two numbers are divided? Name both, as in “ratio of returns to orders” or “revenue \
                     divided by orders”.";

impl Walker<'_> {
    /// "fees divided by visits": the name before and the name behind.
    pub fn divided(&mut self) {
        let before = (0..self.at).rev().find(|at| self.spans.get(*at).is_some_and(is_operand));
        let left = before.and_then(|at| self.operand(at, self.said_before(at)));
        let right = self.operand_behind(self.at + 1);
        self.quotient(left, right);
    }

    /// "ratio of loans to members".
    pub fn ratio(&mut self) {
        let left = self.operand_behind(self.at + 1);
        let Some((left, at)) = left else { return self.quotient(None, None) };
        let joins = |span: &Spotted| span.role() == Some(Role::And) || span.text.eq_ignore_ascii_case("to");
        let right = self.spans.get(at + 1).filter(|span| joins(span)).and_then(|_| self.operand_behind(at + 2));
        self.quotient(Some(left), right);
    }

    /// "cost per kWh": true where both are amounts, and the second is nothing to group by.
    pub fn per_number(&mut self) -> bool {
        let Some(at) = self.at.checked_sub(1).filter(|at| self.spans.get(*at).is_some_and(is_operand)) else {
            return false;
        };
        // "which segment has the highest cost per kWh" is about the highest ratio, not about the highest cost.
        let ranks = self.slots.asked.is_some() && self.slots.extreme.is_some();
        let said = self.said_before(at).filter(|_| !ranks);
        let (Some(left), Some((right, end))) = (self.operand(at, said), self.operand_behind(self.at + 1)) else {
            return false;
        };
        let amounts = is_amount(self.catalogue, &left.of) && is_amount(self.catalogue, &right.of);
        // "Average cost per km" is all of the cost by all of the km.
        let over_all = left.aggregate == Aggregate::Average;
        let averaged = !(over_all || left.aggregate == Aggregate::Sum) || right.aggregate != Aggregate::Sum;
        if !amounts || averaged || left.of == right.of {
            return false;
        }
        if over_all {
            self.slots.notes.push(format!("“{}” in all is divided by “{}” in all.", left.of.words, right.of.words));
        }
        let left = Measure { aggregate: Aggregate::Sum, ..left };
        self.quotient(Some(left), Some((right, end)));
        true
    }

    fn quotient(&mut self, left: Option<Measure>, right: Option<(Measure, usize)>) {
        let (Some(left), Some((right, at))) = (left, right) else {
            self.slots.doubt.get_or_insert(WHICH.to_owned());
            return;
        };
        let is_it = |mention: &Mention| mention.words == left.of.words;
        self.slots.loose.retain(|(_, mention)| !is_it(mention));
        self.slots.measures.retain(|measure| !is_it(&measure.of));
        self.slots.counted.take_if(|counted| is_it(counted));
        self.slots.asked.take_if(|asked| matches!(asked, super::slots::Asked::Thing(mention) if is_it(mention)));
        self.slots.aggregate = None;
        self.only_with_both(&left.of, &right.of);
        self.slots.quotient = Some((left, right));
        self.wanted = Wanted::Nothing;
        self.at = at;
    }

    /// Two numbers of the same rows are divided over the rows that have both: a row without a cost has no cost per km.
    fn only_with_both(&mut self, left: &Mention, right: &Mention) {
        let column = |of: &Mention| match of.best().map(|best| best.thing) {
            Some(Thing::Column(column)) => Some(column),
            Some(Thing::Concept(concept)) => match self.catalogue.measures(concept).first()?.amount {
                Amount::Column(column) => Some(column),
                Amount::Product { .. } | Amount::Difference { .. } => None,
            },
            Some(Thing::Table(_)) | None => None,
        };
        let (Some(one), Some(other)) = (column(left), column(right)) else { return };
        if one.table == other.table {
            let written = |of: &Mention| Filter::Missing { of: of.clone(), negated: true, unwritten: true };
            let both = [written(left), written(right)];
            self.slots.filters.extend(both);
        }
    }

    /// The number a phrase names, gathered as the word before it says: things are counted, numbers added up.
    fn operand(&self, at: usize, said: Option<Aggregate>) -> Option<Measure> {
        let span = self.spans.get(at)?;
        let of = Mention { words: span.text.clone(), candidates: span.names.clone() };
        if let Some(table) = of.table().filter(|_| of.concept().is_none()) {
            // "total payments" is their money, as everywhere.
            if said == Some(Aggregate::Sum) {
                let money = super::super::resolve::is_money_table(self.catalogue, table);
                return money.then(|| Measure::new(Aggregate::Sum, of));
            }
            return Some(Measure::new(Aggregate::Count, of));
        }
        is_measure(self.catalogue, &of).then(|| Measure::new(said.unwrap_or(Aggregate::Sum), of))
    }

    fn said_before(&self, at: usize) -> Option<Aggregate> {
        let before =
            self.spans.iter().take(at).rev().find(|span| !matches!(span.role(), Some(Role::Ignore | Role::Of)))?;
        gathers(before)
    }

    fn operand_behind(&self, from: usize) -> Option<(Measure, usize)> {
        let mut said = None;
        for (at, span) in self.spans.iter().enumerate().skip(from) {
            match span.role() {
                _ if is_operand(span) => return self.operand(at, said).map(|measure| (measure, at)),
                Some(Role::Ignore | Role::Of | Role::Count) => {}
                Some(_) if gathers(span).is_some() => said = gathers(span),
                _ => return None,
            }
        }
        None
    }
}

fn is_operand(span: &Spotted) -> bool {
    span.is_name() && !span.verb && span.number.is_none() && span.period.is_none()
}

fn gathers(span: &Spotted) -> Option<Aggregate> {
    match span.role()? {
        Role::Sum => Some(Aggregate::Sum),
        Role::Average => Some(Aggregate::Average),
        Role::Median => Some(Aggregate::Median),
        Role::Highest => Some(Aggregate::Maximum),
        Role::Lowest => Some(Aggregate::Minimum),
        _ => None,
    }
}

/// Whether a number is measured rather than counted or a category: nobody groups by it.
fn is_amount(catalogue: &Catalogue, mention: &Mention) -> bool {
    if mention.table().is_some() {
        return false;
    }
    match mention.best().map(|best| best.thing) {
        Some(Thing::Column(column)) => {
            let entry = catalogue.column(column);
            let measured =
                entry.stems.len() > 1 && entry.stems.last().is_some_and(|last| lexicon().is_measured_in(last));
            // "price per page", of a column that counts pages.
            let last = entry.name.rsplit(|c: char| !c.is_alphanumeric()).next().map(words::fold).unwrap_or_default();
            let counts = !last.is_empty() && words::singular(&last) != last;
            entry.kind == ColumnKind::Real || (entry.is_number() && (measured || counts))
        }
        Some(Thing::Concept(concept)) => matches!(concept, Concept::Money | Concept::Quantity | Concept::Price),
        Some(Thing::Table(_)) | None => false,
    }
}

impl Composer<'_> {
    /// Both numbers are asked for, and divided at the end.
    pub fn settle_quotient(&mut self) {
        let Some((left, right)) = self.slots.quotient.take() else { return };
        if !self.slots.measures.is_empty() {
            self.read
                .doubt
                .get_or_insert("A ratio and another number cannot be had at once: ask for one of them.".to_owned());
        }
        self.slots.measures = vec![left, right];
        self.slots.analysis = Analysis::Ratio;
    }
}

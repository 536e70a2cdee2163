//! Numbers that are gathered twice: "average sales per customer" adds up and then averages, and "average total fee per
//! patient by city" does so within each city. Next: `compose`; `resolve::groups` for who is averaged over.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{Aggregate, Analysis, Dimension, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::Concept;
use super::super::words;
use super::compose::Composer;

const ONE_AT_A_TIME: &str = "An average per one thing and by another cannot be had at once here: ask for one of them, \
                             or limit the other to a value.";

impl Composer<'_> {
    /// "average sales per customer", "average tracks per album", "average total fee per patient".
    pub fn settle_again(&mut self) {
        let several = self.slots.dimensions.len() > 1;
        let per_group = self.slots.per && !self.slots.dimensions.is_empty() && self.form.ranking.is_none();
        if per_group {
            self.average_amount();
        }
        let Some(measure) = self.slots.measures.first_mut() else { return };
        let averaged = matches!(measure.aggregate, Aggregate::Average | Aggregate::Median);
        if self.slots.inner_sum && averaged && measure.over_groups.is_none() {
            if !per_group {
                let text = "The average of which totals? Say it with “per”, as in “average total fee per patient”.";
                self.read.doubt.get_or_insert(text.to_owned());
                return;
            }
            measure.over_groups = Some(measure.aggregate);
            measure.aggregate = Aggregate::Sum;
        }
        let amounts = |concept| matches!(concept, Concept::Money | Concept::Quantity);
        let gathered_again = measure.aggregate == Aggregate::Average
            && super::per_row::rows_of(self.catalogue, measure).is_none()
            && (measure.of.concept().is_some_and(amounts) || measure.of.table().is_some());
        if per_group && gathered_again {
            let counted = measure.of.table().is_some() && measure.of.concept().is_none();
            measure.aggregate = if counted { Aggregate::Count } else { Aggregate::Sum };
            measure.over_groups = Some(Aggregate::Average);
        }
        if several && per_group {
            self.settle_within();
        }
    }

    /// "Average fine per reason": of what is money by itself, that is averaged, where several would be counted.
    fn average_amount(&mut self) {
        let catalogue = self.catalogue;
        let Some(measure) = self.slots.measures.first_mut() else { return };
        let (Some(table), Aggregate::Average) = (measure.of.table(), measure.aggregate) else { return };
        let last = measure.of.words.rsplit(' ').next().unwrap_or_default().to_lowercase();
        if words::singular(&last) != last || self.slots.distinct {
            return;
        }
        let own = catalogue.measures(Concept::Money).iter().filter(|source| source.table == table);
        let mut amounts = own.filter_map(|source| match source.amount {
            Amount::Column(column) if column.table == table => Some((column, source.score)),
            Amount::Column(_) | Amount::Product { .. } | Amount::Difference { .. } => None,
        });
        let said = &measure.of.words;
        match (amounts.next(), amounts.next()) {
            (Some((best, score)), next) if next.is_none_or(|(_, other)| other < score) => {
                let note = format!("“Average {said}” is that of {}.", catalogue.column_label(best));
                self.form.notes.push(note);
                measure.of = Mention::of(said.clone(), Thing::Column(best));
            }
            _ => {
                let plural = catalogue.plural(table);
                let text = format!(
                    "“Average {said}” of what? Say “average number of {plural}” for how many there are, or name the number."
                );
                self.read.doubt.get_or_insert(text);
            }
        }
    }

    /// "average number of loans per member by category": over the members within each category. What is no average by
    /// its words is one where the group is a property of those it is per: "loans per member by category".
    fn settle_within(&mut self) {
        let averaged = self.slots.measures.first().and_then(|measure| measure.over_groups);
        let Some(per) = self.slots.per_of.clone() else {
            if averaged.is_some() {
                self.read.doubt.get_or_insert(ONE_AT_A_TIME.to_owned());
            }
            return;
        };
        let by = &self.slots.by_of;
        let is_within = |dimension: &Dimension| match dimension {
            Dimension::Time(_) => true,
            Dimension::Thing(mention) => *mention == per || by.contains(mention),
        };
        let apart = self.slots.dimensions.iter().all(is_within);
        let sums = self.slots.measures.first().is_some_and(|measure| {
            matches!(measure.aggregate, Aggregate::Count | Aggregate::Sum) && self.slots.analysis == Analysis::Plain
        });
        let plain = self.slots.measures.len() == 1 && self.slots.conditions.is_empty();
        match averaged {
            Some(Aggregate::Average) if apart && plain && !self.slots.twice_per => {}
            Some(_) => {
                self.read.doubt.get_or_insert(ONE_AT_A_TIME.to_owned());
                return;
            }
            None if apart && plain && sums && self.belongs(&per) => {
                let (of, words) = (&self.slots.measures[0].of.words, per.words.clone());
                self.form.notes.push(format!("“{of} per {words}” is the average over each {words}, in each group."));
                self.slots.measures[0].over_groups = Some(Aggregate::Average);
            }
            None => return,
        }
        self.slots.dimensions.sort_by_key(|dimension| *dimension != Dimension::Thing(per.clone()));
    }

    /// Whether all other groups are properties of what the number is per.
    fn belongs(&self, per: &Mention) -> bool {
        let Some(table) = per.only_table() else { return false };
        self.slots.dimensions.iter().all(|dimension| match dimension {
            Dimension::Time(_) => false,
            Dimension::Thing(mention) if mention == per => true,
            Dimension::Thing(mention) => mention.best().is_some_and(|best| match best.thing {
                Thing::Table(other) => other != table && !self.catalogue.paths(table, other).is_empty(),
                Thing::Column(column) => column.table == table || !self.catalogue.paths(table, column.table).is_empty(),
                Thing::Concept(_) => false,
            }),
        })
    }
}

/// "Average goals per match", of goals that each match has: the average over all matches.
pub fn average_of_own(catalogue: &Catalogue, per: bool, form: &mut QueryForm) {
    let [measure] = form.measures.as_slice() else { return };
    let plain = per && form.ranking.is_none() && form.analysis == Analysis::Plain && form.conditions.is_empty();
    if !plain || measure.aggregate != Aggregate::Average || measure.over_groups.is_some() {
        return;
    }
    let Some(table) = home_of(catalogue, measure) else { return };
    let own = |dimension: &Dimension| matches!(dimension, Dimension::Thing(group) if group.only_table() == Some(table));
    let Some(at) = form.dimensions.iter().position(own) else { return };
    let rows = catalogue.plural(table);
    form.notes.push(format!("Each of the {rows} has one “{}”, so the average is over all of them.", measure.of.words));
    if let Dimension::Thing(group) = form.dimensions.remove(at) {
        form.context.push(group);
    }
}

/// The one table whose rows have the number.
fn home_of(catalogue: &Catalogue, measure: &Measure) -> Option<TableId> {
    if measure.of.table().is_some() {
        return None;
    }
    let of = match measure.of.best()?.thing {
        Thing::Column(column) => column.table,
        Thing::Concept(concept) => match catalogue.measures(concept).first()?.amount {
            Amount::Column(column) => column.table,
            Amount::Product { .. } | Amount::Difference { .. } => return None,
        },
        Thing::Table(_) => return None,
    };
    let best = measure.of.best()?.score;
    let rival = |column: super::super::form::ColumnId, score: u32| column.table != of && score + 5 >= best;
    let unsure = measure.of.candidates.iter().any(|candidate| match candidate.thing {
        Thing::Column(column) => rival(column, candidate.score),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    (!unsure).then_some(of)
}

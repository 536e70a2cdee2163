//! "Average order value", where not the orders but their lines have the values: it is added up for each order before
//! it is averaged. An average of the lines would look like an answer and be another number. Next: `again`, for what is
//! said to be "per order".

use std::collections::BTreeSet;

use super::super::catalogue::{Catalogue, plural};
use super::super::form::{Aggregate, Candidate, Dimension, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Concept, lexicon};
use super::super::words::{self, Word};
use super::compose::Composer;
use super::slots::Walker;
use super::spot::Spotted;

/// What rows have of money, behind the name of the rows.
const WORTH: [&str; 5] = ["value", "amount", "total", "worth", "revenue"];
/// How well a table has to be named: by the last word of its name at least.
const NAMED: u32 = 60;
/// What gathers a number.
const GATHERED: [&str; 7] = ["average", "mean", "median", "highest", "lowest", "maximum", "minimum"];
/// Words before the rows that a value is said to be of.
const ONE: [&str; 4] = ["a", "an", "each", "one"];

impl Walker<'_> {
    /// Whether two things are said in the same way to be what a number is for each of: "per order" and "for each year"
    /// are told apart.
    pub fn says_per(&mut self, per: bool) {
        self.slots.twice_per |= self.slots.per && self.slots.per_said == per;
        (self.slots.per, self.slots.per_said) = (true, per || self.slots.per_said);
        self.per_next = true;
        self.per_word = per;
    }

    /// What was said behind "per" or "for each". A number is one per what stands behind "per", within the rest.
    pub fn per(&mut self, mention: &Mention) {
        match &mut self.slots.per_of {
            Some(_) if !self.per_word && self.slots.per_said => self.slots.by_of.push(mention.clone()),
            of => {
                let before = of.replace(mention.clone()).filter(|_| self.per_word);
                self.slots.by_of.extend(before);
            }
        }
    }
}

/// Verbs that say that somebody paid.
const PAID: [&str; 5] = ["paid", "pay", "pays", "payed", "paying"];
const PAYMENT: &str = "payment";

impl Walker<'_> {
    /// What was paid is told by the payments, where there are any, and not by what was to be paid.
    pub fn pays(&mut self, span: &Spotted) {
        if !PAID.contains(&span.text.to_lowercase().as_str()) {
            return;
        }
        let money = self.catalogue.measures(Concept::Money);
        let paid = |table: TableId| self.catalogue.table(table).stems.last().is_some_and(|stem| stem == PAYMENT);
        let tables: BTreeSet<TableId> = money.iter().map(|source| source.table).filter(|table| paid(*table)).collect();
        if let (Some(table), 1) = (tables.first(), tables.len()) {
            self.slots.paid = Some(*table);
        }
    }
}

impl Composer<'_> {
    /// "Total amount paid": the amount of the payments.
    fn settle_paid(&mut self, form: &mut QueryForm) {
        let Some(table) = self.slots.paid else { return };
        let conditions = form.conditions.iter().map(|condition| &condition.measure);
        let is_money = |measure: &Measure| {
            let elsewhere = measure.of.columns().any(|column| column.table != table);
            measure.of.concept() == Some(Concept::Money)
                || (measure.of.columns().any(|column| column.table == table) && elsewhere)
        };
        if form.measures.iter().chain(conditions).any(is_money) {
            form.context.push(Mention::of(self.catalogue.plural(table), Thing::Table(table)));
        }
    }

    /// Gathers what each row has before it is averaged, or says that it cannot be had.
    pub fn settle_worth(&mut self, form: &mut QueryForm) {
        self.settle_paid(form);
        let alone = form.dimensions.is_empty() && form.ranking.is_none() && form.conditions.is_empty();
        let single = form.measures.len() == 1 && alone;
        let mut doubt = None;
        let conditions = form.conditions.iter_mut().map(|condition| &mut condition.measure);
        for measure in form.measures.iter_mut().chain(conditions) {
            let Some(rows) = rows_of(self.catalogue, measure) else { continue };
            let noun = match rows {
                Thing::Column(column) => self.catalogue.column(column).noun(),
                Thing::Table(table) => self.catalogue.table(table).noun(),
                Thing::Concept(_) => continue,
            };
            match measure.aggregate {
                Aggregate::Average => {
                    measure.aggregate = Aggregate::AverageEach;
                    measure.with = Some(Mention::of(noun, rows));
                }
                outer if single => {
                    (measure.aggregate, measure.over_groups) = (Aggregate::Sum, Some(outer));
                    form.dimensions.push(Dimension::Thing(Mention::of(noun, rows)));
                }
                _ => {
                    let (words, plural) = (&measure.of.words, plural(&noun));
                    doubt = Some(format!(
                        "“{words}” is held by parts of the {plural}, so an end or a middle of it cannot be had in groups \
                         here: ask for “sales per {noun}”."
                    ));
                }
            }
        }
        if let Some(doubt) = doubt {
            self.read.doubt.get_or_insert(doubt);
        }
    }
}

/// "Average order total", where no order has a total of its own: what its lines come to.
fn put_total(catalogue: &Catalogue, words: &mut [Word]) {
    for at in 1..words.len().saturating_sub(1) {
        let [gathered, noun, total, ..] = &words[at - 1..] else { return };
        let valued = lexicon().concept(&format!("{} value", noun.stem)).is_some();
        let said = GATHERED.contains(&gathered.folded.as_str()) && total.folded == "total" && !noun.pause;
        let tables = catalogue.names().find(std::slice::from_ref(&noun.stem));
        let mut tables = tables.iter().filter_map(|one| match one.thing {
            Thing::Table(table) => Some(catalogue.table(table)),
            Thing::Column(_) | Thing::Concept(_) => None,
        });
        let own =
            tables.any(|table| table.columns.iter().any(|column| column.stems.iter().any(|stem| stem == "total")));
        if said && valued && !own {
            let (pause, ends) = (total.pause, total.ends);
            for value in words::split("value") {
                words[at + 1] = Word { pause, ends, ..value };
            }
        }
    }
}

/// "The value of an order" is the order value.
pub fn put_before(catalogue: &Catalogue, words: &mut Vec<Word>) {
    put_total(catalogue, words);
    let said = |word: &Word, one: &[&str]| one.contains(&word.folded.as_str()) && !word.pause && !word.quoted;
    let valued = |group: &[Word]| match group {
        [value, of, one, noun] => {
            let whole = format!("{} {}", noun.stem, value.stem);
            said(value, &WORTH) && said(of, &["of"]) && said(one, &ONE) && lexicon().concept(&whole).is_some()
        }
        _ => false,
    };
    while let Some(at) = words.windows(4).position(valued) {
        let value = words.remove(at);
        words.drain(at..at + 2);
        let pause = std::mem::take(&mut words[at].pause);
        let ends = std::mem::take(&mut words[at].ends);
        words.insert(at + 1, Word { pause, ends, ..value });
    }
}

/// The rows that a number is said to be the value of, where others, several to each, have it.
pub fn rows_of(catalogue: &Catalogue, measure: &Measure) -> Option<Thing> {
    let gathered = matches!(
        measure.aggregate,
        Aggregate::Average
            | Aggregate::Median
            | Aggregate::Minimum
            | Aggregate::Maximum
            | Aggregate::Deviation
            | Aggregate::Percentile(_)
    );
    let plain = measure.over_groups.is_none() && measure.with.is_none() && measure.of.table().is_none();
    let stems: Vec<String> = words::split(&measure.of.words).into_iter().map(|word| word.stem).collect();
    let (last, noun) = stems.split_last().filter(|_| gathered && plain)?;
    if noun.is_empty() || !WORTH.contains(&last.as_str()) {
        return None;
    }
    let named = catalogue.names().find(noun);
    let tables = named.iter().filter(|one| one.score >= NAMED).filter_map(|one| match one.thing {
        Thing::Table(table) => Some((one.score, table)),
        Thing::Column(_) | Thing::Concept(_) => None,
    });
    let Some((_, table)) = tables.max() else { return listed_by_id(catalogue, measure, &named) };
    let concept = measure.of.concept();
    let sources = concept.map(|concept| catalogue.measures(concept)).unwrap_or_default();
    let own =
        measure.of.columns().any(|column| column.table == table) || sources.iter().any(|source| source.table == table);
    let home = match measure.of.best()?.thing {
        Thing::Column(column) => column.table,
        Thing::Concept(_) => sources.first()?.table,
        Thing::Table(_) => return None,
    };
    (!own && home != table && !catalogue.paths(home, table).is_empty()).then_some(Thing::Table(table))
}

/// The rows that several rows of one table belong to, where they have no table of their own: `Order ID` of a sheet with
/// the lines of the orders.
fn listed_by_id(catalogue: &Catalogue, measure: &Measure, named: &[Candidate]) -> Option<Thing> {
    let home = match measure.of.best()?.thing {
        Thing::Column(column) => column.table,
        Thing::Concept(concept) => catalogue.measures(concept).first()?.table,
        Thing::Table(_) => return None,
    };
    let entry = catalogue.table(home);
    let mut ids = named.iter().filter_map(|one| match one.thing {
        Thing::Column(column) if column.table == home && entry.columns[column.column].is_id() => Some(column),
        _ => None,
    });
    let id = ids.next()?;
    let several = entry.columns[id.column].distinct.is_some_and(|distinct| distinct < entry.rows);
    (several && entry.key != Some(id.column)).then_some(Thing::Column(id))
}

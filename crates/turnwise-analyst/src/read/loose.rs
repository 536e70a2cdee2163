//! Names that found no part while the words were walked over: beside numbers they decide between readings or group,
//! without numbers they are what is listed or counted. Next: `resolve`.

use super::super::catalogue::{Amount, Catalogue, ColumnPart, Display};
use super::super::form::{
    Aggregate, Analysis, Candidate, ColumnId, Dimension, Filter, Found, Measure, Mention, TableId, Thing,
};
use super::super::lexicon::Concept;
use super::compose::{Composer, is_date};
use super::mention::is_measure;
use super::qualify::is_verbal;
use super::slots::Ranked;

/// Fit from which on a name that stands by itself is grouped by.
const GROUPED_MIN: u32 = 60;

/// Rows that are money by what they are called: without a word for their number, what they come to is meant.
const MONEY: [&str; 10] = ["fee", "fine", "donation", "expense", "cost", "charge", "tip", "wage", "salary", "bonus"];

impl Composer<'_> {
    /// Names that found no part: with numbers they decide between readings, without they are what is listed.
    pub fn settle_loose(&mut self) {
        self.count_numbers();
        let beside = std::mem::take(&mut self.slots.beside);
        for mention in beside {
            // Where nothing is grouped, "customers and their revenue" lists customers.
            if self.slots.dimensions.is_empty() || self.form.ranking.is_some() {
                self.slots.loose.push((0, mention));
            } else {
                self.form.notes.push(format!("“{}” are counted, as no number of theirs was named.", mention.words));
                self.slots.measures.push(Measure::new(Aggregate::Count, mention));
            }
        }
        self.doubt_two_lists();
        let shown = self.take_shown_rows();
        self.form.attributes.extend(shown);
        let loose: Vec<Mention> =
            std::mem::take(&mut self.slots.loose).into_iter().map(|(_, mention)| mention).collect();
        let grouped = !self.slots.dimensions.is_empty();
        if self.slots.measures.is_empty()
            && grouped
            && self.form.ranking.is_none()
            && let Some(at) = loose.iter().position(|mention| mention.table().is_some())
        {
            return self.count_of(loose, at);
        }
        if !self.slots.measures.is_empty() || grouped {
            return self.settle_beside_numbers(loose);
        }
        let studied = !matches!(self.slots.analysis, Analysis::Plain);
        if let Some(at) = loose.iter().position(|mention| mention.table().is_some()).filter(|_| studied) {
            return self.count_of(loose, at);
        }
        let mut rest = Vec::new();
        for mention in loose {
            match (mention.table(), &self.form.subject) {
                (Some(_), None) => self.form.subject = Some(mention),
                (Some(_), Some(_)) => self.form.context.push(mention),
                (None, _) => rest.push(mention),
            }
        }
        if self.form.subject.is_none() {
            self.list_values(rest);
        } else {
            self.form.attributes.extend(rest);
        }
    }

    /// "The change in ticket numbers from 2023 to 2024": how many there are, and not what is printed on them.
    fn count_numbers(&mut self) {
        let studied = !matches!(self.slots.analysis, Analysis::Plain);
        if !studied || !self.slots.measures.is_empty() {
            return;
        }
        for (_, mention) in &mut self.slots.loose {
            let key = mention.columns().find(|column| self.catalogue.column(*column).part == ColumnPart::Key);
            if let (Some(key), true) = (key, mention.words.to_lowercase().ends_with(" numbers")) {
                *mention = Mention::of(mention.words.clone(), Thing::Table(key.table));
            }
        }
    }

    /// "The phones of all customers and staff": two lists, and the second must not be taken for a limit of the first.
    fn doubt_two_lists(&mut self) {
        let plain = self.slots.measures.is_empty() && self.slots.dimensions.is_empty() && self.form.ranking.is_none();
        let studied = self.slots.analysis != Analysis::Plain;
        let pair = self.slots.loose.windows(2).find_map(|pair| match pair {
            [(at, one), (next, other)] if *next == at + 2 && self.slots.ands.contains(&(at + 1)) => {
                (one.only_table()? != other.only_table()?).then_some((one, other))
            }
            _ => None,
        });
        if let Some((one, other)) = pair.filter(|_| plain && !studied) {
            let text = format!(
                "“{0}” and “{1}” are two lists: ask for one at a time, or for one with what belongs to it, as in “{0} and \
                 their {1}”.",
                one.words, other.words
            );
            self.read.doubt.get_or_insert(text);
        }
    }

    /// "invoices per account, highest first": their number is what is sorted by.
    pub fn count_sorted(&mut self, ranked: &Ranked) {
        let sorts = ranked.words == "sorted" && ranked.by.is_none() && ranked.property.is_none();
        let grouped = !self.slots.dimensions.is_empty() && self.slots.measures.is_empty();
        let table = self.slots.loose.iter().position(|(_, mention)| mention.table().is_some());
        if let Some(at) = table.filter(|_| sorts && grouped) {
            let of = self.slots.loose.remove(at).1;
            self.form.notes.push(format!("“{}” are counted, as no number of theirs was named.", of.words));
            self.slots.measures.push(Measure::new(Aggregate::Count, of));
        }
    }

    /// "flights by hour", "trend of orders": their number is meant.
    fn count_of(&mut self, mut loose: Vec<Mention>, at: usize) {
        let of = loose.remove(at);
        if let Some(amount) = of.only_table().and_then(|table| own_money(self.catalogue, table)) {
            self.form.notes.push(format!("“{}” are added up, not counted.", of.words));
            let thing = Thing::Column(amount);
            self.slots.measures.push(Measure::new(Aggregate::Sum, Mention::of(of.words, thing)));
        } else {
            self.form.notes.push(format!("“{}” are counted, as no number of theirs was named.", of.words));
            self.slots.measures.push(Measure::new(Aggregate::Count, of));
        }
        self.settle_beside_numbers(loose);
    }

    fn settle_beside_numbers(&mut self, loose: Vec<Mention>) {
        for mention in loose {
            if mention.table().is_some() {
                self.form.context.push(mention);
            } else if is_verbal(&mention.words) {
                // "employees who report to each manager": the verb says how, and the group says who.
                self.form.context.push(mention);
            } else if is_measure(self.catalogue, &mention) {
                self.read.ungathered.get_or_insert(mention.words);
            } else if mention.candidates.iter().all(|candidate| candidate.score < GROUPED_MIN) {
                // A part of a name says what the rows are about; it takes more to make groups of it.
                self.form.notes.push(format!("“{}” is taken to say no more than what the rows are.", mention.words));
                self.form.context.push(mention);
            } else if mention.columns().any(|column| is_date(self.catalogue, column)) {
                self.form.attributes.push(mention);
            } else {
                self.slots.dimensions.push(Dimension::Thing(mention));
            }
        }
    }

    /// "list all countries", "what is the email of Luis Rojas", "flight delays by month".
    fn list_values(&mut self, rest: Vec<Mention>) {
        let number = rest.iter().find(|mention| is_measure(self.catalogue, mention));
        if let Some(number) = number {
            self.read.ungathered = Some(number.words.clone());
        }
        let mut owners = self.named_rows();
        owners.retain(|table| {
            !rest.is_empty() && rest.iter().all(|mention| mention.columns().any(|column| column.table == *table))
        });
        match owners.first() {
            Some(&table) => {
                let name = self.catalogue.table(table).noun();
                let named = owners.iter().map(|&table| Candidate { thing: Thing::Table(table), score: 100 });
                self.form.subject = Some(Mention { words: name, candidates: named.collect() });
                self.form.attributes.extend(rest);
                self.read.ungathered = None;
                self.by_name_of(&owners);
            }
            None => self.slots.dimensions.extend(rest.into_iter().map(Dimension::Thing)),
        }
    }

    /// What names one of the rows asked about is their name, wherever else the same word stands.
    fn by_name_of(&mut self, owners: &[TableId]) {
        for filter in &mut self.slots.filters {
            let Filter::Value { found, .. } = filter else { continue };
            let names =
                |found: &Found| named_by(self.catalogue, found.place).is_some_and(|table| owners.contains(&table));
            if found.iter().any(names) {
                found.retain(names);
            }
        }
    }

    /// The tables a row of which is named by a value: "Luis Rojas" is a customer, and may be an employee as well.
    fn named_rows(&self) -> Vec<TableId> {
        let places = self.slots.filters.iter().filter_map(|filter| match filter {
            Filter::Value { found, .. } => Some(found.iter().map(|found| found.place)),
            Filter::Number { .. }
            | Filter::Missing { .. }
            | Filter::Flag { .. }
            | Filter::Lacks { .. }
            | Filter::Among { .. }
            | Filter::Never { .. }
            | Filter::Some { .. }
            | Filter::Average { .. }
            | Filter::End { .. }
            | Filter::Weekdays { .. }
            | Filter::Outside { .. }
            | Filter::Dated { .. }
            | Filter::Text { .. }
            | Filter::Either { .. }
            | Filter::During { .. } => None,
        });
        let mut tables: Vec<TableId> = places.flatten().filter_map(|place| named_by(self.catalogue, place)).collect();
        tables.sort_unstable();
        tables.dedup();
        tables
    }
}

/// The one amount of rows that are money themselves: of fees, fines, donations.
fn own_money(catalogue: &Catalogue, table: TableId) -> Option<ColumnId> {
    let is_money = catalogue.table(table).stems.last().is_some_and(|noun| MONEY.contains(&noun.as_str()));
    let mut amounts = catalogue.measures(Concept::Money).iter().filter(|source| source.table == table);
    match (is_money, amounts.next().map(|source| &source.amount), amounts.next()) {
        (true, Some(Amount::Column(column)), None) => Some(*column),
        _ => None,
    }
}

/// The table whose rows are called by what stands in `place`.
fn named_by(catalogue: &Catalogue, place: Thing) -> Option<TableId> {
    match place {
        Thing::Table(table) => Some(table),
        Thing::Column(column) => {
            let display = &catalogue.table(column.table).display;
            (*display == Display::Column(column.column)).then_some(column.table)
        }
        Thing::Concept(_) => None,
    }
}

//! The columns that hold a property a ranking goes by: of "longest" the length, of "oldest" the age, of "last" the
//! date. Next: `compose`.

use super::super::catalogue::{Amount, Catalogue, ColumnPart, MeasureSource};
use super::super::form::{Aggregate, Candidate, ColumnId, Dimension, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::Concept;
use super::compose::Composer;

/// Fit of any column that says how large something is.
const SIZE_FIT: u32 = 80;

/// What cannot be told of the numbers of a form, each by itself or as one of two tables.
pub fn unclear(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    super::totals::each_alone(catalogue, form).or_else(|| of_referred(catalogue, form))
}

/// "Which capital has the smallest population", where states have a population and so have the cities that capitals
/// are: whose number is meant is not told, and the one nearest to the column would be that of other rows.
fn of_referred(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let (Some(_), [Dimension::Thing(of)], [measure]) =
        (&form.ranking, form.dimensions.as_slice(), form.measures.as_slice())
    else {
        return None;
    };
    let referred = of.columns().find_map(|column| match catalogue.column(column).part {
        ColumnPart::Reference(join) => Some((column.table, catalogue.join(join).to)).filter(|(from, to)| to != from),
        ColumnPart::Key | ColumnPart::Attribute => None,
    });
    let (from, to) = referred.filter(|_| of.table().is_none())?;
    let has = |table: TableId| measure.of.columns().any(|column| column.table == table);
    if !has(from) || !has(to) {
        return None;
    }
    let (own, theirs, words) = (catalogue.plural(from), catalogue.plural(to), &measure.of.words);
    Some(format!(
        "“{words}” is a number of the {own} and of the {theirs}, and “{}” of the {own} is one of the {theirs}: whose is meant \
         is not told. Ask for the {own} or the {theirs} by their {words}.",
        of.words
    ))
}

impl Composer<'_> {
    /// "Best paid employees", where what they are paid is held version after version: their current number of it.
    pub fn measure_of_versions(&mut self, table: TableId, concept: Concept, words: &str) {
        let of_versions = |source: &&MeasureSource| {
            let home = source.table;
            let refers = self.catalogue.referrers(table).any(|join| join.from == home);
            refers && self.catalogue.table(home).lasting.versions.is_some()
        };
        let found = self.catalogue.measures(concept).iter().find(of_versions);
        let Some(Amount::Column(column)) = found.map(|source| source.amount.clone()) else { return };
        if self.slots.measures.is_empty() {
            let of = Mention::of(self.catalogue.column(column).noun(), Thing::Column(column));
            self.form.notes.push(format!("“{words}” goes by {}.", self.catalogue.column_label(column)));
            self.slots.measures.push(Measure::new(Aggregate::Maximum, of));
        }
    }

    /// The columns of `table` itself that hold the property.
    pub fn property_of(&self, table: TableId, concept: Concept, words: &str) -> Option<Mention> {
        let mut own: Vec<Candidate> = self
            .catalogue
            .measures(concept)
            .iter()
            .filter_map(|source| match source.amount {
                Amount::Column(column) if column.table == table => {
                    Some(Candidate { thing: Thing::Column(column), score: source.score })
                }
                Amount::Column(_) | Amount::Product { .. } | Amount::Difference { .. } => None,
            })
            .collect();
        if own.is_empty() && matches!(concept, Concept::Age | Concept::Date) {
            own.extend(self.year_of(table));
        }
        // "The oldest order" is that of the earliest date; how old people are is no date of theirs but that of birth.
        let people = self.catalogue.people().any(|people| people == table);
        if own.is_empty() && concept == Concept::Age && !people {
            return self.property_of(table, Concept::Date, words);
        }
        // "hired first": of several dates the verb says which.
        let said: Vec<ColumnId> = self.slots.context.iter().flat_map(Mention::columns).collect();
        let is_said =
            |candidate: &Candidate| matches!(candidate.thing, Thing::Column(column) if said.contains(&column));
        if own.iter().any(is_said) {
            own.retain(is_said);
        }
        // "when was the last loan", with dates of when it was due as well: the one it happened on.
        let happened = |candidate: &Candidate| match candidate.thing {
            Thing::Column(column) => {
                let entry = self.catalogue.table(column.table);
                super::super::resolve::is_own(&entry.stems, &self.catalogue.column(column).stems)
            }
            Thing::Table(_) | Thing::Concept(_) => false,
        };
        if concept == Concept::Date && own.iter().any(happened) {
            own.retain(happened);
        }
        // An order may be big by its amount or by its quantity: unless a column is called so, the person says which.
        let is_size = |candidate: &Candidate| match candidate.thing {
            Thing::Column(column) => self.catalogue.column(column).stems.iter().any(|stem| stem == "size"),
            Thing::Table(_) | Thing::Concept(_) => false,
        };
        if concept == Concept::Size && !own.iter().any(is_size) {
            own.iter_mut().for_each(|candidate| candidate.score = SIZE_FIT);
        }
        (!own.is_empty()).then(|| Mention { words: words.to_owned(), candidates: own })
    }

    /// A year by itself, as of a plane or a book: the older, the smaller.
    fn year_of(&self, table: TableId) -> Option<Candidate> {
        let column = self
            .catalogue
            .table(table)
            .columns
            .iter()
            .position(|column| column.is_number() && column.stems.last().is_some_and(|last| last == "year"))?;
        Some(Candidate { thing: Thing::Column(ColumnId { table, column }), score: 80 })
    }
}

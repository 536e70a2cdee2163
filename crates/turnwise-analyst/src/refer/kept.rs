//! Keeps a follow-up to the rows of the last result: by the tests that told them, or, where a ranking or a group
//! decided, by what names them; and says what a word stands for. Next: `make`, which asks for it.

use super::super::form::{Among, Analysis, Dimension, Filter, Found, Mention, QueryForm, Thing};
use super::super::steps;
use super::about::{self, About, Known, Place, measured, told_by_tests};
use super::make::Making;

/// How the note begins that says what a word stands for.
const STANDS: &str = "” stands for ";

impl Making<'_> {
    pub fn noted(&self, mut made: QueryForm) -> QueryForm {
        let said = self.said.of.as_deref().unwrap_or("This");
        let of = steps::about(self.form);
        let of = if of.is_empty() { of } else { format!(":{of}") };
        made.notes.retain(|note| !note.contains(STANDS));
        made.notes.push(format!("“{said}{STANDS}the {} found before{of}.", self.about.plural));
        made
    }

    /// `made` about the rows of the last result only; `own` when it was made of the last form and has its tests.
    pub fn kept(&self, mut made: QueryForm, own: bool) -> Result<QueryForm, String> {
        let before = self.form;
        made.answers = before.answers.clone().into_iter().chain(made.answers).collect();
        made.applied.clone_from(&before.applied);
        made.catalogue.clone_from(&before.catalogue);
        made.meanings.clone_from(&before.meanings);
        made.stated.clone_from(&before.stated);
        if told_by_tests(self.catalogue, before, self.about) || self.has_same_groups(&made) {
            if own || (before.filters.is_empty() && before.periods.is_empty()) {
                return Ok(made);
            }
            let home =
                measured(self.catalogue, &made).or_else(|| About::of(self.catalogue, &made).map(|other| other.table));
            let here = home == Some(self.about.table) || self.has_same_groups(&made);
            if here && (made.periods.is_empty() || before.periods.is_empty()) {
                let fresh = before.filters.iter().filter(|filter| !made.filters.contains(filter)).cloned();
                let fresh: Vec<Filter> = fresh.collect();
                made.filters.splice(0..0, fresh);
                made.periods.extend(before.periods.iter().cloned());
                made.context.extend(before.context.iter().cloned());
                return Ok(made);
            }
            if self.about.is_rows() && self.catalogue.table(self.about.table).key.is_some() {
                made.filters.push(self.among(Among::Tested(Box::new(self.tests_only()))));
                return Ok(made);
            }
        }
        let Some(found) = self.found(Place::All) else {
            let said = self.said.of.as_deref().unwrap_or("that");
            return Err(format!(
                "“{said}” would be the {} of the last result, and they cannot be named one by one here: narrow it down \
                 first, as in “top 5”, or say the question with its tests.",
                self.about.plural
            ));
        };
        if own {
            made.filters.clear();
            made.periods.clear();
        }
        made.filters.push(found);
        Ok(made)
    }

    /// The shown rows by what tells them apart, as a test.
    pub fn found(&self, place: Place) -> Option<Filter> {
        Some(match about::keys(self.catalogue, self.form, self.about, self.task, place)? {
            Known::Keys(column, values) => self.among(Among::Named { column, values }),
            Known::Names(names) => {
                let place =
                    Found { place: Thing::Table(self.about.table), values: names.clone(), end: None, via: None };
                let words = match names.as_slice() {
                    [only] => only.clone(),
                    _ => format!("the {} {} found before", names.len(), self.about.plural),
                };
                Filter::Value { words, found: vec![place], negated: false }
            }
        })
    }

    /// Whether `made` has the groups of the last result, gathered from the same rows, and none of those was left out.
    fn has_same_groups(&self, made: &QueryForm) -> bool {
        let before = self.form;
        let whole = self.is_all_groups() && before.periods.len() < 2 && before.analysis == Analysis::Plain;
        let grouped = !before.dimensions.is_empty() && !before.measures.is_empty() && !made.dimensions.is_empty();
        whole
            && grouped
            && measured(self.catalogue, made) == measured(self.catalogue, before)
            && About::of(self.catalogue, made)
                .is_some_and(|other| other.table == self.about.table && other.column == self.about.column)
    }

    fn among(&self, rows: Among) -> Filter {
        let count = match &rows {
            Among::Named { values, .. } if values.len() == 1 => {
                let name = values.first().map(ToString::to_string).unwrap_or_default();
                return Filter::Among { table: self.about.table, words: name, rows, negated: false };
            }
            Among::Named { values, .. } => format!("the {} {} found before", values.len(), self.about.plural),
            Among::Tested(_) => format!("the {} found before", self.about.plural),
        };
        Filter::Among { table: self.about.table, words: count, rows, negated: false }
    }

    /// The last form's tests and nothing else.
    fn tests_only(&self) -> QueryForm {
        QueryForm {
            filters: self.form.filters.clone(),
            periods: self.form.periods.clone(),
            context: self.form.context.clone(),
            answers: self.form.answers.clone(),
            catalogue: self.form.catalogue.clone(),
            ..QueryForm::default()
        }
    }

    /// Whether the rows of the last result have a part in `form`: else what stood for them was lost.
    pub fn speaks_of_them(&self, form: &QueryForm) -> bool {
        let own = self.about.table;
        let of = |mention: &Mention| {
            mention.candidates.iter().any(|candidate| match candidate.thing {
                Thing::Table(table) => table == own,
                Thing::Column(column) => column.table == own,
                Thing::Concept(_) => false,
            })
        };
        let groups = form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let gathered = form.measures.iter().map(|measure| &measure.of);
        let tested = form.conditions.iter().map(|condition| &condition.measure.of);
        let lacking = form.filters.iter().any(|filter| matches!(filter, Filter::Never { .. } | Filter::Lacks { .. }));
        let named = form.subject.iter().chain(groups).chain(&form.attributes).chain(&form.context);
        named.chain(gathered).chain(tested).any(of) || measured(self.catalogue, form) == Some(own) || lacking
    }

    /// Whether no group was left out, so that all rows are in some of them.
    pub fn is_all_groups(&self) -> bool {
        self.whole_list() && self.form.conditions.is_empty() && !self.form.first_within
    }
}

//! Messages that say little and lean on how much was found: "the other ones" of the first few, "how many in 2023?" of a
//! number of something, and "she" where more than one was found. Next: `kept`.

use turnwise_core::Cell;

use super::super::form::{Aggregate, Among, Filter, QueryForm, TableId, Thing};
use super::about::{self, Place};
use super::make::Making;

/// Words behind "how many" before which what is counted was left out.
const AFTER: [&str; 11] = ["per", "in", "from", "with", "at", "for", "on", "to", "by", "are", "were"];

impl Making<'_> {
    /// All rows but those that were found.
    pub fn others(&self) -> Result<QueryForm, String> {
        let mut made = self.bare();
        let grouped = !made.measures.is_empty();
        if let Some(ranking) = made.ranking.as_mut().filter(|_| grouped) {
            ranking.limit = None;
        } else {
            made.ranking = None;
        }
        let Some(found) = self.found(Place::All) else {
            return Err(format!(
                "“The others” would be all {} but those of the last result, and what tells them apart was not shown: ask \
                 for their names or keys first.",
                self.about.plural
            ));
        };
        let found = match found {
            Filter::Value { words, found, .. } => Filter::Value { words, found, negated: true },
            Filter::Among { table, words, rows, .. } => Filter::Among { table, words, rows, negated: true },
            other => other,
        };
        made.filters.push(found);
        made.notes.push(format!("“The others” are all {} asked about before but those found.", self.about.plural));
        Ok(made)
    }

    /// "How many in 2023?": the change that is left where a number is asked anew, nothing where what is counted are the
    /// rows found before.
    pub fn unsaid_count(&self) -> Option<Option<String>> {
        let words: Vec<&str> = self.said.words.iter().map(String::as_str).collect();
        let ["how", "many", after, _, ..] = words.as_slice() else { return None };
        if self.said.of.is_some()
            || !AFTER.contains(after)
            || words.get(3) == Some(&"there")
            || *words.last()? == "there"
        {
            return None;
        }
        let is_count = |form: &QueryForm| match form.measures.as_slice() {
            [only] => matches!(only.aggregate, Aggregate::Count | Aggregate::CountDistinct),
            _ => false,
        };
        if is_count(self.form) && self.form.dimensions.is_empty() {
            let rest = self.said.text.splitn(3, ' ').nth(2)?;
            return Some(Some(rest.trim_start_matches("are ").trim_start_matches("were ").to_owned()));
        }
        self.form.measures.is_empty().then_some(None)
    }

    /// How many rows were found, where that is known.
    fn found_count(&self) -> Option<f64> {
        let table = about::shown(self.task)?;
        if self.is_single_count() {
            return table.rows.first().and_then(|row| row.last()).and_then(Cell::as_number);
        }
        let listed = self.form.measures.is_empty() || !self.form.dimensions.is_empty();
        listed.then(|| f64::from(u32::try_from(table.total_rows).unwrap_or(u32::MAX)))
    }

    /// Whether a word for one was said, and several were found.
    pub fn is_one_of_several(&self) -> bool {
        self.said.one && self.about.is_rows() && self.found_count().is_some_and(|found| found > 1.0)
    }

    /// Why a word for one cannot stand for several.
    pub fn several(&self) -> String {
        let found = self.found_count().unwrap_or_default();
        format!(
            "“{}” stands for one, and {found} {} were found: name the one that is meant, or say “the first one”.",
            self.said.of.as_deref().unwrap_or("it"),
            self.about.plural
        )
    }

    fn is_single_count(&self) -> bool {
        let counts = |aggregate| matches!(aggregate, Aggregate::Count | Aggregate::CountDistinct);
        self.form.dimensions.is_empty() && self.form.measures.iter().any(|measure| counts(measure.aggregate))
    }
}

/// The one row that a question was about by its name or key: "how many orders did Ada take?" is about Ada.
pub fn named_one(form: &QueryForm) -> Option<(TableId, QueryForm)> {
    let table = |filter: &Filter| match filter {
        Filter::Value { found, negated: false, .. } => found.iter().find_map(|place| match place.place {
            Thing::Table(table) if place.values.len() == 1 => Some(table),
            _ => None,
        }),
        Filter::Among { table, rows: Among::Named { values, .. }, negated: false, .. } if values.len() == 1 => {
            Some(*table)
        }
        _ => None,
    };
    let mut named = form.filters.iter().filter_map(|filter| Some((table(filter)?, filter)));
    let (table, filter) = named.next().filter(|_| named.next().is_none())?;
    let row = QueryForm {
        filters: vec![filter.clone()],
        answers: form.answers.clone(),
        applied: form.applied.clone(),
        catalogue: form.catalogue.clone(),
        meanings: form.meanings.clone(),
        stated: form.stated.clone(),
        ..QueryForm::default()
    };
    Some((table, row))
}

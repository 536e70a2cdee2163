//! A list of what to show behind a question: "who works in Leer? names and hire dates of current people", "boats by
//! town: number and average price". Numbers stand beside those of the same groups, columns beside the rows, and what is
//! said of them behind "of" narrows them. Next: `joined`.

use turnwise_core::Task;

use super::super::catalogue::Catalogue;
use super::super::draft;
use super::super::followup::FollowUp;
use super::super::form::QueryForm;
use super::super::read;
use super::super::refer::{self, About};
use super::super::refine;

/// Words for how many there are, without of what.
const COUNTS: [&str; 4] = ["number", "count", "headcount", "how many"];

/// A list beside the form it is of.
pub struct Listing<'a> {
    pub catalogue: &'a Catalogue,
    pub form: &'a QueryForm,
    pub task: &'a Task,
}

impl Listing<'_> {
    /// The form with what is listed.
    pub fn of(&self, text: &str) -> Option<QueryForm> {
        if self.form.measures.is_empty() { self.columns(text) } else { self.numbers(text) }
    }

    /// Numbers of the same groups.
    fn numbers(&self, text: &str) -> Option<QueryForm> {
        let about = self.form.measures.first()?.of.words.clone();
        let lower = text.to_lowercase();
        let items = lower.replace(" and ", ", ");
        let said = |item: &str| match item {
            count if COUNTS.contains(&count) => format!("number of {about}"),
            other => other.to_owned(),
        };
        let items: Vec<String> =
            items.split(',').map(|item| said(item.trim())).filter(|item| !item.is_empty()).collect();
        let mut made = self.form.clone();
        for item in &items {
            let read = self.number(item)?;
            let plain = read.form.dimensions.is_empty() && read.form.filters.is_empty() && read.form.ranking.is_none();
            if !plain || read.form.measures.is_empty() || !read.form.periods.is_empty() {
                return None;
            }
            made.notes.extend(read.form.notes.iter().filter(|note| note.ends_with("is added up.")).cloned());
            for measure in read.form.measures {
                if !made.measures.iter().any(|known| {
                    known.aggregate == measure.aggregate
                        && known.of.table() == measure.of.table()
                        && known.of.words == measure.of.words
                }) {
                    made.measures.push(measure);
                }
            }
        }
        Some(made)
    }

    /// A number as it was said; one that is not said how to gather is added up, where the rows it is of are counted.
    fn number(&self, item: &str) -> Option<read::Read> {
        let read = read::read(self.catalogue, item);
        if read.ungathered.is_none() {
            draft::check(self.catalogue, &read).ok()?;
            return Some(read);
        }
        let mut read = read::read(self.catalogue, &format!("total {item}"));
        draft::check(self.catalogue, &read).ok()?;
        read.form.notes.push(format!("“{item}” is added up."));
        Some(read)
    }

    /// Columns of the rows, and what narrows them.
    fn columns(&self, text: &str) -> Option<QueryForm> {
        let lower = text.to_lowercase();
        let (items, narrowed) = match lower.rfind(" of ") {
            Some(at) => (&text[..at], Some(text[at + " of ".len()..].trim())),
            None => (text, None),
        };
        let mut form = self.form.clone();
        if let Some(narrowed) = narrowed {
            let about = About::of(self.catalogue, &form)?;
            let only = refine::change(self.catalogue, &form, &format!("only {narrowed}")).ok()?;
            let other = About::of(self.catalogue, &only)?;
            if other.table != about.table {
                return None;
            }
            form = only;
        }
        let items = items.to_lowercase().replace(" and ", ", ");
        for item in items.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            form = self.column(form, item)?;
        }
        Some(form)
    }

    /// One thing to show; the rows' own names are there anyway.
    fn column(&self, form: QueryForm, item: &str) -> Option<QueryForm> {
        if form.shown.is_empty() && matches!(item, "name" | "names" | "full name" | "full names") {
            return Some(form);
        }
        match refer::referred(self.catalogue, &form, &format!("also show their {item}"), self.task).ok()?? {
            FollowUp::Form(more) => {
                let added = more.attributes.len() + more.shown.len() == form.attributes.len() + form.shown.len() + 1;
                (added && more.subject == form.subject && more.filters == form.filters).then_some(*more)
            }
            FollowUp::Rest(..) => None,
        }
    }
}

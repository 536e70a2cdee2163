//! Views beside tables. A view says again what its tables say, under other names and often of a part only: a question
//! is read against the tables first, and against the views as well where it names one or where the tables do not
//! answer it. Next: `catalogue`.

use turnwise_core::{DraftOutcome, PlanDraft, Task, Taught};

use super::asked::{self, Asking};
use super::catalogue::Catalogue;
use super::coverage::{Asked, Coverage};
use super::dating;
use super::definitions;
use super::draft::{self, Surroundings};
use super::form::QueryForm;
use super::linking::Vectors;
use super::offered::Offering;
use super::resolve::Trouble;
use super::sense;
use super::source::{EngineId, QueryError, SourceTable, Workbench};
use super::steps;

/// The data as questions are read against it.
#[derive(Debug)]
pub struct Data {
    /// What stands for itself.
    own: Catalogue,
    /// The same with the views that were put aside, where there are any, and their names.
    whole: Option<(Catalogue, Vec<String>)>,
    /// What is near in meaning to what in it.
    vectors: Vectors,
}

impl Data {
    /// Looks at all tables, and once more with the views where there are both.
    ///
    /// # Errors
    /// When a table cannot be queried.
    pub fn learn(bench: &Workbench) -> Result<Self, QueryError> {
        let (aside, own): (Vec<SourceTable>, Vec<SourceTable>) =
            bench.tables().iter().cloned().partition(|table| says_again(table, bench.tables()));
        let whole = if aside.is_empty() {
            None
        } else {
            let names = aside.into_iter().map(|view| view.name).collect();
            Some((Catalogue::build(bench, bench.tables())?, names))
        };
        Ok(Self { own: Catalogue::build(bench, &own)?, whole, vectors: Vectors::default() })
    }

    /// What stands for itself.
    pub fn own(&self) -> &Catalogue {
        &self.own
    }

    /// Everything there is.
    pub fn all(&self) -> &Catalogue {
        self.whole.as_ref().map_or(&self.own, |(whole, _)| whole)
    }

    /// The names that every word nobody knows is compared with.
    pub fn compared(&self) -> Vec<String> {
        self.all().tables().map(|(_, table)| table.noun()).collect()
    }

    /// Gets one of them ready to be compared with.
    pub fn prepare(&self, name: &str) {
        self.vectors.prepare(name);
    }

    /// A plan; else a question back about a word that nobody knows, or what could be asked instead.
    pub fn draft(&self, task: &Task, around: &Surroundings<'_>) -> DraftOutcome {
        let outcome = self.by_grammar(task, around);
        let again = |task: &Task| self.by_grammar(task, around);
        sense::weighed(&self.own, &self.vectors, task, &sense::Beside { around, again: &again }, outcome)
    }

    /// What the grammar makes of it.
    fn by_grammar(&self, task: &Task, around: &Surroundings<'_>) -> DraftOutcome {
        let plan = |task: &Task| self.planned(task, around);
        let catalogue = |form: &QueryForm| self.catalogue_of(form);
        let offering = Offering { catalogue: &catalogue, plan: &plan };
        match offering.checked(task, plan(task)) {
            DraftOutcome::Ready { plan, .. } => match asked::untested(&self.own, task, &plan) {
                Some(again) => again,
                None => self.covered(task, around, plan),
            },
            DraftOutcome::Impossible { explanation, .. } => self.unplanned(task, around, explanation),
            other @ (DraftOutcome::Unclear { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. }) => {
                other
            }
        }
    }

    /// What comes of a task that cannot be planned as it is said: a plan with a word linked to what is nearest in
    /// meaning, where that is certain enough and gives one; else a question back, or the refusal.
    fn unplanned(&self, task: &Task, around: &Surroundings<'_>, explanation: String) -> DraftOutcome {
        let plan = |task: &Task| self.planned(task, around);
        match (Asking { catalogue: self.all(), vectors: &self.vectors, plan: &plan }).linked(task) {
            Ok(Some(linked)) => match self.by_grammar(&linked, around) {
                DraftOutcome::Impossible { .. } => self.asked(task, around, explanation),
                // It would say which rows are meant, and tests none.
                DraftOutcome::Unclear { clarification } if asked::is_of_last(&clarification, &linked) => {
                    self.asked(task, around, explanation)
                }
                found => found,
            },
            // Why it cannot be told is said where it is asked about.
            Ok(None) | Err(_) => self.asked(task, around, explanation),
        }
    }

    /// The plan, if no word of the task was lost: what is not used is said in it.
    fn covered(&self, task: &Task, around: &Surroundings<'_>, plan: PlanDraft) -> DraftOutcome {
        let ready = |plan| {
            let dates = dating::taught(&self.own, task, &plan);
            let dates = if dates.is_empty() { dating::taught(self.all(), task, &plan) } else { dates };
            DraftOutcome::Ready { plan, learned: self.taught(task).into_iter().chain(dates).collect() }
        };
        let mut form = match serde_json::from_str::<QueryForm>(&plan.form) {
            Ok(form) => form,
            Err(error) => {
                return draft::troubled(Trouble::Impossible(format!("The plan cannot be read back: {error}.")));
            }
        };
        let catalogue = self.catalogue_of(&form);
        let planned = |task: &Task| match self.planned(task, around) {
            DraftOutcome::Ready { plan, .. } => Some(plan),
            DraftOutcome::Unclear { .. }
            | DraftOutcome::Impossible { .. }
            | DraftOutcome::Several { .. }
            | DraftOutcome::Answered { .. } => None,
        };
        match (Asked { catalogue, task, form: &form, plan: &plan, look: around.look, planned: &planned }).coverage() {
            Coverage::Whole => ready(plan),
            Coverage::Open(clarification) => DraftOutcome::Unclear { clarification },
            Coverage::Lost(explanation) => self.asked(task, around, explanation),
            Coverage::Noted(notes) => {
                form.notes.extend(notes);
                match steps::plan_in(Some(around.place.room), catalogue, &form, task, around.fingerprint) {
                    Ok(plan) => ready(plan),
                    Err(trouble) => draft::troubled(trouble),
                }
            }
        }
    }

    /// What a form was made with.
    pub fn catalogue_of(&self, form: &QueryForm) -> &Catalogue {
        let whole = self.whole.as_ref().map(|(whole, _)| whole);
        whole.filter(|whole| whole.fingerprint() == form.catalogue).unwrap_or(&self.own)
    }

    /// What the answers state, by what stands for itself or, where that has nothing of it, by everything there is.
    fn taught(&self, task: &Task) -> Vec<Taught> {
        let own = definitions::taught(&self.own, task);
        if own.is_empty() { definitions::taught(self.all(), task) } else { own }
    }

    /// The words of `task` that stand for nothing, as they would be asked about.
    pub fn unknown(&self, task: &Task) -> Vec<String> {
        asked::unknown(self.all(), task)
    }

    /// The question what `word` means, with those of `meanings`, which somebody took it for, under which the task can
    /// be planned; none where it can be under none.
    pub fn propose(
        &self,
        task: &Task,
        around: &Surroundings<'_>,
        word: &str,
        meanings: &[String],
        by: &str,
    ) -> Option<DraftOutcome> {
        let plans = |meaning: &&String| {
            let taken = asked::taken(task, word, meaning);
            matches!(self.draft(&taken, around), DraftOutcome::Ready { .. })
        };
        let holding: Vec<String> = meanings.iter().filter(plans).cloned().collect();
        (!holding.is_empty()).then(|| asked::proposed(word, &holding, by))
    }

    fn asked(&self, task: &Task, around: &Surroundings<'_>, explanation: String) -> DraftOutcome {
        let plan = |task: &Task| self.planned(task, around);
        let asking = |catalogue| Asking { catalogue, vectors: &self.vectors, plan: &plan };
        let own = asking(&self.own);
        let whole = || self.whole.as_ref().map_or(Ok(None), |(whole, _)| asking(whole).question(task));
        let question = own.question(task).and_then(|found| found.map_or_else(whole, |found| Ok(Some(found))));
        match question {
            Ok(Some(question)) => question,
            Ok(None) => DraftOutcome::Impossible { explanation, suggestions: own.suggestions(task) },
            Err(trouble) => {
                let explanation = format!("{explanation} {trouble}");
                DraftOutcome::Impossible { explanation, suggestions: own.suggestions(task) }
            }
        }
    }

    /// A plan over the tables; over the views too where the task names one, or the tables have no answer.
    fn planned(&self, task: &Task, around: &Surroundings<'_>) -> DraftOutcome {
        let Some((whole, views)) = &self.whole else { return draft::draft(&self.own, task, around) };
        let spoken = || std::iter::once(&task.problem).chain(&task.changes);
        let begun = draft::previous(task).is_some_and(|form| form.catalogue == whole.fingerprint());
        if begun || views.iter().any(|view| spoken().any(|said| names(said, view))) {
            return draft::draft(whole, task, around);
        }
        match draft::draft(&self.own, task, around) {
            refused @ DraftOutcome::Impossible { .. } => match draft::draft(whole, task, around) {
                DraftOutcome::Impossible { .. } => refused,
                found => found,
            },
            found => found,
        }
    }
}

/// Whether what the view was made from is there as well.
fn says_again(view: &SourceTable, all: &[SourceTable]) -> bool {
    let same = |table: &&SourceTable| {
        table.engine == view.engine && (view.engine != EngineId::default() || table.stamp.name == view.stamp.name)
    };
    view.is_view && all.iter().filter(same).any(|table| !table.is_view && table.rows > 0)
}

/// Whether the view's name stands there as it is written: "sales by category" is a wish, `Sales by Category` a name.
fn names(said: &str, view: &str) -> bool {
    let ends = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    said.match_indices(view)
        .any(|(at, found)| ends(said[..at].chars().last()) && ends(said[at + found.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_view_is_named_as_it_is_written() {
        assert!(names("how many rows has Order Subtotals?", "Order Subtotals"));
        assert!(names("total of active_users", "active_users"));
        assert!(!names("sales by category", "Sales by Category"));
        assert!(!names("Invoices", "Invoice"));
    }
}

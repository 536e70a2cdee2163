//! The date of rows in the person's words: a message that names one of their dates and says nothing else (“use
//! scheduled_at”, “wrong date column, it should be scheduled_at”), or a statement that gives the time a meaning (“by
//! time I mean scheduled_at”). Either is a fact, “time of appointments”, that later questions about these rows use.
//! What else stands in such a message is looked at by what it does and not by a list of sentences: a word that asks,
//! counts, tests or orders makes it another message. Next: `mod`, `definitions` for facts.

use turnwise_core::{FactKind, FactName, FactValue, NewFact, Plan, PlanDraft, SourceKind, Standing, Task, Taught};

use super::{By, DATE, DatedBy, found};
use crate::catalogue::Catalogue;
use crate::definitions::Stated;
use crate::form::{ColumnId, Mention, QueryForm, TableId};
use crate::lexicon::Role;
use crate::read::{self, Spotted};
use crate::source::ColumnKind;
use crate::{parts, words};

/// Between the word for a time and the rows it is the time of.
const OF: &str = " of ";

/// The fact which date the rows of a table are dated by.
#[derive(Clone, Debug)]
pub struct DateFact {
    /// The table.
    pub table: TableId,
    /// The date; none where the data has lost it.
    pub date: Option<ColumnId>,
    /// What it was called.
    means: String,
    /// Where it was said: "you said on message 3".
    pub said: String,
}

impl DateFact {
    /// What a fact about `about` says, where it is one of these.
    pub fn of(catalogue: &Catalogue, about: &str, means: &str, said: String) -> Option<Self> {
        let (time, rows) = about.split_once(OF)?;
        let stems = words::split_name(rows);
        let (table, _) = catalogue.tables().find(|(_, table)| read::says_time(time) && table.stems == stems)?;
        Some(Self { table, date: statement(catalogue, about, means), means: means.to_owned(), said })
    }

    /// Said of a plan that can no longer use it.
    pub fn lost(&self, catalogue: &Catalogue) -> String {
        let (rows, means, said) = (catalogue.plural(self.table), &self.means, &self.said);
        format!("“{means}”, by which {rows} were to be dated ({said}), is no date of theirs in this data any more.")
    }
}

/// The dates that `text` names, each as what it may be, where it says nothing else.
fn named(catalogue: &Catalogue, text: &str) -> Vec<Vec<ColumnId>> {
    if text.contains('?') {
        return Vec::new();
    }
    let spans = read::spot(catalogue, text).spans;
    let says_time = spans.iter().any(|span| read::says_time(&span.text));
    let (mut found, mut denied) = (Vec::new(), false);
    for (at, span) in spans.iter().enumerate() {
        if read::says_time(&span.text) && span.period.is_none() {
            continue;
        }
        // "Seen instead" of a status is another status, where no word says that a time is meant.
        let is_value = !span.values.is_empty() && span.names.is_empty() && !says_time;
        let dates = if is_value { Vec::new() } else { read::dates_said(catalogue, span) };
        if !dates.is_empty() {
            // "Scheduled_at instead of seen_at", "scheduled_at, not seen_at".
            if !std::mem::replace(&mut denied, false) {
                found.push(dates);
            }
        } else if at == 0 && span.pause && span.role() == Some(Role::Without) {
            // "No, it should be …" turns down what stands there.
        } else if matches!(span.role(), Some(Role::Not | Role::InsteadOf)) {
            denied = true;
        } else if !says_nothing(span, at.checked_sub(1).map(|before| &spans[before])) {
            return Vec::new();
        }
    }
    // "By scheduled date" alone groups by it; "date by scheduled_at" does not.
    let groups = spans.iter().position(|span| span.role() == Some(Role::Group));
    let dates = groups.and_then(|at| at.checked_sub(1)).is_some_and(|before| read::says_time(&spans[before].text));
    let replaces = spans.iter().any(|span| span.role() == Some(Role::Instead) || span.is_unknown());
    if groups.is_some() && !dates && !replaces { Vec::new() } else { found }
}

/// Whether a phrase neither names anything nor asks for anything. What stands behind a preposition is a name that is
/// not known here, and may be what was meant.
fn says_nothing(span: &Spotted, before: Option<&Spotted>) -> bool {
    match span.role() {
        Some(
            Role::Ignore | Role::Link | Role::This | Role::When | Role::Instead | Role::Group | Role::In | Role::Of,
        ) => true,
        Some(_) => false,
        None => {
            let behind = before.and_then(Spotted::role);
            span.is_unknown() && !span.quoted && !matches!(behind, Some(Role::In | Role::Of | Role::With))
        }
    }
}

/// The one date of these tables that `text` names.
fn one_of(catalogue: &Catalogue, text: &str, is_meant: impl Fn(TableId) -> bool) -> Option<ColumnId> {
    let mut found: Vec<ColumnId> = Vec::new();
    for mut dates in named(catalogue, text) {
        dates.retain(|date| is_meant(date.table));
        // What is no date of these rows is something else that was said.
        let [date] = dates.as_slice() else { return None };
        if !found.contains(date) {
            found.push(*date);
        }
    }
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// The dates that the verbs of a question are of: pets that were not seen since March, whatever appointments they had.
/// What rows are called is no verb, however like one it is: payments that are pending were not paid.
pub fn by_verbs(catalogue: &Catalogue, asked: &str) -> Vec<ColumnId> {
    let mut found: Vec<ColumnId> = Vec::new();
    for word in words::split(asked).iter().filter(|word| !word.quoted) {
        let stem = words::singular(&word.folded);
        let is_noun = |date: &ColumnId| catalogue.table(date.table).stems.contains(&stem);
        let dates = read::dates_of_verb(catalogue, &word.folded).into_iter();
        found.extend(dates.filter(|date| !is_noun(date)));
    }
    found
}

/// Whether `text` names a date that rows with others may be dated by, and says nothing else.
pub fn names_one(catalogue: &Catalogue, text: &str) -> bool {
    let chosen = |dates: &Vec<ColumnId>| dates.iter().any(|date| !found::others(catalogue, *date).is_empty());
    let named = named(catalogue, text);
    !named.is_empty() && named.iter().all(chosen)
}

/// `form` dated by the date that `change` names, where it says nothing else and the rows of `form` have it.
pub fn put_in(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Option<QueryForm> {
    let dated = found::of(catalogue, form).ok()?;
    let date = one_of(catalogue, change, |table| dated.iter().any(|dating| dating.date.table == table))?;
    let mut changed = form.clone();
    let is_other =
        |mention: &Mention| mention.columns().any(|column| column.table == date.table && is_date(catalogue, column));
    changed.context.retain(|mention| mention.table().is_some() || !is_other(mention));
    changed.answers.remove(DATE);
    changed.dated.retain(|by| by.date.table != date.table);
    changed.dated.push(DatedBy { date, told: String::new(), by: By::Change });
    Some(changed)
}

fn is_date(catalogue: &Catalogue, column: ColumnId) -> bool {
    catalogue.column(column).kind == ColumnKind::Date
}

/// The date that “`term` means `means`” is about: where the term is a word for time, by itself or of rows.
pub fn statement(catalogue: &Catalogue, term: &str, means: &str) -> Option<ColumnId> {
    let (time, rows) = term.split_once(OF).map_or((term, None), |(time, rows)| (time, Some(rows)));
    if !read::says_time(time) {
        return None;
    }
    let stems = rows.map(words::split_name);
    let is_meant = |table: TableId| stems.as_ref().is_none_or(|stems| catalogue.table(table).stems == *stems);
    let exact = catalogue.tables().filter(|(table, _)| is_meant(*table)).flat_map(|(table, entry)| {
        let is_so = |at: &usize| entry.columns[*at].name.eq_ignore_ascii_case(means.trim());
        (0..entry.columns.len()).filter(is_so).map(move |column| ColumnId { table, column })
    });
    let exact: Vec<ColumnId> = exact.filter(|column| is_date(catalogue, *column)).collect();
    match exact.as_slice() {
        [] => one_of(catalogue, means, is_meant),
        [only] => Some(*only),
        _ => None,
    }
}

/// What rows of a table are said to have, for people: "time of appointments".
fn about(catalogue: &Catalogue, table: TableId) -> String {
    format!("time{OF}{}", catalogue.plural(table))
}

fn name(catalogue: &Catalogue, table: TableId) -> FactName {
    FactName::new(about(catalogue, table).replace(' ', "_"))
}

/// The fact that rows are dated by `date`.
pub fn fact(catalogue: &Catalogue, date: ColumnId) -> NewFact {
    let value = FactValue::Text(catalogue.column(date).name.clone());
    let about = Some(about(catalogue, date.table));
    NewFact {
        standing: Standing { kind: FactKind::Decision, about, ..Standing::default() },
        ..NewFact::new(name(catalogue, date.table), value, SourceKind::Person)
    }
}

/// What changes of `task` said of dates, to be held from here on.
pub fn taught(catalogue: &Catalogue, task: &Task, plan: &PlanDraft) -> Vec<Taught> {
    let (Some(topic), Ok(mut form)) = (task.changes.last(), serde_json::from_str::<QueryForm>(&plan.form)) else {
        return Vec::new();
    };
    if form.catalogue != catalogue.fingerprint() {
        return Vec::new();
    }
    let mut taught: Vec<Taught> = Vec::new();
    parts::each(&mut form, |form| {
        let said = form.dated.iter().filter(|by| by.by == By::Change);
        taught.extend(said.map(|by| Taught { topic: topic.clone(), statement: fact(catalogue, by.date) }));
    });
    taught.dedup();
    taught
}

/// Whether `plan` dates rows of the table that `date` is of.
pub fn concerns(catalogue: &Catalogue, plan: &Plan, date: ColumnId) -> bool {
    let Ok(mut form) = serde_json::from_str::<QueryForm>(&plan.draft().form) else { return false };
    let mut concerned = false;
    if form.catalogue == catalogue.fingerprint() {
        parts::each(&mut form, |form| {
            let dated = found::of(catalogue, form).unwrap_or_default();
            concerned |= dated.iter().any(|dating| dating.date.table == date.table);
        });
    }
    concerned
}

/// Notes on what was said the plan of `form` rests.
pub fn rest_on(catalogue: &Catalogue, form: &mut QueryForm) {
    let said = form.dated.iter().filter(|by| by.by != By::Rows);
    let stated: Vec<Stated> = said
        .map(|by| Stated {
            fact: name(catalogue, by.date.table),
            sentence: by.told.clone(),
            keys: Vec::new(),
            amount: None,
            here: false,
        })
        .collect();
    form.stated.extend(stated);
}

//! Which date the rows of a question are dated by. Where rows have several, names alone choose badly: the date at which
//! somebody was seen is empty for exactly the appointments that were cancelled. So the rows asked for are looked at: a
//! date that they all have comes before one that some lack, and one that none of them has is never taken while there is
//! another. What was taken is said with the other dates and with the rows that it leaves out; what the person says in
//! its place is a fact from then on. Next: `found` for the dates of a query, `count` for the rows that have them and
//! `said` for the words.

mod count;
mod found;
mod said;
mod told;

use serde::{Deserialize, Serialize};

use super::catalogue::{AxisPlace, Catalogue};
use super::form::{ColumnId, Mention, QueryForm, TableId};
use super::lexicon::lexicon;
use super::read;
use super::resolve::{Trouble, is_own};
use count::Filled;
use found::Dating;

pub use count::{LIMITS, Look};
pub use said::{DateFact, concerns, fact, names_one, put_in, statement, taught};

/// The share of the rows asked for that a date has to be known of, to be taken for all of them: below it, what is left
/// out is no slip of the pen any more.
const NEARLY_ALL: f64 = 0.95;
/// From this rank on, a date's name says that it is an end, a limit or a change of the row, and not when it was.
const RANK_LAST: usize = 100;
/// The topic of the question which date is meant.
const DATE: &str = "date";

/// The date that rows of a table are dated by in a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedBy {
    /// The date.
    pub date: ColumnId,
    /// What the plan says of it; empty where there is nothing to say beside its name.
    pub told: String,
    /// Who said so; none where it was chosen by what the rows have.
    pub by: By,
}

/// Why rows are dated by a date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The rows have it.
    Rows,
    /// The person just said so.
    Change,
    /// The person said so before: where.
    Fact(String),
}

/// The date that the rows of `table` are dated by, where one was settled on.
pub fn of_table(form: &QueryForm, table: TableId) -> Option<&DatedBy> {
    form.dated.iter().find(|by| by.date.table == table)
}

/// Settles which dates the times of `form` are times of, and what is said of them; `asked` is the question it began
/// with, and `facts` what the person said before.
pub fn settle(catalogue: &Catalogue, form: &mut QueryForm, asked: &str, facts: &[DateFact], look: Look<'_>) {
    if !found::may_be_timed(form) {
        form.dated.clear();
        return;
    }
    // A date that was said of the question itself comes before what its words are taken to say.
    let is_redated = form.applied.iter().any(|change| names_one(catalogue, change));
    let said = if is_redated { Vec::new() } else { said::by_verbs(catalogue, asked) };
    for fact in facts {
        let is_open = of_table(form, fact.table).is_none() && !said.iter().any(|date| date.table == fact.table);
        if !is_open {
            continue;
        }
        let by = By::Fact(fact.said.clone());
        form.dated.extend(fact.date.map(|date| DatedBy { date, told: String::new(), by }));
    }
    let once = count::once(look);
    let look = Look(&once);
    let Ok(mut found) = found::of(catalogue, form).or_else(|trouble| untied(catalogue, form, &trouble, look)) else {
        return;
    };
    let before = form.dated.clone();
    for dating in &found {
        let is_named = is_named(form, dating.date) || said.contains(&dating.date);
        if of_table(form, dating.date.table).is_none() && !is_named {
            let date = by_verb(catalogue, dating, &said, look).unwrap_or_else(|| fittest(catalogue, dating, look));
            form.dated.push(DatedBy { date, told: String::new(), by: By::Rows });
        }
    }
    // The dates that were there before are in the queries already.
    if form.dated.iter().skip(before.len()).any(|by| !found.iter().any(|dating| dating.date == by.date))
        && let Ok(again) = found::of(catalogue, form)
    {
        found = again;
    }
    for at in 0..form.dated.len() {
        let by = &form.dated[at];
        let dating = found.iter().find(|dating| dating.date == by.date);
        let told = dating.map_or_else(String::new, |dating| told::told(catalogue, dating, &by.by, look));
        form.dated[at].told = told;
    }
    // What is no date of this question is not said with it, and nothing of it rests on that.
    form.dated.retain(|by| found.iter().any(|dating| dating.date == by.date));
    said::rest_on(catalogue, form);
    let is_dated = |fact: &&DateFact| found.iter().any(|dating| dating.date.table == fact.table);
    for fact in facts.iter().filter(|fact| fact.date.is_none()).filter(is_dated) {
        let lost = fact.lost(catalogue);
        if !form.notes.contains(&lost) {
            form.notes.push(lost);
        }
    }
}

/// "Ordered in 2024": the only other date of these rows that a verb of the question is of, where all of them have it.
fn by_verb(catalogue: &Catalogue, dating: &Dating, said: &[ColumnId], look: Look<'_>) -> Option<ColumnId> {
    let mut others = said.iter().filter(|date| date.table == dating.date.table && dating.others.contains(&date.column));
    let only = others.next()?;
    let is_only = others.all(|other| other == only);
    (is_only && count::of(catalogue, dating, look).share(only.column) >= NEARLY_ALL).then_some(*only)
}

/// Two dates by whose names neither is better: the one that all rows have, where the other one is lacking.
fn untied(
    catalogue: &Catalogue,
    form: &mut QueryForm,
    trouble: &Trouble,
    look: Look<'_>,
) -> Result<Vec<Dating>, Trouble> {
    let asked = || Err(trouble.clone());
    let Trouble::Unclear(clarification) = trouble else { return asked() };
    let tied: Vec<ColumnId> =
        clarification.choices.iter().filter_map(|choice| labelled(catalogue, &choice.value)).collect();
    let Some(first) = tied.first().filter(|first| tied.iter().all(|date| date.table == first.table)) else {
        return asked();
    };
    // Of rows that last, like those of people who came and left, the two ends are no two names of one time.
    let lasts = tied.iter().any(|date| catalogue.table(date.table).lasting.ends.contains(&date.column));
    if clarification.topic != DATE || tied.len() != clarification.choices.len() || lasts {
        return asked();
    }
    let by = |date: ColumnId| DatedBy { date, told: String::new(), by: By::Rows };
    let tried = QueryForm { dated: vec![by(*first)], ..form.clone() };
    let found = found::of(catalogue, &tried)?;
    let Some(dating) = found.iter().find(|dating| dating.date == *first) else { return asked() };
    let filled = count::of(catalogue, dating, look);
    let whole: Vec<&ColumnId> = tied.iter().filter(|date| filled.share(date.column) >= NEARLY_ALL).collect();
    let [only] = whole.as_slice() else { return asked() };
    form.dated.push(by(**only));
    found::of(catalogue, form)
}

/// The date that goes by this label.
fn labelled(catalogue: &Catalogue, label: &str) -> Option<ColumnId> {
    let mut dates = catalogue.tables().flat_map(|(table, entry)| {
        entry.axes.iter().filter_map(move |axis| match axis.place {
            AxisPlace::Column(column) => Some(ColumnId { table, column }),
            AxisPlace::Parts { .. } => None,
        })
    });
    dates.find(|date| catalogue.column_label(*date) == label)
}

/// Whether the words of the question, or an answer to it, named this very date.
fn is_named(form: &QueryForm, date: ColumnId) -> bool {
    let mut named = form.context.iter().chain(&form.attributes).flat_map(Mention::columns);
    form.answers.contains_key(DATE) || named.any(|column| column == date)
}

/// The date that the rows of `dating` are best dated by.
fn fittest(catalogue: &Catalogue, dating: &Dating, look: Look<'_>) -> ColumnId {
    let entry = catalogue.table(dating.date.table);
    let axis = entry.axes.iter().find(|axis| axis.place == AxisPlace::Column(dating.date.column));
    if dating.others.is_empty() || axis.is_some_and(|axis| axis.missing == Some(0)) {
        return dating.date;
    }
    let filled = count::of(catalogue, dating, look);
    let own = filled.share(dating.date.column);
    if filled.rows == 0 || own >= NEARLY_ALL || own > 0.0 && is_what_happened(catalogue, dating.date) {
        return dating.date;
    }
    let whole = |column: &usize| filled.share(*column) >= NEARLY_ALL;
    let rank = |column: &usize| lexicon().date_rank(&entry.columns[*column].stems);
    let fit: Vec<usize> =
        dating.others.iter().copied().filter(|other| whole(other) && rank(other) < RANK_LAST).collect();
    let column = match fit.as_slice() {
        // Any date is better than none.
        [] if own == 0.0 => fullest(&dating.others, &filled).unwrap_or(dating.date.column),
        [] => dating.date.column,
        [only] => *only,
        several => {
            let least = several.iter().map(rank).min();
            let best: Vec<usize> = several.iter().copied().filter(|other| Some(rank(other)) == least).collect();
            count::nearest(catalogue, dating.date, &best, look)
        }
    };
    ColumnId { column, ..dating.date }
}

/// Whether a date is called as its rows are, so that a row without it has not happened: `paid_at` of payments.
fn is_what_happened(catalogue: &Catalogue, date: ColumnId) -> bool {
    let entry = catalogue.table(date.table);
    let stems = &entry.columns[date.column].stems;
    let is_form = |head: &String| stems.iter().any(|stem| read::is_form(head, stem));
    is_own(&entry.stems, stems) || entry.stems.last().is_some_and(is_form)
}

/// Of some dates the one that most rows have, where any has it.
fn fullest(of: &[usize], filled: &Filled) -> Option<usize> {
    // The first of those that are as full as each other is the likeliest by its name.
    let most = of.iter().map(|column| filled.count(*column)).max().filter(|most| *most > 0)?;
    of.iter().copied().find(|column| filled.count(*column) == most)
}

//! From a query form to a typed query: which table to start from, which joins to follow, which column a word means.
//!
//! Every table from which all that was named can be reached without repeating rows is weighed; the reading that costs
//! least wins, and when two different readings cost the same the person is asked. A sum is never taken over repeated
//! rows: either another table holds the same money at the level of its lines, or each row is made to count once, and
//! the plan says so. Next: `weigh` for words, `assemble` for the query itself.

mod among;
mod apart;
mod assemble;
mod contradict;
mod current;
mod echoes;
mod flag;
mod groups;
mod home;
mod lasting;
mod list;
mod never;
mod related;
mod several_times;
mod shares;
mod shown;
mod tested;
mod texts;
mod theirs;
mod time;
mod weigh;

use turnwise_core::{Choice, Clarification};

use super::catalogue::{Catalogue, MeasureSource};
use super::form::{Aggregate, Candidate, Measure, Mention, QueryForm, TableId, Thing};
use super::lexicon::{Concept, lexicon};
use super::query::Query;
use super::source::ColumnKind;

/// Difference of cost below which two readings are as good as each other.
const SAME_COST: u32 = 4;
/// What counting through a table below the counted one costs.
const COUNT_BELOW: u32 = 4;
/// What gathering other numbers through a table below costs: more than using the same money at the level of lines.
const GATHER_BELOW: u32 = 45;
/// What it costs to start below, from rows that nobody named, and with a time that would be theirs.
const UNASKED: u32 = 6;
const UNASKED_TIME: u32 = 34;
/// What one join costs.
const JOIN: u32 = 8;
/// What being in a table named beside it is worth.
const NAMED_TABLE: u32 = 15;

/// Words for a number of money that say nothing about which.
const AMOUNT_WORDS: [&str; 5] = ["amount", "amounts", "total", "value", "sum"];

pub use time::is_own;

/// Why a form is no query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Two readings are as good as each other.
    Unclear(Clarification),
    /// It cannot be had from this data.
    Impossible(String),
}

/// A query with what was taken for granted to make it.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The query.
    pub query: Query,
    /// One sentence each.
    pub assumptions: Vec<String>,
    /// How the numbers are called.
    pub label: String,
    cost: u32,
}

/// What a measure gathers, before a starting table is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Gatherable {
    table: TableId,
    what: Gathering,
    label: String,
    cost: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Gathering {
    Rows,
    Source(MeasureSource),
}

/// Resolves one measure of the form with its groups, filters and time.
///
/// # Errors
/// [`Trouble`] when words fit equally well twice, or no keys link what was named.
pub fn measure(catalogue: &Catalogue, form: &QueryForm, measure: &Measure) -> Result<Resolved, Trouble> {
    match own_tests(form, measure) {
        Some((form, bare)) => self::measure(catalogue, &form, &bare).map(|resolved| told_apart(resolved, measure)),
        None => tested_alike(catalogue, form, measure),
    }
}

/// The tests that only this number has, as tests of a form of its own.
fn own_tests(form: &QueryForm, measure: &Measure) -> Option<(QueryForm, Measure)> {
    if measure.holds.is_empty() || matches!(measure.aggregate, Aggregate::Share(_)) {
        return None;
    }
    let mut form = form.clone();
    form.filters.extend(measure.holds.iter().cloned());
    Some((form, Measure { holds: Vec::new(), ..measure.clone() }))
}

/// A number with tests of its own says them in its name: beside it stands one without.
fn told_apart(mut resolved: Resolved, measure: &Measure) -> Resolved {
    let label = format!("{} {}", resolved.label, shares::state(&measure.holds));
    for gathered in &mut resolved.query.gathered {
        gathered.label.clone_from(&label);
    }
    Resolved { label, ..resolved }
}

fn tested_alike(catalogue: &Catalogue, form: &QueryForm, measure: &Measure) -> Result<Resolved, Trouble> {
    let options = gatherables(catalogue, form, measure)?;
    let mut feasible: Vec<(Resolved, Gatherable)> = Vec::new();
    let mut trouble: Option<(u32, Trouble)> = None;
    for (option, start) in starts(catalogue, form, &options) {
        let cost = start_cost(catalogue, form, option, start, measure.aggregate);
        match assemble::grouped(catalogue, form, measure, option, start) {
            Ok(mut resolved) => {
                resolved.cost += cost;
                feasible.push((resolved, option.clone()));
            }
            Err(misfit) => {
                let rank = cost + misfit.cost;
                if trouble.as_ref().is_none_or(|(before, _)| rank < *before) {
                    trouble = Some((rank, misfit.trouble));
                }
            }
        }
    }
    feasible.sort_by_key(|(resolved, _)| resolved.cost);
    let mut ranked = feasible.into_iter();
    let Some((best, option)) = ranked.next() else {
        return Err(trouble.map_or_else(|| nothing_fits(catalogue, measure), |(_, trouble)| trouble));
    };
    // A question about the best start is better than an answer from a much worse one.
    if let Some((cost, unclear @ Trouble::Unclear(_))) = trouble
        && cost < best.cost
    {
        return Err(unclear);
    }
    let rivals: Vec<Gatherable> = ranked
        .filter(|(other, rival)| other.cost < best.cost + SAME_COST && is_rival(catalogue, &option, rival))
        .map(|(_, rival)| rival)
        .collect();
    if !rivals.is_empty() {
        return Err(ask_which(&measure.of.words, &option, &rivals));
    }
    let best = lasting::written_out(catalogue, best);
    // What is looked for among rows may well be none of them.
    let best = if form.sought.is_some() { best } else { contradict::possible(catalogue, best)? };
    contradict::of_two(catalogue, measure, best)
}

/// Where each option may start. Where some starts reach every table that was named, the others cannot be meant: in a
/// catalogue of a thousand tables that leaves a handful to be weighed.
fn starts<'a>(catalogue: &Catalogue, form: &QueryForm, options: &'a [Gatherable]) -> Vec<(&'a Gatherable, TableId)> {
    let reaches = |start: TableId, table: TableId| !catalogue.paths(start, table).is_empty();
    let named = named_tables(form);
    let mut near: Vec<TableId> = match named.first() {
        Some(first) => catalogue.reaching(*first).collect(),
        None => Vec::new(),
    };
    near.retain(|start| named.iter().all(|table| reaches(*start, *table)));
    let pairs = options.iter().flat_map(|option| {
        near.iter().filter(|start| reaches(**start, option.table)).map(move |start| (option, *start))
    });
    let pairs: Vec<(&Gatherable, TableId)> = pairs.collect();
    if !pairs.is_empty() {
        return pairs;
    }
    options.iter().flat_map(|option| catalogue.reaching(option.table).map(move |start| (option, start))).collect()
}

/// The column a query gathers, where it gathers one as it is.
pub fn column_of(resolved: &Resolved) -> Option<(TableId, usize)> {
    match resolved.query.gathered.first()?.of.as_ref()? {
        super::query::Expression::Column { source, column } => {
            Some((resolved.query.sources.get(*source)?.table, *column))
        }
        _ => None,
    }
}

/// Resolves a form that lists rows.
///
/// # Errors
/// As [`measure`].
pub fn list(catalogue: &Catalogue, form: &QueryForm) -> Result<Resolved, Trouble> {
    let listed = match several_times::as_one(form)? {
        Some((one, said)) => {
            let mut listed = list::list(catalogue, &one)?;
            listed.assumptions.push(said);
            listed
        }
        None => list::list(catalogue, form)?,
    };
    let listed = lasting::written_out(catalogue, listed);
    if form.sought.is_some() { Ok(listed) } else { contradict::possible(catalogue, listed) }
}

fn nothing_fits(catalogue: &Catalogue, measure: &Measure) -> Trouble {
    let words = &measure.of.words;
    let is_text = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Text,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let is_empty = |column: super::form::ColumnId| catalogue.column(column).distinct == Some(0);
    if measure.of.columns().next().is_some() && measure.of.columns().all(is_empty) {
        let text = format!("“{words}” has no values at all, so there is nothing to calculate with.");
        return Trouble::Impossible(text);
    }
    if measure.of.candidates.iter().any(is_text) {
        return Trouble::Impossible(format!(
            "“{words}” holds text, or numbers mixed with text, so nothing can be calculated with it. Mend the values that are \
             no plain numbers (no currency signs, no thousands separators) and open the data again, or count by it instead."
        ));
    }
    Trouble::Impossible(format!("Nothing in the data gives “{words}”."))
}

fn start_cost(
    catalogue: &Catalogue,
    form: &QueryForm,
    option: &Gatherable,
    start: TableId,
    aggregate: Aggregate,
) -> u32 {
    if start == option.table {
        return option.cost;
    }
    let joins = catalogue.paths(start, option.table).first().map_or(0, |path| catalogue.hops(path));
    let below = match aggregate {
        Aggregate::Count | Aggregate::CountDistinct | Aggregate::Minimum | Aggregate::Maximum => COUNT_BELOW,
        Aggregate::Sum
        | Aggregate::Average
        | Aggregate::AverageEach
        | Aggregate::Median
        | Aggregate::Range
        | Aggregate::Deviation
        | Aggregate::Percentile(_)
        | Aggregate::Share(_)
        | Aggregate::Correlation => GATHER_BELOW,
    };
    option.cost + below + JOIN * joins + unasked(catalogue, form, option.table, start)
}

/// What it costs to start from rows that nobody named: appointments of 2024 are those of that day, and not those an
/// invoice of 2024 is for.
fn unasked(catalogue: &Catalogue, form: &QueryForm, table: TableId, start: TableId) -> u32 {
    if named_tables(form).contains(&start) {
        return 0;
    }
    let time = |dimension: &super::form::Dimension| matches!(dimension, super::form::Dimension::Time(_));
    let timed = !form.periods.is_empty() || form.dimensions.iter().any(time);
    let dated = catalogue.table(table).axes.iter().any(|axis| !axis.named_only);
    UNASKED + if timed && dated { UNASKED_TIME } else { 0 }
}

/// The same money at another level, or the same thing reached another way, is no rival.
fn is_rival(catalogue: &Catalogue, best: &Gatherable, other: &Gatherable) -> bool {
    // What only happened on the same day is something else.
    let keyed = |path: &super::catalogue::Path| !path.0.iter().any(|id| catalogue.join(*id).by_day);
    let linked = |from: TableId, to: TableId| from != to && catalogue.paths(from, to).iter().any(keyed);
    let same = match (&best.what, &other.what) {
        (Gathering::Source(one), Gathering::Source(two)) => one.amount == two.amount,
        _ => best == other,
    };
    // A column that a word names twice, by itself and as a concept, is one reading.
    let same = same || best.label == other.label;
    !same && !linked(best.table, other.table) && !linked(other.table, best.table)
}

fn ask_which(words: &str, best: &Gatherable, rivals: &[Gatherable]) -> Trouble {
    let mut labels: Vec<String> = vec![best.label.clone()];
    for rival in rivals {
        if !labels.contains(&rival.label) {
            labels.push(rival.label.clone());
        }
    }
    Trouble::Unclear(question(words, &labels))
}

/// A question between readings of some words.
fn question(words: &str, labels: &[String]) -> Clarification {
    Clarification {
        topic: words.to_owned(),
        question: format!("“{words}” can mean more than one thing here. Which do you mean?"),
        choices: labels.iter().map(|label| Choice::new(label.clone(), label.clone())).collect(),
        assumption: None,
        of: 0,
    }
}

/// Keeps the options the person chose, if they were asked about these words.
fn keep_answer<T>(form: &QueryForm, words: &str, options: Vec<T>, label: impl Fn(&T) -> &str) -> Vec<T> {
    let Some(answer) = form.answers.get(words) else { return options };
    let exact = options.iter().any(|option| label(option) == answer);
    let stems = |text: &str| super::words::split_name(text);
    let said = stems(answer);
    options
        .into_iter()
        .filter(|option| {
            let own = stems(label(option));
            if exact { label(option) == answer } else { said.iter().any(|stem| own.contains(stem)) }
        })
        .collect()
}

fn gatherables(catalogue: &Catalogue, form: &QueryForm, measure: &Measure) -> Result<Vec<Gatherable>, Trouble> {
    let mention = &measure.of;
    // What the person said a word means is not weighed against other readings.
    if let Some(source) = form.defined(catalogue, &mention.words) {
        return Ok(vec![from_source(&source, 0)]);
    }
    let mut all: Vec<Gatherable> = Vec::new();
    for candidate in &mention.candidates {
        let cost = 100u32.saturating_sub(candidate.score);
        match (candidate.thing, measure.aggregate) {
            (Thing::Table(table), Aggregate::Count | Aggregate::Share(_)) => {
                let label = format!("number of {}", catalogue.plural(table));
                all.push(Gatherable { table, what: Gathering::Rows, label, cost });
            }
            (Thing::Table(table), _) => {
                let own = catalogue.measures(Concept::Money).iter().filter(|source| source.table == table);
                all.extend(own.map(|source| from_source(source, cost)));
            }
            // Rows are counted by their table; the columns that refer to it are the same word again.
            (Thing::Column(_), Aggregate::Count) if mention.table().is_some() => {}
            (_, Aggregate::Share(_)) => {}
            (Thing::Column(column), _) => all.extend(from_column(catalogue, column, cost, measure.aggregate)),
            (Thing::Concept(concept), _) => {
                let sources = catalogue.measures(concept).iter();
                let fitting = sources.filter(|source| is_gatherable(catalogue, source, measure.aggregate));
                all.extend(fitting.map(|source| from_source(source, 0)));
            }
        }
    }
    let named = named_tables(form);
    // "total invoiced amount": of several amounts, that of the table spoken of.
    if AMOUNT_WORDS.contains(&mention.words.to_lowercase().as_str()) && measure.aggregate != Aggregate::Count {
        let own = catalogue.measures(Concept::Money).iter().filter(|source| named.contains(&source.table));
        let own: Vec<&MeasureSource> =
            own.filter(|source| !all.iter().any(|option| option.table == source.table)).collect();
        all.extend(own.into_iter().map(|source| from_source(source, 0)));
        if let Some(least) = all.iter().map(|option| option.cost).min() {
            all.iter_mut().filter(|option| named.contains(&option.table)).for_each(|option| option.cost = least);
        }
    }
    for option in &mut all {
        if named.contains(&option.table) {
            option.cost = option.cost.saturating_sub(NAMED_TABLE);
        }
    }
    all.sort_by_key(|option| option.cost);
    let before = all.len();
    let kept = keep_answer(form, &mention.words, all, |option| option.label.as_str());
    if kept.is_empty() && before > 0 {
        let answer = form.answers.get(&mention.words).cloned().unwrap_or_default();
        return Err(Trouble::Impossible(format!("“{answer}” is none of the readings of “{}”.", mention.words)));
    }
    Ok(kept)
}

/// Dates have a first and a last, but no sum.
fn is_gatherable(catalogue: &Catalogue, source: &MeasureSource, aggregate: Aggregate) -> bool {
    use super::catalogue::Amount;
    let ordered =
        matches!(aggregate, Aggregate::Minimum | Aggregate::Maximum | Aggregate::Count | Aggregate::CountDistinct);
    match source.amount {
        Amount::Column(column) => ordered || catalogue.column(column).is_number(),
        Amount::Product { .. } | Amount::Difference { .. } => true,
    }
}

fn from_source(source: &MeasureSource, cost: u32) -> Gatherable {
    Gatherable {
        table: source.table,
        what: Gathering::Source(source.clone()),
        label: source.label.clone(),
        cost: cost + 100u32.saturating_sub(source.score),
    }
}

fn from_column(
    catalogue: &Catalogue,
    column: super::form::ColumnId,
    cost: u32,
    aggregate: Aggregate,
) -> Option<Gatherable> {
    use super::catalogue::Amount;
    let entry = catalogue.column(column);
    let dated = entry.kind == ColumnKind::Date;
    let fits = match aggregate {
        Aggregate::Count | Aggregate::CountDistinct => true,
        Aggregate::Minimum | Aggregate::Maximum => entry.is_number() || dated,
        Aggregate::Sum
        | Aggregate::Average
        | Aggregate::AverageEach
        | Aggregate::Median
        | Aggregate::Range
        | Aggregate::Deviation
        | Aggregate::Percentile(_)
        | Aggregate::Share(_)
        | Aggregate::Correlation => entry.is_number(),
    };
    let label = catalogue.column_label(column);
    let source =
        MeasureSource { table: column.table, amount: Amount::Column(column), score: 100, label: label.clone() };
    fits.then_some(Gatherable { table: column.table, what: Gathering::Source(source), label, cost })
}

/// Tables the person named, in whatever part.
fn named_tables(form: &QueryForm) -> Vec<TableId> {
    let context = form.context.iter().chain(&form.subject).filter_map(Mention::only_table);
    let groups = form.dimensions.iter().filter_map(|dimension| match dimension {
        super::form::Dimension::Thing(mention) => mention.only_table(),
        super::form::Dimension::Time(_) => None,
    });
    context.chain(groups).collect()
}

/// Whether the "total" of a table's rows is their money.
pub fn is_money_table(catalogue: &Catalogue, table: TableId) -> bool {
    catalogue.table(table).stems.iter().any(|stem| lexicon().is_money_table(stem))
}

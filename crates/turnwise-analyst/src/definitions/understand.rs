//! What a meaning comes to in this data: a number of a row (a column, a difference, a product), or words that stand for
//! words (values, rows with a condition). Anything else is not understood, and says by which word. Next: `resolve`,
//! which gathers defined numbers.

use super::Defined;
use super::rows::{self, Rows};
use super::said::LESS;
use super::text::Around;
use crate::catalogue::{Amount, Catalogue, plural};
use crate::draft;
use crate::form::{ColumnId, Mention, TableId, Thing};
use crate::lexicon::{Role, Signal, lexicon};
use crate::read::{self, Read};
use crate::words;

/// What a word means here.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The number it names.
    pub amount: Option<Defined>,
    /// Words to read in its place.
    pub instead: Option<String>,
    /// The column that is gathered in its place, where the word is none that the reader knows as a number.
    pub carrier: Option<ColumnId>,
    /// Whether they are the name of one thing, which is one or several as the word is.
    pub is_name: bool,
    /// Whether it names a number, a table or a column, and not only what rows must pass.
    pub names: bool,
    /// The rows it stands for, where it is what they must pass.
    pub rows: Option<Rows>,
    /// `revenue = orders.gross_revenue`.
    pub sentence: String,
}

impl Meaning {
    /// The meaning of a word that was linked to what words name by themselves: those are read in its place.
    pub fn linked(catalogue: &Catalogue, term: &str, means: &str) -> Self {
        let is_name = read::named(catalogue, means).is_some_and(|named| named.table().is_some());
        Self {
            amount: None,
            instead: Some(means.to_owned()),
            carrier: None,
            is_name,
            names: true,
            rows: None,
            sentence: format!("{term} = {means}"),
        }
    }

    /// The mark that is read in the place of `term`, where one is.
    pub fn marked(&self, term: &str, around: &Around<'_>) -> Option<String> {
        if let Some(rows) = &self.rows {
            return Some(rows.put(around));
        }
        let amount = rows::amount(self.carrier?, term);
        // "Average income" is the average of the number, and not of its total.
        let gathered = around.before.is_some_and(|word| lexicon().signal(&words::fold(word)).is_some_and(gathers));
        Some(if gathered { amount } else { format!("total {amount}") })
    }

    /// What is read in the place of the word that has this meaning, where that stands.
    pub fn put(&self, around: &Around<'_>) -> Option<String> {
        let instead = self.instead.as_ref()?;
        if !self.is_name {
            return Some(instead.clone());
        }
        let typed = words::fold(around.last);
        let several = words::singular(&typed) != typed;
        let (before, last) = instead.rsplit_once(' ').map_or(("", instead.as_str()), |(before, last)| (before, last));
        let one = words::singular(&words::fold(last));
        Some(match (several, one == words::fold(last)) {
            (true, true) => plural(instead),
            (false, false) => format!("{before} {one}").trim_start().to_owned(),
            (true, false) | (false, true) => instead.clone(),
        })
    }
}

/// Whether a word says how a number is gathered.
fn gathers(signal: Signal) -> bool {
    use Role::{Average, Deviation, Highest, Lowest, Median, Percentile, Sum};
    matches!(signal, Signal::Role(Sum | Average | Median | Deviation | Percentile | Highest | Lowest))
}

/// Why a meaning is none here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misunderstood {
    /// A sentence without its full stop.
    pub explanation: String,
    /// What could be meant, when that can be told.
    pub choices: Vec<String>,
}

impl Misunderstood {
    fn new(explanation: String) -> Self {
        Self { explanation, choices: Vec::new() }
    }
}

/// Understands `term` as `means`.
pub fn understand(catalogue: &Catalogue, term: &str, means: &str) -> Result<Meaning, Misunderstood> {
    match number(catalogue, means) {
        Ok(Some(amount)) => Ok(measured(catalogue, term, amount)),
        Ok(None) => reworded(catalogue, term, means),
        Err(why) => Err(why),
    }
}

fn measured(catalogue: &Catalogue, term: &str, amount: Defined) -> Meaning {
    let sentence = format!("{term} = {}", amount.source(catalogue).label);
    // A word the reader knows as a number stays; any other is read as a column that the form then finds defined.
    let known = read::read(catalogue, &format!("total {term}"));
    let is_number = known.unknown.is_empty() && known.doubt.is_none() && !known.form.measures.is_empty();
    if is_number && known.form.measures.iter().all(|measure| same_words(&measure.of.words, term)) {
        return Meaning {
            amount: Some(amount),
            instead: None,
            carrier: None,
            is_name: false,
            names: true,
            rows: None,
            sentence,
        };
    }
    let column = match &amount {
        Defined::Column(column) | Defined::Difference { of: column, .. } => *column,
        Defined::Product { quantity, .. } => *quantity,
    };
    let instead = Some(format!("total {}", catalogue.column(column).noun()));
    Meaning { amount: Some(amount), instead, carrier: Some(column), is_name: false, names: true, rows: None, sentence }
}

fn same_words(one: &str, other: &str) -> bool {
    super::text::stems(one) == super::text::stems(other)
}

/// The number `means` names, if it names one.
fn number(catalogue: &Catalogue, means: &str) -> Result<Option<Defined>, Misunderstood> {
    let spoken: Vec<&str> = means.split_whitespace().collect();
    let plain: Vec<String> = spoken.iter().map(|word| words::fold(word)).collect();
    let operator = |at: &usize| LESS.contains(&plain[*at].as_str()) || TIMES.contains(&plain[*at].as_str());
    let Some(at) = (1..spoken.len()).find(operator) else { return column(catalogue, means) };
    let left = spoken[..at].join(" ");
    // "net of tax" has two words.
    let skip = if plain[at] == "net" { 2 } else { 1 };
    let right = spoken.get(at + skip..).unwrap_or_default().join(" ");
    let Some(Defined::Column(of)) = column(catalogue, &left)? else { return Ok(None) };
    if TIMES.contains(&plain[at].as_str()) {
        let quantity = in_table(catalogue, of.table, &right)?;
        return Ok(Some(Defined::Product { price: of, quantity }));
    }
    let less: Result<Vec<ColumnId>, Misunderstood> =
        parts(&right).iter().map(|part| in_table(catalogue, of.table, part)).collect();
    Ok(Some(Defined::Difference { of, less: less? }))
}

/// "tax and shipping" names two.
fn parts(text: &str) -> Vec<String> {
    text.replace(',', " and ")
        .split(" and ")
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// The column of numbers a phrase names; an error when it may be one of several.
fn column(catalogue: &Catalogue, phrase: &str) -> Result<Option<Defined>, Misunderstood> {
    let read = read::read(catalogue, &format!("total {phrase}"));
    let [measure] = read.form.measures.as_slice() else { return Ok(None) };
    if !read.unknown.is_empty() || read.doubt.is_some() || !is_bare(&read) {
        return Ok(None);
    }
    let found = named(catalogue, &measure.of);
    match found.as_slice() {
        [] => Ok(None),
        [only] => Ok(Some(Defined::Column(*only))),
        several => Err(Misunderstood {
            explanation: format!("“{phrase}” can be more than one column"),
            choices: several.iter().map(|column| catalogue.column_label(*column)).collect(),
        }),
    }
}

/// Whether a text names a number and nothing else.
fn is_bare(read: &Read) -> bool {
    let form = &read.form;
    form.filters.is_empty() && form.periods.is_empty() && form.conditions.is_empty() && form.dimensions.is_empty()
}

/// The columns that fit a mention best; a concept stands for its best column.
pub fn named(catalogue: &Catalogue, mention: &Mention) -> Vec<ColumnId> {
    let columns: Vec<(u32, ColumnId)> = mention
        .candidates
        .iter()
        .filter_map(|candidate| match candidate.thing {
            Thing::Column(column) if catalogue.column(column).is_number() => Some((candidate.score, column)),
            Thing::Column(_) | Thing::Table(_) | Thing::Concept(_) => None,
        })
        .collect();
    let best = columns.iter().map(|(score, _)| *score).max();
    if let Some(best) = best {
        return columns.into_iter().filter(|(score, _)| *score == best).map(|(_, column)| column).collect();
    }
    let sources = mention.concept().map(|concept| catalogue.measures(concept)).unwrap_or_default();
    let best = sources.iter().map(|source| source.score).max();
    let top = sources.iter().filter(|source| Some(source.score) == best);
    top.filter_map(|source| match &source.amount {
        Amount::Column(column) => Some(*column),
        Amount::Product { .. } | Amount::Difference { .. } => None,
    })
    .collect()
}

/// The column of numbers of `table` that a phrase names: all its words are in the column's name.
fn in_table(catalogue: &Catalogue, table: TableId, phrase: &str) -> Result<ColumnId, Misunderstood> {
    let wanted = super::text::stems(phrase);
    let entry = catalogue.table(table);
    let fits = entry.columns.iter().enumerate().filter(|(_, column)| {
        column.is_number() && !wanted.is_empty() && wanted.iter().all(|stem| column.stems.contains(stem))
    });
    let best = fits.min_by_key(|(_, column)| column.stems.len());
    let place = best.map(|(column, _)| ColumnId { table, column });
    place.ok_or_else(|| Misunderstood::new(format!("{} has no column of numbers called “{phrase}”", entry.name)))
}

/// Words that stand for words: they must be understood by themselves and say something about rows.
fn reworded(catalogue: &Catalogue, term: &str, means: &str) -> Result<Meaning, Misunderstood> {
    let instead = recent(catalogue, term, means).unwrap_or_else(|| means.to_owned());
    let read = read::read(catalogue, &instead);
    if let Some(word) = read.unknown.first() {
        let all: Vec<String> = read.unknown.iter().map(|word| format!("“{word}”")).collect();
        let verb = if read.unknown.len() == 1 { "does" } else { "do" };
        let list = if read.unknown.len() == 1 { format!("“{word}”") } else { all.join(", ") };
        return Err(Misunderstood::new(format!("{list} {verb} not stand for anything in this data")));
    }
    if let Some(doubt) = &read.doubt {
        return Err(Misunderstood::new(doubt.trim_end_matches('.').to_owned()));
    }
    let form = &read.form;
    let says =
        !draft::is_empty(form) || !form.filters.is_empty() || !form.context.is_empty() || !form.periods.is_empty();
    if !says {
        return Err(Misunderstood::new(format!("“{means}” names nothing in this data")));
    }
    let rows = Rows::of(catalogue, term, &instead, &read);
    let sentence = match &rows {
        Some(rows) => rows.sentence(catalogue, term, &instead, &read),
        None => format!("{term} = {instead}"),
    };
    // "Loyal customers" that are "more than 3 orders" are customers all the same.
    let says_which = form.subject.is_some() || !form.context.is_empty() || !form.dimensions.is_empty();
    let tests = !form.conditions.is_empty() || !form.filters.is_empty() || !form.periods.is_empty();
    let counts = form.measures.len() <= form.conditions.len();
    let instead = match term.split_whitespace().last() {
        Some(head) if tests && !says_which && counts && rows::head(catalogue, term).is_some() => {
            let with = if form.conditions.is_empty() { "" } else { "with " };
            format!("{head} {with}{instead}")
        }
        Some(_) | None => instead,
    };
    let is_name = read::named(catalogue, &instead).is_some();
    Ok(Meaning {
        amount: None,
        sentence,
        instead: Some(instead),
        carrier: None,
        is_name,
        names: !draft::is_empty(form),
        rows,
    })
}

/// "30-day logins" of users: users with logins in the last 30 days.
fn recent(catalogue: &Catalogue, term: &str, means: &str) -> Option<String> {
    let (span, what) = means.split_once(' ')?;
    let (number, unit) = span.split_once('-')?;
    let number: u32 = number.parse().ok()?;
    let unit = words::singular(&words::fold(unit));
    if !["day", "week", "month", "quarter", "year"].contains(&unit.as_str()) {
        return None;
    }
    let head = term.split_whitespace().last()?;
    let stem = words::singular(&words::fold(head));
    let is_table = catalogue.tables().any(|(_, table)| table.stems.last() == Some(&stem));
    is_table.then(|| format!("{head} with {what} in the last {number} {unit}s"))
}

/// Words between two factors.
const TIMES: [&str; 4] = ["times", "x", "×", "*"];

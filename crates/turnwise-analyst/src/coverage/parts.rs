//! Whether a question that was read by somebody else accounts for every word of its message. The grammar's readings are
//! planned again without a word; that cannot be done to a reading that is not ours, so here each word has to be said
//! back by the plan, or stand among the words a part rests on. Words that decide something have to be done, whatever
//! part claims them: a number has to be in the form, "not" needs a denial, "average" an average. Next: `attribution`.

use serde_json::Value;
use turnwise_core::PlanDraft;

use super::super::catalogue::{Catalogue, TableEntry};
use super::super::form::{Aggregate, Analysis, ColumnId, Dimension, Filter, QueryForm, TableId, Thing};
use super::super::lexicon::{Role, Signal};
use super::super::period::Grain;
use super::super::read::Spotted;
use super::super::words::{self, WordKind};
use super::attribution::Attribution;
use super::content::{self, Token};
use super::misread;

/// A word that is not accounted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unaccounted {
    /// Nothing rests on it.
    Word(String),
    /// It says something that nothing does.
    Undone(String),
    /// It names something of the data that no query reads: the word, and what it names.
    Unread(String, Vec<String>),
}

/// The words of `text` that say something.
pub fn content_words(catalogue: &Catalogue, text: &str) -> Vec<String> {
    let tokens = content::tokens(catalogue, text);
    tokens.iter().filter(|token| token.content).map(|token| token.folded.clone()).collect()
}

/// The words of `text` that neither the plan nor `claimed`, the words its parts rest on, account for; `denies` says
/// whether the form denies anything.
pub fn unaccounted(
    catalogue: &Catalogue,
    text: &str,
    form: &QueryForm,
    plan: &PlanDraft,
    claimed: &[&str],
    denies: bool,
) -> Vec<Unaccounted> {
    let tokens = content::tokens(catalogue, text);
    let attribution = Attribution::of(catalogue, form, plan, false);
    let used = attribution.said(&tokens);
    let numbers = numbers(form);
    let claimed: Vec<String> = claimed.iter().flat_map(|words| words::split(words)).map(|word| word.folded).collect();
    let read = Read::of(catalogue, plan);
    let grains = |role: Role| Grain::of(role).is_some_and(|grain| form.dimensions.contains(&Dimension::Time(grain)));
    let mut found = read.unread(text, &tokens, &grains);
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.content) {
        let raw = || token.raw(text).to_owned();
        let done = match decided(&tokens, at) {
            Some(Decides::Number) => !form.measures.is_empty() || form.ranking.is_some(),
            Some(Decides::Figure(number)) => numbers.iter().any(|own| (own - number).abs() < f64::EPSILON),
            Some(Decides::Denial) => denies,
            Some(Decides::End) => ends(form),
            Some(Decides::Grain(grain)) => form.dimensions.contains(&Dimension::Time(grain)),
            Some(Decides::Part) => used[at] || compares(form, token.role()),
            None => {
                let said = claimed.contains(&token.folded) || used[at] || attribution.goes_with(&tokens, &used, at);
                let said = said || read.says(&token.folded);
                match (said, named(catalogue, token)) {
                    (true, _) => {}
                    (false, None)
                        if found.iter().any(|one| matches!(one, Unaccounted::Unread(word, _) if *word == raw())) => {}
                    (false, None) => found.push(Unaccounted::Word(raw())),
                    (false, Some(named)) => found.push(Unaccounted::Unread(raw(), named)),
                }
                continue;
            }
        };
        if !done {
            found.push(Unaccounted::Undone(raw()));
        }
    }
    found
}

/// What a word decides that no other part of the question can do for it.
enum Decides {
    /// This number.
    Figure(f64),
    /// Some number.
    Number,
    Denial,
    End,
    /// Groups of this length of time.
    Grain(Grain),
    Part,
}

fn decided(tokens: &[Token], at: usize) -> Option<Decides> {
    let token = &tokens[at];
    // "First" of "the first half", "no" of a value "no-show": a part of what the whole says.
    let is_part = |span: &Spotted| span.period.is_some() || (token.phrase > 1 && !span.values.is_empty());
    if !token.is_number() && token.span.as_ref().is_some_and(is_part) {
        return None;
    }
    if token.is_number() {
        let WordKind::Number(number) = words::split(&token.folded).first()?.kind else { return None };
        // Years and days are in the periods, which are said back.
        return Some(Decides::Figure(number));
    }
    if token.is_superlative() {
        return Some(Decides::End);
    }
    let before = at.checked_sub(1).and_then(|before| tokens[before].role());
    if let (Some(Role::Each | Role::Group), Some(grain)) = (before, token.role().and_then(Grain::of)) {
        return Some(Decides::Grain(grain));
    }
    match token.role()? {
        // Which number is meant says what it is a number of.
        Role::HowMuch | Role::Count => Some(Decides::Number),
        Role::Not | Role::Without => Some(Decides::Denial),
        role if misread::end(role).is_some() => Some(Decides::End),
        Role::Average
        | Role::Median
        | Role::Share
        | Role::Growth
        | Role::Forecast
        | Role::Outlier
        | Role::Cumulative
        | Role::Correlation
        | Role::Ratio
        | Role::Divided
        | Role::Versus
        | Role::Compare => Some(Decides::Part),
        _ => None,
    }
}

/// What of the data a word names, by its name or as a value.
fn named(catalogue: &Catalogue, token: &Token) -> Option<Vec<String>> {
    let span = token.span.as_ref().filter(|_| token.names())?;
    let label = |thing: Thing| match thing {
        Thing::Table(table) => Some(catalogue.table(table).name.clone()),
        Thing::Column(column) => Some(catalogue.column_label(column)),
        Thing::Concept(_) => None,
    };
    let by_name = span.names.iter().filter(|one| one.score >= NAMED_MIN).filter_map(|one| label(one.thing));
    let by_value = span.values.iter().filter_map(|found| label(found.place));
    let all: Vec<String> = by_name.chain(by_value).take(NAMED_MAX).collect();
    (!all.is_empty()).then_some(all)
}

/// What the queries of a plan read.
struct Read<'a> {
    catalogue: &'a Catalogue,
    sql: Vec<&'a str>,
    /// The values they look for.
    values: Vec<String>,
}

impl<'a> Read<'a> {
    fn of(catalogue: &'a Catalogue, plan: &'a PlanDraft) -> Self {
        let arguments = |name: &'static str| plan.steps.iter().filter_map(move |step| step.arguments.get(name));
        let values = arguments("parameters").flat_map(|values| words::split(values)).map(|word| word.folded);
        Self { catalogue, sql: arguments("sql").map(String::as_str).collect(), values: values.collect() }
    }

    fn reads(&self, name: &str) -> bool {
        let is_in = |sql: &&str| ['"', '`'].iter().any(|mark| sql.contains(&format!("{mark}{name}{mark}")));
        self.sql.iter().any(is_in)
    }

    fn tables(&self) -> impl Iterator<Item = (TableId, &TableEntry)> {
        self.catalogue.tables().filter(|(_, entry)| self.reads(&entry.name))
    }

    /// Columns of the tables read whose names are nearly the word.
    fn near(&self, word: &str) -> Vec<ColumnId> {
        let columns = self.tables().flat_map(|(table, entry)| {
            let own = (0..entry.columns.len()).filter(|column| is_near(&entry.columns[*column].name, word));
            own.map(move |column| ColumnId { table, column })
        });
        columns.collect()
    }

    /// Whether something that is read is nearly called so: "graded" of the table `grading`.
    fn says(&self, word: &str) -> bool {
        self.values.iter().any(|value| words::alike(value, word))
            || self.tables().any(|(_, entry)| is_near(&entry.name, word))
            || self.near(word).iter().any(|column| self.reads(&self.catalogue.column(*column).name))
    }

    /// Words that are nearly the name of a column of a table that is read, where no query reads one of such a name:
    /// "shipping" is about `shipped_on`, and a query that tests `ordered_on` answers something else.
    fn unread(&self, text: &str, tokens: &[Token], grains: &dyn Fn(Role) -> bool) -> Vec<Unaccounted> {
        let is_grain =
            |at: usize| matches!(decided(tokens, at), Some(Decides::Grain(_))) || tokens[at].role().is_some_and(grains);
        let open = tokens
            .iter()
            .enumerate()
            .filter(|(at, token)| !token.is_number() && !is_grain(*at) && named(self.catalogue, token).is_none());
        let open = open.map(|(_, token)| token);
        let mut found = Vec::new();
        for token in open.filter(|token| !self.says(&token.folded)) {
            let near = self.near(&token.folded);
            if !near.is_empty() {
                let names = near.iter().take(NAMED_MAX).map(|column| self.catalogue.column_label(*column)).collect();
                found.push(Unaccounted::Unread(token.raw(text).to_owned(), names));
            }
        }
        found
    }
}

fn is_near(name: &str, word: &str) -> bool {
    words::split_name(name).iter().any(|part| words::alike(part, word))
}

/// Whether a form relates numbers as the word asks for: a share to its whole, one side to the other.
fn compares(form: &QueryForm, role: Option<Role>) -> bool {
    let is_share = matches!(form.analysis, Analysis::Share | Analysis::Ratio)
        || form.measures.iter().any(|measure| matches!(measure.aggregate, Aggregate::Share(_)));
    match role {
        Some(Role::Share) => is_share,
        Some(Role::Compare | Role::Versus) => !form.dimensions.is_empty() || form.measures.len() > 1,
        _ => false,
    }
}

/// Whether a message asks for several things: words that ask, each at the beginning of a clause that names something.
pub fn asks_several(catalogue: &Catalogue, text: &str) -> bool {
    let tokens = content::tokens(catalogue, text);
    let asks = |token: &Token| {
        matches!(token.role(), Some(Role::Wh | Role::Who | Role::Count | Role::HowMuch | Role::Command))
    };
    let begins = |at: usize| {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        before.is_none_or(|before| before.pause || before.role() == Some(Role::And))
    };
    let heads: Vec<usize> = (0..tokens.len()).filter(|at| asks(&tokens[*at]) && begins(*at)).collect();
    let names = |from: usize, to: usize| tokens[from..to].iter().any(|token| token.names());
    let ends = heads.iter().skip(1).copied().chain([tokens.len()]);
    heads.iter().zip(ends).filter(|(from, to)| names(**from, *to)).count() > 1
}

/// Whether an end of an order is asked for.
fn ends(form: &QueryForm) -> bool {
    let extreme = |aggregate: Aggregate| matches!(aggregate, Aggregate::Minimum | Aggregate::Maximum);
    form.ranking.is_some()
        || !form.conditions.is_empty()
        || form.filters.iter().any(|filter| matches!(filter, Filter::End { .. }))
        || form.measures.iter().any(|measure| extreme(measure.aggregate))
}

/// All numbers of a form, those in its words too.
fn numbers(form: &QueryForm) -> Vec<f64> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::to_value(form) {
        gather(&value, &mut found);
    }
    found
}

fn gather(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::String(text) => found.extend(words::split(text).into_iter().filter_map(|word| match word.kind {
            WordKind::Number(number) => Some(number),
            WordKind::Word | WordKind::Date => None,
        })),
        Value::Array(all) => all.iter().for_each(|one| gather(one, found)),
        Value::Object(all) => {
            let kept = all.iter().filter(|(key, _)| !NOT_ASKED.contains(&key.as_str()));
            kept.for_each(|(_, one)| gather(one, found));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Fit from which a name of the data is meant by a word.
const NAMED_MIN: u32 = 80;
/// Names told of one word.
const NAMED_MAX: usize = 3;
/// Parts of a form whose numbers are positions, scores or remarks.
const NOT_ASKED: [&str; 9] = ["catalogue", "notes", "thing", "score", "place", "via", "date", "told", "meanings"];

impl Token {
    /// Whether it is the end of a property by itself: "longest".
    fn is_superlative(&self) -> bool {
        matches!(self.own_signal(), Some(Signal::Superlative(..)))
    }
}

//! Words that stand for the rows that pass some tests: "active sales means units greater than 5". What such a test says
//! when it is read as a part of a question may be about groups, so the tests are never put there as words: two marks
//! stand in the place of the term, a value that is read like any other ("Canada sales") and the rows themselves, and
//! what was read of the value becomes the tests. Next: `read/defined.rs` for the marks.

use super::text::{self, Around};
use super::understand::named;
use crate::catalogue::{Catalogue, Made, plural};
use crate::form::{
    Aggregate, Among, Analysis, Candidate, ColumnId, Condition, Filter, Found, Measure, Mention, QueryForm, TableId,
    Thing,
};
use crate::lexicon::{Comparator, Signal, lexicon};
use crate::read::{self, Read};
use crate::words;

/// What the marks begin with; what follows are positions.
const VALUE: &str = "definedvalue";
const ROWS: &str = "definedrows";
const AMOUNT: &str = "definedamount";

/// The rows of a table that pass tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    table: TableId,
    /// Where the mark is said to be a value.
    column: ColumnId,
    tests: Vec<Filter>,
    /// How one of the rows is called.
    noun: String,
}

/// What a mark stands for among the phrases of a text.
pub enum Mark {
    Value(Found),
    Rows {
        table: TableId,
        noun: String,
        singular: bool,
    },
    /// A number that is called so, gathered from a column.
    Amount {
        column: ColumnId,
        term: String,
    },
}

/// The mark of a number that is called `term` and gathered from `column`: its own name would be another number.
pub fn amount(column: ColumnId, term: &str) -> String {
    format!("\"{AMOUNT}{}x{} {term}\"", column.table.0, column.column)
}

impl Rows {
    /// The rows `term` stands for, where `means` was `read` as tests that single rows pass.
    pub fn of(catalogue: &Catalogue, term: &str, means: &str, read: &Read) -> Option<Self> {
        let form = &conditioned(read.form.clone(), means);
        let is_plain = form.dimensions.is_empty()
            && form.ranking.is_none()
            && form.periods.is_empty()
            && form.analysis == Analysis::Plain
            && form.beside.is_empty()
            && !means.split_whitespace().any(gathers);
        let head = head(catalogue, term);
        let own = form.subject.iter().chain(&form.context).find_map(|mention| mention.table());
        let numbers = tested_numbers(catalogue, form, means);
        // Words for rows stand well where the term does: only tests on numbers change what they say there.
        let stands = head.is_none() || own.is_some() || !form.measures.is_empty();
        if !is_plain || (form.conditions.is_empty() && numbers.is_none() && stands) {
            return None;
        }
        let mut tests = form.filters.clone();
        let mut tested = numbers.map(|column| (column.table, column));
        for condition in &form.conditions {
            let of = &condition.measure.of;
            let single = condition.measure.aggregate == Aggregate::Sum && !condition.average;
            let [column] = named(catalogue, of)[..] else { return None };
            if !single || tested.is_some_and(|(table, _)| table != column.table) {
                return None;
            }
            tested.get_or_insert((column.table, column));
            let candidates = vec![Candidate { thing: Thing::Column(column), score: 100 }];
            let of = Mention { words: of.words.clone(), candidates };
            let (comparator, value) = (condition.comparator, condition.value);
            tests.push(Filter::Number { of, comparator, value, unit: None });
        }
        let is_tested = |measure: &Measure| form.conditions.iter().any(|one| one.measure.of == measure.of);
        let is_own = |measure: &Measure| measure.of.table().is_some() && measure.aggregate == Aggregate::Count;
        if tests.is_empty() || !form.measures.iter().all(|measure| is_tested(measure) || is_own(measure)) {
            return None;
        }
        let table = head.or(own).or(tested.map(|(table, _)| table))?;
        // "Big customers" by the revenue of their orders: those are groups.
        if tested.is_some_and(|(tested, _)| tested != table) || own.is_some_and(|own| own != table) {
            return None;
        }
        let column = tested.map_or(ColumnId { table, column: 0 }, |(_, column)| column);
        Some(Self { table, column, tests, noun: catalogue.table(table).noun() })
    }

    /// `active sales = units greater than 5`; with the rows where neither side names them.
    pub fn sentence(&self, catalogue: &Catalogue, term: &str, means: &str, read: &Read) -> String {
        let subject = tested_numbers(catalogue, &read.form, means).is_none() && read.form.subject.is_some();
        let named = head(catalogue, term).is_some() || subject || !read.form.context.is_empty();
        if named { format!("{term} = {means}") } else { format!("{term} = {} with {means}", plural(&self.noun)) }
    }

    /// The marks in the place of a term.
    pub fn put(&self, around: &Around<'_>) -> String {
        let typed = words::fold(around.last);
        let number = if words::singular(&typed) == typed { "s" } else { "p" };
        format!("\"{}\" \"{ROWS}{}{number}\"", self.mark(), self.table.0)
    }

    /// The mark of the value; other tests give another one.
    fn mark(&self) -> String {
        let mut sum: u64 = 5381;
        for byte in format!("{:?}", self.tests).bytes() {
            sum = sum.wrapping_mul(33) ^ u64::from(byte);
        }
        format!("{VALUE}{}x{}x{sum}", self.column.table.0, self.column.column)
    }

    /// Without marks, for people: `term` in their place.
    pub fn plain(&self, said: &str, term: &str) -> String {
        let value = self.mark();
        let mut plain = said.to_owned();
        for number in ["s", "p"] {
            let rows = format!("{ROWS}{}{number}", self.table.0);
            plain = plain.replace(&format!("\"{value}\" \"{rows}\""), term).replace(&format!("\"{rows}\""), term);
        }
        plain.replace(&format!("\"{value}\" "), "").replace(&value, term)
    }

    /// Puts the tests where the mark was read; says whether it was anywhere.
    ///
    /// # Errors
    /// When it was read as something that tests cannot stand for.
    pub fn settle(&self, form: &mut QueryForm) -> Result<bool, Unfit> {
        let mark = self.mark();
        let mut found = self.tests_in(&mut form.filters, &mark)?;
        let measures = form.measures.iter_mut().chain(form.conditions.iter_mut().map(|one| &mut one.measure));
        for measure in measures {
            found |= self.tests_in(&mut measure.holds, &mark)?;
        }
        if let Some(sought) = &mut form.sought {
            found |= self.tests_in(&mut sought.filters, &mark)?;
        }
        for beside in &mut form.beside {
            found |= self.settle(beside)?;
        }
        form.notes.retain(|note| !note.contains(&mark));
        // "Big orders by region": rows of a word are counted where nothing else is wanted of them.
        let is_bare = form.measures.is_empty() && form.subject.is_none() && form.attributes.is_empty();
        if found && is_bare && form.shown.is_empty() && !form.dimensions.is_empty() {
            let candidates = vec![Candidate { thing: Thing::Table(self.table), score: 100 }];
            form.measures.push(Measure::new(Aggregate::Count, Mention { words: plural(&self.noun), candidates }));
        }
        // Sides of a comparison and the like hold values, and there are none here.
        if serde_json::to_string(&*form).is_ok_and(|form| form.contains(&mark)) { Err(Unfit) } else { Ok(found) }
    }

    fn tests_in(&self, filters: &mut Vec<Filter>, mark: &str) -> Result<bool, Unfit> {
        let mut found = false;
        for filter in std::mem::take(filters) {
            match filter {
                Filter::Value { found: places, negated, .. } if is_marked(&places, mark) => {
                    found = true;
                    let tests = if negated { vec![inverse(&self.tests)?] } else { self.tests.clone() };
                    let missing: Vec<Filter> = tests.into_iter().filter(|test| !filters.contains(test)).collect();
                    filters.extend(missing);
                }
                mut other => {
                    found |= self.tests_within(&mut other, mark)?;
                    filters.push(other);
                }
            }
        }
        Ok(found)
    }

    fn tests_within(&self, filter: &mut Filter, mark: &str) -> Result<bool, Unfit> {
        match filter {
            Filter::Never { filters, .. } | Filter::Some { filters, .. } => self.tests_in(filters, mark),
            Filter::Either { sides } => {
                let mut found = false;
                for side in sides {
                    found |= self.tests_in(side, mark)?;
                }
                Ok(found)
            }
            Filter::Among { rows: Among::Tested(form), .. } => self.settle(form),
            _ => Ok(false),
        }
    }
}

/// The first number that is tested, where "guests greater than 5" is read as rows that the words do not name.
fn tested_numbers(catalogue: &Catalogue, form: &QueryForm, means: &str) -> Option<ColumnId> {
    let said = text::stems(means);
    let rows = form.subject.as_ref().filter(|_| form.context.is_empty() && form.measures.is_empty())?;
    let number = |filter: &Filter| match filter {
        Filter::Number { of, .. } => named(catalogue, of).first().copied(),
        _ => None,
    };
    let all = form.filters.iter().all(|filter| number(filter).is_some());
    let is_named = text::stems(&rows.words).iter().any(|stem| said.contains(stem));
    form.filters.first().filter(|_| all && !is_named).and_then(number)
}

/// "Guests greater than 5" tests guests, where the reader took the number for an amount that was not said.
fn conditioned(mut form: QueryForm, means: &str) -> QueryForm {
    let said = text::stems(means);
    let ([measure], [Filter::Number { of, comparator, value, .. }]) = (&form.measures[..], &form.filters[..]) else {
        return form;
    };
    if form.conditions.is_empty() && !text::stems(&of.words).iter().any(|stem| said.contains(stem)) {
        let (measure, comparator, value) = (measure.clone(), *comparator, *value);
        form.conditions.push(Condition { measure, comparator, value, average: false });
        form.filters.clear();
    }
    form
}

/// The tests cannot stand where the term was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

fn is_marked(places: &[Found], mark: &str) -> bool {
    matches!(places, [only] if only.values.len() == 1 && only.values.iter().all(|value| value == mark))
}

/// What rows pass that do not pass all of `tests`.
fn inverse(tests: &[Filter]) -> Result<Filter, Unfit> {
    let sides: Result<Vec<Vec<Filter>>, Unfit> = tests.iter().map(|test| Ok(vec![opposite(test)?])).collect();
    let mut sides = sides?;
    match (sides.len(), sides.pop().and_then(|mut side| side.pop())) {
        (1, Some(only)) => Ok(only),
        (_, Some(last)) => {
            sides.push(vec![last]);
            Ok(Filter::Either { sides })
        }
        (_, None) => Err(Unfit),
    }
}

fn opposite(test: &Filter) -> Result<Filter, Unfit> {
    match test {
        Filter::Number { of, comparator, value, unit } => {
            let comparator = match comparator {
                Comparator::Over => Comparator::AtMost,
                Comparator::AtLeast => Comparator::Under,
                Comparator::Under => Comparator::AtLeast,
                Comparator::AtMost => Comparator::Over,
                Comparator::Equal => Comparator::Unequal,
                Comparator::Unequal => Comparator::Equal,
            };
            Ok(Filter::Number { of: of.clone(), comparator, value: *value, unit: *unit })
        }
        Filter::Value { words, found, negated } => {
            Ok(Filter::Value { words: words.clone(), found: found.clone(), negated: !negated })
        }
        Filter::Flag { of, value } => Ok(Filter::Flag { of: of.clone(), value: !value }),
        Filter::Missing { of, negated, unwritten } => {
            Ok(Filter::Missing { of: of.clone(), negated: !negated, unwritten: *unwritten })
        }
        _ => Err(Unfit),
    }
}

/// The table whose rows the last word of `term` names.
pub fn head(catalogue: &Catalogue, term: &str) -> Option<TableId> {
    let head = term.split_whitespace().last()?;
    let stem = text::stems(head).pop()?;
    let is_it = |stems: &Vec<String>| stems.last() == Some(&stem);
    let mut tables = catalogue.tables().filter(|(_, table)| table.stems == [stem.clone()]);
    let only = |mut tables: Box<dyn Iterator<Item = TableId> + '_>| {
        let first = tables.next();
        first.filter(|_| tables.next().is_none())
    };
    tables.next().map(|(id, _)| id).or_else(|| {
        let fits = catalogue.tables().filter(|(_, table)| is_it(&table.stems)).map(|(id, _)| id);
        only(Box::new(fits)).or_else(|| read::named(catalogue, head).and_then(|mention| mention.table()))
    })
}

/// Whether a word says how a number is gathered: "total revenue over 200" is one of groups.
fn gathers(word: &str) -> bool {
    use crate::lexicon::Role::{Average, Deviation, Median, Percentile, Sum};
    let signal = lexicon().signal(&words::fold(word));
    matches!(signal, Some(Signal::Role(Sum | Average | Median | Deviation | Percentile)))
}

/// A column that the data has: a mark may as well have been typed.
fn is_there(catalogue: &Catalogue, column: ColumnId) -> Option<ColumnId> {
    let (_, entry) = catalogue.tables().nth(column.table.0)?;
    (column.column < entry.columns.len() || Made::of(column.column).is_some()).then_some(column)
}

/// What a quoted word of a text stands for, where it is a mark.
pub fn mark(catalogue: &Catalogue, quotation: &str) -> Option<Mark> {
    if let Some(place) = quotation.strip_prefix(VALUE) {
        let mut parts = place.split('x').map(str::parse::<usize>);
        let (table, column) = (TableId(parts.next()?.ok()?), parts.next()?.ok()?);
        let column = is_there(catalogue, ColumnId { table, column })?;
        let place = Thing::Column(column);
        return Some(Mark::Value(Found { place, values: vec![quotation.to_owned()], end: None, via: None }));
    }
    if let Some((place, term)) = quotation.strip_prefix(AMOUNT).and_then(|rest| rest.split_once(' ')) {
        let (table, column) = place.split_once('x')?;
        let column = ColumnId { table: TableId(table.parse().ok()?), column: column.parse().ok()? };
        let column = is_there(catalogue, column)?;
        return Some(Mark::Amount { column, term: term.to_owned() });
    }
    let place = quotation.strip_prefix(ROWS)?;
    let singular = place.ends_with('s');
    let table = place.trim_end_matches(['s', 'p']).parse().ok()?;
    let (id, entry) = catalogue.tables().nth(table)?;
    let noun = if singular { entry.noun() } else { plural(&entry.noun()) };
    Some(Mark::Rows { table: id, noun, singular })
}

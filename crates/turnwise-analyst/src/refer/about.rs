//! What the last result is about: the rows of a table, or the values of a column. A further question about "them" is
//! one about these. Next: `said`, which finds the words that stand for them.

use turnwise_core::{Cell, FactValue, Table, Task};

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Aggregate, Analysis, ColumnId, Dimension, Mention, QueryForm, TableId, Thing};
use super::super::query::{Expression, Query};
use super::super::resolve;

/// Rows that are named one by one; more are found again by their tests.
pub const NAMED_MAX: usize = 200;

/// What the last result is about.
#[derive(Clone, Debug)]
pub struct About {
    /// The table whose rows they are.
    pub table: TableId,
    /// The column whose values they are, where they are no rows.
    pub column: Option<ColumnId>,
    /// One of them, for people.
    pub noun: String,
    /// All of them, for people.
    pub plural: String,
    /// The words that name them.
    pub stems: Vec<String>,
}

impl About {
    /// What `form` is about; none where it is about times, or about nothing with rows.
    pub fn of(catalogue: &Catalogue, form: &QueryForm) -> Option<Self> {
        let thing = match (&form.subject, form.dimensions.first()) {
            (Some(subject), _) => Thing::Table(listed(catalogue, form).or(subject.table())?),
            (None, Some(Dimension::Thing(mention))) => first_group(catalogue, form)
                .or_else(|| mention.table().map(Thing::Table))
                .or_else(|| mention.best().map(|best| best.thing))?,
            (None, Some(Dimension::Time(_))) => return None,
            (None, None) => Thing::Table(measured(catalogue, form)?),
        };
        match thing {
            Thing::Table(table) => Some(Self::rows(catalogue, table)),
            Thing::Column(column) => Some(Self::values(catalogue, column, form)),
            Thing::Concept(_) => None,
        }
    }

    /// The rows of a table.
    pub fn rows(catalogue: &Catalogue, table: TableId) -> Self {
        let entry = catalogue.table(table);
        let stems = entry.stems.clone();
        Self { table, column: None, noun: entry.noun(), plural: catalogue.plural(table), stems }
    }

    fn values(catalogue: &Catalogue, column: ColumnId, form: &QueryForm) -> Self {
        let entry = catalogue.column(column);
        let table = catalogue.table(column.table);
        // A name or a key stands for whose it is, also where what each of them has is shown beside it.
        let is_name = table.display == Display::Column(column.column) || table.key == Some(column.column);
        let is_had = |dimension: &Dimension| match dimension {
            Dimension::Thing(mention) => mention.best().is_some_and(|best| match best.thing {
                Thing::Column(other) => {
                    other.table == column.table || !catalogue.paths(column.table, other.table).is_empty()
                }
                Thing::Table(other) => other == column.table || !catalogue.paths(column.table, other).is_empty(),
                Thing::Concept(_) => false,
            }),
            Dimension::Time(_) => false,
        };
        let is_rows = form.measures.is_empty() && (is_name || form.dimensions.len() > 1);
        if is_rows && form.dimensions.iter().all(is_had) {
            return Self::rows(catalogue, column.table);
        }
        let noun = entry.noun();
        let plural = super::super::catalogue::plural(&noun);
        let stems = entry.stems.iter().chain(&table.stems).cloned().collect();
        Self { table: column.table, column: Some(column), noun, plural, stems }
    }

    /// Whether these are rows of a table and no values.
    pub fn is_rows(&self) -> bool {
        self.column.is_none()
    }

    /// A mention of them.
    pub fn mention(&self) -> Mention {
        Mention::of(self.plural.clone(), self.column.map_or(Thing::Table(self.table), Thing::Column))
    }
}

/// The column a dimension is of, if it is of one.
pub fn column_of(dimension: &Dimension) -> Option<ColumnId> {
    match dimension {
        Dimension::Thing(mention) => match mention.best()?.thing {
            Thing::Column(column) => Some(column),
            Thing::Table(_) | Thing::Concept(_) => None,
        },
        Dimension::Time(_) => None,
    }
}

/// The table whose rows a list is of, as it was resolved.
fn listed(catalogue: &Catalogue, form: &QueryForm) -> Option<TableId> {
    let label = resolve::list(catalogue, form).ok()?.label;
    let mut named = catalogue.tables().filter(|(table, _)| catalogue.plural(*table) == label).map(|(table, _)| table);
    named.next().filter(|_| named.next().is_none())
}

/// What the first group was resolved to: of several columns of one name the one that was shown.
fn first_group(catalogue: &Catalogue, form: &QueryForm) -> Option<Thing> {
    let table = |query: &Query, source: usize| query.sources.get(source).map(|source| source.table);
    let column_in = |query: &Query, expression: &Expression| match expression {
        Expression::Column { source, column } => Some(ColumnId { table: table(query, *source)?, column: *column }),
        _ => None,
    };
    let Some(measure) = form.measures.first() else {
        let query = resolve::list(catalogue, form).ok()?.query;
        let column = column_in(&query, &query.columns.first()?.expression)?;
        let rows = match form.dimensions.first() {
            Some(Dimension::Thing(mention)) => mention.table() == Some(column.table),
            _ => false,
        };
        return Some(if rows { Thing::Table(column.table) } else { Thing::Column(column) });
    };
    let query = resolve::measure(catalogue, form, measure).ok()?.query;
    let group = query.groups.first()?;
    match group.keys.first() {
        Some(Expression::Column { source, .. }) => table(&query, *source).map(Thing::Table),
        Some(_) => None,
        None => column_in(&query, &group.outputs.last()?.expression).map(Thing::Column),
    }
}

/// The table whose rows the first number is gathered from.
pub fn measured(catalogue: &Catalogue, form: &QueryForm) -> Option<TableId> {
    use super::super::catalogue::Amount;
    let measure = form.measures.first()?;
    if let Some(table) = measure.of.table() {
        return Some(table);
    }
    if let Some((table, _)) = resolve::measure(catalogue, form, measure).ok().as_ref().and_then(resolve::column_of) {
        return Some(table);
    }
    match measure.of.best()?.thing {
        Thing::Table(table) => Some(table),
        Thing::Column(column) => Some(column.table),
        Thing::Concept(concept) => catalogue.measures(concept).first().map(|source| match source.amount {
            Amount::Column(column) => column.table,
            Amount::Product { .. } | Amount::Difference { .. } => source.table,
        }),
    }
}

/// Whether the tests of `form` say which rows it found: nothing was cut off, and no group was left out.
pub fn told_by_tests(catalogue: &Catalogue, form: &QueryForm, about: &About) -> bool {
    let whole = form.ranking.as_ref().is_none_or(|ranking| ranking.limit.is_none());
    let plain = matches!(form.analysis, Analysis::Plain | Analysis::Share) && form.periods.len() < 2;
    let gathered_elsewhere = !form.dimensions.is_empty() && measured(catalogue, form).is_some_and(|t| t != about.table);
    let extreme = form.dimensions.is_empty()
        && form.measures.iter().any(|one| matches!(one.aggregate, Aggregate::Minimum | Aggregate::Maximum));
    whole && plain && !gathered_elsewhere && !extreme && form.conditions.is_empty() && !form.first_within
}

/// The rows that were shown last.
pub fn shown(task: &Task) -> Option<&Table> {
    let result = task.previous.as_ref()?.draft().result.clone();
    let fact = task.facts.iter().rev().find(|fact| *fact.name() == result)?;
    match &fact.body.value {
        FactValue::Table(table) => Some(table),
        FactValue::Text(_) => None,
    }
}

/// What tells the rows that were shown apart.
pub enum Known {
    /// Values of a column.
    Keys(ColumnId, Vec<Cell>),
    /// What they are called by, first and last name as one.
    Names(Vec<String>),
}

/// What tells the shown rows of `about` apart; of the row at `place` alone where one is said.
pub fn keys(catalogue: &Catalogue, form: &QueryForm, about: &About, task: &Task, place: Place) -> Option<Known> {
    let rows = shown(task)?;
    // One row is told by itself, however many others there are; the last one only where the rows go on to the end.
    let is_known = match place {
        Place::All => !rows.is_cut() && rows.rows.len() <= NAMED_MAX,
        Place::Nth(_) => true,
        Place::Last => !rows.is_cut(),
    };
    if rows.rows.is_empty() || !is_known {
        return None;
    }
    let (of, position) = teller(catalogue, form, about, &rows.columns)?;
    let taken = match place {
        Place::All => rows.rows.as_slice(),
        Place::Nth(at) => rows.rows.get(at..=at)?,
        Place::Last => rows.rows.get(rows.rows.len() - 1..)?,
    };
    let mut values: Vec<Cell> = Vec::new();
    for value in taken.iter().filter_map(|row| row.get(position)).filter(|value| **value != Cell::Null) {
        if !values.contains(value) {
            values.push(value.clone());
        }
    }
    match of {
        _ if values.is_empty() => None,
        Some(column) => Some(Known::Keys(column, values)),
        None => Some(Known::Names(values.iter().map(ToString::to_string).collect())),
    }
}

/// Which of the shown rows are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    All,
    /// Counted from 0.
    Nth(usize),
    Last,
}

/// The shown column that tells the rows apart, and where it stands; no column where it is the whole name.
fn teller(
    catalogue: &Catalogue,
    form: &QueryForm,
    about: &About,
    columns: &[String],
) -> Option<(Option<ColumnId>, usize)> {
    let at = |labels: &[String]| {
        columns.iter().position(|column| labels.iter().any(|label| label.eq_ignore_ascii_case(column)))
    };
    let entry = catalogue.table(about.table);
    if let Some(column) = about.column {
        let labels: Vec<String> =
            std::iter::once(catalogue.column(column).noun()).chain(label_of(catalogue, form, about)).collect();
        return Some((Some(column), at(&labels)?));
    }
    let by_key = entry.key.and_then(|key| {
        let name = &entry.columns[key].name;
        let mut labels =
            vec![format!("{} id", entry.noun()), format!("{} code", entry.noun()), name.clone(), spaced(name)];
        // Rows without a name are called by their key.
        labels.extend((entry.display == Display::Nothing).then(|| entry.noun()));
        Some((Some(ColumnId { table: about.table, column: key }), at(&labels)?))
    });
    let by_name = || {
        let own = std::iter::once(entry.noun()).chain(label_of(catalogue, form, about));
        match entry.display {
            _ if entry.namesakes => None,
            Display::Column(column) => {
                let labels: Vec<String> = own.chain([entry.columns[column].noun()]).collect();
                Some((Some(ColumnId { table: about.table, column }), at(&labels)?))
            }
            Display::FullName { .. } => Some((None, at(&own.collect::<Vec<_>>())?)),
            Display::Nothing => None,
        }
    };
    by_key.or_else(by_name)
}

/// Under which word the rows, or the values, were shown: "support rep" of employees.
fn label_of(catalogue: &Catalogue, form: &QueryForm, about: &About) -> Option<String> {
    let query = match form.measures.first() {
        Some(measure) => resolve::measure(catalogue, form, measure).ok()?.query,
        None => resolve::list(catalogue, form).ok()?.query,
    };
    let display = &catalogue.table(about.table).display;
    let is_name = |expression: &Expression| {
        let (source, own) = match expression {
            Expression::Column { source, column } => {
                (*source, about.column.map_or(*display == Display::Column(*column), |wanted| wanted.column == *column))
            }
            Expression::FullName { source, .. } => (*source, about.column.is_none()),
            _ => return false,
        };
        own && query.sources.get(source).is_some_and(|source| source.table == about.table)
    };
    let outputs = query.groups.iter().flat_map(|group| &group.outputs).chain(&query.columns);
    let mut outputs = outputs.filter(|output| is_name(&output.expression));
    outputs.next().map(|output| output.label.clone())
}

fn spaced(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

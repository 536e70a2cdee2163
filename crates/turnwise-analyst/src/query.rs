//! A query as a typed tree, after joins were chosen and before a dialect writes it out. Only reading can be expressed.
//! Next: `sql`, which renders it; `resolve`, which makes it.

use turnwise_core::Cell;

use super::catalogue::{AxisPlace, Unit};
use super::form::{Aggregate, TableId};
use super::lexicon::{Comparator, Order};
use super::period::Grain;

/// A value of a row. `source` is the position in [`Query::sources`].
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A column.
    Column { source: usize, column: usize },
    /// First and last name as one.
    FullName { source: usize, first: usize, last: usize },
    /// A product.
    Product(Vec<Expression>),
    /// One less it.
    Complement(Box<Expression>),
    /// 100 where the value is one of these, or the truth said where it is one by itself; else 0.
    Holds { of: Box<Expression>, value: bool, values: Vec<Cell> },
    /// 100 where the row passes all of these; else 0.
    Passes(Vec<Test>),
    /// The first less all others; a missing one of those counts as nothing.
    Difference(Vec<Expression>),
    /// An ISO date.
    Date { source: usize, place: AxisPlace },
    /// A part of a date.
    Part { part: DatePart, of: Box<Expression> },
    /// The time from one date to another; by whole days where one of them has no hour.
    Lasting { from: Box<Expression>, until: Box<Expression>, unit: Unit, clock: bool },
    /// Whether one date is after another; on a later day where one of them has no hour.
    Later { of: Box<Expression>, than: Box<Expression>, clock: bool },
    /// Whether one number is above another, or where it is enough, the same.
    Above { of: Box<Expression>, than: Box<Expression>, same: bool },
    /// Whether any row of a table refers to the row by some columns: pairs of its own and of the other's.
    Referred { source: usize, table: TableId, own: usize, theirs: usize },
    /// Whether more rows of a table refer to the row's `own` column by one of theirs than by the other.
    MoreReferring { source: usize, table: TableId, own: usize, more: usize, less: usize },
    /// Whether a number is above 0.
    Positive(Box<Expression>),
    /// Whether two values are the same.
    Same { of: Box<Expression>, with: Box<Expression> },
}

impl Expression {
    /// Whether it is a test by itself, and no column that is compared with yes or no.
    pub fn is_truth(&self) -> bool {
        match self {
            Self::Later { .. }
            | Self::Above { .. }
            | Self::Same { .. }
            | Self::Referred { .. }
            | Self::Positive(_)
            | Self::MoreReferring { .. } => true,
            Self::Column { .. }
            | Self::FullName { .. }
            | Self::Product(_)
            | Self::Complement(_)
            | Self::Holds { .. }
            | Self::Passes(_)
            | Self::Difference(_)
            | Self::Date { .. }
            | Self::Part { .. }
            | Self::Lasting { .. } => false,
        }
    }
}

/// A part of a date that can be grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatePart {
    /// "2024".
    Year,
    /// 1 to 4.
    Quarter,
    /// "01" to "12".
    Month,
    /// "2024-W05".
    Week,
    /// "2024-01-31".
    Day,
    /// "Monday".
    Weekday,
    /// 1 for Monday; to sort by.
    WeekdayNumber,
    /// 0 to 23.
    Hour,
}

/// A table read, and how it is joined to one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The table.
    pub table: TableId,
    /// The position of the source it is joined to with the pairs of columns; none for the first.
    pub joined: Option<(usize, Vec<(usize, usize)>)>,
    /// The end of its rows, where only those without one are joined: the current version of something.
    pub current: Option<usize>,
    /// Whether the pairs are dates of the same day.
    pub by_day: bool,
}

/// A test on a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Is one of the values, or none of them.
    In { of: Expression, values: Vec<Cell>, negated: bool },
    /// Compares with a number.
    Number { of: Expression, comparator: Comparator, value: f64 },
    /// Lies in a span of dates, the end excluded; or outside of it, where rows without a date are.
    Time { of: Expression, from: Option<String>, until: Option<String>, outside: bool },
    /// Has no value, or has one.
    Missing { of: Expression, negated: bool },
    /// Has no value or 0, or has another.
    Nothing { of: Expression, negated: bool },
    /// Is one of the values another query finds, or none of them.
    Among { of: Expression, query: Box<Query>, negated: bool },
    /// Compares with the average, or with an end, over all rows of its table.
    Against { of: Expression, comparator: Comparator, aggregate: Aggregate, table: TableId, column: usize },
    /// Is true, or false.
    Flag { of: Expression, value: bool },
    /// Has a text in it, or not.
    Text { of: Expression, text: String, place: TextPlace, negated: bool },
    /// Passes all tests of one of the sides.
    Any(Vec<Vec<Test>>),
    /// No row of another table refers to it.
    Lacks { source: usize, table: TableId, pairs: Vec<(usize, usize)> },
}

/// Where in a value a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPlace {
    Anywhere,
    Start,
    End,
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub label: String,
    /// Its value.
    pub expression: Expression,
}

/// What rows are grouped by: shown columns, and keys that keep namesakes apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Shown.
    pub outputs: Vec<Output>,
    /// Not shown.
    pub keys: Vec<Expression>,
    /// Whether groups come in the order of time.
    pub time: Option<Grain>,
}

/// A gathered number.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// Its name; none where groups are only tested by it.
    pub label: String,
    /// How rows are gathered.
    pub aggregate: Aggregate,
    /// Of what; of rows when none.
    pub of: Option<Expression>,
    /// The other number of a correlation, or the key of the rows an average is over.
    pub with: Option<Expression>,
}

impl Gathered {
    /// Whether it is a column of the result.
    pub fn is_shown(&self) -> bool {
        !self.label.is_empty()
    }
}

/// A whole query: grouped when it gathers, else a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// Tables read.
    pub sources: Vec<Source>,
    /// Tests, all of which must hold.
    pub tests: Vec<Test>,
    /// Groups.
    pub groups: Vec<Group>,
    /// Numbers gathered.
    pub gathered: Vec<Gathered>,
    /// When joins repeat the counted rows: what tells those apart, so that each counts once.
    pub once_per: Option<Expression>,
    /// Tests on gathered numbers, by position.
    pub having: Vec<(usize, Comparator, f64)>,
    /// Gathers the groups' first number again.
    pub over_groups: Option<Aggregate>,
    /// Whether that is done within each of the groups behind the first.
    pub over_within: bool,
    /// All rows of the table that the groups are of, where those without a group count as 0 in their average.
    pub over_all: Option<Box<Query>>,
    /// Keeps the first groups within each of the first groups' values.
    pub first_within: Option<FirstWithin>,
    /// Counts the groups instead of showing them.
    pub count_groups: bool,
    /// Columns of a list.
    pub columns: Vec<Output>,
    /// Whether equal rows of a list are shown once.
    pub distinct: bool,
    /// The order of a list, or of groups by a gathered number.
    pub order: Option<(OrderBy, Order)>,
    /// The order of rows that are equal in that.
    pub then: Vec<(Expression, Order)>,
    /// Rows kept.
    pub limit: Option<usize>,
}

/// The first few of each: "the best selling track per genre".
#[derive(Clone, Debug, PartialEq)]
pub struct FirstWithin {
    /// The groups within which there is a first, by position.
    pub within: Vec<usize>,
    /// Which end comes first.
    pub order: Order,
    /// How many; all that tie for the last place are kept.
    pub limit: usize,
}

/// What is ordered by.
#[derive(Clone, Debug, PartialEq)]
pub enum OrderBy {
    /// A gathered number, by position.
    Gathered(usize),
    /// A value of the row.
    Value(Expression),
}

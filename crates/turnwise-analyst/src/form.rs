//! The query form: a question with its words resolved to things of the catalogue, but not yet to joins or SQL. It is
//! what a refinement starts from ("only Canada"), so it travels inside the plan as JSON. Next: `read`, `resolve`.

mod names;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnwise_core::{Cell, Presentation};

use super::dating::DatedBy;
use super::definitions::Stated;
use super::files::Write;
use super::lexicon::{Comparator, Concept, Order};
use super::period::{Grain, Period};

/// A table of the catalogue, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableId(pub usize);

/// A column of a table, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ColumnId {
    /// The table.
    pub table: TableId,
    /// The column's position in it.
    pub column: usize,
}

/// Something a phrase may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// The rows of a table.
    Table(TableId),
    /// A column.
    Column(ColumnId),
    /// A property that some columns hold.
    Concept(Concept),
}

/// One reading of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// What it names.
    pub thing: Thing,
    /// How well the words fit, to 100.
    pub score: u32,
}

/// A phrase of the person with everything it may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The words as typed.
    pub words: String,
    /// Its readings; never empty.
    pub candidates: Vec<Candidate>,
}

/// An end of a relation that has two: where something comes from, or where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    From,
    To,
}

/// A column in which a value was found, with the value as the column spells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Where: a column, or a table for the displayed name of its rows.
    pub place: Thing,
    /// The spellings in the data.
    pub values: Vec<String>,
    /// Which end of a relation it was said to be: "from JFK", "to LAX".
    #[serde(default)]
    pub end: Option<End>,
    /// The column that refers to its row: "admitted by Ada", where another one says who discharged.
    #[serde(default)]
    pub via: Option<ColumnId>,
}

/// How a measure gathers rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    Count,
    CountDistinct,
    Sum,
    Average,
    /// The sum by how many different rows of the other mention it belongs to: the average value of an order, where its
    /// lines have the values.
    AverageEach,
    Minimum,
    Maximum,
    Median,
    /// The highest less the lowest.
    Range,
    Deviation,
    /// The value below which this many percent lie.
    Percentile(f64),
    /// How two numbers go together, from −1 to 1.
    Correlation,
    /// How many of a hundred rows a yes/no column says this of.
    Share(bool),
}

/// A number asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// How rows are gathered.
    pub aggregate: Aggregate,
    /// Of what.
    pub of: Mention,
    /// For "average sales per customer": gathers the groups' values again.
    pub over_groups: Option<Aggregate>,
    /// The other number of a correlation, or the rows of which each has a part of an average.
    #[serde(default)]
    pub with: Option<Mention>,
    /// What the rows of a share must pass, where no yes/no column says it by itself.
    #[serde(default)]
    pub holds: Vec<Filter>,
}

impl Measure {
    /// `of` gathered by `aggregate`.
    pub fn new(aggregate: Aggregate, of: Mention) -> Self {
        Self { aggregate, of, over_groups: None, with: None, holds: Vec::new() }
    }
}

/// What rows are grouped by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// A column, or the rows of a table.
    Thing(Mention),
    /// Time.
    Time(Grain),
}

/// A test a row must pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// One of some values.
    Value {
        /// The words as typed.
        words: String,
        /// Where they were found.
        found: Vec<Found>,
        /// Whether the rows must not have it.
        negated: bool,
    },
    /// A comparison with a number.
    Number {
        /// What is compared.
        of: Mention,
        /// How.
        comparator: Comparator,
        /// With what.
        value: f64,
        /// The unit said, in base units of the concept ("minutes" is 60 000 milliseconds).
        unit: Option<f64>,
    },
    /// Has no value, or has one.
    Missing {
        /// The column.
        of: Mention,
        /// Whether it must have a value.
        negated: bool,
        /// Whether it was asked for what is not written down, rather than for none: "unknown", "missing".
        #[serde(default)]
        unwritten: bool,
    },
    /// A true-or-false column.
    Flag {
        /// The column.
        of: Mention,
        /// The value wanted.
        value: bool,
    },
    /// Has no rows in another table that pass some tests: "never bought Jazz", "never sold in 2024".
    Never {
        /// The other table, where it was named or follows from the verb.
        of: Option<Mention>,
        /// The tests.
        filters: Vec<Filter>,
        /// The time of it.
        periods: Vec<Period>,
    },
    /// Has a row in another table that passes some tests, whatever else it has: "students with both a cat and a dog".
    Some {
        /// The other table, where it was named.
        of: Option<Mention>,
        /// The tests.
        filters: Vec<Filter>,
        /// The time of it.
        periods: Vec<Period>,
    },
    /// Compares with the average: "longer than average".
    Average {
        /// What is compared.
        of: Mention,
        /// How.
        comparator: Comparator,
    },
    /// Has the highest or the lowest of all values of a column: "trained in the dearest procedure".
    End {
        /// The column.
        of: Mention,
        /// Descending for the highest.
        order: Order,
    },
    /// Lies on some days of the week, or on none of them.
    Weekdays {
        /// 1 for Monday.
        days: Vec<i8>,
        /// Whether it must not.
        negated: bool,
    },
    /// Lies outside of a time: "excluding January".
    Outside {
        /// The time.
        period: Period,
    },
    /// A date of its own lies in a time: "of meters installed in 2022", where the rest is of another time.
    Dated {
        /// The date.
        of: Mention,
        /// The time.
        period: Period,
    },
    /// Belongs to the rows of an earlier result.
    Among {
        /// The table of those rows.
        table: TableId,
        /// What is said of them to people: "the 5 battles found before".
        words: String,
        /// Which they are.
        rows: Among,
        /// Whether it must not.
        #[serde(default)]
        negated: bool,
    },
    /// Has no rows in another table.
    Lacks {
        /// The other table.
        of: Mention,
    },
    /// Text of a column, or of the displayed name.
    Text {
        /// The column, where one was named.
        #[serde(default)]
        of: Option<Mention>,
        /// What it must contain, or begin or end with.
        text: String,
        /// Whether it must begin with it.
        start: bool,
        /// Whether it must end with it.
        #[serde(default)]
        end: bool,
        /// Whether it must not.
        #[serde(default)]
        negated: bool,
    },
    /// Passes all tests of one side or all of another: "in Oslo or older than 40".
    Either {
        /// The sides.
        sides: Vec<Vec<Filter>>,
    },
    /// Lies in a time, as one side of an either-or.
    During {
        /// The time.
        period: Period,
    },
}

/// Which rows an earlier result found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Among {
    /// Those with these values, where a ranking or a group decided.
    Named {
        /// Where the values are.
        column: ColumnId,
        /// The values.
        values: Vec<Cell>,
    },
    /// Those that pass the tests of this question.
    Tested(Box<QueryForm>),
}

/// A claim that one side of a comparison is above or below the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// How the first side is said to be.
    pub comparator: Comparator,
    /// The side that is spoken of, as it is labelled; the first when none.
    pub of: Option<String>,
    /// The number it was said to be above or below, where there is no other side.
    #[serde(default)]
    pub value: Option<f64>,
}

/// A test a group must pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// What is tested.
    pub measure: Measure,
    /// How.
    pub comparator: Comparator,
    /// With what.
    pub value: f64,
    /// Whether it is compared with the average of all groups instead.
    #[serde(default)]
    pub average: bool,
}

/// What a ranking goes by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// The form's first measure.
    Measure,
    /// A property of the listed rows.
    Property(Mention),
}

/// An order with an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// Which end comes first.
    pub order: Order,
    /// How many are kept; all when none.
    pub limit: Option<usize>,
    /// By what.
    pub by: RankBy,
}

/// What was asked about before a change put something else in its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Replaced {
    #[default]
    Nothing,
    /// A value of the same place.
    Value(Filter),
    /// A time.
    Period(Period),
}

/// Which versions of what is held over time are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Versions {
    /// Nothing was said of it.
    #[default]
    Unsaid,
    /// Those that have not ended.
    Current,
    /// All there ever were.
    All,
}

/// Something that was looked for among rows: "is Canada among them?".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sought {
    /// The words as typed.
    pub words: String,
    /// The rows that were looked through, for people.
    pub among: String,
    /// The tests that find it.
    pub filters: Vec<Filter>,
}

/// What is done with the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Analysis {
    /// They are shown.
    #[default]
    Plain,
    /// Two or more periods or values are put side by side.
    Compare,
    /// Each is related to the total.
    Share,
    /// Their course over time is shown.
    Trend,
    /// Each period is related to the one before.
    Growth,
    /// The change between two periods is taken apart.
    Explain,
    /// Their course is continued by this many periods.
    Forecast(usize),
    /// Those that lie far from the rest are told.
    Outliers,
    /// Each is added to those before it.
    Cumulative,
    /// The first is divided by the second.
    Ratio,
}

/// A question, understood.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueryForm {
    /// The numbers asked for; none when rows are listed.
    pub measures: Vec<Measure>,
    /// What they are grouped by.
    pub dimensions: Vec<Dimension>,
    /// Tests on rows, all of which must hold.
    pub filters: Vec<Filter>,
    /// The time asked about; several are compared.
    pub periods: Vec<Period>,
    /// Tests on groups.
    pub conditions: Vec<Condition>,
    /// The table whose rows are listed.
    pub subject: Option<Mention>,
    /// Columns to show beside the name of listed rows.
    pub attributes: Vec<Mention>,
    /// Columns asked for by name: these are shown of the listed rows, or of the rows that are the first groups, and no
    /// others that merely say which they are.
    #[serde(default)]
    pub shown: Vec<Mention>,
    /// Whether all columns of the listed rows are asked for.
    #[serde(default)]
    pub whole: bool,
    /// Whether rows that look the same are wanted once.
    #[serde(default)]
    pub different: bool,
    /// What rows are ordered by where the ranking leaves them equal.
    #[serde(default)]
    pub then: Vec<(Mention, Order)>,
    /// Tables that were named without another part to play: they decide between readings.
    pub context: Vec<Mention>,
    /// Order and number of rows.
    pub ranking: Option<Ranking>,
    /// What is done with the numbers.
    pub analysis: Analysis,
    /// Whether the ranking is one within each of the groups behind the first: "best selling track per genre".
    #[serde(default)]
    pub first_within: bool,
    /// What was claimed of the two sides of a comparison: "is revenue higher in 2024 than in 2023?".
    #[serde(default)]
    pub claim: Option<Claim>,
    /// What was asked to be among the rows: they are shown where it is, and the next change is about all again.
    #[serde(default)]
    pub sought: Option<Sought>,
    /// Whether the groups that pass are counted instead of shown.
    pub count_groups: bool,
    /// How the person wants to look at it.
    pub look: Option<Presentation>,
    /// Whether a chart is wanted, of whatever kind fits.
    #[serde(default)]
    pub drawn: bool,
    /// Whether the rows of the result are put in the order of their names.
    #[serde(default)]
    pub by_name: Option<Order>,
    /// What a change took the place of last: "both" are it and what stands there now.
    #[serde(default)]
    pub replaced: Replaced,
    /// Answers to clarifications, by the words asked about.
    pub answers: BTreeMap<String, String>,
    /// What was taken for granted while reading.
    pub notes: Vec<String>,
    /// The changes already in it.
    pub applied: Vec<String>,
    /// Which versions are asked about, where something is held version after version.
    #[serde(default)]
    pub versions: Versions,
    /// The catalogue its positions refer to.
    pub catalogue: String,
    /// Files that the result is written to.
    #[serde(default)]
    pub writes: Vec<Write>,
    /// The definitions it uses.
    #[serde(default)]
    pub stated: Vec<Stated>,
    /// Whether it was asked what each of them did: rows that belong to nobody are no group then.
    #[serde(default)]
    pub of_each: bool,
    /// Further questions that the same plan answers, each by steps of its own.
    #[serde(default)]
    pub beside: Vec<QueryForm>,
    /// The dates that rows are dated by, as far as they were chosen.
    #[serde(default)]
    pub dated: Vec<DatedBy>,
    /// All definitions that held when it was read.
    #[serde(default)]
    pub meanings: String,
}

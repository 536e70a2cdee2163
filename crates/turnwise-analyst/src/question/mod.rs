//! A question as a value: meaning only, by name. A reader that is no grammar (a language model) gives one as JSON; what
//! it names is then looked up in the data, so nothing in it is believed: `bind` checks names, types, values and
//! combinations, and `plan` that every word of the message is accounted for. SQL is written from the form that comes
//! of it, like from any other. Everything is a list, none of a kind is an empty one, and the keys of an object are in
//! alphabetical order, because a small model fills them in the order in which it finds them. Next: `schema`, `bind`.

mod bind;
mod card;
mod cover;
mod filters;
mod names;
mod of;
mod period;
mod plan;
mod problem;
mod reader;
mod schema;
mod sql;
mod told;
mod values;

use serde::{Deserialize, Serialize};

use super::lexicon::Comparator;

pub use card::CatalogueCard;
pub use of::Inexpressible;
pub use plan::{Bound, Times, plan, plan_bound, plan_sensed};
pub use problem::Problem;
pub use reader::{ModelReader, TASK, is_wanted, may_be_of_data, noted};
pub use schema::SCHEMA;
pub use sql::{read, written};
pub(crate) use told::adds;

/// Words of the message, as they stand there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Words(pub String);

/// What is named: `table`, `table.column`, `days from table.start to table.end`, or `table.date after table.other`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Name(pub String);

/// A value as the data or the person spells it: a text, a number, yes or no, a time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Said(pub String);

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is done with the numbers.
    #[serde(default)]
    pub analysis: What,
    /// Tests on rows, all of which must hold.
    #[serde(default)]
    pub filters: Vec<Test>,
    /// What rows are grouped by.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Tests on groups.
    #[serde(default)]
    pub having: Vec<GroupTest>,
    /// What is listed: a table whose rows are, or columns, whose different values are; with a table, columns are shown
    /// beside its rows.
    #[serde(default)]
    pub list: Vec<Listed>,
    /// The numbers asked for.
    #[serde(default)]
    pub measures: Vec<Number>,
    /// Words whose meaning was not found.
    #[serde(default)]
    pub not_understood: Vec<Words>,
    /// The order, and how many are kept; one at most.
    #[serde(default)]
    pub rank: Vec<Rank>,
    /// Rows of another table that must be there, or must not.
    #[serde(default)]
    pub related: Vec<Related>,
}

/// What is done with the numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// They are shown.
    #[default]
    Plain,
    /// Two times or two values are put side by side.
    Compare,
    /// Each group is related to the total.
    ShareOfTotal,
    /// Each time is related to the one before.
    Growth,
    /// Each time is added to those before.
    Cumulative,
    /// The first number is divided by the second.
    Ratio,
}

/// A test a row must pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The words it rests on.
    pub as_said: Words,
    /// What is tested.
    pub column: Name,
    /// How.
    pub is: Is,
    /// With what; for the other date or number of the same row, its name.
    #[serde(default)]
    pub values: Vec<Said>,
}

/// How a value is tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Is {
    /// One of the values.
    #[default]
    Equal,
    /// None of the values.
    NotEqual,
    /// Above it, or after it.
    Over,
    /// It, or above.
    AtLeast,
    /// Below it, or before it.
    Under,
    /// It, or below.
    AtMost,
    /// From the first to the second, both included.
    Between,
    /// A text with it somewhere.
    Contains,
    /// A text that begins with it.
    StartsWith,
    /// A text that ends with it.
    EndsWith,
    /// Nothing is written there.
    Missing,
    /// Something is written there.
    Present,
    /// A date in a time: `2024`, `2024-03`, `2024-Q1`, `last month`.
    During,
    /// The highest of all there are.
    Highest,
    /// The lowest of all there are.
    Lowest,
    /// Above the average of all.
    AboveAverage,
    /// Below the average of all.
    BelowAverage,
}

impl From<Comparator> for Is {
    fn from(comparator: Comparator) -> Self {
        match comparator {
            Comparator::Over => Self::Over,
            Comparator::AtLeast => Self::AtLeast,
            Comparator::Under => Self::Under,
            Comparator::AtMost => Self::AtMost,
            Comparator::Equal => Self::Equal,
            Comparator::Unequal => Self::NotEqual,
        }
    }
}

/// What rows are grouped by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The words it rests on.
    pub as_said: Words,
    /// A column, or a table for its rows.
    pub by: Name,
    /// Of dates, the length of time.
    #[serde(default)]
    pub each: Each,
}

/// What of a column makes a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Each {
    /// Each different value.
    #[default]
    Value,
    /// Each day.
    Day,
    /// Each week.
    Week,
    /// Each month.
    Month,
    /// Each quarter.
    Quarter,
    /// Each year.
    Year,
    /// Monday to Sunday, whatever the date.
    Weekday,
    /// The hour of the day, whatever the date.
    Hour,
}

/// A number asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The words it rests on.
    pub as_said: Words,
    /// How rows are gathered.
    pub how: How,
    /// A table for its rows, or a column.
    pub of: Name,
    /// Tests on the rows of this number alone; of a share, what its rows must pass.
    #[serde(default)]
    pub only: Vec<Test>,
}

/// How rows are gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// How many there are.
    #[default]
    Count,
    /// How many different values there are.
    CountDifferent,
    /// All added up.
    Sum,
    /// Their average.
    Average,
    /// The lowest.
    Minimum,
    /// The highest.
    Maximum,
    /// The one in the middle.
    Median,
    /// How many of a hundred rows pass.
    Share,
}

/// A test a group must pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupTest {
    /// The words it rests on.
    pub as_said: Words,
    /// How rows are gathered.
    pub how: How,
    /// How it is compared.
    pub is: Is,
    /// A table for its rows, or a column.
    pub of: Name,
    /// With what number.
    pub value: Said,
}

/// What is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The words it rests on.
    pub as_said: Words,
    /// A table or a column.
    pub of: Name,
}

/// An order with an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    /// The words it rests on.
    pub as_said: Words,
    /// A column of the listed rows; `measure` for the first number.
    pub by: Name,
    /// How many are kept; 0 for all.
    #[serde(default)]
    pub limit: u32,
    /// Which end comes first.
    pub order: End,
    /// Whether the first of each group behind the first are wanted: the best seller of each genre.
    #[serde(default)]
    pub per_group: bool,
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The highest.
    Highest,
    /// The lowest.
    Lowest,
}

/// Rows of another table that must belong to those asked about, or must not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Related {
    /// The words it rests on.
    pub as_said: Words,
    /// Tests on the rows of that table.
    #[serde(default)]
    pub filters: Vec<Test>,
    /// Whether there must be one.
    pub has: bool,
    /// The other table.
    pub table: Name,
}

impl Question {
    /// The same, whatever words its parts rest on.
    pub fn forget_words(&mut self) {
        let tests = |tests: &mut Vec<Test>| tests.iter_mut().for_each(|test| test.as_said = Words::default());
        tests(&mut self.filters);
        self.groups.iter_mut().for_each(|group| group.as_said = Words::default());
        self.having.iter_mut().for_each(|having| having.as_said = Words::default());
        self.list.iter_mut().for_each(|listed| listed.as_said = Words::default());
        for number in &mut self.measures {
            number.as_said = Words::default();
            tests(&mut number.only);
        }
        self.rank.iter_mut().for_each(|rank| rank.as_said = Words::default());
        for related in &mut self.related {
            related.as_said = Words::default();
            tests(&mut related.filters);
        }
    }

    /// The words each part rests on.
    pub fn rests_on(&self) -> Vec<&Words> {
        let mut all = tested(&self.filters);
        all.extend(self.groups.iter().map(|group| &group.as_said));
        all.extend(self.having.iter().map(|having| &having.as_said));
        all.extend(self.list.iter().map(|listed| &listed.as_said));
        for number in &self.measures {
            all.push(&number.as_said);
            all.extend(tested(&number.only));
        }
        all.extend(self.rank.iter().map(|rank| &rank.as_said));
        for related in &self.related {
            all.push(&related.as_said);
            all.extend(tested(&related.filters));
        }
        all
    }
}

fn tested(tests: &[Test]) -> Vec<&Words> {
    tests.iter().map(|test| &test.as_said).collect()
}

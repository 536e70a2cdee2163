//! What is wrong with a question, by name, with what would be right: for the model that may mend it once, and for the
//! person who is told why it was not taken. Next: `bind`.

use turnwise_model::Sees;

/// Why a question cannot be taken as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing is called so: the name, and what is called nearly so.
    #[error("there is no `{name}`{}", or_rather(nearest))]
    UnknownName {
        /// What is named.
        name: String,
        /// What comes near it.
        nearest: Vec<String>,
    },
    /// Several columns are called so.
    #[error("`{name}` is the name of several columns; write one of {}", listed(choices))]
    AmbiguousName {
        /// What is named.
        name: String,
        /// Those there are.
        choices: Vec<String>,
    },
    /// A table stands where a column has to, or a column where a table has to.
    #[error("`{name}` is no {wanted}{}", or_rather(nearest))]
    WrongThing {
        /// What is named.
        name: String,
        /// What was wanted of it.
        wanted: &'static str,
        /// What comes near it.
        nearest: Vec<String>,
    },
    /// The column holds something else than what is done with it needs.
    #[error("`{name}` holds {holds}, so it cannot be {wanted}")]
    WrongType {
        /// What is named.
        name: String,
        /// What it holds.
        holds: &'static str,
        /// What was wanted of it.
        wanted: &'static str,
    },
    /// The column does not hold the value.
    #[error("`{column}` does not hold “{value}”{}", or_rather(nearest))]
    UnknownValue {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// What comes near it.
        nearest: Vec<String>,
    },
    /// No number.
    #[error("`{column}` is compared with “{value}”, which is no number")]
    NoNumber {
        /// The column.
        column: String,
        /// The value.
        value: String,
    },
    /// No time.
    #[error("“{value}” is no time; write a year, `2024-03`, `2024-Q1`, `2024-03-15`, or words such as `last month`")]
    NoTime {
        /// The value.
        value: String,
    },
    /// The test needs another number of values.
    #[error("the test of `{column}` needs {wanted}")]
    Values {
        /// The column.
        column: String,
        /// What was wanted of it.
        wanted: &'static str,
    },
    /// No keys lead from one to the other.
    #[error("no keys link {}", listed(tables))]
    NoPath {
        /// What is named.
        tables: Vec<String>,
    },
    /// Parts that do not go together.
    #[error("{0}")]
    Combination(String),
    /// A part rests on words that are not in the message.
    #[error("“{words}” does not stand in the message, so nothing can rest on it")]
    NotSaid {
        /// The words.
        words: String,
    },
    /// Words that no part accounts for.
    #[error("no part accounts for {}", quoted(words))]
    NotCovered {
        /// The words.
        words: Vec<String>,
    },
    /// Words that say something no part does.
    #[error("“{word}” asks for something that no part does")]
    NotDone {
        /// The word.
        word: String,
    },
    /// A word that names something of the data which nothing reads.
    #[error("“{word}” is about {}, which nothing in it reads", listed(names))]
    NotRead {
        /// The word.
        word: String,
        /// What it names.
        names: Vec<String>,
    },
    /// Words that were not understood.
    #[error("{} was not understood", quoted(words))]
    NotUnderstood {
        /// The words.
        words: Vec<String>,
    },
    /// A message that asks for several things, of which one question is one.
    #[error("the message asks for several things: ask for one after the other")]
    Several,
    /// There is no query in what a model wrote.
    #[error("there is no query in it: {told}")]
    NoQuery {
        /// What is wrong with it.
        told: String,
    },
    /// A part of a query that no question has.
    #[error("`{part}` cannot be asked for here: {why}")]
    Unread {
        /// The part.
        part: String,
        /// What would be understood.
        why: String,
    },
    /// No plan can be made of it.
    #[error("no plan can be made of it: {0}")]
    NotPlanned(String),
}

impl Problem {
    /// As the model may be told it: values are data.
    pub fn for_model(&self, sees: Sees) -> String {
        match self {
            Self::UnknownValue { column, value, .. } if sees == Sees::Names => {
                format!("`{column}` does not hold “{value}”")
            }
            // What the planner says may quote data.
            Self::NotPlanned(_) if sees == Sees::Names => "no plan can be made of these parts together".to_owned(),
            other => other.to_string(),
        }
    }
}

fn listed(all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
    all.join(", ")
}

fn quoted(all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|one| format!("“{one}”")).collect();
    all.join(", ")
}

fn or_rather(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; there is {}", listed(nearest)) }
}

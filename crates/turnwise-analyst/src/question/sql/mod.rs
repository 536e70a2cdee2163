//! SQL as a way to say a question. Small models write it better than any form of ours, so a model is asked for one
//! query and that is parsed and read as a [`Question`]: the tables it joins by known keys, what it tests, groups,
//! counts and orders. It is never run; what does not map is refused by name, and SQL is written by us from the
//! question, like from any other. Next: `scope` for names, `select` for the parts, `conditions` for tests,
//! `numbers`, `times`.

mod clauses;
mod conditions;
mod expression;
mod numbers;
mod related;
mod scope;
mod select;
mod times;

use sqlparser::ast::{Query, Statement};
use sqlparser::dialect::SQLiteDialect;
use sqlparser::parser::Parser;

use super::super::catalogue::Catalogue;
use super::{Problem, Question};

/// The question that the one query in `text` asks.
///
/// # Errors
/// When there is no query, or a part of it is none of a question's.
pub fn read(catalogue: &Catalogue, text: &str) -> Result<Question, Vec<Problem>> {
    let query = parsed(text).map_err(|problem| vec![problem])?;
    select::read(catalogue, &query).map_err(|problem| vec![problem])
}

/// The query of an answer.
fn parsed(text: &str) -> Result<Query, Problem> {
    let none = |told: String| Problem::NoQuery { told };
    let parser = Parser::new(&SQLiteDialect {}).with_recursion_limit(NESTED_MAX);
    let statements = parser.try_with_sql(written(text)).and_then(|mut parser| parser.parse_statements());
    let statements = statements.map_err(|error| none(error.to_string()))?;
    match statements.into_iter().next() {
        Some(Statement::Query(query)) => Ok(*query),
        Some(_) => Err(none("it does not begin with SELECT".to_owned())),
        None => Err(none("there is none".to_owned())),
    }
}

/// How deep a query may nest: more than anybody means, and little enough for the stack of any thread.
const NESTED_MAX: usize = 16;

/// The SQL of an answer: inside of a fence, where there is one, and its first statement only.
#[must_use]
pub fn written(text: &str) -> &str {
    let inside = match text.split_once("```") {
        Some((_, rest)) => rest.split("```").next().unwrap_or(rest),
        None => text,
    };
    let inside = inside.trim();
    let inside = inside.strip_prefix("sqlite").or_else(|| inside.strip_prefix("sql")).unwrap_or(inside);
    inside.split(';').next().unwrap_or(inside).trim()
}

/// A part that is none of a question's.
fn unread(part: &impl ToString, why: &str) -> Problem {
    let mut part = part.to_string();
    if let Some((at, _)) = part.char_indices().nth(PART_CHARS_MAX) {
        part.truncate(at);
        part.push('…');
    }
    Problem::Unread { part, why: why.to_owned() }
}

/// Letters of a part that are told.
const PART_CHARS_MAX: usize = 80;

//! What rows must pass, as SQL writes it: comparisons, lists, texts, times, what is missing, and rows of another table
//! that must be there or must not (`IN`, `EXISTS`). Next: `related` for the last, `times` for dates.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, UnaryOperator, Value};

use super::super::super::source::ColumnKind;
use super::super::{Is, Name, Problem, Said, Test};
use super::expression::{bare, literal};
use super::numbers::made;
use super::scope::{Place, Scope, conjuncts};
use super::{times, unread};

/// The tests that `expr` is, all of which must hold.
pub fn tests_of(scope: &Scope<'_>, expr: &Expr) -> Result<Vec<Test>, Problem> {
    let mut tests = Vec::new();
    for part in conjuncts(expr) {
        tests.extend(test(scope, part)?);
    }
    Ok(times::merged(tests))
}

fn test(scope: &Scope<'_>, expr: &Expr) -> Result<Vec<Test>, Problem> {
    let one = |test: Result<Test, Problem>| test.map(|test| vec![test]);
    match expr {
        Expr::Nested(inner) => tests_of(scope, inner),
        Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => {
            let tests = tests_of(scope, inner)?;
            match tests.as_slice() {
                [only] => one(denied(only).ok_or_else(|| unread(expr, "this cannot be denied"))),
                _ => Err(unread(expr, "only one test can be denied")),
            }
        }
        Expr::BinaryOp { op: BinaryOperator::Or, .. } => one(either(scope, expr)),
        Expr::BinaryOp { left, op, right } => one(compared(scope, left, op, right)),
        Expr::IsNull(of) => one(bare_test(scope, of, Is::Missing)),
        Expr::IsNotNull(of) => one(bare_test(scope, of, Is::Present)),
        Expr::IsTrue(of) | Expr::IsNotFalse(of) => one(column(scope, of).map(yes)),
        Expr::IsFalse(of) | Expr::IsNotTrue(of) => {
            one(column(scope, of).map(|of| Test { values: vec![Said("no".to_owned())], ..yes(of) }))
        }
        Expr::In { expr: of, target: InTarget::List(list), negated, .. } => {
            let values: Option<Vec<String>> = list.iter().map(literal).collect();
            let values = values.ok_or_else(|| unread(expr, "a list holds values"))?;
            one(valued(scope, of, if *negated { Is::NotEqual } else { Is::Equal }, values))
        }
        Expr::Between { expr: of, negated: false, low, high } => {
            let both = literal(low).and_then(|low| Some(vec![low, literal(high)?]));
            let both = both.ok_or_else(|| unread(expr, "it lies between two values"))?;
            one(valued(scope, of, Is::Between, both))
        }
        Expr::Like { negated, expr: of, pattern, .. } | Expr::ILike { negated, expr: of, pattern, .. } => {
            one(like(scope, expr, of, pattern, *negated))
        }
        Expr::Identifier(_) | Expr::CompoundIdentifier(_) => one(column(scope, expr).map(yes)),
        other => Err(unread(other, "this is no test that can be asked for")),
    }
}

/// That a yes/no column says yes.
pub fn yes(column: Name) -> Test {
    Test { column, is: Is::Equal, values: vec![Said("yes".to_owned())], ..Test::default() }
}

fn column(scope: &Scope<'_>, expr: &Expr) -> Result<Name, Problem> {
    match made(scope, expr)? {
        Some(name) => Ok(name),
        None => scope.name(scope.column(expr)?),
    }
}

fn bare_test(scope: &Scope<'_>, of: &Expr, is: Is) -> Result<Test, Problem> {
    Ok(Test { column: column(scope, of)?, is, ..Test::default() })
}

/// The same test, denied.
pub fn denied(test: &Test) -> Option<Test> {
    let is = match test.is {
        Is::Equal => Is::NotEqual,
        Is::NotEqual => Is::Equal,
        Is::Over => Is::AtMost,
        Is::AtMost => Is::Over,
        Is::Under => Is::AtLeast,
        Is::AtLeast => Is::Under,
        Is::Missing => Is::Present,
        Is::Present => Is::Missing,
        Is::AboveAverage
        | Is::BelowAverage
        | Is::Between
        | Is::Contains
        | Is::EndsWith
        | Is::StartsWith
        | Is::During
        | Is::Highest
        | Is::Lowest => return None,
    };
    Some(Test { is, ..test.clone() })
}

/// Values of one column side by side; a test beside the same column missing is that of all that is written.
fn either(scope: &Scope<'_>, expr: &Expr) -> Result<Test, Problem> {
    let mut sides = Vec::new();
    disjuncts(expr, &mut sides);
    let mut joined: Option<Test> = None;
    for side in sides {
        let tests = tests_of(scope, side)?;
        let [own] = tests.as_slice() else { return Err(unread(expr, "sides of OR have one test each")) };
        joined = Some(match joined {
            None => own.clone(),
            Some(test) if test.column != own.column => {
                return Err(unread(expr, "OR is understood between values of one column"));
            }
            Some(test) => match (test.is, own.is) {
                (Is::Equal, Is::Equal) | (Is::During, Is::During) => {
                    Test { values: [test.values, own.values.clone()].concat(), ..test }
                }
                // Where nothing is written nothing differs either.
                (Is::NotEqual, Is::Missing) => test,
                (Is::Missing, Is::NotEqual) => own.clone(),
                _ => return Err(unread(expr, "OR is understood between values of one column")),
            },
        });
    }
    joined.ok_or_else(|| unread(expr, "there is nothing in it"))
}

fn disjuncts<'e>(expr: &'e Expr, sides: &mut Vec<&'e Expr>) {
    match expr {
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            disjuncts(left, sides);
            disjuncts(right, sides);
        }
        Expr::Nested(inner) => disjuncts(inner, sides),
        other => sides.push(other),
    }
}

/// How an operator compares.
pub fn is(op: &BinaryOperator) -> Option<Is> {
    Some(match op {
        BinaryOperator::Eq => Is::Equal,
        BinaryOperator::NotEq => Is::NotEqual,
        BinaryOperator::Gt => Is::Over,
        BinaryOperator::GtEq => Is::AtLeast,
        BinaryOperator::Lt => Is::Under,
        BinaryOperator::LtEq => Is::AtMost,
        _ => return None,
    })
}

fn turned(is: Is) -> Is {
    match is {
        Is::Over => Is::Under,
        Is::AtLeast => Is::AtMost,
        Is::Under => Is::Over,
        Is::AtMost => Is::AtLeast,
        other => other,
    }
}

fn compared(scope: &Scope<'_>, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<Test, Problem> {
    let whole = || format!("{left} {op} {right}");
    let is = is(op).ok_or_else(|| unread(&whole(), "this is no comparison"))?;
    match (literal(left), literal(right)) {
        (None, Some(value)) => valued(scope, left, is, vec![value]),
        (Some(value), None) => valued(scope, right, turned(is), vec![value]),
        (None, None) if null(right) => Err(unread(&whole(), "what is missing is tested by IS NULL")),
        (None, None) if times::is_now(right) || times::is_now(left) => {
            Err(unread(&whole(), "times are tested against dates, not against now"))
        }
        (None, None) => {
            let (one, other) = (column(scope, left)?, scope.name(scope.column(right)?)?);
            Ok(Test { column: one, is, values: vec![Said(other.0)], ..Test::default() })
        }
        (Some(_), Some(_)) => Err(unread(&whole(), "it tests nothing of the data")),
    }
}

fn null(expr: &Expr) -> bool {
    matches!(bare(expr), Expr::Value(value) if value.value == Value::Null)
}

/// A test with values: of a part of a date, of a date, or of anything else.
fn valued(scope: &Scope<'_>, of: &Expr, is: Is, values: Vec<String>) -> Result<Test, Problem> {
    let dated = |place: Place| scope.catalogue.column(place.column).kind == ColumnKind::Date;
    if let Some((part, date)) = times::part(of)
        && scope.column(date).is_ok_and(dated)
    {
        let column = scope.name(scope.column(date)?)?;
        return timed(of, part, Test { column, is, values: values.into_iter().map(Said).collect(), ..Test::default() });
    }
    let column = column(scope, of)?;
    let is_date = scope.column(of).is_ok_and(dated);
    let value = |text: String| Said(if is_date { times::day(&text) } else { text });
    let values: Vec<Said> = values.into_iter().map(value).collect();
    let is = if is_date && is == Is::Equal { Is::During } else { is };
    Ok(Test { column, is, values, ..Test::default() })
}

/// A test of a part of a date.
fn timed(of: &Expr, part: times::Part, test: Test) -> Result<Test, Problem> {
    let wrong = || unread(of, "this part of a date is not tested so");
    let is = match test.is {
        Is::Equal => Is::During,
        Is::Over | Is::AtLeast | Is::Under | Is::AtMost | Is::Between => test.is,
        _ => return Err(wrong()),
    };
    let values = match part {
        times::Part::Year | times::Part::Month | times::Part::Day => test.values,
        times::Part::MonthOfYear => {
            let month = |said: &Said| {
                let at: usize = said.0.trim().parse().ok()?;
                times::MONTHS.get(at.checked_sub(1)?).map(|month| Said((*month).to_owned()))
            };
            let months: Option<Vec<Said>> = test.values.iter().map(month).collect();
            months.filter(|_| is == Is::During).ok_or_else(wrong)?
        }
        times::Part::Week | times::Part::Weekday | times::Part::Hour => return Err(wrong()),
    };
    Ok(Test { is, values, ..test })
}

fn like(scope: &Scope<'_>, expr: &Expr, of: &Expr, pattern: &Expr, negated: bool) -> Result<Test, Problem> {
    let pattern = literal(pattern).ok_or_else(|| unread(expr, "a text is needed"))?;
    let text = pattern.trim_matches('%').to_owned();
    let place = scope.column(of)?;
    let name = scope.name(place)?;
    if scope.catalogue.column(place.column).kind == ColumnKind::Date {
        let text = text.trim_matches('-').to_owned();
        let month = pattern.starts_with('%').then(|| text.parse::<usize>().ok()).flatten();
        let time = match month.and_then(|month| times::MONTHS.get(month.checked_sub(1)?)) {
            Some(month) => (*month).to_owned(),
            None => text,
        };
        return Ok(Test { column: name, is: Is::During, values: vec![Said(time)], ..Test::default() });
    }
    if text.contains('%') || text.contains('_') {
        return Err(unread(expr, "a text may be open at its ends only"));
    }
    let is = match (pattern.starts_with('%'), pattern.ends_with('%'), negated) {
        (false, false, false) => Is::Equal,
        (false, false, true) => Is::NotEqual,
        (true, true, false) => Is::Contains,
        (false, true, false) => Is::StartsWith,
        (true, false, false) => Is::EndsWith,
        (_, _, true) => return Err(unread(expr, "a part of a text cannot be denied")),
    };
    Ok(Test { column: name, is, values: vec![Said(text)], ..Test::default() })
}

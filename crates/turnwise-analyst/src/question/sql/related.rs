//! Rows of another table that must be there or must not: `IN (SELECT …)`, `EXISTS`, a column compared with the highest,
//! the lowest or the average of its own. Next: `conditions` for the tests of single rows.

use sqlparser::ast::{BinaryOperator, Expr, InTarget, Query, Select, SelectItem, SetExpr, UnaryOperator};

use super::super::super::catalogue::ColumnPart;
use super::super::super::form::{ColumnId, TableId};
use super::super::{GroupTest, How, Is, Name, Problem, Related, Test, Words};
use super::conditions::{denied, is, tests_of};
use super::expression::{bare, literal};
use super::numbers::{Figure, figure};
use super::scope::{Place, Scope, conjuncts};
use super::unread;

/// What the rows of a query must pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// Tests of rows.
    pub tests: Vec<Test>,
    /// Rows of other tables.
    pub related: Vec<Related>,
    /// Tests of how many rows of another table there are.
    pub having: Vec<GroupTest>,
}

/// What one part of a WHERE asks.
pub fn condition(scope: &Scope<'_>, expr: &Expr, into: &mut Conditions) -> Result<(), Problem> {
    match expr {
        Expr::Nested(inner) if conjuncts(inner).len() > 1 => {
            conjuncts(inner).into_iter().try_for_each(|part| condition(scope, part, into))
        }
        Expr::Nested(inner) => condition(scope, inner, into),
        Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => match bare(inner) {
            Expr::Exists { subquery, negated } => exists(scope, subquery, *negated, into),
            _ => simple(scope, expr, into),
        },
        Expr::Exists { subquery, negated } => exists(scope, subquery, !negated, into),
        Expr::In { expr: of, target: InTarget::Subquery(query), negated, .. } => {
            within(scope, of, query, !negated, into)
        }
        Expr::BinaryOp { left, op, right } => match (bare(left), bare(right)) {
            (_, Expr::Subquery(query)) => one(scope, left, op, query, into),
            _ => simple(scope, expr, into),
        },
        _ => simple(scope, expr, into),
    }
}

fn simple(scope: &Scope<'_>, expr: &Expr, into: &mut Conditions) -> Result<(), Problem> {
    into.tests.extend(tests_of(scope, expr)?);
    Ok(())
}

/// The SELECT of a query that has nothing else.
pub fn only_select(query: &Query) -> Result<&Select, Problem> {
    let plain = query.with.is_none() && query.order_by.is_none() && query.limit_clause.is_none();
    match query.body.as_ref() {
        SetExpr::Select(select) if plain => Ok(select),
        _ => Err(unread(query, "a query inside of another is one SELECT without an order")),
    }
}

/// The tables of an inner query, and what it tests without what puts it beside the outer one.
fn inside<'a>(outer: &Scope<'a>, select: &Select) -> Result<(Scope<'a>, Conditions, bool), Problem> {
    let mut scope = Scope::of(outer.catalogue, &select.from)?;
    let mut conditions = Conditions::default();
    let mut tied = false;
    let on: Vec<Expr> = scope.placed.iter().flat_map(|placed| placed.on.clone()).collect();
    let tests = select.selection.as_ref().map(conjuncts).unwrap_or_default();
    for part in tests.into_iter().chain(on.iter()) {
        if scope.linked(part)? {
            continue;
        }
        if tie(outer, &scope, part) {
            tied = true;
            continue;
        }
        condition(&scope, part, &mut conditions)?;
    }
    if !conditions.having.is_empty() || !conditions.related.is_empty() {
        return Err(unread(select, "one query inside of another is all that is understood"));
    }
    Ok((scope, conditions, tied))
}

/// Whether `part` is an inner column equal to an outer one.
fn tie(outer: &Scope<'_>, inner: &Scope<'_>, part: &Expr) -> bool {
    let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = bare(part) else { return false };
    let own = |expr: &Expr| inner.column(expr).is_ok();
    let theirs = |expr: &Expr| outer.column(expr).is_ok();
    let qualified = |expr: &Expr| matches!(bare(expr), Expr::CompoundIdentifier(_));
    (own(left) && !own(right) && theirs(right) && qualified(right))
        || (own(right) && !own(left) && theirs(left) && qualified(left))
}

fn exists(outer: &Scope<'_>, query: &Query, has: bool, into: &mut Conditions) -> Result<(), Problem> {
    let select = only_select(query)?;
    let (scope, conditions, tied) = inside(outer, select)?;
    if !tied {
        return Err(unread(query, "its rows have to belong to those of the outer query by a key"));
    }
    into.related.push(related(&scope, conditions.tests, has, query)?);
    Ok(())
}

fn related(scope: &Scope<'_>, filters: Vec<Test>, has: bool, query: &impl ToString) -> Result<Related, Problem> {
    let root = scope.root().ok_or_else(|| unread(query, "it is not clear of which table its rows are"))?;
    let table = Name(scope.catalogue.table(scope.placed[root].table).name.clone());
    Ok(Related { as_said: Words::default(), filters, has, table })
}

/// The table whose rows a column tells apart: its own for a key, another for a reference.
fn stands_for(scope: &Scope<'_>, column: ColumnId) -> Option<TableId> {
    let referred = scope.catalogue.tables().map(|(table, _)| table).find(|table| {
        scope.catalogue.referrers(*table).any(|join| join.from == column.table && join.from_columns == [column.column])
    });
    match scope.catalogue.column(column).part {
        ColumnPart::Key => Some(referred.unwrap_or(column.table)),
        ColumnPart::Reference(join) => Some(scope.catalogue.join(join).to),
        ColumnPart::Attribute => referred,
    }
}

fn within(outer: &Scope<'_>, of: &Expr, query: &Query, has: bool, into: &mut Conditions) -> Result<(), Problem> {
    let select = only_select(query)?;
    let place = outer.column(of)?;
    let (scope, conditions, _) = inside(outer, select)?;
    let inner = projected(&scope, select)?;
    let same = stands_for(outer, place.column).filter(|table| stands_for(&scope, inner.column) == Some(*table));
    let Some(table) = same else {
        return Err(unread(query, "its column and that before IN have to stand for the same rows"));
    };
    if let Some(having) = &select.having {
        if !conditions.tests.is_empty() || !has {
            return Err(unread(query, "groups that are counted are counted whole"));
        }
        into.having.push(group_test(&scope, having)?);
        return Ok(());
    }
    let root = scope.root().map(|at| scope.placed[at].table);
    if root != Some(table) {
        into.related.push(related(&scope, conditions.tests, has, query)?);
        return Ok(());
    }
    // The rows referred to are tested by themselves.
    match (has, conditions.tests.as_slice()) {
        (true, _) => into.tests.extend(conditions.tests),
        (false, [only]) => {
            into.tests.push(denied(only).ok_or_else(|| unread(query, "this cannot be denied"))?);
        }
        (false, _) => return Err(unread(query, "only one test can be denied")),
    }
    Ok(())
}

fn projected(scope: &Scope<'_>, select: &Select) -> Result<Place, Problem> {
    match select.projection.as_slice() {
        [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] => scope.column(expr),
        _ => Err(unread(select, "one column is needed")),
    }
}

/// A test of groups.
pub fn group_test(scope: &Scope<'_>, expr: &Expr) -> Result<GroupTest, Problem> {
    let whole = || unread(expr, "groups are tested by one number compared with another");
    let Expr::BinaryOp { left, op, right } = bare(expr) else { return Err(whole()) };
    let (Figure::One(number), Some(value), Some(is)) = (figure(scope, left)?, literal(right), is(op)) else {
        return Err(whole());
    };
    if !number.only.is_empty() || number.how == How::Share {
        return Err(whole());
    }
    let value = super::super::Said(value);
    Ok(GroupTest { as_said: Words::default(), how: number.how, is, of: number.of, value })
}

/// A column compared with what one query comes to.
fn one(
    scope: &Scope<'_>,
    left: &Expr,
    op: &BinaryOperator,
    query: &Query,
    into: &mut Conditions,
) -> Result<(), Problem> {
    let wrong = || unread(query, "a value is compared with the highest, lowest or average of its own column");
    let select = only_select(query)?;
    let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] = select.projection.as_slice() else {
        return Err(wrong());
    };
    let inner = Scope::of(scope.catalogue, &select.from)?;
    let Ok(Figure::One(number)) = figure(&inner, expr) else {
        // The rows that a name stands for.
        return if *op == BinaryOperator::Eq { within(scope, left, query, true, into) } else { Err(wrong()) };
    };
    let column = scope.name(scope.column(left)?)?;
    let is = match (number.how, op) {
        (How::Maximum, BinaryOperator::Eq) => Is::Highest,
        (How::Minimum, BinaryOperator::Eq) => Is::Lowest,
        (How::Average, BinaryOperator::Gt | BinaryOperator::GtEq) => Is::AboveAverage,
        (How::Average, BinaryOperator::Lt | BinaryOperator::LtEq) => Is::BelowAverage,
        _ => return Err(wrong()),
    };
    if number.of != column || select.selection.is_some() || inner.placed.len() > 1 {
        return Err(wrong());
    }
    into.tests.push(Test { column, is, ..Test::default() });
    Ok(())
}

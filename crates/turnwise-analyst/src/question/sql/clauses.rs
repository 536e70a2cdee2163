//! Clauses of a query by themselves: what its parts are called, which tables it goes through, rows that must be missing
//! behind a LEFT JOIN, how many are kept. Next: `select`, which puts them together.

use sqlparser::ast::{Expr, GroupByExpr, LimitClause, Query, Select, SelectItem, SetExpr};

use super::super::super::catalogue::Catalogue;
use super::super::{Name, Problem, Related, Words};
use super::expression::{amount, bare};
use super::related::{Conditions, condition};
use super::scope::Scope;
use super::{times, unread};

/// What the projection calls its parts, in small letters.
pub fn aliases(select: &Select) -> Vec<(String, Expr)> {
    let named = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.to_lowercase(), expr.clone())),
        _ => None,
    };
    select.projection.iter().filter_map(named).collect()
}

/// The tables of a SELECT, with those it forgot.
pub fn scope_of<'a>(
    catalogue: &'a Catalogue,
    select: &Select,
    aliases: &[(String, Expr)],
) -> Result<Scope<'a>, Problem> {
    let mut scope = Scope::of(catalogue, &select.from)?;
    let shown = select.projection.iter().filter_map(|item| match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    });
    let groups = match &select.group_by {
        GroupByExpr::Expressions(groups, _) => groups.as_slice(),
        GroupByExpr::All(_) => &[],
    };
    let all: Vec<&Expr> = shown.chain(&select.selection).chain(groups).chain(&select.having).collect();
    scope.complete(&all, aliases);
    // What is read behind this rests on a table and on something that is shown.
    if scope.placed.is_empty() || select.projection.is_empty() {
        return Err(Problem::NoQuery { told: "it reads no table, or shows nothing of it".to_owned() });
    }
    Ok(scope)
}

/// Tables joined by LEFT JOIN whose rows must be missing; their tests are taken out of `tests`.
pub fn absent(scope: &mut Scope<'_>, tests: &mut Vec<&Expr>, into: &mut Conditions) -> Result<Vec<usize>, Problem> {
    let mut missing = Vec::new();
    let mut kept = Vec::new();
    for test in tests.drain(..) {
        let of = match bare(test) {
            Expr::IsNull(of) => scope.column(of).ok(),
            _ => None,
        };
        match of.filter(|place| scope.placed[place.at].left) {
            Some(place) if !missing.contains(&place.at) => missing.push(place.at),
            Some(_) => {}
            None => kept.push(test),
        }
    }
    *tests = kept;
    for at in &missing {
        let mut own = Conditions::default();
        for part in std::mem::take(&mut scope.placed[*at].on) {
            condition(scope, &part, &mut own)?;
        }
        let table = Name(scope.catalogue.table(scope.placed[*at].table).name.clone());
        into.related.push(Related { as_said: Words::default(), filters: times::merged(own.tests), has: false, table });
    }
    Ok(missing)
}

pub fn limit(query: &Query) -> Result<u32, Problem> {
    match &query.limit_clause {
        None => Ok(0),
        Some(LimitClause::LimitOffset { limit: Some(limit), offset: None, .. }) => {
            let rows = amount(limit).filter(|rows| *rows >= 1.0 && *rows < 1e6);
            rows.map(|rows| rows as u32).ok_or_else(|| unread(limit, "a limit is a number of rows"))
        }
        Some(other) => Err(unread(other, "rows are not skipped")),
    }
}

/// `HAVING n > 3` with what `n` is.
pub fn replaced(expr: &Expr, aliases: &[(String, Expr)]) -> Expr {
    match expr {
        Expr::BinaryOp { left, op, right } => Expr::BinaryOp {
            left: Box::new(replaced(left, aliases)),
            op: op.clone(),
            right: Box::new(replaced(right, aliases)),
        },
        Expr::Identifier(ident) => {
            let own = aliases.iter().find(|(alias, _)| *alias == ident.value.to_lowercase());
            own.map_or_else(|| expr.clone(), |(_, own)| own.clone())
        }
        other => other.clone(),
    }
}

/// A query with nothing but its body.
pub fn plain(body: &SetExpr) -> Query {
    Query {
        with: None,
        body: Box::new(body.clone()),
        order_by: None,
        limit_clause: None,
        fetch: None,
        locks: Vec::new(),
        for_clause: None,
        settings: None,
        format_clause: None,
        pipe_operators: Vec::new(),
    }
}

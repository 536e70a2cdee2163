//! Numbers as SQL writes them: aggregates of columns, of what two columns make, of rows that pass a test (`CASE`), and
//! one by another. Next: `conditions` for the tests.

use sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Query,
    SelectItem,
};

use super::super::super::catalogue::ColumnPart;
use super::super::super::source::ColumnKind;
use super::super::{How, Name, Number, Problem, Test};
use super::conditions::tests_of;
use super::expression::{amount, arguments, bare, name};
use super::related::only_select;
use super::scope::Scope;
use super::unread;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// One number.
    One(Number),
    /// The first by the second.
    Ratio(Number, Number),
    /// Of each group, by that of all.
    OfTotal(Number),
}

/// Whether `expr` gathers rows.
pub fn gathers(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Function(function) => how(&name(function)).is_some() || arguments(function).into_iter().any(gathers),
        Expr::BinaryOp { left, right, .. } => gathers(left) || gathers(right),
        Expr::UnaryOp { expr, .. } => gathers(expr),
        _ => false,
    }
}

fn how(name: &str) -> Option<How> {
    Some(match name {
        "count" => How::Count,
        "sum" | "total" => How::Sum,
        "avg" => How::Average,
        "min" => How::Minimum,
        "max" => How::Maximum,
        "median" => How::Median,
        _ => return None,
    })
}

/// The number that `expr` is.
pub fn figure(scope: &Scope<'_>, expr: &Expr) -> Result<Figure, Problem> {
    match bare(expr) {
        Expr::Function(function) => aggregate(scope, function).map(Figure::One),
        // A share in percent, or what makes a division one of real numbers.
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } if scale(right) => figure(scope, left),
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } if scale(left) => figure(scope, right),
        Expr::BinaryOp { left, op: BinaryOperator::Divide, right } => {
            if let Expr::Subquery(query) = bare(right) {
                return of_total(scope, left, query)
                    .ok_or_else(|| unread(expr, "only a part of the same whole is understood"));
            }
            match (figure(scope, left)?, figure(scope, right)?) {
                (Figure::One(part), Figure::One(whole)) => Ok(divided(part, whole)),
                _ => Err(unread(expr, "one number by one other is all that can be divided")),
            }
        }
        other => Err(unread(other, "this is no number that can be asked for")),
    }
}

/// A number of each group by the same of all.
fn of_total(scope: &Scope<'_>, part: &Expr, query: &Query) -> Option<Figure> {
    let select = only_select(query).ok()?;
    let [SelectItem::UnnamedExpr(whole) | SelectItem::ExprWithAlias { expr: whole, .. }] = select.projection.as_slice()
    else {
        return None;
    };
    let inner = Scope::of(scope.catalogue, &select.from).ok()?;
    match (figure(scope, part).ok()?, figure(&inner, whole).ok()?) {
        (Figure::One(part), Figure::One(whole)) if part == whole && select.selection.is_none() => {
            Some(Figure::OfTotal(part))
        }
        _ => None,
    }
}

fn scale(expr: &Expr) -> bool {
    amount(expr).is_some_and(|number| [1.0, 100.0].iter().any(|scale| (number - scale).abs() < f64::EPSILON))
}

fn divided(part: Number, whole: Number) -> Figure {
    let counted = whole.how == How::Count && whole.only.is_empty();
    let table = |name: &Name| name.0.split('.').next().unwrap_or_default().to_owned();
    match part.how {
        How::Count if counted && !part.only.is_empty() && part.of == whole.of => {
            Figure::One(Number { how: How::Share, ..part })
        }
        How::Sum if counted && part.only.is_empty() && table(&part.of) == table(&whole.of) => {
            Figure::One(Number { how: How::Average, ..part })
        }
        _ => Figure::Ratio(part, whole),
    }
}

fn aggregate(scope: &Scope<'_>, function: &Function) -> Result<Number, Problem> {
    let told = |why| unread(function, why);
    let Some(how) = how(&name(function)) else { return Err(told("this is no number that can be asked for")) };
    if function.over.is_some() {
        return Err(told("no windows: order all rows and keep the first"));
    }
    let mut only = Vec::new();
    if let Some(filter) = &function.filter {
        only = tests_of(scope, filter)?;
    }
    let FunctionArguments::List(list) = &function.args else { return Err(told("what it is of is missing")) };
    let different = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    let number = match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => rows(scope, told("which rows are counted is not clear"))?,
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(of))] => gathered(scope, how, different, of)?,
        _ => return Err(told("it is of one thing")),
    };
    only.extend(number.only.clone());
    Ok(Number { only, ..number })
}

/// The count of the joined rows.
fn rows(scope: &Scope<'_>, unclear: Problem) -> Result<Number, Problem> {
    let root = scope.root().ok_or(unclear)?;
    let of = Name(scope.catalogue.table(scope.placed[root].table).name.clone());
    Ok(Number { how: How::Count, of, ..Number::default() })
}

fn gathered(scope: &Scope<'_>, how: How, different: bool, of: &Expr) -> Result<Number, Problem> {
    match bare(of) {
        Expr::Case { operand: None, conditions, else_result, .. } => {
            let [case] = conditions.as_slice() else { return Err(unread(of, "one case at a time")) };
            let zero =
                else_result.as_deref().is_none_or(|other| amount(other).is_some_and(|zero| zero.abs() < f64::EPSILON))
                    || else_result.as_deref().is_some_and(|other| other.to_string().eq_ignore_ascii_case("null"));
            if !zero {
                return Err(unread(of, "what is else has to count as nothing"));
            }
            let only = tests_of(scope, &case.condition)?;
            cased(scope, how, different, &case.result, only)
        }
        tested if is_test(tested) => {
            let only = tests_of(scope, tested)?;
            let counted = rows(scope, unread(of, "which rows are counted is not clear"))?;
            Ok(Number { how: if how == How::Average { How::Share } else { How::Count }, only, ..counted })
        }
        Expr::Value(_) if how == How::Count => rows(scope, unread(of, "which rows are counted is not clear")),
        _ => plain(scope, how, different, of),
    }
}

/// Whether an expression is true or false.
fn is_test(expr: &Expr) -> bool {
    use BinaryOperator::{And, Eq, Gt, GtEq, Lt, LtEq, NotEq, Or};
    match expr {
        Expr::BinaryOp { op, .. } => matches!(op, Eq | NotEq | Gt | GtEq | Lt | LtEq | And | Or),
        Expr::IsNull(_) | Expr::IsNotNull(_) | Expr::In { .. } | Expr::Between { .. } | Expr::Like { .. } => true,
        _ => false,
    }
}

/// Rows that pass a test, counted or gathered.
fn cased(scope: &Scope<'_>, how: How, different: bool, result: &Expr, only: Vec<Test>) -> Result<Number, Problem> {
    let one = amount(result).is_some();
    let hundred = amount(result).is_some_and(scaled);
    let number = match how {
        How::Sum | How::Count if one => Number { how: How::Count, ..rows(scope, unread(result, "of which rows"))? },
        How::Average if hundred => Number { how: How::Share, ..rows(scope, unread(result, "of which rows"))? },
        _ => plain(scope, how, different, result)?,
    };
    Ok(Number { only, ..number })
}

fn scaled(number: f64) -> bool {
    [1.0, 100.0].iter().any(|scale| (number - scale).abs() < f64::EPSILON)
}

fn plain(scope: &Scope<'_>, how: How, different: bool, of: &Expr) -> Result<Number, Problem> {
    if let Some(name) = made(scope, of)? {
        return Ok(Number { how, of: name, ..Number::default() });
    }
    let place = scope.column(of)?;
    let entry = scope.catalogue.column(place.column);
    let table = || Name(scope.catalogue.table(place.column.table).name.clone());
    let number = |how, of| Ok(Number { how, of, ..Number::default() });
    match (how, different, entry.part) {
        (How::Count, true, ColumnPart::Key) => number(How::Count, table()),
        (How::Count, true, _) => number(How::CountDifferent, scope.name(place)?),
        (How::Count, false, ColumnPart::Attribute) if entry.is_number() => {
            Err(unread(of, "rows are counted by COUNT(*), numbers added up by SUM"))
        }
        (How::Count, false, ColumnPart::Attribute) => number(How::Count, scope.name(place)?),
        // Keys of rows that are joined are there as often as the rows that refer to them.
        (How::Count, false, ColumnPart::Key) if scope.placed[place.at].left => number(How::Count, table()),
        (How::Count, false, ColumnPart::Key | ColumnPart::Reference(_)) => {
            rows(scope, unread(of, "which rows are counted is not clear"))
        }
        (How::Sum | How::Average, _, _) if entry.flag.is_some() || entry.kind == ColumnKind::Boolean => {
            let only = vec![super::conditions::yes(scope.name(place)?)];
            Ok(Number {
                how: if how == How::Sum { How::Count } else { How::Share },
                of: table(),
                only,
                ..Number::default()
            })
        }
        (_, true, _) => Err(unread(of, "different ones can only be counted")),
        (how, false, _) => number(how, scope.name(place)?),
    }
}

/// What two columns make: the time between two dates, or one times another.
pub fn made(scope: &Scope<'_>, expr: &Expr) -> Result<Option<Name>, Problem> {
    if let Expr::Function(function) = bare(expr)
        && name(function) == "datediff"
        && let [to, from] = arguments(function).as_slice()
    {
        let (from, to) = (scope.name(scope.column(from)?)?, scope.name(scope.column(to)?)?);
        return Ok(Some(Name(format!("days from {} to {}", from.0, to.0))));
    }
    let Expr::BinaryOp { left, op, right } = bare(expr) else { return Ok(None) };
    match op {
        BinaryOperator::Minus => {
            let (to, from) = (scope.column(left)?, scope.column(right)?);
            let date = |column| scope.catalogue.column(column).kind == ColumnKind::Date;
            let dated = (date(to.column), date(from.column));
            let (from, to) = (scope.name(from)?, scope.name(to)?);
            match dated {
                (true, true) => {}
                (false, false) => return Ok(Some(Name(format!("{} less {}", to.0, from.0)))),
                _ => return Err(unread(expr, "a date and a number are not put together")),
            }
            Ok(Some(Name(format!("days from {} to {}", from.0, to.0))))
        }
        BinaryOperator::Multiply => {
            for (factor, of) in [(right, left), (left, right)] {
                let Some(factor) = amount(factor).or_else(|| product(factor)) else { continue };
                if let Some(time) = made(scope, of)? {
                    return finer(&time, factor).map(Some).ok_or_else(|| unread(expr, "this is no unit of time"));
                }
            }
            let (one, other) = (scope.column(left)?, scope.column(right)?);
            Ok(Some(Name(format!("{} times {}", scope.name(one)?.0, scope.name(other)?.0))))
        }
        _ => Ok(None),
    }
}

/// A time in parts of its unit: days in hours, hours in minutes.
fn finer(time: &Name, factor: f64) -> Option<Name> {
    let units = [("days", 24, "hours"), ("days", 1440, "minutes"), ("hours", 60, "minutes")];
    let (unit, rest) = time.0.split_once(' ')?;
    let known = units.iter().find(|(from, by, _)| *from == unit && f64::from(*by).total_cmp(&factor).is_eq());
    known.map(|(_, _, to)| Name(format!("{to} {rest}")))
}

/// `24 * 60`.
fn product(expr: &Expr) -> Option<f64> {
    let Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } = bare(expr) else { return None };
    Some(amount(left)? * amount(right)?)
}

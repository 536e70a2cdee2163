//! Expressions without what changes nothing about their meaning here: brackets, roundings, casts, what stands for a
//! missing value. Next: `numbers`, `times`.

use sqlparser::ast::{Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, UnaryOperator, Value};

/// Functions whose first argument is what is meant.
const SHOWN: [&str; 11] =
    ["round", "coalesce", "ifnull", "lower", "upper", "trim", "abs", "date", "datetime", "nullif", "julianday"];

/// `expr` without wrappings.
pub fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } | Expr::Collate { expr: inner, .. } => bare(inner),
        Expr::Function(function) if SHOWN.contains(&name(function).as_str()) => match arguments(function).first() {
            Some(first) => bare(first),
            None => expr,
        },
        other => other,
    }
}

/// A function's name in small letters.
pub fn name(function: &Function) -> String {
    function.name.to_string().to_lowercase()
}

/// What a function is given.
pub fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let expression = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().filter_map(expression).collect()
}

/// A value as it is written.
pub fn literal(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => literal(inner),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => literal(expr).map(|text| format!("-{text}")),
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) => Some(text.clone()),
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) => Some(text.clone()),
            Value::Boolean(truth) => Some(if *truth { "yes" } else { "no" }.to_owned()),
            _ => None,
        },
        Expr::Function(function) if ["lower", "upper", "date", "trim"].contains(&name(function).as_str()) => {
            match arguments(function).as_slice() {
                [only] => literal(only).filter(|text| text != "now"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A number as it is written.
pub fn amount(expr: &Expr) -> Option<f64> {
    literal(expr)?.parse().ok()
}

/// The names of columns in `expr`, those of inner queries left out.
pub fn columns<'e>(expr: &'e Expr, found: &mut Vec<&'e [Ident]>) {
    match expr {
        Expr::Identifier(ident) => found.push(std::slice::from_ref(ident)),
        Expr::CompoundIdentifier(parts) => found.push(parts),
        Expr::Nested(of)
        | Expr::Cast { expr: of, .. }
        | Expr::Collate { expr: of, .. }
        | Expr::UnaryOp { expr: of, .. }
        | Expr::Extract { expr: of, .. }
        | Expr::Substring { expr: of, .. }
        | Expr::IsNull(of)
        | Expr::IsNotNull(of)
        | Expr::IsTrue(of)
        | Expr::IsFalse(of)
        | Expr::IsNotTrue(of)
        | Expr::IsNotFalse(of)
        | Expr::In { expr: of, .. }
        | Expr::Between { expr: of, .. }
        | Expr::Like { expr: of, .. }
        | Expr::ILike { expr: of, .. } => columns(of, found),
        Expr::BinaryOp { left, right, .. } => {
            columns(left, found);
            columns(right, found);
        }
        Expr::Function(function) => arguments(function).into_iter().for_each(|argument| columns(argument, found)),
        Expr::Case { operand, conditions, else_result, .. } => {
            operand.iter().chain(else_result).for_each(|part| columns(part, found));
            for case in conditions {
                columns(&case.condition, found);
                columns(&case.result, found);
            }
        }
        _ => {}
    }
}

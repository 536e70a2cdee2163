//! Whether the amounts of a message are in the finished plan: a bound that was said is one of the form, “how much” is
//! answered with an amount, and what is measured is not taken for what rows are told apart by. Next: `answered`.

use serde_json::Value;
use turnwise_core::numerals::number_of;

use super::super::catalogue::{Catalogue, ColumnEntry, ColumnPart};
use super::super::form::{Aggregate, Dimension, QueryForm, TableId};
use super::super::lexicon::Role;
use super::super::source::ColumnKind;
use super::content::Token;

/// Why the plan would answer something else.
pub fn explained(catalogue: &Catalogue, forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    bound_unseen(forms, tokens)
        .or_else(|| much_counted(catalogue, forms, tokens))
        .or_else(|| forms.iter().find_map(|form| measured_groups(catalogue, form)))
}

/// "Only one harvest", "exactly three": a number behind a word that makes a bound of it is in the form.
fn bound_unseen(forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let bounds = |token: &Token| matches!(token.own_role(), Some(Role::Only | Role::Exactly)) && !token.pause;
    let number = |token: &Token| number_of(&token.folded).map(f64::from).or_else(|| token.folded.parse().ok());
    // “Only one of them” says which, not how many.
    let counts = |at: usize| tokens.get(at + 2).is_some_and(|next| next.names() && !tokens[at + 1].pause);
    let at = (0..tokens.len().saturating_sub(1)).find(|at| {
        let said = Some(*at).filter(|at| bounds(&tokens[*at]) && counts(*at)).and_then(|at| number(&tokens[at + 1]));
        said.is_some_and(|said| !forms.iter().any(|form| tests(form, said)))
    })?;
    Some(format!(
        "“{} {}” could not be put to use here, and without it the answer would be another one: say what is counted, as in \
         “customers with exactly 1 order”.",
        tokens[at].folded,
        tokens[at + 1].folded
    ))
}

/// Whether a number is one that rows or groups are held against, or how many of them are wanted.
fn tests(form: &QueryForm, number: f64) -> bool {
    let held = serde_json::json!([form.conditions, form.filters, form.ranking]);
    fn holds(part: &Value, number: f64) -> bool {
        match part {
            Value::Number(value) => value.as_f64().is_some_and(|value| (value - number).abs() < f64::EPSILON),
            Value::Array(all) => all.iter().any(|part| holds(part, number)),
            // Where a word was found, and how well it fits, is no amount.
            Value::Object(parts) => parts
                .iter()
                .filter(|(name, _)| *name != "candidates" && *name != "found")
                .any(|(_, part)| holds(part, number)),
            Value::Null | Value::Bool(_) | Value::String(_) => false,
        }
    }
    holds(&held, number)
}

/// "How much higher were payments", where payments would be counted.
fn much_counted(catalogue: &Catalogue, forms: &[&QueryForm], tokens: &[Token]) -> Option<String> {
    let much = tokens.iter().any(|token| token.role() == Some(Role::HowMuch));
    let counting = tokens.iter().any(|token| token.role() == Some(Role::Count));
    let rows = |form: &&QueryForm| match form.measures.as_slice() {
        [only] if only.aggregate == Aggregate::Count => only.of.table(),
        _ => None,
    };
    let counted: Vec<Option<TableId>> = forms.iter().map(rows).collect();
    let table = counted.iter().all(Option::is_some).then(|| counted.first().copied().flatten())??;
    if !much || counting {
        return None;
    }
    let amounts = catalogue.table(table).columns.iter().filter(|column| {
        column.part == ColumnPart::Attribute && matches!(column.kind, ColumnKind::Real | ColumnKind::Integer)
    });
    let names: Vec<String> = amounts.take(AMOUNTS_MAX).map(|column| format!("“{}”", column.name)).collect();
    let rows = catalogue.plural(table);
    Some(match names.is_empty() {
        true => format!("“How much” asks for an amount, and {rows} have none: ask “how many {rows}” for their number."),
        false => format!(
            "“How much” asks for an amount, and {rows} would only be counted here: name the amount ({}), or ask “how many \
             {rows}”.",
            names.join(", ")
        ),
    })
}

/// "… by weight", where each weight would be a group of its own.
fn measured_groups(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let measured = form.dimensions.iter().find_map(|dimension| {
        let Dimension::Thing(mention) = dimension else { return None };
        let mut columns = mention.columns().map(|column| catalogue.column(column));
        let is_fine = |column: &ColumnEntry| column.distinct.is_none_or(|distinct| distinct > GROUPS_MAX);
        let is_measure = columns.any(|column| column.kind == ColumnKind::Real && is_fine(column))
            // What is known by its meaning alone is an amount: a weight, a price.
            || (mention.concept().is_some() && mention.columns().next().is_none());
        (is_measure && mention.table().is_none()).then_some(mention)
    })?;
    let others = form.dimensions.len() > 1;
    others.then(|| {
        format!(
            "“{}” is an amount, and each of its values would be a group of its own here: say what is to be done with it, as \
             in “total {} per …”.",
            measured.words, measured.words
        )
    })
}

/// Amounts that are named to whoever asked how much.
const AMOUNTS_MAX: usize = 3;
/// Values of an amount that may be groups: grades and rates are.
const GROUPS_MAX: u64 = 30;

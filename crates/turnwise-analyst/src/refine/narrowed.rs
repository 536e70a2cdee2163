//! Changes that only narrow: what they name tells which rows are meant and is no further group, and what they test the
//! groups by is no other number. What cannot be narrowed is said. Next: `refine`.

use super::super::catalogue::Catalogue;
use super::super::form::{Analysis, Condition, Dimension, Measure, Mention, QueryForm};
use super::super::read;
use super::super::words;

/// "Including …", which adds and does not narrow.
pub fn opens_including(change: &str) -> bool {
    let words = words::split(change);
    let said = words.iter().map(|word| word.folded.as_str()).find(|word| !matches!(*word, "and" | "but" | "now"));
    matches!(said, Some("including" | "incl"))
}

/// "Including freight" of an amount would be another amount, and no group.
///
/// # Errors
/// What was asked for would change the number itself.
pub fn including(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<(), String> {
    if form.measures.is_empty() || !opens_including(change) {
        return Ok(());
    }
    let other = read::read(catalogue, change).form;
    let is_number = |mention: &Mention| mention.columns().any(|column| catalogue.column(column).is_number());
    let groups = other.dimensions.iter().filter_map(|dimension| match dimension {
        Dimension::Thing(mention) => Some(mention),
        Dimension::Time(_) => None,
    });
    let measured = other.measures.iter().map(|measure| &measure.of);
    let mut named = groups.chain(measured).chain(&other.subject).chain(&other.attributes).chain(&other.shown);
    if named.any(is_number) {
        return Err(format!(
            "“{change}” would change what is added up, and how is open: say the whole question with the numbers that \
             are wanted."
        ));
    }
    Ok(())
}

/// Takes out of `other`, the reading of `change`, what only says which rows or groups of `form` are meant.
pub fn settle(form: &QueryForm, other: &mut QueryForm, change: &str) {
    if form.measures.is_empty() {
        return;
    }
    let said: Vec<String> = words::split(change).into_iter().map(|word| word.folded).collect();
    let says = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    // "Only countries with at least 5 customers" of an average by country: the customers are the test.
    let tested = |measure: &Measure| other.conditions.iter().any(|condition: &Condition| condition.measure == *measure);
    let kept: Vec<Measure> = other.measures.iter().filter(|measure| !tested(measure)).cloned().collect();
    if !says(&["many", "number", "count"]) {
        other.measures = kept;
    }
    // "For USA customers" says which rows are left, and not to show them one by one.
    let groups = says(&["by", "per", "each", "every", "instead", "show", "split", "group", "grouped", "list", "which"]);
    let narrows = !other.filters.is_empty() && other.ranking.is_none() && other.measures.is_empty();
    if narrows && !groups && other.subject.as_ref().is_some_and(|subject| subject.table().is_some()) {
        other.context.extend(other.subject.take());
    }
}

/// Two times or values side by side are all shown: the first few of them would be of one side only.
///
/// # Errors
/// Why they are not cut.
pub fn cut_comparison(form: &QueryForm, changed: &QueryForm) -> Result<(), String> {
    let limit = |form: &QueryForm| form.ranking.as_ref().and_then(|ranking| ranking.limit);
    let before = form.analysis == Analysis::Compare && limit(changed) == limit(form);
    if changed.analysis != Analysis::Compare || limit(changed).is_none() || before || changed.dimensions.is_empty() {
        return Ok(());
    }
    Err("What stands side by side is not cut to the first few: of which side they would be the first is open. Ask for \
         the first few of one time by itself, as in “top 3 … in 2023”."
        .to_owned())
}

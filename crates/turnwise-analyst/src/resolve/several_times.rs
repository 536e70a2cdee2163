//! A list of several times: "invoices in 2023 and 2024" are those of either. Numbers are set side by side instead, so
//! only lists come here. Next: `list`.

use super::Trouble;
use crate::form::{Filter, QueryForm};
use crate::period::Period;

/// The form with its times as one test, and what is said of it.
///
/// # Errors
/// Where a time has no end, so that “and” may mean both at once.
pub fn as_one(form: &QueryForm) -> Result<Option<(QueryForm, String)>, Trouble> {
    if form.periods.len() < 2 {
        return Ok(None);
    }
    let labels: Vec<String> = form.periods.iter().map(Period::label).collect();
    let is_open =
        |period: &Period| matches!(period, Period::Since(_) | Period::After(_) | Period::Before(_) | Period::Until(_));
    if form.periods.iter().any(is_open) {
        return Err(Trouble::Impossible(format!(
            "Whether {} have to hold for one row at once is not clear: ask for them one after the other, or say “between”.",
            labels.join(" and ")
        )));
    }
    let mut one = form.clone();
    let sides = one.periods.drain(..).map(|period| vec![Filter::During { period }]).collect();
    one.filters.push(Filter::Either { sides });
    Ok(Some((one, format!("Listed are the rows of {}.", labels.join(" and of ")))))
}

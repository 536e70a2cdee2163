//! Times as a question writes them: what people say, and `2024-Q1`. They are read by the same reader as the words of a
//! message, so that both mean the same. Next: `super::super::period`.

use super::super::period::{self, PartGrain, Period};
use super::super::words;
use super::{Problem, Said};

/// The time that `said` is, all of it.
pub fn of(said: &Said) -> Result<Period, Problem> {
    let text = said.0.trim();
    if let Some(quarter) = quarter(text) {
        return Ok(quarter);
    }
    let words = words::split(text);
    match period::read(&words) {
        Some((length, period)) if length == words.len() => Ok(period),
        Some(_) | None => Err(Problem::NoTime { value: text.to_owned() }),
    }
}

fn quarter(text: &str) -> Option<Period> {
    let (year, number) = text.split_once('-')?;
    let number = number.strip_prefix(['Q', 'q'])?.parse().ok().filter(|number| (1..=4).contains(number))?;
    Some(Period::Part { grain: PartGrain::Quarter, number, year: Some(year.parse().ok()?) })
}

#[cfg(test)]
mod tests {
    use super::super::Said;
    use super::of;

    #[test]
    fn a_time_is_read_whole_or_not_at_all() {
        for said in ["2024", "2024-03", "2024-03-05", "2024-Q3", "Q3 2024", "March 2024", "last month", "since 2020"] {
            assert!(of(&Said(said.to_owned())).is_ok(), "{said}");
        }
        for said in ["", "soon", "2024 or so", "2024-Q5"] {
            assert!(of(&Said(said.to_owned())).is_err(), "{said}");
        }
    }
}

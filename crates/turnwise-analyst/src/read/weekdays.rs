//! Days of the week by their names: "on Mondays", "Saturdays vs Sundays", "weekends". A value of that name in the data
//! is found first; only where there is none is it the day of a date. Next: `slots`.

use super::super::form::Filter;
use super::slots::{Walker, Wanted};

/// The days as dialects write them, Monday first.
pub const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The days a word names, 1 for Monday; `stem` is in small letters and in the singular.
pub fn named(stem: &str) -> Option<Vec<i8>> {
    if stem == "weekend" {
        return Some(vec![6, 7]);
    }
    let at = DAYS.iter().position(|day| day.eq_ignore_ascii_case(stem))?;
    Some(vec![i8::try_from(at + 1).ok()?])
}

/// How people write them.
pub fn label(days: &[i8]) -> String {
    let name = |day: &i8| usize::try_from(day - 1).ok().and_then(|at| DAYS.get(at)).copied().unwrap_or("day");
    days.iter().map(name).collect::<Vec<_>>().join(" and ")
}

impl Walker<'_> {
    /// Days join those said before them ("Mondays and Fridays").
    pub fn take_weekdays(&mut self, days: &[i8]) {
        let wanted = std::mem::replace(&mut self.negated, false);
        if matches!(self.wanted, Wanted::Group | Wanted::Asked) {
            self.wanted = Wanted::Nothing;
        }
        self.joins_value = false;
        match self.slots.filters.last_mut() {
            Some(Filter::Weekdays { days: before, negated }) if *negated == wanted => before.extend(days),
            _ => self.slots.filters.push(Filter::Weekdays { days: days.to_vec(), negated: wanted }),
        }
        self.negated = wanted && self.joins_next();
    }
}

//! The tests of a form in words: they stand behind the title of every plan, so that nobody has to guess what was
//! left out. Next: `shape`.

use super::super::form::{Filter, Mention, QueryForm};
use super::super::lexicon::{Comparator, Order};
use super::super::period::Period;
use super::super::read::weekdays_label;

/// The filters and times of a form, as a phrase to put behind.
pub fn about(form: &QueryForm) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(form.filters.iter().map(test));
    parts.extend(form.periods.iter().map(Period::label));
    parts.extend(form.conditions.iter().map(|condition| {
        let value = if condition.average { "average".to_owned() } else { condition.value.to_string() };
        format!("with {} {} {value}", condition.measure.of.words, sign(condition.comparator))
    }));
    if parts.is_empty() { String::new() } else { format!(" {}", parts.join(" ")) }
}

/// A test in words.
pub fn test(filter: &Filter) -> String {
    match filter {
        Filter::Value { words, negated: false, .. } => format!("for {words}"),
        Filter::Value { words, .. } => format!("without {words}"),
        Filter::Number { of, comparator, value, .. } => format!("with {} {} {value}", of.words, sign(*comparator)),
        Filter::Missing { of, negated: false, .. } => format!("without {}", of.words),
        Filter::Missing { of, .. } => format!("with {}", of.words),
        Filter::Flag { of, value: true } => of.words.clone(),
        Filter::Flag { of, .. } => format!("not {}", of.words),
        Filter::Weekdays { days, negated } => {
            format!("{}on {}", if *negated { "not " } else { "" }, weekdays_label(days))
        }
        Filter::Dated { of, period } => format!("{} {}", of.words, period.label()),
        Filter::Outside { period } => format!("without {}", period.label()),
        Filter::Lacks { of } => format!("without {}", of.words),
        Filter::Among { words, negated: true, .. } => format!("other than {words}"),
        Filter::Among { words, .. } => format!("about {words}"),
        Filter::Never { of, filters, periods } => format!("never {}", related(of.as_ref(), filters, periods)),
        Filter::Some { of, filters, periods } => format!("with some {}", related(of.as_ref(), filters, periods)),
        Filter::Average { of, comparator } => format!("with {} {} average", of.words, sign(*comparator)),
        Filter::End { of, order: Order::Descending } => format!("with the highest {}", of.words),
        Filter::End { of, order: Order::Ascending } => format!("with the lowest {}", of.words),
        Filter::Text { of, text, negated, .. } => {
            let of = of.as_ref().map_or_else(String::new, |of| format!(" in {}", of.words));
            format!("{} “{text}”{of}", if *negated { "without" } else { "with" })
        }
        Filter::Either { sides } => {
            let sides = sides.iter().map(|side| {
                let inner = QueryForm { filters: side.clone(), ..QueryForm::default() };
                about(&inner).trim_start().to_owned()
            });
            sides.collect::<Vec<_>>().join(" or ")
        }
        Filter::During { period } => period.label(),
    }
}

/// What rows of another table must be like, as a phrase.
fn related(of: Option<&Mention>, filters: &[Filter], periods: &[Period]) -> String {
    let inner = QueryForm { filters: filters.to_vec(), periods: periods.to_vec(), ..QueryForm::default() };
    format!("{}{}", of.map_or("", |of| of.words.as_str()), about(&inner)).trim_start().to_owned()
}

pub fn sign(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Over => "over",
        Comparator::AtLeast => "at least",
        Comparator::Under => "under",
        Comparator::AtMost => "at most",
        Comparator::Equal => "of",
        Comparator::Unequal => "other than",
    }
}

//! A reading in words that people type and the grammar reads: what is offered in place of a refusal has to be read as
//! just that. Names are those of the data without their tables. Next: `super`.

use crate::question::{End, How, Is, Number, Question, Said, Test};

use super::build::Reading;

impl Reading {
    /// The question as somebody would type it, without what it leaves out.
    pub fn plainly(&self) -> String {
        let question = &self.question;
        let mut words = vec![asked(question)];
        words.extend(question.filters.iter().map(test));
        words.extend(
            question
                .having
                .iter()
                .map(|having| format!("with {} {} {}", bound(having.is), having.value.0, name(&having.of.0))),
        );
        let related = question.related.iter();
        words.extend(related.map(|one| format!("{} {}", if one.has { "with" } else { "without" }, name(&one.table.0))));
        words.extend(self.grains.iter().map(|grain| format!("by {}", grain.name())));
        words.extend(self.periods.iter().map(|period| {
            let label = period.label();
            if label.starts_with(|letter: char| letter.is_lowercase()) { label } else { format!("in {label}") }
        }));
        words.join(" ")
    }
}

/// What is asked for: numbers by groups, or rows, in their order.
fn asked(question: &Question) -> String {
    let groups: Vec<String> = question.groups.iter().map(|group| name(&group.by.0)).collect();
    let numbers: Vec<String> = question.measures.iter().map(number).collect();
    let Some(rank) = question.rank.first() else {
        let listed: Vec<String> = question.list.iter().map(|listed| name(&listed.of.0)).collect();
        let what = if numbers.is_empty() { listed } else { numbers }.join(" and ");
        return match groups.as_slice() {
            [] if question.measures.is_empty() => format!("list {what}"),
            [] => what,
            groups => format!("{what} by {}", groups.join(" and ")),
        };
    };
    let end = if rank.order == End::Highest { "top" } else { "bottom" };
    match (groups.first(), numbers.first(), question.list.first()) {
        (Some(group), Some(number), _) => format!("{end} {} {group} by {number}", rank.limit),
        (_, _, Some(listed)) => format!("{end} {} {} by {}", rank.limit, name(&listed.of.0), name(&rank.by.0)),
        _ => numbers.join(" and "),
    }
}

fn number(number: &Number) -> String {
    let how = match number.how {
        How::Count => "number of",
        How::CountDifferent => "number of different",
        How::Average => "average",
        How::Median => "median",
        How::Minimum => "lowest",
        How::Maximum => "highest",
        How::Share => "share of",
        How::Sum => "total",
    };
    let only: String = number.only.iter().map(|own| format!(" {}", test(own))).collect();
    format!("{how} {}{only}", name(&number.of.0))
}

fn test(test: &Test) -> String {
    let column = name(&test.column.0);
    let values: Vec<&str> = test.values.iter().map(|Said(value)| value.as_str()).collect();
    let values = values.join(" or ");
    match (test.is, values.as_str()) {
        (Is::Present, _) | (Is::Equal, "yes") => format!("with {column}"),
        (Is::Missing, _) | (Is::Equal, "no") => format!("without {column}"),
        (Is::Equal, values) if values.parse::<f64>().is_err() => format!("with {column} {values}"),
        (Is::NotEqual, values) => format!("not {values}"),
        (is, values) => format!("with {column} {} {values}", bound(is)).replace("  ", " "),
    }
}

fn bound(is: Is) -> &'static str {
    match is {
        Is::Over => "over",
        Is::Under => "under",
        Is::AtLeast => "at least",
        Is::AtMost => "at most",
        _ => "",
    }
}

/// A name without its table, in words.
fn name(name: &str) -> String {
    name.rsplit('.').next().unwrap_or(name).replace('_', " ")
}

//! A question in a line for people, by the names of the data: what is asked for, of which rows, by what, in which
//! order. Two questions that differ are told differently. Next: `plan`, which says what each word was taken for.

use turnwise_core::PlanDraft;

use super::plan::told;
use super::{Each, How, Is, Question, Test};

impl Question {
    /// The question in a line.
    #[must_use]
    pub fn told(&self) -> String {
        let mut parts = Vec::new();
        for number in &self.measures {
            let only = tests(&number.only);
            let only = if only.is_empty() { only } else { format!(" with {only}") };
            parts.push(format!("{} {}{only}", gathered(number.how), number.of.0));
        }
        let listed: Vec<&str> = self.list.iter().map(|listed| listed.of.0.as_str()).collect();
        if !listed.is_empty() {
            parts.push(format!("list of {}", listed.join(", ")));
        }
        let mut text = parts.join(" and ");
        for group in &self.groups {
            let each = if group.each == Each::Value { String::new() } else { format!(" ({})", told(&group.each)) };
            text += &format!(" for each {}{each}", group.by.0);
        }
        if !self.filters.is_empty() {
            text += &format!(", where {}", tests(&self.filters));
        }
        for related in &self.related {
            let (has, only) = (if related.has { "with" } else { "without" }, tests(&related.filters));
            text += &format!(
                ", {has} {}{}",
                related.table.0,
                if only.is_empty() { only } else { format!(" where {only}") }
            );
        }
        for having in &self.having {
            let (how, is) = (told(&having.how), told(&having.is));
            text += &format!(", where the {how} of {} is {is} {}", having.of.0, having.value.0);
        }
        for rank in &self.rank {
            let by = if rank.by.0 == "measure" { String::new() } else { format!(" by {}", rank.by.0) };
            let limit = if rank.limit == 0 { String::new() } else { format!(", {} of them", rank.limit) };
            text += &format!(", {} first{by}{limit}", told(&rank.order));
        }
        text
    }
}

fn gathered(how: How) -> &'static str {
    match how {
        How::Count => "number of",
        How::CountDifferent => "number of different",
        How::Sum => "total",
        How::Average => "average",
        How::Minimum => "lowest",
        How::Maximum => "highest",
        How::Median => "median",
        How::Share => "share of",
    }
}

fn tests(tests: &[Test]) -> String {
    let told = |test: &Test| {
        let values: Vec<&str> = test.values.iter().map(|value| value.0.as_str()).collect();
        let is = match test.is {
            Is::Equal => "is".to_owned(),
            Is::NotEqual => "is not".to_owned(),
            other => format!("is {}", told(&other)),
        };
        format!("{} {is} {}", test.column.0, values.join(" or ")).trim_end().to_owned()
    };
    tests.iter().map(told).collect::<Vec<_>>().join(" and ")
}

/// Whether a question reads a column, or asks of a table, that no query of `plan` reads.
pub fn adds(question: &Question, plan: &PlanDraft) -> bool {
    let own = question.measures.iter().flat_map(|number| number.only.iter().map(|test| &test.column));
    let related = question
        .related
        .iter()
        .flat_map(|one| std::iter::once(&one.table).chain(one.filters.iter().map(|test| &test.column)));
    let names = question.filters.iter().map(|test| &test.column);
    let names = names.chain(question.groups.iter().map(|group| &group.by));
    let names = names.chain(question.measures.iter().map(|number| &number.of)).chain(own).chain(related);
    let names = names.chain(question.having.iter().map(|test| &test.of)).chain(question.list.iter().map(|one| &one.of));
    let mut names = names.chain(question.rank.iter().map(|rank| &rank.by).filter(|by| by.0.contains('.')));
    let sql: Vec<&String> = plan.steps.iter().filter_map(|step| step.arguments.get("sql")).collect();
    let reads = |name: &str| {
        let quoted = ['"', '`'].map(|mark| format!("{mark}{name}{mark}"));
        sql.iter().any(|sql| quoted.iter().any(|quoted| sql.contains(quoted)))
    };
    names.any(|name| !reads(name.0.rsplit('.').next().unwrap_or(&name.0)))
}

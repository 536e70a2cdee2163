//! The plan card: what would be done, in which order, on what assumptions, and how it differs from the version before.
//! Next: `plan_line` for one in short.

use turnwise_core::{Plan, PlanCard, PlanChange, Step, StepId, text as words};

use super::sheet::Sheet;
use super::{Line, Tone, text};

pub(super) fn draw(sheet: &mut Sheet, shown: &PlanCard) {
    let plan = &shown.plan;
    heading(sheet, plan);
    for step in plan.steps() {
        draw_step(sheet, step, shown.reused.contains(&step.id));
    }
    assumptions(sheet, plan);
    changes(sheet, shown);
    if shown.reference.is_some() {
        sheet.text("Run it? y = yes, n = no, /edit, or say what should be different.", Tone::Warn);
    }
}

/// What is taken for granted, words that are not used among it.
pub(super) fn assumptions(sheet: &mut Sheet, plan: &Plan) {
    for assumption in &plan.draft().assumptions {
        sheet.hanging("  Assumes: ", Tone::Dim, assumption, Tone::Plain);
    }
}

/// How it differs from the version before.
pub(super) fn changes(sheet: &mut Sheet, shown: &PlanCard) {
    if !shown.changes.is_empty() {
        sheet.line(Line::of(&changes_heading(&shown.plan), Tone::Strong));
        shown.changes.iter().for_each(|change| draw_change(sheet, change));
    }
}

pub(super) fn heading(sheet: &mut Sheet, plan: &Plan) {
    let steps = words::count(plan.steps().len(), "step");
    let version = if plan.version() > 1 { format!(", version {}", plan.version()) } else { String::new() };
    sheet.text(&format!("Plan: \"{}\" ({steps}{version})", plan.draft().title), Tone::Strong);
}

fn draw_step(sheet: &mut Sheet, step: &Step, reused: bool) {
    let mark = format!("  {} ", step.id.number());
    sheet.hanging(&mark, Tone::Accent, &step_words(step, reused), Tone::Plain);
    let indent = " ".repeat(text::width(&mark));
    if let Some(diff) = step.arguments.get(DIFF) {
        return super::diff::draw(sheet, &indent, diff);
    }
    if let Some(text) = step.arguments.get(TEXT) {
        // Broken rather than cut: what would be created has to be seen whole.
        return text.lines().for_each(|line| sheet.hanging(&indent, Tone::Plain, line, Tone::Dim));
    }
    for (name, value) in telling(step) {
        let short = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = Line::of(&indent, Tone::Plain).with(&format!("{name}: {short}"), Tone::Dim);
        sheet.line(line.cut(ARGUMENT_WIDTH));
    }
}

/// The arguments worth a person's look: of a query its text and what it is filled with, of anything else all that the
/// description does not say already.
fn telling(step: &Step) -> impl Iterator<Item = (&String, &String)> {
    let is_query = step.arguments.contains_key(QUERY);
    let said = |value: &str| !value.is_empty() && step.description.contains(value);
    let tells = move |name: &str, value: &str| match is_query {
        true => name == QUERY || (name == FILLED_WITH && value != "[]"),
        false => !said(value),
    };
    step.arguments.iter().filter(move |(name, value)| tells(name, value))
}

fn step_words(step: &Step, reused: bool) -> String {
    let mut sentence = step.description.clone();
    // A text stands for how it is done, too.
    let mut notes: Vec<String> = Vec::new();
    if !step.arguments.contains_key(TEXT) {
        notes.push(step.tool.to_string());
    }
    if !step.after.is_empty() {
        notes.push(format!("after {}", numbers(&step.after)));
    }
    if step.retries > 0 {
        notes.push(retries(step.retries));
    }
    if reused {
        notes.push("already resolved, reused".to_owned());
    }
    if !notes.is_empty() {
        sentence.push_str(&format!("  [{}]", notes.join(" · ")));
    }
    sentence
}

fn numbers(steps: &[StepId]) -> String {
    steps.iter().map(|step| step.number().to_string()).collect::<Vec<_>>().join(", ")
}

fn retries(count: u32) -> String {
    if count == 1 { "retried once".to_owned() } else { format!("retried up to {count} times") }
}

fn changes_heading(plan: &Plan) -> String {
    format!("Changes, version {} → {}:", plan.version().saturating_sub(1), plan.version())
}

fn draw_change(sheet: &mut Sheet, change: &PlanChange) {
    let (mark, tone, description) = match change {
        PlanChange::Added { description } => ("  + ", Tone::Good, description),
        PlanChange::Removed { description } => ("  - ", Tone::Bad, description),
        PlanChange::Kept { description } => ("  = ", Tone::Dim, description),
        PlanChange::Moved { description, after } => {
            let moved = format!("{description}, now after {}", numbers(after));
            return sheet.hanging("  ~ ", Tone::Warn, &moved, Tone::Plain);
        }
        PlanChange::Edited { part, before, after } => {
            let edited = format!("{}: {before} → {after}", part.word());
            return sheet.hanging("  ~ ", Tone::Warn, &edited, Tone::Plain);
        }
    };
    sheet.hanging(mark, tone, description, Tone::Plain);
}

/// The argument that holds what files would become, as a unified diff.
const DIFF: &str = "diff";
/// The argument that holds a text as it would be created or posted: it stands for all others.
const TEXT: &str = "text";
/// The argument that holds a query.
const QUERY: &str = "sql";
/// The argument that holds the values of a query's placeholders.
const FILLED_WITH: &str = "parameters";
/// Cells of a step's argument: enough to recognise a query; `/plan` and the proof show it whole.
const ARGUMENT_WIDTH: usize = 120;

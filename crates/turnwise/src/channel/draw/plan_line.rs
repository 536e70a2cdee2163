//! A plan that only reads, in short: what it does, over which tables, and whether it may run. What makes it safe to say
//! yes to stays in sight: what it takes for granted, words it does not use, and how it differs from the version before.
//! Its queries are behind a key. Next: `plan` for the whole of it.

use turnwise_core::{Plan, PlanCard, Step};

use super::sheet::Sheet;
use super::{Tone, plan};

/// Whether a line says all there is to decide: each step reads tables or calculates from what was read.
pub(super) fn fits(plan: &Plan) -> bool {
    let only_reads = |step: &Step| step.arguments.contains_key(TABLES) || step.arguments.contains_key(CALCULATION);
    plan.changes_nothing() && plan.steps().iter().all(only_reads) && !tables(plan).is_empty()
}

pub(super) fn draw(sheet: &mut Sheet, shown: &PlanCard) {
    let plan = &shown.plan;
    let does: Vec<&str> = plan.steps().iter().map(|step| step.description.as_str()).collect();
    let reads = format!("{} · only reads {}", does.join(" → "), tables(plan).join(", "));
    // What was asked first stands just above; a later version may be called otherwise.
    if plan.version() > 1 {
        plan::heading(sheet, plan);
        sheet.hanging("  ", Tone::Plain, &reads, Tone::Plain);
    } else {
        sheet.hanging("Plan: ", Tone::Strong, &reads, Tone::Plain);
    }
    plan::assumptions(sheet, plan);
    plan::changes(sheet, shown);
    if shown.reference.is_some() {
        sheet.text(ASKED, Tone::Warn);
    }
}

/// The tables it reads, each once, in the order of its steps.
fn tables(plan: &Plan) -> Vec<String> {
    let mut read: Vec<String> = Vec::new();
    for named in plan.steps().iter().filter_map(|step| step.arguments.get(TABLES)) {
        let names: Vec<String> = serde_json::from_str(named).unwrap_or_default();
        read.extend(names.into_iter().filter(|name| !name.is_empty()));
    }
    let mut seen = std::collections::BTreeSet::new();
    read.retain(|name| seen.insert(name.clone()));
    read
}

/// The argument that names the tables of a query, as JSON.
const TABLES: &str = "tables";
/// The argument that holds what is calculated from earlier steps.
const CALCULATION: &str = "calculation";
/// What can be said to it.
const ASKED: &str = "Run it? y = yes, n = no, a = always when a plan only reads, or say what should be different. Ctrl+O \
                     shows its queries.";

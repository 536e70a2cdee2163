//! The chain of a value as a tree down to queries and sources (CF-31). Queries are shown whole: a proof that is cut is
//! none. Next: `turnwise_core::provenance`.

use turnwise_core::provenance::ProvenanceNode;

use super::sheet::Sheet;
use super::{Tone, text};

pub(super) fn draw(sheet: &mut Sheet, root: &ProvenanceNode) {
    node(sheet, root, "", "", "");
}

/// Draws `shown` behind `trunk`, the lines of its ancestors; `branch` leads to its name, `below` to what hangs on it.
fn node(sheet: &mut Sheet, shown: &ProvenanceNode, trunk: &str, branch: &str, below: &str) {
    let summary = shown.summary.as_deref().unwrap_or("no longer held");
    let mark = fit(sheet, &format!("{trunk}{branch}"));
    let trunk = format!("{trunk}{below}");
    sheet.hanging_under(&mark, Tone::Dim, &fit(sheet, &trunk), &format!("{} = {summary}", shown.name), Tone::Plain);
    let stem = if shown.inputs.is_empty() { "   " } else { "│  " };
    let mark = fit(sheet, &format!("{trunk}{stem}"));
    if let Some(query) = &shown.query {
        for line in query.lines() {
            sheet.hanging_under(&mark, Tone::Dim, &mark, line, Tone::Dim);
        }
    }
    for stamp in &shown.stamps {
        let words = format!("source {} ({})", stamp.name, stamp.fingerprint);
        sheet.hanging_under(&mark, Tone::Dim, &mark, &words, Tone::Accent);
    }
    for assumption in &shown.assumptions {
        sheet.hanging_under(&mark, Tone::Dim, &mark, &format!("assumes {assumption}"), Tone::Plain);
    }
    let last = shown.inputs.len().saturating_sub(1);
    for (at, input) in shown.inputs.iter().enumerate() {
        let (branch, below) = if at == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        node(sheet, input, &trunk, branch, below);
    }
}

/// The lead of a line, at most half as wide as the sheet: what lies deeper is drawn as if it lay there.
fn fit(sheet: &Sheet, lead: &str) -> String {
    let room = sheet.width() / 2;
    let over = text::width(lead).saturating_sub(room);
    // Every character of a lead is one cell wide.
    lead.chars().skip(over.div_ceil(LEVEL) * LEVEL).collect()
}

/// Cells of one level of the tree.
const LEVEL: usize = 3;

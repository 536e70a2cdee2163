//! What a reading is about (CF-05) when no rule captured it: what to drill into, look up, analyse or change.
//!
//! Next: `reader`.

use turnwise_core::{Act, QueryKind};

use crate::words::{Word, Words};

/// Words behind which a query names its object.
const BEFORE_OBJECTS: &[&str] = &["about", "of", "for", "into", "behind", "regarding", "on", "from"];

/// Verbs that open an order and are not part of what is to be done it with.
const OPENING_VERBS: &[&str] = &[
    "analyze",
    "analyse",
    "examine",
    "investigate",
    "study",
    "explore",
    "compare",
    "contrast",
    "predict",
    "forecast",
    "project",
    "estimate",
    "show",
    "list",
    "display",
    "find",
    "get",
    "give",
    "calculate",
    "compute",
    "count",
    "plot",
    "chart",
    "graph",
    "build",
    "create",
    "make",
    "prepare",
    "produce",
    "generate",
    "run",
    "verify",
    "validate",
    "prove",
    "check",
    "audit",
    "export",
    "report",
    "track",
    "measure",
    "rank",
    "pull",
];

const LIGHT_WORDS: &[&str] = &["me", "us", "the", "a", "an", "that", "our", "my", "out", "up", "at", "on", "some"];

/// The target of `segment` for `act`, as the person wrote it.
#[must_use]
pub fn of(act: &Act, segment: &str, words: &Words) -> Option<String> {
    let core = words.core();
    let rest = match act {
        Act::Query(QueryKind::Summary) => after_preposition(core, &["of", "about", "for", "on"])?,
        Act::Query(_) => after_preposition(core, BEFORE_OBJECTS)?,
        Act::PlanNew(_) => after_verb(core),
        Act::PlanContinue => core,
        Act::Control(_) => return None,
    };
    let (first, last) = (rest.first()?, rest.last()?);
    Some(segment[first.start..last.end].to_owned())
}

fn after_preposition<'a>(core: &'a [Word], prepositions: &[&str]) -> Option<&'a [Word]> {
    let at = core.iter().position(|word| !word.quoted && prepositions.contains(&word.text.as_str()))?;
    Some(&core[at + 1..]).filter(|rest| !rest.is_empty())
}

fn after_verb(core: &[Word]) -> &[Word] {
    let Some((first, mut rest)) = core.split_first() else { return core };
    if !OPENING_VERBS.contains(&first.text.as_str()) || rest.is_empty() {
        return core;
    }
    let is_light = |word: &Word| LIGHT_WORDS.contains(&word.text.as_str());
    while rest.len() > 1 && is_light(&rest[0]) {
        rest = &rest[1..];
    }
    rest
}

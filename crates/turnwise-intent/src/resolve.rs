//! What a message of several segments comes to (CF-14 and the settled choices of spec 1).
//!
//! In this order: a correction or cancel takes back what stands before it; remarks do not swallow a request; a
//! sentence that only says what to show joins the one before; the latest of the same kind wins; a refinement that
//! follows a new task in the same message belongs to that task, one that precedes it is overtaken by it. What is left
//! is carried out in the order it was said. Next: `reader`.

use crate::wish;
use turnwise_core::{Act, Control, Phase, QueryKind, Reading};

/// A segment as read, with what only the rules know about it.
#[derive(Clone, Debug)]
pub struct Said {
    /// The reading.
    pub reading: Reading,
    /// Whether it takes back what was said before it.
    pub takes_back: bool,
    /// Whether nothing is asked for.
    pub remark: bool,
}

/// The requests that remain, in order; empty only when `said` is.
#[must_use]
pub fn resolve(said: &[Said], phase: Phase) -> Vec<Reading> {
    let kept = after_corrections(said, phase);
    let requests: Vec<Reading> = if kept.iter().any(|one| !one.remark) {
        kept.into_iter().filter(|one| !one.remark).map(|one| one.reading).collect()
    } else {
        kept.into_iter().next_back().map(|one| one.reading).into_iter().collect()
    };
    joined_refinements(latest_of_each_kind(wish::joined(requests)))
}

/// The request a single intent has to be reported for: a task over a refinement over a query over a command, the
/// latest of equals.
#[must_use]
pub fn principal(requests: &[Reading]) -> Option<&Reading> {
    let weight = |act: &Act| match act {
        Act::PlanNew(_) => 3,
        Act::PlanContinue => 2,
        Act::Query(_) => 1,
        Act::Control(_) => 0,
    };
    requests.iter().max_by_key(|reading| weight(&reading.act))
}

fn after_corrections(said: &[Said], phase: Phase) -> Vec<Said> {
    let is_cancel = |one: &Said| one.takes_back || one.reading.act == Act::Control(Control::Cancel);
    let Some(last) = said.iter().rposition(is_cancel) else { return said.to_vec() };
    let correction = &said[last];
    let took_back = said[..last].iter().any(|one| !one.remark);
    let follows = said[last + 1..].iter().any(|one| !one.remark);
    let busy = phase != Phase::Idle;
    // "cancel that. show me …" while something runs stops it first; a slip of the tongue only concerns the message.
    let keep = if follows { busy && !took_back && !correction.takes_back } else { true };
    let mut kept = Vec::new();
    if keep {
        let only_the_words = !follows && took_back && correction.takes_back && busy;
        kept.push(if only_the_words { words_taken_back(correction) } else { correction.clone() });
    }
    kept.extend_from_slice(&said[last + 1..]);
    kept
}

/// While something runs, taking back one's own words must not stop the run: nothing is left to do.
fn words_taken_back(correction: &Said) -> Said {
    let mut kept = correction.clone();
    kept.reading.intent = "query".to_owned();
    kept.reading.sub = None;
    kept.reading.sub_confidence = None;
    kept.reading.act = Act::Query(QueryKind::Remark);
    kept.reading.reason = "takes back what was said before it in the message; nothing is left to do".to_owned();
    kept.remark = true;
    kept
}

fn latest_of_each_kind(requests: Vec<Reading>) -> Vec<Reading> {
    let same_kind = |a: &Act, b: &Act| match (a, b) {
        (Act::PlanNew(_), Act::PlanNew(_)) => true,
        // Two refinements add up ("only Q4. by month."): they are joined below, none is lost.
        (Act::PlanContinue, Act::PlanContinue) => false,
        // Each statement is about another word, and each command about facts may name another fact.
        (Act::Query(QueryKind::Definition), _) | (Act::Control(Control::Facts), _) => false,
        (a, b) => a == b,
    };
    let mut kept: Vec<Reading> = Vec::new();
    for request in requests {
        kept.retain(|earlier| !same_kind(&earlier.act, &request.act));
        kept.push(request);
    }
    kept
}

fn joined_refinements(requests: Vec<Reading>) -> Vec<Reading> {
    let task = requests.iter().position(|request| matches!(request.act, Act::PlanNew(_)));
    let mut kept: Vec<Reading> = Vec::new();
    for (at, request) in requests.into_iter().enumerate() {
        if request.act != Act::PlanContinue {
            kept.push(request);
            continue;
        }
        if task.is_some_and(|task| at < task) {
            continue;
        }
        let joins = |earlier: &Reading| matches!(earlier.act, Act::PlanNew(_) | Act::PlanContinue);
        match kept.iter_mut().rev().find(|earlier| joins(earlier)) {
            Some(earlier) => earlier.segment = format!("{}. {}", earlier.segment, request.segment),
            None => kept.push(request),
        }
    }
    kept
}

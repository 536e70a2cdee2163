//! Finds every fact of a proof again from the data at hand, and says of each whether it is the same. Who runs the
//! queries is given: the proof knows no assistant. Next: `difference`.

use std::collections::{BTreeMap, BTreeSet};

use turnwise_core::{FactName, FactValue, SourceStamp, Table};

use super::difference::{differences, is_same};
use super::document::{Proof, ProvenFact, Work};

/// What an assistant offers to a check.
pub trait Rerun {
    /// The stamp of the source of this name as it is now; none when it is not among the data.
    fn stamp(&self, source: &str) -> Option<SourceStamp>;

    /// Runs the work again over the data and the values of its inputs; gives its rows and the digest of all.
    ///
    /// # Errors
    /// Why it cannot be run.
    fn rerun(&self, work: &Work, inputs: &[&Table], wanted: Wanted) -> Result<(Table, String), String>;

    /// The work as it is told to people, from what is run alone.
    fn told(&self, work: &Work) -> String;
}

/// Which rows of a result are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that a fact keeps.
    Kept,
    /// All of them: another fact was worked out from them.
    All,
}

/// What became of one fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Found again, the same. The sources named have changed since, without changing it.
    Same(Vec<String>),
    /// Found again, different: the differences, and the sources that have changed.
    Changed(Vec<String>, Vec<String>),
    /// A source is not among the data at hand.
    SourceMissing(Vec<String>),
    /// It cannot be run: why.
    Failed(String),
    /// It was stated and not found, so there is nothing to run.
    Stated,
    /// It rests on a fact that could not be found again.
    Unreached(FactName),
}

impl Verdict {
    /// Whether nothing speaks against the proof.
    #[must_use]
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Same(_) | Self::Stated)
    }
}

/// The verdict on each fact, in the order of the chain.
pub fn rerun<'a>(proof: &'a Proof, by: &dyn Rerun) -> Vec<(&'a ProvenFact, Verdict)> {
    let mut found: BTreeMap<&FactName, Table> = BTreeMap::new();
    let mut verdicts = Vec::with_capacity(proof.chain.len());
    let needed: BTreeSet<&FactName> =
        proof.facts().filter_map(|fact| fact.work.as_ref()).flat_map(|work| &work.needs).collect();
    for fact in proof.facts() {
        let wanted = if needed.contains(&fact.name) { Wanted::All } else { Wanted::Kept };
        let verdict = one(fact, by, wanted, &mut found);
        verdicts.push((fact, verdict));
    }
    verdicts
}

fn one<'a>(fact: &'a ProvenFact, by: &dyn Rerun, wanted: Wanted, found: &mut BTreeMap<&'a FactName, Table>) -> Verdict {
    let FactValue::Table(before) = &fact.value else { return Verdict::Stated };
    let Some(work) = &fact.work else {
        return Verdict::Failed("the proof does not say how it was found".to_owned());
    };
    let stamps: Vec<(&SourceStamp, Option<SourceStamp>)> =
        fact.sources.iter().map(|stamp| (stamp, by.stamp(&stamp.name))).collect();
    let missing: Vec<String> =
        stamps.iter().filter(|(_, now)| now.is_none()).map(|(stamp, _)| stamp.name.clone()).collect();
    if !missing.is_empty() {
        return Verdict::SourceMissing(missing);
    }
    let changed: Vec<String> = stamps
        .iter()
        .filter(|(before, now)| is_other(before, now.as_ref()))
        .map(|(before, _)| before.name.clone())
        .collect();
    let mut inputs: Vec<&Table> = Vec::new();
    for name in &work.needs {
        match found.get(name) {
            Some(table) => inputs.push(table),
            None => return Verdict::Unreached(name.clone()),
        }
    }
    match by.rerun(work, &inputs, wanted) {
        Err(why) => Verdict::Failed(why),
        Ok((now, digest)) => {
            let lines = lines_that_differ(fact, before, &now, &digest, &by.told(work));
            if wanted == Wanted::All {
                found.insert(&fact.name, now);
            }
            if lines.is_empty() { Verdict::Same(changed) } else { Verdict::Changed(lines, changed) }
        }
    }
}

/// What is not as the proof says, one line each.
fn lines_that_differ(fact: &ProvenFact, before: &Table, now: &Table, digest: &str, told: &str) -> Vec<String> {
    let kept = before.rows.len();
    let rows = now.rows.iter().take(kept).cloned().collect();
    let shown = Table { columns: now.columns.clone(), rows, total_rows: now.total_rows };
    // Rows that were not kept can only be compared by digest. That of a calculation in an older proof is of the rows
    // kept alone, as those were all that was calculated.
    let is_whole = !before.is_cut();
    let of_kept = |known: &String| !fact.inputs.is_empty() && *known == turnwise_assistant::digest::of(&shown);
    let is_known = fact.digest.as_ref().is_none_or(|known| known == digest || of_kept(known));
    let mut lines = text_that_differs(fact, told, before);
    if !(is_same(before, &shown) && (is_whole || is_known)) {
        lines.extend(differences(before, if is_whole { now } else { &shown }));
    }
    lines
}

/// What the proof shows people beside the rows and that is not so. A file can be sealed again after such a text was
/// edited, and then the rows alone would vouch for it.
fn text_that_differs(fact: &ProvenFact, told: &str, rows: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(shown) = fact.query.as_ref().filter(|shown| *shown != told) {
        lines.push(format!("the query shown is not the one to be run: shown is {shown}"));
        lines.push(format!("to be run is {told}"));
    }
    if let Some(count) = fact.row_count.filter(|count| *count != rows.total_rows) {
        lines.push(format!("the proof shows {count} rows, and holds a result of {}", rows.total_rows));
    }
    lines
}

/// Large sources are known by size and time, and a copy has another time: that alone is no change.
fn is_other(before: &SourceStamp, now: Option<&SourceStamp>) -> bool {
    let size = |stamp: &SourceStamp| {
        let marks = stamp.fingerprint.strip_prefix("size+mtime:").map(str::to_owned)?;
        Some(marks.split('+').map(|mark| mark.split('@').next().unwrap_or_default().to_owned()).collect::<Vec<_>>())
    };
    let Some(now) = now else { return false };
    match (size(before), size(now)) {
        (Some(before), Some(now)) => before != now,
        _ => before.fingerprint != now.fingerprint,
    }
}

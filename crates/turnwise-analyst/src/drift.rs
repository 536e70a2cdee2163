//! Data that changed between plan and answer: what was read may not be what the person saw when they approved, or not
//! what lies on the disk by now. Neither makes an answer wrong, and neither is kept quiet. Next: `run`.

use turnwise_core::{NewFact, SourceStamp};

use super::source::{Freshness, Workbench};

/// Says which of the sources just read are not what the plan was made over. Of servers
/// nothing else is expected.
pub fn since_planned(planned: &[String], read: &[SourceStamp]) -> Vec<String> {
    let is_file = |stamp: &&SourceStamp| FILE_STAMPS.iter().any(|kind| stamp.fingerprint.starts_with(kind));
    let changed = read.iter().filter(is_file).filter(|stamp| !planned.contains(&stamp.fingerprint));
    changed.map(|stamp| format!("{} {SINCE_PLANNED}: this is from it as it is now.", stamp.name)).collect()
}

/// What the answer that `fact` gives has to say of its sources.
pub fn notes(bench: &Workbench, fact: &NewFact) -> Vec<String> {
    // What is derived says its assumptions anyway.
    let unsaid = fact.assumptions.iter().filter(|_| fact.derived_from.is_empty());
    let planned = unsaid.filter(|known| is_note(known)).cloned();
    let since_read = fact.stamps.iter().filter_map(|stamp| {
        let table = bench.tables().iter().find(|table| table.stamp == *stamp)?;
        match bench.freshness(table) {
            Freshness::Unchanged => None,
            Freshness::Changed => Some(format!(
                "{} was changed after it was read, so this is from before that; start Turnwise again to read it anew.",
                stamp.name
            )),
            Freshness::Missing => {
                Some(format!("{} is not there any more; this is from what was read of it.", stamp.name))
            }
        }
    });
    planned.chain(since_read).collect()
}

/// Whether an assumption is a note of [`since_planned`], which whatever is derived from the fact has to repeat.
pub fn is_note(assumption: &str) -> bool {
    assumption.contains(SINCE_PLANNED)
}

const SINCE_PLANNED: &str = "is not as it was when the plan was made";
/// How the fingerprints of files begin.
const FILE_STAMPS: [&str; 2] = ["sha256:", "size+mtime:"];

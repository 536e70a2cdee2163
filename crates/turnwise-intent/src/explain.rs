//! A reading in words: the log line of CF-10. It stands apart so that logs, `why` and tests word a reading the same
//! way. Next: `reader`, which fills in the reasons.

use std::fmt::Write;

use turnwise_core::{Reading, Tier};

/// `matched primary=X at 0.87, sub=Y at 0.72 (tier, margin, nearest exemplars)`.
#[must_use]
pub fn log_line(reading: &Reading) -> String {
    let mut line = format!("matched primary={} at {:.2}", reading.intent, reading.confidence.value());
    let sub = reading.sub.as_deref().unwrap_or("none");
    if let Some(confidence) = reading.sub_confidence {
        // Writing to a string cannot fail.
        let _ = write!(line, ", sub={sub} at {:.2}", confidence.value());
    }
    let _ = write!(line, " (tier={}, margin={:.2}", tier_name(reading.tier), reading.margin);
    for (at, neighbour) in reading.nearest.iter().enumerate() {
        let lead = if at == 0 { ", nearest " } else { ", " };
        let _ = write!(line, "{lead}\"{}\" {} {:.2}", neighbour.text, neighbour.label, neighbour.score);
    }
    line.push(')');
    line
}

/// The tier's name as it stands in logs and JSON.
#[must_use]
pub fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Slash => "slash",
        Tier::Rule => "rule",
        Tier::Exemplar => "exemplar",
        Tier::Model => "model",
        Tier::Person => "person",
    }
}

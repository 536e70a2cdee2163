//! What `turnwise exemplars fit` says: what it measured before and after, what it chose, and what it left alone, with
//! the reason. Next: `fit`.

use std::fmt::Write as _;

use turnwise_intent::evaluate::Evaluation;
use turnwise_intent::tuning::{Classes, FIT_FOLDS, KeptReason, Tuned};
use turnwise_intent::{Calibration, Profile, ThresholdOrigin};

use super::args::FitArguments;
use crate::channel::draw::visible;
use crate::cli::eval::percent;

/// Everything that is reported.
pub struct Report<'r> {
    pub arguments: &'r FitArguments,
    pub classes: &'r Classes,
    pub calibration: &'r Calibration,
    pub chosen: &'r Tuned,
    /// The profile without anything fitted.
    pub profile: &'r Profile,
    /// By the profile of today.
    pub before: &'r Evaluation,
    /// By what was chosen without the message at hand.
    pub after: &'r Evaluation,
}

/// The report as text.
pub fn report(of: &Report<'_>) -> String {
    let Calibration { cost, sub_cost, seed, figures, .. } = of.calibration;
    let data = visible(&of.arguments.data.display().to_string());
    let mut out = format!(
        "{} fitted to {data}: {} messages in {FIT_FOLDS} parts, seed {seed}\n\
         A wrong act is worth {cost:.2} needless questions, a wrong finer label {sub_cost:.2}.\n\n",
        of.profile.name, figures.messages
    );
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "  {:<30} {:>9}  {:>9}", "", "before", "held out");
    for (name, before, after) in rows(of) {
        let _ = writeln!(out, "  {name:<30} {before:>9}  {after:>9}");
    }
    out.push_str("\nReliability, held out\n  confidence  accuracy  messages\n");
    for bin in &figures.reliability {
        let _ = writeln!(out, "  {:>10.3}  {:>8.3}  {:>8}", bin.confidence, bin.accuracy, bin.answers);
    }
    chosen(&mut out, of);
    kept(&mut out, of);
    out
}

fn rows(of: &Report<'_>) -> Vec<(&'static str, String, String)> {
    let share = |share: Option<f32>| share.map_or_else(|| "–".to_owned(), percent);
    let number = |number: Option<f32>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.3}"));
    let (before, after) = (of.before, of.after);
    vec![
        ("accuracy of the intent", share(before.accuracy), share(after.accuracy)),
        ("accuracy with the finer label", share(before.sub_accuracy), share(after.sub_accuracy)),
        ("coverage at the thresholds", share(before.coverage), share(after.coverage)),
        ("accuracy on covered", share(before.accuracy_covered), share(after.accuracy_covered)),
        ("out of scope but acted on", share(before.out_of_scope_acted_on), share(after.out_of_scope_acted_on)),
        ("calibration error (ECE)", number(before.calibration_error), number(after.calibration_error)),
    ]
}

fn chosen(out: &mut String, of: &Report<'_>) {
    out.push_str("\nFitted\n");
    if let Some(temperature) = of.calibration.temperature {
        let _ = writeln!(out, "  temperature of the intents: {temperature} (was {:.4})", of.classes.temperature);
    }
    for (intent, temperature) in &of.calibration.sub_temperatures {
        let was = of.classes.subs.get(intent).map(|(_, own)| *own).unwrap_or_default();
        let _ = writeln!(out, "  temperature within {intent}: {temperature} (was {was:.4})");
    }
    for (label, threshold) in &of.calibration.thresholds {
        let was = of.profile.threshold(label);
        let wins = match of.profile.threshold_origin(label) {
            ThresholdOrigin::Written => "; the one you wrote wins",
            ThresholdOrigin::Fitted | ThresholdOrigin::Default => "",
        };
        let _ = writeln!(out, "  threshold of {label}: {threshold:.2} (was {was:.2}{wins})");
    }
    if !of.calibration.changes_something() {
        out.push_str("  nothing: what there is is as good\n");
    }
}

fn kept(out: &mut String, of: &Report<'_>) {
    if of.chosen.kept.is_empty() {
        return;
    }
    out.push_str("\nLeft as it is\n");
    for kept in &of.chosen.kept {
        let why = match kept.why {
            KeptReason::TooFew { messages, needed } => {
                format!("too little data: {messages} messages that the head decides, {needed} are needed")
            }
            KeptReason::NoBetter => "nothing else is better on held-out messages".to_owned(),
        };
        let _ = writeln!(out, "  {}: {why}", kept.what);
    }
}

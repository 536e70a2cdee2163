//! What was fitted to labelled messages and written into a profile: temperatures, thresholds, and the figures they were
//! measured with. It stands in the section `fitted` of `assistant.yaml`, apart from what a person wrote: thresholds
//! written by hand win over fitted ones, and fitted ones over the defaults. Next: `edit` for how it gets into the file,
//! `tuning` for how it is found.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Label;
use crate::calibrate::Bin;

/// The section `fitted` of a profile. Nothing in it says when it was made, so that the same data gives the same bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Calibration {
    /// Divides the scores of the intents, in place of the temperature that came with the head.
    pub temperature: Option<f32>,
    /// The same for the finer labels within an intent.
    pub sub_temperatures: BTreeMap<String, f32>,
    /// From which probability on a label is acted on.
    pub thresholds: BTreeMap<Label, f32>,
    /// How many needless questions one wrong act is worth, for intents.
    pub cost: f32,
    /// The same for finer labels.
    pub sub_cost: f32,
    /// What the folds were dealt by.
    pub seed: u64,
    /// A digest of the labelled messages.
    pub data: String,
    /// A digest of the exemplars and the model they were fitted on.
    pub exemplars: String,
    /// The embedding model they were fitted with; none is the one compiled in. With another one they mean nothing.
    pub embedder: Option<String>,
    /// What was measured on held-out folds.
    pub figures: FitFigures,
}

/// What a fit is worth, measured on messages it did not see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitFigures {
    /// Labelled messages, those without a meaning included.
    pub messages: usize,
    /// Share of messages with a meaning whose likeliest intent is the true one.
    pub accuracy: f32,
    /// Share of them that is acted on.
    pub coverage: f32,
    /// Accuracy among those.
    pub accuracy_covered: f32,
    /// Mean distance between confidence and accuracy over the bins, weighted by size.
    pub calibration_error: f32,
    /// Confidence and accuracy by tenth of confidence.
    pub reliability: Vec<Bin>,
}

/// Where a threshold comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdOrigin {
    /// Written for this label by a person.
    Written,
    /// Fitted to labelled messages.
    Fitted,
    /// The profile's default for intents or finer labels.
    Default,
}

impl ThresholdOrigin {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Written => "written in the profile",
            Self::Fitted => "fitted",
            Self::Default => "default",
        }
    }
}

impl Calibration {
    /// Whether anything but figures is in it.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        self.temperature.is_some() || !self.sub_temperatures.is_empty() || !self.thresholds.is_empty()
    }

    /// The section as YAML, ending in a line end. Numbers have at most four decimals, which is how they have to be
    /// rounded before (see [`rounded`]) for the parsed section to equal this one.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let mut out = String::from("fitted:\n");
        // Writing to a string cannot fail, here and below.
        if let Some(temperature) = self.temperature {
            let _ = writeln!(out, "  temperature: {temperature}");
        }
        map(&mut out, "sub_temperatures", self.sub_temperatures.iter().map(|(name, value)| (name.clone(), *value)));
        map(&mut out, "thresholds", self.thresholds.iter().map(|(label, value)| (label.to_string(), *value)));
        let _ = writeln!(out, "  cost: {}\n  sub_cost: {}\n  seed: {}", self.cost, self.sub_cost, self.seed);
        let _ = writeln!(out, "  data: \"{}\"\n  exemplars: \"{}\"", self.data, self.exemplars);
        if let Some(embedder) = &self.embedder {
            let _ = writeln!(out, "  embedder: {}", super::edit::quoted(embedder));
        }
        let figures = &self.figures;
        let _ = writeln!(out, "  figures:\n    messages: {}", figures.messages);
        for (name, value) in [
            ("accuracy", figures.accuracy),
            ("coverage", figures.coverage),
            ("accuracy_covered", figures.accuracy_covered),
            ("calibration_error", figures.calibration_error),
        ] {
            let _ = writeln!(out, "    {name}: {value}");
        }
        out.push_str(if figures.reliability.is_empty() { "    reliability: []\n" } else { "    reliability:\n" });
        for Bin { answers, confidence, accuracy } in &figures.reliability {
            let line = format!("{{answers: {answers}, confidence: {confidence}, accuracy: {accuracy}}}");
            let _ = writeln!(out, "      - {line}");
        }
        out
    }
}

/// A number as it stands in the file: four decimals.
#[must_use]
pub fn rounded(value: f32) -> f32 {
    (value * 10_000.0).round() / 10_000.0
}

fn map(out: &mut String, name: &str, entries: impl Iterator<Item = (String, f32)>) {
    let entries: Vec<String> =
        entries.map(|(key, value)| format!("    {}: {value}\n", super::edit::quoted(&key))).collect();
    if !entries.is_empty() {
        let _ = write!(out, "  {name}:\n{}", entries.concat());
    }
}

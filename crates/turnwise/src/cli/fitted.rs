//! What was fitted to labelled messages, as `eval` and `why` show it: that a fitted value had a part in a reading must
//! never have to be guessed. Next: `exemplars::fit`, which writes it.

use serde::Serialize;
use turnwise_intent::{Calibration, IntentReader};

use super::eval::percent;
use super::profiles::fit_key;

/// The fitted section of a profile.
#[derive(Clone, Debug, Serialize)]
pub struct FittedShown {
    /// Of the intents.
    pub temperature: Option<f32>,
    /// By intent.
    pub sub_temperatures: std::collections::BTreeMap<String, f32>,
    /// By label; those that a person's own thresholds overrule are left out.
    pub thresholds: std::collections::BTreeMap<String, f32>,
    /// What the parts were dealt by.
    pub seed: u64,
    /// A digest of the labelled messages.
    pub data: String,
    /// Whether the exemplars are still those it was fitted on.
    pub same_exemplars: bool,
    /// Messages it was measured on.
    pub messages: usize,
    /// Measured on held-out parts when it was fitted.
    pub accuracy: f32,
    /// Likewise.
    pub coverage: f32,
    /// Likewise.
    pub accuracy_covered: f32,
    /// Likewise.
    pub calibration_error: f32,
}

impl FittedShown {
    /// Of the profile of `reader`, if anything was fitted with its embedding model.
    pub fn of(reader: &IntentReader) -> Option<Self> {
        let profile = reader.profile();
        let Calibration { temperature, sub_temperatures, thresholds, seed, data, exemplars, figures, .. } =
            profile.fitted.as_ref()?;
        let in_use = thresholds.iter().filter(|(label, _)| !profile.thresholds.overrides.contains_key(label));
        Some(Self {
            temperature: *temperature,
            sub_temperatures: sub_temperatures.clone(),
            thresholds: in_use.map(|(label, value)| (label.to_string(), *value)).collect(),
            seed: *seed,
            data: data.clone(),
            same_exemplars: *exemplars == fit_key(reader),
            messages: figures.messages,
            accuracy: figures.accuracy,
            coverage: figures.coverage,
            accuracy_covered: figures.accuracy_covered,
            calibration_error: figures.calibration_error,
        })
    }

    /// As lines with a name and a value.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut values: Vec<String> = self.temperature.iter().map(|value| format!("temperature {value}")).collect();
        values
            .extend(self.sub_temperatures.iter().map(|(intent, value)| format!("temperature within {intent} {value}")));
        values.extend(self.thresholds.iter().map(|(label, value)| format!("threshold {label} {value:.2}")));
        if values.is_empty() {
            values.push("nothing was better than what there was".to_owned());
        }
        let mut lines = vec![("fitted values in use", values.join(", "))];
        lines.push((
            "when it was fitted",
            format!(
                "{} messages held out by turns: accuracy {}, coverage {}, accuracy on covered {}, ECE {:.3}",
                self.messages,
                percent(self.accuracy),
                percent(self.coverage),
                percent(self.accuracy_covered),
                self.calibration_error
            ),
        ));
        if !self.same_exemplars {
            lines.push(("note", STALE.to_owned()));
        }
        lines
    }
}

/// Said where fitted values are used with exemplars that came later.
pub const STALE: &str = "the exemplars changed since it was fitted; `turnwise exemplars fit` does it anew";

//! Which of the likely readings of a message is meant, by a model (CF-09, CF-11): it is told the message, the phase and
//! whether there is a plan, and names one of the labels. An answer outside that form, or of which it is not sure,
//! counts as none. What was heard is kept for the same words, so that nobody waits or pays for them twice. Next:
//! `turnwise_core::Hearing`, for what becomes of it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_core::{HeardAs, Hearing, Reading};
use turnwise_model::{Problem, Task, TaskError, TaskFiles, TaskName, ask};

use crate::Models;

/// The form of the answer.
pub const SCHEMA: &str = include_str!("task/schema.json");

/// The name of the task.
pub const TASK: &str = "intent";

/// The task as it is built in.
const FILES: TaskFiles = TaskFiles {
    name: TASK,
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: None,
    schema: Some(SCHEMA),
};

/// What was heard of messages that is kept: a day's talk of a few people.
const KEPT_MAX: usize = 256;

/// Asks a model which reading is meant.
#[derive(Clone)]
pub struct Hearer {
    task: Arc<Task>,
    kept: Arc<Mutex<VecDeque<Known>>>,
}

/// What was heard once; no number where none was meant.
struct Known {
    asked: Asked,
    number: Option<usize>,
}

/// What decides what is heard.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    message: String,
    labels: Vec<String>,
    phase: String,
    has_plan: bool,
}

/// A label with messages that have it.
#[derive(Serialize)]
struct Told<'a> {
    label: &'a str,
    examples: Vec<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    primary: String,
    sub: String,
    #[serde(rename = "target")]
    _target: String,
    confidence: Sure,
}

#[derive(Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Sure {
    High,
    Medium,
    Low,
}

impl Hearer {
    /// With the task as `models` have it.
    ///
    /// # Errors
    /// When a file of it cannot be used.
    pub fn of(models: &Models) -> Result<Self, TaskError> {
        let task = Arc::new(Task::load(&FILES, models.own_tasks.as_deref())?);
        Ok(Self { task, kept: Arc::default() })
    }

    /// Whether there is a model to ask.
    #[must_use]
    pub fn hears(models: &Models) -> bool {
        models.of(&TaskName::new(FILES.name)).is_some()
    }

    /// Which reading a model is sure of.
    pub async fn hear(&self, models: &Models, hearing: &Hearing) -> Option<HeardAs> {
        let model = models.of(self.task.name())?;
        let labels: Vec<String> = hearing.options.iter().map(label).collect();
        let phase = hearing.phase.to_string();
        let asked = Asked { message: hearing.text.clone(), labels, phase, has_plan: hearing.has_plan };
        let by = model.name().to_string();
        if let Some(known) = self.known(&asked) {
            return known.map(|number| HeardAs { number, by });
        }
        let request = self.task.request(told(&asked, &hearing.options)).ok()?;
        let bind = |value: &Value| bound(value, &asked.labels);
        let heard = ask(model.as_ref(), &self.task, request, bind, &CancellationToken::new()).await.outcome;
        // A model that did not answer may the next time.
        let number = heard.ok()?;
        self.keep(asked, number);
        number.map(|number| HeardAs { number, by })
    }

    fn known(&self, asked: &Asked) -> Option<Option<usize>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|known| known.asked == *asked).map(|known| known.number)
    }

    fn keep(&self, asked: Asked, number: Option<usize>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Known { asked, number });
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
    }
}

fn label(reading: &Reading) -> String {
    match &reading.sub {
        Some(sub) => format!("{}.{sub}", reading.intent),
        None => reading.intent.clone(),
    }
}

/// What the templates are filled with.
fn told<'a>(asked: &'a Asked, options: &'a [Reading]) -> impl Serialize + 'a {
    #[derive(Serialize)]
    struct Values<'a> {
        options: Vec<Told<'a>>,
        phase: &'a str,
        has_plan: bool,
        message: &'a str,
    }
    let told = |(label, option): (&'a String, &'a Reading)| {
        let own = option.nearest.iter().filter(|near| near.label == *label || near.label == option.intent);
        Told { label, examples: own.map(|near| near.text.as_str()).collect() }
    };
    let Asked { phase, has_plan, message, labels } = asked;
    Values { options: labels.iter().zip(options).map(told).collect(), phase, has_plan: *has_plan, message }
}

/// The number of the reading that an answer is sure of; none where it is of none.
fn bound(value: &Value, labels: &[String]) -> Result<Option<usize>, Vec<Problem>> {
    let told = |error: serde_json::Error| vec![Problem::new("", error.to_string())];
    let answered: Answered = serde_json::from_value(value.clone()).map_err(told)?;
    if answered.primary == "none" || answered.confidence != Sure::High {
        return Ok(None);
    }
    let finer = format!("{}.{}", answered.primary, answered.sub);
    let place = |wanted: &str| labels.iter().position(|label| label == wanted);
    let found = place(&finer).or_else(|| place(&answered.primary));
    let found = found.or_else(|| {
        let mut own = labels
            .iter()
            .enumerate()
            .filter(|(_, label)| label.split_once('.').is_some_and(|(primary, _)| primary == answered.primary));
        own.next().filter(|_| own.next().is_none()).map(|(at, _)| at)
    });
    match found {
        Some(at) => Ok(Some(at + 1)),
        None => Err(vec![Problem::new("/primary", format!("there is no label “{}” here", answered.primary))]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use serde_json::json;

    use super::*;

    fn heard(primary: &str, sub: &str, confidence: &str) -> Result<Option<usize>, Vec<Problem>> {
        let labels = ["plan_new.compare", "query", "control.cancel"].map(str::to_owned);
        bound(&json!({"primary": primary, "sub": sub, "target": "", "confidence": confidence}), &labels)
    }

    #[test]
    fn only_what_is_sure_and_one_of_the_labels_is_heard() {
        assert_eq!(heard("query", "", "high").unwrap(), Some(2));
        assert_eq!(heard("plan_new", "compare", "high").unwrap(), Some(1));
        assert_eq!(heard("plan_new.compare", "", "high").unwrap(), Some(1));
        assert_eq!(heard("plan_new", "", "high").unwrap(), Some(1));
        assert_eq!(heard("query", "", "medium").unwrap(), None);
        assert_eq!(heard("none", "", "high").unwrap(), None);
        assert!(heard("approve", "", "high").is_err());
        let labels = ["query".to_owned()];
        assert!(bound(&json!({"primary": "query", "confidence": "high"}), &labels).is_err());
        assert!(
            bound(&json!({"primary": "query", "sub": "", "target": "", "confidence": "certain"}), &labels).is_err()
        );
    }
}

//! A language model, where one is named: it hears what the words alone leave open, and speaks in the companion's voice.
//! What it hears is one of the labels there are, and what it says passes the wall of words or is not said. It changes
//! nothing by itself; where it fails nothing is changed either (CP-04). Next: `context` for what it is told.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::projects::OwnModel;
use turnwise_assistant::{Failure, FailureKind, Models};
use turnwise_core::{Heard, PersonId};
use turnwise_intent::behaviour::companion::{
    CONFIDENCE_THRESHOLD, GENERAL, TURNS_IN_CONTEXT, forbidden, intent, never_said,
};
use turnwise_model::{
    Guarded, Guards, Model, ModelName, Problem, Sees, Task, TaskError, TaskFiles, TaskName, ask, open_with,
};

use super::grounds::unfounded;
use super::reader::KNOWLEDGE;
use crate::store::Store;

/// The names of the tasks.
pub(super) const HEAR_TASK: &str = "hear";
pub(super) const REPLY_TASK: &str = "reply";

/// What a model is asked to do with a message.
const HEAR: TaskFiles = TaskFiles {
    name: HEAR_TASK,
    task: include_str!("../../../../assistants/companion/tasks/hear/task.yaml"),
    system: include_str!("../../../../assistants/companion/tasks/hear/system.jinja"),
    user: include_str!("../../../../assistants/companion/tasks/hear/user.jinja"),
    repair: None,
    schema: Some(HEAR_SCHEMA),
};

/// What a model is asked to do for a reply.
const REPLY: TaskFiles = TaskFiles {
    name: REPLY_TASK,
    task: include_str!("../../../../assistants/companion/tasks/reply/task.yaml"),
    system: include_str!("../../../../assistants/companion/tasks/reply/system.jinja"),
    user: include_str!("../../../../assistants/companion/tasks/reply/user.jinja"),
    repair: None,
    schema: Some(REPLY_SCHEMA),
};

/// The form of what is heard.
pub(super) const HEAR_SCHEMA: &str = include_str!("../../../../assistants/companion/tasks/hear/schema.json");
/// The form of a reply.
pub(super) const REPLY_SCHEMA: &str = include_str!("../../../../assistants/companion/tasks/reply/schema.json");

const PERSONA: &str = include_str!("../../../../assistants/companion/persona.md");

#[expect(clippy::expect_used, reason = "compiled in, and a test reads it")]
static INSTRUCTIONS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let file = include_str!("../../../../assistants/companion/instructions.yaml");
    serde_saphyr::from_str(file).expect("BUG: the embedded instructions cannot be read")
});

/// The models of a companion.
#[derive(Clone)]
pub(super) struct Speaker {
    models: Models,
    hear: Arc<Task>,
    reply: Arc<Task>,
    /// What the companion calls itself.
    name: Arc<str>,
    /// Where people's own models are kept.
    store: Store,
    /// The own model that was asked last, ready to be asked again.
    own: Arc<Mutex<Option<(OwnModel, Guarded)>>>,
}

/// What a reply is made of.
pub(super) struct Saying<'a> {
    pub(super) intent: &'a str,
    pub(super) message: &'a str,
    pub(super) context: &'a str,
    /// What was found or done; empty for nothing.
    pub(super) result: &'a str,
}

/// What came of asking a model for a reply.
pub(super) enum Spoken {
    /// This can be said.
    Said(String),
    /// What it says does not hold against what it was given, so that the texts of the house are said instead.
    Unfounded,
    /// There is no reply.
    Failed,
}

/// Something said before, as a template takes it.
#[derive(Serialize)]
struct Said {
    by: &'static str,
    text: String,
}

impl Speaker {
    /// With the tasks of `models`.
    pub(super) fn new(models: Models, name: &str, store: Store) -> Result<Self, Failure> {
        let unusable = |error: TaskError| Failure::new(FailureKind::Usage, error.to_string()).caused_by(error);
        let load = |files| Task::load(files, models.own_tasks.as_deref()).map(Arc::new).map_err(unusable);
        let (hear, reply) = (load(&HEAR)?, load(&REPLY)?);
        Ok(Self { models, hear, reply, name: name.into(), store, own: Arc::default() })
    }

    /// The same for another conversation: what it uses is counted apart.
    pub(super) fn of_conversation(&self) -> Self {
        Self { models: self.models.of_conversation(), own: Arc::default(), ..self.clone() }
    }

    /// What of the projects a model may see.
    pub(super) fn sees(&self) -> Sees {
        self.models.sees
    }

    /// Whether a model hears what this person says. Waits for a disk, as the next one does.
    pub(super) fn hears(&self, person: Option<&PersonId>) -> bool {
        self.has_model(&self.hear, person)
    }

    /// Whether a model speaks for what was read as `intent`: it is told what was found only where it may see notes.
    pub(super) fn speaks(&self, intent: &str, person: Option<&PersonId>) -> bool {
        let shows_notes = matches!(intent, "ask_about_progress" | "ask_about_past_input");
        let is_allowed = !shows_notes || self.sees() == Sees::Rows;
        is_allowed && INSTRUCTIONS.contains_key(intent) && self.has_model(&self.reply, person)
    }

    /// What `message` asks for; general conversation where it is not sure, or fails (CP-04).
    pub(super) async fn hear(&self, message: &str, heard: &Heard, summary: &str) -> &'static str {
        #[derive(Serialize)]
        struct Told<'a> {
            summary: &'a str,
            recent: Vec<Said>,
            message: &'a str,
        }
        #[derive(Deserialize)]
        struct Label {
            intent: String,
            confidence: f32,
        }
        let Ok(Some(model)) = self.model(&self.hear, heard.person.as_ref()) else { return GENERAL.label };
        let told = Told { summary, recent: recent(heard), message };
        let bind = |value: &Value| {
            let label: Label = serde_json::from_value(value.clone()).map_err(|error| problem(&error.to_string()))?;
            let known = intent(&label.intent).ok_or_else(|| problem("there is no such intent"))?;
            Ok(if label.confidence >= CONFIDENCE_THRESHOLD { known.label } else { GENERAL.label })
        };
        let Ok(request) = self.hear.request(told) else { return GENERAL.label };
        let asked = ask(model.as_ref(), &self.hear, request, bind, &CancellationToken::new()).await;
        asked.outcome.unwrap_or_else(|why| {
            eprintln!("a message was not classified, and is taken as conversation: {why:?}");
            GENERAL.label
        })
    }

    /// A reply in the companion's voice.
    pub(super) async fn say(&self, saying: &Saying<'_>, heard: &Heard) -> Spoken {
        self.said(saying, heard).await.unwrap_or(Spoken::Failed)
    }

    async fn said(&self, saying: &Saying<'_>, heard: &Heard) -> Option<Spoken> {
        #[derive(Serialize)]
        struct Told<'a> {
            persona: String,
            never: Vec<&'static str>,
            context: &'a str,
            instruction: &'a str,
            result: &'a str,
            recent: Vec<Said>,
            message: &'a str,
        }
        let model = self.model(&self.reply, heard.person.as_ref()).ok().flatten()?;
        let person = heard.person.as_ref().map_or("the person", PersonId::as_str);
        let persona = PERSONA.replace("{companion_name}", &self.name).replace("{person_name}", person);
        let Saying { context, result, message, .. } = *saying;
        let (never, recent) = (never_said(), recent(heard));
        let instruction = INSTRUCTIONS.get(saying.intent)?.as_str();
        let before = recent.iter().map(|said| said.text.as_str());
        let given =
            [context, result, message, person, &self.name].into_iter().chain(before).collect::<Vec<_>>().join("\n");
        let request = self.reply.request(Told { persona, never, context, instruction, result, recent, message });
        let is_kept = saying.intent == KNOWLEDGE;
        let is_unfounded = AtomicBool::new(false);
        let bind = |value: &Value| {
            let reply = value.get("reply").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
            let words = forbidden(&reply);
            let wrong = if words.is_empty() { unfounded(&reply, &given, is_kept) } else { Vec::new() };
            is_unfounded.store(!wrong.is_empty(), Ordering::Relaxed);
            match (words.is_empty(), wrong.is_empty()) {
                _ if reply.is_empty() => Err(problem("the reply is empty")),
                (true, true) => Ok(reply),
                (true, false) => Err(problem(&wrong.join("; "))),
                (false, _) => Err(problem(&format!("the reply must do without: {}", words.join(", ")))),
            }
        };
        let asked = ask(model.as_ref(), &self.reply, request.ok()?, bind, &CancellationToken::new()).await;
        Some(match asked.outcome {
            Ok(reply) => Spoken::Said(reply),
            Err(why) => {
                eprintln!("a reply could not be made: {why:?}");
                if is_unfounded.load(Ordering::Relaxed) { Spoken::Unfounded } else { Spoken::Failed }
            }
        })
    }

    /// Whether there is a model of this name that can be asked with this key.
    pub(super) fn check_own(&self, own: &OwnModel) -> Result<(), String> {
        let opened = open_with(&ModelName::new(own.name.as_str()), &own.key);
        opened.map(drop).map_err(|error| format!("{error}; {}", error.hint()))
    }

    /// Whether one does `task` for a person. One that cannot be used is there all the same: asking it fails, and says
    /// so.
    fn has_model(&self, task: &Task, person: Option<&PersonId>) -> bool {
        !matches!(self.model(task, person), Ok(None))
    }

    /// The model that does `task` for a person: their own, else the system's (CP-16). Where theirs cannot be used, no
    /// other takes its place: what they say goes only where they sent it.
    fn model(&self, task: &Task, person: Option<&PersonId>) -> Result<Option<Arc<dyn Model>>, Unusable> {
        let own = person.map(|person| self.own(person)).transpose()?.flatten();
        Ok(own.or_else(|| self.models.of(&TaskName::new(task.name().as_str()))))
    }

    fn own(&self, person: &PersonId) -> Result<Option<Arc<dyn Model>>, Unusable> {
        let unusable = |told: String| {
            eprintln!("somebody's own model cannot be asked: {told}");
            Unusable
        };
        let Some(wanted) = self.store.own_model(person).map_err(|error| unusable(error.to_string()))? else {
            return Ok(None);
        };
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, model)) = own.as_ref().filter(|(known, _)| *known == wanted) {
            return Ok(Some(Arc::new(model.clone())));
        }
        let opened = open_with(&ModelName::new(wanted.name.as_str()), &wanted.key);
        let model = Guarded::new(opened.map_err(|error| unusable(error.to_string()))?, Guards::default());
        *own = Some((wanted, model.clone()));
        Ok(Some(Arc::new(model)))
    }
}

/// A person's own model is named, and cannot be asked.
struct Unusable;

/// What was said before the message, oldest first.
fn recent(heard: &Heard) -> Vec<Said> {
    // The message itself is the last of what was said, and stands by itself.
    let before = heard.recent.len().saturating_sub(1);
    let from = before.saturating_sub(TURNS_IN_CONTEXT);
    let said = heard.recent.get(from..before).unwrap_or_default().iter();
    said.map(|said| Said { by: if said.by.is_some() { "person" } else { "you" }, text: said.text.to_string() })
        .collect()
}

fn problem(told: &str) -> Vec<Problem> {
    vec![Problem::new("", told)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_is_told_keeps_behind_the_wall_and_fits_the_intents_there_are() {
        for (label, instruction) in INSTRUCTIONS.iter() {
            assert!(intent(label).is_some(), "{label}");
            assert_eq!(forbidden(instruction), Vec::<&str>::new(), "{label}");
        }
        for text in [PERSONA, HEAR.system, HEAR.user, REPLY.system, REPLY.user, HEAR_SCHEMA, REPLY_SCHEMA] {
            assert_eq!(forbidden(text), Vec::<&str>::new(), "{text}");
        }
    }
}

//! The models an assistant may ask, as whoever started it named them. There are none unless somebody named one, so an
//! assistant needs no setting of its own to keep quiet. Next: `turnwise_model` for what a model is.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use turnwise_core::{HeardAs, Hearing};
use turnwise_model::{Guarded, Model, Sees, Spent, TaskName};

use crate::Hearer;

/// The models of an assistant, by task. The default is none at all.
#[derive(Clone, Default)]
pub struct Models {
    /// Of all tasks that have none of their own.
    pub any: Option<Guarded>,
    /// Of single tasks.
    pub by_task: BTreeMap<TaskName, Guarded>,
    /// What of the data they may see.
    pub sees: Sees,
    /// The person's own folder of tasks, whose files replace those built in.
    pub own_tasks: Option<PathBuf>,
    /// Asks which reading of a message is meant; absent where nobody is asked.
    pub hearer: Option<Hearer>,
}

impl Models {
    /// The model that does `task`; none where nobody named one.
    #[must_use]
    pub fn of(&self, task: &TaskName) -> Option<Arc<dyn Model>> {
        let guarded = self.by_task.get(task).or(self.any.as_ref())?;
        Some(Arc::new(guarded.clone()))
    }

    /// The same models for another conversation: what it uses is counted apart.
    #[must_use]
    pub fn of_conversation(&self) -> Self {
        let by_task = self.by_task.iter().map(|(task, model)| (task.clone(), model.of_conversation()));
        Self {
            any: self.any.as_ref().map(Guarded::of_conversation),
            by_task: by_task.collect(),
            sees: self.sees,
            own_tasks: self.own_tasks.clone(),
            hearer: self.hearer.clone(),
        }
    }

    /// Whether one of them says which reading of a message is meant.
    #[must_use]
    pub fn hear_messages(&self) -> bool {
        self.hearer.is_some() && Hearer::hears(self)
    }

    /// Which reading of a message a model is sure of.
    pub async fn hear(&self, hearing: &Hearing) -> Option<HeardAs> {
        self.hearer.as_ref()?.hear(self, hearing).await
    }

    /// Each model with its name and what was used of it, the one for all tasks first.
    pub fn spent(&self) -> impl Iterator<Item = (String, Spent)> {
        let all = self.any.iter().chain(self.by_task.values());
        all.map(|model| (model.name().to_string(), model.spent()))
    }

    /// What people are told of them at the start, one sentence; nothing where there are none.
    #[must_use]
    pub fn told(&self) -> Option<String> {
        let mut names: Vec<String> = self.spent().map(|(name, _)| name).collect();
        names.dedup();
        let may = if names.len() > 1 { "They may be shown" } else { "It may be shown" };
        let told =
            || format!("Where words are not understood, {} is asked. {may} {}.", names.join(" or "), self.sees.told());
        (!names.is_empty()).then(told)
    }
}

impl fmt::Debug for Models {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.spent().map(|(name, _)| name).collect();
        out.debug_struct("Models").field("names", &names).field("sees", &self.sees).finish_non_exhaustive()
    }
}

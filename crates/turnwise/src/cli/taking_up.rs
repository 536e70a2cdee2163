//! Which assistant goes on with a conversation that nobody has open: the one that is open here where it is over the
//! same data, else one that is opened over what the conversation says it was begun over. Next: `driver::Assistants`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use async_trait::async_trait;
use turnwise_core::{AssistantName, ConversationId};

use super::args::{DataArguments, FlowArguments};
use super::model::ModelArguments;
use super::open::{self, Kept};
use crate::driver::{Assistants, Begun};
use turnwise_assistant::{Assistant, Opened};

/// The assistants of this process for conversations that nobody has open.
pub struct TakingUp {
    here: Vec<Opened>,
    /// Where assistants keep what is theirs, in this process.
    kept: Kept,
    /// Those over other data, kept open for as long as their work runs.
    elsewhere: Mutex<HashMap<Over, Weak<dyn Assistant>>>,
    tell: Box<dyn Fn(String) + Send + Sync>,
}

/// An assistant over what was named when a conversation began.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Over {
    assistant: AssistantName,
    sources: Vec<String>,
}

impl TakingUp {
    /// With what is open `here`, all of it keeping what is its own where `kept` says. What is left alone is told by
    /// `tell`, a sentence each.
    pub fn new(here: Vec<Opened>, kept: Kept, tell: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self { here, kept, elsewhere: Mutex::default(), tell: Box::new(tell) }
    }

    /// One that was opened before for work that still runs.
    fn known(&self, over: &Over) -> Option<Arc<dyn Assistant>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner).get(over).and_then(Weak::upgrade)
    }
}

#[async_trait]
impl Assistants for TakingUp {
    async fn of(&self, begun: &Begun) -> Result<Arc<dyn Assistant>, String> {
        let Begun { conversation, assistant, sources } = begun;
        let is_here = |opened: &&Opened| opened.assistant.name() == assistant && opened.is_over(conversation);
        if let Some(opened) = self.here.iter().find(is_here) {
            return Ok(Arc::clone(&opened.assistant));
        }
        if sources.is_empty() {
            return Err("it does not say which data it is over".to_owned());
        }
        let over = Over { assistant: assistant.clone(), sources: sources.clone() };
        if let Some(known) = self.known(&over) {
            return Ok(known);
        }
        let data = DataArguments {
            data: sources.iter().map(PathBuf::from).collect(),
            sample: false,
            mode: None,
            model: ModelArguments::default(),
        };
        let opening = open::load(assistant.as_str(), &data, FlowArguments::default(), self.kept.clone());
        let opened = opening.await.map_err(|failure| failure.message().trim_end_matches('.').to_owned())?;
        let mut elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        elsewhere.retain(|_, known| known.strong_count() > 0);
        elsewhere.insert(over, Arc::downgrade(&opened.assistant));
        Ok(opened.assistant)
    }

    fn left_alone(&self, conversation: &ConversationId, why: &str) {
        (self.tell)(format!("The unfinished work of conversation {conversation} cannot go on: {why}."));
    }
}

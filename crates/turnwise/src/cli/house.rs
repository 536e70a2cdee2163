//! The house: what the server is told about the process it runs in. Channels know no assistants and no data, so the
//! command line, which does, answers for them. Next: `channel::http::Host`.

use std::sync::Arc;

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use turnwise_core::{AssistantName, ConversationId, MessageReading, PersonId, Phase, ReadContext, Sequence};

use crate::assistant::Assistant;
use crate::channel::http::{AssistantView, CommandView, Host};
use crate::driver::{Deleted, Driver, DriverError, Session, Summary};

/// The conversations over this data, as the server gets them.
pub struct House {
    driver: Driver,
    assistant: Arc<dyn Assistant>,
    shown: Vec<AssistantView>,
    mark: String,
}

impl House {
    /// The house over `driver`, whose conversations bear the `mark` of the data.
    pub fn new(driver: Driver, assistant: Arc<dyn Assistant>, overview: Vec<String>, mark: String) -> Self {
        let policy = assistant.policy();
        let command =
            |command: &turnwise_core::Command| CommandView { name: command.name.clone(), help: command.help.clone() };
        let shown = AssistantView {
            name: assistant.name().clone(),
            greeting: overview,
            commands: policy.commands.iter().map(command).collect(),
            examples: policy.examples.clone(),
        };
        Self { driver, assistant, shown: vec![shown], mark }
    }

    /// Whether a conversation is over the data that is served here.
    fn is_ours(&self, id: &ConversationId) -> bool {
        id.as_str().ends_with(&format!("-{}", self.mark))
    }

    /// Ends the work under way without reporting it; the next start goes on with it.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn shutdown(&self) -> Result<(), DriverError> {
        self.driver.shutdown().await
    }

    fn is(&self, name: &AssistantName) -> bool {
        self.assistant.name() == name
    }
}

#[async_trait]
impl Host for House {
    fn assistants(&self) -> &[AssistantView] {
        &self.shown
    }

    async fn conversations(&self) -> Result<Vec<Summary>, DriverError> {
        let mut all = self.driver.conversations().await?;
        all.retain(|summary| self.is(&summary.assistant) && self.is_ours(&summary.id));
        Ok(all)
    }

    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError> {
        if !self.is_ours(id) || !self.driver.knows(id).await? {
            return Ok(None);
        }
        match self.driver.open(id.clone(), Arc::clone(&self.assistant)).await {
            Err(DriverError::OtherAssistant { .. }) => Ok(None),
            opened => opened.map(Some),
        }
    }

    async fn begin(
        &self,
        assistant: &AssistantName,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError> {
        if !self.is(assistant) {
            return Ok(None);
        }
        // The id follows from who asks and the key, so that asking again finds the same conversation.
        let seed = Sha256::digest(format!("{person}\n{key}").as_bytes());
        let name = seed.iter().take(16).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        let id = ConversationId::new(format!("{name}-{}", self.mark));
        self.driver.open(id, Arc::clone(&self.assistant)).await.map(Some)
    }

    async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        person: &PersonId,
    ) -> Result<ConversationId, DriverError> {
        let id = ConversationId::new(format!("{}-{}", Driver::new_conversation_id(), self.mark));
        self.driver.fork(from, upto, id.clone(), person).await?;
        Ok(id)
    }

    async fn delete(&self, id: &ConversationId) -> Result<Deleted, DriverError> {
        self.driver.delete(id).await
    }

    fn read(&self, assistant: &AssistantName, text: &str, phase: Phase) -> Option<MessageReading> {
        let context = ReadContext { phase, ..ReadContext::default() };
        self.is(assistant).then(|| self.assistant.reader().read(text, &context))
    }

    fn trouble(&self) -> Option<String> {
        self.driver.trouble().borrow().as_ref().map(ToString::to_string)
    }
}

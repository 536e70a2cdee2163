//! The copilot as the engine asks it. Each conversation has a copy of its own, so that what is done in one is told from
//! what is done in another. Next: `draft`, `answer`, `run`.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::{Assistant, Models, profiled};
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, HeardAs, Hearing, LookUp, Permit, Policy,
    Question, Reader, StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::behaviour::coder::files_in;
use turnwise_intent::{IntentReader, Routing};

use super::reader::CopilotReader;
use super::{answer, draft, run};
use crate::recipe::Recipes;
use crate::tool::{Folder, Toolbox};

/// The copilot over one working folder.
#[derive(Clone)]
pub(super) struct Copilot {
    name: AssistantName,
    reader: Arc<CopilotReader>,
    policy: Arc<Policy>,
    pub(super) folder: Folder,
    pub(super) toolbox: Toolbox,
    pub(super) models: Models,
    recipes: Arc<Vec<PathBuf>>,
    conversation: Option<ConversationId>,
}

impl Copilot {
    pub(super) fn new(
        reader: IntentReader,
        folder: Folder,
        toolbox: Toolbox,
        models: Models,
        recipes: Vec<PathBuf>,
    ) -> Self {
        let profile = reader.profile();
        let name = AssistantName::new(profile.name.as_str());
        let policy = Policy {
            examples: EXAMPLES.iter().map(|text| (*text).to_owned()).collect(),
            hears: models.hear_messages(),
            ..profiled::policy(profile)
        };
        let recipes = Arc::new(recipes);
        let reader = Arc::new(CopilotReader::new(reader, Arc::clone(&recipes), folder.root().to_owned()));
        Self { name, reader, policy: Arc::new(policy), folder, toolbox, models, recipes, conversation: None }
    }

    /// The recipes as they are now.
    pub(super) fn recipes(&self) -> Recipes {
        Recipes::read(&self.recipes)
    }

    /// Where its recipes are.
    pub(super) fn recipe_folders(&self) -> &[PathBuf] {
        &self.recipes
    }

    /// How readily it asks.
    pub(super) fn routing(&self) -> Routing {
        self.reader.routing()
    }

    /// The same for every attempt at a step of this conversation.
    pub(super) fn operation(&self, task: &StepTask) -> String {
        format!("{}{}/{}", self.own(), task.run, task.step)
    }

    /// How the operations of this conversation begin.
    pub(super) fn own(&self) -> String {
        format!("{}/", self.conversation.as_ref().map_or("", ConversationId::as_str))
    }
}

/// Things to say, for help.
const EXAMPLES: [&str; 4] = [
    "what can you do",
    "run `ls -l`",
    "1. fetch https://example.org 2. write it to page.html",
    "read notes.txt, then run `sort -u` on it",
];

#[async_trait]
impl Assistant for Copilot {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        self.reader.as_ref()
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn of_conversation(&self, conversation: &ConversationId) -> Option<Arc<dyn Assistant>> {
        let models = self.models.of_conversation();
        Some(Arc::new(Self { conversation: Some(conversation.clone()), models, ..self.clone() }))
    }

    fn sources(&self) -> Vec<String> {
        vec![self.folder.root().display().to_string()]
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        files_in(text).into_iter().take(RECOGNISED_MAX).collect()
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(run::effect_of(&self.toolbox, tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        draft::draft(self, &task).await
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        answer::answer(self, &question).await
    }

    async fn hear(&self, hearing: Hearing) -> Option<HeardAs> {
        self.models.hear(&hearing).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        run::run(self, &work, &permit, cancelled).await
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        run::look_up(self, &work).await
    }
}

/// Names of one message that are told to the reader.
const RECOGNISED_MAX: usize = 8;

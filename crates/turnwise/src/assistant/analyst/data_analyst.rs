//! The analyst as the engine meets it: its profile reads messages, its own code plans, answers and runs steps. Those
//! compute, so each runs on a thread where blocking is fine. Next: `analyst` for what it does.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, AssistantName, DraftOutcome, EffectClass, LookUp, Permit, Policy, Question, Reader, StepOutcome,
    StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;

use super::Analyst;
use super::documents::DocumentReader;
use super::source::shown;
use crate::assistant::{Assistant, profiled};

/// The analyst with its reader.
pub struct DataAnalyst {
    name: AssistantName,
    reader: DocumentReader,
    policy: Policy,
    analyst: Arc<Analyst>,
    sources: Vec<String>,
}

impl DataAnalyst {
    /// Puts both together. Help lists the profile's commands, and questions that work on this very data.
    #[must_use]
    pub fn new(reader: IntentReader, analyst: Analyst) -> Self {
        let profile = reader.profile();
        let policy = Policy {
            examples: analyst.overview().examples,
            query_words: vec!["sql".to_owned()],
            ..profiled::policy(profile)
        };
        let (name, analyst) = (AssistantName::new(profile.name.as_str()), Arc::new(analyst));
        let reader = DocumentReader::new(reader, Arc::clone(&analyst));
        Self { name, reader, policy, analyst, sources: Vec::new() }
    }

    /// Says from which files, folders and servers its data was read.
    #[must_use]
    pub fn over(mut self, paths: &[PathBuf]) -> Self {
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| shown(path));
        self.sources = paths.iter().map(|path| whole(path).display().to_string()).collect();
        self
    }

    /// Computes where blocking is fine. A panic goes on to the driver, which tells the person.
    async fn compute<T: Send + 'static>(&self, work: impl FnOnce(&Analyst) -> T + Send + 'static) -> T {
        let analyst = Arc::clone(&self.analyst);
        match tokio::task::spawn_blocking(move || work(&analyst)).await {
            Ok(done) => done,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Blocking work is cancelled only when the runtime ends, and then nobody waits for it.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

#[async_trait]
impl Assistant for DataAnalyst {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        &self.reader
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn sources(&self) -> Vec<String> {
        self.sources.clone()
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        self.analyst.recognise(text)
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(super::steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.compute(move |analyst| analyst.draft(&task)).await
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.compute(move |analyst| analyst.answer(&question)).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        let stop = move || cancelled.is_cancelled();
        self.compute(move |analyst| match analyst.has_effect(&work) {
            true => analyst.run_effect(&work, &permit, stop),
            false => analyst.run_step(&work, stop),
        })
        .await
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        self.compute(move |analyst| analyst.look_up(&work)).await
    }
}

//! The assistant of a simulation: drafts plans of chance shape, and runs their steps with tools that take their time,
//! fail for a while or for good, never return, break down, or lose sight of what they did. They keep the one promise
//! a tool has to keep: whoever says that nothing happened, or looks whether it did, tells the truth. Next: `ledger`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::Assistant;
use turnwise_core::{
    Answer, AnswerOutcome, AssistantName, Choice, Clarification, DraftOutcome, EffectClass, FactKind, FactName,
    FactValue, LookUp, NewFact, Permit, PlanDraft, Policy, Presentation, Question, Reader, SourceKind, Standing, Step,
    StepId, StepOutcome, StepTask, Task, ToolName,
};

use crate::chance::Chance;
use crate::ledger::DeedKind;
use crate::process::Process;
use crate::words::ByFirstWord;
use crate::world::World;

/// The tools of one process.
pub(crate) struct Tools {
    process: Arc<Process>,
    world: Arc<World>,
}

/// What a tool does wrong, if anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mishap {
    None,
    Transient,
    Failed,
    Silent,
    Panics,
    LosesSight,
    WrongFacts,
    ProcessDies,
}

impl Tools {
    pub(crate) fn new(process: Arc<Process>, world: Arc<World>) -> Self {
        Self { process, world }
    }

    fn chance(&self) -> &Chance {
        &self.world.tool_chance
    }

    /// Works for a while; false when it was told to give up.
    async fn work(&self, cancelled: Option<&CancellationToken>) -> bool {
        let milliseconds =
            self.chance().weighted(&[(30, 0), (50, self.chance().below(400)), (20, self.chance().below(4_000))]);
        if milliseconds > 0 {
            let pause = tokio::time::sleep(Duration::from_millis(milliseconds));
            match cancelled {
                Some(cancelled) => tokio::select! {
                    biased;
                    () = cancelled.cancelled() => {}
                    () = pause => {}
                },
                None => pause.await,
            }
        }
        self.process.alive().await;
        !cancelled.is_some_and(CancellationToken::is_cancelled)
    }

    fn mishap(&self, weights: &[(u64, Mishap)]) -> Mishap {
        if self.world.has_faults() { self.chance().weighted(weights) } else { Mishap::None }
    }

    async fn suffer(&self, mishap: Mishap, what: &str) -> Option<StepOutcome> {
        if mishap != Mishap::None {
            self.world.watch.fault(|| format!("{what} in process {}", self.process.number));
        }
        let error = || what.to_owned();
        match mishap {
            Mishap::None | Mishap::WrongFacts => None,
            Mishap::Transient => Some(StepOutcome::Transient { error: error() }),
            Mishap::Failed => Some(StepOutcome::Failed { error: error() }),
            Mishap::LosesSight => Some(StepOutcome::Unknown { reason: error() }),
            Mishap::Silent => std::future::pending().await,
            Mishap::Panics => panics(what),
            Mishap::ProcessDies => {
                self.process.die();
                self.process.alive().await;
                None
            }
        }
    }
}

/// Breaks down without a word on the terminal.
fn panics(what: &str) -> ! {
    std::panic::resume_unwind(Box::new(what.to_owned()))
}

#[async_trait]
impl Assistant for Tools {
    fn name(&self) -> &AssistantName {
        &self.world.name
    }

    fn reader(&self) -> &dyn Reader {
        &ByFirstWord
    }

    fn policy(&self) -> &Policy {
        &self.world.policy
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        text.split_whitespace().filter(|word| *word == "known").map(str::to_owned).collect()
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.work(None).await;
        let mishap =
            self.mishap(&[(960, Mishap::None), (10, Mishap::Silent), (15, Mishap::Panics), (15, Mishap::Failed)]);
        match self.suffer(mishap, "drafting goes wrong").await {
            None => {}
            Some(_) => {
                return DraftOutcome::Impossible {
                    explanation: "I cannot plan that.".to_owned(),
                    suggestions: Vec::new(),
                };
            }
        }
        match self.chance().weighted(&[(81, 0), (9, 1), (3, 2), (4, 3), (3, 4)]) {
            0 => DraftOutcome::Ready { plan: plan(&self.world, &task), learned: Vec::new() },
            1 => DraftOutcome::Unclear { clarification: clarification() },
            3 => DraftOutcome::Several { parts: vec![task.problem.clone(), format!("{} again", task.problem)] },
            4 => DraftOutcome::Answered { answer: known() },
            // Steps that wait for each other are no plan; that is the assistant's fault and must be said.
            _ => {
                let mut broken = plan(&self.world, &task);
                let last = StepId::new(u32::try_from(broken.steps.len()).unwrap_or(1));
                broken.steps[0].after = vec![last];
                DraftOutcome::Ready { plan: broken, learned: Vec::new() }
            }
        }
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.work(None).await;
        let mishap = self.mishap(&[(970, Mishap::None), (10, Mishap::Silent), (20, Mishap::Panics)]);
        self.suffer(mishap, "answering goes wrong").await;
        match self.chance().below(10) {
            0 => AnswerOutcome::NeedsPlan,
            1 => AnswerOutcome::Unknown { explanation: format!("I do not know: {}", question.text) },
            2 => learned(self.chance().below(3)),
            _ => AnswerOutcome::Known { answer: known() },
        }
    }

    async fn run_step(&self, task: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        let (number, watch) = (self.process.number, &self.world.watch);
        self.process.alive().await;
        watch.deed(number, &task, &permit, DeedKind::Began).await;
        if !self.work(Some(&cancelled)).await {
            return StepOutcome::Cancelled;
        }
        let before = self.mishap(&[
            (880, Mishap::None),
            (40, Mishap::Transient),
            (30, Mishap::Failed),
            (10, Mishap::Silent),
            (15, Mishap::Panics),
            (15, Mishap::LosesSight),
            (10, Mishap::ProcessDies),
        ]);
        if let Some(outcome) = self.suffer(before, "a step goes wrong before its effect").await {
            return outcome;
        }
        // The last look before what cannot be taken back.
        if cancelled.is_cancelled() {
            return StepOutcome::Cancelled;
        }
        watch.deed(number, &task, &permit, DeedKind::Effect).await;
        self.work(None).await;
        let after = self.mishap(&[
            (900, Mishap::None),
            (20, Mishap::Silent),
            (20, Mishap::Panics),
            (20, Mishap::LosesSight),
            (10, Mishap::WrongFacts),
            (30, Mishap::ProcessDies),
        ]);
        if let Some(outcome) = self.suffer(after, "a step goes wrong after its effect").await {
            return outcome;
        }
        StepOutcome::Done { facts: facts(&task, after), answer: None }
    }

    async fn look_up(&self, task: StepTask) -> LookUp {
        self.work(None).await;
        let mishap =
            self.mishap(&[(940, Mishap::None), (20, Mishap::Silent), (20, Mishap::Panics), (20, Mishap::WrongFacts)]);
        self.suffer(mishap, "looking up goes wrong").await;
        if task.work.tool.as_str() == "mail" {
            return LookUp::CannotTell { reason: "mail keeps no list".to_owned() };
        }
        if self.world.watch.had_effect(&task) {
            LookUp::Happened { facts: facts(&task, mishap), answer: None }
        } else {
            LookUp::DidNotHappen
        }
    }
}

/// One of a few statements, so that they merge and supersede each other.
fn learned(meaning: u64) -> AnswerOutcome {
    let about = Some("task".to_owned());
    let statement = NewFact {
        standing: Standing { kind: FactKind::Constraint, about, ..Standing::default() },
        ..NewFact::new(
            FactName::new("meaning_of_task"),
            FactValue::Text(format!("meaning {meaning}")),
            SourceKind::Person,
        )
    };
    AnswerOutcome::Learned {
        statement: Box::new(statement),
        text: format!("That is meaning {meaning}."),
        replan: false,
    }
}

fn facts(task: &StepTask, mishap: Mishap) -> Vec<NewFact> {
    let fact = |name: &FactName| {
        NewFact::new(name.clone(), FactValue::Text(format!("{name} by {}", task.step)), SourceKind::Data)
    };
    let names = task.work.produces.iter();
    if mishap == Mishap::WrongFacts { Vec::new() } else { names.map(fact).collect() }
}

fn known() -> Answer {
    Answer { text: "42".to_owned(), table: None, presentation: Presentation::Value }
}

fn clarification() -> Clarification {
    let choice = |value: &str| Choice::new(value.to_owned(), format!("the {value}"));
    Clarification {
        topic: "which".to_owned(),
        question: "Which one?".to_owned(),
        choices: vec![choice("larger"), choice("smaller")],
        assumption: Some("the larger".to_owned()),
        of: 0,
    }
}

/// A plan of one to five steps of chance kinds. Its arguments are its own: no two drafts share any, so that what was
/// done can be told from what another plan would have done.
fn plan(world: &World, task: &Task) -> PlanDraft {
    let chance = &world.tool_chance;
    let draft = world.next_draft();
    let count = u32::try_from(chance.between(1, 5)).unwrap_or(1);
    let steps: Vec<Step> = (1..=count).map(|number| step(chance, draft, number)).collect();
    PlanDraft {
        title: format!("draft {draft}"),
        form: task.changes.join(", "),
        ..PlanDraft::new(task.problem.clone(), steps, FactName::new(format!("fact_{count}")))
    }
}

fn step(chance: &Chance, draft: u64, number: u32) -> Step {
    let (tool, effect) = chance.weighted(&[
        (30, ("read", EffectClass::Pure)),
        (15, ("put", EffectClass::Idempotent)),
        (10, ("put back", EffectClass::Reversible)),
        (20, ("post", EffectClass::OnceOnly)),
        (25, ("mail", EffectClass::OnceOnly)),
    ]);
    let after: Vec<StepId> = (1..number).filter(|_| chance.per_mille(400)).map(StepId::new).collect();
    Step {
        id: StepId::new(number),
        description: format!("{tool} {draft}/{number}"),
        tool: ToolName::new(tool),
        arguments: BTreeMap::from([("what".to_owned(), format!("{draft}/{number}"))]),
        needs: after.iter().map(|step| FactName::new(format!("fact_{}", step.number()))).collect(),
        produces: vec![FactName::new(format!("fact_{number}"))],
        after,
        effect,
        retries: u32::try_from(chance.below(3)).unwrap_or(0),
        timeout_seconds: u32::try_from(chance.between(3, 12)).unwrap_or(3),
    }
}

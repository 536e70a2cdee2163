//! Makes a proof of a kept conversation from its log alone: nothing is run again and nothing is worded anew. A fact's
//! inputs are taken as they were when it was found, even if they were superseded since. Next: `document`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use turnwise_core::{
    Event, Fact, FactId, FactName, FactValue, KnowledgeEvent, MessageId, Mode, PersonId, Plan, RunEvent, RunId,
    Sequence, Step, StepId, Timestamp,
};

use super::document::{Approval, Head, InputLink, Proof, ProvenFact, Version, Work};
use crate::store::{Recorded, Store, StoreError, Summary};

/// What is to be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The last conclusion.
    Last,
    /// Facts by name.
    Named(Vec<FactName>),
    /// Everything that was found and is still held to be known.
    All,
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The conversation found nothing yet.
    #[error("nothing has been concluded in conversation {0}, so there is nothing to prove")]
    Nothing(String),
    /// There is no such fact.
    #[error("there is no fact {0} in this conversation")]
    NoFact(FactName, Vec<FactName>),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a log says about facts.
#[derive(Default)]
struct Log {
    /// All that was found under a name, oldest first.
    found: BTreeMap<FactName, Vec<Found>>,
    runs: BTreeMap<RunId, Approved>,
    last_result: Option<FactName>,
    message: Option<MessageId>,
    mode: Mode,
    at: Timestamp,
}

struct Found {
    fact: Arc<Fact>,
    by: Option<(RunId, StepId)>,
    answer: Option<String>,
}

struct Approved {
    person: PersonId,
    plan: Arc<Plan>,
    message: Option<MessageId>,
}

/// The proof of `wanted` from the log of `conversation`, written at `now`.
///
/// # Errors
/// When there is nothing to prove, or the store cannot be read.
pub async fn collect(
    store: &dyn Store,
    conversation: &Summary,
    wanted: &Wanted,
    now: Timestamp,
) -> Result<Proof, CollectError> {
    let mut log = Log::default();
    let mut after = Sequence::new(0);
    loop {
        let page = store.events_after(&conversation.id, after).await?;
        let Some(last) = page.last() else { break };
        after = last.sequence;
        page.iter().for_each(|recorded| log.note(recorded));
    }
    let mut facts = Vec::new();
    let mut seen = BTreeSet::new();
    let conclusions = log
        .conclusions(wanted, conversation)?
        .iter()
        .filter_map(|name| log.descend(name, Sequence::new(u64::MAX), &mut seen, &mut facts))
        .collect();
    let head = Head {
        program: Version { name: "turnwise".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        engine: Version { name: "sqlite".to_owned(), version: rusqlite::version().to_owned() },
        conversation: conversation.id.clone(),
        assistant: conversation.assistant.clone(),
        mode: log.mode,
        exported_at: now.utc(),
        conclusions,
    };
    Ok(Proof::link(head, facts))
}

impl Log {
    fn note(&mut self, recorded: &Recorded) {
        match &recorded.event {
            Event::MessageReceived { message, at, .. } => {
                self.message = Some(*message);
                self.at = *at;
            }
            Event::ModeSwitched { mode, .. } => self.mode = *mode,
            Event::ConversationReset => *self = Self { message: self.message, ..Self::default() },
            Event::Run(RunEvent::Approved { person, run, plan, .. }) => {
                let (person, plan, message) = (person.clone(), Arc::clone(plan), self.message);
                self.runs.insert(*run, Approved { person, plan, message });
            }
            Event::Run(RunEvent::StepCompleted { run, step, facts, answer }) => {
                for fact in facts {
                    let told = answer.as_ref().filter(|answer| answer.table.as_ref() == Some(fact.name()));
                    self.hold(fact, Some((*run, *step)), told.map(|answer| answer.text.clone()));
                }
            }
            Event::Run(RunEvent::Completed { run }) => {
                self.last_result = self.runs.get(run).map(|run| run.plan.draft().result.clone());
            }
            Event::Knowledge(KnowledgeEvent::Learned { fact }) => self.hold(fact, None, None),
            Event::Knowledge(KnowledgeEvent::Forgotten { names }) => {
                for name in names {
                    self.found.remove(name);
                }
            }
            _ => {}
        }
    }

    fn hold(&mut self, fact: &Arc<Fact>, by: Option<(RunId, StepId)>, answer: Option<String>) {
        self.found.entry(fact.name().clone()).or_default().push(Found { fact: Arc::clone(fact), by, answer });
    }

    fn conclusions(&self, wanted: &Wanted, conversation: &Summary) -> Result<Vec<FactName>, CollectError> {
        let nothing = || CollectError::Nothing(conversation.id.to_string());
        match wanted {
            Wanted::Last => {
                let last = self.last_result.as_ref().filter(|name| self.found.contains_key(name));
                last.map(|name| vec![name.clone()]).ok_or_else(nothing)
            }
            Wanted::Named(names) => {
                let missing = names.iter().find(|name| !self.found.contains_key(name));
                match missing {
                    None => Ok(names.clone()),
                    Some(missing) => Err(CollectError::NoFact(missing.clone(), self.found.keys().cloned().collect())),
                }
            }
            Wanted::All if self.found.is_empty() => Err(nothing()),
            Wanted::All => Ok(self.found.keys().cloned().collect()),
        }
    }

    /// Adds the fact of this name as it was before `before`, behind its inputs; gives the name it has in the proof.
    fn descend(
        &self,
        name: &FactName,
        before: Sequence,
        seen: &mut BTreeSet<FactId>,
        facts: &mut Vec<ProvenFact>,
    ) -> Option<FactName> {
        let versions = self.found.get(name)?;
        let at = versions.iter().rposition(|found| found.fact.recorded < before)?;
        let found = &versions[at];
        // The latest of a name has it; what it superseded is told from it by its number.
        let is_latest = at + 1 == versions.len();
        let called = if is_latest { name.clone() } else { FactName::new(format!("{name} ({})", found.fact.id)) };
        if seen.insert(found.fact.id) {
            let (recorded, as_of) = (found.fact.recorded, found.fact.as_of());
            let mut names: BTreeMap<FactName, FactName> = BTreeMap::new();
            for input in &found.fact.body.derived_from {
                // What the person stated counts as it was when the run was approved.
                let is_statement =
                    self.found.get(input).and_then(|all| all.first()).is_some_and(|first| first.fact.is_statement());
                let before = if is_statement { as_of } else { recorded };
                let known = self.descend(input, before, seen, facts).unwrap_or_else(|| input.clone());
                names.insert(input.clone(), known);
            }
            let mut proven = self.proven(found);
            proven.name = called.clone();
            let rename = |name: &mut FactName| {
                if let Some(known) = names.get(name) {
                    name.clone_from(known);
                }
            };
            proven.inputs.iter_mut().for_each(|input| rename(&mut input.name));
            proven.work.iter_mut().flat_map(|work| &mut work.needs).for_each(rename);
            facts.push(proven);
        }
        Some(called)
    }

    fn proven(&self, found: &Found) -> ProvenFact {
        let fact = &found.fact;
        let body = &fact.body;
        let run = found.by.and_then(|(run, _)| self.runs.get(&run));
        let step = found.by.zip(run).and_then(|((_, step), run)| run.plan.step(step));
        ProvenFact {
            name: fact.name().clone(),
            kind: fact.kind(),
            scope: fact.scope(),
            source: body.source,
            confidence: body.confidence,
            resolved_at: fact.resolved_at.utc(),
            about: body.standing.about.clone(),
            said_in_message: fact.said_in.map(MessageId::number),
            value: body.value.clone(),
            answer: found.answer.clone(),
            row_count: fact.rows(),
            digest: body.standing.digest.clone().or_else(|| whole_digest(&body.value)),
            query: body.query.clone(),
            work: step.map(work),
            inputs: body.derived_from.iter().map(|name| InputLink { name: name.clone(), hash: None }).collect(),
            sources: body.stamps.clone(),
            assumptions: body.assumptions.clone(),
            approval: run.map(approval),
        }
    }
}

/// Facts of logs that hold no digest yet: the digest of the rows, if all were kept.
fn whole_digest(value: &FactValue) -> Option<String> {
    match value {
        FactValue::Table(table) if table.total_rows == table.rows.len() as u64 => {
            Some(turnwise_assistant::digest::of(table))
        }
        FactValue::Table(_) | FactValue::Text(_) => None,
    }
}

fn work(step: &Step) -> Work {
    Work { tool: step.tool.clone(), arguments: step.arguments.clone(), needs: step.needs.clone() }
}

fn approval(run: &Approved) -> Approval {
    Approval {
        person: run.person.clone(),
        plan: run.plan.draft().title.clone(),
        plan_version: run.plan.version(),
        assumptions: run.plan.draft().assumptions.clone(),
        message: run.message.map(MessageId::number),
    }
}

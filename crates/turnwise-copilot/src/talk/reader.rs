//! Reading: what `classify` makes of a message, as the engine's own acts. Steps a person writes and the words of a
//! recipe are tasks; what only asks never becomes one. Next: `draft`.

use std::path::PathBuf;
use std::sync::Arc;

use turnwise_core::{
    Act, Bearing, Control, MessageReading, ModeWish, Phase, PlanKind, PointEdit, PointSort, QueryKind, ReadContext,
    Reader, Reading, Reply, Step, Tier,
};
use turnwise_intent::behaviour::copilot::Route;
use turnwise_intent::behaviour::is_plain_order;
use turnwise_intent::classify::{Context, Details, classify};
use turnwise_intent::{IntentReader, Routing};

use super::{further, lacking};
use crate::amend;
use crate::limits::{self, Limit};
use crate::orders::{orders, orders_behind};
use crate::recipe::{Meant, Recipes};

/// The profile's reader, with what the copilot knows to be a task.
pub(super) struct CopilotReader {
    reader: IntentReader,
    recipes: Arc<Vec<PathBuf>>,
    /// The working folder.
    root: PathBuf,
}

impl CopilotReader {
    pub(super) fn new(reader: IntentReader, recipes: Arc<Vec<PathBuf>>, root: PathBuf) -> Self {
        Self { reader, recipes, root }
    }

    /// How readily the profile has it ask.
    pub(super) fn routing(&self) -> Routing {
        self.reader.profile().flow.routing
    }

    fn is_about_recipe(&self, words: &str) -> bool {
        !words.starts_with('/') && !Recipes::read(&self.recipes).about(words).is_empty()
    }

    /// Whether words change the plan at hand. What is a task of its own does so only where it names a step.
    fn amends(&self, words: &str, phase: Phase) -> bool {
        if words.starts_with('/') {
            return false;
        }
        let is_there = || amend::is_one(words) || Limit::read(words).is_some();
        match phase {
            Phase::AwaitingApproval | Phase::Executing | Phase::Failed => {
                is_there() && (amend::names_a_step(words) || !self.is_task(words))
            }
            Phase::Idle => amend::names_a_step(words) && amend::is_one(words),
            Phase::Planning => false,
        }
    }

    /// Whether words are a task whatever they read like.
    fn is_task(&self, words: &str) -> bool {
        if words.starts_with('/') {
            return false;
        }
        if orders(&limits::apart(words).0).is_some() {
            return true;
        }
        is_plain_order(words) && !matches!(Recipes::read(&self.recipes).meant(words), Meant::None)
    }
}

impl Reader for CopilotReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let words = text.trim();
        if let Some(command) = limits::lifted(words) {
            return self.reader.read(&command, context);
        }
        // Behind a run that failed a further step is one of its plan, which is not given up for it.
        if context.phase == Phase::Failed && further::adds(words) {
            let reason = "It adds a step to the plan that failed.";
            return MessageReading::single(Reading::certain(words, "feedback", Act::PlanContinue, Tier::Rule, reason));
        }
        if context.has_plan && self.amends(words, context.phase) {
            let reason = "It changes a step of the plan.";
            return MessageReading::single(Reading::certain(words, "feedback", Act::PlanContinue, Tier::Rule, reason));
        }
        if Limit::read(words).is_some() && !words.starts_with('/') && !self.is_task(words) {
            let (act, reason) = (Act::Query(QueryKind::Definition), "It says what has to hold.");
            return MessageReading::single(Reading::certain(words, "converse", act, Tier::Rule, reason));
        }
        // “It”, behind a plan that is over, is what that gave.
        if context.phase == Phase::Idle
            && context.has_plan
            && orders(words).is_none()
            && orders_behind(words, 1).is_some()
        {
            let reason = "It goes on with the last result.";
            return MessageReading::single(Reading::certain(words, "feedback", Act::PlanContinue, Tier::Rule, reason));
        }
        if self.is_task(words) || (!context.has_plan && lacking::lacks(words)) {
            let reason = "It names all it needs, or is a recipe.";
            return MessageReading::single(Reading::certain(words, "task", TASK, Tier::Rule, reason));
        }
        let plain = self.reader.read(text, context);
        if settles_itself(&plain) {
            return plain;
        }
        let around = Context {
            phase: context.phase,
            mode: context.mode,
            plan: context.has_plan,
            result: context.has_result,
            grounding: context.grounding.clone(),
            ..Context::default()
        };
        let found = classify(&self.reader, text, &around);
        let Details::Copilot(judged) = &found.details else { return plain };
        let act = match judged.route {
            Route::Clarify | Route::Direct | Route::Plan => TASK,
            Route::Converse if found.intent == "question" => Act::Query(QueryKind::Plain),
            // What would be asked back with readings that nobody meant, but speaks of what a recipe is about.
            Route::Converse if is_unsure(&plain) && is_plain_order(words) && self.is_about_recipe(words) => TASK,
            Route::Converse | Route::Transition => return plain,
        };
        let reading = Reading::certain(words, &found.intent, act, found.tier, found.reason.clone());
        let confidence = turnwise_core::Confidence::new(found.confidence);
        MessageReading::single(Reading { confidence, target: found.target, nearest: found.nearest, ..reading })
    }

    /// What changes the plan is a change of it, whatever else it sounds like.
    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        let change = text.trim();
        if limits::lifted(change).is_some() {
            return Reply::Other;
        }
        let says_so = self.amends(change, context.phase) || Limit::read(change).is_some();
        match says_so && !change.starts_with('/') {
            true => Reply::Change { change: change.to_owned() },
            false => self.reader.reply(text, context),
        }
    }

    fn constraints(&self, text: &str) -> Vec<String> {
        match text.starts_with('/') {
            true => Vec::new(),
            false => limits::apart(text).1.into_iter().map(|limit| limit.said).collect(),
        }
    }

    fn breaks(&self, step: &Step, held: &[String]) -> Option<String> {
        let limits: Vec<Limit> = held.iter().map(|said| Limit::of(said)).collect();
        limits::broken_at(&limits, step.id.number() as usize, step, &self.root)
    }

    fn owns_steps(&self) -> bool {
        true
    }

    fn rewords_steps(&self) -> bool {
        true
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    /// Steps that name all they need are a task of their own, whatever was asked.
    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        let bearing = self.reader.bearing(text, context);
        Bearing { asks: bearing.asks || orders(text).is_some(), ..bearing }
    }

    /// What orders a step is wanted, whichever words are in it.
    fn point(&self, text: &str) -> PointSort {
        match orders_behind(text.trim(), 1) {
            Some(_) => PointSort::Wish,
            None if Limit::read(text).is_some() => PointSort::Constraint,
            None => self.reader.point(text),
        }
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        self.reader.point_edit(text)
    }

    fn settles(&self, text: &str) -> Option<String> {
        self.reader.settles(text)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        self.reader.asks_for_fix(text)
    }
}

/// A task, as it is planned.
const TASK: Act = Act::PlanNew(PlanKind::Plain);

/// Commands, and what the engine itself has to hear.
fn settles_itself(reading: &MessageReading) -> bool {
    match reading {
        MessageReading::Understood { requests, .. } => requests.iter().all(|reading| {
            reading.tier == Tier::Slash || (matches!(reading.act, Act::Control(_)) && !is_help(reading))
        }),
        MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. } | MessageReading::Empty => true,
        MessageReading::Unsure { .. } => false,
    }
}

fn is_unsure(reading: &MessageReading) -> bool {
    matches!(reading, MessageReading::Unsure { .. })
}

fn is_help(reading: &Reading) -> bool {
    matches!(reading.act, Act::Control(Control::Help)) && reading.tier == Tier::Exemplar
}

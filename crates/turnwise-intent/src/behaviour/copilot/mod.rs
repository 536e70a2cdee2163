//! The copilot's judgement of a message (spec 3): is it talk, a task or the word to build; how complex is the task, and
//! what is missing from it. Next: `complexity`, `missing`, `checkpoint`.

mod checkpoint;
mod complexity;
mod missing;

use serde::Serialize;

pub use self::checkpoint::Checkpoint;
pub use self::complexity::{COMPLEXITY_MAX, Complexity, SIMPLE_COMPLEXITY, SIMPLE_STEPS_MAX};
pub use self::missing::Part;
use super::{Choice, Clarification};
use crate::classify::Context;
use crate::profile::{Preset, Routing};
use crate::words::Words;

/// The question behind a simple task (FL-06).
pub const SATISFACTION_QUESTION: &str = "Does this meet your needs?";

/// Whether the copilot talks or works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Talk {
    /// It asks, sums up and records decisions.
    Converse,
    /// It works.
    Execute,
}

/// What happens with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// The talk goes on.
    Converse,
    /// The missing parts are asked for first (FL-01).
    Clarify,
    /// It is done at once and checked afterwards (FL-05).
    Direct,
    /// It is planned and approved (FL-03).
    Plan,
    /// What was discussed is compiled and planned (FL-07, FL-08).
    Transition,
}

/// What the copilot makes of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// Talk or work.
    pub mode: Talk,
    /// What happens next.
    pub route: Route,
    /// Whether it moves the conversation to execution.
    pub transition_to_execution: bool,
    /// How complex the task is; absent in talk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// What the task does not say; empty in talk.
    pub missing: Vec<Part>,
    /// The card of questions, when something has to be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Clarification>,
    /// The checkpoint that opens, with its choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<Checkpoint>,
    /// Its choices.
    pub options: Vec<Choice>,
    /// The settings that fit.
    pub preset: Preset,
}

/// Judges `text`, which reads as `intent`, for an assistant that asks as readily as `routing` says. In a conversation that may turn into work a request is material for it;
/// only the word to build starts anything.
#[must_use]
pub fn judge(text: &str, intent: &str, routing: Routing, context: &Context) -> Judgement {
    let words = Words::of(text);
    let in_conversation = context.conversation == Some(true);
    let names_own_object = intent == "implement" && !refers_to_talk(&words);
    if intent == "implement" && (in_conversation || !names_own_object) {
        return judgement(Talk::Execute, Route::Transition, None);
    }
    let is_task = matches!(intent, "task" | "implement") && !in_conversation;
    if !is_task {
        return judgement(Talk::Converse, Route::Converse, None);
    }
    task(&words, text, routing)
}

/// Whether what is to be built is what was talked about: nothing is named, or it is "it".
fn refers_to_talk(words: &Words) -> bool {
    const ARTICLES: &[&str] = &["a", "an", "some"];
    !words.has_any(ARTICLES)
}

fn task(words: &Words, text: &str, routing: Routing) -> Judgement {
    let complexity = complexity::of(words, text);
    let missing = missing::of(words, text);
    let route = route(&complexity, missing::must_ask(&missing, words, routing));
    let mut judged = judgement(Talk::Execute, route, Some(complexity));
    if route == Route::Clarify {
        judged.clarification = Some(missing::card(&missing));
    }
    judged.missing = missing;
    judged
}

/// The route of a task: unclear ones are asked about before anything else, simple and clear ones run (FL-01, FL-05).
#[must_use]
pub fn route(complexity: &Complexity, unclear: bool) -> Route {
    if unclear {
        return Route::Clarify;
    }
    let simple = complexity.score < SIMPLE_COMPLEXITY && complexity.steps <= SIMPLE_STEPS_MAX;
    if simple { Route::Direct } else { Route::Plan }
}

fn judgement(mode: Talk, route: Route, complexity: Option<Complexity>) -> Judgement {
    let (checkpoint, preset) = match route {
        Route::Converse => (Some(Checkpoint::Conversation), Preset::Conversational),
        Route::Clarify => (Some(Checkpoint::Clarification), Preset::Complex),
        Route::Direct => (Some(Checkpoint::Satisfaction), Preset::Simple),
        Route::Plan | Route::Transition => (Some(Checkpoint::PlanApproval), Preset::Complex),
    };
    Judgement {
        mode,
        route,
        transition_to_execution: route == Route::Transition,
        complexity,
        missing: Vec::new(),
        clarification: None,
        checkpoint,
        options: checkpoint.map(Checkpoint::options).unwrap_or_default(),
        preset,
    }
}

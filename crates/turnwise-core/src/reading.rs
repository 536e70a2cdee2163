//! What the intent reader made of a text, and the trait through which `decide` asks it.
//!
//! Core owns these words so that `decide` can route on them without knowing how they were found; `turnwise-intent`
//! implements [`Reader`]. A reading is recorded in the event it led to, so replay never reads again. Next: `decide`.

use serde::{Deserialize, Serialize};

use crate::{Mode, Phase, Routing, StepId, Surroundings};

/// The engine's own acts: every label of every profile leads to exactly one of them (CF-03, CF-04).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", content = "kind", rename_all = "snake_case")]
pub enum Act {
    /// Answer from what is known; no approval, any phase.
    Query(QueryKind),
    /// Start a task; approval before execution.
    PlanNew(PlanKind),
    /// Refine or extend the active plan.
    PlanContinue,
    /// A session or execution command.
    Control(Control),
}

/// How a query wants to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryKind {
    /// No finer reading.
    Plain,
    /// Drill into one part of a result.
    Detail,
    /// Where a result came from.
    Provenance,
    /// The findings in short.
    Summary,
    /// One value.
    Lookup,
    /// A result, drawn.
    Chart,
    /// It is no question but a statement: what a word is to mean from here on.
    Definition,
    /// It asks for nothing: praise, thanks, a word while thinking.
    Remark,
    /// It is about the plan that waits, and only the assistant can tell.
    Plan {
        /// What of it.
        aspect: PlanAspect,
        /// Of this step; of all without one.
        step: Option<StepId>,
    },
}

/// What an assistant alone can tell of its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanAspect {
    /// The queries or commands, as they would run.
    Query,
    /// Where the data is read from.
    Tables,
    /// Which parts of it.
    Columns,
    /// How long it takes, how much is read.
    Cost,
}

/// How a task shapes its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanKind {
    /// No finer reading.
    Plain,
    /// Alternatives evaluated side by side.
    Compare,
    /// What-if or forecast, assumptions stated.
    Predict,
}

/// Session and execution commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Switch to this mode.
    SwitchMode(Mode),
    /// Forget plan, facts and questions of this conversation.
    Reset,
    /// Execute the last plan again.
    Redo,
    /// What can be said and typed here.
    Help,
    /// Where the conversation stands.
    Status,
    /// List the facts.
    Facts,
    /// Show the active plan.
    ShowPlan,
    /// Leave.
    Exit,
    /// Stop what runs or waits.
    Cancel,
    /// Stop and plan again with what was said.
    Replan,
    /// Why the last message was read as it was.
    Why,
    /// Wait at the next step boundary.
    Pause,
    /// Go on after a pause.
    Resume,
    /// List what waits for the run to end, or change it.
    Queue,
    /// What became of the latest messages.
    Receipts,
    /// Change the plan that waits in an editor, where the surface has one.
    Edit,
    /// Run plans that change nothing without asking, in this conversation; the one that waits among them.
    RunReads,
    /// Ask about every plan again.
    AskFirst,
    /// How work is gone about in this conversation: shown, or settled by the words that come with it.
    Flow,
}

/// Which tier of the cascade decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The message began with `/`.
    Slash,
    /// A rule on words.
    Rule,
    /// The trained head over embeddings and lexical features.
    Exemplar,
    /// A language model, where one is configured.
    Model,
    /// The person chose among readings offered.
    Person,
}

/// A calibrated probability in `0.0..=1.0`; never a bare cosine.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Confidence(f32);

impl Confidence {
    /// Certainty, for rules, commands and people's own choices.
    pub const CERTAIN: Self = Self(1.0);

    /// Clamps to `0.0..=1.0`; not-a-number counts as no confidence at all.
    #[must_use]
    pub fn new(value: f32) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// The probability, `0.0..=1.0`.
    #[must_use]
    pub fn value(self) -> f32 {
        self.0
    }
}

/// An exemplar close to the text, for explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbour {
    /// The exemplar's text.
    pub text: String,
    /// Its label, `primary` or `primary.sub`.
    pub label: String,
    /// Cosine of the embeddings, `-1.0..=1.0`.
    pub score: f32,
}

/// What one segment of a message means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The words that were read.
    pub segment: String,
    /// The profile's label, for example `plan_new`.
    pub intent: String,
    /// The profile's finer label within it, for example `compare`.
    pub sub: Option<String>,
    /// What to modify, drill into, look up or switch to (CF-05).
    pub target: Option<String>,
    /// What the engine does with it.
    pub act: Act,
    /// Calibrated probability of `intent`.
    pub confidence: Confidence,
    /// Calibrated probability of `sub` within `intent`; absent when no sub-intent was considered.
    pub sub_confidence: Option<Confidence>,
    /// Distance to the runner-up intent, `0.0..=1.0`.
    pub margin: f32,
    /// Who decided.
    pub tier: Tier,
    /// Up to three nearest exemplars; empty when a rule or command decided.
    pub nearest: Vec<Neighbour>,
    /// One readable sentence: why.
    pub reason: String,
}

impl Reading {
    /// A reading without doubt: of a whole intent, by a rule, a command or a person, for the reason given.
    #[must_use]
    pub fn certain(
        segment: impl Into<String>,
        intent: impl Into<String>,
        act: Act,
        tier: Tier,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            segment: segment.into(),
            intent: intent.into(),
            sub: None,
            target: None,
            act,
            confidence: Confidence::CERTAIN,
            sub_confidence: None,
            margin: 1.0,
            tier,
            nearest: Vec::new(),
            reason: reason.into(),
        }
    }
}

/// What a whole message comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum MessageReading {
    /// At least one request was understood.
    Understood {
        /// What to do, in order, after conflicts were resolved (CF-14). Never empty.
        requests: Vec<Reading>,
        /// Every segment as read before conflicts were resolved.
        segments: Vec<Reading>,
    },
    /// No reading is sure enough to act on: ask.
    Unsure {
        /// The likely readings, best first, as options for the person.
        options: Vec<Reading>,
    },
    /// A command whose text was left out, and that means nothing without it: ask for it.
    Bare {
        /// The command as typed, with its slash.
        command: String,
        /// What the profile asks then.
        asks: String,
    },
    /// A `/command` this profile does not have.
    UnknownCommand {
        /// The command as typed, with its slash.
        command: String,
        /// The nearest command there is, if any is near.
        nearest: Option<String>,
    },
    /// Nothing but white space, or nothing readable.
    Empty,
}

impl MessageReading {
    /// A message that is one request and nothing else.
    #[must_use]
    pub fn single(reading: Reading) -> Self {
        Self::Understood { requests: vec![reading.clone()], segments: vec![reading] }
    }
}

/// A person's words read as an answer to an open question (approval, failure choice, confirmation).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// An unambiguous yes to this question.
    Approve,
    /// A yes with a remark that changes nothing.
    ApproveWithNote {
        /// The remark.
        note: String,
    },
    /// Wants something different: goes back to planning.
    Change {
        /// What to change, in the person's words.
        change: String,
    },
    /// A no.
    Reject,
    /// Drop the whole thing.
    Cancel,
    /// A question; the open question stays.
    Question,
    /// "Hold on": leave it open and do not ask again.
    Hold,
    /// Close to a yes and not sure to be one: never consent, and asked back in one line.
    Likely,
    /// Not an answer to this question.
    Other,
}

/// What the words of a task say of the mode to work in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeWish {
    /// It asks for this mode, whatever was worked in before.
    Asked(Mode),
    /// It suggests this mode, where nothing was settled yet.
    Suggested(Mode),
}

/// How words stand to an open question that takes free text, in the eyes of the assistant that asked it. By default
/// whatever is said to it answers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bearing {
    /// Read as a task, they are one of their own and no answer.
    pub asks: bool,
    /// They change what was asked for, instead of answering what was asked about it.
    pub changes: bool,
    /// They give what is worked on another name: what sounds like another title of the plan is a change of the task.
    pub names: bool,
}

/// What a yes to the open question would set going, as far as who reads the answer needs to know it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// How much hangs on a yes.
    pub stakes: Stakes,
    /// What is asked for, in the words it is shown in, where it is one thing: whoever repeats them says nothing new.
    /// Empty where it is several, because who repeats one of them may mean that one alone.
    pub words: String,
}

/// How much hangs on a yes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stakes {
    /// What follows looks at things and changes none.
    Looks,
    /// What follows writes, sends or creates, or it is not known what follows.
    #[default]
    Acts,
}

/// What the reader may know about the conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadContext {
    /// The conversation's phase.
    pub phase: Phase,
    /// The conversation's mode.
    pub mode: Mode,
    /// Whether a plan is active.
    pub has_plan: bool,
    /// Whether a result was already given in this conversation.
    pub has_result: bool,
    /// Words of the message that name things the assistant knows (tables, columns, values), found by the assistant
    /// before the turn. A question or order about known things is a task even without a matching exemplar.
    pub grounding: Vec<String>,
    /// What the open question asks for.
    #[serde(default)]
    pub asked: Asked,
    /// What lies open before the person, as far as it is known.
    #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
    pub around: Surroundings,
    /// How readily it is asked what is meant, where the conversation settled that for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
}

impl Default for ReadContext {
    fn default() -> Self {
        Self {
            phase: Phase::Idle,
            mode: Mode::Exploratory,
            has_plan: false,
            has_result: false,
            grounding: Vec::new(),
            asked: Asked::default(),
            routing: None,
            around: Surroundings::default(),
        }
    }
}

/// Reads texts: a pure function of text, context and profile.
pub trait Reader: Send + Sync {
    /// What the message asks for.
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading;

    /// What is selected for the message, where the assistant selects before it does anything (BH-04); none from all
    /// others.
    fn selected(&self, text: &str, context: &ReadContext) -> Option<crate::selected::Selected> {
        let _ = (text, context);
        None
    }

    /// What the message says to the open question of `context.phase` (`awaiting_approval` or `failed`, or a yes/no
    /// confirmation).
    fn reply(&self, text: &str, context: &ReadContext) -> Reply;

    /// What the words of a task say of the mode to work in. Most assistants have no words for it: their mode changes
    /// only where a person says so.
    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        let _ = task;
        None
    }

    /// How `text` stands to an open question that takes free text.
    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        let _ = (text, context);
        Bearing::default()
    }

    /// What a sentence of a talk is to the task that is talked over.
    fn point(&self, text: &str) -> PointSort {
        let _ = text;
        PointSort::Wish
    }

    /// What the words change of the points that were noted, if they do.
    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        let _ = text;
        None
    }

    /// What words plainly settle of how work is gone about, as `/flow` has it: they are no answer to what is asked,
    /// and wait for nothing.
    fn settles(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// Whether words, said while it is asked how to go on from a failure, plainly ask for a fix of it to be proposed.
    fn asks_for_fix(&self, text: &str) -> bool {
        let _ = text;
        false
    }

    /// What the words say has to hold, whatever is planned; none from assistants that hold no step against that.
    fn constraints(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }

    /// How a step would break one of `held`, which a person said has to hold: a sentence.
    fn breaks(&self, step: &crate::Step, held: &[String]) -> Option<String> {
        let _ = (step, held);
        None
    }

    /// Whether the steps of its plans stand for things that the assistant keeps count of: what would drop or move one
    /// of them before the plan runs is then a change of the task, which the assistant plans.
    fn owns_steps(&self) -> bool {
        false
    }

    /// Whether it changes single steps, and so is told which one was reworded; all others are told the words alone.
    fn rewords_steps(&self) -> bool {
        false
    }
}

/// What a point of a talk is to the task (FL-08).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointSort {
    /// More of what is wanted.
    #[default]
    Wish,
    /// Something that was settled.
    Decision,
    /// Something that must hold.
    Constraint,
    /// Something nobody has settled yet: it is told to whoever plans, and is no part of the task.
    Open,
}

/// A change of the points of a talk, which are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointEdit {
    /// It is taken away.
    Drop {
        /// Its number.
        number: usize,
    },
    /// Other words take its place.
    Replace {
        /// Its number.
        number: usize,
        /// The words.
        words: String,
    },
    /// It is something else to the task than it was taken for.
    Sort {
        /// Its number.
        number: usize,
        /// What it is.
        sort: PointSort,
    },
}

//! What the engine asks of an assistant and what it gets back: drafting, answering, running a step. These are plain
//! values, so that they can be stored in the outbox, replayed and tested. Next: `effect` and `input`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    Fact, FactName, Heard, MessageId, Mode, NewFact, PersonId, Plan, PlanDraft, PlanKind, QueryKind, RunId, Step,
    StepId,
};

/// A task to be planned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The task in the person's words.
    pub problem: String,
    /// How the plan should be shaped.
    pub kind: PlanKind,
    /// The session's mode: in proof mode the plan must be self-contained.
    pub mode: Mode,
    /// Changes asked for since `previous` was drafted, oldest first; earlier ones are part of it.
    pub changes: Vec<String>,
    /// Answers to clarifications, oldest first.
    pub answers: Vec<ClarifiedAnswer>,
    /// The plan the changes are about, if any.
    pub previous: Option<Arc<Plan>>,
    /// Why the last run failed, if it did.
    pub failure: Option<String>,
    /// Facts already resolved in this conversation.
    pub facts: Vec<Arc<Fact>>,
    /// Who asked, how it was read and what was said lately.
    #[serde(default)]
    pub heard: Heard,
}

/// A clarification and what the person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClarifiedAnswer {
    /// What was asked about, in the assistant's own key (for the analyst: the ambiguous words).
    pub topic: String,
    /// The value of the choice taken, or the person's free text.
    pub answer: String,
    /// The message that answered; older logs do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_in: Option<MessageId>,
    /// Whether it is what was offered to be assumed, and not what the person said.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// What an answer to a clarification, or a change, states for good: what a word of the task means, or which date is
/// that of its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Taught {
    /// The topic that was answered, or the change that was asked for.
    pub topic: String,
    /// What the answer states.
    pub statement: NewFact,
}

/// One choice of a clarification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenChoice")]
pub struct Choice {
    /// What the assistant gets back when it is chosen.
    pub value: String,
    /// What the person sees.
    pub label: String,
    /// How many of something it confirms. Where one choice does, a bare number is another number of them and picks no
    /// choice, so none is numbered where they are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirms: Option<usize>,
}

/// A choice as it may stand in a log.
#[derive(Deserialize)]
struct WrittenChoice {
    value: String,
    label: String,
    #[serde(default)]
    confirms: Option<usize>,
}

impl From<WrittenChoice> for Choice {
    fn from(WrittenChoice { value, label, confirms }: WrittenChoice) -> Self {
        let in_value = || value.strip_prefix(CONFIRMED_IN_VALUE)?.parse().ok();
        Self { confirms: confirms.or_else(in_value), value, label }
    }
}

impl Choice {
    /// One that is shown as `label`.
    #[must_use]
    pub fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into(), confirms: None }
    }

    /// The same, which confirms that it is so many.
    #[must_use]
    pub fn confirming(self, count: usize) -> Self {
        Self { confirms: Some(count), ..self }
    }

    /// Whether it confirms how many.
    #[must_use]
    pub fn confirms_number(&self) -> bool {
        self.confirms.is_some()
    }
}

/// What stood before the number in the value of a choice that confirms one, in logs of before `confirms`.
const CONFIRMED_IN_VALUE: &str = "confirm_quantity:";

/// A question an assistant must ask before it can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clarification {
    /// What it is about, in the assistant's own key.
    pub topic: String,
    /// The question, for people.
    pub question: String,
    /// The choices; free text is always possible too.
    pub choices: Vec<Choice>,
    /// What is taken where the person would rather not say (FL-02): an answer like any other, shown beside "skip".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumption: Option<String>,
    /// Of how many questions asked one after the other it is one; 0 where it stands alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub of: u8,
}

impl Clarification {
    /// The choices as they are offered: where something can be assumed, the last skips the question.
    #[must_use]
    pub fn offered(&self) -> Vec<Choice> {
        let skip = |assumed: &String| Choice::new("skip", format!("Skip: {assumed}"));
        self.choices.iter().cloned().chain(self.assumption.as_ref().map(skip)).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// What became of drafting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "draft", rename_all = "snake_case")]
pub enum DraftOutcome {
    /// A plan to be decided on.
    Ready {
        /// The plan.
        plan: PlanDraft,
        /// What the person's answers state, on which the plan rests: held from here on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        learned: Vec<Taught>,
    },
    /// Something has to be asked first.
    Unclear {
        /// The question.
        clarification: Clarification,
    },
    /// It is several requests, each of which wants a plan of its own.
    Several {
        /// The requests in the order they were asked for, each as words that could have been sent alone; at least two.
        parts: Vec<String>,
    },
    /// There is nothing to plan: the request is answered with this, and the task is over.
    Answered {
        /// The answer.
        answer: Answer,
    },
    /// It cannot be planned.
    Impossible {
        /// Why, naming the words that were not understood, and what could be done instead.
        explanation: String,
        /// Things that could be asked instead, ready to be typed.
        suggestions: Vec<String>,
    },
}

/// A question to be answered without effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The question in the person's words.
    pub text: String,
    /// How it wants to be answered.
    pub kind: QueryKind,
    /// What it is about, if the reader found that.
    pub target: Option<String>,
    /// The active or last plan.
    pub plan: Option<Arc<Plan>>,
    /// Facts already resolved in this conversation.
    pub facts: Vec<Arc<Fact>>,
    /// Who asked, how it was read and what was said lately.
    #[serde(default)]
    pub heard: Heard,
}

/// What became of answering.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answered", rename_all = "snake_case")]
pub enum AnswerOutcome {
    /// Answered from what is known.
    Known {
        /// The answer, saying where it is from.
        answer: Answer,
    },
    /// Answered from what is known, and to be drawn; where the person named a file, for keeping too.
    Drawn {
        /// The answer; its presentation says what is drawn.
        answer: Answer,
        /// Where the drawing is to be kept.
        keeping: Option<Keeping>,
    },
    /// Only work can answer it: to be planned and approved.
    NeedsPlan,
    /// It is not known, said plainly.
    Unknown {
        /// What is not known, and what could be asked instead.
        explanation: String,
    },
    /// A statement was understood; it is held from here on.
    Learned {
        /// What was stated.
        statement: Box<NewFact>,
        /// What it comes to, for people.
        text: String,
        /// Whether the plan at hand is another one with it, though its words do not speak of it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        replan: bool,
    },
    /// A statement was not understood; the choices are whole statements, ready to be taken instead.
    Unclear {
        /// What to ask back.
        clarification: Clarification,
    },
}

/// An answer as shown to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The answer in words.
    pub text: String,
    /// The fact that holds the rows, if there are rows to show.
    pub table: Option<FactName>,
    /// How the rows want to be looked at.
    pub presentation: crate::Presentation,
}

/// A drawing that a person wants to keep in a file. The surface they sit at keeps it, as it would a picture on a page:
/// nothing of the conversation or the data changes by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keeping {
    /// The file as the person named it; its ending says the format.
    pub file: String,
    /// What happens to a file of that name that holds something else.
    pub existing: Existing,
    /// On which ground the drawing has to be readable.
    pub ground: Ground,
}

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Existing {
    /// It stays as it is, and the person is told.
    #[default]
    Stays,
    /// The person said that it may be replaced.
    Replaced,
}

/// The ground a drawing lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// As the viewer has it, where the format can tell; else light.
    #[default]
    AsViewed,
    /// Dark marks on light.
    Light,
    /// Light marks on dark.
    Dark,
}

/// A step to be run; comes with a permit, which is not part of the value because it cannot be stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepTask {
    /// The run.
    pub run: RunId,
    /// The step, by number.
    pub step: StepId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// What to do.
    pub work: Step,
    /// Whose word it runs on: who approved the plan, or asked for what runs without being asked about.
    #[serde(default)]
    pub by: Option<PersonId>,
    /// The values of the facts it needs.
    pub inputs: Vec<Arc<Fact>>,
    /// How these were found: a fact keeps the first of many rows, and who needs all of them finds them again.
    #[serde(default)]
    pub behind: Vec<Upstream>,
    /// Set for the step that produces the plan's result: how its answer wants to be looked at, and the task.
    pub concludes: Option<Conclusion>,
}

/// A step that another builds on, with what it found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Upstream {
    /// What was done.
    pub work: Step,
    /// What came of it, where that is still kept.
    pub fact: Option<Arc<Fact>>,
}

/// What the concluding step needs to put its result into words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The task.
    pub problem: String,
    /// How the answer wants to be looked at.
    pub presentation: crate::Presentation,
    /// The assistant's own form of the task.
    pub form: String,
}

/// What became of one attempt at a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum StepOutcome {
    /// Done.
    Done {
        /// What it resolved: one for each fact it was to produce.
        facts: Vec<NewFact>,
        /// The answer, from the concluding step.
        answer: Option<Answer>,
    },
    /// Failed, and trying again may help.
    Transient {
        /// What happened and what to do about it.
        error: String,
    },
    /// Failed for good.
    Failed {
        /// What happened and what to do about it.
        error: String,
    },
    /// It may or may not have had its effect: the tool lost sight of it.
    Unknown {
        /// What is known about it.
        reason: String,
    },
    /// Given up because it was cancelled.
    Cancelled,
    /// What is wanted would go beyond what was approved, so nothing was done: a person decides on it as it would be.
    Asks {
        /// What goes beyond it, as a sentence.
        difference: String,
        /// The step as it would be done; all that others rest on stays.
        instead: Box<Step>,
    },
}

/// What a tool finds when asked whether an attempt had its effect (by operation id, by searching before creating).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum LookUp {
    /// It had its effect; this is what it resolved.
    Happened {
        /// One for each fact it was to produce.
        facts: Vec<NewFact>,
        /// The answer, from the concluding step.
        answer: Option<Answer>,
    },
    /// It had no effect: it may run again.
    DidNotHappen,
    /// The tool cannot tell; the person is asked.
    CannotTell {
        /// Why, and where the person could look.
        reason: String,
    },
}

//! Cards on the wire: what was shown with words, as values that any surface can draw, so that no client has to know
//! what the log looks like. Next: `plan`.

use serde::Serialize;
use turnwise_core::provenance::ProvenanceNode;
use turnwise_core::{
    Answer, Card, Cell, Choice, DecisionRef, Fact, FactValue, PlanCard, Presentation, Reading, Table, Tier,
};
use utoipa::ToSchema;

use super::held::ChartView;
use super::plan::{PlanView, state_word};
use super::{IdView, moment};

/// Something shown with words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "card", rename_all = "snake_case")]
pub enum CardView {
    /// A plan, and what can be decided on it.
    Plan {
        /// The plan.
        plan: Box<PlanView>,
        /// The question it waits for; absent when it is only shown.
        question: Option<QuestionView>,
    },
    /// A question with choices; free text is always possible too.
    Question {
        /// The question.
        question: QuestionView,
        /// The choices, in order.
        choices: Vec<ChoiceView>,
    },
    /// The result of a run, or an answer from facts.
    Result {
        /// The answer.
        answer: AnswerView,
        /// The fact that holds the rows.
        fact: Option<Box<FactView>>,
        /// The picture of the rows, where they make one: `GET …/facts/{name}/chart?said=N` with
        /// the number of the event.
        chart: Option<ChartView>,
        /// The chain down to the sources; always there in proof mode.
        #[schema(no_recursion)]
        provenance: Option<Box<ProvenanceView>>,
    },
    /// Which steps were completed and which were not.
    Steps {
        /// Each with its mark, number and description.
        steps: Vec<StepLineView>,
        /// What can be done with the run, where that is offered: the value of each is what to say.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ways: Vec<ChoiceView>,
    },
    /// A failed run and the ways on.
    Failure {
        /// The question.
        question: QuestionView,
        /// The step that failed.
        step: u32,
        /// What it was to do.
        description: String,
        /// What happened.
        error: String,
        /// The choices.
        choices: Vec<ChoiceView>,
    },
    /// Facts held.
    Facts {
        /// By name.
        facts: Vec<FactView>,
    },
    /// Where a value came from.
    Provenance {
        /// The value at the root, sources at the leaves.
        #[schema(no_recursion)]
        tree: ProvenanceView,
    },
    /// Commands and things to say.
    Help {
        /// What to type, and what it does.
        lines: Vec<HelpLineView>,
    },
    /// Why a message was read as it was.
    Why {
        /// Its segments as they were read.
        readings: Vec<ReadingView>,
    },
}

/// A line of help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HelpLineView {
    /// What to type or say.
    pub say: String,
    /// What it does.
    pub does: String,
}

impl HelpLineView {
    fn new((say, does): &(String, String)) -> Self {
        Self { say: say.clone(), does: does.clone() }
    }
}

/// Which question a card is about, as it was when the card was drawn. It can be decided on while it is among the
/// pending ones in this very version; those carry the reference a decision must bring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuestionView {
    /// Its id.
    pub id: IdView,
    /// Its version.
    pub version: u32,
}

impl From<DecisionRef> for QuestionView {
    fn from(reference: DecisionRef) -> Self {
        Self { id: IdView::of(reference.pending), version: reference.ui_version }
    }
}

/// A choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChoiceView {
    /// What it stands for.
    pub value: String,
    /// What the person sees.
    pub label: String,
    /// How many of something it confirms; a bare number in words is then another number of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirms: Option<usize>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AnswerView {
    /// In words.
    pub text: String,
    /// `value`, `table`, `bars`, `line`, `stacked` or `scatter`.
    pub presentation: &'static str,
}

/// A named piece of knowledge.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FactView {
    /// Its name.
    pub name: String,
    /// `value`, `decision`, `constraint`, `assumption` or `note`.
    pub kind: &'static str,
    /// How far it reaches: `session`, `project`, `person` and so on.
    pub scope: &'static str,
    /// What a statement is about, in the person's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The statement, where it is one.
    pub text: Option<String>,
    /// The rows, where it is a value.
    pub table: Option<TableView>,
    /// Where it came from, in words.
    pub source: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
    /// The exact query or calculation.
    pub query: Option<String>,
    /// What was read: name and fingerprint.
    pub sources: Vec<SourceView>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// The facts it was derived from.
    pub derived_from: Vec<String>,
    /// When it was resolved (RFC 3339).
    #[schema(format = DateTime)]
    pub resolved_at: String,
}

/// A source as it was when a value was read from it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SourceView {
    /// A file name, a table.
    pub name: String,
    /// Content hash, or size and modification time; says which by its prefix.
    pub fingerprint: String,
}

/// Rows under named columns.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TableView {
    /// The names.
    pub columns: Vec<String>,
    /// The rows kept; a cell is null, a number or text.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub rows: Vec<Vec<Cell>>,
    /// How many rows there are in all.
    pub total_rows: u64,
}

/// A fact in a chain.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ProvenanceView {
    /// The fact's name.
    pub name: String,
    /// Its value in short and where it came from.
    pub summary: Option<String>,
    /// The exact query or calculation.
    pub query: Option<String>,
    /// What was read.
    pub sources: Vec<SourceView>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What it was derived from.
    #[schema(no_recursion)]
    pub inputs: Vec<ProvenanceView>,
}

/// A step and where it stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StepLineView {
    /// Its number.
    pub number: u32,
    /// What it does.
    pub description: String,
    /// Where it stands, as in a run.
    pub state: &'static str,
}

/// How a segment of a message was read.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ReadingView {
    /// The words.
    pub segment: String,
    /// The intent.
    pub intent: String,
    /// The finer intent within it.
    pub sub: Option<String>,
    /// What it is about.
    pub target: Option<String>,
    /// The calibrated probability, from 0 to 1.
    pub confidence: f32,
    /// The distance to the runner-up.
    pub margin: f32,
    /// `slash`, `rule`, `exemplar`, `model` or `person`.
    pub tier: &'static str,
    /// The nearest exemplars.
    pub nearest: Vec<NeighbourView>,
    /// Why, in one sentence.
    pub reason: String,
}

/// An exemplar close to the words.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct NeighbourView {
    /// Its text.
    pub text: String,
    /// Its label.
    pub label: String,
    /// Cosine of the embeddings.
    pub score: f32,
}

impl CardView {
    pub(in crate::channel::http) fn new(card: &Card) -> Self {
        match card {
            Card::Plan(shown) => Self::plan(shown),
            Card::Question { reference, choices: list } => {
                Self::Question { question: (*reference).into(), choices: choices(list) }
            }
            Card::Result { answer, fact, provenance } => Self::Result {
                answer: AnswerView::new(answer),
                fact: fact.as_deref().map(|fact| Box::new(FactView::new(fact))),
                chart: ChartView::answering(fact.as_deref(), answer.presentation),
                provenance: provenance.as_ref().map(|node| Box::new(ProvenanceView::new(node))),
            },
            Card::Steps { steps, ways } => {
                let line = |line: &turnwise_core::StepLine| StepLineView {
                    number: line.step.number(),
                    description: line.description.clone(),
                    state: state_word(line.state),
                };
                Self::Steps { steps: steps.iter().map(line).collect(), ways: choices(ways) }
            }
            Card::Failure { reference, step, description, error, choices: list } => Self::Failure {
                question: (*reference).into(),
                step: step.number(),
                description: description.clone(),
                error: error.clone(),
                choices: choices(list),
            },
            Card::Facts { facts } => Self::Facts { facts: facts.iter().map(|fact| FactView::new(fact)).collect() },
            Card::Provenance { tree } => Self::Provenance { tree: ProvenanceView::new(tree) },
            Card::Help { lines } => Self::Help { lines: lines.iter().map(HelpLineView::new).collect() },
            Card::Why { readings } => Self::Why { readings: readings.iter().map(ReadingView::new).collect() },
        }
    }

    fn plan(shown: &PlanCard) -> Self {
        let mut plan = PlanView::new(&shown.plan).with_changes(&shown.changes);
        for step in &mut plan.steps {
            step.reused = shown.reused.iter().any(|reused| reused.number() == step.number);
        }
        Self::Plan { plan: Box::new(plan), question: shown.reference.map(Into::into) }
    }
}

impl AnswerView {
    fn new(answer: &Answer) -> Self {
        Self {
            text: answer.text.clone(),
            presentation: match answer.presentation {
                Presentation::Value => "value",
                Presentation::Table => "table",
                Presentation::Bars => "bars",
                Presentation::Line => "line",
                Presentation::Stacked => "stacked",
                Presentation::Scatter => "scatter",
            },
        }
    }
}

impl FactView {
    pub(in crate::channel::http) fn new(fact: &Fact) -> Self {
        let body = &fact.body;
        let (text, table) = match &body.value {
            FactValue::Text(text) => (Some(text.clone()), None),
            FactValue::Table(table) => (None, Some(TableView::new(table))),
        };
        Self {
            name: body.name.to_string(),
            kind: fact.kind().word(),
            scope: fact.scope().word(),
            about: body.standing.about.clone(),
            text,
            table,
            source: body.source.to_string(),
            confidence: body.confidence.value(),
            query: body.query.clone(),
            sources: sources(&body.stamps),
            assumptions: body.assumptions.clone(),
            derived_from: body.derived_from.iter().map(ToString::to_string).collect(),
            resolved_at: moment(fact.resolved_at),
        }
    }
}

impl TableView {
    fn new(table: &Table) -> Self {
        Self { columns: table.columns.clone(), rows: table.rows.clone(), total_rows: table.total_rows }
    }
}

impl ProvenanceView {
    fn new(node: &ProvenanceNode) -> Self {
        Self {
            name: node.name.to_string(),
            summary: node.summary.clone(),
            query: node.query.clone(),
            sources: sources(&node.stamps),
            assumptions: node.assumptions.clone(),
            inputs: node.inputs.iter().map(Self::new).collect(),
        }
    }
}

impl ReadingView {
    pub(in crate::channel::http) fn new(reading: &Reading) -> Self {
        let neighbour = |near: &turnwise_core::Neighbour| NeighbourView {
            text: near.text.clone(),
            label: near.label.clone(),
            score: near.score,
        };
        Self {
            segment: reading.segment.clone(),
            intent: reading.intent.clone(),
            sub: reading.sub.clone(),
            target: reading.target.clone(),
            confidence: reading.confidence.value(),
            margin: reading.margin,
            tier: match reading.tier {
                Tier::Slash => "slash",
                Tier::Rule => "rule",
                Tier::Exemplar => "exemplar",
                Tier::Model => "model",
                Tier::Person => "person",
            },
            nearest: reading.nearest.iter().map(neighbour).collect(),
            reason: reading.reason.clone(),
        }
    }
}

pub(super) fn choices(choices: &[Choice]) -> Vec<ChoiceView> {
    let view = |choice: &Choice| ChoiceView {
        value: choice.value.clone(),
        label: choice.label.clone(),
        confirms: choice.confirms,
    };
    choices.iter().map(view).collect()
}

fn sources(stamps: &[turnwise_core::SourceStamp]) -> Vec<SourceView> {
    let view = |stamp: &turnwise_core::SourceStamp| SourceView {
        name: stamp.name.clone(),
        fingerprint: stamp.fingerprint.clone(),
    };
    stamps.iter().map(view).collect()
}

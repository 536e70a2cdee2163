//! An open question as an interrupt of AG-UI: its id is our signed reference, and a JSON schema says which answers it
//! takes. Next: `answer`, which reads them.

use serde::Serialize;
use serde_json::{Map, Value, json};
use turnwise_core::{Card, Choice, Conversation, Pending, PendingKind};

use super::super::super::view::PendingView;
use crate::channel::markdown;
use crate::driver::{DriverError, Session};

/// What a run waits for at its end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Interrupt {
    /// The signed reference of the question.
    id: String,
    reason: &'static str,
    /// The question, with the plan or the choices, as Markdown.
    message: String,
    response_schema: Value,
    /// From when on it cannot be answered any more (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<String>,
    /// The question as the API has it everywhere else.
    metadata: Value,
}

impl Interrupt {
    /// That of `open`, a question of `session` as `state` has it.
    ///
    /// # Errors
    /// When the store has no key to sign with.
    pub(super) async fn of(session: &Session, state: &Conversation, open: &Pending) -> Result<Self, DriverError> {
        let reference = session.reference(open).await?.to_string();
        let (words, card) = state.asked(open).unwrap_or_default();
        let at = |moment: turnwise_core::Timestamp| jiff::Timestamp::from_millisecond(moment.as_millis()).ok();
        Ok(Self {
            reason: match open.kind {
                PendingKind::Approval { .. } | PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => {
                    "confirmation"
                }
                PendingKind::Clarification { .. }
                | PendingKind::Redirection
                | PendingKind::WhichReading { .. }
                | PendingKind::Failure { .. }
                | PendingKind::Paused { .. }
                | PendingKind::UnknownOutcome { .. }
                | PendingKind::TalkedOver { .. }
                | PendingKind::Satisfaction { .. } => "input_required",
            },
            message: markdown::said(&words, card.as_ref()).join("\n\n"),
            response_schema: Ways::of(&open.kind, card.as_ref()).schema(),
            expires_at: open.expires.and_then(at).map(|at| at.to_string()),
            metadata: json!({ "turnwise": PendingView::new(state, open, reference.clone()) }),
            id: reference,
        })
    }
}

/// The ways to answer a question.
pub(super) struct Ways {
    /// Yes or no.
    pub is_decided: bool,
    /// With a remark to it.
    pub is_noted: bool,
    /// With what should be different.
    pub is_changed: bool,
    /// What can be chosen, in order.
    pub choices: Vec<Choice>,
    /// What a form asks, one field each.
    pub fields: Vec<String>,
    /// In the person's own words.
    pub is_said: bool,
}

impl Ways {
    pub(super) fn of(kind: &PendingKind, card: Option<&Card>) -> Self {
        let choices = match card {
            Some(Card::Question { choices, .. } | Card::Failure { choices, .. }) => choices.clone(),
            _ => Vec::new(),
        };
        let (is_decided, is_changed, is_said) = match kind {
            PendingKind::Approval { .. } | PendingKind::Paused { .. } | PendingKind::TalkedOver { .. } => {
                (true, true, true)
            }
            PendingKind::Satisfaction { .. } => (true, true, false),
            PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit => (true, false, false),
            PendingKind::Clarification { .. } | PendingKind::Redirection | PendingKind::Failure { .. } => {
                (false, false, true)
            }
            PendingKind::WhichReading { .. } | PendingKind::UnknownOutcome { .. } => (false, false, false),
        };
        let fields = match kind {
            PendingKind::Clarification { clarification } => fields(&clarification.question),
            _ => Vec::new(),
        };
        let is_noted = matches!(kind, PendingKind::Approval { .. });
        Self { is_decided, is_noted, is_changed, choices, fields, is_said }
    }

    /// Which answers there are, as a JSON schema.
    fn schema(&self) -> Value {
        let text = |told: &str| json!({"type": "string", "minLength": 1, "description": told});
        let mut properties = Map::new();
        let mut one_of = Vec::new();
        let mut way = |name: &str, schema: Value| {
            properties.insert(name.to_owned(), schema);
            one_of.push(json!({"required": [name]}));
        };
        if self.is_decided {
            way("approved", json!({"type": "boolean", "description": "Yes or no"}));
        }
        if self.is_changed {
            way("change", text("What should be different; what comes of it is asked about in turn"));
        }
        if !self.choices.is_empty() {
            way("choice", self.choice_schema());
        }
        if !self.fields.is_empty() {
            way("answers", self.form_schema());
        }
        if self.is_said {
            way("text", text("An answer in one's own words"));
        }
        if self.is_noted {
            properties.insert("note".to_owned(), text("A remark to a yes, which changes nothing"));
            properties.insert("reason".to_owned(), text("Why not, to a no"));
        }
        json!({"type": "object", "properties": properties, "oneOf": one_of, "additionalProperties": false})
    }

    fn choice_schema(&self) -> Value {
        let numbered = (1..).zip(&self.choices);
        let told: Vec<String> = numbered.map(|(number, choice)| format!("{number}: {}", choice.label)).collect();
        let ids: Vec<&str> = self.choices.iter().map(|choice| choice.value.as_str()).collect();
        json!({
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": ids.len()}, {"enum": ids}],
            "description": told.join("; "),
        })
    }

    fn form_schema(&self) -> Value {
        let numbers: Vec<String> = (1..=self.fields.len()).map(|number| number.to_string()).collect();
        let field = |(number, title): (&String, &String)| (number.clone(), json!({"type": "string", "title": title}));
        let properties: Map<String, Value> = numbers.iter().zip(&self.fields).map(field).collect();
        json!({"type": "object", "properties": properties, "required": numbers, "additionalProperties": false})
    }
}

/// The questions of a text that numbers several.
fn fields(question: &str) -> Vec<String> {
    let numbered = |line: &str| {
        let (number, rest) = line.split_once(". ")?;
        number.parse::<u32>().is_ok().then(|| rest.to_owned())
    };
    let fields: Vec<String> = question.lines().filter_map(numbered).collect();
    if fields.len() < FIELDS_MIN { Vec::new() } else { fields }
}

/// One question is answered in words.
const FIELDS_MIN: usize = 2;

//! How the tools are described to other programs. Next: `acts` for what they do.

use rmcp::model::Tool;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use turnwise_assistant::{Failure, FailureKind};

/// What a program is told at the start.
pub(super) const INSTRUCTIONS: &str = "Turnwise plans work and lets people approve it. “ask” says something in a \
    conversation and answers what was said back; a plan it makes waits for a person, who approves it elsewhere (on the \
    page, in a chat, or with “turnwise approve”). “pending” lists what waits. Do not try to approve by words: unless the \
    operator allowed it, decisions are refused here.";

/// `ask`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    pub message: String,
    pub conversation: Option<String>,
}

/// `pending`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pending {
    pub conversation: Option<String>,
}

/// `decide`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decide {
    pub reference: String,
    pub verdict: Verdict,
    pub text: Option<String>,
}

/// The verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Approve,
    Reject,
    Answer,
}

/// `facts`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Facts {
    pub conversation: String,
}

/// `proof`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proof {
    pub conversation: String,
    #[serde(default)]
    pub format: Format,
}

/// The forms of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    #[default]
    Markdown,
    Json,
}

/// The arguments of a tool.
///
/// # Errors
/// What of them is wrong.
pub(super) fn read<T: DeserializeOwned>(tool: &str, arguments: Value) -> Result<T, Failure> {
    serde_json::from_value(arguments)
        .map_err(|error| Failure::new(FailureKind::Usage, format!("`{tool}` cannot be called like that: {error}")))
}

/// All tools.
pub(super) fn tools() -> Vec<Tool> {
    let text = |told: &str| json!({"type": "string", "description": told});
    let conversation = || text("the id of a conversation, as an earlier answer gave it");
    vec![
        tool(
            "ask",
            "Says something in a conversation, waits for what comes of it, and answers with what was said back and what \
             waits now. Without a conversation a new one begins.",
            json!({"message": text("what to say, in plain words"), "conversation": conversation()}),
            &["message"],
        ),
        tool(
            "pending",
            "Lists what waits for a decision, with the signed reference of each.",
            json!({"conversation": conversation()}),
            &[],
        ),
        tool(
            "decide",
            "Decides on what waits, by its signed reference. Refused unless the operator allowed it: people decide.",
            json!({
                "reference": text("the signed reference, as “pending” gives it"),
                "verdict": {"type": "string", "enum": ["approve", "reject", "answer"]},
                "text": text("the answer, a note to an approval, or the reason of a rejection"),
            }),
            &["reference", "verdict"],
        ),
        tool(
            "facts",
            "Lists what is known in a conversation.",
            json!({"conversation": conversation()}),
            &["conversation"],
        ),
        tool(
            "proof",
            "Gives the proof of the last conclusion of a conversation.",
            json!({"conversation": conversation(), "format": {"type": "string", "enum": ["markdown", "json"]}}),
            &["conversation"],
        ),
    ]
}

fn tool(name: &'static str, told: &'static str, properties: Value, required: &[&str]) -> Tool {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    schema.insert("required".to_owned(), json!(required));
    schema.insert("additionalProperties".to_owned(), json!(false));
    Tool::new(name, told, schema)
}

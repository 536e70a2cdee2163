//! One tool of a server. What was approved is what is called: a tool that is listed differently by now is not called. A
//! call whose answer never came may have had its effect, and is reported so. Next: `mod`.

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};
use rmcp::service::ServiceError;
use serde_json::Value;
use turnwise_assistant::digest;
use turnwise_core::{EffectClass, text};

use super::Server;
use super::connect::{Listed, Live};
use super::form::form;
use crate::planned::{FROM, MARK};
use crate::tool::{About, Call, Output, Tool, Trouble};

/// A tool of a server.
pub(super) struct Remote {
    about: About,
    server: Arc<Server>,
    /// Its name as the server has it.
    own_name: String,
}

impl Remote {
    /// The tool that a server lists.
    ///
    /// # Errors
    /// When it cannot be called from here, as a sentence.
    pub fn new(server: Arc<Server>, listed: &Listed) -> Result<Self, String> {
        let name = server.called(&listed.name);
        let properties = listed.schema.get("properties").and_then(Value::as_object);
        if properties.is_some_and(|all| all.keys().any(|name| name.ends_with(FROM) || name == MARK)) {
            return Err(format!(
                "“{name}” cannot be called: one of its arguments has a name that plans use for something else."
            ));
        }
        let about = About {
            told: text::clip(&listed.told.split_whitespace().collect::<Vec<_>>().join(" "), TOLD_WIDTH),
            schema: form(&listed.schema),
            effect: server.effect_of(&listed.name).class(),
            seconds: server.options.seconds.unwrap_or(SECONDS),
            mark: mark(listed),
            name,
        };
        Ok(Self { about, server, own_name: listed.name.clone() })
    }

    /// What a call comes to that nobody heard of again.
    fn lost(&self, told: String) -> Trouble {
        match self.about.effect {
            EffectClass::Pure => Trouble::Passing(told),
            _ => Trouble::Unknown(told),
        }
    }

    /// Refuses a tool that is not what was approved any more.
    async fn unchanged(&self, live: &Live, mark_approved: &str) -> Result<(), Trouble> {
        let listed = live.list().await.map_err(Trouble::Passing)?;
        let now = listed.iter().find(|listed| listed.name == self.own_name).map(mark);
        if now.as_deref() == Some(mark_approved) {
            return Ok(());
        }
        let told = match now {
            Some(_) => "describes itself differently now than when it was approved",
            None => "is not there any more",
        };
        Err(Trouble::Failed(format!("“{}” {told}, so it was not called. Plan it again.", self.about.name)))
    }
}

/// A mark of all that a server says of a tool.
fn mark(listed: &Listed) -> String {
    let all = serde_json::json!([listed.name, listed.told, listed.schema]);
    digest::of_bytes(all.to_string().as_bytes()).chars().take(MARK_LENGTH).collect()
}

#[async_trait]
impl Tool for Remote {
    fn about(&self) -> &About {
        &self.about
    }

    async fn call(&self, call: Call) -> Result<Output, Trouble> {
        let name = &self.about.name;
        let live = self.server.live().await.map_err(Trouble::Passing)?;
        self.unchanged(&live, &call.mark).await?;
        if call.stop.is_cancelled() {
            return Err(Trouble::Stopped);
        }
        let mut sent = live.call(&self.own_name, call.arguments).await.map_err(|told| {
            // Whether a message that could not be sent whole arrived is not known.
            self.lost(format!("“{name}” could not be called: {told}{}", live.because()))
        })?;
        let answer = tokio::select! {
            biased;
            () = call.stop.cancelled() => None,
            answer = &mut sent.rx => Some(answer),
        };
        let Some(answer) = answer else {
            let _ = sent.cancel(Some("nobody waits for it any more".to_owned())).await;
            return Err(self.lost(format!("“{name}” was stopped before it answered")));
        };
        match answer {
            Ok(Ok(ServerResult::CallToolResult(result))) => self.judged(&result),
            Ok(Ok(ServerResult::InputRequiredResult(_))) => {
                Err(Trouble::Failed(format!("“{name}” asks for more than was approved, so it gets nothing.")))
            }
            Ok(Ok(_)) => Err(self.lost(format!("“{name}” answered something else than a result"))),
            Ok(Err(ServiceError::McpError(error))) => {
                Err(Trouble::Failed(format!("“{name}” failed: {}", ended(&text::clip(&error.message, ERROR_WIDTH)))))
            }
            Ok(Err(error)) => {
                let told = format!("“{name}” never answered: {error}{}", live.because());
                Err(self.lost(told))
            }
            Err(_) => Err(self.lost(format!("“{name}” ended before it answered{}", live.because()))),
        }
    }
}

impl Remote {
    fn judged(&self, result: &CallToolResult) -> Result<Output, Trouble> {
        let mut parts: Vec<String> = result.content.iter().map(said).collect();
        if let Some(structured) = result.structured_content.as_ref().filter(|_| parts.is_empty()) {
            parts.push(structured.to_string());
        }
        let whole = parts.join("\n");
        match result.is_error {
            Some(true) => {
                let told = ended(&text::clip(&whole, ERROR_WIDTH));
                Err(Trouble::Failed(format!("“{}” says that it failed: {told}", self.about.name)))
            }
            _ => Ok(Output::of(&whole)),
        }
    }
}

/// A part of a result as text. What is no text is named and not kept.
fn said(part: &ContentBlock) -> String {
    match part {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("(a picture, {}, {} bytes)", image.mime_type, image.data.len()),
        ContentBlock::Audio(audio) => format!("(a sound, {}, {} bytes)", audio.mime_type, audio.data.len()),
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            _ => "(a file that is no text)".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        _ => "(something that is no text)".to_owned(),
    }
}

/// A sentence with its end.
fn ended(told: &str) -> String {
    if told.ends_with(['.', '!', '?', '…']) { told.to_owned() } else { format!("{told}.") }
}

/// Characters of what a server says of a tool.
const TOLD_WIDTH: usize = 300;
/// Characters of an error of a server.
const ERROR_WIDTH: usize = 500;
/// Letters of a mark: its kind and half a digest.
const MARK_LENGTH: usize = 39;
/// Seconds a call may take unless the operator says otherwise.
const SECONDS: u32 = 120;

//! What Slack sends, as far as we read it. Keys we do not know are Slack's own and mean nothing here. Next: `receive`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A request of the Events API.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Delivery {
    /// Slack asks whether we are there.
    UrlVerification { challenge: String },
    /// Something happened.
    EventCallback { team_id: String, event_id: String, event: Box<Happening> },
    /// Something we did not ask for.
    #[serde(other)]
    Other,
}

/// Something that happened in a workspace.
#[derive(Debug, Deserialize)]
pub(super) struct Happening {
    #[serde(rename = "type")]
    pub kind: String,
    pub user: Option<Who>,
    pub text: Option<String>,
    pub ts: Option<String>,
    pub thread_ts: Option<String>,
    pub channel: Option<String>,
    pub bot_id: Option<String>,
    pub subtype: Option<String>,
}

/// Who an event is about: an id alone, or all that Slack says of them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Who {
    Id(String),
    Person {
        id: String,
        /// They are of the workspace no longer.
        #[serde(default)]
        deleted: bool,
    },
}

impl Who {
    pub(super) fn into_id(self) -> String {
        match self {
            Self::Id(id) | Self::Person { id, .. } => id,
        }
    }
}

/// Somebody pressed something.
#[derive(Debug, Deserialize)]
pub(super) struct Interaction {
    #[serde(rename = "type")]
    pub kind: String,
    pub user: Named,
    pub team: Option<Named>,
    pub channel: Option<Named>,
    pub message: Option<Message>,
    /// By which a form may be opened, for three seconds.
    pub trigger_id: Option<String>,
    /// The form that was filled in.
    pub view: Option<View>,
    #[serde(default)]
    pub actions: Vec<Pressed>,
}

/// A form that was filled in.
#[derive(Debug, Deserialize)]
pub(super) struct View {
    pub id: String,
    /// What we gave it to keep.
    #[serde(default)]
    pub private_metadata: String,
    #[serde(default)]
    pub state: ViewState,
}

/// What was typed into a form.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ViewState {
    /// By block and field.
    #[serde(default)]
    pub values: BTreeMap<String, BTreeMap<String, Entered>>,
}

/// What was typed into one field.
#[derive(Debug, Deserialize)]
pub(super) struct Entered {
    pub value: Option<String>,
}

/// Somebody or something by its id.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    pub id: String,
}

/// The message a button is in.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub ts: String,
    pub thread_ts: Option<String>,
}

/// A button.
#[derive(Debug, Deserialize)]
pub(super) struct Pressed {
    pub action_id: String,
    #[serde(default)]
    pub value: String,
}

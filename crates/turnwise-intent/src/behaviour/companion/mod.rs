//! The companion's intents and what they carry (spec 5). Next: `intents` for the one table, `extract` for parameters,
//! `wall` for words that are never said, `tier` for how much of a project goes into a prompt.

mod all_but;
mod begin;
mod beyond;
mod brief;
mod claims;
mod correct;
mod extract;
mod intents;
mod joined;
mod keep;
mod mood;
mod orders;
mod remark;
mod taken;
mod tier;
mod wall;

use serde::Serialize;

pub use self::all_but::{AllBut, Does, all_but, begins_an_order};
pub use self::begin::{asks_to_begin, begun_plainly, could_begin, names_something};
pub use self::beyond::{Beyond, beyond};
pub use self::brief::{Brief, Named, Part, Said, brief, made_for};
pub use self::claims::claims;
pub use self::correct::{Contrast, Kind, contrast, correction, kind};
pub use self::extract::{artifact_description, asks_in_hand, knowledge_text, without_sounds, without_tag};
pub use self::intents::{GENERAL, INTENTS, Intent, Parameter, Standing, intent};
pub use self::joined::{joins, sentences};
pub use self::keep::{Lasts, is_of_the_person, lasts, numbers_named, passes};
pub use self::mood::{Mood, declares_done, mood, steps_back, without_lead};
pub use self::orders::{
    NoteEdit, TextChange, change_ordered, group_label, leaves_setup, new_name, note_edit, person_named,
    specification_text,
};
pub use self::remark::{acknowledges, confirms, is_small_talk, only_praises, takes_leave, thanks, wishes};
pub use self::taken::{saves_what_was_said, taken_topic, takes_it_back};
pub use self::tier::{
    CONTEXT_TOKENS_MAX, ContextTier, NOTE_CHARACTERS_MAX, NOTES_IN_CONTEXT, SEED_CHARACTERS_MAX, TURNS_IN_CONTEXT, tier,
};
pub use self::wall::{forbidden, never_said};
use crate::classify::Context;

/// Below this a reading is general conversation (CP-04).
pub const CONFIDENCE_THRESHOLD: f32 = 0.7;

/// The label of what begins a project.
pub const CREATE: &str = "create_project";

/// What is said when no reply could be made; nothing else happens then (CP-04).
pub const RESPONSE_FAILED: &str = "I'm having trouble thinking right now \u{2014} can you try again in a moment?";

/// What the companion makes of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Understanding {
    /// The label.
    #[serde(skip)]
    pub intent: &'static str,
    /// How sure; below the threshold it is general conversation's.
    #[serde(skip)]
    pub confidence: f32,
    /// Whether it is voiced but not carried out yet.
    pub stub: bool,
    /// Whether something was classified at all.
    pub classifier_called: bool,
    /// What it carries.
    pub parameters: Parameters,
    /// Whether it first has to be asked which project is meant.
    pub asks_which_project: bool,
}

/// What a message carries (CP-05).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parameters {
    /// The substance to keep, without the frame around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub knowledge_text: Option<String>,
    /// What is wanted in hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact_description: Option<String>,
}

/// What `text` comes to when it reads as `label` with `confidence`; `None` as label is a failed classification.
#[must_use]
pub fn understand(text: &str, label: Option<(&str, f32)>, context: &Context) -> Understanding {
    if let Some(hint) = context.intent_hint.as_deref().and_then(intent) {
        return understanding(text, hint, 1.0, false, context);
    }
    let Some((label, confidence)) = label else { return understanding(text, &GENERAL, 0.0, true, context) };
    let sure = intent(label).filter(|_| confidence >= CONFIDENCE_THRESHOLD);
    // Nothing is begun for somebody who only asks or tells something.
    let sure = sure.filter(|intent| intent.label != CREATE || could_begin(text));
    understanding(text, sure.unwrap_or(&GENERAL), confidence, true, context)
}

/// "Show me the report" is a download where one exists, and a question about progress where none does (CP-17). `None`
/// when the message does not depend on it.
#[must_use]
pub fn by_what_exists(text: &str, context: &Context) -> Option<&'static str> {
    if !extract::shows_a_document(text) {
        return None;
    }
    let exists = context.artifact_exists.or_else(|| (!context.artifacts.is_empty()).then_some(true))?;
    Some(if exists { "request_download" } else { "ask_about_progress" })
}

fn understanding(
    text: &str,
    intent: &Intent,
    confidence: f32,
    classifier_called: bool,
    context: &Context,
) -> Understanding {
    let parameters = match intent.parameter {
        Parameter::None => Parameters::default(),
        Parameter::KnowledgeText => Parameters { knowledge_text: Some(knowledge_text(text)), ..Parameters::default() },
        Parameter::ArtifactDescription => {
            Parameters { artifact_description: artifact_description(text), ..Parameters::default() }
        }
    };
    Understanding {
        intent: intent.label,
        confidence,
        stub: intent.standing == Standing::Stub,
        classifier_called,
        parameters,
        asks_which_project: intent.needs_project && context.project == Some(false),
    }
}

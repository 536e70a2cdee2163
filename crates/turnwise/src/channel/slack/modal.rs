//! Forms: a button opens one, and what is typed into it is what the person would have said. One field for each question
//! that is asked, or the whole text of an item to be changed. What a form carries is our signed reference; it is
//! checked as a button is. Next: `press`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnwise_core::{EffectClass, InputKey, PendingKind, PersonId, Step, Verdict, text as words};

use super::payload::{Interaction, Pressed, View};
use super::press::{ALREADY, NO_LONGER, no_longer, told};
use super::receive::SURFACE;
use super::{Place, Slack, blocks};
use crate::driver::{DriverError, Reference, Session};

/// What a form is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Form {
    /// The answer to a question in one's own words.
    Answer,
    /// The text of what a step would create.
    Edit(u32),
}

/// What a form keeps while it is filled in.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    form: Form,
    reference: String,
    place: Place,
}

impl Form {
    /// The form that a button of this name opens.
    pub(super) fn of(action: &str) -> Option<Self> {
        let mut parts = action.split(':');
        match parts.next()? {
            "answer" => Some(Self::Answer),
            "edit" => Some(Self::Edit(parts.next()?.parse().ok()?)),
            _ => None,
        }
    }
}

/// The steps whose text can be edited, with what each is called.
pub(super) fn editable(steps: &[Step]) -> Vec<(u32, String)> {
    let text = |step: &Step| step.arguments.get(blocks::TEXT).filter(|_| step.effect != EffectClass::Pure).cloned();
    let name = |text: &str| {
        let first = text.lines().next().unwrap_or_default();
        first.split_once(": ").map_or(first, |(_, name)| name).to_owned()
    };
    steps.iter().filter_map(|step| Some((step.id.number(), name(&text(step)?)))).collect()
}

/// Opens a form; gives what whoever pressed is told alone.
pub(super) async fn open(
    slack: &Arc<Slack>,
    place: &Place,
    user: &str,
    action: &Pressed,
    form: Form,
    trigger: Option<&str>,
) -> Option<String> {
    let (Ok(reference), Some(trigger)) = (action.value.parse::<Reference>(), trigger) else {
        return Some(NO_LONGER.to_owned());
    };
    if let Some(told) = slack.outside(place, user).await {
        return Some(told);
    }
    let session = match slack.threads.thread(&place.name()).await {
        Ok(session) => session,
        Err(error) => return Some(told(&error)),
    };
    if let Some(told) = no_longer(&session, &reference) {
        return Some(told.to_owned());
    }
    let fields = match fields(&session, &reference, form) {
        Ok(fields) => fields,
        Err(told) => return Some(told),
    };
    let kept = Kept { form, reference: action.value.clone(), place: place.clone() };
    let title = if form == Form::Answer { "Your answer" } else { "Change it" };
    // Names, numbers and a reference: there is nothing in them that could not be written.
    let kept = serde_json::to_string(&kept).unwrap_or_default();
    match slack.open_view(trigger, &view(title, &kept, &fields)).await {
        Ok(()) => None,
        Err(error) => Some(format!("The form could not be opened ({error}). Say it in the thread instead.")),
    }
}

/// A field of a form: what is asked, and what stands in it.
struct Field {
    label: String,
    filled: String,
}

fn fields(session: &Session, reference: &Reference, form: Form) -> Result<Vec<Field>, String> {
    let state = session.conversation();
    match form {
        Form::Edit(number) => {
            let step = state.plan().and_then(|plan| plan.steps().iter().find(|step| step.id.number() == number));
            let text = step.and_then(|step| step.arguments.get(blocks::TEXT)).ok_or(NO_LONGER)?;
            if text.chars().count() > FIELD_CHARACTERS_MAX {
                return Err(format!(
                    "That is too long for a form of Slack, which takes {FIELD_CHARACTERS_MAX} characters. Say in the \
                     thread what should be different."
                ));
            }
            Ok(vec![Field { label: "As it would be created".to_owned(), filled: text.clone() }])
        }
        Form::Answer => {
            let open = state.pending().iter().find(|open| open.id == reference.decision().pending).ok_or(NO_LONGER)?;
            let question = match &open.kind {
                PendingKind::Clarification { clarification } => clarification.question.clone(),
                _ => "What should be different?".to_owned(),
            };
            let asked = numbered(&question);
            let asked = if asked.is_empty() { vec![question] } else { asked };
            Ok(asked.into_iter().map(|label| Field { label, filled: String::new() }).collect())
        }
    }
}

/// The questions of a text that numbers them.
fn numbered(question: &str) -> Vec<String> {
    let line = |line: &str| {
        let (number, rest) = line.split_once(". ")?;
        number.parse::<u32>().is_ok().then(|| rest.to_owned())
    };
    question.lines().filter_map(line).collect()
}

fn view(title: &str, kept: &str, fields: &[Field]) -> Value {
    let block = |(at, field): (usize, &Field)| {
        let mut element = json!({ "type": "plain_text_input", "action_id": FIELD, "multiline": true,
            "max_length": FIELD_CHARACTERS_MAX });
        if !field.filled.is_empty() {
            element["initial_value"] = json!(field.filled);
        }
        let label = words::clip(&field.label, LABEL_CHARACTERS_MAX);
        json!({ "type": "input", "block_id": block_id(at), "element": element,
            "label": { "type": "plain_text", "text": label } })
    };
    let blocks: Vec<Value> = fields.iter().enumerate().map(block).collect();
    let plain = |text: &str| json!({ "type": "plain_text", "text": text });
    json!({ "type": "modal", "callback_id": "turnwise", "title": plain(title), "submit": plain("Send"),
        "close": plain("Cancel"), "private_metadata": kept, "blocks": blocks })
}

fn block_id(at: usize) -> String {
    format!("field-{}", at + 1)
}

/// Does what a form says; gives what Slack is to show in it where it stays open.
pub(super) async fn submitted(slack: &Arc<Slack>, interaction: Interaction) -> Option<Value> {
    let Interaction { user, team, view, .. } = interaction;
    let view = view?;
    let first = block_id(0);
    let stays = |told: &str| Some(json!({ "response_action": "errors", "errors": { first.as_str(): told } }));
    let kept = serde_json::from_str::<Kept>(&view.private_metadata).ok();
    // A form that we did not make, or of another workspace, is told the same as one that is over.
    let Some(kept) = kept.filter(|kept| team.is_some_and(|team| team.id == kept.place.team)) else {
        return stays(NO_LONGER);
    };
    let entered = entered(&view);
    if let Some(empty) = entered.iter().position(|said| said.trim().is_empty()) {
        let told = "Say something, or close the form.";
        return Some(json!({ "response_action": "errors", "errors": { block_id(empty).as_str(): told } }));
    }
    let key = InputKey::new(format!("slack:{}:view:{}:{}", kept.place.team, view.id, user.id));
    match decided(slack, &kept, &user.id, &entered, key).await {
        Some(told) => stays(&told),
        None => None,
    }
}

/// What was typed, field by field.
fn entered(view: &View) -> Vec<String> {
    let field = |at: usize| {
        let entered = view.state.values.get(&block_id(at))?.get(FIELD)?;
        Some(entered.value.clone().unwrap_or_default())
    };
    let mut entered: Vec<String> = (0..view.state.values.len()).filter_map(field).collect();
    if entered.is_empty() {
        entered.push(String::new());
    }
    entered
}

async fn decided(slack: &Arc<Slack>, kept: &Kept, user: &str, entered: &[String], key: InputKey) -> Option<String> {
    let Ok(reference) = kept.reference.parse::<Reference>() else { return Some(NO_LONGER.to_owned()) };
    if let Some(told) = slack.outside(&kept.place, user).await {
        return Some(told);
    }
    slack.spoke(user, &kept.place);
    slack.inbox.settled(&kept.place).await;
    let session = match slack.threads.thread(&kept.place.name()).await {
        Ok(session) => session.on(SURFACE),
        Err(error) => return Some(told(&error)),
    };
    slack.is_held(session.id(), &kept.place);
    if let Some(told) = no_longer(&session, &reference) {
        return Some(told.to_owned());
    }
    let is_plan = session
        .conversation()
        .pending()
        .iter()
        .any(|open| open.id == reference.decision().pending && matches!(open.kind, PendingKind::Approval { .. }));
    let verdict = match (kept.form, entered) {
        (Form::Edit(number), [text, ..]) => Verdict::Change { change: format!("step {number} text: {text}") },
        (Form::Answer, [only]) if is_plan => Verdict::Change { change: only.trim().to_owned() },
        (Form::Answer, [only]) => Verdict::Say { text: only.trim().to_owned() },
        (Form::Answer | Form::Edit(_), several) => {
            let lines = (1..).zip(several).map(|(number, said)| format!("{number}. {}", said.trim()));
            Verdict::Say { text: lines.collect::<Vec<_>>().join(" ") }
        }
    };
    match session.decide_by(&PersonId::new(user), &reference, verdict, key).await {
        Ok(result) if result.duplicate => Some(ALREADY.to_owned()),
        Ok(result) => {
            slack.follow(session, kept.place.clone(), result.first);
            None
        }
        Err(DriverError::Forged) => Some(NO_LONGER.to_owned()),
        Err(error) => Some(told(&error)),
    }
}

/// The name of each field within its block.
const FIELD: &str = "said";
/// Characters of a field.
const FIELD_CHARACTERS_MAX: usize = 3_000;
/// Characters of a field's label.
const LABEL_CHARACTERS_MAX: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_numbered_question_is_a_field_of_its_own() {
        let asked =
            numbered("Before I show you the ticket, I need:\n1. What happens?\n2. How is it seen?\nAnswer in one.");
        assert_eq!(asked, ["What happens?", "How is it seen?"]);
        assert!(numbered("What are the stories called?").is_empty());
    }

    #[test]
    fn buttons_open_forms_by_their_name() {
        assert_eq!(Form::of("answer:abc"), Some(Form::Answer));
        assert_eq!(Form::of("edit:3:abc"), Some(Form::Edit(3)));
        assert_eq!(Form::of("approve:abc"), None);
        assert_eq!(Form::of("edit:x:abc"), None);
    }
}

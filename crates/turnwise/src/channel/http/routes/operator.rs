//! Talking with the assistant that goes along with one person: one request is one message and its whole reply, in a
//! conversation that never ends (CP-01). It is a conversation like any other; this only waits until its turn is over.
//! Next: `talk`.

use std::collections::BTreeMap;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_assistant::{Beside, Unknown};
use turnwise_core::{Card, Event, InputKey, MessageReading, PendingKind, PersonId, RunEvent, RunId, Sequence};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::{idempotency, limits};
use super::{Body, SURFACE, has_left};
use crate::driver::{Recorded, Session, TurnResult};

/// A message, with what the page around it knows.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Converse {
    /// What the person says.
    #[schema(min_length = 1, example = "Remember that the deadline is March 15th.")]
    pub message: String,
    /// The project it is about; the one the talk is about if left out.
    #[serde(default, rename = "project_id")]
    #[schema(pattern = "^[0-9a-z]{1,64}$")]
    pub project: Option<String>,
    /// What it means, where the sender knows: then its words are not read for that.
    #[serde(default)]
    #[schema(example = "add_knowledge", pattern = "^[a-z_]{1,64}$")]
    pub intent_hint: Option<String>,
    /// How it was said; recorded with the message, and read the same either way. Typed if left out.
    #[serde(default)]
    pub medium: Option<Medium>,
}

/// How a message was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// With a keyboard.
    Typed,
    /// Aloud; the words are what was heard.
    Spoken,
}

/// The reply.
#[derive(Debug, Serialize, ToSchema)]
pub struct Conversed {
    /// What the person is told.
    #[serde(rename = "companion_message")]
    pub message: String,
    /// What changed.
    pub side_effects: Vec<SideEffect>,
    /// What could be said next; each works when its `message` is sent.
    pub suggested_actions: Vec<SuggestedAction>,
    /// The project the talk is about.
    #[serde(rename = "project_id", skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// What was said so far of the project that is being set up, by part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft_specification: Option<BTreeMap<String, String>>,
    /// How far its setup is: `drafting` or `ready_for_review`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readiness: Option<&'static str>,
    /// How the message was read; for logs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classified_intent: Option<String>,
    /// Whether this is the reply to an earlier delivery of the same request, given again.
    pub replayed: bool,
}

/// Something that changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SideEffect {
    /// What: `project_created`, `setup_changed`, `project_finalized`, `note_created`, `note_saved`, `note_waiting`,
    /// `note_taken_back`, `note_edited`, `note_grouped`, `group_dropped`, `specification_written`,
    /// `artefact_taken_back`, `personal_fact_kept`, `personal_fact_taken_back`, `project_renamed`, `setup_left`,
    /// `person_invited`, `invitation_withdrawn`, `invitation_declined`, `project_joined`, `project_left`,
    /// `project_dropped`, `project_exported`.
    pub kind: String,
    /// In which project.
    #[serde(rename = "project_id", skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The number of the note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<i64>,
}

/// Something that could be said next.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedAction {
    /// What a button would say.
    pub label: String,
    /// What to send.
    pub message: String,
}

/// Say something to the assistant at your side, and have its whole reply. An `Idempotency-Key` is optional here: with
/// one, the same request sent again gets the first reply again.
#[utoipa::path(
    post, path = "/operator/converse", tag = "talk", operation_id = "converse", request_body = Converse,
    params(("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 200, pattern = "^[!-~]+$",
        description = "The same one to send the same message again")),
    responses(
        (status = 200, body = Conversed), Refusal
    )
)]
pub(super) async fn converse(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(asked): Body<Converse>,
) -> Result<Json<Conversed>, Problem> {
    let message = asked.message.trim();
    if message.is_empty() {
        return Err(Problem::unprocessable("empty", "the message is empty", "say something in `message`"));
    }
    let key = match headers.contains_key(idempotency::HEADER) {
        true => format!("{}:{}", caller.0, idempotency::key(&headers)?),
        false => Session::new_key().as_str().to_owned(),
    };
    let _turn = app.alongside.turn(&caller.0).await;
    let session = alongside(&app, &caller).await?;
    let session = match asked.medium {
        Some(Medium::Spoken) => session.on(SPOKEN),
        Some(Medium::Typed) | None => session,
    };
    check(&session, &caller, &asked).await?;
    if let Some(project) = &asked.project {
        turn_to(&session, &caller, project, &key).await?;
    }
    let said = match &asked.intent_hint {
        Some(label) => format!("{AS} {label} {message}"),
        None => message.to_owned(),
    };
    let result = session.say(&caller.0, &said, InputKey::new(key.clone())).await?;
    app.counts.input(&result);
    settled(&session).await?;
    let mut turn = turn_of(&session, &result).await?;
    if turn.is_declined {
        turn.said = vec![LEFT.to_owned()];
        if session.conversation().question().is_some_and(|open| open.kind == PendingKind::Redirection) {
            session.say(&caller.0, CANCEL, InputKey::new(format!("{key}:left"))).await?;
            settled(&session).await?;
        }
    }
    let beside = session.beside(&caller.0, &turn.runs).await;
    Ok(Json(reply(&session, turn, beside, result.duplicate)))
}

/// One request of a person is answered after the other: each is the whole reply to one message, and one that came in
/// the middle of another would take its place.
pub struct Alongside {
    places: [tokio::sync::Mutex<()>; PLACES],
}

impl Alongside {
    /// Waits until the requests of `person` that came before are answered. People may share a place and wait for each
    /// other, which is slow and harmless.
    async fn turn(&self, person: &PersonId) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = std::hash::DefaultHasher::new();
        person.hash(&mut hasher);
        let at = usize::try_from(hasher.finish() % PLACES as u64).unwrap_or_default();
        self.places[at].lock().await
    }
}

impl Default for Alongside {
    fn default() -> Self {
        Self { places: std::array::from_fn(|_| tokio::sync::Mutex::new(())) }
    }
}

/// Places to wait at: enough that two people seldom share one.
const PLACES: usize = 256;

/// The one conversation of a person with the assistant at their side.
async fn alongside(app: &App, caller: &Caller) -> Result<Session, Problem> {
    let none = || Problem::not_found("assistant that goes along with a person");
    let name = app.host.going_along().ok_or_else(none)?;
    let session = app.host.begin(name, None, &caller.0, ALONGSIDE).await?.ok_or_else(none)?;
    if has_left(app, &caller.0, &session) {
        return Err(none());
    }
    Ok(match &caller.1 {
        Some(surface) => session.through(surface.clone()),
        None => session.on(SURFACE),
    })
}

/// Refuses what names a project or an intent that there is not.
async fn check(session: &Session, caller: &Caller, asked: &Converse) -> Result<(), Problem> {
    let checked = session.check(&caller.0, asked.project.as_deref(), asked.intent_hint.as_deref()).await;
    checked.map_err(|unknown| match unknown {
        Unknown::Project => Problem::not_found("project"),
        Unknown::Intent(nearest) => {
            let hint = nearest.map_or_else(|| "leave it out".to_owned(), |name| format!("did you mean `{name}`?"));
            Problem::unprocessable("unknown_intent", "`intent_hint` is no intent there is", hint)
        }
    })
}

/// Turns the talk to `project`, where it is about another one.
async fn turn_to(session: &Session, caller: &Caller, project: &str, key: &str) -> Result<(), Problem> {
    let about = session.beside(&caller.0, &[]).await.project;
    if about.as_deref() != Some(project) {
        session.say(&caller.0, &format!("{PROJECT} {project}"), InputKey::new(format!("{key}:project"))).await?;
        settled(session).await?;
    }
    Ok(())
}

/// Waits until nothing is worked on.
async fn settled(session: &Session) -> Result<(), Problem> {
    let mut states = session.state();
    let patience = Duration::from_secs(limits::POLL_SECONDS_MAX);
    let waiting = async { states.wait_for(|state| !state.is_busy()).await.map(drop) };
    match tokio::time::timeout(patience, waiting).await {
        // Where nobody writes any more the server is ending; what was said by then is what there is.
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(
            axum::http::StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "the reply takes longer than a request may wait",
            "send it again with the same Idempotency-Key",
        )),
    }
}

/// What happened in one turn.
#[derive(Default)]
struct TurnSeen {
    said: Vec<String>,
    intent: Option<String>,
    runs: Vec<RunId>,
    /// Whether what was asked about was answered with a no: then it is left, and nothing is planned in its place.
    is_declined: bool,
}

/// What followed a message, up to the next one.
async fn turn_of(session: &Session, result: &TurnResult) -> Result<TurnSeen, Problem> {
    let before = Sequence::new(result.first.number().saturating_sub(1));
    let mut seen = TurnSeen::default();
    let mut messages = 0;
    let mut after = before;
    loop {
        let page: Vec<Recorded> = session.page(after).await?;
        let Some(last) = page.last() else { return Ok(seen) };
        after = last.sequence;
        for recorded in page {
            match recorded.event {
                Event::MessageReceived { .. } => messages += 1,
                // A plan is asked about in one sentence below.
                Event::Said { card: Some(Card::Plan(_)), .. } => {}
                Event::Said { text, .. } => seen.said.push(text),
                Event::PendingOpened { pending } if pending.kind == PendingKind::Redirection => seen.is_declined = true,
                Event::MessageRead { reading: MessageReading::Understood { requests, .. }, .. } => {
                    seen.intent = requests.into_iter().next().map(|request| request.intent);
                }
                Event::Run(RunEvent::Approved { run, .. }) => seen.runs.push(run),
                _ => {}
            }
            if messages > 1 {
                return Ok(seen);
            }
        }
    }
}

fn reply(session: &Session, turn: TurnSeen, beside: Beside, replayed: bool) -> Conversed {
    let action = |label: String, message: String| SuggestedAction { label, message };
    let mut suggested: Vec<SuggestedAction> = Vec::new();
    if let Some(PendingKind::Clarification { clarification }) =
        session.conversation().question().map(|question| &question.kind)
    {
        suggested.extend(clarification.offered().into_iter().map(|choice| action(choice.label.clone(), choice.label)));
    }
    let mut said = turn.said;
    if let Some(asked) = asked_to_do(session) {
        said.push(asked);
        suggested.extend(["Yes", "No"].map(|word| action(word.to_owned(), word.to_lowercase())));
    }
    suggested.extend(beside.suggestions.into_iter().map(|next| action(next.label, next.message)));
    let effect = |changed: turnwise_assistant::Changed| SideEffect {
        kind: changed.kind,
        project: changed.project,
        note: changed.note,
    };
    let readiness = beside.setup.as_ref().map(|setup| if setup.is_ready { "ready_for_review" } else { "drafting" });
    Conversed {
        message: said.join("\n"),
        side_effects: beside.changes.into_iter().map(effect).collect(),
        suggested_actions: suggested,
        project: beside.project,
        draft_specification: beside.setup.map(|setup| setup.said.into_iter().collect()),
        readiness,
        classified_intent: turn.intent,
        replayed,
    }
}

/// What waits for a yes or a no, as a question: what is changed for good is not done without one.
fn asked_to_do(session: &Session) -> Option<String> {
    let conversation = session.conversation();
    let question = conversation.question()?;
    // What else is asked is said in words.
    let waits = matches!(question.kind, PendingKind::Approval { .. });
    waits.then(|| conversation.plan().map(|plan| format!("{}. Shall I?", plan.draft().title))).flatten()
}

/// What is said to a no.
const LEFT: &str = "Then I leave it as it is.";
/// What gives up what was planned.
const CANCEL: &str = "cancel";
/// The surface that a message which was said aloud comes from.
const SPOKEN: &str = "voice";
/// Under this key each person's conversation is found again.
const ALONGSIDE: &str = "operator";
/// The command behind which stands what a message means.
const AS: &str = "/as";
/// The command that turns the talk to a project.
const PROJECT: &str = "/project";

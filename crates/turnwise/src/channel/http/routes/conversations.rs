//! Conversations: the list, beginning one, where one stands, forking, exporting, deleting, and who takes part. Next:
//! `talk`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::{AssistantName, ConversationId, InputBody, InputKey, PersonId, Sequence, Timestamp, limits};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::host::TableAtHandView;
use super::super::problem::{Problem, Refusal};
use super::super::view::{self, ConversationView, EventView, StateView};
use super::parameters::{Named, Sending};
use super::talk::submit;
use super::{Asked, Body, Path, conversation, has_left};
use crate::driver::{Deleted, LISTED_MAX, Place, Session};

/// Which assistant to begin with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    /// The assistant; the first there is if left out.
    #[serde(default)]
    #[schema(example = "analyst")]
    pub assistant: Option<String>,
    /// The files it is over, by the `id` that bringing them gave; what the server has at hand if left out.
    #[serde(default)]
    pub data: Option<String>,
}

/// Where to fork.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The last event the fork takes along; all if left out.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub upto: Option<u64>,
}

/// Where a page of a list begins.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    #[serde(default)]
    after: Option<String>,
}

/// A person to let in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The person.
    #[schema(example = "anna", min_length = 1, max_length = 100)]
    pub person: String,
}

/// What a conversation is to be called.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Titling {
    /// The title.
    #[schema(example = "Revenue by region", min_length = 1, max_length = 120)]
    pub title: String,
}

/// A conversation with all that was said and done in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Export {
    /// Where it stands.
    pub state: StateView,
    /// What happened, in order.
    pub events: Vec<EventView>,
}

/// The conversations you take part in, latest activity first, a page of them. Where there are more, the header `Link`
/// has the address of the next page.
#[utoipa::path(
    get, path = "/v1/conversations", tag = "conversations", operation_id = "list_conversations",
    params(("after" = Option<String>, Query, pattern = "^[0-9]{1,13}~.+$", description = "Where the page before ended, as `Link` gives it")),
    responses(
        (status = 200, body = Vec<ConversationView>, headers(
            ("Link" = Option<String>, description = "The next page, with `rel=\"next\"`, where there are more")
        )),
        Refusal
    )
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Asked(page): Asked<Page>,
) -> Result<Response, Problem> {
    let after = page.after.as_deref().map(place).transpose()?;
    let member = app.settings.access.is_shared().then_some(&caller.0);
    let listed = app.host.conversations(member, after).await?;
    let next = listed.last().filter(|_| listed.len() >= LISTED_MAX).map(|last| {
        let at = last.active_at.as_millis();
        [(header::LINK, format!("</v1/conversations?after={at}~{}>; rel=\"next\"", last.id))]
    });
    let page: Vec<ConversationView> = listed.iter().map(ConversationView::new).collect();
    Ok((next, Json(page)).into_response())
}

/// The place that the address of a page names.
fn place(text: &str) -> Result<Place, Problem> {
    let parts = text.split_once('~').and_then(|(at, id)| Some((at.parse().ok()?, id)));
    let (at, id) = parts.ok_or_else(|| {
        Problem::bad_request("`after` names no place in the list", "take it from `Link`, or leave it out")
    })?;
    Ok(Place { active_at: Timestamp::from_millis(at), id: ConversationId::new(id) })
}

/// Begin a conversation. It is kept from now on, and you take part in it.
#[utoipa::path(
    post, path = "/v1/conversations", tag = "conversations", operation_id = "begin_conversation",
    request_body = Beginning,
    params(Sending),
    responses(
        (status = 201, body = StateView), Refusal
    )
)]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(beginning): Body<Beginning>,
) -> Result<(StatusCode, Json<StateView>), Problem> {
    let names = app.host.assistants();
    let name =
        beginning.assistant.clone().map(AssistantName::new).or_else(|| names.first().map(|known| known.name.clone()));
    let key = super::super::idempotency::key(&headers)?;
    let begun = match &name {
        Some(name) => app.host.begin(name, beginning.data.as_deref(), &caller.0, &key).await?,
        None => None,
    };
    let Some(session) = begun else {
        if let Some(data) = beginning.data {
            let told = format!("there are no files under `{data}` that this assistant reads");
            return Err(Problem::unprocessable("no_such_data", told, "bring them again").at("/data"));
        }
        let known: Vec<&str> = names.iter().map(|known| known.name.as_str()).collect();
        let hint = format!("there is {}", known.join(", "));
        return Err(Problem::unprocessable("unknown_assistant", "there is no such assistant here", hint));
    };
    // What was begun before under this key may have been left since.
    if has_left(&app, &caller.0, &session) {
        return Err(Problem::not_found("conversation"));
    }
    let (_, session) = submit(&app, &caller, session, &headers, InputBody::Join { person: caller.0.clone() }).await?;
    Ok((StatusCode::CREATED, Json(shown(&session).await?)))
}

/// Where a conversation stands.
#[utoipa::path(
    get, path = "/v1/conversations/{id}", tag = "conversations", operation_id = "get_conversation",
    params(Named),
    responses(
        (status = 200, body = StateView), Refusal
    )
)]
pub(super) async fn state(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<StateView>, Problem> {
    Ok(Json(shown(&conversation(&app, &caller, &id).await?).await?))
}

/// Delete a conversation for good, with all that was said in it. Refused while work is under way: stop it first.
#[utoipa::path(
    delete, path = "/v1/conversations/{id}", tag = "conversations", operation_id = "delete_conversation",
    params(Named),
    responses(
        (status = 204), Refusal
    )
)]
pub(super) async fn delete(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    match app.host.delete(session.id()).await? {
        Deleted::Gone => Ok(StatusCode::NO_CONTENT),
        Deleted::NotThere => Err(Problem::not_found("conversation")),
        Deleted::Busy => Err(Problem::conflict("busy", "work of it is under way", "stop it first")),
    }
}

/// Fork a conversation: a copy up to some event, which goes its own way from there.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/fork", tag = "conversations", operation_id = "fork_conversation",
    request_body = Fork,
    params(Named, Sending),
    responses(
        (status = 201, body = StateView), Refusal
    )
)]
pub(super) async fn fork(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(fork): Body<Fork>,
) -> Result<(StatusCode, Json<StateView>), Problem> {
    let session = conversation(&app, &caller, &id).await?;
    if fork.upto.is_some_and(|upto| upto == 0 || upto > session.conversation().sequence().number()) {
        return Err(Problem::unprocessable("no_such_event", "there is no event with this number", "leave `upto` out"));
    }
    let key = super::super::idempotency::key(&headers)?;
    let copy = app.host.fork(&session, fork.upto.map(Sequence::new), &caller.0, &key).await?;
    let session = conversation(&app, &caller, copy.as_str()).await?;
    Ok((StatusCode::CREATED, Json(shown(&session).await?)))
}

/// All that was said and done, and where it stands.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/export", tag = "conversations", operation_id = "export_conversation",
    params(Named),
    responses(
        (status = 200, body = Export), Refusal
    )
)]
pub(super) async fn export(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Export>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let state = shown(&session).await?;
    let events = session.history().await?.iter().filter_map(view::event).collect();
    Ok(Json(Export { state, events }))
}

/// What a conversation can be asked about.
#[derive(Debug, Serialize, ToSchema)]
pub struct DataView {
    /// The tables, with their first rows.
    pub tables: Vec<TableAtHandView>,
    /// Questions that work on them.
    pub examples: Vec<String>,
}

/// The tables a conversation can be asked about, and questions that work on them.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/data", tag = "conversations", operation_id = "get_conversation_data",
    params(Named),
    responses(
        (status = 200, body = DataView), Refusal
    )
)]
pub(super) async fn data(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<DataView>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let (tables, examples) = app.host.at_hand_in(&session).await;
    Ok(Json(DataView { tables, examples }))
}

/// Call a conversation otherwise than its first message.
#[utoipa::path(
    put, path = "/v1/conversations/{id}/title", tag = "conversations", operation_id = "rename_conversation",
    request_body = Titling,
    params(Named, Sending),
    responses(
        (status = 200, body = StateView), Refusal
    )
)]
pub(super) async fn rename(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(titling): Body<Titling>,
) -> Result<Json<StateView>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let title = titling.title.trim();
    if title.is_empty() || title.chars().count() > limits::TITLE_GIVEN {
        let told = format!("a title has 1 to {} characters", limits::TITLE_GIVEN);
        return Err(Problem::unprocessable("invalid", told, "send a shorter `title`").at("/title"));
    }
    let renaming = InputBody::Rename { person: caller.0.clone(), title: title.to_owned() };
    let (_, session) = submit(&app, &caller, session, &headers, renaming).await?;
    Ok(Json(shown(&session).await?))
}

/// Let a person in: from now on they may read the conversation and speak in it.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/members", tag = "conversations", operation_id = "admit_member",
    request_body = Member,
    params(Named, Sending),
    responses(
        (status = 200, body = StateView), Refusal
    )
)]
pub(super) async fn admit(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(member): Body<Member>,
) -> Result<Json<StateView>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let person = member.person.trim();
    let is_name = !person.is_empty() && !person.chars().any(char::is_control);
    if !is_name || person.chars().count() > PERSON_CHARACTERS_MAX {
        let told = "a person's name has 1 to 100 characters, none of them for control";
        return Err(Problem::unprocessable("invalid", told, "name the person as their token does"));
    }
    let person = PersonId::new(person);
    let (_, session) = submit(&app, &caller, session, &headers, InputBody::Join { person: person.clone() }).await?;
    if !session.conversation().members().contains(&person) {
        let told = "as many people take part as one conversation can have";
        return Err(Problem::conflict("full", told, "fork it, and let the person into the fork"));
    }
    Ok(Json(shown(&session).await?))
}

/// Leave a conversation: it is not there any more for whoever left. What they said and did in it stays for the others,
/// who may let them in again. Only they themselves can leave; a conversation with nobody else in it is deleted instead.
#[utoipa::path(
    delete, path = "/v1/conversations/{id}/members/{person}", tag = "conversations", operation_id = "leave",
    params(Named, ("person" = String, Path, description = "Your own name, as your token has it")),
    responses((status = 204, description = "You take part no longer"), Refusal)
)]
pub(super) async fn leave(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, person)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    if person != caller.0.as_str() {
        let told = format!("only {person} can leave for {person}");
        return Err(Problem::new(StatusCode::FORBIDDEN, "not_yours", told, "name yourself, as your token does"));
    }
    if session.conversation().members().iter().all(|member| *member == caller.0) {
        let told = "nobody else takes part in this conversation, so that nobody could find it any more";
        return Err(Problem::conflict("last", told, "delete the conversation instead"));
    }
    // The same request again finds nothing to leave, so it needs no key of its own.
    let key = InputKey::new(format!("{}:left:{}", caller.0, session.conversation().sequence()));
    session.submit(InputBody::Leave { person: caller.0.clone() }, key, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn shown(session: &Session) -> Result<StateView, Problem> {
    Ok(StateView::of(session).await?)
}

/// Long enough for an address, short enough for a list.
const PERSON_CHARACTERS_MAX: usize = 100;

//! Files that people bring to ask about. They are kept on the server for the conversation that begins over them, and go
//! with it. Next: `conversations`, which begins one.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::guard::Caller;
use super::super::host::NotKept;
use super::super::problem::{Problem, Refusal};
use super::super::{App, limits};
use super::Asked;

/// What a file is called, and which it is to be beside.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bringing {
    name: String,
    #[serde(default)]
    beside: Option<String>,
}

/// What files that were brought together are known by.
#[derive(Debug, Serialize, ToSchema)]
pub struct FilesId(String);

/// Files that were brought.
#[derive(Debug, Serialize, ToSchema)]
pub struct Brought {
    /// What `data` of a new conversation names them by.
    pub id: FilesId,
    /// The files, by name.
    pub files: Vec<String>,
}

/// Bring a file to ask about: its bytes are the body. `{"data": id}` begins a conversation over it; `beside` adds
/// another file to those that were brought under that id. What is never asked about is removed when the server starts
/// anew.
#[utoipa::path(
    post, path = "/v1/uploads", tag = "conversations", operation_id = "bring_file",
    params(
        (
            "name" = String, Query, min_length = 1, max_length = 120,
            description = "What the file is called; its ending says what is in it"
        ),
        ("beside" = Option<String>, Query, description = "The `id` of files that were brought before")
    ),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = Brought), Refusal)
)]
pub(super) async fn upload(
    State(app): State<Arc<App>>,
    Extension(_caller): Extension<Caller>,
    Asked(bringing): Asked<Bringing>,
    body: axum::body::Body,
) -> Result<(StatusCode, Json<Brought>), Problem> {
    let Some(takes) = app.host.takes_files() else {
        let hint = "start the server with an assistant that reads files";
        return Err(Problem::unprocessable("no_files", "no assistant here reads files that are brought", hint));
    };
    let patience = Duration::from_secs(limits::UPLOAD_SECONDS_MAX);
    let reading = axum::body::to_bytes(body, limits::UPLOAD_BYTES_MAX);
    let bytes = match tokio::time::timeout(patience, reading).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            let told =
                format!("that file is larger than {} MB, or did not arrive whole", limits::UPLOAD_BYTES_MAX >> 20);
            return Err(Problem::too_large(told));
        }
        Err(_) => {
            let hint = "send it again, or start the server with --data";
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the file took too long to arrive", hint));
        }
    };
    let kept = app.host.keep_file(&bringing.name, bringing.beside.as_deref(), &bytes).await;
    let (id, files) = kept.map_err(|why| refused(why, &takes.endings))?;
    Ok((StatusCode::CREATED, Json(Brought { id: FilesId(id), files })))
}

fn refused(why: NotKept, endings: &[&str]) -> Problem {
    match why {
        NotKept::Name => {
            let hint = format!("call it by a name without a folder that ends in one of {}", endings.join(", "));
            Problem::bad_request("that is no name of a file that can be read", hint)
        }
        NotKept::TooMany => {
            let told = format!("at most {} files are brought together", limits::UPLOAD_FILES_MAX);
            Problem::unprocessable("too_many_files", told, "begin a conversation over these first")
        }
        NotKept::Nothing => Problem::not_found("upload"),
        NotKept::Unreadable(told) => Problem::unprocessable("unreadable", told, "mend the file and bring it again"),
        NotKept::Disk(told) => {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", told, "nothing was kept; try again later")
        }
    }
}

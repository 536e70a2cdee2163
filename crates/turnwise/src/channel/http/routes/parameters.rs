//! Parameters that many routes share, described once: which conversation, and what everything a person does brings
//! along. Next: `mod`.

use utoipa::IntoParams;

/// Which conversation.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the path; it is read by `Path`")]
pub(super) struct Named {
    /// The conversation
    id: String,
}

/// What everything a person does brings along.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "describes the headers; they are read by `idempotency` and `guard`")]
pub(super) struct Sending {
    /// A new one for each new input; the same one to send the same input again
    #[param(rename = "Idempotency-Key", min_length = 1, max_length = 200, pattern = "^[!-~]+$")]
    idempotency_key: String,
    /// What people call the program, and a mark of this opening of it: what is decided through it is told as such in
    /// other windows; `web` if left out
    #[param(rename = "Turnwise-Surface", pattern = "^[a-z]{1,20} [0-9a-z]{1,32}$", example = "terminal 0a1b2c3d4e5f")]
    surface: Option<String>,
}

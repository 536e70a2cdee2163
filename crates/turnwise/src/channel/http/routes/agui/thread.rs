//! Which conversation a thread is. A thread's name belongs to whoever says it: the conversation follows from the person
//! and the name, so it is found again after a restart and on every replica, and nobody can come into another's by
//! guessing. A thread that is called as conversations are is that conversation. Next: `taken`.

use turnwise_core::AssistantName;

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::Problem;
use super::super::{conversation, has_left};
use super::SURFACE;
use super::ids::ThreadId;
use crate::driver::Session;

/// The conversation that `thread` is for the caller: with the assistant of this name, or the first there is.
pub(super) async fn session(
    app: &App,
    caller: &Caller,
    assistant: Option<&str>,
    thread: &ThreadId,
) -> Result<Session, Problem> {
    let name = served(app, assistant)?;
    let session = if names_conversation(thread.as_str()) {
        let session = conversation(app, caller, thread.as_str()).await?;
        let is_with = assistant.is_none() || session.conversation().assistant() == name;
        is_with.then_some(session).ok_or_else(|| Problem::not_found("conversation"))?
    } else {
        // No header can hold a blank in a key, so that no conversation begun otherwise is meant by it.
        let begun = app.host.begin(name, None, &caller.0, &format!("agui {name} {thread}")).await?;
        let session = begun.ok_or_else(|| unknown(app, name.as_str()))?;
        if has_left(app, &caller.0, &session) {
            return Err(Problem::not_found("thread"));
        }
        session.below(caller.2)
    };
    Ok(match &caller.1 {
        Some(surface) => session.through(surface.clone()),
        None => session.on(SURFACE),
    })
}

fn served<'a>(app: &'a App, assistant: Option<&str>) -> Result<&'a AssistantName, Problem> {
    let all = app.host.assistants();
    let found = match assistant {
        Some(wanted) => all.iter().find(|known| known.name.as_str() == wanted),
        None => all.first(),
    };
    found.map(|known| &known.name).ok_or_else(|| unknown(app, assistant.unwrap_or_default()))
}

fn unknown(app: &App, assistant: &str) -> Problem {
    let known: Vec<&str> = app.host.assistants().iter().map(|known| known.name.as_str()).collect();
    let told = format!("there is no assistant `{assistant}` here");
    Problem::new(axum::http::StatusCode::NOT_FOUND, "unknown_assistant", told, format!("there is {}", known.join(", ")))
}

/// Whether a thread is called as conversations are: 32 hexadecimal digits, as one number or as a UUID, and the mark of
/// what it is over.
fn names_conversation(thread: &str) -> bool {
    let is_hexadecimal = |text: &str| text.bytes().all(|letter| letter.is_ascii_hexdigit());
    let Some((id, mark)) = thread.rsplit_once('-') else { return false };
    let digits = id.bytes().filter(|letter| *letter != b'-').count();
    let is_id = digits == ID_DIGITS && (id.len() == ID_DIGITS || uuid::Uuid::try_parse(id).is_ok());
    is_id && mark.len() == MARK_DIGITS && is_hexadecimal(mark) && is_hexadecimal(&id.replace('-', ""))
}

/// Digits of the first part of a conversation's id.
const ID_DIGITS: usize = 32;
/// Digits of its mark.
const MARK_DIGITS: usize = 12;

#[cfg(test)]
mod tests {
    use super::names_conversation;

    #[test]
    fn only_what_is_called_as_a_conversation_names_one() {
        for id in ["00112233445566778899aabbccddeeff-0a1b2c3d4e5f", "018f0000-1111-7222-8333-944455556666-0a1b2c3d4e5f"]
        {
            assert!(names_conversation(id), "{id}");
        }
        for name in [
            "",
            "thread-1",
            "018f0000-1111-7222-8333-944455556666",
            "00112233445566778899aabbccddeeff",
            "00112233445566778899aabbccddeeff-0a1b2c3d4e5g",
            "0011223344-5566778899aabbccddeeff-0a1b2c3d4e5f",
            "00112233445566778899aabbccddeefg-0a1b2c3d4e5f",
        ] {
            assert!(!names_conversation(name), "{name}");
        }
    }
}

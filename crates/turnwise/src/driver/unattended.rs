//! Work of conversations that nobody has open: found in the store at the start and with every beat, and taken up by the
//! assistant it was begun with. Without it, what a process left behind would wait until somebody happens to open that
//! very conversation. Who holds a piece of work keeps it: only what was given back or whose lease has run out is found,
//! and of several processes that find it one is granted it. Next: `pulse` for conversations that are open.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use turnwise_core::{AssistantName, ConversationId, Effect, Timestamp};

use super::{DriverError, Shared, limits, pulse};
use crate::store::{Abandoned, Fence, Listing, StoreError};
use turnwise_assistant::Assistant;

/// What a driver asks for the conversations it takes up by itself.
#[async_trait]
pub trait Assistants: Send + Sync + 'static {
    /// The assistant of a conversation that was there before, as it is needed to go on with it.
    ///
    /// # Errors
    /// Why there is none, as a sentence without its full stop.
    async fn of(&self, begun: &Begun) -> Result<Arc<dyn Assistant>, String>;

    /// A conversation whose work is left alone is told: once, until something changes.
    fn left_alone(&self, conversation: &ConversationId, why: &str);
}

/// How a conversation was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The conversation.
    pub conversation: ConversationId,
    /// The assistant it is with.
    pub assistant: AssistantName,
    /// What the assistant read then, in its own words.
    pub sources: Vec<String>,
}

/// What was tried for a conversation: the same is not tried again at once, whatever hindered it.
struct Tried {
    work: Vec<(Effect, Fence)>,
    /// Why it was left alone, where it was.
    why: Option<String>,
    again: Timestamp,
}

/// Why a conversation was not taken up.
enum Hindered {
    /// It concerns this conversation alone.
    Here(String),
    /// The store does not answer, so nothing can be taken up.
    Everywhere(DriverError),
}

/// Looks after such work until the driver closes.
pub(super) async fn watch(shared: Arc<Shared>, assistants: Arc<dyn Assistants>) {
    let mut tried = HashMap::new();
    let mut is_well = true;
    loop {
        let looked = tokio::select! {
            biased;
            () = shared.closing.cancelled() => return,
            looked = look(&shared, &*assistants, &mut tried) => looked,
        };
        pulse::note(&shared, &mut is_well, looked);
        if !pulse::pause(&shared, limits::HEARTBEAT_MS).await {
            return;
        }
    }
}

async fn look(
    shared: &Arc<Shared>,
    assistants: &dyn Assistants,
    tried: &mut HashMap<ConversationId, Tried>,
) -> Result<(), DriverError> {
    let mut left = HashMap::new();
    let mut after: Option<ConversationId> = None;
    loop {
        let page = shared.store.abandoned(shared.now(), after.as_ref()).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.conversation.clone());
        for work in page.chunk_by(|one, other| one.conversation == other.conversation) {
            let id = &work[0].conversation;
            // What is open takes its own work up.
            if shared.cells.get(id).is_some() {
                continue;
            }
            let before = tried.remove(id);
            left.insert(id.clone(), attend(shared, assistants, work, before).await?);
        }
    }
    // What is not found any more is over, or somebody else's.
    *tried = left;
    Ok(())
}

/// Takes the work of one conversation up, unless that was tried just now.
async fn attend(
    shared: &Arc<Shared>,
    assistants: &dyn Assistants,
    found: &[Abandoned],
    before: Option<Tried>,
) -> Result<Tried, DriverError> {
    let id = &found[0].conversation;
    let work: Vec<(Effect, Fence)> = found.iter().map(|one| (one.effect, one.fence)).collect();
    if let Some(before) = before.as_ref()
        && before.work == work
        && before.again > shared.now()
    {
        let Tried { work, why, again } = before;
        return Ok(Tried { work: work.clone(), why: why.clone(), again: *again });
    }
    let hindered = match found.iter().all(is_worn_out) {
        true => Err(Hindered::Here(WORN_OUT.to_owned())),
        false => take_up(shared, assistants, id).await,
    };
    let why = match hindered {
        Ok(()) => None,
        Err(Hindered::Here(why)) => Some(why),
        Err(Hindered::Everywhere(error)) => return Err(error),
    };
    let told = before.and_then(|before| before.why);
    if let Some(why) = why.as_ref().filter(|why| told.as_ref() != Some(*why)) {
        assistants.left_alone(id, why);
    }
    let again = Timestamp::from_millis(shared.now().as_millis() + limits::LEFT_AGAIN_MS);
    Ok(Tried { work, why, again })
}

async fn take_up(shared: &Arc<Shared>, assistants: &dyn Assistants, id: &ConversationId) -> Result<(), Hindered> {
    // It may have been deleted since it was found.
    let Some(begun) = begun(shared, id).await? else { return Ok(()) };
    let assistant = assistants.of(&begun).await.map_err(Hindered::Here)?;
    // Work that begins keeps the conversation open until it is over.
    shared.open(id, assistant).await?;
    Ok(())
}

/// How the conversation `id` was begun; `None` when there is none of that id.
pub(super) async fn begun(shared: &Shared, id: &ConversationId) -> Result<Option<Begun>, DriverError> {
    let listed = shared.store.conversations(&Listing::of(id.clone())).await?;
    let (Some(summary), Some(loaded)) = (listed.into_iter().next(), shared.store.load(id).await?) else {
        return Ok(None);
    };
    let state = loaded.fold(id, &summary.assistant)?;
    let sources = state.sources().to_vec();
    Ok(Some(Begun { conversation: id.clone(), assistant: summary.assistant, sources }))
}

/// Whether work was taken up so often without coming to an end that it may be what ends the processes. A time that is
/// waited for ends none.
fn is_worn_out(work: &Abandoned) -> bool {
    let is_wait = matches!(work.effect, Effect::WakeAt { .. } | Effect::ExpireAt { .. });
    !is_wait && work.fence.number() > limits::UNATTENDED_CLAIMS_MAX
}

impl From<DriverError> for Hindered {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Store(StoreError::Damaged { .. } | StoreError::Encoding(_))
            | DriverError::OtherAssistant { .. }
            | DriverError::Contended { .. }
            | DriverError::Illegal(_)
            | DriverError::Panicked(_)
            | DriverError::Gone => Self::Here(error.to_string()),
            DriverError::Store(_)
            | DriverError::ReportFromSurface
            | DriverError::ForkAtWork
            | DriverError::TooLong { .. }
            | DriverError::KeyReused
            | DriverError::TakenOver
            | DriverError::ShutDown
            | DriverError::Forged => Self::Everywhere(error),
        }
    }
}

impl From<StoreError> for Hindered {
    fn from(error: StoreError) -> Self {
        DriverError::from(error).into()
    }
}

const WORN_OUT: &str = "its work was taken up again and again and never came to an end; opening it goes on with it";

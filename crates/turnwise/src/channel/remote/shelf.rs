//! The shelf of a server: the conversations that the person of the token takes part in there. The ones used last are
//! asked about one by one, because the server's list says nothing of open questions. Next: `channel::shelf`.

use async_trait::async_trait;
use futures_util::future::join_all;
use turnwise_core::{ConversationId, Timestamp};

use super::calls::{Calls, Refused};
use super::wire::{Listed, Standing};
use super::{Server, open};
use crate::channel::Opened;
use crate::channel::link::Which;
use crate::channel::shelf::{Kept, Shelf, Stands};
use turnwise_assistant::Failure;

/// The person's conversations on a server.
pub struct RemoteShelf {
    server: Server,
}

impl RemoteShelf {
    /// Of `server`, which is first called when it is asked.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self { server }
    }
}

#[async_trait]
impl Shelf for RemoteShelf {
    async fn kept(&self) -> Result<Vec<Kept>, Failure> {
        let calls = Calls::new(self.server.address.clone(), self.server.token.as_deref())?;
        calls.greet().await.map_err(Refused::into_failure)?;
        let listed: Vec<Listed> = calls.get("/v1/conversations").await.map_err(Refused::into_failure)?;
        // The list knows no open questions, only phases: those used last are looked at one by one.
        let looked = listed.iter().take(LOOKED_AT_MAX).map(|listed| async {
            let found: Result<Standing, Refused> = calls.get(&format!("/v1/conversations/{}", listed.id)).await;
            found.ok()
        });
        let mut looked = join_all(looked).await.into_iter();
        let kept = listed.into_iter().map(|listed| Kept {
            stands: looked.next().flatten().map_or_else(|| by_phase(&listed.phase), |standing| stands(&standing)),
            active_at: moment(&listed.active_at),
            id: ConversationId::new(listed.id),
            title: listed.title,
            assistant: listed.assistant,
        });
        Ok(kept.collect())
    }

    async fn open(&self, id: &ConversationId) -> Result<Opened, Failure> {
        open(self.server.clone(), None, &Which::Named(id.to_string()), None).await
    }
}

fn stands(standing: &Standing) -> Stands {
    match (standing.pending.is_empty(), standing.busy) {
        (false, _) => Stands::Asks,
        (true, true) => Stands::Works,
        (true, false) => Stands::Rests,
    }
}

fn by_phase(phase: &str) -> Stands {
    match phase {
        "awaiting_approval" | "failed" => Stands::Asks,
        "planning" | "executing" => Stands::Works,
        _ => Stands::Rests,
    }
}

/// A moment as the server writes it; one that is none is so long ago that nobody takes it for the latest.
fn moment(written: &str) -> Timestamp {
    let moment: Result<jiff::Timestamp, _> = written.parse();
    Timestamp::from_millis(moment.map_or(0, |moment| moment.as_millisecond()))
}

/// Conversations looked at one by one: as many as a server answers at once without complaint.
const LOOKED_AT_MAX: usize = 20;

//! `turnwise acp`: conversations in an editor, by the Agent Client Protocol over standard input and output. Each
//! session of the editor works in the folder it names. Next: `channel::editor`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::Args;
use tokio::sync::Mutex;

use super::args::{DataArguments, FlowArguments, StoreArguments};
use super::open;
use crate::assistant;
use crate::channel::editor::{Held, Host, Kept, serve};
use crate::channel::link::Which;
use crate::driver::{Driver, Listing, Over};
use crate::store::Summary;
use turnwise_assistant::{Failure, FailureKind, Kind, Opened};
use turnwise_core::{AssistantName, Conversation, ConversationId};

/// `turnwise acp`.
#[derive(Clone, Debug, Args)]
pub struct AcpArguments {
    /// The assistant; without one, the one for code
    #[arg(long, value_name = "NAME")]
    pub assistant: Option<String>,
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    #[command(flatten)]
    pub flow: FlowArguments,
}

/// The conversations of this process, as the editor gets them.
struct Desk {
    driver: Driver,
    kind: Kind,
    arguments: AcpArguments,
    /// By the folder they are over: several sessions of one folder share one.
    opened: Mutex<BTreeMap<PathBuf, Opened>>,
}

/// Serves until standard input is closed.
///
/// # Errors
/// When there is no such assistant, or the store cannot be opened.
pub async fn acp(arguments: AcpArguments) -> Result<ExitCode, Failure> {
    let kind = match &arguments.assistant {
        Some(name) => assistant::named(name)?,
        None => assistant::in_editors(),
    };
    let driver = open::driver(&arguments.store)?;
    let desk = Arc::new(Desk { driver, kind, arguments, opened: Mutex::default() });
    let served = serve(Arc::clone(&desk), open::person()).await;
    let ended = desk.driver.shutdown().await;
    served?;
    ended?;
    Ok(ExitCode::SUCCESS)
}

impl Desk {
    /// What the sessions of a folder work on: what was named at the start, else the folder.
    fn data(&self, folder: &Path) -> DataArguments {
        let mut data = self.arguments.data.clone();
        if data.data.is_empty() && !data.sample {
            data.data = vec![folder.to_owned()];
        }
        data
    }

    /// The assistant over `folder`, and what was noticed if it was opened for this.
    async fn over(&self, folder: &Path) -> Result<Opened, Failure> {
        let mut opened = self.opened.lock().await;
        if let Some(known) = opened.get(folder) {
            return Ok(Opened { noticed: None, ..known.clone() });
        }
        let kept = open::Kept::beside(&self.arguments.store, None)?;
        let fresh = open::load(self.kind.name, &self.data(folder), self.arguments.flow, kept).await?;
        opened.insert(folder.to_owned(), fresh.clone());
        Ok(fresh)
    }

    /// A conversation as it is listed; none where its log does not say what it is over.
    async fn kept(&self, summary: Summary, folder: Option<&Path>) -> Result<Option<Kept>, Failure> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => {
                let Some(loaded) = self.driver.store().load(&summary.id).await? else { return Ok(None) };
                let state: Conversation = loaded.fold(&summary.id, &summary.assistant)?;
                let Some(source) = state.sources().first() else { return Ok(None) };
                PathBuf::from(source)
            }
        };
        Ok(Some(Kept { id: summary.id, folder, title: summary.title, active_at: summary.active_at }))
    }
}

#[async_trait]
impl Host for Desk {
    async fn conversation(&self, folder: &Path, id: Option<&str>) -> Result<Held, Failure> {
        let opened = self.over(folder).await?;
        let which = id.map_or(Which::New, |id| Which::Named(id.to_owned()));
        if let Some(id) = id
            && !opened.is_over(&ConversationId::new(id))
        {
            let told = format!("the conversation {id} is not over {}", folder.display());
            return Err(Failure::new(FailureKind::Usage, told).hint("session/list says which folder each is over"));
        }
        let person = open::person();
        // As in a chat: an assistant at the side of one person goes on with what that person said.
        let member = opened.assistant.goes_along().then_some(&person);
        let chosen = open::choose(&self.driver, opened.assistant.name(), &opened.mark, &which, member).await?;
        let session = self.driver.open(chosen.id, Arc::clone(&opened.assistant)).await?;
        Ok(Held { session, noticed: opened.noticed, commands: opened.assistant.policy().commands.clone() })
    }

    async fn conversations(&self, folder: Option<&Path>) -> Result<Vec<Kept>, Failure> {
        let name = AssistantName::new(self.kind.name);
        let ending = folder.map_or_else(String::new, |folder| format!("-{}", self.kind.mark(&self.data(folder).data)));
        let over = vec![Over { assistant: name, ending }];
        let listing = Listing { over, member: Some(open::person()), ..Listing::default() };
        let mut kept = Vec::new();
        for summary in self.driver.conversations(&listing).await? {
            kept.extend(self.kept(summary, folder).await?);
        }
        Ok(kept)
    }

    async fn delete(&self, id: &str) -> Result<(), Failure> {
        use crate::driver::Deleted;
        let own = Listing { member: Some(open::person()), ..Listing::of(ConversationId::new(id)) };
        if self.driver.conversations(&own).await?.is_empty() {
            return Err(Failure::new(FailureKind::Usage, format!("there is no conversation {id} of yours"))
                .hint("session/list names those there are"));
        }
        match self.driver.delete(&ConversationId::new(id)).await? {
            Deleted::Gone => Ok(()),
            _ => Err(Failure::new(FailureKind::Usage, format!("the conversation {id} cannot be deleted now"))
                .hint("stop what runs in it first; session/list names those that are kept")),
        }
    }
}

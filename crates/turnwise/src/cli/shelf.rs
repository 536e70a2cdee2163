//! This machine's shelf: the conversations of whoever sits here, and the way back into one over what it was begun over,
//! be that open here already or not. Next: `channel::shelf`, `chat`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, Once, PoisonError};

use async_trait::async_trait;
use tokio::sync::mpsc::UnboundedSender;
use turnwise_core::{ConversationId, PersonId};

use super::args::{ChatArguments, DataArguments, FlowArguments};
use super::model::ModelArguments;
use super::open::{self, Kept as Place};
use super::taking_up::TakingUp;
use crate::channel;
use crate::channel::link::{Local, Notices};
use crate::channel::shelf::{Kept, Shelf, Stands};
use crate::channel::vocabulary::Vocabulary;
use crate::driver::{Begun, Driver, Listing, Session};
use turnwise_assistant::{Failure, Opened, Stage};

/// Whether the process stays until a person leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stay {
    /// It does, and goes on with work that nobody else does.
    Person,
    /// It is over with its input: it would only begin what it has to leave again.
    Script,
}

/// The conversations of a person in the store of a driver.
pub struct OwnShelf {
    driver: Arc<Driver>,
    person: PersonId,
    place: Place,
    model: ModelArguments,
    flow: FlowArguments,
    stay: Stay,
    /// The assistants that were opened here, for conversations over the same things.
    here: Mutex<Vec<Opened>>,
    /// Where the talk that is before the person is told what happens in the background.
    out: Arc<Mutex<Option<UnboundedSender<String>>>>,
    looking: Once,
}

impl OwnShelf {
    /// The shelf of `person` over what `driver` drives.
    ///
    /// # Errors
    /// When there is no folder for what assistants keep.
    pub fn new(driver: Arc<Driver>, person: PersonId, arguments: &ChatArguments, stay: Stay) -> Result<Self, Failure> {
        Ok(Self {
            driver,
            person,
            place: Place::beside(&arguments.store, None)?,
            model: arguments.data.model.clone(),
            flow: arguments.flow,
            stay,
            here: Mutex::default(),
            out: Arc::default(),
            looking: Once::new(),
        })
    }

    /// The person's conversations that are wanted, the newest first, each as it stands now.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn listed(driver: &Driver, person: &PersonId) -> Result<Vec<Kept>, Failure> {
        let wanted = Listing { member: Some(person.clone()), ..Listing::default() };
        let mut listed = Vec::new();
        for summary in driver.conversations(&wanted).await? {
            // One that was deleted meanwhile is none any more.
            let Some(loaded) = driver.store().load(&summary.id).await? else { continue };
            let state = loaded.fold(&summary.id, &summary.assistant)?;
            listed.push(Kept {
                stands: Stands::of(&state, person),
                id: summary.id,
                title: summary.title,
                assistant: summary.assistant.to_string(),
                active_at: summary.active_at,
            });
        }
        Ok(listed)
    }

    /// The assistant named `name` over what the arguments name; it stays known for other conversations.
    ///
    /// # Errors
    /// As [`open::load`].
    pub async fn load(&self, name: &str, data: &DataArguments) -> Result<Opened, Failure> {
        let opened = open::load(name, data, self.flow, self.place.clone()).await?;
        self.here.lock().unwrap_or_else(PoisonError::into_inner).push(opened.clone());
        Ok(opened)
    }

    /// The conversation `id` with the assistant of `opened`, as a surface gets it, and as it is driven.
    ///
    /// # Errors
    /// As [`Driver::open`].
    pub async fn hold(
        &self,
        id: ConversationId,
        opened: &Opened,
        greeting: Vec<String>,
    ) -> Result<(channel::Opened, Session), Failure> {
        let session = self.driver.open(id, Arc::clone(&opened.assistant)).await?;
        let (sender, notices) = Notices::channel();
        Notices::of_driver(sender.clone(), self.driver.trouble());
        self.out.lock().unwrap_or_else(PoisonError::into_inner).replace(sender);
        if self.stay == Stay::Person {
            self.looking.call_once(|| self.look_after(opened));
        }
        let link = Arc::new(Local::new(session.clone(), self.person.clone()));
        Ok((channel::Opened { link, greeting, notices, vocabulary: vocabulary(opened) }, session))
    }

    /// Takes up `id` over what it was begun over.
    ///
    /// # Errors
    /// When there is none of the person's, or that cannot be read any more.
    pub async fn take_up(&self, id: &ConversationId) -> Result<(channel::Opened, Session), Failure> {
        let wanted = Listing { member: Some(self.person.clone()), ..Listing::of(id.clone()) };
        let (Some(summary), Some(begun)) =
            (self.driver.conversations(&wanted).await?.pop(), self.driver.begun(id).await?)
        else {
            return Err(open::no_such(id));
        };
        let opened = self.assistant_of(&begun).await?;
        let over = match begun.sources.as_slice() {
            [] => String::new(),
            sources => format!(" over {}", sources.join(", ")),
        };
        let called = summary.title.map(|title| format!(" with “{title}”")).unwrap_or_default();
        let greeting = format!("Going on{called}, a conversation with the {}{over}.", begun.assistant);
        self.hold(id.clone(), &opened, vec![greeting]).await
    }

    /// Goes on with the work of conversations that nobody has open.
    fn look_after(&self, opened: &Opened) {
        let out = Arc::clone(&self.out);
        let tell = move |told| {
            let out = out.lock().unwrap_or_else(PoisonError::into_inner);
            // Where nobody looks on any more, nobody misses it.
            out.as_ref().map(|out| out.send(told));
        };
        self.driver.look_after(Arc::new(TakingUp::new(vec![opened.clone()], self.place.clone(), tell)));
    }

    /// The assistant a conversation was begun with, over what it was begun over.
    async fn assistant_of(&self, begun: &Begun) -> Result<Opened, Failure> {
        let is_its =
            |opened: &&Opened| opened.assistant.name() == &begun.assistant && opened.is_over(&begun.conversation);
        let known = self.here.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_its).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let data = DataArguments {
            data: begun.sources.iter().map(PathBuf::from).collect(),
            sample: false,
            mode: None,
            model: self.model.clone(),
        };
        self.load(begun.assistant.as_str(), &data).await
    }
}

/// What may be typed in a conversation with an assistant over what it was opened over.
fn vocabulary(opened: &Opened) -> Vocabulary {
    let commands = &opened.assistant.policy().commands;
    Vocabulary {
        commands: commands.iter().map(|command| (command.name.clone(), command.help.clone())).collect(),
        tables: Arc::new(opened.assistant.names().into()),
        roots: opened.assistant.sources().into_iter().map(PathBuf::from).collect(),
    }
}

#[async_trait]
impl Shelf for OwnShelf {
    async fn kept(&self) -> Result<Vec<Kept>, Failure> {
        Self::listed(&self.driver, &self.person).await
    }

    async fn open(&self, id: &ConversationId) -> Result<channel::Opened, Failure> {
        Ok(self.take_up(id).await?.0)
    }

    fn stage(&self) -> Option<Stage> {
        self.place.progress.stage()
    }
}

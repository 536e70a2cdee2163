//! Threads: what a conversation remembers beyond its messages: the intent that answers for the person, the open review
//! with its versions. It is kept in a file beside the conversations, so that another process knows it too; without a
//! folder it lives as long as this one. Next: `talk::reader`, which routes by it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use turnwise_core::ConversationId;
use turnwise_intent::classify::{Context, ReviewState};

use crate::review::Review;

/// What a thread remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Thread {
    /// When somebody last asked for something here, in milliseconds since 1970.
    pub active_at: u64,
    /// The intent that ambiguous messages have here.
    pub remembered: Option<Stance>,
    /// The review of this thread.
    pub review: Option<Review>,
    /// The fields of its previews that not every tracker has, by the names this one gives them.
    pub fields: BTreeSet<String>,
    /// What is just created from a preview.
    pub making: Making,
}

/// Tickets that are created one after the other, so that who hears of a failure knows which of them there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Making {
    /// The titles of those that are still to come.
    pub open: Vec<String>,
    /// Key and title of those that there are.
    pub made: Vec<String>,
}

impl Making {
    /// Notes that the ticket of this title is there.
    pub fn note(&mut self, title: &str, ticket: String) {
        if let Some(at) = self.open.iter().position(|open| open == title) {
            self.open.remove(at);
        }
        if !self.made.contains(&ticket) {
            self.made.push(ticket);
        }
    }

    /// Which there are and which not yet, where there are several.
    #[must_use]
    pub fn told(&self) -> Option<String> {
        if self.open.len() + self.made.len() < 2 {
            return None;
        }
        let made = match self.made.as_slice() {
            [] => "Nothing was created so far.".to_owned(),
            made => format!("Created so far: {}.", made.join("; ")),
        };
        Some(format!("{made} Not yet: {}.", self.open.join("; ")))
    }
}

/// What ambiguous messages of a thread are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// A review.
    Review,
    /// A ticket.
    Ticket,
}

/// All threads of one bot.
#[derive(Clone, Debug)]
pub struct Threads {
    folder: Option<PathBuf>,
    held: Arc<Mutex<BTreeMap<String, Thread>>>,
    /// Held while one is changed.
    writes: Arc<Mutex<()>>,
}

/// One thread of them.
#[derive(Clone, Debug)]
pub struct Handle {
    threads: Threads,
    name: String,
}

impl Stance {
    /// As the reader calls it.
    #[must_use]
    pub fn intent(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Ticket => "ticket",
        }
    }

    /// As the gate offers it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Review => "Review / Analyze",
            Self::Ticket => "Create Ticket",
        }
    }
}

impl Thread {
    /// The workflow goes on from a review to something else, which ends what was remembered (TK-08); gives what it was.
    pub fn leave_review(&mut self, now: u64) -> Option<Stance> {
        self.context(now).review?;
        self.remembered.take()
    }

    /// What the reader may know of it at `now`.
    #[must_use]
    pub fn context(&self, now: u64) -> Context {
        let idle = now.saturating_sub(self.active_at);
        let review = self.review.as_ref().filter(|_| idle < REVIEW_LIFETIME_MS);
        Context {
            #[expect(clippy::cast_precision_loss, reason = "hours need no more digits")]
            idle_hours: idle as f64 / MS_PER_HOUR,
            thread_default: self.remembered.map(|remembered| remembered.intent().to_owned()),
            review: review.map(|review| if review.frozen { ReviewState::Frozen } else { ReviewState::Active }),
            ..Context::default()
        }
    }
}

impl Threads {
    /// The threads kept in `folder`; without one, they are forgotten with the process.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, held: Arc::default(), writes: Arc::default() }
    }

    /// That of a conversation.
    #[must_use]
    pub fn of(&self, conversation: &ConversationId) -> Handle {
        let digest = Sha256::digest(conversation.as_str().as_bytes());
        let name = digest.iter().take(NAME_BYTES).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        Handle { threads: self.clone(), name }
    }
}

impl Handle {
    /// The thread as it is; one nothing is known of is a new one.
    ///
    /// # Errors
    /// When its file is there and cannot be read.
    pub fn read(&self) -> io::Result<Thread> {
        let Some(file) = self.file() else {
            let held = self.threads.held.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(held.get(&self.name).cloned().unwrap_or_default());
        };
        match std::fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| io::Error::other(format!("{} cannot be read: {error}", file.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Thread::default()),
            Err(error) => Err(error),
        }
    }

    /// Changes the thread, and notes that somebody was here.
    ///
    /// # Errors
    /// When its file cannot be read or written.
    pub fn change<T>(&self, change: impl FnOnce(&mut Thread) -> T) -> io::Result<T> {
        // Steps that run at the same time note what they made one after the other.
        let writes = self.threads.writes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut thread = self.read()?;
        let done = change(&mut thread);
        thread.active_at = now();
        match self.file() {
            None => {
                let mut held = self.threads.held.lock().unwrap_or_else(PoisonError::into_inner);
                held.insert(self.name.clone(), thread);
            }
            Some(file) => write(&file, &thread)?,
        }
        drop(writes);
        Ok(done)
    }

    fn file(&self) -> Option<PathBuf> {
        self.threads.folder.as_ref().map(|folder| folder.join(format!("{}.json", self.name)))
    }
}

fn write(file: &Path, thread: &Thread) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let part = file.with_extension("part");
    std::fs::write(&part, serde_json::to_vec_pretty(thread)?)?;
    std::fs::rename(&part, file)
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

const MS_PER_HOUR: f64 = 3_600_000.0;
/// A review nobody came back to for a day is over: what is said then is about something else.
const REVIEW_LIFETIME_MS: u64 = 24 * 3_600_000;
/// Bytes of a digest that name a thread: two never meet by chance.
const NAME_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use turnwise_intent::behaviour::tickets::{REMEMBERED_HOURS, remembered};

    use super::*;

    #[test]
    fn what_is_remembered_ends_after_two_idle_hours() {
        let thread = Thread { active_at: 10_000_000, remembered: Some(Stance::Review), ..Thread::default() };
        let hour = 3_600_000;
        assert_eq!(remembered(&thread.context(10_000_000 + 2 * hour - 1)), Some("review"));
        assert_eq!(remembered(&thread.context(10_000_000 + 2 * hour)), None);
        assert!((REMEMBERED_HOURS - 2.0).abs() < f64::EPSILON);
    }

    #[test]
    fn what_is_remembered_ends_where_the_thread_leaves_its_review_and_not_where_it_has_none() {
        let mut thread = Thread { active_at: 10, remembered: Some(Stance::Review), ..Thread::default() };
        assert_eq!((thread.leave_review(11), thread.remembered), (None, Some(Stance::Review)));
        thread.review = Some(Review::default());
        assert_eq!((thread.leave_review(11), thread.remembered), (Some(Stance::Review), None));
        assert_eq!(thread.leave_review(11), None);
    }

    #[test]
    fn of_several_tickets_it_is_told_which_there_are_and_which_not() {
        let titles = ["Auth", "Log in", "Log in"].map(str::to_owned).to_vec();
        let mut making = Making { open: titles, made: Vec::new() };
        assert_eq!(making.told().unwrap(), "Nothing was created so far. Not yet: Auth; Log in; Log in.");
        making.note("Auth", "T-1: Auth".to_owned());
        making.note("Log in", "T-2: Log in".to_owned());
        assert_eq!(making.told().unwrap(), "Created so far: T-1: Auth; T-2: Log in. Not yet: Log in.");
        assert_eq!(Making { open: vec!["Auth".to_owned()], made: Vec::new() }.told(), None);
    }

    #[test]
    fn a_thread_is_found_again_by_another_process_and_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let mine = |name: &str| Threads::new(Some(folder.path().join("threads"))).of(&ConversationId::new(name));
        mine("one").change(|thread| thread.remembered = Some(Stance::Ticket)).unwrap();
        assert_eq!(mine("one").read().unwrap().remembered, Some(Stance::Ticket));
        assert_eq!(mine("two").read().unwrap(), Thread::default());
    }
}

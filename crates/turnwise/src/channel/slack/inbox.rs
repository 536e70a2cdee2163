//! The inbox: what is said is kept before Slack hears that it arrived, and read after. Reading takes longer than
//! keeping, so only so much is read at once, and what waits is never in the way of an acknowledgement. In one thread
//! everything is taken in in the order it came. What a process left when it ended is taken in by the next. Next:
//! `follow`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use turnwise_core::{InputBody, InputKey, PersonId};

use super::receive::SURFACE;
use super::{BETWEEN_TRIES, CHANNEL, Place, Slack};
use crate::driver::{Delivery, DriverError};

/// Something that was said.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spoken {
    pub(super) place: Place,
    pub(super) user: String,
    pub(super) text: String,
    pub(super) key: InputKey,
    /// The key of what was said, under whatever id it comes.
    pub(super) content: Option<InputKey>,
}

/// Why something that was said was not kept; Slack sends it again.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotKept {
    #[error("{WAITING_MAX} messages of Slack wait to be read; what comes now has to be sent again")]
    Full,
    #[error("it is of the team {0}, and this server serves {1}")]
    OtherTeam(String, String),
    #[error("Slack did not say yet which team this server serves")]
    TeamUnknown,
    #[error("it cannot be written down ({0})")]
    Unwritable(#[from] serde_json::Error),
    #[error(transparent)]
    Driver(#[from] DriverError),
}

/// What waits to be taken in.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: Mutex<Waiting>,
    /// Something may be taken up.
    more: Notify,
    /// Something was taken in.
    less: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    /// The number of the next; what is behind a press need not be waited for.
    next: u64,
    queue: VecDeque<(u64, Spoken)>,
    /// Where something is just taken in, and its number.
    busy: BTreeMap<String, u64>,
}

impl Inbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, spoken: Spoken) {
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next += 1;
        waiting.queue.push_back((number, spoken));
        drop(waiting);
        self.more.notify_one();
    }

    /// The first that waits in a thread where nothing is just taken in.
    fn next(&self) -> Option<(u64, Spoken)> {
        let Waiting { queue, busy, .. } = &mut *self.waiting();
        let at = queue.iter().position(|(_, spoken)| !busy.contains_key(&spoken.place.name()))?;
        let (number, spoken) = queue.remove(at)?;
        busy.insert(spoken.place.name(), number);
        if !queue.is_empty() {
            self.more.notify_one();
        }
        Some((number, spoken))
    }

    /// The number of what is said next: all that was said before has a smaller one.
    pub(super) fn said_so_far(&self) -> u64 {
        self.waiting().next
    }

    fn done(&self, place: &Place) {
        self.waiting().busy.remove(&place.name());
        self.more.notify_one();
        self.less.notify_waiters();
    }

    /// Waits until everything that was said at `place` so far is taken in, whatever is said there meanwhile.
    pub(super) async fn settled(&self, place: &Place) {
        let name = place.name();
        self.settled_where(|other| other == name).await;
    }

    /// The same for all places whose names are meant.
    pub(super) async fn settled_where(&self, is_meant: impl Fn(&str) -> bool) {
        let behind = self.waiting().next;
        loop {
            let less = self.less.notified();
            let is_settled = {
                let waiting = self.waiting();
                let mut busy = waiting.busy.iter();
                let mut queue = waiting.queue.iter();
                !busy.any(|(name, number)| *number < behind && is_meant(name))
                    && !queue.any(|(number, spoken)| *number < behind && is_meant(&spoken.place.name()))
            };
            if is_settled {
                return;
            }
            less.await;
        }
    }
}

impl Slack {
    /// Keeps what was said, so that it can be acknowledged; it is taken in after.
    pub(super) async fn keep(&self, spoken: Spoken) -> Result<(), NotKept> {
        if self.inbox.waiting().queue.len() >= WAITING_MAX {
            return Err(NotKept::Full);
        }
        let content = serde_json::to_string(&spoken)?;
        let delivery = Delivery { channel: CHANNEL.to_owned(), key: spoken.key.clone(), content };
        self.threads.keep(delivery).await?;
        self.spoke(&spoken.user, &spoken.place);
        self.inbox.put(spoken);
        Ok(())
    }

    /// Takes in what is said until `closing`, from when this returns; before anything new what another process left
    /// when it ended. Where another one still serves Slack here, that waits for its end.
    pub async fn begin(self: &Arc<Self>, closing: &CancellationToken) {
        self.learn_team(closing).await;
        if self.is_sole() {
            self.take_up().await;
        } else {
            let (slack, closing) = (Arc::clone(self), closing.clone());
            tokio::spawn(async move { closing.run_until_cancelled(slack.take_over()).await });
        }
        let at_once = std::thread::available_parallelism().map_or(AT_ONCE_LEAST, usize::from).max(AT_ONCE_LEAST);
        for _ in 0..at_once {
            let (slack, closing) = (Arc::clone(self), closing.clone());
            tokio::spawn(async move { closing.run_until_cancelled(slack.one_after_the_other()).await });
        }
    }

    /// Waits until the process that serves Slack here has ended, and goes on with what it left.
    async fn take_over(self: Arc<Self>) {
        eprintln!("Another process serves Slack here; what it leaves is taken up when it ends.");
        while !self.is_sole() {
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        self.take_up().await;
    }

    fn is_sole(&self) -> bool {
        self.sole().unwrap_or_else(|error| {
            eprintln!("Whether another process serves Slack here cannot be seen: {error}.");
            true
        })
    }

    async fn take_up(self: &Arc<Self>) {
        let taken = match self.threads.take_up().await {
            Ok(taken) => taken,
            Err(error) => return eprintln!("What was said in Slack before the start cannot be taken in: {error}."),
        };
        for Delivery { key, .. } in &taken.given_up {
            eprintln!("{key} was taken up by several processes and never taken in; it is left where it is.");
        }
        if !taken.deliveries.is_empty() {
            eprintln!("Taking in what was said in Slack before the start: {}.", taken.deliveries.len());
        }
        for Delivery { key, content, .. } in taken.deliveries {
            match serde_json::from_str(&content) {
                Ok(spoken) => self.inbox.put(spoken),
                Err(error) => eprintln!("{key}, which was said in Slack before the start, cannot be read: {error}."),
            }
        }
        let slack = Arc::clone(self);
        tokio::spawn(async move { slack.follow_again().await });
    }

    async fn one_after_the_other(self: Arc<Self>) {
        loop {
            let more = self.inbox.more.notified();
            let Some((number, spoken)) = self.inbox.next() else {
                more.await;
                continue;
            };
            let slack = Arc::clone(&self);
            let taking = tokio::spawn(async move { slack.took_in(number, spoken).await });
            // What waits for something else goes on by itself, and others need not wait for it.
            let _ = tokio::time::timeout(SLOW, taking).await;
        }
    }

    /// Takes in what was said, and forgets that it was delivered once it is.
    async fn took_in(self: Arc<Self>, number: u64, spoken: Spoken) {
        let _done = Done { slack: &self, place: spoken.place.clone() };
        loop {
            let (slack, said) = (Arc::clone(&self), spoken.clone());
            let (place, user) = (&spoken.place, spoken.user.as_str());
            match tokio::spawn(async move { slack.say(number, said).await }).await {
                Ok(Ok(())) => break,
                // It is kept, and the next process takes it in.
                Ok(Err(DriverError::ShutDown)) => return,
                Ok(Err(error @ DriverError::Store(_))) => {
                    eprintln!("{} of Slack waits to be taken in: {error}.", spoken.key);
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                Ok(Err(error)) => break self.failed(place, user, &error).await,
                Err(_) => {
                    let told = "That could not be taken in: something is broken here. Please say it in other words.";
                    break self.whisper(place, user, told).await;
                }
            }
        }
        if let Err(error) = self.threads.forget(&spoken.key).await {
            eprintln!("{} of Slack was taken in and stays in the inbox: {error}.", spoken.key);
        }
    }

    /// Says what was kept where it was said.
    async fn say(self: Arc<Self>, number: u64, spoken: Spoken) -> Result<(), DriverError> {
        let Spoken { place, user, text, key, content } = spoken;
        let session = self.threads.thread(&place.name()).await?.on(SURFACE);
        self.is_held(session.id(), &place);
        let person = PersonId::new(user.as_str());
        if self.is_outside(&place, &person, number).await {
            return Ok(());
        }
        let body = InputBody::Message { person, text, grounding: Vec::new() };
        let result = session.submit(body, key, content).await?;
        match result.duplicate {
            // It was said before, by a process that may have ended before it posted what came of it.
            true => self.follow_on(session, place, result.first),
            false => self.follow(session, place, result.first),
        }
        Ok(())
    }
}

/// However taking in ends, its thread goes on.
struct Done<'a> {
    slack: &'a Slack,
    place: Place,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.slack.inbox.done(&self.place);
    }
}

/// How long it is waited before a process that serves Slack here is looked for again.
const BETWEEN_LOOKS: Duration = Duration::from_secs(3);
/// Messages that may wait to be read; Slack sends what comes beyond them again.
const WAITING_MAX: usize = 10_000;
/// Messages that are read at once, at least; as many as there are cores.
const AT_ONCE_LEAST: usize = 2;
/// How long others wait for one message. Reading takes less; beyond it something else is waited for, such as a model.
const SLOW: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    fn said(thread: &str, text: &str) -> Spoken {
        let place = Place { team: "T1".to_owned(), channel: "C1".to_owned(), thread: Some(thread.to_owned()) };
        let key = InputKey::new(format!("{thread}:{text}"));
        Spoken { place, user: "U1".to_owned(), text: text.to_owned(), key, content: None }
    }

    #[tokio::test]
    async fn a_thread_is_taken_in_in_order_and_does_not_hold_up_another() {
        let inbox = Inbox::default();
        for (thread, text) in [("1", "a"), ("1", "b"), ("2", "c")] {
            inbox.put(said(thread, text));
        }
        let next = || inbox.next().map(|(_, spoken)| spoken.text);
        assert_eq!([next(), next(), next()], [Some("a".to_owned()), Some("c".to_owned()), None]);
        let first = said("1", "a").place;
        let settled = async { tokio::time::timeout(Duration::from_millis(20), inbox.settled(&first)).await.is_ok() };
        assert!(!settled.await, "“b” waits");
        inbox.done(&first);
        assert_eq!(next(), Some("b".to_owned()));
        let said_meanwhile = async {
            inbox.put(said("1", "d"));
            inbox.done(&first);
        };
        let (settled, ()) = tokio::join!(inbox.settled(&first), said_meanwhile);
        assert_eq!((settled, next()), ((), Some("d".to_owned())), "what came after it is not waited for");
    }
}

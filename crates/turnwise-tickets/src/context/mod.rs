//! Context: what was decided, limits the work or is taken for granted in a thread, for an epic and in a channel. It is
//! kept as short statements with who said them, never as raw talk; equal statements are one, and what is least sure
//! goes first when there are too many. Drafts start from it, also after a restart. Next: `gather` for how statements
//! are found, `talk::plan` for where they go.

mod gather;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use turnwise_assistant::RemarkId;
use turnwise_core::text;
use turnwise_intent::behaviour::tickets::{FactKind, FactScope, canonical_id};

pub use gather::{Statement, statements};

/// What is known in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Context {
    /// What it is about, in a few words of those who asked for something.
    pub about: String,
    /// The number of the latest message that was looked at.
    pub cursor: u64,
    /// The latest message of the thread's talk that was read; none where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_to: Option<RemarkId>,
    /// What was stated, by canonical id.
    pub facts: BTreeMap<String, Known>,
}

/// Something that was stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// What kind of statement it is.
    pub kind: FactKind,
    /// The statement, in the words it was made in.
    pub text: String,
    /// Who made it, and in which conversation.
    pub source: String,
    /// How sure it is, in percent.
    pub confidence: u8,
    /// When it was last said or used, in milliseconds since 1970.
    pub used_at: u64,
    /// The messages of a thread that state it, by their ids; empty where it was said otherwise.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub said_in: BTreeSet<RemarkId>,
}

/// Something that a message of a thread states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// What.
    pub statement: Statement,
    /// Who says so.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// In which message.
    pub message: RemarkId,
}

/// Where a context holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// How far it reaches.
    pub scope: FactScope,
    /// Which one, by a name that no other team has.
    pub name: String,
}

/// All contexts of one bot, kept in a folder; without one they are forgotten with the process.
#[derive(Clone, Debug)]
pub struct Contexts {
    folder: Option<PathBuf>,
    held: Arc<Mutex<BTreeMap<String, Context>>>,
}

impl Context {
    /// Takes in a statement: one that is known is updated, with the higher confidence of the two.
    pub fn take(&mut self, scope: FactScope, said: Statement, source: &str, now: u64) {
        self.take_known(scope, said, source, now, BTreeSet::new());
    }

    /// What the talk of a thread states, as it reads now: what stood in messages that state it no longer goes, unless
    /// it was said otherwise too. `is_whole` says that no message of the thread is missing.
    pub fn take_talk(&mut self, scope: FactScope, stated: Vec<Stated>, read: &BTreeSet<RemarkId>, is_whole: bool) {
        let mut said_in: BTreeMap<String, BTreeSet<RemarkId>> = BTreeMap::new();
        for one in &stated {
            let id = canonical_id(&one.statement.text, scope, one.statement.kind);
            said_in.entry(id).or_default().insert(one.message.clone());
        }
        self.facts.retain(|id, known| {
            let was_in_talk = !known.said_in.is_empty();
            let still = said_in.get(id);
            known.said_in.retain(|message| {
                let is_read = is_whole || read.contains(message);
                !is_read || still.is_some_and(|still| still.contains(message))
            });
            !was_in_talk || !known.said_in.is_empty() || still.is_some()
        });
        for Stated { statement, by, at_ms, message } in stated {
            self.take_known(scope, statement, &by, at_ms, BTreeSet::from([message]));
        }
    }

    fn take_known(&mut self, scope: FactScope, said: Statement, source: &str, now: u64, said_in: BTreeSet<RemarkId>) {
        let id = canonical_id(&said.text, scope, said.kind);
        let known = Known {
            kind: said.kind,
            text: said.text,
            source: source.to_owned(),
            confidence: said.confidence,
            used_at: now,
            said_in,
        };
        match self.facts.get_mut(&id) {
            Some(before) => {
                before.confidence = before.confidence.max(known.confidence);
                before.used_at = before.used_at.max(now);
                before.said_in.extend(known.said_in);
            }
            None => drop(self.facts.insert(id, known)),
        }
        while self.facts.len() > scope.facts_max() {
            let least = self.facts.iter().min_by_key(|(id, known)| (known.confidence, known.used_at, (*id).clone()));
            let Some(least) = least.map(|(id, _)| id.clone()) else { return };
            self.facts.remove(&least);
        }
    }

    /// The statements of one kind, the surest first.
    #[must_use]
    pub fn of(&self, kind: FactKind) -> Vec<&Known> {
        let mut known: Vec<&Known> = self.facts.values().filter(|known| known.kind == kind).collect();
        known.sort_by(|one, other| other.confidence.cmp(&one.confidence).then_with(|| one.text.cmp(&other.text)));
        known
    }

    /// What is known, in short.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |kind, name: &str| {
            let count = self.of(kind).len();
            (count > 0).then(|| text::count(count, name))
        };
        let counts = [
            count(FactKind::Decision, "decision"),
            count(FactKind::Constraint, "constraint"),
            count(FactKind::Assumption, "assumption"),
        ];
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        let about = if self.about.is_empty() { "Nothing was asked for yet" } else { self.about.as_str() };
        match counts.as_slice() {
            [] => format!("{about}; nothing was decided."),
            some => format!("{about}; {}.", some.join(", ")),
        }
    }
}

impl Known {
    /// What it states.
    #[must_use]
    pub fn statement(&self) -> Statement {
        Statement { kind: self.kind, text: self.text.clone(), confidence: self.confidence }
    }
}

impl Place {
    /// The thread of a conversation.
    #[must_use]
    pub fn thread(conversation: &str) -> Self {
        Self { scope: FactScope::Thread, name: conversation.to_owned() }
    }

    /// An epic of a tracker.
    #[must_use]
    pub fn epic(tracker: &str, key: &str) -> Self {
        Self { scope: FactScope::Epic, name: format!("{tracker}/{key}") }
    }

    /// A channel.
    #[must_use]
    pub fn channel(name: &str) -> Self {
        Self { scope: FactScope::Channel, name: name.to_owned() }
    }

    fn file_name(&self) -> String {
        let digest = Sha256::digest(self.name.as_bytes());
        let scope = match self.scope {
            FactScope::Thread => "thread",
            FactScope::Epic => "epic",
            FactScope::Channel => "channel",
        };
        digest.iter().take(NAME_BYTES).fold(format!("{scope}-"), |name, byte| format!("{name}{byte:02x}"))
    }
}

impl Contexts {
    /// Those kept in `folder`.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, held: Arc::default() }
    }

    /// What is known at `place`.
    ///
    /// # Errors
    /// When it is kept and cannot be read.
    pub fn read(&self, place: &Place) -> io::Result<Context> {
        let Some(folder) = &self.folder else {
            let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(held.get(&place.file_name()).cloned().unwrap_or_default());
        };
        read(&folder.join(format!("{}.json", place.file_name())))
    }

    /// Changes what is known at `place`, against other processes that do the same.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn change(&self, place: &Place, change: impl FnOnce(&mut Context)) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            change(held.entry(place.file_name()).or_default());
            return Ok(());
        };
        std::fs::create_dir_all(folder)?;
        let lock = File::options().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
        lock.lock()?;
        let file = folder.join(format!("{}.json", place.file_name()));
        let mut context = read(&file)?;
        let before = context.clone();
        change(&mut context);
        if context == before {
            return Ok(());
        }
        let part = file.with_extension("part");
        std::fs::write(&part, serde_json::to_vec_pretty(&context)?)?;
        std::fs::rename(&part, &file)
    }
}

fn read(file: &Path) -> io::Result<Context> {
    match std::fs::read_to_string(file) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| io::Error::other(format!("{} cannot be read: {error}", file.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Context::default()),
        Err(error) => Err(error),
    }
}

/// Held while a context is changed.
const LOCK: &str = ".lock";
/// Bytes of a digest that name a place: two never meet by chance.
const NAME_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn said(text: &str, confidence: u8) -> Statement {
        Statement { kind: FactKind::Decision, text: text.to_owned(), confidence }
    }

    #[test]
    fn equal_statements_are_one_with_the_higher_confidence() {
        let mut context = Context::default();
        context.take(FactScope::Thread, said("Use Postgres", 60), "U1", 1);
        context.take(FactScope::Thread, said(" use postgres ", 90), "U2", 2);
        context.take(FactScope::Thread, said("use Postgres", 50), "U3", 3);
        let [known] = context.of(FactKind::Decision).try_into().unwrap();
        assert_eq!((known.confidence, known.used_at, known.source.as_str()), (90, 3, "U1"));
    }

    #[test]
    fn what_an_edited_or_deleted_message_stated_goes_and_what_was_said_otherwise_stays() {
        let stated = |text: &str, message: &str| Stated {
            statement: said(text, 90),
            by: "U1".to_owned(),
            at_ms: 7,
            message: RemarkId::new(message),
        };
        let read = |ids: &[&str]| ids.iter().map(|id| RemarkId::new(*id)).collect::<BTreeSet<_>>();
        let texts = |context: &Context| -> Vec<String> {
            context.of(FactKind::Decision).iter().map(|known| known.text.clone()).collect()
        };
        let mut context = Context::default();
        context.take(FactScope::Thread, said("Use Kafka", 90), "U2", 1);
        let all = vec![stated("Use Postgres", "1"), stated("Use one queue", "2"), stated("Use one queue", "3")];
        context.take_talk(FactScope::Thread, all, &read(&["1", "2", "3"]), true);
        assert_eq!(texts(&context), ["Use Kafka", "Use Postgres", "Use one queue"]);
        // The first was edited, the second deleted; the third, and what was said to the bot, stand.
        let now = vec![stated("Use MySQL", "1"), stated("Use one queue", "3")];
        context.take_talk(FactScope::Thread, now, &read(&["1", "3"]), true);
        assert_eq!(texts(&context), ["Use Kafka", "Use MySQL", "Use one queue"]);
        // What was not read this time is not taken for deleted.
        context.take_talk(FactScope::Thread, Vec::new(), &read(&["1"]), false);
        assert_eq!(texts(&context), ["Use Kafka", "Use one queue"]);
    }

    #[test]
    fn the_least_sure_and_then_the_least_used_go_first() {
        let mut context = Context::default();
        let most = FactScope::Thread.facts_max();
        context.take(FactScope::Thread, said("the least sure", 10), "U1", 9_999);
        context.take(FactScope::Thread, said("the least used", 50), "U1", 0);
        for number in 1..most {
            context.take(FactScope::Thread, said(&format!("thing {number}"), 50), "U1", 100);
        }
        assert_eq!(context.facts.len(), most);
        let has = |context: &Context, text: &str| context.facts.values().any(|known| known.text == text);
        assert!(!has(&context, "the least sure") && has(&context, "the least used"));
        context.take(FactScope::Thread, said("one more", 50), "U1", 100);
        assert!(!has(&context, "the least used") && has(&context, "one more"));
    }

    #[test]
    fn a_context_is_found_again_and_is_its_own_place_s() {
        let folder = tempfile::tempdir().unwrap();
        let contexts = || Contexts::new(Some(folder.path().join("context")));
        let one = Place::thread("one");
        contexts().change(&one, |context| context.take(FactScope::Thread, said("Use Postgres", 90), "U1", 1)).unwrap();
        assert_eq!(contexts().read(&one).unwrap().facts.len(), 1);
        assert_eq!(contexts().read(&Place::thread("two")).unwrap(), Context::default());
        assert_eq!(contexts().read(&Place::channel("one")).unwrap(), Context::default());
    }
}

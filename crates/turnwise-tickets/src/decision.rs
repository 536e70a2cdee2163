//! Decisions: what was settled, with its reason, the tickets it is about and where it was talked over. One is posted to
//! the channel that holds the conversation; where none does, it goes to a file of decisions beside the tickets. Either
//! way it is posted once, and found again by its operation. Next: `talk::deciding` for how one is ordered and
//! previewed.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnwise_assistant::{Around, OutletError, Outlets, Talk};
use turnwise_core::{ConversationId, text};

use crate::shorten::at_sentence;
use crate::tracker::{Operation, TicketKey, TrackerError};

/// A decision as it would be posted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What was decided, one sentence.
    pub decision: String,
    /// Why; empty where nobody said.
    pub why: String,
    /// The tickets it is about.
    pub keys: Vec<TicketKey>,
    /// Where it was talked over: an address, or the conversation.
    pub source: String,
}

/// Where decisions of one bot are posted.
#[derive(Clone, Debug)]
pub struct Board {
    outlets: Outlets,
    /// The file of decisions, for conversations that no channel holds.
    file: Option<PathBuf>,
}

/// What a person said of it.
#[derive(Clone, Copy)]
enum Part {
    Decision,
    Why,
}

impl Decision {
    /// As it is posted.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut shown = format!("Decision: {}", self.decision);
        // Writing to a string cannot fail.
        if !self.why.is_empty() {
            let _ = write!(shown, "\nWhy: {}", self.why);
        }
        if !self.keys.is_empty() {
            let keys: Vec<&str> = self.keys.iter().map(TicketKey::as_str).collect();
            let _ = write!(shown, "\nRelated: {}", keys.join(", "));
        }
        let _ = write!(shown, "\nDiscussed in: {}", self.source);
        shown
    }

    /// The same as no channel refuses for its length: what is too long ends with a sentence and says that it was
    /// shortened.
    ///
    /// # Errors
    /// With what is told, where no sentence ends early enough.
    pub fn fitting(mut self) -> Result<Self, String> {
        let over = |decision: &Self| posted_characters(&decision.shown()).saturating_sub(POST_CHARACTERS_MAX);
        // What was decided is kept whole as long as the reason can be shortened.
        for part in [Part::Why, Part::Decision] {
            let over = over(&self);
            if over == 0 {
                break;
            }
            let said = self.part(part);
            let room = posted_characters(said).saturating_sub(over + SHORTENED.len() + 1);
            *said = match (at_sentence(said, characters_within(said, room)), part) {
                (Some(kept), _) => format!("{kept} {SHORTENED}"),
                (None, Part::Why) => SHORTENED.to_owned(),
                (None, Part::Decision) => return Err(too_long()),
            };
        }
        if over(&self) > 0 { Err(too_long()) } else { Ok(self) }
    }

    fn part(&mut self, part: Part) -> &mut String {
        match part {
            Part::Decision => &mut self.decision,
            Part::Why => &mut self.why,
        }
    }

    /// Changes it as `said` says; false when it says no change of a decision.
    pub fn change(&mut self, said: &str) -> bool {
        let said = said.trim();
        let lower = said.to_lowercase();
        if let Some(shown) = lower.strip_prefix("step 1 text:").and_then(|rest| said.get(said.len() - rest.len()..)) {
            return self.change_whole(shown);
        }
        let keys = keys_in(said);
        let adds = !keys.is_empty() && ["add ", "related", "link ", "key"].iter().any(|start| lower.starts_with(start));
        if adds {
            keys.into_iter().for_each(|key| self.relate(key));
            return true;
        }
        if !keys.is_empty() && ["drop ", "remove ", "without "].iter().any(|start| lower.starts_with(start)) {
            self.keys.retain(|known| !keys.contains(known));
            return true;
        }
        let bare = ["change the ", "change ", "set the ", "set ", "the "]
            .iter()
            .find_map(|start| lower.starts_with(start).then(|| said.get(start.len()..)).flatten())
            .unwrap_or(said);
        let Some((label, value)) = bare.split_once(':').or_else(|| bare.split_once(" to ")) else { return false };
        let value = value.trim();
        match (label.trim().to_lowercase().as_str(), value.is_empty()) {
            ("decision" | "text" | "it" | "wording", false) => self.decision = one_line(value),
            ("why" | "reason" | "because" | "rationale", _) => self.why = one_line(value),
            _ => return false,
        }
        true
    }

    /// Takes the whole text of a post, as it is shown; false when it is none. Where it was talked over stays.
    fn change_whole(&mut self, shown: &str) -> bool {
        let mut changed = Self { source: self.source.clone(), ..Self::default() };
        for line in shown.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_once(':').map(|(label, said)| (label.trim().to_lowercase(), said.trim())) {
                Some((label, said)) if label == "decision" => changed.decision = one_line(said),
                Some((label, said)) if label == "why" => changed.why = one_line(said),
                Some((label, said)) if label == "related" => {
                    keys_in(said).into_iter().for_each(|key| changed.relate(key))
                }
                Some((label, _)) if label == "discussed in" => {}
                _ => return false,
            }
        }
        let is_one = !changed.decision.is_empty();
        if is_one {
            *self = changed;
        }
        is_one
    }

    /// Notes a ticket that it is about.
    pub fn relate(&mut self, key: TicketKey) {
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }
}

/// The keys of tickets in `said`: “SHOP-12”.
#[must_use]
pub fn keys_in(said: &str) -> Vec<TicketKey> {
    let mut keys: Vec<TicketKey> = Vec::new();
    for word in said.split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))) {
        let Some((project, number)) = word.rsplit_once('-') else { continue };
        let is_project = project.len() >= 2
            && project.starts_with(|letter: char| letter.is_ascii_uppercase())
            && project.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
        let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
        let key = TicketKey::new(word);
        if is_project && is_number && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn too_long() -> String {
    let most = text::thousands(POST_CHARACTERS_MAX as u64);
    format!(
        "A post takes at most {most} characters, and no sentence of this ends before that. Nothing was posted; say it \
         shorter."
    )
}

/// How many of the first characters of `text` a channel counts as at most `room`.
fn characters_within(text: &str, room: usize) -> usize {
    let counted = text.chars().scan(0, |sum, letter| {
        *sum += posted_characters(letter.encode_utf8(&mut [0; 4]));
        Some(*sum)
    });
    counted.take_while(|sum| *sum <= room).count()
}

/// How many characters a channel counts: some it takes only escaped, as `&amp;`.
fn posted_characters(text: &str) -> usize {
    let counted = |letter: char| match letter {
        '&' => "&amp;".len(),
        '<' | '>' => "&lt;".len(),
        _ => 1,
    };
    text.chars().map(counted).sum()
}

/// One sentence as it stands in a post.
pub(crate) fn one_line(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_matches(['"', '“', '”', ' ']).trim_end_matches('.');
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Board {
    /// The one of a bot whose decisions go to `file` where no channel holds a conversation.
    #[must_use]
    pub fn new(outlets: Outlets, file: Option<PathBuf>) -> Self {
        Self { outlets, file }
    }

    /// What stands around a conversation, where a channel holds it.
    pub async fn around(&self, conversation: &ConversationId) -> Option<Around> {
        self.outlets.of(conversation).await.map(|(_, around)| around)
    }

    /// What people say in the thread of a conversation; none where all of it is said to us.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn talk(&self, conversation: &ConversationId) -> Result<Option<Talk>, OutletError> {
        self.outlets.talk(conversation).await
    }

    /// Where a decision of this conversation goes, as people are told it.
    ///
    /// # Errors
    /// When there is no place for it.
    pub async fn told(&self, conversation: &ConversationId) -> Result<String, TrackerError> {
        if let Some(around) = self.around(conversation).await {
            return Ok(around.told);
        }
        Ok(format!("the file {}", self.file()?.display()))
    }

    fn file(&self) -> Result<&Path, TrackerError> {
        self.file.as_deref().ok_or_else(|| {
            TrackerError::Unusable("There is no place for decisions: no channel holds this conversation.".to_owned())
        })
    }

    /// Posts `shown`; gives where people find it. A second time for the same operation posts nothing.
    ///
    /// # Errors
    /// When it was not posted, or nobody knows.
    pub async fn post(
        &self,
        conversation: &ConversationId,
        shown: &str,
        operation: &Operation,
    ) -> Result<String, TrackerError> {
        if let Some(place) = self.posted(conversation, operation).await? {
            return Ok(place);
        }
        if let Some((outlet, _)) = self.outlets.of(conversation).await {
            return Ok(outlet.publish(conversation, shown, operation.as_str()).await?);
        }
        let file = self.file()?;
        append(file, shown, operation).map_err(|error| unusable(file, &error))?;
        Ok(file.display().to_string())
    }

    /// Where what `operation` posted is found, if it posted something.
    ///
    /// # Errors
    /// When nobody can tell.
    pub async fn posted(
        &self,
        conversation: &ConversationId,
        operation: &Operation,
    ) -> Result<Option<String>, TrackerError> {
        if let Some((outlet, _)) = self.outlets.of(conversation).await {
            return Ok(outlet.published(conversation, operation.as_str()).await?);
        }
        let file = self.file()?;
        match std::fs::read_to_string(file) {
            Ok(kept) => Ok(kept.contains(&mark(operation)).then(|| file.display().to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(file, &error)),
        }
    }
}

impl From<OutletError> for TrackerError {
    fn from(error: OutletError) -> Self {
        match error {
            OutletError::Busy(told) => Self::Busy(told),
            OutletError::Lost(told) => Self::Lost(told),
            OutletError::Refused(told) => Self::Refused(told),
        }
    }
}

/// Adds an entry, whole or not at all, also against other processes.
fn append(file: &Path, shown: &str, operation: &Operation) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let lock = File::options().create(true).truncate(false).write(true).open(file.with_file_name(LOCK))?;
    lock.lock()?;
    let mut kept = match std::fs::read_to_string(file) {
        Ok(kept) => kept,
        Err(error) if error.kind() == io::ErrorKind::NotFound => HEAD.to_owned(),
        Err(error) => return Err(error),
    };
    let mark = mark(operation);
    if kept.contains(&mark) {
        return Ok(());
    }
    let lines: Vec<&str> = shown.lines().collect();
    // Writing to a string cannot fail.
    let _ = write!(kept, "\n{}\n{mark}\n", lines.join("  \n"));
    let part = file.with_extension("part");
    std::fs::write(&part, kept)?;
    File::open(&part)?.sync_all()?;
    std::fs::rename(&part, file)
}

/// By which an entry is found again; nobody sees it where the file is read as it is meant.
fn mark(operation: &Operation) -> String {
    format!("<!-- {} -->", operation.as_str())
}

fn unusable(file: &Path, error: &io::Error) -> TrackerError {
    TrackerError::Unusable(format!("{} cannot be used ({error}).", file.display()))
}

/// Held while an entry is added.
const LOCK: &str = ".decisions.lock";
/// The first line of the file.
const HEAD: &str = "# Decisions\n";
/// Characters of a post as Slack counts them; it cuts off what is longer, in the middle of a word.
const POST_CHARACTERS_MAX: usize = 40_000;
/// What stands behind a part that was shortened.
const SHORTENED: &str = "(shortened; all of it is where this was discussed)";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_decision_is_changed_by_its_parts() {
        let mut decision =
            Decision { decision: "We use Postgres".to_owned(), source: "here".to_owned(), ..Decision::default() };
        for said in
            ["why: it is there already", "add SHOP-3 and SHOP-4", "drop SHOP-3", "change the decision to we use MySQL"]
        {
            assert!(decision.change(said), "{said}");
        }
        assert_eq!(
            decision.shown(),
            "Decision: We use MySQL\nWhy: It is there already\nRelated: SHOP-4\nDiscussed in: here"
        );
        assert!(!decision.change("priority: high") && !decision.change("decision:"));
        assert!(decision.change("step 1 text: Decision: we use SQLite\nRelated: AB-1\nDiscussed in: elsewhere"));
        assert_eq!(decision.shown(), "Decision: We use SQLite\nRelated: AB-1\nDiscussed in: here");
        assert!(!decision.change("step 1 text: anything"));
    }

    #[test]
    fn a_post_that_is_too_long_ends_with_a_sentence_and_says_so() {
        let said = |decision: &str, why: &str| Decision {
            decision: decision.to_owned(),
            why: why.to_owned(),
            source: "here".to_owned(),
            ..Decision::default()
        };
        let long = "A & B get out of step. ".repeat(3_000);
        let fitted = said("We use one queue", &long).fitting().unwrap();
        assert_eq!(fitted.decision, "We use one queue");
        assert!(fitted.why.ends_with(&format!("step. {SHORTENED}")), "{}", fitted.why);
        let posted = posted_characters(&fitted.shown());
        assert!(posted <= POST_CHARACTERS_MAX && posted > POST_CHARACTERS_MAX - 100, "{posted}");
        let fitted = said(&long, &"x".repeat(50_000)).fitting().unwrap();
        assert_eq!(fitted.why, SHORTENED);
        assert!(fitted.decision.ends_with(SHORTENED) && posted_characters(&fitted.shown()) <= POST_CHARACTERS_MAX);
        assert!(said(&"x".repeat(50_000), "").fitting().unwrap_err().starts_with("A post takes at most 40,000"));
    }

    #[test]
    fn keys_are_told_from_other_words() {
        let keys: Vec<String> = keys_in("see SHOP-12, (AB_1-3), utf-8, UTF-8, a-1, SHOP-x; SHOP-12")
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(keys, ["SHOP-12", "AB_1-3", "UTF-8"]);
    }

    #[tokio::test]
    async fn one_operation_is_posted_once_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("decisions.md");
        let board = Board::new(Outlets::default(), Some(file.clone()));
        let (here, first, second) = (ConversationId::new("c"), Operation::new("o-1"), Operation::new("o-2"));
        assert_eq!(board.posted(&here, &first).await.unwrap(), None);
        for operation in [&first, &first, &second] {
            board.post(&here, "Decision: one\nWhy: two", operation).await.unwrap();
        }
        let kept = std::fs::read_to_string(file).unwrap();
        assert_eq!(kept.matches("Decision: one  \nWhy: two").count(), 2, "{kept}");
        assert!(board.posted(&here, &second).await.unwrap().is_some());
    }
}

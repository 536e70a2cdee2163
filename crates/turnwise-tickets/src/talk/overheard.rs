//! Overheard: what people say in a thread among themselves, before the bot was called and after. It is read when a
//! review or a draft rests on it, as it reads then; only what it states is kept, never the talk itself (TK-18). It is
//! context: nothing of it orders, answers or approves, because none of it ever reaches the reader of messages.
//! Next: `known`, which notes what was stated, `plan` and `answer`, which rest on it.

use std::sync::Arc;

use turnwise_assistant::{OutletError, Remark, Talk};
use turnwise_core::{Heard, Utterance, text};

use super::bot::Desk;

/// What was heard, with the talk of the thread where it could be read.
pub(super) struct Overheard {
    /// What was said, to the bot and beside it, oldest first; what the request rests on stands before it.
    pub(super) heard: Heard,
    /// The talk of the thread.
    pub(super) talk: Option<Talk>,
    /// What was said to the bot and stands in no message of the thread that was read.
    pub(super) alone: Vec<Utterance>,
    /// What of it was read, as people are told it; none where there was nothing but what was said to the bot.
    pub(super) told: Option<String>,
}

/// Reads the talk of the thread that `request` was made in.
pub(super) async fn read(desk: &Desk, heard: &Heard, request: &str) -> Overheard {
    match desk.board.talk(desk.id()).await {
        Ok(Some(talk)) => Overheard::of(heard, talk, request),
        Ok(None) => Overheard::alone(heard),
        Err(error) => Overheard { told: Some(unread(&error)), ..Overheard::alone(heard) },
    }
}

impl Overheard {
    /// What was said to the bot and nothing else.
    pub(super) fn alone(heard: &Heard) -> Self {
        Self { heard: heard.clone(), talk: None, alone: heard.recent.clone(), told: None }
    }

    fn of(heard: &Heard, talk: Talk, request: &str) -> Self {
        let order = talk.said.iter().rposition(|said| said.is_to_us && is_of(&said.text, request));
        let goes_before = |at: usize, said: &Remark| order != Some(at) && (!said.is_to_us || Some(at) < order);
        let mut before: Vec<Utterance> = Vec::new();
        let mut after: Vec<Utterance> = Vec::new();
        // What was said to the bot otherwise than in the thread: in a form, by a command, on another surface.
        let ordered = heard.recent.iter().rposition(|said| said.by.is_some() && is_of(&said.text, request));
        let alone: Vec<(usize, &Utterance)> =
            heard.recent.iter().enumerate().filter(|(_, said)| !is_in(&talk, said)).collect();
        for (at, said) in &alone {
            if Some(*at) < ordered { &mut before } else { &mut after }.push((*said).clone());
        }
        let alone = alone.into_iter().map(|(_, said)| said.clone()).collect();
        for (at, said) in talk.said.iter().enumerate() {
            let spoken = Utterance { by: Some(said.by.clone()), text: Arc::from(said.text.as_str()) };
            if goes_before(at, said) { &mut before } else { &mut after }.push(spoken);
        }
        let told = talk.said.iter().any(|said| !said.is_to_us).then(|| told(&talk, order.is_some()));
        before.extend(after);
        Self { heard: Heard { recent: before, ..heard.clone() }, talk: Some(talk), alone, told }
    }

    /// What people said among themselves, where all of it was read.
    pub(super) fn beside(&self) -> Option<Vec<String>> {
        let talk = self.talk.as_ref().filter(|talk| talk.unread == 0)?;
        Some(talk.said.iter().filter(|said| !said.is_to_us).map(|said| said.text.clone()).collect())
    }

    /// What of a long talk a ticket is written from: how it began and what was said last. A ticket that repeats a whole
    /// thread says nothing to whoever reads it. That the rest is left out is told.
    pub(super) fn gist<T: AsRef<str>>(&mut self, mut said: Vec<T>) -> Vec<T> {
        let all = said.len();
        let is_long =
            |said: &[T]| said.iter().map(|said| said.as_ref().chars().count()).sum::<usize>() > GIST_CHARACTERS;
        while said.len() > 2 && is_long(&said) {
            said.remove(1);
        }
        if said.len() < all {
            let latest = text::count(said.len() - 1, "message");
            let told = self.told.take().map(|told| format!("{told} ")).unwrap_or_default();
            self.told = Some(format!("{told}The ticket is written from the first and the latest {latest}."));
        }
        said
    }

    /// Whether people said this among themselves.
    pub(super) fn is_beside(&self, said: &Utterance) -> bool {
        let is_it = |known: &Remark| !known.is_to_us && known.text == *said.text;
        self.talk.as_ref().is_some_and(|talk| talk.said.iter().any(is_it))
    }

    /// What is told where the thread could not be read, or not all of it.
    pub(super) fn unread(&self) -> Option<&str> {
        let is_whole = self.talk.as_ref().is_some_and(|talk| talk.unread == 0);
        self.told.as_deref().filter(|_| !is_whole)
    }

    /// `said`, with what it rests on behind it.
    pub(super) fn telling(&self, said: String) -> String {
        match &self.told {
            Some(told) => format!("{said}\n{told}"),
            None => said,
        }
    }
}

/// Whether `said` is the message that `request` was made in, or a part of it is.
fn is_of(said: &str, request: &str) -> bool {
    let is_part = text::words(said).len() >= PART_WORDS && request.contains(said);
    said == request || said.contains(request) || is_part
}

/// Whether a message of the thread is what was heard, which may be cut.
fn is_in(talk: &Talk, heard: &Utterance) -> bool {
    let words = heard.text.trim_end_matches('…').trim();
    let is_it =
        |said: &Remark| said.is_to_us && Some(&said.by) == heard.by.as_ref() && said.text.trim().starts_with(words);
    talk.said.iter().any(is_it)
}

/// How much of a thread was read.
fn told(talk: &Talk, has_order: bool) -> String {
    let others = talk.said.len().saturating_sub(usize::from(has_order));
    let read = format!("I read {} of this thread", text::count(others, "message"));
    match talk.unread {
        0 => format!("{read}."),
        left => format!("{read}; {} could not be read just now.", text::count(left, "further message")),
    }
}

fn unread(error: &OutletError) -> String {
    let why = error.to_string();
    format!("I could not read what else was said in this thread ({}).", why.trim_end_matches('.'))
}

/// Characters of a talk that a ticket is written from.
const GIST_CHARACTERS: usize = 3_000;
/// A shorter message may be a part of any request by chance.
const PART_WORDS: usize = 3;

#[cfg(test)]
mod tests {
    use turnwise_assistant::RemarkId;
    use turnwise_core::PersonId;

    use super::*;

    fn remark(id: &str, text: &str, is_to_us: bool) -> Remark {
        Remark { id: RemarkId::new(id), by: PersonId::new("U1"), text: text.to_owned(), at_ms: 1, is_to_us }
    }

    fn heard(said: &[&str]) -> Heard {
        let utter = |text: &&str| Utterance { by: Some(PersonId::new("U1")), text: Arc::from(*text) };
        Heard { recent: said.iter().map(utter).collect(), ..Heard::default() }
    }

    fn texts(read: &Overheard) -> Vec<&str> {
        read.heard.recent.iter().map(|said| said.text.as_ref()).collect()
    }

    #[test]
    fn talk_stands_before_the_request_in_the_order_it_was_said_and_nothing_is_there_twice() {
        let said = vec![
            remark("1", "We use one queue.", false),
            remark("2", "any thoughts on it?", true),
            remark("3", "It must take an hour.", false),
            remark("4", "review this", true),
            remark("5", "And a way back.", false),
            remark("6", "thanks", true),
        ];
        let read = Overheard::of(
            &heard(&["any thoughts on it?", "in a form", "review this", "thanks"]),
            Talk { said, unread: 0 },
            "review this",
        );
        assert_eq!(
            texts(&read),
            [
                "in a form",
                "We use one queue.",
                "any thoughts on it?",
                "It must take an hour.",
                "And a way back.",
                "review this",
                "thanks"
            ]
        );
        assert_eq!(read.told.as_deref(), Some("I read 5 messages of this thread."));
        let alone: Vec<&str> = read.alone.iter().map(|said| said.text.as_ref()).collect();
        assert_eq!(alone, ["in a form"]);
    }

    #[test]
    fn where_all_is_said_to_the_bot_nothing_is_told_of_reading_and_what_was_not_read_is() {
        let mine = vec![remark("1", "review this", true)];
        let read = Overheard::of(&heard(&["review this"]), Talk { said: mine, unread: 0 }, "review this");
        assert_eq!(read.told, None);
        let some = vec![remark("1", "We use one queue.", false), remark("2", "review this", true)];
        let read = Overheard::of(&heard(&["review this"]), Talk { said: some, unread: 12 }, "review this");
        assert_eq!(
            read.told.as_deref(),
            Some("I read 1 message of this thread; 12 further messages could not be read just now.")
        );
    }

    #[test]
    fn a_ticket_about_a_long_talk_is_written_from_its_ends_and_says_so() {
        let said: Vec<String> = (1..=40).map(|number| format!("{number} {}", "x".repeat(200))).collect();
        let mut read = Overheard::alone(&heard(&[]));
        let kept = read.gist(said.clone());
        assert_eq!((kept.len(), &kept[0], kept.last()), (14, &said[0], said.last()));
        assert_eq!(read.told.as_deref(), Some("The ticket is written from the first and the latest 13 messages."));
        let mut read = Overheard::alone(&heard(&[]));
        assert_eq!((read.gist(said[..3].to_vec()).len(), read.told), (3, None));
    }
}

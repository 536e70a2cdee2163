//! Talk: what people say in a thread, to us or among themselves, read from Slack when something rests on it. It is read
//! each time anew, so an edited message counts as it reads now and a deleted one not at all, and nothing of it is kept
//! here. It is read from the thread of the conversation and from no other place. Next: `places`, which hands it on.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use turnwise_assistant::{OutletError, Remark, RemarkId, Talk};
use turnwise_core::PersonId;

use super::post::PostError;
use super::receive::plain;
use super::{Place, Slack};

/// Our own id, once Slack said it: by it a message to us is told from talk.
#[derive(Debug, Default)]
pub(super) struct Me(OnceLock<String>);

/// A message of a thread.
#[derive(Debug, Deserialize)]
struct Said {
    ts: String,
    user: Option<String>,
    #[serde(default)]
    text: String,
    bot_id: Option<String>,
    subtype: Option<String>,
    /// How many answers the first one has.
    reply_count: Option<usize>,
}

/// The thread as far as it was read.
#[derive(Debug, Default)]
struct Thread {
    messages: Vec<Said>,
    /// The first message is on every page.
    known: BTreeSet<String>,
    /// Where the next page begins; empty where there is none.
    cursor: String,
}

impl Slack {
    /// What people said in the thread of `place`. In a conversation of two all of it is said to us.
    pub(super) async fn talk_at(&self, place: &Place) -> Result<Option<Talk>, PostError> {
        let Some(root) = place.thread.as_deref().filter(|_| !place.is_direct()) else { return Ok(None) };
        let me = self.my_id().await?;
        let mut thread = Thread::default();
        for page in 0..PAGES_MAX {
            let asked =
                [("channel", place.channel.as_str()), ("ts", root), ("limit", PAGE), ("cursor", &thread.cursor)];
            match self.asked_within("conversations.replies", &asked, PATIENCE).await {
                Ok(answer) => thread.take(&answer),
                // What was read is worth something; how much it is not is told.
                Err(PostError::Later(_) | PostError::Busy) if page > 0 => break,
                Err(error) => return Err(error),
            }
            if thread.cursor.is_empty() {
                break;
            }
        }
        Ok(Some(thread.talk(&me)))
    }

    async fn my_id(&self) -> Result<String, PostError> {
        if let Some(known) = self.me.0.get() {
            return Ok(known.clone());
        }
        let (answer, _) = self.who().await?;
        let id = answer["user_id"].as_str().unwrap_or_default();
        if id.is_empty() {
            return Err(PostError::Refused("auth.test", "without our id".to_owned()));
        }
        Ok(self.me.0.get_or_init(|| id.to_owned()).clone())
    }
}

impl Thread {
    /// Takes in a page. What cannot be read is none of ours.
    fn take(&mut self, answer: &Value) {
        let page = answer["messages"].as_array().into_iter().flatten();
        for said in page.filter_map(|said| Said::deserialize(said).ok()) {
            if self.known.insert(said.ts.clone()) {
                self.messages.push(said);
            }
        }
        let next = answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
        next.clone_into(&mut self.cursor);
    }

    /// What people said in it, as `me` hears it.
    fn talk(self, me: &str) -> Talk {
        let there = self.messages.first().and_then(|first| first.reply_count).map_or(0, |answers| answers + 1);
        let unread = if self.cursor.is_empty() { 0 } else { there.saturating_sub(self.messages.len()).max(1) };
        let remark = |said: Said| {
            let is_theirs = said.bot_id.is_none()
                && is_said(said.subtype.as_deref())
                && said.user.as_deref().is_some_and(|user| user != me);
            let is_to_us = said.text.contains(&format!("<@{me}>")) || said.text.contains(&format!("<@{me}|"));
            let text = plain(&said.text);
            (is_theirs && !text.trim().is_empty()).then(|| Remark {
                at_ms: milliseconds(&said.ts),
                by: PersonId::new(said.user.unwrap_or_default()),
                id: RemarkId::new(said.ts),
                text,
                is_to_us,
            })
        };
        Talk { said: self.messages.into_iter().filter_map(remark).collect(), unread }
    }
}

impl PostError {
    /// What it means for whoever wanted to read.
    pub(super) fn of_reading(&self) -> OutletError {
        match self {
            Self::Refused(_, why) if matches!(why.as_str(), "not_in_channel" | "channel_not_found") => {
                OutletError::Refused("I am not in this channel: invite me, and I can read along".to_owned())
            }
            Self::Refused(_, why) if why == "missing_scope" => OutletError::Refused(
                "Slack lets me read no threads here: the app lacks a scope, which `turnwise doctor` names".to_owned(),
            ),
            other => OutletError::Busy(other.to_string()),
        }
    }
}

/// Whether a message of this kind is what a person wrote, and no note of Slack about one: that it was edited, deleted,
/// or that somebody came.
pub(super) fn is_said(subtype: Option<&str>) -> bool {
    subtype.is_none_or(|subtype| SAID.contains(&subtype))
}

/// When a message was said, as its id tells.
fn milliseconds(ts: &str) -> u64 {
    let (seconds, rest) = ts.split_once('.').unwrap_or((ts, ""));
    let thousandths: String = rest.chars().chain(std::iter::repeat('0')).take(3).collect();
    let number = |digits: &str| digits.parse::<u64>().unwrap_or(0);
    number(seconds).saturating_mul(1_000).saturating_add(number(&thousandths))
}

/// Kinds of messages that people write, beside the plain one.
const SAID: [&str; 3] = ["thread_broadcast", "file_share", "me_message"];
/// Messages of one page, which is as many as Slack advises; apps that it trusts less get fifteen.
const PAGE: &str = "200";
/// Pages that are read: what a thread of more messages is about stands in these.
const PAGES_MAX: usize = 10;
/// Longer than this nobody waits for an answer that could rest on a little less.
const PATIENCE: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_people_say_is_told_from_what_programs_say_and_each_message_is_read_once() {
        let mut thread = Thread::default();
        let root = json!({"ts": "100.000100", "user": "U1", "text": "We use &lt;one&gt; queue.", "reply_count": 9});
        thread.take(&json!({"messages": [root, {"ts": "101.5", "user": "U2", "text": "<@U0BOT> review this"}],
            "response_metadata": {"next_cursor": "two"}}));
        thread.take(&json!({"messages": [root,
            {"ts": "102.1", "user": "U3", "bot_id": "B1", "text": "built"},
            {"ts": "103.1", "user": "U0BOT", "text": "Review v1"},
            {"ts": "104.1", "user": "USLACKBOT", "subtype": "tombstone", "text": "This message was deleted."},
            {"ts": "105.1", "user": "U3", "subtype": "thread_broadcast", "text": "We need a way back."}],
            "response_metadata": {"next_cursor": "three"}}));
        let talk = thread.talk("U0BOT");
        let read: Vec<(&str, &str, bool)> =
            talk.said.iter().map(|said| (said.by.as_str(), said.text.as_str(), said.is_to_us)).collect();
        assert_eq!(
            read,
            [("U1", "We use <one> queue.", false), ("U2", "review this", true), ("U3", "We need a way back.", false)]
        );
        assert_eq!((talk.unread, talk.said[0].at_ms, talk.said[1].at_ms), (4, 100_000, 101_500));
    }
}

//! Slash commands: `/bot review …`, `ticket`, `discuss`, `forget` and `help`. Slack does not say in which thread one
//! was typed, so what asks for work begins a thread of its own, and `forget` means the thread its person spoke in
//! last. Next: `receive`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use turnwise_core::InputKey;

use super::inbox::Spoken;
use super::{Place, Slack, blocks, form};

/// A command as it was typed.
#[derive(Debug)]
pub(super) struct Command {
    team: String,
    channel: String,
    user: String,
    /// By which Slack tells two commands apart.
    trigger: String,
    word: String,
    rest: String,
}

impl Command {
    /// The command in a form.
    pub(super) fn of(body: &str) -> Option<Self> {
        Self::of_values(|name| form::value(body, name))
    }

    /// The command whose values these are, by name.
    pub(super) fn of_values(value: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let value = |name: &str| value(name).filter(|value| !value.is_empty());
        let text = value("text").unwrap_or_default();
        let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        Some(Self {
            team: value("team_id")?,
            channel: value("channel_id")?,
            user: value("user_id")?,
            trigger: value("trigger_id")?,
            word: word.to_lowercase(),
            rest: rest.trim().to_owned(),
        })
    }

    /// The team it was typed in.
    pub(super) fn team(&self) -> &str {
        &self.team
    }

    /// What is said to it at once, where nothing has to be done.
    pub(super) fn at_once(&self, bot: &str) -> Option<String> {
        let help = format!(
            "*/{bot} ticket* what it is about: drafts a ticket, or an epic with its stories\n*/{bot} review* what: reviews \
             a proposal\n*/{bot} discuss* what: says something without asking for anything\n*/{bot} decision* what was decided: posts it to the \
             channel\n*/{bot} forget*: forgets what \
             your latest thread defaults to\nOr mention me in a thread. Nothing is created before you approve a preview."
        );
        match (self.word.as_str(), self.rest.is_empty()) {
            ("" | "help", _) => Some(help),
            ("review" | "ticket" | "discuss" | "decision", true) => Some(format!(
                "What is it about? Type it behind the command: `/{bot} {} the login of the shop`.",
                self.word
            )),
            ("review" | "ticket" | "discuss" | "decision" | "forget", _) => None,
            (other, _) => Some(format!("There is no “{other}”.\n{help}")),
        }
    }
}

impl Slack {
    /// The command that forgets the default of a thread, as it is typed.
    pub(super) fn forget_command(&self) -> String {
        format!("/{} {}", self.settings.bot, blocks::FORGET)
    }
}

/// The commands that were typed lately, by their keys. Slack delivers one again that it heard nothing of, and a thread
/// that was begun for it cannot be taken back.
#[derive(Debug, Default)]
pub(super) struct Typed(Mutex<VecDeque<InputKey>>);

impl Typed {
    /// Whether it is new; from now on it is not.
    fn is_new(&self, key: &InputKey) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(key) {
            return false;
        }
        if known.len() >= TYPED_MAX {
            known.pop_front();
        }
        known.push_back(key.clone());
        true
    }
}

/// Does what was typed; gives what is answered to whoever typed it, where nothing could be done.
pub(super) async fn typed(slack: &Arc<Slack>, command: Command) -> Option<Value> {
    let Command { team, channel, user, trigger, word, rest } = command;
    let key = InputKey::new(format!("slack:{team}:{trigger}"));
    if !slack.typed.is_new(&key) {
        return None;
    }
    if word == "forget" {
        let place = slack.latest_of(&team, &channel, &user);
        let Some(place) = place else {
            let here = Place { team, channel, thread: None };
            let told = "You have not spoken to me in a thread of this channel lately. Mention me there with “forget the \
                        default of this thread”.";
            slack.whisper(&here, &user, told).await;
            return None;
        };
        let text = slack.forget_command();
        said(slack, Spoken { place, user, text, key, content: None }).await;
        return None;
    }
    let here = Place { team, channel, thread: None };
    let shown = format!("<@{user}>: /{} {word} {}", slack.settings.bot, blocks::escaped(&rest));
    // The thread hangs on what was asked, so that others see it.
    match slack.post(&here, &shown, Vec::new()).await {
        Ok(at) => {
            let place = Place { thread: Some(at), ..here };
            said(slack, Spoken { place, user, text: format!("/{word} {rest}"), key, content: None }).await;
            None
        }
        Err(error) => {
            eprintln!("A slash command could not be begun in Slack: {error}.");
            let told = format!(
                "I cannot write in this channel, so nothing was begun ({error}). Invite me with `/invite @{}` and type \
                 it again.",
                slack.settings.bot
            );
            Some(json!({ "response_type": "ephemeral", "text": told }))
        }
    }
}

/// A command does not come again, so whoever typed it is told where it could not be kept.
async fn said(slack: &Arc<Slack>, spoken: Spoken) {
    let (place, user) = (spoken.place.clone(), spoken.user.clone());
    if let Err(why) = slack.keep(spoken).await {
        slack.whisper(&place, &user, &format!("That was not taken in: {why}.")).await;
    }
}

/// Commands that are known again.
const TYPED_MAX: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::Command;

    fn at_once(text: &str) -> Option<String> {
        let body = format!("team_id=T1&channel_id=C1&user_id=U1&trigger_id=9&text={text}");
        Command::of(&body).and_then(|command| command.at_once("turnwise"))
    }

    #[test]
    fn a_command_without_its_text_is_told_what_to_type_and_one_with_it_is_done() {
        assert!(at_once("help").is_some_and(|told| told.contains("*/turnwise ticket*")));
        assert!(at_once("").is_some_and(|told| told.contains("*/turnwise review*")));
        assert!(at_once("ticket").is_some_and(|told| told.contains("`/turnwise ticket the login of the shop`")));
        assert!(at_once("tickt+x").is_some_and(|told| told.contains("There is no “tickt”")));
        assert_eq!(at_once("Ticket+login+bug"), None);
        assert_eq!(at_once("forget"), None);
        assert!(Command::of("team_id=T1&channel_id=C1&user_id=U1").is_none());
    }
}

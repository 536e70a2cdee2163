//! Members: who is in a channel. A button or an open form may still stand in the window of somebody who left, so
//! whoever decides is looked up each time; where Slack does not say, nothing is decided. Next: `press`, `modal`.

use super::post::PostError;
use super::{Place, Slack};

impl Slack {
    /// Why `user` decides nothing at `place`, as they are told; none where they are in its channel.
    pub(super) async fn outside(&self, place: &Place, user: &str) -> Option<String> {
        match self.is_member(&place.channel, user).await {
            Ok(true) => None,
            Ok(false) => Some(OUTSIDE.to_owned()),
            Err(error) => {
                eprintln!("Who is in a channel of Slack cannot be seen: {error}.");
                Some(UNSEEN.to_owned())
            }
        }
    }

    async fn is_member(&self, channel: &str, user: &str) -> Result<bool, PostError> {
        let mut cursor = String::new();
        for _ in 0..PAGES_MAX {
            let asked = [("channel", channel), ("limit", PAGE), ("cursor", &cursor)];
            let answer = self.asked("conversations.members", &asked).await?;
            if answer["members"].as_array().into_iter().flatten().any(|member| member == user) {
                return Ok(true);
            }
            let next = answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
            if next.is_empty() {
                return Ok(false);
            }
            next.clone_into(&mut cursor);
        }
        Ok(false)
    }
}

const OUTSIDE: &str = "You are not in this channel, so you decide nothing here.";
const UNSEEN: &str = "Slack does not say whether you are in this channel, so nothing was done. Please try again.";
/// Members of one page, which is as many as Slack gives.
const PAGE: &str = "1000";
/// Pages that are looked through: a channel of more people than that is none in which somebody decides by a button.
const PAGES_MAX: usize = 20;

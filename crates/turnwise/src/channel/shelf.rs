//! The shelf: the conversations a person takes part in, as a surface lists them and takes one up again, wherever they
//! are kept. Those of others are never on it. Next: `cli::shelf` for this machine's, `remote::shelf` for a server's.

use async_trait::async_trait;
use jiff::tz::TimeZone;
use turnwise_core::{Conversation, ConversationId, PersonId, Timestamp, text};

use super::Opened;
use super::draw::{Line, Look, Tone, cut, width};
use turnwise_assistant::{Failure, Stage};

/// A conversation on the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its id.
    pub id: ConversationId,
    /// What it is called; absent before its first message.
    pub title: Option<String>,
    /// The assistant it is with.
    pub assistant: String,
    /// Its last turn.
    pub active_at: Timestamp,
    /// What goes on in it.
    pub stands: Stands,
}

/// What goes on in a conversation, as far as it concerns whoever looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stands {
    /// A question waits for them.
    Asks,
    /// A question waits for others, who alone may decide.
    AsksOthers(Vec<PersonId>),
    /// Something is planned, looked up or run.
    Works,
    /// Nothing does.
    Rests,
}

/// A person's conversations.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// Those used last, the newest first, at most [`SHOWN_MAX`].
    async fn kept(&self) -> Result<Vec<Kept>, Failure>;

    /// Takes one up, over what it was begun over.
    async fn open(&self, id: &ConversationId) -> Result<Opened, Failure>;

    /// How far the one that is being opened is, where that can be told.
    fn stage(&self) -> Option<Stage> {
        None
    }
}

impl Stands {
    /// How `state` stands for `person`.
    #[must_use]
    pub fn of(state: &Conversation, person: &PersonId) -> Self {
        match state.question() {
            Some(question) if question.may_be_answered_by(person) => Self::Asks,
            Some(question) => Self::AsksOthers(question.approvers.clone()),
            None if state.is_busy() => Self::Works,
            None => Self::Rests,
        }
    }

    /// In words.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Asks => "waiting for your answer".to_owned(),
            Self::AsksOthers(others) => {
                let names: Vec<&str> = others.iter().map(PersonId::as_str).collect();
                format!("waiting for {}", names.join(" or "))
            }
            Self::Works => "running".to_owned(),
            Self::Rests => "idle".to_owned(),
        }
    }

    fn tone(&self) -> Tone {
        match self {
            Self::Asks => Tone::Warn,
            Self::AsksOthers(_) | Self::Rests => Tone::Dim,
            Self::Works => Tone::Good,
        }
    }
}

impl Kept {
    /// What it is called in a list.
    #[must_use]
    pub fn called(&self) -> &str {
        self.title.as_deref().unwrap_or(UNTITLED)
    }
}

/// A line for each conversation: its number, what it is called, and what is known of it. In a narrow window the name of
/// the assistant goes first, then when it was used; what goes on in it stays.
#[must_use]
pub fn rows(kept: &[Kept], here: Option<&ConversationId>, now: Timestamp, look: Look) -> Vec<Line> {
    let zone = TimeZone::system();
    let stands = |kept: &Kept| {
        let mark = if here == Some(&kept.id) { " · this one" } else { "" };
        format!("{}{mark}", kept.stands.words())
    };
    let whole = |kept: &Kept| format!("{} · {} · ", kept.assistant, ago(kept.active_at, now, &zone));
    let used = |kept: &Kept| format!("{} · ", ago(kept.active_at, now, &zone));
    let nothing = |_: &Kept| String::new();
    let widest = |told: &dyn Fn(&Kept) -> String| kept.iter().map(|kept| width(&told(kept))).max().unwrap_or_default();
    let taken = LEAD_WIDTH + GAP.len() + widest(&stands);
    let room = |beside: &dyn Fn(&Kept) -> String| look.width.saturating_sub(taken + widest(beside));
    let ways: [&dyn Fn(&Kept) -> String; 3] = [&whole, &used, &nothing];
    let beside = ways.into_iter().find(|beside| room(beside) >= TITLE_WIDTH_MIN).unwrap_or(&nothing);
    let longest = kept.iter().map(|kept| width(kept.called())).max().unwrap_or_default();
    let room = room(beside).min(longest).clamp(TITLE_WIDTH_LEAST, TITLE_WIDTH_MAX);
    let row = |(at, kept): (usize, &Kept)| {
        let title = cut(kept.called(), room);
        let gap = " ".repeat(room.saturating_sub(width(&title)) + GAP.len());
        let line =
            Line::of(&format!("{:>3}  ", at + 1), Tone::Accent).with(&title, Tone::Plain).with(&gap, Tone::Plain);
        line.with(&beside(kept), Tone::Dim).with(&stands(kept), kept.stands.tone()).cut(look.width)
    };
    kept.iter().enumerate().map(row).collect()
}

/// Conversations where none can be picked from the list: each with its id, and what takes one up again.
#[must_use]
pub fn lines(kept: &[Kept], here: Option<&ConversationId>, now: Timestamp, look: Look) -> Vec<Line> {
    if kept.is_empty() {
        return [NOTHING_KEPT, BEGIN].map(|words| Line::of(words, Tone::Plain)).to_vec();
    }
    let id = |kept: &Kept| Line::of(&format!("     {}", kept.id), Tone::Dim);
    let mut lines: Vec<Line> =
        rows(kept, here, now, look).into_iter().zip(kept).flat_map(|(row, kept)| [row, id(kept)]).collect();
    lines.push(Line::of(TAKE_UP, Tone::Dim));
    lines
}

/// Whether words are the command that shows the shelf.
#[must_use]
pub fn is_command(words: &str) -> bool {
    words.trim() == COMMAND
}

/// How long ago `at` was: in words while that is easily reckoned, else the day and the time in `zone`.
#[must_use]
pub fn ago(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let minutes = (now.as_millis() - at.as_millis()).max(0) / 60_000;
    let told =
        |number: i64, unit: &str| format!("{} ago", text::count(usize::try_from(number).unwrap_or_default(), unit));
    match minutes {
        0 => "just now".to_owned(),
        1..60 => told(minutes, "minute"),
        60..1_440 => told(minutes / 60, "hour"),
        1_440..10_080 => told(minutes / 1_440, "day"),
        _ => match jiff::Timestamp::from_millisecond(at.as_millis()) {
            Ok(moment) => moment.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
            Err(_) => told(minutes / 1_440, "day"),
        },
    }
}

/// The command that shows the shelf.
pub const COMMAND: &str = "/conversations";
/// What stands where a person has no conversation yet.
pub const NOTHING_KEPT: &str = "You have no conversations here yet. What you say in a chat begins one, and it is kept.";
/// What begins a conversation.
pub const BEGIN: &str = "turnwise chat --data FILE begins one; --sample in place of --data FILE brings data to try.";
/// What takes one up again.
const TAKE_UP: &str = "turnwise chat --resume ID takes one up again, turnwise chat --continue the first.";
/// Most conversations on the shelf at once.
pub const SHOWN_MAX: usize = crate::driver::LISTED_MAX;
/// What is shown where nothing was said yet.
const UNTITLED: &str = "(nothing said yet)";
/// Between what it is called and the rest.
const GAP: &str = "  ";
/// Cells of a number and what follows it.
const LEAD_WIDTH: usize = 5;
/// Before titles are cut shorter, something else goes.
const TITLE_WIDTH_MIN: usize = 16;
/// A title cut shorter says nothing.
const TITLE_WIDTH_LEAST: usize = 6;
/// Room for a title: the rest stays near it in a wide window.
const TITLE_WIDTH_MAX: usize = 60;

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;
    use turnwise_core::{ConversationId, PersonId, Timestamp};

    use super::{Kept, Stands, ago, rows};
    use crate::channel::draw::Look;

    const NOW: Timestamp = Timestamp::from_millis(1_764_226_800_000); // 2025-11-27 07:00 UTC

    fn before(minutes: i64) -> Timestamp {
        Timestamp::from_millis(NOW.as_millis() - minutes * 60_000)
    }

    #[test]
    fn what_is_near_is_told_in_words_and_what_is_far_by_its_day_and_time_here() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        for (minutes, told) in [
            (-5, "just now"),
            (0, "just now"),
            (1, "1 minute ago"),
            (59, "59 minutes ago"),
            (60, "1 hour ago"),
            (24 * 60 - 1, "23 hours ago"),
            (24 * 60, "1 day ago"),
            (7 * 24 * 60 - 1, "6 days ago"),
            (7 * 24 * 60, "2025-11-20 09:00"),
        ] {
            assert_eq!(ago(before(minutes), NOW, &zone), told, "{minutes} minutes");
        }
    }

    #[test]
    fn a_line_keeps_what_goes_on_in_any_width() {
        let kept = Kept {
            id: ConversationId::new("a"),
            title: Some("Revenue by region and by month of the last four years".to_owned()),
            assistant: "analyst".to_owned(),
            active_at: before(120),
            stands: Stands::Asks,
        };
        let other = Kept { title: None, stands: Stands::Rests, ..kept.clone() };
        let listed = [other, kept];
        let line = |columns: u16| rows(&listed, None, NOW, Look::terminal(columns))[1].plain();
        assert_eq!(
            line(120),
            "  2  Revenue by region and by month of the last four years  analyst · 2 hours ago · waiting for your answer"
        );
        assert_eq!(line(80), "  2  Revenue by region and by…  analyst · 2 hours ago · waiting for your answer");
        assert_eq!(line(70), "  2  Revenue by region and by…  2 hours ago · waiting for your answer");
        assert_eq!(line(50), "  2  Revenue by region…   waiting for your answer");
        for columns in 10..130 {
            assert!(line(columns).chars().count() < usize::from(columns), "{columns}: {}", line(columns));
        }
    }

    #[test]
    fn whose_answer_is_waited_for_is_named() {
        let others = Stands::AsksOthers(vec![PersonId::new("anna"), PersonId::new("ben")]);
        assert_eq!(others.words(), "waiting for anna or ben");
    }
}

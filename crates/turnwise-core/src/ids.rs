//! Identifier newtypes: no bare strings or integers travel as ids. They come in as values; core draws none at random.
//! Ids within a conversation are counters, so the same inputs give the same ids. Next: `event`.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }
    };
}

macro_rules! counter_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u64);

        impl $name {
            /// The `number`th of its conversation.
            #[must_use]
            pub const fn new(number: u64) -> Self {
                Self(number)
            }

            /// The number.
            #[must_use]
            pub const fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

text_id!(
    /// One conversation, unique in the store.
    ConversationId
);
text_id!(
    /// One person, as the surface knows them.
    PersonId
);
text_id!(
    /// An assistant's name, `analyst` for example.
    AssistantName
);
text_id!(
    /// What makes two deliveries of one input the same: an event id, a client's key, a content key.
    InputKey
);
text_id!(
    /// What people call the kind of place an input came from.
    SurfaceName
);
text_id!(
    /// One opening of a surface: a window, a call of a command.
    SurfaceSession
);
text_id!(
    /// The name of a fact: what plans ask for and reuse.
    FactName
);
text_id!(
    /// The tool of a step, in the words of the assistant that runs it.
    ToolName
);
counter_id!(
    /// A plan, all its versions together.
    PlanId,
    "plan-"
);
counter_id!(
    /// One execution of one version of a plan.
    RunId,
    "run-"
);
counter_id!(
    /// An open question.
    PendingId,
    "q"
);
counter_id!(
    /// Work asked of an assistant whose result is awaited.
    RequestId,
    "request-"
);
counter_id!(
    /// One resolution of a fact; the same name may be resolved again under a new id.
    FactId,
    "fact-"
);
counter_id!(
    /// A message of a person, counted within the conversation.
    MessageId,
    "m"
);
counter_id!(
    /// The position of an event in a conversation's log, from 1.
    Sequence,
    "#"
);

/// A step of a plan, by its number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(u32);

impl StepId {
    /// The `number`th step, from 1.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number, from 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "step {}", self.0)
    }
}

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// `milliseconds` since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_millis(milliseconds: i64) -> Self {
        Self(milliseconds)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// The moment for people, to the second: `2026-11-22 08:31:02 UTC`.
    #[must_use]
    pub fn utc(self) -> String {
        let seconds = self.0.div_euclid(1000);
        let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Days to a civil date as in Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let part = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * part + 2) / 5 + 1;
        let month = if part < 10 { part + 3 } else { part - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn moments_read_as_dates() {
        let said = |millis: i64| Timestamp::from_millis(millis).utc();
        assert_eq!(said(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(said(1_709_164_799_999), "2024-02-28 23:59:59 UTC");
        assert_eq!(said(1_709_164_800_000), "2024-02-29 00:00:00 UTC");
        assert_eq!(said(4_107_542_399_000), "2100-02-28 23:59:59 UTC");
        assert_eq!(said(4_107_542_400_000), "2100-03-01 00:00:00 UTC");
        assert_eq!(said(-1), "1969-12-31 23:59:59 UTC");
    }
}

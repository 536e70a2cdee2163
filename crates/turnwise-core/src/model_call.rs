//! Calls of language models as a conversation keeps them: what each was for, what it took, and what was wrong with its
//! answer. A call decides nothing here; it is recorded so that a person can see what was asked of whom, and what it
//! cost. Next: `event`, where one is recorded; `decide::say` for what is told of them.

use serde::{Deserialize, Serialize};

use crate::{Conversation, Effect, MessageId, limits, text};

/// One call of a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The message whose work asked; absent where nobody's message did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// The name of the task, as `question`.
    pub task: String,
    /// Which version of its templates.
    pub version: String,
    /// Who was asked.
    pub model: String,
    /// The digest of all that was sent, so that equal calls can be told without keeping what was sent.
    pub digest: String,
    /// How long it took, attempts and waits together.
    pub elapsed_ms: u64,
    /// How many attempts it took, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// What it took.
    pub used: Tokens,
    /// The cost in millionths, where somebody said the price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
    /// Why it failed, or what is wrong with its answer; empty for an answer that was used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// What was sent and answered, where that is to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Exchange>,
}

/// What was sent to a model, and what it answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The messages, in order.
    pub sent: Vec<Sent>,
    /// The answer, where there was one.
    pub answer: Option<String>,
}

/// One message of what was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Whose message it stood for: `system`, `user` or `assistant`.
    pub by: String,
    /// What stood in it.
    pub text: String,
}

/// The tokens of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Of what was sent.
    pub input: u64,
    /// Of what came back.
    pub output: u64,
    /// Whether nobody counted them, and they are worked out from the length of the texts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// What several calls took together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// How many there were.
    pub calls: u64,
    /// Their tokens.
    pub used: Tokens,
    /// Their cost in millionths, of those whose price is known.
    pub micros: u64,
    /// How many have no price.
    pub unpriced: u64,
}

/// What models took in a conversation: in all, and for the message they worked for last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelsUsed {
    /// In all.
    pub all: ModelUse,
    /// The message they worked for last, where it was one.
    pub message: Option<MessageId>,
    /// For that message.
    pub for_message: ModelUse,
}

impl ModelCall {
    /// The call with no more of it than a conversation keeps.
    #[must_use]
    pub fn within_limits(mut self) -> Self {
        self.problems.truncate(limits::CALL_PROBLEMS_MAX);
        for problem in &mut self.problems {
            *problem = text::clip(problem, limits::CALL_PROBLEM_WIDTH);
        }
        self
    }

    /// One line that tells it.
    #[must_use]
    pub fn told(&self) -> String {
        let tried = self.attempts.filter(|attempts| *attempts > 1);
        let tried = tried.map(|attempts| format!(", {attempts} attempts")).unwrap_or_default();
        let cost = self.micros.map(|micros| format!(", cost {}", cost(micros))).unwrap_or_default();
        let problems = match self.problems.as_slice() {
            [] => String::new(),
            problems => format!("; not used: {}", problems.join("; ")),
        };
        let Self { task, version, model, elapsed_ms, used, .. } = self;
        format!("{task} (version {version}) by {model}: {elapsed_ms} ms, {}{cost}{tried}{problems}", used.told())
    }
}

impl ModelCall {
    /// What was sent and answered, where it was kept: a line that names the call, then each text under its name.
    #[must_use]
    pub fn exchange_told(&self) -> String {
        let mut told = format!("── {}", self.told());
        let Some(Exchange { sent, answer }) = &self.kept else { return told };
        for Sent { by, text } in sent {
            told.push_str(&format!("\n── sent as {by}:\n{}", text.trim_end()));
        }
        if let Some(answer) = answer {
            told.push_str(&format!("\n── answered:\n{}", answer.trim_end()));
        }
        told.push_str("\n──");
        told
    }
}

impl Tokens {
    /// In words.
    #[must_use]
    pub fn told(self) -> String {
        let about = if self.estimated { "about " } else { "" };
        format!("{about}{} + {} tokens", text::thousands(self.input), text::thousands(self.output))
    }
}

impl ModelUse {
    fn add(&mut self, call: &ModelCall) {
        self.calls += 1;
        self.used.input = self.used.input.saturating_add(call.used.input);
        self.used.output = self.used.output.saturating_add(call.used.output);
        self.used.estimated |= call.used.estimated;
        match call.micros {
            Some(micros) => self.micros = self.micros.saturating_add(micros),
            None => self.unpriced += 1,
        }
    }

    /// In words: calls, tokens, and the cost where a price is known.
    #[must_use]
    pub fn told(&self) -> String {
        let calls = text::count(usize::try_from(self.calls).unwrap_or(usize::MAX), "call");
        let cost = match (self.micros, self.unpriced) {
            (_, unpriced) if unpriced == self.calls => String::new(),
            (micros, 0) => format!(", cost {}", cost(micros)),
            (micros, unpriced) => format!(", cost {} without {unpriced} of unknown price", cost(micros)),
        };
        format!("{calls}, {}{cost}", self.used.told())
    }
}

impl ModelsUsed {
    /// Counts a call.
    pub(crate) fn add(&mut self, call: &ModelCall) {
        if call.message != self.message || self.all.calls == 0 {
            (self.message, self.for_message) = (call.message, ModelUse::default());
        }
        self.all.add(call);
        self.for_message.add(call);
    }
}

impl Conversation {
    /// The message whose work `effect` is, while that is known.
    #[must_use]
    pub fn message_of(&self, effect: Effect) -> Option<MessageId> {
        match effect {
            Effect::DraftPlan { request } => self.task(request)?.heard.message,
            Effect::AnswerQuestion { request } => self.question_task(request)?.heard.message,
            Effect::StartStep { .. } | Effect::LookUpStep { .. } | Effect::WakeAt { .. } => {
                self.task.as_ref().and_then(|task| task.asked_in.last().copied().or(task.begun_in))
            }
            Effect::Hear { pending } => self.hearing.filter(|open| open.pending == pending)?.message,
            Effect::ExpireAt { .. } | Effect::StopRun { .. } | Effect::CloseSurface => None,
        }
    }
}

/// Millionths as a number with four places, rounded up: a cost is never told smaller than it is.
#[must_use]
pub fn cost(micros: u64) -> String {
    let ten_thousandths = micros.div_ceil(100);
    format!("{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(message: u64, micros: Option<u64>) -> ModelCall {
        ModelCall {
            message: Some(MessageId::new(message)),
            task: "question".to_owned(),
            version: "2".to_owned(),
            model: "ollama:tiny".to_owned(),
            digest: "d".to_owned(),
            elapsed_ms: 1_200,
            attempts: Some(2),
            used: Tokens { input: 1_500, output: 20, estimated: false },
            micros,
            problems: vec!["no such table".to_owned()],
            kept: None,
        }
    }

    #[test]
    fn a_call_is_told_with_what_it_took_and_why_it_was_not_used() {
        assert_eq!(
            call(1, Some(250)).told(),
            "question (version 2) by ollama:tiny: 1200 ms, 1,500 + 20 tokens, cost 0.0003, 2 attempts; \
             not used: no such table"
        );
    }

    #[test]
    fn what_a_message_took_is_counted_apart_from_the_whole() {
        let mut used = ModelsUsed::default();
        used.add(&call(1, Some(250)));
        used.add(&call(2, Some(1_000_000)));
        used.add(&call(2, None));
        assert_eq!(used.message, Some(MessageId::new(2)));
        assert_eq!(used.for_message.told(), "2 calls, 3,000 + 40 tokens, cost 1.0000 without 1 of unknown price");
        assert_eq!(used.all.calls, 3);
        assert_eq!(used.all.told(), "3 calls, 4,500 + 60 tokens, cost 1.0003 without 1 of unknown price");
    }
}

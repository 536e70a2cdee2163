//! What calls may take and have taken: tokens and money, for one call and for one conversation. What a call may take at
//! most is set aside before it is sent, so that calls side by side cannot pass a limit together; what it took is booked
//! when it ends, however it ends. Next: `guarded`.

use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::{Answer, ModelError, Request, Usage};

/// What a provider asks for a million tokens, in dollars (or whatever it bills in). Whoever sets up the machine says
/// it: prices change faster than programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For a million tokens sent.
    pub input: f64,
    /// For a million tokens received.
    pub output: f64,
}

/// What may be used. No limit where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Tokens of one call, both ways.
    pub call_tokens_max: Option<u64>,
    /// Tokens of one conversation, both ways.
    pub conversation_tokens_max: Option<u64>,
    /// Cost of one conversation, in millionths of the currency of `price`; needs a price to be kept.
    pub conversation_micros_max: Option<u64>,
    /// What tokens cost.
    pub price: Option<Price>,
}

/// What was used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Spent {
    /// How many calls were sent.
    pub calls: u64,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// The cost in millionths, where there is a price.
    pub micros: u64,
}

/// The account of one conversation.
#[derive(Clone, Debug)]
pub struct Account {
    budget: Budget,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    spent: Spent,
    /// Set aside for calls that are not over.
    tokens_held: u64,
    micros_held: u64,
}

/// What is set aside for a call. What it took is booked when this is dropped, so also when the call is given up.
#[derive(Debug)]
pub struct Held {
    account: Account,
    tokens: u64,
    micros: u64,
    /// How many bytes an attempt sends.
    sends: usize,
    taken: Usage,
    /// Bytes received by an attempt that is not over.
    open: Option<usize>,
    calls: u64,
}

impl Price {
    /// What `usage` costs, in millionths.
    #[must_use]
    pub fn micros(self, usage: Usage) -> u64 {
        // A dollar for a million tokens is a millionth of a dollar for one.
        let cost = f64::from(usage.input_tokens) * self.input + f64::from(usage.output_tokens) * self.output;
        cost.ceil() as u64
    }
}

impl Budget {
    fn micros(&self, usage: Usage) -> u64 {
        self.price.unwrap_or_default().micros(usage)
    }
}

impl Account {
    /// An account of which nothing is used.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, state: Arc::default() }
    }

    /// What was used so far.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent
    }

    /// Sets aside what `request` may take at most.
    ///
    /// # Errors
    /// When that would pass a limit.
    pub fn hold(&self, request: &Request) -> Result<Held, ModelError> {
        let sends = request.bytes();
        let most = Usage { output_tokens: request.tokens_max, ..Usage::estimate(sends, 0) };
        let (tokens, micros) = (most.total(), self.budget.micros(most));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let tokens_used = state.spent.input_tokens + state.spent.output_tokens + state.tokens_held;
        let limits = [
            ("tokens of one call", tokens, self.budget.call_tokens_max, 0),
            ("tokens of this conversation", tokens, self.budget.conversation_tokens_max, tokens_used),
            (
                "cost of this conversation in millionths",
                micros,
                self.budget.conversation_micros_max,
                state.spent.micros + state.micros_held,
            ),
        ];
        for (what, wanted, limit, used) in limits {
            if let Some(limit) = limit.filter(|limit| used.saturating_add(wanted) > *limit) {
                return Err(ModelError::OverBudget { what, wanted, limit, used });
            }
        }
        state.tokens_held += tokens;
        state.micros_held += micros;
        let taken = Usage::default();
        Ok(Held { account: self.clone(), tokens, micros, sends, taken, open: None, calls: 0 })
    }
}

impl Held {
    /// An attempt begins.
    pub fn begin(&mut self) {
        self.open = Some(0);
        self.calls += 1;
    }

    /// So many bytes came.
    pub fn received(&mut self, bytes: usize) {
        *self.open.get_or_insert(0) += bytes;
    }

    /// How many bytes came in this attempt.
    #[must_use]
    pub fn received_bytes(&self) -> usize {
        self.open.unwrap_or(0)
    }

    /// The attempt ended with an answer.
    pub fn answered(&mut self, answer: &Answer) {
        self.open = None;
        self.add(answer.usage);
    }

    /// The attempt failed. Where words had come, tokens were used, whatever became of them.
    pub fn failed(&mut self) {
        if let Some(bytes) = self.open.take().filter(|bytes| *bytes > 0) {
            self.add(Usage::estimate(self.sends, bytes));
        }
    }

    fn add(&mut self, usage: Usage) {
        self.taken.input_tokens = self.taken.input_tokens.saturating_add(usage.input_tokens);
        self.taken.output_tokens = self.taken.output_tokens.saturating_add(usage.output_tokens);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // An attempt that was given up in the middle was sent, and is paid for.
        if let Some(bytes) = self.open.take() {
            self.add(Usage::estimate(self.sends, bytes));
        }
        let micros = self.account.budget.micros(self.taken);
        let mut state = self.account.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tokens_held = state.tokens_held.saturating_sub(self.tokens);
        state.micros_held = state.micros_held.saturating_sub(self.micros);
        state.spent.calls += self.calls;
        state.spent.input_tokens += u64::from(self.taken.input_tokens);
        state.spent.output_tokens += u64::from(self.taken.output_tokens);
        state.spent.micros += micros;
    }
}

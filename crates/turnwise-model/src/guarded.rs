//! What stands around every model that is asked in earnest: a limit on how many calls run side by side, a time for each
//! call, attempts with growing pauses where they may help, a budget, and an end to answers that have none. The model
//! beneath makes one attempt and knows none of this. Next: `budget`, `limits`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::budget::{Account, Budget, Held, Spent};
use crate::{Answer, Model, ModelError, ModelName, Price, Request, Retry, limits};

/// How calls of a model are kept in bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guards {
    /// How many calls of this model run side by side; more wait, and their waiting counts as time of the call.
    pub concurrent_max: usize,
    /// How many attempts a call makes at most.
    pub attempts_max: u32,
    /// The longest a call may take whatever its request says, all attempts and waits together.
    pub time_max: Duration,
    /// The pause after the first attempt; each further one is twice as long.
    pub pause_first: Duration,
    /// The longest pause of our choice. A provider may name a longer one.
    pub pause_max: Duration,
    /// What may be used.
    pub budget: Budget,
    /// Whether what is sent is kept with what was asked.
    pub kept: bool,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            concurrent_max: limits::CONCURRENT_MAX,
            attempts_max: limits::ATTEMPTS_MAX,
            time_max: limits::TASK_TIME_MAX,
            pause_first: limits::PAUSE_FIRST,
            pause_max: limits::PAUSE_MAX,
            budget: Budget::default(),
            kept: false,
        }
    }
}

/// A model within bounds.
#[derive(Clone)]
pub struct Guarded {
    model: Arc<dyn Model>,
    guards: Guards,
    places: Arc<Semaphore>,
    account: Account,
}

impl Guarded {
    /// `model` within `guards`, with an account of its own.
    #[must_use]
    pub fn new(model: Arc<dyn Model>, guards: Guards) -> Self {
        let places = Arc::new(Semaphore::new(guards.concurrent_max.max(1)));
        Self { model, guards, places, account: Account::new(guards.budget) }
    }

    /// The same model for another conversation: the places are shared, the account is new.
    #[must_use]
    pub fn of_conversation(&self) -> Self {
        Self { account: Account::new(self.guards.budget), ..self.clone() }
    }

    /// What was used so far on this account.
    #[must_use]
    pub fn spent(&self) -> Spent {
        self.account.spent()
    }

    /// Attempts until one succeeds, none may help, or the time is over.
    async fn attempts(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
        until: Instant,
    ) -> Result<Answer, ModelError> {
        let mut held = self.account.hold(request)?;
        let _place = self.places.acquire().await.map_err(|error| ModelError::Defect { told: error.to_string() })?;
        let mut attempt = 1;
        loop {
            let error = match self.attempt(request, part, cancelled, &mut held).await {
                Ok(answer) => return Ok(Answer { attempts: attempt, ..answer }),
                Err(error) => error,
            };
            // What was given out cannot be taken back: a second attempt would say it twice.
            let heard = held.received_bytes() > 0;
            held.failed();
            let pause = match error.retry() {
                Retry::Later => self.pause(attempt),
                // The provider's word is the least; the rest keeps all who wait from coming back at once.
                Retry::After(after) => after + jitter(after / 10),
                Retry::Never => return Err(error),
            };
            if heard || attempt >= self.guards.attempts_max || Instant::now() + pause >= until {
                return Err(error);
            }
            tokio::time::sleep(pause).await;
            attempt += 1;
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
        held: &mut Held,
    ) -> Result<Answer, ModelError> {
        let enough = cancelled.child_token();
        held.begin();
        let mut count = |text: &str| {
            held.received(text.len());
            if held.received_bytes() > limits::ANSWER_BYTES_MAX {
                enough.cancel();
            } else {
                part(text);
            }
        };
        let outcome = self.model.stream(request, &mut count, &enough).await;
        if held.received_bytes() > limits::ANSWER_BYTES_MAX {
            let bytes_max = limits::ANSWER_BYTES_MAX;
            return Err(ModelError::Endless { model: self.model.name().clone(), bytes_max });
        }
        let answer = outcome?;
        held.answered(&answer);
        Ok(answer)
    }

    /// The pause after an attempt: between half of and all of a time that doubles each time.
    fn pause(&self, attempt: u32) -> Duration {
        let doubled = self.guards.pause_first.saturating_mul(1 << (attempt - 1).min(16));
        let whole = doubled.min(self.guards.pause_max);
        whole / 2 + jitter(whole / 2)
    }
}

#[async_trait]
impl Model for Guarded {
    fn name(&self) -> &ModelName {
        self.model.name()
    }

    fn price(&self) -> Option<Price> {
        self.guards.budget.price
    }

    fn is_kept(&self) -> bool {
        self.guards.kept
    }

    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let time_max = request.time_max.min(self.guards.time_max);
        let until = Instant::now() + time_max;
        // The call is raced here as well, so that a model which does not look at `cancelled` ends all the same.
        tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(ModelError::Cancelled { model: self.name().clone() }),
            answer = self.attempts(request, part, cancelled, until) => answer,
            () = tokio::time::sleep_until(until) => {
                Err(ModelError::TimedOut { model: self.name().clone(), after: time_max })
            }
        }
    }
}

/// A random part of `whole`. Without the system's randomness it is half: a pause is no secret.
fn jitter(whole: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or(u32::MAX / 2);
    whole.mul_f64(f64::from(random) / f64::from(u32::MAX))
}

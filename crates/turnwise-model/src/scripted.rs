//! A model that does what a script says, one turn a call: for tests of what goes wrong, and for demonstrations without
//! a network. The faults are those real models have: slow, cut off, ill-formed, refusing, wrong, injected, endless,
//! failing. Next: `guarded`, which has to stand all of them.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{Answer, Finish, Model, ModelError, ModelName, Request, Usage};

/// What the model does at one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Turn {
    /// Says a text and is done. Also for texts that are wrong, ill-formed, or try to give orders: what a text is worth
    /// is for whoever reads it.
    Say(String),
    /// Says the text word by word, with a pause before each.
    Slow {
        /// What it says.
        text: String,
        /// The pause, in milliseconds.
        pause_ms: u64,
    },
    /// Breaks off after the text.
    CutOff(String),
    /// Is stopped by the limit on tokens after the text.
    Length(String),
    /// Will not answer, and says so.
    Refuse(String),
    /// Says the text again and again until somebody stops it.
    Endless(String),
    /// Never says anything.
    Silent,
    /// Answers with an HTTP status, as a provider that is busy or broken.
    Fail {
        /// The status.
        status: u16,
        /// When to come again, in seconds, if it says so.
        #[serde(default)]
        after_s: Option<u64>,
    },
    /// Cannot be reached.
    Unreachable,
}

/// A model that follows a script. It keeps what it was asked.
#[derive(Debug)]
pub struct Scripted {
    name: ModelName,
    turns: Vec<Turn>,
    asked: Mutex<Vec<Request>>,
}

impl Scripted {
    /// A model that does `turns`, one at each call; a call more is an error.
    #[must_use]
    pub fn new(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self { name: ModelName::new("scripted"), turns: turns.into_iter().collect(), asked: Mutex::new(Vec::new()) }
    }

    /// A model that does what a file says: a JSON list of turns, as `[{"say": "yes"}, {"fail": {"status": 503}}]`.
    ///
    /// # Errors
    /// When the file cannot be read or is no such list.
    pub fn from_file(file: &Path) -> Result<Self, ModelError> {
        let unusable = |told: String| ModelError::File { file: file.to_owned(), told };
        let text = std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
        let turns: Vec<Turn> = serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        Ok(Self { name: ModelName::new(format!("scripted:{}", file.display())), ..Self::new(turns) })
    }

    /// What it was asked so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The turn of the next call.
    fn next(&self, request: &Request) -> Result<Turn, ModelError> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(request.clone());
        let turn = asked.len();
        self.turns.get(turn - 1).cloned().ok_or_else(|| ModelError::ScriptEnded { model: self.name.clone(), turn })
    }

    fn answer(&self, request: &Request, text: String, finish: Finish) -> Answer {
        let usage = Usage::estimate(request.bytes(), text.len());
        Answer { model: self.name.clone(), text, finish, usage, attempts: 1 }
    }

    fn failure(&self, status: u16, after_s: Option<u64>) -> ModelError {
        let (model, after) = (self.name.clone(), after_s.map(Duration::from_secs));
        ModelError::of_status(model, status, "as the script says", after)
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &ModelName {
        &self.name
    }

    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let turn = self.next(request)?;
        let play = self.play(turn, request, part);
        tokio::select! {
            biased;
            () = cancelled.cancelled() => Err(ModelError::Cancelled { model: self.name.clone() }),
            answer = play => answer,
        }
    }
}

impl Scripted {
    async fn play(
        &self,
        turn: Turn,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
    ) -> Result<Answer, ModelError> {
        let mut say = |text: &str| text.split_inclusive(' ').for_each(&mut *part);
        match turn {
            Turn::Say(text) => {
                say(&text);
                Ok(self.answer(request, text, Finish::Complete))
            }
            Turn::Length(text) => {
                say(&text);
                Ok(self.answer(request, text, Finish::Length))
            }
            Turn::Refuse(text) => {
                say(&text);
                Ok(self.answer(request, text, Finish::Refused))
            }
            Turn::CutOff(text) => {
                say(&text);
                let told = "as the script says".to_owned();
                Err(ModelError::CutOff { model: self.name.clone(), bytes: text.len(), told })
            }
            Turn::Slow { text, pause_ms } => {
                for word in text.split_inclusive(' ') {
                    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                    part(word);
                }
                Ok(self.answer(request, text, Finish::Complete))
            }
            Turn::Endless(text) => loop {
                say(&text);
                tokio::task::yield_now().await;
            },
            Turn::Silent => std::future::pending().await,
            Turn::Fail { status, after_s } => Err(self.failure(status, after_s)),
            Turn::Unreachable => {
                Err(ModelError::Unreachable { model: self.name.clone(), told: "as the script says".to_owned() })
            }
        }
    }
}

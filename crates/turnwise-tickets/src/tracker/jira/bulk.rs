//! Tickets that come within a moment of each other are created by one request: the stories of an epic, whose steps run
//! at the same time. Each of them keeps its own operation, so each is looked for before, told of by itself when Jira
//! refuses it, and tried again alone. Next: `mod`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::fields::metas;
use super::{Created, Jira, label};
use crate::draft::Draft;
use crate::tracker::web::{broken, errors};
use crate::tracker::{Operation, Ticket, TicketKey, TrackerError};

/// One that is to be created.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) draft: Draft,
    pub(super) epic: Option<TicketKey>,
    pub(super) operation: Operation,
}

/// Those that wait for others.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathering(Arc<Mutex<Vec<Waiting>>>);

#[derive(Debug)]
struct Waiting {
    wanted: Wanted,
    answer: oneshot::Sender<Result<Ticket, TrackerError>>,
}

/// What Jira says of each.
#[derive(Debug, Deserialize)]
struct Each {
    issues: Vec<Created>,
    #[serde(default)]
    errors: Vec<Failed>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    status: Option<u16>,
    failed_element_number: Option<usize>,
    #[serde(default)]
    element_errors: Value,
}

impl Gathering {
    /// Adds one; gives its answer to come, and whether it is the first and so has to see to all of them.
    fn add(&self, wanted: Wanted) -> (oneshot::Receiver<Result<Ticket, TrackerError>>, bool) {
        let (answer, coming) = oneshot::channel();
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(Waiting { wanted, answer });
        (coming, waiting.len() == 1)
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// All of them, once no more came for a moment.
    async fn complete(&self) -> Vec<Waiting> {
        let mut count = 0;
        while count < self.count() && count < TOGETHER_MAX {
            count = self.count();
            tokio::time::sleep(MOMENT).await;
        }
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Jira {
    /// Creates one, with those that are wanted at the same time.
    pub(super) async fn create_gathered(&self, wanted: Wanted) -> Result<Ticket, TrackerError> {
        let (coming, is_first) = self.gathering.add(wanted);
        if is_first {
            let jira = self.clone();
            // On its own, because the others must not hang on whoever came first.
            tokio::spawn(async move {
                let mut waiting = jira.gathering.complete().await;
                while !waiting.is_empty() {
                    let rest = waiting.split_off(waiting.len().min(TOGETHER_MAX));
                    jira.create_waiting(waiting).await;
                    waiting = rest;
                }
            });
        }
        coming.await.unwrap_or_else(|_| Err(broken("What was sent to Jira broke off")))
    }

    async fn create_waiting(&self, waiting: Vec<Waiting>) {
        // Nobody waits for a step that was stopped, so it is not sent.
        let waiting: Vec<Waiting> = waiting.into_iter().filter(|one| !one.answer.is_closed()).collect();
        let (wanted, answers): (Vec<_>, Vec<_>) = waiting.into_iter().map(|one| (one.wanted, one.answer)).unzip();
        if wanted.is_empty() {
            return;
        }
        let made = self.create_all(&wanted).await;
        let of = |at: usize| match &made {
            Ok(each) => each.get(at).cloned().unwrap_or_else(|| Err(broken("Jira did not say what became of it"))),
            Err(error) => Err(error.clone()),
        };
        for (at, answer) in answers.into_iter().enumerate() {
            // Whoever stopped in between is not told; the look-up finds it.
            let _ = answer.send(of(at));
        }
    }

    /// Creates those that do not exist yet; what became of each, in their order.
    async fn create_all(&self, wanted: &[Wanted]) -> Result<Vec<Result<Ticket, TrackerError>>, TrackerError> {
        let known = self.labelled(wanted.iter().map(|one| &one.operation)).await?;
        let known_of = |one: &Wanted| known.get(&label(&one.operation)).cloned();
        let new: Vec<&Wanted> = wanted.iter().filter(|one| known_of(one).is_none()).collect();
        if new.is_empty() {
            return Ok(wanted.iter().filter_map(known_of).map(Ok).collect());
        }
        let metas = metas(self, new.iter().map(|one| &one.draft)).await?;
        let issue = |one: &&Wanted| Some(self.issue(one, metas.get(&one.draft.kind)?));
        let issues: Vec<Value> = new.iter().filter_map(issue).collect();
        let mut made = match issues.as_slice() {
            [only] => vec![self.make(only).await],
            several => self.make_each(several).await?,
        }
        .into_iter();
        let became = |one: &Wanted| match known_of(one) {
            Some(ticket) => Ok(ticket),
            None => match made.next() {
                Some(made) => made.map(|created| self.ticket(created.key, &one.draft.title)),
                None => Err(broken("Jira did not say what became of it")),
            },
        };
        Ok(wanted.iter().map(became).collect())
    }

    /// Creates several by one request.
    async fn make_each(&self, issues: &[Value]) -> Result<Vec<Result<Created, TrackerError>>, TrackerError> {
        let body = json!({ "issueUpdates": issues });
        let each: Each = self.web.call_for_each("/rest/api/3/issue/bulk", &body).await?;
        if each.issues.len() + each.errors.len() != issues.len() {
            return Err(broken("Jira's answer does not tell of each of the tickets"));
        }
        // Without the place of each refusal nobody knows which key is whose.
        if each.errors.iter().any(|failed| failed.failed_element_number.is_none_or(|at| at >= issues.len())) {
            return Err(broken("Jira does not say which of the tickets it refused"));
        }
        let failed = |at: usize| each.errors.iter().find(|failed| failed.failed_element_number == Some(at));
        // Those that exist are told of in the order in which they were sent.
        let mut created = each.issues.iter();
        let became = |at: usize| match failed(at) {
            Some(failed) => Err(failed.told()),
            None => created.next().cloned().ok_or_else(|| broken("Jira does not say which of the tickets it refused")),
        };
        Ok((0..issues.len()).map(became).collect())
    }
}

impl Failed {
    fn told(&self) -> TrackerError {
        let said = errors(&self.element_errors);
        match self.status {
            Some(403) => TrackerError::Unusable(format!("Jira does not permit that. {said}").trim_end().to_owned()),
            Some(429) => TrackerError::Busy("Jira asks for patience.".to_owned()),
            Some(status @ 500..) => broken(&format!("Jira answered {status} to this one")),
            status => {
                let status = status.map_or_else(String::new, |status| format!(" ({status})"));
                TrackerError::Refused(format!("Jira refuses it{status}. {said}").trim_end().to_owned())
            }
        }
    }
}

/// As many as Jira takes by one request.
pub(super) const TOGETHER_MAX: usize = 50;
/// Within it, the steps that start at the same time come; it is less than one request takes.
const MOMENT: Duration = Duration::from_millis(40);

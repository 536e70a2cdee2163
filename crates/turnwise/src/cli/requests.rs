//! What became of each request of a message that asked for several, as `ask --json` tells it: followed from the events,
//! so that the order is the one they were planned in. Next: `ask`.

use std::sync::Arc;

use serde::Serialize;
use turnwise_core::{AsideEvent, Event, Plan, PlanningEvent, RunEvent, Table};

use super::ask::{self, Rows};

/// The requests, in order; none where only one thing was asked.
#[derive(Debug, Default)]
pub(super) struct Requests {
    all: Vec<Request>,
    current: usize,
}

#[derive(Debug)]
struct Request {
    words: String,
    state: State,
    plan: Option<Arc<Plan>>,
    said: Vec<String>,
    /// The rows of the plan's result, which a single value is told without.
    rows: Option<Table>,
    result: Option<(String, Option<Table>)>,
}

/// How far a request got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// It comes when the one before has ended.
    Waiting,
    /// It is the one at hand: its plan, or a question about it, waits for the person.
    Open,
    /// Its plan was run.
    Done,
    /// It could not be planned, or its run failed.
    Failed,
    /// It was stopped or dropped.
    Stopped,
}

/// One request, as JSON.
#[derive(Serialize)]
pub(super) struct RequestReport<'a> {
    request: &'a str,
    state: State,
    answer: Option<String>,
    table: Option<Rows>,
    plan: Option<&'a Plan>,
}

impl Requests {
    /// Takes an event in.
    pub(super) fn note(&mut self, event: &Event) {
        if let Event::Planning(PlanningEvent::TaskSplit { requests, .. }) = event {
            let parts = requests.iter().map(|part| Request::new(&part.problem));
            let at = self.current.min(self.all.len());
            self.all.splice(at..self.all.len().min(at + 1), parts);
        }
        if let Event::Aside(AsideEvent::RequestTaken { .. }) = event {
            self.current += 1;
        }
        let Some(current) = self.all.get_mut(self.current) else { return };
        match event {
            Event::Planning(PlanningEvent::TaskSplit { .. }) | Event::Aside(AsideEvent::RequestTaken { .. }) => {
                current.state = State::Open;
            }
            Event::Planning(PlanningEvent::PlanDrafted { plan, .. }) => current.plan = Some(Arc::clone(plan)),
            Event::Planning(PlanningEvent::PlanningFailed { .. }) | Event::Run(RunEvent::Failed { .. }) => {
                current.state = State::Failed;
            }
            Event::Run(RunEvent::StepCompleted { facts, .. }) => {
                let result = current.plan.as_ref().map(|plan| &plan.draft().result);
                let found = facts.iter().find(|fact| Some(fact.name()) == result);
                current.rows = found.and_then(|fact| ask::table(fact)).or(current.rows.take());
            }
            Event::Run(RunEvent::Completed { .. }) => current.state = State::Done,
            Event::Planning(PlanningEvent::TaskDropped { .. }) | Event::Run(RunEvent::Stopped { .. }) => {
                current.state = State::Stopped;
            }
            Event::Said { text, .. } => current.said.push(text.clone()),
            _ => {}
        }
    }

    /// Takes in what the request at hand came to.
    pub(super) fn conclude(&mut self, answer: &str, table: Option<Table>) {
        if let Some(current) = self.all.get_mut(self.current) {
            current.result = Some((answer.to_owned(), table.or(current.rows.take())));
        }
    }

    /// What the first came to, where there are several: its words, its rows and its plan.
    pub(super) fn first(&self) -> Option<(String, Option<Table>, Option<&Plan>)> {
        let first = self.all.first()?;
        let table = first.result.as_ref().and_then(|(_, table)| table.clone());
        Some((first.answer().unwrap_or_default(), table, first.plan.as_deref()))
    }

    /// All of them.
    pub(super) fn reports(&self) -> Vec<RequestReport<'_>> {
        let report = |request: &'_ Request| -> (Option<String>, Option<Rows>) {
            let table = request.result.as_ref().and_then(|(_, table)| table.clone());
            (request.answer(), table.map(Rows::from))
        };
        let told = |request| {
            let (answer, table) = report(request);
            RequestReport {
                request: &request.words,
                state: request.state,
                answer,
                table,
                plan: request.plan.as_deref(),
            }
        };
        self.all.iter().map(told).collect()
    }
}

impl Request {
    fn new(words: &str) -> Self {
        Self { words: words.to_owned(), state: State::Waiting, plan: None, said: Vec::new(), rows: None, result: None }
    }

    /// Its result in words; else what was said of it, where it was at hand.
    fn answer(&self) -> Option<String> {
        match (&self.result, self.state) {
            (Some((answer, _)), _) => Some(answer.clone()),
            (None, State::Waiting) => None,
            (None, State::Open | State::Done | State::Failed | State::Stopped) => Some(self.said.join("\n")),
        }
    }
}

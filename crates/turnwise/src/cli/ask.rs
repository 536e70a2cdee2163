//! `turnwise ask`: one question, one answer, an exit code. The same driver, assistant and approvals as a chat:
//! `--approve all` submits a decision on the very plan that was shown. Next: `channel::ending`.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;

use serde::Serialize;
use turnwise_core::{
    Card, Cell, Conversation, ConversationId, Event, Fact, FactValue, ModelsUsed, Outcome, Pending, PendingKind, Plan,
    Receipt, Sequence, Table, Verdict, limits,
};

use super::args::{Approve, AskArguments, FlowArguments};
use super::drawing;
use super::loading;
use super::open;
use super::requests::{RequestReport, Requests};
use super::traces;
use crate::assistant;
use crate::channel::draw::{Look, Paint, paint, visible};
use crate::channel::ending::{Ending, Standing};
use crate::channel::feed::{Echo, Feed};
use crate::channel::link::Which;
use crate::channel::signals::Signals;
use crate::driver::{Driver, EventFeed, Session};
use turnwise_assistant::{Failure, FailureKind, Opened};

/// Asks, waits for the end, prints, and gives the exit code.
///
/// # Errors
/// When the question cannot be asked at all.
pub async fn ask(arguments: AskArguments) -> Result<ExitCode, Failure> {
    let question = question(&arguments.question)?;
    drawing::check(&arguments.chart)?;
    let driver = open::recorded_driver(&arguments.store, &arguments.traces)?;
    let asked = asked(&driver, &arguments, &question).await;
    let ended = driver.shutdown().await;
    traces::tell_trouble(driver.telemetry());
    let ending = asked?;
    ended?;
    Ok(ExitCode::from(ending.exit_code()))
}

fn question(argument: &str) -> Result<String, Failure> {
    let mut text = argument.to_owned();
    if argument == "-" {
        text.clear();
        io::stdin().read_to_string(&mut text).map_err(|error| {
            Failure::new(FailureKind::Usage, "the question on standard input is not readable text").caused_by(error)
        })?;
    }
    if text.trim().is_empty() {
        return Err(Failure::new(FailureKind::Usage, "the question is empty")
            .hint("turnwise ask --sample \"revenue by region\""));
    }
    Ok(text)
}

async fn asked(driver: &Driver, arguments: &AskArguments, question: &str) -> Result<Ending, Failure> {
    let mut signals = Signals::listen().map_err(|error| unusable("signals cannot be received", error))?;
    let kept = open::Kept::beside(&arguments.store, None)?;
    let progress = kept.progress.clone();
    let opening = open::load(&arguments.assistant, &arguments.data, FlowArguments::default(), kept);
    let Opened { assistant, mark, noticed, .. } = tokio::select! {
        loaded = loading::shown(|| progress.stage(), opening) => loaded?,
        () = told_to_end(&mut signals) => {
            eprintln!("Stopped while the data was read; nothing was asked.");
            return Ok(Ending::Cancelled);
        }
    };
    if let Some(noticed) = noticed {
        eprintln!("{noticed}");
    }
    let chosen = open::choose(driver, assistant.name(), &mark, &Which::New, None).await?;
    let session = driver.open(chosen.id.clone(), assistant).await?.on(SURFACE);
    let person = open::person();
    open::set_mode(&session, &person, &arguments.data).await?;
    let output = if arguments.json { Output::Json } else { Output::Text };
    let mut course = Course::begin(session, signals, output);
    let result = course.session.say(&person, question, Session::new_key()).await?;
    course.settle(&person).await?;
    for _ in 0..APPROVALS_MAX {
        let state = course.session.conversation();
        // Whoever stops it means all of it: nothing that waits is approved after that.
        let Some(plan) = to_approve(arguments.approve, &state).filter(|_| !course.is_stopped) else { break };
        let taken = course.session.decide(&person, plan.reference(), Verdict::Approve, Session::new_key()).await?;
        course.settle(&person).await?;
        if taken.receipt.is_some_and(|receipt| receipt.outcome == Outcome::Refused) {
            break;
        }
    }
    let reference = course.reference().await?;
    let ending = course.conclude(result.receipt).await?;
    if ending == Ending::NeedsApproval && course.output == Output::Text {
        eprintln!("{}", not_approved(&course.session.conversation()));
        eprintln!("  hint: --approve all runs plans without asking");
        if let Some(reference) = reference.filter(|_| !arguments.store.ephemeral) {
            eprintln!("  hint: turnwise approve {reference}{} runs it", db_option(arguments));
            eprintln!("  hint: {} takes it up", resumption(arguments, &chosen.id)?);
        }
    }
    if let Some(told) = drawing::draw(&arguments.chart, &course.session.conversation(), ending)? {
        eprintln!("{told}");
    }
    Ok(ending)
}

/// What is said where a plan was not approved, with what waits behind it.
fn not_approved(state: &Conversation) -> String {
    let waiting: Vec<String> = state.queue().requests.iter().map(|request| format!("“{}”", request.problem)).collect();
    let behind = match waiting.len() {
        0 => String::new(),
        1 => format!(" Behind it waits {}.", waiting[0]),
        _ => format!(" Behind it wait, in this order: {}.", waiting.join(", ")),
    };
    format!("Nothing was executed: the plan needs approval.{behind}")
}

fn db_option(arguments: &AskArguments) -> String {
    arguments.store.db.as_ref().map(|file| format!(" --db '{}'", file.display())).unwrap_or_default()
}

/// Waits until the process is told to end.
pub(super) async fn told_to_end(signals: &mut Signals) {
    while signals.next().await.exit_code().is_none() {}
}

/// The command that goes on with the conversation, with the same data and store.
fn resumption(arguments: &AskArguments, id: &ConversationId) -> Result<String, Failure> {
    let kind = assistant::named(&arguments.assistant)?;
    let mut command = format!("turnwise chat --resume {id}");
    if kind.name != assistant::DEFAULT {
        let _ = write!(command, " --assistant {}", kind.name);
    }
    if arguments.data.sample {
        command.push_str(" --sample");
    }
    for path in &arguments.data.data {
        let _ = write!(command, " --data '{}'", (kind.shown)(path).display());
    }
    command.push_str(&db_option(arguments));
    Ok(command)
}

/// The approval that is open and may be given.
fn to_approve(approve: Approve, state: &Conversation) -> Option<Pending> {
    match approve {
        Approve::Never => None,
        Approve::All => state.question().filter(|open| matches!(open.kind, PendingKind::Approval { .. })).cloned(),
    }
}

/// How the answer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Text,
    Json,
}

/// The course of one question, or of one decision.
pub(super) struct Course {
    session: Session,
    events: EventFeed,
    feed: Feed,
    standing: Standing,
    seen: Sequence,
    signals: Signals,
    output: Output,
    /// What was said in words.
    said: Vec<String>,
    /// The results shown, each with its words and its rows.
    results: Vec<(String, Option<Table>)>,
    /// What became of each, where several things were asked.
    requests: Requests,
    /// Whether it was stopped from outside.
    is_stopped: bool,
}

impl Course {
    pub(super) fn begin(session: Session, signals: Signals, output: Output) -> Self {
        let state = session.conversation();
        Self {
            signals,
            events: session.events(state.sequence()),
            feed: Feed::new(Echo::Hidden, &state),
            standing: Standing::default(),
            seen: state.sequence(),
            output,
            said: Vec::new(),
            results: Vec::new(),
            requests: Requests::default(),
            is_stopped: false,
            session,
        }
    }

    /// Waits until no work is awaited; Ctrl+C, or being told to end, stops it.
    pub(super) async fn settle(&mut self, person: &turnwise_core::PersonId) -> Result<(), Failure> {
        loop {
            let state = self.session.conversation();
            if !state.is_busy() && self.seen >= state.sequence() {
                return Ok(());
            }
            tokio::select! {
                biased;
                signal = self.signals.next() => {
                    if signal.exit_code().is_some() {
                        self.is_stopped = true;
                        self.session.stop(person, Session::new_key()).await?;
                    }
                }
                recorded = self.events.next() => {
                    let recorded = recorded?;
                    self.seen = recorded.sequence;
                    self.note(&recorded.event)?;
                }
            }
        }
    }

    /// How it ended; as JSON, all of it is printed now.
    pub(super) async fn conclude(&self, receipt: Option<Receipt>) -> Result<Ending, Failure> {
        if self.output == Output::Json {
            let reference = self.reference().await?;
            self.print_json(receipt, reference)?;
        }
        Ok(self.standing.ending(&self.session.conversation()))
    }

    /// The reference to what waits, if anything does.
    async fn reference(&self) -> Result<Option<String>, Failure> {
        let state = self.session.conversation();
        match state.question() {
            Some(question) => Ok(Some(self.session.reference(question).await?.to_string())),
            None => Ok(None),
        }
    }

    fn note(&mut self, event: &Event) -> Result<(), Failure> {
        self.standing.note(event);
        self.requests.note(event);
        if let Event::Said { text, card } = event {
            self.said.push(text.clone());
            if let Some(Card::Result { answer, fact, .. }) = card {
                let rows = fact.as_deref().and_then(table);
                self.requests.conclude(&answer.text, rows.clone());
                self.results.push((answer.text.clone(), rows));
            }
        }
        match self.output {
            // What is asked of models goes beside the answer, never into it.
            Output::Json => {
                if let Event::ModelAsked { call } = event
                    && call.kept.is_some()
                {
                    call.exchange_told().lines().for_each(|line| eprintln!("{}", visible(line)));
                }
                Ok(())
            }
            Output::Text => self.print(event),
        }
    }

    fn print(&mut self, event: &Event) -> Result<(), Failure> {
        let mut out = io::stdout();
        let (look, how) = if out.is_terminal() {
            let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
            (Look::terminal(columns).whole(), Paint::of_environment())
        } else {
            (Look::pipe(), Paint::Plain)
        };
        for line in self.feed.lines(event, look) {
            writeln!(out, "{}", paint(&line, how)).map_err(|error| unusable("the answer cannot be written", error))?;
        }
        Ok(())
    }

    /// The results, where one plan came to several.
    fn several_results(&self) -> Vec<ResultReport<'_>> {
        let are_several = self.results.len() > 1 && self.requests.first().is_none();
        let all = self.results.iter().filter(|_| are_several);
        all.map(|(answer, table)| ResultReport { answer, table: table.clone().map(Rows::from) }).collect()
    }

    fn print_json(&self, receipt: Option<Receipt>, reference: Option<String>) -> Result<(), Failure> {
        let state = self.session.conversation();
        // A plan may come to several results, of which none may be lost; the rows are those of the last.
        let (answer, shown) = match self.results.as_slice() {
            [] => (self.said.join("\n"), None),
            [.., (_, table)] => {
                let answers: Vec<&str> = self.results.iter().map(|(answer, _)| answer.as_str()).collect();
                (answers.join("\n"), table.clone())
            }
        };
        // The rows of a finished run, where the card did not carry them: a single value is told in words alone.
        let concluded = || state.result().filter(|_| !self.results.is_empty()).and_then(|fact| table(fact));
        let only = (answer, shown.or_else(concluded), state.plan().map(AsRef::as_ref));
        let (answer, rows, plan) = self.requests.first().unwrap_or(only);
        let report = Report {
            answer: &answer,
            table: rows.map(Rows::from),
            plan,
            results: self.several_results(),
            requests: self.requests.reports(),
            facts: state.facts().values().map(AsRef::as_ref).collect(),
            receipt: receipt.as_ref(),
            pending: state.question(),
            reference,
            models: Some(state.models_used()).filter(|used| used.all.calls > 0),
        };
        let json = serde_json::to_string(&report).map_err(|error| {
            Failure::new(FailureKind::Defect, "the answer cannot be put into JSON").caused_by(error)
        })?;
        writeln!(io::stdout(), "{json}").map_err(|error| unusable("the answer cannot be written", error))
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    answer: &'a str,
    table: Option<Rows>,
    plan: Option<&'a Plan>,
    /// All requests of a message that asked for several, in order; the keys above are those of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    requests: Vec<RequestReport<'a>>,
    /// All results of a plan that comes to several, in the order they were found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    results: Vec<ResultReport<'a>>,
    facts: Vec<&'a Fact>,
    receipt: Option<&'a Receipt>,
    pending: Option<&'a Pending>,
    /// Of what is pending, for `turnwise approve`.
    reference: Option<String>,
    /// What language models took, where any was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<&'a ModelsUsed>,
}

/// One of several results.
#[derive(Serialize)]
struct ResultReport<'a> {
    answer: &'a str,
    table: Option<Rows>,
}

/// A table, as JSON.
#[derive(Serialize)]
pub(super) struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// More than `rows` has when the rest was left out.
    total_rows: u64,
}

impl From<Table> for Rows {
    fn from(table: Table) -> Self {
        Self { columns: table.columns, rows: table.rows, total_rows: table.total_rows }
    }
}

pub(super) fn table(fact: &Fact) -> Option<Table> {
    match &fact.body.value {
        FactValue::Table(table) => Some(table.clone()),
        FactValue::Text(_) => None,
    }
}

fn unusable(what: &str, error: io::Error) -> Failure {
    Failure::new(FailureKind::Operator, what).caused_by(error)
}

/// What people call this surface.
const SURFACE: &str = "command line";
/// Plans approved for one message: one, or one for each thing it asked for, and as many again for what they led to.
const APPROVALS_MAX: usize = 2 * (limits::QUEUED_REQUESTS_MAX + 1);

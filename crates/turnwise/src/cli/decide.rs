//! `turnwise approve`, `reject` and `answer`: deciding from another shell on what waits in the store. It is the same
//! decision as a click: through the driver, checked against what is current, written into the log with who made it. The
//! work it leads to runs here, in the foreground, and its answer is printed as `ask` prints it; a chat that has the
//! conversation open shows all of it too. Next: `waiting`, `driver::reference`.

use std::process::ExitCode;

use turnwise_core::{Outcome, Pending, PersonId, Verdict};

use super::args::{
    AnswerArguments, ApproveArguments, DataArguments, FlowArguments, RejectArguments, StoreArguments, TargetArguments,
};
use super::ask::{Course, Output};
use super::model::ModelArguments;
use super::open;
use super::traces;
use super::waiting::{self, Named};
use crate::channel::draw::{Line, Look, Paint, paint, said};
use crate::channel::ending::Ending;
use crate::channel::signals::Signals;
use crate::driver::{Clock, Driver, Session, SystemClock};
use turnwise_assistant::{Failure, FailureKind, Opened};

/// `turnwise approve`.
///
/// # Errors
/// When nothing of that name waits, the reference is no genuine one, or the data cannot be read.
pub async fn approve(arguments: ApproveArguments) -> Result<ExitCode, Failure> {
    let verdict = arguments.note.map_or(Verdict::Approve, |note| Verdict::ApproveNoting { note });
    decide(&arguments.target, verdict).await
}

/// `turnwise reject`.
///
/// # Errors
/// As [`approve`].
pub async fn reject(arguments: RejectArguments) -> Result<ExitCode, Failure> {
    let verdict = arguments.reason.map_or(Verdict::Reject, |reason| Verdict::RejectBecause { reason });
    decide(&arguments.target, verdict).await
}

/// `turnwise answer`.
///
/// # Errors
/// As [`approve`].
pub async fn answer(arguments: AnswerArguments) -> Result<ExitCode, Failure> {
    decide(&arguments.target, Verdict::Say { text: arguments.words.join(" ") }).await
}

async fn decide(target: &TargetArguments, verdict: Verdict) -> Result<ExitCode, Failure> {
    let store = StoreArguments { db: target.db.clone(), ephemeral: false };
    let driver = open::recorded_driver(&store, &target.traces)?;
    let decided = decided(&driver, target, verdict).await;
    let ended = driver.shutdown().await;
    traces::tell_trouble(driver.telemetry());
    let ending = decided?;
    ended?;
    Ok(ExitCode::from(ending.exit_code()))
}

async fn decided(driver: &Driver, target: &TargetArguments, verdict: Verdict) -> Result<Ending, Failure> {
    let named = waiting::find(driver.store().as_ref(), &target.reference).await?;
    // What has ended is told at once: no data need be read for it.
    if named.open.is_none() {
        return told_how_it_ended(&named, &verdict);
    }
    let signals = Signals::listen()
        .map_err(|error| Failure::new(FailureKind::Operator, "signals cannot be received").caused_by(error))?;
    let (name, data) = (named.summary.assistant.as_str(), data(target, &named)?);
    let kept = open::Kept::beside(&StoreArguments { db: target.db.clone(), ephemeral: false }, None)?;
    let Opened { assistant, noticed, .. } = open::load(name, &data, FlowArguments::default(), kept)
        .await
        .map_err(|failure| failure.hint("nothing was decided; --data PATH names the data where it is now"))?;
    if let Some(noticed) = noticed {
        eprintln!("{noticed}");
    }
    let session = driver.open(named.summary.id.clone(), assistant).await?.on(SURFACE);
    let person = target.person.as_ref().map_or_else(open::person, PersonId::new);
    let output = if target.json { Output::Json } else { Output::Text };
    let mut course = Course::begin(session.clone(), signals, output);
    let taken = match &named.signed {
        Some(reference) => session.decide_by(&person, reference, verdict, Session::new_key()).await?,
        None => session.decide(&person, named.decision, verdict, Session::new_key()).await?,
    };
    course.settle(&person).await?;
    if taken.receipt.as_ref().is_some_and(|receipt| receipt.outcome == Outcome::Refused) {
        course.conclude(taken.receipt).await?;
        return Ok(Ending::Failed);
    }
    course.conclude(taken.receipt).await
}

/// The data the conversation is over: as it was noted when it began, unless other data is named.
fn data(target: &TargetArguments, named: &Named) -> Result<DataArguments, Failure> {
    let noted = named.state.sources();
    let data = if target.data.is_empty() && !target.sample {
        noted.iter().map(Into::into).collect()
    } else {
        target.data.clone()
    };
    if data.is_empty() && !target.sample {
        return Err(Failure::new(FailureKind::Usage, "this conversation does not say which data it is over")
            .hint("--data PATH or --sample names it; nothing was decided"));
    }
    Ok(DataArguments { data, sample: target.sample, mode: None, model: ModelArguments::default() })
}

/// What became of a question that is not open any more, and what waits in its place.
fn told_how_it_ended(named: &Named, wish: &Verdict) -> Result<Ending, Failure> {
    let resolved = named.state.resolved(named.decision.pending);
    let Some(resolved) = resolved else {
        super::tell("This question ended too long ago to say how.")?;
        return Ok(Ending::Failed);
    };
    super::tell(&resolved.told(SystemClock.now()))?;
    if resolved.grants(wish) {
        return Ok(Ending::Done);
    }
    if let Some(current) = named.state.question() {
        super::tell("This waits now (turnwise pending has its reference):")?;
        show(named, current)?;
    }
    Ok(Ending::Failed)
}

fn show(named: &Named, pending: &Pending) -> Result<(), Failure> {
    let Some((words, card)) = named.state.asked(pending) else { return Ok(()) };
    let lines: Vec<Line> = said(&words, card.as_ref(), Look::pipe());
    lines.iter().try_for_each(|line| super::tell(&paint(line, Paint::Plain).to_string()))
}

/// What people call this surface.
const SURFACE: &str = "command line";

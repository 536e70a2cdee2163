//! `turnwise eval`: how well an assistant's reader does on labelled messages, as text, JSON or one HTML page. The
//! figures come from `turnwise_intent::evaluate`; time is measured here, one message after the other on one thread.
//! Next: `page`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde::Serialize;
use turnwise_core::{ReadContext, Reader as _};
use turnwise_intent::evaluate::{Answer, Evaluation, Judged, evaluate};

use super::args::{EvalArguments, EvalFormat};
use super::fitted::FittedShown;
use super::{embedder, labelled, page, profiles, tell};
use crate::channel::draw::visible;
use turnwise_assistant::{Failure, FailureKind};

/// What is reported.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The assistant.
    pub assistant: String,
    /// The embedding model.
    pub embedder: String,
    /// The file.
    pub data: String,
    /// How long a reading takes.
    pub latency: Latency,
    /// What was fitted with another embedding model, and is not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<String>,
    /// What was fitted to labelled messages and had a part in the readings; absent when nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted: Option<FittedShown>,
    /// Everything else.
    #[serde(flatten)]
    pub figures: Evaluation,
}

/// Milliseconds a message.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Latency {
    /// Half of the messages take at most this.
    pub p50_ms: f64,
    /// 99 in 100 take at most this.
    pub p99_ms: f64,
}

/// Reads every message of `--data` and reports.
///
/// # Errors
/// When there is no such assistant, a line cannot be used, or the report cannot be written.
pub fn eval(arguments: &EvalArguments) -> Result<ExitCode, Failure> {
    let reader = profiles::measured(&arguments.assistant)?;
    // The weights are loaded at the first message; that is no message's latency.
    reader.fitted().map_err(|error| Failure::new(FailureKind::Defect, error.to_string()).caused_by(error))?;
    reader.read("a first message, to load the weights", &ReadContext::default());
    let mut messages = labelled::Messages::open(&arguments.data, reader.profile())?;
    let (mut took, mut judged) = (Vec::new(), Vec::new());
    while let Some(message) = messages.next()? {
        let began = Instant::now();
        let reading = reader.read(&message.text, &message.context);
        took.push(began.elapsed());
        judged.push(Judged { answer: Answer::of(&reading), text: message.text, truth: message.truth }.forgetful());
    }
    let report = Report {
        assistant: arguments.assistant.clone(),
        data: arguments.data.display().to_string(),
        latency: latency(took),
        embedder: reader.embedder().model_name().to_owned(),
        set_aside: embedder::set_aside(&reader),
        fitted: FittedShown::of(&reader),
        figures: evaluate(&judged),
    };
    let written = match arguments.format {
        EvalFormat::Text => text(&report),
        EvalFormat::Json => json(&report)?,
        EvalFormat::Html => page::page(&report),
    };
    deliver(&written, arguments.output.as_deref())
}

fn latency(mut took: Vec<Duration>) -> Latency {
    took.sort_unstable();
    let at = |percent: usize| {
        let rank = (took.len() * percent).div_ceil(100).saturating_sub(1);
        took.get(rank).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    Latency { p50_ms: at(50), p99_ms: at(99) }
}

fn json(report: &Report) -> Result<String, Failure> {
    serde_json::to_string_pretty(report)
        .map(|json| json + "\n")
        .map_err(|error| Failure::new(FailureKind::Defect, "the report cannot be put into JSON").caused_by(error))
}

fn deliver(written: &str, output: Option<&Path>) -> Result<ExitCode, Failure> {
    let Some(path) = output else {
        tell(written.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::write(path, written).map_err(|error| {
        Failure::new(FailureKind::Operator, format!("{} cannot be written ({error})", path.display()))
            .hint("name a file in a folder that can be written")
            .caused_by(error)
    })?;
    tell(&format!("{}", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// A figure with its name, as text and page show it.
pub fn headline(report: &Report) -> Vec<(&'static str, String)> {
    let figures = &report.figures;
    let mut lines = vec![("messages", format!("{} in scope, {} out of scope", figures.in_scope, figures.out_of_scope))];
    let shares = [
        ("accuracy of the intent", figures.accuracy),
        ("accuracy with the finer label", figures.sub_accuracy),
        ("coverage at the thresholds", figures.coverage),
        ("accuracy on covered", figures.accuracy_covered),
        ("out of scope but acted on", figures.out_of_scope_acted_on),
    ];
    lines.extend(shares.into_iter().filter_map(|(name, share)| Some((name, percent(share?)))));
    let numbers =
        [("calibration error (ECE)", figures.calibration_error), ("out-of-scope AUROC", figures.out_of_scope_auroc)];
    lines.extend(numbers.into_iter().filter_map(|(name, number)| Some((name, format!("{:.3}", number?)))));
    let Latency { p50_ms, p99_ms } = report.latency;
    lines.push(("latency a message", format!("p50 {p50_ms:.2} ms, p99 {p99_ms:.2} ms, one thread")));
    lines.push(("embedding model", report.embedder.clone()));
    lines.extend(report.set_aside.iter().map(|note| ("note", note.clone())));
    lines.extend(report.fitted.iter().flat_map(FittedShown::lines));
    lines
}

/// `0.934` as `93.4 %`.
pub fn percent(share: f32) -> String {
    format!("{:.1} %", share * 100.0)
}

fn text(report: &Report) -> String {
    let mut out = format!("{} on {}\n\n", report.assistant, visible(&report.data));
    for (name, value) in headline(report) {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "  {name:<30} {value}");
    }
    matrix(&mut out, report);
    if !report.figures.reliability.is_empty() {
        out.push_str("\nReliability\n  confidence  accuracy  messages\n");
        for bin in &report.figures.reliability {
            let _ = writeln!(out, "  {:>10.3}  {:>8.3}  {:>8}", bin.confidence, bin.accuracy, bin.answers);
        }
    }
    if !report.figures.worst.is_empty() {
        out.push_str("\nWorst errors\n");
        for wrong in &report.figures.worst {
            let asks = if wrong.acted_on { "" } else { ", would ask" };
            let (truth, answer, text) = (&wrong.truth, &wrong.answer, visible(&wrong.text));
            let _ = writeln!(out, "  {:.2} {truth} read as {answer}{asks}: \"{text}\"", wrong.confidence);
        }
    }
    out
}

fn matrix(out: &mut String, report: &Report) {
    let confusion = &report.figures.confusion;
    let width = |name: &String| name.len().max(5);
    let first = confusion.truths.iter().map(String::len).max().unwrap_or_default();
    let _ = write!(out, "\nConfusion (rows: meant, columns: done)\n  {:first$}", "");
    confusion.answers.iter().for_each(|name| {
        let _ = write!(out, "  {name:>width$}", width = width(name));
    });
    out.push('\n');
    for (truth, row) in confusion.truths.iter().zip(&confusion.counts) {
        let _ = write!(out, "  {truth:first$}");
        for (count, name) in row.iter().zip(&confusion.answers) {
            let _ = write!(out, "  {count:>width$}", width = width(name));
        }
        out.push('\n');
    }
}

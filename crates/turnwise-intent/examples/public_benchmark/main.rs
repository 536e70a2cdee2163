//! Measures the embedding and head on public intent data: accuracy with five, ten and all examples per intent,
//! calibration error, how well messages out of scope are told apart, the time a message takes and what weights weigh.
//!
//! `cargo run --release -p turnwise-intent --example public_benchmark -- ../shared/data/intents`, with any of `5`,
//! `10`, `full` and of `banking77`, `clinc150`, `hwu64` behind the folder for only those. Further words:
//! - `typos`: every test set once more with slips of the fingers in it, and both with spelling levelled
//! - `valid`: the validation splits in place of the test splits, for choosing
//! - `embedder=FOLDER`: another embedding model (with `--features embedders`)
//!
//! The splits are the standard ones, untouched. Everything that is fitted is fitted on folds of the training examples;
//! what was chosen by hand was chosen on the validation splits with examples drawn from the training splits. The heads
//! are those a profile of as many intents gets. Only the slips are drawn, from the seed `SLIPS_SEED`.
#![expect(clippy::disallowed_methods, reason = "a tool for developers reads files, arguments and the clock")]

mod options;
mod slips;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use options::Options;
use serde_json::Value;
use turnwise_intent::calibrate::{HeldOut, figures};
use turnwise_intent::{Embedder, Embedding, Head, Origin, Sample, Spelling, calibrated};

const OUT_OF_SCOPE_SET: &str = "clinc150";

struct Message {
    text: String,
    label: String,
    embedding: Embedding,
    milliseconds: f64,
}

/// One set with one number of examples, trained.
struct Trained {
    head: Head,
    classes: Vec<String>,
    spelling: Spelling,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let model = options.embedder.as_ref();
    println!("embedding model: {}, {} MB of weights", model.model_name(), options.weight_megabytes);
    let mut accuracies: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    for set in &options.sets {
        let (tested, strange) = options.splits();
        let test = messages(&options.folder.join(set).join(tested), model)?;
        let outside = match set.as_str() {
            OUT_OF_SCOPE_SET => messages(&options.folder.join(set).join(strange), model)?,
            _ => Vec::new(),
        };
        report_time(set, &test);
        for shots in &options.shots {
            let file = if shots == "full" { "train.jsonl".to_owned() } else { format!("train{shots}.jsonl") };
            let trained = trained(&messages(&options.folder.join(set).join(file), model)?, model)?;
            let measured = report(&format!("{set} {shots}-shot"), &trained, &test, &outside);
            accuracies.entry(format!("{shots}-shot")).or_default().push(measured);
            if options.typos {
                for (name, texts) in slips::variants(&test, &trained.spelling) {
                    let accuracy = accuracy(&trained, &test, &texts, model)?;
                    println!("    {name}: accuracy {:.1} %", accuracy * 100.0);
                    accuracies.entry(format!("{shots}-shot, {name}")).or_default().push(accuracy);
                }
            }
        }
    }
    for (name, values) in accuracies {
        println!("mean {name}: {:.1} %", values.iter().sum::<f32>() / values.len() as f32 * 100.0);
    }
    Ok(())
}

/// The share of messages whose label is found when they are written like `texts`.
fn accuracy(of: &Trained, test: &[Message], texts: &[String], model: &dyn Embedder) -> Result<f32, Box<dyn Error>> {
    let mut right = 0;
    for (message, text) in test.iter().zip(texts) {
        let logits = of.head.logits(text, &model.embed(text)?);
        let best = (0..logits.len()).max_by(|a, b| logits[*a].total_cmp(&logits[*b]));
        right += usize::from(best == Some(class_of(message, &of.classes)));
    }
    Ok(right as f32 / test.len() as f32)
}

fn messages(path: &Path, model: &dyn Embedder) -> Result<Vec<Message>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line)?;
            let field = |name: &str| row[name].as_str().map(str::to_owned).ok_or(format!("a row without `{name}`"));
            let (text, label) = (field("text")?, field("label")?);
            let began = Instant::now();
            let embedding = model.embed(&text)?;
            Ok(Message { text, label, embedding, milliseconds: began.elapsed().as_secs_f64() * 1e3 })
        })
        .collect()
}

fn trained(train: &[Message], model: &dyn Embedder) -> Result<Trained, Box<dyn Error>> {
    let mut classes: Vec<String> = train.iter().map(|message| message.label.clone()).collect();
    classes.sort();
    classes.dedup();
    let samples: Vec<Sample> = train
        .iter()
        .map(|message| Sample {
            text: message.text.clone(),
            embedding: message.embedding.clone(),
            class: class_of(message, &classes),
            origin: Origin::Exemplar,
        })
        .collect();
    let (head, _) = calibrated(samples, &classes, model)?;
    let spelling = Spelling::of(train.iter().map(|message| message.text.as_str()));
    Ok(Trained { head, classes, spelling })
}

fn class_of(message: &Message, classes: &[String]) -> usize {
    classes.partition_point(|class| *class < message.label)
}

fn report(name: &str, Trained { head, classes, .. }: &Trained, test: &[Message], outside: &[Message]) -> f32 {
    let logits = |message: &Message| head.logits(&message.text, &message.embedding);
    let scored: Vec<HeldOut> =
        test.iter().map(|one| HeldOut { logits: logits(one), class: class_of(one, classes) }).collect();
    let measured = figures(&scored, head.temperature, 0.8);
    println!(
        "{name}: accuracy {:.1} %, calibration error {:.3}, {:.1} % at 0.80 or above, of these {:.1} % right, {:.1} MB",
        measured.accuracy * 100.0,
        measured.calibration_error,
        measured.coverage * 100.0,
        measured.accuracy_covered * 100.0,
        head.bytes() as f64 / 1e6,
    );
    if !outside.is_empty() {
        let inside: Vec<f32> = scored.iter().map(|one| Head::familiarity(&one.logits)).collect();
        let strange: Vec<f32> = outside.iter().map(|one| Head::familiarity(&logits(one))).collect();
        let above = |values: &[f32]| {
            values.iter().filter(|value| **value >= head.familiarity_floor).count() as f64 / values.len() as f64 * 100.0
        };
        println!(
            "    out of scope: area under the curve {:.3}; over the floor are {:.1} % in scope, {:.1} % out of it",
            area(&inside, &strange),
            above(&inside),
            above(&strange),
        );
    }
    measured.accuracy
}

fn report_time(set: &str, test: &[Message]) {
    let mut times: Vec<f64> = test.iter().map(|message| message.milliseconds).collect();
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[times.len() * percent / 100];
    println!("{set}: a message is embedded in p50 {:.1} ms, p99 {:.1} ms, at least {:.1} ms", at(50), at(99), times[0]);
}

/// The probability that a message in scope scores higher than one out of scope (area under the ROC curve).
fn area(inside: &[f32], outside: &[f32]) -> f64 {
    let mut outside = outside.to_vec();
    outside.sort_by(f32::total_cmp);
    let wins = |value: &f32| {
        let below = outside.partition_point(|other| other < value);
        let ties = outside.partition_point(|other| other <= value) - below;
        below as f64 + ties as f64 / 2.0
    };
    inside.iter().map(wins).sum::<f64>() / (inside.len() * outside.len()) as f64
}

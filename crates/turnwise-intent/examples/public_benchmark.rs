//! Measures the embedding and head on public intent data: accuracy with five and ten examples per intent, calibration
//! error, and how well confidence separates messages out of scope.
//!
//! `cargo run --release -p turnwise-intent --example public_benchmark -- ../shared/data/intents`
//!
//! The splits are the standard few-shot ones, untouched; temperatures are fitted on folds of the training examples, so
//! nothing is chosen on a test split. There is no randomness, hence no seed.
#![expect(clippy::disallowed_methods, reason = "a tool for developers reads files and arguments")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use serde_json::Value;
use turnwise_intent::calibrate::{HeldOut, figures, held_out, temperature};
use turnwise_intent::{Cached, Embedder, Embedding, Head, LexicalWeights, MiniLm, Sample};

const SETS: &[&str] = &["banking77", "clinc150", "hwu64"];
const SHOTS: &[usize] = &[5, 10];
const OUT_OF_SCOPE_SET: &str = "clinc150";

struct Message {
    text: String,
    label: String,
    embedding: Embedding,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder of the intent data as the first argument")?;
    let folder = Path::new(&folder);
    let mut accuracies: BTreeMap<usize, Vec<f32>> = BTreeMap::new();
    for set in SETS {
        let test = messages(&folder.join(set).join("test.jsonl"))?;
        for shots in SHOTS {
            let train = messages(&folder.join(set).join(format!("train{shots}.jsonl")))?;
            let (head, classes) = trained(&train);
            let scored: Vec<HeldOut> = test.iter().map(|message| scored(&head, &classes, message)).collect();
            let measured = figures(&scored, head.temperature, 0.8);
            println!(
                "{set} {shots}-shot: accuracy {:.1} %, calibration error {:.3}, {:.1} % at 0.80 or above, of these {:.1} % right",
                measured.accuracy * 100.0,
                measured.calibration_error,
                measured.coverage * 100.0,
                measured.accuracy_covered * 100.0
            );
            accuracies.entry(*shots).or_default().push(measured.accuracy);
            if *set == OUT_OF_SCOPE_SET {
                let outside = messages(&folder.join(set).join("oos.jsonl"))?;
                report_out_of_scope(&head, &train, &test, &outside);
            }
        }
    }
    for (shots, values) in accuracies {
        println!("mean {shots}-shot: {:.1} %", values.iter().sum::<f32>() / values.len() as f32 * 100.0);
    }
    Ok(())
}

fn messages(path: &Path) -> Result<Vec<Message>, Box<dyn Error>> {
    let embedder = Cached::new(MiniLm);
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line)?;
            let field = |name: &str| row[name].as_str().map(str::to_owned).ok_or(format!("a row without `{name}`"));
            let (text, label) = (field("text")?, field("label")?);
            let embedding = embedder.embed(&text)?;
            Ok(Message { text, label, embedding })
        })
        .collect()
}

fn trained(train: &[Message]) -> (Head, Vec<String>) {
    let mut classes: Vec<String> = train.iter().map(|message| message.label.clone()).collect();
    classes.sort();
    classes.dedup();
    let samples: Vec<Sample> = train
        .iter()
        .map(|message| Sample {
            text: message.text.clone(),
            embedding: message.embedding.clone(),
            class: classes.partition_point(|class| *class < message.label),
        })
        .collect();
    let mut head = Head::train(&samples, &classes, LexicalWeights::TOPICS);
    head.temperature = temperature(&held_out(&samples, &classes, LexicalWeights::TOPICS));
    (head, classes)
}

fn scored(head: &Head, classes: &[String], message: &Message) -> HeldOut {
    let class = classes.partition_point(|class| *class < message.label);
    HeldOut { logits: head.logits(&message.text, &message.embedding), class }
}

fn report_out_of_scope(head: &Head, train: &[Message], inside: &[Message], outside: &[Message]) {
    let by_head = |message: &Message| highest(&head.probabilities(&message.text, &message.embedding));
    let by_cosine = |message: &Message| {
        highest(&train.iter().map(|known| known.embedding.cosine(&message.embedding)).collect::<Vec<_>>())
    };
    let both = |message: &Message| by_head(message) + by_cosine(message);
    println!(
        "    out of scope, area under the curve: head {:.3}, cosine {:.3}, both {:.3}",
        area(inside, outside, by_head),
        area(inside, outside, by_cosine),
        area(inside, outside, both)
    );
}

fn highest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The probability that a message in scope scores higher than one out of scope (area under the ROC curve).
fn area(inside: &[Message], outside: &[Message], score: impl Fn(&Message) -> f32) -> f64 {
    let mut outside: Vec<f32> = outside.iter().map(&score).collect();
    outside.sort_by(f32::total_cmp);
    let wins: f64 = inside
        .iter()
        .map(|message| {
            let value = score(message);
            let below = outside.partition_point(|other| *other < value);
            let ties = outside.partition_point(|other| *other <= value) - below;
            below as f64 + ties as f64 / 2.0
        })
        .sum();
    wins / (inside.len() * outside.len()) as f64
}

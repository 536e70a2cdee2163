//! Counts how replies of a file are read: how many that consent are taken for it, how many others are, how sure the
//! reader is of what, and how long it takes.
//!
//! A line is `yes`, a tab, the reply, a tab and what it answers, or the same with `no` or another word in front.
//! `cargo run -p turnwise-intent --example measure_replies FILE [--misses] [--head ASSET]`
#![expect(
    clippy::disallowed_methods,
    reason = "a tool for developers reads a file and the clock; the library does not"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use turnwise_core::{Asked, Reply, Stakes};
use turnwise_intent::reply::{self, ReplyHead};

#[derive(Default)]
struct Counts {
    consent: usize,
    asked_back: usize,
    others: BTreeMap<&'static str, usize>,
    all: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file: one reply a line, `yes`, a tab and the reply")?;
    let (mut misses, mut head) = (false, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--misses" => misses = true,
            "--head" => {
                head = Some(ReplyHead::from_bytes(&std::fs::read(arguments.next().ok_or("--head needs a file")?)?)?)
            }
            other => return Err(format!("`{other}` is neither `--misses` nor `--head`").into()),
        }
    }
    let mut kinds: BTreeMap<String, Counts> = BTreeMap::new();
    let mut times: Vec<Duration> = Vec::new();
    for line in std::fs::read_to_string(path)?.lines() {
        let mut cells = line.split('\t');
        let (Some(kind), Some(text), asked) = (cells.next(), cells.next(), cells.next()) else { continue };
        let asked = Asked { stakes: Stakes::Acts, words: asked.unwrap_or_default().to_owned() };
        let begun = Instant::now();
        let reply = head.as_ref().map_or_else(|| reply::read(text, &asked), |head| head.read(text, &asked));
        times.push(begun.elapsed());
        let is_yes = kind == "yes";
        let counts = kinds.entry(kind.to_owned()).or_default();
        counts.all += 1;
        let is_consent = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. });
        match &reply {
            Reply::Approve | Reply::ApproveWithNote { .. } => counts.consent += 1,
            Reply::Likely => counts.asked_back += 1,
            other => *counts.others.entry(name(other)).or_default() += 1,
        }
        if misses && is_consent != is_yes {
            println!("{kind}\t{}\t{text}", name(&reply));
        }
    }
    for (kind, counts) in &kinds {
        println!(
            "{kind}: {} of {} are consent ({:.2} %), {} asked back, others {:?}",
            counts.consent,
            counts.all,
            100.0 * counts.consent as f64 / counts.all.max(1) as f64,
            counts.asked_back,
            counts.others,
        );
    }
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("p50 {:?}, p90 {:?}, p99 {:?}", at(50), at(90), at(99));
    Ok(())
}

fn name(reply: &Reply) -> &'static str {
    match reply {
        Reply::Approve => "approve",
        Reply::ApproveWithNote { .. } => "approve_with_note",
        Reply::Change { .. } => "change",
        Reply::Reject => "reject",
        Reply::Cancel => "cancel",
        Reply::Question => "question",
        Reply::Hold => "hold",
        Reply::Likely => "likely",
        Reply::Other => "other",
    }
}

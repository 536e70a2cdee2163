//! `simulate`: plays many seeds, says how fast, and shows the transcript of the first that breaks an invariant. The
//! tests play few enough for every change; this plays as many as there is time for. Next: `lib`.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use simulation::{Outcome, Tally, Transcript, play};

/// Plays seeded histories of the whole engine and checks its invariants.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many seeds to play, from 0 or from the one given.
    #[arg(long, default_value_t = 2_000)]
    seeds: u64,
    /// The first seed; without --seeds the only one.
    #[arg(long)]
    seed: Option<u64>,
    /// Show the transcript of every history.
    #[arg(long)]
    verbose: bool,
    /// Threads; each plays seeds of its own.
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |count| count.get() as u64))]
    threads: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let asked = std::env::args().any(|argument| argument.starts_with("--seeds"));
    let count = if arguments.seed.is_some() && !asked { 1 } else { arguments.seeds };
    let first = arguments.seed.unwrap_or(0);
    let begun = Instant::now();
    let (tally, failed) = play_all(first, count, &arguments);
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(seed) = failed {
        let outcome = play(seed, None, Transcript::Kept);
        show(seed, &outcome);
        return ExitCode::FAILURE;
    }
    println!(
        "{count} conversations in {seconds:.1} s, {:.0} per second: {} messages, {} events, {} deeds, {} faults; \
         every invariant held",
        count as f64 / seconds,
        tally.messages,
        tally.events,
        tally.deeds,
        tally.faults
    );
    ExitCode::SUCCESS
}

/// Plays the seeds in parallel; gives the sum of what happened and the lowest seed seen to fail.
fn play_all(first: u64, count: u64, arguments: &Arguments) -> (Tally, Option<u64>) {
    let (next, stop) = (AtomicU64::new(first), AtomicBool::new(false));
    let sum = Mutex::new((Tally::default(), None::<u64>));
    let transcript = if arguments.verbose { Transcript::Kept } else { Transcript::None };
    let worker = || {
        while !stop.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + count {
                return;
            }
            let outcome = play(seed, None, transcript);
            if arguments.verbose {
                show(seed, &outcome);
            }
            let Ok(mut sum) = sum.lock() else { return };
            sum.0 += outcome.tally;
            if outcome.violation.is_some() {
                stop.store(true, Ordering::Relaxed);
                sum.1 = Some(sum.1.map_or(seed, |before| before.min(seed)));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            scope.spawn(worker);
        }
    });
    sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Whoever reads may stop reading: a closed pipe is no failure.
fn show(seed: u64, outcome: &Outcome) {
    let mut text = format!("seed {seed}\n");
    for line in &outcome.transcript {
        text.push_str(line);
        text.push('\n');
    }
    match &outcome.violation {
        Some(violation) => text.push_str(&format!("seed {seed} breaks an invariant: {violation}\n")),
        None => text.push_str(&format!("seed {seed}: every invariant held\n")),
    }
    let _ = std::io::stdout().write_all(text.as_bytes());
}

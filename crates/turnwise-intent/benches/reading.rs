//! How long a reading takes: `cargo bench -p turnwise-intent --bench reading`.
//!
//! One thread; times in microseconds as median and 99th percentile; the model's readings also as a ratio to a plain
//! pass of the same model over the same texts, which does not depend on the machine. Prints a table and checks nothing:
//! the budgets stand in the design, the figures in `docs/benchmarks.md`.
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock; the library does not")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use turnwise_core::{Phase, ReadContext, Reader};
use turnwise_intent::{Embedder, IntentReader, MiniLm, Spelling};

const ROUNDS: usize = 20;

/// Decided by rules.
const BY_RULE: &[&str] = &[
    "stop",
    "switch to proof mode",
    "how did you get that",
    "wait, only include Q4",
    "analyze sales by region",
    "compare Q3 2024 and Q4 2024 revenue",
    "could you please summarize the findings for me?",
    "/help",
];

/// Left to the model: five to twenty words.
const BY_MODEL: &[&str] = &[
    "the parcels from the north keep arriving late, any idea which depot",
    "my colleague wonders whether the discount in spring did anything",
    "would you dig up the reasons for late parcels, split by carrier",
    "something about the second region feels odd to me",
    "our people in the field want the same picture with fewer colours",
    "I'd rather have that with the older numbers on top",
    "tickets that nobody touched for a month, by owner",
    "get rid of whatever looks like a test booking",
];

/// The same kind with slips, whose spelling is levelled first.
const WITH_SLIPS: &[&str] = &[
    "the parcles from the nroth keep ariving late, any idae which depto",
    "my colleauge wodners whether the discuont in sprnig did anythign",
    "somethign abuot the secnod reigon feels odd to me",
    "tickest that noboyd touched for a motnh, by ownr",
];

const REPLIES: &[&str] =
    &["yes", "looks good, go ahead", "yes, but only Q4", "I'll say yes when legal signs off", "what does step 2 do?"];

fn main() -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let reader = IntentReader::builtin("analyst")?;
    println!("profile parsed            {:>9.1} ms", millis(started));
    let started = Instant::now();
    MiniLm.load_now()?;
    println!("model loaded              {:>9.1} ms", millis(started));
    let started = Instant::now();
    reader.fitted()?;
    println!("fit decoded               {:>9.1} ms", millis(started));

    let idle = ReadContext::default();
    let waiting = ReadContext { phase: Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() };
    let rules = times(BY_RULE, |text| drop(black_box(reader.read(text, &idle))));
    let replies = times(REPLIES, |text| drop(black_box(reader.reply(text, &waiting))));
    // A number behind each text keeps the cache of embeddings out of the measurement.
    // Both are measured text by text in turn, so that other load on the machine meets both alike.
    let (mut plain, mut model) = (Vec::new(), Vec::new());
    for text in (0..ROUNDS).flat_map(|n| BY_MODEL.iter().map(move |text| format!("{text} {n}"))) {
        plain.push(timed(|| drop(black_box(MiniLm.embed(&text)))));
        model.push(timed(|| drop(black_box(reader.read(&text, &idle)))));
    }
    let (plain, model) = (sorted(plain), sorted(model));
    let spelling = Spelling::of(reader.profile().exemplars.iter().map(|exemplar| exemplar.text.as_str()));
    let clean = times(BY_MODEL, |text| drop(black_box(spelling.levelled(text, &[]))));
    let slips = times(WITH_SLIPS, |text| drop(black_box(spelling.levelled(text, &[]))));
    let repeated = times(BY_MODEL, |text| drop(black_box(reader.read(text, &idle))));
    report("reading by rules", &rules);
    report("reading a reply", &replies);
    report("plain pass of the model", &plain);
    report("reading by the model", &model);
    report("repeated message", &repeated);
    report("spelling, no slip", &clean);
    report("spelling, a slip a word", &slips);
    println!("reading by the model / plain pass of the model: {:.2}", median(&model) / median(&plain));
    Ok(())
}

fn times(texts: &[&str], mut run: impl FnMut(&str)) -> Vec<f64> {
    texts.iter().for_each(|text| run(text));
    let rounds = (0..ROUNDS * 10).flat_map(|_| texts);
    sorted(rounds.map(|text| timed(|| run(text))).collect())
}

fn timed(run: impl FnOnce()) -> f64 {
    let started = Instant::now();
    run();
    started.elapsed().as_secs_f64() * 1e6
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

fn median(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}

fn millis(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e3
}

fn report(name: &str, sorted: &[f64]) {
    println!("{name:<25} p50 {:>9.1} us, p99 {:>9.1} us", median(sorted), sorted[sorted.len() * 99 / 100]);
}

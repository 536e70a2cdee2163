//! How figures are printed: a row of a table each, with what the plain server needs beside it. Next: `main`.

use std::time::Duration;

/// The head of the table.
pub fn head() {
    println!("| what | Turnwise | plain axum, one row | ratio |");
    println!("|---|---|---|---|");
}

/// A row.
pub fn row(what: &str, own: &str, plain: &str, ratio: f64) {
    println!("| {what} | {own} | {plain} | {ratio:.2} |");
}

/// Two rows: what half of the times, and nearly all of them, do not exceed.
pub fn times(what: &str, own: &mut [Duration], plain: &mut [Duration]) {
    own.sort_unstable();
    plain.sort_unstable();
    for (name, share) in [("p50", 50), ("p99", 99)] {
        let (mine, its) = (at(own, share), at(plain, share));
        let text = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1e3);
        row(&format!("{what}, {name}"), &text(mine), &text(its), mine.as_secs_f64() / its.as_secs_f64());
    }
}

fn at(sorted: &[Duration], share: usize) -> Duration {
    sorted[(sorted.len() - 1) * share / 100]
}

//! The server under load: `cargo bench -p turnwise --bench server`. The real binary in a process of its own, over a
//! durable SQLite store on loopback, is called by the same client as a plain axum server that writes one row for each
//! message (also SQLite, write-ahead log, `synchronous=FULL`), so that machines can be compared by the ratio.
//! Next: `plain` for the baseline, `client` for what both are called by, `process` for how both are started.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

mod client;
mod figures;
mod plain;
mod process;
mod subscribers;

use std::path::Path;
use std::time::{Duration, Instant};

use client::{Line, Target};
use figures::{head, row, times};
use process::Server;
use subscribers::Subscribers;
use tokio::task::JoinSet;

/// Connections that send at once.
const CONNECTIONS: [usize; 3] = [1, 16, 256];
/// How long each number of connections sends.
const SENDING: Duration = Duration::from_secs(4);
/// Messages each connection sends before the clock runs.
const WARM_UP: usize = 3;
/// Open event streams, where the system allows as many.
const SUBSCRIBERS: usize = 10_000;
/// Messages whose delivery is timed with all streams open.
const DELIVERED: usize = 20;
/// Messages whose first byte of a reply is timed.
const REPLIES: usize = 200;

/// What is sent and looked for in the event streams; the number says which of the messages it is.
fn mark(number: usize) -> String {
    format!("mark-{number:04}")
}

/// Requests a second over `connections`, each sending the next message when the reply to the last is there.
async fn sending(target: &Target, connections: usize) -> (f64, Vec<Duration>) {
    let mut lines = Vec::new();
    for _ in 0..connections {
        let mut line = Line::open(target).await;
        let place = line.begin().await;
        for _ in 0..WARM_UP {
            line.send(&place, "warm").await;
        }
        lines.push((line, place));
    }
    let begun = Instant::now();
    let mut senders = JoinSet::new();
    for (mut line, place) in lines {
        senders.spawn(async move {
            let mut took = Vec::new();
            while begun.elapsed() < SENDING {
                let start = Instant::now();
                line.send(&place, "load").await;
                took.push(start.elapsed());
            }
            took
        });
    }
    let took: Vec<Duration> = senders.join_all().await.into_iter().flatten().collect();
    (took.len() as f64 / begun.elapsed().as_secs_f64(), took)
}

async fn throughput(own: &Target, plain: &Target) {
    for connections in CONNECTIONS {
        let (plain_rate, mut plain_took) = sending(plain, connections).await;
        let (own_rate, mut own_took) = sending(own, connections).await;
        let what = format!("messages a second, {connections} connections");
        row(&what, &format!("{own_rate:.0}"), &format!("{plain_rate:.0}"), own_rate / plain_rate);
        times(&format!("a message and its receipt, {connections} connections"), &mut own_took, &mut plain_took);
    }
}

/// From sending a message to the first event of its reply on an open stream.
async fn first_bytes(target: &Target, text: &str, reply: &str) -> Vec<Duration> {
    let mut line = Line::open(target).await;
    let mut took = Vec::new();
    let mut place = line.begin().await;
    let mut stream = subscribers::Stream::open(target, &place).await;
    for number in 0..REPLIES {
        // A plan that waits would make of the next question a change of it.
        if target.asks_of(text) && number > 0 {
            place = line.begin().await;
            stream = subscribers::Stream::open(target, &place).await;
        }
        let start = Instant::now();
        let (_, ()) = tokio::join!(line.send(&place, text), stream.until(reply));
        took.push(start.elapsed());
        stream.quiet().await;
    }
    took
}

async fn replies(own: &Target, plain: &Target) {
    let mut base = first_bytes(plain, "load", "load").await;
    let mut status = first_bytes(own, "load", "\"event\":\"said\"").await;
    times("message to the first event of its reply", &mut status, &mut base);
    let mut planned = first_bytes(own, client::QUESTION, "\"asks\":\"approval\"").await;
    times("question to its plan card", &mut planned, &mut base);
}

/// What `count` open streams cost in memory, and how long an event takes to all who follow.
struct Followed {
    bytes_each: f64,
    opened: Duration,
    delays: Vec<Duration>,
}

async fn followed(target: &Target, server: &Server, count: usize, is_shared: bool) -> Followed {
    let mut line = Line::open(target).await;
    let mut places = vec![line.begin().await];
    // The first stream brings up whatever is there only once.
    drop(subscribers::Stream::open(target, &places[0]).await);
    if !is_shared {
        places.extend(client::begin_many(target, count - 1).await);
    }
    let before = server.resident();
    let begun = Instant::now();
    let everyone = Subscribers::open(target, &places, count).await;
    let opened = begun.elapsed();
    let bytes_each = server.resident().saturating_sub(before) as f64 / count as f64;
    let mut delays = Vec::new();
    for number in 0..DELIVERED {
        let place = &places[number * places.len() / DELIVERED];
        let start = Instant::now();
        line.send(place, &mark(number)).await;
        delays.extend(everyone.delivered(number, if is_shared { count } else { 1 }, start).await);
    }
    Followed { bytes_each, opened, delays }
}

/// Each in a server of its own, because memory that was used once is seldom given back.
async fn following(folder: &Path, count: usize) {
    let plain = Server::plain(&folder.join("followed"));
    let mut base = followed(&Target::plain(plain.address()), &plain, count, true).await;
    drop(plain);
    for (is_shared, what) in [(true, "in one conversation"), (false, "each in its own conversation")] {
        let own = Server::turnwise(&folder.join(what));
        let mut figures = followed(&Target::turnwise(own.address()), &own, count, is_shared).await;
        let (mine, its) = (figures.bytes_each / 1024.0, base.bytes_each / 1024.0);
        let text = |figure: f64| format!("{figure:.1} KiB");
        row(&format!("memory for each of {count} streams, {what}"), &text(mine), &text(its), mine / its);
        let (mine, its) = (figures.opened.as_secs_f64(), base.opened.as_secs_f64());
        let text = |figure: f64| format!("{figure:.1} s");
        row(&format!("opening {count} streams, {what}"), &text(mine), &text(its), mine / its);
        times(&format!("message to its delivery, {count} streams, {what}"), &mut figures.delays, &mut base.delays);
    }
}

/// How many streams can be open here: one file handle each in either process, and some to spare.
fn subscribers_here() -> usize {
    let handles = process::handles();
    let most = usize::try_from(handles).unwrap_or(usize::MAX).saturating_sub(500);
    if most < SUBSCRIBERS {
        println!("\nThis system allows {handles} open files, so {most} streams are opened and not {SUBSCRIBERS}.");
        println!("`ulimit -Hn` must be above {} for all of them.\n", SUBSCRIBERS + 500);
    }
    most.min(SUBSCRIBERS)
}

fn main() {
    if let Some(file) = std::env::var_os(process::PLAIN) {
        return plain::serve(file.as_ref());
    }
    let count = subscribers_here();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
        head();
        let (own, plain) = (Server::turnwise(folder.path()), Server::plain(folder.path()));
        let (to_own, to_plain) = (Target::turnwise(own.address()), Target::plain(plain.address()));
        throughput(&to_own, &to_plain).await;
        replies(&to_own, &to_plain).await;
        drop((own, plain));
        following(folder.path(), count).await;
    });
}

//! Acknowledging Slack under load: `cargo bench -p turnwise --bench slack`. The real binary, over a durable store, gets
//! signed mentions at a fixed rate, each of which begins a thread, is read and drafted and ends in a preview that is
//! posted to a stand-in for Slack. Slack waits three seconds for its acknowledgement. Beside it, from the same client
//! at the same rate, stands the route that does nothing. Next: `client`, `standin`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]

mod client;
mod standin;

use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Client, Request};
use standin::StandIn;

/// Requests a second; the last is what is aimed at.
const RATES: [u32; 3] = [25, 50, 200];
/// How long they are sent.
const SENDING: Duration = Duration::from_secs(5);
/// Mentions before the clock runs.
const WARM_UP: u32 = 20;
/// How long the last preview may take: a machine that cannot keep up still does all of the work.
const PATIENCE: Duration = Duration::from_secs(300);
const SIGNING: &str = "signing-secret-of-the-bench";

/// The server, which does not outlive this.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The server, with its conversations and tickets in `folder`, and where it is.
fn serve(folder: &Path, api: &str) -> (Server, String) {
    std::fs::write(folder.join("turnwise.yaml"), format!("slack: {{api: \"http://{api}\"}}\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["serve", "--assistant", "tickets", "--data", "tickets", "--port", "0"]);
    command.args(["--requests-per-second", "1000000"]).current_dir(folder).env("TURNWISE_STATE", folder.join("state"));
    command.env("SLACK_SIGNING_SECRET", SIGNING).env("SLACK_BOT_TOKEN", "xoxb-of-the-bench");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    let address = loop {
        let before = said.len();
        assert!(lines.read_line(&mut said).unwrap() > 0, "the server ended: {said}");
        if let Some(address) = said[before..].split_whitespace().find_map(|word| word.strip_prefix("http://")) {
            break address.to_owned();
        }
    };
    // A pipe that nobody reads would fill up.
    std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
    (Server(child), address)
}

fn at(sorted: &[Duration], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100].as_secs_f64() * 1e3
}

/// So many mentions a second, from the one with number `first` on; gives the number of the next.
async fn measured(client: &Client, slack: &StandIn, rate: u32, first: u32) -> u32 {
    let count = rate * u32::try_from(SENDING.as_secs()).unwrap();
    let mut idle = client.at_rate(rate, count, |_| Request::Health).await;
    let begun = Instant::now();
    let mut taken = client.at_rate(rate, count, |number| Request::mention(SIGNING, first + number)).await;
    let sent = begun.elapsed();
    assert!(slack.previews(first + count, PATIENCE).await, "work was acknowledged and not done");
    let done = begun.elapsed();
    idle.sort_unstable();
    taken.sort_unstable();
    for (name, percent) in [("p50", 50), ("p99", 99), ("longest", 100)] {
        let (mine, its) = (at(&taken, percent), at(&idle, percent));
        println!("| {rate} a second, {name} | {mine:.1} ms | {its:.1} ms | {:.1} |", mine / its);
    }
    println!("| {rate} a second, {count} acknowledged, all previews posted | {sent:.1?}, {done:.1?} | – | – |");
    first + count
}

async fn all(folder: &Path) {
    let slack = StandIn::open().await;
    let (server, address) = serve(folder, &slack.address);
    let client = Client::of(&address);
    client.at_rate(RATES[0], WARM_UP, |number| Request::mention(SIGNING, number)).await;
    assert!(slack.previews(WARM_UP, PATIENCE).await, "the server does not work");
    println!("| acknowledgement | a mention | `GET /healthz` | ratio |\n|---|---|---|---|");
    let mut first = WARM_UP;
    for rate in RATES {
        first = measured(&client, &slack, rate, first).await;
    }
    drop(server);
}

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(all(folder.path()));
}

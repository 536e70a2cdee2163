//! Processes that are killed while they create: whatever moment it is, each ticket exists once in the end. `KILLS` says
//! how many are killed; without it a few. Next: `main`.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::team::Team;

const ORDER: &str = "create an epic with 5 stories for auth: sign up; sign in; sign out; reset password; change mail";
const TITLES: [&str; 6] = ["Auth", "Change mail", "Reset password", "Sign in", "Sign out", "Sign up"];
/// Killed where nobody says how many.
const KILLS_DEFAULT: u64 = 4;
/// Longer than a whole creation takes here.
const LATEST: u64 = 700;

#[test]
fn whatever_moment_a_process_is_killed_each_ticket_exists_once_in_the_end() {
    let kills = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS_DEFAULT);
    let mut on_the_way = 0;
    for round in 0..kills {
        on_the_way += u64::from(killed_once(round));
    }
    println!("{kills} killed, {on_the_way} of them while tickets were created");
}

/// Whether the kill of this round came between the first ticket and the last.
fn killed_once(round: u64) -> bool {
    let team = Team::new();
    let script = team.folder.path().join("said");
    std::fs::write(&script, format!("{ORDER}\nyes\ny\n")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["chat", "--assistant", "tickets", "--data", "tickets", "--new"])
        .current_dir(team.folder.path())
        .env("TURNWISE_STATE", team.folder.path().join("state"))
        .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (begun, mixed) = (Instant::now(), mixed(round));
    // Half of them at some time, and half when the first or second ticket is there.
    let at = Duration::from_millis(mixed % LATEST);
    let count = mixed % 2 + 1;
    let is_time = || match round % 2 {
        0 => begun.elapsed() >= at,
        _ => team.path().join(format!("TASK-{count}.json")).exists(),
    };
    // No turn is given away: the tickets come within moments of each other.
    while !is_time() && child.try_wait().unwrap().is_none() {}
    let _ = child.kill();
    child.wait().unwrap();
    let existed = if team.path().exists() { team.titles().len() } else { 0 };
    // Another process takes it up. Where nothing had been approved yet, it is asked for again.
    let mut told = team.go_on(&["thanks"]);
    if !team.path().exists() || team.titles().is_empty() {
        told = team.talk(&[ORDER, "yes", "y"]);
    }
    let mut titles = team.titles();
    titles.sort();
    assert_eq!(titles, TITLES, "round {round}, killed with {existed}: {told}");
    (1..6).contains(&existed)
}

/// A number that looks like any other, the same in every run.
fn mixed(round: u64) -> u64 {
    let mut mixed = round.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed ^ (mixed >> 27)) >> 8
}

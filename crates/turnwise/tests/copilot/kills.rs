//! A recipe whose steps must not run twice, killed (SIGKILL) at any moment and started again: each step was run once,
//! or the person is asked whether it was. Half of the kills fall anywhere in the time of a run, half right behind a
//! step that was seen to finish.

use std::time::{Duration, Instant};

use crate::desk::Desk;
use crate::dying::{Chat, PATIENCE, chance};

/// Runs of the program that end by being killed.
const RUNS: u64 = 50;
/// Runs at the same time: most of each is the wait until the dead process's claim on its work has run out.
const LANES: u64 = 10;
/// Steps of the recipe.
const STEPS: usize = 5;
/// What is said when a run is over, however the last step was found to be.
const OVER: &str = "Result of step 5";

/// Each step leaves a line of its own, in the middle of its time.
fn recipe() -> String {
    let step = |number: usize| {
        let command = format!("sleep 0.05; echo {number} >> ran.txt; sleep 0.05");
        format!("  - {{tool: run, with: {{command: \"{command}\"}}, says: Job {number}}}\n")
    };
    let steps: String = (1..=STEPS).map(step).collect();
    format!("name: nightly jobs\nwords: [run the nightly jobs]\nsteps:\n{steps}")
}

/// How often each step was run.
fn ran(desk: &Desk) -> Vec<usize> {
    let text = if desk.has("ran.txt") { desk.read("ran.txt") } else { String::new() };
    (1..=STEPS).map(|number| text.lines().filter(|line| *line == number.to_string()).count()).collect()
}

fn chat(desk: &Desk, which: &str) -> Chat {
    let options = ["--db", "kept.db", "--assistant", "copilot", "--workspace", "desk", which];
    Chat::start(desk.folder.path(), &options)
}

/// A desk with a plan of the recipe that was just approved.
fn begun() -> (Desk, Chat) {
    let desk = Desk::new();
    desk.put("recipes/nightly.yaml", &recipe());
    let mut chat = chat(&desk, "--new");
    chat.say("run the nightly jobs");
    chat.until(&["Run it?"]);
    chat.say("y");
    (desk, chat)
}

/// The step of the question that stands last in what was printed.
fn asked(seen: &str) -> usize {
    let question = seen.rsplit_once("It is not known whether step ").unwrap().1;
    question.split_whitespace().next().unwrap().parse().unwrap()
}

/// Starts again after the kill, answers what is asked by what is there, and gives the steps that were asked about.
fn go_on(desk: &Desk, seed: u64) -> Vec<usize> {
    let mut chat = chat(desk, "--resume");
    let mut unknown = Vec::new();
    loop {
        match chat.until(&[OVER, "It is not known whether", "Run it?"]) {
            0 => break,
            1 => {
                chat.until(&["3 Stop the run here"]);
                let step = asked(&chat.seen);
                let times = ran(desk);
                assert!(times.iter().all(|times| *times <= 1), "seed {seed}: run again unasked: {times:?}");
                assert!(
                    times[step..].iter().all(|times| *times == 0),
                    "seed {seed}: run behind step {step}: {times:?}"
                );
                unknown.push(step);
                chat.seen.clear();
                chat.say(if times[step - 1] == 1 { "1" } else { "2" });
            }
            // The approval itself was lost with the process: it is given again.
            _ => {
                chat.seen.clear();
                chat.say("y");
            }
        }
    }
    chat.end();
    unknown
}

#[test]
fn killed_at_any_moment_each_step_of_a_recipe_is_run_once_or_reported_unknown() {
    let (desk, mut whole) = begun();
    let begun_at = Instant::now();
    whole.until(&[OVER]);
    let took = begun_at.elapsed();
    whole.end();
    assert_eq!(ran(&desk), [1; STEPS], "without a kill");
    let (mut cut_short, mut asked) = (0, 0);
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|lane| scope.spawn(move || killed_runs(lane, took))).collect();
        for lane in lanes {
            let (short, unknown) = lane.join().unwrap();
            cut_short += short;
            asked += unknown;
        }
    });
    println!("{RUNS} kills over {took:?}: {cut_short} in the middle of the steps, {asked} outcomes asked about");
    assert!(cut_short > 0 && asked > 0, "no kill fell into the middle of a step: nothing was tested");
}

/// The runs of a lane: how many kills fell between the first and the last step, and how many outcomes were asked about.
fn killed_runs(lane: u64, took: Duration) -> (usize, usize) {
    let (mut cut_short, mut asked) = (0, 0);
    for seed in (lane..RUNS).step_by(usize::try_from(LANES).unwrap()) {
        let (desk, chat) = begun();
        let share = f64::from(u32::try_from(chance(seed, 1_000)).unwrap()) / 800.0;
        let wait = if seed % 2 == 0 { took.mul_f64(share) } else { PATIENCE };
        chat.kill_within(wait, 1 + usize::try_from(chance(seed + RUNS, STEPS as u64)).unwrap());
        let before = ran(&desk);
        cut_short += usize::from(before.contains(&0) && before.contains(&1));
        let unknown = go_on(&desk, seed);
        // What was asked about was answered by what was there, so all of them are there once.
        assert_eq!(ran(&desk), [1; STEPS], "seed {seed}: {before:?} at the kill, asked about {unknown:?}");
        assert!(unknown.len() <= 1, "seed {seed}: {unknown:?}: one step runs at a time");
        asked += unknown.len();
    }
    (cut_short, asked)
}

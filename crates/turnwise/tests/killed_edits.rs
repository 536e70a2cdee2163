//! The real program, killed (SIGKILL) at any moment while it applies a change of ten files or takes one back, and
//! started again: every file is old or new at every moment, all of them are the same after the next start, what was
//! applied can be taken back, and then git knows of no difference. The moment of death is measured from what the
//! program was seen to do. `TURNWISE_KILLS` says how often.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod code;
#[path = "dying/mod.rs"]
mod dying;

use std::time::{Duration, Instant};

use code::{CODER, Repository};
use dying::{Chat, PATIENCE, chance};

/// Programs that are killed while they apply, unless the environment says otherwise.
const KILLS: u64 = 200;
/// Workspaces in which that goes on side by side.
const LANES: u64 = 4;
/// Files of the change.
const FILES: usize = 10;

const OLD: &str = "fn total() {}\n";
const NEW: &str = "fn sum_of() {}\n";

fn name(at: usize) -> String {
    format!("f{at}.rs")
}

/// A workspace in which one program after the other is killed.
struct Lane(Repository);

/// What was seen in one workspace.
#[derive(Default)]
struct Seen {
    /// Killed while applying.
    applying: u64,
    /// Of them, with some files new and some old.
    midway: u64,
    /// Changes that stood after the kill, and were taken back.
    applied: u64,
    /// Killed while taking back.
    undoing: u64,
}

impl Lane {
    fn new() -> Self {
        Self(Repository::of(|path| (0..FILES).for_each(|at| std::fs::write(path.join(name(at)), OLD).unwrap())))
    }

    /// How many files are new. Each is old or new, at whatever moment this looks.
    fn new_files(&self) -> usize {
        let is_new = |at: &usize| match self.0.read(&name(*at)).as_str() {
            OLD => false,
            NEW => true,
            between => panic!("a file is between old and new: {between:?}"),
        };
        (0..FILES).filter(is_new).count()
    }

    /// Whether a change is in this state of the journal.
    fn has(&self, record: &str) -> bool {
        let changes = std::fs::read_dir(self.0.path().join(".turnwise/changes")).into_iter().flatten();
        changes.flatten().any(|change| change.path().join(record).exists())
    }

    /// Waits until the journal holds the record and so many files are changed, and kills a moment later.
    fn kill(&self, chat: Chat, record: &str, changed: &dyn Fn() -> usize, seed: u64) {
        let after = usize::try_from(chance(seed, FILES as u64 + 1)).unwrap();
        let deadline = Instant::now() + PATIENCE;
        while changed() < after || (after == 0 && changed() == 0 && !self.has(record)) {
            assert!(Instant::now() < deadline, "it never came as far as {after} files");
        }
        for _ in 0..chance(seed + 1_000, 4) {
            let _ = self.new_files();
        }
        chat.kill_within(Duration::ZERO, 0);
    }

    /// Lets programs die of `kills` changes, and of taking back what stood after that.
    fn lane(&self, seeds: std::ops::Range<u64>) -> Seen {
        let mut seen = Seen::default();
        for seed in seeds {
            let mut chat = self.started(seed);
            chat.say("rename total to sum_of");
            chat.until(&["Which do you mean?"]);
            chat.say("all of them");
            chat.until(&["Run it?"]);
            assert_eq!(self.new_files(), 0, "seed {seed}: nothing is written before the yes");
            chat.say("y");
            self.kill(chat, "applying.json", &|| self.new_files(), seed);
            seen.applying += 1;
            seen.midway += u64::from((1..FILES).contains(&self.new_files()));
            let chat = self.started(seed);
            match self.new_files() {
                0 => drop(chat.end()),
                FILES => {
                    seen.applied += 1;
                    seen.undoing += u64::from(self.taken_back(chat, seed));
                }
                some => panic!("seed {seed}: {some} files are new after the next start"),
            }
            assert_eq!(self.0.git(&["status", "--short"]), "", "seed {seed}");
            assert_eq!(self.0.git(&["diff"]), "", "seed {seed}");
        }
        seen
    }

    /// A program that has told what it found; what was left unfinished is put right by then.
    fn started(&self, seed: u64) -> Chat {
        let mut chat = Chat::start(self.0.folder.path(), &CODER[1..]);
        chat.until(&["Workspace: shop"]);
        let new = self.new_files();
        assert!(new == 0 || new == FILES, "seed {seed}: {new} files are new after the next start:\n{}", chat.seen);
        chat
    }

    /// Takes the change back; every other program dies of that as well, and the next one takes back what still stands.
    fn taken_back(&self, mut chat: Chat, seed: u64) -> bool {
        let dies = chance(seed + 2_000, 2) == 0;
        if dies {
            chat.say("undo");
            chat.until(&["Run it?"]);
            chat.say("y");
            self.kill(chat, "undoing.json", &|| FILES - self.new_files(), seed + 3_000);
            chat = self.started(seed);
        }
        if self.new_files() == FILES {
            chat.say("undo");
            chat.until(&["Run it?"]);
            chat.say("y");
            chat.until(&["Taken back in"]);
        }
        chat.end();
        dies
    }
}

#[test]
fn a_program_killed_while_it_applies_leaves_every_file_old_or_new_and_undo_works() {
    let kills = std::env::var("TURNWISE_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let lanes: Vec<Seen> = std::thread::scope(|scope| {
        let lane = |lane: u64| scope.spawn(move || Lane::new().lane(lane * kills / LANES..(lane + 1) * kills / LANES));
        let lanes: Vec<_> = (0..LANES).map(lane).collect();
        lanes.into_iter().map(|lane| lane.join().unwrap()).collect()
    });
    let sum = |of: fn(&Seen) -> u64| lanes.iter().map(of).sum::<u64>();
    let (applying, midway) = (sum(|seen| seen.applying), sum(|seen| seen.midway));
    println!(
        "{applying} killed while applying, {midway} of them between two files; {} stood and were taken back, {} killed at that",
        sum(|seen| seen.applied),
        sum(|seen| seen.undoing)
    );
    assert_eq!(applying, kills);
    assert!(
        midway >= kills / 10,
        "only {midway} of {kills} kills fell between two files: the moments are no longer random"
    );
}

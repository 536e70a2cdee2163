//! The real program, killed (SIGKILL) at any moment while it applies a change of ten files, and started again: every
//! file is old or new at every moment, all of them are the same after the next start, and undoing still works. The
//! moment of death is measured from what the program was seen to do. `TURNWISE_KILLS` says how often; it is 200 for the
//! figures.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Runs of the program that end by being killed, unless the environment says otherwise.
const RUNS: u64 = 12;
/// Files of the change.
const FILES: usize = 10;
/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const OLD: &str = "fn total() {}\n";
const NEW: &str = "fn sum_of() {}\n";

/// A number from a seed (SplitMix64), so that a failing run can be played again.
fn chance(seed: u64, below: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % below
}

struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let repository = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(repository.path()).unwrap();
        (0..FILES).for_each(|at| std::fs::write(repository.file(at), OLD).unwrap());
        repository.git(&["init", "-q"]);
        repository.git(&["add", "."]);
        repository.git(&["commit", "-q", "-m", "first"]);
        repository
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("shop")
    }

    fn file(&self, at: usize) -> PathBuf {
        self.path().join(format!("f{at}.rs"))
    }

    fn git(&self, words: &[&str]) -> String {
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        let done = Command::new("git").args(who).args(words).current_dir(self.path()).output().unwrap();
        assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn program(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        program
            .args(["chat", "--ephemeral", "--assistant", "coder", "--workspace", "shop"])
            .current_dir(self.0.path())
            .env("TURNWISE_STATE", self.0.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        program
    }

    fn talk(&self, lines: &str) -> String {
        let mut child = self.program().spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// How many files are new. Each is old or new, at whatever moment this looks.
    fn new_files(&self) -> usize {
        let is_new = |at: &usize| match std::fs::read_to_string(self.file(*at)).unwrap().as_str() {
            OLD => false,
            NEW => true,
            between => panic!("a file is between old and new: {between:?}"),
        };
        (0..FILES).filter(is_new).count()
    }

    /// Applies the change and kills the program once the journal is begun and `after` files are new, or a moment later.
    fn kill_while_applying(&self, after: usize, looks: u64) {
        let mut child = self.program().spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"rename total to sum_of\ny\n").unwrap();
        let deadline = Instant::now() + PATIENCE;
        let is_begun = || has_begun(&self.path().join(".turnwise/changes"));
        while !(is_begun() && self.new_files() >= after) {
            assert!(Instant::now() < deadline, "it never applied {after} files");
        }
        for _ in 0..looks {
            let _ = self.new_files();
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Whether a change has its folder.
fn has_begun(changes: &Path) -> bool {
    std::fs::read_dir(changes).is_ok_and(|mut entries| entries.next().is_some())
}

#[test]
fn a_program_killed_while_it_applies_leaves_every_file_old_or_new_and_undo_works() {
    let runs = std::env::var("TURNWISE_KILLS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let (mut midway, mut applied) = (0, 0);
    for seed in 0..runs {
        let repository = Repository::new();
        let after = usize::try_from(chance(seed, FILES as u64 + 1)).unwrap();
        repository.kill_while_applying(after, chance(seed + 1_000, 4));
        midway += usize::from((1..FILES).contains(&repository.new_files()));
        let told = repository.talk("what changed?\n");
        let new = repository.new_files();
        assert!(new == 0 || new == FILES, "seed {seed}: {new} files are new after the next start:\n{told}");
        if new == FILES {
            applied += 1;
            repository.talk("undo\ny\n");
        }
        assert_eq!(repository.git(&["status", "--short"]), "", "seed {seed}:\n{told}");
    }
    println!("{runs} kills: {midway} in the middle of the files, {applied} after the last");
}

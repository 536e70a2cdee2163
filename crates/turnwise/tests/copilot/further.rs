//! “Also run …” puts a step behind those of the plan, whatever became of them so far.

use crate::desk::{Desk, holds};

const STEPS: &str = "1. run `echo a >> log.txt` 2. run `echo b >> log.txt` 3. run `echo c >> log.txt`";

/// What is said, and then on until nothing is left of any run.
fn talk(desk: &Desk, said: &[&str]) -> String {
    desk.talk(&[said, &["resume"; 6]].concat())
}

#[test]
fn each_further_step_before_the_yes_stays() {
    let desk = Desk::new();
    let said = ["run `echo a >> log.txt`", "also run `echo b >> log.txt`", "also run `echo c >> log.txt`", "y"];
    let told = desk.talk(&said);
    holds(&told, &["version 3"]);
    assert_eq!(desk.read("log.txt"), "a\nb\nc\n", "{told}");
}

#[test]
fn a_further_step_of_a_paused_run_comes_behind_what_is_left() {
    let desk = Desk::new();
    let also = ["also run `echo d >> log.txt`", "also run `echo e >> log.txt`", "y"];
    let begun = ["wait for me after each step", STEPS, "y"];
    let told = talk(&desk, &[&begun[..], &also[..]].concat());
    holds(&told, &["Paused before step 2", "version 2", "version 3", "5 Run `echo e >> log.txt`"]);
    assert_eq!(desk.read("log.txt"), "a\nb\nc\nd\ne\n", "{told}");
    let desk = Desk::new();
    let told = talk(&desk, &["/flow approval_mode before_step", STEPS, "y", "resume", also[0], "y"]);
    assert_eq!(desk.read("log.txt"), "a\nb\nc\nd\n", "{told}");
}

#[test]
fn a_further_step_behind_a_failed_one_leaves_it_in_the_plan() {
    let steps = "1. run `echo a >> log.txt` 2. run `test -e ready && echo b >> log.txt || { touch ready; exit 1; }` 3. \
                 run `echo c >> log.txt`";
    for also in ["also run", "Also run", "and also run", "also, run"] {
        let desk = Desk::new();
        let told = desk.talk(&[steps, "y", &format!("{also} `echo d >> log.txt`"), "y"]);
        holds(&told, &["version 2", "4 Run `echo d >> log.txt`"]);
        assert_eq!(desk.read("log.txt"), "a\nb\nc\nd\n", "{also}: {told}");
    }
}

#[test]
fn behind_a_finished_plan_a_step_is_a_plan_of_its_own_and_the_same_step_is_done_again() {
    let desk = Desk::new();
    let told = desk.talk(&[STEPS, "y", "also run `echo a >> log.txt`", "y", "also run `echo d >> log.txt`", "y"]);
    assert_eq!(desk.read("log.txt"), "a\nb\nc\na\nd\n", "{told}");
}

#[test]
fn a_file_that_was_written_before_stays_and_the_plan_says_so() {
    let desk = Desk::new();
    let told = desk.talk(&["write \"hello\" to j.txt", "y", "step 1 should write to k.txt"]);
    holds(&told, &["j.txt was written before and stays", "Run it?"]);
    assert!(desk.has("j.txt"), "{told}");
}

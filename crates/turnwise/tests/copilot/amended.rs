//! What is changed of a plan, in words or as a text, makes its next version: that step, that place, and all else as it
//! was; and it says what changed.

use crate::desk::{Desk, holds};

const STEPS: &str = "1. run `echo one` 2. run `echo two > b.txt` 3. run `echo three`";

/// The plan with one change, as it is shown; what runs after a yes is what was shown.
fn changed(steps: &str, change: &str) -> String {
    let desk = Desk::new();
    desk.put("in.txt", "b\na\n");
    let told = desk.talk(&[steps, change]);
    told.rsplit("Plan: ").next().unwrap_or_default().to_owned()
}

#[test]
fn a_step_is_changed_in_words_and_stands_where_it_stood() {
    for change in [
        "change step 2 to run `ls -l`",
        "Change step 2 to `ls -l`",
        "step 2 should run `ls -l`",
        "step 2: run `ls -l`",
        "instead of step 2, run `ls -l`",
        "run `ls -l` instead of step 2",
        "replace step 2 with `ls -l`",
        "please make the second step run `ls -l`",
        "no, step two should be `ls -l`",
    ] {
        let told = changed(STEPS, change);
        let version = ["3 steps, version 2", "1 Run `echo one`", "2 Run `ls -l`", "3 Run `echo three`"];
        holds(
            &told,
            &[&version[..], &["Changes, version 1 → 2:", "+ Run `ls -l`", "- Run `echo two > b.txt`"]].concat(),
        );
    }
}

#[test]
fn a_part_of_a_step_is_changed_and_the_rest_stays() {
    let steps = "1. read in.txt 2. run `sort` on it 3. write it to old.txt";
    for (change, line) in [
        ("step 3 should write to out.txt", "3 Write the result of step 2 to out.txt"),
        ("step 3 should go into out.txt", "3 Write the result of step 2 to out.txt"),
        ("save it as out.txt instead", "3 Write the result of step 2 to out.txt"),
        ("use out.txt instead of old.txt", "3 Write the result of step 2 to out.txt"),
        ("replace old.txt by out.txt", "3 Write the result of step 2 to out.txt"),
        ("change the last step to write the result of step 1 to out.txt", "3 Write the result of step 1 to out.txt"),
        ("change step 2 to `sort -r`", "2 Run `sort -r`, reading the result of step 1"),
        ("read other.txt instead", "1 Read other.txt"),
        ("in step 1 use other.txt instead of in.txt", "1 Read other.txt"),
    ] {
        let told = changed(steps, change);
        holds(&told, &["3 steps, version 2", line, "Changes, version 1 → 2:"]);
    }
    let piped = changed(steps, "drop step 2");
    holds(&piped, &["2 steps, version 2", "1 Read in.txt", "2 Write the result of step 1 to old.txt"]);
    let text = changed("write \"one\" to a.txt", "write \"two words\" instead");
    holds(&text, &["1 step, version 2", "+two words"]);
}

#[test]
fn steps_go_change_places_and_come_between() {
    for (change, lines) in [
        ("drop step 2", ["1 Run `echo one`", "2 Run `echo three`"]),
        ("without the second step please", ["1 Run `echo one`", "2 Run `echo three`"]),
        ("swap 1 and 2", ["1 Run `echo two > b.txt`", "2 Run `echo one`"]),
        ("put it before step 1", ["1 Run `echo three`", "2 Run `echo one`"]),
        ("step 3 before step 2", ["2 Run `echo three`", "3 Run `echo two > b.txt`"]),
        ("step 1 after step 3", ["1 Run `echo two > b.txt`", "3 Run `echo one`"]),
        ("do step 3 first", ["1 Run `echo three`", "2 Run `echo one`"]),
        ("before step 2, run `echo new`", ["2 Run `echo new`", "3 Run `echo two > b.txt`"]),
        ("add a step after step 1: run `echo new`", ["2 Run `echo new`", "3 Run `echo two > b.txt`"]),
        ("run `echo new` first", ["1 Run `echo new`", "2 Run `echo one`"]),
        ("also save it to c.txt", ["3 Run `echo three`", "4 Write the result of step 3 to c.txt"]),
    ] {
        let told = changed(STEPS, change);
        holds(&told, &["version 2", lines[0], lines[1], "Changes, version 1 → 2:"]);
    }
}

#[test]
fn what_runs_is_the_version_that_was_shown_last() {
    let desk = Desk::new();
    let steps = "1. run `echo a >> log.txt` 2. run `echo b >> log.txt` 3. run `echo c >> log.txt`";
    let changes = ["swap 1 and 3", "change step 2 to run `echo x >> log.txt`", "drop step 1", "y"];
    let told = desk.talk(&[&[steps], &changes[..]].concat());
    holds(&told, &["version 2", "version 3", "version 4"]);
    assert_eq!(desk.read("log.txt"), "x\na\n", "{told}");
}

#[test]
fn a_change_that_cannot_be_made_says_why_and_the_plan_waits_as_it_was() {
    let desk = Desk::new();
    let steps = "1. run `echo a` 2. write it to a.txt";
    for (change, why) in [
        ("swap 1 and 2", "Step 2 uses the result of step 1, so it stays behind it."),
        ("drop step 1", "Step 2 uses the result of step 1. Drop both"),
        ("change step 7 to run `ls`", "The plan has no such step; it has 2 steps."),
        ("change step 2 to be nicer", "“nicer” is nothing that step 2 could be."),
        ("use x.txt instead of y.txt", "“y.txt” stands in no step"),
    ] {
        let told = desk.talk(&[steps, change, "y"]);
        holds(&told, &[why, "✓ 2 Write the result of step 1 to a.txt"]);
        assert!(!told.contains("version 2"), "{change}: {told}");
    }
}

/// While the run waits, what is done stays and what is left can be changed.
#[test]
fn what_is_left_of_a_run_that_waits_is_changed() {
    let steps = "1. run `echo a >> log.txt` 2. run `echo b >> log.txt` 3. run `echo c >> log.txt`";
    for (change, log) in [
        ("change step 2 to run `echo x >> log.txt`", "a\nx\nc\n"),
        ("drop step 3", "a\nb\n"),
        ("before step 3, run `echo x >> log.txt`", "a\nb\nx\nc\n"),
        ("swap 2 and 3", "a\nc\nb\n"),
    ] {
        let desk = Desk::new();
        let begun = ["wait for me after each step", steps, "y", change, "y"];
        let told = desk.talk(&[&begun[..], &["resume"; 5]].concat());
        assert_eq!(desk.read("log.txt"), log, "{change}: {told}");
    }
    let desk = Desk::new();
    let told = desk.talk(&["wait for me after each step", steps, "y", "change step 1 to run `ls`"]);
    holds(&told, &["Step 1 is done already and stays as it was."]);
}

/// A step that failed is changed and the rest goes on behind it.
#[test]
fn a_step_that_failed_is_changed() {
    let desk = Desk::new();
    let steps = "1. run `echo a >> log.txt` 2. run `false` 3. run `echo c >> log.txt`";
    let told = desk.talk(&[steps, "y", "change step 2 to run `echo b >> log.txt`", "y"]);
    assert_eq!(desk.read("log.txt"), "a\nb\nc\n", "{told}");
}

/// `/edit`: the text of the plan in an editor, which here is a program that puts one text for another.
#[test]
fn a_step_reworded_in_the_editor_is_that_step() {
    for (edit, lines) in [
        ("/does/s/echo two > b.txt/ls -l/", &["2 Run `ls -l`", "3 steps, version 2"][..]),
        ("/does/s/echo one/echo 1/;/does/s/echo three/echo 3/", &["1 Run `echo 1`", "3 Run `echo 3`", "version 2"]),
    ] {
        let desk = Desk::new();
        let told = desk.edit(edit, &[STEPS, "/edit"]);
        holds(&told, lines);
    }
    let steps = "1. read in.txt 2. write it to old.txt 3. write \"x y\" to c.txt";
    for (edit, line) in [
        ("/does/s/to old.txt/to out.txt/", "2 Write the result of step 1 to out.txt"),
        ("s/Write c.txt/Write d.txt/", "3 Write d.txt"),
        ("s/Read in.txt/List src/", "1 List src"),
    ] {
        let told = Desk::new().edit(edit, &[steps, "/edit"]);
        holds(&told, &["3 steps, version 2", line]);
    }
    let desk = Desk::new();
    let told = desk.edit("s/Run `echo one`/Make it nice/", &[STEPS, "/edit"]);
    holds(&told, &["“Make it nice” is nothing that step 1 could be."]);
}

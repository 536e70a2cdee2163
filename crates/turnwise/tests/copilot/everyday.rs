//! Small jobs as people say them, without a model: files, counts, scripts, what was just found, and how to go on.

use crate::desk::{Desk, holds};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("list.txt", "milk\neggs\nmilk\n");
    desk.put("hello.py", "print('hello from the script')\n");
    desk
}

#[test]
fn everyday_work_with_files_is_a_plan_of_commands() {
    let desk = desk();
    let told = desk.talk(&["copy list.txt to b.txt, then rename b.txt to c.txt", "y", "make a folder old", "y"]);
    holds(
        &told,
        &["; cp -- list.txt b.txt`", "2 Run `test ! -e c.txt", "; mv -- b.txt c.txt`", "1 Run `mkdir -p -- old`"],
    );
    assert!(desk.has("c.txt") && !desk.has("b.txt") && desk.has("old"));
    let told = desk.talk(&["delete c.txt", "n"]);
    holds(&told, &["1 Run `rm -- c.txt`", "nothing was done"]);
    assert!(desk.has("c.txt"));
    let told = desk.talk(&["sort list.txt and write it to sorted.txt", "y", "search list.txt for \"egg\"", "y"]);
    holds(&told, &["2 Write the result of step 1 to sorted.txt", "2:eggs"]);
    assert_eq!(desk.read("sorted.txt"), "eggs\nmilk\nmilk\n");
}

#[test]
fn a_script_runs_by_its_name_and_a_file_is_shown() {
    let told = desk().talk(&["run hello.py", "y", "show me list.txt", "y"]);
    holds(&told, &["1 Run `python3 hello.py`", "hello from the script", "1 Read list.txt", "eggs"]);
}

#[test]
fn what_is_asked_of_a_file_is_counted() {
    let told = desk().talk(&["how many lines are in list.txt?", "how many words are in list.txt?"]);
    holds(&told, &["list.txt has 3 lines.", "list.txt has 3 words."]);
}

/// “It” behind a plan that is over is what that gave.
#[test]
fn the_last_result_is_taken_up() {
    let desk = desk();
    let told = desk.talk(&["run `sort -u list.txt`", "y", "save it to out.txt", "y"]);
    holds(&told, &["1 Write the last result to out.txt"]);
    assert_eq!(desk.read("out.txt"), "eggs\nmilk\n", "{told}");
}

#[test]
fn the_last_plan_is_run_again() {
    for again in ["/redo", "run it again", "redo"] {
        let desk = desk();
        let told = desk.talk(&["run `echo x >> log.txt`", "y", again, "y"]);
        assert_eq!(desk.read("log.txt"), "x\nx\n", "{again}: {told}");
    }
}

/// A rule said by itself holds for what is planned afterwards.
#[test]
fn what_must_hold_is_said_by_itself() {
    let desk = desk();
    let told = desk.talk(&["never touch list.txt", "/facts", "delete list.txt", "y"]);
    holds(&told, &["Held: “never touch list.txt”.", "constraint_1", "Step 1 runs a command that names list.txt"]);
    assert!(desk.has("list.txt"));
}

#[test]
fn where_things_stand_is_told_while_a_run_waits() {
    let steps = "1. run `echo a` 2. run `echo b`";
    let told = desk().talk(&["wait for me after each step", steps, "y", "where are we?"]);
    assert!(!told.contains("takes a language model"), "{told}");
}

#[test]
fn a_plan_that_was_changed_says_so_in_its_title() {
    let told = desk().talk(&["run `cat nothere.txt`", "y", "change it to `cat list.txt`", "y"]);
    holds(&told, &["Plan: \"run `cat nothere.txt`, changed\" (1 step, version 2)", "eggs"]);
}

#[test]
fn what_is_asked_for_politely_is_ordered_and_several_files_are_a_step_each() {
    let desk = Desk::new();
    desk.put("a.txt", "one\n");
    desk.put("b.txt", "two\n");
    let told = desk.talk(&["can you copy a.txt to c.txt?", "y"]);
    assert_eq!(desk.read("c.txt"), "one\n", "{told}");
    let told = desk.talk(&["read a.txt and b.txt", "y"]);
    holds(&told, &["1 Read a.txt", "2 Read b.txt"]);
    let told = desk.talk(&["could you please delete b.txt", "y"]);
    assert!(!desk.has("b.txt"), "{told}");
    for code in ["modify", "replan"] {
        let told = desk.talk(&["delete a.txt", code, "y"]);
        holds(&told, &["What should be different?"]);
        assert!(desk.has("a.txt"), "{told}");
    }
}

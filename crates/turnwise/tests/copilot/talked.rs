//! A talk becomes work without a model: its orders in the order they were said, what must hold kept and enforced, and
//! what nothing could be made of told on the plan.

use crate::desk::{Desk, holds};

fn talk(desk: &Desk, lines: &[&str]) -> String {
    desk.talk_with(&["--preset", "conversational"], lines)
}

#[test]
fn a_talk_of_two_steps_is_planned_in_order() {
    let desk = Desk::new();
    let told = talk(&desk, &["run `echo one`", "write it to out.txt", "implement", "y"]);
    holds(&told, &["2 steps", "1 Run `echo one`", "2 Write the result of step 1 to out.txt"]);
    assert_eq!(desk.read("out.txt"), "one\n");
}

#[test]
fn what_was_wanted_and_is_no_step_is_told_on_the_plan() {
    let desk = Desk::new();
    let told =
        talk(&desk, &["prepare a list of what is here", "run `echo one`", "write it to out.txt", "build it", "y"]);
    holds(&told, &["2 steps", "nothing is done for “prepare a list of what is here”"]);
    assert_eq!(desk.read("out.txt"), "one\n");
}

#[test]
fn a_recipe_is_found_by_its_words_among_orders() {
    let desk = Desk::new();
    desk.put("notes.txt", "sea\nsun\nsea\n");
    desk.put(
        "recipes/count.yaml",
        "name: count a word\nwords: [count a word]\nparameters:\n  - {name: word, asks: Which word?}\nsteps:\n  \
         - {tool: run, with: {command: 'grep -c {{word}} notes.txt'}}\n",
    );
    let told = talk(&desk, &["run `echo begin`", "count a word, word=sea", "write it to out.txt", "implement", "y"]);
    holds(&told, &["3 steps", "2 Run `grep -c 'sea' notes.txt`"]);
    assert_eq!(desk.read("out.txt"), "2\n", "{told}");
}

#[test]
fn what_must_hold_is_shown_and_a_plan_that_breaks_it_is_refused() {
    let desk = Desk::new();
    desk.put("b.txt", "mine");
    let begun = ["run `echo one`", "never touch b.txt", "at most ten lines"];
    let told = talk(&desk, &[&begun[..], &["write it to out.txt", "implement", "y"]].concat());
    let shown = ["Must hold: never touch b.txt", "“never touch b.txt” holds: no step names b.txt"];
    holds(&told, &[&shown[..], &["“at most ten lines” is for you to look at; that is not checked"]].concat());
    assert_eq!(desk.read("out.txt"), "one\n");
    let broken = talk(&desk, &[&begun[..], &["write it to b.txt", "implement", "y"]].concat());
    holds(&broken, &["Step 2 would write b.txt, and “never touch b.txt” has to hold."]);
    assert_eq!(desk.read("b.txt"), "mine");
}

/// What was settled in a talk holds for what is ordered afterwards, too, and is held among the facts.
#[test]
fn what_must_hold_holds_afterwards() {
    let desk = Desk::new();
    desk.put("b.txt", "mine");
    let begun = ["run `echo one`", "never touch b.txt", "implement", "y"];
    let told = talk(
        &desk,
        &[&begun[..], &["/facts", "run `rm b.txt`", "implement", "cancel", "run `rm *.txt`", "implement"]].concat(),
    );
    holds(&told, &["never touch b.txt", "runs a command that names b.txt", "whose “*.txt” may mean b.txt"]);
    assert_eq!(desk.read("b.txt"), "mine");
}

#[test]
fn what_must_hold_is_said_with_the_order_or_of_the_plan_that_waits() {
    let desk = Desk::new();
    desk.put("b.txt", "mine");
    let told = desk.talk(&["run `echo one` and write it to out.txt, but never touch b.txt", "y"]);
    holds(&told, &["2 steps", "“never touch b.txt” holds: no step names b.txt"]);
    assert_eq!(desk.read("out.txt"), "one\n");
    let told = desk.talk(&["run `rm b.txt`, but don't touch b.txt"]);
    holds(&told, &["Step 1 runs a command that names b.txt"]);
    let late = desk.talk(&["run `echo one`", "never touch b.txt", "also write \"x\" to b.txt", "y"]);
    holds(&late, &["version 2", "“never touch b.txt” holds", "Step 2 would write b.txt"]);
    assert_eq!(desk.read("b.txt"), "mine");
    let host = desk.talk(&["fetch http://127.0.0.1:1/a", "never fetch anything from 127.0.0.1"]);
    holds(&host, &["Step 1 would fetch from 127.0.0.1:1"]);
}

const TALK: [&str; 2] = ["--preset", "conversational"];

#[test]
fn what_is_said_in_a_talk_is_noted_and_what_is_open_is_no_decision() {
    for first in ["run `echo one`", "use tabs"] {
        let desk = Desk::new();
        let said = [
            first,
            "we decided to use blue",
            "let's use spaces",
            "we'll use yellow",
            "I prefer green",
            "it is open whether we use red",
            "we still have to decide the colour",
            "open: which font?",
            "the size is not decided yet",
        ];
        let told = desk.talk_with(&TALK, &said);
        let last = told.rsplit("Noted so far").next().unwrap();
        for point in &said {
            assert!(last.contains(point), "“{point}” is lost: {told}");
        }
        for decided in ["we decided to use blue", "let's use spaces", "we'll use yellow", "I prefer green"] {
            holds(last, &[&format!("{decided} (decided)")]);
        }
        for open in &said[5..] {
            holds(last, &[&format!("{open} (still open)")]);
        }
        assert!(!told.contains("not known here"), "{told}");
    }
}

#[test]
fn a_talk_that_cannot_be_planned_is_there_again_point_by_point() {
    let desk = Desk::new();
    let said = ["make a nice report", "we decided to use blue", "it is open whether we use red", "implement"];
    let told = desk.talk_with(&TALK, &said);
    let last = told.rsplit("Noted so far").next().unwrap();
    let points = [
        "1. make a nice report",
        "2. we decided to use blue (decided)",
        "3. it is open whether we use red (still open)",
    ];
    holds(last, &points);
    let again = desk.talk_with(&TALK, &[&said[..], &["implement"]].concat());
    holds(again.rsplit("Noted so far").next().unwrap(), &points);
}

//! Words and the patches they are, and words that are none. The plan: 1 Revenue 2009, 2 Revenue 2010, 3 Compare,
//! 4 Save.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use super::tests::{ids, saved};
use super::{Patch, PatchError, Wish};
use crate::StepId;

fn read(words: &str) -> Option<Result<Wish, PatchError>> {
    Wish::read(words, &saved())
}

#[track_caller]
fn check(words: &str, patches: &[Patch]) {
    assert_eq!(read(words), Some(Ok(Wish::Structure(patches.to_vec()))), "{words}");
}

#[track_caller]
fn check_none(words: &str) {
    assert_eq!(read(words), None, "{words}");
}

fn dropped(numbers: &[u32]) -> [Patch; 1] {
    [Patch::Drop(ids(numbers))]
}

fn kept(numbers: &[u32]) -> [Patch; 1] {
    [Patch::Keep(ids(numbers))]
}

fn order(later: u32, earlier: u32) -> [Patch; 1] {
    [Patch::Order { later: StepId::new(later), earlier: StepId::new(earlier) }]
}

#[test]
fn steps_are_dropped_by_number_ordinal_and_name() {
    for words in [
        "drop step 4",
        "drop the last step",
        "drop step four",
        "without step 4",
        "all but step 4",
        "all but 4",
        "everything except the last step",
        "yes but not step 4",
        "yes, everything except step 4",
        "skip the final step",
        "get rid of step 4",
        "take out number 4",
        "the last one is not needed",
        "i don't need step 4",
        "run everything but the last step",
        "ok but leave out step 4",
        "looks good, but drop step 4",
        "all except the save",
        "leave off the saving",
        "no need to save the file",
        "don't save it",
        "drop teh last setp",
        "drop stpe 4",
        "could you drop step 4?",
        "what if we skip step 4?",
        "drop step 4 and run it",
        "just drop step 4, the rest is fine",
        "approve it but not step 4",
        "leave the fourth step out please",
        "kill the last step",
        "cancel step 4",
        "nope, leave step 4 out",
        "I'm happy with all of it except step 4",
        "please don't write the file",
    ] {
        check(words, &dropped(&[4]));
    }
    check("drop steps 3 and 4", &dropped(&[3, 4]));
    check("drop steps 3, 4", &dropped(&[3, 4]));
    check("cut the last two steps", &dropped(&[3, 4]));
    check("skip steps 3-4", &dropped(&[3, 4]));
    check("drop the second to last step", &dropped(&[3]));
    check("skip the comparison step", &dropped(&[3]));
    check("drop step 4 and drop step 3", &dropped(&[4, 3]));
}

#[test]
fn steps_are_kept() {
    check("approve steps 1 and 2 only", &kept(&[1, 2]));
    check("only run step 1", &kept(&[1]));
    check("approve step 1", &kept(&[1]));
    check("only the first two steps", &kept(&[1, 2]));
    check("approve the first two", &kept(&[1, 2]));
    check("go with steps one and two", &kept(&[1, 2]));
    check("steps 1-3 only", &kept(&[1, 2, 3]));
    check("only steps 1 to 3", &kept(&[1, 2, 3]));
    check("run steps 1 to 3", &kept(&[1, 2, 3]));
    check("just the first step please", &kept(&[1]));
    check("stop after step 2", &kept(&[1, 2]));
    check("steps one through three please", &kept(&[1, 2, 3]));
    check("ok for the first 3 steps", &kept(&[1, 2, 3]));
    check("yes to steps 1-3", &kept(&[1, 2, 3]));
    check("approve step 1 and 7", &kept(&[1, 7]));
}

#[test]
fn steps_are_put_in_order() {
    check("do step 3 before step 2", &order(2, 3));
    check("move step 2 before step 1", &order(1, 2));
    check("put step 2 in front of step 1", &order(1, 2));
    check("run step 1 after step 2", &order(1, 2));
    check("first step 2, then step 1", &order(1, 2));
    check("step 1 should come after step 2", &order(1, 2));
    let swap = [Patch::Swap(StepId::new(1), StepId::new(2))];
    for words in ["swap steps 1 and 2", "exchange the first and second step", "swap step 1 with step 2"] {
        check(words, &swap);
    }
    check("do step 2 first", &[Patch::First(StepId::new(2))]);
    check("start with step 2", &[Patch::First(StepId::new(2))]);
    check("have step 2 run first", &[Patch::First(StepId::new(2))]);
    check("do step 2 last", &[Patch::Last(StepId::new(2))]);
    for words in ["run them one at a time", "one by one please", "sequentially", "not in parallel"] {
        check(words, &[Patch::OneAtATime]);
    }
    check("don't run them in parallel", &[Patch::OneAtATime]);
    check("drop step 4 and run the rest one at a time", &[Patch::OneAtATime, dropped(&[4])[0].clone()]);
}

#[test]
fn names_are_taken_as_they_were_written() {
    let step = |step, name: &str| [Patch::RenameStep { step: StepId::new(step), name: name.to_owned() }];
    check("rename step 1 to Old Year", &step(1, "Old Year"));
    check("call step 2 \"New year\"", &step(2, "New year"));
    check("step 4 should be called “Write it down”", &step(4, "Write it down"));
    check("call the plan Money", &[Patch::Rename("Money".to_owned())]);
    check("call it Money", &[Patch::Rename("Money".to_owned())]);
}

#[test]
fn what_only_the_assistant_can_plan_keeps_its_words() {
    let constrain = |words: &str| Some(Ok(Wish::Constrain { steps: ids(&[2]), words: words.to_owned() }));
    assert_eq!(read("limit step 2 to Q4"), constrain("Q4"));
    assert_eq!(read("only Germany in step 2"), constrain("Germany"));
    assert_eq!(read("in step 2 only take USA"), constrain("USA"));
    assert_eq!(read("step 2 only for New York"), constrain("New York"));
    let split = Some(Ok(Wish::Split { step: StepId::new(2), words: "by month".to_owned() }));
    assert_eq!(read("split step 2 by month"), split);
    let add = Some(Ok(Wish::Add { words: "counts customers".to_owned() }));
    assert_eq!(read("add a step that counts customers"), add);
}

#[test]
fn words_about_other_things_are_no_patches() {
    for words in [
        "only Q4",
        "drop the discount",
        "drop 2010",
        "without 2009",
        "approve",
        "yes",
        "yes please",
        "cancel",
        "cancel it",
        "cancel everything",
        "kill it",
        "yes run all steps",
        "go ahead with all steps",
        "for 2",
        "to the point",
        "I'm happy with it",
        "I'm happy with step 1",
        "skip step two hundred of them",
        "step 2 looks odd",
        "1",
        "don't drop step 2",
        "why step 2?",
        "should we drop step 2?",
        "is step 2 needed?",
        "step 2",
        "stop",
        "drop it",
        "call it off",
        "drop step 2 if it takes long",
        "what about the queue?",
        "everything except Canada",
        "remove Canada",
        "only the first two",
        "by month instead",
        "sort by step",
        "approve it",
        "go",
        "run it",
        "do it",
        "all",
        "the last one",
    ] {
        check_none(words);
    }
}

#[test]
fn words_that_fit_several_steps_are_asked_about_and_not_guessed() {
    let several = read("drop the revenue step");
    assert!(
        matches!(several, Some(Err(PatchError::Ambiguous(_, ref steps))) if steps == "step 1 or step 2"),
        "{several:?}"
    );
    assert_eq!(read("drop step 3 and swap steps 1 and 2"), Some(Err(PatchError::Apart)));
}

#[test]
fn no_text_of_any_length_or_kind_breaks_the_reading() {
    let long = "drop step 1 and ".repeat(5_000);
    assert_eq!(read(&long), None);
    for words in ["", "?", "“”", "step", "steps 1-", "drop step 99999999999999999999", "drop steps 1-4294967295"] {
        let _ = read(words);
    }
}

#[test]
fn a_step_waits_in_the_words_of_waiting_and_by_what_it_does() {
    let both = [1, 2].map(|earlier| Patch::Order { later: StepId::new(3), earlier: StepId::new(earlier) });
    for words in [
        "make the comparison wait until both are in",
        "the comparison should wait for both",
        "step 3 has to wait until they are done",
        "hold the compare step until both are there",
    ] {
        check(words, &both);
    }
    for words in
        ["do 2010 before 2009", "run 2009 after 2010", "make 2009 wait for 2010", "2009 should wait for step 2"]
    {
        check(words, &order(1, 2));
    }
    check("make the saving wait until everything else is done", &[Patch::Last(StepId::new(4))]);
}

#[test]
fn waiting_that_names_no_step_and_time_in_the_data_are_no_order() {
    for words in [
        "wait",
        "wait until both are in",
        "show orders before 2010",
        "customers who wait for a refund",
        "do it before lunch",
        "sales after 2009",
        "make it wait",
    ] {
        check_none(words);
    }
}

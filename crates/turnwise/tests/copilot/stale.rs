//! What a write replaces is what was shown: a file that somebody else changed meanwhile is left alone, and what the
//! plan itself writes before is no change of somebody else's.

use crate::desk::{Desk, holds};
use crate::dying::Chat;

const CHANGED: &str = "“notes.txt” was changed since the plan was shown";
const OPTIONS: [&str; 5] = ["--ephemeral", "--assistant", "copilot", "--workspace", "desk"];

#[test]
fn a_file_that_was_changed_while_the_plan_waited_is_left_as_it_is() {
    for before in [Some("old\n"), None] {
        let desk = Desk::new();
        if let Some(before) = before {
            desk.put("notes.txt", before);
        }
        let mut chat = Chat::start(desk.folder.path(), &OPTIONS);
        chat.say("write \"mine\" to notes.txt");
        chat.until(&["Run it?"]);
        desk.put("notes.txt", "theirs\n");
        chat.say("y");
        let told = chat.end();
        holds(&told, &[CHANGED, "plan it again"]);
        assert_eq!(desk.read("notes.txt"), "theirs\n", "{told}");
        desk.talk(&["write \"mine\" to notes.txt", "y"]);
        assert_eq!(desk.read("notes.txt"), "mine", "planned again, it is done");
    }
}

#[test]
fn a_file_that_was_removed_while_the_plan_waited_is_not_made_anew() {
    let desk = Desk::new();
    desk.put("notes.txt", "old\n");
    let mut chat = Chat::start(desk.folder.path(), &OPTIONS);
    chat.say("write \"mine\" to notes.txt");
    chat.until(&["Run it?"]);
    std::fs::remove_file(desk.path().join("notes.txt")).unwrap();
    chat.say("y");
    let told = chat.end();
    holds(&told, &[CHANGED]);
    assert!(!desk.has("notes.txt"), "{told}");
}

#[test]
fn what_a_command_of_the_same_plan_changed_was_not_shown_either() {
    let desk = Desk::new();
    desk.put("notes.txt", "old\n");
    let told = desk.talk(&["1. run `echo other > notes.txt` 2. write \"mine\" to notes.txt", "y"]);
    holds(&told, &["-old", "+mine", CHANGED]);
    assert_eq!(desk.read("notes.txt"), "other\n");
}

#[test]
fn a_plan_writes_one_file_more_than_once() {
    for before in [Some("old"), None] {
        let desk = Desk::new();
        if let Some(before) = before {
            desk.put("notes.txt", before);
        }
        let steps = "1. write \"one\" to notes.txt 2. run `cat notes.txt >> seen.txt` 3. write \"two\" to notes.txt";
        let told = desk.talk(&[steps, "y"]);
        assert!(!told.contains(CHANGED), "{told}");
        assert_eq!((desk.read("seen.txt"), desk.read("notes.txt")), ("one".to_owned(), "two".to_owned()), "{told}");
        desk.talk(&["undo", "y"]);
        assert_eq!(desk.read("notes.txt"), "one");
    }
}

#[test]
fn what_another_conversation_writes_meanwhile_is_a_change_too() {
    let desk = Desk::new();
    desk.put("notes.txt", "old");
    let mut chat = Chat::start(desk.folder.path(), &OPTIONS);
    chat.say("write \"mine\" to notes.txt");
    chat.until(&["Run it?"]);
    desk.talk(&["write \"theirs\" to notes.txt", "y"]);
    chat.say("y");
    holds(&chat.end(), &[CHANGED]);
    assert_eq!(desk.read("notes.txt"), "theirs");
}

/// No content is shown of what a step will have found, and the file may be what that step made.
#[test]
fn a_result_is_written_whatever_was_there() {
    let desk = Desk::new();
    desk.put("notes.txt", "old\n");
    let told = desk.talk(&["1. run `echo new | tee notes.txt` 2. write it to notes.txt", "y"]);
    assert!(!told.contains(CHANGED), "{told}");
    assert_eq!(desk.read("notes.txt"), "new\n");
}

#[test]
fn what_was_written_before_a_step_failed_is_no_change_when_it_is_tried_again() {
    let desk = Desk::new();
    let steps = "1. write \"one\" to notes.txt 2. run `test -e ready && touch made || { touch ready; exit 1; }`";
    let told = desk.talk(&[steps, "y", "retry"]);
    assert!(!told.contains(CHANGED), "{told}");
    assert!(desk.has("made"), "{told}");
    assert_eq!(desk.read("notes.txt"), "one");
}

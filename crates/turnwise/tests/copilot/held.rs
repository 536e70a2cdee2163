//! What has to hold is kept from the message on that says it, whatever becomes of the plan: a plan that would break it
//! is not approved, and a run waits before the step that would.

use crate::desk::{Desk, holds};
use crate::dying::Chat;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("a.txt", "b\na\n");
    desk.put("b.txt", "kept\n");
    desk
}

/// Nothing of what is said touches b.txt, and the constraint is held in the end.
fn keeps(said: &[&str], shown: &[&str]) {
    let desk = desk();
    let told = desk.talk(&[said, &["/facts"]].concat());
    holds(&told, shown);
    assert!(told.rsplit("held").next().is_some_and(|facts| facts.contains("never touch b.txt")), "{told}");
    assert_eq!(desk.read("b.txt"), "kept\n", "{told}");
}

#[test]
fn a_plan_that_breaks_what_was_said_of_it_is_not_approved() {
    let why = "Step 1 runs a command that names b.txt, and “never touch b.txt” has to hold";
    keeps(&["run `rm b.txt`", "never touch b.txt", "y", "y"], &[why]);
    keeps(&["run `rm b.txt`", "also, never touch b.txt", "y"], &[why]);
}

#[test]
fn a_run_waits_before_the_step_that_would_break_it_and_goes_on_with_another() {
    let steps = "1. run `echo a >> log.txt` 2. run `echo b >> log.txt` 3. run `rm b.txt`";
    let begun = ["wait for me after each step", steps, "y"];
    let why = "Step 3 runs a command that names b.txt";
    keeps(&[&begun[..], &["never touch b.txt", "resume", "resume", "resume", "resume"]].concat(), &[why]);
    let other = ["never touch b.txt", "change step 3 to run `echo c >> log.txt`", "y", "resume", "resume", "resume"];
    let desk = desk();
    let told = desk.talk(&[&begun[..], &other[..]].concat());
    assert_eq!(desk.read("log.txt"), "a\nb\nc\n", "{told}");
}

/// A chat whose first step runs until it is let go, which `said` is said to meanwhile, each heard of before the next.
fn meanwhile(desk: &Desk, steps: &str, said: &[(&str, &str)]) -> Chat {
    let options = ["--ephemeral", "--assistant", "copilot", "--workspace", "desk"];
    let mut chat = Chat::start(desk.folder.path(), &options);
    chat.say(&format!("1. run `echo > begun; until test -e go; do sleep 0.05; done; echo a >> log.txt` {steps}"));
    chat.until(&["Run it?"]);
    chat.say("y");
    while !desk.has("begun") {
        std::thread::yield_now();
    }
    for (words, told) in said {
        chat.seen.clear();
        chat.say(words);
        chat.until(&[told]);
    }
    desk.put("go", "");
    chat
}

#[test]
fn a_run_under_way_waits_where_what_is_said_meanwhile_forbids_what_is_left() {
    let desk = desk();
    let why = "Step 3 runs a command that names b.txt";
    let mut chat = meanwhile(&desk, "2. run `echo b >> log.txt` 3. run `rm b.txt`", &[("never touch b.txt", why)]);
    chat.until(&["Paused before"]);
    chat.say("change step 3 to run `echo c >> log.txt`");
    chat.until(&["version 2"]);
    chat.say("y");
    chat.until(&["✓ 3"]);
    let told = chat.end();
    assert_eq!(desk.read("log.txt"), "a\nb\nc\n", "{told}");
    assert_eq!(desk.read("b.txt"), "kept\n", "{told}");
}

#[test]
fn the_second_of_two_changes_said_during_a_step_neither_loses_the_first_nor_is_lost() {
    let desk = desk();
    let steps = "2. run `echo b >> log.txt` 3. run `echo c >> log.txt` 4. run `echo d >> log.txt`";
    let said = [
        ("drop step 3", "must not run twice"),
        ("change step 4 to run `echo x >> log.txt`", "must not run twice"),
        ("change step 9 to run `ls`", "is planned still, without “change step 9"),
    ];
    let mut chat = meanwhile(&desk, steps, &said);
    chat.until(&["version 2"]);
    chat.say("y");
    chat.until(&["✓ 3"]);
    let told = chat.end();
    assert_eq!(desk.read("log.txt"), "a\nb\nx\n", "{told}");
}

#[test]
fn it_is_kept_of_a_run_that_failed_and_of_steps_that_are_done() {
    let steps = "1. run `ls` 2. run `cat nope` 3. run `rm b.txt`";
    keeps(
        &[steps, "y", "never touch b.txt", "change step 2 to run `ls`", "y", "retry", "resume"],
        &["Step 3 runs a command that names b.txt"],
    );
    let desk = desk();
    let done = ["wait for me after each step", "1. run `cat b.txt` 2. run `echo a >> log.txt`", "y"];
    let told = desk.talk(&[&done[..], &["never touch b.txt", "y", "resume", "resume"]].concat());
    assert_eq!(desk.read("log.txt"), "a\n", "{told}");
}

#[test]
fn what_was_said_with_an_order_holds_for_the_next_one() {
    keeps(
        &["run `ls`, but never touch b.txt", "y", "delete b.txt", "y"],
        &["“never touch b.txt” holds: no step names b.txt", "Step 1 runs a command that names b.txt"],
    );
    let desk = desk();
    let told = desk.talk(&["run `ls`, but never touch a.txt, b.txt", "y"]);
    holds(&told, &["1 Run `ls`", "no step names a.txt and no step names b.txt"]);
}

#[test]
fn a_constraint_is_known_by_each_of_its_names_and_verbs() {
    for (limit, order) in [
        ("don't touch *.txt", "delete a.txt"),
        ("never touch b.txt, and don't run rm", "run `rm c.csv`"),
        ("never fetch from example.org or run curl", "run `curl http://localhost:1/`"),
        ("never touch the folder sec", "run `rm -r sec`"),
        ("never touch sec", "run `rm -r sec`"),
        ("never touch Makefile", "write \"x\" to Makefile"),
        ("never touch anything in sec", "run `rm -r ./sec`"),
        ("don't delete anything", "delete a.txt"),
        ("never touch b.txt", "run `sort -o b\".txt\" a.txt`"),
        ("never touch b.txt", "run `rm {a,b}.txt`"),
        ("never touch b.txt", "run `F=b.txt; rm $F`"),
        ("never run rm", "run `\\rm a.txt`"),
        ("stay offline", "run `git clone http://localhost:1/x`"),
        ("stay offline", "run `/usr/bin/curl localhost:1`"),
        ("stay offline", "run `pip install x`"),
        ("never fetch from example.org", "fetch http://u@example.org./x"),
    ] {
        let desk = desk();
        let told = desk.talk(&[limit, order, "y"]);
        holds(&told, &["has to hold"]);
        assert!(!told.contains("Plan: "), "{limit}: {order}: {told}");
    }
}

#[test]
fn what_cannot_be_checked_is_not_said_to_hold() {
    let desk = desk();
    let told = desk.talk(&["never touch b.txt", "run `echo $HOME`"]);
    holds(&told, &["“never touch b.txt”: no step names b.txt; what step 1 may do", "that is not checked"]);
    assert!(!told.contains("“never touch b.txt” holds"), "{told}");
    let told = desk.talk(&["never touch b.txt", "run `env sort a.txt`"]);
    holds(&told, &["“never touch b.txt”: no step names b.txt; what step 1 may do", "that is not checked"]);
    let told = desk.talk(&["only touch a.txt", "run `ls`"]);
    holds(&told, &["“only touch a.txt”", "1 Run `ls`"]);
}

#[test]
fn what_is_there_already_is_not_overwritten_by_a_copy_or_a_rename() {
    for order in ["copy a.txt to b.txt", "rename a.txt to b.txt"] {
        let desk = desk();
        let told = desk.talk(&[order, "y"]);
        holds(&told, &["“b.txt” is there already and is not overwritten."]);
        assert_eq!((desk.read("a.txt"), desk.read("b.txt")), ("b\na\n".to_owned(), "kept\n".to_owned()));
        let told = desk.talk(&[&format!("run `ls`, then {order}"), "y"]);
        holds(&told, &["b.txt is there already"]);
        assert_eq!((desk.read("a.txt"), desk.read("b.txt")), ("b\na\n".to_owned(), "kept\n".to_owned()));
    }
    let desk = desk();
    let told = desk.talk(&["make a folder old", "y", "move a.txt into old", "y", "copy b.txt to c.txt", "y"]);
    assert_eq!((desk.read("old/a.txt"), desk.read("c.txt")), ("b\na\n".to_owned(), "kept\n".to_owned()), "{told}");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_yes() {
    let desk = desk();
    std::os::unix::fs::symlink(desk.path().join("b.txt"), desk.path().join("link.txt")).unwrap();
    for file in ["sub/../b.txt", "link.txt"] {
        let told = desk.talk(&[&format!("write \"x\" to {file}")]);
        assert!(!told.contains("Run it?") && told.contains(file), "{told}");
    }
}

#[test]
fn it_behind_a_write_is_what_was_written() {
    let desk = desk();
    let told = desk.talk(&["read b.txt", "save it to out.txt", "y", "save it to out2.txt", "y"]);
    assert_eq!(desk.read("out2.txt"), "kept\n", "{told}");
    let told = desk.talk(&["write \"one\" to c.txt", "y", "save it to d.txt", "y"]);
    assert_eq!(desk.read("d.txt"), "one", "{told}");
}

#[test]
fn a_constraint_is_lifted_in_plain_words() {
    for words in ["forget never touch b.txt", "you may touch b.txt again"] {
        let desk = desk();
        let told = desk.talk(&["never touch b.txt", words, "y", "delete b.txt", "y"]);
        assert!(!desk.has("b.txt"), "{told}");
    }
}

#[test]
fn a_decision_of_a_talk_is_done_to_its_steps() {
    let desk = desk();
    let said = ["sort a.txt and save it to out.txt", "we decided to use out2.txt instead of out.txt", "go ahead", "y"];
    let told = desk.talk_with(&["--preset", "conversational"], &said);
    assert_eq!(desk.read("out2.txt"), "a\nb\n", "{told}");
    assert!(!desk.has("out.txt"), "{told}");
}

#[test]
fn a_plan_whose_constraint_was_lifted_is_shown_again_and_waits_for_its_own_yes() {
    for first in [&["never touch b.txt", "run `touch ran`"][..], &["run `touch ran`", "never touch b.txt"]] {
        let desk = desk();
        let lifted = desk.talk(&[first, &["forget never touch b.txt", "y"]].concat());
        let shown = lifted.rsplit("Forget").next().unwrap();
        holds(shown, &["Run `touch ran`", "Run it?"]);
        assert!(!shown.contains("“never touch b.txt” holds"), "{lifted}");
        assert!(!desk.has("ran"), "{lifted}");
    }
    // What was refused for it is shown again, too, before a yes is a yes to it.
    let desk = desk();
    let told = desk.talk(&["run `rm b.txt`", "never touch b.txt", "forget never touch b.txt", "y"]);
    assert!(desk.has("b.txt"), "{told}");
    let kept = desk.talk(&["never touch b.txt", "run `touch ran`", "forget never touch b.txt", "n"]);
    holds(kept.rsplit("Kept.").next().unwrap(), &["Run `touch ran`", "“never touch b.txt” holds", "Run it?"]);
    assert!(!desk.has("ran"), "{kept}");
}

#[test]
fn what_reads_as_a_prohibition_is_kept_and_never_asked_about() {
    for said in [
        "don't use the network",
        "don't run anything but ls",
        "do not write anything",
        "no files may be deleted",
        "never touch anything but a.txt",
        "keep a.txt as it is",
        "never clear the logs",
        "nothing may be written outside out/",
        "don't email anybody",
        "don't use more than 2 steps",
    ] {
        let desk = desk();
        let told = desk.talk(&[said, "/facts"]);
        holds(&told, &[&format!("Held: “{said}”"), "constraint"]);
        for menu in ["Which is it?", "Forget everything", "not known here"] {
            assert!(!told.contains(menu), "{said}: {told}");
        }
    }
    let desk = desk();
    let told = desk.talk(&["do not run anything, just read a.txt", "y"]);
    holds(&told, &["Read a.txt", "“do not run anything” holds: no step runs anything"]);
    let told = desk.talk(&["without clearing the logs read a.txt", "y"]);
    holds(&told, &["Read a.txt", "“without clearing the logs” is for you to look at; that is not checked"]);
}

#[test]
fn a_whole_folder_is_not_deleted_around_what_must_not_be_touched() {
    let own = desk();
    for order in [
        format!("run `rm -rf {}`", own.path().display()),
        "run `rm -rf ../desk`".to_owned(),
        "run `rm -r ../[d]esk`".to_owned(),
        "run `cd .. && rm -rf desk`".to_owned(),
        "run `find .. -name '*.txt' -delete`".to_owned(),
        "run `rm -rf \"$PWD\"`".to_owned(),
    ] {
        let told = own.talk(&["never touch b.txt", &order, "y", "y"]);
        holds(&told, &["has to hold"]);
        assert_eq!(own.read("b.txt"), "kept\n", "{order}: {told}");
    }
}

#[test]
fn what_is_left_out_of_a_prohibition_may_be_done_and_all_else_is_refused() {
    for said in ["nothing may be written outside out/", "never write anything except in out/"] {
        let desk = desk();
        let told = desk.talk(&[said, "write \"x\" to n.txt", "y", "write \"x\" to out/y.txt", "y"]);
        holds(&told, &["would write n.txt", "has to hold", "holds: no step writes anything but out"]);
        assert!(!desk.has("n.txt") && desk.has("out/y.txt"), "{told}");
    }
    let desk = desk();
    let told = desk.talk(&["only touch a.txt", "write \"x\" to b.txt", "y"]);
    holds(&told, &["would write b.txt", "has to hold"]);
    assert_eq!(desk.read("b.txt"), "kept\n", "{told}");
    let told = desk.talk(&["don't touch files that end in .md", "write \"x\" to doc.md", "y"]);
    holds(&told, &["would write doc.md", "has to hold"]);
    assert!(!desk.has("doc.md"), "{told}");
}

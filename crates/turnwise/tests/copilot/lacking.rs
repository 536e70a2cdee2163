//! Orders that lack something, without a model and without a recipe: what is missing is asked for once, on one card.

use crate::desk::{Desk, holds};

#[test]
fn what_is_missing_is_asked_for_on_one_card() {
    for (order, asked, answer, line) in [
        ("write a file", "What should be written? Into which file?", "\"hello\" to a.txt", "1 Write a.txt"),
        ("fetch it", "Which address should be fetched?", "http://127.0.0.1:1/a", "1 Fetch http://127.0.0.1:1/a"),
        ("run the script", "Which command or script should be run?", "work.py", "1 Run `python3 work.py`"),
        ("run it please", "Which command or script should be run?", "`ls -l`", "1 Run `ls -l`"),
        ("read the file", "Which file should be read?", "it is notes.txt", "1 Read notes.txt"),
        ("create notes.txt", "What should be written?", "milk and eggs", "+milk and eggs"),
        ("write \"x y\"", "Into which file?", "notes.txt", "1 Write notes.txt"),
        ("convert the report", "by which command?", "work.py", "1 Run `python3 work.py`"),
        (
            "convert the report",
            "by which command?",
            "run `sort in.txt` and write it to out.txt",
            "2 Write the result of step 1",
        ),
    ] {
        let desk = Desk::new();
        let told = desk.talk(&[order, answer]);
        holds(&told, &[asked, line]);
        assert_eq!(told.matches(asked).count(), 1, "{told}");
    }
    let desk = Desk::new();
    let told = desk.talk(&["fetch the page and save it as page.html", "http://127.0.0.1:1/a"]);
    holds(&told, &["1 Fetch http://127.0.0.1:1/a", "2 Write the result of step 1 to page.html"]);
}

#[test]
fn what_is_left_open_by_an_answer_alone_is_asked_again() {
    let desk = Desk::new();
    let told = desk.talk(&["write a file", "into a.txt", "milk and eggs"]);
    holds(&told, &["1 Write a.txt", "+milk and eggs"]);
    assert_eq!(told.matches("Into which file?").count(), 1, "{told}");
}

#[test]
fn skip_takes_what_stands_for_itself_and_says_so() {
    let desk = Desk::new();
    desk.put("work.py", "print('done')");
    let told = desk.talk(&["run the script", "skip", "y"]);
    holds(&told, &["Skip: work.py", "Assumed: work.py", "Assumes: work.py", "1 Run `python3 work.py`", "done"]);
    let told = desk.talk(&["fetch it", "skip"]);
    holds(&told, &["without it nothing can be done", "There is nothing to assume"]);
    assert!(!told.contains("Skip:"), "{told}");
}

#[test]
fn one_recipe_that_is_only_like_it_is_offered_with_a_way_past() {
    let desk = Desk::new();
    desk.put(
        "recipes/backup.yaml",
        "name: keep a backup\nwords: [make a backup]\nsteps:\n  - {tool: run, with: {command: 'echo kept'}}\n",
    );
    let told = desk.talk(&["copy the backup", "2"]);
    holds(&told, &["1 keep a backup", "2 No, something else"]);
}

#[test]
fn a_sentence_that_begins_like_a_program_is_no_command() {
    let desk = Desk::new();
    for answer in ["make a report about sales", "sort things out please", "find me the newest ones"] {
        let told = desk.talk(&["clean up my data", answer, "y"]);
        assert!(!told.contains("Run `"), "{answer}: {told}");
    }
    let told = desk.talk(&["clean up my data", "sort -u in.txt"]);
    holds(&told, &["1 Run `sort -u in.txt`"]);
}

//! Recipes.

use crate::desk::{Desk, holds};

const COUNT: &str = r#"
name: count a word
words: [count a word, how many times]
parameters:
  - {name: word, asks: "Which word?"}
  - {name: file, asks: "In which file?", kind: file, default: notes.txt}
steps:
  - {tool: run, with: {command: "grep -c {{word}} {{file}}"}, as: found, says: Count the lines}
  - {tool: write, with: {file: "count.txt", content: {from: found}}}
"#;

#[test]
fn a_recipe_is_found_by_its_words_asks_what_it_lacks_and_runs_after_a_yes() {
    let desk = Desk::new();
    desk.put("recipes/count.yaml", COUNT);
    desk.put("notes.txt", "the sea\nthe sky\na bird\n");
    let asked = desk.talk(&["count a word", "the", "notes.txt"]);
    holds(&asked, &["Which word?", "In which file?", "Count the lines: Run `grep -c 'the' 'notes.txt'`", "Run it?"]);
    assert!(!desk.has("count.txt"), "nothing runs before the yes");
    let done = desk.talk(&["please count a word \"the\" in notes.txt", "y"]);
    holds(&done, &["Wrote count.txt, which is new."]);
    assert_eq!(desk.read("count.txt"), "2\n");
}

#[test]
fn a_value_is_never_a_command() {
    let desk = Desk::new();
    desk.put("recipes/count.yaml", COUNT);
    desk.put("notes.txt", "a\n");
    let told = desk.talk(&["count a word", "'; touch made; '", "notes.txt", "y"]);
    holds(&told, &["Run it?"]);
    assert!(!desk.has("made"), "{told}");
}

#[test]
fn a_question_or_a_no_is_no_recipe() {
    let desk = Desk::new();
    desk.put("recipes/count.yaml", COUNT);
    for said in ["don't count a word in notes.txt", "should we count a word in notes.txt?"] {
        let told = desk.talk(&[said]);
        assert!(!told.contains("Run it?") && !told.contains("Which word?"), "{said}: {told}");
    }
}

#[test]
fn a_recipe_that_cannot_be_used_is_named_with_what_is_wrong() {
    let desk = Desk::new();
    desk.put("recipes/a.yaml", "name: a\nwords: [do a]\nsteps:\n  - {tool: run, with: {command: \"echo {{who}}\"}}\n");
    desk.put("recipes/b.yaml", "name: b\nword: [do b]\nsteps: []\n");
    desk.put("recipes/c.yaml", "name: c\nwords: [tidy up now]\nsteps: [{tool: sweep}]\n");
    let told = desk.talk(&["tidy up now"]);
    holds(
        &told,
        &[
            "The recipe a.yaml cannot be used: step 1 uses {{who}}, which is no parameter.",
            "The recipe b.yaml cannot be used: unknown field `word`",
            "There is no tool “sweep”.",
        ],
    );
}

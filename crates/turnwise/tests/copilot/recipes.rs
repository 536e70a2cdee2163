//! Recipes.

use std::path::Path;

use crate::desk::{Desk, holds};

const COUNT: &str = r#"
name: count a word
words: [count a word, count the word]
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

const TODOS: &str = "name: open points\nwords: [list the todos, open points in the notes]\nsteps:\n  - {tool: run, with: {command: \"grep -rhn TODO notes\"}, says: Look for them}\n";
const ENDINGS: &str = "name: rename endings\nwords: [change the endings]\nparameters:\n  - {name: from, asks: \"From which ending?\"}\n  \
                       - {name: to, asks: \"To which?\"}\nsteps:\n  - {tool: run, with: {command: \"echo {{from}} becomes {{to}}\"}}\n";

#[test]
fn a_recipe_that_is_called_by_its_own_words_is_meant_whatever_else_they_order() {
    let desk = Desk::new();
    desk.put("recipes/todos.yaml", TODOS);
    desk.put("notes/monday.md", "TODO call Ann\n");
    for said in ["list the todos", "please list the todos"] {
        holds(&desk.talk(&[said, "y"]), &["Look for them: Run `grep -rhn TODO notes`", "1:TODO call Ann"]);
    }
}

#[test]
fn what_speaks_of_what_a_recipe_is_about_reaches_it_after_a_question() {
    let desk = Desk::new();
    desk.put("recipes/todos.yaml", TODOS);
    desk.put("recipes/count.yaml", COUNT);
    desk.put("notes/monday.md", "TODO call Ann\n");
    for said in ["list todos", "show me the todos", "open points"] {
        let told = desk.talk(&[said, "1", "y"]);
        holds(&told, &["Do you mean the recipe “open points”?", "1:TODO call Ann"]);
    }
    let told = desk.talk(&["what are the todos?"]);
    holds(&told, &["The recipe “open points” is about that: say “list the todos” to have it planned."]);
    // A folder that is not there and that no recipe is about is named with those that are.
    let told = desk.talk(&["list pictures"]);
    holds(&told, &["There is no folder “pictures” here. There are: notes and recipes."]);
    holds(&desk.talk(&["list notes", "y"]), &["monday.md"]);
}

#[test]
fn each_of_two_values_in_quotes_is_taken_in_its_order() {
    let desk = Desk::new();
    desk.put("recipes/endings.yaml", ENDINGS);
    for said in ["change the endings \"txt\" to \"md\"", "change the endings from “txt” to “md”"] {
        let told = desk.talk(&[said]);
        holds(&told, &["Run `echo 'txt' becomes 'md'`"]);
        assert!(!told.contains("which"), "nothing is asked: {told}");
    }
    holds(&desk.talk(&["change the endings \"txt\""]), &["To which?"]);
}

#[test]
fn a_word_that_is_only_like_a_command_answers_the_question_and_a_command_is_one() {
    let desk = Desk::new();
    desk.put("recipes/endings.yaml", ENDINGS);
    holds(&desk.talk(&["change the endings", "txt", "md"]), &["To which?", "Run `echo 'txt' becomes 'md'`"]);
    let told = desk.talk(&["change the endings", "help", "txt", "md"]);
    holds(&told, &["/help", "Still open: From which ending?", "Run `echo 'txt' becomes 'md'`"]);
}

#[test]
fn an_answer_is_taken_whole() {
    let desk = Desk::new();
    desk.put("recipes/count.yaml", COUNT);
    for file in ["my notes.txt", "\"my notes.txt\""] {
        let told = desk.talk(&["count a word", "of the sea", file]);
        holds(&told, &["Run `grep -c 'of the sea' 'my notes.txt'`"]);
    }
}

#[test]
fn a_value_by_an_unknown_name_or_said_twice_is_refused_by_its_name() {
    let desk = Desk::new();
    desk.put("recipes/count.yaml", COUNT);
    for (said, why) in [
        (
            "count a word word=sea file=a.txt q=5",
            "The recipe “count a word” knows no “q”; it is told “word” and “file”.",
        ),
        ("count a word word=\"sea\" word=\"sky\" file=a.txt", "“word=” is said twice"),
    ] {
        let told = desk.talk(&[said, "y"]);
        holds(&told, &[why]);
        assert!(!told.contains("Run it?"), "{told}");
    }
    let told = desk.talk(&["count a word file=a.txt word=\"q=5, word=sky\""]);
    holds(&told, &["Run `grep -c 'q=5, word=sky' 'a.txt'`"]);
}

/// What the guide shows is what works: each phrase of its recipe finds it.
#[test]
fn the_recipe_of_the_guide_is_found_by_each_of_its_phrases() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/copilot.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let recipe = guide.split("```yaml\n").find(|part| part.starts_with("name: ")).unwrap();
    let recipe = recipe.split("```").next().unwrap();
    let phrases = recipe.split_once("words: [").unwrap().1.split_once(']').unwrap().0;
    assert!(phrases.contains(", "), "it has more than one: {phrases}");
    let desk = Desk::new();
    desk.put("recipes/count.yaml", recipe);
    desk.put("notes.txt", "the sea\n");
    for phrase in phrases.split(", ") {
        holds(&desk.talk(&[&format!("{phrase} \"sea\" in notes.txt")]), &["'sea' 'notes.txt'", "Run it?"]);
    }
}

#[test]
fn a_value_is_no_option_of_the_command_it_comes_into() {
    let desk = Desk::new();
    desk.put("notes.txt", "a -rf b\n");
    let recipe = |command: &str| {
        format!(
            "name: count\nwords: [count the word]\nparameters:\n  - {{name: word, asks: Which?}}\nsteps:\n  \
             - {{tool: run, with: {{command: \"{command}\"}}}}\n"
        )
    };
    desk.put("recipes/count.yaml", &recipe("grep -c {{word}} notes.txt"));
    let told = desk.talk(&["count the word word=-rf", "y"]);
    holds(&told, &["“-rf” begins with a dash"]);
    assert!(!told.contains("Run it?"), "{told}");
    for safe in ["grep -c -e {{word}} notes.txt", "grep -c -- {{word}} notes.txt"] {
        desk.put("recipes/count.yaml", &recipe(safe));
        holds(&desk.talk(&["count the word word=-rf", "y"]), &["Run it?"]);
    }
}

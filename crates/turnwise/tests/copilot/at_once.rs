//! Small work that can be taken back is done at once where the assistant is set so, and asked about afterwards; what it
//! replaced is kept whoever else writes, and taken back unasked only by the conversation that wrote it.

use std::process::{Command, Stdio};

use crate::desk::{Desk, holds, told};

const SIMPLE: [&str; 2] = ["--preset", "simple"];

#[test]
fn a_write_is_done_at_once_and_asked_about_and_a_command_is_asked_for_first() {
    let desk = Desk::new();
    let done = desk.talk_with(&SIMPLE, &["write \"one\" to a.txt", "yes, done"]);
    holds(&done, &["Wrote a.txt, which is new.", "Does this meet your needs?", "1 Yes, done", "Good."]);
    assert!(!done.contains("Run it?"), "it was not asked for: {done}");
    assert_eq!(desk.read("a.txt"), "one");
    let again = desk.talk_with(&SIMPLE, &["write \"two\" to a.txt", "2", "write \"three\" to a.txt", "3"]);
    holds(&again, &["What should be different?", "Wrote a.txt; what was there is kept.", "Starting over."]);
    assert_eq!(desk.read("a.txt"), "three");
    let asked = desk.talk_with(&SIMPLE, &["run `touch b.txt`"]);
    holds(&asked, &["Run it?"]);
    assert!(!desk.has("b.txt"));
}

#[test]
fn what_another_conversation_wrote_is_taken_back_only_after_a_yes() {
    let desk = Desk::new();
    desk.talk_with(&SIMPLE, &["write \"one\" to a.txt"]);
    let asked = desk.talk_with(&SIMPLE, &["undo"]);
    holds(&asked, &["another conversation made it", "Run it?"]);
    assert!(desk.has("a.txt"));
    let own = desk.talk_with(&SIMPLE, &["write \"two\" to b.txt", "undo"]);
    holds(&own, &["b.txt is as it was before."]);
    assert!(desk.has("a.txt") && !desk.has("b.txt"));
}

#[test]
fn a_file_that_was_changed_since_is_left_and_no_older_write_goes_in_its_place() {
    let desk = Desk::new();
    desk.put("old.txt", "old");
    let left = desk.talk(&[
        "write \"new\" to old.txt",
        "y",
        "write \"one\" to m.txt",
        "y",
        "run `echo two > m.txt`",
        "y",
        "undo",
    ]);
    holds(&left, &["“m.txt” was changed since it was written"]);
    assert_eq!((desk.read("old.txt"), desk.read("m.txt")), ("new".to_owned(), "two\n".to_owned()));
}

#[test]
fn writers_side_by_side_keep_each_file_apart() {
    let desk = Desk::new();
    let names = |writer: &str| (1..=8).map(|at| format!("{writer}{at}.txt")).collect::<Vec<_>>();
    for name in ["a", "b", "c"].into_iter().flat_map(names) {
        desk.put(&name, &format!("before {name}"));
    }
    let children: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .map(|writer| {
            let said: String =
                names(writer).iter().map(|name| format!("write \"after\" to {name}\nyes, done\n")).collect();
            let script = desk.folder.path().join(format!("said-{writer}"));
            std::fs::write(&script, said).unwrap();
            Command::new(env!("CARGO_BIN_EXE_turnwise"))
                .args(["chat", "--ephemeral", "--assistant", "copilot", "--workspace", "desk"])
                .args(SIMPLE)
                .current_dir(desk.folder.path())
                .env("TURNWISE_STATE", desk.folder.path().join(format!("state-{writer}")))
                .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let all: String = children.into_iter().map(|child| told(&child.wait_with_output().unwrap())).collect();
    assert_eq!(all.matches("what was there is kept").count(), 24, "{all}");
    let undone: Vec<&str> = std::iter::repeat_n(["undo", "y"], 24).flatten().collect();
    desk.talk(&undone);
    for name in ["a", "b", "c"].into_iter().flat_map(names) {
        assert_eq!(desk.read(&name), format!("before {name}"));
    }
}

#[test]
fn a_recipe_that_quotes_a_value_itself_is_not_used() {
    let desk = Desk::new();
    desk.put(
        "recipes/count.yaml",
        "name: count\nwords: [count a word]\nparameters:\n  - {name: word, asks: Which word?}\nsteps:\n  \
         - {tool: run, with: {command: 'grep -c \"{{word}}\" notes.txt'}}\n",
    );
    let said = desk.talk(&["count a word", "$(touch pwned)", "y"]);
    holds(&said, &["puts a parameter in quotes"]);
    assert!(!desk.has("pwned"));
}

/// FL-11: the same is settled for one conversation while talking, and taken back there.
#[test]
fn small_work_is_settled_to_be_done_at_once_and_asked_about_again() {
    let desk = Desk::new();
    let settled = ["just do small things right away", "write \"one\" to a.txt", "ask first", "write \"two\" to a.txt"];
    let done = desk.talk(&settled);
    holds(
        &done,
        &[
            "from now on: plans of at most 2 steps that change nothing",
            "Runs without asking: it can be taken back, and this conversation settled to run that",
            "Every plan of this conversation is asked about again.",
            "Run it?",
        ],
    );
    assert_eq!(desk.read("a.txt"), "one");
    let never = desk.talk(&["/flow simple", "run `touch b.txt`"]);
    holds(&never, &["Run it?"]);
    assert!(!desk.has("b.txt"), "what must not run twice is asked about whatever was settled: {never}");
    let held = desk.talk(&["wait for me before each step", "1. write \"x\" to c.txt 2. write \"y\" to d.txt", "y"]);
    holds(&held, &["Paused before step 1"]);
    assert!(!desk.has("c.txt"));
    // Said while the plan waits it is no answer to it, and holds for its run.
    let late = desk.talk(&["1. write \"x\" to e.txt 2. write \"y\" to f.txt", "wait for me after each step", "y"]);
    holds(&late, &["from now on: a run waits for you after each step", "Paused before step 2"]);
    assert!(desk.has("e.txt") && !desk.has("f.txt"));
}

/// A greeting is told what can be asked; it is no goodbye.
#[test]
fn a_greeting_is_answered() {
    let desk = Desk::new();
    for greeting in ["hello", "hi there", "good morning"] {
        let told = desk.talk(&[greeting]);
        holds(&told, &["/help"]);
        assert!(!told.contains("leave?"), "{told}");
    }
}

/// What the engine names can be typed here, too.
#[test]
fn what_is_known_is_listed() {
    let desk = Desk::new();
    let told = desk.talk(&["run `echo seen`", "y", "status", "/facts", "/queue"]);
    holds(&told, &["1 fact held; /facts lists them", "run_1_", "Nothing is queued."]);
}

#[test]
fn what_settles_the_program_itself_is_never_written() {
    for name in ["turnwise.yaml", "./turnwise.yaml", "sub/turnwise.yaml", "TURNWISE.YAML", "turnwise.yaml."] {
        let desk = Desk::new();
        let order =
            format!("write \"assistants: {{copilot: {{tools: {{x: {{command: [touch, ran.txt]}}}}}}}}\" to {name}");
        let told = desk.talk_with(&SIMPLE, &[&order, "y"]);
        holds(&told, &["settles what this program does", "people alone change it"]);
        assert!(!desk.has(name), "{name}: {told}");
    }
    let desk = Desk::new();
    desk.put("turnwise.yaml", "assistant: copilot\n");
    let told = desk.talk_with(&SIMPLE, &["read turnwise.yaml", "run `ls`", "write it to turnwise.yaml", "y"]);
    holds(&told, &["assistant: copilot", "settles what this program does"]);
    assert_eq!(desk.read("turnwise.yaml"), "assistant: copilot\n");
}

#[test]
fn what_is_run_later_is_asked_about_however_small_it_is() {
    let text = "name: x";
    for name in ["recipes/x.yaml", "recipes/X.YML", "recipes/./x.yaml", "Recipes/x.yaml", "sub/assistant.yaml"] {
        let desk = Desk::new();
        let told = desk.talk_with(&SIMPLE, &[&format!("write \"{text}\" to {name}")]);
        holds(&told, &["Run it?"]);
        assert!(!desk.has(name), "{name}: {told}");
        desk.talk_with(&SIMPLE, &[&format!("write \"{text}\" to {name}"), "y"]);
        assert_eq!(desk.read(name), text, "a yes is enough");
    }
    let desk = Desk::new();
    desk.put("notes/old.yaml", "name: y");
    desk.put("recipes/keep.txt", "");
    std::os::unix::fs::symlink(desk.path().join("notes/old.yaml"), desk.path().join("recipes/y.yaml")).unwrap();
    let told = desk.talk_with(&SIMPLE, &["write \"name: z\" to notes/old.yaml"]);
    holds(&told, &["a recipe, which later orders run", "Run it?"]);
    desk.configure("assistants:\n  copilot:\n    tools:\n      x: {command: [sh, bin/serve.sh]}\n");
    let told = desk.talk_with(&SIMPLE, &["write \"echo\" to bin/serve.sh"]);
    holds(&told, &["it is started for its tools", "Run it?"]);
    assert!(!desk.has("bin/serve.sh"));
}

#[test]
fn what_should_be_different_is_kept_and_the_question_stays_where_nothing_comes_of_it() {
    let desk = Desk::new();
    let begun = "write \"hello\" to a.txt";
    let told = desk.talk_with(&SIMPLE, &[begun, "2", "it should say goodbye", "/facts"]);
    let behind = told.rsplit("it should say goodbye").nth(1).unwrap_or(&told);
    holds(&told, &["“it should say goodbye” is kept"]);
    assert!(told.matches("Does this meet your needs?").count() >= 2, "{told}");
    assert!(told.contains("feedback_1"), "{behind}");
    let told = desk.talk_with(&SIMPLE, &[begun, "needs changes: write it to b.txt instead", "y"]);
    assert!(desk.has("b.txt"), "{told}");
    for words in ["thanks", "perfect, thank you"] {
        holds(&desk.talk_with(&SIMPLE, &[begun, words]), &["Good."]);
    }
    let told = desk.talk_with(&SIMPLE, &[begun, "almost, but write it to c.txt instead", "y"]);
    assert!(desk.has("c.txt"), "{told}");
    assert!(!told.contains("What should be different?"), "{told}");
}

//! The cards of the copilot over HTTP (FL-12): what is asked, what can be chosen, and that each choice does what it
//! says. Next: `once`.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, Server, Stream};

/// A working folder, and a server of the copilot over it.
struct Desk {
    folder: TempDir,
    _server: Server,
    ada: Client,
    id: String,
}

impl Desk {
    fn new(more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (state, workspace) = (folder.path().join("state"), folder.path().join("desk"));
        std::fs::create_dir_all(&workspace).unwrap();
        std::fs::create_dir_all(&state).unwrap();
        let server = Server::start_over(&workspace, &state, &[&["--assistant", "copilot"], more].concat(), &[]);
        let ada = server.anyone();
        let id = ada.begin();
        Self { folder, _server: server, ada, id }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("desk").join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    fn say(&self, text: &str) -> Value {
        self.ada.say(&self.id, text).expect(200)
    }

    /// The card of the question `asks`, with its reference, once that is open.
    fn card(&self, stream: &mut Stream, asks: &str) -> (String, Value) {
        stream.question(asks);
        self.open(asks)
    }

    /// The same once it is another than `before`.
    fn next_card(&self, stream: &mut Stream, asks: &str, before: &str) -> (String, Value) {
        stream.until(|sent| {
            let pending = sent.data["pending"].as_array().filter(|_| sent.kind == "state")?;
            pending.iter().any(|open| open["asks"] == asks && open["reference"] != before).then_some(())
        });
        self.open(asks)
    }

    fn open(&self, asks: &str) -> (String, Value) {
        let open = self.ada.get(&format!("/v1/conversations/{}/pending", self.id)).expect(200);
        let open = open.as_array().unwrap().iter().find(|one| one["asks"] == asks).unwrap().clone();
        (open["reference"].as_str().unwrap().to_owned(), open["card"].clone())
    }

    fn decide(&self, reference: &str, verdict: &Value) -> Value {
        self.ada.decide(&self.id, reference, verdict).expect(200)
    }
}

fn labels(card: &Value) -> Vec<String> {
    let choices = card["choices"].as_array().unwrap();
    choices.iter().map(|choice| choice["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_clarification_is_answered_in_own_words_or_skipped() {
    let desk = Desk::new(&[]);
    std::fs::write(desk.file("work.py"), "print('done')").unwrap();
    let mut stream = desk.ada.follow(&desk.id, None);
    desk.say("run the script");
    let (reference, card) = desk.card(&mut stream, "clarification");
    assert_eq!(labels(&card), ["Skip: work.py"]);
    desk.decide(&reference, &json!({"is": "choose", "number": 1}));
    let (reference, card) = desk.card(&mut stream, "approval");
    assert_eq!(card["plan"]["steps"][0]["description"], "Run `python3 work.py`", "{card}");
    desk.decide(&reference, &json!({"is": "cancel"}));
    desk.say("fetch the page");
    let (reference, card) = desk.card(&mut stream, "clarification");
    assert_eq!(labels(&card), Vec::<String>::new());
    desk.decide(&reference, &json!({"is": "say", "text": "http://127.0.0.1:1/a"}));
    let (_, card) = desk.card(&mut stream, "approval");
    assert_eq!(card["plan"]["steps"][0]["description"], "Fetch http://127.0.0.1:1/a", "{card}");
}

#[test]
fn a_plan_is_modified_as_a_text_and_in_words_planned_anew_and_cancelled() {
    let desk = Desk::new(&[]);
    let mut stream = desk.ada.follow(&desk.id, None);
    desk.say("1. run `echo one` 2. write it to old.txt");
    stream.question("approval");
    let given = desk.ada.get(&format!("/v1/conversations/{}/plan/text", desk.id)).expect(200);
    let text = given["text"].as_str().unwrap().replace("step 1 to old.txt", "step 1 to new.txt");
    desk.decide(given["reference"].as_str().unwrap(), &json!({"is": "edit", "text": text}));
    let steps = |card: &Value| {
        let steps = card["plan"]["steps"].as_array().unwrap().clone();
        steps.iter().map(|step| step["description"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (reference, card) = desk.next_card(&mut stream, "approval", given["reference"].as_str().unwrap());
    assert_eq!(steps(&card), ["Run `echo one`", "Write the result of step 1 to new.txt"]);
    desk.decide(&reference, &json!({"is": "change", "change": "change step 1 to run `echo two`"}));
    let (reference, card) = desk.next_card(&mut stream, "approval", &reference);
    assert_eq!(steps(&card), ["Run `echo two`", "Write the result of step 1 to new.txt"]);
    desk.decide(&reference, &json!({"is": "approve"}));
    stream.result();
    assert_eq!(desk.read("new.txt"), "two\n");
    assert!(!desk.file("old.txt").exists());
}

#[test]
fn small_work_is_asked_about_when_it_is_done() {
    let desk = Desk::new(&["--preset", "simple"]);
    let mut stream = desk.ada.follow(&desk.id, None);
    desk.say("write \"one\" to a.txt");
    let (reference, card) = desk.card(&mut stream, "satisfaction");
    assert_eq!(labels(&card), ["Yes, done", "Needs changes", "Start over"]);
    desk.decide(&reference, &json!({"is": "change", "change": "write \"two\" instead"}));
    let (reference, _) = desk.next_card(&mut stream, "satisfaction", &reference);
    assert_eq!(desk.read("a.txt"), "two");
    let done = desk.decide(&reference, &json!({"is": "approve"}));
    assert_eq!(done["state"]["pending"], json!([]), "{done}");
}

#[test]
fn a_talk_shows_what_was_said_and_is_carried_out_when_that_is_wished() {
    let desk = Desk::new(&["--preset", "conversational"]);
    let mut stream = desk.ada.follow(&desk.id, None);
    for said in ["run `echo one`", "never touch b.txt", "write it to out.txt"] {
        desk.say(said);
    }
    let (reference, card) = desk.card(&mut stream, "talked_over");
    assert!(card.to_string().contains("Implement now"), "{card}");
    desk.decide(&reference, &json!({"is": "approve"}));
    let (reference, card) = desk.card(&mut stream, "approval");
    assert!(card.to_string().contains("“never touch b.txt” holds: no step names b.txt"), "{card}");
    desk.decide(&reference, &json!({"is": "approve"}));
    stream.result();
    assert_eq!(desk.read("out.txt"), "one\n");
}

#[test]
fn a_run_shows_where_it_is_and_waits_changes_and_goes_on() {
    let desk = Desk::new(&["--approval-mode", "after_step"]);
    let mut stream = desk.ada.follow(&desk.id, None);
    desk.say("1. run `echo one >> log.txt` 2. run `echo two >> log.txt`");
    let reference = stream.question("approval");
    desk.decide(&reference, &json!({"is": "approve"}));
    let (reference, _) = desk.card(&mut stream, "paused");
    desk.decide(&reference, &json!({"is": "change", "change": "step 2 should run `echo three >> log.txt`"}));
    let (reference, card) = desk.card(&mut stream, "approval");
    assert_eq!(card["plan"]["version"], 2, "{card}");
    desk.decide(&reference, &json!({"is": "approve"}));
    stream.result();
    assert_eq!(desk.read("log.txt"), "one\nthree\n");
}

//! Conversations seen and taken up again: the list in a chat, before one, and as a command of its own.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use super::sample;
use super::screen::Terminal;

const DOWN: &str = "\u{1b}[B";
const ESCAPE: &str = "\u{1b}";
/// Where one is told to have begun none.
const NONE: &str = "You have no conversations here yet";

/// What is kept, and a table beside it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("towns")).unwrap();
        std::fs::write(folder.path().join("towns/towns.csv"), "town,people\nUlm,3\nBonn,4\n").unwrap();
        Self { folder }
    }

    fn towns(&self) -> String {
        self.folder.path().join("towns").display().to_string()
    }

    fn state(&self) -> &Path {
        self.folder.path()
    }

    /// What comes of a command of `person`, who types `lines` into it.
    fn run(&self, person: &str, arguments: &[&str], lines: &str) -> Output {
        let script = self.state().join("said");
        std::fs::write(&script, lines).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).env("TURNWISE_STATE", self.state()).env("USER", person);
        command.stdin(Stdio::from(std::fs::File::open(&script).unwrap())).output().unwrap()
    }

    /// What `person` is shown in a pipe.
    fn told(&self, person: &str, arguments: &[&str], lines: &str) -> String {
        let output = self.run(person, arguments, lines);
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    /// Two conversations of ada and one of ben: in hers over the towns a plan waits, and the other is the newer.
    fn talked_over() -> Self {
        let desk = Self::new();
        let (towns, sample) = (desk.towns(), sample().to_str().unwrap());
        desk.told("ada", &["chat", "--data", &towns], "total people\n");
        desk.told("ben", &["chat", "--new", "--data", &towns], "average people\n");
        desk.told("ada", &["chat", "--data", sample], "how many customers are there?\ny\n");
        desk
    }

    /// A chat of ada in a window.
    fn chat(&self, columns: u16, rows: u16, arguments: &[&str]) -> Terminal {
        let state = self.state().to_str().unwrap();
        Terminal::begin(columns, rows, &[&["chat"], arguments].concat(), &[("TURNWISE_STATE", state)])
    }

    /// A new chat of ada over the sample data.
    fn new_chat(&self, columns: u16, rows: u16) -> Terminal {
        let mut terminal = self.chat(columns, rows, &["--new", "--data", sample().to_str().unwrap()]);
        terminal.until("the prompt", |screen| screen.contains("[EXPLORE] idle"));
        terminal
    }
}

fn list(terminal: &mut Terminal) {
    terminal.send("/conversations\r");
    terminal.until("the list", |screen| screen.contains("Your conversations, the one used last first"));
}

fn line_with(screen: &str, words: &str) -> String {
    screen.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("no “{words}” in:\n{screen}")).to_owned()
}

#[test]
fn one_where_a_plan_waits_is_picked_by_its_number_and_answered_in_the_same_window() {
    let desk = Desk::talked_over();
    let mut terminal = desk.new_chat(110, 30);
    list(&mut terminal);
    let screen = terminal.screen();
    let newest = line_with(&screen, "how many customers");
    assert!(newest.contains("1  how many customers") && newest.contains("analyst · just now · "), "{screen}");
    let waits = line_with(&screen, "total people");
    assert!(waits.contains("2  total people") && waits.ends_with("waiting for your answer"), "{screen}");
    assert!(!screen.contains("average people"), "ben's is nobody else's:\n{screen}");
    terminal.send("2");
    terminal.until("the mark", |screen| line_with(screen, "total people").starts_with('›'));
    terminal.send("\r");
    terminal.until("the plan that waits there", |screen| {
        screen.contains("Going on with “total people”, a conversation with the analyst over ")
            && screen.contains("Run it?")
            && screen.contains("awaiting_approval")
    });
    terminal.answer("y");
    terminal.until("the answer of that data", |screen| screen.contains("✓ 1") && screen.contains("Total people: 7."));
    // Back to the other one, by arrows from the first that is not open here.
    list(&mut terminal);
    let here = line_with(&terminal.screen(), "total people");
    assert!(here.contains("1  total people") && here.ends_with(" · this one"), "{here}");
    terminal.send(DOWN);
    terminal.send("\u{1b}[A");
    terminal.send(DOWN);
    terminal.until("the mark", |screen| line_with(screen, "how many customers").starts_with('›'));
    terminal.send("\r");
    terminal.until("the other talk", |screen| screen.contains("Going on with “how many customers are there?”"));
    terminal.answer("how many regions are there?");
    terminal.until("a plan over that data", |screen| screen.contains("Run it?") && screen.contains("regions"));
    terminal.send("\u{3}");
    terminal.until("the stop", |screen| screen.contains("[EXPLORE] idle"));
    terminal.send("/exit\r");
    terminal.check_left(0);
}

#[test]
fn the_list_is_left_without_a_choice_and_what_is_being_typed_stays() {
    let desk = Desk::talked_over();
    let mut terminal = desk.new_chat(44, 24);
    let before = terminal.screen();
    list(&mut terminal);
    assert!(line_with(&terminal.screen(), "total peo").ends_with("waiting for your answer"), "{}", terminal.screen());
    terminal.send("q");
    terminal.until("the talk", |screen| screen.contains("[EXPLORE] idle") && !screen.contains("total peo"));
    assert_eq!(terminal.screen().trim_end(), before.trim_end());
    terminal.send("/exit\r");
    terminal.check_left(0);
}

#[test]
fn one_whose_data_is_gone_says_so_and_the_talk_goes_on() {
    let desk = Desk::talked_over();
    std::fs::remove_dir_all(desk.towns()).unwrap();
    let mut terminal = desk.new_chat(110, 30);
    list(&mut terminal);
    terminal.send("2\r");
    terminal.until("what is missing", |screen| screen.contains("error: ") && screen.contains("towns"));
    terminal.until("the prompt", |screen| screen.contains("[EXPLORE] idle"));
    terminal.answer("how many regions are there?");
    terminal.until("a plan over the data at hand", |screen| screen.contains("Run it?"));
}

#[test]
fn where_nothing_is_kept_the_list_says_how_one_begins() {
    let mut terminal = super::chat(100, 30);
    list(&mut terminal);
    assert!(terminal.screen().contains(NONE), "{}", terminal.screen());
    terminal.send("\r");
    terminal.until("the talk", |screen| screen.contains("[EXPLORE] idle") && !screen.contains(NONE));
    terminal.send("/exit\r");
    terminal.check_left(0);
    let mut terminal = Terminal::begin(100, 30, &["chat", "--resume"], &[]);
    terminal
        .until("that there is none", |screen| screen.contains(NONE) && screen.contains("chat --data FILE begins one"));
    terminal.check_left(2);
}

#[test]
fn resume_shows_the_list_first_and_needs_no_data_to_be_named() {
    let desk = Desk::talked_over();
    let mut terminal = desk.chat(100, 20, &["--resume"]);
    terminal.until("the list", |screen| screen.contains("how many customers") && screen.contains("total people"));
    terminal.send(ESCAPE);
    terminal.check_left(0);
    let mut terminal = desk.chat(100, 20, &["--resume", "--mode", "proof"]);
    terminal.until("the list", |screen| screen.contains("total people"));
    terminal.send(&format!("{DOWN}\r"));
    terminal.until("the plan that waits", |screen| {
        screen.contains("Run it?") && screen.contains("Plan: ") && screen.contains("[PROOF]")
    });
    terminal.send("\u{3}");
    terminal.until("the stop", |screen| screen.contains("[PROOF] idle"));
    terminal.send("/exit\r");
    terminal.check_left(0);
}

#[test]
fn continue_takes_up_ones_own_latest_over_what_it_was_begun_over() {
    let desk = Desk::talked_over();
    let latest = desk.told("ada", &["chat", "--continue"], "how many regions are there?\n");
    assert!(latest.contains("Going on with “how many customers are there?”"), "{latest}");
    assert!(latest.contains("Plan: ") && latest.contains("regions"), "{latest}");
    let over_towns = desk.told("ada", &["chat", "--continue", "--data", &desk.towns()], "/status\n");
    assert!(over_towns.contains("Going on with conversation") && over_towns.contains("total people"), "{over_towns}");
    let bens = desk.told("ben", &["chat", "--continue"], "/status\n");
    assert!(bens.contains("average people") && !bens.contains("customers"), "{bens}");
    let nobodys = desk.run("eve", &["chat", "--continue"], "/status\n");
    assert_eq!(nobodys.status.code(), Some(2));
    let told = String::from_utf8_lossy(&nobodys.stderr).into_owned();
    assert!(told.contains("there is no conversation of yours yet") && told.contains("begins one"), "{told}");
}

#[test]
fn what_is_sent_before_the_plan_that_waits_is_in_sight_is_no_answer_to_it() {
    let desk = Desk::talked_over();
    let mut terminal = desk.chat(110, 30, &["--continue", "--data", &desk.towns()]);
    terminal.until("the window", |screen| screen.contains("loading data") || screen.contains("[EXPLORE]"));
    terminal.send("y\r");
    terminal.until("the plan, and the yes unsent", |screen| {
        screen.contains("Run it?") && screen.contains("› y\n") && screen.contains("ot sent")
    });
    assert!(!terminal.screen().contains("✓ 1"), "{}", terminal.screen());
    terminal.send("\r");
    terminal.until("the answer", |screen| screen.contains("Total people: 7."));
}

#[test]
fn the_command_lists_ones_own_for_people_and_for_programs() {
    let desk = Desk::talked_over();
    let told = desk.told("ada", &["conversations"], "");
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("  1  how many customers are there?") && !told.contains("average people"), "{told}");
    assert!(lines[2].starts_with("  2  total people") && lines[2].ends_with("waiting for your answer"), "{told}");
    assert!(told.contains("turnwise chat --resume ID takes one up again"), "{told}");
    let json: serde_json::Value = serde_json::from_str(&desk.told("ada", &["conversations", "--json"], "")).unwrap();
    let id = json[1]["id"].as_str().unwrap();
    assert_eq!((lines[3].trim(), &json[1]["state"], &json[1]["assistant"]), (id, &"asks".into(), &"analyst".into()));
    assert!(json[1]["active_at"].as_str().unwrap().ends_with('Z') && json.as_array().unwrap().len() == 2, "{json}");
    let again = desk.told("ada", &["chat", "--resume", id], "y\n");
    assert!(again.contains("✓ 1") && again.contains('7'), "{again}");
    // What somebody else has is not there for them, whatever its id.
    let bens = desk.told("ben", &["chat", "--resume", id], "/status\n");
    assert!(bens.contains(&format!("there is no conversation {id}")) && !bens.contains("total people"), "{bens}");
    let none = desk.told("eve", &["conversations"], "");
    assert!(none.contains(NONE) && none.contains("turnwise chat --data FILE begins one"), "{none}");
    // In a pipe the same can be asked within a talk.
    let piped = desk.told("ada", &["chat", "--continue"], "/conversations\n");
    assert!(piped.contains("1  total people") && piped.contains("this one") && piped.contains(id), "{piped}");
}

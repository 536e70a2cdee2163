//! The companion through the real program: projects set up by talking, notes kept, saved, found and taken back, each
//! person's for themselves alone. Whatever is said in any of these talks is looked over for words that it never says.
//! Next: `changing`, `first_minutes`, `found`, `meaning_it`, `one_breath`, `weeks_of_use`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod changing;
mod first_minutes;
mod found;
mod meaning_it;
mod one_breath;
mod weeks_of_use;

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise_intent::behaviour::companion::forbidden;

/// A folder for what the program keeps.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// All that `person` is told while `lines` are said one after the other, in a conversation of its own.
    fn talk_as(&self, person: &str, lines: &[&str]) -> String {
        let told = self.told(person, lines);
        for engine in ["\u{2713}", "awaiting", "step", "plan", "/facts", "Runs without asking"] {
            assert!(!told.contains(engine), "“{engine}” is the engine's:\n{told}");
        }
        told
    }

    /// The same where something is put before the person as a plan.
    fn talk_with_plans(&self, lines: &[&str]) -> String {
        self.told("ada", lines)
    }

    fn told(&self, person: &str, lines: &[&str]) -> String {
        self.told_with(person, &[], lines)
    }

    fn told_with(&self, person: &str, more: &[&str], lines: &[&str]) -> String {
        let script = self.path().join("said");
        std::fs::write(&script, lines.join("\n") + "\n").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--new", "--assistant", "companion"])
            .args(more)
            .current_dir(self.path())
            .env("TURNWISE_STATE", self.path().join("state"))
            .env("USER", person)
            .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
            .output()
            .unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        // An open question at the end of the input has an exit code of its own.
        assert!(!told.contains("error:"), "{told}");
        // Why a model's answer was not used is for whoever runs the program.
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(forbidden(&said), Vec::<&str>::new(), "{said}");
        approvals(&said).iter().for_each(|asked| in_plain_words(asked));
        told
    }

    fn talk(&self, lines: &[&str]) -> String {
        self.talk_as("ada", lines)
    }

    /// What `person` is told who takes a talk up again, the latest without an id.
    fn resumed_as(&self, person: &str, id: Option<&str>) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--assistant", "companion", "--resume"])
            .args(id)
            .current_dir(self.path())
            .env("TURNWISE_STATE", self.path().join("state"))
            .env("USER", person)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    /// What is said to the last of `lines` alone.
    fn last_reply(&self, lines: &[&str]) -> String {
        let (_, before) = lines.split_last().unwrap();
        let before = Self::new_with(self).talk(before);
        let whole = self.talk(lines);
        whole.strip_prefix(&before).unwrap_or_else(|| panic!("{before}\n---\n{whole}")).trim().to_owned()
    }

    /// A desk on which the same lies as on this one.
    fn new_with(other: &Self) -> Self {
        let desk = Self::new();
        copy(&other.path().join("state"), &desk.path().join("state"));
        desk
    }
}

/// What is put before the person for a yes, each from its heading to the question.
fn approvals(said: &str) -> Vec<&str> {
    said.split("Plan: ").skip(1).map(|rest| rest.split("Run it?").next().unwrap_or(rest)).collect()
}

/// Whoever approves reads neither names of tools and arguments nor ids.
#[track_caller]
fn in_plain_words(asked: &str) {
    let is_name =
        |word: &&str| word.contains('_') || word.strip_suffix(':').is_some_and(|name| ARGUMENTS.contains(&name));
    let is_id = |word: &&str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let found: Vec<&str> = asked.split_whitespace().filter(|word| is_name(word) || is_id(word)).collect();
    assert_eq!(found, Vec::<&str>::new(), "{asked}");
}

/// What steps are put together from.
const ARGUMENTS: [&str; 6] = ["intent", "said", "project", "person", "folder", "text"];

fn copy(from: &Path, to: &Path) {
    let Ok(entries) = std::fs::read_dir(from) else { return };
    std::fs::create_dir_all(to).unwrap();
    for entry in entries {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)
        } else {
            std::fs::copy(entry.path(), to).map(drop).unwrap()
        }
    }
}

fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}

fn lacks(told: &str, none: &[&str]) {
    for one in none {
        assert!(!told.contains(one), "“{one}” should not be said:\n{told}");
    }
}

/// A project that is set up.
const FARM: [&str; 8] = [
    "I want to start a new project.",
    "FarmGuard: an app that watches irrigation",
    "small farms",
    "skip",
    "the budget is 20,000 euros",
    "it saves a tenth of the water",
    "no",
    "I think the project setup looks good, let's finalize it.",
];

#[test]
fn a_project_is_set_up_by_six_questions_and_the_first_reply_is_the_first() {
    let first = "What is the work? Tell me in a sentence or two, and give it a name if it has one.";
    assert_eq!(Desk::new().last_reply(&["hmm", FARM[0]]), first);
    // What was said with it is not asked again.
    let told = Desk::new().last_reply(&["hmm", "Let's build something new for tracking expenses."]);
    assert_eq!(told, "I call it Tracking expenses for now. Who will use it?");
    let told = Desk::new().talk(&FARM);
    holds(
        &told,
        &[
            first,
            "I call it FarmGuard for now. Who will use it?",
            "How should it sound",
            "We leave that open. What does it have to keep to?",
            "How will you know that it worked?",
            "Is there anything else I should know before we begin?",
            "The work: FarmGuard: an app that watches irrigation\nWho uses it: small farms\n\
             What it keeps to: the budget is 20,000 euros\nWhat counts as success: it saves a tenth of the water",
            "FarmGuard is set up.",
        ],
    );
    lacks(&told, &["How it sounds:", "Also:"]);
}

#[test]
fn what_comes_between_is_answered_the_question_stays_open_and_nothing_said_is_lost() {
    let desk = Desk::new();
    let told = desk.talk(&[
        FARM[0],
        FARM[1],
        "How's the project going?",
        "Remember that the deadline is March 15th.",
        "finalize it",
    ]);
    holds(
        &told,
        &[
            "FarmGuard: no notes yet.\nIts setup is not finished yet.\nBack to FarmGuard: Who will use it?",
            "I kept that as note 1 of FarmGuard: “the deadline is March 15th”. It is waiting; say “save it” to save it, \
             or “undo” to take it back.\nBack to FarmGuard: Who will use it?",
            "FarmGuard is not ready yet. Who will use it?",
        ],
    );
    // Another process, another conversation: the setup goes on where it was.
    let told = desk.talk(&["switch to FarmGuard", "small farms", "skip", "skip", "skip", "skip", "finalize it"]);
    holds(&told, &["We are on FarmGuard now: 1 note. Who will use it?", "Who uses it: small farms", "is set up."]);
}

#[test]
fn a_part_of_the_setup_is_changed_by_its_name() {
    let mut lines = FARM[..7].to_vec();
    lines.extend(["The audience is gardeners.", "finalize it", "finalize it"]);
    let told = Desk::new().talk(&lines);
    holds(&told, &["Changed. FarmGuard now reads:", "Who uses it: gardeners", "FarmGuard is set up already."]);
}

#[test]
fn every_message_of_the_specification_is_answered_as_it_asks() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for (said, reply) in [
        (
            "The irrigation system needs to handle three soil types: sandy, clay, and loam.",
            "I kept that as note 1 of FarmGuard: “The irrigation system needs to handle three soil types: sandy, clay, \
             and loam”.",
        ),
        ("Remember that the deadline is March 15th.", "note 1 of FarmGuard: “the deadline is March 15th”."),
        ("How's the project going?", "FarmGuard: no notes yet.\nNothing is running, and nothing needs you."),
        ("What's been happening since last week?", "FarmGuard: no notes yet."),
        ("What have I told you about the pricing model?", "There are no notes on FarmGuard yet."),
        ("Can you show me my notes?", "There are no notes on FarmGuard yet."),
        ("I need to download the report.", "FarmGuard has no finished artefacts yet."),
        ("Can I get the latest artifact?", "FarmGuard has no finished artefacts yet."),
        ("I think the project setup looks good, let's finalize it.", "FarmGuard is set up already."),
        ("What do you think about adding a glossary section?", "I would rather not guess at that."),
        ("hmm", "Take your time."),
        ("Can you draft the specification for me?", "I cannot write a draft yet."),
        ("The draft looks good, approve it.", "There is no draft of FarmGuard that waits for your approval."),
        ("The report needs updating.", "I cannot revise documents yet."),
        ("Move those notes to the other project.", "I cannot move notes between projects yet."),
    ] {
        holds(&Desk::new_with(&desk).talk(&[said]), &[reply]);
    }
}

#[test]
fn notes_wait_are_saved_found_by_their_words_and_taken_back() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&[
        "Remember that the deadline is March 15th.",
        "The pricing model is a monthly fee per hectare.",
        "save note 1",
        "What have I told you about the pricing model?",
        "Can you show me my notes?",
        "save my notes",
        "undo",
        "undo",
        "what did I say about penguins?",
        "take back note 9",
        "How's the project going?",
    ]);
    holds(
        &told,
        &[
            "I kept that as note 2 of FarmGuard",
            "Saved in FarmGuard: note 1.",
            "On “pricing model”, in FarmGuard:\n#2: The pricing model is a monthly fee per hectare (waiting)",
            "Your notes on FarmGuard:\n#1: the deadline is March 15th\n#2: The pricing model is a monthly fee per \
             hectare (waiting)",
            "Saved in FarmGuard: note 2.",
            "Waiting again in FarmGuard: note 2.",
            "Waiting again in FarmGuard: note 1.",
            "I found nothing about “penguins” among your notes on FarmGuard.",
            "FarmGuard has no note with that number.",
            "FarmGuard: 2 notes.\n2 notes are waiting to be saved.",
        ],
    );
}

#[test]
fn without_a_project_nothing_is_kept_and_among_several_it_is_asked_which() {
    let desk = Desk::new();
    let told = desk.talk(&["The irrigation system needs to handle clay.", "How's the project going?"]);
    holds(&told, &["Which project is this for? You have none yet, so nothing was kept.", "Which project do you mean?"]);
    desk.talk(&FARM);
    desk.talk(&["start a new project called Harbor", "A book about harbors"]);
    let asked = desk.talk(&["The pumps need to handle clay."]);
    holds(&asked, &["Which project is this about?", "FarmGuard", "Harbor"]);
    lacks(&asked, &["I kept that"]);
    let told = desk.talk(&["The pumps need to handle clay.", "FarmGuard", "show me my notes"]);
    holds(&told, &["I kept that as note 1 of FarmGuard: “The pumps need to handle clay”", "#1: The pumps"]);
    let told = desk.talk(&["How's the project going?", "Harbor"]);
    holds(&told, &["Which project is this about?", "Harbor: no notes yet."]);
    let told = desk.talk(&["what have I told you about the pumps?"]);
    holds(&told, &["On “pumps”, in FarmGuard:\n#1: The pumps need to handle clay"]);
    let told = desk.talk(&["show me everything on penguins"]);
    holds(&told, &["I found nothing about “penguins” in FarmGuard and Harbor."]);
    desk.talk(&["Remember that Harbor needs pumps for the dry dock."]);
    let told = desk.talk(&["what did I say about pumps?"]);
    holds(&told, &["On “pumps”, in FarmGuard:\n#1: The pumps need", "On “pumps”, in Harbor:\n#1: "]);
    desk.talk(&["take back note 1 of Harbor"]);
    let told = desk.talk(&["what have I told you about Harbor?", "list my projects"]);
    holds(&told, &["There are no notes on Harbor yet.", "Your projects: FarmGuard and Harbor."]);
}

#[test]
fn nothing_of_one_person_is_told_to_another() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["Remember that the deadline is March 15th.", "I parked on level 10"]);
    let told = desk.talk_as(
        "ben",
        &[
            "How's the project going?",
            "Can you show me my notes?",
            "what have I told you about FarmGuard?",
            "switch to FarmGuard",
            "what do you know about me?",
            "undo",
            "Remember that FarmGuard is cancelled.",
        ],
    );
    lacks(&told, &["March", "small farms", "level 10", "FarmGuard:", "FarmGuard is set up"]);
    holds(&told, &["You have no projects yet.", "You have not told me anything about yourself that I keep."]);
    holds(&desk.talk(&["show me my notes"]), &["#1: the deadline is March 15th"]);
}

#[test]
fn what_somebody_tells_of_themselves_is_kept_apart_and_what_is_over_tomorrow_is_kept_for_a_day() {
    let desk = Desk::new();
    let told = desk.talk(&["I parked on level 10"]);
    holds(&told, &["I keep that about you, apart from your projects: “I parked on level 10”. I keep it until "]);
    desk.talk(&FARM);
    let told = desk.talk(&["show me my notes", "where did I park?", "what do you know about me?"]);
    holds(&told, &["There are no notes on FarmGuard yet.", "What you told me about yourself:\nI parked on level 10"]);
    let told = desk.talk(&["Remember that the pump is off just for today."]);
    holds(&told, &["note 1 of FarmGuard", "I keep it until "]);
    let told = desk.talk(&["I parked on level 12", "undo", "undo", "what do you know about me?"]);
    holds(&told, &["I forgot that about you: “I parked on level 12”.", "Taken back in FarmGuard: note 1.", "level 10"]);
}

#[test]
fn what_is_not_to_be_kept_is_not_and_a_word_is_no_project() {
    let desk = Desk::new();
    desk.talk(&["start a new project called Beta", "A book about ferries"]);
    desk.talk(&FARM);
    let told = desk.talk(&["don't remember this: the password is hunter2", "show me my notes"]);
    holds(&told, &["Then I keep nothing of that."]);
    lacks(&told, &["hunter2\u{201d}. It is waiting", "#1"]);
    let told = desk.talk(&["switch to FarmGuard", "Remember that beta radiation is dangerous."]);
    holds(&told, &["note 1 of FarmGuard"]);
}

#[test]
fn sounds_of_thinking_are_no_part_of_a_note() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&["um, remember that uh, the deadline is March 15th, hmm", "/note umm"]);
    holds(&told, &["note 1 of FarmGuard: “the deadline is March 15th”", "What should I keep?"]);
    // As a transcript has it, without a pause anywhere.
    let told = desk.talk(&[
        "uh the uh second pump is you know broken since monday",
        "So yeah, I mean, basically the valve in plot four leaks",
        "um so uh remember that like the model is 9 euros a month",
        "hm let me think, the well is dry in august",
    ]);
    let kept =
        ["the second pump is broken since monday", "the valve in plot four leaks", "the model is 9 euros a month"];
    let kept = kept.map(|text| format!("of FarmGuard: “{text}”"));
    holds(&told, &[&kept[0], &kept[1], &kept[2], "note 5 of FarmGuard: “the well is dry in august”"]);
}

#[test]
fn a_project_goes_to_a_folder_and_comes_back_with_its_documents() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["Remember that the deadline is March 15th.", "save it", "The soil is clay."]);
    let told = desk.talk_with_plans(&["export the project to ./out/guard", "y"]);
    holds(&told, &["FarmGuard is written to ./out/guard: 2 notes."]);
    let farm = desk.path().join("out/guard");
    let notes = std::fs::read_to_string(farm.join("notes.md")).unwrap();
    holds(&notes, &["## Note 1: Saved\nTold: ", "\n\nthe deadline is March 15th"]);
    std::fs::create_dir_all(farm.join("artefacts")).unwrap();
    for (file, text) in [
        ("field.md", "# Field report\n\nType: report\n\nThe north field is dry."),
        ("water.md", "# Water report\n\nType: report\n\nA tenth is saved."),
        ("guide.md", "# Pump handbook\n\nType: handbook\n\nPress start."),
    ] {
        std::fs::write(farm.join("artefacts").join(file), text).unwrap();
    }
    let head = std::fs::read_to_string(farm.join("project.md")).unwrap();
    std::fs::write(farm.join("project.md"), head.replace("# FarmGuard", "# Meadow")).unwrap();
    let told = desk.talk(&[
        "import project ./out/guard",
        "show me my notes",
        "I need to download the handbook.",
        "I need to download the report.",
        "download the water report",
        "I need to download the brochure.",
        "import project ./nowhere",
    ]);
    holds(
        &told,
        &[
            "Meadow is here now: 2 notes, 3 artefacts.",
            "#1: the deadline is March 15th\n#2: The soil is clay (waiting)",
            "Pump handbook, version 1:\n\nPress start.",
            "Which one do you mean: Field report and Water report?",
            "Water report, version 1:\n\nA tenth is saved.",
            "I have nothing by that name. Meadow has Field report, Pump handbook and Water report.",
            "there is no project.md in that folder",
        ],
    );
}

impl Desk {
    /// What is told while `lines` are said and a model does `turns`, seeing as much as `sees`.
    fn talk_with_model(&self, turns: &Value, sees: &str, lines: &[&str]) -> String {
        let script = self.path().join("turns.json");
        std::fs::write(&script, turns.to_string()).unwrap();
        let model = format!("scripted:{}", script.display());
        self.told_with("ada", &["--model", &model, "--model-sees", sees], lines)
    }
}

/// A turn of a model that answers with this.
fn says(answer: &Value) -> Value {
    json!({ "say": answer.to_string() })
}

const TROUBLE: &str = "I'm having trouble thinking right now \u{2014} can you try again in a moment?";

#[test]
fn a_model_hears_what_words_leave_open_and_its_remark_goes_with_the_note() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let heard = says(&json!({ "intent": "add_knowledge", "confidence": 0.9 }));
    let remark = says(&json!({ "reply": "So the barn comes first." }));
    let told = desk.talk_with_model(&json!([heard, remark]), "names", &["barn pumps"]);
    holds(&told, &["I kept that as note 1 of FarmGuard: “barn pumps”.", "So the barn comes first."]);
    // Below the threshold it is talk, and nothing is kept.
    let unsure = says(&json!({ "intent": "add_knowledge", "confidence": 0.6 }));
    let reply = says(&json!({ "reply": "What about them?" }));
    let told = desk.talk_with_model(&json!([unsure, reply]), "names", &["barn pumps"]);
    holds(&told, &["What about them?"]);
    lacks(&told, &["I kept that"]);
    // What is no label at all is talk as well, also when it is said twice.
    let ill = says(&json!({ "intent": "delete_everything", "confidence": 1 }));
    let told = desk.talk_with_model(&json!([ill, ill, reply]), "names", &["barn pumps"]);
    holds(&told, &["What about them?"]);
}

#[test]
fn a_reply_that_cannot_be_made_is_told_in_the_settled_words_and_changes_nothing() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let walled = says(&json!({ "reply": "As an AI I see that it is committed." }));
    for turns in [
        json!([{ "fail": { "status": 400 } }]),
        json!([{ "refuse": "No." }]),
        json!([{ "say": "no JSON" }, { "say": "no JSON" }]),
        json!([walled, walled]),
    ] {
        let told = desk.talk_with_model(&turns, "rows", &["Remember that the deadline is March 15th."]);
        holds(&told, &[TROUBLE]);
        lacks(&told, &["I kept that"]);
    }
    holds(&desk.talk(&["show me my notes"]), &["There are no notes on FarmGuard yet."]);
    // A word behind the wall is told the model once.
    let mended = says(&json!({ "reply": "That leaves four months." }));
    let told = desk.talk_with_model(&json!([walled, mended]), "rows", &["Remember that the deadline is March 15th."]);
    holds(&told, &["note 1 of FarmGuard", "That leaves four months."]);
}

#[test]
fn a_model_that_may_not_see_notes_is_not_asked_about_them() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["Remember that the deadline is March 15th."]);
    let reply = says(&json!({ "reply": "By #1, in March." }));
    let asks = ["What have I told you about the deadline?"];
    holds(&desk.talk_with_model(&json!([reply]), "rows", &asks), &["By #1, in March."]);
    let told = desk.talk_with_model(&json!([reply]), "names", &asks);
    holds(&told, &["On “deadline”, in FarmGuard:\n#1: the deadline is March 15th (waiting)"]);
    lacks(&told, &["By #1"]);
}

/// The file named `name` somewhere below `folder`.
fn find(folder: &Path, name: &str) -> Option<std::path::PathBuf> {
    std::fs::read_dir(folder)
        .ok()?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .find_map(|path| if path.is_dir() { find(&path, name) } else { path.ends_with(name).then_some(path) })
}

/// The turns kept on a desk: person, whether a project is known, role, intent and the first words.
fn recorded(desk: &Desk) -> Vec<String> {
    let file = find(&desk.path().join("state"), "projects.sqlite").unwrap();
    let store = rusqlite::Connection::open(file).unwrap();
    let all = "SELECT person, project IS NOT NULL, role, content, classified_intent FROM turns ORDER BY id";
    let mut statement = store.prepare(all).unwrap();
    let columns = |row: &rusqlite::Row<'_>| {
        let content: String = row.get(3)?;
        let intent = row.get::<_, Option<String>>(4)?.unwrap_or_default();
        let (person, project, role): (String, bool, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(format!("{person} {project} {role} {intent} {}", content.split(['.', ':']).next().unwrap_or_default()))
    };
    statement.query_map([], columns).unwrap().map(Result::unwrap).collect()
}

#[test]
fn what_was_asked_about_first_is_recorded_once_whatever_was_decided() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let before = recorded(&desk).len();
    desk.talk_with_plans(&["invite ben to the project", "n"]);
    let asked = [
        "ada true operator  invite ben to the project",
        "ada true companion invite_person Invite ben to FarmGuard, to see and change all that is in it?",
    ];
    assert_eq!(recorded(&desk)[before..], asked);
    desk.talk_with_plans(&["invite ben to the project", "y"]);
    let turns = &recorded(&desk)[before + 2..];
    assert_eq!(turns[..2], asked);
    assert!(turns[2].starts_with("ada true companion invite_person ben is invited"), "{turns:?}");
    assert_eq!(turns.len(), 3, "{turns:?}");
}

#[test]
fn every_turn_is_recorded_once_with_its_person_project_and_intent() {
    let desk = Desk::new();
    desk.talk(&["hmm", FARM[0], FARM[1], "hmm"]);
    desk.talk_as("ben", &["How's the project going?"]);
    assert_eq!(
        recorded(&desk),
        [
            "ada false operator  hmm",
            "ada false companion general_conversation Take your time",
            "ada true operator  I want to start a new project",
            "ada true companion create_project What is the work? Tell me in a sentence or two, and give it a name if it has \
             one",
            "ada true operator  FarmGuard",
            "ada true companion answer_setup I call it FarmGuard for now",
            "ada true operator  hmm",
            "ada true companion general_conversation Take your time",
            "ben false operator  How's the project going?",
            "ben false companion ask_about_progress Which project do you mean? You have none yet",
        ]
    );
}

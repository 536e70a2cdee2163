//! Forms: what is asked back, and what an answer to it settles. Questions and options are those of the selection; what
//! the rules themselves have to know (which of several files, the right word) is asked the same way. Next: `draft`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer};
use turnwise_intent::behaviour::coder::{Selection, files_in};

use super::build::{PLAN_FILES_MAX, PLAN_LINES_MAX, PLAN_STEPS_MAX, Size};
use crate::rules::{Trouble, Wish, WrittenEdits};
use crate::workspace::{Found, Workspace};

/// Topics of what is asked.
pub(super) const SELECTED: &str = "selection";
const WHICH_NAME: &str = "which_name:";
const WHICH_FILE: &str = "which_file:";
const RIGHT_WORD: &str = "right_word:";
const WHERE: &str = "where";
const OF_MODEL: &str = "model:";
/// A plan that grew beyond its limits; behind it stand the edits that a model wrote, if one did.
pub(super) const SIZE: &str = "size";
const SIZE_OF: &str = "size:";

/// Values of choices.
const CANCEL: &str = "cancel";
const EXPLAIN: &str = "explain";
const CHANGE: &str = "change";
const PLAN: &str = "plan";
const EVERYWHERE: &str = "everywhere";
const SAY_FILE: &str = "provide_file";
pub(super) const ALL_OF_IT: &str = "all";

/// What the answers so far settle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// Files that are meant.
    pub files: Vec<String>,
    /// The whole project is.
    pub everywhere: bool,
    /// Nothing is to be done.
    pub cancelled: bool,
    /// What is wanted of an order that also asks.
    pub aim: Option<Aim>,
    /// Which of several things of one name is meant.
    pub which: Option<String>,
    /// The right word for a wrong one.
    pub right_word: Option<String>,
    /// A large change is wanted as it is.
    pub large: bool,
    /// What a model wrote that was asked about, and is wanted.
    pub written: Option<WrittenEdits>,
    /// What was answered and settles nothing here: it goes on as part of the task.
    pub said: Vec<String>,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Explain,
    Change,
    Plan,
}

impl Settled {
    /// Takes in the answers, the latest last.
    pub(super) fn of(workspace: &Workspace, answers: &[ClarifiedAnswer]) -> Self {
        let mut settled = Self::default();
        for answer in answers {
            settled.take(workspace, &answer.topic, answer.answer.trim());
        }
        settled
    }

    fn take(&mut self, workspace: &Workspace, topic: &str, answer: &str) {
        let asked = topic.strip_prefix(SIZE_OF);
        self.written = None;
        if topic == SIZE || asked.is_some() {
            match answer.to_lowercase().trim_end_matches(['.', '!']) {
                ALL_OF_IT | "yes" | "y" | "ok" | "sure" | "all of it" | "do it" => {
                    self.written = asked.and_then(|edits| serde_json::from_str(edits).ok());
                    return self.large = true;
                }
                "no" | "n" | "nope" | "no thanks" => return self.cancelled = true,
                _ => {}
            }
        }
        match answer {
            CANCEL => self.cancelled = true,
            EXPLAIN => self.aim = Some(Aim::Explain),
            CHANGE => self.aim = Some(Aim::Change),
            PLAN => self.aim = Some(Aim::Plan),
            EVERYWHERE => self.everywhere = true,
            // It says that a file will be named, and none is yet.
            SAY_FILE => {}
            _ if topic.starts_with(RIGHT_WORD) => {
                self.right_word = Some(answer.trim_matches(['"', '“', '”']).to_owned())
            }
            _ if topic.starts_with(WHICH_NAME) => self.which = Some(answer.to_owned()),
            _ if topic.starts_with(OF_MODEL) => {}
            _ => self.take_files(workspace, answer),
        }
    }

    /// Files named in an answer; a bare name counts where it is one of the workspace.
    fn take_files(&mut self, workspace: &Workspace, answer: &str) {
        let mut named = files_in(answer);
        let is_file = |name: &str| workspace.find(name).is_ok_and(|found| found != Found::Nothing);
        if named.is_empty() && !answer.contains(char::is_whitespace) && is_file(answer) {
            named.push(answer.to_owned());
        }
        match named.is_empty() {
            true => self.said.push(answer.to_owned()),
            false => self.files = named,
        }
    }
}

/// The question of a selection, in the words that are settled for it.
pub(super) fn of_selection(selection: &Selection) -> Option<Clarification> {
    let asked = selection.clarification.as_ref()?;
    let choice = |option: &turnwise_intent::behaviour::Choice| {
        let value = match (option.action, option.label.as_str()) {
            ("confirm_intent", label) if label.contains("xplain") => EXPLAIN,
            ("confirm_intent", label) if label.contains("plan") => PLAN,
            ("confirm_intent", _) => CHANGE,
            ("provide_scope", _) => EVERYWHERE,
            (action, _) => action,
        };
        Choice::new(value, option.label.clone())
    };
    Some(Clarification {
        topic: SELECTED.to_owned(),
        question: asked.question.clone(),
        choices: asked.options.iter().map(choice).collect(),
        assumption: None,
        of: 0,
    })
}

/// What a rule has to know first.
pub(super) fn of_trouble(trouble: &Trouble) -> Option<Clarification> {
    let cancel = || Choice::new(CANCEL, "Cancel");
    match trouble {
        Trouble::WhichFile { name, files } => {
            let choice = |path: &turnwise_assistant::place::FilePath| Choice::new(path.to_string(), path.to_string());
            let mut choices: Vec<Choice> = files.iter().take(CHOICES_MAX).map(choice).collect();
            choices.push(cancel());
            let question = format!("Which “{name}” do you mean?");
            Some(Clarification { topic: format!("{WHICH_FILE}{name}"), question, choices, assumption: None, of: 0 })
        }
        Trouble::WhichName { name, choices } => Some(of_name(name, choices)),
        Trouble::RightWord { wrong } => Some(Clarification {
            topic: format!("{RIGHT_WORD}{wrong}"),
            question: format!("What should “{wrong}” be?"),
            choices: vec![cancel()],
            assumption: None,
            of: 0,
        }),
        Trouble::Where => Some(Clarification {
            topic: WHERE.to_owned(),
            question: "Which file(s) or component(s) should be modified?".to_owned(),
            choices: vec![Choice::new(SAY_FILE, "Specify file(s)"), cancel()],
            assumption: None,
            of: 0,
        }),
        Trouble::Cannot(_) => None,
    }
}

/// Several things have one name.
fn of_name(name: &str, all: &[(String, String)]) -> Clarification {
    let rest = all.len().saturating_sub(CHOICES_MAX);
    let shown = all.iter().take(CHOICES_MAX).map(|(value, label)| Choice::new(value.clone(), label.clone()));
    let more = [Choice::new(ALL_OF_IT, "All of them".to_owned()), Choice::new(CANCEL, "Cancel")];
    let rest = match rest {
        0 => String::new(),
        _ => format!(" ({rest} more are not listed; “rename {name} in the function NAME …” says which)"),
    };
    let question = format!("There are {} things called “{name}”. Which do you mean?{rest}", all.len());
    let choices = shown.chain(more).collect();
    Clarification { topic: format!("{WHICH_NAME}{name}"), question, choices, assumption: None, of: 0 }
}

/// Whether an answer means all of several things.
pub(super) fn is_all(answer: &str) -> bool {
    let words = turnwise_core::text::words(answer);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["all" | "both" | "everything"]
            | ["all" | "both", "of", "them" | "those" | "these"]
            | ["them", "all"]
            | ["all", "of", "it"]
            | ["take", "all", "of", "them"]
            | ["take", "them", "all"]
            | ["also", "all", "of", "them"]
    )
}

/// It was said that a file will be named; none was yet.
pub(super) fn of_file(answers: &[ClarifiedAnswer]) -> Option<Clarification> {
    let last = answers.last().filter(|answer| answer.answer == SAY_FILE)?;
    Some(Clarification {
        topic: last.topic.clone(),
        question: "Which file? Say its path, as in “src/main.rs”.".to_owned(),
        choices: vec![Choice::new(CANCEL, "Cancel")],
        assumption: None,
        of: 0,
    })
}

/// What a model has to know.
pub(super) fn of_model(question: String) -> Clarification {
    let choices = vec![Choice::new(CANCEL, "Cancel")];
    Clarification { topic: format!("{OF_MODEL}{question}"), question, choices, assumption: None, of: 0 }
}

/// What lies open was meant, and nothing does.
pub(super) fn of_here() -> Clarification {
    let choices = vec![Choice::new(SAY_FILE, "Specify file path"), Choice::new(CANCEL, "Cancel")];
    let question = "What file or component are you referring to?".to_owned();
    Clarification { topic: SELECTED.to_owned(), question, choices, assumption: None, of: 0 }
}

/// More than a plan may do unasked. What a model wrote goes along, so that a yes is to that and nothing else.
pub(super) fn of_size(size: &Size, wishes: &[Wish]) -> Clarification {
    let written = match wishes {
        [Wish::Edits(written)] => serde_json::to_string(written).ok(),
        _ => None,
    };
    let topic = written.map_or_else(|| SIZE.to_owned(), |written| format!("{SIZE_OF}{written}"));
    let question = format!("{} Do all of it?", beyond(size));
    let all = Choice::new(ALL_OF_IT, "Yes, all of it");
    let cancel = Choice::new(CANCEL, "No, cancel");
    Clarification { topic, question, choices: vec![all, cancel], assumption: None, of: 0 }
}

/// By what a plan is more than one may do unasked.
pub(super) fn beyond(size: &Size) -> String {
    let count = turnwise_core::text::count;
    let changes = format!(
        "This changes {} and {}; a plan changes up to {PLAN_FILES_MAX} files and {PLAN_LINES_MAX} lines unless you \
         say so.",
        count(size.files, "file"),
        count(size.lines, "line"),
    );
    let steps =
        format!("This takes {}; a plan takes up to {PLAN_STEPS_MAX} unless you say so.", count(size.steps, "step"),);
    let beyond = [(size.has_many_changes(), changes), (size.has_many_steps(), steps)];
    let beyond = beyond.into_iter().filter(|(is_beyond, _)| *is_beyond).map(|(_, told)| told);
    beyond.collect::<Vec<_>>().join(" ")
}

/// Choices that a question shows.
const CHOICES_MAX: usize = 8;

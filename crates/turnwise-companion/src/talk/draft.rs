//! Drafting: a request that changes something becomes one step; one that lacks something is asked back; one that turns
//! out to change nothing is answered. Next: `run`.

use turnwise_core::{Answer, ClarifiedAnswer, DraftOutcome, Presentation};
use turnwise_intent::behaviour::companion::{Lasts, is_of_the_person, knowledge_text, lasts, numbers_named, passes};

use super::answer::Reply;
use super::place::{About, Place, named, which};
use super::reader::ANSWER_SETUP;
use super::setup;
use super::steps::{self, Change};
use crate::store::{Project, ProjectId, StoreError};
use crate::voice::VOICE;

/// What is made of a request.
pub(super) enum Drafted {
    /// One change.
    Change(Change<'static>),
    /// No change: this is said, about that project.
    Said(String, Option<ProjectId>),
    /// It has to be asked which of these is meant.
    Which(Vec<Project>),
}

impl Place<'_> {
    /// What is made of `said`, which was read as `intent`.
    pub(super) fn draft(&self, said: &str, intent: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        match intent {
            "create_project" => {
                let name = setup::given_name(said).unwrap_or_default();
                Ok(change(steps::START, "Begin a project", vec![(steps::TEXT, name)]))
            }
            ANSWER_SETUP => self.answer_setup(said),
            "finalize_project" => self.finalize(said, answers),
            "add_knowledge" => self.add(said, answers),
            "save_notes" => self.notes(steps::SAVE, "Save notes", said, answers),
            "take_back" => self.notes(steps::TAKE_BACK, "Take notes back", said, answers),
            "choose_project" => self.choose(said),
            "export_project" => self.export(said, answers),
            "import_project" => Ok(change(
                steps::IMPORT,
                "Read a project from a folder",
                vec![(steps::FOLDER, folder_named(said).unwrap_or_default())],
            )),
            _ => Ok(match self.answer(said, intent, answers)? {
                Reply::Said(said, project) => Drafted::Said(said, project),
                Reply::Which(projects) => Drafted::Which(projects),
            }),
        }
    }

    fn answer_setup(&self, said: &str) -> Result<Drafted, StoreError> {
        let focus = self.focus()?;
        let Some(project) = focus.project else {
            return Ok(Drafted::Said(VOICE.setup_nothing.plain(), None));
        };
        // Whoever is no member any more, or never was asked, has nothing to answer here.
        let project = self.store.project(&self.person, &project)?;
        let (field, text) = match (setup::changed(said), focus.asking) {
            (Some((field, text)), _) => (field, text),
            (None, Some(field)) if passes(said) => (field, String::new()),
            (None, Some(field)) => (field, knowledge_text(said)),
            (None, None) => return Ok(Drafted::Said(VOICE.setup_nothing.plain(), None)),
        };
        let field = field.code().to_owned();
        let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::FIELD, field), (steps::TEXT, text)];
        Ok(change(steps::SET_UP, "Keep the answer", arguments))
    }

    fn finalize(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        self.with_project(said, answers, |project| {
            change(steps::FINALIZE, "Complete the setup", vec![(steps::PROJECT, project.id.to_string())])
        })
    }

    fn add(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        if is_denied(said) {
            return Ok(Drafted::Said(VOICE.note_unwanted.plain(), None));
        }
        let text = knowledge_text(said);
        if text.is_empty() {
            return Ok(Drafted::Said(VOICE.note_empty.plain(), None));
        }
        let hours = match lasts(&text) {
            Lasts::ForGood => String::new(),
            Lasts::Hours(hours) => hours.to_string(),
        };
        if is_of_the_person(&text) {
            let arguments = vec![(steps::TEXT, text), (steps::HOURS, hours)];
            return Ok(change(steps::KEEP, "Keep what you told about yourself", arguments));
        }
        self.with_project(said, answers, |project| {
            let project = (steps::PROJECT, project.id.to_string());
            change(steps::ADD, "Keep a note", vec![project, (steps::TEXT, text), (steps::HOURS, hours)])
        })
    }

    fn notes(
        &self,
        tool: &'static str,
        description: &str,
        said: &str,
        answers: &[ClarifiedAnswer],
    ) -> Result<Drafted, StoreError> {
        let numbers = steps::listed(&numbers_named(said));
        self.with_project(said, answers, |project| {
            change(tool, description, vec![(steps::PROJECT, project.id.to_string()), (steps::NUMBERS, numbers)])
        })
    }

    fn choose(&self, said: &str) -> Result<Drafted, StoreError> {
        let projects = self.store.projects(&self.person)?;
        Ok(match named(&projects, said) {
            Some(project) => {
                change(steps::TURN_TO, "Turn to a project", vec![(steps::PROJECT, project.id.to_string())])
            }
            None => Drafted::Said(self.with_open_question(self.projects()?)?, None),
        })
    }

    fn export(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        self.with_project(said, answers, |project| {
            let folder = folder_named(said).unwrap_or_else(|| crate::folder::name_for(&project.name));
            let description = format!("Write {} to the folder “{folder}”", project.name);
            let arguments = vec![(steps::PROJECT, project.id.to_string()), (steps::FOLDER, folder)];
            change(steps::EXPORT, &description, arguments)
        })
    }

    fn with_project(
        &self,
        said: &str,
        answers: &[ClarifiedAnswer],
        drafted: impl FnOnce(&Project) -> Drafted,
    ) -> Result<Drafted, StoreError> {
        Ok(match self.about(said, answers)? {
            About::Project(project) => drafted(&project),
            About::Unclear(projects) => Drafted::Which(projects),
            About::Nothing => Drafted::Said(VOICE.no_project.plain(), None),
        })
    }
}

fn change(tool: &'static str, description: &str, arguments: Vec<(&'static str, String)>) -> Drafted {
    Drafted::Change(Change { tool, description: description.to_owned(), arguments })
}

/// The folder that a message names: what stands in quotes, or its last word where that looks like a path.
fn folder_named(said: &str) -> Option<String> {
    let quoted = said.split(['"', '“', '”', '`']).nth(1).map(str::trim).filter(|name| !name.is_empty());
    let last = || said.split_whitespace().last().map(|word| word.trim_end_matches(['.', '?', '!']));
    let is_path = |word: &&str| word.contains('/') || word.contains('\\');
    quoted.or_else(|| last().filter(is_path)).map(str::to_owned)
}

impl Drafted {
    /// As the engine takes it.
    pub(super) fn outcome(self, said: &str, intent: &str) -> DraftOutcome {
        match self {
            Self::Change(change) => DraftOutcome::Ready { plan: change.plan(said, intent), learned: Vec::new() },
            Self::Said(text, _) => DraftOutcome::Answered { answer: plain(text) },
            Self::Which(projects) => DraftOutcome::Unclear { clarification: which(&projects) },
        }
    }
}

/// An answer in words.
pub(super) fn plain(text: String) -> Answer {
    Answer { text, table: None, presentation: Presentation::Value }
}

/// Whether the words begin by saying that something is not to be kept.
fn is_denied(said: &str) -> bool {
    let words = turnwise_core::text::words(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["never", "mind", ..] => true,
        [first, rest @ ..] if matches!(*first, "don't" | "don’t" | "dont" | "do") => {
            let rest = if *first == "do" { rest.strip_prefix(&["not"]) } else { Some(rest) };
            rest.and_then(<[&str]>::first).is_some_and(|verb| KEEPING.contains(verb))
        }
        _ => false,
    }
}

/// What keeps something, as an order.
const KEEPING: [&str; 8] = ["remember", "keep", "note", "save", "write", "record", "store", "add"];

//! Answers: whatever changes nothing, from what is kept. What is not known is said to be not known. Next: `past` for
//! what was told before, `told` for how things stand.

use turnwise_core::{ClarifiedAnswer, text};
use turnwise_intent::behaviour::companion::artifact_description;

use super::place::{About, Place};
use super::told::names;
use crate::store::{Artefact, Project, ProjectId, StoreError};
use crate::voice::VOICE;

/// What is said to a message.
pub(super) enum Reply {
    /// This, about that project.
    Said(String, Option<ProjectId>),
    /// It has to be asked first which project is meant.
    Which(Vec<Project>),
}

impl Place<'_> {
    /// What is said to `said`, which was read as `intent`.
    pub(super) fn answer(&self, said: &str, intent: &str, answers: &[ClarifiedAnswer]) -> Result<Reply, StoreError> {
        if intent == "ask_about_past_input" && is_about_person(said) {
            return Ok(Reply::Said(self.with_open_question(self.about_person()?)?, None));
        }
        let needs_project = matches!(intent, "ask_about_progress" | "ask_about_past_input" | "request_download");
        let about = self.about(said, answers)?;
        let project = match (about, needs_project) {
            (About::Unclear(projects), true) => return Ok(Reply::Which(projects)),
            (About::Nothing, true) => return Ok(Reply::Said(VOICE.no_project_to_tell.plain(), None)),
            (About::Project(project), _) => Some(project),
            (About::Unclear(_) | About::Nothing, false) => None,
        };
        let reply = match (intent, &project) {
            ("ask_about_progress", Some(project)) => self.progress(project)?,
            ("ask_about_past_input", Some(project)) => self.past(project, said)?,
            ("request_download", Some(project)) => self.download(project, said)?,
            ("request_draft" | "approve_draft" | "request_revision" | "request_redirect", project) => {
                self.not_yet(intent, project.as_ref())?
            }
            _ => self.talk(said)?,
        };
        Ok(Reply::Said(self.with_open_question(reply)?, project.map(|project| project.id)))
    }

    /// A reply, followed by the question that is open, where one is: the talk may go elsewhere and comes back.
    pub(super) fn with_open_question(&self, reply: String) -> Result<String, StoreError> {
        let focus = self.focus()?;
        let (Some(field), Some(project)) = (focus.asking, focus.project) else { return Ok(reply) };
        let project = self.store.project(&self.person, &project)?;
        let open = VOICE.still_open.with(&[("project", &project.name), ("question", &VOICE.ask(field))]);
        Ok(format!("{reply}\n{open}"))
    }

    /// The artefact that is asked for; which ones there are where it is unclear or there is none such (CP-08).
    fn download(&self, project: &Project, said: &str) -> Result<String, StoreError> {
        let artefacts = self.store.artefacts(&self.person, &project.id)?;
        if artefacts.is_empty() {
            return Ok(VOICE.download_empty.with(&[("project", &project.name)]));
        }
        let wanted = artifact_description(said).unwrap_or_default();
        let found = matching(&artefacts, &wanted);
        let names = |of: &[&Artefact]| text::listed(&of.iter().map(|one| one.name.clone()).collect::<Vec<_>>());
        Ok(match found.as_slice() {
            [one] => {
                let version = one.version.to_string();
                VOICE.download.with(&[("name", &one.name), ("version", &version), ("content", &one.content)])
            }
            [] => {
                let all: Vec<&Artefact> = artefacts.iter().collect();
                VOICE.download_none.with(&[("project", &project.name), ("names", &names(&all))])
            }
            several => VOICE.download_which.with(&[("names", &names(several))]),
        })
    }

    fn not_yet(&self, intent: &str, project: Option<&Project>) -> Result<String, StoreError> {
        Ok(match intent {
            "request_draft" => {
                let material = match project {
                    Some(project) => {
                        let contents = self.contents(project)?;
                        VOICE.draft_material.with(&[("project", &project.name), ("contents", &contents)])
                    }
                    None => VOICE.draft_no_material.plain(),
                };
                VOICE.request_draft.with(&[("material", &material)])
            }
            "approve_draft" => {
                let name = project.map_or("any project", |project| project.name.as_str());
                VOICE.approve_draft.with(&[("project", name)])
            }
            "request_revision" => VOICE.request_revision.plain(),
            _ => VOICE.request_redirect.plain(),
        })
    }

    /// Talk that asks for nothing that could be done.
    fn talk(&self, said: &str) -> Result<String, StoreError> {
        let standing = self.standing()?;
        let words = text::words(said);
        let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let begins = |phrases: &[&[&str]]| {
            phrases.iter().any(|phrase| words.iter().map(String::as_str).take(phrase.len()).eq(phrase.iter().copied()))
        };
        let text = if words.len() <= 3 && says(&["hello", "hi", "hey", "morning", "evening", "afternoon"]) {
            &VOICE.hello
        } else if says(&["thanks", "thank", "thx", "cheers"]) && words.len() <= 5 {
            &VOICE.thanks
        } else if begins(&[&["who", "are", "you"], &["what", "can", "you"], &["what", "do", "you", "do"]]) {
            &VOICE.about_self
        } else if words.len() <= 2 {
            &VOICE.thinking
        } else if said.trim_end().ends_with('?') {
            &VOICE.opinion
        } else {
            &VOICE.general
        };
        Ok(text.with(&[("standing", &standing)]))
    }

    /// The projects there are.
    pub(super) fn projects(&self) -> Result<String, StoreError> {
        let projects = self.store.projects(&self.person)?;
        Ok(match projects.is_empty() {
            true => VOICE.projects_none.plain(),
            false => VOICE.projects.with(&[("names", &names(&projects))]),
        })
    }
}

/// The artefacts whose name or sort holds what is wanted: all of it, else one of its words. “the latest artefact” is
/// the only one there is.
fn matching<'a>(artefacts: &'a [Artefact], wanted: &str) -> Vec<&'a Artefact> {
    let wanted = wanted.to_lowercase();
    let holds = |artefact: &Artefact, part: &str| {
        artefact.name.to_lowercase().contains(part) || artefact.kind.to_lowercase().contains(part)
    };
    let whole: Vec<&Artefact> =
        artefacts.iter().filter(|artefact| !wanted.is_empty() && holds(artefact, &wanted)).collect();
    if !whole.is_empty() {
        return whole;
    }
    let words: Vec<String> =
        text::words(&wanted).into_iter().filter(|word| !GENERIC.contains(&word.as_str())).collect();
    if words.is_empty() {
        return artefacts.iter().collect();
    }
    let count = |artefact: &Artefact| words.iter().filter(|word| holds(artefact, word)).count();
    let most = artefacts.iter().map(count).max().unwrap_or(0);
    artefacts.iter().filter(|artefact| most > 0 && count(artefact) == most).collect()
}

/// Words that name no artefact in particular.
const GENERIC: [&str; 22] = [
    "the",
    "a",
    "an",
    "my",
    "our",
    "of",
    "it",
    "them",
    "that",
    "this",
    "latest",
    "newest",
    "final",
    "finished",
    "current",
    "artifact",
    "artefact",
    "artifacts",
    "artefacts",
    "file",
    "files",
    "document",
];

/// Whether it is about the person themselves and not about a project.
fn is_about_person(said: &str) -> bool {
    let said = text::words(said).join(" ");
    ["about me", "about myself", "where did i park", "where i parked"].iter().any(|sign| said.contains(sign))
}

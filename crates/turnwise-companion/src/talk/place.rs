//! Where a message is said: by whom, in which conversation, about which project. All that is read or changed goes
//! through one of these, so nothing is done without a person in whose name it is. Next: `draft`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, ConversationId, PersonId, text};

use crate::store::{Focus, Project, ProjectId, Store, StoreError};
use crate::voice::VOICE;

/// Where something is said.
pub(super) struct Place<'a> {
    pub(super) store: &'a Store,
    pub(super) conversation: &'a ConversationId,
    pub(super) person: PersonId,
    pub(super) now_ms: i64,
}

/// The project a message is about.
pub(super) enum About {
    /// This one.
    Project(Project),
    /// It could be any of these.
    Unclear(Vec<Project>),
    /// The person has none.
    Nothing,
}

/// What is asked under this topic.
pub(super) const WHICH_PROJECT: &str = "project";

impl Place<'_> {
    pub(super) fn focus(&self) -> Result<Focus, StoreError> {
        self.store.focus(self.conversation, &self.person)
    }

    /// The project that is meant: the one that is named, else the one the talk is about, else the only one.
    pub(super) fn about(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<About, StoreError> {
        let projects = self.store.projects(&self.person)?;
        let answered = answers.iter().rev().find(|answer| answer.topic == WHICH_PROJECT);
        let chosen = answered.and_then(|answer| chosen(&projects, answer.answer.trim()));
        if let Some(project) = chosen.or_else(|| named(&projects, said)) {
            return Ok(About::Project(project.clone()));
        }
        let focus = self.focus()?.project;
        if let Some(project) = focus.and_then(|id| projects.iter().find(|project| project.id == id)) {
            return Ok(About::Project(project.clone()));
        }
        Ok(match projects.as_slice() {
            [] => About::Nothing,
            [only] => About::Project(only.clone()),
            _ => About::Unclear(projects),
        })
    }
}

/// The project whose name, or id, stands in `said`; of several, the longest name.
pub(super) fn named<'a>(projects: &'a [Project], said: &str) -> Option<&'a Project> {
    let written = said;
    let said = text::words(said);
    let stands = |project: &&Project| {
        let name = text::words(&project.name);
        let at = (0..said.len()).find(|at| !name.is_empty() && said[*at..].starts_with(&name));
        // “beta radiation” does not speak of the project Beta; “in beta” and “Beta” do.
        let leads = |at: usize| at == 0 || NAMING.contains(&said[at - 1].as_str());
        let is_named = at.is_some_and(|at| name.len() > 1 || written.contains(&project.name) || leads(at));
        is_named || said.iter().any(|word| word == project.id.as_str())
    };
    projects.iter().filter(stands).max_by_key(|project| project.name.len())
}

/// Words that a name stands behind.
const NAMING: [&str; 16] = [
    "in", "on", "of", "for", "about", "to", "from", "with", "project", "into", "under", "is", "does", "how's", "open",
    "called",
];

fn chosen<'a>(projects: &'a [Project], answer: &str) -> Option<&'a Project> {
    projects.iter().find(|project| project.id == ProjectId::new(answer)).or_else(|| named(projects, answer))
}

/// Asks which of the person's projects is meant.
pub(super) fn which(projects: &[Project]) -> Clarification {
    let choice = |project: &Project| Choice { value: project.id.to_string(), label: project.name.clone() };
    Clarification {
        topic: WHICH_PROJECT.to_owned(),
        question: VOICE.which_project.plain(),
        choices: projects.iter().take(CHOICES_MAX).map(choice).collect(),
        assumption: None,
        of: 0,
    }
}

/// Projects that a question shows; any other can be named.
const CHOICES_MAX: usize = 12;

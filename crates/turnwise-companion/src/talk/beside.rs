//! What is told beside a reply: what changed, what could be said next, how far a setup is (CP-01). It is read from what
//! was kept, so that the same request sent again is told the same. Next: `run`.

use turnwise_assistant::{Beside, Changed, Setup, Suggestion};
use turnwise_core::{RunId, StepId};

use super::place::Place;
use super::run::Outcome;
use crate::store::{NoteState, Operation, Project, ProjectState, Readiness, SeedField, StoreError, Wanted};

impl Place<'_> {
    /// What is told beside a reply for which `runs` were made.
    pub(super) fn beside(&self, runs: &[RunId]) -> Result<Beside, StoreError> {
        let mut beside = Beside::default();
        for run in runs {
            // Every plan of the companion is one step.
            let operation = Operation::new(format!("{}/{run}/{}", self.conversation, StepId::new(1)));
            let Some(outcome) = self.store.outcome::<Outcome>(&self.person, &operation)? else { continue };
            let project = outcome.project.map(|project| project.to_string());
            let changed =
                |effect: super::run::Effect| Changed { kind: effect.kind, project: project.clone(), note: effect.note };
            beside.changes.extend(outcome.effects.into_iter().map(changed));
        }
        let focus = self.focus()?;
        // A project that somebody left in another window is none here either.
        let project = focus.project.map(|project| self.store.project(&self.person, &project));
        let Some(project) = project.and_then(Result::ok) else {
            beside.suggestions.push(suggestion("Start a project", "start a new project"));
            return Ok(beside);
        };
        beside.project = Some(project.id.to_string());
        if project.state == ProjectState::Drafting {
            self.setup(&project, focus.asking, &mut beside)?;
        }
        let wanted = Wanted { state: Some(NoteState::Held), ..Wanted::default() };
        let waiting = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, 1)?;
        if let Some(note) = waiting.first() {
            let number = note.number;
            beside.suggestions.push(suggestion(&format!("Save note {number}"), &format!("save note {number}")));
            beside
                .suggestions
                .push(suggestion(&format!("Take note {number} back"), &format!("take back note {number}")));
        }
        Ok(beside)
    }

    fn setup(&self, project: &Project, asking: Option<SeedField>, beside: &mut Beside) -> Result<(), StoreError> {
        let seed = self.store.seed(&self.person, &project.id)?;
        let is_ready = seed.readiness() == Readiness::ReadyForReview;
        let said = |field: SeedField| seed.said(field).map(|said| (field.code().to_owned(), said.to_owned()));
        beside.setup = Some(Setup { is_ready, said: SeedField::ALL.into_iter().filter_map(said).collect() });
        match is_ready {
            true => beside.suggestions.push(suggestion("Finalize it", "finalize it")),
            false if asking.is_none() => {
                beside.suggestions.push(suggestion("Go on with the setup", "go on with the setup"))
            }
            false if asking.is_some_and(|field| field != SeedField::Work) => {
                beside.suggestions.push(suggestion("Skip", "skip"));
            }
            false => {}
        }
        Ok(())
    }
}

fn suggestion(label: &str, message: &str) -> Suggestion {
    Suggestion { label: label.to_owned(), message: message.to_owned() }
}

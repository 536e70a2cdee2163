//! How what is kept is told: counts, lists, where a project stands. Next: `answer`.

use turnwise_core::text;

use super::place::{About, Place};
use crate::store::{Job, JobState, Note, NoteState, Project, ProjectState, Readiness, StoreError};
use crate::voice::VOICE;

impl Place<'_> {
    /// “12 notes, 2 specifications, 1 artefact” (CP-17).
    pub(super) fn contents(&self, project: &Project) -> Result<String, StoreError> {
        let notes = self.store.notes(&self.person, &project.id, self.now_ms, COUNTED_MAX)?.len();
        let specifications = self.store.specifications(&self.person, &project.id)?.len();
        let artefacts = self.store.artefacts(&self.person, &project.id)?.len();
        Ok(counted((notes, specifications, artefacts)))
    }

    /// What runs, what needs the person, what was finished lately (CP-08).
    pub(super) fn progress(&self, project: &Project) -> Result<String, StoreError> {
        let contents = self.contents(project)?;
        let mut lines = vec![VOICE.progress.with(&[("project", &project.name), ("contents", &contents)])];
        let jobs = self.store.jobs(&self.person, &project.id)?;
        let of = |state: JobState| {
            let titles: Vec<String> = jobs.iter().filter(|job| job.state == state).take(JOBS_TOLD).map(title).collect();
            (!titles.is_empty()).then(|| titles.join("; "))
        };
        let mut quiet = true;
        if let Some(jobs) = of(JobState::Active) {
            lines.push(VOICE.progress_active.with(&[("jobs", &jobs)]));
            quiet = false;
        }
        if let Some(jobs) = of(JobState::Attention) {
            lines.push(VOICE.progress_attention.with(&[("jobs", &jobs)]));
            quiet = false;
        }
        if project.state == ProjectState::Drafting {
            let seed = self.store.seed(&self.person, &project.id)?;
            quiet = false;
            lines.push(match seed.readiness() {
                Readiness::Drafting => VOICE.progress_setup.plain(),
                Readiness::ReadyForReview => VOICE.progress_review.plain(),
            });
        }
        let notes = self.store.notes(&self.person, &project.id, self.now_ms, COUNTED_MAX)?;
        let waiting = notes.iter().filter(|note| note.state == NoteState::Held).count();
        if waiting > 0 {
            let told = if waiting == 1 { "1 note is".to_owned() } else { format!("{waiting} notes are") };
            lines.push(VOICE.progress_waiting.with(&[("notes", &told)]));
            quiet = false;
        }
        if quiet {
            lines.push(VOICE.progress_quiet.plain());
        }
        if let Some(jobs) = of(JobState::Finished) {
            lines.push(VOICE.progress_finished.with(&[("jobs", &jobs)]));
        }
        Ok(lines.join("\n"))
    }

    /// Where the person stands, for talk that asks for nothing.
    pub(super) fn standing(&self) -> Result<String, StoreError> {
        Ok(match self.about("", &[])? {
            About::Nothing => VOICE.standing_none.plain(),
            About::Project(project) => {
                let contents = self.contents(&project)?;
                VOICE.standing_one.with(&[("project", &project.name), ("contents", &contents)])
            }
            About::Unclear(projects) => {
                let count = projects.len().to_string();
                VOICE.standing_several.with(&[("count", &count), ("names", &names(&projects))])
            }
        })
    }
}

/// Notes, specifications and artefacts, as they are counted in a sentence.
pub(super) fn counted((notes, specifications, artefacts): (usize, usize, usize)) -> String {
    let mut parts = vec![if notes == 0 { "no notes yet".to_owned() } else { text::count(notes, "note") }];
    parts.extend((specifications > 0).then(|| text::count(specifications, "specification")));
    parts.extend((artefacts > 0).then(|| text::count(artefacts, "artefact")));
    parts.join(", ")
}

fn title(job: &Job) -> String {
    job.title.clone()
}

/// Names of projects, in a sentence.
pub(super) fn names(projects: &[Project]) -> String {
    let names: Vec<String> = projects.iter().map(|project| project.name.clone()).collect();
    text::listed(&names)
}

/// Notes, one line each.
pub(super) fn lines(notes: &[Note]) -> String {
    let line = |note: &Note| {
        let number = note.number.to_string();
        let text = match note.state {
            NoteState::Held => &VOICE.note_line_waiting,
            NoteState::Committed | NoteState::Retracted => &VOICE.note_line,
        };
        text.with(&[("number", &number), ("text", &note.text)])
    };
    notes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// “note 3”, “notes 2 and 4”.
pub(super) fn numbered(numbers: &[i64]) -> String {
    let all: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let noun = if all.len() == 1 { "note" } else { "notes" };
    format!("{noun} {}", text::listed(&all))
}

/// Notes that are counted.
pub(super) const COUNTED_MAX: usize = 10_000;
/// Jobs that are named.
const JOBS_TOLD: usize = 5;

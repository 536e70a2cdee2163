//! How what is kept is told: counts, lists, where a project stands. In one place, so that the same thing is always told
//! the same way. Next: `answer`.

use jiff::Timestamp;
use turnwise_core::text;
use turnwise_intent::behaviour::companion::numbers_named;

use super::place::{About, Place};
use crate::store::{Counts, Job, JobState, Note, NoteState, Project, ProjectState, Readiness, StoreError, Wanted};
use crate::voice::VOICE;

impl Place<'_> {
    /// “12 notes, 2 specifications, 1 artefact” (CP-17).
    pub(super) fn contents(&self, project: &Project) -> Result<String, StoreError> {
        Ok(counted(&self.store.counts(&self.person, &project.id, self.now_ms)?))
    }

    /// What runs, what needs the person, what was finished lately (CP-08).
    pub(super) fn progress(&self, project: &Project) -> Result<String, StoreError> {
        let counts = self.store.counts(&self.person, &project.id, self.now_ms)?;
        let contents = counted(&counts);
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
        if counts.waiting > 0 {
            let told =
                if counts.waiting == 1 { "1 note is".to_owned() } else { format!("{} notes are", counts.waiting) };
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

    /// Who told the notes that a message names, and when; none where it names none that there is.
    pub(super) fn who_told(&self, project: &Project, said: &str) -> Result<Option<String>, StoreError> {
        let mut told = Vec::new();
        for number in numbers_named(said) {
            let wanted = Wanted { before: Some(number.saturating_add(1)), ..Wanted::default() };
            let found = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, 1)?;
            let Some(note) = found.into_iter().find(|note| note.number == number) else { continue };
            let (number, when) = (number.to_string(), told_on(note.created_ms));
            let values =
                [("number", number.as_str()), ("project", &project.name), ("when", &when), ("text", &note.text)];
            told.push(match note.is_others {
                true => VOICE.note_told_by.with(&[&values[..], &[("person", note.by.as_str())]].concat()),
                false => VOICE.note_told_by_you.with(&values),
            });
        }
        Ok((!told.is_empty()).then(|| told.join("\n")))
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

/// A time as it is told.
fn told_on(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).map(|at| at.strftime("%-d %B %Y, %H:%M UTC").to_string());
    at.unwrap_or_default()
}

/// Notes, specifications and artefacts, as they are counted in a sentence.
pub(super) fn counted(counts: &Counts) -> String {
    let told = |count: i64, noun: &str| text::count(usize::try_from(count).unwrap_or_default(), noun);
    let mut parts = vec![if counts.notes == 0 { "no notes yet".to_owned() } else { told(counts.notes, "note") }];
    parts.extend((counts.specifications > 0).then(|| told(counts.specifications, "specification")));
    parts.extend((counts.artefacts > 0).then(|| told(counts.artefacts, "artefact")));
    parts.join(", ")
}

/// A job with how far it is and what is to be known of it: “Field survey (3 of 10; rain)”.
fn title(job: &Job) -> String {
    let far = job.progress.filter(|_| job.state != JobState::Finished);
    let far = far.map(|far| format!("{} of {}", far.done, far.whole));
    let remark = Some(job.remark.clone()).filter(|remark| !remark.is_empty());
    let known: Vec<String> = far.into_iter().chain(remark).collect();
    if known.is_empty() { job.title.clone() } else { format!("{} ({})", job.title, known.join("; ")) }
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
        let said = text.with(&[("number", &number), ("text", &note.text)]);
        let by = note.is_others.then(|| VOICE.note_line_of.with(&[("person", note.by.as_str())]));
        said + &by.unwrap_or_default()
    };
    notes.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a message asks who told a note, or when.
pub(super) fn asks_who_told(said: &str) -> bool {
    let words = text::words(said);
    let begins = words.first().is_some_and(|first| ["who", "when", "whose"].contains(&first.as_str()));
    begins && words.iter().any(|word| word == "note" || word == "notes")
}

/// “note 3”, “notes 2 and 4”.
pub(super) fn numbered(numbers: &[i64]) -> String {
    let all: Vec<String> = numbers.iter().map(i64::to_string).collect();
    let noun = if all.len() == 1 { "note" } else { "notes" };
    format!("{noun} {}", text::listed(&all))
}

/// Jobs that are named.
const JOBS_TOLD: usize = 5;

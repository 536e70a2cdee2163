//! What a model is told of a project (CP-11): its seed, its latest notes, or its groups, as much as fits; and of that
//! only what the operator lets models see. Next: `model`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::{
    CONTEXT_TOKENS_MAX, ContextTier, NOTE_CHARACTERS_MAX, NOTES_IN_CONTEXT, SEED_CHARACTERS_MAX, tier,
};
use turnwise_model::Sees;

use super::place::{About, Place};
use crate::store::{Group, Note, NoteState, Project, SeedField, StoreError, Wanted};
use crate::voice::VOICE;

impl Place<'_> {
    /// “FarmGuard: 12 notes, 2 specifications, 1 artefact”, for each project (CP-17).
    pub(super) fn summary(&self) -> Result<String, StoreError> {
        let told = |project: Project| Ok(format!("{}: {}", project.name, self.contents(&project)?));
        let all: Result<Vec<String>, StoreError> =
            self.store.projects(&self.person)?.into_iter().take(SUMMARISED_MAX).map(told).collect();
        Ok(all?.join("; "))
    }

    /// What is told of the project the talk is about. It is kept until something of the project changes, or a note is
    /// over.
    pub(super) fn context(&self, said: &str, sees: Sees) -> Result<String, StoreError> {
        let About::Project(project) = self.about(said, &[])? else { return self.summary() };
        if let Some(known) = self.store.context(&project, sees, self.now_ms) {
            return Ok(known);
        }
        let told = self.context_made(&project, sees)?;
        let expires = self.store.next_end(&self.person, &project.id, self.now_ms)?;
        self.store.keep_context(&project, sees, expires, &told);
        Ok(told)
    }

    fn context_made(&self, project: &Project, sees: Sees) -> Result<String, StoreError> {
        let summary = format!("{}: {}", project.name, self.contents(project)?);
        if sees == Sees::Names {
            return Ok(summary);
        }
        let mut parts = vec![summary, self.seed_told(project)?];
        if sees == Sees::Rows {
            let wanted = Wanted { state: Some(NoteState::Committed), ..Wanted::default() };
            let saved = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, NOTES_IN_CONTEXT)?;
            let groups = self.store.groups(&self.person, &project.id, self.now_ms)?;
            match tier(!saved.is_empty(), !groups.is_empty()) {
                ContextTier::SeedOnly => {}
                ContextTier::SeedRecent => parts.push(recent(&saved, budget_left(&parts))),
                ContextTier::Grouped => parts.push(grouped(&groups, budget_left(&parts))),
            }
        }
        Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
    }

    fn seed_told(&self, project: &Project) -> Result<String, StoreError> {
        let seed = self.store.seed(&self.person, &project.id)?;
        let line = |field: SeedField| {
            let said = seed.said(field)?;
            Some(format!("{}: {}", VOICE.label(field), cut(said, SEED_CHARACTERS_MAX)))
        };
        Ok(SeedField::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// The latest notes, newest first, as many as fit.
fn recent(saved: &[Note], bytes: usize) -> String {
    let line = |note: &Note| format!("#{}: {}", note.number, cut(&note.text, NOTE_CHARACTERS_MAX));
    let mut left = bytes;
    let fits = |line: &String| {
        let fits = line.len() < left;
        left = left.saturating_sub(line.len() + 1);
        fits
    };
    saved.iter().take(NOTES_IN_CONTEXT).map(line).take_while(fits).collect::<Vec<_>>().join("\n")
}

/// The groups with what they say, and why they are one where that fits; labels and counts alone where it does not, as
/// many as fit.
fn grouped(groups: &[Group], bytes: usize) -> String {
    let head =
        |group: &Group| format!("{} ({})", group.label, text::count(group.notes.unsigned_abs() as usize, "note"));
    let told = |whole: &dyn Fn(&Group) -> String| groups.iter().map(whole).collect::<Vec<_>>().join("\n");
    let whole = told(&|group| format!("{}: {} {}", head(group), group.summary, group.rationale));
    let short = told(&|group| format!("{}: {}", head(group), group.summary));
    if let Some(told) = [whole, short].into_iter().find(|told| told.len() <= bytes) {
        return told;
    }
    let mut left = bytes;
    let fits = |head: &String| {
        let fits = head.len() < left;
        left = left.saturating_sub(head.len() + 1);
        fits
    };
    groups.iter().map(head).take_while(fits).collect::<Vec<_>>().join("\n")
}

/// Bytes that are left of the budget.
fn budget_left(parts: &[String]) -> usize {
    let used: usize = parts.iter().map(String::len).sum();
    (CONTEXT_TOKENS_MAX * BYTES_OF_A_TOKEN).saturating_sub(used + parts.len())
}

fn cut(said: &str, characters: usize) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    text::clip(&line, characters)
}

/// A token in bytes, at the least: providers count about four of English, and fewer of other languages.
const BYTES_OF_A_TOKEN: usize = 3;
/// Projects of a summary.
const SUMMARISED_MAX: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn group(number: usize, words: usize) -> Group {
        let said = "word ".repeat(words);
        Group { label: format!("Group {number}"), summary: said.clone(), rationale: said, notes: 3 }
    }

    #[test]
    fn groups_that_do_not_fit_are_told_by_label_and_count() {
        let bytes = CONTEXT_TOKENS_MAX * BYTES_OF_A_TOKEN;
        let few = grouped(&[group(1, 10)], bytes);
        assert_eq!(few.matches("word").count(), 20);
        let more: Vec<Group> = (0..40).map(|number| group(number, 25)).collect();
        assert_eq!(grouped(&more, bytes).matches("word").count(), 40 * 25, "the summary fits, the rationale does not");
        let many: Vec<Group> = (0..40).map(|number| group(number, 300)).collect();
        let told = grouped(&many, bytes);
        assert!(told.starts_with("Group 0 (3 notes)\n") && !told.contains("word"), "{told}");
    }
}

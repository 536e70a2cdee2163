//! A plan in the person's own editor: written to a file, opened, read back. Whatever goes wrong, the plan stays as it
//! is and what was written is kept. An edit is never an approval. Next: `plan_text` for what an edit asks for.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use turnwise_core::{Conversation, DecisionRef, FactName, Pending, PendingKind, Plan, Verdict};

use super::plan_text::{self, Edit};

/// What the editor may use of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// All of it, as it was before.
    Terminal,
    /// Nothing: lines are being read and written there.
    Nothing,
}

/// Plans being edited on one surface.
#[derive(Debug, Default)]
pub(super) struct Revision {
    /// A text that was no plan, of this version of this question: the next attempt goes on from it.
    kept: Option<(DecisionRef, String)>,
}

/// What came of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Revised {
    /// Nothing to be decided; why.
    Nothing(String),
    /// This is to be decided on the question.
    Decided(DecisionRef, Verdict),
}

/// Whether words are the command to edit.
pub(super) fn is_command(words: &str) -> bool {
    words.trim() == "/edit"
}

/// The plan that can be edited now, with its question.
pub(super) fn editable(state: &Conversation) -> Option<(&Pending, &Plan)> {
    let question = state.question().filter(|open| matches!(open.kind, PendingKind::Approval { .. }))?;
    Some((question, state.plan()?))
}

impl Revision {
    /// Opens the plan that waits in the person's editor until they close it.
    pub(super) async fn edit(&mut self, state: &Conversation, uses: Use) -> Revised {
        let Some((question, plan)) = editable(state) else {
            return Revised::Nothing("No plan waits for a decision, so there is none to edit.".to_owned());
        };
        let Some(editor) = editor() else {
            return Revised::Nothing("Set VISUAL or EDITOR to the editor you use; the plan is unchanged.".to_owned());
        };
        let reference = question.reference();
        let kept = self.kept.take().filter(|(of, _)| *of == reference).map(|(_, text)| text);
        let text = kept.unwrap_or_else(|| plan_text::render(plan));
        let given = text.clone();
        let edited = tokio::task::spawn_blocking(move || in_editor(&editor, &given, uses)).await;
        let edited = match edited {
            Ok(Ok(edited)) => edited,
            Ok(Err(error)) => return Revised::Nothing(format!("The plan is unchanged: {error}.")),
            Err(ended) => return Revised::Nothing(format!("The plan is unchanged: editing it broke down ({ended}).")),
        };
        let known = state.facts().keys().cloned().collect();
        self.judged(reference, plan, &known, edited)
    }

    fn judged(&mut self, reference: DecisionRef, plan: &Plan, known: &BTreeSet<FactName>, edited: String) -> Revised {
        if edited.trim().is_empty() {
            return Revised::Nothing("The text came back empty; the plan is unchanged.".to_owned());
        }
        match plan_text::parse(&without_problem(&edited), plan, known) {
            Ok(Edit::Unchanged) => Revised::Nothing("Nothing was changed; the plan waits as it is.".to_owned()),
            Ok(Edit::Structure(patches)) => Revised::Decided(reference, Verdict::Edit { patches }),
            Ok(Edit::Words(change)) => Revised::Decided(reference, Verdict::Change { change }),
            Err(error) => {
                let text = format!("{PROBLEM}{error}\n{}", without_problem(&edited));
                self.kept = Some((reference, text));
                Revised::Nothing(format!(
                    "The plan is unchanged, because the text is no plan: {error}. /edit opens your text again."
                ))
            }
        }
    }
}

/// The text without what was said about it when it was opened again.
fn without_problem(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with(PROBLEM)).map(|line| format!("{line}\n")).collect()
}

fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"].iter().filter_map(|name| std::env::var(name).ok()).find(|editor| !editor.trim().is_empty())
}

/// What came back from the editor.
fn in_editor(editor: &str, text: &str, uses: Use) -> Result<String, String> {
    let file = write(text).map_err(|error| format!("it cannot be written to a file ({error})"))?;
    let ended = command(editor, &file, uses).status();
    let read = std::fs::read_to_string(&file);
    let is_lost = |ended: &io::Result<ExitStatus>| !ended.as_ref().is_ok_and(ExitStatus::success);
    if is_lost(&ended) && read.as_ref().is_ok_and(|read| read != text) {
        return Err(format!("{}; what you wrote is kept in {}", how(editor, &ended), file.display()));
    }
    // A file that stays behind does no harm.
    let _ = std::fs::remove_file(&file);
    if is_lost(&ended) {
        return Err(how(editor, &ended));
    }
    read.map_err(|error| format!("what came back cannot be read ({error})"))
}

fn how(editor: &str, ended: &io::Result<ExitStatus>) -> String {
    match ended {
        Ok(status) => match status.code() {
            Some(code) => format!("{editor} ended with code {code}"),
            None => format!("{editor} was ended by a signal"),
        },
        Err(error) => format!("{editor} cannot be started ({error})"),
    }
}

/// Editors are named with their options, as a shell reads them.
fn command(editor: &str, file: &Path, uses: Use) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("turnwise").arg(file);
    if uses == Use::Nothing {
        command.stdin(Stdio::null()).stdout(Stdio::null());
    }
    command
}

/// A file of its own that only the person reads: plans say what data holds.
fn write(text: &str) -> io::Result<PathBuf> {
    let path = std::env::temp_dir().join(format!("turnwise-plan-{}.yaml", uuid::Uuid::now_v7().simple()));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&path)?.write_all(text.as_bytes())?;
    Ok(path)
}

/// Begins the line that says what was wrong with a text that is opened again.
const PROBLEM: &str = "# Not taken: ";

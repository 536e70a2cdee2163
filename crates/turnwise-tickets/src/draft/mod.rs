//! Drafts: tickets as they would be created. Nine fields, of which three must hold something before one is shown.
//! Next: `extract` for how words become one, `edit` for how words change one, `judge` for what is wrong with one.

mod answer;
mod edit;
mod extract;
mod items;
mod judge;
mod shown;
mod subject;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

pub use answer::{take_answer, take_criteria};
pub use edit::{NoChange, change, is_change};
pub use extract::{Said, extract, has_unknown_label, sentences};
pub(crate) use extract::{commanded, is_field, is_kind};
pub use items::{stories_named, story, ticket};
pub use judge::{Finding, Gravity, judge};
pub(crate) use shown::is_field_name;
pub use subject::{each_ordered, subject};

/// A field of a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// One line.
    Title,
    /// What is wrong or wanted.
    Problem,
    /// How it could be solved.
    ProposedSolution,
    /// How one sees that it is done.
    AcceptanceCriteria,
    /// What limits the work.
    Constraints,
    /// What is not known yet.
    OpenQuestions,
    /// What it waits for.
    Dependencies,
    /// What may go wrong.
    Risks,
    /// Where it can be seen.
    EvidenceLinks,
}

/// What kind of ticket it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketKind {
    /// Holds stories together.
    Epic,
    /// A part of an epic, or something a user gets.
    Story,
    /// Something that is wrong.
    Bug,
    /// Anything else.
    #[default]
    Task,
}

/// A ticket as it would be created.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// What kind it is.
    pub kind: TicketKind,
    /// One line.
    pub title: String,
    /// What is wrong or wanted.
    #[serde(default)]
    pub problem: String,
    /// How it could be solved.
    #[serde(default)]
    pub proposed_solution: String,
    /// The fields that are lists.
    #[serde(default)]
    pub lists: BTreeMap<Field, Vec<String>>,
    /// What the tracker wants besides, by its own names.
    #[serde(default)]
    pub more: BTreeMap<String, String>,
}

impl Field {
    /// The fields that are lists, in the order they are shown.
    pub const LISTS: [Self; 6] = [
        Self::AcceptanceCriteria,
        Self::Constraints,
        Self::OpenQuestions,
        Self::Dependencies,
        Self::Risks,
        Self::EvidenceLinks,
    ];

    /// As people read it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Problem => "Problem",
            Self::ProposedSolution => "Proposed solution",
            Self::AcceptanceCriteria => "Acceptance criteria",
            Self::Constraints => "Constraints",
            Self::OpenQuestions => "Open questions",
            Self::Dependencies => "Dependencies",
            Self::Risks => "Risks",
            Self::EvidenceLinks => "Evidence",
        }
    }

    /// What is asked when it is missing, with the reason.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::Title => "What is it about, in one line? It becomes the title.",
            Self::Problem => "What happens or is wanted, and for whom? Whoever picks it up starts from that.",
            Self::AcceptanceCriteria => "How will we see that it is done? One acceptance criterion is enough.",
            _ => "What should stand there?",
        }
    }
}

impl TicketKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Epic, Self::Story, Self::Bug, Self::Task];

    /// As people read it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Epic => "Epic",
            Self::Story => "Story",
            Self::Bug => "Bug",
            Self::Task => "Task",
        }
    }
}

impl Draft {
    /// The entries of a list.
    #[must_use]
    pub fn list(&self, field: Field) -> &[String] {
        self.lists.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Adds to a field: a line to a list, a sentence to a text. The title is replaced.
    pub fn add(&mut self, field: Field, said: &str) {
        let said = said.trim();
        if said.is_empty() {
            return;
        }
        match field {
            Field::Title => self.entitle(said),
            Field::Problem => join(&mut self.problem, said),
            Field::ProposedSolution => join(&mut self.proposed_solution, said),
            Field::AcceptanceCriteria
            | Field::Constraints
            | Field::OpenQuestions
            | Field::Dependencies
            | Field::Risks
            | Field::EvidenceLinks => {
                let list = self.lists.entry(field).or_default();
                if !list.iter().any(|known| known.eq_ignore_ascii_case(said)) {
                    list.push(capitalised(said));
                }
            }
        }
    }

    /// Takes a title. Of one that trackers would cut, the whole is kept in the problem.
    fn entitle(&mut self, said: &str) {
        let line = line_of(said);
        self.title = turnwise_core::text::clip(&line, TITLE_WIDTH);
        if line.chars().count() > TITLE_WIDTH && !self.problem.to_lowercase().contains(&line.to_lowercase()) {
            let before = std::mem::take(&mut self.problem);
            self.problem = [sentence(&line), before].join(" ").trim_end().to_owned();
        }
    }

    /// Empties a field.
    pub fn clear(&mut self, field: Field) {
        match field {
            Field::Title => self.title.clear(),
            Field::Problem => self.problem.clear(),
            Field::ProposedSolution => self.proposed_solution.clear(),
            _ => drop(self.lists.remove(&field)),
        }
    }

    /// What has to be asked before it can be shown. A part of an epic may be no more than its title.
    #[must_use]
    pub fn missing(&self) -> Vec<Field> {
        let mut missing = Vec::new();
        if self.title.is_empty() {
            missing.push(Field::Title);
        }
        if self.problem.is_empty() {
            missing.push(Field::Problem);
        }
        if self.list(Field::AcceptanceCriteria).is_empty() {
            missing.push(Field::AcceptanceCriteria);
        }
        missing
    }

    /// The text a person reads and a tracker keeps, without the title.
    #[must_use]
    pub fn body(&self) -> String {
        let mut body = String::new();
        // Writing to a string cannot fail.
        for (label, text) in [("Problem", &self.problem), ("Proposed solution", &self.proposed_solution)] {
            if !text.is_empty() {
                let _ = writeln!(body, "{label}: {text}");
            }
        }
        for field in Field::LISTS.into_iter().filter(|field| !self.list(*field).is_empty()) {
            let _ = writeln!(body, "{}:", field.label());
            for (number, entry) in (1..).zip(self.list(field)) {
                let _ = writeln!(body, "  {number}. {entry}");
            }
        }
        for (name, value) in &self.more {
            let _ = writeln!(body, "{name}: {value}");
        }
        body
    }

    /// The whole as it is shown.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}: {}\n{}", self.kind.label(), self.title, self.body()).trim_end().to_owned()
    }
}

fn join(text: &mut String, said: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(&sentence(said));
}

/// With a capital at the front and a full stop at the end, where it has neither.
fn sentence(said: &str) -> String {
    let said = capitalised(said);
    if said.ends_with(['.', '!', '?', '…', ':']) { said } else { format!("{said}.") }
}

fn capitalised(said: &str) -> String {
    let mut letters = said.trim().chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// One line, no full stop, and no marks around the whole of it.
fn line_of(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = |line: &str| line.trim_end_matches(['.', ',', ';', ':', '!']).trim().to_owned();
    let line = plain(&line);
    let inner = |(open, close): &(char, char)| {
        let inner = line.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close])).then(|| plain(inner))
    };
    capitalised(&QUOTES.iter().find_map(inner).unwrap_or_else(|| line.clone()))
}

/// Marks of quotation, as they open and close.
pub(crate) const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('\'', '\''), ('`', '`')];
/// Characters of a title: what trackers show in a list.
const TITLE_WIDTH: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_title_has_no_room_for_stands_in_the_problem() {
        let long = "the export of the orders of the last year drops rows ".repeat(4);
        let mut draft = Draft::default();
        draft.add(Field::Title, &long);
        assert!(draft.title.chars().count() <= TITLE_WIDTH, "{}", draft.title);
        assert_eq!(draft.problem, format!("{}.", capitalised(&long)));
        draft.add(Field::Title, &long);
        assert_eq!(draft.problem.matches("rows.").count(), 1);
        draft.add(Field::Title, "Short");
        assert_eq!(draft.title, "Short");
        for (said, title) in
            [("“Log in”.", "Log in"), ("rename \"Export\"", "Rename \"Export\""), ("'x' and 'y'", "'x' and 'y'")]
        {
            draft.add(Field::Title, said);
            assert_eq!(draft.title, title);
        }
    }
}

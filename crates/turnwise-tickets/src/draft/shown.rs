//! Drafts read back from how they are shown, for people who change the whole text in a form. What is shown is what is
//! read, so that nothing gets lost between. Next: `edit`.

use super::extract::field_named;
use super::{Draft, Field, TicketKind};

impl Draft {
    /// The draft that is shown like this; none where the text begins with no kind of ticket, or a line has no place.
    #[must_use]
    pub fn of_shown(shown: &str) -> Option<Self> {
        let mut lines = shown.lines().filter(|line| !line.trim().is_empty());
        let (kind, title) = lines.next()?.split_once(':')?;
        let mut draft = Self { kind: kind_of(kind.trim())?, ..Self::default() };
        draft.add(Field::Title, title);
        let mut at = None;
        for line in lines {
            let line = line.trim();
            if let Some((field, said)) = labelled(line) {
                draft.add(field, said);
                at = Some(field);
                continue;
            }
            if let Some((name, value)) = own_field(line) {
                draft.more.insert(name, value);
                at = None;
                continue;
            }
            draft.add(at?, unnumbered(line));
        }
        Some(draft)
    }
}

fn kind_of(label: &str) -> Option<TicketKind> {
    TicketKind::ALL.into_iter().find(|kind| kind.label().eq_ignore_ascii_case(label))
}

/// “Problem: …”, with the very labels that are shown.
fn labelled(line: &str) -> Option<(Field, &str)> {
    let (label, said) = line.split_once(':')?;
    let is_shown = label.starts_with(char::is_uppercase);
    Some((field_named(label).filter(|_| is_shown)?, said.trim()))
}

/// “priority: high”: a field of the tracker's own.
fn own_field(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(": ")?;
    is_field_name(name).then(|| (name.to_owned(), value.trim().to_owned()))
}

/// Whether a field of the tracker's own is shown by this name and read back.
pub(crate) fn is_field_name(name: &str) -> bool {
    let is_name = name.chars().all(|letter| letter.is_lowercase() || letter == ' ' || letter.is_ascii_digit());
    let is_entry = name.starts_with(|letter: char| letter.is_ascii_digit());
    is_name && !name.is_empty() && !is_entry && name.split(' ').count() <= OWN_WORDS_MAX
}

/// “  2. Old sessions are dropped”.
fn unnumbered(line: &str) -> &str {
    let entry = line.split_once(". ").filter(|(number, _)| number.chars().all(|letter| letter.is_ascii_digit()));
    let line = entry.map_or(line, |(_, entry)| entry);
    line.trim_start_matches(['-', '*', '•']).trim()
}

/// Words of the name of a tracker's own field.
const OWN_WORDS_MAX: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_read_back_as_it_was() {
        let mut draft = Draft { kind: TicketKind::Bug, ..Draft::default() };
        for (field, said) in [
            (Field::Title, "Login bug"),
            (Field::Problem, "Users get a 500: see the log. It is new"),
            (Field::ProposedSolution, "Retry once"),
            (Field::AcceptanceCriteria, "Login works"),
            (Field::AcceptanceCriteria, "It takes 2. 5 seconds"),
            (Field::Risks, "Old sessions"),
            (Field::EvidenceLinks, "https://example.com/trace"),
        ] {
            draft.add(field, said);
        }
        draft.more.insert("priority".to_owned(), "High".to_owned());
        assert_eq!(Draft::of_shown(&draft.shown()), Some(draft));
    }

    #[test]
    fn what_is_no_ticket_is_none() {
        for text in ["", "hello", "Bug", "Login: it fails", "Bug: Login\nand what is this"] {
            assert_eq!(Draft::of_shown(text), None, "{text}");
        }
    }
}

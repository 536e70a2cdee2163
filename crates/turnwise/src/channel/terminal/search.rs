//! Searching what was typed before, letter by letter, the newest first. Nothing is sent by it: what is found goes into
//! the input box. Next: `history`, `editor`.

use super::history::{self, History};

/// A search under way.
#[derive(Debug, Default)]
pub(super) struct Search {
    sought: String,
    /// How many entries back the one found is; absent before a letter, and where nothing has the words.
    found: Option<usize>,
}

impl Search {
    /// How many entries back the one found is.
    pub(super) fn found(&self) -> Option<usize> {
        self.found
    }

    /// More words: the entry found stays while it has them.
    pub(super) fn write(&mut self, words: &str, history: &History) {
        self.sought.push_str(words);
        self.found = history.find(&self.sought, self.found.unwrap_or(1));
    }

    /// A letter less: the newest entry is found again that has the rest.
    pub(super) fn erase(&mut self, history: &History) {
        self.sought.pop();
        self.found = if self.sought.is_empty() { None } else { history.find(&self.sought, 1) };
    }

    /// The next one back that is another text; where there is none, the one found stays.
    pub(super) fn further(&mut self, history: &History) -> bool {
        let Some(found) = self.found else { return false };
        let text = history.back(found);
        let mut back = found;
        while let Some(next) = history.find(&self.sought, back + 1) {
            if history.back(next) != text {
                self.found = Some(next);
                return true;
            }
            back = next;
        }
        false
    }

    /// What is drawn, a line each, for at most `rows` of them; and how many letters of the first stand before the
    /// cursor. Of a long entry it shows the place where the words are.
    pub(super) fn drawn(&self, history: &History, rows: usize) -> (Vec<String>, usize) {
        let lead = format!("{LEAD}{}", self.sought);
        let cursor = lead.chars().count();
        let entry = match self.found.and_then(|back| history.back(back)) {
            Some(entry) => entry,
            None if self.sought.is_empty() => "",
            None => NOTHING,
        };
        let lines: Vec<&str> = entry.split('\n').collect();
        let place = lines.iter().position(|line| history::has(line, &self.sought)).unwrap_or_default();
        let first = if lines.len() > rows { place } else { 0 };
        let mark = if first > 0 { "… " } else { "" };
        let shown = lines.iter().skip(first).enumerate().map(|(at, line)| match at {
            0 => format!("{lead}: {mark}{line}"),
            _ => (*line).to_owned(),
        });
        (shown.collect(), cursor)
    }
}

/// What stands before the words sought.
const LEAD: &str = "(search) ";
/// What stands where no entry has them.
const NOTHING: &str = "nothing typed before has this";

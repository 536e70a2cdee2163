//! Completing what is being typed: what may be meant stands beneath the input, and Tab goes from one to the next. A
//! slash alone shows the commands. Nothing is sent by it. Next: `channel::vocabulary`, `editor`.

use crossterm::event::{KeyCode, KeyEvent};

use super::Chat;
use super::editor::Editor;
use crate::channel::draw::{Line, Tone, width};
use crate::channel::vocabulary::{Candidate, Vocabulary};

/// A word being completed.
pub(super) struct Completing {
    candidates: Vec<Candidate>,
    /// The one that is in the box; none before the second Tab.
    at: Option<usize>,
    /// The word as it was typed.
    typed: String,
    /// What stands in its place.
    put: String,
}

/// Which way to go among several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    On,
    Back,
}

impl Completing {
    /// Completes the word before the cursor as far as all that may be meant is the same; none where nothing is.
    fn begin(vocabulary: &Vocabulary, editor: &mut Editor) -> Option<Self> {
        let (word, is_first) = editor.word();
        let candidates = vocabulary.candidates(&word, is_first);
        let mut completing = Self { candidates, at: None, typed: word.clone(), put: word };
        let common = common(&completing.candidates)?;
        if completing.candidates.len() == 1 || common.chars().count() > completing.typed.chars().count() {
            completing.put(common, editor);
        }
        Some(completing)
    }

    fn go(&mut self, way: Way, editor: &mut Editor) {
        let count = self.candidates.len();
        let at = match (self.at, way) {
            (None, Way::On) => 0,
            (None, Way::Back) => count.saturating_sub(1),
            (Some(at), Way::On) => (at + 1) % count,
            (Some(at), Way::Back) => (at + count - 1) % count,
        };
        self.at = Some(at);
        self.put(self.candidates[at].text.clone(), editor);
    }

    fn put(&mut self, text: String, editor: &mut Editor) {
        editor.replace(self.put.chars().count(), &text);
        self.put = text;
    }

    fn is_open(&self) -> bool {
        self.candidates.len() > 1
    }
}

impl Chat<'_> {
    /// Takes a key that completes; `false` for any other, with which completing ends.
    pub(super) fn complete_key(&mut self, key: KeyEvent) -> bool {
        let before = self.completing.take();
        match key.code {
            KeyCode::Tab | KeyCode::BackTab if !self.editor.is_searching() => {
                let way = if key.code == KeyCode::BackTab { Way::Back } else { Way::On };
                self.complete(before, way);
                true
            }
            KeyCode::Esc => match before {
                Some(mut before) => {
                    before.put(before.typed.clone(), &mut self.editor);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    fn complete(&mut self, before: Option<Completing>, way: Way) {
        if let Some(mut going) = before.filter(Completing::is_open) {
            going.go(way, &mut self.editor);
            self.completing = Some(going);
            return;
        }
        let Some(talk) = &self.talk else {
            self.hint = Some(LOADING_HINT);
            return;
        };
        self.completing = Completing::begin(&talk.opened.vocabulary, &mut self.editor);
        if self.completing.is_none() {
            self.hint = Some(if self.editor.word().0.is_empty() { EMPTY_HINT } else { NOTHING_HINT });
        }
    }

    /// What stands beneath the input, at most `rows` lines: what may be meant by the word that is completed, or the
    /// commands that begin as what is typed does.
    pub(super) fn menu(&self, rows: usize) -> Vec<Line> {
        if let Some(completing) = &self.completing {
            return if completing.is_open() { lines(&completing.candidates, completing.at, rows) } else { Vec::new() };
        }
        let Some(talk) = self.talk.as_ref().filter(|_| !self.editor.is_searching()) else { return Vec::new() };
        let typed = self.editor.line().filter(|line| line.starts_with('/') && !line.contains(char::is_whitespace));
        let meant = typed.map(|typed| (talk.opened.vocabulary.commands(&typed), typed)).unwrap_or_default();
        // A command that is there whole needs no list of itself.
        let is_whole = matches!(meant.0.as_slice(), [only] if only.text == meant.1);
        if is_whole { Vec::new() } else { lines(&meant.0, None, rows) }
    }
}

/// `candidates` one beneath the other, with the one `at` in sight; what has no room is counted.
fn lines(candidates: &[Candidate], at: Option<usize>, rows: usize) -> Vec<Line> {
    if rows == 0 {
        return Vec::new();
    }
    let is_cut = candidates.len() > rows;
    let shown = if is_cut { rows - 1 } else { rows };
    let first = at.map_or(0, |at| (at + 1).saturating_sub(shown));
    let names = candidates.iter().map(|candidate| width(&candidate.text)).max().unwrap_or_default().min(NAME_WIDTH_MAX);
    let line = |(number, candidate): (usize, &Candidate)| {
        let is_at = at == Some(number);
        let gap = " ".repeat(names.saturating_sub(width(&candidate.text)) + 2);
        let (mark, tone) = if is_at { ("› ", Tone::Accent) } else { ("  ", Tone::Plain) };
        Line::of(mark, Tone::Accent)
            .with(&candidate.text, tone)
            .with(&gap, Tone::Plain)
            .with(&candidate.told, Tone::Dim)
    };
    let mut lines: Vec<Line> = candidates.iter().enumerate().skip(first).take(shown).map(line).collect();
    if is_cut {
        lines.push(Line::of(&format!("  … {} more", candidates.len() - shown), Tone::Dim));
    }
    lines
}

/// The beginning that all have; none of none.
fn common(candidates: &[Candidate]) -> Option<String> {
    let (first, rest) = candidates.split_first()?;
    let mut common: Vec<char> = first.text.chars().collect();
    for candidate in rest {
        let same = common.iter().zip(candidate.text.chars()).take_while(|(one, other)| same_letter(**one, *other));
        let length = same.count();
        common.truncate(length);
    }
    Some(common.into_iter().collect())
}

fn same_letter(one: char, other: char) -> bool {
    one.to_lowercase().eq(other.to_lowercase())
}

/// Room for names: what they are stays near them.
const NAME_WIDTH_MAX: usize = 32;
/// Said where nothing known begins with the word.
const NOTHING_HINT: &str = "nothing known begins so";
/// Said where there is no word.
const EMPTY_HINT: &str = "Tab completes a name, a /command or an @file";
/// Said before the data is there.
const LOADING_HINT: &str = "the data is still being read";

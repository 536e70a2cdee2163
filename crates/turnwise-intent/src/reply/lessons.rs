//! What the head of replies learns from: sentences made of the frames of `lessons.txt`.
//!
//! Thousands of sentences are made of some hundred frames by hand, in many scenes, and typed in several styles. They
//! are drawn by a fixed order of numbers, so that the same frames give the same sentences everywhere. A sentence knows
//! its frame, its scene and its style, because who is judged by sentences of a frame must not have learned from it.
//! Next:
//! `styles`, `training`.

use std::collections::BTreeMap;

use super::styles::{Draws, Style, typed};
use super::wording;

/// What is said to an open question, as the head tells it apart. Only [`Meaning::Yes`] is acted on; the others are
/// there because a yes is learned best against what it is mistaken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// Consent.
    Yes,
    /// A no, or "drop it".
    No,
    /// Something different is wanted.
    Change,
    /// Not yet, perhaps, or under a condition.
    Hold,
    /// A question.
    Question,
    /// No answer to it.
    Other,
}

impl Meaning {
    /// All of them, in the order of the head's classes.
    pub const ALL: [Self; 6] = [Self::Yes, Self::No, Self::Change, Self::Hold, Self::Question, Self::Other];

    /// Its section in `lessons.txt`, and its class in the head.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Change => "change",
            Self::Hold => "hold",
            Self::Question => "question",
            Self::Other => "other",
        }
    }
}

/// A sentence with what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// As a person would type it.
    pub text: String,
    /// What it means.
    pub meaning: Meaning,
    /// The frame it was made of, counted from 0.
    pub frame: usize,
    /// The scene it plays in, counted from 0.
    pub scene: usize,
    /// How it is typed.
    pub style: Style,
}

/// The frames, as they are written.
pub(super) const FRAMES: &str = include_str!("../../data/replies/lessons.txt");

/// How often a frame that means yes is drawn, and how often any other.
const YES_DRAWS: u64 = 16;
const OTHER_DRAWS: u64 = 12;
/// Slots within slots that are filled; no frame nests deeper.
const DEPTH_MAX: usize = 6;

/// The sentences, each once.
#[must_use]
pub fn lessons() -> Vec<Lesson> {
    let (written, shorts) = (Written::parse(FRAMES), wording::shorts());
    let mut lessons: Vec<Lesson> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (frame, (meaning, text)) in written.frames.iter().enumerate() {
        let times = if *meaning == Meaning::Yes { YES_DRAWS } else { OTHER_DRAWS };
        for time in 0..times {
            let mut draws = Draws::from(&[text.len() as u64, frame as u64, time]);
            let scene = draws.number(written.scenes.len());
            let style = Style::DRAWN[draws.number(Style::DRAWN.len())];
            let drawn = written.filled(text, &written.scenes[scene], &mut draws, 0);
            let text = typed(&drawn, style, &shorts, &mut draws);
            let key = text.to_lowercase();
            if text.is_empty() || known.contains_key(&key) {
                continue;
            }
            known.insert(key, lessons.len());
            lessons.push(Lesson { text, meaning: *meaning, frame, scene, style });
        }
    }
    lessons
}

/// How many scenes there are.
#[cfg(test)]
fn scenes() -> usize {
    Written::parse(FRAMES).scenes.len()
}

/// `lessons.txt`, taken apart.
#[derive(Default)]
struct Written<'t> {
    fillers: BTreeMap<&'t str, Vec<&'t str>>,
    scenes: Vec<BTreeMap<&'t str, Vec<&'t str>>>,
    frames: Vec<(Meaning, &'t str)>,
}

/// What the lines of a section are.
enum Section<'t> {
    Filler(&'t str),
    Scene,
    Frames(Meaning),
}

impl<'t> Written<'t> {
    fn parse(text: &'t str) -> Self {
        let mut written = Self::default();
        let mut section = None;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = Some(written.begin(name));
                continue;
            }
            match &section {
                Some(Section::Filler(name)) => written.fillers.entry(name).or_default().push(line),
                Some(Section::Frames(meaning)) => written.frames.push((*meaning, line)),
                Some(Section::Scene) => {
                    if let (Some(scene), Some((slot, fillers))) = (written.scenes.last_mut(), line.split_once(": ")) {
                        scene.insert(slot, fillers.split(" | ").collect());
                    }
                }
                None => {}
            }
        }
        written
    }

    fn begin(&mut self, name: &'t str) -> Section<'t> {
        if let Some(name) = name.strip_prefix("fill ") {
            return Section::Filler(name);
        }
        match Meaning::ALL.into_iter().find(|meaning| meaning.name() == name) {
            Some(meaning) => Section::Frames(meaning),
            None => {
                self.scenes.push(BTreeMap::new());
                Section::Scene
            }
        }
    }

    /// `frame` with one of each choice taken and each slot filled.
    fn filled(&self, frame: &str, scene: &BTreeMap<&'t str, Vec<&'t str>>, draws: &mut Draws, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = frame;
        while let Some(at) = rest.find(['(', '{']) {
            out.push_str(&rest[..at]);
            let closes = if rest[at..].starts_with('(') { ')' } else { '}' };
            let Some(end) = rest[at..].find(closes).map(|end| at + end).filter(|_| depth < DEPTH_MAX) else { break };
            let inside = &rest[at + 1..end];
            let chosen = if closes == ')' {
                let choices: Vec<&str> = inside.split('|').collect();
                draws.of(&choices)
            } else {
                let fillers = scene.get(inside).or_else(|| self.fillers.get(inside));
                fillers.map_or(inside, |fillers| draws.of(fillers))
            };
            out.push_str(&self.filled(chosen, scene, draws, depth + 1));
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Meaning, lessons, scenes};

    #[test]
    fn there_are_thousands_of_replies_from_many_frames_and_scenes() {
        let lessons = lessons();
        let frames = |meaning| {
            lessons.iter().filter(|one| one.meaning == meaning).map(|one| one.frame).collect::<BTreeSet<_>>().len()
        };
        assert!(lessons.len() >= 5_000, "{}", lessons.len());
        assert!(scenes() >= 6, "{}", scenes());
        assert!(frames(Meaning::Yes) >= 150, "{}", frames(Meaning::Yes));
        assert!(Meaning::ALL.into_iter().all(|meaning| frames(meaning) >= 40));
    }

    #[test]
    fn every_choice_is_taken_and_every_slot_filled() {
        let open: Vec<String> =
            lessons().into_iter().map(|one| one.text).filter(|text| text.contains(['(', ')', '{', '}', '|'])).collect();
        assert_eq!(open, Vec::<String>::new());
    }
}

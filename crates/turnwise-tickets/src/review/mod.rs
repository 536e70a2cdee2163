//! Reviews: a proposal looked at by personas, each with a list of what it looks for. The first is full; later ones tell
//! what is new and nothing else. It is found by words, so it says what the text speaks of and what it leaves out, and
//! never pretends to understand more. Next: `words.yaml` for the lists.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use turnwise_core::text;
use turnwise_intent::behaviour::tickets::PATCH_BULLETS_MAX;

use crate::draft::sentences;
use crate::words::{says_any, words};

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persona {
    /// How it holds together.
    Architecture,
    /// Who could harm it.
    Security,
    /// What it is for.
    Product,
}

/// A review of a thread, as it is kept: what was found, never the text it was found in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Review {
    /// What it is about, in short.
    pub summary: String,
    /// Who looked.
    pub personas: Vec<Persona>,
    /// Counts up with each that found something new.
    pub version: u32,
    /// Whether somebody said that it is done: it stays for a ticket and continues nothing.
    pub frozen: bool,
    /// What was decided, in the words it was said in.
    pub decisions: Vec<String>,
    /// What is spoken of, by the name of the point.
    pub covered: BTreeSet<String>,
    /// What is asked.
    pub questions: Vec<String>,
    /// What somebody said may go wrong.
    pub risks: Vec<String>,
    /// What earlier patches had no room for: the name of its section, and the bullet.
    pub untold: Vec<(String, String)>,
    /// When it was made or added to, in milliseconds since 1970.
    pub looked_at: u64,
    /// Which of the decisions, questions and risks people said among themselves: they go when nobody says them there
    /// any more, because a message was edited or deleted.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub overheard: BTreeSet<String>,
}

impl Persona {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Architecture, Self::Security, Self::Product];

    /// As people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Architecture => "architecture",
            Self::Security => "security",
            Self::Product => "product",
        }
    }

    /// Those that `request` names; without one it is the architecture.
    #[must_use]
    pub fn named(request: &str) -> Vec<Self> {
        let said = text::words(request);
        let names = |persona: &Self| match persona {
            Self::Architecture => ["architecture", "design", "technical"].as_slice(),
            Self::Security => &["security", "secure", "threat", "threats"],
            Self::Product => &["product", "user", "business"],
        };
        let is_named = |persona: &Self| said.iter().any(|word| names(persona).contains(&word.as_str()));
        let named: Vec<Self> = Self::ALL.into_iter().filter(is_named).collect();
        if named.is_empty() { vec![Self::Architecture] } else { named }
    }
}

impl Review {
    /// A first review of `said`, asked for with `request`.
    #[must_use]
    pub fn of(request: &str, said: &[String]) -> Self {
        let mut review = Self {
            summary: text::clip(&subject(request, said), SUMMARY_WIDTH),
            personas: Persona::named(request),
            version: 1,
            ..Self::default()
        };
        // The order itself is no part of what is reviewed; what stands behind it is.
        let behind: Vec<String> = sentences(request).into_iter().skip(1).collect();
        review.take(&behind.join(" "));
        review.note(request);
        said.iter().for_each(|said| drop(review.take(said)));
        review
    }

    /// Takes in what was said; gives the names of the points it speaks of for the first time.
    fn take(&mut self, said: &str) -> Vec<String> {
        for sentence in sentences(said) {
            let spoken = text::words(&sentence);
            if is_decision(&spoken) && !self.decisions.contains(&sentence) {
                self.decisions.push(sentence.clone());
            }
            if is_risk(&spoken) && !self.risks.contains(&sentence) {
                self.risks.push(sentence.clone());
            }
            if sentence.ends_with('?') && !self.questions.contains(&sentence) {
                self.questions.push(sentence);
            }
        }
        self.note(said)
    }

    /// Notes the points that `said` speaks of, and gives those that are new.
    fn note(&mut self, said: &str) -> Vec<String> {
        let spoken = text::words(said);
        let points = self.points().filter(|(_, point)| says_any(&spoken, &point.says));
        let new: Vec<String> =
            points.map(|(_, point)| point.name.clone()).filter(|name| !self.covered.contains(name)).collect();
        self.covered.extend(new.iter().cloned());
        new
    }

    fn points(&self) -> impl Iterator<Item = (Persona, &'static crate::words::Point)> {
        let lists = words().reviews.iter().filter(|list| self.personas.contains(&list.persona));
        lists.flat_map(|list| list.points.iter().map(|point| (list.persona, point)))
    }

    fn open(&self) -> Vec<(Persona, &'static crate::words::Point)> {
        self.points().filter(|(_, point)| !self.covered.contains(&point.name)).collect()
    }

    /// The whole review.
    #[must_use]
    pub fn full(&self) -> String {
        let names: Vec<&str> = self.personas.iter().map(|persona| persona.name()).collect();
        let mut told = format!("Review v{} ({}): {}", self.version, names.join(", "), self.summary);
        section(&mut told, "Decisions", &self.decisions);
        let covered: Vec<String> = self
            .points()
            .filter(|(_, point)| self.covered.contains(&point.name))
            .map(|(_, p)| p.name.clone())
            .collect();
        section(&mut told, "Spoken of", &covered);
        let open = self.open().into_iter().map(|(persona, point)| format!("{} ({})", point.risk, persona.name()));
        let risks: Vec<String> = self.risks.iter().cloned().chain(open).collect();
        section(&mut told, "Risks", &risks);
        let asks = self.open().into_iter().map(|(_, point)| point.asks.clone());
        let questions: Vec<String> = self.questions.iter().cloned().chain(asks).collect();
        section(&mut told, "Open questions", &questions);
        told.push_str("\nFound by words: a point counts as spoken of when its words occur.");
        told
    }

    /// The whole review, for somebody who asked for it: no later patch tells them what earlier ones had no room for.
    pub fn tell_whole(&mut self) -> String {
        self.untold.clear();
        self.full()
    }

    /// Whether the same was asked for so short a time before that it was hardly meant twice.
    #[must_use]
    pub fn is_repeated(&self, other: &Self, now: u64) -> bool {
        let is_same = self.summary == other.summary && self.personas == other.personas;
        is_same && !self.frozen && now.saturating_sub(self.looked_at) < COOLDOWN_MS
    }

    /// Takes out what was overheard and does not stand in `talk`, the whole of it, any more; gives it. What stands
    /// there counts as overheard from here on.
    pub fn recheck(&mut self, talk: &[String]) -> Vec<String> {
        let says: BTreeSet<String> = talk.iter().flat_map(|said| sentences(said)).collect();
        let gone: Vec<String> = self.overheard.iter().filter(|said| !says.contains(*said)).cloned().collect();
        for list in [&mut self.decisions, &mut self.questions, &mut self.risks] {
            list.retain(|said| !gone.contains(said));
        }
        self.untold.retain(|(_, bullet)| !gone.contains(bullet));
        let noted = self.decisions.iter().chain(&self.questions).chain(&self.risks);
        self.overheard = noted.filter(|said| says.contains(*said)).cloned().collect();
        gone
    }

    /// What `said` adds, that `gone` was taken out, and what earlier patches had no room for: the sections of a later
    /// review, at most twelve bullets together, and how many more there are. None where there is nothing to tell;
    /// without anything new the version stays.
    pub fn patch(&mut self, said: &str, gone: &[String]) -> Option<String> {
        let (decisions, questions, risks) = (self.decisions.len(), self.questions.len(), self.risks.len());
        let covered = self.take(said);
        let changes = covered.iter().map(|name| format!("{name} is spoken of now"));
        let changes: Vec<String> = changes.chain(gone.iter().map(|gone| format!("no longer said: {gone}"))).collect();
        let since = format!("Changes since v{}", self.version);
        let mut bullets = std::mem::take(&mut self.untold);
        let before = bullets.len();
        for (name, new) in [
            (DECISIONS, &self.decisions[decisions..]),
            (RISKS, &self.risks[risks..]),
            (QUESTIONS, &self.questions[questions..]),
            (since.as_str(), changes.as_slice()),
        ] {
            bullets.extend(new.iter().map(|bullet| (name.to_owned(), bullet.clone())));
        }
        if bullets.is_empty() {
            return None;
        }
        let mut told = if bullets.len() > before {
            self.version += 1;
            format!("Review v{}, what is new:", self.version)
        } else {
            format!("Review v{}, the rest of what was new:", self.version)
        };
        self.untold = bullets.split_off(bullets.len().min(PATCH_BULLETS_MAX));
        let rank =
            |name: &str| [DECISIONS, RISKS, QUESTIONS].iter().position(|known| *known == name).unwrap_or(usize::MAX);
        bullets.sort_by_key(|(name, _)| rank(name));
        for of_one in bullets.chunk_by(|(left, _), (right, _)| left == right) {
            let shown: Vec<String> = of_one.iter().map(|(_, bullet)| bullet.clone()).collect();
            section(&mut told, &of_one[0].0, &shown);
        }
        match self.untold.len() {
            0 => {}
            more @ 1..=UNTOLD_MAX => {
                told.push_str(&format!(
                    "\nAnd {more} more: the next patch tells them, “show full review” all there is."
                ));
            }
            more => {
                self.untold.truncate(UNTOLD_MAX);
                told.push_str(&format!(
                    "\nAnd {more} more: later patches tell {UNTOLD_MAX} of them, “show full review” all there is."
                ));
            }
        }
        Some(told)
    }
}

/// The sections of a patch.
const DECISIONS: &str = "New decisions";
const RISKS: &str = "New risks";
const QUESTIONS: &str = "New open questions";

/// Whether a sentence says that something may go wrong.
fn is_risk(spoken: &[String]) -> bool {
    words().signs.iter().any(|sign| sign.field == crate::draft::Field::Risks && says_any(spoken, &sign.says))
}

fn section(told: &mut String, name: &str, bullets: &[String]) {
    if bullets.is_empty() {
        return;
    }
    // Writing to a string cannot fail.
    let _ = write!(told, "\n{name}:");
    for bullet in bullets {
        let _ = write!(told, "\n- {bullet}");
    }
}

/// Whether a sentence says that something is settled.
pub(crate) fn is_decision(spoken: &[String]) -> bool {
    const SAYS: [&str; 9] = [
        "we decided",
        "we will use",
        "we'll use",
        "we go with",
        "we are going with",
        "let's use",
        "let us use",
        "decision",
        "agreed to",
    ];
    SAYS.iter().any(|phrase| crate::words::says(spoken, phrase))
}

/// What is reviewed: the words behind the order, or what was said before where the order only points.
fn subject(request: &str, said: &[String]) -> String {
    let words = text::words(request);
    let is_pointer = |word: &String| crate::words::words().pointers.contains(word);
    let points = words.len() <= ORDER_WORDS && (words.len() <= BARE_WORDS || words.iter().any(is_pointer));
    // What is proposed takes more words than what is said to it; of two as long the later one is meant.
    let proposed = said.iter().max_by_key(|said| text::words(said).len());
    match (points, proposed) {
        (true, Some(proposed)) => proposed.clone(),
        _ => request.to_owned(),
    }
}

/// Bullets that wait for later patches; more of them would be told when nobody thinks of them any more.
const UNTOLD_MAX: usize = 48;
/// A minute: who asks for the same review within it pressed twice, or two people asked at once.
const COOLDOWN_MS: u64 = 60_000;
/// “Review this architecture please” says no more than that.
const ORDER_WORDS: usize = 5;
/// “Review please” names nothing to review.
const BARE_WORDS: usize = 2;
/// Characters of a summary.
const SUMMARY_WIDTH: usize = 140;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_review_names_what_is_left_out_and_a_later_one_only_what_is_new() {
        let said = ["We will use Postgres behind an API. It has to take 200 requests per second.".to_owned()];
        let mut review = Review::of("Review this architecture", &said);
        let full = review.full();
        assert!(full.contains("Review v1 (architecture)"), "{full}");
        assert!(full.contains("- We will use Postgres behind an API."), "{full}");
        assert!(full.contains("- There is no way back if the rollout goes wrong. (architecture)"), "{full}");
        assert!(!full.contains("No load is named"), "{full}");
        let patch = review.patch("We decided on a canary rollout. Who pays?", &[]).unwrap_or_default();
        assert_eq!(
            patch,
            "Review v2, what is new:\nNew decisions:\n- We decided on a canary rollout.\nNew open questions:\n- Who \
             pays?\nChanges since v1:\n- rollout is spoken of now"
        );
        assert_eq!(review.patch("nothing to see here", &[]), None);
        assert_eq!(
            review.patch("We decided on a canary rollout. Who pays?", &[]),
            None,
            "what was told once is not new"
        );
        assert!(
            review
                .patch("It might break old clients.", &[])
                .is_some_and(|patch| patch.contains("New risks:\n- It might"))
        );
    }

    #[test]
    fn what_nobody_says_any_more_goes_and_what_was_said_to_the_bot_stays() {
        let talk = |said: &[&str]| said.iter().map(|said| (*said).to_owned()).collect::<Vec<_>>();
        let mut review = Review::of("Review this. We will use Kafka.", &talk(&["We decided on one queue. Who pays?"]));
        assert_eq!(review.recheck(&talk(&["We decided on one queue. Who pays?"])), talk(&[]));
        let now = talk(&["We decided on two queues. Who pays?"]);
        let gone = review.recheck(&now);
        assert_eq!(gone, ["We decided on one queue."]);
        assert_eq!(
            review.patch(&now.join("\n"), &gone).unwrap_or_default(),
            "Review v2, what is new:\nNew decisions:\n- We decided on two queues.\nChanges since v1:\n- no longer \
             said: We decided on one queue."
        );
        assert_eq!(review.decisions, ["We will use Kafka.", "We decided on two queues."]);
    }

    #[test]
    fn a_patch_has_at_most_twelve_bullets() {
        let mut review = Review::of("Review this architecture", &[]);
        let many: Vec<String> = (0..20).map(|n| format!("We decided on thing {n}.")).collect();
        let patch = review.patch(&many.join(" "), &[]).unwrap_or_default();
        assert_eq!(patch.matches("\n- ").count(), PATCH_BULLETS_MAX);
        assert!(patch.ends_with("And 8 more: the next patch tells them, “show full review” all there is."), "{patch}");
        let rest = review.patch("Who pays?", &[]).unwrap_or_default();
        assert!(rest.starts_with("Review v3, what is new:\nNew decisions:\n- We decided on thing 12."), "{rest}");
        assert!(rest.ends_with("- We decided on thing 19.\nNew open questions:\n- Who pays?"), "{rest}");
        assert_eq!(review.patch("nothing to see here", &[]), None);
    }

    #[test]
    fn what_no_patch_had_room_for_is_limited_and_is_not_told_again_behind_the_whole() {
        let mut review = Review::of("Review this architecture", &[]);
        let many: Vec<String> = (0..80).map(|n| format!("We decided on thing {n}.")).collect();
        let patch = review.patch(&many.join(" "), &[]).unwrap_or_default();
        assert!(patch.contains("And 68 more: later patches tell 48 of them"), "{patch}");
        assert_eq!(review.untold.len(), UNTOLD_MAX);
        assert!(review.tell_whole().contains("- We decided on thing 79."));
        assert_eq!(review.patch("nothing to see here", &[]), None);
    }
}

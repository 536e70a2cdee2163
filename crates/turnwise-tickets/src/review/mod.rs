//! Reviews: a proposal looked at by personas, each with a list of what it looks for. The first is full; later ones tell
//! what is new and nothing else. It is found by words, so it says what the text speaks of and what it leaves out, and
//! never pretends to understand more. Next: `said` for what a sentence says, `words.yaml` for the lists.

mod said;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use turnwise_core::text;
use turnwise_intent::behaviour::tickets::PATCH_BULLETS_MAX;

pub(crate) use self::said::is_decision;
use self::said::{is_rate, is_risk};
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
        let is_named = |persona: &Self| said.iter().any(|word| persona.is_named_by(word));
        let named: Vec<Self> = Self::ALL.into_iter().filter(is_named).collect();
        if named.is_empty() { vec![Self::Architecture] } else { named }
    }

    fn is_named_by(self, word: &str) -> bool {
        let names = match self {
            Self::Architecture => ["architecture", "design", "technical"].as_slice(),
            Self::Security => &["security", "secure", "threat", "threats"],
            Self::Product => &["product", "user", "business"],
        };
        names.contains(&word)
    }
}

impl Review {
    /// A first review of `said`, asked for with `request`.
    #[must_use]
    pub fn of(request: &str, said: &[String]) -> Self {
        // The order itself is no part of what is reviewed; what stands behind it is, in its own sentence or further on.
        let mut all = sentences(request).into_iter();
        let order = all.next().unwrap_or_default();
        let told = order.split_once(": ").map(|(_, told)| told.to_owned());
        let behind: Vec<String> = told.into_iter().chain(all).collect();
        Self::begun(request, &behind.join(" "), said)
    }

    /// A first review of `said` and of `proposal`, which is no order of one.
    #[must_use]
    pub fn of_proposal(proposal: &str, said: &[String]) -> Self {
        Self::begun(proposal, proposal, said)
    }

    fn begun(request: &str, proposed: &str, said: &[String]) -> Self {
        let mut review = Self {
            summary: text::clip(&subject(request, said), SUMMARY_WIDTH),
            personas: Persona::named(request),
            version: 1,
            ..Self::default()
        };
        review.take(proposed);
        review.note(request);
        said.iter().for_each(|said| drop(review.take(said)));
        review
    }

    /// Takes in what was said; gives the names of the points it speaks of for the first time.
    fn take(&mut self, said: &str) -> Vec<String> {
        for sentence in sentences(said) {
            let spoken = text::words(&sentence);
            let asks = sentence.ends_with('?');
            if !asks && is_decision(&spoken) && !self.decisions.contains(&sentence) {
                self.decisions.push(sentence.clone());
            }
            if !asks && is_risk(&spoken) && !self.risks.contains(&sentence) {
                self.risks.push(sentence.clone());
            }
            if asks && !self.questions.contains(&sentence) {
                self.questions.push(sentence);
            }
        }
        self.note(said)
    }

    /// Notes the points that `said` speaks of, and gives those that are new.
    fn note(&mut self, said: &str) -> Vec<String> {
        let spoken = text::words(said);
        let says_rate = sentences(said).iter().any(|sentence| is_rate(&text::words(sentence)));
        let is_spoken = |point: &crate::words::Point| says_any(&spoken, &point.says) || (point.rate && says_rate);
        let points = self.points().filter(|(_, point)| is_spoken(point));
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

/// What is reviewed: the words behind the order, or what was said before where the order only points.
fn subject(request: &str, said: &[String]) -> String {
    // What is proposed takes more words than what is said to it; of two as long the later one is meant.
    let proposed = said.iter().max_by_key(|said| text::words(said).len());
    match (only_points(request), proposed) {
        (true, Some(proposed)) => proposed.clone(),
        _ => request.to_owned(),
    }
}

/// Whether an order names nothing itself: “review this design”, “look at it from a security point of view”.
fn only_points(request: &str) -> bool {
    let words = text::words(request);
    let is_pointer = |word: &String| crate::words::words().pointers.contains(word);
    if words.len() <= BARE_WORDS {
        return true;
    }
    let Some(pointer) = words.iter().position(is_pointer) else { return false };
    if words.len() <= ORDER_WORDS {
        return true;
    }
    let behind = &words[pointer + 1..];
    let is_form = behind.first().is_some_and(|word| FORMS.contains(&word.as_str()));
    let behind = &behind[usize::from(is_form)..];
    let tells_how = behind.first().is_some_and(|word| HOW.contains(&word.as_str()));
    let names_persona = || Persona::ALL.iter().any(|persona| behind.iter().any(|word| persona.is_named_by(word)));
    pointer <= ORDER_WORDS && (behind.is_empty() || (tells_how && names_persona() && behind.len() <= HOW_WORDS))
}

/// Bullets that wait for later patches; more of them would be told when nobody thinks of them any more.
const UNTOLD_MAX: usize = 48;
/// A minute: who asks for the same review within it pressed twice, or two people asked at once.
const COOLDOWN_MS: u64 = 60_000;
/// “Review this architecture please” says no more than that.
const ORDER_WORDS: usize = 5;
/// What a proposal may be.
const FORMS: [&str; 8] = ["architecture", "design", "proposal", "plan", "approach", "idea", "flow", "schema"];
/// What begins how it is looked at.
const HOW: [&str; 6] = ["from", "for", "with", "as", "in", "regarding"];
/// Words of that: “from a security point of view please”.
const HOW_WORDS: usize = 8;
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
    fn what_stands_behind_the_order_is_reviewed_and_an_order_that_only_points_is_no_subject() {
        let review = Review::of("Review this proposal: we decided to use Kafka. It may break old clients.", &[]);
        assert_eq!(review.decisions, ["we decided to use Kafka."]);
        assert_eq!(review.risks, ["It may break old clients."]);
        let review = Review::of_proposal("Risk: tokens can be stolen", &[]);
        assert_eq!(review.risks, ["Risk: tokens can be stolen"]);
        let said = ["Every service reads its rows from one database".to_owned()];
        for order in [
            "review this design",
            "review it from a security point of view",
            "please look at this proposal with security in mind",
        ] {
            assert_eq!(Review::of(order, &said).summary, said[0], "{order}");
        }
        for order in ["review this design of the queue and its security", "review the login that we have for users"] {
            assert_eq!(Review::of(order, &said).summary, order);
        }
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

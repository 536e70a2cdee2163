//! Any question of the suites with a word too many, or with another word in its place: the outcome is never the same
//! plan without the word being named. Next: `data`.

use turnwise_core::{DraftOutcome, PlanDraft};

use crate::data::{self, SETS, Set, does, draft};

/// Adjectives, verbs and adverbs of no particular data.
const WORDS: [&str; 39] = [
    "angry",
    "fragile",
    "urgent",
    "broken",
    "loyal",
    "dormant",
    "seasonal",
    "foreign",
    "unhappy",
    "eligible",
    "stopped",
    "refused",
    "refunded",
    "abandoned",
    "inspected",
    "doubled",
    "complained",
    "recommended",
    "vanished",
    "expired",
    "rarely",
    "barely",
    "reluctantly",
    "seldom",
    "recently",
    "formerly",
    "abroad",
    "online",
    "twice",
    "almost",
    "ever",
    "still",
    "again",
    "never",
    "not",
    "different",
    "except",
    "tractors",
    "aquariums",
];
/// Questions tried for each set.
const TRIED: usize = 40;

/// Marsaglia's xorshift: the same questions on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }
}

fn plan(set: &Set, question: &str) -> Option<PlanDraft> {
    match draft(&set.analyst, question) {
        DraftOutcome::Ready { plan, .. } => Some(plan),
        DraftOutcome::Unclear { .. }
        | DraftOutcome::Impossible { .. }
        | DraftOutcome::Several { .. }
        | DraftOutcome::Answered { .. } => None,
    }
}

/// Names of tables and columns that the plan does not read.
fn other_names(set: &Set, plan: &PlanDraft) -> Vec<String> {
    let read = does(plan).join(" ").to_lowercase();
    let tables = set.analyst.overview().tables;
    let names = tables.into_iter().flat_map(|table| table.columns.into_iter().chain([table.name]));
    let single = |name: &String| name.len() > 4 && name.chars().all(|c| c.is_ascii_lowercase());
    names.filter(single).filter(|name| !read.contains(name.trim_end_matches('s'))).collect()
}

fn violations(set: &Set, seed: u64) -> Vec<String> {
    let mut chance = Chance(seed);
    let mut found = Vec::new();
    for _ in 0..TRIED {
        let question = &set.questions[chance.below(set.questions.len())];
        let words: Vec<&str> = question.split_whitespace().collect();
        let Some(base) = plan(set, question).filter(|_| !question.contains(['"', '“'])) else { continue };
        let mut names = other_names(set, &base);
        names.extend(WORDS.map(str::to_owned));
        let word = &names[chance.below(names.len())];
        let at = chance.below(words.len());
        let swapped = chance.below(2);
        let changed = [&words[..at], &[word.as_str()], &words[at + swapped..]].concat().join(" ");
        let said = format!("“{word}”");
        // The rows of a table are different anyway.
        let next = words.get(at + swapped).map_or("", |next| next.trim_end_matches(['s', '?', ',']));
        if word == "different" && does(&base).join(" ").to_lowercase().contains(&next.to_lowercase()) {
            continue;
        }
        if let Some(other) = plan(set, &changed).filter(|other| does(other) == does(&base))
            && !other.assumptions.iter().any(|assumption| assumption.contains(&said))
        {
            found.push(format!("{}: {changed}", set.name));
        }
    }
    found
}

#[test]
fn a_word_too_many_is_never_lost() {
    let sets = SETS.into_iter().map(data::set).chain([data::shop()]);
    let seed = 0x9e37_79b9_7f4a_7c15;
    let found: Vec<String> = sets.zip(1..).flat_map(|(set, at)| violations(&set, seed + at)).collect();
    assert!(found.is_empty(), "the same plan, and nothing is said of the word:\n{}", found.join("\n"));
}

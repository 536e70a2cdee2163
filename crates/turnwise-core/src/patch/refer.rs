//! Steps as people refer to them: "step 2", "steps 1-3", "the last one", "the first two", "the compare step", "the
//! saving". Next: `frames`, in which references stand.

use super::PatchError;
use super::tokens::{PART, Token};
use crate::numerals::{number_of, ordinal_of};
use crate::{EffectClass, PlanDraft, Step, StepId, text};

/// Steps that words refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) steps: Vec<StepId>,
    /// Whether they can mean nothing but steps of a plan: the word "step" stands in them, or a step's own words do.
    pub(super) is_plain: bool,
    /// Whether a step's own words say which, rather than its number or place.
    pub(super) by_words: bool,
}

/// A plan as words refer to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps<'a> {
    pub(super) draft: &'a PlanDraft,
}

/// What is made of one part of a reference.
struct Part {
    steps: Vec<StepId>,
    is_plain: bool,
    /// Words taken.
    taken: usize,
}

impl Steps<'_> {
    /// The steps `words` refer to, all of them and nothing else.
    ///
    /// # Errors
    /// When they fit several steps.
    pub(super) fn referred(self, words: &[Token]) -> Result<Option<Reference>, PatchError> {
        let words = without_ends(words);
        if let Some(reference) = self.by_numbers(words) {
            // A bare number beyond the plan is something else: a year, an amount.
            let is_there = |step: &StepId| (1..=self.count()).contains(&step.number());
            return Ok(Some(reference).filter(|found| found.is_plain || found.steps.iter().all(is_there)));
        }
        self.by_words(words)
    }

    /// How many there are.
    pub(super) fn count(self) -> u32 {
        u32::try_from(self.draft.steps.len()).unwrap_or(u32::MAX)
    }

    /// The steps that change something.
    pub(super) fn changing(self) -> Vec<StepId> {
        self.draft.steps.iter().filter(|step| step.effect != EffectClass::Pure).map(|step| step.id).collect()
    }

    /// `steps`, and those whose findings nothing but them needs and nobody is shown. What a step with an effect is
    /// given first is what it is done with; it stays, and is shown in its place.
    pub(super) fn with_servants(self, mut steps: Vec<StepId>) -> Vec<StepId> {
        let all = &self.draft.steps;
        let given = |step: &Step| step.needs.first().cloned();
        loop {
            let (gone, left): (Vec<&Step>, Vec<&Step>) = all.iter().partition(|step| steps.contains(&step.id));
            let gone: Vec<&Step> = gone.into_iter().filter(|step| step.effect != EffectClass::Pure).collect();
            let serves = |step: &&&Step| {
                let is_for = |other: &&&Step| other.needs.iter().any(|fact| step.produces.contains(fact));
                let is_given = |other: &&&Step| given(other).is_some_and(|fact| step.produces.contains(&fact));
                let for_gone = gone.iter().any(|other| is_for(&other) && !is_given(&other));
                let shown = self.draft.concludes(step) || gone.iter().any(|other| is_given(&other));
                step.effect == EffectClass::Pure && for_gone && !shown && !left.iter().any(|other| is_for(&other))
            };
            let more: Vec<StepId> = left.iter().filter(serves).map(|step| step.id).collect();
            if more.is_empty() {
                steps.sort_unstable();
                return steps;
            }
            steps.extend(more);
        }
    }

    /// The steps named by number anywhere in `words`.
    pub(super) fn mentioned(self, words: &[Token]) -> Vec<StepId> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < words.len() {
            let longest = (words.len() - at).min(MENTION_WORDS_MAX);
            let named = (1..=longest).rev().find_map(|length| {
                let named = self.by_numbers(&words[at..at + length]).filter(|named| named.is_plain)?;
                Some((named.steps, length))
            });
            let (steps, taken) = named.unwrap_or_default();
            found.extend(steps.into_iter().filter(|step| !found.contains(step)).collect::<Vec<_>>());
            at += taken.max(1);
        }
        found
    }

    fn by_numbers(self, words: &[Token]) -> Option<Reference> {
        let mut rest = words;
        let mut reference = Reference { steps: Vec::new(), is_plain: false, by_words: false };
        let mut marked = false;
        while !rest.is_empty() {
            let part = self.part(rest, marked)?;
            marked |= part.is_plain;
            reference.is_plain |= part.is_plain;
            for step in part.steps {
                if !reference.steps.contains(&step) {
                    reference.steps.push(step);
                }
            }
            rest = &rest[part.taken..];
            let joining = rest.iter().take_while(|word| JOINING.contains(&word.text.as_str())).count();
            if !rest.is_empty() && joining == 0 {
                return None;
            }
            rest = &rest[joining..];
        }
        (!reference.steps.is_empty()).then_some(reference)
    }

    /// One item of a list; `marked` when "steps" was said before it.
    fn part(self, words: &[Token], marked: bool) -> Option<Part> {
        let the = usize::from(words.first().is_some_and(|word| word.text == "the"));
        let words_after = &words[the..];
        let said: Vec<&str> = words_after.iter().map(|word| word.text.as_str()).collect();
        let part = match said.as_slice() {
            [marker, first, "to" | "through" | "till" | "until", last, ..] if is_marker(marker) => {
                self.range(first, last, is_step(marker), 4)
            }
            [marker, "from", first, "to" | "through", last, ..] if is_marker(marker) => {
                self.range(first, last, is_step(marker), 5)
            }
            ["from", first, "to" | "through", last, ..] => self.range(first, last, marked, 4),
            [marker, number, ..] if is_marker(marker) && number_of(number).is_some() => {
                Some(Part { steps: self.one(number_of(number)?), is_plain: is_step(marker), taken: 2 })
            }
            [number, "to" | "through", last, ..] if number_of(number).is_some() => {
                self.range(number, last, marked || said.get(3).is_some_and(|word| is_noun(word)), 3)
            }
            ["first" | "last" | "final", count, ..] if number_of(count).is_some_and(|count| count > 1) => {
                self.end(said[0] == "first", number_of(count)?)
            }
            ["next", "to", "last", ..] => Some(Part { steps: self.counted_back(2), is_plain: false, taken: 3 }),
            ["second", "to", "last", ..] => Some(Part { steps: self.counted_back(2), is_plain: false, taken: 3 }),
            ["penultimate", ..] => Some(Part { steps: self.counted_back(2), is_plain: false, taken: 1 }),
            ["last" | "final", ..] => Some(Part { steps: self.counted_back(1), is_plain: false, taken: 1 }),
            ["both" | "all", ..] => self.whole(&said),
            [ordinal, ..] if ordinal_of(ordinal).is_some() => {
                Some(Part { steps: self.one(ordinal_of(ordinal)?), is_plain: false, taken: 1 })
            }
            [number, ..] if number_of(number).is_some() => {
                Some(Part { steps: self.one(number_of(number)?), is_plain: marked, taken: 1 })
            }
            _ => None,
        };
        let mut part = part?;
        // "the second one", "the last two steps": the noun may follow.
        if said.get(part.taken).is_some_and(|word| is_noun(word)) {
            part.is_plain |= said.get(part.taken).is_some_and(|word| is_step(word));
            part.taken += 1;
        }
        part.taken += the;
        Some(part)
    }

    fn range(self, first: &str, last: &str, is_plain: bool, taken: usize) -> Option<Part> {
        let (first, last) = (number_of(first)?, number_of(last)?);
        let (first, last) = (first.min(last), first.max(last));
        // Of a range that goes on beyond the plan, only the first step that is not there is of interest.
        let steps = (first..=last.min(self.count() + 1)).flat_map(|number| self.one(number)).collect();
        Some(Part { steps, is_plain, taken })
    }

    fn one(self, number: u32) -> Vec<StepId> {
        vec![StepId::new(number)]
    }

    fn counted_back(self, place: u32) -> Vec<StepId> {
        self.one((self.count() + 1).saturating_sub(place))
    }

    fn end(self, is_start: bool, count: u32) -> Option<Part> {
        let all = self.count();
        let steps = match is_start {
            true => (1..=count.min(all + 1)).map(StepId::new).collect(),
            false => (all.saturating_sub(count - 1).max(1)..=all).map(StepId::new).collect(),
        };
        Some(Part { steps, is_plain: false, taken: 2 })
    }

    fn whole(self, said: &[&str]) -> Option<Part> {
        let all: Vec<StepId> = self.draft.steps.iter().map(|step| step.id).collect();
        let of = said.iter().skip(1).take_while(|word| matches!(**word, "of" | "the" | "them")).count();
        let is_plain = said.get(1 + of).is_some_and(|word| is_step(word));
        let fits = said[0] == "all" || all.len() == 2;
        (fits && is_plain).then_some(Part { steps: all, is_plain, taken: 1 + of })
    }

    /// "the compare step" by any of its words; "the save", "saving it" by those of a step that changes something.
    fn by_words(self, words: &[Token]) -> Result<Option<Reference>, PatchError> {
        let said: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let says_step = said.iter().any(|word| is_step(word));
        let own: Vec<&str> = said.iter().copied().filter(|word| !is_step(word) && !EMPTY.contains(word)).collect();
        if own.is_empty() || own.len() > OWN_WORDS_MAX || said.contains(&PART) {
            return Ok(None);
        }
        let fitting = |is_of: fn(&Step, &str, bool) -> bool| -> Vec<StepId> {
            let is_meant = |step: &&Step| says_step || step.effect != EffectClass::Pure;
            let fits = |step: &&Step| own.iter().all(|word| is_of(step, word, says_step));
            self.draft.steps.iter().filter(is_meant).filter(fits).map(|step| step.id).collect()
        };
        // A step's very words before other words for the same: "the append" where one step appends and one saves.
        let (own_words, found) = (fitting(has_word), fitting(is_word_of));
        let found = if own_words.is_empty() { found } else { own_words };
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(Reference { steps: vec![*one], is_plain: true, by_words: true })),
            several => {
                let listed: Vec<String> = several.iter().map(|step| step.to_string()).collect();
                Err(PatchError::Ambiguous(own.join(" "), text::listed(&listed).replace(" and ", " or ")))
            }
        }
    }
}

impl Steps<'_> {
    /// Every step that all of `words` speak of, whatever it does: for sentences that can only be about steps.
    pub(super) fn spoken_of(self, words: &[Token]) -> Vec<StepId> {
        let own: Vec<&str> = words.iter().map(|word| word.text.as_str()).filter(|word| !EMPTY.contains(word)).collect();
        if own.is_empty() || own.len() > OWN_WORDS_MAX {
            return Vec::new();
        }
        let fits = |step: &&Step| own.iter().all(|word| is_step(word) || is_word_of(step, word, true));
        self.draft.steps.iter().filter(fits).map(|step| step.id).collect()
    }
}

/// Whether a step is spoken of by `word`: its tool, what it begins with, or with `any` whatever its description says.
fn has_word(step: &Step, word: &str, any: bool) -> bool {
    words_of(step, any).iter().any(|own| stem(own) == stem(word))
}

/// The same, also by other words for writing.
pub(super) fn is_word_of(step: &Step, word: &str, any: bool) -> bool {
    let writes = |word: &str| WRITING.iter().any(|other| stem(other) == stem(word));
    let same = |own: &String| stem(own) == stem(word) || (writes(own) && writes(word));
    words_of(step, any).iter().any(same)
}

fn words_of(step: &Step, any: bool) -> Vec<String> {
    let description = text::words(super::unnamed(&step.description));
    let kept = if any { description.len() } else { 1 };
    let tool = text::words(&step.tool.as_str().replace('_', " "));
    description.into_iter().take(kept).chain(tool).collect()
}

/// "saving", "saved", "save" and "saves" are one word here.
fn stem(word: &str) -> &str {
    let cut = ["ison", "ing", "ed", "es", "e", "s"].iter().find_map(|ending| word.strip_suffix(ending));
    cut.filter(|stem| stem.len() >= STEM_MIN).unwrap_or(word)
}

/// Words before a step's number.
fn is_marker(word: &str) -> bool {
    is_step(word) || matches!(word, "number" | "numbers" | "nr" | "stage" | "stages")
}

/// Words that can only speak of a plan.
fn is_step(word: &str) -> bool {
    matches!(word, "step" | "steps")
}

fn is_noun(word: &str) -> bool {
    is_marker(word) || matches!(word, "one" | "ones")
}

/// Without separators and articles around.
fn without_ends(words: &[Token]) -> &[Token] {
    let is_outside = |word: &Token| word.text == PART;
    let start = words.iter().take_while(|word| is_outside(word)).count();
    let end = words[start..].iter().rev().take_while(|word| is_outside(word)).count();
    &words[start..words.len() - end]
}

const JOINING: [&str; 4] = [PART, "and", "plus", "or"];
/// Words of a reference that say nothing about which step.
const EMPTY: [&str; 14] =
    ["the", "a", "an", "it", "that", "this", "them", "to", "result", "results", "rows", "any", "part", "of"];
/// Words for one thing: putting something where it stays.
const WRITING: [&str; 6] = ["write", "save", "store", "export", "append", "output"];
/// More words than these describe something else than a step.
const OWN_WORDS_MAX: usize = 4;
/// Words looked at together for a mention of steps.
const MENTION_WORDS_MAX: usize = 8;
/// Shortest stem that is compared.
const STEM_MIN: usize = 3;

//! The words of a follow-up with what stands for the last result put into nouns: "of those, which are from France?"
//! becomes "which singers are from France", and that it spoke of them is kept. Next: `make`, which makes the form.

use super::super::words::{Word, singular, split};
use super::about::About;

/// Words before a message that say nothing.
const OPENINGS: [&str; 14] =
    ["and", "now", "then", "ok", "okay", "so", "well", "please", "additionally", "plus", "but", "could", "can", "you"];
const MANY: [&str; 4] = ["them", "these", "those", "they"];
const TAKING: [&str; 6] = ["each", "every", "all", "any", "both", "of"];
const PREPOSITIONS: [&str; 14] =
    ["of", "for", "in", "at", "by", "from", "to", "with", "using", "on", "among", "about", "within", "between"];
/// What a result consists of, whatever it is about.
const RESULTS: [&str; 13] =
    ["result", "row", "one", "value", "list", "answer", "record", "entry", "item", "thing", "group", "case", "number"];
/// Words of a test behind "those".
const TESTS: [&str; 12] =
    ["with", "that", "which", "who", "whose", "over", "under", "above", "below", "having", "where", "without"];
const TO_BE: [&str; 6] = ["is", "are", "was", "were", "be", "from"];
/// Words that only order to show it: "show only the ones with …".
const ORDERS: [&str; 7] = ["show", "give", "list", "keep", "display", "me", "us"];
/// Times that are told by the day they are said on.
const OWN: [&str; 9] = ["year", "month", "week", "quarter", "day", "morning", "evening", "time", "data"];

/// A message, with what it says of the last result told apart from what it asks.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// The words with nouns in the place of what stands for something.
    pub text: String,
    /// The same in small letters, word by word.
    pub words: Vec<String>,
    /// The word that stands for the last result, as it was typed.
    pub of: Option<String>,
    /// Whether it asks for each of them.
    pub each: bool,
    /// Whether what stands for the last result stands for one: "she", "does it".
    pub one: bool,
    /// Whether something is said to be theirs.
    pub theirs: bool,
    /// "also", "too", "as well".
    pub also: bool,
    /// "only", "just".
    pub just: bool,
}

/// Whether nothing is said but that the others are meant: "the other ones", "show the rest".
pub fn is_others(said: &Said) -> bool {
    let words: Vec<&str> = said.words.iter().map(String::as_str).collect();
    let silent =
        ["show", "list", "give", "me", "what", "about", "how", "the", "all", "are", "only", "one", "ones", "of"];
    let named = words.iter().filter(|word| matches!(**word, "other" | "others" | "rest")).count();
    named == 1 && words.iter().all(|word| silent.contains(word) || matches!(*word, "other" | "others" | "rest"))
}

struct Reader<'a> {
    words: &'a [Word],
    about: &'a About,
    kept: Vec<Word>,
    said: Said,
}

/// Reads `text` beside a result about `about`.
pub fn read(text: &str, about: &About) -> Said {
    let words = split(text);
    let mut reader = Reader { words: &words, about, kept: Vec::new(), said: Said::default() };
    let mut at = 0;
    while at < words.len() {
        at += reader.take(at);
    }
    let mut said = reader.said;
    said.words = reader.kept.iter().map(|word| word.folded.clone()).collect();
    said.text = joined(&reader.kept);
    said
}

/// The words as one would type them, with their quotation marks.
fn joined(words: &[Word]) -> String {
    let mut text = String::new();
    let mut open = false;
    for (at, word) in words.iter().enumerate() {
        if !text.is_empty() {
            text.push(' ');
        }
        if word.quoted && !open {
            text.push('"');
            open = true;
        }
        if word.currency {
            text.push('$');
        }
        text.push_str(&word.raw);
        let goes_on = word.quoted && words.get(at + 1).is_some_and(|next| next.quoted) && !word.pause;
        if open && !goes_on {
            text.push('"');
            open = false;
        }
        if word.pause && at + 1 < words.len() {
            text.push(',');
        }
    }
    text
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).filter(|word| !word.quoted).map_or("", |word| word.folded.as_str())
    }

    fn is_about(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        self.about.stems.contains(&word.stem) || singular(&self.about.noun) == word.stem
    }

    /// How many words behind `at` name them or the result: "those two countries", "these results".
    fn nouns(&self, at: usize) -> usize {
        let number = usize::from(["two", "three", "four", "five", "ten"].contains(&self.word(at)));
        let mut end = at + number;
        while end < self.words.len()
            && (self.is_about(end) || RESULTS.contains(&self.words[end].stem.as_str()) || self.word(end) == "ids")
            && (end == at + number || !self.words[end - 1].pause)
        {
            end += 1;
        }
        if end == at + number { 0 } else { end - at }
    }

    fn stands(&mut self, at: usize) {
        let raw = self.words.get(at).map_or_else(String::new, |word| word.raw.clone());
        self.said.of.get_or_insert(raw);
    }

    fn push_noun(&mut self, several: bool, at: usize) {
        let text = if several { &self.about.plural } else { &self.about.noun };
        let mut words = split(text);
        let pause = self.words.get(at).is_some_and(|word| word.pause);
        if let Some(last) = words.last_mut() {
            last.pause = pause;
        }
        self.kept.extend(words);
    }

    /// Takes what stands at `at`; how many words that is.
    fn take(&mut self, at: usize) -> usize {
        let here = self.word(at).to_owned();
        let opening = self.kept.is_empty();
        if here.is_empty() {
            self.kept.push(self.words[at].clone());
            return 1;
        }
        if opening && OPENINGS.contains(&here.as_str()) {
            return 1;
        }
        if let Some(taken) = self.take_manner(at, &here) {
            return taken;
        }
        if opening && let Some(taken) = self.take_definite(at, &here) {
            return taken;
        }
        if opening && let Some(taken) = self.take_group(at, &here) {
            return taken;
        }
        if let Some(taken) = self.take_some_of(at, &here).or_else(|| self.take_pronoun(at, &here)) {
            return taken;
        }
        self.kept.push(self.words[at].clone());
        1
    }

    fn take_manner(&mut self, at: usize, here: &str) -> Option<usize> {
        let last = at + 1 == self.words.len();
        // "How many tracks does each have?" asks it for each.
        let each = self.word(at + 1) == "each" && matches!(here, "do" | "does" | "did");
        if each && at > 0 && matches!(self.word(at + 2), "have" | "has" | "") {
            self.stands(at + 1);
            self.said.each = true;
            return Some(3);
        }
        match here {
            "also" | "too" => self.said.also = true,
            "as" if self.word(at + 1) == "well" => {
                self.said.also = true;
                return Some(2);
            }
            "only" | "just" if last => self.said.just = true,
            "only" | "just" if self.kept.iter().all(|word| ORDERS.contains(&word.folded.as_str())) => {
                self.kept.clear();
                self.said.just = true;
            }
            "corresponding" | "respective" if self.said.theirs => {}
            _ => return None,
        }
        Some(1)
    }

    /// "Who is the artist?", behind albums: theirs.
    fn take_definite(&mut self, at: usize, here: &str) -> Option<usize> {
        let asks = here == "who" && matches!(self.word(at + 1), "is" | "was" | "were") && self.word(at + 2) == "the";
        let one = at + 4 == self.words.len() && !self.is_about(at + 3) && !self.word(at + 3).ends_with("est");
        (asks && one).then(|| {
            self.said.theirs = true;
            3
        })
    }

    /// "Of those countries, …", "for each of them, …", "for each, …".
    fn take_group(&mut self, at: usize, here: &str) -> Option<usize> {
        let mut next = match here {
            "out" if self.word(at + 1) == "of" => at + 2,
            "of" | "among" | "amongst" | "for" | "from" | "within" => at + 1,
            _ => return None,
        };
        let from = next;
        while TAKING.contains(&self.word(next)) {
            next += 1;
        }
        let each = (from..next).any(|at| matches!(self.word(at), "each" | "every"));
        let standing = MANY.contains(&self.word(next)) || matches!(self.word(next), "that" | "it" | "this");
        if standing && !OWN.contains(&self.words.get(next + 1).map_or("", |word| word.stem.as_str())) {
            self.stands(next);
            self.said.each |= each;
            let nouns = self.nouns(next + 1);
            // "For those with …" is a test, not a group.
            if TESTS.contains(&self.word(next + 1)) {
                self.push_noun(true, next);
            }
            return Some(next + 1 + nouns - at);
        }
        let bare = ["how", "what", "show", "count", "list", "give", "also", "find"];
        if each && here == "for" && (bare.contains(&self.word(next)) || next == self.words.len()) {
            self.stands(at + 1);
            self.said.each = true;
            return Some(next - at);
        }
        None
    }

    /// "Which of them", "how many of these", "each of them", "which one", "the ones".
    fn take_some_of(&mut self, at: usize, here: &str) -> Option<usize> {
        let of = self.word(at + 1) == "of" && MANY.contains(&self.word(at + 2));
        let takes = ["which", "what", "who", "many", "any", "some", "none", "all", "each", "most", "one", "both"];
        if of && takes.contains(&here) {
            self.stands(at + 2);
            let nouns = self.nouns(at + 3);
            match here {
                "each" => self.said.each = true,
                "who" => self.kept.push(word("which")),
                "which" | "what" | "many" => self.kept.push(self.words[at].clone()),
                _ => {}
            }
            let end = at + 2 + nouns;
            // "Which of them is the oldest" asks for one.
            let one = matches!(self.word(end + 1), "is" | "was" | "has" | "does");
            self.push_noun(here != "each" && !(one && matches!(here, "which" | "what" | "who")), end);
            return Some(3 + nouns);
        }
        // "Is Canada among them?" tests them.
        if matches!(here, "among" | "amongst") && MANY.contains(&self.word(at + 1)) {
            self.stands(at + 1);
            let nouns = self.nouns(at + 2);
            self.push_noun(true, at + 1 + nouns);
            return Some(2 + nouns);
        }
        let one = matches!(self.word(at + 1), "one" | "ones");
        if one && matches!(here, "which" | "what" | "the" | "that") && !OWN.contains(&self.word(at + 2)) {
            self.stands(at + 1);
            if here != "the" && here != "that" {
                self.kept.push(word("which"));
            }
            self.push_noun(self.word(at + 1) == "ones", at + 1);
            return Some(2);
        }
        None
    }

    fn take_pronoun(&mut self, at: usize, here: &str) -> Option<usize> {
        let next = self.words.get(at + 1);
        let after = self.word(at + 1).to_owned();
        let paused = self.words[at].pause;
        let timed = next.is_some_and(|word| OWN.contains(&word.stem.as_str()));
        match here {
            "their" | "theirs" | "its" | "his" | "her" => {
                self.stands(at);
                self.said.theirs = true;
                self.said.one |= matches!(here, "his" | "her") && after != "or";
                // "For his or her visits".
                Some(if after == "or" { 3 } else { 1 })
            }
            "them" | "they" => {
                self.stands(at);
                self.push_noun(true, at);
                Some(1)
            }
            "he" | "she" | "him" => {
                self.stands(at);
                self.said.one = true;
                self.push_noun(false, at);
                Some(1)
            }
            "it" => self.take_it(at),
            "there" => self.take_there(at),
            "these" | "those" if timed => None,
            "these" | "those" => {
                self.stands(at);
                // "Those for singers above 40" names them itself; "those ids" are what was shown of them.
                if after == "for" && self.is_about(at + 2) {
                    return Some(2);
                }
                let shown = self.nouns(at + 1);
                if shown > 0 && !(at + 1..at + 1 + shown).any(|at| self.is_about(at)) {
                    self.push_noun(true, at + shown);
                    return Some(1 + shown);
                }
                if next.is_none() || paused || self.opens_test(at) {
                    self.push_noun(true, at);
                }
                Some(1)
            }
            // "How many albums is that?"
            "is" | "was" if after == "that" && at > 2 && at + 2 == self.words.len() => {
                self.stands(at + 1);
                Some(2)
            }
            "this" | "that" | "such" if !timed && !paused && next.is_some() => {
                let led = self.kept.last().is_some_and(|word| PREPOSITIONS.contains(&word.folded.as_str()));
                let known = self.is_about(at + 1);
                (known && (led || here != "that")).then(|| {
                    self.stands(at);
                    1
                })
            }
            _ => None,
        }
    }

    /// "How many members registered there?"
    fn take_there(&mut self, at: usize) -> Option<usize> {
        let placed = at > 1 && at + 1 == self.words.len() && !TO_BE.contains(&self.word(at - 1));
        placed.then(|| {
            self.stands(at);
            self.kept.push(word("in"));
            self.push_noun(true, at);
            1
        })
    }

    /// "Is it true", "does it rain" speak of nothing; "which album is it on" does.
    fn take_it(&mut self, at: usize) -> Option<usize> {
        let asked = at > 0 && matches!(self.word(at - 1), "is" | "was" | "does" | "did");
        let means = at > 1 || at + 1 == self.words.len() || (at > 0 && !asked);
        means.then(|| {
            self.stands(at);
            self.said.one |= at > 1 && asked;
            self.push_noun(false, at);
            1
        })
    }

    /// "Those with more than 7", "those from France", "those above 40": no noun follows.
    fn opens_test(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let more = ["in", "for", "from", "not", "born", "located", "older", "younger", "longer", "larger", "are", "is"];
        let compares = self.word(at + 2) == "than" && (next.ends_with("er") || matches!(next, "more" | "less"));
        compares || TESTS.contains(&next) || more.contains(&next) || next.ends_with("ing") || next.ends_with("ed")
    }
}

fn word(text: &str) -> Word {
    split(text).swap_remove(0)
}

//! The small language in which profiles write rules: patterns over words.
//!
//! A pattern matches a whole utterance, never a part of it, unless it says so with `...`. That makes the safe reading
//! the short one: `stop` does not match "don't stop" or "the bus stop".
//!
//! | written | matches |
//! |---|---|
//! | `word` | that word, unquoted, after contractions are written out (`do not`, never `don't`) |
//! | `(a\|b c)` | one of the alternatives |
//! | `x?` | `x` or nothing |
//! | `{name}` | one of the phrases of the profile's list `name` |
//! | `#` | a number, in digits or as a word |
//! | `...` | any words, also none |
//! | `<target>` | one or more words, kept as the reading's target; once per pattern, not inside a group |
//!
//! Matching moves a set of positions (one bit each) through the pattern, so it is linear in the pattern's length and
//! cannot blow up. Next: `rules`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::language;
use crate::limits::RULE_WORDS_MAX;
use crate::words::Word;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    before: Vec<Node>,
    /// What follows `<target>`, when there is one.
    after_target: Option<Vec<Node>>,
}

/// A pattern that cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in pattern `{pattern}`: {problem}")]
pub struct PatternError {
    /// The pattern as written.
    pub pattern: String,
    /// What is wrong and what to write instead.
    pub problem: String,
}

#[derive(Clone, Debug)]
enum Node {
    Words(Vec<String>),
    Group(Vec<Vec<Node>>),
    Optional(Box<Node>),
    Number,
    Gap,
}

/// A set of positions between words: bit `n` is set when the match may stand before word `n`.
#[derive(Clone, Copy)]
struct Positions(u128);

const LIST_DEPTH_MAX: usize = 8;

/// `[name]` begins a section, `#` a comment; every other line is a phrase.
pub(crate) fn sections_of(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut sections: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(section) => name = section,
            None => sections.entry(name.to_owned()).or_default().push(line.to_owned()),
        }
    }
    sections
}

impl Pattern {
    /// Compiles `pattern`, taking the phrases of `{name}` from `lists`.
    ///
    /// # Errors
    /// [`PatternError`] for unbalanced brackets, unknown lists, a misplaced `<target>` or words no utterance can hold.
    pub fn compile(pattern: &str, lists: &BTreeMap<String, Vec<String>>) -> Result<Self, PatternError> {
        let fail = |problem: String| PatternError { pattern: pattern.to_owned(), problem };
        let mut sides = pattern.split("<target>");
        let before = sides.next().unwrap_or_default();
        let after = sides.next();
        if sides.next().is_some() {
            return Err(fail("`<target>` may stand once".to_owned()));
        }
        let before = sequence_of(before, lists, 0).map_err(fail)?;
        let after_target = after.map(|text| sequence_of(text, lists, 0)).transpose().map_err(fail)?;
        if before.is_empty() && after_target.as_ref().is_none_or(Vec::is_empty) {
            return Err(fail("it holds no word, so it would match everything".to_owned()));
        }
        Ok(Self { before, after_target })
    }

    /// Whether the pattern matches all of `words`; `Some(Some(range))` is the target's range in `words`.
    ///
    /// Utterances longer than [`RULE_WORDS_MAX`] match no pattern: a rule is for what people say in one breath.
    #[must_use]
    pub fn matches(&self, words: &[Word]) -> Option<Option<Range<usize>>> {
        if words.is_empty() || words.len() > RULE_WORDS_MAX {
            return None;
        }
        let reached = advance_all(&self.before, Positions::at(0), words);
        let Some(after) = &self.after_target else {
            return reached.holds(words.len()).then_some(None);
        };
        let start = reached.before(words.len()).last()?;
        // It begins behind what may stand before it ("show (me)? …") and ends before what may stand behind ("…
        // instead").
        (start + 1..=words.len())
            .find(|end| advance_all(after, Positions::at(*end), words).holds(words.len()))
            .map(|end| Some(start..end))
    }
}

impl Pattern {
    /// How many words from the front the pattern can cover at most; `None` when it does not match there. Patterns with
    /// a `<target>` have no prefix.
    #[must_use]
    pub fn longest_prefix(&self, words: &[Word]) -> Option<usize> {
        let words = &words[..words.len().min(RULE_WORDS_MAX)];
        if self.after_target.is_some() || words.is_empty() {
            return None;
        }
        advance_all(&self.before, Positions::at(0), words).last()
    }
}

impl Positions {
    const NONE: Self = Self(0);

    fn at(position: usize) -> Self {
        Self(1 << position)
    }

    fn holds(self, position: usize) -> bool {
        self.0 & (1 << position) != 0
    }

    fn first(self) -> Option<usize> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as usize)
    }

    fn last(self) -> Option<usize> {
        self.0.checked_ilog2().map(|bit| bit as usize)
    }

    /// The positions below `position`.
    fn before(self, position: usize) -> Self {
        Self(self.0 & ((1 << position) - 1))
    }

    fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn advance_all(nodes: &[Node], from: Positions, words: &[Word]) -> Positions {
    let mut positions = from;
    for node in nodes {
        if positions.0 == 0 {
            return Positions::NONE;
        }
        positions = advance(node, positions, words);
    }
    positions
}

fn advance(node: &Node, from: Positions, words: &[Word]) -> Positions {
    match node {
        Node::Words(any_of) => step(from, words, |word| !word.quoted && any_of.binary_search(&word.text).is_ok()),
        Node::Number => step(from, words, |word| is_number(&word.text)),
        Node::Group(alternatives) => alternatives
            .iter()
            .fold(Positions::NONE, |reached, alternative| reached.union(advance_all(alternative, from, words))),
        Node::Optional(inner) => from.union(advance(inner, from, words)),
        Node::Gap => from.first().map_or(Positions::NONE, |first| {
            let up_to_end = (1_u128 << (words.len() + 1)) - 1;
            Positions(up_to_end & !((1_u128 << first) - 1))
        }),
    }
}

fn step(from: Positions, words: &[Word], fits: impl Fn(&Word) -> bool) -> Positions {
    let mut rest = from.0;
    let mut reached = 0;
    while rest != 0 {
        let position = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if words.get(position).is_some_and(&fits) {
            reached |= 1 << (position + 1);
        }
    }
    Positions(reached)
}

/// Whether a word is a number, in digits ("20", "1,000", "50%", "$20", "2nd") or spelt out up to twelve.
#[must_use]
pub fn is_number(word: &str) -> bool {
    let spelt = || turnwise_core::numerals::number_of(word).is_some_and(|number| (1..=12).contains(&number));
    word.trim_start_matches(['$', '#']).starts_with(|ch: char| ch.is_ascii_digit()) || word == "dozen" || spelt()
}

fn sequence_of(text: &str, lists: &BTreeMap<String, Vec<String>>, depth: usize) -> Result<Vec<Node>, String> {
    let mut parser = Parser { rest: text, lists, depth };
    let alternatives = parser.alternatives()?;
    if !parser.rest.is_empty() {
        return Err("a `)` closes nothing".to_owned());
    }
    if alternatives.len() == 1 {
        return Ok(alternatives.into_iter().next().unwrap_or_default());
    }
    Ok(vec![group(alternatives)])
}

struct Parser<'a> {
    rest: &'a str,
    lists: &'a BTreeMap<String, Vec<String>>,
    depth: usize,
}

impl Parser<'_> {
    fn alternatives(&mut self) -> Result<Vec<Vec<Node>>, String> {
        let mut all = vec![self.sequence()?];
        while let Some(rest) = self.rest.strip_prefix('|') {
            self.rest = rest;
            all.push(self.sequence()?);
        }
        Ok(all)
    }

    fn sequence(&mut self) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(['|', ')']) {
                return Ok(nodes);
            }
            let node = self.node()?;
            nodes.push(match self.rest.strip_prefix('?') {
                Some(rest) => {
                    self.rest = rest;
                    Node::Optional(Box::new(node))
                }
                None => node,
            });
        }
    }

    fn node(&mut self) -> Result<Node, String> {
        if let Some(rest) = self.rest.strip_prefix("...") {
            self.rest = rest;
            return Ok(Node::Gap);
        }
        if let Some(rest) = self.rest.strip_prefix('#') {
            self.rest = rest;
            return Ok(Node::Number);
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let alternatives = self.alternatives()?;
            self.rest = self.rest.strip_prefix(')').ok_or("a `(` is not closed")?;
            return Ok(group(alternatives));
        }
        if let Some(rest) = self.rest.strip_prefix('{') {
            let (name, rest) = rest.split_once('}').ok_or("a `{` is not closed")?;
            self.rest = rest;
            return self.list(name);
        }
        self.word()
    }

    fn list(&self, name: &str) -> Result<Node, String> {
        if self.depth >= LIST_DEPTH_MAX {
            return Err(format!("list `{name}` refers to itself"));
        }
        let phrases = self.lists.get(name).ok_or_else(|| format!("there is no list `{name}`"))?;
        let alternatives =
            phrases.iter().map(|phrase| sequence_of(phrase, self.lists, self.depth + 1)).collect::<Result<_, _>>()?;
        Ok(group(alternatives))
    }

    fn word(&mut self) -> Result<Node, String> {
        let end = self.rest.find([' ', '|', ')', '(', '?', '{', '<', '>']).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() {
            return Err(format!("`{}` is not expected here", self.rest));
        }
        let expanded = language::expand(word);
        if expanded.len() != 1 || expanded[0] != *word || word.to_lowercase() != *word {
            return Err(format!(
                "`{word}` never occurs as one word; write `{}`",
                language::expand(&word.to_lowercase()).join(" ")
            ));
        }
        self.rest = &self.rest[end..];
        Ok(Node::Words(vec![word.to_owned()]))
    }
}

/// Single words of a group are merged into one sorted set, which one binary search decides.
fn group(alternatives: Vec<Vec<Node>>) -> Node {
    let mut words: Vec<String> = Vec::new();
    let mut others: Vec<Vec<Node>> = Vec::new();
    for mut alternative in alternatives {
        match alternative.as_mut_slice() {
            [Node::Words(more)] => words.append(more),
            _ => others.push(alternative),
        }
    }
    words.sort();
    words.dedup();
    if words.is_empty() {
        return Node::Group(others);
    }
    if others.is_empty() {
        return Node::Words(words);
    }
    others.insert(0, vec![Node::Words(words)]);
    Node::Group(others)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::words::Words;

    fn target(pattern: &str, text: &str) -> Option<Option<String>> {
        let lists = BTreeMap::from([("stop".to_owned(), vec!["stop".to_owned(), "hold it".to_owned()])]);
        let words = Words::of(text);
        Pattern::compile(pattern, &lists).unwrap().matches(&words.all).map(|range| {
            range.map(|range| words.all[range].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
        })
    }

    #[test]
    fn a_pattern_matches_the_whole_utterance_and_words_not_substrings() {
        assert!(target("stop", "Stop!").is_some());
        assert!(target("stop", "don't stop").is_none());
        assert!(target("prove ...", "approve the plan").is_none());
        assert!(target("{stop} (it|that)? now?", "hold it now").is_some());
    }

    #[test]
    fn quoted_words_are_mentioned_not_said() {
        assert!(target("... stop", "the button says \"stop\"").is_none());
    }

    #[test]
    fn the_target_is_as_short_as_the_rest_allows() {
        assert_eq!(target("show (me|us)? <target>", "show me sales"), Some(Some("sales".to_owned())));
        assert_eq!(target("show (me|us)? <target>", "show me"), Some(Some("me".to_owned())));
        assert_eq!(target("analyze <target> instead?", "analyze revenue instead"), Some(Some("revenue".to_owned())));
        assert_eq!(target("top # <target>", "top 5 customers by sales"), Some(Some("customers by sales".to_owned())));
    }

    #[test]
    fn a_pattern_that_cannot_match_says_why() {
        let lists = BTreeMap::<String, Vec<String>>::new();
        for (pattern, problem) in [
            ("don't stop", "write `do not`"),
            ("(a|b", "not closed"),
            ("{nothing}", "no list"),
            ("<target> <target>", "once"),
            ("<target>", "no word"),
        ] {
            let error = Pattern::compile(pattern, &lists).unwrap_err();
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}

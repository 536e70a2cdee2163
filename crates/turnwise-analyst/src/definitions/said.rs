//! Takes a statement apart: which word, and what it is to mean. The sentences are those that the profile's rule
//! `what_a_word_is_to_mean` lets through; what fits none of them is asked about. Next: `understand`.

use crate::words;

/// A statement, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The word or words that get a meaning.
    pub term: String,
    /// What they are to mean, in the person's words.
    pub means: String,
    /// Whether it chooses among what is there ("use gross revenue") rather than defining.
    pub is_choice: bool,
}

/// A statement as words, for looking and for copying.
struct Sentence<'a> {
    raw: Vec<&'a str>,
    plain: Vec<String>,
}

/// What may stand before or after a statement without being part of it.
const AROUND: [&[&str]; 15] = [
    &["remember", "that"],
    &["remember"],
    &["note", "that"],
    &["keep", "in", "mind", "that"],
    &["for", "the", "record"],
    &["from", "now", "on"],
    &["from", "here", "on"],
    &["in", "future"],
    &["always"],
    &["please"],
    &["no"],
    &["ok"],
    &["actually"],
    &["wait"],
    &["well"],
];

/// What stands between the word and its meaning.
const BETWEEN: [&[&str]; 10] = [
    &["means"],
    &["stands", "for"],
    &["refers", "to"],
    &["is", "defined", "as"],
    &["are", "defined", "as"],
    &["shall", "mean"],
    &["should", "mean"],
    &["must", "mean"],
    &["is", "to", "mean"],
    &["is", "short", "for"],
];

/// Words that take something away from an amount.
pub const LESS: [&str; 7] = ["without", "excluding", "less", "minus", "before", "after", "net"];

/// Whether a statement asks to be kept, whatever it comes to in the data.
pub fn is_to_be_kept(statement: &str) -> bool {
    let first = statement.split_whitespace().map(|word| words::fold(word.trim_matches(|c: char| !c.is_alphanumeric())));
    let opening: Vec<String> = first.filter(|word| word != "please").take(4).collect();
    let opening: Vec<&str> = opening.iter().map(String::as_str).collect();
    matches!(opening.as_slice(), ["remember", ..] | ["note", "that", ..] | ["keep", "in", "mind", "that"])
}

/// Takes `statement` apart; none when it says neither clearly.
pub fn parse(statement: &str) -> Option<Said> {
    let sentence = Sentence::of(statement);
    let first = sentence.plain.first()?.as_str();
    let found = match first {
        "by" | "with" => sentence.before_mean(1),
        "when" | "whenever" | "where" | "if" => sentence.after_saying(),
        "treat" | "count" | "regard" | "interpret" | "define" => sentence.around(1, &["as"]),
        "let" => sentence.around(1, &["mean"]),
        "use" | "take" | "go" | "work" | "i" | "we" => return sentence.chosen(),
        _ => BETWEEN.iter().find_map(|between| sentence.around(0, between)),
    };
    let (term, means) = found?;
    Some(Said { term: bare(&term)?, means: bare(&means)?, is_choice: false })
}

impl<'a> Sentence<'a> {
    fn of(statement: &'a str) -> Self {
        let raw: Vec<&str> = statement.split_whitespace().collect();
        let plain = raw.iter().map(|word| words::fold(word.trim_matches(|c: char| !c.is_alphanumeric()))).collect();
        let mut sentence = Self { raw, plain };
        while let Some(length) = AROUND.iter().find(|some| sentence.starts(0, some)).map(|some| some.len()) {
            sentence.raw.drain(..length);
            sentence.plain.drain(..length);
        }
        let ends = |sentence: &Self, some: &[&str]| {
            sentence.plain.len().checked_sub(some.len()).is_some_and(|at| sentence.starts(at, some))
        };
        while let Some(length) = AROUND.iter().find(|some| ends(&sentence, some)).map(|some| some.len()) {
            sentence.raw.truncate(sentence.raw.len() - length);
            sentence.plain.truncate(sentence.plain.len() - length);
        }
        sentence
    }

    fn starts(&self, at: usize, wanted: &[&str]) -> bool {
        self.plain.get(at..at + wanted.len()).is_some_and(|own| own.iter().eq(wanted))
    }

    fn words(&self, from: usize, to: usize) -> String {
        self.raw.get(from..to).unwrap_or_default().join(" ")
    }

    /// What stands before and after `between`, from word `from`.
    fn around(&self, from: usize, between: &[&str]) -> Option<(String, String)> {
        let at = (from + 1..self.raw.len()).find(|at| self.starts(*at, between))?;
        Some((self.words(from, at), self.words(at + between.len(), self.raw.len())))
    }

    /// "(by) revenue I always mean gross revenue".
    fn before_mean(&self, from: usize) -> Option<(String, String)> {
        let speaks = |at: &usize| matches!(self.plain[*at].as_str(), "i" | "we");
        let at = (from + 1..self.plain.len()).find(speaks)?;
        let mean =
            (at + 1..self.plain.len().min(at + 3)).find(|at| matches!(self.plain[*at].as_str(), "mean" | "meant"))?;
        Some((self.words(from, at), self.words(mean + 1, self.raw.len())))
    }

    /// "(when) I speak of revenue, I mean gross revenue".
    fn after_saying(&self) -> Option<(String, String)> {
        let opens = |at: &usize| matches!(self.plain[*at].as_str(), "say" | "write" | "for" | "about" | "of");
        let mut at = (1..self.plain.len()).find(opens)?;
        // "ask for" and "speak of" have their preposition behind the verb.
        while self.plain.get(at + 1).is_some_and(|next| matches!(next.as_str(), "for" | "about" | "of")) {
            at += 1;
        }
        self.before_mean(at + 1)
    }

    /// "use gross revenue": the last word says which number is meant; "use revenue without tax": the words before.
    fn chosen(&self) -> Option<Said> {
        let mut from = 1;
        while self.plain.get(from).is_some_and(|word| matches!(word.as_str(), "with" | "mean" | "meant" | "the")) {
            from += 1;
        }
        let means = bare(&self.words(from, self.raw.len()))?;
        let less = (from + 1..self.plain.len()).find(|at| LESS.contains(&self.plain[*at].as_str()));
        let term = match less {
            Some(at) => bare(&self.words(from, at))?,
            None => {
                let last = words::split_name(means.split_whitespace().last()?);
                last.last()?.clone()
            }
        };
        Some(Said { term, means, is_choice: true })
    }
}

/// Without articles and marks around it.
pub fn bare(said: &str) -> Option<String> {
    let mut rest = said.trim_matches(|c: char| !c.is_alphanumeric());
    while let Some((first, after)) = rest.split_once(' ') {
        if !matches!(words::fold(first).as_str(), "the" | "a" | "an" | "our" | "my" | "only" | "just") {
            break;
        }
        rest = after.trim_start();
    }
    (!rest.is_empty()).then(|| rest.to_owned())
}

//! What an assistant hears in words beside their intent: the mode a task asks for, and whether what is said to an open
//! question is a request of its own. Both are data of its profile; without it nothing of the kind is heard.
//! Next: `reader`, which asks it.

use serde::Deserialize;
use turnwise_core::{Bearing, Mode, ModeWish};

use crate::words::Words;

/// The words by which a task chooses a mode (CF-02).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeWords {
    /// For proof mode.
    #[serde(default)]
    pub proof: ModeSigns,
    /// For exploratory mode.
    #[serde(default)]
    pub exploratory: ModeSigns,
}

/// What says that a mode is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeSigns {
    /// A task that begins with one of these asks for it.
    #[serde(default)]
    pub opens: Vec<String>,
    /// A first task with one of these suggests it.
    #[serde(default)]
    pub says: Vec<String>,
}

/// What is said to an open question and is no answer to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apart {
    /// More words than this are a request, whatever they are; 0 for any number.
    #[serde(default)]
    pub words_max: usize,
    /// This many words are an answer, whatever they ask.
    #[serde(default)]
    pub short_max: usize,
    /// With one of these, more words than that are a request.
    #[serde(default)]
    pub asks: Vec<String>,
    /// Beginning with one of these, they change what was asked.
    #[serde(default)]
    pub begins: Vec<String>,
    /// With one of these between others, they change it too; not where it is part of a name.
    #[serde(default)]
    pub between: Vec<String>,
}

fn plain(text: &str) -> Vec<String> {
    Words::of(text).all.into_iter().map(|word| word.text).collect()
}

impl ModeWords {
    /// What the words of `task` say of the mode.
    #[must_use]
    pub fn wished(&self, task: &str) -> Option<ModeWish> {
        let words = plain(task);
        let both = [(&self.proof, Mode::Proof), (&self.exploratory, Mode::Exploratory)];
        let opens = |signs: &ModeSigns| words.first().is_some_and(|first| signs.opens.contains(first));
        let says = |signs: &ModeSigns| words.iter().any(|word| signs.says.contains(word));
        let asked = both.iter().find(|(signs, _)| opens(signs)).map(|(_, mode)| ModeWish::Asked(*mode));
        asked.or_else(|| both.iter().find(|(signs, _)| says(signs)).map(|(_, mode)| ModeWish::Suggested(*mode)))
    }
}

impl Apart {
    /// How `text` stands to an open question; `names` are what the assistant knows in it.
    #[must_use]
    pub fn bearing(&self, text: &str, names: &[String]) -> Bearing {
        let words = plain(text);
        let asks = || words.iter().any(|word| self.asks.contains(word));
        let is_long = self.words_max > 0 && words.len() > self.words_max;
        let is_named = |word: &String| names.iter().any(|name| plain(name).contains(word));
        let begins = words.first().is_some_and(|first| self.begins.contains(first));
        let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
        let joins = || inner.iter().any(|word| self.between.contains(word) && !is_named(word));
        Bearing {
            asks: is_long || (words.len() > self.short_max && asks()),
            changes: words.len() > 1 && (begins || joins()),
            names: false,
        }
    }
}

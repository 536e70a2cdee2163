//! Words read as other words: short forms of telephones written out, and words that do not differ in a reply levelled.
//!
//! The grammar and the vetoes know words, so replies are read with "pls" written out. The head of replies learns from
//! few thousand sentences, so it is shown "that sounds good" for "that sounds lovely"; vetoes see what was said. Next:
//! `styles`, where lessons are typed with the short forms.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::Words;

const SHORTS: &str = include_str!("../../data/replies/shorts.txt");
/// The words that are weighed as others, as they are written.
pub(super) const ALIKE: &str = include_str!("../../data/replies/alike.txt");

/// Words by what stands for them.
struct Table(BTreeMap<&'static str, &'static str>);

static WRITTEN_OUT: LazyLock<Table> = LazyLock::new(|| Table::of(SHORTS));
static LEVELLED: LazyLock<Table> = LazyLock::new(|| Table::of(ALIKE));

/// The short forms of each word that has some.
pub(super) fn shorts() -> BTreeMap<&'static str, Vec<&'static str>> {
    lines(SHORTS).collect()
}

/// The words that are weighed as others.
pub(super) fn alike() -> impl Iterator<Item = &'static str> {
    lines(ALIKE).flat_map(|(_, words)| words)
}

/// `text` with its short forms written out.
pub(super) fn written_out(text: &str) -> Cow<'_, str> {
    WRITTEN_OUT.read(text)
}

/// `text` with words that do not differ read as one.
pub(super) fn levelled(text: &str) -> Cow<'_, str> {
    LEVELLED.read(text)
}

fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).map(|(word, others)| (word, others.split(" | ").collect()))
}

impl Table {
    fn of(text: &'static str) -> Self {
        Self(lines(text).flat_map(|(word, others)| others.into_iter().map(move |other| (other, word))).collect())
    }

    fn read<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out = String::new();
        let mut copied = 0;
        for word in Words::of(text).all {
            let is_said = !word.quoted && word.start >= copied;
            let raw = text[word.start..word.end].to_lowercase();
            let Some(other) = self.0.get(raw.as_str()).filter(|_| is_said) else { continue };
            out.push_str(&text[copied..word.start]);
            out.push_str(other);
            copied = word.end;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        out.push_str(&text[copied..]);
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{levelled, written_out};

    #[test]
    fn short_forms_are_written_out_and_quoted_ones_stay() {
        assert_eq!(written_out("thx, u can go b4 noon"), "thanks, you can go before noon");
        assert_eq!(written_out("K, pls!"), "ok, please!");
        assert_eq!(written_out("save it as \"u\""), "save it as \"u\"");
        assert_eq!(written_out("yes please"), "yes please");
    }

    #[test]
    fn words_that_do_not_differ_are_levelled() {
        assert_eq!(levelled("Yep, that sounds lovely!"), "yes, that sounds good!");
        assert_eq!(levelled("not now"), "not now");
    }
}

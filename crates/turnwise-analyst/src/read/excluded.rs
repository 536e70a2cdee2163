//! What is left out, said behind it: "cancelled orders excluded", "refunded ones not included". It is put as it is said
//! before it, so that both are read the same way. A part of an amount that is left out is no test on rows: it is a
//! column of its own, which an amount made of others has not in it. Next: `spot`, `place`.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{Mention, Thing};
use super::super::lexicon::{Concept, Role};
use super::super::words::{self, Word};
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

/// What says that what stands before it is left out.
const BEHIND: [&[&str]; 9] = [
    &["not", "included"],
    &["not", "counted"],
    &["left", "out"],
    &["taken", "out"],
    &["left", "aside"],
    &["excluded"],
    &["ignored"],
    &["omitted"],
    &["disregarded"],
];
/// Words that may stand before it and say nothing.
const BEFORE: [&str; 8] = ["with", "and", "but", "if", "where", "when", "the", "all"];
/// Words between what is left out and what says so.
const BETWEEN: [&str; 5] = ["are", "is", "were", "being", "be"];
/// Words that leave out what follows them.
const EXCLUDING: [&str; 9] = [
    "excluding",
    "exclude",
    "leaving out",
    "leave out",
    "not counting",
    "not including",
    "ignoring",
    "ignore",
    "omitting",
];
/// Most words that are left out: more than these are a question of their own.
const WORDS_MAX: usize = 5;

/// Puts "X excluded" as "excluding X".
pub fn put_before(words: &mut Vec<Word>) {
    let Some((at, length)) = (0..words.len()).find_map(|at| Some((at, said_at(words, at)?))) else { return };
    let start = words.get(..at).unwrap_or_default().iter().rposition(|word| word.pause || word.ends || word.bracket);
    let start = start.map_or(0, |before| before + 1);
    let own = words.get(start..at).unwrap_or_default();
    // "Which orders are excluded?" asks for them.
    let asks = |word: &Word| matches!(word.folded.as_str(), "which" | "what" | "who" | "that" | "how" | "whose");
    let whole = start == 0 && at + length == words.len();
    if own.iter().any(asks) || (whole && !own.iter().any(|word| word.folded == "with")) {
        return;
    }
    let with = own.iter().rposition(|word| word.folded == "with").map_or(0, |with| with + 1);
    let small = |word: &&Word| BEFORE.contains(&word.folded.as_str());
    let skipped = with + own.get(with..).unwrap_or_default().iter().take_while(small).count();
    let first = start + skipped;
    let last =
        words.get(first..at).unwrap_or_default().iter().rposition(|word| !BETWEEN.contains(&word.folded.as_str()));
    let Some(last) = last.map(|last| first + last).filter(|last| last - first < WORDS_MAX) else { return };
    let (pause, ends) = words.get(at + length - 1).map_or((false, false), |end| (end.pause, end.ends));
    words.drain(last + 1..at + length);
    words[last].pause |= pause;
    words[last].ends |= ends;
    words.splice(first..first, words::split("excluding"));
}

/// How many words at a place say that what stands before is left out: at the end of what is said only.
fn said_at(words: &[Word], at: usize) -> Option<usize> {
    let own = words.get(at..)?;
    let said = BEHIND.iter().find(|said| {
        own.len() >= said.len() && said.iter().zip(own).all(|(said, word)| word.folded == *said && !word.quoted)
    })?;
    let end = own.get(said.len() - 1)?;
    let next = own.get(said.len()).map(|word| word.folded.as_str());
    let ends = end.pause || end.ends || next.is_none_or(|next| matches!(next, "by" | "per" | "in" | "for"));
    (at > 0 && ends).then_some(said.len())
}

impl Walker<'_> {
    /// "Not", and words that leave out what follows: that is no further group.
    pub fn deny(&mut self, span: &Spotted) {
        self.negated = true;
        let leaves_out = EXCLUDING.contains(&span.text.to_lowercase().as_str());
        if leaves_out && self.wanted == Wanted::Group && !self.slots.dimensions.is_empty() {
            self.wanted = Wanted::Nothing;
        }
    }

    /// "Excluding shipping": a part of an amount is left out, and not the rows that have one. True where it is one.
    pub fn excludes_part(&mut self, mention: &Mention) -> bool {
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        let said = before.is_some_and(|span| EXCLUDING.contains(&span.text.to_lowercase().as_str()));
        let flag = self.catalogue.is_flag_mention(mention);
        let part = said && !flag && mention.table().is_none() && is_measure(self.catalogue, mention);
        if part {
            self.negated = false;
            self.slots.parts_excluded.push(mention.clone());
        }
        part
    }
}

impl Composer<'_> {
    /// What is left out of an amount is no part of it, or whether it is cannot be told.
    pub fn settle_parts_excluded(&mut self) {
        for part in std::mem::take(&mut self.slots.parts_excluded) {
            let label = part.columns().next().map(|column| self.catalogue.column_label(column));
            let (words, label) = (part.words.clone(), label.unwrap_or_default());
            if self.slots.measures.iter().all(|measure| is_apart(self.catalogue, &measure.of, &part)) {
                let note =
                    format!("“{words}” is {label}, which is no part of the amount, so that nothing is taken off it.");
                self.form.notes.push(note);
            } else {
                let text = format!(
                    "Whether the amount has “{words}” ({label}) in it the data does not say: ask for it without that, or for \
                     the difference of both."
                );
                self.read.doubt.get_or_insert(text);
            }
        }
    }
}

/// Whether an amount is made of other columns than a part of it would be: a total beside the part may have it in it.
fn is_apart(catalogue: &Catalogue, amount: &Mention, part: &Mention) -> bool {
    let tables: Vec<_> = part.columns().map(|column| column.table).collect();
    let beside = |amount: &Amount| matches!(amount, Amount::Column(column) if tables.contains(&column.table));
    amount.candidates.iter().all(|candidate| match candidate.thing {
        Thing::Column(column) => !tables.contains(&column.table),
        Thing::Concept(concept) => {
            let money = concept == Concept::Money;
            !catalogue.measures(concept).iter().any(|source| beside(&source.amount)) || !money
        }
        Thing::Table(_) => true,
    })
}

//! What rows need, where a yes/no column of their own says it: drugs that need no prescription are not those that
//! nobody was prescribed, although there is a table of that name. Next: `flag`.

use super::super::form::{Filter, Mention, Thing};
use super::super::lexicon::Role;
use super::qualify::is_filler;
use super::slots::Walker;
use super::spot::Spotted;

impl Walker<'_> {
    /// "Drugs that need no prescription", of drugs with a column that says whether they do: not those that nobody was
    /// prescribed. True where that is what was said.
    pub fn needs_flag(&mut self, mention: &Mention) -> bool {
        let small = |span: &&Spotted| is_filler(span) && !is_need(span);
        let denies = |span: &&Spotted| matches!(span.role(), Some(Role::Without | Role::Not));
        let verb = self.spans.iter().take(self.at).rev().find(|span| !small(span) && !denies(span));
        if !verb.is_some_and(is_need) {
            return false;
        }
        let own = self.named_tables();
        let flags = mention.candidates.iter().copied().filter(|candidate| match candidate.thing {
            Thing::Column(column) => own.contains(&column.table) && self.catalogue.is_flag(candidate.thing),
            Thing::Table(_) | Thing::Concept(_) => false,
        });
        let of = Mention { words: mention.words.clone(), candidates: flags.collect() };
        if of.candidates.is_empty() {
            return false;
        }
        let value = !(std::mem::take(&mut self.lacking) | std::mem::take(&mut self.negated));
        self.slots.filters.push(Filter::Flag { of, value });
        true
    }
}

/// Whether a word says that something is needed.
fn is_need(span: &Spotted) -> bool {
    let word = span.text.to_lowercase();
    matches!(word.as_str(), "need" | "needs" | "needed" | "require" | "requires" | "requiring" | "needing")
}

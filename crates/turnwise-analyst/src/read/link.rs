//! What puts two things together: verbs that only link, and the correlation of two numbers. Neither is
//! a part of the question by itself, so both are settled when all names are known. Next: `compose`.

use super::super::catalogue::{Catalogue, ColumnPart, Display};
use super::super::form::{Aggregate, Filter, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Role, lexicon};
use super::super::words::Word;
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::{Asked, Walker};
use super::spot::Spotted;

/// A verb that only links, with what it links to.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub verb: String,
    pub to: Linked,
}

/// What stands behind a linking verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linked {
    /// Nothing that could be linked.
    Nothing,
    /// A time and nothing else.
    Time,
    /// A name or a value.
    Thing,
    /// The number right before it: "distance flown".
    Number,
}

impl Walker<'_> {
    /// What stands behind the verb here: "left from JFK", "left in June", "who left".
    pub fn linked(&self) -> Linked {
        if self.follows_number() {
            return Linked::Number;
        }
        let mut ahead = self.spans.iter().skip(self.at + 1);
        let asked = matches!(self.slots.asked, Some(Asked::Thing(_))) && self.at + 2 >= self.spans.len();
        let thing = |span: &Spotted| {
            span.is_name() || span.number.is_some() || (!span.values.is_empty() && span.signal.is_none())
        };
        if ahead.clone().any(thing) {
            return Linked::Thing;
        }
        // "how many customers does Jane Peacock support": whoever does it stands before the verb.
        let does = |span: &Spotted| matches!(span.text.to_lowercase().as_str(), "do" | "does" | "did");
        let doer = self.spans.iter().take(self.at).skip_while(|span| !does(span));
        let named = |span: &Spotted| span.is_name() || (!span.values.is_empty() && span.signal.is_none());
        if doer.clone().any(named) {
            return Linked::Thing;
        }
        // "which airport do most flights leave from": what is asked for is what the verb links to.
        let stranded = ahead.clone().next().is_some_and(|span| span.role() == Some(Role::In));
        if asked && stranded {
            return Linked::Thing;
        }
        // "In how many countries is French spoken?"
        if self.passive_of_value() {
            return Linked::Thing;
        }
        if ahead.any(|span| span.period.is_some()) { Linked::Time } else { Linked::Nothing }
    }

    /// "Is French spoken", "are Classic Cars supplied": a value is all that stands between, and the verb ends it.
    fn passive_of_value(&self) -> bool {
        let verb = self.spans.get(self.at).map_or_else(String::new, |span| span.text.to_lowercase());
        let being = |span: &Spotted| matches!(span.text.to_lowercase().as_str(), "is" | "are" | "was" | "were");
        let Some(start) = self.spans.iter().take(self.at).rposition(being) else { return false };
        let mut between = self.spans[start + 1..self.at].iter().filter(|span| span.role() != Some(Role::Ignore));
        let value = between.next().is_some_and(|span| !span.values.is_empty() && !span.is_name());
        value && between.next().is_none() && self.at + 1 == self.spans.len() && lexicon().is_linking(&verb)
    }

    /// "total distance flown": the verb says no more than the number. "Amount left" says more.
    fn follows_number(&self) -> bool {
        let verb = self.spans.get(self.at).map_or_else(String::new, |span| span.text.to_lowercase());
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at)).filter(|span| !span.pause);
        before.filter(|span| span.is_name() && lexicon().end_said(&verb).is_none()).is_some_and(|span| {
            let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
            mention.table().is_none() && is_measure(self.catalogue, &mention)
        })
    }

    /// "Cities that hosted more than one match", of a column called so: the verb between two tables is no name. True
    /// where it was taken for the link it is.
    pub fn only_links(&mut self, span: &Spotted, mention: &Mention) -> bool {
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        let counted = next.is_some_and(|next| {
            matches!(
                next.role(),
                Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost | Role::Most | Role::Fewest)
            )
        });
        let plain = mention.table().is_none() && !self.negated && !self.lacking;
        let verb = span.text.to_lowercase();
        if !(plain && counted && verb.ends_with("ed") && lexicon().is_linking(&verb)) {
            return false;
        }
        self.slots.links.push(Link { verb: span.text.clone(), to: self.linked() });
        true
    }

    /// "Planes built before 1990", "the contract she signed in May": the time is that of the verb, and where it stands
    /// by another table than the one asked about, or one without a date, no date of that verb is known.
    pub fn dates_another(&self, span: &Spotted) -> bool {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore | Role::In | Role::Before | Role::After));
        let next = self.spans.iter().skip(self.at + 1).find(|span| !small(span));
        let known = lexicon().signal(&span.text.to_lowercase()).is_some();
        if known || next.is_none_or(|next| next.period.is_none()) {
            return false;
        }
        let before = self.spans.iter().take(self.at).rev().find_map(super::qualify::table_of);
        let dated = |table: TableId| self.catalogue.table(table).axes.iter().any(|axis| !axis.named_only);
        !before.is_some_and(|table| dated(table) && self.home_before(self.at) == Some(table))
    }

    /// "books by authors from Latvia", "visits by patients born after 1980": those who did it, and which of them.
    pub fn is_agent(&self, mention: &Mention) -> bool {
        let by = self.spans.iter().take(self.at).rev().find(|span| !span.text.eq_ignore_ascii_case("the"));
        let by = by.is_some_and(|span| span.text.eq_ignore_ascii_case("by"));
        let people = mention.table().is_some_and(|table| self.catalogue.people().any(|people| people == table))
            || mention.table().is_some() && self.verb_before_by();
        let one = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let one = one.is_some_and(|span| span.text.eq_ignore_ascii_case("the"));
        let plural = self.spans.get(self.at).is_some_and(|span| (one || !span.singular) && !span.pause);
        let plain = self.slots.measures.is_empty() && self.slots.aggregate.is_none() && self.slots.ranking.is_none();
        let next = self.spans.get(self.at + 1);
        let told = next.is_some_and(|next| {
            next.verb
                || matches!(next.role(), Some(Role::In | Role::With | Role::Who | Role::Link))
                || matches!(next.text.to_lowercase().as_str(), "whose" | "that" | "which" | "named" | "called")
                || self.slots.is_date_said(self.catalogue, next)
        });
        by && people && plural && plain && told && !self.per_next
    }

    /// Whether "by" stands behind a verb: "mountains climbed by climbers from Latvia".
    fn verb_before_by(&self) -> bool {
        let mut before = self.spans.iter().take(self.at).rev();
        before.find(|span| span.text.eq_ignore_ascii_case("by")).is_some()
            && before.next().is_some_and(|span| span.verb || span.text.to_lowercase().ends_with("ed"))
    }

    /// "Requested by all members", "across all shops": all of them together.
    pub fn is_of_all(&self) -> bool {
        self.spans.get(self.at + 1).is_some_and(|next| {
            let said = next.text.to_lowercase();
            !next.is_name() && (said == "all" || said.starts_with("all "))
        })
    }

    /// "used by customers", "shipped by boat": whoever does it, and no group.
    pub fn follows_verb(&self) -> bool {
        if self.spans.get(self.at).is_none_or(|by| !by.text.eq_ignore_ascii_case("by")) {
            return false;
        }
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        before.is_some_and(|before| before.role() == Some(Role::Link) && !before.is_name())
    }
}

impl Composer<'_> {
    /// "correlation between distance and air time".
    pub fn settle_correlation(&mut self) {
        if !self.slots.correlates {
            return;
        }
        let is_number = |(_, mention): &(usize, Mention)| is_measure(self.catalogue, mention);
        let (numbers, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.slots.loose).into_iter().partition(is_number);
        self.slots.loose = rest;
        let summed = std::mem::take(&mut self.slots.measures).into_iter().map(|measure| measure.of);
        let numbers: Vec<Mention> = summed.chain(numbers.into_iter().map(|(_, mention)| mention)).collect();
        match numbers.as_slice() {
            [one, other] => {
                let measure = Measure::new(Aggregate::Correlation, one.clone());
                self.slots.measures.push(Measure { with: Some(other.clone()), ..measure });
            }
            _ => {
                let text =
                    "A correlation is between two numbers: name both, as in “correlation of price and quantity”.";
                self.read.doubt = Some(text.to_owned());
            }
        }
    }

    /// Verbs that only link are understood where there is something to link; alone they might mean anything: "customers
    /// who left" are not all customers, and those who left Canada are not those in Canada.
    pub fn settle_links(&mut self) {
        let links = std::mem::take(&mut self.slots.links);
        let form = &self.form;
        let named = form.measures.len()
            + form.dimensions.len()
            + form.context.len()
            + form.attributes.len()
            + usize::from(form.subject.is_some());
        let people = self.speaks_of_people();
        for Link { verb, to } in links {
            let moves = lexicon().end_said(&verb.to_lowercase()).is_some();
            let understood = match to {
                Linked::Nothing => lexicon().is_linking(&verb.to_lowercase()) && counts_kinds(&self.form),
                Linked::Number => true,
                Linked::Time => !people,
                Linked::Thing => (named >= 2 || !self.form.filters.is_empty()) && !(people && moves && !self.has_end()),
            };
            if understood {
                let note = format!("“{verb}” is taken to say only that what stands around it belongs together.");
                self.form.notes.push(note);
            } else {
                self.read.unknown.push(verb);
            }
        }
    }

    /// Whether what is listed or counted are people, who do things their rows do not tell.
    fn speaks_of_people(&self) -> bool {
        let counted = self.form.measures.iter().filter(|measure| measure.aggregate == Aggregate::Count);
        let mut tables = counted.map(|measure| &measure.of).chain(&self.form.subject).filter_map(Mention::table);
        tables.any(|table| self.catalogue.people().any(|people| people == table))
    }

    /// Whether a value was found where a relation has an end: "passengers who flew to Boston".
    fn has_end(&self) -> bool {
        self.form.filters.iter().any(|filter| match filter {
            Filter::Value { found, .. } => found.iter().any(|found| match (found.place, found.end) {
                (Thing::Column(column), Some(end)) => lexicon().is_end(end, &self.catalogue.column(column).stems),
                _ => false,
            }),
            _ => false,
        })
    }
}

/// "How many different languages are spoken": only what rows have is counted once each, and a row has it by being
/// there.
fn counts_kinds(form: &QueryForm) -> bool {
    let kinds = |measure: &Measure| measure.aggregate == Aggregate::CountDistinct && measure.of.table().is_none();
    !form.measures.is_empty() && form.measures.iter().all(kinds)
}

/// Whether words are the name of a table that only links two others and is called by both: "singers in concert" are
/// singers, and the concert is what they are in.
pub fn says_link(catalogue: &Catalogue, words: &[Word], table: TableId) -> bool {
    let entry = catalogue.table(table);
    let refers = entry.columns.iter().all(|column| column.part != ColumnPart::Attribute);
    let inner = words.get(1..words.len().saturating_sub(1)).unwrap_or_default();
    let joins = |word: &Word| matches!(word.folded.as_str(), "in" | "of" | "on" | "at" | "for" | "with");
    refers && entry.display == Display::Nothing && inner.iter().any(joins)
}

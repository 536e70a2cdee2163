//! What verbs count: "most borrowed book" counts loans, "who borrowed the most books" and "did adults borrow more than
//! children" do too, and "most used payment method" counts the rows that have it. Next: `verbs`, which finds the deeds.

use super::super::catalogue::{Catalogue, EMPTY_LIST};
use super::super::form::{Aggregate, Filter, Found, Measure, Mention, TableId, Thing};
use super::super::lexicon::{Order, Role, lexicon};
use super::compose::Composer;
use super::slots::{Asked, Walker, Wanted};
use super::spot::Spotted;
use super::verbs;

impl Walker<'_> {
    /// The deeds a phrase speaks of as a verb.
    pub fn deed_of(&self, span: &Spotted) -> Option<Mention> {
        let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
        if span.verb && mention.table().is_some() {
            return Some(mention);
        }
        let linking = matches!(span.role(), Some(Role::Link | Role::Ignore | Role::Spent | Role::Command));
        if span.verb && span.signal.is_none() || (linking && span.names.is_empty()) {
            let candidates = verbs::deeds(self.catalogue, &span.text.to_lowercase())?;
            return Some(Mention { words: span.text.clone(), candidates });
        }
        None
    }

    /// "the most borrowed book", "least used kind": true when the verb behind says what is counted.
    pub fn most_done(&mut self, order: Order) -> bool {
        let Some(next) = self.spans.get(self.at + 1).cloned() else { return false };
        let named =
            self.spans.iter().skip(self.at + 2).find(|span| !matches!(span.role(), Some(Role::Ignore | Role::Of)));
        let named = named.is_some_and(|span| span.is_name() && !span.verb);
        let deed = self.deed_of(&next);
        let common = next.role() == Some(Role::Link) && deed.is_none() && next.text.eq_ignore_ascii_case("used");
        if !named || (deed.is_none() && !common) {
            return false;
        }
        let limit = self.whole_number();
        self.rank_as(order, limit, None, "most");
        match deed {
            Some(deed) => self.measure(Aggregate::Count, deed),
            None => self.slots.common = Some(next.text),
        }
        self.at += 1;
        self.wanted = Wanted::Ranked;
        true
    }

    /// "borrow more books than": of what is done to things the deeds are counted.
    pub fn deed_done_to(&self, mention: &Mention) -> Option<Mention> {
        let deed = self.slots.deed.clone()?;
        done_to(self.catalogue, &deed, mention).then_some(deed)
    }
}

/// Whether the deeds refer to what is named, over one key or several.
pub fn done_to(catalogue: &Catalogue, deed: &Mention, mention: &Mention) -> bool {
    let (Some(deed), Some(table)) = (deed.table(), mention.table()) else { return false };
    deed != table && !catalogue.paths(deed, table).is_empty()
}

impl Composer<'_> {
    /// What was done the most, and what is the most common.
    pub fn settle_deeds(&mut self) {
        let ranked = self.slots.ranking.as_ref().is_some_and(|ranked| ranked.property.is_none() && ranked.by.is_none());
        let nothing = self.slots.measures.is_empty() && self.slots.counted.is_none();
        if let Some(deed) = self.slots.deed.clone()
            && nothing
            && (self.slots.most_alone || self.slots.often || self.slots.claim.is_some())
        {
            self.form.notes.push(format!("“{}” counts {}.", deed.words, self.rows_of(&deed)));
            self.slots.measures.push(Measure::new(Aggregate::Count, deed));
            return;
        }
        if nothing && self.slots.most_alone && self.slots.common.is_none() {
            let lone = |link: &super::link::Link| lexicon().signal(&link.verb.to_lowercase()).is_none();
            let used = self.slots.links.iter().position(|link| link.verb.eq_ignore_ascii_case("used") || lone(link));
            self.slots.common = used.map(|at| self.slots.links.remove(at).verb);
        }
        if self.slots.common.is_some() && nothing && (ranked || self.slots.most_alone) && !self.common_among() {
            self.count_common();
        }
        if let (Some(deed), Some(counted)) = (&self.slots.deed, &self.slots.counted)
            && self.slots.done_by
            && !self.slots.distinct
            && done_to(self.catalogue, deed, counted)
            && !self.catalogue.people().any(|people| counted.table() == Some(people))
        {
            let deed = deed.clone();
            self.form.notes.push(format!("“{}” counts {}.", deed.words, self.rows_of(&deed)));
            let counted = self.slots.counted.replace(deed);
            self.form.context.extend(counted);
        }
    }

    /// "Which diagnosis is the most common among visits": what is asked for is ranked, and the rows are counted.
    fn common_among(&mut self) -> bool {
        let Some(Asked::Thing(asked)) = &self.slots.asked else { return false };
        let Some(ranked) = &mut self.slots.ranking else { return false };
        let Some(Asked::Thing(subject)) = &ranked.subject else { return false };
        let (None, Some(rows)) = (asked.table(), subject.table()) else { return false };
        if !asked.columns().any(|column| !self.catalogue.paths(rows, column.table).is_empty()) {
            return false;
        }
        let of = subject.clone();
        ranked.subject = self.slots.asked.take();
        self.slots.measures.push(Measure::new(Aggregate::Count, of));
        true
    }

    /// "the most common diagnosis": the rows that have it are counted.
    fn count_common(&mut self) {
        let ranked = self.slots.ranking.as_ref().and_then(|ranked| ranked.subject.clone());
        let subject = ranked.or_else(|| self.slots.asked.clone());
        let subject = subject.or_else(|| self.slots.loose.first().map(|(_, mention)| Asked::Thing(mention.clone())));
        let Some(Asked::Thing(subject)) = subject else { return };
        let rows = match subject.table() {
            Some(table) => {
                let mut referring: Vec<TableId> = self.catalogue.referrers(table).map(|join| join.from).collect();
                referring.dedup();
                if let [only] = referring.as_slice() { Some(*only) } else { None }
            }
            None => subject.best().and_then(|best| match best.thing {
                Thing::Column(column) => Some(column.table),
                Thing::Table(_) | Thing::Concept(_) => None,
            }),
        };
        self.leave_out_empty(&subject);
        if let Some(rows) = rows {
            let plural = self.catalogue.plural(rows);
            self.form.notes.push(format!("The most common is that of the most {plural}, which are counted."));
            self.slots.measures.push(Measure::new(Aggregate::Count, Mention::of(plural, Thing::Table(rows))));
        }
    }

    /// "[]" is a list with nothing in it, which is not the most common of anything.
    fn leave_out_empty(&mut self, subject: &Mention) {
        let places = subject.columns().filter(|column| self.catalogue.values().has_empty_lists(*column));
        let found: Vec<Found> = places
            .map(|column| Found {
                place: Thing::Column(column),
                values: vec![EMPTY_LIST.to_owned()],
                end: None,
                via: None,
            })
            .collect();
        if !found.is_empty() && subject.table().is_none() {
            let note =
                format!("“{EMPTY_LIST}” says that there is no {}, and is left out.", subject.words.to_lowercase());
            self.form.notes.push(note);
            self.slots.filters.push(Filter::Value { words: EMPTY_LIST.to_owned(), found, negated: true });
        }
    }

    fn rows_of(&self, deed: &Mention) -> String {
        deed.table().map_or_else(|| deed.words.clone(), |table| self.catalogue.plural(table))
    }
}

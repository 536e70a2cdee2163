//! Gives names and values their part: what waits for them decides, and what nothing waits for is kept loose.
//! Next: `rank` for orders, `compose` for what is loose.

use super::super::form::{Aggregate, Dimension, Filter, Found, Measure, Mention, Thing};
use super::super::lexicon::{Concept, Order, Role};
use super::dated::is_time;
use super::mention::is_measure;
use super::said::bounds;
use super::slots::{Asked, Walker, Wanted};
use super::spot::Spotted;

impl Walker<'_> {
    /// Gives a name the part that is waiting.
    pub fn place(&mut self, span: &Spotted) {
        self.joins_value = false;
        let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
        self.take_dates(span);
        self.end_groups(span);
        if self.take_flag(span) {
            return;
        }
        if self.only_says_of(span, &mention) {
            return;
        }
        if self.is_deed(span) && self.place_verb(span, &mention) {
            return;
        }
        let Some(mention) = self.place_denied(span, mention) else { return };
        match self.wanted {
            Wanted::Group => self.place_group(mention),
            Wanted::Most(order) => self.place_most(order, mention),
            Wanted::More if self.slots.aggregate.is_none() => self.place_more(mention),
            Wanted::More => {
                self.wanted = Wanted::Nothing;
                self.place_free(mention);
            }
            Wanted::Counted => {
                self.wanted = Wanted::Nothing;
                self.place_counted(mention);
            }
            Wanted::Ranked => {
                self.wanted = Wanted::Nothing;
                self.place_ranked(mention);
            }
            Wanted::Asked => {
                self.wanted = Wanted::Nothing;
                self.place_asked(mention);
            }
            Wanted::Shared => {
                self.wanted = Wanted::Nothing;
                if mention.table().is_some() { self.slots.counted = Some(mention) } else { self.place_free(mention) }
            }
            Wanted::Nothing => self.place_free(mention),
        }
    }

    /// Gives a name its part where it only links, or is said to be known, lacking or not so; else hands it back.
    fn place_denied(&mut self, span: &Spotted, mention: Mention) -> Option<Mention> {
        if self.only_links(span, &mention) {
            return None;
        }
        if std::mem::take(&mut self.known) && mention.table().is_none() {
            self.slots.filters.push(Filter::Missing { of: mention, negated: true, unwritten: true });
            return None;
        }
        if self.needs_flag(&mention) {
            return None;
        }
        if (self.lacking || self.negated) && self.wanted != Wanted::Group && self.lacks_dated(&mention) {
            (self.lacking, self.negated) = (false, false);
            return None;
        }
        if (self.lacking || self.negated) && self.lacks_compared(&mention) {
            (self.lacking, self.negated) = (false, false);
            self.slots.loose.push((self.at, mention));
            return None;
        }
        if std::mem::take(&mut self.lacking) {
            self.place_lacking(mention);
            return None;
        }
        if self.negated && self.excludes_part(&mention) {
            return None;
        }
        if self.negated {
            self.negated = false;
            if self.wanted != Wanted::Group && self.lacks_table(&mention) {
                return None;
            }
            let plain = self.wanted != Wanted::Group && mention.table().is_none() && mention.concept().is_none();
            // "do not have a company"
            if plain {
                self.slots.filters.push(Filter::Missing { of: mention, negated: false, unwritten: false });
            } else {
                self.slots.unknown.push(format!("not {}", mention.words));
            }
            return None;
        }
        Some(mention)
    }

    /// A verb made of a name: "shipped in 1997" says which date is meant, "not returned" that it has none, and "never
    /// borrowed" that there is nothing of the kind. False when it is a name like any other.
    fn place_verb(&mut self, span: &Spotted, mention: &Mention) -> bool {
        self.negated |= span.negates;
        let timed = is_time(self.catalogue, mention);
        // "Not hired after 2005" were hired, at another time.
        let elsewhen = timed && self.negated && !self.lacking && self.is_time_ahead();
        if timed && span.negates && self.lacks_open(mention) {
            return true;
        }
        if timed && (self.negated || self.lacking) && !elsewhen {
            self.lack_date(mention);
            return true;
        }
        if self.lacking && mention.table().is_some() {
            self.lacking = false;
            self.slots.filters.push(Filter::Lacks { of: mention.clone() });
            return true;
        }
        let says_which = !span.negates && (timed || mention.table().is_some());
        if says_which && mention.table().is_some() {
            let does = |span: &Spotted| matches!(span.text.to_lowercase().as_str(), "did" | "do" | "does" | "who");
            self.slots.done_by |= self.spans.iter().take(self.at).any(does);
            self.slots.deed.get_or_insert(mention.clone());
        }
        if says_which {
            self.slots.context.push(mention.clone());
            self.slots.timed.extend(timed.then(|| mention.clone()));
        }
        says_which
    }

    fn place_lacking(&mut self, mention: Mention) {
        if self.lacks_table(&mention) {
            return;
        }
        // "Devices that have no devices in stock" says something else than that there are none.
        if mention.table().is_some() && mention.table() == self.home_before(self.at) {
            return self.slots.unknown.push(format!("no {}", mention.words));
        }
        self.slots.filters.push(if mention.table().is_some() {
            Filter::Lacks { of: mention }
        } else {
            let unwritten = self.unwritten;
            Filter::Missing { of: mention, negated: false, unwritten }
        });
    }

    /// "hours by role, attended shifts only": the rows it is about, and no group.
    fn is_only_about(&self, mention: &Mention) -> bool {
        let only = self.spans.get(self.at + 1).and_then(Spotted::role) == Some(Role::Only);
        only && mention.table().is_some() && !self.slots.dimensions.is_empty()
    }

    fn place_group(&mut self, mention: Mention) {
        if self.is_only_about(&mention) {
            self.wanted = Wanted::Nothing;
            return self.slots.context.push(mention);
        }
        // "by sales rep": the money belongs to the name behind it.
        let pure = is_pure_measure(&mention) && self.spans.get(self.at + 1).is_some_and(Spotted::is_name);
        if pure || self.tells_amount(&mention) {
            return;
        }
        // "top 5 airports by name with the most flights": names are shown anyway.
        let ranks =
            self.slots.ranking.as_ref().is_some_and(|ranked| ranked.words != "sorted" && ranked.subject.is_some());
        if ranks && mention.words.to_lowercase().starts_with("name") {
            self.wanted = Wanted::Nothing;
            return;
        }
        let ranked_by = self.slots.ranking.as_ref().is_some_and(|ranked| ranked.by.is_none());
        let subject = self.slots.ranking.as_ref().and_then(|ranked| ranked.subject.as_ref());
        let named = matches!(subject, Some(Asked::Thing(subject)) if subject.table() != mention.table());
        // "top 3 genres by tracks" counts them.
        if ranked_by
            && named
            && (!self.slots.per || (self.by_next && !self.slots.dimensions.is_empty()))
            && mention.table().is_some()
            && mention.concept().is_none()
            && self.slots.measures.is_empty()
        {
            self.wanted = Wanted::Nothing;
            return self.measure(Aggregate::Count, mention);
        }
        if self.is_agent(&mention) {
            self.wanted = Wanted::Nothing;
            self.slots.context.push(mention);
            return;
        }
        let number = is_measure(self.catalogue, &mention);
        if ranked_by && number {
            if self.slots.measures.is_empty() && self.slots.aggregate.is_none() {
                if let Some(ranked) = &mut self.slots.ranking {
                    ranked.by = Some(mention);
                }
            } else {
                self.place_free(mention);
            }
            self.wanted = Wanted::Nothing;
        } else if self.slots.aggregate.is_some() && self.slots.measures.is_empty() && number {
            self.place_free(mention);
        } else {
            self.doubt_two_as_one(&mention);
            if std::mem::take(&mut self.by_next) && !self.per_next {
                self.slots.by_of.push(mention.clone());
            }
            if std::mem::take(&mut self.per_next) {
                self.per(&mention);
            }
            self.slots.dimensions.push(Dimension::Thing(mention));
        }
    }

    pub fn place_most(&mut self, order: Order, mention: Mention) {
        self.doubt_nested_most();
        self.place_more(mention);
        let limit = self.whole_number();
        self.rank_as(order, limit, None, "most");
    }

    fn place_counted(&mut self, mention: Mention) {
        let quantity = mention.concept() == Some(Concept::Quantity) && mention.table().is_none();
        if quantity {
            self.measure(Aggregate::Sum, mention);
        } else if self.slots.counted.is_none() {
            self.slots.counted = Some(mention);
        } else {
            self.slots.loose.push((self.at, mention));
        }
    }

    fn place_ranked(&mut self, mention: Mention) {
        if is_pure_measure(&mention) {
            return self.place_free(mention);
        }
        if self.take_both_ends(&mention) || self.ranks_by_date(&mention) {
            return;
        }
        self.note_nested(&mention);
        if let Some(ranked) = &mut self.slots.ranking {
            ranked.subject = Some(Asked::Thing(mention));
        }
    }

    fn place_asked(&mut self, mention: Mention) {
        if is_pure_measure(&mention) || (is_measure(self.catalogue, &mention) && mention.table().is_none()) {
            self.place_free(mention);
        } else {
            self.slots.asked = Some(Asked::Thing(mention));
        }
    }

    /// A name nothing waits for: a measure if it is one, else loose.
    fn place_free(&mut self, mention: Mention) {
        // "average temperature and humidity": the average of both.
        if self.slots.aggregate.is_none()
            && let Some(aggregate) = self.shared_aggregate(&mention)
        {
            self.slots.given = Some((self.at, aggregate));
            return self.measure(aggregate, mention);
        }
        if let Some((aggregate, _)) = self.slots.aggregate.take() {
            self.slots.given = Some((self.at, aggregate));
            for other in std::mem::take(&mut self.slots.also) {
                self.gathered(other, mention.clone());
            }
            return self.gathered(aggregate, mention);
        }
        let concept = mention.concept().is_some_and(|concept| matches!(concept, Concept::Money | Concept::Quantity));
        if concept && (mention.table().is_none() || !self.is_listed()) {
            return self.measure(Aggregate::Sum, mention);
        }
        if self.slots.extreme.is_some() && is_measure(self.catalogue, &mention) && mention.table().is_none() {
            return self.measure(self.end_of_each(), mention);
        }
        // "never borrowed a book": what was never done to a book was never done.
        if self.never.is_some()
            && let Some(Filter::Lacks { of }) = self.slots.filters.last()
            && super::deeds::done_to(self.catalogue, of, &mention)
        {
            return;
        }
        // "never bought a ticket": of all that may be bought, that.
        if self.never.is_some()
            && let (Some(table), Some(Filter::Lacks { of })) = (mention.table(), self.slots.filters.last_mut())
            && of.candidates.len() > 1
            && of.candidates.iter().any(|one| one.thing == Thing::Table(table))
        {
            *of = Mention::of(mention.words, Thing::Table(table));
            return;
        }
        if self.says_what_was_never_done(&mention) {
            return;
        }
        // "never opened a ticket", of tickets with `opened_at`: there is no ticket.
        if self.never.is_some()
            && let (Some(table), Some(Filter::Missing { of, .. })) = (mention.table(), self.slots.filters.last())
            && of.columns().any(|column| column.table == table)
        {
            self.slots.filters.pop();
            self.slots.filters.push(Filter::Lacks { of: Mention::of(mention.words, Thing::Table(table)) });
            return;
        }
        if mention.table().is_none() && self.is_with_article() {
            self.slots.filters.push(Filter::Missing { of: mention, negated: true, unwritten: false });
            return;
        }
        if mention.table().is_some() && mention.concept().is_none() && self.is_beside_number() {
            self.slots.beside.push(mention);
            return;
        }
        self.keep_loose(mention);
    }

    /// Whether a number of the question stands on the other side of an "and".
    fn is_beside_number(&self) -> bool {
        let is_and = |span: &Spotted| span.role() == Some(Role::And);
        let is_number = |span: &Spotted| {
            let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
            !span.names.is_empty() && mention.table().is_none() && is_measure(self.catalogue, &mention)
        };
        let near = |at: usize| self.spans.get(at);
        let before = self.at >= 2 && near(self.at - 1).is_some_and(is_and) && near(self.at - 2).is_some_and(is_number);
        let after = near(self.at + 1).is_some_and(is_and) && near(self.at + 2).is_some_and(is_number);
        before || after
    }

    /// The aggregate of the number right before this one.
    fn shared_aggregate(&self, mention: &Mention) -> Option<Aggregate> {
        let (at, aggregate) = self.slots.given?;
        let mut between = self.spans.iter().take(self.at).skip(at + 1);
        let joined = between.clone().next().is_some()
            && between.all(|span| matches!(span.role(), Some(Role::And | Role::Ignore)));
        (joined && mention.table().is_none() && is_measure(self.catalogue, mention)).then_some(aggregate)
    }

    /// "with a fax" wants one; "with fax" may only want to see it.
    fn is_with_article(&self) -> bool {
        let article = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let with = self.at.checked_sub(2).and_then(|at| self.spans.get(at)).and_then(Spotted::role);
        let article = article.is_some_and(|span| matches!(span.text.to_lowercase().as_str(), "a" | "an" | "any"));
        let has = self.at.checked_sub(2).and_then(|at| self.spans.get(at));
        let has = has.is_some_and(|span| matches!(span.text.to_lowercase().as_str(), "have" | "has" | "had"));
        let compared = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        let compared =
            compared.is_some_and(|next| next.number.is_some() || bounds(next) || next.role() == Some(Role::Of));
        article && (has || with == Some(Role::With)) && !compared
    }

    /// Whether the text asks to list what it names ("list sales over 20").
    fn is_listed(&self) -> bool {
        let first = self.spans.first().and_then(Spotted::role);
        let compared = self.spans.get(self.at + 1).and_then(Spotted::role);
        matches!(first, Some(Role::Command))
            && matches!(compared, Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost))
    }

    fn gathered(&mut self, aggregate: Aggregate, mention: Mention) {
        let table = mention.table().filter(|_| mention.concept().is_none());
        match (aggregate, table) {
            // "total customers" counts them, "total payments" adds them up.
            (Aggregate::Sum, Some(table)) if !super::super::resolve::is_money_table(self.catalogue, table) => {
                let own = self.catalogue.measures(Concept::Money).iter().find(|source| {
                    source.table == table && matches!(source.amount, super::super::catalogue::Amount::Column(_))
                });
                if let Some(own) = own {
                    // "total fines" may be their number or their money: neither is taken silently.
                    let plural = self.catalogue.plural(table);
                    let text = format!(
                        "“Total {}” can be their number or the sum of {}: ask for “number of {plural}” or for \
                         “sum of {}”.",
                        mention.words,
                        own.label,
                        own.label.replace('.', " ").to_lowercase()
                    );
                    self.slots.doubt.get_or_insert(text);
                }
                self.slots.counted = Some(mention);
            }
            _ => self.measure(aggregate, mention),
        }
    }

    pub fn measure(&mut self, aggregate: Aggregate, of: Mention) {
        let measure = Measure::new(aggregate, of);
        if !self.slots.measures.contains(&measure) {
            self.slots.measures.push(measure);
        }
    }

    /// A value joins the one before it where both may be of one column ("Canada and Germany").
    pub fn take_value(&mut self, words: &str, found: &[Found]) {
        // "top 5 doctors by completed appointments": what is counted comes yet.
        let next = self.spans.get(self.at + 1).filter(|next| next.is_name() && !next.verb);
        let counted = self.slots.ranking.is_some() && next.and_then(super::qualify::table_of).is_some();
        if (self.wanted == Wanted::Group && !counted) || self.wanted == Wanted::Asked {
            self.wanted = Wanted::Nothing;
        }
        // "without USA" leaves it out as "not USA" does.
        self.negated |= std::mem::take(&mut self.lacking);
        let negated = self.negated;
        let beside = self.joins_value || std::mem::take(&mut self.claiming);
        let last = self.slots.filters.len().checked_sub(1).filter(|_| beside);
        let other = if beside { None } else { self.other_side(found, negated) };
        self.valued = Some(self.at);
        if last.or(other).is_some_and(|at| self.join_value(at, words, found)) {
            self.end = self.end.filter(|_| beside);
            self.joins_value = true;
            self.joined_by_or();
            self.negated = negated && self.next_joins();
            return;
        }
        self.negated = false;
        self.joins_value = true;
        let end = self.end.take();
        let found: Vec<Found> = found.iter().map(|found| Found { end, ..found.clone() }).collect();
        let found = found.as_slice();
        let words = spelt(words, found);
        let words = words.as_str();
        let known = self
            .slots
            .filters
            .iter()
            .any(|filter| matches!(filter, Filter::Value { words: same, .. } if same == words));
        if !known {
            self.slots.filters.push(Filter::Value { words: words.to_owned(), found: found.to_vec(), negated });
        }
        // "not in Canada or Germany": the next value is meant as well.
        self.negated = negated && self.next_joins();
    }

    /// Adds a value to the filter at `at`, where both may be of one column.
    fn join_value(&mut self, at: usize, words: &str, found: &[Found]) -> bool {
        let Some(Filter::Value { words: before, found: places, negated }) = self.slots.filters.get_mut(at) else {
            return false;
        };
        let shared: Vec<Found> = places.iter().filter_map(|place| merged(place, found)).collect();
        let joins = *negated == self.negated && !shared.is_empty();
        // "Republics (government form Republic)": the same once more.
        let again = places.as_slice() == found || *before == spelt(words, found);
        if joins && !again {
            *places = shared;
            *before = format!("{before}{VALUES_JOINED}{}", spelt(words, found));
        }
        joins
    }

    pub fn text_filter(&mut self, start: bool, end: bool) {
        let Some(next) =
            self.spans.get(self.at + 1).filter(|next| next.quoted || next.is_unknown() || !next.values.is_empty())
        else {
            self.slots.doubt = Some("Put the text to look for in quotation marks.".to_owned());
            return;
        };
        let text = next.text.clone();
        // "whose name starts with": the name is what is searched anyway.
        let named = |(_, mention): &(usize, Mention)| mention.words.to_lowercase().starts_with("name");
        if self.slots.loose.last().is_some_and(named) {
            self.slots.loose.pop();
        }
        self.slots.filters.push(Filter::Text {
            of: None,
            text,
            start,
            end,
            negated: std::mem::take(&mut self.negated),
        });
        self.at += 1;
    }
}

/// Between the values of one filter, in its words.
pub const VALUES_JOINED: &str = " + ";

/// As the data spells it, if it spells it one way.
fn spelt(words: &str, found: &[Found]) -> String {
    let mut values: Vec<&String> = found.iter().flat_map(|found| &found.values).collect();
    values.dedup();
    match values.as_slice() {
        [only] => (*only).clone(),
        _ => words.to_owned(),
    }
}

fn merged(place: &Found, others: &[Found]) -> Option<Found> {
    let other = others.iter().find(|other| other.place == place.place)?;
    let values = place.values.iter().chain(&other.values).cloned().collect();
    Some(Found { values, ..place.clone() })
}

/// Whether a mention is money or a quantity and nothing else as well.
fn is_pure_measure(mention: &Mention) -> bool {
    let amount = mention.concept().is_some_and(|concept| matches!(concept, Concept::Money | Concept::Quantity));
    amount && mention.table().is_none()
}

//! Words that name a yes/no column: "paid rentals", "are not members", "with a locker", "share of classes cancelled".
//! Each is a test on rows unless it stands where only a column can be meant, as behind "by". Next: `resolve/flag.rs`.

use super::super::catalogue::{Catalogue, bare};
use super::super::form::{Aggregate, Analysis, Dimension, Filter, Measure, Mention, TableId, Thing};
use super::super::lexicon::{Role, Signal};
use super::super::words;
use super::compose::Composer;
use super::qualify::{is_filler, table_of};
use super::slots::{Asked, Walker, Wanted};
use super::spot::Spotted;

/// A yes/no column that was said of something.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    of: Mention,
    value: bool,
    /// Whether it stands before what it is said of: "paid rentals", not "rentals that are paid".
    attributive: bool,
}

/// What yes/no columns leave behind for when the words are put together.
#[derive(Debug, Default)]
pub struct Flagged {
    said: Vec<Said>,
    /// The rows of one that was said alone and grouped: "members by country".
    pub rows: Option<Mention>,
    /// Whether what is counted was said to be of an earlier result.
    pub of_them: bool,
    /// The verb of paying that was said.
    spent: Option<String>,
}

impl Flagged {
    /// Whether any was said.
    pub fn is_said(&self) -> bool {
        !self.said.is_empty()
    }
}

/// What a word that names a yes/no column does where it stands.
enum Part {
    /// It is the column itself: "by paid", "average is premium".
    Name,
    /// It is a verb: "who paid the most".
    Verb,
    /// It is a value of another column.
    Value,
    /// Rows must be so, or must not.
    Test,
    /// Either of the last two.
    Unclear,
}

impl Walker<'_> {
    /// Whether a function word is also a yes/no column, and then that: "registered" of `is_registered`.
    pub fn says_flag(&self, span: &Spotted) -> bool {
        let weak = matches!(span.role(), Some(Role::Ignore | Role::Link | Role::Sold | Role::Bought | Role::Spent));
        weak && span.text.chars().count() > 2 && span.is_name() && self.flag_of(span).is_some()
    }

    fn flag_of(&self, span: &Spotted) -> Option<Mention> {
        let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
        self.catalogue.flag_readings(&mention).filter(|flag| !flag.candidates.is_empty())
    }

    /// Takes a word that says whether something is so; false where it is a name like any other.
    pub fn take_flag(&mut self, span: &Spotted) -> bool {
        let Some(of) = self.flag_of(span).filter(|_| !self.known) else { return false };
        match self.flag_part(span, &of) {
            Part::Name => return false,
            Part::Verb => self.spend(span),
            Part::Value => self.take_value(&span.text, &span.values),
            Part::Unclear => self.doubt_flag(span, &of),
            Part::Test => self.test_flag(span, of),
        }
        true
    }

    fn test_flag(&mut self, span: &Spotted, of: Mention) {
        if self.lacking && (self.is_said_missing() || self.is_whole_name(span)) {
            self.lacking = false;
            self.slots.filters.push(Filter::Missing { of, negated: false, unwritten: true });
            return;
        }
        let next = self.next_table();
        let denied = std::mem::take(&mut self.negated) ^ std::mem::take(&mut self.lacking) ^ span.negates;
        let filters = self.slots.filters.len();
        let value = match &self.never {
            // "classes never cancelled" are those that were not; "guests who never paid" have no rental that is.
            Some(never) if never.filters == filters && self.is_of_named(&of) => {
                self.never = None;
                false
            }
            Some(_) => true,
            None => !denied,
        };
        if denied && self.never.is_none() && self.lacks_flagged(&of) {
            return;
        }
        let waits = matches!(self.wanted, Wanted::Counted | Wanted::Shared);
        if waits && !self.is_name_ahead() {
            self.wanted = Wanted::Nothing;
            self.slots.flagged.of_them |= self.slots.counted.is_none() && self.speaks_back();
            self.slots.counted = self.slots.counted.take().or_else(|| self.rows_of(&of));
        }
        // "unpaid" is not "paid", and "failed" is not "succeeded".
        let of = if span.negates { self.by_its_name(of) } else { of };
        // "Members by country" are counted, although no table is called so.
        let grouped = self.spans.get(self.at + 1).and_then(Spotted::role);
        let alone = self.named_tables().is_empty() && self.slots.aggregate.is_none();
        if alone && matches!(grouped, Some(Role::Group | Role::Each)) {
            self.slots.flagged.rows = self.rows_of(&of);
        }
        self.slots.flagged.said.push(Said { of: of.clone(), value, attributive: next.is_some() });
        let filter = Filter::Flag { of, value };
        if !self.slots.filters.contains(&filter) {
            self.slots.filters.push(filter);
        }
    }

    /// "With unknown newsletter": there is no value, which is not the value for no.
    fn is_said_missing(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let said = before.map_or_else(String::new, |span| span.text.to_lowercase());
        said.split(' ').any(|word| matches!(word, "unknown" | "missing"))
    }

    /// "Guests with no damaged items" have none of them: true where what follows belongs to what was named.
    fn lacks_flagged(&mut self, of: &Mention) -> bool {
        let Some((at, table)) = self.next_table() else { return false };
        let below = |home: &TableId| *home != table && !self.catalogue.paths(table, *home).is_empty();
        if !self.named_tables().iter().any(below) || !of.columns().any(|column| column.table == table) {
            return false;
        }
        let words = self.spans.get(at).map_or_else(String::new, |span| span.text.clone());
        let filters = vec![Filter::Flag { of: of.clone(), value: true }];
        let of = Some(Mention::of(words, Thing::Table(table)));
        self.at = at;
        // "No emergency visit in 2025" is no such visit in that year.
        let small = |span: &&Spotted| is_filler(span) || span.role() == Some(Role::In);
        let skipped = self.spans.iter().skip(at + 1).take_while(small).count();
        let period = self.spans.get(at + 1 + skipped).and_then(|span| span.period.clone());
        if period.is_some() {
            self.at = at + 1 + skipped;
        }
        self.slots.filters.push(Filter::Never { of, filters, periods: period.into_iter().collect() });
        true
    }

    fn flag_part(&self, span: &Spotted, of: &Mention) -> Part {
        let table_next = self.next_table().is_some();
        let next = self.spans.get(self.at + 1);
        let name_next = next.is_some_and(Spotted::is_name);
        let gathers =
            self.slots.aggregate.is_some() || (self.slots.extreme.is_some() && self.slots.measures.is_empty());
        let first = self.spans.first().and_then(Spotted::role);
        let listed = self.is_whole_name(span) || self.is_beside_column();
        let shown = first == Some(Role::Command) && self.at <= 2 && listed && !table_next;
        if (self.wanted == Wanted::Group && !table_next) || (gathers && !name_next) || shown {
            return Part::Name;
        }
        if span.role() == Some(Role::Spent) && self.is_spending() {
            return Part::Verb;
        }
        self.or_value(span, of)
    }

    /// "who paid the most", "how much was paid", "customers who paid over 100": the verb and not the column.
    fn is_spending(&self) -> bool {
        let before = self.spans.iter().take(self.at).rev().find(|span| !is_filler(span));
        let next = self.spans.iter().skip(self.at + 1).find(|span| !is_filler(span));
        let amount = next.is_some_and(|next| {
            next.number.is_some()
                || matches!(
                    next.role(),
                    Some(
                        Role::Most
                            | Role::Fewest
                            | Role::Over
                            | Role::AtLeast
                            | Role::Under
                            | Role::AtMost
                            | Role::More
                    )
                )
        });
        let compared = next.is_some_and(|next| matches!(next.signal, Some(Signal::Comparative(..))));
        self.slots.how_much || amount || compared || before.is_some_and(|span| span.role() == Some(Role::Who))
    }

    /// A word that is also a value elsewhere is what belongs to the rows spoken of.
    fn or_value(&self, span: &Spotted, of: &Mention) -> Part {
        let own = |table: Option<TableId>| of.columns().any(|column| Some(column.table) == table);
        let others: Vec<TableId> = span
            .values
            .iter()
            .filter_map(super::super::form::Found::table)
            .filter(|table| !own(Some(*table)))
            .collect();
        if others.is_empty() || span.signal.is_some() {
            return Part::Test;
        }
        let mut named = self.named_tables();
        named.extend(self.next_table().map(|(_, table)| table));
        let flag = named.iter().any(|table| own(Some(*table)));
        let value = named.iter().any(|table| others.contains(table));
        match (flag, value) {
            (true, false) => Part::Test,
            (false, true) => Part::Value,
            _ => Part::Unclear,
        }
    }

    fn doubt_flag(&mut self, span: &Spotted, of: &Mention) {
        let labels = of.columns().map(|column| self.catalogue.column_label(column));
        let values = span.values.iter().filter_map(|found| match found.place {
            Thing::Column(column) => Some(self.catalogue.column_label(column)),
            Thing::Table(_) | Thing::Concept(_) => None,
        });
        let places: Vec<String> = labels.chain(values).collect();
        let text = format!(
            "“{}” may be said of {}: name the rows it is said of, as in “number of … that are {}”.",
            span.text,
            places.join(" or of "),
            span.text
        );
        self.slots.doubt.get_or_insert(text);
    }

    /// "Show confirmed and price": one of several columns to show.
    fn is_beside_column(&self) -> bool {
        let column = |span: &Spotted| span.is_name() && table_of(span).is_none() && self.flag_of(span).is_none();
        let joined = self.spans.get(self.at + 1).is_some_and(|next| next.role() == Some(Role::And));
        joined && self.spans.get(self.at + 2).is_some_and(column)
    }

    /// "Cancellation rate by trainer": the share of rows that are so. False where no state stands before.
    pub fn take_rate(&mut self, span: &Spotted) -> bool {
        let is_rate = matches!(span.text.to_lowercase().as_str(), "rate" | "rates" | "quota" | "quote");
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let state = before.and_then(|before| self.flag_of(before));
        let Some(said) = self.slots.flagged.said.last_mut().filter(|_| is_rate && state.is_some()) else {
            return false;
        };
        said.attributive = false;
        self.slots.analysis = Analysis::Share;
        true
    }

    /// Whether the words are the whole name of the column, with its "is" or "has".
    fn is_whole_name(&self, span: &Spotted) -> bool {
        let stems = words::split_name(&span.text);
        span.names.iter().any(|candidate| match candidate.thing {
            Thing::Column(column) => {
                let own = &self.catalogue.column(column).stems;
                *own == stems && bare(own).len() < own.len()
            }
            Thing::Table(_) | Thing::Concept(_) => false,
        })
    }

    /// The table named right behind, and where; another state may stand between: "paid and cancelled orders".
    fn next_table(&self) -> Option<(usize, TableId)> {
        for (at, span) in self.spans.iter().enumerate().skip(self.at + 1) {
            // A visit is a name here, whatever it is as a verb.
            let plain = span.signal.is_none() || span.role() == Some(Role::Link);
            if let Some(table) = table_of(span).filter(|_| plain) {
                return Some((at, table));
            }
            let joins = matches!(span.role(), Some(Role::And | Role::Or | Role::Not));
            if !joins && self.flag_of(span).is_none() {
                return None;
            }
        }
        None
    }

    fn is_name_ahead(&self) -> bool {
        let next = self.spans.iter().skip(self.at + 1).find(|span| !is_filler(span));
        next.is_some_and(|next| next.is_name() && next.role().is_none())
    }

    /// Tables that have a part in the question so far.
    pub fn named_tables(&self) -> Vec<TableId> {
        let slots = &self.slots;
        let asked = match &slots.asked {
            Some(Asked::Thing(mention)) => Some(mention),
            Some(Asked::Time(_)) | None => None,
        };
        let loose = slots.loose.iter().map(|(_, mention)| mention);
        let measured = slots.measures.iter().map(|measure| &measure.of);
        let ranked = match slots.ranking.as_ref().and_then(|ranked| ranked.subject.as_ref()) {
            Some(Asked::Thing(mention)) => Some(mention),
            Some(Asked::Time(_)) | None => None,
        };
        let counted = slots.counted.iter().chain(asked).chain(ranked);
        let all = counted.chain(&slots.context).chain(&slots.beside).chain(loose);
        all.chain(measured).filter_map(Mention::table).collect()
    }

    fn is_of_named(&self, of: &Mention) -> bool {
        let named = self.named_tables();
        named.is_empty() || of.columns().any(|column| named.contains(&column.table))
    }

    /// Whether "of them" stands before it: rows of a result, and not all there are.
    fn speaks_back(&self) -> bool {
        let words = self.spans.iter().take(self.at).map(|span| span.text.to_lowercase()).collect::<Vec<_>>().join(" ");
        let of = ["of", "among"].map(|of| ["them", "those", "these"].map(|them| format!("{of} {them}")));
        of.iter().flatten().any(|phrase| words.contains(phrase.as_str()))
    }

    fn by_its_name(&self, of: Mention) -> Mention {
        let name = of.columns().next().map(|column| bare(&self.catalogue.column(column).stems).join(" "));
        Mention { words: name.unwrap_or_else(|| of.words.clone()), ..of }
    }

    /// "What did we earn from …" asks how much.
    pub fn asks_amount(&mut self) {
        let what = self.spans.first().is_some_and(|first| first.text.to_lowercase().starts_with("what"));
        let did = |span: &Spotted| {
            let said = span.text.to_lowercase();
            ["did", "do", "does", "have", "we"].iter().any(|verb| said.split(' ').any(|word| word == *verb))
        };
        let small = self.spans.iter().take(self.at).skip(1).all(is_filler);
        let doing = self.spans.iter().take(self.at).any(did);
        if what && small && doing && self.wanted == Wanted::Asked {
            self.wanted = Wanted::Nothing;
            self.slots.how_much = true;
        }
    }

    /// A verb of paying.
    pub fn spend(&mut self, span: &Spotted) {
        self.slots.spent = true;
        self.slots.flagged.spent.get_or_insert_with(|| span.text.clone());
    }

    /// Whether a function word is also a value, and stands where only that can be meant: "paid invoices", "orders that
    /// are placed".
    pub fn says_value(&self, span: &Spotted) -> bool {
        let weak = matches!(span.role(), Some(Role::Ignore | Role::Link | Role::Sold | Role::Bought | Role::Spent));
        let own = |table: TableId| span.values.iter().any(|found| found.table() == Some(table));
        if !weak || span.text.chars().count() <= 3 || span.values.is_empty() {
            return false;
        }
        if self.spans.get(self.at + 1).and_then(table_of).is_some_and(own) {
            return true;
        }
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let is = |span: &Spotted| {
            let states = ["is", "are", "was", "were", "which are", "that are", "be", "been"];
            states.contains(&span.text.to_lowercase().as_str()) || matches!(span.role(), Some(Role::Only | Role::Not))
        };
        let after = self.spans.get(self.at + 1).map(Spotted::role);
        let ends = after.is_none_or(|role| matches!(role, Some(Role::Group | Role::Each | Role::And | Role::Or)));
        ends && before.is_some_and(is)
    }

    fn rows_of(&self, of: &Mention) -> Option<Mention> {
        let table = only_table(of)?;
        Some(Mention::of(self.catalogue.plural(table), Thing::Table(table)))
    }
}

impl Composer<'_> {
    /// "paid and unpaid" are two groups, and "share of rentals that are paid" is a number of its own.
    pub fn settle_flags(&mut self) {
        self.settle_times();
        self.settle_opposites();
        if self.slots.analysis == Analysis::Share {
            self.settle_flag_share();
        }
    }

    /// A verb of paying that gave the question nothing was not understood: "how many articles were paid?".
    pub fn settle_spent(&mut self) {
        let slots = &self.slots;
        let counted = slots.measures.iter().all(|measure| measure.aggregate == Aggregate::Count);
        let ranked = slots.ranking.is_some() || self.form.ranking.is_some() || slots.claim.is_some();
        let bare = slots.filters.is_empty() && slots.conditions.is_empty() && slots.context.is_empty();
        // "The amount charged" is the amount.
        let number = slots.loose.iter().any(|(_, one)| super::mention::is_measure(self.catalogue, one));
        if slots.spent && counted && !ranked && bare && slots.loose.len() < 2 && !number {
            self.read.unknown.extend(self.slots.flagged.spent.take());
        }
    }

    /// "How many times were boats damaged": the rows that say so, and no dates.
    fn settle_times(&mut self) {
        let times = self.slots.counted.as_ref().is_some_and(|counted| counted.words.eq_ignore_ascii_case("times"));
        let of = self.slots.flagged.said.last().filter(|_| times).and_then(|said| only_table(&said.of));
        if let Some(table) = of {
            self.slots.counted = Some(Mention::of(self.catalogue.plural(table), Thing::Table(table)));
        }
    }

    fn settle_opposites(&mut self) {
        let of = |filter: &Filter| match filter {
            Filter::Flag { of, value } => Some((of.clone(), *value)),
            _ => None,
        };
        let said: Vec<(Mention, bool)> = self.slots.filters.iter().filter_map(of).collect();
        let opposite = said
            .iter()
            .find(|(one, value)| said.iter().any(|(other, against)| value != against && is_same(one, other)));
        let Some((mention, _)) = opposite.cloned() else { return };
        let same = |filter: &Filter| matches!(filter, Filter::Flag { of, .. } if is_same(of, &mention));
        self.slots.filters.retain(|filter| !same(filter));
        self.slots.flagged.said.clear();
        if self.slots.analysis == Analysis::Compare {
            self.slots.analysis = Analysis::Plain;
        }
        self.form.notes.push(format!(
            "“{}” and its opposite are set side by side, a row for each; what says neither is left out.",
            mention.words
        ));
        self.slots.filters.push(Filter::Missing { of: mention.clone(), negated: true, unwritten: true });
        self.slots.dimensions.push(Dimension::Thing(mention));
    }

    /// "What share of rentals is paid": of the rows that are left, those that say so.
    fn settle_flag_share(&mut self) {
        let said = std::mem::take(&mut self.slots.flagged.said);
        if said.is_empty() {
            return;
        }
        let (before, behind): (Vec<Said>, Vec<Said>) = said.into_iter().partition(|said| said.attributive);
        // "Per courier" is one share of each; "by courier" may also be how they are spread over them.
        let within_each = self.slots.dimensions.is_empty() || self.slots.per;
        let alone = self.slots.filters.len() == before.len() && within_each;
        let of = match (before.as_slice(), behind.as_slice()) {
            (_, [only]) => only.clone(),
            ([only], []) if alone => only.clone(),
            _ => {
                let words = before.first().or(behind.first()).map_or("", |said| said.of.words.as_str());
                let text = format!(
                    "A share of “{words}” can be one of all rows or one of those that are {words}: say “share of … that \
                     are {words}” for the one, and for the other ask for their number by group “as a share”."
                );
                self.read.doubt.get_or_insert(text);
                return;
            }
        };
        let table = self.slots.loose.iter().position(|(_, mention)| mention.table().is_some());
        let counted = self.slots.counted.take().or_else(|| table.map(|at| self.slots.loose.remove(at).1));
        let rows = only_table(&of.of).map(|table| Mention::of(self.catalogue.plural(table), Thing::Table(table)));
        let Some(counted) = counted.or(rows) else { return };
        let own = |filter: &Filter| *filter == Filter::Flag { of: of.of.clone(), value: of.value };
        self.slots.filters.retain(|filter| !own(filter));
        self.slots.analysis = Analysis::Plain;
        let measure = Measure::new(Aggregate::Share(of.value), counted);
        self.slots.measures.push(Measure { with: Some(of.of), ..measure });
    }
}

/// Whether two mentions are of the same column, in whatever words.
fn is_same(one: &Mention, other: &Mention) -> bool {
    let thing = |mention: &Mention| mention.best().map(|best| best.thing);
    thing(one) == thing(other)
}

/// The table a yes/no column is in, if it can be no other.
fn only_table(of: &Mention) -> Option<TableId> {
    let first = of.columns().next()?.table;
    of.columns().all(|column| column.table == first).then_some(first)
}

/// A question of nothing but what is so asks for those rows: "which are not damaged?", and by group for their number.
pub fn listed_by_flag(catalogue: &Catalogue, read: &mut super::Read) {
    let form = &mut read.form;
    let numbers = form.measures.is_empty() && form.subject.is_none();
    if let Some(of) = read.flagged_rows.take().filter(|_| numbers && !form.dimensions.is_empty()) {
        form.notes.push(format!("“{}” are counted, as no number of theirs was named.", of.words));
        form.measures.push(Measure::new(Aggregate::Count, of));
        return;
    }
    let nothing = numbers && form.dimensions.is_empty();
    let table = form.filters.iter().find_map(|filter| match filter {
        Filter::Flag { of, .. } => only_table(of),
        _ => None,
    });
    if let (true, Some(table)) = (nothing, table) {
        form.subject = Some(Mention::of(catalogue.plural(table), Thing::Table(table)));
    }
}

//! Questions whose answer is one value of all that passes: "did Berg earn more than 10 000 in total?", "when was the
//! last visit?", "which region grew the most?" and the share of one value. Next: `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Analysis, Dimension, Filter, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Order, Role};
use super::VALUES_JOINED;
use super::against::CLAIMS;
use super::both_ends::both_of;
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::{Ranked, Walker};
use super::spot::Spotted;

/// Whether a phrase says that all is taken together.
pub fn is_total(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "in total" | "in all" | "altogether" | "overall")
}

impl Walker<'_> {
    /// Notes whether the question is a claim to be answered by yes or no, and whether it speaks of a total.
    pub fn note_claim(&mut self) {
        let said = |span: &Spotted| span.text.to_lowercase();
        self.slots.claims = self.spans.first().is_some_and(|first| CLAIMS.contains(&said(first).as_str()));
        let any = |span: &Spotted| matches!(said(span).as_str(), "any" | "every" | "each" | "all" | "some" | "there");
        let opens = self.spans.first().is_some_and(|first| {
            let first = said(first);
            first == "did" || first.starts_with("is it ")
        });
        self.slots.claims_one = opens && !self.spans.iter().any(any);
        self.slots.in_total = self.spans.iter().any(|span| is_total(span) || span.role() == Some(Role::Often));
    }

    /// "more than 50 times": how often it was done.
    pub fn times(&mut self) -> Option<Measure> {
        let next = self.spans.get(self.at + 1).filter(|next| next.text.eq_ignore_ascii_case("times"))?;
        debug_assert_eq!(next.role(), Some(Role::Often));
        let deed = self.slots.deed.clone()?;
        self.at += 1;
        Some(Measure::new(Aggregate::Count, deed))
    }
}

impl Composer<'_> {
    /// "Is it true that business customers used more than 20 000 kWh in total?" compares one sum with a number.
    pub fn settle_total_claim(&mut self) {
        let one = self.slots.claims_one && self.slots.conditions.len() == 1;
        if !self.slots.claims || !(self.slots.in_total || one) || self.slots.claim.is_some() {
            return;
        }
        let free = self.slots.dimensions.is_empty() && self.slots.asked.is_none() && self.slots.counted.is_none();
        if !free || !self.slots.measures.is_empty() {
            return;
        }
        if let ([condition], false) =
            (self.slots.conditions.as_slice(), self.slots.conditions.iter().any(|c| c.average))
        {
            self.slots.claimed_total = Some((condition.comparator, condition.value));
            self.slots.measures.push(condition.measure.clone());
            self.slots.conditions.clear();
            return;
        }
        let tested = self.slots.filters.iter().position(|filter| matches!(filter, Filter::Number { unit: None, .. }));
        let only = self.slots.filters.iter().filter(|filter| matches!(filter, Filter::Number { .. })).count() == 1;
        if let Some(at) = tested.filter(|_| only)
            && let Filter::Number { of, comparator, value, .. } = self.slots.filters.remove(at)
        {
            self.slots.claimed_total = Some((comparator, value));
            self.slots.measures.push(Measure::new(Aggregate::Sum, of));
        }
    }

    /// "Which region grew the most in kWh": the groups are ranked by their growth.
    pub fn settle_growing(&mut self) {
        let most = self.slots.most_alone || self.slots.extreme.is_some();
        if self.slots.analysis != Analysis::Growth
            || !most
            || self.slots.ranking.is_some()
            || self.slots.asked.is_none()
        {
            return;
        }
        if self.slots.measures.is_empty() {
            let number = self.slots.loose.iter().position(|(_, mention)| is_measure(self.catalogue, mention));
            let table = || self.slots.loose.iter().position(|(_, mention)| mention.table().is_some());
            let aggregate = if number.is_some() { Aggregate::Sum } else { Aggregate::Count };
            if let Some(at) = number.or_else(table) {
                let of = self.slots.loose.remove(at).1;
                let how = if aggregate == Aggregate::Sum { "added up" } else { "counted" };
                self.form.notes.push(format!("“{}” is {how} in each group, as nothing else was said.", of.words));
                self.slots.measures.push(Measure::new(aggregate, of));
            }
        }
        let order = self.slots.extreme.take().unwrap_or(Order::Descending);
        let words = "most".to_owned();
        let limit = self.slots.most_limit.take();
        self.slots.ranking = Some(Ranked { order, limit, property: None, words, subject: None, by: None });
    }

    /// "When was the last visit of Berg": the last date there is.
    pub fn when_was(&mut self, order: Order, subject: Mention, date: Option<Mention>) {
        self.slots.when = false;
        let Some(mut date) = date else {
            let text = format!("No date is known of “{}”.", subject.words);
            self.read.doubt.get_or_insert(text);
            return;
        };
        if let Some(Thing::Column(column)) = date.best().map(|best| best.thing) {
            date.words = self.catalogue.column(column).noun();
        }
        let aggregate = if order == Order::Descending { Aggregate::Maximum } else { Aggregate::Minimum };
        self.form.context.push(subject);
        if self.slots.ago {
            let note =
                "How long ago that is depends on today, which the data does not know: count from the date given.";
            self.form.notes.push(note.to_owned());
        }
        match std::mem::take(&mut self.slots.both_ends) {
            true => self.slots.measures.extend(both_of(&date)),
            false => self.slots.measures.push(Measure::new(aggregate, date)),
        }
    }
}

/// A share within groups that are the very rows it is a share of: each would be all or nothing.
pub fn each_alone(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let shares = |table: TableId| {
        form.measures.iter().any(|measure| {
            let of = measure.of.table().or_else(|| measure.of.columns().next().map(|column| column.table));
            matches!(measure.aggregate, Aggregate::Share(_)) && of == Some(table)
        })
    };
    form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(mention) => {
            let table = mention.only_table().filter(|table| shares(*table))?;
            let plural = catalogue.plural(table);
            Some(format!("Each of the {plural} would be a group of its own: name what they are grouped by."))
        }
        Dimension::Time(_) => None,
    })
}

/// "The average age across artists": a row by itself has no average, so all of them are meant.
pub fn all_together(form: &mut QueryForm) {
    let rows = form.dimensions.iter().enumerate().find_map(|(at, dimension)| match dimension {
        Dimension::Thing(rows) => rows.only_table().map(|table| (at, rows.clone(), table)),
        Dimension::Time(_) => None,
    });
    let Some((at, rows, table)) = rows else { return };
    let others = form.dimensions.len() > 1;
    let of_rows = |measure: &Measure| {
        let gathers = matches!(
            measure.aggregate,
            Aggregate::Average
                | Aggregate::Median
                | Aggregate::Minimum
                | Aggregate::Maximum
                | Aggregate::Range
                | Aggregate::Deviation
        );
        // Of several groups, the one whose rows have the number is none: "total seats across subscriptions per plan".
        (gathers || (others && measure.aggregate == Aggregate::Sum))
            && measure.over_groups.is_none()
            && measure.of.columns().any(|column| column.table == table)
    };
    if (form.ranking.is_none() || others) && !form.measures.is_empty() && form.measures.iter().all(of_rows) {
        form.context.push(rows);
        form.dimensions.remove(at);
    }
}

/// "What share of outages were caused by storms": a group that is one value only is a test, and the whole is all rows.
pub fn ungrouped(analysis: Analysis, form: &mut QueryForm) {
    if analysis != Analysis::Share {
        return;
    }
    let filters = &form.filters;
    let is_tested = |mention: &Mention| {
        filters.iter().any(|filter| match filter {
            Filter::Value { words, found, negated: false } if !words.contains(VALUES_JOINED) => {
                let best = mention.best().map(|best| best.thing);
                found.iter().any(|found| Some(found.place) == best)
            }
            _ => false,
        })
    };
    form.dimensions.retain(|dimension| !matches!(dimension, Dimension::Thing(mention) if is_tested(mention)));
}

//! The end of other rows than those asked about: "the doctors trained in *the dearest procedure*", "the department with
//! *the student that has the lowest mark*". It tests the rows it is said of, and the rows asked about are listed or
//! counted as ever. Next: `resolve::tested`.

use super::super::form::{Aggregate, Filter, Found, Mention, TableId, Thing};
use super::super::lexicon::{Concept, Order, Role};
use super::compose::{Composer, is_date};
use super::rank::{flips, reverse};
use super::slots::{Asked, Walker, Wanted};
use super::spot::Spotted;

impl Walker<'_> {
    /// The table that was asked about before `ranked`, where that is another one.
    fn asked_before(&self, ranked: TableId) -> Option<&Mention> {
        let asked = match &self.slots.asked {
            Some(Asked::Thing(mention)) => Some(mention),
            Some(Asked::Time(_)) | None => None,
        };
        let loose = self.slots.loose.iter().map(|(_, mention)| mention);
        let mut all = asked.into_iter().chain(&self.slots.counted).chain(loose);
        all.find(|mention| mention.table().is_some_and(|table| table != ranked))
    }

    /// "Which usher earns the most?", where that is a value of the jobs: such rows are asked for.
    pub fn ask_for_such(&mut self, span: &Spotted) {
        let asks = self.wanted == Wanted::Asked && self.slots.asked.is_none() && span.signal.is_none();
        let lower = span.text.chars().next().is_some_and(char::is_lowercase);
        let next = self.spans.get(self.at + 1);
        let alone = next.is_some_and(|next| !next.is_name() || next.verb);
        let mut tables = span.values.iter().filter_map(Found::table);
        let Some(table) = tables.next().filter(|_| asks && lower && alone) else { return };
        if tables.all(|other| other == table) {
            let rows = Mention::of(self.catalogue.plural(table), Thing::Table(table));
            self.slots.asked = Some(Asked::Thing(rows));
        }
    }

    /// Notes that the rows whose end is wanted are not those asked about.
    pub fn note_nested(&mut self, ranked: &Mention) {
        let Some(table) = ranked.only_table() else { return };
        if self.slots.dimensions.is_empty() && self.asked_before(table).is_some() {
            self.slots.nested = Some(ranked.clone());
        }
    }

    /// "The claim with the most recent settlement date": the rows are ranked by that date. True where they are.
    pub fn ranks_by_date(&mut self, mention: &Mention) -> bool {
        let date = |column| is_date(self.catalogue, column);
        let dated = mention.table().is_none() && mention.columns().next().is_some() && mention.columns().all(date);
        let any = matches!(mention.words.to_lowercase().as_str(), "date" | "dates" | "time" | "day");
        let Some(ranked) = self.slots.ranking.as_mut().filter(|_| dated && !any) else { return false };
        if !matches!(ranked.property, Some((Concept::Date, _))) || self.slots.loose.is_empty() {
            return false;
        }
        if !self.slots.measures.is_empty() || self.slots.counted.is_some() {
            let text = format!(
                "What has the {} {} takes a question of its own: ask for that first.",
                ranked.words, mention.words
            );
            self.slots.doubt.get_or_insert(text);
        }
        (ranked.property, ranked.by) = (None, Some(mention.clone()));
        true
    }

    /// "Products bought by the customer with the most orders": which customer that is takes a question of its own.
    pub fn doubt_nested_most(&mut self) {
        let has = self.spans.iter().take(self.at).rev();
        let most = |role: Option<Role>| matches!(role, Some(Role::Most | Role::Fewest | Role::Count | Role::Ignore));
        let has = has.map(Spotted::role).find(|role| !most(*role)).flatten();
        let last = self.slots.loose.last().map(|(_, mention)| mention);
        let Some(last) = last.filter(|_| has == Some(Role::With)) else { return };
        let Some(other) = last.only_table().and_then(|table| self.asked_before(table)) else { return };
        let (other, last) = (other.words.clone(), last.words.clone());
        let text = format!(
            "Which “{other}” belong to the {last} with the most takes two questions: ask for that {last} first."
        );
        self.slots.doubt.get_or_insert(text);
    }
}

impl Composer<'_> {
    /// Makes a test of the end of rows that are not asked about, where one of their own columns tells it.
    pub fn settle_nested(&mut self) {
        let Some(rows) = self.slots.nested.take() else { return };
        let Some(table) = rows.only_table() else { return };
        let Some((of, order)) = self.nested_end(table) else { return };
        (self.slots.ranking, self.slots.extreme) = (None, None);
        self.slots.measures.clear();
        if matches!(&self.slots.asked, Some(Asked::Thing(asked)) if asked.only_table() == Some(table)) {
            self.slots.asked = None;
        }
        self.slots.loose.retain(|(_, mention)| mention.only_table() != Some(table));
        self.form.context.push(rows);
        self.slots.filters.push(Filter::End { of, order });
    }

    fn nested_end(&self, table: TableId) -> Option<(Mention, Order)> {
        if !self.slots.dimensions.is_empty() || !self.slots.conditions.is_empty() {
            return None;
        }
        match (&self.slots.ranking, self.slots.extreme, self.slots.measures.as_slice()) {
            (Some(ranked), None, []) if ranked.by.is_none() && ranked.limit.is_none_or(|limit| limit == 1) => {
                let (concept, words) = ranked.property.as_ref()?;
                let of = self.property_of(table, *concept, words)?;
                let order = if flips(self.catalogue, *concept, &of) { reverse(ranked.order) } else { ranked.order };
                Some((of, order))
            }
            (None, Some(order), [measure]) => {
                let end = matches!(measure.aggregate, Aggregate::Maximum | Aggregate::Minimum);
                let own = end && measure.over_groups.is_none();
                let mut of = measure.of.clone();
                of.candidates.retain(|one| matches!(one.thing, Thing::Column(column) if column.table == table));
                (own && !of.candidates.is_empty()).then_some((of, order))
            }
            _ => None,
        }
    }
}

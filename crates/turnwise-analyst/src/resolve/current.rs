//! Numbers of what is held as it was over time, version after version: a salary with the dates it was paid from and to.
//! Adding all versions up, or averaging them, says nothing that anybody asks, so that the current ones are taken where
//! no time is said, and the plan says so. Next: `assemble`, `list`.

use super::assemble::Frame;
use crate::form::{ColumnId, Dimension, Filter, Measure, Mention, RankBy, TableId, Thing, Versions};
use crate::lexicon::Concept;
use crate::query::{Expression, Test};

impl Frame<'_> {
    /// The test that leaves only current versions, where the number asked for is one of versions.
    pub fn current_number(&mut self, measure: &Measure, of_rows: bool) -> Option<Test> {
        let own = !of_rows && self.is_of_start(&measure.of);
        self.current(own)
    }

    /// The same where rows are listed by such a number, or with it.
    pub fn current_listed(&mut self) -> Option<Test> {
        let form = self.form;
        let ranked = form.ranking.as_ref().and_then(|ranking| match &ranking.by {
            RankBy::Property(mention) => Some(mention),
            RankBy::Measure => None,
        });
        let own = self.start != self.home_table
            && form.attributes.iter().chain(ranked).any(|mention| self.is_of_start(mention));
        self.current(own)
    }

    fn current(&mut self, asked: bool) -> Option<Test> {
        let entry = self.catalogue.table(self.start);
        let end = entry.lasting.versions?;
        let tested = self.form.filters.iter().any(|filter| match filter {
            Filter::Number { of, .. } | Filter::Average { of, .. } | Filter::End { of, .. } => self.is_of_start(of),
            _ => false,
        });
        let wanted = match self.form.versions {
            Versions::Unsaid => (asked || tested) && !self.is_timed(),
            Versions::Current => true,
            Versions::All => false,
        };
        if !wanted {
            return None;
        }
        let (table, end_name) = (&entry.name, &entry.columns[end].name);
        let rest = if self.form.versions == Versions::Unsaid { ": say “ever” for all of them" } else { "" };
        self.assume(format!(
            "Of {table} only the rows without {end_name} are taken, which are the current ones{rest}."
        ));
        Some(Test::Missing { of: Expression::Column { source: 0, column: end }, negated: false })
    }

    /// Whether a mention is a number of the table the query starts from.
    fn is_of_start(&self, mention: &Mention) -> bool {
        let best = mention.best().map_or(0, |best| best.score);
        mention.candidates.iter().filter(|candidate| candidate.score + 10 >= best).any(|candidate| {
            match candidate.thing {
                Thing::Column(column) => column.table == self.start,
                Thing::Concept(concept) => self.holds(concept, self.start),
                Thing::Table(_) => false,
            }
        })
    }

    fn holds(&self, concept: Concept, table: TableId) -> bool {
        self.catalogue.measures(concept).iter().any(|source| source.table == table)
    }

    /// Whether a time was said, or a date of the versions themselves.
    fn is_timed(&self) -> bool {
        let form = self.form;
        let dated = |column: ColumnId| {
            column.table == self.start && self.catalogue.column(column).kind == crate::source::ColumnKind::Date
        };
        let said = form.filters.iter().any(|filter| match filter {
            Filter::During { .. } | Filter::Outside { .. } | Filter::Dated { .. } | Filter::Weekdays { .. } => true,
            Filter::Missing { of, .. } => of.columns().any(dated),
            _ => false,
        });
        let grouped = form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
        let named = form.attributes.iter().chain(&form.context).flat_map(Mention::columns).any(dated);
        said || grouped || named || !form.periods.is_empty()
    }
}

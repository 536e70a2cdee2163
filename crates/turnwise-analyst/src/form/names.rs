//! What the names in a form stand for: several readings travel together until one has to be chosen, so that each asks
//! for the reading it can use. Next: `form`.

use super::super::lexicon::Concept;
use super::{Candidate, ColumnId, Filter, Found, Mention, QueryForm, TableId, Thing};

impl Mention {
    /// The candidate that fits best.
    pub fn best(&self) -> Option<Candidate> {
        self.candidates.iter().copied().max_by_key(|candidate| candidate.score)
    }

    /// The table it names, if that is a reading as good as the best.
    pub fn table(&self) -> Option<TableId> {
        let best = self.best()?.score;
        self.candidates.iter().find_map(|candidate| match candidate.thing {
            Thing::Table(table) if candidate.score + 10 >= best => Some(table),
            Thing::Table(_) | Thing::Column(_) | Thing::Concept(_) => None,
        })
    }

    /// The table it names, if it can be no other.
    pub fn only_table(&self) -> Option<TableId> {
        let best = self.best()?.score;
        let close = self.candidates.iter().filter(|candidate| candidate.score + 10 >= best);
        let mut tables = close.filter_map(|candidate| match candidate.thing {
            Thing::Table(table) => Some(table),
            Thing::Column(_) | Thing::Concept(_) => None,
        });
        let first = tables.next()?;
        tables.next().is_none().then_some(first)
    }

    /// The concept it names, if that is one of its readings.
    pub fn concept(&self) -> Option<Concept> {
        self.candidates.iter().find_map(|candidate| match candidate.thing {
            Thing::Concept(concept) => Some(concept),
            Thing::Table(_) | Thing::Column(_) => None,
        })
    }

    /// The columns among its readings.
    pub fn columns(&self) -> impl Iterator<Item = ColumnId> + '_ {
        self.candidates.iter().filter_map(|candidate| match candidate.thing {
            Thing::Column(column) => Some(column),
            Thing::Table(_) | Thing::Concept(_) => None,
        })
    }

    /// A mention of one thing only.
    pub fn of(words: impl Into<String>, thing: Thing) -> Self {
        Self { words: words.into(), candidates: vec![Candidate { thing, score: 100 }] }
    }
}

impl QueryForm {
    /// Whether rows of that table are what is said to be lacking.
    pub fn lacks(&self, table: TableId) -> bool {
        self.filters.iter().any(|filter| match filter {
            // "Never opened a ticket" lacks tickets with a date of it.
            Filter::Lacks { of } | Filter::Never { of: Some(of), .. } => {
                of.table() == Some(table) || of.columns().any(|column| of.table().is_none() && column.table == table)
            }
            // "Never received an urgent shipment" lacks shipments, where nothing else is asked of them.
            Filter::Never { of: None, filters, .. } => {
                let asked = self.measures.iter().map(|measure| &measure.of).chain(&self.subject);
                let is_asked = asked.filter_map(Mention::only_table).any(|asked| asked == table);
                !is_asked && filters.iter().any(|filter| filter.tests(table))
            }
            _ => false,
        })
    }
}

impl Filter {
    /// Whether it holds something of rows of that table against something.
    fn tests(&self, table: TableId) -> bool {
        match self {
            Self::Flag { of, .. } | Self::Number { of, .. } | Self::Missing { of, .. } | Self::Dated { of, .. } => {
                of.columns().any(|column| column.table == table)
            }
            Self::Value { found, .. } => found.iter().any(|found| found.table() == Some(table)),
            _ => false,
        }
    }
}

impl Found {
    /// The table it is in.
    pub fn table(&self) -> Option<TableId> {
        match self.place {
            Thing::Table(table) => Some(table),
            Thing::Column(column) => Some(column.table),
            Thing::Concept(_) => None,
        }
    }
}

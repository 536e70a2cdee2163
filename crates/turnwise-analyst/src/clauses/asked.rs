//! What a leaning clause asks of the rows found that no follow-up in words of its own would: a bare "when", "who sells
//! it", "what does it cost", "what share of all is that". Next: `merge`.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{
    Aggregate, Candidate, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, TableId, Thing,
};
use super::super::lexicon::{Concept, lexicon};
use super::super::read;
use super::super::refer::About;
use super::super::source::ColumnKind;
use super::super::words;

/// A clause beside the form it is asked of.
pub struct Asking<'a> {
    pub catalogue: &'a Catalogue,
    pub form: &'a QueryForm,
    pub about: &'a About,
    pub text: &'a str,
}

/// Words around what is asked that say nothing of it.
const SILENT: [&str; 15] =
    ["it", "they", "them", "he", "she", "that", "those", "is", "was", "are", "were", "do", "does", "did", "the"];

impl Asking<'_> {
    /// The form with what is asked.
    pub fn made(&self) -> Option<QueryForm> {
        let words = turnwise_core::text::words(self.text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["when"] | ["since", "when"] | ["on", "what", "date"] => self.dated(&[]),
            ["when", rest @ ..] => self.dated(rest),
            ["who", rest @ ..] => self.doer(rest),
            ["what" | "how", rest @ ..] if is_price(rest) => self.price(),
            [
                "what",
                "share" | "percentage" | "percent" | "proportion" | "fraction",
                "of",
                rest @ ..,
                "is" | "are",
                "that" | "it" | "this" | "those" | "these",
            ] => self.share(rest),
            ["what" | "how", rest @ ..] if is_worth(rest) => self.worth(),
            ["how", "many", rest @ ..] => self.counted(rest),
            _ => None,
        }
    }

    /// The rows with a column more; none where no single rows are shown.
    fn showing(&self, mention: Mention) -> Option<QueryForm> {
        let mut made = self.form.clone();
        if !made.shown.is_empty() {
            made.shown.push(mention);
        } else if made.subject.is_some() {
            made.attributes.push(mention);
        } else if !made.dimensions.is_empty() && self.about.is_rows() {
            made.dimensions.push(Dimension::Thing(mention));
        } else {
            return None;
        }
        Some(made)
    }

    /// The date of the rows; of several the one that is the verb's, or else the day it happened.
    fn dated(&self, rest: &[&str]) -> Option<QueryForm> {
        let table = self.table()?;
        let verb: Vec<&str> = rest.iter().copied().filter(|word| !SILENT.contains(word)).collect();
        let dates = self.dates(table);
        let kept: Vec<ColumnId> = match verb.as_slice() {
            [] => dates,
            [verb] => {
                let span = read::spot(self.catalogue, verb).spans;
                let names = span.iter().flat_map(|span| span.names.iter().chain(&span.dates)).map(|one| one.thing);
                let named: Vec<Thing> = names.collect();
                dates.into_iter().filter(|date| named.contains(&Thing::Column(*date))).collect()
            }
            _ => return None,
        };
        let [date] = self.likeliest(kept)[..] else { return None };
        self.showing(Mention::of(self.catalogue.column(date).noun(), Thing::Column(date)))
    }

    fn dates(&self, table: TableId) -> Vec<ColumnId> {
        let columns = self.catalogue.table(table).columns.iter().enumerate();
        let dated = columns.filter(|(_, column)| column.kind == ColumnKind::Date);
        dated.map(|(column, _)| ColumnId { table, column }).collect()
    }

    /// Of several dates those that come first where a time is said of such rows.
    fn likeliest(&self, dates: Vec<ColumnId>) -> Vec<ColumnId> {
        let rank = |date: &ColumnId| {
            let stems = &self.catalogue.column(*date).stems;
            match super::super::resolve::is_own(&self.catalogue.table(date.table).stems, stems) {
                true => 0,
                false => 1 + lexicon().date_rank(stems),
            }
        };
        let least = dates.iter().map(rank).min();
        dates.into_iter().filter(|date| Some(rank(date)) == least).collect()
    }

    /// "Who sells it": whoever is called after the verb, as the seller is.
    fn doer(&self, rest: &[&str]) -> Option<QueryForm> {
        let verb: Vec<&str> = rest.iter().copied().filter(|word| !SILENT.contains(word) && *word != "by").collect();
        let [verb] = verb[..] else { return None };
        let roots = words::verb_roots(verb);
        let made = roots.iter().flat_map(|root| {
            let bare = root.trim_end_matches('e');
            [format!("{bare}er"), format!("{bare}or"), root.clone()]
        });
        let nouns: Vec<String> = made.collect();
        let found = nouns.iter().map(|noun| self.catalogue.names().find(std::slice::from_ref(noun)));
        let found = found.map(|names| self.within_reach(&names)).find(|names| !names.is_empty());
        let candidates = found.or_else(|| self.by_verb(&roots))?;
        self.showing(Mention { words: verb_noun(self.catalogue, &candidates)?, candidates })
    }

    /// The columns of the rows that are the verb's: `sold_by`.
    fn by_verb(&self, roots: &[String]) -> Option<Vec<Candidate>> {
        let table = self.table()?;
        let own = self.catalogue.table(table).columns.iter().enumerate().filter(|(_, column)| {
            let by = column.stems.last().is_some_and(|last| last == "by");
            by && column
                .stems
                .first()
                .is_some_and(|first| words::verb_roots(first).iter().any(|root| roots.contains(root)))
        });
        let found: Vec<Candidate> =
            own.map(|(column, _)| Candidate { thing: Thing::Column(ColumnId { table, column }), score: 90 }).collect();
        (found.len() == 1).then_some(found)
    }

    /// Those of which each of the rows has one.
    fn within_reach(&self, names: &[Candidate]) -> Vec<Candidate> {
        let Some(own) = self.table() else { return Vec::new() };
        let reached = |table: TableId| table == own || !self.catalogue.paths(own, table).is_empty();
        let kept = names.iter().filter(|candidate| match candidate.thing {
            Thing::Table(table) => table != own && reached(table),
            Thing::Column(column) => column.table == own,
            Thing::Concept(_) => false,
        });
        kept.copied().collect()
    }

    /// What one of the rows costs.
    fn price(&self) -> Option<QueryForm> {
        let table = self.table()?;
        let price = self.amount(Concept::Price, table).or_else(|| self.amount(Concept::Money, table))?;
        self.showing(Mention::of(self.catalogue.column(price).noun(), Thing::Column(price)))
    }

    /// The only column of such an amount that the rows of `table` have.
    fn amount(&self, concept: Concept, table: TableId) -> Option<ColumnId> {
        let own = self.catalogue.measures(concept).iter().filter_map(|source| match source.amount {
            Amount::Column(column) if column.table == table => Some(column),
            _ => None,
        });
        let mut own: Vec<ColumnId> = own.collect();
        own.dedup();
        if let [only] = own[..] { Some(only) } else { None }
    }

    /// "What is their total value": the money of what was counted.
    fn worth(&self) -> Option<QueryForm> {
        let counts = |measure: &Measure| matches!(measure.aggregate, Aggregate::Count);
        let mut made = self.form.clone();
        if made.measures.is_empty() || !made.measures.iter().all(counts) {
            return None;
        }
        // What something costs beside, like its shipping, is not what it is worth.
        let is_cost = |column: &ColumnId| self.catalogue.column(*column).stems.iter().any(|stem| stem == "cost");
        let column = self.amount(Concept::Price, self.table()?).filter(|column| !is_cost(column));
        let of = match (column, self.catalogue.measures(Concept::Money).is_empty()) {
            (Some(column), true) => Thing::Column(column),
            (None, true) => return None,
            (_, false) => Thing::Concept(Concept::Money),
        };
        let of = Mention { words: "value".to_owned(), candidates: vec![Candidate { thing: of, score: 85 }] };
        // Whose value it is was said.
        made.context.push(self.about.mention());
        made.measures.push(Measure::new(Aggregate::Sum, of));
        Some(made)
    }

    /// "What share of all prescriptions is that": of all of what was counted, those that passed the tests.
    fn share(&self, of: &[&str]) -> Option<QueryForm> {
        let [count] = self.form.measures.as_slice() else { return None };
        let counts = count.aggregate == Aggregate::Count && count.holds.is_empty() && self.form.dimensions.is_empty();
        let all: Vec<&str> = of.iter().copied().filter(|word| !matches!(*word, "all" | "the" | "our")).collect();
        let same = read::named(self.catalogue, &all.join(" "))
            .is_some_and(|named| named.table().is_some() && named.table() == count.of.table());
        let plain = self.form.periods.is_empty() && self.form.conditions.is_empty() && !self.form.filters.is_empty();
        if !(counts && plain && (same || all.is_empty() || all == ["total"])) {
            return None;
        }
        let mut made = self.form.clone();
        let tests: Vec<Filter> = std::mem::take(&mut made.filters);
        let share = Measure { holds: tests.clone(), ..Measure::new(Aggregate::Share(true), count.of.clone()) };
        made.measures = vec![Measure { holds: tests, ..count.clone() }, share];
        made.context.clear();
        Some(made)
    }

    /// "How many docks does it have", where that is a number of the rows themselves.
    fn counted(&self, rest: &[&str]) -> Option<QueryForm> {
        let (tail, said) = match rest {
            [said @ .., "does" | "do" | "did", "it" | "they" | "he" | "she" | "that", "have"] => (true, said),
            [said @ .., "has" | "have", "it" | "they"] => (true, said),
            said => (false, said),
        };
        let span = read::named(self.catalogue, &said.join(" ")).filter(|_| tail && !said.is_empty())?;
        let own = |column: &ColumnId| Some(column.table) == self.table() && self.catalogue.column(*column).is_number();
        let columns: Vec<ColumnId> = span.columns().filter(own).collect();
        let [column] = columns[..] else { return None };
        if span.table().is_some() {
            return None;
        }
        self.showing(Mention::of(self.catalogue.column(column).noun(), Thing::Column(column)))
    }

    fn table(&self) -> Option<TableId> {
        self.about.is_rows().then_some(self.about.table)
    }
}

/// "Does it cost", "much is it", "is its price": what is asked is what the rows cost.
fn is_price(words: &[&str]) -> bool {
    let kept: Vec<&str> = words.iter().copied().filter(|word| !SILENT.contains(word)).collect();
    matches!(kept.as_slice(), ["cost" | "costs"] | ["much"] | ["much", "cost" | "costs"] | ["expensive"])
}

/// "Is their total value", "much are they worth", "is the total": what they come to in money.
fn is_worth(words: &[&str]) -> bool {
    const TOTAL: [&str; 6] = ["total", "combined", "overall", "sum", "summed", "altogether"];
    const VALUE: [&str; 5] = ["value", "amount", "worth", "sum", "total"];
    let silent = |word: &&str| SILENT.contains(word) || matches!(*word, "their" | "its" | "of" | "much" | "in" | "all");
    let kept: Vec<&str> = words.iter().copied().filter(|word| !silent(word)).collect();
    matches!(kept.as_slice(), [one, two] if TOTAL.contains(one) && VALUE.contains(two))
        || matches!(kept.as_slice(), ["worth"] | ["worth", "total" | "altogether"])
}

fn verb_noun(catalogue: &Catalogue, candidates: &[Candidate]) -> Option<String> {
    Some(match candidates.first()?.thing {
        Thing::Table(table) => catalogue.table(table).noun(),
        Thing::Column(column) => catalogue.column(column).noun(),
        Thing::Concept(_) => return None,
    })
}

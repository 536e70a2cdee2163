//! What the data holds and what can be asked of it: for greeting, help and the way out of a misunderstanding. Every
//! example is planned before it is offered. Next: `draft`.

use std::sync::Arc;

use turnwise_core::{DraftOutcome, Mode, PlanKind, Task};

use super::catalogue::{Catalogue, ColumnPart, Display};
use super::draft;
use super::form::{ColumnId, Dimension, QueryForm, TableId};
use super::lexicon::Concept;
use super::read::{self, Spotted};

/// Examples offered.
const EXAMPLES_MAX: usize = 5;
/// Tables looked at for examples: enough variety, and no long wait over a thousand tables.
const TABLES_TRIED_MAX: usize = 12;

/// What the data holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// Its tables.
    pub tables: Vec<TableOverview>,
    /// Questions that work on it.
    pub examples: Vec<String>,
    /// Its documents, with how many passages each has.
    pub documents: Vec<(String, usize)>,
}

/// What a table holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOverview {
    /// Its name.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Its columns' names.
    pub columns: Vec<String>,
}

/// The overview of everything there is, with questions over what stands for itself.
pub fn overview(catalogue: &Catalogue, own: &Catalogue) -> Overview {
    let tables = catalogue.tables().map(|(_, table)| TableOverview {
        name: table.name.clone(),
        rows: table.rows,
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
    });
    Overview { tables: tables.collect(), examples: examples(own), documents: Vec::new() }
}

/// Words of `text` that name something of the data.
pub fn recognise(catalogue: &Catalogue, text: &str) -> Vec<String> {
    let spans = read::spot(catalogue, text).spans.into_iter();
    let known = |span: &Spotted| span.is_name() || (!span.values.is_empty() && span.signal.is_none());
    spans.filter(known).map(|span| span.text).collect()
}

/// Questions that can be planned, the most telling first.
pub fn examples(catalogue: &Catalogue) -> Vec<String> {
    let mut examples = Vec::new();
    for text in candidates(catalogue) {
        if examples.len() < EXAMPLES_MAX && !examples.contains(&text) && plans(catalogue, &text) {
            examples.push(text);
        }
    }
    examples
}

fn plans(catalogue: &Catalogue, text: &str) -> bool {
    let read = read::read(catalogue, text);
    if draft::not_understood(&read).is_some() || read.unranked.is_some() || read.ungathered.is_some() {
        return false;
    }
    let task = Task {
        problem: text.to_owned(),
        kind: PlanKind::Plain,
        mode: Mode::Exploratory,
        changes: Vec::new(),
        answers: Vec::new(),
        previous: None,
        failure: None,
        facts: Vec::<Arc<turnwise_core::Fact>>::new(),
    };
    super::steps::plan(catalogue, &read.form, &task, &|_| String::new())
        .map(|plan| DraftOutcome::Ready { plan })
        .is_ok()
}

fn candidates(catalogue: &Catalogue) -> Vec<String> {
    let mut texts = Vec::new();
    let money = catalogue.measures(Concept::Money).first();
    if let Some(source) = money {
        texts.push("total sales by year".to_owned());
        for (id, table) in catalogue.tables().take(TABLES_TRIED_MAX) {
            if id != source.table && table.display != Display::Nothing && !catalogue.paths(source.table, id).is_empty()
            {
                texts.push(format!("top 5 {} by sales", catalogue.plural(id)));
            }
        }
        texts.extend(category(catalogue, source.table).map(|noun| format!("share of sales by {noun}")));
        texts.push("sales trend by quarter".to_owned());
    }
    for (id, table) in catalogue.tables().take(TABLES_TRIED_MAX) {
        texts.push(format!("how many {} are there", catalogue.plural(id)));
        texts.extend(category(catalogue, id).map(|noun| format!("number of {} by {noun}", catalogue.plural(id))));
        let number = table.columns.iter().find(|column| column.is_number());
        texts.extend(number.map(|column| format!("average {} {}", table.noun(), column.noun())));
    }
    texts
}

/// A text column with few values: good to group by.
fn category(catalogue: &Catalogue, table: TableId) -> Option<String> {
    let columns = catalogue.table(table).columns.iter();
    let few = columns.filter(|column| column.part == ColumnPart::Attribute);
    let counted = few.filter_map(|column| Some((column.distinct.filter(|count| (2..=60).contains(count))?, column)));
    counted.min_by_key(|(count, _)| *count).map(|(_, column)| column.noun())
}

/// What the things a form ranks can be ranked by.
pub fn measures(catalogue: &Catalogue, form: &QueryForm) -> Vec<String> {
    let ranked = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(mention) => mention.table(),
        Dimension::Time(_) => None,
    });
    let mut choices = Vec::new();
    for (concept, words) in [(Concept::Money, "sales"), (Concept::Quantity, "units sold")] {
        let reaches = |table: TableId| ranked.is_none_or(|ranked| !catalogue.paths(table, ranked).is_empty());
        if catalogue.measures(concept).iter().any(|source| reaches(source.table)) {
            choices.push(words.to_owned());
        }
    }
    if let Some(ranked) = ranked {
        let linked = catalogue.referrers(ranked).map(|join| join.from);
        choices.extend(linked.map(|table| format!("number of {}", catalogue.plural(table))));
        let own = catalogue.table(ranked).columns.iter().enumerate();
        let numbers = own.filter(|(_, column)| column.is_number());
        choices.extend(numbers.map(|(at, _)| catalogue.column(ColumnId { table: ranked, column: at }).noun()));
    }
    choices.dedup();
    choices
}

//! What the data holds and what can be asked of it: for greeting, help and the way out of a misunderstanding. Every
//! example is planned before it is offered. Next: `draft`.

use std::collections::BTreeSet;
use std::sync::Arc;

use turnwise_core::{Mode, PlanKind, Task};

use super::catalogue::{Amount, Catalogue, ColumnPart, Display, Made, MeasureSource};
use super::draft;
use super::form::{ColumnId, Dimension, QueryForm, TableId, Thing};
use super::lexicon::{Concept, lexicon};
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
    first_planned(catalogue, candidates(catalogue))
}

fn first_planned(catalogue: &Catalogue, texts: Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for text in texts {
        if found.len() < EXAMPLES_MAX && !found.contains(&text) && plans(catalogue, &text) {
            found.push(text);
        }
    }
    found
}

/// Questions that can be planned about what `texts` speak of; about anything there is, where that is nothing.
pub fn near(catalogue: &Catalogue, texts: &[String]) -> Vec<String> {
    let mut about: Vec<TableId> = Vec::new();
    let mut columns: Vec<ColumnId> = Vec::new();
    for span in texts.iter().flat_map(|text| read::spot(catalogue, text).spans) {
        let named = span.names.iter().max_by_key(|one| one.score).map(|one| one.thing);
        match named.or(span.values.first().map(|found| found.place)) {
            Some(Thing::Table(table)) => about.push(table),
            Some(Thing::Column(column)) => columns.push(column),
            Some(Thing::Concept(_)) | None => {}
        }
    }
    about.extend(columns.iter().map(|column| column.table));
    let mut seen = BTreeSet::new();
    about.retain(|table| seen.insert(*table));
    let mut texts: Vec<String> = columns.iter().flat_map(|column| of_column(catalogue, *column)).collect();
    texts.extend(about.iter().take(TABLES_TRIED_MAX).flat_map(|table| of_table(catalogue, *table)));
    match first_planned(catalogue, texts) {
        none if none.is_empty() => examples(catalogue),
        found => found,
    }
}

/// Questions about a column of rows that were named.
fn of_column(catalogue: &Catalogue, id: ColumnId) -> Vec<String> {
    if Made::of(id.column).is_some() {
        return Vec::new();
    }
    let (table, column) = (catalogue.table(id.table), catalogue.column(id));
    match column.part {
        ColumnPart::Attribute if column.is_number() => vec![format!("average {} {}", table.noun(), column.noun())],
        ColumnPart::Attribute if column.distinct.is_some_and(|count| count <= 60) => {
            vec![format!("number of {} by {}", catalogue.plural(id.table), column.noun())]
        }
        ColumnPart::Attribute | ColumnPart::Key | ColumnPart::Reference(_) => Vec::new(),
    }
}

fn plans(catalogue: &Catalogue, text: &str) -> bool {
    let read = read::read(catalogue, text);
    if draft::not_understood(&read).is_some()
        || read.open.is_some()
        || read.unranked.is_some()
        || read.ungathered.is_some()
    {
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
        heard: turnwise_core::Heard::default(),
    };
    super::steps::plan(catalogue, &read.form, &task, &|_| String::new()).is_ok()
}

fn candidates(catalogue: &Catalogue) -> Vec<String> {
    let mut texts = Vec::new();
    let money = catalogue.measures(Concept::Money).first();
    if let Some(source) = money {
        let money = called(catalogue, source);
        texts.push(format!("total {money} by year"));
        for (id, table) in catalogue.tables().take(TABLES_TRIED_MAX) {
            if id != source.table && table.display != Display::Nothing && !catalogue.paths(source.table, id).is_empty()
            {
                texts.push(format!("top 5 {} by {money}", catalogue.plural(id)));
            }
        }
        texts.extend(category(catalogue, source.table).map(|noun| format!("share of {money} by {noun}")));
        texts.push(format!("{money} trend by quarter"));
    }
    texts.extend(catalogue.tables().take(TABLES_TRIED_MAX).flat_map(|(id, _)| of_table(catalogue, id)));
    texts
}

/// Questions about the rows of a table.
fn of_table(catalogue: &Catalogue, id: TableId) -> Vec<String> {
    let table = catalogue.table(id);
    let mut texts = vec![format!("how many {} are there", catalogue.plural(id))];
    texts.extend(category(catalogue, id).map(|noun| format!("number of {} by {noun}", catalogue.plural(id))));
    let number = table.columns.iter().find(|column| column.is_number());
    texts.extend(number.map(|column| format!("average {} {}", table.noun(), column.noun())));
    texts
}

/// What people call the money of rows: sales only where things are sold.
fn called(catalogue: &Catalogue, source: &MeasureSource) -> String {
    let sells = |stem: &String| lexicon().is_trade(stem);
    let own = match &source.amount {
        Amount::Column(column) => Some(*column),
        Amount::Product { .. } | Amount::Difference { .. } => None,
    };
    match own.filter(|_| !catalogue.table(source.table).stems.iter().any(sells)) {
        Some(column) => format!("{} {}", catalogue.table(source.table).noun(), catalogue.column(column).noun()),
        None => "sales".to_owned(),
    }
}

/// A text column with few values: good to group by.
fn category(catalogue: &Catalogue, table: TableId) -> Option<String> {
    let columns = catalogue.table(table).columns.iter();
    let few = columns.filter(|column| column.part == ColumnPart::Attribute);
    let counted = few.filter_map(|column| Some((column.distinct.filter(|count| (2..=60).contains(count))?, column)));
    counted.min_by_key(|(count, _)| *count).map(|(_, column)| column.noun())
}

/// What the things that only a column tells apart can be ranked by: their rows, and the numbers of those.
pub fn measures_of_rows(catalogue: &Catalogue, form: &QueryForm) -> Vec<String> {
    let told_apart = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(mention) => mention.columns().next().map(|column| column.table),
        Dimension::Time(_) => None,
    });
    let Some(table) = told_apart else { return Vec::new() };
    let own = catalogue.table(table).columns.iter().enumerate();
    let numbers = own.filter(|(_, column)| column.is_number() && column.flag.is_none());
    let numbers = numbers.map(|(at, _)| catalogue.column(ColumnId { table, column: at }).noun());
    std::iter::once(format!("number of {}", catalogue.plural(table))).chain(numbers).collect()
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
        let numbers = own.filter(|(_, column)| column.is_number() && column.flag.is_none());
        choices.extend(numbers.map(|(at, _)| catalogue.column(ColumnId { table: ranked, column: at }).noun()));
    }
    choices.dedup();
    choices
}

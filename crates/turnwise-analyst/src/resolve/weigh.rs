//! What a phrase means when the query starts from a given table: the cheapest of its readings that can be reached, or
//! the question to ask when two are as cheap. Next: `assemble`.

use super::{JOIN, NAMED_TABLE, SAME_COST, Trouble, apart, echoes, keep_answer, named_tables, question};
use crate::catalogue::{Amount, Catalogue, ColumnPart, Display, JoinId, Path};
use crate::form::{Candidate, ColumnId, Dimension, End, Found, Mention, QueryForm, TableId, Thing};
use crate::lexicon::lexicon;

/// What a mention is read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A column.
    Column(ColumnId),
    /// The rows of a table.
    Rows(TableId),
}

/// A reading that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it is.
    pub target: Target,
    /// The joins to it.
    pub path: Path,
    /// As shown to people.
    pub label: String,
    /// What it costs.
    pub cost: u32,
    /// For values: their spellings in the data.
    pub values: Vec<String>,
}

/// What a mention is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// To group by or show: a reference stands for the rows it refers to.
    Group,
    /// To compare or calculate with.
    Number,
    /// As it is.
    Plain,
}

/// A failure with how well the rest fitted, so that the most telling one is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// How much worse than other failures.
    pub cost: u32,
    /// What to say.
    pub trouble: Trouble,
}

/// Different values up to which a column is a category.
const CATEGORIES_MAX: u64 = 200;
/// Different names up to which one is likely to be meant: among thousands of titles almost any words are found.
const NAMES_MAX: u64 = 1_000;
/// Difference of cost below which a value that names rows of two tables is asked about.
const SAME_NAME: u32 = 12;
/// What a column costs at least whose "id" was not said.
const UNSAID: u32 = 50;
/// What being found in a describing text costs.
const DESCRIPTION: u32 = 30;

/// A failure that another starting table may not have.
const UNREACHABLE: u32 = 1_000;

/// The reading of `mention` from `start`.
pub fn weigh(
    catalogue: &Catalogue,
    form: &QueryForm,
    start: TableId,
    mention: &Mention,
    wanted: Use,
) -> Result<Reading, Misfit> {
    let mut readings: Vec<Reading> = Vec::new();
    if let Some(defined) = form.defined(catalogue, &mention.words) {
        let Amount::Column(column) = defined.amount else {
            let words = &mention.words;
            let text =
                format!("“{words}” is {}, which can be added up but not compared or shown row by row.", defined.label);
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        };
        add(&mut readings, catalogue, start, Target::Column(column), 0, &[]);
        return choose(catalogue, form, start, &mention.words, readings);
    }
    for candidate in &mention.candidates {
        let cost = 100u32.saturating_sub(candidate.score);
        match candidate.thing {
            Thing::Table(table) => add(&mut readings, catalogue, start, Target::Rows(table), cost, &[]),
            Thing::Column(column) => column_readings(&mut readings, catalogue, start, column, cost, wanted),
            Thing::Concept(concept) => {
                for source in catalogue.measures(concept) {
                    if let Amount::Column(column) = source.amount {
                        let cost = 100u32.saturating_sub(source.score);
                        add(&mut readings, catalogue, start, Target::Column(column), cost, &[]);
                    }
                }
            }
        }
    }
    if wanted == Use::Number {
        readings.retain(|reading| matches!(reading.target, Target::Column(column) if is_comparable(catalogue, column)));
    }
    let is_there = !readings.is_empty();
    choose(catalogue, form, start, &mention.words, readings).map_err(|misfit| {
        let things = mention.candidates.iter().filter(|_| !is_there).map(|candidate| candidate.thing);
        apart::explained(catalogue, start, &mention.words, things, misfit)
    })
}

/// The reading of a value from `start`.
pub fn weigh_value(
    catalogue: &Catalogue,
    form: &QueryForm,
    start: TableId,
    words: &str,
    found: &[Found],
) -> Result<Reading, Misfit> {
    let mut readings = Vec::new();
    let grouped = found.iter().any(|place| is_grouped(form, place.place));
    for place in found {
        let target = match place.place {
            Thing::Table(table) => Target::Rows(table),
            Thing::Column(column) => Target::Column(column),
            Thing::Concept(_) => continue,
        };
        // A value of a column that is also grouped by is meant in that column.
        let elsewhere = if grouped && !is_grouped(form, place.place) { NAMED_TABLE } else { 0 };
        let cost = value_cost(catalogue, place.place) + elsewhere;
        match place.via {
            Some(via) => add_via(&mut readings, catalogue, start, via, &target, cost, &place.values),
            None => add(&mut readings, catalogue, start, target, cost, &place.values),
        }
    }
    if let Some(end) = found.iter().find_map(|place| place.end)
        && readings.iter().any(|reading| is_end(catalogue, reading, end))
    {
        readings.retain(|reading| is_end(catalogue, reading, end));
    }
    let is_there = !readings.is_empty();
    choose(catalogue, form, start, words, readings).map_err(|misfit| {
        let things = found.iter().filter(|_| !is_there).map(|place| place.place);
        apart::explained(catalogue, start, words, things, misfit)
    })
}

/// Whether a reading is at that end of a relation: by its own column, or by one on the way to it.
fn is_end(catalogue: &Catalogue, reading: &Reading, end: End) -> bool {
    let own = match reading.target {
        Target::Column(column) => lexicon().is_end(end, &catalogue.column(column).stems),
        Target::Rows(_) => false,
    };
    let on_the_way = |join: &JoinId| {
        let join = catalogue.join(*join);
        let columns = &catalogue.table(join.from).columns;
        join.from_columns.iter().any(|&at| lexicon().is_end(end, &columns[at].stems))
    };
    own || reading.path.0.iter().any(on_the_way)
}

/// A text of which hardly two rows share one describes; it takes a name or a category to be meant by a value.
fn value_cost(catalogue: &Catalogue, place: Thing) -> u32 {
    let Thing::Column(column) = place else { return 0 };
    let table = catalogue.table(column.table);
    let names = table.display == Display::Column(column.column);
    let many = catalogue.values().count(column).is_some_and(|count| count > CATEGORIES_MAX);
    let crowded = catalogue.values().count(column).is_some_and(|count| count > NAMES_MAX);
    if (many && !names) || crowded { DESCRIPTION } else { 0 }
}

/// Whether the form groups by the very column.
fn is_grouped(form: &QueryForm, place: Thing) -> bool {
    form.dimensions.iter().any(|dimension| match dimension {
        Dimension::Thing(mention) => {
            mention.candidates.iter().any(|candidate| candidate.score == 100 && candidate.thing == place)
        }
        Dimension::Time(_) => false,
    })
}

fn is_comparable(catalogue: &Catalogue, column: ColumnId) -> bool {
    let entry = catalogue.column(column);
    let key = entry.part == ColumnPart::Key && entry.kind == crate::source::ColumnKind::Integer;
    key || entry.is_number() || entry.kind == crate::source::ColumnKind::Date
}

fn column_readings(
    readings: &mut Vec<Reading>,
    catalogue: &Catalogue,
    start: TableId,
    column: ColumnId,
    cost: u32,
    wanted: Use,
) {
    let ColumnPart::Reference(join) = catalogue.column(column).part else {
        // "By product", of rows with a number and a name of it: people call it by its name.
        let called = if wanted == Use::Group && cost >= UNSAID { catalogue.called_by(column) } else { None };
        return add(readings, catalogue, start, Target::Column(called.unwrap_or(column)), cost, &[]);
    };
    if wanted != Use::Group {
        return add(readings, catalogue, start, Target::Column(column), cost, &[]);
    }
    // "by support representative" means the people referred to, not their numbers.
    let mut own = Vec::new();
    add(&mut own, catalogue, start, Target::Column(column), cost, &[]);
    readings.extend(own.into_iter().map(|mut reading| {
        reading.path.0.push(join);
        reading.target = Target::Rows(catalogue.join(join).to);
        reading
    }));
}

/// The readings of what a certain column refers to.
fn add_via(
    readings: &mut Vec<Reading>,
    catalogue: &Catalogue,
    start: TableId,
    via: ColumnId,
    target: &Target,
    cost: u32,
    values: &[String],
) {
    let ColumnPart::Reference(join) = catalogue.column(via).part else { return };
    let mut own = Vec::new();
    add(&mut own, catalogue, start, Target::Column(via), cost, values);
    readings.extend(own.into_iter().map(|mut reading| {
        reading.path.0.push(join);
        reading.target = target.clone();
        reading
    }));
}

fn add(
    readings: &mut Vec<Reading>,
    catalogue: &Catalogue,
    start: TableId,
    target: Target,
    cost: u32,
    values: &[String],
) {
    let table = match &target {
        Target::Rows(table) => *table,
        Target::Column(column) => column.table,
    };
    // Of a thousand tables few can be reached: nothing is put together for the others.
    let paths = catalogue.paths(start, table);
    let Some(lightest) = paths.first().map(|path| catalogue.weight(path)) else { return };
    let label = match &target {
        Target::Rows(table) => catalogue.table(*table).name.clone(),
        Target::Column(column) => catalogue.column_label(*column),
    };
    let rivals: Vec<&Path> = paths.iter().filter(|path| catalogue.weight(path) == lightest).collect();
    for path in &rivals {
        let label = if rivals.len() > 1 { format!("{label} by {}", route(catalogue, path)) } else { label.clone() };
        let cost = cost + JOIN * catalogue.hops(path);
        readings.push(Reading { target: target.clone(), path: (*path).clone(), label, cost, values: values.to_vec() });
    }
}

/// The columns a path goes by, for people.
pub fn route(catalogue: &Catalogue, path: &Path) -> String {
    let names = path.0.iter().map(|id| {
        let join = catalogue.join(*id);
        let columns = join.from_columns.iter().map(|&at| catalogue.table(join.from).columns[at].name.as_str());
        columns.collect::<Vec<_>>().join(", ")
    });
    names.collect::<Vec<_>>().join(" → ")
}

fn choose(
    catalogue: &Catalogue,
    form: &QueryForm,
    start: TableId,
    words: &str,
    mut readings: Vec<Reading>,
) -> Result<Reading, Misfit> {
    echoes::drop(catalogue, &mut readings);
    prefer_named(catalogue, form, start, &mut readings);
    let reachable = !readings.is_empty();
    let mut readings = keep_answer(form, words, readings, |reading| reading.label.as_str());
    readings.sort_by_key(|reading| reading.cost);
    readings.dedup_by(|later, first| is_same(catalogue, later, first));
    led_along(catalogue, form, &mut readings);
    let Some(best) = readings.first().cloned() else {
        return Err(Misfit { cost: UNREACHABLE, trouble: out_of_reach(form, words, reachable) });
    };
    let mut labels = vec![best.label.clone()];
    for reading in readings.iter().skip(1) {
        let named = is_name(catalogue, reading) && is_name(catalogue, &best);
        let margin = if named { SAME_NAME } else { SAME_COST };
        if reading.cost < best.cost + margin && !is_same(catalogue, reading, &best) {
            labels.push(reading.label.clone());
        }
    }
    labels.dedup();
    if labels.len() > 1 {
        return Err(Misfit { cost: best.cost, trouble: Trouble::Unclear(question(words, &labels)) });
    }
    Ok(best)
}

/// "Start stations by district": what belongs to the place that one key leads to is that of this place, and not of the
/// one another key leads to.
fn led_along(catalogue: &Catalogue, form: &QueryForm, readings: &mut Vec<Reading>) {
    let keys: Vec<ColumnId> = form.dimensions.iter().filter_map(key_of).collect();
    let is_led = |reading: &Reading| {
        reading.path.0.iter().any(|id| {
            let join = catalogue.join(*id);
            keys.iter().any(|key| key.table == join.from && join.from_columns == [key.column])
        })
    };
    let led: Vec<Reading> = readings.iter().filter(|reading| is_led(reading)).cloned().collect();
    let beside = |reading: &Reading| {
        let column = matches!(reading.target, Target::Column(_));
        column && led.iter().any(|other| other.target == reading.target && other.cost == reading.cost)
    };
    readings.retain(|reading| is_led(reading) || !beside(reading));
    for reading in readings.iter_mut().filter(|reading| matches!(reading.target, Target::Column(_)) && is_led(reading))
    {
        reading.cost = reading.cost.saturating_sub(NAMED_TABLE);
    }
    readings.sort_by_key(|reading| reading.cost);
}

/// The column a group is made by, where it can be no other.
fn key_of(dimension: &Dimension) -> Option<ColumnId> {
    match dimension {
        Dimension::Thing(Mention { candidates, .. }) => match candidates.as_slice() {
            [Candidate { thing: Thing::Column(column), .. }] => Some(*column),
            _ => None,
        },
        Dimension::Time(_) => None,
    }
}

/// Words beside a table's name are rather of that table: "customers from Germany". A value is not the name of such rows
/// itself, though: "albums by Iron Maiden" are not the albums called so. The starting table is the nearest anyway.
fn prefer_named(catalogue: &Catalogue, form: &QueryForm, start: TableId, readings: &mut [Reading]) {
    let named = named_tables(form);
    let own_name = |reading: &Reading| is_name(catalogue, reading) && named.contains(&table_of(reading));
    let favoured = |reading: &Reading| {
        let table = table_of(reading);
        table != start && named.contains(&table) && !own_name(reading)
    };
    let any = readings.iter().any(favoured);
    for reading in readings.iter_mut() {
        if own_name(reading) {
            reading.cost += 2 * NAMED_TABLE;
        } else if any && !favoured(reading) && !(table_of(reading) == start && named.contains(&start)) {
            reading.cost += NAMED_TABLE;
        }
    }
}

fn table_of(reading: &Reading) -> TableId {
    match reading.target {
        Target::Rows(table) => table,
        Target::Column(column) => column.table,
    }
}

/// Whether a value is what rows of a table are called by.
fn is_name(catalogue: &Catalogue, reading: &Reading) -> bool {
    !reading.values.is_empty()
        && match reading.target {
            Target::Rows(_) => true,
            Target::Column(column) => catalogue.table(column.table).display == Display::Column(column.column),
        }
}

fn out_of_reach(form: &QueryForm, words: &str, reachable: bool) -> Trouble {
    Trouble::Impossible(match form.answers.get(words) {
        Some(answer) if reachable => format!("“{answer}” is none of the readings of “{words}”."),
        _ => format!("No keys link “{words}” with the rest of the question, so they cannot be put together."),
    })
}

/// A table, the column that refers to its rows and the column its rows are called by come to the same.
fn is_same(catalogue: &Catalogue, left: &Reading, right: &Reading) -> bool {
    let end = |reading: &Reading| match &reading.target {
        Target::Rows(table) => (*table, None),
        Target::Column(column) if catalogue.column(*column).part == ColumnPart::Key => (column.table, None),
        Target::Column(column) if catalogue.table(column.table).display == Display::Column(column.column) => {
            (column.table, None)
        }
        Target::Column(column) => (column.table, Some(column.column)),
    };
    left.path == right.path && end(left) == end(right)
}

//! Queries that list rows or values: "customers in Canada", "the 10 longest tracks", "all countries". What is
//! listed is called by its name, because a key says nothing to a person. Next: `steps`.

use super::assemble::Frame;
use super::weigh::{Misfit, Use};
use super::{COUNT_BELOW, JOIN, Resolved, SAME_COST, Trouble, question};
use crate::catalogue::{Catalogue, Display};
use crate::form::{ColumnId, Filter, Mention, QueryForm, RankBy, TableId, Thing};
use crate::lexicon::Order;
use crate::query::{Expression, OrderBy, Output, Query, Test};
use crate::source::ColumnKind;

/// Columns shown of rows that have no name: enough to know them, few enough to read.
const COLUMNS_SHOWN_MAX: usize = 12;

/// The list a form asks for.
pub fn list(catalogue: &Catalogue, form: &QueryForm) -> Result<Resolved, Trouble> {
    let mut feasible: Vec<Resolved> = Vec::new();
    let mut trouble: Option<Misfit> = None;
    for (home, start, cost) in starts(catalogue, form) {
        let listed = match form.subject {
            Some(_) => rows(catalogue, form, home, start),
            None => values(catalogue, form, start),
        };
        match listed {
            Ok(mut resolved) => {
                resolved.cost += cost;
                feasible.push(resolved);
            }
            Err(mut misfit) => {
                misfit.cost += cost;
                if trouble.as_ref().is_none_or(|before| misfit.cost < before.cost) {
                    trouble = Some(misfit);
                }
            }
        }
    }
    feasible.sort_by_key(|resolved| resolved.cost);
    let best = feasible.first().map(|resolved| resolved.cost);
    match (best, trouble) {
        (Some(cost), Some(Misfit { cost: before, trouble: unclear @ Trouble::Unclear(_) })) if before < cost => {
            Err(unclear)
        }
        (Some(cost), _) => clearest(form, feasible, cost),
        (None, Some(misfit)) => Err(misfit.trouble),
        (None, None) => Err(Trouble::Impossible("Nothing was named that could be listed.".to_owned())),
    }
}

fn clearest(form: &QueryForm, feasible: Vec<Resolved>, cost: u32) -> Result<Resolved, Trouble> {
    let mut close: Vec<Resolved> = feasible.into_iter().filter(|one| one.cost < cost + SAME_COST).collect();
    let mut labels: Vec<String> = close.iter().map(|one| one.label.clone()).collect();
    labels.dedup();
    if labels.len() > 1 {
        let words = form.subject.as_ref().map_or("list", |subject| subject.words.as_str());
        return Err(Trouble::Unclear(question(words, &labels)));
    }
    if close.is_empty() {
        Err(Trouble::Impossible("Nothing can be listed.".to_owned()))
    } else {
        Ok(close.swap_remove(0))
    }
}

/// Tables to list, the tables to start from, and what each costs.
fn starts(catalogue: &Catalogue, form: &QueryForm) -> Vec<(TableId, TableId, u32)> {
    let homes: Vec<(TableId, u32)> = match &form.subject {
        Some(subject) => subject.candidates.iter().filter_map(row_home).collect(),
        None => form
            .dimensions
            .iter()
            .filter_map(mention_of)
            .flat_map(|mention| &mention.candidates)
            .filter_map(home)
            .collect(),
    };
    let mut starts = Vec::new();
    for (home, cost) in homes {
        for start in catalogue.reaching(home) {
            let joins = catalogue.paths(start, home).first().map_or(0, |path| catalogue.hops(path));
            let below = if joins == 0 { 0 } else { COUNT_BELOW + JOIN * joins };
            starts.push((home, start, cost + below));
        }
    }
    starts
}

fn home(candidate: &crate::form::Candidate) -> Option<(TableId, u32)> {
    let cost = 100u32.saturating_sub(candidate.score);
    match candidate.thing {
        Thing::Table(table) => Some((table, cost)),
        Thing::Column(ColumnId { table, .. }) => Some((table, cost)),
        Thing::Concept(_) => None,
    }
}

/// Rows are listed by their table; a column that refers to them is the same word again.
fn row_home(candidate: &crate::form::Candidate) -> Option<(TableId, u32)> {
    match candidate.thing {
        Thing::Table(table) => Some((table, 100u32.saturating_sub(candidate.score))),
        Thing::Column(_) | Thing::Concept(_) => None,
    }
}

fn mention_of(dimension: &crate::form::Dimension) -> Option<&Mention> {
    match dimension {
        crate::form::Dimension::Thing(mention) => Some(mention),
        crate::form::Dimension::Time(_) => None,
    }
}

/// Different values of columns.
fn values(catalogue: &Catalogue, form: &QueryForm, start: TableId) -> Result<Resolved, Misfit> {
    let mut frame = Frame::new(catalogue, form, start, start);
    let mut columns = Vec::new();
    let mut keys = Vec::new();
    for dimension in &form.dimensions {
        let group = frame.group(dimension)?;
        columns.extend(group.outputs);
        keys.extend(group.keys);
    }
    // Rows of the same name are different rows: they are told apart by their key, values by themselves.
    let once_per = if form.dimensions.len() == 1 { keys.pop() } else { None };
    frame.scope = asked_values(form, &frame, once_per.as_ref(), &columns);
    let tests = frame.tests()?;
    frame.check_context()?;
    let label = columns.first().map_or_else(String::new, |output| output.label.clone());
    let order = columns.first().map(|output| (OrderBy::Value(output.expression.clone()), Order::Ascending));
    let (assumptions, cost) = (std::mem::take(&mut frame.assumptions), frame.cost);
    let distinct = once_per.is_none();
    let query = Query { columns, tests, order, distinct, once_per, sources: frame.into_sources(), ..Query::default() };
    Ok(Resolved { query, assumptions, label, cost })
}

/// The column whose values are asked for, where it is one: what they lack or share is a matter of all rows with them.
fn asked_values(
    form: &QueryForm,
    frame: &Frame<'_>,
    key: Option<&Expression>,
    columns: &[Output],
) -> Option<(ColumnId, usize)> {
    let of = match (key, columns) {
        (Some(key), _) => key,
        (None, [Output { expression, .. }]) => expression,
        (None, _) => return None,
    };
    let Expression::Column { source, column } = of else { return None };
    let table = frame.source_table(*source);
    // "titles of artists without a volume" are those of artists.
    let named = form.context.iter().any(|mention| mention.only_table() == Some(table));
    // "Ranks that have no captain in …" are values that no such captain has.
    let of_values = form.filters.iter().any(|filter| match filter {
        Filter::Lacks { of } | Filter::Never { of: Some(of), .. } | Filter::Some { of: Some(of), .. } => {
            of.table() == Some(table)
        }
        _ => false,
    });
    let rows = key.is_none() && named && !of_values;
    (!rows).then_some((ColumnId { table, column: *column }, *source))
}

/// Rows of `home`.
fn rows(catalogue: &Catalogue, form: &QueryForm, home: TableId, start: TableId) -> Result<Resolved, Misfit> {
    let mut frame = Frame::new(catalogue, form, start, home);
    let own = catalogue.paths(start, home).first().cloned().unwrap_or_default();
    let source = frame.source(&own);
    let mut tests = frame.tests()?;
    tests.extend(frame.current_listed());
    // Rows that belong to nothing of what is listed are none of it.
    if let Some(column) = catalogue.table(home).key.filter(|_| start != home && source != 0) {
        tests.push(Test::Missing { of: Expression::Column { source, column }, negated: true });
    }
    frame.check_context()?;
    let asked = frame.shown_columns(&mut tests)?;
    let mut columns = if form.whole { frame.whole_columns() } else { asked.columns };
    if columns.is_empty() {
        columns = name_columns(&mut frame, home, source);
    }
    let mut finer = asked.finer;
    for mention in shown(form) {
        let reading = frame.weigh_home(mention, Use::Group)?;
        // Of several that belong to a row none is picked: each is shown, or, where it was only tested, none is.
        let beyond = frame.is_beyond_home(&reading);
        if !beyond && !form.attributes.contains(mention) {
            continue;
        }
        finer |= !beyond;
        let expression = frame.value_of(&reading);
        add(&mut frame, &mut columns, &mention.words.to_lowercase(), expression);
    }
    let distinct = finer || form.different;
    let first = columns.first().map(|output| (OrderBy::Value(output.expression.clone()), Order::Ascending));
    let order = frame_order(&mut frame, home, source, &mut columns)?;
    let order = if distinct && form.ranking.is_none() { first } else { order };
    let mut then = frame_then(&mut frame, &mut columns)?;
    if distinct && form.ranking.is_none() {
        then.extend(columns.iter().skip(1).map(|output| (output.expression.clone(), Order::Ascending)));
    }
    let key = catalogue.table(home).key;
    let once_per = match key {
        _ if start == home || distinct => None,
        Some(column) => Some(Expression::Column { source, column }),
        None => {
            let text = format!("{} have no key, so they cannot be listed once each.", catalogue.plural(home));
            return Err(Misfit { cost: 500, trouble: Trouble::Impossible(text) });
        }
    };
    let limit = form.ranking.as_ref().and_then(|ranking| ranking.limit);
    let label = catalogue.plural(home);
    let (assumptions, cost) = (std::mem::take(&mut frame.assumptions), frame.cost);
    let sources = frame.into_sources();
    let query = Query { columns, tests, order, then, distinct, once_per, limit, sources, ..Query::default() };
    Ok(Resolved { query, assumptions, label, cost })
}

/// Columns to show beside the name: those asked for and those tested.
fn shown(form: &QueryForm) -> impl Iterator<Item = &Mention> {
    let tested = form.filters.iter().filter_map(|filter| match filter {
        Filter::Number { of, .. } | Filter::Average { of, .. } | Filter::End { of, .. } => Some(of),
        Filter::Value { .. }
        | Filter::Missing { .. }
        | Filter::Flag { .. }
        | Filter::Lacks { .. }
        | Filter::Among { .. }
        | Filter::Never { .. }
        | Filter::Some { .. }
        | Filter::Weekdays { .. }
        | Filter::Outside { .. }
        | Filter::Dated { .. }
        | Filter::Text { .. }
        | Filter::Either { .. }
        | Filter::During { .. } => None,
    });
    form.attributes.iter().chain(tested)
}

fn add(frame: &mut Frame<'_>, columns: &mut Vec<Output>, label: &str, expression: Expression) {
    if !columns.iter().any(|output| output.expression == expression) {
        let label = frame.label(label);
        columns.push(Output { label, expression });
    }
}

/// The name of a row; of rows without a name all that fits on a line.
pub fn name_columns(frame: &mut Frame<'_>, home: TableId, source: usize) -> Vec<Output> {
    let catalogue = frame.catalogue;
    let table = catalogue.table(home);
    let mut columns = Vec::new();
    if table.display != Display::Nothing {
        let name = frame.display(home, source);
        let label = table.noun();
        if let Some(expression) = name {
            add(frame, &mut columns, &label, expression);
        }
        columns.extend(frame.told_apart(home, source));
        return columns;
    }
    for (at, column) in table.columns.iter().enumerate() {
        let wanted = frame.is_shown(ColumnId { table: home, column: at });
        if wanted && columns.len() < COLUMNS_SHOWN_MAX {
            add(frame, &mut columns, &column.name, Expression::Column { source, column: at });
        }
    }
    // Rows that do nothing but refer have no other words than what they refer to.
    if columns.is_empty() {
        for (at, column) in table.columns.iter().enumerate().take(COLUMNS_SHOWN_MAX) {
            add(frame, &mut columns, &column.name, Expression::Column { source, column: at });
        }
    }
    columns
}

/// What decides between rows that are equal in what they are ordered by; it is shown as well.
fn frame_then(frame: &mut Frame<'_>, columns: &mut Vec<Output>) -> Result<Vec<(Expression, Order)>, Misfit> {
    let form = frame.form;
    let mut then = Vec::new();
    for (mention, order) in &form.then {
        let reading = frame.weigh_home(mention, Use::Plain)?;
        let expression = frame.value_of(&reading);
        add(frame, columns, &mention.words.to_lowercase(), expression.clone());
        then.push((expression, *order));
    }
    Ok(then)
}

/// By the ranking's property, which is then shown, or by key.
fn frame_order(
    frame: &mut Frame<'_>,
    home: TableId,
    source: usize,
    columns: &mut Vec<Output>,
) -> Result<Option<(OrderBy, Order)>, Misfit> {
    let form = frame.form;
    if let Some(ranking) = &form.ranking
        && let RankBy::Property(mention) = &ranking.by
    {
        // "Sort them by city" orders texts.
        let is_text = |column: ColumnId| frame.catalogue.column(column).kind == ColumnKind::Text;
        let texts = mention.columns().next().is_some() && mention.columns().all(is_text);
        let reading = frame.weigh_home(mention, if texts { Use::Plain } else { Use::Number })?;
        let expression = frame.value_of(&reading);
        let label = match reading.target {
            super::weigh::Target::Column(column) => frame.catalogue.column(column).noun(),
            super::weigh::Target::Rows(_) => mention.words.clone(),
        };
        // What is ordered by stands last, where it is looked for.
        match columns.iter().position(|output| output.expression == expression) {
            Some(_) if ranking.limit.is_none() && !form.shown.is_empty() => {}
            Some(at) => {
                let output = columns.remove(at);
                columns.push(output);
            }
            None => add(frame, columns, &label, expression.clone()),
        }
        return Ok(Some((OrderBy::Value(expression), ranking.order)));
    }
    let key = frame.catalogue.table(home).key;
    Ok(key.map(|column| (OrderBy::Value(Expression::Column { source, column }), Order::Ascending)))
}

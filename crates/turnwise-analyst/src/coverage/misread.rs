//! Words that were put to the wrong use: an end that only belongs to the name of a column, the other end than was said,
//! half of a name taken for the whole, a number that two tables have. A plan that rests on one of those looks whole and
//! answers another question. Next: `attribution`.

use turnwise_core::{Choice, Clarification};

use super::super::catalogue::{Catalogue, plural};
use super::super::draft::NAME_OF;
use super::super::form::{Aggregate, ColumnId, Dimension, Mention, QueryForm, RankBy, TableId, Thing};
use super::super::lexicon::{Order, Role, lexicon};
use super::super::words;
use super::content::{self, Token};
use super::{Asked, Place};

/// Values of a column that are looked at to see whether it holds lists.
const LOOKED_AT_MAX: usize = 50;

/// Why a plan would answer something else.
pub fn explained(asked: &Asked<'_>) -> Option<String> {
    asked.task.previous.is_none().then_some(())?;
    let text = asked.text(Place::Question);
    let tokens = content::tokens(asked.catalogue, text);
    unranked(asked.catalogue, asked.form, &tokens)
        .or_else(|| other_end(asked.form, &tokens))
        .or_else(|| half_a_name(asked.catalogue, asked.form, &tokens))
}

/// Which end a word asks for.
pub fn end(role: Role) -> Option<Order> {
    match role {
        Role::Highest | Role::Most | Role::Top | Role::BestSelling | Role::Popular | Role::Common => {
            Some(Order::Descending)
        }
        Role::Lowest | Role::Fewest | Role::Bottom | Role::WorstSelling | Role::Rare => Some(Order::Ascending),
        _ => None,
    }
}

/// "The state with the highest point", where a column is called so and nothing is ranked.
fn unranked(catalogue: &Catalogue, form: &QueryForm, tokens: &[Token]) -> Option<String> {
    if form.subject.is_none() || form.ranking.is_some() || !form.measures.is_empty() {
        return None;
    }
    let shown = form.attributes.iter().chain(&form.shown);
    let (mention, column) =
        shown.filter_map(|mention| Some((mention, column_of(mention)?))).find(|(mention, column)| {
            let said: Vec<String> = words::split(&mention.words).into_iter().map(|word| word.folded).collect();
            let first = said.first().and_then(|first| tokens.iter().position(|token| token.folded == *first));
            let with = first.is_some_and(|first| {
                let before = tokens[..first].iter().rev().find(|token| token.folded != "the");
                before
                    .is_some_and(|before| matches!(before.folded.as_str(), "with" | "has" | "have" | "having" | "had"))
            });
            let ends = |word: &String| {
                let signal = lexicon().signal(word);
                matches!(signal, Some(super::super::lexicon::Signal::Role(Role::Highest | Role::Lowest)))
            };
            with && said.iter().any(ends) && catalogue.column(*column).stems.iter().any(ends)
        })?;
    let (words, label) = (&mention.words, catalogue.column_label(column));
    Some(format!(
        "“{words}” is read as the column {label}, so nothing would be ranked by it and all rows would be shown. Ask for \
         “the {words} of each” to see them all, or name the number to rank by."
    ))
}

fn column_of(mention: &Mention) -> Option<ColumnId> {
    match mention.best()?.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    }
}

/// "Lowest", where only the highest would be shown.
fn other_end(form: &QueryForm, tokens: &[Token]) -> Option<String> {
    let gathered = |aggregate: Aggregate| form.measures.iter().any(|measure| measure.aggregate == aggregate);
    let ranked = |order: Order| form.ranking.as_ref().is_some_and(|ranking| ranking.order == order);
    let up = gathered(Aggregate::Maximum) || ranked(Order::Descending);
    let down = gathered(Aggregate::Minimum) || ranked(Order::Ascending);
    // What goes by a date or an age is turned round: the oldest has the earliest birth date.
    let by_property = form.ranking.as_ref().is_some_and(|ranking| matches!(ranking.by, RankBy::Property(_)));
    let of = |token: &Token| token.role().and_then(end);
    let ends: Vec<Order> = tokens.iter().filter_map(of).collect();
    let wrong = match ends.as_slice() {
        [Order::Ascending] => up && !down,
        [Order::Descending] => down && !up,
        _ => false,
    };
    let said = tokens.iter().find(|token| of(token).is_some())?;
    (wrong && !by_property).then(|| {
        format!("“{}” would be answered with the other end here: say the question in another way.", said.folded)
    })
}

/// "Visits", where only a `visit_type` is known: its different values are not what was to be counted.
fn half_a_name(catalogue: &Catalogue, form: &QueryForm, tokens: &[Token]) -> Option<String> {
    if tokens.iter().any(|token| token.role() == Some(Role::Distinct)) {
        return None;
    }
    let counted = form.measures.iter().filter(|measure| measure.aggregate == Aggregate::CountDistinct);
    let (mention, column) =
        counted.map(|measure| &measure.of).filter_map(|of| Some((of, column_of(of)?))).find(|(mention, column)| {
            let stems = &catalogue.column(*column).stems;
            let said: Vec<String> = words::split(&mention.words).into_iter().map(|word| word.stem).collect();
            let has = |stem: &String| said.iter().any(|word| lexicon().canonical(word) == lexicon().canonical(stem));
            let half = !stems.last().is_some_and(has) && stems.iter().any(has);
            // The `exam` of exam entries: “exams” may be either.
            let of_rows = stems.iter().all(|stem| catalogue.table(column.table).stems.contains(stem));
            !tells_which(catalogue, *column) && (half || of_rows)
        })?;
    let (words, label) = (&mention.words, catalogue.column_label(column));
    let rows = catalogue.plural(column.table);
    Some(format!(
        "“{words}” is {label} here, so the number would be that of its different values. Say “number of {rows}” for the \
         rows, or “how many different {}” for the values.",
        plural(&catalogue.column(column).noun())
    ))
}

/// Whether a column tells rows of something from each other: "countries" are what `country_name` and `country_id` hold.
fn tells_which(catalogue: &Catalogue, column: ColumnId) -> bool {
    let entry = catalogue.column(column);
    let name = |last: &String| last == "code" || lexicon().display_names().contains(last);
    entry.is_id() || catalogue.role_join(column).is_some() || entry.stems.last().is_some_and(name)
}

/// "Which state capital has the smallest population", where both the states and the cities have one.
pub fn open(asked: &Asked<'_>) -> Option<Clarification> {
    let (catalogue, form) = (asked.catalogue, asked.form);
    let grouped = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Thing(mention) => role_of(catalogue, mention),
        Dimension::Time(_) => None,
    });
    let rows: TableId = grouped?;
    let ambiguous = |of: &Mention| {
        let columns: Vec<ColumnId> = of.columns().collect();
        let own = columns.iter().find(|column| column.table == rows)?;
        let same =
            |other: &&ColumnId| other.table != rows && catalogue.column(**other).stems == catalogue.column(*own).stems;
        let other = columns.iter().find(same)?;
        Some((of.words.clone(), [*own, *other]))
    };
    let (words, columns) = form.measures.iter().find_map(|measure| ambiguous(&measure.of))?;
    asked.task.answers.iter().all(|answer| !answer.topic.ends_with(&words)).then_some(())?;
    let choices = columns.map(|column| {
        let named = format!("{} {}", catalogue.table(column.table).noun(), catalogue.column(column).noun());
        Choice::new(named.clone(), named)
    });
    let question = format!("Both sides of this have a “{words}”. Which one is meant?");
    Some(Clarification {
        topic: format!("{NAME_OF}{words}"),
        question,
        choices: choices.to_vec(),
        assumption: None,
        of: 0,
    })
}

/// The table whose rows a group stands for by a column that refers to them under another name.
fn role_of(catalogue: &Catalogue, mention: &Mention) -> Option<TableId> {
    let column = column_of(mention)?;
    let to = catalogue.join(catalogue.role_join(column)?).to;
    (to != column.table).then_some(to)
}

/// What has to be known about names that are used.
pub fn notes(asked: &Asked<'_>) -> Vec<String> {
    if asked.task.previous.is_some() {
        return Vec::new();
    }
    let groups = asked.form.dimensions.iter().filter_map(|dimension| match dimension {
        Dimension::Thing(mention) => Some((mention, column_of(mention)?)),
        Dimension::Time(_) => None,
    });
    let lists = groups.filter(|(_, column)| holds_lists(asked.catalogue, *column));
    let note = |(mention, column): (&Mention, ColumnId)| {
        let label = asked.catalogue.column_label(column);
        format!("“{}” is {label}, which holds lists: each whole list counts as one value.", mention.words)
    };
    lists.map(note).collect()
}

fn holds_lists(catalogue: &Catalogue, column: ColumnId) -> bool {
    let mut values = catalogue.values().spellings(column).take(LOOKED_AT_MAX).peekable();
    values.peek().is_some() && values.all(|value| value.starts_with('[') && value.ends_with(']'))
}

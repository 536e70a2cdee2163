//! What is said of another row than the one asked about and cannot be told here: a time said of whoever leads, a second
//! step from them, the day of something else, a "different" one of whatever was not said. To leave it out would answer
//! another question, so it is refused by name. Next: `selves`, `reports`, `ends` for what can be told.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Filter, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Concept, Role, lexicon};
use super::super::words;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::selves::roles;
use super::spot::Spotted;

/// Words of a row's own.
const THEIR: [&str; 6] = ["their", "his", "her", "its", "own", "their own"];
/// What is done to a result, and not to a row.
const ARRANGED: [&str; 8] = ["grouped", "sorted", "ordered", "split", "listed", "counted", "broken", "divided"];
/// Words that begin what is said of a day.
const OF_A_DAY: [&str; 13] =
    ["the", "when", "they", "it", "he", "she", "that", "their", "its", "a", "an", "his", "her"];
/// Words before a row that something belongs to.
const BELONGS: [&str; 6] = ["of", "from", "in", "at", "with", "for"];

/// What cannot be told of whoever is referred to: asked before anything is put in their place.
pub fn of_others(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    by_their_own(catalogue, spans)
        .or_else(|| second_step(catalogue, spans))
        .or_else(|| unlinked_deed(catalogue, spans))
        .or_else(|| reached_by_others(catalogue, spans))
        .or_else(|| both_roles(catalogue, spans))
}

/// What cannot be told of days and of "different" ones: asked once all that can be told is read.
pub fn left(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let said: Vec<String> = spans
        .iter()
        .flat_map(|span| span.text.to_lowercase().split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let at = |at: usize| said.get(at).map_or("", String::as_str);
    for word in 0..said.len() {
        if at(word) == "on" && at(word + 1) == "the" && at(word + 2) == "day" && OF_A_DAY.contains(&at(word + 3)) {
            return Some(format!(
                "“{}” sets the days of two things against each other, which is not told here: name both dates.",
                said[word..].join(" ")
            ));
        }
    }
    let stays = ["us", "here", "working", "worked", "employed", "with us", "for us"];
    let longest = spans.iter().position(|span| is(span, &["longest", "the longest"]));
    if longest.is_some_and(|at| spans[..at].iter().any(|span| is(span, &stays))) {
        let text =
            "Who has been there the longest is told by a date: name it, as in “who has the earliest hire date?”.";
        return Some(text.to_owned());
    }
    if let Some(doubt) = how_often(spans).or_else(|| shared_by_several(catalogue, spans)) {
        return Some(doubt);
    }
    if let Some(doubt) = unpriced(catalogue, spans) {
        return Some(doubt);
    }
    for (place, span) in spans.iter().enumerate() {
        let Some(before) = place.checked_sub(1).map(|at| &spans[at]) else { continue };
        let other = is(span, &["different", "a different", "another", "a different one"]);
        let next = spans.get(place + 1).filter(|next| table_of(next).is_some() && next.singular);
        let behind = if is(before, &["a"]) { place.checked_sub(2).map(|at| &spans[at]) } else { Some(before) };
        let belongs = behind.is_some_and(|span| {
            span.text.to_lowercase().rsplit(' ').next().is_some_and(|last| BELONGS.contains(&last))
        });
        if let (true, true, Some(next)) = (other, belongs, next) {
            return Some(format!(
                "“{} {}” does not say from which {} it differs, and it is not told here.",
                span.text, next.text, next.text
            ));
        }
    }
    None
}

/// "More than three times", where nothing told what happened so often: it is no bound of any number.
fn how_often(spans: &[Spotted]) -> Option<String> {
    let at = spans.windows(2).position(|pair| pair[0].number.is_some() && is(&pair[1], &["times", "time"]))?;
    let spent = |span: &Spotted| span.role() == Some(Role::Spent) || is(span, &["paid", "spent", "pay", "spend"]);
    if !spans[..at].iter().any(spent) {
        return None;
    }
    let ratio = ["as", "the", "of", "higher", "lower", "more", "greater", "larger"];
    if spans.get(at + 2).is_some_and(|next| is(next, &ratio)) {
        return None;
    }
    let before = at.checked_sub(1).map(|before| spans[before].text.as_str()).unwrap_or_default();
    let said = format!("{before} {} {}", spans[at].text, spans[at + 1].text);
    Some(format!("“{}”: of what? Say which rows are counted, as in “with more than 3 orders”.", said.trim()))
}

/// "Airports in cities that have more than one airport": how many rows share a value is no number of one of them.
fn shared_by_several(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let counted = |span: &Spotted| {
        span.number.is_some() || is(span, &["one", "several", "multiple"]) || span.role() == Some(Role::AtLeast)
    };
    let (rows, home) = spans.iter().enumerate().find_map(|(at, span)| Some((at, table_of(span)?)))?;
    let again = (rows + 1..spans.len()).find(|at| table_of(&spans[*at]) == Some(home) && counted(&spans[*at - 1]))?;
    let value = (rows + 1..again).rev().find(|at| spans[*at].is_name())?;
    let own = spans[value].names.iter().any(|one| match one.thing {
        Thing::Column(column) => column.table == home && !catalogue.column(column).is_number(),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    // Rows by a value of theirs are groups, and a group has as many rows as it has.
    let grouped = spans[rows..value].iter().any(|span| matches!(span.role(), Some(Role::Group | Role::Each)));
    let within = spans[rows + 1..value].iter().any(|span| span.role() == Some(Role::In));
    let said =
        |span: &Spotted| matches!(span.role(), Some(Role::With | Role::Who)) || is(span, &["that", "which", "have"]);
    let clause = spans[value + 1..again].iter().any(said);
    let values = words::fold(&spans[value].text);
    (own && !grouped && within && clause).then(|| {
        format!(
            "How many {0} share one of the {values} cannot be tested on each of the {0}: ask for the {values} with more \
             than one of them first.",
            catalogue.plural(home)
        )
    })
}

/// "Total value of rentals", where nothing is known that would be their value: to count them would answer another
/// question.
fn unpriced(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let priced = |rows: &Spotted| {
        let sources = [Concept::Money, Concept::Price].map(|concept| catalogue.measures(concept));
        sources.into_iter().flatten().any(|source| Some(source.table) == table_of(rows))
    };
    for (at, span) in spans.iter().enumerate() {
        let gathered = at.checked_sub(1).is_some_and(|before| {
            matches!(
                spans[before].role(),
                Some(Role::Sum | Role::Average | Role::Median | Role::Highest | Role::Lowest)
            )
        });
        let silent = is(span, &["value", "value of", "worth"]) && span.names.is_empty() && span.values.is_empty();
        let small = |next: &&Spotted| is_filler(next) || next.role() == Some(Role::Of) || !next.values.is_empty();
        let rows = spans.iter().skip(at + 1).find(|next| !small(next)).filter(|next| table_of(next).is_some());
        let bare = rows.filter(|rows| rows.signal.is_none() && gathered && silent && !priced(rows));
        if let Some(rows) = bare {
            let rows = rows.text.to_lowercase();
            return Some(format!(
                "Which number is the value of {rows} cannot be told here: name it, as in “sum of …”."
            ));
        }
    }
    None
}

/// "whose manager was hired in 2020": said of the manager.
pub fn of_whose(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    for at in 1..spans.len() {
        let own = roles(catalogue, spans, at);
        if !is(&spans[at - 1], &["whose"]) || own.is_empty() || !spans[at].tests.is_empty() {
            continue;
        }
        let stop = (at..spans.len()).find(|end| spans[*end].pause).unwrap_or(spans.len());
        let said = spans.iter().take(stop + 1).skip(at + 1);
        let is_person = |span: &Spotted| {
            span.values
                .iter()
                .any(|found| own.iter().any(|role| found.table() == Some(role.table) && names(catalogue, found.place)))
        };
        let tells = |span: &&Spotted| {
            span.period.is_some()
                || span.number.is_some()
                || !span.tests.is_empty()
                || (!span.values.is_empty() && !is_person(span))
        };
        if let Some(test) = said.clone().find(tells).filter(|_| !said.clone().any(is_person)) {
            return Some(format!(
                "“{}” is said of the {} here and not of the row itself, which is not told yet.",
                test.text, spans[at].text
            ));
        }
    }
    None
}

/// "Tools that were never hired out", where only the lines of hires tell the tools: a hire without the date is not a
/// tool without a hire.
pub fn of_unlinked(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let home = form.subject.as_ref().and_then(Mention::only_table)?;
    form.filters.iter().find_map(|filter| {
        let Filter::Missing { of, negated: false, .. } = filter else { return None };
        let apart = |column: &ColumnId| {
            let other = column.table;
            other != home && catalogue.paths(other, home).is_empty() && catalogue.paths(home, other).is_empty()
        };
        let column = of.columns().next().filter(|_| of.columns().all(|column| apart(&column)))?;
        Some(format!(
            "“{}” is {}, which is not said of the {} themselves: ask for those without such rows, by the name of the rows.",
            of.words,
            catalogue.column_label(column),
            catalogue.plural(home)
        ))
    })
}

/// Whether a place holds the name of rows.
fn names(catalogue: &Catalogue, place: Thing) -> bool {
    match place {
        Thing::Table(_) => true,
        Thing::Column(column) => catalogue.table(column.table).is_name_part(column.column),
        Thing::Concept(_) => false,
    }
}

/// "reviewed by their own manager".
fn by_their_own(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    for at in 0..spans.len() {
        if roles(catalogue, spans, at).is_empty() {
            continue;
        }
        let words: Vec<String> = spans[..at]
            .iter()
            .flat_map(|span| span.text.to_lowercase().split(' ').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let theirs = words.iter().rev().take_while(|word| THEIR.contains(&word.as_str())).count();
        let rest = &words[..words.len() - theirs];
        let [.., deed, by] = rest else { continue };
        let done = deed.ends_with("ed") || deed.ends_with("en");
        if theirs > 0 && by == "by" && done && !ARRANGED.contains(&deed.as_str()) {
            return Some(format!(
                "“{deed} by {} {}” compares who did it with the one each row refers to, which is not told yet.",
                words[words.len() - theirs..].join(" "),
                spans[at].text
            ));
        }
    }
    None
}

/// "report to Ada's manager" goes two steps.
fn second_step(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    for at in 1..spans.len().saturating_sub(2) {
        let follows = is(&spans[at], &["to"])
            && is(&spans[at - 1], &["report", "reports", "reported", "reporting", "answer", "answers"]);
        let follows = follows
            || ["report to", "reports to", "reporting to", "reported to"]
                .contains(&spans[at].text.to_lowercase().as_str());
        if follows && !spans[at + 1].values.is_empty() && !roles(catalogue, spans, at + 2).is_empty() {
            return Some(format!(
                "“{}'s {}” is a second step from the one that others report to, which is not told yet: name them.",
                spans[at + 1].text,
                spans[at + 2].text
            ));
        }
    }
    None
}

/// "recruited by Ada" where `recruited_by` leads nowhere that is known.
fn unlinked_deed(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    for at in 0..spans.len() {
        let text = spans[at].text.to_lowercase();
        let (deed, next) = match text.strip_suffix(" by") {
            Some(deed) => (deed.to_owned(), at + 1),
            None if spans.get(at + 1).is_some_and(|span| is(span, &["by"])) => (text.clone(), at + 2),
            None => continue,
        };
        let Some(person) = spans.get(next) else { continue };
        let tables: Vec<TableId> = person.values.iter().filter_map(|found| found.table()).collect();
        let unlinked = moments::tables(spans).into_iter().filter(|table| tables.contains(table)).find_map(|table| {
            (0..catalogue.table(table).columns.len()).map(|column| ColumnId { table, column }).find(|column| {
                let stems = &catalogue.column(*column).stems;
                stems.iter().any(|stem| stem == "by")
                    && stems.iter().any(|stem| moments::is_form(stem, &deed))
                    && catalogue.role_join(*column).is_none()
                    && !person.values.iter().any(|found| found.place == Thing::Column(*column))
            })
        });
        if let Some(column) = unlinked {
            return Some(format!(
                "“{deed} by {}” is told by {}, and the data does not say whose rows that refers to.",
                person.text,
                catalogue.column_label(column)
            ));
        }
    }
    None
}

/// "parcels arrived in Hamburg" where trips arrive, and no parcel says where.
fn reached_by_others(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let tables = moments::tables(spans);
    for at in 0..spans.len().saturating_sub(2) {
        let Some(end) = lexicon().end_said(&spans[at].text.to_lowercase()) else { continue };
        let verb = spans[at].text.to_lowercase();
        let place = &spans[at + 2];
        if !verb.ends_with("ed") || !matches!(spans[at + 1].role(), Some(Role::In)) || place.values.is_empty() {
            continue;
        }
        let holds = |column: &ColumnId| {
            let stems: Vec<String> = catalogue.column(*column).stems.clone();
            lexicon().is_end(end, &stems)
        };
        let of =
            |table: TableId| (0..catalogue.table(table).columns.len()).map(move |column| ColumnId { table, column });
        let own = tables.iter().any(|table| of(*table).any(|column| holds(&column)));
        let others = catalogue.tables().any(|(table, _)| of(table).any(|column| holds(&column)));
        let told = place.values.iter().any(|found| matches!(found.place, Thing::Column(column) if holds(&column)));
        if !tables.is_empty() && !own && others && !told {
            return Some(format!(
                "“{verb} {} {}” is not said of these rows themselves but of something they belong to: ask of that.",
                spans[at + 1].text,
                place.text
            ));
        }
    }
    None
}

/// "guarantors who are also tenants": two keys of one table to the same rows.
fn both_roles(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let also = (1..spans.len()).find(|at| spans[*at].text.to_lowercase().split(' ').any(|word| word == "also"))?;
    let linked = |at: usize| -> Vec<(ColumnId, TableId)> {
        let columns = spans[at].names.iter().filter_map(|name| match name.thing {
            Thing::Column(column) => Some((column, catalogue.join(catalogue.role_join(column)?).to)),
            Thing::Table(_) | Thing::Concept(_) => None,
        });
        columns.filter(|(column, to)| column.table != *to).collect()
    };
    let one = (0..also).rev().find(|at| spans[*at].is_name())?;
    let other = (also + 1..spans.len()).find(|at| !is_filler(&spans[*at]))?;
    let same = |(_, to): &(ColumnId, TableId), at: usize| {
        table_of(&spans[at]) == Some(*to) || linked(at).iter().any(|(_, other)| other == to)
    };
    let is_are = spans[one + 1..=also]
        .iter()
        .any(|span| span.text.to_lowercase().split(' ').any(|word| matches!(word, "are" | "is" | "were" | "was")));
    // A column of theirs that leads nowhere known, said to be rows of a table.
    let loose = table_of(&spans[one]).is_none() && table_of(&spans[other]).is_some();
    let both =
        loose || linked(one).iter().any(|link| same(link, other)) || linked(other).iter().any(|link| same(link, one));
    (is_are && both).then(|| {
        format!(
            "Whether the same one is among the {} and among the {} is not told yet.",
            spans[one].text.to_lowercase(),
            words::fold(&spans[other].text)
        )
    })
}

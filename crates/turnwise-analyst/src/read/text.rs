//! Tests on the text of a column: "whose title contains the word Rose", "with the letter a in its name", "codes that
//! begin with B". The column is the one that is named beside the text, and else what rows are called by. Next:
//! `literal`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{ColumnId, Filter, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Words for a piece of text, before the text itself.
const PIECES: [&str; 14] = [
    "word",
    "words",
    "string",
    "substring",
    "letter",
    "letters",
    "phrase",
    "character",
    "characters",
    "text",
    "prefix",
    "suffix",
    "term",
    "keyword",
];

/// What stands between a column and the text looked for in it.
#[derive(Default)]
struct Between {
    /// Where the text begins.
    at: usize,
    start: bool,
    end: bool,
    contains: bool,
    /// Whether "contains" or the like was only a word that mostly says nothing.
    weak: bool,
    piece: bool,
    denied: bool,
}

/// The test that begins at `at`, whether its column stands before the text or behind it.
pub fn text_test(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    column_first(catalogue, spans, at)
        .or_else(|| piece_first(catalogue, spans, at))
        .or_else(|| in_the_name(catalogue, spans, at))
        .or_else(|| role_first(spans, at))
}

/// "title contains the word Rose".
fn column_first(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let column = spans.get(at)?;
    let is_column = is_name_word(column) || (column.is_name() && table_of(column).is_none());
    if !is_column || column.pause {
        return None;
    }
    let between = between(spans, at + 1)?;
    let said = between.start || between.end || between.contains || between.piece;
    let quoted = spans.get(between.at)?.quoted;
    if !said || (between.weak && !between.piece && !quoted) || between.at == at + 1 {
        return None;
    }
    let (length, texts, all) = texts(spans, between.at, &between)?;
    let of = mention(catalogue, spans, at);
    let span = tested(of, texts, all, &between);
    // "Languages that contain the word Old" are what is asked for, and not "people with languages that contain it".
    let mut asked = !spans[..at].iter().any(|span| span.is_name() || span.role() == Some(Role::With));
    // What rows are called by asks for the rows.
    asked &= !column.names.iter().any(|one| match one.thing {
        Thing::Column(column) => catalogue.table(column.table).display == Display::Column(column.column),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    let names = if asked { column.names.clone() } else { Vec::new() };
    let text = if asked { column.text.clone() } else { span.text.clone() };
    Some((between.at + length - at, Spotted { names, text, ..span }, None))
}

/// "the letter a in its name", ""Diana" in part of their names".
fn piece_first(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = spans.get(at)?;
    let piece = is_piece(first);
    let quoted = first.quoted && first.values.is_empty();
    if !piece && !quoted {
        return None;
    }
    let between = Between { at: if piece { at + 1 } else { at }, piece: true, contains: true, ..Between::default() };
    let (length, texts, all) = texts(spans, between.at, &between)?;
    let behind = between.at + length;
    let inside = spans.get(behind).is_some_and(|span| span.role() == Some(Role::In));
    let small =
        |span: &&Spotted| is_filler(span) || span.role() == Some(Role::Of) || span.text.eq_ignore_ascii_case("part");
    let skipped = spans.iter().skip(behind + 1).take_while(small).count();
    let column = spans.get(behind + 1 + skipped).filter(|_| inside);
    let column = column.filter(|span| is_name_word(span) || (span.is_name() && table_of(span).is_none()));
    match column {
        Some(column) => {
            let owner = spans.iter().take(at).rev().find_map(table_of);
            let of = called(catalogue, owner, column);
            Some((behind + 2 + skipped - at, tested(of, texts, all, &between), None))
        }
        None => None,
    }
}

/// "Songs with Love in the title": a piece of the title, whether or not one is called so and nothing else.
fn in_the_name(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let with = at.checked_sub(1).and_then(|with| spans.get(with))?;
    if !matches!(with.role(), Some(Role::With | Role::Contains)) || with.pause {
        return None;
    }
    let capital = |span: &Spotted| span.text.split(' ').all(|word| word.starts_with(char::is_uppercase));
    let said = |span: &&Spotted| {
        let stands = span.is_unknown() || !span.values.is_empty() || span.quoted;
        stands && !is_name_word(span) && (span.quoted || capital(span)) && span.period.is_none()
    };
    let length = spans.iter().skip(at).take_while(said).count();
    let own = spans.get(at..at + length).filter(|own| !own.is_empty())?;
    if own.iter().any(|span| span.pause || span.quoted != own[0].quoted) || (own[0].quoted && length > 1) {
        return None;
    }
    spans.get(at + length).filter(|inside| inside.role() == Some(Role::In))?;
    let small = |span: &&Spotted| is_filler(span);
    let end = at + length + 1 + spans.iter().skip(at + length + 1).take_while(small).count();
    let column = spans.get(end).filter(|column| is_name_word(column) || is_name_of_rows(catalogue, column))?;
    let before = spans.iter().take(at - 1).rev().find(|span| !is_filler(span));
    let owner = before.and_then(table_of);
    // "Songs", where a column holds them: their name is what it says.
    let of = match before.filter(|before| is_name_word(column) && owner.is_none() && before.is_name()) {
        Some(before) => Mention { words: before.text.clone(), candidates: before.names.clone() },
        None => called(catalogue, owner, column)?,
    };
    let text = own.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    let between = Between { contains: true, ..Between::default() };
    Some((end + 1 - at, tested(Some(of), vec![text], false, &between), None))
}

/// Whether a phrase is the column that rows are called by.
fn is_name_of_rows(catalogue: &Catalogue, span: &Spotted) -> bool {
    let called = |column: ColumnId| catalogue.table(column.table).display == Display::Column(column.column);
    span.is_name() && span.names.iter().any(|one| matches!(one.thing, Thing::Column(column) if called(column)))
}

/// "that begin with the letter B", of what rows are called by.
fn role_first(spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let opens = matches!(spans.get(at)?.role(), Some(Role::Starts | Role::Contains | Role::Ends));
    let between = between(spans, at).filter(|between| opens && (between.piece || between.end))?;
    let (length, texts, all) = texts(spans, between.at, &between)?;
    Some((between.at + length - at, tested(None, texts, all, &between), None))
}

fn is_piece(span: &Spotted) -> bool {
    let said = span.text.to_lowercase();
    PIECES.contains(&said.rsplit(' ').next().unwrap_or_default()) && !span.quoted
}

fn is_name_word(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "name" | "names") && !span.quoted
}

/// What is said between a column and the text, from `from` on; none where something else stands there.
fn between(spans: &[Spotted], from: usize) -> Option<Between> {
    let mut found = Between { at: from, ..Between::default() };
    while let Some(span) = spans.get(found.at) {
        let word = span.text.to_lowercase();
        let weak = word.starts_with("contain") || word.starts_with("includ");
        match span.role() {
            _ if found.piece || span.quoted => break,
            // "starts with A": a capital is the letter itself.
            Some(Role::Ignore) if span.text == "A" && (found.start || found.end || found.contains) => break,
            Some(Role::Starts) => found.start = true,
            Some(Role::Ends) => found.end = true,
            Some(Role::Contains) => found.contains = true,
            Some(Role::Not) => found.denied = true,
            // The letter a is an article elsewhere.
            _ if is_piece(span) => found.piece = true,
            Some(Role::Ignore) if weak => (found.contains, found.weak) = (true, true),
            Some(Role::Ignore | Role::With) => {}
            _ if matches!(word.as_str(), "doesnt" | "dont" | "didnt") => found.denied = true,
            _ => break,
        }
        found.at += 1;
    }
    Some(found)
}

/// The texts looked for, how many phrases they take, and whether all of them are wanted.
fn texts(spans: &[Spotted], from: usize, between: &Between) -> Option<(usize, Vec<String>, bool)> {
    let first = spans.get(from)?;
    let usable = first.quoted || between.piece || between.start || between.end || first.is_unknown();
    if !usable || is_piece(first) {
        return None;
    }
    let mut found = vec![first.text.clone()];
    let (mut length, mut all) = (1, false);
    while let (Some(joint), Some(next)) = (spans.get(from + length), spans.get(from + length + 1)) {
        let short = |span: &Spotted| span.quoted || span.text.chars().count() == 1;
        if !matches!(joint.role(), Some(Role::And | Role::Or)) || !short(next) || !short(first) {
            break;
        }
        all |= joint.role() == Some(Role::And);
        found.push(next.text.clone());
        length += 2;
    }
    Some((length, found, all))
}

/// The column at `at`; the name of what was named right before it is what that is called by.
fn mention(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Mention> {
    let column = spans.get(at)?;
    let small = |span: &&Spotted| is_filler(span) || matches!(span.role(), Some(Role::With | Role::Who));
    let owner = spans.iter().take(at).rev().find(|span| !small(span)).and_then(table_of);
    called(catalogue, owner, column)
}

/// The column, or what rows of `owner` are called by where it is their name.
fn called(catalogue: &Catalogue, owner: Option<TableId>, column: &Spotted) -> Option<Mention> {
    let own = owner.filter(|_| is_name_word(column)).and_then(|table| match catalogue.table(table).display {
        Display::Column(at) => Some(ColumnId { table, column: at }),
        Display::FullName { .. } | Display::Nothing => None,
    });
    if let Some(own) = own {
        return Some(Mention::of(column.text.clone(), Thing::Column(own)));
    }
    let mention = Mention { words: column.text.clone(), candidates: column.names.clone() };
    (!mention.candidates.is_empty()).then_some(mention)
}

fn tested(of: Option<Mention>, texts: Vec<String>, all: bool, between: &Between) -> Spotted {
    let words = texts.join(" ");
    let tests: Vec<Filter> = texts
        .into_iter()
        .map(|text| Filter::Text {
            of: of.clone(),
            text,
            start: between.start,
            end: between.end,
            negated: between.denied,
        })
        .collect();
    // What contains neither must lack both.
    let tests = match tests.as_slice() {
        [_] => tests,
        _ if all != between.denied => tests,
        _ => vec![Filter::Either { sides: tests.into_iter().map(|test| vec![test]).collect() }],
    };
    Spotted { text: words, tests, ..Spotted::default() }
}

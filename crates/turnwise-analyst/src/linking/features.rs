//! What is looked at of each thing a word may stand for: how near it is in meaning, beside the nearest; its kind, and
//! that together with the part the word has in the question; and how far it is from what the question names. Next:
//! `weights`, which says what each counts.

use std::collections::BTreeSet;

use super::element::{Around, Element, KINDS};
use super::role::{self, ROLES};
use super::vectors::{VIEWS, Vectors};
use crate::asked::Term;
use crate::catalogue::Catalogue;
use crate::form::TableId;

/// Likeness from which on names rather mean the same than have to do with each other.
const LIKE: f32 = 0.45;

/// Where a word stands.
pub struct Context<'a> {
    pub catalogue: &'a Catalogue,
    pub around: &'a Around,
    pub term: &'a Term,
    pub text: &'a str,
}

/// What single features are called, in their order; behind them come those of kinds and roles.
const SINGLE: [&str; 16] = [
    "cos",
    "like",
    "first",
    "behind",
    "loud",
    "loud_behind",
    "deep",
    "deep_behind",
    "own",
    "far",
    "own_table",
    "table_cos",
    "person",
    "nobody",
    "sentence",
    "sentence_behind",
];
/// Where it stands what the sentence says with the name in the place of the word; behind it, how far behind the best.
const SENTENCE: usize = 14;
/// Words before and behind a word that make it say what it says.
const WINDOW_WORDS: usize = 3;
/// What is looked at where none is meant.
const NONE: &str = "none";

/// The names of all features, in their order.
pub fn names() -> Vec<String> {
    let kinds = KINDS.iter().map(|kind| format!("is_{}", kind.name()));
    let both = ROLES.iter().flat_map(|role| KINDS.iter().map(|kind| format!("{}_{}", role.name(), kind.name())));
    let none = ROLES.iter().map(|role| format!("{}_{NONE}", role.name()));
    let single = SINGLE.iter().map(|name| (*name).to_owned());
    single.chain(["is_name".to_owned()]).chain(kinds).chain(both).chain([NONE.to_owned()]).chain(none).collect()
}

/// The features of each of `near`, which are things with their likeness, nearest first; at last those of none.
///
/// # Errors
/// When nearness in meaning cannot be told.
pub fn of(
    context: &Context<'_>,
    vectors: &Vectors,
    word: &str,
    near: &[(Element, [f32; VIEWS])],
) -> Result<Vec<Vec<f32>>, String> {
    let role = role::of(context.text, context.term);
    let role_at = ROLES.iter().position(|other| *other == role).unwrap_or_default();
    let people: BTreeSet<TableId> =
        if context.term.is_person { context.catalogue.people().collect() } else { BTreeSet::new() };
    let most = |view: usize| near.iter().map(|(_, near)| near[view]).fold(0.0, f32::max);
    let most = [most(0), most(1), most(2)];
    let nouns: Vec<String> = near.iter().map(|(one, _)| context.catalogue.table(one.home()).noun()).collect();
    let table_near = vectors.to(word, &nouns.iter().map(String::as_str).collect::<Vec<_>>())?;
    let flag = |holds: bool| f32::from(u8::from(holds));
    let pairs = ROLES.len() * KINDS.len();
    let own = |((element, near), table_near): (&(Element, [f32; VIEWS]), [f32; VIEWS])| {
        let is_table = element.table().is_some();
        let named = context.around.named.contains(&element.home());
        let far = !context.around.named.is_empty() && !context.around.near.contains(&element.home());
        let mut row = vec![
            near[0],
            (near[0] - LIKE).max(0.0),
            flag(near[0] >= most[0]),
            most[0] - near[0],
            near[1],
            most[1] - near[1],
            near[2],
            most[2] - near[2],
            flag(named),
            flag(far),
            flag(named && is_table),
            if is_table { 0.0 } else { table_near[0] },
            flag(element.table().is_some_and(|table| people.contains(&table))),
            flag(context.term.is_person && element.table().is_some_and(|table| !people.contains(&table))),
            0.0,
            0.0,
            flag(element.is_name(context.catalogue)),
        ];
        row.extend(KINDS.iter().map(|kind| flag(*kind == element.kind())));
        row.extend((0..pairs).map(|at| {
            flag(at / KINDS.len() == role_at && KINDS.get(at % KINDS.len()).is_some_and(|kind| *kind == element.kind()))
        }));
        row.extend(std::iter::repeat_n(0.0, 1 + ROLES.len()));
        row
    };
    let mut rows: Vec<Vec<f32>> = near.iter().zip(table_near).map(own).collect();
    let before = SINGLE.len() + 1 + KINDS.len() + pairs;
    let mut none = vec![0.0; before];
    none.push(1.0);
    none.extend(ROLES.iter().map(|other| flag(*other == role)));
    rows.push(none);
    Ok(rows)
}

/// How near a name is by itself, of the features of its thing.
pub fn nearness(row: &[f32]) -> f32 {
    row.first().copied().unwrap_or_default()
}

/// Looks at the sentence once more, with each name in the place of the word: what is meant leaves it what it was.
///
/// # Errors
/// When nearness in meaning cannot be told.
pub fn look_at_sentence(
    context: &Context<'_>,
    vectors: &Vectors,
    elements: &[Element],
    rows: &mut [Vec<f32>],
) -> Result<(), String> {
    let Some((before, behind)) = context.text.split_once(&context.term.words) else { return Ok(()) };
    let before: Vec<&str> = before.split_whitespace().collect();
    let before = before[before.len().saturating_sub(WINDOW_WORDS)..].join(" ");
    let behind = behind.split_whitespace().take(WINDOW_WORDS).collect::<Vec<_>>().join(" ");
    let with = |word: &str| format!("{before} {word} {behind}").trim().to_owned();
    let names = elements.iter().map(|one| with(&one.stand_in(&context.term.words)));
    let near = vectors.once(&with(&context.term.words), &names.collect::<Vec<_>>())?;
    let most = near.iter().copied().fold(0.0, f32::max);
    for (row, near) in rows.iter_mut().zip(near) {
        row[SENTENCE] = near;
        row[SENTENCE + 1] = most - near;
    }
    Ok(())
}

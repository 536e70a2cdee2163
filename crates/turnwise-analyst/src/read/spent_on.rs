//! Money spent on rows that say what they cost: "spent on purchases", "what do we pay for repairs". It is the money of
//! those rows, and not their number. Next: `place`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, TableId, Thing};
use super::super::lexicon::{Concept, Role};
use super::moments::behind;
use super::qualify::{is_filler, table_of};
use super::said::signal;
use super::spot::Spotted;

/// Verbs that spend.
const SPENT: [&str; 6] = ["spent", "spend", "spends", "paid", "pay", "spending"];

/// Puts the money of rows in the place of what was spent on them. Gives a doubt where the data knows none.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<String> {
    let (at, rows, table) = (0..spans.len()).find_map(|at| {
        let (rows, table) = spent_on(spans, at)?;
        Some((at, rows, table))
    })?;
    let money = catalogue.measures(Concept::Money);
    if !money.iter().any(|source| source.table == table || !catalogue.paths(source.table, table).is_empty()) {
        let plural = catalogue.plural(table);
        return Some(format!("No amount of money here belongs to the {plural}: name the column that holds it."));
    }
    if !money.iter().any(|source| source.table == table) {
        return None;
    }
    let begin = spans[..at].iter().rposition(|span| !is_filler(span)).map_or(0, |before| before + 1);
    let before = spans[..begin].last();
    let gathered = before.and_then(Spotted::role).is_some_and(gathers);
    // "How much did we spend on repairs", "what do we pay for repairs".
    let from = if before.is_some_and(asks) { begin - 1 } else { begin };
    let names = vec![Candidate { thing: Thing::Concept(Concept::Money), score: 100 }];
    let mut own = Vec::new();
    if !gathered {
        own.push(signal(Role::Sum, "total"));
    }
    own.push(Spotted { text: "amount spent".to_owned(), names, ..Spotted::default() });
    own.push(signal(Role::Of, "of"));
    spans.splice(from..rows, own);
    None
}

fn asks(span: &Spotted) -> bool {
    matches!(span.role(), Some(Role::HowMuch | Role::Command | Role::Wh))
}

fn gathers(role: Role) -> bool {
    matches!(role, Role::Sum | Role::Average | Role::Median | Role::Highest | Role::Lowest)
}

/// Where the rows stand that something was spent on, and which.
fn spent_on(spans: &[Spotted], at: usize) -> Option<(usize, TableId)> {
    let span = &spans[at];
    let says = |span: &Spotted, words: &[&str]| words.contains(&span.text.to_lowercase().as_str());
    if span.role() != Some(Role::Spent) || !says(span, &SPENT) {
        return None;
    }
    let on = behind(spans, at).filter(|on| says(&spans[*on], &["on", "for"]))?;
    let rows = behind(spans, on)?;
    Some((rows, table_of(&spans[rows])?))
}

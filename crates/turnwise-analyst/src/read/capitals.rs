//! Values that are told by how they stand: "the IT department", where "it" would be nothing, and where IT is that
//! department whatever else is called so. Whoever writes one word of a sentence in capitals means what the data writes
//! so. Next: `spot`, `rather`.

use super::super::catalogue::Catalogue;
use super::super::lexicon::Role;
use super::super::words;
use super::qualify::table_of;
use super::spot::Spotted;

/// Takes small words in capitals for the values they are, and names right before their rows for those rows.
pub fn mark(catalogue: &Catalogue, spans: &mut [Spotted]) {
    let shouted = spans.iter().all(|span| span.text == span.text.to_uppercase());
    for at in 0..spans.len() {
        // "CA OR WA" joins; a state is called so where nothing behind it could be joined.
        let last = spans[at].pause || spans.get(at + 1).is_none_or(|next| table_of(next).is_some());
        let span = &mut spans[at];
        let capitals = span.text.chars().count() > 1 && span.text.chars().all(char::is_uppercase);
        let small = match span.role() {
            Some(Role::Ignore | Role::Link) => true,
            Some(Role::And | Role::Or | Role::In | Role::Not) => last,
            _ => false,
        };
        let exact = span.values.iter().any(|found| found.values.contains(&span.text));
        if !shouted && capitals && small && exact && span.names.is_empty() {
            span.signal = None;
        }
    }
    for at in 1..spans.len() {
        let Some(table) = table_of(&spans[at]).filter(|_| spans[at].singular && spans[at].signal.is_none()) else {
            continue;
        };
        let value = &mut spans[at - 1];
        let plain = value.names.is_empty() && value.signal.is_none() && !value.pause;
        if plain && value.values.iter().any(|found| catalogue.names_rows(found.place, table)) {
            value.values.retain(|found| catalogue.names_rows(found.place, table));
        }
    }
}

/// `text` with what would stand for something found before in quotation marks, where it is a value in capitals: "and in
/// IT?" speaks of that department.
pub fn quoted_values(catalogue: &Catalogue, text: &str) -> String {
    const STANDING: [&str; 7] = ["it", "he", "she", "them", "they", "there", "this"];
    if !text.chars().any(char::is_lowercase) || text.contains(['"', '“']) {
        return text.to_owned();
    }
    let quoted = |raw: &str| {
        let bare = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let capitals = bare.chars().count() > 1 && bare.chars().all(char::is_uppercase);
        let stems: Vec<String> = words::split(bare).into_iter().map(|word| word.stem).collect();
        let known = || catalogue.values().find(&stems).iter().any(|found| found.values.iter().any(|own| own == bare));
        let value = capitals && STANDING.contains(&bare.to_lowercase().as_str()) && known();
        if value { raw.replacen(bare, &format!("\"{bare}\""), 1) } else { raw.to_owned() }
    };
    text.split_whitespace().map(quoted).collect::<Vec<_>>().join(" ")
}

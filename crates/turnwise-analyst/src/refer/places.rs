//! "Where do they live?", "where are they from?", "where was it held?": the columns of the rows that hold places, which
//! is said. Next: `columns` for what is asked for by name.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Mention, QueryForm, TableId, Thing};
use super::make::Making;

/// Words behind "where" that ask for nothing but places.
const AROUND: [&str; 26] = [
    "where", "is", "are", "was", "were", "do", "does", "did", "live", "lives", "lived", "from", "located", "based",
    "held", "come", "comes", "reside", "in", "at", "to", "the", "all", "now", "each", "of",
];
/// Last words of columns that hold places.
const PLACES: [&str; 16] = [
    "city",
    "town",
    "country",
    "state",
    "region",
    "location",
    "place",
    "venue",
    "hometown",
    "headquarter",
    "headquarters",
    "province",
    "village",
    "district",
    "nationality",
    "address",
];

impl Making<'_> {
    /// The places of the rows, where nothing but those is asked for.
    pub fn places(&self) -> Result<Option<QueryForm>, String> {
        let asks = self.said.words.first().is_some_and(|word| word == "where") && self.said.of.is_some();
        let bare = self.said.words.iter().all(|word| AROUND.contains(&word.as_str()) || self.is_noun(word));
        if !asks || !bare || !self.about.is_rows() {
            return Ok(None);
        }
        let from = self.said.words.iter().any(|word| word == "from");
        let (mentions, note) = places_of(self.catalogue, self.about.table, from)?;
        let Some(mut made) = self.showing(mentions)? else { return Ok(None) };
        made.notes.push(note);
        Ok(Some(self.noted(made)))
    }
}

/// The columns of a table that hold places, and what is said of taking them.
fn places_of(catalogue: &Catalogue, table: TableId, from: bool) -> Result<(Vec<Mention>, String), String> {
    let is_place = |column: &ColumnId| {
        let noun = catalogue.column(*column).noun().to_lowercase();
        let last = noun.split(' ').next_back().unwrap_or_default();
        PLACES.contains(&last) && (from || last != "nationality") && !(from && last == "address")
    };
    let columns = (0..catalogue.table(table).columns.len()).map(|column| ColumnId { table, column });
    let named = |column: ColumnId| Mention::of(catalogue.column(column).noun(), Thing::Column(column));
    let mentions: Vec<Mention> = columns.filter(is_place).map(named).collect();
    if mentions.is_empty() {
        return Err(format!(
            "Which place of the {} is asked for is not clear: no column of theirs holds one by its name.",
            catalogue.plural(table)
        ));
    }
    let listed: Vec<&str> = mentions.iter().map(|mention| mention.words.as_str()).collect();
    let note = format!("“where” is read as {}.", listed.join(", "));
    Ok((mentions, note))
}

/// "Where is the supplier located?" of a list: its places are shown with it.
///
/// # Errors
/// Where no column holds a place.
pub fn show_places(catalogue: &Catalogue, words: &[&str], form: &mut QueryForm) -> Result<(), String> {
    let asks = words.first() == Some(&"where");
    let unshown = form.attributes.is_empty() && form.shown.is_empty() && form.dimensions.is_empty() && !form.whole;
    let Some(table) = form.subject.as_ref().and_then(Mention::table) else { return Ok(()) };
    if !asks || !unshown || !form.measures.is_empty() {
        return Ok(());
    }
    let (mentions, note) = places_of(catalogue, table, words.contains(&"from"))?;
    form.attributes = mentions;
    form.notes.push(note);
    Ok(())
}

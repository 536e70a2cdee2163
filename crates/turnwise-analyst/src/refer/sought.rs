//! "Is Canada among them?": yes or no, with the rows of it. What is looked for is a test beside those of the last
//! result, and the next change is about all rows again. Next: `kept`, which keeps to the rows found before.

use super::super::draft;
use super::super::form::{Filter, Found, QueryForm, Sought, Thing};
use super::super::read;
use super::super::words::split;
use super::make::Making;

const BEING: [&str; 4] = ["is", "are", "was", "were"];
/// What stands for the rows behind "among" or "in".
const ROWS: [&str; 5] = ["them", "these", "those", "they", "it"];
const LISTS: [&str; 4] = ["list", "result", "results", "rows"];
const OPENINGS: [&str; 4] = ["and", "but", "so", "then"];

/// What a message looks for among the rows found before.
pub fn looked_for(text: &str) -> Option<String> {
    let words = split(text);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let from = folded.iter().take_while(|word| OPENINGS.contains(word)).count();
    if !folded.get(from).is_some_and(|word| BEING.contains(word)) {
        return None;
    }
    let until = match folded.get(from + 1..)? {
        [.., "one", "of", last] if ROWS.contains(last) => folded.len() - 3,
        [.., "among" | "amongst" | "in", last] if ROWS.contains(last) => folded.len() - 2,
        [.., "among" | "amongst" | "in" | "on", "the" | "this" | "that", last] if LISTS.contains(last) => {
            folded.len() - 3
        }
        _ => return None,
    };
    let named = words.get(from + 1..until)?;
    let named = match named {
        [front @ .., last] if matches!(last.folded.as_str(), "also" | "too" | "there") => front,
        all => all,
    };
    let (first, last) = (named.first()?, named.last()?);
    // As typed, with the signs between the words: “AC/DC”.
    let behind = text.find(&words[from].raw)? + words[from].raw.len();
    let start = behind + text.get(behind..)?.find(&first.raw)?;
    let tail = words
        .get(until)
        .filter(|_| named.len() + from + 1 == until)
        .map_or(text.len(), |word| text.rfind(&format!(" {} ", word.raw)).unwrap_or(text.len()));
    let end = text.get(..tail)?.rfind(&last.raw)? + last.raw.len();
    text.get(start..end).map(str::to_owned)
}

impl Making<'_> {
    /// A value that the rows have themselves is theirs, whatever else has it.
    fn of_own(&self, filter: &mut Filter) {
        let Filter::Value { found, .. } = filter else { return };
        let is_own = |place: &Found| match place.place {
            Thing::Table(table) => table == self.about.table,
            Thing::Column(column) => column.table == self.about.table,
            Thing::Concept(_) => false,
        };
        if found.iter().any(is_own) {
            found.retain(is_own);
        }
    }

    /// The rows of what is looked for.
    pub fn sought(&self, wanted: &str) -> Result<QueryForm, String> {
        let read = read::read(self.catalogue, &format!("{} {wanted}", self.about.plural));
        draft::check(self.catalogue, &read).map_err(|outcome| draft::told(*outcome))?;
        let mut other = read.form;
        other.filters.iter_mut().for_each(|filter| self.of_own(filter));
        let plain = other.measures.is_empty() && other.periods.is_empty() && other.conditions.is_empty();
        if !plain || other.filters.is_empty() || other.ranking.is_some() {
            return Err(format!("What is looked for among the {} is not clear: name one of them.", self.about.plural));
        }
        let counted = !self.form.measures.is_empty() && self.form.dimensions.is_empty();
        let mut made = if counted { self.behind_number(Vec::new())? } else { self.bare() };
        if !self.whole_list() {
            made.ranking = None;
            made = self.kept(made, true)?;
        }
        made.sought =
            Some(Sought { words: wanted.to_owned(), among: self.about.plural.clone(), filters: other.filters.clone() });
        made.filters.extend(other.filters);
        made.notes.extend(other.notes);
        Ok(self.noted(made))
    }
}

/// The form before something was looked for in its rows.
pub fn before_it(form: &QueryForm) -> QueryForm {
    let mut form = form.clone();
    if let Some(sought) = form.sought.take() {
        form.filters.retain(|filter| !sought.filters.contains(filter));
    }
    form
}

#[cfg(test)]
mod tests {
    use super::looked_for;

    #[test]
    fn what_is_looked_for_is_told_from_the_words_around_it() {
        for (text, wanted) in [
            ("Is Canada among them?", Some("Canada")),
            ("and is Machine Head one of them?", Some("Machine Head")),
            ("Are Ada and Bela in the list?", Some("Ada and Bela")),
            ("is AC/DC among them?", Some("AC/DC")),
            ("is Ada also one of them?", Some("Ada")),
            ("Is the oldest one in Oslo?", None),
            ("Is it in the list", Some("it")),
        ] {
            assert_eq!(looked_for(text).as_deref(), wanted, "{text}");
        }
    }
}

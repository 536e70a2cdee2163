//! The other end of what was found: "and the longest?", "what about the youngest?", "which is the most expensive?". The
//! rows are those asked about before, with every test they had. Next: `make`.

use super::super::form::{Analysis, Dimension, Mention, QueryForm, RankBy, Ranking, Thing};
use super::super::lexicon::Order;
use super::super::read;
use super::super::steps;
use super::make::Making;

/// Words around an end of a scale that name nothing.
const ASIDE: [&str; 27] = [
    "and", "what", "which", "who", "how", "about", "is", "are", "was", "were", "has", "have", "the", "one", "ones",
    "of", "show", "me", "only", "just", "now", "then", "list", "give", "find", "instead", "but",
];

impl Making<'_> {
    /// The rows at the end that is said, where nothing else is.
    pub fn other_end(&self) -> Result<Option<QueryForm>, String> {
        let words = self.said.words.iter().map(String::as_str);
        let rest: Vec<&str> = words.filter(|word| !ASIDE.contains(word) && !self.is_noun(word)).collect();
        let grouped = !self.form.measures.is_empty() && !self.form.dimensions.is_empty();
        if rest.is_empty() || rest.len() > 2 || !self.about.is_rows() || grouped || self.said.each {
            return Ok(None);
        }
        let which = self.said.words.first().is_some_and(|word| word == "which" || word == "who");
        let by_number = || self.end_of(&rest).filter(|_| which);
        let Some(ranking) = self.end(&rest.join(" ")).or_else(by_number) else { return Ok(None) };
        let counted = !self.form.measures.is_empty();
        let mut made = if counted { self.behind_number(Vec::new())? } else { self.bare() };
        if made.analysis != Analysis::Plain {
            return Ok(None);
        }
        if made.subject.is_none() {
            if !made.dimensions.iter().all(|own| self.is_own(own)) {
                return Ok(None);
            }
            made.attributes.extend(made.dimensions.drain(..).filter_map(|dimension| match dimension {
                Dimension::Thing(mention) => (mention.only_table() != Some(self.about.table)).then_some(mention),
                Dimension::Time(_) => None,
            }));
            made.subject = Some(Mention::of(self.about.plural.clone(), Thing::Table(self.about.table)));
        }
        made.ranking = Some(ranking);
        // Of one that was found there is no other end: then all of them are meant again.
        if self.form.ranking.as_ref().and_then(|ranking| ranking.limit).is_some_and(|limit| limit > 1) {
            return self.kept(made, false).map(|made| Some(self.noted(made)));
        }
        made.notes.push(format!(
            "Still about the {} asked about before{}.",
            self.about.plural,
            steps::about(self.form)
        ));
        Ok(Some(made))
    }

    /// "Which has the highest rating?": the end of a number that each row has.
    fn end_of(&self, words: &[&str]) -> Option<Ranking> {
        let [end, number] = words else { return None };
        let order = match *end {
            "highest" | "largest" | "biggest" | "greatest" | "most" | "maximum" => Order::Descending,
            "lowest" | "smallest" | "least" | "fewest" | "minimum" => Order::Ascending,
            _ => return None,
        };
        let of = self.single_column(number)?;
        let column = self.own_column(&of).filter(|column| self.catalogue.column(*column).is_number());
        column.map(|_| Ranking { order, limit: Some(1), by: RankBy::Property(of) })
    }

    /// The end of a scale of the rows that `words` name.
    fn end(&self, words: &str) -> Option<Ranking> {
        let read = read::read(self.catalogue, &format!("{words} {}", self.about.noun));
        let form = &read.form;
        let whole = read.unknown.is_empty()
            && read.doubt.is_none()
            && read.ungathered.is_none()
            && read.unranked.is_none()
            && read.several.is_none();
        let bare = form.measures.is_empty()
            && form.filters.is_empty()
            && form.conditions.is_empty()
            && form.periods.is_empty()
            && form.dimensions.is_empty()
            && form.attributes.is_empty();
        let ranking = form.ranking.clone().filter(|_| whole && bare)?;
        let by_property = matches!(ranking.by, RankBy::Property(_));
        by_property.then(|| Ranking { limit: ranking.limit.or(Some(1)), ..ranking })
    }
}

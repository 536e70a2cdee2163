//! What is shown of the rows of the last result, and in which order: "also show their age", "just their names",
//! "what is its language?", "sort them by age". The rows stay the same. Next: `make`.

use super::super::catalogue::Display;
use super::super::form::{
    Aggregate, Analysis, Candidate, Dimension, Measure, Mention, QueryForm, RankBy, Ranking, Thing,
};
use super::super::lexicon::Order;
use super::super::read::{self, Read};
use super::about::{About, told_by_tests};
use super::make::{Making, unshow};

/// Words of "show me the … as well" around what is to be shown.
const SHOWING: [&str; 33] = [
    "who", "which", "show", "list", "give", "display", "include", "add", "return", "tell", "find", "print", "get",
    "provide", "what", "is", "are", "was", "were", "me", "us", "the", "about", "how", "want", "need", "see", "i", "to",
    "see", "with", "output", "put",
];
/// Words that ask for something else than a column.
const ELSE: [&str; 20] = [
    "many", "much", "count", "average", "mean", "total", "sum", "most", "least", "maximum", "minimum", "median",
    "highest", "lowest", "largest", "smallest", "per", "by", "chart", "share",
];
/// Words for what rows are called by.
const NAMES: [&str; 6] = ["name", "names", "full", "ids", "id", "titles"];
/// How much worse than the best reading one of the rows themselves may be.
const CLOSE: u32 = 10;
const RESULTS: [&str; 4] = ["result", "results", "list", "rows"];
const SORTING: [&str; 8] = ["sort", "order", "rank", "arrange", "sorted", "ordered", "ranked", "reorder"];

impl Making<'_> {
    /// Other columns of the same rows.
    pub fn columns(&self) -> Result<Option<QueryForm>, String> {
        let said = self.said;
        let spoken = said.theirs || said.of.is_some() || (said.also && self.form.measures.is_empty());
        let words: Vec<&str> = said.words.iter().map(String::as_str).collect();
        if !spoken || words.iter().any(|word| ELSE.contains(word)) {
            return Ok(None);
        }
        let Some(kept) = self.named_words() else { return Ok(None) };
        // Rows without a name of their own are called by what they belong to.
        let named = self.catalogue.table(self.about.table).display != Display::Nothing;
        let own =
            kept.split_whitespace().all(|word| NAMES.contains(&word.to_lowercase().as_str()) || self.is_noun(word));
        let whole = self.whole_columns(&kept).filter(|mentions| (named && own) || !mentions.is_empty());
        let Some(mentions) = whole.or_else(|| self.single_columns(&kept)) else { return Ok(None) };
        self.showing(mentions).map(|made| made.map(|made| self.noted(made)))
    }

    /// The words without the order to show it, and without the rows they are said of.
    fn named_words(&self) -> Option<String> {
        let (noun, plural) = (&self.about.noun, &self.about.plural);
        let mut rest = self.said.text.trim().trim_end_matches(['?', '.', '!', ',', ' ']);
        for link in ["for", "of", "with", "to", "from", "in"] {
            for own in [format!("{link} each {noun}"), format!("{link} {plural}"), format!("{link} {noun}")] {
                rest = rest.strip_suffix(own.as_str()).unwrap_or(rest).trim();
            }
        }
        let mut kept = self.without_asking(rest);
        while let Some((first, others)) = kept.split_once(' ') {
            let theirs = self.is_noun(first) && others.trim_start().starts_with("with ");
            if !theirs && !SHOWING.contains(&first.to_lowercase().trim_end_matches(',')) {
                break;
            }
            kept = others.trim_start();
        }
        (!kept.is_empty() && !kept.contains('"')).then(|| kept.to_owned())
    }

    /// "Which album is it on", "what language does it have": what is asked for, without whose it is.
    fn without_asking<'t>(&self, rest: &'t str) -> &'t str {
        let verbs = ["is", "are", "was", "were", "do", "does", "did"];
        let tails = ["", " have", " in", " on", " from", " at", " to", " of", " with", " by", " for"];
        let (noun, plural) = (&self.about.noun, &self.about.plural);
        for tail in tails {
            for verb in verbs {
                for own in [noun, plural] {
                    if let Some(front) = rest.strip_suffix(format!(" {verb} {own}{tail}").as_str()) {
                        return front;
                    }
                }
            }
        }
        rest
    }

    /// The words read as columns of the rows, all at once.
    fn whole_columns(&self, kept: &str) -> Option<Vec<Mention>> {
        let read = read::read(self.catalogue, &format!("show the {kept} of all {}", self.about.plural));
        let form = &read.form;
        let plain = form.measures.is_empty()
            && form.filters.is_empty()
            && form.conditions.is_empty()
            && form.periods.is_empty()
            && form.ranking.is_none()
            && form.analysis == Analysis::Plain;
        let whole = read.unknown.is_empty() && read.doubt.is_none() && read.ungathered.is_none();
        (plain && whole && read.unranked.is_none() && read.several.is_none()).then(|| self.mentions(&read))
    }

    /// The words read as columns of the rows, one by one: a number is shown here and not gathered.
    fn single_columns(&self, kept: &str) -> Option<Vec<Mention>> {
        let pieces = kept.replace(" and ", ",").replace(" & ", ",");
        let pieces = pieces.split(',').map(str::trim).filter(|piece| !piece.is_empty());
        let named: Option<Vec<Mention>> = pieces.map(|piece| self.single_column(piece)).collect();
        named.filter(|named| !named.is_empty())
    }

    /// The one property that the words name.
    pub fn single_column(&self, words: &str) -> Option<Mention> {
        let own = format!("{} {words}", self.about.noun);
        // "Phone numbers" may be written in a column “phone”.
        let short = words.strip_suffix(" numbers").or_else(|| words.strip_suffix(" number")).unwrap_or(words);
        let mut named = [words, own.as_str(), short].into_iter();
        let mention = named.find_map(|words| read::named(self.catalogue, words))?;
        self.is_had(&mention).then(|| self.of_them(mention))
    }

    /// Of several columns of one name, that of the rows themselves.
    fn of_them(&self, mention: Mention) -> Mention {
        let best = mention.best().map_or(0, |best| best.score);
        let is_own = |candidate: &&Candidate| match candidate.thing {
            Thing::Column(column) => column.table == self.about.table && candidate.score + CLOSE >= best,
            Thing::Table(_) | Thing::Concept(_) => false,
        };
        let own: Vec<Candidate> = mention.candidates.iter().filter(is_own).copied().collect();
        if own.is_empty() { mention } else { Mention { candidates: own, ..mention } }
    }

    /// What was named, without the rows themselves.
    fn mentions(&self, read: &Read) -> Vec<Mention> {
        let groups = read.form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let subject = read.form.subject.iter();
        let is_other = |mention: &&Mention| mention.only_table() != Some(self.about.table);
        let mut named: Vec<Mention> = Vec::new();
        for mention in subject.chain(groups).chain(&read.form.attributes).filter(is_other) {
            let (noun, plural) = (format!("{} ", self.about.noun), format!("{} ", self.about.plural));
            let words = mention.words.as_str();
            let own = words.strip_prefix(plural.as_str()).or_else(|| words.strip_prefix(noun.as_str()));
            let words = own.unwrap_or(words).to_owned();
            let mention = self.of_them(Mention { words, candidates: mention.candidates.clone() });
            if !named.contains(&mention) {
                named.push(mention);
            }
        }
        named
    }

    /// Whether each of the rows has one of it.
    fn is_had(&self, mention: &Mention) -> bool {
        let own = self.about.table;
        mention.candidates.iter().any(|candidate| match candidate.thing {
            Thing::Column(column) => column.table == own || !self.catalogue.paths(own, column.table).is_empty(),
            Thing::Table(table) => table != own && !self.catalogue.paths(own, table).is_empty(),
            Thing::Concept(_) => true,
        })
    }

    /// The rows with these columns.
    pub fn showing(&self, mentions: Vec<Mention>) -> Result<Option<QueryForm>, String> {
        let had = mentions.iter().all(|mention| self.is_had(mention));
        let mut made = self.bare();
        if self.form.measures.is_empty() {
            if !had && made.subject.is_some() {
                return Ok(None);
            }
            let nameless = mentions.is_empty() && made.subject.is_none();
            if nameless && !self.about.is_rows() {
                return Ok(None);
            }
            if self.said.just || nameless || (self.said.theirs && !self.said.also && made.subject.is_none()) {
                unshow(&mut made);
                if made.subject.is_none() && made.dimensions.iter().all(|own| self.is_own(own)) {
                    made.dimensions.clear();
                    made.subject = Some(self.rows());
                }
            }
            self.add_shown(&mut made, &mentions);
            return Ok(Some(made));
        }
        if !had {
            return Ok(None);
        }
        if self.form.dimensions.is_empty() {
            return self.behind_number(mentions).map(Some);
        }
        // A property of the groups is shown beside them; of single rows in a group there is none to show.
        let by_rows = self.about.is_rows() && made.analysis == Analysis::Plain && made.periods.len() < 2;
        if !by_rows || self.form.dimensions.len() > 1 {
            return Ok(None);
        }
        self.add_shown(&mut made, &mentions);
        Ok(Some(made))
    }

    pub fn is_own(&self, dimension: &Dimension) -> bool {
        match dimension {
            Dimension::Thing(mention) => self.own_column(mention).is_some() && self.about.is_rows(),
            Dimension::Time(_) => false,
        }
    }

    fn rows(&self) -> Mention {
        Mention::of(self.about.plural.clone(), Thing::Table(self.about.table))
    }

    /// The rows a number was gathered from; of a highest or lowest one the row that has it.
    pub fn behind_number(&self, mentions: Vec<Mention>) -> Result<QueryForm, String> {
        let mut made = self.bare();
        let measures: Vec<Measure> = std::mem::take(&mut made.measures);
        let Some(first) = measures.first() else { return Ok(made) };
        made.subject = Some(self.rows());
        made.attributes = mentions;
        let order = match first.aggregate {
            Aggregate::Maximum => Some(Order::Descending),
            Aggregate::Minimum => Some(Order::Ascending),
            _ => None,
        };
        if let (Some(order), None) = (order, first.over_groups) {
            made.ranking = Some(Ranking { order, limit: Some(1), by: RankBy::Property(first.of.clone()) });
            return Ok(made);
        }
        let plain = first.over_groups.is_none() && measures.len() == 1 && made.analysis == Analysis::Plain;
        if !plain || !told_by_tests(self.catalogue, self.form, self.about) {
            let text = "Which rows the last number was made of cannot be told here: say the question with its tests.";
            return Err(text.to_owned());
        }
        Ok(made)
    }

    /// Whether it only asks for another order.
    pub fn sorts(&self) -> bool {
        let spoken =
            self.said.of.is_some() || self.said.words.iter().take(4).any(|word| RESULTS.contains(&word.as_str()));
        spoken && self.said.words.iter().any(|word| SORTING.contains(&word.as_str()))
    }

    /// "Sort them by age, oldest first", "list the results in descending order of their age".
    pub fn sorted(&self) -> Result<Option<QueryForm>, String> {
        let words: Vec<&str> = self.said.words.iter().map(String::as_str).collect();
        let Some(at) = words.iter().position(|word| SORTING.contains(word)) else { return Ok(None) };
        let Some(order) = order_of(&words) else {
            return Ok(None);
        };
        let after = &words[at + 1..];
        let by = after.iter().position(|word| matches!(*word, "by" | "of" | "to")).map(|by| &after[by + 1..]);
        let by: Vec<&str> = by.unwrap_or_default().iter().copied().filter(|word| !ORDERING.contains(word)).collect();
        let name = matches!(by.as_slice(), ["name" | "names" | "alphabet"]) || words.contains(&"alphabetical");
        if name {
            return Ok(Some(QueryForm { by_name: Some(order), ..self.form.clone() }));
        }
        let limit = self.form.ranking.as_ref().and_then(|ranking| ranking.limit);
        let mut made = self.form.clone();
        made.by_name = None;
        if self.form.measures.is_empty() {
            let Some(property) = self.property(&by.join(" ")) else { return Ok(None) };
            if limit.is_some() {
                made = self.kept(made, false)?;
            }
            if made.subject.is_none() && About::of(self.catalogue, &made).is_none_or(|about| !about.is_rows()) {
                return Ok(None);
            }
            if made.subject.is_none() {
                let groups = std::mem::take(&mut made.dimensions);
                made.attributes.extend(groups.into_iter().filter_map(|dimension| match dimension {
                    Dimension::Thing(mention) => Some(mention),
                    Dimension::Time(_) => None,
                }));
                made.subject = Some(self.rows());
            }
            made.ranking = Some(Ranking { order, limit: None, by: RankBy::Property(property) });
            return Ok(Some(made));
        }
        let own =
            by.is_empty() || by.iter().all(|word| ["count", "number", "result", "value", "amount"].contains(word));
        if !own || self.form.dimensions.is_empty() {
            return Ok(None);
        }
        made.ranking = Some(Ranking { order, limit, by: RankBy::Measure });
        Ok(Some(made))
    }

    /// A property of the rows, or the one number that was shown.
    fn property(&self, words: &str) -> Option<Mention> {
        if words.is_empty() {
            return None;
        }
        let mut named = self.whole_columns(words).filter(|named| !named.is_empty());
        let mut named = named.take().or_else(|| self.single_columns(words))?;
        (named.len() == 1).then(|| named.remove(0)).filter(|mention| self.is_had(mention))
    }
}

/// Words around what is sorted by.
const ORDERING: [&str; 14] = [
    "the",
    "a",
    "in",
    "order",
    "descending",
    "ascending",
    "decreasing",
    "increasing",
    "from",
    "first",
    "a",
    "results",
    "result",
    "all",
];

/// The order that is said, ascending where none is.
fn order_of(words: &[&str]) -> Option<Order> {
    let says = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let down = says(&["descending", "decreasing", "desc", "reverse"]);
    let up = says(&["ascending", "increasing", "asc", "alphabetical", "alphabetically"]);
    match (down, up) {
        (true, false) => Some(Order::Descending),
        (false, true) => Some(Order::Ascending),
        (true, true) => None,
        (false, false) if says(&["from", "first"]) => None,
        (false, false) => Some(Order::Ascending),
    }
}

//! The lexicon: what people say when they ask about data, whatever the data. It is data itself (`lexicon.yaml`,
//! embedded); this file checks it and makes it quick to look up. The data's names come from `catalogue`. Next: `form`.

mod concept;
mod order;
mod same;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::form::End;
use super::words;

pub use concept::Concept;
pub use order::{Comparator, Order};

/// What a function word does in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Ignore,
    /// A verb that says no more than that two things belong together.
    Link,
    Command,
    Wh,
    Who,
    When,
    Of,
    In,
    With,
    And,
    Or,
    Not,
    /// Two things at once: "both A and B".
    Both,
    Without,
    Group,
    Each,
    Count,
    HowMuch,
    Distinct,
    Sum,
    Average,
    Median,
    Range,
    Deviation,
    Percentile,
    Correlation,
    Top,
    Bottom,
    Most,
    Fewest,
    Highest,
    Lowest,
    Popular,
    /// What occurs the most.
    Common,
    Rare,
    /// How often something was done.
    Often,
    /// One number by another: "divided by" between them, "ratio of" before both.
    Divided,
    Ratio,
    BestSelling,
    WorstSelling,
    Over,
    AtLeast,
    Under,
    AtMost,
    OrMore,
    OrLess,
    Between,
    Exactly,
    Starts,
    Ends,
    Contains,
    Compare,
    Versus,
    Share,
    Trend,
    Growth,
    Forecast,
    Outlier,
    Cumulative,
    Known,
    /// A comparison without the other side: "which had more orders".
    More,
    Sold,
    Bought,
    Spent,
    Only,
    Also,
    Instead,
    InsteadOf,
    Remove,
    FilterWord,
    StepWord,
    Sorted,
    Alphabetical,
    AlphabeticalReverse,
    Descending,
    Ascending,
    ChartLine,
    ChartBars,
    ChartTable,
    ChartStacked,
    ChartScatter,
    Chart,
    GrainDay,
    GrainWeek,
    GrainMonth,
    GrainQuarter,
    GrainYear,
    Day,
    Week,
    Month,
    Quarter,
    Year,
    Weekday,
    Hour,
    Last,
    This,
    Next,
    Since,
    Before,
    After,
    Until,
    Half,
}

/// What a phrase of the lexicon means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signal {
    /// A function word.
    Role(Role),
    /// "longest": an order by a property.
    Superlative(Order, Concept),
    /// "longer than": a comparison by a property.
    Comparative(Comparator, Concept),
}

/// A unit after a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub concept: Concept,
    /// How many base units it is.
    pub factor: f64,
}

/// How columns that hold a concept are called.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConceptNames {
    words: Vec<String>,
    /// Names of columns, best first, as stems.
    pub columns: Vec<String>,
    /// Stems that rule a column out.
    pub against: Vec<String>,
}

/// The checked lexicon.
#[derive(Debug)]
pub struct Lexicon {
    phrases: BTreeMap<String, Signal>,
    concept_words: BTreeMap<String, Concept>,
    concepts: BTreeMap<Concept, ConceptNames>,
    canonical: BTreeMap<String, String>,
    units: BTreeMap<String, Unit>,
    trade: BTreeSet<String>,
    money_tables: BTreeSet<String>,
    zero_is_none: BTreeSet<String>,
    zero_is_some: BTreeSet<String>,
    measured_in: BTreeSet<String>,
    verbs: BTreeMap<String, Vec<String>>,
    linking: BTreeSet<String>,
    people: BTreeSet<String>,
    sellers: BTreeSet<String>,
    display: Vec<String>,
    date_first: Vec<String>,
    date_last: Vec<String>,
    ends: BTreeMap<End, EndNames>,
    states: BTreeSet<String>,
    origins: BTreeSet<String>,
    opposites: Vec<[Vec<String>; 2]>,
    beginnings: BTreeSet<String>,
    same_names: Vec<Vec<Vec<String>>>,
    masses: BTreeSet<String>,
    linking_by: BTreeSet<String>,
}

/// How the ends of a relation are said and called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndNames {
    /// What people say before a value.
    words: Vec<String>,
    /// How columns that hold it are called.
    columns: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    roles: BTreeMap<Role, Vec<String>>,
    superlatives: Vec<WrittenSuperlative>,
    comparatives: Vec<WrittenComparative>,
    concepts: BTreeMap<Concept, ConceptNames>,
    synonyms: Vec<Vec<String>>,
    abbreviations: BTreeMap<String, String>,
    units: Vec<WrittenUnit>,
    trade: Vec<String>,
    money_tables: Vec<String>,
    zero_is_none: Vec<String>,
    zero_is_some: Vec<String>,
    measured_in: Vec<String>,
    verbs: BTreeMap<String, Vec<String>>,
    linking: Vec<String>,
    people: Vec<String>,
    sellers: Vec<String>,
    display: Vec<String>,
    date_first: Vec<String>,
    date_last: Vec<String>,
    ends: BTreeMap<End, EndNames>,
    states: Vec<String>,
    origins: Vec<String>,
    opposites: Vec<[Vec<String>; 2]>,
    beginnings: Vec<String>,
    same_names: Vec<Vec<String>>,
    masses: Vec<String>,
    linking_by: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSuperlative {
    words: Vec<String>,
    order: Order,
    concept: Concept,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenComparative {
    words: Vec<String>,
    test: Comparator,
    concept: Concept,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenUnit {
    words: Vec<String>,
    concept: Concept,
    factor: f64,
}

/// The embedded lexicon.
#[expect(clippy::expect_used, reason = "the file is compiled in and a test reads it")]
pub fn lexicon() -> &'static Lexicon {
    static LEXICON: LazyLock<Lexicon> =
        LazyLock::new(|| Lexicon::read(include_str!("lexicon.yaml")).expect("BUG: the embedded lexicon is wrong"));
    &LEXICON
}

impl Lexicon {
    fn read(text: &str) -> Result<Self, String> {
        let written: Written = serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
        let mut canonical = BTreeMap::new();
        for group in &written.synonyms {
            let first = group.first().map(|word| stem_phrase(word)).unwrap_or_default();
            canonical.extend(group.iter().map(|word| (stem_phrase(word), first.clone())));
        }
        for (short, long) in &written.abbreviations {
            let long = words::singular(long);
            let full = canonical.get(&long).cloned().unwrap_or(long);
            canonical.entry(short.clone()).or_insert(full);
        }
        Ok(Self {
            phrases: phrases(&written)?,
            concept_words: concept_words(&written),
            units: units(&written),
            trade: written.trade.iter().map(|word| words::singular(word)).collect(),
            money_tables: written.money_tables.iter().map(|word| words::singular(word)).collect(),
            zero_is_none: written.zero_is_none.iter().map(|word| words::singular(word)).collect(),
            zero_is_some: written.zero_is_some.iter().map(|word| words::singular(word)).collect(),
            measured_in: written.measured_in.iter().map(|word| words::singular(word)).collect(),
            verbs: written.verbs,
            linking: written.linking.into_iter().collect(),
            people: written.people.iter().map(|word| words::singular(word)).collect(),
            sellers: written.sellers.iter().map(|word| words::singular(word)).collect(),
            concepts: written.concepts,
            canonical,
            display: written.display,
            date_first: written.date_first,
            date_last: written.date_last,
            ends: written.ends,
            origins: written.origins.into_iter().collect(),
            states: written.states.into_iter().collect(),
            opposites: written.opposites,
            beginnings: written.beginnings.into_iter().collect(),
            same_names: written.same_names.iter().map(|group| same::split(group)).collect(),
            linking_by: written.linking_by.into_iter().collect(),
            masses: written.masses.iter().map(|word| words::singular(word)).collect(),
        })
    }

    /// What a phrase of folded words means, apart from names.
    pub fn signal(&self, phrase: &str) -> Option<Signal> {
        self.phrases.get(phrase).copied()
    }

    /// The concept a phrase of stems asks about.
    pub fn concept(&self, stems: &str) -> Option<Concept> {
        self.concept_words.get(stems).copied()
    }

    /// How columns that hold `concept` are called.
    pub fn concept_names(&self, concept: Concept) -> Option<&ConceptNames> {
        self.concepts.get(&concept)
    }

    /// All concepts.
    pub fn concepts(&self) -> impl Iterator<Item = Concept> {
        self.concepts.keys().copied()
    }

    /// The word that stands for `stem` and its synonyms.
    pub fn canonical<'a>(&'a self, stem: &'a str) -> &'a str {
        self.canonical.get(stem).map_or(stem, String::as_str)
    }

    /// The unit a stem names.
    pub fn unit(&self, stem: &str) -> Option<Unit> {
        self.units.get(stem).copied()
    }

    /// Whether rows of a table with such a name carry money.
    pub fn is_trade(&self, stem: &str) -> bool {
        self.trade.contains(stem)
    }

    /// Whether the "total" of a table with such a name is its money rather than its number of rows.
    pub fn is_money_table(&self, stem: &str) -> bool {
        self.money_tables.contains(stem)
    }

    /// Whether 0 in a column of such a name says as much as nothing.
    pub fn is_zero_none(&self, stems: &[String]) -> bool {
        stems.iter().any(|stem| self.zero_is_none.contains(stem))
    }

    /// Whether 0 in a column of such a name is a value like any other: no degrees are a temperature.
    pub fn is_zero_some(&self, stems: &[String]) -> bool {
        stems.iter().any(|stem| self.zero_is_some.contains(self.canonical(stem)))
    }

    /// Whether the end of a column's name says in what it is measured: `fee_eur`, `weight_kg`.
    pub fn is_measured_in(&self, stem: &str) -> bool {
        self.measured_in.contains(stem) || self.unit(self.canonical(stem)).is_some()
    }

    /// The nouns that a verb's form is of, where its letters do not tell: "born" of births, "borrowed" of loans.
    pub fn nouns_of(&self, verb: &str) -> &[String] {
        self.verbs.get(verb).map_or(&[], Vec::as_slice)
    }

    /// Whether a verb in one of its forms says no more of two things than that they belong together.
    pub fn is_linking(&self, verb: &str) -> bool {
        words::verb_roots(verb).iter().any(|root| self.linking.contains(root))
    }

    /// Whether rows of a table with such a name are people.
    pub fn is_person(&self, stem: &str) -> bool {
        self.people.contains(self.canonical(stem))
    }

    /// Whether rows of a table with such a name sell.
    pub fn is_seller(&self, stem: &str) -> bool {
        self.sellers.contains(self.canonical(stem))
    }

    /// Whether a date of such a name is when something came into being, and not when its rows happened.
    pub fn is_origin(&self, stem: &str) -> bool {
        self.origins.contains(stem)
    }

    /// Whether a verb says that something came into being or took place.
    pub fn is_beginning(&self, verb: &str) -> bool {
        self.beginnings.contains(verb)
    }

    /// Whether a word says how something is, so that a column of 0 and 1 of that name says yes and no.
    pub fn is_state(&self, stem: &str) -> bool {
        self.states.contains(stem)
    }

    /// Whether one word denies the other; none where nothing is known of the two.
    pub fn is_opposite(&self, one: &str, other: &str) -> Option<bool> {
        let has = |list: &[String], word: &str| list.iter().any(|own| own == word);
        self.opposites.iter().find_map(|[yes, no]| match (has(yes, one), has(no, one)) {
            (true, _) if has(yes, other) => Some(false),
            (true, _) if has(no, other) => Some(true),
            (_, true) if has(no, other) => Some(false),
            (_, true) if has(yes, other) => Some(true),
            _ => None,
        })
    }

    /// The end of a relation that a word before a value speaks of.
    pub fn end_said(&self, word: &str) -> Option<End> {
        self.ends.iter().find(|(_, names)| names.words.iter().any(|own| own == word)).map(|(end, _)| *end)
    }

    /// Whether a column of this name holds that end of a relation.
    pub fn is_end(&self, end: End, stems: &[String]) -> bool {
        let own = self.ends.get(&end).map(|names| names.columns.as_slice()).unwrap_or_default();
        stems.iter().any(|stem| own.iter().any(|name| name == self.canonical(stem)))
    }

    /// Names of columns that name a row, best first.
    pub fn display_names(&self) -> &[String] {
        &self.display
    }

    /// How likely a date column of this name is the one meant when nobody says: lower is likelier.
    pub fn date_rank(&self, stems: &[String]) -> usize {
        let last = stems.iter().any(|stem| self.date_last.contains(stem));
        let named = self.date_first.iter().position(|word| stems.contains(word));
        let first = named.map_or(RANK_UNKNOWN, |at| at.min(RANK_UNKNOWN - 1));
        if last { 100 + first } else { first }
    }

    /// Words long enough to be mistyped: for spelling.
    pub fn vocabulary(&self) -> impl Iterator<Item = &str> {
        let phrases = self.phrases.keys().flat_map(|phrase| phrase.split(' '));
        phrases.chain(self.concept_words.keys().flat_map(|phrase| phrase.split(' ')))
    }
}

/// Rank of a date whose name says nothing: behind those that say it, and never so far that a date of another table
/// would come before.
const RANK_UNKNOWN: usize = 12;

/// The stems of a phrase, joined by spaces.
pub fn stem_phrase(phrase: &str) -> String {
    phrase.split_whitespace().map(words::singular).collect::<Vec<_>>().join(" ")
}

fn phrases(written: &Written) -> Result<BTreeMap<String, Signal>, String> {
    let roles = written.roles.iter().flat_map(|(role, list)| list.iter().map(|words| (words, Signal::Role(*role))));
    let superlatives = written
        .superlatives
        .iter()
        .flat_map(|entry| entry.words.iter().map(|words| (words, Signal::Superlative(entry.order, entry.concept))));
    let comparatives = written
        .comparatives
        .iter()
        .flat_map(|entry| entry.words.iter().map(|words| (words, Signal::Comparative(entry.test, entry.concept))));
    let mut phrases = BTreeMap::new();
    for (words, signal) in roles.chain(superlatives).chain(comparatives) {
        if let Some(before) = phrases.insert(words.clone(), signal)
            && before != signal
        {
            return Err(format!("`{words}` means both {before:?} and {signal:?}"));
        }
    }
    Ok(phrases)
}

fn concept_words(written: &Written) -> BTreeMap<String, Concept> {
    let pairs = written.concepts.iter();
    pairs.flat_map(|(concept, names)| names.words.iter().map(|word| (stem_phrase(word), *concept))).collect()
}

fn units(written: &Written) -> BTreeMap<String, Unit> {
    let pairs = written.units.iter().flat_map(|unit| {
        unit.words.iter().map(|word| (stem_phrase(word), Unit { concept: unit.concept, factor: unit.factor }))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_embedded_lexicon_is_consistent() {
        Lexicon::read(include_str!("lexicon.yaml")).unwrap();
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        let error = Lexicon::read("roels: {}").unwrap_err();
        assert!(error.contains("roels"), "{error}");
    }

    #[test]
    fn synonyms_and_abbreviations_come_to_one_word() {
        let lexicon = lexicon();
        assert_eq!(lexicon.canonical("client"), lexicon.canonical("cust"));
        assert_eq!(lexicon.canonical("rep"), "representative");
        assert_eq!(lexicon.canonical("unheard"), "unheard");
    }
}

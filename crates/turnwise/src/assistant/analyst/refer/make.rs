//! Makes the form of a follow-up about the rows of the last result. Where its tests say which rows those are, they are
//! kept; where an end or a group decided, the rows that were found are named. Next: `columns` for what is shown.

use turnwise_core::Task;

use super::super::catalogue::{Catalogue, Display};
use super::super::draft;
use super::super::form::{
    Aggregate, Analysis, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, RankBy, Ranking, Thing,
};
use super::super::lexicon::Order;
use super::super::read::{self, Read};
use super::about::{About, column_of, measured, told_by_tests};
use super::said::Said;

const SILENT: [&str; 33] = [
    "what", "is", "are", "was", "were", "the", "of", "it", "give", "me", "show", "tell", "us", "about", "how", "value",
    "values", "number", "numbers", "a", "for", "all", "result", "results", "as", "find", "and", "in", "list", "return",
    "do", "have", "has",
];
const ONCE: [&str; 6] = ["distinct", "unique", "duplicates", "duplicate", "different", "once"];
const TAKING_OUT: [&str; 12] =
    ["filter", "out", "remove", "without", "only", "among", "rows", "each", "from", "drop", "no", "just"];
const COUNTED: [&str; 12] =
    ["how", "many", "there", "that", "total", "altogether", "together", "count", "such", "number", "this", "them"];

/// A follow-up being made.
pub struct Making<'a> {
    pub catalogue: &'a Catalogue,
    pub form: &'a QueryForm,
    pub about: &'a About,
    pub said: &'a Said,
    pub task: &'a Task,
}

impl Making<'_> {
    /// The form, where the words speak of the last result.
    pub fn made(&self) -> Result<Option<QueryForm>, String> {
        if self.is_count() {
            return self.counted().map(Some);
        }
        if self.only(&[&ONCE, &TAKING_OUT]) && self.says(&ONCE) {
            return self.once().map(Some);
        }
        if self.said.of.is_some() && !self.said.theirs && !self.said.each && self.only(&[&["which", "who"]]) {
            return self.shown_again().map(Some);
        }
        if let Some(made) = self.gathered()? {
            return Ok(Some(made));
        }
        if self.sorts() {
            return self.sorted();
        }
        if self.says(&["limit"]) && self.only(&[&["limit", "remove", "drop", "without", "no", "lift"]]) {
            return self.unlimited().map(Some);
        }
        if self.said.each
            && let Some(made) = self.counted_each()?
        {
            return Ok(Some(made));
        }
        if let Some(made) = self.columns()? {
            return Ok(Some(made));
        }
        if self.said.of.is_none() || self.is_narrowed_groups() {
            return Ok(None);
        }
        self.asked().map(Some)
    }

    fn says(&self, list: &[&str]) -> bool {
        self.said.words.iter().any(|word| list.contains(&word.as_str()))
    }

    /// Whether there are only silent words, what the result is about, and those of `lists`.
    fn only(&self, lists: &[&[&str]]) -> bool {
        let own = |word: &str| self.is_noun(word);
        let known = |word: &str| SILENT.contains(&word) || lists.iter().any(|list| list.contains(&word)) || own(word);
        !self.said.words.is_empty() && self.said.words.iter().all(|word| known(word))
    }

    fn is_noun(&self, word: &str) -> bool {
        self.about.plural.split(' ').chain(self.about.noun.split(' ')).any(|own| own.eq_ignore_ascii_case(word))
    }

    fn is_count(&self) -> bool {
        let words: Vec<&str> = self.said.words.iter().map(String::as_str).collect();
        let asks = matches!(words.as_slice(), ["how", "many", _, ..] | ["count", ..])
            || (self.said.of.is_some() && self.says(&["count"]));
        let spoken = self.said.of.is_some() || !words.iter().any(|word| self.is_noun(word));
        asks && spoken && self.only(&[&COUNTED]) && !self.said.each && words.len() > 1
    }

    /// "Only those over 7" of numbers by group tests the numbers, which `refine` does.
    fn is_narrowed_groups(&self) -> bool {
        let narrows = self.said.just || self.said.words.first().is_some_and(|word| self.is_noun(word));
        !self.form.measures.is_empty() && !self.form.dimensions.is_empty() && narrows
    }

    /// The last form without what belongs to how it was shown.
    pub fn bare(&self) -> QueryForm {
        let mut bare = self.form.clone();
        (bare.look, bare.drawn, bare.by_name, bare.claim) = (None, false, None, None);
        bare
    }

    /// "Show them", "which are they?" of rows that were only counted; "what about them?" asks for nothing.
    fn shown_again(&self) -> Result<QueryForm, String> {
        if self.says(&["about"]) {
            return Err(format!(
                "“{}” are the {} found before. What about them? Say what is wanted, as in “how many are there” or \
                 “sort them by name”.",
                self.said.of.as_deref().unwrap_or("These"),
                self.about.plural
            ));
        }
        if self.form.measures.is_empty() || !self.form.dimensions.is_empty() {
            return Ok(self.noted(self.bare()));
        }
        self.behind_number(Vec::new()).map(|made| self.noted(made))
    }

    /// How many there are.
    fn counted(&self) -> Result<QueryForm, String> {
        let mut made = self.bare();
        if !self.form.measures.is_empty() && self.form.dimensions.is_empty() {
            return Err(format!(
                "The last result is one number and no list that could be counted: say what to count, as in “number of \
                 {}”.",
                self.about.plural
            ));
        }
        (made.attributes, made.ranking, made.analysis) = (Vec::new(), None, Analysis::Plain);
        let of = match self.about.column {
            Some(column) => {
                Measure::new(Aggregate::CountDistinct, Mention::of(self.about.noun.clone(), Thing::Column(column)))
            }
            None => Measure::new(Aggregate::Count, self.about.mention()),
        };
        (made.measures, made.dimensions, made.subject, made.conditions) = (vec![of], Vec::new(), None, Vec::new());
        if let Some(column) = self.about.column {
            made.context.push(Mention::of(self.about.plural.clone(), Thing::Table(column.table)));
        }
        self.kept(made, true).map(|made| self.noted(made))
    }

    /// "Remove the limit": all rows, in the order they have.
    fn unlimited(&self) -> Result<QueryForm, String> {
        let mut made = self.bare();
        match made.ranking.as_mut().filter(|ranking| ranking.limit.is_some()) {
            Some(ranking) => ranking.limit = None,
            None => return Err("There is no limit: all rows are shown already.".to_owned()),
        }
        Ok(made)
    }

    /// Each different row once.
    fn once(&self) -> Result<QueryForm, String> {
        if !self.form.measures.is_empty() {
            return Err("Each group is there once already: there are no duplicates to leave out.".to_owned());
        }
        let mut made = self.bare();
        if made.attributes.is_empty() {
            // "The country of each customer" shows the customers too: what was asked for is the country.
            made.attributes = made.dimensions.iter().filter_map(|dimension| self.beside_name(dimension)).collect();
            made.subject = Some(Mention::of(self.about.plural.clone(), Thing::Table(self.about.table)));
        }
        if made.attributes.is_empty() || (made.attributes.len() == made.dimensions.len()) {
            return Err("Each row is there once already: there are no duplicates to leave out.".to_owned());
        }
        let shown = std::mem::take(&mut made.attributes);
        // The values are those of the rows that were listed, and not all that there are.
        made.context.extend(made.subject.take());
        made.dimensions = shown.into_iter().map(Dimension::Thing).collect();
        self.kept(made, true).map(|made| self.noted(made))
    }

    /// What a group shows, where it is no name or key of the rows.
    fn beside_name(&self, dimension: &Dimension) -> Option<Mention> {
        let Dimension::Thing(mention) = dimension else { return None };
        let entry = self.catalogue.table(self.about.table);
        let names =
            |column: ColumnId| entry.display == Display::Column(column.column) || entry.key == Some(column.column);
        let own = mention.only_table() == Some(self.about.table) || self.own_column(mention).is_some_and(names);
        (!own).then(|| mention.clone())
    }

    /// The number columns that the last result showed, as they were called.
    fn numbers(&self) -> Vec<Mention> {
        let is_number = |mention: &&Mention| {
            mention.best().is_some_and(|best| match best.thing {
                Thing::Column(column) => self.catalogue.column(column).is_number(),
                Thing::Concept(_) => true,
                Thing::Table(_) => false,
            })
        };
        let ranked = self.form.ranking.as_ref().and_then(|ranking| match &ranking.by {
            RankBy::Property(mention) => Some(mention),
            RankBy::Measure => None,
        });
        let groups = self.form.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let mut numbers: Vec<Mention> = Vec::new();
        for mention in self.form.attributes.iter().chain(groups).filter(is_number) {
            if !numbers.contains(mention) {
                numbers.push(mention.clone());
            }
        }
        if numbers.is_empty() { ranked.filter(is_number).cloned().into_iter().collect() } else { numbers }
    }

    /// "What is the average of them?", "and the minimum and maximum?", "which one is the highest?".
    fn gathered(&self) -> Result<Option<QueryForm>, String> {
        let wanted = aggregates(&self.said.words);
        let gathering = AGGREGATES.map(|(word, _)| word);
        if wanted.is_empty() {
            return Ok(None);
        }
        if !self.only(&[&gathering, &["which", "who"]]) {
            return self.gathered_of(wanted, &gathering);
        }
        let which = self.says(&["which", "who"]);
        let form = self.form;
        let mut made = self.bare();
        if which {
            return self.extreme(&wanted).map(Some);
        }
        if form.dimensions.is_empty()
            && let [first, ..] = form.measures.as_slice()
        {
            let plain = !matches!(first.aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Share(_));
            if !plain || first.over_groups.is_some() {
                return Ok(None);
            }
            let others = wanted.iter().map(|aggregate| Measure { aggregate: *aggregate, ..first.clone() });
            made.measures =
                if self.said.also { form.measures.iter().cloned().chain(others).collect() } else { others.collect() };
            made.measures.dedup();
            return Ok(Some(made));
        }
        if !form.measures.is_empty() {
            return if wanted == [Aggregate::Sum] { self.summed() } else { Ok(None) };
        }
        let numbers = self.numbers();
        let [of] = numbers.as_slice() else {
            let listed: Vec<&str> = numbers.iter().map(|number| number.words.as_str()).collect();
            let which = if listed.is_empty() { "no numbers".to_owned() } else { listed.join(" and ") };
            return Err(format!("Of what? The last result shows {which}: name the number that is meant."));
        };
        self.gathering(wanted, of).map(Some)
    }

    /// "What is the total of these?" of numbers by group.
    fn summed(&self) -> Result<Option<QueryForm>, String> {
        let adds = |measure: &Measure| {
            matches!(measure.aggregate, Aggregate::Sum | Aggregate::Count) && measure.over_groups.is_none()
        };
        if self.said.of.is_none() || !self.form.measures.iter().all(adds) || self.form.analysis != Analysis::Plain {
            return Ok(None);
        }
        let mut made = self.bare();
        (made.dimensions, made.ranking, made.conditions) = (Vec::new(), None, Vec::new());
        if told_by_tests(self.catalogue, self.form, self.about) || self.is_all_groups() {
            return Ok(Some(self.noted(made)));
        }
        self.kept(made, false).map(|made| Some(self.noted(made)))
    }

    /// "What is the average, minimum and maximum age of those?"
    fn gathered_of(&self, wanted: Vec<Aggregate>, gathering: &[&str]) -> Result<Option<QueryForm>, String> {
        let list = self.form.measures.is_empty() && self.said.of.is_some() && wanted.len() > 1;
        let rest = self.said.words.iter().map(String::as_str);
        let rest: Vec<&str> =
            rest.filter(|word| !SILENT.contains(word) && !gathering.contains(word) && !self.is_noun(word)).collect();
        let of = self.single_column(&rest.join(" ")).filter(|of| list && self.own_column(of).is_some());
        let number = |of: &Mention| self.own_column(of).is_some_and(|column| self.catalogue.column(column).is_number());
        of.filter(number).map(|of| self.gathering(wanted, &of)).transpose()
    }

    /// Numbers gathered from the rows of the last list.
    fn gathering(&self, wanted: Vec<Aggregate>, of: &Mention) -> Result<QueryForm, String> {
        let mut made = self.bare();
        made.measures = wanted.into_iter().map(|aggregate| Measure::new(aggregate, of.clone())).collect();
        (made.attributes, made.dimensions, made.ranking) = (Vec::new(), Vec::new(), None);
        made.context.extend(made.subject.take());
        self.kept(made, true).map(|made| self.noted(made))
    }

    /// "Which one is the highest?" of what was shown.
    fn extreme(&self, wanted: &[Aggregate]) -> Result<QueryForm, String> {
        let order = match wanted {
            [Aggregate::Maximum] => Order::Descending,
            [Aggregate::Minimum] => Order::Ascending,
            _ => return Err("Which one of them by what? Name one end, as in “which one is the highest”.".to_owned()),
        };
        let mut made = self.bare();
        let by = match (self.form.measures.first(), self.numbers().as_slice()) {
            (Some(_), _) if !self.form.dimensions.is_empty() => RankBy::Measure,
            (None, [only]) => RankBy::Property(only.clone()),
            _ => return Err("The highest or lowest by what? Name the number, as in “the highest price”.".to_owned()),
        };
        if matches!(by, RankBy::Property(_)) {
            made.subject = Some(Mention::of(self.about.plural.clone(), Thing::Table(self.about.table)));
            made.dimensions.clear();
        }
        made.ranking = Some(Ranking { order, limit: Some(1), by });
        let before = self.form.ranking.as_ref().and_then(|ranking| ranking.limit).is_some();
        if before { self.kept(made, false).map(|made| self.noted(made)) } else { Ok(self.noted(made)) }
    }

    /// "For each of them, show the number of concerts."
    fn counted_each(&self) -> Result<Option<QueryForm>, String> {
        let text = self.said.text.trim_end_matches(|c: char| !c.is_alphanumeric());
        let noun = format!("each {}", self.about.noun);
        let text = text.replace(&format!("for {noun}"), "").replace(&format!("of {noun}"), "");
        let read = read::read(self.catalogue, text.trim());
        let counts = |measure: &Measure| matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct);
        let gathers = !read.form.measures.is_empty()
            && read.form.dimensions.is_empty()
            && read.form.ranking.is_none()
            && (read.form.measures.iter().any(counts) || self.about.is_rows());
        if !gathers || draft::check(self.catalogue, &read).is_err() {
            return Ok(None);
        }
        let mut made = read.form;
        let counted = measured(self.catalogue, &made);
        let entry = self.catalogue.table(self.about.table);
        let named =
            |column: ColumnId| entry.display == Display::Column(column.column) || entry.key == Some(column.column);
        let beside = self.form.attributes.iter().chain(&self.form.shown);
        let shown = beside.filter(|shown| !self.own_column(shown).is_some_and(named)).cloned();
        let shown: Vec<Dimension> = shown.map(Dimension::Thing).collect();
        made.dimensions = match (self.form.dimensions.is_empty(), counted == Some(self.about.table)) {
            (false, _) => self.form.dimensions.clone(),
            // What counts the rows themselves is wanted by what was shown of them.
            (true, true) if !shown.is_empty() => shown,
            (true, false) if !shown.is_empty() && entry.display == Display::Nothing => shown,
            (true, true) => return Ok(None),
            (true, false) => std::iter::once(Dimension::Thing(self.about.mention())).chain(shown).collect(),
        };
        self.kept(made, false).map(|made| Some(self.noted(made)))
    }

    /// A question of its own about them.
    pub fn asked(&self) -> Result<QueryForm, String> {
        let read = self.whole(&self.said.text)?;
        let lists = |form: &QueryForm| form.measures.is_empty() && form.conditions.is_empty();
        let same = About::of(self.catalogue, &read.form).is_some_and(|other| other.table == self.about.table);
        // What only narrows a list leaves it as it was shown.
        if lists(self.form) && lists(&read.form) && same && read.form.ranking.is_none() && self.whole_list() {
            let mut made = self.bare();
            let fresh = read.form.filters.into_iter().filter(|filter| !self.form.filters.contains(filter));
            let fresh: Vec<Filter> = fresh.collect();
            if fresh.is_empty() && read.form.periods.is_empty() && read.form.attributes.is_empty() {
                return Err(format!("What is asked of the {}? Name it.", self.about.plural));
            }
            made.filters.extend(fresh);
            if !read.form.periods.is_empty() {
                made.periods = read.form.periods;
            }
            self.add_shown(&mut made, &read.form.attributes);
            made.notes.extend(read.form.notes);
            made.context.extend(read.form.context);
            return Ok(self.noted(made));
        }
        let which = self.said.words.first().is_some_and(|word| word == "which") && lists(&read.form);
        let noun = self.said.words.get(1).is_some_and(|word| self.is_noun(word));
        // "Which regions …" that was read as a list of something else was not understood.
        if !self.speaks_of_them(&read.form) || (which && noun && !same) {
            return Err(self.unclear());
        }
        self.kept(read.form, false).map(|made| self.noted(made))
    }

    fn unclear(&self) -> String {
        format!(
            "“{}” stands for the {} found before, but what is asked of them is not clear: say the whole question.",
            self.said.of.as_deref().unwrap_or("that"),
            self.about.plural
        )
    }

    pub fn whole_list(&self) -> bool {
        self.form.ranking.as_ref().is_none_or(|ranking| ranking.limit.is_none())
    }

    /// Shows columns beside what is shown.
    pub fn add_shown(&self, made: &mut QueryForm, mentions: &[Mention]) {
        for mention in mentions {
            let dimension = Dimension::Thing(mention.clone());
            if made.subject.is_some() && !made.attributes.contains(mention) {
                made.attributes.push(mention.clone());
            } else if made.subject.is_none() && !made.dimensions.contains(&dimension) {
                made.dimensions.push(dimension);
            }
        }
    }

    /// The words read as a whole question.
    fn whole(&self, text: &str) -> Result<Read, String> {
        let mut read = read::read(self.catalogue, text);
        draft::check(self.catalogue, &read).map_err(|outcome| draft::told(*outcome))?;
        read::listed_by_flag(self.catalogue, &mut read);
        if draft::is_empty(&read.form) {
            return Err(self.unclear());
        }
        Ok(read)
    }

    /// The column of a mention that is one of the table the result is about.
    pub fn own_column(&self, mention: &Mention) -> Option<ColumnId> {
        column_of(&Dimension::Thing(mention.clone())).filter(|column| column.table == self.about.table)
    }
}

const AGGREGATES: [(&str, Aggregate); 18] = [
    ("average", Aggregate::Average),
    ("mean", Aggregate::Average),
    ("median", Aggregate::Median),
    ("minimum", Aggregate::Minimum),
    ("min", Aggregate::Minimum),
    ("smallest", Aggregate::Minimum),
    ("lowest", Aggregate::Minimum),
    ("least", Aggregate::Minimum),
    ("fewest", Aggregate::Minimum),
    ("most", Aggregate::Maximum),
    ("maximum", Aggregate::Maximum),
    ("max", Aggregate::Maximum),
    ("largest", Aggregate::Maximum),
    ("highest", Aggregate::Maximum),
    ("biggest", Aggregate::Maximum),
    ("greatest", Aggregate::Maximum),
    ("total", Aggregate::Sum),
    ("sum", Aggregate::Sum),
];

/// The ways of gathering that are named, in their order.
fn aggregates(words: &[String]) -> Vec<Aggregate> {
    let of = |word: &String| AGGREGATES.iter().find(|(said, _)| said == word).map(|(_, aggregate)| *aggregate);
    let mut named: Vec<Aggregate> = words.iter().filter_map(of).collect();
    named.dedup();
    named
}

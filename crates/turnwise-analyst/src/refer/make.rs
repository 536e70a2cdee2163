//! Makes the form of a follow-up about the rows of the last result. Where its tests say which rows those are, they are
//! kept; where an end or a group decided, the rows that were found are named. Next: `columns` for what is shown.

use turnwise_core::Task;

use super::super::catalogue::{Catalogue, Display};
use super::super::draft;
use super::super::form::{Aggregate, Analysis, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, Thing};
use super::super::read::{self, Read};
use super::super::refine::{self, Limits};
use super::about::{About, column_of, measured};
use super::said::Said;

pub const SILENT: [&str; 33] = [
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
        if let Some(made) = self.places()? {
            return Ok(Some(made));
        }
        if let Some(made) = self.other_end()? {
            return Ok(Some(made));
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
        if self.said.of.is_none() {
            return Ok(None);
        }
        match self.is_narrowed_groups() {
            true if self.whole_list() => Ok(None),
            true => self.narrowed().map(Some),
            false => self.asked().map(Some),
        }
    }

    pub fn says(&self, list: &[&str]) -> bool {
        self.said.words.iter().any(|word| list.contains(&word.as_str()))
    }

    /// Whether there are only silent words, what the result is about, and those of `lists`.
    pub fn only(&self, lists: &[&[&str]]) -> bool {
        let own = |word: &str| self.is_noun(word);
        let known = |word: &str| SILENT.contains(&word) || lists.iter().any(|list| list.contains(&word)) || own(word);
        !self.said.words.is_empty() && self.said.words.iter().all(|word| known(word))
    }

    pub fn is_noun(&self, word: &str) -> bool {
        self.about.plural.split(' ').chain(self.about.noun.split(' ')).any(|own| own.eq_ignore_ascii_case(word))
    }

    fn is_count(&self) -> bool {
        let words: Vec<&str> = self.said.words.iter().map(String::as_str).collect();
        let asks = matches!(words.as_slice(), ["how", "many", ..] | ["count", ..])
            || (self.said.of.is_some() && self.says(&["count"]));
        let spoken = self.said.of.is_some() || !words.iter().any(|word| self.is_noun(word));
        asks && spoken && self.only(&[&COUNTED]) && !self.said.each && words.len() > 1
    }

    /// "Only those over 7" of numbers by group tests the numbers, which `refine` does.
    fn is_narrowed_groups(&self) -> bool {
        let narrows = self.said.just || self.said.words.first().is_some_and(|word| self.is_noun(word));
        !self.form.measures.is_empty() && !self.form.dimensions.is_empty() && narrows
    }

    /// "Only those in France" of the first ten: of these ten, and not the first ten in France.
    fn narrowed(&self) -> Result<QueryForm, String> {
        let mut whole = self.bare();
        if let Some(ranking) = whole.ranking.as_mut() {
            ranking.limit = None;
        }
        let made = refine::change(self.catalogue, &whole, &format!("only {}", self.said.text))?;
        self.kept(made, false).map(|made| self.noted(made))
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
        (made.ranking, made.analysis) = (None, Analysis::Plain);
        let of = match (self.about.column, self.form.shown.as_slice()) {
            (Some(column), _) => {
                Measure::new(Aggregate::CountDistinct, Mention::of(self.about.noun.clone(), Thing::Column(column)))
            }
            (None, [only]) if self.form.different => Measure::new(Aggregate::CountDistinct, only.clone()),
            (None, _) if self.form.different => {
                return Err(format!(
                    "Rows that look the same were shown once: say what to count of the {}.",
                    self.about.plural
                ));
            }
            (None, _) => Measure::new(Aggregate::Count, self.about.mention()),
        };
        unshow(&mut made);
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
        if !made.shown.is_empty() && !made.different {
            made.different = true;
            return Ok(self.noted(made));
        }
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
        // What is counted is no group of its own: each would be counted once.
        let is_counted = |dimension: &Dimension| {
            let own = column_of(dimension).map(|column| column.table) == counted;
            counted != Some(self.about.table) && own
        };
        made.dimensions = match (self.form.dimensions.is_empty(), counted == Some(self.about.table)) {
            (false, _) => self.form.dimensions.clone(),
            // What counts the rows themselves is wanted by what was shown of them.
            (true, true) if !shown.is_empty() => shown,
            (true, false) if !shown.is_empty() && entry.display == Display::Nothing => shown,
            (true, true) => return Ok(None),
            (true, false) => std::iter::once(Dimension::Thing(self.about.mention())).chain(shown).collect(),
        };
        made.dimensions.retain(|dimension| !is_counted(dimension));
        self.kept(made, false).map(|made| Some(self.noted(made)))
    }

    /// A question of its own about them.
    pub fn asked(&self) -> Result<QueryForm, String> {
        let read = self.whole(&self.spoken())?;
        let lists = |form: &QueryForm| form.measures.is_empty() && form.conditions.is_empty();
        let other = About::of(self.catalogue, &read.form);
        let same = other.as_ref().is_some_and(|other| other.table == self.about.table);
        let rows_of_values = self.about.column.is_some() && other.is_some_and(|other| other.is_rows());
        // What only narrows a list leaves it as it was shown.
        if lists(self.form) && lists(&read.form) && same && read.form.ranking.is_none() && self.whole_list() {
            let mut made = self.bare();
            let fresh = read.form.filters.into_iter().filter(|filter| !self.form.filters.contains(filter));
            let fresh: Vec<Filter> = fresh.collect();
            if rows_of_values && fresh.is_empty() && read.form.periods.is_empty() {
                return Err(self.unclear());
            }
            if fresh.is_empty() && read.form.periods.is_empty() && read.form.attributes.is_empty() {
                return Err(format!("What is asked of the {}? Name it.", self.about.plural));
            }
            for wanted in fresh {
                made.notes.extend(refine::put(&mut made.filters, wanted, Limits::Narrowed));
            }
            if !read.form.periods.is_empty() {
                made.periods = read.form.periods;
            }
            self.add_shown(&mut made, &read.form.attributes);
            if is_same(self.form, &made) {
                return Err(self.unclear());
            }
            made.notes.extend(read.form.notes);
            made.context.extend(read.form.context);
            return Ok(self.noted(made));
        }
        if (same && asks_nothing(&read.form)) || self.counts_unsaid(&read.form) {
            return Err(self.unclear());
        }
        let which = self.said.words.first().is_some_and(|word| word == "which") && lists(&read.form);
        let noun = self.said.words.get(1).is_some_and(|word| self.is_noun(word));
        // "Which regions …" that was read as a list of something else was not understood.
        // "Those products" of a number of products by category are the ones counted there.
        let counted = lists(&read.form)
            && measured(self.catalogue, self.form).is_some_and(|counted| {
                About::of(self.catalogue, &read.form).is_some_and(|other| other.is_rows() && other.table == counted)
            });
        if !(counted || self.speaks_of_them(&read.form)) || (which && noun && !same) {
            return Err(self.unclear());
        }
        self.kept(read.form, false).map(|made| self.noted(made))
    }

    /// The words with what is counted or chosen, where only the verb follows: "how many have a dog?".
    fn spoken(&self) -> String {
        let words: Vec<&str> = self.said.words.iter().map(String::as_str).collect();
        let verbs = [
            "have", "has", "had", "are", "is", "were", "was", "do", "did", "cost", "live", "come", "per", "in", "from",
            "with", "at", "for", "on", "to", "by",
        ];
        let after = match words.as_slice() {
            ["how", "many", verb, ..] if verbs.contains(verb) => "many ",
            ["which", verb @ ("have" | "has" | "had" | "do" | "did" | "does"), ..] if verbs.contains(verb) => "which ",
            _ => return self.said.text.clone(),
        };
        let at = self.said.text.to_lowercase().find(after).map_or(0, |at| at + after.len());
        let (before, rest) = self.said.text.split_at(at);
        format!("{before}{} {rest}", self.about.plural)
    }

    /// Whether a number of rows by group is read from words that ask for none: "their phone numbers".
    fn counts_unsaid(&self, form: &QueryForm) -> bool {
        let counts = |measure: &Measure| matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct);
        let counted = !form.measures.is_empty() && form.measures.iter().all(counts) && !form.dimensions.is_empty();
        let numbers = self.says(&["numbers"]) && !self.says(&["number", "many", "count", "counts"]);
        counted && numbers
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
        if !made.shown.is_empty() {
            let fresh = mentions.iter().filter(|mention| !made.shown.contains(mention)).cloned();
            let fresh: Vec<Mention> = fresh.collect();
            made.shown.extend(fresh);
            return;
        }
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

/// Whether a form lists rows and says nothing of them.
fn asks_nothing(form: &QueryForm) -> bool {
    let untested = form.filters.is_empty() && form.periods.is_empty() && form.conditions.is_empty();
    let unshown = form.attributes.is_empty() && form.shown.is_empty() && form.dimensions.is_empty() && !form.whole;
    form.measures.is_empty() && untested && unshown && form.ranking.is_none()
}

/// Whether two forms ask for the same: what was said behind the first was not understood.
fn is_same(one: &QueryForm, other: &QueryForm) -> bool {
    let bare = |form: &QueryForm| QueryForm {
        notes: Vec::new(),
        context: Vec::new(),
        applied: Vec::new(),
        look: None,
        drawn: false,
        by_name: None,
        claim: None,
        ..form.clone()
    };
    bare(one) == bare(other)
}

/// Leaves no column of rows to show.
pub fn unshow(form: &mut QueryForm) {
    (form.attributes, form.shown) = (Vec::new(), Vec::new());
    (form.whole, form.different) = (false, false);
}

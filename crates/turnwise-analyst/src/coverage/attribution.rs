//! Whether a plan says a word back: it is part of what the question was understood as, of the names the queries read,
//! of the values they look for or of what the steps are called, by the word itself or one that stands for it. A
//! function word is attributed to the part of the question that it makes. Next: `content`.

use std::collections::BTreeSet;

use serde_json::Value;
use turnwise_core::PlanDraft;

use super::super::asked::is_article;
use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Analysis, Candidate, Dimension, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Order, Role, lexicon};
use super::super::period::Grain;
use super::super::words;
use super::content::Token;
use super::misread;

/// Fit from which a name of the data is meant by a word.
const NAMED_MIN: u32 = 80;
/// Letters that a participle has more than.
const PARTICIPLE_MIN: usize = 4;
/// Parts of a form that were not understood from words, or only decide between readings.
const NOT_SAID: [&str; 8] = ["notes", "applied", "answers", "catalogue", "meanings", "stated", "writes", "context"];

/// What a plan says back.
pub struct Attribution<'a> {
    catalogue: &'a Catalogue,
    form: &'a QueryForm,
    /// Whether the words change a question.
    changes: bool,
    /// Words of the form, of the steps, and of the values looked for.
    stems: BTreeSet<String>,
    /// Tables and columns of the queries, in small letters.
    read: BTreeSet<String>,
    /// The tables whose rows the queries go through.
    rows: BTreeSet<TableId>,
    /// Whether the queries read rows of sales.
    sales: bool,
    /// Whether the queries tell rows that are equal only once, or count rows of one table.
    once: bool,
}

impl<'a> Attribution<'a> {
    /// What `plan` says back.
    pub fn of(catalogue: &'a Catalogue, form: &'a QueryForm, plan: &PlanDraft, changes: bool) -> Self {
        let mut own = Self {
            catalogue,
            form,
            changes,
            stems: BTreeSet::new(),
            read: BTreeSet::new(),
            rows: BTreeSet::new(),
            sales: false,
            once: form.different,
        };
        if let Ok(form) = serde_json::to_value(form) {
            own.gather(&form);
        }
        for step in &plan.steps {
            let argument = |name: &str| step.arguments.get(name).map_or("", String::as_str);
            own.say(&step.description);
            own.say(argument("parameters"));
            own.say(argument("calculation"));
            let sql = argument("sql");
            let names = quoted(sql);
            own.once |=
                sql.contains("DISTINCT") || sql.contains("GROUP BY") || !(sql.is_empty() || sql.contains("JOIN"));
            own.sales |= names.iter().any(|name| words::split_name(name).iter().any(|stem| lexicon().is_trade(stem)));
            names.iter().for_each(|name| own.say_name(name));
            let from =
                |name: &str| sql.contains(&format!("FROM \"{name}\"")) || sql.contains(&format!("FROM `{name}`"));
            own.rows.extend(catalogue.tables().filter(|(_, entry)| from(&entry.name)).map(|(table, _)| table));
            own.read.extend(names.iter().map(|name| name.to_lowercase()));
        }
        let context: Vec<&Mention> = form.context.iter().filter(|mention| own.reads_any(&mention.candidates)).collect();
        for mention in context {
            own.say(&mention.words);
        }
        own
    }

    fn gather(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.say(text),
            Value::Number(number) => self.say(&number.to_string()),
            Value::Array(all) => all.iter().for_each(|one| self.gather(one)),
            Value::Object(all) => {
                all.iter().filter(|(key, _)| !NOT_SAID.contains(&key.as_str())).for_each(|(_, one)| self.gather(one));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn say(&mut self, text: &str) {
        for word in words::split(&text.replace('_', " ")) {
            self.stems.insert(lexicon().canonical(&word.stem).to_owned());
            self.stems.insert(word.stem);
        }
    }

    fn say_name(&mut self, name: &str) {
        for stem in words::split_name(name) {
            self.stems.insert(lexicon().canonical(&stem).to_owned());
            self.stems.insert(stem);
        }
    }

    fn reads_any(&self, names: &[Candidate]) -> bool {
        let named = |candidate: &&Candidate| candidate.score >= NAMED_MIN;
        names.iter().filter(named).any(|candidate| match candidate.thing {
            Thing::Table(table) => self.read.contains(&self.catalogue.table(table).name.to_lowercase()),
            Thing::Column(column) => {
                self.read.contains(&self.catalogue.column(column).name.to_lowercase())
                    && self.read.contains(&self.catalogue.table(column.table).name.to_lowercase())
            }
            Thing::Concept(_) => false,
        })
    }

    /// Which content words the plan says back.
    pub fn said(&self, tokens: &[Token]) -> Vec<bool> {
        tokens.iter().map(|token| token.content && self.says(token)).collect()
    }

    /// Whether a word goes with others that are used: as a part of their phrase, as the verb between them, as what
    /// every row that is read has one of, or as a word that may stand anywhere.
    pub fn goes_with(&self, tokens: &[Token], used: &[bool], at: usize) -> bool {
        let token = &tokens[at];
        let phrase = |other: &usize| tokens[*other].phrase > 1 && tokens[*other].span == token.span;
        if token.phrase > 1 && (0..tokens.len()).any(|other| other != at && used[other] && phrase(&other)) {
            return true;
        }
        let from = tokens[..at].iter().rposition(|before| before.pause).map_or(0, |pause| pause + 1);
        let to = tokens[at..].iter().position(|token| token.pause).map_or(tokens.len(), |pause| at + pause + 1);
        let named = |at: &usize| used[*at] && tokens[*at].names();
        // "Stopped buying" is another thing than buying, and needs more than that.
        let is_between = token.verb && !token.before_verb && !is_attribute(tokens, at);
        if is_between && !matches!(token.role(), Some(Role::Sold | Role::Bought)) {
            let first = (from..to).find(named).map(|first| &tokens[first].span);
            if first.is_some_and(|first| (from..to).filter(named).any(|other| tokens[other].span != *first)) {
                return true;
            }
        }
        let next = (at + 1..to).find(|next| tokens[*next].content);
        let is_passed_over = token.is_tolerated() && !token.telling && !is_attribute(tokens, at);
        if is_passed_over && next.is_some_and(|next| used[next]) {
            return true;
        }
        let table = |at: usize| tokens[at].table();
        match token.role() {
            // "The average fine per loan", where each row is a loan.
            Some(Role::Each) => next.and_then(table).is_some_and(|table| self.rows.contains(&table)),
            // "Who borrowed the most books": each loan is of a book.
            None => {
                let behind = (from..at).any(|before| tokens[before].verb);
                behind && table(at).is_some_and(|table| self.rows.iter().any(|rows| self.has_one(*rows, table)))
            }
            Some(role) => misread::end(role).is_some_and(|end| {
                // "The top 3 most borrowed": the same end twice.
                let words = |at: &usize| tokens[*at].content && !tokens[*at].is_number();
                let beside = [(from..at).rev().find(words), (at + 1..to).find(words)];
                let same = |other: usize| used[other] && tokens[other].role().and_then(misread::end) == Some(end);
                beside.into_iter().flatten().any(same)
            }),
        }
    }

    /// Whether different rows, or the values of a column alone, are shown.
    fn shows_each_once(&self) -> bool {
        let form = self.form;
        form.different || (form.measures.is_empty() && form.subject.is_none() && !form.dimensions.is_empty())
    }

    fn has_one(&self, rows: TableId, of: TableId) -> bool {
        rows != of && !self.catalogue.paths(rows, of).is_empty()
    }

    fn says(&self, token: &Token) -> bool {
        match token.role() {
            // "Without the duplicates" shows each once, and nothing else can be said so.
            Some(Role::Not | Role::Without) => return self.changes && self.shows_each_once(),
            Some(role) if !token.is_tolerated() && self.makes(role, token) => return true,
            Some(_) | None => {}
        }
        if token.own_role().is_some_and(|role| role != Role::Ignore && self.makes(role, token)) {
            return true;
        }
        // Those that tell one row from another are attributed by what they make, and not by a name they are part of.
        if token.telling {
            return false;
        }
        let unit = || token.span.as_ref().is_some_and(|span| span.unit.is_some());
        let named = || token.span.as_ref().is_some_and(|span| self.reads_any(&span.names));
        self.stems.contains(&token.stem)
            || self.stems.contains(&token.folded)
            || self.stems.contains(lexicon().canonical(&token.stem))
            || named()
            || unit()
    }

    fn gathers(&self, wanted: &[&str]) -> bool {
        wanted.iter().any(|one| self.stems.contains(*one))
    }

    /// Whether the question has the part that a function word makes.
    fn makes(&self, role: Role, token: &Token) -> bool {
        let form = self.form;
        let is = |wanted: Analysis| form.analysis == wanted;
        let ranked = |order: Order| {
            form.ranking.as_ref().is_some_and(|ranking| ranking.order == order) || form.by_name == Some(order)
        };
        let timed = || form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
        match role {
            Role::Sum => self.gathers(&["sum", "count", "each", "total"]),
            Role::Count => self.gathers(&["count", "number"]) || form.count_groups,
            Role::Average => self.gathers(&["average"]),
            Role::Median => self.gathers(&["median"]),
            // Rows of a table are different anyway, and so are groups: it says no more of a name it stands before.
            Role::Distinct => {
                let counted = form.measures.iter().any(|measure| measure.aggregate == Aggregate::CountDistinct);
                counted || (self.once && token.before_name)
            }
            // "Bought every genre" is no group, and "only bought jazz" says that there was no other deed.
            Role::Each => !token.after_verb && (!form.dimensions.is_empty() || form.of_each || form.subject.is_some()),
            Role::Only => self.changes || !token.before_verb,
            Role::Also | Role::Instead | Role::InsteadOf | Role::Remove | Role::FilterWord | Role::StepWord => {
                self.changes
            }
            Role::ChartLine
            | Role::ChartBars
            | Role::ChartTable
            | Role::ChartStacked
            | Role::ChartScatter
            | Role::Chart => form.look.is_some() || form.drawn,
            Role::Sorted | Role::Alphabetical | Role::AlphabeticalReverse => {
                form.ranking.is_some() || form.by_name.is_some()
            }
            Role::Descending => ranked(Order::Descending),
            Role::Ascending => ranked(Order::Ascending) || (timed() && form.ranking.is_none()),
            Role::Sold | Role::Bought | Role::Spent => self.sales,
            Role::Compare | Role::Versus => is(Analysis::Compare) || form.claim.is_some(),
            Role::Share => is(Analysis::Share) || self.gathers(&["share"]),
            Role::Trend => is(Analysis::Trend) || timed(),
            Role::Growth => is(Analysis::Growth),
            Role::Forecast => matches!(form.analysis, Analysis::Forecast(_)),
            Role::Outlier => is(Analysis::Outliers),
            Role::Cumulative => is(Analysis::Cumulative),
            Role::Correlation => self.gathers(&["correlation"]),
            Role::Ratio | Role::Divided => is(Analysis::Ratio),
            other => Grain::of(other).is_some_and(|grain| form.dimensions.contains(&Dimension::Time(grain))),
        }
    }
}

/// Whether a word stands before a name as what tells some of them from others: "how many *living* artists", "the
/// *registered* ones".
fn is_attribute(tokens: &[Token], at: usize) -> bool {
    let (token, next) = (&tokens[at], tokens.get(at + 1));
    let is_participle =
        token.folded.len() > PARTICIPLE_MIN && ["ing", "ed"].iter().any(|end| token.folded.ends_with(end));
    let opens = |before: &Token| {
        matches!(before.role(), Some(Role::Count | Role::Sum | Role::Average | Role::Each | Role::Command))
            || is_article(&before.folded)
            || before.is_number()
            || before.superlative().is_some()
    };
    let begins = at == 0 || (!tokens[at - 1].pause && opens(&tokens[at - 1]));
    is_participle && begins && !token.pause && next.is_some_and(Token::names)
}

/// What stands in quotation marks in a statement: the names of tables and columns.
fn quoted(sql: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = sql;
    while let Some(from) = rest.find(['"', '`']) {
        let mark = &rest[from..=from];
        let Some(length) = rest[from + 1..].find(mark) else { break };
        names.push(rest[from + 1..from + 1 + length].to_owned());
        rest = &rest[from + 2 + length..];
    }
    names
}

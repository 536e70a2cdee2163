//! A question out of what the pieces do. What is missing is filled in where only one thing can be meant, at a price;
//! where something that was said finds no place, there is no question. Next: `super::super::question`.

use super::ground::{Ground, Grounded};
use super::pieces::{Asks, Message, Place};
use super::search::{Part, Way};
use super::sure::{is_guessed, nearness};
use super::units::{grains, is_in};
use super::uses::Use;
use crate::catalogue::{Amount, Catalogue, Display};
use crate::form::{ColumnId, TableId, Thing};
use crate::lexicon::Concept;
use crate::linking::Kind;
use crate::period::{Grain, Period};
use crate::question::{
    Each, Group, GroupTest, How, Is, Listed, Name, Number, Question, Related, Said, Test, What, Words,
};

/// What it costs to take something that was not said.
const UNSAID: f64 = 2.0;
/// What it costs that rows are listed where nothing asked for them.
pub const UNASKED: f64 = 0.7;
/// What it costs that rows are counted where groups were asked for and no number.
const COUNTED: f64 = 2.5;
/// What it costs that nobody but people can be meant by "who", where they were not named.
pub const WHO: f64 = 0.4;
/// What it costs that each row is a group of its own.
const OWN_ROWS: f64 = 4.0;
/// What it costs to add up over the values of a column what the rows that have them could be ordered by.
pub const ADDED_UP: f64 = 1.2;

/// A question with what only the form can say.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub question: Question,
    pub periods: Vec<Period>,
    pub grains: Vec<Grain>,
    /// The date that the times are of, where it was said.
    pub date: Option<ColumnId>,
    pub cost: f64,
    /// Of the words that name nothing and do not only say of what kind something is: how near the farthest is to what
    /// it stands for; 0 where one has no part.
    pub near: f64,
    /// Whether nothing says how a number is gathered.
    pub guessed: bool,
}

/// The question that a way makes.
pub fn reading(catalogue: &Catalogue, message: &Message, way: &Way) -> Option<Reading> {
    // Times that are not each of a date of their own are put side by side.
    let dated = way.parts.iter().filter(|part| part.does == Use::Date).count();
    if (message.periods.len() > 1 && !message.compared) || dated > 1 {
        return None;
    }
    let grains = grains(catalogue, message, way)?;
    if !message.in_units.iter().all(|unit| is_in(catalogue, way, unit)) {
        return None;
    }
    let mut builder = Builder {
        catalogue,
        message,
        way,
        question: Question::default(),
        cost: way.cost + message.passed,
        timed: !grains.is_empty(),
    };
    builder.tests()?;
    match message.asks {
        Asks::Share => builder.share()?,
        Asks::Rows | Asks::Count | Asks::Number if message.ranked.is_some() => builder.ranked()?,
        Asks::Count => builder.count()?,
        Asks::Number => builder.number()?,
        Asks::Rows => builder.rows()?,
    }
    builder.sides();
    // Of when nothing happened is another question than of when something did.
    if !builder.question.related.is_empty() && !message.periods.is_empty() {
        return None;
    }
    // Rows that have none of themselves are nobody.
    let asked = builder.question.list.iter().map(|listed| &listed.of);
    let asked = asked.chain(builder.question.measures.iter().map(|number| &number.of));
    if builder.question.related.iter().any(|lacks| asked.clone().any(|asked| *asked == lacks.table)) {
        return None;
    }
    if builder.says_back() {
        return None;
    }
    let Builder { question, cost, .. } = builder;
    let date = way.parts.iter().find_map(|part| match (&part.ground, part.does) {
        (Some(Grounded { ground: Ground::Column(column), .. }), Use::Date) => Some(*column),
        _ => None,
    });
    let (near, guessed) = (nearness(message, way), is_guessed(message, way));
    Some(Reading { question, periods: message.periods.clone(), grains, date, cost, near, guessed })
}

/// The tests, where they can all hold: values of one column stand beside each other ("stale or burnt"), and what is so
/// and is not so is everything, so that something else was meant.
fn joined(tests: Vec<Test>) -> Option<Vec<Test>> {
    let is_flag = |test: &&Test| matches!(test.values.as_slice(), [value] if matches!(value.0.as_str(), "yes" | "no"));
    let flags: Vec<&Test> = tests.iter().filter(is_flag).collect();
    let other = |one: &Test, other: &Test| one.column == other.column && one.values != other.values;
    if flags.iter().any(|one| flags.iter().any(|two| other(one, two))) {
        return None;
    }
    let mut all: Vec<Test> = Vec::new();
    for test in tests {
        let same = |other: &&mut Test| other.column == test.column && other.is == test.is && test.is == Is::Equal;
        match all.iter_mut().find(same) {
            Some(other) => {
                let new = test.values.into_iter().filter(|value| !other.values.contains(value));
                let new: Vec<Said> = new.collect();
                other.values.extend(new);
                other.as_said = Words(format!("{} {}", other.as_said.0, test.as_said.0));
            }
            None => all.push(test),
        }
    }
    Some(all)
}

/// A question on its way.
pub struct Builder<'a> {
    pub catalogue: &'a Catalogue,
    pub message: &'a Message,
    pub way: &'a Way,
    pub question: Question,
    pub cost: f64,
    /// Whether rows are grouped by a length of time.
    timed: bool,
}

impl Builder<'_> {
    /// The parts that do what is wanted.
    pub fn doing(&self, wanted: impl Fn(Use) -> bool) -> Vec<Part> {
        self.way.parts.iter().filter(|part| wanted(part.does)).cloned().collect()
    }

    pub fn words(&self, at: usize) -> Words {
        Words(self.message.pieces.get(at).map(|piece| piece.span.text.clone()).unwrap_or_default())
    }

    pub fn table_name(&self, table: TableId) -> Name {
        Name(self.catalogue.table(table).name.clone())
    }

    fn column_name(&self, column: ColumnId) -> Name {
        Name(self.catalogue.column_label(column))
    }

    pub fn name(&self, ground: &Ground) -> Option<Name> {
        Some(match ground {
            Ground::Table(table) | Ground::Value(Thing::Table(table), _) => self.table_name(*table),
            Ground::Column(column) | Ground::Value(Thing::Column(column), _) => self.column_name(*column),
            Ground::Value(Thing::Concept(_), _) => return None,
        })
    }

    /// The tests that parts make.
    fn tests(&mut self) -> Option<()> {
        let mut held = vec![false; self.message.bounds.len()];
        let mut tests: Vec<Test> = Vec::new();
        for part in &self.way.parts {
            let Some(grounded) = &part.ground else { continue };
            match part.does {
                Use::Keep | Use::Deny | Use::Have => {
                    if let Some(lacks) = self.lacks(part, grounded) {
                        self.question.related.push(lacks);
                        continue;
                    }
                    // What was never written in any of their rows is another question than what is not in one.
                    let spoken = self.rows_spoken_of().map(|(_, table)| table);
                    if part.does == Use::Deny && grounded.ground.table() != spoken && grounded.kind != Kind::Value {
                        return None;
                    }
                    tests.push(self.test(part, grounded)?);
                }
                Use::Hold(bound) => {
                    *held.get_mut(bound)? = true;
                    tests.push(self.held(part, grounded, bound)?);
                }
                Use::HoldCount(bound) => {
                    *held.get_mut(bound)? = true;
                    let own = self.message.bounds.get(bound)?;
                    self.question.having.push(GroupTest {
                        as_said: Words(format!("{} {}", own.words, self.words(part.at).0)),
                        how: How::Count,
                        is: own.is,
                        of: self.name(&grounded.ground)?,
                        value: Said(own.value.to_string()),
                    });
                }
                _ => {}
            }
        }
        if held.iter().any(|held| !held) {
            return None;
        }
        self.question.filters = joined(tests)?;
        Some(())
    }

    /// What is denied as a whole: rows of another table.
    fn lacks(&self, part: &Part, grounded: &Grounded) -> Option<Related> {
        match (part.does, &grounded.ground) {
            // Of rows of another table it is denied that there is one.
            (Use::Deny, Ground::Value(..)) => {
                let table = grounded.ground.table()?;
                let (_, spoken) = self.rows_spoken_of()?;
                let below = table != spoken && self.catalogue.paths(spoken, table).is_empty();
                let test = Test { is: Is::Equal, ..self.test(part, grounded)? };
                below.then(|| Related {
                    as_said: self.words(part.at),
                    filters: vec![test],
                    has: false,
                    table: self.table_name(table),
                })
            }
            (Use::Deny, Ground::Table(table)) => Some(Related {
                as_said: self.words(part.at),
                filters: Vec::new(),
                has: false,
                table: self.table_name(*table),
            }),
            _ => None,
        }
    }

    fn test(&self, part: &Part, grounded: &Grounded) -> Option<Test> {
        let piece = self.message.pieces.get(part.at)?;
        let denied = (part.does == Use::Deny) != (piece.span.negates && part.does != Use::Deny);
        let yes = |yes: bool| vec![Said(if yes { "yes" } else { "no" }.to_owned())];
        let (is, values) = match (&grounded.ground, grounded.kind) {
            (Ground::Value(_, values), _) => {
                (if denied { Is::NotEqual } else { Is::Equal }, values.iter().cloned().map(Said).collect())
            }
            (Ground::Column(_), Kind::Flag) => (Is::Equal, yes(!denied)),
            (Ground::Column(_), _) => (if denied { Is::Missing } else { Is::Present }, Vec::new()),
            (Ground::Table(_), _) => return None,
        };
        Some(Test { as_said: self.words(part.at), column: self.name(&grounded.ground)?, is, values })
    }

    fn held(&self, part: &Part, grounded: &Grounded, bound: usize) -> Option<Test> {
        let own = self.message.bounds.get(bound)?;
        let words = self.words(part.at).0;
        let words = if own.words.contains(&words) { own.words.clone() } else { format!("{} {words}", own.words) };
        Some(Test {
            as_said: Words(words),
            column: self.name(&grounded.ground)?,
            is: own.is,
            values: vec![Said(own.value.to_string())],
        })
    }

    /// The groups that are asked for.
    pub fn groups(&mut self) -> Option<()> {
        for part in self.doing(|does| does == Use::Group) {
            let ground = &part.ground.as_ref()?.ground;
            let by = self.name(ground)?;
            if self.is_own_rows(ground) && self.doing(|does| does == Use::Divide).is_empty() {
                self.cost += OWN_ROWS;
            }
            self.question.groups.push(Group { as_said: self.words(part.at), by, each: Each::Value });
        }
        Some(())
    }

    /// A number of each row by itself is none that is gathered.
    fn is_own_rows(&self, ground: &Ground) -> bool {
        let Ground::Table(table) = ground else { return false };
        let gathered = self.doing(|does| matches!(does, Use::Gather(_)));
        gathered.iter().any(|own| own.ground.as_ref().and_then(|own| own.ground.table()) == Some(*table))
    }

    /// The rows that everything is said of: those counted or listed, else those of the tests.
    pub fn rows_spoken_of(&self) -> Option<(usize, TableId)> {
        let of = |wanted: &dyn Fn(&Part) -> bool| {
            self.way.parts.iter().filter(|part| wanted(part)).find_map(|part| {
                let ground = &part.ground.as_ref()?.ground;
                Some((part.at, ground.table()?))
            })
        };
        let is_table = |part: &Part| part.ground.as_ref().is_some_and(|own| own.kind == Kind::Table);
        of(&|part| part.does == Use::Count && is_table(part))
            .or_else(|| of(&|part| part.does == Use::List && is_table(part)))
            .or_else(|| of(&|part| part.does == Use::Beside && is_table(part)))
            .or_else(|| of(&|part| matches!(part.does, Use::Keep | Use::Have | Use::Hold(_))))
            .or_else(|| of(&|part| !matches!(part.does, Use::Idle | Use::Deny)))
    }

    fn count(&mut self) -> Option<()> {
        self.groups()?;
        let counted: Vec<Part> = self.doing(|does| does == Use::Count);
        let gathered = self.gathered()?;
        let measure = match counted.as_slice() {
            [] if gathered > 0 => return self.nothing_listed(),
            [] => {
                let (at, table) = self.rows_spoken_of()?;
                Number { as_said: self.words(at), how: How::Count, of: self.table_name(table), only: Vec::new() }
            }
            [part, rest @ ..] => {
                let of = self.name(&part.ground.as_ref()?.ground)?;
                let is_table = part.ground.as_ref()?.kind == Kind::Table;
                self.cost += 2.0 * rest.len() as f64;
                let how = if is_table { How::Count } else { How::CountDifferent };
                Number { as_said: self.words(part.at), how, of, only: Vec::new() }
            }
        };
        self.question.measures.insert(0, measure);
        self.nothing_listed()
    }

    /// What is listed beside a number groups it.
    fn nothing_listed(&mut self) -> Option<()> {
        for part in self.doing(|does| does == Use::List) {
            let ground = &part.ground.as_ref()?.ground;
            let by = self.name(ground)?;
            let is_number = part.ground.as_ref().is_some_and(|own| own.kind == Kind::Number);
            self.cost += if is_number || self.is_own_rows(ground) { OWN_ROWS } else { UNASKED };
            self.question.groups.push(Group { as_said: self.words(part.at), by, each: Each::Value });
        }
        Some(())
    }

    fn gathered(&mut self) -> Option<usize> {
        let parts: Vec<Part> = self.doing(|does| matches!(does, Use::Gather(_)));
        for part in &parts {
            let Use::Gather(how) = part.does else { continue };
            let of = self.name(&part.ground.as_ref()?.ground)?;
            self.question.measures.push(Number { as_said: self.words(part.at), how, of, only: Vec::new() });
        }
        let divided: Vec<Part> = self.doing(|does| does == Use::Divide);
        for part in &divided {
            let of = self.name(&part.ground.as_ref()?.ground)?;
            self.question.measures.push(Number { as_said: self.words(part.at), how: How::Sum, of, only: Vec::new() });
            self.question.analysis = What::Ratio;
        }
        if !divided.is_empty() && self.question.measures.len() != 2 {
            return None;
        }
        (parts.len() <= 2).then_some(parts.len())
    }

    fn number(&mut self) -> Option<()> {
        self.groups()?;
        if self.gathered()? == 0 {
            let money = self.money()?;
            self.cost += UNSAID;
            let how = self.how();
            self.question.measures.push(Number { as_said: Words::default(), how, of: money, only: Vec::new() });
        }
        self.nothing_listed()
    }

    /// How numbers are gathered where their name was not said.
    fn how(&self) -> How {
        let how = self.message.pieces.iter().find_map(|piece| match piece.place {
            Place::Gathered(how) => Some(how),
            _ => None,
        });
        how.unwrap_or(How::Sum)
    }

    /// The one amount of money of the rows spoken of.
    fn money(&self) -> Option<Name> {
        let sources = self.catalogue.measures(Concept::Money).iter().chain(self.catalogue.measures(Concept::Price));
        let columns = sources.filter_map(|source| match source.amount {
            Amount::Column(column) => Some(column),
            Amount::Product { .. } | Amount::Difference { .. } => None,
        });
        let mut own = columns.filter(|column| self.way.tables.contains(&column.table));
        own.next().map(|column| self.column_name(column))
    }

    fn share(&mut self) -> Option<()> {
        self.groups()?;
        if !self.doing(|does| matches!(does, Use::Gather(_) | Use::List)).is_empty() {
            return None;
        }
        let (at, table) = self.rows_spoken_of()?;
        let said_of = |test: &Test| {
            let part = self.message.pieces.iter().find(|piece| test.as_said.0.contains(&piece.span.text));
            part.is_some_and(|piece| piece.said_of)
        };
        let (mut only, base): (Vec<Test>, Vec<Test>) =
            std::mem::take(&mut self.question.filters).into_iter().partition(said_of);
        let mut base = base;
        if only.is_empty() {
            only.push(base.pop()?);
        }
        self.question.filters = base;
        let of = self.table_name(table);
        self.question.measures.push(Number { as_said: self.words(at), how: How::Share, of, only });
        Some(())
    }

    pub fn list(&mut self, listed: &[Part], subject: &(usize, Ground)) -> Option<()> {
        if listed.is_empty() {
            self.question.list.push(Listed { as_said: Words::default(), of: self.name(&subject.1)? });
        }
        for part in listed {
            let of = self.name(&part.ground.as_ref()?.ground)?;
            self.question.list.push(Listed { as_said: self.words(part.at), of });
        }
        Some(())
    }

    fn rows(&mut self) -> Option<()> {
        self.groups()?;
        let listed: Vec<Part> = self.doing(|does| does == Use::List);
        let gathered = self.gathered()?;
        let timed = self.timed;
        if gathered > 0 {
            return self.nothing_listed();
        }
        if !self.question.groups.is_empty() || timed || self.message.compared {
            let (at, table) = self.rows_spoken_of()?;
            self.cost += if timed { UNASKED } else { COUNTED };
            let of = self.table_name(table);
            self.question.measures.push(Number { as_said: self.words(at), how: How::Count, of, only: Vec::new() });
            return self.nothing_listed();
        }
        if listed.is_empty() {
            let (at, table) = match self.message.who {
                true => (usize::MAX, self.people()?),
                false => self.rows_spoken_of()?,
            };
            self.cost += if self.message.who { WHO } else { UNASKED };
            self.question.list.push(Listed { as_said: self.words(at), of: self.table_name(table) });
            return Some(());
        }
        // A column of rows that are narrowed down is shown of each of them.
        let columns = listed.iter().all(|part| part.ground.as_ref().is_some_and(|own| own.kind != Kind::Table));
        if columns && !self.question.filters.is_empty() {
            let table = listed.first()?.ground.as_ref()?.ground.table()?;
            self.question.list.push(Listed { as_said: Words::default(), of: self.table_name(table) });
        }
        self.list(&listed, &(0, listed.first()?.ground.clone()?.ground))
    }

    /// Whether nothing would be told but the name that was said.
    fn says_back(&self) -> bool {
        let [Listed { of, .. }] = self.question.list.as_slice() else { return false };
        let Some((table, entry)) = self.catalogue.tables().find(|(_, entry)| entry.name == of.0) else { return false };
        let name = match entry.display {
            Display::Column(column) => self.catalogue.column_label(ColumnId { table, column }),
            Display::FullName { .. } | Display::Nothing => entry.name.clone(),
        };
        let said = |test: &Test| test.is == Is::Equal && test.values.len() == 1 && test.column.0 == name;
        self.question.rank.is_empty() && self.question.filters.iter().any(said)
    }

    /// Values that are put side by side are groups.
    fn sides(&mut self) {
        if !self.message.compared {
            return;
        }
        let several = self.question.filters.iter().find(|test| test.values.len() > 1);
        if let Some(test) = several.filter(|_| !self.question.measures.is_empty()) {
            let group = Group { as_said: test.as_said.clone(), by: test.column.clone(), each: Each::Value };
            if !self.question.groups.iter().any(|own| own.by == group.by) {
                self.question.groups.push(group);
            }
        } else {
            self.cost += 3.0;
        }
    }
}

impl Reading {
    /// Whether both ask the same, whatever words they rest on.
    pub fn is_same(&self, other: &Self) -> bool {
        let plain = |reading: &Self| {
            let mut question = reading.question.clone();
            question.forget_words();
            (question, reading.date)
        };
        plain(self) == plain(other)
    }

    /// In a line for people.
    pub fn told(&self) -> String {
        let mut told = self.question.told();
        for grain in &self.grains {
            told += &format!(", by {}", grain.name());
        }
        for period in &self.periods {
            told += &format!(", {}", period.label());
        }
        told
    }
}

//! A question out of what the pieces do. What is missing is filled in where only one thing can be meant, at a price;
//! where something that was said finds no place, there is no question. Next: `super::super::question`.

use std::rc::Rc;

use super::costs::Costs;
use super::ground::{Ground, Grounded};
use super::pieces::{Asks, Message, Place};
use super::search::Way;
use super::sure::{self, Sureness};
use super::units::{grains, is_in, is_money};
use super::uses::{Chance, Use};
use crate::catalogue::{Catalogue, Display};
use crate::form::{ColumnId, TableId, Thing};
use crate::linking::Kind;
use crate::period::{Grain, Period};
use crate::question::{
    Each, Group, GroupTest, How, Is, Listed, Name, Number, Question, Related, Said, Test, What, Words,
};

/// A question with what only the form can say.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub question: Question,
    pub periods: Vec<Period>,
    pub grains: Vec<Grain>,
    /// The date that the times are of, where it was said.
    pub date: Option<ColumnId>,
    /// What it costs, and why.
    pub costs: Costs,
    /// How it stands to the words of the message.
    pub sureness: Sureness,
}

/// The question that a way makes.
pub fn reading(catalogue: &Catalogue, message: &Message, way: &Way) -> Option<Reading> {
    // Times that are not each of a date of their own are put side by side.
    let dated = way.parts.iter().filter(|part| part.does == Use::Date).count();
    if (message.periods.len() > 1 && !message.compared) || dated > 1 {
        return None;
    }
    let grains = grains(catalogue, message, way)?;
    if !message.in_units.iter().all(|unit| is_money(unit) || is_in(catalogue, way, unit)) {
        return None;
    }
    let mut costs = way.costs();
    costs.add("small word", message.small);
    costs.add("when", message.when);
    costs.add("nothing sought", f64::from(u8::from(message.open)));
    let mut builder =
        Builder { catalogue, message, way, question: Question::default(), costs, timed: !grains.is_empty() };
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
    let dated = !builder.question.related.is_empty() && !message.periods.is_empty();
    if dated || builder.lacks_itself() || builder.says_back() || builder.says_twice() {
        return None;
    }
    builder.grouped();
    let Builder { question, costs, .. } = builder;
    let date = way.parts.iter().find_map(|part| match (&part.ground, part.does) {
        (Some(Grounded { ground: Ground::Column(column), .. }), Use::Date) => Some(*column),
        _ => None,
    });
    Some(Reading { question, periods: message.periods.clone(), grains, date, costs, sureness: sure::of(message, way) })
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
    pub costs: Costs,
    /// Whether rows are grouped by a length of time.
    pub timed: bool,
}

impl Builder<'_> {
    /// The parts that do what is wanted.
    pub fn doing(&self, wanted: impl Fn(Use) -> bool) -> Vec<Rc<Chance>> {
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
    fn lacks(&self, part: &Chance, grounded: &Grounded) -> Option<Related> {
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

    fn test(&self, part: &Chance, grounded: &Grounded) -> Option<Test> {
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

    fn held(&self, part: &Chance, grounded: &Grounded, bound: usize) -> Option<Test> {
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
                self.costs.add("own rows", 1.0);
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
        let of = |wanted: &dyn Fn(&Chance) -> bool| {
            self.way.parts.iter().filter(|part| wanted(part)).find_map(|part| {
                let ground = &part.ground.as_ref()?.ground;
                Some((part.at, ground.table()?))
            })
        };
        let is_table = |part: &Chance| part.ground.as_ref().is_some_and(|own| own.kind == Kind::Table);
        of(&|part| part.does == Use::Count && is_table(part))
            .or_else(|| of(&|part| part.does == Use::List && is_table(part)))
            .or_else(|| of(&|part| part.does == Use::Beside && is_table(part)))
            .or_else(|| of(&|part| matches!(part.does, Use::Keep | Use::Have | Use::Hold(_))))
            .or_else(|| of(&|part| !matches!(part.does, Use::Idle | Use::Deny)))
    }

    fn count(&mut self) -> Option<()> {
        self.groups()?;
        let counted: Vec<Rc<Chance>> = self.doing(|does| does == Use::Count);
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
                self.costs.add("counted twice", rest.len() as f64);
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
            let own = is_number || self.is_own_rows(ground);
            self.costs.add(if own { "own rows" } else { "unasked rows" }, 1.0);
            if part.ground.as_ref().is_some_and(|own| own.kind == Kind::Flag) {
                self.costs.add("unasked yes or no", 1.0);
            }
            self.question.groups.push(Group { as_said: self.words(part.at), by, each: Each::Value });
        }
        Some(())
    }

    pub fn gathered(&mut self) -> Option<usize> {
        let parts: Vec<Rc<Chance>> = self.doing(|does| matches!(does, Use::Gather(_)));
        for part in &parts {
            let Use::Gather(how) = part.does else { continue };
            let of = self.name(&part.ground.as_ref()?.ground)?;
            self.question.measures.push(Number { as_said: self.words(part.at), how, of, only: Vec::new() });
        }
        let divided: Vec<Rc<Chance>> = self.doing(|does| does == Use::Divide);
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
            return None;
        }
        self.nothing_listed()
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

    pub fn list(&mut self, listed: &[Rc<Chance>], subject: &(usize, Ground)) -> Option<()> {
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
        let listed: Vec<Rc<Chance>> = self.doing(|does| does == Use::List);
        let gathered = self.gathered()?;
        let timed = self.timed;
        if gathered > 0 {
            return self.nothing_listed();
        }
        if !self.question.groups.is_empty() || timed || self.message.compared {
            let (at, table) = self.rows_spoken_of()?;
            self.costs.add(if timed { "unasked rows" } else { "counted groups" }, 1.0);
            let of = self.table_name(table);
            self.question.measures.push(Number { as_said: self.words(at), how: How::Count, of, only: Vec::new() });
            return self.nothing_listed();
        }
        if listed.is_empty() {
            let (at, table) = self.rows_spoken_of()?;
            self.costs.add("unasked rows", 1.0);
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

    /// Rows that have none of themselves are nobody.
    fn lacks_itself(&self) -> bool {
        let listed = self.question.list.iter().map(|listed| &listed.of);
        let mut asked = listed.chain(self.question.measures.iter().map(|number| &number.of));
        asked.any(|asked| self.question.related.iter().any(|lacks| *asked == lacks.table))
    }

    /// Something without a word is taken only where no word says it.
    fn says_twice(&self) -> bool {
        let parts = || self.way.parts.iter();
        let silent = |part: &Chance| self.message.pieces.get(part.at).is_some_and(|piece| piece.silent.is_some());
        let same = |one: &Chance, other: &Chance| match (one.does, other.does) {
            (Use::Gather(_), Use::Gather(_) | Use::Divide | Use::Count | Use::Order) => true,
            (Use::OrderCount, Use::OrderCount | Use::Order | Use::Gather(_) | Use::Count) => true,
            (Use::List, Use::List) => other.ground.as_ref().is_some_and(|own| own.kind == Kind::Table),
            (Use::Deny, Use::Deny) => true,
            _ => false,
        };
        let own = parts().filter(|part| part.does != Use::Idle && silent(part));
        own.into_iter().any(|part| parts().any(|other| other.at != part.at && same(part, other)))
    }

    /// Groups that were asked for and are none.
    fn grouped(&mut self) {
        let asked = self.message.pieces.iter().any(|piece| piece.place == Place::Grouped);
        let done = |does: Use| matches!(does, Use::Group | Use::Divide | Use::Order | Use::OrderCount);
        if asked && !self.way.parts.iter().any(|part| done(part.does)) {
            self.costs.add("no group", 1.0);
        }
    }

    /// Whether nothing would be told but the name that was said, or that there is one of that name.
    fn says_back(&self) -> bool {
        let counted = self.question.measures.iter().filter(|number| number.how == How::Count).map(|number| &number.of);
        let listed = self.question.list.iter().map(|listed| &listed.of);
        let asked: Vec<&Name> = counted.chain(listed).collect();
        let [of] = asked.as_slice() else { return false };
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
            self.costs.add("compared nothing", 1.0);
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

    /// Whether it can be offered for all it leaves out: a verb beside numbers that are added up ("kilometres rowed").
    /// Beside rows it says which are meant ("customers who left").
    pub fn leaves_enough(&self) -> bool {
        let added = |number: &Number| !matches!(number.how, How::Count | How::CountDifferent | How::Share);
        let adds = !self.question.measures.is_empty() && self.question.measures.iter().all(added);
        self.sureness.left_out.is_empty() || (adds && !self.sureness.misses)
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

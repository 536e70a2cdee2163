//! What is not there: rows that nothing refers to, or nothing that passes some tests ("customers who never bought
//! Jazz"). What is missing has to be tested, not what is left: leaving rows out of a join says nothing about what they
//! belong to. Next: `assemble`.

use super::assemble::{Frame, NO_KEY};
use super::related::Related;
use super::weigh::{Misfit, Reading, Target, Use};
use super::{Trouble, named_tables};
use crate::catalogue::{Catalogue, ColumnPart, Join};
use crate::form::{Aggregate, ColumnId, Filter, Mention, TableId, Thing};
use crate::lexicon::{Comparator, Order, lexicon};
use crate::query::{Expression, Test};
use crate::source::ColumnKind;
use turnwise_core::Cell;

/// Different values up to which a text column is looked through for one that says no.
const CATEGORIES_MAX: u64 = 100;

/// Whether a join is that of a table, or of one of its columns: "never a destination" is about that column.
fn refers_by(join: &Join, thing: Thing) -> bool {
    match thing {
        Thing::Table(table) => join.from == table,
        Thing::Column(column) => join.from == column.table && join.from_columns == [column.column],
        Thing::Concept(_) => false,
    }
}

/// The joins by which what is mentioned refers to the rows asked about: those that are of it as such or were named by
/// their column, and those that name a single row ("the manager") where only its table was.
fn referring<'a>(catalogue: &'a Catalogue, home: TableId, mention: &Mention) -> (Vec<&'a Join>, Vec<&'a Join>) {
    let of = |thing: Thing| {
        let joins = catalogue.referrers(home).filter(move |join| refers_by(join, thing));
        joins.map(move |join| (join, join.singles_out && matches!(thing, Thing::Table(_))))
    };
    let all = mention.candidates.iter().flat_map(|candidate| of(candidate.thing));
    let (single, plain): (Vec<_>, Vec<_>) = all.partition(|(_, singles_out)| *singles_out);
    let joins = |found: Vec<(&'a Join, bool)>| found.into_iter().map(|(join, _)| join).collect();
    (joins(plain), joins(single))
}

pub fn impossible(cost: u32, text: String) -> Misfit {
    Misfit { cost, trouble: Trouble::Impossible(text) }
}

impl Frame<'_> {
    /// Whether rows of the table asked about are referred to by the column.
    pub fn is_referred_by(&self, mention: &Mention) -> bool {
        // "Employees without a manager" have none themselves, whoever manages departments.
        if mention.columns().any(|column| column.table == self.home_table) {
            return false;
        }
        let mut joins = self.catalogue.referrers(self.home_table);
        joins.any(|join| mention.columns().any(|column| refers_by(join, Thing::Column(column))))
    }

    /// No row of another table refers to them.
    pub fn lacks(&mut self, mention: &Mention) -> Result<Vec<Test>, Misfit> {
        if self.scope.is_some() {
            return self.related(&Related { of: Some(mention), filters: &[], periods: &[], negated: true });
        }
        // "Books that were never returned": no loan of theirs has a date of it.
        let dated = |column: ColumnId| self.catalogue.column(column).kind == ColumnKind::Date;
        if let Some(below) = self.value_below(mention).filter(|_| mention.columns().any(dated)) {
            // Rows without any are not among those that would say when.
            if self.start != self.home_table {
                let plural = self.catalogue.plural(self.home_table);
                let text = format!("Which {plural} never had “{}” can be found only over all of them.", mention.words);
                return Err(impossible(NO_KEY, text));
            }
            return self.none_written(&below, mention);
        }
        // "Employees without a department" are in none; that they manage none is said by the manager.
        let (plain, single) = referring(self.catalogue, self.home_table, mention);
        if plain.is_empty()
            && let Some(test) = self.refers_to_none(mention)?
        {
            return Ok(vec![test]);
        }
        // "no appointment in 2024": whether the time is that of the missing or of the rest is not said.
        if !self.form.periods.is_empty() {
            let plural = self.catalogue.plural(self.home_table);
            let text = format!(
                "Which {plural} lack “{}” can be found only over all the data here: leave out the other condition, or say \
                 “never …” with it.",
                mention.words
            );
            return Err(impossible(NO_KEY, text));
        }
        let at_home = self.start == self.home_table;
        // "Plans that no account subscribed to", from the subscriptions: a plan without any would not be seen.
        // "Accounts with tickets but no users" have tickets.
        let said = named_tables(self.form).contains(&self.start) && !(plain.is_empty() && single.is_empty());
        if !at_home && !said {
            let plural = self.catalogue.plural(self.home_table);
            let text = format!("Which {plural} lack “{}” can be found only over all of them here.", mention.words);
            return Err(impossible(NO_KEY, text));
        }
        if let Some(join) = plain.first().or(single.first()).filter(|_| at_home) {
            let pairs = join.to_columns.iter().copied().zip(join.from_columns.iter().copied()).collect();
            let source = self.home_source();
            return Ok(vec![Test::Lacks { source, table: join.from, pairs }]);
        }
        // "members who never borrowed": the loans refer to copies, and those to books, over more than one key.
        self.related(&Related { of: Some(mention), filters: &[], periods: &[], negated: true })
    }

    /// "pupils without a team": their own column refers to none.
    fn refers_to_none(&mut self, mention: &Mention) -> Result<Option<Test>, Misfit> {
        let home = self.home_table;
        let tables = mention.candidates.iter().filter_map(|candidate| match candidate.thing {
            Thing::Table(table) => Some(table),
            Thing::Column(_) | Thing::Concept(_) => None,
        });
        let joins: Vec<&Join> =
            tables.flat_map(|table| self.catalogue.referrers(table)).filter(|join| join.from == home).collect();
        match joins.as_slice() {
            [] => Ok(None),
            [Join { from_columns, .. }] if from_columns.len() == 1 => {
                let column = from_columns[0];
                let source = self.home_source();
                Ok(Some(Test::Missing { of: Expression::Column { source, column }, negated: false }))
            }
            _ => {
                let text = format!(
                    "{} refer to “{}” in more than one way: name the column.",
                    self.catalogue.plural(home),
                    mention.words
                );
                Err(impossible(0, text))
            }
        }
    }

    /// Customers with a row that is not Jazz are not those who never bought Jazz.
    pub fn check_negation(&self, words: &str, reading: &Reading, negated: bool) -> Result<(), Misfit> {
        if !negated || self.start == self.home_table || self.is_beyond_home(reading) {
            return Ok(());
        }
        let plural = self.catalogue.plural(self.home_table);
        let text = format!(
            "“Not {words}” can mean {plural} that have something else too, or {plural} that never have it: say “never” \
             for those."
        );
        Err(impossible(0, text))
    }

    /// "longer than average": the average of all rows of the column's table.
    pub fn against_average(&mut self, of: &Mention, comparator: Comparator) -> Result<Test, Misfit> {
        let reading = self.weigh_home(of, Use::Number)?;
        self.check_number(&reading)?;
        let Target::Column(column) = reading.target else {
            return Err(impossible(NO_KEY, format!("“{}” is no number that has an average.", of.words)));
        };
        let plural = self.catalogue.plural(column.table);
        self.assume(format!("The average is that of {} over all {plural}.", reading.label));
        let of = self.value_of(&reading);
        let (table, column) = (column.table, column.column);
        Ok(Test::Against { of, comparator, aggregate: Aggregate::Average, table, column })
    }

    /// The rows with the highest or the lowest value of all: several where they are equal in it.
    pub fn at_end(&mut self, of: &Mention, order: Order) -> Result<Test, Misfit> {
        let reading = self.weigh_home(of, Use::Plain)?;
        let Target::Column(column) = reading.target else {
            return Err(impossible(NO_KEY, format!("“{}” is no column that has an end.", of.words)));
        };
        let (aggregate, end) = match order {
            Order::Descending => (Aggregate::Maximum, "highest"),
            Order::Ascending => (Aggregate::Minimum, "lowest"),
        };
        let plural = self.catalogue.plural(column.table);
        self.assume(format!("Only {plural} with the {end} {} of all are meant.", reading.label));
        let of = self.value_of(&reading);
        let (table, column) = (column.table, column.column);
        Ok(Test::Against { of, comparator: Comparator::Equal, aggregate, table, column })
    }

    /// "unpaid invoices", where payments say when: the rows that would have the value, if those asked about have none.
    fn value_below(&self, of: &Mention) -> Option<Mention> {
        let is_own = |column: ColumnId| !self.catalogue.paths(self.home_table, column.table).is_empty();
        let first = of.columns().next()?;
        let below = !of.columns().any(is_own) && !self.catalogue.paths(first.table, self.home_table).is_empty();
        below.then(|| Mention::of(self.catalogue.plural(first.table), Thing::Table(first.table)))
    }

    /// None of the rows below has the value.
    fn none_written(&mut self, below: &Mention, of: &Mention) -> Result<Vec<Test>, Misfit> {
        let written = [Filter::Missing { of: of.clone(), negated: true, unwritten: false }];
        self.related(&Related { of: Some(below), filters: &written, periods: &[], negated: true })
    }

    /// Whether the date is one that some rows have and others lack: what it is the date of has not come for these yet.
    fn is_open(&self, of: &Mention) -> bool {
        of.columns()
            .next()
            .is_some_and(|column| self.catalogue.table(column.table).lasting.open.contains(&column.column))
    }

    /// How a text column writes that there is none of what it is called, where it does.
    fn written_no(&self, column: ColumnId) -> Option<String> {
        let entry = self.catalogue.column(column);
        let few = self.catalogue.values().count(column).is_some_and(|count| (2..=CATEGORIES_MAX).contains(&count));
        if entry.kind != ColumnKind::Text || entry.part != ColumnPart::Attribute || !few {
            return None;
        }
        let no = |value: &&str| matches!(value.to_lowercase().as_str(), "no" | "none" | "n/a");
        self.catalogue.values().of(column).find(no).map(str::to_owned)
    }

    /// "without discount" takes a discount of 0 for none; "without email" has no 0.
    pub fn missing(&mut self, of: &Mention, negated: bool, unwritten: bool) -> Result<Vec<Test>, Misfit> {
        let below = self.value_below(of).filter(|_| !negated && !unwritten);
        if let Some(below) = below.as_ref().filter(|_| self.is_open(of)) {
            // "Books not returned": one of their loans has not ended, whatever became of the others.
            if below.table() != Some(self.start) {
                let open = [Filter::Missing { of: of.clone(), negated: false, unwritten: false }];
                return self.related(&Related { of: Some(below), filters: &open, periods: &[], negated: false });
            }
        } else if let Some(below) = below {
            return self.none_written(&below, of);
        }
        let reading = self.weigh_home(of, Use::Plain)?;
        if let Target::Column(column) = reading.target {
            let entry = self.catalogue.column(column);
            let (none, some) = (lexicon().is_zero_none(&entry.stems), lexicon().is_zero_some(&entry.stems));
            let delay = entry.stems.iter().any(|stem| stem == "delay");
            if let Some(no) = self.written_no(column).filter(|_| !unwritten) {
                self.assume(format!("“{no}” in {} says that there is none, as nothing written does.", reading.label));
                let of = self.value_of(&reading);
                let values = vec![Cell::Text(no)];
                if negated {
                    let written = Test::Missing { of: of.clone(), negated: true };
                    let test = Test::Any(vec![vec![written, Test::In { of, values, negated: true }]]);
                    return Ok(vec![test]);
                }
                let missing = Test::Missing { of: of.clone(), negated: false };
                return Ok(vec![Test::Any(vec![vec![Test::In { of, values, negated: false }], vec![missing]])]);
            }
            if entry.is_number() && !unwritten && !delay && (none || !some) {
                self.assume(format!("A {} of 0 counts as none, as a missing one does.", entry.noun()));
                return Ok(vec![Test::Nothing { of: self.value_of(&reading), negated }]);
            }
            if entry.is_number() && !delay {
                self.assume(format!("Only what was not written down counts as no {}: 0 is a value.", entry.noun()));
            }
            if entry.is_number() && delay && !unwritten {
                let text = format!(
                    "Without {} can mean that none was written down, or that it is 0 or less: say “{} under 1” or \
                     “with missing …”.",
                    reading.label,
                    entry.noun()
                );
                return Err(impossible(0, text));
            }
        }
        Ok(vec![Test::Missing { of: self.value_of(&reading), negated }])
    }
}

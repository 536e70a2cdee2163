//! A question bound to the data: each name looked up, each value found, each combination checked. All problems are
//! found, not only the first, so that a model can mend them in one round. What is bound is a form like the grammar's,
//! with exactly one reading of every part. Next: `filters` for tests, `plan` for what is checked on the plan.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::definitions::{Defined, Stated};
use super::super::form::{
    Aggregate, Analysis, ColumnId, Condition, Dimension, Filter, Measure, Mention, QueryForm, RankBy, Ranking, TableId,
    Thing,
};
use super::super::lexicon::Order;
use super::super::period::Grain;
use super::super::read::VALUES_JOINED;
use super::super::source::ColumnKind;
use super::filters::{comparator, names, number};
use super::names::{Named, Names};
use super::{Each, End, Group, GroupTest, How, Is, Name, Number, Problem, Question, Related, Test, What, period};

/// What a ranking by the first number is written as.
const MEASURE: &str = "measure";

/// The form of `question`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn bind(catalogue: &Catalogue, question: &Question) -> Result<QueryForm, Vec<Problem>> {
    let names = names(catalogue);
    let form = QueryForm { catalogue: catalogue.fingerprint().to_owned(), ..QueryForm::default() };
    let mut binding = Binding { names, form, problems: Vec::new(), tables: Vec::new() };
    binding.numbers(question);
    binding.groups(&question.groups);
    binding.tests(question);
    binding.list(question);
    binding.related(&question.related);
    binding.having(question);
    binding.rank(question);
    binding.analysis(question);
    binding.linked();
    if binding.problems.is_empty() && super::super::draft::is_empty(&binding.form) {
        let text = "nothing is asked for: list rows, or give a number";
        binding.problems.push(Problem::Combination(text.to_owned()));
    }
    if binding.problems.is_empty() { Ok(binding.form) } else { Err(binding.problems) }
}

struct Binding<'a> {
    names: Names<'a>,
    form: QueryForm,
    problems: Vec<Problem>,
    /// The tables whose rows have to be put together.
    tables: Vec<TableId>,
}

impl Binding<'_> {
    /// What comes of a part; a problem is noted.
    fn part<T>(&mut self, made: Result<T, Problem>) -> Option<T> {
        made.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn combination(&mut self, text: &str) {
        self.problems.push(Problem::Combination(text.to_owned()));
    }

    fn uses(&mut self, named: Named) {
        self.tables.push(match named {
            Named::Table(table) => table,
            Named::Column(column) => column.table,
        });
    }

    fn numbers(&mut self, question: &Question) {
        for number in &question.measures {
            let made = self.calculation(number.how, &number.of).unwrap_or_else(|| self.measure(number.how, &number.of));
            let Some((mut measure, named)) = self.part(made) else { continue };
            self.uses(named);
            for test in &number.only {
                let made = self.names.filters(test);
                measure.holds.extend(self.part(made).unwrap_or_default());
            }
            if number.how == How::Share && measure.holds.is_empty() && number.only.is_empty() {
                self.share(number, named, &mut measure);
            }
            self.form.measures.push(measure);
        }
    }

    /// A share needs something that its rows pass: a yes/no column says it by itself.
    fn share(&mut self, number: &Number, named: Named, measure: &mut Measure) {
        let flag = match named {
            Named::Column(column) if self.names.catalogue.column(column).flag.is_some() => Some(column),
            Named::Column(_) | Named::Table(_) => None,
        };
        let Some(column) = flag else {
            let of = &number.of.0;
            return self.combination(&format!("the share of `{of}` needs `only`: the test that its rows pass"));
        };
        let of = self.names.mention(Named::Column(column));
        measure.holds.push(Filter::Flag { of, value: true });
        measure.of = self.names.mention(Named::Table(column.table));
    }

    /// A number made of two columns of each row: `price times quantity`, `charged less refunded`.
    fn calculation(&mut self, how: How, of: &Name) -> Option<Result<(Measure, Named), Problem>> {
        let (sign, (first, second)) =
            [" times ", " less "].into_iter().find_map(|sign| Some((sign, of.0.split_once(sign)?)))?;
        let column = |name: &str| self.names.column(&Name(name.to_owned()));
        let both = column(first).and_then(|first| Ok((first, column(second)?)));
        let made = both.and_then(|(first, second)| {
            let numbers = [first, second].iter().all(|one| self.names.catalogue.column(*one).is_number());
            let aggregate = match how {
                How::Sum => Aggregate::Sum,
                How::Average => Aggregate::Average,
                How::Minimum => Aggregate::Minimum,
                How::Maximum => Aggregate::Maximum,
                How::Count | How::CountDifferent | How::Median | How::Share => {
                    return Err(Problem::Combination(format!("`{}` is only added up or averaged", of.0)));
                }
            };
            if !numbers || first.table != second.table {
                return Err(Problem::Combination(format!("`{}` needs two number columns of one table", of.0)));
            }
            let amount = match sign {
                " times " => Defined::Product { price: first, quantity: second },
                _ => Defined::Difference { of: first, less: vec![second] },
            };
            Ok((aggregate, first, Stated::of_question(self.names.catalogue, &of.0, amount)))
        });
        Some(made.map(|(aggregate, column, stated)| {
            self.form.stated.push(stated);
            (Measure::new(aggregate, Mention::of(of.0.clone(), Thing::Column(column))), Named::Column(column))
        }))
    }

    /// How the rows of a name are gathered.
    fn measure(&self, how: How, of: &Name) -> Result<(Measure, Named), Problem> {
        let mut named = self.names.find(of)?;
        let catalogue = self.names.catalogue;
        // Rows are counted by their key as well as by their name.
        if let (How::Count | How::CountDifferent | How::Share, Named::Column(column)) = (how, named)
            && catalogue.column(column).part == ColumnPart::Key
        {
            named = Named::Table(column.table);
        }
        let aggregate = match (how, named) {
            (How::Count, _) | (How::CountDifferent, Named::Table(_)) => Aggregate::Count,
            (How::CountDifferent, Named::Column(column)) => match catalogue.column(column).part {
                ColumnPart::Reference(join) => {
                    // Different rows referred to, and not all there are.
                    let of = Mention::of(catalogue.plural(catalogue.join(join).to), Thing::Column(column));
                    return Ok((Measure::new(Aggregate::CountDistinct, of), named));
                }
                ColumnPart::Key | ColumnPart::Attribute => Aggregate::CountDistinct,
            },
            (How::Share, _) => Aggregate::Share(true),
            (How::Sum | How::Average | How::Minimum | How::Maximum | How::Median, Named::Table(table)) => {
                let own = (0..catalogue.table(table).columns.len()).map(|column| ColumnId { table, column });
                let numbers = own.filter(|column| catalogue.column(*column).is_number());
                let nearest = numbers.map(|column| catalogue.column_label(column)).collect();
                return Err(Problem::WrongThing { name: of.0.clone(), wanted: "column of numbers", nearest });
            }
            (How::Sum, Named::Column(column)) => self.calculated(Aggregate::Sum, column, false)?,
            (How::Average, Named::Column(column)) => self.calculated(Aggregate::Average, column, false)?,
            (How::Median, Named::Column(column)) => self.calculated(Aggregate::Median, column, false)?,
            (How::Minimum, Named::Column(column)) => self.calculated(Aggregate::Minimum, column, true)?,
            (How::Maximum, Named::Column(column)) => self.calculated(Aggregate::Maximum, column, true)?,
        };
        Ok((Measure::new(aggregate, self.names.mention(named)), named))
    }

    fn calculated(&self, aggregate: Aggregate, column: ColumnId, dates: bool) -> Result<Aggregate, Problem> {
        let entry = self.names.catalogue.column(column);
        if entry.is_number() || (dates && entry.kind == ColumnKind::Date) {
            return Ok(aggregate);
        }
        let holds = match entry.kind {
            ColumnKind::Date => "dates",
            ColumnKind::Integer | ColumnKind::Real => "numbers that only tell rows apart",
            ColumnKind::Text | ColumnKind::Boolean | ColumnKind::Blob => "no numbers",
        };
        let name = self.names.catalogue.column_label(column);
        Err(Problem::WrongType { name, holds, wanted: "calculated with" })
    }

    fn groups(&mut self, groups: &[Group]) {
        for group in groups {
            let made = self.names.find(&group.by);
            let Some(named) = self.part(made) else { continue };
            self.uses(named);
            match (grain(group.each), named) {
                (None, named) => {
                    let mention = self.names.mention(named);
                    self.form.dimensions.push(Dimension::Thing(mention));
                }
                (Some(grain), Named::Column(date)) if self.is_dated(date) => {
                    self.form.dimensions.push(Dimension::Time(grain));
                    self.date(date);
                }
                (Some(_), named) => {
                    let name = self.names.mention(named).words;
                    self.problems.push(Problem::WrongType { name, holds: "no dates", wanted: "grouped by time" });
                }
            }
        }
    }

    fn is_dated(&self, column: ColumnId) -> bool {
        self.names.catalogue.column(column).kind == ColumnKind::Date || self.names.catalogue.is_year(column)
    }

    /// The date that the times of the form are of.
    fn date(&mut self, date: ColumnId) {
        let mention = self.names.mention(Named::Column(date));
        if !self.form.context.contains(&mention) {
            self.form.context.push(mention);
        }
    }

    fn tests(&mut self, question: &Question) {
        for test in &question.filters {
            if matches!(question.analysis, What::Compare | What::Growth) && self.sides(test) {
                continue;
            }
            let made = self.names.filters(test);
            if let (Ok(column), true) = (self.names.find(&test.column), made.is_ok()) {
                self.uses(column);
            }
            let filters = self.part(made).unwrap_or_default();
            self.form.filters.extend(filters);
        }
    }

    /// Times that are put side by side; values are told apart by the plan.
    fn sides(&mut self, test: &Test) -> bool {
        let Ok(Named::Column(column)) = self.names.find(&test.column) else { return false };
        if !matches!(test.is, Is::During | Is::Equal) || !self.is_dated(column) {
            return false;
        }
        for value in &test.values {
            let made = period::of(value);
            let period = self.part(made);
            self.form.periods.extend(period);
        }
        self.date(column);
        self.uses(Named::Column(column));
        true
    }

    /// What is listed: rows, or the different values of columns; beside numbers it says what they are of.
    fn list(&mut self, question: &Question) {
        let mut rows: Option<TableId> = None;
        let mut columns = Vec::new();
        for listed in &question.list {
            let made = self.names.find(&listed.of);
            match self.part(made) {
                Some(Named::Table(table)) if rows.is_some_and(|rows| rows != table) => {
                    columns.push(Named::Table(table));
                }
                Some(Named::Table(table)) => rows = Some(table),
                Some(named @ Named::Column(_)) => columns.push(named),
                None => {}
            }
        }
        if !self.form.measures.is_empty() || !question.having.is_empty() || ranks_by_number(question) {
            return self.listed_with_numbers(rows, &columns);
        }
        rows.into_iter().map(Named::Table).chain(columns.iter().copied()).for_each(|named| self.uses(named));
        if !self.form.dimensions.is_empty() && (rows.is_some() || !columns.is_empty()) {
            return self.combination("rows are listed or groups are: groups need a number, and a list needs none");
        }
        match rows {
            Some(table) => {
                self.form.subject = Some(self.names.mention(Named::Table(table)));
                self.form.attributes = columns.into_iter().map(|named| self.names.mention(named)).collect();
            }
            None => {
                let values = columns.into_iter().map(|named| Dimension::Thing(self.names.mention(named)));
                self.form.dimensions.extend(values);
            }
        }
    }

    /// Rows that numbers are asked of are the groups.
    fn listed_with_numbers(&mut self, rows: Option<TableId>, columns: &[Named]) {
        let counted = self.form.measures.iter().filter_map(|measure| measure.of.only_table());
        let counted: Vec<TableId> = counted.collect();
        let rows = rows.filter(|table| !counted.contains(table)).map(Named::Table);
        for named in rows.into_iter().chain(columns.iter().copied()) {
            let dimension = Dimension::Thing(self.names.mention(named));
            self.uses(named);
            if !self.form.dimensions.contains(&dimension) {
                self.form.dimensions.push(dimension);
            }
        }
    }

    fn related(&mut self, related: &[Related]) {
        for one in related {
            let made = self.names.table(&one.table);
            let Some(table) = self.part(made) else { continue };
            let mut filters = Vec::new();
            for test in &one.filters {
                let made = self.names.filters(test);
                filters.extend(self.part(made).unwrap_or_default());
            }
            let of = self.names.mention(Named::Table(table));
            self.form.filters.push(match (one.has, filters.is_empty()) {
                (false, true) => Filter::Lacks { of },
                (false, false) => Filter::Never { of: Some(of), filters, periods: Vec::new() },
                (true, _) => Filter::Some { of: Some(of), filters, periods: Vec::new() },
            });
        }
    }

    fn having(&mut self, question: &Question) {
        for test in &question.having {
            let made = self.condition(test);
            let Some(condition) = self.part(made) else { continue };
            self.form.conditions.push(condition);
        }
        let Some(first) = self.form.conditions.first().map(|condition| condition.measure.clone()) else { return };
        if self.form.dimensions.is_empty() {
            // "How many members have at least 3 loans" counts the groups that pass.
            let counted = match self.form.measures.as_slice() {
                [Measure { aggregate: Aggregate::Count, of, holds, .. }] if holds.is_empty() && *of != first.of => {
                    Some(of.clone())
                }
                _ => None,
            };
            let Some(of) = counted else {
                return self.combination("`having` tests groups: say in `groups` or `list` of what");
            };
            self.form.dimensions.push(Dimension::Thing(of));
            self.form.measures = vec![first];
            self.form.count_groups = true;
        } else if self.form.measures.is_empty() {
            self.form.measures = vec![first];
        }
    }

    fn condition(&mut self, test: &GroupTest) -> Result<Condition, Problem> {
        let (measure, named) = self.measure(test.how, &test.of)?;
        self.uses(named);
        let value = number(&test.value);
        let value =
            value.ok_or_else(|| Problem::NoNumber { column: test.of.0.clone(), value: test.value.0.clone() })?;
        let comparator = comparator(test.is).ok_or_else(|| {
            Problem::Combination("`having` compares with one number: equal, over, at_least, under, at_most".to_owned())
        })?;
        Ok(Condition { measure, comparator, value, average: false })
    }

    fn rank(&mut self, question: &Question) {
        let rank = match question.rank.as_slice() {
            [] => return,
            [rank] => rank,
            _ => return self.combination("only one order can be asked for"),
        };
        let order = match rank.order {
            End::Highest => Order::Descending,
            End::Lowest => Order::Ascending,
        };
        let limit = usize::try_from(rank.limit).ok().filter(|limit| *limit > 0);
        let by_measure = rank.by.0.trim().eq_ignore_ascii_case(MEASURE);
        let column = if by_measure { None } else { Some(self.names.find(&rank.by)) };
        let by = match (column, self.form.measures.is_empty()) {
            (None, false) => RankBy::Measure,
            (None, true) => return self.combination("a ranking by `measure` needs a number in `measures`"),
            (Some(found), false) => {
                let Some(named) = self.part(found) else { return };
                let of = self.names.mention(named);
                if self.form.measures.first().is_none_or(|measure| measure.of != of) {
                    return self.combination("groups are ranked by their first number: put it into `measures`");
                }
                RankBy::Measure
            }
            (Some(found), true) => {
                let Some(named) = self.part(found) else { return };
                self.uses(named);
                if self.form.subject.is_none() {
                    let text = "a ranking by a column needs a table in `list`; groups are ranked by `measure`";
                    return self.combination(text);
                }
                RankBy::Property(self.names.mention(named))
            }
        };
        let is_grouped = !self.form.dimensions.is_empty();
        if by == RankBy::Measure && !is_grouped {
            return self.combination("a number by itself has no order: say in `groups` what is ranked");
        }
        if rank.per_group && (by != RankBy::Measure || self.form.dimensions.len() < 2) {
            return self.combination("`per_group` needs two groups: what is ranked, and then within what");
        }
        self.form.first_within = rank.per_group;
        self.form.ranking = Some(Ranking { order, limit, by });
    }

    fn analysis(&mut self, question: &Question) {
        let timed = self.form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
        let numbers = self.form.measures.len();
        let sided = self.form.periods.len() > 1
            || self.form.filters.iter().any(|filter| match filter {
                Filter::Value { words, negated: false, .. } => words.contains(VALUES_JOINED),
                _ => false,
            });
        let (analysis, wrong) = match question.analysis {
            What::Plain => (Analysis::Plain, None),
            What::Compare if sided || numbers > 1 => (Analysis::Compare, None),
            What::Compare => (Analysis::Compare, Some("`compare` needs a test with the two times or values")),
            What::ShareOfTotal if self.form.dimensions.is_empty() && self.form.filters.is_empty() => {
                (Analysis::Share, Some("`share_of_total` needs a group, or a test that some rows pass"))
            }
            What::ShareOfTotal => (Analysis::Share, None),
            What::Growth if timed || !self.form.periods.is_empty() => (Analysis::Growth, None),
            What::Growth => (Analysis::Growth, Some("`growth` needs a group by a length of time")),
            What::Cumulative if timed => (Analysis::Cumulative, None),
            What::Cumulative => (Analysis::Cumulative, Some("`cumulative` needs a group by a length of time")),
            What::Ratio if numbers == 2 => (Analysis::Ratio, None),
            What::Ratio => (Analysis::Ratio, Some("`ratio` needs two numbers")),
        };
        if let Some(text) = wrong {
            return self.combination(text);
        }
        if analysis != Analysis::Plain && numbers == 0 {
            return self.combination("an analysis needs a number in `measures`");
        }
        self.form.analysis = analysis;
    }

    /// Whether some table leads to all that were named.
    fn linked(&mut self) {
        self.tables.sort_unstable();
        self.tables.dedup();
        let catalogue = self.names.catalogue;
        let Some(first) = self.tables.first() else { return };
        let leads = |start: TableId| self.tables.iter().all(|table| !catalogue.paths(start, *table).is_empty());
        // Numbers of different tables may each have a start of their own.
        let several = self.form.measures.len() > 1;
        if several || catalogue.reaching(*first).any(leads) {
            return;
        }
        let tables = self.tables.iter().map(|table| catalogue.table(*table).name.clone()).collect();
        self.problems.push(Problem::NoPath { tables });
    }
}

fn ranks_by_number(question: &Question) -> bool {
    question.rank.iter().any(|rank| rank.by.0.trim().eq_ignore_ascii_case(MEASURE))
}

fn grain(each: Each) -> Option<Grain> {
    Some(match each {
        Each::Value => return None,
        Each::Day => Grain::Day,
        Each::Week => Grain::Week,
        Each::Month => Grain::Month,
        Each::Quarter => Grain::Quarter,
        Each::Year => Grain::Year,
        Each::Weekday => Grain::Weekday,
        Each::Hour => Grain::Hour,
    })
}

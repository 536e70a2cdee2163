//! Writes a typed query in the dialect of the engine that has its tables. Values are bound, never written; names are
//! quoted. Next: `dialect` for what the engines write differently, `steps`.

pub mod dialect;
mod groups;
mod lasting;
mod referred;

use turnwise_core::Cell;

use super::catalogue::{AxisPlace, Catalogue, TableEntry};
use super::form::{Aggregate, TableId};
use super::lexicon::{Comparator, Order};
use super::query::{DatePart, Expression, Gathered, OrderBy, Output, Query, Test, TextPlace};
use super::source::{ColumnKind, Dialect};
use dialect::Written as _;
use lasting::Lasting as _;

/// A statement with the values to bind.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text, with the dialect's placeholders for values.
    pub text: String,
    /// The values.
    pub parameters: Vec<Cell>,
}

struct Writer<'a> {
    catalogue: &'a Catalogue,
    query: &'a Query,
    dialect: Dialect,
    parameters: Vec<Cell>,
    /// Whether values are written and not bound: what is written more than once has no order to bind them in.
    literal: bool,
}

/// Something to order or group by, as written.
struct Key {
    text: String,
    kind: ColumnKind,
}

/// Writes `query`.
pub fn write(catalogue: &Catalogue, query: &Query) -> Statement {
    let dialect = query.sources.first().map(|source| catalogue.table(source.table).dialect).unwrap_or_default();
    let mut writer = Writer { catalogue, query, dialect, parameters: Vec::new(), literal: false };
    let text = if query.gathered.is_empty() { writer.list() } else { writer.grouped() };
    Statement { text, parameters: writer.parameters }
}

/// The SQL of an axis as a date; `alias` names the table where there are several.
pub fn axis_expression(table: &TableEntry, place: &AxisPlace, alias: Option<&str>) -> String {
    let column = |at: usize| {
        let name = table.dialect.quoted(&table.columns[at].name);
        alias.map_or_else(|| name.clone(), |alias| format!("{alias}.{name}"))
    };
    match place {
        AxisPlace::Column(at) => column(*at),
        AxisPlace::Parts { year, month, day } => {
            let part = |at: &Option<usize>| at.map_or_else(|| "1".to_owned(), column);
            table.dialect.date_of_parts(&column(*year), &part(month), &part(day))
        }
    }
}

/// The SQL of the hour of an axis, which tells whether it holds more than days.
pub fn hour_of(table: &TableEntry, place: &AxisPlace) -> String {
    part_of(table, DatePart::Hour, place)
}

/// The SQL of a part of an axis.
pub fn part_of(table: &TableEntry, part: DatePart, place: &AxisPlace) -> String {
    table.dialect.part_of(part, &axis_expression(table, place, None))
}

impl Writer<'_> {
    fn quoted(&self, name: &str) -> String {
        self.dialect.quoted(name)
    }

    /// What an expression gives.
    fn kind(&self, expression: &Expression) -> ColumnKind {
        match expression {
            Expression::Column { source, column } => {
                self.catalogue.table(self.query.sources[*source].table).columns[*column].kind
            }
            Expression::FullName { .. } => ColumnKind::Text,
            Expression::Later { .. }
            | Expression::Above { .. }
            | Expression::Same { .. }
            | Expression::Referred { .. }
            | Expression::Positive(_)
            | Expression::MoreReferring { .. } => ColumnKind::Boolean,
            Expression::Lasting { .. }
            | Expression::Product(_)
            | Expression::Difference(_)
            | Expression::Complement(_)
            | Expression::Holds { .. }
            | Expression::Passes(_) => ColumnKind::Real,
            Expression::Date { .. } => ColumnKind::Date,
            Expression::Part { part: DatePart::Quarter | DatePart::WeekdayNumber | DatePart::Hour, .. } => {
                ColumnKind::Integer
            }
            Expression::Part { .. } => ColumnKind::Text,
        }
    }

    fn key(&self, expression: &Expression) -> Key {
        Key { text: self.expression(expression), kind: self.kind(expression) }
    }

    fn alias(&self, source: usize) -> String {
        let table = &self.catalogue.table(self.query.sources[source].table).name;
        let before = self.query.sources.iter().take(source);
        let namesakes = before.filter(|other| self.catalogue.table(other.table).name == *table).count();
        if namesakes == 0 { self.quoted(table) } else { self.quoted(&format!("{table} {}", namesakes + 1)) }
    }

    fn column(&self, source: usize, column: usize) -> String {
        let table = self.catalogue.table(self.query.sources[source].table);
        format!("{}.{}", self.alias(source), self.quoted(&table.columns[column].name))
    }

    fn bind(&mut self, value: Cell) -> String {
        if self.literal {
            return self.dialect.literal(&value);
        }
        self.parameters.push(value);
        self.dialect.placeholder(self.parameters.len())
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Column { source, column } => self.column(*source, *column),
            Expression::FullName { source, first, last } => {
                let (first, last) = (self.column(*source, *first), self.column(*source, *last));
                self.dialect.full_name(&first, &last)
            }
            Expression::Product(factors) => {
                let factors: Vec<String> = factors.iter().map(|factor| self.expression(factor)).collect();
                factors.join(" * ")
            }
            Expression::Complement(of) => format!("(1 - COALESCE({}, 0))", self.expression(of)),
            Expression::Difference(terms) => {
                let mut terms = terms.iter().map(|term| self.expression(term));
                let first = terms.next().unwrap_or_default();
                let rest: String = terms.map(|term| format!(" - COALESCE({term}, 0)")).collect();
                format!("({first}{rest})")
            }
            Expression::Holds { of, value, values } => self.dialect.holds(&self.expression(of), *value, values),
            Expression::Passes(tests) => self.passes(tests),
            Expression::Date { source, place } => {
                let table = self.catalogue.table(self.query.sources[*source].table);
                axis_expression(table, place, Some(&self.alias(*source)))
            }
            Expression::Part { part, of } => self.dialect.part_of(*part, &self.expression(of)),
            Expression::Lasting { from, until, unit, clock } => {
                self.dialect.lasting(&self.expression(from), &self.expression(until), *unit, *clock)
            }
            Expression::Later { of, than, clock } => {
                self.dialect.later(&self.expression(of), &self.expression(than), *clock)
            }
            Expression::Above { of, than, same } => {
                format!("({} {} {})", self.expression(of), if *same { ">=" } else { ">" }, self.expression(than))
            }
            Expression::Referred { source, table, own, theirs } => self.referred(*source, *own, (*table, *theirs)),
            Expression::MoreReferring { source, table, own, more, less } => {
                self.referred_more(*source, *own, *table, (*more, *less))
            }
            Expression::Positive(of) => format!("({} > 0)", self.expression(of)),
            Expression::Same { of, with } => format!("({} = {})", self.expression(of), self.expression(with)),
        }
    }

    fn passes(&self, tests: &[Test]) -> String {
        let (catalogue, query, dialect) = (self.catalogue, self.query, self.dialect);
        let mut inner = Writer { catalogue, query, dialect, parameters: Vec::new(), literal: true };
        let tests: Vec<String> = tests.iter().map(|test| inner.test(test)).collect();
        format!("CASE WHEN {} THEN 100.0 ELSE 0.0 END", tests.join(" AND "))
    }

    fn from(&self) -> String {
        let mut text = String::new();
        for (at, source) in self.query.sources.iter().enumerate() {
            let name = &self.catalogue.table(source.table).sql_name;
            let alias = self.alias(at);
            match &source.joined {
                None => text.push_str(&format!("FROM {name} AS {alias}")),
                Some((left, pairs)) => {
                    let pairs = pairs
                        .iter()
                        .map(|(from, to)| self.pair(self.column(*left, *from), self.column(at, *to), source.by_day));
                    let end = source.current.map(|end| Expression::Column { source: at, column: end });
                    let pairs: Vec<String> = pairs.chain(end.map(|end| self.missing(&end, false))).collect();
                    text.push_str(&format!("\nLEFT JOIN {name} AS {alias} ON {}", pairs.join(" AND ")));
                }
            }
        }
        text
    }

    fn tests(&mut self) -> String {
        let tests: Vec<String> = self.query.tests.iter().map(|test| self.test(test)).collect();
        if tests.is_empty() { String::new() } else { format!("\nWHERE {}", tests.join("\n  AND ")) }
    }

    /// An empty text is a missing value to a person.
    fn missing(&self, of: &Expression, negated: bool) -> String {
        let may_be_empty = self.kind(of) == ColumnKind::Text || !self.dialect.is_strict();
        let of = self.expression(of);
        if !may_be_empty {
            format!("{of} IS {}NULL", if negated { "NOT " } else { "" })
        } else if negated {
            format!("({of} IS NOT NULL AND {of} <> '')")
        } else {
            format!("({of} IS NULL OR {of} = '')")
        }
    }

    fn test(&mut self, test: &Test) -> String {
        match test {
            Test::In { of, values, negated } => {
                let is_text = self.kind(of) == ColumnKind::Text || !self.dialect.is_strict();
                let of = self.expression(of);
                let of = if is_text { of } else { self.dialect.as_text(&of) };
                let values: Vec<String> = values.iter().map(|value| self.bind(value.clone())).collect();
                match (values.as_slice(), negated) {
                    ([single], false) => format!("{of} = {single}"),
                    (several, false) => format!("{of} IN ({})", several.join(", ")),
                    (several, true) => format!("({of} NOT IN ({}) OR {of} IS NULL)", several.join(", ")),
                }
            }
            Test::Number { of, comparator, value } => {
                let of = self.expression(of);
                let bound = self.bind(number(*value));
                match comparator {
                    // What has no number is not that number either.
                    Comparator::Unequal => format!("({of} <> {bound} OR {of} IS NULL)"),
                    _ => format!("{of} {} {bound}", sign(*comparator)),
                }
            }
            Test::Time { of, from, until, outside } => {
                let within = self.time(of, from.as_deref(), until.as_deref());
                // What has no date lies in no January either.
                if *outside { format!("({within}) IS NOT TRUE") } else { within }
            }
            Test::Missing { of, negated } => self.missing(of, *negated),
            Test::Nothing { of, negated } => {
                let of = self.expression(of);
                if *negated {
                    format!("({of} IS NOT NULL AND {of} <> 0)")
                } else {
                    format!("({of} IS NULL OR {of} = 0)")
                }
            }
            Test::Among { of, query, negated } => self.among(of, query, *negated),
            Test::Against { of, comparator, aggregate, table, column } => {
                let table = self.catalogue.table(*table);
                let column = self.quoted(&table.columns[*column].name);
                let gathered = self.dialect.gather(*aggregate, &column, None);
                let whole = format!("SELECT {gathered} FROM {}{}", table.sql_name, self.dialect.derived());
                format!("{} {} ({whole})", self.expression(of), sign(*comparator))
            }
            Test::Flag { of, value } if of.is_truth() => {
                let of = self.expression(of);
                if *value { of } else { format!("NOT {of}") }
            }
            Test::Flag { of, value } => {
                let of = self.expression(of);
                let dialect = self.dialect;
                dialect.flag(&of, *value, || self.bind(Cell::Integer(i64::from(*value))))
            }
            Test::Text { of, text, place, negated } => self.text_test(of, text, *place, *negated),
            Test::Any(sides) => self.any_of(sides),
            Test::Lacks { source, table, pairs } => self.lacks(*source, *table, pairs),
        }
    }

    fn text_test(&mut self, of: &Expression, text: &str, place: TextPlace, negated: bool) -> String {
        let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let pattern = match place {
            TextPlace::Anywhere => format!("%{escaped}%"),
            TextPlace::Start => format!("{escaped}%"),
            TextPlace::End => format!("%{escaped}"),
        };
        let is_text = self.kind(of) == ColumnKind::Text || !self.dialect.is_strict();
        let of = self.expression(of);
        let of = if is_text { of } else { self.dialect.as_text(&of) };
        let pattern = self.bind(Cell::Text(pattern));
        let like = self.dialect.like(&of, &pattern);
        // What says nothing does not say this either.
        if negated { format!("({of} IS NULL OR NOT ({like}))") } else { like }
    }

    fn any_of(&mut self, sides: &[Vec<Test>]) -> String {
        let mut written = Vec::new();
        for side in sides {
            let tests: Vec<String> = side.iter().map(|test| self.test(test)).collect();
            written.push(if tests.len() == 1 { tests.concat() } else { format!("({})", tests.join(" AND ")) });
        }
        format!("({})", written.join(" OR "))
    }

    /// One of the values another query finds, or none of them.
    fn among(&mut self, of: &Expression, query: &Query, negated: bool) -> String {
        let of = self.expression(of);
        let parameters = std::mem::take(&mut self.parameters);
        let mut inner =
            Writer { catalogue: self.catalogue, dialect: self.dialect, query, parameters, literal: self.literal };
        let key = query.columns.first().map_or_else(String::new, |key| inner.expression(&key.expression));
        let (from, tests) = (inner.from(), inner.tests());
        self.parameters = inner.parameters;
        let tests = if tests.is_empty() { "\nWHERE TRUE".to_owned() } else { tests };
        let within = if negated { "NOT IN" } else { "IN" };
        format!("{of} {within} (SELECT {key}\n{from}{tests}\n  AND {key} IS NOT NULL)")
    }

    /// No row of another table refers to it.
    fn lacks(&self, source: usize, table: TableId, pairs: &[(usize, usize)]) -> String {
        let other = self.catalogue.table(table);
        // One pass over the other table, which may be large and has no index in a file.
        if let [(own, theirs)] = pairs {
            let (own, theirs) = (self.column(source, *own), self.quoted(&other.columns[*theirs].name));
            let (name, derived) = (&other.sql_name, self.dialect.derived());
            let referred = format!("SELECT {theirs} FROM {name}{derived} WHERE {theirs} IS NOT NULL");
            return format!("({own} IS NULL OR {own} NOT IN ({referred}))");
        }
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(own, theirs)| {
                format!("x.{} = {}", self.quoted(&other.columns[*theirs].name), self.column(source, *own))
            })
            .collect();
        format!("NOT EXISTS (SELECT 1 FROM {} AS x WHERE {})", other.sql_name, pairs.join(" AND "))
    }

    fn time(&mut self, of: &Expression, from: Option<&str>, until: Option<&str>) -> String {
        let of = self.expression(of);
        let bounds = [(from, ">="), (until, "<")];
        let tests: Vec<String> = bounds
            .into_iter()
            .filter_map(|(bound, sign)| bound.map(|bound| (bound.to_owned(), sign)))
            .map(|(bound, sign)| {
                let bound = self.bind(Cell::Text(bound));
                format!("{of} {sign} {}", self.dialect.time_bound(&bound))
            })
            .collect();
        if tests.is_empty() { "TRUE".to_owned() } else { tests.join(" AND ") }
    }

    fn list(&mut self) -> String {
        let query = self.query;
        let columns: Vec<String> = query.columns.iter().map(|output| self.named(output)).collect();
        let from = self.from();
        let tests = self.tests();
        // A list reached through rows that repeat it is grouped by its key, so that each comes once.
        let grouped = query.once_per.as_ref().map_or_else(String::new, |key| self.once_each(key));
        let rows = format!("{}\n{from}{tests}{grouped}", columns.join(", "));
        if !query.distinct {
            let first = query.columns.first().map(|output| self.key(&output.expression));
            return format!("SELECT {rows}{}{}", self.order(first.as_ref(), &[]), self.limit());
        }
        if self.dialect.is_strict() {
            // Of different rows only their columns can be ordered by here, as they are.
            let labels: Vec<String> = query.columns.iter().map(|output| self.quoted(&output.label)).collect();
            let keys: Vec<Key> = query.columns.iter().map(|output| self.label_key(output)).collect();
            let (of, derived, limit) = (labels.join(", "), self.dialect.derived(), self.limit());
            let order = self.order_of_labels().unwrap_or_else(|| self.rising(&keys));
            return format!("SELECT {of} FROM (\nSELECT DISTINCT {rows}\n){derived}{order}{limit}");
        }
        format!("SELECT DISTINCT {rows}{}{}", self.order(None, &[]), self.limit())
    }

    /// The order of different rows by the names of their columns, where it was asked for.
    fn order_of_labels(&self) -> Option<String> {
        let (OrderBy::Value(first), order) = self.query.order.as_ref()? else { return None };
        let keys = std::iter::once((first, *order)).chain(self.query.then.iter().map(|(of, order)| (of, *order)));
        let written = keys.map(|(of, order)| {
            let output = self.query.columns.iter().find(|output| output.expression == *of)?;
            Some(self.dialect.missing_last(&self.sorted(&self.label_key(output)), direction(order)))
        });
        let written: Option<Vec<String>> = written.collect();
        Some(format!("\nORDER BY {}", written?.join(", ")))
    }

    fn named(&self, output: &Output) -> String {
        format!("{} AS {}", self.expression(&output.expression), self.quoted(&output.label))
    }

    fn once_each(&self, key: &Expression) -> String {
        let mut keys = vec![self.expression(key)];
        if self.dialect.is_strict() {
            // What follows from the key is not known to follow from it, so it has to be named too.
            let ordered = match &self.query.order {
                Some((OrderBy::Value(of), _)) => Some(of),
                Some((OrderBy::Gathered(_), _)) | None => None,
            };
            let shown = self.query.columns.iter().map(|output| &output.expression).chain(ordered);
            let shown = shown.chain(self.query.then.iter().map(|(of, _)| of));
            keys.extend(shown.map(|of| self.expression(of)));
        }
        format!("\nGROUP BY {}", keys.join(", "))
    }

    /// `key` breaks ties, so that the same question always gets the same rows.
    fn order(&self, key: Option<&Key>, numbers: &[String]) -> String {
        let Some((by, order)) = &self.query.order else { return String::new() };
        let by = match by {
            OrderBy::Gathered(at) => {
                let gathered = self.query.gathered.get(*at);
                let number = numbers.get(*at).map(String::as_str).unwrap_or_default();
                gathered.map_or_else(String::new, |gathered| self.ordered_by(gathered, number))
            }
            OrderBy::Value(of) => self.sorted(&self.key(of)),
        };
        let mut by = self.dialect.missing_last(&by, direction(*order));
        for (of, order) in &self.query.then {
            let next = self.dialect.missing_last(&self.sorted(&self.key(of)), direction(*order));
            by = format!("{by}, {next}");
        }
        let tie = key.filter(|_| self.dialect.is_strict() || self.is_grouped()).map(|key| self.rising_by(key));
        format!("\nORDER BY {by}, {}", tie.unwrap_or_else(|| "1".to_owned()))
    }

    fn is_grouped(&self) -> bool {
        !self.query.gathered.is_empty()
    }

    /// Sums of the same money in another order differ in the last bits, which must not decide a tie.
    fn ordered_by(&self, gathered: &Gathered, number: &str) -> String {
        let label = self.quoted(&gathered.label);
        if matches!(gathered.aggregate, Aggregate::Sum | Aggregate::Average | Aggregate::Share(_)) {
            self.dialect.rounded(&label, number)
        } else {
            self.dialect.ordered(&label, number).to_owned()
        }
    }

    fn sorted(&self, key: &Key) -> String {
        if key.kind == ColumnKind::Text { self.dialect.in_code_order(&key.text) } else { key.text.clone() }
    }

    fn rising_by(&self, key: &Key) -> String {
        self.dialect.missing_first(&self.sorted(key))
    }

    fn rising(&self, keys: &[Key]) -> String {
        let keys: Vec<String> = keys.iter().map(|key| self.rising_by(key)).collect();
        if keys.is_empty() { String::new() } else { format!("\nORDER BY {}", keys.join(", ")) }
    }

    fn limit(&self) -> String {
        self.query.limit.map_or_else(String::new, |limit| format!("\nLIMIT {limit}"))
    }
}

fn counts_keys(gathered: &Gathered) -> bool {
    matches!(gathered.aggregate, Aggregate::Count | Aggregate::CountDistinct)
}

fn number(value: f64) -> Cell {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    if value.fract() == 0.0 && value.abs() < 9e15 { Cell::Integer(value as i64) } else { Cell::real(value) }
}

fn sign(comparator: Comparator) -> &'static str {
    match comparator {
        Comparator::Over => ">",
        Comparator::AtLeast => ">=",
        Comparator::Under => "<",
        Comparator::AtMost => "<=",
        Comparator::Equal => "=",
        Comparator::Unequal => "<>",
    }
}

fn direction(order: Order) -> &'static str {
    match order {
        Order::Ascending => "ASC",
        Order::Descending => "DESC",
    }
}

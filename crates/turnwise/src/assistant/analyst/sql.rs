//! Writes a typed query in SQLite's dialect. Values are bound, never written; names are quoted. Next: `steps`.

use turnwise_core::Cell;

use super::catalogue::{AxisPlace, Catalogue, TableEntry};
use super::form::Aggregate;
use super::lexicon::{Comparator, Order};
use super::period::Grain;
use super::query::{DatePart, Expression, Gathered, OrderBy, Query, Test};
use super::source::quoted;

/// A statement with the values to bind.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text, with `?1`, `?2`… for values.
    pub text: String,
    /// The values.
    pub parameters: Vec<Cell>,
}

struct Writer<'a> {
    catalogue: &'a Catalogue,
    query: &'a Query,
    parameters: Vec<Cell>,
}

/// Writes `query`.
pub fn write(catalogue: &Catalogue, query: &Query) -> Statement {
    let mut writer = Writer { catalogue, query, parameters: Vec::new() };
    let text = if query.gathered.is_empty() { writer.list() } else { writer.grouped() };
    Statement { text, parameters: writer.parameters }
}

/// The SQL of an axis as an ISO date; `alias` names the table where there are several.
pub fn axis_expression(table: &TableEntry, place: &AxisPlace, alias: Option<&str>) -> String {
    let column = |at: usize| {
        let name = quoted(&table.columns[at].name);
        alias.map_or_else(|| name.clone(), |alias| format!("{alias}.{name}"))
    };
    match place {
        AxisPlace::Column(at) => column(*at),
        AxisPlace::Parts { year, month, day } => {
            let part = |at: &Option<usize>| at.map_or_else(|| "1".to_owned(), column);
            let year = column(*year);
            // A missing year would be printed as 0000 and count as a date.
            format!(
                "CASE WHEN {year} IS NOT NULL THEN printf('%04d-%02d-%02d', {year}, {}, {}) END",
                part(month),
                part(day)
            )
        }
    }
}

impl Writer<'_> {
    fn alias(&self, source: usize) -> String {
        let table = &self.catalogue.table(self.query.sources[source].table).name;
        let before = self.query.sources.iter().take(source);
        let namesakes = before.filter(|other| self.catalogue.table(other.table).name == *table).count();
        if namesakes == 0 { quoted(table) } else { quoted(&format!("{table} {}", namesakes + 1)) }
    }

    fn column(&self, source: usize, column: usize) -> String {
        let table = self.catalogue.table(self.query.sources[source].table);
        format!("{}.{}", self.alias(source), quoted(&table.columns[column].name))
    }

    fn bind(&mut self, value: Cell) -> String {
        self.parameters.push(value);
        format!("?{}", self.parameters.len())
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Column { source, column } => self.column(*source, *column),
            Expression::FullName { source, first, last } => {
                let (first, last) = (self.column(*source, *first), self.column(*source, *last));
                format!("NULLIF(TRIM(COALESCE({first}, '') || ' ' || COALESCE({last}, '')), '')")
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
            Expression::Date { source, place } => {
                let table = self.catalogue.table(self.query.sources[*source].table);
                axis_expression(table, place, Some(&self.alias(*source)))
            }
            Expression::Part { part, of } => part_of(*part, &self.expression(of)),
        }
    }

    fn from(&self) -> String {
        let mut text = String::new();
        for (at, source) in self.query.sources.iter().enumerate() {
            let name = &self.catalogue.table(source.table).sql_name;
            let alias = self.alias(at);
            match &source.joined {
                None => text.push_str(&format!("FROM {name} AS {alias}")),
                Some((left, pairs)) => {
                    let pairs: Vec<String> = pairs
                        .iter()
                        .map(|(from, to)| format!("{} = {}", self.column(*left, *from), self.column(at, *to)))
                        .collect();
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

    fn test(&mut self, test: &Test) -> String {
        match test {
            Test::In { of, values, negated } => {
                let of = self.expression(of);
                let values: Vec<String> = values.iter().map(|value| self.bind(value.clone())).collect();
                match (values.as_slice(), negated) {
                    ([single], false) => format!("{of} = {single}"),
                    (several, false) => format!("{of} IN ({})", several.join(", ")),
                    (several, true) => format!("({of} NOT IN ({}) OR {of} IS NULL)", several.join(", ")),
                }
            }
            Test::Number { of, comparator, value } => {
                let of = self.expression(of);
                format!("{of} {} {}", sign(*comparator), self.bind(number(*value)))
            }
            Test::Time { of, from, until } => self.time(of, from.as_deref(), until.as_deref()),
            Test::Missing { of, negated } => {
                let of = self.expression(of);
                // An empty text is a missing value to a person.
                if *negated {
                    format!("({of} IS NOT NULL AND {of} <> '')")
                } else {
                    format!("({of} IS NULL OR {of} = '')")
                }
            }
            Test::Flag { of, value } => {
                let of = self.expression(of);
                format!("{of} = {}", self.bind(Cell::Integer(i64::from(*value))))
            }
            Test::Text { of, text, start } => {
                let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
                let pattern = if *start { format!("{escaped}%") } else { format!("%{escaped}%") };
                let of = self.expression(of);
                format!("{of} LIKE {} ESCAPE '\\'", self.bind(Cell::Text(pattern)))
            }
            Test::Lacks { source, table, pairs } => {
                let other = self.catalogue.table(*table);
                // One pass over the other table, which may be large and has no index in a file.
                if let [(own, theirs)] = pairs.as_slice() {
                    let (own, theirs) = (self.column(*source, *own), quoted(&other.columns[*theirs].name));
                    let referred = format!("SELECT {theirs} FROM {} WHERE {theirs} IS NOT NULL", other.sql_name);
                    return format!("({own} IS NULL OR {own} NOT IN ({referred}))");
                }
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(own, theirs)| {
                        format!("x.{} = {}", quoted(&other.columns[*theirs].name), self.column(*source, *own))
                    })
                    .collect();
                format!("NOT EXISTS (SELECT 1 FROM {} AS x WHERE {})", other.sql_name, pairs.join(" AND "))
            }
        }
    }

    fn time(&mut self, of: &Expression, from: Option<&str>, until: Option<&str>) -> String {
        let of = self.expression(of);
        let bounds = [(from, ">="), (until, "<")];
        let tests: Vec<String> = bounds
            .into_iter()
            .filter_map(|(bound, sign)| bound.map(|bound| (bound.to_owned(), sign)))
            .map(|(bound, sign)| format!("{of} {sign} {}", self.bind(Cell::Text(bound))))
            .collect();
        if tests.is_empty() { "TRUE".to_owned() } else { tests.join(" AND ") }
    }

    fn list(&mut self) -> String {
        let query = self.query;
        let columns: Vec<String> = query
            .columns
            .iter()
            .map(|output| format!("{} AS {}", self.expression(&output.expression), quoted(&output.label)))
            .collect();
        let from = self.from();
        let tests = self.tests();
        // A list reached through rows that repeat it is grouped by its key, so that each comes once.
        let grouped = match &query.once_per {
            Some(key) => format!("\nGROUP BY {}", self.expression(key)),
            None => String::new(),
        };
        let distinct = if query.distinct { "DISTINCT " } else { "" };
        format!("SELECT {distinct}{}\n{from}{tests}{grouped}{}{}", columns.join(", "), self.order(None), self.limit())
    }

    /// `key` breaks ties, so that the same question always gets the same rows.
    fn order(&self, key: Option<&str>) -> String {
        let Some((by, order)) = &self.query.order else { return String::new() };
        let by = match by {
            OrderBy::Gathered(at) => self.query.gathered.get(*at).map_or_else(String::new, ordered_by),
            OrderBy::Value(of) => self.expression(of),
        };
        format!("\nORDER BY {by} {} NULLS LAST, {}", direction(*order), key.unwrap_or("1"))
    }

    fn limit(&self) -> String {
        self.query.limit.map_or_else(String::new, |limit| format!("\nLIMIT {limit}"))
    }

    /// Groups come through a table of rows of their own when each row may count only once.
    fn grouped(&mut self) -> String {
        let query = self.query;
        let once = query.once_per.is_some() && query.gathered.iter().any(|gathered| !counts_keys(gathered));
        let inner = if once { self.once() } else { self.direct() };
        if query.count_groups {
            let label = quoted(query.gathered.first().map_or("count", |gathered| gathered.label.as_str()));
            return format!("SELECT COUNT(*) AS {label} FROM (\n{inner}\n)");
        }
        match (query.over_groups, query.gathered.first()) {
            (Some(aggregate), Some(first)) => {
                let label = quoted(&first.label);
                format!("SELECT {} AS {label} FROM (\n{inner}\n)", gather(aggregate, &label))
            }
            _ => inner,
        }
    }

    fn direct(&mut self) -> String {
        let query = self.query;
        let mut columns = self.group_columns();
        let mut numbers = Vec::new();
        for gathered in &query.gathered {
            let of = match (&gathered.of, &query.once_per) {
                (None, Some(key)) => format!("DISTINCT {}", self.expression(key)),
                (Some(of), _) => self.expression(of),
                (None, None) => "*".to_owned(),
            };
            let of = match &gathered.with {
                Some(with) => format!("{of}, {}", self.expression(with)),
                None => of,
            };
            numbers.push(gather(gathered.aggregate, &of));
            columns.push(format!("{} AS {}", gather(gathered.aggregate, &of), quoted(&gathered.label)));
        }
        let (from, tests) = (self.from(), self.tests());
        let time = self.weekday_key().map(|key| self.expression(key));
        let tail = self.tail(&self.group_keys(), &numbers, time.as_deref());
        format!("SELECT {}\n{from}{tests}{tail}", columns.join(", "))
    }

    fn group_columns(&self) -> Vec<String> {
        let outputs = self.query.groups.iter().flat_map(|group| &group.outputs);
        outputs.map(|output| format!("{} AS {}", self.expression(&output.expression), quoted(&output.label))).collect()
    }

    fn group_keys(&self) -> Vec<String> {
        let groups = self.query.groups.iter();
        groups
            .flat_map(|group| group.keys.iter().chain(group.outputs.iter().map(|output| &output.expression)))
            .map(|key| self.expression(key))
            .collect()
    }

    /// First the different rows of the counted table within each group, then the gathering.
    fn once(&mut self) -> String {
        let query = self.query;
        let mut columns = self.group_columns();
        let keys: Vec<String> =
            query.groups.iter().flat_map(|group| &group.keys).map(|key| self.expression(key)).collect();
        columns.extend(keys.iter().zip(0..).map(|(key, at): (&String, usize)| format!("{key} AS \"key {at}\"")));
        if let Some(key) = &query.once_per {
            columns.push(format!("{} AS \"row\"", self.expression(key)));
        }
        for (at, of) in query.gathered.iter().enumerate().filter_map(|(at, g)| g.of.as_ref().map(|of| (at, of))) {
            columns.push(format!("{} AS \"value {at}\"", self.expression(of)));
        }
        let (from, tests) = (self.from(), self.tests());
        let inner = format!("SELECT DISTINCT {}\n{from}{tests}", columns.join(", "));
        let labels: Vec<String> =
            query.groups.iter().flat_map(|group| &group.outputs).map(|output| quoted(&output.label)).collect();
        let mut outer = labels.clone();
        let mut numbers = Vec::new();
        for (at, gathered) in query.gathered.iter().enumerate() {
            let of = if gathered.of.is_some() { format!("\"value {at}\"") } else { "DISTINCT \"row\"".to_owned() };
            numbers.push(gather(gathered.aggregate, &of));
            outer.push(format!("{} AS {}", gather(gathered.aggregate, &of), quoted(&gathered.label)));
        }
        let all: Vec<String> = (0..keys.len()).map(|at| format!("\"key {at}\"")).chain(labels).collect();
        let time = self.weekday_key().and_then(|_| all.first().cloned());
        let tail = self.tail(&all, &numbers, time.as_deref());
        format!("SELECT {}\nFROM (\n{inner}\n){tail}", outer.join(", "))
    }

    /// `numbers` are the gathered numbers as written: an alias could be taken for a column of that name in HAVING.
    fn tail(&mut self, keys: &[String], numbers: &[String], weekday: Option<&str>) -> String {
        let query = self.query;
        let mut text = String::new();
        if !keys.is_empty() {
            text.push_str(&format!("\nGROUP BY {}", keys.join(", ")));
        }
        let having: Vec<String> = query
            .having
            .iter()
            .filter_map(|(at, comparator, value)| {
                Some(format!("{} {} {}", numbers.get(*at)?, sign(*comparator), self.bind(number(*value))))
            })
            .collect();
        if !having.is_empty() {
            text.push_str(&format!("\nHAVING {}", having.join(" AND ")));
        }
        let ordered = if query.order.is_some() {
            self.order(keys.first().map(String::as_str))
        } else {
            self.natural_order(weekday)
        };
        format!("{text}{ordered}{}", self.limit())
    }

    /// By time where grouped by time, else by name; weekdays by their number.
    fn natural_order(&self, weekday: Option<&str>) -> String {
        let outer = self.query.over_groups.is_some() || self.query.count_groups;
        if outer || self.query.groups.is_empty() {
            return String::new();
        }
        if let Some(weekday) = weekday {
            return format!("\nORDER BY {weekday}");
        }
        let outputs = self.query.groups.iter().flat_map(|group| &group.outputs);
        let labels: Vec<String> = outputs.map(|output| quoted(&output.label)).collect();
        format!("\nORDER BY {}", labels.join(", "))
    }

    fn weekday_key(&self) -> Option<&Expression> {
        let weekdays = self.query.groups.first().filter(|group| group.time == Some(Grain::Weekday));
        weekdays.and_then(|group| group.keys.first())
    }
}

/// Sums of the same money in another order differ in the last bits, which must not decide a tie.
fn ordered_by(gathered: &Gathered) -> String {
    let label = quoted(&gathered.label);
    if matches!(gathered.aggregate, Aggregate::Sum | Aggregate::Average) { format!("ROUND({label}, 6)") } else { label }
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
    }
}

fn direction(order: Order) -> &'static str {
    match order {
        Order::Ascending => "ASC",
        Order::Descending => "DESC",
    }
}

fn gather(aggregate: Aggregate, of: &str) -> String {
    match aggregate {
        Aggregate::Count => format!("COUNT({of})"),
        Aggregate::CountDistinct => format!("COUNT(DISTINCT {of})"),
        Aggregate::Sum => format!("SUM({of})"),
        Aggregate::Average => format!("AVG({of})"),
        Aggregate::Minimum => format!("MIN({of})"),
        Aggregate::Maximum => format!("MAX({of})"),
        Aggregate::Median => format!("median({of})"),
        Aggregate::Deviation => format!("stddev({of})"),
        Aggregate::Percentile(percent) => format!("percentile({of}, {percent})"),
        Aggregate::Correlation => format!("corr({of})"),
    }
}

fn part_of(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("strftime('%Y', {date})"),
        DatePart::Quarter => format!("(CAST(strftime('%m', {date}) AS INTEGER) + 2) / 3"),
        DatePart::Month => format!("strftime('%m', {date})"),
        DatePart::Week => format!("strftime('%G-W%V', {date})"),
        DatePart::Day => format!("strftime('%Y-%m-%d', {date})"),
        DatePart::WeekdayNumber => format!("CAST(strftime('%u', {date}) AS INTEGER)"),
        DatePart::Weekday => format!(
            "CASE strftime('%u', {date}) WHEN '1' THEN 'Monday' WHEN '2' THEN 'Tuesday' WHEN '3' THEN 'Wednesday' \
             WHEN '4' THEN 'Thursday' WHEN '5' THEN 'Friday' WHEN '6' THEN 'Saturday' WHEN '7' THEN 'Sunday' END"
        ),
    }
}

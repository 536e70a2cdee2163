//! The groups of a query: rows gathered, each counted once where joins repeat them, and groups put against each other.
//! Apart from `sql` because only here a query is written inside another one. Next: `dialect`.

use super::dialect::{Written as _, apart, nearness};
use super::{Key, Writer, counts_keys, direction, number, sign};
use crate::catalogue::plural;
use crate::form::Aggregate;
use crate::period::Grain;
use crate::query::{Expression, FirstWithin, Gathered, Output, Query};

impl Writer<'_> {
    /// Groups come through a table of rows of their own when each row may count only once.
    pub(super) fn grouped(&mut self) -> String {
        let query = self.query;
        let once = query.once_per.is_some() && query.gathered.iter().any(|gathered| !counts_keys(gathered));
        let ranked =
            self.dialect.ranks_by_windows() && query.gathered.iter().any(|gathered| is_ranked(gathered.aggregate));
        let inner = if once || ranked { self.through_rows(once) } else { self.direct() };
        let derived = self.dialect.derived();
        if query.count_groups {
            // The name of the groups, and not the key that is shown beside it.
            let is_name = |output: &&Output| !output.label.ends_with(" id") && !output.label.ends_with(" code");
            let outputs = query.groups.last().map(|group| group.outputs.as_slice()).unwrap_or_default();
            let of = outputs.iter().rfind(is_name).or(outputs.last());
            let label = self.quoted(
                &of.map_or_else(|| "count".to_owned(), |output| format!("number of {}", plural(&output.label))),
            );
            return format!("SELECT COUNT(*) AS {label} FROM (\n{inner}\n){derived}");
        }
        if let Some(first) = &query.first_within {
            return self.first_within(first, &inner);
        }
        if let (Some(aggregate), true, Some(first)) = (query.over_groups, query.over_within, query.gathered.first()) {
            return self.over_within(aggregate, &self.quoted(&first.label), &inner);
        }
        if let (Some(Aggregate::Average), Some(all), Some(first)) =
            (query.over_groups, &query.over_all, query.gathered.first())
        {
            let label = self.quoted(&first.label);
            let all = format!("NULLIF(({}), 0)", self.count_of(all));
            let share = format!("COALESCE(SUM({label}), 0) * 1.0 / {all}");
            return format!("SELECT {share} AS {label} FROM (\n{inner}\n){derived}");
        }
        match (query.over_groups, query.gathered.first()) {
            (Some(aggregate), Some(first)) => {
                let label = self.quoted(&first.label);
                if self.dialect.ranks_by_windows() && is_ranked(aggregate) {
                    let near = nearness(aggregate, &label, "");
                    let number = self.dialect.gather(aggregate, "v", Some("near"));
                    let rows = format!("SELECT {label} AS v, {near} AS near FROM (\n{inner}\n){derived}");
                    return format!("SELECT {number} AS {label} FROM (\n{rows}\n){derived}");
                }
                let number = self.dialect.gather(aggregate, &label, None);
                format!("SELECT {number} AS {label} FROM (\n{inner}\n){derived}")
            }
            _ => inner,
        }
    }

    /// How many rows another query has. It stands before what is bound already, so that its values are written.
    fn count_of(&self, query: &Query) -> String {
        let (catalogue, dialect) = (self.catalogue, self.dialect);
        let mut rows = Writer { catalogue, query, dialect, parameters: Vec::new(), literal: true };
        let (from, tests) = (rows.from(), rows.tests());
        format!("SELECT COUNT(*) {from}{tests}")
    }

    /// The first groups' numbers gathered again within each of the others.
    fn over_within(&self, aggregate: Aggregate, label: &str, inner: &str) -> String {
        let outputs: Vec<&Output> = self.query.groups.iter().skip(1).flat_map(|group| &group.outputs).collect();
        let labels: Vec<String> = outputs.iter().map(|output| self.quoted(&output.label)).collect();
        let keys: Vec<Key> = outputs.iter().map(|output| self.label_key(output)).collect();
        let (shown, number) = (labels.join(", "), self.dialect.gather(aggregate, label, None));
        let (derived, order) = (self.dialect.derived(), self.rising(&keys));
        format!("SELECT {shown}, {number} AS {label} FROM (\n{inner}\n){derived}\nGROUP BY {shown}{order}")
    }

    /// The first groups within each, by the first number; all that tie for the last place are kept.
    fn first_within(&self, first: &FirstWithin, inner: &str) -> String {
        let groups = self.query.groups.iter().enumerate();
        let within: Vec<String> = groups
            .filter(|(at, _)| first.within.contains(at))
            .flat_map(|(_, group)| group.outputs.iter().map(|output| self.quoted(&output.label)))
            .collect();
        let outputs =
            self.query.groups.iter().flat_map(|group| &group.outputs).map(|output| self.quoted(&output.label));
        let numbers = self.query.gathered.iter().filter(|gathered| gathered.is_shown());
        let numbers = numbers.map(|gathered| self.quoted(&gathered.label));
        let columns: Vec<String> = outputs.chain(numbers).collect();
        let by = self
            .query
            .gathered
            .first()
            .map_or_else(String::new, |gathered| self.ordered_by(gathered, &self.quoted(&gathered.label)));
        let (within, by) = (within.join(", "), self.dialect.missing_last(&by, direction(first.order)));
        let derived = self.dialect.derived();
        let place = self.quoted("place");
        let ranked = format!("RANK() OVER (PARTITION BY {within} ORDER BY {by}) AS {place}");
        format!(
            "SELECT {} FROM (\nSELECT *, {ranked} FROM (\n{inner}\n){derived}\n){derived}\nWHERE {place} <= {}\n\
             ORDER BY {within}, {place}",
            columns.join(", "),
            first.limit
        )
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
            let with = gathered.with.as_ref().map(|with| self.expression(with));
            let number = self.dialect.gather(gathered.aggregate, &of, with.as_deref());
            if gathered.is_shown() {
                columns.push(format!("{number} AS {}", self.quoted(&gathered.label)));
            }
            numbers.push(number);
        }
        let (from, tests) = (self.from(), self.tests());
        let time = self.weekday_key().map(|key| self.key(key));
        // Columns made by a dialect that orders by names only can be ordered by their names.
        let outputs = query.groups.iter().flat_map(|group| &group.outputs);
        let shown: Vec<Key> = if self.dialect.is_strict() {
            outputs.map(|output| self.key(&output.expression)).collect()
        } else {
            outputs.map(|output| self.label_key(output)).collect()
        };
        let tail = self.tail(&self.group_keys(), &numbers, time.map_or(shown, |time| vec![time]));
        format!("SELECT {}\n{from}{tests}{tail}", columns.join(", "))
    }

    pub(super) fn label_key(&self, output: &Output) -> Key {
        Key { text: self.quoted(&output.label), kind: self.kind(&output.expression) }
    }

    fn group_columns(&self) -> Vec<String> {
        self.query.groups.iter().flat_map(|group| &group.outputs).map(|output| self.named(output)).collect()
    }

    fn group_keys(&self) -> Vec<Key> {
        let groups = self.query.groups.iter();
        groups
            .flat_map(|group| group.keys.iter().chain(group.outputs.iter().map(|output| &output.expression)))
            .map(|key| self.key(key))
            .collect()
    }

    /// First the rows within each group, then the gathering. With `once` each row of the counted table comes once.
    fn through_rows(&mut self, once: bool) -> String {
        let query = self.query;
        let mut columns = self.group_columns();
        let mut all = Vec::new();
        for (at, key) in query.groups.iter().flat_map(|group| &group.keys).enumerate() {
            let name = self.quoted(&format!("key {at}"));
            columns.push(format!("{} AS {name}", self.expression(key)));
            all.push(Key { text: name, kind: self.kind(key) });
        }
        if let Some(key) = &query.once_per {
            columns.push(format!("{} AS {}", self.expression(key), self.quoted("row")));
        }
        for (at, of) in query.gathered.iter().enumerate().filter_map(|(at, g)| g.of.as_ref().map(|of| (at, of))) {
            columns.push(format!("{} AS {}", self.expression(of), self.quoted(&format!("value {at}"))));
        }
        for (at, with) in query.gathered.iter().enumerate().filter_map(|(at, g)| g.with.as_ref().map(|w| (at, w))) {
            columns.push(format!("{} AS {}", self.expression(with), self.quoted(&format!("with {at}"))));
        }
        let (from, tests) = (self.from(), self.tests());
        let distinct = if once { "DISTINCT " } else { "" };
        let outputs = query.groups.iter().flat_map(|group| &group.outputs);
        let within: Vec<String> = all.iter().map(|key| key.text.clone()).collect();
        let within = within.into_iter().chain(outputs.clone().map(|output| self.quoted(&output.label))).collect();
        let inner = self.ranked(format!("SELECT {distinct}{}\n{from}{tests}", columns.join(", ")), within);
        let labels: Vec<Key> = outputs.clone().map(|output| self.label_key(output)).collect();
        let mut outer: Vec<String> = labels.iter().map(|label| label.text.clone()).collect();
        let mut numbers = Vec::new();
        for (at, gathered) in query.gathered.iter().enumerate() {
            let number = self.gathered_from_rows(at, gathered);
            if gathered.is_shown() {
                outer.push(format!("{number} AS {}", self.quoted(&gathered.label)));
            }
            numbers.push(number);
        }
        let weekday = self.weekday_key().is_some();
        all.extend(outputs.map(|output| self.label_key(output)));
        let shown = match all.first().filter(|_| weekday) {
            Some(number) => vec![Key { text: number.text.clone(), kind: number.kind }],
            None => labels,
        };
        let tail = self.tail(&all, &numbers, shown);
        format!("SELECT {}\nFROM (\n{inner}\n){}{tail}", outer.join(", "), self.dialect.derived())
    }

    fn gathered_from_rows(&self, at: usize, gathered: &Gathered) -> String {
        let named = |what: &str| self.quoted(&format!("{what} {at}"));
        let ranked = self.dialect.ranks_by_windows() && is_ranked(gathered.aggregate);
        let (of, with) = match (&gathered.of, &self.query.once_per) {
            (Some(_), _) if ranked && gathered.aggregate == Aggregate::Correlation => {
                (named("left"), Some(named("right")))
            }
            (Some(_), _) if ranked => (named("value"), Some(named("near"))),
            (Some(_), _) => (named("value"), gathered.with.as_ref().map(|_| named("with"))),
            (None, Some(_)) => (format!("DISTINCT {}", self.quoted("row")), None),
            (None, None) => ("*".to_owned(), None),
        };
        self.dialect.gather(gathered.aggregate, &of, with.as_deref())
    }

    /// The rows with what a dialect without median, percentile and correlation makes these of.
    fn ranked(&self, rows: String, within: Vec<String>) -> String {
        if !self.dialect.ranks_by_windows() {
            return rows;
        }
        let within = if within.is_empty() { String::new() } else { format!("PARTITION BY {}", within.join(", ")) };
        let ranked = self.query.gathered.iter().enumerate().filter(|(_, gathered)| is_ranked(gathered.aggregate));
        let columns: Vec<String> = ranked
            .flat_map(|(at, gathered)| {
                let named = |what: &str| self.quoted(&format!("{what} {at}"));
                let (of, with) = (named("value"), named("with"));
                if gathered.aggregate == Aggregate::Correlation {
                    let left = format!(", {} AS {}", apart(&of, &with, &within), named("left"));
                    vec![left, format!(", {} AS {}", apart(&with, &of, &within), named("right"))]
                } else {
                    vec![format!(", {} AS {}", nearness(gathered.aggregate, &of, &within), named("near"))]
                }
            })
            .collect();
        if columns.is_empty() {
            return rows;
        }
        format!("SELECT *{} FROM (\n{rows}\n){}", columns.concat(), self.dialect.derived())
    }

    /// `numbers` are the gathered numbers as written: an alias could be taken for a column of that name in HAVING.
    /// `shown` is the order of groups that nothing else orders: by time where grouped by time, else by name; weekdays
    /// by their number.
    fn tail(&mut self, keys: &[Key], numbers: &[String], shown: Vec<Key>) -> String {
        let query = self.query;
        let mut text = String::new();
        if !keys.is_empty() {
            let keys: Vec<&str> = keys.iter().map(|key| key.text.as_str()).collect();
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
        let is_inner = query.over_groups.is_some() || query.count_groups;
        let ordered = match &query.order {
            Some(_) => self.order(keys.first(), numbers),
            None if is_inner => String::new(),
            None => self.rising(&shown),
        };
        format!("{text}{ordered}{}", self.limit())
    }

    fn weekday_key(&self) -> Option<&Expression> {
        let weekdays = self.query.groups.first().filter(|group| group.time == Some(Grain::Weekday));
        weekdays.and_then(|group| group.keys.first())
    }
}

/// Whether it depends on where a row stands among the others.
fn is_ranked(aggregate: Aggregate) -> bool {
    matches!(aggregate, Aggregate::Median | Aggregate::Percentile(_) | Aggregate::Correlation)
}

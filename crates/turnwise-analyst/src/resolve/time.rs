//! Time in a query: which of the dates within reach is meant, groups by it and spans of it. A wrong date gives a
//! plausible wrong answer, so the choice is always stated. Next: `list`.

use jiff::civil::Date;
use turnwise_core::Cell;

use super::assemble::{Frame, NO_KEY};
use super::weigh::{Misfit, Target, Use, weigh};
use super::{JOIN, Trouble, keep_answer, question};
use crate::catalogue::{AxisPlace, Path, TableEntry, plural};
use crate::dating;
use crate::form::{ColumnId, Filter, Mention, TableId};
use crate::lexicon::lexicon;
use crate::period::{Grain, NO_DATA, Period, Span};
use crate::query::{DatePart, Expression, Group, Output, Test};
use crate::read::DAYS;
use crate::source::ColumnKind;

/// Letters a date's name must share with its table's to be the date it happened: `loaned_on` of `loans`.
const SHARED_MIN: usize = 4;

/// Letters a verb shares with its noun, and those that either may have besides: "delivered" and "delivery", "booked"
/// and "bookings".
const ROOT_MIN: usize = 4;
const ENDING_MAX: usize = 4;
/// What a date that was not named comes behind: all that were, however far.
const UNNAMED: usize = 100;
/// How much a table further off comes later than any date that is likely to be meant, and before those that hardly are.
const HOP: usize = 20;
/// How much a date that no row has comes later than those of its table that some have.
const NO_DATES: usize = 400;
/// Where a year by itself comes among the times of its table.
const LONE_YEAR: usize = 14;

/// Whether a date is called after its own table: `loaned_on` of loans.
pub fn is_own(table: &[String], column: &[String]) -> bool {
    let Some(head) = table.last().filter(|head| head.len() >= SHARED_MIN) else { return false };
    column.iter().any(|stem| stem.starts_with(head.as_str()))
}

/// Whether a date is the verb of its own table: `paid_at` of payments.
fn is_deed(table: &[String], column: &[String]) -> bool {
    // "Delivered" and "delivery".
    let shared =
        |stem: &str, head: &str| stem.bytes().zip(head.bytes()).take_while(|(one, other)| one == other).count();
    let root = |stem: &str, head: &str| {
        let shared = shared(stem, head);
        shared >= ROOT_MIN && stem.len() <= shared + ENDING_MAX && head.len() <= shared + ENDING_MAX
    };
    let verb = |stem: &String, head: &String| {
        lexicon().nouns_of(stem).contains(head) || (stem.ends_with("ed") && root(stem, head))
    };
    table.last().is_some_and(|head| column.iter().any(|stem| verb(stem, head)))
}

/// What a date is called beside others of its table: where all begin with the name of the table
/// (`order_approved_at`, `order_delivered_at`), that says of none when it was.
fn telling(table: &TableEntry, at: usize) -> &[String] {
    let dates = || {
        table.axes.iter().filter_map(|axis| match axis.place {
            AxisPlace::Column(at) => Some(table.columns[at].stems.as_slice()),
            AxisPlace::Parts { .. } => None,
        })
    };
    let named = dates().count() > 1 && dates().all(|stems| stems.starts_with(&table.stems));
    let stems = table.columns[at].stems.as_slice();
    stems.strip_prefix(table.stems.as_slice()).filter(|rest| named && !rest.is_empty()).unwrap_or(stems)
}

/// The table of a number that only its rows have: the kegs returned with a delivery are of the day it was delivered.
fn only_owner(number: &Mention) -> Option<TableId> {
    let mut tables = number.columns().map(|column| column.table);
    let first = tables.next().filter(|_| number.concept().is_none() && number.table().is_none())?;
    tables.all(|table| table == first).then_some(first)
}

/// A time axis within reach.
struct Axis {
    table: TableId,
    path: Path,
    place: AxisPlace,
    label: String,
    range: Option<(Date, Date)>,
    clock: bool,
    /// What it costs beside other readings of the question.
    cost: u32,
    /// Where it comes among the times within reach: those of the nearest table first.
    order: usize,
}

impl Axis {
    /// Whether nothing but years is written there.
    fn is_year(&self) -> bool {
        matches!(self.place, AxisPlace::Parts { month: None, .. })
    }
}

impl Frame<'_> {
    /// Groups by `grain` of the time meant.
    pub fn time_group(&mut self, grain: Grain) -> Result<Group, Misfit> {
        let axis = self.axis()?;
        if grain == Grain::Hour && !axis.clock {
            let text = format!("{} holds days and no time of day, so there are no hours to group by.", axis.label);
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        }
        if grain != Grain::Year && axis.is_year() {
            let text = format!("{} holds years alone, so there is no {} to group by.", axis.label, grain.name());
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        }
        let source = self.source(&axis.path);
        self.say_time(&axis);
        let date = Expression::Date { source, place: axis.place };
        let parts: &[(&str, DatePart)] = match grain {
            Grain::Year => &[("year", DatePart::Year)],
            Grain::Quarter => &[("year", DatePart::Year), ("quarter", DatePart::Quarter)],
            Grain::Month => &[("year", DatePart::Year), ("month", DatePart::Month)],
            Grain::Week => &[("week", DatePart::Week)],
            Grain::Day => &[("day", DatePart::Day)],
            Grain::Hour => &[("hour", DatePart::Hour)],
            Grain::Weekday => &[("weekday", DatePart::Weekday)],
        };
        let part = |part: DatePart| Expression::Part { part, of: Box::new(date.clone()) };
        let outputs: Vec<Output> =
            parts.iter().map(|(label, of)| Output { label: self.label(label), expression: part(*of) }).collect();
        let keys = if grain == Grain::Weekday { vec![part(DatePart::WeekdayNumber)] } else { Vec::new() };
        Ok(Group { outputs, keys, time: Some(grain) })
    }

    /// The time meant: of the starting table before those it refers to, the likeliest name first.
    fn axis(&mut self) -> Result<Axis, Misfit> {
        let mut axes = self.axes_in_reach();
        axes.sort_by_key(|axis| axis.order);
        let mut axes = keep_answer(self.form, "date", axes, |axis| axis.label.as_str());
        self.put_settled_first(&mut axes);
        let mut axes = axes.into_iter();
        let Some(best) = axes.next() else {
            let table = self.catalogue.table(self.home_table).noun();
            let text = format!("No dates are known for {}.", plural(&table));
            return Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) });
        };
        let rivals: Vec<String> = axes.filter(|axis| axis.order == best.order).map(|axis| axis.label).collect();
        if rivals.is_empty() {
            // A time that is both grouped by and limited is chosen once.
            if !std::mem::replace(&mut self.timed, true) {
                self.cost += best.cost;
            }
            return Ok(best);
        }
        let mut labels = vec![best.label];
        labels.extend(rivals);
        Err(Misfit { cost: best.cost, trouble: Trouble::Unclear(question("date", &labels)) })
    }

    /// The date that was settled on for the rows that are dated comes before their others, and beside none of them.
    fn put_settled_first(&self, axes: &mut Vec<Axis>) {
        let Some(best) = axes.first().filter(|best| best.order >= UNNAMED) else { return };
        let (table, path, order, cost) = (best.table, best.path.clone(), best.order, best.cost);
        let Some(by) = dating::of_table(self.form, table) else { return };
        let settled = AxisPlace::Column(by.date.column);
        let Some(at) = axes.iter().position(|axis| axis.path == path && axis.place == settled) else { return };
        let chosen = Axis { order, cost, ..axes.remove(at) };
        axes.retain(|axis| axis.path != path || axis.order > order);
        axes.insert(0, chosen);
    }

    /// Says which date the time is that of: with the others there are, where one was settled on.
    fn say_time(&mut self, axis: &Axis) {
        let by = dating::of_table(self.form, axis.table).filter(|by| axis.place == AxisPlace::Column(by.date.column));
        let told = by.map(|by| by.told.clone()).filter(|told| !told.is_empty());
        self.assume(told.unwrap_or_else(|| format!("Time is that of {}.", axis.label)));
    }

    fn axes_in_reach(&self) -> Vec<Axis> {
        let mentioned: Vec<ColumnId> =
            self.form.attributes.iter().chain(&self.form.context).flat_map(Mention::columns).collect();
        // The payments asked about are those of the day they were paid; their amount may as well be that of the
        // invoices.
        let asked = self.form.measures.iter().map(|measure| &measure.of).chain(&self.form.subject);
        let mut asked: Vec<_> = asked.chain(&self.form.context).filter_map(Mention::only_table).collect();
        asked.extend(self.form.measures.iter().filter_map(|measure| only_owner(&measure.of)));
        let lines = &self.catalogue.table(self.start).stems;
        let mut axes = Vec::new();
        for (id, table) in self.catalogue.tables() {
            let Some(path) = self.catalogue.paths(self.start, id).first() else { continue };
            for axis in &table.axes {
                let (rank, named) = match axis.place {
                    AxisPlace::Column(at) => (
                        if is_own(&table.stems, telling(table, at))
                            || (asked.contains(&id) && is_deed(&table.stems, telling(table, at)))
                        {
                            0
                        } else {
                            1 + lexicon().date_rank(telling(table, at))
                        },
                        mentioned.contains(&ColumnId { table: id, column: at }),
                    ),
                    AxisPlace::Parts { year, month, .. } => (
                        if month.is_some() { 0 } else { LONE_YEAR },
                        month.is_none() && mentioned.contains(&ColumnId { table: id, column: year }),
                    ),
                };
                if axis.named_only && !named {
                    continue;
                }
                // What no row has dates none.
                let rank = if axis.range.is_none() { rank + NO_DATES } else { rank };
                // The lines of an order are of the day of the order, and not of that the product came in.
                let head = path.0.len() == 1 && lines.len() > table.stems.len() && lines.starts_with(&table.stems);
                let rank = if head { rank.saturating_sub(1) } else { rank };
                let far = path.0.len() * usize::try_from(JOIN).unwrap_or_default();
                // However little its name says, a date of the rows themselves is nearer than any of others.
                let cost = if named { 0 } else { 1 + far + rank.min(HOP) };
                axes.push(Axis {
                    table: id,
                    path: path.clone(),
                    place: axis.place.clone(),
                    label: format!("{}.{}", table.name, axis.label),
                    range: axis.range,
                    clock: axis.clock,
                    cost: u32::try_from(cost).unwrap_or(u32::MAX / 4),
                    order: if named { path.0.len() } else { UNNAMED + path.0.len() * HOP + rank },
                });
            }
        }
        axes
    }

    /// The test that a row lies on one of the days of the week, or on none of them.
    pub fn weekday_test(&mut self, days: &[i8], negated: bool) -> Result<Test, Misfit> {
        let axis = self.axis()?;
        let source = self.source(&axis.path);
        self.say_time(&axis);
        let date = Expression::Date { source, place: axis.place };
        let name = |day: &i8| usize::try_from(day - 1).ok().and_then(|at| DAYS.get(at)).copied();
        let values = days.iter().filter_map(name).map(|name| Cell::Text(name.to_owned())).collect();
        Ok(Test::In { of: Expression::Part { part: DatePart::Weekday, of: Box::new(date) }, values, negated })
    }

    /// The test that a date that was named lies in `period`.
    pub fn dated_test(&mut self, of: &Mention, period: &Period) -> Result<Test, Misfit> {
        let reading = weigh(self.catalogue, self.form, self.start, of, Use::Plain)?;
        let Target::Column(column) = reading.target else {
            let text = format!("“{}” is no date that could lie in “{}”.", of.words, period.label());
            return Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) });
        };
        self.cost += reading.cost;
        let entry = self.catalogue.column(column);
        let place = match entry.kind {
            ColumnKind::Date => AxisPlace::Column(column.column),
            _ => AxisPlace::Parts { year: column.column, month: None, day: None },
        };
        let axes = &self.catalogue.table(column.table).axes;
        let range = axes.iter().find(|axis| axis.place == place).and_then(|axis| axis.range);
        let label = self.catalogue.column_label(column);
        let last = range.map(|(_, last)| last).or_else(|| self.catalogue.last_date());
        let path = reading.path;
        self.apart_from(&path, &place, period)?;
        self.within(
            period,
            &Axis { table: column.table, path, place, label, range, clock: false, cost: 0, order: 0 },
            last,
            false,
        )
    }

    /// Two times of one date at once would be nothing, or a comparison nobody asked for.
    fn apart_from(&mut self, path: &Path, place: &AxisPlace, period: &Period) -> Result<(), Misfit> {
        let Some(other) = self.form.periods.first() else { return Ok(()) };
        let axis = self.axis()?;
        if axis.path != *path || axis.place != *place {
            return Ok(());
        }
        let text = format!(
            "“{}” and “{}” would both be times of {}: say of which date each is, or begin with “compare”.",
            period.label(),
            other.label(),
            axis.label
        );
        Err(Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) })
    }

    /// The test that a row lies in `period`, or outside of it.
    pub fn time_test(&mut self, period: &Period, outside: bool) -> Result<Test, Misfit> {
        let axis = self.axis()?;
        let last = axis.range.map(|(_, last)| last);
        self.within(period, &axis, last, outside)
    }

    fn within(&mut self, period: &Period, axis: &Axis, last: Option<Date>, outside: bool) -> Result<Test, Misfit> {
        let source = self.source(&axis.path);
        let nowhere =
            || Misfit { cost: NO_KEY, trouble: Trouble::Impossible(format!("{} holds no dates.", axis.label)) };
        let last = last.ok_or_else(nowhere)?;
        let Some(span) = period.span(last) else {
            let text = format!("“{}” is beyond the calendar.", period.label());
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        };
        let inside = |date: Option<Date>| date.is_some_and(|date| date.day_of_year() != 1);
        if axis.is_year() && (inside(span.from) || inside(span.until)) {
            let text = format!("{} holds years alone, so “{}” cannot be told there.", axis.label, period.label());
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        }
        self.note_period(period, axis, last, span);
        self.note_empty(period, axis, span);
        let text = |date: Option<Date>| date.map(|date| date.to_string());
        let of = Expression::Date { source, place: axis.place.clone() };
        Ok(Test::Time { of, from: text(span.from), until: text(span.until), outside })
    }

    /// A total of nothing because the data begins later looks like a bad year.
    fn note_empty(&mut self, period: &Period, axis: &Axis, span: Span) {
        let Some((first, last)) = axis.range else { return };
        let before = span.until.is_some_and(|until| until <= first);
        if before || span.from.is_some_and(|from| from > last) {
            let (label, time) = (period.label(), &axis.label);
            self.assume(format!("{NO_DATA}{label}”: {time} goes from {first} to {last}."));
        }
    }

    fn note_period(&mut self, period: &Period, axis: &Axis, last: Date, span: Span) {
        let dated = self.form.filters.iter().any(|filter| matches!(filter, Filter::Dated { .. }));
        match dated {
            true => self.assume(format!("“{}” is a time of {}.", period.label(), axis.label)),
            false => self.say_time(axis),
        }
        if period.is_relative() {
            let from = span.from.map_or_else(String::new, |from| format!(" from {from}"));
            let until = span.until.and_then(|until| until.yesterday().ok());
            let until = until.map_or_else(String::new, |until| format!(" to {until}"));
            let label = period.label();
            self.assume(format!("“{label}” is taken{from}{until}: the data ends on {last}."));
        }
    }
}

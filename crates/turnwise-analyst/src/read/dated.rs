//! Times that stand by a date of their own: in "kWh in 2024 of meters installed in 2022" the one is of the readings and
//! the other of `installed_on`. A time is taken to be of the date it stands by; two times of which nothing says that
//! are asked about, never compared by chance. Next: `compose`, `resolve::time`.

use super::super::catalogue::{Amount, AxisPlace, Catalogue, TimeAxis};
use super::super::form::{Analysis, ColumnId, Dimension, Filter, Found, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Role, lexicon};
use super::super::period::{Period, Span};
use super::super::source::ColumnKind;
use super::slots::Walker;
use super::spot::Spotted;
use super::verbs;

/// A time with the date it stands by.
#[derive(Clone, Debug, PartialEq)]
pub struct Dated {
    /// The time.
    pub period: Period,
    /// The date, where a verb or a name right before says it.
    pub of: Option<Mention>,
    /// Whether it is joined to the time before it: "2023 and 2024".
    pub joined: bool,
    /// Where it stands.
    at: usize,
}

/// "Per month, by paid date" groups by the months of that date, and not by each day of it as well.
pub fn of_one_date(catalogue: &Catalogue, form: &mut QueryForm) {
    if !form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_))) {
        return;
    }
    let is_date = |dimension: &Dimension| match dimension {
        Dimension::Thing(mention) => {
            let mut columns = mention.columns().peekable();
            let any = columns.peek().is_some();
            any && mention.table().is_none() && columns.all(|column| catalogue.column(column).kind == ColumnKind::Date)
        }
        Dimension::Time(_) => false,
    };
    let (dates, rest): (Vec<Dimension>, Vec<Dimension>) = form.dimensions.drain(..).partition(is_date);
    form.dimensions = rest;
    form.context.extend(dates.into_iter().filter_map(|dimension| match dimension {
        Dimension::Thing(mention) => Some(mention),
        Dimension::Time(_) => None,
    }));
}

/// "In 2023 but not in 2024" of single rows leaves none out: who has rows in the one and none in the other was asked.
pub fn leaves_out_nothing(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let last = catalogue.last_date()?;
    let span = |period: &Period| period.span(last);
    let apart = |one: &Period, other: &Period| {
        let (Some(one), Some(other)) = (span(one), span(other)) else { return false };
        let ends = |first: &Span, second: &Span| {
            let (Some(end), Some(begin)) = (first.until, second.from) else { return false };
            end <= begin
        };
        ends(&one, &other) || ends(&other, &one)
    };
    form.filters.iter().find_map(|filter| {
        let Filter::Outside { period } = filter else { return None };
        let nothing = !form.periods.is_empty() && form.periods.iter().all(|own| apart(own, period));
        let (own, out) = (form.periods.first().map_or_else(String::new, Period::label), period.label());
        nothing.then(|| {
            format!(
                "No row of {own} is one of {out}. For those who have some in {own} and none in {out}, say what they did \
                 right before the times, as in “customers who ordered in {own} but not in {out}”."
            )
        })
    })
}

impl Walker<'_> {
    /// "copies bought in 2021", of a date that is called so: the verb says which date, and not that something was sold.
    pub fn dates_deed(&mut self, span: &Spotted) -> bool {
        let verbal = matches!(span.role(), Some(Role::Bought | Role::Sold | Role::Spent | Role::Link | Role::Ignore));
        let behind =
            self.spans.iter().skip(self.at + 1).find(|next| !matches!(next.role(), Some(Role::In | Role::Ignore)));
        if !verbal || self.lacking || self.never.is_some() || behind.is_none_or(|next| next.period.is_none()) {
            return false;
        }
        let Some(mention) = self.dates_of_verb(span) else { return false };
        self.slots.context.push(mention.clone());
        self.slots.timed.push(mention);
        true
    }

    /// The rows that stand right before a verb: "bikes bought in 2024".
    fn rows_before(&self, span: &Spotted) -> Option<TableId> {
        let at = self.spans.iter().take(self.at + 1).rposition(|own| own == span)?;
        let before = self.spans.iter().take(at).rev().find(|own| own.role() != Some(Role::Ignore))?;
        super::qualify::table_of(before)
    }

    fn dates_of_verb(&self, span: &Spotted) -> Option<Mention> {
        if span.text.contains(' ') || span.text.len() < 4 {
            return None;
        }
        let mut candidates = verbs::verb_names(self.catalogue, &span.text.to_lowercase())?;
        let verb = span.text.to_lowercase();
        // "Bought" is not the order date, although orders are purchases: something was sold.
        candidates.retain(|candidate| match candidate.thing {
            Thing::Column(column) => {
                let entry = self.catalogue.column(column);
                let own = entry.stems.iter().any(|stem| stem.len() > 2 && verb.starts_with(stem.as_str()));
                // "Bikes bought in 2024" were, where bikes have a date of purchase.
                let theirs = self.rows_before(span) == Some(column.table)
                    && entry.stems.iter().any(|stem| lexicon().nouns_of(&verb).contains(stem));
                let own = own || theirs;
                own && (entry.kind == ColumnKind::Date || self.catalogue.is_year(column))
            }
            Thing::Table(_) | Thing::Concept(_) => false,
        });
        (!candidates.is_empty()).then(|| Mention { words: span.text.clone(), candidates })
    }

    /// "Campuses opened before 1900", of campuses with one year and nothing called so: the verb says how that came to
    /// be. False where there are several times, or the verb may be another event than the one that is dated.
    pub fn says_time(&mut self, span: &Spotted) -> bool {
        let behind =
            self.spans.iter().skip(self.at + 1).find(|next| !matches!(next.role(), Some(Role::In | Role::Ignore)));
        let dated = behind.is_some_and(|next| next.period.is_some()) && !self.negated && !self.lacking;
        if !dated || !lexicon().is_beginning(&span.text.to_lowercase()) {
            return false;
        }
        let mut tables = self.named_tables();
        tables.sort_unstable();
        tables.dedup();
        let times = tables.iter().flat_map(|table| self.catalogue.table(*table).axes.iter().map(|axis| (*table, axis)));
        let times: Vec<(TableId, &TimeAxis)> = times.collect();
        let [(table, axis)] = times.as_slice() else { return false };
        let column = match axis.place {
            AxisPlace::Column(column) | AxisPlace::Parts { year: column, .. } => column,
        };
        let stems = &self.catalogue.table(*table).columns[column].stems;
        if stems.iter().any(|stem| matches!(stem.as_str(), "birth" | "birthday" | "dob" | "born" | "death")) {
            return false;
        }
        let label = format!("{}.{}", self.catalogue.table(*table).name, axis.label);
        let thing = Thing::Column(ColumnId { table: *table, column });
        self.slots.notes.push(format!("“{}” is taken to be the time of {label}, the only one there is.", span.text));
        self.slots.context.push(Mention::of(span.text.clone(), thing));
        true
    }

    /// Notes a time with the date it stands by.
    pub fn note_time(&mut self, period: &Period) {
        let small = |span: &Spotted| {
            let says_date = span.role() == Some(Role::Ignore) && self.dates_of_verb(span).is_some();
            !says_date && matches!(span.role(), Some(Role::Ignore | Role::In | Role::Of))
        };
        let before = self.spans.iter().enumerate().take(self.at).rev().find(|(_, span)| !small(span));
        let dated = before.and_then(|(at, span)| {
            let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
            let deed = span.signal.is_some() && span.names.is_empty();
            let mention = if deed { self.dates_of_verb(span)? } else { mention };
            let is_date = mention.table().is_none() && is_time(self.catalogue, &mention) && !span.negates;
            is_date.then_some((at, mention))
        });
        let joins = |span: &Spotted| {
            small(span) || matches!(span.role(), Some(Role::And | Role::Or | Role::Versus | Role::With | Role::More))
        };
        let last = self.slots.times.last().map(|last| last.at);
        let joined = last.is_some_and(|last| self.spans.iter().take(self.at).skip(last + 1).all(joins));
        if let Some((at, _)) = &dated {
            self.slots.loose.retain(|(place, _)| place != at);
        }
        let of = dated.map(|(_, mention)| mention);
        let of = of.or_else(|| self.slots.times.last().filter(|_| joined).and_then(|last| last.of.clone()));
        self.slots.times.push(Dated { period: period.clone(), of, joined, at: self.at });
    }
}

/// Whether a mention is a date, or the year of one.
pub fn is_time(catalogue: &Catalogue, mention: &Mention) -> bool {
    mention.columns().any(|column| {
        let entry = catalogue.column(column);
        let year = entry.stems.last().is_some_and(|last| last == "year") || catalogue.is_year(column);
        entry.kind == ColumnKind::Date || year
    })
}

/// Gives each time its date. A time of another date than the rest becomes a test of its own; gives what to ask where
/// two times stand side by side and nothing says what each is of.
pub fn settle(
    catalogue: &Catalogue,
    times: Vec<Dated>,
    timed: &mut Vec<Mention>,
    form: &mut QueryForm,
) -> Option<String> {
    if times.len() != form.periods.len() || times.iter().zip(&form.periods).any(|(time, own)| time.period != *own) {
        return None;
    }
    let alike = times.windows(2).all(|pair| pair[0].of == pair[1].of);
    if alike {
        let Some(of) = times.first().and_then(|time| time.of.clone()) else {
            return apart(&times, form);
        };
        let course = form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)))
            || matches!(
                form.analysis,
                Analysis::Trend | Analysis::Growth | Analysis::Forecast(_) | Analysis::Cumulative
            );
        if !(course && times.len() == 1 && is_foreign(catalogue, &of, form)) {
            if !form.context.contains(&of) {
                form.context.push(of);
            }
            return apart(&times, form);
        }
    }
    let mut kept = Vec::new();
    for time in &times {
        let Some(of) = &time.of else {
            kept.push(time.period.clone());
            continue;
        };
        if times.iter().filter(|other| other.of == time.of).count() > 1 {
            let text = format!(
                "Several times of “{}” beside another date cannot be had at once: ask for one of them.",
                of.words
            );
            return Some(text);
        }
        form.context.retain(|mention| mention != of);
        timed.retain(|mention| mention != of);
        form.filters.push(Filter::Dated { of: of.clone(), period: time.period.clone() });
    }
    form.periods = kept;
    apart(&times.into_iter().filter(|time| time.of.is_none()).collect::<Vec<_>>(), form)
}

/// Two times that nothing puts side by side are no comparison.
fn apart(times: &[Dated], form: &QueryForm) -> Option<String> {
    let loose = times.iter().skip(1).any(|time| !time.joined);
    // Two values of one column are another trouble, which is told where the column is known.
    let values: Vec<&Found> = form.filters.iter().filter_map(value_of).flatten().collect();
    let twice = values.iter().enumerate().any(|(at, one)| values.iter().skip(at + 1).any(|two| one.place == two.place));
    if twice || form.analysis != Analysis::Plain || !loose || form.claim.is_some() {
        return None;
    }
    let labels: Vec<String> = times.iter().map(|time| time.period.label()).collect();
    Some(format!(
        "What are {} the times of? Say it of each, as in “sales in 2024 to customers who joined in 2022”; to set them \
         side by side, begin with “compare”.",
        labels.join(" and ")
    ))
}

fn value_of(filter: &Filter) -> Option<&Vec<Found>> {
    match filter {
        Filter::Value { found, negated: false, .. } => Some(found),
        _ => None,
    }
}

/// Whether a date is of other rows than those that are counted or gathered.
fn is_foreign(catalogue: &Catalogue, of: &Mention, form: &QueryForm) -> bool {
    let mut home: Vec<TableId> = Vec::new();
    let measured = form.measures.iter().map(|measure| &measure.of).chain(&form.subject);
    for candidate in measured.flat_map(|mention| &mention.candidates) {
        match candidate.thing {
            Thing::Table(table) => home.push(table),
            Thing::Column(column) => home.push(column.table),
            Thing::Concept(concept) => {
                home.extend(catalogue.measures(concept).iter().map(|source| match source.amount {
                    Amount::Column(column) => column.table,
                    Amount::Product { .. } | Amount::Difference { .. } => source.table,
                }))
            }
        }
    }
    !of.columns().any(|column| home.contains(&column.table))
}

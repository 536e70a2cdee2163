//! Two keys from one table to another: a trip has the station it starts at and the one it ends at. Departures are the
//! rows counted by the first, arrivals by the second, and a "start station" or a station where trips "end" is reached
//! by the key that says so. A word that only such a key's name has ("GP" of `gp_doc_id`) stands for whom it leads to.
//! Next: `selves` for keys to the same table, `catalogue/roles.rs`.

use std::collections::BTreeSet;

use super::super::catalogue::{Catalogue, Making};
use super::super::form::{Candidate, ColumnId, End, Filter, Found, Mention, TableId, Thing};
use super::super::lexicon::{Role, lexicon};
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::Spotted;

/// Rows by where they come from, and by where they go.
const DEPARTURES: [&str; 7] = ["departures", "departure", "starts", "pickups", "pick ups", "outgoing", "origins"];
const ARRIVALS: [&str; 6] = ["arrivals", "arrival", "dropoffs", "drop offs", "incoming", "ends"];
/// What a place is to whatever comes from it or goes to it.
const ORIGIN: [&str; 7] = ["start", "starting", "origin", "departure", "source", "pickup", "begin"];
const DESTINATION: [&str; 7] = ["end", "ending", "destination", "arrival", "dropoff", "target", "final"];
/// Verbs of either.
const LEAVES: [&str; 12] = [
    "start",
    "starts",
    "started",
    "starting",
    "begin",
    "begins",
    "began",
    "beginning",
    "depart",
    "departs",
    "departed",
    "leave",
];
const REACHES: [&str; 12] = [
    "end", "ends", "ended", "ending", "finish", "finishes", "finished", "arrive", "arrives", "arrived", "stop",
    "stopped",
];

/// Fit of a name from which on it is nothing else.
const EXACT: u32 = 90;

/// Two keys of one table that lead to the two ends of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    rows: TableId,
    places: TableId,
    from: ColumnId,
    to: ColumnId,
}

impl Ends {
    fn at(self, end: End) -> ColumnId {
        match end {
            End::From => self.from,
            End::To => self.to,
        }
    }
}

/// Gives what is said of one end the key that leads there.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    role_words(catalogue, spans);
    named_keys(catalogue, spans);
    let all = ends(catalogue);
    if all.is_empty() {
        return;
    }
    let mut reader = Reader { catalogue, spans, all };
    reader.same_ends();
    reader.more();
    reader.places();
    reader.verbs();
    reader.counted();
}

/// All tables with a key for either end.
fn ends(catalogue: &Catalogue) -> Vec<Ends> {
    let mut found = Vec::new();
    for (rows, entry) in catalogue.tables() {
        let roles = (0..entry.columns.len()).map(|column| ColumnId { table: rows, column });
        let roles = roles.filter_map(|column| Some((column, catalogue.join(catalogue.role_join(column)?).to)));
        let roles: Vec<(ColumnId, TableId)> = roles.collect();
        let of = |end: End, places: TableId| {
            let fits = |(column, to): &&(ColumnId, TableId)| {
                let own: Vec<String> = catalogue.role_words(*column).into_iter().map(str::to_owned).collect();
                *to == places && lexicon().is_end(end, &own)
            };
            match roles.iter().filter(fits).collect::<Vec<_>>().as_slice() {
                [(column, _)] => Some(*column),
                _ => None,
            }
        };
        // Of a thousand tables few are where a key leads to, and only two keys make two ends.
        let places: BTreeSet<TableId> = roles.iter().map(|(_, to)| *to).filter(|_| roles.len() > 1).collect();
        for places in places {
            if let (Some(from), Some(to)) = (of(End::From, places), of(End::To, places))
                && from != to
            {
                found.push(Ends { rows, places, from, to });
            }
        }
    }
    found
}

/// "Which GP has the most patients", "patients per GP": the word is in no name but that of the key.
fn role_words(catalogue: &Catalogue, spans: &mut [Spotted]) {
    let tables = moments::tables(spans);
    for at in 0..spans.len() {
        let span = &spans[at];
        let asked = spans[..at]
            .iter()
            .rfind(|span| !is_filler(span))
            .is_some_and(|before| matches!(before.role(), Some(Role::Each | Role::Group | Role::Wh)));
        if !asked || !span.names.is_empty() || span.signal.is_some() || span.period.is_some() || span.number.is_some() {
            continue;
        }
        let said = super::super::words::singular(&span.text.to_lowercase());
        let roles = tables.iter().flat_map(|table| {
            (0..catalogue.table(*table).columns.len()).map(|column| ColumnId { table: *table, column })
        });
        let mut fits: Vec<ColumnId> = roles.filter(|column| catalogue.role_words(*column) == [said.as_str()]).collect();
        fits.dedup();
        if let [only] = fits.as_slice() {
            spans[at].names = vec![Candidate { thing: Thing::Column(*only), score: 100 }];
            spans[at].values.clear();
            spans[at].fits.clear();
        }
    }
}

/// "Returns per branch", where one of several keys is called `return_branch_id`: it is the one that is meant.
fn named_keys(catalogue: &Catalogue, spans: &mut [Spotted]) {
    for at in 0..spans.len() {
        let Some(places) = table_of(&spans[at]) else { continue };
        let small = |span: &Spotted| is_filler(span) || matches!(span.role(), Some(Role::Each | Role::Group));
        let Some(deed) = spans[..at].iter().rposition(|span| !small(span)) else { continue };
        let grouped = spans[deed + 1..at].iter().any(|span| matches!(span.role(), Some(Role::Each | Role::Group)));
        let said = super::super::words::singular(&spans[deed].text.to_lowercase());
        if !grouped || table_of(&spans[deed]) == Some(places) {
            continue;
        }
        let all = catalogue
            .tables()
            .flat_map(|(table, entry)| (0..entry.columns.len()).map(move |column| ColumnId { table, column }));
        let leads = |column: &ColumnId| {
            catalogue.role_join(*column).is_some_and(|join| catalogue.join(join).to == places)
                && catalogue.role_words(*column) == [said.as_str()]
        };
        let found: Vec<ColumnId> = all.filter(leads).collect();
        let [only] = found.as_slice() else { continue };
        if moments::tables(&spans[..at]).iter().all(|table| *table == only.table) {
            spans[at].names = vec![Candidate { thing: Thing::Column(*only), score: 100 }];
            // What has not been returned is no return.
            let of = Mention::of(catalogue.column_label(*only), Thing::Column(*only));
            spans[at].tests.push(Filter::Missing { of, negated: true, unwritten: false });
        }
    }
}

/// "Head of each department": of each, so that it is said which.
pub fn role_of_each(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    for at in 0..spans.len() {
        let Some(each) = spans.get(at + 1).filter(|span| span.role() == Some(Role::Each)) else { continue };
        let of = each.text.to_lowercase();
        let (Some(table), true) = (spans.get(at + 2).and_then(table_of), of.starts_with("of ")) else { continue };
        let first =
            spans[..at].iter().all(|span| is_filler(span) || matches!(span.role(), Some(Role::Command | Role::Who)));
        let leads = spans[at].names.iter().any(|candidate| match candidate.thing {
            Thing::Column(column) => column.table == table && catalogue.role_join(column).is_some(),
            Thing::Table(_) | Thing::Concept(_) => false,
        });
        if first && leads && table_of(&spans[at]).is_none() {
            let (role, rows) = (spans[at].clone(), spans[at + 2].clone());
            let and = super::spot::spot(catalogue, "and").spans;
            let own: Vec<Spotted> = std::iter::once(rows).chain(and).chain([role]).collect();
            spans.splice(at..=at + 2, own);
            return;
        }
    }
}

struct Reader<'a, 'b> {
    catalogue: &'a Catalogue,
    spans: &'b mut Vec<Spotted>,
    all: Vec<Ends>,
}

impl Reader<'_, '_> {
    /// The ends spoken of: of the tables named, or the only ones there are.
    fn ends(&self) -> Option<Ends> {
        let tables = moments::tables(self.spans);
        let named = |ends: &&Ends| tables.contains(&ends.rows) || tables.contains(&ends.places);
        let named: Vec<Ends> = self.all.iter().filter(named).copied().collect();
        match (named.as_slice(), self.all.as_slice()) {
            ([only], _) | ([], [only]) => Some(*only),
            _ => None,
        }
    }

    /// "trips that start and end at the same station".
    fn same_ends(&mut self) {
        let Some(ends) = self.ends() else { return };
        let Some(place) = (0..self.spans.len()).find(|at| table_of(&self.spans[*at]) == Some(ends.places)) else {
            return;
        };
        let word = self.spans[..place].iter().rposition(|span| !is_filler(span));
        let Some(word) = word.filter(|word| is(&self.spans[*word], &["same", "the same", "different"])) else { return };
        let is_verb = |at: &usize| is(&self.spans[*at], &LEAVES) || is(&self.spans[*at], &REACHES);
        let verbs: Vec<usize> = (0..word).filter(is_verb).collect();
        let [first, second] = verbs.as_slice() else { return };
        let both = is(&self.spans[*first], &LEAVES) != is(&self.spans[*second], &LEAVES);
        let Some(made) = self.catalogue.made(Making::Same, ends.from, ends.to).filter(|_| both) else { return };
        let negates = is(&self.spans[word], &["different"]);
        let names = vec![Candidate { thing: Thing::Column(made), score: 100 }];
        moments::put(self.spans, *first, place, names, negates);
    }

    /// "stations with more arrivals than departures".
    fn more(&mut self) {
        let Some(ends) = self.ends() else { return };
        for at in 0..self.spans.len() {
            let over = is(&self.spans[at], &["more"]);
            if !over && !is(&self.spans[at], &["fewer", "less"]) {
                continue;
            }
            let first = self.spans.get(at + 1).and_then(said_end);
            let than = self.spans.get(at + 2).is_some_and(|span| is(span, &["than"]));
            let second = self.spans.get(at + 3).and_then(said_end);
            let (Some(first), true, Some(second)) = (first, than, second) else { continue };
            if first == second {
                continue;
            }
            let (more, less) = if over { (first, second) } else { (second, first) };
            if let Some(made) = self.catalogue.made_of_counts(ends.at(more), ends.at(less)) {
                let names = vec![Candidate { thing: Thing::Column(made), score: 100 }];
                moments::put(self.spans, at, at + 3, names, false);
                return;
            }
        }
    }

    /// "start station", "destination airports".
    fn places(&mut self) {
        let mut at = 0;
        while at + 1 < self.spans.len() {
            let end = if is(&self.spans[at], &ORIGIN) {
                Some(End::From)
            } else {
                is(&self.spans[at], &DESTINATION).then_some(End::To)
            };
            let place = table_of(&self.spans[at + 1]);
            let fitting: Vec<Ends> = self.all.iter().filter(|ends| Some(ends.places) == place).copied().collect();
            if let (Some(end), [ends], false) = (end, fitting.as_slice(), is_exact(&self.spans[at])) {
                let names = vec![Candidate { thing: Thing::Column(ends.at(end)), score: 100 }];
                let (singular, verb) = (self.spans[at + 1].singular, self.spans[at + 1].verb);
                moments::put(self.spans, at, at + 1, names, false);
                (self.spans[at].singular, self.spans[at].verb) = (singular, verb);
                self.busiest(at, *ends);
            }
            at += 1;
        }
    }

    /// "the busiest start station" is that with the most rows.
    fn busiest(&mut self, at: usize, ends: Ends) {
        let Some(before) = at.checked_sub(1).filter(|before| is(&self.spans[*before], &["busiest"])) else { return };
        let rows = self.catalogue.plural(ends.rows);
        let mut most = super::spot::spot(self.catalogue, "with the most").spans;
        let names = vec![Candidate { thing: Thing::Table(ends.rows), score: 100 }];
        most.push(Spotted { text: rows, names, ..Spotted::default() });
        self.spans.splice(at + 1..at + 1, most);
        self.spans.remove(before);
    }

    /// "trips that ended at Old Mill", "how many trips start at each station".
    fn verbs(&mut self) {
        let Some(ends) = self.ends() else { return };
        let mut at = 0;
        while at < self.spans.len() {
            let end = if is(&self.spans[at], &LEAVES) {
                Some(End::From)
            } else {
                is(&self.spans[at], &REACHES).then_some(End::To)
            };
            if let Some(end) = end.filter(|_| !is_exact(&self.spans[at]))
                && let Some(place) = self.place_behind(at, ends)
                && (table_of(&self.spans[place]).is_some() || !self.is_known(at))
            {
                self.lead_to(place, ends.at(end), ends);
                self.spans.drain(at..=at);
                continue;
            }
            at += 1;
        }
    }

    /// Whether a verb says of a value by itself which end it is.
    fn is_known(&self, at: usize) -> bool {
        lexicon().end_said(&self.spans[at].text.to_lowercase()).is_some()
    }

    /// The place that stands behind the verb at `at`: "at each station", "in Old Mill".
    fn place_behind(&self, at: usize, ends: Ends) -> Option<usize> {
        let small = |span: &Spotted| is_filler(span) || matches!(span.role(), Some(Role::In | Role::Each));
        let place = (at + 1..self.spans.len()).find(|next| !small(&self.spans[*next]))?;
        let between = &self.spans[at + 1..place];
        let linked = between.iter().any(|span| matches!(span.role(), Some(Role::In | Role::Each)));
        let is_place = table_of(&self.spans[place]) == Some(ends.places) || self.is_value_of(place, ends);
        (linked && is_place).then_some(place)
    }

    fn is_value_of(&self, at: usize, ends: Ends) -> bool {
        let span = &self.spans[at];
        span.signal.is_none() && span.values.iter().any(|found| found.table() == Some(ends.places))
    }

    /// Takes a place for the one that a key leads to.
    fn lead_to(&mut self, at: usize, key: ColumnId, ends: Ends) {
        let span = &mut self.spans[at];
        if table_of(span) == Some(ends.places) {
            span.names = vec![Candidate { thing: Thing::Column(key), score: 100 }];
        } else {
            let kept: Vec<Found> = span.values.drain(..).filter(|found| found.table() == Some(ends.places)).collect();
            span.values = kept.into_iter().map(|found| Found { via: Some(key), ..found }).collect();
        }
    }

    /// "the most departures", "arrivals per station": the rows, by the one key or the other.
    fn counted(&mut self) {
        let Some(ends) = self.ends() else { return };
        let said: Vec<(usize, End)> = (0..self.spans.len())
            .filter(|at| self.spans[*at].names.is_empty() && self.spans[*at].values.is_empty())
            .filter_map(|at| Some((at, said_end(&self.spans[at])?)))
            .collect();
        let [(at, end)] = said.as_slice() else { return };
        let places: Vec<usize> = (0..self.spans.len())
            .filter(|place| table_of(&self.spans[*place]) == Some(ends.places) || self.is_value_of(*place, ends))
            .collect();
        for place in places {
            self.lead_to(place, ends.at(*end), ends);
        }
        let own = &self.spans[*at];
        let names = vec![Candidate { thing: Thing::Table(ends.rows), score: 100 }];
        let (text, pause, stops) = (own.text.clone(), own.pause, own.ends);
        let note = Some(format!(
            "“{text}” are {} by {}.",
            self.catalogue.plural(ends.rows),
            self.catalogue.column_label(ends.at(*end))
        ));
        self.spans[*at] = Spotted { text, names, note, pause, ends: stops, ..Spotted::default() };
    }
}

/// Whether a phrase is a name by more than a part of it.
fn is_exact(span: &Spotted) -> bool {
    span.names.iter().any(|candidate| candidate.score >= EXACT)
}

/// The end that "departures" and "arrivals" count by.
fn said_end(span: &Spotted) -> Option<End> {
    if is(span, &DEPARTURES) { Some(End::From) } else { is(span, &ARRIVALS).then_some(End::To) }
}

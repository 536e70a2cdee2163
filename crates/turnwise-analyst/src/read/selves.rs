//! What is said of a row beside the row of its own table that it refers to: "employees who earn more than their
//! manager", "whose manager works in another department". The phrase becomes one name, of a yes/no column that the two
//! rows make. Next: `reports` for who refers to whom, `catalogue/made.rs`, `resolve/theirs.rs`.

use super::super::catalogue::{Amount, Catalogue, Making};
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::lexicon::{Comparator, Concept, Role, Signal};
use super::super::source::ColumnKind;
use super::super::words;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::Spotted;

/// Words for whoever somebody reports to, whichever of them the column is called by.
pub const SUPERIORS: [&str; 10] =
    ["manager", "supervisor", "boss", "superior", "chief", "lead", "leader", "report", "mgr", "reporting"];
/// Fit of a name from which on it is nothing else.
const EXACT: u32 = 90;
/// Verbs for being paid, and for taking money.
const EARNS: [&str; 8] = ["earn", "earns", "earned", "earning", "paid", "make", "makes", "made"];
const CHARGES: [&str; 6] = ["charge", "charges", "charged", "charging", "cost", "costs"];
/// Stems of what is charged.
const CHARGED: [&str; 6] = ["fee", "charge", "price", "cost", "rate", "tariff"];
/// Words that take up what was said.
const DOES: [&str; 9] = ["does", "do", "did", "is", "are", "was", "were", "has", "have"];
/// Words for the row itself, said of the other one.
const SELF: [&str; 8] = ["they", "them", "he", "him", "she", "her", "it", "theirs"];
/// Words for what is not the same.
const OTHER: [&str; 4] = ["another", "different", "other", "a different"];
const SAME: [&str; 2] = ["same", "the same"];

/// A comparison that was found: where it stands and what it is of.
struct Found {
    from: usize,
    to: usize,
    names: Vec<Candidate>,
    negates: bool,
}

/// Reads what is said of a row and the one it refers to; gives what to ask where it cannot be told.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<String> {
    let mut at = 0;
    let mut doubt = None;
    while at < spans.len() {
        let roles = roles(catalogue, spans, at);
        let reader = Reader { catalogue, spans, roles: &roles };
        if let Some(found) = reader.compared(at) {
            doubt = doubt.or_else(|| timed(catalogue, spans, &found));
            at = found.from;
            moments::put(spans, found.from, found.to, found.names, found.negates);
        }
        at += 1;
    }
    doubt
}

/// Which version was the current one at a time that was said is not told.
fn timed(catalogue: &Catalogue, spans: &[Spotted], found: &Found) -> Option<String> {
    let versioned = found.names.iter().any(|name| match name.thing {
        Thing::Column(column) => super::super::catalogue::Made::of(column.column)
            .is_some_and(|made| catalogue.current_of(made.first.table, made.second.table).is_some()),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    let period = spans.iter().find(|span| span.period.is_some()).filter(|_| versioned)?;
    Some(format!(
        "What changes over time is set against somebody else's only as it is now, so that “{}” cannot be said of it.",
        period.text
    ))
}

/// The columns by which rows refer to others of their own table that the phrase at `at` names.
pub fn roles(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Vec<ColumnId> {
    let span = &spans[at];
    if span.period.is_some() || span.number.is_some() || !span.tests.is_empty() || table_of(span).is_some() {
        return Vec::new();
    }
    let named = span.names.iter().filter_map(|candidate| match candidate.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let mut found: Vec<ColumnId> = named.filter(|column| catalogue.is_of_itself(*column)).collect();
    let tables = moments::tables(spans);
    let best = span.names.iter().map(|candidate| candidate.score).max().unwrap_or_default();
    if found.is_empty() && best < EXACT {
        let last = span.text.split_whitespace().next_back().map(words::singular).unwrap_or_default();
        let fits = |column: &ColumnId| {
            let own = catalogue.role_words(*column);
            let superior = SUPERIORS.contains(&last.as_str()) && last != "report";
            own.contains(&last.as_str())
                || (superior && own.iter().any(|word| SUPERIORS.contains(word)))
                || is_agent(&last, &own)
        };
        found = catalogue.of_themselves().filter(fits).collect();
        found.retain(|column| best == 0 || tables.contains(&column.table));
    }
    if found.iter().any(|column| tables.contains(&column.table)) {
        found.retain(|column| tables.contains(&column.table));
    }
    found
}

/// "recruiter" of `recruited_by`.
fn is_agent(word: &str, own: &[&str]) -> bool {
    let root = word.strip_suffix("er").or(word.strip_suffix("or")).filter(|root| root.len() > 3);
    root.is_some_and(|root| own.contains(&"by") && own.iter().any(|stem| stem.starts_with(root)))
}

struct Reader<'a> {
    catalogue: &'a Catalogue,
    spans: &'a [Spotted],
    roles: &'a [ColumnId],
}

impl Reader<'_> {
    /// The comparison with the row that the phrase at `role` names.
    fn compared(&self, role: usize) -> Option<Found> {
        if self.roles.is_empty() {
            return None;
        }
        let found = self
            .beyond_theirs(role)
            .or_else(|| self.theirs_beyond(role))
            .or_else(|| self.same_as_theirs(role))
            .or_else(|| self.theirs_same(role))?;
        (!found.names.is_empty()).then_some(found)
    }

    /// "earn more than their manager", "hired before their manager", "with a higher salary than their manager".
    fn beyond_theirs(&self, role: usize) -> Option<Found> {
        let before = before(self.spans, role)?;
        let (at, making, said) = if is(&self.spans[before], &["than"]) {
            let back = (before.saturating_sub(4)..before).rev();
            let at = back.into_iter().find(|at| comparison(&self.spans[*at]).is_some())?;
            (at, comparison(&self.spans[at])?, at + 1..before)
        } else {
            (before, comparison(&self.spans[before])?, before..before)
        };
        let mut from = at;
        let mut of: Vec<ColumnId> = said.clone().flat_map(|place| self.property(&self.spans[place], making)).collect();
        let named = |place: usize| !is_filler(&self.spans[place]);
        if of.is_empty() && said.into_iter().any(named) && !self.pays_money(at) {
            return None;
        }
        if of.is_empty() {
            of = self.concept(&self.spans[at], making);
        }
        if of.is_empty() {
            from = moments::before(self.spans, at)?;
            of = self.property(&self.spans[from], making);
        }
        let making = self.turned(making, &self.spans[at], &of);
        Some(Found { from, to: self.end(role, &of), names: self.made(making.0, &of), negates: making.1 })
    }

    /// Whether "more money" is said of what somebody earns.
    fn pays_money(&self, at: usize) -> bool {
        self.spans.get(at + 1).is_some_and(|span| is(span, &["money"]))
    }

    /// "whose manager earns less than they do", "whose manager is younger".
    fn theirs_beyond(&self, role: usize) -> Option<Found> {
        let mut at = moments::behind(self.spans, role)?;
        let mut of = Vec::new();
        if comparison(&self.spans[at]).is_none() {
            of = self.property(&self.spans[at], Side::Over);
            of.extend(self.property(&self.spans[at], Side::After));
            at = moments::behind(self.spans, at)?;
        }
        let said = comparison(&self.spans[at])?;
        if of.is_empty() {
            of = self.concept(&self.spans[at], said);
        }
        let kind = |column: &ColumnId| (self.is_dated(*column)) == (said.is_dated() || self.is_age(at));
        of.retain(kind);
        let mut to = at;
        if self.spans.get(to + 1).is_some_and(|span| is(span, &["than"])) {
            to += 1;
        }
        to = self.spans.get(to + 1).filter(|span| is(span, &SELF)).map(|_| to + 1)?;
        while self.spans.get(to + 1).is_some_and(|span| is(span, &DOES)) {
            to += 1;
        }
        let (making, negates) = self.turned(said.opposite(), &self.spans[at], &of);
        Some(Found { from: self.whose(role), to, names: self.made(making, &of), negates })
    }

    /// "in the same department as their manager", "in a different office than their manager".
    fn same_as_theirs(&self, role: usize) -> Option<Found> {
        let link = before(self.spans, role).filter(|at| is(&self.spans[*at], &["as", "than", "from", "to"]))?;
        let thing = moments::before(self.spans, link)?;
        let word = moments::before(self.spans, thing)?;
        let negates = self.differs(word)?;
        let of = self.shared(&self.spans[thing]);
        let mut from = word;
        while from > 0 && (is_filler(&self.spans[from - 1]) || self.spans[from - 1].role() == Some(Role::In)) {
            from -= 1;
        }
        let from = if table_of(&self.spans[from]).is_some() { from + 1 } else { from };
        Some(Found { from, to: self.end(role, &of), names: self.made(Making::SameTheirs, &of), negates })
    }

    /// "whose manager works in another department".
    fn theirs_same(&self, role: usize) -> Option<Found> {
        let small = |span: &Spotted| {
            (is_filler(span) || matches!(span.role(), Some(Role::In | Role::Link | Role::With))) && !is(span, &SAME)
        };
        let skipped = self.spans.iter().skip(role + 1).take_while(|span| small(span)).count();
        let word = role + 1 + skipped;
        let negates = self.spans.get(word).and_then(|_| self.differs(word))?;
        let thing = moments::behind(self.spans, word)?;
        let of = self.shared(&self.spans[thing]);
        let mut to = thing;
        if self.spans.get(to + 1).is_some_and(|span| is(span, &["as", "than", "from", "to"]))
            && self.spans.get(to + 2).is_some_and(|span| is(span, &SELF))
        {
            to += 2;
            while self.spans.get(to + 1).is_some_and(|span| is(span, &DOES)) {
                to += 1;
            }
        }
        Some(Found { from: self.whose(role), to, names: self.made(Making::SameTheirs, &of), negates })
    }

    /// Whether the word at `at` says that two things differ; none where it says neither.
    fn differs(&self, at: usize) -> Option<bool> {
        let span = &self.spans[at];
        if is(span, &SAME) { Some(false) } else { is(span, &OTHER).then_some(true) }
    }

    /// Where what is said of the other row begins: "whose manager", "with a manager".
    fn whose(&self, role: usize) -> usize {
        let is_whose = |at: &usize| is(&self.spans[*at], &["whose"]);
        role.checked_sub(1).filter(is_whose).unwrap_or(role)
    }

    /// The last phrase of the comparison: "than their manager currently does", "than their manager's salary".
    fn end(&self, role: usize, of: &[ColumnId]) -> usize {
        let mut end = role;
        for at in role + 1..self.spans.len() {
            let span = &self.spans[at];
            let again = self.property(span, Side::Over).into_iter().chain(self.property(span, Side::After));
            if is(span, &DOES) || again.into_iter().any(|column| of.contains(&column)) {
                end = at;
            } else if !is_filler(span) {
                break;
            }
        }
        end
    }

    /// The numbers or dates that a phrase names or speaks of, each row having one.
    fn property(&self, span: &Spotted, side: Side) -> Vec<ColumnId> {
        let text = span.text.to_lowercase();
        let mut found: Vec<ColumnId> = Vec::new();
        if side.is_dated() {
            found.extend(moments::said(self.catalogue, span));
        } else if EARNS.contains(&text.as_str()) {
            found.extend(self.measured(Concept::Pay));
        } else if CHARGES.contains(&text.as_str()) {
            found.extend(self.charged());
        } else {
            let tells = |candidate: &&Candidate| !matches!(candidate.thing, Thing::Table(_));
            let best = span.names.iter().filter(tells).map(|candidate| candidate.score).max().unwrap_or_default();
            for candidate in span.names.iter().filter(|candidate| candidate.score + 5 >= best) {
                match candidate.thing {
                    Thing::Column(column) => found.push(column),
                    Thing::Concept(concept) => found.extend(self.measured(concept)),
                    Thing::Table(_) => {}
                }
            }
        }
        found.retain(|column| self.is_dated(*column) == side.is_dated() && self.is_ordered(*column));
        self.nearest(found)
    }

    /// What a word like "older than" compares.
    fn concept(&self, span: &Spotted, side: Side) -> Vec<ColumnId> {
        let Some(Signal::Comparative(_, concept)) = span.signal else { return Vec::new() };
        let mut found = self.measured(concept);
        found.retain(|column| self.is_ordered(*column) && (!side.is_dated() || self.is_dated(*column)));
        self.nearest(found)
    }

    fn is_age(&self, at: usize) -> bool {
        matches!(self.spans[at].signal, Some(Signal::Comparative(_, Concept::Age)))
    }

    fn is_dated(&self, column: ColumnId) -> bool {
        self.catalogue.column(column).kind == ColumnKind::Date
    }

    fn is_ordered(&self, column: ColumnId) -> bool {
        self.catalogue.column(column).is_number() || self.is_dated(column)
    }

    fn measured(&self, concept: Concept) -> Vec<ColumnId> {
        let sources = self.catalogue.measures(concept).iter();
        let columns = sources.filter_map(|source| match source.amount {
            Amount::Column(column) => Some(column),
            Amount::Product { .. } | Amount::Difference { .. } => None,
        });
        columns.collect()
    }

    /// The fees or prices of the rows spoken of.
    fn charged(&self) -> Vec<ColumnId> {
        let tables = self.roles.iter().map(|role| role.table);
        let all = tables.flat_map(|table| {
            (0..self.catalogue.table(table).columns.len()).map(move |column| ColumnId { table, column })
        });
        let says = |column: &ColumnId| {
            let stems = &self.catalogue.column(*column).stems;
            stems.iter().any(|stem| CHARGED.contains(&stem.as_str()))
        };
        all.filter(says).collect()
    }

    /// Of several those of the rows themselves, or of their versions.
    fn nearest(&self, mut found: Vec<ColumnId>) -> Vec<ColumnId> {
        let usable = |column: &ColumnId| {
            self.roles.iter().any(|role| self.catalogue.made_of_theirs(Making::OverTheirs, *column, *role).is_some())
        };
        found.retain(usable);
        let own = |column: &ColumnId| {
            self.roles
                .iter()
                .any(|role| role.table == column.table || self.catalogue.current_of(column.table, role.table).is_some())
        };
        if found.iter().any(own) {
            found.retain(own);
        }
        found
    }

    /// What two rows may share: a column, or the column that refers to a table.
    fn shared(&self, span: &Spotted) -> Vec<ColumnId> {
        let tables: Vec<TableId> = self.roles.iter().map(|role| role.table).collect();
        if let Some(to) = table_of(span) {
            let by = |from: &TableId| match self.catalogue.roles(*from, to).as_slice() {
                [only] => Some(*only),
                [] => self.catalogue.table(to).key.map(|column| ColumnId { table: to, column }),
                _ => None,
            };
            return tables.iter().filter_map(by).collect();
        }
        let columns = span.names.iter().filter(|candidate| candidate.score >= 80);
        let mut found: Vec<ColumnId> = columns
            .filter_map(|candidate| match candidate.thing {
                Thing::Column(column) => Some(column),
                Thing::Table(_) | Thing::Concept(_) => None,
            })
            .collect();
        if found.iter().any(|column| tables.contains(&column.table)) {
            found.retain(|column| tables.contains(&column.table));
        }
        found
    }

    /// Older is born earlier; after is a later date, and at least is not below.
    fn turned(&self, side: Side, said: &Spotted, of: &[ColumnId]) -> (Making, bool) {
        let age = matches!(said.signal, Some(Signal::Comparative(_, Concept::Age)));
        let side = if age && of.iter().all(|column| self.is_dated(*column)) { side.opposite() } else { side };
        match side {
            Side::Over | Side::After => (Making::OverTheirs, false),
            Side::Under | Side::Before => (Making::UnderTheirs, false),
            Side::AtLeast => (Making::UnderTheirs, true),
            Side::AtMost => (Making::OverTheirs, true),
        }
    }

    fn made(&self, making: Making, of: &[ColumnId]) -> Vec<Candidate> {
        let mut made: Vec<Candidate> = Vec::new();
        for role in self.roles {
            for column in of {
                let column = self.catalogue.made_of_theirs(making, *column, *role);
                let candidate = column.map(|column| Candidate { thing: Thing::Column(column), score: 100 });
                made.extend(candidate.filter(|candidate| !made.contains(candidate)));
            }
        }
        made
    }
}

/// How one row is said to be beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Over,
    Under,
    AtLeast,
    AtMost,
    Before,
    After,
}

impl Side {
    fn is_dated(self) -> bool {
        matches!(self, Self::Before | Self::After)
    }

    fn opposite(self) -> Self {
        match self {
            Self::Over => Self::Under,
            Self::Under => Self::Over,
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }
}

/// How a phrase compares.
fn comparison(span: &Spotted) -> Option<Side> {
    if span.is_name() || !span.values.is_empty() {
        return None;
    }
    match span.signal {
        Some(Signal::Role(Role::Over) | Signal::Comparative(Comparator::Over, _)) => Some(Side::Over),
        Some(Signal::Role(Role::Under) | Signal::Comparative(Comparator::Under, _)) => Some(Side::Under),
        Some(Signal::Role(Role::AtLeast)) => Some(Side::AtLeast),
        Some(Signal::Role(Role::AtMost)) => Some(Side::AtMost),
        Some(Signal::Role(Role::Before)) => Some(Side::Before),
        Some(Signal::Role(Role::After)) => Some(Side::After),
        _ => match span.text.to_lowercase().as_str() {
            "more" | "higher" | "greater" | "larger" | "bigger" => Some(Side::Over),
            "less" | "lower" | "fewer" | "smaller" => Some(Side::Under),
            "earlier" | "sooner" | "earlier than" => Some(Side::Before),
            "later" | "later than" => Some(Side::After),
            _ => None,
        },
    }
}

/// The last phrase before `at` that says something, "than" and "as" among them.
fn before(spans: &[Spotted], at: usize) -> Option<usize> {
    spans.iter().take(at).rposition(|span| !is_filler(span) || is(span, &["than", "as"]))
}

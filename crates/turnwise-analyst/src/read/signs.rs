//! What signs stand between: two columns of a row ("price = list_price", "city <> ship_city"), a column between two
//! numbers ("10 < price < 20"), and arithmetic ("price * 1.1"), which is refused by name: a question without it would
//! be another one. Next: `above`, `later` for what is less or earlier; `symbols` for the signs.

use super::super::catalogue::{Catalogue, ColumnEntry, ColumnPart, Making};
use super::super::form::{ColumnId, Thing};
use super::super::lexicon::{Role, Signal};
use super::super::symbols::Sign;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::{is, signal};
use super::spot::Spotted;

/// Words that say what "=" does.
const EQUAL: [&str; 6] = ["equal to", "equals", "equal", "exactly", "the same as", "same as"];

/// Reads what is set beside something else by a sign; gives what cannot be told.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<String> {
    let mut at = 0;
    while at < spans.len() {
        between(catalogue, spans, at);
        at += 1;
    }
    let mut doubt = None;
    let mut at = 0;
    while at < spans.len() {
        if let Some(beside) = beside(spans, at) {
            doubt = doubt.or(equal(catalogue, spans, &beside));
        }
        at += 1;
    }
    doubt.or_else(|| arithmetic(catalogue, spans))
}

/// "10 < price < 20", "10 < price": the number stands before the column.
fn between(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) {
    let Some(low) = at.checked_sub(2) else { return };
    let column = &spans[at];
    let signed = column.sign == Some(Sign::Order) && !columns(catalogue, column).is_empty();
    let (Some(_), Some(turned)) = (spans[low].number, turned(&spans[at - 1])) else { return };
    // "price > 10 and < 20" has what it is about before it, "top 5 over price" no sign.
    let compared = low.checked_sub(1).is_some_and(|before| turned_role(spans[before].role()).is_some());
    if !signed || compared || spans[low].sign.is_some() {
        return;
    }
    let high = spans.get(at + 1).is_some_and(|next| turned_role(next.role()).is_some())
        && spans.get(at + 2).is_some_and(|next| next.number.is_some());
    let number = Spotted { pause: !high && spans[at].pause, ..spans[low].clone() };
    let mut put = vec![Spotted { sign: None, pause: false, ..spans[at].clone() }, turned, number];
    if high {
        put.push(signal(Role::And, "and"));
    }
    spans.splice(low..=at, put);
}

/// The comparison seen from its other side.
fn turned(span: &Spotted) -> Option<Spotted> {
    let (role, text) = turned_role(span.role())?;
    Some(signal(role, text))
}

fn turned_role(role: Option<Role>) -> Option<(Role, &'static str)> {
    match role? {
        Role::Over => Some((Role::Under, "under")),
        Role::Under => Some((Role::Over, "over")),
        Role::AtLeast => Some((Role::AtMost, "at most")),
        Role::AtMost => Some((Role::AtLeast, "at least")),
        _ => None,
    }
}

/// Two phrases of which it is said whether they are the same.
struct Beside {
    first: usize,
    second: usize,
    differs: bool,
    sign: bool,
}

/// What stands on both sides, where the second is at `at`.
fn beside(spans: &[Spotted], at: usize) -> Option<Beside> {
    let second = &spans[at];
    if second.number.is_some() || second.period.is_some() || second.quoted {
        return None;
    }
    let not = |place: usize| spans[place].role() == Some(Role::Not);
    let (first, differs, sign) = match second.sign {
        Some(Sign::Equal) => (moments::before(spans, at), false, true),
        Some(Sign::Unequal) => {
            let denied = moments::before(spans, at).filter(|place| not(*place))?;
            (moments::before(spans, denied), true, true)
        }
        Some(Sign::Order | Sign::Arithmetic(_)) => return None,
        None => {
            let says = moments::before(spans, at).filter(|place| is(&spans[*place], &EQUAL))?;
            let first = moments::before(spans, says)?;
            match not(first) {
                true => (moments::before(spans, first), true, false),
                false => (Some(first), false, false),
            }
        }
    };
    Some(Beside { first: first?, second: at, differs, sign })
}

/// "price = list_price": one test, of a yes/no column that the two make.
fn equal(catalogue: &Catalogue, spans: &mut Vec<Spotted>, beside: &Beside) -> Option<String> {
    let (first, second) = (columns(catalogue, &spans[beside.first]), columns(catalogue, &spans[beside.second]));
    if !spans[beside.second].values.is_empty() {
        return other_value(catalogue, &first, &spans[beside.second]).filter(|_| beside.sign);
    }
    if !spans[beside.second].is_name() || (!beside.sign && (first.is_empty() || second.is_empty())) {
        return None;
    }
    let mut made = Vec::new();
    for one in &first {
        for other in &second {
            if alike(catalogue.column(*one), catalogue.column(*other)) {
                let column = catalogue.made(Making::Same, *one, *other);
                made.extend(column.map(|column| (column, one.table == other.table)));
            }
        }
    }
    let names = moments::near(catalogue, &moments::tables(spans), &made);
    if names.is_empty() {
        let (one, other) = (&spans[beside.first].text, &spans[beside.second].text);
        let sign = if beside.differs { "≠" } else { "=" };
        return Some(format!(
            "“{one} {sign} {other}” is no test that can be made here: name two columns of the same rows, or a column \
             and one of its values."
        ));
    }
    moments::put(spans, beside.first, beside.second, names, beside.differs);
    None
}

/// "city = card": the value is one of another column than the one it was set beside.
fn other_value(catalogue: &Catalogue, columns: &[ColumnId], span: &Spotted) -> Option<String> {
    let tells = |column: &&ColumnId| catalogue.column(**column).part == ColumnPart::Attribute;
    let column = columns.iter().find(tells)?;
    let here = span.values.iter().any(|found| match found.place {
        Thing::Column(place) => columns.contains(&place),
        Thing::Table(table) => columns.iter().any(|column| column.table == table),
        Thing::Concept(_) => false,
    });
    let label = catalogue.column_label(*column);
    (!here).then(|| {
        format!("{label} was not found to hold “{}”: put quotation marks around it to look anyway.", span.text)
    })
}

/// Whether the same can stand in both.
fn alike(one: &ColumnEntry, other: &ColumnEntry) -> bool {
    (one.is_number() && other.is_number()) || one.kind == other.kind
}

/// The columns a phrase names best.
fn columns(catalogue: &Catalogue, span: &Spotted) -> Vec<ColumnId> {
    if !span.is_name() && span.role() != Some(Role::Sum) || span.number.is_some() || span.period.is_some() {
        return Vec::new();
    }
    if table_of(span).is_some() {
        return Vec::new();
    }
    let ids = span.names.iter().filter_map(|name| match name.thing {
        Thing::Column(column) => Some((column, name.score)),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let best = ids.clone().map(|(_, score)| score).max().unwrap_or_default();
    ids.filter(|(column, score)| *score == best && column.column < catalogue.table(column.table).columns.len())
        .map(|(column, _)| column)
        .collect()
}

/// "price * 1.1", "price + tax": what is worked out from columns.
fn arithmetic(catalogue: &Catalogue, spans: &[Spotted]) -> Option<String> {
    let column = |span: &Spotted| columns(catalogue, span).iter().any(|id| catalogue.column(*id).is_number());
    for (at, span) in spans.iter().enumerate() {
        let Some(Sign::Arithmetic(sign)) = span.sign else { continue };
        let before = at.checked_sub(1).map(|before| &spans[before])?;
        let behind = spans[at..].iter().find(|span| !is_filler(span))?;
        let gathered = matches!(behind.signal, Some(Signal::Role(Role::Sum | Role::Average | Role::Count)));
        let numbers = (before.number.is_some(), behind.number.is_some());
        let works = match numbers {
            (true, true) => false,
            (true, false) => behind.is_name() || column(behind),
            (false, true) => before.is_name() || column(before),
            (false, false) => column(before) && (column(behind) || gathered),
        };
        if works {
            return Some(format!(
                "“{} {sign} {}” would have to be worked out for each row, which is not done here: ask for the columns \
                 themselves, or for one divided by the other in words.",
                before.text, behind.text
            ));
        }
    }
    None
}

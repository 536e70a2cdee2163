//! What a piece may do in a question, by where it stands and what it stands for, with what each costs: the less usual,
//! the more. Costs are natural logarithms of odds, so that they can be added up. Next: `search`.

use super::ground::Grounded;
use super::pieces::{Asks, Message, Piece, Place};
use crate::linking::Kind;
use crate::question::How;

/// Of words that name nothing: what is asked about, what narrows rows down ("blind dogs", "are blind"), a unit or a
/// kind beside its value, and all else, mostly verbs.
const DECIDES: f64 = 4.0;
const NARROWS: f64 = 3.0;
pub const BY_THE_WAY: f64 = 0.6;
const ELSEWHERE: f64 = 2.0;

/// How near a word must be to a yes or a value that it is not called by, to be one for sure.
const SURE: f64 = 0.8;
/// How near a word is to what is called so as a whole.
const NAMED_MIN: f64 = 0.9;
/// How near a word must be to what it only speaks of.
const SPOKEN_OF_MIN: f64 = 0.5;

/// What a piece does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Use {
    /// Its rows, or its different values, are counted.
    Count,
    /// Its numbers are gathered.
    Gather(How),
    /// Rows are grouped by it.
    Group,
    /// Its numbers divide those gathered: "rent per square metre".
    Divide,
    /// It is listed.
    List,
    /// Rows must have it.
    Keep,
    /// Rows must not have it.
    Deny,
    /// Something must be written there.
    Have,
    /// Its number is held against a bound.
    Hold(usize),
    /// How many of its rows there are is held against a bound.
    HoldCount(usize),
    /// It is the date that the times of the message are of.
    Date,
    /// Its number orders.
    Order,
    /// How many of its rows there are orders.
    OrderCount,
    /// It only says which table is spoken of, or says once more what stands beside it.
    Beside,
    /// It does nothing.
    Idle,
}

/// What a piece of that kind may do there.
pub fn of(message: &Message, at: usize, grounded: &Grounded) -> Vec<(Use, f64)> {
    let kind = grounded.kind;
    let Some(piece) = message.pieces.get(at) else { return Vec::new() };
    if piece.property.is_some() {
        return ordering(message, piece, kind);
    }
    if grounded.deed {
        return deed(message, piece);
    }
    if piece.money && kind == Kind::Number {
        return money(message, at);
    }
    let mut uses = by_place(piece, kind);
    beside_others(message, at, kind, &mut uses);
    weighed(message, at, grounded, &mut uses);
    uses
}

/// What a piece may do by what stands beside it.
fn beside_others(message: &Message, at: usize, kind: Kind, uses: &mut Vec<(Use, f64)>) {
    let Some(piece) = message.pieces.get(at) else { return };
    if message.ranked.is_some() && piece.place == Place::Grouped && kind == Kind::Number {
        uses.push((Use::Order, 0.1));
    }
    // What a number right behind it is held against: "fee over 20", "severity 4".
    for (bound, _) in message.bounds.iter().enumerate().filter(|(_, bound)| bound.before == Some(at)) {
        match kind {
            Kind::Number => uses.push((Use::Hold(bound), 0.0)),
            Kind::Table => uses.push((Use::HoldCount(bound), 2.5)),
            Kind::Text | Kind::Date | Kind::Flag | Kind::Value => {}
        }
    }
    if piece.said_of && message.asks == Asks::Share && matches!(kind, Kind::Date | Kind::Text) {
        uses.push((Use::Have, 0.4));
    }
    if let (Kind::Date, false) = (kind, message.periods.is_empty()) {
        uses.push((Use::Date, if piece.period.is_some() { 0.1 } else { 1.0 }));
    }
    if message.ranked.as_ref().is_some_and(|ranked| ranked.counts) && kind == Kind::Table {
        uses.push((Use::OrderCount, if piece.place == Place::Ranked { 0.1 } else { 0.7 }));
    }
}

/// What makes some of it less usual.
fn weighed(message: &Message, at: usize, grounded: &Grounded, uses: &mut Vec<(Use, f64)>) {
    let Some(piece) = message.pieces.get(at) else { return };
    let mut add = |less: &dyn Fn(Use) -> bool, more: f64| {
        uses.iter_mut().filter(|(does, _)| less(*does)).for_each(|(_, cost)| *cost += more);
    };
    let unnamed = piece.span.names.is_empty();
    let open = unnamed && piece.span.values.is_empty();
    // That something is written there is seldom meant by a word that is like its name, or a part of it.
    if unnamed || grounded.near < NAMED_MIN {
        add(&|does| does == Use::Have, 1.0);
    }
    if open && grounded.near < SURE && matches!(grounded.kind, Kind::Flag | Kind::Value) {
        add(&|does| does == Use::Keep, 0.8);
    }
    if piece.follows && piece.place == Place::Grouped {
        add(&|does| does == Use::Group, 0.3);
    }
    if message.asks == Asks::Count && piece.place == Place::Plain {
        add(&|does| matches!(does, Use::Gather(_)), 3.0);
    }
    let amount = message.ranked.as_ref().is_some_and(|ranked| ranked.amount);
    if amount && piece.place == Place::Ranked && grounded.kind == Kind::Table {
        add(&|does| does == Use::List, 1.2);
    }
    // What a word only is somewhat like is not spoken of by it.
    if open && grounded.near < SPOKEN_OF_MIN {
        uses.retain(|(does, _)| *does != Use::Beside);
    }
    // "Plan tier": the first says of what the second is.
    if grounded.kind == Kind::Table && message.pieces.get(at + 1).is_some_and(|next| next.follows) {
        uses.push((Use::Beside, 0.2));
    }
}

/// What somebody spent is added up, or held against a number, of which it is not sure which one is meant.
fn money(message: &Message, at: usize) -> Vec<(Use, f64)> {
    let ranked = message.ranked.is_some();
    let held = message.bounds.iter().enumerate().filter(|(_, bound)| bound.before == Some(at));
    let held = held.map(|(bound, _)| (Use::Hold(bound), 1.0));
    std::iter::once((if ranked { Use::Order } else { Use::Gather(How::Sum) }, 0.4)).chain(held).collect()
}

/// A verb speaks of rows: how many of them there are, that there are none, or only which.
fn deed(message: &Message, piece: &Piece) -> Vec<(Use, f64)> {
    let counts = message.ranked.as_ref().is_some_and(|ranked| ranked.counts);
    match piece.place {
        Place::Denied => vec![(Use::Deny, 0.0)],
        _ if counts => vec![(Use::OrderCount, 0.1), (Use::Beside, 0.5)],
        _ => vec![(Use::Beside, 0.3)],
    }
}

fn ordering(message: &Message, piece: &Piece, kind: Kind) -> Vec<(Use, f64)> {
    match (piece.tests, kind) {
        (Some(bound), Kind::Number) if bound < message.bounds.len() => vec![(Use::Hold(bound), 0.0)],
        (None, Kind::Number | Kind::Date) => vec![(Use::Order, 0.0)],
        _ => Vec::new(),
    }
}

fn by_place(piece: &Piece, kind: Kind) -> Vec<(Use, f64)> {
    use Kind::{Date, Flag, Number, Table, Text, Value};
    match (piece.place, kind) {
        (Place::Counted, Table) => vec![(Use::Count, 0.0), (Use::Beside, 1.5)],
        (Place::Counted, Text) => vec![(Use::Count, 0.5), (Use::Beside, 2.0)],
        (Place::Counted, Number) => vec![(Use::Gather(How::Sum), 0.8)],
        (Place::Counted, Value) => vec![(Use::Keep, 0.2)],
        (Place::Counted, Flag) => vec![(Use::Keep, 0.3)],
        (Place::Counted, Date) => vec![(Use::Have, 2.0)],
        (Place::Gathered(how), Number) => vec![(Use::Gather(how), 0.0)],
        (Place::Gathered(_), Table) => vec![(Use::Beside, 0.8)],
        (Place::Gathered(_), Value | Flag) => vec![(Use::Keep, 0.5)],
        (Place::Gathered(_), Text) => vec![(Use::Beside, 1.8)],
        (Place::Gathered(_), Date) => vec![(Use::Beside, 2.0)],
        (Place::HowMuch, Number) => vec![(Use::Gather(How::Sum), 0.1)],
        (Place::HowMuch, Table | Text) => vec![(Use::Beside, 0.6)],
        (Place::HowMuch, Value | Flag) => vec![(Use::Keep, 0.5)],
        (Place::HowMuch, Date) => vec![(Use::Beside, 1.5)],
        (Place::Grouped, Table | Text) => vec![(Use::Group, 0.0)],
        (Place::Grouped, Flag) => vec![(Use::Group, 0.6)],
        (Place::Grouped, Number) => vec![(Use::Divide, 0.4), (Use::Group, 2.5)],
        (Place::Grouped, Date) => vec![(Use::Group, 2.0)],
        (Place::Grouped, Value) => vec![(Use::Keep, 3.0)],
        (Place::Sought, Table) => vec![(Use::List, 0.0), (Use::Beside, 1.2)],
        (Place::Sought, Text) => vec![(Use::List, 0.2)],
        (Place::Sought, Number) => vec![(Use::List, 0.8), (Use::Gather(How::Sum), 1.4)],
        (Place::Sought, Date) => vec![(Use::List, 0.8)],
        (Place::Sought, Value | Flag) => vec![(Use::Keep, 0.5)],
        (Place::Denied, Table | Flag) => vec![(Use::Deny, 0.0)],
        (Place::Denied, Text) => vec![(Use::Deny, 0.4)],
        (Place::Denied, Date | Value) => vec![(Use::Deny, 0.2)],
        (Place::Denied, Number) => vec![(Use::Deny, 4.0)],
        (Place::Shared, Table) => vec![(Use::Count, 0.0)],
        (Place::Shared, Number) => vec![(Use::Gather(How::Sum), 1.0)],
        (Place::Shared, Value | Flag) => vec![(Use::Keep, 0.2)],
        (Place::Shared, Text) => vec![(Use::Group, 1.5)],
        (Place::Shared, Date) => vec![(Use::Have, 1.5)],
        (Place::Ranked, Table) => vec![(Use::List, 0.2)],
        (Place::Ranked, Text) => vec![(Use::List, 0.2)],
        (Place::Ranked, Number) => vec![(Use::Order, 0.0)],
        (Place::Ranked, Value | Flag) => vec![(Use::Keep, 0.4)],
        (Place::Ranked, Date) => vec![(Use::Order, 0.8)],
        (Place::Measured(bound), Number) => vec![(Use::Hold(bound), 0.0)],
        (Place::Measured(bound), Table) => vec![(Use::HoldCount(bound), 0.5), (Use::Beside, 1.5)],
        (Place::Measured(_), Value | Flag) => vec![(Use::Keep, 0.8)],
        (Place::Measured(_), Text | Date) => vec![(Use::Beside, 2.0)],
        (Place::Plain, Table) => vec![(Use::Beside, 0.2), (Use::List, 0.8)],
        (Place::Plain, Number) => vec![(Use::Gather(How::Sum), 1.0), (Use::List, 1.7), (Use::Order, 1.5)],
        (Place::Plain, Text) => vec![(Use::Beside, 1.2), (Use::List, 1.0)],
        (Place::Plain, Date) => vec![(Use::Have, 1.0), (Use::List, 2.5), (Use::Beside, 2.0)],
        (Place::Plain, Flag) => vec![(Use::Keep, 0.2)],
        (Place::Plain, Value) => vec![(Use::Keep, 0.0)],
    }
}

/// Whether a word says what was done to something, by its ending: "Spanish forbidden" is no kind of Spanish.
fn is_done(word: &str) -> bool {
    ["ed", "en", "ing"].iter().any(|ending| word.to_lowercase().ends_with(ending))
}

/// What it costs to leave a piece without a part.
pub fn idle(message: &Message, at: usize) -> f64 {
    let Some(piece) = message.pieces.get(at) else { return 0.0 };
    let is_value =
        |at: Option<usize>| at.and_then(|at| message.pieces.get(at)).is_some_and(|piece| !piece.span.values.is_empty());
    let span = &piece.span;
    if piece.property.is_some() || !span.values.is_empty() {
        return 5.0;
    }
    if !span.names.is_empty() {
        return if span.verb { 1.5 } else { 3.0 };
    }
    // What is asked about, counted or grouped by decides what the question is.
    if !matches!(piece.place, Place::Plain | Place::Measured(_)) {
        return DECIDES;
    }
    // Behind a number it is mostly a unit, behind a value of what kind that is: "the Riverside area".
    let kind = piece.follows && is_value(at.checked_sub(1)) && !is_done(&span.text);
    if matches!(piece.place, Place::Measured(_)) || kind {
        return BY_THE_WAY;
    }
    let before_name = message.pieces.get(at + 1).is_some_and(|next| next.follows);
    if before_name || piece.after_be { NARROWS } else { ELSEWHERE }
}

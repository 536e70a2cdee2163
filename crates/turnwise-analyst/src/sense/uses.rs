//! What a piece may do in a question, by where it stands and what it stands for, with what each costs: the less usual,
//! the more. Next: `costs` for the prices, `search` for the choice.

use super::costs::{self, Costs};
use super::ground::Grounded;
use super::pieces::{Asks, Message, Piece, Place, Silent};
use crate::linking::Kind;
use crate::question::How;

/// How near a word must be to a yes or a value that it is not called by, to be one for sure.
const SURE: f64 = 0.8;
/// How near a word is to what is called so as a whole.
const NAMED_MIN: f64 = 0.9;
/// How near a word must be to what it only speaks of.
const SPOKEN_OF_MIN: f64 = 0.5;
/// Nearness below which a thing is none: the logarithm has to end somewhere.
const NEAR_MIN: f64 = 0.01;
/// How near something must be to what a word says, for which that word is no mere kind: "an adult swan".
const STANDS_MIN: f64 = 0.7;
/// Letters of a word that says what somebody is doing, at least.
const DONE_MIN: usize = 4;

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
    /// It does nothing, being a unit behind its number, or of what kind the value before it is: "the Riverside area".
    Aside,
    /// It does nothing.
    Idle,
}

/// Something that a piece may do, at a cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    pub at: usize,
    pub ground: Option<Grounded>,
    pub does: Use,
    pub costs: Costs,
}

/// All that a piece may do with what it may stand for, and that it does nothing.
pub fn chances(message: &Message, at: usize, grounds: &[Grounded]) -> Vec<Chance> {
    let does = if is_aside(message, at, grounds) { Use::Aside } else { Use::Idle };
    let mut chances = vec![Chance { at, ground: None, does, costs: idle(message, at, grounds) }];
    for grounded in grounds {
        for (does, mut costs) in of(message, at, grounded) {
            costs.add_all(&far(message, at, grounded));
            around(message, at, grounded, does, &mut costs);
            chances.push(Chance { at, ground: Some(grounded.clone()), does, costs });
        }
    }
    chances
}

/// What it costs that something is not quite what a piece says.
pub fn far(message: &Message, at: usize, grounded: &Grounded) -> Costs {
    let far = -grounded.near.max(NEAR_MIN).ln();
    let mut costs = Costs::default();
    costs.add("far", far);
    if message.pieces.get(at).is_some_and(|piece| piece.span.is_unknown()) {
        costs.add(format!("far {}", kind_name(grounded.kind)), far);
    }
    costs
}

/// What a piece of that kind may do there.
fn of(message: &Message, at: usize, grounded: &Grounded) -> Vec<(Use, Costs)> {
    let kind = grounded.kind;
    let Some(piece) = message.pieces.get(at) else { return Vec::new() };
    if let Some(silent) = piece.silent {
        return implied(message, silent);
    }
    if piece.property.is_some() {
        return ordering(message, piece, kind);
    }
    if grounded.deed {
        return deed(message, piece);
    }
    if piece.money && kind == Kind::Number {
        return money(message, at);
    }
    let mut uses = by_place(message, piece.place, kind);
    if let Some(also) = piece.also {
        let mut more = by_place(message, also, kind);
        more.retain(|(does, _)| !uses.iter().any(|(own, _)| own == does));
        more.iter_mut().for_each(|(_, costs)| costs.add("place of the piece before", 1.0));
        uses.extend(more);
    }
    beside_others(message, at, kind, &mut uses);
    weighed(message, at, grounded, &mut uses);
    uses
}

/// What a piece is like and what the message asks for, with what it does.
fn around(message: &Message, at: usize, grounded: &Grounded, does: Use, costs: &mut Costs) {
    let Some(piece) = message.pieces.get(at) else { return };
    let (does, kind) = (use_name(does), kind_name(grounded.kind));
    let said = if piece.span.is_unknown() {
        "unknown"
    } else if piece.span.names.is_empty() {
        "valued"
    } else {
        "named"
    };
    costs.add(format!("{said} {kind} {does}"), 1.0);
    costs.add(format!("{} {kind} {does}", asked(message)), 1.0);
    for (is, of) in [
        (piece.follows, "behind a piece"),
        (piece.after_be, "behind a form of be"),
        (is_done(&piece.span.text), "done"),
        (at + 1 == message.pieces.len(), "last"),
        (message.pieces.get(at + 1).is_some_and(|next| next.follows), "before a piece"),
    ] {
        if is {
            costs.add(format!("{of} {does}"), 1.0);
        }
    }
}

/// What a message asks for, in a word.
pub fn asked(message: &Message) -> &'static str {
    match (message.asks, &message.ranked) {
        (_, Some(ranked)) if ranked.counts => "asks for the most",
        (_, Some(_)) => "asks for the first",
        (Asks::Rows, None) if message.who => "asks who",
        (Asks::Rows, None) => "asks for rows",
        (Asks::Count, None) => "asks for a count",
        (Asks::Number, None) => "asks for a number",
        (Asks::Share, None) => "asks for a share",
    }
}

/// What a piece may do by what stands beside it.
fn beside_others(message: &Message, at: usize, kind: Kind, uses: &mut Vec<(Use, Costs)>) {
    let Some(piece) = message.pieces.get(at) else { return };
    match (&message.ranked, piece.place, kind) {
        (Some(_), Place::Grouped, Kind::Number) => {
            uses.push((Use::Order, Costs::one("ordered-by grouped number order")));
        }
        (Some(_), Place::Grouped, Kind::Table) => {
            uses.push((Use::OrderCount, Costs::one("ordered-by grouped table order-count")));
        }
        _ => {}
    }
    // What a number right behind it is held against: "fee over 20", "severity 4".
    for (bound, _) in message.bounds.iter().enumerate().filter(|(_, bound)| bound.before == Some(at)) {
        match kind {
            Kind::Number => uses.push((Use::Hold(bound), Costs::one("held behind number hold"))),
            Kind::Table => uses.push((Use::HoldCount(bound), Costs::one("held behind table hold-count"))),
            Kind::Text | Kind::Date | Kind::Flag | Kind::Value => {}
        }
    }
    if piece.said_of && message.asks == Asks::Share && matches!(kind, Kind::Date | Kind::Text) {
        uses.push((Use::Have, Costs::one("share said have")));
    }
    if let (Kind::Date, false) = (kind, message.periods.is_empty()) {
        let own = piece.period.is_some();
        uses.push((Use::Date, Costs::one(if own { "date of its period" } else { "date of a period" })));
    }
    if message.ranked.as_ref().is_some_and(|ranked| ranked.counts) && kind == Kind::Table {
        let ranked = piece.place == Place::Ranked;
        let reason = if ranked { "counted ranked order-count" } else { "counted elsewhere order-count" };
        uses.push((Use::OrderCount, Costs::one(reason)));
    }
}

/// What makes some of it less usual.
fn weighed(message: &Message, at: usize, grounded: &Grounded, uses: &mut Vec<(Use, Costs)>) {
    let Some(piece) = message.pieces.get(at) else { return };
    let mut add = |less: &dyn Fn(Use) -> bool, reason: &str| {
        uses.iter_mut().filter(|(does, _)| less(*does)).for_each(|(_, costs)| costs.add(reason, 1.0));
    };
    let unnamed = piece.span.names.is_empty();
    let open = unnamed && piece.span.values.is_empty();
    // That something is written there is seldom meant by a word that is like its name, or a part of it.
    if unnamed || grounded.near < NAMED_MIN {
        add(&|does| does == Use::Have, "have unnamed");
    }
    if open && grounded.near < SURE && matches!(grounded.kind, Kind::Flag | Kind::Value) {
        add(&|does| does == Use::Keep, "keep unsure");
    }
    if piece.follows && piece.place == Place::Grouped {
        add(&|does| does == Use::Group, "group behind");
    }
    if message.asks == Asks::Count && piece.place == Place::Plain {
        add(&|does| matches!(does, Use::Gather(_)), "gather where counted");
    }
    let amount = message.ranked.as_ref().is_some_and(|ranked| ranked.amount);
    if amount && piece.place == Place::Ranked && grounded.kind == Kind::Table {
        add(&|does| does == Use::List, "list of an amount");
    }
    // What a word only is somewhat like is not spoken of by it.
    if open && grounded.near < SPOKEN_OF_MIN {
        uses.retain(|(does, _)| *does != Use::Beside);
    }
    // "Plan tier": the first says of what the second is.
    if grounded.kind == Kind::Table && message.pieces.get(at + 1).is_some_and(|next| next.follows) {
        uses.push((Use::Beside, Costs::one("beside a name")));
    }
}

/// What somebody spent is added up, or held against a number, of which it is not sure which one is meant.
fn money(message: &Message, at: usize) -> Vec<(Use, Costs)> {
    let held = message.bounds.iter().enumerate().filter(|(_, bound)| bound.before == Some(at));
    let held = held.map(|(bound, _)| (Use::Hold(bound), Costs::one("money hold")));
    let own = match message.ranked {
        Some(_) => (Use::Order, Costs::one("money order")),
        None => (Use::Gather(How::Sum), Costs::one("money gather")),
    };
    std::iter::once(own).chain(held).collect()
}

/// A verb speaks of rows: how many of them there are, that there are none, or only which.
fn deed(message: &Message, piece: &Piece) -> Vec<(Use, Costs)> {
    let counts = message.ranked.as_ref().is_some_and(|ranked| ranked.counts);
    match piece.place {
        Place::Denied => vec![(Use::Deny, Costs::one("deed deny"))],
        _ if counts => {
            let (count, beside) = (Costs::one("deed order-count"), Costs::one("deed beside among counts"));
            vec![(Use::OrderCount, count), (Use::Beside, beside)]
        }
        _ => vec![(Use::Beside, Costs::one("deed beside"))],
    }
}

fn ordering(message: &Message, piece: &Piece, kind: Kind) -> Vec<(Use, Costs)> {
    match (piece.tests, kind) {
        (Some(bound), Kind::Number) if bound < message.bounds.len() => {
            vec![(Use::Hold(bound), Costs::one("property hold"))]
        }
        (None, Kind::Number | Kind::Date) => vec![(Use::Order, Costs::one("property order"))],
        _ => Vec::new(),
    }
}

/// What a message asks for without a word for it.
fn implied(message: &Message, silent: Silent) -> Vec<(Use, Costs)> {
    let how = message.how.unwrap_or(How::Sum);
    let (does, reason) = match silent {
        Silent::Who => (Use::List, "who"),
        Silent::Amount => (Use::Gather(how), "silent gather"),
        Silent::Rows => (Use::OrderCount, "silent order-count"),
        Silent::Lack => (Use::Deny, "silent deny"),
        Silent::When => (Use::Date, "silent date"),
        Silent::Bound(bound) => (Use::Hold(bound), "silent hold"),
    };
    vec![(does, Costs::one(reason))]
}

/// What stands in a place may do all that the table of costs has a line for.
fn by_place(message: &Message, place: Place, kind: Kind) -> Vec<(Use, Costs)> {
    let how = if let Place::Gathered(how) = place { how } else { message.how.unwrap_or(How::Sum) };
    let bound = if let Place::Measured(bound) = place { Some(bound) } else { None };
    let held = bound.into_iter().flat_map(|bound| [Use::Hold(bound), Use::HoldCount(bound)]);
    let uses = [
        Use::Count,
        Use::Gather(how),
        Use::Group,
        Use::Divide,
        Use::List,
        Use::Keep,
        Use::Deny,
        Use::Have,
        Use::Order,
        Use::Beside,
    ];
    let priced = uses.into_iter().chain(held).filter_map(|does| {
        let reason = format!("{} {} {}", place_name(place), kind_name(kind), use_name(does));
        costs::of(&reason).map(|_| (does, Costs::one(reason)))
    });
    priced.collect()
}

/// Whether a reason is one by which something may be done at all.
#[cfg(test)]
pub fn is_of_place(reason: &str) -> bool {
    const PLACES: [&str; 10] =
        ["counted", "gathered", "how-much", "grouped", "sought", "denied", "shared", "ranked", "measured", "plain"];
    let first = reason.split(' ').next().unwrap_or_default();
    PLACES.contains(&first) && reason.split(' ').count() == 3
}

/// A place as the table of costs calls it.
fn place_name(place: Place) -> &'static str {
    match place {
        Place::Counted => "counted",
        Place::Gathered(_) => "gathered",
        Place::HowMuch => "how-much",
        Place::Grouped => "grouped",
        Place::Sought => "sought",
        Place::Denied => "denied",
        Place::Shared => "shared",
        Place::Ranked => "ranked",
        Place::Measured(_) => "measured",
        Place::Plain => "plain",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Table => "table",
        Kind::Number => "number",
        Kind::Text => "text",
        Kind::Date => "date",
        Kind::Flag => "flag",
        Kind::Value => "value",
    }
}

fn use_name(does: Use) -> &'static str {
    match does {
        Use::Count => "count",
        Use::Gather(_) => "gather",
        Use::Group => "group",
        Use::Divide => "divide",
        Use::List => "list",
        Use::Keep => "keep",
        Use::Deny => "deny",
        Use::Have => "have",
        Use::Hold(_) => "hold",
        Use::HoldCount(_) => "hold-count",
        Use::Date => "date",
        Use::Order => "order",
        Use::OrderCount => "order-count",
        Use::Beside => "beside",
        Use::Aside | Use::Idle => "idle",
    }
}

/// Whether a word says what was done to something, by its ending: "Spanish forbidden" is no kind of Spanish.
pub fn is_done(word: &str) -> bool {
    let word = word.to_lowercase();
    word.len() >= DONE_MIN && ["ed", "en", "ing"].iter().any(|ending| word.ends_with(ending))
}

/// Whether a piece that names nothing says nothing more than the number or the value before it.
fn is_aside(message: &Message, at: usize, grounds: &[Grounded]) -> bool {
    let Some(piece) = message.pieces.get(at) else { return false };
    let before = at.checked_sub(1).and_then(|at| message.pieces.get(at));
    let of_value = piece.follows && before.is_some_and(|piece| !piece.span.values.is_empty());
    let open = piece.property.is_none() && piece.span.values.is_empty() && piece.span.names.is_empty();
    let kind = piece.place == Place::Plain && of_value && !is_done(&piece.span.text);
    let stands = grounds.iter().any(|grounded| grounded.near >= STANDS_MIN);
    open && !stands && (matches!(piece.place, Place::Measured(_)) || kind)
}

/// What it costs to leave a piece without a part.
fn idle(message: &Message, at: usize, grounds: &[Grounded]) -> Costs {
    let Some(piece) = message.pieces.get(at) else { return Costs::default() };
    if let Some(silent) = piece.silent {
        return if silent == Silent::Who { Costs::one("who nobody") } else { Costs::default() };
    }
    let span = &piece.span;
    let before_name = message.pieces.get(at + 1).is_some_and(|next| next.follows);
    let reason = if piece.property.is_some() || !span.values.is_empty() {
        "idle value"
    } else if !span.names.is_empty() {
        if span.verb { "idle verb" } else { "idle name" }
    } else if is_aside(message, at, grounds) {
        "idle kind"
    } else if piece.place != Place::Plain {
        // What is asked about, counted or grouped by decides what the question is.
        "idle asked"
    } else if before_name || piece.after_be {
        "idle narrows"
    } else {
        "idle elsewhere"
    };
    let mut costs = Costs::one(reason);
    if span.is_unknown() {
        let nearest = grounds.iter().map(|one| one.near).fold(0.0, f64::max);
        costs.add("idle near", nearest);
        costs.add(format!("idle {}", place_name(piece.place)), 1.0);
        costs.add(format!("idle where it {}", asked(message)), 1.0);
        costs.add("idle words", span.text.split_whitespace().count() as f64 - 1.0);
        for (is, of) in [
            (piece.follows, "idle behind a piece"),
            (before_name, "idle before a piece"),
            (piece.after_be, "idle behind a form of be"),
            (is_done(&span.text), "idle done"),
            (at + 1 == message.pieces.len(), "idle last"),
            (at == 0, "idle first"),
        ] {
            if is {
                costs.add(of, 1.0);
            }
        }
    }
    costs
}

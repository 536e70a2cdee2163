//! A message in pieces: what says something, with the place it stands in, and what the small words around it ask for.
//! The words are those of the lexicon and the data; none is put in another's place. Next: `ground`, which says what a
//! piece may stand for.

use super::implied;
use crate::asked;
use crate::catalogue::Catalogue;
use crate::lexicon::{Comparator, Concept, Order, Role, Signal};
use crate::period::{Grain, Period};
use crate::question::{End, How, Is};
use crate::read::{self, Spotted};
use crate::words::{self, Word};

/// Where a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// "how many dogs".
    Counted,
    /// "average weight".
    Gathered(How),
    /// "how much".
    HowMuch,
    /// "per shop".
    Grouped,
    /// "which shop", "list the shops".
    Sought,
    /// "without a shop".
    Denied,
    /// "share of the dogs".
    Shared,
    /// "top shops", "most visits", "heaviest dog".
    Ranked,
    /// Right behind a number that something is held against: "more than 30 kg".
    Measured(usize),
    /// Anywhere else.
    Plain,
}

/// Words that say something of the data.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What they are found to be.
    pub span: Spotted,
    pub place: Place,
    /// Whether nothing stands between it and the piece before.
    pub follows: bool,
    /// Whether a verb or a preposition stands between it and what a share is of.
    pub said_of: bool,
    /// Whether it stands right behind "is" or "are".
    pub after_be: bool,
    /// The property it orders or holds against a number by itself: "heaviest", "heavier than".
    pub property: Option<Concept>,
    /// The test it says itself what of.
    pub tests: Option<usize>,
    /// The time right behind it: "installed in 2022".
    pub period: Option<usize>,
    /// Whether it is a verb of money: "spent", "earn".
    pub money: bool,
    /// The place of the piece it stands right behind, which may be its own as well: "claim type", "salary, by job".
    pub also: Option<Place>,
    /// Whether it is a unit that stands behind no number: "hours worked".
    pub unit: bool,
    /// What it stands for without a word of its own.
    pub silent: Option<Silent>,
}

/// What a message asks for without a word that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silent {
    /// Those who are asked for by "who".
    Who,
    /// The number of "how much", or of a total of nothing.
    Amount,
    /// The rows whose number decides an order: "the busiest shop".
    Rows,
    /// The rows there are none of: "never came".
    Lack,
    /// The date that times are of.
    When,
    /// What is held against a number: "payments over 50".
    Bound(usize),
}

/// A number that something is held against.
#[derive(Clone, Debug)]
pub struct Bound {
    pub is: Is,
    pub value: f64,
    /// The piece right before it.
    pub before: Option<usize>,
    /// Whether no word says how.
    pub bare: bool,
    pub words: String,
}

/// An order that is asked for.
#[derive(Clone, Debug)]
pub struct Ranked {
    pub end: End,
    pub limit: Option<u32>,
    /// "most visits", "most common": how many rows there are decides, unless a number is named.
    pub counts: bool,
    /// Whether what stands right behind it is counted: "most visits".
    pub amount: bool,
    pub words: String,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asks {
    /// Rows, or what else the pieces say.
    #[default]
    Rows,
    Count,
    Number,
    Share,
}

/// A message, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Message {
    pub pieces: Vec<Piece>,
    pub bounds: Vec<Bound>,
    pub periods: Vec<Period>,
    pub grains: Vec<Grain>,
    pub asks: Asks,
    pub ranked: Option<Ranked>,
    /// Whether two things are put side by side.
    pub compared: bool,
    /// Whether people are asked for: "who".
    pub who: bool,
    /// Lengths of time that a number is for each of: "40 a day".
    pub units: Vec<Grain>,
    /// The units that numbers are said to be in.
    pub in_units: Vec<String>,
    /// How many small words were passed over that the plan names, and how many of those that may say when.
    pub small: f64,
    pub when: f64,
    /// How numbers are gathered, wherever that is said: "on average".
    pub how: Option<How>,
    /// What denies something: "never".
    pub denied: Option<String>,
    /// Whether what is asked for last has no word: "and where they are from".
    pub open: bool,
    /// A word that asks for something only the grammar can say.
    pub beyond: bool,
}

/// Takes `text` apart.
pub fn message(catalogue: &Catalogue, text: &str) -> Message {
    let words = words::split(text);
    let mut reading = Reading {
        message: Message::default(),
        next: Place::Plain,
        near: false,
        pending: None,
        said: false,
        be: false,
        begun: false,
    };
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let (length, span) = piece(catalogue, rest);
        let doing = |word: &&Word| word.folded.len() > DOING_MIN && word.folded.ends_with("ing");
        // "Stopped ordering", "started to order": what is said of doing something is no doing.
        reading.message.beyond |=
            span.is_unknown() && length == 1 && words.get(at + 1).filter(doing).is_some_and(|_| !words[at].pause);
        reading.message.beyond |=
            span.is_unknown() && length > 1 && words[at + 1..at + length].iter().any(|word| doing(&word));
        reading.take(span);
        at += length;
    }
    let message = &mut reading.message;
    message.beyond |= message.compared && message.asks == Asks::Share;
    message.beyond |= message.periods.iter().any(|period| is_no_year(catalogue, period));
    // Groups by something that was not found are none.
    message.beyond |= reading.next == Place::Grouped;
    // A comparison without its number is one with something else.
    reading.message.beyond |= reading.pending.is_some();
    reading.message.open = reading.next == Place::Sought && !reading.message.pieces.is_empty();
    implied::add(&mut reading.message);
    reading.message
}

/// A number that is read as a year far from all there are.
fn is_no_year(catalogue: &Catalogue, period: &Period) -> bool {
    let Period::Year(year) = period else { return false };
    catalogue.dates().is_some_and(|(_, last)| *year > last.year() + YEARS_AHEAD_MAX)
}

/// Years after the last date of the data that are still asked about.
const YEARS_AHEAD_MAX: i16 = 20;
/// Fit from which a small word is a name.
const NAMED_MIN: u32 = 80;
/// Letters of a word that says what somebody is doing, at least.
const DOING_MIN: usize = 5;
/// Words that stand for nothing, one after the other, are taken together.
const TOGETHER_MAX: usize = 3;

fn piece(catalogue: &Catalogue, words: &[Word]) -> (usize, Spotted) {
    let (length, span, corrected) = read::longest(catalogue, words);
    // A slip may be one of a name, but what is asked for is never guessed from another word.
    if span.is_unknown() || (corrected.is_some() && span.signal.is_some()) {
        return unknown(catalogue, words);
    }
    (length.max(1), span)
}

fn unknown(catalogue: &Catalogue, words: &[Word]) -> (usize, Spotted) {
    let open = |word: &Word, rest: &[Word]| {
        let (_, span, corrected) = read::longest(catalogue, rest);
        let is_small = asked::is_telling(&word.folded) || asked::is_grammar(&word.folded);
        !is_small && (span.is_unknown() || (corrected.is_some() && span.signal.is_some()))
    };
    let stops = |at: usize| at > 0 && words[at - 1].pause;
    let length = (1..words.len().min(TOGETHER_MAX))
        .take_while(|at| !stops(*at) && open(&words[0], words) && open(&words[*at], &words[*at..]))
        .count();
    let own = &words[..=length];
    let text = own.iter().map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ");
    (length + 1, Spotted { text, pause: words[length].pause, ..Spotted::default() })
}

/// A message on its way.
pub struct Reading {
    pub message: Message,
    /// The place of the next piece.
    pub next: Place,
    /// Whether the word before was a piece.
    pub near: bool,
    /// The comparison that waits for its number.
    pub pending: Option<(Is, String)>,
    /// Whether something is said of what a share is of by now.
    pub said: bool,
    /// Whether the word before was "is" or "are".
    be: bool,
    /// Whether it is no longer the first word.
    begun: bool,
}

impl Reading {
    fn take(&mut self, span: Spotted) {
        let be = asked::is_be(&words::fold(&span.text));
        if be || span.signal.is_some() {
            self.be = be;
        }
        if let Some(period) = span.period.clone() {
            if let Some(piece) =
                self.message.pieces.last_mut().filter(|piece| piece.period.is_none() && !piece.span.pause)
            {
                piece.period = Some(self.message.periods.len());
            }
            self.message.periods.push(period);
            (self.near, self.next) = (false, Place::Plain);
            return;
        }
        let names = !span.names.is_empty() || !span.values.is_empty();
        if self.pending.is_some() && span.number.is_none() && words::fold(&span.text) == "one" {
            return self.number(1.0, &span);
        }
        // "blood group A" is no article.
        let letter = span.text.len() == 1 && span.text.chars().all(char::is_uppercase);
        let begins = !std::mem::replace(&mut self.begun, true);
        if letter && !span.values.is_empty() && !begins {
            return self.piece(Spotted { signal: None, ..span }, None);
        }
        if let (Some(value), false) = (span.number, names) {
            return self.number(value, &span);
        }
        if span.is_unknown() && asked::is_telling(&words::fold(&span.text)) {
            self.message.small += 1.0;
            self.near = false;
            return;
        }
        // "By name" is no order to name anything.
        if self.next == Place::Grouped && says_more(&span) {
            return self.piece(Spotted { signal: None, ..span }, None);
        }
        // A unit says what the number before it is in; elsewhere it may be what is asked for.
        if span.unit.is_some() && !names && !matches!(self.next, Place::Measured(_)) {
            self.piece(Spotted { signal: None, ..span }, None);
            self.message.pieces.last_mut().into_iter().for_each(|piece| piece.unit = true);
            return;
        }
        if span.unit.is_some() && !names {
            self.message.in_units.push(words::fold(&span.text));
            (self.near, self.next) = (false, Place::Plain);
            return;
        }
        match span.signal {
            Some(Signal::Role(Role::Ignore | Role::Link)) if span.is_name() || (self.wants() && says_more(&span)) => {
                self.piece(span, None);
            }
            Some(Signal::Role(role)) => self.role(role, span),
            Some(Signal::Superlative(order, concept)) => self.superlative(order, concept, span),
            Some(Signal::Comparative(comparator, concept)) => self.comparative(comparator, concept, span),
            None => self.piece(span, None),
        }
    }

    /// Whether a small word may be a name: right behind one, or where rows are grouped by what follows.
    fn wants(&self) -> bool {
        self.near || self.next == Place::Grouped
    }

    /// A number is a bound where something is held against it, and a limit right before or behind an order.
    fn number(&mut self, value: f64, span: &Spotted) {
        let limit = (value.fract() == 0.0 && (1.0..1_000.0).contains(&value)).then_some(value as u32);
        if let (Some(ranked), Place::Ranked, None) = (&mut self.message.ranked, self.next, &self.pending) {
            ranked.limit = limit;
            return;
        }
        let bare = self.pending.is_none();
        let (is, words) = self.pending.take().unwrap_or((Is::Equal, String::new()));
        let before = self.message.pieces.len().checked_sub(1);
        let words = format!("{words} {}", span.text).trim().to_owned();
        self.next = Place::Measured(self.message.bounds.len());
        self.message.bounds.push(Bound { is, value, before, bare, words });
        self.near = false;
    }

    fn comparative(&mut self, comparator: Comparator, concept: Concept, span: Spotted) {
        let bound = self.message.bounds.len();
        self.pending = Some((comparator.into(), span.text.clone()));
        self.piece(span, Some(concept));
        if let Some(piece) = self.message.pieces.last_mut() {
            piece.tests = Some(bound);
        }
        self.near = false;
    }

    fn superlative(&mut self, order: Order, concept: Concept, span: Spotted) {
        let end = if order == Order::Descending { End::Highest } else { End::Lowest };
        self.order(end, false, &span);
        self.piece(span, Some(concept));
        (self.near, self.next) = (false, Place::Ranked);
    }

    /// An order is asked for.
    pub fn order(&mut self, end: End, counts: bool, span: &Spotted) {
        // A bare number before it says how many: "3 dearest".
        let bare = self.message.bounds.last().is_some_and(|bound| bound.bare);
        let limit = match self.next {
            Place::Measured(at) if bare && at + 1 == self.message.bounds.len() => {
                self.message.bounds.pop().map(|bound| bound.value as u32)
            }
            _ => None,
        };
        self.message.beyond |= self.message.ranked.is_some();
        self.message.ranked = Some(Ranked { end, limit, counts, amount: false, words: span.text.clone() });
    }

    /// A piece was found.
    pub fn piece(&mut self, span: Spotted, property: Option<Concept>) {
        // "Norway, Sweden and Denmark" are all where the first is.
        let before = self.message.pieces.last().filter(|_| self.near);
        let place = match before.filter(|last| last.span.pause) {
            Some(last) => last.place,
            None => self.next,
        };
        // What stands behind a pause may be of its own, and what stands right behind may be the head of both.
        let also = before.map(|last| if last.span.pause { self.next } else { last.place });
        let also = also.filter(|also| *also != place);
        let said_of = self.message.asks == Asks::Share && self.said;
        let after_be = std::mem::take(&mut self.be);
        self.message.pieces.push(Piece {
            span,
            place,
            follows: self.near,
            said_of,
            after_be,
            property,
            tests: None,
            period: None,
            money: false,
            also,
            unit: false,
            silent: None,
        });
        self.near = true;
        if !matches!(place, Place::Gathered(_) | Place::Counted) {
            self.next = Place::Plain;
        }
    }
}

/// Whether a small word right behind a name is one of the data as well: "member kind".
fn says_more(span: &Spotted) -> bool {
    span.names.iter().any(|name| name.score >= NAMED_MIN)
}

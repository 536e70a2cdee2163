//! What a message asks for without a word that names it: who "who" is, the number of "how much", the rows of which
//! "never" says that there are none, the date that times are of, what a number is held against. Each stands last in the
//! message as a piece without words, is given something of the data like any other, and may stay without a part. Next:
//! `ground`.

use super::pieces::{Asks, Message, Piece, Place, Silent};
use crate::read::Spotted;

/// Adds what `message` implies.
pub fn add(message: &mut Message) {
    let mut silent = Vec::new();
    let is_at = |place: Place| message.pieces.iter().any(|piece| piece.place == place);
    if message.who {
        silent.push((Silent::Who, Place::Sought));
    }
    if message.asks == Asks::Number {
        silent.push((Silent::Amount, Place::Plain));
    }
    if message.ranked.is_some() {
        silent.push((Silent::Rows, Place::Plain));
    }
    if message.denied.is_some() && !is_at(Place::Denied) {
        silent.push((Silent::Lack, Place::Denied));
    }
    let own = message.pieces.iter().any(|piece| piece.tests.is_some());
    for (at, bound) in message.bounds.iter().enumerate() {
        if !(own || bound.bare && bound.before.is_none()) {
            silent.push((Silent::Bound(at), Place::Plain));
        }
    }
    if !message.periods.is_empty() || !message.grains.is_empty() {
        silent.push((Silent::When, Place::Plain));
    }
    for (silent, place) in silent {
        let text = match (silent, &message.denied) {
            (Silent::Lack, Some(denied)) => denied.clone(),
            _ => String::new(),
        };
        let span = Spotted { text, ..Spotted::default() };
        message.pieces.push(Piece {
            span,
            place,
            follows: false,
            said_of: false,
            after_be: false,
            property: None,
            tests: None,
            period: None,
            money: false,
            also: None,
            unit: false,
            silent: Some(silent),
        });
    }
}

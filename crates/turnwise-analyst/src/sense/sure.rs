//! How sure a reading is of words that name nothing, and of numbers that nothing says how to gather: what is not sure
//! is asked about, because a plan that rests on a guess looks like any other. Next: `build`.

use super::pieces::{Asks, Message, Piece, Place};
use super::search::{Part, Way};
use super::uses::{self, Use};

/// Whether nothing says how a number is gathered.
pub fn is_guessed(message: &Message, way: &Way) -> bool {
    let plain = |piece: &Piece| piece.place == Place::Plain && !piece.money;
    let guessed = |part: &Part| matches!(part.does, Use::Gather(_)) && message.pieces.get(part.at).is_some_and(plain);
    message.asks == Asks::Rows && way.parts.iter().any(guessed)
}

/// How near the farthest of the words that name nothing is to what it stands for.
pub fn nearness(message: &Message, way: &Way) -> f64 {
    let near = |part: &Part| match &part.ground {
        Some(grounded) if message.pieces.get(part.at).is_some_and(|piece| piece.span.is_unknown()) => grounded.near,
        Some(_) => 1.0,
        None if uses::idle(message, part.at) <= uses::BY_THE_WAY => 1.0,
        None => 0.0,
    };
    way.parts.iter().map(near).fold(1.0, f64::min)
}

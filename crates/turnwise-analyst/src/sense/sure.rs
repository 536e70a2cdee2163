//! How sure a reading is of the words it rests on: how near those that name nothing are to what they stand for, which
//! it leaves out, and whether one of those decides what is asked. Next: `build`.

use super::pieces::{Message, Place};
use super::search::Way;
use super::uses::{self, Use};

/// How near a word must be to what it stands for in a reading that is asked about, where it says what is asked for and
/// elsewhere.
const ASKED_FOR_MIN: f64 = 0.5;
const LIKE_MIN: f64 = 0.15;

/// How a reading stands to the words of its message.
#[derive(Clone, Debug, PartialEq)]
pub struct Sureness {
    /// How near the farthest of the words that name nothing is to what it stands for, of those that have a part.
    pub near: f64,
    /// The same of those that say what is asked for.
    pub near_asked_for: f64,
    /// The words that have none, but for those that only say of what kind something is (`Use::Aside`).
    pub left_out: Vec<String>,
    /// Whether one of them is more than a verb beside what is asked for: it would decide what that is.
    pub misses: bool,
    /// Whether one of them is what is asked for.
    pub misses_asked_for: bool,
}

impl Sureness {
    /// Whether no word is taken for what it is nothing like, and what is asked for is there.
    pub fn is_possible(&self) -> bool {
        self.near >= LIKE_MIN && !self.misses_asked_for
    }

    /// Whether each word is like what it stands for.
    pub fn is_like(&self) -> bool {
        self.near >= LIKE_MIN && self.near_asked_for >= ASKED_FOR_MIN
    }
}

/// How a way stands to the words of its message.
pub fn of(message: &Message, way: &Way) -> Sureness {
    let mut sureness =
        Sureness { near: 1.0, near_asked_for: 1.0, left_out: Vec::new(), misses: false, misses_asked_for: false };
    for part in &way.parts {
        let Some(piece) = message.pieces.get(part.at).filter(|piece| piece.silent.is_none()) else { continue };
        match &part.ground {
            Some(grounded) if piece.span.is_unknown() => {
                sureness.near = sureness.near.min(grounded.near);
                if asks(piece.place) {
                    sureness.near_asked_for = sureness.near_asked_for.min(grounded.near);
                }
            }
            None if part.does == Use::Idle => {
                sureness.left_out.push(piece.span.text.clone());
                sureness.misses_asked_for |= asks(piece.place);
                sureness.misses |= asks(piece.place) || !uses::is_done(&piece.span.text);
            }
            Some(_) | None => {}
        }
    }
    sureness
}

/// Whether what stands in a place decides what is asked for.
fn asks(place: Place) -> bool {
    !matches!(place, Place::Plain | Place::Measured(_))
}

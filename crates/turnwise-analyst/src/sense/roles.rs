//! What the small words of a message do: what is asked for, where the next piece stands, which order, which bound. Each
//! is told by its class in the lexicon, and none by its letters. Next: `pieces`.

use super::pieces::{Asks, Place, Reading};
use crate::lexicon::{Role, Signal, lexicon};
use crate::period::Grain;
use crate::question::{End, How, Is};
use crate::read::Spotted;
use crate::words;

impl Reading {
    /// Takes a word of that class.
    pub fn role(&mut self, role: Role, span: Spotted) {
        let near = std::mem::take(&mut self.near);
        match role {
            // "In total" asks for one.
            Role::Ignore if is_total(&span.text) => {
                self.message.beyond |= !self.message.bounds.is_empty();
                if self.message.asks == Asks::Rows {
                    self.message.asks = Asks::Number;
                }
            }
            Role::Ignore | Role::Link | Role::Known | Role::Only => {
                self.said |= self.message.asks == Asks::Share && !self.message.pieces.is_empty();
                // What is counted or gathered stands right behind the word for it, but for articles.
                if near && matches!(self.next, Place::Counted | Place::Gathered(_)) {
                    self.next = Place::Plain;
                }
            }
            Role::Of | Role::In | Role::With => self.joined(role, near),
            Role::And | Role::Or => {
                self.next = self.message.pieces.last().map_or(Place::Plain, |piece| piece.place);
            }
            Role::Not | Role::Without => {
                self.said |= self.message.asks == Asks::Share;
                self.message.denied.get_or_insert_with(|| span.text.clone());
                self.next = Place::Denied;
            }
            // What somebody paid or earned is money.
            Role::Spent | Role::FilterWord => {
                self.near = near;
                self.piece(Spotted { signal: None, ..span }, None);
                let money = role == Role::Spent;
                self.message.pieces.last_mut().into_iter().for_each(|piece| piece.money = money);
            }
            Role::Compare | Role::Versus | Role::More => self.message.compared = true,
            Role::When if !self.message.pieces.is_empty() => self.message.when += 1.0,
            _ => self.asking(role, span),
        }
    }

    /// What stands behind a preposition is said of what stands before it.
    fn joined(&mut self, role: Role, near: bool) {
        let begun = self.message.pieces.iter().any(|piece| piece.place == Place::Shared);
        self.said = match role {
            Role::Of if self.message.asks == Asks::Share => false,
            _ => self.said || (self.message.asks == Asks::Share && begun),
        };
        if !matches!(self.next, Place::Counted | Place::Gathered(_) | Place::Shared) || near {
            self.next = Place::Plain;
        }
    }

    /// Words that say what is asked for.
    fn asking(&mut self, role: Role, span: Spotted) {
        match role {
            Role::Command | Role::Wh => self.next = Place::Sought,
            Role::Who => {
                self.message.who |= self.message.pieces.is_empty();
                self.next = Place::Plain;
            }
            // "Per number of cylinders" groups by the number.
            Role::Count if self.next == Place::Grouped => {}
            Role::Count => self.asks(Asks::Count, Place::Counted),
            Role::HowMuch => self.asks(Asks::Number, Place::HowMuch),
            Role::Sum => self.asks(Asks::Number, Place::Gathered(How::Sum)),
            Role::Average | Role::Median => {
                let how = if role == Role::Average { How::Average } else { How::Median };
                self.message.how = Some(how);
                self.asks(Asks::Number, Place::Gathered(how));
            }
            // "Share recovered of the closed cases": what stands right behind it is what is said of them.
            Role::Share => {
                self.asks(Asks::Share, Place::Shared);
                self.said = !span.text.ends_with(" of");
            }
            Role::Group | Role::Each => self.next = Place::Grouped,
            _ => self.ordering(role, span),
        }
    }

    /// Words that ask for an order.
    fn ordering(&mut self, role: Role, span: Spotted) {
        match role {
            Role::Top | Role::Bottom | Role::Most | Role::Fewest | Role::Popular | Role::Common | Role::Rare => {
                let low = matches!(role, Role::Bottom | Role::Fewest | Role::Rare);
                let counts = !matches!(role, Role::Top | Role::Bottom);
                self.order(if low { End::Lowest } else { End::Highest }, counts, &span);
                if let Some(ranked) = &mut self.message.ranked {
                    ranked.amount = matches!(role, Role::Most | Role::Fewest);
                }
                self.next = Place::Ranked;
            }
            Role::Highest | Role::Lowest => {
                self.order(if role == Role::Lowest { End::Lowest } else { End::Highest }, false, &span);
                self.next = Place::Ranked;
            }
            Role::Often => match &mut self.message.ranked {
                Some(ranked) => ranked.counts = true,
                None => self.message.compared = true,
            },
            Role::Over | Role::Under | Role::AtLeast | Role::AtMost | Role::Exactly => {
                self.pending = Some((said(role), span.text));
            }
            Role::OrMore | Role::OrLess => {
                if let Some(bound) = self.message.bounds.last_mut() {
                    bound.is = if role == Role::OrMore { Is::AtLeast } else { Is::AtMost };
                    bound.words = format!("{} {}", bound.words, span.text);
                }
            }
            _ => self.time_or_beyond(role),
        }
    }

    fn asks(&mut self, asks: Asks, place: Place) {
        // "total" behind another wish only says the same of it.
        self.message.beyond |= !matches!(self.message.asks, Asks::Rows) && self.message.asks != asks;
        self.message.asks = asks;
        self.next = place;
    }

    fn time_or_beyond(&mut self, role: Role) {
        let grain = match role {
            Role::GrainDay => Some(Grain::Day),
            Role::GrainWeek => Some(Grain::Week),
            Role::GrainMonth => Some(Grain::Month),
            Role::GrainQuarter => Some(Grain::Quarter),
            Role::GrainYear => Some(Grain::Year),
            role if matches!(self.next, Place::Grouped | Place::Sought) => Grain::of(role),
            _ => None,
        };
        match (grain, role) {
            (Some(grain), _) => {
                self.message.grains.push(grain);
                // "The daily price" is asked for like any.
                if matches!(self.next, Place::Grouped | Place::Sought) {
                    self.next = Place::Plain;
                }
            }
            // What was sold or bought only says so of what is named.
            (None, Role::Sold | Role::Bought) => {
                self.message.beyond |= self.message.asks == Asks::Count;
                self.next = Place::Plain;
            }
            (None, Role::Since | Role::Before | Role::After | Role::Until | Role::Last | Role::This | Role::Next) => {
                self.message.when += 1.0;
            }
            (None, _) => match Grain::of(role) {
                Some(grain) => self.message.units.push(grain),
                None => self.message.beyond = true,
            },
        }
    }
}

/// Whether the last of several words asks for a total by itself.
fn is_total(text: &str) -> bool {
    let last = text.rsplit_once(' ').map(|(_, last)| words::fold(last));
    last.is_some_and(|last| lexicon().signal(&last) == Some(Signal::Role(Role::Sum)))
}

fn said(role: Role) -> Is {
    match role {
        Role::Over => Is::Over,
        Role::Under => Is::Under,
        Role::AtLeast => Is::AtLeast,
        Role::AtMost => Is::AtMost,
        _ => Is::Equal,
    }
}

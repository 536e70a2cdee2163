//! The end of a log, in memory: the last turns of a conversation that is followed, so that each of many followers takes
//! them from here instead of the store. A cache and nothing more: who is further behind reads the store. Next: `cell`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use turnwise_core::{Event, Sequence};

use super::limits;
use crate::store::Recorded;

/// The last events, without a gap.
#[derive(Debug, Default)]
pub(super) struct Tail(Mutex<VecDeque<Arc<Recorded>>>);

impl Tail {
    /// Nothing is known of the last turn.
    pub(super) fn clear(&self) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Its memory goes, too: ten thousand conversations may be open and none of them followed.
        *events = VecDeque::new();
    }

    /// The log goes on with `news`.
    pub(super) fn extend(&self, news: Vec<Arc<Recorded>>) {
        let mut events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = match (events.back(), news.first()) {
            (Some(last), Some(next)) => next.sequence.number() == last.sequence.number() + 1,
            _ => false,
        };
        if !goes_on {
            events.clear();
        }
        events.extend(news);
        let surplus = events.len().saturating_sub(limits::TAIL_EVENTS_MAX);
        events.drain(..surplus);
    }

    /// Everything after `after` up to `upto`, if it is all here.
    pub(super) fn after(&self, after: Sequence, upto: Sequence) -> Option<VecDeque<Arc<Recorded>>> {
        let events = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, last) = (events.front()?.sequence, events.back()?.sequence);
        if first.number() > after.number() + 1 || last < upto {
            return None;
        }
        let is_news = |recorded: &&Arc<Recorded>| recorded.sequence > after && recorded.sequence <= upto;
        Some(events.iter().filter(is_news).cloned().collect())
    }
}

/// `events` as they are recorded after `after`.
pub(super) fn recorded(after: Sequence, events: &[Event]) -> Vec<Arc<Recorded>> {
    let record =
        |(number, event): (u64, &Event)| Arc::new(Recorded { sequence: Sequence::new(number), event: event.clone() });
    (after.number() + 1..).zip(events).map(record).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use turnwise_core::{Event, Mode, Sequence};

    use super::{Tail, limits, recorded};

    fn turn(after: u64, count: usize) -> Vec<Arc<super::Recorded>> {
        recorded(Sequence::new(after), &vec![Event::ModeSwitched { mode: Mode::Proof, explicit: true }; count])
    }

    fn after(tail: &Tail, after: u64, upto: u64) -> Option<Vec<u64>> {
        let events = tail.after(Sequence::new(after), Sequence::new(upto))?;
        Some(events.iter().map(|recorded| recorded.sequence.number()).collect())
    }

    #[test]
    fn whoever_is_at_the_end_finds_what_comes_and_whoever_is_behind_does_not() {
        let tail = Tail::default();
        assert_eq!(after(&tail, 0, 1), None);
        tail.extend(turn(4, 2));
        tail.extend(turn(6, 1));
        assert_eq!(after(&tail, 4, 7), Some(vec![5, 6, 7]));
        assert_eq!(after(&tail, 6, 7), Some(vec![7]));
        assert_eq!(after(&tail, 4, 6), Some(vec![5, 6]), "what is not published yet is no news");
        assert_eq!(after(&tail, 3, 7), None, "a gap");
        assert_eq!(after(&tail, 7, 8), None, "not known yet");
        tail.extend(turn(9, 1));
        assert_eq!(after(&tail, 6, 10), None, "nothing is passed over");
        tail.extend(turn(10, 2 * limits::TAIL_EVENTS_MAX));
        assert_eq!(after(&tail, 10, 10 + 2 * limits::TAIL_EVENTS_MAX as u64), None);
        tail.clear();
        assert_eq!(after(&tail, 41, 42), None);
    }
}

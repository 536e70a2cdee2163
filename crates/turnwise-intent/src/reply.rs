//! Replies to an open question: is this a yes to *this* question, or anything else?
//!
//! The grammar is strict on one side only. A message is consent when it consists of nothing but words of assent and
//! courtesy, from its first word to its last; "yes" followed by anything unknown is not. So "approved yesterday", "yes
//! is a great band" and "I'll say yes when legal signs off" approve nothing, without a list of such sentences.
//! Everything that is not an answer is [`Reply::Other`] and is read like any other message.
//! Next: `phrases`, the words of the grammar.

mod learned;
mod lessons;
mod odds;
mod phrases;
mod restated;
mod styles;
mod training;
mod veto;
mod wording;

use turnwise_core::{Asked, Reply};

pub use self::learned::ReplyHead;
pub(crate) use self::learned::reply_key;
pub use self::lessons::{Lesson, Meaning, lessons};
pub use self::odds::Odds;
pub use self::styles::Style;
pub use self::training::{Judgement, ReplyFigures};
pub use self::veto::Veto;

use self::phrases::Phrases;
use crate::limits::READ_BYTES_MAX;
use crate::split::segments;
use crate::words::{Word, Words, visible};

/// What one sentence of a reply does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Move {
    Yes,
    /// A yes, and then a remark that changes nothing.
    YesWithNote(String),
    /// Courtesy; neither yes nor no.
    Courtesy,
    Note(String),
    Change(String),
    No,
    Cancel,
    Question,
    Hold,
    Other,
}

/// Reads `text` as an answer to the open question, which asks for `asked`.
///
/// A text longer than [`READ_BYTES_MAX`] is no answer: what cannot be read to its end cannot be consent. Lines quoted
/// with `>` are somebody else's words and left out.
#[must_use]
pub fn read(text: &str, asked: &Asked) -> Reply {
    ReplyHead::get().read(text, asked)
}

/// The person's own words of `text`, with what cannot be seen left out and short forms written out; none where it is
/// too long to be read to its end.
fn own_words(text: &str) -> Option<String> {
    let own = || text.lines().filter(|line| !line.trim_start().starts_with('>')).collect::<Vec<&str>>();
    (text.len() <= READ_BYTES_MAX).then(|| wording::written_out(&visible(&own().join("\n"))).into_owned())
}

/// Whether the grammar may be corrected by what was learned.
fn is_left_to_the_head(reply: &Reply) -> bool {
    match reply {
        Reply::Other | Reply::Change { .. } => true,
        Reply::Approve
        | Reply::ApproveWithNote { .. }
        | Reply::Reject
        | Reply::Cancel
        | Reply::Question
        | Reply::Hold
        | Reply::Likely => false,
    }
}

/// What the grammar alone makes of `own`, the person's own words.
fn by_grammar(own: &str) -> Reply {
    let phrases = Phrases::get();
    let moves: Vec<Move> = segments(own)
        .into_iter()
        .map(|segment| (segment, Words::of(segment)))
        .filter(|(_, words)| !words.all.is_empty())
        .map(|(segment, words)| one_move(segment, &words, phrases))
        .collect();
    match combined(&moves) {
        Reply::Approve | Reply::ApproveWithNote { .. } if trails_off(own) => Reply::Hold,
        Reply::Approve | Reply::ApproveWithNote { .. } if own.contains(PLACEHOLDERS) => Reply::Other,
        reply => reply,
    }
}

/// "Sure, great idea…", "okay so": a yes that trails off is not one from its first word to its last.
fn trails_off(text: &str) -> bool {
    let text = text.trim();
    let last = Words::of(text).all.pop();
    let breaks_off = last.is_some_and(|word| word.text == "so")
        && !["do so", "make it so"].iter().any(|whole| text.to_lowercase().contains(whole));
    breaks_off || text.ends_with("..") || text.ends_with('…')
}

/// Signs between which a yes is a placeholder or a slip: `[y]`, `<yes>`, `yes\`.
const PLACEHOLDERS: [char; 8] = ['[', ']', '<', '{', '}', '\\', '|', '`'];

fn combined(moves: &[Move]) -> Reply {
    // Whoever wants a change or asks something has not consented, whatever else was said.
    let changes: Vec<&str> =
        moves.iter().filter_map(|one| if let Move::Change(text) = one { Some(text.as_str()) } else { None }).collect();
    if !changes.is_empty() {
        let taken_back = moves.contains(&Move::Cancel);
        return if taken_back { Reply::Cancel } else { Reply::Change { change: changes.join(". ") } };
    }
    if moves.contains(&Move::Question) {
        return Reply::Question;
    }
    let said: Vec<&Move> = moves.iter().filter(|one| **one != Move::Courtesy).collect();
    let negative = said.iter().rev().find_map(|one| match one {
        Move::No => Some(Reply::Reject),
        Move::Cancel => Some(Reply::Cancel),
        Move::Hold => Some(Reply::Hold),
        Move::Yes
        | Move::YesWithNote(_)
        | Move::Courtesy
        | Move::Note(_)
        | Move::Change(_)
        | Move::Question
        | Move::Other => None,
    });
    let ends_with_yes = matches!(said.last(), Some(Move::Yes | Move::YesWithNote(_)));
    match negative {
        // "no. yes." and "hold on. ok." are not unambiguous.
        Some(_) if ends_with_yes => Reply::Other,
        Some(reply) => reply,
        None => assent(&said),
    }
}

fn assent(said: &[&Move]) -> Reply {
    let mut yes = false;
    let mut notes: Vec<&str> = Vec::new();
    for one in said {
        match one {
            Move::Yes => yes = true,
            Move::YesWithNote(note) => {
                yes = true;
                notes.push(note);
            }
            Move::Note(note) => notes.push(note),
            Move::Courtesy | Move::Change(_) | Move::No | Move::Cancel | Move::Question | Move::Hold | Move::Other => {
                return Reply::Other;
            }
        }
    }
    match (yes, notes.is_empty()) {
        (true, true) => Reply::Approve,
        (true, false) => Reply::ApproveWithNote { note: notes.join(". ") },
        (false, _) => Reply::Other,
    }
}

fn one_move(segment: &str, words: &Words, phrases: &Phrases) -> Move {
    let all = words.all.as_slice();
    if all.iter().any(|word| word.quoted) {
        return quoting(segment, words, phrases);
    }
    let opening = phrases.opening(all);
    let rest = &all[opening.words..];
    if words.asks {
        let condition = !words.question_mark && opening.assent == Assent::Yes && phrases.is_condition(rest);
        return match (condition, phrases.suggests(all)) {
            (true, _) => Move::Hold,
            (false, true) => Move::Change(segment.to_owned()),
            (false, false) => Move::Question,
        };
    }
    let found =
        refusal(all, phrases).or_else(|| refusal(words.core(), phrases)).unwrap_or_else(|| match opening.assent {
            Assent::Yes if rest.is_empty() => Move::Yes,
            Assent::Yes => after_yes(segment, rest, phrases),
            Assent::Courtesy if rest.is_empty() => Move::Courtesy,
            Assent::Courtesy => without_yes(segment, rest, words, phrases),
        });
    if found == Move::Other && words.question_mark { Move::Question } else { found }
}

/// A sentence that is nothing but a no, a cancel or a "wait"; these come before any yes, so that "absolutely not" and
/// "ok, cancel" cannot be cut into a yes and a rest.
fn refusal(all: &[Word], phrases: &Phrases) -> Option<Move> {
    if phrases.is_hold(all) {
        return Some(Move::Hold);
    }
    if phrases.is_cancel(all) {
        return Some(Move::Cancel);
    }
    if phrases.is_no(all) {
        return Some(Move::No);
    }
    phrases.is_no_yes(all).then_some(Move::Other)
}

/// Whether a sentence opens with a yes or only with courtesy ("ok", "thanks" …), or with neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Assent {
    Yes,
    Courtesy,
}

/// Someone's words are quoted: a change may quote a name, but nobody consents in quotation marks.
fn quoting(segment: &str, words: &Words, phrases: &Phrases) -> Move {
    if words.asks {
        return Move::Question;
    }
    let rest = &words.all[phrases.opening(&words.all).words..];
    if phrases.changes(rest, words.polite_request) { Move::Change(text_of(segment, rest)) } else { Move::Other }
}

fn after_yes(segment: &str, rest: &[Word], phrases: &Phrases) -> Move {
    let connector = phrases.connector(rest);
    let said = &rest[connector..];
    if said.is_empty() {
        return Move::Other;
    }
    if phrases.is_note(said) {
        return Move::YesWithNote(text_of(segment, said));
    }
    if phrases.is_condition(rest) || phrases.is_hold(said) {
        return Move::Hold;
    }
    if phrases.is_cancel(said) {
        return Move::Cancel;
    }
    if phrases.is_no(said) {
        return Move::No;
    }
    if phrases.changes_a_yes(rest) { Move::Change(text_of(segment, said)) } else { Move::Other }
}

fn without_yes(segment: &str, rest: &[Word], words: &Words, phrases: &Phrases) -> Move {
    if phrases.is_hold(rest) {
        return Move::Hold;
    }
    if phrases.is_cancel(rest) {
        return Move::Cancel;
    }
    if phrases.is_no(rest) {
        return Move::No;
    }
    if phrases.is_note(rest) {
        return Move::Note(text_of(segment, rest));
    }
    if phrases.asks_to_explain(rest) {
        return Move::Question;
    }
    let refusal = phrases.refusal(rest);
    if refusal > 0 {
        return after_no(segment, &rest[..refusal], &rest[refusal..], phrases);
    }
    let asked = phrases.without_interjections(rest);
    if phrases.changes(asked, words.polite_request) { Move::Change(text_of(segment, asked)) } else { Move::Other }
}

/// "no, only Q4" is a change, "no, the totals look wrong" a no with its reason, "no idea" neither.
fn after_no(segment: &str, no: &[Word], rest: &[Word], phrases: &Phrases) -> Move {
    let said = &rest[phrases.connector(rest)..];
    if phrases.is_cancel(said) {
        return Move::Cancel;
    }
    if phrases.is_hold(said) {
        return Move::Hold;
    }
    if phrases.changes(said, false) {
        return Move::Change(text_of(segment, said));
    }
    let opening = phrases.opening(said);
    if opening.assent == Assent::Yes {
        return Move::Other;
    }
    let pause = no.last().is_some_and(|word| word.pause_after);
    if pause || phrases.gives_reason(said) { Move::No } else { Move::Other }
}

fn text_of(segment: &str, words: &[Word]) -> String {
    match (words.first(), words.last()) {
        (Some(first), Some(last)) => segment[first.start..last.end].to_owned(),
        (None, _) | (_, None) => segment.to_owned(),
    }
}

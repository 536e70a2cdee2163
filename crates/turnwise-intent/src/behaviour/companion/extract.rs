//! Parameters of a message (CP-05): what is to be kept, without the frame around it, and what is wanted in hand.
//! Next: `intents`, which says what carries which.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::{Word, Words};

/// Frames around something to keep; the longest that fits is cut off.
static KNOWLEDGE_FRAMES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(please|and|also)? (also)? (remember|rember|remeber|note|record|save|noting|mention) (this|down|for later|also)? (that)?",
        "(please|and|also)? (please)? (keep|bear) (this)? in mind (that)?",
        "(please|and|also)? (write|jot|put|take) (this|that)? down (that)?",
        "(please|and|also)? (make|take|add|create|leave) (a|this) note (to the notes)? (that|about)?",
        "(please|and|also)? add (this)? to (the|my) notes (that)?",
        "(for the record|fyi|for your information|just so you know|so you know|be aware|one more thing|note to self) (that)?",
        "(here is|this is) something important",
        "(please|and|also)? do not forget (that)?",
        "(i think)? (you|i) should (also)? (know|mention) (that)?",
        "let me tell you (about the ...)?",
        "i (want|would like|need) you to (remember|know|note) (that)?",
        "(please)? save this",
        "(please)? remind me to",
    ])
});

/// Frames around something wanted.
static DOWNLOAD_FRAMES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(i|we) (need|want|would like) (to)? (download|get|have|see)? (a|the|my|our)? (copy of)? (the|my|our)?",
        "(download|dowload|downlod|get|send|give|fetch|hand|export|share|grab|pull|retrieve|have|open|see|show) (me|us)? (over)? (a|the|my|our)? (copy of)? (the|my|our)?",
        "where (is|are|can i (get|find|download)|do i (get|find|download)) (a|the|my|our)? (copy of)? (the)?",
    ])
});

static SHOWS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(show|see|open|view|look at|display) (me|us)? (the|my|our) (latest|newest|final|current|finished)? (report|document|specification|spec|handbook|manual|guide|brochure|presentation|slides|summary|proposal|policy|cookbook|artifact|artefact|book|result|output)",
    ])
});

/// Sounds of somebody who thinks: no part of what they tell.
const SOUNDS: [&str; 14] = ["um", "umm", "uh", "uhh", "uhm", "er", "erm", "hm", "hmm", "hmmm", "mhm", "mm", "ah", "oh"];

/// Words that only begin to speak where a pause follows; elsewhere they are part of what is told ("so far").
const OPENERS: [&str; 14] = [
    "well",
    "so",
    "ok",
    "okay",
    "right",
    "anyway",
    "basically",
    "like",
    "yeah",
    "yes",
    "alright",
    "actually",
    "now",
    "look",
];

/// The substance of `text`, as the person wrote it: without the frame around it and without the sounds of thinking.
#[must_use]
pub fn knowledge_text(text: &str) -> String {
    let words = Words::of(text);
    let from_core = &words.all[words.core.start..];
    let by_core = match longest(&KNOWLEDGE_FRAMES, from_core) {
        0 => 0,
        length => words.core.start + length,
    };
    let mut begin = by_core;
    loop {
        let rest = &words.all[begin..];
        let opens = rest.first().is_some_and(is_filler);
        let step = if opens { 1 } else { longest(&KNOWLEDGE_FRAMES, rest) };
        if step == 0 {
            break;
        }
        begin += step;
    }
    let last = (0..words.all.len()).rev().find(|at| !is_sound(&words.all, *at));
    let end = match last {
        Some(last) if last + 1 < words.all.len() => words.all[last].end,
        Some(_) => text.len(),
        None => 0,
    };
    let start = words.all.get(begin).map_or(end, |first| first.start).min(end);
    without_sounds(&text[start..end]).trim().trim_end_matches(['.', '!', ';', ',']).trim_end().to_owned()
}

/// `text` without the sounds of thinking that stand between pauses: “the pump, uh, arrives” is “the pump arrives”.
#[must_use]
pub fn without_sounds(text: &str) -> String {
    let words = Words::of(text);
    let (mut kept, mut from) = (String::new(), 0);
    for (at, word) in words.all.iter().enumerate() {
        let pauses = word.pause_after || at == 0 || words.all[at - 1].pause_after;
        if pauses && is_sound(&words.all, at) {
            kept.push_str(text[from..word.start].trim_end_matches([',', ' ']));
            let next = words.all.get(at + 1).map_or(text.len(), |next| next.start);
            if !kept.is_empty() && next < text.len() {
                kept.push(' ');
            }
            from = next;
        }
    }
    kept + &text[from..]
}

/// Whether the word at `at` is a sound; behind a number it is a unit, as in “5 mm”.
fn is_sound(words: &[Word], at: usize) -> bool {
    let counts = at > 0 && words[at - 1].text.ends_with(|last: char| last.is_ascii_digit());
    !counts && SOUNDS.contains(&words[at].text.as_str())
}

fn is_filler(word: &Word) -> bool {
    let said = word.text.as_str();
    SOUNDS.contains(&said) || (word.pause_after && OPENERS.contains(&said))
}

/// What is wanted in hand, as the person wrote it; `None` when only "it" is named.
#[must_use]
pub fn artifact_description(text: &str) -> Option<String> {
    let words = Words::of(text);
    let core = words.core();
    let by_core = words.core.start + longest(&DOWNLOAD_FRAMES, core);
    let start = by_core.max(longest(&DOWNLOAD_FRAMES, &words.all)).min(words.core.end);
    let named = &words.all[start..words.core.end];
    let says_something = named.iter().any(|word| !matches!(word.text.as_str(), "it" | "that" | "this" | "them"));
    let (first, last) = (named.first()?, named.last()?);
    says_something.then(|| text[first.start..last.end].to_owned())
}

/// Whether it asks to be shown a document, which may mean to have it or to hear how far it is.
pub(super) fn shows_a_document(text: &str) -> bool {
    matches_any(&SHOWS, &Words::of(text))
}

fn longest(frames: &[Pattern], words: &[Word]) -> usize {
    frames.iter().filter_map(|frame| frame.longest_prefix(words)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_goes_and_the_substance_stays_as_written() {
        for (text, kept) in [
            ("Remember that the deadline is March 15th.", "the deadline is March 15th"),
            ("Please keep in mind that Anna signs.", "Anna signs"),
            ("FYI: the lab is closed", "the lab is closed"),
            ("Could you note down that it rains?", "it rains?"),
            ("The Soil is clay.", "The Soil is clay"),
            ("um, the budget is, uh, 20,000 euros", "the budget is 20,000 euros"),
            ("Remember that the gap is 5 mm", "the gap is 5 mm"),
            ("the pump, er, arrives on Monday, uh", "the pump arrives on Monday"),
        ] {
            assert_eq!(knowledge_text(text), kept, "{text}");
        }
    }

    #[test]
    fn what_is_wanted_is_named_without_the_request() {
        assert_eq!(artifact_description("I need to download the report.").as_deref(), Some("report"));
        assert_eq!(artifact_description("Can I get the latest artifact?").as_deref(), Some("latest artifact"));
        assert_eq!(artifact_description("send it").as_deref(), None);
    }
}

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

/// Something particular that is wanted.
static IN_HAND: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(i|we) (need|want|would like) (to see|to have)? (the|my|our) ...",
        "(send|give|show|get|fetch|open) (me|us)? (the|my|our) ...",
        "where (is|are) (the|my|our) ...",
    ])
});

/// Sounds of somebody who thinks: no part of what they tell, wherever they stand.
const SOUNDS: [&str; 6] = ["um", "umm", "uh", "uhh", "uhm", "erm"];

/// The same where a pause is beside them: elsewhere they may be a unit, or a name.
const SOUNDS_AT_PAUSES: [&str; 9] = ["er", "hm", "hmm", "hmmm", "mhm", "mm", "ah", "oh", "eh"];

/// Phrases that say nothing between pauses, or where a pause follows what they begin.
const PHRASES: [&[&str]; 10] = [
    &["what", "was", "it"],
    &["you", "know"],
    &["i", "mean"],
    &["let", "me", "think"],
    &["let", "me", "see"],
    &["like"],
    &["basically"],
    &["sort", "of"],
    &["kind", "of"],
    &["how", "do", "i", "say"],
];

/// What gives the knowing in “you know” something to say.
const KNOWING: [&str; 14] =
    ["do", "did", "if", "as", "should", "must", "will", "would", "can", "could", "let", "to", "that", "what"];

/// What asks at the end whether it was heard.
const TAGS: [&str; 6] = [" you know", " right", " ok", " okay", " yeah", " see"];

/// What says something of the word before it, which is a name then and no sound: “Er is a town”.
const OF_A_NAME: [&str; 8] = ["is", "are", "was", "has", "had", "lies", "means", "stands"];

/// What begins to speak without a pause where somebody is heard to think.
const SPOKEN_OPENERS: [&str; 2] = ["like", "basically"];

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
    let text = without_tag(text);
    let words = Words::of(text);
    // “could you note that it rains?” asks for it, and tells no question.
    let text = if words.polite_request { text.trim_end().trim_end_matches('?') } else { text };
    let is_spoken = is_spoken(&words.all);
    let from_core = &words.all[words.core.start..];
    let by_core = match longest(&KNOWLEDGE_FRAMES, from_core) {
        0 => 0,
        length => words.core.start + length,
    };
    let mut begin = by_core;
    loop {
        let rest = &words.all[begin..];
        let opens = opening(rest, is_spoken);
        let step = if opens > 0 { opens } else { longest(&KNOWLEDGE_FRAMES, rest) };
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
    plainly(&text[start..end], is_spoken).trim().trim_end_matches(['.', '!', ';', ',']).trim_end().to_owned()
}

/// `text` without what asks at its end whether it was heard: “the deadline is Friday, you know?”.
#[must_use]
pub fn without_tag(text: &str) -> &str {
    let Some(rest) = text.trim_end().strip_suffix('?') else { return text };
    let lower = rest.to_ascii_lowercase();
    let tag = TAGS.iter().find(|tag| lower.ends_with(*tag));
    let said = tag.map(|tag| rest[..rest.len() - tag.len()].trim_end());
    said.filter(|said| said.ends_with(',') && !Words::of(said).asks).map_or(text, |said| said.trim_end_matches(','))
}

/// `text` without the sounds of thinking and what only fills pauses: “the pump, uh, you know, arrives” is “the pump
/// arrives”.
#[must_use]
pub fn without_sounds(text: &str) -> String {
    plainly(text, is_spoken(&Words::of(text).all))
}

fn plainly(text: &str, is_spoken: bool) -> String {
    let words = Words::of(text).all;
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    while at < words.len() {
        let begins = kept.is_empty() && text[from..words[at].start].trim().is_empty();
        let length = if begins { opening(&words[at..], is_spoken) } else { 0 }.max(filler(&words, at, is_spoken));
        if length == 0 {
            at += 1;
            continue;
        }
        kept.push_str(text[from..words[at].start].trim_end_matches([',', ' ']));
        at += length;
        from = words.get(at).map_or(text.len(), |next| next.start);
        if !kept.is_empty() && from < text.len() {
            kept.push(' ');
        }
    }
    kept + &text[from..]
}

/// Whether somebody is heard to think.
fn is_spoken(words: &[Word]) -> bool {
    let fills = |at: usize| phrase(words, at).is_some_and(|length| length > 1 && words[at + length - 1].pause_after);
    (0..words.len()).any(|at| SOUNDS.contains(&words[at].text.as_str()) || fills(at))
}

/// How many words at the beginning only begin to speak.
fn opening(words: &[Word], is_spoken: bool) -> usize {
    let is_opener = |word: &&Word| OPENERS.contains(&word.text.as_str());
    let run = words.iter().take_while(is_opener).count();
    let paused = words[..run].iter().rposition(|word| word.pause_after).map_or(0, |last| last + 1);
    // Where somebody is heard to think, two such words need no pause.
    let paused = if is_spoken && run > 1 { run } else { paused };
    let by_phrase = phrase(words, 0).filter(|length| words[length - 1].pause_after).unwrap_or(0);
    let opens = |word: &Word| {
        let said = word.text.as_str();
        let is_at_pause = SOUNDS_AT_PAUSES.contains(&said) && !is_name(words, 0);
        SOUNDS.contains(&said) || is_at_pause || is_spoken && SPOKEN_OPENERS.contains(&said)
    };
    paused.max(by_phrase).max(words.first().map_or(0, |first| usize::from(opens(first))))
}

/// How many words at `at` only fill a pause.
fn filler(words: &[Word], at: usize, is_spoken: bool) -> usize {
    if is_sound(words, at) && (SOUNDS.contains(&words[at].text.as_str()) || is_at_pause(words, at)) {
        return 1;
    }
    let Some(length) = phrase(words, at) else { return 0 };
    let is_behind_pause = at > 0 && words[at - 1].pause_after;
    let is_before_pause = at + length == words.len() || words[at + length - 1].pause_after;
    let says_nothing = |at: usize| !KNOWING.contains(&words[at].text.as_str());
    let is_known = is_spoken && words[at].text == "you" && at > 0 && says_nothing(at - 1);
    let fills = (is_behind_pause && is_before_pause)
        || (is_known && words.get(at + length).is_some_and(|_| says_nothing(at + length)));
    if fills { length } else { 0 }
}

/// How many words the phrase has that begins at `at` and may say nothing.
fn phrase(words: &[Word], at: usize) -> Option<usize> {
    let begins = |phrase: &&[&str]| {
        words
            .get(at..at + phrase.len())
            .is_some_and(|words| words.iter().map(|word| word.text.as_str()).eq(phrase.iter().copied()))
    };
    PHRASES.into_iter().filter(begins).map(<[_]>::len).max()
}

fn is_at_pause(words: &[Word], at: usize) -> bool {
    words[at].pause_after || at == 0 || words[at - 1].pause_after
}

/// Whether the word at `at` is a sound; behind a number it is a unit, as in “5 mm”.
fn is_sound(words: &[Word], at: usize) -> bool {
    let counts = at > 0 && words[at - 1].text.ends_with(|last: char| last.is_ascii_digit());
    let said = words[at].text.as_str();
    !counts && !is_name(words, at) && (SOUNDS.contains(&said) || SOUNDS_AT_PAUSES.contains(&said))
}

/// Whether something is said of the word at `at`, without a pause.
fn is_name(words: &[Word], at: usize) -> bool {
    let next = words.get(at + 1).filter(|_| !words[at].pause_after);
    at == 0 && next.is_some_and(|next| OF_A_NAME.contains(&next.text.as_str()))
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

/// Whether it asks for something in hand that it names, whatever that is: “I need the floor plan”.
#[must_use]
pub fn asks_in_hand(text: &str) -> bool {
    matches_any(&IN_HAND, &Words::of(text))
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
            ("Could you note down that it rains?", "it rains"),
            ("Remember: uh, deadline is Friday, you know?", "deadline is Friday"),
            ("Er is a town in the Netherlands", "Er is a town in the Netherlands"),
            ("I mean, well, so like the mast is spruce", "the mast is spruce"),
            ("The Soil is clay.", "The Soil is clay"),
            ("um, the budget is, uh, 20,000 euros", "the budget is 20,000 euros"),
            ("Remember that the gap is 5 mm", "the gap is 5 mm"),
            ("the pump, er, arrives on Monday, uh", "the pump arrives on Monday"),
            ("uh the uh second pump is you know broken since monday", "the second pump is broken since monday"),
            ("So yeah, I mean, basically the valve in plot four leaks", "the valve in plot four leaks"),
            ("um so uh remember that like the model is 9 euros", "the model is 9 euros"),
            ("hm let me think, the well is dry in august", "the well is dry in august"),
            ("Remember that the gate, you know, sticks", "the gate sticks"),
            ("the roof is flat, sort of, and, like, leaks, you know", "the roof is flat and leaks"),
            // What says something stays.
            ("uh do you know that Anna left", "do you know that Anna left"),
            ("remember that you know the code", "you know the code"),
            ("um it looks like a pump", "it looks like a pump"),
            ("Remember that so far it is dry", "so far it is dry"),
            ("Note that basically everything is late", "basically everything is late"),
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

//! What asks for nothing: praise, thanks, a word of agreement. It answers no question and decides nothing, so it is
//! acknowledged and never taken for an answer, a note or a consent. Next: `begin`
//! for what begins something, `keep` for what passes over a question.

use std::sync::LazyLock;

use super::begin::names_something;
use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// Praise, agreement and thanks, each as a whole message.
static ACKNOWLEDGES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(oh|ah|ok|well|wow|yes|and|haha|hey)? (that|this|it|which|all|everything|all of (it|that))? (is|was|sounds|looks|seems|reads|works)? (very|really|so|just|pretty|quite|all|simply|absolutely)? (great|good|fine|nice|cool|perfect|lovely|super|superb|awesome|excellent|wonderful|brilliant|amazing|fantastic|neat|sweet|wow|helpful|useful|interesting|impressive|ok|all right|understood|noted) (then|now|again|so far|to me|thanks|thank you|to know|to hear|indeed|work|job|one|stuff|idea|point|catch|news)?",
        "(ok|oh|ah|right)? (got it|i see|makes sense|that makes sense|fair enough|will do|sounds good|looks good|good to know|good to hear) (thanks|thank you|then|to me)?",
        "(well|nicely) (done|said|put)",
        "(i|we) (really|do|just)? (love|like|appreciate) (it|this|that) (very much|a lot)?",
        "(that|this|it) (helps|helped|is helpful|is useful|is all i needed|worked|works) (a lot|thanks|thank you)?",
        "you are (great|awesome|amazing|wonderful|the best|a star|very helpful|so helpful|too kind)",
    ])
});

/// Thanks, as a whole message.
static THANKS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(ok|oh|great|perfect|good|nice|cool|yes|no|many|super)? (thanks|thank you|cheers) (a lot|so much|very much|again|then|all|a bunch|there)? (for (that|this|it|now|everything|your help|the help))?",
    ])
});

/// The rest of what people say without asking or telling anything: greetings, a yes or no to nothing.
static SMALL: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(yes|sure|right|maybe|perhaps|haha|lol|please|yes please|of course) (please|sure|then)?",
        "(hello|hi|hey|good morning|good afternoon|good evening|good night|bye|goodbye|see you|see you later) (there|again|all|then|everyone|for now)? (my)? (friend|friends|companion)?",
    ])
});

/// What people go with.
static LEAVES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(ok|thanks|great|cheers|right|well|so)? (and|then)? (bye|goodbye|goodnight|good night|see you|ciao)",
        "(ok|thanks|great|cheers|right|well)? (see|talk to|speak to|catch) you ...",
        "(ok|thanks|great|cheers|right|well)? (speak|talk) (soon|later|tomorrow)",
        "(ok|thanks|great|cheers|right|well)? (until|till) (tomorrow|later|next time|next week|then|monday|then)",
        "(ok|thanks|great|cheers|right|well)? that is (all|it|everything) (for (today|now|tonight|this week)|from me) ...",
        "(ok|thanks|great|cheers|right|well)? have a (good|nice|great|lovely) ...",
        "(bye|goodbye|goodnight|good night) ...",
        "(i am|i have to|i must|we are)? (off|done|leaving|gone|go) (for today|now|to bed|home) (now|then|thanks|cheers)?",
    ])
});

/// What is wished of somebody who helps, before there is anything to work on.
static WISHES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "... (i|we) (need|want|would like|have|am trying|are trying|am planning|are planning|hope) (to|some|somewhere|help|a hand|a place|an assistant) ...",
        "... (and)? (need|want|would like) (to|some|somewhere|help|a hand|a place) ...",
        "... help (me|us) (to|with)? ...",
        "(i am|we are) (planning|building|making|writing|organising|organizing|renovating|redoing|restoring|setting up|working on|starting) ...",
    ])
});

/// Praise that is no word of agreement: who likes what is asked has not said that it should be done.
static PRAISES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(oh|ah|ok|well|wow|and|haha|hey)? (that|this|it|which|all|everything)? (is|was|looks|seems|works)? (very|really|so|just|pretty|quite|simply|absolutely)? (great|nice|cool|lovely|super|superb|awesome|excellent|wonderful|brilliant|amazing|fantastic|neat|sweet|wow|helpful|useful|interesting|impressive) (now|again|so far|to know|to hear|indeed|work|job|one|stuff|idea|point|catch|news)?",
        "good (work|job|one|stuff|idea|point|catch|news)",
        "(well|nicely) (done|said|put)",
        "(i|we) (really|do|just)? (love|like|appreciate) (it|this|that) (very much|a lot)?",
        "you are (great|awesome|amazing|wonderful|the best|a star|very helpful|so helpful|too kind)",
    ])
});

/// What says that a summary is right, as a whole message.
static CONFIRMS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(yes|ok|right|great|perfect)? (that|this|it|all|everything|all of (it|that))? (looks|is|seems|sounds) (all)? (good|right|fine|correct|perfect|ok) (to me|as it is|so far|now)?",
        "(yes|correct|exactly|right|perfect|all good|all right) (please|thanks|thank you)?",
        "(yes|yep|yeah)? (that is|it is) (exactly)? (it|right|correct)",
    ])
});

/// What stands between two pieces of a message.
const PAUSES: [char; 5] = [',', ';', '.', '!', '\n'];

/// Words of a message that only thanks, in whatever words.
const THANKS_WORDS_MAX: usize = 5;

/// Whether a message is nothing but praise, agreement or thanks.
#[must_use]
pub fn acknowledges(text: &str) -> bool {
    let words = Words::of(text);
    !text.contains('?') && (matches_any(&ACKNOWLEDGES, &words) || matches_any(&THANKS, &words))
}

/// Whether a message that asks for nothing thanks: as a whole, or in a few words of which one does.
#[must_use]
pub fn thanks(text: &str) -> bool {
    let words = Words::of(text);
    let is_short = words.all.len() <= THANKS_WORDS_MAX;
    let is_thanks = |word: &str| matches!(word, "thanks" | "thank" | "cheers");
    matches_any(&THANKS, &words) || is_short && words.all.iter().any(|word| is_thanks(&word.text))
}

/// Whether somebody takes their leave: as a whole, or piece by piece with nothing told in between. “Remember that the
/// motto is good night” tells something.
#[must_use]
pub fn takes_leave(text: &str) -> bool {
    let leaves = |piece: &str| matches_any(&LEAVES, &Words::of(piece));
    let pieces: Vec<&str> = text.split(PAUSES).filter(|piece| !piece.trim().is_empty()).collect();
    let tells = |piece: &&str| !leaves(piece) && !thanks(piece) && !is_small_talk(piece) && !only_praises(piece);
    let by_piece = || pieces.iter().any(|piece| leaves(piece)) && !pieces.iter().any(tells);
    !text.contains('?') && (leaves(text) || by_piece())
}

/// Whether somebody says what they wish to do, or want help with, and names it.
#[must_use]
pub fn wishes(text: &str) -> bool {
    matches_any(&WISHES, &Words::of(text)) && names_something(text)
}

/// Whether a message praises and agrees to nothing.
#[must_use]
pub fn only_praises(text: &str) -> bool {
    !text.contains('?') && matches_any(&PRAISES, &Words::of(text))
}

/// Whether a message says that what was summed up is right.
#[must_use]
pub fn confirms(text: &str) -> bool {
    !text.contains('?') && matches_any(&CONFIRMS, &Words::of(text))
}

/// Whether a message neither asks nor tells anything.
#[must_use]
pub fn is_small_talk(text: &str) -> bool {
    acknowledges(text) || matches_any(&SMALL, &Words::of(text))
}

#[cfg(test)]
mod tests {
    use super::super::begin::could_begin;
    use super::*;

    #[test]
    fn praise_and_thanks_ask_for_nothing() {
        for said in [
            "that's great",
            "Perfect!",
            "great, thanks",
            "Thanks a lot!",
            "nice one",
            "good job",
            "I love it",
            "ok",
            "sounds good",
            "Wow, that is really helpful",
            "well done",
        ] {
            assert!(acknowledges(said), "{said}");
        }
        for said in [
            "yes",
            "no",
            "the audience is great",
            "that's great, save it",
            "is that good?",
            "great gardens for small roofs",
            "I like the second one better",
            "friendly",
        ] {
            assert!(!acknowledges(said), "{said}");
        }
        for said in ["Thanks a lot!", "thx", "thanks for the notes", "great, thank you", "cheers"] {
            assert!(thanks(said), "{said}");
        }
        for said in ["great", "the members thank us in the spring for all the work we do"] {
            assert!(!thanks(said), "{said}");
        }
        assert!(is_small_talk("hello there my friend") && !is_small_talk("hello kitty fans"));
        assert!(is_small_talk("Yes please") && is_small_talk("good morning") && !is_small_talk("no"));
    }

    #[test]
    fn praise_is_no_agreement_and_a_summary_is_confirmed_by_plain_words() {
        for said in ["that's great", "nice one", "good job", "I love it", "wow, amazing"] {
            assert!(only_praises(said) && !confirms(said), "{said}");
        }
        for said in ["looks good", "yes", "that's right", "Everything looks good to me", "correct"] {
            assert!(confirms(said) && !only_praises(said), "{said}");
        }
        assert!(!confirms("no") && !confirms("it looks wrong") && !confirms("is it right?"));
    }

    #[test]
    fn somebody_goes_and_somebody_wishes() {
        for said in [
            "bye",
            "ok bye",
            "ok thanks, see you tomorrow",
            "that's all for today, cheers",
            "good night",
            "speak soon",
            "I'm off home, bye",
            "Thanks a lot for the help. Good night!",
        ] {
            assert!(takes_leave(said), "{said}");
        }
        for said in [
            "the night watch is Jonas",
            "that's all I need to know about the mast",
            "see note 2",
            "remember that the motto is good night",
            "Anna told us goodbye",
            "I am leaving home at 8 for the dentist",
            "the gate is red, bye",
        ] {
            assert!(!takes_leave(said), "{said}");
        }
        for said in
            ["I need to keep track of a yacht delivery", "can you help me with that?", "we're planning a garden"]
        {
            assert!(wishes(said), "{said}");
        }
        for said in ["hello", "what can you do?", "the deck is teak"] {
            assert!(!wishes(said), "{said}");
        }
    }

    #[test]
    fn a_question_and_a_reminder_begin_no_project() {
        for said in ["what's my project called?", "remind me to call Rosa tomorrow", "is the project new?"] {
            assert!(!could_begin(said), "{said}");
        }
        for said in ["Let's build something new", "can you make a new project about tides", "start project Nightingale"]
        {
            assert!(could_begin(said), "{said}");
        }
    }
}

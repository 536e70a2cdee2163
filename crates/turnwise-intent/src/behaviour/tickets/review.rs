//! What ends a review, and the shape of its patches (TK-09, TK-10).
//! Next: `mod`, which knows whether a review is open.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// The sections of a later review, in this order; `vN` is the version it is compared with.
pub const PATCH_SECTIONS: [&str; 4] = ["New decisions", "New risks", "New open questions", "Changes since vN"];

/// Bullets of a later review, all sections together.
pub const PATCH_BULLETS_MAX: usize = 12;

static COMPLETIONS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let done = "(thanks|thank you|cheers|ok|great|perfect|nice|cool|awesome|got it|looks good|look good|lgtm|understood|makes sense|sounds good|all good|good|fine|excellent|noted|all clear|super|yes|that is all|done|we are done|that (helps|works|is it|is great|is helpful|is perfect))";
    let tail = "(all|everyone|team|bot|a lot|so much|very much|to me|to us|for now|now|here|then|again|for (the|this|your) (review|help|feedback|analysis|input))?";
    let one = format!("{done} {tail}");
    let (two, three) = (format!("{one} (and)? {one}"), format!("{one} {one} {one}"));
    patterns(&[one.as_str(), two.as_str(), three.as_str()])
});

/// Whether `text` consists of nothing but words that end a review. It ends one only while one is open.
#[must_use]
pub fn completes_review(text: &str) -> bool {
    let words = Words::of(text);
    !words.asks && matches_any(&COMPLETIONS, &words)
}

#[cfg(test)]
mod tests {
    use super::completes_review;

    #[test]
    fn only_courtesies_end_a_review() {
        for text in ["thanks", "ok", "got it", "looks good", "Thanks, looks good", "great, got it, thanks a lot"] {
            assert!(completes_review(text), "{text}");
        }
        for text in ["ok but what about the queue?", "not ok", "looks good?", "thanks, now create a ticket", "ok why"] {
            assert!(!completes_review(text), "{text}");
        }
    }
}

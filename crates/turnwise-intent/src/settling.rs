//! Words that settle for one conversation how work is gone about (FL-11), as `/flow` has it: the same for every
//! assistant that knows that command, and no answer to whatever is asked. Next: `pattern`.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::fix::is_plain;
use crate::pattern::Pattern;
use crate::words::Words;

/// What each of these settles.
static SETTLES: LazyLock<Vec<(&str, Vec<Pattern>)>> = LazyLock::new(|| {
    let table: [(&str, &[&str]); 8] = [
        ("approval_mode before_step", &["(wait|stop|pause|ask) (for me|me)? before (each|every) step (from now on)?"]),
        (
            "approval_mode after_step",
            &["(wait|stop|pause|check|check with me|ask) (for me|me)? after (each|every) step (from now on)?"],
        ),
        (
            "approval_mode none",
            &[
                "do not (wait|stop|pause) (for me)? (before|after|between) (each|every|the)? (step|steps) (any more|anymore)?",
            ],
        ),
        (
            "auto_approve_simple on",
            &[
                "(always)? (just)? do (small|simple) (things|tasks|changes|jobs) (at once|right away|immediately|directly|without asking (me)? (first)?)",
            ],
        ),
        (
            "conversational on",
            &[
                "(let us|always)? (talk|discuss) (tasks|things|everything|them) (over|through)? (with me)? (first|before you plan (them|it|anything)?|before planning)",
            ],
        ),
        (
            "conversational off",
            &[
                "plan (tasks|things|everything) (at once|right away|without talking (it|them)? (over|through)? (first)?) (again)?",
            ],
        ),
        (
            "intelligent_routing aggressive",
            &["(always)? ask (me)? (when|whenever|if) (in doubt|(you are)? (not sure|unsure|in doubt))"],
        ),
        (
            "intelligent_routing minimal",
            &["ask (me)? (less|fewer questions|less often)", "(stop asking|do not ask) (me)? so many questions"],
        ),
    ];
    let polite = |said: &&str| format!("(please)? {said} (please)?");
    let compiled = |said: &[&str]| {
        let said: Vec<String> = said.iter().map(polite).collect();
        patterns(&said.iter().map(String::as_str).collect::<Vec<_>>())
    };
    table.map(|(settles, said)| (settles, compiled(said))).into()
});

/// What `text` settles, where it does that and nothing else.
pub(crate) fn settled(text: &str) -> Option<&'static str> {
    let words = Words::of(text);
    let plain = |(settles, said): &(&'static str, Vec<Pattern>)| matches_any(said, &words).then_some(*settles);
    SETTLES.iter().find_map(plain).filter(|_| !words.asks && is_plain(text))
}

#[cfg(test)]
mod tests {
    use super::settled;

    #[test]
    fn what_settles_is_told_from_what_asks_quotes_or_says_more() {
        for (said, settles) in [
            ("Wait for me before each step, please.", Some("approval_mode before_step")),
            ("check with me after every step", Some("approval_mode after_step")),
            ("don't wait between steps", Some("approval_mode none")),
            ("just do small things right away", Some("auto_approve_simple on")),
            ("let's talk things over first", Some("conversational on")),
            ("plan tasks right away", Some("conversational off")),
            ("ask me whenever you're unsure", Some("intelligent_routing aggressive")),
            ("stop asking me so many questions", Some("intelligent_routing minimal")),
            ("should you wait for me before each step?", None),
            ("“ask me less”", None),
            ("wait for me", None),
            ("do small changes right away to the shop", None),
        ] {
            assert_eq!(settled(said), settles, "{said}");
        }
    }
}

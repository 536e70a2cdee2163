//! Whether words, said after a failure, ask for a fix of it to be proposed. What is planned then is shown before it is
//! done, so a plain request is enough; what asks, quotes or trails off is none. Next: `pattern`.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// The number is that of the way on as it is offered.
static ASKS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(please)? (4|fix|mend) (now|please)?",
        "(please)? (just)? (fix|mend) (it|that|this|the failure) (now|then|please)?",
        "(please)? (propose|suggest) (a)? fix (now|then|please)?",
    ])
});

/// Whether `text` plainly asks for a fix.
pub(crate) fn is_asked_for(text: &str) -> bool {
    is_plain(text) && matches_any(&ASKS, &Words::of(text))
}

/// Whether words neither ask nor quote nor trail off.
pub(crate) fn is_plain(text: &str) -> bool {
    let trails_off = text.contains('…') || text.contains("..");
    !trails_off && !text.contains(NOT_PLAIN)
}

/// Signs of words that are asked, quoted or stand in code.
const NOT_PLAIN: [char; 16] = ['?', '？', '"', '“', '”', '`', '«', '[', ']', '<', '>', '{', '}', '|', '\\', '~'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_requests_for_a_fix_are_heard_and_nothing_near_them_is() {
        for said in ["4", "fix", "Fix it.", "please fix that", "propose a fix", "Suggest a fix, please", "mend it now"]
        {
            assert!(is_asked_for(said), "{said}");
        }
        for said in [
            "fix it?",
            "don't fix it",
            "44",
            "\"fix it\"",
            "fix it…",
            "who can fix it",
            "fix the header",
            "maybe fix it",
            "",
        ] {
            assert!(!is_asked_for(said), "{said}");
        }
    }
}

//! Words that correct what was understood before: "no, I meant …", "that's not what I meant". Found by their beginning,
//! because what follows is what was meant. Next: `harvest`.

/// What is left of a message that corrects the one before, behind the words that say so: what was really meant, or
/// nothing. `None` when it corrects nothing.
pub fn meant_instead(text: &str) -> Option<&str> {
    let mut left = text.trim();
    let mut corrects = false;
    for _ in 0..OPENERS_MAX {
        if let Some(after) = LEADS.iter().find_map(|lead| after_words(left, lead)) {
            left = after;
        }
        let Some(after) = CORRECTIONS.iter().find_map(|words| after_words(left, words)) else { break };
        left = after;
        corrects = true;
    }
    corrects.then_some(left)
}

/// What follows `words` in `text`, when it begins with them as whole words.
fn after_words<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let begins = text.get(..words.len())?;
    // Typed apostrophes come in two shapes; a text with the other one is compared as if it had this.
    if !begins.eq_ignore_ascii_case(words) {
        return after_words_curly(text, words);
    }
    let after = &text[words.len()..];
    (!after.starts_with(|next: char| next.is_alphanumeric() || next == '\'')).then(|| trimmed(after))
}

fn after_words_curly<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let curly = words.replace('\'', "’");
    if !words.contains('\'') || !text.get(..curly.len())?.eq_ignore_ascii_case(&curly) {
        return None;
    }
    let after = &text[curly.len()..];
    (!after.starts_with(char::is_alphanumeric)).then(|| trimmed(after))
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ",.;:!-–—".contains(c))
}

/// Words that may come before a correction and are none by themselves.
const LEADS: [&str; 9] = ["no", "nope", "sorry", "wait", "actually", "oh", "hm", "oops", "well"];

/// Longer ones first, so that none hides another.
const CORRECTIONS: [&str; 24] = [
    "that's not what i meant",
    "that is not what i meant",
    "this is not what i meant",
    "that's not what i asked",
    "that is not what i asked",
    "that's not what i wanted",
    "not what i meant",
    "not what i asked",
    "you misunderstood me",
    "you misunderstood that",
    "you misunderstood",
    "you misread that",
    "you got that wrong",
    "you got me wrong",
    "you understood that wrong",
    "i didn't mean that",
    "i actually meant",
    "what i meant was",
    "what i meant is",
    "i meant to say",
    "i meant",
    "that was wrong",
    "that's wrong",
    "wrong",
];

/// Corrections in a row that are looked at: "no, wrong, that's not what I meant, I meant …".
const OPENERS_MAX: usize = 4;

#[cfg(test)]
mod tests {
    use super::meant_instead;

    #[test]
    fn what_was_meant_stands_behind_the_words_that_correct() {
        assert_eq!(meant_instead("No, I meant pause it."), Some("pause it"));
        assert_eq!(meant_instead("sorry – that’s not what I meant. Show the facts"), Some("Show the facts"));
        assert_eq!(meant_instead("wrong, you misunderstood me: I meant stop"), Some("stop"));
        assert_eq!(meant_instead("that's not what I meant!"), Some(""));
    }

    #[test]
    fn other_words_correct_nothing() {
        for text in
            ["no", "wait, only Q4", "no revenue by region", "i mentioned that", "wrongly sorted rows", "", "née"]
        {
            assert_eq!(meant_instead(text), None, "{text}");
        }
    }
}

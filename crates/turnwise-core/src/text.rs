//! Small, total functions on text that several modules need. Next: `card`.

/// At most `width` characters of the first line of `text`; what was cut ends in `…`.
#[must_use]
pub fn clip(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let mut kept: String = line.chars().take(width.saturating_sub(1)).collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// `1 step`, `2 steps`: the regular plural of `noun`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The longest start of `text` that fits `bytes` bytes without cutting a character.
#[must_use]
pub fn within(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// The words of `text` in lower case: runs of letters, digits and apostrophes.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '\'' || letter == '’'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

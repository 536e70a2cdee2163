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

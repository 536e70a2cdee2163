//! Small functions on text that several modules need. All are total, because text comes from people. Next: `card`.

use crate::Timestamp;

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

/// A whole number with its thousands set apart: `12,345`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut told = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// A moment for people, in universal time because core knows no other: `at` without its day when that is today's.
#[must_use]
pub fn moment(at: Timestamp, now: Timestamp) -> String {
    let minutes = at.as_millis().div_euclid(60_000);
    let clock = format!("{:02}:{:02} UTC", minutes.div_euclid(60).rem_euclid(24), minutes.rem_euclid(60));
    let day = minutes.div_euclid(MINUTES_A_DAY);
    if day == now.as_millis().div_euclid(60_000 * MINUTES_A_DAY) {
        return clock;
    }
    let (year, month, day) = date(day);
    format!("{clock} on {year:04}-{month:02}-{day:02}")
}

/// Year, month and day of the `days`th day after 1970-01-01, by Hinnant's `civil_from_days`: years are counted from
/// March, so that the leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

const MINUTES_A_DAY: i64 = 24 * 60;

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

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `text` with its first letter as a capital.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

//! Changing the texts of a profile and nothing else in them: a person's comments, order and spelling stay as they are,
//! byte for byte.
//!
//! A text is changed line by line and then parsed again; where the result does not mean exactly what was intended, the
//! change is refused with the lines to write by hand. Next: `calibration`, `file`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::file::{ASSISTANT, EXEMPLARS, parse_assistant, parse_exemplars};
use super::{Calibration, Exemplar, ProfileError};

/// The line before the section that is written by a fit.
pub const FITTED_BEGIN: &str = "# >>> written by `turnwise exemplars fit`, and replaced by the next fit";

/// The line after it.
pub const FITTED_END: &str = "# <<< end of what was fitted";

/// `assistant.yaml` with `calibration` as its fitted section, in place of an earlier one.
///
/// # Errors
/// [`ProfileError::Inconsistent`] when the markers around the earlier section were removed or are incomplete.
pub fn with_calibration(assistant_yaml: &str, calibration: &Calibration) -> Result<String, ProfileError> {
    let end_of_line = if assistant_yaml.contains("\r\n") { "\r\n" } else { "\n" };
    let section = format!("{FITTED_BEGIN}\n{}{FITTED_END}\n", calibration.to_yaml()).replace('\n', end_of_line);
    let changed = match (marker(assistant_yaml, FITTED_BEGIN), marker(assistant_yaml, FITTED_END)) {
        (Some(begin), Some(end)) if begin.start < end.start => {
            format!("{}{section}{}", &assistant_yaml[..begin.start], &assistant_yaml[end.end..])
        }
        (None, None) if parse_assistant(assistant_yaml)?.fitted.is_none() => {
            let gap = if assistant_yaml.ends_with('\n') || assistant_yaml.is_empty() { "" } else { end_of_line };
            format!("{assistant_yaml}{gap}{section}")
        }
        _ => return Err(unmarked()),
    };
    parse_assistant(&changed)?;
    Ok(changed)
}

fn unmarked() -> ProfileError {
    let problem = format!(
        "the section `fitted` does not stand between its lines `{FITTED_BEGIN}` and `{FITTED_END}`; remove the section"
    );
    ProfileError::Inconsistent { file: ASSISTANT, problem }
}

/// The bytes of the first line that is `marker`, its end of line included.
fn marker(text: &str, marker: &str) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == marker {
            return Some(start..start + line.len());
        }
        start += line.len();
    }
    None
}

/// `exemplars.yaml` with `additions` at the end of the lists of their labels.
///
/// # Errors
/// [`ProfileError`] when the text is no exemplars file, or is written in a way in which the place is not found; then
/// the lines to write by hand are named.
pub fn with_exemplars(exemplars_yaml: &str, additions: &[Exemplar]) -> Result<String, ProfileError> {
    let mut intended = parse_exemplars(exemplars_yaml)?;
    let mut changed = exemplars_yaml.to_owned();
    for addition in additions {
        let label = addition.label.to_string();
        changed = with_line(&changed, &label, &scalar(&addition.text));
        intended.entry(label).or_default().push(addition.text.clone());
    }
    match parse_exemplars(&changed) {
        Ok(found) if found == intended => Ok(changed),
        Ok(_) | Err(_) => Err(by_hand(additions)),
    }
}

fn by_hand(additions: &[Exemplar]) -> ProfileError {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    for addition in additions {
        let lines = lines.entry(addition.label.to_string()).or_default();
        // Writing to a string cannot fail.
        let _ = write!(lines, "\n  - {}", scalar(&addition.text));
    }
    let lines: String = lines.iter().map(|(label, lines)| format!("\n{}:{lines}", quoted(label))).collect();
    let problem = format!("it is written in a way that cannot be added to; write these lines into it yourself:{lines}");
    ProfileError::Inconsistent { file: EXEMPLARS, problem }
}

fn with_line(text: &str, label: &str, scalar: &str) -> String {
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(key) = lines.iter().position(|line| key_of(line).as_deref() == Some(label)) else {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end_of_line };
        return format!("{text}{gap}{}:{end_of_line}  - {scalar}{end_of_line}", quoted(label));
    };
    if let Some(list) = within_brackets(lines[key], scalar) {
        return [&lines[..key], &[list.as_str()], &lines[key + 1..]].concat().concat();
    }
    let belongs = |line: &&str| key_of(line).is_none() || line.starts_with('-');
    let own: Vec<&str> = lines[key + 1..].iter().copied().take_while(belongs).collect();
    let is_item = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let last = own.iter().rposition(is_item).map_or(0, |at| at + 1);
    let indent = own.iter().find(|line| line.trim_start().starts_with('-'));
    let indent = indent.map_or("  ", |line| &line[..line.len() - line.trim_start().len()]);
    let before = lines[..key + 1 + last].concat();
    let gap = if before.ends_with('\n') { "" } else { end_of_line };
    format!("{before}{gap}{indent}- {scalar}{end_of_line}{}", lines[key + 1 + last..].concat())
}

/// The key that a line at the left margin begins with.
fn key_of(line: &str) -> Option<String> {
    let margin = line.chars().next()?;
    if margin.is_whitespace() || margin == '#' || margin == '-' {
        return None;
    }
    let unquoted = |quote: char| {
        let rest = line.strip_prefix(quote)?;
        let (key, after) = rest.split_once(quote)?;
        after.trim_start().starts_with(':').then(|| key.to_owned())
    };
    unquoted('"').or_else(|| unquoted('\'')).or_else(|| Some(line.split_once(':')?.0.trim_end().to_owned()))
}

/// `key: [a, b]` with one more entry.
fn within_brackets(line: &str, scalar: &str) -> Option<String> {
    let (before, after) = line.rsplit_once(']')?;
    let (_, list) = before.split_once('[')?;
    let comma = if list.trim().is_empty() || list.trim_end().ends_with(',') { "" } else { ", " };
    // Within brackets commas and brackets end a plain word.
    let scalar = if scalar.starts_with('"') { scalar.to_owned() } else { quoted(scalar) };
    Some(format!("{before}{comma}{scalar}]{after}"))
}

/// `text` as an entry of a list: plain where that is safe, as people write it, else in quotes.
#[must_use]
pub fn scalar(text: &str) -> String {
    const WORDS: &[&str] = &["yes", "no", "y", "n", "on", "off", "true", "false", "null", "nan", "inf"];
    let plain = text.chars().all(|c| c.is_alphanumeric() || " '_./?!()-".contains(c))
        && text.starts_with(char::is_alphabetic)
        && !text.ends_with(' ')
        && !WORDS.contains(&text.to_lowercase().as_str());
    if plain { text.to_owned() } else { quoted(text) }
}

/// Characters that break lines or turn the direction of what follows: a person could not see what is stored.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// `text` in double quotes, on one line, whatever is in it.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if other.is_control() || is_unseen(other) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\U{:08X}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::profile::Label;

    fn added(text: &str, label: &str, exemplar: &str) -> String {
        let addition = Exemplar { text: exemplar.to_owned(), label: Label::parse(label) };
        with_exemplars(text, &[addition]).unwrap()
    }

    #[test]
    fn an_exemplar_goes_to_the_end_of_its_list_and_the_rest_stays() {
        let text = "# mine\nquery:\n  - a   # first\n\n  - 'b'\n\n# about plans\nplan_new: [c, d]\n";
        let expected = "# mine\nquery:\n  - a   # first\n\n  - 'b'\n  - zap it\n\n# about plans\nplan_new: [c, d]\n";
        assert_eq!(added(text, "query", "zap it"), expected);
        assert!(added(text, "plan_new", "e, f").ends_with("plan_new: [c, d, \"e, f\"]\n"));
        assert!(added(text, "control.stop", "now: stop").ends_with("\n\"control.stop\":\n  - \"now: stop\"\n"));
    }

    #[test]
    fn line_ends_margins_and_missing_ends_are_kept() {
        assert_eq!(added("query:\r\n- a\r\n", "query", "b"), "query:\r\n- a\r\n- b\r\n");
        assert_eq!(added("query:\n    - a", "query", "b"), "query:\n    - a\n    - b\n");
        assert_eq!(added("'query': []\n", "query", "b"), "'query': [\"b\"]\n");
    }

    #[test]
    fn a_text_that_cannot_be_added_to_is_refused_with_the_lines() {
        let addition = Exemplar { text: "c".to_owned(), label: Label::parse("query") };
        let error = with_exemplars("query: [a,\n  b]\n", &[addition]).unwrap_err().to_string();
        assert!(error.contains("yourself:\n\"query\":\n  - c"), "{error}");
    }

    #[test]
    fn a_fit_replaces_the_one_before_and_touches_nothing_else() {
        let (assistant, _) = crate::builtin::texts("tickets").unwrap();
        let own = format!("# my file\n{assistant}# the end, without a line end");
        let first = Calibration { temperature: Some(0.5), seed: 1, ..Calibration::default() };
        let once = with_calibration(&own, &first).unwrap();
        assert!(once.starts_with(&own), "{once}");
        let followed = format!("{once}# written later\n");
        let second = Calibration { temperature: None, seed: 2, ..first };
        let twice = with_calibration(&followed, &second).unwrap();
        assert!(twice.starts_with(&own) && twice.ends_with(&format!("{FITTED_END}\n# written later\n")), "{twice}");
        assert_eq!(twice.matches("seed: 2").count(), 1);
        assert!(!twice.contains("seed: 1"));
        let bare = twice.replace(FITTED_END, "");
        assert!(with_calibration(&bare, &second).unwrap_err().to_string().contains("remove the section"));
    }

    #[test]
    fn what_turns_the_direction_of_reading_is_shown_for_what_it_is() {
        assert_eq!(scalar("stop \u{202e}it"), "\"stop \\U0000202Eit\"");
    }

    proptest! {
        #[test]
        fn whatever_a_person_said_is_stored_as_it_was(text in "\\PC{1,40}|[ -~\n\t\u{85}\u{2028}]{1,40}") {
            prop_assume!(!text.trim().is_empty());
            for file in ["query:\n  - a\n", "query: [a]\n", ""] {
                let changed = added(file, "query", &text);
                let found = parse_exemplars(&changed).unwrap();
                prop_assert_eq!(found["query"].last().unwrap(), &text, "{}", changed);
            }
        }
    }
}

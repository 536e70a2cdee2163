//! Names of tables and columns: quoted so that any word, space, quote or letter works in SQL, and made distinct where
//! a source repeats them. Next: `workbench`.

use std::collections::BTreeSet;

/// The identifier as SQL takes it literally.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Names handed out so far; SQLite compares names without regard to ASCII case, so this does too.
#[derive(Debug, Default)]
pub struct DistinctNames {
    taken: BTreeSet<String>,
}

impl DistinctNames {
    /// The name itself if it is free, else the name with the lowest free number from `_2` on.
    pub fn claim(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 2_u32;
        while !self.taken.insert(candidate.to_ascii_lowercase()) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        candidate
    }

    /// Whether the name is taken.
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(&name.to_ascii_lowercase())
    }
}

/// A name fit to be shown on one line: control characters become spaces, outer spaces go.
pub fn tidy(name: &str) -> String {
    let spaced: String = name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    spaced.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted(r#"say "hi""#), r#""say ""hi""""#);
    }

    #[test]
    fn names_that_differ_in_case_only_are_told_apart() {
        let mut names = DistinctNames::default();
        let claimed: Vec<String> =
            ["Total", "total", "TOTAL", "total_2"].iter().map(|name| names.claim(name)).collect();
        assert_eq!(claimed, ["Total", "total_2", "TOTAL_3", "total_2_2"]);
    }

    #[test]
    fn line_breaks_in_a_name_become_spaces() {
        assert_eq!(tidy(" unit\nprice\t"), "unit price");
    }
}

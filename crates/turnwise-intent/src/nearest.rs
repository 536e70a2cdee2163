//! "Did you mean": the entry of a list that is fewest edits away from what was typed. Every refusal of a name uses
//! it, so that all of them help alike. Next: `profile::check`.

use crate::limits::SUGGESTION_EDITS_MAX;

/// The candidate nearest to `typed` within [`SUGGESTION_EDITS_MAX`] edits and half of its length, first on ties.
#[must_use]
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = SUGGESTION_EDITS_MAX.min(typed.chars().count().div_ceil(2));
    candidates
        .into_iter()
        .map(|candidate| (edits(typed, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
#[must_use]
pub fn edits(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_edit_and_far_words_are_not_suggested() {
        assert_eq!(edits("porof", "proof"), 1);
        assert_eq!(nearest("/porof", ["/proof", "/help"]), Some("/proof"));
        assert_eq!(nearest("/xyzzy", ["/proof", "/help"]), None);
    }
}

//! How much a title is like that of a ticket that exists: by the words they share. A search finds what shares a single
//! word; what is told as a duplicate is chosen here, for all trackers alike. Next: `files`, `jira`, `github`.

use turnwise_core::text;

use super::Ticket;

/// The words of `title` that tell what it is about.
pub(super) fn telling(title: &str) -> Vec<String> {
    text::words(title).into_iter().filter(|word| word.len() >= TELLING_LENGTH).collect()
}

/// Those of `found` that may be about the same as `title`, the nearest first.
pub(super) fn alike(title: &str, found: impl Iterator<Item = Ticket>) -> Vec<Ticket> {
    let likeness = |ticket: Ticket| (likeness(title, &ticket.title), ticket);
    let mut near: Vec<(usize, Ticket)> =
        found.map(likeness).filter(|(likeness, _)| *likeness >= LIKENESS_MIN).collect();
    near.sort_by(|(left, _), (right, _)| right.cmp(left));
    near.into_iter().map(|(_, ticket)| ticket).collect()
}

/// How much two titles share, in percent of the words that tell something in the shorter one.
fn likeness(one: &str, other: &str) -> usize {
    let (one, other) = (telling(one), telling(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    let shorter = one.len().min(other.len());
    (shared * 100).checked_div(shorter).unwrap_or(0)
}

/// Percent of words from which on two titles may mean the same.
const LIKENESS_MIN: usize = 60;
/// Shorter words say little about what a ticket is about.
const TELLING_LENGTH: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracker::TicketKey;

    #[test]
    fn the_nearest_stands_first_and_what_shares_little_is_left_out() {
        let ticket = |title: &str| Ticket { key: TicketKey::new("T-1"), title: title.to_owned(), place: String::new() };
        let found = ["Login page is slow on mobile", "Export drops the last row", "Login fails on mobile"].map(ticket);
        let near = alike("Login fails on mobile phones", found.into_iter());
        let titles: Vec<&str> = near.iter().map(|ticket| ticket.title.as_str()).collect();
        assert_eq!(titles, ["Login fails on mobile"]);
    }
}

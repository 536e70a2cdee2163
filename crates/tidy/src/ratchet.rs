//! Ratchets: lists of what is already too large, kept in `ratchet/*.txt`. An entry names one thing and its exact size;
//! what is new, grown, shrunk or gone fails until the list says so, and a reviewer sees every step in the difference.
//! Next: `tests/shape.rs`.

use std::collections::BTreeMap;

use crate::Offenders;

/// A list of things that are allowed to be over a limit, each with its exact size.
#[derive(Debug)]
pub struct Ratchet {
    list: String,
    allowed: BTreeMap<String, usize>,
}

impl Ratchet {
    /// Reads `text`, the content of the file `list`: a name, a space and a number per line; `#` begins a comment.
    ///
    /// # Errors
    /// The first line that is neither, with what it should be.
    pub fn parse(list: &str, text: &str) -> Result<Self, String> {
        let mut allowed = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let entry = line.rsplit_once(' ').and_then(|(name, size)| Some((name, size.parse().ok()?)));
            let Some((name, size)) = entry else {
                return Err(format!("{list}:{number}: `{line}` is no entry; write a name, a space and a number"));
            };
            allowed.insert(name.to_owned(), size);
        }
        Ok(Self { list: list.to_owned(), allowed })
    }

    /// Compares what is over the limit now (`name`, `size`) with the list, both ways.
    #[must_use]
    pub fn compare(&self, found: &BTreeMap<String, usize>) -> Offenders {
        let mut offenders = Offenders::none();
        for (name, size) in found {
            match self.allowed.get(name) {
                None => offenders.add(name, 1, &format!("{size} lines, which is over the limit")),
                Some(allowed) if size > allowed => {
                    offenders.add(name, 1, &format!("{size} lines, grown from {allowed}"));
                }
                Some(allowed) if size < allowed => {
                    offenders.add(&self.list, 1, &format!("`{name} {allowed}` is now {size}: lower the entry"));
                }
                Some(_) => {}
            }
        }
        for name in self.allowed.keys().filter(|name| !found.contains_key(*name)) {
            offenders.add(&self.list, 1, &format!("`{name}` is within the limit or gone: remove the entry"));
        }
        offenders
    }
}

#[cfg(test)]
mod tests {
    use super::Ratchet;

    #[track_caller]
    fn check(list: &str, found: &[(&str, usize)], expected: &[&str]) {
        let found = found.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
        let ratchet = Ratchet::parse("list.txt", list);
        assert_eq!(ratchet.map(|ratchet| ratchet.compare(&found).lines().to_vec()), Ok(strings(expected)));
    }

    fn strings(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn what_is_listed_exactly_passes() {
        check("# why\na.rs 510\n", &[("a.rs", 510)], &[]);
    }

    #[test]
    fn what_is_new_or_grown_fails() {
        check("", &[("a.rs", 510)], &["a.rs:1: 510 lines, which is over the limit"]);
        check("a.rs 510", &[("a.rs", 511)], &["a.rs:1: 511 lines, grown from 510"]);
    }

    #[test]
    fn what_shrank_or_is_gone_must_leave_the_list() {
        check("a.rs 510", &[("a.rs", 505)], &["list.txt:1: `a.rs 510` is now 505: lower the entry"]);
        check("a.rs 510", &[], &["list.txt:1: `a.rs` is within the limit or gone: remove the entry"]);
    }

    #[test]
    fn a_line_that_is_no_entry_is_named() {
        let failure = Ratchet::parse("list.txt", "a.rs 510\nb.rs\n").err();
        assert_eq!(failure.as_deref(), Some("list.txt:2: `b.rs` is no entry; write a name, a space and a number"));
    }
}

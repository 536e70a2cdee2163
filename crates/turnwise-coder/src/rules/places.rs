//! Places: the files that the tail of an order names, and those it leaves out. Every word of a tail is understood or
//! the order is refused: a limit that is not kept would change more than was said. Next: `order`.

use turnwise_intent::behaviour::coder::files_in;

use super::said::{Piece, pieces};

/// Where an order goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Files named; everywhere when none is.
    pub within: Vec<String>,
    /// Files that are left out.
    pub without: Vec<String>,
}

/// Words behind which files are left out.
const EXCEPT: [&str; 15] = [
    "but",
    "except",
    "excepting",
    "excluding",
    "exclude",
    "not",
    "without",
    "other",
    "apart",
    "aside",
    "besides",
    "leave",
    "leaving",
    "skip",
    "skipping",
];

/// Words between those and the files.
const BETWEEN: [&str; 17] = [
    "for",
    "in",
    "than",
    "from",
    "out",
    "alone",
    "the",
    "file",
    "files",
    "and",
    "nor",
    "as",
    "it",
    "is",
    "untouched",
    "unchanged",
    "please",
];

/// Words that narrow nothing.
const PLAIN: [&str; 45] = [
    "in",
    "within",
    "inside",
    "across",
    "throughout",
    "everywhere",
    "everything",
    "the",
    "all",
    "every",
    "each",
    "this",
    "these",
    "my",
    "our",
    "both",
    "files",
    "and",
    "of",
    "whole",
    "entire",
    "code",
    "codebase",
    "project",
    "workspace",
    "repository",
    "repo",
    "please",
    "too",
    "also",
    "now",
    "here",
    "it",
    "current",
    "open",
    "only",
    "just",
    "as",
    "well",
    "thanks",
    "thank",
    "you",
    "for",
    "me",
    "then",
];

/// Words that a place begins with.
const BEGINS: [&str; 7] = ["in", "within", "inside", "across", "throughout", "of", "to"];

/// The places of a tail; `more` are words that narrow nothing in this order.
///
/// # Errors
/// The words that are not understood.
pub(super) fn places(tail: &[Piece], more: &[&str]) -> Result<Places, String> {
    let mut places = Places::default();
    let mut leaves = false;
    for (at, piece) in tail.iter().enumerate() {
        let names = named(tail, at, leaves);
        if !names.is_empty() {
            let named = if leaves { &mut places.without } else { &mut places.within };
            named.extend(names);
        } else if piece.is_any(&EXCEPT) {
            // “but in a.rs” may mean both, and so may “but” behind what is left out already.
            let is_open = piece.is("but") && (!places.without.is_empty() || is_at(tail, at + 1, &["in"]));
            if is_open {
                return Err(phrase(tail, at));
            }
            leaves = true;
        } else if !is_understood(tail, at, leaves, more) {
            return Err(phrase(tail, at));
        }
    }
    match leaves && places.without.is_empty() {
        true => Err(phrase(tail, tail.len().saturating_sub(1))),
        false => Ok(places),
    }
}

/// What a change of a proposal says about places and about nothing else.
#[must_use]
pub fn places_of(words: &str) -> Option<Places> {
    const MORE: [&str; 13] =
        ["change", "changes", "rename", "replace", "do", "touch", "edit", "apply", "make", "yes", "ok", "no", "to"];
    places(&pieces(words), &MORE).ok().filter(|places| *places != Places::default())
}

fn is_at(tail: &[Piece], at: usize, words: &[&str]) -> bool {
    tail.get(at).is_some_and(|piece| piece.is_any(words))
}

/// The files that a piece names, each as it was said: one with a line behind it is no whole file.
fn named(tail: &[Piece], at: usize, leaves: bool) -> Vec<String> {
    let piece = &tail[at];
    let is_place =
        leaves || (at > 0 && (tail[at - 1].is_quoted || tail[at - 1].is_any(&["in", "file", "and", "of", "to"])));
    if piece.is_quoted && is_place {
        return vec![piece.text.clone()];
    }
    let text = piece.text.strip_suffix("'s").or_else(|| piece.text.strip_suffix("’s")).unwrap_or(&piece.text);
    let named = files_in(text);
    let is_whole = text.split([',', ';']).filter(|name| !name.is_empty()).eq(named.iter().map(String::as_str));
    if is_whole && !piece.is_quoted { named } else { Vec::new() }
}

fn is_understood(tail: &[Piece], at: usize, leaves: bool, more: &[&str]) -> bool {
    let piece = &tail[at];
    let is_beside_name = (at > 0 && !named(tail, at - 1, leaves).is_empty())
        || (at + 1 < tail.len() && !named(tail, at + 1, leaves).is_empty());
    if piece.is_any(&["file", "module", "folder", "directory"]) && is_beside_name {
        return true;
    }
    if leaves {
        // “not in a.rs and in b.rs” goes somewhere again.
        let goes_on = piece.is("in") && !(at > 0 && tail[at - 1].is_any(&EXCEPT) || is_at(tail, at - 1, &["for"]));
        return (piece.is_any(&BETWEEN) || piece.is_any(more)) && !goes_on;
    }
    let points = at > 0 && tail[at - 1].is_any(&["this", "current", "open", "every", "each"]);
    piece.is_any(&PLAIN) || piece.is_any(more) || (points && piece.is_any(&["file", "module"]))
}

/// The words around the one at `at`: from what begins there to where another place begins.
fn phrase(tail: &[Piece], at: usize) -> String {
    let ends = |before: usize| tail[before].pause || !files_in(&tail[before].text).is_empty();
    let from = (0..at).rev().find(|before| ends(*before)).map_or(0, |before| before + 1);
    let goes_on = |behind: &usize| tail[*behind].is_any(&BEGINS) || tail[*behind - 1].pause;
    let to = (at + 1..tail.len()).find(goes_on).unwrap_or(tail.len());
    let words: Vec<&str> = tail[from..to].iter().map(|piece| piece.raw.as_str()).collect();
    words.join(" ").trim_end_matches([',', ';', '.', '?', '!']).to_owned()
}

/// What is said before the places.
pub(super) fn before_places(rest: &[Piece]) -> &[Piece] {
    const OPENS: [&str; 6] = ["in", "within", "inside", "everywhere", "across", "throughout"];
    const FOLLOWS: [&str; 9] = ["the", "all", "every", "each", "this", "my", "our", "file", "files"];
    let is_named = |at: usize| rest.get(at).is_some_and(|piece| !files_in(&piece.text).is_empty());
    let opens = |at: usize| {
        rest[at].is_any(&OPENS)
            && rest.get(at + 1).is_none_or(|next| {
                is_named(at + 1)
                    || next.is_any(&FOLLOWS)
                    || (rest[at].is("everywhere") && next.is_any(&EXCEPT))
                    || (next.is_quoted && at + 2 == rest.len())
            })
    };
    // “rename a to b except in c.rs”; behind “with” and “to” stands what is written.
    let leaves = |at: usize| {
        at > 1
            && rest[at].is_any(&EXCEPT)
            && !rest[at - 1].is_any(&["with", "by", "for", "to", "into", "as", "of"])
            && places(&rest[at..], &[]).is_ok_and(|places| !places.without.is_empty())
    };
    let end = (0..rest.len()).find(|at| opens(*at) || leaves(*at)).unwrap_or(rest.len());
    &rest[..end]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[track_caller]
    fn check(tail: &str, within: &[&str], without: &[&str]) {
        let found = places(&pieces(tail), &[]).unwrap();
        assert_eq!((found.within, found.without), (strings(within), strings(without)), "{tail}");
    }

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn files_behind_an_exception_are_left_out() {
        check("in app.py", &["app.py"], &[]);
        check("in a.py and b.py, please", &["a.py", "b.py"], &[]);
        check("in the whole project", &[], &[]);
        check("in all files but main.rs", &[], &["main.rs"]);
        check("in all files except app.py", &[], &["app.py"]);
        check("in every file other than app.py", &[], &["app.py"]);
        check("in util.rs, not main.rs", &["util.rs"], &["main.rs"]);
        check("in other.py but not in app.py", &["other.py"], &["app.py"]);
        check("in all files, leave main.rs alone", &[], &["main.rs"]);
        check("everywhere except in a.rs and b.rs", &[], &["a.rs", "b.rs"]);
        check("not in src/util.rs", &[], &["src/util.rs"]);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (tail, told) in [
            ("in the comments of app.py", "in the comments"),
            ("in the function add in app.py", "in the function add"),
            ("in the class Cart in app.py", "in the class Cart"),
            ("in app.py, only in comments", "only in comments"),
            ("in app.py? no", "no"),
            ("in app.py:12", "in app.py:12"),
            ("in a.py but in b.py", "but"),
            ("in all files except the tests", "in all files except the tests"),
            ("in the file", "in the file"),
        ] {
            assert_eq!(places(&pieces(tail), &[]), Err(told.to_owned()), "{tail}");
        }
        assert!(places(&pieces("not in a.py and in b.py"), &[]).is_err());
        assert!(places(&pieces("not only in a.py"), &[]).is_err());
        let quoted = places(&pieces("in `a b`, `c d` but not `e f`"), &[]).unwrap();
        assert_eq!((quoted.within, quoted.without), (strings(&["a b", "c d"]), strings(&["e f"])));
    }
}

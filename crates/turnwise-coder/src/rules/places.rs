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
const EXCEPT: [&str; 18] = [
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
    "don't",
    "don’t",
    "dont",
];

/// Words between those and the files.
const BETWEEN: [&str; 20] = [
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
    "touch",
    "change",
    "edit",
];

/// Words before what something is in.
const IN: [&str; 5] = ["in", "within", "inside", "across", "throughout"];

/// Words that narrow nothing.
const PLAIN: [&str; 43] = [
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
    "us",
    "very",
    "much",
    "then",
];

/// Words besides, behind which a quotation is a place.
const LEADS: [&str; 11] = ["file", "files", "and", "or", "of", "to", "the", "both", "only", "just", "these"];

/// What holds files.
const FOLDERS: [&str; 2] = ["folder", "directory"];

/// Folders that are meant by their bare names: no part of a program is called so.
const USUAL: [&str; 6] = ["src", "lib", "bin", "scripts", "crates", "packages"];

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
    let is_place = leaves
        || files_in(&piece.text) == [piece.text.as_str()]
        || (at > 0 && (tail[at - 1].is_quoted || tail[at - 1].is_any(&IN) || tail[at - 1].is_any(&LEADS)));
    if piece.is_quoted && is_place {
        return vec![piece.text.clone()];
    }
    if is_folder(tail, at) {
        return vec![piece.text.clone()];
    }
    let text = piece.text.strip_suffix("'s").or_else(|| piece.text.strip_suffix("’s")).unwrap_or(&piece.text);
    let named = files_in(text);
    let is_whole = text.split([',', ';']).filter(|name| !name.is_empty()).eq(named.iter().map(String::as_str));
    if is_whole && !piece.is_quoted { named } else { Vec::new() }
}

/// Whether a word behind “in” is one that stands for files, or narrows nothing.
pub(super) fn is_place(piece: &Piece) -> bool {
    piece.is_any(&USUAL) || is_of_places(piece)
}

/// Whether a word says something about places and is none itself.
fn is_of_places(piece: &Piece) -> bool {
    [&IN[..], &PLAIN, &EXCEPT, &BETWEEN, &FOLDERS].iter().any(|words| piece.is_any(words))
}

/// Whether a bare word is a folder: “in src”, “in the parser folder”, “in folder parser”.
fn is_folder(tail: &[Piece], at: usize) -> bool {
    let piece = &tail[at];
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/');
    let is_word = is_of_places(piece) || piece.is_any(&["module", "that", "which", "same"]);
    if piece.is_quoted || is_word || !piece.text.chars().all(is_name) {
        return false;
    }
    let is_behind = at > 0 && tail[at - 1].is_any(&FOLDERS);
    let leads = at > 0 && tail[at - 1].is_any(&IN);
    let is_alone = tail.get(at + 1).is_none_or(|next| piece.pause || next.is_any(&["and", "but", "only", "please"]));
    is_at(tail, at + 1, &FOLDERS) || is_behind || (leads && is_alone && USUAL.contains(&piece.text.as_str()))
}

fn is_understood(tail: &[Piece], at: usize, leaves: bool, more: &[&str]) -> bool {
    let piece = &tail[at];
    let is_beside_name = (at > 0 && !named(tail, at - 1, leaves).is_empty())
        || (at + 1 < tail.len() && !named(tail, at + 1, leaves).is_empty());
    if (piece.is_any(&["file", "module"]) || piece.is_any(&FOLDERS)) && is_beside_name {
        return true;
    }
    if leaves {
        // “not in a.rs and in b.rs” goes somewhere again.
        let goes_on = piece.is("in") && !(at > 0 && tail[at - 1].is_any(&EXCEPT) || is_at(tail, at - 1, &["for"]));
        return (piece.is_any(&BETWEEN) || piece.is_any(more)) && !goes_on;
    }
    let behind = |words: &[&str]| at > 0 && tail[at - 1].is_any(words);
    let points = behind(&["this", "current", "open", "every", "each"]) && piece.is_any(&["file", "module"]);
    let is_all = (behind(&["all"]) && piece.is_any(&["modules", "places", "folders", "directories"]))
        || (behind(&["every", "each"]) && piece.is_any(&["place", "folder", "directory"]))
        || (behind(&["code"]) && piece.is("base"));
    piece.is_any(&IN) || piece.is_any(&PLAIN) || piece.is_any(more) || points || is_all
}

/// The words around the one at `at`: from what begins there to where another place begins.
fn phrase(tail: &[Piece], at: usize) -> String {
    let ends = |before: usize| tail[before].pause || !files_in(&tail[before].text).is_empty();
    let from = (0..at).rev().find(|before| ends(*before)).map_or(0, |before| before + 1);
    let goes_on =
        |behind: &usize| tail[*behind].is_any(&IN) || tail[*behind].is_any(&["of", "to"]) || tail[*behind - 1].pause;
    let to = (at + 1..tail.len()).find(goes_on).unwrap_or(tail.len());
    let words: Vec<&str> = tail[from..to].iter().map(|piece| piece.raw.as_str()).collect();
    words.join(" ").trim_end_matches([',', ';', '.', '?', '!']).to_owned()
}

/// What is said before the places.
pub(super) fn before_places(rest: &[Piece]) -> &[Piece] {
    const FOLLOWS: [&str; 13] =
        ["the", "all", "every", "each", "this", "my", "our", "file", "files", "both", "these", "only", "just"];
    let is_named = |at: usize| rest.get(at).is_some_and(|piece| !files_in(&piece.text).is_empty());
    let opens = |at: usize| {
        (rest[at].is_any(&IN) || rest[at].is("everywhere"))
            && rest.get(at + 1).is_none_or(|next| {
                is_named(at + 1)
                    || next.is_any(&FOLLOWS)
                    || next.is_any(&FOLDERS)
                    || is_folder(rest, at + 1)
                    || (rest[at].is("everywhere") && next.is_any(&EXCEPT))
                    || (next.is_quoted && at + 2 == rest.len())
            })
    };
    // “only in comments” limits, understood or not.
    let narrows = |at: usize| {
        at > 1 && rest[at].is_any(&["only", "just"]) && is_at(rest, at + 1, &["in", "within", "inside", "for", "where"])
    };
    // “rename a to b except in c.rs”; behind “with” and “to” stands what is written.
    let leaves = |at: usize| {
        at > 1
            && rest[at].is_any(&EXCEPT)
            && !rest[at - 1].is_any(&["with", "by", "for", "to", "into", "as", "of"])
            && places(&rest[at..], &[]).is_ok_and(|places| !places.without.is_empty())
    };
    let end = (0..rest.len()).find(|at| opens(*at) || narrows(*at) || leaves(*at)).unwrap_or(rest.len());
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
        check("in src/util.rs, don't touch main.rs", &["src/util.rs"], &["main.rs"]);
    }

    #[test]
    fn quotations_folders_and_courtesies_are_understood() {
        for tail in [
            "within `src/main.rs`",
            "inside `src/main.rs`",
            "in the `src/main.rs`",
            "everywhere in only `src/main.rs`",
            "in only src/main.rs",
            "only in src/main.rs",
            "in src/main.rs, thank you very much",
            "in src/main.rs for us",
            "in src/main.rs, thanks!",
        ] {
            check(tail, &["src/main.rs"], &[]);
        }
        for tail in ["in both `a b` and `c d`", "in these files: `a b`, `c d`", "within `a b` and `c d`"] {
            check(tail, &["a b", "c d"], &[]);
        }
        check("in these files: a.py, b.py", &["a.py", "b.py"], &[]);
        for tail in ["in src", "in src/", "in the src folder", "in folder src", "in the directory src, please"] {
            check(tail.trim_end_matches('/'), &["src"], &[]);
        }
        check("in the parser folder and in app.py", &["parser", "app.py"], &[]);
        check("in all files but not in the parser folder", &[], &["parser"]);
        for tail in ["in all modules", "in the entire code base", "in all places", "in every place"] {
            check(tail, &[], &[]);
        }
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
            ("in the folder", "in the folder"),
            ("in this folder", "in this folder"),
            ("in comments", "in comments"),
            ("in the modules", "in the modules"),
            ("in the function `add`", "in the function `add`"),
            ("in src comments", "in src comments"),
        ] {
            assert_eq!(places(&pieces(tail), &[]), Err(told.to_owned()), "{tail}");
        }
        assert!(places(&pieces("not in a.py and in b.py"), &[]).is_err());
        assert!(places(&pieces("not only in a.py"), &[]).is_err());
        let quoted = places(&pieces("in `a b`, `c d` but not `e f`"), &[]).unwrap();
        assert_eq!((quoted.within, quoted.without), (strings(&["a b", "c d"]), strings(&["e f"])));
    }
}

//! Identifiers: the places where a name stands as a name. A rename changes these and leaves comments, texts and longer
//! names alone. Where a language has no grammar here, whole words are taken instead. Next: `rules::rename`.

use std::ops::Range;

use tree_sitter::Node;
use turnwise_assistant::place::FilePath;

use super::Language;

/// Where a name stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// As a name: the bytes it takes up, in order.
    pub names: Vec<Range<usize>>,
    /// As a word in comments and texts: the lines, from 1.
    pub words: Vec<usize>,
}

/// Where `name` stands in `content` of `path`.
#[must_use]
pub fn identifiers(path: &FilePath, content: &str, name: &str) -> Place {
    let words = whole_words(content, name);
    if words.is_empty() {
        return Place::default();
    }
    let Some(tree) = Language::of(path).and_then(|language| language.parse(content)) else {
        return Place { names: words, words: Vec::new() };
    };
    let root = tree.root_node();
    let (names, rest): (Vec<_>, Vec<_>) = words.into_iter().partition(|range| name_at(root, range).is_some());
    let mut words: Vec<usize> = rest.iter().map(|range| line_at(content, range.start)).collect();
    words.dedup();
    Place { names, words }
}

/// The node that is a name and takes up just these bytes.
pub(super) fn name_at<'t>(root: Node<'t>, range: &Range<usize>) -> Option<Node<'t>> {
    let node = root.descendant_for_byte_range(range.start, range.end)?;
    (node.byte_range() == *range && node.kind().contains("identifier")).then_some(node)
}

/// The line that the byte `at` is in, from 1.
#[must_use]
pub fn line_at(content: &str, at: usize) -> usize {
    content[..at].matches('\n').count() + 1
}

/// Where `word` stands with no letter, digit or underscore beside it.
pub(super) fn whole_words(content: &str, word: &str) -> Vec<Range<usize>> {
    if word.is_empty() {
        return Vec::new();
    }
    let joins = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    // An end of the word that is no letter needs no boundary: “$x” may stand behind anything.
    let (opens, closes) = (joins(word.chars().next()), joins(word.chars().next_back()));
    let is_whole = |range: &Range<usize>| {
        !(opens && joins(content[..range.start].chars().next_back())
            || closes && joins(content[range.end..].chars().next()))
    };
    content.match_indices(word).map(|(at, found)| at..at + found.len()).filter(is_whole).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[track_caller]
    fn check(name: &str, content: &str, names: usize, words: &[usize]) {
        let found = identifiers(&FilePath::new(name).unwrap(), content, "foo");
        assert_eq!((found.names.len(), found.words.as_slice()), (names, words), "{content}");
        assert!(found.names.iter().all(|range| &content[range.clone()] == "foo"));
    }

    #[test]
    fn a_name_is_found_as_a_name_and_told_apart_from_words_and_longer_names() {
        check("a.rs", "fn foo() {}\n// foo\nlet food = \"foo\"; a.foo = foo_bar!(foo);\n", 3, &[2, 3]);
        check("a.py", "def foo(foo):\n    \"\"\"foo\"\"\"\n    return self.foo\n", 3, &[2]);
        check("a.ts", "type T = { foo: number };\nconst { foo } = x; // foo\n", 2, &[2]);
        check("a.go", "package a\n\nfunc foo() { x.foo() } // foo\n", 2, &[3]);
        check("a.java", "int foo; // foo\nint food;\n", 2, &[]);
    }
}

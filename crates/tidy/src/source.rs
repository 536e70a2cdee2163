//! A Rust file with what the rules ask about it: its text, its code without comments and literals, and which of its
//! lines are tests. A line is a test when it stands under `#[cfg(test)]`, or when its whole file does: by its place, or
//! because its parent declares it so. Next: `items`.

use crate::mask;

/// A Rust file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it is, from the root of the repository, with `/`.
    pub path: String,
    /// As it is.
    pub text: String,
    /// As it is, with comments and the insides of literals blanked out.
    pub code: String,
    /// For each line, whether it is part of the tests.
    is_test: Vec<bool>,
}

impl SourceFile {
    /// Takes `text` apart. `path` decides whether the whole file is tests: those in `tests/` and `benches/`, and a
    /// `tests.rs`.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        let code = mask(text);
        let whole = path.split('/').any(|part| matches!(part, "tests" | "benches" | "tests.rs"));
        let mut is_test = vec![whole; text.lines().count()];
        for range in test_ranges(&code) {
            let first = line_of(&code, range.start);
            let last = line_of(&code, range.end);
            for line in first..=last.min(is_test.len()) {
                is_test[line - 1] = true;
            }
        }
        Self { path: path.to_owned(), text: text.to_owned(), code, is_test }
    }

    /// The same file, all of it tests.
    #[must_use]
    pub fn as_tests(mut self) -> Self {
        self.is_test.fill(true);
        self
    }

    /// Where the modules are that this file declares under `#[cfg(test)]` without a body: paths without `.rs`.
    #[must_use]
    pub fn test_modules(&self) -> Vec<String> {
        let (folder, name) = self.path.rsplit_once('/').unwrap_or_default();
        let folder = match name.trim_end_matches(".rs") {
            "mod" | "lib" | "main" => folder.to_owned(),
            stem => format!("{folder}/{stem}"),
        };
        let declarations = test_ranges(&self.code).into_iter().filter_map(|range| {
            let declared = self.code[range].trim_end_matches(';').rsplit_once("mod ")?.1;
            declared.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| format!("{folder}/{declared}"))
        });
        declarations.collect()
    }

    /// Whether `line` (from 1) is part of the tests.
    #[must_use]
    pub fn is_test(&self, line: usize) -> bool {
        self.is_test.get(line - 1).copied().unwrap_or_default()
    }

    /// Lines without tests.
    #[must_use]
    pub fn lines_without_tests(&self) -> usize {
        self.is_test.iter().filter(|is_test| !**is_test).count()
    }

    /// The line (from 1) that the byte `offset` is on.
    #[must_use]
    pub fn line_of(&self, offset: usize) -> usize {
        line_of(&self.code, offset)
    }

    /// Lines of masked code outside tests, with their numbers from 1.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.numbered(&self.code).filter(|(line, _)| !self.is_test(*line))
    }

    /// Lines of masked code in tests, with their numbers from 1.
    pub fn test_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.numbered(&self.code).filter(|(line, _)| self.is_test(*line))
    }

    /// All lines as they are, with their numbers from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.numbered(&self.text)
    }

    fn numbered<'a>(&self, text: &'a str) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        (1..).zip(text.lines())
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// The byte ranges of items under `#[cfg(test)]`, attribute included.
fn test_ranges(code: &str) -> Vec<std::ops::Range<usize>> {
    let marker = "#[cfg(test)]";
    let starts = code.match_indices(marker).map(|(start, _)| start);
    starts.map(|start| start..end_of_item(code, start + marker.len())).collect()
}

/// Where the item that begins at or after `from` ends: at its `;`, or at the brace that closes its first one.
fn end_of_item(code: &str, from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return at,
            b'}' => depth -= 1,
            b';' if depth == 0 => return at,
            _ => {}
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::SourceFile;

    const SOURCE: &str = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { c }\n}\nfn d() {}\n";

    fn test_lines(path: &str, text: &str) -> Vec<usize> {
        SourceFile::new(path, text).test_lines().map(|(line, _)| line).collect()
    }

    #[test]
    fn a_module_under_cfg_test_is_tests_up_to_its_closing_brace() {
        assert_eq!(test_lines("crates/a/src/b.rs", SOURCE), [2, 3, 4, 5]);
        assert_eq!(SourceFile::new("b.rs", SOURCE).lines_without_tests(), 2);
    }

    #[test]
    fn a_declaration_under_cfg_test_is_tests_up_to_its_semicolon() {
        assert_eq!(test_lines("crates/a/src/b.rs", "#[cfg(test)]\nmod tests;\nfn a() {}\n"), [1, 2]);
    }

    #[test]
    fn modules_declared_under_cfg_test_are_found_where_they_are() {
        let modules = |path: &str| SourceFile::new(path, "#[cfg(test)]\nmod contract;\nmod sqlite;\n").test_modules();
        assert_eq!(modules("crates/a/src/store/mod.rs"), ["crates/a/src/store/contract"]);
        assert_eq!(modules("crates/a/src/store.rs"), ["crates/a/src/store/contract"]);
        assert_eq!(SourceFile::new("crates/a/src/b.rs", SOURCE).test_modules(), Vec::<String>::new());
    }

    #[test]
    fn files_of_tests_are_tests_as_a_whole() {
        assert_eq!(test_lines("crates/a/src/b/tests.rs", "fn a() {}\n"), [1]);
        assert_eq!(test_lines("crates/a/tests/b.rs", "fn a() {}\n"), [1]);
    }
}

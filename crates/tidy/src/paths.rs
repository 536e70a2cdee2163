//! Paths between the modules of one crate: what a file names by `crate::…` or `super::…`, as a path from the crate's
//! root. The boundaries of ARCHITECTURE.md are checked on these. Next: `tests/boundaries.rs`.

use crate::SourceFile;

/// One path named in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModulePath {
    /// Its parts from the crate's root: `["store", "sqlite"]` for `crate::store::sqlite`.
    pub parts: Vec<String>,
    /// The line it is on, from 1.
    pub line: usize,
}

/// The paths that `file`, the module `module` (parts from the crate's root), names outside tests. Groups in braces are
/// opened: `crate::{store::Store, driver}` gives two.
#[must_use]
pub fn crate_paths(file: &SourceFile, module: &[String]) -> Vec<ModulePath> {
    let code = file.code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let starts_name = at == 0 || !(code[at - 1].is_ascii_alphanumeric() || matches!(code[at - 1], b'_' | b':'));
        let rest = &file.code.as_bytes()[at..];
        if starts_name && (rest.starts_with(b"crate::") || rest.starts_with(b"super::")) {
            let line = file.line_of(at);
            let (paths, length) = read_path(&file.code[at..]);
            found.extend(paths.into_iter().map(|path| ModulePath { parts: resolve(&path, module), line }));
            at += length.max(1);
        } else {
            at += 1;
        }
    }
    found.retain(|path| !file.is_test(path.line) && !path.parts.is_empty());
    found
}

/// Reads a path with its groups from the beginning of `code`; gives the paths and the bytes read.
fn read_path(code: &str) -> (Vec<Vec<String>>, usize) {
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    loop {
        let rest = &code[at..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if rest.starts_with('{') {
            let (groups, length) = read_group(rest);
            let paths = groups.into_iter().map(|group| [parts.clone(), group].concat()).collect();
            return (paths, at + length);
        }
        at += name.len();
        if !name.is_empty() {
            parts.push(name.clone());
        }
        if name.is_empty() || !code[at..].starts_with("::") {
            return (vec![parts], at);
        }
        at += 2;
    }
}

fn read_group(code: &str) -> (Vec<Vec<String>>, usize) {
    let mut paths = Vec::new();
    let mut at = 1;
    while at < code.len() {
        let rest = &code[at..];
        let Some(next) = rest.chars().next() else { break };
        if next == '}' {
            return (paths, at + 1);
        }
        if next.is_alphanumeric() || next == '_' || next == '{' {
            let (inner, length) = read_path(rest);
            paths.extend(inner);
            at += length.max(1);
        } else {
            at += next.len_utf8();
        }
    }
    (paths, code.len())
}

/// `crate::a` is `a`; `super::a` is relative to the module's parent.
fn resolve(path: &[String], module: &[String]) -> Vec<String> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    if ups == 0 {
        return path.iter().skip(1).cloned().collect();
    }
    let kept = module.len().saturating_sub(ups);
    module[..kept].iter().chain(&path[ups..]).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::crate_paths;
    use crate::SourceFile;

    #[track_caller]
    fn check(code: &str, expected: &[(&str, usize)]) {
        let file = SourceFile::new("crates/a/src/channel/terminal/draw.rs", code);
        let module = ["channel", "terminal", "draw"].map(str::to_owned);
        let found = crate_paths(&file, &module);
        let found: Vec<_> = found.iter().map(|path| (path.parts.join("::"), path.line)).collect();
        assert_eq!(found, expected.iter().map(|(path, line)| ((*path).to_owned(), *line)).collect::<Vec<_>>());
    }

    #[test]
    fn imports_and_inline_paths_are_found() {
        check(
            "use crate::store::Store;\nfn a() { crate::driver::run() }\n",
            &[("store::Store", 1), ("driver::run", 2)],
        );
    }

    #[test]
    fn groups_are_opened_however_deep() {
        check(
            "use crate::{\n    driver::{Driver, Turn},\n    store,\n};\n",
            &[("driver::Driver", 1), ("driver::Turn", 1), ("store", 1)],
        );
    }

    #[test]
    fn super_is_relative_to_the_parent() {
        check("use super::Canvas;\nuse super::super::web;\n", &[("channel::terminal::Canvas", 1), ("channel::web", 2)]);
    }

    #[test]
    fn other_crates_comments_and_tests_are_left_out() {
        check("use my_crate::store;\n// crate::store\n#[cfg(test)]\nmod tests {\n    use crate::store;\n}\n", &[]);
    }
}

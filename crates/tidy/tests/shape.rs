//! Shape: every file says what it is, and neither files nor functions grow without being seen. The lists of what is
//! over a limit stand in `ratchet/` and may only shrink.

use std::collections::BTreeMap;

use tidy::{Offenders, Ratchet, SourceFile, functions, read, source_files, text_files};

/// Lines of a file without its tests. Above this a file holds more than one thought.
const FILE_LINES_MAX: usize = 500;

/// Lines of a function, from `fn` to its closing brace. Above this nobody holds it in the head.
const FUNCTION_LINES_MAX: usize = 60;

/// Characters of a line of code, as in `rustfmt.toml`; rustfmt itself leaves long comments and texts alone.
const LINE_WIDTH_MAX: usize = 120;

#[test]
fn every_source_file_begins_with_what_it_is_and_where_to_go_next() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in sources()? {
        if let Some(what) = head_defect(&file) {
            offenders.add(&file.path, 1, what);
        }
    }
    offenders
        .expect_none("begin the file with `//!` lines: what it is, why it exists, and `Next:` with where to go on");
    Ok(())
}

#[test]
fn files_over_the_limit_are_listed_and_shrink() -> Result<(), String> {
    let sizes = sources()?.into_iter().map(|file| (file.path.clone(), file.lines_without_tests()));
    let over = sizes.filter(|(_, lines)| *lines > FILE_LINES_MAX).collect();
    check_ratchet("crates/tidy/ratchet/files.txt", &over, "split the file along its thoughts; aim at 100 to 300 lines")
}

#[test]
fn functions_over_the_limit_are_listed_and_shrink() -> Result<(), String> {
    let mut over = BTreeMap::new();
    for file in sources()? {
        for function in functions(&file).into_iter().filter(|function| function.length > FUNCTION_LINES_MAX) {
            let size = over.entry(format!("{}:{}", file.path, function.name)).or_insert(0);
            *size = function.length.max(*size);
        }
    }
    check_ratchet("crates/tidy/ratchet/functions.txt", &over, "take leaves out of the function; aim below 25 lines")
}

#[test]
fn lines_fit_the_width() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|_| true)? {
        for line in wide_lines(&file) {
            offenders.add(&file.path, line, "is wider than 120 characters");
        }
    }
    for (path, text) in text_files(|path| path.ends_with(".toml") || path.starts_with(".ci/"))? {
        for (line, _) in (1..).zip(text.lines()).filter(|(_, text)| is_wide(text)) {
            offenders.add(&path, line, "is wider than 120 characters");
        }
    }
    offenders.expect_none("break the line at 120 characters");
    Ok(())
}

#[test]
fn no_file_is_named_for_leftovers() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.contains("/src/"))? {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        if matches!(name, "utils.rs" | "util.rs" | "helpers.rs" | "helper.rs" | "misc.rs" | "common.rs" | "types.rs") {
            offenders.add(&file.path, 1, "says nothing of what is in it");
        }
    }
    offenders.expect_none("name the file for the one thing it holds, and move the rest to where it is used");
    Ok(())
}

#[test]
fn a_head_says_what_and_why_and_points_on() {
    let defect = |path: &str, text: &str| head_defect(&SourceFile::new(path, text));
    let path = "crates/a/src/b.rs";
    assert_eq!(defect(path, "//! What it is,\n//! and why. Next: `b`.\n\nfn a() {}\n"), None);
    assert_eq!(defect(path, "//! What it is. Why it is. Next: `b`.\n"), None);
    assert_eq!(defect(path, "//! What it is. Next: `b`.\n"), Some("the head says what or why, not both"));
    assert_eq!(defect(path, "//! What it is,\n//! and why.\n"), Some("the head does not say where to go next"));
    assert_eq!(defect(path, "use b;\n//! What.\n//! Next: `b`.\n"), Some("there is no head"));
    assert_eq!(defect("crates/a/src/b/tests.rs", "//! What is shown here.\n"), None);
}

#[test]
fn comments_and_code_have_a_width_and_literals_have_not() {
    let wide = "w".repeat(LINE_WIDTH_MAX);
    let text = format!("/// {wide}\nlet {wide};\nlet a = \"{wide}\";\nlet b = \"\n{wide}\n \";\nshort();\n");
    assert_eq!(wide_lines(&SourceFile::new("crates/a/src/b.rs", &text)), [1, 2]);
}

fn sources() -> Result<Vec<SourceFile>, String> {
    source_files(|path| path.contains("/src/"))
}

/// What is wrong with the head of `file`: what and why take two sentences or two lines, and then a pointer. Files of
/// tests need to say only what they show.
fn head_defect(file: &SourceFile) -> Option<&'static str> {
    let head: Vec<&str> = file.text.lines().take_while(|line| line.starts_with("//!")).collect();
    let text = head.join(" ");
    let pointer = text.find("Next:").or_else(|| text.find("Start "));
    let said = &text[..pointer.unwrap_or(text.len())];
    let sentences = said.split(". ").filter(|sentence| !sentence.trim_matches(['/', '!', ' ']).is_empty()).count();
    match (head.len(), pointer) {
        (0, _) => Some("there is no head"),
        _ if file.is_test(1) => None,
        (_, None) => Some("the head does not say where to go next"),
        (1, Some(_)) if sentences < 2 => Some("the head says what or why, not both"),
        _ => None,
    }
}

/// Lines of comments and code that are too wide. What holds a literal is left alone, as rustfmt does: data stays whole.
fn wide_lines(file: &SourceFile) -> Vec<usize> {
    let pairs = file.lines().zip(file.code.lines()).filter(|((_, text), _)| is_wide(text));
    let breakable = pairs.filter(|((_, text), code)| {
        let is_comment = text.trim_start().starts_with("//");
        is_comment || !(code.contains('"') || code.trim().is_empty())
    });
    breakable.map(|((line, _), _)| line).collect()
}

fn is_wide(line: &str) -> bool {
    line.chars().count() > LINE_WIDTH_MAX
}

fn check_ratchet(list: &str, found: &BTreeMap<String, usize>, advice: &str) -> Result<(), String> {
    Ratchet::parse(list, &read(list)?)?.compare(found).expect_none(advice);
    Ok(())
}

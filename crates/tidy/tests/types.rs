//! Types and names: ids are newtypes, names say what a thing is, and a promise that cannot break says so.

use tidy::{Offenders, SourceFile, find_word, public_id_fields, source_files};

/// Endings of type names that say nothing, and beginnings of function names that Rust leaves out.
const EMPTY_ENDINGS: [&str; 5] = ["Manager", "Helper", "Util", "Utils", "Info"];

#[test]
fn ids_are_newtypes() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.contains("/src/"))? {
        for field in public_id_fields(&file) {
            offenders.add(&file.path, field.line, &format!("`{}: {}` is a bare id", field.name, field.kind));
        }
    }
    offenders.expect_none("give the id a type of its own, as in crates/turnwise-core/src/ids.rs");
    Ok(())
}

#[test]
fn names_say_what_a_thing_is() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.contains("/src/"))? {
        for (line, code) in file.code_lines() {
            if let Some(name) = empty_name(code) {
                offenders.add(&file.path, line, &format!("`{name}`"));
            }
        }
    }
    offenders.expect_none("no `get_`, no Manager, Helper, Util or Info: name it for what it is or does");
    Ok(())
}

#[test]
fn there_are_no_type_aliases() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|_| true)? {
        for (line, code) in file.code.lines().enumerate().map(|(at, code)| (at + 1, code)) {
            if ["type ", "pub type ", "pub(crate) type "].iter().any(|start| code.starts_with(start)) {
                offenders.add(&file.path, line, code.trim());
            }
        }
    }
    offenders.expect_none("an alias hides a type without making one: write a newtype, or the type itself");
    Ok(())
}

#[test]
fn what_cannot_fail_says_that_it_would_be_a_bug() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.contains("/src/"))? {
        for line in unexplained_expects(&file) {
            offenders.add(&file.path, line, "`expect` without `BUG: …`");
        }
    }
    offenders.expect_none("return an error, or write `expect(\"BUG: …\")` with the reason why it cannot happen");
    Ok(())
}

#[test]
fn the_scanners_of_names_can_fail() {
    assert_eq!(empty_name("pub struct RunManager {"), Some("RunManager".to_owned()));
    assert_eq!(empty_name("    fn get_run(&self) -> Run {"), Some("get_run".to_owned()));
    assert_eq!(empty_name("pub fn getter(info: Information) {"), None);
    let text =
        "fn a() {\n    b.expect(\"BUG: never empty\");\n    b.expect(\"works\");\n    b\n        .expect(WHY);\n}\n";
    assert_eq!(unexplained_expects(&SourceFile::new("crates/a/src/b.rs", text)), [3, 5]);
}

/// Names that a trait of another crate gives: whoever implements it has no choice.
const OF_OTHERS: [&str; 1] = ["get_info"];

/// The name a line declares, if it is one of those that say nothing.
fn empty_name(code: &str) -> Option<String> {
    let declared = |keyword: &str| {
        let at = find_word(code, keyword)?;
        let rest = code[at + keyword.len()..].trim_start();
        Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
    };
    let kind = ["struct", "enum", "trait"].iter().find_map(|keyword| declared(keyword));
    let empty_kind = kind.filter(|name| EMPTY_ENDINGS.iter().any(|ending| name.ends_with(ending)));
    empty_kind.or_else(|| declared("fn").filter(|name| name.starts_with("get_") && !OF_OTHERS.contains(&name.as_str())))
}

/// Lines outside tests that call `expect` with anything but a text that begins with `BUG: `.
fn unexplained_expects(file: &SourceFile) -> Vec<usize> {
    let calls = file.code.match_indices(".expect(").map(|(at, call)| (at, at + call.len()));
    let unexplained = calls.filter(|(_, inside)| !file.text[*inside..].trim_start().starts_with("\"BUG: "));
    unexplained.map(|(at, _)| file.line_of(at)).filter(|line| !file.is_test(*line)).collect()
}

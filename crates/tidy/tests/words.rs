//! Words: core knows no surface and no storage by name, tests neither wait nor look away, and nothing in the
//! repository promises what is not there or names the machine it was written on.

use tidy::{Offenders, find_word, source_files, text_files, words_of};

/// Names of surfaces and storage. Core that says one of them has begun to know it.
const FOREIGN_TO_CORE: [&str; 9] =
    ["slack", "http", "https", "sql", "sqlite", "rusqlite", "postgres", "websocket", "html"];

/// What lets a test wait, look away, or pass for the wrong reason.
const NOT_IN_TESTS: [&str; 5] = ["#[ignore", "should_panic", "thread::sleep", "time::sleep", "sleep("];

/// Words that promise what is not there, written apart so that this file does not hold them.
const PLACEHOLDERS: [&str; 8] = [
    concat!("FIX", "ME"),
    concat!("XX", "X "),
    concat!("TB", "D"),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("coming ", "soon"),
    concat!("not yet ", "implemented"),
    concat!("lorem ", "ipsum"),
];

/// Beginnings of paths that exist on one machine only, written apart as above.
const MACHINE_PATHS: [&str; 6] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/tmp/ba", "sh"),
    concat!("C:", "\\Users"),
];

#[test]
fn core_knows_no_surface_and_no_storage_by_name() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.starts_with("crates/turnwise-core/src/"))? {
        for (line, text) in file.lines() {
            for word in foreign_words(text) {
                offenders.add(&file.path, line, &format!("`{word}`, in code or comment"));
            }
        }
    }
    offenders.expect_none("say what is meant without naming a surface or a store: card, surface, query, log, source");
    Ok(())
}

#[test]
fn tests_neither_wait_nor_look_away() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| !path.starts_with("crates/tidy/"))? {
        for (line, code) in file.test_lines() {
            for word in NOT_IN_TESTS.into_iter().filter(|word| find_word(code, word).is_some()) {
                offenders.add(&file.path, line, &format!("`{word}`"));
            }
        }
    }
    offenders
        .expect_none("give time as a value or wait for the event itself; check errors as values; delete what is off");
    Ok(())
}

#[test]
fn nothing_promises_what_is_not_there() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (path, text) in text_files(|_| true)? {
        for (number, line) in (1..).zip(text.lines()) {
            for word in PLACEHOLDERS.into_iter().filter(|word| has(line, word)) {
                offenders.add(&path, number, &format!("`{}`", word.trim()));
            }
        }
    }
    offenders.expect_none("build it, or leave it and its mention out");
    Ok(())
}

#[test]
fn nothing_names_the_machine_it_was_written_on() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (path, text) in text_files(|_| true)? {
        for (number, line) in (1..).zip(text.lines()) {
            for place in MACHINE_PATHS.into_iter().filter(|place| begins_path(line, place)) {
                offenders.add(&path, number, &format!("`{place}`"));
            }
        }
    }
    offenders.expect_none("write paths from the root of the repository, or take them as arguments");
    Ok(())
}

#[test]
fn the_scanners_of_words_can_fail() {
    assert_eq!(foreign_words("/// As Slack's SqlValue, or an SQLite file."), ["slack", "sql", "sqlite"]);
    assert_eq!(foreign_words("fn slacken(nosql: bool) {"), Vec::<&str>::new());
    assert!(has(concat!("// FIX", "ME: later"), PLACEHOLDERS[0]));
    assert!(!has("let prefixmean = 1;", PLACEHOLDERS[0]));
    assert!(begins_path(concat!("cd \"/wo", "rk/main\""), MACHINE_PATHS[0]));
    assert!(!begins_path(concat!("see docs/wo", "rk/flow"), MACHINE_PATHS[0]));
}

/// Words of `text` that are foreign to core: as parts of a name, or as a whole name in any case.
fn foreign_words(text: &str) -> Vec<&'static str> {
    let parts = words_of(text);
    let whole: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let is_there = |word: &&str| parts.iter().chain(&whole).any(|part| part == word);
    FOREIGN_TO_CORE.into_iter().filter(is_there).collect()
}

/// Whether `line` holds `word` as a whole, in the case that matters: capitals are a marker, small letters prose.
fn has(line: &str, word: &str) -> bool {
    let is_marker = word.starts_with(char::is_uppercase);
    let line = if is_marker { line.to_owned() } else { line.to_lowercase() };
    find_word(&line, word).is_some()
}

/// Whether an absolute path that begins with `place` stands in `line`, not a relative one that happens to hold it.
fn begins_path(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '*' | '}'))
    })
}

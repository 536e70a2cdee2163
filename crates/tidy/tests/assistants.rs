//! Assistants are registered in one line: what else there is of one stands in its own crate and folder of data, so
//! that adding one touches nothing that the others need.

use tidy::{Offenders, SourceFile, find_word, read, source_files};

/// Where the list stands.
const LIST: &str = "crates/turnwise/src/assistant.rs";

/// How the list begins.
const BEGINNING: &str = "pub const ALL: [Kind;";

#[test]
fn an_assistant_is_named_in_one_list_and_in_its_own_crate() -> Result<(), String> {
    let names = registered(&read(LIST)?)?;
    let mut offenders = Offenders::none();
    for name in &names {
        let shell =
            |path: &str| path.starts_with("crates/turnwise/src/") || path.starts_with("crates/turnwise-assistant/");
        for file in source_files(shell)? {
            for (line, text) in naming(&file, name) {
                if file.path != LIST || !is_entry(text) {
                    offenders.add(&file.path, line, &format!("names `{name}`"));
                }
            }
        }
    }
    offenders.expect_none("ask `assistant::ALL` or `assistant::named`, and put what differs into `Kind`");
    Ok(())
}

#[test]
fn every_assistant_that_works_has_its_folder_of_data() -> Result<(), String> {
    let names = registered(&read(LIST)?)?;
    assert!(!names.is_empty(), "no assistant is registered");
    for name in names {
        for file in ["assistant.yaml", "exemplars.yaml"] {
            read(&format!("assistants/{name}/{file}"))?;
        }
    }
    Ok(())
}

#[test]
fn the_scanner_of_names_can_fail() {
    let text = "//! The analyst.\nuse crate::analyst::Analyst;\nfn a() { open(\"analyst\") }\n\
                #[schema(example = \"analyst\")]\nfn b() { told(\"an analyst\") }\n\
                #[cfg(test)]\nmod t { use analyst::A; }\n";
    let file = SourceFile::new("crates/turnwise/src/a.rs", text);
    let found = naming(&file, "analyst");
    assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(
        registered("pub const ALL: [Kind; 2] = [turnwise_one::KIND, turnwise_two::KIND];\n"),
        Ok(vec!["one".into(), "two".into()])
    );
    assert!(is_entry("[turnwise_one::KIND, turnwise_two::KIND];") && is_entry("turnwise_one::KIND,"));
    assert!(!is_entry("turnwise_one::KIND.name") && !is_entry("open(turnwise_one::KIND)"));
    assert!(registered("pub const SOME: [Kind; 1] = [turnwise_one::KIND];\n").is_err());
}

/// Whether a line is the list, or one of its lines, and nothing else.
fn is_entry(line: &str) -> bool {
    let entries =
        line.split_once('=').filter(|(before, _)| before.starts_with(BEGINNING)).map_or(line, |(_, list)| list);
    let entries = entries.trim_matches([' ', '[', ']', ';', ',']);
    entries.split(',').map(str::trim).all(|entry| entry.starts_with("turnwise_") && entry.ends_with("::KIND"))
}

/// The assistants in the list.
fn registered(text: &str) -> Result<Vec<String>, String> {
    let list =
        text.split_once(BEGINNING).and_then(|(_, rest)| rest.split_once('=')?.1.split_once('[')?.1.split_once(']'));
    let (list, _) = list.ok_or_else(|| format!("{LIST} has no list that begins with `{BEGINNING}`"))?;
    let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
    Ok(entries.filter_map(|entry| entry.strip_prefix("turnwise_")?.strip_suffix("::KIND")).map(str::to_owned).collect())
}

/// The lines of code that name `name`, as a word or as a text of its own. An example in the description of the API is
/// none.
fn naming<'a>(file: &'a SourceFile, name: &str) -> Vec<(usize, &'a str)> {
    let (text, own) = (format!("\"{name}\""), format!("turnwise_{name}"));
    let whole: Vec<&str> = file.text.lines().collect();
    let lines = file.code_lines().filter_map(|(line, code)| Some((line, code, whole.get(line - 1)?.trim())));
    lines
        .filter(|(_, code, line)| {
            [name, &own].iter().any(|name| find_word(code, name).is_some())
                || (!code.trim().is_empty() && line.contains(&text))
        })
        .filter(|(_, _, line)| !line.starts_with("#[schema("))
        .map(|(line, _, whole)| (line, whole))
        .collect()
}

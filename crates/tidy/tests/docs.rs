//! Documents: what they link to exists, the names they use are the code's, and the commands the README promises are
//! those that are run for every change.

use tidy::{Offenders, find_word, read, root, source_files, text_files};

/// Documents that speak of the code by its names. Where they disagree with it, one of the two is renamed.
const SPEAK_OF_CODE: [&str; 2] = ["ARCHITECTURE.md", "docs/glossary.md"];

#[test]
fn links_between_documents_lead_somewhere() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (path, text) in text_files(|path| path.ends_with(".md"))? {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, target) in numbered(&text, relative_links) {
            if !root().join(folder).join(&target).exists() {
                offenders.add(&path, line, &format!("links to `{target}`, which is not there"));
            }
        }
    }
    offenders.expect_none("correct the link, or write what it promises");
    Ok(())
}

#[test]
fn names_in_documents_are_names_in_the_code() -> Result<(), String> {
    let sources = source_files(|path| path.contains("/src/") && !path.starts_with("crates/tidy/"))?;
    let mut offenders = Offenders::none();
    for path in SPEAK_OF_CODE {
        for (line, name) in numbered(&read(path)?, code_names) {
            let last = name.rsplit("::").next().unwrap_or_default();
            if !sources.iter().any(|file| find_word(&file.code, last).is_some()) {
                offenders.add(path, line, &format!("`{name}` is nowhere in the code"));
            }
        }
    }
    offenders.expect_none("one concept, one noun: rename it here or there");
    Ok(())
}

#[test]
fn the_commands_of_the_readme_are_the_ones_that_are_run() -> Result<(), String> {
    let (readme, run) = (read("README.md")?, read(".ci/run")?);
    for command in ["cargo run --release -- chat --sample", "cargo test --workspace"] {
        assert!(readme.lines().any(|line| line == command), "the README should give `{command}` on a line of its own");
    }
    let without_lock = run.replace("--locked ", "").replace("--quiet ", "").replace("--ephemeral ", "");
    for command in ["cargo test --workspace", "cargo run --release -- ask --sample"] {
        assert!(without_lock.contains(command), "`.ci/run` should run `{command}`");
    }
    Ok(())
}

#[test]
fn the_scanners_of_documents_can_fail() {
    let text =
        "see [a](b/c.md#d), [e](https://f.g) and [h](#i)\n`RunId`, `a::Bee::c`, `turnwise`, `Cargo.toml`, `UPDATE=1`\n";
    assert_eq!(numbered(text, relative_links), [(1, "b/c.md".to_owned())]);
    assert_eq!(numbered(text, code_names), [(2, "RunId".to_owned()), (2, "a::Bee::c".to_owned())]);
}

/// What `find` finds in each line of `text`, with the line's number from 1.
fn numbered(text: &str, find: impl Fn(&str) -> Vec<String>) -> Vec<(usize, String)> {
    (1..).zip(text.lines()).flat_map(|(number, line)| find(line).into_iter().map(move |it| (number, it))).collect()
}

/// Targets of links within the repository, without what follows `#`.
fn relative_links(line: &str) -> Vec<String> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let within = targets.filter(|target| !target.contains("://") && !target.starts_with('#'));
    within.map(|target| target.split('#').next().unwrap_or_default().to_owned()).collect()
}

/// Names in backticks that are types, variants, or things reached through one: they hold a part in capitals.
fn code_names(line: &str) -> Vec<String> {
    let quoted = line.split('`').skip(1).step_by(2);
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_type = |part: &str| part.starts_with(char::is_uppercase) && part.contains(char::is_lowercase);
    let names = quoted.filter(|name| name.split("::").all(is_part) && name.split("::").any(is_type));
    names.map(str::to_owned).collect()
}

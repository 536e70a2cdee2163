//! Dependencies: what core and intent may not know is not even linked, and every dependency says why it is there.
//! The trees are asked of cargo itself; a list read from `Cargo.lock` would not know which features are on.

use std::collections::BTreeSet;
use std::process::Command;

use tidy::{Offenders, read, root, text_files};

/// All that core may be built from: serde and thiserror with what they derive by. A list of what is allowed, because
/// core is where every newcomer has to be argued for.
const CORE_MAY_USE: [&str; 10] = [
    "turnwise-core",
    "serde",
    "serde_core",
    "serde_derive",
    "thiserror",
    "thiserror-impl",
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
];

/// What makes a reader wait, look at the world, or decide otherwise on another machine; and untyped JSON.
const READER_MAY_NOT_USE: [&str; 30] = [
    "async-std",
    "async-trait",
    "axum",
    "chrono",
    "crossterm",
    "csv",
    "etcetera",
    "fastrand",
    "futures",
    "futures-core",
    "futures-util",
    "getrandom",
    "hyper",
    "jiff",
    "libsqlite3-sys",
    "mio",
    "parquet",
    "postgres",
    "rand",
    "ratatui",
    "reqwest",
    "rusqlite",
    "serde_json",
    "socket2",
    "sqlx",
    "tempfile",
    "time",
    "tokio",
    "tokio-postgres",
    "uuid",
];

#[test]
fn core_depends_on_nothing_but_serde_and_thiserror() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for name in tree("turnwise-core")?.into_iter().filter(|name| !CORE_MAY_USE.contains(&name.as_str())) {
        offenders.add("crates/turnwise-core/Cargo.toml", 1, &format!("`{name}` is in core's tree"));
    }
    offenders.expect_none("core takes time, ids and texts as values; do what needs this crate in the shell");
    Ok(())
}

#[test]
fn the_reader_depends_on_nothing_that_waits_or_looks_at_the_world() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for name in forbidden(&tree("turnwise-intent")?) {
        offenders.add("crates/turnwise-intent/Cargo.toml", 1, &format!("`{name}` is in the reader's tree"));
    }
    offenders.expect_none("the reader is pure computation; do what needs this crate in the shell");
    Ok(())
}

#[test]
fn the_shell_shows_that_the_trees_are_read_rightly() -> Result<(), String> {
    let shell = forbidden(&tree("turnwise")?);
    for expected in ["tokio", "rusqlite", "jiff"] {
        assert!(shell.contains(&expected), "`{expected}` should be found in the shell's tree, got {shell:?}");
    }
    Ok(())
}

#[test]
fn every_workspace_dependency_says_why_it_is_there() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (line, name) in unexplained(&read("Cargo.toml")?) {
        offenders.add("Cargo.toml", line, &format!("`{name}` has no word of why"));
    }
    offenders.expect_none("write a comment of one line above it, or above the group it stands in");
    Ok(())
}

#[test]
fn members_take_versions_from_the_workspace() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (path, text) in text_files(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml"))? {
        for (line, name) in own_versions(&text) {
            offenders.add(&path, line, &format!("`{name}` does not come from the workspace"));
        }
    }
    offenders.expect_none("declare it in the root Cargo.toml and write `name.workspace = true` here");
    Ok(())
}

#[test]
fn the_scanners_of_manifests_can_fail() {
    let manifest = "[workspace.dependencies]\nours = { path = \"a\" }\n\n# Why.\na = \"1\"\nb = \"1\"\n\nc = \"1\"\n\
                    [profile.dev]\nd = 1\n";
    assert_eq!(unexplained(manifest), [(8, "c".to_owned())]);
    let member = "[dependencies]\na.workspace = true\nb = { workspace = true }\nc = \"1\"\n[lints]\nworkspace = true\n";
    assert_eq!(own_versions(member), [(4, "c".to_owned())]);
}

/// The names of all crates that `package` is built from here, itself included.
fn tree(package: &str) -> Result<BTreeSet<String>, String> {
    let cargo = std::env::var("CARGO").map_err(|_| "run this test through cargo, which sets CARGO".to_owned())?;
    let arguments = ["tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"];
    let output = Command::new(cargo).args(arguments).args(["--format", "{p}"]).current_dir(root()).output();
    let output = output.map_err(|error| format!("cargo tree cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .filter(|name| !name.is_empty())
        .collect())
}

fn forbidden(tree: &BTreeSet<String>) -> Vec<&'static str> {
    READER_MAY_NOT_USE.into_iter().filter(|name| tree.contains(*name)).collect()
}

/// Entries of `[workspace.dependencies]` without a comment above them or their group; our own crates need none.
fn unexplained(manifest: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut inside, mut explained) = (false, false);
    for (number, line) in (1..).zip(manifest.lines().map(str::trim)) {
        if line.starts_with('[') {
            (inside, explained) = (line == "[workspace.dependencies]", false);
        } else if line.is_empty() {
            explained = false;
        } else if line.starts_with('#') {
            explained = true;
        } else if inside && !explained && !line.contains("path = ") {
            found.extend(line.split_once(" = ").map(|(name, _)| (number, name.to_owned())));
        }
    }
    found
}

/// Entries of a member's dependency tables that carry a version of their own.
fn own_versions(manifest: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(manifest.lines().map(str::trim)) {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if inside && !line.starts_with('#') && !line.contains("workspace = true") {
            found.extend(line.split_once('=').map(|(name, _)| (number, name.trim().to_owned())));
        }
    }
    found
}

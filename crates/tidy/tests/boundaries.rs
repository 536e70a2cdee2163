//! Boundaries: what ARCHITECTURE.md says about who may know whom, read from the code. Tests inside `src` are left out:
//! a test may put together what the code keeps apart.

use tidy::{ModulePath, Offenders, SourceFile, crate_paths, find_word, source_files, text_files};

/// Names that make code wait, look at the world, or iterate in an order that changes from run to run.
const IMPURE: [&str; 16] = [
    "async",
    ".await",
    "Instant",
    "SystemTime",
    "UNIX_EPOCH",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "HashMap",
    "HashSet",
    "RandomState",
    "println!",
    "eprintln!",
];

/// Who may name whom inside the shell: a module, and the modules of the crate it may name besides itself. A module that
/// is not listed (`cli`, which ties everything together) may name all.
const MAY_NAME: [(&str, &[&str]); 7] = [
    ("outgoing", &[]),
    ("telemetry", &["outgoing"]),
    ("store", &[]),
    ("assistant", &[]),
    // A proof is drawn without control characters of the data; no other thing of a surface concerns it.
    ("proof", &["store", "channel"]),
    ("driver", &["store", "telemetry"]),
    ("channel", &["driver", "outgoing", "telemetry"]),
];

/// Our crates, each with those of ours that it may be built from. An assistant knows what an assistant is, and neither
/// the engine, nor a surface, nor another assistant.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("turnwise-core", &[]),
    ("turnwise-intent", &["turnwise-core"]),
    ("turnwise-chart", &["turnwise-core"]),
    ("turnwise-model", &[]),
    ("turnwise-acp", &[]),
    ("turnwise-assistant", &["turnwise-core", "turnwise-intent", "turnwise-model"]),
    (
        "turnwise-analyst",
        &[
            "turnwise-core",
            "turnwise-intent",
            "turnwise-model",
            "turnwise-assistant",
            "turnwise-chart",
            "turnwise-source",
        ],
    ),
    ("turnwise-source", &["turnwise-core", "turnwise-assistant"]),
    ("turnwise-coder", &["turnwise-core", "turnwise-intent", "turnwise-model", "turnwise-assistant", "turnwise-acp"]),
    ("turnwise-copilot", &["turnwise-core", "turnwise-intent", "turnwise-model", "turnwise-assistant"]),
    ("turnwise-tickets", &["turnwise-core", "turnwise-intent", "turnwise-assistant"]),
    ("turnwise-companion", &["turnwise-core", "turnwise-intent", "turnwise-model", "turnwise-assistant"]),
];

/// Modules that know nothing of each other, each with the parent it stands in: the surfaces. What else stands in
/// `channel` is shared by the surfaces and knows none of them either.
const PEERS: [(&str, &[&str]); 1] =
    [("channel", &["terminal", "line", "http", "web", "remote", "slack", "editor", "mcp"])];

/// Crates of storage and reading that a channel has no business with.
const NOT_IN_CHANNELS: [&str; 9] = [
    "rusqlite",
    "parquet",
    "csv",
    "turnwise_intent",
    "turnwise_analyst",
    "turnwise_coder",
    "turnwise_copilot",
    "turnwise_tickets",
    "rten",
];

#[test]
fn core_and_reader_are_pure() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| is_in(path, "turnwise-core") || is_in(path, "turnwise-intent"))? {
        for (line, name) in impurities(&file) {
            offenders.add(&file.path, line, &format!("`{name}`"));
        }
    }
    offenders.expect_none("core and reader take time, texts and ids as values and never wait; do this in the shell");
    Ok(())
}

#[test]
fn modules_of_the_shell_keep_their_distance() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| is_in(path, "turnwise"))? {
        let module = module_of(&file.path);
        for path in crate_paths(&file, &module).into_iter().filter(|path| !may_name(&module, path)) {
            offenders.add(&file.path, path.line, &format!("names `{}`", path.parts.join("::")));
        }
    }
    offenders.expect_none("see the invariants of ARCHITECTURE.md: pass it in as a value or trait, or move it");
    Ok(())
}

#[test]
fn crates_are_built_from_those_beneath_them_alone() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for (path, text) in text_files(|path| path.starts_with("crates/turnwise-") && path.ends_with("/Cargo.toml"))? {
        let name = path.split('/').nth(1).unwrap_or_default();
        let allowed = MAY_USE.iter().find(|(of, _)| *of == name).map(|(_, allowed)| *allowed);
        let allowed = allowed.ok_or_else(|| format!("`{name}` is not listed: say in MAY_USE what it may know"))?;
        for (line, used) in ours(&text).into_iter().filter(|(_, used)| !allowed.contains(&used.as_str())) {
            offenders.add(&path, line, &format!("uses `{used}`"));
        }
    }
    offenders.expect_none("pass it in as a value or trait, or move it to the crate both stand on");
    Ok(())
}

#[test]
fn channels_do_not_read_data_or_storage() -> Result<(), String> {
    let mut offenders = Offenders::none();
    for file in source_files(|path| path.starts_with("crates/turnwise/src/channel/"))? {
        for (line, code) in file.code_lines() {
            for name in NOT_IN_CHANNELS.into_iter().filter(|name| find_word(code, &format!("{name}::")).is_some()) {
                offenders.add(&file.path, line, &format!("names the crate `{name}`"));
            }
        }
    }
    offenders.expect_none("a channel parses what people do and draws cards; everything else goes through the driver");
    Ok(())
}

#[test]
fn the_purity_scanner_can_fail() {
    let text =
        "use std::collections::HashMap;\n/// async\nasync fn a() { b().await }\n#[cfg(test)]\nmod t { use std::fs; }\n";
    let found = impurities(&SourceFile::new("crates/turnwise-core/src/a.rs", text));
    assert_eq!(found, [(1, "HashMap"), (3, "async"), (3, ".await")]);
}

#[test]
fn the_scanner_of_crates_can_fail() {
    let manifest = "[package]\nname = \"turnwise-a\"\n[dependencies]\nturnwise-core.workspace = true\nserde = \"1\"\n\
                    turnwise = { workspace = true }\n[dev-dependencies]\nturnwise-b.workspace = true\n";
    assert_eq!(ours(manifest), [(4, "turnwise-core".to_owned()), (6, "turnwise".to_owned())]);
}

#[test]
fn the_distance_rule_can_fail() {
    let check = |path: &str, named: &str| {
        let parts = named.split("::").map(str::to_owned).collect();
        may_name(&module_of(path), &ModulePath { parts, line: 1 })
    };
    let terminal = "crates/turnwise/src/channel/terminal/screen.rs";
    assert!(check(terminal, "driver::Driver"));
    assert!(check(terminal, "channel::terminal::input"));
    assert!(check(terminal, "channel::Surface"), "what all channels share");
    assert!(!check(terminal, "channel::line::prompt"), "another surface");
    assert!(check(terminal, "channel::draw::Line"), "every channel may draw");
    assert!(!check("crates/turnwise/src/channel/draw/card.rs", "channel::terminal::input"), "drawing knows no channel");
    assert!(!check(terminal, "store::Store"));
    assert!(!check(terminal, "channel::web::page"));
    assert!(!check("crates/turnwise/src/driver/mod.rs", "assistant::ALL"), "one assistant of several");
    assert!(check("crates/turnwise/src/cli/chat.rs", "assistant::ALL"));
}

/// Crates of ours that a manifest takes, with the line; those for tests alone are left out.
fn ours(manifest: &str) -> Vec<(usize, String)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(manifest.lines().map(str::trim)) {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if inside && line.starts_with("turnwise") {
            found.extend(line.split(['.', ' ']).next().map(|name| (number, name.to_owned())));
        }
    }
    found
}

fn is_in(path: &str, package: &str) -> bool {
    path.starts_with(&format!("crates/{package}/src/"))
}

fn impurities(file: &SourceFile) -> Vec<(usize, &'static str)> {
    let lines = file.code_lines();
    lines
        .flat_map(|(line, code)| IMPURE.into_iter().filter(|n| find_word(code, n).is_some()).map(move |n| (line, n)))
        .collect()
}

/// The module a file of the shell is, as parts from the crate's root.
fn module_of(path: &str) -> Vec<String> {
    let inside = path.split("/src/").nth(1).unwrap_or_default().trim_end_matches(".rs");
    let parts = inside.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
    parts.map(str::to_owned).collect()
}

/// Whether code of `module` may name `path`.
fn may_name(module: &[String], path: &ModulePath) -> bool {
    let (Some(from), Some(to)) = (module.first(), path.parts.first()) else { return true };
    let peers = PEERS.iter().find(|(parent, _)| parent == to).map_or(&[][..], |(_, peers)| peers);
    let peer = path.parts.get(1).filter(|part| peers.contains(&part.as_str()));
    if from == to {
        // The parent itself lists its own; below it, a peer may be named by nobody but itself.
        return module.len() == 1 || peer.is_none() || peer == module.get(1);
    }
    let Some((_, allowed)) = MAY_NAME.iter().find(|(name, _)| name == from) else { return true };
    allowed.contains(&to.as_str()) && peer.is_none()
}

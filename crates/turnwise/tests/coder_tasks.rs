//! Twenty tasks on three real repositories, without a model: the sources of crates this workspace is built from,
//! copied, committed, changed through the real program as a person would have them changed, and taken back. Each says
//! which files change and what the diff holds, or what is told where nothing changes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod code;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use code::{Repository, holds};

/// Of each task the crate, what is said, the files that change by it, and what the diff or, where none change, the
/// reply holds.
const TASKS: [(&str, &str, &[&str], &[&str]); 20] = [
    ("strsim", "rename flat_index to index_of", &["src/lib.rs"], &["+fn index_of(i: usize"]),
    (
        "shlex",
        "please rename the function parse_word to read_word in src/bytes.rs",
        &["src/bytes.rs"],
        &["+    fn read_word(&mut self"],
    ),
    (
        "slab",
        "Rename the field vacant_list_broken to has_broken_list",
        &["src/builder.rs"],
        &["+    has_broken_list: bool", "+                self.has_broken_list = true"],
    ),
    ("shlex", "fix the typo \"erroneous\" -> \"malformed\" in src/lib.rs", &["src/lib.rs"], &["+/// malformed."]),
    // It takes itself back in the middle: nothing is guessed.
    (
        "strsim",
        "in README.md \"Differing\" is spelled wrong, no wait: fix the typo Differing to Different in src/lib.rs",
        &[],
        &["takes a language model", "correct a spelling you name"],
    ),
    (
        "slab",
        "replace \"invalid key\" with \"no such key\" in src/lib.rs",
        &["src/lib.rs"],
        &["+        self.try_remove(key).expect(\"no such key\")"],
    ),
    (
        "shlex",
        "change `cannot shell-quote string containing nul byte` to `a nul byte cannot be quoted`",
        &["src/lib.rs"],
        &["=> f.write_str(\"a nul byte cannot be quoted\")"],
    ),
    (
        "strsim",
        "add an import of std::collections::BTreeMap to src/lib.rs",
        &["src/lib.rs"],
        &["+use std::collections::BTreeMap;"],
    ),
    ("slab", "import core::cmp::Ordering in src/builder.rs", &["src/builder.rs"], &["+use core::cmp::Ordering;"]),
    (
        "shlex",
        "add a comment \"Reads one word.\" above parse_word in src/bytes.rs",
        &["src/bytes.rs"],
        &["Reads one word.\n     fn parse_word("],
    ),
    (
        "strsim",
        "add the comment \"row-major order\" above the function flat_index",
        &["src/lib.rs"],
        &["row-major order\n fn flat_index("],
    ),
    ("shlex", "format src/lib.rs", &["src/lib.rs"], &["+    if shl.had_error {"]),
    ("slab", "create notes/todo.md with \"check the docs\"", &["notes/todo.md"], &["+check the docs"]),
    // The quotation is opened and never closed: that is no text for a file.
    ("strsim", "create a file NOTES.txt with the text ```", &[], &["takes a language model"]),
    (
        "slab",
        "where is recreate_vacant_list defined?",
        &[],
        &["src/lib.rs:480: ", "fn recreate_vacant_list(&mut self)"],
    ),
    ("slab", "who calls recreate_vacant_list?", &[], &["src/builder.rs:51: slab.recreate_vacant_list();"]),
    ("shlex", "what does unquoted_ok do?", &[], &["src/bytes.rs:245: ", "const fn unquoted_ok(c: u8) -> bool"]),
    ("strsim", "which functions are in src/lib.rs?", &[], &["src/lib.rs:221: function jaro_winkler"]),
    (
        "slab",
        "/plan rename Builder to PairBuilder and then run `git status --short`",
        &["src/builder.rs", "src/lib.rs", "src/serde.rs"],
        &["+pub(crate) struct PairBuilder<T> {"],
    ),
    ("shlex", "extract the loop of parse_double into a function of its own", &[], &["takes a language model"]),
];

/// The folder of a crate's sources as cargo keeps them, in the version that is locked.
fn sources(name: &str) -> Option<PathBuf> {
    let lock = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock")).unwrap();
    let (_, behind) = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).unwrap();
    let version = behind.split('"').next().unwrap();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    registries.flatten().map(|it| it.path().join(format!("{name}-{version}"))).find(|path| path.is_dir())
}

/// The files that changed, and how.
fn changed(repository: &Repository) -> (BTreeSet<String>, String) {
    repository.git(&["add", "-A", "--intent-to-add"]);
    let names = repository.git(&["diff", "--name-only"]).lines().map(str::to_owned).collect();
    let diff = repository.git(&["diff"]);
    repository.git(&["reset", "-q"]);
    (names, diff)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}

/// What is wrong with how a task ended; none where it is done right and taken back wholly.
fn wrong(sources: &Path, said: &str, files: &[&str], holds: &[&str]) -> Option<String> {
    let repository = Repository::of(|path| copy(sources, path));
    let shown = repository.talk(&[said]);
    if !repository.git(&["status", "--short"]).is_empty() {
        return Some(format!("something was written before the yes:\n{shown}"));
    }
    let told = repository.talk(&[said, "y"]);
    let (names, diff) = changed(&repository);
    if names != files.iter().map(|name| (*name).to_owned()).collect() {
        return Some(format!("it changed {names:?}:\n{told}"));
    }
    let searched = if files.is_empty() { &told } else { &diff };
    if let Some(missing) = holds.iter().find(|text| !searched.contains(*text)) {
        return Some(format!("“{missing}” is missing:\n{told}\n{diff}"));
    }
    let undone = repository.talk(&["undo", "y"]);
    let left = repository.git(&["status", "--short"]);
    (!left.is_empty()).then(|| format!("undoing left {left}:\n{undone}"))
}

#[test]
fn tasks_on_real_repositories_are_done_right_and_taken_back_wholly() {
    let mut misses = Vec::new();
    for (name, said, files, holds) in TASKS {
        let Some(sources) = sources(name) else {
            eprintln!("SKIPPED: the sources of {name} are not in cargo's folder");
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "the sources of {name} are not in cargo's folder");
            return;
        };
        misses.extend(wrong(&sources, said, files, holds).map(|why| format!("{name}: {said}\n{why}")));
    }
    assert!(misses.is_empty(), "{} of {} tasks went wrong:\n{}", misses.len(), TASKS.len(), misses.join("\n\n"));
}

#[test]
fn behind_run_make_and_go_are_programs() {
    let repository = Repository::of(|path| std::fs::write(path.join("Makefile"), "test:\n\ttrue\n").unwrap());
    for (said, told) in [
        ("/run make test", "`make test`"),
        ("/run go test ./...", "go"),
        ("/run make the button blue", "takes a language model"),
        ("make test go away", "takes a language model"),
    ] {
        let shown = repository.talk(&[said]);
        holds(&shown, &[told]);
        assert_eq!(shown.contains("takes a language model"), told.starts_with("takes"), "{shown}");
    }
}

#[test]
fn an_order_said_twice_changes_nothing_and_an_edit_comes_before_the_commands() {
    let repository =
        Repository::of(|path| std::fs::write(path.join("a.rs"), "struct Cart;\n\nfn one(_: Cart) {}\n").unwrap());
    let told = repository.talk(&["rename Cart to Basket", "rename Cart to Basket"]);
    assert!(!told.contains("There is no “Cart”"), "{told}");
    let told = repository.talk(&["rename Cart to Basket, then run `git status`", "also rename one to two", "y"]);
    holds(&told, &["Rename Cart to Basket, then Rename one to two", "`git status` ended well"]);
    holds(&repository.read("a.rs"), &["fn two(_: Basket)"]);
}

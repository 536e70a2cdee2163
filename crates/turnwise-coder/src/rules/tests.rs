//! Orders made into diffs on real files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use super::*;
use crate::edit::{Draft, Proposal};
use crate::workspace::Workspace;

/// A workspace with these files.
fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let workspace = Workspace::open(folder.path()).unwrap();
    (folder, workspace)
}

/// What a message makes of files.
struct Made {
    /// Those that change, each with its new content.
    files: Vec<(String, String)>,
    notes: Vec<String>,
}

/// What `message` would make of the files.
fn made(workspace: &Workspace, message: &str) -> Result<Made, Trouble> {
    made_of(workspace, &orders(message).unwrap_or_else(|| panic!("{message} is no order")))
}

fn made_of(workspace: &Workspace, wishes: &[Wish]) -> Result<Made, Trouble> {
    let mut draft = Draft::new(workspace);
    let mut notes = Vec::new();
    for wish in wishes {
        notes.extend(make(workspace, &mut draft, wish)?.notes);
    }
    let paths = Proposal::of(&draft).paths();
    let files = paths.iter().map(|path| (path.to_string(), draft.content(path).unwrap())).collect();
    Ok(Made { files, notes })
}

#[track_caller]
pub(super) fn check(files: &[(&str, &str)], message: &str, expected: &[(&str, &str)]) -> Vec<String> {
    let (_folder, workspace) = workspace(files);
    let Made { files, notes } = made(&workspace, message).unwrap();
    let found: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(found, expected, "{message}");
    notes
}

/// The same, where it was asked which of several things is meant and `place` was answered.
#[track_caller]
pub(super) fn check_answered(
    files: &[(&str, &str)],
    place: &str,
    message: &str,
    expected: &[(&str, &str)],
) -> Vec<String> {
    let (_folder, workspace) = workspace(files);
    let mut wishes = orders(message).unwrap();
    for wish in &mut wishes {
        if let Wish::Rename { meant, .. } = wish {
            if place == "all" { meant.all = true } else { meant.place = Some(place.to_owned()) }
        }
    }
    let Made { files, notes } = made_of(&workspace, &wishes).unwrap();
    let found: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(found, expected, "{message}");
    notes
}

#[track_caller]
pub(super) fn refused(files: &[(&str, &str)], message: &str, told: &str) {
    let (_folder, workspace) = workspace(files);
    let trouble = made(&workspace, message).err().unwrap();
    assert!(format!("{trouble:?}").contains(told), "{message}: {trouble:?}");
}

#[test]
fn a_rename_changes_names_everywhere_and_says_what_it_leaves_and_what_is_taken() {
    let files = [
        ("src/a.rs", "/// Calls foo.\nfn foo() {}\nfn b() { foo(); food(); }\n"),
        ("src/b.py", "def foo():\n    return \"foo\"\n\ndef bar():\n    pass\n"),
        ("README.md", "foo is a function\n"),
    ];
    refused(&files, "rename foo to bar", "(\"src/b.py:1:5\", \"function foo, src/b.py:1\")");
    refused(&files, "rename foo to bar in src/b.py", "“bar” is there already in the same place: src/b.py:4");
    let nested =
        [files[0], ("src/b.py", "def foo():\n    return \"foo\"\n\nclass A:\n    def bar(self):\n        pass\n")];
    let notes = check(
        &nested,
        "rename foo to bar in src/b.py",
        &[("src/b.py", "def bar():\n    return \"foo\"\n\nclass A:\n    def bar(self):\n        pass\n")],
    );
    let notes = notes.join("\n");
    assert!(notes.contains("taken already in these files: src/b.py:5"), "{notes}");
    assert!(notes.contains("Comments and texts stay as they are: src/b.py:2"), "{notes}");
    check(
        &files,
        "rename foo to bar in src/a.rs",
        &[("src/a.rs", "/// Calls foo.\nfn bar() {}\nfn b() { bar(); food(); }\n")],
    );
    refused(&files, "rename frob to bar", "There is no “frob” in the code");
    refused(&[("a.rs", "// foo\n")], "rename foo to bar", "only in comments and texts: a.rs:1");
}

#[test]
fn a_replacement_takes_whole_words_and_quotations_as_they_are() {
    let files = [("a.js", "var x = 1; // variable\r\nvar y = \"a var\";\r\n"), ("b.md", "a+b (c)\n")];
    check(
        &files,
        "replace var with const in a.js",
        &[("a.js", "const x = 1; // variable\r\nconst y = \"a const\";\r\n")],
    );
    check(&files, "replace \"+b (\" with \"-b [\"", &[("b.md", "a-b [c)\n")]);
    refused(&files, "replace \"Var x\" with \"y\"", "near is a.js:1");
    refused(&files, "replace nothing_here with x", "does not stand in the workspace");
    refused(&files, "fix the typo “teh” in b.md", "RightWord");
    // A folder of which nothing is seen is no leave to go everywhere.
    let hidden = [(".gitignore", "dist/\n"), ("dist/a.js", "var\n"), ("b.js", "var\n")];
    for order in ["replace var with const in the dist folder", "rename var to let_it in the dist folder"] {
        refused(&hidden, order, "There is no file “dist” in the workspace.");
    }
}

#[test]
fn an_import_stands_behind_the_imports_that_are_there() {
    let rust = "//! A.\n\nuse std::fmt;\n\nfn a() {}\n";
    check(
        &[("a.rs", rust)],
        "add an import for std::io to a.rs",
        &[("a.rs", "//! A.\n\nuse std::fmt;\nuse std::io;\n\nfn a() {}\n")],
    );
    check(
        &[("a.py", "\"\"\"A.\"\"\"\n\nx = 1\n")],
        "add an import for os to a.py",
        &[("a.py", "\"\"\"A.\"\"\"\nimport os\n\nx = 1\n")],
    );
    check(&[("a.py", "import os\n")], "import path from os in a.py", &[("a.py", "import os\nfrom os import path\n")]);
    check(
        &[("a.tsx", "const x = 1;\n")],
        "add an import of useState from react to a.tsx",
        &[("a.tsx", "import { useState } from \"react\";\nconst x = 1;\n")],
    );
    check(
        &[("a.go", "package a\n\nfunc A() {}\n")],
        "add an import for fmt to a.go",
        &[("a.go", "package a\nimport \"fmt\"\n\nfunc A() {}\n")],
    );
    let notes = check(
        &[("a.rs", "use core::fmt::Write;\n")],
        "import std::io::Write in a.rs",
        &[("a.rs", "use core::fmt::Write;\nuse std::io::Write;\n")],
    );
    assert_eq!(notes, ["Something is called “Write” in a.rs:1 already, and two of that name may not fit"]);
    refused(&[("a.py", "import os\n")], "import os in a.py", "stands in a.py:1 already");
    refused(&[("a.py", "")], "add an import for os", "Where");
}

#[test]
fn an_import_that_is_said_as_it_is_written_is_taken_as_it_is() {
    for (file, said, line) in [
        ("n.ts", "import React from 'react' in n.ts", "import React from 'react'"),
        ("n.ts", "import React from react in n.ts", "import { React } from \"react\";"),
        ("m.ts", "import { useState, add } from \"react\" in m.ts", "import { useState, add } from \"react\""),
        ("m.ts", "import * as fs from 'fs' in m.ts", "import * as fs from 'fs'"),
        ("m.ts", "import type { A } from './a' in m.ts", "import type { A } from './a'"),
        ("a.py", "import numpy as np in a.py", "import numpy as np"),
        ("a.rs", "add the import \"use std::collections::HashMap\" to a.rs", "use std::collections::HashMap;"),
        ("a.rs", "add the import \"use std::fmt;\" to a.rs", "use std::fmt;"),
        ("a.rs", "add an import of \"pub use std::fmt\" to a.rs", "pub use std::fmt;"),
    ] {
        check(&[(file, "\n")], said, &[(file, &format!("{line}\n\n"))]);
    }
    refused(&[("a.rs", "")], "import numpy as np in a.rs", "is no import as a.rs could have it");
    refused(&[("a.py", "")], "add the import \"use std::fmt\" to a.py", "is no import as a.py could have it");
}

#[test]
fn a_comment_stands_above_what_it_is_about_and_a_new_file_is_made_once() {
    let rust = "mod m {\n    fn next() {}\n}\n";
    check(
        &[("a.rs", rust)],
        "add a comment \"Never zero.\" above the function next",
        &[("a.rs", "mod m {\n    // Never zero.\n    fn next() {}\n}\n")],
    );
    check(
        &[("a.py", "x = 1\ny = 2\n")],
        "add the comment \"two\" to line 2 of a.py",
        &[("a.py", "x = 1\n# two\ny = 2\n")],
    );
    refused(&[("a.py", "x = 1\n")], "add the comment \"two\" to line 9 of a.py", "has 1 lines");
    refused(&[("a.rs", "fn b() {}\n")], "add a comment \"x\" above none_such", "no definition of “none_such”");
    check(&[], "create a file src/new.py with the text \"x = 1\"", &[("src/new.py", "x = 1\n")]);
    refused(&[("a.py", "")], "create an empty file a.py", "is there already");
    refused(&[], "create an empty file ../a.py", "leads out of the workspace");
    refused(&[], "create an empty file .git/hooks/post-commit", "left alone");
}

#[test]
fn a_name_that_several_files_have_is_asked_about_and_one_that_none_has_is_told() {
    let files = [("a/util.py", "x = 1\n"), ("b/util.py", "x = 2\n")];
    refused(&files, "rename x to y in util.py", "WhichFile");
    refused(&files, "rename x to y in none.py", "There is no file “none.py”");
    refused(&files, "rename x to y in ../util.py", "leads out of the workspace");
}

#[test]
fn what_holds_a_text_and_cannot_be_read_is_said() {
    let long = format!("total = 1\n{}", "x".repeat(2_000_000));
    let files = [("a.py", "total = 1\n"), ("b.py", "other = 1\n"), ("big.py", long.as_str())];
    let after = [("a.py", "whole = 1\n")];
    let told = "“total” stays in what cannot be changed here: “big.py” has 3 MB; files of up to 2 MB are read";
    assert!(check(&files, "replace total with whole", &after).contains(&told.to_owned()));
    assert!(check(&files, "rename total to whole", &after).contains(&told.to_owned()));
    refused(
        &files,
        "replace total with whole in big.py",
        "stands only in what cannot be changed here: “big.py” has 3 MB",
    );
    refused(&files, "rename total to whole in big.py", "“big.py” has 3 MB");
    let notes = check(&files, "replace total with whole in a.py and b.py", &after);
    assert_eq!(notes, ["“total” does not stand in b.py"]);
}

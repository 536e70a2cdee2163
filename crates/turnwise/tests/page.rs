//! The page in a real browser: runs the tests of `page/` with Node and a headless Chromium over the built binary, so
//! that what people click is what is tested. Without them it says that it was skipped; on a CI machine that is a
//! failure. Next: `page/harness.mjs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod node;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Chromium is, by the usual names.
const CHROMIUMS: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    named.or_else(|| CHROMIUMS.iter().map(PathBuf::from).find(|path| path.exists()))
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|ran| ran.status.success())
}

/// The files of tests, in the order of their names.
fn tests(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    names.sort();
    names
}

#[test]
fn the_page_works_in_a_browser() {
    let found = match (chromium(), has("node") && has("npm")) {
        (None, _) => Err("there is no Chromium here (apt-get install chromium)".to_owned()),
        (_, false) => Err("there is no Node.js with npm here".to_owned()),
        (Some(chromium), true) => node::prepared("page").map(|folder| (chromium, folder)),
    };
    let (chromium, folder) = match found {
        Ok(found) => found,
        Err(missing) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "the page cannot be tested: {missing}");
            println!("skipped: {missing}");
            return;
        }
    };
    let ran = Command::new("node")
        // One file after the other: what the tests wait for must not wait for other tests.
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .args(tests(&folder))
        .current_dir(&folder)
        .env("TURNWISE", env!("CARGO_BIN_EXE_turnwise"))
        .env("CHROMIUM", chromium)
        .env("SHOTS", folder.join("shots"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    println!("{told}");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

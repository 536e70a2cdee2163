//! The coder through the real program, in real repositories: questions answered with their places, changes shown as a
//! diff and written only after a yes, whole or not at all, and taken back again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod code;

use std::path::Path;

use code::{Repository, edits, holds};

/// A repository with two files and a README.
fn shop() -> Repository {
    Repository::of(|path| {
        std::fs::create_dir_all(path.join("src")).unwrap();
        std::fs::write(path.join("src/lib.rs"), LIB).unwrap();
        std::fs::write(path.join("src/shop.rs"), SHOP).unwrap();
        std::fs::write(path.join("README.md"), "# Shop\n\nIt will recieve orders.\n").unwrap();
    })
}

const LIB: &str = "//! A shop.\n\npub mod shop;\n\npub use shop::total;\n";
const SHOP: &str = "/// Adds up what is in the basket.\npub fn total(prices: &[u32]) -> u32 {\n    \
                    prices.iter().sum()\n}\n\nfn twice(prices: &[u32]) -> u32 {\n    total(prices) * 2\n}\n";

#[test]
fn questions_are_answered_with_file_and_line_and_change_nothing() {
    let repository = shop();
    let told = repository.talk(&[
        "where is total defined?",
        "who calls total",
        "what does twice do?",
        "show me README.md",
        "what changed in the last commit",
        "where is frobnicate_all defined?",
    ]);
    holds(
        &told,
        &[
            "src/shop.rs:2: function total: pub fn total(prices: &[u32]) -> u32",
            "Adds up what is in the basket.",
            "src/shop.rs:7: total(prices) * 2",
            "src/lib.rs:5: pub use shop::total;",
            "6 | fn twice(prices: &[u32]) -> u32 {",
            "3 | It will recieve orders.",
            "Ada: first",
            "There is no “frobnicate_all”",
        ],
    );
    assert_eq!(repository.git(&["status", "--short"]), "");
}

/// Two things called total, and a call of which nobody can tell whose it is.
fn carts() -> Repository {
    Repository::of(|path| {
        std::fs::create_dir_all(path.join("src")).unwrap();
        std::fs::write(path.join("src/lib.rs"), CARTS).unwrap();
    })
}

const CARTS: &str = "pub struct Cart;\n\nimpl Cart {\n    pub fn total(&self) -> u8 {\n        1\n    }\n}\n\n\
                     pub struct Bill;\n\nimpl Bill {\n    pub fn total(&self) -> u8 {\n        2\n    }\n}\n\n\
                     pub fn sums(cart: &Cart, made: impl Fn() -> Cart) -> u8 {\n    cart.total()\n        \
                     + made().total()\n        + made().total()\n}\n";

#[test]
fn places_that_may_be_another_name_are_listed_apart_and_taken_in_when_it_is_said() {
    let repository = carts();
    let shown = repository.talk(&["rename Cart::total to sum"]);
    holds(&shown, &["2 places that may be another “total” stay: src/lib.rs:19, src/lib.rs:20", "(src/lib.rs: +2 −2)"]);
    let one = repository.talk(&["rename Cart::total to sum", "also src/lib.rs:20"]);
    holds(&one, &["(src/lib.rs: +3 −3)", "1 place that may be another “total” stays: src/lib.rs:19"]);
    let all = repository.talk(&["rename Cart::total to sum", "all of them"]);
    holds(&all, &["(src/lib.rs: +4 −4)"]);
    assert_eq!(repository.git(&["status", "--short"]), "", "what is taken in is shown before it is written");
    // Which of two is asked, and an answer by its number counts.
    let asked = repository.talk(&["rename total to sum", "1"]);
    holds(
        &asked,
        &[
            "There are 2 things called “total”. Which do you mean?",
            "method Cart::total, src/lib.rs:4",
            "method Bill::total, src/lib.rs:12",
            "Rename total to sum (src/lib.rs: +2 −2)",
        ],
    );
    let done = repository.talk(&["rename Cart::total to sum", "all of them", "y"]);
    holds(&done, &["Applied to src/lib.rs:4"]);
    let diff = repository.git(&["diff"]);
    holds(&diff, &["+    cart.sum()", "+        + made().sum()", "+    pub fn sum(&self)"]);
}

#[test]
fn a_rename_is_shown_as_a_diff_written_after_a_yes_and_taken_back() {
    let repository = shop();
    let shown = repository.talk(&["rename total to sum_of"]);
    holds(
        &shown,
        &[
            "Rename total to sum_of (2 files: +3 −3)",
            "--- a/src/shop.rs",
            "-pub fn total(prices: &[u32]) -> u32 {",
            "+pub fn sum_of(prices: &[u32]) -> u32 {",
            "+    sum_of(prices) * 2",
        ],
    );
    assert_eq!(repository.git(&["status", "--short"]), "", "nothing is written before the yes");
    let done = repository.talk(&["rename total to sum_of", "y"]);
    holds(&done, &["Applied to 2 files: src/lib.rs:5, src/shop.rs:2. “undo” takes it back."]);
    let diff = repository.git(&["diff"]);
    holds(&diff, &["+pub use shop::sum_of;", "+pub fn sum_of(prices", "+    sum_of(prices) * 2"]);
    holds(&repository.talk(&["show me the diff"]), &["M src/shop.rs", "+pub fn sum_of(prices"]);
    assert_eq!(repository.git(&["status", "--short"]), " M src/lib.rs\n M src/shop.rs\n");
    // Another process, another conversation: what can be taken back is on the disk.
    let waits = repository.talk(&["undo"]);
    holds(&waits, &["Take back “Rename total to sum_of” (2 files: +3 −3)", "+pub fn total(prices"]);
    assert_ne!(repository.git(&["diff"]), "", "undoing is approved like any change");
    let undone = repository.talk(&["undo", "y", "undo"]);
    holds(&undone, &["Taken back in 2 files", "There is no change of mine in this workspace"]);
    assert_eq!(repository.git(&["diff"]), "");
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn an_import_a_format_and_a_new_file_are_written_after_a_yes_and_each_taken_back() {
    let repository = shop();
    std::fs::write(repository.path().join("src/odd.rs"), "fn  odd( ){  }\n").unwrap();
    repository.git(&["add", "."]);
    repository.git(&["commit", "-q", "-m", "odd"]);
    for (order, told, file, text) in [
        ("add an import of std::fmt to src/shop.rs", "Applied to src/shop.rs:1.", "src/shop.rs", "use std::fmt;\n"),
        ("format src/odd.rs", "Applied to src/odd.rs:1.", "src/odd.rs", "fn odd() {}\n"),
        ("create file notes.txt with \"hello there\"", "Applied to notes.txt:1.", "notes.txt", "hello there\n"),
        (
            "add a comment \"basket\" above total in src/shop.rs",
            "Applied to src/shop.rs:",
            "src/shop.rs",
            "// basket\n",
        ),
    ] {
        holds(&repository.talk(&[order]), &["Run it?"]);
        assert_eq!(repository.git(&["status", "--short"]), "", "{order}: nothing is written before the yes");
        holds(&repository.talk(&[order, "y"]), &[told]);
        assert!(repository.read(file).contains(text), "{order}: {}", repository.read(file));
        holds(&repository.talk(&["undo", "y"]), &["Taken back in"]);
        assert_eq!(repository.git(&["status", "--short"]), "", "{order}: taken back");
    }
}

#[test]
fn a_no_writes_nothing_and_a_change_of_the_proposal_makes_another_diff() {
    let repository = shop();
    let told = repository.talk(&["rename total to sum_of", "n"]);
    assert_eq!(repository.git(&["status", "--short"]), "", "{told}");
    let told = repository.talk(&["rename total to sum_of", "call it add_up instead", "y"]);
    holds(&told, &["version 2", "Applied to 2 files"]);
    holds(&repository.read("src/shop.rs"), &["pub fn add_up("]);
    assert!(!repository.read("src/shop.rs").contains("sum_of"));
    let told = repository.talk(&["rename add_up to total", "only in src/shop.rs", "y"]);
    holds(&told, &["Rename add_up to total (src/shop.rs: +2 −2)", "Applied to src/shop.rs:2."]);
    holds(&repository.read("src/lib.rs"), &["add_up"]);
}

#[test]
fn what_leads_out_of_the_workspace_is_refused_with_one_sentence() {
    let repository = shop();
    std::fs::write(repository.folder.path().join("secret.txt"), "the secret\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(repository.folder.path(), repository.path().join("away")).unwrap();
    for said in [
        "show me ../secret.txt",
        "replace \"secret\" with \"x\" in ../secret.txt",
        "create a file ../new.txt with the text \"x\"",
        "replace \"secret\" with \"x\" in /etc/hosts.txt",
        #[cfg(unix)]
        "show me away/secret.txt",
    ] {
        let told = repository.talk(&[said, "y"]);
        holds(&told, &["leads out of the workspace; name a file by its path inside it"]);
        assert!(!told.contains("the secret"), "{told}");
    }
    assert!(!repository.folder.path().join("new.txt").exists());
    let told = repository.talk(&["create a file .git/hooks/pre-commit with the text \"x\"", "y"]);
    holds(&told, &["belongs to git or to this program"]);
    assert!(!repository.path().join(".git/hooks/pre-commit").exists());
}

/// Between the plan and the yes somebody else writes to one of two files: neither is changed.
#[test]
fn a_file_that_changed_between_plan_and_yes_refuses_all_of_it() {
    let repository = shop();
    let kept = repository.folder.path().join("kept.db");
    let kept = kept.to_str().unwrap();
    let asked = repository
        .turnwise(&["ask", "--db", kept, "--assistant", "coder", "--workspace", "shop", "rename total to sum_of"], "");
    assert_eq!(asked.status.code(), Some(3), "{}", String::from_utf8_lossy(&asked.stdout));
    std::fs::write(repository.path().join("src/shop.rs"), format!("{SHOP}\n// mine\n")).unwrap();
    let waits = repository.turnwise(&["pending", "--json", "--db", kept], "").stdout;
    let waits: serde_json::Value = serde_json::from_slice(&waits).unwrap();
    let reference = waits[0]["reference"].as_str().unwrap().to_owned();
    let approved = repository.turnwise(&["approve", "--db", kept, &reference], "");
    let told = String::from_utf8_lossy(&approved.stdout).into_owned();
    assert_eq!(approved.status.code(), Some(1), "{told}");
    holds(&told, &["stale_context: “src/shop.rs” changed since this was proposed, so nothing was written"]);
    assert_eq!(repository.read("src/lib.rs"), LIB);
    assert_eq!(repository.read("src/shop.rs"), format!("{SHOP}\n// mine\n"));
}

#[test]
fn what_is_missing_is_asked_in_the_words_that_are_settled_for_it() {
    let repository = shop();
    let told = repository.talk(&["fix this"]);
    holds(&told, &["What file or component are you referring to?", "Specify file path", "Cancel"]);
    let told = repository.talk(&["explain the basket and fix it"]);
    holds(&told, &["Do you want a fix, an explanation, or a plan?", "Explain only", "Create a plan"]);
    // What turned out to be a question is answered, and nothing is planned or open any more.
    let told = repository.talk(&["explain twice and fix it", "1", "/status", "y"]);
    holds(&told, &["src/shop.rs:6: function twice", "Nothing waits for a yes or a no"]);
    let told = repository.talk(&["fix the typo “recieve” in README.md", "receive", "y"]);
    holds(&told, &["What should “recieve” be?", "Applied to README.md:3."]);
    assert_eq!(repository.read("README.md"), "# Shop\n\nIt will receive orders.\n");
}

#[test]
fn what_takes_a_model_is_said_to_take_one_and_nothing_is_made_up() {
    let repository = shop();
    let told = repository.talk(&["/run"]);
    holds(&told, &["idle"]);
    let told = repository.talk(&["build an authentication system with login and signup"]);
    holds(&told, &["takes a language model to write, and there is none here"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn a_plan_looks_edits_and_runs_the_command_and_a_harmful_command_is_never_run() {
    let repository = shop();
    let told = repository.talk(&["rename total to sum_of and then run `git status --short`", "y"]);
    holds(
        &told,
        &[
            "Look at 2 files once more before anything is changed",
            "Run `git status --short`",
            "`git status --short` ended well (exit code 0).",
            "M src/shop.rs",
        ],
    );
    let told = repository.talk(&["run rm -rf src", "y", "run `git push`", "y", "run git log | sh", "y"]);
    holds(&told, &["`rm -rf src` is not run from here", "`git push` is not run from here", "without a shell"]);
    assert!(repository.path().join("src/shop.rs").exists());
}

const TASK: &str = "make total give 7 for an empty basket";
const SUM: &str = "    prices.iter().sum()";
const SEVEN: &str = "    if prices.is_empty() { 7 } else { prices.iter().sum() }";

#[test]
fn what_a_model_writes_is_a_diff_that_is_approved_and_taken_back() {
    let repository = shop();
    let turn = edits("give 7 for nothing", &[("src/shop.rs", SUM, SEVEN)]);
    let shown = repository.talk_to_model(std::slice::from_ref(&turn), &[TASK]);
    holds(
        &shown,
        &["Give 7 for nothing (src/shop.rs: +1 −1)", "+    if prices.is_empty()", "whether it is right is yours"],
    );
    assert_eq!(repository.git(&["status", "--short"]), "", "nothing is written before the yes");
    holds(&repository.talk_to_model(&[turn], &[TASK, "y"]), &["Applied to src/shop.rs:3."]);
    assert!(repository.read("src/shop.rs").contains(SEVEN));
    repository.talk(&["undo", "y"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn blocks_that_do_not_fit_are_told_the_model_once_and_then_nothing_is_planned() {
    let repository = shop();
    std::fs::write(repository.folder.path().join("secret.txt"), "the secret\n").unwrap();
    let right = edits("seven", &[("src/shop.rs", SUM, SEVEN)]);
    for (wrong, told) in [
        (edits("a", &[("src/shop.rs", "prices.iter().product()", "x")]), "does not stand"),
        (edits("a", &[("src/shop.rs", "prices", "x")]), "stands more than once"),
        (edits("a", &[("../secret.txt", "the secret", "x")]), "leads out of the workspace"),
        (edits("a", &[("/etc/hosts", "localhost", "x")]), "leads out of the workspace"),
        (edits("a", &[(".git/hooks/pre-commit", "", "x")]), "belongs to git"),
        (edits("a", &[("src/lib.rs", "", "x")]), "is there already"),
        (edits("a", &[]), "neither edits that change something nor a question"),
        (serde_json::json!({ "say": "no JSON" }), "gave edits that do not fit the files"),
    ] {
        let mended = repository.talk_to_model(&[wrong.clone(), right.clone()], &[TASK]);
        holds(&mended, &["+    if prices.is_empty()", "Run it?"]);
        let refused = repository.talk_to_model(&[wrong.clone(), wrong], &[TASK, "y"]);
        holds(&refused, &["gave edits that do not fit the files", told, "Nothing was changed"]);
        assert_eq!(repository.git(&["status", "--short"]), "", "{told}");
    }
    let blind = repository.talk_with(&["--model", "scripted:turns.json"], &[TASK]);
    holds(&blind, &["`--model-sees rows` allows it"]);
}

#[test]
fn more_than_a_small_change_is_a_plan_and_more_than_a_plan_asks_first() {
    let repository = shop();
    let four: Vec<(String, String)> = (0..4).map(|n| (format!("src/new{n}.rs"), format!("// {n}\n"))).collect();
    let four: Vec<(&str, &str, &str)> = four.iter().map(|(name, text)| (name.as_str(), "", text.as_str())).collect();
    let told = repository.talk_to_model(&[edits("four files", &four)], &[TASK]);
    holds(&told, &["With 4 files and 4 lines this is more than a small change, so it is a plan", "Look at 4 files"]);
    let long = "// x\n".repeat(1_001);
    let long = edits("a long file", &[("src/long.rs", "", &long)]);
    let told = repository.talk_to_model(&[long], &[TASK]);
    holds(
        &told,
        &["This changes 1 file and 1001 lines; a plan changes up to 10 files and 1000 lines", "Do all of it?"],
    );
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn what_is_no_task_of_its_own_is_about_the_plan_that_waits() {
    let repository = three();
    for said in ["1", "not in comments", "in capitals"] {
        let told = repository.talk(&["rename total to sum_up", said, "y"]);
        assert!(!told.contains("takes the place of"), "{said}: {told}");
        holds(&told, &["is no change that can be made to this without a model", "Applied to a.rs:1"]);
        repository.git(&["checkout", "-q", "."]);
    }
    let told = repository.talk(&["rename total to sum_up", "and run `git status`", "y"]);
    holds(&told, &["version 2", "`git status` ended well"]);
    holds(&repository.read("a.rs"), &["fn sum_up()"]);
    repository.git(&["checkout", "-q", "."]);
    let told = repository.talk(&["rename total to sum_up", "is it safe?", "where is Cart defined?", "y"]);
    assert!(!told.contains("proposal: {"), "{told}");
    holds(&told, &["Step 1 changes something: Rename total to sum_up (a.rs: +3 −3).", "a.rs:21: struct Cart"]);
}

/// Three places of one name, far enough from each other that each is a hunk.
fn three() -> Repository {
    let three = "fn total() -> u8 {\n    4\n}\n\n// one\n// two\n// three\n\nfn a() -> u8 {\n    total()\n}\n\n\
                 // one\n// two\n// three\n\nfn b() -> u8 {\n    total()\n}\n\nstruct Cart;\n";
    Repository::of(|path| std::fs::write(path.join("a.rs"), three).unwrap())
}

#[test]
fn what_was_left_out_or_written_otherwise_stays_so_whatever_is_changed_next() {
    let repository = three();
    let chosen = ["rename total to sum_up", "hunk 2 should be ```    return 5```", "drop hunk 1"];
    for (next, comes) in [
        ("call it total_up", "+    total_up()"),
        ("also rename Cart to Basket", "+struct Basket;"),
        ("also replace \"4\" with \"7\"", "+    7"),
    ] {
        let told = repository.talk(&[&chosen[..], &[next]].concat());
        let last = told.rsplit("version 4").next().unwrap();
        holds(last, &["+    return 5", comes, "Left out, as you said: a.rs:1", "Written as you said: a.rs:10"]);
        assert!(!last.contains("-fn total"), "{next}: {last}");
    }
    repository.talk(&[&chosen[..], &["call it total_up", "y"]].concat());
    let diff = repository.git(&["diff"]);
    assert!(diff.contains("+    return 5") && !diff.contains("-fn total"), "{diff}");
    // What is taken in by its line is not left out any more.
    let told = repository.talk(&["rename total to sum_up", "drop hunk 1", "also a.rs:1"]);
    holds(told.rsplit("version 3").next().unwrap(), &["+fn sum_up()"]);
    // What does not fit any more is said to be back.
    repository.git(&["checkout", "-q", "."]);
    let turn = |text: &str| edits("two", &[("a.rs", "    4\n", text)]);
    let told = repository.talk_to_model(
        &[
            turn("    5\n"),
            edits(
                "two",
                &[
                    ("a.rs", "fn total() -> u8 {\n    4\n}", "fn total() -> u8 { 5 }"),
                    ("a.rs", "struct Cart;", "struct Basket;"),
                ],
            ),
        ],
        &["make the whole shop better", "hunk 1 should be ```    6```", "and make it shorter as well"],
    );
    holds(&told, &["Written as you said: a.rs:2", "no longer fits and is as the order makes it: a.rs:2"]);
}

#[test]
fn what_a_plan_says_of_all_places_is_not_said_any_more_where_hunks_are_left_out() {
    let told = three().talk(&["replace \"total\" with \"sum\"", "drop hunk 2"]);
    let (first, second) = told.split_once("version 2").unwrap();
    holds(first, &["All 3 places are meant"]);
    assert!(!second.contains("places are meant"), "{second}");
    holds(second, &["Left out, as you said: a.rs:10"]);
}

#[test]
fn hunks_are_dropped_kept_and_written_otherwise_without_asking_again() {
    let repository = shop();
    let turn = edits("two", &[("src/shop.rs", SUM, SEVEN), ("src/lib.rs", "//! A shop.", "//! A good shop.")]);
    let told = repository.talk_to_model(&[turn], &[TASK, "drop hunk 1", "y"]);
    holds(&told, &["hunk 2", "version 2", "Applied to src/shop.rs:3."]);
    assert_eq!(repository.git(&["status", "--short"]), " M src/shop.rs\n");
    repository.talk(&["undo", "y"]);
    let told =
        repository.talk(&["rename total to sum_of", "only hunk 2", "hunk 1 should be ```pub fn added_up(```", "n"]);
    holds(&told, &["Rename total to sum_of (src/shop.rs: +1 −1)", "+pub fn added_up("]);
    let told = repository.talk(&["rename total to sum_of", "drop hunk 9"]);
    holds(&told, &["there is no hunk 9; the diff has 3 hunks"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn a_failed_command_leads_to_a_fix_that_is_shown_and_approved() {
    let repository = shop();
    let fix = edits("say so", &[("README.md", "recieve", "receive")]);
    let order = "replace \"# Shop\" with \"# The shop\" in README.md and then run `grep -q receive README.md`";
    let told = repository.talk_to_model(&[fix], &[order, "y", "4", "y"]);
    holds(&told, &["failed with exit code 1", "Propose a fix", "Say so (README.md: +1 −1)", "Applied to README.md:3."]);
    assert_eq!(repository.read("README.md"), "# The shop\n\nIt will receive orders.\n");
    // Without anything that could work one out, that is said, and the ways on stay open.
    let alone = repository.talk(&["run `grep -q neither README.md`", "y", "propose a fix"]);
    holds(&alone, &["Nothing here can work out a fix: that takes a language model"]);
}

#[test]
fn files_of_a_folder_are_listed_and_parts_of_other_types_keep_their_names() {
    let repository = shop();
    holds(&repository.talk(&["list the files in src"]), &["2 files:", "src/lib.rs", "src/shop.rs"]);
    std::fs::write(repository.path().join("src/shop.rs"), "pub struct Total;\nfn a(_: Total) { Kind::Total; }\n")
        .unwrap();
    let told = repository.talk(&["rename Total to Sum", "y"]);
    holds(&told, &["Another “Total” stays as it is: src/shop.rs:2"]);
    assert_eq!(repository.read("src/shop.rs"), "pub struct Sum;\nfn a(_: Sum) { Kind::Total; }\n");
}

#[test]
fn files_texts_and_lines_are_found_by_what_is_said_of_them() {
    let repository = shop();
    let check = |question: &str, all: &[&str]| holds(&repository.talk(&[question]), all);
    check("search for \"pub fn\"", &["“pub fn” stands in 1 line of 1 file:", "src/shop.rs:2: pub fn total("]);
    check("search for total in src/lib.rs", &["“total” stands in 1 line of 1 file:\nsrc/lib.rs:5: pub use"]);
    check("grep -n \"basket\" src", &["src/shop.rs:1: /// Adds up"]);
    check("search for \"frobnicate\"", &["“frobnicate” stands nowhere in the workspace."]);
    check("which files mention total?", &["“total” stands in 2 files:\nsrc/lib.rs\nsrc/shop.rs"]);
    check("find files named shop", &["1 file:\nsrc/shop.rs"]);
    check("find files with read in their name", &["1 file:\nREADME.md"]);
    check("contents of src", &["2 files:", "src/shop.rs"]);
    check("read README.md", &["README.md has 3 lines.", "3 | It will recieve orders."]);
    check("show me lines 2-3 of src/shop.rs", &["src/shop.rs:2-3, in function total:\n2 | pub fn", "3 |     prices"]);
    check("show src/shop.rs:7", &["src/shop.rs:7-7, in function twice:\n7 |     total(prices) * 2"]);
    check("show lines 90-99 of README.md", &["README.md has 3 lines, so there is no line 90."]);
    check("go to the definition of twice", &["src/shop.rs:6: function twice"]);
    check("callers of total", &["src/shop.rs:7: total(prices) * 2"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn undo_is_a_command_too_and_refuses_where_a_file_went_on() {
    let repository = shop();
    let told = repository.talk(&["/do replace \"recieve\" with \"receive\" in README.md", "y", "/undo", "y", "/undo"]);
    holds(&told, &["Take back “Replace", "It is as it was before.", "There is no change of mine"]);
    assert!(repository.read("README.md").contains("recieve"));
    repository.talk(&["fix the typo recieve in README.md, it should be receive", "y"]);
    std::fs::write(repository.path().join("README.md"), "# Shop\n\nIt went on.\n").unwrap();
    let told = repository.talk(&["/undo", "y"]);
    holds(&told, &["is not taken back: “README.md” was changed since", "stale_context"]);
    assert_eq!(repository.read("README.md"), "# Shop\n\nIt went on.\n");
    holds(&repository.talk(&["/help"]), &["/undo"]);
    holds(&repository.talk(&["run `sudo ls`"]), &["`sudo ls` is not run from here"]);
}

#[test]
fn a_key_that_means_nothing_is_refused_by_name() {
    let repository = shop();
    std::fs::write(repository.folder.path().join("turnwise.yaml"), "assistants: {coder: {workers: {}}}\n").unwrap();
    holds(&repository.talk(&["hello"]), &["line 1: there is no setting `workers`", "did you mean `worker`?"]);
}

#[test]
fn a_project_a_folder_and_who_made_it_are_told_without_a_model() {
    let repository = shop();
    let told = repository.talk(&["what is this project about?"]);
    holds(&told, &["README.md:1: # Shop", "README.md:3: It will recieve orders.", "3 files, of them 2 .rs and 1 .md."]);
    holds(&repository.talk(&["what's in src?"]), &["2 files:", "src/lib.rs", "src/shop.rs"]);
    holds(&repository.talk(&["who wrote this?"]), &["Ada: first"]);
    std::fs::write(repository.path().join("src/kinds.rs"), "/// One.\n///\n/// # Examples\nenum Entry {}\n").unwrap();
    let told = repository.talk(&["where is the entry type defined?"]);
    holds(&told, &["src/kinds.rs:4: enum Entry: enum Entry {}\n  One.\n"]);
    let told = repository.talk(&["which function reads an entry?"]);
    assert!(!told.contains("enum Entry:"), "{told}");
    let twice = "mod a {\n    fn one() {}\n}\nmod b {\n    fn one() {}\n}\n";
    std::fs::write(repository.path().join("src/twice.rs"), twice).unwrap();
    let told = repository.talk(&["add a comment \"checked\" above one in src/twice.rs"]);
    holds(&told, &["“one” is defined on lines 2 and 5; say which, as in “above line 2”."]);
    let told = repository.talk(&["add a comment \"checked\" above line 2 in src/twice.rs", "y"]);
    holds(&told, &["Applied to src/twice.rs:2."]);
}

#[test]
fn of_several_readmes_the_one_nearest_to_the_top_speaks_for_the_project() {
    let repository = Repository::of(|path| {
        for (name, title) in [("z/deep/README.md", "Deep"), ("b/readme.txt", "Second"), ("a/ReadMe.md", "First")] {
            let path = path.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("# {title}\n\nIt sells.\n")).unwrap();
        }
    });
    let told = repository.talk(&["what is this project about?"]);
    holds(&told, &["a/ReadMe.md:1: # First", "a/ReadMe.md:3: It sells."]);
    std::fs::write(repository.path().join("README"), "The whole.\n").unwrap();
    std::fs::write(repository.path().join("README.md"), "# Top\n\nAll of it.\n").unwrap();
    holds(&repository.talk(&["what is this project about?"]), &["README:1: The whole."]);
}

/// A process that died in the middle of a change leaves both files old for the next one, which says so.
#[test]
fn a_change_that_was_interrupted_is_put_right_at_the_next_start() {
    let repository = shop();
    repository.talk(&["rename total to sum_of", "y"]);
    let changes = repository.path().join(".turnwise/changes");
    let change = only(&changes);
    // As it was before its last act, with one of two files in place.
    std::fs::rename(change.join("applied.json"), change.join("applying.json")).unwrap();
    std::fs::write(repository.path().join("src/lib.rs"), LIB).unwrap();
    assert_ne!(repository.git(&["diff"]), "");
    let told = repository.talk(&["what changed?"]);
    holds(&told, &["“Rename total to sum_of” had been interrupted, and the files are as they were before it."]);
    assert_eq!(repository.git(&["diff"]), "");
}

fn only(folder: &Path) -> std::path::PathBuf {
    std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

/// A file that is named as an exception is never what is changed.
#[test]
fn files_that_are_excepted_stay_as_they_are() {
    let repository = shop();
    for order in [
        "rename total to amount in all files but shop.rs",
        "rename total to amount in all files except src/shop.rs",
        "rename total to amount in lib.rs, not shop.rs",
        "rename total to amount in src/lib.rs but not in src/shop.rs",
        "rename total to amount, leave src/shop.rs alone",
        "replace total with amount in every file other than shop.rs",
    ] {
        let told = repository.talk(&[order, "y"]);
        holds(&told, &["Applied to src/lib.rs:5."]);
        assert_eq!(repository.read("src/shop.rs"), SHOP, "{order}: {told}");
        assert!(repository.read("src/lib.rs").contains("shop::amount"), "{order}: {told}");
        repository.git(&["checkout", "-q", "."]);
    }
    for left_out in ["not in src/lib.rs", "don't touch src/lib.rs"] {
        let told = repository.talk(&["rename total to sum_of", left_out, "y"]);
        holds(&told, &["Rename total to sum_of (src/shop.rs: +2 −2)", "Applied to src/shop.rs:2."]);
        assert_eq!(repository.read("src/lib.rs"), LIB, "{left_out}");
        repository.git(&["checkout", "-q", "."]);
    }
    for within in ["within `src/lib.rs`", "only in src/lib.rs", "in only src/lib.rs, thank you very much"] {
        let told = repository.talk(&[&format!("rename total to amount {within}"), "y"]);
        holds(&told, &["Applied to src/lib.rs:5."]);
        repository.git(&["checkout", "-q", "."]);
    }
    for all in ["in src", "in the src folder", "in all modules", "for us"] {
        let told = repository.talk(&[&format!("rename total to amount {all}")]);
        holds(&told, &["2 files", "Run it?"]);
    }
}

/// What stands behind the names and is not understood refuses the order: without it more would be changed.
#[test]
fn a_limit_that_is_not_understood_is_named_and_nothing_is_planned() {
    let repository = shop();
    for (order, words) in [
        ("rename total to amount in the comments of src/shop.rs", "in the comments"),
        ("replace total with amount in the class Cart in src/shop.rs", "in the class Cart"),
        ("replace total with amount in src/shop.rs, only in comments", "only in comments"),
        ("rename total to amount in src/shop.rs? no", "no"),
        ("rename total to amount in src/shop.rs but in src/lib.rs", "but"),
        ("rename total to amount in src/shop.rs:7", "in src/shop.rs:7"),
        ("rename total to amount, only in comments", "only in comments"),
    ] {
        let told = repository.talk(&[order, "y"]);
        holds(&told, &[&format!("“{words}” is not understood here, so nothing was planned.")]);
        assert!(!told.contains("Run it?"), "{order}: {told}");
    }
    // A function is a place; one without that name is told with where it is.
    let told = repository.talk(&["rename total to amount in the function twice in src/shop.rs", "y"]);
    holds(&told, &["There is no such “total” in twice; there is function total (src/shop.rs:2)."]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
fn nothing_is_renamed_to_a_word_of_its_language() {
    let repository = shop();
    std::fs::write(repository.path().join("app.py"), "def add():\n    pass\n").unwrap();
    for (order, word) in
        [("rename total to fn", "fn"), ("rename twice to Self", "Self"), ("rename `add` to `class`", "class")]
    {
        let told = repository.talk(&[order, "y"]);
        holds(&told, &[&format!("“{word}” is a word of the language itself")]);
        assert!(!told.contains("Run it?"), "{order}: {told}");
    }
    let told = repository.talk(&["rename total to sum_of", "call it match", "n"]);
    holds(&told, &["“match” is a word of the language itself"]);
    // What is a word of another language is a name here.
    holds(&repository.talk(&["rename add to fn"]), &["+def fn():", "Run it?"]);
}

#[test]
fn hunks_are_kept_where_all_others_are_dropped_and_a_denial_drops_none() {
    let repository = shop();
    for kept in ["drop all but hunk 1", "drop everything except hunk 1"] {
        let told = repository.talk(&["rename total to sum_of", kept, "y"]);
        holds(&told, &["version 2", "Applied to src/lib.rs:5."]);
        assert_eq!(repository.read("src/shop.rs"), SHOP, "{kept}: {told}");
        repository.git(&["checkout", "-q", "."]);
    }
    for denied in ["don't drop hunk 1", "do not keep hunk 1"] {
        let told = repository.talk(&["rename total to sum_of", denied]);
        holds(&told, &["is no change that can be made to this"]);
        assert!(!told.contains("version 2"), "{denied}: {told}");
    }
    for asked in ["does hunk 2 remove the import?", "should I keep hunk 2?"] {
        let told = repository.talk(&["rename total to sum_of", asked]);
        assert!(!told.contains("version 2"), "{asked}: {told}");
    }
    let told = repository.talk(&["rename total to sum_of", "drop hunks 1-2"]);
    holds(&told, &["version 2", "Rename total to sum_of (src/shop.rs: +1 −1)"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

/// The mark of an encoding stays the first letter of its file.
#[test]
fn a_comment_and_an_import_stand_behind_the_mark_of_an_encoding() {
    let repository = shop();
    for (order, text) in [
        ("add a comment \"hi\" to line 1 of bom.py", "\u{feff}# hi\nx = 1\n"),
        ("add an import for os to bom.py", "\u{feff}import os\nx = 1\n"),
    ] {
        std::fs::write(repository.path().join("bom.py"), "\u{feff}x = 1\n").unwrap();
        let told = repository.talk(&[order, "y"]);
        assert_eq!(repository.read("bom.py"), text, "{order}: {told}");
    }
}

/// A change of blanks alone is seen before it is approved.
#[test]
fn blanks_that_differ_are_drawn() {
    let repository = shop();
    std::fs::write(repository.path().join("tabs.txt"), "a\tb\n").unwrap();
    holds(&repository.talk(&["replace \"a\tb\" with \"a b\" in tabs.txt"]), &["-a→b", "+a·b"]);
}

#[test]
fn what_stands_behind_a_command_is_carried_by_it() {
    let repository = shop();
    let run = repository.talk(&["/run git status --short"]);
    holds(&run, &["Run `git status --short`", "Run it?"]);
    let run = repository.talk(&["/run `./no-such-program`"]);
    assert!(!run.contains("takes a language model"), "{run}");
    let run = repository.talk(&["/run rename total to sum_of in src"]);
    holds(&run, &["Rename total to sum_of", "Run it?"]);
    let plan = repository.talk(&["/plan rename total to sum_of"]);
    holds(&plan, &["Look at 2 files once more", "Rename total to sum_of"]);
    let small = repository.talk(&["/edit rename total to sum_of"]);
    assert!(small.contains("(1 step)"), "{small}");
    let asked = repository.talk(&["/ask where is total defined", "/chat what does twice do?"]);
    holds(&asked, &["src/shop.rs:2: function total", "6 | fn twice(prices: &[u32])"]);
    assert_eq!(repository.git(&["status", "--short"]), "");
}

#[test]
#[cfg(unix)]
fn what_can_be_done_with_a_run_stands_on_one_card() {
    let repository = shop();
    // A run that failed: its ways on, by number and by word, and what a command adds to it is the answer.
    let failed = repository.talk(&["run git show no-such-thing", "y", "/run", "/run abort"]);
    holds(&failed, &["failed", "1 Try again", "3 Start over", "Given up."]);
    let again = repository.talk(&["run git show no-such-thing", "y", "resume", "abort"]);
    holds(&again, &["Given up."]);
    assert_eq!(again.matches("✗ step 1").count(), 2, "{again}");
    // One that waits between its steps.
    let said = ["/plan replace \"recieve\" with \"receive\" in README.md and run git status --short", "y"];
    let paused = repository.talk(&[&["/flow approval_mode after_step"][..], &said, &["/run", "2"]].concat());
    holds(&paused, &["Paused before", "1 Resume: go on with what is left", "2 Abort: end the run"]);
}

#[test]
fn the_commands_that_all_assistants_have_work_for_the_coder() {
    let repository = shop();
    let told = repository.talk(&[
        "run git status --short",
        "y",
        "/facts",
        "/facts show command_1",
        "/queue",
        "/status",
        "/why",
        "/flow pause_enabled off",
        "/reset",
        "/facts",
        "/queue drop",
    ]);
    holds(
        &told,
        &[
            "1 fact held:",
            "= `git status --short` ended well (exit code 0).",
            "Nothing is queued.",
            "1 fact held; /facts lists them",
            "\"/status\" → control.status",
            "In this conversation from now on: runs cannot be paused.",
            "Everything of this conversation is forgotten",
            "No facts yet",
        ],
    );
}

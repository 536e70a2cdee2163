//! Looking things up: what a question asks of the code, and the places that answer it. Names are looked for as the
//! grammar knows them, files by their path, the history in git, and all else by the words of the question. Next:
//! `answer`.

use turnwise_assistant::place::FilePath;
use turnwise_core::{Surroundings, text};
use turnwise_intent::behaviour::coder::files_in;

use super::names::{Named, Names};
use super::places;
use super::{counted, find, overview, since};
use crate::workspace::git::{Commit, GitError};
use crate::workspace::{Found, Search, Workspace};

/// Answers a question, or says plainly why not; and says where it rests on a part of the workspace.
pub(crate) fn look(workspace: &Workspace, question: &str, around: &Surroundings) -> Result<String, String> {
    let looked = looked(workspace, question, around);
    let left_out = workspace.left_out().filter(|_| files_in(question).is_empty());
    let Some(left_out) = left_out else { return looked };
    let with = |told: String| format!("{told}\n{}", left_out.told());
    looked.map(with).map_err(with)
}

fn looked(workspace: &Workspace, question: &str, around: &Surroundings) -> Result<String, String> {
    let words = text::words(question);
    let asked = Asked { words: words.iter().map(String::as_str).collect() };
    if let Some(found) = find::by_name(workspace, question).or_else(|| find::text(workspace, question)) {
        return Ok(found);
    }
    if let Some(told) = since::told(workspace, question, file_in(workspace, question).as_ref()) {
        return told;
    }
    let mut files = named_files(workspace, question)?;
    if let Some(lines) = find::lines(workspace, question, files.first().or(open_file(workspace, around).as_ref())) {
        return lines;
    }
    if let Some(history) = history(workspace, &asked, &files, around) {
        return history.map_err(|error| format!("{}.", text::capital(&error.to_string())));
    }
    if asked.has_any(&["todo", "todos", "fixme", "fixmes"]) {
        return todos(workspace, &scope(workspace, &files));
    }
    if files.is_empty() && overview::is_asked_for(&asked.words) {
        return Ok(overview::told(workspace));
    }
    let counted = counted::tests(workspace, &asked.words, &scope(workspace, &files));
    if let Some(told) = counted.or_else(|| counted::giving(workspace, question, &scope(workspace, &files))) {
        return Ok(told);
    }
    let names = Names::of(workspace, question, &files);
    if let Some(name) = names.first() {
        return of_name(workspace, name, &asked, &files);
    }
    let folder = if files.is_empty() { named_folder(workspace, question, &asked) } else { Vec::new() };
    let is_folder = !folder.is_empty();
    files.extend(folder);
    if let Some(list) = listing(workspace, &asked, &files, is_folder) {
        return Ok(list);
    }
    if files.is_empty() && asked.has_any(&["this", "it", "here", "selection", "selected"]) {
        if let Some(selected) = places::selected(workspace, around) {
            return Ok(selected);
        }
        files.extend(open_file(workspace, around));
    }
    if let [path] = files.as_slice() {
        return places::of_file(workspace, path, asked.has_any(&["show", "print", "open", "read"]));
    }
    if let Some(unknown) = names.unknown {
        return Err(places::unknown(workspace, &unknown));
    }
    places::by_words(workspace, &words, &scope(workspace, &files))
}

/// The one file of the workspace that a question names.
fn file_in(workspace: &Workspace, question: &str) -> Option<FilePath> {
    files_in(question).iter().find_map(|name| match workspace.find(name) {
        Ok(Found::One(path)) => Some(path),
        _ => None,
    })
}

/// The words of a question.
struct Asked<'a> {
    words: Vec<&'a str>,
}

impl Asked<'_> {
    fn has_any(&self, wanted: &[&str]) -> bool {
        self.words.iter().any(|word| wanted.contains(word))
    }

    fn says(&self, phrase: &[&str]) -> bool {
        self.words.windows(phrase.len()).any(|window| window == phrase)
    }
}

/// The files a question names. One that leads out of the workspace refuses the question.
fn named_files(workspace: &Workspace, question: &str) -> Result<Vec<FilePath>, String> {
    let mut files = Vec::new();
    for name in files_in(question) {
        match workspace.find(&name) {
            Ok(Found::One(path)) => files.push(path),
            Ok(Found::Many(paths)) => files.extend(paths),
            Ok(Found::Ambiguous(paths)) => {
                let names: Vec<String> = paths.iter().take(SHOWN_MAX).map(ToString::to_string).collect();
                return Err(format!("Several files are called “{name}”: {}. Say which.", names.join(", ")));
            }
            Ok(Found::Nothing) => return Err(format!("There is no file “{name}” in the workspace.")),
            Err(error) => return Err(crate::rules::sentence(&error.to_string())),
        }
    }
    Ok(files)
}

/// The files of a folder that a question about files, or about nothing but the folder, names by its path alone.
fn named_folder(workspace: &Workspace, question: &str, asked: &Asked<'_>) -> Vec<FilePath> {
    let words: Vec<&str> =
        question.split_whitespace().map(|word| word.trim_matches(['?', '.', ',', '`', '"', '/'])).collect();
    let is_bare = asked.words.iter().filter(|word| !FILE_WORDS.contains(word)).count() <= 1;
    let is_about_files = is_bare || words.iter().any(|word| matches!(*word, "files" | "modules"));
    let is_folder =
        |word: &&&str| FilePath::new(word).is_ok_and(|path| workspace.place(&path).is_ok_and(|it| it.is_dir()));
    let folder = words.iter().filter(|_| is_about_files).find(is_folder);
    let found = folder.and_then(|word| workspace.find(word).ok());
    found.map(|found| found.files().to_vec()).unwrap_or_default()
}

/// The files that are looked through.
fn scope(workspace: &Workspace, files: &[FilePath]) -> Vec<FilePath> {
    if files.is_empty() { workspace.files() } else { files.to_vec() }
}

/// The file that lies open in front.
fn open_file(workspace: &Workspace, around: &Surroundings) -> Option<FilePath> {
    let found = around.front().and_then(|name| workspace.find(name).ok())?;
    found.files().first().cloned()
}

fn history(
    workspace: &Workspace,
    asked: &Asked<'_>,
    files: &[FilePath],
    around: &Surroundings,
) -> Option<Result<String, GitError>> {
    let file = files.first();
    let about_last = asked.says(&["last", "commit"]) || asked.says(&["latest", "commit"]);
    if about_last {
        return Some(last_commit(workspace));
    }
    let who = asked.has_any(&["who"]) && asked.has_any(&WHO_VERBS);
    let is_of_all = asked.words.iter().all(|word| WHO_WORDS.contains(word) || WHO_VERBS.contains(word));
    if (who && (file.is_some() || is_of_all)) || asked.has_any(&["commits", "history"]) || asked.says(&["git", "log"]) {
        let told = |commits: Vec<Commit>| match commits.is_empty() {
            true => "Nothing is committed yet.".to_owned(),
            false => commits.iter().map(commit).collect::<Vec<_>>().join("\n"),
        };
        let points = asked.has_any(&["this", "it"]) && !asked.has_any(&WHOLE);
        let open = open_file(workspace, around).filter(|_| points);
        return Some(workspace.git_log(COMMITS_SHOWN, file.or(open.as_ref())).map(told));
    }
    let differs = asked.has_any(&["uncommitted", "unstaged", "modified", "diff"])
        || asked.says(&["what", "changed"])
        || asked.says(&["has", "changed"])
        || asked.says(&["git", "status"]);
    differs.then(|| uncommitted(workspace, file))
}

fn commit(commit: &Commit) -> String {
    format!("{} {} {}: {}", commit.id, commit.date, commit.author, commit.subject)
}

fn last_commit(workspace: &Workspace) -> Result<String, GitError> {
    let commits = workspace.git_log(1, None)?;
    let Some(last) = commits.first() else { return Ok("Nothing is committed yet.".to_owned()) };
    let files = workspace.git_last_files()?;
    Ok(format!("{}\n{}", commit(last), files.join("\n")))
}

fn uncommitted(workspace: &Workspace, file: Option<&FilePath>) -> Result<String, GitError> {
    let status = workspace.git_status()?;
    if status.is_empty() {
        return Ok("Nothing differs from the last commit.".to_owned());
    }
    let diff = workspace.git_diff(file)?;
    let lines: Vec<&str> = diff.lines().collect();
    let rest = lines.len().saturating_sub(DIFF_LINES_SHOWN);
    let more = if rest > 0 { format!("\n… {} more", text::count(rest, "line")) } else { String::new() };
    Ok(format!("{}\n\n{}{more}", status.join("\n"), lines[..lines.len() - rest].join("\n")).trim_end().to_owned())
}

fn todos(workspace: &Workspace, files: &[FilePath]) -> Result<String, String> {
    let mut found = crate::workspace::Hits::default();
    for mark in MARKS {
        let search = Search { text: mark, whole_words: true, exact_case: true };
        let hits = workspace.search(files, &search).map_err(|error| error.to_string())?;
        found.total += hits.total;
        found.hits.extend(hits.hits);
    }
    match found.total {
        0 => Ok(format!("There is no {} in these files.", MARKS.join(" or "))),
        _ => Ok(format!("{}:\n{}", text::count(found.total, "note"), places::hits(&found))),
    }
}

/// “list the files in src”, “how many files are there”.
fn listing(workspace: &Workspace, asked: &Asked<'_>, files: &[FilePath], is_folder: bool) -> Option<String> {
    let about_files = is_folder || asked.has_any(&["files", "file", "modules"]);
    let lists = asked.has_any(&["list", "which", "what", "what's", "whats", "show", "contents", "content"])
        || asked.says(&["how", "many"]);
    if !about_files || !lists || asked.has_any(&["use", "uses", "using", "import", "imports", "handle", "handles"]) {
        return None;
    }
    let is_bare = asked
        .words
        .iter()
        .all(|word| FILE_WORDS.contains(word) || files.iter().any(|file| file.as_str().to_lowercase().contains(word)));
    if !is_bare {
        return None;
    }
    let files = scope(workspace, files);
    Some(listed(&files))
}

/// How many files, and the first of them.
pub(super) fn listed(files: &[FilePath]) -> String {
    let names: Vec<String> = files.iter().take(FILES_SHOWN).map(ToString::to_string).collect();
    let rest = files.len() - names.len();
    let more = if rest > 0 { format!("\n… {} more", text::count(rest, "file")) } else { String::new() };
    format!("{}:\n{}{more}", text::count(files.len(), "file"), names.join("\n"))
}

fn of_name(workspace: &Workspace, name: &Named, asked: &Asked<'_>, files: &[FilePath]) -> Result<String, String> {
    const USES: [&str; 14] = [
        "used",
        "use",
        "uses",
        "using",
        "usage",
        "usages",
        "calls",
        "call",
        "called",
        "callers",
        "references",
        "refer",
        "import",
        "imports",
    ];
    let files = scope(workspace, files);
    if asked.has_any(&USES) || asked.has_any(&["depend", "depends"]) {
        return places::uses(workspace, name, &files);
    }
    let is_where = asked.has_any(&["where", "which"]) && !asked.has_any(&["show", "does", "do"]);
    places::defined(workspace, name, &files, is_where)
}

/// Words of a question that is about files and nothing else.
const FILE_WORDS: [&str; 31] = [
    "what's",
    "whats",
    "inside",
    "folder",
    "directory",
    "content",
    "contents",
    "and",
    "lies",
    "list",
    "which",
    "what",
    "show",
    "how",
    "many",
    "files",
    "file",
    "modules",
    "are",
    "there",
    "the",
    "all",
    "in",
    "me",
    "is",
    "do",
    "we",
    "have",
    "here",
    "of",
    "this",
];
/// Words of a question that asks who made all of it.
const WHO_WORDS: [&str; 11] =
    ["who", "this", "it", "the", "code", "project", "repository", "repo", "last", "has", "all"];
/// What somebody did who is asked for.
const WHO_VERBS: [&str; 5] = ["wrote", "changed", "touched", "edited", "made"];
/// Words for all of it, whatever lies open.
const WHOLE: [&str; 4] = ["project", "repository", "repo", "all"];
/// What marks a note that something is left to do; written apart so that this file holds none.
const MARKS: [&str; 2] = ["TODO", concat!("FIX", "ME")];
/// Commits that an answer shows.
const COMMITS_SHOWN: usize = 10;
/// Lines of a diff that an answer shows.
const DIFF_LINES_SHOWN: usize = 60;
/// Files that an answer lists.
const FILES_SHOWN: usize = 40;
/// Names that a sentence holds.
const SHOWN_MAX: usize = 6;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn git(folder: &std::path::Path, words: &[&str]) {
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        let mut command = std::process::Command::new("git");
        assert!(command.args(who).args(words).current_dir(folder).output().unwrap().status.success());
    }

    #[test]
    fn who_wrote_this_is_about_the_file_that_lies_open() {
        let folder = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| git(folder.path(), words);
        git(&["init", "-q"]);
        for name in ["a", "b"] {
            std::fs::write(folder.path().join(format!("{name}.rs")), "fn x() {}\n").unwrap();
            git(&["add", "."]);
            git(&["commit", "-q", "-m", &format!("adds {name}")]);
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        let open = Surroundings { files: vec!["a.rs".to_owned()], ..Surroundings::default() };
        let told = |question: &str, around: &Surroundings| {
            let told = look(&workspace, question, around).unwrap();
            (told.contains("adds a"), told.contains("adds b"))
        };
        assert_eq!(told("who wrote this?", &open), (true, false));
        assert_eq!(told("who changed it last?", &open), (true, false));
        assert_eq!(told("who wrote this?", &Surroundings::default()), (true, true));
        assert_eq!(told("who wrote this project?", &open), (true, true));
        assert_eq!(told("who wrote b.rs?", &open), (false, true));
    }

    #[track_caller]
    fn told(files: &[(&str, &str)], question: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        look(&workspace, question, &Surroundings::default()).unwrap_or_else(|told| told)
    }

    const TYPES: &str = "pub struct Version;\n\nimpl Version {\n    pub fn new() -> Self {\n        Version\n    }\n\n    pub fn parse(\n        \
                         text: &str,\n    ) -> Result<Version, Error> {\n        Ok(Version::new())\n    }\n}\n\npub struct Req;\n\nimpl Req \
                         {\n    pub fn new() -> Self {\n        Req\n    }\n}\n\nfn make(x: X) {\n    Req::new();\n    x.new();\n}\n\n#[test]\n\
                         fn one() {}\n\n#[tokio::test]\nasync fn two() {}\n";

    #[test]
    fn what_stands_before_a_name_says_whose_it_is() {
        let files = [("a.rs", TYPES)];
        let found = told(&files, "where is Version::new defined?");
        assert!(found.contains("a.rs:4: function new") && !found.contains("a.rs:18"), "{found}");
        let found = told(&files, "callers of Req::new");
        assert!(found.contains("a.rs:24: Req::new();") && !found.contains("a.rs:11"), "{found}");
        assert!(found.contains("It may be meant as well in 1 line of 1 file:\na.rs:25: x.new();"), "{found}");
        let found = told(&files, "show the definition of Version::new");
        assert!(
            found.contains("Used in 1 other place; ") && found.contains("1 more place may be it or another"),
            "{found}"
        );
        let found = told(&files, "where is Missing::new defined?");
        assert!(found.contains("No “new” of “Missing” is defined here.") && found.contains("a.rs:4"), "{found}");
        let python =
            "class Bill:\n    def add(self):\n        pass\n\n\nclass Cart:\n    def add(self):\n        pass\n";
        let found = told(&[("b.py", python)], "show the definition of Bill.add");
        assert!(found.contains("b.py:2") && !found.contains("b.py:7"), "{found}");
    }

    #[test]
    fn tests_are_counted_and_functions_are_listed_by_what_they_give() {
        let files = [("a.rs", TYPES), ("test_b.py", "def test_x():\n    pass\n")];
        let found = told(&files, "how many tests are there?");
        assert!(found.starts_with("3 tests in 2 files") && found.contains("a.rs: 2"), "{found}");
        let found = told(&files, "which functions return Result<Version, Error>?");
        assert!(found.starts_with("1 function") && found.contains("a.rs:8"), "{found}");
        let found = told(&files, "which functions return Option<Version>?");
        assert_eq!(found, "No function here says that it gives Option<Version>.");
    }

    #[test]
    fn what_changed_is_told_for_the_stretch_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| git(folder.path(), words);
        git(&["init", "-q"]);
        for text in ["one", "two", "three"] {
            std::fs::write(folder.path().join("a.txt"), format!("{text}\n")).unwrap();
            git(&["add", "."]);
            git(&["commit", "-q", "-m", &format!("says {text}")]);
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        let told = |question: &str| look(&workspace, question, &Surroundings::default()).unwrap_or_else(|told| told);
        for (question, comes) in [
            ("what changed since the first commit?", "-one\n+three"),
            ("what changed since HEAD~1?", "-two\n+three"),
            ("what changed between HEAD~2 and HEAD~1?", "-one\n+two"),
            ("what changed today?", "says two"),
            ("what changed yesterday?", "Nothing was committed then."),
            ("what changed since the moon landing?", "“moon landing” names no commit and no day"),
            ("what changed?", "Nothing differs from the last commit."),
        ] {
            assert!(told(question).contains(comes), "{question}: {}", told(question));
        }
    }
}

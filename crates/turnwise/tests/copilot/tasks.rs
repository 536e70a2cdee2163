//! Twenty-five tasks by recipes, without a model: each is said as a person would say it, what is missing is answered,
//! the plan is approved, and the files it leaves are what was meant. Nothing is there before the yes.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

use crate::desk::Desk;

/// A task: what is said, in order, and what a file holds when it is done; without a file, what was said back.
struct Task {
    said: &'static [&'static str],
    file: Option<&'static str>,
    holds: &'static [&'static str],
}

const fn to_file(said: &'static [&'static str], file: &'static str, holds: &'static [&'static str]) -> Task {
    Task { said, file: Some(file), holds }
}

const fn told(said: &'static [&'static str], holds: &'static [&'static str]) -> Task {
    Task { said, file: None, holds }
}

/// `{url}` is the address of a page.
const TASKS: [Task; 25] = [
    to_file(&["please count the word \"sea\" in story.txt"], "count.txt", &["3"]),
    to_file(&["sort the list in names.txt"], "sorted.txt", &["Ada\nBen\nCleo\n"]),
    to_file(&["add up \"amount\" of north.csv"], "total.txt", &["30.5"]),
    to_file(&["please give me north.csv as json"], "table.json", &[r#"{"town": "Oslo", "amount": "10.5"}"#]),
    told(&["make a backup of story.txt", "/facts"], &["story.txt"]),
    to_file(&["checksums of everything, please"], "sums.lst", &["story.txt", "north.csv"]),
    to_file(&["collect addresses from mail.txt"], "addresses.txt", &["ann@example.org\nbob@example.org\n"]),
    told(&["pack the folder", "notes"], &["notes/monday.md"]),
    to_file(&["list the todos"], "todos.txt", &["TODO call Ann", "TODO pay"]),
    to_file(
        &["what went wrong in the log app.log?", "show me the errors in the log app.log"],
        "errors.txt",
        &["2 disk full"],
    ),
    to_file(&["put the tables together"], "all.csv", &["town,amount\nOslo,10.5\nBergen,20\nRome,5\n"]),
    to_file(&["split the file story.txt", "1"], "part-aa", &["The sea"]),
    to_file(&["replace the word", "sea", "lake", "story.txt"], "story.txt", &["The lake"]),
    to_file(&["the most frequent words of story.txt", "skip"], "top.txt", &["the", "sea"]),
    to_file(&["write a letter to \"Ann\"", "the flowers"], "letter.txt", &["Dear Ann,\nthank you for the flowers.\n"]),
    to_file(&["compare the versions"], "difference.txt", &["-one", "+two"]),
    to_file(&["keep the page {url}"], "page.html", &["<h1>Hello</h1>"]),
    to_file(&["a table of contents of notes/monday.md"], "contents.md", &["- Monday\n- Open\n"]),
    told(&["count the lines of all tables"], &["3 north.csv", "2 south.csv"]),
    told(&["change the endings", "txt", "md"], &["a.md", "b.md"]),
    told(&["average of \"amount\" in north.csv"], &["15.25"]),
    to_file(&["pretty print small.json"], "small.json", &["{\n    \"a\": 1,\n    \"b\": 2\n}"]),
    to_file(&["make an invoice for \"Ben & Sons\"", "7", "skip"], "invoice.txt", &["560.0", "for Ben & Sons"]),
    to_file(&["remove the temporary files"], "removed.txt", &["./a.tmp", "./notes/b.tmp"]),
    to_file(&["the morning digest"], "digest.txt", &["3\nb.tmp\nmonday.md\ntuesday.md\n"]),
];

pub const FILES: [(&str, &str); 14] = [
    ("story.txt", "The sea was calm.\nThe sea was deep, and the boat sank into the sea.\n"),
    ("names.txt", "Cleo\nAda\nBen\nAda\n"),
    ("north.csv", "town,amount\nOslo,10.5\nBergen,20\n"),
    ("south.csv", "town,amount\nRome,5\n"),
    ("mail.txt", "From bob@example.org to ann@example.org, cc bob@example.org\n"),
    ("notes/monday.md", "# Monday\n## Open\nTODO call Ann\n"),
    ("notes/tuesday.md", "TODO pay\n"),
    ("notes/b.tmp", ""),
    ("a.tmp", ""),
    ("app.log", "9:00 ERROR disk full\n9:01 INFO fine\n9:02 ERROR disk full\n9:03 ERROR no network\n"),
    ("before.txt", "one\n"),
    ("after.txt", "two\n"),
    ("old/a.txt", "a\n"),
    ("small.json", "{\"b\": 2, \"a\": 1}"),
];

fn desk() -> Desk {
    let desk = Desk::new();
    for (name, content) in FILES {
        desk.put(name, content);
    }
    desk.put("old/b.txt", "b\n");
    for recipe in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/copilot/recipes")).unwrap() {
        let recipe = recipe.unwrap();
        desk.put(
            &format!("recipes/{}", recipe.file_name().display()),
            &std::fs::read_to_string(recipe.path()).unwrap(),
        );
    }
    desk
}

/// A page to fetch; gives its address.
fn page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let body = "<h1>Hello</h1>";
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        }
    });
    format!("http://{address}/")
}

/// All that is in the folder but recipes, by name.
pub fn state(desk: &Desk) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut folders = vec![desk.path()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.path().strip_prefix(desk.path()).unwrap().display().to_string();
            match entry.path().is_dir() {
                true if name == "recipes" => {}
                true => folders.push(entry.path()),
                false => all.push((name, String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned())),
            }
        }
    }
    all.sort();
    all
}

/// Does a task; gives what is wrong with it.
fn done(task: &Task, url: &str) -> Result<(), String> {
    let desk = desk();
    let said: Vec<String> = task.said.iter().map(|said| said.replace("{url}", url)).collect();
    let mut said: Vec<&str> = said.iter().map(String::as_str).collect();
    let before = state(&desk);
    let shown = desk.talk(&said);
    if !shown.contains("Run it?") {
        return Err(format!("no plan: {shown}"));
    }
    if state(&desk) != before {
        return Err(format!("something was done unasked: {shown}"));
    }
    said.push("y");
    let told = desk.talk(&said);
    let found = match task.file {
        Some(file) if !desk.has(file) => return Err(format!("{file} is not there: {told}")),
        Some(file) => desk.read(file),
        None => told.clone(),
    };
    let missing = task.holds.iter().find(|wanted| !found.contains(**wanted));
    missing.map_or(Ok(()), |missing| Err(format!("“{missing}” is missing in:\n{found}\n{told}")))
}

#[test]
fn twenty_five_tasks_are_done_by_recipes_after_a_yes_and_nothing_before_it() {
    let url = page();
    let all = TASKS.iter().map(|task| (task.said[0], done(task, &url)));
    let failed: Vec<String> = all.filter_map(|(said, done)| Some(format!("“{said}”: {}", done.err()?))).collect();
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), TASKS.len(), failed.join("\n\n"));
}

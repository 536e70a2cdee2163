//! Counting and listing: how many tests there are, and which functions give a type, both as they are written. Next:
//! `look`.

use turnwise_assistant::place::FilePath;
use turnwise_core::text;

use crate::code::{Definition, Language, definitions};
use crate::workspace::Workspace;

/// How many tests there are, where that is asked: by what marks one in each language.
pub(super) fn tests(workspace: &Workspace, words: &[&str], files: &[FilePath]) -> Option<String> {
    let asks = words.windows(2).any(|pair| pair == ["how", "many"]);
    let about = |word: &&str| matches!(*word, "test" | "tests" | "testcases");
    let is_bare = words.iter().all(|word| about(word) || COUNTING.contains(word));
    if !asks || !is_bare || !words.iter().any(about) {
        return None;
    }
    let mut found: Vec<(&FilePath, usize)> = Vec::new();
    for path in files {
        let Ok(read) = workspace.read(path) else { continue };
        let count = match Language::of(path) {
            Some(language) => read.content.lines().filter(|line| is_test(language, path, line.trim_start())).count(),
            None => 0,
        };
        if count > 0 {
            found.push((path, count));
        }
    }
    let total: usize = found.iter().map(|(_, count)| count).sum();
    if total == 0 {
        return Some(
            "There is no test that is marked as one: by #[test], test_…, TestXxx, it(…) or test(…).".to_owned(),
        );
    }
    let lines: Vec<String> = found.iter().take(LISTED).map(|(path, count)| format!("{path}: {count}")).collect();
    let rest = found.len() - lines.len();
    let more = if rest > 0 { format!("\n… {} more", text::count(rest, "file")) } else { String::new() };
    let (tests, files) = (text::count(total, "test"), text::count(found.len(), "file"));
    Some(format!("{tests} in {files}, counted by what marks them in the code:\n{}{more}", lines.join("\n")))
}

/// Whether a line of code begins a test.
fn is_test(language: Language, path: &FilePath, line: &str) -> bool {
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    match language {
        Language::Rust => {
            let attribute = line.strip_prefix("#[").and_then(|rest| rest.split([']', '(']).next()).unwrap_or_default();
            attribute == "test" || attribute.ends_with("::test")
        }
        Language::Python => begins(&["def test_", "async def test_"]),
        Language::Go => path.as_str().ends_with("_test.go") && begins(&["func Test"]),
        Language::TypeScript | Language::Script => begins(&["test(", "it(", "test.each", "it.each"]),
    }
}

/// The functions that give a type, where that is asked: by what they say they give.
pub(super) fn giving(workspace: &Workspace, question: &str, files: &[FilePath]) -> Option<String> {
    let lower = question.to_lowercase();
    let verb = [" return ", " returns "].iter().find_map(|verb| Some((lower.find(verb)?, verb.len())))?;
    let asks = ["which function", "what function", "which method", "what method", "functions that", "methods that"];
    let wanted = question.get(verb.0 + verb.1..)?.trim().trim_end_matches(['?', '.', '!']);
    let wanted = wanted.trim_matches(['`', '"', '“', '”', '\'']);
    let wanted = ["a ", "an ", "the "].iter().find_map(|article| wanted.strip_prefix(article)).unwrap_or(wanted);
    if !asks.iter().any(|opening| lower.get(..verb.0).is_some_and(|before| before.contains(opening))) {
        return None;
    }
    let is_type =
        wanted.contains(['<', '[', '&', ':']) || (!wanted.is_empty() && !wanted.contains(char::is_whitespace));
    if !is_type {
        return None;
    }
    let close = |text: &str| text.split_whitespace().collect::<String>();
    let wanted_close = close(wanted);
    let mut found: Vec<Definition> = Vec::new();
    for path in files.iter().filter(|path| Language::of(path).is_some()) {
        let Ok(read) = workspace.read(path) else { continue };
        let lines: Vec<&str> = read.content.lines().collect();
        let is_it = |it: &Definition| {
            matches!(it.kind, "function" | "method")
                && gives(it, &lines).is_some_and(|given| close(&given) == wanted_close)
        };
        found.extend(definitions(path, &read.content).into_iter().filter(is_it));
    }
    if found.is_empty() {
        return Some(format!("No function here says that it gives {wanted}."));
    }
    let shown = found.iter().take(LISTED).map(|it| format!("{}:{}: {}", it.path, it.first_line, it.head));
    let shown: Vec<String> = shown.collect();
    let rest = found.len() - shown.len();
    let more = if rest > 0 { format!("\n… {} more", text::count(rest, "function")) } else { String::new() };
    let count = text::count(found.len(), "function");
    Some(format!("{count} with {wanted} as what is returned:\n{}{more}", shown.join("\n")))
}

/// What a function says it gives, from its head, which may go over several lines.
fn gives(definition: &Definition, lines: &[&str]) -> Option<String> {
    let last = definition.last_line.min(definition.first_line + HEAD_LINES_MAX).min(lines.len());
    let whole = lines.get(definition.first_line - 1..last)?.join(" ");
    let (head, mark) = match Language::of(&definition.path)? {
        Language::Rust => (whole.split(['{', ';']).next()?, "->"),
        Language::Python => (whole.split("):").next().filter(|it| it.len() < whole.len()).unwrap_or(&whole), "->"),
        Language::TypeScript | Language::Script => (whole.split('{').next()?, "):"),
        Language::Go => (whole.split('{').next()?, ")"),
    };
    let given = match mark {
        ")" => head.split_once('(').and_then(|_| head.rsplit_once(')').map(|(_, given)| given)),
        mark => head.rsplit_once(mark).map(|(_, given)| given),
    }?;
    let given = given.split(" where ").next().unwrap_or(given);
    // A body of Python begins behind the colon that ends the head.
    let given =
        if mark == "->" && definition.path.as_str().ends_with(".py") { given.split(':').next()? } else { given };
    Some(given.trim().to_owned())
}

/// Words of a question that only counts.
const COUNTING: [&str; 16] = [
    "how", "many", "are", "there", "in", "this", "the", "project", "code", "do", "we", "have", "does", "it", "all",
    "here",
];
/// Lines that the head of a function may go over.
const HEAD_LINES_MAX: usize = 12;
/// Places that an answer lists.
const LISTED: usize = 25;

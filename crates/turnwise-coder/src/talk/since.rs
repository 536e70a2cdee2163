//! Since when: what changed from a commit or a day on, between two commits, or on a day, as git tells it. What names
//! neither a commit nor a day is said to be none: the answer would be about something else. Next: `workspace::git`.

use turnwise_assistant::place::FilePath;
use turnwise_core::text;

use crate::workspace::Workspace;
use crate::workspace::git::GitError;

/// A stretch of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Span {
    /// From here, by what the person called it, to now or to another.
    Commits(String, Option<String>),
    /// From the first commit.
    FromFirst,
    /// Days, as git reads them: from, and to.
    Days(String, Option<String>),
}

/// What changed in a stretch of the history, where one is named.
pub(super) fn told(workspace: &Workspace, question: &str, file: Option<&FilePath>) -> Option<Result<String, String>> {
    let words = words(question);
    let said: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let asks = said.iter().any(|word| CHANGES.contains(&word.as_str()));
    let span = asks.then(|| span(&words, &said)).flatten()?;
    if let Span::Commits(from, Some(to)) = &span
        && [from, to].iter().all(|name| matches!(workspace.git_commit(name), Ok(None)))
    {
        // Between two things of the code, then.
        return None;
    }
    Some(of_span(workspace, &span, file).map_err(|why| match why {
        Why::Git(error) => format!("{}.", text::capital(&error.to_string())),
        Why::Unknown(name) => format!(
            "“{name}” names no commit and no day that git knows here. Say a commit, a tag or a day, as in “what changed \
             since HEAD~3” or “since yesterday”."
        ),
    }))
}

enum Why {
    Git(GitError),
    Unknown(String),
}

impl From<GitError> for Why {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

fn words(question: &str) -> Vec<String> {
    let marks = ['?', '!', ',', ';', '"', '“', '”', '`', '\'', '(', ')'];
    let trimmed = question.split_whitespace().map(|word| word.trim_matches(marks).trim_end_matches('.'));
    trimmed.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The stretch that is named, up to where a file is.
fn span(words: &[String], said: &[String]) -> Option<Span> {
    if let Some((from, to)) = words.iter().find_map(|word| word.split_once("..")).filter(|(from, _)| !from.is_empty()) {
        let to = to.trim_start_matches('.');
        return Some(Span::Commits(from.to_owned(), (!to.is_empty()).then(|| to.to_owned())));
    }
    let place = |wanted: &[&str]| said.iter().position(|word| wanted.contains(&word.as_str()));
    if let (Some(between), Some(and)) = (place(&["between"]), place(&["and"]))
        && between + 1 < and
    {
        let behind = named(&words[and + 1..]);
        return Some(Span::Commits(named(&words[between + 1..and]), Some(behind)));
    }
    if let Some(at) = place(&["since"]) {
        let from = &said[at + 1..];
        let from = &from[..from.iter().position(|word| word == "in").unwrap_or(from.len())];
        return match from.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => None,
            ["the" | "my" | "our", "first" | "initial", "commit"] | ["the", "beginning" | "start"] => {
                Some(Span::FromFirst)
            }
            // That is what differs now.
            ["the" | "my" | "our", "last" | "latest", "commit"] => None,
            days if are_days(days) => Some(Span::Days(day(days), None)),
            _ => Some(Span::Commits(named(&words[at + 1..at + 1 + from.len()]), None)),
        };
    }
    // “Week” alone may be anything; “last week” and “2 weeks ago” are days.
    let is_counted = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| said.get(before)).map_or("", String::as_str);
        UNITS.contains(&said[at].trim_end_matches('s'))
            && (matches!(before, "last" | "past" | "this") || before.parse::<u32>().is_ok())
    };
    let first = (0..said.len()).find(|at| PLAIN_DAYS.contains(&said[*at].as_str()) || is_counted(*at))?;
    let from = said[..first].iter().rposition(|word| !COUNTS.contains(&word.as_str()) && word.parse::<u32>().is_err());
    let from = from.map_or(0, |before| before + 1);
    let until = said[from..].iter().position(|word| !is_day(word)).map_or(said.len(), |end| from + end);
    let days: Vec<&str> = said[from..until].iter().map(String::as_str).collect();
    let to = (days == ["yesterday"]).then(|| "midnight".to_owned());
    Some(Span::Days(day(&days), to))
}

/// What a commit is called, without an article and the word for it.
fn named(words: &[String]) -> String {
    let is_around =
        |word: &&String| !matches!(word.to_lowercase().as_str(), "the" | "commit" | "tag" | "release" | "version");
    let own: Vec<&str> = words.iter().filter(is_around).map(String::as_str).collect();
    if own.is_empty() { words.join(" ") } else { own.join(" ") }
}

fn is_day(word: &str) -> bool {
    let is_date = word.len() == 10 && word.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    PLAIN_DAYS.contains(&word)
        || DAYS.contains(&word)
        || COUNTS.contains(&word)
        || is_date
        || word.parse::<u32>().is_ok()
}

fn are_days(words: &[&str]) -> bool {
    words.iter().all(|word| is_day(word))
        && words.iter().any(|word| !COUNTS.contains(word) && (word.len() == 10 || word.parse::<u32>().is_err()))
}

/// Days as git reads them: a day from its beginning.
fn day(words: &[&str]) -> String {
    let written = words.iter().filter(|word| !matches!(**word, "the" | "on" | "this")).copied().collect::<Vec<_>>();
    match written.as_slice() {
        ["today" | "day"] => "midnight".to_owned(),
        ["week" | "month" | "year"] => format!("1.{}.ago", written[0]),
        ["last" | "past", unit] if UNITS.contains(unit) => format!("1.{unit}.ago"),
        ["last" | "past", count, unit] => format!("{count}.{unit}.ago"),
        [.., "ago"] => written.join("."),
        all => format!("{}.midnight", all.join(".")),
    }
}

fn of_span(workspace: &Workspace, span: &Span, file: Option<&FilePath>) -> Result<String, Why> {
    let commit = |name: &String| workspace.git_commit(name)?.ok_or_else(|| Why::Unknown(name.clone()));
    let (told, what) = match span {
        Span::Days(from, to) => {
            let log = workspace.git_log_of_days(from, to.as_deref(), file)?;
            (log, "Nothing was committed then.")
        }
        Span::Commits(from, None) => (workspace.git_between(&commit(from)?, None, file)?, SAME),
        Span::Commits(from, Some(to)) => (workspace.git_between(&commit(from)?, Some(&commit(to)?), file)?, SAME),
        Span::FromFirst => match workspace.git_first()? {
            Some(first) => (workspace.git_between(&first, None, file)?, SAME),
            None => (String::new(), "Nothing is committed yet."),
        },
    };
    let lines: Vec<&str> = told.trim().lines().collect();
    if lines.is_empty() {
        return Ok(what.to_owned());
    }
    let rest = lines.len().saturating_sub(LINES_SHOWN);
    let more = if rest > 0 { format!("\n… {} more", text::count(rest, "line")) } else { String::new() };
    Ok(format!("{}{more}", lines[..lines.len() - rest].join("\n")))
}

const SAME: &str = "Nothing differs between the two.";
/// Words by which changes are asked for.
const CHANGES: [&str; 11] =
    ["changed", "changes", "change", "diff", "differs", "different", "commits", "committed", "happened", "done", "new"];
/// Words that are days whatever stands beside them.
const PLAIN_DAYS: [&str; 9] =
    ["yesterday", "today", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Other words for days; “may” and “march” are words of their own.
const DAYS: [&str; 14] = [
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "week",
    "month",
    "year",
    "ago",
];
/// Words beside them.
const COUNTS: [&str; 12] =
    ["the", "last", "past", "this", "on", "day", "days", "hour", "hours", "weeks", "months", "years"];
const UNITS: [&str; 5] = ["day", "week", "month", "year", "hour"];
/// Lines that an answer shows.
const LINES_SHOWN: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_the_history_are_read() {
        let commits = |from: &str, to: Option<&str>| Some(Span::Commits(from.into(), to.map(str::to_owned)));
        let days = |from: &str, to: Option<&str>| Some(Span::Days(from.into(), to.map(str::to_owned)));
        for (question, expected) in [
            ("what changed since the first commit?", Some(Span::FromFirst)),
            ("what changed since HEAD~1?", commits("HEAD~1", None)),
            ("what changed since the tag v1.2 in src/a.rs?", commits("v1.2", None)),
            ("what changed between HEAD~1 and HEAD?", commits("HEAD~1", Some("HEAD"))),
            ("show me the changes of main..HEAD", commits("main", Some("HEAD"))),
            ("what changed yesterday?", days("yesterday.midnight", Some("midnight"))),
            ("what changed since yesterday?", days("yesterday.midnight", None)),
            ("what changed today", days("midnight", None)),
            ("what changed in the last 3 days?", days("3.days.ago", None)),
            ("what changed since 2 days ago", days("2.days.ago", None)),
            ("what changed 2 weeks ago", days("2.weeks.ago", None)),
            ("what changed last week?", days("1.week.ago", None)),
            ("what changed since 2024-05-01?", days("2024-05-01.midnight", None)),
            ("what changed since the moon landing?", commits("moon landing", None)),
            ("what changed since the last commit?", None),
            ("what changed?", None),
            ("what change may break the week view?", None),
            ("what changes after the loop?", None),
        ] {
            let words = words(question);
            let said: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
            assert_eq!(span(&words, &said), expected, "{question}");
        }
    }
}

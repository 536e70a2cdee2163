//! Queries as a model writes them, read as questions: those that map give what they would give if they were run, and
//! those that do not are refused with the part that is to blame. None is ever run. Next: `queries.jsonl`.

use serde::Deserialize;
use turnwise_analyst::question::Problem;
use turnwise_assistant::Room;
use turnwise_core::DraftOutcome;

use crate::{boats, compare, run};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    message: String,
    query: String,
    /// What is right, where the query itself forgets something or the program does better.
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    ordered: bool,
    /// How the first problem begins; then there is no plan.
    #[serde(default)]
    problem: Option<String>,
}

#[test]
fn a_query_is_read_as_a_question_or_refused_with_the_part_to_blame() {
    let (_folder, analyst, oracle) = boats();
    let mut failed = Vec::new();
    for case in include_str!("queries.jsonl").lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
        let task = run::task(&case.message);
        let read = analyst.question_in(&case.query);
        let drafted = read.and_then(|question| analyst.draft_read(&Room::Anywhere, &task, &question, "NAME"));
        let told = match (drafted, &case.problem) {
            (Ok(DraftOutcome::Ready { plan, .. }), None) => {
                let given = run::run(&analyst, plan);
                let wanted = run::rows(&oracle, case.sql.as_deref().unwrap_or(&case.query));
                match given.as_ref().is_ok_and(|table| compare::holds(table, &wanted, case.ordered)) {
                    true => continue,
                    false => format!("{given:?} and not {wanted:?}"),
                }
            }
            (Err(problems), Some(problem)) if begins(&problems, problem) => continue,
            (other, _) => format!("{other:?}"),
        };
        failed.push(format!("{}: {told}", case.message));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Whatever a model writes is an input: it is read or refused, and never takes the program with it.
#[test]
fn any_text_is_read_or_refused() {
    let (_folder, analyst, _) = boats();
    let queries: Vec<String> = include_str!("queries.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Case>(line).unwrap().query)
        .chain(["SELECT 1".to_owned(), "SELECT ((1))".to_owned(), "SELECT FROM boats".to_owned()])
        .collect();
    let words: Vec<&str> = queries.iter().flat_map(|query| query.split(' ')).collect();
    let mut seed = 88_172_645_463_325_252_u64;
    let mut below = |end: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % u64::try_from(end.max(1)).unwrap()).unwrap()
    };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..CHANGED {
        let mut query: Vec<&str> = queries[below(queries.len())].split(' ').collect();
        for _ in 0..=below(3) {
            let at = below(query.len());
            match below(4) {
                0 if query.len() > 1 => drop(query.remove(at)),
                1 => query.insert(at, words[below(words.len())]),
                2 => query[at] = words[below(words.len())],
                _ => query.truncate(at.max(1)),
            }
        }
        match analyst.question_in(&query.join(" ")) {
            Ok(question) => {
                read += 1;
                let _ = analyst.draft_read(&Room::Anywhere, &run::task("how many boats"), &question, "NAME");
            }
            Err(problems) => {
                refused += 1;
                assert!(!problems.is_empty(), "{query:?}");
            }
        }
    }
    assert!(read > CHANGED / 50 && refused > CHANGED / 50, "{read} read, {refused} refused: too much of one kind");
}

/// A query that nests deeper than anybody means is refused before it takes the stack of a thread.
#[test]
fn deep_queries_are_refused_on_any_thread() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("SELECT COUNT(*) FROM charters WHERE fee IN {}{inner}{}", open.repeat(400), close.repeat(400))
    };
    let deep = [
        deep("(SELECT fee FROM charters WHERE fee IN ", "(1)", ")"),
        deep("(", "1", ")"),
        deep("(NOT (CASE WHEN fee > 1 THEN ", "1", " END))"),
    ];
    let reading = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let (_folder, analyst, _) = boats();
        deep.into_iter().all(|query| analyst.question_in(&query).is_err())
    });
    assert!(reading.unwrap().join().unwrap());
}

/// Queries that are changed at random.
const CHANGED: usize = 20_000;
/// What a thread of the program has.
const STACK: usize = 2 * 1024 * 1024;

fn begins(problems: &[Problem], with: &str) -> bool {
    problems.first().is_some_and(|problem| problem.to_string().starts_with(with))
}

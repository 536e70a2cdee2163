//! Everyday work with files, as commands: “rename a.txt to b.txt”, “delete old.csv”, “make a folder x”, “sort
//! list.txt”. Every name is quoted, and the plan shows the command itself. Next: `mod`, which takes them after its own
//! tools.

use turnwise_intent::behaviour::coder::files_in;

use super::{named_file, quoted};
use crate::planned::{Wanted, wanted};
use crate::tool::{RUN, in_quotes};

/// The command that an order of this kind is; none where it does not name all it needs.
pub(super) fn ordered(verb: &str, rest: &str) -> Option<Wanted> {
    let command = match verb {
        "rename" | "move" => two(rest, &["to", "into", "as"]).map(|(from, to)| onto_nothing("mv", &from, &to)),
        "copy" | "duplicate" => two(rest, &["to", "into", "as"]).map(|(from, to)| onto_nothing("cp", &from, &to)),
        "delete" | "remove" | "erase" => file(rest).map(|file| format!("rm -- {file}")),
        "make" | "create" | "add" => folder(rest).map(|folder| format!("mkdir -p -- {folder}")),
        "sort" => file(rest).map(|file| format!("sort -- {file}")),
        "count" => {
            let (what, name) = rest.split_once(" in ").or_else(|| rest.split_once(" of "))?;
            let option = counted(what.trim())?;
            file(name).map(|file| format!("wc {option} -- {file}"))
        }
        "search" | "grep" | "find" => found(rest),
        _ => None,
    }?;
    Some(wanted(RUN, &[("command", &command)]))
}

/// A command that puts a file where nothing is, or into a folder; what is there already stays, and that is said.
fn onto_nothing(program: &str, from: &str, to: &str) -> String {
    let inside = format!("{to}/{}", from.rsplit('/').next().unwrap_or(from));
    let looks_like_file = to.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let (to, from) = (in_shell(to), in_shell(from));
    let is_free = match looks_like_file {
        true => format!("{FREE}{to}"),
        false => format!("{FREE}{} && test ! -f {to}", in_shell(&inside)),
    };
    format!("{is_free} || {{ echo {to} is there already >&2; exit 1; }}; {program} -- {from} {to}")
}

/// The file that such a command wants to be free.
pub(crate) fn wants_free(command: &str) -> Option<String> {
    let behind = command.strip_prefix(FREE)?;
    let name = behind.split(" && ").next()?.split(" || ").next()?;
    let bare = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    Some(bare.map_or_else(|| name.to_owned(), |name| name.replace("'\\''", "'")))
}

/// How a command begins that overwrites nothing.
const FREE: &str = "test ! -e ";

/// A file that is named, quoted for a shell.
fn file(words: &str) -> Option<String> {
    bare_file(words).map(|name| in_shell(&name))
}

fn bare_file(words: &str) -> Option<String> {
    let words = words.trim();
    let words = ["the file ", "file "].iter().find_map(|lead| words.strip_prefix(lead)).unwrap_or(words);
    named_file(words).filter(|name| !name.contains("://"))
}

/// What is named, and what it becomes.
fn two(rest: &str, joints: &[&str]) -> Option<(String, String)> {
    let cut = |joint: &&str| rest.split_once(&format!(" {joint} "));
    let (from, to) = joints.iter().find_map(cut)?;
    let to = to.trim();
    let to = ["the folder ", "folder "].iter().find_map(|lead| to.strip_prefix(lead)).unwrap_or(to);
    let is_word = !to.is_empty() && !to.contains(char::is_whitespace);
    let to = named_file(to).or_else(|| is_word.then(|| to.to_owned()))?;
    Some((bare_file(from)?, to.trim_end_matches('/').to_owned()))
}

/// “A folder x”, “the folder "my notes"”, “folder called x”.
fn folder(rest: &str) -> Option<String> {
    let leads = ["a new ", "a ", "the ", "new "];
    let rest = leads.iter().find_map(|lead| rest.strip_prefix(lead)).unwrap_or(rest);
    let rest = ["folder ", "directory "].iter().find_map(|lead| rest.strip_prefix(lead))?;
    let rest = ["called ", "named "].iter().find_map(|lead| rest.strip_prefix(lead)).unwrap_or(rest).trim();
    match quoted(rest) {
        Some((name, "")) => Some(in_shell(name)),
        Some(_) => None,
        None => (!rest.is_empty() && !rest.contains(char::is_whitespace)).then(|| in_shell(rest)),
    }
}

fn counted(what: &str) -> Option<&'static str> {
    match what.strip_prefix("the ").unwrap_or(what) {
        "lines" | "rows" => Some("-l"),
        "words" => Some("-w"),
        "characters" | "letters" => Some("-m"),
        "bytes" => Some("-c"),
        _ => None,
    }
}

/// “For "milk" in list.txt”, “list.txt for "milk"”.
fn found(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix("for ").unwrap_or(rest);
    let (text, name) = match quoted(rest) {
        Some((text, behind)) => (text, behind.strip_prefix("in ")?),
        None => {
            let (name, behind) = rest.split_once(" for ")?;
            (quoted(behind).filter(|(_, rest)| rest.is_empty())?.0, name)
        }
    };
    let is_one = files_in(name).len() == 1;
    file(name).filter(|_| is_one).map(|file| format!("grep -n -F -e {} -- {file}", in_shell(text)))
}

/// A value as one word of a command.
fn in_shell(value: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
    match value.chars().all(is_plain) && !value.is_empty() {
        true => value.to_owned(),
        false => in_quotes(value),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{orders, written};

    #[test]
    fn the_file_that_has_to_be_free_is_told_from_the_command() {
        for (from, to, free) in [("a", "b.txt", "b.txt"), ("a", "it's b.txt", "it's b.txt"), ("x/a", "old", "old/a")] {
            assert_eq!(super::wants_free(&super::onto_nothing("cp", from, to)).as_deref(), Some(free));
        }
        assert_eq!(super::wants_free("cp -- a b"), None);
    }

    #[test]
    fn everyday_work_is_a_command_that_names_all_of_it() {
        for (order, command) in [
            (
                "rename a.txt to b.txt",
                "test ! -e b.txt || { echo b.txt is there already >&2; exit 1; }; mv -- a.txt b.txt",
            ),
            (
                "please move a.txt into old",
                "test ! -e old/a.txt && test ! -f old || { echo old is there already >&2; exit 1; }; mv -- a.txt old",
            ),
            (
                "copy \"my notes.txt\" to \"b c.txt\"",
                "test ! -e 'b c.txt' || { echo 'b c.txt' is there already >&2; exit 1; }; cp -- 'my notes.txt' 'b c.txt'",
            ),
            ("delete the file old.csv", "rm -- old.csv"),
            ("make a folder called out", "mkdir -p -- out"),
            ("sort list.txt", "sort -- list.txt"),
            ("count the lines in list.txt", "wc -l -- list.txt"),
            ("search list.txt for \"it's\"", "grep -n -F -e 'it'\\''s' -- list.txt"),
            ("find \"milk\" in list.txt", "grep -n -F -e milk -- list.txt"),
            ("run hello.py", "python3 hello.py"),
            ("run build.sh now.txt", "sh build.sh now.txt"),
            ("run ./build", "./build"),
        ] {
            let all = orders(order).unwrap_or_default();
            let told: Vec<String> = all.iter().map(|one| one.givens["command"].to_string()).collect();
            assert_eq!(told, [format!("“{command}”")], "{order}");
        }
        for order in ["rename the files", "delete it", "sort it out", "make a report", "copy the idea", "find a way"] {
            assert!(orders(order).is_none(), "{order}");
        }
        assert!(written("delete old.csv").is_none() && written("read old.csv").is_some());
    }
}

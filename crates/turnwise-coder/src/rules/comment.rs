//! Comments: a line above a definition or above a line, in the marks of the file and as far in as what it stands above.
//! Next: `make`.

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::{Made, files};
use super::replace::short;
use crate::code::{Definition, definitions, is_code};
use crate::edit::Draft;
use crate::workspace::{Ending, Search, Workspace};

/// What some files of text begin with.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

pub(super) fn make(
    workspace: &Workspace,
    draft: &mut Draft<'_>,
    text: &str,
    name: Option<&str>,
    line: Option<usize>,
    within: &[String],
) -> Result<Made, Trouble> {
    let (path, line) = place(workspace, draft, name, line, within)?;
    let content = draft.content(&path)?;
    let before: Vec<&str> = content.split_inclusive('\n').take(line - 1).collect();
    let Some(at_line) = content.lines().nth(line - 1).or(Some("").filter(|_| line == 1)) else {
        let lines = content.lines().count();
        return Err(Trouble::because(format!("{path} has {lines} lines, so there is no line {line}.")));
    };
    let at = before.iter().map(|line| line.len()).sum::<usize>();
    // The mark of a file's encoding stays its first letter.
    let (at, at_line) = match at_line.strip_prefix(BYTE_ORDER_MARK).filter(|_| at == 0) {
        Some(rest) => (BYTE_ORDER_MARK.len_utf8(), rest),
        None => (at, at_line),
    };
    let indent = &at_line[..at_line.len() - at_line.trim_start().len()];
    let written: String = text.lines().map(|line| format!("{indent}{}\n", commented(&path, line.trim()))).collect();
    draft.replace(&path, std::slice::from_ref(&(at..at)), &Ending::of(&content).put(&written))?;
    let place = name.map_or_else(|| format!("line {line}"), |name| format!("“{name}”"));
    Ok(Made {
        title: format!("Add the comment “{}” above {place} in {path}", short(text)),
        notes: Vec::new(),
        of_all: None,
    })
}

/// The file and the line it goes above.
fn place(
    workspace: &Workspace,
    draft: &Draft<'_>,
    name: Option<&str>,
    line: Option<usize>,
    within: &[String],
) -> Result<(FilePath, usize), Trouble> {
    let named = files(workspace, within)?;
    let Some(name) = name else {
        return match named.as_slice() {
            [path] => Ok((path.clone(), line.unwrap_or(1).max(1))),
            [] => Err(Trouble::Where),
            _ => Err(Trouble::because("One file has to be named, and these are several.")),
        };
    };
    let all = if named.is_empty() { workspace.files().into_iter().filter(is_code).collect() } else { named };
    let mut found: Vec<Definition> = Vec::new();
    for path in workspace.files_with(&all, &Search::name(name))? {
        let Ok(content) = draft.content(&path) else { continue };
        found.extend(definitions(&path, &content).into_iter().filter(|definition| definition.name == name));
    }
    match found.as_slice() {
        [] => Err(Trouble::because(format!("There is no definition of “{name}” here."))),
        [one] => Ok((one.path.clone(), one.first_line)),
        several => {
            let mut files: Vec<FilePath> = several.iter().map(|definition| definition.path.clone()).collect();
            files.dedup();
            match files.len() {
                1 => {
                    let lines: Vec<String> = several.iter().map(|it| it.first_line.to_string()).collect();
                    let shown = turnwise_core::text::listed(&lines);
                    Err(Trouble::because(format!(
                        "“{name}” is defined on lines {shown}; say which, as in “above line {}”.",
                        lines[0]
                    )))
                }
                _ => Err(Trouble::WhichFile { name: name.to_owned(), files }),
            }
        }
    }
}

/// The text in the marks of the file.
fn commented(path: &FilePath, text: &str) -> String {
    match path.ending().as_str() {
        "py" | "pyi" | "rb" | "sh" | "toml" | "yaml" | "yml" | "ex" | "exs" => format!("# {text}"),
        "lua" | "hs" | "sql" => format!("-- {text}"),
        "md" | "html" | "xml" | "vue" | "svelte" => format!("<!-- {text} -->"),
        "css" => format!("/* {text} */"),
        _ => format!("// {text}"),
    }
}

//! Imports: the line a language wants, behind the imports that are there. Where the grammar sees none, it goes to the
//! top, behind what has to stay first. Next: `make`.

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::comment::BYTE_ORDER_MARK;
use super::make::{Made, one_file};
use super::replace::short;
use crate::code::{Language, Role, Source, Types};
use crate::edit::Draft;
use crate::workspace::{Ending, Workspace};

pub(super) fn make(
    workspace: &Workspace,
    draft: &mut Draft<'_>,
    what: &str,
    from: Option<&str>,
    within: &[String],
) -> Result<Made, Trouble> {
    let path = one_file(workspace, within)?;
    let line = line(&path, what, from)?;
    let content = draft.content(&path)?;
    if let Some((at, _)) = (1..).zip(content.lines()).find(|(_, there)| there.trim() == line.trim()) {
        return Err(Trouble::because(format!("“{}” stands in {path}:{at} already.", short(&line))));
    }
    let at = match place(&path, &content) {
        0 if content.starts_with(BYTE_ORDER_MARK) => BYTE_ORDER_MARK.len_utf8(),
        at => at,
    };
    let written = Ending::of(&content).put(&format!("{line}\n"));
    // Behind a last line that was not ended, the import would be part of it.
    let written =
        if at > 0 && !content[..at].ends_with(['\n', BYTE_ORDER_MARK]) { format!("\n{written}") } else { written };
    draft.replace(&path, std::slice::from_ref(&(at..at)), &written)?;
    let notes = taken(&path, &content, what).into_iter().collect();
    Ok(Made { title: format!("Add the import “{}” to {path}", short(line.trim())), notes, of_all: None })
}

/// That something is called so in the file already: of two, nobody could say which is meant.
fn taken(path: &FilePath, content: &str, what: &str) -> Option<String> {
    let name = what.trim_end_matches(';').rsplit([':', '.', '/', ' ']).next()?;
    let source = Source::of(path, content.to_owned())?;
    let (found, _) = source.occurrences(name, &Types::default());
    let is_taken = |role: &Role| matches!(role, Role::Item { imports, declares, .. } if *imports || *declares);
    let there = found.iter().find(|it| is_taken(&it.role))?;
    Some(format!("Something is called “{name}” in {path}:{} already, and two of that name may not fit", there.line))
}

/// The line that imports it. A whole line is taken as it is said.
fn line(path: &FilePath, what: &str, from: Option<&str>) -> Result<String, Trouble> {
    let language = Language::of(path).ok_or_else(|| {
        Trouble::because(format!(
            "How {path} imports things is not known here; say the line, as in: replace \"…\" with \"…\" in {path}."
        ))
    })?;
    let is_whole = ["use ", "import ", "from ", "pub use ", "const "].iter().any(|begin| what.starts_with(begin));
    if is_whole {
        let what = what.trim();
        let end = if language == Language::Rust && !what.ends_with(';') { ";" } else { "" };
        let written = format!("{what}{end}");
        let is_one = imports_something(language, &written);
        let told = || Trouble::because(format!("“{}” is no import as {path} could have it.", short(what)));
        return is_one.then_some(written).ok_or_else(told);
    }
    if what.contains(char::is_whitespace) {
        return Err(Trouble::because(format!("“{}” is no name of something that could be imported.", short(what))));
    }
    Ok(match (language, from) {
        (Language::Rust, None) => format!("use {what};"),
        (Language::Rust, Some(from)) => format!("use {from}::{what};"),
        (Language::Python, None) => format!("import {what}"),
        (Language::Python, Some(from)) => format!("from {from} import {what}"),
        (Language::TypeScript | Language::Script, None) => format!("import {} from \"{what}\";", variable(what)),
        (Language::TypeScript | Language::Script, Some(from)) => format!("import {{ {what} }} from \"{from}\";"),
        (Language::Go, None) => format!("import \"{what}\""),
        (Language::Go, Some(from)) => format!("import {what} \"{from}\""),
    })
}

/// Whether a line imports something and does nothing else.
fn imports_something(language: Language, line: &str) -> bool {
    let Some(tree) = language.parse(line) else { return false };
    let root = tree.root_node();
    let is_import = |kind: &str| IMPORTS.contains(&kind) || kind == "lexical_declaration" || kind.contains("comment");
    root.named_child_count() > 0
        && !root.has_error()
        && root.named_children(&mut root.walk()).all(|node| is_import(node.kind()))
}

/// What a package is called in the code: `lodash` of `lodash`, `fs` of `node:fs`, `dateFns` of `date-fns`.
fn variable(package: &str) -> String {
    let last = package.rsplit(['/', ':']).next().unwrap_or(package);
    let mut parts = last.split(['-', '.']).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &turnwise_core::text::capital(part))
}

/// Where the line goes: the byte behind the last import at the top level.
fn place(path: &FilePath, content: &str) -> usize {
    let root = Language::of(path).and_then(|language| language.parse(content));
    let Some(tree) = root else { return 0 };
    let mut cursor = tree.root_node().walk();
    let (mut behind_imports, mut behind_first) = (None, 0);
    let mut is_first = true;
    for node in tree.root_node().named_children(&mut cursor) {
        let kind = node.kind();
        if IMPORTS.contains(&kind) {
            behind_imports = Some(node.end_byte());
        }
        // Comments at the top, a docstring, inner attributes and the package stay first.
        let is_docstring =
            kind == "expression_statement" && node.named_child(0).is_some_and(|child| child.kind() == "string");
        let stays =
            matches!(kind, "inner_attribute_item" | "package_clause" | "hash_bang_line" | "future_import_statement")
                || is_docstring
                || (kind.contains("comment") && is_head(&content[node.byte_range()]));
        is_first = is_first && stays;
        if is_first {
            behind_first = node.end_byte();
        }
    }
    let at = behind_imports.unwrap_or(behind_first);
    if at == 0 || content[..at].ends_with('\n') {
        return at;
    }
    content[at..].find('\n').map_or(content.len(), |end| at + end + 1)
}

const IMPORTS: [&str; 5] =
    ["use_declaration", "import_statement", "import_from_statement", "import_declaration", "future_import_statement"];

/// A comment about the whole file, which no import may come before.
fn is_head(comment: &str) -> bool {
    comment.starts_with("//!") || comment.starts_with("#!") || comment.starts_with("/*") || comment.starts_with("# -*-")
}

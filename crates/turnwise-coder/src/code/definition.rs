//! Definitions: what a file defines, with the lines it spans and the comment above it. Answers quote them, and a rename
//! says how many there are. Next: `identifier`.

use tree_sitter::Node;
use turnwise_assistant::place::FilePath;

use super::Language;

/// Something a file defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is, in a word.
    pub kind: &'static str,
    /// The file.
    pub path: FilePath,
    /// Its first line, from 1.
    pub first_line: usize,
    /// Its last line.
    pub last_line: usize,
    /// The first line as it is written, without what opens its body.
    pub head: String,
    /// What the comment above it or its docstring says, without its marks.
    pub said: Option<String>,
}

/// What `content` of `path` defines, in order; nothing where the language has no grammar here.
#[must_use]
pub fn definitions(path: &FilePath, content: &str) -> Vec<Definition> {
    let Some(language) = Language::of(path) else { return Vec::new() };
    let Some(tree) = language.parse(content) else { return Vec::new() };
    let lines: Vec<&str> = content.lines().collect();
    let mut found = Vec::new();
    let mut waiting = vec![tree.root_node()];
    while let Some(node) = waiting.pop() {
        if let Some(definition) = definition(language, path, content, &lines, node) {
            found.push(definition);
        }
        // From the last, so that the first is looked at first.
        for at in (0..node.named_child_count()).rev() {
            waiting.extend(u32::try_from(at).ok().and_then(|at| node.named_child(at)));
        }
    }
    found
}

fn definition(
    language: Language,
    path: &FilePath,
    content: &str,
    lines: &[&str],
    node: Node<'_>,
) -> Option<Definition> {
    let kind = language.defines(node.kind())?;
    let name = node.child_by_field_name("name")?.utf8_text(content.as_bytes()).ok()?.to_owned();
    let (first, last) = (node.start_position().row, node.end_position().row);
    let head = lines.get(first).map_or("", |line| line.trim()).trim_end_matches(['{', ' ']).to_owned();
    let said = above(lines, first).or_else(|| docstring(content, node));
    Some(Definition { name, kind, path: path.clone(), first_line: first + 1, last_line: last + 1, head, said })
}

/// The comment that stands right above the line `first`, attributes and decorators passed over.
fn above(lines: &[&str], first: usize) -> Option<String> {
    let is_attribute = |line: &str| line.starts_with("#[") || line.starts_with('@');
    let is_comment = |line: &str| {
        line.starts_with("//") || line.starts_with("/*") || line.starts_with('*') || line.starts_with("# ")
    };
    let mut said: Vec<&str> = Vec::new();
    for line in lines[..first.min(lines.len())].iter().rev().map(|line| line.trim()) {
        if is_comment(line) {
            said.push(line.trim_matches(['/', '*', '!', '#', ' ']));
        } else if !is_attribute(line) || !said.is_empty() {
            break;
        }
    }
    said.reverse();
    // Its first words say what it is; examples and sections stand behind them.
    let first: Vec<&str> =
        said.into_iter().skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    let said = first.join(" ");
    (!said.trim().is_empty()).then(|| said.trim().to_owned())
}

/// The text that a Python body begins with.
fn docstring(content: &str, node: Node<'_>) -> Option<String> {
    let first = node.child_by_field_name("body")?.named_child(0)?;
    let text = match first.kind() {
        "string" => first,
        "expression_statement" => first.named_child(0).filter(|child| child.kind() == "string")?,
        _ => return None,
    };
    let text = text.utf8_text(content.as_bytes()).ok()?;
    let said = text.trim_matches(['"', '\'', 'r']).split_whitespace().collect::<Vec<_>>().join(" ");
    (!said.is_empty()).then_some(said)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[track_caller]
    fn check(name: &str, content: &str, expected: &[(&str, &str, usize, usize)]) -> Vec<Definition> {
        let found = definitions(&FilePath::new(name).unwrap(), content);
        let short: Vec<(&str, &str, usize, usize)> =
            found.iter().map(|d| (d.kind, d.name.as_str(), d.first_line, d.last_line)).collect();
        assert_eq!(short, expected);
        found
    }

    #[test]
    fn each_language_tells_what_it_defines_and_where() {
        let rust =
            "/// Adds one.\n#[must_use]\npub fn next(a: u8) -> u8 {\n    a + 1\n}\n\nstruct Pair {\n    a: u8,\n}\n";
        let found = check("a.rs", rust, &[("function", "next", 3, 5), ("struct", "Pair", 7, 9), ("field", "a", 8, 8)]);
        assert_eq!(found[0].said.as_deref(), Some("Adds one."));
        assert_eq!(found[0].head, "pub fn next(a: u8) -> u8");
        let python = "class Shop:\n    \"\"\"Sells.\"\"\"\n\n    def sell(self):\n        return 1\n";
        let found = check("a.py", python, &[("class", "Shop", 1, 5), ("function", "sell", 4, 5)]);
        assert_eq!(found[0].said.as_deref(), Some("Sells."));
        let script = "export function go() {}\ninterface Car { wheels: number }\nconst fast = () => 1;\n";
        check("a.ts", script, &[("function", "go", 1, 1), ("interface", "Car", 2, 2), ("variable", "fast", 3, 3)]);
        check("a.js", "class A { run() {} }\n", &[("class", "A", 1, 1), ("method", "run", 1, 1)]);
        let go = "package a\n\n// Run runs.\nfunc Run() {}\n\ntype Car struct{ wheels int }\n";
        check("a.go", go, &[("function", "Run", 4, 4), ("type", "Car", 6, 6), ("field", "wheels", 6, 6)]);
    }
}

//! Tokens: what stands in a macro of Rust. It has no tree of its own, so the words around a name have to tell; and its
//! first text may name variables in braces. Next: `rust`.

use std::ops::Range;

use tree_sitter::Node;

use super::binding::seen;
use super::node::ancestor;
use super::{Look, Part, Role, Space, known_types, rust};

/// What a name is in a macro.
pub(super) fn role(look: &Look<'_>, node: Node<'_>) -> Role {
    let content = &look.source.content;
    let (before, after) = (content[..node.start_byte()].trim_end(), content[node.end_byte()..].trim_start());
    if is_bound_here(look, node) {
        return Role::Open;
    }
    if let Some(path) = before.strip_suffix("::") {
        return rust::of_path(look, node, last_path(path));
    }
    if before.ends_with('.') && !before.ends_with("..") {
        let part = if after.starts_with('(') || after.starts_with("::<") { Part::Method } else { Part::Field };
        let owner = chained(look, before.trim_end_matches('.'), node);
        return Role::Member {
            owners: owner.map(|it| known_types::bare(&it)).into_iter().collect(),
            part,
            declares: false,
        };
    }
    let opens = before.ends_with([',', '(', '{']);
    match () {
        () if after.starts_with("::") => rust::reference(Space::Prefix, Vec::new()),
        () if after.starts_with('!') && !after.starts_with("!=") => rust::reference(Space::Macro, Vec::new()),
        // “name = value”: an argument of the macro itself.
        () if opens && after.starts_with('=') && !after.starts_with("==") => Role::Apart,
        // “Cart { total: … }” and “Cart { total }” look like a block here.
        () if opens && after.starts_with(':') => {
            Role::Member { owners: Vec::new(), part: Part::Field, declares: false }
        }
        () if is_in_braces(look, node) && before.ends_with(['{', ',']) && after.starts_with(['}', ',']) => Role::Open,
        () => look.bare(node, Space::Any),
    }
}

/// A name in braces in a text of a macro: `"{total}"`, `"{total:>5}"`, `"{:width$}"`.
pub(super) fn inline_argument(look: &Look<'_>, range: &Range<usize>) -> Option<Role> {
    let source = look.source;
    let text = source.tree.root_node().descendant_for_byte_range(range.start, range.end)?;
    let text = if text.kind() == "string_content" { text.parent()? } else { text };
    let tokens = text.parent().filter(|_| matches!(text.kind(), "string_literal" | "raw_string_literal"))?;
    let content = &source.content;
    if tokens.kind() != "token_tree" || !is_placed(content, &text.byte_range(), range) {
        return None;
    }
    // An argument of this name that is given to the macro is meant before a variable.
    let written = &content[tokens.byte_range()];
    let is_given = super::whole_words(written, &content[range.clone()]).into_iter().any(|at| {
        let after = written[at.end..].trim_start();
        written[..at.start].trim_end().ends_with(',') && after.starts_with('=') && !after.starts_with("==")
    });
    match is_given {
        true => Some(Role::Apart),
        false => match look.bare_at(range, Space::Value) {
            local @ Role::Local { .. } => Some(local),
            // A constant may be named so, too, and so may what no macro reads: the words stay words there.
            _ => content[range.clone()]
                .chars()
                .all(|it| !it.is_lowercase())
                .then(|| rust::reference(Space::Value, Vec::new())),
        },
    }
}

/// Whether the bytes are the name, or the width, of a place in a text to be filled.
fn is_placed(content: &str, text: &Range<usize>, range: &Range<usize>) -> bool {
    let (before, after) = (&content[text.start..range.start], &content[range.end..text.end]);
    let Some(opened) = before.rfind('{') else { return false };
    // “{{” is a brace that is written.
    let braces = before[..=opened].len() - before[..=opened].trim_end_matches('{').len();
    let inside = &before[opened + 1..];
    if braces % 2 == 0 || inside.contains(['}', '"']) {
        return false;
    }
    match inside.is_empty() {
        true => after.starts_with(['}', ':']),
        false => inside.contains(':') && after.starts_with('$'),
    }
}

/// Whether the macro around a name binds that name itself: nobody can tell from where it is seen.
fn is_bound_here(look: &Look<'_>, node: Node<'_>) -> bool {
    let outermost = std::iter::successors(Some(node), Node::parent).skip(1).take_while(|it| it.kind() == "token_tree");
    let Some(tokens) = outermost.last() else { return false };
    let written = &look.source.content[tokens.byte_range()];
    let binds = |at: Range<usize>| {
        let before = written[..at.start].trim_end();
        let word = before.rsplit(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
        before.ends_with('|') && !before.ends_with("||") || matches!(word, "let" | "mut" | "for" | "ref" | "fn")
    };
    super::whole_words(written, look.source.text(node)).into_iter().any(binds)
}

fn is_in_braces(look: &Look<'_>, node: Node<'_>) -> bool {
    let around = ancestor(node, &["token_tree"]).filter(|it| look.source.text(*it).starts_with('{'));
    let before = around.map(|it| look.source.content[..it.start_byte()].trim_end());
    before.is_some_and(|before| before.ends_with(|it: char| it.is_alphanumeric() || it == '_'))
}

/// The path that a text ends with.
fn last_path(text: &str) -> &str {
    let begins = text.rfind(|it: char| !it.is_alphanumeric() && it != '_' && it != ':').map_or(0, |at| at + 1);
    text.get(begins..).unwrap_or_default()
}

/// The type of `self.cart` or `cart.owner` in front of a point.
fn chained(look: &Look<'_>, before: &str, node: Node<'_>) -> Option<String> {
    let begins = before.rfind(|it: char| !it.is_alphanumeric() && it != '_' && it != '.').map_or(0, |at| at + 1);
    let mut names = before.get(begins..)?.split('.');
    let first = names.next().filter(|first| !first.is_empty())?;
    let source = look.source;
    let mut owner = match first {
        "self" => rust::own_type(source, node)?,
        name => {
            let bindings = source.bindings(name);
            known_types::of_binding(source, look.types, seen(&bindings, node.start_byte())?, 0)?
        }
    };
    for name in names {
        owner = look.types.field(&known_types::bare(&owner), name)?;
    }
    Some(owner)
}

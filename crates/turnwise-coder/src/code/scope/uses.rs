//! Uses: what a file brings in, each under the name it has there, and the modules it declares. Only with both can be
//! told whether a path of Rust begins in the workspace or in somebody else's crate. Next: `rules::rename`.

use tree_sitter::Node;

use super::super::Language;
use super::Source;

/// What stands for everything of a path.
pub const ALL_OF_IT: &str = "*";

impl Source {
    /// The names that are brought in, each with its whole path; `*` where all of a path is. Of Python these alone are
    /// known: a name that is brought in by itself is an occurrence.
    #[must_use]
    pub fn uses(&self) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        self.each(&mut |node| match node.kind() {
            "use_declaration" if self.language == Language::Rust => {
                let argument = node.child_by_field_name("argument");
                argument.into_iter().for_each(|it| self.expand(it, &[], &mut found));
            }
            "wildcard_import" if self.language == Language::Python => {
                let module = node.parent().and_then(|it| it.child_by_field_name("module_name"));
                found.extend(module.map(|it| (ALL_OF_IT.to_owned(), super::python::segments(self.text(it)))));
            }
            _ => {}
        });
        found
    }

    /// The modules that are declared, written out or not.
    #[must_use]
    pub fn modules(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.language == Language::Rust {
            self.each(&mut |node| {
                let name = node.child_by_field_name("name").filter(|_| node.kind() == "mod_item");
                found.extend(name.map(|name| self.text(name).to_owned()));
            });
        }
        found
    }

    fn expand(&self, node: Node<'_>, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
        let joined = |node: Option<Node<'_>>| {
            let own = node.map(|it| super::rust::segments(self.text(it))).unwrap_or_default();
            [before, &own].concat()
        };
        match node.kind() {
            "use_list" => {
                node.named_children(&mut node.walk()).for_each(|it| self.expand(it, before, found));
            }
            "scoped_use_list" => {
                let path = joined(node.child_by_field_name("path"));
                let list = node.child_by_field_name("list");
                list.into_iter().for_each(|it| self.expand(it, &path, found));
            }
            "use_as_clause" => {
                let alias = node.child_by_field_name("alias").map(|it| self.text(it).to_owned());
                let path = joined(node.child_by_field_name("path"));
                found.extend(alias.map(|alias| (alias, path)));
            }
            "use_wildcard" => found.push((ALL_OF_IT.to_owned(), joined(node.named_child(0)))),
            _ => {
                let mut path = joined(Some(node));
                // “use std::io::{self}” brings in `io`.
                if path.last().is_some_and(|last| last == "self") {
                    path.pop();
                }
                found.extend(path.last().cloned().map(|name| (name, path)));
            }
        }
    }
}

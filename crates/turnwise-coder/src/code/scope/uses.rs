//! Uses: what a file of Rust brings in by `use`, each under the name it has there, and the modules it declares. Only
//! with both can be told whether a path begins in the workspace or in somebody else's crate. Next: `rules::rename`.

use tree_sitter::Node;

use super::super::Language;
use super::Source;

/// What stands for everything of a path.
pub const ALL_OF_IT: &str = "*";

impl Source {
    /// The names that are brought in, each with its whole path; `*` where all of a path is.
    #[must_use]
    pub fn uses(&self) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        if self.language == Language::Rust {
            self.each(&mut |node| {
                if node.kind() == "use_declaration" {
                    let argument = node.child_by_field_name("argument");
                    argument.into_iter().for_each(|it| self.expand(it, &[], &mut found));
                }
            });
        }
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

    /// The function of Python of which a variable is a parameter, with the class that is a part of; none where nothing
    /// outside can call it by its name.
    #[must_use]
    pub fn function_of_parameter(&self, at: &std::ops::Range<usize>) -> Option<(String, Option<String>)> {
        super::python::function_of_parameter(self, self.name_at(at).filter(|_| self.language == Language::Python)?)
    }

    /// The module of Python that a name is brought in from.
    #[must_use]
    pub fn module_of(&self, name: &str) -> Option<Vec<String>> {
        super::python::module_of(self, name)
    }

    /// The type that the function around a place is a part of.
    #[must_use]
    pub fn type_at(&self, at: usize) -> Option<String> {
        let node = self.tree.root_node().descendant_for_byte_range(at, at)?;
        match self.language {
            Language::Go => super::go::receiver(self, super::node::ancestor(node, &["method_declaration"])?),
            _ => super::known_types::own_type(self, node),
        }
    }

    /// The call of a macro around a place.
    #[must_use]
    pub fn macro_at(&self, at: usize) -> Option<std::ops::Range<usize>> {
        let node = self.tree.root_node().descendant_for_byte_range(at, at)?;
        super::node::ancestor(node, &["macro_invocation"]).map(|it| it.byte_range())
    }

    fn each<'t>(&'t self, look: &mut dyn FnMut(Node<'t>)) {
        let mut waiting = vec![self.tree.root_node()];
        while let Some(node) = waiting.pop() {
            look(node);
            let count = u32::try_from(node.named_child_count()).unwrap_or(u32::MAX);
            waiting.extend((0..count).filter_map(|at| node.named_child(at)));
        }
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

//! Scopes: what each occurrence of a name is. A variable belongs to where it can be seen, a part of a type to its type,
//! everything else to its file; what cannot be told is said to be open. Next: `rust` for a language, `known_types` for
//! how the type of a receiver is known, `rules::rename` for who asks.

mod binding;
mod go;
mod known_types;
mod node;
mod python;
mod rust;
mod script;
mod tokens;
mod uses;

use std::ops::Range;

use tree_sitter::{Node, Tree};
use turnwise_assistant::place::FilePath;

use super::Language;
use super::identifier::{self, whole_words};
use binding::Binding;
pub use known_types::{Owner, Types};
pub use uses::ALL_OF_IT;

/// A file that was parsed.
#[derive(Clone, Debug)]
pub struct Source {
    pub(super) language: Language,
    pub(super) content: String,
    pub(super) tree: Tree,
}

/// One place at which a name stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes it takes up.
    pub range: Range<usize>,
    /// The line, from 1.
    pub line: usize,
    /// What it is there.
    pub role: Role,
    /// Whether one word stands for a variable and a part at once: `Cart { total }`.
    pub is_short: bool,
}

/// What a name is at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A variable or a parameter.
    Local {
        /// The bytes at which it can be seen: no two variables of one name have the same.
        visible: Range<usize>,
        /// Whether it is defined here.
        declares: bool,
    },
    /// What a file defines, or uses from another.
    Item {
        /// Among what it is looked for.
        space: Space,
        /// Whether it is defined here.
        declares: bool,
        /// Whether it is brought in from another file here.
        imports: bool,
        /// What it is said to be in: `a` and `b` of `a::b::total`.
        path: Vec<String>,
    },
    /// A part of a type.
    Member {
        /// The types it may be of; none where they cannot be told.
        owners: Vec<String>,
        /// What kind of part.
        part: Part,
        /// Whether it is defined here.
        declares: bool,
    },
    /// The name of an argument in a call: a parameter of what is called.
    Argument {
        /// What is called, by its own name.
        function: String,
        /// What that is a part of.
        of: Called,
    },
    /// It cannot be told.
    Open,
    /// No name that could be renamed with others: a label, the name of an argument of a macro.
    Apart,
}

/// What a function that is called is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Called {
    /// It stands by itself.
    Bare,
    /// Of a module.
    Module(Vec<String>),
    /// Of one of these types; none where they cannot be told.
    Type(Vec<String>),
}

/// Among what a name is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Functions and constants.
    Value,
    /// Types.
    Type,
    /// Modules.
    Module,
    /// Macros.
    Macro,
    /// What has parts: a type or a module.
    Prefix,
    /// All of these.
    Any,
}

/// What kind of part of a type a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A field.
    Field,
    /// A method.
    Method,
    /// One of an enumeration, or a constant.
    Variant,
    /// Named by a path: a method or a variant.
    Path,
    /// A language that tells no fields from methods.
    Any,
}

impl Source {
    /// Parses a file; none where its language has no grammar here.
    #[must_use]
    pub fn of(path: &FilePath, content: String) -> Option<Self> {
        let language = Language::of(path)?;
        let tree = language.parse(&content)?;
        Some(Self { language, content, tree })
    }

    /// The language it is written in.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// What each occurrence of `name` is, in order; with the lines at which it is a word of a comment or text.
    #[must_use]
    pub fn occurrences(&self, name: &str, types: &Types) -> (Vec<Occurrence>, Vec<usize>) {
        let bindings = self.bindings(name);
        let look = Look { source: self, types, bindings };
        let (mut found, mut words) = (Vec::new(), Vec::new());
        for range in whole_words(&self.content, name) {
            let line = self.line_at(range.start);
            let roles = match self.name_at(&range) {
                Some(node) => look.roles(node),
                None => tokens::inline_argument(&look, &range).into_iter().collect(),
            };
            if roles.is_empty() {
                words.push(line);
            }
            let is_short = roles.len() > 1;
            let occurrence = |role| Occurrence { range: range.clone(), line, role, is_short };
            found.extend(roles.into_iter().map(occurrence));
        }
        words.dedup();
        (found, words)
    }

    /// The innermost function around a place.
    #[must_use]
    pub fn function_at(&self, at: usize) -> Option<String> {
        let node = self.tree.root_node().descendant_for_byte_range(at, at)?;
        let around = node::ancestor(node, &FUNCTIONS)?;
        Some(self.text(around.child_by_field_name("name")?).to_owned())
    }

    /// The innermost module written out in this file around a place; the whole file where there is none.
    #[must_use]
    pub fn module_at(&self, at: usize) -> (Option<String>, Range<usize>) {
        let root = self.tree.root_node();
        let found = root.descendant_for_byte_range(at, at);
        // A module's own name stands outside of it.
        let body = found.and_then(|node| {
            node::ancestor_where(node, |it| {
                it.kind() == "declaration_list" && it.parent().is_some_and(|it| it.kind() == "mod_item")
            })
        });
        let module = body.and_then(|body| body.parent());
        let name = module.and_then(|it| it.child_by_field_name("name")).map(|name| self.text(name).to_owned());
        (name, body.map_or(0..self.content.len(), |body| body.byte_range()))
    }

    /// Whether a module that is defined at a place is a file of its own.
    #[must_use]
    pub fn is_file_module(&self, at: &Range<usize>) -> bool {
        let parent = self.name_at(at).and_then(|node| node.parent());
        parent.is_some_and(|it| it.kind() == "mod_item" && it.child_by_field_name("body").is_none())
    }

    /// What a definition is called, in a word for people.
    #[must_use]
    pub fn kind_at(&self, at: &Range<usize>) -> Option<&'static str> {
        self.name_at(at)?.parent().and_then(|parent| self.language.defines(parent.kind()))
    }

    /// The function of Python of which a variable is a parameter, with the class that is a part of; none where nothing
    /// outside can call it by its name.
    #[must_use]
    pub fn function_of_parameter(&self, at: &Range<usize>) -> Option<(String, Option<String>)> {
        python::function_of_parameter(self, self.name_at(at).filter(|_| self.language == Language::Python)?)
    }

    /// The module of Python that a name is brought in from.
    #[must_use]
    pub fn module_of(&self, name: &str) -> Option<Vec<String>> {
        python::module_of(self, name)
    }

    /// The type that the function around a place is a part of.
    #[must_use]
    pub fn type_at(&self, at: usize) -> Option<String> {
        let node = self.tree.root_node().descendant_for_byte_range(at, at)?;
        match self.language {
            Language::Go => go::receiver(self, node::ancestor(node, &["method_declaration"])?),
            _ => known_types::own_type(self, node),
        }
    }

    /// The call of a macro around a place.
    #[must_use]
    pub fn macro_at(&self, at: usize) -> Option<Range<usize>> {
        let node = self.tree.root_node().descendant_for_byte_range(at, at)?;
        node::ancestor(node, &["macro_invocation"]).map(|it| it.byte_range())
    }

    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.content.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn line_at(&self, at: usize) -> usize {
        identifier::line_at(&self.content, at)
    }

    /// The node that is a name and takes up just these bytes.
    fn name_at(&self, range: &Range<usize>) -> Option<Node<'_>> {
        identifier::name_at(self.tree.root_node(), range)
    }

    /// Shows every node that has a name.
    fn each<'t>(&'t self, look: &mut dyn FnMut(Node<'t>)) {
        let mut waiting = vec![self.tree.root_node()];
        while let Some(node) = waiting.pop() {
            look(node);
            let count = u32::try_from(node.named_child_count()).unwrap_or(u32::MAX);
            waiting.extend((0..count).filter_map(|at| node.named_child(at)));
        }
    }

    fn bindings(&self, name: &str) -> Vec<Binding<'_>> {
        let nodes = whole_words(&self.content, name).into_iter().filter_map(|range| self.name_at(&range));
        let bindings = nodes.filter_map(|node| self.binding(node)).collect();
        binding::merged(bindings, self.language)
    }

    fn binding<'t>(&'t self, node: Node<'t>) -> Option<Binding<'t>> {
        match self.language {
            Language::Rust => rust::binding(self, node),
            Language::Python => python::binding(self, node),
            Language::TypeScript | Language::Script => script::binding(node),
            Language::Go => go::binding(self, node),
        }
    }
}

/// Nodes that are functions with names.
const FUNCTIONS: [&str; 6] = [
    "function_item",
    "function_definition",
    "function_declaration",
    "method_definition",
    "method_declaration",
    "generator_function_declaration",
];

/// What a name is looked at with.
pub(super) struct Look<'a> {
    source: &'a Source,
    types: &'a Types,
    bindings: Vec<Binding<'a>>,
}

impl Look<'_> {
    /// What a name is; twice where one word stands for two.
    fn roles(&self, node: Node<'_>) -> Vec<Role> {
        match self.source.language {
            Language::Rust => rust::roles(self, node),
            Language::Python => python::roles(self, node),
            Language::TypeScript | Language::Script => script::roles(self, node),
            Language::Go => go::roles(self, node),
        }
    }

    /// The variable that is defined or seen here; what a file defines where there is none.
    fn bare(&self, node: Node<'_>, space: Space) -> Role {
        self.bare_at(&node.byte_range(), space)
    }

    fn bare_at(&self, at: &Range<usize>, space: Space) -> Role {
        if let Some(declared) = self.bindings.iter().find(|binding| binding.at == *at) {
            return Role::Local { visible: declared.visible.clone(), declares: true };
        }
        match binding::seen(&self.bindings, at.start) {
            Some(binding) => Role::Local { visible: binding.visible.clone(), declares: false },
            None => Role::Item { space, declares: false, imports: false, path: Vec::new() },
        }
    }

    /// A part of what an expression comes to.
    fn part_of(&self, receiver: Option<Node<'_>>, part: Part) -> Role {
        let Some(receiver) = receiver else { return Role::Member { owners: Vec::new(), part, declares: false } };
        if let Some(owners) = rust::of_any_self(self.source, receiver) {
            return Role::Member { owners, part, declares: false };
        }
        self.part_of_type(known_types::of(self.source, self.types, receiver, 0), receiver, part)
    }

    /// A part of a type as it is written, seen from `at`.
    fn part_of_type(&self, written: Option<String>, at: Node<'_>, part: Part) -> Role {
        let owners = written.and_then(|written| {
            let several = rust::several(self.source, &written);
            let owner = match several.as_slice() {
                [] | [_] => known_types::single(&written)?,
                _ => return Some(several),
            };
            // A type that is a parameter may be any that keeps what is asked of it.
            let bindings = self.source.bindings(&owner);
            match binding::seen(&bindings, at.start_byte()) {
                Some(binding) => rust::bounds(self.source, binding),
                None => Some(vec![owner]),
            }
        });
        Role::Member { owners: owners.unwrap_or_default(), part, declares: false }
    }
}

/// A definition of a file.
fn declared(space: Space) -> Role {
    Role::Item { space, declares: true, imports: false, path: Vec::new() }
}

/// A definition of a part.
fn declared_part(owners: Vec<String>, part: Part) -> Role {
    Role::Member { owners, part, declares: true }
}

#[cfg(test)]
mod tests;

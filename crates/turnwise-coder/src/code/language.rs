//! Languages: those whose grammar is built in, by the ending of a file. What has no grammar here is searched by words,
//! and an answer says so. Next: `definition`.

use tree_sitter::{Parser, Tree};
use turnwise_assistant::place::FilePath;

/// A language whose grammar is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// TypeScript.
    TypeScript,
    /// TypeScript with markup, and JavaScript, which is a part of it.
    Script,
    /// Go.
    Go,
}

/// Endings of files that are code, with or without a grammar here.
const CODE: [&str; 34] = [
    "rs", "py", "pyi", "ts", "mts", "cts", "tsx", "js", "jsx", "mjs", "cjs", "go", "java", "kt", "kts", "scala", "c",
    "h", "cc", "cpp", "hpp", "cs", "rb", "php", "swift", "dart", "ex", "exs", "hs", "lua", "zig", "vue", "svelte",
    "sh",
];

/// Whether a file holds code.
#[must_use]
pub fn is_code(path: &FilePath) -> bool {
    CODE.contains(&path.ending().as_str())
}

/// Whether a text is a name that code could have.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
}

impl Language {
    /// The language of a file, if it has a grammar here.
    #[must_use]
    pub fn of(path: &FilePath) -> Option<Self> {
        match path.ending().as_str() {
            "rs" => Some(Self::Rust),
            "py" | "pyi" => Some(Self::Python),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" | "js" | "jsx" | "mjs" | "cjs" => Some(Self::Script),
            "go" => Some(Self::Go),
            _ => None,
        }
    }

    /// The tree of a text. None only if the grammar does not fit the library, which a test would show.
    pub(crate) fn parse(self, content: &str) -> Option<Tree> {
        let grammar: tree_sitter::Language = match self {
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Script => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
        };
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        parser.parse(content, None)
    }

    /// What a node of the grammar defines, in a word for people.
    pub(super) fn defines(self, kind: &str) -> Option<&'static str> {
        let table: &[(&str, &str)] = match self {
            Self::Rust => RUST,
            Self::Python => PYTHON,
            Self::TypeScript | Self::Script => SCRIPT,
            Self::Go => GO,
        };
        table.iter().find(|(node, _)| *node == kind).map(|(_, word)| *word)
    }
}

const RUST: &[(&str, &str)] = &[
    ("function_item", "function"),
    ("function_signature_item", "function"),
    ("struct_item", "struct"),
    ("enum_item", "enum"),
    ("union_item", "union"),
    ("trait_item", "trait"),
    ("mod_item", "module"),
    ("const_item", "constant"),
    ("static_item", "static"),
    ("type_item", "type"),
    ("macro_definition", "macro"),
    ("enum_variant", "variant"),
    ("field_declaration", "field"),
];

const PYTHON: &[(&str, &str)] = &[("function_definition", "function"), ("class_definition", "class")];

const SCRIPT: &[(&str, &str)] = &[
    ("function_declaration", "function"),
    ("generator_function_declaration", "function"),
    ("function_signature", "function"),
    ("class_declaration", "class"),
    ("abstract_class_declaration", "class"),
    ("interface_declaration", "interface"),
    ("type_alias_declaration", "type"),
    ("enum_declaration", "enum"),
    ("method_definition", "method"),
    ("variable_declarator", "variable"),
];

const GO: &[(&str, &str)] = &[
    ("function_declaration", "function"),
    ("method_declaration", "method"),
    ("type_spec", "type"),
    ("const_spec", "constant"),
    ("var_spec", "variable"),
    ("field_declaration", "field"),
];

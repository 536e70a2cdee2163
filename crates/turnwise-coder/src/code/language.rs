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

/// Whether a name is a word of the language a file is written in, so that nothing can be called that. Where no grammar
/// is built in, the words that most languages have count.
#[must_use]
pub fn is_keyword(path: &FilePath, name: &str) -> bool {
    let words = match Language::of(path) {
        Some(Language::Rust) => RUST_WORDS,
        Some(Language::Python) => PYTHON_WORDS,
        Some(Language::TypeScript | Language::Script) => SCRIPT_WORDS,
        Some(Language::Go) => GO_WORDS,
        None => COMMON_WORDS,
    };
    words.split_whitespace().any(|word| word == name)
}

const RUST_WORDS: &str = "_ Self abstract as async await become box break const continue crate do dyn else enum extern \
                          false final fn for gen if impl in let loop macro match mod move mut override priv pub ref \
                          return self static struct super trait true try type typeof unsafe unsized use virtual where \
                          while yield";
const PYTHON_WORDS: &str = "False None True and as assert async await break class continue def del elif else except \
                            finally for from global if import in is lambda nonlocal not or pass raise return try \
                            while with yield";
const SCRIPT_WORDS: &str = "arguments await break case catch class const continue debugger default delete do else enum \
                            eval export extends false finally for function if implements import in instanceof \
                            interface let new null package private protected public return static super switch this \
                            throw true try typeof var void while with yield";
const GO_WORDS: &str = "_ break case chan const continue default defer else fallthrough for func go goto if import \
                        interface map package range return select struct switch type var";
const COMMON_WORDS: &str = "break case catch class const continue do else enum false for if import new null private \
                            protected public return static struct super switch this throw true try void while";

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

    /// Whether names of one mean names of the other.
    #[must_use]
    pub fn is_kin_of(self, other: Self) -> bool {
        let is_script = |it: Self| matches!(it, Self::TypeScript | Self::Script);
        self == other || (is_script(self) && is_script(other))
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

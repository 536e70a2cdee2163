//! Types: what an expression comes to, as far as it is written down: a type that is named, a field or a function whose
//! type is. What would take a compiler is not known, and not guessed. Next: `rust`, `python`, `script`, `go`.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::super::Language;
use super::binding::{Binding, seen};
use super::{Source, go, python, rust, script};

/// The types of fields and of what functions give, over all files that were read.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// By owner and name.
    fields: BTreeMap<(String, String), String>,
    /// By owner, empty for a function of its own, and name.
    returns: BTreeMap<(String, String), String>,
    /// Types, and what they are built on.
    supers: BTreeMap<String, BTreeSet<String>>,
    /// Other names for types, each with the type as it is written.
    aliases: BTreeMap<String, String>,
    /// Types that others are one of without saying so.
    open: BTreeSet<String>,
}

/// What a written type is, seen from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// It is defined in what was read.
    Ours(String),
    /// Its parts are known to be none of ours, but those that are given to it by name.
    Theirs(String),
    /// It cannot be told: it may give parts of ours as its own.
    Open(String),
}

impl Types {
    /// Takes in what a file says.
    pub fn read(&mut self, source: &Source) {
        source.each(&mut |node| match source.language {
            Language::Rust => rust::read(self, source, node),
            Language::Python => python::read(self, source, node),
            Language::TypeScript | Language::Script => script::read(self, source, node),
            Language::Go => go::read(self, source, node),
        });
    }

    pub(super) fn put_alias(&mut self, name: String, of: String) {
        self.aliases.insert(name, of);
    }

    pub(super) fn put_open(&mut self, name: Option<String>) {
        self.open.extend(name);
    }

    /// Whether others are of this type without saying so.
    #[must_use]
    pub fn is_open(&self, name: &str) -> bool {
        self.open.contains(name)
    }

    /// What a type is that is written like this.
    #[must_use]
    pub fn owner(&self, written: &str) -> Owner {
        let mut written = written;
        for _ in 0..ALIASES_MAX {
            match self.aliases.get(&bare(written)) {
                Some(of) => written = of,
                None => break,
            }
        }
        let name = bare(written);
        match () {
            () if single(written).is_none() => Owner::Open(name),
            () if self.is_declared(&name) => Owner::Ours(name),
            () if KNOWN.contains(&name.as_str()) => Owner::Theirs(name),
            () => Owner::Open(name),
        }
    }

    /// What every type is built on.
    #[must_use]
    pub fn supers_of_any(&self) -> BTreeSet<String> {
        self.with_supers(ANY)
    }

    pub(super) fn declare(&mut self, name: Option<String>) {
        if let Some(name) = name {
            self.supers.entry(name).or_default();
        }
    }

    pub(super) fn build_on(&mut self, name: &str, on: impl IntoIterator<Item = String>) {
        self.supers.entry(name.to_owned()).or_default().extend(on);
    }

    pub(super) fn put_field(&mut self, owner: Option<String>, name: Option<String>, typed: Option<String>) {
        if let (Some(owner), Some(name), Some(typed)) = (owner, name, typed) {
            self.fields.insert((owner, name), typed);
        }
    }

    pub(super) fn put_return(&mut self, owner: String, name: Option<String>, typed: Option<String>) {
        if let (Some(name), Some(typed)) = (name, typed) {
            self.returns.insert((owner, name), typed);
        }
    }

    pub(super) fn field(&self, owner: &str, name: &str) -> Option<String> {
        self.with_supers(owner).iter().find_map(|it| self.fields.get(&(it.clone(), name.to_owned())).cloned())
    }

    fn given(&self, owner: &str, name: &str) -> Option<String> {
        self.with_supers(owner).iter().find_map(|it| self.returns.get(&(it.clone(), name.to_owned())).cloned())
    }

    /// A type and all it is built on.
    #[must_use]
    pub fn with_supers(&self, name: &str) -> BTreeSet<String> {
        let mut all = BTreeSet::from([name.to_owned()]);
        let mut waiting = vec![name.to_owned()];
        while let Some(supers) = waiting.pop().and_then(|name| self.supers.get(&name)) {
            waiting.extend(supers.iter().filter(|it| all.insert((*it).clone())).cloned());
        }
        all
    }

    /// Whether a type is defined in what was read.
    #[must_use]
    pub fn is_declared(&self, name: &str) -> bool {
        self.supers.contains_key(name)
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// Names that a type is followed through.
const ALIASES_MAX: usize = 4;
/// What stands for every type, where something is given to all of them.
pub(super) const ANY: &str = "*";
/// Types of the languages themselves that give nothing of what they hold as their own.
const KNOWN: [&str; 57] = [
    "", "literal", "str", "String", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
    "i64", "i128", "isize", "f32", "f64", "Vec", "VecDeque", "Option", "Result", "HashMap", "HashSet", "BTreeMap",
    "BTreeSet", "Path", "PathBuf", "OsString", "Duration", "Instant", "int", "float", "bytes", "list", "dict", "set",
    "tuple", "List", "Dict", "Set", "Tuple", "string", "number", "boolean", "Array", "Map", "Date", "RegExp", "error",
    "byte", "rune", "int64", "uint64", "float64",
];

/// Calls that an expression is followed through.
const DEPTH_MAX: usize = 12;

/// The type of an expression as it is written somewhere.
pub(super) fn of(source: &Source, types: &Types, node: Node<'_>, depth: usize) -> Option<String> {
    if depth > DEPTH_MAX {
        return None;
    }
    let field = |name: &str| node.child_by_field_name(name);
    let inner = |node: Node<'_>| of(source, types, node, depth + 1);
    match node.kind() {
        "self" | "this" => own_type(source, node),
        "super" => Some(source.text(script::base(node)?).to_owned()),
        "identifier" => of_name(source, types, node, depth),
        "field_expression" | "member_expression" | "attribute" | "selector_expression" => {
            let (owner, name) = receiver(node)?;
            types.field(&bare(&inner(owner)?), source.text(name))
        }
        "call_expression" | "call" => of_call(source, types, field("function")?, depth + 1),
        "struct_expression" => Some(rust::type_named(source, source.text(field("name")?), node)),
        "composite_literal" => Some(source.text(field("type")?).to_owned()),
        "new_expression" => Some(source.text(field("constructor")?).to_owned()),
        "reference_expression" | "parenthesized_expression" | "unary_expression" | "mut_pattern" => {
            inner(node.named_child(u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?)?)
        }
        "try_expression" | "await_expression" | "await" | "non_null_expression" => {
            inner(node.named_child(0)?).map(|typed| unwrapped(&typed))
        }
        "as_expression" | "type_cast_expression" => Some(source.text(node.named_child(1)?).to_owned()),
        // What is written out has no parts of ours.
        kind if kind.ends_with("_literal") => Some("literal".to_owned()),
        "string" | "integer" | "float" | "number" | "list" | "dictionary" | "template_string" | "array" => {
            Some("literal".to_owned())
        }
        _ => None,
    }
}

/// What an access is to, and the name of the part.
fn receiver(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let first = |names: [&str; 3]| names.iter().find_map(|name| node.child_by_field_name(name));
    let owner = first(["value", "object", "operand"])?;
    let name = match node.kind() {
        "member_expression" => node.child_by_field_name("property")?,
        "attribute" => node.child_by_field_name("attribute")?,
        _ => node.child_by_field_name("field")?,
    };
    Some((owner, name))
}

fn of_name(source: &Source, types: &Types, node: Node<'_>, depth: usize) -> Option<String> {
    let name = source.text(node);
    if matches!(name, "self" | "cls") && source.language == Language::Python {
        return own_type(source, node);
    }
    let bindings = source.bindings(name);
    match seen(&bindings, node.start_byte()) {
        Some(binding) => of_binding(source, types, binding, depth),
        // A class by its own name, or what the file makes of it for good.
        None => types.is_declared(name).then(|| name.to_owned()).or_else(|| of_file(source, types, name, depth)),
    }
}

/// The type of what a file defines once.
fn of_file(source: &Source, types: &Types, name: &str, depth: usize) -> Option<String> {
    let (typed, value) = match source.language {
        Language::TypeScript | Language::Script => script::of_file(source, name)?,
        Language::Python => (None, Some(python::made_once(source, name)?)),
        Language::Rust | Language::Go => return None,
    };
    match typed {
        Some(typed) => Some(source.text(typed).trim_start_matches([':', ' ']).to_owned()),
        None => of(source, types, value?, depth + 1),
    }
}

/// The type of a variable.
pub(super) fn of_binding(source: &Source, types: &Types, binding: &Binding<'_>, depth: usize) -> Option<String> {
    if let Some(typed) = binding.typed {
        let written = source.text(typed).trim_start_matches([':', ' ']);
        let is_rust = source.language == Language::Rust;
        return Some(if is_rust { rust::with_self(source, written, typed) } else { written.to_owned() });
    }
    let made = of(source, types, binding.value?, depth + 1)?;
    if binding.is_element { element(&made) } else { Some(made) }
}

fn of_call(source: &Source, types: &Types, called: Node<'_>, depth: usize) -> Option<String> {
    let name = |node: Node<'_>| source.text(node).to_owned();
    match called.kind() {
        "identifier" | "type_identifier" => {
            let name = name(called);
            if name == "super" && source.language == Language::Python {
                return python::base(source, called);
            }
            let known = types.given("", &name);
            known.or_else(|| types.is_declared(&name).then_some(name))
        }
        "scoped_identifier" => {
            let (path, last) = (called.child_by_field_name("path")?, called.child_by_field_name("name")?);
            let owner = rust::type_named(source, source.text(path), called);
            if !owner.starts_with(char::is_uppercase) {
                return types.given("", &name(last));
            }
            // What makes a type of somebody else gives that type, mostly; it is none of ours in any case.
            types.given(&owner, &name(last)).or_else(|| (!types.is_declared(&owner)).then_some(owner))
        }
        "generic_function" => of_call(source, types, called.child_by_field_name("function")?, depth + 1),
        "field_expression" | "member_expression" | "attribute" | "selector_expression" => {
            let (receiver, last) = receiver(called)?;
            let owner = of(source, types, receiver, depth + 1)?;
            match source.text(last) {
                "clone" | "iter" | "iter_mut" | "into_iter" | "as_ref" | "as_mut" | "borrow" => Some(owner),
                "unwrap" | "expect" | "unwrap_or_default" => Some(unwrapped(&owner)),
                last => types.given(&bare(&owner), last),
            }
        }
        _ => None,
    }
}

/// The type around a place.
pub(super) fn own_type(source: &Source, node: Node<'_>) -> Option<String> {
    match source.language {
        Language::Rust => rust::own_type(source, node),
        Language::Python => python::own_type(source, node),
        Language::TypeScript | Language::Script => script::own_type(source, node),
        Language::Go => None,
    }
}

/// The name of a type without what is around it: `&mut Box<shop::Cart<'_>>` is a `Cart`.
pub(super) fn bare(written: &str) -> String {
    let mut text = written.trim_matches(['"', '\'', ' ', ':']);
    while let Some(rest) = ["&", "*", "mut ", "dyn ", "impl "].iter().find_map(|it| text.strip_prefix(it)) {
        text = rest.trim_start();
        if let Some(lifetime) = text.strip_prefix('\'') {
            text = lifetime.split_once(' ').map_or("", |(_, rest)| rest);
        }
    }
    let text = text.split('|').map(str::trim).find(|it| !EMPTY.contains(it)).unwrap_or(text);
    let text = text.split(" + ").next().unwrap_or(text);
    let (head, inside) = text.split_once(['<', '[']).unwrap_or((text, ""));
    let head = head.trim().rsplit(['.', ':']).next().unwrap_or(head);
    match POINTERS.contains(&head) && !inside.is_empty() {
        true => bare(inside.trim_end_matches(['>', ']'])),
        false => head.trim().to_owned(),
    }
}

/// The name of a type that is one; none of several of which it may be any.
pub(super) fn single(written: &str) -> Option<String> {
    let several = written.split('|').map(str::trim).filter(|it| !EMPTY.contains(it)).count() > 1;
    (!several).then(|| bare(written))
}

/// What stands for nothing in a type of several.
const EMPTY: [&str; 4] = ["None", "null", "undefined", ""];
/// What gives the parts of what it holds as its own.
const POINTERS: [&str; 5] = ["Box", "Rc", "Arc", "Optional", "Readonly"];

/// What is in an `Option<…>`, a `Result<…, …>` or a promise.
fn unwrapped(written: &str) -> String {
    let inside = ["Option<", "Result<", "Promise<"].iter().find_map(|it| written.trim().strip_prefix(it));
    inside.map_or(written.to_owned(), |inside| first_argument(inside.trim_end_matches('>')).to_owned())
}

/// What a list holds.
fn element(written: &str) -> Option<String> {
    let text = written.trim().trim_start_matches(['&', '*']).trim();
    let text = text.strip_prefix("mut ").unwrap_or(text);
    if let Some(items) = text.strip_suffix("[]").or_else(|| text.strip_prefix("[]")) {
        return Some(items.to_owned());
    }
    let (head, inside) = text.split_once(['<', '['])?;
    let inside = inside.trim_end_matches(['>', ']']);
    let items = inside.split(';').next().unwrap_or(inside);
    // Of a map nobody says which of the two is meant.
    (first_argument(items) == items && !head.contains("Option")).then(|| items.trim().to_owned())
}

/// The first of several arguments of a type.
fn first_argument(inside: &str) -> &str {
    let mut depth = 0_i32;
    let comma = inside.char_indices().find(|(_, letter)| {
        depth += i32::from(matches!(letter, '<' | '[' | '(')) - i32::from(matches!(letter, '>' | ']' | ')'));
        depth == 0 && *letter == ','
    });
    comma.map_or(inside, |(at, _)| inside[..at].trim())
}

//! Rust: its patterns, its paths, and what stands in a macro. A pattern defines and refers in one, so each of its names
//! is looked at by where it stands in it. Next: `tokens`.

use tree_sitter::Node;

use super::binding::Binding;
use super::node::{ancestor, is_field};
use super::{Look, Part, Role, Source, Space, Types, declared, declared_part, known_types, tokens};

/// Patterns inside patterns.
const PATTERNS: [&str; 10] = [
    "tuple_pattern",
    "tuple_struct_pattern",
    "struct_pattern",
    "field_pattern",
    "ref_pattern",
    "reference_pattern",
    "mut_pattern",
    "or_pattern",
    "captured_pattern",
    "slice_pattern",
];

pub(super) fn binding<'t>(source: &'t Source, node: Node<'t>) -> Option<Binding<'t>> {
    if node.parent()?.kind() == "type_parameter" {
        return Some(Binding::new(node, node.parent()?.parent()?.parent()?.byte_range()));
    }
    let is_variable = matches!(node.kind(), "identifier" | "shorthand_field_identifier");
    // In a pattern a capital begins what is defined elsewhere: `None`, `MAX`.
    if !is_variable || source.text(node).starts_with(char::is_uppercase) {
        return None;
    }
    let (mut child, mut parent, mut is_whole) = (node, node.parent()?, true);
    while PATTERNS.contains(&parent.kind()) {
        let is_name = is_field(parent, "type", child)
            || (is_field(parent, "name", child) && parent.child_by_field_name("pattern").is_some());
        if is_name {
            return None;
        }
        is_whole &= matches!(parent.kind(), "mut_pattern" | "ref_pattern" | "reference_pattern");
        (child, parent) = (parent, parent.parent()?);
    }
    let found = bound(node, child, parent)?;
    Some(if is_whole { found } else { Binding::new(node, found.visible) })
}

/// What binds the pattern `child`.
fn bound<'t>(node: Node<'t>, child: Node<'t>, parent: Node<'t>) -> Option<Binding<'t>> {
    let of = |field: &str| parent.child_by_field_name(field);
    let is_pattern = is_field(parent, "pattern", child);
    let visible = match parent.kind() {
        "let_declaration" if is_pattern => parent.end_byte()..ancestor(parent, &["block"])?.end_byte(),
        "let_condition" if is_pattern => {
            let holder = ancestor(parent, &["if_expression", "while_expression", "match_arm"])?;
            let body = holder.child_by_field_name("consequence").or_else(|| holder.child_by_field_name("body"));
            parent.end_byte()..body.unwrap_or(holder).end_byte()
        }
        "for_expression" if is_pattern => of("body")?.byte_range(),
        "match_pattern" if !is_field(parent, "condition", child) => parent.parent()?.byte_range(),
        "parameter" if is_pattern => body_of(ancestor(parent, &FUNCTIONS)?),
        "closure_parameters" => body_of(parent.parent()?),
        _ => return None,
    };
    let is_element = parent.kind() == "for_expression";
    Some(Binding { typed: of("type"), value: of("value"), is_element, ..Binding::new(node, visible) })
}

const FUNCTIONS: [&str; 3] = ["function_item", "function_signature_item", "closure_expression"];

fn body_of(function: Node<'_>) -> std::ops::Range<usize> {
    function.child_by_field_name("body").unwrap_or(function).byte_range()
}

pub(super) fn roles(look: &Look<'_>, node: Node<'_>) -> Vec<Role> {
    let Some(parent) = node.parent() else { return Vec::new() };
    let is = |field: &str| is_field(parent, field, node);
    let one = match parent.kind() {
        "token_tree" => tokens::role(look, node),
        "label" | "lifetime" | "token_tree_pattern" | "token_binding_pattern" => Role::Apart,
        "shorthand_field_initializer" => return vec![look.bare(node, Space::Value), field_of_literal(look, parent)],
        "field_pattern" if node.kind() == "shorthand_field_identifier" => {
            return vec![look.bare(node, Space::Value), field_of_pattern(look, parent)];
        }
        "field_pattern" if is("name") => field_of_pattern(look, parent),
        "field_initializer" if is("field") => field_of_literal(look, parent),
        "field_expression" if is("field") => {
            let is_call = parent.parent().is_some_and(|it| is_field(it, "function", parent));
            look.part_of(parent.child_by_field_name("value"), if is_call { Part::Method } else { Part::Field })
        }
        "macro_invocation" if is("macro") => reference(Space::Macro, Vec::new()),
        "scoped_identifier" | "scoped_type_identifier" => in_path(look, node, parent, is("name")),
        "use_list" | "use_declaration" | "use_as_clause" | "use_wildcard" => imported(look, node, parent),
        "type_binding" if is("name") => Role::Member { owners: Vec::new(), part: Part::Path, declares: false },
        _ if is("name") => match definition(look, parent) {
            Some(role) => role,
            None => look.bare(node, space_of(node)),
        },
        _ => look.bare(node, space_of(node)),
    };
    vec![one]
}

fn space_of(node: Node<'_>) -> Space {
    if node.kind() == "type_identifier" { Space::Type } else { Space::Value }
}

pub(super) fn reference(space: Space, path: Vec<String>) -> Role {
    Role::Item { space, declares: false, imports: false, path }
}

/// What a node defines that names it.
fn definition(look: &Look<'_>, defines: Node<'_>) -> Option<Role> {
    let holder = defines.parent().filter(|it| it.kind() == "declaration_list").and_then(|it| it.parent());
    let owners = holder.map(|holder| owners(look.source, holder)).unwrap_or_default();
    let part = |part: Part| declared_part(owners.clone(), part);
    Some(match defines.kind() {
        "function_item" | "function_signature_item" if !owners.is_empty() => part(Part::Method),
        "const_item" | "type_item" | "associated_type" if !owners.is_empty() => part(Part::Variant),
        "function_item" | "function_signature_item" | "const_item" | "static_item" => declared(Space::Value),
        "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item" => declared(Space::Type),
        "mod_item" => declared(Space::Module),
        "macro_definition" => declared(Space::Macro),
        "enum_variant" => declared_part(named(look.source, ancestor(defines, &["enum_item"])?), Part::Variant),
        "field_declaration" => {
            let holder = ancestor(defines, &["struct_item", "union_item", "enum_variant"])?;
            declared_part(named(look.source, holder), Part::Field)
        }
        _ => return None,
    })
}

fn named(source: &Source, node: Node<'_>) -> Vec<String> {
    node.child_by_field_name("name").map(|name| source.text(name).to_owned()).into_iter().collect()
}

/// The type an `impl` or `trait` is about, and the trait it keeps.
fn owners(source: &Source, holder: Node<'_>) -> Vec<String> {
    let of = |field: &str| holder.child_by_field_name(field).map(|node| known_types::bare(source.text(node)));
    match holder.kind() {
        "impl_item" => {
            let given = holder.child_by_field_name("type_parameters").map(|it| source.text(it)).unwrap_or_default();
            let is_any = |name: &String| known_types::words(given).any(|word| word == name);
            of("type").filter(|name| of("trait").is_none() || !is_any(name)).into_iter().chain(of("trait")).collect()
        }
        "trait_item" => of("name").into_iter().collect(),
        _ => Vec::new(),
    }
}

/// What is asked of a type that is a parameter, beside what it is named by in brackets: the bounds there, and those
/// behind `where`. `holder` is what has the parameters.
fn bounds_of(source: &Source, holder: Node<'_>, name: &str) -> Vec<String> {
    let of_bounds = |bounds: Node<'_>| known_bounds(source.text(bounds).trim_start_matches([':', ' ']));
    let mut all = Vec::new();
    let parameters = holder.child_by_field_name("type_parameters");
    let wheres = holder.named_children(&mut holder.walk()).find(|it| it.kind() == "where_clause");
    for list in [parameters, wheres].into_iter().flatten() {
        for one in list.named_children(&mut list.walk()) {
            let named = one.child_by_field_name("name").or_else(|| one.child_by_field_name("left"));
            if named.is_some_and(|it| source.text(it) == name) {
                all.extend(one.child_by_field_name("bounds").map(of_bounds).unwrap_or_default());
            }
        }
    }
    all
}

/// The traits of `A + ?Sized + 'a + B`.
fn known_bounds(written: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let parts = written.split(|letter: char| {
        depth += i32::from(matches!(letter, '<' | '(')) - i32::from(matches!(letter, '>' | ')'));
        depth == 0 && letter == '+'
    });
    let parts = parts.map(str::trim).filter(|it| !it.starts_with(['?', '\'']));
    parts.map(known_types::bare).filter(|it| !it.is_empty()).collect()
}

/// The traits of `impl A + B`; none where it is one type.
pub(super) fn several(source: &Source, written: &str) -> Vec<String> {
    let text = written.trim_start_matches(['&', ' ']);
    let text = text.strip_prefix("mut ").unwrap_or(text).trim_matches(['(', ')']);
    let traits = text.strip_prefix("impl ").or_else(|| text.strip_prefix("dyn "));
    let traits = traits.filter(|_| source.language == super::super::Language::Rust);
    traits.map(known_bounds).unwrap_or_default()
}

/// What is asked of a type that is a parameter; none where nothing is, and it may be any.
pub(super) fn bounds(source: &Source, parameter: &Binding<'_>) -> Option<Vec<String>> {
    let node = source.name_at(&parameter.at).filter(|_| source.language == super::super::Language::Rust)?;
    let holder = node.parent().filter(|it| it.kind() == "type_parameter")?.parent()?.parent()?;
    Some(bounds_of(source, holder, source.text(node)))
}

/// Whose parts `self` has where something is given to every type that keeps what is asked of it.
pub(super) fn of_any_self(source: &Source, receiver: Node<'_>) -> Option<Vec<String>> {
    let holder = ancestor(receiver, &["impl_item"]).filter(|_| receiver.kind() == "self")?;
    let named = source.text(holder.child_by_field_name("type")?);
    let given = source.text(holder.child_by_field_name("type_parameters")?);
    let kept = known_types::bare(source.text(holder.child_by_field_name("trait")?));
    let bare = known_types::bare(named);
    let is_any = known_types::words(given).any(|word| word == bare) && bare == named;
    is_any.then(|| bounds_of(source, holder, named).into_iter().chain([kept]).collect())
}

/// The type that `Self` is at a place.
pub(super) fn own_type(source: &Source, node: Node<'_>) -> Option<String> {
    owners(source, ancestor(node, &["impl_item", "trait_item"])?).into_iter().next()
}

/// A type as it is written, or what `Self` stands for.
pub(super) fn type_named(source: &Source, written: &str, at: Node<'_>) -> String {
    let name = known_types::bare(written);
    if name == "Self" { own_type(source, at).unwrap_or(name) } else { name }
}

fn field_of_literal(look: &Look<'_>, field: Node<'_>) -> Role {
    field_of(look, field, "struct_expression", "name")
}

fn field_of_pattern(look: &Look<'_>, field: Node<'_>) -> Role {
    field_of(look, field, "struct_pattern", "type")
}

fn field_of(look: &Look<'_>, field: Node<'_>, kind: &str, name: &str) -> Role {
    let holder = ancestor(field, &[kind]).and_then(|it| it.child_by_field_name(name));
    let owners = holder.map(|it| type_named(look.source, look.source.text(it), field)).into_iter().collect();
    Role::Member { owners, part: Part::Field, declares: false }
}

/// A written type with what `Self` stands for at a place. Where it is any type, it stays.
pub(super) fn with_self(source: &Source, written: &str, at: Node<'_>) -> String {
    if !known_types::words(written).any(|word| word == "Self") {
        return written.to_owned();
    }
    let holder = ancestor(at, &["impl_item", "trait_item"]);
    let given = holder.and_then(|it| it.child_by_field_name("type_parameters")).map(|it| source.text(it));
    let named = holder.and_then(|it| it.child_by_field_name("type")).map(|it| known_types::bare(source.text(it)));
    let is_any = named.zip(given).is_some_and(|(named, given)| known_types::words(given).any(|word| word == named));
    match own_type(source, at).filter(|_| !is_any) {
        Some(own) => written.replace("Self", &own),
        None => written.to_owned(),
    }
}

/// A name in `a::b::c`: what is in front of it says whose it is.
fn in_path(look: &Look<'_>, node: Node<'_>, parent: Node<'_>, is_last: bool) -> Role {
    if ancestor(node, &["use_declaration"]).is_some() {
        return imported(look, node, parent);
    }
    let prefix = parent.child_by_field_name("path").filter(|_| is_last);
    match prefix {
        None if is_last => look.bare(node, Space::Value),
        None => reference(Space::Prefix, Vec::new()),
        Some(prefix) => of_path(look, node, look.source.text(prefix)),
    }
}

/// What a name is behind `prefix::`.
pub(super) fn of_path(look: &Look<'_>, node: Node<'_>, prefix: &str) -> Role {
    let written = prefix.trim_matches(['<', '>', ' ']);
    // “<T as Trait>::name” is the trait's.
    let owner = type_named(look.source, written.rsplit(" as ").next().unwrap_or(written), node);
    match owner.starts_with(char::is_uppercase) {
        true => Role::Member { owners: vec![owner], part: Part::Path, declares: false },
        false => reference(Space::Any, segments(prefix)),
    }
}

pub(super) fn segments(path: &str) -> Vec<String> {
    path.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// A name that is brought in, with all that stands before it.
fn imported(look: &Look<'_>, node: Node<'_>, parent: Node<'_>) -> Role {
    let source = look.source;
    if parent.kind() == "use_as_clause" && is_field(parent, "alias", node) {
        return Role::Open;
    }
    let mut path = Vec::new();
    let mut inner = node;
    for outer in std::iter::successors(Some(parent), Node::parent) {
        let before = outer.child_by_field_name("path").filter(|it| it.end_byte() <= inner.start_byte());
        path.splice(0..0, before.map(|it| segments(source.text(it))).unwrap_or_default());
        inner = outer;
        if outer.kind() == "use_declaration" {
            break;
        }
    }
    let is_prefix = source.content[node.end_byte()..].trim_start().starts_with("::");
    let owner = path.last().filter(|last| last.starts_with(char::is_uppercase));
    match owner {
        Some(owner) => Role::Member { owners: vec![owner.clone()], part: Part::Path, declares: false },
        None => {
            let space = if is_prefix { Space::Prefix } else { Space::Any };
            Role::Item { space, declares: false, imports: !is_prefix, path }
        }
    }
}

/// What a node says about types.
pub(super) fn read(types: &mut Types, source: &Source, node: Node<'_>) {
    let text = |field: &str| node.child_by_field_name(field).map(|it| source.text(it).to_owned());
    match node.kind() {
        "trait_item" => {
            let on = text("bounds").map(|it| known_bounds(it.trim_start_matches([':', ' ']))).unwrap_or_default();
            types.build_on(&text("name").unwrap_or_default(), on);
        }
        "struct_item" | "enum_item" | "union_item" => types.declare(text("name")),
        "macro_invocation" => read_macro(types, source.text(node)),
        "impl_item" => {
            let of = |field: &str| text(field).map(|written| known_types::bare(&written));
            if let (Some(name), on @ Some(_)) = (of("type"), of("trait")) {
                let given = text("type_parameters").unwrap_or_default();
                let is_any = known_types::words(&given).any(|word| word == name);
                types.build_on(if is_any { known_types::ANY } else { &name }, on);
            }
        }
        "type_item" => read_alias(types, source, node, (text("name"), text("type"))),
        "field_declaration" => {
            let owner = ancestor(node, &["struct_item", "enum_variant"]);
            let owner = owner.and_then(|it| it.child_by_field_name("name")).map(|it| source.text(it).to_owned());
            types.put_field(owner, text("name"), text("type"));
        }
        "function_item" | "function_signature_item" => {
            let owner = node.parent().filter(|it| it.kind() == "declaration_list");
            let owner = owner.and_then(|_| own_type(source, node)).unwrap_or_default();
            let given = text("return_type").map(|given| given.replace("Self", &owner));
            types.put_return(owner, text("name"), given);
        }
        _ => {}
    }
}

/// Types that a macro is given to define: their names stand behind words that nothing else stands behind.
fn read_macro(types: &mut Types, written: &str) {
    let mut words = known_types::words(written);
    while let Some(word) = words.next() {
        if matches!(word, "trait" | "struct" | "enum") {
            let name = words.next().filter(|name| name.starts_with(char::is_uppercase));
            types.declare(name.map(str::to_owned));
        }
    }
}

/// `type Basket = Cart`; what a type is followed through to is one it is built on.
fn read_alias(types: &mut Types, source: &Source, node: Node<'_>, (name, of): (Option<String>, Option<String>)) {
    let holder = node.parent().and_then(|it| it.parent()).filter(|it| it.kind() == "impl_item");
    let kept = holder.and_then(|it| it.child_by_field_name("trait")).map(|it| known_types::bare(source.text(it)));
    match (kept.as_deref(), name, of) {
        (Some("Deref"), _, Some(of)) => {
            let own = own_type(source, node).unwrap_or_default();
            types.build_on(&own, [known_types::bare(&of)]);
        }
        (None, Some(name), Some(of)) if holder.is_none() => types.put_alias(name, of),
        _ => {}
    }
}

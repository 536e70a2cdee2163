//! Go: a variable is seen from behind its definition to the end of its block; a package is a folder. A function sees
//! what other files of its folder define, so nothing of it has to be brought in. Next: `known_types`.

use tree_sitter::Node;

use super::binding::Binding;
use super::node::{ancestor, is_field};
use super::{Look, Part, Role, Source, Space, Types, declared, declared_part, known_types};

const FUNCTIONS: [&str; 3] = ["function_declaration", "method_declaration", "func_literal"];
/// What a definition is seen in.
const BLOCKS: [&str; 9] = [
    "block",
    "if_statement",
    "for_statement",
    "expression_switch_statement",
    "type_switch_statement",
    "expression_case",
    "type_case",
    "default_case",
    "communication_case",
];

pub(super) fn binding<'t>(source: &'t Source, node: Node<'t>) -> Option<Binding<'t>> {
    if node.kind() != "identifier" || source.text(node) == "_" {
        return None;
    }
    let (mut child, mut parent) = (node, node.parent()?);
    let is_whole = parent.kind() != "expression_list" || parent.named_child_count() == 1;
    if parent.kind() == "expression_list" {
        (child, parent) = (parent, parent.parent()?);
    }
    let is = |field: &str| is_field(parent, field, child);
    let of = |field: &str| parent.child_by_field_name(field);
    let visible = match parent.kind() {
        "parameter_declaration" | "variadic_parameter_declaration" if is("name") => {
            ancestor(parent, &FUNCTIONS)?.child_by_field_name("body")?.byte_range()
        }
        "short_var_declaration" if is("left") => parent.end_byte()..ancestor(parent, &BLOCKS)?.end_byte(),
        "receive_statement" if is("left") => parent.end_byte()..ancestor(parent, &BLOCKS)?.end_byte(),
        "var_spec" | "const_spec" if is("name") => parent.end_byte()..ancestor(parent, &BLOCKS)?.end_byte(),
        "range_clause" if is("left") => parent.end_byte()..ancestor(parent, &["for_statement"])?.end_byte(),
        "type_switch_statement" if is("alias") => parent.byte_range(),
        _ => return None,
    };
    let value = of("right").or_else(|| of("value")).filter(|_| is_whole).and_then(|it| match it.kind() {
        "expression_list" => it.named_child(0).filter(|_| it.named_child_count() == 1),
        _ => Some(it),
    });
    let is_element = parent.kind() == "range_clause";
    Some(Binding { typed: of("type"), value: value.filter(|_| !is_element), is_element, ..Binding::new(node, visible) })
}

pub(super) fn roles(look: &Look<'_>, node: Node<'_>) -> Vec<Role> {
    let Some(parent) = node.parent() else { return Vec::new() };
    let source = look.source;
    let is = |field: &str| is_field(parent, field, node);
    let at_top = || ancestor(node, &FUNCTIONS).is_none_or(|it| it == parent);
    let one = match parent.kind() {
        "selector_expression" if is("field") => access(look, parent),
        "qualified_type" if is("name") => {
            let package = parent.child_by_field_name("package").map(|it| source.text(it).to_owned());
            Role::Item { space: Space::Any, declares: false, imports: false, path: package.into_iter().collect() }
        }
        "method_declaration" if is("name") => declared_part(receiver(source, parent).into_iter().collect(), Part::Any),
        "field_declaration" | "method_elem" | "method_spec" if is("name") => {
            declared_part(type_around(source, node).into_iter().collect(), Part::Any)
        }
        "literal_element" if is_key(parent) => keyed(look, node, parent),
        "function_declaration" if is("name") => declared(Space::Value),
        "type_spec" | "type_alias" if is("name") => declared(Space::Type),
        "var_spec" | "const_spec" if is("name") && at_top() => declared(Space::Value),
        "label_name" | "labeled_statement" | "package_clause" => Role::Apart,
        _ if node.kind() == "label_name" => Role::Apart,
        _ => look.bare(node, if node.kind() == "type_identifier" { Space::Type } else { Space::Any }),
    };
    vec![one]
}

fn type_around(source: &Source, node: Node<'_>) -> Option<String> {
    Some(source.text(ancestor(node, &["type_spec"])?.child_by_field_name("name")?).to_owned())
}

/// The type a method is of.
pub(super) fn receiver(source: &Source, method: Node<'_>) -> Option<String> {
    let written = source.text(method.child_by_field_name("receiver")?).trim_matches(['(', ')']);
    Some(known_types::bare(written.rsplit(' ').next()?))
}

fn is_key(element: Node<'_>) -> bool {
    element.parent().is_some_and(|it| it.kind() == "keyed_element" && it.named_child(0) == Some(element))
}

/// `Cart{total: 1}`: a part of the type that is written out; a key of a map where that is none.
fn keyed(look: &Look<'_>, node: Node<'_>, element: Node<'_>) -> Role {
    let written = ancestor(element, &["composite_literal"]).and_then(|it| it.child_by_field_name("type"));
    match written.filter(|it| matches!(it.kind(), "type_identifier" | "qualified_type" | "generic_type")) {
        Some(named) => {
            Role::Member { owners: vec![known_types::bare(look.source.text(named))], part: Part::Any, declares: false }
        }
        None if written.is_some_and(|it| it.kind() == "map_type") => look.bare(node, Space::Any),
        None => Role::Member { owners: Vec::new(), part: Part::Any, declares: false },
    }
}

/// `receiver.name`: of a package where the receiver is one.
fn access(look: &Look<'_>, access: Node<'_>) -> Role {
    let operand = access.child_by_field_name("operand");
    let role = look.part_of(operand, Part::Any);
    let is_open = matches!(&role, Role::Member { owners, .. } if owners.is_empty());
    let name = operand.filter(|it| is_open && it.kind() == "identifier").map(|it| look.source.text(it).to_owned());
    let is_package = |name: &String| {
        let imports = look.source.content.lines().filter(|line| line.trim_end().ends_with('"'));
        let mut paths = imports.filter_map(|line| line.trim_end().trim_end_matches('"').rsplit('"').next());
        paths.any(|path| path.rsplit('/').next() == Some(name))
    };
    match name.filter(is_package) {
        Some(package) => Role::Item { space: Space::Any, declares: false, imports: false, path: vec![package] },
        None => role,
    }
}

/// What a node says about types.
pub(super) fn read(types: &mut Types, source: &Source, node: Node<'_>) {
    let text = |field: &str| node.child_by_field_name(field).map(|it| source.text(it).to_owned());
    match node.kind() {
        "type_spec" => {
            types.declare(text("name"));
            // What has its methods is of it without a word; a type named after another has that one's fields.
            let kind = node.child_by_field_name("type").map(|it| it.kind());
            types.put_open(text("name").filter(|_| kind != Some("struct_type")));
        }
        "type_alias" => {
            if let (Some(name), Some(of)) = (text("name"), text("type")) {
                types.put_alias(name, of);
            }
        }
        // What is embedded gives its parts, and is one by the name of its type.
        "field_declaration" if node.child_by_field_name("name").is_none() => {
            if let (Some(owner), Some(of)) = (type_around(source, node), text("type")) {
                let embedded = known_types::bare(&of);
                types.build_on(&owner, [embedded.clone()]);
                types.put_field(Some(owner), Some(embedded), Some(of));
            }
        }
        "field_declaration" => types.put_field(type_around(source, node), text("name"), text("type")),
        "function_declaration" => types.put_return(String::new(), text("name"), text("result")),
        "method_declaration" => {
            types.put_return(receiver(source, node).unwrap_or_default(), text("name"), text("result"));
        }
        _ => {}
    }
}

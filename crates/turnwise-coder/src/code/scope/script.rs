//! TypeScript and JavaScript: `let` and `const` belong to their block, `var` to its function. One word in braces stands
//! for a part and a variable at once. Next: `known_types`.

use tree_sitter::Node;

use super::binding::Binding;
use super::node::{ancestor, ancestor_where, is_field};
use super::{Look, Part, Role, Source, Space, Types, declared, declared_part};

/// Patterns inside patterns.
const PATTERNS: [&str; 6] = [
    "object_pattern",
    "array_pattern",
    "pair_pattern",
    "rest_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
];
const FUNCTIONS: [&str; 6] = [
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function_declaration",
    "generator_function",
];
const CLASSES: [&str; 5] =
    ["class_declaration", "abstract_class_declaration", "class", "interface_declaration", "type_alias_declaration"];

pub(super) fn binding(node: Node<'_>) -> Option<Binding<'_>> {
    if !matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern" | "type_identifier") {
        return None;
    }
    let (mut child, mut parent) = (node, node.parent()?);
    while PATTERNS.contains(&parent.kind()) {
        if is_field(parent, "key", child) || is_field(parent, "right", child) {
            return None;
        }
        (child, parent) = (parent, parent.parent()?);
    }
    let is = |field: &str| is_field(parent, field, child);
    let is_whole = child == node;
    let body = |function: Node<'_>| function.child_by_field_name("body").unwrap_or(function).byte_range();
    let visible = match parent.kind() {
        "required_parameter" | "optional_parameter" if is("pattern") => body(ancestor(parent, &FUNCTIONS)?),
        "arrow_function" if is("parameter") => body(parent),
        "formal_parameters" => body(ancestor(parent, &FUNCTIONS)?),
        "catch_clause" if is("parameter") => body(parent),
        "for_in_statement" if is("left") => parent.byte_range(),
        "type_parameter" if is("name") => parent.parent()?.parent()?.byte_range(),
        "variable_declarator" if is("name") => block_of(parent)?.byte_range(),
        kind if is("name") && (FUNCTIONS.contains(&kind) || CLASSES.contains(&kind)) && kind != "method_definition" => {
            ancestor(parent, &["statement_block"])?.byte_range()
        }
        _ => return None,
    };
    let of = |field: &str| parent.child_by_field_name(field).filter(|_| is_whole);
    let is_element = parent.kind() == "for_in_statement";
    let value = if is_element { of("right") } else { of("value") };
    Some(Binding { typed: of("type"), value, is_element, ..Binding::new(node, visible) })
}

/// What a declared variable belongs to; nothing where that is the file.
fn block_of(declarator: Node<'_>) -> Option<Node<'_>> {
    let declaration = declarator.parent()?;
    match declaration.kind() {
        "variable_declaration" => ancestor(declaration, &FUNCTIONS)?.child_by_field_name("body"),
        _ => ancestor(declaration, &["statement_block", "for_statement", "switch_body"]),
    }
}

/// What a constant of the file is made from, or its type, where that is written.
pub(super) fn of_file<'t>(source: &'t Source, name: &str) -> Option<(Option<Node<'t>>, Option<Node<'t>>)> {
    let root = source.tree.root_node();
    let inner = |it: Node<'t>| match it.kind() {
        "export_statement" => it.child_by_field_name("declaration"),
        _ => Some(it),
    };
    let declarations: Vec<Node<'t>> = root.named_children(&mut root.walk()).filter_map(inner).collect();
    let is_const = |it: Node<'_>| it.child(0).is_some_and(|first| first.kind() == "const");
    let of = |it: Node<'t>| it.named_children(&mut it.walk()).collect::<Vec<_>>();
    let named = |it: &Node<'t>| it.child_by_field_name("name").is_some_and(|it| source.text(it) == name);
    let declared = declarations.into_iter().filter(|it| it.kind() == "lexical_declaration");
    let (declaration, declarator) =
        declared.flat_map(|it| of(it).into_iter().map(move |one| (it, one))).find(|(_, it)| named(it))?;
    let value = declarator.child_by_field_name("value").filter(|_| is_const(declaration));
    Some((declarator.child_by_field_name("type"), value))
}

/// The one class that the class around a place extends.
pub(super) fn base<'t>(node: Node<'t>) -> Option<Node<'t>> {
    let class = ancestor(node, &["class_declaration", "abstract_class_declaration", "class"])?;
    let heritage = class.named_children(&mut class.walk()).find(|it| it.kind() == "class_heritage")?;
    let clause = heritage.named_child(0)?;
    // JavaScript names it without a clause around it.
    if clause.kind() == "extends_clause" { clause.child_by_field_name("value") } else { Some(clause) }
}

/// The class around a place.
pub(super) fn own_type(source: &Source, node: Node<'_>) -> Option<String> {
    Some(source.text(ancestor(node, &CLASSES)?.child_by_field_name("name")?).to_owned())
}

pub(super) fn roles(look: &Look<'_>, node: Node<'_>) -> Vec<Role> {
    let Some(parent) = node.parent() else { return Vec::new() };
    let is = |field: &str| is_field(parent, field, node);
    let own = || own_type(look.source, node).into_iter().collect();
    let one = match parent.kind() {
        "member_expression" if is("property") => access(look, parent),
        "method_definition"
        | "public_field_definition"
        | "property_signature"
        | "method_signature"
        | "abstract_method_signature"
        | "field_definition"
            if is("name") || is("property") =>
        {
            declared_part(own(), Part::Any)
        }
        "pair" if is("key") => open_part(),
        "pair_pattern" if is("key") => parent.parent().map_or_else(open_part, |it| part_of_pattern(look, it)),
        "import_specifier" | "export_specifier" => imported(look.source, node, parent),
        "import_clause" | "namespace_import" => whole(look.source, node),
        "statement_identifier" | "labeled_statement" => Role::Apart,
        _ if node.kind() == "statement_identifier" => Role::Apart,
        _ if node.kind() == "shorthand_property_identifier" => return vec![bare(look, node), open_part()],
        _ if node.kind() == "shorthand_property_identifier_pattern" => {
            return vec![defined(look, node, parent), part_of_pattern(look, parent)];
        }
        _ => defined(look, node, parent),
    };
    vec![one]
}

fn open_part() -> Role {
    Role::Member { owners: Vec::new(), part: Part::Any, declares: false }
}

/// What a name in `{ … }` is a part of, where it is written what that is taken from.
fn part_of_pattern(look: &Look<'_>, pattern: Node<'_>) -> Role {
    let pattern = if pattern.kind() == "object_assignment_pattern" { pattern.parent() } else { Some(pattern) };
    let holder = pattern.and_then(|it| it.parent()).filter(|it| pattern.is_some_and(|pattern| takes(*it, pattern)));
    let typed = holder.and_then(|it| it.child_by_field_name("type"));
    if let Some(typed) = typed {
        let written = look.source.text(typed).trim_start_matches([':', ' ']);
        return look.part_of_type(Some(written.to_owned()), typed, Part::Any);
    }
    look.part_of(holder.and_then(|it| it.child_by_field_name("value")), Part::Any)
}

/// Whether it is `pattern` that a parameter or a variable is.
fn takes(holder: Node<'_>, pattern: Node<'_>) -> bool {
    match holder.kind() {
        "required_parameter" | "optional_parameter" => is_field(holder, "pattern", pattern),
        "variable_declarator" => is_field(holder, "name", pattern),
        _ => false,
    }
}

/// The class that a parameter is a field of as well: `constructor(private size: number)`.
fn class_of_parameter(source: &Source, parameter: Node<'_>) -> Option<String> {
    let is_parameter = matches!(parameter.kind(), "required_parameter" | "optional_parameter");
    let marks = |it: &Node<'_>| matches!(it.kind(), "accessibility_modifier" | "override_modifier" | "readonly");
    let is_field = is_parameter && parameter.children(&mut parameter.walk()).any(|it| marks(&it));
    own_type(source, parameter).filter(|_| is_field)
}

/// A variable, or the field that its parameter is.
fn bare(look: &Look<'_>, node: Node<'_>) -> Role {
    let role = look.bare(node, if node.kind() == "type_identifier" { Space::Type } else { Space::Any });
    let Role::Local { visible, declares } = &role else { return role };
    let binding = look.bindings.iter().find(|it| it.visible == *visible && (!declares || it.at == node.byte_range()));
    let parameter = binding.and_then(|it| look.source.name_at(&it.at)).and_then(|it| it.parent());
    match parameter.and_then(|it| class_of_parameter(look.source, it)) {
        Some(class) => Role::Member { owners: vec![class], part: Part::Any, declares: *declares },
        None => role,
    }
}

/// A variable; a definition of the file where it is the first time that it is written outside of all functions.
fn defined(look: &Look<'_>, node: Node<'_>, parent: Node<'_>) -> Role {
    let bare = bare(look, node);
    let is_new = matches!(bare, Role::Item { .. }) && is_field(parent, "name", node);
    let is_defined = FUNCTIONS.contains(&parent.kind()) || CLASSES.contains(&parent.kind());
    match is_new && (is_defined || parent.kind() == "variable_declarator" || parent.kind() == "enum_declaration") {
        true => declared(if node.kind() == "type_identifier" { Space::Type } else { Space::Value }),
        false => bare,
    }
}

/// `receiver.name`: of a module, of a class, or of what something is.
fn access(look: &Look<'_>, access: Node<'_>) -> Role {
    let receiver = access.child_by_field_name("object");
    let role = look.part_of(receiver, Part::Any);
    let is_open = matches!(&role, Role::Member { owners, .. } if owners.is_empty());
    let name = receiver.filter(|it| is_open && it.kind() == "identifier").map(|it| look.source.text(it));
    match name.and_then(|name| module_named(look.source, name)) {
        Some(path) => Role::Item { space: Space::Any, declares: false, imports: false, path },
        None => role,
    }
}

/// The module that `import * as name` makes of a file.
fn module_named(source: &Source, name: &str) -> Option<Vec<String>> {
    let root = source.tree.root_node();
    let all = root.named_children(&mut root.walk()).filter(|it| it.kind() == "import_statement").collect::<Vec<_>>();
    let found = all.into_iter().find(|it| source.text(*it).contains(&format!("* as {name} ")))?;
    Some(segments(source, found))
}

/// The parts of the path that an import names.
fn segments(source: &Source, statement: Node<'_>) -> Vec<String> {
    let from = statement.child_by_field_name("source").map(|it| source.text(it)).unwrap_or_default();
    let parts = from.trim_matches(['"', '\'']).split('/');
    let without =
        |part: &str| [".ts", ".tsx", ".js", ".jsx"].iter().find_map(|it| part.strip_suffix(it)).map(str::to_owned);
    parts.map(|part| without(part).unwrap_or_else(|| part.to_owned())).collect()
}

/// A name that comes from another file.
fn imported(source: &Source, node: Node<'_>, specifier: Node<'_>) -> Role {
    let statement = ancestor_where(node, |it| matches!(it.kind(), "import_statement" | "export_statement"));
    if is_field(specifier, "alias", node) {
        return Role::Open;
    }
    let path = statement.map(|it| segments(source, it)).filter(|path| path.iter().any(|part| !part.is_empty()));
    let imports = path.is_some() && specifier.kind() == "import_specifier";
    Role::Item { space: Space::Any, declares: false, imports, path: path.unwrap_or_default() }
}

/// What a name is that is given to a whole module, or to what it gives by default. What a package gives is the
/// package's, under whatever name.
fn whole(source: &Source, node: Node<'_>) -> Role {
    let path = ancestor(node, &["import_statement"]).map(|it| segments(source, it)).unwrap_or_default();
    match path.first().map(String::as_str) {
        None | Some("" | "." | ".." | "@" | "~") => Role::Open,
        Some(_) => Role::Item { space: Space::Any, declares: false, imports: true, path },
    }
}

/// What a node says about types.
pub(super) fn read(types: &mut Types, source: &Source, node: Node<'_>) {
    let text = |field: &str| node.child_by_field_name(field).map(|it| source.text(it).to_owned());
    let typed = |field: &str| text(field).map(|it| it.trim_start_matches([':', ' ']).to_owned());
    match node.kind() {
        "type_alias_declaration" if node.child_by_field_name("value").is_some_and(|it| it.kind() != "object_type") => {
            if let (Some(name), Some(of)) = (text("name"), text("value")) {
                types.put_alias(name, of);
            }
        }
        kind if CLASSES.contains(&kind) => {
            let Some(name) = text("name") else { return };
            let is_heritage = |it: &Node<'_>| matches!(it.kind(), "class_heritage" | "extends_type_clause");
            let heritage = node.named_children(&mut node.walk()).find(is_heritage).map(|it| source.text(it).to_owned());
            let words = heritage.unwrap_or_default();
            let words = words.split([' ', ',']).filter(|it| !matches!(*it, "extends" | "implements" | ""));
            types.build_on(&name, words.map(super::known_types::bare).collect::<Vec<_>>());
        }
        "public_field_definition" | "property_signature" => {
            types.put_field(own_type(source, node), text("name"), typed("type"));
        }
        "required_parameter" | "optional_parameter" => {
            types.put_field(class_of_parameter(source, node), text("pattern"), typed("type"));
        }
        "method_definition" | "method_signature" | "function_declaration" => {
            let is_part = node.kind() != "function_declaration";
            let owner = own_type(source, node).filter(|_| is_part).unwrap_or_default();
            types.put_return(owner, text("name"), typed("return_type"));
        }
        _ => {}
    }
}

//! Python: a variable belongs to its whole function, whatever line it is first written on. What a class holds is a part
//! of it, and what `self` is given is as well. Next: `known_types`.

use tree_sitter::Node;

use super::binding::Binding;
use super::node::{ancestor, is_field};
use super::{Called, Look, Part, Role, Source, Space, Types, declared, declared_part};

/// Targets inside targets.
const PATTERNS: [&str; 8] = [
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "as_pattern_target",
    "tuple",
    "list",
];

pub(super) fn binding<'t>(source: &'t Source, node: Node<'t>) -> Option<Binding<'t>> {
    let (holder, is_whole) = holder(node)?;
    let of = |field: &str| holder.child_by_field_name(field);
    let visible = match holder.kind() {
        "for_in_clause" => holder.parent()?.byte_range(),
        "parameters" | "lambda_parameters" => holder.parent()?.child_by_field_name("body")?.byte_range(),
        "default_parameter" | "typed_parameter" | "typed_default_parameter" => {
            ancestor(holder, &["function_definition", "lambda"])?.child_by_field_name("body")?.byte_range()
        }
        _ => {
            let around = ancestor(holder, &["function_definition", "class_definition"])?;
            if around.kind() == "class_definition" || is_of_outside(source, around, source.text(node)) {
                return None;
            }
            around.child_by_field_name("body")?.byte_range()
        }
    };
    let is_element = matches!(holder.kind(), "for_statement" | "for_in_clause");
    let value = of("right").or_else(|| of("value")).filter(|_| is_whole && holder.kind() != "with_item");
    Some(Binding { typed: of("type").filter(|_| is_whole), value, is_element, ..Binding::new(node, visible) })
}

/// What makes a name a variable, and whether it is all that is made.
fn holder(node: Node<'_>) -> Option<(Node<'_>, bool)> {
    let (mut child, mut parent) = (node, node.parent()?);
    while PATTERNS.contains(&parent.kind()) {
        (child, parent) = (parent, parent.parent()?);
    }
    let is = |field: &str| is_field(parent, field, child);
    let makes = match parent.kind() {
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => is("left"),
        "named_expression" | "default_parameter" | "typed_default_parameter" => is("name"),
        "function_definition" | "class_definition" => {
            is("name")
                && ancestor(parent, &["function_definition", "class_definition"])
                    .is_some_and(|it| it.kind() == "function_definition")
        }
        "typed_parameter" => !is("type"),
        "parameters" | "lambda_parameters" => true,
        "as_pattern" => is("alias"),
        _ => false,
    };
    makes.then_some((parent, child == node))
}

/// Whether a function says that a name is not its own.
fn is_of_outside(source: &Source, function: Node<'_>, name: &str) -> bool {
    let body = function.child_by_field_name("body");
    let says = |node: Node<'_>| {
        matches!(node.kind(), "global_statement" | "nonlocal_statement")
            && source.text(node).split([' ', ',']).any(|word| word == name)
    };
    body.is_some_and(|body| body.named_children(&mut body.walk()).any(says))
}

/// The class around a place.
pub(super) fn own_type(source: &Source, node: Node<'_>) -> Option<String> {
    Some(source.text(ancestor(node, &["class_definition"])?.child_by_field_name("name")?).to_owned())
}

/// The one class that the class around a place is built on; of several it hangs on the object which is asked.
pub(super) fn base(source: &Source, node: Node<'_>) -> Option<String> {
    let classes = ancestor(node, &["class_definition"])?.child_by_field_name("superclasses")?;
    let is_class = |it: &Node<'_>| it.kind() != "keyword_argument";
    let all: Vec<Node<'_>> = classes.named_children(&mut classes.walk()).filter(is_class).collect();
    let [one] = all.as_slice() else { return None };
    Some(source.text(*one).to_owned())
}

/// What a variable of the file is made from, where that is written once and nowhere else.
pub(super) fn made_once<'t>(source: &'t Source, name: &str) -> Option<Node<'t>> {
    let mut made = Vec::new();
    source.each(&mut |node| {
        if holder(node).is_some() && node.kind() == "identifier" && source.text(node) == name {
            made.push(node);
        }
    });
    let [one] = made.as_slice() else { return None };
    let assignment = one.parent().filter(|it| it.kind() == "assignment")?;
    let is_of_file = assignment.parent()?.parent()?.kind() == "module";
    assignment.child_by_field_name("right").filter(|_| is_of_file)
}

/// The class whose body a node stands in directly.
fn class_of(source: &Source, node: Node<'_>) -> Option<String> {
    let around = ancestor(node, &["class_definition", "function_definition", "lambda"])?;
    let name = around.child_by_field_name("name").filter(|_| around.kind() == "class_definition")?;
    Some(source.text(name).to_owned())
}

pub(super) fn roles(look: &Look<'_>, node: Node<'_>) -> Vec<Role> {
    let Some(parent) = node.parent() else { return Vec::new() };
    let source = look.source;
    let is = |field: &str| is_field(parent, field, node);
    let one = match parent.kind() {
        "attribute" if is("attribute") => attribute(look, parent),
        "keyword_argument" if is("name") => argument(look, parent),
        "function_definition" | "class_definition" if is("name") => match class_of(source, parent) {
            Some(class) => declared_part(vec![class], Part::Any),
            None if look.bindings.iter().any(|binding| binding.at == node.byte_range()) => look.bare(node, Space::Any),
            None => declared(if parent.kind() == "class_definition" { Space::Type } else { Space::Value }),
        },
        "dotted_name" if ancestor(node, &["import_from_statement", "import_statement"]).is_some() => {
            imported(source, node, parent)
        }
        _ if holder(node).is_some() && look.bindings.iter().all(|binding| binding.at != node.byte_range()) => {
            match class_of(source, node) {
                Some(class) => declared_part(vec![class], Part::Any),
                None => made(source, node),
            }
        }
        _ => look.bare(node, Space::Any),
    };
    vec![one]
}

/// A variable of the file. Where a function writes it, it is defined elsewhere.
fn made(source: &Source, node: Node<'_>) -> Role {
    let is_inside = source.function_at(node.start_byte()).is_some();
    Role::Item { space: Space::Value, declares: !is_inside, imports: false, path: Vec::new() }
}

/// `receiver.name`: of a module, of a class, or of what something is.
fn attribute(look: &Look<'_>, access: Node<'_>) -> Role {
    let source = look.source;
    let receiver = access.child_by_field_name("object");
    let role = look.part_of(receiver, Part::Any);
    let Some(name) = receiver.filter(|it| it.kind() == "identifier").map(|it| source.text(it)) else { return role };
    match &role {
        // “self.total = …” makes the part.
        Role::Member { owners, .. }
            if name == "self" && access.parent().is_some_and(|it| is_field(it, "left", access)) =>
        {
            declared_part(owners.clone(), Part::Any)
        }
        Role::Member { owners, .. } if owners.is_empty() => match module_named(source, name) {
            Some(path) => Role::Item { space: Space::Any, declares: false, imports: false, path },
            None => role,
        },
        _ => role,
    }
}

/// The module that a name stands for in a file.
fn module_named(source: &Source, name: &str) -> Option<Vec<String>> {
    let root = source.tree.root_node();
    let imports = root.named_children(&mut root.walk()).collect::<Vec<_>>().into_iter();
    let imports = imports.filter(|it| matches!(it.kind(), "import_statement" | "import_from_statement"));
    imports.map(|it| source.text(it)).find_map(|written| {
        let known = written.split(['\n', ',', ' ', '(', ')']).any(|word| word == name);
        let module = written.split(" as ").next().filter(|_| known)?;
        let last = module.split([' ', ',', '.']).rfind(|word| !word.is_empty())?;
        Some(vec![if written.contains(" as ") { last.to_owned() } else { name.to_owned() }])
    })
}

/// `f(name=…)`: a parameter of what is called.
fn argument(look: &Look<'_>, argument: Node<'_>) -> Role {
    let called = argument.parent().and_then(|it| it.parent()).and_then(|it| it.child_by_field_name("function"));
    let Some(called) = called else { return Role::Open };
    let source = look.source;
    match called.kind() {
        "identifier" => {
            let function = source.text(called).to_owned();
            // What a variable holds may be any function.
            let bindings = source.bindings(&function);
            let is_variable = super::binding::seen(&bindings, called.start_byte()).is_some();
            if is_variable { Role::Open } else { Role::Argument { function, of: Called::Bare } }
        }
        "attribute" => {
            let (object, name) = (called.child_by_field_name("object"), called.child_by_field_name("attribute"));
            let function = name.map(|name| source.text(name).to_owned()).unwrap_or_default();
            let module = object.filter(|it| it.kind() == "identifier").map(|it| source.text(it));
            let of = match (look.part_of(object, Part::Any), module.and_then(|name| module_named(source, name))) {
                (Role::Member { owners, .. }, None) => Called::Type(owners),
                (Role::Member { owners, .. }, _) if !owners.is_empty() => Called::Type(owners),
                (_, Some(path)) => Called::Module(path),
                (_, None) => return Role::Open,
            };
            Role::Argument { function, of }
        }
        _ => Role::Open,
    }
}

/// The function of Python that has a parameter, and the class that is a part of.
pub(super) fn function_of_parameter(source: &Source, node: Node<'_>) -> Option<(String, Option<String>)> {
    let function = ancestor(node, &["parameters"])?.parent().filter(|it| it.kind() == "function_definition")?;
    let name = source.text(function.child_by_field_name("name")?).to_owned();
    let class = class_of(source, function);
    let is_reached = class.is_some() || ancestor(function, &["function_definition", "lambda"]).is_none();
    is_reached.then_some((name, class))
}

/// The module that `from module import name` brings a name in from.
pub(super) fn module_of(source: &Source, name: &str) -> Option<Vec<String>> {
    let root = source.tree.root_node();
    let all =
        root.named_children(&mut root.walk()).filter(|it| it.kind() == "import_from_statement").collect::<Vec<_>>();
    let names = |it: &Node<'_>| {
        let names = it.children_by_field_name("name", &mut it.walk()).collect::<Vec<_>>();
        names.into_iter().any(|it| source.text(it) == name)
    };
    let statement = all.into_iter().find(names)?;
    let module = source.text(statement.child_by_field_name("module_name")?);
    Some(segments(module))
}

/// The parts of the path of a module; a point where it begins from where a file is.
pub(super) fn segments(path: &str) -> Vec<String> {
    path.split('.').map(|part| if part.is_empty() { "." } else { part }.to_owned()).collect()
}

/// A name of an import, with the module it comes from.
fn imported(source: &Source, node: Node<'_>, dotted: Node<'_>) -> Role {
    let Some(statement) = ancestor(node, &["import_from_statement", "import_statement"]) else { return Role::Open };
    let module = statement.child_by_field_name("module_name");
    match module {
        Some(module) if module.end_byte() <= node.start_byte() => {
            Role::Item { space: Space::Any, declares: false, imports: true, path: segments(source.text(module)) }
        }
        // “import a.b”, “from a.b import …”: a and b are modules.
        _ => {
            let path = segments(source.text(dotted)).into_iter().take_while(|part| part != source.text(node)).collect();
            Role::Item { space: Space::Prefix, declares: false, imports: false, path }
        }
    }
}

/// What a node says about types.
pub(super) fn read(types: &mut Types, source: &Source, node: Node<'_>) {
    let text = |field: &str| node.child_by_field_name(field).map(|it| source.text(it).to_owned());
    match node.kind() {
        "class_definition" => {
            let Some(name) = text("name") else { return };
            let on = text("superclasses").unwrap_or_default();
            let on = on.trim_matches(['(', ')']).split(',').map(super::known_types::bare).filter(|it| !it.is_empty());
            types.build_on(&name, on.filter(|it| !it.contains('=')).collect::<Vec<_>>());
        }
        "function_definition" => {
            types.put_return(class_of(source, node).unwrap_or_default(), text("name"), text("return_type"));
        }
        "assignment" => {
            let left = text("left").unwrap_or_default();
            let typed = text("type").or_else(|| {
                let made = node.child_by_field_name("right").filter(|it| it.kind() == "call")?;
                let called = source.text(made.child_by_field_name("function")?);
                called.starts_with(char::is_uppercase).then(|| called.to_owned())
            });
            let other = node.child_by_field_name("right").filter(|it| it.kind() == "identifier");
            let other = other.map(|it| source.text(it)).filter(|it| it.starts_with(char::is_uppercase));
            if let Some(other) = other.filter(|_| left.starts_with(char::is_uppercase)) {
                types.put_alias(left.clone(), other.to_owned());
            }
            let part = left.strip_prefix("self.").map(str::to_owned);
            match (part, class_of(source, node)) {
                (Some(part), _) => types.put_field(own_type(source, node), Some(part), typed),
                (None, class @ Some(_)) => types.put_field(class, Some(left), typed),
                (None, None) => {}
            }
        }
        _ => {}
    }
}

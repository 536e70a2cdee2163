//! Nodes: ways through a tree that all languages share. The library gives parents and children, and what stands around
//! a name is asked for at every turn. Next: `binding`.

use tree_sitter::Node;

/// The nearest node around this one, itself left out, that is of one of these kinds.
pub(super) fn ancestor<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    ancestor_where(node, |it| kinds.contains(&it.kind()))
}

/// The nearest node around this one, itself left out, of which this is true.
pub(super) fn ancestor_where<'t>(node: Node<'t>, is_it: impl Fn(Node<'t>) -> bool) -> Option<Node<'t>> {
    std::iter::successors(node.parent(), Node::parent).find(|it| is_it(*it))
}

/// Whether `child` is what `parent` calls `field`.
pub(super) fn is_field(parent: Node<'_>, field: &str, child: Node<'_>) -> bool {
    (0..parent.child_count())
        .any(|at| parent.field_name_for_child(at) == Some(field) && parent.child(at) == Some(child))
}

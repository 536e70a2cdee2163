//! Bindings: where a variable is defined, and from where it can be seen. The innermost that can be seen is meant; a
//! name that is shadowed is another one. Next: `rust`.

use std::ops::Range;

use tree_sitter::Node;

use super::super::Language;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Binding<'t> {
    /// The bytes of its name.
    pub at: Range<usize>,
    /// The bytes at which it can be seen.
    pub visible: Range<usize>,
    /// Its type, where that is written.
    pub typed: Option<Node<'t>>,
    /// What it is made from.
    pub value: Option<Node<'t>>,
    /// Whether it is one of those in the value.
    pub is_element: bool,
}

impl<'t> Binding<'t> {
    pub fn new(node: Node<'t>, visible: Range<usize>) -> Self {
        Self { at: node.byte_range(), visible, typed: None, value: None, is_element: false }
    }
}

/// The variable that is meant at a place.
pub(super) fn seen<'b, 't>(bindings: &'b [Binding<'t>], at: usize) -> Option<&'b Binding<'t>> {
    bindings.iter().filter(|binding| binding.visible.contains(&at)).max_by_key(|binding| binding.visible.start)
}

/// Definitions of one variable as one: in Go `:=` may name a variable of the same block again.
pub(super) fn merged(mut bindings: Vec<Binding<'_>>, language: Language) -> Vec<Binding<'_>> {
    if language == Language::Go {
        for at in 1..bindings.len() {
            let end = bindings[at].visible.end;
            if let Some(first) = bindings[..at].iter().find(|earlier| earlier.visible.end == end) {
                bindings[at].visible = first.visible.clone();
            }
        }
    }
    bindings
}

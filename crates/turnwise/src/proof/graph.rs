//! The derivation as a drawing: sources on the left, the conclusion on the right, an arrow from each input to what was
//! derived from it. Plain SVG with attributes only, so that the strictest content policy shows it. Next: `html`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use turnwise_core::{FactName, text};

use super::document::Proof;
use super::html::escape;
use super::limits::NODES_DRAWN_MAX;

const WIDTH: usize = 236;
const HEIGHT: usize = 58;
const GAP_ACROSS: usize = 64;
const GAP_DOWN: usize = 22;
const MARGIN: usize = 12;
/// Characters that fit into a box.
const CHARACTERS: usize = 30;

/// A box with its place.
struct Node {
    title: String,
    detail: String,
    link: String,
    class: &'static str,
    column: usize,
    row: usize,
}

/// The drawing; none when it would be too large to read.
pub fn draw(proof: &Proof) -> Option<String> {
    let sources: BTreeSet<&str> =
        proof.facts().flat_map(|fact| &fact.sources).map(|stamp| stamp.name.as_str()).collect();
    if sources.len() + proof.chain.len() > NODES_DRAWN_MAX {
        return None;
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut of_source: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, name) in sources.iter().enumerate() {
        of_source.insert(name, nodes.len());
        nodes.push(Node {
            title: text::clip(name, CHARACTERS),
            detail: "source".to_owned(),
            link: format!("#source-{number}"),
            class: "source",
            column: 0,
            row: 0,
        });
    }
    let mut of_fact: BTreeMap<&FactName, usize> = BTreeMap::new();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (number, fact) in proof.facts().enumerate() {
        let mut from: Vec<usize> = fact.inputs.iter().filter_map(|input| of_fact.get(&input.name).copied()).collect();
        // What was calculated carries the sources of its inputs; the arrows to those say it already.
        let reads_itself = fact.work.as_ref().is_none_or(|work| work.needs.is_empty());
        if reads_itself {
            from.extend(fact.sources.iter().filter_map(|stamp| of_source.get(stamp.name.as_str()).copied()));
        }
        let at = nodes.len();
        let column = from.iter().map(|input| nodes[*input].column + 1).max().unwrap_or_default();
        edges.extend(from.into_iter().map(|input| (input, at)));
        of_fact.insert(&fact.name, at);
        let concludes = proof.head.conclusions.contains(&fact.name);
        nodes.push(Node {
            title: text::clip(fact.name.as_str(), CHARACTERS),
            detail: fact.in_short(CHARACTERS),
            link: format!("#fact-{number}"),
            class: if concludes {
                "conclusion"
            } else if fact.work.is_none() {
                "statement"
            } else {
                "fact"
            },
            column,
            row: 0,
        });
    }
    Some(svg(place(nodes), &edges))
}

/// Gives each box a row of its own in its column.
fn place(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut filled: BTreeMap<usize, usize> = BTreeMap::new();
    for node in &mut nodes {
        let next = filled.entry(node.column).or_default();
        node.row = *next;
        *next += 1;
    }
    nodes
}

fn svg(nodes: Vec<Node>, edges: &[(usize, usize)]) -> String {
    let columns = nodes.iter().map(|node| node.column + 1).max().unwrap_or(1);
    let rows = nodes.iter().map(|node| node.row + 1).max().unwrap_or(1);
    let width = 2 * MARGIN + columns * WIDTH + (columns - 1) * GAP_ACROSS;
    let height = 2 * MARGIN + rows * HEIGHT + (rows - 1) * GAP_DOWN;
    let x = |node: &Node| MARGIN + node.column * (WIDTH + GAP_ACROSS);
    let y = |node: &Node| MARGIN + node.row * (HEIGHT + GAP_DOWN);
    let mut drawn = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"What was derived from what\">\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    );
    for (from, to) in edges {
        let (from, to) = (&nodes[*from], &nodes[*to]);
        let (x1, y1) = (x(from) + WIDTH, y(from) + HEIGHT / 2);
        let (x2, y2) = (x(to), y(to) + HEIGHT / 2);
        let middle = usize::midpoint(x1, x2);
        let _ = writeln!(
            drawn,
            "<path class=\"edge\" d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\" marker-end=\"url(#arrow)\"/>"
        );
    }
    for node in &nodes {
        let (x, y) = (x(node), y(node));
        let _ = writeln!(
            drawn,
            "<a href=\"{}\"><rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\"/>\
             <text class=\"title\" x=\"{}\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\">{}</text></a>",
            node.link,
            node.class,
            x + 12,
            y + 24,
            escape(&node.title),
            x + 12,
            y + 44,
            escape(&node.detail)
        );
    }
    drawn + "</svg>\n"
}

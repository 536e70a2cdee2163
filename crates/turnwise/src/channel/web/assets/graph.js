// Graphs: the steps of a plan, or where a value came from, drawn from left to right. Every node is a button: it can be
// reached and opened by keyboard, arrows go along the edges. Everything is in the page's own colours.

import { clip } from "./format.js";
import { html, names, useRef, useState } from "./ui.js";

/** Draws `nodes` ({key, name, told, after, state?, kind?}); each stands right of all it waits for. `open(node)` is called
    when one is chosen. Many nodes are drawn small, with their `short` alone. */
export function Graph({ nodes: given, label, open }) {
  const holder = useRef(null);
  const [chosen, setChosen] = useState(null);
  const [focused, setFocused] = useState(given[0]?.key);
  const known = new Set(given.map((node) => node.key));
  const nodes = given.map((node) => ({ ...node, after: (node.after ?? []).filter((key) => known.has(key) && key !== node.key) }));
  const columns = columnsOf(nodes);
  const isSmall = columns.length > 6 || nodes.length > 24;
  const size = isSmall ? SMALL : LARGE;
  const rowsMax = Math.max(...columns.map((column) => column.length));
  const place = new Map();
  columns.forEach((column, across) => column.forEach((node, down) => place.set(node.key, {
    node, across, down,
    x: EDGE + across * (size.width + size.apart),
    y: EDGE + (down + (rowsMax - column.length) / 2) * (size.height + size.below),
  })));
  const width = 2 * EDGE + columns.length * (size.width + size.apart) - size.apart;
  const height = 2 * EDGE + rowsMax * (size.height + size.below) - size.below;
  const choose = (node) => { setChosen(node.key); open(node); };
  const focus = (node) => {
    setFocused(node.key);
    [...holder.current.querySelectorAll(".node")].find((shape) => shape.dataset.key === String(node.key))?.focus();
  };
  const keys = (event, node) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(node); return; }
    const next = neighbour(event.key, place.get(node.key), columns, nodes);
    if (next) { event.preventDefault(); event.stopPropagation(); focus(next); }
  };
  return html`<div class=${names("graph", isSmall && "small")} ref=${holder}>
    <svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="group" aria-label=${label}>
      <g aria-hidden="true">${nodes.flatMap((node) => node.after.map((before) => html`<path key=${`${before}>${node.key}`} class="edge" d=${bend(place.get(before), place.get(node.key), size)} />`))}</g>
      ${[...place.values()].map(({ node, x, y }) => {
        const lines = isSmall ? [node.short ?? clip(node.name, 4)] : wrapped(node.name);
        const middle = y + size.height / 2 + 4.5 - (lines.length - 1) * 8;
        return html`<g key=${node.key} class=${names("node", node.state, node.kind)} role="button" tabindex=${focused === node.key ? 0 : -1}
          aria-pressed=${String(chosen === node.key)} data-key=${node.key} onClick=${() => { focus(node); choose(node); }} onKeyDown=${(event) => keys(event, node)}>
          <title>${node.told}</title>
          <rect x=${x} y=${y} width=${size.width} height=${size.height} rx=${node.kind === "source" ? 3 : 8} />
          ${lines.map((text, at) => html`<text key=${at} x=${x + size.width / 2} y=${middle + at * 16} class="middle">${text}</text>`)}
        </g>`;
      })}
    </svg>
  </div>`;
}

/** The nodes by how many others they must wait for at least, each column in an order that keeps edges short. */
function columnsOf(nodes) {
  const known = new Map(nodes.map((node) => [node.key, node]));
  const depths = new Map();
  const depth = (node, seen) => {
    if (depths.has(node.key)) return depths.get(node.key);
    if (seen.has(node.key)) return 0;
    seen.add(node.key);
    const found = Math.max(0, ...node.after.map((key) => depth(known.get(key), seen) + 1));
    depths.set(node.key, found);
    return found;
  };
  const columns = [];
  for (const node of nodes) (columns[depth(node, new Set())] ||= []).push(node);
  const row = new Map();
  columns.forEach((column) => {
    const wish = (node) => (node.after.length ? node.after.reduce((sum, key) => sum + (row.get(key) ?? 0), 0) / node.after.length : 0);
    column.sort((left, right) => wish(left) - wish(right));
    column.forEach((node, down) => row.set(node.key, down - column.length / 2));
  });
  return columns;
}

function bend(from, to, size) {
  const [x1, y1, x2, y2] = [from.x + size.width, from.y + size.height / 2, to.x, to.y + size.height / 2];
  const far = Math.max((x2 - x1) / 2, 12);
  return `M${x1} ${y1} C${x1 + far} ${y1} ${x2 - far} ${y2} ${x2} ${y2}`;
}

/** A name on at most two lines. */
function wrapped(name) {
  const lines = [""];
  for (const word of name.split(/\s+/)) {
    const joined = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (Array.from(joined).length <= LETTERS) lines[lines.length - 1] = joined;
    else if (lines.at(-1) === "") lines[lines.length - 1] = word;
    else lines.push(word);
  }
  if (lines.length > 2) lines.splice(1, lines.length, lines.slice(1).join(" "));
  return lines.map((line) => clip(line, LETTERS + 1));
}

function neighbour(key, { node, across, down }, columns, nodes) {
  if (key === "ArrowUp") return columns[across][down - 1];
  if (key === "ArrowDown") return columns[across][down + 1];
  if (key === "ArrowLeft") return nodes.find((other) => node.after.includes(other.key)) ?? columns[across - 1]?.[0];
  if (key === "ArrowRight") return nodes.find((other) => other.after.includes(node.key)) ?? columns[across + 1]?.[0];
  if (key === "Home") return columns[0][0];
  if (key === "End") return columns.at(-1).at(-1);
  return null;
}

const LARGE = { width: 184, height: 50, apart: 40, below: 14 };
const SMALL = { width: 40, height: 32, apart: 22, below: 8 };
const EDGE = 6;
const LETTERS = 24;

// Drawings: the steps of a plan as a graph from left to right, charts of results, and the tree a value came from.
// Everything is SVG in `currentColor` and the page's own colours, so that it reads in light and dark.

import { el } from "./dom.js";

/** The DAG of `steps` ({number, description, after, state?}); each step stands right of all it waits for. */
export function dag(steps) {
  const column = new Map();
  for (const step of steps) {
    column.set(step.number, Math.max(0, ...(step.after || []).map((before) => (column.get(before) ?? 0) + 1)));
  }
  const rows = [];
  const place = new Map();
  for (const step of steps) {
    const at = column.get(step.number);
    rows[at] = (rows[at] || 0) + 1;
    place.set(step.number, { x: at * 190 + 10, y: (rows[at] - 1) * 56 + 10 });
  }
  const width = rows.length * 190 + 10;
  const height = Math.max(...rows) * 56 + 10;
  const lines = steps.flatMap((step) =>
    (step.after || []).map((before) => {
      const from = place.get(before);
      const to = place.get(step.number);
      if (!from) return null;
      const [x1, y1, x2, y2] = [from.x + 170, from.y + 20, to.x, to.y + 20];
      const path = `M${x1} ${y1} C${x1 + 15} ${y1} ${x2 - 15} ${y2} ${x2} ${y2}`;
      return el("svg:path", { d: path, class: "edge" });
    }),
  );
  const boxes = steps.map((step) => {
    const { x, y } = place.get(step.number);
    return el(
      "svg:g",
      { class: `node ${step.state || ""}` },
      el("svg:title", {}, `${step.number}. ${step.description}`),
      el("svg:rect", { x, y, width: 170, height: 40, rx: 6 }),
      el("svg:text", { x: x + 8, y: y + 25 }, clip(`${step.number} ${step.description}`, 21)),
    );
  });
  const label = `Plan of ${steps.length} step${steps.length === 1 ? "" : "s"}: ${steps
    .map((step) => `${step.number}, ${step.description}${step.after?.length ? `, after ${step.after.join(" and ")}` : ""}`)
    .join("; ")}`;
  return el(
    "div",
    { class: "graph", tabindex: "0", role: "group", "aria-label": "Steps as a graph" },
    el("svg:svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, lines, boxes),
  );
}

/** A chart of a table: bars or a line, labels from the columns before the first number. */
export function chart(table, kind) {
  const numeric = table.columns.map((_, at) => table.rows.some((row) => typeof row[at] === "number") &&
    table.rows.every((row) => row[at] === null || typeof row[at] === "number"));
  let measure = numeric.findIndex((is, at) => is && at > 0);
  if (measure < 0) measure = numeric.indexOf(true);
  if (measure < 0 || table.rows.length < 2) return null;
  const points = table.rows.slice(0, POINTS_MAX).map((row) => ({
    label: row.slice(0, Math.max(measure, 1)).map((cell) => (cell === null ? "–" : String(cell))).join(" "),
    value: row[measure],
  }));
  const title = `${table.columns[measure]} by ${table.columns.slice(0, Math.max(measure, 1)).join(", ")}`;
  const drawn = kind === "line" ? line(points) : bars(points);
  const rest = table.total_rows - points.length;
  return el(
    "figure",
    { class: "chart" },
    el("svg:svg", { ...drawn.frame, role: "img", "aria-label": `Chart: ${title}` }, drawn.marks),
    el("figcaption", {}, rest > 0 ? `${title} (first ${points.length} of ${table.total_rows})` : title),
  );
}

function bars(points) {
  const low = Math.min(0, ...points.map((point) => point.value ?? 0));
  const high = Math.max(0, ...points.map((point) => point.value ?? 0)) || 1;
  const scale = (value) => 170 + ((value - low) / (high - low || 1)) * 330;
  const marks = points.flatMap((point, at) => {
    const y = at * 24 + 6;
    const [from, to] = [scale(0), scale(point.value ?? 0)].sort((left, right) => left - right);
    return [
      el("svg:text", { x: 162, y: y + 13, class: "label end" }, clip(point.label, 22)),
      el("svg:rect", { x: from, y, width: Math.max(to - from, 1), height: 16, class: "bar" },
        el("svg:title", {}, `${point.label}: ${number(point.value)}`)),
      el("svg:text", { x: to + 6, y: y + 13, class: "label" }, number(point.value)),
    ];
  });
  const height = points.length * 24 + 12;
  return { frame: { viewBox: `0 0 600 ${height}`, width: 600, height }, marks };
}

function line(points) {
  const values = points.map((point) => point.value).filter((value) => value !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at) => 70 + (at / Math.max(points.length - 1, 1)) * 510;
  const y = (value) => 190 - ((value - low) / (high - low || 1)) * 170;
  const path = points
    .map((point, at) => (point.value === null ? "" : `${at === 0 || points[at - 1].value === null ? "M" : "L"}${x(at)} ${y(point.value)}`))
    .join(" ");
  const every = Math.ceil(points.length / 6);
  const marks = [
    el("svg:path", { d: `M70 20 V190 H580`, class: "axis" }),
    el("svg:text", { x: 64, y: 24, class: "label end" }, number(high)),
    el("svg:text", { x: 64, y: 194, class: "label end" }, number(low)),
    el("svg:path", { d: path, class: "line" }),
    ...points.map((point, at) => point.value === null ? null :
      el("svg:circle", { cx: x(at), cy: y(point.value), r: 3, class: "bar" }, el("svg:title", {}, `${point.label}: ${number(point.value)}`))),
    ...points.map((point, at) => at % every === 0 ? el("svg:text", { x: x(at), y: 208, class: "label middle" }, clip(point.label, 12)) : null),
  ].filter(Boolean);
  return { frame: { viewBox: "0 0 600 216", width: 600, height: 216 }, marks };
}

/** A number for people. */
export function number(value) {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? value.toLocaleString(undefined, { maximumFractionDigits: 2 }) : String(value);
}

function clip(text, length) {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}

const POINTS_MAX = 60;

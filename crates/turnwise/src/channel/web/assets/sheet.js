// Rows of a result: a picture of them made by the server, and a table that sorts by its columns and can be taken along
// as CSV.

import { chartAt } from "./api.js";
import { announce, button, download, el, fill, number } from "./dom.js";

/** The picture of `fact`, for light and dark, with what it shows in words; it can be saved as it is seen. */
export function picture(id, fact, chart, said) {
  const source = (theme) => chartAt(id, fact, { theme, said });
  const save = (format) => el("a", { class: "button", download: `${fact}.${format}`,
    href: chartAt(id, fact, { format, said, theme: "light" }) }, `Save ${format.toUpperCase()}`);
  return el("figure", { class: "chart" },
    el("div", { class: "frame", tabindex: "0", role: "group", "aria-label": `Chart of ${fact}` }, el("picture", {},
      el("source", { media: "(prefers-color-scheme: dark)", srcset: source("dark") }),
      el("img", { src: source("light"), alt: chart.described, width: chart.width, height: chart.height, loading: "lazy" }))),
    el("figcaption", {}, el("span", { class: "dim" }, chart.kind), save("svg"), save("png")));
}

/** A table that sorts by its columns and can be taken along as CSV. */
export function sheet(table, name) {
  let rows = table.rows;
  let sorted = { at: -1, down: false };
  const isFigure = table.columns.map((_, at) => table.rows.some((row) => isNumber(row[at])) &&
    table.rows.every((row) => row[at] === null || isNumber(row[at])));
  const body = el("tbody");
  const draw = () => fill(body, rows.slice(0, ROWS_MAX).map((row) => el("tr", {}, row.map((cell) =>
    el("td", { class: isNumber(cell) ? "number" : cell === null ? "none" : "" }, number(cell))))));
  const heads = table.columns.map((column, at) => el("th", { scope: "col", class: isFigure[at] ? "number" : "" },
    button(column, () => sort(at), { title: `Sort by ${column}` })));
  const sort = (at) => {
    sorted = { at, down: sorted.at === at && !sorted.down };
    rows = [...table.rows].sort((left, right) => compare(left[at], right[at], sorted.down ? -1 : 1));
    heads.forEach((head, column) => column === at
      ? head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending")
      : head.removeAttribute("aria-sort"));
    announce(`Sorted by ${table.columns[at]}, ${sorted.down ? "descending" : "ascending"}.`);
    draw();
  };
  draw();
  const shown = Math.min(rows.length, ROWS_MAX);
  const count = table.total_rows > shown ? `${number(shown)} of ${number(table.total_rows)} rows` : rows.length === 1 ? "1 row" : `${number(rows.length)} rows`;
  const part = table.total_rows > table.rows.length ? ` (first ${number(table.rows.length)} rows)` : "";
  return el("div", { class: "sheet" },
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Table ${name}` },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    el("div", { class: "row foot" }, el("span", { class: "dim" }, count),
      button(`Export CSV${part}`, () => download(`${name}.csv`, "text/csv;charset=utf-8", csv(table.columns, rows)), { class: "quiet" })));
}

const isNumber = (cell) => typeof cell === "number" || typeof cell === "bigint";

/** What is missing comes last, whichever way it is sorted. */
function compare(left, right, sign) {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  if (isNumber(left) && isNumber(right)) return left < right ? -sign : sign;
  return String(left).localeCompare(String(right), undefined, { numeric: true }) * sign;
}

/** RFC 4180 in UTF-8 with the mark by which spreadsheets know it. Text that a spreadsheet would run as a formula is kept
    from it by an apostrophe; signed figures and telephone numbers are none. */
export function csv(columns, rows) {
  const cell = (value) => {
    if (value === null || value === undefined) return "";
    if (isNumber(value)) return String(value);
    const isFormula = /^[=@\t\r]/.test(value) || (/^[+-]/.test(value) && !/^[+-]?[\d .,()/-]*$/.test(value));
    const text = isFormula ? `'${value}` : value;
    return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\uFEFF${[columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}

const ROWS_MAX = 1_000;

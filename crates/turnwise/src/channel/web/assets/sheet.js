// Rows of a result: a picture of them made by the server, and a table that sorts by its columns and can be taken along
// as CSV.

import { chartAt, rowsAt } from "./api.js";
import { announce, button, el, fill, number } from "./dom.js";

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

/** The table of `fact`, which sorts by its columns and can be taken along as CSV, as event `said` showed it or as it is
    now. The server writes it, by the same hand as the files that runs save. */
export function sheet(table, id, fact, said) {
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
    take.href = rowsAt(id, fact, { said, sort: at, descending: sorted.down });
    announce(`Sorted by ${table.columns[at]}, ${sorted.down ? "descending" : "ascending"}.`);
    draw();
  };
  const part = table.total_rows > table.rows.length ? ` (first ${number(table.rows.length)} rows)` : "";
  const take = el("a", { class: "button quiet", download: `${fact}.csv`, href: rowsAt(id, fact, { said }) }, `Export CSV${part}`);
  draw();
  const shown = Math.min(rows.length, ROWS_MAX);
  const count = table.total_rows > shown ? `${number(shown)} of ${number(table.total_rows)} rows` : rows.length === 1 ? "1 row" : `${number(rows.length)} rows`;
  return el("div", { class: "sheet" },
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Table ${fact}` },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    el("div", { class: "row foot" }, el("span", { class: "dim" }, count), take));
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

const ROWS_MAX = 1_000;

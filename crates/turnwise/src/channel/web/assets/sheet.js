// Rows as a table that sorts by its columns. Next: result.js.

import { areFine, counted, isNumber, number, cell as told } from "./format.js";
import { announce, html, useState } from "./ui.js";

/** The table of `label`. `onSort` is told by which column rows are sorted, for whoever offers them as a file. */
export function Sheet({ table, label, onSort = null, rowsMax = ROWS_FIRST }) {
  const [sorted, setSorted] = useState({ at: -1, isDown: false });
  const [most, setMost] = useState(rowsMax);
  const rows = sorted.at < 0 ? table.rows
    : [...table.rows].sort((left, right) => compare(left[sorted.at], right[sorted.at], sorted.isDown ? -1 : 1));
  const isFigure = table.columns.map((_, at) => table.rows.some((row) => isNumber(row[at])) && table.rows.every((row) => row[at] === null || isNumber(row[at])));
  const isFine = table.columns.map((_, at) => areFine(table.rows.map((row) => row[at])));
  const sort = (at) => {
    const next = { at, isDown: sorted.at === at && !sorted.isDown };
    setSorted(next);
    onSort?.(next);
    announce(`Sorted by ${table.columns[at]}, ${next.isDown ? "descending" : "ascending"}.`);
  };
  const shown = Math.min(rows.length, most);
  return html`<div class="sheet">
    <div class="scroll" tabindex="0" role="group" aria-label=${`Table ${label}`}>
      <table>
        <thead><tr>${table.columns.map((column, at) => html`<th key=${at} scope="col" class=${isFigure[at] ? "number" : ""}
          aria-sort=${sorted.at === at ? (sorted.isDown ? "descending" : "ascending") : null}>
          <button type="button" title=${`Sort by ${column}`} onClick=${() => sort(at)}>${column}</button></th>`)}</tr></thead>
        <tbody>${rows.slice(0, shown).map((row, place) => html`<tr key=${place}>${row.map((cell, at) =>
          html`<td key=${at} class=${isNumber(cell) ? "number" : cell === null ? "none" : ""}>${told(cell, table.columns[at], isFine[at])}</td>`)}</tr>`)}</tbody>
      </table>
    </div>
    ${(shown < rows.length || table.total_rows > shown) && html`<p class="count dim">
      ${number(shown)} of ${counted(table.total_rows, "row")}
      ${shown < rows.length && html` · <button type="button" class="link" onClick=${() => setMost(Math.min(rows.length, ROWS_MAX))}>Show ${number(Math.min(rows.length, ROWS_MAX) - shown)} more</button>`}
      ${table.total_rows > table.rows.length && shown >= rows.length && " · the rest is in the CSV"}
    </p>`}
  </div>`;
}

/** What is missing comes last, whichever way it is sorted. */
function compare(left, right, sign) {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  if (isNumber(left) && isNumber(right)) return left < right ? -sign : sign;
  return String(left).localeCompare(String(right), undefined, { numeric: true }) * sign;
}

const ROWS_FIRST = 50;
const ROWS_MAX = 1_000;

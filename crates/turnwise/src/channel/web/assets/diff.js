// Diffs: what files would become, line by line as it is decided on. Lines that take each other's place have the words
// marked that differ, and hunks are numbered, because they can be left out by their number.

import { el } from "./dom.js";

/** A unified diff, drawn; its text is that of the diff, with the hunks' numbers. */
export function diffText(text) {
  const lines = text.replace(/\n$/, "").split("\n");
  const hunks = lines.filter(isHead).length;
  let number = 0;
  const drawn = [];
  for (let at = 0; at < lines.length;) {
    const removed = run(lines, at, "-");
    const added = removed > 0 ? run(lines, at + removed, "+") : 0;
    if (removed > 0 && removed === added) {
      const pairs = Array.from({ length: removed }, (_, offset) => [lines[at + offset], lines[at + removed + offset]]);
      drawn.push(...pairs.map(([old, now]) => marked(old, now, "removed")), ...pairs.map(([old, now]) => marked(now, old, "added")));
      at += removed + added;
      continue;
    }
    const line = lines[at];
    if (isHead(line)) number += 1;
    drawn.push(el("span", { class: classOf(line) }, isHead(line) && hunks > 1 ? `${line}  hunk ${number}` : line));
    at += 1;
  }
  return el("pre", { class: "diff-text" }, drawn.flatMap((line, at) => (at > 0 ? ["\n", line] : [line])));
}

function isHead(line) {
  return /^@@ -\d/.test(line);
}

function classOf(line) {
  if (/^(---|\+\+\+) /.test(line)) return "file";
  return { "+": "added", "-": "removed", "@": "head" }[line[0]] ?? "kept";
}

/** How many lines from `at` on begin with this sign; heads of files are none. */
function run(lines, at, sign) {
  let end = at;
  while (end < lines.length && lines[end][0] === sign && classOf(lines[end]) !== "file") end += 1;
  return end - at;
}

/** A line with the words marked that the one across from it has otherwise. */
function marked(line, across, kind) {
  const words = (it) => it.slice(1).match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_]/gu) ?? [];
  const [own, other] = [words(line), words(across)];
  let ahead = 0;
  while (ahead < Math.min(own.length, other.length) && own[ahead] === other[ahead]) ahead += 1;
  let behind = 0;
  while (behind < Math.min(own.length, other.length) - ahead && own.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  const middle = own.slice(ahead, own.length - behind).join("");
  return el("span", { class: kind }, line[0] + own.slice(0, ahead).join(""),
    middle ? el("mark", {}, middle) : null, own.slice(own.length - behind).join(""));
}

// How the page writes numbers, moments, names and files: one hand for prose, tables, charts and cards.

/** A number for people; what is missing is a dash. Beside numbers with fractions, `isFine`, a whole one shows that it has
    none. */
export function number(value, isFine = false) {
  if (value === null || value === undefined) return "–";
  if (!isNumber(value)) return String(value);
  // Two decimals would tell a small number as none.
  const isSmall = typeof value === "number" && value !== 0 && Math.abs(value) < 0.1;
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  // Thousands are set apart where they are not read at a glance; years are written without.
  const useGrouping = Math.abs(Number(value)) >= 10_000;
  return value.toLocaleString(undefined, isSmall ? { maximumSignificantDigits: 4 } : { minimumFractionDigits: isWhole && !isFine ? 0 : 2, maximumFractionDigits: 2, useGrouping });
}

/** Whether some of these numbers have fractions. */
export const areFine = (values) => values.some((value) => typeof value === "number" && !Number.isInteger(value));

/** A cell in the column of this name: numbers that only tell things apart stay as they are. */
export function cell(value, column, isFine = false) {
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  return isWhole && (NAMING.test(column) || NAMING_IN_CAPITALS.test(column)) ? String(value) : number(value, isFine);
}
const NAMING = /(^|[^a-z])(id|key|no|nr|number|code|zip|postcode|phone|isbn|year|quarter|month|week|day|hour|weekday)$/i;
const NAMING_IN_CAPITALS = /[a-z](Id|Key|No|Nr|Number|Code|Zip|Year|Month)$/;

/** A number for the side of a chart: short. */
export const short = (value) => Math.abs(value) < 10_000 ? number(value)
  : value.toLocaleString(undefined, { notation: "compact", maximumFractionDigits: 1 });

/** A share of one, as per cent. */
export const percent = (share, digits = 1) => share.toLocaleString(undefined, { style: "percent", maximumFractionDigits: digits });

export const isNumber = (value) => typeof value === "number" || typeof value === "bigint";

/** “1 row”, “2 rows”. */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${Number(count) === 1 ? one : many}`;

/** Cut to `length` characters, with an ellipsis. */
export function clip(text, length) {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}

/** A moment: the time, and the day unless it is today. */
export function when(moment) {
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** How long ago, in a word or two, for lists. */
export function ago(moment, now = Date.now()) {
  const minutes = Math.round((now - new Date(moment).getTime()) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  const date = new Date(moment);
  if (date.toDateString() === new Date(now).toDateString()) return date.toLocaleTimeString(undefined, { timeStyle: "short" });
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString(undefined, isThisYear ? { day: "numeric", month: "short" } : { dateStyle: "medium" });
}

/** How large a file is. */
export function bytes(count) {
  if (count < 1024) return counted(count, "byte");
  return count < 1024 * 1024 ? `${number(Math.round(count / 1024))} kB` : `${(count / 1024 / 1024).toFixed(1)} MB`;
}

/** As a sentence: what the server says can stand alone. */
export function sentence(text) {
  const trimmed = (text ?? "").trim();
  if (!trimmed) return "";
  const first = trimmed[0].toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A name of the program as people read it: `total_paid_by_town` is “total paid by town”. */
export const spoken = (name) => name.replaceAll("_", " ");

/** With a capital letter. */
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/** Offers `text` as a file. */
export function download(name, type, text) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** What a browser remembers between visits; one that keeps nothing just forgets. */
export const kept = {
  get(key) { try { return localStorage.getItem(`turnwise:${key}`); } catch { return null; } },
  set(key, value) {
    try {
      if (value) localStorage.setItem(`turnwise:${key}`, value); else localStorage.removeItem(`turnwise:${key}`);
    } catch { /* a full or closed store: the page works without it */ }
  },
  /** Forgets everything but how the page looks: what one person typed is not for the next. */
  clear() {
    try {
      Object.keys(localStorage).filter((key) => key.startsWith("turnwise:") && key !== "turnwise:theme").forEach((key) => localStorage.removeItem(key));
    } catch { /* a closed store keeps nothing */ }
  },
};

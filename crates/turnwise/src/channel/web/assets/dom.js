// Building elements. Text only ever becomes text nodes, so nothing anyone writes can become markup.

/** An element with attributes, listeners (`onclick`, …) and children; strings become text. */
export function el(name, attributes = {}, ...children) {
  const node = name.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else node.setAttribute(key, String(value));
  }
  node.append(...there(children));
  return node;
}

/** A button that does something. */
export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

/** Puts `children` in place of what `node` holds. */
export function fill(node, ...children) {
  node.replaceChildren(...there(children));
}

const there = (children) => children.flat(3).filter((child) => child !== null && child !== undefined && child !== false);

export const at = (id) => document.getElementById(id);

/** Offers `text` as a file. */
export function download(name, type, text) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Tells screen readers, once. What comes in one moment is told together. */
export function announce(text) {
  said.push(text);
  if (said.length > 1) return;
  setTimeout(() => {
    const region = at("announcer");
    region.textContent = "";
    region.textContent = said.join(" ").slice(0, ANNOUNCED_MAX);
    said.length = 0;
  }, 120);
}

const said = [];

/** A number for people. */
export function number(value) {
  if (value === null || value === undefined) return "–";
  const isNumber = typeof value === "number" || typeof value === "bigint";
  if (!isNumber) return String(value);
  // Two decimals would tell a small number as none.
  const small = typeof value === "number" && value !== 0 && Math.abs(value) < 0.1;
  const digits = small ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 };
  return value.toLocaleString(undefined, digits);
}

/** A name that may break after its underscores. */
export const breakable = (name) => name.split(/(?<=_)/).flatMap((part, at) => (at ? [el("wbr"), part] : [part]));

/** Cut to `length` characters, with an ellipsis. */
export function clip(text, length) {
  const characters = Array.from(text);
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
}

/** A moment for people: the time, and the day unless it is today. */
export function when(moment) {
  const date = new Date(moment);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** Whether the person wants as little movement as possible. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a surface remembers between visits; a browser that keeps nothing just forgets. */
export const kept = {
  get(key) { try { return localStorage.getItem(`turnwise:${key}`); } catch { return null; } },
  set(key, value) {
    try {
      if (value) localStorage.setItem(`turnwise:${key}`, value); else localStorage.removeItem(`turnwise:${key}`);
    } catch { /* a full or closed store: the page works without it */ }
  },
  /** Forgets everything: what one person typed is not for the next. */
  clear() {
    try {
      Object.keys(localStorage).filter((key) => key.startsWith("turnwise:")).forEach((key) => localStorage.removeItem(key));
    } catch { /* a closed store keeps nothing */ }
  },
};

const ANNOUNCED_MAX = 600;

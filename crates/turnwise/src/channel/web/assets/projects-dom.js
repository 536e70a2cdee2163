// Building elements for the page of projects. Text only ever becomes text nodes, so nothing anyone writes can become
// markup.

/** An element with attributes, listeners (`onclick`, …) and children; strings become text. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
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
export const button = (label, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, label);

/** Puts `children` in place of what `node` holds. */
export const fill = (node, ...children) => node.replaceChildren(...there(children));

/** The same, while what somebody is writing in there stays, and where they are. */
export function refill(node, ...children) {
  const fields = [...node.querySelectorAll("input[id]:not([type=file]), textarea[id]")];
  const written = fields.filter((field) => field.type !== "checkbox" && field.value !== field.defaultValue).map((field) => [field.id, field.value]);
  const { activeElement: active } = document;
  const where = node.contains(active) && active.id ? [active.id, active.selectionStart, active.selectionEnd] : null;
  fill(node, ...children);
  for (const [id, value] of written) {
    if (!at(id)) continue;
    at(id).value = value;
    at(id).dispatchEvent(new Event("restored"));
  }
  const field = where && at(where[0]);
  if (!field) return;
  field.focus({ preventScroll: true });
  if (where[1] !== null && where[1] !== undefined) field.setSelectionRange(where[1], where[2]);
}

const there = (children) => children.flat(4).filter((child) => child !== null && child !== undefined && child !== false);

export const at = (id) => document.getElementById(id);

/** A moment for people: the time, and the day unless it is today. */
export function when(ms) {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** A length for people. */
export function length(bytes) {
  const [unit, size] = bytes < 1024 ? ["bytes", bytes] : bytes < 1 << 20 ? ["kB", bytes / 1024] : ["MB", bytes / (1 << 20)];
  return `${size.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}

/** Tells screen readers, once. */
export function announce(text) {
  const region = at("announcer");
  region.textContent = "";
  setTimeout(() => { region.textContent = text; }, 60);
}

/** Tells what went wrong until it is closed, or something works. */
export function notice(text) {
  fill(at("notices"), text && el("p", { class: "problem" }, text, " ", button("Close", () => notice(null), { class: "quiet" })));
}

/** Whether the person really wants what cannot be taken back. */
export function sure(title, text, yes) {
  at("sure-title").textContent = title;
  at("sure-text").textContent = text;
  at("sure-yes").textContent = yes;
  const dialog = at("sure");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

// What the page is built with: preact, its hooks, signals and htm, under one name. Text only ever becomes text nodes, so
// nothing anyone writes can become markup. Next: app.js.

import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { render } from "./vendor/preact.js";
export { useEffect, useLayoutEffect, useRef, useState } from "./vendor/hooks.js";
export { batch, computed, effect, signal, untracked } from "./vendor/signals.js";

export const html = htm.bind(h);

/** The element of an id. */
export const at = (id) => document.getElementById(id);

/** Class names, without those that do not hold. */
export const names = (...list) => list.filter(Boolean).join(" ");

/** Whether the person wants as little movement as possible. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether a keyboard on the screen would come up with the focus. */
const isTouched = () => matchMedia("(hover: none) and (pointer: coarse)").matches;

/** Puts the focus into the message box, unless that would cover half a phone. */
export function toBox({ must = false } = {}) {
  if (must || !isTouched()) at("words")?.focus();
}

/** Puts the focus back where it was before `left` was opened, unless the person has gone elsewhere since: a dialog is
    told a moment late that it was closed. */
export function focusBack(from, left) {
  const now = document.activeElement;
  if (now && now !== document.body && !left.contains(now)) return;
  if (from?.isConnected && from !== document.body) from.focus(); else toBox();
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
const ANNOUNCED_MAX = 600;

/** A picture of 24 by 24 units, drawn by one path. */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}

const PATHS = {
  add: "M12 5v14M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l4.5 4.5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  down: "M12 5v14M6 13l6 6 6-6",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.600-5.700L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.600 5.700L12 17",
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4",
  shield: "M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  clip: "M19 11l-7.500 7.500a4.500 4.500 0 0 1-6.400-6.400L13 4.200a3 3 0 0 1 4.300 4.300L9.500 16.300",
  why: "M9 9a3 3 0 1 1 4 2.800c-.7.3-1 .8-1 1.700v.5M12 17.500h.01",
  again: "M4 12a8 8 0 1 0 2.500-5.800M4 4v4h4",
  people: "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M3 20c0-3.500 2.500-5.500 6-5.500s6 2 6 5.500M16 4.500a3.500 3.500 0 0 1 0 6.500M17.500 15c2 .7 3.500 2.400 3.500 5",
};

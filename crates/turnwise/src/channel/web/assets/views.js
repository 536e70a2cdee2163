// Pages of their own beside the conversations, such as the projects of a companion. One registers itself by
// `registerView` and is reached at `#/name`; it is a link in the list of conversations while `isThere()` holds. Next:
// app.js.

import { computed, signal } from "./ui.js";

const registered = signal([]);

/** Adds a page: `{ name, title, icon?, isThere(), View }`. */
export function registerView(view) {
  registered.value = [...registered.value.filter((other) => other.name !== view.name), view];
}

/** The pages there are on this server. */
export const views = computed(() => registered.value.filter((view) => view.isThere()));

/** The page of a name; nothing where there is none. */
export const viewOf = (name) => registered.value.find((view) => view.name === name && view.isThere()) ?? null;

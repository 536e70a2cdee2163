// Where the transcript is scrolled to. Next: transcript.js.

import { at, signal } from "./ui.js";

/** Whether there is something below that came while a person read further up. */
export const isNewer = signal(false);

/** Whether the end is kept in view, and what came last. */
export const stays = { isAtEnd: true, fresh: null };

/** Scrolls to what came last. */
export function toEnd() {
  const box = at("transcript");
  if (!box) return;
  box.scrollTo({ top: box.scrollHeight, behavior: "instant" });
  stays.isAtEnd = true;
  isNewer.value = false;
}

// The transcript: turn by turn what was asked and what came of it. Of a long conversation only the turns around the view
// are in the document; the others keep their height. Next: cards.js, result.js.

import { chartAt } from "./api.js";
import { fork, place, show } from "./acts.js";
import { Card, RunCard, hasHead, headOf, outcomeOf, standing } from "./cards.js";
import { clip, spoken, when } from "./format.js";
import { Copy, Prose } from "./parts.js";
import { Result } from "./result.js";
import { isNewer, stays, toEnd } from "./scroll.js";
import { conversation, editing, onNews, personOf, sending, state, transcript, view } from "./store.js";
import { Icon, announce, at, html, isStill, names, signal, toBox, useEffect, useLayoutEffect, useRef, useState } from "./ui.js";
import { Welcome } from "./welcome.js";

/** A question that waits and is shown nowhere, because it was only spoken of again. */
const orphan = signal(null);

export function Transcript() {
  const box = useRef(null);
  const inner = useRef(null);
  transcript.value;
  const { blocks } = view.turns;
  const id = conversation.value;
  const chunks = [];
  for (let from = 0; from < blocks.length; from += CHUNK) chunks.push(blocks.slice(from, from + CHUNK));
  const isLong = blocks.length > WHOLE_MAX;
  useEffect(() => follow(box.current, inner.current), []);
  useLayoutEffect(() => { stays.isAtEnd = true; isNewer.value = false; toEnd(); }, [id]);
  // That somebody takes part is not yet a conversation.
  const isEmpty = !sending.value.length && blocks.length < 3 && blocks.every((block) => block.items.every((item) => ["joined", "left"].includes(item.kind)));
  return html`<div id="transcript" ref=${box} tabindex="0" role="log" aria-label="Conversation" aria-live="off">
    <div class="column" ref=${inner}>
      ${!isEmpty && html`<h2 class="hidden-text">Conversation</h2>`}
      ${isEmpty && html`<${Welcome} isBegun=${Boolean(id)} />`}
      ${chunks.map((chunk, place) => html`<${Chunk} key=${`${id} ${place}`} blocks=${chunk} isLong=${isLong} isLast=${place >= chunks.length - 2} lastBlock=${blocks.at(-1)} />`)}
      <${Orphan} />
      ${sending.value.map((one, place) => html`<article key=${`sending ${place}`} class="message person sending"><div class="bubble text">${one.text}</div><p class="meta">sending…</p></article>`)}
    </div>
  </div>
  ${isNewer.value && html`<button id="newer" type="button" onClick=${toEnd}><${Icon} name="down" /> New below</button>`}`;
}

// ── where the view is ───────────────────────────────────────────────────────────────────────────────────────────────

/** Keeps the end in view while it grows, or the box becomes smaller: a keyboard comes up, a line is typed, a run begins. */
function follow(box, inner) {
  const settle = () => {
    const wanted = view.goTo && box.querySelector(`[data-sequence="${Number(view.goTo)}"]`);
    if (wanted) {
      view.goTo = null;
      stays.isAtEnd = false;
      wanted.scrollIntoView({ block: "start", behavior: "instant" });
      wanted.classList.add("is-sought");
      return;
    }
    if (!stays.isAtEnd) return;
    // What a conversation begins with is read from its beginning.
    if (box.querySelector("#greeting")) { box.scrollTop = 0; return; }
    const node = stays.fresh && box.querySelector(`[data-sequence="${stays.fresh}"]`);
    stays.fresh = null;
    toEnd();
    // What is higher than the view is read from its beginning.
    if (node && node.offsetHeight > box.clientHeight) {
      box.scrollTop = node.offsetTop - box.offsetTop - 12;
      stays.isAtEnd = false;
      isNewer.value = true;
    }
  };
  const watch = new ResizeObserver(settle);
  watch.observe(inner);
  watch.observe(box);
  // A scroll is told of a moment late, when more may be there already: only who scrolled up has left the end.
  let before = box.scrollTop;
  const scrolled = () => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight < 60) { stays.isAtEnd = true; isNewer.value = false; }
    else if (box.scrollTop < before) stays.isAtEnd = false;
    before = box.scrollTop;
  };
  box.addEventListener("scroll", scrolled, { passive: true });
  return () => { watch.disconnect(); box.removeEventListener("scroll", scrolled); };
}

onNews((event) => {
  if (event.event !== "said") return;
  if (stays.isAtEnd) stays.fresh = event.sequence; else isNewer.value = true;
  announce(hasHead(event.card) && event.card.question ? `${event.text} Press Alt and O to go to the question.` : event.text);
});

/** Some turns, in the document while they are near the view. */
function Chunk({ blocks, isLong, isLast, lastBlock }) {
  const node = useRef(null);
  const [isNear, setNear] = useState(!isLong || isLast);
  const height = useRef(blocks.length * BLOCK_HEIGHT);
  useEffect(() => {
    if (!isLong) { setNear(true); return undefined; }
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting && node.current?.childElementCount) height.current = node.current.offsetHeight;
      setNear(entry.isIntersecting);
    }, { root: at("transcript"), rootMargin: "1600px 0px" });
    watch.observe(node.current);
    return () => watch.disconnect();
  }, [isLong]);
  const isThere = isNear || isLast || !isLong;
  return html`<div class="chunk" ref=${node} style=${isThere ? {} : { height: `${height.current}px` }}>
    ${isThere && blocks.map((block) => html`<${Turn} key=${block.key} block=${block} isLast=${block === lastBlock} />`)}</div>`;
}

// ── a turn ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function Turn({ block }) {
  // Items are changed in place, so what draws them is told that they did.
  const rev = block.rev?.value;
  return html`<div class="turn">${grouped(block.items).map((part) => (part.work
    ? html`<${Work} key=${`work ${part.work[0].key}`} items=${part.work} rev=${rev} />`
    : html`<${Item} key=${part.item.key} item=${part.item} rev=${rev} />`))}</div>`;
}

/** What is over and done goes into one line; what waits, runs or came out stands by itself. */
function grouped(items) {
  const parts = [];
  for (const item of items) {
    if (!isOver(item) && !hasRun(item, items)) { parts.push({ item }); continue; }
    if (parts.at(-1)?.work) parts.at(-1).work.push(item); else parts.push({ work: [item] });
  }
  return parts;
}

/** Whether a plan is shown with more to say than its title: that it stays as it was. */
const saysMore = (item) => item.card.card === "plan" && !/^Plan( \(version \d+\))?: /.test(item.text);

/** Whether it is a plan that ran without being asked about. */
const hasRun = (item, items) => item.card?.card === "plan" && !item.card.question
  && items.some((one) => one.kind === "run" && one.run.status !== "active" && one.run.plan.id === item.card.plan.id);

const isOver = (item) => (item.kind === "run" ? item.run.status !== "active"
  : item.kind === "message" ? !item.isRead && item.isAnswer
    : item.kind === "said" && item.card?.question !== undefined && item.card?.question !== null && item.card.card !== "failure" && standing(item) === "closed");

/** What was planned, decided and run, in a line that opens. */
function Work({ items, rev }) {
  const [isOpen, setOpen] = useState(false);
  const run = items.findLast((item) => item.kind === "run")?.run;
  const decided = items.findLast((item) => item.card?.question);
  const told = run ? `${headOf(run)} ${run.plan.steps.length === 1 ? "step" : "steps"}` : decided ? outcomeOf(decided).replace(/\.$/, "") : items.at(-1).text;
  const mark = run ? { completed: "✓", failed: "✗", cancelled: "○" }[run.status] : null;
  const about = run?.plan.title ?? decided?.card.plan?.title ?? decided?.text.split("\n")[0] ?? "";
  return html`<details class=${names("work", run?.status)} open=${isOpen} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${mark && html`<span class="mark" aria-hidden="true">${mark}</span>`}<span class="told">${told}</span>${about && html`<span class="dim about"> · ${clip(about, 90)}</span>`}</summary>
    <div class="inner">${items.map((item) => html`<${Item} key=${item.key} item=${item} rev=${rev} />`)}</div>
  </details>`;
}

function Item({ item, rev }) {
  switch (item.kind) {
    case "message": return item.isRead ? html`<${Asked} item=${item} rev=${rev} />` : html`<${Pressed} item=${item} />`;
    case "said": return html`<${Said} item=${item} rev=${rev} />`;
    case "run": return html`<article class="message assistant" data-sequence=${item.sequence}><${RunCard} run=${item.run} rev=${rev} /></article>`;
    case "joined": return personOf(item.person) !== "you" && html`<p class="aside" data-sequence=${item.sequence}>${item.person} takes part.</p>`;
    case "left": return html`<p class="aside" data-sequence=${item.sequence}>${item.person} left.</p>`;
    case "mode": return html`<p class="aside" data-sequence=${item.sequence}>${item.mode === "proof" ? "Proof mode: each plan is complete in itself and can be audited." : "Exploratory mode: plans may use what was found before."}</p>`;
    case "chart": return html`<p class="aside" data-sequence=${item.sequence}><a href=${chartOf(item)} download=${item.file}>Save the chart as ${item.file}</a></p>`;
    default: return html`<p class="aside" data-sequence=${item.sequence}>${item.text}</p>`;
  }
}

/** Where the drawing of a fact is, in the form its file is to have. */
const chartOf = ({ fact, file }) => chartAt(conversation.value, fact, { format: file.toLowerCase().endsWith(".png") ? "png" : "svg", theme: "auto" });

const whoOf = (item) => [personOf(item.person) === "you" ? null : item.person, when(item.at), item.surface && item.surface !== "web" ? item.surface : null].filter(Boolean).join(" · ");

/** Words that were read: what they were taken for can be asked, and they can be said again otherwise. */
function Asked({ item }) {
  const edit = () => { editing.value = { text: item.text, sequence: item.sequence }; place(item.text); toBox({ must: true }); };
  return html`<article class="message person read" data-message=${item.message} data-sequence=${item.sequence}>
    <div class="bubble text">${item.text}</div>
    <div class="meta"><span class="hover">
        <${Copy} text=${item.text} isQuiet=${true} />
        <button type="button" class="act quiet edit" onClick=${edit} title="Edit and send again"><${Icon} name="edit" /><span>Edit</span></button>
        <button type="button" class="act quiet" onClick=${() => fork(Math.max(item.sequence - 1, 1))} title="A copy of the conversation up to here, to go another way"><${Icon} name="again" /><span>Branch</span></button>
      </span><span>${whoOf(item)}</span>
      <button type="button" class="act quiet why" onClick=${() => show("why", item.message)} aria-label=${`Why message ${item.message} was read as ${labelOf(item)}`} title="Why it was read so"><${Icon} name="why" /></button>
    </div></article>`;
}

const labelOf = (item) => { const first = item.readings?.[0]; return first ? spoken(first.sub ? `${first.intent}, ${first.sub}` : first.intent) : "it was"; };

/** What was done by a button or as an answer, in its words. */
function Pressed({ item }) {
  return html`<article class="message person" data-message=${item.message} data-sequence=${item.sequence}><p class="text">${item.text}</p><p class="meta">${whoOf(item)}</p></article>`;
}

function Said({ item, rev }) {
  const { card } = item;
  if (card?.card === "result") return html`<article class="message assistant" data-sequence=${item.sequence}><${Result} item=${item} rev=${rev} /></article>`;
  return html`<article class="message assistant" data-sequence=${item.sequence}>
    ${(!hasHead(card) || saysMore(item)) && html`<${Prose} text=${item.text} />`}
    ${card && html`<${Card} item=${item} rev=${rev} />`}
  </article>`;
}

// ── a question that waits is always there to be operated ────────────────────────────────────────────────────────────

function Orphan() {
  const now = state.value;
  transcript.value;
  const open = now?.pending.at(-1);
  useEffect(() => {
    // The card usually comes with the very next event.
    const due = setTimeout(() => {
      const isShown = !open?.card || view.turns.last < open.opened || (view.turns.asked.has(`${open.id} ${open.version}`));
      orphan.value = isShown ? null : { key: `orphan ${open.id} ${open.version}`, kind: "said", sequence: now.sequence, text: open.question, card: open.card };
      if (orphan.value && stays.isAtEnd) requestAnimationFrame(toEnd);
    }, SETTLED_MILLISECONDS);
    return () => clearTimeout(due);
  }, [now]);
  const item = orphan.value;
  if (!item || !open || item.card.question.id !== open.id) return null;
  return html`<article class="message assistant"><${Card} key=${item.key} item=${item} /></article>`;
}

/** Goes to the open question: to its first control. */
export function toQuestion() {
  const open = state.peek()?.pending.at(-1);
  const card = open && [...document.querySelectorAll("#transcript [data-question]:not(.closed)")].findLast((one) => one.dataset.question === open.id);
  if (!card) { announce("Nothing is being asked."); return; }
  card.scrollIntoView({ block: "nearest", behavior: isStill() ? "instant" : "smooth" });
  const first = ["button.primary", ".choices button", ".decide button, .controls button", "input"].map((one) => card.querySelector(one)).find(Boolean);
  (first ?? at("words")).focus();
}


/** Turns that come and go together. */
const CHUNK = 16;
/** So many turns are in the document whole, where the browser's own search finds them. */
const WHOLE_MAX = 160;
const BLOCK_HEIGHT = 150;
const SETTLED_MILLISECONDS = 200;

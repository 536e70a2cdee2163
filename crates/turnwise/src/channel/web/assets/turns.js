// The events of a conversation as turns: what was asked, and under it all that came of it. A pure fold without a
// document, so that it can be tested without one. Next: transcript.js, which shows them.

/** A conversation of which nothing was heard yet. */
export const newTurns = () => ({ blocks: [], runs: new Map(), closed: new Map(), asked: new Map(), messages: new Map(), holders: new Map(), last: 0 });

/** Takes an event in; says which blocks changed. One that was seen is passed by. */
export function fold(turns, event) {
  if (event.sequence <= turns.last) return [];
  turns.last = event.sequence;
  const known = TAKEN[event.event];
  return known ? known(turns, event) : [];
}

const TAKEN = {
  message: (turns, event) => {
    const before = turns.blocks.at(-1);
    const item = { kind: "message", key: event.sequence, ...event };
    const changed = add(turns, item);
    turns.messages.set(event.message, item);
    turns.spoken = false;
    // What was the last result is not any more.
    return before && before !== changed ? [before, changed] : [changed];
  },
  /** Words that were read begin a turn of their own; a press on a button belongs to what it was pressed on. */
  read: (turns, event) => {
    const item = turns.messages.get(event.message);
    if (!item) return [];
    item.readings = event.readings;
    item.isRead = true;
    const block = turns.blocks.at(-1);
    if (block.items.at(-1) !== item || block.items.length === 1) return [block];
    block.items.pop();
    return [block, begin(turns, item)];
  },
  said: (turns, event) => {
    turns.spoken = true;
    const { card = null } = event;
    const changed = add(turns, { kind: "said", key: event.sequence, sequence: event.sequence, text: event.text, card });
    const question = card?.question;
    if (!question) return [changed];
    turns.holders.set(question.id, [...(turns.holders.get(question.id) ?? []).filter((block) => block !== changed), changed]);
    const name = nameOf(question);
    const earlier = turns.asked.get(name);
    turns.asked.set(name, event.sequence);
    return earlier ? [changed, ...blocksOf(turns, question.id)] : [changed];
  },
  /** What was merged, queued or refused in silence would leave the person guessing. */
  receipt: (turns, { sequence, receipt }) => {
    const isSilent = ["merged", "queued", "refused"].includes(receipt.outcome) && !turns.spoken;
    return isSilent ? [add(turns, { kind: "aside", key: sequence, sequence, text: receipt.detail })] : [];
  },
  closed: (turns, event) => {
    turns.closed.set(event.pending, event);
    // Words or a press that came right before were the answer.
    const answer = turns.blocks.at(-1)?.items.at(-1);
    if (answer?.kind === "message") answer.isAnswer = true;
    return blocksOf(turns, event.pending);
  },
  approved: (turns, event) => {
    const run = { id: event.run, plan: event.plan, person: event.person, status: "active", states: new Map(), errors: new Map(), found: new Map() };
    const block = add(turns, { kind: "run", key: event.sequence, sequence: event.sequence, run });
    turns.runs.set(event.run, { run, block });
    return [block];
  },
  step: (turns, event) => {
    const { run, block } = turns.runs.get(event.run) ?? {};
    if (!run) return [];
    run.states.set(event.step, event.state);
    if (event.error) run.errors.set(event.step, event.error); else run.errors.delete(event.step);
    if (event.found) run.found.set(event.step, event.found);
    return [block];
  },
  run_ended: (turns, event) => {
    const { run, block } = turns.runs.get(event.run) ?? {};
    if (!run) return [];
    run.status = event.status;
    return [block];
  },
  member_joined: (turns, { sequence, person }) => [add(turns, { kind: "joined", key: sequence, sequence, person })],
  member_left: (turns, { sequence, person }) => [add(turns, { kind: "left", key: sequence, sequence, person })],
  mode: (turns, { sequence, mode }) => [add(turns, { kind: "mode", key: sequence, sequence, mode })],
  titled: () => [],
  chart: (turns, event) => [add(turns, { kind: "chart", key: event.sequence, ...event })],
  reset: (turns, { sequence }) => [add(turns, { kind: "aside", key: sequence, sequence, text: "Forgotten: plan, facts, questions and queue." })],
};

function begin(turns, item) {
  const block = { key: item.sequence, items: [item] };
  turns.blocks.push(block);
  return block;
}

function add(turns, item) {
  const block = turns.blocks.at(-1);
  if (!block) return begin(turns, item);
  block.items.push(item);
  return block;
}

/** Where the steps of the run at hand stand by the state: kept, skipped and cancelled ones have no event of their own. */
export function settle(turns, state) {
  const { run, block } = (state.run && turns.runs.get(state.run.id)) ?? {};
  if (!run || state.sequence < turns.last) return [];
  const told = JSON.stringify(state.run);
  if (run.told === told) return [];
  run.told = told;
  state.run.steps.forEach((one) => {
    run.states.set(one.number, one.state);
    if (one.error) run.errors.set(one.number, one.error);
  });
  run.status = state.run.status;
  return [block];
}

/** How many steps of a run are done. */
export const doneOf = (run) => run.plan.steps.filter((step) => ["done", "reused"].includes(run.states.get(step.number))).length;

/** A question in one of its versions. */
export const nameOf = (question) => `${question.id} ${question.version}`;

const blocksOf = (turns, question) => turns.holders.get(question) ?? [];

// The main job by the client of AG-UI itself, each event held against the protocol's own schemas: a question, its plan
// refused, asked again and approved, its rows, and a run that is sent twice.

import { randomUUID } from "node:crypto";
import { type BaseEvent, HttpAgent, type RunAgentResult } from "@ag-ui/client";
import type { Interrupt, ResumeEntry } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";

const url = `${process.argv[2]}/agui`;

// The client warns of what the protocol does not have, and takes it out: that would be a mistake of the server.
console.warn = (told: string) => {
  console.error(told);
  process.exit(1);
};

/** What a run told. */
interface Told {
  result: RunAgentResult["result"];
  interrupts: Interrupt[];
  events: BaseEvent[];
  error: string | undefined;
}

/** Runs the agent once; every event has to be one of the protocol's. What a subscriber throws would only be noted. */
async function run(agent: HttpAgent, resume?: ResumeEntry[], runId: string = randomUUID()): Promise<Told> {
  const events: BaseEvent[] = [];
  let error: string | undefined;
  const { result } = await agent.runAgent(
    { runId, ...(resume && { resume }) },
    {
      onEvent: ({ event }) => void events.push(event),
      onRunErrorEvent: ({ event }) => void (error = `${event.code}: ${event.message}`),
    },
  );
  if (events.length === 0) throw new Error("the run told nothing");
  for (const event of events) EventSchemas.parse(event);
  return { result, interrupts: agent.pendingInterrupts, events, error };
}

function ask(agent: HttpAgent, content: string) {
  agent.addMessage({ id: randomUUID(), role: "user", content });
}

/** The one thing that is asked. */
function asked(told: Told): Interrupt {
  const [interrupt, ...more] = told.interrupts;
  if (told.error !== undefined || interrupt === undefined || more.length > 0) {
    throw new Error(`not one question: ${told.error} ${JSON.stringify(told.interrupts)}`);
  }
  return interrupt;
}

/** The answer to what was asked. */
function answer(interrupt: Interrupt, payload: unknown): ResumeEntry[] {
  return [{ interruptId: interrupt.id, status: "resolved", payload }];
}

const question = "total revenue by region";

// A refusal runs nothing: it is asked what should be different.
const refusing = new HttpAgent({ url });
ask(refusing, question);
const refused = await run(refusing, answer(asked(await run(refusing)), { approved: false }));
if (asked(refused).reason !== "input_required" || refused.events.some((event) => event.type === "STEP_STARTED")) {
  throw new Error(`a refused plan did not end in a question: ${JSON.stringify(refused)}`);
}

const agent = new HttpAgent({ url });
ask(agent, question);
const plan = asked(await run(agent));
console.log(`Plan: ${plan.message}`);
const approval = answer(plan, { approved: true });
const once = randomUUID();
const done = await run(agent, approval, once);
if (done.error !== undefined || done.interrupts.length > 0) throw new Error(`not approved: ${JSON.stringify(done)}`);
// The step that ran is a call of a tool: what it was called with, and what came of it.
const calls = done.events.filter((event) => event.type === "TOOL_CALL_START");
const results = agent.messages.filter((message) => message.role === "tool");
if (calls.length === 0 || results.length !== calls.length || !results.every((result) => JSON.parse(String(result.content)).status === "completed")) {
  throw new Error(`what ran is not told as calls of tools: ${JSON.stringify({ calls, results })}`);
}
const rows: unknown[][] = agent.state.result.table.rows;
for (const row of rows) console.log(row.join(","));
const said = agent.messages.filter((message) => message.role === "assistant");
if (!said.some((message) => message.content?.includes("revenue"))) throw new Error(JSON.stringify(said));

// The same run again does nothing twice, and nothing stands there twice.
const { sequence } = agent.state;
const again = await run(agent, approval, once);
if (agent.state.sequence !== sequence || JSON.stringify(again.result) !== JSON.stringify(done.result)) {
  throw new Error(`a run that was sent twice did something twice: ${JSON.stringify(again)}`);
}
const now = agent.messages.filter((message) => message.role === "assistant");
if (JSON.stringify(now) !== JSON.stringify(said)) throw new Error(`said twice: ${JSON.stringify(now)}`);

const response = await fetch(`${process.argv[2]}/v1/conversations/${agent.state.id}/events`);
const news = (await response.json()) as { events: { event: string }[] };
console.log(news.events.map((one) => one.event).join(" "));

// An answer that comes too late is an error.
const late = await run(agent, answer(plan, { approved: false }));
if (!late.error?.startsWith("already_decided: ")) throw new Error(`a late answer was answered by: ${JSON.stringify(late)}`);

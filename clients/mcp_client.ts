// The main job by the protocol's own client, over HTTP: a question, its plan seen and approved, its rows. The server has
// to allow the decision (`--let-decide`), which otherwise a person makes elsewhere.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

interface Waits {
  reference: string;
  asks: string;
}

interface Answered {
  conversation: string;
  said: string;
  is_settled: boolean;
  waits: Waits[];
}

interface Known {
  facts: { value: string | { rows: unknown[][] } }[];
}

const client = new Client({ name: "turnwise-clients", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2]!)));

/** What a tool answers. */
async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[])[0]!.text;
  if (isError) throw new Error(`${name}: ${text}`);
  return JSON.parse(text) as T;
}

const asked = await call<Answered>("ask", { message: "revenue by region" });
const open = asked.waits[0];
if (!open) throw new Error(`nothing waits: ${asked.said}`);
console.log(`Plan: ${open.asks.split("\n")[0]}`);
const pending = await call<{ waits: Waits[] }>("pending", {});
if (pending.waits[0]?.reference !== open.reference) throw new Error("what waits is not listed");
const done = await call<Answered>("decide", { reference: open.reference, verdict: "approve" });
if (!done.is_settled || done.waits.length > 0) throw new Error(`it is not over: ${done.said}`);
const known = await call<Known>("facts", { conversation: done.conversation });
for (const { value } of known.facts) {
  if (typeof value !== "string") for (const row of value.rows) console.log(row.join(","));
}
console.log("settled");
await client.close();

// The main job by a client of @hey-api/openapi-ts: a question, its plan approved, its rows.

import { randomUUID } from "node:crypto";
import { client } from "./hey/client.gen.js";
import { beginConversation, decide, follow, say } from "./hey/sdk.gen.js";

client.setConfig({ baseUrl: process.argv[2], throwOnError: true });

/** Every change has a key of its own, so that it can be sent again. */
function key() {
  return { "Idempotency-Key": randomUUID() };
}

const { data: begun } = await beginConversation({ headers: key(), body: {}, throwOnError: true });
const path = { id: begun.id };
const { data: asked } = await say({
  path,
  headers: key(),
  query: { wait_seconds: 20 },
  body: { text: "total revenue by region" },
  throwOnError: true,
});
const pending = asked.state?.pending[0];
if (pending === undefined) throw new Error(`nothing to approve: ${JSON.stringify(asked)}`);
console.log(pending.question);
const { data: done } = await decide({
  path,
  headers: key(),
  query: { wait_seconds: 20 },
  body: { reference: pending.reference, verdict: { is: "approve" } },
  throwOnError: true,
});
for (const row of done.state?.result?.table?.rows ?? []) console.log(row.join(","));
const { data: news } = await follow({ path, throwOnError: true });
console.log(news.events.map((one) => one.event).join(" "));

// The main job by a client of openapi-typescript and openapi-fetch: a question, its plan approved, its rows.

import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });

/** Every change has a key of its own, so that it can be sent again. */
function key() {
  return { "Idempotency-Key": randomUUID() };
}

/** What came, or an end that says what was wrong. */
function came<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const begun = came(await client.POST("/v1/conversations", { params: { header: key() }, body: {} }));
const path = { id: begun.id };
const asked = came(
  await client.POST("/v1/conversations/{id}/messages", {
    params: { path, header: key(), query: { wait_seconds: 20 } },
    body: { text: "total revenue by region" },
  }),
);
const pending = asked.state?.pending[0];
if (pending === undefined) throw new Error(`nothing to approve: ${JSON.stringify(asked)}`);
console.log(pending.question);
const done = came(
  await client.POST("/v1/conversations/{id}/decisions", {
    params: { path, header: key(), query: { wait_seconds: 20 } },
    body: { reference: pending.reference, verdict: { is: "approve" } },
  }),
);
for (const row of done.state?.result?.table?.rows ?? []) console.log(row.join(","));
const news = came(await client.GET("/v1/conversations/{id}/events", { params: { path } }));
console.log(news.events.map((one) => one.event).join(" "));

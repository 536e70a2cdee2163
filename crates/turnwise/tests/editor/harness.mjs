// What the tests of the editor share: a repository, and `turnwise acp` driven by the protocol's own client.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";

import * as acp from "@agentclientprotocol/sdk";

export const { agent: AGENT, client: CLIENT } = acp.methods;

const LIB = "//! A shop.\n\npub mod shop;\n\npub use shop::total;\n";
const SHOP = "/// Adds up what is in the basket.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n\n" +
  "fn twice(prices: &[u32]) -> u32 {\n    total(prices) * 2\n}\n";

/** A repository of two files, committed. */
export class Repository {
  constructor() {
    this.above = mkdtempSync(join(tmpdir(), "turnwise-editor-"));
    this.path = join(this.above, "shop");
    mkdirSync(join(this.path, "src"), { recursive: true });
    writeFileSync(join(this.path, "src/lib.rs"), LIB);
    writeFileSync(join(this.path, "src/shop.rs"), SHOP);
    this.git("init", "-q");
    this.git("add", ".");
    this.git("commit", "-q", "-m", "first");
  }

  git(...words) {
    return execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words],
      { cwd: this.path, encoding: "utf8" });
  }

  read(name) {
    return readFileSync(join(this.path, name), "utf8");
  }

  remove() {
    rmSync(this.above, { recursive: true, force: true });
  }

  /** A program of ours in front of this repository. */
  environment() {
    return { ...process.env, TURNWISE_STATE: join(this.above, "state") };
  }
}

/** Does something with a repository, which goes with it. */
export async function in_repository(work) {
  const repository = new Repository();
  try {
    await work(repository);
  } finally {
    repository.remove();
  }
}

/** An editor: `turnwise acp` and what it told; `permit` answers its requests for permission. */
export async function editor(repository, work, { permit = () => "cancel", words = [] } = {}) {
  const agent = spawn(process.env.TURNWISE, ["acp", ...words],
    { cwd: repository.above, env: repository.environment(), stdio: ["pipe", "pipe", "inherit"] });
  const told = { updates: [], asked: [] };
  const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  const client = acp.client({ name: "tests" })
    .onNotification(CLIENT.session.update, ({ params }) => { told.updates.push(params.update); })
    .onRequest(CLIENT.session.requestPermission, async ({ params }) => {
      told.asked.push(params);
      const chosen = await permit(params, told);
      if (chosen === "cancel") return { outcome: { outcome: "cancelled" } };
      const option = params.options.find(({ kind }) => kind === chosen)?.optionId ?? chosen;
      return { outcome: { outcome: "selected", optionId: option } };
    });
  try {
    return await client.connectWith(stream, async (ctx) => {
      const hello = await ctx.request(AGENT.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities: {} });
      return await work(new Held(ctx, told, hello, repository));
    });
  } finally {
    agent.kill();
  }
}

/** A connection with what was heard on it. */
class Held {
  constructor(ctx, told, hello, repository) {
    Object.assign(this, { ctx, told, hello, repository });
  }

  request(method, params) {
    return this.ctx.request(method, params);
  }

  async begin(cwd = this.repository.path) {
    this.session = await this.request(AGENT.session.new, { cwd, mcpServers: [] });
    return this.session;
  }

  /** Says something and waits for the end of its turn; gives why it ended. */
  async say(text, ...more) {
    const prompt = [{ type: "text", text }, ...more];
    const ended = await this.request(AGENT.session.prompt, { sessionId: this.session.sessionId, prompt });
    return ended.stopReason;
  }

  of(kind) {
    return this.told.updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  }

  /** All that the assistant said so far. */
  said() {
    return this.of("agent_message_chunk").map(({ content }) => content.text).join("");
  }

  /** The files that a call's diffs would change, by path. */
  static diffs({ content }) {
    return (content ?? []).filter(({ type }) => type === "diff");
  }
}

export const diffs = Held.diffs;

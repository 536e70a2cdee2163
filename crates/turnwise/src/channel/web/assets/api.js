// The API, as the page uses it. Each input gets a key of its own; what could not be delivered is sent again under the
// same key, so that a slow line never does a thing twice.

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail || problem.title || "The server refused.");
    this.code = problem.code;
    this.status = problem.status;
    this.hint = problem.hint;
    this.current = problem.current;
  }
}

async function call(method, path, body, key) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") || "";
  const value = type.includes("json") ? await response.json() : { detail: await response.text() };
  if (!response.ok) throw new Refused({ status: response.status, ...value });
  return value;
}

/** Sends an input; while the line is down it is tried again under the same key. */
async function input(method, path, body) {
  const key = newKey();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(method, path, body, key);
    } catch (error) {
      const mayPass = error instanceof Refused ? error.status === 503 || error.status === 429 : true;
      if (!mayPass || attempt >= ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, 8000)));
    }
  }
}

const at = (id, rest = "") => `/v1/conversations/${encodeURIComponent(id)}${rest}`;

export const api = {
  assistants: () => call("GET", "/v1/assistants"),
  conversations: () => call("GET", "/v1/conversations"),
  begin: (assistant) => input("POST", "/v1/conversations", assistant ? { assistant } : {}),
  state: (id) => call("GET", at(id)),
  remove: (id) => call("DELETE", at(id)),
  fork: (id, upto) => input("POST", at(id, "/fork"), upto ? { upto } : {}),
  exported: (id) => call("GET", at(id, "/export")),
  say: (id, text, seen) => input("POST", at(id, "/messages"), { text, seen }),
  decide: (id, reference, verdict) => input("POST", at(id, "/decisions"), { reference, verdict }),
  stop: (id) => input("POST", at(id, "/stop")),
  pause: (id) => input("POST", at(id, "/pause")),
  resume: (id) => input("POST", at(id, "/resume")),
  mode: (id, mode) => input("POST", at(id, "/mode"), { mode }),
  dropQueue: (id) => input("DELETE", at(id, "/queue")),
  facts: (id) => call("GET", at(id, "/facts")),
  why: (id, message) => call("GET", at(id, message ? `/why?message=${message}` : "/why")),
  signIn: (token) => call("POST", "/v1/session", { token }),
};

/** Follows a conversation; the browser reconnects by itself and says where it stopped. */
export function follow(id, { event, state, line }) {
  const source = new EventSource(at(id, "/events"));
  source.addEventListener("event", (sent) => event(JSON.parse(sent.data)));
  source.addEventListener("state", (sent) => state(JSON.parse(sent.data)));
  source.addEventListener("open", () => line(true));
  source.addEventListener("error", () => line(false));
  return () => source.close();
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ATTEMPTS_MAX = 6;

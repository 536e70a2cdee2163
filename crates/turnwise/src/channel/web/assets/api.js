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

/** JSON in which whole numbers that a script cannot hold exactly stay exact. */
export function parse(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    const isCut = typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "");
    return isCut ? BigInt(context.source) : value;
  });
}

async function call(method, path, body, key, read = (value) => value, signal = undefined) {
  const headers = {};
  const isFile = body instanceof Blob;
  if (isFile) headers["Content-Type"] = "application/octet-stream";
  if (body !== undefined && !isFile) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(path, { method, headers, body: body === undefined || isFile ? body : JSON.stringify(body), signal });
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") || "";
  const text = await response.text();
  const value = type.includes("json") ? parse(text) : { detail: text };
  if (!response.ok) throw new Refused({ status: response.status, ...value });
  return read(value, response);
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
  /** The tables an assistant can be asked about. */
  atHand: (assistant) => call("GET", `/v1/assistants/${encodeURIComponent(assistant)}/data`),
  /** A page of the list, and the address of the next one where there is one. */
  conversations: (page = "/v1/conversations") => call("GET", page, undefined, undefined,
    (list, response) => ({ list, next: /<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1] ?? null })),
  begin: (assistant, data) => input("POST", "/v1/conversations", { ...(assistant ? { assistant } : {}), ...(data ? { data } : {}) }),
  rename: (id, title) => input("PUT", at(id, "/title"), { title }),
  search: (words, signal) => call("GET", `/v1/search?q=${encodeURIComponent(words)}`, undefined, undefined, undefined, signal),
  /** Brings files to ask about; what comes back names them for a conversation that begins over them. */
  bring: async (files) => {
    let brought = null;
    for (const file of files) {
      const beside = brought ? `&beside=${brought.id}` : "";
      brought = await call("POST", `/v1/uploads?name=${encodeURIComponent(file.name)}${beside}`, file);
    }
    return brought;
  },
  /** The tables a conversation can be asked about, and questions that work on them. */
  data: (id) => call("GET", at(id, "/data")),
  state: (id) => call("GET", at(id)),
  remove: (id) => call("DELETE", at(id)),
  fork: (id, upto) => input("POST", at(id, "/fork"), upto ? { upto } : {}),
  exported: (id) => call("GET", at(id, "/export")),
  admit: (id, person) => input("POST", at(id, "/members"), { person }),
  quit: (id, person) => call("DELETE", at(id, `/members/${encodeURIComponent(person)}`)),
  say: (id, text, seen) => input("POST", at(id, "/messages"), { text, seen }),
  decide: (id, reference, verdict) => input("POST", at(id, "/decisions"), { reference, verdict }),
  planText: (id) => call("GET", at(id, "/plan/text")),
  stop: (id) => input("POST", at(id, "/stop")),
  pause: (id) => input("POST", at(id, "/pause")),
  resume: (id) => input("POST", at(id, "/resume")),
  mode: (id, mode) => input("POST", at(id, "/mode"), { mode }),
  /** Which plans wait for a yes: `every_plan`, or only those with `effects`. */
  planApproval: (id, about, seen) => input("PUT", at(id, "/plan-approval"), { asks_about: about, ...(seen ? { seen } : {}) }),
  /** How work is gone about; what is absent is as configured. */
  flow: (id, settings) => input("PUT", at(id, "/flow"), settings),
  editQueue: (id, task) => input("PUT", at(id, "/queue"), { task }),
  dropQueue: (id) => input("DELETE", at(id, "/queue")),
  facts: (id) => call("GET", at(id, "/facts")),
  files: (id) => call("GET", at(id, "/artefacts")),
  why: (id, message) => call("GET", at(id, message ? `/why?message=${message}` : "/why")),
  server: () => call("GET", "/v1/server"),
  signOut: () => call("DELETE", "/v1/session"),
  signIn: (token) => call("POST", "/v1/session", { token }),
};

/** Where the drawing of a fact is: as event `said` showed it, or as it is now. */
export function chartAt(id, fact, { format = "svg", theme = "light", said = null } = {}) {
  const shown = said ? `&said=${said}` : "";
  return at(id, `/facts/${encodeURIComponent(fact)}/chart?format=${format}&theme=${theme}${shown}`);
}

/** Where the rows of a fact are as CSV: as event `said` showed them, or as they are now; sorted by a column, from 0. */
export function rowsAt(id, fact, { said = null, sort = -1, descending = false } = {}) {
  const wanted = new URLSearchParams();
  if (said) wanted.set("said", said);
  if (sort >= 0) { wanted.set("sort", sort + 1); wanted.set("descending", descending); }
  return at(id, `/facts/${encodeURIComponent(fact)}/csv?${wanted}`);
}

/** Where the proof of a fact is, or of everything. */
export function proofAt(id, form, fact) {
  return at(id, `/proof?form=${form}&${fact ? `fact=${encodeURIComponent(fact)}` : "all=true"}`);
}

/** Where a file that a run wrote is. */
export const fileAt = (id, file) => at(id, `/artefacts/${file}`);

/** Follows a conversation from `after` on. Whatever breaks the line, it is taken up again where it broke. */
export function follow(id, after, { event, state, writing, line, gone }) {
  let last = after;
  let source = null;
  let timer = null;
  let attempts = 0;
  let isLeft = false;

  const open = () => {
    source = new EventSource(at(id, `/events?after=${last}`));
    source.addEventListener("event", (sent) => { last = Number(sent.lastEventId) || last; event(parse(sent.data)); });
    source.addEventListener("state", (sent) => state(parse(sent.data)));
    source.addEventListener("writing", (sent) => writing(parse(sent.data)));
    source.addEventListener("open", () => { attempts = 0; line(true); });
    source.addEventListener("error", lost);
  };
  // The browser's own way of coming back gives up on some answers and says nothing of why.
  const lost = async () => {
    source.close();
    if (isLeft) return;
    line(false);
    attempts += 1;
    const wait = Math.min(250 * 2 ** Math.min(attempts, 5), 4000);
    timer = setTimeout(async () => {
      try {
        await api.state(id);
      } catch (error) {
        if (error instanceof Refused && [401, 404].includes(error.status)) { if (!isLeft) gone(error); return; }
        if (!isLeft) lost();
        return;
      }
      if (!isLeft) open();
    }, wait);
  };
  const soon = () => { if (source?.readyState !== EventSource.OPEN && timer) { clearTimeout(timer); open(); } };
  addEventListener("online", soon);
  open();
  return () => { isLeft = true; clearTimeout(timer); removeEventListener("online", soon); source.close(); };
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ATTEMPTS_MAX = 6;

// The API of projects, as the page uses it. Each change gets a key of its own; what could not be delivered is sent again
// under the same key, so that a slow line never does a thing twice.

export class Refused extends Error {
  constructor(problem) {
    super([problem.detail ?? problem.title ?? "The server refused.", problem.status === 422 ? null : problem.hint].filter(Boolean).join(": "));
    this.status = problem.status;
  }
}

async function call(method, path, { body, file, key } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (file) headers["Content-Type"] = file.type || "application/octet-stream";
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(path, { method, headers, body: file ?? (body === undefined ? undefined : JSON.stringify(body)) });
  if (response.status === 204) return null;
  const type = response.headers.get("Content-Type") ?? "";
  const value = type.includes("json") ? await response.json() : { detail: await response.text() };
  if (!response.ok) throw new Refused({ status: response.status, ...value });
  return value;
}

async function change(method, path, what = {}) {
  const key = newKey();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call(method, path, { ...what, key });
    } catch (error) {
      const mayPass = error instanceof Refused ? error.status === 503 || error.status === 429 : true;
      if (!mayPass || attempt >= ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, 4000)));
    }
  }
}

const part = encodeURIComponent;
const of = (id, rest = "") => `/v1/projects/${part(id)}${rest}`;

export const desk = {
  all: () => call("GET", "/v1/projects"),
  begin: (name) => change("POST", "/v1/projects", { body: { name } }),
  bring: (file) => change("POST", "/v1/projects/archive", { file }),
  whole: (id) => call("GET", of(id)),
  rename: (id, name) => change("PUT", of(id), { body: { name } }),
  seed: (id, code, said) => change("PUT", of(id, `/seed/${part(code)}`), { body: said === null ? {} : { said } }),
  finalize: (id) => change("POST", of(id, "/finalize")),
  notes: (id, wanted) => {
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
    return call("GET", of(id, `/notes?${query}`));
  },
  tell: (id, text) => change("POST", of(id, "/notes"), { body: { text } }),
  note: (id, number, wanted) => change("PUT", of(id, `/notes/${number}`), { body: wanted }),
  group: (id, label, wanted) => change("PUT", of(id, `/groups/${part(label)}`), { body: wanted }),
  dropGroup: (id, label) => change("DELETE", of(id, `/groups/${part(label)}`)),
  ungroup: (id, notes) => change("POST", of(id, "/ungroup"), { body: { notes } }),
  specification: (id, name) => call("GET", of(id, `/specifications/${part(name)}`)),
  specify: (id, name, content) => change("PUT", of(id, `/specifications/${part(name)}`), { body: { content } }),
  dropSpecification: (id, name) => change("DELETE", of(id, `/specifications/${part(name)}`)),
  upload: (id, name, kind, file) => change("PUT", of(id, `/artefacts/${part(name)}?kind=${part(kind)}`), { file }),
  fileAt: (id, name, version) => of(id, `/artefacts/${part(name)}?version=${version}`),
  archiveAt: (id) => of(id, "/archive"),
  invite: (id, person) => change("POST", of(id, "/invitations"), { body: { person } }),
  withdraw: (id, person) => change("DELETE", of(id, `/invitations/${part(person)}`)),
  join: (id) => change("POST", of(id, "/join")),
  decline: (id) => change("POST", of(id, "/decline")),
  leave: (id) => change("POST", of(id, "/leave")),
  turns: (id, before) => call("GET", of(id, `/turns${before ? `?before=${before}` : ""}`)),
  say: (project, message) => change("POST", "/operator/converse", { body: { message, ...(project ? { project_id: project } : {}) } }),
  signIn: (token) => call("POST", "/v1/session", { body: { token } }),
};

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ATTEMPTS_MAX = 4;

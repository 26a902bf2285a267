/** The client of the HTTP API, and whether the server is reached. */
import { clock, SECOND, signal } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { forgetKept, isOurs, OWNER, tokenLost } from "./identity.js";
import { settings } from "./settings.js";
import { store } from "./store.js";

const API = "api/v1/";

/** What went wrong with a request. Status 0: no answer; code "not-ours": an answer that is not our server's. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {ProblemBody} [problem]
   */
  constructor(status, code, problem = {}) {
    super(problem.detail ?? code);
    this.status = status;
    this.code = code;
    this.detail = problem.detail;
    this.hint = problem.hint;
    this.body = problem;
    this.retryAfterMs = problem.retry_after_ms;
  }
  get offline() {
    return this.status === 0 || this.code === "not-ours" || (this.code === "http" && this.status >= 502);
  }
}

/**
 * The address of a path below the API, for `<audio>` and downloads.
 * @param {string} path
 * @param {Query} [query]
 */
export function href(path, query) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(key, String(one));
  }
  return (path ? API + path : API.slice(0, -1)) + (search.size ?? [...search].length ? `?${search}` : "");
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Asked & { body?: any }} options
 * @returns {Promise<Answered<any>>}
 */
async function request(method, path, { query, headers = {}, body, as = "json", signal, keepalive,
  timeout = 15 * SECOND } = {}) {
  const { timeout: after, any } = /** @type {Signals} */ (AbortSignal), limit = after?.call(AbortSignal, timeout);
  const both = signal && limit ? (any?.call(AbortSignal, [signal, limit]) ?? signal) : (signal ?? limit);
  if (path !== "logout" && settings.get("leaving")) await leave();
  const sent = performance.now();
  /** @type {Response} */
  let response;
  try {
    response = await fetch(href(path, query), { method, headers, body, signal: both, keepalive,
      credentials: "same-origin", redirect: "manual" });
  } catch (/** @type {any} */ error) {
    if (signal?.aborted) throw error;
    net.set(false);
    throw new ApiError(0, "no-network", { detail: t(limit?.aborted ? "timed-out" : "no-network"),
      hint: t("no-network-hint") });
  }
  const serverTime = Date.parse(response.headers.get("Trace-Time") ?? "");
  const problem = /problem\+json/.test(response.headers.get("Content-Type") ?? "");
  // Every answer of ours has the time. A captive portal's has not, and a proxy's error neither.
  if (!serverTime) {
    const { status } = response;
    // It refuses this one alone.
    if (status === 413) throw new ApiError(status, "too-large", { detail: t("proxy-limit") });
    const asks = response.ok || response.type === "opaqueredirect" || [401, 403, 407, 511].includes(status);
    net.set(false, asks);
    if (asks) throw new ApiError(status, "not-ours", { detail: t("not-ours"), hint: t("not-ours-hint") });
    throw new ApiError(status, "http", { detail: t(status >= 502 && status <= 504 ? "restarting" : "no-network"),
      hint: `HTTP ${status}` });
  }
  clock.learn(serverTime, sent, performance.now());
  net.set(true);
  const owner = response.headers.get("Trace-Token") ?? undefined;
  if (owner && owner !== settings.get(OWNER)) await forgetKept(owner);
  try {
    if (!response.ok) throw new ApiError(response.status, "http",
      problem ? await response.json() : { detail: `HTTP ${response.status}` });
    /** @type {Record<string, () => Promise<any>>} */
    const read = { json: () => response.text().then((text) => (text ? JSON.parse(text) : undefined)),
      text: () => response.text() };
    const result = await (method === "HEAD" ? undefined : (read[as] ?? (() => response.arrayBuffer()))());
    const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    return {
      status: response.status, body: result, etag: response.headers.get("ETag"), headers: response.headers, owner,
      next: next ? Object.fromEntries(new URLSearchParams(next.slice(next.indexOf("?")))) : undefined, stale: false,
    };
  } catch (/** @type {any} */ error) {
    if (!(error instanceof ApiError)) {
      if (signal?.aborted) throw error;
      throw new ApiError(error instanceof SyntaxError ? response.status : 0,
        error instanceof SyntaxError ? "not-ours" : "no-network",
        { detail: t("no-network"), hint: t("no-network-hint") });
    }
    error.code = error.body.code ?? error.code;
    error.retryAfterMs ??= 1000 * Number(response.headers.get("Retry-After")) || undefined;
    if (error.status === 401 && path !== "login" && path !== "logout") tokenLost.tell();
    throw error;
  }
}

/** Tells the server that somebody has signed out here, which may have been without a network. */
export async function leave() {
  await request("POST", "logout").catch((error) => error.status === 401 || Promise.reject(error));
  await settings.drop("leaving");
}

/**
 * The HTTP API. Paths are below `api/v1/`. Both calls throw ApiError.
 * @type {Client}
 */
export const api = {
  href,
  /**
   * With `keep`, the answer is kept, and served with `stale: true` when the server can't be reached or can't answer.
   */
  async get(/** @type {string} */ path, /** @type {Asked} */ options = {}) {
    const address = href(path, options.query).slice(API.length);
    try {
      const answer = await request("GET", path, options);
      if (options.keep) {
        const { body, etag, next, owner } = answer;
        if (isOurs(answer)) store.put("kept", { address, body, etag, next, owner, at: Date.now() }).catch(() => {});
      }
      return answer;
    } catch (/** @type {any} */ error) {
      const kept = options.keep && (error.offline || error.status >= 500) ? await api.kept(path, options.query)
        : undefined;
      if (!kept) throw error;
      return kept;
    }
  },
  /** What was kept of an earlier `get` with `keep`; undefined if nothing was. */
  async kept(/** @type {string} */ path, /** @type {Query | undefined} */ query) {
    const kept = await store.get("kept", href(path, query).slice(API.length)).catch(() => undefined);
    return kept && isOurs(kept) ? { ...kept, headers: new Headers(), stale: true } : undefined;
  },
  /** What was kept of a `get` is this body from now on; where nothing was kept, nothing is. */
  async renew(/** @type {string} */ path, /** @type {Query | undefined} */ query, /** @type {unknown} */ body) {
    await store.change("kept", href(path, query).slice(API.length), (kept) =>
      (isOurs(kept) ? { ...kept, body, at: Date.now() } : undefined)).catch(() => {});
  },
  /** Sends a body: an object as JSON, anything else as it is, with `type`. */
  send(/** @type {string} */ method, /** @type {string} */ path, /** @type {any} */ body,
    /** @type {Asked & { type?: string }} */ { type, headers = {}, ...options } = {}) {
    const plain = body !== undefined && !(typeof body === "string" || body instanceof ArrayBuffer
      || body instanceof Blob);
    if (plain || type) headers = { ...headers, "Content-Type": type ?? "application/json" };
    return request(method, path, { ...options, headers, body: plain ? JSON.stringify(body) : body });
  },
};

/** @param {any} error */
export function problemText(error) {
  if (!(error instanceof ApiError)) return String(error?.message ?? error);
  return [error.detail, error.hint].filter(Boolean)
    .map((text) => String(text).replace(/([^.!?…])$/, "$1.")).join(" ");
}

// MARK: Network state

/**
 * Whether the server was reached, whether changes come by themselves, and whether something in front of it asks for a
 * sign-in.
 * @type {Net}
 */
export const net = {
  reached: undefined, live: false, asks: false, changed: signal(), regained: signal(),
  set(reached, asks = false) {
    const { reached: was, asks: asked } = net;
    Object.assign(net, { reached, asks: !reached && (asks || asked) });
    if (was !== reached || net.asks !== asked) net.changed.tell();
    if (was !== reached && reached) net.regained.tell();
  },
};

texts({
  "no-network": "The server can’t be reached.",
  "no-network-hint": "Check that this device is online and that the server is running.",
  "not-ours": "Something else answered in place of the server.",
  "not-ours-hint": "Public networks and proxies often ask you to sign in first. Nothing was lost.",
  "proxy-limit": "Something in front of the server takes nothing as large as this.",
  "restarting": "The server is restarting.",
  "timed-out": "The server did not answer in time.",
});

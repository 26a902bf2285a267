/**
 * The shell of the page, and the list of sessions. What the first view does not need is loaded when it is asked for.
 */
import { strings } from "./strings.js";

const API = "api/v1/";
const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

/** Taken out of the address before anything else, so that the history never keeps a secret: `[all, kind, value]`. */
function takeSecret() {
  const found = /^#([pg])=(.*)$/.exec(location.hash);
  // The worker leaves index.html to the server, so that a proxy may ask for a sign-in; what is kept is "./".
  const place = location.pathname.replace(/index\.html$/, "");
  if (found || place !== location.pathname) {
    history.replaceState(null, "", place + location.search + (found ? "#/" : location.hash));
  }
  return found;
}
const secret = takeSecret();

// MARK: Elements

const SVG = "http://www.w3.org/2000/svg";

let fields = 0;

/**
 * Makes an element: `h("button.primary", {onclick}, "Text")`. Strings become text nodes; null, undefined and false are
 * left out. Fields get a name, without which browsers complain.
 */
export function h(tag, props, ...children) {
  if (props instanceof Node || Array.isArray(props) || typeof props !== "object") {
    children.unshift(props);
    props = null;
  }
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") classes.push(...String(value).split(" ").filter(Boolean));
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  if (classes.length) element.className = classes.join(" ");
  if ("form" in element && "value" in element && name !== "button" && !element.id) element.name ||= `field-${fields += 1}`;
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null
    && child !== false));
  return element;
}

/** Drawings by name; strings-views.js adds those that the first view does not need. */
export const icons = {
  play: "M8 5.5v13l11-6.5z*",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20",
  close: "M6 6l12 12M18 6L6 18",
  warning: "M12 4L2.8 20h18.4zM12 10v4.5M12 17.3v.01",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM9 14.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  day: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  journal: "M6 4h12v16H6zM10 4v16",
  outbox: "M4 13v6h16v-6M12 15V4M7.5 8.5L12 4l4.5 4.5",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M12 16.8v.01",
  note: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z",
  share: "M12 15V3.5M8 7l4-4 4 4M7 11H5v10h14V11h-2",
  menu: "M4 7h16M4 12h16M4 17h16",
  back: "M14.5 5.5L8 12l6.5 6.5",
  plus: "M12 5v14M5 12h14",
};

/**
 * A drawing of 24 units in the colour of the text; a name that is not known gives an empty one. A `*` fills it, `^3`
 * sets the stroke.
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  const [, line, fill, width] = /^([^*^]*)(\*?)\^?(.*)$/.exec(icons[name] ?? "");
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"],
    ["focusable", "false"]]) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", line);
  if (fill) path.setAttribute("class", "filled");
  if (width) path.setAttribute("stroke-width", width);
  svg.append(path);
  return svg;
}

// MARK: Texts, times, names

const plural = new Intl.PluralRules("en");

/** The text of a key in strings.js, with `{name}` filled in; of {one, other} the one for `values.n`. */
export function t(key, values = {}) {
  let text = strings[key] ?? key;
  if (typeof text === "object") text = text[plural.select(values.n)] ?? text.other;
  const written = (value) => (typeof value === "number" ? fmt.number(value) : value);
  return text.replace(/\{(\w+)\}/g, (whole, name) => written(values[name]) ?? whole);
}

const numbers = new Intl.NumberFormat();
const days = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const daysOfYears = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short",
  year: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const since = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const two = (n) => String(n).padStart(2, "0");

/** How times (ms since 1970), offsets and lengths (ms) and sizes (bytes) are written. */
export const fmt = {
  number: (n) => numbers.format(n),
  offset(ms) {
    const s = Math.max(0, Math.floor(ms / SECOND));
    return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}`
      : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  },
  exact: (ms) => `${fmt.offset(ms)}.${Math.floor(Math.max(0, ms) / 100) % 10}`,
  length(ms) {
    const s = Math.round(ms / SECOND), m = Math.round(ms / MINUTE);
    if (s < 60) return t("seconds", { s });
    return m < 60 ? t("minutes", { m }) : t("hours", { h: Math.floor(m / 60), m: two(m % 60) });
  },
  day(ms) {
    const year = new Date(clock.now()).getFullYear();
    return (new Date(ms).getFullYear() === year ? days : daysOfYears).format(ms);
  },
  time: (ms) => times.format(ms),
  dateTime: (ms) => `${fmt.day(ms)}, ${fmt.time(ms)}`,
  bytes(n) {
    const power = n < 1000 ? 0 : n < 1e6 ? 1 : n < 1e9 ? 2 : 3;
    const value = n / 1000 ** power;
    const digits = value < 10 && power ? 10 : 1;
    return `${numbers.format(Math.round(value * digits) / digits)} ${["B", "kB", "MB", "GB"][power]}`;
  },
  ago(ms) {
    const passed = clock.now() - ms;
    if (passed < MINUTE) return t("just-now");
    if (passed < HOUR) return since.format(-Math.round(passed / MINUTE), "minute");
    return passed < DAY ? since.format(-Math.round(passed / HOUR), "hour")
      : since.format(-Math.round(passed / DAY), "day");
  },
};

export const categories = [
  { tag: "highlight", aliases: [], letter: "H", key: "1" },
  { tag: "structure", aliases: [], letter: "S", key: "2" },
  { tag: "texture-sample", aliases: ["texture_sample"], letter: "T", key: "3" },
  { tag: "fix-review", aliases: ["fix_review"], letter: "F", key: "4" },
].map((category) => ({ ...category, name: () => t(category.tag) }));

/** The category that tags name, in either spelling; undefined if none. */
export function categoryOf(tags) {
  return categories.find(({ tag, aliases }) => tags?.some((one) => one === tag || aliases.includes(one)));
}

/** The sign of a category: a letter in a shape, so that colour is never the only difference. */
export function badge(category) {
  return h(`span.badge.badge-${category?.letter ?? "none"}`,
    { role: "img", "aria-label": category?.name() ?? t("no-category") }, category?.letter);
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
let lastULID = { ms: -1, digits: [] };

/** A ULID that is greater than every other that this page has made. */
export function ulid(ms = clock.now()) {
  if (ms <= lastULID.ms) {
    let place = 15;
    while (lastULID.digits[place] === 31) lastULID.digits[place--] = 0;
    lastULID.digits[place] += 1;
  } else {
    lastULID = { ms: Math.floor(ms), digits: [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte & 31) };
    lastULID.digits[0] &= 15; // room to count up
  }
  let time = "";
  for (let rest = lastULID.ms, n = 0; n < 10; n++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  return time + lastULID.digits.map((digit) => ALPHABET[digit]).join("");
}

/** Something that tells its listeners: `on(fn)` returns the way to stop listening. */
function signal() {
  const listeners = new Set();
  return {
    on(fn) {
      listeners.add(fn);
      return () => listeners.delete(fn);
    },
    tell: (...values) => [...listeners].forEach((fn) => fn(...values)),
  };
}

// MARK: Limits

/** Resolves to what a promise does, or after a time to `otherwise`: nothing is waited for without an end. */
export const within = (ms, promise, otherwise) => {
  let timer;
  const late = new Promise((done, failed) => {
    timer = setTimeout(() => (otherwise instanceof Error ? failed(otherwise) : done(otherwise)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// MARK: Store

const TABLES = { outbox: "id", pieces: ["id", "number"], kept: "address", settings: "key" };
const held =
  Object.fromEntries(Object.keys(TABLES).map((table) => [table, new Map()])); // what IndexedDB could not take
const keyOf = (table, value) => [TABLES[table]].flat().map((part) => value[part]);
const keyText = (key) => JSON.stringify([key].flat());
let database, hangs = false;
const underWay = new Set(); // how to fail the transactions that are open

/** A connection; null without one. Some browsers never answer: then memory is used, until an answer comes after all. */
function openDatabase() {
  database ??= within(2 * SECOND, connect(), null).then((db) => {
    // It may work the next time, but is not waited for again.
    if (!db) database = hangs ? Promise.resolve(null) : undefined;
    return db;
  });
  return database;
}

function connect() {
  return new Promise((resolve) => {
    if (!globalThis.indexedDB) return resolve(null);
    try {
      // Version 1 for ever: a higher one would lock out tabs that still have the old page.
      const opening = indexedDB.open("trace", 1);
      hangs = true;
      opening.onupgradeneeded = () => {
        for (const [table, keyPath] of Object.entries(TABLES)) opening.result.createObjectStore(table, { keyPath });
      };
      opening.onerror = () => (hangs = false, resolve(null));
      opening.onsuccess = () => {
        const isLate = database && hangs;
        hangs = false;
        // The browser closes it under us when its storage is cleared; what was under way then never ends by itself.
        opening.result.onclose = disconnect;
        resolve(opening.result);
        if (isLate) database.then((db) => db || (database = Promise.resolve(opening.result), keepHeld()));
      };
    } catch {
      hangs = false;
      resolve(null);
    }
  });
}

/** The connection is of no use any more: the next use makes another. */
function disconnect() {
  database = undefined;
  for (const fail of underWay) fail(new DOMException("closed", "InvalidStateError"));
  setTimeout(async () => (await keepHeld(), outboxMoved()), 500);
}

/** Writes to disk what only memory has, once there is a disk again. */
async function keepHeld() {
  for (const table of Object.keys(TABLES)) for (const value of [...held[table].values()]) await store.put(table, value).catch(() => {});
}

// A connection that the browser has lost: closed, or its process was killed (WebKit).
const isLost = (error) => ["InvalidStateError", "UnknownError"].includes(error?.name);

/**
 * Runs `work(objectStore)` in one transaction; resolves to the result of its request once the transaction is on disk.
 */
async function transact(table, mode, work, again = true) {
  const db = await openDatabase();
  if (!db) return undefined;
  let fail;
  const done = new Promise((resolve, reject) => {
    underWay.add(fail = reject);
    const transaction = db.transaction(table, mode, { durability: "strict" });
    const request = work(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  }).finally(() => underWay.delete(fail));
  try {
    return await within(4 * SECOND, done, new DOMException("slow", "TimeoutError"));
  } catch (error) {
    if (!again || !isLost(error)) throw error;
    if (await database === db) {
      db.close();
      disconnect();
    }
    return transact(table, mode, work, false);
  }
}

/**
 * The IndexedDB database `trace`. Without one, or when it is full, values are held in memory as long as the page is
 * open.
 */
export const store = {
  /** False in a private window that keeps nothing. */
  lasting: async () => Boolean(await openDatabase()),
  async get(table, key) {
    return held[table].get(keyText(key)) ?? transact(table, "readonly", (objects) => objects.get(key));
  },
  /** True when the value is on disk; false when only memory has it. Throws when the disk refuses it. */
  async put(table, value) {
    if (await openDatabase()) {
      await transact(table, "readwrite", (objects) => objects.put(value));
      held[table].delete(keyText(keyOf(table, value)));
      return true;
    }
    store.hold(table, value);
    return false;
  },
  hold: (table, value) => void held[table].set(keyText(keyOf(table, value)), value),
  /** `key` may be a range. */
  async del(table, key) {
    for (const [text, value] of held[table]) if (covers(key, keyOf(table, value))) held[table].delete(text);
    await transact(table, "readwrite", (objects) => objects.delete(key));
  },
  async clear(table) {
    held[table].clear();
    await transact(table, "readwrite", (objects) => objects.clear());
  },
  async all(table, range) {
    const kept = (await transact(table, "readonly", (objects) => objects.getAll(range))) ?? [];
    return [...kept, ...[...held[table].values()].filter((value) => covers(range, keyOf(table, value)))];
  },
  /**
   * Changes one value in one transaction: `fn(value)` returns the new one, undefined to leave it, null to delete it.
   */
  async change(table, key, fn) {
    const inMemory = held[table].get(keyText(key));
    let changed;
    if (inMemory) {
      changed = fn(structuredClone(inMemory));
      if (changed === null) held[table].delete(keyText(key));
      else if (changed) store.hold(table, changed);
      return changed;
    }
    await transact(table, "readwrite", (objects) => {
      objects.get(key).onsuccess = ({ target }) => {
        changed = target.result && fn(target.result);
        if (changed === null) objects.delete(key);
        else if (changed) objects.put(changed);
      };
    });
    return changed;
  },
};

/** Whether a key, or a range of keys, includes the key of a value. */
function covers(key, parts) {
  if (!key) return true;
  return key.includes && !Array.isArray(key) && typeof key !== "string"
    ? key.includes(parts.length > 1 ? parts : parts[0]) : keyText(key) === keyText(parts);
}

// MARK: Settings

const settingValues = new Map();
const settingSignals = new Map();
const DEFAULTS = { lead_ms: 0, lock_screen: "markers", announce: true, theme: "auto", keys: {}, keys_on: true };

/** Settings of this device; read from memory, kept in the store, and told to other tabs. */
export const settings = {
  get: (key) => settingValues.get(key) ?? DEFAULTS[key],
  set(key, value) {
    settings.take(key, value);
    channel.post({ type: "setting", key, value });
    return store.put("settings", { key, value }).catch(() => false);
  },
  drop(key) {
    settings.take(key, undefined);
    settingValues.delete(key);
    channel.post({ type: "setting", key });
    return store.del("settings", key).catch(() => {});
  },
  names: () => [...settingValues.keys()],
  take(key, value) {
    settingValues.set(key, value);
    settingSignals.get(key)?.tell(value);
  },
  on(key, fn) {
    if (!settingSignals.has(key)) settingSignals.set(key, signal());
    return settingSignals.get(key).on(fn);
  },
};

// MARK: Between tabs

const TAB = Math.random().toString(36).slice(2);
const channel = {
  bus: globalThis.BroadcastChannel ? new BroadcastChannel("trace") : null,
  post: (message) => channel.bus?.postMessage({ ...message, tab: TAB }),
};

/**
 * Runs `work` while this tab holds the lock; at once where there are no Web Locks, and after three seconds without it: a
 * tab that was frozen never gives it back, and two that do the same do no harm.
 */
export async function withLock(name, options, work) {
  if (!navigator.locks) return work({});
  const late = new AbortController(), timer = setTimeout(() => late.abort(), 3 * SECOND);
  const asked = options.ifAvailable || options.signal ? options : { ...options, signal: late.signal };
  return navigator.locks.request(name, asked, (lock) => (clearTimeout(timer), work(lock)))
    .catch((error) => (late.signal.aborted && asked.signal === late.signal && error.name === "AbortError" ? work({})
      : Promise.reject(error))).finally(() => clearTimeout(timer));
}

// MARK: Clock

let samples = [];

/**
 * The server's time in ms. Of the last eight answers the quickest counts. Their difference from this device's clock is
 * taken again as soon as that clock was set: then it and the steady one of the page drift apart.
 */
export const clock = {
  get difference() {
    if (!samples.length) return settings.get("clock_difference") ?? 0;
    return samples.reduce((best, one) => (one.took < best.took ? one : best)).difference;
  },
  now: () => Math.round(Date.now() + clock.difference),
  learn(serverTime, sent, received) {
    const base = Date.now() - performance.now();
    const difference = serverTime - (Date.now() - (received - sent) / 2);
    samples = [...samples.filter((one) => Math.abs(one.base - base) < 500),
      { base, difference, took: received - sent }].slice(-8);
    const changed = Math.abs(clock.difference - (settings.get("clock_difference") ?? 0));
    if (changed > 50) settings.set("clock_difference", clock.difference);
  },
};

/**
 * The offset (ms) of a moment (ms) by the clock of a session as `GET /sessions/{s}` has it; undefined without a start.
 */
export function sessionOffset({ start_time: start, pauses = [], paused_at_ms: standing } = {}, moment = clock.now()) {
  if (!start) return undefined;
  let running = moment - Date.parse(start);
  for (const pause of pauses) {
    if (running <= pause.offset_ms) break;
    running = Math.max(pause.offset_ms, running - pause.length_ms);
  }
  return Math.max(0, standing === undefined || standing === null ? running : Math.min(running, standing));
}

// MARK: API client

/** What went wrong with a request. Status 0: no answer; code "not-ours": an answer that is not our server's. */
export class ApiError extends Error {
  constructor(status, code, problem = {}) {
    super(problem.detail ?? code);
    Object.assign(this, { status, code, detail: problem.detail, hint: problem.hint, body: problem,
      retryAfterMs: problem.retry_after_ms });
  }
  get offline() {
    return this.status === 0 || this.code === "not-ours" || (this.code === "http" && this.status >= 502);
  }
}

/** The address of a path below the API, for `<audio>` and downloads. */
function href(path, query) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(key, one);
  }
  return (path ? API + path : API.slice(0, -1)) + (search.size ?? [...search].length ? `?${search}` : "");
}

async function request(method, path, { query, headers = {}, body, as = "json", signal, keepalive,
  timeout = 15 * SECOND } = {}) {
  const limit = AbortSignal.timeout?.(timeout);
  const both = signal && limit ? (AbortSignal.any?.([signal, limit]) ?? signal) : (signal ?? limit);
  if (path !== "logout" && settings.get("leaving")) await leave();
  const sent = performance.now();
  let response;
  try {
    response = await fetch(href(path, query), { method, headers, body, signal: both, keepalive,
      credentials: "same-origin", redirect: "manual" });
  } catch (error) {
    if (signal?.aborted) throw error;
    net.set(false);
    throw new ApiError(0, "no-network", { detail: t(limit?.aborted ? "timed-out" : "no-network"),
      hint: t("no-network-hint") });
  }
  const serverTime = Date.parse(response.headers.get("Trace-Time"));
  const problem = /problem\+json/.test(response.headers.get("Content-Type"));
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
    const read = { json: () => response.text().then((text) => (text ? JSON.parse(text) : undefined)),
      text: () => response.text() };
    const result = await (method === "HEAD" ? undefined : (read[as] ?? (() => response.arrayBuffer()))());
    const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    return {
      status: response.status, body: result, etag: response.headers.get("ETag"), headers: response.headers, owner,
      next: next && Object.fromEntries(new URLSearchParams(next.slice(next.indexOf("?")))), stale: false,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      if (signal?.aborted) throw error;
      throw new ApiError(error instanceof SyntaxError ? response.status : 0,
        error instanceof SyntaxError ? "not-ours" : "no-network",
        { detail: t("no-network"), hint: t("no-network-hint") });
    }
    error.code = error.body.code ?? error.code;
    error.retryAfterMs ??= 1000 * Number(response.headers.get("Retry-After")) || undefined;
    if (error.status === 401 && path !== "login" && path !== "logout") signedOut();
    throw error;
  }
}

/** Tells the server that somebody has signed out here, which may have been without a network. */
export async function leave() {
  await request("POST", "logout").catch((error) => error.status === 401 || Promise.reject(error));
  await settings.drop("leaving");
}

/** The HTTP API. Paths are below `api/v1/`. Both calls throw ApiError. */
export const api = {
  href,
  /** With `keep`, the answer is kept, and served with `stale: true` when the server can't be reached or can't answer. */
  async get(path, options = {}) {
    const address = href(path, options.query).slice(API.length);
    try {
      const answer = await request("GET", path, options);
      if (options.keep) {
        const { body, etag, next, owner } = answer;
        if (isOurs(answer)) store.put("kept", { address, body, etag, next, owner, at: Date.now() }).catch(() => {});
      }
      return answer;
    } catch (error) {
      const kept = options.keep && (error.offline || error.status >= 500) ? await api.kept(path, options.query) : undefined;
      if (!kept) throw error;
      return kept;
    }
  },
  /** What was kept of an earlier `get` with `keep`; undefined if nothing was. */
  async kept(path, query) {
    const kept = await store.get("kept", href(path, query).slice(API.length)).catch(() => undefined);
    return kept && isOurs(kept) ? { ...kept, headers: new Headers(), stale: true } : undefined;
  },
  /** Sends a body: an object as JSON, anything else as it is, with `type`. */
  send(method, path, body, { type, headers = {}, ...options } = {}) {
    const plain = body !== undefined && !(typeof body === "string" || body instanceof ArrayBuffer
      || body instanceof Blob);
    if (plain || type) headers = { ...headers, "Content-Type": type ?? "application/json" };
    return request(method, path, { ...options, headers, body: plain ? JSON.stringify(body) : body });
  },
};

export function problemText(error) {
  if (!(error instanceof ApiError)) return String(error?.message ?? error);
  return [error.detail, error.hint].filter(Boolean).map((text) => text.replace(/([^.!?…])$/, "$1.")).join(" ");
}

// MARK: Who is here

const SCOPES = ["read", "mark", "admin"];

const OWNER = "owner"; // the token that what is kept is of
const isOurs = ({ owner }) => owner && owner === settings.get(OWNER);
const forgetKept = async (owner) => (await import("./sign-in.js")).forgetKept(owner);

/** The bearer of this browser's token, as `GET /api/v1` tells it. */
export const me = {
  id: undefined, signedIn: false, scope: undefined, name: undefined, person: undefined, filtered: false,
    sessions: undefined, journals: undefined,
    features: {}, limits: {},
  can: (scope) => SCOPES.indexOf(me.scope) >= SCOPES.indexOf(scope),
  take({ token, features, limits, version }) {
    Object.assign(me, { id: undefined, name: undefined, sessions: undefined, journals: undefined }, token,
      { features, limits, version, signedIn: true });
    settings.set("person", me.person); // for the worker
  },
};

async function identify() {
  const { body, stale } = await api.get("", { keep: true });
  me.take(body);
  if (!stale) events.start();
  if (document.body.dataset.state !== "ready") show();
}

/** The token counts no longer. What waits in the outbox stays, and that is said. */
export async function signedOut(message) {
  if (!me.signedIn && !message && document.body.dataset.state === "signed-out") return;
  const was = me.signedIn || message;
  me.signedIn = false;
  document.body.dataset.state = "signed-out";
  events.stop();
  closeView();
  await forgetKept();
  const n = outbox.counts.waiting;
  const { showSignIn } = await import("./sign-in.js");
  showSignIn(message ?? (n ? t("signed-out-kept", { n }) : was ? t("signed-out") : ""));
}

/** Signs in by the secret of an address. What can't be used leaves a device that is signed in as it was. */
async function enter([, kind, value]) {
  const { exchange } = await import("./sign-in.js");
  const wasIn = me.signedIn, before = await api.kept("");
  const problem = await exchange(kind, value);
  if (!problem && !before) return undefined;
  if (!problem) return reload();
  if (wasIn) navigate();
  else await identify().catch(() => {});
  return me.signedIn ? toast(problem, { kind: "bad" }) : signedOut(problem);
}

export async function signedIn() {
  await identify();
  outbox.drain(true);
}

// MARK: Network state

const net = {
  reached: undefined, live: false, changed: signal(),
  set(reached, asks = false) {
    if (asks && !net.asks) net.asks = toast(t("proxy-asks"), { kind: "bad", ms: DAY, actions: [{ label: t("open"),
      // The worker leaves this address to the network.
      run: () => location.assign("index.html") }] });
    if (reached) net.asks = void net.asks?.();
    if (net.reached === reached) return;
    net.reached = reached;
    net.changed.tell();
    if (reached) {
      pauseUntil = 0;
      outbox.drain();
    }
  },
};

// MARK: Outbox

const outboxChanged = signal();
export const outboxEvents = { delivered: signal() };
/** A copy of the table, for counts and views, and for delivery.js. */
export let entries = new Map();
let pauseUntil = 0, networkTries = 0, drainTimer, draining, drainAgain = false;

/** How long (ms) an entry rests after so many tries. */
export const retryDelay = (tries) => Math.min(5 * MINUTE, SECOND * 2 ** Math.max(0, tries - 1));
export const piecesOf = (id) => (globalThis.IDBKeyRange ? IDBKeyRange.bound([id], [id, []])
  : { includes: ([one]) => one === id });

/** Reads the table again, and tells what shows it; `fromHere` tells the other tabs, too. */
export async function outboxMoved(fromHere = true) {
  let all = await store.all("outbox").catch(() => [...entries.values()]);
  const there = new Set(all.map(({ id }) => id));
  const missing = [...entries.values()].filter(({ id, state }) => state !== "at-server" && !there.has(id));
  // Sent by the tab that drains, or gone with the whole database, which this setting stands for.
  if (missing.length && await store.get("settings", "here").then((here) => !here, () => false)) {
    await rescue(missing);
    all = [...missing, ...all];
  }
  entries = new Map(all.sort((a, b) => (a.id < b.id ? -1 : 1)).map((entry) => [entry.id, entry]));
  if (fromHere) channel.post({ type: "outbox" });
  outboxChanged.tell();
}

const writer = () => ({ person: me.person, name: me.name });
/** What somebody else wrote waits for them. */
export const isMine = ({ by }) => !by || by.person === me.person;

/**
 * What was made here and has no acknowledgement yet. An entry is deleted only after an answer of our server, so a kill
 * at any moment repeats at most a request, which the server knows by its ULID. `body` is the record as it is wanted,
 * `sent` the record as it was first sent: what differs follows as a PATCH, because another body under one id would be a
 * conflict.
 */
export const outbox = {
  on: outboxChanged.on,
  onDelivered: outboxEvents.delivered.on,
  all: () => [...entries.values()].filter((entry) => !entry.undone && entry.state !== "pressed"),
  of: (sessionID) => outbox.all().filter((entry) => isMine(entry) && (entry.session.id === sessionID
    || entry.session.handle === sessionID)),
  get: (id) => entries.get(id),
  get counts() {
    const count = (state) => [...entries.values()].filter((entry) => entry.state === state).length;
    const waiting = [...entries.values()].filter((entry) => entry.state !== "at-server");
    return { waiting: count("waiting") + count("recording"), needsYou: count("needs-you"), atServer: count("at-server"),
      oldest: waiting.length ? Math.min(...waiting.map((entry) => entry.made)) : undefined };
  },

  /** Resolves to true once the entry is on disk; to false if only memory has it, which was then said aloud. */
  /** `rest`: how long (ms) it can be taken back before it is sent. */
  async add({ id, kind, session, body, audio, state = "waiting", rest }) {
    const now = new Date(clock.now()).toISOString();
    const usual = { marker: { created_at: now, source: "user" }, voice_note: { created_at: now } }[kind];
    const filled = { ...usual, ...body };
    delete filled.id;
    const entry = { id, kind, session, body: filled, audio, made: Date.now(), difference: clock.difference, tries: 0,
      last: 0, state, by: writer(), after: rest && Date.now() + rest };
    const lasting = await keepOrHold("outbox", entry);
    if (state === "recording") holdRecording(id);
    entries.set(id, entry);
    await outboxMoved();
    if (!settings.get("persist_asked")) {
      settings.set("persist_asked", true);
      navigator.storage?.persist?.().catch(() => {});
    }
    if (state === "waiting") outbox.drain();
    registerSync();
    return lasting;
  },

  /** A finger that was down is up again: what was noted at its touch is a mark. */
  release: (id) => outbox.update(id, (entry) => ({ ...entry, state: "waiting" })),

  /** Changes the body of an entry in one transaction; undefined if it is no longer here. */
  async update(id, fn) {
    const changed = await store.change("outbox", id, (entry) => fn(entry) ?? entry);
    await outboxMoved();
    if (changed?.state === "waiting") outbox.drain();
    return changed;
  },

  /**
   * Takes an entry back. False if it is no longer here, or can't be taken back any more: then the server has to be
   * asked.
   */
  async remove(id) {
    let done = false;
    await store.change("outbox", id, (entry) => {
      done = !entry.sent || entry.kind === "marker" || entry.state === "needs-you";
      // What was sent without an answer may be there: then it is removed there.
      if (entry.sent && done && entry.state !== "needs-you") return { ...entry, undone: true, state: "waiting" };
      return done ? null : undefined;
    });
    await outboxMoved();
    if (!entries.has(id)) await store.del("pieces", piecesOf(id)).catch(() => {});
    recordings.get(id)?.();
    if (done) outbox.drain();
    return done;
  },

  /** One piece of a recording; true once it is on disk. */
  addPiece: (id, number, bytes) => keepOrHold("pieces", { id, number, bytes }),
  async audio(id) {
    const pieces = (await store.all("pieces", piecesOf(id))).sort((a, b) => a.number - b.number);
    return pieces.length ? new Blob(pieces.map((piece) => piece.bytes), { type: entries.get(id)?.audio?.type })
      : undefined;
  },
  async finish(id, { duration_ms, size, type }) {
    await store.change("outbox", id, (entry) => {
      if (duration_ms !== undefined) entry.body.duration_ms = Math.round(duration_ms);
      return { ...entry, audio: { type: type ?? entry.audio?.type, size }, state: "waiting" };
    });
    recordings.get(id)?.();
    await outboxMoved();
    outbox.drain();
  },

  /** Sends what is due, oldest first. One tab at a time drains; where there are no Web Locks two do no harm. */
  drain(now = false) {
    if (now) {
      pauseUntil = networkTries = 0;
      drainAgain = "all";
    }
    if (draining) {
      drainAgain ||= true;
      return draining;
    }
    // Without a network nothing counts as sent, so that it can still be changed and taken back here.
    if (!me.signedIn || Date.now() < pauseUntil || (navigator.onLine === false && !now)
      || !openEntries().length) {
      drainAgain = false;
      return Promise.resolve();
    }
    draining = withLock("trace-drain", {}, async () => {
      const { deliverDue } = await import("./delivery.js");
      do {
        const all = drainAgain === "all";
        drainAgain = false;
        drainAgain ||= await deliverDue(all);
      } while (drainAgain);
      networkTries = 0;
    }).catch((error) => {
      drainAgain = false;
      networkTries += 1;
      pauseUntil = Date.now() + Math.max(error.retryAfterMs ?? 0, retryDelay(networkTries));
    }).finally(() => {
      draining = undefined;
      scheduleDrain();
    });
    return draining;
  },
};

/** After the browser's storage was cleared under an open page: what the page knows is kept once more. */
async function rescue(lost) {
  for (const [key, value] of settingValues) await store.put("settings", { key, value }).catch(() => {});
  for (const entry of lost) await keepOrHold("outbox", entry);
  const spoken = lost.some(({ kind }) => kind === "voice_note");
  toast([t("storage-cleared"), spoken && t("storage-cleared-audio")].filter(Boolean).join(" "), { kind: "bad", ms: 12_000 });
}

let saidNoStorage = false;

/**
 * Writes to disk, if need be in the place of what was kept for reading; what the disk refuses is held in memory, and
 * that is said.
 */
async function keepOrHold(table, value) {
  let full;
  const lasting = await store.put(table, value).catch(async (error) => {
    full = error.name === "QuotaExceededError";
    await store.clear("kept").catch(() => {});
    return store.put(table, value);
  }).catch(() => {
    store.hold(table, value);
    return null;
  });
  if (lasting === null) toast(`${t(full ? "not-kept" : "not-kept-now")} ${t("not-kept-memory")}`, { kind: "bad", ms: 15_000 });
  if (lasting === false) sayNoStorage();
  return Boolean(lasting);
}

function sayNoStorage() {
  if (!saidNoStorage) toast(t("no-storage"), { kind: "bad", ms: DAY });
  saidNoStorage = true;
}

function registerSync() {
  navigator.serviceWorker?.ready.then((registration) => registration.sync?.register("trace-outbox")).catch(() => {});
}

// A recording holds a lock as long as its page lives, so that another page sees which ones were cut off.
const recordings = new Map();
function holdRecording(id) {
  navigator.locks?.request(`trace-recording-${id}`, () => new Promise((release) => recordings.set(id, release)));
}

const openEntries = () => [...entries.values()].filter((entry) =>
  (entry.state === "waiting" || entry.state === "at-server") && isMine(entry));

function scheduleDrain() {
  clearTimeout(drainTimer);
  const open = openEntries();
  if (!open.length || !me.signedIn) return;
  const due = Math.min(...open.map(({ last, tries, after = 0 }) => (last ? last + retryDelay(tries) : after)));
  drainTimer = setTimeout(() => outbox.drain(), Math.min(30 * SECOND,
    Math.max(SECOND, due - Date.now(), pauseUntil - Date.now())));
}

// MARK: Events

const told = signal();
let stream, streamHandles = [], releaseStream, streamTimer, leaderHeard;
const watching = new Map(); // handle → how many views of this tab watch it
const watchingElsewhere = new Map(); // tab → handles

/**
 * What the server tells by itself. One visible tab holds the stream and passes it on; without Web Locks each visible
 * tab has its own. After each gap there is a `reset`.
 */
export const events = {
  on: told.on,
  watch(handle) {
    watching.set(handle, (watching.get(handle) ?? 0) + 1);
    events.want();
    return () => {
      const left = watching.get(handle) - 1;
      if (left > 0) watching.set(handle, left);
      else watching.delete(handle);
      events.want();
    };
  },
  want() {
    channel.post({ type: "watching", handles: releaseStream ? [...watching.keys()] : [] });
    clearTimeout(streamTimer);
    if (stream) streamTimer = setTimeout(connectStream, 200);
  },
  start() {
    if (releaseStream || !me.signedIn || document.hidden || !globalThis.EventSource) return;
    releaseStream = () => {};
    const waiting = new AbortController();
    const lead = () => new Promise((release) => {
      releaseStream = release;
      passOn({ type: "state", data: { connected: false } }); // the tab that held it may have gone without a word
      connectStream();
    });
    releaseStream = () => waiting.abort();
    channel.post({ type: "who" });
    events.want();
    withLock("trace-events", navigator.locks ? { signal: waiting.signal } : {}, lead).catch(() => {});
    // The tab that leads answers; one that was frozen does not, and keeps the lock.
    leaderHeard = false;
    setTimeout(() => !leaderHeard && releaseStream && !stream && lead(), 3 * SECOND);
  },
  stop() {
    releaseStream?.();
    releaseStream = undefined;
    clearTimeout(streamTimer);
    stream?.close();
    stream = undefined;
    events.want();
    setLive(false);
  },
};

/** After a new connection anything may have been missed. */
function setLive(live) {
  if (net.live === live) return;
  net.live = live;
  net.changed.tell();
  told.tell({ type: "state", data: { connected: live } });
  if (live) told.tell({ type: "reset", data: {} });
}

function passOn(event) {
  if (navigator.locks) channel.post({ type: "event", event });
  receive(event);
}

function receive(event) {
  if (event.type === "state") return releaseStream && setLive(event.data.connected);
  if (event.type === "watch" && event.data.kind === "queue") recheckAtServer(event.data.id);
  told.tell(event);
}

/** An entry that waits at the server is asked after as soon as the server reports a result. */
function recheckAtServer(id) {
  const entry = entries.get(id);
  if (entry?.state !== "at-server") return;
  store.change("outbox", id, (now) => ({ ...now, last: 0 })).then(() => outbox.drain());
}

function connectStream() {
  const handles = [...new Set([...watching.keys(), ...[...watchingElsewhere.values()].flat()])].slice(0, 4).sort();
  if (stream && `${streamHandles}` === `${handles}` && stream.readyState < 2) return;
  const before = stream;
  let fresh = before ? handles.filter((handle) => !streamHandles.includes(handle)) : [];
  streamHandles = handles;
  const source = stream = new EventSource(href("events", { session: handles }));
  source.onopen = () => {
    before?.close();
    net.set(true);
    passOn({ type: "state", data: { connected: true } });
    for (const handle of fresh) passOn({ type: "reset", data: { handle } });
    fresh = [];
  };
  source.onerror = () => {
    before?.close();
    if (source !== stream) return;
    passOn({ type: "state", data: { connected: false } });
    if (source.readyState !== 2) return;
    // Refused, which EventSource does not repeat by itself. Asking for ourselves tells whether the token is at fault.
    stream = undefined;
    clearTimeout(streamTimer);
    const again = () => releaseStream && connectStream();
    streamTimer = setTimeout(() => api.get("").then(again, again), 5 * SECOND);
  };
  for (const type of ["watch", "reset"]) {
    source.addEventListener(type, ({ data }) => source === stream
      && passOn({ type, data: data ? JSON.parse(data) : {} }));
  }
}

if (channel.bus) {
  channel.bus.onmessage = ({ data }) => {
    if (data.type === "event") {
      leaderHeard = true;
      receive(data.event);
    }
    else if (data.type === "outbox") outboxMoved(false);
    else if (data.type === "setting") {
      // Another tab has signed out, or somebody else in.
      if (data.key === OWNER && me.signedIn && data.value !== me.id) reload();
      settings.take(data.key, data.value);
    }
    else if (data.type === "who" && releaseStream) {
      channel.post({ type: "watching", handles: [...watching.keys()] });
      if (stream && navigator.locks) channel.post({ type: "event", event: { type: "state", data: { connected: net.live } } });
    }
    else if (data.type === "watching") {
      watchingElsewhere.set(data.tab, data.handles);
      if (stream) connectStream();
    }
  };
}

// MARK: Loading the page again

/** What a reload waits for: a recording that ends, a text that is kept. */
export const beforeReload = new Set();

export async function reload() {
  await within(5 * SECOND, Promise.allSettled([...beforeReload].map((work) => work())));
  location.reload();
}

// MARK: Words to the person

export function announce(text) {
  if (!settings.get("announce")) return;
  document.getElementById("polite").textContent = "";
  setTimeout(() => (document.getElementById("polite").textContent = text), 50);
}

/**
 * Shows a message at the foot of the page; returns the way to take it away. It stays while it has the focus or the
 * pointer.
 */
export function toast(text, { actions = [], ms = 6000, kind = "info" } = {}) {
  const dismiss = () => {
    clearTimeout(timer);
    if (node.contains(document.activeElement)) frame.main.focus({ preventScroll: true });
    node.remove();
  };
  const buttons = actions.map(({ label, run }) => h("button.plain", { onclick: () => (dismiss(), run()) }, label));
  const node = h(`div.toast.${kind}`, { role: kind === "bad" ? "alert" : "status" }, h("div", h("p", text), buttons),
    h("button.icon-button", { "aria-label": t("close"), onclick: dismiss }, icon("close")));
  let timer;
  const wait = () => (timer = setTimeout(dismiss, ms));
  for (const name of ["pointerenter", "focusin"]) node.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) node.addEventListener(name, wait);
  document.getElementById("toasts").append(node);
  wait();
  return dismiss;
}

const warned = new Set();
/** Says what the server finds odd about a write; of each kind once for a session, since it is the same at each mark. */
export function showWarnings(session, warnings = []) {
  for (const text of warnings) {
    const kind = `${session} ${text.replace(/\d+/g, "")}`;
    if (warned.has(kind)) continue;
    warned.add(kind);
    toast(text.replace(/^./, (letter) => letter.toUpperCase()).replace(/([^.!?…])$/, "$1."), { kind: "bad", ms: 15_000 });
  }
}

/** Asks in a dialog; resolves to the value of the button, undefined if it was closed. See `forms.js`. */
export const dialog = async (options) => (await import("./forms.js")).dialog(options);

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { value: text, readonly: true, class: "off-screen" });
    document.body.append(area);
    area.select();
    const worked = document.execCommand("copy");
    area.remove();
    if (!worked) return toast(t("copy-failed"), { kind: "bad" });
  }
  toast(t("copied"), { ms: 2000 });
}

export function emptyState(iconName, title, text, action) {
  return h("div.empty", icon(iconName), h("h2", title), text && h("p", text), action);
}

// MARK: Keys

const bindings = [];

/**
 * Binds keys as long as a view is open. Off inside fields and dialogs; the settings may turn them off or give them
 * other keys.
 */
export const keys = {
  bind(map) {
    bindings.push(map);
    return () => bindings.splice(bindings.indexOf(map), 1);
  },
};

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
    || !settings.get("keys_on")) return;
  const { target } = event;
  // Who holds a key means one press, but of those that go on and on.
  const isHeld = event.repeat && !event.key.includes("Arrow");
  if (isHeld && event.key === "Enter" && target.closest?.("button, summary")) return event.preventDefault();
  const typing = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog, [contenteditable]";
  if (target.closest?.(typing)) return;
  const upper = (key) => (key.length === 1 ? key.toUpperCase() : key);
  const shifted = event.key.length > 1 && event.shiftKey ? "Shift+" : "";
  const named = event.key === " " ? "Space" : shifted + upper(event.key);
  // Space and Enter press the button that has the focus; arrows belong to a slider.
  if (target.closest?.("button, a, summary, [role=tab]") && (named === "Space" || named === "Enter")) return;
  if (target.closest?.("input[type=range], [role=slider], [role=tablist]") && named.includes("Arrow")) return;
  const chosen = settings.get("keys");
  for (const map of [...bindings].reverse()) {
    const found = Object.entries(map).find(([key]) => upper(chosen[key] ?? key) === named);
    if (!found) continue;
    event.preventDefault();
    if (!isHeld) found[1](event);
    return;
  }
});

// MARK: Frame

const wide = matchMedia("(min-width: 900px)");

/** The journals of the frame: it knows a name, a list and a search of each, and nothing else. */
const journals = [
  { name: "sessions", icon: "note", address: "#/", list: (root, scroller) => sessionsList(root, scroller),
    search: (words) => `#/search?q=${encodeURIComponent(words)}` },
];

const destinations = () => [
  ...journals.map(({ name, icon, address }) => ({ key: name, icon, address, journal: true })),
  { key: "search", icon: "search", address: "#/search", phone: true },
  frame.hasJournals && { key: "journals", icon: "journal", address: "#/journals" },
  { key: "at", icon: "day", address: "#/at" },
  { key: "problems", icon: "warning", address: "#/problems", count: frame.problems },
  me.can("mark") && { key: "outbox", icon: "outbox", address: "#/outbox",
    count: outbox.counts.waiting + outbox.counts.needsYou + outbox.counts.atServer },
  { key: "settings", icon: "settings", address: "#/settings" },
  { key: "help", icon: "help", address: "#/help" },
].filter(Boolean);

export const frame = {
  get main() {
    return document.getElementById("main");
  },
  problems: 0, hasJournals: false,
  title(text, { back } = {}) {
    document.title = text === t("app") ? text : `${text} · ${t("app")}`;
    document.getElementById("title").textContent = text;
    const link = document.getElementById("back");
    link.hidden = !back;
    if (back) link.href = back;
  },
  actions: (...nodes) => document.getElementById("actions").replaceChildren(...nodes.flat().filter(Boolean)),
  build() {
    const field = h("input", { type: "search", id: "search", placeholder: t("search-all"),
      "aria-label": t("search-all"), enterkeyhint: "search" });
    document.getElementById("sidebar").replaceChildren(
      h("a.brand", { href: "#/" }, h("span.mark", { "aria-hidden": "true" }), t("app")),
      h("form.search",
        { role: "search", onsubmit: (event) => (event.preventDefault(), go(journals[0].search(field.value.trim()))) },
        icon("search"), field),
      h("div", { id: "side-list" }), h("nav", { id: "side-nav", "aria-label": t("navigation") }));
    document.getElementById("top").replaceChildren(
      h("a.icon-button", { id: "back", href: "#/", "aria-label": t("back"), hidden: true }, icon("back")),
      h("h1", { id: "title", tabindex: -1, dir: "auto" }), h("div", { id: "actions" }),
      h("a.waiting", { id: "waiting", href: "#/outbox", hidden: true }), h("span.net", { id: "net", role: "status" }),
      h("button.icon-button.phone", { id: "menu", "aria-label": t("menu"), "aria-haspopup": "dialog",
        onclick: frame.menu }, icon("menu")));
    frame.refresh();
    frame.sideList?.close();
    frame.sideList = undefined;
    frame.layOut();
  },
  layOut() {
    if (wide.matches && !frame.sideList && me.signedIn) {
      const place = document.getElementById("side-list");
      frame.sideList = journals[0].list(place, place);
    } else if (!wide.matches) {
      frame.sideList?.close();
      frame.sideList = undefined;
    }
  },
  refresh() {
    const { waiting, needsYou, oldest } = outbox.counts;
    const badge = document.getElementById("waiting");
    if (!badge) return;
    const n = needsYou || waiting;
    badge.hidden = n === 0;
    badge.classList.toggle("late", needsYou > 0 || Date.now() - (oldest ?? Date.now()) > DAY);
    badge.textContent = t(needsYou ? "needs-you-badge" : "waiting-badge", { n });
    badge.setAttribute("aria-label", t(needsYou ? "needs-you-label" : "waiting-label", { n }));
    const state = net.reached === false ? "offline" : net.live ? "live" : "online";
    const sign = document.getElementById("net");
    if (sign.dataset.state !== state) {
      sign.dataset.state = state;
      sign.textContent = t(`net-${state}`);
      sign.title = t(`net-${state}-detail`);
    }
    const beside = destinations().filter(({ phone, journal }) => !phone && !journal).map(frame.link);
    const nav = document.getElementById("side-nav");
    // A link that goes while it is pressed leads nowhere.
    if (nav.children.length !== beside.length || beside.some((link, i) => !link.isEqualNode(nav.children[i])))
      nav.replaceChildren(...beside);
  },
  link: ({ key, icon: name, address, count }) =>
    h("a.destination", { href: address, "aria-current": `#/${route.path[0] ?? ""}` === address && "page" }, icon(name),
      h("span", t(key)), count > 0 && h("span.count", fmt.number(count))),
  menu() {
    const sheet = h("dialog.sheet", { "aria-label": t("menu"), onclick: () => sheet.close() },
      h("nav", { "aria-label": t("navigation") }, destinations().map(frame.link)));
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  },
};

// MARK: Router

/** Where the page is: the parts of the path, decoded, and the query. */
export const route = { path: [], query: new URLSearchParams() };

let view, viewKey, opening = 0;
const scrolled = new Map(); // how far down a view was left

export function go(address) {
  location.hash = address;
}

function closeView() {
  opening += 1; // A view that is still being loaded does not open any more.
  view?.close();
  view = viewKey = undefined;
}

function readRoute() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const decode = (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  Object.assign(route, { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) });
}

/** What all views but the first share: their texts and their style. */
let shared;
function loadShared() {
  shared ??= Promise.all([import("./strings-views.js"), new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "views.css", onload: done, onerror: done }));
  })]).catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}

function destination([first, handle, third]) {
  if (!first) return { key: "", load: () => homeView };
  if (first === "s" && handle) {
    const live = third === "live";
    const load = async () => (await Promise.all([import("./session.js"), loadShared()]))[0][live ? "liveView"
      : "sessionView"];
    return { key: `s/${handle}${live ? "/live" : ""}`, handle, load };
  }
  const isJournals = ["journals", "day"].includes(first);
  if (isJournals || ["search", "at", "problems", "outbox", "settings", "help"].includes(first)) {
    return { key: first === "journals" && handle ? `journals/${handle}` : first, load: async () =>
      (await Promise.all([import(isJournals ? "./journals.js" : "./more.js"), loadShared()]))[0].views[first] };
  }
  return { key: "?", load: () => notFoundView };
}

async function navigate() {
  readRoute();
  if (!me.signedIn) return;
  const { key, handle, load } = destination(route.path);
  if (handle) remember(handle);
  frame.refresh();
  markCurrent();
  if (view?.update && viewKey === key) return view.update(route);
  const turn = ++opening;
  const first = viewKey === undefined;
  scrolled.set(viewKey, scrollY);
  let build;
  try {
    build = await within(10 * SECOND, load(), new Error("late"));
  } catch {
    build = failedView;
  }
  if (turn !== opening) return;
  view?.close();
  viewKey = key;
  frame.actions();
  frame.main.replaceChildren();
  frame.main.dataset.view = route.path[0] ?? "home";
  const row = handle && sessionRows.rows.find((one) => one.handle === handle);
  frame.title(row ? titleOf(row) : t(strings[key] ? key : "app"), { back: key ? "#/" : undefined });
  view = build(frame.main, route) ?? { close() {} };
  scrollTo(0, (key === "" && scrolled.get(key)) || 0);
  if (!first) document.getElementById("title").focus({ preventScroll: true });
}

function notFoundView(root) {
  root.append(emptyState("help", t("not-found-title"), t("not-found"),
    h("a.button", { href: "#/" }, t("to-sessions"))));
  return { close() {} };
}

function failedView(root) {
  root.append(emptyState("warning", t("view-failed-title"), t("view-failed"),
    h("button.primary", { onclick: () => location.reload() }, t("retry"))));
  return { close() {} };
}

/** Keeps what was read of the last twenty sessions that were opened; the rest may go. */
async function remember(handle) {
  const recent = [handle, ...(settings.get("recent") ?? []).filter((one) => one !== handle)].slice(0, 20);
  if (recent[0] !== settings.get("recent")?.[0]) settings.set("recent", recent);
  if (recent.length < 20) return;
  for (const { address } of await store.all("kept")) {
    const of = /^sessions\/([^/?]+)/.exec(address)?.[1];
    if (of && !recent.includes(decodeURIComponent(of))) await store.del("kept", address);
  }
}

// MARK: Sessions

const PAGE = 100;

/** The rows of all lists of sessions, newest first, as far as they were asked for. */
const sessionRows = {
  rows: [], next: undefined, loaded: false, stale: false, error: undefined, loading: undefined, changed: signal(),
  async start() {
    const kept = await api.kept("sessions", { limit: PAGE });
    if (kept && !sessionRows.loaded) sessionRows.take(kept);
    return sessionRows.refresh();
  },
  /** After records were written: their counts are not urgent. */
  later() {
    sessionRows.timer ??= setTimeout(() => {
      sessionRows.timer = undefined;
      sessionRows.refresh();
    }, 2 * SECOND);
  },
  /** Asks again for the first rows; those behind them stay. */
  refresh() {
    if (sessionRows.loading) sessionRows.later();
    sessionRows.loading ??= (async () => {
      try {
        const limit = Math.min(1000, Math.max(PAGE, Math.ceil(sessionRows.rows.length / PAGE) * PAGE));
        const answer = await api.get("sessions", { query: { limit: PAGE }, keep: true });
        if (limit > PAGE && !answer.stale) Object.assign(answer, await api.get("sessions", { query: { limit } }));
        sessionRows.error = undefined;
        sessionRows.take(answer);
      } catch (error) {
        sessionRows.error = error;
        sessionRows.changed.tell();
      } finally {
        sessionRows.loading = undefined;
      }
    })();
    return sessionRows.loading;
  },
  take({ body, next, stale }) {
    const last = body.at(-1)?.handle;
    const from = next ? sessionRows.rows.findIndex((row) => row.handle === last) : -1;
    const rest = from >= 0 ? sessionRows.rows.slice(from + 1) : [];
    if (!rest.length || !sessionRows.next) sessionRows.next = next;
    Object.assign(sessionRows, { rows: [...body, ...rest], loaded: true, stale });
    frame.problems = sessionRows.rows.reduce((sum, row) => sum + row.errors, 0);
    sessionRows.changed.tell();
  },
  async more() {
    if (!sessionRows.next || sessionRows.loading || sessionRows.stale) return;
    sessionRows.loading = api.get("sessions", { query: { ...sessionRows.next, limit: 500 } });
    try {
      const { body, next } = await sessionRows.loading;
      const known = new Set(sessionRows.rows.map((row) => row.handle));
      sessionRows.rows.push(...body.filter((row) => !known.has(row.handle)));
      sessionRows.next = next;
      sessionRows.error = undefined;
    } catch (error) {
      // Cursors live as long as the server: after a restart the list begins again.
      if (error.code === "cursor-malformed") setTimeout(sessionRows.refresh);
      sessionRows.error = error;
    } finally {
      sessionRows.loading = undefined;
      sessionRows.changed.tell();
    }
  },
};

function rowFacts(row) {
  const start = Date.parse(row.start_time);
  return [
    start && fmt.time(start), row.duration_ms !== undefined && fmt.length(row.duration_ms),
    row.marker_count > 0 && t("marks-n", { n: row.marker_count }),
      row.voice_note_count > 0 && t("notes-n", { n: row.voice_note_count }),
  ].filter(Boolean).join(" · ");
}

/**
 * The states of a session that need a word, as small signs; problems as a number, with the word for those who don't
 * see.
 */
function rowSigns(row) {
  const key = row.errors > 0 ? "problems-n" : "warnings-n", n = row.errors || row.warnings;
  return [
    isLive(row) && h("span.sign.live", row.paused_at_ms === undefined ? t("live") : t("paused")),
    row.forgotten_since
      && h("span.sign.late", { title: t("left-open-since", { when: fmt.ago(Date.parse(row.forgotten_since)) }) },
      t("left-open")),
    !row.online && h("span.sign", { title: t("drive-away-detail") }, t("drive-away")),
    n > 0 && h(`span.sign${row.errors > 0 ? ".bad" : ""}`, { title: t(key, { n }) }, icon("warning"),
      h("span", { "aria-hidden": "true" }, fmt.number(n)), h("span.off-screen", t(key, { n }))),
  ].filter(Boolean);
}

const isLive = (row) => row.status === "active" && !row.forgotten_since;
const titleOf = (row) => row.title || t("untitled");

function sessionRow(row) {
  const signs = rowSigns(row);
  return h("a.row", { href: `#/s/${encodeURIComponent(row.handle)}`, "data-handle": row.handle },
    h("span.row-title", { dir: "auto" }, titleOf(row)), signs.length > 0 && h("span.signs", signs),
      h("span.row-facts", rowFacts(row)));
}

function dayOf(row) {
  const start = Date.parse(row.start_time);
  if (!start) return t("no-date");
  const today = new Date(clock.now()), yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const day = new Date(start).toDateString();
  return day === today.toDateString() ? t("today") : day === yesterday.toDateString() ? t("yesterday") : fmt.day(start);
}

function markCurrent() {
  const handle = route.path[0] === "s" ? route.path[1] : undefined;
  for (const row of document.querySelectorAll("#side-list .row")) {
    if (row.dataset.handle === handle) row.setAttribute("aria-current", "page");
    else row.removeAttribute("aria-current");
  }
}

/**
 * The list of sessions by day. Rows are built in blocks of a page; a block far from what is seen gives its elements
 * back and keeps its height, so that ten thousand sessions cost what two screens do.
 */
function sessionsList(root, scroller = null) {
  const list = h("div.sessions"), foot = h("div.list-foot", { role: "status" });
  root.append(list, foot);
  const blocks = [];
  const near =
    new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) => fill(target, isIntersecting)),
    { root: scroller, rootMargin: "1500px" });
  const end = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && sessionRows.more(),
    { root: scroller, rootMargin: "1000px" });

  function fill(block, shown) {
    if (shown === (block.childElementCount > 0)) return;
    if (shown) {
      block.replaceChildren(...block.rows.flatMap((row, n) => [
        (n ? dayOf(block.rows[n - 1]) : block.dayBefore) !== dayOf(row) && h("h2.day", dayOf(row)),
          sessionRow(row)].filter(Boolean)));
      block.style.height = "";
      markCurrent();
    } else {
      block.style.height = `${block.offsetHeight}px`;
      block.replaceChildren();
    }
  }

  function draw() {
    const { rows, loaded, next, error, stale } = sessionRows;
    for (let n = 0; n * PAGE < rows.length; n++) {
      const part = rows.slice(n * PAGE, (n + 1) * PAGE), block = blocks[n] ??= list.appendChild(h("div.block"));
      const same = block.rows?.length === part.length && part.every((row, place) => row === block.rows[place]
        || JSON.stringify(row) === JSON.stringify(block.rows[place]));
      if (same) continue;
      Object.assign(block, { rows: part, dayBefore: n ? dayOf(rows[n * PAGE - 1]) : undefined });
      if (block.childElementCount || n === 0) {
        const focused = block.contains(document.activeElement) ? document.activeElement.dataset.handle : undefined;
        block.replaceChildren();
        fill(block, true);
        if (focused) block.querySelector(`[data-handle="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
      } else {
        block.style.height = `${part.length * 4.5}rem`;
        near.observe(block);
      }
      near.observe(block);
    }
    for (const block of blocks.splice(Math.ceil(rows.length / PAGE))) block.remove();
    const retry = h("button", { onclick: sessionRows.refresh }, t("retry"));
    foot.replaceChildren(...[
      !loaded && !error && h("p.quiet", t("loading")),
      !loaded && error && (scroller ? retry : emptyState("warning", t("list-failed"), problemText(error), retry)),
      loaded && !rows.length && (scroller ? h("p.quiet", t("no-sessions-title"))
        : emptyState("note", t("no-sessions-title"), t(me.filtered ? "no-sessions-guest" : "no-sessions"))),
      loaded && next && stale && h("p.quiet", t("older-offline")), loaded && next && error && retry,
      loaded && !next && rows.length > 8 && h("p.quiet", t("all-shown", { n: rows.length })),
    ].filter(Boolean));
    // Observed again it reports where it is, even if it did not move out of sight in between.
    end.unobserve(foot);
    if (next && !error && !stale) end.observe(foot);
  }

  const off = sessionRows.changed.on(draw);
  draw();
  return {
    close() {
      off();
      near.disconnect();
      end.disconnect();
      root.replaceChildren();
    },
  };
}

/** The first view: what runs now, where one stopped listening, and the list where it does not stand beside. */
function homeView(root) {
  const cards = h("div.cards"), month = h("div"), place = h("div.list");
  root.append(cards, month, place);
  let list, ticking, lastHeard, closed = false;
  const clocks = new Map();

  function liveCard(row) {
    const time = h("span.elapsed");
    const tick = () => {
      const at = row.paused_at_ms ?? sessionOffset(clocks.get(row.handle) ?? { start_time: row.start_time });
      time.textContent = at === undefined ? "" : fmt.offset(at);
    };
    tick();
    const paused = row.paused_at_ms !== undefined;
    return Object.assign(h("section.card.live", { "aria-label": t("live") },
      h("span.sign.live", paused ? t("paused") : t("live")), h("h2", { dir: "auto" }, titleOf(row)), time,
      h("p.row-facts", [row.start_time && t("started-at", { time: fmt.time(Date.parse(row.start_time)) }),
        row.marker_count > 0 && t("marks-n", { n: row.marker_count })].filter(Boolean).join(" · ")),
      h("a.button.primary", { href: `#/s/${encodeURIComponent(row.handle)}${me.can("mark") ? "/live" : ""}` },
        t(me.can("mark") ? "open-live" : "open"))), { tick });
  }

  /** Where one stopped listening; where that is not known, the latest session. */
  function heardCard({ row, offset }) {
    const [over, facts] = offset ? [t("go-on"), t("go-on-at", { offset: fmt.offset(offset) })]
      : [`${t("latest")}, ${dayOf(row)}`, rowFacts(row)];
    return h("a.card.heard", { href: `#/s/${encodeURIComponent(row.handle)}${offset ? `?t=${offset}` : ""}` },
      icon("play"),
      h("span", h("span.over", over), h("strong", { dir: "auto" }, titleOf(row)), h("span.row-facts", facts)));
  }

  function draw() {
    if (closed) return;
    const live = sessionRows.rows.filter(isLive).slice(0, 3);
    clearInterval(ticking);
    const liveCards = live.map(liveCard);
    if (liveCards.length) ticking = setInterval(() => liveCards.forEach((card) => card.tick()), 500);
    const focusedLink = cards.contains(document.activeElement) && document.activeElement.getAttribute("href");
    const latest = wide.matches && sessionRows.rows.find((row) => row.status === "closed" && row.online);
    const heard = lastHeard ?? (latest && { row: latest });
    cards.replaceChildren(...liveCards, ...(heard && !live.some((row) => row.handle === heard.row.handle)
      ? [heardCard(heard)] : []));
    if (focusedLink) [...cards.querySelectorAll("a")].find((link) =>
      link.getAttribute("href") === focusedLink)?.focus({ preventScroll: true });
    month.replaceChildren(...(wide.matches ? figures() : []));
    frame.actions(
      !wide.matches && h("a.icon-button", { href: "#/search", "aria-label": t("search") }, icon("search")),
      me.can("mark")
        && (wide.matches ? h(`button${live.length ? "" : ".primary"}`, { onclick: startSession }, icon("plus"),
        t("start"))
        : h("button.icon-button", { "aria-label": t("start"), onclick: startSession }, icon("plus"))));
  }

  async function look() {
    for (const row of sessionRows.rows.filter(isLive).slice(0, 3)) {
      const details = await api.get(`sessions/${encodeURIComponent(row.handle)}`,
        { keep: true }).catch(() => undefined);
      if (details?.body.clock) clocks.set(row.handle, details.body.clock);
    }
    lastHeard = undefined;
    for (const handle of (settings.get("recent") ?? []).slice(0, 3)) {
      const path = `sessions/${encodeURIComponent(handle)}`;
      const position = (await api.get(`${path}/position`, { keep: true }).catch(() => undefined))?.body;
      const row = sessionRows.rows.find((one) => one.handle === handle) ?? (await api.kept(path))?.body;
      if (position?.offset_ms > 0 && row) lastHeard = { row: { ...row, handle }, offset: position.offset_ms };
      if (lastHeard) break;
    }
    draw();
  }

  function layOut() {
    if (wide.matches) {
      list?.close();
      list = undefined;
    } else list ??= sessionsList(place);
    draw();
  }

  frame.title(t("sessions"));
  wide.addEventListener("change", layOut);
  const off = sessionRows.changed.on(() => {
    draw();
    if (sessionRows.rows.some((row) => isLive(row) && !clocks.has(row.handle))) look();
  });
  layOut();
  look();
  return {
    close() {
      closed = true;
      off();
      clearInterval(ticking);
      wide.removeEventListener("change", layOut);
      list?.close();
    },
  };
}

/**
 * What the last thirty days brought, or all time if they brought nothing; nothing where the rows here don't reach back
 * that far.
 */
function figures() {
  const { rows, next } = sessionRows, from = clock.now() - 30 * DAY;
  const lately = rows.filter((row) => Date.parse(row.start_time) >= from), recent = lately.length ? lately : rows;
  if (!recent.length || (next && recent.length === rows.length)) return [];
  const sum = (key) => recent.reduce((total, row) => total + (row[key] ?? 0), 0);
  const figure = (value, label) => [h("dt", label), h("dd", value)];
  return [h("section.figures", h("h2", t(lately.length ? "last-days" : "all-time")),
    h("dl", figure(fmt.number(recent.length), t("figure-sessions")),
    figure(fmt.length(sum("duration_ms")), t("figure-length")),
      figure(fmt.number(sum("marker_count")), t("figure-marks")),
    figure(fmt.number(sum("voice_note_count")), t("figure-notes"))))];
}

const startSession = async () => (await import("./forms.js")).startSession();
export const sessionStarted = sessionRows.refresh;

// MARK: Boot

/** The kinds of journals that have a `KIND/kind.js`. They have a place in the frame where the server has any. */
export const kindsWithPages = async () =>
  (await api.get("kinds", { keep: true })).body.filter(({ page }) => page).map(({ name }) => name);
/** By the request of the list itself, which is so kept for times without a network. */
async function lookForJournals() {
  const kind = await kindsWithPages();
  frame.hasJournals = kind[0] && (await api.get("journals", { query: { kind, limit: 1000 }, keep: true })).body.length > 0;
  frame.refresh();
}

function show() {
  document.body.dataset.state = "ready";
  frame.build();
  const only = [...(me.sessions ?? []).map((id) => `#/s/${id}`), ...(me.journals ?? []).map((id) => `#/journals/${id}`)];
  if (me.filtered && only.length === 1 && !location.hash.slice(2)) history.replaceState(null, "", only[0]);
  viewKey = undefined;
  navigate();
  sessionRows.start();
  lookForJournals().catch(() => {});
  if (settings.names().some((key) => key.startsWith("draft."))) import("./forms.js").then(({ offerDraft }) => offerDraft(), () => {});
}

/**
 * The first worker takes the page over as soon as it has all of it; every later one waits until somebody agrees.
 */
async function registerWorker() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  let controlled = Boolean(workers.controller), offered;
  workers.addEventListener("controllerchange", () => {
    if (controlled) reload();
    controlled = true;
  });
  workers.addEventListener("message", ({ data }) => data.type === "drain" && outbox.drain(true));
  const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => "sw.js" });
  const registration = await workers.register(policy ? policy.createScriptURL("") : "sw.js");
  const use = async () => {
    await Promise.race([outbox.drain(true), new Promise((done) => setTimeout(done, 3 * SECOND))]);
    registration.waiting?.postMessage({ type: "activate" });
    // A page that was loaded past the worker gets no event when it changes.
    setTimeout(reload, registration.waiting ? 3 * SECOND : 0);
  };
  const offer = () => {
    if (!registration.waiting || !registration.active) return;
    offered?.();
    offered = toast(t("new-version"), { ms: 86_400_000, actions: [{ label: t("reload"), run: use }] });
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  // The server may have another page after a gap.
  events.on(({ type, data }) => type === "reset" && !data.handle && registration.update().catch(() => {}));
}

async function boot() {
  const kept = await store.all("settings").catch(() => []);
  for (const { key, value } of kept) settings.take(key, value);
  if (!await store.lasting()) sayNoStorage();
  if (!settings.get("here")) settings.set("here", true);
  const paint = () => (document.documentElement.dataset.theme = settings.get("theme"));
  settings.on("theme", paint);
  paint();
  document.getElementById("skip").textContent = t("skip");
  await outboxMoved(false);
  // A page that was killed with a finger down has made a mark.
  for (const { id, state } of entries.values()) if (state === "pressed") outbox.release(id).catch(() => {});
  outbox.on(frame.refresh);
  net.changed.on(frame.refresh);
  sessionRows.changed.on(frame.refresh);
  addEventListener("hashchange", () => {
    const found = takeSecret();
    if (found) enter(found);
    else navigate();
  });
  wide.addEventListener("change", frame.layOut);
  events.on(({ type, data }) => {
    if (type === "state" || data.kind === "queue" || data.kind === "journal") return;
    if (data.kind === "session" || (type === "reset" && !data.handle)) sessionRows.refresh();
    else sessionRows.later();
  });
  const arrive = () => {
    if (document.hidden) return events.stop();
    events.start();
    pauseUntil = 0;
    outbox.drain();
    rescueRecordings();
  };
  addEventListener("visibilitychange", arrive);
  addEventListener("online", () => (identify().catch(() => {}), outbox.drain(true)));
  addEventListener("offline", () => net.set(false));
  history.scrollRestoration = "manual";
  keys.bind({
    "/": () => (wide.matches ? document.getElementById("search").focus() : go("#/search")),
    "?": () => go("#/help"),
  });

  if (secret) await enter(secret);
  else {
    const ends = (await api.kept(""))?.body.token?.expires_at;
    if (!settings.get(OWNER) || Date.parse(ends) <= Date.now()) await forgetKept().catch(() => {});
    const before = await api.kept(""), asked = identify();
    // It may not be ours any more.
    if (before) await Promise.race([asked.catch(() => {}), new Promise((done) => setTimeout(done, SECOND))]);
    if (before && isOurs(before) && document.body.dataset.state === "starting") {
      me.take(before.body);
      show();
    }
    await asked.catch((error) => error.status !== 401 && !before && unreachable(error));
  }
  rescueRecordings();
  outbox.drain();
  registerWorker().catch(() => {});
}

async function rescueRecordings() {
  if (![...entries.values()].some(({ id, state }) => state === "recording" && !recordings.has(id))) return;
  (await import("./delivery.js")).finishCutRecordings();
}

function unreachable(error) {
  document.body.dataset.state = "signed-out";
  frame.main.replaceChildren(emptyState("warning", t("unreachable-title"), `${problemText(error)} ${t("unreachable")}`,
    h("button.primary", { onclick: () => location.reload() }, t("retry"))));
}

boot();

/** What was made here and is not yet known to be at the server. writing.js writes into it, deliver.js sends it. */
import { MINUTE, SECOND, signal, withLock } from "../base/flow.js";
import { net } from "./api.js";
import { me } from "./identity.js";
import { channel, settings } from "./settings.js";
import { reconnected, store } from "./store.js";

const changed = signal();
/** Told by deliver.js of each entry that has arrived; and, by a name and values, of what a person has to know. */
/** @type {Signal<[Entry, Outcome]>} */
export const delivered = signal();
/** @type {Signal<[string, any?]>} */
export const news = signal();
/**
 * A copy of the table, for counts and views, and for deliver.js.
 * @type {Map<string, Entry>}
 */
export let entries = new Map();
let pauseUntil = 0, networkTries = 0;
/** @type {Timer} */
let drainTimer;
/** @type {Promise<void> | undefined} */
let draining;
/** @type {boolean | "all"} */
let drainAgain = false;

/**
 * How long (ms) an entry rests after so many tries.
 * @param {number} tries
 */
export const retryDelay = (tries) => Math.min(5 * MINUTE, SECOND * 2 ** Math.max(0, tries - 1));
/** @type {(id: string) => KeyRange} */
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
  changed.tell();
}

/**
 * What somebody else wrote waits for them.
 * @param {Entry} entry
 */
export const isMine = ({ by }) => !by || by.person === me.person;

/**
 * What was made here and has no acknowledgement yet. An entry is deleted only after an answer of our server, so a kill
 * at any moment repeats at most a request, which the server knows by its ULID. `body` is the record as it is wanted,
 * `sent` the record as it was first sent: what differs follows as a PATCH, because another body under one id would be a
 * conflict.
 * @type {Outbox}
 */
export const outbox = {
  on: changed.on,
  onDelivered: delivered.on,
  all: () => [...entries.values()].filter((entry) => !entry.undone && entry.state !== "pressed"),
  of: (sessionID) => outbox.all().filter((entry) => isMine(entry) && (entry.session.id === sessionID
    || entry.session.handle === sessionID)),
  get: (id) => entries.get(id),
  get counts() {
    const count = (/** @type {EntryState} */ state) => [...entries.values()]
      .filter((entry) => entry.state === state).length;
    const waiting = [...entries.values()].filter((entry) => entry.state !== "at-server");
    return { waiting: count("waiting") + count("recording"), needsYou: count("needs-you"), atServer: count("at-server"),
      oldest: waiting.length ? Math.min(...waiting.map((entry) => entry.made)) : undefined };
  },

  /** Sends what is due now, however long it should have waited. */
  resume() {
    pauseUntil = 0;
    return outbox.drain();
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
      const { deliverDue } = await import("./deliver.js");
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

/**
 * After the browser's storage was cleared under an open page: what the page knows is kept once more.
 * @param {Entry[]} lost
 */
async function rescue(lost) {
  for (const key of settings.names()) await store.put("settings", { key, value: settings.get(key) }).catch(() => {});
  for (const entry of lost) await store.put("outbox", entry).catch(() => store.hold("outbox", entry));
  news.tell("storage-cleared", { spoken: lost.some(({ kind }) => kind === "voice_note") });
}

let saidNoStorage = false;

export function sayNoStorage() {
  if (!saidNoStorage) news.tell("no-storage");
  saidNoStorage = true;
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

reconnected.on(() => outboxMoved());
net.regained.on(() => outbox.resume());
channel.on(({ type }) => type === "outbox" && outboxMoved(false));

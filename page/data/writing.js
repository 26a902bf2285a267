/** Writing into the outbox. */
import { clock } from "../base/flow.js";
import { texts } from "../base/words.js";
import { me } from "./identity.js";
import { entries, news, outbox, outboxMoved, piecesOf, sayNoStorage } from "./outbox.js";
import { settings } from "./settings.js";
import { store } from "./store.js";

const writer = () => ({ person: me.person, name: me.name });

/**
 * Changes what is in the outbox: on disk first, then for all that show it.
 * @type {Writing}
 */
export const writing = {
  /**
   * Resolves to true once the entry is on disk; to false if only memory has it, which was then said aloud.
   * `rest`: how long (ms) it can be taken back before it is sent.
   */
  async add({ id, kind, session, body, audio, state = "waiting", rest }) {
    const now = new Date(clock.now()).toISOString();
    /** @type {Record<string, object>} */
    const usual = { marker: { created_at: now, source: "user" }, voice_note: { created_at: now } };
    const filled = { ...usual[kind], ...body };
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
  release: (id) => writing.update(id, (entry) => ({ ...entry, state: "waiting" })),

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

  /** Makes marks of presses whose page was killed. */
  rescuePresses() {
    for (const { id, state } of entries.values()) if (state === "pressed") writing.release(id).catch(() => {});
  },

  /** Makes notes of recordings whose page was killed. */
  async rescueRecordings() {
    if (![...entries.values()].some(({ id, state }) => state === "recording" && !recordings.has(id))) return;
    (await import("./deliver.js")).finishCutRecordings();
  },
};

/**
 * Writes to disk, if need be in the place of what was kept for reading; what the disk refuses is held in memory, and
 * that is said.
 * @param {Table} table
 * @param {any} value
 */
async function keepOrHold(table, value) {
  let isFull;
  const lasting = await store.put(table, value).catch(async (error) => {
    isFull = error.name === "QuotaExceededError";
    await store.clear("kept").catch(() => {});
    return store.put(table, value);
  }).catch(() => {
    store.hold(table, value);
    return null;
  });
  if (lasting === null) news.tell("not-kept", { isFull });
  if (lasting === false) sayNoStorage();
  return Boolean(lasting);
}

function registerSync() {
  navigator.serviceWorker?.ready.then((registration) => registration.sync?.register("trace-outbox")).catch(() => {});
}

// A recording holds a lock as long as its page lives, so that another page sees which ones were cut off.
/** @type {Map<string, (value?: unknown) => void>} */
const recordings = new Map();
/** @param {string} id */
function holdRecording(id) {
  navigator.locks?.request(`trace-recording-${id}`, () => new Promise((release) => recordings.set(id, release)));
}

texts({
  "audio-gone": "The recording is no longer on this device.",
});

/**
 * Delivers the outbox. Loaded when there is something to send. Every step may be repeated: the server knows a record by
 * its ULID, and an entry goes only after an answer of our server gives its outcome.
 */
import { MINUTE, withLock } from "../base/flow.js";
import { t } from "../base/words.js";
import { api, ApiError, problemText } from "./api.js";
import { me } from "./identity.js";
import { delivered, entries, isMine, news, outboxMoved, piecesOf, retryDelay } from "./outbox.js";
import { store } from "./store.js";
import { placeOf, sendAudio, typeOf } from "./upload.js";
import { writing } from "./writing.js";

const BATCH = 200, BATCH_FROM = 10; // entries; the server takes 200 at once
const REMOVAL = "marker.remove"; // known to this page alone: it is a request, and no entry of the queue
const NAMED = ["label", "note", "tags", "offset_ms", "duration_ms"]; // what may change after it was sent

/**
 * Sends what is due, oldest first, or all that waits. Throws when there is no use in going on now; true: look again at
 * once.
 * @param {boolean} all
 */
export async function deliverDue(all) {
  /** @type {Gone} */
  const gone = [];
  let again = false;
  try {
    await outboxMoved(false);
    const due = dueOf([...entries.values()].filter((entry) => isMine(entry)
      && (entry.state === "waiting" || entry.state === "at-server")), all);
    const plain = due.filter(({ kind, undone, session, body, sent }) =>
      kind === "marker" && !undone && session.id && (sent ?? body).offset_ms !== undefined);
    const batched = plain.length >= BATCH_FROM ? plain : [];
    for (let from = 0; from < batched.length; from += BATCH) again =
      (await deliverBatch(batched.slice(from, from + BATCH), gone)) || again;
    for (const entry of due) if (!batched.includes(entry)) again = (await deliver(entry, gone)) || again;
    return again;
  } finally {
    await outboxMoved();
    tellGone(gone);
  }
}

/**
 * The entries whose rest is over, and those before them in their journals: else a later one would be written first.
 * Only a recording, which may be long and fail again and again, holds up nothing, and nothing brings it forward.
 * @param {Entry[]} open
 * @param {boolean} all
 */
function dueOf(open, all) {
  // What can still be taken back waits, and brings nothing else forward.
  /** @param {Entry} entry */
  const rests = ({ after = 0 }) => Date.now() < after;
  /** @param {Entry} entry */
  const isDue = (entry) => !rests(entry) && (all || Date.now() >= entry.last + (entry.last && retryDelay(entry.tries)));
  const lastDue = new Map(open.filter(isDue).map(({ id, session }) => [session.id ?? session.handle, id]));
  return open.filter((entry) => isDue(entry) || (!rests(entry) && entry.state === "waiting"
    && entry.kind !== "voice_note"
    && entry.id < (lastDue.get(entry.session.id ?? entry.session.handle) ?? "")));
}

/**
 * Notes on disk what is about to be sent, so that others that change or remove the entry know. Undefined if it is gone.
 * @type {(id: string) => Promise<Entry | undefined>}
 */
const claim = (id) => store.change("outbox", id, (entry) => ({
  ...entry, sent: entry.sent ?? structuredClone(entry.body), tries: entry.tries + 1, last: Date.now(),
}));

/** @param {Entry} entry */
const spoolEntry = ({ id, kind, session, sent }) => ({
  id, kind, session_id: session.id, created_at: sent.created_at, device: me.name, payload: { id, ...sent },
});

/**
 * @param {Entry[]} batch
 * @param {Gone} gone
 */
async function deliverBatch(batch, gone) {
  const all = await Promise.all(batch.map(({ id }) => claim(id)));
  const claimed = /** @type {Entry[]} */ (all.filter(Boolean));
  const lines = claimed.map((entry) => `${JSON.stringify(spoolEntry(entry))}\n`).join("");
  let answer;
  try {
    answer = await api.send("POST", "queue", lines, { type: "application/jsonl", as: "text", timeout: 2 * MINUTE });
  } catch (/** @type {any} */ error) {
    if (![400, 404, 413, 422].includes(error.status)) throw error;
    // One of them is at fault: each for itself, so that it holds up no other.
    for (const entry of batch) await deliver(entry, gone);
    return false;
  }
  const outcomes = new Map();
  for (const line of answer.body.split("\n").filter(Boolean)) {
    const outcome = JSON.parse(line);
    outcomes.set(outcome.id, outcome);
  }
  let again = false;
  for (const entry of claimed) {
    const outcome = outcomes.get(entry.id);
    if (outcome) again = (await settle(entry, outcome, gone).catch((error) => note(entry.id, error))) || again;
  }
  return again;
}

/**
 * @param {Entry} one
 * @param {Gone} gone
 * @returns {Promise<boolean>}
 */
async function deliver({ id }, gone) {
  const entry = await claim(id);
  if (!entry) return false;
  try {
    if (entry.undone) return await takeBack(entry);
    if (entry.kind === REMOVAL) return await remove(entry);
    let answer = await send(entry);
    if (!answer.body?.result || (answer.body.id ?? id) !== id) throw new ApiError(answer.status, "not-ours",
      { detail: t("not-ours") });
    if (entry.kind === "voice_note" && answer.status === 202 && !entry.audioSent) answer = await sendAudio(entry);
    return await settle(entry, answer.body ?? { result: answer.status === 202 ? "waiting" : "applied" }, gone);
  } catch (/** @type {any} */ error) {
    if (!(error instanceof ApiError) || error.offline || error.status === 401 || error.status === 429) throw error;
    if (error.status === 410) return settle(entry, { result: error.code }, gone);
    const refused = [409, 415, 422].includes(error.status) && !["upload-in-progress",
      "offset-differs"].includes(error.code);
    if (refused) return settle(entry, { result: "rejected", reason: problemText(error) }, gone);
    return note(id, error);
  }
}

/**
 * Removes at the server what was sent and then taken back. The server may have it without knowing whose it is, when
 * its disk was full or it was killed: then it is sent again, and asked again.
 * @param {Entry} entry
 */
async function takeBack(entry) {
  const remove = () => api.send("DELETE", placeOf(entry)).catch((error) => {
    // An entry may wait there for a session that is away.
    if (error.code === "no-such-session" && entry.result) throw error;
    if (error.status !== 404 && error.status !== 410) throw error;
  });
  /** @param {any} error */
  const isForeign = (error) => error.code === "not-yours";
  await remove().catch(async (error) => {
    if (!isForeign(error)) throw error;
    await send(entry);
    await remove().catch((second) => {
      if (!isForeign(second)) throw second;
      news.tell("refused", { error: second });
    });
  });
  await forget(entry.id);
  return false;
}

/**
 * Removes a marker of the session. Voice notes that refer to it stay, which was said when it was pressed.
 * @param {Entry} entry
 */
async function remove({ id, session, body }) {
  const place = `sessions/${encodeURIComponent(session.handle)}/markers/${body.record_id}`;
  await api.send("DELETE", place, undefined, { query: { force: true } }).catch((error) => {
    if (error.status === 403) throw new ApiError(422, error.code, error.body);
    if (error.status !== 404 && error.status !== 410) throw error;
  });
  await forget(id);
  return false;
}

/**
 * A write into another kind of journal, at the time of its press.
 * @param {Entry} entry
 */
const journalEntry = ({ id, kind, session, sent, made, difference }) => ({
  id, kind, journal_id: session.id, created_at: new Date(made + difference).toISOString(), device: me.name,
    payload: sent,
});

/**
 * @param {Entry} entry
 * @returns {Promise<Answered<any>>}
 */
async function send(entry) {
  if (entry.session.what) return api.send("PUT", `queue/${entry.id}`, journalEntry(entry));
  const attachment = entry.kind === "voice_note" && { attachment: { size: entry.audio?.size, type: typeOf(entry) } };
  try {
    return await api.send("PUT", placeOf(entry), { ...entry.sent, ...attachment });
  } catch (/** @type {any} */ error) {
    // The session is not where it was, or its disk is away: the queue keeps the record until it is back.
    if (error.status !== 404 || entry.kind !== "marker" || entry.sent.offset_ms === undefined
      || !entry.session.id) throw error;
    return api.send("PUT", `queue/${entry.id}`, spoolEntry(entry));
  }
}

/**
 * Does with an entry what its outcome asks for; true if there is more to send of it.
 * @param {Entry} entry
 * @param {Outcome} outcome
 * @param {Gone} gone
 * @returns {Promise<boolean>}
 */
async function settle(entry, { result, reason, warnings, record }, gone) {
  const { id } = entry;
  if (result === "applied" || result === "already-applied") {
    await sendChanges(entry);
    // A change in between is seen in the next round.
    const left = await store.change("outbox", id, (now) => (changes(now) || now.undone ? { ...now, last: 0 } : null));
    if (!left) await forget(id);
    delivered.tell(entry, { result, record, warnings });
    return Boolean(left);
  }
  if (result === "waiting") {
    // From here on the server sees to it. It is asked now and then, so that the page can say when it is done.
    await store.change("outbox", id,
      (now) => ({ ...now, state: "at-server", problem: undefined, result: { reason }, tries: Math.max(now.tries, 8) }));
    await store.del("pieces", piecesOf(id));
  } else if (["removed", "dropped", "record-vanished"].includes(result)) {
    await forget(id);
    gone.push({ entry, result });
  } else if (result === "failed") {
    await store.change("outbox", id, (now) => ({ ...now, problem: reason }));
  } else {
    await store.change("outbox", id, (now) => ({ ...now, state: "needs-you", problem: reason }));
    gone.push({ entry, result: "needs-you" });
  }
  return false;
}

/**
 * @param {string} id
 * @param {unknown} error
 */
async function note(id, error) {
  await store.change("outbox", id, (now) => ({ ...now, problem: problemText(error) }));
  return false;
}

/**
 * What was changed since the record was first sent, as a merge patch; undefined if nothing was.
 * @param {Entry} entry
 */
function changes({ body, sent, kind }) {
  if (kind !== "marker" || !sent) return undefined;
  const changed = NAMED.filter((key) => JSON.stringify(body[key]) !== JSON.stringify(sent[key]));
  return changed.length ? Object.fromEntries(changed.map((key) => [key, body[key] ?? null])) : undefined;
}

/** @param {Entry} entry */
async function sendChanges(entry) {
  const now = await store.get("outbox", entry.id);
  const patch = now && !now.undone && changes(now);
  if (!patch) return;
  const { etag } = await api.get(placeOf(entry));
  await api.send("PATCH", placeOf(entry), patch, { headers: { "If-Match": etag ?? "" } });
  await store.change("outbox", entry.id, (later) => ({ ...later, sent: now.body }));
}

/** @param {string} id */
async function forget(id) {
  await store.del("outbox", id);
  await store.del("pieces", piecesOf(id));
}

/**
 * Reports once the outcome of entries that are not in their session now.
 * @param {Gone} gone
 */
function tellGone(gone) {
  const removed = gone.filter(({ result }) => result === "removed" || result === "dropped");
  if (removed.length) news.tell("removed", { n: removed.length });
  for (const { entry } of gone.filter(({ result }) => result === "record-vanished")) news.tell("vanished", { entry });
  const refused = gone.filter(({ result }) => result === "needs-you");
  if (refused.length) news.tell("needs-you", { n: refused.length });
}

/** Makes voice notes of recordings whose page was killed, as far as their pieces reach. */
export async function finishCutRecordings() {
  for (const { id, audio } of [...entries.values()].filter(({ state }) => state === "recording")) {
    await withLock(`trace-recording-${id}`, { ifAvailable: true }, async (lock) => {
      if (!lock) return;
      const pieces = await store.all("pieces", piecesOf(id));
      if (!pieces.length) return void (await writing.remove(id));
      const size = pieces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
      await writing.finish(id, { duration_ms: pieces.length * 1000, size, type: audio?.type });
      news.tell("rescued");
    });
  }
}

/** What this browser keeps: a database, and memory where there is none. */
import { SECOND, signal, within } from "../base/flow.js";

/** Told when what only memory had has gone to a new connection. */
export const reconnected = signal();

/** @type {Record<Table, string | string[]>} */
const TABLES = { outbox: "id", pieces: ["id", "number"], kept: "address", settings: "key" };
/** @type {Record<string, Map<string, any>>} */
const held =
  Object.fromEntries(Object.keys(TABLES).map((table) => [table, new Map()])); // what IndexedDB could not take
/** @type {(table: Table, value: any) => any[]} */
const keyOf = (table, value) => [TABLES[table]].flat().map((part) => value[part]);
/** @param {any} key */
const keyText = (key) => JSON.stringify([key].flat());
/** @type {Promise<IDBDatabase | null> | undefined} */
let database;
let hangs = false;
/** @type {Set<(error: unknown) => void>} */
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
        if (isLate) database?.then((db) => void (db || (database = Promise.resolve(opening.result), keepHeld())));
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
  setTimeout(async () => (await keepHeld(), reconnected.tell()), 500);
}

/** Writes to disk what only memory has, once there is a disk again. */
async function keepHeld() {
  for (const table of Object.keys(TABLES)) {
    for (const value of [...held[table].values()]) await store.put(/** @type {Table} */ (table), value).catch(() => {});
  }
}

// A connection that the browser has lost: closed, or its process was killed (WebKit).
/** @param {any} error */
const isLost = (error) => ["InvalidStateError", "UnknownError"].includes(error?.name);

/**
 * Runs `work(objectStore)` in one transaction; resolves to the result of its request once the transaction is on disk.
 * @param {Table} table
 * @param {IDBTransactionMode} mode
 * @param {(objects: IDBObjectStore) => any} work
 * @param {boolean} [again]
 * @returns {Promise<any>}
 */
async function transact(table, mode, work, again = true) {
  const db = await openDatabase();
  if (!db) return undefined;
  /** @type {(error: unknown) => void} */
  let fail = () => {};
  const done = new Promise((resolve, reject) => {
    underWay.add(fail = reject);
    const transaction = db.transaction(table, mode, { durability: "strict" });
    const request = work(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  }).finally(() => underWay.delete(fail));
  try {
    return await within(4 * SECOND, done, new DOMException("slow", "TimeoutError"));
  } catch (/** @type {any} */ error) {
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
 * @type {Store}
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
    await transact(table, "readwrite", (objects) => objects.delete(/** @type {any} */ (key)));
  },
  async clear(table) {
    held[table].clear();
    await transact(table, "readwrite", (objects) => objects.clear());
  },
  async all(table, range) {
    const kept = (await transact(table, "readonly", (objects) => objects.getAll(/** @type {any} */ (range)))) ?? [];
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
      objects.get(key).onsuccess = (/** @type {any} */ { target }) => {
        changed = target.result && fn(target.result);
        if (changed === null) objects.delete(key);
        else if (changed) objects.put(changed);
      };
    });
    return changed;
  },
};

/**
 * Whether a key, or a range of keys, includes the key of a value.
 * @param {any} key
 * @param {any[]} parts
 */
function covers(key, parts) {
  if (!key) return true;
  return key.includes && !Array.isArray(key) && typeof key !== "string"
    ? key.includes(parts.length > 1 ? parts : parts[0]) : keyText(key) === keyText(parts);
}

/* global SHELL */
// The server puts `const SHELL = {version, files: {name: SHA-256 in hexadecimal}}` in front of this file; the page
// itself is "./".
const shell = typeof SHELL === "undefined" ? null : SHELL;
const CACHE = `shell-${shell?.version}`;

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const keyOf = (name, hash) => new URL(`${name}?sha256=${hash}`, registration.scope).href;

/**
 * Takes over what an older shell has of the same bytes; loads the rest, and refuses what is not what the server
 * announced.
 */
async function keep(cache, name, hash) {
  const key = keyOf(name, hash);
  const known = await caches.match(key);
  if (known) return cache.put(key, known);
  const response = await fetch(new URL(name, registration.scope), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const found = hex(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  if (!found.startsWith(hash)) throw new Error(`${name} has changed meanwhile`);
  return cache.put(key, response);
}

addEventListener("install", (event) => {
  if (!shell) return;
  // A few at a time, since the page that is open asks for things, too.
  const left = Object.entries(shell.files);
  const work = async (cache) => {
    for (let file; (file = left.shift());) await keep(cache, ...file);
  };
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(Array.from({ length: 4 }, () => work(cache)))));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => {
    const others = names.filter((name) => name.startsWith("shell-") && name !== CACHE);
    // The very first: the pages that are open have this shell, and may need the rest of it without a network.
    return Promise.all([...others.map((name) => caches.delete(name)), others.length || clients.claim()]);
  }));
});

addEventListener("message", ({ data }) => {
  if (data?.type === "activate") skipWaiting();
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const scope = new URL(registration.scope), url = new URL(request.url);
  if (!shell || request.method !== "GET" || url.origin !== scope.origin || request.headers.has("Range")) return;
  if (!url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length) || "./";
  const hash = shell.files[name];
  if (!hash) return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(keyOf(name, hash))).then((kept) => kept
    ?? fetch(request)));
});

// MARK: Background Sync, where a browser has it: the page may be closed when the network comes back

const finished = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Undefined where there is none: the page makes the tables. */
async function openOutbox() {
  const opening = indexedDB.open("trace", 1);
  let isNew = false;
  opening.onupgradeneeded = () => {
    isNew = true;
    opening.transaction.abort();
  };
  return finished(opening).catch((error) => {
    if (!isNew) throw error;
  });
}

function change(db, id, fn) {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction("outbox", "readwrite", { durability: "strict" }),
      outbox = transaction.objectStore("outbox");
    let changed;
    outbox.get(id).onsuccess = ({ target }) => {
      changed = target.result && fn(target.result);
      if (changed === null) outbox.delete(id);
      else if (changed) outbox.put(changed);
    };
    transaction.oncomplete = () => resolve(changed);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Sends markers that wait, up to 200. Everything else, and whatever is not simply written, is left to the page. */
async function sendMarkers() {
  const db = await openOutbox();
  if (!db) return;
  const all = await finished(db.transaction("outbox").objectStore("outbox").getAll());
  const person = (await finished(db.transaction("settings").objectStore("settings").get("person")))?.value;
  const plain = all.filter(({ kind, state, undone, session, body, by }) =>
    (!by || by.person === person) && kind === "marker"
      && state === "waiting" && !undone && session.id && body.offset_ms !== undefined).slice(0, 200);
  if (!plain.length) return;
  const claimed = [];
  for (const { id } of plain) {
    const entry =
      await change(db, id, (now) => ({ ...now, sent: now.sent ?? now.body, tries: now.tries + 1, last: Date.now() }));
    if (entry) claimed.push(entry);
  }
  const lines = claimed.map(({ id, kind, session, sent }) =>
    `${JSON.stringify({ id, kind, session_id: session.id, created_at: sent.created_at, payload: { id, ...sent } })}\n`);
  const response = await fetch(new URL("api/v1/queue", registration.scope), {
    method: "POST", body: lines.join(""), headers: { "Content-Type": "application/jsonl" }, credentials: "same-origin",
  });
  if (!response.ok || !response.headers.get("Trace-Time")) throw new Error("not delivered");
  for (const line of (await response.text()).split("\n").filter(Boolean)) {
    const { id, result } = JSON.parse(line);
    if (result !== "applied" && result !== "already-applied") continue;
    await change(db, id, (now) => (now.undone || JSON.stringify(now.body) !== JSON.stringify(now.sent) ? undefined
      : null));
  }
  db.close();
}

addEventListener("sync", (event) => {
  if (event.tag !== "trace-outbox") return;
  event.waitUntil(clients.matchAll().then((pages) =>
    (pages.length ? pages.forEach((page) => page.postMessage({ type: "drain" }))
      : navigator.locks.request("trace-drain", sendMarkers))));
});

/* global SHELL */
// The server puts `const SHELL = {version, files: {name: SHA-256 in hexadecimal}}` in front of this file; the page itself is "./".
const shell = typeof SHELL === "undefined" ? null : SHELL;
const CACHE = `shell-${shell?.version}`;
const KEPT_AUDIO = "kept-audio"; // the page's own, never ours to delete

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const keyOf = (name, hash) => new URL(`${name}?sha256=${hash}`, registration.scope).href;

/** Takes over what an older shell has of the same bytes; loads the rest, and refuses what is not what the server announced. */
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
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(Object.entries(shell.files).map(([name, hash]) => keep(cache, name, hash)))));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith("shell-") && name !== CACHE).map((name) => caches.delete(name)))));
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
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(keyOf(name, hash))).then((kept) => kept ?? fetch(request)));
});

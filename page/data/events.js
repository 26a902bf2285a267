/** What the server tells by itself. */
import { SECOND, signal, withLock } from "../base/flow.js";
import { api, href, net } from "./api.js";
import { me } from "./identity.js";
import { entries, outbox } from "./outbox.js";
import { channel } from "./settings.js";
import { store } from "./store.js";

/** @type {Signal<[Told]>} */
const told = signal();
/** @type {EventSource | undefined} */
let stream;
/** @type {string[]} */
let streamHandles = [];
/** @type {((value?: unknown) => void) | undefined} */
let releaseStream;
/** @type {Timer} */
let streamTimer;
let leaderHeard = false;
/** @type {Map<string, number>} */
const watching = new Map(); // handle → how many views of this tab watch it
/** @type {Map<string, string[]>} */
const watchingElsewhere = new Map(); // tab → handles

/**
 * What the server tells by itself. One visible tab holds the stream and passes it on; without Web Locks each visible
 * tab has its own. After each gap there is a `reset`.
 * @type {Events}
 */
export const events = {
  on: told.on,
  watch(handle) {
    watching.set(handle, (watching.get(handle) ?? 0) + 1);
    events.want();
    return () => {
      const left = (watching.get(handle) ?? 1) - 1;
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

/**
 * After a new connection anything may have been missed.
 * @param {boolean} live
 */
function setLive(live) {
  if (net.live === live) return;
  net.live = live;
  net.changed.tell();
  told.tell({ type: "state", data: { connected: live } });
  if (live) told.tell({ type: "reset", data: {} });
}

/** @param {Told} event */
function passOn(event) {
  if (navigator.locks) channel.post({ type: "event", event });
  receive(event);
}

/** @param {Told} event */
function receive(event) {
  if (event.type === "state") return releaseStream && setLive(event.data.connected);
  if (event.type === "watch" && event.data.kind === "queue") recheckAtServer(event.data.id);
  told.tell(event);
}

/**
 * An entry that waits at the server is asked after as soon as the server reports a result.
 * @param {string} id
 */
function recheckAtServer(id) {
  const entry = entries.get(id);
  if (entry?.state !== "at-server") return;
  store.change("outbox", id, (now) => ({ ...now, last: 0 })).then(() => outbox.drain());
}

function connectStream() {
  const handles = [...new Set([...watching.keys(), ...[...watchingElsewhere.values()].flat()])].slice(0, 4).sort();
  if (stream && `${streamHandles}` === `${handles}` && stream.readyState < 2) return;
  let before = stream;
  // Nor is it held any longer, with the one before it, and so on.
  const endBefore = () => { before = void before?.close(); };
  let fresh = before ? handles.filter((handle) => !streamHandles.includes(handle)) : [];
  streamHandles = handles;
  const source = stream = new EventSource(href("events", { session: handles }));
  source.onopen = () => {
    endBefore();
    net.set(true);
    passOn({ type: "state", data: { connected: true } });
    for (const handle of fresh) passOn({ type: "reset", data: { handle } });
    fresh = [];
  };
  source.onerror = () => {
    endBefore();
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

channel.on((data) => {
  if (data.type === "event") {
    leaderHeard = true;
    receive(data.event);
  } else if (data.type === "who" && releaseStream) {
    channel.post({ type: "watching", handles: [...watching.keys()] });
    const event = { type: "state", data: { connected: net.live } };
    if (stream && navigator.locks) channel.post({ type: "event", event });
  } else if (data.type === "watching") {
    watchingElsewhere.set(data.tab, data.handles);
    if (stream) connectStream();
  }
});

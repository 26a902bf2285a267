/** Begins: whose page it is, which view the address names, and what is loaded for it. */
import { h } from "./base/dom.js";
import { reload, SECOND, within } from "./base/flow.js";
import { knows, t, texts } from "./base/words.js";
import { api, net, problemText } from "./data/api.js";
import { events } from "./data/events.js";
import { forgetKept, isOurs, me, OWNER, tokenLost } from "./data/identity.js";
import { entries, outbox, outboxMoved, sayNoStorage } from "./data/outbox.js";
import { settings } from "./data/settings.js";
import { store } from "./data/store.js";
import { frame, go, route, wide } from "./ui/frame.js";
import { emptyState, toast } from "./ui/say.js";
import { homeView } from "./sessions/home.js";
import { markCurrent, sessionRows, sessionsList, titleOf } from "./sessions/list.js";

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

// MARK: Views

/** The module of each view, and what it imports beyond the first view: all of them are asked for at once. */
const VIEWS = {
  s: "sessions/view.js data/drafts.js data/kept-audio.js data/overlay.js ui/drawings.js ui/keys.js " +
    "play/lock-screen.js play/peaks.js play/picture.js play/player.js play/waveform.js sessions/bar.js " +
    "sessions/left-open.js sessions/marker-list.js sessions/markers.js sessions/marking.js " +
    "sessions/row.js sessions/speak.js sessions/stage.js",
  live: "sessions/room.js data/drafts.js ui/days.js ui/drawings.js ui/keys.js sessions/left-open.js " +
    "sessions/markers.js sessions/marking.js sessions/speak.js",
  journals: "journals/registry.js data/kinds.js ui/days.js ui/drawings.js ui/findings.js ui/parts.js " +
    "journals/journal.js journals/list.js journals/record.js",
  day: "journals/day.js data/kinds.js ui/days.js ui/drawings.js ui/parts.js journals/record.js",
  search: "more/search.js ui/days.js ui/drawings.js ui/parts.js",
  at: "more/at.js ui/days.js ui/drawings.js ui/parts.js",
  problems: "more/problems.js ui/drawings.js ui/findings.js ui/parts.js",
  outbox: "more/outbox.js data/drafts.js ui/days.js ui/dialog.js ui/drawings.js ui/form.js ui/parts.js " +
    "more/entries.js",
  settings: "more/settings.js data/drafts.js data/kept-audio.js ui/days.js ui/dialog.js ui/drawings.js ui/form.js " +
    "ui/parts.js more/entries.js more/key-table.js more/server.js more/sign-in.js",
  help: "more/help.js ui/drawings.js ui/parts.js more/key-table.js",
};

let view, viewKey, opening = 0;
const scrolled = new Map(); // how far down a view was left

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

/** The style that all views but the first share. */
let shared;
function loadShared() {
  shared ??= new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "views.css", onload: done, onerror: done }));
  });
  return shared;
}

async function load(name) {
  const [module, ...others] = VIEWS[name].split(" ");
  for (const href of others) {
    const isThere = document.querySelector(`link[href="${href}"]`);
    if (!isThere) document.head.append(h("link", { rel: "modulepreload", href }));
  }
  return (await Promise.all([import(`./${module}`), loadShared()]))[0].open;
}

function destination([first = "", handle, third]) {
  if (!first) return { key: "", load: () => homeView };
  if (first === "s" && handle) {
    const isLive = third === "live";
    return { key: `s/${handle}${isLive ? "/live" : ""}`, handle, load: () => load(isLive ? "live" : "s") };
  }
  if (["s", "live"].includes(first) || !Object.hasOwn(VIEWS, first)) return { key: "?", load: () => notFoundView };
  return { key: first === "journals" && handle ? `journals/${handle}` : first, load: () => load(first) };
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
  frame.title(row ? titleOf(row) : t(knows(key) ? key : "app"), { back: key ? "#/" : undefined });
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

// MARK: Who is here

async function identify() {
  const { body, stale } = await api.get("", { keep: true });
  me.take(body);
  if (!stale) events.start();
  if (document.body.dataset.state !== "ready") show();
}

/** The token counts no longer. What waits in the outbox stays, and that is said. */
async function signedOut(message) {
  if (!me.signedIn && !message && document.body.dataset.state === "signed-out") return;
  const was = me.signedIn || message;
  me.signedIn = false;
  document.body.dataset.state = "signed-out";
  events.stop();
  closeView();
  await forgetKept();
  const n = outbox.counts.waiting;
  const { showSignIn } = await import("./more/sign-in.js");
  showSignIn(message ?? (n ? t("signed-out-kept", { n }) : was ? t("signed-out") : ""), signedIn);
}

/** Signs in by the secret of an address. What can't be used leaves a device that is signed in as it was. */
async function enter([, kind, value]) {
  const { exchange } = await import("./more/sign-in.js");
  const wasIn = me.signedIn, before = await api.kept("");
  const problem = await exchange(kind, value, signedIn);
  if (!problem && !before) return undefined;
  if (!problem) return reload();
  if (wasIn) navigate();
  else await identify().catch(() => {});
  return me.signedIn ? toast(problem, { kind: "bad" }) : signedOut(problem);
}

async function signedIn() {
  await identify();
  outbox.drain(true);
}

// MARK: Boot

/** By the request of the list itself, which is so kept for times without a network. */
async function lookForJournals() {
  const kind = await (await import("./data/kinds.js")).kindsWithPages();
  frame.hasJournals = kind[0]
    && (await api.get("journals", { query: { kind, limit: 1000 }, keep: true })).body.length > 0;
  frame.refresh();
}

function show() {
  document.body.dataset.state = "ready";
  frame.build();
  const only = [...(me.sessions ?? []).map((id) => `#/s/${id}`),
    ...(me.journals ?? []).map((id) => `#/journals/${id}`)];
  if (me.filtered && only.length === 1 && !location.hash.slice(2)) history.replaceState(null, "", only[0]);
  viewKey = undefined;
  navigate();
  sessionRows.start();
  lookForJournals().catch(() => {});
  if (settings.names().some((key) => key.startsWith("draft."))) {
    import("./ui/form.js").then(({ offerDraft }) => offerDraft(), () => {});
  }
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
  frame.list = sessionsList;
  tokenLost.on(signedOut);
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
    outbox.resume();
    outbox.rescue();
  };
  addEventListener("visibilitychange", arrive);
  addEventListener("online", () => (identify().catch(() => {}), outbox.drain(true)));
  addEventListener("offline", () => net.set(false));
  history.scrollRestoration = "manual";
  import("./ui/keys.js").then(({ keys }) => keys.bind({
    "/": () => (wide.matches ? document.getElementById("search").focus() : go("#/search")),
    "?": () => go("#/help"),
  })).catch(() => {});

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
  outbox.rescue();
  outbox.drain();
  import("./ui/update.js").then(({ registerWorker }) => registerWorker()).catch(() => {});
}

function unreachable(error) {
  document.body.dataset.state = "signed-out";
  frame.main.replaceChildren(emptyState("warning", t("unreachable-title"), `${problemText(error)} ${t("unreachable")}`,
    h("button.primary", { onclick: () => location.reload() }, t("retry"))));
}

boot();

texts({
  "skip": "Skip to the content",
  "signed-out-kept": {
    one: "You were signed out. {n} entry is still kept on this device and will be sent once you have signed in.",
    other: "You were signed out. {n} entries are still kept on this device and will be sent once you have signed in.",
  },
  "signed-out": "You were signed out. Pair this device again.",
  "unreachable-title": "The server can’t be reached",
  "unreachable": "This device has not been here before, so there is nothing to show yet.",
});

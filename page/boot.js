/** Begins: whose page it is, which view the address names, and what is loaded for it. */
import { h, styled } from "./base/dom.js";
import { reload, SECOND } from "./base/flow.js";
import { knows, t, texts } from "./base/words.js";
import { api, net, problemText } from "./data/api.js";
import { forgetKept, isOurs, me, OWNER, tokenLost } from "./data/identity.js";
import { entries, outbox, outboxMoved, sayNoStorage } from "./data/outbox.js";
import { settings } from "./data/settings.js";
import { store } from "./data/store.js";
import { frame, go, route, screens } from "./ui/frame.js";
import { come, emptyState, notCome, toast, whenCome } from "./ui/say.js";
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

/**
 * The module of each view, and what it imports beyond the first view: all of them are asked for at once.
 * @type {Record<string, string>}
 */
const VIEWS = {
  home: "sessions/home",
  s: "sessions/view base/record data/drafts data/events data/overlay data/writing ui/keys ui/shared ui/swipe " +
    "play/order play/player play/turn sessions/bar sessions/filters sessions/left-open sessions/marker-list " +
    "sessions/markers sessions/marking sessions/names sessions/row sessions/speak sessions/stage",
  live: "sessions/room base/record data/drafts data/events data/writing ui/keys ui/shared sessions/left-open " +
    "sessions/marking sessions/names sessions/speak",
  now: "sessions/now",
  journals: "journals/list base/record data/kinds ui/parts ui/shared journals/record",
  journal: "journals/registry base/record data/kinds ui/parts ui/shared journals/record",
  day: "journals/day base/record data/kinds ui/days ui/parts ui/shared journals/record",
  search: "more/search base/record ui/asking ui/days ui/parts ui/shared",
  at: "more/at base/record ui/days ui/parts ui/shared",
  problems: "more/problems base/record ui/asking ui/findings ui/parts ui/shared",
  outbox: "more/outbox base/record ui/asking ui/parts ui/shared more/words",
  settings: "more/settings base/record ui/keys ui/parts ui/shared more/key-table",
  help: "more/help base/record ui/keys ui/parts ui/shared more/key-table",
};

/** @type {View | undefined} */
let view;
/** @type {string | undefined} */
let viewKey, opening = 0;
/** @type {Map<string, number>} */
const scrolled = new Map(); // how far down a view was left

function closeView() {
  opening += 1; // A view that is still being loaded does not open any more.
  view?.close();
  view = viewKey = undefined;
}

function readRoute() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  /** @param {string} part */
  const decode = (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  };
  Object.assign(route, { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) });
}

/** @param {string | undefined} name */
function preload(name) {
  for (const module of VIEWS[name ?? ""]?.split(" ") ?? []) {
    const href = `${module}.js`, isThere = document.querySelector(`link[href="${href}"]`);
    if (!isThere) document.head.append(h("link", { rel: "modulepreload", href }));
  }
}

/** @param {string | undefined} name */
async function load(name) {
  if (!name) return notFoundView;
  preload(name);
  const [module] = VIEWS[name].split(" ", 1);
  // The style is that of all views but the first.
  return (await Promise.all([import(`./${module}.js`), name !== "home" && styled("views.css")]))[0].open;
}

/**
 * Which view an address names, if there is one.
 * @param {string[]} path
 * @returns {{ key: string, handle?: string, name?: string }}
 */
function destination([first = "", handle, third]) {
  if (!first) return { key: "", name: "home" };
  if (first === "s" && handle) {
    const isLive = third === "live";
    return { key: `s/${handle}${isLive ? "/live" : ""}`, handle, name: isLive ? "live" : "s" };
  }
  if (first === "journals" && handle) return { key: `journals/${handle}`, name: "journal" };
  if (["home", "s", "live", "journal"].includes(first) || !Object.hasOwn(VIEWS, first)) return { key: "?" };
  return { key: first, name: first };
}

async function navigate() {
  readRoute();
  if (!me.signedIn) return;
  const { key, handle, name } = destination(route.path);
  if (handle) import("./sessions/recent.js").then(({ remember }) => remember(handle)).catch(() => {});
  frame.refresh();
  markCurrent();
  const turn = ++opening; // Nor does what was asked for before.
  if (view?.update && viewKey === key) return view.update(route);
  const first = viewKey === undefined;
  scrolled.set(viewKey ?? "", scrollY);
  const build = await come(load(name)).catch(() => undefined);
  if (turn !== opening) return;
  view?.close();
  viewKey = key;
  frame.actions();
  frame.main.replaceChildren();
  frame.main.dataset.view = route.path[0] ?? "home";
  const row = handle && sessionRows.rows.find((/** @type {Api.SessionRow} */ one) => one.handle === handle);
  frame.title(row ? titleOf(row) : t(knows(key) ? key : "app"), { back: key ? "#/" : undefined });
  view = build ? build(frame.main, route) ?? { close() {} } : notCome(frame.main, () => load(name), () => {
    viewKey = "?";
    navigate();
  });
  scrollTo(0, (key === "" && scrolled.get(key)) || 0);
  if (!first) document.getElementById("title").focus({ preventScroll: true });
}

/** @param {HTMLElement} root */
const notFoundView = (root) => root.append(emptyState("help", t("not-found-title"), t("not-found"),
  h("a.button", { href: "#/" }, t("to-sessions"))));

const again = () => h("button.primary", { onclick: () => location.reload() }, t("retry"));
// MARK: Who is here

async function identify() {
  const { body, stale } = await api.get("", { keep: true });
  me.take(body);
  if (!stale) listen();
  if (document.body.dataset.state !== "ready") show();
}

/** What the server tells by itself: loaded when it has told who is here. */
/** @type {Events | undefined} */
let events;
/** @type {Promise<void> | undefined} */
let listening;
async function listen() {
  listening ??= import("./data/events.js").then((module) => {
    events = /** @type {Events} */ (module.events);
    events?.on(({ type, data }) => {
      if (type === "state" || data.kind === "queue" || data.kind === "journal") return;
      if (data.kind === "session" || (type === "reset" && !data.handle)) sessionRows.refresh();
      else sessionRows.later();
    });
  }, () => (listening = undefined));
  await listening;
  events?.start();
}

/**
 * The token counts no longer. What waits in the outbox stays, and that is said.
 * @param {string} [message]
 */
async function signedOut(message) {
  if (!me.signedIn && !message && document.body.dataset.state === "signed-out") return;
  const was = me.signedIn || message;
  me.signedIn = false;
  document.body.dataset.state = "signed-out";
  events?.stop();
  closeView();
  await forgetKept();
  const n = outbox.counts.waiting;
  view = whenCome(frame.main, () => import("./more/sign-in.js"), ({ showSignIn, why }) => {
    showSignIn(message ?? why(n, was), signedIn);
    return { close() {} };
  });
}

/**
 * Signs in by the secret of an address. What can't be used leaves a device that is signed in as it was.
 * @param {string[]} secret
 */
async function enter([, kind, value]) {
  const wasIn = me.signedIn, before = await api.kept("");
  const problem = await come(import("./more/sign-in.js")).then(({ exchange }) => exchange(kind, value, signedIn),
    ({ message }) => message);
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
  readRoute();
  preload(destination(route.path).name);
  const kept = await store.all("settings").catch(() => []);
  for (const { key, value } of kept) settings.take(key, value);
  if (!await store.lasting()) sayNoStorage();
  if (!settings.get("here")) settings.set("here", true);
  const paint = () => (document.documentElement.dataset.theme = settings.get("theme"));
  settings.on("theme", paint);
  paint();
  document.getElementById("skip").textContent = t("skip");
  await outboxMoved(false);
  rescue("pressed", "rescuePresses");
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
  screens.desktop.addEventListener("change", frame.layOut);
  const arrive = () => {
    if (document.hidden) return events?.stop();
    listen();
    outbox.resume();
    rescue("recording", "rescueRecordings");
  };
  addEventListener("visibilitychange", arrive);
  addEventListener("online", () => (identify().catch(() => {}), outbox.drain(true)));
  addEventListener("offline", () => net.set(false));
  history.scrollRestoration = "manual";
  import("./ui/keys.js").then(({ keys }) => keys.bind({
    "/": () => go("#/search"),
    "?": () => go("#/help"),
  })).catch(() => {});

  if (secret) await enter(secret);
  else {
    const ends = (await api.kept(""))?.body.token?.expires_at ?? "";
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
  rescue("recording", "rescueRecordings");
  outbox.drain();
  import("./ui/update.js").then(({ registerWorker }) => registerWorker()).catch(() => {});
  // What it says is said without a network, too.
  import("./ui/outcomes.js").catch(() => {});
}

/**
 * What a page that was killed has left: a press with the finger down is a mark, what was spoken is a note.
 * @param {EntryState} left
 * @param {"rescuePresses" | "rescueRecordings"} name
 */
function rescue(left, name) {
  if (![...entries.values()].some(({ state }) => state === left)) return;
  import("./data/writing.js").then(({ writing }) => writing[name]()).catch(() => {});
}

/** @param {any} error */
function unreachable(error) {
  document.body.dataset.state = "signed-out";
  frame.main.replaceChildren(emptyState("warning", t("unreachable-title"), `${problemText(error)} ${t("unreachable")}`,
    again()));
}

boot();

texts({
  "skip": "Skip to the content",
  "unreachable-title": "The server can’t be reached",
  "unreachable": "This device has not been here before, so there is nothing to show yet.",
});

/** Words to the person: messages, announcements, what stands where nothing is. */
import { h, icon } from "../base/dom.js";
import { DAY, reload, SECOND, within } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { api, net, problemText } from "../data/api.js";
import { delivered, news } from "../data/outbox.js";
import { settings } from "../data/settings.js";
import { frame } from "./frame.js";

/** @param {string} text */
export function announce(text) {
  if (!settings.get("announce")) return;
  document.getElementById("polite").textContent = "";
  setTimeout(() => (document.getElementById("polite").textContent = text), 50);
}

/** @type {Promise<(text: Child, options: ToastOptions) => () => void> | undefined} */
let queue;

/**
 * Shows a message at the foot of the page, as outcomes.js has it; returns the way to take it away. Without that module,
 * which boot.js loads ahead, the words stand there alone.
 * @param {Child} text
 * @param {ToastOptions} options
 * @returns {() => void}
 */
export function toast(text, options = {}) {
  /** @type {(() => void) | undefined} */
  let dismiss;
  let isGone = false;
  queue ??= import("./outcomes.js").then(({ show }) => show, () => (queue = undefined, (/** @type {Child} */ words) => {
    const node = h("div.toast", { role: "alert" }, h("p", words));
    document.getElementById("toasts").replaceChildren(node);
    return () => node.remove();
  }));
  queue.then((show) => isGone || (dismiss = show(text, options)));
  return () => {
    isGone = true;
    dismiss?.();
  };
}

/**
 * Asks in a dialog; resolves to the value of the button, undefined if it was closed. See `dialog.js`.
 * @param {DialogOptions} options
 */
export const dialog = async (options) => (await come(import("./dialog.js"))).dialog(options);

/** What stands where something comes. */
export const skeleton = (/** @type {number} */ lines) =>
  h("div.skeleton", { "aria-hidden": "true" }, Array.from({ length: lines }, () => h("i")));

/**
 * @param {string} iconName
 * @param {Child} title
 * @param {Child} [text]
 * @param {Child} [action]
 */
export function emptyState(iconName, title, text, action) {
  return h("div.empty", icon(iconName), h("h2", title), text && h("p", text), action);
}

// MARK: Modules that come later

/** A module did not come. */
export const sayFailed = () => void toast(t("view-failed"), { kind: "bad" });

/**
 * What is imported, within ten seconds; else an error with words for a person.
 * @template Module
 * @param {Promise<Module>} coming
 * @returns {Promise<Module>}
 */
export const come = (coming) => within(10 * SECOND, coming, new Error("late")).catch(() => {
  throw new Error(t("view-failed"));
});

/**
 * Says in a place that a module did not come. It is asked for again by the button, and by itself when the server is
 * reached again; `put` takes what has come. Returns how to close it.
 * @template Module
 * @param {HTMLElement} root
 * @param {() => Promise<Module>} load
 * @param {(module: Module) => unknown} put
 */
export function notCome(root, load, put) {
  let isOver = false;
  const close = () => {
    isOver = true;
    off();
  };
  const ask = async (/** @type {boolean} */ isPressed) => {
    if (button.disabled) return;
    button.disabled = true;
    const module = await come(load()).catch(() => undefined);
    button.disabled = false;
    if (isOver) return;
    if (module !== undefined) {
      close();
      put(module);
    } else if (isPressed) await fresh().catch((error) => toast(problemText(error), { kind: "bad" }));
  };
  const button = h("button.primary", { type: "button", onclick: () => ask(true) }, t("retry"));
  const off = net.regained.on(() => ask(false));
  root.replaceChildren(emptyState("warning", t("view-failed-title"), t("view-failed"), button));
  return { close };
}

/**
 * Loads the page again, since some browsers remember until then that a module did not come. Without the worker it is
 * done only where the server answers: else there would be no page at all.
 */
async function fresh() {
  if (!navigator.serviceWorker?.controller) await api.get("");
  await reload();
}

/**
 * Shows in a place what a module makes, once it has come; where it does not come, it says so. `shown` is what it made.
 * @template Module
 * @template {{ close(): unknown }} Part
 * @param {HTMLElement} root
 * @param {() => Promise<Module>} load
 * @param {(module: Module) => Part} show
 */
export function whenCome(root, load, show) {
  let isClosed = false;
  /** @type {Part | undefined} */
  let shown;
  /** @type {{ close(): unknown } | undefined} */
  let failure;
  const put = (/** @type {Module} */ module) => {
    if (isClosed) return;
    root.replaceChildren();
    shown = show(module);
  };
  come(load()).then(put, () => { if (!isClosed) failure = notCome(root, load, put); });
  return {
    get shown() { return shown; },
    close() {
      isClosed = true;
      failure?.close();
      shown?.close();
    },
  };
}

// MARK: What the data tells by itself

/** @type {(() => void) | undefined} */
let asking;
net.changed.on(() => {
  if (net.asks) {
    asking ??= toast(t("proxy-asks"), { kind: "bad", ms: DAY, actions: [{ label: t("open"),
      // The worker leaves this address to the network.
      run: () => location.assign("index.html") }] });
  } else asking = void asking?.();
});

/** @param {(module: any) => unknown} work */
const outcomes = (work) => import("./outcomes.js").then(work).catch(() => toast(t("view-failed"), { kind: "bad" }));
/**
 * Says what the server finds odd about a write.
 * @param {string | null | undefined} session
 * @param {string[]} [warnings]
 */
export const showWarnings = (session, warnings) =>
  warnings?.length && outcomes((module) => module.showWarnings(session, warnings));
delivered.on(({ session }, { warnings }) => showWarnings(session?.id, warnings));
news.on((name, values) => outcomes(({ tell }) => tell(name, values)));

texts({
  "undo": "Undo",
  "proxy-asks": "A Wi-Fi or a proxy asks you to sign in.",
  "loading": "Loading…",
});

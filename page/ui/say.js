/** Words to the person: messages, announcements, what stands where nothing is. */
import { h, icon } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { net } from "../data/api.js";
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
export const dialog = async (options) => (await import("./dialog.js")).dialog(options);

/** A module did not come. */
export const sayFailed = () => void toast(t("view-failed"), { kind: "bad" });

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

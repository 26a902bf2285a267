/** Words to the person: messages, announcements, what stands where nothing is. */
import { h, icon } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { net } from "../data/api.js";
import { delivered, news } from "../data/outbox.js";
import { settings } from "../data/settings.js";
import { frame } from "./frame.js";

export function announce(text) {
  if (!settings.get("announce")) return;
  document.getElementById("polite").textContent = "";
  setTimeout(() => (document.getElementById("polite").textContent = text), 50);
}

/**
 * Shows a message at the foot of the page; returns the way to take it away. It stays while it has the focus or the
 * pointer.
 */
export function toast(text, { actions = [], ms = 6000, kind = "info" } = {}) {
  const dismiss = () => {
    clearTimeout(timer);
    if (node.contains(document.activeElement)) frame.main.focus({ preventScroll: true });
    node.remove();
  };
  const buttons = actions.map(({ label, run }) => h("button.plain", { onclick: () => (dismiss(), run()) }, label));
  const node = h(`div.toast.${kind}`, { role: kind === "bad" ? "alert" : "status" }, h("div", h("p", text), buttons),
    h("button.icon-button", { "aria-label": t("close"), onclick: dismiss }, icon("close")));
  let timer;
  const wait = () => (timer = setTimeout(dismiss, ms));
  for (const name of ["pointerenter", "focusin"]) node.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) node.addEventListener(name, wait);
  document.getElementById("toasts").append(node);
  wait();
  return dismiss;
}

/** Asks in a dialog; resolves to the value of the button, undefined if it was closed. See `dialog.js`. */
export const dialog = async (options) => (await import("./dialog.js")).dialog(options);

export function emptyState(iconName, title, text, action) {
  return h("div.empty", icon(iconName), h("h2", title), text && h("p", text), action);
}

// MARK: What the data tells by itself

let asking;
net.changed.on(() => {
  if (net.asks) {
    asking ??= toast(t("proxy-asks"), { kind: "bad", ms: DAY, actions: [{ label: t("open"),
      // The worker leaves this address to the network.
      run: () => location.assign("index.html") }] });
  } else asking = void asking?.();
});

const outcomes = (work) => import("./outcomes.js").then(work).catch(() => toast(t("view-failed"), { kind: "bad" }));
/** Says what the server finds odd about a write. */
export const showWarnings = (session, warnings) =>
  warnings?.length && outcomes((module) => module.showWarnings(session, warnings));
delivered.on(({ session }, { warnings }) => showWarnings(session?.id, warnings));
news.on((name, values) => outcomes(({ tell }) => tell(name, values)));

texts({
  "close": "Close",
  "undo": "Undo",
  "proxy-asks": "A Wi-Fi or a proxy asks you to sign in.",
  "loading": "Loading…",
});

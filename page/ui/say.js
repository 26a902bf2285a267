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

const warned = new Set();
/** Says what the server finds odd about a write; of each kind once for a session, since it is the same at each mark. */
export function showWarnings(session, warnings = []) {
  for (const text of warnings) {
    const kind = `${session} ${text.replace(/\d+/g, "")}`;
    if (warned.has(kind)) continue;
    warned.add(kind);
    toast(text.replace(/^./, (letter) => letter.toUpperCase()).replace(/([^.!?…])$/, "$1."),
      { kind: "bad", ms: 15_000 });
  }
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

delivered.on(({ session }, { warnings }) => showWarnings(session?.id, warnings));

const NEWS = {
  "no-storage": () => toast(t("no-storage"), { kind: "bad", ms: DAY }),
  "not-kept": ({ isFull }) => toast(`${t(isFull ? "not-kept" : "not-kept-now")} ${t("not-kept-memory")}`,
    { kind: "bad", ms: 15_000 }),
  "storage-cleared": ({ spoken }) => toast([t("storage-cleared"), spoken && t("storage-cleared-audio")]
    .filter(Boolean).join(" "),
    { kind: "bad", ms: 12_000 }),
};
// What has to do with the server is shown by a module of its own: it is reached then.
news.on(async (name, values) => (NEWS[name] ?? (await import("./outcomes.js")).outcomes[name])(values));

texts({
  "close": "Close",
  "undo": "Undo",
  "proxy-asks": "A Wi-Fi or a proxy asks you to sign in.",
  "not-kept": "This device could not keep your mark: its storage is full.",
  "not-kept-now": "This device could not keep your mark.",
  "not-kept-memory": "It stays here only while this page is open. Leave the page open until it is sent.",
  "no-storage":
    "This browser keeps nothing for this page (a private window?). Marks are lost if you close it before they " +
    "are sent.",
  "storage-cleared": "This browser’s storage was cleared. What was still unsent has been kept again.",
  "storage-cleared-audio": "The sound of voice notes that were not sent is lost.",
  "loading": "Loading…",
});

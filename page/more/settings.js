/** Settings, this device, what this browser can do. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { keptAudio } from "../data/kept-audio.js";
import { isMine, outbox } from "../data/outbox.js";
import { settings } from "../data/settings.js";
import { go } from "../ui/frame.js";
import { button, doing, dots, fact, nameOfSession, row, rows, section, sign, small, stack, when } from "../ui/parts.js";
import { dialog, toast } from "../ui/say.js";
import { entryText } from "./entries.js";
import { keyNodes, toggle } from "./key-table.js";
import { statusNodes, tokenNodes } from "./server.js";
import { signOut } from "./sign-in.js";

/** @param {HTMLElement} root */
export function open(root) {
  root.append(habits(), keyNodes());
  return stack(root, [deviceNodes, { lines: 2 }], [browserNodes, { lines: 3 }], [keptNodes, { lines: 2 }],
    me.can("admin") && !me.filtered && [tokenNodes, { lines: 3 }], !me.filtered && [statusNodes, { lines: 3 }]);
}

/**
 * @param {string} key
 * @param {[any, string][]} options
 * @param {string} [hint]
 */
function choice(key, options, hint) {
  const radio = (/** @type {any} */ value) =>
    h("input", { type: "radio", name: key, checked: settings.get(key) === value,
    onchange: () => settings.set(key, value) });
  return h("fieldset", h("legend", t(key)),
    h("div.choices", options.map(([value, text]) => h("label.choice", radio(value), text))), hint && h("small", hint));
}

const habits = () => section(t("how-it-works"),
  choice("theme", ["auto", "light", "dark"].map((value) => [value, t(`theme-${value}`)])),
  choice("lead_ms", [0, 1, 2, 3, 5, 10].map((s) => [1000 * s, s ? t("seconds", { s }) : t("none")]), t("lead-hint")),
  me.can("mark") && toggle("announce", t("announce-hint")),
    choice("lock_screen", ["markers", "seek"].map((value) => [value, t(`lock-${value}`)]), t("lock-hint")));

function deviceNodes() {
  const leave = doing(async () => {
    const left = outbox.all().filter((entry) => isMine(entry) && entry.state !== "at-server"), n = left.length;
    /** @type {(Choice | false)[]} */
    const actions = [{ label: t("cancel") }, n > 0 && { label: t("send-first"), value: "send", primary: true },
      { label: t("sign-out"), value: "yes", danger: true, primary: !n }];
    const asked = await dialog({ title: t("sign-out"), body: h("div",
      h("p", n ? t("sign-out-waiting", { n }) : t("sign-out-text")),
      n > 0 && h("ul", left.slice(0, 10)
        .map((entry) => h("li", { dir: "auto" }, dots(entryText(entry), nameOfSession(entry.session))))),
      n > 10 && h("p", t("and-more", { n: n - 10 }))),
    actions: /** @type {Choice[]} */ (actions.filter(Boolean)) });
    if (asked === "yes") await signOut();
    if (asked !== "send") return;
    await outbox.drain(true);
    go("#/outbox");
  });
  return section(t("this-device"),
    h("dl.facts-list", fact(t("token-name"), me.name ?? "–"), fact(t("person"), me.person),
    fact(t("may"), t(`scope-${me.scope}`), me.filtered && ` ${t("only-shared")}`),
      me.expires_at && fact(t("until-when"), when(me.expires_at))),
  button(t("sign-out"), leave, "danger"));
}

/**
 * What this browser can do, and the cure of what it can't.
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
async function browserNodes(signal, reload) {
  const media = Boolean(navigator.mediaDevices?.getUserMedia) && globalThis.MediaRecorder;
  const microphone = await navigator.permissions?.query({ name: /** @type {PermissionName} */ ("microphone") })
    .catch(() => null);
  const isKept = await navigator.storage?.persisted?.() ?? false;
  const isApp = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  /**
   * @param {string} name
   * @param {unknown} isThere
   * @param {string} cure
   * @param {Child} [action]
   */
  const can = (name, isThere, cure, action) =>
    row(sign(isThere ? "succeeded" : "failed", isThere ? "check" : "warning", t(isThere ? "yes" : "no")),
    t(`can-${name}`),
    !isThere && h("p.cure", t(`cure-${cure}`)), !isThere && action);
  const persist = doing(async () =>
    (toast(t(await navigator.storage.persist() ? "persist-granted" : "persist-denied")), reload()));
  return section(t("this-browser"), h("ul.items", can("secure", isSecureContext, "secure"),
    me.can("mark") && can("record", media && microphone?.state !== "denied", media ? "record-denied" : "record"),
    can("offline", "serviceWorker" in navigator, "offline"),
    me.can("mark") && can("persist", isKept, "persist" in (navigator.storage ?? {}) ? "persist" : "offline",
      "persist" in (navigator.storage ?? {}) && button(t("ask-persist"), persist)),
    matchMedia("(pointer: coarse)").matches
      && can("home", isApp, /iP(hone|ad|od)/.test(navigator.userAgent) ? "home-ios" : "home")));
}

/**
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
async function keptNodes(signal, reload) {
  const items = await keptAudio.list();
  /** @param {{ href: string }} item */
  const remove = (item) => doing(async () => (await keptAudio.remove(item.href), reload()));
  return section(t("kept-title"),
    items.length === 0 ? h("p.quiet", t("kept-none")) : [rows(items, (item) => h("li.item", icon("kept"),
    h("div.item-text", h("a", { href: `#/s/${/sessions\/([^/]+)/.exec(item.href)?.[1]}`, dir: "auto" },
      item.title || t("untitled")), small(fmt.bytes(item.bytes))),
    button(t("remove"), remove(item), "", { "aria-label": t("remove-kept", { title: item.title }) }))),
  h("p.quiet", t("kept-sum", { size: fmt.bytes(items.reduce((sum, { bytes }) => sum + bytes, 0)) }))]);
}

texts({
  "send-first": "Send first",
  "how-it-works": "How it works for you",
  "theme": "Appearance",
  "theme-auto": "As the device",
  "theme-light": "Light",
  "theme-dark": "Dark",
  "lead_ms": "Start playing a marker earlier by",
  "lead-hint": "Playback begins a little before the marker. The marker itself stays where it is.",
  "lock_screen": "Buttons on the lock screen",
  "lock-markers": "Markers",
  "lock-seek": "± 10 seconds",
  "lock-hint": "iPhones have room for two buttons beside Play.",
  "announce": "Announce marks",
  "announce-hint": "Screen readers say each mark as it is kept.",
  "this-device": "This device",
  "token-name": "Name",
  "person": "Person",
  "may": "May",
  "until-when": "Until",
  "sign-out": "Sign out",
  "sign-out-text": "This device needs a new pairing code to sign in again.",
  "sign-out-waiting": {
    one: "{n} entry is not sent yet. It stays on this device and is sent once you have signed in again.",
    other: "{n} entries are not sent yet. They stay on this device and are sent once you have signed in again.",
  },
  "this-browser": "What this browser can do",
  "can-secure": "Secure connection",
  "cure-secure":
    "Open the page with https:// or as localhost. Without that, browsers allow neither the microphone nor " +
    "offline use. The server’s documentation shows three ways.",
  "can-record": "Record voice notes",
  "cure-record":
    "This browser offers no microphone to this page. Use a secure connection, or attach an audio file instead.",
  "cure-record-denied": "The microphone is blocked for this page. Allow it in the browser’s settings for this site.",
  "can-offline": "Open without a connection",
  "cure-offline": "This needs a secure connection and no private window.",
  "can-persist": "Keep unsent marks safe",
  "cure-persist": "The browser may delete what this page keeps when space runs low.",
  "ask-persist": "Ask to keep them",
  "persist-granted": "The browser will not delete them by itself.",
  "persist-denied": "The browser did not agree. Adding the page to the home screen usually helps.",
  "can-home": "On the home screen",
  "cure-home": "In the browser’s menu, choose “Install app” or “Add to home screen”.",
  "cure-home-ios":
    "Tap Share, then “Add to Home Screen”. Safari deletes unsent marks of pages that have not been opened for " +
    "seven days; from the home screen it does not.",
  "kept-title": "Kept on this device",
  "kept-none": "No recordings. “Keep on this device” in a session makes it playable without a connection.",
  "kept-sum": "{size} in all",
  "remove-kept": "Remove the recording of {title}",
});

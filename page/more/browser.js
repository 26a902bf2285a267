/** What this browser can do, and what it keeps. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { keptAudio } from "../data/kept-audio.js";
import { button, doing, row, rows, section, sign, small } from "../ui/parts.js";
import { toast } from "../ui/say.js";

/**
 * What this browser can do, and the cure of what it can't.
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
export async function browserNodes(signal, reload) {
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
 * The recordings that are kept here.
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
export async function keptNodes(signal, reload) {
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

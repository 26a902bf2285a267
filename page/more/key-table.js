/** What keys do, and which: the settings change it, help shows it. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { KEYS } from "../ui/keys.js";
import { button, section } from "../ui/parts.js";
import { toast } from "../ui/say.js";

export const usableKeys = () => KEYS.filter((key) => me.can("mark") || !"1234brnu".includes(key));
/** @param {string} key */
const keyNow = (key) => settings.get("keys")[key] ?? (key.length === 1 ? key.toUpperCase() : key);
/** @param {string} key */
export const keySign = (key) => h("kbd.cap",
  keyNow(key).replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("+", " + "));

/**
 * @param {string} key
 * @param {string} hint
 */
export const toggle = (key, hint) => h("label.switch", h("span", t(key), h("small", hint)), h("input", {
  type: "checkbox", checked: settings.get(key), onchange: ({ target }) => settings.set(key, target.checked) }));

/** Keys may be turned off and changed (WCAG 2.1.4): a press on one waits for another. */
export function keyNodes() {
  const list = h("ul.items");
  const wait = (/** @type {any} */ { currentTarget }) => {
    currentTarget.focus(); // which a press does not do in Safari
    currentTarget.firstChild.replaceWith(h("kbd.cap", t("press-key")));
  };
  const keyButton = (/** @type {string} */ key) => button(keySign(key), wait, "key", {
    "aria-label": t("change-key", { what: t(`key-${key}`), key: keyNow(key) }), "data-key": key,
    onkeydown: (/** @type {KeyboardEvent} */ event) => take(event, key),
    onblur: (/** @type {any} */ { currentTarget }) => currentTarget.firstChild.replaceWith(keySign(key)),
  });
  const keyRow = (/** @type {string} */ key) => h("li.item", h("span.item-text", t(`key-${key}`)), keyButton(key));
  const fill = () => list.replaceChildren(...usableKeys().map(keyRow));
  const take = (/** @type {any} */ event, /** @type {string} */ key) => {
    const isWaiting = event.currentTarget.textContent === t("press-key");
    if (!isWaiting || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key) || event.ctrlKey
      || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const taken = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase()
      : `${event.shiftKey ? "Shift+" : ""}${event.key}`;
    const used = KEYS.find((other) => other !== key && keyNow(other) === taken);
    if (used) toast(t("key-used", { what: t(`key-${used}`) }), { kind: "bad" });
    else if (taken !== "Escape") settings.set("keys", { ...settings.get("keys"), [key]: taken });
    fill();
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
  };
  fill();
  return section(t("keys"), toggle("keys_on", t("keys-hint")),
    h("details", h("summary.more-link", t("change-keys")), list,
      button(t("reset-keys"), () => (settings.set("keys", {}), fill()))));
}

texts({
  "keys": "Keyboard",
  "keys_on": "Use shortcuts",
  "keys-hint": "They never apply while you type in a field.",
  "change-key": "{what}: {key}. Change the key",
  "press-key": "Press a key",
  "key-used": "That key is taken by “{what}”.",
  "reset-keys": "Reset keys",
  "change-keys": "Change keys",
  "key-Space": "Play or pause",
  "key-ArrowLeft": "Back 10 seconds",
  "key-ArrowRight": "Forward 10 seconds",
  "key-Shift+ArrowLeft": "Back 1 second",
  "key-Shift+ArrowRight": "Forward 1 second",
  "key-[": "Previous marker",
  "key-]": "Next marker",
  "key-1": "Mark a highlight",
  "key-2": "Mark structure",
  "key-3": "Mark a texture",
  "key-4": "Mark a fix",
  "key-b": "Mark and write",
  "key-r": "Speak a note",
  "key-l": "Loop",
  "key-<": "Slower",
  "key->": "Faster",
  "key-n": "Name the last mark",
  "key-u": "Undo",
  "key-/": "Search",
  "key-d": "Digest",
  "key-?": "Help",
});

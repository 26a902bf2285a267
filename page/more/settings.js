/** Settings: how the page works for a person; below them what is known of device, browser and server. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { loader, partFailed, section } from "../ui/parts.js";
import { come } from "../ui/say.js";
import { keyNodes, toggle } from "./key-table.js";

/** @param {HTMLElement} root */
export function open(root) {
  root.append(habits(), keyNodes());
  /** @type {View[]} */
  const shown = [];
  let isClosed = false;
  /** @type {(load: () => Promise<(Filling | false)[]>, next?: () => void) => View} */
  const show = (load, next) => loader(root.appendChild(h("div.together")), async (...given) => {
    const parts = /** @type {Filling[]} */ ((await come(load())).filter(Boolean));
    // One after the other they would move each other.
    const all = await Promise.all(parts.map(async (part) => part(...given)).map((part) =>
      part.catch((/** @type {any} */ error) => partFailed(error, given[1]))));
    if (next) setTimeout(next);
    return all;
  }, { lines: 5, isPart: true });
  const isAdmin = me.can("admin") && !me.filtered;
  // What the server has to be asked for comes below what is known here, and after it.
  const showServer = () => {
    if (!isClosed && !me.filtered && shown.length < 2) shown.push(show(() => import("./server.js")
      .then(({ tokenNodes, statusNodes }) => [isAdmin && tokenNodes, statusNodes])));
  };
  shown.push(show(async () => {
    const [{ deviceNodes }, { browserNodes, keptNodes }] = await Promise.all([import("./device.js"),
      import("./browser.js")]);
    return [deviceNodes, browserNodes, keptNodes];
  }, showServer));
  return { close: () => {
    isClosed = true;
    for (const one of shown) one.close();
  } };
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

texts({
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
});

/** Settings of this browser, and what its tabs tell each other. */
import { clock, signal } from "../base/flow.js";
import { store } from "./store.js";

// MARK: Between tabs

const TAB = Math.random().toString(36).slice(2);

const bus = globalThis.BroadcastChannel ? new BroadcastChannel("trace") : null;
/** @type {Signal<[any]>} */
const heard = signal();
/**
 * To the other tabs, and from them.
 * @type {Channel}
 */
export const channel = { on: heard.on, post: (message) => bus?.postMessage({ ...message, tab: TAB }) };
if (bus) bus.onmessage = ({ data }) => heard.tell(data);

// MARK: Settings

/** @type {Map<string, any>} */
const settingValues = new Map();
/** @type {Map<string, Signal<[any]>>} */
const settingSignals = new Map();
/** @type {Record<string, any>} */
const DEFAULTS = { lead_ms: 0, lock_screen: "markers", announce: true, theme: "auto", keys: {}, keys_on: true };

/**
 * Settings of this device; read from memory, kept in the store, and told to other tabs.
 * @type {Settings}
 */
export const settings = {
  get: (key) => settingValues.get(key) ?? DEFAULTS[key],
  set(key, value) {
    settings.take(key, value);
    channel.post({ type: "setting", key, value });
    return store.put("settings", { key, value }).catch(() => false);
  },
  drop(key) {
    settings.take(key, undefined);
    settingValues.delete(key);
    channel.post({ type: "setting", key });
    return store.del("settings", key).catch(() => {});
  },
  names: () => [...settingValues.keys()],
  take(key, value) {
    settingValues.set(key, value);
    settingSignals.get(key)?.tell(value);
  },
  on(key, fn) {
    if (!settingSignals.has(key)) settingSignals.set(key, signal());
    return /** @type {Signal<[any]>} */ (settingSignals.get(key)).on(fn);
  },
};

channel.on(({ type, key, value }) => type === "setting" && settings.take(key, value));
settings.on("clock_difference", clock.remember);
clock.learned.on((difference) => settings.set("clock_difference", difference));

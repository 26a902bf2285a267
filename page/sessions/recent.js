/** The sessions that were opened last. */
import { settings } from "../data/settings.js";
import { store } from "../data/store.js";

/**
 * Keeps what was read of the last twenty sessions that were opened; the rest may go.
 * @param {string} handle
 */
export async function remember(handle) {
  const recent = [handle,
    ...(settings.get("recent") ?? []).filter((/** @type {string} */ one) => one !== handle)].slice(0, 20);
  if (recent[0] !== settings.get("recent")?.[0]) settings.set("recent", recent);
  if (recent.length < 20) return;
  for (const { address } of await store.all("kept")) {
    const of = /^sessions\/([^/?]+)/.exec(address)?.[1];
    if (of && !recent.includes(decodeURIComponent(of))) await store.del("kept", address);
  }
}

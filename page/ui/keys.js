/** Keys that a view binds. */
import { settings } from "../data/settings.js";

/** @type {KeyMap[]} */
const bindings = [];

/**
 * Binds keys as long as a view is open. Off inside fields and dialogs; the settings may turn them off or give them
 * other keys.
 * @type {{ bind(map: KeyMap): () => void }}
 */
export const keys = {
  bind(map) {
    bindings.push(map);
    return () => bindings.splice(bindings.indexOf(map), 1);
  },
};

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
    || !settings.get("keys_on")) return;
  const target = /** @type {HTMLElement} */ (event.target);
  // Who holds a key means one press, but of those that go on and on.
  const isHeld = event.repeat && !event.key.includes("Arrow");
  if (isHeld && event.key === "Enter" && target.closest?.("button, summary")) return event.preventDefault();
  const typing = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog, [contenteditable]";
  if (target.closest?.(typing)) return;
  /** @param {string} key */
  const upper = (key) => (key.length === 1 ? key.toUpperCase() : key);
  const shifted = event.key.length > 1 && event.shiftKey ? "Shift+" : "";
  const named = event.key === " " ? "Space" : shifted + upper(event.key);
  // Space and Enter press the button that has the focus; arrows belong to a slider.
  if (target.closest?.("button, a, summary, [role=tab]") && (named === "Space" || named === "Enter")) return;
  if (target.closest?.("input[type=range], [role=slider], [role=tablist]") && named.includes("Arrow")) return;
  const chosen = settings.get("keys");
  for (const map of [...bindings].reverse()) {
    const found = Object.entries(map).find(([key]) => upper(chosen[key] ?? key) === named);
    if (!found) continue;
    event.preventDefault();
    if (!isHeld) found[1](event);
    return;
  }
});

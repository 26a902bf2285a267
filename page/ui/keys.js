/** Keys that a view binds. */
import { settings } from "../data/settings.js";

/**
 * All that keys do, by the key that does it until the settings give it another: views bind these and no others, and
 * help and settings list them in this order.
 */
export const KEYS = /** @type {const} */ (["Space", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight",
  "[", "]", "1", "2", "3", "4", "b", "r", "l", "<", ">", "n", "u", "/", "d", "?"]);

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
  const chosen = settings.get("keys"), key = KEYS.find((one) => upper(chosen[one] ?? one) === named);
  const act = key && bindings.findLast((map) => map[key])?.[key];
  if (!act) return;
  event.preventDefault();
  if (!isHeld) act(event);
});

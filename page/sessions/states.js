/** How far an action of a session has come. */
import { t, texts } from "../base/words.js";
import { sign } from "../ui/parts.js";

/** @type {Record<string, string>} */
const icons = { requested: "day", running: "retry", succeeded: "check", failed: "warning", waiting: "outbox" };
/** @param {string} state */
export const stateSign = (state) => sign(state, icons[state], t(`state-${state}`));

texts({
  "state-requested": "Requested",
  "state-running": "Running",
  "state-succeeded": "Done",
  "state-failed": "Failed",
});

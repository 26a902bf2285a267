/** `#/now`: leads to the practice room of the session that is open. It is what *Mark now* on a home screen opens. */
import { SECOND, within } from "../base/flow.js";
import { skeleton } from "../ui/say.js";
import { isLive, sessionRows } from "./list.js";

/** @type {ViewMaker<Route>} */
export function open(root) {
  let isClosed = false;
  root.append(skeleton(5));
  // What this browser has kept will do where the server doesn't answer.
  within(3 * SECOND, sessionRows.start()).then(() => {
    if (isClosed) return;
    const [only, ...others] = sessionRows.rows.filter(isLive);
    // Which of several is meant is for the first view to show, and so is how to begin one.
    location.replace(only && others.length === 0 ? `#/s/${encodeURIComponent(only.handle)}/live` : "#/");
  });
  return { close: () => (isClosed = true) };
}

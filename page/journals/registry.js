/** The views of journals: which module shows which. */
import { api } from "../data/api.js";
import { kindsWithPages } from "../data/kinds.js";
import { journalView } from "./journal.js";
import { listView } from "./list.js";

/**
 * A journal that has an id has views of its own, if it is of a kind that has some; what can't be loaded is shown by
 * the view for any journal.
 * @type {ViewMaker<Route>}
 */
function oneJournal(root, route) {
  const [, handle] = route.path, any = (/** @type {HTMLElement} */ place) => journalView(place, handle);
  /** @type {View | undefined} */
  let view;
  let closed = false;
  // Where it is unknown which kinds have views, these are looked for: the worker has them, if there are any.
  Promise.all([api.get(`journals/${encodeURIComponent(handle)}`, { keep: true }), kindsWithPages().catch(() => {})])
    .then(async ([{ body }, kinds]) => (kinds?.includes(body.kind) ?? true) && body.id
      && (await import(`../${body.kind}/kind.js`)).kind.open(root, route, { ...body, handle }, any)).catch(() => {})
    .then((own) => (view = own || any(root), closed && view?.close()));
  return { update: (next) => (route = next, view?.update?.(next)), close: () => (closed = true, view?.close()) };
}

/** @type {ViewMaker<Route>} */
export const open = (root, route) => (route.path[1] ? oneJournal(root, route) : listView(root));

/** One journal: which module shows it. */
import { api } from "../data/api.js";
import { kindsWithPages } from "../data/kinds.js";
import { whenCome } from "../ui/say.js";
import { pathOf } from "./record.js";

/**
 * A journal that has an id has views of its own, if it is of a kind that has some; one that can't be asked for, or of
 * which that is not known, is shown by the view for any journal.
 * @type {ViewMaker<Route>}
 */
export function open(root, route) {
  const [, handle] = route.path;
  const any = (/** @type {HTMLElement} */ place) =>
    whenCome(place, () => import("./journal.js"), ({ journalView }) => journalView(place, handle));
  /** @type {Coming<View> | undefined} */
  let view;
  let closed = false;
  const show = async () => {
    const [{ body }, kinds] = await Promise.all([api.get(pathOf(handle), { keep: true }),
      kindsWithPages().catch(() => undefined)]);
    if (closed) return;
    const load = () => import(`../${body.kind}/kind.js`);
    // Where it is unknown which kinds have views, these are looked for: the worker has them, if there are any.
    const hasOwn = Boolean(body.id) && (kinds?.includes(body.kind) ?? await load().then(() => true, () => false));
    if (!closed) view = hasOwn ? whenCome(root, load, ({ kind }) => kind.open(root, route, { ...body, handle }, any))
      : any(root);
  };
  show().catch(() => closed || (view = any(root)));
  return { update: (next) => (route = next, view?.shown?.update?.(next)), close: () => (closed = true, view?.close()) };
}

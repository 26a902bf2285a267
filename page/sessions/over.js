/** What lies over a session: the menu of a marker, and the player with all that it has. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { menu } from "../ui/dialog.js";
import { toast } from "../ui/say.js";
import { editMarker } from "./marking.js";
import { placeOf } from "./names.js";
import "../ui/shared.js";

/**
 * What can be done with a marker of the list.
 * @param {SessionView} view
 * @param {Marker} record
 * @param {HTMLElement} at
 */
export function markerMenu(view, record, at) {
  const next = view.all.row(view.all.indexAt(placeOf(record))), isHere = Boolean(outbox.get(record.id));
  const removing = { label: t("remove"), icon: "bin", run: () => view.remove(record) };
  const mayRemove = view.canMark && (me.can("admin") || isHere);
  const shown = menu(at, [
    { label: t(!view.canMark ? "open" : record.label ? "edit" : "name-it"), icon: "digest",
      run: () => editMarker(view, record) },
    next && view.player.item && { label: t("loop-to-next"), icon: "loop", run: () => loop(view.player, record, next) },
    mayRemove && removing,
  ]);
  // What would be refused is not offered: of a marker that is stored the server says what may be done with it.
  if (!view.canMark || mayRemove) return;
  api.get(`sessions/${view.handle}/markers/${record.id}`).then(({ headers }) =>
    /DELETE/.test(headers?.get("Allow") ?? "") && shown.add(removing), () => {});
}

/**
 * Plays from one marker to another again and again.
 * @param {import("../play/player.js").Player} player
 * @param {Marker} from
 * @param {Marker} to
 */
export function loop(player, from, to) {
  player.setLoop(placeOf(from), placeOf(to));
  player.play(placeOf(from));
  toast(t("loop-set", { from: fmt.offset(placeOf(from)), to: fmt.offset(placeOf(to)) }));
}

/**
 * Takes the stage of a view into a dialog, and gives it back when that closes.
 * @param {SessionView} view
 */
export function openSheet(view) {
  const close = h("button.icon-button", { type: "button", "aria-label": t("close"), onclick: () => node.close() },
    icon("close"));
  /** @type {HTMLDialogElement} */
  const node = h("dialog.sheet.player-sheet", { "aria-label": t("player"),
    onclick: ({ target }) => target === node && node.close() },
  h("div.sheet-head", h("h2", { dir: "auto" }, view.session.title ?? t("untitled")), close), view.stage.element);
  node.addEventListener("close", () => {
    node.remove();
    view.sheet = undefined;
    if (!view.closed) view.layOut();
  });
  document.body.append(node);
  node.showModal();
  return node;
}

texts({
  "loop-to-next": "Loop to the next marker",
  "loop-set": "Looping from {from} to {to}",
});

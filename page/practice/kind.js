/** A practice journal: the frame of its views. Loaded with the first of these journals. */
import { h, icon } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { frame } from "../ui/frame.js";
import { come, emptyState, sayFailed } from "../ui/say.js";
import { style, views } from "./insights.js";
import { addressOf } from "./writing.js";

const TABS = ["", "log", "groups", "insights", "mechanics", "library", "league"];
const RARE = ["mechanics", "library", "league"]; // behind ⋯ on a phone

/**
 * A practice journal at a route; `records` shows its records as those of any journal.
 * @param {HTMLElement} root
 * @param {Route} route
 * @param {Journal} journal
 * @param {(root: HTMLElement) => View} records
 */
function open(root, { path }, journal, records) {
  /** @type {View | undefined} */
  let view;
  let closed = false;
  const show = async (/** @type {string[]} */ [, , name = "", key, part]) => {
    await come(style()).catch(() => {}); // Else what is drawn moves when it comes; the view asks for it again.
    if (closed) return;
    view?.close();
    frame.actions();
    frame.title(journal.title || t(kind.name), { back: name ? addressOf(journal) : "#/journals" });
    const address = (/** @type {string} */ tab) => addressOf(journal, ...(tab ? [tab] : []));
    const rare = RARE.map((tab) => ({ label: t(tab), href: address(tab), icon: "journal" }));
    const showRare = () => come(import("../ui/dialog.js")).then(({ menu }) => menu(more, rare), sayFailed);
    /** @type {HTMLButtonElement} */
    const more = h("button.tab.tab-more", { type: "button", class: RARE.includes(name) ? "on" : null,
      "aria-label": t("more"), "aria-haspopup": "dialog", onclick: showRare }, icon("more"));
    const nav = h("nav.tabs", { "aria-label": t("views") }, TABS.map((tab) =>
      h(`a.tab${RARE.includes(tab) ? ".rare" : ""}`, { href: address(tab), "aria-current": tab === name && "page" },
        t(tab || "home"))), more);
    const place = h("div");
    root.replaceChildren(nav, place);
    const make = Object.hasOwn(views, name || "home") && views[name || "home"];
    if (make) view = make(place, { journal, key, part, records });
    else {
      view = undefined;
      place.append(emptyState("help", t("not-found-title"), t("not-found")));
    }
  };
  show(path);
  return { update: (/** @type {Route} */ route) => show(route.path), close: () => {
    closed = true;
    view?.close();
  } };
}

/** What the page knows of this kind: `journals.js` asks the kind of a journal for it. */
export const kind = { name: "practice", open };

texts({
  "groups": "Groups",
  "mechanics": "Mechanics",
  "league": "League",
  "home": "Note",
  "views": "Views of the journal",
});

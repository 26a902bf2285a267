/** A practice journal: the frame of its views. Loaded with the first of these journals. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { frame } from "../ui/frame.js";
import { emptyState } from "../ui/say.js";
import { style, views } from "./insights.js";
import { addressOf } from "./writing.js";

const TABS = ["", "log", "groups", "insights", "mechanics", "library", "league"];

/** A practice journal at a route; `records` shows its records as those of any journal. */
function open(root, { path }, journal, records) {
  let view, closed;
  const show = async ([, , name = "", key, part]) => {
    await style; // Else what is drawn moves when it comes.
    if (closed) return;
    view?.close();
    frame.actions();
    frame.title(journal.title || t(kind.name), { back: name ? addressOf(journal) : "#/journals" });
    const nav = h("nav.choices", { "aria-label": t("views") }, TABS
      .map((tab) => h("a.choice", { href: addressOf(journal, ...(tab ? [tab] : [])),
      "aria-current": tab === name && "page" }, t(tab || "home"))));
    const place = h("div");
    root.replaceChildren(nav, place);
    nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    const make = Object.hasOwn(views, name || "home") && views[name || "home"];
    if (make) view = make(place, { journal, key, part, records });
    else {
      view = undefined;
      place.append(emptyState("help", t("not-found-title"), t("not-found")));
    }
  };
  show(path);
  return { update: (route) => show(route.path), close: () => {
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

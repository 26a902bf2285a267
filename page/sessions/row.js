/** What stands in a row of the list of markers, and in its place where there is none. */
import { h, icon } from "../base/dom.js";
import { badge, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { problemText } from "../data/api.js";
import { come, emptyState, sayFailed, skeleton } from "../ui/say.js";
import { nameOf, placeOf } from "./names.js";

/**
 * @param {SessionView} view
 * @param {Marker} record
 * @param {Entry} [entry]
 */
export function markerRow(view, record, entry) {
  const category = categoryOf(record.tags ?? []);
  const label = h("span.marker-name", { dir: "auto" }, nameOf(record));
  if (!record.label) label.classList.add("nameless");
  const tags = (record.tags ?? []).filter((tag) => !categoryOf([tag]));
  const under = [entry && t(`mark-${entry.state}`), record.note, tags.map((tag) => `#${tag}`).join(" ")];
  const note = under.filter(Boolean).join(" · ");
  const time = fmt.offset(placeOf(record));
  const play = h("button.marker-play",
    { type: "button", "data-part": "play", onclick: () => view.playMarker(record) },
    h("span.marker-time", time), badge(category),
    h("span.marker-text", label, note && h("span.marker-note", { dir: "auto" }, note)),
    record.voice_note_id && icon("mic"));
  const showMenu = (/** @type {Event} */ event) => {
    event.preventDefault();
    come(import("./over.js")).then(({ markerMenu }) => markerMenu(view, record, more), sayFailed);
  };
  /** @type {HTMLButtonElement} */
  const more = h("button.marker-more.icon-button", { type: "button", "data-part": "more", "aria-haspopup": "dialog",
    "aria-label": t("more-of", { name: nameOf(record), time }), onclick: showMenu }, icon("more"));
  return h("div.marker", { role: "listitem", "data-id": record.id, class: entry ? "unsent" : null,
    oncontextmenu: showMenu }, play, more);
}

/** @param {SessionView} view */
export function noMarkers(view) {
  if (view.failed) return emptyState("warning", t("markers-failed"), problemText(view.failed),
    h("button", { type: "button", onclick: () => view.reload() }, t("retry")));
  if (!view.shown.isLoaded) return skeleton(5);
  if (view.shown !== view.all) return emptyState("list", t("none-of-these"), "");
  return emptyState("list", t("no-markers-title"), t(view.canMark ? "no-markers" : "no-markers-guest"));
}

texts({
  "no-markers": "Tap a category below while you listen or play. You can name the marker afterwards.",
  "no-markers-guest": "Nobody has marked anything in this session.",
  "none-of-these": "None of this category",
  "markers-failed": "The markers could not be loaded",
  "more-of": "More of {name}, {time}",
  "mark-waiting": "Waits to be sent",
  "mark-needs-you": "Refused by the server; see the outbox",
  "mark-at-server": "Waits at the server",
});

/** What the first view has around the list of sessions: what narrows it, and cards. */
import { drawings, h, icon } from "../base/dom.js";
import { sessionOffset } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { choice, titleOf } from "./list.js";

// MARK: What of the list is seen

/** @type {Record<string, (row: Api.SessionRow) => unknown>} */
const ONLY = { "left-open": (row) => row.forgotten_since, "problems": (row) => row.errors + row.warnings > 0 };
/** @type {Record<string, ((row: Api.SessionRow) => number) | undefined>} */
const ORDERS = { date: undefined, length: (row) => row.duration_ms ?? 0, marks: (row) => row.marker_count };
/**
 * It stays as long as the page is open.
 * @type {{ words: string, only: string | undefined, order: string }}
 */
const chosen = { words: "", only: undefined, order: "date" };

/** @param {Partial<typeof chosen>} what */
function choose(what) {
  Object.assign(chosen, what);
  const words = chosen.words.toLocaleLowerCase().split(/\s+/).filter(Boolean), by = ORDERS[chosen.order];
  const isShown = (/** @type {Api.SessionRow} */ row) => (!chosen.only || ONLY[chosen.only](row))
    && words.every((word) => titleOf(row).toLocaleLowerCase().includes(word));
  /** @type {SessionChoice} */
  const now = { isByDay: !by, isWhole: !words.length && !chosen.only && !by, rows: (all) => {
    const rows = all.filter(isShown);
    return by ? rows.sort((one, other) => by(other) - by(one)) : rows;
  }, none: (next) => h("p.quiet", t(next ? "looking" : "none-found")) };
  Object.assign(choice, now);
}

/**
 * Fills a place with field, order and chips; `changed` draws the list.
 * @param {HTMLElement} root
 * @param {() => unknown} changed
 */
export function fillTools(root, changed) {
  const act = (/** @type {Partial<typeof chosen>} */ what) => {
    choose(what);
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.only === chosen.only));
    changed();
  };
  /** @type {HTMLElement[]} */
  const chips = Object.keys(ONLY).map((only) => h("button.chip", { type: "button", "data-only": only,
    "aria-pressed": String(only === chosen.only),
    onclick: () => act({ only: chosen.only === only ? undefined : only }) }, t(only)));
  /** @type {HTMLInputElement} */
  const field = h("input", { type: "search", value: chosen.words, placeholder: t("find-session"),
    "aria-label": t("find-session"), autocomplete: "off", oninput: () => act({ words: field.value }) });
  /** @type {HTMLSelectElement} */
  const order = h("select", { "aria-label": t("order"), onchange: () => act({ order: order.value }) },
    Object.keys(ORDERS).map((name) => h("option", { value: name }, t(`by-${name}`))));
  order.value = chosen.order;
  root.replaceChildren(h("div.search", icon("search"), field),
    h("label.order", { title: t("order") }, icon("order"), order), h("div.chips-row", chips));
}

// MARK: Sessions that are not closed

/** @param {{ handle: string }} row */
const roomOf = ({ handle }) => `#/s/${encodeURIComponent(handle)}${me.can("mark") ? "/live" : ""}`;

/**
 * Of one that runs, with its clock out of `clocks`; `tick` moves it.
 * @param {Api.SessionRow} row
 * @param {Map<string, SessionClock>} clocks
 */
export function liveCard(row, clocks) {
  const time = h("span.elapsed");
  const tick = () => {
    const at = row.paused_at_ms ?? sessionOffset(clocks.get(row.handle) ?? { start_time: row.start_time });
    time.textContent = at === undefined ? "" : fmt.offset(at);
  };
  tick();
  const paused = row.paused_at_ms !== undefined;
  return Object.assign(h("section.card.live", { "aria-label": t("live") },
    h("span.sign.live", paused ? t("paused") : t("live")), h("h2", { dir: "auto" }, titleOf(row)), time,
    h("p.row-facts", [row.start_time && t("started-at", { time: fmt.time(Date.parse(row.start_time)) }),
      row.marker_count > 0 && t("marks-n", { n: row.marker_count })].filter(Boolean).join(" · ")),
    h("a.button.primary", { href: roomOf(row) }, t(me.can("mark") ? "open-live" : "open"))), { tick });
}

/**
 * Of one that was left open only the end can be said.
 * @param {Api.SessionRow} row
 */
export const openCard = (row) => h("section.card.open-still", { "aria-label": t("left-open") },
  h("div", h("h2", { dir: "auto" }, titleOf(row)),
    h("p.row-facts", t("left-open-since", { when: fmt.ago(Date.parse(row.forgotten_since ?? "")) }))),
  h("a.button", { href: roomOf(row) }, t(me.can("mark") ? "end-card" : "open")));

drawings({
  order: "M7 5v14M3.5 15.5L7 19l3.5-3.5M14 6h7M14 12h5M14 18h3",
});

texts({
  "started-at": "since {time}",
  "end-card": "End it…",
  "find-session": "Find a session",
  "order": "Sort the sessions",
  "by-date": "Latest first",
  "by-length": "Longest first",
  "by-marks": "Most marks first",
  "looking": "Looking among older sessions…",
  "none-found": "No session is like that.",
});

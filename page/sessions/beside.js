/** What the first view has around the list of sessions: what narrows it, cards, and the latest of them on a desktop. */
import { drawings, h, icon } from "../base/dom.js";
import { clock, DAY, sessionOffset } from "../base/flow.js";
import { badge, categories } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { choice, dayOf, rowFacts, sessionRows, titleOf } from "./list.js";

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

// MARK: Lately

const SHOWN = 6;
/** @type {(inlines: Api.DigestInline[]) => string} */
const wordsOf = (inlines) => inlines.map(({ text, inlines: inner }) => text ?? wordsOf(inner ?? [])).join("");

/**
 * The first paragraph that somebody wrote; else what is marked.
 * @param {Api.Digest} digest
 */
function firstWords({ words, notable_moments: moments }) {
  const paragraph = words?.blocks.find(({ type }) => type === "paragraph");
  return paragraph ? wordsOf(paragraph.inlines ?? []) : moments.map(({ label }) => label).filter(Boolean).join(" · ");
}

/**
 * By which name a digest counts the marks of a category.
 * @type {(category: Category) => keyof Api.DigestCounts}
 */
const countOf = ({ tag }) => /** @type {keyof Api.DigestCounts} */ (tag.replace("-", "_"));

/** @param {Api.SessionRow} row */
function card(row) {
  const words = h("p.lately-words", { dir: "auto" }), counts = h("span.lately-counts");
  const handle = encodeURIComponent(row.handle);
  // Its place has its height from the first paint.
  api.get(`sessions/${handle}/digest`, { keep: true }).then(({ body }) => {
    words.textContent = firstWords(body);
    counts.replaceChildren(...categories.map((category) => ({ category, n: body.counts[countOf(category)] }))
      .filter(({ n }) => n).flatMap(({ category, n }) => [badge(category), fmt.number(n)]));
  }, () => {});
  return h("a.card.lately-card", { href: `#/s/${handle}` }, h("strong", { dir: "auto" }, titleOf(row)),
    h("span.row-facts", `${dayOf(row)} · ${rowFacts(row)}`), words, counts);
}

/**
 * What the last thirty days brought, or all time if they brought nothing; nothing where the rows here don't reach back
 * that far.
 */
function figures() {
  const { rows, next } = sessionRows, from = clock.now() - 30 * DAY;
  const lately = rows.filter((row) => Date.parse(row.start_time ?? "") >= from), recent = lately.length ? lately : rows;
  if (!recent.length || (next && recent.length === rows.length)) return [];
  /** @param {"duration_ms" | "marker_count" | "voice_note_count"} key */
  const sum = (key) => recent.reduce((total, row) => total + (row[key] ?? 0), 0);
  const figure = (/** @type {string} */ value, /** @type {string} */ label) => [h("dt", label), h("dd", value)];
  return [h("section.figures", h("h2", t(lately.length ? "last-days" : "all-time")),
    h("dl", figure(fmt.number(recent.length), t("figure-sessions")),
    figure(fmt.length(sum("duration_ms")), t("figure-length")),
      figure(fmt.number(sum("marker_count")), t("figure-marks")),
    figure(fmt.number(sum("voice_note_count")), t("figure-notes"))))];
}

/**
 * Fills a place, and follows the list.
 * @param {HTMLElement} root
 */
export function lately(root) {
  /** @type {string | undefined} */
  let shown;
  const draw = () => {
    const rows = sessionRows.rows.filter(({ status, online }) => status === "closed" && online).slice(0, SHOWN);
    const key = JSON.stringify(sessionRows.rows);
    if (key === shown) return;
    shown = key;
    root.replaceChildren(...figures(), ...(rows.length ? [h("h2", t("lately")), h("div.lately", rows.map(card))] : []));
  };
  draw();
  return sessionRows.changed.on(draw);
}

drawings({
  order: "M7 5v14M3.5 15.5L7 19l3.5-3.5M14 6h7M14 12h5M14 18h3",
});

texts({
  "started-at": "since {time}",
  "end-card": "End it…",
  "last-days": "The last 30 days",
  "all-time": "All sessions",
  "figure-sessions": "Sessions",
  "figure-length": "Recorded",
  "figure-marks": "Marks",
  "figure-notes": "Voice notes",
  "lately": "Lately",
  "find-session": "Find a session",
  "order": "Sort the sessions",
  "by-date": "Latest first",
  "by-length": "Longest first",
  "by-marks": "Most marks first",
  "looking": "Looking among older sessions…",
  "none-found": "No session is like that.",
});

/** What a desktop has below the cards of the first view: the last days, what is left to do, the latest sessions. */
import { h, icon, styled } from "../base/dom.js";
import { clock, DAY } from "../base/flow.js";
import { badge, categories } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { dayOf, rowFacts, sessionRows, titleOf } from "./list.js";
import { lastDays, leftToDo } from "./summing.js";
import "../ui/shared.js";

/** Resolves when it looks as it should. */
export const style = () => styled(new URL("lately.css", import.meta.url).href);

const MANY = 1000; // markers of a session, from which on it is not looked through for those without a name
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
const digestOf = async ({ handle }) =>
  (await api.get(`sessions/${encodeURIComponent(handle)}/digest`, { keep: true })).body;

/**
 * @param {Api.SessionRow} row
 * @param {Promise<Api.Digest>} digest
 */
function card(row, digest) {
  const words = h("p.lately-words", { dir: "auto" }), counts = h("span.lately-counts");
  // Its place has its height from the first paint.
  digest.then((body) => {
    words.textContent = firstWords(body);
    counts.replaceChildren(...categories.map((category) => ({ category, n: body.counts[countOf(category)] }))
      .filter(({ n }) => n).flatMap(({ category, n }) => [badge(category), fmt.number(n)]));
  }, () => {});
  return h("a.card.lately-card", { href: `#/s/${encodeURIComponent(row.handle)}` },
    h("strong", { dir: "auto" }, titleOf(row)), h("span.row-facts", `${dayOf(row)} · ${rowFacts(row)}`), words, counts);
}

// MARK: The last days

/**
 * What the last thirty days brought, or all time if they brought nothing; nothing where the rows here don't reach back
 * that far.
 */
function figures() {
  const { rows, next } = sessionRows, from = clock.now() - 30 * DAY;
  const lately = rows.filter((row) => Date.parse(row.start_time ?? "") >= from), recent = lately.length ? lately : rows;
  if (!recent.length || (next && recent.length === rows.length)) return false;
  /** @param {"duration_ms" | "marker_count" | "voice_note_count"} key */
  const sum = (key) => recent.reduce((total, row) => total + (row[key] ?? 0), 0);
  const figure = (/** @type {string} */ value, /** @type {string} */ label) => h("div", h("dt", label), h("dd", value));
  return h("section.figures", h("h2", t(lately.length ? "last-days" : "all-time")),
    h("dl", figure(fmt.number(recent.length), t("figure-sessions")),
      figure(fmt.length(sum("duration_ms")), t("figure-length")),
      figure(fmt.number(sum("marker_count")), t("figure-marks")),
      figure(fmt.number(sum("voice_note_count")), t("figure-notes"))), lately.length > 0 && strip(lately));
}

/**
 * A bar for each of the last thirty days, as high as what was recorded on it is long.
 * @param {Api.SessionRow[]} rows
 */
function strip(rows) {
  const days = lastDays(rows, clock.now()), most = Math.max(1, ...days.map(({ length }) => length));
  const label = t("strip-label", { n: days.filter(({ length }) => length).length, most: fmt.length(most) });
  const bar = (/** @type {{ at: number, length: number }} */ { at, length }) => {
    const title = [fmt.day(at), length && fmt.length(length)].filter(Boolean).join(", ");
    const node = h(length ? "i.some" : "i", { title });
    node.style.blockSize = `${100 * length / most}%`;
    return node;
  };
  return h("div.strip", h("div.strip-bars", { role: "img", "aria-label": label }, days.map(bar)),
    h("div.scale", { "aria-hidden": "true" }, h("span", fmt.day(days[0].at)), h("span", t("today"))));
}

// MARK: What is left to do

/**
 * @param {Api.SessionRow} row
 * @param {Promise<Api.Digest>} digest
 */
async function toDoOf(row, digest) {
  const path = /** @type {const} */ (`sessions/${encodeURIComponent(row.handle)}`);
  const asked = { query: { limit: MANY }, keep: true };
  const isFew = row.marker_count > 0 && row.marker_count <= MANY;
  const [markers, notes, { actions }] = await Promise.all([
    isFew ? api.get(`${path}/markers`, asked).then(({ body }) => body) : [],
    row.voice_note_count ? api.get(`${path}/voice-notes`, asked).then(({ body }) => body) : [], digest]);
  const { names, notes: unwritten, actions: requested } = leftToDo(markers, notes, actions);
  const base = `#/s/${encodeURIComponent(row.handle)}`;
  const item = (/** @type {number} */ n, /** @type {string} */ text, /** @type {string} */ sign,
    /** @type {string} */ tail) => n > 0 && h("li", h("a.row.to-do-row", { href: base + tail }, icon(sign),
    h("span.row-title", t(text, { n })), h("span.row-facts", { dir: "auto" }, titleOf(row))));
  return [item(names, "to-name", "list", ""), item(unwritten, "to-write", "mic", "/notes"),
    item(requested, "to-run", "action", "/actions")];
}

/**
 * In a box whose height does not depend on what comes.
 * @param {Promise<(HTMLElement | false)[]>[]} parts
 */
function toDo(parts) {
  const list = h("ul.to-do-list", { "aria-busy": "true" });
  Promise.allSettled(parts).then((all) => {
    const items = all.flatMap((one) => (one.status === "fulfilled" ? one.value : [])).filter(Boolean);
    list.removeAttribute("aria-busy");
    list.replaceChildren(.../** @type {HTMLElement[]} */ (items.length ? items
      : [h("li.quiet", t(all.every(({ status }) => status === "fulfilled") ? "nothing-to-do" : "to-do-unknown"))]));
  });
  return h("section.to-do", h("h2", t("to-do")), list);
}

/**
 * Fills a place, and follows the list.
 * @param {HTMLElement} root
 */
export function lately(root) {
  /** @type {string | undefined} */
  let shown;
  /**
   * What is known of a session, as long as its row is the same.
   * @type {Map<string, { key: string, digest: Promise<Api.Digest>, toDo?: Promise<(HTMLElement | false)[]> }>}
   */
  const known = new Map();
  const about = (/** @type {Api.SessionRow} */ row) => {
    const key = JSON.stringify(row), before = known.get(row.handle);
    if (before?.key === key) return before;
    const digest = digestOf(row), now = { key, digest, toDo: me.can("mark") ? toDoOf(row, digest) : undefined };
    now.toDo?.catch(() => {});
    known.set(row.handle, now);
    return now;
  };
  const draw = () => {
    const rows = sessionRows.rows.filter(({ status, online }) => status === "closed" && online).slice(0, SHOWN);
    const key = JSON.stringify(sessionRows.rows);
    if (key === shown) return;
    shown = key;
    const all = rows.map((row) => ({ row, ...about(row) })), parts = all.flatMap(({ toDo: part }) => part ?? []);
    root.replaceChildren(.../** @type {HTMLElement[]} */ ([
      h("div.days-and-tasks", figures(), parts.length > 0 && toDo(parts)), rows.length > 0 && h("h2", t("lately")),
      rows.length > 0 && h("div.lately", all.map(({ row, digest }) => card(row, digest)))].filter(Boolean)));
  };
  draw();
  return sessionRows.changed.on(draw);
}

texts({
  "last-days": "The last 30 days",
  "all-time": "All sessions",
  "figure-sessions": "Sessions",
  "figure-length": "Recorded",
  "figure-marks": "Marks",
  "figure-notes": "Voice notes",
  "strip-label": {
    one: "Recorded on {n} of the last 30 days, at most {most} on a day",
    other: "Recorded on {n} of the last 30 days, at most {most} on a day",
  },
  "to-do": "To do",
  "to-name": { one: "{n} marker to name", other: "{n} markers to name" },
  "to-write": { one: "{n} voice note to write down", other: "{n} voice notes to write down" },
  "to-run": { one: "{n} action to run", other: "{n} actions to run" },
  "nothing-to-do": "All markers have names, and all voice notes are written down.",
  "to-do-unknown": "This could not be looked up.",
  "lately": "Lately",
});

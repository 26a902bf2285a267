/** The list of sessions. */
import { h, icon } from "../base/dom.js";
import { clock, SECOND, signal } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { me } from "../data/identity.js";
import { frame, route } from "../ui/frame.js";
import { come, emptyState, skeleton } from "../ui/say.js";

const PAGE = 100;

/**
 * The rows of all lists of sessions, newest first, as far as they were asked for.
 * @type {SessionRows}
 */
export const sessionRows = {
  rows: [], next: undefined, loaded: false, stale: false, error: undefined, loading: undefined, changed: signal(),
  async start() {
    const kept = await api.kept("sessions", { limit: PAGE });
    if (kept && !sessionRows.loaded) sessionRows.take(kept);
    return sessionRows.refresh();
  },
  /** After records were written: their counts are not urgent. */
  later() {
    sessionRows.timer ??= setTimeout(() => {
      sessionRows.timer = undefined;
      sessionRows.refresh();
    }, 2 * SECOND);
  },
  /** Asks again for the first rows; those behind them stay. */
  refresh() {
    if (sessionRows.loading) sessionRows.later();
    sessionRows.loading ??= (async () => {
      try {
        const limit = Math.min(1000, Math.max(PAGE, Math.ceil(sessionRows.rows.length / PAGE) * PAGE));
        const answer = await api.get("sessions", { query: { limit: PAGE }, keep: true });
        if (limit > PAGE && !answer.stale) Object.assign(answer, await api.get("sessions", { query: { limit } }));
        sessionRows.error = undefined;
        sessionRows.take(answer);
      } catch (error) {
        sessionRows.error = error;
        sessionRows.changed.tell();
      } finally {
        sessionRows.loading = undefined;
      }
    })();
    return sessionRows.loading;
  },
  take({ body, next, stale }) {
    const last = body.at(-1)?.handle;
    const from = next ? sessionRows.rows.findIndex((row) => row.handle === last) : -1;
    const rest = from >= 0 ? sessionRows.rows.slice(from + 1) : [];
    if (!rest.length || !sessionRows.next) sessionRows.next = next;
    Object.assign(sessionRows, { rows: [...body, ...rest], loaded: true, stale });
    frame.problems = sessionRows.rows.reduce((sum, row) => sum + row.errors, 0);
    sessionRows.changed.tell();
  },
  async more() {
    if (!sessionRows.next || sessionRows.loading || sessionRows.stale) return;
    sessionRows.loading = api.get("sessions", { query: { ...sessionRows.next, limit: 500 } });
    try {
      const { body, next } = await sessionRows.loading;
      const known = new Set(sessionRows.rows.map((row) => row.handle));
      sessionRows.rows.push(...body.filter((row) => !known.has(row.handle)));
      sessionRows.next = next;
      sessionRows.error = undefined;
    } catch (/** @type {any} */ error) {
      // Cursors live as long as the server: after a restart the list begins again.
      if (error.code === "cursor-malformed") setTimeout(sessionRows.refresh);
      sessionRows.error = error;
    } finally {
      sessionRows.loading = undefined;
      sessionRows.changed.tell();
    }
  },
};

/** @param {Omit<Api.SessionRow, "online">} row */
export function rowFacts(row) {
  const start = Date.parse(row.start_time ?? "");
  return [
    start && fmt.time(start), row.duration_ms !== undefined && fmt.length(row.duration_ms),
    row.marker_count > 0 && t("marks-n", { n: row.marker_count }),
      row.voice_note_count > 0 && t("notes-n", { n: row.voice_note_count }),
  ].filter(Boolean).join(" · ");
}

/**
 * The states of a session that need a word, as small signs; problems as a number, with the word for those who don't
 * see.
 * @param {Api.SessionRow} row
 */
function rowSigns(row) {
  const key = row.errors > 0 ? "problems-n" : "warnings-n", n = row.errors || row.warnings;
  return [
    isLive(row) && h("span.sign.live", row.paused_at_ms === undefined ? t("live") : t("paused")),
    row.forgotten_since
      && h("span.sign.late", { title: t("left-open-since", { when: fmt.ago(Date.parse(row.forgotten_since)) }) },
      t("left-open")),
    !row.online && h("span.sign", { title: t("drive-away-detail") }, t("drive-away")),
    n > 0 && h(`span.sign${row.errors > 0 ? ".bad" : ""}`, { title: t(key, { n }) }, icon("warning"),
      h("span", { "aria-hidden": "true" }, fmt.number(n)), h("span.off-screen", t(key, { n }))),
  ].filter(Boolean);
}

/** @param {Api.SessionRow} row */
export const isLive = (row) => row.status === "active" && !row.forgotten_since;
/** @param {{ title?: string }} row */
export const titleOf = (row) => row.title || t("untitled");

/** @param {Api.SessionRow} row */
function sessionRow(row) {
  const signs = rowSigns(row);
  return h("a.row", { href: `#/s/${encodeURIComponent(row.handle)}`, "data-handle": row.handle },
    h("span.row-title", { dir: "auto" }, titleOf(row)), h("span.row-facts", rowFacts(row)),
      signs.length > 0 && h("span.signs", signs));
}

/**
 * What of the list is seen; beside.js sets it.
 * @type {SessionChoice}
 */
export const choice = { rows: (all) => all, isByDay: true, isWhole: true };

/** @param {{ start_time?: string | null }} row */
export function dayOf(row) {
  const start = Date.parse(row.start_time ?? "");
  if (!start) return t("no-date");
  const today = new Date(clock.now()), yesterday = new Date(today);
  yesterday.setDate(today.getDate() - 1);
  const day = new Date(start).toDateString();
  return day === today.toDateString() ? t("today") : day === yesterday.toDateString() ? t("yesterday") : fmt.day(start);
}

export function markCurrent() {
  const handle = route.path[0] === "s" ? route.path[1] : undefined;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#side-list .row"))) {
    if (row.dataset.handle === handle) row.setAttribute("aria-current", "page");
    else row.removeAttribute("aria-current");
  }
}

/**
 * The list of sessions by day. Rows are built in blocks of a page; a block far from what is seen gives its elements
 * back and keeps its height, so that ten thousand sessions cost what two screens do.
 * @param {HTMLElement} root
 * @param {HTMLElement | null} scroller
 */
export function sessionsList(root, scroller = null) {
  const list = h("div.sessions"), foot = h("div.list-foot", { role: "status" });
  const tools = h("div.tools", { role: "search" });
  root.append(tools, list, foot);
  /** @type {Promise<void> | undefined} */
  let filled;
  /** @type {SessionBlock[]} */
  const blocks = [];
  const near =
    new IntersectionObserver((seen) => seen.forEach(({ target, isIntersecting }) =>
      fill(/** @type {SessionBlock} */ (target), isIntersecting)),
    { root: scroller, rootMargin: "1500px" });
  const end = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && sessionRows.more(),
    { root: scroller, rootMargin: "1000px" });

  /**
   * @param {SessionBlock} block
   * @param {boolean} shown
   */
  function fill(block, shown) {
    if (shown === (block.childElementCount > 0)) return;
    if (shown) {
      block.replaceChildren(.../** @type {HTMLElement[]} */ (block.rows.flatMap((row, n) => [
        choice.isByDay && (n ? dayOf(block.rows[n - 1]) : block.dayBefore) !== dayOf(row)
          && h("h2.day", dayOf(row)),
          sessionRow(row)].filter(Boolean))));
      block.style.height = "";
      markCurrent();
    } else {
      block.style.height = `${block.offsetHeight}px`;
      block.replaceChildren();
    }
  }

  function draw() {
    const { loaded, next, error, stale } = sessionRows, rows = choice.rows(sessionRows.rows);
    filled ??= come(import("./beside.js")).then(({ fillTools }) => fillTools(tools, draw), () => {
      filled = undefined; // The next answer asks again.
    });
    // Who looks for one looks in all of them.
    if (next && !error && !stale && !choice.isWhole) setTimeout(sessionRows.more);
    for (let n = 0; n * PAGE < rows.length; n++) {
      const part = rows.slice(n * PAGE, (n + 1) * PAGE);
      const block = blocks[n] ??= list.appendChild(/** @type {SessionBlock} */ (h("div.block")));
      const same = block.isByDay === choice.isByDay && block.rows?.length === part.length
        && part.every((row, place) => row === block.rows[place]
        || JSON.stringify(row) === JSON.stringify(block.rows[place]));
      if (same) continue;
      const dayBefore = n ? dayOf(rows[n * PAGE - 1]) : undefined;
      Object.assign(block, { rows: part, isByDay: choice.isByDay, dayBefore });
      if (block.childElementCount || n === 0) {
        const { activeElement } = document;
        const focused = block.contains(activeElement) ? /** @type {HTMLElement} */ (activeElement).dataset.handle
          : undefined;
        block.replaceChildren();
        fill(block, true);
        /** @type {HTMLElement | null} */
        const again = focused ? block.querySelector(`[data-handle="${CSS.escape(focused)}"]`) : null;
        again?.focus({ preventScroll: true });
      } else {
        block.style.height = `${part.length * 4.5}rem`;
        near.observe(block);
      }
      near.observe(block);
    }
    for (const block of blocks.splice(Math.ceil(rows.length / PAGE))) block.remove();
    const retry = h("button", { onclick: sessionRows.refresh }, t("retry"));
    foot.replaceChildren(.../** @type {Node[]} */ ([
      !loaded && !error && skeleton(6),
      !loaded && error && (scroller ? retry : emptyState("warning", t("list-failed"), problemText(error), retry)),
      loaded && sessionRows.rows.length > 0 && !rows.length && choice.none?.(next),
      loaded && !sessionRows.rows.length && (scroller ? h("p.quiet", t("no-sessions-title"))
        : emptyState("note", t("no-sessions-title"), t(me.filtered ? "no-sessions-guest" : "no-sessions"))),
      loaded && next && stale && h("p.quiet", t("older-offline")), loaded && next && error && retry,
      loaded && !next && rows.length > 8 && h("p.quiet", t("all-shown", { n: rows.length })),
    ].filter(Boolean)));
    // Observed again it reports where it is, even if it did not move out of sight in between.
    end.unobserve(foot);
    if (next && !error && !stale) end.observe(foot);
  }

  const off = sessionRows.changed.on(draw);
  draw();
  return {
    close() {
      off();
      near.disconnect();
      end.disconnect();
      root.replaceChildren();
    },
  };
}

texts({
  "yesterday": "Yesterday",
  "left-open-since": "Left open, last used {when}",
  "no-date": "Without a date",
  "marks-n": { one: "{n} mark", other: "{n} marks" },
  "notes-n": { one: "{n} note", other: "{n} notes" },
  "start": "Start a session",
  "no-sessions-title": "No sessions yet",
  "no-sessions": "A session appears here as soon as one is started or copied to the server.",
  "no-sessions-guest": "Nothing has been shared with you yet.",
  "list-failed": "The sessions could not be loaded",
  "older-offline": "Older sessions appear once the server can be reached.",
  "all-shown": { one: "{n} session", other: "{n} sessions" },
});

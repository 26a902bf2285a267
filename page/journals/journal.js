/** One journal, of any kind: its latest records, by day. */
import { h } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { dayOf } from "../ui/days.js";
import { frame } from "../ui/frame.js";
import { asOf, button, doing, loader, onEvents, portions, section } from "../ui/parts.js";
import { come, emptyState } from "../ui/say.js";
import { byDay, dayName, facts, keepLatest, pathOf, recordRow, titleOf } from "./record.js";

/**
 * Records, the latest first, under the days on which they were made.
 * @param {Api.TimelineRow[]} records
 */
function days(records) {
  return byDay(records, ({ time }) => dayOf(time))
    .map(([day, of]) => section(h("a", { href: `#/day/${day}`, "data-focus": day }, dayName(day)),
    portions(of, (record) => recordRow(record))));
}

/**
 * @param {HTMLElement} root
 * @param {string} handle
 */
export function journalView(root, handle) {
  const path = pathOf(handle);
  /** @type {number | undefined} */
  let oldest;
  frame.title(t("journals"), { back: "#/journals" });
  return loader(root, async (signal) => {
    /** @type {(tail: string, query?: Query) => Promise<Answered<any>>} */
    const get = (tail, query) => api.get(path + tail, { query, signal, keep: true });
    const [answer, found] = await Promise.all([get(""), get("/findings")]);
    const journal = answer.body,
      findings = found.body.flatMap((/** @type {Api.SessionFindings} */ group) => group.findings);
    const first = Date.parse(journal.first), last = Date.parse(journal.last);
    // Records come in the order of time, so that the latest are asked for by stretches of about a hundred.
    const length = Math.max(DAY, 100 * (last - first) / journal.records);
    /** @type {(until: number, stretch?: number) => Promise<Child[]>} */
    const before = async (until, stretch = length) => {
      /** @type {Api.TimelineRow[]} */
      const records = [];
      const since = oldest = until - stretch;
      /** @type {Query | false | undefined} */
      let next = until >= first && { since: iso(since), until: iso(until), limit: 1000 };
      for (let page; next; next = page.next) records.push(...(page = await get("/records", next)).body);
      if (!records.length) return since > first ? before(since - 1, 2 * stretch) : [];
      return [...days(records.reverse()), since > first && button(t("show-older"), doing(async (more) =>
        more.replaceWith(.../** @type {Node[]} */ ((await before(since - 1)).filter(Boolean)))), "more-link")];
    };
    const records = await before(last, oldest && last - oldest);
    const problems = findings.length ? await come(import("../ui/findings.js")) : undefined;
    keepLatest(`${path}/records`, 3);
    frame.title(titleOf(journal), { back: "#/journals" });
    return [asOf(answer), h("p.facts", facts(journal)),
      problems && section(t("problems"), problems.findingRows(findings, 3)),
      records.length ? records : emptyState("journal", t("no-records"))];
  }, { follows: [onEvents(["journal"], handle)] });
}

/** @param {number} ms */
const iso = (ms) => new Date(ms).toISOString();

texts({
  "no-records": "Nothing noted yet",
});

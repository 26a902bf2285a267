/** What lists of journals and of their records share. */
import { h } from "../base/dom.js";
import { categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { kindsWithPages } from "../data/kinds.js";
import { store } from "../data/store.js";
import { dots, kindSign, onEvents, small, words } from "../ui/parts.js";

export const NOON = "T12:00";
const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
/** @param {string} day */
export const dayName = (day) => fmt.day(Date.parse(day + NOON));
/** @param {{ handle: string }} journal */
export const addressOf = ({ handle }) => `#/journals/${encodeURIComponent(handle)}`;
/**
 * A journal's path below the API.
 * @param {string} handle
 * @returns {`journals/${string}`}
 */
export const pathOf = (handle) => `journals/${encodeURIComponent(handle)}`;
/** @param {string} kind */
const kindName = (kind) => kind[0].toUpperCase() + kind.slice(1);
/** @param {{ title?: string, kind: string }} journal */
export const titleOf = ({ title, kind }) => title || kindName(kind);
export const follows = [onEvents(["journal", "session", "marker", "voice_note"])];

/**
 * What a text says, and what it is about, with which its last line may end: "Score: 900 • Comet Racer".
 * @param {string} text
 */
export const saidAbout = (text) => /^([^]*?)\s• (.*)$/.exec(text)?.slice(1) ?? [text];

/**
 * Pairs of a day and what is of it, in the order in which they come.
 * @template One
 * @param {One[]} all
 * @param {(one: One) => string} dayOf
 * @returns {[string, One[]][]}
 */
export function byDay(all, dayOf) {
  const days = new Map();
  for (const one of all) {
    const day = dayOf(one), of = days.get(day) ?? [];
    days.set(day, of);
    of.push(one);
  }
  return [...days];
}

/**
 * A record: when, what it says, what it is about. With an address it is a link.
 * @param {Api.TimelineRow} record
 * @param {string} [about]
 * @param {string} [href]
 */
export function recordRow(record, about, href) {
  const { entry, time, text } = record;
  const [said, subject] = saidAbout(text);
  // The first line may begin with a heading.
  const [, title, more] = /^(.{1,80}?)(?::?\n|: (?=[^]{24}))([^]+)$/.exec(said) ?? [said, said];
  return h("li", h(href ? "a.item" : "div.item", { href, "data-focus": record.record_id },
    h("span.time", fmt.time(Date.parse(time))), about && kindSign({ ...record, kind: entry }),
    h("div.item-text", h("b", { dir: "auto" }, title || categoryOf(/** @type {any} */ (record.record)?.tags)?.name()
      || t("unnamed")),
      more && words(more, "p.lines"),
      (subject || about) && small(dots(subject, about)))));
}

/**
 * Of what was kept for times without a network, below a path, only the latest answers stay.
 * @param {string} path
 * @param {number} most
 */
export async function keepLatest(path, most) {
  const kept = await store.all("kept", IDBKeyRange.bound(path, `${path}\uffff`)).catch(() => []);
  for (const { address } of kept.sort((a, b) => b.at - a.at).slice(most)) await store.del("kept", address);
}

/**
 * All pages of a list.
 * @template {string} Path
 * @param {Path} path
 * @param {Query} query
 * @param {AbortSignal} signal
 * @returns {Promise<Answered<any>>}
 */
export async function whole(path, query, signal) {
  /** @type {Answered<any>} */
  const answer = await api.get(path, { query: { ...query, limit: 1000 }, signal, keep: true });
  for (let { next } = answer; next;) {
    /** @type {Answered<any>} */
    const page = await api.get(path, { query: next, signal, keep: true });
    answer.body = answer.body.concat(page.body);
    ({ next } = page);
  }
  return answer;
}

/**
 * @returns {Promise<any>}
 * @param {AbortSignal} signal
 */
export async function list(signal) {
  const kind = await kindsWithPages();
  return kind.length ? whole("journals", { kind }, signal) : { body: [] };
}

/** @param {Api.JournalRow} journal */
export const facts = ({ kind, records, first, last }) => dots(kindName(kind), t("records-n", { n: records }),
  first && dates.formatRange(Date.parse(first), Date.parse(last ?? first)));

texts({
  "records-n": { one: "{n} record", other: "{n} records" },
  "show-older": "Show older",
});

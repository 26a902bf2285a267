/** Texts, times and numbers. */
import { clock, DAY, HOUR, MINUTE, SECOND } from "./flow.js";

/** @type {Record<string, any>} */
const strings = {};

/**
 * Adds texts to the one table of the page; a module has those that it shows. In a text `{name}` is filled in, and of an
 * entry {one, other} the plural rules of English choose one for `values.n`.
 * @param {Record<string, string | { one: string, other: string }>} table
 */
export const texts = (table) => Object.assign(strings, table);
/**
 * Whether there is a text of this name.
 * @param {string} key
 */
export const knows = (key) => key in strings;

const plural = new Intl.PluralRules("en");

/**
 * The text of a name, with its values.
 * @param {string} key
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  let text = strings[key] ?? key;
  if (typeof text === "object") text = text[plural.select(values.n)] ?? text.other;
  /** @param {unknown} value */
  const written = (value) => (typeof value === "number" ? fmt.number(value) : value);
  return text.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => written(values[name])
    ?? whole);
}

const numbers = new Intl.NumberFormat();
const days = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const daysOfYears = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short",
  year: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const since = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
/** @param {number} n */
const two = (n) => String(n).padStart(2, "0");

/**
 * How times (ms since 1970), offsets and lengths (ms) and sizes (bytes) are written.
 * @type {Format}
 */
export const fmt = {
  number: (n) => numbers.format(n),
  offset(ms) {
    const s = Math.max(0, Math.floor(ms / SECOND));
    return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}`
      : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  },
  exact: (ms) => `${fmt.offset(ms)}.${Math.floor(Math.max(0, ms) / 100) % 10}`,
  length(ms) {
    const s = Math.round(ms / SECOND), m = Math.round(ms / MINUTE);
    if (s < 60) return t("seconds", { s });
    return m < 60 ? t("minutes", { m }) : t("hours", { h: Math.floor(m / 60), m: two(m % 60) });
  },
  day(ms) {
    const year = new Date(clock.now()).getFullYear();
    return (new Date(ms).getFullYear() === year ? days : daysOfYears).format(ms);
  },
  time: (ms) => times.format(ms),
  dateTime: (ms) => `${fmt.day(ms)}, ${fmt.time(ms)}`,
  bytes(n) {
    const power = n < 1000 ? 0 : n < 1e6 ? 1 : n < 1e9 ? 2 : 3;
    const value = n / 1000 ** power;
    const digits = value < 10 && power ? 10 : 1;
    return `${numbers.format(Math.round(value * digits) / digits)} ${["B", "kB", "MB", "GB"][power]}`;
  },
  ago(ms) {
    const passed = clock.now() - ms;
    if (passed < MINUTE) return t("just-now");
    if (passed < HOUR) return since.format(-Math.round(passed / MINUTE), "minute");
    return passed < DAY ? since.format(-Math.round(passed / HOUR), "hour")
      : since.format(-Math.round(passed / DAY), "day");
  },
};

texts({
  "retry": "Try again",
  "today": "Today",
  "seconds": "{s} s",
  "minutes": "{m} min",
  "hours": "{h} h {m} min",
  "just-now": "just now",
  "untitled": "Untitled session",
  "not-found-title": "Nothing here",
  "not-found": "This address does not lead anywhere.",
  "to-sessions": "Go to the sessions",
  "view-failed-title": "This view could not be opened",
  "view-failed": "Part of the page could not be loaded. Check the connection and try again.",
  "live": "Live",
  "paused": "Paused",
  "left-open": "Left open",
  "drive-away": "Not reachable",
  "drive-away-detail": "The disk with this session is not connected. You see what was last known.",
  "problems-n": { one: "{n} problem", other: "{n} problems" },
  "warnings-n": { one: "{n} warning", other: "{n} warnings" },
  "open-live": "Mark now",
  "open": "Open",
  "close": "Close",
});

/** A day of all journals and sessions. */
import { h } from "../base/dom.js";
import { clock, DAY } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { dayOf } from "../ui/days.js";
import { frame, go } from "../ui/frame.js";
import { arrow, asOf, button, loader, portions } from "../ui/parts.js";
import { announce, emptyState } from "../ui/say.js";
import { addressOf, dayName, follows, keepLatest, list, NOON, recordRow, titleOf, whole } from "./record.js";

/** @type {ViewMaker<Route>} */
export function open(root, route) {
  const date = h("input", { type: "date", required: true, "aria-label": t("date") }), content = h("div");
  let day = "";
  /** @type {View | undefined} */
  let view;
  const to = (/** @type {string} */ other) => go(`#/day/${other}`);
  // From noon on, since not every day has 24 hours.
  const shift = (/** @type {number} */ n) => to(dayOf(new Date(Date.parse(day + NOON) + n * DAY)));
  date.addEventListener("change", () => date.value && to(date.value));
  const update = (/** @type {Route} */ { path: [, asked] }) => {
    day = Date.parse(asked + NOON) ? asked : dayOf(new Date(clock.now()));
    date.value = day;
    frame.title(dayName(day), { back: "#/journals" });
    if (view) announce(dayName(day));
    view?.close();
    view = loader(content, (signal) => dayNodes(day, to, signal), { follows });
  };
  root.append(h("div.when", arrow(-1, shift), date, arrow(1, shift)), content);
  update(route);
  return { update, close: () => view?.close() };
}

/**
 * @param {string} day
 * @param {(day: string) => unknown} open
 * @param {AbortSignal} signal
 */
async function dayNodes(day, open, signal) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await whole("timeline", { day, zone }, signal);
  keepLatest("timeline", 30);
  if (answer.body.length) return [asOf(answer),
    portions(answer.body, (/** @type {any} */ record) => recordRow(record, titleOf(record),
    record.kind === "session" ? `#/s/${record.handle}?at=${record.record?.offset_ms ?? 0}` : addressOf(record)))];
  const last = (await list(signal)).body.map((/** @type {Api.JournalRow} */ journal) => journal.last).filter(Boolean)
    .map(dayOf).sort().at(-1);
  return [asOf(answer), emptyState("day", t("empty-day-all"), "",
    last < day && button(t("last-day", { day: dayName(last) }), () => open(last), "primary"))];
}

texts({
  "empty-day-all": "Nothing on this day",
  "last-day": "Go to {day}",
});

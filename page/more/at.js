/** What went on at a moment, and its day. */
import { h, icon } from "../base/dom.js";
import { clock, DAY, HOUR, MINUTE } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { civil } from "../ui/days.js";
import { go } from "../ui/frame.js";
import { arrow, button, doing, kindSign, loader, nameOfSession, offsetRow, section, sized, tick } from "../ui/parts.js";
import { emptyState, toast } from "../ui/say.js";

/**
 * A day's line with what ran then, and what was around the moment that is asked for.
 * @type {ViewMaker<Route>}
 */
export function open(root, route) {
  const date = h("input", { type: "date", required: true, "aria-label": t("date") }),
    time = h("input", { type: "time", required: true, "aria-label": t("time") });
  const content = h("div"), to = (/** @type {number} */ ms) => go(`#/at/${civil(ms)}`);
  let moment = 0;
  /** @type {View | undefined} */
  let view;
  const shift = (/** @type {number} */ days) => to(new Date(moment)
    .setDate(new Date(moment).getDate() + days)); // not every day has 24 hours
  const typed = () => date.value && time.value && to(Date.parse(`${date.value}T${time.value}`));
  for (const input of [date, time]) input.addEventListener("change", typed);
  const update = (/** @type {Route} */ { path }) => {
    moment = Date.parse(path[1] ?? "");
    view?.close();
    view = loader(content, async (signal) => {
      moment ||= Date.parse((await api.get("sessions",
        { query: { limit: 1 }, signal, keep: true })).body[0]?.start_time ?? "") || clock.now();
      [date.value, time.value] = civil(moment).split("T");
      return dayNodes(moment, to, signal);
    });
  };
  root.replaceChildren(h("div.when", arrow(-1, shift), date, arrow(1, shift), time), content);
  update(route);
  return { update, close: () => view?.close() };
}

/**
 * @param {number} moment
 * @param {(ms: number) => unknown} open
 * @param {AbortSignal} signal
 */
async function dayNodes(moment, open, signal) {
  const start = new Date(moment).setHours(0, 0, 0, 0), end = new Date(start + 36 * HOUR).setHours(0, 0, 0, 0);
  /** @param {number} ms */
  const text = (ms) => new Date(ms).toISOString();
  /** @type {<Path extends string>(path: Path, query?: Query) => Promise<Answered<Api.Answer<`GET ${Path}`>>>} */
  const get = (path, query) => api.get(path, { query, signal }); // not kept: there would be no end of days
  /** @type {<Path extends string>(path: Path, query: Query) => Promise<{ body: any[] }>} */
  const all = async (path, query) => {
    const body = [];
    for (let next = /** @type {Query | undefined} */ (query); next;) {
      /** @type {Answered<any>} */
      const page = await get(path, next);
      for (const one of page.body) body.push(one);
      ({ next } = page);
    }
    return { body };
  };
  const [{ body: sessions }, { body: markers }, around] = await Promise.all([
    all("sessions", { since: text(start - DAY), until: text(end - 1), limit: 1000 }),
      // also those that went on past midnight
    all("markers", { since: text(start), until: text(end - 1), limit: 1000 }),
      get("at", { time: text(moment), within: "120s" })]);
  const now = clock.now();
  const ran = sessions.filter((session) => session.start_time).map((session) => {
    const from = Date.parse(session.start_time), isRunning = session.status === "active" && !session.forgotten_since;
    return { session, from, to: Date.parse(session.end_time ?? session.forgotten_since ?? "")
      || (isRunning ? now : from + (session.duration_ms ?? MINUTE)) };
  });
  const lanes = ran.filter(({ to }) => to >= start).reverse()
    .map(({ session, from, to }) => ({ session, from: Math.max(start, from), to: Math.min(end, to) }));
  // One that was left open long ago is not among those of the day.
  const isOn = (/** @type {{ handle: string }} */ { handle }) => ran
    .some(({ session, to }) => session.handle === handle && to + MINUTE >= moment);
  const running = around.body.filter(isOn)
    .map((/** @type {any} */ { handle, offset_ms: offset, records, title }) =>
    section(h("a", { href: `#/s/${handle}?at=${offset}` }, nameOfSession({ title })),
    h("ul.items", offsetRow(handle, offset, icon("play"), t("open-here")),
      records.map((/** @type {any} */ { kind, offset_ms: ms, record = {} }) =>
        offsetRow(handle, ms, kindSign({ kind, record }),
      (record.label || record.text || record.transcript_text || record.note || t(`one-${kind}`)).slice(0, 300))))));
  const earlier = doing(async () => {
    const { body: [last] } = await get("sessions", { until: text(start - 1), limit: 1 });
    return last?.start_time ? open(Date.parse(last.start_time)) : toast(t("none-before"));
  });
  const nothing = lanes.length ? h("p.quiet", t("nothing-at", { time: fmt.time(moment) }))
    : emptyState("day", t("empty-day"), t("empty-day-text"), button(t("last-before"), earlier, "primary"));
  return [lanes.length > 0 && dayLine(lanes, markers, moment, [start, end], open), running.length ? running : nothing];
}

/**
 * Sessions as bars, markers as ticks, over the hours in which there are any. A press beside them asks for a moment.
 * @param {{ session: Api.SessionRow, from: number, to: number }[]} lanes
 * @param {any[]} markers
 * @param {number} moment
 * @param {[number, number]} day
 * @param {(ms: number) => unknown} open
 */
function dayLine(lanes, markers, moment, [start, end], open) {
  /** @param {number} ms */
  const hour = (ms) => new Date(ms).setMinutes(0, 0, 0);
  const from = Math.max(start, hour(Math.min(moment, ...lanes.map((lane) => lane.from)) - 10 * MINUTE));
  const to = Math.min(end, Math.max(from + 2 * HOUR,
    hour(Math.max(moment, ...lanes.map((lane) => lane.to)) + 70 * MINUTE)));
  /** @param {number} ms */
  const share = (ms) => (ms - from) / (to - from), step = Math.ceil((to - from) / HOUR / 5) * HOUR;
  /** @param {{ session: Api.SessionRow, from: number, to: number }} lane */
  const bar = ({ session, from: first, to: last }) => {
    /** @type {Record<string, number>} */
    const side = share(first) > 0.55 ? { right: 1 - share(last) }
      : { left: share(first) }; // where there is room for the name
    return h("a.lane", { href: `#/s/${session.handle}`,
      "aria-label": t("lane-label", { title: nameOfSession(session), from: fmt.time(first), to: fmt.time(last) }) },
      sized(h("span.lane-name", { dir: "auto" }, nameOfSession(session)), side),
      sized(h("span.bar", markers.filter((marker) => marker.handle === session.handle && marker.wall_time)
        .map((marker) => tick(marker, (Date.parse(marker.wall_time) - first) / (last - first || 1)))),
          { left: share(first), width: share(last) - share(first) }));
  };
  const hours = Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => from + n * step);
  return h("div.day-line", { dir: "ltr", onclick({ target, currentTarget, clientX }) {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (!target.closest("a")) open(from + ((clientX - left) / width) * (to - from));
  } }, h("div.hours", { "aria-hidden": "true" },
    hours.map((ms) => sized(h("span", fmt.time(ms)), { left: share(ms) }))),
  lanes.map(bar), sized(h("i.now", { "aria-hidden": "true" }), { left: share(moment) }));
}

texts({
  "time": "Time",
  "lane-label": "{title}, {from} to {to}",
  "open-here": "Open at this moment",
  "nothing-at": "Nothing was running at {time}.",
  "empty-day": "No sessions on this day",
  "empty-day-text": "Choose another day, or go to the last one before it.",
  "last-before": "Previous session",
  "none-before": "There is no earlier session.",
});

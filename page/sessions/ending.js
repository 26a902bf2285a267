/** Ending a session. Loaded when that is asked. */
import { h } from "../base/dom.js";
import { clock, HOUR, sessionOffset } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { civil } from "../ui/days.js";
import { dialog } from "../ui/say.js";
import "../ui/shared.js";
import { placeOf } from "./names.js";

/**
 * The moment of the last marker of a session that runs; undefined if there is none.
 * @param {OpenSession} session
 */
async function lastRecord({ handle, clock: times }) {
  const query = { around: sessionOffset(times), limit: 3 };
  const { body } = await api.get(`sessions/${handle}/markers`, { query }).catch(() => ({ body: [] }));
  if (!body.length) return undefined;
  const last = placeOf(/** @type {Marker} */ (body.at(-1)));
  const { start_time: start, pauses = [] } = /** @type {SessionClock} */ (times);
  return Date.parse(start ?? "")
    + pauses.reduce((sum, pause) => sum + (pause.offset_ms < last ? pause.length_ms : 0), last);
}

/**
 * Asks whether and when it ended: "now", or the moment, which of one that was left open is that of its last record;
 * undefined if it still runs.
 * @param {OpenSession} session
 * @returns {Promise<string | undefined>}
 */
export async function chooseEnd(session) {
  const now = clock.now(), start = Date.parse(session.start_time ?? "");
  const last = Math.max(start, await lastRecord(session) ?? 0), time = fmt.dateTime(last);
  const isLong = now - last > HOUR;
  const actions = /** @type {Choice[]} */ ([{ label: t("cancel") },
    isLong && { label: t("end-at", { time }), value: "last", primary: true },
    { label: t(isLong ? "end-now" : "end-session"), value: "now", danger: true }].filter(Boolean));
  const text = isLong ? t("end-long", { length: fmt.length(now - start), time }) : t("end-text");
  const chosen = await dialog({ title: t("end-title"), body: h("p", text), actions });
  return chosen === "last" ? new Date(last).toISOString() : chosen;
}

/**
 * Of a session in which nothing has happened since a moment: whether it ended then, at another time, or still runs.
 * @param {OpenSession} session
 * @param {number} since
 * @param {(at: string) => unknown} close
 * @param {() => unknown} goOn
 */
export function leftOpen({ start_time: start }, since, close, goOn) {
  const time = fmt.dateTime(since);
  /** @type {HTMLInputElement} */
  const when = h("input", { type: "datetime-local", value: civil(since), "aria-label": t("end-when"),
    min: civil(Date.parse(start ?? "")), max: civil(clock.now()) });
  const at = (/** @type {number} */ ms) => close(new Date(ms).toISOString());
  return h("section.left-open", h("h2", t("left-open")), h("p", t("left-open-last", { time })),
    h("div.buttons", h("button.primary", { type: "button", onclick: () => at(since) }, t("end-at", { time })),
      h("button", { type: "button", onclick: goOn }, t("still-runs"))),
    h("form.end-when", { onsubmit: (event) => {
      event.preventDefault();
      at(Date.parse(when.value));
    } }, when, h("button", t("end-then"))));
}

texts({
  "end-at": "End it on {time}",
  "end-long": "It would be {length} long. Something was marked last on {time}.",
  "end-now": "End it now",
  "end-text": "The clock stops for good. You can still listen, mark and name afterwards.",
  "end-title": "End this session?",
  "end-when": "When it ended",
  "end-then": "End it then",
  "left-open-last": "Nothing has happened in it since {time}.",
  "still-runs": "It still runs",
});

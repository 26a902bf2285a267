/** Sessions that were left open. */
import { texts } from "../base/words.js";
import { sessionOffset } from "../base/flow.js";
import { api } from "../data/api.js";
import { placeOf } from "./markers.js";

/** When something happened last in a session that was left open; undefined for one that runs, or if it is not known. */
export async function forgottenSince({ handle, status, start_time: start }) {
  if (status !== "active" || !start) return undefined;
  const query = { since: start, until: new Date(Date.parse(start) + 1000).toISOString(), limit: 1000 };
  const rows = await api.get("sessions", { query, keep: true }).then(({ body }) => body, () => []);
  return rows.find((row) => row.handle === handle)?.forgotten_since;
}

/** The moment of the last marker of a session that runs; undefined if there is none. */
export async function lastRecord({ handle, clock: times }) {
  const query = { around: sessionOffset(times), limit: 3 };
  const { body } = await api.get(`sessions/${handle}/markers`, { query }).catch(() => ({ body: [] }));
  if (!body.length) return undefined;
  const last = placeOf(body.at(-1)), { start_time: start, pauses = [] } = times;
  return Date.parse(start) + pauses.reduce((sum, pause) => sum + (pause.offset_ms < last ? pause.length_ms : 0), last);
}

texts({
  "session-failed": "This session could not be opened",
});

/** Whether a session was left open. */
import { texts } from "../base/words.js";
import { api } from "../data/api.js";

/**
 * When something happened last in a session that was left open; undefined for one that runs, or if it is not known.
 * @param {Api.SessionDetails} session
 */
export async function forgottenSince({ handle, status, start_time: start }) {
  if (status !== "active" || !start) return undefined;
  const query = { since: start, until: new Date(Date.parse(start) + 1000).toISOString(), limit: 1000 };
  const rows = await api.get("sessions", { query, keep: true }).then(({ body }) => body, () => []);
  return rows.find((row) => row.handle === handle)?.forgotten_since;
}

texts({
  "session-failed": "This session could not be opened",
});

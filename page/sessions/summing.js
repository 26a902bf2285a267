/** What the first view sums up of sessions. Nothing of it asks or draws. */

/**
 * How much was recorded on each of the last days, the last of them that of `now`: days of this device.
 * @param {{ start_time?: string | null, duration_ms?: number }[]} rows
 * @param {number} now
 * @param {number} count
 * @returns {{ at: number, length: number }[]} noon of each day, and how long (ms) what began on it is
 */
export function lastDays(rows, now, count = 30) {
  const days = Array.from({ length: count }, (_, place) => {
    const noon = new Date(now);
    noon.setHours(12, 0, 0, 0);
    noon.setDate(noon.getDate() - (count - 1 - place)); // not every day has 24 hours
    return { at: noon.getTime(), length: 0 };
  });
  const byDay = new Map(days.map((day) => [new Date(day.at).toDateString(), day]));
  for (const { start_time: start, duration_ms: length = 0 } of rows) {
    const day = byDay.get(new Date(start ?? NaN).toDateString());
    if (day) day.length += length;
  }
  return days;
}

/**
 * What of a session is left to do: markers to name, notes to write down, actions that somebody has asked for.
 * @param {{ label?: string }[]} markers
 * @param {{ transcript_text?: string }[]} notes
 * @param {{ status: string }[]} actions
 */
export const leftToDo = (markers, notes, actions) => ({
  names: markers.filter(({ label }) => !label).length,
  notes: notes.filter(({ transcript_text: text }) => !text).length,
  actions: actions.filter(({ status }) => status === "requested" || status === "started").length,
});

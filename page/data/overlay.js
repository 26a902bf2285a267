/** What entries that wait make of what the server told. Nothing of it asks or draws. */

/**
 * Of the entries of a session: markers that are not in it yet, by their ids; the ids of those that leave it; and a
 * text that is another one as soon as a voice note waits, is on its way or has gone.
 * @param {Entry[]} entries
 */
export function overlayOf(entries) {
  const ofKind = (/** @type {string} */ kind) => entries.filter((entry) => entry.kind === kind);
  return {
    pending: new Map(ofKind("marker").map((entry) => [entry.id, entry])),
    leaving: new Set(ofKind("marker.remove").filter(({ state }) => state !== "needs-you")
      .map(({ body }) => body.record_id)),
    spoken: ofKind("voice_note").map(({ id, state }) => id + state).join(),
  };
}

/**
 * The rows but those whose removal waits; `idOf` tells by which id a removal names a row.
 * @template {{ id: any }} Row
 * @param {Row[]} rows
 * @param {Set<any>} removed
 * @param {(row: Row) => any} [idOf]
 */
export const without = (rows, removed, idOf = ({ id }) => id) =>
  (removed.size ? rows.filter((row) => !removed.has(idOf(row))) : rows);

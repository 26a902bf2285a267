/** Where a session's recordings begin and end, and in which order they are played. Positions are ms in the session. */

// How much two recordings may overlap and still follow each other: lengths are rounded, and players find their own.
const SLACK = 500;

/** @param {Pick<Api.SessionMedia, "start_offset_ms">} item */
export const startOf = ({ start_offset_ms: start = 0 }) => start;

/**
 * Of a recording without a length it is where it begins.
 * @param {Pick<Api.SessionMedia, "start_offset_ms" | "duration_ms">} item
 */
export const endOf = ({ start_offset_ms: start = 0, duration_ms: length = 0 }) => start + length;

/**
 * The recording that is played after one that ends at `end`: the next by its start. What overlaps the one that was
 * played, as review audio does, was heard already, and is left out; undefined where nothing is left.
 * @param {Api.SessionMedia[]} media
 * @param {Api.SessionMedia} item
 * @param {number} end
 * @returns {Api.SessionMedia | undefined}
 */
export function following(media, item, end) {
  return media.filter((one) => startOf(one) > startOf(item) && startOf(one) >= end - SLACK)
    .reduce((/** @type {Api.SessionMedia | undefined} */ first, one) =>
      (first && startOf(first) <= startOf(one) ? first : one), undefined);
}

/**
 * The recording that is nearest to a position; of two that are as near, the one that is given.
 * @param {Api.SessionMedia[]} media
 * @param {Api.SessionMedia} item
 * @param {number} position
 */
export function nearest(media, item, position) {
  const away = (/** @type {Api.SessionMedia} */ one) => Math.max(startOf(one) - position, position - endOf(one), 0);
  return media.reduce((best, one) => (away(one) < away(best) ? one : best), item);
}

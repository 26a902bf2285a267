/** What was said, as it is read. Nothing of it asks or draws. */
import { placeOf } from "./names.js";

const GAP = 1500; // ms: a longer silence ends a paragraph

/**
 * Where a segment ends, in ms of the session.
 * @param {Segment} segment
 */
export const endOf = (segment) => placeOf(segment) + (segment.duration_ms ?? 0);

/**
 * Segments in their order as paragraphs: one ends where nothing is said for a while, or somebody else speaks.
 * @param {Segment[]} segments
 */
export function paragraphsOf(segments) {
  /** @type {Segment[][]} */
  const paragraphs = [];
  for (const segment of segments) {
    const before = paragraphs.at(-1)?.at(-1);
    const isNear = before && placeOf(segment) - endOf(before) < GAP && before.speaker === segment.speaker;
    if (isNear) paragraphs.at(-1)?.push(segment);
    else paragraphs.push([segment]);
  }
  return paragraphs;
}

/**
 * Words as the name of a marker: no longer than such a name is, and whole as far as they go.
 * @param {string} words
 * @param {number} limit
 */
export function nameOfPassage(words, limit = 100) {
  const plain = words.replace(/\s+/g, " ").trim();
  if (plain.length <= limit) return plain;
  const cut = plain.slice(0, limit - 1), end = cut.lastIndexOf(" ");
  return `${(end > limit / 2 ? cut.slice(0, end) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Where a recording is silent, and where to go from there. Nothing of it asks or draws. Times are ms. */

const QUIET = 2; // of 128
const LEAST = 3000; // ms: what is shorter belongs to the music
const BEFORE = 300; // ms that are heard before the sound begins
const WORTH = 500; // ms: less is not left out

/**
 * The silences of a recording, as `[from, to]`.
 * @param {(Int8Array | undefined)[]} blocks least and greatest of each point, in order; what is missing is not silent
 * @param {number} points of each block but the last
 * @param {number} length of a point
 */
export function silencesOf(blocks, points, length) {
  /** @type {[number, number][]} */
  const silences = [];
  let begin = -1, end = 0;
  const finish = () => {
    if (begin >= 0 && (end - begin) * length >= LEAST) silences.push([begin * length, end * length]);
    begin = -1;
  };
  blocks.forEach((block, number) => {
    const pairs = block ? block.length >> 1 : 0;
    for (let pair = 0; pair < pairs; pair += 1) {
      const isQuiet = block && block[2 * pair] >= -QUIET && block[2 * pair + 1] <= QUIET;
      if (!isQuiet) finish();
      else if (begin < 0) begin = number * points + pair;
      end = number * points + pair + 1;
    }
    if (pairs < points) finish();
  });
  finish();
  return silences;
}

/**
 * Where to go from a position, if it is in a silence. A marker is never skipped: what is before it and what is after it
 * are silences of their own.
 * @param {number} position
 * @param {[number, number][]} silences by the same clock as the position
 * @param {{ here?: number, next?: number }} markers the last one that is not after the position, and the next one
 * @returns {number | undefined}
 */
export function jumpFrom(position, silences, { here = -Infinity, next = Infinity }) {
  const silence = silences.find(([from, to]) => from <= position && position < to);
  if (!silence) return undefined;
  const from = Math.max(silence[0], here), to = Math.min(silence[1], next), place = to - BEFORE;
  return to - from >= LEAST && place - position >= WORTH ? place : undefined;
}

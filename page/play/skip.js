/** Leaves out silence while a recording plays. Loaded when that is chosen. */
import { BLOCK, Peaks } from "./peaks.js";
import { jumpFrom, silencesOf } from "./silence.js";

const LEVEL = 4;

/** The silences of one recording, as far as its peaks are here. */
class Silences {
  /** @type {[number, number][] | undefined} */
  #known;

  /**
   * @param {string} path
   * @param {number} start ms
   */
  constructor(path, start) {
    this.start = start;
    this.peaks = new Peaks(path, () => (this.#known = undefined));
  }

  /**
   * Those that are known, in ms of the session; has the peaks around a position fetched.
   * @param {number} position
   */
  around(position) {
    const { start, peaks } = this;
    const level = peaks.blocks(LEVEL, 0, 0), block = Math.floor((position - start) / 1000 * level.rate / BLOCK);
    // Which block is the last one says the first.
    peaks.blocks(LEVEL, block, level.last === undefined ? block : block + 1);
    if (!this.#known) {
      const blocks = Array.from({ length: Math.max(-1, ...level.blocks.keys()) + 1 }, (_, n) => level.blocks.get(n));
      const silences = silencesOf(blocks, BLOCK, 1000 / level.rate);
      this.#known = silences.map(([from, to]) => /** @type {[number, number]} */ ([from + start, to + start]));
    }
    return this.#known;
  }
}

export class Skipping {
  /** @type {Map<string, Silences>} */
  #recordings = new Map();

  /** @param {import("./player.js").Player} player */
  constructor(player) {
    this.player = player;
    this.off = player.on((what) => what === "tick" && this.#tick());
  }

  #tick() {
    const { player } = this;
    // In a loop every moment is wanted.
    if (!player.isPlaying || player.loop || !player.item?.id) return;
    const { item: { id }, start, handle } = player;
    if (!this.#recordings.has(id)) this.#recordings.set(id, new Silences(`sessions/${handle}/media/${id}`, start));
    const position = player.position(), silences = this.#recordings.get(id)?.around(position) ?? [];
    // Where the markers are not known yet, nothing is left out.
    const markers = silences.some(([from, to]) => from <= position && position < to) && player.around?.(position);
    const to = markers ? jumpFrom(position, silences, markers) : undefined;
    if (to !== undefined) player.skipTo(to);
  }

  close() { this.off(); }
}

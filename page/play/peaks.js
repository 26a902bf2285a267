/** The least and the greatest of a recording's sound, stretch by stretch. */
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";

const LEVELS = [64, 16, 4, 1];
export const PEAKS_A_SECOND = 50; // of level 1
export const BLOCK = 8192; // points
const HEAD = 24; // bytes of audiowaveform's header, version 2

/** Least and greatest of a recording at four levels, fetched by ranges. */
export class Peaks {
  /** @type {Map<number, PeakLevel>} */
  #levels = new Map();
  /** @type {string | undefined} */
  problem;
  isOffline = false;
  waits = false;

  /**
   * @param {string} path
   * @param {() => unknown} changed
   */
  constructor(path, changed) {
    this.path = path;
    this.changed = changed;
  }

  /**
   * The coarsest level that is finer than the pixels; `wanted` in points a second.
   * @param {number} wanted
   */
  level(wanted) { return LEVELS.find((level) => PEAKS_A_SECOND / level >= wanted) ?? 1; }

  /**
   * The blocks of a level that are here, and fetches those that are not.
   * @param {number} level
   * @param {number} first
   * @param {number} last
   */
  blocks(level, first, last) {
    if (!this.#levels.has(level)) this.#levels.set(level, { rate: PEAKS_A_SECOND / level, blocks: new Map() });
    const known = /** @type {PeakLevel} */ (this.#levels.get(level));
    for (let block = Math.max(0, first); block <= Math.min(last, known.last ?? last); block += 1) {
      if (!known.blocks.has(block)) this.#fetch(known, level, block);
    }
    return known;
  }

  /**
   * @param {PeakLevel} known
   * @param {number} level
   * @param {number} block
   */
  async #fetch(known, level, block) {
    if (this.problem || this.waits) return;
    known.blocks.set(block, undefined);
    const [from, to] = [block && HEAD + block * BLOCK * 2, HEAD + (block + 1) * BLOCK * 2 - 1];
    try {
      const headers = { Range: `bytes=${from}-${to}` };
      const answer = await api.get(`${this.path}/peaks`, { query: { level }, as: "bytes", headers });
      const bytes = /** @type {ArrayBuffer} */ (answer.body);
      if (answer.status === 202 || answer.headers.has("retry-after")) {
        this.waits = true;
        known.blocks.delete(block);
        setTimeout(() => {
          this.waits = false;
          this.changed();
        }, 1000 * Math.max(1, Number(answer.headers.get("retry-after")) || 2));
        return this.changed();
      }
      const head = new DataView(bytes);
      if (block === 0) {
        if (head.getInt32(0, true) !== 2 || head.getUint32(4, true) !== 1) throw new Error(t("wave-format"));
        known.rate = head.getInt32(8, true) / head.getInt32(12, true);
        known.last = Math.max(0, Math.ceil(head.getUint32(16, true) / BLOCK) - 1);
      }
      known.blocks.set(block, new Int8Array(bytes, block === 0 ? HEAD : 0));
    } catch (/** @type {any} */ error) {
      known.blocks.delete(block);
      if (error.status === 416) known.last = block - 1;
      else this.problem = error.offline ? t("wave-offline") : error.detail ?? error.message;
      this.isOffline = error.offline;
    }
    this.changed();
  }
}

texts({
  "wave-offline": "it can’t be loaded without a network.",
  "wave-format": "its format is not known here.",
});

/** The markers of a session, however many. Nothing of it draws. */
import { SECOND } from "../base/flow.js";
import { categories, categoryOf } from "../base/record.js";
import { api } from "../data/api.js";
import { placeOf } from "./names.js";

const CELLS = 2000; // the most that the server tells at once
const SMALL = 1000; // markers that are fetched as one list, and kept for offline
const AT_ONCE = 300; // rows of one request

/**
 * How a marker counts: `[H, S, T, F, without]`; of two categories in both.
 * @param {{ tags?: string[] }} record
 */
export function countsOf(record) {
  const n = categories.map((category) => Number((record.tags ?? []).some((tag) => categoryOf([tag]) === category)));
  return [...n, Number(!n.includes(1))];
}

/**
 * A stretch without a marker, before anything is known.
 * @returns {Stretch}
 */
const empty = () => ({ min: 0, max: 0, n: [0, 0, 0, 0, 0], count: 0, rows: [] });

/**
 * How many of a sorted list are not greater than a value.
 * @template One
 * @param {One[]} list
 * @param {number} value
 * @param {(one: One) => number} key
 */
export function search(list, value, key) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The markers of a session by their order, however many: the strip tells how many there are in each stretch of it, and
 * rows are fetched where they are looked at. A stretch with too many rows is cut further.
 */
export class Markers {
  /** @type {number[] | undefined} */
  #starts;
  #turn = 0;
  /** @type {Map<string, Marker | undefined>} */
  #changes = new Map(); // what came and went since the last load began: the answer may be older
  /** @type {Map<string, Entry>} */
  pending = new Map(); // ours that are not in the session yet: outbox entries by id
  /** @type {Set<string>} */
  leaving = new Set(); // those whose removal waits here: their ids
  /** @type {Map<string, Marker>} */
  byID = new Map();
  /** @type {Timer} */
  keeping;

  /**
   * `changed(counts)` tells of rows, and whether their numbers changed; `category` is an index. With neither it nor a
   * tag they are all.
   * @param {string} handle
   * @param {(counts?: boolean) => void} changed
   * @param {Only} only
   */
  constructor(handle, changed, { category, tag } = {}) {
    this.handle = handle;
    this.changed = changed;
    this.category = category;
    this.tag = tag;
    /** @type {Stretch[]} */
    this.stretches = [empty()];
  }

  get length() { return /** @type {number} */ (this.#index().at(-1)); }
  cells() { return this.stretches; }

  /** Asks for all of it again; what is seen stays until the new is here. */
  async load() {
    const [turn, changes] = [this.#turn += 1, this.#changes = new Map()];
    // Of a tag the strip tells nothing.
    const strip = this.tag === undefined ? await this.#strip({ cells: CELLS }) : undefined;
    const fresh = strip ? this.#cut(strip) : [empty()];
    const isSmall = !strip || strip.total <= SMALL;
    const rows = isSmall ? await this.#rows({}, true) : [];
    if (turn !== this.#turn) return;
    this.byID.clear();
    if (isSmall) this.#fill(fresh, rows);
    this.#use(fresh);
    this.isLoaded = true;
    if (isSmall) for (const [id, record] of changes) void (record ? this.put(record) : this.drop(id));
    this.#addOurs();
    this.changed();
    if (this.window) this.want(...this.window);
  }

  get #tag() { return this.category === undefined ? this.tag : categories[this.category].tag; }

  /**
   * All rows of a query, by pages.
   * @param {Query} query
   * @param {boolean} [keep]
   * @returns {Promise<Marker[]>}
   */
  async #rows(query, keep) {
    const found = [];
    /** @type {Query | undefined} */
    let asked = { ...query, limit: SMALL, tag: this.#tag };
    while (asked) {
      /** @type {Answered<Marker[]>} */
      const page = await api.get(`sessions/${this.handle}/markers`, { query: asked, keep: keep && !found.length });
      for (const row of page.body) found.push(row);
      asked = page.next;
    }
    return found;
  }

  /** @param {Query} query */
  async #strip(query) {
    return (await api.get(`sessions/${this.handle}/strip`, { query, keep: query.offset_max === undefined })).body;
  }

  /**
   * The stretches of a strip: cell k holds the offsets whose place times cells is k lengths.
   * @param {Api.Strip} strip
   * @returns {Stretch[]}
   */
  #cut(strip) {
    const length = strip.offset_max - strip.offset_min + 1;
    const edge = (/** @type {number} */ cell) => strip.offset_min + Math.ceil(cell * length / strip.cells);
    const kinds = [...categories.map(({ tag }) => strip.categories[tag]), strip.categories.other];
    return strip.before.map((before, cell) => {
      const n = kinds.map((counts) => counts[cell]);
      const all = (strip.before[cell + 1] ?? strip.total) - before;
      const number = this.category === undefined ? all : n[this.category];
      return { min: edge(cell), max: edge(cell + 1) - 1, n, count: number, rows: number ? undefined : [] };
    }).filter(({ min, max }) => max >= min);
  }

  /** @param {Stretch[]} stretches */
  #use(stretches) { [this.stretches, this.#starts] = [stretches, undefined]; }

  /**
   * Where each stretch begins in the order of all, and the number of all.
   * @returns {number[]}
   */
  #index() {
    if (!this.#starts) {
      let sum = 0;
      this.#starts = this.stretches.map(({ count: number }) => (sum += number) - number);
      this.#starts.push(sum);
    }
    return this.#starts;
  }

  /**
   * @param {number} offset
   * @param {Stretch[]} [stretches]
   */
  #at(offset, stretches = this.stretches) {
    return stretches[Math.max(0, search(stretches, offset, ({ min }) => min) - 1)];
  }

  /**
   * The marker at a place in the order; undefined while it is not loaded.
   * @param {number} index
   */
  row(index) {
    const starts = this.#index();
    const stretch = search(starts, index, Number) - 1;
    return this.stretches[stretch]?.rows?.[index - starts[stretch]];
  }

  /**
   * How many stand at an offset or before it.
   * @param {number} offset
   */
  indexAt(offset) {
    const place = Math.max(0, search(this.stretches, offset, ({ min }) => min) - 1);
    const [stretch, before] = [this.stretches[place], this.#index()[place]];
    const share = Math.min(1, Math.max(0, (offset - stretch.min) / (stretch.max - stretch.min + 1)));
    return before + (stretch.rows ? search(stretch.rows, offset, placeOf) : Math.round(stretch.count * share));
  }

  /**
   * Has the rows from one place to another fetched, if they are not loaded.
   * @param {number} first
   * @param {number} last
   */
  async want(first, last) {
    /** @type {[number, number] | undefined} */
    this.window = [first, last];
    if (this.busy) return;
    this.busy = true;
    try {
      const turn = this.#turn;
      while (turn === this.#turn && await this.#fetch(...this.window));
      this.problem = undefined;
    } catch (/** @type {any} */ error) {
      this.problem = error;
    } finally {
      this.busy = false;
      this.changed(false);
    }
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  async #fetch(first, last) {
    const turn = this.#turn;
    const starts = this.#index();
    let from = Math.max(0, search(starts, Math.max(0, first), Number) - 1);
    while (from < this.stretches.length && starts[from] <= last && this.stretches[from].rows) from += 1;
    if (from >= this.stretches.length || starts[from] > last) return false;
    const { min, max, count: number } = this.stretches[from];
    if (number > AT_ONCE && max > min) {
      const cells = Math.min(CELLS, max - min + 1, Math.ceil(number / 20));
      const finer = this.#cut(await this.#strip({ cells, offset_min: min, offset_max: max }));
      if (turn === this.#turn) this.#use(this.stretches.toSpliced(from, 1, ...finer));
      return true;
    }
    let to = from;
    let rows = number;
    while (to + 1 < this.stretches.length && rows + this.stretches[to + 1].count <= AT_ONCE) {
      to += 1;
      rows += this.stretches[to].count;
    }
    const found = await this.#rows({ offset_min: min, offset_max: this.stretches[to].max });
    if (turn !== this.#turn) return true;
    this.#fill(this.stretches.slice(from, to + 1), found);
    this.#addOurs();
    this.changed(false);
    return true;
  }

  /**
   * Puts rows into stretches, which then know how many they have.
   * @param {Stretch[]} stretches
   * @param {Marker[]} rows
   */
  #fill(stretches, rows) {
    for (const stretch of stretches) Object.assign(stretch, { rows: [], n: [0, 0, 0, 0, 0], count: 0 });
    rows.sort((one, other) => placeOf(one) - placeOf(other));
    for (const row of rows) {
      if (!this.leaving.has(row.id)) this.#count(this.#at(placeOf(row), stretches), row, 1).rows.push(row);
    }
  }

  /** What waits here is among the rows, unless the server had it already. */
  #addOurs() {
    for (const { id, body } of this.pending.values()) if (!this.byID.has(id)) this.put({ ...body, id });
  }

  /**
   * @param {any} stretch
   * @param {Marker} record
   * @param {number} by
   */
  #count(stretch, record, by) {
    stretch.count += by;
    countsOf(record).forEach((number, kind) => { stretch.n[kind] += by * number; });
    if (by > 0) this.byID.set(record.id, record);
    else this.byID.delete(record.id);
    this.#starts = undefined;
    return stretch;
  }

  /** @param {Marker} record */
  #belongs(record) {
    if (this.leaving.has(record.id)) return false;
    if (this.tag !== undefined) return Boolean(record.tags?.includes(this.tag));
    return this.category === undefined || countsOf(record)[this.category] === 1;
  }

  /** @param {Marker} record */
  put(record) {
    this.drop(record.id);
    if (!this.#belongs(record)) return;
    this.#changes.set(record.id, record);
    this.#keepLater();
    const stretch = this.#at(placeOf(record));
    if (stretch === this.stretches.at(-1)) stretch.max = Math.max(stretch.max, placeOf(record));
    const place = stretch.rows && search(stretch.rows, placeOf(record), placeOf);
    if (stretch.rows) this.#count(stretch, record, 1).rows.splice(place, 0, record);
    else if (!this.pending.has(record.id)) {
      this.#count(stretch, record, 1);
      this.byID.delete(record.id);
    }
    this.changed();
  }

  /** What was kept for times without a network has what came since: else one's own words would be missing there. */
  #keepLater() {
    if (this.isLoaded && this.category === undefined && this.tag === undefined) {
      this.keeping ??= setTimeout(() => this.keep(), SECOND / 4);
    }
  }

  /** Keeps what is here, if it was changed. What waits is in the outbox, and what leaves may come back. */
  keep() {
    if (!this.keeping) return;
    this.keeping = void clearTimeout(this.keeping);
    if (this.leaving.size || this.length > SMALL || !this.stretches.every(({ rows }) => rows)) return;
    const rows = this.stretches.flatMap((stretch) => stretch.rows ?? []).filter(({ id }) => !this.pending.has(id));
    api.renew(`sessions/${this.handle}/markers`, { limit: SMALL }, rows);
  }

  /**
   * Takes a marker out; of one that is not loaded only the number is known, by its offset.
   * @param {string} id
   * @param {number} [offset]
   */
  drop(id, offset) {
    this.#changes.set(id, undefined);
    this.#keepLater();
    const record = this.byID.get(id);
    const at = record ? placeOf(record) : offset, stretch = at !== undefined ? this.#at(at) : undefined;
    if (record) this.#count(stretch, record, -1).rows = stretch?.rows?.filter((row) => row.id !== id);
    else if (stretch && !stretch.rows && stretch.count > 0) this.#starts = void (stretch.count -= 1);
    else return;
    this.changed();
  }
}

/**
 * A session: what is heard, marked, named and spoken in it, and the practice room. player.js has the sound; more.js has
 * the tabs Digest, Actions and Problems.
 */
import {
  ApiError, announce, api, badge, categories, categoryOf, clock, dialog, emptyState, events, fmt, frame, go, h, icon, keys,
  me, outbox, problemText, sessionOffset, settings, showWarnings, t, toast, ulid,
} from "./core.js";
import { drafts } from "./forms.js";
import { editMarker, Marking, nameOf, placeOf, pressButton } from "./marking.js";
import { keptAudio, Player, Waveform } from "./player.js";
import { Speaker } from "./speaking.js";

const count = (number) => number.toLocaleString();

// MARK: Markers

const CELLS = 2000; // the most that the server tells at once
const SMALL = 1000; // markers that are fetched as one list, and kept for offline
const AT_ONCE = 300; // rows of one request

/** How a marker counts: `[H, S, T, F, without]`; of two categories in both. */
function countsOf(record) {
  const n = categories.map((category) => Number((record.tags ?? []).some((tag) => categoryOf([tag]) === category)));
  return [...n, Number(!n.includes(1))];
}

/** How many of a sorted list are not greater than a value. */
function search(list, value, key) {
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
class Markers {
  #starts;
  #turn = 0;
  #changes = new Map(); // what came and went since the last load began: the answer may be older
  pending = new Map(); // ours that are not in the session yet: outbox entries by id
  leaving = new Set(); // those whose removal waits here: their ids
  byID = new Map();

  /** `changed(counts)` tells of rows, and whether their numbers changed; `category` is an index, or undefined for all. */
  constructor(handle, changed, category) {
    Object.assign(this, { handle, changed, category });
    this.stretches = [{ min: 0, max: 0, n: [0, 0, 0, 0, 0], count: 0, rows: [] }];
  }

  get length() { return this.#index().at(-1); }
  cells() { return this.stretches; }

  /** Asks for all of it again; what is seen stays until the new is here. */
  async load() {
    const [turn, changes] = [this.#turn += 1, this.#changes = new Map()];
    const strip = await this.#strip({ cells: CELLS });
    const fresh = this.#cut(strip);
    const isSmall = strip.total <= SMALL;
    const rows = isSmall && (await this.#page({ limit: SMALL, ...this.#tag }, true)).body;
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

  get #tag() { return this.category === undefined ? {} : { tag: categories[this.category].tag }; }
  #page(query, keep) { return api.get(`sessions/${this.handle}/markers`, { query, keep }); }

  async #strip(query) {
    return (await api.get(`sessions/${this.handle}/strip`, { query, keep: query.offset_max === undefined })).body;
  }

  /** The stretches of a strip: cell k holds the offsets whose place times cells is k lengths. */
  #cut(strip) {
    const length = strip.offset_max - strip.offset_min + 1;
    const edge = (cell) => strip.offset_min + Math.ceil(cell * length / strip.cells);
    const kinds = [...categories.map(({ tag }) => strip.categories[tag]), strip.categories.other];
    return strip.before.map((before, cell) => {
      const n = kinds.map((counts) => counts[cell]);
      const all = (strip.before[cell + 1] ?? strip.total) - before;
      const number = this.category === undefined ? all : n[this.category];
      return { min: edge(cell), max: edge(cell + 1) - 1, n, count: number, rows: number ? undefined : [] };
    }).filter(({ min, max }) => max >= min);
  }

  #use(stretches) { [this.stretches, this.#starts] = [stretches, undefined]; }

  /** Where each stretch begins in the order of all, and the number of all. */
  #index() {
    if (!this.#starts) {
      let sum = 0;
      this.#starts = this.stretches.map(({ count: number }) => (sum += number) - number);
      this.#starts.push(sum);
    }
    return this.#starts;
  }

  #at(offset, stretches = this.stretches) {
    return stretches[Math.max(0, search(stretches, offset, ({ min }) => min) - 1)];
  }

  /** The marker at a place in the order; undefined while it is not loaded. */
  row(index) {
    const starts = this.#index();
    const stretch = search(starts, index, Number) - 1;
    return this.stretches[stretch]?.rows?.[index - starts[stretch]];
  }

  /** How many stand at an offset or before it. */
  indexAt(offset) {
    const place = Math.max(0, search(this.stretches, offset, ({ min }) => min) - 1);
    const [stretch, before] = [this.stretches[place], this.#index()[place]];
    const share = Math.min(1, Math.max(0, (offset - stretch.min) / (stretch.max - stretch.min + 1)));
    return before + (stretch.rows ? search(stretch.rows, offset, placeOf) : Math.round(stretch.count * share));
  }

  /** Has the rows from one place to another fetched, if they are not loaded. */
  async want(first, last) {
    this.window = [first, last];
    if (this.busy) return;
    this.busy = true;
    try {
      const turn = this.#turn;
      while (turn === this.#turn && await this.#fetch(...this.window));
      this.problem = undefined;
    } catch (error) {
      this.problem = error;
    } finally {
      this.busy = false;
      this.changed(false);
    }
  }

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
    let query = { offset_min: min, offset_max: this.stretches[to].max, limit: SMALL, ...this.#tag };
    const found = [];
    while (query) {
      const { body, next } = await this.#page(query);
      for (const row of body) found.push(row);
      query = next;
    }
    if (turn !== this.#turn) return true;
    this.#fill(this.stretches.slice(from, to + 1), found);
    this.#addOurs();
    this.changed(false);
    return true;
  }

  /** Puts rows into stretches, which then know how many they have. */
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

  #count(stretch, record, by) {
    stretch.count += by;
    countsOf(record).forEach((number, kind) => { stretch.n[kind] += by * number; });
    if (by > 0) this.byID.set(record.id, record);
    else this.byID.delete(record.id);
    this.#starts = undefined;
    return stretch;
  }

  #belongs(record) {
    if (this.leaving.has(record.id)) return false;
    return this.category === undefined || countsOf(record)[this.category] === 1;
  }

  put(record) {
    this.drop(record.id);
    if (!this.#belongs(record)) return;
    this.#changes.set(record.id, record);
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

  /** Takes a marker out; of one that is not loaded only the number is known, by its offset. */
  drop(id, offset) {
    this.#changes.set(id, undefined);
    const record = this.byID.get(id);
    const stretch = record || offset !== undefined ? this.#at(record ? placeOf(record) : offset) : undefined;
    if (record) this.#count(stretch, record, -1).rows = stretch.rows?.filter((row) => row.id !== id);
    else if (stretch && !stretch.rows && stretch.count > 0) this.#starts = void (stretch.count -= 1);
    else return;
    this.changed();
  }
}

// MARK: The list

const HEIGHT = 8_000_000; // px; browsers stop between 8.9 and 16.7 million

/** A list that is in the page only where it is seen. Beyond HEIGHT the scroll bar is scaled, wheel and finger are not. */
class MarkerList {
  #top = 0; // the first row that is seen, with a fraction
  #last = 0;
  #nodes = new Map();

  constructor(view) {
    this.view = view;
    this.space = h("div.rows-space");
    this.rows = h("div.rows", { role: "list", "aria-label": t("markers") });
    this.empty = h("div.rows-empty", { hidden: true });
    this.back = h("button.chip.rows-back", { type: "button", hidden: true, onclick: () => this.follow(true) },
      icon("play"), t("back-to-now"));
    this.scroller = h("div.rows-scroller", {
      onscroll: () => this.#scrolled(),
      onwheel: () => this.follow(false), ontouchmove: () => this.follow(false), onkeydown: (event) => this.#key(event),
      onfocusin: ({ target }) => this.#focused(target),
      // The scroll bar itself.
      onpointerdown: (event) => event.target === this.scroller && this.follow(false),
    }, this.space, this.rows, this.empty);
    this.element = h("div.rows-box", this.scroller, this.back);
    this.sizes = new ResizeObserver(() => this.#measure());
    this.sizes.observe(this.scroller);
    this.following = true;
  }

  get markers() { return this.view.shown; }
  get #seen() { return this.scroller.clientHeight / this.rowHeight; }
  get #most() { return Math.max(0, this.markers.length - this.#seen); }
  get #range() { return Math.max(1, this.height - this.scroller.clientHeight); }
  get #isScaled() { return this.height >= HEIGHT; }

  follow(following) {
    this.following = following;
    this.back.hidden = following || !this.view.player.isPlaying;
    if (following) this.show(this.current);
  }

  /** Brings a row into view, a third from the top. */
  show(index) {
    if (!(index >= 0 && this.rowHeight)) return;
    if (index >= this.#top && index + 1 <= this.#top + this.#seen) return;
    this.#go(index - this.#seen / 3);
  }

  #go(top) {
    this.#top = Math.max(0, Math.min(top, this.#most));
    this.hasMoved = true;
    this.draw();
  }

  /** Puts the scroll bar where the rows are. */
  #settle() {
    const to = this.#isScaled ? this.#top / Math.max(1, this.#most) * this.#range : this.#top * this.rowHeight;
    this.scroller.scrollTop = to;
    this.#last = this.scroller.scrollTop;
  }

  #scrolled() {
    if (this.hasMoved) return;
    const { scrollTop } = this.scroller;
    const moved = scrollTop - this.#last;
    this.#last = scrollTop;
    if (!this.#isScaled) this.#top = scrollTop / this.rowHeight;
    else if (Math.abs(moved) < this.scroller.clientHeight * 2) this.#top += moved / this.rowHeight;
    else this.#top = scrollTop / this.#range * this.#most;
    this.#top = Math.max(0, Math.min(this.#top, this.#most));
    clearTimeout(this.idle);
    // Where it is somewhere else now, the event of that comes.
    if (this.#isScaled) this.idle = setTimeout(() => this.scroller.scrollTop === this.#last && this.#settle(), 160);
    this.draw();
  }

  /** Draws once in the next frame, however often it is asked. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#draw();
    });
  }

  drawNow() {
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.#draw();
  }

  #measure() {
    const [isFirst, rem] = [!this.rowHeight, parseFloat(getComputedStyle(document.documentElement).fontSize)];
    this.rowHeight = parseFloat(getComputedStyle(this.rows).getPropertyValue("--row") || 3.5) * rem;
    if (isFirst && this.following) this.show(this.current);
    this.draw();
  }

  #draw() {
    if (!this.scroller.clientHeight || !this.rowHeight || !this.view.isLoaded) return;
    const { markers } = this;
    const total = markers.length;
    this.height = Math.min(HEIGHT, total * this.rowHeight);
    this.space.style.height = `${this.height}px`;
    this.#top = Math.max(0, Math.min(this.#top, this.#most));
    if (this.hasMoved) this.#settle(); // not before there is room for it
    this.hasMoved = false;
    const first = Math.max(0, Math.floor(this.#top) - 3);
    const last = Math.min(total - 1, Math.ceil(this.#top + this.#seen) + 3);
    const used = new Set();
    let [missing, before] = [false];
    for (let index = first; index <= last; index += 1) {
      const record = markers.row(index);
      missing ||= !record;
      const key = record?.id ?? `-${index}`;
      used.add(key);
      before = this.#place(key, index, record, total, before);
    }
    for (const [key, { node }] of this.#nodes) {
      if (used.has(key) || node.contains(document.activeElement)) continue;
      node.remove();
      this.#nodes.delete(key);
    }
    this.#setStop(used);
    if (missing && !markers.problem) markers.want(first - 20, last + 60);
    this.empty.hidden = total > 0;
    if (!total) this.empty.replaceChildren(this.view.emptyMarkers());
  }

  /** In the order of the list, too: for the Tab key and for those who listen. */
  #place(key, index, record, total, before) {
    let held = this.#nodes.get(key);
    const entry = record && this.view.all.pending.get(record.id);
    if (!held || held.record !== record || held.state !== entry?.state) {
      const blank = () => h("div.marker.marker-blank", { role: "listitem", "aria-busy": true });
      const node = record ? this.view.row(record, entry) : blank();
      const hadFocus = held?.node.contains(document.activeElement) && document.activeElement.dataset.part;
      held?.node.remove();
      held = { node, record, state: entry?.state };
      this.#nodes.set(key, held);
      this.rows.insertBefore(node, before ? before.nextSibling : this.rows.firstChild);
      if (hadFocus) node.querySelector(`[data-part="${hadFocus}"]`)?.focus({ preventScroll: true });
    }
    held.node.style.transform = `translateY(${this.#last + (index - this.#top) * this.rowHeight}px)`;
    held.node.setAttribute("aria-posinset", index + 1);
    held.node.setAttribute("aria-setsize", total);
    held.node.classList.toggle("current", index === this.current);
    if (held.index !== index) Object.assign(held, { index }).node.dataset.index = index;
    return held.node;
  }

  /** The list is one stop of the Tab key: the row that had the focus last, else the current one, else the first that is seen. */
  #setStop(used) {
    const seen = [...this.#nodes].filter(([key, { record }]) => used.has(key) && record);
    const at = (index) => seen.find(([, held]) => held.index === index)?.[0];
    const stop = seen.some(([key]) => key === this.stop) ? this.stop : at(this.current) ?? at(Math.ceil(this.#top)) ?? seen[0]?.[0];
    for (const [key, { node }] of seen) {
      for (const button of node.children) button.tabIndex = key === stop && button.dataset.part === "play" ? 0 : -1;
    }
  }

  setCurrent(index) {
    if (index === this.current) return;
    this.current = index;
    if (this.following) this.show(index);
    this.draw();
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const row = event.target.closest(".marker");
    const { part } = event.target.dataset, beside = { ArrowRight: "edit", ArrowLeft: "play" }[event.key];
    if (row && beside && part !== beside) {
      event.preventDefault();
      return row.querySelector(`[data-part=${beside}]`)?.focus();
    }
    if (!step || !row) return;
    event.preventDefault();
    this.follow(false);
    const index = Math.max(0, Math.min(this.markers.length - 1, Number(row.dataset.index) + step));
    this.show(index);
    this.#draw();
    this.rows.querySelector(`[data-index="${index}"] button`)?.focus({ preventScroll: true });
  }

  /** After a row has gone, the next one has the focus. */
  focusNear(record) {
    const { activeElement: focused } = document, own = this.#nodes.get(record.id)?.node;
    if (focused !== document.body && !own?.contains(focused)) return;
    focused.blur();
    const index = Math.min(this.markers.length - 1, this.markers.indexAt(placeOf(record)));
    this.#draw();
    this.rows.querySelector(`[data-index="${index}"] button`)?.focus({ preventScroll: true });
  }

  /** Who comes by the Tab key finds the rows behind. */
  #focused(target) {
    const row = target.closest(".marker");
    if (!row) return;
    this.stop = row.dataset.id;
    if (!target.matches(":focus-visible")) return;
    this.show(Number(row.dataset.index));
    this.#draw();
  }

  close() {
    this.sizes.disconnect();
    clearTimeout(this.idle);
  }
}

// MARK: Notes tab

/** Plays one voice note at a time; what this browser can't play comes as a copy. */
const voice = h("audio", { hidden: true });
document.body.append(voice);

async function playNote(handle, note, player, button) {
  if (voice.dataset.id === note.id && !voice.paused) return voice.pause();
  player.pause();
  URL.revokeObjectURL(voice.dataset.blob);
  const href = api.href(`sessions/${handle}/voice-notes/${note.id}/audio`);
  const own = await outbox.audio(note.id);
  const isWebM = /\.webm$/.test(note.media_path ?? "") && voice.canPlayType("audio/webm; codecs=opus") === "";
  const play = async (source) => {
    Object.assign(voice, { src: source, onplay: () => button.classList.add("on"),
      onpause: () => button.classList.remove("on") });
    voice.onended = voice.onpause;
    voice.dataset.id = note.id;
    await voice.play();
  };
  const copy = async () => {
    const source = api.href(`sessions/${handle}/voice-notes/${note.id}/audio`, { as: "m4a" });
    for (let tries = 0; tries < 30; tries += 1) {
      const answer = await fetch(source, { headers: { Range: "bytes=0-0" } });
      if (answer.status !== 202) return answer.ok ? play(source) : Promise.reject(new Error(t("note-unplayable")));
      await new Promise((done) => { setTimeout(done, 1000 * Number(answer.headers.get("retry-after") || 1)); });
    }
  };
  const source = own ? voice.dataset.blob = URL.createObjectURL(own) : href;
  await (isWebM ? copy() : play(source).catch((error) => {
    if (error.name === "AbortError") return undefined;
    if (own) throw error;
    return copy();
  })).catch(() => toast(t("note-unplayable"), { kind: "bad" }));
}

function notesTab(root, view) {
  const list = h("ul.notes");
  root.append(list);
  let turn = 0;
  const write = async (note) => {
    const text = h("textarea", { rows: 5, dir: "auto", value: note.transcript_text ?? "" });
    const body = h("div.marker-form", h("label.field", h("span", t("transcript")), text));
    const actions = [{ label: t("cancel") }, { label: t("save"), value: "save", primary: true }];
    const path = `sessions/${view.handle}/voice-notes/${note.id}`;
    const submit = async () => {
      const headers = { "If-Match": (await api.get(path)).etag };
      await api.send("PATCH", path, { transcript_text: text.value.trim() }, { headers });
    };
    const title = t("note-at", { time: fmt.offset(note.offset_ms) });
    if (await dialog({ title, body, actions, draft: `transcript/${view.handle}/${note.id}`, submit })) await load();
  };
  let isOpened = false;
  const reopen = (notes) => {
    const [name] = isOpened ? [] : drafts.names(`transcript/${view.handle}/`), id = name?.split("/")[2];
    isOpened = true;
    if (id) write(notes.find((note) => note.id === id) ?? { id, offset_ms: 0 });
  };
  const row = (note, entry) => {
    const play = h("button.note-play", { type: "button",
      "aria-label": t("play-note", { time: fmt.offset(note.offset_ms) }) }, icon("play"));
    play.addEventListener("click", () => playNote(view.handle, note, view.player, play));
    const at = h("button.note-at", { type: "button", title: t("play-here"),
      onclick: () => view.player.play(note.offset_ms) }, fmt.offset(note.offset_ms));
    const state = entry && h("p.quiet", t(`note-${entry.state}`));
    const words = note.transcript_text ? h("p.note-text", { dir: "auto" }, note.transcript_text)
      : h("p.note-text.quiet", t("no-transcript"));
    const label = { "aria-label": t("set-transcript"), title: t("set-transcript") };
    const edit = view.canMark && !entry &&
      h("button.icon-button", { type: "button", ...label, onclick: () => write(note) }, icon("digest"));
    const head = h("p.note-head", at, h("span.quiet", fmt.offset(note.duration_ms ?? 0)));
    return h("li.note", { "data-id": note.id }, play, h("div.note-body", head, words, state), edit);
  };
  async function load() {
    const mine = turn += 1;
    const waiting = outbox.of(view.session.session_id ?? view.handle).filter(({ kind }) => kind === "voice_note");
    let notes = [];
    try {
      let query = { limit: 1000 };
      for (; query; ) {
        const { body, next } = await api.get(`sessions/${view.handle}/voice-notes`, { query, keep: true });
        notes = notes.concat(body);
        query = next;
      }
    } catch (error) {
      if (!waiting.length && mine === turn) return void list.replaceChildren(emptyState("warning", t("notes-failed"),
        problemText(error)));
    }
    if (mine !== turn) return;
    const known = new Set(notes.map(({ id }) => id));
    const ours = waiting.filter(({ id }) => !known.has(id)).map((entry) => [{ id: entry.id, ...entry.body }, entry]);
    const all = [...notes.map((note) => [note]), ...ours];
    all.sort(([one], [other]) => placeOf(one) - placeOf(other));
    list.replaceChildren(...all.length ? all.map(([note, entry]) => row(note, entry))
      : [emptyState("mic", t("no-notes-title"), t(view.canMark ? "no-notes" : "no-notes-guest"))]);
    if (view.canMark) reopen(notes);
  }
  load();
  return { load, close: () => (turn += 1, voice.pause()) };
}

// MARK: The session

const TABS = ["markers", "notes", "digest", "actions", "problems"];
const SPEEDS = [0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

function atOf({ query }) {
  const at = query.get("at") ?? query.get("t");
  return /^\d+$/.test(at ?? "") ? Number(at) : undefined;
}

class SessionView {
  #off = [];
  #listeners = new Set();

  constructor(root, route) {
    this.root = root;
    this.handle = route.path[1];
    this.player = new Player(this.handle);
    this.all = new Markers(this.handle, (counts) => this.#changed(counts));
    this.shown = this.all;
    this.marking = new Marking(this);
    this.speaker = new Speaker(this, this.marking);
    this.player.step = (by) => this.step(by);
    this.player.on((what) => this.#player(what));
    this.#open(route);
  }

  get canMark() { return me.can("mark") && Boolean(this.session?.session_id); }
  moment() { return { offset: this.player.markOffset(), at: clock.now() }; }

  async #open(route) {
    this.root.replaceChildren(h("div.loading", { role: "status" }, t("loading")));
    this.#off.push(events.watch(this.handle), events.on((event) => this.#event(event)));
    try {
      this.session = (await api.get(`sessions/${this.handle}`, { keep: true })).body;
    } catch (error) {
      if (this.closed) return;
      this.#stop();
      const retry = h("button.primary", { type: "button", onclick: () => this.#open(route) }, t("retry"));
      this.root.replaceChildren(emptyState("warning", t("session-failed"), problemText(error), retry));
      return;
    }
    if (this.closed) return;
    this.#build();
    this.at = atOf(route);
    this.player.load(this.session, this.at);
    this.#told();
    this.update(route);
    this.unbind ??= keys.bind(this.#keys());
    this.#off.push(outbox.on(() => this.#outbox()), () => this.unbind());
    this.#askForgotten();
    await this.#outbox();
    if (this.missed) this.refresh();
    else this.reload();
  }

  /** What was being written here when the page went. */
  #reopen() {
    for (const name of drafts.names(`marker/${this.handle}/`)) {
      const record = this.all.byID.get(name.split("/")[2]);
      if (record) return editMarker(this, record);
    }
    return this.marking.reopen();
  }

  async #askForgotten() {
    const since = await forgottenSince(this.session);
    if (this.closed || this.isForgotten === Boolean(since)) return;
    this.player.isForgotten = this.isForgotten = Boolean(since);
    this.#told();
  }

  async reload() {
    try {
      await Promise.all([...new Set([this.all, this.shown])].map((markers) => markers.load()));
      this.failed = undefined;
    } catch (error) {
      this.failed = error;
    }
    this.isLoaded = true;
    this.#changed();
    // A load that another one overtook has brought nothing yet.
    if (this.hasReopened || !this.all.isLoaded || !this.canMark || this.closed) return;
    this.hasReopened = true;
    this.#reopen();
  }

  // MARK: Building

  #build() {
    const { player } = this;
    const named = (label) => ({ type: "button", "aria-label": t(label), title: t(label) });
    const button = (name, label, onclick) => h(`button.${name}`, { ...named(label), onclick }, icon(name));
    const zoom = (name, factor, sign) =>
      h("button.pill.zoom", { ...named(name), onclick: () => this.wave.zoom(factor) }, sign);
    const skip = (ms) => () => player.seek(player.position() + ms);
    this.nowBadge = h("span.here-badge");
    this.nowName = h("p.here-name", { dir: "auto" });
    this.nowNext = h("p.here-next");
    this.meta = h("p.session-meta");
    this.room = h("a.button.pill", { href: `#/s/${this.handle}/live` }, icon("mic"), t("open-live"));
    this.wave = new Waveform(player, this.all, (offset) => this.#nameAt(offset));
    this.time = h("span.time-here");
    this.timeEnd = h("span.time-end");
    this.playButton = button("play", "play", () => player.toggle());
    const setRate = () => { player.rate = Number(this.speed.value); };
    this.speed = h("select.pill", { "aria-label": t("speed"), onchange: setRate },
      SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed.toLocaleString()}×`)));
    this.loopButton = h("button.pill", { type: "button", onclick: () => this.loopHere() }, h("span", "A–B"));
    this.keepButton = h("button.pill.keep", { type: "button", onclick: () => this.keep() },
      icon("keep"), h("span", t("keep")));
    const choose = () => player.choose(player.media.find(({ id }) => id === this.items.value), player.position());
    this.items = h("select.pill", { "aria-label": t("recording"), hidden: true, onchange: choose });
    this.warning = h("p.session-warning", { role: "alert", hidden: true });
    this.stage = h("section.stage", { "aria-label": t("player") },
      h("div.session-head", this.meta, this.room),
      h("div.here", this.nowBadge, h("div.here-text", this.nowName, this.nowNext)),
      this.wave.element, h("div.times", this.time, this.timeEnd), this.warning,
      h("div.transport",
        h("div.transport-main",
          button("back10", "back-10", skip(-10_000)), button("previous", "previous-marker", () => this.step(-1)),
          this.playButton,
          button("next", "next-marker", () => this.step(1)), button("forward10", "forward-10", skip(10_000))),
        h("div.transport-more", this.speed, this.loopButton, zoom("zoom-out", 2, "−"), zoom("zoom-in", 0.5, "+"),
          this.items, this.keepButton)));
    const address = (tab) => `#/s/${this.handle}${tab === "markers" ? "" : `/${tab}`}`;
    this.tabs = h("nav.tabs", { "aria-label": t("parts") }, TABS.map((tab) =>
      h("a.tab", { href: address(tab), "data-tab": tab }, h("span", t(tab)), h("span.tab-count"))));
    const filter = (kind, name, sign) => {
      const state = { "aria-label": name, "aria-pressed": String(kind === undefined), "data-kind": kind ?? "" };
      const onclick = () => this.filter(kind);
      return h("button.filter", { type: "button", ...state, onclick }, sign, h("span.tab-count"));
    };
    this.filters = h("div.filters", { role: "group", "aria-label": t("show-only") },
      filter(undefined, t("all"), t("all")),
      categories.map((category, kind) => filter(kind, category.name(), badge(category))));
    this.list = new MarkerList(this);
    this.panel = h("div.panel");
    this.root.replaceChildren(h("div.session", this.stage, h("div.below", this.tabs, this.panel)));
  }

  #markBar() {
    const small = (name, label, key) => h(`button.quiet-button.${name}`,
      { type: "button", "aria-label": t(label), "aria-keyshortcuts": key },
      icon(name === "undo" ? "undo" : "digest"), h("span", t(label)), h("kbd", key));
    const write = pressButton(small("write", "mark-and-write", "B"), () => this.moment(), (moment) => this.marking.write(moment));
    const undo = pressButton(small("undo", "undo", "U"), () => ({}), () => this.marking.undo());
    return h("div.markbar", { role: "group", "aria-label": t("mark") },
      h("div.marks", categories.map((category) => this.marking.button(category))),
      h("div.mark-more", this.speaker.button, write, undo));
  }

  /** Where no clock runs and nothing plays, a mark has the time that is typed. */
  #lateBar() {
    const time = h("input", { class: "late-time", inputmode: "numeric", required: true, placeholder: "0:00",
      pattern: "(\\d+:)?[0-5]?\\d:[0-5]\\d", autocomplete: "off", "aria-label": t("late-time") });
    return h("form.markbar.late", { onsubmit: (event) => {
      event.preventDefault();
      const offset = 1000 * time.value.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
      this.marking.write({ offset, at: clock.now() });
    } }, h("span", t("late-mark")), time, h("button.primary", t("mark")));
  }

  /** Whether there is nothing that tells the moment of a press. */
  get hasNoTime() { return !this.player.media?.length && !this.player.isLive; }

  #setBar() {
    if (!this.canMark || (this.bar && this.isLate === this.hasNoTime)) return;
    const bar = (this.isLate = this.hasNoTime) ? this.#lateBar() : this.#markBar();
    if (this.bar) this.bar.replaceWith(bar);
    else this.root.firstChild.append(bar);
    this.bar = bar;
    this.unbind?.();
    this.unbind = keys.bind(this.#keys());
  }

  #told() {
    const { session, player } = this;
    frame.title(session.title ?? t("untitled"), { back: "#/" });
    const isActive = session.status === "active";
    this.room.hidden = !isActive || !this.canMark;
    this.room.lastChild.textContent = t(this.isForgotten ? "end-it" : "open-live");
    this.room.firstChild.replaceWith(icon(this.isForgotten ? "stop" : "mic"));
    this.#setBar();
    const begun = session.start_time && Date.parse(session.start_time);
    const active = t(this.isForgotten ? "left-open" : session.clock?.paused_at_ms === undefined ? "live" : "paused");
    const state = isActive ? active : session.status ? "" : t("no-status");
    const length = session.duration_ms !== undefined && fmt.length(session.duration_ms);
    const facts = [begun && fmt.dateTime(begun), length,
      state && h("span.state", { "data-state": session.status ?? "?" }, state)].filter(Boolean);
    this.meta.replaceChildren(...facts.flatMap((fact) => [fact, " · "]).slice(0, -1));
    const counts = { notes: session.voice_note_count, problems: session.errors + session.warnings };
    for (const tab in counts) this.#count(this.tabs.querySelector(`[data-tab=${tab}] .tab-count`), counts[tab]);
    const { media = [] } = session;
    this.items.replaceChildren(...player.media.map((item, index) => h("option", { value: item.id },
      t("recording-n", { n: index + 1, from: fmt.offset(item.start_offset_ms ?? 0) }))));
    this.items.hidden = player.media.length < 2;
    this.stage.classList.toggle("silent", !player.media.length);
    this.#warn(media.length && !player.media.length ? t("unplayable", { type: media[0].mime ?? "?" }) : undefined);
    this.#state();
  }

  #count(node, number) { node.textContent = number ? count(number) : ""; }
  #warn(text) { Object.assign(this.warning, { hidden: !text, textContent: text ?? "" }); }

  update(route) {
    if (!this.session) return;
    const at = atOf(route);
    if (at !== undefined && at !== this.at) this.player.seek(at);
    this.at = at;
    const tab = TABS.includes(route.path[2]) ? route.path[2] : "markers";
    if (tab === this.tab) return;
    this.tab = tab;
    for (const link of this.tabs.children) link.ariaCurrent = link.dataset.tab === tab ? "page" : null;
    this.part?.close();
    this.part = undefined;
    this.panel.replaceChildren();
    this.panel.className = `panel panel-${tab}`;
    if (tab === "markers") {
      this.panel.append(this.filters, this.list.element);
      this.list.draw();
    } else if (tab === "notes") this.part = notesTab(this.panel, this);
    else this.#openMore(tab);
  }

  async #openMore(tab) {
    const { player, handle, session } = this;
    const context = {
      handle, session, reload: () => this.refresh(),
      on: (fn) => {
        this.#listeners.add(fn);
        return () => this.#listeners.delete(fn);
      },
      player: {
        position: () => player.position(), seek: (ms) => player.seek(ms), play: (ms) => player.play(ms),
        isPlaying: () => player.isPlaying,
      },
    };
    try {
      const { tabs } = await import("./more.js");
      if (this.tab === tab && !this.closed) this.part = tabs[tab](this.panel, context);
    } catch (error) {
      const why = error instanceof ApiError ? problemText(error) : t("view-failed");
      this.panel.replaceChildren(emptyState("warning", t("view-failed-title"), why));
    }
  }

  row(record, entry) {
    const category = categoryOf(record.tags ?? []);
    const label = h("span.marker-name", { dir: "auto" }, nameOf(record));
    if (!record.label) label.classList.add("nameless");
    const tags = (record.tags ?? []).filter((tag) => !categoryOf([tag]));
    const under = [entry && t(`mark-${entry.state}`), record.note, tags.map((tag) => `#${tag}`).join(" ")];
    const note = under.filter(Boolean).join(" · ");
    const time = fmt.offset(placeOf(record));
    const play = h("button.marker-play",
      { type: "button", "data-part": "play", onclick: () => this.playMarker(record) },
      h("span.marker-time", time), badge(category),
      h("span.marker-text", label, note && h("span.marker-note", { dir: "auto" }, note)),
      record.voice_note_id && icon("mic"));
    const isNew = !record.label && this.canMark;
    const name = t(isNew ? "name-this" : "more-of", { name: nameOf(record), time });
    const edit = h(isNew ? "button.marker-edit.chip" : "button.marker-edit.icon-button",
      { type: "button", "data-part": "edit", "aria-label": name, onclick: () => editMarker(this, record) },
      isNew ? t("name-it") : icon("more"));
    return h("div.marker", { role: "listitem", "data-id": record.id, class: entry ? "unsent" : null },
      play, edit);
  }

  emptyMarkers() {
    if (this.failed) return emptyState("warning", t("markers-failed"), problemText(this.failed),
      h("button", { type: "button", onclick: () => this.reload() }, t("retry")));
    if (!this.shown.isLoaded) return emptyState("list", t("loading"), "");
    if (this.shown !== this.all) return emptyState("list", t("none-of-these"), "");
    return emptyState("list", t("no-markers-title"), t(this.canMark ? "no-markers" : "no-markers-guest"));
  }

  // MARK: Playing

  playMarker(record) {
    this.list.follow(true);
    const lead = Number(settings.get("lead_ms") ?? 0);
    if (this.player.item) this.player.play(Math.max(0, placeOf(record) - lead));
  }

  /** To the marker before or after; back within two seconds of one goes to the one before it. */
  async step(by) {
    const from = this.player.position() + Number(settings.get("lead_ms") ?? 0);
    const index = by > 0 ? this.all.indexAt(from + 50) : this.all.indexAt(from - 2000) - 1;
    if (index < 0) return this.player.seek(0);
    if (!this.all.row(index)) await this.all.want(index - 20, index + 20);
    const record = this.all.row(index);
    if (record) this.player.seek(Math.max(0, placeOf(record) - Number(settings.get("lead_ms") ?? 0)));
  }

  /** First press A, second B, third none. */
  loopHere() {
    const { player } = this;
    const here = player.position();
    if (!player.loop) player.setLoop(here);
    else if (player.loop.b || Math.abs(here - player.loop.a) < 100) player.setLoop();
    else player.setLoop(player.loop.a, here);
    announce(t(player.loop?.b ? "loop-on" : player.loop ? "loop-a" : "loop-off"));
  }

  async keep() {
    const { player } = this;
    if (!player.item) return;
    if (!keptAudio.possible) return toast(t("insecure-cure"), { kind: "bad" });
    if (this.keeping) return this.keeping.abort();
    const words = this.keepButton.querySelector("span");
    try {
      if (player.isKept) await keptAudio.remove(player.href);
      else {
        this.keeping = new AbortController();
        this.keepButton.classList.add("busy");
        const about = { title: this.session.title ?? t("untitled"), name: player.item.path.split("/").at(-1) };
        const tell = (part) => { words.textContent = part.toLocaleString(undefined, { style: "percent" }); };
        await keptAudio.keep(player.href, about, tell, this.keeping.signal);
      }
      await player.reopen();
      toast(t(player.isKept ? "kept-now" : "kept-no-more"));
    } catch (error) {
      const why = error.name === "QuotaExceededError" ? t("no-space") : error.message;
      if (error.name !== "AbortError") toast(t("keep-failed", { why }), { kind: "bad" });
    }
    this.keeping = undefined;
    this.keepButton.classList.remove("busy");
    this.#state();
  }

  #player(what) {
    if (!this.stage || this.closed) return;
    if (what === "seek") this.list.follow(true);
    if (what !== "tick") this.#state();
    this.#tick();
  }

  #state() {
    const { player } = this;
    const isPlaying = player.isPlaying;
    if (this.wasPlaying !== isPlaying) {
      this.wasPlaying = isPlaying;
      this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
      this.playButton.setAttribute("aria-label", t(isPlaying ? "pause" : "play"));
      if (!isPlaying) this.list.back.hidden = true;
    }
    this.speed.value = player.rate;
    this.loopButton.classList.toggle("on", Boolean(player.loop));
    const isOpen = player.loop && player.loop.b === undefined;
    this.loopButton.ariaLabel = t(isOpen ? "loop-set-b" : player.loop ? "loop-clear" : "loop-set-a");
    this.loopButton.ariaPressed = String(Boolean(player.loop && !isOpen));
    this.loopButton.firstChild.textContent = isOpen ? "A…" : "A–B";
    this.wave.drawLoop();
    this.keepButton.hidden = !player.item;
    this.keepButton.classList.toggle("on", Boolean(player.isKept));
    this.keepButton.setAttribute("aria-label", t(player.isKept ? "keep-remove" : "keep-long"));
    if (!this.keeping) this.keepButton.querySelector("span").textContent = t(player.isKept ? "kept" : "keep");
    if (player.item) {
      this.items.value = player.item.id;
      this.#warn(player.failure);
    }
    this.wave.setMedia(player.item);
    this.#length();
  }

  #length() {
    const length = Math.max(this.session.duration_ms ?? 0, this.player.item ? this.player.end : 0,
      this.all.stretches.at(-1).max, this.player.isLive ? Math.ceil(this.player.liveOffset / 5000) * 5000 : 0);
    if (length === this.wave.length) return;
    this.timeEnd.textContent = fmt.offset(length);
    this.list.rows.classList.toggle("with-hours", length >= 3_600_000);
    this.wave.setLength(length);
  }

  /** What changes as time goes by; touches only what is different. */
  #tick() {
    const position = this.player.position();
    this.wave.tick();
    const second = Math.floor(position / 1000);
    const index = this.all.indexAt(position);
    if (second === this.second && index === this.index && !this.stale) return;
    Object.assign(this, { second, index, stale: false });
    this.time.textContent = fmt.offset(position);
    if (this.player.isLive && !this.player.item) this.#length();
    const [here, next] = [this.all.row(index - 1), this.all.row(index)];
    const instead = this.all.length ? "before-first" : this.all.isLoaded ? "no-markers-title" : "loading";
    const missing = (index > 0 && !here) || (index < this.all.length && !next);
    if (missing && !this.all.problem && !this.all.busy) this.all.want(index - 20, index + 20);
    if (here !== this.here || this.instead !== instead) {
      Object.assign(this, { here, instead });
      this.nowBadge.replaceChildren(here ? badge(categoryOf(here.tags ?? [])) : "");
      this.nowName.textContent = here ? nameOf(here) : t(instead);
      this.nowName.classList.toggle("nameless", !here?.label);
      this.player.tellLockScreen(here?.label ?? "");
    }
    const coming = next && [`${t("next")} `, badge(categoryOf(next.tags ?? [])),
      h("span.here-next-name", { dir: "auto" }, nameOf(next)),
      h("span.here-next-in", fmt.offset(placeOf(next) - position))];
    this.nowNext.replaceChildren(...coming ?? []);
    this.list.setCurrent(this.shown === this.all ? index - 1 : this.shown.indexAt(position) - 1);
  }

  #nameAt(offset) {
    const record = this.all.row(this.all.indexAt(offset) - 1);
    return record ? record.label || categoryOf(record.tags ?? [])?.name() : "";
  }

  // MARK: What happens

  #changed(counts = true) {
    if (!this.stage || this.closed) return;
    this.recount ||= counts;
    this.changing ??= requestAnimationFrame(() => {
      this.changing = undefined;
      this.stale = true;
      this.#length();
      this.#tick();
      this.list.drawNow();
      if (!this.recount) return;
      this.recount = false;
      this.wave.drawMarks();
      this.#count(this.tabs.querySelector("[data-tab=markers] .tab-count"), this.all.length);
      const sums = [0, 0, 0, 0];
      for (const { n } of this.all.stretches) for (const kind of sums.keys()) sums[kind] += n[kind];
      for (const node of this.filters.children) if (node.dataset.kind) this.#count(node.querySelector(".tab-count"),
        sums[node.dataset.kind]);
    });
  }

  #both(act) { for (const markers of new Set([this.all, this.shown])) act(markers); }
  marked(record) { this.#both((markers) => markers.put(record)); }
  unmarked(record) {
    this.all.pending.delete(record.id);
    this.#both((markers) => markers.drop(record.id, placeOf(record)));
  }

  spoke() { this.part?.load?.(); }

  async filter(kind) {
    for (const node of this.filters.children) node.setAttribute("aria-pressed",
      String(node.dataset.kind === String(kind ?? "")));
    this.shown = kind === undefined ? this.all : new Markers(this.handle, (counts) => this.#changed(counts), kind);
    Object.assign(this.shown, { pending: this.all.pending, leaving: this.all.leaving });
    if (kind !== undefined) await this.shown.load().catch((error) => { this.failed = error; });
    this.list.follow(true);
    this.#changed();
  }

  /** Removes a marker. The removal rests here as long as it can be taken back, so that nothing that refers to it is lost. */
  async remove(record) {
    if (await outbox.remove(record.id)) this.unmarked(record);
    else await this.#removeStored(record);
    this.list.focusNear(record);
  }

  async #removeStored(record) {
    const id = ulid(), { voice_note_id: spoken } = record, about = { name: nameOf(record), time: fmt.offset(placeOf(record)) };
    this.all.leaving.add(record.id);
    this.#both((markers) => markers.drop(record.id, placeOf(record)));
    await outbox.add({ id, kind: "marker.remove", session: this.marking.session, rest: 6500,
      body: { record_id: record.id, label: record.label, offset_ms: record.offset_ms } });
    const back = async () => {
      if (!await outbox.remove(id)) return toast(t("not-undone"), { kind: "bad" });
      this.all.leaving.delete(record.id);
      this.marked(record);
    };
    toast([t("removed-marker", about), spoken && t("its-note-stays")].filter(Boolean).join(" "),
      { actions: [{ label: t("undo"), run: back }] });
  }

  #event({ type, data }) {
    if (data?.handle && data.handle !== this.handle) return;
    if (!this.stage) this.missed ||= type !== "state";
    if (!this.stage) return;
    for (const fn of this.#listeners) fn({ type, data });
    if (type === "state" && data.connected) [this.wave, this.player].forEach((part) => part.retry());
    if (type === "reset") return this.refresh();
    if (type !== "watch" || !data.handle) return;
    if (data.kind === "marker") {
      const { id, record, offset_ms } = data;
      if (data.event === "removed") this.#both((markers) => markers.drop(id, offset_ms));
      else if (record) this.#both((markers) => markers.put(record));
    } else if (data.kind === "voice_note") {
      this.session.voice_note_count += { added: 1, removed: -1 }[data.event] ?? 0;
      this.#told();
      this.spoke();
    } else if (data.kind === "session") this.refresh();
  }

  /** The session and its rows again, in one turn however many ask. */
  refresh() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(async () => {
      try {
        this.session = (await api.get(`sessions/${this.handle}`, { keep: true })).body;
        if (this.closed) return;
        this.player.load(this.session);
        this.#told();
        this.#askForgotten();
      } catch { /* What is shown stays; the frame says that there is no network. */ }
      this.spoke();
      this.reload();
    }, 50);
  }

  /** What waits here is shown as such; what no longer waits is in the session now, or never will be. */
  async #outbox() {
    const ours = outbox.of(this.session.session_id ?? this.handle), entries = ours.filter(({ kind }) => kind === "marker");
    const { pending, leaving } = this.all;
    const left = new Set(ours.filter(({ kind, state }) => kind === "marker.remove" && state !== "needs-you")
      .map(({ body }) => body.record_id));
    const back = [...leaving].filter((id) => !left.has(id));
    for (const id of left) if (!leaving.has(id)) this.#both((markers) => (leaving.add(id), markers.drop(id)));
    for (const id of back) leaving.delete(id);
    const now = new Map(entries.map((entry) => [entry.id, entry]));
    const gone = [...[...pending.keys()].filter((id) => !now.has(id)), ...back.filter((id) => !this.all.byID.has(id))];
    pending.clear();
    for (const [id, entry] of now) pending.set(id, entry);
    for (const entry of entries) if (!this.all.byID.has(entry.id)) this.marked({ ...entry.body, id: entry.id });
    const spoken = ours.map(({ id, kind, state }) => kind === "voice_note" && id + state).join();
    if (spoken !== this.spoken) this.spoke();
    this.spoken = spoken;
    this.#changed();
    if (gone.length > 5) return this.refresh();
    for (const id of gone) {
      const answer = await api.get(`sessions/${this.handle}/markers/${id}`).catch((error) => error);
      if (answer.body?.id === id) this.marked(answer.body);
      else if (answer.status === 404) this.#both((markers) => markers.drop(id));
    }
  }

  #keys() {
    const { player } = this;
    const by = (ms) => () => player.seek(player.position() + ms);
    const faster = (step) => () => {
      player.rate = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(player.rate) + step))] ?? 1;
    };
    const bound = {
      Space: () => player.toggle(), ArrowLeft: by(-10_000), ArrowRight: by(10_000), "Shift+ArrowLeft": by(-1000),
        "Shift+ArrowRight": by(1000),
      "[": () => this.step(-1), "]": () => this.step(1), l: () => this.loopHere(), "<": faster(-1), ">": faster(1),
      d: () => go(`#/s/${this.handle}/digest`),
    };
    if (!this.canMark) return bound;
    if (this.bar && !this.isLate) for (const category of categories) bound[category.key] = () => this.marking.press(category);
    const last = () => this.marking.made.map(({ id }) => this.all.byID.get(id)).findLast(Boolean) ?? this.here;
    return { ...bound, n: () => last() && editMarker(this, last()), ...(this.bar && !this.isLate
      && { b: () => this.marking.write(), r: () => this.speaker.toggle(), u: () => this.marking.undo() }) };
  }

  #stop() { for (const off of this.#off.splice(0)) off(); }

  close() {
    this.closed = true;
    this.#stop();
    clearTimeout(this.refreshing);
    cancelAnimationFrame(this.changing);
    this.keeping?.abort();
    this.speaker.close();
    this.part?.close();
    this.list?.close();
    this.wave?.close();
    this.player.close();
  }
}

/** `#/s/H`, `#/s/H/notes`, …; `?at=MS` is where it begins. */
export function sessionView(root, route) { return new SessionView(root, route); }

// MARK: The practice room

const HOUR = 3_600_000;
/** A moment as the clock here shows it, as a field of date and time has it. */
const civil = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** What a button does, once at a time: the second press of a double one is none. */
const once = (work) => {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    await work();
    isBusy = false;
  };
};

/** When something happened last in a session that was left open; undefined for one that runs, or if it is not known. */
async function forgottenSince({ handle, status, start_time: start }) {
  if (status !== "active" || !start) return undefined;
  const query = { since: start, until: new Date(Date.parse(start) + 1000).toISOString(), limit: 1000 };
  const rows = await api.get("sessions", { query, keep: true }).then(({ body }) => body, () => []);
  return rows.find((row) => row.handle === handle)?.forgotten_since;
}

/** The moment of the last marker of a session that runs; undefined if there is none. */
async function lastRecord({ handle, clock: times }) {
  const query = { around: sessionOffset(times), limit: 3 };
  const { body } = await api.get(`sessions/${handle}/markers`, { query }).catch(() => ({ body: [] }));
  if (!body.length) return undefined;
  const last = placeOf(body.at(-1)), { start_time: start, pauses = [] } = times;
  return Date.parse(start) + pauses.reduce((sum, pause) => sum + (pause.offset_ms < last ? pause.length_ms : 0), last);
}

/** `#/s/H/live`: one clock and four buttons that a drummer hits. */
export function liveView(root, route) {
  const handle = route.path[1];
  const big = h("p.live-clock", { role: "timer", "aria-label": t("session-clock") }, "–:––");
  const last = h("div.live-last");
  const state = h("p.live-state");
  const off = [];
  let [timer, lock, closed, goesOn] = [];
  const view = {
    handle, canMark: true, isQuiet: true, player: { pause() {} }, made: new Map(), get marking() { return marking; },
    moment: () => ({ offset: sessionOffset(view.session?.clock) ?? 0, at: clock.now() }),
    marked(record) {
      view.made.set(record.id, record);
      showLast();
    },
    unmarked(record) {
      view.made.delete(record.id);
      showLast();
    },
    async remove(record) { await marking.undo(record); },
  };
  const marking = new Marking(view);
  const speaker = new Speaker(view, marking);
  function showLast() {
    const record = [...view.made.values()].at(-1);
    last.replaceChildren(...record ? [h("span.quiet", t("last")), h("span.live-last-time",
      fmt.offset(record.offset_ms)), badge(categoryOf(record.tags)),
      record.label && h("span.live-last-name", { dir: "auto" }, record.label),
      h("button.pill", { type: "button", onclick: () => editMarker(view, record) }, t("name-it")),
      h("button.pill", { type: "button", onclick: () => marking.undo(record) }, icon("undo"),
        t("undo"))].filter(Boolean) : [h("span.quiet", t("live-hint"))]);
  }
  const tick = () => {
    if (!view.session) return;
    big.textContent = fmt.offset(sessionOffset(view.session.clock));
    big.style.setProperty("--letters", big.textContent.length);
  };
  const ask = async (verb, fields) => {
    try {
      const { body } = await api.send("POST", `sessions/${handle}/${verb}`, fields);
      showWarnings(view.session?.session_id, body?.warnings);
      if (verb === "close") return go(`#/s/${handle}`);
      await load();
    } catch (error) {
      toast(`${t("not-done")} ${problemText(error)}`, { kind: "bad" });
      if (error.status === 409) await load();
    }
  };
  /** Of a session that was left open the last record says when it ended. */
  const end = async () => {
    const now = clock.now(), last = Math.max(Date.parse(view.session.start_time), await lastRecord(view.session) ?? 0);
    const isLong = now - last > HOUR;
    const actions = [{ label: t("cancel") }, isLong && { label: t("end-at", { time: fmt.dateTime(last) }), value: "last", primary: true },
      { label: t(isLong ? "end-now" : "end-session"), value: "now", danger: true }].filter(Boolean);
    const text = isLong ? t("end-long", { length: fmt.length(now - Date.parse(view.session.start_time)), time: fmt.dateTime(last) })
      : t("end-text");
    const chosen = await dialog({ title: t("end-title"), body: h("p", text), actions });
    if (chosen) await ask("close", chosen === "last" ? { at: new Date(last).toISOString() } : undefined);
  };
  async function load() {
    try {
      view.session = (await api.get(`sessions/${handle}`, { keep: true })).body;
    } catch (error) {
      return closed || root.replaceChildren(emptyState("warning", t("session-failed"), problemText(error),
        h("a.button", { href: "#/" }, t("to-sessions"))));
    }
    if (closed) return;
    const { session } = view;
    frame.title(session.title ?? t("untitled"), { back: `#/s/${handle}` });
    view.canMark = me.can("mark") && Boolean(session.session_id);
    if (session.status !== "active" || !session.clock || !view.canMark) {
      return root.replaceChildren(emptyState("check", t("not-live-title"), t("not-live"),
        h("a.button.primary", { href: `#/s/${handle}` }, t("open-session"))));
    }
    const since = !goesOn && await forgottenSince(session);
    if (closed) return;
    if (since) return showLeftOpen(Date.parse(since));
    if (!room.isConnected) root.replaceChildren(room);
    const isPaused = session.clock.paused_at_ms !== undefined;
    state.textContent = t(isPaused ? "paused-long" : "live");
    big.classList.toggle("paused", isPaused);
    pause.replaceChildren(icon(isPaused ? "play" : "pause"), t(isPaused ? "resume" : "pause"));
    pause.disabled = false;
    pause.onclick = once(() => ask(isPaused ? "resume" : "pause"));
    tick();
    await before();
  }
  function showLeftOpen(since) {
    const time = fmt.dateTime(since), when = h("input", { type: "datetime-local", value: civil(since), "aria-label": t("end-when"),
      min: civil(Date.parse(view.session.start_time)), max: civil(clock.now()) });
    const at = (ms) => ask("close", { at: new Date(ms).toISOString() });
    root.replaceChildren(h("section.left-open", h("h2", t("left-open")), h("p", t("left-open-last", { time })),
      h("div.buttons", h("button.primary", { type: "button", onclick: () => at(since) }, t("end-at", { time })),
        h("button", { type: "button", onclick: () => {
          goesOn = true;
          load();
        } }, t("still-runs"))),
      h("form.end-when", { onsubmit: (event) => {
        event.preventDefault();
        at(Date.parse(when.value));
      } }, when, h("button", t("end-then")))));
  }
  /** The last mark may have been made before the room was opened, or on another device. */
  async function before() {
    const query = { around: view.moment().offset, limit: 5 };
    const { body } = await api.get(`sessions/${handle}/markers`, { query }).catch(() => ({ body: [] }));
    const ours = outbox.of(handle).filter(({ kind }) => kind === "marker").map(({ id, body: own }) => ({ ...own, id }));
    view.made.clear();
    for (const record of [...body, ...ours].sort((one, other) => placeOf(one) - placeOf(other))) {
      view.made.set(record.id, record);
    }
    showLast();
  }
  async function light() {
    if (!document.hidden) lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
  }
  const pause = h("button.quiet-button", { type: "button", disabled: true }, icon("pause"), t("pause"));
  const room = h("div.practice", h("div.live-head", state, big, last),
    h("div.live-marks", categories.map((category) => marking.button(category))), speaker.button,
    h("div.live-foot", pause, h("button.quiet-button", { type: "button", onclick: once(end) }, icon("stop"),
      t("end-session"))));
  root.replaceChildren(room);
  showLast();
  load().then(() => !closed && room.isConnected && marking.reopen());
  light();
  timer = setInterval(tick, 250);
  document.addEventListener("visibilitychange", light);
  const bound = { r: () => speaker.toggle(), u: () => marking.undo(), b: () => marking.write() };
  for (const category of categories) bound[category.key] = () => marking.press(category);
  off.push(keys.bind(bound), events.watch(handle), events.on(({ type, data }) => {
    if (data.handle && data.handle !== handle) return;
    if (type === "reset" || data.kind === "session") load();
    else if (data.kind === "marker") before();
  }));
  return {
    close() {
      closed = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", light);
      lock?.release();
      speaker.close();
      for (const one of off) one();
    },
  };
}

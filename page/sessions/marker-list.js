/** The list of markers. */
import { h, icon } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { swipes } from "../ui/swipe.js";
import { placeOf } from "./names.js";
import { markerRow, noMarkers } from "./row.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
/** @type {Record<string, string>} */
const BESIDE = { ArrowRight: "more", ArrowLeft: "play" };

/**
 * @param {HTMLElement} place
 * @param {string} what
 * @param {FocusOptions} how
 */
function focus(place, what, how = { preventScroll: true }) {
  /** @type {HTMLElement | null} */
  const found = place.querySelector(what);
  found?.focus(how);
}

const HEIGHT = 8_000_000; // px; browsers stop between 8.9 and 16.7 million

/**
 * A list that is in the page only where it is seen. Beyond HEIGHT the scroll bar is scaled, wheel and finger are not.
 */
export class MarkerList {
  #top = 0; // the first row that is seen, with a fraction
  #last = 0;
  /** @type {Map<string, HeldRow>} */
  #nodes = new Map();
  headHeight = 0;
  height = 0;
  rowHeight = NaN; // until it was measured
  current = NaN; // until something is heard
  isPinned = true;
  isOpen = false;
  /** @type {HTMLElement[]} */
  head = [];
  /** @type {number | undefined} */
  frame;

  /** @param {SessionView} view */
  constructor(view) {
    this.view = view;
    this.rows = h("div.rows", { role: "list", "aria-label": t("markers") });
    swipes(this.rows, ".marker");
    this.space = h("div.rows-space", this.rows);
    this.empty = h("div.rows-empty", { hidden: true });
    this.back = h("button.chip.rows-back", { type: "button", hidden: true, onclick: () => this.follow(true) },
      icon("play"), t("back-to-now"));
    const byHand = (/** @type {{ target: HTMLElement }} */ { target }) => {
      // Who scrubs in the waveform does not scroll.
      if (this.head.some((part) => part.contains(target))) return;
      this.pin(false);
      this.follow(false);
    };
    /** @type {HTMLDivElement} */
    this.scroller = h("div.rows-scroller", {
      onscroll: () => this.#scrolled(), onwheel: byHand, ontouchmove: byHand, onkeydown: (event) => this.#key(event),
      onfocusin: ({ target }) => this.#focused(target),
      // The scroll bar itself.
      onpointerdown: (event) => event.target === this.scroller && byHand(event),
    }, this.space, this.empty);
    this.element = h("div.rows-box", this.scroller, this.back);
    this.sizes = new ResizeObserver(() => this.#measure());
    this.setHead();
    this.following = true;
    this.pin(true);
  }

  /**
   * What stands before the rows and scrolls with them; the open player is the first of it, if it is there.
   * @param {HTMLElement[]} parts
   */
  setHead(...parts) {
    this.sizes.disconnect();
    this.head = parts;
    /** @type {HTMLElement | undefined} */
    this.stage = parts.find((part) => part.classList.contains("stage"));
    this.scroller.replaceChildren(...parts, this.space, this.empty);
    for (const part of [this.scroller, ...parts]) this.sizes.observe(part);
  }

  get markers() { return this.view.shown; }
  get #seen() { return this.scroller.clientHeight / this.rowHeight; }
  /** Rows as high as what stands before them and scrolls with them. */
  get #least() { return -this.headHeight / this.rowHeight; }
  get #most() { return Math.max(this.#least, this.markers.length - this.#seen); }
  get #range() { return Math.max(1, this.height + this.headHeight - this.scroller.clientHeight); }
  get #isScaled() { return this.height >= HEIGHT; }

  /**
   * The open player stays over the rows until somebody scrolls it away; at the top it is there anyway.
   * @param {boolean} isPinned
   */
  pin(isPinned) {
    this.isPinned = isPinned;
    this.scroller.classList.toggle("pinned", isPinned);
    this.tellOpen();
  }

  /** Whether the open player is seen; where it is not, the dock has one. */
  tellOpen() {
    const { stage } = this;
    this.isOpen = Boolean(stage && (this.isPinned || this.scroller.scrollTop < stage.offsetHeight - 56));
    this.view.showDock?.();
  }

  /** @param {boolean} following */
  follow(following) {
    this.following = following;
    this.back.hidden = following || !this.view.player.isPlaying;
    if (following) this.show(this.current);
  }

  /**
   * Brings a row into view, a third from the top.
   * @param {number} index
   */
  show(index) {
    if (!(index >= 0 && this.rowHeight)) return;
    const cover = this.isPinned ? (this.stage?.offsetHeight ?? 0) / this.rowHeight : 0;
    if (index >= this.#top + cover && index + 1 <= this.#top + this.#seen) return;
    this.#go(index - cover - (this.#seen - cover) / 3);
  }

  /** @param {number} top */
  #go(top) {
    this.#top = Math.max(this.#least, Math.min(top, this.#most));
    this.hasMoved = true;
    this.draw();
  }

  /** Puts the scroll bar where the rows are. */
  #settle() {
    const least = this.#least;
    const to = this.#isScaled ? (this.#top - least) / Math.max(1, this.#most - least) * this.#range
      : this.#top * this.rowHeight + this.headHeight;
    this.scroller.scrollTop = to;
    this.#last = this.scroller.scrollTop;
  }

  #scrolled() {
    if (this.hasMoved) return;
    const { scrollTop } = this.scroller;
    const moved = scrollTop - this.#last;
    this.#last = scrollTop;
    const least = this.#least;
    if (!this.#isScaled) this.#top = scrollTop / this.rowHeight + least;
    else if (Math.abs(moved) < this.scroller.clientHeight * 2) this.#top += moved / this.rowHeight;
    else this.#top = scrollTop / this.#range * (this.#most - least) + least;
    this.#top = Math.max(least, Math.min(this.#top, this.#most));
    if (scrollTop <= 0 && !this.isPinned) this.pin(true);
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
    cancelAnimationFrame(/** @type {number} */ (this.frame));
    this.frame = undefined;
    this.#draw();
  }

  #measure() {
    const [isFirst, rem] = [!this.rowHeight, parseFloat(getComputedStyle(document.documentElement).fontSize)];
    this.rowHeight = parseFloat(getComputedStyle(this.rows).getPropertyValue("--row") || "3.5") * rem;
    const isAtTop = isFirst || this.#top <= this.#least + 0.01;
    this.headHeight = this.space.offsetTop;
    if (isAtTop) this.#top = this.#least;
    this.hasMoved = true;
    if (isFirst && this.following) this.show(this.current);
    this.draw();
  }

  #draw() {
    if (!this.scroller.clientHeight || !this.rowHeight || !this.view.isLoaded) return;
    const { markers } = this;
    const total = markers.length;
    this.height = Math.min(HEIGHT, total * this.rowHeight);
    this.space.style.height = `${this.height}px`;
    this.#top = Math.max(this.#least, Math.min(this.#top, this.#most));
    if (this.hasMoved) this.#settle(); // not before there is room for it
    this.hasMoved = false;
    // What scrolls with the rows is where they are, though the scroll bar may be scaled.
    const ahead = this.#last - (this.#top - this.#least) * this.rowHeight;
    const isAhead = this.#isScaled && ahead && !this.isPinned;
    for (const part of this.head) part.style.transform = isAhead ? `translateY(${ahead}px)` : "";
    this.tellOpen();
    const first = Math.max(0, Math.floor(this.#top) - 3);
    const last = Math.min(total - 1, Math.ceil(this.#top + this.#seen) + 3);
    const used = new Set();
    let missing = false;
    /** @type {HTMLElement | undefined} */
    let before;
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
    this.empty.replaceChildren(...(total ? [] : [noMarkers(this.view)]));
  }

  /**
   * In the order of the list, too: for the Tab key and for those who listen.
   * @param {string} key
   * @param {number} index
   * @param {Marker | undefined} record
   * @param {number} total
   * @param {HTMLElement | undefined} before
   */
  #place(key, index, record, total, before) {
    let held = this.#nodes.get(key);
    const entry = record && this.view.all.pending.get(record.id);
    if (!held || held.record !== record || held.state !== entry?.state) {
      const blank = () => h("div.marker.marker-blank", { role: "listitem", "aria-busy": true });
      const node = record ? markerRow(this.view, record, entry) : blank();
      const { activeElement } = document;
      const hadFocus = held?.node.contains(activeElement)
        && /** @type {HTMLElement} */ (activeElement).dataset.part;
      held?.node.remove();
      held = { node, record, state: entry?.state };
      this.#nodes.set(key, held);
      this.rows.insertBefore(node, before ? before.nextSibling : this.rows.firstChild);
      if (hadFocus) focus(node, `[data-part="${hadFocus}"]`);
    }
    held.node.style.transform = `translateY(${this.#last - this.headHeight + (index - this.#top) * this.rowHeight}px)`;
    held.node.setAttribute("aria-posinset", String(index + 1));
    held.node.setAttribute("aria-setsize", String(total));
    held.node.classList.toggle("current", index === this.current);
    if (held.index !== index) Object.assign(held, { index }).node.dataset.index = String(index);
    return held.node;
  }

  /**
   * The list is one stop of the Tab key: the row that had the focus last, else the current one, else the first that
   * is seen.
   * @param {Set<string>} used
   */
  #setStop(used) {
    const seen = [...this.#nodes].filter(([key, { record }]) => used.has(key) && record);
    const at = (/** @type {number} */ index) => seen.find(([, held]) => held.index === index)?.[0];
    const stop = seen.some(([key]) => key === this.stop) ? this.stop : at(this.current) ?? at(Math.ceil(this.#top))
      ?? seen[0]?.[0];
    for (const [key, { node }] of seen) {
      for (const button of /** @type {Iterable<HTMLElement>} */ (node.children)) {
        button.tabIndex = key === stop && button.dataset.part === "play" ? 0 : -1;
      }
    }
  }

  /** @param {number} index */
  setCurrent(index) {
    if (index === this.current) return;
    this.current = index;
    if (this.following) this.show(index);
    this.draw();
  }

  /** @param {Happening<KeyboardEvent, HTMLElement>} event */
  #key(event) {
    const step = STEPS[event.key], beside = BESIDE[event.key], { part } = event.target.dataset;
    /** @type {HTMLElement | null} */
    const row = event.target.closest(".marker");
    if (row && beside && part !== beside) {
      event.preventDefault();
      return focus(row, `[data-part=${beside}]`, {});
    }
    if (!step || !row) return;
    event.preventDefault();
    this.follow(false);
    const index = Math.max(0, Math.min(this.markers.length - 1, Number(row.dataset.index) + step));
    this.show(index);
    this.#draw();
    focus(this.rows, `[data-index="${index}"] button`);
  }

  /**
   * After a row has gone, the next one has the focus.
   * @param {Marker} record
   */
  focusNear(record) {
    const focused = /** @type {HTMLElement} */ (document.activeElement), own = this.#nodes.get(record.id)?.node;
    if (focused !== document.body && !own?.contains(focused)) return;
    focused.blur();
    const index = Math.min(this.markers.length - 1, this.markers.indexAt(placeOf(record)));
    this.#draw();
    focus(this.rows, `[data-index="${index}"] button`);
  }

  /**
   * Who comes by the Tab key finds the rows behind.
   * @param {HTMLElement} target
   */
  #focused(target) {
    /** @type {HTMLElement | null} */
    const row = target.closest(".marker");
    if (!row) return;
    /** @type {string | undefined} */
    this.stop = row.dataset.id;
    if (!target.matches(":focus-visible")) return;
    this.pin(false);
    this.show(Number(row.dataset.index));
    this.#draw();
  }

  close() {
    this.sizes.disconnect();
    clearTimeout(this.idle);
  }
}

texts({
  "markers": "Markers",
  "back-to-now": "Back to now",
});

/** What is selected of a transcript, as a marker. */
import { h, icon } from "../base/dom.js";
import { clock } from "../base/flow.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { writing } from "../data/writing.js";
import { iso } from "./marking.js";
import { placeOf } from "./names.js";
import { endOf, nameOfPassage } from "./segments.js";

const TAP = 400; // ms: the click of a finger comes some time after it has left

/**
 * What is selected of a segment.
 * @param {HTMLElement} span
 * @param {Range} range
 */
function wordsOf(span, range) {
  const node = /** @type {Text} */ (span.firstChild);
  if (!range.intersectsNode(node)) return "";
  return node.data.slice(range.startContainer === node ? range.startOffset : 0,
    range.endContainer === node ? range.endOffset : undefined);
}

/** A button that is there while something is selected. */
export class Passage {
  /** @type {Segment[]} */
  segments = [];
  /** @type {HTMLElement[]} */
  spans = []; // of the segments
  /** @type {{ first: number, last: number, words: string } | undefined} */
  #chosen;
  #isHeld = false;
  #isClosed = false;

  /**
   * @param {SessionView} view
   * @param {HTMLElement} list
   */
  constructor(view, list) {
    this.view = view;
    this.list = list;
    this.chip = h("button.chip.primary", { type: "button", hidden: true, onclick: () => this.#mark(),
      onpointerdown: (event) => this.#hold(event) }, icon("plus"), h("span", t("mark-passage")));
    this.look = () => this.#look();
    document.addEventListener("selectionchange", this.look);
  }

  /**
   * Without a pointer whole paragraphs are selected, by their buttons.
   * @param {HTMLElement} first
   * @param {HTMLElement} last
   */
  select(first, last) {
    const [from, to] = [first, last].map((time) => /** @type {Element} */ (time.nextElementSibling));
    getSelection()?.setBaseAndExtent(from, 0, to, to.childNodes.length);
  }

  #look() {
    if (this.#isHeld || this.#isClosed) return;
    const selection = getSelection(), range = selection?.isCollapsed === false ? selection.getRangeAt(0) : undefined;
    const parts = range && this.view.canMark && range.intersectsNode(this.list)
      ? this.spans.map((span, index) => ({ index, words: wordsOf(span, range).trim() })).filter(({ words }) => words)
      : [];
    const [first] = parts, last = parts.at(-1);
    this.#chosen = last && { first: first.index, last: last.index, words: parts.map(({ words }) => words).join(" ") };
    this.chip.hidden = !this.#chosen;
  }

  /**
   * While its button is pressed the selection counts as it was: some browsers drop it at a touch.
   * @param {PointerEvent} event
   */
  #hold(event) {
    event.preventDefault();
    this.#isHeld = true;
    const leave = () => setTimeout(() => {
      this.#isHeld = false;
      this.#look();
    }, TAP);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, leave, { once: true });
  }

  /** From the beginning of the first segment to the end of the last. */
  #mark() {
    if (!this.#chosen) return;
    const { first, last, words } = this.#chosen, { marking } = this.view, id = ulid();
    const moment = { offset: placeOf(this.segments[first]), at: clock.now() };
    const body = { offset_ms: moment.offset, duration_ms: Math.max(1, endOf(this.segments[last]) - moment.offset),
      created_at: iso(moment.at), source: "user", tags: [], label: nameOfPassage(words) };
    getSelection()?.removeAllRanges();
    const kept = writing.add({ id, kind: "marker", session: marking.session, body, state: "pressed" });
    marking.mark(undefined, moment, { record: { id, ...body }, kept });
  }

  close() {
    this.#isClosed = true;
    document.removeEventListener("selectionchange", this.look);
  }
}

texts({
  "mark-passage": "Mark passage",
});

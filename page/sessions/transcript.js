/** The tab Transcript: what was said, which follows what is heard. Loaded when it is opened. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { emptyState, skeleton } from "../ui/say.js";
import { search } from "./markers.js";
import { placeOf } from "./names.js";
import { Passage } from "./passage.js";
import { paragraphsOf } from "./segments.js";
import "../ui/shared.js";

const HEIGHT = 0.35; // of what is seen: where the current segment stays
/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * `root` is what scrolls.
 * @param {HTMLElement} root
 * @param {SessionView} view
 */
export function tab(root, view) {
  const { player } = view;
  const list = h("ol.transcript", { "aria-label": t("words-said") }, h("li", skeleton(7)));
  const backTime = h("span");
  const back = h("button.chip.transcript-back", { type: "button", hidden: true, onclick: () => follow(true) },
    icon("play"), backTime);
  const passage = new Passage(view, list);
  root.append(list, h("div.transcript-foot", back, passage.chip));

  /** @type {Segment[]} */
  let segments = [];
  /** @type {HTMLElement[]} */
  let spans = []; // of the segments
  /** @type {HTMLElement[]} */
  let times = []; // of the paragraphs
  /** @type {number[]} */
  let paragraphAt = []; // of each segment
  /** @type {number | undefined} */
  let anchor; // where a selection by keys begins
  let current = -1, stop = 0, following = true, isClosed = false, turn = 0, known = "";

  // MARK: Following

  /** @param {boolean} isFollowing */
  function follow(isFollowing) {
    following = isFollowing;
    if (following) show();
    tell();
  }

  function show() {
    const span = spans[current];
    if (!span?.isConnected) return;
    const top = span.getBoundingClientRect().top - root.getBoundingClientRect().top;
    root.scrollBy({ top: top - root.clientHeight * HEIGHT, behavior: still.matches ? "auto" : "smooth" });
  }

  function tell() {
    back.hidden = following || current < 0;
    const words = back.hidden ? "" : t("back-to", { time: fmt.offset(player.position()) });
    if (words !== backTime.textContent) backTime.textContent = words;
  }

  /** @param {string} [what] */
  function tick(what) {
    const index = search(segments, player.position(), placeOf) - 1;
    const isElsewhere = index !== current || (what === "seek" && !following);
    if (what === "seek") following = true;
    if (index !== current) {
      spans[current]?.removeAttribute("aria-current");
      spans[index]?.setAttribute("aria-current", "true");
      current = index;
      // Who comes by the Tab key comes to what is heard.
      if (index >= 0 && !list.contains(document.activeElement)) setStop(paragraphAt[index]);
    }
    if (following && isElsewhere) show();
    tell();
  }

  /**
   * The list is one stop of the Tab key.
   * @param {number} paragraph
   */
  function setStop(paragraph) {
    times[stop]?.setAttribute("tabindex", "-1");
    times[paragraph]?.setAttribute("tabindex", "0");
    stop = paragraph;
  }

  // Who scrolls by hand reads elsewhere, and so does who moves the focus.
  const byHand = () => following && follow(false);
  const scrolling = (/** @type {PointerEvent} */ { target, offsetX }) =>
    target === root && offsetX >= root.clientWidth && byHand();
  const keyed = (/** @type {KeyboardEvent} */ event) => {
    const step = STEPS[event.key];
    if (step || ["PageUp", "PageDown"].includes(event.key)) byHand();
    const from = times.indexOf(/** @type {HTMLElement} */ (event.target));
    if (!step || from < 0) return;
    event.preventDefault();
    anchor = event.shiftKey ? anchor ?? from : undefined;
    setStop(Math.max(0, Math.min(times.length - 1, from + step)));
    times[stop].focus();
    if (anchor !== undefined) passage.select(times[Math.min(anchor, stop)], times[Math.max(anchor, stop)]);
  };
  root.addEventListener("wheel", byHand, { passive: true });
  root.addEventListener("touchmove", byHand, { passive: true });
  root.addEventListener("pointerdown", scrolling);
  root.addEventListener("keydown", keyed);

  // MARK: Playing

  /** @param {number} index */
  function play(index) {
    player.play(placeOf(segments[index]));
    follow(true);
  }

  list.addEventListener("click", ({ target }) => {
    /** @type {HTMLElement | null} */
    const place = /** @type {HTMLElement} */ (target).closest("[data-index]");
    // Who selects words does not play.
    const isMeant = place?.matches("button") || getSelection()?.isCollapsed !== false;
    if (place && isMeant) play(Number(place.dataset.index));
  });

  // MARK: Loading

  /**
   * @param {Segment[]} paragraph
   * @param {Segment[] | undefined} before
   * @param {number} first
   */
  function row(paragraph, before, first) {
    const [{ speaker }] = paragraph, time = fmt.offset(placeOf(paragraph[0]));
    const words = paragraph.flatMap((segment, number) => [number > 0 && " ",
      h("span.segment", { "data-index": first + number }, segment.text ?? "")]);
    return h("li.paragraph", h("button.segment-time", { type: "button", "data-index": first, tabindex: -1,
      "aria-label": t("play-segment", { time }) }, time), h("div.paragraph-words",
      speaker && speaker !== before?.[0].speaker && h("p.speaker", { dir: "auto" }, speaker),
      h("p", { dir: "auto" }, words)));
  }

  function draw() {
    const paragraphs = paragraphsOf(segments);
    let first = 0;
    const rows = paragraphs.map((paragraph, index) => row(paragraph, paragraphs[index - 1],
      (first += paragraph.length) - paragraph.length));
    list.replaceChildren(...rows);
    const all = (/** @type {string} */ name) => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(name)]);
    [spans, times] = [all(".segment"), all(".segment-time")];
    Object.assign(passage, { segments, spans });
    paragraphAt = paragraphs.flatMap((paragraph, index) => paragraph.map(() => index));
    current = -1;
    setStop(0);
    tick();
  }

  async function load() {
    const mine = turn += 1;
    try {
      /** @type {Segment[]} */
      const read = [];
      /** @type {Query | undefined} */
      let query = { limit: 1000 };
      while (query) {
        /** @type {Answered<Segment[]>} */
        const { body, next } = await api.get(`sessions/${view.handle}/transcript`, { query, keep: true });
        read.push(...body);
        query = next;
      }
      const text = JSON.stringify(read);
      if (mine !== turn || isClosed || text === known) return;
      [segments, known] = [read, text];
      if (segments.length) draw();
      else list.replaceChildren(h("li", emptyState("note", t("no-transcript-title"), t("no-transcript-why"))));
    } catch (error) {
      if (mine !== turn || isClosed || segments.length) return;
      list.replaceChildren(h("li", emptyState("warning", t("transcript-failed"), problemText(error))));
    }
  }

  const off = player.on(tick);
  load();
  return {
    load,
    close() {
      isClosed = true;
      off();
      passage.close();
      root.removeEventListener("wheel", byHand);
      root.removeEventListener("touchmove", byHand);
      root.removeEventListener("pointerdown", scrolling);
      root.removeEventListener("keydown", keyed);
    },
  };
}

texts({
  "words-said": "What was said",
  "back-to": "Back to {time}",
  "play-segment": "Play from {time}",
  "no-transcript-title": "No transcript yet",
  "no-transcript-why": "“trace transcribe” on the server writes down what was said.",
  "transcript-failed": "The transcript could not be loaded",
});

/** The picture of a session's sound, which is its slider, too. */
import { h } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { settings } from "../data/settings.js";
import { endOf, startOf } from "./order.js";
import { Peaks } from "./peaks.js";
import { densityBars, drawBars, drawMarkers, peakBars, xOf } from "./picture.js";

/**
 * The picture of a session: sound, markers by category, loop and needle. It is a slider for people who can't see it.
 */
export class Waveform {
  #from = 0;
  #to = 1;
  /** @type {Map<number, number>} */
  #fingers = new Map();
  /** @type {Map<string, Peaks>} */
  #peaks = new Map();
  /** @type {any} */
  length;
  /** @type {Api.SessionMedia | undefined} */
  media;
  /** @type {Api.SessionMedia[]} */
  items = [];
  width = 0;
  frame = 0;
  /** @type {number | undefined} */
  second;
  /** @type {any} */
  style;
  loudest = 0;
  from = 0;
  scrubs = false;
  pinched = false;
  /** @type {(() => unknown) | undefined} */
  onzoom;

  /** `markers.cells()` yields `{min, max, n:[H,S,T,F,other]}`; `describe(offset)` names what is there. */
  /**
   * @param {any} player
   * @param {{ cells(): { min: number, max: number, n: number[] }[] }} markers
   * @param {(offset: number) => string | undefined} describe
   */
  constructor(player, markers, describe) {
    this.player = player;
    this.markers = markers;
    this.describe = describe;
    this.sound = h("canvas.wave-sound");
    this.played = h("canvas.wave-sound.wave-played");
    this.marks = h("canvas.wave-marks");
    this.loop = h("div.wave-loop", { hidden: true });
    this.needle = h("div.wave-needle");
    this.caption = h("p.wave-caption", { hidden: true });
    this.slider = h("div.wave", {
      role: "slider", tabindex: 0, "aria-label": t("position"), "aria-valuemin": 0, "aria-orientation": "horizontal",
      onpointerdown: (event) => this.#down(event),
        onpointermove: (/** @type {PointerEvent} */ event) => this.#move(event),
      onpointerup: (/** @type {PointerEvent} */ event) => this.#up(event),
        onpointercancel: (/** @type {PointerEvent} */ event) => this.#up(event),
      onkeydown: (event) => this.#key(event),
    }, this.sound, this.played, this.loop, this.marks, this.needle);
    this.slider.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element = h("div.wave-box", this.slider, this.caption);
    // All of it once more, where the player itself is out of sight; nobody reaches for it there.
    this.small = [h("canvas.wave-sound"), h("canvas.wave-sound.wave-played")];
    this.miniature = h("span.wave-small", { "aria-hidden": "true" }, this.small);
    this.sizes = new ResizeObserver(() => this.draw());
    for (const place of [this.slider, this.miniature]) this.sizes.observe(place);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => this.draw();
    this.scheme.addEventListener("change", this.repaint);
    this.stopTheme = settings.on("theme", this.repaint);
  }

  /** @param {number} length */
  setLength(length) {
    const whole = this.isWhole;
    this.length = Math.max(1, length);
    if (whole || this.#to > this.length) [this.#from, this.#to] = [0, this.length];
    this.slider.setAttribute("aria-valuemax", String(Math.round(this.length)));
    this.draw();
  }

  /** @param {Api.SessionMedia | undefined} item */
  setMedia(item) {
    if (item?.id === this.media?.id) return;
    this.media = item;
    const beside = (/** @type {Api.SessionMedia} */ other) => !item || endOf(other) <= startOf(item)
      || startOf(other) >= endOf(item);
    this.items = item ? [item, ...this.player.media.filter(beside)] : [];
    for (const { id = "" } of this.items) {
      if (!this.#peaks.has(id)) this.#peaks.set(id, new Peaks(`sessions/${this.player.handle}/media/${id}`,
        () => this.draw()));
    }
    this.draw();
  }

  get #playing() { return this.#peaks.get(this.media?.id ?? ""); }

  retry() {
    for (const peaks of this.#peaks.values()) if (peaks.isOffline) peaks.problem = undefined;
    this.draw();
  }

  get isWhole() { return this.length === undefined || this.#to - this.#from >= this.length; }
  get span() { return this.#to - this.#from; }

  /**
   * Shows `factor` of what is seen, keeping `at` where it is.
   * @param {number} factor
   * @param {number} [at]
   */
  zoom(factor, at = this.player.position()) {
    const middle = at >= this.#from && at <= this.#to ? at : (this.#from + this.#to) / 2;
    const span = Math.min(this.length, Math.max(2000, this.span * factor));
    const from = middle - (middle - this.#from) / this.span * span;
    this.#show(from, span);
  }

  /**
   * @param {number} from
   * @param {number} span
   */
  #show(from, span) {
    this.#from = Math.max(0, Math.min(from, this.length - span));
    this.#to = this.#from + span;
    this.draw();
  }

  get #range() { return { from: this.#from, span: this.span, width: this.width }; }
  /** @param {MouseEvent} event */
  #offset(event) {
    const { left } = this.slider.getBoundingClientRect();
    return this.#from + (event.clientX - left) / this.width * this.span;
  }

  tick() {
    const position = this.player.position();
    if (this.player.isPlaying && !this.isWhole && (position < this.#from || position > this.#to)
      && !this.#fingers.size) {
      return this.#show(position - this.span * 0.05, this.span);
    }
    const x = xOf(this.#range, position);
    this.needle.style.transform = `translateX(${x}px)`;
    this.played.style.clipPath = `inset(0 ${Math.max(0, this.width - x)}px 0 0)`;
    const second = Math.floor(position / 1000);
    if (second === this.second) return;
    this.second = second;
    this.small[1].style.clipPath = `inset(0 ${100 - 100 * Math.min(1, position / this.length)}% 0 0)`;
    this.slider.setAttribute("aria-valuenow", String(Math.round(position)));
    const name = this.describe(position);
    this.slider.setAttribute("aria-valuetext", fmt.offset(position) + (name ? `, ${name}` : ""));
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.width = this.slider.clientWidth;
    if (this.length === undefined) return;
    this.second = undefined;
    const { clientWidth: width } = this.miniature;
    if (width) this.#drawSound({ from: 0, span: this.length, width }, this.small);
    if (!this.width) return this.tick();
    this.style = getComputedStyle(this.slider);
    this.#drawSound(this.#range, [this.sound, this.played]);
    this.#drawMarks();
    this.drawLoop();
    const { waits = false, problem = undefined } = this.#playing ?? {};
    const why = waits ? t("wave-waits") : problem && t("wave-none", { why: problem });
    this.caption.hidden = !why;
    if (why) this.caption.textContent = why;
    this.tick();
  }

  drawLoop() {
    const { loop } = this.player;
    this.loop.hidden = !loop;
    this.loop.classList.toggle("open", Boolean(loop && !loop.b));
    if (loop) {
      const [a, b] = [loop.a, loop.b ?? loop.a].map((offset) => xOf(this.#range, offset));
      this.loop.style.transform = `translateX(${a}px)`;
      this.loop.style.width = `${Math.max(2, b - a)}px`;
    }
  }

  /** @param {string} name */
  #colour(name) { return this.style.getPropertyValue(name).trim(); }

  get #isDensity() { return !this.media || Boolean(this.#playing?.problem); }

  drawMarks() {
    if (this.#isDensity) this.draw();
    else if (this.style) this.#drawMarks();
  }

  /**
   * @param {Seen} range
   * @param {HTMLCanvasElement[]} canvases of all of it, and of what was played
   */
  #drawSound(range, [sound, played]) {
    const bars = this.#isDensity ? densityBars(range, this.markers.cells()) : this.#peakBars(range);
    const style = getComputedStyle(sound);
    drawBars(sound, bars, style.getPropertyValue("--wave").trim());
    drawBars(played, bars, style.getPropertyValue("--accent").trim());
  }

  /**
   * Louder for quiet recordings.
   * @param {Seen} range
   */
  #peakBars(range) {
    const bars = this.items.flatMap((item) => peakBars(range, item, this.#peaks.get(item.id ?? "")));
    this.loudest = bars.reduce((most, [, low, high]) => Math.max(most, -low, high), this.loudest ?? 0);
    const gain = this.loudest > 0.02 ? 0.96 / this.loudest : 1;
    return bars.map(([x, low, high]) => [x, low * gain, high * gain]);
  }

  #drawMarks() { drawMarkers(this.marks, this.#range, this.markers.cells(),
    (/** @type {string} */ name) => this.#colour(name)); }

  // MARK: Fingers and keys

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 0) return;
    this.slider.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, event.clientX);
    // A finger may want to scroll the page: it seeks by a tap or sideways.
    if (this.#fingers.size === 1) Object.assign(this, { from: event.clientX, scrubs: event.pointerType === "mouse",
      pinched: false });
    else this.pinched = true;
    if (this.scrubs) this.player.seek(this.#offset(event));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    const before = [...this.#fingers.values()];
    this.#fingers.set(event.pointerId, event.clientX);
    const after = [...this.#fingers.values()];
    this.scrubs ||= Math.abs(event.clientX - this.from) > 5;
    if (this.scrubs && !this.pinched) this.player.seek(this.#offset(event));
    if (after.length !== 2) return;
    const apart = (/** @type {number[]} */ fingers) => Math.max(24, Math.abs(fingers[0] - fingers[1]));
    const middle = (/** @type {number[]} */ fingers) =>
      (fingers[0] + fingers[1]) / 2 - this.slider.getBoundingClientRect().left;
    const held = this.#from + middle(before) / this.width * this.span;
    const span = Math.min(this.length, Math.max(2000, this.span * apart(before) / apart(after)));
    this.#show(held - middle(after) / this.width * span, span);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (this.#fingers.delete(event.pointerId) && event.type === "pointerup" && !this.scrubs
      && !this.pinched) this.player.seek(this.#offset(event));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 200), this.#offset(event));
    } else if (!this.isWhole && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.#show(this.#from + event.deltaX / this.width * this.span, this.span);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const arrow = event.shiftKey ? 1000 : 10_000; // as without the focus
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -arrow, ArrowDown: -arrow, ArrowRight: arrow, ArrowUp: arrow, PageDown: -60_000,
      PageUp: 60_000 };
    const step = steps[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? this.length : step && this.player.position() + step;
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.player.seek(to);
  }

  close() {
    this.sizes.disconnect();
    cancelAnimationFrame(this.frame);
    this.scheme.removeEventListener("change", this.repaint);
    this.stopTheme?.();
  }
}

texts({
  "position": "Position",
  "wave-waits": "The waveform is being made…",
  "wave-none": "Markers instead of a waveform: {why}",
});

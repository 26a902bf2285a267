/** The player of a session as it is seen: what is heard, the picture of the sound, and its buttons. */
import { drawings, h, icon } from "../base/dom.js";
import { badge, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { SPEEDS } from "../play/player.js";
import { announce, toast } from "../ui/say.js";
import { nameOf } from "./names.js";
import "../ui/shared.js";

const SLEEPS = ["", "10", "30", "60", "marker", "recording"]; // minutes, or what ends

/**
 * A list of choices that looks like a button: its words are ours, the list is the browser's own.
 * @param {string} name
 * @param {(value: string) => unknown} act
 * @param {Child} [sign]
 */
function pick(name, act, sign) {
  /** @type {HTMLSelectElement} */
  const select = h("select", { "aria-label": t(name), onchange: () => act(select.value) }), words = h("span");
  const node = h(`label.button.pill.pick.pick-${name}`, { title: t(name) }, sign, words, select);
  return {
    node,
    /** @param {[string, string][]} choices values and their words */
    offer(choices) { select.replaceChildren(...choices.map(([value, text]) => h("option", { value }, text))); },
    /**
     * @param {string} value
     * @param {string} text
     * @param {boolean} [isOn]
     */
    show(value, text, isOn = false) {
      if (select.value !== value) select.value = value;
      if (words.textContent !== text) words.textContent = text;
      node.classList.toggle("on", isOn);
    },
  };
}
/** @param {number} speed */
const times = (speed) => `${speed.toLocaleString()}×`;

export class Stage {
  /**
   * `view` has handle, session, player and all markers, and goes from marker to marker by `step(by)`.
   * @param {SessionView} view
   */
  constructor(view) {
    const { player, handle, all } = view;
    /** @type {SessionView} */
    this.view = view;
    /** @type {import("../play/player.js").Player} */
    this.player = player;
    /** @type {Markers} */
    this.all = all;
    /** @type {string} */
    this.handle = handle;
    const named = (/** @type {string} */ label) => ({ type: "button", "aria-label": t(label), title: t(label) });
    /** @type {(name: string, label: string, onclick: () => unknown) => HTMLButtonElement} */
    const button = (name, label, onclick) => h(`button.${name}`, { ...named(label), onclick }, icon(name));
    /** @type {(name: string, factor: number, sign: string) => HTMLButtonElement} */
    const zoom = (name, factor, sign) =>
      h("button.pill.zoom", { ...named(name), onclick: () => this.wave?.zoom(factor) }, sign);
    const skip = (/** @type {number} */ ms) => () => player.seek(player.position() + ms);
    this.nowBadge = h("span.here-badge");
    this.nowName = h("span.here-name", { dir: "auto" });
    this.sign = h("p.state");
    this.room = h("a.button.primary", { href: `#/s/${handle}/live` }, icon("mic"), t("open-live"));
    /** @type {AbortController | undefined} */
    this.keeping = undefined;
    /** @type {boolean | undefined} */
    this.wasPlaying = undefined;
    /** @type {number | undefined} */
    this.second = undefined;
    /** @type {number | undefined} */
    this.index = undefined;
    /** @type {string | undefined} */
    this.instead = undefined;
    this.#loadWave();
    this.time = h("span.time-here");
    this.timeEnd = h("span.time-end");
    this.playButton = button("play", "play", () => player.toggle());
    this.speed = pick("speed", (rate) => { player.rate = Number(rate); });
    this.speed.offer(SPEEDS.map((speed) => [String(speed), times(speed)]));
    this.loopButton = h("button.pill", { type: "button", onclick: () => this.loopHere() }, h("span", "A–B"));
    this.sleep = pick("sleep-timer", (when) => player.sleepIn(when), icon("moon"));
    this.sleep.offer(SLEEPS.map((when) => [when, Number(when) ? t("sleep-minutes", { n: Number(when) })
      : t(`sleep-${when || "off"}`)]));
    const skipOrNot = () => { player.skips = !player.skips; };
    this.silence = h("button.pill.silence", { ...named("skip-silence"), onclick: skipOrNot }, icon("silence"),
      h("span", t("silence")));
    this.keepButton = h("button.pill.keep", { type: "button", onclick: () => this.keep() },
      icon("keep"), h("span", t("keep")));
    this.items = pick("recording", (chosen) =>
      player.choose(player.media.find(({ id }) => id === chosen), player.position()));
    this.warning = h("p.session-warning", { role: "alert", hidden: true });
    const more = h("button.icon-button", { ...named("player-more"), "aria-haspopup": "dialog", "data-more": "",
      onclick: () => view.openPlayer() }, icon("more"));
    this.head = h("div.session-head", this.sign, this.room);
    this.element = h("section.stage", { "aria-label": t("player") }, this.head,
      this.waveBox,
      h("div.times", this.time, h("span.here", this.nowBadge, this.nowName), this.timeEnd), this.warning,
      h("div.transport",
        h("div.transport-main",
          button("previous", "previous-marker", () => view.step(-1)), button("back10", "back-10", skip(-10_000)),
          this.playButton,
          button("forward10", "forward-10", skip(10_000)), button("next", "next-marker", () => view.step(1)), more),
        h("div.transport-more", this.items.node, this.speed.node, this.loopButton, zoom("zoom-out", 2, "−"),
          zoom("zoom-in", 0.5, "+"), this.sleep.node, this.silence, this.keepButton)));
    // Where the player itself is out of sight.
    this.dockButton = button("play", "play", () => player.toggle());
    this.dockName = h("span.here-name", { dir: "auto" });
    this.dockTime = h("span.time-here");
    this.dockWave = h("span.dock-wave");
    this.dock = h("div.dock", { role: "group", "aria-label": t("player"), hidden: true }, this.dockButton,
      h("button.dock-title", { type: "button", "aria-haspopup": "dialog", onclick: () => view.openPlayer() },
        this.dockName, this.dockTime, this.dockWave));
  }

  /** Its place is there from the beginning, and nothing waits for it. */
  async #loadWave() {
    /** @type {HTMLElement} */
    this.waveBox = h("div.wave-box", h("div.wave"));
    const module = await import("../play/waveform.js").catch(() => undefined);
    if (!module || this.isClosed) return;
    /** @type {import("../play/waveform.js").Waveform | undefined} */
    this.wave = new module.Waveform(this.player, this.all, (offset) => this.#nameAt(offset));
    this.waveBox.replaceWith(this.wave.element);
    this.dockWave.append(this.wave.miniature);
    if (this.length !== undefined) this.wave.setLength(this.length);
    this.wave.setMedia(this.player.item);
  }

  /** Draws what is known of the session. */
  told() {
    const { player, view: { session, isForgotten, canMark } } = this;
    const isActive = session.status === "active";
    this.head.hidden = !isActive;
    this.room.hidden = !canMark;
    /** @type {Node} */ (this.room.lastChild).textContent = t(isForgotten ? "end-it" : "open-live");
    /** @type {ChildNode} */ (this.room.firstChild).replaceWith(icon(isForgotten ? "stop" : "mic"));
    const isPaused = session.clock?.paused_at_ms !== undefined;
    this.sign.textContent = t(isForgotten ? "left-open" : isPaused ? "paused" : "live");
    this.sign.classList.toggle("left", Boolean(isForgotten));
    const { media = [] } = session;
    this.items.offer(player.media.map((item) => [item.id ?? "", this.#nameOf(item)]));
    this.items.node.hidden = player.media.length < 2;
    this.element.classList.toggle("silent", !player.media.length);
    this.#warn(media.length && !player.media.length ? t("unplayable", { type: media[0].mime ?? "?" }) : undefined);
  }

  /** @param {string} [text] */
  #warn(text) { Object.assign(this.warning, { hidden: !text, textContent: text ?? "" }); }

  /** Draws what the player does. */
  state() {
    const { player } = this;
    const isPlaying = player.isPlaying;
    if (this.wasPlaying !== isPlaying) {
      this.wasPlaying = isPlaying;
      for (const one of [this.playButton, this.dockButton]) {
        one.replaceChildren(icon(isPlaying ? "pause" : "play"));
        one.setAttribute("aria-label", t(isPlaying ? "pause" : "play"));
      }
    }
    this.speed.show(String(player.rate), times(player.rate), player.rate !== 1);
    this.silence.classList.toggle("on", player.skips);
    this.silence.ariaPressed = String(player.skips);
    this.#rests();
    this.loopButton.classList.toggle("on", Boolean(player.loop));
    const isOpen = player.loop && player.loop.b === undefined;
    this.loopButton.ariaLabel = t(isOpen ? "loop-set-b" : player.loop ? "loop-clear" : "loop-set-a");
    this.loopButton.ariaPressed = String(Boolean(player.loop && !isOpen));
    /** @type {Node} */ (this.loopButton.firstChild).textContent = isOpen ? "A…" : "A–B";
    this.wave?.drawLoop();
    this.keepButton.hidden = !player.item;
    this.keepButton.classList.toggle("on", Boolean(player.isKept));
    this.keepButton.setAttribute("aria-label", t(player.isKept ? "keep-remove" : "keep-long"));
    const word = this.keepButton.querySelector("span");
    if (word && !this.keeping) word.textContent = t(player.isKept ? "kept" : "keep");
    if (player.item) {
      this.items.show(String(player.item.id), this.#nameOf(player.item));
      this.#warn(player.failure);
    }
    this.wave?.setMedia(player.item);
  }

  /** @param {Api.SessionMedia} item */
  #nameOf(item) {
    return t("recording-n", { n: this.player.media.indexOf(item) + 1, from: fmt.offset(item.start_offset_ms ?? 0) });
  }

  /** How long it plays yet. */
  #rests() {
    const { sleep } = this.player;
    this.sleep.show(sleep?.when ?? "", sleep?.isTimed ? fmt.length(Math.max(0, sleep.left))
      : t(sleep ? `sleep-${sleep.when}` : "sleep"), Boolean(sleep));
  }

  /** @param {number} length */
  setLength(length) {
    /** @type {number | undefined} */
    this.length = length;
    this.timeEnd.textContent = fmt.offset(length);
    this.wave?.setLength(length);
  }

  /**
   * What changes as time goes by; touches only what is different, and tells whether anything was.
   * @param {number} position
   * @param {number} index
   * @param {boolean} [isStale]
   */
  tick(position, index, isStale) {
    this.wave?.tick();
    const second = Math.floor(position / 1000);
    if (second === this.second && index === this.index && !isStale) return false;
    this.second = second;
    this.index = index;
    this.time.textContent = this.dockTime.textContent = fmt.offset(position);
    if (this.player.sleep?.isTimed) this.#rests();
    const { all } = this;
    const [here, next] = [all.row(index - 1), all.row(index)];
    const instead = all.length ? "before-first" : "no-markers-title";
    const missing = (index > 0 && !here) || (index < all.length && !next);
    if (missing && !all.problem && !all.busy) all.want(index - 20, index + 20);
    if (here !== this.here || this.instead !== instead) {
      /** @type {Marker | undefined} */
      this.here = here;
      this.instead = instead;
      this.nowBadge.replaceChildren(here ? badge(categoryOf(here.tags ?? [])) : "");
      for (const name of [this.nowName, this.dockName]) {
        name.textContent = here ? nameOf(here) : t(instead);
        name.classList.toggle("nameless", !here?.label);
      }
      this.player.tellLockScreen(here?.label ?? "");
    }
    return true;
  }

  /** @param {number} offset */
  #nameAt(offset) {
    const record = this.all.row(this.all.indexAt(offset) - 1);
    return record ? record.label || categoryOf(record.tags ?? [])?.name() : "";
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

  /** Keeps the recording on this device, or no longer. */
  keep() {
    return import("./keeping.js").then(({ keep }) => keep(this), () => toast(t("view-failed"), { kind: "bad" }));
  }

  close() {
    this.keeping?.abort();
    this.isClosed = true;
    this.wave?.close();
  }
}

drawings({
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  silence: "M3.5 10v4M6.5 7v10M17.5 7v10M20.5 10v4M9.5 12h5M12.5 10l2 2-2 2",
});

texts({
  "play": "Play",
  "back-10": "Back 10 seconds",
  "forward-10": "Forward 10 seconds",
  "previous-marker": "Previous marker",
  "next-marker": "Next marker",
  "speed": "Speed",
  "recording": "Recording",
  "recording-n": "Recording {n}, from {from}",
  "zoom-in": "Zoom in",
  "zoom-out": "Zoom out",
  "loop-set-a": "Start a loop here",
  "loop-set-b": "End the loop here",
  "loop-clear": "Clear the loop",
  "loop-a": "The loop starts here. Choose where it ends.",
  "loop-on": "The loop is on.",
  "loop-off": "The loop is off.",
  "sleep": "Sleep",
  "sleep-timer": "Sleep timer",
  "sleep-off": "No sleep timer",
  "sleep-minutes": "In {n} minutes",
  "sleep-marker": "After this marker",
  "sleep-recording": "After this recording",
  "silence": "Silence",
  "skip-silence": "Skip silence",
  "keep": "Keep",
  "kept": "Kept",
  "keep-long": "Keep this recording on this device",
  "keep-remove": "Remove this recording from this device",
  "unplayable":
    "This browser can’t play the recording ({type}). On the server, “trace media add-review-audio” makes one " +
    "that it can.",
  "before-first": "Before the first marker",
  "end-it": "End it…",
  "player-more": "More of the player",
});

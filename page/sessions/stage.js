/** The player of a session as it is seen: what is heard, the picture of the sound, and its buttons. */
import { h, icon } from "../base/dom.js";
import { badge, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { announce, toast } from "../ui/say.js";
import { nameOf, placeOf } from "./names.js";
import "../ui/shared.js";

export const SPEEDS = [0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

export class Stage {
  /** `view` has handle, session, player and all markers, and goes from marker to marker by `step(by)`. */
  constructor(view) {
    const { player, handle } = Object.assign(this, { view, player: view.player, all: view.all,
      handle: view.handle });
    const named = (label) => ({ type: "button", "aria-label": t(label), title: t(label) });
    const button = (name, label, onclick) => h(`button.${name}`, { ...named(label), onclick }, icon(name));
    const zoom = (name, factor, sign) =>
      h("button.pill.zoom", { ...named(name), onclick: () => this.wave?.zoom(factor) }, sign);
    const skip = (ms) => () => player.seek(player.position() + ms);
    this.nowBadge = h("span.here-badge");
    this.nowName = h("p.here-name", { dir: "auto" });
    this.nowNext = h("p.here-next");
    this.meta = h("p.session-meta");
    this.room = h("a.button.pill", { href: `#/s/${handle}/live` }, icon("mic"), t("open-live"));
    this.#loadWave();
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
    this.element = h("section.stage", { "aria-label": t("player") },
      h("div.session-head", this.meta, this.room),
      h("div.here", this.nowBadge, h("div.here-text", this.nowName, this.nowNext)),
      this.waveBox, h("div.times", this.time, this.timeEnd), this.warning,
      h("div.transport",
        h("div.transport-main",
          button("back10", "back-10", skip(-10_000)), button("previous", "previous-marker", () => view.step(-1)),
          this.playButton,
          button("next", "next-marker", () => view.step(1)), button("forward10", "forward-10", skip(10_000))),
        h("div.transport-more", this.speed, this.loopButton, zoom("zoom-out", 2, "−"), zoom("zoom-in", 0.5, "+"),
          this.items, this.keepButton)));
  }

  /** Its place is there from the beginning, and nothing waits for it. */
  async #loadWave() {
    this.waveBox = h("div.wave-box", h("div.wave"));
    const { Waveform } = await import("../play/waveform.js").catch(() => ({}));
    if (!Waveform || this.isClosed) return;
    this.wave = new Waveform(this.player, this.all, (offset) => this.#nameAt(offset));
    this.waveBox.replaceWith(this.wave.element);
    if (this.length !== undefined) this.wave.setLength(this.length);
    this.wave.setMedia(this.player.item);
  }

  /** Draws what is known of the session. */
  told() {
    const { player, view: { session, isForgotten, canMark } } = this;
    const isActive = session.status === "active";
    this.room.hidden = !isActive || !canMark;
    this.room.lastChild.textContent = t(isForgotten ? "end-it" : "open-live");
    this.room.firstChild.replaceWith(icon(isForgotten ? "stop" : "mic"));
    const begun = session.start_time && Date.parse(session.start_time);
    const active = t(isForgotten ? "left-open" : session.clock?.paused_at_ms === undefined ? "live" : "paused");
    const state = isActive ? active : session.status ? "" : t("no-status");
    const length = session.duration_ms !== undefined && fmt.length(session.duration_ms);
    const facts = [begun && fmt.dateTime(begun), length,
      state && h("span.state", { "data-state": session.status ?? "?" }, state)].filter(Boolean);
    this.meta.replaceChildren(...facts.flatMap((fact) => [fact, " · "]).slice(0, -1));
    const { media = [] } = session;
    this.items.replaceChildren(...player.media.map((item, index) => h("option", { value: item.id },
      t("recording-n", { n: index + 1, from: fmt.offset(item.start_offset_ms ?? 0) }))));
    this.items.hidden = player.media.length < 2;
    this.element.classList.toggle("silent", !player.media.length);
    this.#warn(media.length && !player.media.length ? t("unplayable", { type: media[0].mime ?? "?" }) : undefined);
  }

  #warn(text) { Object.assign(this.warning, { hidden: !text, textContent: text ?? "" }); }

  /** Draws what the player does. */
  state() {
    const { player } = this;
    const isPlaying = player.isPlaying;
    if (this.wasPlaying !== isPlaying) {
      this.wasPlaying = isPlaying;
      this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
      this.playButton.setAttribute("aria-label", t(isPlaying ? "pause" : "play"));
    }
    this.speed.value = player.rate;
    this.loopButton.classList.toggle("on", Boolean(player.loop));
    const isOpen = player.loop && player.loop.b === undefined;
    this.loopButton.ariaLabel = t(isOpen ? "loop-set-b" : player.loop ? "loop-clear" : "loop-set-a");
    this.loopButton.ariaPressed = String(Boolean(player.loop && !isOpen));
    this.loopButton.firstChild.textContent = isOpen ? "A…" : "A–B";
    this.wave?.drawLoop();
    this.keepButton.hidden = !player.item;
    this.keepButton.classList.toggle("on", Boolean(player.isKept));
    this.keepButton.setAttribute("aria-label", t(player.isKept ? "keep-remove" : "keep-long"));
    if (!this.keeping) this.keepButton.querySelector("span").textContent = t(player.isKept ? "kept" : "keep");
    if (player.item) {
      this.items.value = player.item.id;
      this.#warn(player.failure);
    }
    this.wave?.setMedia(player.item);
  }

  setLength(length) {
    this.length = length;
    this.timeEnd.textContent = fmt.offset(length);
    this.wave?.setLength(length);
  }

  /** What changes as time goes by; touches only what is different, and tells whether anything was. */
  tick(position, index, isStale) {
    this.wave?.tick();
    const second = Math.floor(position / 1000);
    if (second === this.second && index === this.index && !isStale) return false;
    Object.assign(this, { second, index });
    this.time.textContent = fmt.offset(position);
    const { all } = this;
    const [here, next] = [all.row(index - 1), all.row(index)];
    const instead = all.length ? "before-first" : all.isLoaded ? "no-markers-title" : "loading";
    const missing = (index > 0 && !here) || (index < all.length && !next);
    if (missing && !all.problem && !all.busy) all.want(index - 20, index + 20);
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
    return true;
  }

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

texts({
  "player": "Player",
  "no-status": "Damaged",
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
  "keep": "Keep",
  "kept": "Kept",
  "keep-long": "Keep this recording on this device",
  "keep-remove": "Remove this recording from this device",
  "unplayable":
    "This browser can’t play the recording ({type}). On the server, “trace media add-review-audio” makes one " +
    "that it can.",
  "before-first": "Before the first marker",
  "next": "next:",
  "end-it": "End it…",
});

/** The one player of a session's recordings. It knows markers only through what a session hands in. */
import { h } from "../base/dom.js";
import { clock, sessionOffset } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { KEPT_AUDIO, me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { toast } from "../ui/say.js";

/** The one audio element: iOS gives the lock screen to an element, so it is never replaced. */
const audio = h("audio", { preload: "metadata", hidden: true });
document.body.append(audio);

/**
 * What the browser says it can play; a recording without a type is tried.
 * @param {Api.SessionMedia} item
 */
const canPlay = (item) => item.id && (!item.mime || audio.canPlayType(item.mime) !== "");

/**
 * The recording of an address, if it was kept on this device.
 * @param {string} href
 */
const keptBlob = async (href) =>
  (await globalThis.caches?.match(href, { cacheName: KEPT_AUDIO }).catch(() => {}))?.blob();

const POSITION_EVERY = 15_000;
const ELSEWHERE = 30_000;

/** Plays a session's recordings. Positions are offsets in the session, in ms. */
export class Player {
  /** @type {Set<(what: string) => unknown>} */
  #listeners = new Set();
  #stop = new AbortController();
  /** @type {number | undefined} */
  #pending; // where to go once the recording is known
  /** @type {string | undefined} */
  #blob;
  #frame = 0;
  /** @type {Timer} */
  #timer;
  /** @type {{ tried?: number, offset?: number, asked?: string }} */
  #sent = {};
  /** @type {{ a: number, b?: number } | undefined} */
  loop;
  /** @type {string | undefined} */
  failure;
  /** @type {Api.SessionMedia | undefined} */
  item;
  /** @type {Api.SessionMedia[]} */
  media = [];
  /** @type {any} */
  session;
  isForgotten = false;
  isAway = false;
  /** @type {((by: number) => unknown) | undefined} */
  step;
  /** @type {any} */
  lockScreen;
  /** @type {(() => void) | undefined} */
  asking;
  heading = "";
  /** @type {Timer} */
  slow;

  /** @param {string} handle */
  constructor(handle) {
    this.handle = handle;
    const signal = this.#stop.signal;
    for (const name of ["play", "pause", "ended", "ratechange", "seeked", "loadedmetadata", "waiting", "error"]) {
      audio.addEventListener(name, () => this.#heard(name), { signal });
    }
    // What is registered before playing begins is lost on iOS.
    audio.addEventListener("playing", async () => {
      this.lockScreen ??= await import("./lock-screen.js").catch(() => undefined);
      this.lockScreen?.take(this);
      this.tellLockScreen();
    }, { signal });
    document.addEventListener("visibilitychange", () => {
      this.#tick();
      if (document.hidden) this.savePosition(true);
      else if (!this.isPlaying) this.askElsewhere();
    }, { signal });
    addEventListener("pagehide", () => this.savePosition(true), { signal });
  }

  /**
   * Takes what `GET sessions/{s}` says; continues where it was if the same recording is still there.
   * @param {any} session
   * @param {number} [start]
   */
  async load(session, start) {
    this.session = session;
    this.media = (session.media ?? []).filter(canPlay);
    const known = this.media.find((item) => item.id === this.item?.id);
    if (known) {
      this.item = known;
      return this.#emit("state");
    }
    const last = settings.get(`position.${this.handle}`);
    const review = this.media.find((item) => item.id === session.review_media_id);
    const item = this.media.find((one) => one.id === last?.media_id) ?? review ?? this.media[0];
    if (item) await this.choose(item, start ?? last?.offset_ms);
    else {
      this.item = undefined;
      audio.removeAttribute("src");
      this.#emit("state");
    }
    if (this.item && start === undefined) this.askElsewhere();
  }

  get href() { return new URL(api.href(`sessions/${this.handle}/media/${this.item?.id}`), location.href).href; }

  /**
   * Plays this item from now on, from an offset on.
   * @param {Api.SessionMedia | undefined} item
   * @param {number} [offset]
   */
  async choose(item, offset) {
    const playing = this.isPlaying;
    this.item = item;
    this.failure = undefined;
    const blob = await keptBlob(this.href);
    if (this.#stop.signal.aborted || this.item !== item) return;
    URL.revokeObjectURL(this.#blob ?? "");
    this.#blob = blob ? URL.createObjectURL(blob) : undefined;
    this.isKept = Boolean(blob);
    this.#pending = Math.max(this.start, offset ?? this.start);
    const rate = audio.playbackRate;
    audio.src = this.#blob ?? this.href;
    audio.defaultPlaybackRate = rate;
    if (playing) this.play();
    this.#emit("state");
  }

  get start() { return this.item?.start_offset_ms ?? 0; }
  get end() {
    const length = Number.isFinite(audio.duration) ? audio.duration * 1000 : this.item?.duration_ms ?? 0;
    return this.start + length;
  }

  get isPlaying() { return Boolean(this.item) && !audio.paused && !audio.ended; }
  /** Whether its clock tells the time; that of a session that was left open does not. */
  get isLive() {
    return this.session?.status === "active" && Boolean(this.session.clock) && !this.isForgotten && !this.isPlaying;
  }
  get liveOffset() { return sessionOffset(this.session.clock) ?? 0; }

  /** Where one is: in the recording, or without one where the session's clock stands. */
  position() {
    if (this.item) return Math.round(this.#pending ?? audio.currentTime * 1000 + this.start);
    return this.isLive ? this.liveOffset : 0;
  }

  /**
   * Where a mark belongs that was made so long (ms) ago.
   * @param {number} [ago]
   */
  markOffset(ago = 0) {
    if (this.isLive) return sessionOffset(this.session.clock, clock.now() - ago) ?? 0;
    return Math.max(this.start, Math.round(this.position() - (this.isPlaying ? ago * this.rate : 0)));
  }

  /**
   * @param {number} offset
   * @returns {Promise<void> | void}
   */
  seek(offset) {
    if (!this.item) return;
    const away = (/** @type {Api.SessionMedia} */ { start_offset_ms: start = 0, duration_ms: length = 0 }) =>
      Math.max(start - offset,
      offset - start - length, 0);
    const nearest = this.media.reduce((best, item) => (away(item) < away(best) ? item : best), this.item);
    if (nearest !== this.item) return this.choose(nearest, Math.min(offset,
      (nearest.start_offset_ms ?? 0) + (nearest.duration_ms ?? 0)));
    const target = Math.max(this.start, Math.min(offset, this.end || offset));
    if (audio.readyState > 0) audio.currentTime = (target - this.start) / 1000;
    else this.#pending = target;
    this.#emit("seek");
    this.#tick();
  }

  /**
   * A loop that is over begins again, and before the sound does: a seek while it begins leaves some browsers silent.
   */
  async play(offset = this.loop?.b !== undefined && this.loop.b <= this.position() ? this.loop.a : undefined) {
    if (!this.item) return;
    this.#stopAsking();
    if (this.failure) {
      this.failure = undefined;
      this.#pending = this.position();
      audio.load();
    }
    if (offset !== undefined) await this.seek(offset);
    const { item } = this;
    clearTimeout(this.slow);
    // Nothing came, and nothing was said.
    this.slow = setTimeout(() => {
      if (this.item !== item || audio.readyState > 0 || audio.error || this.failure) return;
      Object.assign(this, { failure: t("play-late"), isAway: true });
      this.#emit("state");
    }, 8000);
    try {
      await audio.play();
    } catch (/** @type {any} */ error) {
      if (error.name === "NotAllowedError") toast(t("play-blocked"), { kind: "bad" });
    }
  }

  pause() { audio.pause(); }
  toggle() { return this.isPlaying ? this.pause() : this.play(); }

  get rate() { return audio.playbackRate; }
  set rate(value) { audio.defaultPlaybackRate = audio.playbackRate = Math.min(2, Math.max(0.5, value)); }

  /**
   * Repeats from `a` to `b`; without `b` only its beginning is set; without both there is none.
   * @param {number} [a]
   * @param {number} [b]
   */
  setLoop(a, b) {
    this.loop = a === undefined ? undefined : b === undefined ? { a } : { a: Math.min(a, b), b: Math.max(a, b) };
    if (this.loop?.b && (this.position() < this.loop.a || this.position() > this.loop.b)) this.seek(this.loop.a);
    this.#emit("state");
    this.#tick();
  }

  /**
   * fn("state" | "tick" | "seek").
   * @param {(what: string) => unknown} fn
   */
  on(fn) {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** Where it was left elsewhere no longer matters once one listens here. */
  #stopAsking() {
    this.asking?.();
    this.asking = undefined;
  }

  /** @param {string} what */
  #emit(what) { for (const fn of this.#listeners) fn(what); }

  /** @param {string} name */
  #heard(name) {
    if (name === "error" && audio.getAttribute("src")) this.#failed(this.item);
    if (name === "loadedmetadata" && this.failure && !audio.error) this.failure = undefined;
    if (name === "loadedmetadata" && this.#pending !== undefined) {
      audio.currentTime = (this.#pending - this.start) / 1000;
      this.#pending = undefined;
    }
    if (name === "pause" || name === "ended") this.savePosition();
    if (name === "ended" && this.loop?.b) this.play(this.loop.a);
    this.#emit("state");
    this.#tick();
  }

  /**
   * A recording that can't be fetched is reported like one that can't be played: whether there is a network is asked.
   * @param {Api.SessionMedia | undefined} item
   */
  async #failed(item) {
    this.#pending ??= audio.currentTime * 1000 + this.start;
    const broke = audio.error?.code === 2;
    const away = broke || (!this.#blob && await api.get(`sessions/${this.handle}`).then(() => false,
      (error) => error.offline));
    if (this.item !== item || !audio.error) return;
    this.isAway = away;
    this.failure = t(broke ? "play-network" : away ? "play-offline" : "play-failed", { type: item?.mime ?? "?" });
    this.#emit("state");
  }

  retry() {
    if (!this.failure || !this.isAway) return;
    this.failure = undefined;
    audio.load();
    this.#emit("state");
  }

  /** Runs with each frame while the page is seen, else four times a second; a loop turns by the clock of the sound. */
  #tick() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    this.#emit("tick");
    if (!this.isPlaying) {
      if (this.isLive && !document.hidden) this.#timer = setTimeout(() => this.#tick(), 250);
      return;
    }
    let next = 250;
    if (this.loop?.b) {
      const left = (this.loop.b - this.position()) / this.rate;
      if (left <= 8) audio.currentTime = (this.loop.a - this.start) / 1000;
      else next = Math.min(next, left - 4);
    }
    if (performance.now() - (this.#sent.tried ?? -Infinity) > POSITION_EVERY) this.savePosition();
    if (document.hidden) this.#timer = setTimeout(() => this.#tick(), next);
    else this.#frame = requestAnimationFrame(() => this.#tick());
  }

  // MARK: Position

  /** Remembers where one is here, and tells the person's other devices. */
  savePosition(leaving = false) {
    if (!this.item || this.#pending !== undefined) return;
    const offset_ms = this.position();
    this.#sent.tried = performance.now();
    if (this.#sent.offset === offset_ms || (offset_ms <= this.start && this.#sent.offset === undefined)) return;
    this.#sent.offset = offset_ms;
    const body = { offset_ms, media_id: this.item.id, at: new Date(clock.now()).toISOString() };
    settings.set(`position.${this.handle}`, body);
    // 412: another device was later; without a network the next one tells it.
    if (me.can("mark")) api.send("PUT", `sessions/${this.handle}/position`, body,
      { keepalive: leaving }).catch(() => {});
  }

  /** Asks where another device has continued; it never jumps by itself. */
  async askElsewhere() {
    const there = await api.get(`sessions/${this.handle}/position`).then((answer) => answer.body, () => undefined);
    const here = settings.get(`position.${this.handle}`);
    if (there?.offset_ms === undefined || there.at === this.#sent.asked || this.isPlaying || !this.item) return;
    if (Math.abs(there.offset_ms - this.position()) <= ELSEWHERE || (here && (there.at ?? "") <= here.at)) return;
    const { at, offset_ms: offset } = there;
    this.#sent.asked = at;
    const times = { here: fmt.offset(this.position()), there: fmt.offset(offset) };
    const go = { label: t("go-there", times), run: () => this.seek(offset) };
    this.asking = toast(t(here ? "elsewhere" : "stopped-at", times), { actions: [go], ms: 20_000 });
  }

  /** Tells the lock screen what is heard. */
  tellLockScreen(heading = this.heading) {
    this.heading = heading;
    if (navigator.mediaSession && this.item) this.lockScreen?.tell(this, audio, heading);
  }

  reopen() { return this.choose(this.item, this.position()); }

  close() {
    clearTimeout(this.slow);
    this.pause();
    this.savePosition();
    this.#stopAsking();
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    audio.removeAttribute("src");
    audio.load();
    URL.revokeObjectURL(this.#blob ?? "");
    if (navigator.mediaSession) navigator.mediaSession.metadata = null;
  }
}

texts({
  "play-blocked": "The browser did not allow playing. Tap play again.",
  "play-network": "The connection broke off. Tap play to continue.",
  "play-late": "The recording does not come. Tap play to try again.",
  "play-offline": "Without a network this recording can’t be loaded. “Keep” beforehand puts it on this device.",
  "play-failed": "This browser can’t play this recording ({type}).",
  "elsewhere": "On another device you stopped at {there}; here you are at {here}.",
  "stopped-at": "On another device you stopped at {there}.",
  "go-there": "Go to {there}",
});

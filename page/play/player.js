/** The one player of a session's recordings. It knows markers only through what a session hands in. */
import { h } from "../base/dom.js";
import { clock, sessionOffset } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { KEPT_AUDIO, me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { sayFailed, toast } from "../ui/say.js";
import { endOf, following, nearest, startOf } from "./order.js";
import { giveTurn, takeTurn } from "./turn.js";

/** The one audio element: iOS gives the lock screen to an element, so it is never replaced. */
const audio = h("audio", { preload: "metadata", hidden: true });
document.body.append(audio);
// Not every browser does so by itself.
Object.assign(audio, { preservesPitch: true, webkitPreservesPitch: true });

export const SPEEDS = [0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 2];

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
const BEFORE_SPEAKING = 2000; // ms: where it continues after a note that was spoken

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
  /**
   * What the session says of the markers around a position; undefined while it does not know.
   * @type {((position: number) => Around | undefined) | undefined}
   */
  around;
  /** @type {import("./sleep.js").Sleep | undefined} */
  sleep;
  /** @type {string | undefined} */
  wanted; // when it is to end, as it was chosen last
  /** @type {import("./skip.js").Skipping | undefined} */
  skipping;
  /** @type {typeof import("./lock-screen.js") | undefined} */
  lockScreen;
  /** @type {(() => void) | undefined} */
  asking;
  heading = "";
  /** @type {Timer} */
  slow;

  /** @param {string} handle */
  constructor(handle) {
    this.handle = handle;
    audio.defaultPlaybackRate = audio.playbackRate = this.#habits.rate ?? 1;
    const signal = this.#stop.signal;
    for (const name of ["play", "pause", "ended", "ratechange", "seeked", "loadedmetadata", "waiting", "error"]) {
      audio.addEventListener(name, () => this.#heard(name), { signal });
    }
    // What is registered before playing begins is lost on iOS.
    audio.addEventListener("playing", async () => {
      this.lockScreen ??= await import("./lock-screen.js").catch(() => undefined);
      this.lockScreen?.take(this);
      this.tellLockScreen();
      this.lockScreen?.tellPosition(audio, this.isPlaying);
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
    if (item && start !== undefined) await this.choose(nearest(this.media, item, start), start);
    else if (item) await this.choose(item, last?.offset_ms);
    else {
      this.item = undefined;
      audio.removeAttribute("src");
      this.#emit("state");
    }
    if (this.item && start === undefined) this.askElsewhere();
    this.#setSkipping();
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
    this.#pending = Math.max(this.start, offset ?? this.start);
    const blob = await keptBlob(this.href);
    if (this.#stop.signal.aborted || this.item !== item) return;
    URL.revokeObjectURL(this.#blob ?? "");
    this.#blob = blob ? URL.createObjectURL(blob) : undefined;
    this.isKept = Boolean(blob);
    const rate = audio.playbackRate;
    audio.src = this.#blob ?? this.href;
    audio.defaultPlaybackRate = rate;
    if (playing) this.play();
    this.#emit("state");
  }

  get start() { return this.item ? startOf(this.item) : 0; }
  get end() {
    const length = Number.isFinite(audio.duration) ? audio.duration * 1000 : this.item?.duration_ms ?? 0;
    return this.start + length;
  }
  /** What is played when this recording is over. */
  get next() { return this.item && following(this.media, this.item, this.end); }

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
    const item = nearest(this.media, this.item, offset);
    if (item !== this.item) return this.choose(item, Math.min(offset, endOf(item)));
    const target = Math.max(this.start, Math.min(offset, this.end || offset));
    if (audio.readyState > 0) audio.currentTime = (target - this.start) / 1000;
    else this.#pending = target;
    this.#emit("seek");
    this.#tick();
  }

  /**
   * Leaves out what is before a place of this recording; nobody has asked for that place.
   * @param {number} offset
   */
  skipTo(offset) {
    audio.currentTime = (offset - this.start) / 1000;
  }

  /**
   * A loop that is over begins again, and before the sound does: a seek while it begins leaves some browsers silent. A
   * recording that is over is followed by the next.
   */
  async play(offset = this.loop?.b !== undefined && this.loop.b <= this.position() ? this.loop.a : undefined) {
    if (!this.item) return;
    this.#stopAsking();
    if (offset === undefined && audio.ended && this.next) await this.choose(this.next);
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

  /**
   * Pauses for a note that is spoken from an offset on. What it returns continues shortly before that, unless somebody
   * has paused, gone elsewhere or begun to play meanwhile.
   * @param {number} offset
   */
  interrupt(offset) {
    const { item, isPlaying } = this;
    this.pause();
    const at = this.position();
    return () => {
      const isThere = item === this.item && Math.abs(this.position() - at) < 500 && !this.#stop.signal.aborted;
      if (isPlaying && isThere && !this.isPlaying) this.play(Math.max(this.start, offset - BEFORE_SPEAKING));
    };
  }

  /** Another tab plays: two at once nobody wants to hear. */
  #lost() {
    this.pause();
    toast(t("plays-elsewhere"), { topic: "turn", ms: 20_000, actions: [{ label: t("play-in-this-tab"),
      run: () => this.play() }] });
  }

  // MARK: How it is listened to

  /** How this session is listened to on this device: as long as the token is the same, it is remembered. */
  get #habits() { return settings.get(`listening.${this.handle}`) ?? {}; }
  /** @param {{ rate?: number, skips?: boolean }} change */
  #remember(change) { settings.set(`listening.${this.handle}`, { ...this.#habits, ...change }); }

  get rate() { return audio.playbackRate; }
  set rate(value) {
    audio.defaultPlaybackRate = audio.playbackRate = Math.min(2, Math.max(0.5, value));
    this.#remember({ rate: audio.playbackRate });
  }

  /**
   * So many steps faster, or slower.
   * @param {number} steps
   */
  faster(steps) {
    const step = SPEEDS.findIndex((speed) => speed >= this.rate) + steps;
    this.rate = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, step))];
  }

  /** From 0 to 1; iPhones leave it at 1. */
  set volume(/** @type {number} */ value) { audio.volume = value; }

  /** Whether silence is left out. */
  get skips() { return Boolean(this.#habits.skips); }
  set skips(isOn) {
    this.#remember({ skips: isOn });
    this.#setSkipping();
    this.#emit("state");
  }

  async #setSkipping() {
    if (!this.skips) return void (this.skipping = void this.skipping?.close());
    const module = await import("./skip.js").catch(sayFailed);
    if (module && this.skips && !this.#stop.signal.aborted) this.skipping ??= new module.Skipping(this);
  }

  /**
   * Ends playing after so many minutes of real time, or where the `marker` or the `recording` ends; without any of
   * these it does not.
   * @param {string} [when]
   */
  async sleepIn(when) {
    this.wanted = when;
    this.sleep?.close();
    this.sleep = undefined;
    const module = when && await import("./sleep.js").catch(sayFailed);
    if (module && this.wanted === when && !this.sleep && !this.#stop.signal.aborted) {
      this.sleep = new module.Sleep(this, when);
    }
    this.#emit("state");
  }

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
    if (name === "play") takeTurn(() => this.#lost());
    if (name === "pause") giveTurn();
    if (name === "pause" || name === "ended") this.savePosition();
    if (name === "ended" && this.loop?.b) this.play(this.loop.a);
    else if (name === "ended" && !this.sleep?.isAtEnd() && this.next) this.play();
    if (this.item) this.lockScreen?.tellPosition(audio, this.isPlaying);
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
    if (this.item) this.lockScreen?.tell(this.session, heading);
  }

  reopen() { return this.choose(this.item, this.position()); }

  close() {
    clearTimeout(this.slow);
    this.pause();
    giveTurn();
    this.sleep?.close();
    this.skipping?.close();
    this.savePosition();
    this.#stopAsking();
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    audio.removeAttribute("src");
    audio.load();
    URL.revokeObjectURL(this.#blob ?? "");
    this.lockScreen?.leave();
  }
}

texts({
  "plays-elsewhere": "Another tab of this browser plays now.",
  "play-in-this-tab": "Play here",
  "play-blocked": "The browser did not allow playing. Tap play again.",
  "play-network": "The connection broke off. Tap play to continue.",
  "play-late": "The recording does not come. Tap play to try again.",
  "play-offline": "Without a network this recording can’t be loaded. “Keep” beforehand puts it on this device.",
  "play-failed": "This browser can’t play this recording ({type}).",
  "elsewhere": "On another device you stopped at {there}; here you are at {here}.",
  "stopped-at": "On another device you stopped at {there}.",
  "go-there": "Go to {there}",
});

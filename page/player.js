/**
 * The sound of a session: the one player, recordings kept on this device, the position that devices share, and
 * the picture of the sound. It knows markers only through what session.js hands in.
 */
import { api, clock, fmt, h, me, sessionOffset, settings, t, toast } from "./core.js";

// MARK: Kept recordings

const KEPT = "kept-audio"; // sign-in.js forgets it
const storage = globalThis.caches;

/** Recordings that were kept on this device, for listening without a network. They need a secure context. */
export const keptAudio = {
  possible: Boolean(storage),

  /** What is kept: `[{href, title, name, bytes, kept}]`, `kept` in ms. */
  async list() {
    if (!storage) return [];
    const cache = await storage.open(KEPT);
    return Promise.all((await cache.keys()).map(async (request) => {
      const about = JSON.parse(decodeURIComponent((await cache.match(request)).headers.get("trace-about")));
      return { href: request.url, ...about };
    }));
  },

  /** Fetches a whole recording; `progress` gets a fraction. */
  async keep(href, { title, name }, progress, signal) {
    const response = await fetch(href, { signal });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !/^(audio|video)\//.test(type)) throw new Error(t("keep-refused", { status: response.status }));
    const size = Number(response.headers.get("content-length"));
    const pieces = [];
    let bytes = 0;
    const reader = response.body.getReader();
    for (let piece; !(piece = await reader.read()).done;) {
      pieces.push(piece.value);
      bytes += piece.value.length;
      progress(size ? bytes / size : 0);
    }
    if (size && bytes !== size) throw new Error(t("keep-cut"));
    const about = encodeURIComponent(JSON.stringify({ title, name, bytes, kept: Date.now() }));
    const headers = { "content-type": type, "trace-about": about };
    await (await storage.open(KEPT)).put(href, new Response(new Blob(pieces, { type }), { headers }));
  },

  async remove(href) { return storage ? (await storage.open(KEPT)).delete(href) : false; },

  async blob(href) {
    try {
      return await (await storage?.match(href, { cacheName: KEPT }))?.blob();
    } catch {
      return undefined;
    }
  },
};

// MARK: Player

/** The one audio element: iOS gives the lock screen to an element, so it is never replaced. */
const audio = h("audio", { preload: "metadata", hidden: true });
document.body.append(audio);

/** What the browser says it can play; a recording without a type is tried. */
const canPlay = (item) => item.id && (!item.mime || audio.canPlayType(item.mime) !== "");

const POSITION_EVERY = 15_000;
const ELSEWHERE = 30_000;

/** Plays a session's recordings. Positions are offsets in the session, in ms. */
export class Player {
  #listeners = new Set();
  #stop = new AbortController();
  #pending; // where to go once the recording is known
  #blob;
  #frame;
  #timer;
  #sent = {};
  loop; // {a, b?}
  failure;

  constructor(handle) {
    this.handle = handle;
    const signal = this.#stop.signal;
    for (const name of ["play", "pause", "ended", "ratechange", "seeked", "loadedmetadata", "waiting", "error"]) {
      audio.addEventListener(name, () => this.#heard(name), { signal });
    }
    // What is registered before playing begins is lost on iOS.
    audio.addEventListener("playing", () => this.#takeLockScreen(), { signal });
    document.addEventListener("visibilitychange", () => {
      this.#tick();
      if (document.hidden) this.savePosition(true);
      else if (!this.isPlaying) this.askElsewhere();
    }, { signal });
    addEventListener("pagehide", () => this.savePosition(true), { signal });
  }

  /** Takes what `GET sessions/{s}` says; continues where it was if the same recording is still there. */
  async load(session, start) {
    this.session = session;
    this.media = (session.media ?? []).filter(canPlay);
    this.unplayable = (session.media ?? []).filter((item) => !canPlay(item));
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

  get href() { return new URL(api.href(`sessions/${this.handle}/media/${this.item.id}`), location.href).href; }

  /** Plays this item from now on, from an offset on. */
  async choose(item, offset) {
    const playing = this.isPlaying;
    this.item = item;
    this.failure = undefined;
    const blob = await keptAudio.blob(this.href);
    if (this.#stop.signal.aborted || this.item !== item) return;
    URL.revokeObjectURL(this.#blob);
    this.#blob = blob && URL.createObjectURL(blob);
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
  get liveOffset() { return sessionOffset(this.session.clock); }

  /** Where one is: in the recording, or without one where the session's clock stands. */
  position() {
    if (this.item) return Math.round(this.#pending ?? audio.currentTime * 1000 + this.start);
    return this.isLive ? this.liveOffset : 0;
  }

  markOffset() { return this.isLive ? this.liveOffset : this.position(); }

  seek(offset) {
    if (!this.item) return;
    const away = ({ start_offset_ms: start = 0, duration_ms: length = 0 }) => Math.max(start - offset,
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

  /** A loop that is over begins again, and before the sound does: a seek while it begins leaves some browsers silent. */
  async play(offset = this.loop?.b <= this.position() ? this.loop.a : undefined) {
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
    } catch (error) {
      if (error.name === "NotAllowedError") toast(t("play-blocked"), { kind: "bad" });
    }
  }

  pause() { audio.pause(); }
  toggle() { return this.isPlaying ? this.pause() : this.play(); }

  get rate() { return audio.playbackRate; }
  set rate(value) { audio.defaultPlaybackRate = audio.playbackRate = Math.min(2, Math.max(0.5, value)); }

  /** Repeats from `a` to `b`; without `b` only its beginning is set; without both there is none. */
  setLoop(a, b) {
    this.loop = a === undefined ? undefined : b === undefined ? { a } : { a: Math.min(a, b), b: Math.max(a, b) };
    if (this.loop?.b && (this.position() < this.loop.a || this.position() > this.loop.b)) this.seek(this.loop.a);
    this.#emit("state");
    this.#tick();
  }

  /** fn("state" | "tick" | "seek"). */
  on(fn) {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** Where it was left elsewhere no longer matters once one listens here. */
  #stopAsking() {
    this.asking?.();
    this.asking = undefined;
  }

  #emit(what) { for (const fn of this.#listeners) fn(what); }

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

  /** A recording that can't be fetched is reported like one that can't be played: whether there is a network is asked. */
  async #failed(item) {
    this.#pending ??= audio.currentTime * 1000 + this.start;
    const broke = audio.error?.code === 2;
    const away = broke || (!this.#blob && await api.get(`sessions/${this.handle}`).then(() => false,
      (error) => error.offline));
    if (this.item !== item || !audio.error) return;
    this.isAway = away;
    this.failure = t(broke ? "play-network" : away ? "play-offline" : "play-failed", { type: item.mime ?? "?" });
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
    if (Math.abs(there.offset_ms - this.position()) <= ELSEWHERE || (here && there.at <= here.at)) return;
    this.#sent.asked = there.at;
    const times = { here: fmt.offset(this.position()), there: fmt.offset(there.offset_ms) };
    const go = { label: t("go-there", times), run: () => this.seek(there.offset_ms) };
    this.asking = toast(t(here ? "elsewhere" : "stopped-at", times), { actions: [go], ms: 20_000 });
  }

  // MARK: Lock screen

  #takeLockScreen() {
    const media = navigator.mediaSession;
    if (!media) return;
    const seeks = settings.get("lock_screen") === "seek";
    const set = (name, fn) => {
      try {
        media.setActionHandler(name, fn);
      } catch { /* The browser does not know this one. */ }
    };
    set("play", () => this.play());
    set("pause", () => this.pause());
    set("seekto", (event) => this.seek(event.seekTime * 1000 + this.start));
    set("nexttrack", seeks ? null : () => this.step?.(1));
    set("previoustrack", seeks ? null : () => this.step?.(-1));
    set("seekforward", seeks ? () => this.seek(this.position() + 10_000) : null);
    set("seekbackward", seeks ? () => this.seek(this.position() - 10_000) : null);
    this.tellLockScreen();
  }

  /** What the lock screen shows: the marker here, the session, and how far it is. */
  tellLockScreen(heading = this.heading) {
    this.heading = heading;
    if (!navigator.mediaSession || !this.item) return;
    const album = this.session.title ?? t("untitled");
    const artwork = [{ src: "icon-512.png", sizes: "512x512", type: "image/png" }];
    const artist = this.session.start_time ? fmt.day(Date.parse(this.session.start_time)) : "";
    const about = heading ? { title: heading, artist: album } : { title: album, artist };
    navigator.mediaSession.metadata = new MediaMetadata({ ...about, album, artwork });
    if (Number.isFinite(audio.duration) && audio.duration > 0) {
      const position = Math.min(audio.currentTime, audio.duration);
      navigator.mediaSession.setPositionState?.({ duration: audio.duration, position, playbackRate: this.rate });
    }
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
    URL.revokeObjectURL(this.#blob);
    if (navigator.mediaSession) navigator.mediaSession.metadata = null;
  }
}

// MARK: Peaks

const LEVELS = [64, 16, 4, 1];
const PEAKS_A_SECOND = 50; // of level 1
const BLOCK = 8192; // points
const HEAD = 24; // bytes of audiowaveform's header, version 2

/** Least and greatest of a recording at four levels, fetched by ranges. */
class Peaks {
  #levels = new Map();
  problem;

  constructor(path, changed) {
    this.path = path;
    this.changed = changed;
  }

  /** The coarsest level that is finer than the pixels; `wanted` in points a second. */
  level(wanted) { return LEVELS.find((level) => PEAKS_A_SECOND / level >= wanted) ?? 1; }

  /** The blocks of a level that are here, and fetches those that are not. */
  blocks(level, first, last) {
    if (!this.#levels.has(level)) this.#levels.set(level, { rate: PEAKS_A_SECOND / level, blocks: new Map() });
    const known = this.#levels.get(level);
    for (let block = Math.max(0, first); block <= Math.min(last, known.last ?? last); block += 1) {
      if (!known.blocks.has(block)) this.#fetch(known, level, block);
    }
    return known;
  }

  async #fetch(known, level, block) {
    if (this.problem || this.waits) return;
    known.blocks.set(block, undefined);
    const [from, to] = [block && HEAD + block * BLOCK * 2, HEAD + (block + 1) * BLOCK * 2 - 1];
    try {
      const headers = { Range: `bytes=${from}-${to}` };
      const answer = await api.get(`${this.path}/peaks`, { query: { level }, as: "bytes", headers });
      const bytes = answer.body instanceof ArrayBuffer ? answer.body : answer.body?.buffer;
      if (answer.status === 202 || answer.headers.has("retry-after")) {
        this.waits = true;
        known.blocks.delete(block);
        setTimeout(() => {
          this.waits = false;
          this.changed();
        }, 1000 * Math.max(1, Number(answer.headers.get("retry-after")) || 2));
        return this.changed();
      }
      const head = new DataView(bytes);
      if (block === 0) {
        if (head.getInt32(0, true) !== 2 || head.getUint32(4, true) !== 1) throw new Error(t("wave-format"));
        known.rate = head.getInt32(8, true) / head.getInt32(12, true);
        known.last = Math.max(0, Math.ceil(head.getUint32(16, true) / BLOCK) - 1);
      }
      known.blocks.set(block, new Int8Array(bytes, block === 0 ? HEAD : 0));
    } catch (error) {
      known.blocks.delete(block);
      if (error.status === 416) known.last = block - 1;
      else this.problem = error.offline ? t("wave-offline") : error.detail ?? error.message;
      this.isOffline = error.offline;
    }
    this.changed();
  }
}

// MARK: Waveform

const COLOURS = ["--H", "--S", "--T", "--F", "--ink-2"];
const SHAPES_UP_TO = 90; // markers in view; more are drawn as densities

/** The picture of a session: sound, markers by category, loop and needle. It is a slider for people who can't see it. */
export class Waveform {
  #from = 0;
  #to = 1;
  #fingers = new Map();
  #peaks = new Map();

  /** `markers.cells()` yields `{min, max, n:[H,S,T,F,other]}`; `describe(offset)` names what is there. */
  constructor(player, markers, describe) {
    Object.assign(this, { player, markers, describe });
    this.sound = h("canvas.wave-sound");
    this.played = h("canvas.wave-sound.wave-played");
    this.marks = h("canvas.wave-marks");
    this.loop = h("div.wave-loop", { hidden: true });
    this.needle = h("div.wave-needle");
    this.caption = h("p.wave-caption", { hidden: true });
    this.slider = h("div.wave", {
      role: "slider", tabindex: 0, "aria-label": t("position"), "aria-valuemin": 0, "aria-orientation": "horizontal",
      onpointerdown: (event) => this.#down(event), onpointermove: (event) => this.#move(event),
      onpointerup: (event) => this.#up(event), onpointercancel: (event) => this.#up(event),
      onkeydown: (event) => this.#key(event),
    }, this.sound, this.played, this.loop, this.marks, this.needle);
    this.slider.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.element = h("div.wave-box", this.slider, this.caption);
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.slider);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => this.draw();
    this.scheme.addEventListener("change", this.repaint);
    this.stopTheme = settings.on("theme", this.repaint);
  }

  setLength(length) {
    const whole = this.isWhole;
    this.length = Math.max(1, length);
    if (whole || this.#to > this.length) [this.#from, this.#to] = [0, this.length];
    this.slider.setAttribute("aria-valuemax", Math.round(this.length));
    this.draw();
  }

  setMedia(item) {
    if (item?.id === this.media?.id) return;
    this.media = item;
    const end = ({ start_offset_ms: start = 0, duration_ms: length = 0 }) => start + length;
    const beside = (other) => end(other) <= (item.start_offset_ms ?? 0) || (other.start_offset_ms ?? 0) >= end(item);
    this.items = item ? [item, ...this.player.media.filter(beside)] : [];
    for (const { id } of this.items) {
      if (!this.#peaks.has(id)) this.#peaks.set(id, new Peaks(`sessions/${this.player.handle}/media/${id}`,
        () => this.draw()));
    }
    this.draw();
  }

  get #playing() { return this.#peaks.get(this.media?.id); }

  retry() {
    for (const peaks of this.#peaks.values()) if (peaks.isOffline) peaks.problem = undefined;
    this.draw();
  }

  get isWhole() { return this.length === undefined || this.#to - this.#from >= this.length; }
  get span() { return this.#to - this.#from; }

  /** Shows `factor` of what is seen, keeping `at` where it is. */
  zoom(factor, at = this.player.position()) {
    const middle = at >= this.#from && at <= this.#to ? at : (this.#from + this.#to) / 2;
    const span = Math.min(this.length, Math.max(2000, this.span * factor));
    const from = middle - (middle - this.#from) / this.span * span;
    this.#show(from, span);
  }

  #show(from, span) {
    this.#from = Math.max(0, Math.min(from, this.length - span));
    this.#to = this.#from + span;
    this.onzoom?.();
    this.draw();
  }

  #x(offset) { return (offset - this.#from) / this.span * this.width; }
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
    const x = this.#x(position);
    this.needle.style.transform = `translateX(${x}px)`;
    this.played.style.clipPath = `inset(0 ${Math.max(0, this.width - x)}px 0 0)`;
    const second = Math.floor(position / 1000);
    if (second === this.second) return;
    this.second = second;
    this.slider.setAttribute("aria-valuenow", Math.round(position));
    const name = this.describe(position);
    this.slider.setAttribute("aria-valuetext", fmt.offset(position) + (name ? `, ${name}` : ""));
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.width = this.slider.clientWidth;
    if (!this.width || this.length === undefined) return;
    this.style = getComputedStyle(this.slider);
    this.second = undefined;
    this.#drawSound();
    this.#drawMarks();
    this.drawLoop();
    const { waits, problem } = this.#playing ?? {};
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
      const [a, b] = [this.#x(loop.a), this.#x(loop.b ?? loop.a)];
      this.loop.style.transform = `translateX(${a}px)`;
      this.loop.style.width = `${Math.max(2, b - a)}px`;
    }
  }

  /** A canvas of the screen's own pixels; its unit is a CSS pixel. */
  #canvas(canvas) {
    const [width, height, scale] = [canvas.clientWidth, canvas.clientHeight, Math.min(3, devicePixelRatio)];
    const [w, tall] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== w || canvas.height !== tall) Object.assign(canvas, { width: w, height: tall });
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height, scale };
  }

  #colour(name) { return this.style.getPropertyValue(name).trim(); }

  get #isDensity() { return !this.media || Boolean(this.#playing.problem); }

  drawMarks() {
    if (this.#isDensity) this.draw();
    else if (this.style) this.#drawMarks();
  }

  #drawSound() {
    const bars = this.#isDensity ? this.#densityBars() : this.#peakBars();
    for (const [canvas, colour] of [[this.sound, "--wave"], [this.played, "--accent"]]) {
      const { context, height } = this.#canvas(canvas);
      const middle = height / 2;
      context.fillStyle = this.#colour(colour);
      context.beginPath();
      for (const [x, low, high] of bars) {
        context.roundRect(x, middle - high * middle, 2, Math.max(1.5, (high - low) * middle), 1);
      }
      context.fill();
    }
  }

  /** A bar every three pixels: `[x, low, high]` from -1 to 1, made louder for quiet recordings. */
  #peakBars() {
    const bars = this.items.flatMap((item) => this.#barsOf(item, this.#peaks.get(item.id)));
    this.loudest = bars.reduce((most, [, low, high]) => Math.max(most, -low, high), this.loudest ?? 0);
    const gain = this.loudest > 0.02 ? 0.96 / this.loudest : 1;
    return bars.map(([x, low, high]) => [x, low * gain, high * gain]);
  }

  #barsOf({ start_offset_ms: start = 0 }, peaks) {
    const bars = [];
    const level = peaks.level(this.width / 3 * 2 / (this.span / 1000));
    const point = (x) => Math.floor((this.#from + x / this.width * this.span - start) / 1000 * PEAKS_A_SECOND / level);
    if (point(this.width) < 0) return bars;
    const { blocks } = peaks.blocks(level, Math.floor(point(0) / BLOCK), Math.floor(point(this.width) / BLOCK));
    for (let x = 0; x < this.width; x += 3) {
      let [low, high, found] = [0, 0, false];
      for (let index = Math.max(0, point(x)); index < Math.max(point(x) + 1, point(x + 3)); index += 1) {
        const block = blocks.get(Math.floor(index / BLOCK));
        const place = index % BLOCK * 2;
        if (!block || place + 1 >= block.length) continue;
        found = true;
        low = Math.min(low, block[place]);
        high = Math.max(high, block[place + 1]);
      }
      if (found) bars.push([x, low / 128, high / 128]);
    }
    return bars;
  }

  /** Without sound: how many markers there are. */
  #densityBars() {
    const counts = new Array(Math.ceil(this.width / 3)).fill(0);
    this.#eachCell((first, last, n) => {
      const number = n[0] + n[1] + n[2] + n[3] + n[4];
      const from = Math.max(0, Math.floor(first / 3));
      const to = Math.min(counts.length - 1, Math.floor(last / 3));
      for (let index = from; index <= to; index += 1) counts[index] += number / (to - from + 1);
    });
    const most = Math.max(1, ...counts);
    const bars = counts.map((number, index) => [index * 3, -Math.sqrt(number / most) * 0.9,
      Math.sqrt(number / most) * 0.9]);
    return bars.filter(([, low]) => low);
  }

  #eachCell(fn) {
    for (const { min, max, n } of this.markers.cells()) {
      if (max < this.#from || min > this.#to || !(n[0] + n[1] + n[2] + n[3] + n[4])) continue;
      fn(this.#x(min), this.#x(max + 1), n);
    }
  }

  /** Few markers are shapes of their category; many are a lane for each category, darker where there are more. */
  #drawMarks() {
    const { context, height } = this.#canvas(this.marks);
    let seen = 0;
    this.#eachCell((first, last, n) => { seen += n[0] + n[1] + n[2] + n[3] + n[4]; });
    const lane = height / 5;
    this.#eachCell((first, last, n) => n.forEach((count, kind) => {
      if (!count) return;
      context.fillStyle = this.#colour(COLOURS[kind]);
      if (seen <= SHAPES_UP_TO) {
        return shape(context, kind, Math.max(7, Math.min(this.width - 7, (first + last) / 2)), height / 2);
      }
      context.globalAlpha = Math.min(1, 0.3 + Math.log10(count + 1) * 0.35);
      context.fillRect(first, kind * lane, Math.max(2, last - first), lane - 1);
      context.globalAlpha = 1;
    }));
  }

  // MARK: Fingers and keys

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

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    const before = [...this.#fingers.values()];
    this.#fingers.set(event.pointerId, event.clientX);
    const after = [...this.#fingers.values()];
    this.scrubs ||= Math.abs(event.clientX - this.from) > 5;
    if (this.scrubs && !this.pinched) this.player.seek(this.#offset(event));
    if (after.length !== 2) return;
    const apart = (fingers) => Math.max(24, Math.abs(fingers[0] - fingers[1]));
    const middle = (fingers) => (fingers[0] + fingers[1]) / 2 - this.slider.getBoundingClientRect().left;
    const held = this.#from + middle(before) / this.width * this.span;
    const span = Math.min(this.length, Math.max(2000, this.span * apart(before) / apart(after)));
    this.#show(held - middle(after) / this.width * span, span);
  }

  #up(event) {
    if (this.#fingers.delete(event.pointerId) && event.type === "pointerup" && !this.scrubs
      && !this.pinched) this.player.seek(this.#offset(event));
  }

  #wheel(event) {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY / 200), this.#offset(event));
    } else if (!this.isWhole && Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      this.#show(this.#from + event.deltaX / this.width * this.span, this.span);
    }
  }

  #key(event) {
    const arrow = event.shiftKey ? 1000 : 10_000; // as without the focus
    const step = { ArrowLeft: -arrow, ArrowDown: -arrow, ArrowRight: arrow, ArrowUp: arrow, PageDown: -60_000,
      PageUp: 60_000 }[event.key];
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

/** H diamond, S square, T circle, F triangle; without a category a small dot. */
function shape(context, kind, x, y) {
  const r = 5;
  context.beginPath();
  if (kind === 0) [[0, -r - 1], [r + 1, 0], [0, r + 1], [-r - 1, 0]].forEach(([dx, dy]) => context.lineTo(x + dx,
    y + dy));
  else if (kind === 1) context.rect(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1);
  else if (kind === 3) [[0, -r - 0.5], [r + 0.5, r - 0.5], [-r - 0.5,
    r - 0.5]].forEach(([dx, dy]) => context.lineTo(x + dx, y + dy));
  else context.arc(x, y, kind === 2 ? r : 2.5, 0, 2 * Math.PI);
  context.fill();
}

/**
 * Recording a voice note into the outbox, or choosing a file where there is no microphone. Loaded with the first, or
 * once a session stands.
 */
import { h } from "../base/dom.js";
import { beforeReload, within } from "../base/flow.js";
import { ulid } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { writing } from "../data/writing.js";
import { dialog, toast } from "../ui/say.js";
import { iso } from "./marking.js";

const TYPES = ["audio/mp4;codecs=mp4a.40.2", "audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"];
/** @param {string} type */
const plainType = (type) => type.split(";")[0].replace("audio/x-m4a", "audio/mp4");
const SLIP = 300; // ms: shorter was not meant

/**
 * The type of a recording by its first bytes, whatever its name and the browser say; undefined for what the server
 * does not take.
 * @param {Uint8Array} bytes
 */
function containerOf(bytes) {
  const text = String.fromCharCode(...bytes), brand = text.slice(8, 12);
  if (["ftyp", "moov", "wide", "mdat"].includes(text.slice(4, 8))) {
    return /^3g/.test(brand) ? "audio/3gpp" : brand === "qt  " || text.slice(4, 8) !== "ftyp" ? "video/quicktime"
      : "audio/mp4";
  }
  if (text.startsWith("\x1aE\xdf\xa3")) return "audio/webm";
  if (text.startsWith("OggS")) return "audio/ogg";
  if (text.startsWith("RIFF") && brand === "WAVE") return "audio/wav";
  if (text.startsWith("fLaC")) return "audio/flac";
  return text.startsWith("ID3") || (bytes[0] === 0xff && (bytes[1] & 0xe6) === 0xe2) ? "audio/mpeg" : undefined;
}

/** The microphone, within eight seconds; a person who is asked for it has longer. */
async function openMicrophone() {
  const { state } = await navigator.permissions?.query({ name: /** @type {PermissionName} */ ("microphone") })
    .catch(() => undefined) ?? {};
  const opening = navigator.mediaDevices.getUserMedia({ audio: true });
  return within(state === "prompt" ? 60_000 : 8000, opening, new DOMException("late", "TimeoutError"))
    .catch((error) => {
    // One that comes late is not used.
    opening.then((stream) => stream.getTracks().forEach((track) => track.stop()), () => {});
    throw error;
  });
}

/** Records a voice note into the outbox, a second at a time, so that a killed page loses a second. */
export class Recorder {
  /**
   * `speaker` has view and marking, and the parts of its button.
   * @param {import("./speak.js").Speaker} speaker
   */
  constructor({ view, marking, button, level, words }) {
    this.view = view;
    this.marking = marking;
    this.button = button;
    this.level = level;
    this.words = words;
    /** @type {any} */
    this.note = undefined;
    /** @type {MediaRecorder | undefined} */
    this.recorder = undefined;
    /** @type {MediaStream | undefined} */
    this.stream = undefined;
    /** @type {any} */
    this.ending = undefined;
    /** @type {(() => void) | undefined} */
    this.resume = undefined; // what was heard, and paused for this
    this.busy = false;
  }

  get isOn() { return this.recorder !== undefined && this.recorder.state !== "inactive"; }

  /** @param {Moment} moment */
  toggle(moment) {
    if (this.busy) return;
    return this.isOn ? this.stop() : this.start(moment);
  }

  /** @param {Moment} moment */
  async start(moment) {
    const type = globalThis.MediaRecorder && TYPES.find((one) => MediaRecorder.isTypeSupported(one));
    this.resume = this.view.player.interrupt(moment.offset);
    const pickFile = (/** @type {string} */ why) => this.#pickFile(moment, why).finally(() => this.resume?.());
    if (!navigator.mediaDevices?.getUserMedia || !type) return pickFile(t("no-recorder"));
    this.busy = true;
    try {
      this.stream = await openMicrophone();
    } catch (/** @type {any} */ error) {
      this.busy = false;
      return pickFile(t(error.name === "NotAllowedError" ? "mic-refused" : "no-mic"));
    }
    try {
      this.note = { id: await this.#begin(moment, type), pieces: 0, size: 0, type, work: Promise.resolve(),
        began: performance.now() };
      this.recorder = new MediaRecorder(this.stream, { mimeType: type, audioBitsPerSecond: 64_000 });
      this.recorder.addEventListener("dataavailable", (/** @type {BlobEvent} */ event) => this.#take(event.data));
      this.recorder.addEventListener("stop", () => this.#finish());
      // Another program may take the microphone: what was said until then is the note.
      this.recorder.addEventListener("pause", () => this.stop());
      beforeReload.add(this.ending = () => (this.stop(), this.ended));
      this.ended = new Promise((done) => (this.note.done = done));
      this.stream.getAudioTracks()[0].addEventListener("ended", () => this.stop());
      this.recorder.start(1000);
      this.note.began = performance.now();
      this.#meter();
    } catch {
      this.#lost();
    }
    this.busy = false;
    this.#show();
  }

  /**
   * An entry of the outbox that takes pieces from now on.
   * @param {Moment} moment
   * @param {string} type
   * @returns {Promise<string>}
   */
  async #begin(moment, type) {
    const id = ulid();
    const body = { offset_ms: moment.offset, created_at: iso(moment.at) };
    await writing.add({ id, kind: "voice_note", session: this.marking.session, body, audio: { type: plainType(type) },
      state: "recording" });
    return id;
  }

  /**
   * @param {string} id
   * @param {number} length
   * @param {number} size
   * @param {string} type
   */
  async #end(id, length, size, type) {
    await writing.finish(id, { duration_ms: length, size, type: plainType(type) });
    toast(t("note-kept", { length: fmt.offset(length) }), { ms: 6000 });
    this.view.spoke?.();
  }

  #lost() {
    this.#quiet();
    toast(t("note-not-kept"), { kind: "bad", ms: 30_000 });
  }

  stop() {
    if (!this.isOn) return;
    this.note.length = Math.round(performance.now() - this.note.began);
    this.recorder?.stop();
  }

  /** @param {Blob} blob */
  #take(blob) {
    const { note } = this;
    const number = note.pieces;
    note.pieces += 1;
    note.size += blob.size;
    note.work = note.work.then(async () => writing.addPiece(note.id, number, await blob.arrayBuffer())).catch(() => {
      if (!note.failed) this.#lost();
      note.failed = true;
      this.stop();
    });
  }

  async #finish() {
    const { note } = this;
    // It may have stopped by itself.
    note.length ??= Math.round(performance.now() - note.began);
    this.#quiet();
    await note.work;
    note.done();
    beforeReload.delete(this.ending);
    if (note.length >= SLIP && note.size) return this.#end(note.id, note.length, note.size, note.type);
    await writing.remove(note.id);
    toast(t("slip"));
  }

  #quiet() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.context?.close();
    this.context = undefined;
    this.#show();
    this.resume?.();
    this.resume = undefined;
  }

  #meter() {
    this.context = new AudioContext();
    const analyser = new AnalyserNode(this.context, { fftSize: 1024 });
    this.context.createMediaStreamSource(/** @type {MediaStream} */ (this.stream)).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const tick = () => {
      if (!this.isOn || !this.context) return;
      analyser.getFloatTimeDomainData(samples);
      const loud = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
      this.level.style.transform = `scaleX(${Math.min(1, loud * 4)})`;
      this.words.textContent = t("speaking", { length: fmt.offset(performance.now() - this.note.began) });
      setTimeout(tick, 50);
    };
    tick();
  }

  #show() {
    this.button.classList.toggle("on", this.isOn);
    this.button.setAttribute("aria-pressed", String(this.isOn));
    if (!this.isOn) this.words.textContent = t("speak");
  }

  /**
   * Without a microphone the device's own recorder makes a file.
   * @param {Moment} moment
   * @param {string} why
   */
  async #pickFile(moment, why) {
    const input = h("input", { type: "file", accept: "audio/*", capture: true, "aria-label": t("choose-audio") });
    const body = h("div.marker-form", h("p", why), !isSecureContext && h("p", t("insecure-cure")), input);
    const actions = [{ label: t("cancel") }, { label: t("add-note"), value: "add", primary: true }];
    /** @type {string | undefined} */
    let type;
    const choice = await dialog({ title: t("no-mic-title"), body, actions, submit: async () => {
      const [chosen] = input.files ?? [];
      if (!chosen) throw new Error(t("choose-first"));
      type = containerOf(new Uint8Array(await chosen.slice(0, 64).arrayBuffer()));
      if (!type) throw new Error(t("not-audio", { name: chosen.name }));
    } });
    const file = input.files?.[0];
    if (choice !== "add" || !file || !type) return;
    const probe = h("audio", { src: URL.createObjectURL(file) });
    // iPhones load nothing that no finger plays: then its length stays unknown.
    const seconds = await within(8000, new Promise((done) => {
      probe.ondurationchange = probe.onerror = () => done(probe.duration);
    }), NaN);
    URL.revokeObjectURL(probe.src);
    try {
      const id = await this.#begin(moment, type);
      await writing.addPiece(id, 0, await file.arrayBuffer());
      await this.#end(id, Math.round((Number.isFinite(seconds) ? seconds : 0) * 1000), file.size, type);
    } catch {
      this.#lost();
    }
  }

  close() {
    if (this.isOn) this.stop();
  }
}

texts({
  "speaking": "Stop {length}",
  "note-kept": "Voice note of {length} kept",
  "slip": "Too short: nothing was recorded.",
  "note-not-kept": "The voice note could not be kept: this device has no space for it.",
  "no-mic-title": "Add a voice note",
  "no-mic": "No microphone was found. You can choose a recording instead.",
  "mic-refused":
    "The browser does not let this page use the microphone. Allow it in the browser’s settings for this page, or " +
    "choose a recording instead.",
  "no-recorder": "This browser can’t record here. You can choose a recording instead.",
  "choose-audio": "Recording",
  "choose-first": "Choose a recording first.",
  "not-audio": "{name} is not a recording that the server takes. Choose one as MP4, WebM, Ogg, MP3, WAV or FLAC.",
  "add-note": "Add",
});

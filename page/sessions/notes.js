/** The tab Notes: voice notes, to be heard and written down. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { drafts } from "../data/drafts.js";
import { outbox } from "../data/outbox.js";
import { writing } from "../data/writing.js";
import { dialog, emptyState, toast } from "../ui/say.js";
import { placeOf } from "./names.js";
import "../ui/shared.js";

/** Plays one voice note at a time; what this browser can't play comes as a copy. */
const voice = h("audio", { hidden: true });
document.body.append(voice);

/**
 * @param {string} handle
 * @param {SpokenNote} note
 * @param {TabContext["player"]} player
 * @param {HTMLElement} button
 */
async function playNote(handle, note, player, button) {
  if (voice.dataset.id === note.id && !voice.paused) return voice.pause();
  player.pause();
  URL.revokeObjectURL(voice.dataset.blob ?? "");
  const href = api.href(`sessions/${handle}/voice-notes/${note.id}/audio`);
  const own = await writing.audio(note.id);
  const isWebM = /\.webm$/.test(note.media_path ?? "") && voice.canPlayType("audio/webm; codecs=opus") === "";
  const play = async (/** @type {string} */ source) => {
    Object.assign(voice, { src: source, onplay: () => button.classList.add("on"),
      onpause: () => button.classList.remove("on") });
    voice.onended = voice.onpause;
    voice.dataset.id = note.id;
    await voice.play();
  };
  /** @returns {Promise<void>} */
  const copy = async () => {
    const source = api.href(`sessions/${handle}/voice-notes/${note.id}/audio`, { as: "m4a" });
    for (let tries = 0; tries < 30; tries += 1) {
      const answer = await fetch(source, { headers: { Range: "bytes=0-0" } });
      if (answer.status !== 202) return answer.ok ? play(source) : Promise.reject(new Error(t("note-unplayable")));
      await new Promise((done) => { setTimeout(done, 1000 * Number(answer.headers.get("retry-after") || 1)); });
    }
  };
  const source = own ? voice.dataset.blob = URL.createObjectURL(own) : href;
  await (isWebM ? copy() : play(source).catch((error) => {
    if (error.name === "AbortError") return undefined;
    if (own) throw error;
    return copy();
  })).catch(() => toast(t("note-unplayable"), { kind: "bad" }));
}

/**
 * @param {HTMLElement} root
 * @param {TabContext} view
 */
export function tab(root, view) {
  const list = h("ul.notes");
  root.append(list);
  let turn = 0;
  const write = async (/** @type {SpokenNote} */ note) => {
    const text = h("textarea", { rows: 5, dir: "auto", value: note.transcript_text ?? "" });
    const body = h("div.marker-form", h("label.field", h("span", t("what-was-said")), text));
    const actions = [{ label: t("cancel") }, { label: t("save"), value: "save", primary: true }];
    const path = `sessions/${view.handle}/voice-notes/${note.id}`;
    const submit = async () => {
      const headers = { "If-Match": /** @type {string} */ ((await api.get(path)).etag) };
      await api.send("PATCH", path, { transcript_text: text.value.trim() }, { headers });
    };
    const title = t("note-at", { time: fmt.offset(note.offset_ms) });
    if (await dialog({ title, body, actions, draft: `transcript/${view.handle}/${note.id}`, submit })) await load();
  };
  let isOpened = false;
  const reopen = (/** @type {SpokenNote[]} */ notes) => {
    const [name] = isOpened ? [] : drafts.names(`transcript/${view.handle}/`), id = name?.split("/")[2];
    isOpened = true;
    if (id) write(notes.find((note) => note.id === id) ?? { id, offset_ms: 0 });
  };
  /**
   * @param {SpokenNote} note
   * @param {Entry} [entry]
   */
  const row = (note, entry) => {
    const play = h("button.note-play", { type: "button",
      "aria-label": t("play-note", { time: fmt.offset(note.offset_ms) }) }, icon("play"));
    play.addEventListener("click", () => playNote(view.handle, note, view.player, play));
    const at = h("button.note-at", { type: "button", title: t("play-here"),
      onclick: () => view.player.play(note.offset_ms) }, fmt.offset(note.offset_ms));
    const state = entry && h("p.quiet", t(`note-${entry.state}`));
    const words = note.transcript_text ? h("p.note-text", { dir: "auto" }, note.transcript_text)
      : h("p.note-text.quiet", t("no-transcript"));
    const label = { "aria-label": t("set-transcript"), title: t("set-transcript") };
    const edit = view.canMark && !entry &&
      h("button.icon-button", { type: "button", ...label, onclick: () => write(note) }, icon("digest"));
    const head = h("p.note-head", at, h("span.quiet", fmt.offset(note.duration_ms ?? 0)));
    return h("li.note", { "data-id": note.id }, play, h("div.note-body", head, words, state), edit);
  };
  async function load() {
    const mine = turn += 1;
    const waiting = outbox.of(view.session.session_id ?? view.handle).filter(({ kind }) => kind === "voice_note");
    /** @type {SpokenNote[]} */
    let notes = [];
    try {
      /** @type {Query | undefined} */
      let query = { limit: 1000 };
      for (; query; ) {
        /** @type {Answered<Api.VoiceNoteRecord[]>} */
        const { body, next } = await api.get(`sessions/${view.handle}/voice-notes`, { query, keep: true });
        notes = notes.concat(body);
        query = next;
      }
    } catch (error) {
      if (!waiting.length && mine === turn) return void list.replaceChildren(emptyState("warning", t("notes-failed"),
        problemText(error)));
    }
    if (mine !== turn) return;
    const known = new Set(notes.map(({ id }) => id));
    /** @type {[SpokenNote, Entry?][]} */
    const all = notes.map((note) => [note]);
    for (const entry of waiting) if (!known.has(entry.id)) all.push([{ id: entry.id, ...entry.body }, entry]);
    all.sort(([one], [other]) => placeOf(one) - placeOf(other));
    list.replaceChildren(...all.length ? all.map(([note, entry]) => row(note, entry))
      : [emptyState("mic", t("no-notes-title"), t(view.canMark ? "no-notes" : "no-notes-guest"))]);
    if (view.canMark) reopen(notes);
  }
  load();
  return { load, close: () => (turn += 1, voice.pause()) };
}

texts({
  "note-at": "Voice note at {time}",
  "note-waiting": "Waits to be sent",
  "note-recording": "Being recorded",
  "note-needs-you": "Refused by the server; see the outbox",
  "note-at-server": "Waits at the server",
  "note-unplayable": "This voice note can’t be played here.",
  "play-note": "Play the voice note at {time}",
  "play-here": "Play the recording from here",
  "what-was-said": "What was said",
  "set-transcript": "Write down what was said",
  "no-transcript": "Not transcribed",
  "notes-failed": "The voice notes could not be loaded",
  "no-notes-title": "No voice notes yet",
  "no-notes": "Tap Speak, say what you think, tap again.",
  "no-notes-guest": "Nobody has spoken a note in this session.",
});

/** Making marks, and taking them back. */
import { h } from "../base/dom.js";
import { badge, ulid } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { drafts } from "../data/drafts.js";
import { me } from "../data/identity.js";
import { writing } from "../data/writing.js";
import { announce, come, sayFailed, toast } from "../ui/say.js";
import "../ui/shared.js";

/** @param {number} moment */
export const iso = (moment) => new Date(moment).toISOString();
const SAME = 300; // ms: what comes within them at one button is one press
/** @type {Set<() => unknown>} */
const held = new Set(); // fingers that are down, each as what it does when it goes

// A page that goes makes the marks that are under way.
addEventListener("pagehide", () => [...held].forEach((up) => up()));

/**
 * How long ago (whole ms) a press was: a page that is at something else hears of it late.
 * @param {Event} event
 */
export const agoOf = ({ timeStamp }) => Math.round(Math.max(0, performance.now() - timeStamp));

/**
 * A button whose moment is that of the touch, and that counts each press once, however the finger leaves it: a
 * drummer's slides. `take(ago)` tells the moment so long (ms) ago, `begin(moment)` what is kept while the finger is
 * down, `act(moment, begun)` what is done then.
 * @template {HTMLElement} On
 * @param {On} node
 * @param {(ago: number) => Moment} take
 * @param {(moment: Moment, begun?: Begun) => unknown} act
 * @param {(moment: Moment) => Begun | undefined} [begin]
 */
export function pressButton(node, take, act, begin = () => undefined) {
  /** @type {Map<number, () => unknown>} */
  const fingers = new Map();
  let last = -Infinity, left = -Infinity;
  const isSame = (/** @type {Event} */ { timeStamp }) => timeStamp - last < SAME || ((last = timeStamp), false);
  const up = (/** @type {PointerEvent} */ { pointerId, timeStamp }) => {
    const done = fingers.get(pointerId);
    if (!done) return;
    fingers.delete(pointerId);
    held.delete(done);
    left = timeStamp;
    node.classList.toggle("down", fingers.size > 0);
    done();
  };
  node.classList.add("press");
  node.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    left = event.timeStamp; // The click that follows is of this one.
    if (isSame(event)) return;
    const moment = take(agoOf(event)), begun = begin(moment);
    const done = () => (held.delete(done), act(moment, begun));
    fingers.set(event.pointerId, done);
    held.add(done);
    node.classList.add("down");
    try {
      node.setPointerCapture(event.pointerId);
    } catch { /* It has left already. */ }
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    node.addEventListener(name, up);
  }
  node.addEventListener("contextmenu", (event) =>
    /** @type {PointerEvent} */ (event).pointerType !== "mouse" && event.preventDefault());
  node.addEventListener("click", (event) => {
    // Those of keys and screen readers alone come without a finger.
    if ((event.detail > 0 && event.timeStamp - left < 1000) || isSame(event)) return;
    const moment = take(agoOf(event));
    act(moment, begin(moment));
  });
  return node;
}

/** Makes marks and takes them back. `view` has handle, session, moment(), marked(record), unmarked(record). */
export class Marking {
  /** @type {Marker[]} */
  made = [];
  /** @type {Map<Category, number>} */
  #keys = new Map();

  /** @param {MarkingView} view */
  constructor(view) { this.view = view; }

  get session() {
    const { handle, session } = this.view, { session_id: id, title } = /** @type {OpenSession} */ (session);
    return { handle, id, title };
  }

  /** @param {Category} category */
  button(category) {
    const { letter, key } = category;
    const node = h(`button.mark-button.mark-${letter}`, { type: "button", "aria-keyshortcuts": key },
      badge(category), h("span.mark-name", category.name()), h("kbd", key));
    return pressButton(node, (ago) => this.view.moment(ago), (moment, begun) => this.mark(category, moment, begun),
      (moment) => this.#begin(category, moment, "pressed"));
  }

  /**
   * By its key; two presses at once are one, as of a button.
   * @param {Category} category
   * @param {KeyboardEvent} event
   */
  press(category, event) {
    const now = event.timeStamp;
    if (now - (this.#keys.get(category) ?? -Infinity) < SAME) return;
    this.#keys.set(category, now);
    this.mark(category, this.view.moment(agoOf(event)));
  }

  /**
   * Keeps a mark on this device; as long as it is only pressed it is none yet, but a page that was killed finds it.
   * @param {Category | undefined} category
   * @param {Moment} moment
   * @param {EntryState} state
   */
  #begin(category, { offset, at }, state) {
    const id = ulid(), tags = category ? [category.tag] : [];
    const body = { offset_ms: offset, created_at: iso(at), source: "user", tags };
    // Before the first touch a browser refuses, and says so in its console.
    if (/** @type {any} */ (navigator).userActivation?.hasBeenActive) navigator.vibrate?.(30);
    return { record: { id, ...body }, kept: writing.add({ id, kind: "marker", session: this.session, body, state }) };
  }

  /**
   * Keeps a mark and says so.
   * @param {Category} [category]
   * @param {Moment} [moment]
   * @param {Begun} [begun]
   */
  async mark(category, moment = this.view.moment(), begun = undefined) {
    const { record, kept } = begun ?? this.#begin(category, moment, "waiting");
    const words = t("marked", { category: category?.name() ?? t("a-mark"), time: fmt.offset(moment.offset) });
    const actions = [{ label: t("undo"), last: t("undo-last"), run: () => this.undo(record) },
      { label: t("name-it"), run: () => editMarker(this.view, record) }];
    const many = (/** @type {number} */ n) => t("marked-n", { n, last: words });
    try {
      // Nothing is shown before it is kept. False: only memory has it, and the outbox has said so.
      const isKept = await kept;
      if (begun) writing.release(record.id).catch(() => {});
      this.made.push(record);
      this.view.marked(record);
      if (isKept) this.#say(words, actions, many);
      announce(words);
    } catch (error) {
      toast(t("mark-lost", { time: fmt.exact(moment.offset), why: problemText(error) }), { kind: "bad", ms: 60_000 });
    }
  }

  /**
   * Asks for words first, and marks the moment when they are saved.
   * @param {Moment} moment
   * @param {string} id
   */
  async write(moment = this.view.moment(), id = ulid()) {
    const record = { id, offset_ms: moment.offset, created_at: iso(moment.at), source: "user", tags: [] };
    if (await editMarker(this.view, record, true)) return;
    const time = fmt.offset(moment.offset);
    toast(t("not-marked", { time }), { topic: "mark", ms: 8000,
      actions: [{ label: t("mark-at", { time }), run: () => this.mark(undefined, moment) }] });
  }

  /** Opens again what was being written here. */
  reopen() {
    const { handle } = this.view;
    for (const name of drafts.names(`write/${handle}/`)) {
      const { data } = drafts.get(name);
      this.write(data, name.split("/")[2]);
      return;
    }
  }

  /**
   * Of what is said about marks only the last stands.
   * @param {string} words
   * @param {ToastOptions["actions"]} [actions]
   * @param {(n: number) => string} [many]
   */
  #say(words, actions, many) {
    if (!this.view.isQuiet) toast(words, { actions, ms: actions ? 6000 : 3000, topic: "mark", many });
  }

  /**
   * Takes a mark back, the last one without a record: out of the outbox, or else out of the session.
   * @param {Marker | undefined} record
   */
  async undo(record = this.made.at(-1)) {
    if (!record) return toast(t("nothing-to-undo"));
    this.made = this.made.filter((made) => made !== record);
    this.view.unmarked(record);
    try {
      if (!await writing.remove(record.id)) await removeMarker(this.view.handle, record.id);
      this.#say(t("undone", { time: fmt.offset(record.offset_ms) }));
    } catch (error) {
      this.made.push(record);
      this.view.marked(record);
      toast(`${t("not-undone")} ${problemText(error)}`, { kind: "bad" });
    }
  }
}

/**
 * The dialog of a marker, as editor.js has it.
 * @param {Parameters<typeof import("./editor.js").edit>} about
 */
export const editMarker = (...about) => come(import("./editor.js")).then(({ edit }) => edit(...about), sayFailed);

/** Loads what comes after a press, as soon as the session stands: the network may go in between. */
export function loadLater() {
  if (!me.can("mark")) return;
  for (const load of [() => import("../data/deliver.js"), () => import("./editor.js"), () => import("../ui/dialog.js"),
    () => import("./recorder.js")]) load().catch(() => {});
}

/**
 * It is gone afterwards, or an error is thrown; one that was gone already is gone.
 * @param {string} handle
 * @param {string} id
 * @param {Query} [query]
 */
export async function removeMarker(handle, id, query) {
  await api.send("DELETE", `sessions/${handle}/markers/${id}`, undefined, { query }).catch((error) => {
    if (error.status !== 404 && error.status !== 410) throw error;
  });
}

texts({
  "name-it": "Name it",
  "marked-n": "{n} marks, the last: {last}",
  "mark-lost": "The mark at {time} could not be kept: {why} Write it down.",
  "nothing-to-undo": "Nothing to undo here.",
  "undone": "Took back the mark at {time}",
  "mark-at": "Mark {time}",
  "not-marked": "Nothing is marked at {time}.",
  "speak": "Speak",
});

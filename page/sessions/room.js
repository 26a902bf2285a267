/** The practice room. */
import { h, icon } from "../base/dom.js";
import { clock, sessionOffset } from "../base/flow.js";
import { badge, categories, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { events } from "../data/events.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { frame, go } from "../ui/frame.js";
import { keys } from "../ui/keys.js";
import { come, emptyState, sayFailed, showWarnings, toast, whenCome } from "../ui/say.js";
import { forgottenSince } from "./left-open.js";
import { editMarker, loadLater, Marking } from "./marking.js";
import { placeOf } from "./names.js";
import { Speaker } from "./speak.js";

/**
 * What a button does, once at a time: the second press of a double one is none.
 * @param {() => unknown} work
 */
const once = (work) => {
  let isBusy = false;
  return async () => {
    if (isBusy) return;
    isBusy = true;
    await work();
    isBusy = false;
  };
};

/**
 * `#/s/H/live`: one clock and four buttons that a drummer hits.
 * @param {HTMLElement} root
 * @param {Route} route
 */
export function open(root, route) {
  const handle = route.path[1];
  const big = h("p.live-clock", { role: "timer", "aria-label": t("session-clock") }, "–:––");
  const last = h("div.live-last");
  const state = h("p.live-state");
  /** @type {(() => unknown)[]} */
  const off = [];
  /** @type {WakeLockSentinel | undefined} */
  let lock;
  let closed = false, goesOn = false;
  /** @type {{ close(): void } | undefined} */
  let question; // of one that was left open
  /** @type {string | undefined} */
  let asked; // since when it was, as it is asked now
  /** @type {Map<string, Marker>} */
  const made = new Map();
  /** @type {MarkingView} */
  const view = {
    handle, canMark: true, isQuiet: true, player: { interrupt: () => () => {} }, get marking() { return marking; },
    get closed() { return closed; },
    moment(ago = 0) {
      const at = clock.now() - ago;
      return { offset: sessionOffset(view.session?.clock, at) ?? 0, at };
    },
    marked(record) {
      made.set(record.id, record);
      showLast();
    },
    unmarked(record) {
      made.delete(record.id);
      showLast();
    },
    async remove(record) { await marking.undo(record); },
  };
  /** @type {Marking} */
  const marking = new Marking(view);
  const speaker = new Speaker(view, marking);
  function showLast() {
    const record = [...made.values()].at(-1);
    last.replaceChildren(.../** @type {Node[]} */ (record ? [h("span.quiet", t("last")), h("span.live-last-time",
      fmt.offset(record.offset_ms)), badge(categoryOf(record.tags)),
      record.label && h("span.live-last-name", { dir: "auto" }, record.label),
      h("button.pill", { type: "button", onclick: () => editMarker(view, record) }, t("name-it")),
      h("button.pill", { type: "button", onclick: () => marking.undo(record) }, icon("undo"),
        t("undo"))].filter(Boolean) : [h("span.quiet", t("live-hint"))]));
  }
  const tick = () => {
    if (!view.session) return;
    big.textContent = fmt.offset(/** @type {number} */ (sessionOffset(view.session.clock)));
    big.style.setProperty("--letters", String(big.textContent.length));
  };
  /**
   * @param {string} verb
   * @param {Record<string, unknown>} [fields]
   */
  const ask = async (verb, fields) => {
    try {
      const { body } = await api.send("POST", `sessions/${handle}/${verb}`, fields);
      const { warnings } = /** @type {{ warnings?: string[] }} */ (body ?? {});
      showWarnings(view.session?.session_id, warnings);
      if (verb === "close") return go(`#/s/${handle}`);
      await load();
    } catch (/** @type {any} */ error) {
      toast(`${t("not-done")} ${problemText(error)}`, { kind: "bad" });
      if (error.status === 409) await load();
    }
  };
  const end = async () => {
    const ending = await come(import("./ending.js")).catch(sayFailed);
    const chosen = await ending?.chooseEnd(/** @type {OpenSession} */ (view.session));
    if (chosen) await ask("close", chosen === "now" ? undefined : { at: chosen });
  };
  async function load() {
    try {
      view.session = /** @type {OpenSession} */ ((await api.get(`sessions/${handle}`, { keep: true })).body);
    } catch (error) {
      return closed || root.replaceChildren(emptyState("warning", t("session-failed"), problemText(error),
        h("a.button", { href: "#/" }, t("to-sessions"))));
    }
    if (closed) return;
    const session = /** @type {OpenSession} */ (view.session);
    frame.title(session.title ?? t("untitled"), { back: `#/s/${handle}` });
    view.canMark = me.can("mark") && Boolean(session.session_id);
    if (session.status !== "active" || !session.clock || !view.canMark) {
      return root.replaceChildren(emptyState("check", t("not-live-title"), t("not-live"),
        h("a.button.primary", { href: `#/s/${handle}` }, t("open-session"))));
    }
    const since = !goesOn && await forgottenSince(session);
    if (closed) return;
    // The same question stays as it is: a finger may be on its way.
    if (since && since === asked && root.querySelector(".left-open")) return;
    question = void question?.close();
    asked = since || undefined;
    if (since) return showLeftOpen(Date.parse(since));
    if (!room.isConnected) root.replaceChildren(room);
    const isPaused = session.clock.paused_at_ms !== undefined;
    state.textContent = t(isPaused ? "paused-long" : "live");
    big.classList.toggle("paused", isPaused);
    pause.replaceChildren(icon(isPaused ? "play" : "pause"), t(isPaused ? "resume" : "pause"));
    pause.disabled = false;
    pause.onclick = once(() => ask(isPaused ? "resume" : "pause"));
    tick();
    await before();
  }
  /** @param {number} since */
  function showLeftOpen(since) {
    const session = /** @type {OpenSession} */ (view.session);
    question = whenCome(root, () => import("./ending.js"), ({ leftOpen }) => {
      const node = leftOpen(session, since, (at) => ask("close", { at }), () => {
        goesOn = true;
        load();
      });
      root.append(node);
      return { close: () => node.remove() };
    });
  }
  /** The last mark may have been made before the room was opened, or on another device. */
  async function before() {
    const query = { around: view.moment().offset, limit: 5 };
    const { body } = await api.get(`sessions/${handle}/markers`, { query }).catch(() => ({ body: [] }));
    const ours = outbox.of(handle).filter(({ kind }) => kind === "marker").map(({ id, body: own }) => ({ ...own, id }));
    made.clear();
    for (const record of [...body, ...ours].sort((one, other) => placeOf(one) - placeOf(other))) {
      made.set(record.id, record);
    }
    showLast();
  }
  async function light() {
    if (!document.hidden) lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
  }
  const pause = h("button.quiet-button", { type: "button", disabled: true }, icon("pause"), t("pause"));
  const room = h("div.practice", h("div.live-head", state, big, last),
    h("div.live-marks", categories.map((category) => marking.button(category))), speaker.button,
    h("div.live-foot", pause, h("button.quiet-button", { type: "button", onclick: once(end) }, icon("stop"),
      t("end-session"))));
  root.replaceChildren(room);
  showLast();
  load().then(() => {
    if (closed || !room.isConnected) return;
    marking.reopen();
    loadLater();
    come(import("./ending.js")).catch(() => {});
  });
  light();
  const timer = setInterval(tick, 250);
  document.addEventListener("visibilitychange", light);
  /** @type {KeyMap} */
  const bound = { r: () => speaker.toggle(), u: () => marking.undo(), b: () => marking.write() };
  for (const category of categories) bound[category.key] = (/** @type {any} */ event) => marking.press(category, event);
  off.push(keys.bind(bound), events.watch(handle), events.on(({ type, data }) => {
    if (data.handle && data.handle !== handle) return;
    if (type === "reset" || data.kind === "session") load();
    else if (data.kind === "marker") before();
  }));
  return {
    close() {
      closed = true;
      question?.close();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", light);
      lock?.release();
      speaker.close();
      for (const one of off) one();
    },
  };
}

texts({
  "open-session": "Open the session",
  "resume": "Resume",
  "session-clock": "Time of the session",
  "paused-long": "Paused: the clock stands still",
  "last": "Last",
  "live-hint": "One tap marks this moment.",
  "end-session": "End session",
  "not-done": "That did not work.",
  "not-live-title": "This session is not running",
  "not-live": "You can listen to it and mark it.",
});

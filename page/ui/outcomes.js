/**
 * The messages at the foot, and among them how entries of the outbox ended that are not simply written, and what could
 * not be kept. Loaded behind the first view.
 */
import { h, icon } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { me } from "../data/identity.js";
import { writing } from "../data/writing.js";
import { frame, go } from "./frame.js";
import { toast } from "./say.js";
import "./shared.js";

/** @type {Record<string, (values: any) => unknown>} */
const OUTCOMES = {
  "no-storage": () => toast(t("no-storage"), { kind: "bad", ms: DAY }),
  "not-kept": ({ isFull }) => toast(`${t(isFull ? "not-kept" : "not-kept-now")} ${t("not-kept-memory")}`,
    { kind: "bad", ms: 15_000 }),
  "storage-cleared": ({ spoken }) => toast([t("storage-cleared"), spoken && t("storage-cleared-audio")]
    .filter(Boolean).join(" "),
    { kind: "bad", ms: 12_000 }),
  "removed": ({ n }) => toast(t("removed", { n }), { ms: 10_000 }),
  "vanished": ({ entry }) =>
    toast(t("vanished"), { ms: 20_000, actions: [{ label: t("put-back"), run: () => putBack(entry) }] }),
  "needs-you": ({ n }) => toast(t("needs-you", { n }), { kind: "bad", ms: 15_000,
    actions: [{ label: t("open-outbox"), run: () => go("#/outbox") }] }),
  "refused": ({ error }) => toast(problemText(error), { kind: "bad", ms: 15_000 }),
  "rescued": () => toast(t("recording-rescued")),
};

/**
 * Says what the data tells of, by its name.
 * @param {string} name
 * @param {any} values
 */
export const tell = (name, values) => OUTCOMES[name](values);

/** @type {Set<string>} */
const warned = new Set();
/**
 * Says what the server finds odd about a write; of each kind once for a session, since it is the same at each mark.
 * @param {string | null | undefined} session
 * @param {string[]} warnings
 */
export function showWarnings(session, warnings) {
  for (const text of warnings) {
    const kind = `${session} ${text.replace(/\d+/g, "")}`;
    if (warned.has(kind)) continue;
    warned.add(kind);
    toast(text.replace(/^./, (/** @type {string} */ letter) => letter.toUpperCase()).replace(/([^.!?…])$/, "$1."),
      { kind: "bad", ms: 15_000 });
  }
}

/** @param {Entry} entry */
async function putBack(entry) {
  try {
    if (me.can("admin") && !me.filtered) await api.send("POST", `queue/${entry.id}/retry`);
    else await writing.add({ ...entry, id: ulid(), state: "waiting" });
    toast(t("put-back-done"));
  } catch (/** @type {any} */ error) {
    toast(problemText(error), { kind: "bad" });
  }
}

// MARK: The messages at the foot: one of them is seen at a time

/** @type {Message[]} */
const said = []; // what is to be seen at the foot, oldest first
const FIRST = 6000; // ms for which an error is before all else
/** @type {Message | undefined} */
let seen;
/** @type {number | undefined} */
let timeRuns;
/** @type {Timer} */
let timer;
let isHeld = false;

/** Takes the time that has run off those that were seen, and lets it run on unless somebody looks. */
function runTime() {
  clearTimeout(timer);
  const running = said.filter(({ wasSeen }) => wasSeen);
  if (timeRuns) for (const one of running) one.left -= performance.now() - timeRuns;
  timeRuns = undefined;
  if (!seen || isHeld || document.hidden) return;
  timeRuns = performance.now();
  const ends = running.filter(({ isBad, left }) => !isBad || left > 0).map(({ left }) => Math.max(0, left));
  const next = Math.min(...ends);
  if (next < Infinity) timer = setTimeout(showNext, next);
}

/**
 * One is seen at a time: an error that has not had its time, else the newest, else an error that stays. One that was
 * seen and is covered keeps its time running, so that *Undo* is not offered for what has gone.
 */
function showNext() {
  runTime();
  for (const one of [...said]) {
    const isOver = one.left <= 0 && !one.isBad;
    if (isOver || (one === seen && !one.node.isConnected)) said.splice(said.indexOf(one), 1);
  }
  const next = said.findLast(({ isBad, left }) => isBad && left > 0) ?? said.findLast(({ isBad }) => !isBad)
    ?? said.at(-1);
  if (next) next.wasSeen = true;
  if (next !== seen) {
    if (seen?.node.contains(document.activeElement)) frame.main.focus({ preventScroll: true });
    document.getElementById("toasts").replaceChildren(...(next ? [next.node] : []));
    [seen, isHeld] = [next, false];
  }
  runTime();
}
addEventListener("visibilitychange", runTime);

/**
 * Shows a message at the foot of the page; returns the way to take it away. An error stays until somebody closes it,
 * all else for `ms`, and time stands still while it has the pointer or the focus, or the page is hidden. One of a topic
 * takes the place of the one before; with `many`, the words for more than one, it counts them.
 * @param {Child} text
 * @param {ToastOptions} options
 */
export function show(text, { actions = [], ms = 6000, kind = "info", topic, many } = {}) {
  if (seen && !seen.node.isConnected) showNext();
  const before = topic ? said.find((one) => one.topic === topic) : undefined;
  const n = many && before?.n ? before.n + 1 : 1;
  const dismiss = () => {
    if (said.includes(one)) said.splice(said.indexOf(one), 1);
    showNext();
  };
  const hold = (/** @type {boolean} */ held) => () => {
    isHeld = held;
    runTime();
  };
  const isBad = kind === "bad";
  const buttons = actions.map(({ label, last, run }) =>
    h("button.plain", { onclick: () => (dismiss(), run()) }, n > 1 && last ? last : label));
  const node = h(`div.toast.${kind}`, { role: isBad ? "alert" : "status", onpointerenter: hold(true),
    onfocusin: hold(true), onpointerleave: hold(false), onfocusout: hold(false) },
  h("p", many && n > 1 ? many(n) : text), h("div", buttons,
    h("button.icon-button", { "aria-label": t("close"), onclick: dismiss }, icon("close"))));
  const one = { node, isBad, topic, n: many && n, left: isBad ? Math.min(ms, FIRST) : ms };
  if (before) said.splice(said.indexOf(before), 1);
  said.push(one);
  showNext();
  return dismiss;
}

texts({
  "not-kept": "This device could not keep your mark: its storage is full.",
  "not-kept-now": "This device could not keep your mark.",
  "not-kept-memory": "It stays here only while this page is open. Leave the page open until it is sent.",
  "no-storage":
    "This browser keeps nothing for this page (a private window?). Marks are lost if you close it before they " +
    "are sent.",
  "storage-cleared": "This browser’s storage was cleared. What was still unsent has been kept again.",
  "storage-cleared-audio": "The sound of voice notes that were not sent is lost.",
  "removed": {
    one: "A mark was removed at the server, so it was not added again.",
    other: "{n} marks were removed at the server, so they were not added again.",
  },
  "vanished": "A mark that was written once is gone from its session.",
  "put-back-done": "It is being put back.",
  "needs-you": {
    one: "{n} entry needs you: the server did not accept it.",
    other: "{n} entries need you: the server did not accept them.",
  },
  "open-outbox": "Open the outbox",
  "recording-rescued": "A voice note that was cut off has been saved as far as it was recorded.",
});

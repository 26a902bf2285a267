/** What waits here, and what waits at the server. */
import { h, icon } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { isMine, outbox } from "../data/outbox.js";
import { ask } from "../ui/asking.js";
import {
  button, doing, dots, kindIcons, nameOfSession, notice, onEvents, row, rows, section, small, stack, when, words,
} from "../ui/parts.js";
import { come, emptyState, toast } from "../ui/say.js";
import { entryText } from "./words.js";

/** What is done with entries; it comes behind what is read. */
const entries = () => come(import("./entries.js"));
/**
 * @param {"again" | "discard" | "discardAll" | "editEntry" | "saveAudio" | "saveEntries"} name
 * @returns {(one: any) => Promise<unknown>}
 */
const act = (name) => async (one) => (await entries())[name](one);

/** @param {HTMLElement} root */
export function open(root) {
  entries().catch(() => {});
  return stack(root, [() => {
    const all = outbox.all().filter((entry) => entry.state !== "at-server").sort((a, b) => a.made - b.made);
    const own = all.filter(isMine), foreign = Map.groupBy
      ? Map.groupBy(all.filter((one) => !isMine(one)), ({ by }) => by?.person)
      : new Map(all.filter((one) => !isMine(one))
        .map((one) => [one.by?.person, all.filter(({ by }) => by?.person === one.by?.person)]));
    if (all.length === 0) return emptyState("check", t("outbox-empty"), t("outbox-empty-text"));
    const needy = own.filter((entry) => entry.state === "needs-you"),
      waiting = own.filter((entry) => entry.state !== "needs-you");
    return [needy.length > 0 && section(t("needs-you-title"), h("p.quiet", t("needs-you-text")), rows(needy, entryRow)),
      waiting.length > 0 && section(t("waits-title"),
        Date.now() - waiting[0].made > DAY && notice("bad", "warning", t("waits-long")), rows(waiting, entryRow)),
      // Of what somebody else wrote nothing is shown but that it is there.
      foreign.size > 0 && section(t("of-others"), rows([...foreign], ([person, theirs]) => row(icon("outbox"),
        t("of-other-waits", { n: theirs.length, person }), h("div.buttons",
          button(t("discard"), doing(() => act("discardAll")(theirs)), "danger"))))),
      own.length > 0 && h("div.part.buttons", waiting.length > 0
        && button([icon("retry"), t("send-now")], doing(() => outbox.drain(true)), "primary", { "data-focus": "send" }),
        button([icon("download"), t("save-all")], doing(() => act("saveEntries")(own)), "", { "data-focus": "all" })),
      own.length > 0 && h("p.quiet", t("save-all-hint"))];
  }, { lines: 3, follows: [outbox.on] }], !me.filtered && [serverQueue, { lines: 2, follows: [onEvents(["queue"])] }]);
}

/** @param {Entry} entry */
function entryRow(entry) {
  const isNeedy = entry.state === "needs-you", isOld = Date.now() - entry.made > DAY;
  /**
   * @param {string} name
   * @param {(entry: Entry) => unknown} work
   * @param {string} [kind]
   */
  const offer = (name, work, kind) =>
    button(t(name), doing(() => work(entry)), kind, { "data-focus": `${entry.id}-${name}` });
  return row(icon(kindIcons[entry.kind] ?? "outbox"), entryText(entry), small(nameOfSession(entry.session)),
    h(isOld ? "small.old" : "small", dots(fmt.ago(entry.made + entry.difference),
    entry.state === "recording" && t("recording-now"), entry.tries > 1 && !isNeedy && t("tries", { n: entry.tries }))),
      entry.problem && h("p.cure.bad", entry.problem),
  h("div.buttons", isNeedy && entry.kind !== "marker.remove" && offer("edit", act("editEntry")),
    isNeedy && offer("retry", act("again")), entry.kind === "voice_note" && offer("save-audio", act("saveAudio")),
    entry.kind !== "marker.remove" && offer("save-entry", (one) => act("saveEntries")([one])),
    isNeedy && offer("discard", act("discard"), "danger")));
}

/**
 * What waits at the server, and for admins what it refused or has lost.
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
async function serverQueue(signal, reload) {
  const isAdmin = me.can("admin");
  /** @type {Answered<any[]>} */
  const { body } = await api.get("queue", { query: { all: isAdmin || undefined }, signal });
  const items = body.filter((item) => !["applied", "removed", "dropped"].includes(item.state));
  /**
   * @param {any} item
   * @param {string} verb
   */
  const send = (item, verb) => doing(async () => {
    if (verb === "drop" && !(await ask(t("drop"), h("p", t("drop-text")), t("drop"), true))) return;
    const { body: outcome } = /** @type {Answered<any>} */ (await api.send("POST", `queue/${item.id}/${verb}`));
    toast(outcome.result ? dots(t(`result-${outcome.result}`), outcome.reason) : t("result-dropped"));
    reload();
  });
  return section(t("at-server"), items.length === 0 ? h("p.quiet", t("at-server-none"))
    : rows(items, (item) => row(icon(kindIcons[item.kind] ?? "warning"), t(`result-${item.state ?? "waiting"}`),
    small(dots(item.kind && t(`one-${item.kind}`), item.payload?.label, item.device, when(item.created_at, fmt.ago))),
      (item.reason ?? item.problem) && words(item.reason ?? item.problem),
    isAdmin && h("div.buttons", button(t(item.state === "record-vanished" ? "put-back" : "retry"), send(item, "retry")),
      item.state !== "record-vanished" && button(t("drop"), send(item, "drop"), "danger")))));
}

texts({
  "outbox-empty": "Everything is sent",
  "outbox-empty-text": "Marks and voice notes wait here while the server can’t be reached.",
  "needs-you-title": "Needs you",
  "needs-you-text": "The server did not accept these. They stay here until you decide.",
  "waits-long":
    "Something has been waiting for more than a day. Connect to the server soon, or save it: browsers may delete " +
    "what a page has not sent.",
  "send-now": "Send now",
  "save-all": "Save all to a file",
  "save-all-hint":
    "The file has one entry per line. Sent to /api/v1/queue, it delivers them; entries that have already arrived " +
    "are not added twice. Voice notes also need their audio.",
  "save-entry": "Save",
  "save-audio": "Save audio",
  "recording-now": "recording",
  "tries": { one: "tried once", other: "tried {n} times" },
  "of-others": "Of other people",
  "of-other-waits": { one: "{n} entry of {person} waits to be sent", other: "{n} entries of {person} wait to be sent" },
  "at-server": "At the server",
  "at-server-none": "Nothing is waiting there.",
  "result-waiting": "Waiting",
  "result-applied": "Written into its session",
  "result-already-applied": "Was in its session already",
  "result-record-vanished": "Gone from its session",
  "result-removed": "Removed",
  "result-dropped": "Dropped",
  "result-conflict": "Conflict",
  "result-rejected": "Refused",
  "result-failed": "Failed",
  "drop": "Drop",
  "drop-text": "It will not be written into its session. The server keeps its file.",
});

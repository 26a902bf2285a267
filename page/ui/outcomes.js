/**
 * How entries of the outbox ended that are not simply written, and what could not be kept. Loaded behind the
 * first view.
 */
import { DAY } from "../base/flow.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { me } from "../data/identity.js";
import { writing } from "../data/writing.js";
import { go } from "./frame.js";
import { toast } from "./say.js";
import "./shared.js";

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

/** Says what the data tells of, by its name. */
export const tell = (name, values) => OUTCOMES[name](values);

const warned = new Set();
/** Says what the server finds odd about a write; of each kind once for a session, since it is the same at each mark. */
export function showWarnings(session, warnings) {
  for (const text of warnings) {
    const kind = `${session} ${text.replace(/\d+/g, "")}`;
    if (warned.has(kind)) continue;
    warned.add(kind);
    toast(text.replace(/^./, (letter) => letter.toUpperCase()).replace(/([^.!?…])$/, "$1."),
      { kind: "bad", ms: 15_000 });
  }
}

async function putBack(entry) {
  try {
    if (me.can("admin") && !me.filtered) await api.send("POST", `queue/${entry.id}/retry`);
    else await writing.add({ ...entry, id: ulid(), state: "waiting" });
    toast(t("put-back-done"));
  } catch (error) {
    toast(problemText(error), { kind: "bad" });
  }
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

/** What became of entries of the outbox that are not simply written. Loaded with the first of them. */
import { ulid } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { go } from "./frame.js";
import { toast } from "./say.js";

export const outcomes = {
  "removed": ({ n }) => toast(t("removed", { n }), { ms: 10_000 }),
  "vanished": ({ entry }) =>
    toast(t("vanished"), { ms: 20_000, actions: [{ label: t("put-back"), run: () => putBack(entry) }] }),
  "needs-you": ({ n }) => toast(t("needs-you", { n }), { kind: "bad", ms: 15_000,
    actions: [{ label: t("open-outbox"), run: () => go("#/outbox") }] }),
  "refused": ({ error }) => toast(problemText(error), { kind: "bad", ms: 15_000 }),
  "rescued": () => toast(t("recording-rescued")),
};

async function putBack(entry) {
  try {
    if (me.can("admin") && !me.filtered) await api.send("POST", `queue/${entry.id}/retry`);
    else await outbox.add({ ...entry, id: ulid(), state: "waiting" });
    toast(t("put-back-done"));
  } catch (error) {
    toast(problemText(error), { kind: "bad" });
  }
}

texts({
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

/** Asking a practice journal, and writing into it through the outbox. */
import { ulid } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { outbox } from "../data/outbox.js";
import { writing } from "../data/writing.js";
import { dots } from "../ui/parts.js";
import { toast } from "../ui/say.js";

/**
 * @param {{ handle: string }} journal
 * @param {string[]} parts
 */
export const addressOf = ({ handle }, ...parts) => ["#/journals", handle, ...parts]
  .map((part, n) => (n ? encodeURIComponent(part) : part)).join("/");
/**
 * @template {string} Tail
 * @param {{ handle: string }} journal
 * @param {Tail} tail
 * @param {Query} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answered<Api.Answer<`GET journals/${string}/${Tail}`>>>}
 */
export const get = ({ handle }, tail, query, signal) =>
  api.get(`journals/${encodeURIComponent(handle)}/${tail}`, { query, signal, keep: true });

/**
 * The row that an entry has made.
 * @type {Map<string, string>}
 */
const rowOf = new Map(), MAKES_ROW = /^practice\.(score|task|video|note|mechanics)$/;
outbox.onDelivered(({ id, kind }, { record }) => MAKES_ROW.test(kind) && rowOf.set(id, record?.id));

/**
 * Puts an entry into the outbox, with words for it; resolves to its id.
 * @param {Journal} journal
 * @param {string} kind
 * @param {Record<string, any>} payload
 * @param {{ id?: string, rest?: number }} options
 */
async function keep({ handle, id: journal, title }, kind, payload, { id = ulid(), rest } = {}) {
  const what = dots(t(`one-${kind}`), payload.name ?? (payload.score && fmt.number(payload.score)));
  await writing.add({ id, kind, body: payload, session: { handle, id: journal, title, what }, rest });
  return id;
}

const REST = 6500; // ms: a little longer than its toast is seen

/**
 * Deletes a row. It rests here as long as it can be taken back.
 * @param {Journal} journal
 * @param {string} row
 */
export async function deleteRow(journal, row) {
  const id = await keep(journal, "practice.delete", { row }, { rest: REST });
  toast(t("deleted"), { actions: [{ label: t("undo"), run: async () =>
    toast(t(await writing.remove(id) ? "restored" : "not-taken-back")) }] });
}

/**
 * The ids of rows whose deletion waits here.
 * @param {Journal} journal
 */
export const deleted = (journal) => new Set(waiting(journal).filter(({ kind }) => kind === "practice.delete")
  .map(({ body }) => body.row));

/**
 * Writes an entry: at once on this device, then at the server. Of one id there is one, however often it is written.
 * @param {Journal} journal
 * @param {string} kind
 * @param {Record<string, any>} payload
 * @param {string} [one]
 */
export async function write(journal, kind, payload, one) {
  const id = await keep(journal, kind, payload, { id: one });
  await Promise.race([outbox.drain(), new Promise((done) => setTimeout(done, 3000))]);
  const isHere = outbox.get(id)?.state;
  if (isHere === "needs-you") return;
  toast(t(isHere ? "noted-here" : "noted"), { topic: "noted", many: (n) => t("noted-n", { n }),
    actions: isHere || rowOf.has(id) ? [{ label: t("undo"), last: t("undo-last"), run: () => takeBack(journal, id) }]
      : [] });
}

/**
 * Takes an entry out of the outbox; what was delivered is removed by another one, if it made a row.
 * @param {Journal} journal
 * @param {string} entry
 */
async function takeBack(journal, entry) {
  if (await writing.remove(entry)) return toast(t("taken-back"));
  const row = rowOf.get(entry);
  if (!row) return toast(t("not-taken-back"), { kind: "bad" });
  await keep(journal, "practice.delete", { row });
  toast(t("taken-back"));
}

/**
 * What waits in this browser to be written into the journal.
 * @param {Journal} journal
 */
export const waiting = (journal) => outbox.of(journal.id).filter(({ session }) => session.what);

texts({
  "noted": "Noted.",
  "noted-n": "Noted, {n} in all.",
  "deleted": "Deleted.",
  "restored": "It is back.",
  "noted-here": "Noted on this device, to be sent.",
  "taken-back": "Taken back.",
  "not-taken-back": "Too late here: change it in the log.",
  "one-practice.score": "Score",
  "one-practice.task": "Practice",
  "one-practice.video": "Video",
  "one-practice.note": "Note",
  "one-practice.mechanics": "Mechanics",
  "one-practice.gamenote": "Note of a game",
  "one-practice.edit": "Change of a row",
  "one-practice.delete": "Deletion of a row",
  "one-practice.group.create": "New group",
  "one-practice.group.edit": "Change of a group",
  "one-practice.group.reorder": "Order of the groups",
  "one-practice.group.select": "Selected group",
  "one-practice.group.priority": "Priority of a group",
  "one-practice.group.archive": "Archived group",
  "one-practice.group.unarchive": "Group opened again",
  "one-practice.group.delete": "Deletion of a group",
  "one-practice.league_import": "League import",
  "one-practice.league_purge": "Removal of league scores",
});

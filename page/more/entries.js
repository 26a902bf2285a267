/** What is done with entries of the outbox: changing them, giving them up, saving them to a file. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { writing } from "../data/writing.js";
import { ask, form, save } from "../ui/asking.js";
import { civil } from "../ui/days.js";
import { FieldError } from "../ui/dialog.js";
import { field, notice } from "../ui/parts.js";
import { toast } from "../ui/say.js";
import { entryText } from "./words.js";

/**
 * @param {Entry} entry
 * @param {any} [body]
 */
export async function again(entry, body = entry.body) {
  await writing.update(entry.id, (/** @type {Entry} */ kept) =>
    ({ ...kept, body, sent: undefined, state: "waiting", problem: undefined, tries: 0, last: 0 }));
  await outbox.drain(true);
}

/** @param {Entry} entry */
export const discard = async (entry) => await ask(t("discard-title"),
  h("p", t("discard-text", { what: entryText(entry) })),
  t("discard"), true) && writing.remove(entry.id);

/** @param {Entry[]} entries */
export async function discardAll(entries) {
  const about = t("discard-all-text", { n: entries.length, person: entries[0].by?.person });
  if (!await ask(t("discard-title"), h("p", about), t("discard"), true)) return;
  for (const { id } of entries) await writing.remove(id);
}

/**
 * A field for each member of what the server refused; the value of one that is not a text is JSON.
 * @param {Entry} entry
 */
export async function editEntry(entry) {
  /** @type {[string, boolean, HTMLTextAreaElement][]} */
  const fields = Object.entries(entry.body).map(([key, value]) => [key, typeof value === "string",
    h("textarea", { rows: 1, dir: "auto", value: typeof value === "string" ? value : JSON.stringify(value) })]);
  const read = (/** @type {[string, boolean, HTMLTextAreaElement]} */ [key, isText, input]) => {
    try {
      return [key, isText ? input.value : JSON.parse(input.value)];
    } catch (/** @type {any} */ error) {
      throw new FieldError(input, t("inputs-not-json", { reason: error.message }));
    }
  };
  await form(t("edit"), [notice("bad", "warning", entry.problem), ...fields.map(([key, , input]) => field(key, input))],
    t("send"),
    `entry/${entry.id}`, () =>
      again(entry, Object.fromEntries(fields.filter(([, , input]) => input.value.trim()).map(read))));
}

/** @param {Entry} entry */
const audioName = ({ id, audio }) =>
  `${id}.${/webm|ogg|wav|flac/.exec(audio?.type ?? "")?.[0] ?? (/mpeg/.test(audio?.type ?? "") ? "mp3" : "m4a")}`;

/** @param {Entry} entry */
export async function saveAudio(entry) {
  const blob = await writing.audio(entry.id);
  if (blob) save(audioName(entry), blob);
  else toast(t("audio-gone"), { kind: "bad" });
}

/**
 * Entries as a spool has them, one a line: what `POST /queue` takes.
 * @param {Entry[]} entries
 */
export async function saveEntries(entries) {
  const lines = await Promise.all(entries.filter(({ kind }) => kind !== "marker.remove").map(async (entry) => {
    const { id, kind, session, body, made, difference } = entry,
      created = body.created_at ?? new Date(made + difference).toISOString();
    const blob = kind === "voice_note" && await writing.audio(id), name = audioName(entry);
    const hash = blob && crypto.subtle && Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256",
      await blob.arrayBuffer())), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const payload = session.what ? body : { id, created_at: created,
      ...(kind === "action_request" && { status: "started" }),
      ...(blob && { media_path: `media/${name}` }), ...body };
    return JSON.stringify({ id, kind, [session.what ? "journal_id" : "session_id"]: session.id, created_at: created,
      device: me.name, payload,
      attachment: blob ? { name, size: blob.size, sha256: hash || null } : undefined });
  }));
  save(entries.length === 1 ? `${entries[0].id}.json` : `trace-outbox-${civil(Date.now()).replace(":", "")}.jsonl`,
    `${lines.join("\n")}\n`, "application/jsonl");
}

texts({
  "send": "Send",
  "discard-title": "Discard this entry?",
  "discard-text": "“{what}” has not been sent and will be lost.",
  "discard-all-text": {
    one: "{n} entry of {person} has not been sent and will be lost.",
    other: "{n} entries of {person} have not been sent and will be lost.",
  },
});

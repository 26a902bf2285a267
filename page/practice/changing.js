/** Changing what a practice journal has: a row, the note of a game. Loaded with the first of these dialogs. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { FieldError } from "../ui/dialog.js";
import { dialog, toast } from "../ui/say.js";
import { CATEGORIES, CONTEXTS, input, options, scoreField, value } from "./fields.js";
import { field, select, unique } from "./insights.js";
import { number, plain } from "./score.js";
import { deleteRow, write } from "./writing.js";

/**
 * @param {Journal} journal
 * @param {string} row
 * @param {string} text
 * @param {() => Promise<void>} reload
 */
export async function remove(journal, row, text, reload) {
  if (await dialog({ title: t("delete-row"), body: [h("p", { dir: "auto" }, text), h("p", t("delete-row-text"))],
    actions: [{ label: t("cancel"), value: "" },
      { label: t("delete-row"), value: "yes", primary: true, danger: true }] }) !== "yes") return;
  await deleteRow(journal, row);
  reload();
}

/** The members of rows that this form has a field for. Which of them a row has, the server says. */
const FIELDS = ["score", "scoreContext", "tournamentName", "noteCategory", "noteDetail", "progressPercent",
  "videoValue", "note"];
/** @type {Record<string, string>} */
const PATTERNS = { progressPercent: "\\d\\d?|100" };
/** @type {Record<string, [string, string[], string?]>} */
const CHOSEN = { scoreContext: ["context", CONTEXTS], noteCategory: ["category", CATEGORIES, "about"] },
  NUMBERS = ["score", "progressPercent"];

/**
 * @param {Journal} journal
 * @param {Api.PracticeRow} row
 * @param {() => Promise<void>} reload
 */
export async function edit(journal, { id, time, name: game, text, editable = [] }, reload) {
  const moment = Math.floor(time), iso = (/** @type {number} */ ms) => new Date(ms).toISOString();
  const { body } = await api.get(`journals/${encodeURIComponent(journal.handle)}/records`,
    { query: { since: iso(moment), until: iso(moment + 1), limit: 1000 } });
  const record = /** @type {any} */ (body
    .find(({ record_id: one }) => one?.toLowerCase() === id.toLowerCase())?.record);
  const names = FIELDS.filter((name) => editable.includes(name));
  if (!record || !names.length) return toast(t("not-editable"), { kind: "bad" });
  const fields = names.map((name) => {
    const now = record[name] ?? "", [prefix = name, words, named] = CHOSEN[name] ?? [], label = named ?? prefix;
    const control = words ? select(label, options(unique([...words, now || undefined]), prefix), now)
      : name === "note" ? field("note", h("textarea", { rows: 3, dir: "auto", value: now }))
        : name === "score" ? scoreField("edit-score", { value: String(now) })
        : input(`edit-${name}`, { value: String(now),
        inputmode: NUMBERS.includes(name) ? "numeric" : "text", pattern: PATTERNS[name] });
    return [name, now, control];
  });
  const written = (/** @type {string} */ name, /** @type {unknown} */ one) =>
    (name === "score" ? plain(String(one)) : String(one).trim());
  /** @type {Record<string, any>} */
  let patch = {};
  const submit = () => {
    const changed = fields
      .map(([name, now, { control }]) => [name, written(name, control.value), written(name, now), control])
      .filter(([, next, was]) => next !== was);
    // What stays as it is may be a number that nobody would type.
    const wrong = changed.find(([, , , control]) => !control.checkValidity());
    if (wrong) throw new FieldError(wrong[3], t("not-a-number"));
    patch = Object.fromEntries(changed
      .map(([name, next]) => [name, next === "" ? null : NUMBERS.includes(name) ? number(next) : next]));
  };
  const shown = [h("p", { dir: "auto" }, game ?? text), ...fields.map(([, , control]) => control)];
  if (!await dialog({ title: t("edit"), body: shown, draft: `row/${journal.handle}/${id}`, submit,
    actions: [{ label: t("cancel") }, { label: t("save"), value: "yes", primary: true }] })) return;
  if (!Object.keys(patch).length) return;
  await write(journal, "practice.edit", { row: id, patch });
  reload();
}

/**
 * @param {Journal} journal
 * @param {string} key
 * @param {string} now
 * @param {() => Promise<void>} reload
 */
export async function editNote(journal, key, now, reload) {
  const control = field("game-note", h("textarea", { rows: 5, dir: "auto", value: now }));
  if (!await dialog({ title: t("game-note"), body: [control], draft: `gamenote/${journal.handle}/${key}`,
    actions: [{ label: t("cancel") }, { label: t("save"), value: "yes", primary: true }] })
      || value(control) === now.trim()) return;
  await write(journal, "practice.gamenote", { game: key, note: value(control) });
  reload();
}

texts({
  "edit-score": "Score",
  "edit-tournamentName": "Tournament",
  "edit-noteDetail": "Detail",
  "edit-progressPercent": "Percent done",
  "edit-videoValue": "Progress of the video",
  "delete-row-text": "The record that was written with it goes, too.",
  "not-a-number": "That is not a number that can stand here.",
  "not-editable": "This row can’t be changed.",
});

/** Changing what a practice journal has: a row, the note of a game. Loaded with the first of these dialogs. */
import { api, dialog, h, t, toast } from "../core.js";
import { field, select, unique } from "./insights.js";
import { CATEGORIES, CONTEXTS, input, number, options, SCORE, value } from "./noting.js";
import { write } from "./kind.js";
import { strings } from "../strings.js";

export async function remove(journal, row, text, reload) {
  if (await dialog({ title: t("delete-row"), body: [h("p", { dir: "auto" }, text), h("p", t("delete-row-text"))], actions: [
    { label: t("cancel"), value: "" }, { label: t("delete-row"), value: "yes", primary: true, danger: true }] }) !== "yes") return;
  await write(journal, "practice.delete", { row });
  reload();
}

/** What can be changed of a row, by its action; the label of each field. */
const EDITABLE = { scoreLogged: ["score", "scoreContext", "tournamentName"], noteAdded: ["noteCategory", "noteDetail", "note"],
  tutorialWatch: ["progressPercent", "videoValue", "note"], gameplayWatch: ["progressPercent", "videoValue", "note"],
  rulesheetRead: ["progressPercent", "note"], playfieldViewed: ["progressPercent", "note"], practiceSession: ["note"] };
const PATTERNS = { score: SCORE, progressPercent: "\\d\\d?|100" };
const CHOSEN = { scoreContext: ["context", CONTEXTS], noteCategory: ["category", CATEGORIES, "about"] }, NUMBERS = ["score", "progressPercent"];

export async function edit(journal, { id, time, name: game, text }, reload) {
  const moment = Math.floor(time), iso = (ms) => new Date(ms).toISOString();
  const { body } = await api.get(`journals/${encodeURIComponent(journal.handle)}/records`, { query: { since: iso(moment), until: iso(moment + 1), limit: 1000 } });
  const record = body.find(({ record_id: one }) => one?.toLowerCase() === id.toLowerCase())?.record;
  const names = EDITABLE[record?.action];
  if (!names) return toast(t("not-editable"), { kind: "bad" });
  const fields = names.map((name) => {
    const now = record[name] ?? "", [prefix, words, label = prefix] = CHOSEN[name] ?? [];
    const control = words ? select(label, options(unique([...words, now || undefined]), prefix), now)
      : name === "note" ? field("note", h("textarea", { rows: 3, dir: "auto", value: now })) : input(`edit-${name}`, { value: String(now),
        inputmode: NUMBERS.includes(name) ? "numeric" : "text", pattern: PATTERNS[name] });
    return [name, now, control];
  });
  if (await dialog({ title: t("edit"), body: [h("p", { dir: "auto" }, game ?? text), ...fields.map(([, , control]) => control)], actions: [
    { label: t("cancel"), value: "" }, { label: t("save"), value: "yes", primary: true }] }) !== "yes") return;
  const changed = fields.map(([name, now, control]) => [name, value(control), String(now)]).filter(([, next, now]) => next !== now.trim());
  if (!changed.length) return;
  // What stays as it is may be a number that nobody would type.
  if (fields.some(([name, , control]) => changed.some(([one]) => one === name) && !control.control.checkValidity())) return toast(t("not-a-number"), { kind: "bad" });
  await write(journal, "practice.edit", { row: id, patch: Object.fromEntries(changed.map(([name, next]) =>
    [name, next === "" ? null : NUMBERS.includes(name) ? number(next) : next])) });
  reload();
}

export async function editNote(journal, key, now, reload) {
  const control = field("game-note", h("textarea", { rows: 5, dir: "auto", value: now }));
  if (await dialog({ title: t("game-note"), body: [control], actions: [{ label: t("cancel"), value: "" },
    { label: t("save"), value: "yes", primary: true }] }) !== "yes" || value(control) === now.trim()) return;
  await write(journal, "practice.gamenote", { game: key, note: value(control) });
  reload();
}

Object.assign(strings, {
  "edit-score": "Score", "edit-tournamentName": "Tournament", "edit-noteDetail": "Detail",
  "edit-progressPercent": "Percent done", "edit-videoValue": "Progress of the video",
  "delete-row-text": "The record that was written with it goes, too.", "not-a-number": "Not changed: that is not a number.",
  "not-editable": "This row can’t be changed.",
});

/** The dialog of a marker. Loaded with the first, or once a session stands. */
import { h, icon } from "../base/dom.js";
import { badge, categories, categoryOf, ulid } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { writing } from "../data/writing.js";
import { announce, dialog, toast } from "../ui/say.js";
import { loop } from "./over.js";
import { nameOf, placeOf } from "./names.js";
import "../ui/shared.js";

/** @type {("label" | "note" | "tags")[]} */
const EDITED = ["label", "note", "tags"];
/** @type {(one: unknown, other: unknown) => boolean} */
const differs = (one, other) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
/** @type {(one: MarkerWords, other: MarkerWords) => ("label" | "note" | "tags")[]} */
const edited = (one, other) => EDITED.filter((key) => differs(one[key], other[key]));

/**
 * The dialog of a marker; of one that is new, true once it is marked.
 * @param {MarkingView} view
 * @param {Marker} record
 * @param {boolean} isNew
 */
export async function edit(view, record, isNew = false) {
  // Somebody has gone elsewhere before this module came.
  if (view.closed) return false;
  const path = `sessions/${view.handle}/markers/${record.id}`, isHere = isNew || Boolean(outbox.get(record.id));
  /** @type {Promise<any> | undefined} */
  const known = isHere ? undefined : api.get(path).catch((error) => error);
  const label = h("input", { value: record.label ?? "", dir: "auto", maxlength: 200, autocomplete: "off",
    placeholder: t("name-example"), enterkeyhint: "done" });
  const note = h("textarea", { rows: 3, dir: "auto", value: record.note ?? "" });
  const chosen = new Set((record.tags ?? []).filter((tag) => categoryOf([tag])));
  const more = (record.tags ?? []).filter((tag) => !chosen.has(tag)).join(", ");
  const others = h("input", { value: more, dir: "auto", autocomplete: "off", autocapitalize: "off" });
  const chips = categories.map((category) => {
    const isOn = () => [...chosen].some((tag) => categoryOf([tag]) === category);
    /** @type {HTMLButtonElement} */
    const chip = h("button.chip", { type: "button", "aria-pressed": String(isOn()), onclick: () => {
      if (isOn()) [...chosen].filter((tag) => categoryOf([tag]) === category).forEach((tag) => chosen.delete(tag));
      else chosen.add(category.tag);
      chip.setAttribute("aria-pressed", String(isOn()));
    } }, badge(category), category.name());
    return chip;
  });
  /** @type {(name: string, input: HTMLInputElement | HTMLTextAreaElement) => Child} */
  const field = (name, input) => (view.canMark || input.value) && h("label.field", h("span", t(name)), input);
  const next = !isNew && view.all?.row(view.all.indexAt(placeOf(record)));
  const loops = next && view.player.item && h("button.chip", { type: "button",
    onclick: () => loop(view.player, record, next) }, icon("loop"), t("loop-to-next"));
  for (const input of [label, note, others]) input.readOnly = !view.canMark;
  const shown = view.canMark ? chips : chips.filter((chip) => chip.ariaPressed === "true");
  const group = h("div.chips", { role: "group", "aria-label": t("category"), inert: !view.canMark }, shown);
  // What would be refused is not offered: of a marker that is stored the server says what may be done with it.
  const remove = h("button.plain.danger", { type: "button", hidden: isNew || !(me.can("admin") || isHere) },
    t("remove"));
  known?.then(({ headers }) => (remove.hidden &&= !/DELETE/.test(headers?.get("Allow"))));
  const body = h("div.marker-form", field("name", label), group, field("note", note), field("other-tags", others),
    h("div.chips", loops, view.canMark && remove));
  /** @returns {MarkerWords} */
  const written = () => {
    const tags = [...chosen, ...others.value.split(",").map((tag) => tag.trim()).filter(Boolean)];
    return { label: label.value.trim() || null, note: note.value.trim() || null, tags: tags.length || record.tags ? tags
      : null };
  };
  const submit = async () => {
    const wanted = written();
    if (isNew) return void (await addMarker(view, record, wanted));
    const patch = Object.fromEntries(edited(wanted, record).map((key) => [key, wanted[key]]));
    if (Object.keys(patch).length) await saveMarker(view, record, patch, known);
  };
  const actions = view.canMark ? [{ label: t("cancel") }, { label: t("save"), value: "save", primary: true }]
    : [{ label: t("close"), primary: true }];
  const draft = `${isNew ? "write" : "marker"}/${view.handle}/${record.id}`;
  const data = isNew ? { offset: record.offset_ms, at: Date.parse(record.created_at) } : undefined;
  const asked = dialog({ title: t(isNew ? "mark-at-place" : "marker-at", { time: fmt.exact(placeOf(record)) }), body,
    actions,
    ...(view.canMark && { draft, data, submit }), other: remove });
  const choice = await asked;
  if (choice === "other") view.remove(record);
  return choice === "save";
}

/**
 * Removes a marker. The removal rests here as long as it can be taken back: nothing that refers to it is lost.
 * @param {SessionView} view
 * @param {Marker} record
 */
export async function remove(view, record) {
  if (await writing.remove(record.id)) return view.unmarked(record);
  const id = ulid(), { voice_note_id: spoken } = record;
  const about = { name: nameOf(record), time: fmt.offset(placeOf(record)) };
  view.all.leaving.add(record.id);
  view.unmarked(record);
  await writing.add({ id, kind: "marker.remove", session: view.marking.session, rest: 6500,
    body: { record_id: record.id, label: record.label, offset_ms: record.offset_ms } });
  const back = async () => {
    if (!await writing.remove(id)) return toast(t("not-undone"), { kind: "bad" });
    view.all.leaving.delete(record.id);
    view.marked(record);
  };
  toast([t("removed-marker", about), spoken && t("its-note-stays")].filter(Boolean).join(" "),
    { actions: [{ label: t("undo"), run: back }] });
}

/**
 * @param {MarkingView} view
 * @param {Marker} record
 * @param {MarkerWords} words
 */
async function addMarker(view, { id, ...record }, words) {
  const body = /** @type {Omit<Marker, "id">} */ ({ ...record, ...words });
  for (const key of EDITED) if (body[key] === null) delete body[key];
  await writing.add({ id, kind: "marker", session: view.marking.session, body });
  view.marking.made.push({ id, ...body });
  view.marked({ id, ...body });
  announce(t("marked", { category: t("a-mark"), time: fmt.offset(body.offset_ms) }));
}

/**
 * Throws what stands in the way: the dialog says it, and keeps the words.
 * @param {MarkingView} view
 * @param {Marker} record
 * @param {MarkerWords} patch
 * @param {Promise<any> | undefined} known
 */
async function saveMarker(view, record, patch, known) {
  const path = /** @type {const} */ (`sessions/${view.handle}/markers/${record.id}`);
  const changed = /** @type {Marker} */ ({ ...record, ...patch });
  for (const key of EDITED) if (changed[key] === null) delete changed[key];
  const { id, ...body } = changed;
  if (await writing.update(id, (entry) => ({ ...entry, body }))) return view.marked(changed);
  let answer = await known ?? await api.get(path);
  if (answer instanceof Error) answer = await api.get(path);
  let conflict = edited(answer.body, record).length && answer.body;
  for (;;) {
    if (conflict) {
      const keep = await chooseVersion(changed, conflict);
      if (keep === "theirs") return view.marked(conflict);
      if (keep !== "mine") throw new Error(t("changed-title-go-on"));
      answer = await api.get(path);
    }
    try {
      const sent = await api.send("PATCH", path, patch, { headers: { "If-Match": answer.etag },
        type: "application/merge-patch+json" });
      return view.marked(sent.body.marker);
    } catch (/** @type {any} */ error) {
      if (error.status !== 412) throw error.offline ? new Error(t("edit-offline")) : error;
      conflict = error.body?.present ?? record;
    }
  }
}

/**
 * @param {Marker} mine
 * @param {Marker} theirs
 */
function chooseVersion(mine, theirs) {
  const version = (/** @type {string} */ title, /** @type {Marker} */ record) => h("section.version", h("h3", title),
    h("p.version-name", { dir: "auto" }, nameOf(record)),
    record.note && h("p", { dir: "auto" }, record.note), h("p.quiet", (record.tags ?? []).join(", ")));
  return dialog({
    title: t("changed-title"), body: h("div.versions", h("p", t("changed-text")), version(t("theirs"), theirs),
      version(t("mine"), mine)),
    actions: [{ label: t("keep-theirs"), value: "theirs" }, { label: t("keep-mine"), value: "mine", primary: true }],
  });
}

texts({
  "removed-marker": "Removed {name} at {time}",
  "its-note-stays": "Its voice note stays.",
  "category": "Category",
  "edit-offline": "The server can’t be reached, and this marker is there. What you wrote is kept on this device.",
  "marker-at": "Marker at {time}",
  "mark-at-place": "New marker at {time}",
  "name-example": "Such as “Second chorus”",
  "other-tags": "Other tags, with commas",
  "changed-title": "Changed by someone else",
  "changed-text": "This marker was changed while you edited it. Which version counts?",
  "changed-title-go-on": "Not saved: somebody else has changed it. Choose which version counts.",
  "theirs": "Theirs",
  "mine": "Yours",
  "keep-theirs": "Keep theirs",
  "keep-mine": "Use mine",
});

/**
 * Making marks, taking them back, naming them. session.js has what shows them.
 */
import {
  announce, api, badge, categories, categoryOf, dialog, fmt, go, h, icon, me, outbox, problemText, t, toast, ulid,
} from "./core.js";
import { drafts } from "./forms.js";

// MARK: Marking

export const iso = (moment) => new Date(moment).toISOString();
export const nameOf = (record) => record.label || t("no-name");
/** Where it stands; what a broken line says instead of a number is the beginning. */
export const placeOf = ({ offset_ms: offset }) => (Number.isFinite(offset) ? Math.max(0, offset) : 0);

const SAME = 300; // ms: what comes within them at one button is one press
const held = new Set(); // fingers that are down, each as what it does when it goes

// A page that goes makes the marks that are under way.
addEventListener("pagehide", () => [...held].forEach((up) => up()));

/**
 * A button whose moment is that of the touch, and that counts each press once, however the finger leaves it: a drummer's
 * slides. `take()` tells the moment, `begin(moment)` what is kept while the finger is down, `act(moment, begun)` what is
 * done then.
 */
export function pressButton(node, take, act, begin = () => {}) {
  const fingers = new Map();
  let last = -Infinity, left = -Infinity;
  const isSame = ({ timeStamp }) => timeStamp - last < SAME || ((last = timeStamp), false);
  const up = ({ pointerId, timeStamp }) => {
    const done = fingers.get(pointerId);
    if (!done) return;
    fingers.delete(pointerId);
    held.delete(done);
    left = timeStamp;
    node.classList.toggle("down", fingers.size > 0);
    done();
  };
  node.classList.add("press");
  node.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    left = event.timeStamp; // The click that follows is of this one.
    if (isSame(event)) return;
    const moment = take(), begun = begin(moment);
    const done = () => (held.delete(done), act(moment, begun));
    fingers.set(event.pointerId, done);
    held.add(done);
    node.classList.add("down");
    try {
      node.setPointerCapture(event.pointerId);
    } catch { /* It has left already. */ }
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) node.addEventListener(name, up);
  node.addEventListener("contextmenu", (event) => event.pointerType !== "mouse" && event.preventDefault());
  node.addEventListener("click", (event) => {
    // Those of keys and screen readers alone come without a finger.
    if ((event.detail > 0 && event.timeStamp - left < 1000) || isSame(event)) return;
    const moment = take();
    act(moment, begin(moment));
  });
  return node;
}

/** Makes marks and takes them back. `view` has handle, session, moment(), marked(record), unmarked(record). */
export class Marking {
  made = [];
  #keys = new Map();

  constructor(view) { this.view = view; }

  get session() {
    const { handle, session } = this.view;
    return { handle, id: session.session_id, title: session.title };
  }

  button(category) {
    const { letter, key } = category;
    const node = h(`button.mark-button.mark-${letter}`, { type: "button", "aria-keyshortcuts": key },
      badge(category), h("span.mark-name", category.name()), h("kbd", key));
    return pressButton(node, () => this.view.moment(), (moment, begun) => this.mark(category, moment, begun),
      (moment) => this.#begin(category, moment, "pressed"));
  }

  /** By its key; two presses at once are one, as of a button. */
  press(category) {
    const now = performance.now();
    if (now - (this.#keys.get(category) ?? -Infinity) < SAME) return;
    this.#keys.set(category, now);
    this.mark(category);
  }

  /** Keeps a mark on this device; as long as it is only pressed it is none yet, but a page that was killed finds it. */
  #begin(category, { offset, at }, state) {
    const id = ulid(), body = { offset_ms: offset, created_at: iso(at), source: "user", tags: category ? [category.tag] : [] };
    navigator.vibrate?.(30);
    return { record: { id, ...body }, kept: outbox.add({ id, kind: "marker", session: this.session, body, state }) };
  }

  /** Keeps a mark and says so. */
  async mark(category, moment = this.view.moment(), begun = undefined) {
    const { record, kept } = begun ?? this.#begin(category, moment, "waiting");
    const words = t("marked", { category: category?.name() ?? t("a-mark"), time: fmt.offset(moment.offset) });
    const actions = [{ label: t("undo"), run: () => this.undo(record) },
      { label: t("name-it"), run: () => editMarker(this.view, record) }];
    try {
      // Nothing is shown before it is kept. False: only memory has it, and the outbox has said so.
      const isKept = await kept;
      if (begun) outbox.release(record.id).catch(() => {});
      this.made.push(record);
      this.view.marked(record);
      if (isKept) this.#say(words, actions);
      announce(words);
    } catch (error) {
      toast(t("mark-lost", { time: fmt.exact(moment.offset), why: problemText(error) }), { kind: "bad", ms: 60_000 });
    }
  }

  /** Asks for words first, and marks the moment when they are saved. */
  async write(moment = this.view.moment(), id = ulid()) {
    const record = { id, offset_ms: moment.offset, created_at: iso(moment.at), source: "user", tags: [] };
    if (await editMarker(this.view, record, true)) return;
    const time = fmt.offset(moment.offset);
    this.said?.();
    this.said = toast(t("not-marked", { time }), { actions: [{ label: t("mark-at", { time }), run: () => this.mark(undefined, moment) }], ms: 8000 });
  }

  /** Opens again what was being written here. */
  reopen() {
    const { handle } = this.view;
    for (const name of drafts.names(`write/${handle}/`)) {
      const { data } = drafts.get(name);
      this.write(data, name.split("/")[2]);
      return;
    }
  }

  /** Of what is said about marks only the last stands. */
  #say(words, actions) {
    this.said?.();
    if (this.view.isQuiet) return;
    this.said = toast(words, { actions, ms: actions ? 6000 : 3000 });
  }

  /** Takes a mark back, the last one without a record: out of the outbox, or else out of the session. */
  async undo(record = this.made.at(-1)) {
    if (!record) return toast(t("nothing-to-undo"));
    this.made = this.made.filter((made) => made !== record);
    this.view.unmarked(record);
    try {
      if (!await outbox.remove(record.id)) await removeMarker(this.view.handle, record.id);
      this.#say(t("undone", { time: fmt.offset(record.offset_ms) }));
    } catch (error) {
      this.made.push(record);
      this.view.marked(record);
      toast(`${t("not-undone")} ${problemText(error)}`, { kind: "bad" });
    }
  }
}

/** It is gone afterwards, or an error is thrown; one that was gone already is gone. */
export async function removeMarker(handle, id, query) {
  await api.send("DELETE", `sessions/${handle}/markers/${id}`, undefined, { query }).catch((error) => {
    if (error.status !== 404 && error.status !== 410) throw error;
  });
}

const EDITED = ["label", "note", "tags"];
const differs = (one, other) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
const edited = (one, other) => EDITED.filter((key) => differs(one[key], other[key]));

/** The dialog of a marker; of one that is new, true once it is marked. */
export async function editMarker(view, record, isNew = false) {
  const path = `sessions/${view.handle}/markers/${record.id}`, isHere = isNew || Boolean(outbox.get(record.id));
  const known = isHere ? undefined : api.get(path).catch((error) => error);
  const label = h("input", { value: record.label ?? "", dir: "auto", maxlength: 200, autocomplete: "off",
    placeholder: t("name-example"), enterkeyhint: "done" });
  const note = h("textarea", { rows: 3, dir: "auto", value: record.note ?? "" });
  const chosen = new Set((record.tags ?? []).filter((tag) => categoryOf([tag])));
  const more = (record.tags ?? []).filter((tag) => !chosen.has(tag)).join(", ");
  const others = h("input", { value: more, dir: "auto", autocomplete: "off", autocapitalize: "off" });
  const chips = categories.map((category) => {
    const isOn = () => [...chosen].some((tag) => categoryOf([tag]) === category);
    const chip = h("button.chip", { type: "button", "aria-pressed": String(isOn()), onclick: () => {
      if (isOn()) [...chosen].filter((tag) => categoryOf([tag]) === category).forEach((tag) => chosen.delete(tag));
      else chosen.add(category.tag);
      chip.setAttribute("aria-pressed", String(isOn()));
    } }, badge(category), category.name());
    return chip;
  });
  const field = (name, input) => (view.canMark || input.value) && h("label.field", h("span", t(name)), input);
  const next = !isNew && view.all?.row(view.all.indexAt(placeOf(record)));
  const loops = next && view.player.item && h("button.chip", { type: "button", onclick: () => {
    view.player.setLoop(placeOf(record), placeOf(next));
    view.player.play(placeOf(record));
    toast(t("loop-set", { from: fmt.offset(placeOf(record)), to: fmt.offset(placeOf(next)) }));
  } }, icon("loop"), t("loop-to-next"));
  for (const input of [label, note, others]) input.readOnly = !view.canMark;
  const shown = view.canMark ? chips : chips.filter((chip) => chip.ariaPressed === "true");
  const group = h("div.chips", { role: "group", "aria-label": t("category"), inert: !view.canMark }, shown);
  // What would be refused is not offered: of a marker that is stored the server says what may be done with it.
  const remove = h("button.plain.danger", { type: "button", hidden: isNew || !(me.can("admin") || isHere) }, t("remove"));
  known?.then(({ headers }) => (remove.hidden &&= !/DELETE/.test(headers?.get("Allow"))));
  const body = h("div.marker-form", field("name", label), group, field("note", note), field("other-tags", others),
    h("div.chips", loops, view.canMark && remove));
  const written = () => {
    const tags = [...chosen, ...others.value.split(",").map((tag) => tag.trim()).filter(Boolean)];
    return { label: label.value.trim() || null, note: note.value.trim() || null, tags: tags.length || record.tags ? tags : null };
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
  const asked = dialog({ title: t(isNew ? "mark-at-place" : "marker-at", { time: fmt.exact(placeOf(record)) }), body, actions,
    ...(view.canMark && { draft, data, submit }), other: remove });
  const choice = await asked;
  if (choice === "other") view.remove(record);
  return choice === "save";
}

async function addMarker(view, { id, ...record }, words) {
  const body = { ...record, ...words };
  for (const key of EDITED) if (body[key] === null) delete body[key];
  await outbox.add({ id, kind: "marker", session: view.marking.session, body });
  view.marking.made.push({ id, ...body });
  view.marked({ id, ...body });
  announce(t("marked", { category: t("a-mark"), time: fmt.offset(body.offset_ms) }));
}

/** Throws what stands in the way: the dialog says it, and keeps the words. */
async function saveMarker(view, record, patch, known) {
  const path = `sessions/${view.handle}/markers/${record.id}`;
  const changed = { ...record, ...patch };
  for (const key of EDITED) if (changed[key] === null) delete changed[key];
  const { id, ...body } = changed;
  if (await outbox.update(id, (entry) => ({ ...entry, body }))) return view.marked(changed);
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
    } catch (error) {
      if (error.status !== 412) throw error.offline ? new Error(t("edit-offline")) : error;
      conflict = error.body?.present ?? record;
    }
  }
}

function chooseVersion(mine, theirs) {
  const version = (title, record) => h("section.version", h("h3", title),
    h("p.version-name", { dir: "auto" }, nameOf(record)),
    record.note && h("p", { dir: "auto" }, record.note), h("p.quiet", (record.tags ?? []).join(", ")));
  return dialog({
    title: t("changed-title"), body: h("div.versions", h("p", t("changed-text")), version(t("theirs"), theirs),
      version(t("mine"), mine)),
    actions: [{ label: t("keep-theirs"), value: "theirs" }, { label: t("keep-mine"), value: "mine", primary: true }],
  });
}


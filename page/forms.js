/**
 * Dialogs, and what is typed into them and into forms: it is kept as it is typed, and goes only once it was saved or given
 * up. Loaded with the first of them.
 */
import { api, beforeReload, go, h, me, problemText, sessionStarted, settings, t, toast, ulid } from "./core.js";
import { strings } from "./strings.js";

// MARK: Drafts

const PREFIX = "draft.", SOON = 250; // ms

const CONTROLS = "input:not([type=file]), textarea, select, [aria-pressed]";
const controlsOf = (root) => (root.matches(CONTROLS) ? [root] : [...root.querySelectorAll(CONTROLS)]);
const isTicked = ({ type }) => type === "checkbox" || type === "radio";
const valueOf = (control) => control.getAttribute("aria-pressed") ?? (isTicked(control) ? control.checked : control.value);
const valuesOf = (root) => controlsOf(root).map(valueOf);

function fill(root, values) {
  controlsOf(root).forEach((control, place) => {
    const value = values[place];
    if (value === undefined || valueOf(control) === value) return;
    if (control.hasAttribute("aria-pressed")) return control.click();
    if (isTicked(control)) control.checked = value;
    else control.value = value;
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  });
}

/** What was typed and not saved, by names such as `marker/HANDLE/ID`; each is the person's who typed it. */
export const drafts = {
  get(name) {
    const draft = settings.get(PREFIX + name);
    return draft?.person === me.person ? draft : undefined;
  },
  /** The names that begin with a text. */
  names: (start = "") => settings.names().filter((key) => key.startsWith(PREFIX + start))
    .map((key) => key.slice(PREFIX.length)).filter(drafts.get),
  drop: (name) => settings.drop(PREFIX + name),
};

/**
 * Keeps what is typed below `root` until it is dropped, and fills in what was kept before. With `data`, which is kept
 * beside it, there is a draft even before anything is typed.
 */
export function keepDraft(root, name, data) {
  const before = JSON.stringify(valuesOf(root)), kept = drafts.get(name);
  let timer;
  const isChanged = () => JSON.stringify(valuesOf(root)) !== before;
  const save = () => {
    timer = clearTimeout(timer);
    if (!data && !isChanged()) return drafts.get(name) && drafts.drop(name);
    return settings.set(PREFIX + name, { values: valuesOf(root), data, person: me.person, address: location.hash, at: Date.now() });
  };
  const later = () => (timer ??= setTimeout(save, SOON));
  const now = () => {
    if (timer) save();
    if (!root.isConnected) close();
  };
  const close = () => {
    for (const type of ["input", "change", "click"]) root.removeEventListener(type, later);
    removeEventListener("pagehide", now);
    document.removeEventListener("visibilitychange", now);
    beforeReload.delete(now);
  };
  for (const type of ["input", "change", "click"]) root.addEventListener(type, later);
  addEventListener("pagehide", now);
  document.addEventListener("visibilitychange", now);
  beforeReload.add(now);
  if (kept) fill(root, kept.values);
  if (data) save();
  return {
    isChanged,
    drop() {
      timer = clearTimeout(timer);
      return drafts.drop(name);
    },
    close() {
      if (timer) save();
      close();
    },
  };
}

/** Offers to finish what was typed last, if that is not where the page is. */
export function offerDraft() {
  const [last] = drafts.names().map(drafts.get).sort((a, b) => b.at - a.at);
  if (last && last.address !== location.hash) toast(t("draft-kept"), { ms: 20_000,
    actions: [{ label: t("keep-writing"), run: () => go(last.address) }] });
}

// MARK: Dialogs

/** What a person can put right in one of the fields of a form. */
export class FieldError extends Error {
  constructor(control, text) {
    super(text);
    this.control = control;
  }
}

/**
 * Asks in a dialog; resolves to the value of the button, undefined if it was closed. The browser gives the focus back.
 *
 * With `submit`, the primary button runs it, once at a time: the dialog closes when it has succeeded, and says in itself
 * what went wrong. What was changed is kept as the draft of that name, and is not left without a question. `other` is a
 * button in the body that closes it with "other".
 */
export function dialog({ title, body, actions = [], draft, data, submit, other }) {
  return new Promise((resolve) => {
    let result, isBusy = false, isDone = false, asks = false;
    const id = `dialog-${ulid()}`;
    const close = (value) => {
      result = value;
      isDone = true;
      node.close();
    };
    const leave = async () => {
      if (isBusy || asks) return;
      if (isChanged()) {
        asks = true;
        const answer = await dialog({ title: t("unsaved"), body: t("unsaved-text"), actions: [
          { label: t("discard-text-go"), value: "discard", danger: true }, { label: t("keep-writing"), value: "keep", primary: true }] });
        asks = false;
        if (answer !== "discard") return;
      }
      close();
    };
    const press = async ({ value, primary }) => {
      if (isBusy) return;
      const chosen = typeof value === "function" ? value() : value;
      if (!primary && !chosen) return leave();
      if (!primary || !submit) return close(chosen);
      isBusy = true;
      form.setAttribute("aria-busy", "true");
      say();
      try {
        const done = await submit();
        close(done ?? chosen ?? true);
      } catch (error) {
        say(error);
      }
      isBusy = false;
      form.removeAttribute("aria-busy");
    };
    const said = h("p.message", { role: "alert", id: `${id}-message`, hidden: true });
    const say = (error) => {
      form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
      said.hidden = !error;
      said.textContent = error ? problemText(error) : "";
      const control = error?.control;
      (control?.closest(".field") ?? buttons).insertAdjacentElement(control ? "beforeend" : "beforebegin", said);
      if (error) said.scrollIntoView({ block: "nearest" });
      if (!control) return;
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", said.id);
      control.focus();
    };
    const buttons = h("div.buttons", actions.map((action) =>
      h(`button${action.primary ? ".primary" : ""}${action.danger ? ".danger" : ""}`,
        { type: action.primary ? "submit" : "button", onclick: (event) => {
          event.preventDefault();
          press(action);
        } }, action.label)));
    const form = h("form", { method: "dialog", onsubmit: (event) => event.preventDefault() }, h("h2", { id }, title),
      typeof body === "string" ? h("p", body) : body, said, buttons);
    let outside = false; // A selection that ends beside the dialog is no press there.
    const node = h("dialog", { "aria-labelledby": id, oncancel: (event) => {
      event.preventDefault();
      leave();
    }, onkeydown: (event) => {
      // Some browsers close at the second Escape, whatever is said to the first.
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      leave();
    }, onpointerdown: (event) => (outside = event.target === node), onclick: (event) => event.target === node && outside && leave() }, form);
    const first = JSON.stringify(valuesOf(form)), kept = draft && keepDraft(form, draft, data);
    const isChanged = () => (kept ? kept.isChanged() : JSON.stringify(valuesOf(form)) !== first);
    node.addEventListener("close", () => {
      node.remove();
      // Closed by the system, as by the back gesture: what was typed stays as a draft.
      if (isDone) kept?.drop();
      kept?.close();
      if (!isDone && kept?.isChanged()) toast(t("draft-kept-here"), { ms: 10_000 });
      resolve(result);
    });
    other?.addEventListener("click", () => isBusy || close("other"));
    document.body.append(node);
    node.showModal();
  });
}

// MARK: Starting a session

export async function startSession() {
  const title = h("input", { id: "session-title", maxlength: 200, autocomplete: "off", "aria-describedby": "session-hint" });
  // Under one id, so that a repeat after a lost answer starts no second session.
  const id = ulid();
  const handle = await dialog({
    title: t("start"), draft: "start",
    body: h("div.field", h("label", { for: "session-title" }, t("start-title")), title,
      h("p.hint", { id: "session-hint" }, t("start-hint"))),
    actions: [{ label: t("cancel") }, { label: t("start-go"), primary: true }],
    submit: async () => {
      const typed = title.value.trim();
      try {
        return (await api.send("PUT", `sessions/${id}`, typed ? { title: typed } : {})).body.handle;
      } catch (error) {
        throw new Error(error.offline ? t("start-offline") : `${t("start-failed")} ${problemText(error)}`);
      }
    },
  });
  if (!handle) return;
  sessionStarted();
  go(`#/s/${handle}/live`);
}

Object.assign(strings, {
  "keep-writing": "Keep writing",
  "unsaved": "Leave without saving?",
  "unsaved-text": "What you wrote is not saved yet.",
  "discard-text-go": "Discard it",
  "draft-kept": "Something that you wrote is not saved yet.",
  "draft-kept-here": "What you wrote is kept. It is there when you open this again.",
  "start-title": "Title",
  "start-hint": "Optional, such as “Tuesday rehearsal”",
  "start-go": "Start",
  "start-failed": "The session could not be started.",
  "start-offline": "Sessions are started at the server, which can’t be reached now.",
});

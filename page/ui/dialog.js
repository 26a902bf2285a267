/** Dialogs and menus. Loaded with the first of them. */
import { h, icon } from "../base/dom.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { problemText } from "../data/api.js";
import { keepDraft, valuesOf } from "./form.js";
import { toast } from "./say.js";
import "./shared.js";

/** What a person can put right in one of the fields of a form. */
export class FieldError extends Error {
  /**
   * @param {HTMLElement} control
   * @param {string} text
   */
  constructor(control, text) {
    super(text);
    this.control = control;
  }
}

/**
 * Asks in a dialog; resolves to the value of the button, undefined if it was closed. The browser gives the focus
 * back.
 *
 * With `submit`, the primary button runs it, once at a time: the dialog closes when it has succeeded, and says in
 * itself what went wrong. What was changed is kept as the draft of that name, and is not left without a question.
 * `other` is a button in the body that closes it with "other".
 * @param {DialogOptions} options
 * @returns {Promise<any>}
 */
export function dialog({ title, body, actions = [], draft, data, submit, other }) {
  return new Promise((resolve) => {
    /** @type {any} */
    let result;
    let isBusy = false, isDone = false;
    const id = `dialog-${ulid()}`;
    // What was saved or given up is no draft any more, before anybody sees the dialog go.
    const close = async (/** @type {unknown} */ value = undefined) => {
      result = value;
      isDone = isBusy = true;
      if (kept) await kept.drop();
      node.close();
    };
    // While a question stands over it, and once it is closed, it is not left.
    const isOnTop = () => [...document.querySelectorAll("dialog[open]")].at(-1) === node;
    const leave = async () => {
      if (isBusy || !isOnTop()) return undefined;
      if (isChanged()) {
        const answer = await dialog({ title: t("unsaved"), body: t("unsaved-text"), actions: [
          { label: t("discard-text-go"), value: "discard", danger: true },
            { label: t("keep-writing"), value: "keep", primary: true }] });
        if (answer !== "discard") return undefined;
      }
      return close();
    };
    /** @param {Choice} choice */
    const press = async ({ value, primary }) => {
      if (isBusy) return undefined;
      const chosen = typeof value === "function" ? value() : value;
      if (!primary && !chosen) return leave();
      if (!primary || !submit) return close(chosen);
      isBusy = true;
      form.setAttribute("aria-busy", "true");
      say();
      try {
        const done = await submit();
        return await close(done ?? chosen ?? true);
      } catch (/** @type {any} */ error) {
        say(error);
      }
      isBusy = false;
      form.removeAttribute("aria-busy");
      return undefined;
    };
    const said = h("p.message", { role: "alert", id: `${id}-message`, hidden: true });
    /** @param {any} [error] */
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
    /** @type {HTMLDialogElement} */
    const node = h("dialog", { "aria-labelledby": id, oncancel: (/** @type {Event} */ event) => {
      event.preventDefault();
      leave();
    }, onkeydown: (event) => {
      // Some browsers close at the second Escape, whatever is said to the first.
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      leave();
    }, onpointerdown: (event) => (outside = event.target === node), onclick: (event) => event.target === node && outside
      && leave() }, form);
    const first = JSON.stringify(valuesOf(form)), kept = draft ? keepDraft(form, draft, data) : undefined;
    const isChanged = () => (kept ? kept.isChanged() : JSON.stringify(valuesOf(form)) !== first);
    node.addEventListener("close", () => {
      node.remove();
      // Closed by the system, as by the back gesture: what was typed stays as a draft. A press that closed it has been
      // taken for a change after that.
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

// MARK: Menus

const EDGE = 8; // px to the edge of the window

/**
 * Shows a menu; `items` are `{label, icon, run}` or `{label, icon, href}`, and what is not true is left out. Returns
 * how to add what is known later.
 * @param {Element} at
 * @param {(MenuItem | false | null | undefined)[]} items
 */
export function menu(at, items) {
  /** @param {MenuItem} item */
  const entry = ({ label, icon: name, run, href }) => h(href ? "a.destination" : "button.destination", {
    ...(href ? { href } : { type: "button" }), onclick: (event) => {
      // First the focus goes back, then it may go elsewhere.
      node.close();
      run?.(event);
    } }, icon(name), h("span", label));
  const list = h("div.menu-items", /** @type {MenuItem[]} */ (items.filter(Boolean)).map(entry));
  /** @type {HTMLDialogElement} */
  const node = h("dialog.menu", { "aria-label": t("more"), onclick: ({ target }) => target === node && node.close(),
    onkeydown: (event) => {
      const step = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1 })[event.key];
      const all = /** @type {HTMLElement[]} */ ([...list.children]);
      if (!step) return;
      event.preventDefault();
      all[(all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step + all.length) % all.length].focus();
    } }, list);
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  node.showModal();
  const place = () => {
    const box = at.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = node;
    node.style.setProperty("--x", `${Math.max(EDGE, Math.min(box.right - width, innerWidth - width - EDGE))}px`);
    const below = box.bottom + height + EDGE <= innerHeight;
    node.style.setProperty("--y", `${Math.max(EDGE, below ? box.bottom : box.top - height)}px`);
  };
  place();
  return { add: (/** @type {MenuItem} */ item) => {
    list.append(entry(item));
    place();
  } };
}

texts({
  "unsaved": "Leave without saving?",
  "unsaved-text": "What you wrote is not saved yet.",
  "discard-text-go": "Discard it",
  "draft-kept-here": "What you wrote is kept. It is there when you open this again.",
});

/** What is typed into forms and dialogs is kept as it is typed, and goes only once it was saved or given up. */
import { h } from "../base/dom.js";
import { beforeReload } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { drafts, PREFIX } from "../data/drafts.js";
import { me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { go } from "./frame.js";
import { toast } from "./say.js";

const SOON = 250; // ms

const CONTROLS = "input:not([type=file]), textarea, select, [aria-pressed]";
/** @type {(root: Element) => any[]} */
const controlsOf = (root) => (root.matches(CONTROLS) ? [root] : [...root.querySelectorAll(CONTROLS)]);
/** @param {{ type: string }} control */
const isTicked = ({ type }) => type === "checkbox" || type === "radio";
/** @param {any} control */
const valueOf = (control) => control.getAttribute("aria-pressed")
  ?? (isTicked(control) ? control.checked : control.value);
/** @param {Element} root */
export const valuesOf = (root) => controlsOf(root).map(valueOf);

/**
 * @param {Element} root
 * @param {any[]} values
 */
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

/**
 * What keeps each draft that is open at once: the page may be gone soon, or another form takes the place of this one.
 * @type {Set<() => void>}
 */
const open = new Set(), keepAll = () => [...open].forEach((keep) => keep());
addEventListener("pagehide", keepAll);
document.addEventListener("visibilitychange", keepAll);
beforeReload.add(keepAll);

/**
 * Keeps what is typed below `root` until it is closed, and fills in what was kept before. With `data`, which is kept
 * beside it, there is a draft even before anything is typed.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {unknown} [data]
 */
export function keepDraft(root, name, data) {
  keepAll();
  const before = JSON.stringify(valuesOf(root)), kept = drafts.get(name);
  /** @type {Timer} */
  let timer;
  const isChanged = () => JSON.stringify(valuesOf(root)) !== before;
  const save = () => {
    timer = void clearTimeout(timer);
    if (!data && !isChanged()) return drafts.get(name) && drafts.drop(name);
    return settings.set(PREFIX + name, { values: valuesOf(root), data, person: me.person, address: location.hash,
      at: Date.now() });
  };
  const later = () => (timer ??= setTimeout(save, SOON));
  const now = () => { if (timer) save(); };
  for (const type of ["input", "change", "click"]) root.addEventListener(type, later);
  open.add(now);
  if (kept) fill(root, kept.values);
  if (data) save();
  return {
    isChanged,
    drop() {
      timer = void clearTimeout(timer);
      return drafts.drop(name);
    },
    close() {
      now();
      for (const type of ["input", "change", "click"]) root.removeEventListener(type, later);
      open.delete(now);
    },
  };
}

/** Offers to finish what was typed last, if that is not where the page is. */
export function offerDraft() {
  const [last] = drafts.names().map(drafts.get).sort((a, b) => b.at - a.at);
  if (last && last.address !== location.hash) toast(t("draft-kept"), { ms: 20_000,
    actions: [{ label: t("keep-writing"), run: () => go(last.address) }] });
}

/**
 * Whether all that is typed is right. Else it is said at the field, in words of the page (`data-wrong` names them), and
 * the first one has the focus.
 * @param {HTMLFormElement} form
 */
export function isRight(form, focuses = true) {
  /** @type {HTMLElement | undefined} */
  let first;
  for (const control of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    const { willValidate, validity, validationMessage, name, value, dataset: { wrong = "not-right" } } = control;
    const field = control.closest(".field"), id = `${name}-message`;
    control.removeAttribute("aria-invalid");
    field?.querySelector(".message")?.remove();
    if (!willValidate || validity.valid) continue;
    first ??= control;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", id);
    field?.append(h("small.message", { id }, validity.customError ? validationMessage : t(value ? wrong : "needed")));
  }
  if (focuses) first?.focus();
  return !first;
}

texts({
  "needed": "This is needed.",
  "not-right": "This is not understood.",
  "keep-writing": "Keep writing",
  "draft-kept": "Something that you wrote is not saved yet.",
});

/**
 * What a view asks of a person: whether something is meant, values in fields, some of many; and what it gives to them
 * as a file.
 */
import { h } from "../base/dom.js";
import { MINUTE } from "../base/flow.js";
import { t } from "../base/words.js";
import { button } from "./parts.js";
import { dialog } from "./say.js";

/**
 * @param {string} title
 * @param {Child} body
 * @param {string} label
 * @param {boolean} [danger]
 */
export const ask = async (title, body, label, danger = false) => (await dialog({ title, body: [body].flat(), actions: [
  { label: t("cancel"), value: "" }, { label, value: "yes", primary: true, danger }] })) === "yes";

/**
 * A dialog with fields: it closes when `submit` has succeeded.
 * @param {string} title
 * @param {Child} body
 * @param {string} label
 * @param {string} draft
 * @param {() => unknown} submit
 * @param {boolean} [danger]
 */
export const form = (title, body, label, draft, submit, danger = false) => dialog({ title, body, draft, submit,
  actions: [{ label: t("cancel") }, { label, value: "yes", primary: true, danger }] });

/**
 * Choices of which any number hold: buttons that can be pressed.
 * @param {string} label
 * @param {any[][]} options
 * @param {(value: any) => boolean} isOn
 * @param {(value: any) => unknown} toggle
 */
export const chips = (label, options, isOn, toggle) =>
  h("div.choices", { role: "group", "aria-label": label }, options.map(([value, ...content]) =>
  button(content, ({ currentTarget }) => {
    toggle(value);
    [...(currentTarget.parentElement?.children ?? [])].forEach((chip, n) =>
      chip.setAttribute("aria-pressed", String(isOn(options[n][0]))));
  }, "choice", { "aria-pressed": String(isOn(value)) })));

/**
 * @param {string} name
 * @param {Blob | string} content
 * @param {string} [type]
 */
export function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), MINUTE);
}

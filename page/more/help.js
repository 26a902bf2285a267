/** First steps, categories, keys. */
import { h } from "../base/dom.js";
import { badge, categories } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { row, rows, section } from "../ui/parts.js";
import { keySign, usableKeys } from "./key-table.js";

/** @param {HTMLElement} root */
export function open(root) {
  const steps = me.can("mark") ? ["mark", "listen", "name", "digest", "offline"] : ["listen", "digest"];
  root.replaceChildren(section(t("first-steps"), h("ol.steps", steps.map((step) => h("li", t(`step-${step}`))))),
    section(t("the-categories"), rows(categories, (category) =>
      row(badge(category), category.name(), h("p", t(`about-${category.tag}`))))),
    section(t("keys"), h("dl.key-table", usableKeys().map((key) => [h("dt", keySign(key)), h("dd", t(`key-${key}`))])),
      h("p", h("a", { href: "#/settings" }, t("change-keys")))));
  return { close() {} };
}

texts({
  "first-steps": "First steps",
  "step-mark": "While you play, open the session and choose “Mark now”. One tap on a category marks this moment.",
  "step-listen":
    "Afterwards, open the session and listen. Tap a marker to hear it; the arrows go from marker to marker.",
  "step-name": "Give the moments that matter a name, or speak a note.",
  "step-digest": "The digest sums the session up in a minute. A tap on a time plays it.",
  "step-offline": "No signal? Mark anyway. Marks wait in the outbox and are sent by themselves.",
  "the-categories": "Categories",
  "about-highlight": "Worth hearing again",
  "about-structure": "Where a part begins",
  "about-texture-sample": "A sound to keep and use",
  "about-fix-review": "Something to repair or listen to critically",
});

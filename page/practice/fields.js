/** Fields of the forms of a practice journal. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { field } from "./insights.js";
import { SCORE, typedScore } from "./score.js";

export const CATEGORIES = ["general", "shots", "modes", "multiball", "strategy"],
  CONTEXTS = ["practice", "league", "tournament"];
/** @type {(words: string[], prefix: string) => [string, string][]} */
export const options = (words, prefix) => words.map((word) => [word, t(`${prefix}-${word}`)]);
/**
 * @param {string} label
 * @param {Props<HTMLInputElement>} [props]
 */
export const input = (label, props) =>
  field(label, h("input", { autocomplete: "off", dir: "auto", "data-focus": label, ...props }));
/** @param {Field} field */
export const value = ({ control }) => control.value.trim();

/**
 * A field in which digits are grouped while they are typed.
 * @param {string} label
 * @param {Props<HTMLInputElement>} [props]
 */
export function scoreField(label, props) {
  const part = input(label, { inputmode: "numeric", pattern: SCORE, "data-wrong": "not-a-score", ...props });
  const { control } = part;
  let before = "";
  /** @param {Event} [event] */
  const group = (event) => {
    const { text, caret } = typedScore(before, control.value, control.selectionStart ?? 0,
      /** @type {InputEvent | undefined} */ (event));
    if (text !== control.value) {
      control.value = text;
      if (document.activeElement === control) control.setSelectionRange(caret, caret);
    }
    before = text;
  };
  control.addEventListener("input", group);
  group();
  return part;
}

texts({
  "not-a-score": "Type a whole number of at most 15 digits, such as 1,234,567.",
  "about": "About",
  "category-general": "General practice",
  "category-shots": "Shots",
  "category-modes": "Modes",
  "category-multiball": "Multiball",
  "category-strategy": "Scoring strategy",
  "category-mechanics": "Mechanics",
  "game-note": "Note of the game",
});

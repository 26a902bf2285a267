/** Fields of the forms of a practice journal. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { field } from "./insights.js";

export const CATEGORIES = ["general", "shots", "modes", "multiball", "strategy"],
  CONTEXTS = ["practice", "league", "tournament"];
export const options = (words, prefix) => words.map((word) => [word, t(`${prefix}-${word}`)]);
export const input = (label, props) =>
  field(label, h("input", { autocomplete: "off", dir: "auto", "data-focus": label, ...props }));
export const value = ({ control }) => control.value.trim();

texts({
  "about": "About",
  "category-general": "General practice",
  "category-shots": "Shots",
  "category-modes": "Modes",
  "category-multiball": "Multiball",
  "category-strategy": "Scoring strategy",
  "category-mechanics": "Mechanics",
  "game-note": "Note of the game",
});

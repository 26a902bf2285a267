/** What a record has: an id, and categories. */
import { h } from "./dom.js";
import { clock } from "./flow.js";
import { t, texts } from "./words.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** @type {{ ms: number, digits: number[] }} */
let lastULID = { ms: -1, digits: [] };

/** A ULID that is greater than every other that this page has made. */
export function ulid(ms = clock.now()) {
  if (ms <= lastULID.ms) {
    let place = 15;
    while (lastULID.digits[place] === 31) lastULID.digits[place--] = 0;
    lastULID.digits[place] += 1;
  } else {
    lastULID = { ms: Math.floor(ms), digits: [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte & 31) };
    lastULID.digits[0] &= 15; // room to count up
  }
  let time = "";
  for (let rest = lastULID.ms, n = 0; n < 10; n++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  return time + lastULID.digits.map((digit) => ALPHABET[digit]).join("");
}

// MARK: Categories

/** @type {Category[]} */
export const categories = /** @type {Omit<Category, "name">[]} */ ([
  { tag: "highlight", aliases: [], letter: "H", key: "1" },
  { tag: "structure", aliases: [], letter: "S", key: "2" },
  { tag: "texture-sample", aliases: ["texture_sample"], letter: "T", key: "3" },
  { tag: "fix-review", aliases: ["fix_review"], letter: "F", key: "4" },
]).map((category) => ({ ...category, name: () => t(category.tag) }));

/**
 * The category that tags name, in either spelling; undefined if none.
 * @param {string[]} [tags]
 */
export function categoryOf(tags) {
  return categories.find(({ tag, aliases }) => tags?.some((one) => one === tag || aliases.includes(one)));
}

/**
 * The sign of a category: a letter in a shape, so that colour is never the only difference.
 * @param {Category} [category]
 */
export function badge(category) {
  return h(`span.badge.badge-${category?.letter ?? "none"}`,
    { role: "img", "aria-label": category?.name() ?? t("no-category") }, category?.letter);
}

texts({
  "highlight": "Highlight",
  "structure": "Structure",
  "texture-sample": "Texture",
  "fix-review": "Fix",
  "no-category": "No category",
});

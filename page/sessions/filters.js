/** Which markers of a session are seen: all of them, those of a category, or those with a tag. */
import { h } from "../base/dom.js";
import { badge, categories, categoryOf } from "../base/record.js";
import { t, texts } from "../base/words.js";
import "../ui/shared.js";

const MOST = 12; // tags that are offered

/**
 * How many rows have each tag that is no category, the most frequent first.
 * @param {Iterable<{ tags?: string[] }>} rows
 * @returns {[string, number][]}
 */
export function tagCounts(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { tags = [] } of rows) {
    for (const tag of new Set(tags)) if (!categoryOf([tag])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts].sort(([one, n], [other, m]) => m - n || one.localeCompare(other));
}

export class Filters {
  /** @type {Map<string, HTMLButtonElement>} */
  #tags = new Map();
  /** @type {Only} */
  #only = {};

  /** @param {(only: Only) => unknown} choose */
  constructor(choose) {
    this.choose = choose;
    this.all = this.#button({}, t("all"), t("all"));
    this.kinds = categories.map((category, kind) => this.#button({ category: kind }, category.name(), badge(category)));
    this.element = h("div.filters", { role: "group", "aria-label": t("show-only") }, this.all, this.kinds);
    this.#press();
  }

  /**
   * @param {Only} only
   * @param {string} name
   * @param {Child} sign
   */
  #button(only, name, sign) {
    /** @type {HTMLButtonElement} */
    const button = h("button.filter", { type: "button", "aria-label": name, onclick: () => {
      this.#only = only;
      this.#press();
      this.choose(only);
    } }, sign, h("span.tab-count"));
    return button;
  }

  #press() {
    const { category, tag } = this.#only;
    const isAll = category === undefined && tag === undefined;
    this.all.setAttribute("aria-pressed", String(isAll));
    this.kinds.forEach((button, kind) => button.setAttribute("aria-pressed", String(kind === category)));
    for (const [name, button] of this.#tags) button.setAttribute("aria-pressed", String(name === tag));
  }

  /**
   * Says how many there are of each category, and which tags there are; of those the numbers are known where all rows
   * are here.
   * @param {number[]} sums
   * @param {Iterable<{ tags?: string[] }>} rows
   * @param {boolean} isWhole
   */
  count(sums, rows, isWhole) {
    this.kinds.forEach((button, kind) => { write(button, sums[kind]); });
    const chosen = this.#only.tag, all = tagCounts(rows), first = all.slice(0, MOST);
    const shown = chosen === undefined || first.some(([tag]) => tag === chosen) ? first
      : [...first, /** @type {[string, number]} */ ([chosen, all.find(([tag]) => tag === chosen)?.[1] ?? 0])];
    const before = this.#tags;
    this.#tags = new Map(shown.map(([tag, n]) => {
      const button = before.get(tag)
        ?? this.#button({ tag }, t("tagged", { tag }), h("span", { dir: "auto" }, `#${tag}`));
      write(button, isWhole ? n : 0);
      return /** @type {[string, HTMLButtonElement]} */ ([tag, button]);
    }));
    const wanted = [...this.#tags.values()];
    for (const [tag, button] of before) if (!this.#tags.has(tag)) button.remove();
    // What is in its place already keeps the focus.
    wanted.forEach((button, place) => {
      const there = this.element.children[1 + this.kinds.length + place];
      if (there !== button) this.element.insertBefore(button, there ?? null);
    });
    this.#press();
  }
}

/**
 * @param {HTMLElement} button
 * @param {number} n
 */
function write(button, n) {
  /** @type {Node} */ (button.lastChild).textContent = n ? n.toLocaleString() : "";
}

texts({
  "show-only": "Show only",
  "tagged": "With the tag {tag}",
});

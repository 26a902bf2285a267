/** The list of journals. */
import { h, icon } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { frame } from "../ui/frame.js";
import { asOf, loader, sign } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import { addressOf, facts, follows, list, titleOf } from "./record.js";

/**
 * What of a journal needs a word.
 * @param {Api.JournalRow} journal
 */
const signs = ({ errors, warnings, state, online }) => [
  state !== "open" && h("span.sign", t(`journal-${state}`)),
  !online && h("span.sign", { title: t("drive-away-detail") }, t("drive-away")),
  errors + warnings > 0 && sign(errors ? "bad" : "warning", "warning",
    t(errors ? "problems-n" : "warnings-n", { n: errors || warnings })),
];

/** @param {HTMLElement} root */
export function open(root) {
  frame.actions(h("a.button", { href: "#/day" }, icon("day"), t("today")));
  return loader(root, async (signal) => {
    const answer = await list(signal);
    answer.body.sort((/** @type {Api.JournalRow} */ a, /** @type {Api.JournalRow} */ b) =>
      ((a.last ?? "") > (b.last ?? "") ? -1 : 1));
    return [asOf(answer), answer.body.length === 0 ? emptyState("journal", t("no-journals"), t("no-journals-text"))
      : h("div.list", answer.body
        .map((/** @type {Api.JournalRow} */ journal) => h("a.row", { href: addressOf(journal) },
      h("span.row-title", { dir: "auto" }, titleOf(journal)), h("span.signs", signs(journal)),
      h("span.row-facts", facts(journal)))))];
  }, { follows });
}

texts({
  "journal-newer": "Newer format",
  "no-journals": "No other journals",
  "no-journals-text": "A journal appears here as soon as the server finds one.",
});

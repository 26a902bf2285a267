/** All rows of a practice journal, with their filters. */
import { h, icon } from "../base/dom.js";
import { MINUTE } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { without } from "../data/overlay.js";
import { asOf, button, doing, dots, loader, onEvents, portions, section, small } from "../ui/parts.js";
import { come, emptyState, sayFailed } from "../ui/say.js";
import { swipes } from "../ui/swipe.js";
import { byDay, dayName } from "../journals/record.js";
import { options } from "./fields.js";
import { clockTime, namesOf, played, select, waitingPart, word } from "./insights.js";
import { whole } from "./score.js";
import { addressOf, deleted, get } from "./writing.js";

/** The dialogs that change what is there: loaded with the first of them. */
export const changing = () => come(import("./changing.js"));

/**
 * The rows but those whose deletion waits here.
 * @param {Journal} journal
 * @param {Api.PracticeRow[]} all
 */
export const there = (journal, all) => without(all, deleted(journal), ({ id }) => id.slice(4));

const FILTERS = ["all", "study", "practice", "score", "notes", "league"];

/**
 * @param {Journal} journal
 * @param {Api.PracticeRow[]} all
 * @param {() => Promise<void>} reload
 */
export const rows = (journal, all, reload) => byDay(all, ({ day }) => day).map(([day, of]) =>
  section(dayName(day), portions(of, (row) => rowItem(journal, row, reload))));

/**
 * What a row says: a title, and lines below it. What the page does not know is said as the server does.
 * @param {Api.PracticeRow} row
 * @returns {Child[]}
 */
function said({ text, action, task, progress, video, minutes, focus, score, category, detail, skill, competency,
  is_best: isBest, note }) {
  const share = progress !== undefined && `${t("progress")}: ${t("percent-n", { n: progress })}`;
  if (action === "scoreLogged" && score !== undefined) return [`${t("score")}: ${whole(score)}`, isBest
    && t("best-score"), note];
  if (action === "noteAdded") return competency ? [skill, t("competency-n", { n: competency }), note]
    : [dots(t("note"), word("category", category), detail), note];
  if (task) return [word("task", task), video ? dots(video.source ?? video.value, video.length_ms !== undefined
    && `${fmt.offset(video.watched_ms ?? 0)} / ${fmt.offset(video.length_ms)}`, share) : share,
  dots(minutes && fmt.length(MINUTE * minutes), word("category", focus)), note];
  return [text];
}

/**
 * @param {Journal} journal
 * @param {Api.PracticeRow} row
 * @param {() => Promise<void>} reload
 */
function rowItem(journal, row, reload) {
  const { id, text, game, name } = row, [first, ...lines] = said(row).filter(Boolean), where = played(row);
  const isOurs = me.can("mark") && row.editable;
  const key = id.slice(4);
  /** @type {Record<string, any[]>} */
  const about = { edit: [{ ...row, id: key }], remove: [key, text] };
  /** @type {(verb: "edit" | "remove") => (event: { currentTarget: HTMLElement }) => Promise<void>} */
  const act = (verb) =>
    doing(async () => (/** @type {any} */ (await changing()))[verb](journal, ...about[verb], reload));
  /** @type {HTMLElement | false | undefined} */
  const more = isOurs && button(icon("more"), () => come(import("../ui/dialog.js")).then(({ menu }) =>
    menu(/** @type {HTMLElement} */ (more), [{ label: t("edit"), icon: "digest", run: act("edit") },
      { label: t("delete-row"), icon: "bin", run: act("remove") }]), sayFailed), "icon-button",
    { "data-focus": `more-${id}`, "aria-haspopup": "dialog",
      "aria-label": t("act-on", { act: t("more"), name: first }) });
  return h("li.item", h("span.time", clockTime(row)), h("div.item-text", h("b", { dir: "auto" }, first),
    lines.length > 0 && h("p.lines", { dir: "auto" }, lines.join("\n")), (where || name && first !== text) && small(
      name && h("a", { href: addressOf(journal, "game", game ?? "") }, name), name && where && " · ", where)), more);
}

/** @type {ViewMaker<JournalContext>} */
export function log(root, context) {
  const { journal } = context;
  swipes(root, ".item");
  return loader(root, async (signal, reload) => {
    const names = await namesOf(journal, signal);
    const answer = await get(journal, "practice/journal", { filter: logFilter, game: logGame || undefined }, signal);
    /** @type {(set: (next: string) => unknown) => (next: string) => void} */
    const chosen = (set) => (next) => {
      set(next);
      reload();
    };
    return [asOf(answer),
      h("div.fields", select("show", options(FILTERS, "filter"), logFilter, chosen((next) => (logFilter = next))),
      select("game", [["", t("all-games")], ...names], logGame, chosen((next) => (logGame = next)))),
    waitingPart(journal, names, logGame),
    answer.body.length ? pages(there(journal, answer.body), (some) => rows(journal, some, reload))
      : emptyState("journal", t("no-rows"))];
  }, { follows: [onEvents(["journal"], journal.handle), outbox.on] });
}
let logFilter = "all", logGame = "";

/**
 * @template Row
 * @param {Row[]} all
 * @param {(some: Row[]) => Child} make
 * @param {number} [shown]
 * @returns {Child[]}
 */
export function pages(all, make, shown = 100) {
  return [make(all.slice(0, shown)), all.length > shown && button(t("show-older"), ({ currentTarget }) =>
    currentTarget.replaceWith(.../** @type {any[]} */ ([pages(all.slice(shown), make, shown)]).flat(Infinity)
      .filter(Boolean)), "more-link")];
}

texts({
  "best-score": "Best score",
  "percent-n": "{n}%",
  "show": "Show",
  "all-games": "All games",
  "no-rows": "Nothing noted yet",
  "filter-all": "All",
  "filter-study": "Study",
  "filter-practice": "Practice",
  "filter-score": "Scores",
  "filter-notes": "Notes",
  "filter-league": "League",
  "progress": "Progress",
});

/** The page of a game. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { frame } from "../ui/frame.js";
import { asOf, button, doing, dots, loader, onEvents, section } from "../ui/parts.js";
import { come } from "../ui/say.js";
import { swipes } from "../ui/swipe.js";
import { bar, fact, namesOf, waitingPart } from "./insights.js";
import { changing, pages, rows, there } from "./log.js";
import { whole } from "./score.js";
import { addressOf, get } from "./writing.js";

const TASKS = ["playfield", "rulesheet", "tutorialVideo", "gameplayVideo", "practice"];

/** @type {ViewMaker<JournalContext>} */
export function game(root, { journal, key = "" }) {
  const waits = h("div");
  /** @type {(() => void) | undefined} */
  let show;
  swipes(root, ".item");
  return loader(root, async (signal, reload, life) => {
    // The form to note with is for those who may.
    const [answer, { body: all }, names, form] = await Promise.all([
      get(journal, "practice/game", { game: key }, signal), get(journal, "practice/journal", { game: key }, signal),
      namesOf(journal, signal), me.can("mark") && come(import("./note.js"))]);
    const { name, scores, progress, completion, days_since_practice: days, alerts, note } = answer.body;
    frame.title(name, { back: addressOf(journal) });
    show = () => waits.replaceChildren(...waitingPart(journal, names, key));
    show();
    return [asOf(answer),
      h("ul.items", alerts.map(({ severity, message }) => h("li.item", icon(severity === "info" ? "help" : "warning"),
      h("div.item-text", h("b", message))))),
    section(t("numbers"), scores ? h("dl.facts-list", fact("count", fmt.number(scores.count)),
      fact("average", whole(scores.average)),
      fact("median", whole(scores.median)), fact("floor", whole(scores.floor)),
        fact("consistency", t(scores.consistency === "Stable" ? "stable" : "high-risk")))
      : h("p.quiet", t("no-scores")), h("p.links", h("a", { href: addressOf(journal, "insights", key) }, t("insights")),
        " ",
      h("a", { href: addressOf(journal, "library", key) }, t("rulesheet-and-videos")))),
    section(t("progress"),
      h("ul.items", TASKS.map((task) => h("li.item", h("div.item-text", t(`task-${task}`)),
      bar(`task-${task}`, progress[/** @type {keyof Api.PracticeProgress} */ (task)]),
      h("span.big", t("percent-n", { n: progress[/** @type {keyof Api.PracticeProgress} */ (task)] }))))),
        h("p.quiet", dots(t("completion-n", { n: completion }),
      days === undefined ? t("never-practised") : t("days-ago", { n: days })))),
    section(t("game-note"), note ? h("p.lines", { dir: "auto" }, note) : h("p.quiet", t("no-game-note")), form
      && h("div.buttons",
      button(t("edit"), doing(async () => (await changing()).editNote(journal, key, note ?? "", reload)), "plain",
        { "aria-label": t("act-on", { act: t("edit"), name: t("game-note") }), "data-focus": "game-note" }))),
    form && section(t("note-something"), form.entry(journal, names, key, life)), waits,
    all.length > 0 && h("h2.part", t("log")), pages(there(journal, all).map(({ name: _, ...row }) => row),
      (some) => rows(journal, some, reload))];
  }, { follows: [onEvents(["journal"], journal.handle), () => outbox.on(() => show?.())] });
}

texts({
  "numbers": "Scores",
  "count": "How many",
  "rulesheet-and-videos": "Rulesheet and videos",
  "never-practised": "never practised",
  "days-ago": { one: "practised {n} day ago", other: "practised {n} days ago" },
  "no-game-note": "None yet",
});

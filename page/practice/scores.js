/** How the scores of a game have been over time, how far they are apart, and which game needs practice most. */
import { h } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { settings } from "../data/settings.js";
import { go } from "../ui/frame.js";
import { asOf, button, dots, portions, section, sign } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import {
  bar, byName, clockTime, dayOf, fact, item, played, rank, select, tenths, trendText, view,
} from "./insights.js";
import { MODES, plot } from "./plot.js";
import { whole } from "./score.js";
import { addressOf, get } from "./writing.js";

const percents = new Intl.NumberFormat(undefined, { style: "percent" });

/**
 * @param {Api.PracticeGame} game
 * @param {HTMLElement} root
 */
function scoresNodes(game, root) {
  const { scores: figures, score_entries: scores, score_timeline: timeline, trend } = game;
  if (!figures || !scores?.length) return emptyState("note", t("no-scores"), t("no-scores-text"));
  const figure = h("figure.figure", { dir: "ltr" }), about = h("p.quiet"),
    modes = h("div.choices", { role: "group", "aria-label": t("gaps") });
  /** @param {string} mode */
  const draw = (mode) => {
    settings.set("gap_mode", mode);
    figure.replaceChildren(plot(/** @type {Plotted} */ (game), mode, Math.max(240, root.clientWidth)));
    about.replaceChildren(t(`${mode}-text`), " ", t("plot-key"));
    [...modes.children].forEach((one, n) => one.setAttribute("aria-pressed", String(MODES[n] === mode)));
  };
  modes.append(...MODES.map((mode) => button(t(mode), () => draw(mode), "choice", { "data-focus": mode })));
  draw(settings.get("gap_mode") ?? MODES[1]);
  const isStable = figures.consistency === "Stable";
  return [figure, modes, about,
    h("details", h("summary.more-link", { "data-focus": "scores" }, t("all-scores", { n: scores.length })),
    portions([...scores].reverse(), (one) => item("", null, whole(one.score),
      dots(fmt.day(dayOf(one)), clockTime(one), played(one))), 100)),
  section(t("consistency"), h("p.signs", isStable ? sign("good", "check", t("stable"))
    : sign("warning", "warning", t("high-risk")),
    trend !== undefined && h("span.sign", trendText(trend, percents.format(Math.abs(trend))))),
  h("dl.facts-list", ["median", "average", "lower_quartile", "upper_quartile", "floor"]
    .map((name) => fact(name, whole(Number(figures[/** @type {keyof Api.PracticeScores} */ (name)])))),
    fact("spread", t("spread-medians", { n: tenths.format(figures.spread) })),
    fact("longest-gap", t("days-n", { n: timeline.longest_gap_days }))))];
}

/** @type {ViewMaker<JournalContext>} */
export const insights = (root, context) => view(root, context, async (signal) => {
  /** @type {JournalQuestion} */
  const ask = (tail, query) => get(journal, tail, query, signal);
  const { journal } = context;
  const answer = await ask("practice/focus"), focus = answer.body;
  const key = context.key ?? focus[0]?.game;
  if (!key) return emptyState("journal", t("no-library"), t("no-library-text"));
  const { body: game } = await ask("practice/game", { game: key });
  /** @param {string} other */
  const address = (other) => addressOf(journal, "insights", other);
  const games = focus.some((one) => one.game === key) ? focus : [...focus, { ...game, game: key }];
  return [asOf(answer),
    h("div.fields", select("game",
    [...games].sort(byName).map((one) => /** @type {[string, string]} */ ([one.game, one.name])), key,
    (other) => go(address(other)))),
  scoresNodes(game, root),
  focus.length > 0 && section(t("focus"), h("p.quiet", t("focus-text")),
    portions(focus, (one, n) => item(address(one.game),
    rank(focus.indexOf(one) + 1), one.name, t("completion-n", { n: one.completion }), bar("need", 100 * one.focus))))];
});

texts({
  "no-scores-text": "With the first score of this game, its plot begins here.",
  "plot-key":
    "Dots are practice, diamonds league and tournaments. The band holds the middle half of the scores, the " +
    "dashed line is the median.",
  "gaps": "Breaks between scores",
  "days-n": { one: "{n} day", other: "{n} days" },
  "all-scores": { one: "{n} score", other: "All {n} scores" },
  "lower_quartile": "Lower quartile",
  "upper_quartile": "Upper quartile",
  "spread": "Spread",
  "spread-medians": "{n} medians",
  "longest-gap": "Longest break",
  "focus": "What needs practice most",
  "focus-text": "By the spread of the scores, the time since the last practice, and what is not done yet.",
  "need": "Need of practice",
});

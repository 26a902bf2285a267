/** How the scores of a game have been over time, how far they are apart, and which game needs practice most. */
import { emptyState, fmt, go, h, settings, t } from "../core.js";
import { asOf, button, dots, portions, section, sign } from "../more.js";
import { bar, byName, dates, fact, item, played, rank, select, svg, tenths, trendText, view, whole } from "./insights.js";
import { addressOf, get } from "./kind.js";
import { strings } from "../strings.js";

const DAY = 86_400_000, MODES = ["realTimeline", "compressInactive", "activeSessionsOnly", "brokenAxis"];
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(undefined, { style: "percent" });
const isPractice = ({ context }) => context === "practice";

/** Scores over time. Days between them are as wide as they are long, unless the mode has another measure of the long gaps. */
function plot({ scores: { lower_quartile: lower, upper_quartile: upper, median }, score_entries: scores, gaps: long, best }, mode, width) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const left = 3 * rem, base = 12 * rem, right = width - rem / 2;
  const gaps = scores.map(({ time }, n) => (n ? (time - scores[n - 1].time) / DAY : 0));
  const breaks = new Map(["compressInactive", "brokenAxis"].includes(mode) ? long.map(({ to, days }) => [to, days]) : []);
  // Of several scores of one moment the break is before the first.
  const broken = scores.map(({ time }, n) => (time === scores[n - 1]?.time ? undefined : breaks.get(time)));
  const cut = gaps.reduce((sum, gap, n) => sum + (broken[n] ? 0 : gap), 0) / 10 || 1;
  let at = 0;
  const places = gaps.map((gap, n) => (at += mode === "activeSessionsOnly" ? Number(n > 0) : broken[n] ? cut : gap));
  const power = 10 ** Math.floor(Math.log10(best / 3));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => best / n <= 4), steps = Math.ceil(best / step);
  const x = (n) => (at ? left + rem / 2 + (right - left - rem) * places[n] / at : (left + right) / 2);
  const y = (value) => base - (base - rem) * value / (steps * step);
  const line = (name, value) => svg("path", { class: name, d: `M${left} ${y(value)}H${right}` });
  const text = (anchor, across, down, words) => svg("text", { x: across, y: down, "text-anchor": anchor }, words);
  return svg("svg", { class: "plot", role: "img", viewBox: `0 0 ${width} ${base + 1.5 * rem}`,
    "aria-label": t("plot-label", { n: scores.length, from: dates.format(scores[0].time),
      to: dates.format(scores.at(-1).time), best: whole(best), median: whole(median) }) },
  svg("rect", { class: "usual", x: left, y: y(upper), width: right - left, height: y(lower) - y(upper) }),
  Array.from({ length: steps + 1 }, (_, n) =>
    [line("grid", n * step), text("end", left - rem / 2, y(n * step) + rem / 4, short.format(n * step))]),
  line("median", median),
  svg("path", { class: "line", d: scores.map(({ score }, n) =>
    `${n && !(mode === "brokenAxis" && broken[n]) ? "L" : "M"}${x(n)} ${y(score)}`).join("") }),
  broken.map((days, n) => days && [
    mode === "brokenAxis" && svg("path", { class: "break", d: `M${(x(n) + x(n - 1)) / 2 - 6} ${base + 6}l4 -12m4 12l4 -12` }),
    x(n) - x(n - 1) > 2.5 * rem && text("middle", (x(n) + x(n - 1)) / 2, base - rem / 2, t("days-short", { n: days }))]),
  scores.map((one, n) => svg("path", { class: isPractice(one) ? "dot" : "dot other",
    d: `M${x(n)} ${y(one.score)}${isPractice(one) ? "h0" : "m0 -6l6 6l-6 6l-6 -6z"}` },
  svg("title", {}, dots(dates.format(one.time), whole(one.score), played(one))))),
  text("start", left, base + 1.25 * rem, dates.format(scores[0].time)),
  scores.length > 1 && text("end", right, base + 1.25 * rem, dates.format(scores.at(-1).time)));
}

function scoresNodes(game, root) {
  const { scores: figures, score_entries: scores, score_timeline: timeline, trend } = game;
  if (!figures || !scores?.length) return emptyState("note", t("no-scores"), t("no-scores-text"));
  const figure = h("figure.figure", { dir: "ltr" }), about = h("p.quiet"), modes = h("div.choices", { role: "group", "aria-label": t("gaps") });
  const draw = (mode) => {
    settings.set("gap_mode", mode);
    figure.replaceChildren(plot(game, mode, Math.max(240, root.clientWidth)));
    about.replaceChildren(t(`${mode}-text`), " ", t("plot-key"));
    [...modes.children].forEach((one, n) => one.setAttribute("aria-pressed", MODES[n] === mode));
  };
  modes.append(...MODES.map((mode) => button(t(mode), () => draw(mode), "choice", { "data-focus": mode })));
  draw(settings.get("gap_mode") ?? MODES[1]);
  const isStable = figures.consistency === "Stable";
  return [figure, modes, about, h("details", h("summary.more-link", { "data-focus": "scores" }, t("all-scores", { n: scores.length })),
    portions([...scores].reverse(), (one) => item("", null, whole(one.score), dots(fmt.dateTime(one.time), played(one))), 100)),
  section(t("consistency"), h("p.signs", isStable ? sign("good", "check", t("stable")) : sign("warning", "warning", t("high-risk")),
    trend !== undefined && h("span.sign", trendText(trend, percents.format(Math.abs(trend))))),
  h("dl.facts-list", ["median", "average", "lower_quartile", "upper_quartile", "floor"].map((name) => fact(name, whole(figures[name]))),
    fact("spread", t("spread-medians", { n: tenths.format(figures.spread) })),
    fact("longest-gap", t("days-n", { n: timeline.longest_gap_days }))))];
}

const insights = (root, context) => view(root, context, async (signal) => {
  const { journal } = context, ask = (tail, query) => get(journal, tail, query, signal);
  const answer = await ask("practice/focus"), focus = answer.body;
  const key = context.key ?? focus[0]?.game;
  if (!key) return emptyState("journal", t("no-library"), t("no-library-text"));
  const { body: game } = await ask("practice/game", { game: key });
  const address = (other) => addressOf(journal, "insights", other);
  const games = focus.some((one) => one.game === key) ? focus : [...focus, { ...game, game: key }];
  return [asOf(answer), h("div.fields", select("game", [...games].sort(byName).map((one) => [one.game, one.name]), key,
    (other) => go(address(other)))),
  scoresNodes(game, root),
  focus.length > 0 && section(t("focus"), h("p.quiet", t("focus-text")), portions(focus, (one, n) => item(address(one.game),
    rank(focus.indexOf(one) + 1), one.name, t("completion-n", { n: one.completion }), bar("need", 100 * one.focus))))];
});

export const views = { insights };

Object.assign(strings, {
  "no-scores-text": "With the first score of this game, its plot begins here.",
  "plot-label": "{n} scores from {from} to {to}. The best is {best}, the median {median}.",
  "plot-key": "Dots are practice, diamonds league and tournaments. The band holds the middle half of the scores, the dashed line is the median.",
  "gaps": "Breaks between scores",
  "realTimeline": "Real time",
  "realTimeline-text": "Each day is equally wide.",
  "compressInactive": "Short breaks",
  "compressInactive-text": "Breaks of 14 days and more are narrow.",
  "activeSessionsOnly": "Scores only",
  "activeSessionsOnly-text": "Each score is one step, whenever it was played.",
  "brokenAxis": "Broken axis",
  "brokenAxis-text": "The line stops at breaks of 14 days and more.",
  "days-short": "{n} d",
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

/** The scores of a game over time, as a picture. */
import { DAY } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { dots } from "../ui/parts.js";
import { dates, dayOf, played, svg } from "./insights.js";
import { ticks, whole } from "./score.js";

export const MODES = ["realTimeline", "compressInactive", "activeSessionsOnly", "brokenAxis"];
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
/** @param {Api.PracticeScoreEntry} score */
const dayText = (score) => dates.format(dayOf(score));
/** @param {{ context: string }} score */
const isPractice = ({ context }) => context === "practice";

/**
 * Scores over time. Days between them are as wide as they are long, unless the mode has another measure of the long
 * gaps.
 * @param {Plotted} game
 * @param {string} mode
 * @param {number} width
 */
export function plot({ scores: { lower_quartile: lower, upper_quartile: upper, median }, score_entries: scores,
  gaps: long, best }, mode, width) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const left = 3 * rem, base = 12 * rem, right = width - rem / 2;
  const gaps = scores.map(({ time }, n) => (n ? (time - scores[n - 1].time) / DAY : 0));
  const breaks = new Map(["compressInactive", "brokenAxis"].includes(mode) ? long.map(({ to, days }) => [to, days])
    : []);
  // Of several scores of one moment the break is before the first.
  const broken = scores.map(({ time }, n) => (time === scores[n - 1]?.time ? undefined : breaks.get(time)));
  const cut = gaps.reduce((sum, gap, n) => sum + (broken[n] ? 0 : gap), 0) / 10 || 1;
  let at = 0;
  const places = gaps.map((gap, n) => (at += mode === "activeSessionsOnly" ? Number(n > 0) : broken[n] ? cut : gap));
  const { step, steps } = ticks(best);
  /** @param {number} n */
  const x = (n) => (at ? left + rem / 2 + (right - left - rem) * places[n] / at : (left + right) / 2);
  /** @param {number} value */
  const y = (value) => base - (base - rem) * value / (steps * step);
  /**
   * @param {string} name
   * @param {number} value
   */
  const line = (name, value) => svg("path", { class: name, d: `M${left} ${y(value)}H${right}` });
  /**
   * @param {string} anchor
   * @param {number} across
   * @param {number} down
   * @param {string} words
   */
  const text = (anchor, across, down, words) => svg("text", { x: across, y: down, "text-anchor": anchor }, words);
  return svg("svg", { class: "plot", role: "img", viewBox: `0 0 ${width} ${base + 1.5 * rem}`,
    "aria-label": t("plot-label", { n: scores.length, from: dayText(scores[0]),
      to: dayText(scores[scores.length - 1]), best: whole(best), median: whole(median) }) },
  svg("rect", { class: "usual", x: left, y: y(upper), width: right - left, height: y(lower) - y(upper) }),
  Array.from({ length: steps + 1 }, (_, n) =>
    [line("grid", n * step), text("end", left - rem / 2, y(n * step) + rem / 4, short.format(n * step))]),
  line("median", median),
  svg("path", { class: "line", d: scores.map(({ score }, n) =>
    `${n && !(mode === "brokenAxis" && broken[n]) ? "L" : "M"}${x(n)} ${y(score)}`).join("") }),
  broken.map((days, n) => days && [
    mode === "brokenAxis"
      && svg("path", { class: "break", d: `M${(x(n) + x(n - 1)) / 2 - 6} ${base + 6}l4 -12m4 12l4 -12` }),
    x(n) - x(n - 1) > 2.5 * rem && text("middle", (x(n) + x(n - 1)) / 2, base - rem / 2,
      t("days-short", { n: days }))]),
  scores.map((one, n) => svg("path", { class: isPractice(one) ? "dot" : "dot other",
    d: `M${x(n)} ${y(one.score)}${isPractice(one) ? "h0" : "m0 -6l6 6l-6 6l-6 -6z"}` },
  svg("title", {}, dots(dayText(one), whole(one.score), played(one))))),
  text("start", left, base + 1.25 * rem, dayText(scores[0])),
  scores.length > 1 && text("end", right, base + 1.25 * rem, dayText(scores[scores.length - 1])));
}

texts({
  "plot-label": "{n} scores from {from} to {to}. The best is {best}, the median {median}.",
  "realTimeline": "Real time",
  "realTimeline-text": "Each day is equally wide.",
  "compressInactive": "Short breaks",
  "compressInactive-text": "Breaks of 14 days and more are narrow.",
  "activeSessionsOnly": "Scores only",
  "activeSessionsOnly-text": "Each score is one step, whenever it was played.",
  "brokenAxis": "Broken axis",
  "brokenAxis-text": "The line stops at breaks of 14 days and more.",
  "days-short": "{n} d",
});

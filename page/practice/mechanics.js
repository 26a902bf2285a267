/** How the flipper skills have been. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { asOf, dots, portions } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import { item, svg, tenths, trendText, view } from "./insights.js";
import { get } from "./writing.js";

/** @param {number[]} series */
function sparkline(series) {
  const points = series
    .map((value, n) => `${series.length > 1 ? 5 + 62 * n / (series.length - 1) : 36} ${36 - 6 * value}`);
  return svg("svg", { class: "spark", viewBox: "0 0 72 36", role: "img",
    "aria-label": t("series", { all: series.join(", ") }) },
    svg("path", { class: "grid", d: "M0 30H72M0 18H72M0 6H72" }), points.length > 0 && [
      svg("path", { class: "line", d: `M${points.join("L")}` }),
        svg("path", { class: "dot", d: `M${points.at(-1)}h0` })]);
}

/** @type {ViewMaker<JournalContext>} */
export const mechanics = (root, context) => view(root, context, async (signal) => {
  const answer = await get(context.journal, "practice/mechanics", {}, signal);
  if (!answer.body.length) return emptyState("note", t("no-skills"), t("no-skills-text"));
  return [asOf(answer), h("p.quiet", t("skills-text")), portions(answer.body,
    (skill) => item("", sparkline(skill.series ?? []),
    skill.skill, dots(t("logs-n", { n: skill.logs }), skill.average !== undefined
      && t("mean-of", { mean: tenths.format(skill.average) }),
      trendText(skill.trend, tenths.format(Math.abs(skill.trend ?? 0)))),
    skill.latest !== undefined && h("b.big", t("of-five", { n: skill.latest }))))];
});

texts({
  "no-skills": "No skills noted yet",
  "no-skills-text": "Note how a flipper skill went, from 1 to 5, and its trend appears here.",
  "skills-text": "How it went the last time, from 1 to 5. The trend compares the later half with the earlier one.",
  "logs-n": { one: "{n} note", other: "{n} notes" },
  "mean-of": "mean {mean}",
  "series": "So far {all}",
  "of-five": "{n}/5",
});

/** What the checks have found, and what a rule requires. */
import { h } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { chips } from "./asking.js";
import { button, doing, nameOfSession, portions, row, section, sign, small, when, words } from "./parts.js";
import { dialog, emptyState } from "./say.js";

/** @param {string} severity */
export const severitySign = (severity) =>
  sign(severity, severity === "error" ? "close" : "warning", t(`severity-${severity}`));
/** @param {{ file?: string, line?: number, column?: number }} problem */
export const placeText = ({ file, line, column }) =>
  [file, line && t("line-n", { n: line }), line && column && t("column-n", { n: column })].filter(Boolean).join(", ");

/**
 * @param {Api.Finding[]} findings
 * @param {number} [shown]
 */
export const findingRows = (findings, shown = 100) => portions(findings, (finding) =>
  row(severitySign(finding.severity), "", words(finding.message), h("p.cure", finding.cure),
    small(h("bdi", placeText(finding)), " ", button(finding.rule, doing(() => showRule(finding.rule)), "link",
      { "aria-label": t("rule-label", { rule: finding.rule }) }))), shown);

/** @param {string} name */
async function showRule(name) {
  const { body: rule } = await api.get(`rules/${name}`, { keep: true });
  /**
   * @param {string} title
   * @param {any} text
   */
  const lines = (title, text) => text?.length > 0
    && [h("h3", title), h("pre", { tabindex: 0, dir: "ltr" }, [text].flat().join("\n"))];
  await dialog({ title: rule.rule, body: [h("p", severitySign(rule.severity), " ", rule.summary),
    h("p.cure", rule.cure), lines(t("example"), rule.example),
    lines(t("rule-before"), rule.before), lines(t("rule-after"), rule.after)].flat().filter(Boolean),
      actions: [{ label: t("close"), value: "" }] });
}

/**
 * What the checks found in `{session, findings}`, with a filter by severity.
 * @param {{ session: any, findings: Api.Finding[] }[]} groups
 * @param {boolean} isGrouped
 * @param {string} allGood
 */
export function findingsNodes(groups, isGrouped, allGood) {
  /**
   * @param {Api.Finding[]} findings
   * @param {string} severity
   */
  const ofSeverity = (findings, severity) => findings.filter((finding) => finding.severity === severity);
  const counts = ["error", "warning"].map((severity) => /** @type {[string, number]} */
    ([severity, ofSeverity(groups.flatMap(({ findings }) => findings), severity).length])).filter(([, n]) => n > 0);
  if (counts.length === 0) return emptyState("check", t("no-problems"), allGood);
  const list = h("div");
  let only = "";
  const fill = () => list.replaceChildren(...groups.map(({ session, findings }) =>
    [session, only ? ofSeverity(findings, only) : findings])
    .filter(([, findings]) => findings.length > 0).flatMap(([session, findings]) => (isGrouped ? section(
      h("a", { href: `#/s/${session.handle}/problems` }, nameOfSession(session)),
        session.title && h("p.quiet", when(session.start_time)), findingRows(findings)) : findingRows(findings))));
  fill();
  return [chips(t("only"), counts.map(([severity, n]) => [severity, severitySign(severity), ` ${fmt.number(n)}`]),
    (severity) => only === severity, (severity) => {
    only = only === severity ? "" : severity;
    fill();
  }), list];
}

texts({
  "severity-error": "Error",
  "severity-warning": "Warning",
  "line-n": "line {n}",
  "column-n": "column {n}",
  "rule-label": "Rule {rule}: what it requires",
  "example": "Example",
  "rule-before": "Before",
  "rule-after": "After",
  "no-problems": "No problems",
});

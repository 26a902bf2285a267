/** What the checks have found in all sessions. */
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { findingsNodes } from "../ui/findings.js";
import { asOf, loader, onEvents } from "../ui/parts.js";

/** @param {HTMLElement} root */
export function open(root) {
  return loader(root, async (signal) => {
    const [answer, names] = await Promise.all([api.get("findings", { signal, keep: true }),
      sessionsByHandle({ problems: true }, signal)]);
    const groups = answer.body
      .map((group) => ({ session: /** @type {any} */ (names.get(group.handle ?? "") ?? group),
      findings: group.findings }))
      .filter((group) => group.findings.length);
    groups.sort((a, b) => (b.session.start_time ?? "").localeCompare(a.session.start_time ?? ""));
    return [asOf(answer), findingsNodes(groups, true, t("no-problems-all"))];
  }, { follows: [onEvents(["finding", "session"])] });
}

/**
 * @param {Query} query
 * @param {AbortSignal} signal
 */
async function sessionsByHandle(query, signal) {
  const { body } = await api.get("sessions", { query: { limit: 1000, ...query }, signal, keep: true });
  return new Map(body.map((session) => [session.handle, session]));
}

texts({
  "no-problems-all": "The files of all sessions are as they should be.",
});

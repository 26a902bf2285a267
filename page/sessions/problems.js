/** The tab Problems. */
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { findingsNodes } from "../ui/findings.js";
import { asOf, loader, onEvents } from "../ui/parts.js";

/** @type {(root: HTMLElement, context: TabContext) => View} */
export const tab = (root, { handle, session }) => loader(root, async (signal) => {
  const answer = await api.get(`sessions/${handle}/findings`, { signal, keep: true });
  return [asOf(answer), findingsNodes([{ session, findings: answer.body.flatMap((group) => group.findings) }], false,
    t("no-problems-session"))];
}, { follows: [onEvents(["finding", "session"], handle)] });

texts({
  "no-problems-session": "The files of this session are as they should be.",
});

/** Starting a session. Loaded with the first. */
import { h } from "../base/dom.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { go } from "../ui/frame.js";
import { dialog } from "../ui/say.js";
import "../ui/shared.js";
import { sessionRows } from "./list.js";

export async function startSession() {
  const title = h("input", { id: "session-title", maxlength: 200, autocomplete: "off",
    "aria-describedby": "session-hint" });
  // Under one id, so that a repeat after a lost answer starts no second session.
  const id = ulid();
  const handle = await dialog({
    title: t("start"), draft: "start",
    body: h("div.field", h("label", { for: "session-title" }, t("start-title")), title,
      h("p.hint", { id: "session-hint" }, t("start-hint"))),
    actions: [{ label: t("cancel") }, { label: t("start-go"), primary: true }],
    submit: async () => {
      const typed = title.value.trim();
      try {
        return (await api.send("PUT", `sessions/${id}`, typed ? { title: typed } : {})).body.handle;
      } catch (/** @type {any} */ error) {
        throw new Error(error.offline ? t("start-offline") : `${t("start-failed")} ${problemText(error)}`);
      }
    },
  });
  if (!handle) return;
  sessionRows.refresh();
  go(`#/s/${handle}/live`);
}

texts({
  "start-title": "Title",
  "start-hint": "Optional, such as “Tuesday rehearsal”",
  "start-go": "Start",
  "start-failed": "The session could not be started.",
  "start-offline": "Sessions are started at the server, which can’t be reached now.",
});

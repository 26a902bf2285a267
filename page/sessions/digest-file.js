/** The digest as a file: taken, brought up to date, edited. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { dialog } from "../ui/dialog.js";
import { ask } from "../ui/asking.js";
import { notice } from "../ui/parts.js";
import { toast } from "../ui/say.js";

/**
 * @param {string} handle
 * @param {Query} [query]
 * @returns {Promise<Answered<string>>}
 */
export const markdown = (handle, query) =>
  api.get(`sessions/${handle}/digest`, { as: "text", query, headers: { Accept: "text/markdown" } });

/**
 * @param {string} handle
 * @returns {Promise<string>}
 */
const digestFile = (handle) => api.get(`sessions/${handle}/files/digest.md`, { as: "text" })
  .then(({ body }) => body, (error) => {
  if (error.status === 404) return "";
  throw error;
});

/**
 * Brings the generated part up to date. What stands in the way is shown, and an admin may overrule it.
 * @param {string} handle
 * @param {() => Promise<void>} reload
 * @param {Record<string, unknown>} [overruling]
 * @returns {Promise<void>}
 */
export async function generate(handle, reload, overruling) {
  try {
    const { body } = await api.send("POST", `sessions/${handle}/digest/generate`, overruling ?? {});
    toast(t(body.changed ? "generated" : "generated-same"));
    reload();
  } catch (/** @type {any} */ error) {
    const isEdited = error.code === "block-edited";
    if (!isEdited && error.code !== "block-missing") throw error;
    const body = [h("p", t(error.code)), isEdited && await editedLines(handle)];
    if (!me.can("admin")) await dialog({ title: t("generate"), body, actions: [{ label: t("close"), value: "" }] });
    else if (await ask(t("generate"), body, t(isEdited ? "overwrite" : "add-below"), isEdited)) await generate(handle,
      reload, isEdited ? { force: true } : { adopt: true });
  }
}

/**
 * The lines between the two comments of digest.md that differ from what would be there now.
 * @param {string} handle
 */
async function editedLines(handle) {
  const [file, rendered] = await Promise.all([digestFile(handle), markdown(handle, { rendered: true })]);
  const lines = (/** @type {string} */ text) => text.split(/\r?\n/).filter(Boolean);
  const there = lines(/^<!-- trace:begin.*([^]*)^<!-- trace:end/m.exec(file)?.[1] ?? ""), now = lines(rendered.body);
  /** @type {(all: string[], others: string[], tag: string, mark: string) => HTMLElement[]} */
  const only = (all, others, tag, mark) => all.filter((line) => !others.includes(line))
    .map((line) => h(tag, { dir: "auto" }, `${mark} ${line}`));
  return h("div.diff", { tabindex: 0, role: "group", "aria-label": t("difference") }, only(there, now, "del", "−"),
    only(now, there, "ins", "+"));
}

/**
 * Edits digest.md. If somebody else changes it meanwhile, both texts are shown, and a person decides what is saved.
 * @param {string} handle
 * @param {() => Promise<void>} reload
 * @param {string} [mine]
 * @param {boolean} [isChanged]
 * @returns {Promise<void>}
 */
export async function editDigest(handle, reload, mine, isChanged) {
  // The tag first: if the file changes between the two requests, the tag is the one that is too old.
  const { etag } = await markdown(handle);
  const present = await digestFile(handle);
  const text = h("textarea.writing", { rows: 14, dir: "auto", "aria-label": t("edit-words"), value: present });
  const body = [isChanged && notice("bad", "warning", t("changed-meanwhile")),
    isChanged && h("details", { open: true }, h("summary", t("their-words")),
      h("pre", { tabindex: 0, dir: "auto" }, present)), text, h("small", t("edit-hint"))];
  const submit = async () => {
    /** @type {Record<string, string>} */
    const condition = present === "" ? { "If-None-Match": "*" } : { "If-Match": /** @type {string} */ (etag) };
    return api.send("PUT", `sessions/${handle}/digest`, text.value, { type: "text/markdown", headers: condition })
      .then(() => "saved", (error) => (error.status === 412 ? "changed" : Promise.reject(error)));
  };
  const asked = dialog({ title: t("edit-words"), body, draft: `digest/${handle}`, submit,
    actions: [{ label: t("cancel") }, { label: t("save"), value: "yes", primary: true }] });
  // In the open dialog: it is a change of what was read.
  if (mine !== undefined) text.value = mine;
  const done = await asked;
  if (done === "changed") return editDigest(handle, reload, text.value, true);
  if (done !== "saved") return;
  toast(t("saved"));
  reload();
}

texts({
  "saved": "Saved",
  "generated": "digest.md is up to date.",
  "generated-same": "digest.md was up to date already.",
  "block-edited": "Somebody has changed the generated part of digest.md. Updating it would undo these changes:",
  "block-missing":
    "digest.md was written by hand and has no generated part yet. It can be added below your words, which stay " +
    "as they are.",
  "overwrite": "Overwrite the changes",
  "add-below": "Add it below",
  "difference": "Difference",
  "edit-hint":
    "Markdown. Times such as 12:30 become buttons that play. Leave the lines between the two trace comments as " +
    "they are.",
  "changed-meanwhile":
    "Somebody else has saved digest.md in the meantime. Take over from their text what you want to keep, then " +
    "save.",
  "their-words": "Their text",
});

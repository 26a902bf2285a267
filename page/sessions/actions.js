/** The tab Actions. */
import { h, icon } from "../base/dom.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { writing } from "../data/writing.js";
import { keepDraft } from "../ui/form.js";
import { form } from "../ui/asking.js";
import {
  asOf, button, doing, field, loader, notice, onEvents, row, section, small, stack, when, words,
} from "../ui/parts.js";
import { emptyState, toast } from "../ui/say.js";
import { stateSign } from "./states.js";

/** @type {(root: HTMLElement, context: TabContext) => View} */
export const tab = (root, context) => stack(root, [async (signal, reload) => {
  const answer = await api.get(`sessions/${context.handle}/actions`, { signal, keep: true });
  const here = outbox.of(context.handle)
    .filter((entry) => entry.kind === "action_request" && entry.state !== "at-server");
  return [asOf(answer), answer.body.length + here.length === 0
    ? emptyState("action", t("no-actions"), t("no-actions-text")) : h("ul.items",
    here.map((entry) => row(stateSign("waiting"), entry.body.action, small(t("waits-here")))),
      answer.body.toReversed().map((run) => runRow(run, context.handle, reload)))];
}, { follows: [onEvents(["action"], context.handle), outbox.on], isPart: false }],
me.can("mark") && [async (signal, _, life) =>
  requestForm((await api.get("actions", { signal, keep: true })).body.programs, context, life), { lines: 2 }]);

/**
 * @param {Api.ActionRun} run
 * @param {string} handle
 * @param {() => Promise<void>} reload
 */
function runRow(run, handle, reload) {
  const inside = h("div.inside");
  const details = h("details", h("summary.item", { "data-focus": run.id }, stateSign(run.state), h("div.item-text",
    h("b", { dir: "auto" }, run.action), small(when(run.created_at)), run.error && words(run.error))), inside);
  details.addEventListener("toggle", () => details.open && !inside.hasChildNodes() && loader(inside, async (signal) => {
    const { body } = await api.get(`sessions/${handle}/actions/${run.id}`, { signal, keep: true });
    return [run.state === "requested" && notice("quiet", "day", t("someone-runs-it")),
      values(t("inputs"), body.inputs), values(t("outputs"), body.outputs),
      run.state === "requested" && me.can("admin")
        && button(t("decline"), doing(() => decline(handle, run, reload)), "danger")];
  }, { lines: 2 }));
  return h("li", details);
}

/** @type {(title: string, object: unknown) => Child[]} */
const values = (title, object) =>
  [h("h2", title), Object.keys(object ?? {}).length === 0 ? h("p.quiet", t("none")) : h("dl.values",
  Object.entries(object ?? {}).map(([key, value]) =>
    [h("dt", { dir: "auto" }, key), words(typeof value === "string" ? value : JSON.stringify(value, null, 1), "dd")]))];

/**
 * @param {string} handle
 * @param {Api.ActionRun} run
 * @param {() => Promise<void>} reload
 */
async function decline(handle, run, reload) {
  const reason = h("input", { type: "text", maxlength: 500, dir: "auto" });
  const submit = () => api.send("POST", `sessions/${handle}/actions/${run.id}/decline`,
    { reason: reason.value.trim() || undefined });
  if (!await form(t("decline-title", { action: run.action }), field(t("reason"), reason, t("reason-hint")),
    t("decline"),
    `decline/${run.id}`, submit, true)) return;
  toast(t("declined"));
  reload();
}

/**
 * @param {string[]} programs
 * @param {TabContext} context
 * @param {AbortSignal} life
 */
function requestForm(programs, { handle, session }, life) {
  if (programs.length === 0) return section(t("ask-title"), h("p.quiet", t("no-programs")));
  const action = h("select", programs.map((name) => h("option", { value: name }, name)));
  const text = h("textarea", { rows: 3, dir: "auto", spellcheck: "false", autocapitalize: "off",
    placeholder: "format=flac" });
  const preview = h("output.preview", { "aria-live": "polite" });
  const check = () => {
    const { inputs, problem } = parseInputs(text.value.trim());
    preview.textContent = problem ?? (text.value.trim() && t("will-send", { json: JSON.stringify(inputs) }));
    text.setAttribute("aria-invalid", String(Boolean(problem)));
    return inputs ?? text.focus();
  };
  text.addEventListener("input", check);
  const draft = keepDraft(text, `action/${handle}`);
  life.addEventListener("abort", draft.close);
  return section(t("ask-title"),
    h("div.form", field(t("action-name"), action), field(t("inputs"), text, t("inputs-hint")), preview,
    button([icon("action"), t("ask")], doing(async () => {
      const inputs = check();
      if (!inputs) return;
      await writing.add({ id: ulid(), kind: "action_request",
        session: { handle, id: session.session_id, title: session.title }, body: { action: action.value, inputs } });
      text.value = "";
      draft.drop();
      check();
      toast(t("asked", { action: action.value }));
    }), "primary"), h("p.quiet", t("someone-runs-it"))));
}

/**
 * Inputs as lines `key=value`, which are texts as on the command line, or as one JSON object.
 * @param {string} text
 * @returns {{ inputs?: Record<string, unknown>, problem?: string }}
 */
function parseInputs(text) {
  try {
    if (text.startsWith("{")) return { inputs: JSON.parse(text) };
  } catch (/** @type {any} */ error) {
    return { problem: t("inputs-not-json", { reason: error.message }) };
  }
  const pairs = text.split("\n").filter((line) => line.trim())
    .map((line) => [line, ...(/^\s*([^=]*\S)\s*=\s*(.*?)\s*$/.exec(line)?.slice(1) ?? [])]);
  const wrong = pairs.find((pair) => pair.length < 3);
  return wrong ? { problem: t("inputs-no-key", { line: wrong[0].trim() }) }
    : { inputs: Object.fromEntries(pairs.map(([, key, value]) => [key, value])) };
}

texts({
  "no-actions": "No actions yet",
  "no-actions-text":
    "An action is a program at the computer that does something with a session, such as cutting clips.",
  "waits-here": "Waits on this device until the server can be reached",
  "someone-runs-it": "Someone at the computer runs it or declines it.",
  "inputs": "Inputs",
  "outputs": "Outputs",
  "ask-title": "Request an action",
  "ask": "Request",
  "asked": "“{action}” is requested.",
  "action-name": "Action",
  "no-programs": "The computer has no actions installed yet.",
  "inputs-hint": "Optional. One per line, such as format=flac, or one JSON object.",
  "will-send": "Will be sent: {json}",
  "inputs-no-key": "Write name=value instead of “{line}”.",
  "decline": "Decline",
  "decline-title": "Decline “{action}”?",
  "declined": "Declined",
  "reason": "Reason",
  "reason-hint": "Optional. The person who asked will see it.",
});

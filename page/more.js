/**
 * What is read, searched and set beside the player: the tabs Digest, Actions and Problems, and the views Search, At a
 * time, Problems, Outbox, Settings and Help. Loaded when the first of them is opened.
 */
import {
  api, badge, categories, categoryOf, clock, emptyState, events, fmt, go, h, icon, isMine, me, outbox,
  problemText, settings, store, t, toast, ulid,
} from "./core.js";
import { dialog, drafts, FieldError, keepDraft } from "./forms.js";
import { signOut } from "./sign-in.js";

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

// MARK: Parts that all of them use

export const button = (content, onclick, kind = "", props) =>
  h(kind ? `button.${kind}` : "button", { type: "button", onclick, ...props }, content);
export const small = (...content) => h("small", { dir: "auto" }, content);
const notice = (kind, name, ...content) => h(`p.notice.${kind}`, icon(name), h("span", content));
export const section = (title, ...content) => h("section.part", h("h2", { dir: "auto" }, title), content);
const rows = (items, make) => h("ul.items", items.map(make));
/** Rows of any number, the first of them at once. */
export function portions(items, make, shown = 500) {
  const rest = items.slice(shown), more = rest.length > 0 && button(t("and-more", { n: rest.length }), () =>
    more.replaceWith(...portions(rest, make)), "more-link");
  return [rows(items.slice(0, shown), make), more].filter(Boolean);
}
const row = (lead, title, ...content) =>
  h("li.item", lead, h("div.item-text", title && h("b", { dir: "auto" }, title), content));
const field = (label, control, hint) =>
  h("label.field", h("span", { dir: "auto" }, label), control, hint && h("small", hint));
const fact = (name, ...value) => [h("dt", name), h("dd", { dir: "auto" }, value)];
export const dots = (...parts) => parts.filter(Boolean).join(" · ");
const when = (iso, write = fmt.dateTime) => (iso ? write(Date.parse(iso)) : "");
export const sign = (kind, name, text) => h(`span.sign.${kind}`, icon(name), text);
const kindIcons = { marker: "list", voice_note: "mic", transcript: "note", session: "day", action_request: "action" };
export const kindSign = ({ kind, record }) =>
  (kind === "marker" ? badge(categoryOf(record?.tags)) : icon(kindIcons[kind] ?? "journal"));

const nameOf = (session) => session?.title
  || (session?.start_time ? t("session-of", { day: when(session.start_time) }) : t("untitled"));

const linkRow = (href, lead, text, about) => h("li", h("a.item", { href }, lead,
  h("span.item-text", h("span", { dir: "auto" }, text), about && small(about))));
/** A row that opens a session at an offset. */
const offsetRow = (handle, ms, lead, text) =>
  linkRow(`#/s/${handle}?at=${ms}`, [h("span.time", fmt.offset(ms)), lead], text);

/**
 * Fills `root` with what `make(signal, reload)` resolves to; a placeholder before, an error with a way to try again
 * instead. What had the focus or was open stays so if it has the same `data-focus` afterwards. `follows` are called
 * with `reload`, and return how to stop.
 */
export function loader(root, make, { lines = 6, follows = [], isPart = false } = {}) {
  let controller;
  async function reload() {
    controller?.abort();
    const { signal } = (controller = new AbortController());
    root.setAttribute("aria-busy", "true");
    if (!root.hasChildNodes()) root.append(h("div.skeleton", { "aria-hidden": "true" },
      Array.from({ length: lines }, () => h("i"))));
    const content = await Promise.resolve(signal).then((given) => make(given, reload)).catch((error) => (isPart
      ? h("div.part", notice("bad", "warning", problemText(error), " ", button(t("retry"), reload, "link")))
      : emptyState(error.offline ? "outbox" : "warning", t(error.offline ? "more-offline" : "more-failed"),
        problemText(error), button(t("retry"), reload, "primary"))));
    if (signal.aborted) return;
    const focused = root.contains(document.activeElement) && document.activeElement.dataset.focus;
    const opened = [...root.querySelectorAll("[open] > [data-focus]")].map((summary) => summary.dataset.focus);
    root.removeAttribute("aria-busy");
    root.replaceChildren(...[content].flat(Infinity).filter(Boolean));
    const find = (name) => root.querySelector(`[data-focus="${CSS.escape(name)}"]`);
    for (const name of opened) find(name)?.parentNode.setAttribute("open", "");
    if (focused) find(focused)?.focus({ preventScroll: true });
  }
  const offs = follows.map((follow) => follow(reload));
  reload();
  return {
    close() {
      for (const off of offs) off();
      controller.abort();
      root.removeAttribute("aria-busy");
    },
  };
}

function stack(root, ...parts) {
  const all = parts.filter(Boolean)
    .map(([make, options]) => loader(root.appendChild(h("div")), make, { isPart: true, ...options }));
  return { close: () => all.forEach((one) => one.close()) };
}

/** Follows the events of some kinds, of one session or of all, a second after the last of them. */
export const onEvents = (kinds, handle) => (reload) => {
  let timer;
  const off = events.on(({ type, data }) => {
    if (type === "state" || (type === "watch"
      && !(kinds.includes(data.kind) && (!handle || data.handle === handle)))) return;
    clearTimeout(timer);
    timer = setTimeout(reload, 1000);
  });
  return () => (clearTimeout(timer), off());
};

export const asOf = ({ stale, at }) => stale
  && notice("quiet", "outbox", t("as-of", { time: (at > Date.now() - 12 * HOUR ? fmt.time : fmt.dateTime)(at) }));

/** A text of people, cut off until all of it is asked for: a note may have a megabyte. */
export function words(text, tag = "p", limit = 400) {
  const node = h(tag, { dir: "auto" },
    text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}… ` : text);
  if (text.length > limit) node.append(button(t("show-all"), () => node.replaceChildren(text), "link"));
  return node;
}

function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), MINUTE);
}

/** What a button does: the button is off while it lasts, an error is shown. */
export const doing = (work) => async ({ currentTarget }) => {
  currentTarget.disabled = true;
  await Promise.resolve(currentTarget).then(work).catch((error) => toast(problemText(error), { kind: "bad" }));
  currentTarget.disabled = false;
};

const ask = async (title, body, label, danger = false) => (await dialog({ title, body: [body].flat(), actions: [
  { label: t("cancel"), value: "" }, { label, value: "yes", primary: true, danger }] })) === "yes";

/** Choices of which any number hold: buttons that can be pressed. */
const chips = (label, options, isOn, toggle) =>
  h("div.choices", { role: "group", "aria-label": label }, options.map(([value, ...content]) =>
  button(content, ({ currentTarget }) => {
    toggle(value);
    [...currentTarget.parentNode.children].forEach((chip, n) =>
      chip.setAttribute("aria-pressed", String(isOn(options[n][0]))));
  }, "choice", { "aria-pressed": String(isOn(value)) })));

function sized(node, lengths) {
  for (const [name, share] of Object.entries(lengths)) node.style[name] = `${100 * Math.min(1, Math.max(0, share))}%`;
  return node;
}

const tick = (marker, share) => sized(h(`i.tick.tick-${categoryOf(marker.tags)?.letter ?? "none"}`), { left: share });

// MARK: Digest

/** A dialog with fields: it closes when `submit` has succeeded. */
const form = (title, body, label, draft, submit, danger = false) => dialog({ title, body, draft, submit,
  actions: [{ label: t("cancel") }, { label, value: "yes", primary: true, danger }] });

const digestTab = (root, context) => loader(root, async (signal, reload) => {
  const answer = await api.get(`sessions/${context.handle}/digest`, { signal, keep: true });
  // What was being written when the page went.
  const isOpen = document.querySelector("dialog[open]");
  if (drafts.get(`digest/${context.handle}`) && me.can("admin") && !isOpen) editDigest(context.handle, reload).catch(() => {});
  return [asOf(answer), digestNodes(answer.body, context, reload)];
}, { lines: 9, follows: [onEvents(["marker", "voice_note", "action", "finding"], context.handle)] });

function digestNodes(digest, context, reload) {
  const { counts, more, handle, words: written, duration_ms: length } = digest;
  const list = (name, tab, make) => digest[name].length > 0 && section(t(`digest-${name}`), rows(digest[name], make),
    more[name] > 0 && h("a.more-link", { href: `#/s/${handle}${tab}` }, t("and-more", { n: more[name] })));
  const count = (lead, n, name) => h(n ? "li" : "li.none", lead, h("b", fmt.number(n)), h("span", name));
  const moment = (marker) => momentRow(marker, context);
  return h("article.digest",
    h("p.facts", dots(when(digest.start_time), length !== undefined && fmt.length(length),
      digest.status === "active" && t("still-running"))),
    h("ul.counts", categories.map((category) =>
      count(badge(category), counts[category.tag.replace("-", "_")], category.name())),
      count(icon("mic"), counts.voice_notes, t("voice-notes-n", { n: counts.voice_notes }))),
    written && h("section.words", { "aria-label": t("your-words") },
      written.blocks.map((block) => blockNode(block, context))),
    digest.timeline && spread(digest, context),
    list("notable_moments", "", moment), list("fixes", "", moment),
    list("voice_notes", "/notes", (note) => row([timeButton(note.offset_ms, context), icon("mic")], "",
      note.transcript_text ? words(note.transcript_text) : h("p.quiet", t("not-transcribed")),
        small(fmt.length(note.duration_ms)))),
    list("actions", "/actions", (run) =>
      row(stateSign(run.status === "started" ? "requested" : run.status), run.action, run.error && words(run.error))),
    list("problems", "/problems", (problem) =>
      row(severitySign(problem.severity), "", words(problem.message), small(placeText(problem)))),
    counts.markers + counts.voice_notes === 0 && !written
      && emptyState("digest", t("digest-empty"), t(me.can("mark") ? "digest-empty-mark" : "digest-empty-read")),
    h("div.part.buttons",
      button([icon("download"), t("save-markdown")],
        doing(async () => save(`digest-${handle}.md`, (await markdown(handle)).body, "text/markdown"))),
      me.can("mark") && button([icon("retry"), t("generate")], doing(() => generate(handle, reload)), "",
        { "data-focus": "generate" }),
      me.can("admin") && button([icon("digest"), t("edit-words")], doing(() => editDigest(handle, reload)), "",
        { "data-focus": "edit" })));
}

const timeButton = (ms, context, text = fmt.offset(ms)) =>
  button(text, () => context.player.play(ms), "time", { "aria-label": t("play-from", { time: text }) });

function momentRow(moment, context) {
  const category = categoryOf(moment.tags);
  return row([timeButton(moment.offset_ms, context), badge(category)],
    moment.label || category?.name() || t("unnamed"), moment.note && words(moment.note),
    (moment.duration_ms || moment.voice_note_id)
      && small(moment.duration_ms && t("until", { time: fmt.offset(moment.offset_ms + moment.duration_ms) }),
      moment.voice_note_id && [" ", icon("mic"), t("spoken")]));
}

/** How the markers are spread, and the moments that the digest names. A press plays. */
function spread({ timeline, duration_ms: length = 1, notable_moments: moments, fixes }, context) {
  const most = Math.max(1, ...timeline.counts);
  const play = ({ currentTarget, clientX }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    context.player.play(Math.round((length * (clientX - left)) / width));
  };
  return h("figure.spread", { dir: "ltr" },
    h("div.bars", { role: "img", "aria-label": t("spread-label", { length: fmt.length(length) }), onclick: play },
    timeline.counts.map((count) => sized(h("i"), { height: count / most })),
      [...moments, ...fixes].map((moment) => tick(moment, moment.offset_ms / length))),
  h("div.scale", { "aria-hidden": "true" }, h("span", fmt.offset(0)), h("span", fmt.offset(length))));
}

const inlineTags = { code: "code", break: "br", emphasis: "em", strong: "strong", strike: "s" };

/** The words of a block; of links, those that lead to the web alone. */
const inlines = (parts = [], context) => parts.map((part) => {
  if (part.type === "text") return part.text;
  if (part.type === "time") return timeButton(part.offset_ms, context, part.text);
  const inside = part.text ?? inlines(part.inlines, context);
  if (part.type !== "link") return part.type in inlineTags && h(inlineTags[part.type], {}, inside);
  if (!/^(https?|mailto):/i.test(part.href)) return inside;
  return h("a", { href: part.href, rel: "noreferrer noopener", target: "_blank" }, inside);
});

/** A block of the hand-written words; what this page does not know is left out. */
function blockNode(block, context) {
  const blocks = (all) => all.map((inner) => blockNode(inner, context));
  const cells = (tag, all) => h("tr", all.map((cell) => h(tag, { dir: "auto" }, inlines(cell, context))));
  switch (block.type) {
    case "heading": return h(`h${Math.min(6, block.level + 1)}`, { dir: "auto" }, inlines(block.inlines, context));
    case "paragraph": return h("p", { dir: "auto" }, inlines(block.inlines, context));
    case "quote": return h("blockquote", blocks(block.blocks));
    case "code": return h("pre", { tabindex: 0, dir: "auto" }, block.text);
    case "rule": return h("hr");
    case "list": return h(block.ordered ? "ol" : "ul", { start: block.ordered && block.start },
      block.items.map((item) => h("li", { dir: "auto" }, blocks(item))));
    case "table": return h("div.scroll", { tabindex: 0 },
      h("table", h("thead", cells("th", block.header)), h("tbody", block.rows.map((all) => cells("td", all)))));
    default: return null;
  }
}

const markdown = (handle, query) =>
  api.get(`sessions/${handle}/digest`, { as: "text", query, headers: { Accept: "text/markdown" } });

const digestFile = (handle) => api.get(`sessions/${handle}/files/digest.md`, { as: "text" })
  .then(({ body }) => body, (error) => {
  if (error.status === 404) return "";
  throw error;
});

/** Brings the generated part up to date. What stands in the way is shown, and an admin may overrule it. */
async function generate(handle, reload, overruling) {
  try {
    const { body } = await api.send("POST", `sessions/${handle}/digest/generate`, overruling ?? {});
    toast(t(body.changed ? "generated" : "generated-same"));
    reload();
  } catch (error) {
    const isEdited = error.code === "block-edited";
    if (!isEdited && error.code !== "block-missing") throw error;
    const body = [h("p", t(error.code)), isEdited && await editedLines(handle)];
    if (!me.can("admin")) await dialog({ title: t("generate"), body, actions: [{ label: t("close"), value: "" }] });
    else if (await ask(t("generate"), body, t(isEdited ? "overwrite" : "add-below"), isEdited)) await generate(handle,
      reload, isEdited ? { force: true } : { adopt: true });
  }
}

/** The lines between the two comments of digest.md that differ from what would be there now. */
async function editedLines(handle) {
  const [file, rendered] = await Promise.all([digestFile(handle), markdown(handle, { rendered: true })]);
  const lines = (text) => text.split(/\r?\n/).filter(Boolean);
  const there = lines(/^<!-- trace:begin.*([^]*)^<!-- trace:end/m.exec(file)?.[1] ?? ""), now = lines(rendered.body);
  const only = (all, others, tag, mark) => all.filter((line) => !others.includes(line))
    .map((line) => h(tag, { dir: "auto" }, `${mark} ${line}`));
  return h("div.diff", { tabindex: 0, role: "group", "aria-label": t("difference") }, only(there, now, "del", "−"),
    only(now, there, "ins", "+"));
}

/** Edits digest.md. If somebody else changes it meanwhile, both texts are shown, and a person decides what is saved. */
async function editDigest(handle, reload, mine, isChanged) {
  // The tag first: if the file changes between the two requests, the tag is the one that is too old.
  const { etag } = await markdown(handle);
  const present = await digestFile(handle);
  const text = h("textarea.writing", { rows: 14, dir: "auto", "aria-label": t("edit-words"), value: present });
  const body = [isChanged && notice("bad", "warning", t("changed-meanwhile")),
    isChanged && h("details", { open: true }, h("summary", t("their-words")),
      h("pre", { tabindex: 0, dir: "auto" }, present)), text, h("small", t("edit-hint"))];
  const submit = async () => {
    const condition = present === "" ? { "If-None-Match": "*" } : { "If-Match": etag };
    return api.send("PUT", `sessions/${handle}/digest`, text.value, { type: "text/markdown", headers: condition })
      .then(() => "saved", (error) => (error.status === 412 ? "changed" : Promise.reject(error)));
  };
  const asked = form(t("edit-words"), body, t("save"), `digest/${handle}`, submit);
  if (mine !== undefined) text.value = mine;
  const done = await asked;
  if (done === "changed") return editDigest(handle, reload, text.value, true);
  if (done !== "saved") return;
  toast(t("saved"));
  reload();
}

// MARK: Actions

const stateIcons = { requested: "day", running: "retry", succeeded: "check", failed: "warning", waiting: "outbox" };
const stateSign = (state) => sign(state, stateIcons[state], t(`state-${state}`));

const actionsTab = (root, context) => stack(root, [async (signal, reload) => {
  const answer = await api.get(`sessions/${context.handle}/actions`, { signal, keep: true });
  const here = outbox.of(context.handle)
    .filter((entry) => entry.kind === "action_request" && entry.state !== "at-server");
  return [asOf(answer), answer.body.length + here.length === 0
    ? emptyState("action", t("no-actions"), t("no-actions-text")) : h("ul.items",
    here.map((entry) => row(stateSign("waiting"), entry.body.action, small(t("waits-here")))),
      answer.body.toReversed().map((run) => runRow(run, context.handle, reload)))];
}, { follows: [onEvents(["action"], context.handle), outbox.on], isPart: false }],
me.can("mark") && [async (signal) =>
  requestForm((await api.get("actions", { signal, keep: true })).body.programs, context), { lines: 2 }]);

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

const values = (title, object) =>
  [h("h2", title), Object.keys(object ?? {}).length === 0 ? h("p.quiet", t("none")) : h("dl.values",
  Object.entries(object).map(([key, value]) =>
    [h("dt", { dir: "auto" }, key), words(typeof value === "string" ? value : JSON.stringify(value, null, 1), "dd")]))];

async function decline(handle, run, reload) {
  const reason = h("input", { type: "text", maxlength: 500, dir: "auto" });
  const submit = () => api.send("POST", `sessions/${handle}/actions/${run.id}/decline`, { reason: reason.value.trim() || undefined });
  if (!await form(t("decline-title", { action: run.action }), field(t("reason"), reason, t("reason-hint")), t("decline"),
    `decline/${run.id}`, submit, true)) return;
  toast(t("declined"));
  reload();
}

function requestForm(programs, { handle, session }) {
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
  return section(t("ask-title"),
    h("div.form", field(t("action-name"), action), field(t("inputs"), text, t("inputs-hint")), preview,
    button([icon("action"), t("ask")], doing(async () => {
      const inputs = check();
      if (!inputs) return;
      await outbox.add({ id: ulid(), kind: "action_request",
        session: { handle, id: session.session_id, title: session.title }, body: { action: action.value, inputs } });
      text.value = "";
      draft.drop();
      check();
      toast(t("asked", { action: action.value }));
    }), "primary"), h("p.quiet", t("someone-runs-it"))));
}

/** Inputs as lines `key=value`, which are texts as on the command line, or as one JSON object. */
function parseInputs(text) {
  try {
    if (text.startsWith("{")) return { inputs: JSON.parse(text) };
  } catch (error) {
    return { problem: t("inputs-not-json", { reason: error.message }) };
  }
  const pairs = text.split("\n").filter((line) => line.trim())
    .map((line) => [line, ...(/^\s*([^=]*\S)\s*=\s*(.*?)\s*$/.exec(line)?.slice(1) ?? [])]);
  const wrong = pairs.find((pair) => pair.length < 3);
  return wrong ? { problem: t("inputs-no-key", { line: wrong[0].trim() }) }
    : { inputs: Object.fromEntries(pairs.map(([, key, value]) => [key, value])) };
}

// MARK: Problems

const severitySign = (severity) =>
  sign(severity, severity === "error" ? "close" : "warning", t(`severity-${severity}`));
const placeText = ({ file, line, column }) =>
  [file, line && t("line-n", { n: line }), line && column && t("column-n", { n: column })].filter(Boolean).join(", ");

export const findingRows = (findings, shown = 100) => portions(findings, (finding) =>
  row(severitySign(finding.severity), "", words(finding.message), h("p.cure", finding.cure),
    small(h("bdi", placeText(finding)), " ", button(finding.rule, doing(() => showRule(finding.rule)), "link",
      { "aria-label": t("rule-label", { rule: finding.rule }) }))), shown);

async function showRule(name) {
  const { body: rule } = await api.get(`rules/${name}`, { keep: true });
  const lines = (title, text) => text?.length > 0
    && [h("h3", title), h("pre", { tabindex: 0, dir: "ltr" }, [text].flat().join("\n"))];
  await dialog({ title: rule.rule, body: [h("p", severitySign(rule.severity), " ", rule.summary),
    h("p.cure", rule.cure), lines(t("example"), rule.example),
    lines(t("rule-before"), rule.before), lines(t("rule-after"), rule.after)].flat().filter(Boolean),
      actions: [{ label: t("close"), value: "" }] });
}

/** What the checks found in `{session, findings}`, with a filter by severity. */
function findingsNodes(groups, isGrouped, allGood) {
  const ofSeverity = (findings, severity) => findings.filter((finding) => finding.severity === severity);
  const counts = ["error", "warning"].map((severity) =>
    [severity, ofSeverity(groups.flatMap(({ findings }) => findings), severity).length]).filter(([, n]) => n > 0);
  if (counts.length === 0) return emptyState("check", t("no-problems"), allGood);
  const list = h("div");
  let only = "";
  const fill = () => list.replaceChildren(...groups.map(({ session, findings }) =>
    [session, only ? ofSeverity(findings, only) : findings])
    .filter(([, findings]) => findings.length > 0).flatMap(([session, findings]) => (isGrouped ? section(
      h("a", { href: `#/s/${session.handle}/problems` }, nameOf(session)),
        session.title && h("p.quiet", when(session.start_time)), findingRows(findings)) : findingRows(findings))));
  fill();
  return [chips(t("only"), counts.map(([severity, n]) => [severity, severitySign(severity), ` ${fmt.number(n)}`]),
    (severity) => only === severity, (severity) => {
    only = only === severity ? "" : severity;
    fill();
  }), list];
}

const problemsTab = (root, { handle, session }) => loader(root, async (signal) => {
  const answer = await api.get(`sessions/${handle}/findings`, { signal, keep: true });
  return [asOf(answer), findingsNodes([{ session, findings: answer.body.flatMap((group) => group.findings) }], false,
    t("no-problems-session"))];
}, { follows: [onEvents(["finding", "session"], handle)] });

function problemsView(root) {
  return loader(root, async (signal) => {
    const [answer, names] = await Promise.all([api.get("findings", { signal, keep: true }),
      sessionsByHandle({ problems: true }, signal)]);
    const groups = answer.body.map((group) => ({ session: names.get(group.handle) ?? group, findings: group.findings }))
      .filter((group) => group.findings.length);
    groups.sort((a, b) => (b.session.start_time ?? "").localeCompare(a.session.start_time ?? ""));
    return [asOf(answer), findingsNodes(groups, true, t("no-problems-all"))];
  }, { follows: [onEvents(["finding", "session"])] });
}

async function sessionsByHandle(query, signal) {
  const { body } = await api.get("sessions", { query: { limit: 1000, ...query }, signal, keep: true });
  return new Map(body.map((session) => [session.handle, session]));
}

// MARK: Search

/** Hits as one types; what is asked too soon for the server is asked again by itself. */
function searchView(root, route) {
  const kinds = new Set(route.query.getAll("kind"));
  const input = h("input", { type: "search", value: route.query.get("q") ?? "", dir: "auto", enterkeyhint: "search",
    autocapitalize: "off",
    "aria-label": t("search-all"), placeholder: t("search-all"), maxlength: 1000 });
  const status = h("p.quiet", { role: "status" }), results = h("div");
  let timer, view;
  const search = (wait = 250) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      view?.close();
      const q = input.value.trim(), query = { q, kind: [...kinds] };
      history.replaceState(history.state, "",
        `#/search?${new URLSearchParams([["q", q], ...query.kind.map((kind) => ["kind", kind])])}`);
      status.textContent = "";
      view = loader(results, async (signal) => {
        if (!q) return emptyState("search", t("search-title"), t("search-text"));
        const { hits, isKept, hasNoWords } = await find({ ...query, limit: 200 }, signal);
        if (hasNoWords) return emptyState("search", t("no-words", { q }), t("no-words-text"));
        if (!signal.aborted && hits.length) status.textContent = t(hits.length < 200 ? "hits" : "hits-first",
          { n: hits.length });
        const groups = hits.reduce((all, hit) => all.set(hit.handle, [...all.get(hit.handle) ?? [], hit]), new Map());
        return [isKept && notice("quiet", "outbox", t("search-offline")),
          hits.length ? [...groups.values()].map((group) => hitsOfJournal(group, q))
            : emptyState("search", t("no-hits", { q }), t("no-hits-text"))];
      });
    }, wait);
  };
  input.addEventListener("input", () => search());
  root.replaceChildren(h("form.searching",
    { role: "search", onsubmit: (event) => (event.preventDefault(), search(0)) }, icon("search"), input),
    chips(t("only"), ["marker", "voice_note", "transcript", "session"].map((kind) =>
      [kind, icon(kindIcons[kind]), t(`kind-${kind}`)]), (kind) => kinds.has(kind),
      (kind) => (kinds.delete(kind) || kinds.add(kind), search(0))), status, results);
  search(0);
  input.focus();
  return { close: () => (clearTimeout(timer), view?.close()) };
}

/** The hits at the server; where that can't be reached, those in the markers that this browser has kept. */
async function find(query, signal) {
  try {
    return { hits: (await api.get("search", { query, signal })).body };
  } catch (error) {
    if (error.code === "no-words") return { hits: [], hasNoWords: true };
    if (error.offline) return { hits: await findKept(query), isKept: true };
    if (error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 500));
    signal.throwIfAborted();
    return find(query, signal);
  }
}

async function findKept({ q, kind }) {
  const wanted = q.toLocaleLowerCase().split(/\s+/), kept = await store.all("kept");
  const sessions = new Map(kept.filter(({ address }) => /^sessions(\?|$)/.test(address))
    .flatMap(({ body }) => body.map((row) => [row.handle, row])));
  const markers = new Map(kept.flatMap(({ address, body }) => {
    const handle = decodeURIComponent(/^sessions\/([^/]+)\/markers(\?|$)/.exec(address)?.[1] ?? "");
    return handle ? body.map((record) =>
      [record.id, { title: sessions.get(handle)?.title, handle, kind: "marker", offset_ms: record.offset_ms, record,
      snippet: [record.label, record.note].filter(Boolean).join(" – ") }]) : [];
  }));
  return [...markers.values()].filter(({ snippet }) => (!kind.length || kind.includes("marker"))
    && wanted.every((word) => snippet.toLocaleLowerCase().includes(word))).slice(0, 200);
}

/** A snippet: what was found stands between two private-use characters; without them, the typed words are marked. */
function marked(snippet, q) {
  const typed = new RegExp(`(${q.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "i");
  return snippet.split(/[\ue000-\uf8ff]/.test(snippet) ? /[\ue000-\uf8ff]/ : typed)
    .map((part, index) => (index % 2 ? h("mark", part) : part));
}

/** Those of a session lead to their places, those of another journal to their days. */
function hitsOfJournal(hits, q) {
  const [{ kind, handle, wall_time: start }] = hits, isSession = kind in kindIcons;
  const href = `#/${isSession ? "s" : "journals"}/${handle}`;
  const hitRow = (hit) => (isSession ? offsetRow(handle, hit.offset_ms, kindSign(hit), marked(hit.snippet, q))
    : linkRow(hit.wall_time ? `#/day/${dayOf(hit.wall_time)}` : href, kindSign(hit), marked(hit.snippet, q),
      when(hit.wall_time, fmt.day)));
  return section(h("a", { href }, nameOf(hits[0])), isSession && h("p.quiet", when(start, fmt.day)),
    rows(hits.filter((hit) => (isSession ? hit.kind !== "session" : hit.kind.includes("."))), hitRow));
}

// MARK: At a time

/** A moment (ms) as the clock here shows it, in the spelling of date and time fields: `2026-02-04T20:15`. */
const civil = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
export const dayOf = (time) => civil(Date.parse(time)).slice(0, 10);

/** The button to the day before (-1) or after (1). */
export const arrow = (days, shift) => button(icon("back"), () => shift(days), `icon-button.${days < 0 ? "previous" : "next"}`,
  { "aria-label": t(days < 0 ? "day-before" : "day-after") });

/** A day's line with what ran then, and what was around the moment that is asked for. */
function atView(root, route) {
  const date = h("input", { type: "date", required: true, "aria-label": t("date") }),
    time = h("input", { type: "time", required: true, "aria-label": t("time") });
  const content = h("div"), open = (ms) => go(`#/at/${civil(ms)}`);
  let moment, view;
  const shift = (days) => open(new Date(moment)
    .setDate(new Date(moment).getDate() + days)); // not every day has 24 hours
  const typed = () => date.value && time.value && open(Date.parse(`${date.value}T${time.value}`));
  for (const input of [date, time]) input.addEventListener("change", typed);
  const update = ({ path }) => {
    moment = Date.parse(path[1] ?? "");
    view?.close();
    view = loader(content, async (signal) => {
      moment ||= Date.parse((await api.get("sessions",
        { query: { limit: 1 }, signal, keep: true })).body[0]?.start_time ?? "") || clock.now();
      [date.value, time.value] = civil(moment).split("T");
      return dayNodes(moment, open, signal);
    });
  };
  root.replaceChildren(h("div.when", arrow(-1, shift), date, arrow(1, shift), time), content);
  update(route);
  return { update, close: () => view.close() };
}

async function dayNodes(moment, open, signal) {
  const start = new Date(moment).setHours(0, 0, 0, 0), end = new Date(start + 36 * HOUR).setHours(0, 0, 0, 0);
  const text = (ms) => new Date(ms).toISOString();
  const get = (path, query) => api.get(path, { query, signal }); // not kept: there would be no end of days
  const all = async (path, query) => {
    const body = [];
    for (let next = query; next;) {
      const page = await get(path, next);
      for (const one of page.body) body.push(one);
      ({ next } = page);
    }
    return { body };
  };
  const [{ body: sessions }, { body: markers }, around] = await Promise.all([
    all("sessions", { since: text(start - DAY), until: text(end - 1), limit: 1000 }),
      // also those that went on past midnight
    all("markers", { since: text(start), until: text(end - 1), limit: 1000 }),
      get("at", { time: text(moment), within: "120s" })]);
  const now = clock.now();
  const ran = sessions.filter((session) => session.start_time).map((session) => {
    const from = Date.parse(session.start_time), isRunning = session.status === "active" && !session.forgotten_since;
    return { session, from, to: Date.parse(session.end_time ?? session.forgotten_since ?? "")
      || (isRunning ? now : from + (session.duration_ms ?? MINUTE)) };
  });
  const lanes = ran.filter(({ to }) => to >= start).reverse()
    .map(({ session, from, to }) => ({ session, from: Math.max(start, from), to: Math.min(end, to) }));
  // One that was left open long ago is not among those of the day.
  const isOn = ({ handle }) => ran.some(({ session, to }) => session.handle === handle && to + MINUTE >= moment);
  const running = around.body.filter(isOn)
    .map(({ handle, offset_ms: offset, records, title }) =>
    section(h("a", { href: `#/s/${handle}?at=${offset}` }, nameOf({ title })),
    h("ul.items", offsetRow(handle, offset, icon("play"), t("open-here")),
      records.map(({ kind, offset_ms: ms, record = {} }) => offsetRow(handle, ms, kindSign({ kind, record }),
      (record.label || record.text || record.transcript_text || record.note || t(`one-${kind}`)).slice(0, 300))))));
  const earlier = doing(async () => {
    const { body: [last] } = await get("sessions", { until: text(start - 1), limit: 1 });
    return last?.start_time ? open(Date.parse(last.start_time)) : toast(t("none-before"));
  });
  const nothing = lanes.length ? h("p.quiet", t("nothing-at", { time: fmt.time(moment) }))
    : emptyState("day", t("empty-day"), t("empty-day-text"), button(t("last-before"), earlier, "primary"));
  return [lanes.length > 0 && dayLine(lanes, markers, moment, [start, end], open), running.length ? running : nothing];
}

/** Sessions as bars, markers as ticks, over the hours in which there are any. A press beside them asks for a moment. */
function dayLine(lanes, markers, moment, [start, end], open) {
  const hour = (ms) => new Date(ms).setMinutes(0, 0, 0);
  const from = Math.max(start, hour(Math.min(moment, ...lanes.map((lane) => lane.from)) - 10 * MINUTE));
  const to = Math.min(end, Math.max(from + 2 * HOUR,
    hour(Math.max(moment, ...lanes.map((lane) => lane.to)) + 70 * MINUTE)));
  const share = (ms) => (ms - from) / (to - from), step = Math.ceil((to - from) / HOUR / 5) * HOUR;
  const bar = ({ session, from: first, to: last }) => {
    const side = share(first) > 0.55 ? { right: 1 - share(last) }
      : { left: share(first) }; // where there is room for the name
    return h("a.lane", { href: `#/s/${session.handle}`,
      "aria-label": t("lane-label", { title: nameOf(session), from: fmt.time(first), to: fmt.time(last) }) },
      sized(h("span.lane-name", { dir: "auto" }, nameOf(session)), side),
      sized(h("span.bar", markers.filter((marker) => marker.handle === session.handle && marker.wall_time)
        .map((marker) => tick(marker, (Date.parse(marker.wall_time) - first) / (last - first || 1)))),
          { left: share(first), width: share(last) - share(first) }));
  };
  const hours = Array.from({ length: Math.ceil((to - from) / step) }, (_, n) => from + n * step);
  return h("div.day-line", { dir: "ltr", onclick({ target, currentTarget, clientX }) {
    const { left, width } = currentTarget.getBoundingClientRect();
    if (!target.closest("a")) open(from + ((clientX - left) / width) * (to - from));
  } }, h("div.hours", { "aria-hidden": "true" },
    hours.map((ms) => sized(h("span", fmt.time(ms)), { left: share(ms) }))),
  lanes.map(bar), sized(h("i.now", { "aria-hidden": "true" }), { left: share(moment) }));
}

// MARK: Outbox

function outboxView(root) {
  return stack(root, [() => {
    const all = outbox.all().filter((entry) => entry.state !== "at-server").sort((a, b) => a.made - b.made);
    const entries = all.filter(isMine), foreign = Map.groupBy ? Map.groupBy(all.filter((one) => !isMine(one)), ({ by }) => by.person)
      : new Map(all.filter((one) => !isMine(one)).map((one) => [one.by.person, all.filter(({ by }) => by?.person === one.by.person)]));
    if (all.length === 0) return emptyState("check", t("outbox-empty"), t("outbox-empty-text"));
    const needy = entries.filter((entry) => entry.state === "needs-you"),
      waiting = entries.filter((entry) => entry.state !== "needs-you");
    return [needy.length > 0 && section(t("needs-you-title"), h("p.quiet", t("needs-you-text")), rows(needy, entryRow)),
      waiting.length > 0 && section(t("waits-title"),
        Date.now() - waiting[0].made > DAY && notice("bad", "warning", t("waits-long")), rows(waiting, entryRow)),
      // Of what somebody else wrote nothing is shown but that it is there.
      foreign.size > 0 && section(t("of-others"), rows([...foreign], ([person, theirs]) => row(icon("outbox"),
        t("of-other-waits", { n: theirs.length, person }), h("div.buttons", button(t("discard"), doing(() => discardAll(theirs)), "danger"))))),
      entries.length > 0 && h("div.part.buttons", waiting.length > 0
        && button([icon("retry"), t("send-now")], doing(() => outbox.drain(true)), "primary", { "data-focus": "send" }),
        button([icon("download"), t("save-all")], doing(() => saveEntries(entries)), "", { "data-focus": "all" })),
      entries.length > 0 && h("p.quiet", t("save-all-hint"))];
  }, { lines: 3, follows: [outbox.on] }], !me.filtered && [serverQueue, { lines: 2, follows: [onEvents(["queue"])] }]);
}

const entryText = ({ kind, body, session }) =>
  dots(session.what ?? body.action ?? (body.label || categoryOf(body.tags)?.name() || t(`one-${kind}`)),
  Number.isFinite(body.offset_ms) && fmt.offset(body.offset_ms));

function entryRow(entry) {
  const isNeedy = entry.state === "needs-you", isOld = Date.now() - entry.made > DAY;
  const act = (name, work, kind) =>
    button(t(name), doing(() => work(entry)), kind, { "data-focus": `${entry.id}-${name}` });
  return row(icon(kindIcons[entry.kind] ?? "outbox"), entryText(entry), small(nameOf(entry.session)),
    h(isOld ? "small.old" : "small", dots(fmt.ago(entry.made + entry.difference),
    entry.state === "recording" && t("recording-now"), entry.tries > 1 && !isNeedy && t("tries", { n: entry.tries }))),
      entry.problem && h("p.cure.bad", entry.problem),
  h("div.buttons", isNeedy && entry.kind !== "marker.remove" && act("edit", editEntry), isNeedy && act("retry", again),
    entry.kind === "voice_note" && act("save-audio", saveAudio),
    entry.kind !== "marker.remove" && act("save-entry", (one) => saveEntries([one])),
    isNeedy && act("discard", discard, "danger")));
}

async function again(entry, body = entry.body) {
  await outbox.update(entry.id, (kept) =>
    ({ ...kept, body, sent: undefined, state: "waiting", problem: undefined, tries: 0, last: 0 }));
  await outbox.drain(true);
}

const discard = async (entry) => await ask(t("discard-title"), h("p", t("discard-text", { what: entryText(entry) })),
  t("discard"), true) && outbox.remove(entry.id);

const discardAll = async (entries) => {
  const about = t("discard-all-text", { n: entries.length, person: entries[0].by.person });
  if (!await ask(t("discard-title"), h("p", about), t("discard"), true)) return;
  for (const { id } of entries) await outbox.remove(id);
};

/** A field for each member of what the server refused; the value of one that is not a text is JSON. */
async function editEntry(entry) {
  const fields = Object.entries(entry.body).map(([key, value]) => [key, typeof value === "string",
    h("textarea", { rows: 1, dir: "auto", value: typeof value === "string" ? value : JSON.stringify(value) })]);
  const read = ([key, isText, input]) => {
    try {
      return [key, isText ? input.value : JSON.parse(input.value)];
    } catch (error) {
      throw new FieldError(input, t("inputs-not-json", { reason: error.message }));
    }
  };
  await form(t("edit"), [notice("bad", "warning", entry.problem), ...fields.map(([key, , input]) => field(key, input))], t("send"),
    `entry/${entry.id}`, () => again(entry, Object.fromEntries(fields.filter(([, , input]) => input.value.trim()).map(read))));
}

const audioName = ({ id, audio }) =>
  `${id}.${/webm|ogg|wav|flac/.exec(audio?.type)?.[0] ?? (/mpeg/.test(audio?.type) ? "mp3" : "m4a")}`;

async function saveAudio(entry) {
  const blob = await outbox.audio(entry.id);
  if (blob) save(audioName(entry), blob);
  else toast(t("audio-gone"), { kind: "bad" });
}

/** Entries as a spool has them, one a line: what `POST /queue` takes. */
async function saveEntries(entries) {
  const lines = await Promise.all(entries.filter(({ kind }) => kind !== "marker.remove").map(async (entry) => {
    const { id, kind, session, body, made, difference } = entry,
      created = body.created_at ?? new Date(made + difference).toISOString();
    const blob = kind === "voice_note" && await outbox.audio(id), name = audioName(entry);
    const hash = blob && crypto.subtle && Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256",
      await blob.arrayBuffer())), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const payload = session.what ? body : { id, created_at: created, ...(kind === "action_request" && { status: "started" }),
      ...(blob && { media_path: `media/${name}` }), ...body };
    return JSON.stringify({ id, kind, [session.what ? "journal_id" : "session_id"]: session.id, created_at: created, device: me.name, payload,
      attachment: blob ? { name, size: blob.size, sha256: hash || null } : undefined });
  }));
  save(entries.length === 1 ? `${entries[0].id}.json` : `trace-outbox-${civil(Date.now()).replace(":", "")}.jsonl`,
    `${lines.join("\n")}\n`, "application/jsonl");
}

/** What waits at the server, and for admins what it refused or has lost. */
async function serverQueue(signal, reload) {
  const isAdmin = me.can("admin");
  const { body } = await api.get("queue", { query: { all: isAdmin || undefined }, signal });
  const items = body.filter((item) => !["applied", "removed", "dropped"].includes(item.state));
  const send = (item, verb) => doing(async () => {
    if (verb === "drop" && !(await ask(t("drop"), h("p", t("drop-text")), t("drop"), true))) return;
    const { body: outcome } = await api.send("POST", `queue/${item.id}/${verb}`);
    toast(outcome.result ? dots(t(`result-${outcome.result}`), outcome.reason) : t("result-dropped"));
    reload();
  });
  return section(t("at-server"), items.length === 0 ? h("p.quiet", t("at-server-none"))
    : rows(items, (item) => row(icon(kindIcons[item.kind] ?? "warning"), t(`result-${item.state ?? "waiting"}`),
    small(dots(item.kind && t(`one-${item.kind}`), item.payload?.label, item.device, when(item.created_at, fmt.ago))),
      (item.reason ?? item.problem) && words(item.reason ?? item.problem),
    isAdmin && h("div.buttons", button(t(item.state === "record-vanished" ? "put-back" : "retry"), send(item, "retry")),
      item.state !== "record-vanished" && button(t("drop"), send(item, "drop"), "danger")))));
}

// MARK: Settings

function settingsView(root) {
  root.append(habits(), keyNodes());
  return stack(root, [deviceNodes, { lines: 2 }], [browserNodes, { lines: 3 }], [keptNodes, { lines: 2 }],
    me.can("admin") && !me.filtered && [tokenNodes, { lines: 3 }], !me.filtered && [statusNodes, { lines: 3 }]);
}

function choice(key, options, hint) {
  const radio = (value) => h("input", { type: "radio", name: key, checked: settings.get(key) === value,
    onchange: () => settings.set(key, value) });
  return h("fieldset", h("legend", t(key)),
    h("div.choices", options.map(([value, text]) => h("label.choice", radio(value), text))), hint && h("small", hint));
}

const toggle = (key, hint) => h("label.switch", h("span", t(key), h("small", hint)), h("input", {
  type: "checkbox", checked: settings.get(key), onchange: ({ target }) => settings.set(key, target.checked) }));

const habits = () => section(t("how-it-works"),
  choice("theme", ["auto", "light", "dark"].map((value) => [value, t(`theme-${value}`)])),
  choice("lead_ms", [0, 1, 2, 3, 5, 10].map((s) => [1000 * s, s ? t("seconds", { s }) : t("none")]), t("lead-hint")),
  me.can("mark") && toggle("announce", t("announce-hint")),
    choice("lock_screen", ["markers", "seek"].map((value) => [value, t(`lock-${value}`)]), t("lock-hint")));

/** The key of each thing that keys do, by the names of `keys.bind`; `settings.keys` has those that were changed. */
const keyNames = ["Space", "ArrowLeft", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowRight", "[", "]", "1", "2", "3",
  "4", "b", "r", "l", "<", ">", "n", "u", "/", "d", "?"];
const usableKeys = () => keyNames.filter((key) => me.can("mark") || !"1234brnu".includes(key));
const keyNow = (key) => settings.get("keys")[key] ?? (key.length === 1 ? key.toUpperCase() : key);
const keySign = (key) => h("kbd.cap",
  keyNow(key).replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("+", " + "));

/** Keys may be turned off and changed (WCAG 2.1.4): a press on one waits for another. */
function keyNodes() {
  const list = h("ul.items");
  const wait = ({ currentTarget }) => {
    currentTarget.focus(); // which a press does not do in Safari
    currentTarget.firstChild.replaceWith(h("kbd.cap", t("press-key")));
  };
  const keyButton = (key) => button(keySign(key), wait, "key", {
    "aria-label": t("change-key", { what: t(`key-${key}`), key: keyNow(key) }), "data-key": key,
    onkeydown: (event) => take(event, key),
    onblur: ({ currentTarget }) => currentTarget.firstChild.replaceWith(keySign(key)),
  });
  const keyRow = (key) => h("li.item", h("span.item-text", t(`key-${key}`)), keyButton(key));
  const fill = () => list.replaceChildren(...usableKeys().map(keyRow));
  const take = (event, key) => {
    const isWaiting = event.currentTarget.textContent === t("press-key");
    if (!isWaiting || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key) || event.ctrlKey
      || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const taken = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase()
      : `${event.shiftKey ? "Shift+" : ""}${event.key}`;
    const used = keyNames.find((other) => other !== key && keyNow(other) === taken);
    if (used) toast(t("key-used", { what: t(`key-${used}`) }), { kind: "bad" });
    else if (taken !== "Escape") settings.set("keys", { ...settings.get("keys"), [key]: taken });
    fill();
    list.querySelector(`[data-key="${CSS.escape(key)}"]`).focus();
  };
  fill();
  return section(t("keys"), toggle("keys_on", t("keys-hint")),
    h("details", h("summary.more-link", t("change-keys")), list,
      button(t("reset-keys"), () => (settings.set("keys", {}), fill()))));
}

function deviceNodes() {
  const leave = doing(async () => {
    const left = outbox.all().filter((entry) => isMine(entry) && entry.state !== "at-server"), n = left.length;
    const asked = await dialog({ title: t("sign-out"), body: h("div", h("p", n ? t("sign-out-waiting", { n }) : t("sign-out-text")),
      n > 0 && h("ul", left.slice(0, 10).map((entry) => h("li", { dir: "auto" }, dots(entryText(entry), nameOf(entry.session))))),
      n > 10 && h("p", t("and-more", { n: n - 10 }))), actions: [{ label: t("cancel") },
      n > 0 && { label: t("send-first"), value: "send", primary: true },
      { label: t("sign-out"), value: "yes", danger: true, primary: !n }].filter(Boolean) });
    if (asked === "yes") await signOut();
    if (asked !== "send") return;
    await outbox.drain(true);
    go("#/outbox");
  });
  return section(t("this-device"),
    h("dl.facts-list", fact(t("token-name"), me.name ?? "–"), fact(t("person"), me.person),
    fact(t("may"), t(`scope-${me.scope}`), me.filtered && ` ${t("only-shared")}`),
      me.expires_at && fact(t("until-when"), when(me.expires_at))),
  button(t("sign-out"), leave, "danger"));
}

/** What this browser can do, and the cure of what it can't. */
async function browserNodes(signal, reload) {
  const media = navigator.mediaDevices?.getUserMedia && globalThis.MediaRecorder;
  const microphone = await navigator.permissions?.query({ name: "microphone" }).catch(() => null);
  const isKept = await navigator.storage?.persisted?.() ?? false;
  const isApp = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  const can = (name, isThere, cure, action) =>
    row(sign(isThere ? "succeeded" : "failed", isThere ? "check" : "warning", t(isThere ? "yes" : "no")),
    t(`can-${name}`),
    !isThere && h("p.cure", t(`cure-${cure}`)), !isThere && action);
  const persist = doing(async () =>
    (toast(t(await navigator.storage.persist() ? "persist-granted" : "persist-denied")), reload()));
  return section(t("this-browser"), h("ul.items", can("secure", isSecureContext, "secure"),
    me.can("mark") && can("record", media && microphone?.state !== "denied", media ? "record-denied" : "record"),
    can("offline", "serviceWorker" in navigator, "offline"),
    me.can("mark") && can("persist", isKept, navigator.storage?.persist ? "persist" : "offline",
      navigator.storage?.persist && button(t("ask-persist"), persist)),
    matchMedia("(pointer: coarse)").matches
      && can("home", isApp, /iP(hone|ad|od)/.test(navigator.userAgent) ? "home-ios" : "home")));
}

async function keptNodes(signal, reload) {
  const { keptAudio } = await import("./player.js").catch(() => ({})); // a module that was not loaded yet, offline
  const items = await keptAudio?.list() ?? [];
  const remove = (item) => doing(async () => (await keptAudio.remove(item.href), reload()));
  return section(t("kept-title"),
    items.length === 0 ? h("p.quiet", t("kept-none")) : [rows(items, (item) => h("li.item", icon("kept"),
    h("div.item-text", h("a", { href: `#/s/${/sessions\/([^/]+)/.exec(item.href)?.[1]}`, dir: "auto" },
      item.title || t("untitled")), small(fmt.bytes(item.bytes))),
    button(t("remove"), remove(item), "", { "aria-label": t("remove-kept", { title: item.title }) }))),
  h("p.quiet", t("kept-sum", { size: fmt.bytes(items.reduce((sum, { bytes }) => sum + bytes, 0)) }))]);
}

async function tokenNodes(signal, reload) {
  const others = (await api.get("tokens", { signal })).body.filter((token) => token.id !== me.id);
  const revoke = ({ id, name }) => doing(async () => {
    if (!(await ask(t("revoke-title", { name }), h("p", t("revoke-text")), t("revoke"), true))) return;
    await api.send("DELETE", `tokens/${id}`);
    toast(t("revoked", { name }));
    reload();
  });
  return section(t("other-devices"), others.length === 0 ? h("p.quiet", t("other-devices-none"))
    : rows(others, (token) => h("li.item", icon(token.link ? "share" : "key"),
    h("div.item-text", h("b", { dir: "auto" }, token.name),
      small(dots(token.person, t(`scope-${token.scope}`), (token.sessions || token.roots) && t("only-shared"),
      token.expired && t("expired"))),
      small(token.last_used_at ? t("last-used",
        { when: when(token.last_used_at, fmt.ago), address: token.last_address ?? "–" }) : t("never-used"))),
    button(t("revoke"), revoke(token), "danger", { "aria-label": t("revoke-title", { name: token.name }) }))));
}

async function statusNodes(signal) {
  const { body: status } = await api.get("status", { signal });
  const { daemon, queue, index, roots, lost, failed } = status;
  const bad = [daemon?.ailment, daemon?.problem, ...daemon?.listen_problems ?? [], index.problem,
    ...queue.map((spool) => spool.problem), lost > 0 && t("status-lost", { n: lost }),
    failed > 0 && t("status-failed", { n: failed }),
      roots.some((root) => !root.online) && t("status-offline")].filter(Boolean);
  const link = (address, ...values) => h("a", { href: address }, t(...values));
  return section(t("the-server"), bad.length ? bad.map((text) => notice("bad", "warning", text))
    : notice("good", "check", t("status-good")), h("dl.facts-list",
    fact(t("version"), me.version),
      fact(t("sessions"), t("status-sessions", { n: status.sessions, active: status.active })),
    fact(t("problems"), link("#/problems", "status-problems", { errors: status.errors, warnings: status.warnings })),
    fact(t("queue"), link("#/outbox", "status-queue", { n: queue.reduce((sum, { waiting }) => sum + waiting, 0) })),
      daemon?.since && fact(t("running-since"), when(daemon.since))));
}

// MARK: Help

function helpView(root) {
  const steps = me.can("mark") ? ["mark", "listen", "name", "digest", "offline"] : ["listen", "digest"];
  root.replaceChildren(section(t("first-steps"), h("ol.steps", steps.map((step) => h("li", t(`step-${step}`))))),
    section(t("the-categories"), rows(categories, (category) =>
      row(badge(category), category.name(), h("p", t(`about-${category.tag}`))))),
    section(t("keys"), h("dl.key-table", usableKeys().map((key) => [h("dt", keySign(key)), h("dd", t(`key-${key}`))])),
      h("p", h("a", { href: "#/settings" }, t("change-keys")))));
  return { close() {} };
}

export const tabs = { digest: digestTab, actions: actionsTab, problems: problemsTab };
export const views = { search: searchView, at: atView, problems: problemsView, outbox: outboxView,
  settings: settingsView, help: helpView };

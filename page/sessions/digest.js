/** The tab Digest. */
import { h, icon } from "../base/dom.js";
import { badge, categories, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { drafts } from "../data/drafts.js";
import { me } from "../data/identity.js";
import { save } from "../ui/asking.js";
import { placeText, severitySign } from "../ui/findings.js";
import {
  asOf, button, doing, dots, loader, onEvents, row, rows, section, sized, small, tick, when, words,
} from "../ui/parts.js";
import { come, emptyState } from "../ui/say.js";
import { stateSign } from "./states.js";

/** What is done with its file; it comes behind what is read. */
const file = () => come(import("./digest-file.js"));

/** @type {(root: HTMLElement, context: TabContext) => View} */
export const tab = (root, context) => loader(root, async (signal, reload) => {
  const answer = await api.get(`sessions/${context.handle}/digest`, { signal, keep: true });
  // What was being written when the page went.
  const isOpen = document.querySelector("dialog[open]");
  const later = file();
  if (drafts.get(`digest/${context.handle}`) && me.can("admin") && !isOpen) {
    later.then(({ editDigest }) => (signal.aborted ? undefined : editDigest(context.handle, reload))).catch(() => {});
  } else later.catch(() => {});
  return [asOf(answer), digestNodes(answer.body, context, reload)];
}, { lines: 9, follows: [onEvents(["marker", "voice_note", "action", "finding"], context.handle)] });

/**
 * @param {Api.Digest} digest
 * @param {TabContext} context
 * @param {() => Promise<void>} reload
 */
function digestNodes(digest, context, reload) {
  const { counts, more, handle, words: written, duration_ms: length } = digest;
  /**
   * @type {<Name extends keyof Api.DigestRest>(
   *   name: Name, tab: string, make: (one: Api.Digest[Name][number]) => Child,
   * ) => Child}
   */
  const list = (name, tab, make) => digest[name].length > 0 && section(t(`digest-${name}`), rows(digest[name], make),
    more[name] > 0 && h("a.more-link", { href: `#/s/${handle}${tab}` }, t("and-more", { n: more[name] })));
  /** @type {(lead: Child, n: number, name: string) => HTMLElement} */
  const count = (lead, n, name) => h(n ? "li" : "li.none", lead, h("b", fmt.number(n)), h("span", name));
  const moment = (/** @type {Api.Moment} */ marker) => momentRow(marker, context);
  return h("article.digest",
    h("p.facts", dots(when(digest.start_time), length !== undefined && fmt.length(length),
      digest.status === "active" && t("still-running"))),
    h("ul.counts", categories.map((category) =>
      count(badge(category), counts[/** @type {keyof typeof counts} */ (category.tag.replace("-", "_"))],
        category.name())),
      count(icon("mic"), counts.voice_notes, t("voice-notes-n", { n: counts.voice_notes }))),
    written && h("section.words", { "aria-label": t("your-words") },
      written.blocks.map((block) => blockNode(/** @type {DigestPart} */ (block), context))),
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
        doing(async () => save(`digest-${handle}.md`, (await (await file()).markdown(handle)).body, "text/markdown"))),
      me.can("mark") && button([icon("retry"), t("generate")],
        doing(async () => (await file()).generate(handle, reload)), "", { "data-focus": "generate" }),
      me.can("admin") && button([icon("digest"), t("edit-words")],
        doing(async () => (await file()).editDigest(handle, reload)), "", { "data-focus": "edit" })));
}

/** @type {(ms: number, context: TabContext, text?: string) => HTMLButtonElement} */
const timeButton = (ms, context, text = fmt.offset(ms)) =>
  button(text, () => context.player.play(ms), "time", { "aria-label": t("play-from", { time: text }) });

/**
 * @param {Api.Moment} moment
 * @param {TabContext} context
 */
function momentRow(moment, context) {
  const category = categoryOf(moment.tags);
  return row([timeButton(moment.offset_ms, context), badge(category)],
    moment.label || category?.name() || t("unnamed"), moment.note && words(moment.note),
    (moment.duration_ms || moment.voice_note_id)
      && small(moment.duration_ms && t("until", { time: fmt.offset(moment.offset_ms + moment.duration_ms) }),
      moment.voice_note_id && [" ", icon("mic"), t("spoken")]));
}

/**
 * How the markers are spread, and the moments that the digest names. A press plays.
 * @param {Api.Digest} digest
 * @param {TabContext} context
 */
function spread({ timeline, duration_ms: length = 1, notable_moments: moments, fixes }, context) {
  const { counts } = /** @type {Api.DigestTimeline} */ (timeline), most = Math.max(1, ...counts);
  /** @param {Happening<MouseEvent, HTMLElement>} event */
  const play = ({ currentTarget, clientX }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    context.player.play(Math.round((length * (clientX - left)) / width));
  };
  return h("figure.spread", { dir: "ltr" },
    h("div.bars", { role: "img", "aria-label": t("spread-label", { length: fmt.length(length) }), onclick: play },
    counts.map((count) => sized(h("i"), { height: count / most })),
      [...moments, ...fixes].map((moment) => tick(moment, moment.offset_ms / length))),
  h("div.scale", { "aria-hidden": "true" }, h("span", fmt.offset(0)), h("span", fmt.offset(length))));
}

/** @type {Record<string, string>} */
const inlineTags = { code: "code", break: "br", emphasis: "em", strong: "strong", strike: "s" };

/**
 * The words of a block; of links, those that lead to the web alone.
 * @type {(parts: Api.DigestInline[] | undefined, context: TabContext) => Child[]}
 */
const inlines = (parts = [], context) => parts.map((part) => {
  if (part.type === "text") return part.text;
  if (part.type === "time") return timeButton(/** @type {number} */ (part.offset_ms), context, part.text);
  const inside = part.text ?? inlines(part.inlines, context);
  if (part.type !== "link") return part.type in inlineTags && h(inlineTags[part.type], {}, inside);
  if (!/^(https?|mailto):/i.test(part.href ?? "")) return inside;
  return h("a", { href: part.href, rel: "noreferrer noopener", target: "_blank" }, inside);
});

/**
 * A block of the hand-written words; what this page does not know is left out.
 * @param {DigestPart} block
 * @param {TabContext} context
 * @returns {Child}
 */
function blockNode(block, context) {
  const blocks = (/** @type {Api.DigestBlock[]} */ all) =>
    all.map((inner) => blockNode(/** @type {DigestPart} */ (inner), context));
  /** @type {(tag: string, all: Api.DigestInline[][]) => HTMLElement} */
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

texts({
  "still-running": "still running",
  "voice-notes-n": { one: "Voice note", other: "Voice notes" },
  "your-words": "Your words",
  "spread-label": "Where the markers are, over {length}",
  "digest-notable_moments": "Listen to first",
  "digest-fixes": "To fix",
  "digest-voice_notes": "Said",
  "digest-actions": "Actions",
  "digest-problems": "Problems",
  "digest-empty": "Nothing marked yet",
  "digest-empty-mark": "Mark a few moments while you listen, and this becomes the summary of the session.",
  "digest-empty-read": "As soon as somebody marks a moment, it appears here.",
  "not-transcribed": "Not transcribed",
  "until": "until {time}",
  "spoken": "Voice note",
  "play-from": "Play from {time}",
  "save-markdown": "Download",
});

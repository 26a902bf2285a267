/**
 * Which module has which view, and what the views share. Each gets `{ journal, key, part }`: the journal, and what
 * follows the view's name in the address.
 */
import { h, icon, styled } from "../base/dom.js";
import { MINUTE } from "../base/flow.js";
import { fmt, knows, t, texts } from "../base/words.js";
import { outbox } from "../data/outbox.js";
import { dots, loader, onEvents, section, small } from "../ui/parts.js";
import { dialog, whenCome } from "../ui/say.js";
import { get, waiting } from "./writing.js";

/** Resolves when these views look as they should. */
export const style = () => styled(new URL("insights.css", import.meta.url).href);

export const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
/**
 * A moment of a day of the journal, whatever the zone of this browser is: none has its clocks changed at noon.
 * @param {string} day
 */
export const noon = (day) => Date.parse(`${day}T12:00`);
/**
 * When it was where the journal is, by the server; answers that older versions have kept have the moment alone.
 * @param {{ day?: string, time?: number }} value
 */
export const dayOf = ({ day, time }) => (day ? noon(day) : time ?? NaN);
/** @param {{ clock?: string, time?: number }} value */
export const clockTime = ({ clock, time }) => fmt.time(clock ? Date.parse(`1970-01-01T${clock}`) : time ?? NaN);
export const tenths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
/**
 * @template One
 * @param {(One | undefined)[]} all
 * @returns {One[]}
 */
export const unique = (all) => /** @type {any[]} */ ([...new Set(all)].filter((one) => one !== undefined));
/** @type {(a: { name: string }, b: { name: string }) => number} */
export const byName = (a, b) => a.name.localeCompare(b.name);

/**
 * Loads again when the journal changes, or what waits to be sent.
 * @param {HTMLElement} root
 * @param {{ journal: Journal }} context
 * @param {Filling} make
 */
export const view = (root, { journal }, make) => loader(root, make,
  { follows: [onEvents(["journal"], journal.handle), outbox.on] });

/**
 * @param {string | false | null | undefined} href
 * @param {Child} lead
 * @param {Child} title
 * @param {Child} [about]
 * @param {Child[]} more
 */
export const item = (href, lead, title, about, ...more) => h("li", h(href ? "a.item" : "div.item", { href }, lead,
  h("div.item-text", h("b", { dir: "auto" }, title), small(about)), more));
/** @param {number} n */
export const rank = (n) => h("span.rank", fmt.number(n));
/**
 * @param {string} name
 * @param {Child} value
 */
export const fact = (name, value) => [h("dt", t(name)), h("dd", { dir: "auto" }, value)];
/** @type {(label: string, control: HTMLElement) => any} */
export const field = (label, control) => h("label.field", h("span", t(label)), control);
/**
 * @param {string} label
 * @param {(readonly [string | number, string | undefined])[]} options
 * @param {string | number} value
 * @param {(value: string) => unknown} [choose]
 */
export const select = (label, options, value, choose) => field(label, Object.assign(
  h("select", { "data-focus": label, onchange: ({ target }) => choose?.(target.value) },
    options.map(([key, text]) => h("option", { value: key }, text))), { value }));
/**
 * @param {string} label
 * @param {number} value
 */
export const bar = (label, value) => h("progress", { max: 100, value, "aria-label": t(label) });
/** @param {string} name */
export const confirm = async (name) => await dialog({ title: t(name), body: t(`${name}-text`), actions: [
  { label: t("cancel"), value: "" }, { label: t(name), value: "yes", primary: true }] }) === "yes";

/**
 * A word of the document for people; one that this page does not know stands for itself.
 * @param {string} prefix
 * @param {string} [one]
 */
export const word = (prefix, one) => (one && (knows(`${prefix}-${one}`) ? t(`${prefix}-${one}`) : one));
/**
 * Where a score was played.
 * @param {{ context?: string, tournament?: string }} score
 */
export const played = ({ context, tournament }) => dots(word("context", context), tournament);

/**
 * How much better or worse it got; undefined where nothing is known.
 * @param {number | undefined} trend
 * @param {string} written
 */
export const trendText = (trend, written) => trend !== undefined
  && t(/[1-9]/.test(written) ? (trend > 0 ? "rising" : "falling") : "level", { by: written });

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {any[]} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.flat(Infinity).filter(Boolean));
  return element;
}

/**
 * What waits, as rows; of one game if there is one.
 * @param {Journal} journal
 * @param {Map<string, string>} names
 * @param {string} [game]
 */
export function waitingPart(journal, names, game) {
  const all = waiting(journal).filter(({ body }) => !game || body.game === game);
  return all.length ? [section(t("waits-title"), h("ul.items", all.map(({ session, body, made, difference, problem }) =>
    h("li.item", icon("outbox"),
      h("div.item-text", h("b", { dir: "auto" }, dots(session.what, body.source ?? body.value,
      body.minutes && fmt.length(MINUTE * body.minutes), body.note, names.get(body.game) ?? body.game)),
      small(fmt.ago(made + difference)), problem && h("p.cure.bad", problem))))))] : [];
}

/**
 * The names of the games, in their order, by their keys; of two with one key that of the first.
 * @param {Journal} journal
 * @param {AbortSignal} [signal]
 */
export const namesOf = async (journal, signal) =>
  new Map([...new Map((await get(journal, "practice/library", {}, signal)).body.reverse()
  .map(({ game, name }) => [game, name]))].sort(([, a], [, b]) => a.localeCompare(b)));

/**
 * A view of a module that is loaded when it is opened.
 * @type {(load: () => Promise<any>, name: string) => ViewMaker<JournalContext>}
 */
const of = (load, name) => (root, context) =>
  whenCome(root, () => Promise.all([load(), style()]), ([module]) => module[name](root, context));

/** @type {Record<string, ViewMaker<any>>} */
export const views = {
  home: of(() => import("./note.js"), "home"), log: of(() => import("./log.js"), "log"),
    game: of(() => import("./game.js"), "game"),
  insights: of(() => import("./scores.js"), "insights"), mechanics: of(() => import("./mechanics.js"), "mechanics"),
  groups: of(() => import("./groups.js"), "groups"), library: of(() => import("./library.js"), "library"),
  league: of(() => import("./league.js"), "league"),
};

texts({
  "score": "Score",
  "task": "What",
  "competency-n": "{n} of 5",
  "note-something": "Note something",
  "task-rulesheet": "Rulesheet",
  "task-tutorialVideo": "Tutorial video",
  "task-gameplayVideo": "Gameplay video",
  "task-playfield": "Playfield",
  "task-practice": "Practice",
  "game": "Game",
  "context-practice": "Practice",
  "context-league": "League",
  "context-tournament": "Tournament",
  "average": "Mean",
  "floor": "Floor",
  "stable": "Stable",
  "high-risk": "High risk",
  "no-scores": "No scores yet",
  "rising": "Rising by {by}",
  "falling": "Falling by {by}",
  "level": "Level",
  "bank-n": "Bank {n}",
  "completion-n": "{n}% done",
  "no-library": "No games yet",
  "no-library-text": "Put the library’s file, pinball_library_v3.json, into the folder “library” of the journal.",
  "insights": "Insights",
  "library": "Library",
  "act-on": "{act}: {name}",
  "consistency": "Consistency",
  "median": "Median",
  "practice": "Practice",
  "log": "Log",
  "context": "Played in",
  "delete-row": "Delete",
});

/** Parts of which views are made: rows, sections, what is loaded into a place, what a button does. */
import { h, icon } from "../base/dom.js";
import { HOUR } from "../base/flow.js";
import { badge, categoryOf } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { problemText } from "../data/api.js";
import { emptyState, toast } from "./say.js";
import "./shared.js";

/**
 * @param {Child} content
 * @param {Listener<MouseEvent, HTMLButtonElement>} onclick
 * @param {string} [kind]
 * @param {Props<HTMLButtonElement>} [props]
 * @returns {HTMLButtonElement}
 */
export const button = (content, onclick, kind = "", props) =>
  h(kind ? `button.${kind}` : "button", { type: "button", onclick, ...props }, content);
/** @param {Child[]} content */
export const small = (...content) => h("small", { dir: "auto" }, content);
/**
 * @param {string} kind
 * @param {string} name
 * @param {Child[]} content
 */
export const notice = (kind, name, ...content) => h(`p.notice.${kind}`, icon(name), h("span", content));
/**
 * @param {Child} title
 * @param {Child[]} content
 */
export const section = (title, ...content) => h("section.part", h("h2", { dir: "auto" }, title), content);
/**
 * @template Row
 * @param {Row[]} items
 * @param {(row: Row, index: number) => Child} make
 */
export const rows = (items, make) => h("ul.items", items.map(make));
/**
 * Rows of any number, the first of them at once.
 * @template Row
 * @param {Row[]} items
 * @param {(row: Row, index: number) => Child} make
 * @param {number} [shown]
 * @returns {Node[]}
 */
export function portions(items, make, shown = 500) {
  const rest = items.slice(shown);
  /** @type {HTMLElement | false} */
  const more = rest.length > 0 && button(t("and-more", { n: rest.length }), () =>
    /** @type {HTMLElement} */ (more).replaceWith(...portions(rest, make)), "more-link");
  return /** @type {Node[]} */ ([rows(items.slice(0, shown), make), more].filter(Boolean));
}
/**
 * @param {Child} lead
 * @param {Child} title
 * @param {Child[]} content
 */
export const row = (lead, title, ...content) =>
  h("li.item", lead, h("div.item-text", title && h("b", { dir: "auto" }, title), content));
/**
 * @param {Child} label
 * @param {Child} control
 * @param {Child} [hint]
 */
export const field = (label, control, hint) =>
  h("label.field", h("span", { dir: "auto" }, label), control, hint && h("small", hint));
/**
 * @param {string} name
 * @param {Child[]} value
 */
export const fact = (name, ...value) => [h("dt", name), h("dd", { dir: "auto" }, value)];
/** @param {(string | number | false | null | undefined)[]} parts */
export const dots = (...parts) => parts.filter(Boolean).join(" · ");
/**
 * @param {string | null | undefined} iso
 * @param {(ms: number) => string} [write]
 */
export const when = (iso, write = fmt.dateTime) => (iso ? write(Date.parse(iso)) : "");
/**
 * @param {string} kind
 * @param {string} name
 * @param {Child} text
 */
export const sign = (kind, name, text) => h(`span.sign.${kind}`, icon(name), text);
/** @type {Record<string, string>} */
export const kindIcons = { marker: "list", voice_note: "mic", transcript: "note", session: "day",
  action_request: "action" };
/** @param {{ kind: string, record?: any }} about */
export const kindSign = ({ kind, record }) =>
  (kind === "marker" ? badge(categoryOf(record?.tags)) : icon(kindIcons[kind] ?? "journal"));

/** @param {any} session */
export const nameOfSession = (session) => session?.title
  || (session?.start_time ? t("session-of", { day: when(session.start_time) }) : t("untitled"));

/**
 * @param {string} href
 * @param {Child} lead
 * @param {Child} text
 * @param {Child} [about]
 */
export const linkRow = (href, lead, text, about) => h("li", h("a.item", { href }, lead,
  h("span.item-text", h("span", { dir: "auto" }, text), about && small(about))));
/**
 * A row that opens a session at an offset.
 * @param {string} handle
 * @param {number} ms
 * @param {Child} lead
 * @param {Child} text
 */
export const offsetRow = (handle, ms, lead, text) =>
  linkRow(`#/s/${handle}?at=${ms}`, [h("span.time", fmt.offset(ms)), lead], text);

/**
 * What stands in the place of a part that could not be filled.
 * @param {any} error
 * @param {() => unknown} reload
 */
export const partFailed = (error, reload) =>
  h("div.part", notice("bad", "warning", problemText(error), " ", button(t("retry"), reload, "link")));

/**
 * Fills `root` with what `make(signal, reload, life)` resolves to; a placeholder before, an error with a way to try
 * again instead. What had the focus or was open stays so if it has the same `data-focus` afterwards. `signal` ends what
 * is asked, `life` what was made of it, when something else has taken its place. `follows` are called with `reload`,
 * and return how to stop.
 * @param {HTMLElement} root
 * @param {Filling} make
 * @param {{ lines?: number, follows?: Follow[], isPart?: boolean }} options
 * @returns {View}
 */
export function loader(root, make, { lines = 6, follows = [], isPart = false } = {}) {
  /** @type {AbortController} */
  let controller;
  let life = new AbortController();
  root.classList.add("filled");
  async function reload() {
    controller?.abort();
    const { signal } = (controller = new AbortController()), next = new AbortController();
    root.setAttribute("aria-busy", "true");
    if (!root.hasChildNodes()) root.append(h("div.skeleton", { "aria-hidden": "true" },
      Array.from({ length: lines }, () => h("i"))));
    const making = Promise.resolve(signal).then((given) => make(given, reload, next.signal));
    const content = await making.catch((error) => (isPart ? partFailed(error, reload)
      : emptyState(error.offline ? "outbox" : "warning", t(error.offline ? "more-offline" : "more-failed"),
        problemText(error), button(t("retry"), reload, "primary"))));
    if (signal.aborted) return next.abort();
    const focused = root.contains(document.activeElement)
      && /** @type {HTMLElement} */ (document.activeElement).dataset.focus;
    const opened = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[open] > [data-focus]")])
      .map((summary) => summary.dataset.focus ?? "");
    root.removeAttribute("aria-busy");
    root.replaceChildren(.../** @type {any[]} */ ([content]).flat(Infinity).filter(Boolean));
    const find = (/** @type {string} */ name) =>
      /** @type {HTMLElement | null} */ (root.querySelector(`[data-focus="${CSS.escape(name)}"]`));
    for (const name of opened) find(name)?.parentElement?.setAttribute("open", "");
    if (focused) find(focused)?.focus({ preventScroll: true });
    life.abort();
    life = next;
  }
  const offs = follows.map((follow) => follow(reload));
  reload();
  return {
    close() {
      for (const off of offs) off();
      controller.abort();
      life.abort();
      root.removeAttribute("aria-busy");
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {([Filling, { lines?: number, follows?: Follow[], isPart?: boolean }?] | false | null | undefined)[]} parts
 * @returns {View}
 */
export function stack(root, ...parts) {
  const all = parts.filter(Boolean)
    .map((/** @type {any} */ [make, options]) =>
      loader(root.appendChild(h("div")), make, { isPart: true, ...options }));
  return { close: () => all.forEach((one) => one.close()) };
}

/**
 * Follows the events of some kinds, of one session or of all, a second after the last of them.
 * @type {(kinds: string[], handle?: string) => Follow}
 */
export const onEvents = (kinds, handle) => (reload) => {
  /** @type {Timer} */
  let timer;
  /** @type {(() => void) | undefined} */
  let off;
  let isOver = false;
  const hear = (/** @type {any} */ { type, data }) => {
    if (type === "state" || (type === "watch"
      && !(kinds.includes(data.kind) && (!handle || data.handle === handle)))) return;
    clearTimeout(timer);
    timer = setTimeout(reload, 1000);
  };
  // They come behind what is seen; after their first connection there is a reset.
  import("../data/events.js").then(({ events }) => (isOver ? undefined : off = events.on(hear)), () => {});
  return () => {
    isOver = true;
    clearTimeout(timer);
    off?.();
  };
};

/** @param {{ stale: boolean, at?: number }} answer */
export const asOf = ({ stale, at }) => stale
  && notice("quiet", "outbox",
    t("as-of", { time: ((at ?? 0) > Date.now() - 12 * HOUR ? fmt.time : fmt.dateTime)(at ?? 0) }));

/**
 * A text of people, cut off until all of it is asked for: a note may have a megabyte.
 * @param {string} text
 * @param {string} [tag]
 * @param {number} [limit]
 */
export function words(text, tag = "p", limit = 400) {
  const node = h(tag, { dir: "auto" },
    text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}… ` : text);
  if (text.length > limit) node.append(button(t("show-all"), () => node.replaceChildren(text), "link"));
  return node;
}

/**
 * What a button does: the button is off while it lasts, an error is shown.
 * @template {HTMLElement} On
 * @type {<On extends HTMLElement>(work: (on: On) => unknown) => (event: { currentTarget: On }) => Promise<void>}
 */
export const doing = (work) => async (/** @type {any} */ { currentTarget }) => {
  currentTarget.disabled = true;
  await Promise.resolve(currentTarget).then(work).catch((error) => toast(problemText(error), { kind: "bad" }));
  currentTarget.disabled = false;
};

/**
 * @template {HTMLElement} On
 * @param {On} node
 * @param {Record<string, number>} lengths
 */
export function sized(node, lengths) {
  for (const [name, share] of Object.entries(lengths)) /** @type {any} */ (node.style)[name] =
    `${100 * Math.min(1, Math.max(0, share))}%`;
  return node;
}

/**
 * @param {{ tags?: string[] }} marker
 * @param {number} share
 */
export const tick = (marker, share) => sized(h(`i.tick.tick-${categoryOf(marker.tags)?.letter ?? "none"}`),
  { left: share });

/**
 * The button to the day before (-1) or after (1).
 * @param {number} days
 * @param {(days: number) => unknown} shift
 */
export const arrow = (days, shift) => button(icon("back"), () => shift(days),
  `icon-button.${days < 0 ? "previous" : "next"}`,
  { "aria-label": t(days < 0 ? "day-before" : "day-after") });

texts({
  "more-offline": "Not available offline",
  "more-failed": "This could not be loaded",
  "as-of": "No connection. This is what was known at {time}.",
  "show-all": "Show all",
  "and-more": "{n} more",
  "only": "Show only",
  "session-of": "Session of {day}",
  "none": "None",
  "unnamed": "Marker",
  "state-waiting": "Not sent yet",
  "inputs-not-json": "This is not valid JSON: {reason}",
  "one-marker": "Marker",
  "one-voice_note": "Voice note",
  "one-transcript": "Transcript",
  "one-action_request": "Action request",
  "one-marker.remove": "Removal of a marker",
  "date": "Date",
  "day-before": "Previous day",
  "day-after": "Next day",
  "waits-title": "Waiting to be sent",
  "yes": "Yes",
  "no": "No",
});

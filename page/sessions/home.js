/** The first view. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { frame, screens } from "../ui/frame.js";
import { come, sayFailed, skeleton } from "../ui/say.js";
import { dayOf, isLive, rowFacts, sessionRows, sessionsList, titleOf } from "./list.js";

/**
 * The first view: what runs now, where one stopped listening, and the list where it does not stand beside.
 * @param {HTMLElement} root
 */
export function open(root) {
  const cards = h("div.cards"), place = h("div.list"), latest = h("section");
  const coming = skeleton(6);
  root.append(cards, latest, place, coming);
  /** @type {{ close(): void } | undefined} */
  let list;
  /** @type {(() => void) | undefined} */
  let endLately;
  /** @type {Timer} */
  let ticking;
  /** @type {Heard | undefined} */
  let lastHeard;
  /** @type {typeof import("./beside.js") | undefined} */
  let made;
  let closed = false;
  /** @type {Map<string, SessionClock>} */
  const clocks = new Map();

  /**
   * Where one stopped listening; where that is not known, the latest session.
   * @param {Heard} heard
   */
  function heardCard({ row, offset, over: opened }) {
    const [over, facts] = offset ? [t("go-on"), t("go-on-at", { offset: fmt.offset(offset) })]
      : [opened ?? `${t("latest")}, ${dayOf(row)}`, rowFacts(row)];
    return h("a.card.heard", { href: `#/s/${encodeURIComponent(row.handle)}${offset ? `?t=${offset}` : ""}` },
      icon("play"),
      h("span", h("span.over", over), h("strong", { dir: "auto" }, titleOf(row)), h("span.row-facts", facts)));
  }

  /** Of what runs and what was left open there are cards, whose module comes with the first. */
  async function draw() {
    const live = sessionRows.rows.filter(isLive).slice(0, 3);
    const left = sessionRows.rows.filter((row) => row.forgotten_since).slice(0, 2);
    if (live.length + left.length) made ??= await import("./beside.js").catch(() => undefined);
    if (closed) return;
    if (!screens.desktop.matches && (sessionRows.loaded || sessionRows.error)) list ??= sessionsList(place);
    if (screens.desktop.matches || list) coming.remove();
    clearInterval(ticking);
    const { liveCard } = made ?? {}, liveCards = liveCard ? live.map((row) => liveCard(row, clocks)) : [];
    if (liveCards.length) ticking = setInterval(() => liveCards.forEach((card) => card.tick()), 500);
    const { activeElement } = document;
    const focusedLink = cards.contains(activeElement) && activeElement?.getAttribute("href");
    const newest = screens.desktop.matches && sessionRows.rows.find((row) => row.status === "closed" && row.online);
    // What was opened last stands there until it is known where one stopped: so nothing moves then.
    const opened = (settings.get("recent") ?? [])
      .map((/** @type {string} */ handle) => sessionRows.rows.find((row) => row.handle === handle))
      .find((/** @type {Api.SessionRow | undefined} */ row) => row && !row.forgotten_since);
    /** @type {Heard | undefined} */
    const heard = lastHeard ?? (opened ? { row: opened, over: t("opened-last") }
      : newest ? { row: newest } : undefined);
    const isShown = heard && !live.some((row) => row.handle === heard.row.handle);
    const leftCards = made ? left.map(made.openCard) : [];
    cards.replaceChildren(...liveCards, ...leftCards, ...(isShown ? [heardCard(heard)] : []));
    if (focusedLink) [...cards.querySelectorAll("a")].find((link) =>
      link.getAttribute("href") === focusedLink)?.focus({ preventScroll: true });
    frame.actions(
      me.can("mark") && (screens.desktop.matches
        ? h(`button${live.length ? "" : ".primary"}`, { onclick: startSession }, icon("plus"), t("start"))
        : h("button.icon-button", { "aria-label": t("start"), onclick: startSession }, icon("plus"))));
  }

  async function look() {
    for (const row of sessionRows.rows.filter(isLive).slice(0, 3)) {
      const details = await api.get(`sessions/${encodeURIComponent(row.handle)}`,
        { keep: true }).catch(() => undefined);
      if (details?.body.clock) clocks.set(row.handle, details.body.clock);
    }
    lastHeard = undefined;
    for (const handle of (settings.get("recent") ?? []).slice(0, 3)) {
      const path = /** @type {const} */ (`sessions/${encodeURIComponent(handle)}`);
      const position = (await api.get(`${path}/position`, { keep: true }).catch(() => undefined))?.body;
      const row = sessionRows.rows.find((one) => one.handle === handle) ?? (await api.kept(path))?.body;
      const offset = position?.offset_ms ?? 0;
      if (offset > 0 && row) lastHeard = { row: { ...row, handle }, offset };
      if (lastHeard) break;
    }
    draw();
  }

  async function showLately() {
    const { lately, style } = await come(import("./lately.js"));
    await come(style());
    if (!closed && screens.desktop.matches) endLately ??= lately(latest);
  }

  function layOut() {
    if (!screens.desktop.matches) {
      endLately = void endLately?.();
      latest.replaceChildren();
    }
    if (screens.desktop.matches) list = void list?.close();
    // Below the cards, and so after them.
    draw().then(() => (sessionRows.loaded ? showLately() : undefined)).catch(() => {});
  }

  frame.title(t("sessions"));
  screens.desktop.addEventListener("change", layOut);
  const off = sessionRows.changed.on(() => {
    layOut();
    if (sessionRows.rows.some((row) => isLive(row) && !clocks.has(row.handle))) look();
  });
  layOut();
  look();
  return {
    close() {
      closed = true;
      off();
      endLately?.();
      clearInterval(ticking);
      screens.desktop.removeEventListener("change", layOut);
      list?.close();
    },
  };
}

const startSession = () => come(import("./start.js")).then((module) => module.startSession(), sayFailed);

texts({
  "opened-last": "Opened last",
  "go-on": "Continue listening",
  "go-on-at": "at {offset}",
  "latest": "Latest session",
});

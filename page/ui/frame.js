/** The frame around each view: title, navigation, what waits, and whether the server is reached. */
import { h, icon } from "../base/dom.js";
import { DAY } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { net } from "../data/api.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";

/**
 * Where the page is: the parts of the path, decoded, and the query.
 * @type {Route}
 */
export const route = { path: [], query: new URLSearchParams() };

/** @param {string} address */
export function go(address) {
  location.hash = address;
}

/** The sizes at which more than the style is different; style.css has all of them. */
export const screens = {
  desktop: matchMedia("(min-width: 64rem) and (min-height: 31rem)"),
  wide: matchMedia("(min-width: 110rem) and (min-height: 31rem)"),
  landscape: matchMedia("(min-width: 35rem) and (max-height: 30.99rem)"),
};

/** @returns {Place[]} */
const destinations = () => /** @type {Place[]} */ ([
  { key: "sessions", icon: "note", address: "#/", phone: true },
  { key: "search", icon: "search", address: "#/search" },
  frame.hasJournals && { key: "journals", icon: "journal", address: "#/journals" },
  { key: "at", icon: "day", address: "#/at" },
  { key: "problems", icon: "warning", address: "#/problems", count: frame.problems },
  me.can("mark") && { key: "outbox", icon: "outbox", address: "#/outbox",
    count: outbox.counts.waiting + outbox.counts.needsYou + outbox.counts.atServer },
  { key: "settings", icon: "settings", address: "#/settings" },
  { key: "help", icon: "help", address: "#/help" },
].filter(Boolean));

/** @type {Frame} */
export const frame = {
  get main() {
    return document.getElementById("main");
  },
  problems: 0, hasJournals: false,
  /** The list beside the view; boot.js gives it. */
  list: undefined,
  /**
   * With `about`, a line of facts below the title.
   * @param {string} text
   * @param {{ back?: string, about?: string }} options
   */
  title(text, { back, about } = {}) {
    document.title = text === t("app") ? text : `${text} · ${t("app")}`;
    document.getElementById("title").textContent = text;
    document.getElementById("about").textContent = about ?? "";
    const link = document.getElementById("back");
    link.hidden = !back;
    if (back) link.href = back;
  },
  /** What stands beside the title; the focus stays at its place. */
  actions(...nodes) {
    const place = /** @type {HTMLElement} */ (document.getElementById("actions"));
    const focused = [...place.children].findIndex((node) => node === document.activeElement);
    place.replaceChildren(.../** @type {Node[]} */ (nodes.flat().filter(Boolean)));
    /** @type {HTMLElement | undefined} */ (place.children[focused])?.focus();
  },
  build() {
    document.getElementById("sidebar").replaceChildren(
      h("a.brand", { href: "#/" }, h("span.mark", { "aria-hidden": "true" }), t("app")),
      h("div", { id: "side-list" }), h("nav", { id: "side-nav", "aria-label": t("navigation") }));
    document.getElementById("top").replaceChildren(
      h("a.icon-button", { id: "back", href: "#/", "aria-label": t("back"), hidden: true }, icon("back")),
      h("div.titles", h("h1", { id: "title", tabindex: -1, dir: "auto" }), h("p", { id: "about" })),
      h("div", { id: "actions" }),
      h("a.waiting", { id: "waiting", href: "#/outbox", hidden: true }, icon("outbox"), h("span"), h("span.word")),
      h("span.net", { id: "net", role: "status" }, h("span.word")),
      h("button.icon-button.phone", { id: "menu", "aria-label": t("menu"), "aria-haspopup": "dialog",
        onclick: frame.menu }, icon("menu")));
    frame.refresh();
    frame.sideList?.close();
    frame.sideList = undefined;
    frame.layOut();
  },
  layOut() {
    if (screens.desktop.matches && !frame.sideList && me.signedIn) {
      const place = document.getElementById("side-list");
      frame.sideList = frame.list?.(place, place);
    } else if (!screens.desktop.matches) {
      frame.sideList?.close();
      frame.sideList = undefined;
    }
  },
  refresh() {
    const { waiting, needsYou, oldest } = outbox.counts;
    const badge = document.getElementById("waiting");
    if (!badge) return;
    const n = needsYou || waiting;
    badge.hidden = n === 0;
    badge.classList.toggle("late", needsYou > 0 || Date.now() - (oldest ?? Date.now()) > DAY);
    badge.children[1].textContent = fmt.number(n);
    /** @type {Node} */ (badge.lastChild).textContent = t(needsYou ? "needs-you-badge" : "waiting-badge", { n });
    badge.setAttribute("aria-label", t(needsYou ? "needs-you-label" : "waiting-label", { n }));
    const state = net.reached === false ? "offline" : net.live ? "live" : "online";
    const sign = /** @type {HTMLElement} */ (document.getElementById("net"));
    if (sign.dataset.state !== state) {
      sign.dataset.state = state;
      /** @type {Node} */ (sign.firstChild).textContent = t(`net-${state}`);
      sign.title = t(`net-${state}-detail`);
    }
    const nav = /** @type {HTMLElement} */ (document.getElementById("side-nav"));
    const beside = destinations().filter(({ phone }) => !phone).map(frame.link);
    beside.forEach((link, i) => {
      const there = nav.children[i];
      // A link that goes while it is pressed leads nowhere, and one that has the focus would take it along.
      if (there?.isEqualNode(link)) return;
      const hasFocus = there === document.activeElement;
      if (there) there.replaceWith(link);
      else nav.append(link);
      if (hasFocus) link.focus();
    });
    while (nav.children.length > beside.length) nav.lastElementChild?.remove();
  },
  link: ({ key, icon: name, address, count = 0 }) =>
    h("a.destination", { href: address, "aria-current": `#/${route.path[0] ?? ""}` === address && "page" }, icon(name),
      h("span", t(key)), count > 0 && h("span.count", fmt.number(count))),
  menu() {
    /** @type {HTMLDialogElement} */
    const sheet = h("dialog.sheet", { "aria-label": t("menu"), onclick: () => sheet.close() },
      h("nav", { "aria-label": t("navigation") }, destinations().map(frame.link)));
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  },
};

// A keyboard that lies over the page takes room from what is beside the field.
visualViewport?.addEventListener("resize", () => {
  const { height, scale } = /** @type {VisualViewport} */ (visualViewport);
  document.documentElement.classList.toggle("keyboard", innerHeight - height * scale > 160);
});

texts({
  "app": "TRACE",
  "back": "Back",
  "navigation": "Navigation",
  "menu": "Menu",
  "sessions": "Sessions",
  "search": "Search",
  "at": "At a time",
  "problems": "Problems",
  "outbox": "Outbox",
  "settings": "Settings",
  "help": "Help",
  "journals": "Journals",
  "waiting-badge": "waiting",
  "waiting-label": {
    one: "{n} entry waits to be sent. Open the outbox.",
    other: "{n} entries wait to be sent. Open the outbox.",
  },
  "needs-you-badge": { one: "needs you", other: "need you" },
  "needs-you-label": {
    one: "{n} entry was not accepted by the server. Open the outbox.",
    other: "{n} entries were not accepted by the server. Open the outbox.",
  },
  "net-live": "Up to date",
  "net-live-detail": "Connected. Changes appear by themselves.",
  "net-online": "Connected",
  "net-online-detail": "Connected, but changes do not appear by themselves at the moment.",
  "net-offline": "Offline",
  "net-offline-detail":
    "The server can’t be reached. You see what this device has kept; marks are kept here and sent later.",
});

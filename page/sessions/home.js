/** The first view. */
import { h, icon } from "../base/dom.js";
import { clock, DAY, sessionOffset } from "../base/flow.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { frame, wide } from "../ui/frame.js";
import { dayOf, isLive, rowFacts, sessionRows, sessionsList, titleOf } from "./list.js";

/** The first view: what runs now, where one stopped listening, and the list where it does not stand beside. */
export function open(root) {
  const cards = h("div.cards"), month = h("div"), place = h("div.list");
  root.append(cards, month, place);
  let list, ticking, lastHeard, closed = false;
  const clocks = new Map();

  function liveCard(row) {
    const time = h("span.elapsed");
    const tick = () => {
      const at = row.paused_at_ms ?? sessionOffset(clocks.get(row.handle) ?? { start_time: row.start_time });
      time.textContent = at === undefined ? "" : fmt.offset(at);
    };
    tick();
    const paused = row.paused_at_ms !== undefined;
    return Object.assign(h("section.card.live", { "aria-label": t("live") },
      h("span.sign.live", paused ? t("paused") : t("live")), h("h2", { dir: "auto" }, titleOf(row)), time,
      h("p.row-facts", [row.start_time && t("started-at", { time: fmt.time(Date.parse(row.start_time)) }),
        row.marker_count > 0 && t("marks-n", { n: row.marker_count })].filter(Boolean).join(" · ")),
      h("a.button.primary", { href: `#/s/${encodeURIComponent(row.handle)}${me.can("mark") ? "/live" : ""}` },
        t(me.can("mark") ? "open-live" : "open"))), { tick });
  }

  /** Where one stopped listening; where that is not known, the latest session. */
  function heardCard({ row, offset }) {
    const [over, facts] = offset ? [t("go-on"), t("go-on-at", { offset: fmt.offset(offset) })]
      : [`${t("latest")}, ${dayOf(row)}`, rowFacts(row)];
    return h("a.card.heard", { href: `#/s/${encodeURIComponent(row.handle)}${offset ? `?t=${offset}` : ""}` },
      icon("play"),
      h("span", h("span.over", over), h("strong", { dir: "auto" }, titleOf(row)), h("span.row-facts", facts)));
  }

  function draw() {
    if (closed) return;
    const live = sessionRows.rows.filter(isLive).slice(0, 3);
    clearInterval(ticking);
    const liveCards = live.map(liveCard);
    if (liveCards.length) ticking = setInterval(() => liveCards.forEach((card) => card.tick()), 500);
    const focusedLink = cards.contains(document.activeElement) && document.activeElement.getAttribute("href");
    const latest = wide.matches && sessionRows.rows.find((row) => row.status === "closed" && row.online);
    const heard = lastHeard ?? (latest && { row: latest });
    cards.replaceChildren(...liveCards, ...(heard && !live.some((row) => row.handle === heard.row.handle)
      ? [heardCard(heard)] : []));
    if (focusedLink) [...cards.querySelectorAll("a")].find((link) =>
      link.getAttribute("href") === focusedLink)?.focus({ preventScroll: true });
    month.replaceChildren(...(wide.matches ? figures() : []));
    frame.actions(
      !wide.matches && h("a.icon-button", { href: "#/search", "aria-label": t("search") }, icon("search")),
      me.can("mark")
        && (wide.matches ? h(`button${live.length ? "" : ".primary"}`, { onclick: startSession }, icon("plus"),
        t("start"))
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
      const path = `sessions/${encodeURIComponent(handle)}`;
      const position = (await api.get(`${path}/position`, { keep: true }).catch(() => undefined))?.body;
      const row = sessionRows.rows.find((one) => one.handle === handle) ?? (await api.kept(path))?.body;
      if (position?.offset_ms > 0 && row) lastHeard = { row: { ...row, handle }, offset: position.offset_ms };
      if (lastHeard) break;
    }
    draw();
  }

  function layOut() {
    if (wide.matches) {
      list?.close();
      list = undefined;
    } else list ??= sessionsList(place);
    draw();
  }

  frame.title(t("sessions"));
  wide.addEventListener("change", layOut);
  const off = sessionRows.changed.on(() => {
    draw();
    if (sessionRows.rows.some((row) => isLive(row) && !clocks.has(row.handle))) look();
  });
  layOut();
  look();
  return {
    close() {
      closed = true;
      off();
      clearInterval(ticking);
      wide.removeEventListener("change", layOut);
      list?.close();
    },
  };
}

/**
 * What the last thirty days brought, or all time if they brought nothing; nothing where the rows here don't reach back
 * that far.
 */
function figures() {
  const { rows, next } = sessionRows, from = clock.now() - 30 * DAY;
  const lately = rows.filter((row) => Date.parse(row.start_time) >= from), recent = lately.length ? lately : rows;
  if (!recent.length || (next && recent.length === rows.length)) return [];
  const sum = (key) => recent.reduce((total, row) => total + (row[key] ?? 0), 0);
  const figure = (value, label) => [h("dt", label), h("dd", value)];
  return [h("section.figures", h("h2", t(lately.length ? "last-days" : "all-time")),
    h("dl", figure(fmt.number(recent.length), t("figure-sessions")),
    figure(fmt.length(sum("duration_ms")), t("figure-length")),
      figure(fmt.number(sum("marker_count")), t("figure-marks")),
    figure(fmt.number(sum("voice_note_count")), t("figure-notes"))))];
}

const startSession = async () => (await import("./start.js")).startSession();

texts({
  "started-at": "since {time}",
  "go-on": "Continue listening",
  "go-on-at": "at {offset}",
  "latest": "Latest session",
  "last-days": "The last 30 days",
  "all-time": "All sessions",
  "figure-sessions": "Sessions",
  "figure-length": "Recorded",
  "figure-marks": "Marks",
  "figure-notes": "Voice notes",
});

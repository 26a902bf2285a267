/**
 * The journals beside the sessions: their list, one of them with its latest records and its problems, and a day of all
 * journals and sessions together. Loaded when the first of these is opened.
 */
import { api, clock, emptyState, fmt, frame, go, h, icon, store, t } from "./core.js";
import {
  arrow, asOf, button, civil, doing, dots, findingRows, loader, onEvents, rows, section, sign, small, words,
} from "./more.js";

const PAGE = 100, DAYS_KEPT = 30, NOON = "T12:00";
const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const dayOf = (time) => civil(Date.parse(time)).slice(0, 10);
const dayName = (day) => fmt.day(Date.parse(day + NOON));
const pathOf = (id) => `journals/${encodeURIComponent(id)}`;
/** Kinds are open: what this page does not know is called by its name. */
const kindName = (kind) => kind[0].toUpperCase() + kind.slice(1);
const titleOf = ({ title, kind }) => title || kindName(kind);
const span = ({ first, last }) => first && dates.formatRange(Date.parse(first), Date.parse(last));
/** Events of every kind. */
const follows = [onEvents({ includes: () => true })];

/** A record: when, what it says, what it is about. With an address it is a link. */
function recordRow({ text, wall_time: time }, lead, about, href) {
  // "Score: 900 • Comet Racer": the last line may end with what it is about, the first may begin with a heading.
  const [, said, subject] = /^([^]*?)\s• (.*)$/.exec(text) ?? [text, text];
  const [, title, more] = /^(.{1,80}?)(?::?\n|: (?=[^]{24}))([^]+)$/.exec(said) ?? [said, said];
  return h("li", h(href ? "a.item" : "div.item", { href }, h("span.time", fmt.time(Date.parse(time))), lead,
    h("div.item-text", h("b", { dir: "auto" }, title), more && words(more, "p.lines"),
      (subject || about) && small(dots(subject, about)))));
}

// MARK: The list

/** What of a journal needs a word. */
const signs = ({ errors, warnings, state, online }) => [
  state !== "open" && h("span.sign", t(`journal-${state}`)),
  !online && h("span.sign", { title: t("drive-away-detail") }, t("drive-away")),
  errors + warnings > 0 && sign(errors ? "bad" : "warning", "warning",
    t(errors ? "problems-n" : "warnings-n", { n: errors || warnings })),
];

const facts = (journal) => dots(kindName(journal.kind), t("records-n", { n: journal.records }), span(journal));

function listView(root) {
  frame.actions(h("a.button", { href: "#/day" }, icon("day"), t("today")));
  return loader(root, async (signal) => {
    const answer = await api.get("journals", { signal, keep: true });
    const journals = answer.body.filter(({ kind }) => kind !== "session");
    return [asOf(answer), journals.length === 0 ? emptyState("journal", t("no-journals"), t("no-journals-text"))
      : h("div.list", journals.map((journal) => h("a.row", { href: `#/${pathOf(journal.id)}` },
      h("span.row-title", { dir: "auto" }, titleOf(journal)), h("span.signs", signs(journal)),
      h("span.row-facts", facts(journal)))))];
  }, { follows });
}

// MARK: One journal

/** Records under the days on which they were made, newest first. */
function days(records) {
  const all = new Map();
  for (const record of records) {
    const day = dayOf(record.wall_time);
    all.set(day, [...all.get(day) ?? [], record]);
  }
  return [...all].map(([day, of]) => section(h("a", { href: `#/day/${day}` }, dayName(day)),
    rows(of, (record) => recordRow(record))));
}

function journalView(root, id) {
  frame.title(t("journals"), { back: "#/journals" });
  return loader(root, async (signal) => {
    const get = (tail = "", query) => api.get(pathOf(id) + tail, { query, signal, keep: true });
    const [answer, records, found] = await Promise.all([get(), get("/records", { limit: PAGE }), get("/findings")]);
    const journal = answer.body, findings = found.body.flatMap((group) => group.findings ?? group);
    frame.title(titleOf(journal), { back: "#/journals" });
    const older = (next) => {
      const more = next && !answer.stale && button(t("show-older"), doing(async () => {
        const { body, next: further } = await api.get(`${pathOf(id)}/records`, { query: next, signal });
        more.replaceWith(...days(body), ...older(further));
      }), "more-link");
      return [more].filter(Boolean);
    };
    return [asOf(answer), h("p.facts", facts(journal)), h("p.signs", signs({ ...journal, errors: 0, warnings: 0 })),
      findings.length > 0 && section(t("problems"), findingRows(findings, 3)),
      records.body.length ? [days(records.body), older(records.next)]
        : emptyState("journal", t("no-records"), t("no-records-text"))];
  }, { follows });
}

// MARK: A day

function dayView(root, route) {
  const date = h("input", { type: "date", required: true, "aria-label": t("date") }), content = h("div");
  let day, view;
  const open = (other) => go(`#/day/${other}`);
  // From noon on, since not every day has 24 hours.
  const shift = (n) => open(civil(Date.parse(day + NOON) + n * 86_400_000).slice(0, 10));
  date.addEventListener("change", () => date.value && open(date.value));
  const update = ({ path: [, asked] }) => {
    day = Date.parse(asked + NOON) ? asked : civil(clock.now()).slice(0, 10);
    date.value = day;
    frame.title(dayName(day), { back: "#/journals" });
    view?.close();
    view = loader(content, (signal) => dayNodes(day, open, signal), { follows });
  };
  root.append(h("div.when", arrow(-1, shift), date, arrow(1, shift)), content);
  update(route);
  return { update, close: () => view.close() };
}

async function dayNodes(day, open, signal) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await api.get("timeline", { query: { day, zone }, signal, keep: true });
  forgetOldDays();
  if (answer.body.length) return [asOf(answer), rows(answer.body, dayRow)];
  const { body: journals } = await api.get("journals", { signal, keep: true });
  const last = journals.map((journal) => journal.last).filter(Boolean).map(dayOf).sort().at(-1);
  return [asOf(answer), emptyState("day", t("empty-day-all"), t("empty-day-all-text"),
    last < day && button(t("last-day", { day: dayName(last) }), () => open(last), "primary"))];
}

function dayRow(entry) {
  const isSession = entry.kind === "session";
  const href = isSession ? `#/s/${entry.handle}?at=${entry.offset_ms}` : `#/${pathOf(entry.journal_id)}`;
  return recordRow(entry, icon(isSession ? "note" : "journal"), titleOf(entry), href);
}

/** Of the days that were looked at, the latest are kept for times without a network. */
async function forgetOldDays() {
  const kept = await store.all("kept", IDBKeyRange.bound("timeline?", "timeline@")).catch(() => []);
  for (const { address } of kept.sort((a, b) => b.at - a.at).slice(DAYS_KEPT)) await store.del("kept", address);
}

export const views = { day: dayView,
  journals: (root, { path: [, id] }) => (id ? journalView(root, id) : listView(root)) };

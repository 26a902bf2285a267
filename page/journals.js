/** The journals beside the sessions, one of them, and a day of all journals and sessions. Loaded with the first of these. */
import { announce, api, categoryOf, clock, emptyState, fmt, frame, go, h, icon, kindsWithPages, store, t } from "./core.js";
import {
  arrow, asOf, button, dayOf, doing, dots, findingRows, kindSign, loader, onEvents, portions, section, sign, small, words,
} from "./more.js";

const DAY = 86_400_000, NOON = "T12:00";
const dates = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
export const dayName = (day) => fmt.day(Date.parse(day + NOON));
const addressOf = ({ handle }) => `#/journals/${encodeURIComponent(handle)}`;
const kindName = (kind) => kind[0].toUpperCase() + kind.slice(1);
const titleOf = ({ title, kind }) => title || kindName(kind);
const follows = [onEvents(["journal", "session", "marker", "voice_note"])];

/** What a text says, and what it is about, with which its last line may end: "Score: 900 • Comet Racer". */
export const saidAbout = (text) => /^([^]*?)\s• (.*)$/.exec(text)?.slice(1) ?? [text];

/** Pairs of a day and what is of it, in the order in which they come. */
export function byDay(all, dayOf) {
  const days = new Map();
  for (const one of all) {
    const day = dayOf(one), of = days.get(day) ?? [];
    days.set(day, of);
    of.push(one);
  }
  return [...days];
}

/** A record: when, what it says, what it is about. With an address it is a link. */
function recordRow(record, about, href) {
  const { entry, time, text } = record;
  const [said, subject] = saidAbout(text);
  // The first line may begin with a heading.
  const [, title, more] = /^(.{1,80}?)(?::?\n|: (?=[^]{24}))([^]+)$/.exec(said) ?? [said, said];
  return h("li", h(href ? "a.item" : "div.item", { href, "data-focus": record.record_id },
    h("span.time", fmt.time(Date.parse(time))), about && kindSign({ ...record, kind: entry }),
    h("div.item-text", h("b", { dir: "auto" }, title || categoryOf(record.record?.tags)?.name() || t("unnamed")),
      more && words(more, "p.lines"),
      (subject || about) && small(dots(subject, about)))));
}

/** Of what was kept for times without a network, below a path, only the latest answers stay. */
async function keepLatest(path, most) {
  const kept = await store.all("kept", IDBKeyRange.bound(path, `${path}\uffff`)).catch(() => []);
  for (const { address } of kept.sort((a, b) => b.at - a.at).slice(most)) await store.del("kept", address);
}

/** All pages of a list. */
async function whole(path, query, signal) {
  const answer = await api.get(path, { query: { ...query, limit: 1000 }, signal, keep: true });
  for (let { next } = answer; next;) {
    const page = await api.get(path, { query: next, signal, keep: true });
    answer.body = answer.body.concat(page.body);
    ({ next } = page);
  }
  return answer;
}

// MARK: The list

async function list(signal) {
  const kind = await kindsWithPages();
  return kind.length ? whole("journals", { kind }, signal) : { body: [] };
}

/** What of a journal needs a word. */
const signs = ({ errors, warnings, state, online }) => [
  state !== "open" && h("span.sign", t(`journal-${state}`)),
  !online && h("span.sign", { title: t("drive-away-detail") }, t("drive-away")),
  errors + warnings > 0 && sign(errors ? "bad" : "warning", "warning",
    t(errors ? "problems-n" : "warnings-n", { n: errors || warnings })),
];

const facts = ({ kind, records, first, last }) => dots(kindName(kind), t("records-n", { n: records }),
  first && dates.formatRange(Date.parse(first), Date.parse(last)));

function listView(root) {
  frame.actions(h("a.button", { href: "#/day" }, icon("day"), t("today")));
  return loader(root, async (signal) => {
    const answer = await list(signal);
    answer.body.sort((a, b) => (a.last > b.last ? -1 : 1));
    return [asOf(answer), answer.body.length === 0 ? emptyState("journal", t("no-journals"), t("no-journals-text"))
      : h("div.list", answer.body.map((journal) => h("a.row", { href: addressOf(journal) },
      h("span.row-title", { dir: "auto" }, titleOf(journal)), h("span.signs", signs(journal)),
      h("span.row-facts", facts(journal)))))];
  }, { follows });
}

// MARK: One journal

/** Records, the latest first, under the days on which they were made. */
function days(records) {
  return byDay(records, ({ time }) => dayOf(time)).map(([day, of]) => section(h("a", { href: `#/day/${day}`, "data-focus": day }, dayName(day)), portions(of, (record) => recordRow(record))));
}

function journalView(root, handle) {
  const path = `journals/${encodeURIComponent(handle)}`;
  let oldest;
  frame.title(t("journals"), { back: "#/journals" });
  return loader(root, async (signal) => {
    const get = (tail, query) => api.get(path + tail, { query, signal, keep: true });
    const [answer, found] = await Promise.all([get(""), get("/findings")]);
    const journal = answer.body, findings = found.body.flatMap((group) => group.findings);
    const first = Date.parse(journal.first), last = Date.parse(journal.last);
    // Records come in the order of time, so that the latest are asked for by stretches of about a hundred.
    const length = Math.max(DAY, 100 * (last - first) / journal.records);
    const before = async (until, stretch = length) => {
      const since = oldest = until - stretch, records = [];
      let next = until >= first && { since: iso(since), until: iso(until), limit: 1000 };
      for (let page; next; next = page.next) records.push(...(page = await get("/records", next)).body);
      if (!records.length) return since > first ? before(since - 1, 2 * stretch) : [];
      return [...days(records.reverse()), since > first && button(t("show-older"), doing(async (more) =>
        more.replaceWith(...(await before(since - 1)).filter(Boolean))), "more-link")];
    };
    const records = await before(last, oldest && last - oldest);
    keepLatest(`${path}/records`, 3);
    frame.title(titleOf(journal), { back: "#/journals" });
    return [asOf(answer), h("p.facts", facts(journal)),
      findings.length > 0 && section(t("problems"), findingRows(findings, 3)),
      records.length ? records : emptyState("journal", t("no-records"))];
  }, { follows: [onEvents(["journal"], handle)] });
}

const iso = (ms) => new Date(ms).toISOString();

// MARK: A day

function dayView(root, route) {
  const date = h("input", { type: "date", required: true, "aria-label": t("date") }), content = h("div");
  let day, view;
  const open = (other) => go(`#/day/${other}`);
  // From noon on, since not every day has 24 hours.
  const shift = (n) => open(dayOf(new Date(Date.parse(day + NOON) + n * DAY)));
  date.addEventListener("change", () => date.value && open(date.value));
  const update = ({ path: [, asked] }) => {
    day = Date.parse(asked + NOON) ? asked : dayOf(new Date(clock.now()));
    date.value = day;
    frame.title(dayName(day), { back: "#/journals" });
    if (view) announce(dayName(day));
    view?.close();
    view = loader(content, (signal) => dayNodes(day, open, signal), { follows });
  };
  root.append(h("div.when", arrow(-1, shift), date, arrow(1, shift)), content);
  update(route);
  return { update, close: () => view.close() };
}

async function dayNodes(day, open, signal) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await whole("timeline", { day, zone }, signal);
  keepLatest("timeline", 30);
  if (answer.body.length) return [asOf(answer), portions(answer.body, (record) => recordRow(record, titleOf(record),
    record.kind === "session" ? `#/s/${record.handle}?at=${record.record?.offset_ms ?? 0}` : addressOf(record)))];
  const last = (await list(signal)).body.map((journal) => journal.last).filter(Boolean).map(dayOf).sort().at(-1);
  return [asOf(answer), emptyState("day", t("empty-day-all"), "",
    last < day && button(t("last-day", { day: dayName(last) }), () => open(last), "primary"))];
}

/**
 * A journal that has an id has views of its own, if it is of a kind that has some; what can't be loaded is shown by the view for any
 * journal.
 */
function oneJournal(root, route) {
  const [, handle] = route.path, any = (place) => journalView(place, handle);
  let view, closed;
  // Where it is unknown which kinds have views, these are looked for: the worker has them, if there are any.
  Promise.all([api.get(`journals/${encodeURIComponent(handle)}`, { keep: true }), kindsWithPages().catch(() => {})])
    .then(async ([{ body }, kinds]) => (kinds?.includes(body.kind) ?? true) && body.id
      && (await import(`./${body.kind}/kind.js`)).kind.open(root, route, { ...body, handle }, any)).catch(() => {})
    .then((own) => (view = own || any(root), closed && view.close()));
  return { update: (next) => (route = next, view?.update?.(next)), close: () => (closed = true, view?.close()) };
}

export const views = { day: dayView,
  journals: (root, route) => (route.path[1] ? oneJournal(root, route) : listView(root)) };

/** Noting into a practice journal: the forms, a game's page, and all rows with their filters. */
import { api, dialog, emptyState, fmt, frame, h, icon, me, outbox, t, toast } from "./core.js";
import { asOf, button, doing, dots, loader, onEvents, portions, section, small } from "./more.js";
import { bar, byName, fact, field, select, unique, whole } from "./insights.js";
import { addressOf, get, waiting, write } from "./practice.js";
import { strings } from "./strings.js";

const NOON = "T12:00";

/** What waits, as rows; of one game if there is one. */
function waitingPart(journal, names, game) {
  const all = waiting(journal).filter(({ body }) => !game || body.game === game);
  return all.length > 0 && section(t("waits-title"), h("ul.items", all.map(({ session, body, made, difference, problem }) =>
    h("li.item", icon("outbox"), h("div.item-text", h("b", { dir: "auto" }, dots(session.what, body.value ?? body.note, names.get(body.game) ?? body.game)),
      small(fmt.ago(made + difference)), problem && h("p.cure.bad", problem))))));
}

// MARK: Noting

const SKILLS = ["Dead Bounce", "Post Pass", "Post Catch", "Flick Pass", "Nudge Pass", "Drop Catch", "Live Catch", "Shatz", "Back Flip", "Loop Pass",
  "Slap Save (Single)", "Slap Save (Double)", "Air Defense", "Cradle Separation", "Over Under", "Tap Pass"];
const CATEGORIES = ["general", "shots", "modes", "multiball", "strategy"], CONTEXTS = ["practice", "league", "tournament"];
const options = (words, prefix) => words.map((word) => [word, t(`${prefix}-${word}`)]);
const input = (label, props) => field(label, h("input", { autocomplete: "off", dir: "auto", "data-focus": label, ...props }));
const value = ({ control }) => control.value.trim();
const noteField = (isRequired = false) => field("note", h("textarea", { rows: 2, dir: "auto", required: isRequired, "data-focus": "note" }));
const percent = () => input("percent", { type: "number", min: 0, max: 100, inputmode: "numeric" });
// Digits, or groups of three of them; no more than a number holds exactly.
const SCORE = "[1-9]\\d{0,14}|[1-9]\\d{0,2}([.,' \\u202f\\u00a0]\\d{3}){1,4}", PATTERNS = { score: SCORE, progressPercent: "\\d\\d?|100" };
const number = (text) => Number(text.replace(/[^\d]/g, ""));

/** The kinds of notes: their fields, and the entry that these come to. */
const KINDS = {
  score: () => {
    const score = input("score", { inputmode: "numeric", required: true, pattern: SCORE, class: "large" });
    const tournament = input("tournament", { maxlength: 200 });
    const show = (context) => {
      tournament.hidden = context !== "tournament";
      tournament.control.required = !tournament.hidden;
    };
    const context = select("context", options(CONTEXTS, "context"), "practice", show);
    show("practice");
    return [[score, context, tournament], (game) => ["practice.score", { game, score: number(value(score)), context: value(context),
      ...(!tournament.hidden && { tournament: value(tournament) }) }]];
  },
  study: () => {
    const videos = { tutorialVideo: "tutorialWatch", gameplayVideo: "gameplayWatch" };
    const task = select("task", options(["rulesheet", "tutorialVideo", "gameplayVideo", "playfield"], "task"), "rulesheet",
      (chosen) => (source.hidden = !videos[chosen]));
    const source = input("video-number", { type: "number", min: 1, max: 99, value: 1, inputmode: "numeric" }), done = percent(), note = noteField();
    source.hidden = true;
    return [[task, source, done, note], (game) => {
      const progress = value(done) === "" ? undefined : Number(value(done)), text = value(note) || undefined, action = videos[value(task)];
      return action ? ["practice.video", { game, action, kind: "percent", progress, note: text,
        value: `${action === "tutorialWatch" ? "Tutorial" : "Gameplay"} ${value(source) || "-"} • ${progress ?? 100}%` }]
        : ["practice.task", { game, task: value(task), progress, note: text }];
    }];
  },
  practice: () => {
    const minutes = input("practice-minutes", { type: "number", min: 1, max: 1440, inputmode: "numeric" }), note = noteField();
    const focus = select("practice-focus", options(CATEGORIES, "category"), "general");
    return [[minutes, focus, note], (game) => {
      const time = Number(value(minutes)), about = value(focus);
      // The app reads these words out of the text again: they are the same in every language.
      const words = [`Practice session${time ? `: ${time} minute${time === 1 ? "" : "s"}` : ""}`,
        [about !== "general" && `Focus: ${strings[`category-${about}`]}`, value(note)].filter(Boolean).join(". ")];
      return ["practice.task", { game, task: "practice", note: words.filter(Boolean).join(". ") }];
    }];
  },
  mechanics: () => {
    const skill = select("skill", SKILLS.map((one) => [one, one]), SKILLS[0]), note = noteField();
    const level = select("competency", [1, 2, 3, 4, 5].map((n) => [String(n), t("competency-n", { n })]), "3");
    return [[skill, level, note], (game) => ["practice.mechanics", { game, skill: value(skill), competency: Number(value(level)),
      note: value(note) || undefined }]];
  },
  note: () => {
    const category = select("about", options(CATEGORIES, "category"), "general"), note = noteField(true);
    return [[category, note], (game) => ["practice.note", { game, category: value(category), note: value(note) }]];
  },
};

function entry(journal, games, game) {
  const form = h("form.form"), fields = h("div.fields");
  const picker = !game && (games.length ? select("game", games.map(({ game: key, name }) => [key, name]), lastGame ?? games[0].game, (key) => (lastGame = key))
    : input("game", { required: true, maxlength: 200 }));
  let made;
  const open = (kind) => {
    lastKind = kind;
    const [parts, make] = KINDS[kind]();
    made = make;
    fields.replaceChildren(...[picker, ...parts].filter(Boolean));
  };
  const kinds = h("div.choices", { role: "radiogroup", "aria-label": t("what-to-note") }, Object.keys(KINDS).map((kind) =>
    h("label.choice", h("input", { type: "radio", name: "kind", value: kind, checked: kind === lastKind, onchange: () => open(kind) }), t(`kind-${kind}`))));
  open(lastKind);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [kind, payload] = made(game ?? value(picker));
    // At once: who notes the next thing must not lose it when this one has arrived.
    open(lastKind);
    write(journal, kind, payload);
  });
  form.append(kinds, fields, h("div.buttons", h("button.primary", t("note-it"))));
  return form;
}
let lastKind = "score", lastGame;

/** The games of the library by name, each once. */
async function gamesOf(journal, signal) {
  const { body } = await get(journal, "practice/library", {}, signal);
  const keys = unique(body.map(({ game }) => game));
  return keys.map((key) => body.find(({ game }) => game === key)).sort(byName);
}

const namesOf = (games) => new Map(games.map(({ game, name }) => [game, name]));

// MARK: Home

function home(root, { journal, records }) {
  const top = root.appendChild(h("div")), below = root.appendChild(h("div"));
  const shown = [records(below)];
  if (me.can("mark")) {
    const waits = h("div");
    shown.push(loader(top, async (signal) => {
      const games = await gamesOf(journal, signal), show = () => waits.replaceChildren(...[waitingPart(journal, namesOf(games))].filter(Boolean));
      shown.push({ close: outbox.on(show) });
      show();
      return [section(t("note-something"), entry(journal, games)), waits];
    }, { lines: 3 }));
  }
  return { close: () => shown.forEach((one) => one.close()) };
}

// MARK: Rows

const FILTERS = ["all", "study", "practice", "score", "notes", "league"];

function rows(journal, all, reload) {
  const days = all.reduce((map, row) => map.set(row.day, [...map.get(row.day) ?? [], row]), new Map());
  return [...days].map(([day, of]) => section(fmt.day(Date.parse(day + NOON)), portions(of, (row) => rowItem(journal, row, reload))));
}

function rowItem(journal, { id, time, text }, reload) {
  const [, said, about] = /^([^]*?)\s• (.*)$/.exec(text) ?? [0, text], [heading, ...rest] = said.split("\n"), first = heading.replace(/:$/, "");
  const isOurs = me.can("mark") && id.startsWith("app-") && !text.startsWith("Browsed ");
  const act = (name, work, kind = "plain") => button(t(name), doing(work), kind, { "data-focus": `${name}-${id}`, "aria-label": t("act-on", { act: t(name), name: first }) });
  return h("li.item", h("span.time", fmt.time(time)), h("div.item-text", h("b", { dir: "auto" }, first),
    rest.length > 0 && h("p.lines", { dir: "auto" }, rest.join("\n")), about && small(about),
    isOurs && h("div.buttons", act("edit", () => edit(journal, { id: id.slice(4), time, text }, reload)),
      act("delete-row", () => remove(journal, id.slice(4), text, reload), "plain danger"))));
}

async function remove(journal, row, text, reload) {
  if (await dialog({ title: t("delete-row"), body: [h("p", { dir: "auto" }, text), h("p", t("delete-row-text"))], actions: [
    { label: t("cancel"), value: "" }, { label: t("delete-row"), value: "yes", primary: true, danger: true }] }) !== "yes") return;
  await write(journal, "practice.delete", { row });
  reload();
}

/** What can be changed of a row, by its action; the label of each field. */
const EDITABLE = { scoreLogged: ["score", "scoreContext", "tournamentName"], noteAdded: ["noteCategory", "noteDetail", "note"],
  tutorialWatch: ["progressPercent", "videoValue", "note"], gameplayWatch: ["progressPercent", "videoValue", "note"],
  rulesheetRead: ["progressPercent", "note"], playfieldViewed: ["progressPercent", "note"], practiceSession: ["note"] };
const CHOSEN = { scoreContext: ["context", CONTEXTS], noteCategory: ["category", CATEGORIES, "about"] }, NUMBERS = ["score", "progressPercent"];

async function edit(journal, { id, time, text }, reload) {
  const moment = Math.floor(time), iso = (ms) => new Date(ms).toISOString();
  const { body } = await api.get(`journals/${encodeURIComponent(journal.handle)}/records`, { query: { since: iso(moment), until: iso(moment + 1), limit: 1000 } });
  const record = body.find(({ record_id: one }) => one?.toLowerCase() === id.toLowerCase())?.record;
  const names = EDITABLE[record?.action];
  if (!names) return toast(t("not-editable"), { kind: "bad" });
  const fields = names.map((name) => {
    const now = record[name] ?? "", [prefix, words, label = prefix] = CHOSEN[name] ?? [];
    const control = words ? select(label, options(unique([...words, now || undefined]), prefix), now)
      : name === "note" ? field("note", h("textarea", { rows: 3, dir: "auto", value: now })) : input(`edit-${name}`, { value: String(now),
        inputmode: NUMBERS.includes(name) ? "numeric" : "text", pattern: PATTERNS[name] });
    return [name, now, control];
  });
  if (await dialog({ title: t("edit"), body: [h("p", { dir: "auto" }, text.split("\n").at(-1).replace(/^• /, "")), ...fields.map(([, , control]) => control)], actions: [
    { label: t("cancel"), value: "" }, { label: t("save"), value: "yes", primary: true }] }) !== "yes") return;
  const changed = fields.map(([name, now, control]) => [name, value(control), String(now)]).filter(([, next, now]) => next !== now.trim());
  if (!changed.length) return;
  if (fields.some(([, , control]) => !control.control.checkValidity())) return toast(t("not-a-number"), { kind: "bad" });
  await write(journal, "practice.edit", { row: id, patch: Object.fromEntries(changed.map(([name, next]) =>
    [name, next === "" ? null : NUMBERS.includes(name) ? number(next) : next])) });
  reload();
}

function log(root, context) {
  const { journal } = context;
  return loader(root, async (signal, reload) => {
    const games = await gamesOf(journal, signal);
    const answer = await get(journal, "practice/journal", { filter: logFilter, game: logGame || undefined }, signal);
    const chosen = (set) => (next) => {
      set(next);
      reload();
    };
    return [asOf(answer), h("div.fields", select("show", options(FILTERS, "filter"), logFilter, chosen((next) => (logFilter = next))),
      select("game", [["", t("all-games")], ...games.map(({ game, name }) => [game, name])], logGame, chosen((next) => (logGame = next)))),
    waitingPart(journal, namesOf(games), logGame),
    answer.body.length ? pages(answer.body, (some) => rows(journal, some, reload)) : emptyState("journal", t("no-rows"))];
  }, { follows: [onEvents(["journal"], journal.handle), outbox.on] });
}
let logFilter = "all", logGame = "";

function pages(all, make, shown = 100) {
  return [make(all.slice(0, shown)), all.length > shown && button(t("show-older"), ({ currentTarget }) =>
    currentTarget.replaceWith(...[pages(all.slice(shown), make, shown)].flat(Infinity).filter(Boolean)), "more-link")];
}

// MARK: A game

const TASKS = ["playfield", "rulesheet", "tutorialVideo", "gameplayVideo", "practice"];

function game(root, { journal, key }) {
  const waits = h("div");
  let show;
  return loader(root, async (signal, reload) => {
    const [answer, { body: all }, games] = await Promise.all([get(journal, "practice/game", { game: key }, signal),
      get(journal, "practice/journal", { game: key }, signal), gamesOf(journal, signal)]);
    const { name, scores, progress, completion, days_since_practice: days, alerts, note } = answer.body, isWriter = me.can("mark");
    frame.title(name, { back: addressOf(journal) });
    show = () => waits.replaceChildren(...[waitingPart(journal, namesOf(games), key)].filter(Boolean));
    show();
    return [asOf(answer), h("ul.items", alerts.map(({ severity, message }) => h("li.item", icon(severity === "info" ? "help" : "warning"),
      h("div.item-text", h("b", message))))),
    section(t("numbers"), scores ? h("dl.facts-list", fact("count", fmt.number(scores.count)), fact("average", whole(scores.average)),
      fact("median", whole(scores.median)), fact("floor", whole(scores.floor)), fact("consistency", t(scores.consistency === "Stable" ? "stable" : "high-risk")))
      : h("p.quiet", t("no-scores")), h("p.links", h("a", { href: addressOf(journal, "insights", key) }, t("insights")), " ",
      h("a", { href: addressOf(journal, "library", key) }, t("rulesheet-and-videos")))),
    section(t("progress"), h("ul.items", TASKS.map((task) => h("li.item", h("div.item-text", t(`task-${task}`)), bar(`task-${task}`, progress[task]),
      h("span.big", t("percent-n", { n: progress[task] }))))), h("p.quiet", dots(t("completion-n", { n: completion }),
      days === undefined ? t("never-practised") : t("days-ago", { n: days })))),
    section(t("game-note"), note ? h("p.lines", { dir: "auto" }, note) : h("p.quiet", t("no-game-note")), isWriter && h("div.buttons",
      button(t("edit"), doing(() => editNote(journal, key, note ?? "", reload)), "plain", { "aria-label": t("act-on", { act: t("edit"), name: t("game-note") }), "data-focus": "game-note" }))),
    isWriter && section(t("note-something"), entry(journal, games, key)), waits,
    all.length > 0 && h("h2.part", t("log")), pages(all, (some) => rows(journal, some, reload))];
  }, { follows: [onEvents(["journal"], journal.handle), () => outbox.on(() => show?.())] });
}

async function editNote(journal, key, now, reload) {
  const control = field("game-note", h("textarea", { rows: 5, dir: "auto", value: now }));
  if (await dialog({ title: t("game-note"), body: [control], actions: [{ label: t("cancel"), value: "" },
    { label: t("save"), value: "yes", primary: true }] }) !== "yes" || value(control) === now.trim()) return;
  await write(journal, "practice.gamenote", { game: key, note: value(control) });
  reload();
}

export const views = { home, log, game };

Object.assign(strings, {
  "what-to-note": "What to note", "note-something": "Note something", "note-it": "Note it", "kind-score": "Score", "kind-study": "Study",
  "kind-practice": "Practice", "kind-mechanics": "Mechanics", "kind-note": "Note", "score": "Score", "context": "Played in",
  "context-practice": "Practice", "context-league": "League", "context-tournament": "Tournament", "tournament": "Tournament", "task": "What",
  "task-rulesheet": "Rulesheet", "task-tutorialVideo": "Tutorial video", "task-gameplayVideo": "Gameplay video", "task-playfield": "Playfield",
  "task-practice": "Practice", "video-number": "Number of the video", "percent": "Percent done", "percent-n": "{n}%", "practice-minutes": "Minutes",
  "practice-focus": "Focus", "about": "About", "category-general": "General practice", "category-shots": "Shots", "category-modes": "Modes",
  "category-multiball": "Multiball", "category-strategy": "Scoring strategy", "category-mechanics": "Mechanics", "skill": "Skill",
  "competency": "How well", "competency-n": "{n} of 5", "edit-score": "Score", "edit-tournamentName": "Tournament", "edit-noteDetail": "Detail",
  "edit-progressPercent": "Percent done", "edit-videoValue": "Progress of the video", "delete-row": "Delete",
  "delete-row-text": "The record that was written with it goes, too.", "not-a-number": "Not changed: that is not a number.", "not-editable": "This row can’t be changed.", "show": "Show",
  "all-games": "All games", "no-rows": "Nothing noted yet", "filter-all": "All", "filter-study": "Study", "filter-practice": "Practice",
  "filter-score": "Scores", "filter-notes": "Notes", "filter-league": "League", "numbers": "Scores", "count": "How many",
  "rulesheet-and-videos": "Rulesheet and videos",
  "progress": "Progress", "never-practised": "never practised", "days-ago": { one: "practised {n} day ago", other: "practised {n} days ago" }, "game-note": "Note of the game", "no-game-note": "None yet",
});

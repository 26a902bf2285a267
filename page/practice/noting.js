/** Noting into a practice journal: the forms, a game's page, and all rows with their filters. */
import { emptyState, fmt, frame, h, icon, me, outbox, t, ulid } from "../core.js";
import { keepDraft } from "../forms.js";
import { asOf, button, doing, dots, loader, onEvents, portions, section, small } from "../more.js";
import { bar, fact, field, played, select, whole, word } from "./insights.js";
import { byDay, dayName } from "../journals.js";
import { addressOf, deleted, get, waiting, write } from "./kind.js";
import { strings } from "../strings.js";

/** What waits, as rows; of one game if there is one. */
function waitingPart(journal, names, game) {
  const all = waiting(journal).filter(({ body }) => !game || body.game === game);
  return all.length ? [section(t("waits-title"), h("ul.items", all.map(({ session, body, made, difference, problem }) =>
    h("li.item", icon("outbox"), h("div.item-text", h("b", { dir: "auto" }, dots(session.what, body.source ?? body.value,
      body.minutes && fmt.length(MINUTE * body.minutes), body.note, names.get(body.game) ?? body.game)),
      small(fmt.ago(made + difference)), problem && h("p.cure.bad", problem))))))] : [];
}

const MINUTE = 60_000;

/** The dialogs that change what is there: loaded with the first of them. */
const changing = () => import("./changing.js");

// MARK: Noting

const SKILLS = ["Dead Bounce", "Post Pass", "Post Catch", "Flick Pass", "Nudge Pass", "Drop Catch", "Live Catch", "Shatz", "Back Flip", "Loop Pass",
  "Slap Save (Single)", "Slap Save (Double)", "Air Defense", "Cradle Separation", "Over Under", "Tap Pass"];
export const CATEGORIES = ["general", "shots", "modes", "multiball", "strategy"], CONTEXTS = ["practice", "league", "tournament"];
export const options = (words, prefix) => words.map((word) => [word, t(`${prefix}-${word}`)]);
export const input = (label, props) => field(label, h("input", { autocomplete: "off", dir: "auto", "data-focus": label, ...props }));
export const value = ({ control }) => control.value.trim();
const noteField = (isRequired = false) => field("note", h("textarea", { rows: 2, dir: "auto", required: isRequired, "data-focus": "note" }));
const percent = () => input("percent", { type: "number", min: 0, max: 100, inputmode: "numeric" });
// Digits, or groups of three of them with one separator; no more than a number holds exactly. As the command line takes them.
export const SCORE = "\\s*([1-9]\\d{0,14}|[1-9]\\d{0,2}([.,'\u2019 _\\u202f\\u00a0])\\d{3}(\\2\\d{3}){0,3})\\s*";
export const number = (typed) => Number(typed.replace(/[^\d]/g, ""));

const seconds = (typed) => typed.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

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
    const task = select("task", options(["rulesheet", "tutorialVideo", "gameplayVideo", "playfield"], "task"), "rulesheet", () => show());
    const source = input("video-number", { type: "number", min: 1, max: 99, value: 1, inputmode: "numeric" }), done = percent(), note = noteField();
    const times = ["watched", "video-length"].map((label) => input(label, { pattern: "\\d?\\d(:[0-5]\\d){2}", placeholder: "0:10:00", oninput: () => check() }));
    // Both times or none, of which the first is not the greater.
    const check = () => {
      const [seen, all] = times.map(({ control }) => (control.required = times.some(value), seconds(control.value)));
      times[0].control.setCustomValidity(all && seen > all ? t("watched-more") : "");
      done.hidden = times.some(value);
    };
    const show = () => {
      for (const part of [source, ...times]) part.hidden = !videos[value(task)];
      for (const { control } of times) control.value = "";
      check();
    };
    show();
    return [[task, source, ...times, done, note], (game) => {
      const action = videos[value(task)], [watched_ms, length_ms] = times.map((time) => (value(time) ? 1000 * seconds(value(time)) : undefined));
      const progress = value(done) === "" || watched_ms !== undefined ? undefined : Number(value(done)), text = value(note) || undefined;
      // The app's names of the videos: they are the same in every language.
      return action ? ["practice.video", { game, action, source: `${action === "tutorialWatch" ? "Tutorial" : "Gameplay"} ${value(source) || "-"}`,
        progress, watched_ms, length_ms, note: text }]
        : ["practice.task", { game, task: value(task), progress, note: text }];
    }];
  },
  practice: () => {
    const minutes = input("practice-minutes", { type: "number", min: 1, max: 1440, inputmode: "numeric" }), note = noteField();
    const focus = select("practice-focus", options(CATEGORIES, "category"), "general");
    return [[minutes, focus, note], (game) => ["practice.task", { game, task: "practice", minutes: Number(value(minutes)) || undefined,
      focus: value(focus), note: value(note) || undefined }]];
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

/** The form; a game that is not given is chosen, at first as the slots say. */
function entry(journal, names, game, slots) {
  const form = h("form.form"), fields = h("div.fields");
  const picker = !game && (names.size ? select("game", [...names], "", (key) => (lastGame = key)) : input("game", { required: true, maxlength: 200 }));
  let made, draft, id, noted = -Infinity;
  // One entry for what is typed: a second press of a double one sends nothing.
  const open = (kind) => {
    lastKind = kind;
    id = ulid();
    const [parts, make] = KINDS[kind]();
    made = make;
    // What was typed, where there is no library to choose from, stays.
    if (picker && names.size) picker.control.value = [lastGame, slots.quick?.[kind], slots.resume, ...names.keys()].find((key) => names.has(key));
    draft?.close();
    fields.replaceChildren(...[picker, ...parts].filter(Boolean));
    draft = keepDraft(fields, `note/${journal.handle}/${game ?? ""}/${kind}`);
  };
  const kinds = h("div.choices", { role: "radiogroup", "aria-label": t("what-to-note") }, Object.keys(KINDS).map((kind) =>
    h("label.choice", h("input", { type: "radio", name: "kind", value: kind, checked: kind === lastKind, onchange: () => open(kind) }), t(`kind-${kind}`))));
  open(lastKind);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.timeStamp - noted < DOUBLE) return;
    noted = event.timeStamp;
    const [kind, payload] = made(game ?? value(picker)), one = id;
    // At once: who notes the next thing must not lose it when this one has arrived.
    draft.drop();
    open(lastKind);
    write(journal, kind, payload, one);
  });
  form.addEventListener("input", () => (noted = -Infinity));
  form.append(kinds, fields, h("div.buttons", h("button.primary", t("note-it"))));
  return form;
}
const DOUBLE = 700; // ms
let lastKind = "score", lastGame;

/** The names of the games, in their order, by their keys; of two with one key that of the first. */
const namesOf = async (journal, signal) => new Map([...new Map((await get(journal, "practice/library", {}, signal)).body.reverse()
  .map(({ game, name }) => [game, name]))].sort(([, a], [, b]) => a.localeCompare(b)));

// MARK: Home

function home(root, { journal, records }) {
  // What is below comes when it is known how tall the form is.
  const top = root.appendChild(h("div")), below = root.appendChild(h("div", { hidden: me.can("mark") }));
  const shown = [records(below)];
  if (me.can("mark")) {
    const waits = h("div");
    shown.push(loader(top, async (signal) => {
      const [names, { body: slots }] = await Promise.all([namesOf(journal, signal),
        get(journal, "practice/slots", {}, signal).catch(() => ({ body: {} }))]).catch((error) => {
        below.hidden = false;
        throw error;
      });
      const show = () => waits.replaceChildren(...waitingPart(journal, names));
      shown.push({ close: outbox.on(show) });
      show();
      queueMicrotask(() => (below.hidden = false));
      return [section(t("note-something"), entry(journal, names, undefined, slots), (slots.practice_viewed ?? slots.library_viewed) && names.has(slots.resume) && h("p.links",
        h("a", { href: addressOf(journal, "game", slots.resume) }, t("continue-with", { name: names.get(slots.resume) })))), waits];
    }, { lines: 3 }));
  }
  return { close: () => shown.forEach((one) => one.close()) };
}

// MARK: Rows

/** The rows but those whose deletion waits here. */
function there(journal, all) {
  const gone = deleted(journal);
  return gone.size ? all.filter(({ id }) => !gone.has(id.slice(4))) : all;
}

const FILTERS = ["all", "study", "practice", "score", "notes", "league"];

const rows = (journal, all, reload) => byDay(all, ({ day }) => day).map(([day, of]) =>
  section(dayName(day), portions(of, (row) => rowItem(journal, row, reload))));

/** What a row says: a title, and lines below it. What the page does not know is said as the server does. */
function said({ text, action, task, progress, video, minutes, focus, score, category, detail, skill, competency, is_best: isBest, note }) {
  const share = progress !== undefined && `${t("progress")}: ${t("percent-n", { n: progress })}`;
  if (action === "scoreLogged" && score !== undefined) return [`${t("score")}: ${whole(score)}`, isBest && t("best-score"), note];
  if (action === "noteAdded") return competency ? [skill, t("competency-n", { n: competency }), note]
    : [dots(t("note"), word("category", category), detail), note];
  if (task) return [word("task", task), video ? dots(video.source ?? video.value, video.length_ms !== undefined
    && `${fmt.offset(video.watched_ms)} / ${fmt.offset(video.length_ms)}`, share) : share,
  dots(minutes && fmt.length(MINUTE * minutes), word("category", focus)), note];
  return [text];
}

function rowItem(journal, row, reload) {
  const { id, text, game, name } = row, [first, ...lines] = said(row).filter(Boolean), where = played(row);
  const isOurs = me.can("mark") && id.startsWith("app-") && row.action !== "gameBrowse";
  const act = (verb, work, kind = "plain") => button(t(verb), doing(work), kind, { "data-focus": `${verb}-${id}`, "aria-label": t("act-on", { act: t(verb), name: first }) });
  return h("li.item", h("span.time", fmt.time(row.time)), h("div.item-text", h("b", { dir: "auto" }, first),
    lines.length > 0 && h("p.lines", { dir: "auto" }, lines.join("\n")), (where || name && first !== text) && small(
      name && h("a", { href: addressOf(journal, "game", game) }, name), name && where && " · ", where),
    isOurs && h("div.buttons", act("edit", async () => (await changing()).edit(journal, { ...row, id: id.slice(4) }, reload)),
      act("delete-row", async () => (await changing()).remove(journal, id.slice(4), text, reload), "plain danger"))));
}

function log(root, context) {
  const { journal } = context;
  return loader(root, async (signal, reload) => {
    const names = await namesOf(journal, signal);
    const answer = await get(journal, "practice/journal", { filter: logFilter, game: logGame || undefined }, signal);
    const chosen = (set) => (next) => {
      set(next);
      reload();
    };
    return [asOf(answer), h("div.fields", select("show", options(FILTERS, "filter"), logFilter, chosen((next) => (logFilter = next))),
      select("game", [["", t("all-games")], ...names], logGame, chosen((next) => (logGame = next)))),
    waitingPart(journal, names, logGame),
    answer.body.length ? pages(there(journal, answer.body), (some) => rows(journal, some, reload)) : emptyState("journal", t("no-rows"))];
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
    const [answer, { body: all }, names] = await Promise.all([get(journal, "practice/game", { game: key }, signal),
      get(journal, "practice/journal", { game: key }, signal), namesOf(journal, signal)]);
    const { name, scores, progress, completion, days_since_practice: days, alerts, note } = answer.body, isWriter = me.can("mark");
    frame.title(name, { back: addressOf(journal) });
    show = () => waits.replaceChildren(...waitingPart(journal, names, key));
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
      button(t("edit"), doing(async () => (await changing()).editNote(journal, key, note ?? "", reload)), "plain", { "aria-label": t("act-on", { act: t("edit"), name: t("game-note") }), "data-focus": "game-note" }))),
    isWriter && section(t("note-something"), entry(journal, names, key)), waits,
    all.length > 0 && h("h2.part", t("log")), pages(there(journal, all).map(({ name: _, ...row }) => row), (some) => rows(journal, some, reload))];
  }, { follows: [onEvents(["journal"], journal.handle), () => outbox.on(() => show?.())] });
}

export const views = { home, log, game };

Object.assign(strings, {
  "what-to-note": "What to note", "note-something": "Note something", "continue-with": "Continue with {name}", "note-it": "Note it", "kind-score": "Score", "kind-study": "Study",
  "kind-practice": "Practice", "kind-mechanics": "Mechanics", "kind-note": "Note", "score": "Score", "context": "Played in",
  "best-score": "Best score", "tournament": "Tournament", "task": "What",
  "task-rulesheet": "Rulesheet", "task-tutorialVideo": "Tutorial video", "task-gameplayVideo": "Gameplay video", "task-playfield": "Playfield",
  "task-practice": "Practice", "video-number": "Number of the video", "watched": "Watched, h:mm:ss", "video-length": "Length of the video, h:mm:ss",
  "watched-more": "That is more than the video is long.", "percent": "Percent done", "percent-n": "{n}%", "practice-minutes": "Minutes",
  "practice-focus": "Focus", "about": "About", "category-general": "General practice", "category-shots": "Shots", "category-modes": "Modes",
  "category-multiball": "Multiball", "category-strategy": "Scoring strategy", "category-mechanics": "Mechanics", "skill": "Skill",
  "competency": "How well", "competency-n": "{n} of 5", 
  "delete-row": "Delete",
  "show": "Show",
  "all-games": "All games", "no-rows": "Nothing noted yet", "filter-all": "All", "filter-study": "Study", "filter-practice": "Practice",
  "filter-score": "Scores", "filter-notes": "Notes", "filter-league": "League", "numbers": "Scores", "count": "How many",
  "rulesheet-and-videos": "Rulesheet and videos",
  "progress": "Progress", "never-practised": "never practised", "days-ago": { one: "practised {n} day ago", other: "practised {n} days ago" }, "game-note": "Note of the game", "no-game-note": "None yet",
});

/** Noting into a practice journal. */
import { h } from "../base/dom.js";
import { ulid } from "../base/record.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { isRight, keepDraft } from "../ui/form.js";
import { loader, section } from "../ui/parts.js";
import { CATEGORIES, CONTEXTS, input, options, scoreField, value } from "./fields.js";
import { field, namesOf, select, waitingPart } from "./insights.js";
import { number } from "./score.js";
import { addressOf, get, write } from "./writing.js";

const SKILLS = ["Dead Bounce", "Post Pass", "Post Catch", "Flick Pass", "Nudge Pass", "Drop Catch", "Live Catch",
  "Shatz", "Back Flip", "Loop Pass",
  "Slap Save (Single)", "Slap Save (Double)", "Air Defense", "Cradle Separation", "Over Under", "Tap Pass"];

const noteField = (isRequired = false) =>
  field("note", h("textarea", { rows: 2, dir: "auto", required: isRequired, "data-focus": "note" }));
const percent = () => input("percent", { type: "number", min: 0, max: 100, inputmode: "numeric" });
/** @param {string} typed */
const seconds = (typed) => typed.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

/**
 * The kinds of notes: their fields, and the entry that these come to.
 * @type {Record<string, () => [Field[], (game: string) => [string, Record<string, any>]]>}
 */
const KINDS = {
  score: () => {
    const score = scoreField("score", { required: true, class: "large" });
    const tournament = input("tournament", { maxlength: 200 });
    /** @param {string} context */
    const show = (context) => {
      tournament.hidden = context !== "tournament";
      tournament.control.required = !tournament.hidden;
    };
    const context = select("context", options(CONTEXTS, "context"), "practice", show);
    show("practice");
    return [[score, context, tournament], (game) => ["practice.score",
      { game, score: number(value(score)), context: value(context),
      ...(!tournament.hidden && { tournament: value(tournament) }) }]];
  },
  study: () => {
    /** @type {Record<string, string>} */
    const videos = { tutorialVideo: "tutorialWatch", gameplayVideo: "gameplayWatch" };
    const task = select("task", options(["rulesheet", "tutorialVideo", "gameplayVideo", "playfield"], "task"),
      "rulesheet", () => show());
    const source = input("video-number", { type: "number", min: 1, max: 99, value: 1, inputmode: "numeric" }),
      done = percent(), note = noteField();
    const times = ["watched", "video-length"]
      .map((label) => input(label, { pattern: "\\d?\\d(:[0-5]\\d){2}", placeholder: "0:10:00",
      oninput: () => check() }));
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
      const action = videos[value(task)], [watched_ms, length_ms] = times
        .map((time) => (value(time) ? 1000 * seconds(value(time)) : undefined));
      const progress = value(done) === "" || watched_ms !== undefined ? undefined : Number(value(done)),
        text = value(note) || undefined;
      // The app's names of the videos: they are the same in every language.
      return action ? ["practice.video",
        { game, action, source: `${action === "tutorialWatch" ? "Tutorial" : "Gameplay"} ${value(source) || "-"}`,
        progress, watched_ms, length_ms, note: text }]
        : ["practice.task", { game, task: value(task), progress, note: text }];
    }];
  },
  practice: () => {
    const minutes = input("practice-minutes", { type: "number", min: 1, max: 1440, inputmode: "numeric" }),
      note = noteField();
    const focus = select("practice-focus", options(CATEGORIES, "category"), "general");
    return [[minutes, focus, note], (game) => ["practice.task",
      { game, task: "practice", minutes: Number(value(minutes)) || undefined,
      focus: value(focus), note: value(note) || undefined }]];
  },
  mechanics: () => {
    const skill = select("skill", SKILLS.map((one) => [one, one]), SKILLS[0]), note = noteField();
    const level = select("competency", [1, 2, 3, 4, 5].map((n) => [String(n), t("competency-n", { n })]), "3");
    return [[skill, level, note], (game) => ["practice.mechanics",
      { game, skill: value(skill), competency: Number(value(level)),
      note: value(note) || undefined }]];
  },
  note: () => {
    const category = select("about", options(CATEGORIES, "category"), "general"), note = noteField(true);
    return [[category, note], (game) => ["practice.note", { game, category: value(category), note: value(note) }]];
  },
};

/**
 * The form; a game that is not given is chosen, at first as the slots say.
 * @param {Journal} journal
 * @param {Map<string, string>} names
 * @param {string | undefined} game
 * @param {AbortSignal} life
 * @param {Partial<Api.PracticeSlots>} [slots]
 */
export function entry(journal, names, game, life, slots) {
  const form = h("form.form", { novalidate: true }), fields = h("div.fields");
  const picker = !game && (names.size ? select("game", [...names], "", (key) => (lastGame = key))
    : input("game", { required: true, maxlength: 200 }));
  /** @type {any} */
  let made;
  /** @type {ReturnType<typeof keepDraft> | undefined} */
  let draft;
  let id = "", noted = -Infinity;
  // One entry for what is typed: a second press of a double one sends nothing.
  /** @param {string} kind */
  const open = (kind) => {
    lastKind = kind;
    id = ulid();
    const [parts, make] = KINDS[kind]();
    made = make;
    // What was typed, where there is no library to choose from, stays.
    if (picker && names.size) picker.control.value = [lastGame, /** @type {any} */ (slots?.quick)?.[kind],
      slots?.resume, ...names.keys()].find((key) => key && names.has(key)) ?? "";
    draft?.close();
    fields.replaceChildren(...[picker, ...parts].filter(Boolean));
    draft = keepDraft(fields, `note/${journal.handle}/${game ?? ""}/${kind}`);
  };
  const kinds = h("div.choices", { role: "radiogroup", "aria-label": t("what-to-note") }, Object.keys(KINDS)
    .map((kind) =>
    h("label.choice", h("input", { type: "radio", name: "kind", value: kind, checked: kind === lastKind,
      onchange: () => open(kind) }), t(`kind-${kind}`))));
  open(lastKind);
  life.addEventListener("abort", () => draft?.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.timeStamp - noted < DOUBLE || !isRight(form)) return;
    noted = event.timeStamp;
    const [kind, payload] = made(game ?? value(picker)), one = id;
    // At once: who notes the next thing must not lose it when this one has arrived.
    draft?.drop();
    open(lastKind);
    write(journal, kind, payload, one);
  });
  form.addEventListener("input", ({ target }) => {
    noted = -Infinity;
    if (/** @type {Element} */ (target).hasAttribute("aria-invalid")) isRight(form, false);
  });
  form.append(kinds, fields, h("div.buttons", h("button.primary", t("note-it"))));
  return form;
}
const DOUBLE = 700; // ms
/** @type {string | undefined} */
let lastGame;
let lastKind = "score";

/**
 * @param {HTMLElement} root
 * @param {JournalContext} context
 */
export function home(root, { journal, records }) {
  // What is below comes when it is known how tall the form is.
  const top = root.appendChild(h("div")), below = root.appendChild(h("div", { hidden: me.can("mark") }));
  /** @type {{ close(): unknown }[]} */
  const shown = [records(below)];
  if (me.can("mark")) {
    const waits = h("div");
    /** @type {(() => void) | undefined} */
    let show;
    shown.push(loader(top, async (signal, _, life) => {
      const [names, { body: slots }] = await Promise.all([namesOf(journal, signal),
        get(journal, "practice/slots", {}, signal)
          .catch(() => ({ body: /** @type {Partial<Api.PracticeSlots>} */ ({}) }))]).catch((error) => {
        below.hidden = false;
        throw error;
      });
      show = () => waits.replaceChildren(...waitingPart(journal, names));
      show();
      queueMicrotask(() => (below.hidden = false));
      return [section(t("note-something"), entry(journal, names, undefined, life, slots),
        (slots.practice_viewed ?? slots.library_viewed) && slots.resume && names.has(slots.resume) && h("p.links",
        h("a", { href: addressOf(journal, "game", slots.resume) },
          t("continue-with", { name: names.get(slots.resume) })))), waits];
    }, { lines: 3, follows: [() => outbox.on(() => show?.())] }));
  }
  return { close: () => shown.forEach((one) => one.close()) };
}

texts({
  "what-to-note": "What to note",
  "continue-with": "Continue with {name}",
  "note-it": "Note it",
  "kind-score": "Score",
  "kind-study": "Study",
  "kind-practice": "Practice",
  "kind-mechanics": "Mechanics",
  "kind-note": "Note",
  "tournament": "Tournament",
  "video-number": "Number of the video",
  "watched": "Watched, h:mm:ss",
  "video-length": "Length of the video, h:mm:ss",
  "watched-more": "That is more than the video is long.",
  "percent": "Percent done",
  "practice-minutes": "Minutes",
  "practice-focus": "Focus",
  "skill": "Skill",
  "competency": "How well",
});

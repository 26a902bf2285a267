/** The groups of games that are practised together, and the form for a new one and for changes. */
import { h, icon } from "../base/dom.js";
import { clock, HOUR } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { frame, go } from "../ui/frame.js";
import { asOf, button, doing, dots, loader, sign, small } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import { bar, byName, confirm, dates, field, noon, select, unique, view, word } from "./insights.js";
import { addressOf, get, waiting, write } from "./writing.js";

/** @type {ViewMaker<JournalContext>} */
export function groups(root, context) {
  const { journal, key, part } = context, isWriter = me.can("mark");
  if (key && isWriter) return editor(root, journal, key, key === "edit" && part);
  if (isWriter) frame.actions(h("a.button", { href: addressOf(journal, "groups", "new") }, icon("plus"),
    t("new-group")));
  return view(root, context, async (signal, reload) => {
    const [answer, { body: library }] = await Promise.all([get(journal, "practice/groups", {}, signal),
      get(journal, "practice/library", {}, signal)]);
    /** @param {string} game */
    const link = (game) => h("a", { href: addressOf(journal, "game", game), dir: "auto" },
      library.find((one) => one.game === game)?.name ?? game);
    /** @param {Api.PracticeGroup} group */
    const node = ({ id, name, ...group }) => {
      /** @param {string} text */
      const label = (text) => ({ "aria-label": t("act-on", { act: t(text), name }), "data-focus": `${text}-${id}` });
      /** @type {(kind: string, text: string, payload?: Record<string, any>, danger?: string) => HTMLElement} */
      const act = (kind, text, payload = { group: id }, danger = "") => button(t(text), doing(async () => {
        if (danger && !await confirm(text)) return;
        await write(journal, `practice.group.${kind}`, payload);
        reload();
      }), `plain ${danger}`, label(text));
      return h("section.card", h("h2", { dir: "auto" }, name),
        h("p.signs", group.selected && sign("good", "check", t("selected")),
        group.priority && h("span.sign", t("priority")), group.archived && h("span.sign", t("archived"))),
      h("p.facts", dots(t(`type-${group.type}`), group.last_day
        ? dates.formatRange(noon(group.first_day ?? group.last_day), noon(group.last_day))
        : group.first_day && t("since", { day: dates.format(noon(group.first_day)) }))),
      h("p.share", bar("completion", group.completion), h("span", dots(t("completion-n", { n: group.completion }),
        group.stale_games > 0 && t("stale-n", { n: group.stale_games }), group.weaker_games > 0
          && t("weaker-n", { n: group.weaker_games })))),
      h("p.links", group.games.map((game) => [link(game), " "])),
      group.recommended && !group.archived && h("p.links", t("recommended"), " ", link(group.recommended)),
      isWriter && id && h("div.buttons", !group.selected && act("select", "select"),
        !group.priority && !group.archived && act("priority", "prioritize"),
        h("a.button.plain", { href: addressOf(journal, "groups", "edit", id), ...label("edit") }, t("edit")),
        h("a.button.plain", { href: addressOf(journal, "groups", id), ...label("copy") }, t("copy")),
        group.archived ? act("unarchive", "unarchive", { groups: [id] }) : act("archive", "archive", { groups: [id] }),
          act("delete", "delete-group", { group: id }, "danger")));
    };
    const [now, before] = [false, true].map((is) => answer.body.filter(({ archived }) => archived === is)
      .sort((a, b) => Number(b.selected) - Number(a.selected)).map(node));
    const changes = waiting(journal), made = changes.filter(({ kind }) => kind === "practice.group.create");
    const later = changes.length - made.length, soon = (/** @type {Entry} */ { body }) =>
      h("section.card", h("h2", { dir: "auto" }, body.name),
      h("p.signs", sign("waiting", "outbox", t("state-waiting"))),
        h("p.links", body.games.map((/** @type {string} */ game) => [link(game), " "])));
    return [asOf(answer), later > 0 && h("p", h("a", { href: "#/outbox" }, t("changes-wait", { n: later }))),
      answer.body.length + made.length ? h("div.cards", made.map(soon), now)
        : emptyState("list", t("no-groups"), t("no-groups-text")),
      before.length > 0 && h("details.part", h("summary.more-link", { "data-focus": "archived" },
        t("archive-n", { n: before.length })), h("div.cards", before))];
  });
}

/**
 * A new group, whose games may be those of a bank or of another group; or changes of one, by its id.
 * @param {HTMLElement} root
 * @param {Journal} journal
 * @param {string | undefined} copied
 * @param {string | false | undefined} edited
 */
const editor = (root, journal, copied, edited) => loader(root, async (signal) => {
  const [{ body: library }, { body: all }] = await Promise.all([get(journal, "practice/library", {}, signal),
    get(journal, "practice/groups", {}, signal)]);
  const old = edited ? all.find(({ id }) => id === edited) : undefined;
  if (edited && !old) return emptyState("list", t("no-group"), t("not-found"));
  if (!library.length && !old) return emptyState("journal", t("no-library"), t("no-library-text"));
  const name = h("input", { required: true, maxlength: 100, pattern: ".*\\S.*", autocomplete: "off", dir: "auto" });
  const [start, end] = /** @type {const} */ (["first_day", "last_day"])
    .map((day) => h("input", { type: "date", value: old?.[day] ?? "" }));
  const priority = h("input", { type: "checkbox", checked: Boolean(old?.priority) });
  // A game may stand in several venues, and a group may have one that the library lacks.
  const games = new Map([...(old?.games ?? []).map((game) => ({ game, name: game })), ...library]
    .map((one) => [one.game, one]));
  /** @type {[HTMLInputElement, { game: string, name: string }][]} */
  const boxes = [...games.values()].sort(byName).map((game) => [h("input", { type: "checkbox" }), game]);
  const types = select("type", unique(["custom", "bank", "location", old?.type]).map((one) => [one, word("type", one)]),
    "custom");
  const type = /** @type {HTMLSelectElement} */ (types.querySelector("select")),
    same = all.filter(({ id, archived }) => id && archived === old?.archived);
  const before = (old && same[same.indexOf(old) - 1]?.id) ?? "";
  const places = old && same.length > 1 && select("place", [["", t("place-first")],
    ...same.filter((group) => group !== old)
      .map((group) => /** @type {[string, string]} */ ([group.id ?? "", t("place-after", group)]))], before);
  /** @type {string[]} */
  let order = [];
  /**
   * @param {{ type: string, games: string[] }} group
   * @param {string} named
   */
  const fill = (group, named) => {
    name.value = named;
    type.value = group.type;
    order = group.games;
    for (const [box, { game }] of boxes) box.checked = order.includes(game);
  };
  /**
   * Fills the form with the games of a bank, by its number, or of a group, by its id, in their order.
   * @param {string} from
   */
  const take = (from) => {
    const group = all.find(({ id }) => id === from), bank = Number(from);
    if (group) fill(group, t("copy-of", group));
    else if (bank) fill({ type: "bank", games: library.filter((game) => game.bank === bank).map(({ game }) => game) },
      t("bank-focus", { n: from }));
  };
  if (old) fill(old, old.name);
  else if (copied) take(copied);
  // Days of the journal, whose zone may be another one than that of this browser: the server knows their moments, and
  // which day it is there. Before this one a day is over everywhere.
  const over = new Date(clock.now() - 12 * HOUR).toISOString().slice(0, 10);
  const check = () => {
    boxes[0][0].setCustomValidity(boxes.some(([box]) => box.checked) ? "" : t("choose-game"));
    end.setCustomValidity(end.value && end.value < (start.value || (old ? "" : over)) ? t("end-early") : "");
  };
  /** What is to be written: of a group that is there, what is another than before. */
  const save = async () => {
    const chosen = boxes.filter(([box]) => box.checked).map(([, { game }]) => game);
    const made = { name: name.value.trim(), type: type.value, priority: priority.checked,
      games: unique([...order.filter((game) => chosen.includes(game)), ...chosen]),
      first_day: start.value || undefined, last_day: end.value || undefined };
    if (!old) return write(journal, "practice.group.create", made);
    const patch = Object.fromEntries(Object.entries(made)
      .filter(([key, value]) => String(value) !== String(/** @type {Record<string, any>} */ (old)[key]))
      .map(([key, value]) => [key, value ?? null]));
    if (Object.keys(patch).length) await write(journal, "practice.group.edit", { group: edited, patch });
    const to = places && places.querySelector("select")?.value;
    if (!places || to === before) return;
    const others = same.map(({ id }) => id ?? "").filter((id) => id !== edited);
    others.splice(to ? others.indexOf(to) + 1 : 0, 0, String(edited));
    await write(journal, "practice.group.reorder", { groups: others });
  };
  return h("form.form", { oninput: check, onsubmit: async (event) => {
    event.preventDefault();
    await save();
    go(addressOf(journal, "groups"));
  } }, h("h2", t(old ? "edit-group" : "new-group")), !old && select("games-of", [["", t("nothing-taken")],
    ...unique(library.map(({ bank }) => bank)).sort((a, b) => a - b)
      .map((bank) => /** @type {[number, string]} */ ([bank, t("bank-n", { n: bank })])),
    ...all.map((group) => /** @type {[string, string]} */ ([group.id ?? "", group.name]))], "", take),
      field("name", name),
  h("fieldset", h("legend", t("games")), h("div.choices", boxes
    .map(([box, game]) => h("label.choice", { dir: "auto" }, box, game.name)))),
  types, h("div.fields", field("group-start", start), field("end", end)), places,
  h("label.switch", h("span", t("priority"), small(t("priority-text"))), priority),
  h("div.buttons", h("button.primary", { onclick: check }, t(old ? "save" : "create-group")),
    h("a.button", { href: addressOf(journal, "groups") }, t("cancel"))));
});

texts({
  "new-group": "New group",
  "create-group": "Create group",
  "edit-group": "Edit group",
  "no-group": "There is no such group",
  "place": "Place in the list",
  "place-first": "First",
  "place-after": "After {name}",
  "no-groups": "No groups yet",
  "no-groups-text": "A group holds games that you practise together, such as those of the next league night.",
  "selected": "Selected",
  "select": "Select",
  "priority": "Priority",
  "priority-text": "Another group that has it loses it.",
  "prioritize": "Give priority",
  "archived": "Archived",
  "archive": "Archive",
  "unarchive": "Open again",
  "archive-n": { one: "{n} archived group", other: "{n} archived groups" },
  "changes-wait": { one: "{n} change waits to be sent", other: "{n} changes wait to be sent" },
  "copy": "Copy",
  "copy-of": "Copy of {name}",
  "delete-group": "Delete",
  "delete-group-text": "The group goes. What was noted about its games stays.",
  "type": "Kind",
  "type-bank": "Bank",
  "type-location": "Location",
  "type-custom": "Custom",
  "since": "since {day}",
  "stale-n": { one: "{n} not practised lately", other: "{n} not practised lately" },
  "weaker-n": { one: "{n} weaker", other: "{n} weaker" },
  "recommended": "Play next:",
  "games-of": "Take the games of",
  "nothing-taken": "Choose below",
  "bank-focus": "Bank {n} Focus",
  "games": "Games",
  "choose-game": "Select at least one game.",
  "group-start": "Start",
  "end": "End",
  "end-early": "End date must be on or after start date.",
  "completion": "Done",
});

/** The groups of games that are practised together, and the form for a new one. */
import { clock, emptyState, frame, go, h, icon, me, t } from "../core.js";
import { asOf, button, doing, dots, loader, sign, small } from "../more.js";
import { bar, byName, confirm, dates, field, select, unique, view } from "./insights.js";
import { addressOf, get, waiting, write } from "./kind.js";
import { strings } from "../strings.js";

const DAY = 86_400_000, noon = (day) => Date.parse(`${day}T12:00`);

function groups(root, context) {
  const { journal, key } = context, isWriter = me.can("mark");
  if (key && isWriter) return editor(root, journal, key);
  if (isWriter) frame.actions(h("a.button", { href: addressOf(journal, "groups", "new") }, icon("plus"), t("new-group")));
  return view(root, context, async (signal, reload) => {
    const [answer, { body: library }] = await Promise.all(["groups", "library"].map((tail) =>
      get(journal, `practice/${tail}`, {}, signal)));
    const link = (game) => h("a", { href: addressOf(journal, "game", game), dir: "auto" },
      library.find((one) => one.game === game)?.name ?? game);
    const node = ({ id, name, ...group }) => {
      const label = (text) => ({ "aria-label": t("act-on", { act: t(text), name }), "data-focus": `${text}-${id}` });
      const act = (kind, text, payload = { group: id }, danger = "") => button(t(text), doing(async () => {
        if (danger && !await confirm(text)) return;
        await write(journal, `practice.group.${kind}`, payload);
        reload();
      }), `plain ${danger}`, label(text));
      return h("section.card", h("h2", { dir: "auto" }, name), h("p.signs", group.selected && sign("good", "check", t("selected")),
        group.priority && h("span.sign", t("priority")), group.archived && h("span.sign", t("archived"))),
      h("p.facts", dots(t(`type-${group.type}`), group.last_day ? dates.formatRange(noon(group.first_day ?? group.last_day), noon(group.last_day))
        : group.first_day && t("since", { day: dates.format(noon(group.first_day)) }))),
      h("p.share", bar("completion", group.completion), h("span", dots(t("completion-n", { n: group.completion }),
        group.stale_games > 0 && t("stale-n", { n: group.stale_games }), group.weaker_games > 0 && t("weaker-n", { n: group.weaker_games })))),
      h("p.links", group.games.map((game) => [link(game), " "])),
      group.recommended && !group.archived && h("p.links", t("recommended"), " ", link(group.recommended)),
      isWriter && id && h("div.buttons", !group.selected && act("select", "select"),
        !group.priority && !group.archived && act("priority", "prioritize"),
        h("a.button.plain", { href: addressOf(journal, "groups", id), ...label("copy") }, t("copy")),
        group.archived ? act("unarchive", "unarchive", { groups: [id] }) : act("archive", "archive", { groups: [id] }), act("delete", "delete-group", { group: id }, "danger")));
    };
    const [now, before] = [false, true].map((is) => answer.body.filter(({ archived }) => archived === is)
      .sort((a, b) => b.selected - a.selected).map(node));
    const changes = waiting(journal), made = changes.filter(({ kind }) => kind === "practice.group.create");
    const later = changes.length - made.length, soon = ({ body }) => h("section.card", h("h2", { dir: "auto" }, body.name),
      h("p.signs", sign("waiting", "outbox", t("state-waiting"))), h("p.links", body.games.map((game) => [link(game), " "])));
    return [asOf(answer), later > 0 && h("p", h("a", { href: "#/outbox" }, t("changes-wait", { n: later }))),
      answer.body.length + made.length ? h("div.cards", made.map(soon), now) : emptyState("list", t("no-groups"), t("no-groups-text")),
      before.length > 0 && h("details.part", h("summary.more-link", { "data-focus": "archived" }, t("archive-n", { n: before.length })), h("div.cards", before))];
  });
}

/** A new group; its games may be those of a bank, or of another group. */
const editor = (root, journal, copied) => loader(root, async (signal) => {
  const [library, all] = (await Promise.all(["library", "groups"].map((tail) => get(journal, `practice/${tail}`, {}, signal))))
    .map(({ body }) => body);
  if (!library.length) return emptyState("journal", t("no-library"), t("no-library-text"));
  const name = h("input", { required: true, maxlength: 100, pattern: ".*\\S.*", autocomplete: "off", dir: "auto" });
  const [start, end] = [0, 0].map(() => h("input", { type: "date" })), priority = h("input", { type: "checkbox" });
  const boxes = [...library].sort(byName).map((game) => [h("input", { type: "checkbox" }), game]);
  const types = select("type", ["custom", "bank", "location"].map((one) => [one, t(`type-${one}`)]), "custom"), type = types.querySelector("select");
  let order = [];
  /** Fills the form with the games of a bank, by its number, or of a group, by its id, in their order. */
  const take = (from) => {
    const group = all.find(({ id }) => id === from), bank = Number(from);
    if (!group && !bank) return;
    name.value = group ? t("copy-of", group) : t("bank-focus", { n: from });
    type.value = group?.type ?? "bank";
    order = group ? group.games : library.filter((game) => game.bank === bank).map(({ game }) => game);
    for (const [box, { game }] of boxes) box.checked = order.includes(game);
  };
  take(copied);
  const ms = ({ value }) => (value ? Date.parse(`${value}T00:00`) : undefined);
  const check = () => {
    boxes[0][0].setCustomValidity(boxes.some(([box]) => box.checked) ? "" : t("choose-game"));
    end.setCustomValidity(ms(end) < (ms(start) ?? new Date(clock.now()).setHours(0, 0, 0, 0)) ? t("end-early") : "");
  };
  return h("form.form", { oninput: check, onsubmit: async (event) => {
    event.preventDefault();
    const games = boxes.filter(([box]) => box.checked).map(([, { game }]) => game);
    await write(journal, "practice.group.create", { name: name.value.trim(), type: type.value, priority: priority.checked,
      games: unique([...order.filter((game) => games.includes(game)), ...games]), start: ms(start), end: ms(end) && ms(end) + DAY - 1000 });
    go(addressOf(journal, "groups"));
  } }, h("h2", t("new-group")), select("games-of", [["", t("nothing-taken")],
    ...unique(library.map(({ bank }) => bank)).sort((a, b) => a - b).map((bank) => [bank, t("bank-n", { n: bank })]),
    ...all.map((group) => [group.id, group.name])], "", take), field("name", name),
  h("fieldset", h("legend", t("games")), h("div.choices", boxes.map(([box, game]) => h("label.choice", { dir: "auto" }, box, game.name)))),
  types, h("div.fields", field("group-start", start), field("end", end)),
  h("label.switch", h("span", t("priority"), small(t("priority-text"))), priority),
  h("div.buttons", h("button.primary", { onclick: check }, t("create-group")),
    h("a.button", { href: addressOf(journal, "groups") }, t("cancel"))));
});

export const views = { groups };

Object.assign(strings, {
  "new-group": "New group",
  "create-group": "Create group",
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
});

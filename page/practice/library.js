/** The games of the library: a list to search, sort and filter, and what there is to read and to watch for each. */
import { h, icon } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { asOf, dots, portions, section } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import { byName, item, select, unique, view } from "./insights.js";
import { addressOf, get } from "./writing.js";

/** @param {Api.LibraryGame} game */
const place = (game) => dots(game.source_name ?? game.source, game.bank !== undefined && t("bank-n", { n: game.bank }),
  game.area);

/** @type {ViewMaker<JournalContext>} */
export function library(root, context) {
  /** @type {Record<string, string>} */
  const chosen = { search: "", sort: "" };
  const { journal, key } = context, list = h("div");
  return view(root, context, async (signal) => {
    const answer = await get(journal, "practice/library", {}, signal), games = answer.body;
    if (key) return [asOf(answer), gameNodes(journal, key, games)];
    if (!games.length) return emptyState("journal", t("no-library"), t("no-library-text"));
    const draw = () => {
      const words = chosen.search.toLowerCase().split(/\s+/), { sort } = chosen;
      const found = games.filter((game) => /** @type {const} */ (["source", "bank", "played"])
        .every((name) => !chosen[name]
        || chosen[name] === String(game[name]))
        && words.every((word) => dots(game.name, place(game), game.group
          && t("group-n", { n: game.group })).toLowerCase().includes(word)));
      if (sort) found.sort((a, b) => (sort === "bank" ? (a.bank ?? 1e9) - (b.bank ?? 1e9) : 0) || byName(a, b));
      list.replaceChildren(h("p.quiet", { role: "status" }, t("games-n", { n: found.length })),
        ...portions(found, (game) => {
        const videos = game.tutorials + game.gameplays;
        return item(addressOf(journal, "library", game.game), null, game.name,
          dots(place(game), videos > 0 && t("videos-n", { n: videos })));
      }, 200));
    };
    /** @type {(name: string) => (value: string) => void} */
    const choose = (name) => (value) => (chosen[name] = value, draw());
    /** @type {(name: string, options: [string, string][]) => Child} */
    const filter = (name, options) => options.length > 1 && select(name, [["", t("all")], ...options], chosen[name]
      ?? "", choose(name));
    draw();
    return [asOf(answer), h("div.searching", icon("search"),
      h("input", { type: "search", "data-focus": "search", value: chosen.search,
      "aria-label": t("search-games"), placeholder: t("search-games"),
        oninput: ({ target }) => choose("search")(target.value) })),
    h("div.fields", filter("source", unique(games.map(({ source }) => source)).map((one) =>
      [one, games.find(({ source }) => source === one)?.source_name ?? one])),
    filter("bank", unique(games.map(({ bank }) => bank)).sort((a, b) => a - b)
      .map((n) => [String(n), t("bank-n", { n })])),
    games[0].played !== undefined && filter("played", [["true", t("yes")], ["false", t("no")]]),
    select("sort", ["", "name", "bank"].map((name) => [name, t(`sort-${name}`)]), chosen.sort, choose("sort"))), list];
  });
}

/**
 * What there is of one game. Of addresses, those that lead to the web become links.
 * @param {Journal} journal
 * @param {string} key
 * @param {Api.LibraryGame[]} games
 */
function gameNodes(journal, key, games) {
  /** @type {any} */
  const game = games.find((one) => one.game === key);
  if (!game) return emptyState("journal", t("no-game"), "", h("a.button", { href: addressOf(journal, "library") },
    t("library")));
  const media = [...["rulesheet", "playfield"]
    .map((name) => [t(name), "digest", game[`${name}_url`] ?? game[name] ?? game[`${name}_file`]]),
    ...(game.videos ?? [])
      .map((/** @type {Api.LibraryVideo} */ { kind, label, url }) => [label || t(kind), "play", url])]
      .filter(([, , address]) => address);
  return section(game.name,
    h("p.facts", dots(place(game), game.tutorials > 0 && t("tutorials-n", { n: game.tutorials }),
    game.gameplays > 0 && t("gameplays-n", { n: game.gameplays }))),
  h("div.buttons", h("a.button.primary", { href: addressOf(journal, "game", key) }, t("open-game")),
    h("a.button", { href: addressOf(journal, "insights", key) }, t("insights"))),
  media.length ? h("ul.items", media.map(([title, lead, address]) => {
    const host = /^https?:\/\/([^/?#]+)/i.exec(address)?.[1];
    const row = item(host && address, icon(lead), title, host ?? address);
    if (host) Object.assign(/** @type {Element} */ (row.firstChild), { target: "_blank", rel: "noreferrer noopener" });
    return row;
  })) : h("p.quiet", t("no-media")));
}

texts({
  "search-games": "Search games",
  "source": "Venue",
  "bank": "Bank",
  "group-n": "Group {n}",
  "played": "Played",
  "sort": "Order",
  "sort-": "As in the library",
  "sort-name": "By name",
  "sort-bank": "By bank",
  "games-n": { one: "{n} game", other: "{n} games" },
  "videos-n": { one: "{n} video", other: "{n} videos" },
  "tutorials-n": { one: "{n} tutorial", other: "{n} tutorials" },
  "gameplays-n": { one: "{n} gameplay video", other: "{n} gameplay videos" },
  "open-game": "Practise this game",
  "rulesheet": "Rulesheet",
  "playfield": "Playfield",
  "tutorial": "Tutorial",
  "gameplay": "Gameplay video",
  "no-media": "The library has nothing to read or to watch for this game.",
  "no-game": "This game is not in the library",
});

/**
 * The tables of a league: standings, machines, targets, the next bank, the last evening, and two players side by
 * side.
 */
import { h } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { problemText } from "../data/api.js";
import { me } from "../data/identity.js";
import { asOf, button, doing, dots, portions, section, sign } from "../ui/parts.js";
import { emptyState } from "../ui/say.js";
import { confirm, dates, fact, item, rank, select, view } from "./insights.js";
import { whole } from "./score.js";
import { addressOf, get, write } from "./writing.js";

/** @param {string} text */
const big = (text) => h("b.big", text);
/**
 * @param {Journal} journal
 * @param {{ game?: string }} row
 */
const gameOf = (journal, { game }) => game && addressOf(journal, "game", game);
/**
 * @param {Api.LeagueTarget[]} rows
 * @param {Journal} journal
 */
const targets = (rows, journal) => portions(rows, (one) => item(gameOf(journal, one), null, one.name,
  dots(.../** @type {const} */ (["great", "main", "floor"])
    .map((name) => t(`target-${name}`, { n: whole(one[name]) })))));
/**
 * @param {Api.LeaguePlace[]} rows
 * @param {number} [shown]
 */
const places = (rows, shown) => portions(rows, (row) => item("", rank(row.rank ?? row.position),
  [row.player, row.you && [" ", sign("good", "check", t("you"))]],
    dots(row.nights !== undefined && t("nights-n", { n: row.nights }),
    row.eligible === false && t("not-eligible")), big(fmt.number(row.points))), shown);

/**
 * What each view shows of its answer.
 * @type {Record<string, (answer: any, journal: Journal, around: any) => Child>}
 */
const shows = {
  standings: (rows, journal, around) =>
    [rows.length > 0 && section(t("season-n", { n: rows[0].season }), places(rows, 5)),
    around.length > 0 && section(t("around"), places(around))],
  stats: (/** @type {any[]} */ rows) => rows.map((one) => {
    const held = (/** @type {string} */ name) => fact(name, dots(whole(one[name]), one[`${name}_player`],
      one[`${name}_season`] !== undefined && t("season-n", { n: one[`${name}_season`] })));
    return h("details", h("summary.item", { "data-focus": one.machine }, item("", null, one.machine,
      dots(t("scores-n", { n: one.count }), t("median-n", { n: whole(one.median) }))).firstChild?.firstChild),
    h("dl.facts-list", held("high"), held("low"), ["mean", "deviation"].map((name) => fact(name, whole(one[name])))));
  }),
  targets: (rows, journal) => [h("p.quiet", t("targets-text")), targets(rows, journal)],
  next: (answer, journal) => section(t("bank-n", { n: answer.bank }), targets(answer.targets, journal)),
  recent: ({ season, bank, player, rows }, journal) =>
    section(dots(player, t("season-n", { n: season }), t("bank-n", { n: bank })),
    portions(rows, (row) => item(gameOf(journal, row), null, row.machine,
      dots(row.date && dates.format(Date.parse(`${row.date}T12:00`)),
      t("points-n", { n: row.points })), big(whole(row.score))))),
  versus: ({ you, them, games, you_lead: mine, they_lead: theirs }, journal) => section(t("versus-of", { you, them }),
    h("p.facts", t("leads", { you, them, mine, theirs })), portions(games,
      (one) => item(gameOf(journal, one), null, one.name,
      dots(`${you} ${whole(one.you.mean)}`, `${them} ${whole(one.them.mean)}`),
        big(`${one.delta > 0 ? "+" : ""}${whole(one.delta)}`)))),
};

/** @type {ViewMaker<JournalContext>} */
export function league(root, context) {
  /** @type {Record<string, string>} */
  const chosen = { view: "standings", player: "", opponent: "" };
  const { journal } = context;
  /**
   * @param {string} name
   * @param {string} kind
   */
  const entry = (name, kind) => button(t(name), doing(async () => await confirm(name) && write(journal, kind, {})), "",
    { "data-focus": name });
  return view(root, context, async (signal, reload) => {
    /** @type {(name: string, query?: Query | false) => Promise<Answered<any>>} */
    const ask = (name, query) => get(journal, "practice/league", { view: name, ...query }, signal);
    const { view: now, player, opponent } = chosen, isOfPlayer = !["stats", "targets"].includes(now);
    /** @type {(name: string, options: [string, string][]) => HTMLElement} */
    const choose = (name, options) => select(name, options, chosen[name], (value) => (chosen[name] = value, reload()));
    const about = { player: player || undefined };
    const quiet = () => ({ body: [] });
    const standings = await ask("standings").catch(quiet);
    /** @type {(first: string) => [string, string][]} */
    const players = (first) =>
      [["", t(first)], ...standings.body.map((/** @type {Api.LeaguePlace} */ row) => [row.player, row.player])];
    const content = async () => {
      const answer = await ask(now, now !== "standings" && isOfPlayer
        && { ...about, ...now === "versus" && { opponent: opponent || undefined } });
      const around = now === "standings" ? await ask("around", about).catch(quiet) : quiet();
      return [asOf(answer), shows[now](answer.body, journal, around.body)];
    };
    let missing;
    return [h("div.fields", choose("view", Object.keys(shows).map((name) => [name, t(`league-${name}`)])),
      isOfPlayer && choose("player", players("player-journal")), now === "versus"
        && choose("opponent", players("player-journal"))),
    await content().catch((error) => {
      if (![400, 404].includes(error.status)) throw error;
      missing = true;
      return emptyState("journal", t("no-league"), problemText(error));
    }), me.can("mark") && h("div.part.buttons", !missing && entry("import-scores", "practice.league_import"),
      entry("purge-scores", "practice.league_purge"))];
  });
}

texts({
  "view": "Show",
  "league-standings": "Standings",
  "league-stats": "Machines",
  "league-targets": "Targets",
  "targets-text": "The averages of those who came second, fourth and eighth.",
  "league-next": "Next bank",
  "league-recent": "Last evening",
  "league-versus": "Two players",
  "around": "Around you",
  "you": "You",
  "opponent": "Compared with",
  "player-journal": "As in the journal",
  "season-n": "Season {n}",
  "nights-n": { one: "{n} evening", other: "{n} evenings" },
  "points-n": { one: "{n} point", other: "{n} points" },
  "scores-n": { one: "{n} score", other: "{n} scores" },
  "median-n": "median {n}",
  "not-eligible": "not in the finals",
  "target-great": "great {n}",
  "target-main": "main {n}",
  "target-floor": "floor {n}",
  "high": "Best",
  "low": "Lowest",
  "mean": "Mean",
  "deviation": "Deviation",
  "versus-of": "{you} and {them}",
  "leads": "{you} leads in {mine}, {them} in {theirs}.",
  "no-league": "Nothing to show",
  "import-scores": "Import scores",
  "import-scores-text":
    "Your scores come from the league’s table into the journal. Those that it has already are skipped.",
  "purge-scores": "Remove imports",
  "purge-scores-text": "All scores that were imported from the league’s table go. Those that you noted yourself stay.",
});

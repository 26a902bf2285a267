/** Search in all sessions and journals. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { store } from "../data/store.js";
import { dayOf } from "../ui/days.js";
import { chips } from "../ui/asking.js";
import {
  kindIcons, kindSign, linkRow, loader, nameOfSession, notice, offsetRow, rows, section, when,
} from "../ui/parts.js";
import { emptyState } from "../ui/say.js";

/**
 * Hits as one types; what is asked too soon for the server is asked again by itself.
 * @type {ViewMaker<Route>}
 */
export function open(root, route) {
  const kinds = new Set(route.query.getAll("kind"));
  const input = h("input", { type: "search", value: route.query.get("q") ?? "", dir: "auto", enterkeyhint: "search",
    autocapitalize: "off",
    "aria-label": t("search-all"), placeholder: t("search-all"), maxlength: 1000 });
  const status = h("p.quiet", { role: "status" }), results = h("div");
  /** @type {Timer} */
  let timer;
  /** @type {View | undefined} */
  let view, address = location.hash;
  const search = (wait = 250) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Somebody has gone elsewhere, and the page hears of it right after this.
      if (location.hash !== address) return;
      view?.close();
      const q = input.value.trim(), query = { q, kind: [...kinds] };
      history.replaceState(history.state, "",
        `#/search?${new URLSearchParams([["q", q], ...query.kind.map((kind) => ["kind", kind])])}`);
      address = location.hash;
      status.textContent = "";
      view = loader(results, async (signal) => {
        if (!q) return emptyState("search", t("search-title"), t("search-text"));
        const { hits, isKept, hasNoWords } = await find({ ...query, match: "prefix", limit: 200 }, signal);
        if (hasNoWords) return emptyState("search", t("no-words", { q }), t("no-words-text"));
        if (!signal.aborted && hits.length) status.textContent = t(hits.length < 200 ? "hits" : "hits-first",
          { n: hits.length });
        const groups = hits.reduce((all, hit) => all.set(hit.handle, [...all.get(hit.handle) ?? [], hit]), new Map());
        return [isKept && notice("quiet", "outbox", t("search-offline")),
          hits.length ? [...groups.values()].map((group) => hitsOfJournal(group, q))
            : emptyState("search", t("no-hits", { q }), t("no-hits-text"))];
      });
    }, wait);
  };
  input.addEventListener("input", () => search());
  root.replaceChildren(h("form.searching",
    { role: "search", onsubmit: (event) => (event.preventDefault(), search(0)) }, icon("search"), input),
    chips(t("only"), ["marker", "voice_note", "transcript", "session"].map((kind) =>
      [kind, icon(kindIcons[kind]), t(`kind-${kind}`)]), (kind) => kinds.has(kind),
      (kind) => (kinds.delete(kind) || kinds.add(kind), search(0))), status, results);
  search(0);
  input.focus();
  return { close: () => (clearTimeout(timer), view?.close()) };
}

/**
 * The hits at the server; where that can't be reached, those in the markers that this browser has kept.
 * @param {{ q: string, kind: string[], match?: string, limit?: number }} query
 * @param {AbortSignal} signal
 * @returns {Promise<{ hits: Api.SearchHit[], isKept?: boolean, hasNoWords?: boolean }>}
 */
async function find(query, signal) {
  try {
    return { hits: (await api.get("search", { query, signal })).body };
  } catch (/** @type {any} */ error) {
    if (error.code === "no-words") return { hits: [], hasNoWords: true };
    if (error.offline) return { hits: await findKept(query), isKept: true };
    if (error.status !== 429) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? 500));
    signal.throwIfAborted();
    return find(query, signal);
  }
}

/**
 * @param {{ q: string, kind: string[] }} query
 * @returns {Promise<any[]>}
 */
async function findKept({ q, kind }) {
  const wanted = q.toLocaleLowerCase().split(/\s+/), kept = await store.all("kept");
  const sessions = new Map(kept.filter(({ address }) => /^sessions(\?|$)/.test(address))
    .flatMap(({ body }) => body.map((/** @type {any} */ row) => [row.handle, row])));
  const markers = new Map(kept.flatMap(({ address, body }) => {
    const handle = decodeURIComponent(/^sessions\/([^/]+)\/markers(\?|$)/.exec(address)?.[1] ?? "");
    return handle ? body.map((/** @type {any} */ record) =>
      [record.id, { title: sessions.get(handle)?.title, handle, kind: "marker", offset_ms: record.offset_ms, record,
      snippet: [record.label, record.note].filter(Boolean).join(" – ") }]) : [];
  }));
  return [...markers.values()].filter(({ snippet }) => (!kind.length || kind.includes("marker"))
    && wanted.every((word) => snippet.toLocaleLowerCase().includes(word))).slice(0, 200);
}

/**
 * A snippet: what was found stands between two private-use characters; without them, the typed words are marked.
 * @param {string} snippet
 * @param {string} q
 */
function marked(snippet, q) {
  const typed = new RegExp(`(${q.split(/\s+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "i");
  return snippet.split(/[\ue000-\uf8ff]/.test(snippet) ? /[\ue000-\uf8ff]/ : typed)
    .map((part, index) => (index % 2 ? h("mark", part) : part));
}

/**
 * Those of a session lead to their places, those of another journal to their days.
 * @param {any[]} hits
 * @param {string} q
 */
function hitsOfJournal(hits, q) {
  const [{ kind, handle, wall_time: start }] = hits, isSession = kind in kindIcons;
  const href = `#/${isSession ? "s" : "journals"}/${handle}`;
  /** @param {any} hit */
  const hitRow = (hit) => (isSession ? offsetRow(handle, hit.offset_ms, kindSign(hit), marked(hit.snippet, q))
    : linkRow(hit.wall_time ? `#/day/${dayOf(hit.wall_time)}` : href, kindSign(hit), marked(hit.snippet, q),
      when(hit.wall_time, fmt.day)));
  return section(h("a", { href }, nameOfSession(hits[0])), isSession && h("p.quiet", when(start, fmt.day)),
    rows(hits.filter((hit) => (isSession ? hit.kind !== "session" : hit.kind.includes("."))), hitRow));
}

texts({
  "search-all": "Search all sessions",
  "kind-marker": "Markers",
  "kind-voice_note": "Voice notes",
  "kind-transcript": "Transcripts",
  "kind-session": "Titles",
  "search-title": "Search all sessions",
  "search-text": "Finds words in titles, markers, notes, voice notes and transcripts.",
  "search-offline":
    "Search needs the server, which can’t be reached. These are hits in the markers kept on this device.",
  "hits": { one: "{n} hit", other: "{n} hits" },
  "hits-first": "The best {n} hits",
  "no-hits": "Nothing found for “{q}”",
  "no-hits-text": "Try fewer or shorter words.",
  "no-words": "There is no word in “{q}”",
  "no-words-text": "Letters and digits are searched, nothing else.",
});

/** A session: what is heard, marked, named and spoken in it. */
import { h, icon } from "../base/dom.js";
import { clock, HOUR } from "../base/flow.js";
import { categories } from "../base/record.js";
import { fmt, t, texts } from "../base/words.js";
import { api, problemText } from "../data/api.js";
import { drafts } from "../data/drafts.js";
import { events } from "../data/events.js";
import { me } from "../data/identity.js";
import { outbox } from "../data/outbox.js";
import { overlayOf } from "../data/overlay.js";
import { settings } from "../data/settings.js";
import { frame, go, screens } from "../ui/frame.js";
import { keys } from "../ui/keys.js";
import { come, emptyState, sayFailed, skeleton, whenCome } from "../ui/say.js";
import { Player } from "../play/player.js";
import { lateBar, markBar, writeButton } from "./bar.js";
import { Filters } from "./filters.js";
import { forgottenSince } from "./left-open.js";
import { MarkerList } from "./marker-list.js";
import { Markers } from "./markers.js";
import { editMarker, loadLater, Marking } from "./marking.js";
import { placeOf } from "./names.js";
import { Speaker } from "./speak.js";
import { Stage } from "./stage.js";

/**
 * The tabs beside the markers: each has a module, which is loaded with it.
 * @type {Record<string, () => Promise<{ tab(root: HTMLElement, view: TabContext): SessionPart }>>}
 */
const TABS = {
  transcript: () => import("./transcript.js"), notes: () => import("./notes.js"), digest: () => import("./digest.js"),
  actions: () => import("./actions.js"), problems: () => import("./problems.js"),
};
const NAMES = ["markers", ...Object.keys(TABS)];

const RARE = ["actions", "problems"]; // behind ⋯ on a phone
/** @type {Record<string, string>} */
const RARE_ICONS = { actions: "action", problems: "warning" };

/**
 * What an event makes of the number of voice notes.
 * @type {Record<string, number>}
 */
const STEPS = { added: 1, removed: -1 };

/** @param {Route} route */
function atOf({ query }) {
  const at = query.get("at") ?? query.get("t");
  return /^\d+$/.test(at ?? "") ? Number(at) : undefined;
}

class SessionView {
  /** @type {(() => unknown)[]} */
  #off = [];
  /** @type {(() => void) | undefined} */
  unbind;
  /** @type {HTMLElement | undefined} */
  bar;
  /** @type {Route | undefined} */
  route;
  /** @type {number | undefined} */
  at;
  /** @type {string | undefined} */
  tab;
  /** @type {Coming<SessionPart> | undefined} */
  part;
  /** @type {Coming<SessionPart> | undefined} */
  beside;
  /** @type {HTMLDialogElement | undefined} */
  sheet;
  /** @type {unknown} */
  failed;
  /** @type {string | undefined} */
  spoken;
  /** @type {number | undefined} */
  changing;
  /** @type {Timer} */
  refreshing;
  /** @type {boolean | undefined} */
  hasColumns;
  /** @type {boolean | undefined} */
  hasThree;
  /** @type {string | undefined} */
  third; // the tab that is a column of its own
  /** @type {boolean | undefined} */
  isLate;
  /** @type {boolean | undefined} */
  isForgotten;
  missed = false;
  /** @type {boolean | undefined} */
  recount;
  closed = false;
  stale = false;
  isLoaded = false;

  /**
   * @param {HTMLElement} root
   * @param {Route} route
   */
  constructor(root, route) {
    // What is there once the session was read, and its parts were built.
    /** @type {OpenSession} */
    this.session;
    /** @type {Stage} */
    this.stage;
    /** @type {MarkerList} */
    this.list;
    /** @type {HTMLElement} */
    this.node;
    /** @type {HTMLElement} */
    this.tabs;
    /** @type {HTMLElement} */
    this.more;
    /** @type {Filters} */
    this.filters;
    /** @type {HTMLElement} */
    this.markers;
    /** @type {HTMLElement} */
    this.panel;
    /** @type {HTMLElement} */
    this.aside;
    /** @type {HTMLElement} */
    this.below;
    this.root = root;
    this.handle = route.path[1];
    this.player = new Player(this.handle);
    /** @type {Markers} */
    this.all = new Markers(this.handle, (counts) => this.#changed(counts));
    /** @type {Markers} */
    this.shown = this.all;
    /** @type {Marking} */
    this.marking = new Marking(this);
    this.speaker = new Speaker(this, this.marking);
    this.player.step = (by) => this.step(by);
    this.player.around = (position) => this.#around(position);
    this.player.on((what) => this.told(what));
    this.#open(route);
  }

  get canMark() { return me.can("mark") && Boolean(this.session?.session_id); }
  moment(ago = 0) { return { offset: this.player.markOffset(ago), at: clock.now() - ago }; }

  /** @param {Route} route */
  async #open(route) {
    this.root.replaceChildren(h("div.session.loading", { role: "status", "aria-label": t("loading") }, skeleton(7)));
    this.#off.push(events.watch(this.handle), events.on((event) => this.#event(event)));
    try {
      this.session = await this.#read();
    } catch (/** @type {any} */ error) {
      if (this.closed) return;
      this.#stop();
      const retry = h("button.primary", { type: "button", onclick: () => this.#open(route) }, t("retry"));
      this.root.replaceChildren(emptyState("warning", t("session-failed"), problemText(error), retry));
      return;
    }
    if (this.closed) return;
    this.#build();
    this.at = atOf(route);
    this.player.load(this.session, this.at);
    this.#draw();
    this.update(route);
    this.unbind ??= keys.bind(this.#keys());
    this.#off.push(outbox.on(() => this.#outbox()), () => this.unbind?.());
    this.#askForgotten();
    loadLater();
    await this.#outbox();
    if (this.missed) this.refresh();
    else this.reload();
  }

  async #read() {
    const { body } = await api.get(`sessions/${this.handle}`, { keep: true });
    return /** @type {OpenSession} */ (body);
  }

  /** What was being written here when the page went. */
  #reopen() {
    for (const name of drafts.names(`marker/${this.handle}/`)) {
      const record = this.all.byID.get(name.split("/")[2]);
      if (record) return editMarker(this, record);
    }
    return this.marking.reopen();
  }

  async #askForgotten() {
    const since = await forgottenSince(this.session);
    if (this.closed || this.isForgotten === Boolean(since)) return;
    this.player.isForgotten = this.isForgotten = Boolean(since);
    this.#draw();
  }

  async reload() {
    try {
      await Promise.all([...new Set([this.all, this.shown])].map((markers) => markers.load()));
      this.failed = undefined;
    } catch (error) {
      this.failed = error;
    }
    this.isLoaded = true;
    this.#changed();
    // A load that another one overtook has brought nothing yet.
    if (this.hasReopened || !this.all.isLoaded || !this.canMark || this.closed) return;
    this.hasReopened = true;
    this.#reopen();
  }

  // MARK: Building

  #build() {
    this.stage = new Stage(this);
    const address = (/** @type {string} */ tab) => `#/s/${this.handle}${tab === "markers" ? "" : `/${tab}`}`;
    const items = RARE.map((tab) => ({ label: t(tab), href: address(tab), icon: RARE_ICONS[tab] }));
    this.more = h("button.tab.tab-more", { type: "button", "aria-label": t("more"), "aria-haspopup": "dialog",
      onclick: () => come(import("../ui/dialog.js")).then(({ menu }) => menu(this.more, items), sayFailed) },
      icon("more"));
    this.tabs = h("nav.tabs", { "aria-label": t("parts") }, NAMES.map((tab) =>
      h(`a.tab${RARE.includes(tab) ? ".rare" : ""}`, { href: address(tab), "data-tab": tab },
        h("span", t(tab)), h("span.tab-count"))), this.more);
    this.filters = new Filters((only) => this.filter(only));
    this.list = new MarkerList(this);
    this.markers = h("section.markers", { "aria-label": t("markers") }, this.list.element);
    this.panel = h("div.panel");
    this.aside = h("section.aside");
    this.below = h("div.below", this.tabs, this.panel);
    this.node = h("div.session");
    this.root.replaceChildren(this.node);
    for (const size of Object.values(screens)) {
      const layOut = () => this.layOut();
      size.addEventListener("change", layOut);
      this.#off.push(() => size.removeEventListener("change", layOut));
    }
    this.layOut();
  }

  /** On a phone the player lies above the rows and scrolls with them; elsewhere it has a place of its own. */
  layOut() {
    const { stage, list, node } = this, hasColumns = screens.desktop.matches, hasThree = screens.wide.matches;
    const isInList = !hasColumns && !screens.landscape.matches;
    list.setHead(...(isInList ? [stage.element] : []), this.filters.element);
    if (this.hasColumns !== hasColumns || this.hasThree !== hasThree) this.tab = undefined;
    this.hasColumns = hasColumns;
    this.hasThree = hasThree;
    node.replaceChildren(.../** @type {HTMLElement[]} */ ([!isInList && stage.element, hasColumns && this.markers,
      this.below, hasThree && this.aside, stage.dock, this.bar].filter(Boolean)));
    this.#showThird(hasThree);
    if (this.route) this.update(this.route);
    this.showDock();
  }

  /**
   * The third column: what was said in the session, else what was spoken about it.
   * @param {boolean} isShown
   */
  #showThird(isShown) {
    const third = !isShown ? undefined : this.session.transcript_path ? "transcript" : "notes";
    if (third === this.third) return;
    this.third = third;
    this.beside = void this.beside?.close();
    this.aside.replaceChildren();
    for (const link of /** @type {Iterable<HTMLElement>} */ (this.tabs.children)) {
      link.hidden = third !== undefined && link.dataset.tab === third;
    }
    if (!third) return;
    this.aside.ariaLabel = t(third);
    this.beside = whenCome(this.aside, TABS[third], ({ tab }) => tab(this.aside, this));
  }

  /** The row of the player at the foot, where the player itself is not seen. */
  showDock() {
    if (!this.list) return;
    const isBeside = screens.desktop.matches || screens.landscape.matches;
    this.stage.dock.hidden = isBeside || !this.player.media?.length || (this.tab === "markers" && this.list.isOpen);
  }

  /** The player with all that it has, over the page. */
  async openPlayer() {
    const over = await come(import("./over.js")).catch(sayFailed);
    if (over && !this.closed) this.sheet ??= over.openSheet(this);
  }

  /** Whether there is nothing that tells the moment of a press. */
  get hasNoTime() { return !this.player.media?.length && !this.player.isLive; }

  #setBar() {
    if (!this.canMark || this.isLate === this.hasNoTime) return;
    this.isLate = this.hasNoTime;
    const bar = this.isLate ? lateBar(this) : markBar(this);
    this.bar?.remove();
    this.bar = bar;
    this.node.append(bar);
    frame.actions(!this.isLate && writeButton(this));
    this.unbind?.();
    this.unbind = keys.bind(this.#keys());
  }

  #draw() {
    const { session } = this;
    const begun = session.start_time && fmt.dateTime(Date.parse(session.start_time));
    const length = session.duration_ms !== undefined && fmt.length(session.duration_ms);
    frame.title(session.title ?? t("untitled"), { back: "#/",
      about: [begun, length, !session.status && t("no-status")].filter(Boolean).join(" · ") });
    this.#setBar();
    this.stage.told();
    this.showDock();
    /** @type {Record<string, number>} */
    const counts = { notes: session.voice_note_count, problems: session.errors + session.warnings };
    for (const tab in counts) this.#count(this.tabs.querySelector(`[data-tab=${tab}] .tab-count`), counts[tab]);
    this.#state();
  }

  /**
   * @param {Element | null} node
   * @param {number} number
   */
  #count(node, number) { if (node) node.textContent = number ? number.toLocaleString() : ""; }

  /** @param {Route} route */
  update(route) {
    if (!this.session) return;
    const at = atOf(route);
    if (at !== undefined && at !== this.at) this.player.seek(at);
    this.at = at;
    this.route = route;
    const asked = NAMES.includes(route.path[2]) ? route.path[2] : "markers";
    const isBeside = (asked === "markers" && this.hasColumns) || asked === this.third;
    const tab = isBeside ? "digest" : asked;
    if (tab === this.tab) return;
    this.tab = tab;
    for (const link of /** @type {Iterable<HTMLElement>} */ (this.tabs.children)) {
      link.ariaCurrent = link.dataset.tab === tab ? "page" : null;
    }
    this.part?.close();
    this.part = undefined;
    this.panel.replaceChildren();
    this.panel.className = `panel panel-${tab}`;
    this.more.classList.toggle("on", RARE.includes(tab));
    if (tab === "markers") {
      this.panel.append(this.markers);
      this.list.draw();
    } else this.part = whenCome(this.panel, TABS[tab], (module) => module.tab(this.panel, this));
    this.showDock();
  }

  // MARK: Playing

  get #lead() { return Number(settings.get("lead_ms") ?? 0); }

  /** @param {Marker} record */
  playMarker(record) {
    this.list.follow(true);
    if (this.player.item) this.player.play(Math.max(0, placeOf(record) - this.#lead));
  }

  /**
   * To the marker before or after; back within two seconds of one goes to the one before it.
   * @param {number} by
   */
  async step(by) {
    const from = this.player.position() + this.#lead;
    const index = by > 0 ? this.all.indexAt(from + 50) : this.all.indexAt(from - 2000) - 1;
    if (index < 0) return this.player.seek(0);
    if (!this.all.row(index)) await this.all.want(index - 20, index + 20);
    const record = this.all.row(index);
    if (record) this.player.seek(Math.max(0, placeOf(record) - this.#lead));
  }

  /**
   * What the player asks of the markers around a position; undefined while they are not all here.
   * @param {number} position
   * @returns {Around | undefined}
   */
  #around(position) {
    const { all } = this, index = all.indexAt(position), before = all.row(index - 1), after = all.row(index);
    if (!all.isLoaded || (index > 0 && !before) || (index < all.length && !after)) return undefined;
    const here = before && placeOf(before), next = after && placeOf(after);
    const end = here !== undefined && before?.duration_ms ? here + before.duration_ms : 0;
    return { here, end: end > position ? end : next, next };
  }

  /**
   * What the player tells: "state", "tick" or "seek".
   * @param {string} what
   */
  told(what) {
    if (!this.stage || this.closed) return;
    if (what === "seek") this.list.follow(true);
    if (what !== "tick") this.#state();
    this.#tick();
  }

  #state() {
    this.stage.state();
    if (!this.player.isPlaying) this.list.back.hidden = true;
    this.#length();
  }

  #length() {
    const { player, all } = this;
    const length = Math.max(this.session.duration_ms ?? 0, player.item ? player.end : 0, all.stretches.at(-1)?.max ?? 0,
      player.isLive ? Math.ceil(player.liveOffset / 5000) * 5000 : 0);
    if (length === this.stage.length) return;
    this.list.rows.classList.toggle("with-hours", length >= HOUR);
    this.stage.setLength(length);
  }

  #tick() {
    const position = this.player.position(), index = this.all.indexAt(position);
    if (!this.stage.tick(position, index, this.stale)) return;
    this.stale = false;
    if (this.player.isLive && !this.player.item) this.#length();
    this.list.setCurrent(this.shown === this.all ? index - 1 : this.shown.indexAt(position) - 1);
  }

  // MARK: What happens

  #changed(counts = true) {
    if (!this.stage || this.closed) return;
    this.recount ||= counts;
    this.changing ??= requestAnimationFrame(() => {
      this.changing = undefined;
      this.stale = true;
      this.#length();
      this.#tick();
      this.list.drawNow();
      if (!this.recount) return;
      this.recount = false;
      this.stage.wave?.drawMarks();
      this.#count(this.tabs.querySelector("[data-tab=markers] .tab-count"), this.all.length);
      const sums = [0, 0, 0, 0];
      for (const { n } of this.all.stretches) for (const kind of sums.keys()) sums[kind] += n[kind];
      this.filters.count(sums, this.all.byID.values(), this.all.byID.size === this.all.length);
    });
  }

  /** @param {(markers: Markers) => unknown} act */
  #both(act) { for (const markers of new Set([this.all, this.shown])) act(markers); }
  /** @param {Marker} record */
  marked(record) { this.#both((markers) => markers.put(record)); }
  /** @param {Marker} record */
  unmarked(record) {
    this.all.pending.delete(record.id);
    this.#both((markers) => markers.drop(record.id, placeOf(record)));
  }

  spoke() { for (const part of [this.part, this.beside]) part?.shown?.load?.(); }

  /** @param {Only} only */
  async filter(only) {
    const isAll = only.category === undefined && only.tag === undefined;
    this.shown = isAll ? this.all : new Markers(this.handle, (counts) => this.#changed(counts), only);
    Object.assign(this.shown, { pending: this.all.pending, leaving: this.all.leaving });
    if (!isAll) await this.shown.load().catch((error) => { this.failed = error; });
    this.list.follow(true);
    this.#changed();
  }

  /** @param {Marker} record */
  async remove(record) {
    const editor = await come(import("./editor.js")).catch(sayFailed);
    await editor?.remove(this, record);
    this.list.focusNear(record);
  }

  /** @param {Told} told */
  #event({ type, data }) {
    if (data?.handle && data.handle !== this.handle) return;
    if (!this.stage) this.missed ||= type !== "state";
    if (!this.stage) return;
    if (type === "state" && data.connected) [this.stage.wave, this.player].forEach((part) => part?.retry());
    if (type === "reset") return this.refresh();
    if (type !== "watch" || !data.handle) return;
    if (data.kind === "marker") {
      const { id, record, offset_ms } = data;
      if (data.event === "removed") this.#both((markers) => markers.drop(id, offset_ms));
      else if (record) this.#both((markers) => markers.put(record));
    } else if (data.kind === "voice_note") {
      this.session.voice_note_count += STEPS[data.event] ?? 0;
      this.#draw();
      this.spoke();
    } else if (data.kind === "session") this.refresh();
  }

  /** The session and its rows again, in one turn however many ask. */
  refresh() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(async () => {
      try {
        this.session = await this.#read();
        if (this.closed) return;
        this.player.load(this.session);
        this.#draw();
        this.#askForgotten();
      } catch { /* What is shown stays; the frame says that there is no network. */ }
      this.spoke();
      this.reload();
    }, 50);
  }

  /** What waits here is shown as such; what no longer waits is in the session now, or never will be. */
  async #outbox() {
    const { pending: now, leaving: left, spoken } = overlayOf(outbox.of(this.session.session_id ?? this.handle));
    const { pending, leaving } = this.all;
    const back = [...leaving].filter((id) => !left.has(id));
    for (const id of left) if (!leaving.has(id)) this.#both((markers) => (leaving.add(id), markers.drop(id)));
    for (const id of back) leaving.delete(id);
    const gone = [...[...pending.keys()].filter((id) => !now.has(id)), ...back.filter((id) => !this.all.byID.has(id))];
    pending.clear();
    for (const [id, entry] of now) pending.set(id, entry);
    for (const [id, { body }] of now) if (!this.all.byID.has(id)) this.marked({ ...body, id });
    if (spoken !== this.spoken) this.spoke();
    this.spoken = spoken;
    this.#changed();
    if (gone.length > 5) return this.refresh();
    for (const id of gone) {
      const answer = await api.get(`sessions/${this.handle}/markers/${id}`).catch((/** @type {any} */ error) => error);
      if (answer.body?.id === id) this.marked(answer.body);
      else if (answer.status === 404) this.#both((markers) => markers.drop(id));
    }
  }

  #keys() {
    const { player } = this;
    const by = (/** @type {number} */ ms) => () => player.seek(player.position() + ms);
    /** @type {KeyMap} */
    const bound = {
      Space: () => player.toggle(), ArrowLeft: by(-10_000), ArrowRight: by(10_000), "Shift+ArrowLeft": by(-1000),
      "Shift+ArrowRight": by(1000), "[": () => this.step(-1), "]": () => this.step(1), l: () => this.stage.loopHere(),
      "<": () => player.faster(-1), ">": () => player.faster(1), d: () => go(`#/s/${this.handle}/digest`),
    };
    if (!this.canMark) return bound;
    const last = () => this.marking.made.map(({ id }) => this.all.byID.get(id)).findLast(Boolean) ?? this.stage.here;
    bound.n = () => {
      const record = last();
      if (record) editMarker(this, record);
    };
    if (!this.bar || this.isLate) return bound;
    for (const category of categories) {
      bound[category.key] = (/** @type {KeyboardEvent} */ event) => this.marking.press(category, event);
    }
    return { ...bound, b: () => this.marking.write(), r: () => this.speaker.toggle(), u: () => this.marking.undo() };
  }

  #stop() { for (const off of this.#off.splice(0)) off(); }

  close() {
    this.closed = true;
    this.all.keep();
    this.#stop();
    clearTimeout(this.refreshing);
    cancelAnimationFrame(/** @type {number} */ (this.changing));
    this.speaker.close();
    this.part?.close();
    this.beside?.close();
    this.sheet?.close();
    this.list?.close();
    this.stage?.close();
    this.player.close();
  }
}

/**
 * `#/s/H`, `#/s/H/notes`, …; `?at=MS` is where it begins.
 * @param {HTMLElement} root
 * @param {Route} route
 */
export const open = (root, route) => new SessionView(root, route);

texts({
  "no-status": "Damaged",
  "transcript": "Transcript",
  "notes": "Notes",
  "digest": "Digest",
  "actions": "Actions",
  "parts": "Parts of the session",
});

/** Whose token this browser has, and whose is what it keeps. */
import { reload, signal } from "../base/flow.js";
import { channel, settings } from "./settings.js";
import { store } from "./store.js";

const SCOPES = ["read", "mark", "admin"];

/** The setting that names the token that what is kept is of. */
export const OWNER = "owner";
/** The cache of recordings that were kept. */
export const KEPT_AUDIO = "kept-audio";

/**
 * The bearer of this browser's token, as `GET /api/v1` tells it.
 * @type {Me}
 */
export const me = {
  id: undefined, signedIn: false, scope: undefined, name: undefined, person: undefined, filtered: false,
    sessions: undefined, journals: undefined,
    features: {}, limits: {},
  can: (scope) => SCOPES.indexOf(me.scope ?? "") >= SCOPES.indexOf(scope),
  take({ token, features, limits, version }) {
    Object.assign(me, { id: undefined, name: undefined, sessions: undefined, journals: undefined }, token,
      { features, limits, version, signedIn: true });
    settings.set("person", me.person); // for the worker
  },
};

/**
 * Told when the token counts no longer, with what to say about it.
 * @type {Signal<[string?]>}
 */
export const tokenLost = signal();

/** @param {{ owner?: string }} kept */
export const isOurs = ({ owner }) => owner && owner === settings.get(OWNER);

/** @param {string} key */
const isOfPerson = (key) => ["owner", "person", "recent"].includes(key) || /^(position|listening)\./.test(key);

/**
 * Forgets what was kept for the last user, but the outbox. `owner` is the token that is here now, if one is.
 * @param {string} [owner]
 */
export async function forgetKept(owner) {
  const isShown = owner && document.body.dataset.state === "ready";
  // Nobody's from here on: if the page is killed below, the next one finishes it before it draws anything.
  await settings.set(OWNER, undefined);
  await store.clear("kept").catch(() => {});
  await globalThis.caches?.delete(KEPT_AUDIO).catch(() => {});
  for (const key of settings.names().filter(isOfPerson)) await settings.set(key, undefined);
  if (owner) await settings.set(OWNER, owner);
  if (!isShown) return;
  reload();
  await new Promise(() => {});
}

// Another tab has signed out, or somebody else in.
channel.on(({ type, key, value }) => type === "setting" && key === OWNER && me.signedIn && value !== me.id && reload());

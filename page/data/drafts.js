/** What was typed and not saved. */
import { me } from "./identity.js";
import { settings } from "./settings.js";

export const PREFIX = "draft.";

/** What was typed and not saved, by names such as `marker/HANDLE/ID`; each is the person's who typed it. */
export const drafts = {
  /** @param {string} name */
  get(name) {
    const draft = settings.get(PREFIX + name);
    return draft?.person === me.person ? draft : undefined;
  },
  /**
   * The names that begin with a text.
   * @returns {string[]}
   */
  names: (start = "") => settings.names().filter((key) => key.startsWith(PREFIX + start))
    .map((key) => key.slice(PREFIX.length)).filter(drafts.get),
  /** @param {string} name */
  drop: (name) => settings.drop(PREFIX + name),
};

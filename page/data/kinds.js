/** The kinds of journals beside the sessions. */
import { api } from "./api.js";

/** The kinds of journals that have a `KIND/kind.js`. */
export const kindsWithPages = async () =>
  (await api.get("kinds", { keep: true })).body.filter(({ page }) => page).map(({ name }) => name);

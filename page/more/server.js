/** What an admin sees of the server: other devices, and how it is. */
import { h, icon } from "../base/dom.js";
import { fmt, t, texts } from "../base/words.js";
import { api } from "../data/api.js";
import { me } from "../data/identity.js";
import { ask } from "../ui/asking.js";
import { button, doing, dots, fact, notice, rows, section, small, when } from "../ui/parts.js";
import { toast } from "../ui/say.js";
import "./device.js";

/**
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} reload
 */
export async function tokenNodes(signal, reload) {
  const others = (await api.get("tokens", { signal })).body.filter((token) => token.id !== me.id);
  /** @param {Api.Token} token */
  const revoke = ({ id, name }) => doing(async () => {
    if (!(await ask(t("revoke-title", { name }), h("p", t("revoke-text")), t("revoke"), true))) return;
    await api.send("DELETE", `tokens/${id}`);
    toast(t("revoked", { name }));
    reload();
  });
  return section(t("other-devices"), others.length === 0 ? h("p.quiet", t("other-devices-none"))
    : rows(others, (token) => h("li.item", icon(token.link ? "share" : "key"),
    h("div.item-text", h("b", { dir: "auto" }, token.name),
      small(dots(token.person, t(`scope-${token.scope}`), (token.sessions || token.roots) && t("only-shared"),
      token.expired && t("expired"))),
      small(token.last_used_at ? t("last-used",
        { when: when(token.last_used_at, fmt.ago), address: token.last_address ?? "–" }) : t("never-used"))),
    button(t("revoke"), revoke(token), "danger", { "aria-label": t("revoke-title", { name: token.name }) }))));
}

/** @param {AbortSignal} signal */
export async function statusNodes(signal) {
  const { body: status } = await api.get("status", { signal });
  const { daemon, queue, index, roots, lost, failed } = status;
  const bad = [daemon?.ailment, daemon?.problem, ...daemon?.listen_problems ?? [], index.problem,
    ...queue.map((spool) => spool.problem), lost > 0 && t("status-lost", { n: lost }),
    failed > 0 && t("status-failed", { n: failed }),
      roots.some((root) => !root.online) && t("status-offline")].filter(Boolean);
  /**
   * @param {string} address
   * @param {[string, Record<string, any>?]} values
   */
  const link = (address, ...values) => h("a", { href: address }, t(...values));
  return section(t("the-server"), bad.length ? bad.map((text) => notice("bad", "warning", text))
    : notice("good", "check", t("status-good")), h("dl.facts-list",
    fact(t("version"), me.version),
      fact(t("sessions"), t("status-sessions", { n: status.sessions, active: status.active })),
    fact(t("problems"), link("#/problems", "status-problems", { errors: status.errors, warnings: status.warnings })),
    fact(t("queue"), link("#/outbox", "status-queue", { n: queue.reduce((sum, { waiting }) => sum + waiting, 0) })),
      daemon?.since && fact(t("running-since"), when(daemon.since))));
}

texts({
  "expired": "expired",
  "other-devices": "Other devices and guests",
  "other-devices-none": "None",
  "last-used": "last used {when} from {address}",
  "never-used": "never used",
  "revoke": "Revoke",
  "revoke-title": "Revoke {name}?",
  "revoke-text": "It loses access at once. What it has not sent stays on that device.",
  "revoked": "{name} has no access any more.",
  "the-server": "Server",
  "status-good": "All is well.",
  "status-lost": {
    one: "{n} record was overwritten by another program. “trace restore” on the server puts it back.",
    other: "{n} records were overwritten by another program. “trace restore” on the server puts them back.",
  },
  "status-failed": {
    one: "{n} entry was refused. The outbox shows it.",
    other: "{n} entries were refused. The outbox shows them.",
  },
  "status-offline": "A disk with sessions is not connected.",
  "version": "Version",
  "status-sessions": "{n}, {active} active",
  "status-problems": "{errors} errors, {warnings} warnings",
  "queue": "Queue",
  "status-queue": "{n} waiting",
  "running-since": "Running since",
});

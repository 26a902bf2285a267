/** This device as the server knows it. */
import { h } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { me } from "../data/identity.js";
import { isMine, outbox } from "../data/outbox.js";
import { go } from "../ui/frame.js";
import { button, doing, dots, fact, nameOfSession, section, when } from "../ui/parts.js";
import { come, dialog } from "../ui/say.js";
import { entryText } from "./words.js";

/** What is known of this device, and the way to sign out. */
export function deviceNodes() {
  come(import("./sign-in.js")).catch(() => {}); // Signing out needs no network.
  const leave = doing(async () => {
    const left = outbox.all().filter((entry) => isMine(entry) && entry.state !== "at-server"), n = left.length;
    /** @type {(Choice | false)[]} */
    const actions = [{ label: t("cancel") }, n > 0 && { label: t("send-first"), value: "send", primary: true },
      { label: t("sign-out"), value: "yes", danger: true, primary: !n }];
    const asked = await dialog({ title: t("sign-out"), body: h("div",
      h("p", n ? t("sign-out-waiting", { n }) : t("sign-out-text")),
      n > 0 && h("ul", left.slice(0, 10)
        .map((entry) => h("li", { dir: "auto" }, dots(entryText(entry), nameOfSession(entry.session))))),
      n > 10 && h("p", t("and-more", { n: n - 10 }))),
    actions: /** @type {Choice[]} */ (actions.filter(Boolean)) });
    if (asked === "yes") await (await come(import("./sign-in.js"))).signOut();
    if (asked !== "send") return;
    await outbox.drain(true);
    go("#/outbox");
  });
  return section(t("this-device"),
    h("dl.facts-list", fact(t("token-name"), me.name ?? "–"), fact(t("person"), me.person),
    fact(t("may"), t(`scope-${me.scope}`), me.filtered && ` ${t("only-shared")}`),
      me.expires_at && fact(t("until-when"), when(me.expires_at))),
  button(t("sign-out"), leave, "danger"));
}

texts({
  "send-first": "Send first",
  "this-device": "This device",
  "token-name": "Name",
  "person": "Person",
  "may": "May",
  "until-when": "Until",
  "sign-out": "Sign out",
  "sign-out-text": "This device needs a new pairing code to sign in again.",
  "sign-out-waiting": {
    one: "{n} entry is not sent yet. It stays on this device and is sent once you have signed in again.",
    other: "{n} entries are not sent yet. They stay on this device and are sent once you have signed in again.",
  },
  "scope-read": "listen and read",
  "scope-mark": "listen, read and mark",
  "scope-admin": "do everything",
  "scope-feed": "podcast feed only",
  "scope-waterline": "waterline only",
  "only-shared": "some sessions only",
});

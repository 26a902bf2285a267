/**
 * The sign-in view: a pairing code of `trace pair`, or the secret of a link. Loaded when the server asks who is
 * there.
 */
import { h, icon } from "../base/dom.js";
import { t, texts } from "../base/words.js";
import { api, leave, problemText } from "../data/api.js";
import { me, tokenLost } from "../data/identity.js";
import { settings } from "../data/settings.js";
import { frame } from "../ui/frame.js";

const CODE_LENGTH = 8;

/** Without a network it is reported to the server before anything else is asked. */
export async function signOut() {
  await settings.set("leaving", true);
  await leave().catch((error) => error.offline || Promise.reject(error));
  me.signedIn = false;
  tokenLost.tell("");
}

/**
 * Exchanges the secret of an address, `#p=` or `#g=`. Resolves to undefined when it worked, and `signedIn()` too,
 * else to what to say.
 * @param {string} kind
 * @param {string} value
 * @param {() => Promise<unknown>} signedIn
 */
export async function exchange(kind, value, signedIn) {
  return kind === "p" ? pair(value, deviceName(), signedIn) : attempt(async () => {
    await api.send("POST", "login", undefined, { headers: { Authorization: `Bearer ${value}` } });
  }, { 401: t("link-refused") }, signedIn);
}

/**
 * @param {string} code
 * @param {string} name
 * @param {() => Promise<unknown>} signedIn
 */
const pair = (code, name, signedIn) => attempt(() => api.send("POST", "pair", { code, name: name || undefined }),
  { 403: t("pair-refused"), 429: t("pair-too-many") }, signedIn);

/**
 * @param {() => Promise<unknown>} work
 * @param {Record<number, string>} answers
 * @param {() => Promise<unknown>} signedIn
 */
async function attempt(work, answers, signedIn) {
  try {
    await work();
    await signedIn();
    return undefined;
  } catch (/** @type {any} */ error) {
    return answers[error.status] ?? problemText(error);
  }
}

/**
 * Writes a code as XXXX-XXXX while it is typed or pasted; leaves it alone while it is corrected in the middle.
 * @param {{ target: HTMLInputElement }} event
 */
function tidy({ target }) {
  if (target.selectionStart !== target.value.length) return;
  const typed = target.value.toUpperCase().replace(/[^0-9A-Z]/g, "").slice(0, CODE_LENGTH);
  target.value = typed.length > 4 ? `${typed.slice(0, 4)}-${typed.slice(4)}` : typed;
}

function deviceName() {
  const system = /iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/.exec(navigator.userAgent)?.[0];
  return settings.get("device")
    ?? /** @type {Record<string, string>} */ ({ "Mac OS X": "Mac", CrOS: "Chromebook" })[system ?? ""] ?? system
    ?? t("device-computer");
}

// The home screen of iOS has another storage than Safari, so that a sign-in there would not count here.
function needsHomeScreen() {
  const ios = /iP(hone|ad|od)/.test(navigator.userAgent) || (navigator.platform === "MacIntel"
    && navigator.maxTouchPoints > 1);
  return ios && !navigator.standalone && !matchMedia("(display-mode: standalone)").matches;
}

/**
 * Why it is there: whether somebody was signed in, and so many entries wait.
 * @param {number} n
 * @param {unknown} was
 */
export const why = (n, was) => (n ? t("signed-out-kept", { n }) : was ? t("signed-out") : "");

/**
 * Fills the page with the sign-in view; `message` says why it is there, `signedIn` is done when it has worked.
 * @param {string} message
 * @param {() => Promise<unknown>} signedIn
 */
export function showSignIn(message, signedIn) {
  document.title = `${t("sign-in")} · ${t("app")}`;
  const said = h("p.message", { role: "alert", hidden: !message }, message);
  const say = (/** @type {string | undefined} */ text) => {
    said.textContent = text ?? "";
    said.hidden = !text;
  };
  const code = h("input.code", {
    id: "code", autocomplete: "one-time-code", autocapitalize: "characters", autocorrect: "off", spellcheck: "false",
      maxlength: 20,
    placeholder: "XXXX-XXXX", "aria-describedby": "code-hint", required: true, oninput: tidy,
  });
  const name = h("input", { id: "device", maxlength: 60, autocomplete: "off", value: deviceName() });
  const button = h("button.primary.large", { type: "submit" }, t("pair"));

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    const typed = code.value.replace(/[^0-9A-Za-z]/g, "");
    say();
    if (typed.length !== CODE_LENGTH) {
      say(t("code-short"));
      return code.focus();
    }
    button.disabled = true;
    button.textContent = t("pairing");
    settings.set("device", name.value.trim());
    const problem = await pair(typed, name.value.trim(), signedIn);
    button.disabled = false;
    button.textContent = t("pair");
    if (!problem) return undefined;
    say(problem);
    return code.select();
  }

  frame.main.replaceChildren(h("section.sign-in",
    h("span.mark", { "aria-hidden": "true" }), h("h1", t("app")), h("p.lead", t("sign-in-lead")), said,
    needsHomeScreen() && h("div.card.hint", icon("share"), h("div", h("h2", t("ios-first")), h("p", t("ios-steps")))),
    h("form", { onsubmit: submit, novalidate: true },
      h("p", t("sign-in-how"), " ", h("code", "trace pair"), " ", t("sign-in-how-2")),
      h("label", { for: "code" }, t("code")), code, h("p.hint", { id: "code-hint" }, t("code-hint")),
      h("label", { for: "device" }, t("device-name")), name, button),
    !globalThis.isSecureContext && h("p.hint", t("insecure"))));
  if (matchMedia("(pointer: fine)").matches) code.focus();
}

texts({
  "signed-out-kept": {
    one: "You were signed out. {n} entry is still kept on this device and will be sent once you have signed in.",
    other: "You were signed out. {n} entries are still kept on this device and will be sent once you have signed in.",
  },
  "signed-out": "You were signed out. Pair this device again.",
  "sign-in": "Sign in",
  "sign-in-lead": "Pair this device with your TRACE server.",
  "sign-in-how": "On the computer that runs TRACE, type",
  "sign-in-how-2": "and enter the code that it shows. A code works once, within five minutes.",
  "code": "Pairing code",
  "code-hint": "Eight letters and digits, such as K7QF-2M9D",
  "code-short": "A code has eight letters and digits.",
  "device-name": "Name of this device",
  "device-computer": "Computer",
  "pair": "Pair this device",
  "pairing": "Pairing…",
  "pair-refused": "This code is wrong, used up or expired. Run trace pair for a new one.",
  "pair-too-many": "Too many wrong codes. Wait a minute, then run trace pair again.",
  "link-refused": "This link no longer works. Ask for a new one.",
  "ios-first": "Add this page to the home screen first",
  "ios-steps":
    "Tap Share, then “Add to Home Screen”. Open TRACE from there and enter the code: Safari and the home screen " +
    "don’t share their sign-in.",
  "insecure": "This connection is not secure (no HTTPS), so voice notes and offline use are not available.",
});

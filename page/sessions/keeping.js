/** Keeps the recording of a session on this device, or no longer. Loaded with the first. */
import { t, texts } from "../base/words.js";
import { keptAudio } from "../data/kept-audio.js";
import { toast } from "../ui/say.js";
import "../ui/shared.js";

/** @param {import("./stage.js").Stage} stage */
export async function keep(stage) {
  const { player, view: { session } } = stage;
  if (!player.item) return;
  if (!keptAudio.possible) return toast(t("insecure-cure"), { kind: "bad" });
  if (stage.keeping) return stage.keeping.abort();
  const words = /** @type {HTMLElement} */ (stage.keepButton.querySelector("span"));
  try {
    if (player.isKept) await keptAudio.remove(player.href);
    else {
      stage.keeping = new AbortController();
      stage.keepButton.classList.add("busy");
      const name = /** @type {string} */ (player.item.path.split("/").at(-1));
      const about = { title: session.title ?? t("untitled"), name };
      /** @param {number} part */
      const tell = (part) => { words.textContent = part.toLocaleString(undefined, { style: "percent" }); };
      await keptAudio.keep(player.href, about, tell, stage.keeping.signal);
    }
    await player.reopen();
    toast(t(player.isKept ? "kept-now" : "kept-no-more"));
  } catch (/** @type {any} */ error) {
    const why = error.name === "QuotaExceededError" ? t("no-space") : error.message;
    if (error.name !== "AbortError") toast(t("keep-failed", { why }), { kind: "bad" });
  }
  stage.keeping = undefined;
  stage.keepButton.classList.remove("busy");
  stage.view.told("state");
}

texts({
  "kept-now": "The recording is on this device. It plays without a network.",
  "kept-no-more": "The recording is no longer on this device.",
  "keep-failed": "The recording could not be kept. {why}",
  "no-space": "This device has no space left for it.",
});

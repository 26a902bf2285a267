/** The service worker: the page without a network, and its next version. */
import { reload, SECOND } from "../base/flow.js";
import { t, texts } from "../base/words.js";
import { events } from "../data/events.js";
import { outbox } from "../data/outbox.js";
import { toast } from "./say.js";

/**
 * The first worker takes the page over as soon as it has all of it; every later one waits until somebody agrees.
 */
export async function registerWorker() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  let controlled = Boolean(workers.controller);
  /** @type {(() => void) | undefined} */
  let offered;
  workers.addEventListener("controllerchange", () => {
    if (controlled) reload();
    controlled = true;
  });
  workers.addEventListener("message", ({ data }) => data.type === "drain" && outbox.drain(true));
  const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => "sw.js" });
  const registration = await workers.register(policy ? policy.createScriptURL("") : "sw.js");
  const use = async () => {
    await Promise.race([outbox.drain(true), new Promise((done) => setTimeout(done, 3 * SECOND))]);
    registration.waiting?.postMessage({ type: "activate" });
    // A page that was loaded past the worker gets no event when it changes.
    setTimeout(reload, registration.waiting ? 3 * SECOND : 0);
  };
  const offer = () => {
    if (!registration.waiting || !registration.active) return;
    offered?.();
    offered = toast(t("new-version"), { ms: 86_400_000, actions: [{ label: t("reload"), run: use }] });
  };
  offer();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  // The server may have another page after a gap.
  events.on(({ type, data }) => type === "reset" && !data.handle && registration.update().catch(() => {}));
}

texts({
  "new-version": "A new version of this page is ready.",
  "reload": "Reload",
});

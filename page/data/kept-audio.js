/** Recordings that were kept on this device. */
import { t, texts } from "../base/words.js";
import { KEPT_AUDIO } from "./identity.js";

/** @type {CacheStorage | undefined} */
const storage = globalThis.caches;

/** Recordings that were kept on this device, for listening without a network. They need a secure context. */
export const keptAudio = {
  possible: Boolean(storage),

  /** What is kept: `[{href, title, name, bytes, kept}]`, `kept` in ms. */
  async list() {
    if (!storage) return [];
    const cache = await storage.open(KEPT_AUDIO);
    return Promise.all((await cache.keys()).map(async (request) => {
      const about = JSON.parse(decodeURIComponent((await cache.match(request))?.headers.get("trace-about") ?? "{}"));
      return { href: request.url, ...about };
    }));
  },

  /**
   * Fetches a whole recording; `progress` gets a fraction.
   * @param {string} href
   * @param {{ title: string, name: string }} about
   * @param {(part: number) => unknown} progress
   * @param {AbortSignal} [signal]
   */
  async keep(href, { title, name }, progress, signal) {
    const response = await fetch(href, { signal });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !/^(audio|video)\//.test(type)) throw new Error(t("keep-refused", { status: response.status }));
    const size = Number(response.headers.get("content-length"));
    const pieces = [];
    let bytes = 0;
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    for (let piece; !(piece = /** @type {{ done: boolean, value: any }} */ (await reader.read())).done;) {
      pieces.push(piece.value);
      bytes += piece.value.length;
      progress(size ? bytes / size : 0);
    }
    if (size && bytes !== size) throw new Error(t("keep-cut"));
    const about = encodeURIComponent(JSON.stringify({ title, name, bytes, kept: Date.now() }));
    const headers = { "content-type": type, "trace-about": about };
    await (await storage.open(KEPT_AUDIO)).put(href, new Response(new Blob(pieces, { type }), { headers }));
  },

  /** @param {string} href */
  async remove(href) { return storage ? (await storage.open(KEPT_AUDIO)).delete(href) : false; },
};

texts({
  "keep-refused": "The server answered {status}.",
  "keep-cut": "The connection broke off.",
});

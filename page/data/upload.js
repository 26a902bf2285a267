/** The sound of voice notes on its way to the server, in pieces if need be. */
import { MINUTE } from "../base/flow.js";
import { fmt, t } from "../base/words.js";
import { api, ApiError } from "./api.js";
import { store } from "./store.js";
import { writing } from "./writing.js";

/** @type {Record<string, string>} */
const PATHS = { marker: "markers", voice_note: "voice-notes", action_request: "actions" };
/** @param {Entry} entry */
export const placeOf = ({ session, kind, id }) => `sessions/${encodeURIComponent(session.handle)}/${PATHS[kind]}/${id}`;
/** @param {Entry} entry */
export const typeOf = ({ audio }) => audio?.type?.split(";")[0];
const SMALLEST = 1 << 16; // bytes
let most = Infinity; // bytes that what is in front of the server takes at once, as far as that is known

/**
 * Sends a file from a place on; in halved pieces where something in front of the server takes no more.
 * @param {string} path
 * @param {Blob} audio
 * @param {number} there
 * @param {string | undefined} type
 * @returns {Promise<any>}
 */
async function upload(path, audio, there, type) {
  for (;;) {
    const end = Math.min(audio.size, there + most);
    /** @type {Record<string, string>} */
    const more = end < audio.size ? { "Upload-Complete": "?0" } : {};
    try {
      const answer = there
        ? await api.send("PATCH", path, audio.slice(there, end), { type: "application/partial-upload",
          headers: { "Upload-Offset": String(there), ...more }, timeout: 3 * MINUTE })
        : await api.send("PUT", path, audio.slice(0, end), { type, timeout: 3 * MINUTE,
          headers: more["Upload-Complete"] ? { ...more, "Upload-Length": String(audio.size) } : {} });
      if (end === audio.size) return answer;
      there = end;
    } catch (/** @type {any} */ error) {
      if (error.code !== "too-large") throw error;
      const about = { detail: t("proxy-limit"), hint: fmt.bytes(end - there) };
      if (end - there <= SMALLEST) throw new ApiError(422, error.code, about);
      most = Math.max(SMALLEST, Math.ceil((end - there) / 2));
    }
  }
}

/**
 * Sends the audio of a voice note, from where an earlier try broke off.
 * @param {Entry} entry
 * @returns {Promise<any>}
 */
export async function sendAudio(entry) {
  const path = `${placeOf(entry)}/audio`;
  const audio = await writing.audio(entry.id);
  if (!audio) throw new ApiError(422, "rejected", { detail: t("audio-gone") });
  // At the first try nothing can be there yet.
  /** @type {Partial<Answered<unknown>>} */
  const head = entry.tries < 2 ? {} : await api.send("HEAD", path).catch((error) => {
    if (error.status !== 404) throw error;
    return {};
  });
  if (head.status === 200) return { status: 200 };
  let answer = { status: 202 };
  if (head.headers?.get("Upload-Complete") !== "?1") {
    answer = await upload(path, audio, Number(head.headers?.get("Upload-Offset")) || 0, typeOf(entry));
  }
  await store.change("outbox", entry.id, (now) => ({ ...now, audioSent: true }));
  return answer;
}

/** The player on the lock screen, and on keys of the keyboard for media. Loaded when it plays. */
import { fmt, t } from "../base/words.js";
import { settings } from "../data/settings.js";

const media = /** @type {MediaSession | undefined} */ (navigator.mediaSession);

/**
 * One that the browser does not know is left out.
 * @param {MediaSessionAction} name
 * @param {MediaSessionActionHandler | null} act
 */
function set(name, act) {
  try {
    media?.setActionHandler(name, act);
  } catch { /* It has no such button. */ }
}

/**
 * Takes its buttons; which ones, the settings say.
 * @param {import("./player.js").Player} player
 */
export function take(player) {
  const seeks = settings.get("lock_screen") === "seek";
  const by = (/** @type {number} */ ms) => () => player.seek(player.position() + ms);
  set("play", () => player.play());
  set("pause", () => player.pause());
  set("stop", () => player.pause());
  set("seekto", ({ seekTime }) => player.seek((seekTime ?? 0) * 1000 + player.start));
  set("nexttrack", seeks ? null : () => player.step?.(1));
  set("previoustrack", seeks ? null : () => player.step?.(-1));
  set("seekforward", seeks ? by(10_000) : null);
  set("seekbackward", seeks ? by(-10_000) : null);
}

/**
 * What it shows: the marker here, and the session.
 * @param {any} session
 * @param {string} heading
 */
export function tell(session, heading) {
  if (!media) return;
  const album = session.title ?? t("untitled");
  const artwork = ["192", "512"].map((size) => ({ src: `icon-${size}.png`, sizes: `${size}x${size}`,
    type: "image/png" }));
  const artist = session.start_time ? fmt.day(Date.parse(session.start_time)) : "";
  const about = heading ? { title: heading, artist: album } : { title: album, artist };
  media.metadata = new MediaMetadata({ ...about, album, artwork });
}

/**
 * How far it is, whenever that changes otherwise than by time.
 * @param {HTMLAudioElement} audio
 * @param {boolean} isPlaying
 */
export function tellPosition({ duration, currentTime, playbackRate }, isPlaying) {
  if (!media) return;
  media.playbackState = isPlaying ? "playing" : "paused";
  if (!(Number.isFinite(duration) && duration > 0)) return;
  media.setPositionState?.({ duration, position: Math.min(currentTime, duration), playbackRate });
}

/** Nothing of it stays when the session is left. */
export function leave() {
  if (!media) return;
  for (const name of /** @type {const} */ (["play", "pause", "stop", "seekto", "nexttrack", "previoustrack",
    "seekforward", "seekbackward"])) set(name, null);
  media.metadata = null;
  media.playbackState = "none";
}

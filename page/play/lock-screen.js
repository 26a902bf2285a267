/** The player on the lock screen. Loaded when it plays. */
import { fmt, t } from "../base/words.js";
import { settings } from "../data/settings.js";

/**
 * Takes its buttons; which ones, the settings say.
 * @param {any} player
 */
export function take(player) {
  const media = navigator.mediaSession;
  if (!media) return;
  const seeks = settings.get("lock_screen") === "seek";
  /** @type {(name: MediaSessionAction, fn: MediaSessionActionHandler | null) => void} */
  const set = (name, fn) => {
    try {
      media.setActionHandler(name, fn);
    } catch { /* The browser does not know this one. */ }
  };
  set("play", () => player.play());
  set("pause", () => player.pause());
  set("seekto", (event) => player.seek((event.seekTime ?? 0) * 1000 + player.start));
  set("nexttrack", seeks ? null : () => player.step?.(1));
  set("previoustrack", seeks ? null : () => player.step?.(-1));
  set("seekforward", seeks ? () => player.seek(player.position() + 10_000) : null);
  set("seekbackward", seeks ? () => player.seek(player.position() - 10_000) : null);
}

/**
 * What the lock screen shows: the marker here, the session, and how far it is.
 * @param {{ session?: any, rate: number }} player
 * @param {HTMLAudioElement} audio
 * @param {string} heading
 */
export function tell({ session, rate }, audio, heading) {
  const album = session.title ?? t("untitled");
  const artwork = [{ src: "icon-512.png", sizes: "512x512", type: "image/png" }];
  const artist = session.start_time ? fmt.day(Date.parse(session.start_time)) : "";
  const about = heading ? { title: heading, artist: album } : { title: album, artist };
  navigator.mediaSession.metadata = new MediaMetadata({ ...about, album, artwork });
  if (Number.isFinite(audio.duration) && audio.duration > 0) {
    const position = Math.min(audio.currentTime, audio.duration);
    navigator.mediaSession.setPositionState?.({ duration: audio.duration, position, playbackRate: rate });
  }
}

/** The end of playing that was chosen ahead: after a time, or at a place. Loaded when it is chosen. */
import { MINUTE, SECOND } from "../base/flow.js";

const FADE = 5 * SECOND;

/**
 * Fades and pauses, and then is over: what plays afterwards plays on. Minutes are those of a clock on the wall, however
 * fast it plays and whether it plays at all.
 */
export class Sleep {
  #wasPlaying = false;
  /** @type {Timer} */
  #timer;
  #until = 0; // ms: by the clock of this device, or in the session

  /**
   * @param {import("./player.js").Player} player
   * @param {string} when minutes, `marker` or `recording`
   */
  constructor(player, when) {
    this.player = player;
    this.when = when;
    this.item = player.item;
    this.isTimed = Number(when) > 0;
    if (this.isTimed) {
      this.#until = Date.now() + Number(when) * MINUTE;
      this.#timer = setTimeout(() => this.#end(), Number(when) * MINUTE);
    } else this.#aim();
    this.off = player.on((what) => this.#hear(what));
  }

  /** ms of real time. */
  get left() {
    const { player } = this;
    return this.isTimed ? this.#until - Date.now() : (this.#until - player.position()) / player.rate;
  }

  /** Where it ends goes by where one is; what is not known yet has no end. */
  #aim() {
    const { player } = this;
    const around = player.around?.(player.position());
    this.item = player.item;
    this.#until = this.when === "recording" ? player.end : around ? Math.min(player.end, around.end ?? Infinity)
      : Infinity;
  }

  /** @param {string} what */
  #hear(what) {
    const { player } = this;
    const isElsewhere = what === "seek" || this.item !== player.item || this.#until === Infinity;
    if (!this.isTimed && isElsewhere) this.#aim();
    if (!player.isPlaying) return void (this.#wasPlaying = false);
    // The time was over while nothing played, and the device slept.
    if (this.left <= 0) return this.#wasPlaying ? this.#end() : player.sleepIn();
    this.#wasPlaying = true;
    player.volume = Math.min(1, this.left / FADE);
  }

  #end() {
    this.player.pause();
    this.player.sleepIn();
  }

  /** Whether a recording that is over was to end here; then it is over, too. */
  isAtEnd() {
    const isHere = !this.isTimed && this.left < SECOND;
    if (isHere) this.player.sleepIn();
    return isHere;
  }

  close() {
    clearTimeout(this.#timer);
    this.off();
    this.player.volume = 1;
  }
}

/** Scores as they are typed and written. Nothing of it draws. */
import { fmt } from "../base/words.js";

/**
 * Digits, or groups of three of them with one separator; no more than a number holds exactly. As the command line
 * takes them.
 */
export const SCORE = "\\s*([1-9]\\d{0,14}|[1-9]\\d{0,2}([.,'\u2019 _\\u202f\\u00a0])\\d{3}(\\2\\d{3}){0,3})\\s*";
/**
 * The number that was typed so.
 * @param {string} typed
 */
export const number = (typed) => Number(typed.replace(/[^\d]/g, ""));

const WRITTEN = new RegExp(`^${SCORE}$`), DIGITS = 15;
const [SEPARATOR = "\u202f"] = new Intl.NumberFormat().formatToParts(1234567)
  .filter(({ type, value: sign }) => type === "group" && WRITTEN.test(`1${sign}234`)).map(({ value: sign }) => sign);
const digitsOf = (/** @type {string} */ typed) => typed.replace(/\D/g, "");
const grouped = (/** @type {string} */ digits) => digits.replace(/\B(?=(\d{3})+$)/g, SEPARATOR);

/**
 * As it was before it was grouped; what is no score stays.
 * @param {string} typed
 */
export const plain = (typed) => (WRITTEN.test(typed) ? digitsOf(typed) : typed.trim());

/**
 * What stands in the field of a score after a change, and where the caret is then: digits are grouped while they are
 * typed. What comes with other separators stays as it is, unless it is a whole number: then it is grouped as here.
 * @param {string} before
 * @param {string} after
 * @param {number} caret
 * @param {{ data?: string | null, inputType?: string }} event
 */
export function typedScore(before, after, caret, { data, inputType = "" } = {}) {
  const digits = digitsOf(after), isOurs = before === grouped(digitsOf(before));
  const isDeleted = inputType.startsWith("delete"), isPlain = isDeleted || /^\d+$/.test(data ?? "");
  const isGrouped = isOurs && isPlain && digits.length <= DIGITS;
  if (!isGrouped && !WRITTEN.test(after)) return { text: after, caret };
  let ahead = digitsOf(after.slice(0, caret)).length, rest = digits;
  // Who deletes a separator means the digit beside it.
  if (isOurs && isDeleted && digits === digitsOf(before) && before.length === after.length + 1) {
    if (inputType.includes("Backward")) ahead -= 1;
    rest = digits.slice(0, ahead) + digits.slice(ahead + 1);
  }
  const shown = grouped(rest);
  let place = 0;
  for (let seen = 0; seen < ahead; place += 1) if (/\d/.test(shown[place])) seen += 1;
  return { text: shown, caret: place };
}

/**
 * A score without its fraction, half to even: as the server writes it into texts.
 * @param {number} n
 */
export const whole = (n) => {
  const down = Math.floor(n);
  return fmt.number(n - down === 0.5 ? down + Math.abs(down % 2) : Math.round(n));
};

/**
 * How scores are marked at the side of a picture: steps of 1, 2 or 5 tens, at most four, up to the best or beyond.
 * @param {number} best
 */
export function ticks(best) {
  const power = 10 ** Math.floor(Math.log10(best / 3));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => best / n <= 4) ?? 10 * power;
  return { step, steps: Math.ceil(best / step) };
}

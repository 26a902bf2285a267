/** Scores as they are typed and written. Nothing of it draws. */
import { fmt } from "../base/words.js";

/**
 * Digits, or groups of three of them with one separator; no more than a number holds exactly. As the command line
 * takes them.
 */
export const SCORE = "\\s*([1-9]\\d{0,14}|[1-9]\\d{0,2}([.,'\u2019 _\\u202f\\u00a0])\\d{3}(\\2\\d{3}){0,3})\\s*";
/** The number that was typed so. */
export const number = (typed) => Number(typed.replace(/[^\d]/g, ""));

/** A score without its fraction, half to even: as the server writes it into texts. */
export const whole = (n) => {
  const down = Math.floor(n);
  return fmt.number(n - down === 0.5 ? down + Math.abs(down % 2) : Math.round(n));
};

/** How scores are marked at the side of a picture: steps of 1, 2 or 5 tens, at most four, up to the best or beyond. */
export function ticks(best) {
  const power = 10 ** Math.floor(Math.log10(best / 3));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => best / n <= 4);
  return { step, steps: Math.ceil(best / step) };
}

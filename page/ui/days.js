/** Days, as fields of a date have them. */
import { MINUTE } from "../base/flow.js";

/**
 * A moment (ms) as the clock here shows it, in the spelling of date and time fields: `2026-02-04T20:15`.
 * @param {number} ms
 */
export const civil = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
/**
 * @param {string | Date} time
 * @param {string} time
 */
export const dayOf = (time) => civil(Date.parse(String(time))).slice(0, 10);
